//! The dice of a table. Either they follow from a secret once bets are closed, or people roll them: one person enters them, another confirms.

use super::{By, Cast, Chain, Deed, DiceFrom, Draws, HostCode, Live, Raised, Refused, SeatSeed, Secret, What, faces};
use craps_dice::Throw;
use craps_notation::{Calls, Explained, explained, mark};
use craps_table::{Actor, Command, Crew, Event, Role, Shooter, Verdict};
use craps_wagers::Phase;
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::sync::Arc;

/// How many of the last rolls a table keeps in memory. Earlier ones are read from the log.
pub const RECENT: usize = 64;
/// The total that loses the line once a point is on.
const SEVEN: u8 = 7;

/// State of the dice at a table.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiceState {
    pub(super) hand: Option<Hand>,
    pub(super) closed: Option<Closed>,
    pub(super) entered: Option<Entered>,
    /// People have rolled, and the roll isn't settled yet.
    down: bool,
    /// How many rolls have counted, and how many of them since the last seven.
    rolled: u32,
    without_seven: u32,
    /// The last rolls that counted.
    #[serde(skip)]
    recent: VecDeque<Arc<Roll>>,
}

/// A hand whose secret isn't revealed yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hand {
    /// Number of the hand at this table, from 1.
    pub number: u32,
    /// Commitment to its secret: SHA-256 in hex.
    pub commitment: String,
    /// Place of its secret in a chain. None for a hand of the first version.
    pub chain: Option<Chain>,
    /// How many rolls the hand has had.
    pub throws: u32,
    /// How many draws that raise prices the hand has had.
    pub draws: u32,
    /// Its secret was retired, and the next row commits to another one.
    pub retired: bool,
}

/// Bets are closed and the dice aren't known yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Closed {
    /// Hash of the row that closed the bets.
    pub hash: String,
    /// The seeds that count.
    pub seeds: Vec<SeatSeed>,
    /// The answer of the witness. None before it, and at a table without a witness.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<String>,
}

/// Dice that the stickperson has entered and the boxperson hasn't confirmed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entered {
    /// Both faces, the first die first.
    pub faces: [u8; 2],
    /// Who entered them.
    pub by: By,
}

/// Returns the random numbers of a roll of the first version after those that decide its dice.
fn after_dice<'a>(secret: &'a Secret, seed: &'a str) -> Draws<'a> {
    let mut draws = secret.throw(seed);
    draws.dice();
    draws
}

/// A roll of the machine's dice that is due: everything that decides it but the secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Due {
    /// The seeds of players count.
    Seeded {
        /// Number of the hand at this table.
        hand: u32,
        /// Number of the roll within the hand.
        throw: u32,
        /// The seeds that count.
        seeds: Vec<SeatSeed>,
        /// The answer of the witness, at a table that has one.
        witness: Option<String>,
    },
    /// The first version of the scheme: the hash of the row that closed the bets counts.
    Hashed(String),
}

impl Due {
    /// Returns the dice that the secret gives.
    #[must_use]
    pub fn dice(&self, table: &str, secret: &Secret) -> [u8; 2] {
        let mut draws = match self {
            Due::Seeded { hand, throw, seeds, witness } => {
                let witness = witness.as_deref();
                secret.cast(&Cast { table, hand: *hand, what: What::Throw(*throw), seeds, witness })
            }
            Due::Hashed(hash) => secret.throw(hash),
        };
        draws.dice().map(craps_dice::Die::pips)
    }
}

/// A roll that counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Roll {
    /// Number of the roll at this table, from 1.
    pub number: u32,
    /// Number of its row.
    pub row: u64,
    /// Both faces, the first die first.
    pub faces: [u8; 2],
    /// Phase before the roll.
    pub phase: Phase,
    /// Mark that follows the dice in a game: what the roll did to the line.
    pub mark: Option<char>,
    /// Who rolled.
    pub shooter: Option<Shooter>,
    /// What the stickperson calls.
    pub call: String,
    /// What a colorful stickperson calls.
    pub colorful: String,
    /// The wagers whose prices a draw raised for this roll.
    pub raised: Vec<Raised>,
    /// The bets that it decided, in the order in which results are printed.
    pub results: Vec<Explained>,
}

impl DiceState {
    /// Have people rolled, and is the roll not settled yet?
    pub(super) fn are_down(&self) -> bool {
        self.down
    }

    /// Records what someone entered.
    pub(super) fn enter(&mut self, faces: [u8; 2], by: By) {
        (self.entered, self.down) = (Some(Entered { faces, by }), true);
    }

    /// Clears the dice after a roll is settled or didn't count.
    pub(super) fn lift(&mut self) {
        (self.entered, self.down) = (None, false);
    }

