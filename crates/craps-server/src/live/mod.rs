//! A live table: its log, and the state that follows from it. Everything here is decided and folded without a clock, a file or a socket;
//! [`pit`] gives each table its one writer.

mod draw;
mod entry;
mod fair;
mod hands;
pub mod ledger;
mod ownership;
pub mod pit;
mod private;
pub mod rows;
mod text;
mod transcript;
pub mod view;
mod window;
mod writer;

use craps_dice::Throw;
use craps_law::{Cites, Library};
use craps_money::{Money, Stake};
use craps_notation::{Calls, Explained, Session, Unplayable, explained, lock, mark};
use craps_table::{Actor, Command, Event, Manner, Refusal, Role, SeatId, Shooter, SlotId, Stage, Table, Verb};
use craps_wagers::Phase;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

pub use draw::Raised;
pub use entry::{By, Deed, DiceFrom, Entry, Opening};
pub use fair::{Draws, Secret, faces};
pub use hands::HandCount;
pub use ownership::{Ownership, Standing};
pub use private::{Empty, Private};
pub use text::Written;
pub use transcript::{NotWritten, Transcript};
pub use window::{Pace, TIMES, WINDOW, Window};

/// How much may be said to others at once.
pub const SAID_MOST: usize = 200;

/// A table as it stands after some row of its log.
#[derive(Debug, Clone)]
pub struct Live {
    opening: Opening,
    table: Table,
    /// How many rows have been folded, and the hash of the last.
    seq: u64,
    head: String,
    /// The table as it was after the last throw, and what was done since.
    window: Table,
    since: Vec<Order>,
    undone: BTreeMap<SeatId, Vec<Vec<Command>>>,
    repeatable: BTreeMap<SeatId, Vec<Command>>,
    ownership: Ownership,
    /// Its door, where it is private and a server has opened it.
    private: Option<Arc<Private>>,
    /// It has closed for good.
    over: bool,
    hand: Option<Hand>,
    closed: Option<Closed>,
    entered: Option<Entered>,
    /// Dice that people threw are down and not settled.
    down: bool,
    proposals: BTreeMap<u64, (By, Command)>,
    rolls: Vec<Arc<Roll>>,
    /// How players take the betting window, and since when it is open.
    pace: BTreeMap<SeatId, Pace>,
    opened_at: i64,
    /// A slot as the log numbers it and as this layout does, and back; both empty where they agree.
    inward: Vec<Option<SlotId>>,
    outward: Vec<Option<SlotId>>,
    /// The bets as the log numbers them, and as this layout does.
    codes: (Arc<[String]>, Arc<[String]>),
}

/// An order since the last throw.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Order {
    row: u64,
    actor: Actor,
    commands: Vec<Command>,
}

/// A hand whose secret is not revealed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hand {
    /// Its number at this table.
    pub number: u32,
    /// The commitment to its secret.
    pub commitment: String,
    /// How many throws it has had.
    pub throws: u32,
}

/// Bets are closed and the dice are not known yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Closed {
    /// The hash of the row that closed them.
    pub hash: String,
}

/// Dice that the stickperson has entered and nobody has confirmed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entered {
    /// Both faces.
    pub faces: [u8; 2],
    /// Who entered them.
    pub by: By,
}

/// A throw that counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Roll {
    /// Its number at this table.
    pub number: u32,
    /// The row that has it.
    pub row: u64,
    /// Both faces, the first die first.
    pub faces: [u8; 2],
    /// The phase before it.
    pub phase: Phase,
    /// The mark behind the dice: what the throw did to the line.
    pub mark: Option<char>,
    /// Who threw.
    pub shooter: Option<Shooter>,
    /// The stick's call.
    pub call: String,
    /// The wagers whose prices a draw raised for it.
    pub raised: Vec<Raised>,
    /// What it decided, in the order in which results are printed.
    pub results: Vec<Explained>,
}

/// What is on a rail after a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rail {
    /// Which.
    pub seat: SeatId,
    /// Whose, if anybody sits there.
    pub owner: Option<String>,
    /// How much.
    pub money: Money,
}

/// Why a table cannot be opened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotOpened {
    /// Its rules cannot be read, or are unlawful.
    #[error("{0}")]
    Rules(String),
    /// The log does not begin with an opening.
    #[error("the log of this table does not begin with its opening")]
    NoOpening,
}

