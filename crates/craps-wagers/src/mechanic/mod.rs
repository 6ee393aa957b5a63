//! How wagers are decided. Each kind of mechanic has its own file with its own `step`.

pub(crate) mod collect;
pub(crate) mod count;
pub(crate) mod different;
pub(crate) mod line;
pub(crate) mod lucky;
mod one_throw;

use crate::{Dial, Dials, Phase, Progress, Rank, Step, WagerId};
use craps_dice::{Point, Throw, ThrowSet, TotalSet};

/// Which side of the dice a bet is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Side {
    /// It wins on the number and loses on the seven.
    Right,
    /// It wins on the seven and loses on the number.
    Wrong,
}

/// The bet that an odds bet is behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Front {
    /// A line or come bet, which gets its number on its come-out roll.
    Line(WagerId),
    /// Put bets, which are made directly on a number. There is one wager for each number.
    Number(&'static [WagerId]),
}

/// One part of a composite wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Part {
    /// The one-roll wager that this part is a bet on.
    pub wager: WagerId,
    /// The number of units on it.
    pub units: u8,
}

/// How a wager is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mechanic {
    /// A come-out roll sets a number, then the number races the seven: pass, come, don't pass and don't come.
    Line {
        /// With the shooter or against.
        side: Side,
        /// Come-out totals that push, in addition to those that the book bars.
        pushes: TotalSet,
        /// Come-out totals that win at their own rank. The first set is rank 1.
        ranks: &'static [TotalSet],
    },
    /// Odds behind a bet that has its number. The rank is the number.
    Behind(Side, Front),
    /// One set of rolls against another. Any other roll leaves the bet up.
    Race {
        /// The rolls that win.
        wins: ThrowSet,
        /// The rolls that lose.
        loses: ThrowSet,
    },
    /// Decided by the next roll. The rank is the first set that contains it.
    OneThrow(&'static [ThrowSet]),
    /// Decided by one or two rolls: the first wins at a rank, loses, or leaves it to the second.
    TwoRolls {
        /// The rolls that win at once.
        first: &'static [ThrowSet],
        /// The rolls after which a second roll decides.
        goes_on: ThrowSet,
        /// The second rolls that win. Their ranks come after those of the first roll.
        second: &'static [ThrowSet],
    },
    /// Several one-roll wagers bought as one. The rank is the part that wins.
    Composite(&'static [Part]),
    /// The number of different points made before the seven-out.
    PointsMade,
    /// The number of points made before the seven-out, repeats included.
    PassesMade {
        /// The count at which the bet is paid at once.
        most: u8,
    },
    /// The number of come-out naturals and points made before the seven-out.
    LineWins {
        /// The top count. Higher counts pay the same.
        most: u8,
    },
    /// The number of rolls before the seven-out.
    ThrowsSurvived {
        /// The top count. Higher counts pay the same.
        most: u8,
    },
    /// All of these totals before a seven.
    Collect(TotalSet),
    /// The number of box numbers rolled in every combination before a seven.
    NumbersCompleted,
    /// A point, then the other box numbers without a repeat.
    RunOfNumbers,
    /// These totals, a given number of times before a seven.
    Repeats {
        /// The totals that count.
        totals: TotalSet,
        /// How many times they must come up, all together.
        times: u8,
    },
    /// A given number of rolls without a seven.
    NoSeven {
        /// The number of rolls without a seven that wins.
        rolls: u8,
    },
    /// The number of different rolls of a set before a seven. The bet is paid at once when all have come up.
    Different {
        /// The rolls that count.
        of: ThrowSet,
    },
}

impl Mechanic {
    /// Returns the dials that affect this mechanic.
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
    /// The rules by which the wager is decided.
    pub mechanic: Mechanic,
    /// The readings that are taken where the regulation is unclear.
    pub dials: Dials,
}

impl Machine {
    /// Returns the progress of a new bet. Odds need a number; other bets must not have one. `None` if that isn't so.
    #[must_use]
    pub fn start(&self, number: Option<Point>) -> Option<Progress> {
        match (&self.mechanic, number) {
            (Mechanic::Behind(..), number) => number.map(line::on_number),
            (_, None) => Some(Progress::FRESH),
            (_, Some(_)) => None,
        }
    }

    /// Returns the progress of a line or odds bet on a number. For any other bet, returns the progress of a new bet.
    #[must_use]
    pub fn on(&self, number: Point) -> Progress {
        match self.mechanic {
            Mechanic::Line { .. } | Mechanic::Behind(..) => line::on_number(number),
            _ => Progress::FRESH,
        }
    }

    /// Returns the number that a line or odds bet is on.
    #[must_use]
    pub fn number(&self, progress: Progress) -> Option<Point> {
        match self.mechanic {
            Mechanic::Line { .. } | Mechanic::Behind(..) => line::number(progress),
            _ => None,
        }
    }

    /// Returns the rank that is paid while the bet stays up, if the mechanic has one.
    #[must_use]
    pub const fn credited(&self) -> Option<Rank> {
        match self.mechanic {
            Mechanic::RunOfNumbers => Some(lucky::NATURAL),
            _ => None,
        }
    }

    /// Returns true if its steps can depend on the phase of an ordinary hand. Otherwise the machine can be solved without the phase.
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

    /// Returns what a roll does to a bet. This is the only place that decides when a wager wins.
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
