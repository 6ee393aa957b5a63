//! The state of a table, and how events change it.

use crate::board::{Board, TooManySlots};
use crate::command::{NoRollReason, SeatId};
use crate::crew::{Crew, DiceSet, Stage};
use crate::decide::Grants;
use crate::event::Event;
use crate::fast::SeatBets;
use crate::hand::{AfterDecisions, Hand, Shooter};
use crate::requests::Request;
use crate::slots::SlotId;
use crate::trackers::Trackers;
use craps_law::TableRules;
use craps_money::Money;
use craps_wagers::{Phase, Progress, WagerId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A player at the table, with their chips and bets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// The player's name.
    pub name: String,
    /// Chips in the rail, not counting bets.
    pub rail: Money,
    /// Bets on the felt.
    pub bets: SeatBets,
    /// Number of rolls that had counted when the player last put chips down. None before the first bet.
    #[serde(default)]
    pub bet_at: Option<u32>,
    /// Was a bet of this player that was below the minimum settled?
    #[serde(default)]
    pub was_under: bool,
}

/// The accounts of a table. All money that came in is in the players' rails, on the felt, in the bank or in commission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accounts {
    /// All buy-ins, minus what players took away.
    pub came_in: Money,
    /// What the house won from bets, minus what it paid.
    pub bank: Money,
    /// All commission taken, minus refunds.
    pub commission: Money,
}

/// A table: its rules, its board and its current state.
#[derive(Debug, Clone)]
pub struct Table {
    rules: Arc<TableRules>,
    board: Arc<Board>,
    grants: Arc<Grants>,
    pub(crate) crew: Crew,
    /// What players ask for takes effect at once, also with a crew of people.
    pub(crate) at_once: bool,
    pub(crate) state: State,
}

/// The state of a table after all its events. It can be saved and loaded into a table with the same rules.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub(crate) hand: Hand,
    pub(crate) trackers: Trackers,
    pub(crate) selection: Vec<(WagerId, usize)>,
    /// Betting is closed because a draw was made. It opens again when a roll counts.
    pub(crate) closed: bool,
    /// The players by seat. Each has room for all possible bets, so copies of a table share the players until one of them changes.
    #[serde(with = "players")]
    pub(crate) seats: BTreeMap<SeatId, Arc<Seat>>,
    pub(crate) accounts: Accounts,
    pub(crate) throws: u32,
    /// The value of `throws` when the shooter took the dice.
    pub(crate) taken_at: u32,
    /// Who made the last roll that counted.
    #[serde(default)]
    pub(crate) thrower: Option<Shooter>,
    /// The seats that declined the dice since the last roll.
    #[serde(default)]
    pub(crate) declined: Vec<SeatId>,
    /// Requests that wait for the crew.
    #[serde(default)]
    pub(crate) requests: Vec<Request>,
    /// Number of the last request.
    #[serde(default)]
    pub(crate) requested: u32,
    /// The power failed since the last roll that counted, and players can take down all their bets.
    #[serde(default)]
    pub(crate) power_failed: bool,
    pub(crate) stage: Stage,
    pub(crate) dice: DiceSet,
    /// A sum overflowed, so the accounts are no longer right.
    pub(crate) miscounted: bool,
}

impl Table {
    /// Creates an empty table under these rules, with an automatic crew.
    ///
    /// ```
    /// use craps_law::{HouseRules, Library};
    /// use craps_table::Table;
    /// let library = Library::shipped();
    /// let book = library.named("nj")?;
    /// let table = Table::open(book.admit(&HouseRules::plain("nj", book.sample_day))?)?;
    /// assert_eq!((table.throws(), table.seats().count()), (0, 0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the rules have more bets than fit on a board.
    pub fn open(rules: TableRules) -> Result<Table, TooManySlots> {
        let board = Board::new(&rules)?;
        Ok(Table {
            grants: Arc::new(Grants::new(&rules)),
            rules: Arc::new(rules),
            board: Arc::new(board),
            crew: Crew::Automatic,
            at_once: false,
            state: State::default(),
        })
    }

    /// Returns the table with this kind of crew.
    #[must_use]
    pub fn with_crew(mut self, crew: Crew) -> Table {
        self.crew = crew;
        self
    }

