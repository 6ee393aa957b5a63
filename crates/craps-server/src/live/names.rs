//! Translates between the bet names in a table's log and the slots of its layout.

use super::{BetName, Deed, Entry, Opening};
use craps_table::{Board, SlotId};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::Arc;

/// The names of a table's bets. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Names {
    known: Arc<Known>,
    /// Codes by the numbers that an old log uses for bets.
    old: Arc<[String]>,
}

#[derive(Debug, PartialEq, Eq)]
struct Known {
    /// Codes of this layout, indexed by slot.
    codes: Vec<String>,
    slots: HashMap<String, SlotId>,
}

impl Names {
    /// Builds the names for tables with this layout.
    #[must_use]
    pub fn new(layout: &Board) -> Names {
        let known = Known {
            codes: layout.slots().map(|(_, slot)| slot.code.clone()).collect(),
            slots: layout.slots().map(|(id, slot)| (slot.code.clone(), id)).collect(),
        };
        Names { known: Arc::new(known), old: Arc::default() }
    }

    /// Returns the names for a table with this opening and the same layout.
    #[must_use]
    pub fn of(&self, opening: &Opening) -> Names {
        Names { old: opening.slots.clone().into(), ..self.clone() }
    }

    /// Returns the code of a slot, such as `PL6`.
    #[must_use]
    pub fn code(&self, slot: SlotId) -> &str {
        self.known.codes.get(slot.index()).map_or("", String::as_str)
    }

    /// Returns the code of a bet as a row names it. Empty for a number that isn't in the opening's list.
    #[must_use]
    pub fn code_of<'a>(&'a self, name: &'a BetName) -> &'a str {
        match name {
            BetName::Code(code) => code,
            BetName::Number(slot) => self.old.get(slot.index()).map_or("", String::as_str),
        }
    }

    /// Translates a stored row to the slots of this table.
    ///
    /// # Errors
    /// When it names a bet that the table doesn't have. Then the log was tampered with.
    pub fn read(&self, entry: &Entry<BetName>) -> Result<Entry, NoSuchBet> {
        self.take(entry.clone())
    }

    /// Does the same with a row that isn't needed any more.
    ///
    /// # Errors
    /// When it names a bet that the table doesn't have. Then the log was tampered with.
    pub fn take(&self, entry: Entry<BetName>) -> Result<Entry, NoSuchBet> {
        let mut slot = |name: BetName| {
            let code = self.code_of(&name);
            self.known.slots.get(code).copied().ok_or_else(|| NoSuchBet(code.to_owned()))
        };
        entry.named(&mut slot)
    }

    /// Translates a row to its stored form.
    #[must_use]
    pub fn logged(&self, entry: &Entry) -> Entry<BetName> {
        let (by, asked, funds) = (entry.by.clone(), entry.asked.clone(), entry.funds.clone());
        Entry { by, asked, funds, did: self.deed(entry.did.clone()) }
    }

    /// Translates a deed to its stored form.
    #[must_use]
    pub fn deed(&self, deed: Deed) -> Deed<BetName> {
        let mut code = |slot: SlotId| Ok::<_, Infallible>(BetName::Code(self.code(slot).to_owned()));
        let Ok(deed) = deed.named(&mut code);
        deed
    }
}

/// A row names a bet that its table doesn't have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("it names the bet `{0}`, which this table doesn't have")]
pub struct NoSuchBet(pub String);
