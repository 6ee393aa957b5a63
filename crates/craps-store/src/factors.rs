//! The second factors of accounts. The store has a nonce and the hashes of recovery codes; the secret itself follows from the nonce and a key that is
//! not in the database.

use crate::base::on;
use crate::error::{PeopleError, StoreError};
use crate::people::{People, change, orphan, read};

/// The second factor of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Factor {
    /// Id of the account.
    pub account: String,
    /// Random text from which the secret is made, with the key.
    pub nonce: String,
    /// Fingerprint of the key.
    pub seal: String,
    /// Time when the secret was issued.
    pub created: i64,
    /// Time when a code confirmed that the person has the secret. `None`: the factor doesn't count yet.
    pub confirmed: Option<i64>,
    /// Time step of the last code that was used. Codes of this step and of earlier ones don't count any more.
    pub step: i64,
    /// Hashes of the recovery codes that are left ([`token_hash`](crate::token_hash)).
    pub recovery: Vec<String>,
}

type FactorColumns = (String, String, String, i64, Option<i64>, i64, String);

fn factor((account, nonce, seal, created, confirmed, step, recovery): FactorColumns) -> Factor {
    let recovery = recovery.split_whitespace().map(str::to_owned).collect();
    Factor { account, nonce, seal, created, confirmed, step, recovery }
}

impl People<'_> {
    /// Keeps a new second factor, which is not confirmed yet. It replaces one that was not confirmed. Returns false if the account has one that was.
    pub async fn issue_factor(&self, factor: &Factor) -> Result<bool, PeopleError> {
        let Factor { account, nonce, seal, created, .. } = factor;
        let sql = "INSERT INTO factors (account, nonce, seal, created, confirmed, step, recovery) \
                   VALUES ($1, $2, $3, $4, NULL, 0, '') ON CONFLICT (account) DO UPDATE \
                   SET nonce = excluded.nonce, seal = excluded.seal, created = excluded.created \
                   WHERE factors.confirmed IS NULL";
        let done = change!(self, sql, account, nonce, seal, *created).map_err(|error| orphan(account, error))?;
        Ok(done > 0)
    }

    /// Confirms a second factor with the time step of the code and the hashes of its recovery codes. Returns false if it was replaced, removed or
    /// confirmed in the meantime.
    pub async fn confirm_factor(
        &self,
        factor: &Factor,
        at: i64,
        step: i64,
        recovery: &[String],
    ) -> Result<bool, StoreError> {
        let sql = "UPDATE factors SET confirmed = $3, step = $4, recovery = $5 \
                   WHERE account = $1 AND nonce = $2 AND confirmed IS NULL";
        Ok(change!(self, sql, &factor.account, &factor.nonce, at, step, recovery.join(" "))? > 0)
    }

    /// Returns the second factor of an account, confirmed or not.
    pub async fn factor(&self, account: &str) -> Result<Option<Factor>, StoreError> {
        let sql = "SELECT account, nonce, seal, created, confirmed, step, recovery FROM factors WHERE account = $1";
        Ok(read!(self, fetch_optional, sql, account).map(factor))
    }

    /// Lists the confirmed second factors of all accounts.
    pub async fn factors(&self) -> Result<Vec<Factor>, StoreError> {
        let sql = "SELECT account, nonce, seal, created, confirmed, step, recovery FROM factors \
                   WHERE confirmed IS NOT NULL ORDER BY account";
        let found: Vec<_> = read!(self, fetch_all, sql);
        Ok(found.into_iter().map(factor).collect())
    }

    /// Uses the code of a time step. Returns false if a code of this or of a later step was used before, so that each code works once.
    pub async fn use_factor_step(&self, factor: &Factor, step: i64) -> Result<bool, StoreError> {
        let sql = "UPDATE factors SET step = $3 \
                   WHERE account = $1 AND nonce = $2 AND step < $3 AND confirmed IS NOT NULL";
        Ok(change!(self, sql, &factor.account, &factor.nonce, step)? > 0)
    }

    /// Replaces the recovery codes of a second factor. Returns false if they are not the ones in `factor` any more, so that each code works once.
    pub async fn set_recovery(&self, factor: &Factor, recovery: &[String]) -> Result<bool, StoreError> {
        let sql = "UPDATE factors SET recovery = $4 \
                   WHERE account = $1 AND nonce = $2 AND recovery = $3 AND confirmed IS NOT NULL";
        let (before, after) = (factor.recovery.join(" "), recovery.join(" "));
        Ok(change!(self, sql, &factor.account, &factor.nonce, before, after)? > 0)
    }

    /// Removes the second factor of an account. Its sessions no longer count as opened with one. Returns false if it had none.
    pub async fn remove_factor(&self, account: &str) -> Result<bool, StoreError> {
        let done = change!(self, "DELETE FROM factors WHERE account = $1", account)?;
        change!(self, "UPDATE sessions SET factor = NULL WHERE account = $1", account)?;
        Ok(done > 0)
    }
}
