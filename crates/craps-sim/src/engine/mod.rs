//! The engine form: plays a strategy at a table, roll by roll. The table's own `settle` decides the bets and the table's own code advances the
//! hand. The table is asked which bets it takes, and its answers are cached.

mod rules;
mod seat;

use crate::dice::Stream;
use craps_money::Money;
use craps_table::SlotId;
use std::hash::Hash;

pub use rules::Rules;
pub(crate) use rules::{PLAYER, STAND_IN};
pub use seat::Seat;

/// A way of playing: which bets to make before each roll.
pub trait Strategy: Sync {
    /// What the strategy remembers from roll to roll. It is part of a position in the table of positions, so keep it small.
    type Memory: Clone + Eq + Hash + Default + Send;

    /// Returns what the strategy reads besides the bets on the felt.
    fn reads(&self) -> Reads;

    /// Called before every roll: looks at the seat and makes, changes or takes down bets.
    fn play(&self, memory: &mut Self::Memory, seat: &mut Seat<'_>);
}

/// What a strategy reads besides the bets on the felt. It decides whether a table of positions is finite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    /// Counters it reads, each with the largest value that still makes a difference.
    pub counters: Vec<(Counter, u32)>,
    /// True if it reads money: chips, peak or net result.
    pub money: bool,
    /// True if it reads which bets the last roll won or lost.
    pub last_throw: bool,
    /// True if it reads the total of the last roll.
    pub last_total: bool,
}

/// A count that a strategy can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Rolls by this shooter.
    ShooterThrows,
    /// Points made by this shooter.
    ShooterPoints,
    /// Rolls in the session.
    Throws,
    /// Hands that have ended with a seven-out.
    Hands,
    /// New bets made since this shooter took the dice. Odds and presses don't count.
    BetsThisShooter,
}

impl Counter {
    /// All counters, in the order of their indexes.
    pub const ALL: [Counter; 5] =
        [Counter::ShooterThrows, Counter::ShooterPoints, Counter::Throws, Counter::Hands, Counter::BetsThisShooter];
}

/// The buy-in of a session, and when the session ends.
///
/// ```
/// use craps_money::Money;
/// use craps_sim::Plan;
/// let plan = Plan::default().with_buy_in("300".parse()?).with_throws(60).with_stop(Money::from_minor(-15_000));
/// assert_eq!(plan, Plan { buy_in: 30_000, throws: 60, stop: Some(-15_000), goal: None });
/// # Ok::<(), craps_money::NotMoney>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// Chips that the player starts with, in minor units.
    pub buy_in: i64,
    /// Maximum number of rolls.
    pub throws: u32,
    /// Stop when the net result is this or less, in minor units.
    pub stop: Option<i64>,
    /// Stop when the net result is this or more, in minor units.
    pub goal: Option<i64>,
}

impl Default for Plan {
    /// A buy-in of $1,000 and at most 100 rolls, without a stop or a goal.
    fn default() -> Plan {
        Plan { buy_in: 100_000, throws: 100, stop: None, goal: None }
    }
}

impl Plan {
    /// Changes the buy-in.
    #[must_use]
    pub fn with_buy_in(self, buy_in: Money) -> Plan {
        Plan { buy_in: buy_in.minor(), ..self }
    }

    /// Changes the maximum number of rolls.
    #[must_use]
    pub fn with_throws(self, throws: u32) -> Plan {
        Plan { throws, ..self }
    }

    /// Ends a session when its net result is this or less.
    #[must_use]
    pub fn with_stop(self, stop: Money) -> Plan {
        Plan { stop: Some(stop.minor()), ..self }
    }

    /// Ends a session when its net result is this or more.
    #[must_use]
    pub fn with_goal(self, goal: Money) -> Plan {
        Plan { goal: Some(goal.minor()), ..self }
    }
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// It reached the maximum number of rolls.
    Throws,
    /// It reached the stop.
    Stop,
    /// It reached the goal.
    Goal,
    /// The strategy quit.
    Quit,
    /// The player had no chips for a bet and none on the felt.
    Broke,
}

