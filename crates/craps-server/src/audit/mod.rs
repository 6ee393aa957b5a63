//! Audits what tables' logs say, after the store has checked the rows themselves: decides every row again from the rows before it, counts every
//! cent, derives every roll again from its secret, and writes out the game and compares.

pub mod archive;
mod books;
mod docket;
mod kept;
mod parts;

use crate::live::issuer::{HOUSE, PROMOTIONS};
use crate::live::purse::{Purse, PurseRow, owner_of};
use crate::live::{BetName, Entry};
use books::Books;
use craps_law::Library;
use craps_money::Money;
use craps_store::{ARCHIVE, Archives, Row, Seal, is_table};
pub use docket::PART;
use docket::{Docket, Place};
use kept::Known;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

pub use books::{Sides, Totals};
pub use kept::{NotKept, Trusted};
pub use parts::{Audit, NotAudited, Report};

/// A mistake that the audit found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Id of the table.
    pub table: String,
    /// Number of the row.
    pub row: u64,
    /// What is wrong with the row.
    #[serde(flatten)]
    pub what: Wrong,
}

/// What can be wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the field names say it")]
pub enum Wrong {
    /// It isn't an entry of a table's log.
    Unreadable { why: String },
    /// The table can't be opened as its first row says.
    NotOpened { why: String },
    /// The law doesn't allow it.
    Unlawful { why: String, cite: String },
    /// By the law, something else follows from it.
    Differs { expected: String, found: String },
    /// A player acted for someone else's seat.
    NotTheirs { seat: u8 },
    /// Money appeared or disappeared.
    NotConserved,
    /// A secret isn't the one that was committed to, or it is for another hand.
    NotTheSecret { hand: u32, why: String },
    /// The dice don't follow from the secret and the log.
    NotTheDice { hand: u32, expected: String, found: String },
    /// Chips or coupons come from nowhere, or not from where the row says.
    NoSource {
        /// What is wrong.
        why: String,
    },
    /// What is left in a purse, or out by the house, isn't what was there with what was moved.
    NotTheSum {
        /// What there should be.
        expected: Money,
        /// What the row says.
        found: Money,
    },
    /// The row has a digest of a state that the table didn't have.
    NotTheState {
        /// The row after which the table should have had the state.
        after: u64,
    },
    /// The row is earlier than the row before it. Time never goes back in a log.
    Earlier {
        /// By how many milliseconds.
        by: i64,
    },
    /// The game as written has a different amount in a rail, or other bets.
    GameDiffers { seat: u8, expected: String, found: String },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}, row {}: ", self.table, self.row)?;
        match &self.what {
            Wrong::Unreadable { why } => write!(f, "unreadable: {why}"),
            Wrong::NotOpened { why } => write!(f, "the table can't be opened this way: {why}"),
            Wrong::Unlawful { why, cite } => write!(f, "not lawful: {why} [{cite}]"),
            Wrong::Differs { expected, found } => write!(f, "expected {expected}, found {found}"),
            Wrong::NotTheirs { seat } => write!(f, "a player acted for seat {seat}, which is not theirs"),
            Wrong::NotConserved => f.write_str("the money doesn't add up"),
            Wrong::NotTheSecret { hand, why } => write!(f, "hand {hand}: {why}"),
            Wrong::NotTheDice { hand, expected, found } => {
                write!(f, "hand {hand}: the secret and the log give {expected}, found {found}")
            }
            Wrong::NoSource { why } => write!(f, "money without a source: {why}"),
            Wrong::NotTheSum { expected, found } => {
                write!(f, "there should be {expected} after it, but the row says {found}")
            }
            Wrong::NotTheState { after } => write!(f, "the table wasn't in this state after row {after}"),
            Wrong::Earlier { by } => write!(f, "is {by} ms earlier than the row before it"),
            Wrong::GameDiffers { seat, expected, found } => {
                write!(f, "seat {seat} has {found} in the log, but {expected} in the written game")
            }
        }
    }
}

