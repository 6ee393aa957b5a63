//! How wagers are decided: one file per kind of mechanic, one `step` in each.

pub(crate) mod collect;
pub(crate) mod count;
pub(crate) mod different;
pub(crate) mod line;
pub(crate) mod lucky;
mod one_throw;

use crate::{Dial, Dials, Phase, Progress, Rank, Step, WagerId};
use craps_dice::{Point, Throw, ThrowSet, TotalSet};

/// On which side of the dice a bet stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// With the number, against the seven.
    Right,
    /// With the seven, against the number.
    Wrong,
}

/// What an odds bet stands behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Front {
    /// A bet that found its number by a come-out.
    Line(WagerId),
    /// A bet put straight onto its number: one wager for each number.
    Number(&'static [WagerId]),
}

/// One share of a composite wager: so many units on another wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// The wager the units count as.
    pub wager: WagerId,
    /// How many units of the whole.
    pub units: u8,
}

/// How a wager is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mechanic {
    /// A come-out finds a number, then number against seven: pass, come and their opposites.
    Line {
        /// With the shooter or against.
        side: Side,
        /// Come-out totals that push, beside those that the book bars.
        pushes: TotalSet,
        /// Come-out totals that win at a rank of their own; the first of them is rank 1.
        ranks: &'static [TotalSet],
    },
    /// Odds behind a bet that has its number; the rank is the number.
    Behind(Side, Front),
    /// One set of throws against another, for as long as it takes.
    Race {
        /// The throws that win.
        wins: ThrowSet,
        /// The throws that lose.
        loses: ThrowSet,
    },
    /// Decided by one throw: the rank is the first set that holds it.
    OneThrow(&'static [ThrowSet]),
    /// Decided by one roll or two: the first wins at a rank, loses, or goes on to the second.
    TwoRolls {
        /// The rolls that win at once.
        first: &'static [ThrowSet],
        /// The rolls after which the second decides.
        goes_on: ThrowSet,
        /// The second rolls that win; their ranks come after those of the first.
        second: &'static [ThrowSet],
    },
    /// Several one-throw wagers bought as one; the rank is the part that wins.
    Composite(&'static [Part]),
    /// Individual points made before a loser seven.
    PointsMade,
    /// All points made before a loser seven, to a most.
    PassesMade {
        /// The count that ends it.
        most: u8,
    },
    /// Come-out naturals and points made before a loser seven.
    LineWins {
        /// Counts above are as good as this.
        most: u8,
    },
    /// Throws survived until the loser seven.
    ThrowsSurvived {
        /// Counts above are as good as this.
        most: u8,
    },
    /// All of these totals before a seven.
    Collect(TotalSet),
    /// Numbers of which every combination was thrown before a seven.
    NumbersCompleted,
    /// A point, then the other box numbers one after the other without a repeat.
    RunOfNumbers,
    /// One of these totals so many times before a seven.
    Repeats {
        /// The totals that count.
        totals: TotalSet,
        /// How often they must come.
        times: u8,
    },
    /// So many rolls without a seven.
    NoSeven {
        /// The number of rolls.
        rolls: u8,
    },
    /// How many different rolls of a set come before a seven; all of them settle it at once.
    Different {
        /// The rolls that count.
        of: ThrowSet,
    },
}

impl Mechanic {
    /// The dials that change it.
    #[must_use]
    pub const fn dials(&self) -> &'static [Dial] {
        match self {
            Mechanic::Line { side: Side::Right, .. } => &[Dial::Points],
            Mechanic::Line { side: Side::Wrong, .. } => &[Dial::Points, Dial::Bar],
            Mechanic::PointsMade => &[Dial::EndsOnSeven, Dial::EndsOnSixth],
            Mechanic::NumbersCompleted => &[Dial::ComeOutSeven],
            Mechanic::ThrowsSurvived { .. } => &[Dial::CountComeOut, Dial::CountSevenOut],
            _ => &[],
        }
    }
}

