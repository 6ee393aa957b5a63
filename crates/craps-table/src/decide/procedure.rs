//! The crew's commands: dice, offers and closing bets, and the steps that an automatic crew does without a command.

use super::Actor;
use crate::command::{PassGround, SeatId};
use crate::crew::{Crew, NewDice, Stage};
use crate::event::{Event, Events};
use crate::hand::Shooter;
use crate::refusal::{Code, Refusal};
use crate::table::Table;
use crate::trackers::{Trackers, governing_tracker};
use craps_law::Window;
use craps_wagers::Progress;

impl Table {
    /// Checks that bets can be made or changed at this stage.
    pub(super) fn betting_open(&self) -> Result<(), Refusal> {
        match (self.crew, self.stage()) {
            (Crew::People, Stage::Closed | Stage::Inspected) => Err(Refusal::procedure(Code::TableNotOpen)),
            (_, Stage::BetsClosed) => Err(self.refuse(Code::NoMoreBets, "bets.deadline")),
            (_, Stage::InFlight) if !self.bets_close_at_rest() => Err(self.refuse(Code::DiceInAir, "bets.deadline")),
            _ => Ok(()),
        }
    }

    /// Checks that bets that are up can be taken down or called at this stage.
    pub(super) fn changes_open(&self) -> Result<(), Refusal> {
        if self.stage() == Stage::InFlight && !self.is_open_in_flight() {
            return Err(self.refuse(Code::DiceInAir, "bets.in_flight_covers"));
        }
        self.betting_open()
    }

    /// Can everything be done with bets while the dice are in the air?
    pub(super) fn is_open_in_flight(&self) -> bool {
        self.word("bets.in_flight_covers") == Some("everything")
    }

    /// Can bets be made until the dice come to rest?
    pub(super) fn bets_close_at_rest(&self) -> bool {
        self.word("bets.deadline") == Some("when_dice_rest")
    }

    /// Returns the number of dice in a set, and whether it must be exactly that many (else at least).
    fn set_size(&self) -> (u8, bool) {
        let size = self.count("dice.set_size").and_then(|count| u8::try_from(count).ok()).unwrap_or(2);
        (size, self.word("dice.set_size_is") == Some("exactly"))
    }

    fn enough_dice(&self, dice: u8) -> Result<(), Refusal> {
        let (size, exactly) = self.set_size();
        if dice < size || (exactly && dice != size) {
            return Err(self.refuse(Code::WrongDiceCount { size, exactly }, "dice.set_size"));
        }
        Ok(())
    }

    pub(super) fn inspect(&self, test_rolls: u32, events: &mut Events) -> Result<(), Refusal> {
        if !self.is_automated() {
            return Err(Refusal::impossible(Code::NoShaker));
        }
        let needed = self.count("shaker.opening_test_rolls").unwrap_or(1);
        if test_rolls < needed {
            return Err(self.refuse(Code::MoreTestRolls { needed }, "shaker.opening_test_rolls"));
        }
        events.push(Event::Inspected);
        Ok(())
    }

    pub(super) fn open_table(&self, dice: u8, events: &mut Events) -> Result<(), Refusal> {
        let ready = if self.is_automated() { Stage::Inspected } else { Stage::Closed };
        if self.stage() != ready {
            return Err(match self.stage() {
                Stage::Closed => self.refuse(Code::InspectFirst, "shaker.opening_test_rolls"),
                _ => Refusal::procedure(Code::AlreadyOpen),
            });
        }
        self.enough_dice(dice)?;
        events.push(Event::Opened { dice });
        Ok(())
    }

    pub(super) fn close_table(&self, events: &mut Events) -> Result<(), Refusal> {
        if self.seats().any(|(_, seat)| !seat.bets.is_empty()) {
            return Err(Refusal::procedure(Code::BetsStand));
        }
        self.dice_at_rest()?;
        events.push(Event::Closed);
        Ok(())
    }

