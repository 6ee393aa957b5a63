//! The engine form: a strategy at a table, throw by throw. What is decided is decided by the table's own `settle`, and what may be bet is
//! asked of the table itself; its answers are remembered.

use crate::dice::{Stream, WAYS};
use craps_dice::{Point, Throw, Total};
use craps_law::{Answer, TableRules, Window};
use craps_money::{Money, Stake};
use craps_table::{
    Actor, After, AfterWin, Bet, Called, Command, Event, Events, Layout, Manner, Moment, Refusal, SeatBets, Sink,
    SlotId, Slots, Table, TooManySlots, Verdict, settle,
};
use craps_wagers::{Family, Phase, Points, Progress, Step, WagerId};
use std::hash::Hash;
use std::sync::Arc;

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
    /// Bets made since this shooter took the dice.
    BetsThisShooter,
}

impl Counter {
    /// Every counter.
    pub const ALL: [Counter; 5] =
        [Counter::ShooterThrows, Counter::ShooterPoints, Counter::Throws, Counter::Hands, Counter::BetsThisShooter];
}

/// How long a session goes on.
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
pub struct Outcome {
    /// What is on the rail and on the felt, less the buy-in, in minor units.
    pub net: i64,
    /// How many throws it took.
    pub throws: u32,
    /// Why it ended.
    pub end: End,
    /// The most it fell from a height it had reached.
    pub drawdown: i64,
}

/// The chips of one player, counted as they are won and lost.
#[derive(Debug, Clone)]
pub(crate) struct Till {
    pub(crate) rail: i64,
    pub(crate) felt: i64,
    won: Slots,
    lost: Slots,
    last_win: [i64; 128],
    /// What each slot brought, and what was resolved on it.
    pub(crate) net: [i64; 128],
    pub(crate) resolved: [i64; 128],
}

impl Till {
    fn new(rail: i64) -> Till {
        Till {
            rail,
            felt: 0,
            won: Slots::default(),
            lost: Slots::default(),
            last_win: [0; 128],
            net: [0; 128],
            resolved: [0; 128],
        }
    }

    /// Forgets what each slot brought.
    pub(crate) fn forget(&mut self) {
        (self.net, self.resolved) = ([0; 128], [0; 128]);
    }

    /// What each slot brought, and what was resolved on it, where that is anything.
    pub(crate) fn moved(&self) -> Vec<(SlotId, i64, i64)> {
        let all = SlotId::all().zip(self.net.iter().zip(&self.resolved));
        all.filter(|(_, (net, resolved))| **net != 0 || **resolved != 0)
            .map(|(slot, (net, of))| (slot, *net, *of))
            .collect()
    }

    #[inline]
    fn count(&mut self, slot: SlotId, net: i64, stake: i64) {
        self.net[slot.index()] += net;
        self.resolved[slot.index()] += stake;
    }
}

impl Sink for Till {
    #[inline]
    fn settled(&mut self, slot: SlotId, bet: &Bet, verdict: Verdict, after: After) {
        let stake = bet.stake.minor();
        match verdict {
            Verdict::Won { paid, commission, .. } => {
                let gain = paid.minor() - commission.minor();
                self.won.insert(slot);
                self.last_win[slot.index()] = gain;
                self.count(slot, gain, stake);
                self.rail += gain;
                if matches!(after, After::Down) {
                    self.rail += stake;
                    self.felt -= stake;
                }
            }
            Verdict::Lost => {
                self.lost.insert(slot);
                self.count(slot, -stake, stake);
                self.felt -= stake;
            }
            Verdict::Returned => {
                self.rail += stake;
                self.felt -= stake;
            }
            Verdict::Credited { paid, .. } => {
                self.count(slot, paid.minor(), 0);
                self.rail += paid.minor();
            }
            Verdict::Moved { .. } => {}
        }
    }

    fn made_again(&mut self, _: SlotId, bet: &Bet) {
        self.rail -= bet.stake.minor() + bet.commission.minor();
        self.felt += bet.stake.minor();
    }
}

