//! The other side of what cashiers do: the accounts of the house, which sells chips, and of promotions, which hands out coupons. Each has a log of its
//! own. Its rows are stored together with the rows of purses, and say how much is out after them.

use super::pit::NotDone;
use super::purse::Moved;
use craps_money::Money;
use craps_store::{NewRow, Store};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The log of the house, which sells chips for cash.
pub const HOUSE: &str = "@house";
/// The log of the promotions, which hand out coupons.
pub const PROMOTIONS: &str = "@promotions";

/// What is out: handed out, and not taken back.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Out {
    /// Value of the chips, in cents.
    pub chips: Money,
    /// How many coupons there are of each value.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub coupons: BTreeMap<Money, i64>,
}

/// A row of the log of the house or of the promotions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IssuerRow {
    /// Whose purse it was.
    pub to: String,
    /// Number of the row in the purse's log.
    pub row: u64,
    /// What was moved, as the row of the purse says.
    pub did: Moved,
    /// What is out after that.
    pub out: Out,
}

impl Out {
    /// Returns what is out after a movement. None if the sum would be too large, or if it is between a purse and a table, which the house has no part in.
    #[must_use]
    pub fn after(&self, moved: &Moved) -> Option<Out> {
        let mut out = self.clone();
        match moved {
            Moved::Cash { chips, .. } => out.chips = out.chips.plus(*chips)?,
            Moved::Coupon { value, back, .. } => {
                let count = out.coupons.entry(*value).or_default();
                *count = count.checked_add(if *back { -1 } else { 1 })?;
                out.coupons.retain(|_, count| *count != 0);
            }
            Moved::Table { .. } => return None,
        }
        Some(out)
    }
}

/// Returns the log that has the other side of a movement. None if a table has it.
#[must_use]
pub const fn log_of(moved: &Moved) -> Option<&'static str> {
    match moved {
        Moved::Cash { .. } => Some(HOUSE),
        Moved::Coupon { .. } => Some(PROMOTIONS),
        Moved::Table { .. } => None,
    }
}

/// The end of the log of the house or of the promotions.
pub(super) struct Last {
    /// Number and time of the last row.
    pub(super) seq: u64,
    pub(super) at: i64,
    /// What is out.
    pub(super) out: Out,
}

/// Returns the end of such a log.
///
/// # Errors
/// When the store can't be read, or the log is damaged.
pub(super) async fn last(store: &Store, log: &str) -> Result<Last, NotDone> {
    let seq = store.head(log).await?.seq;
    match store.load(log, seq.saturating_sub(1), 1).await?.into_iter().next() {
        None => Ok(Last { seq: 0, at: i64::MIN, out: Out::default() }),
        Some(row) => {
            let read: Result<IssuerRow, _> = serde_json::from_str(&row.body);
            let damaged = |_| NotDone::Stopped(format!("row {} of the log {log} can't be read", row.seq));
            Ok(Last { seq: row.seq, at: row.at, out: read.map_err(damaged)?.out })
        }
    }
}

/// Makes a row of such a log.
pub(super) fn row(by: &str, row: IssuerRow, at: i64) -> NewRow {
    // It has only numbers and short texts, so it always serializes.
    let body = serde_json::to_string(&row).unwrap_or_default();
    NewRow { at, client: by.to_owned(), key: None, body }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn money(minor: i64) -> Money {
        Money::from_minor(minor)
    }

    #[test]
    fn what_comes_back_is_not_out_any_more() {
        let cash = |chips| Moved::Cash { chips: money(chips), note: String::new() };
        let coupon = |back| Moved::Coupon { value: money(500), back, note: String::new() };
        let out = Out::default().after(&cash(700)).unwrap().after(&coupon(false)).unwrap();
        assert_eq!(out, Out { chips: money(700), coupons: BTreeMap::from([(money(500), 1)]) });
        assert_eq!(out.after(&cash(-700)).unwrap().after(&coupon(true)).unwrap(), Out::default());
        assert_eq!(out.after(&cash(i64::MAX)), None);
        let table = Moved::Table { table: "t".to_owned(), row: 1, chips: money(1), used: Vec::new(), back: Vec::new() };
        assert_eq!((out.after(&table), log_of(&table)), (None, None));
    }
}
