//! A witness in the dice. At a table that was opened with one, a roll also depends on a signature that only the witness can make, over the row that
//! closed the bets. So nobody at the house can know the dice before that row is fixed.

use super::dice::DiceState;
use super::{Deed, HostCode, Live};
use craps_store::Lock;

impl DiceState {
    pub(super) fn witnessed(&mut self, answer: &str) {
        if let Some(closed) = &mut self.closed {
            closed.witness = Some(answer.to_owned());
        }
    }
}

impl Live {
    /// Are bets closed at a table with a witness that hasn't answered yet?
    #[must_use]
    pub fn waits_for_witness(&self) -> bool {
        self.opening.witness.is_some() && self.dice.closed.as_ref().is_some_and(|closed| closed.witness.is_none())
    }

    pub(super) fn is_witnessed(&self) -> Result<(), HostCode> {
        if self.waits_for_witness() { Err(HostCode::NotWitnessed) } else { Ok(()) }
    }

    /// Returns the roll for which the witness hasn't answered yet.
    #[must_use]
    pub fn lock(&self, table: &str) -> Option<Lock> {
        let witness = self.opening.witness.as_ref().filter(|_| self.waits_for_witness())?;
        let (hand, closed) = (self.dice.hand.as_ref()?, self.dice.closed.as_ref()?);
        let (store, table, row) = (witness.store.clone(), table.to_owned(), closed.hash.clone());
        Some(Lock { store, table, hand: hand.number, throw: hand.throws + 1, row })
    }

    /// Takes the answer of the witness.
    ///
    /// # Errors
    /// When the table waits for no answer, or this isn't the right one.
    pub fn witnessed(&self, table: &str, answer: &str) -> Result<Deed, HostCode> {
        let (lock, witness) = (self.lock(table), self.opening.witness.as_ref());
        let right = lock.zip(witness).is_some_and(|(lock, witness)| witness.key.has_answered(&lock, answer));
        if right { Ok(Deed::Witnessed { answer: answer.to_owned() }) } else { Err(HostCode::NoAnswer) }
    }
}
