//! The purse of an account: its chips and coupons that are not at a table. Every movement is a row of the purse's own log, with what is left after it.
//! A movement between a purse and a table is a row in both logs, and both are stored together or not at all. So is what a cashier does, with the log of
//! the house or of the promotions.

use super::fair::hex;
use super::funds::NotFunded;
use super::issuer::{self, IssuerRow};
use super::pit::NotDone;
use super::wish::Keyed;
use crate::faults;
use craps_money::Money;
use craps_store::{AppendError, NewRow, Part, Row, Store};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// Start of the names of all purse logs. The id of the account follows, such as `a:` and 32 digits.
const PREFIX: &str = "@purse:";

/// Returns the name of the log of a purse.
#[must_use]
pub fn log_of(who: &str) -> String {
    format!("{PREFIX}{who}")
}

/// Returns whose purse a log is. None if it isn't the log of a purse.
#[must_use]
pub fn owner_of(log: &str) -> Option<&str> {
    log.strip_prefix(PREFIX)
}

/// What is in a purse.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Purse {
    /// Value of the chips, in cents.
    pub chips: Money,
    /// How many match-play coupons there are of each value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub coupons: BTreeMap<Money, u32>,
}

/// A row of a purse's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PurseRow {
    /// Who did it: an account, or empty for an operator at the database.
    pub by: String,
    /// Digest of the request, if it had a key. A request under the same key has to be the same request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// What was moved.
    pub did: Moved,
    /// What is in the purse after that.
    pub left: Purse,
}

/// A movement into a purse or out of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Moved {
    /// A cashier sold chips, or with a minus bought them back.
    Cash {
        /// Value of the chips.
        chips: Money,
        /// What the cashier wrote about it.
        note: String,
    },
    /// A cashier handed out a coupon, or took one back.
    Coupon {
        /// Value of the coupon.
        value: Money,
        /// It was taken back.
        #[serde(default, skip_serializing_if = "is_not")]
        back: bool,
        /// What the cashier wrote about it.
        note: String,
    },
    /// The account moved chips or coupons to a table, or took them away from it.
    Table {
        /// Id of the table.
        table: String,
        /// Number of the row in the table's log.
        row: u64,
        /// Value of the chips that came from the table. With a minus they went there.
        chips: Money,
        /// Coupons that went to the table.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        used: Vec<Money>,
        /// Coupons that came back from the table.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        back: Vec<Money>,
    },
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_not(said: &bool) -> bool {
    !*said
}

/// Why something can't be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotMoved {
    /// There are not enough chips.
    #[error("There is only ${has} in this account. It takes ${needs}.")]
    NotEnough {
        /// What is there.
        has: Money,
        /// What it takes.
        needs: Money,
    },
    /// There is no coupon of this value.
    #[error("There is no coupon of ${0} in this account.")]
    NoCoupon(Money),
    /// The sum would be too large.
    #[error("That is more than an account can have.")]
    TooMuch,
}

impl Moved {
    /// Returns the key of a request for this movement together with its digest.
    #[must_use]
    pub fn keyed(&self, key: String) -> Keyed {
        // It has only numbers and short texts, so it always serializes.
        let text = serde_json::to_string(self).unwrap_or_default();
        Keyed { key, asked: hex(&Sha256::digest(text)[..16]) }
    }
}

impl Purse {
    /// Returns the purse after a movement.
    ///
    /// # Errors
    /// When there aren't enough chips, or there is no such coupon.
    pub fn after(&self, moved: &Moved) -> Result<Purse, NotMoved> {
        let none: &[Money] = &[];
        let one = |value: &Money| vec![*value];
        let (chips, used, back) = match moved {
            Moved::Cash { chips, .. } => (*chips, none.to_vec(), none.to_vec()),
            Moved::Coupon { value, back: true, .. } => (Money::ZERO, one(value), none.to_vec()),
            Moved::Coupon { value, .. } => (Money::ZERO, none.to_vec(), one(value)),
            Moved::Table { chips, used, back, .. } => (*chips, used.clone(), back.clone()),
        };
        let mut left = self.clone();
        left.chips = self.chips.plus(chips).ok_or(NotMoved::TooMuch)?;
        if left.chips.minor() < 0 {
            let needs = Money::from_minor(chips.minor().saturating_neg());
            return Err(NotMoved::NotEnough { has: self.chips, needs });
        }
        for value in back {
            let count = left.coupons.entry(value).or_default();
            *count = count.checked_add(1).ok_or(NotMoved::TooMuch)?;
        }
        for value in used {
            let count = left.coupons.get_mut(&value).ok_or(NotMoved::NoCoupon(value))?;
            *count = count.checked_sub(1).ok_or(NotMoved::NoCoupon(value))?;
            if *count == 0 {
                left.coupons.remove(&value);
            }
        }
        Ok(left)
    }
}