    /// Records the commitment to a secret: for a new hand, or for the hand whose secret was retired.
    pub(super) fn committed(&mut self, number: u32, commitment: &str, chain: Option<&Chain>) {
        let before = self.hand.take().filter(|hand| hand.retired && hand.number == number);
        let (throws, draws) = before.map_or((0, 0), |hand| (hand.throws, hand.draws));
        let (commitment, chain) = (commitment.to_owned(), chain.cloned());
        self.hand = Some(Hand { number, commitment, chain, throws, draws, retired: false });
    }

    /// Records that the secret of the hand won't be used. Bets that were closed are open again.
    pub(super) fn retired(&mut self) {
        self.closed = None;
        if let Some(hand) = &mut self.hand {
            hand.retired = true;
        }
    }

    /// Records a draw that raises prices.
    pub(super) fn drawn(&mut self) {
        if let Some(hand) = &mut self.hand {
            hand.draws += 1;
        }
    }

    /// Records a roll that counted.
    fn settled(&mut self, roll: Option<Roll>) {
        if let Some(roll) = roll {
            let seven = roll.faces.iter().sum::<u8>() == SEVEN;
            self.without_seven = if seven { 0 } else { self.without_seven.saturating_add(1) };
            self.rolled = roll.number;
            self.recent.push_back(Arc::new(roll));
            if self.recent.len() > RECENT {
                self.recent.pop_front();
            }
        }
        if let Some(hand) = &mut self.hand {
            hand.throws += 1;
        }
        self.closed = None;
        self.lift();
    }
}

impl Live {
    /// Returns how many rolls have counted.
    #[must_use]
    pub fn rolled(&self) -> u32 {
        self.dice.rolled
    }

    /// Returns how many rolls have counted since the last seven.
    #[must_use]
    pub fn without_seven(&self) -> u32 {
        self.dice.without_seven
    }

    /// Returns the last rolls that counted, in order. After a table was loaded from a saved state, these are only the rolls since then.
    #[must_use]
    pub fn recent(&self) -> &VecDeque<Arc<Roll>> {
        &self.dice.recent
    }

    /// Returns the roll that a row made, if it is one of the last ones.
    #[must_use]
    pub fn roll_of(&self, row: u64) -> Option<&Arc<Roll>> {
        let recent = &self.dice.recent;
        recent.binary_search_by_key(&row, |roll| roll.row).ok().and_then(|at| recent.get(at))
    }

    /// Returns the hand that is being played, if the dice come from a secret.
    #[must_use]
    pub fn hand(&self) -> Option<&Hand> {
        self.dice.hand.as_ref()
    }

    /// Returns how bets were closed. None while they are open.
    #[must_use]
    pub fn closed(&self) -> Option<&Closed> {
        self.dice.closed.as_ref()
    }

    /// Can this person start a roll of the machine's dice from their seat? Only at a table without a human crew.
    #[must_use]
    pub fn can_roll(&self, who: Option<&str>) -> bool {
        let seated = who.is_some_and(|who| self.seat_of(who).is_some());
        seated && self.opening.dice == DiceFrom::Secret && self.opening.crew == Crew::Automatic && !self.over
    }

    /// Returns the dice that wait for the boxperson to confirm them.
    #[must_use]
    pub fn entered(&self) -> Option<&Entered> {
        self.dice.entered.as_ref()
    }

