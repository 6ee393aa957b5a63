//! Who shoots: taking the dice, passing them, and rolling for come decisions only.

use crate::board::Working;
use crate::command::{Role, SeatId};
use crate::crew::{Crew, Stage};
use crate::event::{Event, Events};
use crate::fast::SeatBets;
use crate::hand::{AfterDecisions, Shooter};
use crate::refusal::{Code, ComeRolls, Refusal};
use crate::requests::Needs;
use crate::slots::{SlotId, Slots};
use crate::table::Table;
use craps_dice::Total;
use craps_law::{Game, WagerRules};
use craps_wagers::{Phase, Progress, Side, WagerId};

impl Table {
    pub(super) fn take_dice(
        &self,
        seat: Option<SeatId>,
        decisions_only: bool,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        if let Some(seat) = seat {
            self.seated(seat)?;
        } else if !self.house_may_roll() {
            return Err(self.refuse(Code::DealerDoesNotRoll, "offer.nobody_accepts"));
        } else if self.crew == Crew::People && !self.others_declined(None) {
            return Err(self.refuse(Code::NotNext { next: self.round().first().copied() }, "offer.nobody_accepts"));
        } else if self.is_for_what_is_left() && self.phase() == Phase::ComeOut {
            return self.house_takes_dice(events);
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
            (true, _) if self.word("decisions.when") == Some("never") => {
                return ordinary(ComeRolls::NotHere, "decisions.when");
            }
            (true, _) if self.seats().any(|(seat, _)| self.has_line_bet(seat)) => {
                return ordinary(ComeRolls::LineBet, "decisions.ends_when");
            }
            (true, _) if self.last_roller() != seat.map(Shooter::Seat) => {
                return ordinary(ComeRolls::NotLastShooter, "decisions.line_bet_needed");
            }
            (true, _) if !self.come_bets_left() => {
                return ordinary(ComeRolls::NoneLeft, "decisions.when");
            }
            (true, _) if self.offers_first() && !self.others_declined(seat) => {
                return ordinary(ComeRolls::NotOffered, "decisions.offered_first_to");
            }
            (true, _) => Phase::ComeDecisionOnly,
        };
        if self.crew == Crew::People && seat.is_some() && !decisions_only && self.stage() != Stage::Offering(seat) {
            return Err(self.refuse(Code::DiceNotOffered { seat }, "offer.accepted_by"));
        }
        // Before a come-out roll, a player at a table with an automatic crew can still make the bet after taking the dice.
        let must_have_bet = self.crew == Crew::People || matches!(phase, Phase::Point(_));
        if let (true, Some(named), true) = (must_have_bet, seat, self.needs_bet_to_be_offered())
            && !self.may_shoot(named)
        {
            return Err(self.refuse(Code::CannotShoot { seat: named }, "offer.eligible"));
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
        if self.shooter() == Some(Shooter::Dealer) && self.phase() == Phase::ComeDecisionOnly {
            // The house stops rolling for the bets that are left.
            events.push(Event::DecisionsOver { dice: AfterDecisions::Passed });
        } else if self.shooter().is_some_and(|shooter| shooter != taker) {
            self.give_up_dice(events);
        }
        events.push(Event::DiceTaken { seat, phase });
        Ok(())
    }

    /// Lets the house roll with the puck off, for the bets that are left. No point can be set: only a player makes come-out rolls.
    fn house_takes_dice(&self, events: &mut Events) -> Result<(), Refusal> {
        let with_bet = self.seats().map(|(seat, _)| seat).find(|seat| self.may_shoot(*seat));
        if with_bet.is_some() {
            return Err(self.refuse(Code::NotNext { next: with_bet }, "offer.nobody_accepts"));
        }
        if !self.is_anything_left() {
            return Err(self.refuse(Code::NothingLeft, "offer.stickperson_throws_until"));
        }
        if self.shooter().is_some() {
            self.give_up_dice(events);
        }
        events.push(Event::DiceTaken { seat: None, phase: Phase::ComeDecisionOnly });
        Ok(())
    }

    /// Does the house roll only for the bets that are left, when no player takes the dice?
    pub(super) fn is_for_what_is_left(&self) -> bool {
        !self.is_automated() && self.house_roller().is_some()
    }

    /// Can rolls with the puck off still decide a bet?
    pub(super) fn is_anything_left(&self) -> bool {
        self.seats().any(|(_, seat)| self.is_left(&seat.bets))
    }

    /// Is one of these bets on for a roll with the puck off?
    pub(super) fn is_left(&self, bets: &SeatBets) -> bool {
        let off = self.board().off(Phase::ComeDecisionOnly, bets);
        bets.standing().any(|(slot, _)| self.board().working(slot, off) == Working::On)
    }

    /// Returns who made the last roll. At a table that was set up in the middle of a hand, it is the player who has or had the dice.
    fn last_roller(&self) -> Option<Shooter> {
        self.state.thrower.or(self.shooter()).or(self.hand().last_shooter)
    }

    /// Adds that the shooter gives up the dice. The side bets that count one shooter's rolls start anew for the next one, if nobody has them up.
    pub(super) fn give_up_dice(&self, events: &mut Events) {
        events.push(Event::DicePassed);
        let wagers = self.marked_for_nobody();
        events.extend((!wagers.is_empty()).then_some(Event::TrackersCleared { wagers }));
    }

    /// Returns the side bets with marks from another shooter that a book carries over only for bets that are up.
    fn marked_for_nobody(&self) -> Vec<WagerId> {
        let carried = |rules: &&WagerRules| {
            self.product_topic(rules, "joining_a_carried_tally").is_some_and(|topic| self.word(&topic).is_some())
        };
        let is_up = |wager: WagerId| {
            let own = |slot: SlotId| self.board().slot(slot).wager == wager;
            self.seats().any(|(_, seat)| seat.bets.slots().iter().any(own))
        };
        let counted = self.rules().wagers.iter().filter(carried).map(|rules| rules.wager);
        counted.filter(|wager| self.tracker(*wager) != Progress::FRESH && !is_up(*wager)).collect()
    }

    /// Must a crew of people offer the dice to everybody else before somebody rolls for come decisions only?
    fn offers_first(&self) -> bool {
        self.crew == Crew::People && self.word("decisions.offered_first_to").is_some()
    }

    /// Have all players but this one declined the dice since the last roll?
    fn others_declined(&self, but: Option<SeatId>) -> bool {
        self.seats().all(|(seat, _)| Some(seat) == but || self.state.declined.contains(&seat))
    }

    /// Can the dice be offered to this seat?
    pub(super) fn can_be_offered(&self, seat: SeatId) -> bool {
        !self.needs_bet_to_be_offered() || self.may_shoot(seat)
    }

    /// Are the dice offered only to players who have a bet that a shooter must have?
    fn needs_bet_to_be_offered(&self) -> bool {
        self.word("offer.eligible") == Some("player_with_line_bet")
    }

    /// Returns the role that rolls for the house if no player will. None if the table waits for a player.
    #[must_use]
    pub fn house_roller(&self) -> Option<Role> {
        match self.word("offer.nobody_accepts") {
            Some("dealer_operates") => Some(Role::Dealer),
            Some("stickperson_throws") => Some(Role::Stick),
            _ => None,
        }
    }

    /// Can the house roll the dice?
    fn house_may_roll(&self) -> bool {
        self.is_automated() || self.house_roller().is_some()
    }

    /// Offers the dice to a player whom another player names, where the book allows it.
    pub(super) fn nominate(&self, seat: SeatId, shooter: SeatId, events: &mut Events) -> Result<(), Refusal> {
        self.seated(shooter)?;
        if self.word("shooter.may_nominate").is_none_or(|word| word == "no") {
            return Err(self.refuse(Code::NoNominee, "shooter.may_nominate"));
        }
        let offered = match self.crew {
            Crew::People => self.stage() == Stage::Offering(Some(seat)),
            Crew::Automatic => self.shooter().is_none(),
        };
        if !offered {
            return Err(Refusal::procedure(Code::DiceNotOffered { seat: Some(seat) }));
        }
        if !self.can_be_offered(shooter) {
            return Err(self.refuse(Code::CannotShoot { seat: shooter }, "offer.eligible"));
        }
        if self.crew == Crew::Automatic {
            self.implied_offers(Some(seat), events);
        }
        events.push(Event::DiceOffered { seat: shooter });
        if self.crew == Crew::Automatic {
            events.push(Event::DiceTaken { seat: Some(shooter), phase: self.phase() });
        }
        Ok(())
    }

    /// Returns who must agree when a player names another shooter.
    pub(super) fn nomination(&self) -> Option<Needs> {
        (self.word("shooter.may_nominate") == Some("if_boxperson_allows")).then(|| Needs::any(vec![Role::Box]))
    }

    pub(super) fn pass_dice(&self, events: &mut Events) -> Result<(), Refusal> {
        if self.shooter().is_none() {
            return Err(Refusal::procedure(Code::NobodyHasDice));
        }
        self.dice_at_rest()?;
        self.give_up_dice(events);
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
                match (left, self.hand().shooter) {
                    (true, _) => return None,
                    // The house decides at the next roll whether anything is left.
                    (false, Some(Shooter::Dealer)) => return None,
                    (false, _) => AfterDecisions::KeptWithLineBet,
                }
            }
            _ => return None,
        };
        Some(Event::DecisionsOver { dice })
    }

    /// Returns who shoots next if nobody takes the dice explicitly.
    pub fn implied_shooter(&self) -> Option<Shooter> {
        let next = self.hand().next_shooter(&self.taken_seats(), self.is_automated(), |seat| self.may_shoot(seat));
        let may = |shooter: &Shooter| match shooter {
            Shooter::Seat(seat) => !self.is_line_bet_tested(self.phase()) || self.may_shoot(*seat),
            Shooter::Dealer => true,
        };
        next.filter(may).or_else(|| self.house_rolls())
    }

    /// Returns the house as the shooter, if a point is on, bets are up, and the book lets somebody of the crew roll for them. With the puck off the
    /// table waits: a player can still make a line bet and roll.
    fn house_rolls(&self) -> Option<Shooter> {
        let bets = self.seats().any(|(_, seat)| !seat.bets.is_empty());
        let point_on = matches!(self.phase(), Phase::Point(_));
        (bets && point_on && self.house_roller().is_some()).then_some(Shooter::Dealer)
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

    /// Must the shooter have a line bet for a roll in this phase? Most books ask for it only before a come-out roll.
    pub(super) fn is_line_bet_tested(&self, phase: Phase) -> bool {
        match phase {
            Phase::ComeOut => true,
            Phase::Point(_) => self.word("shooter.line_bet_tested") == Some("every_round"),
            Phase::ComeDecisionOnly => false,
        }
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