    /// Returns the table as a log from before requests existed needs it: what players ask for takes effect at once, also with a crew of people.
    #[must_use]
    pub fn without_requests(mut self) -> Table {
        self.at_once = true;
        self
    }

    /// Returns the kind of crew.
    #[must_use]
    pub fn crew(&self) -> Crew {
        self.crew
    }

    /// Returns the current state, for saving.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Returns the table with a state that was saved at a table with the same rules.
    #[must_use]
    pub fn with_state(mut self, state: State) -> Table {
        self.state = state;
        self
    }

    /// Returns the current step of the procedure.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.state.stage
    }

    /// Returns the set of dice in use.
    #[must_use]
    pub fn dice(&self) -> DiceSet {
        self.state.dice
    }

    /// Returns the rules of the table.
    #[must_use]
    pub fn rules(&self) -> &TableRules {
        &self.rules
    }

    /// Returns a shared pointer to the rules, which can outlive the table.
    #[must_use]
    pub fn shared_rules(&self) -> Arc<TableRules> {
        Arc::clone(&self.rules)
    }

    /// Returns who is allowed to do what.
    pub(crate) fn grants(&self) -> &Grants {
        &self.grants
    }

    /// Returns the board with all bets that the table offers.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns a shared pointer to the board, which can outlive the table.
    #[must_use]
    pub fn shared_board(&self) -> Arc<Board> {
        Arc::clone(&self.board)
    }

    /// Returns the hand: phase and shooter, without chips.
    #[must_use]
    pub fn hand(&self) -> Hand {
        self.state.hand
    }

    /// Returns the phase of the next roll: come-out, point, or come decisions only.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.hand.phase
    }

    /// Returns the shooter, if somebody has the dice.
    #[must_use]
    pub fn shooter(&self) -> Option<Shooter> {
        self.state.hand.shooter
    }

    /// Iterates over the occupied seats in order.
    pub fn seats(&self) -> impl Iterator<Item = (SeatId, &Seat)> {
        self.state.seats.iter().map(|(id, seat)| (*id, &**seat))
    }

    /// Returns the player at a seat. None if the seat is empty.
    #[must_use]
    pub fn seat(&self, seat: SeatId) -> Option<&Seat> {
        self.state.seats.get(&seat).map(|seat| &**seat)
    }

    /// Iterates over the trackers of side bets with their progress.
    pub fn trackers(&self) -> impl Iterator<Item = (WagerId, Progress)> {
        self.state.trackers.iter()
    }

    /// Returns the progress of a wager's tracker.
    #[must_use]
    pub fn tracker(&self, wager: WagerId) -> Progress {
        self.state.trackers.get(wager)
    }

    /// Returns the accounts of the table.
    #[must_use]
    pub fn accounts(&self) -> Accounts {
        self.state.accounts
    }

    /// Returns the wagers that a draw selected for the next roll, with the level of each.
    #[must_use]
    pub fn selection(&self) -> &[(WagerId, usize)] {
        &self.state.selection
    }

    /// Must a draw be made before the next roll? True if bets are closed at a table that raises prices by a draw.
    #[must_use]
    pub fn waits_for_draw(&self) -> bool {
        !self.rules.modifiers.is_empty() && !self.state.closed && self.state.stage == Stage::BetsClosed
    }

    /// Was a draw made for the next roll?
    #[must_use]
    pub fn is_drawn(&self) -> bool {
        self.state.closed
    }

    /// Returns how many requests players have made at this table.
    #[must_use]
    pub fn requests_made(&self) -> u32 {
        self.state.requested
    }

    /// Returns the number of rolls that counted.
    #[must_use]
    pub fn throws(&self) -> u32 {
        self.state.throws
    }

    /// Sets up a position: one seat with these bets in this hand. Use it to ask what is allowed there. The accounts don't change.
    pub fn pose(&mut self, seat: SeatId, bets: &SeatBets, hand: Hand, trackers: &Trackers) {
        self.state.hand = hand;
        self.state.trackers.clone_from(trackers);
        if let Some(seat) = self.state.seat(seat) {
            seat.bets.clone_from(bets);
        }
    }

    /// Do the accounts add up to the money that came in?
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        let State { seats, accounts, miscounted, .. } = &self.state;
        let felt = |seat: &Seat| seat.bets.standing().map(|(_, bet)| i128::from(bet.stake.minor())).sum::<i128>();
        let held: i128 = seats.values().map(|seat| i128::from(seat.rail.minor()) + felt(seat)).sum();
        let all = held + i128::from(accounts.bank.minor()) + i128::from(accounts.commission.minor());
        !miscounted && all == i128::from(accounts.came_in.minor())
    }

    /// Applies one event to the state. It never fails: an event says what already happened.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # use craps_table::{Actor, Command, Manner, Role, Table};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// # let mut table = Table::open(rules)?;
    /// # let join = Command::Join { seat: 1, name: "Ann".into(), money: "500".parse()? };
    /// # table.run(Actor::staff(Role::Box), &join)?;
    /// use craps_table::Events;
    /// let mut events = Events::new();
    /// let more = Command::BuyIn { seat: 1, money: "100".parse()? };
    /// table.decide(Actor::player(1), &more, &mut events)?;
    /// for event in &events {
    ///     table.apply(event);
    /// }
    /// assert_eq!(table.seat(1).unwrap().rail.to_string(), "600");
    /// assert!(table.is_conserved());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn apply(&mut self, event: &Event) {
        let state = &mut self.state;
        match event {
            Event::Joined { seat, name, money } => {
                let bets = SeatBets::default();
                let seated = Seat { name: name.clone(), rail: *money, bets, bet_at: None, was_under: false };
                state.seats.insert(*seat, Arc::new(seated));
                state.came_in(money.minor());
            }
            Event::BoughtIn { seat, money } => {
                state.came_in(money.minor());
                state.pay(*seat, money.minor());
            }
            Event::Left { seat } => {
                if let Some(gone) = state.seats.remove(seat) {
                    state.came_in(gone.rail.minor().wrapping_neg());
                }
            }
            Event::BetPlaced { seat, .. }
            | Event::TakenDown { seat, .. }
            | Event::Told { seat, .. }
            | Event::Advanced { seat, .. }
            | Event::Settled { seat, .. } => state.bet_changed(*seat, event),
            Event::DecisionsOver { dice } => {
                state.hand = state.hand.decisions_over(*dice);
                if *dice == AfterDecisions::Passed {
                    state.stage = Stage::Offering(None);
                }
            }
            Event::Inspected => state.stage = Stage::Inspected,
            Event::Opened { dice } => {
                state.stage = Stage::Offering(None);
                state.dice = DiceSet { dice: *dice, sets: state.dice.sets + 1, hours: 0 };
            }
            Event::Closed => state.stage = Stage::Closed,
            Event::DiceChanged { dice, .. } => {
                state.dice = DiceSet { dice: *dice, sets: state.dice.sets + 1, hours: 0 };
            }
            Event::HoursNoted { hours } => state.dice.hours = state.dice.hours.saturating_add(*hours),
            Event::DiceOffered { seat } => state.stage = Stage::Offering(Some(*seat)),
            Event::DiceDeclined { seat } => {
                state.stage = Stage::Offering(None);
                state.hand = state.hand.declined_by(*seat);
                state.declined.push(*seat);
            }
            Event::BetsClosed => state.stage = Stage::BetsClosed,
            Event::Released => state.stage = Stage::InFlight,
            Event::Called { .. }
            | Event::SideBetClosed { .. }
            | Event::OrderedOff { .. }
            | Event::FacesNamed { .. }
            | Event::SurveillanceTold => {}
            Event::UnderMinimumSettled { seat } => {
                if let Some(seat) = state.seat(*seat) {
                    seat.was_under = true;
                }
            }
            Event::TrackersCleared { wagers } => {
                wagers.iter().for_each(|wager| state.trackers.set(*wager, Progress::FRESH));
            }
            Event::Requested { number, command, needs } => {
                state.requested = *number;
                let (command, needs) = ((**command).clone(), needs.clone());
                state.requests.push(Request { number: *number, command, needs, confirmed: Vec::new() });
            }
            Event::Confirmed { number, by } => {
                let waiting = state.requests.iter_mut().find(|request| request.number == *number);
                waiting.into_iter().for_each(|request| request.confirmed.push(*by));
            }
            Event::RequestEnded { number, .. } => state.requests.retain(|request| request.number != *number),
            Event::DiceTaken { seat, phase } => {
                state.hand = state.hand.taken(Shooter::at(*seat), *phase);
                state.taken_at = state.throws;
                state.stage = Stage::Betting;
            }
            Event::DicePassed => {
                state.hand = state.hand.passed();
                state.stage = Stage::Offering(None);
            }
            Event::Drawn { selection } => {
                state.selection.clone_from(selection);
                state.closed = true;
            }
            Event::Thrown { dice } => {
                state.throws += 1;
                state.thrower = state.hand.shooter;
                state.declined.clear();
                state.power_failed = false;
                state.hand = state.hand.rolled(*dice);
                state.selection.clear();
                state.closed = false;
                let board = &self.board;
                for seat in state.seats.values_mut().filter(|seat| seat.bets.minds_roll(board)) {
                    Arc::make_mut(seat).bets.thrown(board);
                }
            }
            Event::PhaseSet { phase, trackers } => {
                if state.hand.sets_point(*phase) {
                    let board = &self.board;
                    for seat in state.seats.values_mut().filter(|seat| seat.bets.minds_point(board)) {
                        Arc::make_mut(seat).bets.point_set(board);
                    }
                }
                state.hand = state.hand.entered(*phase);
                state.trackers = trackers.iter().copied().collect();
                state.stage = Stage::Betting;
            }
            Event::NoRoll { reason, .. } => {
                state.stage = Stage::Betting;
                state.power_failed = *reason == NoRollReason::PowerFailure;
            }
            Event::Ruled { seat, amount, .. } => {
                state.pay(*seat, amount.minor());
                state.bank(amount.minor().wrapping_neg());
            }
        }
    }

    pub(crate) fn is_line(&self, slot: SlotId) -> bool {
        self.board.line().contains(slot)
    }
}

