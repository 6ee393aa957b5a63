//! The state of a table, and the fold that makes it.

use crate::bets::{Bet, SeatBets};
use crate::command::SeatId;
use crate::crew::{Crew, DiceSet, Stage};
use crate::decide::Grants;
use crate::event::Event;
use crate::layout::{Layout, TooManySlots};
use crate::settle::{After, Verdict};
use crate::slots::SlotId;
use craps_dice::{Throw, Total};
use craps_law::TableRules;
use craps_money::Money;
use craps_wagers::{Phase, Progress, WagerId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut};
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

/// Who throws.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shooter {
    /// A player.
    Seat(SeatId),
    /// The dealer, where a shaker lets the dealer.
    Dealer,
}

/// A moment between two throws, as far as what may be done hangs on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moment {
    /// Where the game stands.
    pub phase: Phase,
    /// Who has the dice.
    pub shooter: Option<SeatId>,
    /// Has the shooter thrown a come-out of their own?
    pub came_out: bool,
    /// Has a point been set since the last seven-out?
    pub point_set: bool,
    /// The throw before.
    pub previous: Option<Total>,
    /// The markers of products.
    pub trackers: Vec<(WagerId, Progress)>,
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

/// A table: rules, layout, and everything that has happened, folded.
#[derive(Debug, Clone)]
pub struct Table {
    rules: Arc<TableRules>,
    layout: Arc<Layout>,
    grants: Arc<Grants>,
    pub(crate) crew: Crew,
    pub(crate) state: State,
}

/// Everything that has happened at a table, folded: it can be kept and taken up again under the same rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub(crate) phase: Phase,
    pub(crate) shooter: Option<Shooter>,
    pub(crate) last_shooter: Option<Shooter>,
    /// Has the shooter thrown a come-out of their own?
    pub(crate) came_out: bool,
    /// Has a point been set since the last seven-out?
    pub(crate) point_set: bool,
    pub(crate) previous: Option<Total>,
    pub(crate) trackers: BTreeMap<WagerId, Progress>,
    pub(crate) selection: Vec<(WagerId, usize)>,
    /// Betting is closed: a draw was made and its throw did not count.
    pub(crate) closed: bool,
    pub(crate) seats: BTreeMap<SeatId, Seat>,
    pub(crate) accounts: Accounts,
    pub(crate) throws: u32,
    /// How many there had been when the shooter took the dice.
    pub(crate) taken_at: u32,
    /// Rolling for come decisions only is over: its shooter did not want the line, and has the dice only if they bet it now.
    pub(crate) declined: bool,
    pub(crate) stage: Stage,
    pub(crate) dice: DiceSet,
}

impl State {
    /// Nothing has happened yet.
    fn new() -> State {
        State {
            phase: Phase::ComeOut,
            shooter: None,
            last_shooter: None,
            came_out: false,
            point_set: false,
            previous: None,
            trackers: BTreeMap::new(),
            selection: Vec::new(),
            closed: false,
            seats: BTreeMap::new(),
            accounts: Accounts::default(),
            throws: 0,
            taken_at: 0,
            declined: false,
            stage: Stage::Closed,
            dice: DiceSet::default(),
        }
    }
}

/// Whoever decides reads the state as the table's own.
impl Deref for Table {
    type Target = State;

    fn deref(&self) -> &State {
        &self.state
    }
}

