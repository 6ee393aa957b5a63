//! Orders: what players and staff ask of the table, and what they take back, do again and repeat until the dice are out.

use super::{Deed, Live};
use craps_money::{Money, Stake};
use craps_notation::lock;
use craps_table::{Actor, Code, Command, Event, Manner, Refusal, Role, SeatId, Shooter, SlotId, Stage, Table, Verb};
use std::collections::BTreeMap;

/// What was ordered since the last throw, and what may be ordered again.
#[derive(Debug, Clone)]
pub(super) struct Orders {
    /// The table as it was after the last throw, and what was done since.
    window: Table,
    since: Vec<Order>,
    undone: BTreeMap<SeatId, Vec<Vec<Command>>>,
    repeatable: BTreeMap<SeatId, Vec<Command>>,
}

/// An order since the last throw.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Order {
    row: u64,
    actor: Actor,
    commands: Vec<Command>,
}

impl Orders {
    pub(super) fn new(table: &Table) -> Orders {
        Orders { window: table.clone(), since: Vec::new(), undone: BTreeMap::new(), repeatable: BTreeMap::new() }
    }

    /// Folds an order.
    pub(super) fn done(&mut self, row: u64, actor: Actor, commands: &[Command]) {
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
        self.add(row, actor, commands.to_vec());
    }

    /// Adds what was done to what happened since the last throw.
    pub(super) fn add(&mut self, row: u64, actor: Actor, commands: Vec<Command>) {
        self.since.push(Order { row, actor, commands });
    }

    /// Folds orders that are taken back; the table as it was before all that was done since the last throw.
    pub(super) fn taken_back(&mut self, seat: SeatId, rows: &[u64]) -> Table {
        let (gone, kept): (Vec<Order>, Vec<Order>) =
            std::mem::take(&mut self.since).into_iter().partition(|order| rows.contains(&order.row));
        self.since = kept;
        self.undone.entry(seat).or_default().extend(gone.into_iter().rev().map(|order| order.commands));
        self.window.clone()
    }

    /// A player left.
    pub(super) fn forget(&mut self, seat: SeatId) {
        self.undone.remove(&seat);
        self.repeatable.remove(&seat);
    }

    /// The dice decided: the bets that were made may be made again.
    pub(super) fn decided(&mut self) {
        for (seat, bets) in bets_made(&self.since) {
            self.repeatable.insert(seat, bets);
        }
    }

    /// Nothing that was done before is taken back from now on.
    pub(super) fn begin(&mut self, table: &Table) {
        self.window = table.clone();
        self.since.clear();
        self.undone.clear();
    }
}

impl Live {
    /// An order: all of it, or none.
    ///
    /// # Errors
    /// When one of the commands is refused.
    pub fn order(&self, actor: Actor, commands: &[Command]) -> Result<Deed, Refusal> {
        self.may_now(actor, commands)?;
        let mut table = self.table.clone();
        let events = run(&mut table, actor, commands)?;
        Ok(Deed::Ordered { commands: commands.to_vec(), events })
    }

    /// Takes back the last order of a seat since the last throw; nothing where there is none.
    ///
    /// # Errors
    /// When bets are closed, it made a bet that the law locks, or what came after could not be done without it.
    pub fn undo(&self, seat: SeatId) -> Result<Option<Deed>, Refusal> {
        let last = self.orders.since.iter().rev().find(|order| is_betting_of(order, seat));
        let rows: Vec<u64> = last.map(|order| order.row).into_iter().collect();
        self.without(seat, &rows)
    }

    /// Takes back every order of a seat since the last throw that may be taken back; nothing where there is none.
    ///
    /// # Errors
    /// When bets are closed, or what is left could not be done without them.
    pub fn clear(&self, seat: SeatId) -> Result<Option<Deed>, Refusal> {
        let goes = |order: &&Order| is_betting_of(order, seat) && self.is_not_locked(order).is_ok();
        let rows: Vec<u64> = self.orders.since.iter().filter(goes).map(|order| order.row).collect();
        self.without(seat, &rows)
    }

    /// Takes back these orders of a seat.
    pub(crate) fn without(&self, seat: SeatId, rows: &[u64]) -> Result<Option<Deed>, Refusal> {
        if rows.is_empty() {
            return Ok(None);
        }
        if !self.is_open() || matches!(self.table.stage(), Stage::BetsClosed | Stage::InFlight) {
            return Err(self.late());
        }
        let (gone, kept): (Vec<&Order>, Vec<&Order>) =
            self.orders.since.iter().partition(|order| rows.contains(&order.row));
        gone.iter().try_for_each(|order| self.is_not_locked(order))?;
        let mut table = self.orders.window.clone();
        let mut events = Vec::new();
        for order in kept {
            events.extend(run(&mut table, order.actor, &order.commands)?);
        }
        Ok(Some(Deed::Undone { seat, rows: rows.to_vec(), events }))
    }