impl State {
    /// Returns the largest of all sums, by absolute value.
    pub(crate) fn largest_sum(&self) -> i128 {
        let Accounts { came_in, bank, commission } = self.accounts;
        let rails = self.seats.values().map(|seat| seat.rail);
        let all = rails.chain([came_in, bank, commission]);
        all.map(|money| i128::from(money.minor()).abs()).max().unwrap_or_default()
    }

    /// Returns the player at a seat, to change them.
    fn seat(&mut self, seat: SeatId) -> Option<&mut Seat> {
        self.seats.get_mut(&seat).map(Arc::make_mut)
    }

    /// Applies an event about a bet of a seat.
    fn bet_changed(&mut self, seat: SeatId, event: &Event) {
        let State { seats, accounts, miscounted, throws, .. } = self;
        let Some(placed) = seats.get_mut(&seat).map(Arc::make_mut) else { return };
        if matches!(event, Event::BetPlaced { .. }) {
            placed.bet_at = Some(*throws);
        }
        let flow = placed.bets.follow(event);
        *miscounted |= !flow.is_balanced();
        add(&mut placed.rail, flow.rail, miscounted);
        add(&mut accounts.bank, flow.bank, miscounted);
        add(&mut accounts.commission, flow.commission, miscounted);
    }

    fn pay(&mut self, seat: SeatId, minor: i64) {
        if let Some(placed) = self.seats.get_mut(&seat).map(Arc::make_mut) {
            add(&mut placed.rail, minor, &mut self.miscounted);
        }
    }

    fn came_in(&mut self, minor: i64) {
        add(&mut self.accounts.came_in, minor, &mut self.miscounted);
    }

    fn bank(&mut self, minor: i64) {
        add(&mut self.accounts.bank, minor, &mut self.miscounted);
    }
}

/// Adds to an amount. An overflow sets `miscounted`, which is never cleared. It can't happen with events from `decide`.
fn add(amount: &mut Money, minor: i64, miscounted: &mut bool) {
    match amount.plus(Money::from_minor(minor)) {
        Some(sum) => *amount = sum,
        None => *miscounted = true,
    }
}

/// Saves and loads players without what makes them shared.
mod players {
    use super::{Arc, BTreeMap, Deserialize, Seat, SeatId};
    use serde::{Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seats: &BTreeMap<SeatId, Arc<Seat>>, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(seats.iter().map(|(id, seat)| (id, &**seat)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<BTreeMap<SeatId, Arc<Seat>>, D::Error> {
        let seats = BTreeMap::<SeatId, Seat>::deserialize(from)?;
        Ok(seats.into_iter().map(|(id, seat)| (id, Arc::new(seat))).collect())
    }
}