/// Returns what is in the purse of an account, and the number of the last row of its log.
///
/// # Errors
/// When the store can't be read, or the log of the purse is damaged.
pub async fn kept(store: &Store, who: &str) -> Result<(u64, Purse), NotDone> {
    let Last { seq, purse, .. } = last(store, who).await?;
    Ok((seq, purse))
}

/// The end of the log of a purse.
pub(super) struct Last {
    /// Number and time of the last row.
    pub(super) seq: u64,
    pub(super) at: i64,
    /// What is in the purse.
    pub(super) purse: Purse,
}

/// Returns the end of the log of a purse.
///
/// # Errors
/// As [`kept`].
pub(super) async fn last(store: &Store, who: &str) -> Result<Last, NotDone> {
    let log = log_of(who);
    let seq = store.head(&log).await?.seq;
    match store.load(&log, seq.saturating_sub(1), 1).await?.into_iter().next() {
        None => Ok(Last { seq: 0, at: i64::MIN, purse: Purse::default() }),
        Some(row) => {
            let read: Result<PurseRow, _> = serde_json::from_str(&row.body);
            let damaged = |_| NotDone::Stopped(format!("row {} of the log {log} can't be read", row.seq));
            Ok(Last { seq: row.seq, at: row.at, purse: read.map_err(damaged)?.left })
        }
    }
}

/// Moves something between a purse and the house or the promotions. `by` is the account that does it. Returns the row of the purse and what was left
/// after it. A request whose key was used before for the same gets the same result.
///
/// # Errors
/// When the purse doesn't have it, the key was used for another request, or the store can't be written.
pub async fn change(
    store: &Store,
    who: &str,
    by: &str,
    moved: &Moved,
    keyed: Option<&Keyed>,
    at: i64,
) -> Result<(u64, Purse), NotDone> {
    let log = log_of(who);
    let issuer = issuer::log_of(moved).ok_or_else(|| NotDone::Invalid("this is for a table".to_owned()))?;
    loop {
        // The purse may have less now than when the request was done.
        if let Some(keyed) = keyed
            && let Some(row) = store.find(&log, by, &keyed.key).await?
        {
            return done_before(&row, keyed);
        }
        let Last { seq, at: before, purse } = last(store, who).await?;
        let left = purse.after(moved).map_err(NotFunded::Purse)?;
        let other = issuer::last(store, issuer).await?;
        let out = other.out.after(moved).ok_or(NotFunded::Purse(NotMoved::TooMuch))?;
        // A row is never older than the row before it, which another node may have written by another clock.
        let at = at.max(before).max(other.at);
        let asked = keyed.map(|keyed| keyed.asked.clone());
        let own = PurseRow { by: by.to_owned(), asked, did: moved.clone(), left: left.clone() };
        let own = row(&own, keyed.map(|keyed| keyed.key.clone()), at);
        let theirs = IssuerRow { to: who.to_owned(), row: seq + 1, did: moved.clone(), out };
        let parts = vec![
            Part { table: log.clone(), expected: seq, rows: vec![own] },
            Part { table: issuer.to_owned(), expected: other.seq, rows: vec![issuer::row(by, theirs, at)] },
        ];
        let fault = match store.append_all(parts).await {
            Ok(_) => return Ok((seq + 1, left)),
            // A duplicate is found by its key.
            Err(AppendError::Conflict { .. } | AppendError::Duplicate { .. }) => continue,
            Err(AppendError::Refused(why)) => return Err(NotDone::Unwritable(why)),
            Err(AppendError::NotStored(fault)) => NotDone::Store(fault),
            Err(AppendError::Unknown(fault)) => NotDone::Unsure(fault),
        };
        if let NotDone::Store(fault) | NotDone::Unsure(fault) = &fault {
            faults::report(fault);
        }
        return Err(fault);
    }
}

