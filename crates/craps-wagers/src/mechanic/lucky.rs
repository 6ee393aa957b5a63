//! Lucky Shooter: a point, then the other five box numbers in any order without a repeat, then the point again.

use crate::{Phase, Progress, Rank, Step};
use craps_dice::{Point, Throw, Total, TotalSet};

/// The rank of a come-out seven or eleven. Ranks 1 to 5 count the numbers of the run, and rank 6 is the point after all five.
pub(super) const NATURAL: Rank = Rank(0);
const RUN_AND_POINT: Rank = Rank(6);

/// Progress is zero while the bet waits for a come-out roll. After that, the low four bits are the point and each number hit has a higher bit.
pub(super) fn step(progress: Progress, phase: Phase, throw: Throw) -> Step {
    if phase == Phase::ComeDecisionOnly {
        return Step::Stand(progress);
    }
    let total = throw.total();
    let number = Point::new(total).filter(|number| number.is_box());
    let (point, hit) = (progress.0 & 0b1111, progress.0 >> 4);
    if point == 0 {
        // The bet starts only on a come-out roll.
        if phase != Phase::ComeOut {
            return Step::Stand(progress);
        }
        return match (total, number) {
            (_, Some(number)) => Step::Stand(Progress(u16::from(number.value()))),
            (Total::Seven | Total::Eleven, _) => Step::Credited(NATURAL, progress),
            _ => Step::Lost,
        };
    }
    let is_point = u16::from(total.value()) == point;
    match number {
        Some(number) if !is_point && hit & (1 << number.index()) == 0 => {
            Step::Stand(Progress(progress.0 | 1 << (4 + number.index())))
        }
        _ => match hit.count_ones() {
            0 => Step::Lost,
            5 if is_point => Step::Won(RUN_AND_POINT),
            count => Step::Won(Rank(u8::try_from(count).unwrap_or(u8::MAX))),
        },
    }
}

/// Returns the point of a run and the numbers rolled after it.
pub(crate) fn run(progress: Progress) -> Option<(Point, TotalSet)> {
    let point = u8::try_from(progress.0 & 0b1111).ok().and_then(Point::from_value)?;
    let hit = Point::ALL.into_iter().filter(|number| progress.0 >> 4 & (1 << number.index()) != 0);
    Some((point, hit.map(Point::total).collect()))
}

/// Returns the progress of a run with this point and these numbers.
pub(crate) fn running(point: Point, then: TotalSet) -> Option<Progress> {
    then.iter()
        .try_fold(u16::from(point.value()), |bits, total| {
            let number = Point::new(total).filter(|number| number.is_box())?;
            Some(bits | 1 << (4 + number.index()))
        })
        .map(Progress)
}
