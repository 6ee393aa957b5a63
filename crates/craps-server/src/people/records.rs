//! Changes to accounts, roles, tokens, sessions, second factors and limits. Each change is written to the trail first, so that none is missing there.

use super::{Role, Scope, password};
use crate::error::ApiError;
use crate::faults;
use crate::live::pit::now;
use axum::http::StatusCode;
use craps_store::{
    Account, ApiToken, AppendError, Factor, Grant, Limits, NewGrant, PeopleError, Store, StoreError, TRAIL, new_id,
    new_token, token_hash,
};
use serde_json::{Value, json};
use std::net::IpAddr;

/// Maximum length of a name or label, in characters.
pub const NAME_MOST: usize = 40;

/// Reason why a record was not changed.
#[derive(Debug, thiserror::Error)]
pub enum NotChanged {
    /// A value is not allowed.
    #[error("{0}")]
    Unfit(String),
    /// The record doesn't exist.
    #[error("{0}")]
    Missing(String),
    /// The name is taken, or there is a second factor already.
    #[error("{0}")]
    Taken(String),
    /// The trail could not be written.
    #[error("can't write the trail: {0}")]
    Trail(#[from] AppendError),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<PeopleError> for NotChanged {
    fn from(error: PeopleError) -> NotChanged {
        match error {
            PeopleError::NameTaken(_) => NotChanged::Taken(error.to_string()),
            PeopleError::NoSuchAccount(_) => NotChanged::Missing(error.to_string()),
            PeopleError::Store(error) => NotChanged::Store(error),
        }
    }
}

impl From<NotChanged> for ApiError {
    fn from(error: NotChanged) -> ApiError {
        let message = error.to_string();
        match error {
            NotChanged::Unfit(_) => ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "unfit", message),
            NotChanged::Missing(_) => ApiError::not_found(message),
            NotChanged::Taken(_) => ApiError::new(StatusCode::CONFLICT, "taken", message),
            NotChanged::Trail(error) => {
                // Messages of the database go to the log, not to the client.
                let why = match error {
                    AppendError::NotStored(fault) | AppendError::Unknown(fault) => {
                        faults::report(&fault);
                        fault.kind.what()
                    }
                    AppendError::Refused(_) | AppendError::Duplicate { .. } | AppendError::Conflict { .. } => {
                        "it was refused"
                    }
                };
                let words = format!("The trail can't be written now: {why}. Try again in a moment.");
                ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "store", words, 1)
            }
            NotChanged::Store(error) => error.into(),
        }
    }
}

/// Checks the name of a person or a seat, and reduces spaces to one between words.
///
/// # Errors
/// When it is empty or too long, or has characters that could be mistaken for something else in a game file.
pub fn name(text: &str) -> Result<String, NotChanged> {
    let name = text.split(' ').filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let fits = |c: char| c.is_alphanumeric() || " .'_-".contains(c);
    if name.is_empty() || name.chars().count() > NAME_MOST || !name.chars().all(fits) {
        let words = format!("A name has 1 to {NAME_MOST} letters, digits, spaces and . ' _ -");
        return Err(NotChanged::Unfit(words));
    }
    if name.to_lowercase().starts_with("guest") {
        return Err(NotChanged::Unfit("Only the names of guests start with \"guest\".".to_owned()));
    }
    Ok(name)
}

/// Access to the records, with the person who changes them.
#[derive(Debug, Clone, Copy)]
pub struct Records<'a> {
    store: &'a Store,
    by: &'a str,
}

