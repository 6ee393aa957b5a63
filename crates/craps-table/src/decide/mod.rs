//! Decides commands: each gives events, or a refusal with its ground. Deciding doesn't change the table.

mod bet;
mod change;
mod procedure;
mod quote;
mod requests;
mod roles;
mod seat;
mod shooter;
mod throw;

use crate::command::{Command, Role};
use crate::event::{Event, Events};
use crate::refusal::{BetAt, Code, Ground, Refusal};
use crate::slots::SlotId;
use crate::table::{Seat, Table};
use craps_law::{Answer, Cites, WagerRules};
use craps_wagers::WagerId;
use serde::{Deserialize, Serialize};

pub use bet::Terms;
pub use quote::{Quote, WouldWin};
pub(crate) use roles::Grants;
pub use seat::MOST_MONEY;

/// The person or machine that gives a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Actor {
    /// The role in which they act.
    pub role: Role,
    /// A player's seat. None for staff, and for a player who acts as the shooter.
    pub seat: Option<crate::command::SeatId>,
}

impl Actor {
    /// A player at this seat.
    #[must_use]
    pub const fn player(seat: crate::command::SeatId) -> Actor {
        Actor { role: Role::Player, seat: Some(seat) }
    }

    /// The player who has the dice, at any seat.
    #[must_use]
    pub const fn shooter() -> Actor {
        Actor { role: Role::Player, seat: None }
    }

    /// A member of the staff, or the machine.
    #[must_use]
    pub const fn staff(role: Role) -> Actor {
        Actor { role, seat: None }
    }
}

impl Table {
    /// Decides a command and appends the resulting events to `events`.
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
    /// use craps_table::{Event, Events};
    /// let slot = table.board().named("pass").unwrap();
    /// let bet = Command::Bet { seat: 1, slot, amount: "10".parse()?, manner: Manner::default() };
    /// let mut events = Events::new();
    /// table.decide(Actor::player(1), &bet, &mut events)?;
    /// assert!(matches!(events[0], Event::BetPlaced { .. }));
    /// // Nothing has happened yet.
    /// assert_eq!(table.seat(1).unwrap().rail.to_string(), "500");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the law, the house or the player's chips don't allow it. Then `events` is unchanged.
    pub fn decide(&self, actor: Actor, command: &Command, events: &mut Events) -> Result<(), Refusal> {
        let start = events.len();
        let result = self.decided(actor, command, events).and_then(|()| self.can_fold(&events[start..]));
        result.map_err(|refusal| {
            events.truncate(start);
            self.offering_only_what_is_taken(refusal)
        })
    }

    /// Drops the alternatives that the table wouldn't accept. Each alternative with a command is tried.
    fn offering_only_what_is_taken(&self, mut refusal: Refusal) -> Refusal {
        refusal.instead.retain(|instead| {
            instead.command().is_none_or(|(actor, command)| {
                let mut tried = Events::new();
                self.decided(actor, &command, &mut tried).and_then(|()| self.can_fold(&tried)).is_ok()
            })
        });
        refusal
    }

    /// Decides a command and applies its events. Checks the money after the events.
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
    /// let slot = table.board().named("pass").unwrap();
    /// table.run(Actor::player(1), &Command::Bet { seat: 1, slot, amount: "10".parse()?, manner: Manner::default() })?;
    /// table.run(Actor::staff(Role::Stick), &Command::Throw { dice: "6-5".parse()? })?;
    /// assert_eq!(table.seat(1).unwrap().rail.to_string(), "510");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the command is refused. Then nothing has changed.
    ///
    /// # Panics
    /// If money is missing or a sum overflows. A table that miscounts must stop.
    pub fn run(&mut self, actor: Actor, command: &Command) -> Result<Events, Refusal> {
        let mut events = Events::new();
        self.decide(actor, command, &mut events)?;
        for event in &events {
            self.apply(event);
            assert!(!self.state.miscounted, "a sum overflowed after {event:?}");
            assert!(
                self.is_conserved() || matches!(event, Event::Settled { .. } | Event::Thrown { .. }),
                "money is missing after {event:?}"
            );
        }
        assert!(self.is_conserved(), "money is missing after {command:?}");
        Ok(events)
    }

    fn decided(&self, actor: Actor, command: &Command, events: &mut Events) -> Result<(), Refusal> {
        self.entitled(actor, command)?;
        match command {
            Command::Answer { request, agrees } => self.answer(actor, *request, *agrees, events),
            command => self.asked(actor, command, events),
        }
    }