/// What was audited, and what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Audited {
    /// How many tables were audited.
    pub tables: u64,
    /// How many rows were audited.
    pub rows: u64,
    /// How many rolls were settled again.
    pub throws: u64,
    /// How many of those rolls were derived again from a revealed secret.
    pub derived: u64,
    /// How many digests of states were computed again.
    #[serde(skip_serializing_if = "is_none")]
    pub states: u64,
    /// How many rolls can't be derived again, because the secret of their hand was retired and is lost.
    #[serde(skip_serializing_if = "is_none")]
    pub unproven: u64,
    /// How many rows were not looked at, because an earlier audit did.
    #[serde(skip_serializing_if = "is_none")]
    pub trusted: u64,
    /// How many rows were not looked at, because they are in archives.
    #[serde(skip_serializing_if = "is_none")]
    pub archived: u64,
    /// What was moved between the house, the promotions, purses and tables.
    pub totals: Totals,
    /// The mistakes that were found.
    pub findings: Vec<Finding>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Audits rows one by one. The rows of each table must come in order.
pub struct Auditor<'l> {
    library: &'l Library,
    /// Number of rows after which the text of a game is begun anew.
    part: u64,
    tables: BTreeMap<String, Docket>,
    /// Hashes of the first rows of tables.
    opened: BTreeMap<String, String>,
    /// Which rows are in archives. The rows that say so come before those of the tables.
    archives: Archives,
    /// The purses, each with its last row and what is in it.
    purses: BTreeMap<String, (u64, Purse)>,
    /// Both sides of all movements of chips and coupons.
    books: Books,
    /// The rows of purses that an earlier audit looked at, by account.
    known: BTreeMap<String, u64>,
    audited: Audited,
}

