//! The engine form: a strategy at a table, throw by throw. Bets are decided by the table's own `settle`, the hand goes on by the table's own
//! fold, and what may be bet is asked of the table itself; its answers are remembered.

mod rules;
mod seat;

use crate::dice::Stream;
use craps_money::Money;
use craps_table::SlotId;
use std::hash::Hash;

pub use rules::Rules;
pub(crate) use rules::{PLAYER, STAND_IN};
pub use seat::Seat;

/// A way of playing.
pub trait Strategy: Sync {
    /// What it remembers from throw to throw; part of the state when it is tabulated, so small.
    type Memory: Clone + Eq + Hash + Default + Send;

    /// What it reads besides the felt.
    fn reads(&self) -> Reads;

    /// Before every throw: looks at the seat and gives orders.
    fn play(&self, memory: &mut Self::Memory, seat: &mut Seat<'_>);
}

/// What a strategy reads besides the felt, so that a table of its states is finite.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reads {
    /// Counters, each with the largest value that still makes a difference.
    pub counters: Vec<(Counter, u32)>,
    /// Does it read money: rail, peak or net?
    pub money: bool,
    /// Does it read what the last throw won or lost?
    pub last_throw: bool,
    /// Does it read what was thrown last?
    pub last_total: bool,
}

/// Something that is counted at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counter {
    /// Throws of this shooter.
    ShooterThrows,
    /// Points this shooter made.
    ShooterPoints,
    /// Throws of the session.
    Throws,
    /// Hands that are over.
    Hands,
    /// New bets made since this shooter took the dice; odds and presses are none.
    BetsThisShooter,
}

impl Counter {
    /// Every counter.
    pub const ALL: [Counter; 5] =
        [Counter::ShooterThrows, Counter::ShooterPoints, Counter::Throws, Counter::Hands, Counter::BetsThisShooter];
}

/// How long a session goes on.
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
    /// What the player brings, in minor units.
    pub buy_in: i64,
    /// The most throws.
    pub throws: u32,
    /// Stop when the net result is this or less.
    pub stop: Option<i64>,
    /// Stop when the net result is this or more.
    pub goal: Option<i64>,
}

impl Default for Plan {
    /// A buy-in of 1,000 and at most 100 throws, without a stop or a goal.
    fn default() -> Plan {
        Plan { buy_in: 100_000, throws: 100, stop: None, goal: None }
    }
}

impl Plan {
    /// With another buy-in.
    #[must_use]
    pub fn with_buy_in(self, buy_in: Money) -> Plan {
        Plan { buy_in: buy_in.minor(), ..self }
    }

    /// With another number of throws.
    #[must_use]
    pub fn with_throws(self, throws: u32) -> Plan {
        Plan { throws, ..self }
    }

    /// A session stops when its net result is this or less.
    #[must_use]
    pub fn with_stop(self, stop: Money) -> Plan {
        Plan { stop: Some(stop.minor()), ..self }
    }

    /// A session stops when its net result is this or more.
    #[must_use]
    pub fn with_goal(self, goal: Money) -> Plan {
        Plan { goal: Some(goal.minor()), ..self }
    }
}

/// Why a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum End {
    /// All its throws were made.
    Throws,
    /// It lost as much as it would.
    Stop,
    /// It won as much as it wanted.
    Goal,
    /// The strategy quit.
    Quit,
    /// Nothing was left to bet with.
    Broke,
}

/// What came of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SessionOutcome {
    /// What is on the rail and on the felt, less the buy-in, in minor units.
    pub net: i64,
    /// How many throws it took.
    pub throws: u32,
    /// Why it ended.
    pub end: End,
    /// The most it fell from a height it had reached.
    pub drawdown: i64,
}

/// A strategy at a table.
pub struct Engine<'e, S: Strategy> {
    strategy: &'e S,
    seat: Seat<'e>,
}

impl<'e, S: Strategy> Engine<'e, S> {
    /// Sits a strategy down.
    #[must_use]
    pub fn new(rules: &'e Rules, strategy: &'e S) -> Engine<'e, S> {
        Engine { strategy, seat: Seat::new(rules, 0) }
    }

    /// The seat, for what it has counted.
    #[must_use]
    pub fn seat(&self) -> &Seat<'e> {
        &self.seat
    }

    /// Forgets what each bet brought.
    pub(crate) fn forget(&mut self) {
        self.seat.till.forget();
    }

    /// What each bet brought since, and what was resolved on it.
    pub(crate) fn moved(&self) -> Vec<(SlotId, i64, i64)> {
        self.seat.till.moved()
    }

    /// Plays one session: the same for the same seed and number, whatever was played before.
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

    /// The same, and tells the net result after every throw.
    #[inline]
    pub fn followed(&mut self, seed: u64, number: u64, plan: &Plan, each: impl FnMut(u32, i64)) -> SessionOutcome {
        self.watched(seed, number, plan, |_| {}, each)
    }

    /// The same, and shows the seat before every throw.
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
        // The dice are in the air while the bets are made: a throw that is known early keeps nobody waiting.
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
            // Where no money has moved, the result is what it was.
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
