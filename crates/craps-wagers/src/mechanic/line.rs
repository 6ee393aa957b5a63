//! Line and come bets, and the odds behind them. A pass bet and a come bet are the same automaton: its own first throw is its
//! come-out. A pass bet's number is always the table's point, so nothing here needs the phase.

use super::Side;
use crate::{Dials, Points, Progress, Rank, Step};
use craps_dice::{Point, Throw, Total};

/// Progress is the number itself; zero is a bet that has none yet.
pub(super) fn on_number(point: Point) -> Progress {
    Progress(u16::from(point.value()))
}

pub(super) fn number(progress: Progress) -> Option<Point> {
    u8::try_from(progress.0).ok().and_then(Point::from_value)
}

pub(super) fn step(side: Side, dials: &Dials, progress: Progress, throw: Throw) -> Step {
    let total = throw.total();
    match number(progress) {
        Some(number) => race(side, number, total, progress, Rank::WIN),
        None => match dials.points.set_by(total) {
            Some(number) => Step::Stand(on_number(number)),
            None => come_out(side, dials, total),
        },
    }
}

/// A come-out that sets no point: a natural or, where there are craps, craps.
fn come_out(side: Side, dials: &Dials, total: Total) -> Step {
    let natural = match dials.points {
        Points::Box => matches!(total, Total::Seven | Total::Eleven),
        Points::AllButSeven => total == Total::Seven,
    };
    match (side, natural) {
        (Side::Right, true) => Step::Won(Rank::WIN),
        (Side::Right, false) | (Side::Wrong, true) => Step::Lost,
        (Side::Wrong, false) if total == dials.bar.total() => Step::Pushed,
        (Side::Wrong, false) => Step::Won(Rank::WIN),
    }
}

pub(super) fn step_behind(side: Side, progress: Progress, throw: Throw) -> Step {
    match number(progress) {
        Some(number) => race(side, number, throw.total(), progress, Rank(number.value())),
        None => Step::Stand(progress),
    }
}

fn race(side: Side, number: Point, total: Total, progress: Progress, rank: Rank) -> Step {
    let (made, seven) = (total == number.total(), total == Total::Seven);
    match side {
        Side::Right if made => Step::Won(rank),
        Side::Wrong if seven => Step::Won(rank),
        _ if made || seven => Step::Lost,
        _ => Step::Stand(progress),
    }
}