impl Live {
    /// The opening of a table under these rules: what its first row will say.
    ///
    /// # Errors
    /// When the book, the day or a house key is unknown, or the house is unlawful.
    pub fn plan(library: &Library, mut opening: Opening) -> Result<Entry, NotOpened> {
        opening.slots = Vec::new();
        let table = open(library, &opening)?;
        opening.slots = table.layout().slots().map(|(_, slot)| slot.code.clone()).collect();
        Ok(Entry { by: By::machine(), did: Deed::Opened(Box::new(opening)) })
    }

    /// A table as its first row opens it.
    ///
    /// # Errors
    /// When the row is no opening or its rules are not to be had here.
    pub fn open(library: &Library, first: &Entry, hash: &str) -> Result<Live, NotOpened> {
        let Deed::Opened(opening) = &first.did else { return Err(NotOpened::NoOpening) };
        let table = open(library, opening)?;
        let layout = table.layout();
        let same = layout.slots().map(|(_, slot)| slot.code.as_str()).eq(opening.slots.iter().map(String::as_str));
        let (mut inward, mut outward) = (Vec::new(), Vec::new());
        if !same {
            inward = opening.slots.iter().map(|code| layout.named(code)).collect();
            let logged = |code: &str| SlotId::ALL.into_iter().zip(&opening.slots).find(|(_, known)| *known == code);
            outward = layout.slots().map(|(_, slot)| logged(&slot.code).map(|(slot, _)| slot)).collect();
        }
        let logged: Arc<[String]> = opening.slots.clone().into();
        let codes = match same {
            true => (Arc::clone(&logged), logged),
            false => (logged, layout.slots().map(|(_, slot)| slot.code.clone()).collect()),
        };
        Ok(Live {
            opening: (**opening).clone(),
            window: table.clone(),
            table,
            seq: 1,
            head: hash.to_owned(),
            since: Vec::new(),
            undone: BTreeMap::new(),
            repeatable: BTreeMap::new(),
            ownership: Ownership::opened_by(first.by.who.clone()),
            private: None,
            over: false,
            hand: None,
            closed: None,
            entered: None,
            down: false,
            proposals: BTreeMap::new(),
            rolls: Vec::new(),
            pace: BTreeMap::new(),
            opened_at: 0,
            inward,
            outward,
            codes,
        })
    }

    /// How it was opened.
    #[must_use]
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// The table.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The number of the last row that has been folded, and its hash.
    #[must_use]
    pub fn head(&self) -> (u64, &str) {
        (self.seq, &self.head)
    }

    /// The throws that counted.
    #[must_use]
    pub fn rolls(&self) -> &[Arc<Roll>] {
        &self.rolls
    }

    /// The codes of bets, as the log numbers them and as this layout does.
    #[must_use]
    pub fn codes(&self) -> (Arc<[String]>, Arc<[String]>) {
        self.codes.clone()
    }

    /// What is now on the rails that a deed touches.
    #[must_use]
    pub fn rails(&self, deed: &Deed) -> Vec<Rail> {
        let mut seats: Vec<SeatId> = match deed {
            Deed::Undone { seat, .. } => vec![*seat],
            deed => deed.events().iter().filter_map(Event::moves_money_of).collect(),
        };
        seats.sort_unstable();
        seats.dedup();
        let rail = |seat: SeatId| {
            let owner = self.owner(seat).map(str::to_owned);
            Some(Rail { seat, owner, money: self.table.seat(seat)?.rail })
        };
        seats.into_iter().filter_map(rail).collect()
    }

    /// The throw that a row made.
    #[must_use]
    pub fn roll_of(&self, row: u64) -> Option<&Arc<Roll>> {
        self.rolls.binary_search_by_key(&row, |roll| roll.row).ok().map(|at| &self.rolls[at])
    }

    /// The hand that is being played with dice from a secret.
    #[must_use]
    pub fn hand(&self) -> Option<&Hand> {
        self.hand.as_ref()
    }

    /// Are bets closed, and by which row?
    #[must_use]
    pub fn closed(&self) -> Option<&Closed> {
        self.closed.as_ref()
    }

    /// Dice that wait for the boxperson.
    #[must_use]
    pub fn entered(&self) -> Option<&Entered> {
        self.entered.as_ref()
    }

