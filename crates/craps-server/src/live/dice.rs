//! The dice of a table: from a secret once bets are closed, or thrown by people and entered by one of them and confirmed by another.

use super::{By, Deed, DiceFrom, Live, Raised, Secret, faces};
use craps_dice::Throw;
use craps_notation::{Calls, Explained, explained, mark};
use craps_table::{Actor, Command, Crew, Event, Refusal, Role, Shooter};
use craps_wagers::Phase;
use std::sync::Arc;

/// Where the dice of a table are.
#[derive(Debug, Clone, Default)]
pub(super) struct DiceState {
    pub(super) hand: Option<Hand>,
    pub(super) closed: Option<Closed>,
    pub(super) entered: Option<Entered>,
    /// Dice that people threw are down and not settled.
    down: bool,
    rolls: Vec<Arc<Roll>>,
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

impl DiceState {
    /// Have people's dice come down, and are they not settled yet?
    pub(super) fn are_down(&self) -> bool {
        self.down
    }

    /// Somebody entered how they lie.
    pub(super) fn enter(&mut self, faces: [u8; 2], by: By) {
        (self.entered, self.down) = (Some(Entered { faces, by }), true);
    }

    /// The throw is settled, or did not count.
    pub(super) fn lift(&mut self) {
        (self.entered, self.down) = (None, false);
    }

    /// The throw counted.
    fn settled(&mut self, roll: Option<Roll>) {
        self.rolls.extend(roll.map(Arc::new));
        if let Some(hand) = &mut self.hand {
            hand.throws += 1;
        }
        self.closed = None;
        self.lift();
    }
}

impl Live {
    /// The throws that counted.
    #[must_use]
    pub fn rolls(&self) -> &[Arc<Roll>] {
        &self.dice.rolls
    }

    /// The throw that a row made.
    #[must_use]
    pub fn roll_of(&self, row: u64) -> Option<&Arc<Roll>> {
        let rolls = &self.dice.rolls;
        rolls.binary_search_by_key(&row, |roll| roll.row).ok().map(|at| &rolls[at])
    }

    /// The hand that is being played with dice from a secret.
    #[must_use]
    pub fn hand(&self) -> Option<&Hand> {
        self.dice.hand.as_ref()
    }

    /// Are bets closed, and by which row?
    #[must_use]
    pub fn closed(&self) -> Option<&Closed> {
        self.dice.closed.as_ref()
    }

    /// May somebody have the machine's dice rolled from their seat, at a table without a crew of people?
    #[must_use]
    pub fn can_roll(&self, who: Option<&str>) -> bool {
        let seated = who.is_some_and(|who| self.seat_of(who).is_some());
        seated && self.opening.dice == DiceFrom::Secret && self.opening.crew == Crew::Automatic && !self.over
    }

    /// Dice that wait for the boxperson.
    #[must_use]
    pub fn entered(&self) -> Option<&Entered> {
        self.dice.entered.as_ref()
    }

    /// May bets be changed, as far as the dice of this table go?
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.dice.closed.is_none() && !self.dice.down && !self.over
    }

    /// No more bets: the machine will throw. Only where a throw would be taken.
    ///
    /// # Errors
    /// When nobody could throw now, or the dice are not the machine's.
    pub fn close(&self) -> Result<Deed, Refusal> {
        if self.opening.dice != DiceFrom::Secret {
            return Err(self.refusal("dice-by-people", "People roll the dice of this table."));
        }
        if self.dice.closed.is_some() {
            return Err(self.late());
        }
        self.table.decide(self.caller(), &Command::Throw { dice: Throw::ALL[0] }, &mut Vec::new())?;
        let throw = self.dice.hand.as_ref().map_or(1, |hand| hand.throws + 1);
        Ok(Deed::Closed { throw })
    }

    /// The throw that the secret of the hand gives once bets are closed; nothing while they are open.
    ///
    /// # Errors
    /// When the throw is refused after all.
    pub fn derived(&self, secret: &Secret) -> Result<Option<Deed>, Refusal> {
        let Some(closed) = &self.dice.closed else { return Ok(None) };
        let mut draws = secret.throw(&closed.hash);
        let dice = draws.dice().map(craps_dice::Die::pips);
        let draw = self.draw(&mut draws);
        self.thrown_by_machine(dice, draw).map(Some)
    }

    /// These dice from the machine, once bets are closed.
    pub(crate) fn thrown_by_machine(&self, dice: [u8; 2], draw: Option<Command>) -> Result<Deed, Refusal> {
        if self.dice.closed.is_none() {
            return Err(self.refusal("bets-open", "The machine rolls once bets are closed."));
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
        faces(dice).ok_or_else(|| self.refusal("no-such-faces", "A die shows 1 to 6."))
    }

    fn by_people(&self) -> Result<(), Refusal> {
        match self.opening.dice {
            DiceFrom::People => Ok(()),
            DiceFrom::Secret => Err(self.refusal("dice-by-machine", "The machine rolls the dice of this table.")),
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
        let Some(entered) = &self.dice.entered else {
            return Err(self.refusal("no-dice-entered", "No dice have been entered."));
        };
        if entered.by.who.as_deref() == who {
            return Err(self.refusal("same-person", "The person who entered the dice can't confirm them."));
        }
        let same = entered.faces == seen || entered.faces == [seen[1], seen[0]];
        if same {
            self.throw(entered.by.actor, entered.faces, None)
        } else {
            Ok(Deed::Mismatched { entered: entered.faces, seen })
        }
    }

    /// The hand is over after such a row: its secret may be known, and the next one is committed to.
    #[must_use]
    pub fn ends_hand<B>(&self, deed: &Deed<B>) -> bool {
        match deed {
            Deed::Thrown { faces: dice, .. } => faces(*dice).is_some_and(|dice| self.table.phase().is_lost_by(dice)),
            Deed::Ordered { events, .. } | Deed::Undone { events, .. } => {
                events.iter().any(|event| matches!(event, Event::DicePassed))
                    && self.dice.hand.as_ref().is_some_and(|hand| hand.throws > 0)
            }
            // Nobody throws again: what was thrown can be verified.
            Deed::TableClosed { .. } => true,
            _ => false,
        }
    }

    /// Folds a throw.
    pub(super) fn thrown(&mut self, row: u64, dice: [u8; 2], events: &[Event]) {
        let (phase, before) = (self.table.phase(), self.table.shooter());
        let taken = events.iter().find_map(|event| match event {
            Event::DiceTaken { seat, .. } => Some(seat.map_or(Shooter::Dealer, Shooter::Seat)),
            _ => None,
        });
        self.fold(events);
        let roll = faces(dice).map(|throw| Roll {
            number: u32::try_from(self.dice.rolls.len()).unwrap_or(u32::MAX).saturating_add(1),
            row,
            faces: dice,
            phase,
            mark: mark(phase, throw, self.table.rules().points),
            shooter: taken.or(before),
            call: Calls::Plain.of(self.table.rules(), phase, throw).unwrap_or_default(),
            raised: self.raised(events),
            results: explained(self.table.board(), events, phase, throw),
        });
        self.dice.settled(roll);
        self.orders.decided();
        self.orders.begin(&self.table);
        self.clock.thrown();
    }
}
