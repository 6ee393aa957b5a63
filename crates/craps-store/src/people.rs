//! The records of people: accounts, what they may do and when, sessions, tokens, limits. Passwords come hashed, tokens
//! are kept as hashes only; what a role or a scope means is for others to say.

use crate::append::padded;
use crate::base::{Base, on, placeholders};
use crate::error::{PeopleError, StoreError};
use crate::row::hex;
use sha2::{Digest, Sha256};
use sqlx::AssertSqlSafe;

/// Somebody who can sign in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// Given at random.
    pub id: String,
    /// As they write it.
    pub name: String,
    /// The hash of their password, with how it was made.
    pub password: String,
    /// May they not sign in?
    pub disabled: bool,
    /// Since when there is the account.
    pub created: i64,
}

/// A role to be given to an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewGrant {
    /// Who.
    pub account: String,
    /// As what.
    pub role: String,
    /// At which table; none: at all of them.
    pub table: Option<String>,
    /// From when on; none: always was.
    pub from: Option<i64>,
    /// Until when, the first moment it no longer holds; none: no end.
    pub until: Option<i64>,
}

/// A role that an account has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Given at random.
    pub id: String,
    /// Who.
    pub account: String,
    /// As what.
    pub role: String,
    /// At which table; none: at all of them.
    pub table: Option<String>,
    /// From when on; none: always was.
    pub from: Option<i64>,
    /// Until when, the first moment it no longer holds; none: no end.
    pub until: Option<i64>,
}

/// Somebody who is signed in, or a guest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The hash of its token ([`token_hash`]).
    pub token: String,
    /// Whose: an account, or whatever a guest is called.
    pub account: String,
    /// Since when.
    pub created: i64,
    /// Last seen.
    pub seen: i64,
    /// The first moment it no longer holds.
    pub expires: i64,
}

/// What a program signs in with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ApiToken {
    /// What it is called when it is taken back ([`new_id`]).
    pub id: String,
    /// Its hash ([`token_hash`]).
    pub token: String,
    /// For whom it acts.
    pub account: String,
    /// What it may do.
    pub scopes: String,
    /// What its owner calls it.
    pub label: String,
    /// Since when.
    pub created: i64,
    /// The first moment it no longer holds; none: no end.
    pub expires: Option<i64>,
}

/// The limits that somebody set themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Whose.
    pub account: String,
    /// What they are, as text.
    pub body: String,
    /// Since when.
    pub changed: i64,
}

/// A name nobody has yet: 128 random bits in hex.
pub fn new_id() -> Result<String, StoreError> {
    random::<16>()
}

/// A token nobody can guess: 256 random bits in hex.
pub fn new_token() -> Result<String, StoreError> {
    random::<32>()
}

fn random<const BYTES: usize>() -> Result<String, StoreError> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(hex(&bytes))
}

/// What is kept of a token. Tokens are random, so a plain hash hides them.
pub fn token_hash(token: &str) -> String {
    hex(&Sha256::digest(token))
}

/// Names that differ in capitals only are one name.
fn folded(name: &str) -> String {
    name.to_lowercase()
}

type AccountColumns = (String, String, String, i64, i64);
type GrantColumns = (String, String, String, Option<String>, Option<i64>, Option<i64>);
type SessionColumns = (String, String, i64, i64, i64);
type TokenColumns = (String, String, String, String, String, i64, Option<i64>);

fn account((id, name, password, disabled, created): AccountColumns) -> Account {
    Account { id, name, password, disabled: disabled != 0, created }
}

fn grant((id, account, role, table, from, until): GrantColumns) -> Grant {
    Grant { id, account, role, table, from, until }
}

fn session((token, account, created, seen, expires): SessionColumns) -> Session {
    Session { token, account, created, seen, expires }
}

fn api_token((id, token, account, scopes, label, created, expires): TokenColumns) -> ApiToken {
    ApiToken { id, token, account, scopes, label, created, expires }
}

/// The way to people's records.
#[derive(Debug, Clone, Copy)]
pub struct People<'a>(pub(crate) &'a Base);

