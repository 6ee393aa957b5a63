//! Saves the state of the table now and then, and writes its digest to the log.

use super::super::pit::Told;
use super::super::{Deed, Digested};
use super::{Writer, machine};
use crate::faults;
use craps_store::{Mark, StoreError};
use std::collections::BTreeMap;

/// Digests of states, by their rows.
pub(in super::super) type Digests = BTreeMap<u64, Digested>;

/// How many digests are written in one batch. Only a long log from before there were digests has more.
const BATCH: usize = 100;

impl Writer {
    /// Notes a state that has to be saved.
    pub(super) fn note(&mut self, due: Option<(Mark, Digested)>) {
        if let Some((mark, digested)) = due {
            self.digests.insert(mark.seq, digested);
            self.states.push(mark);
        }
    }

    /// Takes back a noted state whose digest is in a stored row: another node was faster. That node has saved the state; if this node has saved it
    /// once more since, it has to be confirmed once more.
    pub(super) async fn noted_by_other(&mut self, told: &Told) -> Result<(), StoreError> {
        let Deed::Marked { row, digested } = &told.entry.did else { return Ok(()) };
        if self.digests.get(row) == Some(digested) {
            self.digests.remove(row);
            self.states.retain(|mark| mark.seq != *row);
            self.pit.store.confirm_mark(&self.table, *row, told.row.seq).await?;
        }
        Ok(())
    }

    /// Forgets the states after the checkpoint. Their rows may never have been stored; the table is read again from there.
    pub(super) fn forget_states(&mut self) {
        let stored = self.checkpoint.head().0;
        self.digests.retain(|row, _| *row <= stored);
        self.states.retain(|mark| mark.seq <= stored);
    }

    /// Saves the states that were passed, and writes their digests to the log. All decided rows must be stored. If it fails, the states are saved
    /// another time: they only make reading faster.
    pub(super) async fn mark(&mut self) {
        let busy = self.stale || !self.rows.is_empty() || self.live.closed().is_some() || self.live.is_over();
        if busy || self.digests.is_empty() {
            return;
        }
        while !self.digests.is_empty() {
            if let Err(error) = self.write_digests().await {
                faults::report(&error.fault());
                return;
            }
            if self.stale {
                return;
            }
        }
    }

    async fn write_digests(&mut self) -> Result<(), StoreError> {
        for mark in std::mem::take(&mut self.states) {
            self.pit.store.save_mark(&self.table, &mark).await?;
        }
        let digests: Vec<(u64, Digested)> =
            self.digests.iter().take(BATCH).map(|(row, digested)| (*row, digested.clone())).collect();
        let marked =
            |(row, digested): &(u64, Digested)| machine(Deed::Marked { row: *row, digested: digested.clone() });
        let written = self.add(digests.iter().map(marked).collect(), "", None);
        let stored = match written {
            Ok(()) => self.store_rows().await,
            // Never happens: a digest is short. The states are read from the log instead.
            Err(_) => {
                self.digests.clear();
                return Ok(());
            }
        };
        if let Ok(rows) = stored {
            for ((of, _), told) in digests.iter().zip(&rows) {
                self.pit.store.confirm_mark(&self.table, *of, told.row.seq).await?;
                self.digests.remove(of);
            }
        }
        // If another node was faster, the table was read again, and what is left is written next time.
        Ok(())
    }
}
