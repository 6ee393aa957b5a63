//! Who shoots: taking the dice, passing them, and rolling for come decisions only.

use crate::command::SeatId;
use crate::crew::{Crew, Stage};
use crate::event::{Event, Events};
use crate::hand::{AfterDecisions, Shooter};
use crate::refusal::{Code, ComeRolls, Refusal};
use crate::slots::{SlotId, Slots};
use crate::table::Table;
use craps_dice::Total;
use craps_law::Game;
use craps_wagers::{Phase, Side};

impl Table {
    pub(super) fn take_dice(
        &self,
        seat: Option<SeatId>,
        decisions_only: bool,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        if let Some(seat) = seat {
            self.seated(seat)?;
        } else if !self.is_automated() {
            return Err(self.refuse(Code::DealerDoesNotRoll, "may.take_dice"));
        }
        let taker = Shooter::at(seat);
        if self.shooter() == Some(taker) && !decisions_only && self.phase() != Phase::ComeDecisionOnly {
            // The taker already has the dice.
            return Ok(());
        }
        let ordinary = |why: ComeRolls, topic: &str| Err(self.refuse(Code::NoComeRolls { why }, topic));
        let phase = match (decisions_only, self.phase()) {
            (false, Phase::ComeDecisionOnly) => Phase::ComeOut,
            (false, phase) => phase,
            (true, Phase::Point(_)) => return ordinary(ComeRolls::PointOn, "decisions.when"),
            (true, _) if self.word("decisions.mode") == Some("none") => {
                return ordinary(ComeRolls::NotHere, "decisions.mode");
            }
            (true, _) if self.seats().any(|(seat, _)| self.has_line_bet(seat)) => {
                return ordinary(ComeRolls::LineBet, "decisions.ends_when");
            }
            (true, _) if self.shooter().or(self.hand().last_shooter) != seat.map(Shooter::Seat) => {
                return ordinary(ComeRolls::NotLastShooter, "decisions.line_bet_needed");
            }
            (true, _) if !self.come_bets_left() => {
                return ordinary(ComeRolls::NoneLeft, "decisions.when");
            }
            (true, _) => Phase::ComeDecisionOnly,
        };
        if self.crew == Crew::People && !decisions_only && self.stage() != Stage::Offering(seat) {
            return Err(self.refuse(Code::DiceNotOffered { seat }, "offer.accepted_by"));
        }
        if let (true, Some(named)) = (self.is_automated(), seat) {
            let rolled_seven = self.hand().last_shooter == Some(Shooter::Seat(named))
                && self.shooter().is_none()
                && self.hand().previous == Some(Total::Seven);
            if rolled_seven && self.seats().count() > 1 {
                return Err(self.refuse(Code::RolledSeven, "shooter.loses_dice_on"));
            }
            if matches!(self.phase(), Phase::Point(_)) && !self.may_shoot(named) {
                return Err(self.refuse(Code::CannotShoot { seat: named }, "offer.eligible"));
            }
        }
        if self.shooter().is_some_and(|shooter| shooter != taker) {
            events.push(Event::DicePassed);
        }
        events.push(Event::DiceTaken { seat, phase });
        Ok(())
    }

    pub(super) fn pass_dice(&self, events: &mut Events) -> Result<(), Refusal> {
        if self.shooter().is_none() {
            return Err(Refusal::procedure(Code::NobodyHasDice));
        }
        self.dice_at_rest()?;
        events.push(Event::DicePassed);
        Ok(())
    }

    /// Is a come or don't come bet up on a number?
    pub(super) fn come_bets_left(&self) -> bool {
        self.seats().any(|(_, seat)| seat.bets.slots().meets(self.board().moved()))
    }

    /// Returns the end of rolling for come decisions only, if this event causes it. It happens right before the event: a line bet ends it, and so
    /// does taking down the last come bet.
    pub(crate) fn decisions_ended_by(&self, event: &Event) -> Option<Event> {
        if self.hand().phase != Phase::ComeDecisionOnly {
            return None;
        }
        let dice = match event {
            Event::BetPlaced { seat, slot, .. } if self.is_line(*slot) => {
                let own = self.hand().shooter == Some(Shooter::Seat(*seat));
                if own { AfterDecisions::Kept } else { AfterDecisions::Passed }
            }
            Event::TakenDown { seat, slot, left: None, .. } => {
                let moved = self.board().moved();
                let left = self.seats().any(|(id, placed)| {
                    let mut standing = placed.bets.slots().and(moved);
                    if id == *seat {
                        standing.remove(*slot);
                    }
                    !standing.is_empty()
                });
                if left {
                    return None;
                }
                AfterDecisions::KeptWithLineBet
            }
            _ => return None,
        };
        Some(Event::DecisionsOver { dice })
    }

    /// Returns who shoots next if nobody takes the dice explicitly.
    pub fn implied_shooter(&self) -> Option<Shooter> {
        self.hand().next_shooter(&self.taken_seats(), self.is_automated(), |seat| self.may_shoot(seat))
    }

    /// Returns the seats in the order in which the dice go around: from the left of the last shooter, whose own seat comes last.
    pub(super) fn round(&self) -> Vec<SeatId> {
        self.hand().round(&self.taken_seats()).collect()
    }

    /// Returns the occupied seats in order.
    fn taken_seats(&self) -> Vec<SeatId> {
        self.seats().map(|(seat, _)| seat).collect()
    }

    pub(super) fn has_line_bet(&self, seat: SeatId) -> bool {
        self.seat(seat).is_some_and(|placed| placed.bets.slots().meets(self.board().line()))
    }

    /// Does the seat have a bet that a shooter must have?
    pub(super) fn may_shoot(&self, seat: SeatId) -> bool {
        self.seat(seat).is_some_and(|placed| placed.bets.slots().meets(self.shoots_with()))
    }

    /// Returns the bets of which a shooter needs one for the come-out roll.
    #[must_use]
    pub fn shoots_with(&self) -> Slots {
        let pass_only = self.is_pass_needed();
        let allowed = |slot: &SlotId| !pass_only || self.board().slot(*slot).wager.wager().side() == Some(Side::Right);
        self.board().line().iter().filter(allowed).collect()
    }

    /// Must the shooter have a pass bet, and not a don't pass bet?
    pub(super) fn is_pass_needed(&self) -> bool {
        self.word("shooter.must_bet") == Some("pass")
    }

    /// Does the shooter give up the dice after any seven, not only after a seven-out?
    #[must_use]
    pub fn is_given_up_on_any_seven(&self) -> bool {
        self.word("shooter.loses_dice_on") == Some("any_seven")
    }

    /// Is this a game with a shaker, which the dealer can also operate?
    #[must_use]
    pub fn is_automated(&self) -> bool {
        self.rules().game == Game::Automated
    }
}