impl<'l> Auditor<'l> {
    /// Starts an audit with these books.
    #[must_use]
    pub fn new(library: &'l Library) -> Auditor<'l> {
        Auditor::in_parts(library, PART)
    }

    fn in_parts(library: &'l Library, part: u64) -> Auditor<'l> {
        Auditor {
            library,
            part,
            tables: BTreeMap::new(),
            opened: BTreeMap::new(),
            archives: Archives::default(),
            purses: BTreeMap::new(),
            books: Books::default(),
            known: BTreeMap::new(),
            audited: Audited::default(),
        }
    }

    /// Judges the next row.
    pub fn row(&mut self, row: &Row) {
        self.books.is_whole |= !is_table(&row.table) && row.table != ARCHIVE;
        if let Some(who) = owner_of(&row.table) {
            return self.purse(who, row);
        }
        if row.table == ARCHIVE {
            // A row that can't be read is a finding of the check of the rows.
            let _ = self.archives.take(row);
        }
        if [HOUSE, PROMOTIONS].contains(&row.table.as_str()) {
            self.audited.rows += 1;
            let finding = |what: Wrong| Finding { table: row.table.clone(), row: row.seq, what };
            self.audited.findings.extend(self.books.issuer(row).map(finding));
            return;
        }
        if !is_table(&row.table) || self.is_in_archive(&row.table, row.seq) && row.seq > 1 {
            return;
        }
        self.audited.rows += 1;
        let mut wrong = Vec::new();
        match (serde_json::from_str::<Entry<BetName>>(&row.body), self.tables.get_mut(&row.table)) {
            (Err(_), docket) => {
                wrong.push(Wrong::Unreadable { why: "this isn't an entry of a table's log".to_owned() });
                docket.into_iter().for_each(Docket::lose);
            }
            (Ok(_), Some(docket)) if docket.is_lost() => {}
            (Ok(entry), Some(docket)) => match docket.names().take(entry) {
                Ok(read) => {
                    docket.judge_funds(row, &read, &mut self.books, &mut wrong);
                    let came = docket.judge(row, read, &mut self.audited, &mut wrong);
                    self.books.came_to_table(came);
                }
                Err(error) => {
                    wrong.push(Wrong::Unreadable { why: error.to_string() });
                    docket.lose();
                }
            },
            (Ok(entry), None) => match Docket::open(self.library, &entry, row) {
                Ok(docket) => {
                    let docket = self.based(docket, row, &mut wrong);
                    self.tables.insert(row.table.clone(), docket.in_parts(self.part));
                    self.opened.insert(row.table.clone(), row.hash.clone());
                }
                Err(why) => wrong.push(Wrong::NotOpened { why }),
            },
        }
        let finding = |what: Wrong| Finding { table: row.table.clone(), row: row.seq, what };
        self.audited.findings.extend(wrong.into_iter().map(finding));
    }

    /// Is this row of a table in an archive?
    fn is_in_archive(&self, table: &str, row: u64) -> bool {
        self.archives.of(table).is_some_and(|basis| row <= basis.seal.end.seq)
    }

    /// Goes on at the end of the archive, if the rows after the first one are in one.
    fn based(&mut self, mut docket: Docket, first: &Row, wrong: &mut Vec<Wrong>) -> Docket {
        let Some(basis) = self.archives.of(&first.table) else { return docket };
        match Known::read(&basis.state).and_then(|known| known.docket(self.library, first)) {
            Some(docket) => {
                self.audited.archived += basis.seal.end.seq - 1;
                docket
            }
            None => {
                let why = format!(
                    "rows 2 to {} are in an archive, and this program can't read the state after them",
                    basis.seal.end.seq
                );
                wrong.push(Wrong::NotOpened { why });
                docket.lose();
                docket
            }
        }
    }

    /// Compares the state of a table at the end of an archive with the one that was sealed.
    pub fn sealed(&mut self, seal: &Seal) {
        let known = self.opened.get(&seal.table).zip(self.tables.get(&seal.table));
        let known = known.and_then(|(opened, docket)| Known::of_table(seal.end.clone(), opened, docket));
        if !known.and_then(|known| known.text()).is_some_and(|state| seal.has_state(&state)) {
            let what = Wrong::NotTheState { after: seal.end.seq };
            self.audited.findings.push(Finding { table: seal.table.clone(), row: seal.end.seq, what });
        }
    }

    /// Judges a row of a purse: what is left must follow from what was there.
    fn purse(&mut self, who: &str, row: &Row) {
        self.audited.rows += 1;
        let (seq, purse) = self.purses.entry(who.to_owned()).or_default();
        *seq = row.seq;
        let wrong = match serde_json::from_str::<PurseRow>(&row.body) {
            Err(error) => Some(Wrong::Unreadable { why: error.to_string() }),
            Ok(PurseRow { did, left, .. }) => {
                let expected = purse.after(&did);
                self.books.of_purse(who, row.seq, did);
                let wrong = match expected {
                    Ok(expected) if expected == left => None,
                    Ok(expected) => Some(Wrong::NotTheSum { expected: expected.chips, found: left.chips }),
                    Err(why) => Some(Wrong::Unlawful { why: why.to_string(), cite: String::new() }),
                };
                *purse = left;
                wrong
            }
        };
        let finding = |what: Wrong| Finding { table: row.table.clone(), row: row.seq, what };
        self.audited.findings.extend(wrong.map(finding));
    }

    /// Takes over the audit of the next part of a table's log, which began at this place. False if the part has to be audited again, because the audit
    /// of the part before arrived elsewhere.
    fn goes_on(&mut self, table: &str, mut next: Auditor<'l>, began: &Place) -> bool {
        let Some((docket, part)) = self.tables.get_mut(table).zip(next.tables.remove(table)) else { return false };
        let goes_on = docket.goes_on(part, began);
        if goes_on {
            self.absorb(next);
        }
        goes_on
    }

    /// Adds what another auditor found in other rows.
    fn absorb(&mut self, mut other: Auditor<'l>) {
        let Audited { tables: _, rows, throws, derived, states, unproven, trusted, archived, totals: _, findings } =
            &mut other.audited;
        self.audited.rows += *rows;
        self.audited.throws += *throws;
        self.audited.derived += *derived;
        self.audited.states += *states;
        self.audited.unproven += *unproven;
        self.audited.trusted += *trusted;
        self.audited.archived += *archived;
        self.audited.findings.append(findings);
        self.tables.append(&mut other.tables);
        self.opened.append(&mut other.opened);
        self.purses.append(&mut other.purses);
        self.books.absorb(other.books);
    }

    /// Ends the audit and returns its result.
    #[must_use]
    pub fn finish(mut self) -> Audited {
        let goes_on = self.audited.trusted > 0;
        // Only a store has an earlier audit.
        self.books.is_whole |= goes_on;
        // The audit before the move compared rows that are in an archive.
        let archives = std::mem::take(&mut self.archives);
        let moved = |table: &str| archives.of(table).map_or(0, |basis| basis.seal.end.seq);
        self.audited.findings.extend(self.books.compare(&self.known, moved));
        if self.books.is_whole && !goes_on && self.audited.archived == 0 {
            self.audited.findings.extend(self.books.balance());
        }
        self.audited.totals = self.books.totals;
        self.audited.tables = self.tables.len() as u64;
        self.audited
    }
}
