//! The records of people: accounts, roles, sessions, tokens and limits. Passwords arrive already hashed, and tokens are
//! stored only as hashes. The meaning of roles and scopes is defined by the caller.

use crate::append::padded;
use crate::base::{Base, on, placeholders};
use crate::chance::random;
use crate::error::{PeopleError, StoreError};
use crate::row::hex;
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;

/// A person who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Random id.
    pub id: String,
    /// Name as the person writes it.
    pub name: String,
    /// Hash of the password, including the hash parameters.
    pub password: String,
    /// True when the account can't sign in.
    pub disabled: bool,
    /// Time when the account was made.
    pub created: i64,
}

/// A role to give to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGrant {
    /// Id of the account.
    pub account: String,
    /// Name of the role, such as `dealer`.
    pub role: String,
    /// Table that the role is for. `None`: all tables.
    pub table: Option<String>,
    /// Time from which the role is valid. `None`: no start.
    pub from: Option<i64>,
    /// Time from which the role is no longer valid. `None`: no end.
    pub until: Option<i64>,
}

/// A role that an account has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Random id.
    pub id: String,
    /// Id of the account.
    pub account: String,
    /// Name of the role, such as `dealer`.
    pub role: String,
    /// Table that the role is for. `None`: all tables.
    pub table: Option<String>,
    /// Time from which the role is valid. `None`: no start.
    pub from: Option<i64>,
    /// Time from which the role is no longer valid. `None`: no end.
    pub until: Option<i64>,
}

/// The session of a person who is signed in, or of a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Hash of the token ([`token_hash`]).
    pub token: String,
    /// Id of the account, or name of the guest.
    pub account: String,
    /// Time of the sign-in.
    pub created: i64,
    /// Time of the last request.
    pub seen: i64,
    /// Time from which the session is no longer valid.
    pub expires: i64,
    /// Time when the person showed the second factor of the account. `None`: the session was opened without one.
    pub factor: Option<i64>,
}

/// A token for a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiToken {
    /// Id that is used to revoke it ([`new_id`]).
    pub id: String,
    /// Hash of the token ([`token_hash`]).
    pub token: String,
    /// Id of the account that the program acts for.
    pub account: String,
    /// What the token allows, as text.
    pub scopes: String,
    /// Label that the owner gave it.
    pub label: String,
    /// Time when the token was made.
    pub created: i64,
    /// Time from which the token is no longer valid. `None`: no end.
    pub expires: Option<i64>,
}

/// The limits that a person has set for themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Id of the account.
    pub account: String,
    /// The limits as text. The store doesn't read it.
    pub body: String,
    /// Time of the last change.
    pub changed: i64,
}

/// Makes a new id: 128 random bits in hex.
pub fn new_id() -> Result<String, StoreError> {
    made::<16>()
}

/// Makes a new secret token: 256 random bits in hex.
pub fn new_token() -> Result<String, StoreError> {
    made::<32>()
}

fn made<const BYTES: usize>() -> Result<String, StoreError> {
    let mut bytes = [0; BYTES];
    random(&mut bytes)?;
    Ok(hex(&bytes))
}

/// Returns the hash of a token, which is what the store keeps. Tokens are random, so a plain hash is safe.
pub fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token))
}

/// Returns the name in lower case, because upper and lower case don't make different names.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

type AccountColumns = (String, String, String, i64, i64);
type GrantColumns = (String, String, String, Option<String>, Option<i64>, Option<i64>);
type SessionColumns = (String, String, i64, i64, i64, Option<i64>);
type TokenColumns = (String, String, String, String, String, i64, Option<i64>);

fn account((id, name, password, disabled, created): AccountColumns) -> Account {
    Account { id, name, password, disabled: disabled != 0, created }
}

fn grant((id, account, role, table, from, until): GrantColumns) -> Grant {
    Grant { id, account, role, table, from, until }
}

fn session((token, account, created, seen, expires, factor): SessionColumns) -> Session {
    Session { token, account, created, seen, expires, factor }
}

