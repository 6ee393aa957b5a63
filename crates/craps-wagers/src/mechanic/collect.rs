//! Bets that collect totals, combinations or repeats before a seven.

use crate::{ComeOutSeven, Dials, Phase, Progress, Rank, Step};
use craps_dice::{Point, Throw, ThrowSet, Total, TotalSet};

/// Bonus Craps and Dice-Ology. Progress has one bit for each total.
pub(super) fn totals(wanted: TotalSet, progress: Progress, throw: Throw) -> Step {
    let total = throw.total();
    if total == Total::Seven {
        return Step::Lost;
    }
    if !wanted.contains(total) {
        return Step::Stand(progress);
    }
    let seen = progress.0 | 1 << total.value();
    let complete = Total::ALL.into_iter().all(|t| !wanted.contains(t) || seen & (1 << t.value()) != 0);
    if complete { Step::Won(Rank::WIN) } else { Step::Stand(Progress(seen)) }
}

/// The bits of the 14 combinations that make a box number, in the order of [`Throw::ALL`], and the bits that complete each box number.
const COMBINATIONS: ([u16; 21], [u16; 6]) = {
    let (mut bit_of, mut complete) = ([0; 21], [0; 6]);
    let (mut throw, mut next) = (0, 0);
    while throw < 21 {
        let mut point = 0;
        while point < 6 {
            if Throw::ALL[throw].total() as u8 == Point::BOX[point] as u8 {
                bit_of[throw] = 1 << next;
                complete[point] |= 1 << next;
                next += 1;
            }
            point += 1;
        }
        throw += 1;
    }
    (bit_of, complete)
};

/// Hot Roller. Progress is the set of combinations rolled. The count is of the numbers with all combinations rolled.
pub(super) fn numbers(dials: &Dials, progress: Progress, phase: Phase, throw: Throw) -> Step {
    let (bit_of, complete) = COMBINATIONS;
    if throw.total() != Total::Seven {
        return Step::Stand(Progress(progress.0 | bit_of[throw.index()]));
    }
    match (dials.come_out_seven, phase) {
        (ComeOutSeven::Loses, Phase::ComeOut) => Step::Lost,
        (ComeOutSeven::Ignored, Phase::ComeOut) => Step::Stand(progress),
        _ => match (0u8..).zip(complete).filter(|(_, all)| progress.0 & all == *all).count() {
            0 => Step::Lost,
            count => Step::Won(Rank(u8::try_from(count).unwrap_or(u8::MAX))),
        },
    }
}

/// Returns the combinations that a bet has collected.
pub(crate) fn combinations(progress: Progress) -> ThrowSet {
    Throw::ALL.into_iter().filter(|roll| progress.0 & COMBINATIONS.0[roll.index()] != 0).collect()
}

/// Returns the progress of a bet with these combinations, or `None` if one doesn't make a box number.
pub(crate) fn combined(rolls: ThrowSet) -> Option<Progress> {
    let bits = rolls.iter().try_fold(0, |bits, roll| match COMBINATIONS.0[roll.index()] {
        0 => None,
        bit => Some(bits | bit),
    });
    bits.map(Progress)
}

/// These totals a given number of times before a seven. Progress is the count so far.
pub(super) fn repeats(wanted: TotalSet, times: u8, progress: Progress, throw: Throw) -> Step {
    match throw.total() {
        Total::Seven => Step::Lost,
        total if !wanted.contains(total) => Step::Stand(progress),
        _ if progress.0 + 1 >= u16::from(times) => Step::Won(Rank::WIN),
        _ => Step::Stand(Progress(progress.0 + 1)),
    }
}
