//! Seeds of players. A seed is a player's part in the dice: whoever knows the secret of a hand doesn't know what players will contribute.
//!
//! A player's seed stands until the player changes it or leaves, or until a new chain of secrets begins. A seed counts only if it came after the
//! chain was committed to: otherwise the chain could have been chosen to fit the seed. For the same reason the server never makes up a seed.

use super::{Deed, HostCode, Live};
use craps_table::SeatId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Maximum length of a seed.
pub const SEED_MOST: usize = 64;
/// How often a player can change the seed between two rolls.
pub const SEEDS_MOST: u32 = 5;

/// The seed of a seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatSeed {
    /// The player's seat.
    pub seat: SeatId,
    /// The player's seed: up to 64 letters, digits and signs without spaces.
    pub seed: String,
}

/// The seeds that stand, and how often each seat has changed its seed since the last roll.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seeds {
    standing: BTreeMap<SeatId, String>,
    changes: BTreeMap<SeatId, u32>,
}

impl Seeds {
    pub(super) fn set(&mut self, seat: SeatId, seed: &str) {
        self.standing.insert(seat, seed.to_owned());
        *self.changes.entry(seat).or_default() += 1;
    }

    /// Takes over the seeds of a row that closed the bets.
    pub(super) fn closed(&mut self, seeds: &[SeatSeed]) {
        self.standing.extend(seeds.iter().map(|one| (one.seat, one.seed.clone())));
    }

    /// Forgets the seed of a player who left.
    pub(super) fn forget(&mut self, seat: SeatId) {
        self.standing.remove(&seat);
        self.changes.remove(&seat);
    }

    /// Forgets all seeds: a new chain of secrets has begun.
    pub(super) fn begin(&mut self) {
        *self = Seeds::default();
    }

    pub(super) fn thrown(&mut self) {
        self.changes.clear();
    }
}

/// Is this a seed? Only characters that look the same everywhere and need no quotation.
#[must_use]
pub fn is_seed(text: &str) -> bool {
    (1..=SEED_MOST).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Checks that a text is a seed.
pub(super) fn readable(seed: &str) -> Result<(), HostCode> {
    if is_seed(seed) { Ok(()) } else { Err(HostCode::BadSeed { found: seed.chars().count() }) }
}

impl Live {
    /// Returns the seed of a seat.
    #[must_use]
    pub fn seed(&self, seat: SeatId) -> Option<&str> {
        self.seeds.standing.get(&seat).map(String::as_str)
    }

    /// Returns the seeds that would count if bets were closed now, in the order of the seats. `own` is the seed that comes with the closing.
    #[must_use]
    pub fn seeds(&self, own: Option<&SeatSeed>) -> Vec<SeatSeed> {
        let mut all = self.seeds.standing.clone();
        all.extend(own.map(|own| (own.seat, own.seed.clone())));
        all.into_iter().map(|(seat, seed)| SeatSeed { seat, seed }).collect()
    }

    /// Decides a change of a player's seed.
    ///
    /// # Errors
    /// When nobody sits there, bets are closed, people roll, or it isn't a seed or one too many.
    pub fn take_seed(&self, seat: SeatId, seed: &str) -> Result<Deed, HostCode> {
        self.takes_seed(seat, seed)?;
        if self.seeds.changes.get(&seat).copied().unwrap_or_default() >= SEEDS_MOST {
            return Err(HostCode::TooManySeeds);
        }
        Ok(Deed::Seeded { seat, seed: seed.to_owned() })
    }

    /// Checks that a seed could count for the next roll.
    pub(super) fn takes_seed(&self, seat: SeatId, seed: &str) -> Result<(), HostCode> {
        readable(seed)?;
        match self.dice.hand {
            None => Err(HostCode::DiceByPeople),
            _ if self.table.seat(seat).is_none() => Err(HostCode::NoSeed),
            _ if !self.is_open() => Err(HostCode::NoSeed),
            Some(_) => Ok(()),
        }
    }
}