fn api_token((id, token, account, scopes, label, created, expires): TokenColumns) -> ApiToken {
    ApiToken { id, token, account, scopes, label, created, expires }
}

/// Access to the records of people.
#[derive(Debug, Clone, Copy)]
pub struct People<'a>(pub(crate) &'a Base);

/// Runs a query on the reading pool.
macro_rules! read {
    ($people:expr, $fetch:ident, $sql:expr $(, $value:expr)*) => {
        on!(Pool, &$people.0.read, pool => sqlx::query_as($sql)$(.bind($value))*.$fetch(pool).await?)
    };
}
pub(crate) use read;

/// Runs a change on the writing pool. Returns the number of records changed.
macro_rules! change {
    ($people:expr, $sql:expr $(, $value:expr)*) => {
        on!(Pool, &$people.0.write, pool => {
            sqlx::query($sql)$(.bind($value))*.execute(pool).await.map(|done| done.rows_affected())
        })
    };
}
pub(crate) use change;

impl People<'_> {
    /// Makes a new account. `password` is already hashed.
    pub async fn add_account(&self, name: &str, password: &str, at: i64) -> Result<Account, PeopleError> {
        let (id, name) = (new_id()?, name.to_owned());
        let sql =
            "INSERT INTO accounts (id, name, name_folded, password, disabled, created) VALUES ($1, $2, $3, $4, $5, $6)";
        change!(self, sql, &id, &name, folded(&name), password, 0_i64, at).map_err(|error| taken(&name, error))?;
        Ok(Account { id, name, password: password.to_owned(), disabled: false, created: at })
    }

    /// Finds an account by its id.
    pub async fn account(&self, id: &str) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT id, name, password, disabled, created FROM accounts WHERE id = $1";
        Ok(read!(self, fetch_optional, sql, id).map(account))
    }

    /// Finds an account by its name. Upper and lower case don't matter.
    pub async fn account_named(&self, name: &str) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT id, name, password, disabled, created FROM accounts WHERE name_folded = $1";
        Ok(read!(self, fetch_optional, sql, folded(name)).map(account))
    }

    /// Lists all accounts, the oldest first.
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT id, name, password, disabled, created FROM accounts ORDER BY created, id";
        let found: Vec<_> = read!(self, fetch_all, sql);
        Ok(found.into_iter().map(account).collect())
    }

    /// Changes the name of an account.
    pub async fn rename(&self, id: &str, name: &str) -> Result<(), PeopleError> {
        let sql = "UPDATE accounts SET name = $2, name_folded = $3 WHERE id = $1";
        let done = change!(self, sql, id, name, folded(name)).map_err(|error| taken(name, error))?;
        there(id, done)
    }

    /// Changes the password of an account. `password` is already hashed.
    pub async fn set_password(&self, id: &str, password: &str) -> Result<(), PeopleError> {
        there(id, change!(self, "UPDATE accounts SET password = $2 WHERE id = $1", id, password)?)
    }

    /// Disables an account, or enables it again.
    pub async fn set_disabled(&self, id: &str, disabled: bool) -> Result<(), PeopleError> {
        there(id, change!(self, "UPDATE accounts SET disabled = $2 WHERE id = $1", id, i64::from(disabled))?)
    }

    /// Gives an account a role.
    pub async fn grant(&self, new: &NewGrant) -> Result<Grant, PeopleError> {
        let NewGrant { account, role, table, from, until } = new.clone();
        let id = new_id()?;
        let sql = "INSERT INTO grants (id, account, role, table_id, starts, ends) VALUES ($1, $2, $3, $4, $5, $6)";
        change!(self, sql, &id, &account, &role, &table, from, until).map_err(|error| orphan(&account, error))?;
        Ok(Grant { id, account, role, table, from, until })
    }

    /// Revokes a role. Returns false if the grant doesn't exist.
    pub async fn revoke_grant(&self, id: &str) -> Result<bool, StoreError> {
        Ok(change!(self, "DELETE FROM grants WHERE id = $1", id)? > 0)
    }

    /// Lists the roles of an account, including those that are not valid now.
    pub async fn grants(&self, account: &str) -> Result<Vec<Grant>, StoreError> {
        let sql = "SELECT id, account, role, table_id, starts, ends FROM grants WHERE account = $1 ORDER BY id";
        let found: Vec<_> = read!(self, fetch_all, sql, account);
        Ok(found.into_iter().map(grant).collect())
    }

    /// Adds a session.
    pub async fn add_session(&self, session: &Session) -> Result<(), StoreError> {
        let Session { token, account, created, seen, expires, factor } = session;
        let sql =
            "INSERT INTO sessions (token, account, created, seen, expires, factor) VALUES ($1, $2, $3, $4, $5, $6)";
        change!(self, sql, token, account, *created, *seen, *expires, *factor)?;
        Ok(())
    }

    /// Finds a session by the hash of its token, expired or not.
    pub async fn session(&self, token: &str) -> Result<Option<Session>, StoreError> {
        let sql = "SELECT token, account, created, seen, expires, factor FROM sessions WHERE token = $1";
        Ok(read!(self, fetch_optional, sql, token).map(session))
    }

    /// Finds the sessions of these token hashes, in any order.
    pub async fn sessions(&self, tokens: &[String]) -> Result<Vec<Session>, StoreError> {
        let tokens = padded(tokens.to_vec());
        let sql = format!(
            "SELECT token, account, created, seen, expires, factor FROM sessions WHERE token IN {}",
            placeholders(1, tokens.len())
        );
        let found: Vec<_> = on!(Pool, &self.0.read, pool => {
            let query = sqlx::query_as(AssertSqlSafe(sql));
            tokens.iter().fold(query, |query, token| query.bind(token)).fetch_all(pool).await?
        });
        Ok(found.into_iter().map(session).collect())
    }

    /// Finds the sessions of these token hashes, in any order, each with the limits of its account or guest.
    pub async fn sessions_with_limits(&self, tokens: &[String]) -> Result<Vec<(Session, Option<Limits>)>, StoreError> {
        type Found = (String, String, i64, i64, i64, Option<i64>, Option<String>, Option<i64>);
        let tokens = padded(tokens.to_vec());
        let sql = format!(
            "SELECT token, sessions.account, created, seen, expires, factor, body, changed FROM sessions \
             LEFT JOIN limits ON limits.account = sessions.account WHERE token IN {}",
            placeholders(1, tokens.len())
        );
        let found: Vec<Found> = on!(Pool, &self.0.read, pool => {
            let query = sqlx::query_as(AssertSqlSafe(sql));
            tokens.iter().fold(query, |query, token| query.bind(token)).fetch_all(pool).await?
        });
        let known = |(token, account, created, seen, expires, factor, body, changed): Found| {
            let limits = body.zip(changed).map(|(body, changed)| Limits { account: account.clone(), body, changed });
            (session((token, account, created, seen, expires, factor)), limits)
        };
        Ok(found.into_iter().map(known).collect())
    }

    /// Lists the sessions of an account.
    pub async fn sessions_of(&self, account: &str) -> Result<Vec<Session>, StoreError> {
        let sql = "SELECT token, account, created, seen, expires, factor FROM sessions WHERE account = $1 ORDER BY created, token";
        let found: Vec<_> = read!(self, fetch_all, sql, account);
        Ok(found.into_iter().map(session).collect())
    }

    /// Updates the last request and the end of a session. Returns false if the session doesn't exist.
    pub async fn touch_session(&self, token: &str, seen: i64, expires: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE sessions SET seen = $2, expires = $3 WHERE token = $1";
        Ok(change!(self, sql, token, seen, expires)? > 0)
    }

    /// Ends a session. Returns false if it didn't exist.
    pub async fn end_session(&self, token: &str) -> Result<bool, StoreError> {
        Ok(change!(self, "DELETE FROM sessions WHERE token = $1", token)? > 0)
    }

    /// Ends all sessions of an account. Returns how many there were.
    pub async fn end_sessions_of(&self, account: &str) -> Result<u64, StoreError> {
        Ok(change!(self, "DELETE FROM sessions WHERE account = $1", account)?)
    }

    /// Deletes expired sessions, and the limits of guests who have no session any more. Returns how many sessions there were.
    pub async fn drop_expired_sessions(&self, now: i64) -> Result<u64, StoreError> {
        let gone = change!(self, "DELETE FROM sessions WHERE expires <= $1", now)?;
        // Limits of guests go with their last session. Accounts keep theirs.
        let sql = "DELETE FROM limits WHERE account LIKE 'g:%' AND account NOT IN (SELECT account FROM sessions)";
        change!(self, sql)?;
        Ok(gone)
    }

    /// Adds a token for a program.
    pub async fn add_token(&self, token: &ApiToken) -> Result<(), PeopleError> {
        let ApiToken { id, token, account, scopes, label, created, expires } = token;
        let sql = "INSERT INTO tokens (id, token, account, scopes, label, created, expires) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        change!(self, sql, id, token, account, scopes, label, *created, *expires)
            .map_err(|error| orphan(account, error))?;
        Ok(())
    }

    /// Finds a token by its hash, expired or not.
    pub async fn token(&self, token: &str) -> Result<Option<ApiToken>, StoreError> {
        let sql = "SELECT id, token, account, scopes, label, created, expires FROM tokens WHERE token = $1";
        Ok(read!(self, fetch_optional, sql, token).map(api_token))
    }

    /// Lists the tokens of an account.
    pub async fn tokens_of(&self, account: &str) -> Result<Vec<ApiToken>, StoreError> {
        let sql = "SELECT id, token, account, scopes, label, created, expires FROM tokens WHERE account = $1 ORDER BY created, id";
        let found: Vec<_> = read!(self, fetch_all, sql, account);
        Ok(found.into_iter().map(api_token).collect())
    }

    /// Revokes a token. Returns false if it doesn't exist.
    pub async fn revoke_token(&self, id: &str) -> Result<bool, StoreError> {
        Ok(change!(self, "DELETE FROM tokens WHERE id = $1", id)? > 0)
    }

    /// Sets the limits of an account.
    pub async fn set_limits(&self, limits: &Limits) -> Result<(), StoreError> {
        let Limits { account, body, changed } = limits;
        let sql = "INSERT INTO limits (account, body, changed) VALUES ($1, $2, $3) \
                   ON CONFLICT (account) DO UPDATE SET body = excluded.body, changed = excluded.changed";
        change!(self, sql, account, body, *changed)?;
        Ok(())
    }

    /// Returns the limits of an account.
    pub async fn limits(&self, account: &str) -> Result<Option<Limits>, StoreError> {
        let found: Option<(String, i64)> =
            read!(self, fetch_optional, "SELECT body, changed FROM limits WHERE account = $1", account);
        Ok(found.map(|(body, changed)| Limits { account: account.to_owned(), body, changed }))
    }
}

fn there(id: &str, done: u64) -> Result<(), PeopleError> {
    if done == 0 { Err(PeopleError::NoSuchAccount(id.to_owned())) } else { Ok(()) }
}

fn taken(name: &str, error: sqlx::Error) -> PeopleError {
    let unique = error.as_database_error().is_some_and(|error| error.is_unique_violation());
    if unique { PeopleError::NameTaken(name.to_owned()) } else { error.into() }
}

pub(crate) fn orphan(account: &str, error: sqlx::Error) -> PeopleError {
    let foreign = error.as_database_error().is_some_and(|error| error.is_foreign_key_violation());
    if foreign { PeopleError::NoSuchAccount(account.to_owned()) } else { error.into() }
}