    /// Checks that the dice aren't in the air. The roll must be called or voided first.
    pub(super) fn dice_at_rest(&self) -> Result<(), Refusal> {
        if self.stage() == Stage::InFlight { Err(Refusal::procedure(Code::DiceInAir)) } else { Ok(()) }
    }

    pub(super) fn new_dice(&self, reason: NewDice, dice: u8, events: &mut Events) -> Result<(), Refusal> {
        self.dice_at_rest()?;
        let word = match reason {
            NewDice::Daily => None,
            NewDice::Reopened => Some("table_reopened"),
            NewDice::Lost => Some("lost_off_table"),
            NewDice::Tampered => Some("tampering_signs"),
            NewDice::Unfit => Some("unfit"),
        };
        let listed = self.words("dice.new_set_when");
        if !listed.is_empty() && word.is_some_and(|word| !listed.iter().any(|known| known == word)) {
            return Err(self.refuse(Code::NoReasonForNewDice, "dice.new_set_when"));
        }
        self.enough_dice(dice)?;
        events.push(Event::DiceChanged { reason, dice });
        Ok(())
    }

    pub(super) fn offer_dice(&self, seat: SeatId, events: &mut Events) -> Result<(), Refusal> {
        self.seated(seat)?;
        if !matches!(self.stage(), Stage::Offering(_)) {
            return Err(Refusal::procedure(Code::DiceNotOffered { seat: None }));
        }
        let next = self.round().into_iter().find(|seat| self.can_be_offered(*seat));
        if next != Some(seat) {
            if !self.can_be_offered(seat) {
                return Err(self.refuse(Code::CannotShoot { seat }, "offer.eligible"));
            }
            return Err(self.refuse(Code::NotNext { next }, "offer.goes"));
        }
        events.push(Event::DiceOffered { seat });
        Ok(())
    }

    pub(super) fn decline_dice(&self, seat: SeatId, events: &mut Events) -> Result<(), Refusal> {
        if self.stage() != Stage::Offering(Some(seat)) {
            return Err(Refusal::procedure(Code::DiceNotOffered { seat: Some(seat) }));
        }
        events.push(Event::DiceDeclined { seat });
        Ok(())
    }

    pub(super) fn close_bets(&self, events: &mut Events) -> Result<(), Refusal> {
        if !self.is_automated() && self.rules().modifiers.is_empty() {
            return Err(self.refuse(Code::BetsCloseOnRoll, "bets.deadline"));
        }
        if self.stage() != Stage::Betting {
            return Err(Refusal::procedure(Code::NoBettingNow));
        }
        self.shooter_has_bet()?;
        events.push(Event::BetsClosed);
        Ok(())
    }

    pub(super) fn release(&self, events: &mut Events) -> Result<(), Refusal> {
        let ready = if self.is_automated() {
            self.stage() == Stage::BetsClosed
        } else {
            matches!(self.stage(), Stage::Betting | Stage::BetsClosed)
        };
        if !ready {
            return Err(Refusal::procedure(Code::NotTimeToRoll));
        }
        if self.crew == Crew::People && self.shooter().is_none() {
            return Err(Refusal::procedure(Code::NobodyHasDice));
        }
        self.shooter_has_bet()?;
        if self.dice_are_old() {
            return Err(self.refuse(Code::OldDice, "dice.change_hours"));
        }
        if self.crew == Crew::People && !self.rules().modifiers.is_empty() && !self.state.closed {
            return Err(self.refuse(Code::DrawFirst, "power_odds.drawn_when"));
        }
        // Money that could overflow is refused before the dice are rolled.
        self.holds_any_throw(0)?;
        events.push(Event::Released);
        Ok(())
    }

    /// Checks that a player who has the dice has the bet that a shooter must have for the next roll.
    fn shooter_has_bet(&self) -> Result<(), Refusal> {
        match self.shooter() {
            Some(Shooter::Seat(seat)) if self.is_line_bet_tested(self.phase()) && !self.may_shoot(seat) => {
                Err(self.no_bet_to_shoot(Some(seat)))
            }
            _ => Ok(()),
        }
    }

