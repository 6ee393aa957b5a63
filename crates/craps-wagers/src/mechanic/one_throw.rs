//! Wagers decided by the next roll, composites of them, and wagers decided by one or two rolls.

use super::{Mechanic, Part};
use crate::{Progress, Rank, Step};
use craps_dice::{Throw, ThrowSet};

pub(super) fn step(ranks: &[ThrowSet], throw: Throw) -> Step {
    (0u8..).zip(ranks).find(|(_, set)| set.contains(throw)).map_or(Step::Lost, |(at, _)| Step::Won(Rank(at)))
}

/// The rank is the first part that wins. In the built-in wagers at most one part can win, which a test of the catalogue checks.
pub(super) fn step_composite(parts: &[Part], throw: Throw) -> Step {
    let wins = |part: &Part| match part.wager.wager().mechanic {
        Mechanic::OneThrow(ranks) => matches!(step(ranks, throw), Step::Won(_)),
        _ => false,
    };
    (0u8..).zip(parts).find(|(_, part)| wins(part)).map_or(Step::Lost, |(at, _)| Step::Won(Rank(at)))
}

/// The first roll wins, loses, or leaves it to the second roll. Progress counts the rolls.
pub(super) fn step_two(
    first: &[ThrowSet],
    goes_on: ThrowSet,
    second: &[ThrowSet],
    progress: Progress,
    throw: Throw,
) -> Step {
    if progress == Progress::FRESH {
        if goes_on.contains(throw) { Step::Stand(Progress(1)) } else { step(first, throw) }
    } else {
        let before = u8::try_from(first.len()).unwrap_or(u8::MAX);
        match step(second, throw) {
            Step::Won(Rank(rank)) => Step::Won(Rank(before.saturating_add(rank))),
            lost => lost,
        }
    }
}
