//! Bets on how far a shooter gets before the seven-out, and bets on a number of rolls without a seven. The first kind uses the table's
//! phase. Rolls that decide only come bets change only the counts of rolls.

use crate::{Count, Dials, EndingSeven, Phase, Progress, Rank, SixthPoint, Step};
use craps_dice::{Point, Throw, Total};

/// Fire. Progress has one bit for each box point made.
pub(super) fn points_made(dials: &Dials, progress: Progress, phase: Phase, throw: Throw) -> Step {
    let seven = throw.total() == Total::Seven;
    match phase {
        Phase::Point(point) if phase.is_made_by(throw) && point.is_box() => {
            let made = Progress(progress.0 | 1 << point.value());
            let all = made.0.count_ones() as usize == Point::BOX.len();
            match dials.ends_on_sixth {
                SixthPoint::Ends if all => settle(made.0.count_ones()),
                SixthPoint::Ends | SixthPoint::Waits => Step::Stand(made),
            }
        }
        Phase::Point(_) if seven => settle(progress.0.count_ones()),
        Phase::ComeOut if seven && dials.ends_on_seven == EndingSeven::Any => settle(progress.0.count_ones()),
        _ => Step::Stand(progress),
    }
}

/// Sharp Shooter. Progress is the number of points made, including repeats. The top count pays at once.
pub(super) fn passes_made(most: u8, progress: Progress, phase: Phase, throw: Throw) -> Step {
    if phase.is_lost_by(throw) {
        settle(u32::from(progress.0))
    } else if phase.is_made_by(throw) {
        let made = progress.0 + 1;
        if made >= u16::from(most) { settle(u32::from(most)) } else { Step::Stand(Progress(made)) }
    } else {
        Step::Stand(progress)
    }
}

/// Ride The Line. Progress is the number of come-out sevens and elevens and points made. The bet is paid at the seven-out.
pub(super) fn line_wins(most: u8, progress: Progress, phase: Phase, throw: Throw) -> Step {
    if phase.is_lost_by(throw) {
        return settle(u32::from(progress.0));
    }
    let natural = phase == Phase::ComeOut && matches!(throw.total(), Total::Seven | Total::Eleven);
    let won = natural || phase.is_made_by(throw);
    Step::Stand(if won { Progress((progress.0 + 1).min(u16::from(most))) } else { progress })
}

/// Hot Shooter Jackpot. Progress is zero before its first come-out roll, then one more than the rolls counted.
pub(super) fn throws_survived(most: u8, dials: &Dials, progress: Progress, phase: Phase, throw: Throw) -> Step {
    let started = |counted: u16| Step::Stand(Progress(1 + counted.min(u16::from(most))));
    match (progress.0.checked_sub(1), phase) {
        (None, Phase::ComeOut) => started(u16::from(dials.count_come_out == Count::In)),
        (None, _) => Step::Stand(progress),
        (Some(counted), _) if phase.is_lost_by(throw) => {
            let last = u16::from(dials.count_seven_out == Count::In);
            settle(u32::from((counted + last).min(u16::from(most))))
        }
        (Some(counted), _) => started(counted + 1),
    }
}

/// Returns the count at which a seven-out now would settle a bet that has started to count.
pub(crate) fn survived(dials: &Dials, progress: Progress) -> u16 {
    progress.0.saturating_sub(1) + u16::from(dials.count_seven_out == Count::In)
}

/// Returns the progress of a bet that a seven-out now would settle at this count.
pub(crate) fn surviving(dials: &Dials, count: u16) -> Option<Progress> {
    count.checked_sub(u16::from(dials.count_seven_out == Count::In))?.checked_add(1).map(Progress)
}

/// A given number of rolls without a seven. Progress is the number of rolls so far.
pub(super) fn no_seven(rolls: u8, progress: Progress, throw: Throw) -> Step {
    match throw.total() {
        Total::Seven => Step::Lost,
        _ if progress.0 + 1 >= u16::from(rolls) => Step::Won(Rank::WIN),
        _ => Step::Stand(Progress(progress.0 + 1)),
    }
}

/// Settles a bet at a count. A count of zero always loses, because no book can price it.
fn settle(count: u32) -> Step {
    match u8::try_from(count) {
        Ok(0) | Err(_) => Step::Lost,
        Ok(count) => Step::Won(Rank(count)),
    }
}