    /// May bets be changed, as far as the dice of this table go?
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.closed.is_none() && !self.down && !self.over
    }

    /// Rulings that wait for a second person, by the row that asks for them.
    #[must_use]
    pub fn proposals(&self) -> &BTreeMap<u64, (By, Command)> {
        &self.proposals
    }

    // Deciding: what a row would say. Nothing changes until the row is folded.

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
        let rows: Vec<u64> = self
            .since
            .iter()
            .rev()
            .find(|order| is_betting_of(order, seat))
            .map(|order| order.row)
            .into_iter()
            .collect();
        self.without(seat, &rows)
    }

    /// Takes back every order of a seat since the last throw that may be taken back; nothing where there is none.
    ///
    /// # Errors
    /// When bets are closed, or what is left could not be done without them.
    pub fn clear(&self, seat: SeatId) -> Result<Option<Deed>, Refusal> {
        let goes = |order: &&Order| is_betting_of(order, seat) && self.is_not_locked(order).is_ok();
        let rows: Vec<u64> = self.since.iter().filter(goes).map(|order| order.row).collect();
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
        let (gone, kept): (Vec<&Order>, Vec<&Order>) = self.since.iter().partition(|order| rows.contains(&order.row));
        gone.iter().try_for_each(|order| self.is_not_locked(order))?;
        let mut table = self.window.clone();
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
        self.undone.get(&seat).and_then(|undone| undone.last()).cloned().unwrap_or_default()
    }

    /// The bets that a seat made the last time it made any, to be ordered again.
    #[must_use]
    pub fn repeat(&self, seat: SeatId) -> Vec<Command> {
        self.repeatable.get(&seat).cloned().unwrap_or_default()
    }

    /// No more bets: the machine will throw. Only where a throw would be taken.
    ///
    /// # Errors
    /// When nobody could throw now, or the dice are not the machine's.
    pub fn close(&self) -> Result<Deed, Refusal> {
        if self.opening.dice != DiceFrom::Secret {
            return Err(self.refusal("the dice of this table are thrown by people", "may.throw"));
        }
        if self.closed.is_some() {
            return Err(self.late());
        }
        self.table.decide(self.caller(), &Command::Throw { dice: Throw::ALL[0] }, &mut Vec::new())?;
        let throw = self.hand.as_ref().map_or(1, |hand| hand.throws + 1);
        Ok(Deed::Closed { throw })
    }

    /// The throw that the secret of the hand gives once bets are closed; nothing while they are open.
    ///
    /// # Errors
    /// When the throw is refused after all.
    pub fn derived(&self, secret: &Secret) -> Result<Option<Deed>, Refusal> {
        let Some(closed) = &self.closed else { return Ok(None) };
        let mut draws = secret.throw(&closed.hash);
        let dice = draws.dice().map(craps_dice::Die::pips);
        let draw = self.draw(&mut draws);
        self.thrown_by_machine(dice, draw).map(Some)
    }

    /// These dice from the machine, once bets are closed.
    pub(crate) fn thrown_by_machine(&self, dice: [u8; 2], draw: Option<Command>) -> Result<Deed, Refusal> {
        if self.closed.is_none() {
            return Err(self.refusal("the machine throws once bets are closed", "bets.deadline"));
        }
        self.throw(self.caller(), dice, draw)
    }

    /// Who calls the total of the machine's dice: whomever the book lets.
    fn caller(&self) -> Actor {
        let any = Command::Throw { dice: Throw::ALL[0] };
        let roles = [Role::Stick, Role::Machine, Role::Dealer].map(Actor::staff);
        let named = roles.into_iter().find(|actor| self.table.entitled(*actor, &any).is_ok());
        named.unwrap_or(Actor::staff(Role::Stick))
    }

    /// A throw of these dice.
    ///
    /// # Errors
    /// When it is refused.
    pub fn throw(&self, caller: Actor, dice: [u8; 2], draw: Option<Command>) -> Result<Deed, Refusal> {
        let thrown = self.shown(dice)?;
        let mut table = self.table.clone();
        let mut events = match &draw {
            Some(draw) => table.run(Actor::staff(Role::Machine), draw)?,
            None => Vec::new(),
        };
        events.extend(table.run(caller, &Command::Throw { dice: thrown })?);
        Ok(Deed::Thrown { faces: dice, draw, named: None, events })
    }

    /// The faces were in dispute, and whoever decides says how the dice lie.
    ///
    /// # Errors
    /// When it is refused, or the dice are the machine's.
    pub fn name(&self, actor: Actor, dice: [u8; 2], reason: &str) -> Result<Deed, Refusal> {
        let command = Command::NameFaces { dice: self.shown(dice)?, reason: reason.to_owned() };
        self.by_people()?;
        let events = self.table.clone().run(actor, &command)?;
        Ok(Deed::Thrown { faces: dice, draw: None, named: Some(reason.to_owned()), events })
    }

    fn shown(&self, dice: [u8; 2]) -> Result<Throw, Refusal> {
        faces(dice).ok_or_else(|| self.refusal("a die shows one to six", "dice.set_present"))
    }

    fn by_people(&self) -> Result<(), Refusal> {
        match self.opening.dice {
            DiceFrom::People => Ok(()),
            DiceFrom::Secret => Err(self.refusal("the dice of this table are the machine's", "may.throw")),
        }
    }

    /// The stickperson enters the dice.
    ///
    /// # Errors
    /// When the dice are the machine's, these are no faces, or a throw would not be taken now.
    pub fn enter(&self, actor: Actor, dice: [u8; 2]) -> Result<Deed, Refusal> {
        self.by_people()?;
        self.throw(actor, dice, None)?;
        Ok(Deed::Entered { faces: dice })
    }

    /// Somebody other than whoever entered the dice says what they show: the throw, or a mismatch.
    ///
    /// # Errors
    /// When nothing was entered, or by the same person.
    pub fn confirm(&self, who: Option<&str>, seen: [u8; 2]) -> Result<Deed, Refusal> {
        let Some(entered) = &self.entered else {
            return Err(self.refusal("no dice have been entered", "may.throw"));
        };
        if entered.by.who.as_deref() == who {
            return Err(self.refusal("whoever entered the dice cannot confirm them", "may.throw"));
        }
        let same = entered.faces == seen || entered.faces == [seen[1], seen[0]];
        if same {
            self.throw(entered.by.actor, entered.faces, None)
        } else {
            Ok(Deed::Mismatched { entered: entered.faces, seen })
        }
    }

    /// Somebody asks for a ruling that moves money.
    ///
    /// # Errors
    /// When it could not be done.
    pub fn propose(&self, actor: Actor, ruling: Command) -> Result<Deed, Refusal> {
        self.table.decide(actor, &ruling, &mut Vec::new())?;
        Ok(Deed::Proposed { ruling })
    }

    /// A second person decides on a ruling.
    ///
    /// # Errors
    /// When there is no such proposal, it is their own, or it cannot be done any more.
    pub fn second(&self, by: &By, row: u64, agrees: bool) -> Result<Deed, Refusal> {
        let Some((first, ruling)) = self.proposals.get(&row) else {
            return Err(self.refusal("no ruling waits under that number", "may.rule"));
        };
        if first.who == by.who {
            return Err(self.refusal("a ruling takes a second person", "may.rule"));
        }
        if !agrees {
            return Ok(Deed::Rejected { row });
        }
        let mut table = self.table.clone();
        let events = table.run(first.actor, ruling)?;
        Ok(Deed::Approved { row, events })
    }

    /// Somebody at the table says something to the others.
    ///
    /// # Errors
    /// When people do not talk here, or it is too long.
    pub fn say(&self, words: &str) -> Result<Deed, Refusal> {
        let refused = |message: String| Err(Refusal { message, cites: Cites::default() });
        if !self.opening.chat {
            return refused("people do not talk to each other at this table: it was opened without chat".to_owned());
        }
        match words.chars().count() {
            1..=SAID_MOST => Ok(Deed::Said { words: words.to_owned() }),
            count => refused(format!("expected 1 to {SAID_MOST} characters, found {count}")),
        }
    }

    /// What may be tried at this moment: once bets are closed nobody but a newcomer does anything before the dice are down, once people's dice
    /// are down no bet and no player moves before they are settled, and nobody takes dice that another has or is next to have.
    fn may_now(&self, actor: Actor, commands: &[Command]) -> Result<(), Refusal> {
        let comes = |command: &Command| matches!(command, Command::Join { .. });
        let settled = |command: &Command| {
            matches!(
                command.verb(),
                Verb::Bet | Verb::TakeDown | Verb::Call | Verb::Tell | Verb::Leave | Verb::TakeDice | Verb::PassDice
            )
        };
        if self.closed.is_some() && !commands.iter().all(comes) || self.down && commands.iter().any(settled) {
            return Err(self.late());
        }
        let unknown = |command: &Command| match command {
            Command::Bet { slot, .. } => matches!(self.outward.get(slot.index()), Some(None)),
            _ => false,
        };
        if commands.iter().any(unknown) {
            return Err(self.refusal("this table was opened before there was such a bet", "bets.only_listed"));
        }
        let next = self.table.shooter().or_else(|| self.table.implied_shooter());
        let takes = commands.iter().any(|command| matches!(command, Command::TakeDice { .. }));
        match (actor, next) {
            (Actor { role: Role::Player, seat: Some(own) }, Some(Shooter::Seat(seat))) if takes && seat != own => {
                Err(self.refusal(&format!("the dice are seat {seat}'s"), "offer.goes"))
            }
            _ => Ok(()),
        }
    }

    /// Why nothing is bet now, where bets are closed.
    pub(crate) fn late(&self) -> Refusal {
        match self.is_not_over() {
            Err(over) => over,
            Ok(()) => self.refusal("no more bets before this throw", "bets.deadline"),
        }
    }

    pub(crate) fn refusal(&self, message: &str, topic: &str) -> Refusal {
        let cites = self.table.rules().rules.get(topic).map(|fact| fact.cites.clone());
        Refusal { message: message.to_owned(), cites: cites.unwrap_or_default() }
    }

    /// The hand is over after such a row: its secret may be known, and the next one is committed to.
    #[must_use]
    pub fn ends_hand(&self, deed: &Deed) -> bool {
        match deed {
            Deed::Thrown { faces: dice, .. } => faces(*dice).is_some_and(|dice| self.table.phase().is_lost_by(dice)),
            Deed::Ordered { events, .. } | Deed::Undone { events, .. } => {
                events.iter().any(|event| matches!(event, Event::DicePassed))
                    && self.hand.as_ref().is_some_and(|hand| hand.throws > 0)
            }
            // Nobody throws again: what was thrown can be verified.
            Deed::TableClosed { .. } => true,
            _ => false,
        }
    }

    // Folding.

    /// Folds the next row. Total: what happened is never refused.
    pub fn apply(&mut self, row: u64, hash: &str, entry: &Entry) {
        let entry = &*self.read(entry);
        self.seq = row;
        hash.clone_into(&mut self.head);
        match &entry.did {
            Deed::Opened(_) | Deed::Said { .. } => {}
            Deed::Paced(pace) => {
                if let Some(seat) = entry.by.actor.seat {
                    self.pace.insert(seat, *pace);
                }
            }
            Deed::Ordered { commands, events } => {
                let came_in = self.table.accounts().came_in;
                self.fold(events);
                let more = self.table.accounts().came_in.minus(came_in).unwrap_or_default();
                self.ownership.bring(entry, commands, more);
                for seat in self.ownership.seated(&entry.by, events) {
                    self.undone.remove(&seat);
                    self.repeatable.remove(&seat);
                    self.pace.remove(&seat);
                }
                if events.iter().any(|event| matches!(event, Event::NoRoll { .. })) {
                    self.new_window();
                    (self.entered, self.down) = (None, false);
                } else {
                    let actor = entry.by.actor;
                    if let Some(seat) = commands.first().and_then(Command::seat) {
                        match self.undone.get_mut(&seat) {
                            Some(undone) if undone.last() == Some(commands) => {
                                undone.pop();
                            }
                            _ => {
                                self.undone.remove(&seat);
                            }
                        }
                    }
                    self.since.push(Order { row, actor, commands: commands.clone() });
                }
            }
            Deed::Undone { seat, rows, events } => {
                self.table = self.window.clone();
                self.fold(events);
                let (gone, kept): (Vec<Order>, Vec<Order>) =
                    std::mem::take(&mut self.since).into_iter().partition(|order| rows.contains(&order.row));
                self.since = kept;
                self.undone.entry(*seat).or_default().extend(gone.into_iter().rev().map(|order| order.commands));
            }
            Deed::TableClosed { .. } => self.over = true,
            Deed::Committed { hand, commitment } => {
                self.hand = Some(Hand { number: *hand, commitment: commitment.clone(), throws: 0 });
            }
            Deed::Closed { .. } => self.closed = Some(Closed { hash: hash.to_owned() }),
            Deed::Thrown { faces: dice, events, .. } => self.thrown(row, *dice, events),
            Deed::Revealed { .. } => self.hand = None,
            Deed::Entered { faces } => {
                self.entered = Some(Entered { faces: *faces, by: entry.by.clone() });
                self.down = true;
            }
            Deed::Mismatched { .. } => self.entered = None,
            Deed::Proposed { ruling } => {
                self.proposals.insert(row, (entry.by.clone(), ruling.clone()));
            }
            Deed::Rejected { row } => {
                self.proposals.remove(row);
            }
            Deed::Approved { row: proposed, events } => {
                if let Some((by, ruling)) = self.proposals.remove(proposed) {
                    self.fold(events);
                    self.since.push(Order { row, actor: by.actor, commands: vec![ruling] });
                }
            }
        }
    }

    /// Can this row be folded? Not if it names a bet that this table does not have: then somebody has spoiled it.
    #[must_use]
    pub fn can_read(&self, entry: &Entry) -> bool {
        let known = |slot: SlotId| match self.inward.is_empty() {
            true => slot.index() < self.codes.1.len(),
            false => matches!(self.inward.get(slot.index()), Some(Some(_))),
        };
        let commands: &[Command] = match &entry.did {
            Deed::Ordered { commands, .. } => commands,
            Deed::Thrown { draw, .. } => draw.as_slice(),
            Deed::Proposed { ruling } => std::slice::from_ref(ruling),
            _ => &[],
        };
        commands.iter().filter_map(Command::slot).all(known)
            && entry.did.events().iter().flat_map(Event::slots).all(known)
    }

    /// A row as this layout numbers its slots.
    pub(crate) fn read<'a>(&self, entry: &'a Entry) -> Cow<'a, Entry> {
        match self.inward.is_empty() {
            true => Cow::Borrowed(entry),
            false => Cow::Owned(entry.clone().renumbered(&self.inward)),
        }
    }

    /// A deed as the log of this table numbers its slots.
    #[must_use]
    pub fn as_logged(&self, deed: Deed) -> Deed {
        if self.outward.is_empty() { deed } else { deed.renumbered(&self.outward) }
    }

    fn fold(&mut self, events: &[Event]) {
        events.iter().for_each(|event| self.table.apply(event));
    }

    fn thrown(&mut self, row: u64, dice: [u8; 2], events: &[Event]) {
        let (phase, before) = (self.table.phase(), self.table.shooter());
        let taken = events.iter().find_map(|event| match event {
            Event::DiceTaken { seat, .. } => Some(seat.map_or(Shooter::Dealer, Shooter::Seat)),
            _ => None,
        });
        self.fold(events);
        if let Some(throw) = faces(dice) {
            self.rolls.push(Arc::new(Roll {
                number: u32::try_from(self.rolls.len()).unwrap_or(u32::MAX).saturating_add(1),
                row,
                faces: dice,
                phase,
                mark: mark(phase, throw, self.table.rules().points),
                shooter: taken.or(before),
                call: Calls::Plain.of(self.table.rules(), phase, throw).unwrap_or_default(),
                raised: self.raised(events),
                results: explained(self.table.layout(), events, phase, throw),
            }));
        }
        for (seat, bets) in bets_made(&self.since) {
            self.repeatable.insert(seat, bets);
        }
        if let Some(hand) = &mut self.hand {
            hand.throws += 1;
        }
        self.pace.values_mut().for_each(|pace| pace.ready = false);
        (self.closed, self.entered, self.down) = (None, None, false);
        self.new_window();
    }

    fn new_window(&mut self) {
        self.window = self.table.clone();
        self.since.clear();
        self.undone.clear();
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
fn run(table: &mut Table, actor: Actor, commands: &[Command]) -> Result<Vec<Event>, Refusal> {
    let mut events = Vec::new();
    for command in commands {
        events.extend(table.run(actor, command)?);
    }
    Ok(events)
}

/// The tags of a table's games.
fn tags(opening: &Opening) -> Vec<(&'static str, String)> {
    let mut tags = vec![("Rules", opening.rules.clone())];
    if !opening.house.is_empty() {
        tags.push(("House", opening.house.clone()));
    }
    tags.extend(opening.game.clone().map(|game| ("Game", game)));
    tags.push(("Table", opening.name.clone()));
    tags.push(("Seats", String::new()));
    tags
}

/// The session of an empty table: its rules read as the header of a game is.
fn session(library: &Library, opening: &Opening, more: &[(&'static str, String)]) -> Result<Session, NotOpened> {
    let mut tags = tags(opening);
    tags.extend_from_slice(more);
    let tags: Vec<(&str, &str)> = tags.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let no_files = |name: &str| Err(format!("a live table names its rules whole, not in a file such as {name}"));
    Session::open(library, &tags, &no_files).map_err(|error| {
        NotOpened::Rules(match error {
            Unplayable::Malformed(_, message) => message,
            Unplayable::Unlawful(_, problems) => {
                problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            }
        })
    })
}

fn open(library: &Library, opening: &Opening) -> Result<Table, NotOpened> {
    Ok(session(library, opening, &[])?.table().clone().with_crew(opening.crew))
}
