//! The player's seat while a strategy plays.

use super::Counter;
use super::rules::{Brief, PLAYER, Rules, STAND_IN};
use crate::dice::WAYS;
use craps_law::TableRules;
use craps_money::{Money, Stake};
use craps_table::fast::{Dealer, PHASE_ROOM, QuickHand};
use craps_table::{
    Actor, After, AfterWin, Bet, Board, Called, Command, Event, Events, Flow, Hand, MOST_SLOTS, Manner, Refusal,
    SeatBets, Shooter, Sink, SlotId, Slots, Table, Trackers, Verdict,
};
use craps_wagers::{Phase, WagerId};

/// The player's chips, updated as bets win and lose.
#[derive(Debug, Clone)]
pub(crate) struct Till {
    pub(crate) rail: i64,
    /// Chips in the rail and on the felt. Making a bet moves chips and leaves this unchanged.
    pub(crate) worth: i64,
    /// True if the last roll settled anything. Only then are `won` and `lost` valid.
    is_settled: bool,
    won: Slots,
    lost: Slots,
    last_win: [i64; MOST_SLOTS],
    /// Net result of each slot. `resolved` is the amount resolved on it.
    pub(crate) net: [i64; MOST_SLOTS],
    pub(crate) resolved: [i64; MOST_SLOTS],
    /// Number of slots at the table.
    slots: usize,
}

impl Till {
    fn new(rail: i64, slots: usize) -> Till {
        Till {
            rail,
            worth: rail,
            is_settled: false,
            won: Slots::NONE,
            lost: Slots::NONE,
            last_win: [0; MOST_SLOTS],
            net: [0; MOST_SLOTS],
            resolved: [0; MOST_SLOTS],
            slots: slots.min(MOST_SLOTS),
        }
    }

    /// Returns the amount on the felt.
    pub(crate) fn felt(&self) -> i64 {
        self.worth - self.rail
    }

    /// Clears the results by slot.
    pub(crate) fn forget(&mut self) {
        self.net[..self.slots].fill(0);
        self.resolved[..self.slots].fill(0);
    }

    /// Multiplies the net result and the resolved amount of each slot.
    pub(crate) fn multiply(&mut self, times: i64) {
        let (net, resolved) = (&mut self.net[..self.slots], &mut self.resolved[..self.slots]);
        net.iter_mut().chain(resolved).for_each(|amount| *amount *= times);
    }

    /// Returns the net result and the resolved amount of each slot where either isn't zero.
    pub(crate) fn moved(&self) -> Vec<(SlotId, i64, i64)> {
        let all = SlotId::ALL.into_iter().zip(self.net.iter().zip(&self.resolved)).take(self.slots);
        all.filter(|(_, (net, resolved))| **net != 0 || **resolved != 0)
            .map(|(slot, (net, of))| (slot, *net, *of))
            .collect()
    }

    #[inline]
    fn count(&mut self, slot: SlotId, net: i64, stake: i64) {
        self.net[slot.index()] += net;
        self.resolved[slot.index()] += stake;
    }

    /// Prepares for settling a roll.
    #[inline]
    fn begin(&mut self) {
        (self.is_settled, self.won, self.lost) = (true, Slots::NONE, Slots::NONE);
    }

    /// Adds a movement of chips.
    #[inline(always)]
    fn flows(&mut self, flow: Flow) {
        self.rail += flow.rail;
        self.worth += flow.net();
    }
}

impl Sink for Till {
    #[inline]
    fn settled(&mut self, slot: SlotId, bet: &Bet, verdict: Verdict, after: After) {
        let (flow, stake) = (Flow::settled(bet, &verdict, &after), bet.stake.minor());
        self.flows(flow);
        match verdict {
            Verdict::Won { .. } => {
                self.won.insert(slot);
                self.last_win[slot.index()] = flow.net();
                self.count(slot, flow.net(), stake);
            }
            Verdict::Lost => {
                self.lost.insert(slot);
                self.count(slot, flow.net(), stake);
            }
            Verdict::Credited { .. } => self.count(slot, flow.net(), 0),
            Verdict::Returned | Verdict::Moved { .. } => {}
        }
    }

    fn made_again(&mut self, _: SlotId, bet: &Bet) {
        self.flows(Flow::placed(bet.stake, bet.commission));
    }
}

