//! Reads a table from its log, from the last saved state that fits. Every row must follow from the row before it, or reading stops.

use super::pit::{NotDone, Told, told};
use super::saved::Digested;
use super::writer::Seen;
use super::{Deed, Live, NotOpened};
use crate::aside::aside;
use crate::audit::archive::based;
use craps_store::{Before, Mark, Row, Store, StoreError};
use std::collections::BTreeMap;
use tokio::sync::OwnedSemaphorePermit;

/// How many rows are read at once.
const PAGE: u32 = 1_000;

/// A table that is being read.
pub struct Walk {
    store: Store,
    table: String,
    live: Live,
    /// Digests of the states that were passed and that no row has yet, by their rows.
    passed: BTreeMap<u64, Digested>,
    /// Save the states that are passed?
    saves: bool,
    /// Its turn to read. Others wait until it is dropped.
    _turn: Option<OwnedSemaphorePermit>,
}

/// What a row says about saved states.
enum Passed {
    /// The state after it has to be saved.
    State(Mark),
    /// It has the digest of the state after an earlier row.
    Digest { of: u64, row: u64 },
}

impl Walk {
    /// Starts at the last saved state of a table before something, at the end of its archive if all states are later, or at its opening. `open` makes a table from the first row of its log.
    ///
    /// # Errors
    /// When there is no such table, or its log can't be read.
    pub(super) async fn start(
        store: &Store,
        table: &str,
        before: Before,
        open: impl Fn(&Told) -> Result<Live, NotOpened>,
    ) -> Result<Walk, NotDone> {
        let first = store.load(table, 0, 1).await?.into_iter().next();
        let first = first.ok_or_else(|| NotDone::NoTable(table.to_owned()))?;
        let first = told(first).ok_or_else(|| stopped("the first row of its log can't be read"))?;
        let opened = open(&first).map_err(|error| stopped(&error.to_string()))?;
        let mut before = before;
        while let Some(mark) = store.mark(table, before).await? {
            let digested = confirmed(store, table, &mark).await?;
            let is_of_other_version = digested.as_ref().is_some_and(|digested| digested.form != opened.form());
            match digested.and_then(|digested| opened.clone().with_mark(&mark, &digested)) {
                Some(live) => return Ok(Walk::at(store, table, live)),
                None if is_of_other_version => {}
                None => {
                    let advice = "The table is read from an earlier row. If this goes on, run `boxperson audit`.";
                    tracing::warn!(table, row = mark.seq, advice, "a saved state doesn't fit the log and is not used");
                }
            }
            before = Before::Row(mark.seq);
        }
        let Some(basis) = store.basis(table).await? else {
            let mut live = opened;
            live.stamp(first.row.at);
            return Ok(Walk::at(store, table, live));
        };
        let end = basis.seal.end.seq;
        let unreadable = || {
            stopped(&format!(
                "rows 2 to {end} are in an archive, and the state after them is of another version of this program. Put them back with \
                 `boxperson archive --put-back FILE`."
            ))
        };
        let live = based(&basis.state, opened, &first.row).ok_or_else(unreadable)?;
        Ok(Walk::at(store, table, live))
    }

    fn at(store: &Store, table: &str, live: Live) -> Walk {
        Walk { store: store.clone(), table: table.to_owned(), live, passed: BTreeMap::new(), saves: false, _turn: None }
    }

    /// Keeps its turn to read until it is dropped.
    #[must_use]
    pub(super) fn in_turn(self, turn: OwnedSemaphorePermit) -> Walk {
        Walk { _turn: Some(turn), ..self }
    }

    /// Gives up its turn to read. It needs another one before it reads on.
    #[must_use]
    pub(crate) fn resting(self) -> Walk {
        Walk { _turn: None, ..self }
    }

    /// Saves the states that are passed from now on.
    #[must_use]
    pub(super) fn saving(self) -> Walk {
        Walk { saves: true, ..self }
    }

    /// Returns the table after the last row that was read.
    #[must_use]
    pub fn live(&self) -> &Live {
        &self.live
    }

    /// Returns the table, and the digests of the states that it passed and that no row has yet.
    pub(super) fn finish(self) -> (Live, BTreeMap<u64, Digested>) {
        (self.live, self.passed)
    }

    /// Reads the next rows. Returns none at the end of the log.
    ///
    /// # Errors
    /// When the log can't be read, or a row doesn't follow from the row before it.
    pub async fn next(mut self) -> Result<(Walk, Vec<Told>), NotDone> {
        let rows = self.store.load(&self.table, self.live.head().0, PAGE).await?;
        // Reading rows takes long, so it doesn't hold up requests.
        let read = aside(move || {
            let (mut told, mut marks) = (Vec::with_capacity(rows.len()), Vec::new());
            for row in rows {
                told.push(self.apply(row, &mut marks)?);
            }
            Ok::<_, NotDone>((self, told, marks))
        });
        let (walk, told, marks) = read.await.ok_or(NotDone::Closing)??;
        for passed in marks.into_iter().filter(|_| walk.saves) {
            match passed {
                Passed::State(mark) => walk.store.save_mark(&walk.table, &mark).await?,
                Passed::Digest { of, row } => walk.store.confirm_mark(&walk.table, of, row).await?,
            }
        }
        Ok((walk, told))
    }

    /// Applies the next row. Adds the state to `marks` if it has to be saved, and the digest of an earlier one that the row has.
    fn apply(&mut self, row: Row, marks: &mut Vec<Passed>) -> Result<Told, NotDone> {
        let number = row.seq;
        let (seq, head) = self.live.head();
        if number != seq + 1 || row.prev != head || row.digest() != row.hash {
            return Err(stopped(&format!("row {number} of its log doesn't follow from the row before it")));
        }
        let read = told(row).ok_or_else(|| stopped(&format!("row {number} of its log can't be read")))?;
        let entry = self.live.names().read(&read.entry);
        let entry = entry.map_err(|error| stopped(&format!("row {number} can't be read: {error}")))?;
        self.live.apply(number, &read.row.hash, &entry);
        self.live.stamp(read.row.at);
        if let Deed::Marked { row, digested } = &entry.did
            && self.passed.get(row) == Some(digested)
        {
            self.passed.remove(row);
            marks.push(Passed::Digest { of: *row, row: number });
        }
        if let Some((mark, digested)) = self.live.due_mark() {
            marks.push(Passed::State(mark));
            self.passed.insert(number, digested);
        }
        let (roll, left) = (self.live.roll_of(number).cloned(), self.live.left_by(number, &entry.did));
        let seen = Seen { roll, rails: Vec::new(), left };
        Ok(Told::new(read.row, read.entry, seen))
    }
}

fn stopped(why: &str) -> NotDone {
    NotDone::Stopped(why.to_owned())
}

/// Returns the digest that the log has of a saved state.
async fn confirmed(store: &Store, table: &str, mark: &Mark) -> Result<Option<Digested>, StoreError> {
    let Some(confirmed) = mark.confirmed else { return Ok(None) };
    let row = store.load(table, confirmed.saturating_sub(1), 1).await?.into_iter().next();
    let said = row.filter(|row| row.digest() == row.hash).and_then(told).map(|told| told.entry.did);
    Ok(match said {
        Some(Deed::Marked { row, digested }) if row == mark.seq => Some(digested),
        _ => None,
    })
}
