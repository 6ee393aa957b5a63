//! Orders: what players and staff ask of the table, and how they undo, redo and repeat orders until the roll.

use super::{Deed, Entry, HandCount, HostCode, Live, Refused};
use craps_money::{Money, Stake};
use craps_notation::lock;
use craps_table::{
    Actor, Code, Command, Crew, Event, Manner, Refusal, Role, SeatId, Shooter, SlotId, Stage, State, Table, Verb,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;

/// Orders since the last roll, and bets that can be repeated.
#[derive(Debug, Clone)]
pub(super) struct Orders {
    /// The table after the last roll. `since` is what was ordered after that.
    window: Table,
    since: Vec<Order>,
    undone: BTreeMap<SeatId, Vec<Vec<Command>>>,
    repeatable: BTreeMap<SeatId, Vec<Command>>,
    /// What each player has done since the last roll and in this hand, by account or guest. So nobody answers for the one who had the seat before.
    done: BTreeMap<String, Done>,
}

/// What a player has done, taken back or not.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Done {
    /// Since the last roll.
    roll: Tally,
    /// In this hand.
    hand: Tally,
}

/// How many orders there were, their events, and the bytes of both.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tally {
    orders: usize,
    events: usize,
    bytes: usize,
}

/// How many orders one player can make between two rolls. Taking back and saying that one is ready count too.
pub const ORDERS_MOST: usize = 500;
/// The most that one player can do between two rolls.
const ROLL_MOST: Tally = Tally { orders: ORDERS_MOST, events: 5_000, bytes: 2 << 20 };
/// The most that one player can do in a hand, however many rolls it has.
const HAND_MOST: Tally = Tally { orders: 5_000, events: 30_000, bytes: 8 << 20 };
/// How many orders since the last roll, and how many events of theirs, can be taken back. If there are more, all of them stay.
const WINDOW_MOST: (usize, usize) = (10_000, 50_000);

impl Tally {
    fn is_within(&self, most: &Tally) -> bool {
        self.orders < most.orders && self.events < most.events && self.bytes < most.bytes
    }

    fn plus(self, more: Tally) -> Tally {
        Tally { orders: self.orders + more.orders, events: self.events + more.events, bytes: self.bytes + more.bytes }
    }
}

/// Counts bytes and keeps none.
struct Bytes(usize);

impl io::Write for Bytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// An order since the last roll.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Order {
    row: u64,
    actor: Actor,
    commands: Vec<Command>,
    events: Vec<Event>,
}

/// Orders since the last roll, as they are saved.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SavedOrders {
    window: State,
    since: Vec<Order>,
    undone: BTreeMap<SeatId, Vec<Vec<Command>>>,
    repeatable: BTreeMap<SeatId, Vec<Command>>,
    done: BTreeMap<String, Done>,
}

impl SavedOrders {
    /// Returns the orders at a table with the same rules.
    pub(super) fn read(self, table: &Table) -> Orders {
        let SavedOrders { window, since, undone, repeatable, done } = self;
        Orders { window: table.clone().with_state(window), since, undone, repeatable, done }
    }
}

impl Order {
    /// Returns the bets that it made, and with a minus those that it took down. What the crew turned down is not among them.
    fn bets(&self) -> impl Iterator<Item = (SeatId, SlotId, Money)> {
        self.events.iter().filter_map(|event| match event {
            Event::BetPlaced { seat, slot, staked, .. } => Some((*seat, *slot, *staked)),
            Event::TakenDown { seat, slot, returned, .. } => Some((*seat, *slot, Money::from_minor(-returned.minor()))),
            _ => None,
        })
    }
}

impl Orders {
    pub(super) fn new(table: &Table) -> Orders {
        Orders {
            window: table.clone(),
            since: Vec::new(),
            undone: BTreeMap::new(),
            repeatable: BTreeMap::new(),
            done: BTreeMap::new(),
        }
    }

    /// Returns what has to be saved.
    pub(super) fn saved(&self) -> SavedOrders {
        let Orders { window, since, undone, repeatable, done } = self.clone();
        SavedOrders { window: window.state().clone(), since, undone, repeatable, done }
    }

