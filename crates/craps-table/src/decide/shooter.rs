//! Who throws: offers of the dice, passing them on, and rolling only for come decisions.

use crate::command::SeatId;
use crate::crew::{Crew, Stage};
use crate::event::{Event, Events};
use crate::refusal::Refusal;
use crate::table::{Shooter, Table};
use craps_dice::Total;
use craps_wagers::Phase;

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
            return Err(self.refuse("the dealer does not throw", "may.take_dice"));
        }
        let taker = seat.map_or(Shooter::Dealer, Shooter::Seat);
        if self.shooter() == Some(taker) && !decisions_only && self.phase() != Phase::ComeDecisionOnly {
            // Whoever has the dice has them.
            return Ok(());
        }
        let phase = match (decisions_only, self.phase()) {
            (false, Phase::ComeDecisionOnly) => Phase::ComeOut,
            (false, phase) => phase,
            (true, Phase::Point(_)) => {
                return Err(self.refuse("a point is on: the throw is an ordinary one", "decisions.when"));
            }
            (true, _) if self.word("decisions.mode") == Some("none") => {
                return Err(self.refuse("this game has no rolling for come decisions only", "decisions.mode"));
            }
            (true, _) if self.seats().any(|(seat, _)| self.has_line_bet(seat)) => {
                return Err(self.refuse("somebody has a line bet: the throw is an ordinary one", "decisions.ends_when"));
            }
            (true, _) if self.shooter().or(self.last_shooter) != seat.map(Shooter::Seat) => {
                return Err(
                    self.refuse("only the shooter before throws without a line bet", "decisions.line_bet_needed")
                );
            }
            (true, _) if !self.come_bets_left() => {
                return Err(self.refuse("no come or don't come bet is left to decide", "decisions.when"));
            }
            (true, _) => Phase::ComeDecisionOnly,
        };
        if self.crew == Crew::People && !decisions_only && self.stage() != Stage::Offering(seat) {
            return Err(self.refuse("the dice are taken by the seat they are offered to", "offer.accepted_by"));
        }
        if let (true, Some(named)) = (self.is_automated(), seat) {
            let rolled_seven = self.last_shooter == Some(Shooter::Seat(named))
                && self.shooter().is_none()
                && self.previous == Some(Total::Seven);
            if rolled_seven && self.seats().count() > 1 {
                return Err(self.refuse("whoever rolled a seven gives up the shaker", "shooter.loses_dice_on"));
            }
            if matches!(self.phase(), Phase::Point(_)) && !self.may_shoot(named) {
                return Err(
                    self.refuse(format!("seat {named} has no line bet and can make none now"), "offer.eligible")
                );
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
            return Err(self.refuse("nobody has the dice", "offer.goes"));
        }
        events.push(Event::DicePassed);
        Ok(())
    }

    /// Do come or don't come bets stand on numbers?
    pub(super) fn come_bets_left(&self) -> bool {
        self.seats().any(|(_, seat)| seat.bets.slots().meets(self.layout().moved))
    }

    /// The one who throws next when nobody was named: the next seat round the table that has the bet a shooter must have, for the others
    /// declined. In mid-hand the dice go to another seat where there is one, with such a bet or without. Where a shaker lets the dealer,
    /// else the dealer.
    pub fn implied_shooter(&self) -> Option<Shooter> {
        let round = self.round();
        let mid_hand = matches!(self.phase(), Phase::Point(_)) && !self.is_automated();
        // A shaker is given up after any seven, so another has it next; somebody alone at the table goes on.
        let rolled_seven = self.is_automated() && self.previous == Some(Total::Seven) && round.len() > 1;
        let gave_up = match self.last_shooter {
            Some(Shooter::Seat(seat)) if mid_hand || rolled_seven => Some(seat),
            _ => None,
        };
        let others = || round.iter().copied().filter(|seat| Some(*seat) != gave_up);
        let willing = others().find(|seat| self.may_shoot(*seat));
        let anybody = || if mid_hand { others().next().or_else(|| round.first().copied()) } else { None };
        willing.or_else(anybody).map(Shooter::Seat).or_else(|| self.is_automated().then_some(Shooter::Dealer))
    }
}
