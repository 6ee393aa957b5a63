//! Taking bets down, turning them on or off, and setting what happens when they win.

use super::bet::Terms;
use crate::bets::{AfterWin, Bet, Called};
use crate::command::SeatId;
use crate::event::{Event, Events};
use crate::refusal::{Code, Ground, Instead, Locked, Refusal};
use crate::slots::SlotId;
use crate::table::Table;
use craps_law::{Call, Lower, OnOff};
use craps_money::{Money, Stake};
use craps_wagers::{Family, Phase, WagerId};

impl Table {
    fn standing(&self, seat: SeatId, slot: SlotId) -> Result<Bet, Refusal> {
        let none = || Refusal::impossible(Code::NoSuchBet { bet: self.bet_at(slot) });
        self.seated(seat)?.bets.get(slot).copied().ok_or_else(none)
    }

    pub(super) fn take_down(
        &self,
        seat: SeatId,
        slot: SlotId,
        amount: Stake,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        self.changes_open()?;
        let bet = self.standing(seat, slot)?;
        let place = self.board().slot(slot);
        let rules = self.board().rules(self.rules(), slot);
        if self.state.closed {
            return Err(self.refuse(Code::DrawStands, "power_odds.drawn_when"));
        }
        let moved = place.wager.wager().family == Family::Line && place.number.is_some();
        let point_on = matches!(self.phase(), Phase::Point(_));
        let since = match rules.lower.is {
            Lower::UntilDecided => None,
            Lower::UntilPointSet if moved || (self.is_line(slot) && point_on) => Some(Locked::PointSet),
            Lower::UntilFirstPoint if bet.point_set => Some(Locked::FirstPoint),
            Lower::UntilFirstThrow if bet.thrown => Some(Locked::FirstRoll),
            Lower::Never => Some(Locked::Made),
            Lower::UntilPointSet | Lower::UntilFirstPoint | Lower::UntilFirstThrow => None,
        };
        if let Some(since) = since {
            return Err(Refusal::law(&rules.lower.cites, Code::Locked { bet: self.bet_at(slot), since }));
        }
        let left = bet.stake.minus(amount.money()).filter(|left| *left >= Money::ZERO);
        let Some(left) = left else {
            let code = Code::MoreThanStands { bet: self.bet_at(slot), standing: bet.stake };
            return Err(Refusal::impossible(code).or(self.all_down(seat, slot, &bet)));
        };
        let after = if left == Money::ZERO { None } else { Some(self.reduced(seat, slot, &bet, left)?) };
        let due = after.map_or(Ok(Money::ZERO), |after| self.commission_due(rules, after.stake))?;
        let refunded = if self.is_refunded(rules.wager) {
            bet.commission.minus(due).filter(|back| *back > Money::ZERO).unwrap_or_default()
        } else {
            Money::ZERO
        };
        let kept = bet.commission.minus(refunded).unwrap_or_default();
        let left_bet = after.map(|after| Bet { commission: kept, ..after });
        let taken_down = Event::TakenDown { seat, slot, left: left_bet, returned: amount.money(), refunded };
        events.extend(self.decisions_ended_by(&taken_down));
        events.push(taken_down);
        self.odds_follow(seat, slot, left, events);
        Ok(())
    }

    /// Is the commission of a bet refunded when it comes down? The house may choose, and the book may name the bets.
    fn is_refunded(&self, wager: WagerId) -> bool {
        let named = self.words("commission.refunded_for");
        let family = wager.wager().family.name();
        self.rules().refund && (named.is_empty() || named.iter().any(|word| word.replace('_', "-") == family))
    }

    /// Takes down every bet of a player after a power failure, where the book gives players that choice.
    pub(super) fn withdraw(&self, seat: SeatId, events: &mut Events) -> Result<(), Refusal> {
        let topic = "irregularities.power_failure_before_outcome";
        let player = self.seated(seat)?;
        if !self.state.power_failed || self.word(topic) != Some("players_may_withdraw_all") {
            return Err(self.refuse(Code::NoPowerFailure, topic));
        }
        for (slot, bet) in player.bets.standing() {
            let back = self.is_refunded(self.board().slot(slot).wager);
            let (returned, refunded) = (bet.stake, if back { bet.commission } else { Money::ZERO });
            events.push(Event::TakenDown { seat, slot, left: None, returned, refunded });
        }
        Ok(())
    }

    /// Returns the alternative of taking the whole bet down.
    fn all_down(&self, seat: SeatId, slot: SlotId, bet: &Bet) -> Option<Instead> {
        Some(Instead::TakeDown { seat, slot, bet: self.bet_at(slot), amount: Stake::new(bet.stake)?, all: true })
    }