    /// Are bets open? Checks only the dice and whether the table has closed.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.dice.closed.is_none() && !self.dice.down && !self.over
    }

    /// Closes the bets so that the machine can roll. Works only when a roll would be allowed. The player who rolls may bring a new seed.
    ///
    /// # Errors
    /// When no one could roll now, people roll the dice of this table, or the seed can't be used.
    pub fn close(&self, own: Option<&SeatSeed>) -> Result<Deed, Refused> {
        if self.opening.dice != DiceFrom::Secret {
            return Err(HostCode::DiceByPeople.into());
        }
        if self.dice.closed.is_some() {
            return Err(self.late());
        }
        self.table.decide(self.caller(), &Command::Throw { dice: Throw::ALL[0] }, &mut Vec::new())?;
        let throw = self.dice.hand.as_ref().map_or(1, |hand| hand.throws + 1);
        let by_seeds = self.dice.hand.as_ref().is_some_and(|hand| hand.chain.is_some());
        let seeds = match own {
            _ if !by_seeds => Vec::new(),
            Some(own) => {
                self.takes_seed(own.seat, &own.seed)?;
                self.seeds(Some(own))
            }
            None => self.seeds(None),
        };
        Ok(Deed::Closed { throw, seeds })
    }

    /// Returns what the hand's secret gives next once bets are closed: the draw if the table has one, then the roll. None while bets are open, and
    /// while people have to roll.
    ///
    /// # Errors
    /// When the draw or the roll is refused after all.
    pub fn derived(&self, table: &str, secret: &Secret) -> Result<Option<Deed>, Refused> {
        if self.waits_for_witness() {
            return Ok(None);
        }
        let witness = self.dice.closed.as_ref().and_then(|closed| closed.witness.as_deref());
        if let Some(row) = self.draw_due() {
            let standing;
            let mut draws = match &self.dice.hand {
                Some(hand) if hand.chain.is_some() => {
                    let seeds = match &self.dice.closed {
                        Some(closed) => &closed.seeds,
                        None => {
                            standing = self.seeds(None);
                            &standing
                        }
                    };
                    secret.cast(&Cast { table, hand: hand.number, what: What::Draw(hand.draws + 1), seeds, witness })
                }
                _ => after_dice(secret, row),
            };
            return Ok(Some(self.drawn(self.draw(&mut draws))?));
        }
        match self.due() {
            Some(due) => self.thrown_by_machine(due.dice(table, secret), None).map(Some),
            None => Ok(None),
        }
    }

    /// Returns the roll that is due. None while bets are open, while a draw is due or the witness is silent, and while people
    /// have to roll.
    #[must_use]
    pub fn due(&self) -> Option<Due> {
        let closed = self.dice.closed.as_ref().filter(|_| self.draw_due().is_none() && !self.waits_for_witness())?;
        let hand = self.dice.hand.as_ref().filter(|hand| hand.chain.is_some());
        Some(match hand {
            Some(hand) => Due::Seeded {
                hand: hand.number,
                throw: hand.throws + 1,
                seeds: closed.seeds.clone(),
                witness: closed.witness.clone(),
            },
            None => Due::Hashed(closed.hash.clone()),
        })
    }

    /// Does the same for a log from before draws had rows of their own: the draw and the roll in one row.
    ///
    /// # Errors
    /// When the draw or the roll is refused.
    pub fn derived_at_once(&self, secret: &Secret) -> Result<Option<Deed>, Refused> {
        let Some(closed) = &self.dice.closed else { return Ok(None) };
        let mut draws = secret.throw(&closed.hash);
        let dice = draws.dice().map(craps_dice::Die::pips);
        let draw = (!self.table.rules().modifiers.is_empty()).then(|| self.draw(&mut draws));
        self.thrown_by_machine(dice, draw).map(Some)
    }

    /// Is a draw due? Bets are closed and the table raises prices by a draw. Returns the hash that decides it in the first version of the scheme: of
    /// the row that closed the bets if the machine rolls, of the last row if people roll.
    #[must_use]
    pub fn draw_due(&self) -> Option<&str> {
        let offered = !self.table.rules().modifiers.is_empty() && !self.table.is_drawn();
        match &self.dice.closed {
            Some(closed) if offered => Some(&closed.hash),
            None if self.table.waits_for_draw() => Some(&self.head),
            _ => None,
        }
    }

    /// Decides a draw that is due.
    ///
    /// # Errors
    /// When no draw is due, or the table refuses it.
    pub fn drawn(&self, draw: Command) -> Result<Deed, Refused> {
        if self.draw_due().is_none() {
            return Err(HostCode::NoDrawDue.into());
        }
        self.is_witnessed()?;
        let events = self.table.clone().run(Actor::staff(Role::Machine), &draw)?;
        Ok(Deed::Drawn { draw, events })
    }

    /// Decides a roll of these dice by the machine, once bets are closed.
    pub(crate) fn thrown_by_machine(&self, dice: [u8; 2], draw: Option<Command>) -> Result<Deed, Refused> {
        if self.dice.closed.is_none() {
            return Err(HostCode::BetsNotClosed.into());
        }
        self.is_witnessed()?;
        self.throw(self.caller(), dice, draw)
    }

    /// Returns who calls the total of the machine's dice: the first role that the book allows.
    fn caller(&self) -> Actor {
        let any = Command::Throw { dice: Throw::ALL[0] };
        let roles = [Role::Stick, Role::Machine, Role::Dealer].map(Actor::staff);
        let named = roles.into_iter().find(|actor| self.table.entitled(*actor, &any).is_ok());
        named.unwrap_or(Actor::staff(Role::Stick))
    }

    /// Decides a roll of these dice.
    ///
    /// # Errors
    /// When the roll or the draw is refused.
    pub fn throw(&self, caller: Actor, dice: [u8; 2], draw: Option<Command>) -> Result<Deed, Refused> {
        let thrown = Live::shown(dice)?;
        let mut table = self.table.clone();
        let mut events = match &draw {
            Some(draw) => table.run(Actor::staff(Role::Machine), draw)?,
            None => Vec::new(),
        };
        events.extend(table.run(caller, &Command::Throw { dice: thrown })?);
        Ok(Deed::Thrown { faces: dice, draw, named: None, events })
    }

    /// Decides what the dice show after a dispute.
    ///
    /// # Errors
    /// When it is refused, or the machine rolls the dice of this table.
    pub fn name(&self, actor: Actor, dice: [u8; 2], reason: &str) -> Result<Deed, Refused> {
        let command = Command::NameFaces { dice: Live::shown(dice)?, reason: reason.to_owned() };
        self.by_people()?;
        let events = self.table.clone().run(actor, &command)?;
        Ok(Deed::Thrown { faces: dice, draw: None, named: Some(reason.to_owned()), events })
    }

    fn shown(dice: [u8; 2]) -> Result<Throw, HostCode> {
        faces(dice).ok_or(HostCode::NoSuchFaces)
    }

    fn by_people(&self) -> Result<(), HostCode> {
        match self.opening.dice {
            DiceFrom::People => Ok(()),
            DiceFrom::Secret => Err(HostCode::DiceByMachine),
        }
    }

    /// Decides the dice that the stickperson enters.
    ///
    /// # Errors
    /// When the machine rolls at this table, the faces aren't 1 to 6, or a roll isn't allowed now.
    pub fn enter(&self, actor: Actor, dice: [u8; 2]) -> Result<Deed, Refused> {
        self.by_people()?;
        self.throw(actor, dice, None)?;
        Ok(Deed::Entered { faces: dice })
    }

    /// A second person says what the dice show. Returns the roll, or a mismatch.
    ///
    /// # Errors
    /// When nothing was entered, or the same person entered it.
    pub fn confirm(&self, who: Option<&str>, seen: [u8; 2]) -> Result<Deed, Refused> {
        let Some(entered) = &self.dice.entered else {
            return Err(HostCode::NoDiceEntered.into());
        };
        if entered.by.who.as_deref() == who {
            return Err(HostCode::OwnDice.into());
        }
        let same = entered.faces == seen || entered.faces == [seen[1], seen[0]];
        if same {
            self.throw(entered.by.actor, entered.faces, None)
        } else {
            Ok(Deed::Mismatched { entered: entered.faces, seen })
        }
    }

    /// Does this deed end the hand? Then its secret is revealed and the next one is committed to.
    #[must_use]
    pub fn ends_hand<B>(&self, deed: &Deed<B>) -> bool {
        match deed {
            Deed::Thrown { faces: dice, .. } => faces(*dice).is_some_and(|dice| self.table.phase().is_lost_by(dice)),
            Deed::Ordered { events, .. } | Deed::Undone { events, .. } => {
                events.iter().any(|event| matches!(event, Event::DicePassed))
                    && self.dice.hand.as_ref().is_some_and(|hand| hand.throws > 0)
            }
            // No more rolls will follow, so all rolls can be verified.
            Deed::TableClosed { .. } => true,
            _ => false,
        }
    }

    /// Applies a roll.
    pub(super) fn thrown(&mut self, row: u64, dice: [u8; 2], events: &[Event]) {
        let (phase, before) = (self.table.phase(), self.table.shooter());
        let selection = self.table.selection().to_vec();
        let taken = events.iter().find_map(|event| match event {
            Event::DiceTaken { seat, .. } => Some(seat.map_or(Shooter::Dealer, Shooter::Seat)),
            _ => None,
        });
        self.fold(events);
        let roll = faces(dice).map(|throw| Roll {
            number: self.dice.rolled.saturating_add(1),
            row,
            faces: dice,
            phase,
            mark: mark(phase, throw, self.table.rules().points),
            shooter: taken.or(before),
            call: Calls::Plain.of(self.table.rules(), phase, throw).unwrap_or_default(),
            colorful: Calls::Colorful.of(self.table.rules(), phase, throw).unwrap_or_default(),
            raised: self.raised_by(&selection, events),
            results: self.as_paid(explained(self.table.board(), events, phase, throw)),
        });
        self.dice.settled(roll);
        self.orders.decided();
        self.orders.begin(&self.table);
        self.clock.thrown();
        self.seeds.thrown();
    }

    /// Puts winning bets that the book has paid last at the end, in the order of the seats.
    fn as_paid(&self, mut results: Vec<Explained>) -> Vec<Explained> {
        let is_last = |one: &Explained| matches!(one.verdict, Verdict::Won { .. }) && self.table.is_paid_last(one.slot);
        results.sort_by_key(is_last);
        results
    }
}
