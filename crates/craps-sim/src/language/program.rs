//! A strategy compiled for a table: every name is a slot, and everything known in advance is computed.

use super::script::{Compared, Turn, Way};
use crate::engine::{Counter, Reads, Seat, Strategy};
use craps_dice::Total;
use craps_table::{AfterWin, Called, MOST_SLOTS, SlotId, Slots};
use craps_wagers::Phase;

/// Maximum number of values that a strategy can remember.
pub(super) const ROOM: usize = 16;

/// What a strategy remembers from roll to roll. Variables are stored as the difference from their first value, so that the memory is all zeros
/// at the start of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Memory([i64; ROOM]);

/// A strategy compiled for a table.
#[derive(Debug, Clone)]
pub struct Program {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) buy_in: i64,
    pub(super) unit: i64,
    pub(super) stop: Option<i64>,
    pub(super) goal: Option<i64>,
    pub(super) variables: Vec<(String, i64)>,
    pub(super) reads: Reads,
    /// Maximum number of new bets on one shooter.
    pub(super) cap: Option<u32>,
    /// Operations before a come-out roll. `point_on` holds those for each point.
    pub(super) coming_out: Vec<Op>,
    pub(super) point_on: [Vec<Op>; 10],
    /// True if it ever makes a line bet.
    pub(super) shoots: bool,
}

impl Program {
    /// Returns the name of the strategy.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how it is played.
    #[must_use]
    pub fn about(&self) -> &str {
        &self.about
    }

    /// Returns the buy-in, in minor units.
    #[must_use]
    pub fn buy_in(&self) -> i64 {
        self.buy_in
    }

    /// Returns the value of one unit, in minor units.
    #[must_use]
    pub fn unit(&self) -> i64 {
        self.unit
    }

    /// Returns the net result at which the player stops, in minor units.
    #[must_use]
    pub fn stop(&self) -> Option<i64> {
        self.stop
    }

    /// Returns the net result at which the player is done, in minor units.
    #[must_use]
    pub fn goal(&self) -> Option<i64> {
        self.goal
    }

    /// Returns the names that it remembers with their first values in hundredths: variables, and the steps of progressions.
    #[must_use]
    pub fn variables(&self) -> &[(String, i64)] {
        &self.variables
    }

    /// Returns true if it ever makes a line bet, so that the player can shoot.
    #[must_use]
    pub fn shoots(&self) -> bool {
        self.shoots
    }
}

impl Strategy for Program {
    type Memory = Memory;

    fn reads(&self) -> Reads {
        self.reads.clone()
    }

    #[inline]
    fn play(&self, memory: &mut Memory, seat: &mut Seat<'_>) {
        let todo = match seat.phase() {
            Phase::ComeOut | Phase::ComeDecisionOnly => &self.coming_out,
            Phase::Point(point) => &self.point_on[point.index()],
        };
        Play { memory, seat, cap: self.cap }.all(todo);
    }
}

/// One operation.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Op {
    If(Test, Vec<Op>, Vec<Op>),
    /// Bets up to at least this amount.
    Have(SlotId, Value),
    /// Takes odds behind each of the bets that is up.
    Odds(BehindEach),
    /// Adds this amount to a bet that is up.
    Add(SlotId, Value),
    /// Doubles a bet.
    Double(SlotId),
    /// Adds half of the bet.
    AddHalf(SlotId),
    /// Raises a bet that is up to this amount.
    RaiseTo(SlotId, Value),
    /// Lowers a bet to half.
    Halve(SlotId),
    /// Lowers a bet to this amount.
    LowerTo(SlotId, Value),
    /// Takes this amount off a bet.
    Take(SlotId, Value),
    Down(SlotId),
    Move(SlotId, SlotId),
    Call(SlotId, Called),
    Tell(SlotId, AfterWin),
    Set {
        at: usize,
        begins: i64,
        to: Value,
    },
    /// Moves along the steps of a progression, or counts in a row.
    Step {
        at: usize,
        won: Test,
        lost: Test,
        on_win: Turn,
        on_loss: Turn,
        last: i64,
    },
    Quit,
}

/// Odds behind several bets, found by the bet in front, because most of them aren't up.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BehindEach {
    fronts: Slots,
    /// Index in `behind` for each bet.
    places: Box<[u8; MOST_SLOTS]>,
    pub(super) behind: Vec<Behind>,
}

