//! Sessions by look-up: many side by side, so that one waits for memory while the others go on, and two throws with every look-up.

mod lanes;
mod pairs;

use crate::dice::Stream;
use crate::engine::{End, Plan, SessionOutcome};
use crate::tabulate::{Tabulation, Transition};
use lanes::{Bounds, Played, side_by_side};
use pairs::Pairs;

/// A table of positions packed for looking up.
#[derive(Debug, Clone)]
pub struct Lookup {
    /// Throw by throw: the offset of the next position, and the change in units above it.
    singles: Vec<u64>,
    /// Two throws at a time, where they fit.
    pairs: Option<Pairs>,
    quits: Vec<bool>,
    unit: i64,
}

impl Lookup {
    /// Packs a table; none if a change does not fit.
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
        // What quits is played throw by throw.
        let quits = table.quits.contains(&true);
        let pairs = if quits { None } else { Pairs::new(table) };
        Some(Lookup { singles, pairs, quits: table.quits.clone(), unit: table.unit })
    }

    /// Plays sessions from this number on, and tells what came of each with its number, in the order in which they end. Those whose net
    /// result falls to the line or below are handed over too, marked as broke: the table does not hold there.
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

    /// One session by itself.
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
