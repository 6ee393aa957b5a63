//! Which old rows of a table can be moved to an archive. They are audited first, and nothing is moved that has a finding.

use super::kept::Known;
use super::{Auditor, Finding};
use crate::live::Live;
use crate::live::purse::{PurseRow, log_of};
use craps_law::Library;
use craps_store::{Finding as Unsound, Head, PublicKey, Row, Store, StoreError, Verifier};
use std::collections::BTreeMap;

/// Number of rows that are read at once.
const PAGE: u32 = 1_000;

/// Old rows of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Old {
    /// The last of them, the last row of a hand.
    pub end: Head,
    /// The state of the table after that row, as text.
    pub state: String,
    /// How many there are.
    pub rows: u64,
    /// Number of the last hand.
    pub hand: u32,
}

/// Why no rows can be moved.
#[derive(Debug, thiserror::Error)]
pub enum NotOld {
    /// The store can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no such table.
    #[error("there is no table `{0}`")]
    NoTable(String),
    /// No hand ended that long ago.
    #[error("no hand of the table {0} that is still in the database ended that long ago")]
    Nothing(String),
    /// The check of the rows found something.
    #[error("nothing was moved, because the rows have findings: {0}")]
    Unsound(Unsound),
    /// The audit found something.
    #[error("nothing was moved, because the rows have findings: {0}")]
    Wrong(Finding),
}

/// Finds the rows of a table that are older than a time, up to the last place between two hands, and audits them. The newest row of the log always
/// stays. `read` is called now and then with the number of rows that were read.
///
/// # Errors
/// When there are no such rows, they have a finding, or the store can't be read.
pub async fn old(
    store: &Store,
    library: &Library,
    key: &PublicKey,
    table: &str,
    before: i64,
    mut read: impl FnMut(u64),
) -> Result<Old, NotOld> {
    let first = store.load_as_is(table, 0, 1).await?.into_iter().next().filter(|row| row.seq == 1);
    let first = first.filter(|_| craps_store::is_table(table)).ok_or_else(|| NotOld::NoTable(table.to_owned()))?;
    let newest = store.head(table).await?.seq;
    let (mut verifier, mut auditor) = (Verifier::new(Some(store.id()), Some(key)), Auditor::new(library));
    let basis = store.basis(table).await?;
    let mut after = 0;
    if let Some(basis) = &basis {
        verifier.resume(table, basis.seal.end.clone());
        auditor.row(&basis.row);
        auditor.row(&first);
        after = basis.seal.end.seq;
    }
    let from = after;
    'reading: loop {
        let rows = store.load_as_is(table, after, PAGE).await?;
        let Some(last) = rows.last() else { break };
        after = last.seq;
        for row in rows {
            if row.at >= before || row.seq >= newest {
                break 'reading;
            }
            verifier.row(&row);
            auditor.row(&row);
        }
        read(after - from);
    }
    if let Some(finding) = verifier.findings().first() {
        return Err(NotOld::Unsound(finding.clone()));
    }
    let known = auditor.tables.get(table).and_then(|docket| {
        let place = docket.place()?;
        let (seq, hash) = place.live.head();
        let end = Head { seq, hash: hash.to_owned() };
        Some((place.hands, Known::of_table(end, &first.hash, docket)?))
    });
    let Some((hand, known)) = known.filter(|(_, known)| known.end.seq > from.max(1)) else {
        return Err(NotOld::Nothing(table.to_owned()));
    };
    let mut findings = std::mem::take(&mut auditor.audited.findings);
    findings.extend(compare_purses(store, &mut auditor, known.end.seq).await?);
    if let Some(finding) = findings.into_iter().next() {
        return Err(NotOld::Wrong(finding));
    }
    let end = known.end.clone();
    let state = known.text().ok_or_else(|| NotOld::Nothing(table.to_owned()))?;
    Ok(Old { rows: end.seq - from.max(1), end, state, hand })
}

/// Reads the rows of purses that the rows of the table up to the last one name, and compares both sides.
async fn compare_purses(store: &Store, auditor: &mut Auditor<'_>, last: u64) -> Result<Vec<Finding>, StoreError> {
    let books = &mut auditor.books;
    for (who, row) in books.claims_until(last) {
        let found = store.load(&log_of(&who), row.saturating_sub(1), 1).await?;
        let read = |found: Row| serde_json::from_str::<PurseRow>(&found.body).ok();
        let side = found.into_iter().next().filter(|found| found.seq == row).and_then(read);
        side.into_iter().for_each(|side| books.of_purse(&who, row, side.did));
    }
    books.is_whole = true;
    Ok(books.compare(&BTreeMap::new(), |_| 0))
}

/// Returns a table that was just opened in the state at the end of an archive. None if it isn't this table, or the state was written by another version
/// of this program.
#[must_use]
pub fn based(state: &str, opened: Live, first: &Row) -> Option<Live> {
    Known::read(state)?.live(opened, first)
}
