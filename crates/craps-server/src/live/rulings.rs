//! Rulings that move money: one person asks for one, another decides.

use super::{By, Deed, Live};
use craps_table::{Actor, Command, Refusal};
use std::collections::BTreeMap;

/// Rulings that wait for a second person, by the row that asks for them.
#[derive(Debug, Clone, Default)]
pub(super) struct Rulings(pub(super) BTreeMap<u64, (By, Command)>);

impl Live {
    /// Rulings that wait for a second person, by the row that asks for them.
    #[must_use]
    pub fn proposals(&self) -> &BTreeMap<u64, (By, Command)> {
        &self.rulings.0
    }

    /// Somebody asks for a ruling that moves money.
    ///
    /// # Errors
    /// When it could not be done.
    pub fn propose(&self, actor: Actor, ruling: Command) -> Result<Deed, Refusal> {
        self.table.decide(actor, &ruling, &mut Vec::new())?;
        Ok(Deed::Proposed { ruling })
    }

    /// A second person decides on a ruling.
    ///
    /// # Errors
    /// When there is no such proposal, it is their own, or it cannot be done any more.
    pub fn second(&self, by: &By, row: u64, agrees: bool) -> Result<Deed, Refusal> {
        let Some((first, ruling)) = self.rulings.0.get(&row) else {
            return Err(self.refusal("no-such-ruling", "No ruling waits under that number."));
        };
        if first.who == by.who {
            return Err(self.refusal("same-person", "A ruling takes a second person."));
        }
        if !agrees {
            return Ok(Deed::Rejected { row });
        }
        let mut table = self.table.clone();
        let events = table.run(first.actor, ruling)?;
        Ok(Deed::Approved { row, events })
    }
}