impl<'a> Records<'a> {
    /// Opens the records for changes by `by`, the id written to the trail.
    #[must_use]
    pub fn new(store: &'a Store, by: &'a str) -> Records<'a> {
        Records { store, by }
    }

    async fn note(&self, did: &str, what: Value) -> Result<(), NotChanged> {
        self.store.note(TRAIL, now(), self.by, &json!({ "did": did, "what": what }).to_string()).await?;
        Ok(())
    }

    /// Returns the account with this id.
    ///
    /// # Errors
    /// When there is none.
    pub async fn account(&self, id: &str) -> Result<Account, NotChanged> {
        let account = self.store.people().account(id).await?;
        account.ok_or_else(|| NotChanged::Missing(format!("There is no account `{id}`.")))
    }

    /// Returns the account with this name.
    ///
    /// # Errors
    /// When there is none.
    pub async fn named(&self, name: &str) -> Result<Account, NotChanged> {
        let account = self.store.people().account_named(name).await?;
        account.ok_or_else(|| NotChanged::Missing(format!("There is no account named `{name}`.")))
    }

    /// Creates an account with the hash of its password.
    ///
    /// # Errors
    /// When the name is not allowed or taken.
    pub async fn add_account(&self, called: &str, hash: &str) -> Result<Account, NotChanged> {
        let called = name(called)?;
        if self.store.people().account_named(&called).await?.is_some() {
            return Err(NotChanged::Taken(format!("An account named `{called}` already exists.")));
        }
        self.note("add-account", json!({ "name": called })).await?;
        Ok(self.store.people().add_account(&called, hash, now()).await?)
    }

    /// Sets the password of an account, given its hash. All sessions of the account end.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn set_password(&self, account: &str, hash: &str) -> Result<(), NotChanged> {
        let account = self.account(account).await?;
        self.note("set-password", json!({ "account": account.id, "name": account.name })).await?;
        self.store.people().set_password(&account.id, hash).await?;
        self.store.people().end_sessions_of(&account.id).await?;
        Ok(())
    }

    /// Renames an account.
    ///
    /// # Errors
    /// When there is no such account, or the name is not allowed or taken.
    pub async fn rename(&self, account: &str, called: &str) -> Result<(), NotChanged> {
        let (account, called) = (self.account(account).await?, name(called)?);
        let other = self.store.people().account_named(&called).await?.filter(|other| other.id != account.id);
        if other.is_some() {
            return Err(NotChanged::Taken(format!("An account named `{called}` already exists.")));
        }
        self.note("rename", json!({ "account": account.id, "from": account.name, "to": called })).await?;
        Ok(self.store.people().rename(&account.id, &called).await?)
    }

    /// Closes an account and ends its sessions, or opens it again.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn set_disabled(&self, account: &str, disabled: bool) -> Result<(), NotChanged> {
        let account = self.account(account).await?;
        let did = if disabled { "disable" } else { "enable" };
        self.note(did, json!({ "account": account.id, "name": account.name })).await?;
        self.store.people().set_disabled(&account.id, disabled).await?;
        if disabled {
            self.store.people().end_sessions_of(&account.id).await?;
        }
        Ok(())
    }

    /// Grants a role to an account, at one table or at all tables, with or without a shift.
    ///
    /// # Errors
    /// When there is no such account or table, or the shift ends before it begins.
    pub async fn grant(
        &self,
        account: &str,
        role: Role,
        table: Option<&str>,
        shift: (Option<i64>, Option<i64>),
    ) -> Result<Grant, NotChanged> {
        let account = self.account(account).await?;
        if let (Some(from), Some(until)) = shift
            && until <= from
        {
            return Err(NotChanged::Unfit("A shift must end after it begins.".to_owned()));
        }
        if let Some(table) = table
            && (!craps_store::is_table(table) || self.store.head(table).await?.seq == 0)
        {
            return Err(NotChanged::Missing(format!("There is no table `{table}`.")));
        }
        let (from, until) = shift;
        let what = json!({ "account": account.id, "name": account.name, "role": role, "table": table, "from": from, "until": until });
        self.note("grant", what).await?;
        let (role, table) = (role.name().to_owned(), table.map(str::to_owned));
        Ok(self.store.people().grant(&NewGrant { account: account.id, role, table, from, until }).await?)
    }

    /// Revokes a role of an account.
    ///
    /// # Errors
    /// When the account has no such grant.
    pub async fn revoke(&self, account: &str, grant: &str) -> Result<(), NotChanged> {
        let missing = || NotChanged::Missing(format!("This account has no grant `{grant}`."));
        let held = self.store.people().grants(account).await?.into_iter().find(|held| held.id == grant);
        let held = held.ok_or_else(missing)?;
        let Grant { role, table, from, until, .. } = held;
        let what =
            json!({ "account": account, "grant": grant, "role": role, "table": table, "from": from, "until": until });
        self.note("revoke", what).await?;
        if self.store.people().revoke_grant(grant).await? { Ok(()) } else { Err(missing()) }
    }

    /// Creates a token for a program that acts for an account. Returns the stored record and the token itself, which can't be shown again.
    ///
    /// # Errors
    /// When there is no such account, the label is not allowed, or there is no scope.
    pub async fn add_token(
        &self,
        account: &str,
        label: &str,
        scopes: &[Scope],
        expires: Option<i64>,
    ) -> Result<(ApiToken, String), NotChanged> {
        let account = self.account(account).await?;
        let label = name(label)?;
        let mut scopes = scopes.to_vec();
        scopes.sort_unstable();
        scopes.dedup();
        if scopes.is_empty() {
            return Err(NotChanged::Unfit("A token needs at least one scope.".to_owned()));
        }
        let (scopes, id, token) = (Scope::joined(&scopes), new_id()?, new_token()?);
        let what = json!({ "account": account.id, "token": id, "label": label, "scopes": scopes, "expires": expires });
        self.note("add-token", what).await?;
        let (hash, created) = (token_hash(&token), now());
        let kept = ApiToken { id, token: hash, account: account.id, scopes, label, created, expires };
        self.store.people().add_token(&kept).await?;
        Ok((kept, token))
    }

    /// Revokes a token of an account.
    ///
    /// # Errors
    /// When the account has no such token.
    pub async fn revoke_token(&self, account: &str, token: &str) -> Result<(), NotChanged> {
        let missing = || NotChanged::Missing(format!("This account has no token `{token}`."));
        if !self.store.people().tokens_of(account).await?.iter().any(|held| held.id == token) {
            return Err(missing());
        }
        self.note("revoke-token", json!({ "account": account, "token": token })).await?;
        if self.store.people().revoke_token(token).await? { Ok(()) } else { Err(missing()) }
    }

    /// Keeps a new second factor, which counts when [`Records::set_factor`] confirms it.
    ///
    /// # Errors
    /// When the account has a second factor.
    pub(crate) async fn issue_factor(&self, factor: &Factor) -> Result<(), NotChanged> {
        let account = self.account(&factor.account).await?;
        let has_one = || NotChanged::Taken("You have a second factor already. Remove it first.".to_owned());
        if self.store.people().factor(&account.id).await?.is_some_and(|kept| kept.confirmed.is_some()) {
            return Err(has_one());
        }
        self.note("issue-second-factor", json!({ "account": account.id, "name": account.name })).await?;
        if self.store.people().issue_factor(factor).await? { Ok(()) } else { Err(has_one()) }
    }

    /// Confirms a second factor with the time step of its first code and the hashes of its recovery codes. All sessions of the account end, because
    /// they were opened without it.
    ///
    /// # Errors
    /// When it was replaced or confirmed in the meantime.
    pub(crate) async fn set_factor(&self, factor: &Factor, step: i64, recovery: &[String]) -> Result<(), NotChanged> {
        let account = self.account(&factor.account).await?;
        self.note("set-second-factor", json!({ "account": account.id, "name": account.name })).await?;
        if !self.store.people().confirm_factor(factor, now(), step, recovery).await? {
            return Err(NotChanged::Taken("This secret was replaced. Use the latest one.".to_owned()));
        }
        self.store.people().end_sessions_of(&account.id).await?;
        Ok(())
    }

    /// Replaces the recovery codes of a second factor, given their hashes.
    ///
    /// # Errors
    /// When they changed in the meantime.
    pub(crate) async fn set_recovery(&self, factor: &Factor, recovery: &[String]) -> Result<(), NotChanged> {
        let account = self.account(&factor.account).await?;
        self.note("set-recovery-codes", json!({ "account": account.id, "name": account.name })).await?;
        match self.store.people().set_recovery(factor, recovery).await? {
            true => Ok(()),
            false => Err(NotChanged::Taken("The recovery codes changed in the meantime. Try again.".to_owned())),
        }
    }

    /// Uses up a recovery code, given its hash. Returns false if the second factor has no such code.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub(crate) async fn use_recovery_code(
        &self,
        account: &Account,
        factor: &Factor,
        hash: &str,
    ) -> Result<bool, NotChanged> {
        let left: Vec<String> = factor.recovery.iter().filter(|kept| *kept != hash).cloned().collect();
        if left.len() == factor.recovery.len() {
            return Ok(false);
        }
        let what = json!({ "account": account.id, "name": account.name, "left": left.len() });
        self.note("use-recovery-code", what).await?;
        Ok(self.store.people().set_recovery(factor, &left).await?)
    }

    /// Removes the second factor of an account. Sessions that were opened with it go on without it.
    ///
    /// # Errors
    /// When the account has none.
    pub async fn remove_factor(&self, account: &str) -> Result<(), NotChanged> {
        let account = self.account(account).await?;
        let has_none = || NotChanged::Missing(format!("{} has no second factor.", account.name));
        if self.store.people().factor(&account.id).await?.is_none() {
            return Err(has_none());
        }
        self.note("remove-second-factor", json!({ "account": account.id, "name": account.name })).await?;
        if self.store.people().remove_factor(&account.id).await? { Ok(()) } else { Err(has_none()) }
    }

    /// Records a sign-in that failed, and what was wrong: `password`, `closed` (the account) or `second-factor`. Wrong words of somebody who is signed in
    /// count, too: `current-password` for a new password, and `new-second-factor` for the code that confirms one.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn failed_sign_in(&self, account: &Account, from: IpAddr, wrong: &str) -> Result<(), NotChanged> {
        let what = json!({ "account": account.id, "name": account.name, "from": from, "wrong": wrong });
        self.note("sign-in-failed", what).await
    }

    /// Writes a sign-in to the trail, and how the second factor was shown.
    ///
    /// # Errors
    /// When the trail can't be written.
    pub async fn signed_in(&self, account: &Account, factor: Option<&str>) -> Result<(), NotChanged> {
        let what = json!({ "account": account.id, "name": account.name, "second_factor": factor });
        self.note("sign-in", what).await
    }

    /// Ends one session of an account, given the hash of its token.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn end_session(&self, account: &str, session: &str) -> Result<(), NotChanged> {
        self.note("end-session", json!({ "account": account, "session": shown(session) })).await?;
        self.store.people().end_session(session).await?;
        Ok(())
    }

    /// Ends all sessions of an account.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn end_sessions(&self, account: &str) -> Result<(), NotChanged> {
        self.note("end-sessions", json!({ "account": account })).await?;
        self.store.people().end_sessions_of(account).await?;
        Ok(())
    }

    /// Stores the limits that an account sets itself.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub async fn set_limits(&self, limits: &Limits, asked: &impl serde::Serialize) -> Result<(), NotChanged> {
        self.note("set-limits", json!({ "account": limits.account, "asked": asked })).await?;
        self.store.people().set_limits(limits).await?;
        Ok(())
    }
}

