//! How the rows of a table's log name its bets, and which slots of its layout those are.

use super::{BetName, Deed, Entry, Opening};
use craps_table::{Board, SlotId};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

/// The names of a table's bets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names(Arc<Known>);

#[derive(Debug, PartialEq, Eq)]
struct Known {
    /// The codes of this layout, by slot.
    codes: Vec<String>,
    slots: HashMap<String, SlotId>,
    /// The codes by which an old log numbers its bets.
    old: Vec<String>,
}

impl Names {
    /// The names of the bets of a table that was opened so and has this layout.
    #[must_use]
    pub fn new(opening: &Opening, layout: &Board) -> Names {
        Names(Arc::new(Known {
            codes: layout.slots().map(|(_, slot)| slot.code.clone()).collect(),
            slots: layout.slots().map(|(id, slot)| (slot.code.clone(), id)).collect(),
            old: opening.slots.clone(),
        }))
    }

    /// The code of a slot.
    #[must_use]
    pub fn code(&self, slot: SlotId) -> &str {
        self.0.codes.get(slot.index()).map_or("", String::as_str)
    }

    /// The code of a bet as a row names it; nothing for a number that the opening does not have.
    #[must_use]
    pub fn code_of<'a>(&'a self, name: &'a BetName) -> &'a str {
        match name {
            BetName::Code(code) => code,
            BetName::Number(slot) => self.0.old.get(slot.index()).map_or("", String::as_str),
        }
    }

    /// A row with the slots of this table.
    ///
    /// # Errors
    /// When it names a bet that the table does not have: then somebody has spoiled it.
    pub fn read(&self, entry: &Entry<BetName>) -> Result<Entry, NoSuchBet> {
        let mut slot = |name: BetName| {
            let code = self.code_of(&name);
            self.0.slots.get(code).copied().ok_or_else(|| NoSuchBet(code.to_owned()))
        };
        entry.clone().named(&mut slot)
    }

    /// A row as it is stored.
    #[must_use]
    pub fn logged(&self, entry: &Entry) -> Entry<BetName> {
        Entry { by: entry.by.clone(), did: self.deed(entry.did.clone()) }
    }

    /// A deed as it is stored.
    #[must_use]
    pub fn deed(&self, deed: Deed) -> Deed<BetName> {
        let mut code = |slot: SlotId| Ok::<_, Infallible>(BetName::Code(self.code(slot).to_owned()));
        let Ok(deed) = deed.named(&mut code);
        deed
    }
}

/// A row names a bet that its table does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it names the bet `{0}`, which this table does not have")]
pub struct NoSuchBet(pub String);
