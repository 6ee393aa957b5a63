//! The books of the money: both sides of every movement of chips and coupons, as the logs of tables, purses, the house and the promotions have them.

use super::{Finding, Wrong};
use crate::live::Source;
use crate::live::issuer::{self, HOUSE, IssuerRow, Out, PROMOTIONS};
use crate::live::purse::{Moved, log_of};
use crate::live::{Flow, Funds};
use craps_money::Money;
use craps_store::Row;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// What the rows moved, in cents: with a minus, it went away. In an audit of a whole store the sum of each is zero.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Chips: the house sold them.
    pub chips: Sides,
    /// Coupons, by value: the promotions handed them out.
    pub coupons: Sides,
}

/// The accounts that something was moved between.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Sides {
    /// The house or the promotions: sold or handed out by cashiers.
    pub cashiers: i64,
    /// The same by the staff of tables.
    pub staff: i64,
    /// Purses of accounts.
    pub purses: i64,
    /// Tables: rails, bets, and what the bank won there.
    pub tables: i64,
}

impl Sides {
    /// Returns the sum, which is zero if nothing came from nowhere.
    #[must_use]
    pub fn sum(&self) -> i128 {
        [self.cashiers, self.staff, self.purses, self.tables].map(i128::from).iter().sum()
    }

    const fn plus(self, other: Sides) -> Sides {
        Sides {
            cashiers: self.cashiers.saturating_add(other.cashiers),
            staff: self.staff.saturating_add(other.staff),
            purses: self.purses.saturating_add(other.purses),
            tables: self.tables.saturating_add(other.tables),
        }
    }
}

impl Totals {
    pub(super) const fn plus(self, other: Totals) -> Totals {
        Totals { chips: self.chips.plus(other.chips), coupons: self.coupons.plus(other.coupons) }
    }
}

/// Movements of purses, by the account and the row of its purse.
type Movements = BTreeMap<(String, u64), Moved>;

/// Movements of purses, as both sides have them.
#[derive(Default)]
pub(super) struct Books {
    /// As the purses have them.
    by_purses: Movements,
    /// As the tables, the house and the promotions have them.
    by_others: Movements,
    /// What is out by the logs of the house and of the promotions.
    out: BTreeMap<String, Out>,
    pub(super) totals: Totals,
    /// Rows of logs that belong to no table were seen, so these are the books of a store and not of one table.
    pub(super) is_whole: bool,
    findings: Vec<Finding>,
}

fn value(coupons: &[Money]) -> i64 {
    coupons.iter().map(|coupon| coupon.minor()).fold(0, i64::saturating_add)
}

fn no_source(place: &(String, u64), why: String) -> Finding {
    Finding { table: log_of(&place.0), row: place.1, what: Wrong::NoSource { why } }
}

impl Books {
    /// Adds a movement that a purse has.
    pub(super) fn of_purse(&mut self, who: &str, row: u64, moved: Moved) {
        let Totals { chips, coupons } = &mut self.totals;
        let (came, used, back) = match &moved {
            Moved::Cash { chips, .. } => (chips.minor(), 0, 0),
            Moved::Coupon { value, back: true, .. } => (0, value.minor(), 0),
            Moved::Coupon { value, .. } => (0, 0, value.minor()),
            Moved::Table { chips, used, back, .. } => (chips.minor(), value(used), value(back)),
        };
        chips.purses = chips.purses.saturating_add(came);
        coupons.purses = coupons.purses.saturating_add(back).saturating_sub(used);
        self.by_purses.insert((who.to_owned(), row), moved);
    }

    /// Adds what a row of a table says about where its chips and coupons come from.
    pub(super) fn of_table(&mut self, row: &Row, funds: &Funds) {
        let Funds { seat, from, chips, coupons, back } = funds;
        let (given, taken) = (value(coupons), value(back));
        self.totals.coupons.tables = self.totals.coupons.tables.saturating_add(given).saturating_sub(taken);
        match from {
            Source::Practice => {}
            Source::Staff => {
                let Totals { chips: of_chips, coupons: of_coupons } = &mut self.totals;
                of_chips.staff = of_chips.staff.saturating_sub(chips.minor());
                of_coupons.staff = of_coupons.staff.saturating_sub(given).saturating_add(taken);
            }
            Source::Purse { who, row: at } => {
                let flow = Flow { seat: *seat, chips: *chips, coupons: coupons.clone(), back: back.clone() };
                self.claim((who.clone(), *at), flow.of_purse(&row.table, row.seq));
            }
        }
    }

    /// Notes that chips came to a table, or with a minus that they went.
    pub(super) fn came_to_table(&mut self, chips: i64) {
        self.totals.chips.tables = self.totals.chips.tables.saturating_add(chips);
    }