/// Who has the dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Shooter {
    /// Nobody yet.
    Nobody,
    /// The player.
    Player,
    /// The stand-in, who bets the line for whoever does not.
    StandIn,
}

/// The moment, as small as it can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Now {
    pub(crate) phase: Phase,
    pub(crate) shooter: Shooter,
    pub(crate) last: Shooter,
    pub(crate) came_out: bool,
    pub(crate) point_set: bool,
    pub(crate) previous: Option<Total>,
    pub(crate) stand_in: bool,
}

pub(crate) const START: Now = Now {
    phase: Phase::ComeOut,
    shooter: Shooter::Nobody,
    last: Shooter::Nobody,
    came_out: false,
    point_set: false,
    previous: None,
    stand_in: false,
};

/// A player's seat while a strategy plays: what can be seen, and what can be ordered.
#[derive(Debug, Clone)]
pub struct Seat<'e> {
    rules: &'e Rules,
    asked: Asked,
    pub(crate) bets: SeatBets,
    pub(crate) till: Till,
    pub(crate) now: Now,
    pub(crate) trackers: Vec<(WagerId, Progress)>,
    pub(crate) counters: [u32; 5],
    buy_in: i64,
    peak: i64,
    pub(crate) quits: bool,
    /// Was something not bet for want of chips?
    pub(crate) short: bool,
    /// Was anything asked that hangs on more than the phase, or changed that hangs on what bets remember?
    windows: bool,
    changes: bool,
    /// What was ordered since the last throw, where somebody writes it down.
    pub(crate) written: Option<Vec<Command>>,
}

/// The rules of one table, as the engine needs them.
#[derive(Debug)]
pub struct Rules {
    table: Table,
    layout: Arc<Layout>,
    /// The line bets, and those with which one may shoot.
    line: Slots,
    shoots: Slots,
    come: Slots,
    dont_come: Slots,
    /// Is the shaker given up after any seven?
    any_seven: bool,
    trackers: Vec<WagerId>,
    briefs: Vec<Brief>,
    turns: [[Turn; 36]; ROWS],
}

/// What a throw does to the moment.
#[derive(Debug, Clone, Copy)]
struct Turn {
    next: Phase,
    total: Total,
    /// A point is set by it, made by it, lost by it.
    sets: bool,
    made: bool,
    out: bool,
}

impl Turn {
    fn new(phase: Phase, throw: Throw, points: Points) -> Turn {
        let next = phase.after(throw, points);
        Turn {
            next,
            total: throw.total(),
            sets: matches!((phase, next), (Phase::ComeOut, Phase::Point(_))),
            made: phase.is_made_by(throw),
            out: phase.is_lost_by(throw),
        }
    }

    fn all(points: Points) -> [[Turn; 36]; ROWS] {
        let rows = [Phase::ComeOut, Phase::ComeDecisionOnly];
        let mut rows = rows.into_iter().chain(Point::ALL.map(Phase::Point));
        std::array::from_fn(|_| {
            let phase = rows.next().unwrap_or(Phase::ComeOut);
            WAYS.map(|throw| Turn::new(phase, throw, points))
        })
    }
}

/// The seat of the player at the table that is asked.
const SEAT: u8 = 1;
/// More than any bet: whether the rail covers a bet is the engine's to say.
const RICH: i64 = 100_000_000_000_000;

