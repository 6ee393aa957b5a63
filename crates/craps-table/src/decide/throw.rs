//! The throw: who may make it, what it decides, and when it does not count.

use super::Actor;
use crate::bets::Bet;
use crate::command::{NoRollReason, Role, SeatId, Verb};
use crate::crew::Crew;
use crate::event::{Event, Events};
use crate::refusal::Refusal;
use crate::settle::{After, Sink, Verdict, settle};
use crate::slots::SlotId;
use crate::table::{Shooter, Table};
use craps_dice::{Throw, Total};
use craps_wagers::{Phase, Progress, Step, WagerId};

/// Writes settlements as events.
struct EventSink<'a> {
    seat: SeatId,
    events: &'a mut Events,
}

impl Sink for EventSink<'_> {
    fn settled(&mut self, slot: SlotId, bet: &Bet, verdict: Verdict, after: After) {
        self.events.push(Event::Settled { seat: self.seat, slot, bet: *bet, verdict, after });
    }

    fn made_again(&mut self, slot: SlotId, bet: &Bet) {
        self.events.push(Event::BetPlaced {
            seat: self.seat,
            slot,
            bet: *bet,
            staked: bet.stake,
            commission: bet.commission,
        });
    }
}

impl Table {
    pub(super) fn draw(&self, selection: &[(WagerId, usize)], events: &mut Events) -> Result<(), Refusal> {
        let Some(modifier) = self.rules().modifiers.first() else {
            return Err(self.refuse("this table has no draw", "bets.only_listed"));
        };
        let cites = modifier.offer.on(Some(self.rules().as_of)).map(|fact| fact.cites.clone()).unwrap_or_default();
        if self.closed || !self.selection.is_empty() {
            return Err(Refusal::new("there is one draw for one throw, and it stands until one counts", &cites));
        }
        for (wager, level) in selection {
            let line = modifier.lines.iter().find(|line| line.is.wagers.contains(wager));
            if line.is_none_or(|line| line.is.pays.len() <= *level) {
                return Err(Refusal::new(format!("{wager} has no level {}", level + 1), &cites));
            }
        }
        events.push(Event::Drawn { selection: selection.to_vec() });
        Ok(())
    }

    /// Who throws the next throw, dice in hand or taken now; on a come-out it takes a line bet that stands already.
    fn thrower(&self, events: &mut Events) -> Result<Shooter, Refusal> {
        let nobody = || self.refuse("nobody has a line bet to shoot with", "shooter.must_bet");
        let shooter = match self.shooter() {
            // A shaker goes on to the next who may have it; whoever has just taken it needs a line bet like any shooter.
            Some(Shooter::Seat(seat))
                if self.is_automated() && self.taken_at < self.throws && !self.may_shoot(seat) =>
            {
                None
            }
            Some(Shooter::Seat(seat)) if self.declined && !self.may_shoot(seat) => {
                self.implied_shooter().ok_or_else(nobody)?;
                events.push(Event::DicePassed);
                None
            }
            shooter => shooter,
        };
        let shooter = match shooter {
            Some(shooter) => shooter,
            None => {
                let next = self.implied_shooter().ok_or_else(nobody)?;
                let seat = match next {
                    Shooter::Seat(seat) => Some(seat),
                    Shooter::Dealer => None,
                };
                self.implied_offers(seat, events);
                events.push(Event::DiceTaken { seat, phase: self.phase() });
                next
            }
        };
        match (self.phase(), shooter) {
            (Phase::ComeOut, Shooter::Seat(seat)) if !self.may_shoot(seat) => {
                Err(self.refuse(format!("seat {seat} shoots without a line bet"), "shooter.must_bet"))
            }
            _ => Ok(shooter),
        }
    }

    /// Settles whose dice are in the air before a bet made then could change it: that bet came after the throw, and makes nobody shooter.
    pub(super) fn thrown_by(&self, events: &mut Events) -> Result<(), Refusal> {
        if self.crew == Crew::Automatic && self.phase() == Phase::ComeOut {
            self.ready_to_throw(events)?;
            self.thrower(events)?;
        }
        Ok(())
    }