/// The result of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionOutcome {
    /// Chips in the rail and on the felt minus the buy-in, in minor units.
    pub net: i64,
    /// Number of rolls played.
    pub throws: u32,
    /// Why it ended.
    pub end: End,
    /// Largest drop from an earlier peak, in minor units.
    pub drawdown: i64,
}

/// Plays a strategy at a table.
pub struct Engine<'e, S: Strategy> {
    strategy: &'e S,
    seat: Seat<'e>,
}

impl<'e, S: Strategy> Engine<'e, S> {
    /// Puts a strategy at a table.
    #[must_use]
    pub fn new(rules: &'e Rules, strategy: &'e S) -> Engine<'e, S> {
        Engine { strategy, seat: Seat::new(rules, 0) }
    }

    /// Returns the seat with its counters and refusals.
    #[must_use]
    pub fn seat(&self) -> &Seat<'e> {
        &self.seat
    }

    /// Clears the results by bet.
    pub(crate) fn forget(&mut self) {
        self.seat.till.forget();
    }

    /// Returns the net result of each bet since the last `forget`, and the amount resolved on it.
    pub(crate) fn moved(&self) -> Vec<(SlotId, i64, i64)> {
        self.seat.till.moved()
    }

    /// Plays one session. The result depends only on the seed, the number and the plan, not on earlier sessions.
    ///
    /// ```
    /// # use craps_law::Library;
    /// # use craps_sim::seated::{At, Seated, Terms, shipped};
    /// # let library = Library::shipped();
    /// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
    /// use craps_sim::{Engine, Plan};
    /// let mut engine = Engine::new(&seated.rules, &seated.program);
    /// let first = engine.session(7, 0, &Plan::default());
    /// assert_eq!(engine.session(7, 0, &Plan::default()), first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn session(&mut self, seed: u64, number: u64, plan: &Plan) -> SessionOutcome {
        self.followed(seed, number, plan, |_, _| {})
    }

    /// Like [`Engine::session`], and calls `each` with the net result after every roll.
    #[inline]
    pub fn followed(&mut self, seed: u64, number: u64, plan: &Plan, each: impl FnMut(u32, i64)) -> SessionOutcome {
        self.watched(seed, number, plan, |_| {}, each)
    }

    /// Like [`Engine::followed`], and calls `before` with the seat before every roll.
    #[inline]
    pub(crate) fn watched(
        &mut self,
        seed: u64,
        number: u64,
        plan: &Plan,
        mut before: impl FnMut(&Seat<'_>),
        mut each: impl FnMut(u32, i64),
    ) -> SessionOutcome {
        let mut stream = Stream::new(seed, number);
        let (strategy, seat) = (self.strategy, &mut self.seat);
        seat.begin(plan.buy_in);
        let mut memory = S::Memory::default();
        let (stop, goal) = (plan.stop.unwrap_or(i64::MIN), plan.goal.unwrap_or(i64::MAX));
        let (mut net, mut drawdown) = (0, 0);
        let mut throws = 0;
        // The next roll is drawn ahead of time, so that playing it never waits for the dice.
        let mut thrown = stream.way();
        let end = loop {
            if throws == plan.throws {
                break End::Throws;
            }
            strategy.play(&mut memory, seat);
            if seat.quits {
                break End::Quit;
            }
            if seat.short && seat.bets.is_empty() {
                break End::Broke;
            }
            before(seat);
            let way = std::mem::replace(&mut thrown, stream.way());
            seat.throw(way);
            throws += 1;
            // If no money moved, the net result is unchanged.
            let moved = std::mem::take(&mut seat.moved);
            if moved {
                net = seat.net();
                seat.peak = seat.peak.max(net);
                drawdown = drawdown.max(seat.peak - net);
            }
            each(throws, net);
            if moved {
                if net <= stop {
                    break End::Stop;
                }
                if net >= goal {
                    break End::Goal;
                }
            }
        };
        SessionOutcome { net: seat.net(), throws, end, drawdown }
    }
}