impl Rules {
    /// Takes up the rules of a table.
    ///
    /// # Errors
    /// When they make more names for bets than a layout holds.
    pub fn new(rules: TableRules) -> Result<Rules, TooManySlots> {
        let word = |topic: &str| match rules.rules.get(topic).map(|fact| &fact.is.answer) {
            Some(Answer::Word(word)) => word.clone(),
            _ => String::new(),
        };
        let (pass_only, any_seven) =
            (word("shooter.line_bet_is") == "pass", word("shooter.loses_dice_on") == "any_seven");
        let mut table = Table::open(rules)?;
        table.apply(&Event::Joined { seat: SEAT, name: "player".to_owned(), money: Money::from_minor(RICH) });
        let layout = Arc::new(table.layout().clone());
        let of = |keep: &dyn Fn(&craps_table::Slot) -> bool| -> Slots {
            layout.slots().filter(|(_, slot)| keep(slot)).map(|(id, _)| id).collect()
        };
        let travels = |slot: &craps_table::Slot| slot.wager.wager().code.contains('#');
        let line = of(&|slot| slot.wager.wager().family == Family::Line && !travels(slot));
        let shoots = of(&|slot| {
            slot.wager.wager().family == Family::Line
                && !travels(slot)
                && (!pass_only || slot.wager.wager().slug == "pass")
        });
        let named =
            |name: &str| of(&|slot| slot.wager.wager().slug == name && slot.wager.wager().family == Family::Line);
        let mut trackers: Vec<WagerId> = layout.slots().filter_map(|(_, slot)| slot.tracker).collect();
        trackers.dedup();
        let (come, dont_come) = (named("come"), named("dont-come"));
        let is_particular = |slot: &craps_table::Slot| {
            table.rules().wager(slot.wager).is_none_or(|rules| {
                let make = &rules.make.is;
                let plain = matches!(
                    make.window,
                    Window::AnyTime | Window::BehindPoint | Window::BeforeComeOut | Window::PointOn
                );
                !plain || make.fresh || make.with.is_some()
            })
        };
        let brief = |slot: &craps_table::Slot| Brief {
            front: slot.front,
            tracker: slot.tracker.and_then(|wager| trackers.iter().position(|known| *known == wager)),
            particular: is_particular(slot),
        };
        let briefs = layout.slots().map(|(_, slot)| brief(slot)).collect();
        let turns = Turn::all(table.rules().points);
        Ok(Rules { table, layout, line, shoots, come, dont_come, any_seven, trackers, briefs, turns })
    }

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The rules of the table.
    #[must_use]
    pub fn table(&self) -> &TableRules {
        self.table.rules()
    }
}

/// A question to the table: everything its answer hangs on. The amount of a question about terms is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Ask {
    /// What windows read of the moment, whether a line bet stands, and the markers of the slot's product; never zero.
    window: u32,
    amount: i64,
    standing: i64,
    front: i64,
}

/// A bet that is taken: the commission charged, and what has been paid of it altogether.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Taken {
    charge: i64,
    paid: i64,
}

/// The terms of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Terms {
    least: i64,
    most: Option<i64>,
    multiple: i64,
}

/// What was asked of the table and answered: some places for each slot in each phase, the newest question keeps its place.
#[derive(Debug, Clone)]
struct Asked {
    bets: Vec<(Ask, Option<Taken>)>,
    terms: Vec<(Ask, Option<Terms>)>,
    refusals: Vec<Refusal>,
}

/// Phases as rows, and places for answers in each.
const ROWS: usize = 12;
const PLACES: usize = 4;

impl Ask {
    #[inline]
    fn place(&self, slot: SlotId, row: usize) -> usize {
        let mixed = (self.amount ^ self.standing.rotate_left(1)).cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let way = usize::from((mixed >> 62).to_le_bytes()[0]);
        (slot.index() * ROWS + row) * PLACES + way
    }
}

#[inline]
fn row(phase: Phase) -> usize {
    match phase {
        Phase::ComeOut => 0,
        Phase::ComeDecisionOnly => 1,
        Phase::Point(point) => 2 + point.index(),
    }
}

/// What the engine needs of a slot at hand: the bet that odds stand behind, and the tracker its window reads.
#[derive(Debug, Clone, Copy)]
struct Brief {
    front: Option<SlotId>,
    tracker: Option<usize>,
    /// Does its window read more than the phase, or does it need a line bet?
    particular: bool,
}

