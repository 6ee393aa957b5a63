//! The state of a table, and the fold that makes it.

use crate::board::{Board, TooManySlots};
use crate::command::SeatId;
use crate::crew::{Crew, DiceSet, Stage};
use crate::decide::Grants;
use crate::event::Event;
use crate::fast::SeatBets;
use crate::hand::{Hand, Shooter};
use crate::slots::SlotId;
use crate::trackers::Trackers;
use craps_law::TableRules;
use craps_money::Money;
use craps_wagers::{Phase, Progress, WagerId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A player's place: who, what is on the rail, and the bets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Seat {
    /// Who.
    pub name: String,
    /// Chips on the rail.
    pub rail: Money,
    /// Chips on the felt.
    pub bets: SeatBets,
}

/// Where all money is. What came in is on rails, on the felt, in the bank or taken as commission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accounts {
    /// What players brought, less what they took away.
    pub came_in: Money,
    /// What the house has won from the felt, less what it paid.
    pub bank: Money,
    /// Commission.
    pub commission: Money,
}

/// A table: rules, board, and everything that has happened, folded.
#[derive(Debug, Clone)]
pub struct Table {
    rules: Arc<TableRules>,
    board: Arc<Board>,
    grants: Arc<Grants>,
    pub(crate) crew: Crew,
    pub(crate) state: State,
}

/// Everything that has happened at a table, folded: it can be kept and taken up again under the same rules.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub(crate) hand: Hand,
    pub(crate) trackers: Trackers,
    pub(crate) selection: Vec<(WagerId, usize)>,
    /// Betting is closed: a draw was made and its throw did not count.
    pub(crate) closed: bool,
    /// A seat has room for every bet there is, so each is kept apart from the others.
    pub(crate) seats: BTreeMap<SeatId, Box<Seat>>,
    pub(crate) accounts: Accounts,
    pub(crate) throws: u32,
    /// How many there had been when the shooter took the dice.
    pub(crate) taken_at: u32,
    pub(crate) stage: Stage,
    pub(crate) dice: DiceSet,
    /// A sum could not be held: the table no longer knows where its money is.
    pub(crate) miscounted: bool,
}

impl Table {
    /// An empty table under these rules, dice not yet offered.
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
    /// When the rules make more names for bets than a board holds.
    pub fn open(rules: TableRules) -> Result<Table, TooManySlots> {
        let board = Board::new(&rules)?;
        Ok(Table {
            grants: Arc::new(Grants::new(&rules)),
            rules: Arc::new(rules),
            board: Arc::new(board),
            crew: Crew::Automatic,
            state: State::default(),
        })
    }

    /// The same table with a crew of this kind.
    #[must_use]
    pub fn with_crew(mut self, crew: Crew) -> Table {
        self.crew = crew;
        self
    }

    /// Who does what the staff does.
    #[must_use]
    pub fn crew(&self) -> Crew {
        self.crew
    }

    /// Everything that has happened here, to be kept.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The same table with what had happened at one like it.
    #[must_use]
    pub fn with_state(mut self, state: State) -> Table {
        self.state = state;
        self
    }

    /// Where the procedure stands.
    #[must_use]
    pub fn stage(&self) -> Stage {
        self.state.stage
    }

    /// The dice at the table.
    #[must_use]
    pub fn dice(&self) -> DiceSet {
        self.state.dice
    }

    /// The rules in force.
    #[must_use]
    pub fn rules(&self) -> &TableRules {
        &self.rules
    }

    /// Who may do what here.
    pub(crate) fn grants(&self) -> &Grants {
        &self.grants
    }

    /// The board: every bet that there is here.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The board, to be kept beyond this table.
    #[must_use]
    pub fn shared_board(&self) -> Arc<Board> {
        Arc::clone(&self.board)
    }

    /// The hand: the game without its chips.
    #[must_use]
    pub fn hand(&self) -> Hand {
        self.state.hand
    }

