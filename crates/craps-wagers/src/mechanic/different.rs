//! Bets on how many different rolls of a set come before a seven, such as different doubles.

use crate::{Progress, Rank, Step};
use craps_dice::{Throw, ThrowSet, Total};

/// Returns the bit of a roll of the set. Bits are in the order of the rolls.
fn bit(of: ThrowSet, roll: Throw) -> Option<u16> {
    of.iter().position(|one| one == roll).map(|at| 1 << at)
}

pub(super) fn step(of: ThrowSet, progress: Progress, roll: Throw) -> Step {
    if roll.total() == Total::Seven {
        return settle(progress.0);
    }
    let seen = progress.0 | bit(of, roll).unwrap_or(0);
    // Once all of them have come up, the bet is settled.
    if seen.count_ones() as usize == of.len() { settle(seen) } else { Step::Stand(Progress(seen)) }
}

fn settle(seen: u16) -> Step {
    match u8::try_from(seen.count_ones()) {
        Ok(count) if count > 0 => Step::Won(Rank(count)),
        _ => Step::Lost,
    }
}

/// Returns the rolls that a bet has collected.
pub(crate) fn seen(of: ThrowSet, progress: Progress) -> ThrowSet {
    of.iter().filter(|roll| bit(of, *roll).is_some_and(|bit| progress.0 & bit != 0)).collect()
}

/// Returns the progress of a bet with these rolls, or `None` if one isn't in the set.
pub(crate) fn having(of: ThrowSet, rolls: ThrowSet) -> Option<Progress> {
    rolls.iter().try_fold(0, |bits, roll| Some(bits | bit(of, roll)?)).map(Progress)
}