impl<'e> Seat<'e> {
    /// A seat that has just been taken.
    #[must_use]
    pub fn new(rules: &'e Rules, buy_in: i64) -> Seat<'e> {
        Seat {
            rules,
            asked: Asked {
                bets: vec![(Ask::default(), None); 128 * ROWS * PLACES],
                terms: vec![(Ask::default(), None); 128 * ROWS * PLACES],
                refusals: Vec::new(),
            },
            bets: SeatBets::default(),
            till: Till::new(buy_in),
            now: START,
            trackers: rules.trackers.iter().map(|wager| (*wager, Progress::FRESH)).collect(),
            counters: [0; 5],
            buy_in,
            peak: 0,
            quits: false,
            short: false,
            windows: false,
            changes: false,
            written: None,
        }
    }

    /// Begins a session anew; what the table answered is still known.
    pub(crate) fn begin(&mut self, buy_in: i64) {
        self.bets = SeatBets::default();
        (self.till.rail, self.till.felt) = (buy_in, 0);
        (self.till.won, self.till.lost) = (Slots::default(), Slots::default());
        self.now = START;
        self.trackers.iter_mut().for_each(|(_, progress)| *progress = Progress::FRESH);
        self.counters = [0; 5];
        (self.buy_in, self.peak) = (buy_in, 0);
        (self.quits, self.short) = (false, false);
    }

    /// The layout and the rules: for finding the places of bets once.
    #[must_use]
    pub fn table(&self) -> (&'e Layout, &'e TableRules) {
        (self.rules.layout(), self.rules.table())
    }

    /// Where the game stands.
    #[must_use]
    #[inline]
    pub fn phase(&self) -> Phase {
        self.now.phase
    }

    /// What stands in a slot, in minor units.
    #[must_use]
    #[inline]
    pub fn stake(&self, slot: SlotId) -> i64 {
        self.bets.get(slot).map_or(0, |bet| bet.stake.minor())
    }

    /// The slots in which a bet stands.
    #[must_use]
    #[inline]
    pub fn standing(&self) -> Slots {
        self.bets.slots()
    }

    /// Did the last throw win the bet there?
    #[must_use]
    #[inline]
    pub fn won(&self, slot: SlotId) -> bool {
        self.till.won.contains(slot)
    }

    /// Did the last throw lose the bet there?
    #[must_use]
    #[inline]
    pub fn lost(&self, slot: SlotId) -> bool {
        self.till.lost.contains(slot)
    }

    /// What the last win of the slot brought.
    #[must_use]
    pub fn last_win(&self, slot: SlotId) -> i64 {
        self.till.last_win[slot.index()]
    }

    /// A counter.
    #[must_use]
    #[inline]
    pub fn count(&self, counter: Counter) -> u32 {
        self.counters[counter as usize]
    }

    /// How many come bets stand, in the come area or on numbers.
    #[must_use]
    #[inline]
    pub fn come_bets(&self) -> u32 {
        self.bets.slots().and(self.rules.come).len()
    }

    /// How many don't come bets stand.
    #[must_use]
    #[inline]
    pub fn dont_come_bets(&self) -> u32 {
        self.bets.slots().and(self.rules.dont_come).len()
    }

    /// What is on the rail.
    #[must_use]
    #[inline]
    pub fn rail(&self) -> i64 {
        self.till.rail
    }

    /// What is on the rail and on the felt, less the buy-in.
    #[must_use]
    #[inline]
    pub fn net(&self) -> i64 {
        self.till.rail + self.till.felt - self.buy_in
    }

    /// The highest the net result has been.
    #[must_use]
    pub fn peak(&self) -> i64 {
        self.peak
    }

    /// Was anything asked that hangs on more than the phase?
    pub(crate) fn asked_windows(&self) -> bool {
        self.windows
    }

    /// Was a bet changed in a way that hangs on what it remembers?
    pub(crate) fn changed_bets(&self) -> bool {
        self.changes
    }

    /// What the last throw won and lost.
    pub(crate) fn last_throw(&self) -> (Slots, Slots) {
        (self.till.won, self.till.lost)
    }

    /// Puts in place what the last throw won, slot by slot, and lost.
    pub(crate) fn set_last_throw(&mut self, won: Slots, lost: Slots, wins: &[i64]) {
        (self.till.won, self.till.lost) = (won, lost);
        for (slot, win) in won.iter().zip(wins) {
            self.till.last_win[slot.index()] = *win;
        }
    }

    /// What the table refused so far, each refusal once.
    #[must_use]
    pub fn refusals(&self) -> &[Refusal] {
        &self.asked.refusals
    }

    #[inline]
    fn ask(&self, slot: SlotId, amount: i64) -> Ask {
        let brief = self.rules.briefs[slot.index()];
        let window = if brief.particular { self.window(brief) } else { 1 };
        Ask { window, amount, standing: self.stake(slot), front: brief.front.map_or(0, |front| self.stake(front)) }
    }

    /// All that a window reads of the moment besides the phase.
    #[inline(never)]
    fn window(&self, brief: Brief) -> u32 {
        let new_shooter = self.now.shooter == Shooter::Nobody || !self.now.came_out;
        let after_seven = self.now.previous.is_none_or(|total| total == Total::Seven);
        let line = self.bets.slots().meets(self.rules.line);
        let bits = [true, new_shooter, after_seven, self.now.point_set, line];
        let window = bits.iter().fold(0, |bits, bit| bits << 1 | u32::from(*bit));
        let tracker = brief.tracker.map_or(0, |at| u32::from(self.trackers[at].1.bits()));
        window | tracker << 8
    }

    /// What the table says to a bet of an amount: remembered, or asked now.
    #[inline]
    fn taken(&mut self, slot: SlotId, amount: i64) -> Option<Taken> {
        let ask = self.ask(slot, amount);
        self.windows |= ask.window != 1;
        let place = ask.place(slot, row(self.now.phase));
        match &self.asked.bets[place] {
            (known, told) if *known == ask => *told,
            _ => self.taken_now(slot, ask, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn taken_now(&mut self, slot: SlotId, ask: Ask, place: usize) -> Option<Taken> {
        let amount = Stake::new(Money::from_minor(ask.amount))?;
        let command = Command::Bet { seat: SEAT, slot, amount, manner: Manner::default() };
        let mut events = Events::new();
        let told = match self.posed().decide(Actor::player(SEAT), &command, &mut events) {
            Ok(()) => events.iter().find_map(|event| match event {
                Event::BetPlaced { bet, commission, .. } => {
                    Some(Taken { charge: commission.minor(), paid: bet.commission.minor() })
                }
                _ => None,
            }),
            Err(refusal) => {
                self.note(refusal);
                None
            }
        };
        self.asked.bets[place] = (ask, told);
        told
    }

    /// On which terms a bet may be made: remembered, or asked now.
    #[inline]
    fn terms(&mut self, slot: SlotId) -> Option<Terms> {
        let ask = self.ask(slot, 0);
        self.windows |= ask.window != 1;
        let place = ask.place(slot, row(self.now.phase));
        match &self.asked.terms[place] {
            (known, told) if *known == ask => *told,
            _ => self.terms_now(slot, ask, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn terms_now(&mut self, slot: SlotId, ask: Ask, place: usize) -> Option<Terms> {
        let told = self.posed().terms(SEAT, slot, None).ok().map(|terms| Terms {
            least: terms.min.minor(),
            most: terms.max.map(Money::minor),
            multiple: i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX),
        });
        self.asked.terms[place] = (ask, told);
        told
    }

    /// Keeps a refusal, once for each rule.
    fn note(&mut self, refusal: Refusal) {
        if !self.asked.refusals.iter().any(|known| known.cites == refusal.cites) {
            self.asked.refusals.push(refusal);
        }
    }

    /// The table in this position.
    fn posed(&self) -> Table {
        let mut table = self.rules.table.clone();
        let shooter = match self.now.shooter {
            Shooter::Nobody => None,
            Shooter::Player => Some(SEAT),
            Shooter::StandIn => Some(SEAT + 1),
        };
        let moment = Moment {
            phase: self.now.phase,
            shooter,
            came_out: self.now.came_out,
            point_set: self.now.point_set,
            previous: self.now.previous,
            trackers: self.trackers.clone(),
        };
        table.pose(SEAT, &self.bets, &moment);
        table
    }

    /// The most that the bet may come to now; none where it is closed or has no maximum.
    #[inline]
    pub fn most(&mut self, slot: SlotId) -> Option<i64> {
        self.terms(slot)?.most
    }

    /// The least that the bet may come to; none where it is closed.
    pub fn least(&mut self, slot: SlotId) -> Option<i64> {
        self.terms(slot).map(|terms| terms.least)
    }

    /// What the bet must be a multiple of; zero where it is closed.
    pub fn multiple(&mut self, slot: SlotId) -> i64 {
        self.terms(slot).map_or(0, |terms| terms.multiple)
    }

    /// Makes a bet or adds to it; false if the table refuses it or the rail does not cover it.
    #[inline]
    pub fn bet(&mut self, slot: SlotId, amount: i64) -> bool {
        if amount <= 0 {
            return false;
        }
        let Some(Taken { charge, paid }) = self.taken(slot, amount) else { return false };
        if amount + charge > self.till.rail {
            self.short = true;
            return false;
        }
        let before = self.bets.get(slot).copied().unwrap_or_default();
        let stake = Money::from_minor(before.stake.minor() + amount);
        self.bets.put(slot, Bet { stake, commission: Money::from_minor(paid), ..before });
        self.till.rail -= amount + charge;
        self.till.felt += amount;
        self.till.net[slot.index()] -= charge;
        self.counters[Counter::BetsThisShooter as usize] += 1;
        if let (Some(written), Some(amount)) = (&mut self.written, Stake::new(Money::from_minor(amount))) {
            written.push(Command::Bet { seat: SEAT, slot, amount, manner: Manner::default() });
        }
        true
    }

    /// Takes so much of a bet down; false if the table refuses it.
    pub fn down(&mut self, slot: SlotId, amount: i64) -> bool {
        let amount = Stake::new(Money::from_minor(amount));
        amount.is_some_and(|amount| self.change(&Command::TakeDown { seat: SEAT, slot, amount }))
    }

    /// Calls a bet on or off, or withdraws the call; false if the table refuses it.
    pub fn call(&mut self, slot: SlotId, called: Called) -> bool {
        if self.bets.get(slot).is_some_and(|bet| bet.called == called) {
            return true;
        }
        self.change(&Command::Call { seat: SEAT, slot, called })
    }

    /// Says what becomes of a bet that wins; false if the table refuses it.
    pub fn tell(&mut self, slot: SlotId, after_win: AfterWin) -> bool {
        if self.bets.get(slot).is_some_and(|bet| bet.after_win == after_win) {
            return true;
        }
        self.change(&Command::Tell { seat: SEAT, slot, after_win })
    }

    /// Ends the session before the next throw.
    pub fn quit(&mut self) {
        self.quits = true;
    }

    /// Anything but a bet goes through the table whole: it is rare.
    fn change(&mut self, command: &Command) -> bool {
        self.changes = true;
        let table = self.posed();
        let mut events = Events::new();
        if let Err(refusal) = table.decide(Actor::player(SEAT), command, &mut events) {
            self.note(refusal);
            return false;
        }
        for event in &events {
            match event {
                Event::TakenDown { slot, left, returned, refunded, .. } => {
                    match left {
                        Some(bet) => self.bets.put(*slot, *bet),
                        None => {
                            self.bets.take(*slot);
                        }
                    }
                    self.till.felt -= returned.minor();
                    self.till.rail += returned.minor() + refunded.minor();
                    self.till.net[slot.index()] += refunded.minor();
                }
                Event::Told { slot, bet, .. } => self.bets.put(*slot, *bet),
                _ => {}
            }
        }
        if let Some(written) = &mut self.written {
            written.push(command.clone());
        }
        true
    }

    /// Who throws now: the player with a line bet, else the stand-in.
    #[inline]
    fn take_dice(&mut self) {
        let may = self.bets.slots().meets(self.rules.shoots);
        let taker = match (self.now.shooter, self.now.last) {
            (Shooter::Player, _) if may || self.now.phase != Phase::ComeOut => return,
            (Shooter::StandIn, _) => return,
            // The dice go round: after the player's hand to the stand-in, if there is one.
            (Shooter::Nobody, Shooter::Player) if self.now.stand_in => Shooter::StandIn,
            _ if may => Shooter::Player,
            _ => Shooter::StandIn,
        };
        self.now.stand_in |= taker == Shooter::StandIn;
        self.now.shooter = taker;
        self.now.came_out = false;
        self.counters[Counter::ShooterThrows as usize] = 0;
        self.counters[Counter::ShooterPoints as usize] = 0;
    }

    /// One throw.
    #[inline]
    pub(crate) fn throw(&mut self, way: usize) {
        self.take_dice();
        let throw = WAYS[way];
        let turn = self.rules.turns[row(self.now.phase)][way];
        let (layout, rules) = (&*self.rules.layout, self.rules.table.rules());
        let phase = self.now.phase;
        (self.till.won, self.till.lost) = (Slots::default(), Slots::default());
        settle(layout, rules, &mut self.bets, phase, throw, &[], &mut self.till);
        if self.bets.slots().meets(layout.gathering()) {
            self.bets.thrown(layout);
        }
        for (wager, progress) in &mut self.trackers {
            if let Some(rules) = rules.wager(*wager) {
                *progress = match rules.machine.step(*progress, phase, throw) {
                    Step::Stand(next) | Step::Credited(_, next) => next,
                    Step::Won(_) | Step::Lost | Step::Pushed => Progress::FRESH,
                };
            }
        }
        self.now.came_out |= phase == Phase::ComeOut;
        self.now.point_set = (self.now.point_set & !turn.out) | turn.sets;
        self.now.previous = Some(turn.total);
        self.now.phase = turn.next;
        if turn.sets {
            self.bets.point_set();
        }
        self.counters[Counter::Throws as usize] += 1;
        self.counters[Counter::ShooterThrows as usize] += 1;
        self.counters[Counter::ShooterPoints as usize] += u32::from(turn.made);
        if turn.out || (self.rules.any_seven && turn.total == Total::Seven) {
            self.now.last = self.now.shooter;
            self.now.shooter = Shooter::Nobody;
            self.counters[Counter::Hands as usize] += u32::from(turn.out);
            self.counters[Counter::BetsThisShooter as usize] = 0;
        }
    }
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

    /// Plays one session: the same for the same seed and number, whatever was played before.
    pub fn session(&mut self, seed: u64, number: u64, plan: &Plan) -> Outcome {
        let mut stream = Stream::new(seed, number);
        let (strategy, seat) = (self.strategy, &mut self.seat);
        seat.begin(plan.buy_in);
        let mut memory = S::Memory::default();
        let (stop, goal) = (plan.stop.unwrap_or(i64::MIN), plan.goal.unwrap_or(i64::MAX));
        let mut drawdown = 0;
        let mut throws = 0;
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
            seat.throw(stream.way());
            throws += 1;
            let net = seat.net();
            seat.peak = seat.peak.max(net);
            drawdown = drawdown.max(seat.peak - net);
            if net <= stop {
                break End::Stop;
            }
            if net >= goal {
                break End::Goal;
            }
        };
        Outcome { net: seat.net(), throws, end, drawdown }
    }
}
