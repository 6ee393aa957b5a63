//! The roll: who can make it, what it decides, and when it doesn't count.

use super::Actor;
use crate::bets::Bet;
use crate::command::{NoRollReason, Role, SeatId};
use crate::crew::{Crew, Stage};
use crate::event::{Event, Events};
use crate::fast::SeatBets;
use crate::hand::{Hand, Shooter};
use crate::refusal::{Code, Instead, Refusal};
use crate::settle::{After, Sink, Verdict, settle};
use crate::slots::SlotId;
use crate::table::{Seat, Table};
use crate::trackers::{Trackers, gathers};
use craps_dice::{Point, Throw, Total};
use craps_law::{Prize, TableMax, WagerRules};
use craps_money::Money;
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
            return Err(Refusal::procedure(Code::NoDraw));
        };
        let cites = modifier.offer.on(Some(self.rules().as_of)).map(|fact| fact.cites.clone()).unwrap_or_default();
        if self.state.closed {
            return Err(Refusal::law(&cites, Code::DrawStands));
        }
        for (wager, level) in selection {
            let line = modifier.lines.iter().find(|line| line.is.wagers.contains(wager));
            if line.is_none_or(|line| line.is.pays.len() <= *level) {
                return Err(Refusal::impossible(Code::NoSuchLevel { wager: *wager, level: level.saturating_add(1) }));
            }
        }
        events.push(Event::Drawn { selection: selection.to_vec() });
        Ok(())
    }

    /// Returns the shooter of the next roll. If nobody has the dice, the next player takes them now. On a come-out roll the shooter needs a line bet
    /// that is already up.
    fn thrower(&self, events: &mut Events) -> Result<Shooter, Refusal> {
        let nobody = || self.no_bet_to_shoot(self.round().first().copied());
        let shooter = match self.shooter() {
            // The shaker moves on from a shooter without a line bet. A player who has just taken it keeps it, and needs a line bet like any shooter.
            Some(Shooter::Seat(seat))
                if self.is_automated() && self.state.taken_at < self.throws() && !self.may_shoot(seat) =>
            {
                None
            }
            Some(Shooter::Seat(seat)) if self.hand().declined && !self.may_shoot(seat) => {
                self.implied_shooter().ok_or_else(nobody)?;
                self.give_up_dice(events);
                None
            }
            shooter => shooter,
        };
        let shooter = match shooter {
            Some(shooter) => shooter,
            None => {
                let next = self.implied_shooter().ok_or_else(nobody)?;
                self.implied_offers(next.seat(), events);
                events.push(Event::DiceTaken { seat: next.seat(), phase: self.phase() });
                next
            }
        };
        match (self.phase(), shooter) {
            (phase, Shooter::Seat(seat)) if self.is_line_bet_tested(phase) && !self.may_shoot(seat) => {
                Err(self.no_bet_to_shoot(Some(seat)))
            }
            _ => Ok(shooter),
        }
    }

    /// Builds the refusal for a shooter without a line bet. It suggests the line bets that the seat can make.
    pub(super) fn no_bet_to_shoot(&self, seat: Option<SeatId>) -> Refusal {
        let slots = self.shoots_with();
        let least = |slot: SlotId| {
            let (seat, terms) = (seat?, self.terms(seat?, slot, None).ok()?);
            self.other_bets(seat, slot, Money::ZERO, &terms).next()
        };
        let bets: Vec<Instead> = slots.iter().filter_map(least).collect();
        self.refuse(Code::NoBetToShoot { pass_only: self.is_pass_needed() }, "shooter.must_bet").or(bets)
    }

    /// Fixes the shooter before a late line bet is placed. The bet came after the dice were released, so it can't make its player the shooter.
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
        let is_for_house = shooter == Shooter::Dealer && self.is_for_what_is_left();
        if is_for_house && phase == Phase::ComeDecisionOnly && !self.is_anything_left() {
            return Err(self.refuse(Code::NothingLeft, "offer.stickperson_throws_until"));
        }
        self.implied_release(events);
        self.lapsed(events);
        events.push(Event::Thrown { dice });
        events.push(Event::Called { total: dice.total() });
        let first = events.len();
        let (mut is_left, mut has_line_bet) = (false, false);
        let mut bets = SeatBets::default();
        for (seat, placed) in self.seats() {
            let of_seat = events.len();
            self.settle_seat(seat, placed, dice, &mut bets, events);
            has_line_bet |= bets.slots().meets(self.board().line());
            is_left |= if is_for_house { self.is_left(&bets) } else { bets.slots().meets(self.board().moved()) };
            self.note_under_minimum(seat, of_seat, events);
            // A bet with progress that wasn't decided keeps its new progress.
            let settled = events.len();
            for slot in bets.slots().and(placed.bets.slots()).and(self.board().gathering()).iter() {
                let decided = |event: &Event| matches!(event, Event::Settled { seat: of, slot: at, .. } if (*of, *at) == (seat, slot));
                if let (Some(before), Some(now)) = (placed.bets.get(slot), bets.get(slot))
                    && before.progress != now.progress
                    && !events[first..settled].iter().any(decided)
                {
                    events.push(Event::Advanced { seat, slot, bet: Bet { thrown: true, stake: before.stake, ..*now } });
                }
            }
        }
        self.in_order(&mut events[first..]);
        self.within_payout_limit(&mut events[first..]);
        // The house stops when a line bet that was told to stay up gives a player the right to roll.
        self.after_throw(dice, shooter, is_left && !(is_for_house && has_line_bet), events);
        Ok(())
    }

    /// Settles the bets of one seat, as the book settles bets beyond the limits.
    fn settle_seat(&self, seat: SeatId, placed: &Seat, dice: Throw, bets: &mut SeatBets, events: &mut Events) {
        bets.clone_from(&placed.bets);
        let over = self.over_maximum(placed);
        over.iter().for_each(|(slot, bet, _)| bets.put(*slot, *bet));
        let of_seat = events.len();
        let mut sink = EventSink { seat, events };
        settle(self.board(), self.rules(), bets, self.phase(), dice, &self.state.selection, &mut sink);
        self.return_excess(seat, &over, of_seat, events);
        self.return_under_minimum(placed, of_seat, events);
    }

    /// Returns the settlements of one seat if the dice fall so, where bets beyond the limits are settled in their own way. None where the table
    /// refuses such bets.
    pub(crate) fn settled_beyond_limits(&self, seat: SeatId, placed: &Seat, dice: Throw) -> Option<Events> {
        if !self.is_settled_up_to_maximum() && !self.takes_bets_under_minimum() {
            return None;
        }
        let (mut bets, mut events) = (SeatBets::default(), Events::new());
        self.settle_seat(seat, placed, dice, &mut bets, &mut events);
        Some(events)
    }

    /// Returns the bets above the maximum, cut down to it, with what is too much. Empty where the table takes no such bets.
    fn over_maximum(&self, placed: &Seat) -> Vec<(SlotId, Bet, Money)> {
        if !self.is_settled_up_to_maximum() {
            return Vec::new();
        }
        let cut = |(slot, bet): (SlotId, &Bet)| {
            let most = self.most_settled(slot)?;
            let excess = bet.stake.minus(most).filter(|excess| *excess > Money::ZERO)?;
            Some((slot, Bet { stake: most, ..*bet }, excess))
        };
        placed.bets.standing().filter_map(cut).collect()
    }

    /// Returns how much of a bet is paid or collected at most: the maximum, or the next lower amount that can be paid exactly.
    fn most_settled(&self, slot: SlotId) -> Option<Money> {
        let rules = self.board().rules(self.rules(), slot);
        let of = match (&rules.odds, self.board().slot(slot).front) {
            (Some(odds), _) if odds.table_max.is == TableMax::Exempt => return None,
            (Some(_), Some(front)) => self.board().rules(self.rules(), front),
            _ => rules,
        };
        let max = of.limits?.max?.minor();
        let multiple = self.multiple(slot, rules).minor();
        Some(Money::from_minor(i64::try_from(max / multiple * multiple).ok()?))
    }

    /// Returns what is too much on a bet that was decided: only the maximum is paid or collected. A bet that moves to its number stays whole.
    fn return_excess(&self, seat: SeatId, over: &[(SlotId, Bet, Money)], of_seat: usize, events: &mut Events) {
        for (slot, bet, excess) in over {
            let settled = |event: &Event| matches!(event, Event::Settled { slot: at, .. } if at == slot);
            let at = events[of_seat..].iter().position(settled);
            if let Some(Event::Settled {
                bet: moved,
                verdict: Verdict::Moved { .. },
                after: After::Stands(_, now),
                ..
            }) = at.and_then(|at| events.get_mut(of_seat + at))
            {
                let whole = bet.stake.plus(*excess).unwrap_or(bet.stake);
                (moved.stake, now.stake) = (whole, whole);
            } else if let Some(at) = at {
                let (left, returned, refunded) = (Some(*bet), *excess, Money::ZERO);
                events.insert(of_seat + at, Event::TakenDown { seat, slot: *slot, left, returned, refunded });
            }
        }
    }

    /// Returns the bets below the minimum of a player who already had one settled, where the book settles such a bet only once.
    fn return_under_minimum(&self, placed: &Seat, of_seat: usize, events: &mut Events) {
        if !placed.was_under || !self.takes_bets_under_minimum() {
            return;
        }
        let mut returned = Vec::new();
        for event in &mut events[of_seat..] {
            if self.is_decided_under_minimum(event)
                && let Event::Settled { slot, verdict, after, .. } = event
            {
                (*verdict, *after) = (Verdict::Returned, After::Down);
                returned.push(self.board().slot(*slot).wager);
            }
        }
        // A bet that came down isn't made again.
        let again = |event: &Event| match event {
            Event::BetPlaced { slot, .. } => returned.contains(&self.board().slot(*slot).wager),
            _ => false,
        };
        let kept: Events = events.drain(of_seat..).filter(|event| !again(event)).collect();
        events.extend(kept);
    }

    /// Notes that a bet below the minimum was settled, where the book settles such a bet only once.
    fn note_under_minimum(&self, seat: SeatId, of_seat: usize, events: &mut Events) {
        if self.takes_bets_under_minimum() && events[of_seat..].iter().any(|event| self.is_decided_under_minimum(event))
        {
            events.push(Event::UnderMinimumSettled { seat });
        }
    }

    /// Does the event settle a bet below the minimum?
    fn is_decided_under_minimum(&self, event: &Event) -> bool {
        match event {
            Event::Settled { slot, bet, verdict: Verdict::Won { .. } | Verdict::Lost, .. } => {
                let limits = self.board().rules(self.rules(), *slot).limits;
                limits.is_some_and(|limits| bet.stake < limits.min.money())
            }
            _ => false,
        }
    }

    /// Cuts the wins of a roll to the most that the book lets a table pay for long odds on one roll. Each win is cut in proportion.
    fn within_payout_limit(&self, settled: &mut [Event]) {
        let (Some(most), Some(above)) = (self.count("settle.payout_limit"), self.count("settle.payout_limit_above"))
        else {
            return;
        };
        let is_long = |prize: &Prize| {
            let (win, per) = prize.net();
            i128::from(win) > i128::from(per) * i128::from(above)
        };
        let long = |event: &Event| match event {
            Event::Settled { verdict: Verdict::Won { prize, paid, .. }, .. } if is_long(prize) => {
                i128::from(paid.minor())
            }
            _ => 0,
        };
        let (sum, most) = (settled.iter().map(long).sum::<i128>(), i128::from(most) * 100);
        if sum <= most {
            return;
        }
        let chip = i128::from(self.rules().rounding.chip.minor());
        for event in settled.iter_mut() {
            if let Event::Settled { verdict: Verdict::Won { prize, paid, .. }, .. } = event
                && is_long(prize)
            {
                let part = i128::from(paid.minor()) * most / sum / chip * chip;
                *paid = Money::from_minor(i64::try_from(part).unwrap_or(paid.minor()));
            }
        }
    }

    /// Puts settlements in the order that the book gives: losing bets first, and some side bets after everything else, by seat. What is too much on a
    /// bet goes back right before the bet is settled.
    fn in_order(&self, settled: &mut [Event]) {
        let losers_first = self.word("settle.order") == Some("losers_first");
        let turn = |event: &Event| match event {
            Event::Settled { verdict: Verdict::Lost, .. } => u8::from(!losers_first),
            Event::Settled { slot, .. } if self.is_paid_last(*slot) => 2,
            _ => 1,
        };
        let mut turns: Vec<u8> = settled.iter().map(turn).collect();
        for at in (1..settled.len()).rev() {
            if matches!(settled[at - 1], Event::TakenDown { .. }) {
                turns[at - 1] = turns[at];
            }
        }
        let mut all: Vec<(u8, Event)> = turns.into_iter().zip(settled.iter().cloned()).collect();
        all.sort_by_key(|(turn, _)| *turn);
        settled.iter_mut().zip(all).for_each(|(place, (_, event))| *place = event);
    }

    /// Is a winning bet in this slot paid after all other bets of the roll, in the order of the seats?
    #[must_use]
    pub fn is_paid_last(&self, slot: SlotId) -> bool {
        let rules = self.board().rules(self.rules(), slot);
        let order = self.product_topic(rules, "pay_order").and_then(|topic| self.word(&topic));
        order == Some("after_all_else_by_position_number")
    }

    /// Adds what follows a settled roll: trackers, phase, and whether the dice pass.
    fn after_throw(&self, dice: Throw, shooter: Shooter, is_left: bool, events: &mut Events) {
        let hand = Hand { shooter: Some(shooter), ..self.hand() };
        let trackers = self.trackers_after(dice);
        if self.surveillance_is_told(&trackers) {
            events.push(Event::SurveillanceTold);
        }
        let is_for_house = shooter == Shooter::Dealer && self.is_for_what_is_left();
        let phase = match hand.next_phase(dice, self.rules().points, is_left) {
            // The house made the point. It rolls on for the bets that are left.
            Phase::ComeOut if is_for_house && is_left && !hand.phase.is_lost_by(dice) => Phase::ComeDecisionOnly,
            phase => phase,
        };
        self.announce_closed_side_bets(&trackers, hand.sets_point(phase), events);
        events.push(Event::PhaseSet { phase, trackers: trackers.iter().collect() });
        let is_over = is_for_house && phase == Phase::ComeOut;
        if is_over || hand.is_given_up_by(dice, self.is_given_up_on_any_seven()) {
            events.push(Event::DicePassed);
        }
    }

    /// Returns the trackers after a roll.
    fn trackers_after(&self, dice: Throw) -> Trackers {
        let mut trackers = Trackers::all(self.rules());
        self.state.trackers.iter().for_each(|(wager, progress)| trackers.set(wager, progress));
        trackers.roll(self.rules(), self.phase(), dice);
        trackers
    }

    /// Did a bet that is up get far enough with this roll that the book requires a notice to surveillance?
    fn surveillance_is_told(&self, after: &Trackers) -> bool {
        let stands = |wager: WagerId| {
            let own = |(_, seat): (SeatId, &Seat)| {
                seat.bets.standing().any(|(slot, _)| self.board().slot(slot).wager == wager)
            };
            self.seats().any(own)
        };
        let moved = |rules: &&WagerRules| after.get(rules.wager) != self.tracker(rules.wager);
        self.rules().wagers.iter().filter(|rules| gathers(&rules.machine)).filter(moved).any(|rules| {
            let told_at = self.product_topic(rules, "surveillance_points").and_then(|topic| self.count(&topic));
            let reached = |progress| told_at.is_some_and(|points| count(rules, progress) >= points);
            reached(after.get(rules.wager)) && !reached(self.tracker(rules.wager)) && stands(rules.wager)
        })
    }

    /// Ends a dispute over the faces by naming them, if the book gives that power to those who decide.
    pub(super) fn name_faces(
        &self,
        actor: Actor,
        dice: Throw,
        reason: &str,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        Table::has_reason(reason)?;
        let powers = self.words("invalid.dispute_powers");
        if !powers.iter().any(|power| power == "name_the_face" || power == "fair_and_equitable_action") {
            return Err(self.refuse(Code::VoidOnly, "invalid.dispute_powers"));
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
        if self.is_called(reason).is_none() || (self.is_automated() && reason == NoRollReason::Dispute) {
            return Err(self.refuse(Code::NoSuchNoRoll { reason }, "invalid.automatic"));
        }
        // A crew of people has a roll to void only from the moment it closes the bets or releases the dice.
        if self.crew == Crew::People && !matches!(self.stage(), Stage::BetsClosed | Stage::InFlight) {
            return Err(Refusal::procedure(Code::NotReleased));
        }
        // The player who rolled has the dice, even if the roll doesn't count.
        if self.shooter().is_none()
            && let Some(shooter) = self.implied_shooter()
        {
            self.implied_offers(shooter.seat(), events);
            events.push(Event::DiceTaken { seat: shooter.seat(), phase: self.phase() });
        }
        self.late_lapsed(events);
        events.push(Event::NoRoll { reason, caller });
        Ok(())
    }
}

/// Returns the count of a side bet: the rank at which it would be paid if the shooter sevened out now.
fn count(rules: &WagerRules, progress: Progress) -> u32 {
    let sevens = Throw::ALL.into_iter().find(|throw| throw.total() == Total::Seven);
    let ends = |throw| rules.machine.step(progress, Phase::Point(Point::Four), throw);
    match sevens.map(ends) {
        Some(Step::Won(rank)) => u32::from(rank.index()),
        _ => 0,
    }
}