/// A mechanic with its dials set: the automaton that decides one wager at one table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Machine {
    /// How it is decided.
    pub mechanic: Mechanic,
    /// How its unclear points are read.
    pub dials: Dials,
}

impl Machine {
    /// The progress of a bet just made. A number is given for odds, which start on one, and for nothing else.
    #[must_use]
    pub fn start(&self, number: Option<Point>) -> Option<Progress> {
        match (&self.mechanic, number) {
            (Mechanic::Behind(..), number) => number.map(line::on_number),
            (_, None) => Some(Progress::FRESH),
            (_, Some(_)) => None,
        }
    }

    /// The progress of a line or odds bet that stands on a number; of any other bet, that of one just made.
    #[must_use]
    pub fn on(&self, number: Point) -> Progress {
        match self.mechanic {
            Mechanic::Line { .. } | Mechanic::Behind(..) => line::on_number(number),
            _ => Progress::FRESH,
        }
    }

    /// The number a line bet has gone to, or an odds bet stands on.
    #[must_use]
    pub fn number(&self, progress: Progress) -> Option<Point> {
        match self.mechanic {
            Mechanic::Line { .. } | Mechanic::Behind(..) => line::number(progress),
            _ => None,
        }
    }

    /// The rank that is paid while the bet goes on, where it has one.
    #[must_use]
    pub const fn credited(&self) -> Option<Rank> {
        match self.mechanic {
            Mechanic::RunOfNumbers => Some(lucky::NATURAL),
            _ => None,
        }
    }

    /// Can its steps differ by the phase of an ordinary hand? A phase-blind machine can be solved without the phase.
    #[must_use]
    pub fn sees_phase(&self) -> bool {
        match self.mechanic {
            Mechanic::PointsMade
            | Mechanic::PassesMade { .. }
            | Mechanic::LineWins { .. }
            | Mechanic::ThrowsSurvived { .. } => true,
            Mechanic::NumbersCompleted => self.dials.come_out_seven != crate::ComeOutSeven::Settles,
            _ => false,
        }
    }

    /// What a throw does to a bet. This is the only statement of when a wager wins.
    #[must_use]
    pub fn step(&self, progress: Progress, phase: Phase, throw: Throw) -> Step {
        let dials = &self.dials;
        match self.mechanic {
            Mechanic::Line { side, pushes, ranks } => {
                line::step(&line::ComeOut { side, pushes, ranks }, dials, progress, throw)
            }
            Mechanic::Behind(side, _) => line::step_behind(side, progress, throw),
            Mechanic::Race { wins, .. } if wins.contains(throw) => Step::Won(Rank::WIN),
            Mechanic::Race { loses, .. } if loses.contains(throw) => Step::Lost,
            Mechanic::Race { .. } => Step::Stand(progress),
            Mechanic::OneThrow(ranks) => one_throw::step(ranks, throw),
            Mechanic::TwoRolls { first, goes_on, second } => {
                one_throw::step_two(first, goes_on, second, progress, throw)
            }
            Mechanic::Composite(parts) => one_throw::step_composite(parts, throw),
            Mechanic::PointsMade => count::points_made(dials, progress, phase, throw),
            Mechanic::PassesMade { most } => count::passes_made(most, progress, phase, throw),
            Mechanic::LineWins { most } => count::line_wins(most, progress, phase, throw),
            Mechanic::ThrowsSurvived { most } => count::throws_survived(most, dials, progress, phase, throw),
            Mechanic::Collect(totals) => collect::totals(totals, progress, throw),
            Mechanic::NumbersCompleted => collect::numbers(dials, progress, phase, throw),
            Mechanic::RunOfNumbers => lucky::step(progress, phase, throw),
            Mechanic::Repeats { totals, times } => collect::repeats(totals, times, progress, throw),
            Mechanic::NoSeven { rolls } => count::no_seven(rolls, progress, throw),
            Mechanic::Different { of } => different::step(of, progress, throw),
        }
    }
}