    /// Decides a command that has all the confirmations it needs.
    fn carried_out(&self, actor: Actor, command: &Command, events: &mut Events) -> Result<(), Refusal> {
        match command {
            Command::Join { seat, name, money } => self.join(actor, *seat, name, *money, events),
            Command::BuyIn { seat, money } => self.buy_in(*seat, *money, events),
            Command::Leave { seat } => self.leave(*seat, events),
            Command::Bet { seat, slot, amount, manner } => self.bet(*seat, *slot, *amount, manner, events),
            Command::InFlight { command } if self.is_open_in_flight() => self.carried_out(actor, command, events),
            Command::InFlight { .. } => Err(self.refuse(Code::NoChangeInAir, "bets.in_flight_covers")),
            Command::TakeDown { seat, slot, amount } => self.take_down(*seat, *slot, *amount, events),
            Command::Call { seat, slot, called } => self.call(*seat, *slot, *called, events),
            Command::Tell { seat, slot, after_win } => self.tell(*seat, *slot, *after_win, events),
            Command::TakeDice { seat, decisions_only } => self.take_dice(*seat, *decisions_only, events),
            Command::Inspect { test_rolls } => self.inspect(*test_rolls, events),
            Command::OpenTable { dice } => self.open_table(*dice, events),
            Command::CloseTable => self.close_table(events),
            Command::NewDice { reason, dice } => self.new_dice(*reason, *dice, events),
            Command::NoteHours { hours } => {
                events.push(Event::HoursNoted { hours: *hours });
                Ok(())
            }
            Command::OfferDice { seat } => self.offer_dice(*seat, events),
            Command::DeclineDice { seat } => self.decline_dice(*seat, events),
            Command::CloseBets => self.close_bets(events),
            Command::Release => self.release(events),
            Command::OrderPass => Err(self.no_ground()),
            Command::OrderOff { ground } => self.order_off(actor, *ground, events),
            Command::Nominate { seat, shooter } => self.nominate(*seat, *shooter, events),
            Command::Answer { request, .. } => Err(Refusal::procedure(Code::NoSuchRequest { request: *request })),
            Command::Withdraw { seat } => self.withdraw(*seat, events),
            Command::PassDice => self.pass_dice(events),
            Command::Draw { selection } => self.draw(selection, events),
            Command::Throw { dice } => self.throw(*dice, events),
            Command::NoRoll { reason, caller } => self.no_roll(*reason, *caller, events),
            Command::NameFaces { dice, reason } => self.name_faces(actor, *dice, reason, events),
            Command::Rule { seat, amount, reason } => self.rule(actor, *seat, *amount, reason, events),
        }
    }

    /// Returns the book's answer to a topic if it is a number.
    fn count(&self, topic: &str) -> Option<u32> {
        match &self.rules().rules.get(topic)?.is.answer {
            Answer::Count(count) => u32::try_from(*count).ok(),
            _ => None,
        }
    }

    /// Returns the full topic for the optional product that a wager belongs to: topic `spoken` of product `fire` is `fire.spoken`. None for a wager
    /// that isn't part of an optional product.
    fn product_topic(&self, rules: &WagerRules, topic: &str) -> Option<String> {
        Some(rules.offer.is.product()?.topic(topic))
    }

    /// Returns the book's answer to a topic if it is a list of words, else an empty list.
    fn words(&self, topic: &str) -> &[String] {
        match self.rules().rules.get(topic).map(|fact| &fact.is.answer) {
            Some(Answer::Words(words)) => words,
            _ => &[],
        }
    }

    /// Returns the book's answer to a topic if it is a word.
    fn word(&self, topic: &str) -> Option<&str> {
        match &self.rules().rules.get(topic)?.is.answer {
            Answer::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Returns the citations for a topic. Empty where the book is silent.
    fn cites(&self, topic: &str) -> Cites {
        self.rules().rules.get(topic).map(|fact| fact.cites.clone()).unwrap_or_default()
    }

    /// Builds a refusal that cites the book's answer to a topic. Where the book is silent, the ground is the program's own procedure.
    #[must_use]
    pub fn refuse(&self, code: Code, topic: &str) -> Refusal {
        Refusal::law(&self.cites(topic), code)
    }

    /// Builds the refusal for a wager, or a number of a wager, that this table doesn't offer.
    #[must_use]
    pub fn not_offered(&self, wager: WagerId) -> Refusal {
        let code = Code::NotOffered { wager };
        if self.rules().wager(wager).is_some() {
            return Refusal::impossible(code);
        }
        match self.rules().left_out.iter().find(|(left_out, _)| *left_out == wager) {
            Some((_, by)) => Refusal::new(Ground::from(by), code),
            None => self.refuse(code, "bets.only_listed"),
        }
    }

    /// Returns the wager and number of a slot, for use in a refusal.
    #[must_use]
    pub fn bet_at(&self, slot: SlotId) -> BetAt {
        let place = self.board().slot(slot);
        BetAt { wager: place.wager, number: place.number }
    }

    fn seated(&self, seat: crate::command::SeatId) -> Result<&Seat, Refusal> {
        self.seat(seat).ok_or_else(|| Refusal::procedure(Code::NobodyAtSeat { seat }))
    }
}
