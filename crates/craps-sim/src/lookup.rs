//! Plays sessions by look-up: many side by side, so that one can wait for memory while the others go on, and two rolls per look-up.

mod lanes;
mod pairs;

use crate::dice::Stream;
use crate::engine::{End, Plan, SessionOutcome};
use crate::tabulate::{Tabulation, Transition};
use lanes::{Bounds, Played, side_by_side};
use pairs::Pairs;

/// A table of positions packed for look-ups.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// One entry per roll: the offset of the next position in the lower 32 bits, and the change in units in the upper 32 bits.
    singles: Vec<u64>,
    /// Two rolls per entry. None if they don't fit.
    pairs: Option<Pairs>,
    quits: Vec<bool>,
    unit: i64,
}

impl Lookup {
    /// Packs a table. Returns None if a change doesn't fit.
    ///
    /// ```
    /// # use craps_law::Library;
    /// # use craps_sim::seated::{At, Seated, Terms, shipped};
    /// # let library = Library::shipped();
    /// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
    /// use craps_sim::{Plan, lookup::Lookup, tabulate::tabulate};
    /// let lookup = Lookup::new(&tabulate(&seated.rules, &seated.program, 1_000)?.folded()).unwrap();
    /// let mut played = 0;
    /// lookup.sessions(7, 0, 10, &Plan::default(), None, |_, _| played += 1);
    /// assert_eq!(played, 10);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(table: &Tabulation) -> Option<Lookup> {
        let single = |turn: &Transition| {
            let delta = i32::try_from(turn.delta / table.unit).ok()?;
            let offset = turn.next.checked_mul(36)?;
            Some(u64::from(offset) | u64::from(delta.cast_unsigned()) << 32)
        };
        let singles = table.turns.iter().flatten().map(single).collect::<Option<_>>()?;
        // Strategies that quit are played one roll at a time.
        let quits = table.quits.contains(&true);
        let pairs = if quits { None } else { Pairs::new(table) };
        Some(Lookup { singles, pairs, quits: table.quits.clone(), unit: table.unit })
    }

    /// Plays `count` sessions starting at number `first`, and calls `each` with the number and outcome of each one as it ends. A session whose net
    /// result falls to `line` or below ends there and is marked as broke, because the table isn't valid below that line.
    pub fn sessions(
        &self,
        seed: u64,
        first: u64,
        count: u64,
        plan: &Plan,
        line: Option<i64>,
        mut each: impl FnMut(u64, SessionOutcome),
    ) {
        let numbers = first..first + count;
        let bounds = self.bounds(plan, line);
        let ended = |number, played: &Played| each(number, self.outcome(played, plan, line));
        match self.pairs.as_ref().filter(|_| plan.throws > 0) {
            Some(Pairs::Narrow(pairs)) => side_by_side(pairs, seed, numbers, plan.throws, bounds, ended),
            Some(Pairs::Wide(pairs)) => side_by_side(pairs, seed, numbers, plan.throws, bounds, ended),
            None => numbers.for_each(|number| each(number, self.one(seed, number, plan, line))),
        }
    }

    fn bounds(&self, plan: &Plan, line: Option<i64>) -> Bounds {
        Bounds::new(plan.stop.into_iter().chain(line).max(), plan.goal, self.unit)
    }

    fn outcome(&self, played: &Played, plan: &Plan, line: Option<i64>) -> SessionOutcome {
        let net = played.net * self.unit;
        let end = if line.is_some_and(|line| net <= line) {
            End::Broke
        } else if plan.stop.is_some_and(|stop| net <= stop) {
            End::Stop
        } else if plan.goal.is_some_and(|goal| net >= goal) {
            End::Goal
        } else {
            End::Throws
        };
        SessionOutcome { net, throws: played.throws, end, drawdown: played.fall * self.unit }
    }

    /// Plays one session one roll at a time.
    fn one(&self, seed: u64, number: u64, plan: &Plan, line: Option<i64>) -> SessionOutcome {
        let mut stream = Stream::new(seed, number);
        let bounds = self.bounds(plan, line);
        let (mut offset, mut played) = (0, Played::default());
        while played.throws < plan.throws {
            if self.quits[offset / 36] {
                return SessionOutcome { end: End::Quit, ..self.outcome(&played, plan, line) };
            }
            let entry = self.singles[offset + stream.way()];
            offset = (entry & 0xffff_ffff) as usize;
            played.throw(entry.cast_signed() >> 32);
            if bounds.are_reached(played.net) {
                break;
            }
        }
        self.outcome(&played, plan, line)
    }
}
