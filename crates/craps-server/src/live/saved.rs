//! The state of a table as text, so that a long log need not be read from its beginning.
//!
//! Every [`MARK`] rows the state is saved, and a row of the log gets its digest (`Deed::Marked`). A saved state counts only with such a row. It is
//! also an index: a roll or a hand is found from the last state before it.

use super::dice::DiceState;
use super::orders::SavedOrders;
use super::requests::Confirmations;
use super::rulings::Rulings;
use super::seeds::Seeds;
use super::{HandCount, Live, Ownership, window};
use craps_store::Mark;
use craps_table::State;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt::Write;
use std::sync::Arc;

/// A state is saved after every row whose number is a multiple of this.
pub const MARK: u64 = 1_000;
/// The same in a simulation, whose logs are short.
#[cfg(feature = "testing")]
const MARK_SIMULATED: u64 = 16;
/// Version of the text. It changes whenever the text of the same state changes.
const VERSION: u32 = 2;

/// Everything that the log decides about a table, after its opening. Recent rolls are left out: they only show what happened.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    seq: u64,
    head: String,
    at: i64,
    table: State,
    orders: SavedOrders,
    dice: DiceState,
    hands: HandCount,
    rulings: Rulings,
    confirmations: Confirmations,
    ownership: Ownership,
    clock: window::Clock,
    seeds: Seeds,
    over: bool,
}

/// Returns how often a state is saved.
fn every() -> u64 {
    #[cfg(feature = "testing")]
    if crate::testing::is_simulated() {
        return MARK_SIMULATED;
    }
    MARK
}

/// Returns the SHA-256 of a text, in hex.
fn digest(text: &str) -> String {
    Sha256::digest(text).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// The digest of a state.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Digested {
    /// How the state was written.
    pub form: String,
    /// SHA-256 of its text, in hex.
    pub state: String,
}

impl Live {
    /// Returns how this program writes the states of this table. States that were written in another form can't be read or compared.
    #[must_use]
    pub fn form(&self) -> String {
        let codes: Vec<&str> = self.table.board().slots().map(|(_, slot)| slot.code.as_str()).collect();
        format!("{VERSION}-{}", &digest(&codes.join(" "))[..16])
    }

    fn saved(&self) -> Saved {
        Saved {
            seq: self.seq,
            head: self.head.clone(),
            at: self.at,
            table: self.table.state().clone(),
            orders: self.orders.saved(),
            dice: self.dice.clone(),
            hands: self.hands,
            rulings: self.rulings.clone(),
            confirmations: self.confirmations.clone(),
            ownership: Ownership::clone(&self.ownership),
            clock: self.clock.clone(),
            seeds: self.seeds.clone(),
            over: self.over,
        }
    }

    /// Returns the state as it is saved, and its digest. None if it can't be written, which never happens.
    #[must_use]
    pub fn mark(&self) -> Option<(Mark, Digested)> {
        let body = serde_json::to_string(&self.saved()).ok()?;
        let digested = Digested { form: self.form(), state: digest(&body) };
        let (rolls, hand) = (u64::from(self.rolled()), u64::from(self.hands.number));
        Some((Mark { seq: self.seq, rolls, hand, confirmed: None, body }, digested))
    }

    /// Returns the state and its digest after a row whose state is saved.
    #[must_use]
    pub fn due_mark(&self) -> Option<(Mark, Digested)> {
        if self.seq.is_multiple_of(every()) { self.mark() } else { None }
    }

    /// Returns this table, which was just opened, with a saved state. None if the digest is another one, or the state can't be read.
    #[must_use]
    pub fn with_mark(self, mark: &Mark, digested: &Digested) -> Option<Live> {
        let is_right = *digested == (Digested { form: self.form(), state: digest(&mark.body) });
        if is_right { self.with_state(&mark.body) } else { None }
    }

    /// Returns this table, which was just opened, with a state that was saved as text. None if it can't be read.
    #[must_use]
    pub fn with_state(mut self, text: &str) -> Option<Live> {
        let Saved { seq, head, at, table, orders, dice, hands, rulings, confirmations, ownership, clock, seeds, over } =
            serde_json::from_str(text).ok()?;
        self.orders = orders.read(&self.table);
        self.table = self.table.with_state(table);
        (self.seq, self.head, self.at, self.dice, self.hands) = (seq, head, at, dice, hands);
        (self.rulings, self.confirmations, self.ownership) = (rulings, confirmations, Arc::new(ownership));
        (self.clock, self.seeds, self.over) = (clock, seeds, over);
        Some(self)
    }
}