    fn is_not_locked(&self, order: &Order) -> Result<(), Refusal> {
        let locked = order.commands.iter().find_map(|command| match command {
            Command::Bet { slot, .. } => lock(&self.table, *slot),
            _ => None,
        });
        locked.map_or(Ok(()), Err)
    }

    /// What a seat took back last, to be ordered again; nothing where there is none.
    #[must_use]
    pub fn redo(&self, seat: SeatId) -> Vec<Command> {
        self.orders.undone.get(&seat).and_then(|undone| undone.last()).cloned().unwrap_or_default()
    }

    /// The bets that a seat made the last time it made any, to be ordered again.
    #[must_use]
    pub fn repeat(&self, seat: SeatId) -> Vec<Command> {
        self.orders.repeatable.get(&seat).cloned().unwrap_or_default()
    }

    /// May this be tried now? Once bets are closed nobody but a newcomer does anything before the dice are down. Once people's dice are down, no
    /// bet and no player moves before they are settled. Nobody takes dice that another player has or is next to have.
    fn may_now(&self, actor: Actor, commands: &[Command]) -> Result<(), Refusal> {
        let comes = |command: &Command| matches!(command, Command::Join { .. });
        let settled = |command: &Command| {
            matches!(
                command.verb(),
                Verb::Bet | Verb::TakeDown | Verb::Call | Verb::Tell | Verb::Leave | Verb::TakeDice | Verb::PassDice
            )
        };
        let closed = self.closed().is_some() && !commands.iter().all(comes);
        if closed || self.dice.are_down() && commands.iter().any(settled) {
            return Err(self.late());
        }
        let next = self.table.shooter().or_else(|| self.table.implied_shooter());
        let takes = commands.iter().any(|command| matches!(command, Command::TakeDice { .. }));
        match (actor, next) {
            (Actor { role: Role::Player, seat: Some(own) }, Some(Shooter::Seat(seat))) if takes && seat != own => {
                Err(self.refusal("not-shooter", &format!("The dice are seat {seat}'s.")))
            }
            _ => Ok(()),
        }
    }

    /// Why nothing is bet now, where bets are closed.
    pub(crate) fn late(&self) -> Refusal {
        match self.is_not_over() {
            Err(over) => over,
            Ok(()) => self.table.refuse(Code::NoMoreBets, "bets.deadline"),
        }
    }
}

/// The bets that stand from some orders, seat by seat, as commands to make them again: what was made, less what came down again.
fn bets_made(orders: &[Order]) -> BTreeMap<SeatId, Vec<Command>> {
    let mut made: BTreeMap<SeatId, Vec<(SlotId, Money)>> = BTreeMap::new();
    for command in orders.iter().flat_map(|order| &order.commands) {
        let (seat, slot, change) = match command {
            Command::Bet { seat, slot, amount, .. } => (seat, slot, amount.money().minor()),
            Command::TakeDown { seat, slot, amount } => (seat, slot, -amount.money().minor()),
            _ => continue,
        };
        let bets = made.entry(*seat).or_default();
        match bets.iter_mut().find(|(known, _)| known == slot) {
            Some((_, stake)) => *stake = Money::from_minor(stake.minor().saturating_add(change)),
            None => bets.push((*slot, Money::from_minor(change))),
        }
    }
    let again = |seat: SeatId, (slot, stake): (SlotId, Money)| {
        Some(Command::Bet { seat, slot, amount: Stake::new(stake)?, manner: Manner::default() })
    };
    let bets =
        made.into_iter().map(|(seat, bets)| (seat, bets.into_iter().filter_map(|bet| again(seat, bet)).collect()));
    bets.filter(|(_, bets): &(SeatId, Vec<Command>)| !bets.is_empty()).collect()
}

/// Was nothing done for this seat but to bet, take down, call or tell?
fn is_betting_of(order: &Order, seat: SeatId) -> bool {
    let betting = |command: &Command| {
        matches!(command, Command::Bet { .. } | Command::TakeDown { .. } | Command::Call { .. } | Command::Tell { .. })
    };
    order.commands.iter().all(|command| betting(command) && command.seat() == Some(seat))
}

/// Runs commands on a table.
pub(super) fn run(table: &mut Table, actor: Actor, commands: &[Command]) -> Result<Vec<Event>, Refusal> {
    let mut events = Vec::new();
    for command in commands {
        events.extend(table.run(actor, command)?);
    }
    Ok(events)
}