    /// Was nothing ordered since the last roll?
    pub(super) const fn is_empty(&self) -> bool {
        self.since.is_empty()
    }

    /// Applies an order.
    pub(super) fn done(&mut self, row: u64, actor: Actor, commands: &[Command], events: &[Event]) {
        if let Some(seat) = commands.first().and_then(Command::seat) {
            match self.undone.get_mut(&seat) {
                Some(undone) if undone.last().is_some_and(|last| last == commands) => {
                    undone.pop();
                }
                _ => {
                    self.undone.remove(&seat);
                }
            }
        }
        self.add(row, actor, commands.to_vec(), events);
    }

    /// Adds an order to those since the last roll.
    pub(super) fn add(&mut self, row: u64, actor: Actor, commands: Vec<Command>, events: &[Event]) {
        self.since.push(Order { row, actor, commands, events: events.to_vec() });
    }

    /// Counts what a player did. What the staff does isn't counted.
    pub(super) fn count(&mut self, entry: &Entry) {
        let counts = matches!(entry.did, Deed::Ordered { .. } | Deed::Undone { .. } | Deed::Paced(_));
        let (Some(who), Role::Player, true) = (&entry.by.who, entry.by.actor.role, counts) else { return };
        let mut bytes = Bytes(0);
        // Counting can't fail.
        let _ = serde_json::to_writer(&mut bytes, &entry.did);
        let more = Tally { orders: 1, events: entry.did.events().len(), bytes: bytes.0 };
        let done = self.done.entry(who.clone()).or_default();
        *done = Done { roll: done.roll.plus(more), hand: done.hand.plus(more) };
    }

    /// Begins the tally anew, because a new hand begins or nobody has a seat.
    pub(super) fn count_anew(&mut self) {
        self.done.clear();
    }

    /// Lets all orders stay if there are too many to keep them.
    pub(super) fn settle(&mut self, table: &Table) {
        let events: usize = self.since.iter().map(|order| order.events.len()).sum();
        if self.since.len() > WINDOW_MOST.0 || events > WINDOW_MOST.1 {
            self.window = table.clone();
            self.since.clear();
            self.undone.clear();
        }
    }

    /// Applies the undoing of orders. Returns the table without them: as it was after the last roll, and then with the orders that stand, if they
    /// stand exactly as they were.
    pub(super) fn taken_back(&mut self, seat: SeatId, rows: &[u64], same: bool) -> Table {
        let (gone, kept): (Vec<Order>, Vec<Order>) =
            std::mem::take(&mut self.since).into_iter().partition(|order| rows.contains(&order.row));
        self.since = kept;
        self.undone.entry(seat).or_default().extend(gone.into_iter().rev().map(|order| order.commands));
        let mut table = self.window.clone();
        if same {
            self.since.iter().flat_map(|order| &order.events).for_each(|event| table.apply_logged(event));
        }
        table
    }

    /// Forgets a player who left.
    pub(super) fn forget(&mut self, seat: SeatId) {
        self.undone.remove(&seat);
        self.repeatable.remove(&seat);
    }

    /// Remembers the bets that were made, so that they can be repeated after the roll.
    pub(super) fn decided(&mut self) {
        for (seat, bets) in bets_made(&self.since) {
            self.repeatable.insert(seat, bets);
        }
    }

    /// Starts a new window: earlier orders can no longer be undone.
    pub(super) fn begin(&mut self, table: &Table) {
        self.window = table.clone();
        self.since.clear();
        self.undone.clear();
        self.done.values_mut().for_each(|done| done.roll = Tally::default());
    }
}

impl Live {
    /// Decides an order: all of it or none.
    ///
    /// # Errors
    /// When one of the commands is refused.
    pub fn order(&self, actor: Actor, commands: &[Command]) -> Result<Deed, Refused> {
        self.may_now(actor, commands)?;
        let mut table = self.table.clone();
        let events = run(&mut table, actor, commands)?;
        Ok(Deed::Ordered { commands: commands.to_vec(), events })
    }