    pub(super) fn throw(&self, dice: Throw, events: &mut Events) -> Result<(), Refusal> {
        self.ready_to_throw(events)?;
        self.holds_any_throw(0)?;
        let shooter = self.thrower(events)?;
        let phase = self.phase();
        self.implied_release(events);
        events.push(Event::Thrown { dice });
        events.push(Event::Called { total: dice.total() });
        let first = events.len();
        let mut come_bets_left = false;
        for (seat, placed) in self.seats() {
            let mut bets = placed.bets.clone();
            settle(
                self.layout(),
                self.rules(),
                &mut bets,
                phase,
                dice,
                &self.selection,
                &mut EventSink { seat, events },
            );
            come_bets_left |= bets.slots().meets(self.layout().moved);
            // A bet that gathers and was not decided goes on with what it has now.
            let settled = events.len();
            for slot in bets.slots().and(placed.bets.slots()).and(self.layout().gathering).iter() {
                let decided = |event: &Event| matches!(event, Event::Settled { seat: of, slot: at, .. } if (*of, *at) == (seat, slot));
                if let (Some(before), Some(now)) = (placed.bets.get(slot), bets.get(slot))
                    && before.progress != now.progress
                    && !events[first..settled].iter().any(decided)
                {
                    events.push(Event::Advanced { seat, slot, bet: Bet { thrown: true, ..*now } });
                }
            }
        }
        if self.word("settle.order") == Some("losers_first") {
            events[first..].sort_by_key(|event| !matches!(event, Event::Settled { verdict: Verdict::Lost, .. }));
        }
        self.after_throw(dice, phase, shooter, come_bets_left, events);
        Ok(())
    }

    /// What follows a settled throw: markers, phase, and whether the dice pass.
    fn after_throw(&self, dice: Throw, phase: Phase, shooter: Shooter, come_bets_left: bool, events: &mut Events) {
        let trackers = self.trackers_after(dice, phase);
        let fire_points = |trackers: &[(WagerId, Progress)]| {
            trackers
                .iter()
                .find(|(wager, _)| wager.wager().slug == "fire")
                .map_or(0, |(_, progress)| progress.bits().count_ones())
        };
        let before: Vec<(WagerId, Progress)> =
            self.trackers.iter().map(|(wager, progress)| (*wager, *progress)).collect();
        let told_at = self.count("fire.surveillance_points");
        let live = self.layout().slots().any(|(slot, place)| {
            place.wager.wager().slug == "fire" && self.seats().any(|(_, seat)| seat.bets.get(slot).is_some())
        });
        if told_at.is_some_and(|points| live && fire_points(&before) < points && fire_points(&trackers) >= points) {
            events.push(Event::SurveillanceTold);
        }
        self.announce_closed_side_bets(&before, &trackers, phase, dice, events);
        let over = phase == Phase::ComeDecisionOnly && !come_bets_left;
        let next = if over { Phase::ComeOut } else { phase.after(dice, self.rules().points) };
        events.push(Event::PhaseSet { phase: next, trackers });
        let loses = if self.is_given_up_on_any_seven() {
            dice.total() == Total::Seven || shooter == Shooter::Dealer
        } else {
            phase.is_lost_by(dice)
        };
        if loses {
            events.push(Event::DicePassed);
        }
    }

    /// The markers of each product after a throw: they run whether or not anybody bet, and are taken off by what settles them.
    fn trackers_after(&self, dice: Throw, phase: Phase) -> Vec<(WagerId, Progress)> {
        let mut seen: Vec<WagerId> = self.layout().slots().filter_map(|(_, slot)| slot.tracker).collect();
        seen.dedup();
        let step = |wager: WagerId| {
            let rules = self.rules().wager(wager)?;
            let next = match rules.machine.step(self.tracker(wager), phase, dice) {
                Step::Stand(progress) | Step::Credited(_, progress) => progress,
                Step::Won(_) | Step::Lost | Step::Pushed => Progress::FRESH,
            };
            Some((wager, next))
        };
        seen.into_iter().filter_map(step).collect()
    }

    /// A dispute over the faces ends with the dice as they are said to lie, where those who decide it may say so.
    pub(super) fn name_faces(
        &self,
        actor: Actor,
        dice: Throw,
        reason: &str,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        self.has_reason(reason, Verb::Dispute)?;
        let powers = self.words("invalid.dispute_powers");
        if !powers.iter().any(|power| power == "name_the_face" || power == "fair_and_equitable_action") {
            return Err(self.refuse("a disputed throw can only be voided", "invalid.dispute_powers"));
        }
        events.push(Event::FacesNamed { by: actor.role, dice, reason: reason.to_owned() });
        self.throw(dice, events)
    }

    pub(super) fn no_roll(
        &self,
        reason: NoRollReason,
        caller: Option<Role>,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        let shaker_only = matches!(reason, NoRollReason::NotFlat | NoRollReason::Malfunction);
        let table_only = matches!(reason, NoRollReason::Cocked | NoRollReason::Dispute | NoRollReason::OffTable);
        if (self.is_automated() && table_only) || (!self.is_automated() && shaker_only) {
            return Err(self.refuse(format!("{} does not arise in this game", reason.name()), "invalid.automatic"));
        }
        // Whoever threw has the dice, even if the throw does not count.
        if self.shooter().is_none()
            && let Some(shooter) = self.implied_shooter()
        {
            let seat = match shooter {
                Shooter::Seat(seat) => Some(seat),
                Shooter::Dealer => None,
            };
            self.implied_offers(seat, events);
            events.push(Event::DiceTaken { seat, phase: self.phase() });
        }
        events.push(Event::NoRoll { reason, caller });
        Ok(())
    }
}
