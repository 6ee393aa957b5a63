//! A player's seat while a strategy plays.

use super::Counter;
use super::rules::{Brief, ROWS, Row, Rules, SEAT};
use crate::dice::WAYS;
use craps_dice::{Throw, Total};
use craps_law::TableRules;
use craps_money::{Money, Stake};
use craps_table::{
    Actor, After, AfterWin, Bet, Called, Command, Dealer, Event, Events, Layout, Manner, Moment, Refusal, SeatBets,
    Sink, SlotId, Slots, Table, Verdict,
};
use craps_wagers::{Phase, Progress, Step, WagerId};

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

    /// Counts what each slot brought, and what was resolved on it, once more.
    pub(crate) fn double(&mut self) {
        self.net.iter_mut().chain(&mut self.resolved).for_each(|amount| *amount *= 2);
    }

    /// What each slot brought, and what was resolved on it, where that is anything.
    pub(crate) fn moved(&self) -> Vec<(SlotId, i64, i64)> {
        let all = SlotId::ALL.into_iter().zip(self.net.iter().zip(&self.resolved));
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
    pub(crate) phase: Row,
    pub(crate) shooter: Shooter,
    pub(crate) last: Shooter,
    pub(crate) came_out: bool,
    pub(crate) point_set: bool,
    pub(crate) previous: Option<Total>,
    pub(crate) stand_in: bool,
}