    /// Returns the bet after it is reduced to `left`, which must be an amount that could be bet.
    fn reduced(&self, seat: SeatId, slot: SlotId, bet: &Bet, left: Money) -> Result<Bet, Refusal> {
        let rules = self.board().rules(self.rules(), slot);
        let chip = self.rules().rounding.chip.money();
        let terms = Terms {
            standing: bet.stake,
            min: rules.limits.map_or(chip, |limits| limits.min.money()),
            max: None,
            multiple: self.multiple(slot, rules),
            cites: rules.lower.cites.clone(),
            min_by: Ground::from(&rules.limits_by.min),
            max_by: Ground::from(&rules.limits_by.max),
        };
        self.amount_fits(slot, left, &terms).map_err(|refusal| {
            let down_to = |total: Stake| {
                let amount = Stake::new(bet.stake.minus(total.money())?)?;
                Some(Instead::TakeDown { seat, slot, bet: self.bet_at(slot), amount, all: false })
            };
            let part = self.fitting(left, &terms).into_iter().filter_map(down_to);
            refusal.or(part.take(2)).or(self.all_down(seat, slot, bet))
        })?;
        if left < bet.coupon {
            return Err(self.refuse(Code::CouponAboveBet { coupons: bet.coupon }, "bets.coupons_on"));
        }
        Ok(Bet { stake: left, ..*bet })
    }

    /// Takes odds down with the bet in front of them, or down to the maximum for what is left of that bet.
    fn odds_follow(&self, seat: SeatId, front: SlotId, left: Money, events: &mut Events) {
        let Some(slot) = self.board().slot(front).odds else { return };
        let Some(odds) = self.seat(seat).and_then(|seat| seat.bets.get(slot)).copied() else { return };
        let rules = self.board().rules(self.rules(), slot);
        let most =
            if left == Money::ZERO { Money::ZERO } else { self.odds_most(slot, rules, left).unwrap_or_default() };
        if odds.stake <= most {
            return;
        }
        let returned = odds.stake.minus(most).unwrap_or_default();
        let left = (most != Money::ZERO).then_some(Bet { stake: most, ..odds });
        events.push(Event::TakenDown { seat, slot, left, returned, refunded: Money::ZERO });
    }

    pub(super) fn call(&self, seat: SeatId, slot: SlotId, called: Called, events: &mut Events) -> Result<(), Refusal> {
        self.changes_open()?;
        if self.state.closed {
            return Err(self.refuse(Code::DrawStands, "power_odds.bets_close_at"));
        }
        let bet = self.standing(seat, slot)?;
        let rules = self.board().rules(self.rules(), slot);
        let works = rules.works.is;
        let kept = match called {
            Called::Standard => Called::Standard,
            Called::On if matches!(works.call, Call::On | Call::Both) => Called::On,
            // The bet is on by default, so this only cancels an earlier call.
            Called::On if works.come_out == OnOff::On => Called::Standard,
            Called::Off if matches!(works.call, Call::Off | Call::Both) => Called::Off,
            Called::Off if works.call == Call::OffUntilFirstPoint && !bet.point_set => Called::Off,
            Called::Off if works.call == Call::OffUntilFirstPoint => {
                let since = Locked::FirstPoint;
                return Err(Refusal::law(&rules.works.cites, Code::Locked { bet: self.bet_at(slot), since }));
            }
            Called::Off if self.rules().off_calls_any == Some(true) => Called::Off,
            Called::On => {
                return Err(Refusal::law(&rules.works.cites, Code::NoTurnOn { bet: self.bet_at(slot) }));
            }
            Called::Off => {
                let code = Code::NoTurnOff { bet: self.bet_at(slot) };
                let refusal = match self.rules().off_calls_any {
                    Some(_) => Refusal::house("off_calls_any", code),
                    None => Refusal::law(&rules.works.cites, code),
                };
                return Err(refusal.or(self.all_down(seat, slot, &bet)));
            }
        };
        // Back to the default also resets what happens when the bet wins.
        let after_win = if called == Called::Standard { AfterWin::Usual } else { bet.after_win };
        events.push(Event::Told { seat, slot, bet: Bet { called: kept, after_win, ..bet } });
        Ok(())
    }

    pub(super) fn tell(
        &self,
        seat: SeatId,
        slot: SlotId,
        after_win: AfterWin,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        let bet = self.standing(seat, slot)?;
        events.push(Event::Told { seat, slot, bet: Bet { after_win, ..bet } });
        Ok(())
    }
}