/// A query with its values, run on the readers.
macro_rules! read {
    ($people:expr, $fetch:ident, $sql:expr $(, $value:expr)*) => {
        on!(Pool, &$people.0.read, pool => sqlx::query_as($sql)$(.bind($value))*.$fetch(pool).await?)
    };
}

/// A change with its values; how many records it touched.
macro_rules! change {
    ($people:expr, $sql:expr $(, $value:expr)*) => {
        on!(Pool, &$people.0.write, pool => {
            sqlx::query($sql)$(.bind($value))*.execute(pool).await.map(|done| done.rows_affected())
        })
    };
}

impl People<'_> {
    /// Opens an account.
    pub async fn add_account(&self, name: &str, password: &str, at: i64) -> Result<Account, PeopleError> {
        let (id, name) = (new_id()?, name.to_owned());
        let sql =
            "INSERT INTO accounts (id, name, name_folded, password, disabled, created) VALUES ($1, $2, $3, $4, $5, $6)";
        change!(self, sql, &id, &name, folded(&name), password, 0_i64, at).map_err(|error| taken(&name, error))?;
        Ok(Account { id, name, password: password.to_owned(), disabled: false, created: at })
    }

    /// An account by its id.
    pub async fn account(&self, id: &str) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT id, name, password, disabled, created FROM accounts WHERE id = $1";
        Ok(read!(self, fetch_optional, sql, id).map(account))
    }

    /// An account by its name, capital letters or small.
    pub async fn account_named(&self, name: &str) -> Result<Option<Account>, StoreError> {
        let sql = "SELECT id, name, password, disabled, created FROM accounts WHERE name_folded = $1";
        Ok(read!(self, fetch_optional, sql, folded(name)).map(account))
    }

    /// Every account, the oldest first.
    pub async fn accounts(&self) -> Result<Vec<Account>, StoreError> {
        let sql = "SELECT id, name, password, disabled, created FROM accounts ORDER BY created, id";
        let found: Vec<_> = read!(self, fetch_all, sql);
        Ok(found.into_iter().map(account).collect())
    }

    /// Gives an account another name.
    pub async fn rename(&self, id: &str, name: &str) -> Result<(), PeopleError> {
        let sql = "UPDATE accounts SET name = $2, name_folded = $3 WHERE id = $1";
        let done = change!(self, sql, id, name, folded(name)).map_err(|error| taken(name, error))?;
        there(id, done)
    }

    /// Gives an account another password, hashed.
    pub async fn set_password(&self, id: &str, password: &str) -> Result<(), PeopleError> {
        there(id, change!(self, "UPDATE accounts SET password = $2 WHERE id = $1", id, password)?)
    }

    /// Shuts an account, or opens it again.
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

    /// Takes a role back. False: there is no such grant.
    pub async fn revoke_grant(&self, id: &str) -> Result<bool, StoreError> {
        Ok(change!(self, "DELETE FROM grants WHERE id = $1", id)? > 0)
    }

    /// The roles of an account, at all times.
    pub async fn grants(&self, account: &str) -> Result<Vec<Grant>, StoreError> {
        let sql = "SELECT id, account, role, table_id, starts, ends FROM grants WHERE account = $1 ORDER BY id";
        let found: Vec<_> = read!(self, fetch_all, sql, account);
        Ok(found.into_iter().map(grant).collect())
    }

    /// Somebody signed in.
    pub async fn add_session(&self, session: &Session) -> Result<(), StoreError> {
        let Session { token, account, created, seen, expires } = session;
        let sql = "INSERT INTO sessions (token, account, created, seen, expires) VALUES ($1, $2, $3, $4, $5)";
        change!(self, sql, token, account, *created, *seen, *expires)?;
        Ok(())
    }

    /// A session by the hash of its token, expired or not.
    pub async fn session(&self, token: &str) -> Result<Option<Session>, StoreError> {
        let sql = "SELECT token, account, created, seen, expires FROM sessions WHERE token = $1";
        Ok(read!(self, fetch_optional, sql, token).map(session))
    }

    /// The sessions that there are of these tokens, in any order.
    pub async fn sessions(&self, tokens: &[String]) -> Result<Vec<Session>, StoreError> {
        let tokens = padded(tokens.to_vec());
        let sql = format!(
            "SELECT token, account, created, seen, expires FROM sessions WHERE token IN {}",
            placeholders(1, tokens.len())
        );
        let found: Vec<_> = on!(Pool, &self.0.read, pool => {
            let query = sqlx::query_as(AssertSqlSafe(sql));
            tokens.iter().fold(query, |query, token| query.bind(token)).fetch_all(pool).await?
        });
        Ok(found.into_iter().map(session).collect())
    }

    /// Everybody who is signed in to an account.
    pub async fn sessions_of(&self, account: &str) -> Result<Vec<Session>, StoreError> {
        let sql =
            "SELECT token, account, created, seen, expires FROM sessions WHERE account = $1 ORDER BY created, token";
        let found: Vec<_> = read!(self, fetch_all, sql, account);
        Ok(found.into_iter().map(session).collect())
    }

    /// Somebody was seen. False: the session is gone.
    pub async fn touch_session(&self, token: &str, seen: i64, expires: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE sessions SET seen = $2, expires = $3 WHERE token = $1";
        Ok(change!(self, sql, token, seen, expires)? > 0)
    }

    /// Somebody signed out. False: the session was gone.
    pub async fn end_session(&self, token: &str) -> Result<bool, StoreError> {
        Ok(change!(self, "DELETE FROM sessions WHERE token = $1", token)? > 0)
    }

    /// Signs an account out everywhere; how often it was signed in.
    pub async fn end_sessions_of(&self, account: &str) -> Result<u64, StoreError> {
        Ok(change!(self, "DELETE FROM sessions WHERE account = $1", account)?)
    }

    /// Forgets sessions that no longer hold; how many.
    pub async fn drop_expired_sessions(&self, now: i64) -> Result<u64, StoreError> {
        Ok(change!(self, "DELETE FROM sessions WHERE expires <= $1", now)?)
    }

    /// Gives a program a token.
    pub async fn add_token(&self, token: &ApiToken) -> Result<(), PeopleError> {
        let ApiToken { id, token, account, scopes, label, created, expires } = token;
        let sql = "INSERT INTO tokens (id, token, account, scopes, label, created, expires) VALUES ($1, $2, $3, $4, $5, $6, $7)";
        change!(self, sql, id, token, account, scopes, label, *created, *expires)
            .map_err(|error| orphan(account, error))?;
        Ok(())
    }

    /// A token by its hash, expired or not.
    pub async fn token(&self, token: &str) -> Result<Option<ApiToken>, StoreError> {
        let sql = "SELECT id, token, account, scopes, label, created, expires FROM tokens WHERE token = $1";
        Ok(read!(self, fetch_optional, sql, token).map(api_token))
    }

    /// The tokens that act for an account.
    pub async fn tokens_of(&self, account: &str) -> Result<Vec<ApiToken>, StoreError> {
        let sql = "SELECT id, token, account, scopes, label, created, expires FROM tokens WHERE account = $1 ORDER BY created, id";
        let found: Vec<_> = read!(self, fetch_all, sql, account);
        Ok(found.into_iter().map(api_token).collect())
    }

    /// Takes a token back. False: there is no such token.
    pub async fn revoke_token(&self, id: &str) -> Result<bool, StoreError> {
        Ok(change!(self, "DELETE FROM tokens WHERE id = $1", id)? > 0)
    }

    /// Sets somebody's limits.
    pub async fn set_limits(&self, limits: &Limits) -> Result<(), StoreError> {
        let Limits { account, body, changed } = limits;
        let sql = "INSERT INTO limits (account, body, changed) VALUES ($1, $2, $3) \
                   ON CONFLICT (account) DO UPDATE SET body = excluded.body, changed = excluded.changed";
        change!(self, sql, account, body, *changed)?;
        Ok(())
    }

    /// Somebody's limits.
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

fn orphan(account: &str, error: sqlx::Error) -> PeopleError {
    let foreign = error.as_database_error().is_some_and(|error| error.is_foreign_key_violation());
    if foreign { PeopleError::NoSuchAccount(account.to_owned()) } else { error.into() }
}
