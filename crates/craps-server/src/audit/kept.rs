//! What an auditor keeps, so that the next audit can begin where this one ended: the end of every log, and the state of every table and purse there.
//!
//! The file is trusted as it is. So it belongs to the auditor, and not to a place where somebody who can change the database can change it.

use super::docket::{Docket, Place};
use crate::live::purse::Purse;
use crate::live::{Chain, Entry, Live};
use craps_law::Library;
use craps_store::{Head, Row};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Write};

const FORMAT: u32 = 1;

/// What an earlier audit found to be right.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trusted {
    /// Id of the store.
    pub store: String,
    pub(super) logs: BTreeMap<String, Known>,
}

/// A log that was audited.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Known {
    /// The last row that was audited.
    pub(super) end: Head,
    /// The next audit begins after this row.
    pub(super) from: Head,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    table: Option<KnownTable>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) purse: Option<Purse>,
}

/// The state of a table between two hands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KnownTable {
    /// Hash of the first row, which opens the table.
    opened: String,
    /// How the state is written.
    form: String,
    state: String,
    hands: u32,
    chain: Option<Chain>,
    revealed: Option<String>,
    nonces: BTreeSet<String>,
}

/// One line of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "line", rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    Audited { format: u32, store: String },
    Log { log: String, known: Box<Known> },
}

/// Why a file can't be used as a trusted point.
#[derive(Debug, thiserror::Error)]
pub enum NotKept {
    /// It can't be read.
    #[error(transparent)]
    File(#[from] io::Error),
    /// It isn't such a file.
    #[error("line {0}: expected a file that `boxperson audit --keep` wrote: {1}")]
    Malformed(usize, String),
    /// It is about another store.
    #[error("it is about the store {found}, and this is the store {expected}")]
    OtherStore {
        /// Id of the store that is audited.
        expected: String,
        /// Id of the store in the file.
        found: String,
    },
}

impl Trusted {
    /// Reads a file.
    ///
    /// # Errors
    /// When it can't be read, or isn't such a file.
    pub fn read(from: impl BufRead) -> Result<Trusted, NotKept> {
        let mut trusted = Trusted::default();
        for (at, line) in from.lines().enumerate() {
            let malformed = |why: String| NotKept::Malformed(at + 1, why);
            match serde_json::from_str(&line?).map_err(|error| malformed(error.to_string()))? {
                Line::Audited { format: FORMAT, store } if at == 0 => trusted.store = store,
                Line::Log { log, known } if at > 0 => {
                    trusted.logs.insert(log, *known);
                }
                _ => return Err(malformed(format!("expected format {FORMAT}, and the store in the first line only"))),
            }
        }
        if trusted.store.is_empty() {
            return Err(NotKept::Malformed(1, "it is empty".to_owned()));
        }
        Ok(trusted)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn write(&self, mut to: impl Write) -> io::Result<()> {
        let mut line = |line: &Line| -> io::Result<()> {
            serde_json::to_writer(&mut to, line)?;
            to.write_all(b"\n")
        };
        line(&Line::Audited { format: FORMAT, store: self.store.clone() })?;
        for (log, known) in &self.logs {
            line(&Line::Log { log: log.clone(), known: Box::new(known.clone()) })?;
        }
        to.flush()
    }
}

impl Known {
    /// A log without a state of its own, such as the trail.
    pub(super) fn plain(end: Head) -> Known {
        Known { from: end.clone(), end, table: None, purse: None }
    }

    pub(super) fn of_purse(end: Head, purse: Purse) -> Known {
        Known { purse: Some(purse), ..Known::plain(end) }
    }

    /// A table. None if the audit can't go on from it: there was no place between two hands.
    pub(super) fn of_table(end: Head, opened: &str, docket: &Docket) -> Option<Known> {
        let Place { live, hands, chain, revealed } = docket.place()?;
        let (seq, hash) = live.head();
        let table = KnownTable {
            opened: opened.to_owned(),
            form: live.form(),
            state: live.mark()?.0.body,
            hands: *hands,
            chain: chain.clone(),
            revealed: revealed.clone(),
            nonces: docket.nonces(),
        };
        Some(Known { end, from: Head { seq, hash: hash.to_owned() }, table: Some(table), purse: None })
    }

    /// Reads what was written with [`Known::text`].
    pub(super) fn read(text: &str) -> Option<Known> {
        serde_json::from_str(text).ok()
    }

    /// Returns all of it as text. None if it can't be written, which never happens.
    pub(super) fn text(&self) -> Option<String> {
        serde_json::to_string(self).ok()
    }

    /// Returns a table that was just opened in the state that is known. None if it isn't this table, or the state was written by another version.
    pub(super) fn live(&self, opened: Live, first: &Row) -> Option<Live> {
        let table = self.table.as_ref()?;
        let is_this = first.hash == table.opened && first.digest() == first.hash && opened.form() == table.form;
        if is_this { opened.with_state(&table.state) } else { None }
    }

    /// Goes on with a table. None if the first row of its log is another one, or the state was written by another version of this program.
    pub(super) fn docket(&self, library: &Library, first: &Row) -> Option<Docket> {
        let KnownTable { hands, chain, revealed, nonces, .. } = self.table.as_ref()?;
        let entry: Entry<crate::live::BetName> = serde_json::from_str(&first.body).ok()?;
        let live = self.live(Live::open(library, &entry, &first.hash).ok()?, first)?;
        let place = Place { live, hands: *hands, chain: chain.clone(), revealed: revealed.clone() };
        let mut docket = Docket::at(library, &first.table, place).ok()?;
        docket.knows(nonces.iter().cloned());
        Some(docket)
    }
}
