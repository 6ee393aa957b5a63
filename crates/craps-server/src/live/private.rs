//! Private tables: who can open one, and when it closes.
//!
//! A private table is for the person who opened it and for people with its invitation. The invitation is derived from a secret that the store keeps
//! outside of the logs, so no row contains it. A table that has been empty for a while closes permanently: a row says so, the
//! secret of the last hand is revealed, and everything that was played stays readable.

use super::pit::{Message, NotDone, Pit, told};
use super::{Deed, HostCode, Live, Refused, Secret};
use craps_store::{Head, StoreError};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Arc, PoisonError};
use tokio::sync::oneshot;

/// Number under which the store keeps the invitation's secret. Hands begin with 1.
const INVITATION: u32 = 0;

/// Access to a private table.
#[derive(Debug, Clone)]
pub struct Private {
    owner: Option<String>,
    secret: Secret,
}

impl Private {
    /// Is this the owner, or is the invitation right?
    #[must_use]
    pub fn lets_in(&self, who: Option<&str>, shown: Option<&str>) -> bool {
        let owns = who.is_some() && who == self.owner.as_deref();
        owns || shown.is_some_and(|shown| self.secret.invites(shown))
    }

    /// Returns the invitation. Anyone who has it can open the table.
    #[must_use]
    pub fn invitation(&self) -> String {
        self.secret.invitation()
    }
}

impl Live {
    /// Returns the access to this table. None for a public table, and before a server has opened the table.
    #[must_use]
    pub fn private(&self) -> Option<&Arc<Private>> {
        self.private.as_ref()
    }

    pub(super) fn set_private(&mut self, private: Option<Arc<Private>>) {
        self.private = private;
    }

    /// Has the table closed permanently?
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over
    }

    /// Checks that the table hasn't closed.
    ///
    /// # Errors
    /// When it has closed permanently.
    pub fn is_not_over(&self) -> Result<(), HostCode> {
        match self.over {
            true => Err(HostCode::TableClosed),
            false => Ok(()),
        }
    }

    /// Decides that a table of a player closes after it was empty for `empty` minutes. Other tables stay open.
    ///
    /// # Errors
    /// When the table is not private and no player opened it, a roll is in progress, or chips that have a source are in somebody's rail.
    pub fn close_table(&self, empty: u32) -> Result<Deed, Refused> {
        let by_player = self.opening.practice && self.ownership.is_by_player();
        if !(self.opening.private || by_player) {
            return Err(HostCode::NotPrivate.into());
        }
        // Nobody can leave a closed table. Practice chips are worth nothing, and neither are those without a source.
        if !self.opening.practice && self.opening.funded && self.table.seats().next().is_some() {
            return Err(HostCode::SeatsTaken.into());
        }
        if !self.is_open() {
            return Err(self.late());
        }
        Ok(Deed::TableClosed { empty })
    }
}

/// What is remembered about private tables between two checks.
#[derive(Debug, Default)]
pub struct Empty {
    /// Number of each log's last row, and the time since which nothing has happened there.
    since: BTreeMap<String, (u64, i64)>,
    /// Tables that never close by themselves, or that have closed.
    settled: HashSet<String>,
}

impl Pit {
    /// Returns the access to a table. None if it is public.
    pub(super) async fn private(&self, table: &str, live: &Live) -> Result<Option<Arc<Private>>, StoreError> {
        if !live.opening().private {
            return Ok(None);
        }
        let secret = self.secret(table, INVITATION).await?;
        let owner = live.ownership().opener().map(str::to_owned);
        Ok(Some(Arc::new(Private { owner, secret })))
    }

    /// Closes the private tables that have been empty for `minutes` at the time `now`, in Unix milliseconds. Returns their ids. A table isn't empty
    /// while someone listens to it or does anything there.
    ///
    /// # Errors
    /// When the store can't be reached.
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
                // Someone came at the last moment, or the log can't be written now. Try again next time.
                Err(error) => tracing::debug!(table, %error, "an empty table was not closed"),
            }
        }
        Ok(closed)
    }

    /// Is it a private table, or one that a player opened, and hasn't it closed yet? Reads only a few rows of its log.
    async fn may_close(&self, table: &str, seq: u64) -> Result<bool, NotDone> {
        let first = self.store.load(table, 0, 1).await?.into_iter().next().and_then(told);
        let closes = first.is_some_and(|first| match first.entry.did {
            Deed::Opened(opening) => {
                opening.private || opening.practice && first.entry.by.actor.role == craps_table::Role::Player
            }
            _ => false,
        });
        if !closes {
            return Ok(false);
        }
        // The row after the closing reveals the secret of the last hand.
        let last = self.store.load(table, seq.saturating_sub(2), 2).await?;
        let over = last.into_iter().filter_map(told).any(|told| matches!(told.entry.did, Deed::TableClosed { .. }));
        if over {
            self.rest(table);
        }
        Ok(!over)
    }

    /// Asks the table's writer to close it, unless someone listens to it.
    async fn close_table(&self, table: &str, minutes: u32) -> Result<(), NotDone> {
        let (reply, answer) = oneshot::channel();
        let door = self.door(table).await?;
        door.messages.send(Message::CloseTable(minutes, reply)).await.map_err(|_| NotDone::Closing)?;
        answer.await.unwrap_or(Err(NotDone::Closing))
    }

    /// Drops the writer of a closed table until someone looks at it again.
    fn rest(&self, table: &str) {
        self.doors().remove(table);
        self.over.lock().unwrap_or_else(PoisonError::into_inner).insert(table.to_owned());
    }

    /// Returns how many listen to a table on this node.
    fn listeners(&self, table: &str) -> usize {
        let doors = self.doors();
        doors.get(table).and_then(|place| place.get()).map_or(0, |door| door.told.receiver_count())
    }

    /// Returns how many tables are known to have closed permanently.
    #[must_use]
    pub fn closed_tables(&self) -> usize {
        self.over.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Is this table known to have closed permanently?
    #[must_use]
    pub fn has_closed(&self, table: &str) -> bool {
        self.over.lock().unwrap_or_else(PoisonError::into_inner).contains(table)
    }
}