impl DerefMut for Table {
    fn deref_mut(&mut self) -> &mut State {
        &mut self.state
    }
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
    /// When the rules make more names for bets than a layout holds.
    pub fn open(rules: TableRules) -> Result<Table, TooManySlots> {
        let layout = Layout::new(&rules)?;
        Ok(Table {
            grants: Arc::new(Grants::new(&rules)),
            rules: Arc::new(rules),
            layout: Arc::new(layout),
            crew: Crew::Automatic,
            state: State::new(),
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
        self.stage
    }

    /// The dice at the table.
    #[must_use]
    pub fn dice(&self) -> DiceSet {
        self.dice
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

    /// The layout.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The layout, to be kept beyond this table.
    #[must_use]
    pub fn shared_layout(&self) -> Arc<Layout> {
        Arc::clone(&self.layout)
    }

    /// Where the game stands.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Who has the dice.
    #[must_use]
    pub fn shooter(&self) -> Option<Shooter> {
        self.shooter
    }

    /// The seats that are taken, in order.
    pub fn seats(&self) -> impl Iterator<Item = (SeatId, &Seat)> {
        self.seats.iter().map(|(id, seat)| (*id, seat))
    }

    /// One seat.
    #[must_use]
    pub fn seat(&self, seat: SeatId) -> Option<&Seat> {
        self.seats.get(&seat)
    }

    /// The progress of a product's markers.
    #[must_use]
    pub fn tracker(&self, wager: WagerId) -> Progress {
        self.trackers.get(&wager).copied().unwrap_or_default()
    }

    /// Where all money is.
    #[must_use]
    pub fn accounts(&self) -> Accounts {
        self.accounts
    }

    /// How many valid throws there have been.
    #[must_use]
    pub fn throws(&self) -> u32 {
        self.throws
    }

    /// Poses the table: one seat has these bets at this moment. Nothing has happened; it is for asking what may be done.
    pub fn pose(&mut self, seat: SeatId, bets: &SeatBets, moment: &Moment) {
        self.phase = moment.phase;
        self.came_out = moment.came_out;
        self.point_set = moment.point_set;
        self.previous = moment.previous;
        self.shooter = moment.shooter.map(Shooter::Seat);
        self.trackers = moment.trackers.iter().copied().collect();
        if let Some(seat) = self.seats.get_mut(&seat) {
            seat.bets.clone_from(bets);
        }
    }

    /// Is every cent accounted for?
    #[must_use]
    pub fn is_conserved(&self) -> bool {
        let felt = |seat: &Seat| seat.bets.standing().map(|(_, bet)| i128::from(bet.stake.minor())).sum::<i128>();
        let held: i128 = self.seats.values().map(|seat| i128::from(seat.rail.minor()) + felt(seat)).sum();
        held + i128::from(self.accounts.bank.minor()) + i128::from(self.accounts.commission.minor())
            == i128::from(self.accounts.came_in.minor())
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
        match event {
            Event::Joined { seat, name, money } => {
                let bets = SeatBets::default();
                self.seats.insert(*seat, Seat { name: name.clone(), rail: *money, bets });
                self.accounts.came_in = sum(self.accounts.came_in, *money);
            }
            Event::BoughtIn { seat, money } => {
                self.accounts.came_in = sum(self.accounts.came_in, *money);
                self.pay(*seat, *money);
            }
            Event::Left { seat } => {
                if let Some(gone) = self.seats.remove(seat) {
                    self.accounts.came_in = difference(self.accounts.came_in, gone.rail);
                }
            }
            Event::BetPlaced { seat, slot, bet, staked, commission } => {
                self.pay(*seat, negative(sum(*staked, *commission)));
                self.accounts.commission = sum(self.accounts.commission, *commission);
                self.put(*seat, *slot, Some(*bet));
                // A line bet ends rolling for come decisions only.
                if self.phase == Phase::ComeDecisionOnly && self.is_line(*slot) {
                    self.phase = Phase::ComeOut;
                    let own = self.shooter == Some(Shooter::Seat(*seat));
                    if !own {
                        self.last_shooter = self.shooter;
                        self.shooter = None;
                    }
                }
            }
            Event::TakenDown { seat, slot, left, returned, refunded } => {
                self.put(*seat, *slot, *left);
                self.pay(*seat, sum(*returned, *refunded));
                self.accounts.commission = difference(self.accounts.commission, *refunded);
                // Rolling for come decisions only is over when none is left to decide.
                let left = self.seats.values().any(|seat| seat.bets.slots().meets(self.layout.moved));
                if self.phase == Phase::ComeDecisionOnly && !left {
                    self.phase = Phase::ComeOut;
                    self.declined = true;
                }
            }
            Event::Told { seat, slot, bet } | Event::Advanced { seat, slot, bet } => self.put(*seat, *slot, Some(*bet)),
            Event::Inspected => self.stage = Stage::Inspected,
            Event::Opened { dice } => {
                self.stage = Stage::Offering(None);
                self.dice = DiceSet { dice: *dice, sets: self.dice.sets + 1, hours: 0 };
            }
            Event::Closed => self.stage = Stage::Closed,
            Event::DiceChanged { dice, .. } => self.dice = DiceSet { dice: *dice, sets: self.dice.sets + 1, hours: 0 },
            Event::HoursNoted { hours } => self.dice.hours = self.dice.hours.saturating_add(*hours),
            Event::DiceOffered { seat } => self.stage = Stage::Offering(Some(*seat)),
            Event::DiceDeclined { seat } => {
                self.stage = Stage::Offering(None);
                self.last_shooter = Some(Shooter::Seat(*seat));
            }
            Event::BetsClosed => self.stage = Stage::BetsClosed,
            Event::Released => self.stage = Stage::InFlight,
            Event::Called { .. }
            | Event::SideBetClosed { .. }
            | Event::OrderedOff { .. }
            | Event::FacesNamed { .. } => {}
            Event::DiceTaken { seat, phase } => {
                let taker = Some(seat.map_or(Shooter::Dealer, Shooter::Seat));
                self.stage = Stage::Betting;
                // Whoever goes on with the dice is no new shooter.
                if self.shooter != taker {
                    self.came_out = false;
                }
                self.shooter = taker;
                self.taken_at = self.throws;
                self.phase = *phase;
            }
            Event::DicePassed => {
                self.last_shooter = self.shooter;
                self.shooter = None;
                self.stage = Stage::Offering(None);
            }
            Event::Drawn { selection } => self.selection.clone_from(selection),
            Event::Thrown { dice } => self.thrown(*dice),
            Event::Settled { seat, slot, bet, verdict, after } => self.settled(*seat, *slot, bet, verdict, after),
            Event::PhaseSet { phase, trackers } => {
                let set = matches!((self.phase, phase), (Phase::ComeOut, Phase::Point(_)));
                self.declined = (self.phase, *phase) == (Phase::ComeDecisionOnly, Phase::ComeOut);
                self.phase = *phase;
                self.stage = Stage::Betting;
                self.trackers = trackers.iter().copied().collect();
                if set {
                    self.point_set = true;
                    let layout = &self.layout;
                    self.state.seats.values_mut().for_each(|seat| seat.bets.point_set(layout));
                }
            }
            Event::SurveillanceTold => {}
            Event::NoRoll { .. } => {
                self.closed = !self.selection.is_empty();
                self.stage = Stage::Betting;
            }
            Event::Ruled { seat, amount, .. } => {
                self.pay(*seat, *amount);
                self.accounts.bank = difference(self.accounts.bank, *amount);
            }
        }
    }

    pub(crate) fn is_line(&self, slot: SlotId) -> bool {
        let place = self.layout.slot(slot);
        place.wager.wager().family == craps_wagers::Family::Line && !place.wager.wager().code.contains('#')
    }

    fn thrown(&mut self, dice: Throw) {
        self.throws += 1;
        if self.phase.is_lost_by(dice) {
            self.point_set = false;
        }
        if self.phase == Phase::ComeOut {
            self.came_out = true;
        }
        self.previous = Some(dice.total());
        self.selection.clear();
        self.closed = false;
        for seat in self.state.seats.values_mut() {
            seat.bets.thrown(&self.layout);
        }
    }

    fn settled(&mut self, seat: SeatId, slot: SlotId, bet: &Bet, verdict: &Verdict, after: &After) {
        self.put(seat, slot, None);
        let stays = match after {
            After::Down => Money::ZERO,
            After::Stands(to, next) => {
                self.put(seat, *to, Some(*next));
                next.stake
            }
        };
        let back = difference(bet.stake, stays);
        match verdict {
            Verdict::Won { paid, commission, .. } => {
                self.pay(seat, difference(sum(*paid, back), *commission));
                self.accounts.bank = difference(self.accounts.bank, *paid);
                self.accounts.commission = sum(self.accounts.commission, *commission);
            }
            Verdict::Credited { paid, .. } => {
                self.pay(seat, *paid);
                self.accounts.bank = difference(self.accounts.bank, *paid);
            }
            Verdict::Lost => self.accounts.bank = sum(self.accounts.bank, bet.stake),
            Verdict::Returned | Verdict::Moved { .. } => self.pay(seat, back),
        }
    }

    fn pay(&mut self, seat: SeatId, amount: Money) {
        if let Some(seat) = self.seats.get_mut(&seat) {
            seat.rail = sum(seat.rail, amount);
        }
    }

    fn put(&mut self, seat: SeatId, slot: SlotId, bet: Option<Bet>) {
        if let Some(seat) = self.seats.get_mut(&seat) {
            match bet {
                Some(bet) => seat.bets.put(slot, bet),
                None => {
                    seat.bets.take(slot);
                }
            }
        }
    }
}

/// Sums of amounts that `decide` has checked; an amount that could not be held was refused there.
fn sum(a: Money, b: Money) -> Money {
    a.plus(b).unwrap_or(a)
}

fn difference(a: Money, b: Money) -> Money {
    a.minus(b).unwrap_or(a)
}

fn negative(a: Money) -> Money {
    Money::from_minor(-a.minor())
}