/// The player's seat while a strategy plays: what a strategy can see, and what it can order.
#[derive(Debug, Clone)]
pub struct Seat<'e> {
    rules: &'e Rules,
    dealer: Dealer<'e>,
    asked: Asked,
    pub(crate) bets: SeatBets,
    pub(crate) till: Till,
    pub(crate) hand: QuickHand,
    /// True if the stand-in sits at the table.
    pub(crate) stand_in: bool,
    pub(crate) trackers: Trackers,
    pub(crate) counters: [u32; 5],
    buy_in: i64,
    pub(super) peak: i64,
    pub(crate) quits: bool,
    /// True if money moved other than from the rail to the felt.
    pub(super) moved: bool,
    /// True if a bet wasn't made because the player was short of chips.
    pub(crate) short: bool,
    /// Slots that the table was asked about whose answer depends on more than the phase.
    particular: Slots,
    /// True if a bet was changed in a way that depends on what bets remember.
    changes: bool,
    /// Orders since the last roll, if they are being recorded.
    pub(crate) written: Option<Vec<Command>>,
}

/// A question to the table, with everything the answer depends on. The amount is zero in a question about terms.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Question {
    /// What betting windows read besides the phase, whether a line bet is up, and the markers of the slot's tracker. Never zero.
    window: u32,
    amount: i64,
    standing: i64,
    front: i64,
}

/// As an amount, asks for as much as the table takes.
const MOST: i64 = i64::MAX;

/// A bet the table takes: the amount on the felt, the commission charged now, and the commission paid in total. All zero if it takes none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Taken {
    amount: i64,
    charge: i64,
    paid: i64,
}

/// The limits of a bet, in minor units.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct BetTerms {
    least: i64,
    most: Option<i64>,
    multiple: i64,
}

/// A question and the table's answer.
#[derive(Debug, Clone, Copy, Default)]
struct Reply {
    to: Question,
    is: Taken,
}

/// The last answer to a simple new bet: it depends only on the phase and the bet in front, and all it does is put chips on the felt. Half a
/// cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Plain {
    /// Amount that was asked for. Zero if no simple answer is cached.
    amount: i64,
    front: i64,
    taken: i64,
    /// 1 for a new bet, 0 for odds, which only add to a bet.
    is_new: u32,
}

/// The table's cached answers: some places for each slot in each phase. A new question overwrites the old one in its place.
#[derive(Debug, Clone)]
struct Asked {
    /// The last simple answer for each slot in each phase, ordered by slot, because few slots are used and most phases come up.
    plain: Box<[[Plain; PHASE_ROOM]; MOST_SLOTS]>,
    bets: Vec<Reply>,
    terms: Vec<(Question, Option<BetTerms>)>,
    refusals: Vec<(SlotId, Refusal)>,
}

/// Number of cached answers for one slot in one phase.
const PLACES: usize = 16;

impl Question {
    #[inline]
    fn place(&self, slot: SlotId, phase_index: usize) -> usize {
        // Doubling a bet is common. The factor of two gives such questions different places.
        let both = self.amount.wrapping_add(self.standing.wrapping_mul(2)).cast_unsigned();
        let way = usize::from((both.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 60).to_le_bytes()[0]);
        (slot.index() * PHASE_ROOM + phase_index) * PLACES + way
    }
}