/// Returns the result of a request that was done before under a key.
fn done_before(row: &Row, keyed: &Keyed) -> Result<(u64, Purse), NotDone> {
    let damaged = |_| NotDone::Stopped(format!("row {} of the log {} can't be read", row.seq, row.table));
    let PurseRow { asked, left, .. } = serde_json::from_str(&row.body).map_err(damaged)?;
    match asked.as_ref() == Some(&keyed.asked) {
        true => Ok((row.seq, left)),
        false => Err(NotDone::OtherRequest(keyed.key.clone())),
    }
}

/// Makes a row of a purse's log.
pub(super) fn row(row: &PurseRow, key: Option<String>, at: i64) -> NewRow {
    // A purse has only numbers and short texts, so it always serializes.
    let body = serde_json::to_string(row).unwrap_or_default();
    NewRow { at, client: row.by.clone(), key, body }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    fn cash(minor: i64) -> Moved {
        Moved::Cash { chips: money(minor), note: String::new() }
    }

    fn table(chips: i64, used: &[i64], back: &[i64]) -> Moved {
        let all = |values: &[i64]| values.iter().map(|value| money(*value)).collect();
        Moved::Table { table: "t".to_owned(), row: 1, chips: money(chips), used: all(used), back: all(back) }
    }

    #[test]
    fn a_purse_never_has_less_than_nothing() {
        let purse = Purse::default().after(&cash(5_000)).unwrap();
        assert_eq!(purse.after(&table(-5_000, &[], &[])).unwrap(), Purse::default());
        let short = NotMoved::NotEnough { has: money(5_000), needs: money(5_001) };
        assert_eq!(purse.after(&table(-5_001, &[], &[])), Err(short));
        assert_eq!(purse.after(&cash(-6_000)), Err(NotMoved::NotEnough { has: money(5_000), needs: money(6_000) }));
        assert_eq!(purse.after(&cash(i64::MAX)), Err(NotMoved::TooMuch));
        assert_eq!(purse.after(&table(700, &[], &[])).unwrap().chips, money(5_700));
    }

    #[test]
    fn a_coupon_is_used_once_and_only_at_its_value() {
        let coupon = |value, back| Moved::Coupon { value: money(value), back, note: String::new() };
        let purse = Purse::default().after(&coupon(2_500, false)).unwrap().after(&coupon(1_000, false)).unwrap();
        assert_eq!(purse.after(&table(0, &[500], &[])), Err(NotMoved::NoCoupon(money(500))));
        assert_eq!(purse.after(&table(0, &[2_500, 2_500], &[])), Err(NotMoved::NoCoupon(money(2_500))));
        let used = purse.after(&table(0, &[2_500], &[])).unwrap();
        assert_eq!(used.coupons, BTreeMap::from([(money(1_000), 1)]));
        assert_eq!(used.after(&table(0, &[2_500], &[])), Err(NotMoved::NoCoupon(money(2_500))));
        assert_eq!(used.after(&table(0, &[], &[2_500])).unwrap(), purse);
        assert_eq!(used.after(&coupon(1_000, true)).unwrap(), Purse::default());
    }

    #[test]
    fn rows_are_written_and_read() {
        let row = PurseRow { by: "a:1".to_owned(), asked: None, did: table(-100, &[500], &[]), left: Purse::default() };
        let text = serde_json::to_string(&row).unwrap();
        assert_eq!(serde_json::from_str::<PurseRow>(&text).unwrap(), row);
        assert_eq!(owner_of(&log_of("a:1")), Some("a:1"));
        assert_eq!(owner_of("@people"), None);
    }
}