impl BehindEach {
    /// Groups odds in the order in which they are taken. Bets are visited in the order of the board, so another order needs several groups.
    pub(super) fn in_order(all: Vec<Behind>) -> Vec<BehindEach> {
        let mut runs: Vec<BehindEach> = Vec::new();
        let mut last = None;
        for behind in all {
            let front = behind.front;
            if last.is_none_or(|last| last >= front) {
                runs.push(BehindEach { fronts: Slots::NONE, places: Box::new([0; MOST_SLOTS]), behind: Vec::new() });
            }
            if let Some(run) = runs.last_mut() {
                run.fronts.insert(front);
                // A board has few enough slots for a byte.
                run.places[front.index()] = u8::try_from(run.behind.len()).unwrap_or_default();
                run.behind.push(behind);
            }
            last = Some(front);
        }
        runs
    }
}

/// Odds behind one bet.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Behind {
    pub(super) front: SlotId,
    pub(super) odds: SlotId,
    /// Flat bets for which the amount of odds is known in advance: flat bet and odds.
    pub(super) known: Vec<(i64, i64)>,
    pub(super) wants: Wants,
}

/// How much odds to take.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Wants {
    /// The maximum.
    Most,
    /// A fraction of the flat bet, rounded to a multiple.
    Times {
        top: i64,
        bottom: i64,
        multiple: i64,
    },
    Amount(Value),
}

/// A condition to test.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    Known(bool),
    Not(Box<Test>),
    All(Vec<Test>),
    Any(Vec<Test>),
    Won(SlotId),
    Lost(SlotId),
    Stands(Slots),
    /// The last roll was one of these totals, one bit each.
    Thrown(u16),
    NewShooter,
    Compare(Value, Compared, Value),
}

/// A number in hundredths.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Known(i64),
    Stake(SlotId),
    Stakes(Vec<SlotId>),
    HowMany(Slots),
    Counter(Counter),
    Rail,
    Net,
    Peak,
    Variable {
        at: usize,
        begins: i64,
    },
    /// A count in the memory.
    Row(usize),
    /// The item of a list, counted from one.
    Item(Box<Value>, Vec<i64>),
    Win(Vec<SlotId>),
    Least(SlotId),
    Most(SlotId),
    Plus(Box<(Value, Value)>),
    Minus(Box<(Value, Value)>),
    Times(Box<(Value, Value)>),
    Over(Box<(Value, Value)>),
    Smaller(Box<(Value, Value)>),
    Larger(Box<(Value, Value)>),
    Rounded(Box<(Value, Value)>, Way),
    /// Rounded to what a bet is paid exactly in.
    RoundedFor(Box<Value>, Way, SlotId),
    /// A whole number of shares: the amount, the size of one share over all bets, and the part of it that goes here.
    Share(Box<Value>, i64, i64),
}

impl Wants {
    /// Returns the odds behind this flat bet if arithmetic alone decides it: rounded down to what is paid exactly, but at least that step.
    pub(super) fn of(&self, flat: i64) -> Option<i64> {
        match self {
            Wants::Times { top, bottom, multiple } => {
                let exact = narrowed(i128::from(flat) * i128::from(*top) / i128::from((*bottom).max(1)));
                Some(rounded(exact, *multiple, Way::Down).max(*multiple))
            }
            Wants::Most | Wants::Amount(_) => None,
        }
    }
}

struct Play<'p, 's, 'e> {
    memory: &'p mut Memory,
    seat: &'s mut Seat<'e>,
    cap: Option<u32>,
}