impl<'e> Seat<'e> {
    /// Creates a seat with this buy-in and no bets.
    #[must_use]
    pub fn new(rules: &'e Rules, buy_in: i64) -> Seat<'e> {
        let places = rules.board().len() * PHASE_ROOM * PLACES;
        Seat {
            rules,
            dealer: Dealer::new(rules.board(), rules.table()),
            asked: Asked {
                plain: Box::new([[Plain::default(); PHASE_ROOM]; MOST_SLOTS]),
                bets: vec![Reply::default(); places],
                terms: vec![(Question::default(), None); places],
                refusals: Vec::new(),
            },
            bets: SeatBets::default(),
            till: Till::new(buy_in, rules.board().len()),
            hand: Hand::NEW.into(),
            stand_in: false,
            trackers: rules.trackers.clone(),
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

    /// Starts a new session. Keeps the cached answers of the table.
    pub(crate) fn begin(&mut self, buy_in: i64) {
        self.bets.clear_all();
        (self.till.rail, self.till.worth) = (buy_in, buy_in);
        self.till.is_settled = false;
        (self.hand, self.stand_in) = (Hand::NEW.into(), false);
        self.trackers.clear();
        self.counters = [0; 5];
        (self.buy_in, self.peak) = (buy_in, 0);
        // The buy-in counts as moved money, so that the first roll checks the result.
        (self.quits, self.moved, self.short) = (false, true, false);
    }

    /// Returns the board and the rules. A strategy uses them to find the slots of its bets once.
    #[must_use]
    pub fn table(&self) -> (&'e Board, &'e TableRules) {
        (self.rules.board(), self.rules.table())
    }

    /// Returns whether it is the come-out roll or which point is on.
    #[must_use]
    #[inline]
    pub fn phase(&self) -> Phase {
        self.hand.phase
    }

    /// Returns true if the next roll is a come-out roll.
    #[must_use]
    #[inline]
    pub fn is_come_out(&self) -> bool {
        self.hand.phase == Phase::ComeOut
    }

    /// Returns the amount of the bet in a slot, in minor units. Zero if there is none.
    #[must_use]
    #[inline]
    pub fn stake(&self, slot: SlotId) -> i64 {
        self.bets.stake(slot).minor()
    }

    /// Returns the slots that have a bet.
    #[must_use]
    #[inline]
    pub fn standing(&self) -> Slots {
        self.bets.slots()
    }

    /// Returns a reference to the slots that have a bet, for reading a part of them.
    #[must_use]
    #[inline]
    pub fn standing_ref(&self) -> &Slots {
        self.bets.slots_ref()
    }

    /// Returns true if the last roll won the bet in this slot.
    #[must_use]
    #[inline]
    pub fn won(&self, slot: SlotId) -> bool {
        self.till.is_settled && self.till.won.contains(slot)
    }

    /// Returns true if the last roll lost the bet in this slot.
    #[must_use]
    #[inline]
    pub fn lost(&self, slot: SlotId) -> bool {
        self.till.is_settled && self.till.lost.contains(slot)
    }

    /// Returns the amount that the last win in this slot paid.
    #[must_use]
    pub fn last_win(&self, slot: SlotId) -> i64 {
        self.till.last_win[slot.index()]
    }

    /// Returns the value of a counter.
    #[must_use]
    #[inline]
    pub fn count(&self, counter: Counter) -> u32 {
        self.counters[counter as usize]
    }

    /// Returns how many come bets are up, in the come box or on numbers.
    #[must_use]
    #[inline]
    pub fn come_bets(&self) -> u32 {
        self.bets.slots().and(self.rules.come).len()
    }

    /// Returns how many don't come bets are up.
    #[must_use]
    #[inline]
    pub fn dont_come_bets(&self) -> u32 {
        self.bets.slots().and(self.rules.dont_come).len()
    }

    /// Returns the player's chips in the rail, in minor units.
    #[must_use]
    #[inline]
    pub fn rail(&self) -> i64 {
        self.till.rail
    }

    /// Returns the chips in the rail and on the felt minus the buy-in, in minor units.
    #[must_use]
    #[inline]
    pub fn net(&self) -> i64 {
        self.till.worth - self.buy_in
    }

    /// Returns the highest net result so far, in minor units.
    #[must_use]
    pub fn peak(&self) -> i64 {
        self.peak
    }

    /// Returns true if a question's answer depended on more than the phase.
    pub(crate) fn asked_windows(&self) -> bool {
        !self.particular.is_empty()
    }

    /// Returns the wagers whose trackers such answers depended on.
    pub(crate) fn asked_trackers(&self) -> Vec<WagerId> {
        let mut asked: Vec<WagerId> =
            self.particular.iter().filter_map(|slot| self.rules.briefs[slot.index()].tracker).collect();
        asked.sort_unstable();
        asked.dedup();
        asked
    }

    /// Returns true if a bet was changed in a way that depends on what it remembers.
    pub(crate) fn changed_bets(&self) -> bool {
        self.changes
    }

    /// Returns the slots that the last roll won and lost.
    pub(crate) fn last_throw(&self) -> (Slots, Slots) {
        if self.till.is_settled { (self.till.won, self.till.lost) } else { (Slots::NONE, Slots::NONE) }
    }

    /// Restores the slots that the last roll won and lost. `wins` has the amount for each slot that won.
    pub(crate) fn set_last_throw(&mut self, won: Slots, lost: Slots, wins: &[i64]) {
        (self.till.is_settled, self.till.won, self.till.lost) = (true, won, lost);
        for (slot, win) in won.iter().zip(wins) {
            self.till.last_win[slot.index()] = *win;
        }
    }

    /// Returns what the table refused so far: each rule once, with the first bet it applied to.
    #[must_use]
    pub fn refusals(&self) -> &[(SlotId, Refusal)] {
        &self.asked.refusals
    }

    #[inline]
    fn ask(&self, slot: SlotId, amount: i64) -> Question {
        let brief = self.rules.briefs[slot.index()];
        let window = if brief.particular { self.window(brief) } else { 1 };
        Question { window, amount, standing: self.stake(slot), front: self.stake(self.rules.fronts[slot.index()]) }
    }

    /// Packs everything besides the phase that the table reads to decide whether a bet can be made now.
    #[inline]
    fn window(&self, brief: Brief) -> u32 {
        let hand = *self.hand;
        let line = self.bets.slots().meets(self.rules.line);
        let bits = [true, hand.is_new_shooters(), hand.is_after_seven(), hand.point_set, line];
        let window = bits.iter().fold(0, |bits, bit| bits << 1 | u32::from(*bit));
        let tracker = brief.tracker.map_or(0, |wager| u32::from(self.trackers.get(wager).bits()));
        window | tracker << 8
    }

    /// Asks the table whether it takes a bet of this amount.
    #[cold]
    fn ask_now(&mut self, slot: SlotId, amount: i64, ask: Question) -> Reply {
        if ask.window != 1 {
            self.particular.insert(slot);
        }
        let wanted = if amount == MOST {
            let whole = |terms: BetTerms| terms.most.map(|most| most - most % terms.multiple.max(1));
            self.terms(slot).and_then(whole).map_or(0, |most| most - ask.standing)
        } else {
            amount
        };
        let told = Stake::new(Money::from_minor(wanted)).and_then(|amount| self.decided(slot, amount));
        Reply { to: ask, is: told.unwrap_or_default() }
    }

    /// Returns what the table takes of a bet. None if it refuses, and the refusal is noted.
    fn decided(&mut self, slot: SlotId, amount: Stake) -> Option<Taken> {
        let command = Command::Bet { seat: PLAYER, slot, amount, manner: Manner::default() };
        let mut events = Events::new();
        match self.posed().decide(Actor::player(PLAYER), &command, &mut events) {
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

    /// Returns the limits of a bet, cached or asked now. None if it can't be made.
    #[inline]
    fn terms(&mut self, slot: SlotId) -> Option<BetTerms> {
        let ask = self.ask(slot, 0);
        let place = ask.place(slot, self.hand.phase_index());
        match &self.asked.terms[place] {
            (known, told) if *known == ask => *told,
            _ => self.terms_now(slot, ask, place),
        }
    }

    #[cold]
    #[inline(never)]
    fn terms_now(&mut self, slot: SlotId, ask: Question, place: usize) -> Option<BetTerms> {
        if ask.window != 1 {
            self.particular.insert(slot);
        }
        let told = self.posed().terms(PLAYER, slot, None).ok().map(|terms| BetTerms {
            least: terms.min.minor(),
            most: terms.max.map(Money::minor),
            multiple: i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX),
        });
        self.asked.terms[place] = (ask, told);
        told
    }

    /// Keeps a refusal, once per rule.
    fn note(&mut self, slot: SlotId, refusal: Refusal) {
        if !self.asked.refusals.iter().any(|(_, known)| known.is_alike(&refusal)) {
            self.asked.refusals.push((slot, refusal));
        }
    }

    /// Returns a table set up in the current position.
    fn posed(&self) -> Table {
        let mut table = self.rules.table.clone();
        table.pose(PLAYER, &self.bets, *self.hand, &self.trackers);
        table
    }

    /// Returns the maximum for the bet now. None if it is closed or has no maximum.
    #[inline]
    pub fn most(&mut self, slot: SlotId) -> Option<i64> {
        self.terms(slot)?.most
    }

    /// Returns the minimum for the bet. None if it is closed.
    pub fn least(&mut self, slot: SlotId) -> Option<i64> {
        self.terms(slot).map(|terms| terms.least)
    }

    /// Returns the amount that the bet must be a multiple of. Zero if it is closed.
    pub fn multiple(&mut self, slot: SlotId) -> i64 {
        self.terms(slot).map_or(0, |terms| terms.multiple)
    }

    /// Makes a bet or adds to it. Returns false if the table refuses it or the player doesn't have the chips.
    #[inline]
    pub fn bet(&mut self, slot: SlotId, amount: i64) -> bool {
        amount > 0 && self.place(slot, amount)
    }

    /// Makes a bet or adds to it, up to the maximum. Returns false if the table refuses it, it has no maximum, or the player doesn't have the chips.
    #[inline]
    pub fn bet_most(&mut self, slot: SlotId) -> bool {
        self.place(slot, MOST)
    }

    /// Makes a bet, with a fast path for simple bets whose answer is cached.
    fn place(&mut self, slot: SlotId, amount: i64) -> bool {
        let known = self.asked.plain[slot.index()][self.hand.phase_index()];
        let front = self.rules.fronts[slot.index()];
        let is_known = known.amount == amount && known.front == self.stake(front) && self.stake(slot) == 0;
        if !is_known || known.taken > self.till.rail {
            return self.place_with_care(slot, amount);
        }
        self.till.rail -= known.taken;
        self.counters[Counter::BetsThisShooter as usize] += known.is_new;
        self.bets.make(slot, Money::from_minor(known.taken));
        true
    }

    /// Makes any bet, with the cached answer or a new one.
    #[inline(never)]
    fn place_with_care(&mut self, slot: SlotId, amount: i64) -> bool {
        let ask = self.ask(slot, amount);
        let place = ask.place(slot, self.hand.phase_index());
        if self.asked.bets[place].to != ask {
            self.asked.bets[place] = self.ask_now(slot, amount, ask);
        }
        let Taken { amount: taken, charge, paid } = self.asked.bets[place].is;
        if taken == 0 {
            return false;
        }
        if taken + charge > self.till.rail {
            self.short = true;
            return false;
        }
        // Odds and presses only add to a bet, so they aren't new bets.
        let is_new = u32::from(ask.standing == 0 && self.rules.fronts[slot.index()] == slot);
        if ask.standing == 0 && ask.window == 1 && charge | paid == 0 && self.written.is_none() {
            self.asked.plain[slot.index()][self.hand.phase_index()] = Plain { amount, front: ask.front, taken, is_new };
        }
        let flow = Flow::placed(Money::from_minor(taken), Money::from_minor(charge));
        self.till.flows(flow);
        self.till.net[slot.index()] += flow.net();
        self.counters[Counter::BetsThisShooter as usize] += is_new;
        self.moved |= charge != 0;
        self.bets.add(slot, Money::from_minor(taken), Money::from_minor(paid));
        if let (Some(written), Some(amount)) = (&mut self.written, Stake::new(Money::from_minor(taken))) {
            written.push(Command::Bet { seat: PLAYER, slot, amount, manner: Manner::default() });
        }
        true
    }

    /// Takes this amount of a bet down. Returns false if the table refuses it.
    pub fn down(&mut self, slot: SlotId, amount: i64) -> bool {
        let amount = Stake::new(Money::from_minor(amount));
        amount.is_some_and(|amount| self.change(slot, &Command::TakeDown { seat: PLAYER, slot, amount }))
    }

    /// Turns a bet on or off, or back to its standard. Returns false if the table refuses it.
    pub fn call(&mut self, slot: SlotId, called: Called) -> bool {
        if self.bets.get(slot).is_some_and(|bet| bet.called == called) {
            return true;
        }
        self.change(slot, &Command::Call { seat: PLAYER, slot, called })
    }

    /// Sets what happens to a bet when it wins. Returns false if the table refuses it.
    pub fn tell(&mut self, slot: SlotId, after_win: AfterWin) -> bool {
        if self.bets.get(slot).is_some_and(|bet| bet.after_win == after_win) {
            return true;
        }
        self.change(slot, &Command::Tell { seat: PLAYER, slot, after_win })
    }

    /// Ends the session before the next roll.
    pub fn quit(&mut self) {
        self.quits = true;
    }

    /// Applies any order other than a bet with the full table. This is rare, so it can be slow.
    fn change(&mut self, slot: SlotId, command: &Command) -> bool {
        (self.changes, self.moved) = (true, true);
        let table = self.posed();
        let mut events = Events::new();
        if let Err(refusal) = table.decide(Actor::player(PLAYER), command, &mut events) {
            self.note(slot, refusal);
            return false;
        }
        for event in &events {
            let flow = self.bets.follow(event);
            self.till.flows(flow);
            event.slots().for_each(|slot| self.till.net[slot.index()] += flow.net());
        }
        if let Some(written) = &mut self.written {
            written.push(command.clone());
        }
        true
    }

    /// Gives the dice to the player if there is a line bet, else to the stand-in. The dice change hands only before a come-out roll.
    #[inline]
    fn take_dice<const WIDE: bool>(&mut self) {
        if self.hand.phase != Phase::ComeOut && self.hand.shooter.is_some() {
            return;
        }
        if self.hand.shooter == Some(Shooter::Seat(STAND_IN)) {
            return;
        }
        let may = self.meets::<WIDE>(self.rules.shoots);
        if self.hand.shooter.is_some() {
            if may {
                return;
            }
            // A player without a line bet gives up the dice, and the stand-in takes them.
            self.hand.pass();
            self.stand_in = true;
        }
        let taker = self.rules.taker(self.hand.last_shooter, self.stand_in, may);
        self.stand_in |= taker == Shooter::Seat(STAND_IN);
        self.hand.take(taker);
        self.counters[Counter::ShooterThrows as usize] = 0;
        self.counters[Counter::ShooterPoints as usize] = 0;
    }

    /// Returns true if there is a bet in one of these slots.
    #[inline(always)]
    fn meets<const WIDE: bool>(&self, slots: Slots) -> bool {
        self.bets.slots().meets_in(slots, WIDE)
    }

    /// Plays one roll.
    #[inline(always)]
    pub(crate) fn throw(&mut self, way: usize) {
        if self.rules.is_wide {
            self.throw_wide(way);
        } else {
            self.throw_in::<false>(way);
        }
    }

    #[inline(never)]
    fn throw_wide(&mut self, way: usize) {
        self.throw_in::<true>(way);
    }

    /// Plays one roll. `WIDE` is true for tables with more slots than fit in half of a set.
    #[inline(always)]
    fn throw_in<const WIDE: bool>(&mut self, way: usize) {
        self.take_dice::<WIDE>();
        let roll = self.rules.rolls.get(&self.hand, way);
        self.till.is_settled = false;
        if roll.changes::<WIDE>(self.bets.slots(), &self.dealer) {
            self.settle::<WIDE>(roll.place());
        }
        if !self.trackers.is_empty() {
            self.trackers.roll(self.rules.table(), self.hand.phase, WAYS[way]);
        }
        self.hand.roll(roll);
        self.counters[Counter::Throws as usize] += 1;
        self.counters[Counter::ShooterThrows as usize] += 1;
        if roll.is_minded | (roll.sets_point & self.bets.are_marked()) {
            self.bets.point_set(self.rules.board());
        }
        self.counters[Counter::ShooterPoints as usize] += u32::from(roll.makes_point);
        if roll.gives_up {
            self.hand.pass();
            self.counters[Counter::Hands as usize] += u32::from(roll.sevens_out);
            // The next shooter hasn't rolled yet.
            self.counters[Counter::BetsThisShooter as usize] = 0;
            self.counters[Counter::ShooterThrows as usize] = 0;
            self.counters[Counter::ShooterPoints as usize] = 0;
        }
    }

    /// Settles the bets that a roll changes.
    #[inline(never)]
    fn settle<const WIDE: bool>(&mut self, place: usize) {
        let roll = self.dealer.roll_at(place);
        self.till.begin();
        self.dealer.settle_in::<WIDE>(roll, &mut self.bets, &mut self.till);
        self.moved = true;
        // Any roll can change bets that collect numbers.
        if self.rules.gathers {
            self.bets.thrown(self.rules.board());
        }
    }
}
