//! Rulings that move money: one person asks for a ruling, another decides on it.

use super::{By, Deed, HostCode, Live, Refused};
use craps_table::{Actor, Command};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Rulings that wait for a second person, by the number of the row that asks for them.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct Rulings(pub(super) BTreeMap<u64, (By, Command)>);

impl Live {
    /// Returns an order to give up the dice with a ground. Logs from before grounds were kept don't name one; any ground of the book stands for it.
    #[must_use]
    pub fn with_ground(&self, command: &Command) -> Command {
        match (command, self.table.pass_grounds().first()) {
            (Command::OrderPass, Some(ground)) => Command::OrderOff { ground: *ground },
            (command, _) => command.clone(),
        }
    }

    /// Returns the rulings that wait for a second person, by the number of the row that asks for them.
    #[must_use]
    pub fn proposals(&self) -> &BTreeMap<u64, (By, Command)> {
        &self.rulings.0
    }

    /// Decides a request for a ruling that moves money.
    ///
    /// # Errors
    /// When the ruling couldn't be done.
    pub fn propose(&self, actor: Actor, ruling: Command) -> Result<Deed, Refused> {
        self.table.decide(actor, &ruling, &mut Vec::new())?;
        Ok(Deed::Proposed { ruling })
    }

    /// Decides the answer of a second person to a ruling.
    ///
    /// # Errors
    /// When there is no such proposal, the same person made it, or it can't be done any more.
    pub fn second(&self, by: &By, row: u64, agrees: bool) -> Result<Deed, Refused> {
        let Some((first, ruling)) = self.rulings.0.get(&row) else {
            return Err(HostCode::NoSuchRuling.into());
        };
        if first.who == by.who {
            return Err(HostCode::OwnRuling.into());
        }
        if !agrees {
            return Ok(Deed::Rejected { row });
        }
        let mut table = self.table.clone();
        let events = table.run(first.actor, ruling)?;
        Ok(Deed::Approved { row, events })
    }
}