impl Play<'_, '_, '_> {
    fn all(&mut self, todo: &[Op]) {
        for op in todo {
            self.one(op);
        }
    }

    #[inline]
    fn one(&mut self, op: &Op) {
        match op {
            Op::Have(slot, amount) => self.have(*slot, amount),
            Op::If(test, then, otherwise) => {
                let then = if self.holds(test) { then } else { otherwise };
                self.all(then);
            }
            Op::Odds(each) => {
                for front in self.seat.standing().and(each.fronts).iter() {
                    self.odds(&each.behind[usize::from(each.places[front.index()])]);
                }
            }
            other => self.rare(other),
        }
    }

    /// Runs the operations that change bets or memory.
    fn rare(&mut self, op: &Op) {
        match op {
            Op::Add(slot, amount) => {
                if self.seat.stake(*slot) > 0 {
                    let amount = self.value(amount);
                    self.seat.bet(*slot, amount);
                }
            }
            Op::Double(slot) => {
                let stake = self.seat.stake(*slot);
                self.seat.bet(*slot, stake);
            }
            Op::AddHalf(slot) => {
                let (half, multiple) = (self.seat.stake(*slot) / 2, self.seat.multiple(*slot));
                self.seat.bet(*slot, rounded(half, multiple, Way::Down));
            }
            Op::RaiseTo(slot, amount) => {
                let stake = self.seat.stake(*slot);
                if stake > 0 {
                    let amount = self.value(amount);
                    self.seat.bet(*slot, amount.saturating_sub(stake));
                }
            }
            Op::Halve(slot) => {
                let (stake, multiple) = (self.seat.stake(*slot), self.seat.multiple(*slot));
                let left = rounded(stake / 2, multiple, Way::Up);
                if left < stake {
                    self.seat.down(*slot, stake - left);
                }
            }
            Op::LowerTo(slot, amount) => {
                let (stake, amount) = (self.seat.stake(*slot), self.value(amount).max(0));
                if amount < stake {
                    self.seat.down(*slot, stake - amount);
                }
            }
            Op::Take(slot, amount) => {
                let (stake, amount) = (self.seat.stake(*slot), self.value(amount));
                if stake > 0 && amount > 0 {
                    self.seat.down(*slot, amount.min(stake));
                }
            }
            Op::Down(slot) => {
                let stake = self.seat.stake(*slot);
                if stake > 0 {
                    self.seat.down(*slot, stake);
                }
            }
            Op::Move(from, to) => {
                let stake = self.seat.stake(*from);
                if stake > 0 && self.seat.down(*from, stake) {
                    self.seat.bet(*to, stake);
                }
            }
            Op::Call(slot, called) => {
                if self.seat.standing().contains(*slot) {
                    self.seat.call(*slot, *called);
                }
            }
            Op::Tell(slot, after_win) => {
                if self.seat.standing().contains(*slot) {
                    self.seat.tell(*slot, *after_win);
                }
            }
            Op::Set { at, begins, to } => {
                let to = self.value(to);
                self.keep(*at, to.saturating_sub(*begins));
            }
            Op::Step { at, won, lost, on_win, on_loss, last } => {
                let turn = if self.holds(won) {
                    *on_win
                } else if self.holds(lost) {
                    *on_loss
                } else {
                    return;
                };
                let now = self.kept(*at);
                self.keep(*at, turned(now, turn, *last));
            }
            Op::Quit => self.seat.quit(),
            Op::Have(..) | Op::If(..) | Op::Odds(..) => {}
        }
    }

    #[inline]
    fn have(&mut self, slot: SlotId, amount: &Value) {
        let stake = self.seat.stake(slot);
        let amount = match amount {
            Value::Known(amount) => *amount,
            amount => self.value(amount),
        };
        if stake >= amount {
            return;
        }
        if let Some(cap) = self.cap
            && stake == 0
            && self.seat.count(Counter::BetsThisShooter) >= cap
        {
            return;
        }
        self.seat.bet(slot, amount - stake);
    }

    #[inline]
    fn odds(&mut self, behind: &Behind) {
        let flat = self.seat.stake(behind.front);
        let stake = self.seat.stake(behind.odds);
        let amount = match (behind.known.iter().find(|(known, _)| *known == flat), &behind.wants) {
            (Some((_, amount)), _) => *amount,
            (None, Wants::Most) => self.most(behind.odds),
            (None, Wants::Amount(amount)) => self.value(amount),
            (None, times) => times.of(flat).unwrap_or_default(),
        };
        if stake < amount {
            self.seat.bet(behind.odds, amount - stake);
        }
    }

    /// Returns the maximum for the bet, rounded to what is paid. Zero if it is closed or has no maximum.
    fn most(&mut self, slot: SlotId) -> i64 {
        let multiple = self.seat.multiple(slot);
        self.seat.most(slot).map_or(0, |most| rounded(most, multiple, Way::Down))
    }

    fn kept(&self, at: usize) -> i64 {
        self.memory.0.get(at).copied().unwrap_or_default()
    }

    fn keep(&mut self, at: usize, value: i64) {
        if let Some(place) = self.memory.0.get_mut(at) {
            *place = value;
        }
    }

    fn holds(&mut self, test: &Test) -> bool {
        match test {
            Test::Known(known) => *known,
            Test::Compare(left, how, right) => {
                let (left, right) = (self.value(left), self.value(right));
                how.holds(left, right)
            }
            Test::Won(slot) => self.seat.won(*slot),
            Test::Lost(slot) => self.seat.lost(*slot),
            Test::Stands(slots) => self.seat.standing().meets(*slots),
            Test::Thrown(totals) => self.seat.hand.previous.is_some_and(|total| totals & bit(total) != 0),
            Test::NewShooter => self.seat.count(Counter::ShooterThrows) == 0,
            Test::Not(test) => !self.holds(test),
            Test::All(tests) => tests.iter().all(|test| self.holds(test)),
            Test::Any(tests) => tests.iter().any(|test| self.holds(test)),
        }
    }

    /// Returns a value. Most are known or can be read from the felt.
    #[inline]
    fn value(&mut self, value: &Value) -> i64 {
        match value {
            Value::Known(known) => *known,
            Value::HowMany(slots) => i64::from(self.seat.standing().and(*slots).len()) * 100,
            other => self.worked_out(other),
        }
    }

    #[inline(never)]
    fn worked_out(&mut self, value: &Value) -> i64 {
        match value {
            Value::Known(known) => *known,
            Value::Stake(slot) => self.seat.stake(*slot),
            Value::Stakes(slots) => slots.iter().map(|slot| self.seat.stake(*slot)).fold(0, i64::saturating_add),
            Value::HowMany(slots) => i64::from(self.seat.standing().and(*slots).len()) * 100,
            Value::Counter(counter) => i64::from(self.seat.count(*counter)) * 100,
            Value::Rail => self.seat.rail(),
            Value::Net => self.seat.net(),
            Value::Peak => self.seat.peak(),
            Value::Variable { at, begins } => self.kept(*at).saturating_add(*begins),
            Value::Row(at) => self.kept(*at).saturating_mul(100),
            Value::Item(at, steps) => {
                let place = usize::try_from(self.value(at) / 100 - 1).unwrap_or_default();
                steps.get(place).or(steps.last()).copied().unwrap_or_default()
            }
            Value::Win(slots) => {
                let won = slots.iter().filter(|slot| self.seat.won(**slot));
                won.map(|slot| self.seat.last_win(*slot)).fold(0, i64::saturating_add)
            }
            Value::Least(slot) => {
                let multiple = self.seat.multiple(*slot);
                self.seat.least(*slot).map_or(0, |least| rounded(least, multiple, Way::Up))
            }
            Value::Most(slot) => self.most(*slot),
            Value::Plus(both) => self.value(&both.0).saturating_add(self.value(&both.1)),
            Value::Minus(both) => self.value(&both.0).saturating_sub(self.value(&both.1)),
            Value::Times(both) => times(self.value(&both.0), self.value(&both.1)),
            Value::Over(both) => over(self.value(&both.0), self.value(&both.1)),
            Value::Smaller(both) => self.value(&both.0).min(self.value(&both.1)),
            Value::Larger(both) => self.value(&both.0).max(self.value(&both.1)),
            Value::Rounded(both, way) => rounded(self.value(&both.0), self.value(&both.1), *way),
            Value::RoundedFor(value, way, slot) => {
                let (value, multiple) = (self.value(value), self.seat.multiple(*slot));
                rounded(value, multiple, *way)
            }
            Value::Share(value, all, part) => share(self.value(value), *all, *part),
        }
    }
}