    /// Takes back a seat's last order since the last roll. None if there is no such order.
    ///
    /// # Errors
    /// When bets are closed, the law locks a bet of that order, or a later order isn't possible without it.
    pub fn undo(&self, seat: SeatId) -> Result<Option<Deed>, Refused> {
        let last = self.orders.since.iter().rev().find(|order| is_betting_of(order, seat));
        let rows: Vec<u64> = last.map(|order| order.row).into_iter().collect();
        self.without(seat, &rows, false)
    }

    /// Takes back all of a seat's orders since the last roll, except locked bets. None if there is nothing to take back.
    ///
    /// # Errors
    /// When bets are closed, or another order isn't possible without them.
    pub fn clear(&self, seat: SeatId) -> Result<Option<Deed>, Refused> {
        let goes = |order: &&Order| is_betting_of(order, seat) && self.is_not_locked(order).is_ok();
        let rows: Vec<u64> = self.orders.since.iter().filter(goes).map(|order| order.row).collect();
        self.without(seat, &rows, false)
    }

    /// Takes back these rows of a seat. If `listed`, the events that stand are listed even if they are the same as before, as old logs do.
    pub(crate) fn without(&self, seat: SeatId, rows: &[u64], listed: bool) -> Result<Option<Deed>, Refused> {
        if rows.is_empty() {
            return Ok(None);
        }
        if !self.is_open() || matches!(self.table.stage(), Stage::BetsClosed | Stage::InFlight) {
            return Err(self.late());
        }
        // Requests are numbered, and the crew answers them by number. Without one of them, the others would have other numbers.
        if self.table.requests_made() != self.orders.window.requests_made() {
            return Err(HostCode::CrewAsked.into());
        }
        let (gone, kept): (Vec<&Order>, Vec<&Order>) =
            self.orders.since.iter().partition(|order| rows.contains(&order.row));
        gone.iter().try_for_each(|order| self.is_not_locked(order))?;
        let mut table = self.orders.window.clone();
        let (mut same, mut events) = (!listed, Vec::new());
        for order in kept {
            let now = run(&mut table, order.actor, &order.commands)?;
            same &= now == order.events;
            events.extend(now);
        }
        if same {
            events.clear();
        }
        Ok(Some(Deed::Undone { seat, rows: rows.to_vec(), same, events }))
    }

    /// Does one of these orders since the last roll have such an event?
    pub(super) fn undoes(&self, rows: &[u64], is: impl Fn(&Event) -> bool) -> bool {
        let orders = self.orders.since.iter().filter(|order| rows.contains(&order.row));
        orders.flat_map(|order| &order.events).any(is)
    }

    /// Checks that a player may make another order before the next roll.
    ///
    /// # Errors
    /// When they have made so many orders since the last roll, or in this hand, that the log would grow without limit.
    pub fn has_room(&self, who: &str) -> Result<(), HostCode> {
        let done = self.orders.done.get(who).copied().unwrap_or_default();
        match (done.roll.is_within(&ROLL_MOST), done.hand.is_within(&HAND_MOST)) {
            (_, false) => Err(HostCode::TooManyInHand),
            (false, _) => Err(HostCode::TooManyOrders),
            _ => Ok(()),
        }
    }

    /// Counts a row that was applied. `before` is the hand before it.
    pub(super) fn count_orders(&mut self, entry: &Entry, before: HandCount) {
        self.orders.count(entry);
        if self.hands.number != before.number || self.table.seats().next().is_none() {
            self.orders.count_anew();
        }
        self.orders.settle(&self.table);
    }

    fn is_not_locked(&self, order: &Order) -> Result<(), Refusal> {
        let locked = order.commands.iter().find_map(|command| match command {
            Command::Bet { slot, .. } => lock(&self.table, *slot),
            _ => None,
        });
        locked.map_or(Ok(()), Err)
    }