pub(crate) const START: Now = Now {
    phase: Row::COME_OUT,
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
    dealer: Dealer<'e>,
    asked: Asked,
    pub(crate) bets: SeatBets,
    pub(crate) till: Till,
    pub(crate) now: Now,
    pub(crate) trackers: Vec<(WagerId, Progress)>,
    pub(crate) counters: [u32; 5],
    buy_in: i64,
    pub(super) peak: i64,
    pub(crate) quits: bool,
    /// Has money moved, but for going onto the felt?
    pub(super) moved: bool,
    /// Was something not bet for want of chips?
    pub(crate) short: bool,
    /// The slots that were asked about though the answer hangs on more than the phase.
    particular: Slots,
    /// Was anything changed that hangs on what bets remember?
    changes: bool,
    /// What was ordered since the last throw, where somebody writes it down.
    pub(crate) written: Option<Vec<Command>>,
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

/// Asks for as much as the table takes.
const MOST: i64 = i64::MAX;

/// A bet that is taken: what goes on the felt, the commission charged, and what has been paid of it altogether. All nothing where none is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Taken {
    amount: i64,
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

/// What the table answered to a question; one line of a processor's cache.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
struct Answer {
    to: Ask,
    is: Taken,
}

/// What was asked of the table and answered: some places for each slot in each phase, the newest question keeps its place.
#[derive(Debug, Clone)]
struct Asked {
    /// The last answer for each slot in each phase, phase by phase, so that what is asked often lies close together.
    last: Vec<Answer>,
    bets: Vec<Answer>,
    terms: Vec<(Ask, Option<Terms>)>,
    refusals: Vec<(SlotId, Refusal)>,
}
/// Places for answers to one slot in one phase.
const PLACES: usize = 16;

impl Ask {
    #[inline]
    fn place(&self, slot: SlotId, row: Row) -> usize {
        // Doubling what stands is common: twice tells such questions apart.
        let both = self.amount.wrapping_add(self.standing.wrapping_mul(2)).cast_unsigned();
        let way = usize::from((both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60).to_le_bytes()[0]);
        (slot.index() * ROWS + row.index()) * PLACES + way
    }
}
impl<'e> Seat<'e> {
    /// A seat that has just been taken.
    #[must_use]
    pub fn new(rules: &'e Rules, buy_in: i64) -> Seat<'e> {
        Seat {
            rules,
            dealer: Dealer::new(rules.layout(), rules.table()),
            asked: Asked {
                last: vec![Answer::default(); ROWS * 128],
                bets: vec![Answer::default(); 128 * ROWS * PLACES],
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
            moved: false,
            short: false,
            particular: Slots::default(),
            changes: false,
            written: None,
        }
    }

    /// Begins a session anew; what the table answered is still known.
    pub(crate) fn begin(&mut self, buy_in: i64) {
        self.bets.clear_all();
        (self.till.rail, self.till.felt) = (buy_in, 0);
        (self.till.won, self.till.lost) = (Slots::default(), Slots::default());
        self.now = START;
        self.trackers.iter_mut().for_each(|(_, progress)| *progress = Progress::FRESH);
        self.counters = [0; 5];
        (self.buy_in, self.peak) = (buy_in, 0);
        (self.quits, self.moved, self.short) = (false, false, false);
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
        self.now.phase.phase()
    }

    /// What stands in a slot, in minor units.
    #[must_use]
    #[inline]
    pub fn stake(&self, slot: SlotId) -> i64 {
        self.bets.stake(slot).minor()
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
        !self.particular.is_empty()
    }

    /// The products whose markers such an answer hangs on.
    pub(crate) fn asked_trackers(&self) -> Vec<WagerId> {
        let mut asked: Vec<usize> = self
            .particular
            .iter()
            .filter_map(|slot| self.rules.briefs[slot.index()].tracker.map(usize::from))
            .collect();
        asked.sort_unstable();
        asked.dedup();
        asked.into_iter().map(|at| self.trackers[at].0).collect()
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

    /// What the table refused so far, once for each rule, with the bet that it was first said of.
    #[must_use]
    pub fn refusals(&self) -> &[(SlotId, Refusal)] {
        &self.asked.refusals
    }

    #[inline]
    fn ask(&self, slot: SlotId, amount: i64) -> Ask {
        let brief = self.rules.briefs[slot.index()];
        let window = if brief.particular { self.window(brief) } else { 1 };
        Ask { window, amount, standing: self.stake(slot), front: self.stake(brief.front) }
    }

    /// All that a window reads of the moment besides the phase.
    #[inline]
    fn window(&self, brief: Brief) -> u32 {
        let new_shooter = self.now.shooter == Shooter::Nobody || !self.now.came_out;
        let after_seven = self.now.previous.is_none_or(|total| total == Total::Seven);
        let line = self.bets.slots().meets(self.rules.line);
        let bits = [true, new_shooter, after_seven, self.now.point_set, line];
        let window = bits.iter().fold(0, |bits, bit| bits << 1 | u32::from(*bit));
        let tracker = brief.tracker.map_or(0, |at| u32::from(self.trackers[usize::from(at)].1.bits()));
        window | tracker << 8
    }

    /// Makes a bet that is another than the last one there and then.
    #[inline(never)]
    fn place_another(&mut self, slot: SlotId, amount: i64) -> bool {
        let ask = self.ask(slot, amount);
        let place = ask.place(slot, self.now.phase);
        if self.asked.bets[place].to != ask {
            self.asked.bets[place] = self.ask_now(slot, amount, ask);
        }
        let last = self.now.phase.index() * 128 + slot.index();
        self.asked.last[last] = self.asked.bets[place];
        self.place(slot, amount)
    }

    /// Asks the table what it says to a bet of an amount.
    #[cold]
    fn ask_now(&mut self, slot: SlotId, amount: i64, ask: Ask) -> Answer {
        if ask.window != 1 {
            self.particular.insert(slot);
        }
        let wanted = if amount == MOST {
            let whole = |terms: Terms| terms.most.map(|most| most - most % terms.multiple.max(1));
            self.terms(slot).and_then(whole).map_or(0, |most| most - ask.standing)
        } else {
            amount
        };
        let told = Stake::new(Money::from_minor(wanted)).and_then(|amount| self.decided(slot, amount));
        Answer { to: ask, is: told.unwrap_or_default() }
    }

    /// What the table decides on a bet.
    fn decided(&mut self, slot: SlotId, amount: Stake) -> Option<Taken> {
        let command = Command::Bet { seat: SEAT, slot, amount, manner: Manner::default() };
        let mut events = Events::new();
        match self.posed().decide(Actor::player(SEAT), &command, &mut events) {
            Ok(()) => events.iter().find_map(|event| match event {
                Event::BetPlaced { bet, staked, commission, .. } => {
                    Some(Taken { amount: staked.minor(), charge: commission.minor(), paid: bet.commission.minor() })
                }
                _ => None,
            }),
            Err(refusal) => {
                self.note(slot, refusal);
                None
            }
        }
    }

    /// On which terms a bet may be made: remembered, or asked now.
    #[inline]
    fn terms(&mut self, slot: SlotId) -> Option<Terms> {
        let ask = self.ask(slot, 0);
        let place = ask.place(slot, self.now.phase);
        match &self.asked.terms[place] {
            (known, told) if *known == ask => *told,
            _ => self.terms_now(slot, ask, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn terms_now(&mut self, slot: SlotId, ask: Ask, place: usize) -> Option<Terms> {
        if ask.window != 1 {
            self.particular.insert(slot);
        }
        let told = self.posed().terms(SEAT, slot, None).ok().map(|terms| Terms {
            least: terms.min.minor(),
            most: terms.max.map(Money::minor),
            multiple: i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX),
        });
        self.asked.terms[place] = (ask, told);
        told
    }

    /// Keeps a refusal, once for each rule.
    fn note(&mut self, slot: SlotId, refusal: Refusal) {
        if !self.asked.refusals.iter().any(|(_, known)| known.cites == refusal.cites) {
            self.asked.refusals.push((slot, refusal));
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
            phase: self.phase(),
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
        amount > 0 && self.place(slot, amount)
    }

    /// Makes a bet or adds to it, as much as the table takes; false if it takes none, knows no maximum, or the rail does not cover it.
    #[inline]
    pub fn bet_most(&mut self, slot: SlotId) -> bool {
        self.place(slot, MOST)
    }

    /// Makes a bet as the table takes it: as it is remembered, or asked now.
    fn place(&mut self, slot: SlotId, amount: i64) -> bool {
        let ask = self.ask(slot, amount);
        let known = &self.asked.last[self.now.phase.index() * 128 + slot.index()];
        if known.to != ask {
            return self.place_another(slot, amount);
        }
        let Taken { amount, charge, paid } = known.is;
        if amount == 0 {
            return false;
        }
        if amount + charge > self.till.rail {
            self.short = true;
            return false;
        }
        self.till.rail -= amount + charge;
        self.till.felt += amount;
        // Odds and presses only add to a bet.
        let is_new = ask.standing == 0 && self.rules.briefs[slot.index()].front == slot;
        self.counters[Counter::BetsThisShooter as usize] += u32::from(is_new);
        if ask.standing == 0 && charge | paid == 0 && self.written.is_none() {
            self.bets.make(slot, Money::from_minor(amount));
            return true;
        }
        self.place_more(slot, Taken { amount, charge, paid })
    }

    /// Makes a bet that is added to, is charged for, or is written down.
    #[inline(never)]
    fn place_more(&mut self, slot: SlotId, Taken { amount, charge, paid }: Taken) -> bool {
        self.bets.add(slot, Money::from_minor(amount), Money::from_minor(paid));
        self.till.net[slot.index()] -= charge;
        self.moved |= charge != 0;
        if let (Some(written), Some(amount)) = (&mut self.written, Stake::new(Money::from_minor(amount))) {
            written.push(Command::Bet { seat: SEAT, slot, amount, manner: Manner::default() });
        }
        true
    }

    /// Takes so much of a bet down; false if the table refuses it.
    pub fn down(&mut self, slot: SlotId, amount: i64) -> bool {
        let amount = Stake::new(Money::from_minor(amount));
        amount.is_some_and(|amount| self.change(slot, &Command::TakeDown { seat: SEAT, slot, amount }))
    }

    /// Calls a bet on or off, or withdraws the call; false if the table refuses it.
    pub fn call(&mut self, slot: SlotId, called: Called) -> bool {
        if self.bets.get(slot).is_some_and(|bet| bet.called == called) {
            return true;
        }
        self.change(slot, &Command::Call { seat: SEAT, slot, called })
    }

    /// Says what becomes of a bet that wins; false if the table refuses it.
    pub fn tell(&mut self, slot: SlotId, after_win: AfterWin) -> bool {
        if self.bets.get(slot).is_some_and(|bet| bet.after_win == after_win) {
            return true;
        }
        self.change(slot, &Command::Tell { seat: SEAT, slot, after_win })
    }

    /// Ends the session before the next throw.
    pub fn quit(&mut self) {
        self.quits = true;
    }

    /// Anything but a bet goes through the table whole: it is rare.
    fn change(&mut self, slot: SlotId, command: &Command) -> bool {
        (self.changes, self.moved) = (true, true);
        let table = self.posed();
        let mut events = Events::new();
        if let Err(refusal) = table.decide(Actor::player(SEAT), command, &mut events) {
            self.note(slot, refusal);
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

    /// Who throws now: the player with a line bet, else the stand-in. Dice change hands only on a come-out.
    #[inline]
    fn take_dice(&mut self) {
        if self.now.phase != Row::COME_OUT && self.now.shooter != Shooter::Nobody {
            return;
        }
        let may = self.bets.slots().meets(self.rules.shoots);
        let taker = match (self.now.shooter, self.now.last) {
            (Shooter::Player, _) if may || self.now.phase != Row::COME_OUT => return,
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
    #[inline(always)]
    pub(crate) fn throw(&mut self, way: usize) {
        self.take_dice();
        let row = self.now.phase;
        let turn = &self.rules.turns[row.index()][way];
        (self.till.won, self.till.lost) = (Slots::NONE, Slots::NONE);
        if self.bets.slots().meets(turn.changes) {
            self.settle(turn.place);
        }
        if !self.trackers.is_empty() {
            self.track(row.phase(), WAYS[way]);
        }
        self.now.came_out |= row == Row::COME_OUT;
        self.now.point_set = (self.now.point_set & !turn.out) | turn.sets;
        self.now.previous = Some(turn.total);
        self.now.phase = turn.next;
        if (self.rules.minds_points || self.bets.are_marked()) && turn.sets {
            self.bets.point_set(self.rules.layout());
        }
        self.counters[Counter::Throws as usize] += 1;
        self.counters[Counter::ShooterThrows as usize] += 1;
        self.counters[Counter::ShooterPoints as usize] += u32::from(turn.made);
        if turn.given_up {
            self.now.last = self.now.shooter;
            self.now.shooter = Shooter::Nobody;
            self.counters[Counter::Hands as usize] += u32::from(turn.out);
            // Whoever comes next has thrown nothing yet.
            self.counters[Counter::BetsThisShooter as usize] = 0;
            self.counters[Counter::ShooterThrows as usize] = 0;
            self.counters[Counter::ShooterPoints as usize] = 0;
        }
    }

    /// Settles what a throw changes.
    #[inline(never)]
    fn settle(&mut self, place: u16) {
        let turn = self.rules.layout().turn_at(usize::from(place));
        self.dealer.settle(turn, &mut self.bets, &mut self.till);
        self.moved = true;
        // Bets that gather something can be changed by any throw.
        if self.rules.gathers {
            self.bets.thrown(self.rules.layout());
        }
    }

    /// The markers of products go on with every throw.
    #[inline(never)]
    fn track(&mut self, phase: Phase, throw: Throw) {
        for (wager, progress) in &mut self.trackers {
            if let Some(rules) = self.rules.table().wager(*wager) {
                *progress = match rules.machine.step(*progress, phase, throw) {
                    Step::Stand(next) | Step::Credited(_, next) => next,
                    Step::Won(_) | Step::Lost | Step::Pushed => Progress::FRESH,
                };
            }
        }
    }
}