    /// Have the dice reached their time limit?
    fn dice_are_old(&self) -> bool {
        self.count("dice.change_hours").is_some_and(|hours| self.dice().hours >= hours)
    }

    /// Orders the shooter to give up the dice, on a ground that the book lists. Where the book lists none, every ground will do.
    pub(super) fn order_off(&self, actor: Actor, ground: PassGround, events: &mut Events) -> Result<(), Refusal> {
        if !self.pass_grounds().contains(&ground) {
            return Err(self.no_ground());
        }
        if self.shooter().is_some() {
            events.push(Event::OrderedOff { by: actor.role, ground: Some(ground) });
        }
        self.pass_dice(events)
    }

    /// Returns the grounds on which a shooter can be ordered to give up the dice.
    #[must_use]
    pub fn pass_grounds(&self) -> Vec<PassGround> {
        let listed = self.words("shooter.ordered_off_for");
        PassGround::ALL.into_iter().filter(|ground| listed.is_empty() || listed.contains(&ground.word())).collect()
    }

    pub(super) fn no_ground(&self) -> Refusal {
        self.refuse(Code::NoPassGround { known: self.pass_grounds() }, "shooter.ordered_off_for")
    }

    /// Checks that the roll can be called. A crew of people must have released the dice. An automatic crew opens the table and changes old dice.
    pub(super) fn ready_to_throw(&self, events: &mut Events) -> Result<(), Refusal> {
        match (self.crew, self.stage()) {
            (Crew::People, Stage::InFlight) => Ok(()),
            (Crew::People, _) => Err(Refusal::procedure(Code::NotReleased)),
            (Crew::Automatic, Stage::Closed | Stage::Inspected) => {
                if self.is_automated() {
                    events.push(Event::Inspected);
                }
                events.push(Event::Opened { dice: self.set_size().0 });
                Ok(())
            }
            (Crew::Automatic, _) => {
                if self.dice_are_old() {
                    events.push(Event::DiceChanged { reason: NewDice::Daily, dice: self.set_size().0 });
                }
                Ok(())
            }
        }
    }

    /// Adds the offers that an automatic crew makes before somebody takes the dice.
    pub(super) fn implied_offers(&self, taker: Option<SeatId>, events: &mut Events) {
        for seat in self.round() {
            events.push(Event::DiceOffered { seat });
            if Some(seat) == taker {
                break;
            }
            events.push(Event::DiceDeclined { seat });
        }
    }

    /// Adds what an automatic crew does right before the roll.
    pub(super) fn implied_release(&self, events: &mut Events) {
        if self.crew == Crew::Automatic {
            if self.is_automated() || !self.state.selection.is_empty() {
                events.push(Event::BetsClosed);
            }
            events.push(Event::Released);
        }
    }

    /// Announces each side bet whose betting window this roll closed for the rest of the hand.
    pub(super) fn announce_closed_side_bets(&self, after: &Trackers, sets_point: bool, events: &mut Events) {
        for rules in &self.rules().wagers {
            let window = rules.make.is.window;
            let hand_long = matches!(
                window,
                Window::UntilPointEstablished | Window::UntilFirstCounted | Window::BeforeFirstComeOut
            );
            if !hand_long {
                continue;
            }
            let Some(tracker) = governing_tracker(self.rules(), rules) else { continue };
            let was_empty = self.tracker(tracker) == Progress::FRESH;
            let is_empty = after.get(tracker) == Progress::FRESH;
            let first_point = sets_point && !self.hand().point_set && window == Window::UntilPointEstablished;
            if (was_empty && !is_empty) || (first_point && is_empty) {
                events.push(Event::SideBetClosed { wager: rules.wager });
            }
        }
    }
}