    /// Returns the order that a seat took back last, so that it can be made again. Empty if there is none.
    #[must_use]
    pub fn redo(&self, seat: SeatId) -> Vec<Command> {
        self.orders.undone.get(&seat).and_then(|undone| undone.last()).cloned().unwrap_or_default()
    }

    /// Returns the bets that a seat made last, so that they can be repeated.
    #[must_use]
    pub fn repeat(&self, seat: SeatId) -> Vec<Command> {
        self.orders.repeatable.get(&seat).cloned().unwrap_or_default()
    }

    /// Checks that an order can be tried now. Once bets are closed, people can only join until the roll. Once people's dice are down, bets and
    /// players stay as they are until the roll is settled. With an automatic crew, no player can take the dice while another player has them or is
    /// next to have them.
    fn may_now(&self, actor: Actor, commands: &[Command]) -> Result<(), Refused> {
        let comes = |command: &Command| matches!(command, Command::Join { .. });
        let settled = |command: &Command| {
            matches!(
                command.verb(),
                Verb::Bet
                    | Verb::TakeDown
                    | Verb::Call
                    | Verb::Tell
                    | Verb::Leave
                    | Verb::TakeDice
                    | Verb::PassDice
                    | Verb::Answer
            )
        };
        let closed = self.closed().is_some() && !commands.iter().all(comes);
        if closed || self.dice.are_down() && commands.iter().any(settled) {
            return Err(self.late());
        }
        let next = self.table.shooter().or_else(|| self.table.implied_shooter());
        let takes = commands.iter().any(|command| matches!(command, Command::TakeDice { .. }));
        // A crew of people offers the dice, and the table knows to whom.
        let takes = takes && self.opening.crew == Crew::Automatic;
        match (actor, next) {
            (Actor { role: Role::Player, seat: Some(own) }, Some(Shooter::Seat(seat))) if takes && seat != own => {
                Err(HostCode::NotYourTurn { seat }.into())
            }
            _ => Ok(()),
        }
    }

    /// Returns why bets are closed.
    pub(crate) fn late(&self) -> Refused {
        match self.is_not_over() {
            Err(over) => over.into(),
            Ok(()) => self.table.refuse(Code::NoMoreBets, "bets.deadline").into(),
        }
    }
}

/// Returns the bets that these orders left up, by seat, as commands that make them again: what was bet less what was taken down.
fn bets_made(orders: &[Order]) -> BTreeMap<SeatId, Vec<Command>> {
    let mut made: BTreeMap<SeatId, Vec<(SlotId, Money)>> = BTreeMap::new();
    for (seat, slot, change) in orders.iter().flat_map(Order::bets) {
        let bets = made.entry(seat).or_default();
        match bets.iter_mut().find(|(known, _)| *known == slot) {
            Some((_, stake)) => *stake = Money::from_minor(stake.minor().saturating_add(change.minor())),
            None => bets.push((slot, change)),
        }
    }
    let again = |seat: SeatId, (slot, stake): (SlotId, Money)| {
        Some(Command::Bet { seat, slot, amount: Stake::new(stake)?, manner: Manner::default() })
    };
    let bets =
        made.into_iter().map(|(seat, bets)| (seat, bets.into_iter().filter_map(|bet| again(seat, bet)).collect()));
    bets.filter(|(_, bets): &(SeatId, Vec<Command>)| !bets.is_empty()).collect()
}

/// Does this order only make, take down or change bets of this seat?
fn is_betting_of(order: &Order, seat: SeatId) -> bool {
    let betting = |command: &Command| {
        matches!(command, Command::Bet { .. } | Command::TakeDown { .. } | Command::Call { .. } | Command::Tell { .. })
    };
    order.commands.iter().all(|command| betting(command) && command.seat() == Some(seat))
}

/// Runs commands on a table, in order.
pub(super) fn run(table: &mut Table, actor: Actor, commands: &[Command]) -> Result<Vec<Event>, Refusal> {
    let mut events = Vec::new();
    for command in commands {
        events.extend(table.run(actor, command)?);
    }
    Ok(events)
}