/// Returns the bit of a total.
pub(super) fn bit(total: Total) -> u16 {
    1 << total.value()
}

fn narrowed(wide: i128) -> i64 {
    i64::try_from(wide).unwrap_or(if wide < 0 { i64::MIN } else { i64::MAX })
}

/// Multiplies hundredths.
pub(super) fn times(left: i64, right: i64) -> i64 {
    narrowed(i128::from(left) * i128::from(right) / 100)
}

/// Divides hundredths. Division by zero gives zero.
pub(super) fn over(left: i64, right: i64) -> i64 {
    if right == 0 { 0 } else { narrowed(i128::from(left) * 100 / i128::from(right)) }
}

/// Rounds to a multiple. Without a multiple it returns the value unchanged.
pub(super) fn rounded(value: i64, multiple: i64, way: Way) -> i64 {
    if multiple <= 0 {
        return value;
    }
    let below = value.div_euclid(multiple).saturating_mul(multiple);
    let rest = value.rem_euclid(multiple);
    let up = match way {
        Way::Up => rest > 0,
        Way::Down => false,
        Way::Nearest => rest >= multiple - rest,
    };
    if up { below.saturating_add(multiple) } else { below }
}

/// Returns the part of an amount that goes to one of several bets, in whole shares.
pub(super) fn share(value: i64, all: i64, part: i64) -> i64 {
    if all <= 0 { 0 } else { narrowed(i128::from(value / all) * i128::from(part)) }
}

fn turned(now: i64, turn: Turn, last: i64) -> i64 {
    match turn {
        Turn::Up if now >= last => 0,
        Turn::Up => now + 1,
        Turn::UpAndStay => (now + 1).min(last),
        Turn::Down => (now - 1).max(0),
        Turn::Start => 0,
        Turn::Stay => now,
    }
}
