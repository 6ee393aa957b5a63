//! The luck-adjusted mean: the mean with the luck of the dice taken out, roll by roll.
//!
//! Before each roll the table itself says what the 36 dice combinations would pay on average. The difference between the result of a roll and
//! that average is pure luck. Luck averages zero, no matter how a strategy bets and when it stops. So a session minus its luck has the same mean
//! as the session, and varies far less.

#![allow(clippy::float_arithmetic, reason = "statistics")]

use crate::dice::WAYS;
use crate::engine::{Engine, Plan, Seat, SessionOutcome, Strategy};
use craps_table::{Bet, Called, SeatBets, SlotId, settle};
use craps_wagers::Phase;
use std::cell::Cell;
use std::collections::HashMap;

/// The mean of sessions minus their luck, or of the difference between two of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Controlled {
    /// Mean in minor units.
    pub mean: f64,
    /// Standard error of the mean, in minor units.
    pub error: f64,
    /// Number of sessions in the sample.
    pub sessions: u64,
}

/// Everything that decides what the next roll does to a bet: its slot, the phase, the bet itself, and whether the bet in front was turned on or
/// off.
type StandingBet = (SlotId, Phase, Bet, Called);

/// Caches the average results of bets. Amounts are in 36ths of minor units, so that they stay whole numbers.
#[derive(Debug, Default)]
pub(crate) struct Control {
    known: HashMap<StandingBet, i64>,
}

/// More than any strategy needs unless its bet sizes depend on its money. Beyond this, results are computed but not cached.
const MOST_KNOWN: usize = 100_000;

impl Control {
    /// Returns the sum of what the 36 dice combinations do to all bets on the felt.
    pub(crate) fn sum(&mut self, seat: &Seat<'_>) -> i64 {
        seat.standing().iter().map(|slot| self.sum_of(seat, slot)).sum()
    }

    fn sum_of(&mut self, seat: &Seat<'_>, slot: SlotId) -> i64 {
        let Some(bet) = seat.bets.get(slot) else { return 0 };
        let front = seat.table().0.slot(slot).front.and_then(|front| Some((front, *seat.bets.get(front)?)));
        // What a bet remembers only decides whether it can be taken down.
        let bet = Bet { thrown: false, point_set: false, ..*bet };
        let standing = (slot, seat.phase(), bet, front.map_or(Called::Standard, |(_, front)| front.called));
        if let Some(sum) = self.known.get(&standing) {
            return *sum;
        }
        let sum = settled(seat, slot, bet, front);
        if self.known.len() < MOST_KNOWN {
            self.known.insert(standing, sum);
        }
        sum
    }

    /// Plays a session, calls `each` with the net result after every roll, and returns the outcome and the result minus its luck.
    pub(crate) fn session<S: Strategy>(
        &mut self,
        engine: &mut Engine<'_, S>,
        seed: u64,
        number: u64,
        plan: &Plan,
        mut each: impl FnMut(u32, i64),
    ) -> (SessionOutcome, i64) {
        let (standing, luck) = (Cell::new(0), Cell::new(0));
        let before = |seat: &Seat<'_>| {
            standing.set(seat.net());
            luck.set(luck.get() - self.sum(seat));
        };
        let after = |throws, net: i64| {
            luck.set(luck.get() + 36 * (net - standing.get()));
            each(throws, net);
        };
        let outcome = engine.watched(seed, number, plan, before, after);
        (outcome, 36 * outcome.net - luck.get())
    }
}

/// Settles one bet under all 36 dice combinations with the table's own code. Odds come with the bet in front of them, which may be off.
fn settled(seat: &Seat<'_>, slot: SlotId, bet: Bet, front: Option<(SlotId, Bet)>) -> i64 {
    let (board, rules) = seat.table();
    let mut till = seat.till.clone();
    till.forget();
    for throw in WAYS {
        let mut bets = SeatBets::from(front.into_iter().chain([(slot, bet)]).collect::<Vec<_>>());
        settle(board, rules, &mut bets, seat.phase(), throw, &[], &mut till);
    }
    till.net[slot.index()]
}

/// Running sums of sessions minus their luck, in 36ths of minor units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    sessions: u64,
    sum: i128,
    squares: i128,
}

impl Sums {
    pub(crate) fn add(&mut self, session: i64) {
        let session = i128::from(session);
        self.sessions += 1;
        self.sum += session;
        self.squares += session * session;
    }

    pub(crate) fn join(&mut self, other: Sums) {
        self.sessions += other.sessions;
        self.sum += other.sum;
        self.squares += other.squares;
    }

    /// Returns the mean. None with fewer than two sessions, because they say nothing about the error.
    pub(crate) fn mean(&self) -> Option<Controlled> {
        let count = i128::from(self.sessions);
        if count < 2 {
            return None;
        }
        // Whole numbers until the last step: n times the sum of squares minus the square of the sum is n squared times the variance.
        let spread = (count * self.squares - self.sum * self.sum) as f64;
        let sessions = count as f64;
        Some(Controlled {
            mean: self.sum as f64 / sessions / 36.0,
            error: (spread / sessions / (sessions - 1.0) / sessions).max(0.0).sqrt() / 36.0,
            sessions: self.sessions,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Rules;
    use crate::shipped::Shipped;
    use craps_law::{HouseRules, Library};

    /// Settles all bets on the felt together, under all 36 dice combinations.
    fn whole(seat: &Seat<'_>) -> i64 {
        let (board, rules) = seat.table();
        let net = |throw| {
            let (mut bets, mut till) = (seat.bets.clone(), seat.till.clone());
            settle(board, rules, &mut bets, seat.phase(), throw, &[], &mut till);
            till.worth - seat.till.worth
        };
        WAYS.map(net).iter().sum()
    }

    /// Covers every kind of bet: odds that are off, commissions, side bets that collect numbers, bets that stay up.
    #[test]
    fn bets_one_by_one_bring_what_they_bring_together() {
        let library = Library::shipped();
        for shipped in Shipped::all() {
            let script = shipped.script().unwrap();
            let book = library.book(script.book.as_deref().unwrap_or("nj")).unwrap();
            let mut house = HouseRules::plain(&book.id, book.sample_day);
            for pair in script.house.iter().flat_map(|house| house.split(';')) {
                let (key, value) = pair.split_once('=').unwrap();
                house.set(key.trim(), value.trim()).unwrap();
            }
            let rules = Rules::new(book.admit(&house).unwrap()).unwrap();
            let program = script.at(rules.board(), rules.table()).unwrap();
            let plan = Plan { buy_in: program.buy_in(), throws: 60, stop: None, goal: None };
            let (mut engine, mut control) = (Engine::new(&rules, &program), Control::default());
            let mut seen = 0;
            for number in 0..8 {
                let before = |seat: &Seat<'_>| {
                    assert_eq!(control.sum(seat), whole(seat), "{}, session {number}", shipped.name);
                    seen += seat.standing().len();
                };
                engine.watched(5, number, &plan, before, |_, _| {});
            }
            assert!(seen > 0, "{} never bets", shipped.name);
        }
    }

    #[test]
    fn the_error_is_the_deviation_over_the_root() {
        let mut sums = Sums::default();
        [0, 3_600, 7_200].into_iter().for_each(|session| sums.add(session));
        let mean = sums.mean().unwrap();
        // The deviation of 0, 100 and 200 is 100.
        assert!((mean.mean - 100.0).abs() < 1e-9 && (mean.error - 100.0 / 3f64.sqrt()).abs() < 1e-9, "{mean:?}");
        assert_eq!(Sums::default().mean(), None);
    }
}