/// Returns the first 16 characters of a session's hash, which serve as its id.
#[must_use]
pub(crate) fn shown(session: &str) -> &str {
    session.get(..16).unwrap_or(session)
}

/// Checks a password and returns its hash.
///
/// # Errors
/// When the password is not allowed.
pub fn hashed(name: &str, password: &str) -> Result<String, NotChanged> {
    password::checked(name, password).map_err(NotChanged::Unfit)?;
    password::hash(password).map_err(NotChanged::Unfit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_that_no_game_takes_for_something_else() {
        assert_eq!(name("  Ann  of the North ").unwrap(), "Ann of the North");
        assert_eq!(name("Zoë O'Hara-Smith 2.").unwrap(), "Zoë O'Hara-Smith 2.");
        let most = "x".repeat(NAME_MOST);
        assert_eq!(name(&most).unwrap(), most);
        let long = "x".repeat(NAME_MOST + 1);
        for not in ["", "   ", "a;b", "a\"b", "{a}", "a\nb", "a\tb", "Guest 12", "guesty", "a|b", "a\u{202e}b", &long] {
            assert!(name(not).is_err(), "{not:?}");
        }
    }

    #[test]
    fn what_a_database_says_is_not_for_clients() {
        let fault = craps_store::Fault { kind: craps_store::FaultKind::DiskFull, why: "at /data/secret.db".to_owned() };
        for error in [AppendError::NotStored(fault.clone()), AppendError::Unknown(fault)] {
            let answer = ApiError::from(NotChanged::Trail(error));
            let words = &answer.problem().message;
            assert!(words.contains("the disk is full") && !words.contains("secret"), "{words}");
        }
    }

    #[test]
    fn a_session_is_shown_by_the_beginning_of_its_hash() {
        assert_eq!(shown("0123456789abcdef0123456789abcdef"), "0123456789abcdef");
        assert_eq!(shown("0123"), "0123");
    }
}
