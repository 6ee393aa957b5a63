//! Private tables: who may open one, and when it closes.
//!
//! A private table is there for the person who opened it and for people with its invitation. The invitation is derived from a secret that the
//! store keeps beside those of the dice, so it stands in no row of the log. When nobody has been at the table for a while it closes for good:
//! that is a row, the last hand's secret is revealed, and everything that was played stays readable.

use super::pit::{Message, NotDone, Pit, told};
use super::{Deed, Live, Secret};
use craps_store::{Head, StoreError};
use craps_table::Refusal;
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, PoisonError};
use tokio::sync::oneshot;

/// The number under which the store keeps the secret of a table's invitation: hands begin with one.
const INVITATION: u32 = 0;

/// The door of a private table.
#[derive(Debug, Clone)]
pub struct Private {
    owner: Option<String>,
    secret: Secret,
}

impl Private {
    /// May they open the table: are they its owner, or do they show the invitation?
    #[must_use]
    pub fn lets_in(&self, who: Option<&str>, shown: Option<&str>) -> bool {
        let owns = who.is_some() && who == self.owner.as_deref();
        owns || shown.is_some_and(|shown| self.secret.invites(shown))
    }

    /// The invitation: whoever shows it may open the table.
    #[must_use]
    pub fn invitation(&self) -> String {
        self.secret.invitation()
    }
}

impl Live {
    /// The door of this table, where it is private and a server has opened it.
    #[must_use]
    pub fn private(&self) -> Option<&Arc<Private>> {
        self.private.as_ref()
    }

    pub(super) fn set_private(&mut self, private: Option<Arc<Private>>) {
        self.private = private;
    }

    /// Has the table closed for good?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// May anything be done at this table?
    ///
    /// # Errors
    /// When it has closed for good.
    pub fn is_not_over(&self) -> Result<(), Refusal> {
        match self.over {
            true => Err(self.refusal("table-closed", "This table has closed. Open a new one.")),
            false => Ok(()),
        }
    }

    /// A private table closes for good after nobody was there for so many minutes.
    ///
    /// # Errors
    /// When it is not private, or a throw is under way.
    pub fn close_table(&self, empty: u32) -> Result<Deed, Refusal> {
        if !self.opening.private {
            return Err(self.refusal("not-private", "Only a private table closes by itself."));
        }
        if !self.is_open() {
            return Err(self.late());
        }
        Ok(Deed::TableClosed { empty })
    }
}

/// What is known of private tables between two looks at them.
#[derive(Debug, Default)]
pub struct Empty {
    /// How far the log of each went, and since when nothing has happened there.
    since: BTreeMap<String, (u64, i64)>,
    /// Tables that never close by themselves, or have closed.
    settled: HashSet<String>,
}

impl Pit {
    /// The door of a table, where it is private.
    pub(super) async fn private(&self, table: &str, live: &Live) -> Result<Option<Arc<Private>>, StoreError> {
        if !live.opening().private {
            return Ok(None);
        }
        let secret = self.secret(table, INVITATION).await?;
        let owner = live.ownership().opener().map(str::to_owned);
        Ok(Some(Arc::new(Private { owner, secret })))
    }

    /// Closes the private tables at which nobody has been for so many minutes, as of a moment in unix milliseconds; says which. Somebody is at
    /// a table who listens to it, and so is somebody who does anything there.
    ///
    /// # Errors
    /// When the store is out of reach.
    pub async fn close_empty(&self, known: &mut Empty, minutes: u32, now: i64) -> Result<Vec<String>, NotDone> {
        let mut closed = Vec::new();
        for (table, Head { seq, .. }) in self.store.tables().await? {
            if known.settled.contains(&table) {
                continue;
            }
            let grown = known.since.get(&table).is_none_or(|(last, _)| *last != seq);
            if grown && !self.may_close(&table, seq).await? {
                known.since.remove(&table);
                known.settled.insert(table);
                continue;
            }
            let (last, since) = known.since.entry(table.clone()).or_insert((seq, now));
            if grown || self.listeners(&table) > 0 {
                (*last, *since) = (seq, now);
            }
            if now - *since < i64::from(minutes) * 60_000 {
                continue;
            }
            match self.close_table(&table, minutes).await {
                Ok(()) => {
                    self.rest(&table);
                    known.since.remove(&table);
                    known.settled.insert(table.clone());
                    closed.push(table);
                }
                // Somebody came at the last moment, or the log cannot be written now: it is looked at again.
                Err(error) => tracing::debug!(table, %error, "an empty table is not closed"),
            }
        }
        Ok(closed)
    }

    /// Is it a private table that has not closed yet? Only a few rows of its log are read.
    async fn may_close(&self, table: &str, seq: u64) -> Result<bool, NotDone> {
        let first = self.store.load(table, 0, 1).await?.into_iter().next().and_then(told);
        let private = first.is_some_and(|first| matches!(first.entry.did, Deed::Opened(opening) if opening.private));
        if !private {
            return Ok(false);
        }
        // The secret of the last hand is revealed right after a table closes.
        let last = self.store.load(table, seq.saturating_sub(2), 2).await?;
        let over = last.into_iter().filter_map(told).any(|told| matches!(told.entry.did, Deed::TableClosed { .. }));
        if over {
            self.rest(table);
        }
        Ok(!over)
    }

    /// Asks the writer of a table to close it, if nobody listens to it.
    async fn close_table(&self, table: &str, minutes: u32) -> Result<(), NotDone> {
        let (reply, answer) = oneshot::channel();
        let door = self.door(table).await?;
        door.messages.send(Message::CloseTable(minutes, reply)).await.map_err(|_| NotDone::Closing)?;
        answer.await.unwrap_or(Err(NotDone::Closing))
    }

    /// A table that has closed for good needs no writer until somebody looks at it again.
    fn rest(&self, table: &str) {
        self.doors().remove(table);
        self.over.lock().unwrap_or_else(PoisonError::into_inner).insert(table.to_owned());
    }

    /// How many listen to a table on this node.
    fn listeners(&self, table: &str) -> usize {
        let doors = self.doors();
        doors.get(table).and_then(|place| place.get()).map_or(0, |door| door.told.receiver_count())
    }

    /// How many tables are known to have closed for good.
    #[must_use]
    pub fn closed_tables(&self) -> usize {
        self.over.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Is this table known to have closed for good?
    #[must_use]
    pub fn has_closed(&self, table: &str) -> bool {
        self.over.lock().unwrap_or_else(PoisonError::into_inner).contains(table)
    }
}
