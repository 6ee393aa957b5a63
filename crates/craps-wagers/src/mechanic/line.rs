//! Line and come bets, and the odds behind them. Pass and come bets use the same automaton, because the first roll of each is its
//! come-out roll. A pass bet's number is always the table's point, so nothing here needs the phase.

use super::Side;
use crate::{Dials, Points, Progress, Rank, Step};
use craps_dice::{Point, Throw, Total, TotalSet};

/// Returns the progress of a bet on a number. Progress is the number itself, or zero for a bet without a number.
pub(crate) fn on_number(point: Point) -> Progress {
    Progress(u16::from(point.value()))
}

pub(crate) fn number(progress: Progress) -> Option<Point> {
    u8::try_from(progress.0).ok().and_then(Point::from_value)
}

/// The rules of a wager's come-out roll, in addition to the book's bar.
pub(super) struct ComeOut {
    pub(super) side: Side,
    /// Totals that push.
    pub(super) pushes: TotalSet,
    /// Totals that win at their own rank. The first set is rank 1.
    pub(super) ranks: &'static [TotalSet],
}

pub(super) fn step(come_out: &ComeOut, dials: &Dials, progress: Progress, throw: Throw) -> Step {
    let total = throw.total();
    match number(progress) {
        Some(number) => race(come_out.side, number, total, progress, Rank::WIN),
        None if come_out.pushes.contains(total) => Step::Pushed,
        None => match dials.points.set_by(total) {
            Some(number) => Step::Stand(on_number(number)),
            None => come_out.decide(dials, total),
        },
    }
}

impl ComeOut {
    /// Decides a come-out roll that sets no point: a natural, or craps if the game has them.
    fn decide(&self, dials: &Dials, total: Total) -> Step {
        let natural = match dials.points {
            Points::Box => matches!(total, Total::Seven | Total::Eleven),
            Points::AllButSeven => total == Total::Seven,
        };
        match (self.side, natural) {
            (Side::Right, false) | (Side::Wrong, true) => Step::Lost,
            (Side::Wrong, false) if dials.bar.totals().contains(total) => Step::Pushed,
            _ => {
                let own = (1u8..).zip(self.ranks).find(|(_, totals)| totals.contains(total));
                Step::Won(own.map_or(Rank::WIN, |(rank, _)| Rank(rank)))
            }
        }
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