    /// Notes that somebody besides the purse names a row of it. Only one can.
    fn claim(&mut self, place: (String, u64), moved: Moved) {
        match self.by_others.get(&place) {
            Some(before) => {
                let why = format!("used twice: by {before:?} and by {moved:?}");
                self.findings.push(no_source(&place, why));
            }
            None => {
                self.by_others.insert(place, moved);
            }
        }
    }

    /// Judges a row of the house or of the promotions: what is out must follow from what was out.
    pub(super) fn issuer(&mut self, row: &Row) -> Option<Wrong> {
        let IssuerRow { to, row: at, did, out } = match serde_json::from_str(&row.body) {
            Ok(read) => read,
            Err(error) => return Some(Wrong::Unreadable { why: error.to_string() }),
        };
        if issuer::log_of(&did) != Some(row.table.as_str()) {
            return Some(Wrong::NoSource { why: format!("{did:?} is in the wrong log") });
        }
        match &did {
            Moved::Cash { chips, .. } => {
                let total = &mut self.totals.chips.cashiers;
                *total = total.saturating_sub(chips.minor());
            }
            Moved::Coupon { value, back, .. } => {
                let total = &mut self.totals.coupons.cashiers;
                let change = if *back { value.minor() } else { value.minor().saturating_neg() };
                *total = total.saturating_add(change);
            }
            Moved::Table { .. } => {}
        }
        // An audit that begins in the middle of the log takes the first row as it is.
        let known = if row.seq == 1 { Some(Out::default()) } else { self.out.get(&row.table).cloned() };
        let expected = known.map(|known| known.after(&did));
        let wrong = match expected {
            Some(expected) if expected.as_ref() != Some(&out) => {
                let expected = expected.map(|expected| expected.chips).unwrap_or_default();
                Some(Wrong::NotTheSum { expected, found: out.chips })
            }
            _ => None,
        };
        self.out.insert(row.table.clone(), out);
        self.claim((to, at), did);
        wrong
    }

    /// Adds the books of other rows.
    pub(super) fn absorb(&mut self, mut other: Books) {
        for (place, moved) in std::mem::take(&mut other.by_others) {
            self.claim(place, moved);
        }
        self.by_purses.append(&mut other.by_purses);
        self.out.append(&mut other.out);
        self.totals = self.totals.plus(other.totals);
        self.is_whole |= other.is_whole;
        self.findings.append(&mut other.findings);
    }

    /// Returns the rows of purses that rows of tables name up to this row, and forgets what later rows name.
    pub(super) fn claims_until(&mut self, last: u64) -> Vec<(String, u64)> {
        self.by_others.retain(|_, moved| matches!(moved, Moved::Table { row, .. } if *row <= last));
        self.by_others.keys().cloned().collect()
    }

    /// Compares both sides of all movements of purses, besides those in rows that an earlier audit looked at, and those with rows of tables that were
    /// moved to archives: `moved` says which is the last of them. The log of one table alone says nothing about purses.
    pub(super) fn compare(&mut self, known: &BTreeMap<String, u64>, moved: impl Fn(&str) -> u64) -> Vec<Finding> {
        let mut findings = std::mem::take(&mut self.findings);
        if !self.is_whole {
            return findings;
        }
        let all: BTreeSet<&(String, u64)> = self.by_purses.keys().chain(self.by_others.keys()).collect();
        let is_new = |(who, row): &&(String, u64)| known.get(who).is_none_or(|known| row > known);
        for place in all.into_iter().filter(is_new) {
            let (purse, other) = (self.by_purses.get(place), self.by_others.get(place));
            let is_moved = matches!(purse, Some(Moved::Table { table, row, .. }) if *row <= moved(table));
            if purse != other && !(is_moved && other.is_none()) {
                let show = |moved: Option<&Moved>| moved.map_or("nothing".to_owned(), |moved| format!("{moved:?}"));
                let why = format!("the purse has {}, the other side {}", show(purse), show(other));
                findings.push(no_source(place, why));
            }
        }
        findings
    }

    /// Checks that nothing came from nowhere, over all accounts. Only for the books of a store from its beginning.
    pub(super) fn balance(&self) -> Vec<Finding> {
        let of = |log: &str, what: &str, sides: &Sides| {
            let why = format!("all {what} together are {}, and should be 0: {sides:?}", sides.sum());
            let finding = Finding { table: log.to_owned(), row: 0, what: Wrong::NoSource { why } };
            (sides.sum() != 0).then_some(finding)
        };
        let Totals { chips, coupons } = &self.totals;
        of(HOUSE, "chips", chips).into_iter().chain(of(PROMOTIONS, "coupons", coupons)).collect()
    }
}
