//! Wagers that the next throw decides, alone or several bought as one.

use super::{Mechanic, Part};
use crate::{Rank, Step, Wager};
use craps_dice::{Throw, ThrowSet};

pub(super) fn step(ranks: &[ThrowSet], throw: Throw) -> Step {
    (0u8..).zip(ranks).find(|(_, set)| set.contains(throw)).map_or(Step::Lost, |(at, _)| Step::Won(Rank(at)))
}

/// The part that wins decides the rank; at most one can (the catalogue's tests hold it to that).
pub(super) fn step_composite(parts: &[Part], throw: Throw) -> Step {
    let wins = |part: &Part| match Wager::find(part.wager).map(|wager| wager.mechanic) {
        Some(Mechanic::OneThrow(ranks)) => matches!(step(ranks, throw), Step::Won(_)),
        _ => false,
    };
    (0u8..).zip(parts).find(|(_, part)| wins(part)).map_or(Step::Lost, |(at, _)| Step::Won(Rank(at)))
}