    /// Where the game stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.state.hand.phase
    }

    /// Who has the dice.
    #[must_use]
    pub fn shooter(&self) -> Option<Shooter> {
        self.state.hand.shooter
    }

    /// The seats that are taken, in order.
    pub fn seats(&self) -> impl Iterator<Item = (SeatId, &Seat)> {
        self.state.seats.iter().map(|(id, seat)| (*id, &**seat))
    }

    /// One seat.
    #[must_use]
    pub fn seat(&self, seat: SeatId) -> Option<&Seat> {
        self.state.seats.get(&seat).map(|seat| &**seat)
    }

    /// What the trackers of all side bets have recorded.
    pub fn trackers(&self) -> impl Iterator<Item = (WagerId, Progress)> {
        self.state.trackers.iter()
    }

    /// What the tracker of a wager has recorded.
    #[must_use]
    pub fn tracker(&self, wager: WagerId) -> Progress {
        self.state.trackers.get(wager)
    }

    /// Where all money is.
    #[must_use]
    pub fn accounts(&self) -> Accounts {
        self.state.accounts
    }

    /// How many valid throws there have been.
    #[must_use]
    pub fn throws(&self) -> u32 {
        self.state.throws
    }

    /// Poses the table: one seat has these bets in this hand. Nothing has happened; it is for asking what may be done.
    pub fn pose(&mut self, seat: SeatId, bets: &SeatBets, hand: Hand, trackers: &Trackers) {
        self.state.hand = hand;
        self.state.trackers.clone_from(trackers);
        if let Some(seat) = self.state.seats.get_mut(&seat) {
            seat.bets.clone_from(bets);
        }
    }

    /// Is every cent accounted for?
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        let State { seats, accounts, miscounted, .. } = &self.state;
        let felt = |seat: &Seat| seat.bets.standing().map(|(_, bet)| i128::from(bet.stake.minor())).sum::<i128>();
        let held: i128 = seats.values().map(|seat| i128::from(seat.rail.minor()) + felt(seat)).sum();
        let all = held + i128::from(accounts.bank.minor()) + i128::from(accounts.commission.minor());
        !miscounted && all == i128::from(accounts.came_in.minor())
    }

    /// Folds one event into the state. Total: an event that happened is never refused.
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
                state.seats.insert(*seat, Box::new(Seat { name: name.clone(), rail: *money, bets }));
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
            Event::DecisionsOver { dice } => state.hand = state.hand.decisions_over(*dice),
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
            }
            Event::BetsClosed => state.stage = Stage::BetsClosed,
            Event::Released => state.stage = Stage::InFlight,
            Event::Called { .. }
            | Event::SideBetClosed { .. }
            | Event::OrderedOff { .. }
            | Event::FacesNamed { .. }
            | Event::SurveillanceTold => {}
            Event::DiceTaken { seat, phase } => {
                state.hand = state.hand.taken(Shooter::at(*seat), *phase);
                state.taken_at = state.throws;
                state.stage = Stage::Betting;
            }
            Event::DicePassed => {
                state.hand = state.hand.passed();
                state.stage = Stage::Offering(None);
            }
            Event::Drawn { selection } => state.selection.clone_from(selection),
            Event::Thrown { dice } => {
                state.throws += 1;
                state.hand = state.hand.rolled(*dice);
                state.selection.clear();
                state.closed = false;
                state.seats.values_mut().for_each(|seat| seat.bets.thrown(&self.board));
            }
            Event::PhaseSet { phase, trackers } => {
                if state.hand.sets_point(*phase) {
                    state.seats.values_mut().for_each(|seat| seat.bets.point_set(&self.board));
                }
                state.hand = state.hand.entered(*phase);
                state.trackers = trackers.iter().copied().collect();
                state.stage = Stage::Betting;
            }
            Event::NoRoll { .. } => {
                state.closed = !state.selection.is_empty();
                state.stage = Stage::Betting;
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
    /// The largest of all sums, whichever its sign.
    pub(crate) fn largest_sum(&self) -> i128 {
        let Accounts { came_in, bank, commission } = self.accounts;
        let rails = self.seats.values().map(|seat| seat.rail);
        let all = rails.chain([came_in, bank, commission]);
        all.map(|money| i128::from(money.minor()).abs()).max().unwrap_or_default()
    }

    /// Folds what happened to a bet of a seat.
    fn bet_changed(&mut self, seat: SeatId, event: &Event) {
        let State { seats, accounts, miscounted, .. } = self;
        let Some(placed) = seats.get_mut(&seat) else { return };
        let flow = placed.bets.follow(event);
        *miscounted |= !flow.is_balanced();
        add(&mut placed.rail, flow.rail, miscounted);
        add(&mut accounts.bank, flow.bank, miscounted);
        add(&mut accounts.commission, flow.commission, miscounted);
    }

    fn pay(&mut self, seat: SeatId, minor: i64) {
        if let Some(placed) = self.seats.get_mut(&seat) {
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

/// Adds to an amount. What `decide` let happen can always be held; a sum that cannot be is noticed for good.
fn add(amount: &mut Money, minor: i64, miscounted: &mut bool) {
    match amount.plus(Money::from_minor(minor)) {
        Some(sum) => *amount = sum,
        None => *miscounted = true,
    }
}
