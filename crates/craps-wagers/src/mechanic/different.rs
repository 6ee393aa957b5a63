//! Bets on how many different rolls of a set come before a seven: different doubles.

use crate::{Progress, Rank, Step};
use craps_dice::{Throw, ThrowSet, Total};

/// One bit for each roll of the set, in the order of the rolls.
fn bit(of: ThrowSet, roll: Throw) -> Option<u16> {
    of.iter().position(|one| one == roll).map(|at| 1 << at)
}

pub(super) fn step(of: ThrowSet, progress: Progress, roll: Throw) -> Step {
    if roll.total() == Total::Seven {
        return settle(progress.0);
    }
    let seen = progress.0 | bit(of, roll).unwrap_or(0);
    // With all of them there is nothing left to wait for.
    if seen.count_ones() as usize == of.len() { settle(seen) } else { Step::Stand(Progress(seen)) }
}

fn settle(seen: u16) -> Step {
    match u8::try_from(seen.count_ones()) {
        Ok(count) if count > 0 => Step::Won(Rank(count)),
        _ => Step::Lost,
    }
}

/// The rolls that a bet has seen.
pub(crate) fn seen(of: ThrowSet, progress: Progress) -> ThrowSet {
    of.iter().filter(|roll| bit(of, *roll).is_some_and(|bit| progress.0 & bit != 0)).collect()
}

/// The progress of a bet that has seen these rolls.
pub(crate) fn having(of: ThrowSet, rolls: ThrowSet) -> Option<Progress> {
    rolls.iter().try_fold(0, |bits, roll| Some(bits | bit(of, roll)?)).map(Progress)
}
