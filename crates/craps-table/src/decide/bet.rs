//! Making bets and adding to them.

use super::roles::own_topic;
use crate::bets::Bet;
use crate::command::{Manner, Role, SeatId};
use crate::event::{Event, Events};
use crate::hand::WindowFacts;
use crate::refusal::{BetAt, Code, Ground, Instead, Opens, Refusal};
use crate::slots::SlotId;
use crate::table::Table;
use craps_dice::Point;
use craps_law::{Cites, Prize, Raise, WagerRules, With};
use craps_money::{Money, RoundingRule, Stake, Timing};
use craps_wagers::{Family, Phase, Progress, Ranks};

/// The limits on a bet that a seat can make now. They apply to the total of the bet, including what is already up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Terms {
    /// Amount already on the bet. Zero if there is none.
    pub standing: Money,
    /// Minimum total of the bet.
    pub min: Money,
    /// Maximum total of the bet. None if there is no maximum.
    pub max: Option<Money>,
    /// The total must be a multiple of this amount.
    pub multiple: Stake,
    /// Sections of the law about the limits.
    pub cites: Cites,
    /// What sets the minimum: the law or a house rule.
    pub min_by: Ground,
    /// What sets the maximum: the law or a house rule.
    pub max_by: Ground,
}

impl Table {
    pub(super) fn bet(
        &self,
        seat: SeatId,
        slot: SlotId,
        amount: Stake,
        manner: &Manner,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        let terms = self.terms(seat, slot, manner.late.as_deref())?;
        if manner.late.is_some() && self.is_line(slot) {
            if self.phase() == Phase::ComeDecisionOnly {
                return Err(self.refuse(Code::ComeDecisionsOnly, "decisions.ends_when"));
            }
            self.thrown_by(events)?;
        }
        let rules = self.board().rules(self.rules(), slot);
        let too_much = || Refusal::impossible(Code::TooMuchMoney);
        let total = terms.standing.plus(amount.money()).ok_or_else(too_much)?;
        let others = |refusal: Refusal| refusal.or(self.other_bets(seat, slot, total, &terms));
        self.amount_fits(slot, total, &terms).map_err(others)?;
        let placed = self.seated(seat)?;
        let before = placed.bets.get(slot).copied();
        let due = self.commission_due(rules, total)?;
        let paid = before.map_or(Money::ZERO, |bet| bet.commission);
        // Commission that was paid and not refunded counts toward what is due.
        let commission = due.minus(paid).filter(|charge| *charge > Money::ZERO).unwrap_or_default();
        let coupon = self.coupon(slot, total, before.map_or(Money::ZERO, |bet| bet.coupon), manner, &terms)?;
        let mut rail = placed.rail;
        if let Some(cash) = manner.cash {
            self.spoken(slot)?;
            self.can_be_held(cash.money())?;
            rail = rail.plus(cash.money()).ok_or_else(too_much)?;
            events.push(Event::BoughtIn { seat, money: cash.money() });
        }
        let needed = amount.money().plus(commission).ok_or_else(too_much)?;
        if rail < needed {
            let most = terms.standing.plus(rail).unwrap_or(total);
            let fewer = Terms { max: Some(terms.max.map_or(most, |max| max.min(most))), ..terms };
            let last = self.fitting(total, &fewer).into_iter().take(1);
            return Err(Refusal::impossible(Code::NotEnoughChips { needed, chips: rail })
                .or(self.bets_of(seat, slot, last, &fewer)));
        }
        let commission_paid = paid.plus(commission).ok_or_else(too_much)?;
        self.holds_any_throw(self.most_paid(slot, total))?;
        let bet = Bet { stake: total, commission: commission_paid, coupon, ..before.unwrap_or_default() };
        let placed = Event::BetPlaced { seat, slot, bet, staked: amount.money(), commission };
        events.extend(self.decisions_ended_by(&placed));
        events.push(placed);
        Ok(())
    }

    /// Returns the limits for a bet in this slot, if the seat can make or raise it now. Checks everything except the amount.
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
    /// let named = |name: &str| table.board().named(name).unwrap();
    /// assert_eq!(table.terms(1, named("place-win-6"), None)?.multiple.to_string(), "6");
    /// assert!(table.terms(1, named("pass-odds"), None).is_err(), "there is no point yet");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the bet can't be made now, or something that it needs is missing.
    pub fn terms(&self, seat: SeatId, slot: SlotId, late: Option<&[Role]>) -> Result<Terms, Refusal> {
        let placed = self.seated(seat)?;
        let place = self.board().slot(slot);
        let rules = self.board().rules(self.rules(), slot);
        let family = place.wager.wager().family;
        let bet = self.bet_at(slot);
        let before = placed.bets.get(slot);
        let no_raise = |moved| Err(Refusal::law(&rules.raise.cites, Code::NoRaise { bet, moved }));
        if self.state.closed {
            return Err(self.refuse(Code::DrawStands, "power_odds.drawn_when"));
        }
        match late {
            Some(confirmed) => {
                self.confirmed(confirmed)?;
                if family == Family::Shooter {
                    return Err(self.refuse(Code::NotInAir { bet }, "bets.in_flight_covers"));
                }
            }
            // The crew can still be asked to confirm it.
            None if self.is_late() && self.late_needs().is_some() => {
                if family == Family::Shooter {
                    return Err(self.refuse(Code::NotInAir { bet }, "bets.in_flight_covers"));
                }
            }
            None => self.betting_open()?,
        }
        match (family, before) {
            (Family::Odds, Some(_)) if rules.raise.is == Raise::Never => return no_raise(false),
            (Family::Odds, _) => self.odds_open(seat, slot, rules)?,
            (Family::Line, None) if place.number.is_some() => {
                return Err(Refusal::impossible(Code::NoSuchBet { bet }));
            }
            (_, Some(_)) => match rules.raise.is {
                Raise::Standing => {}
                Raise::Never => return no_raise(false),
                Raise::AsMake if place.number.is_some() && family == Family::Line => return no_raise(true),
                Raise::AsMake => self.window_open(slot, rules, &rules.raise.cites)?,
            },
            (_, None) => self.window_open(slot, rules, &rules.make.cites)?,
        }
        if rules.make.is.with == Some(With::LineBet) && before.is_none() && !self.has_line_bet(seat) {
            return Err(Refusal::law(&rules.make.cites, Code::NeedsLineBet { bet }));
        }
        let terms = self.limits(seat, slot, rules, before);
        if terms.max == Some(Money::ZERO) {
            return Err(Refusal::new(terms.max_by, Code::NoOddsOnNumber { bet }));
        }
        Ok(terms)
    }

    /// Checks that the betting window of the bet is open.
    fn window_open(&self, slot: SlotId, rules: &WagerRules, cites: &Cites) -> Result<(), Refusal> {
        let place = self.board().slot(slot);
        let facts = WindowFacts {
            is_line: self.is_line(slot),
            is_side: place.wager.wager().family == Family::Shooter,
            empty: place.tracker.is_none_or(|tracker| self.tracker(tracker) == Progress::FRESH),
        };
        let closed = |opens| {
            Refusal::law(cites, Code::WindowClosed { bet: self.bet_at(slot), opens }).or([Instead::Wait(opens)])
        };
        self.hand().allows(&rules.make.is, facts).map_err(closed)
    }

    /// Returns the number that an odds bet goes on: the number of its slot, or else the point.
    pub(super) fn odds_number(&self, slot: SlotId) -> Option<Point> {
        match (self.board().slot(slot).number, self.phase()) {
            (Some(number), _) => Some(number),
            (None, Phase::Point(point)) => Some(point),
            _ => None,
        }
    }

    fn odds_open(&self, seat: SeatId, slot: SlotId, rules: &WagerRules) -> Result<(), Refusal> {
        let front = self.board().slot(slot).front;
        let standing = front.and_then(|front| self.seat(seat).and_then(|seat| seat.bets.get(front)));
        if self.odds_number(slot).is_none() {
            return Err(Refusal::law(&rules.make.cites, Code::NoPoint).or([Instead::Wait(Opens::PointOn)]));
        }
        if standing.is_none() {
            let code = Code::NoFrontBet { bet: self.bet_at(slot), front: front.map(|front| self.bet_at(front)) };
            return Err(Refusal::law(&rules.make.cites, code));
        }
        Ok(())
    }

    /// Returns the maximum odds behind a flat bet.
    pub(super) fn odds_most(&self, slot: SlotId, rules: &WagerRules, flat: Money) -> Option<Money> {
        let number = self.odds_number(slot)?;
        let rank = rules.wager.wager().ranks.find(&number.to_string())?;
        let Some(Prize::Paid(odds)) = rules.prizes.is.of(rank) else { return None };
        rules.odds.as_ref()?.most(Stake::new(flat)?, number, odds, &self.rules().rounding)
    }

    /// Returns the maximum odds behind a flat bet, within the table maximum where that applies.
    fn odds_most_at_table(&self, slot: SlotId, rules: &WagerRules, flat: Money) -> Option<Money> {
        let number = self.odds_number(slot)?;
        let rank = rules.wager.wager().ranks.find(&number.to_string())?;
        let Some(Prize::Paid(odds)) = rules.prizes.is.of(rank) else { return None };
        let front = self.board().slot(slot).front?;
        let table_max = self.board().rules(self.rules(), front).limits.and_then(|limits| limits.max);
        let rounding = &self.rules().rounding;
        rules.odds.as_ref()?.most_at_table(Stake::new(flat)?, number, odds, rounding, table_max)
    }

    fn limits(&self, seat: SeatId, slot: SlotId, rules: &WagerRules, before: Option<&Bet>) -> Terms {
        let standing = before.map_or(Money::ZERO, |bet| bet.stake);
        let chip = self.rules().rounding.chip;
        let multiple = self.multiple(slot, rules);
        if let (Some(odds), Some(front)) = (&rules.odds, self.board().slot(slot).front) {
            let flat = self.seat(seat).and_then(|seat| seat.bets.get(front)).map_or(Money::ZERO, |bet| bet.stake);
            let most = self.odds_most(slot, rules, flat).unwrap_or_default();
            let front_rules = self.board().rules(self.rules(), front);
            let at_table = || self.odds_most_at_table(slot, rules, flat).unwrap_or_default();
            let max = if self.is_settled_up_to_maximum() { most } else { at_table() };
            let max_by = if max < most { &front_rules.limits_by.max } else { &rules.limits_by.max };
            let max_by = Ground::from(max_by);
            let min_by = Ground::from(&rules.limits_by.min);
            let cites = odds.cap.cites.clone();
            return Terms { standing, min: chip.money(), max: Some(max), multiple, cites, min_by, max_by };
        }
        let limits = rules.limits;
        Terms {
            standing,
            min: limits.map_or(chip, |limits| limits.min).money(),
            max: limits.and_then(|limits| limits.max).map(Stake::money),
            multiple,
            cites: self.cites("bets.limits"),
            min_by: Ground::from(&rules.limits_by.min),
            max_by: Ground::from(&rules.limits_by.max),
        }
    }

    /// Returns the amount of which every bet here must be a multiple, so that it is in whole chips, splits into whole parts, and pays exactly where
    /// that is the rule.
    pub(super) fn multiple(&self, slot: SlotId, rules: &WagerRules) -> Stake {
        self.multiple_paid(slot, rules, self.rules().rounding.rule == RoundingRule::ExactOrRefuse)
    }

    /// Like [`Table::multiple`], but `exact` decides whether the bet must pay exactly, not the table's rule.
    pub(super) fn multiple_paid(&self, slot: SlotId, rules: &WagerRules, exact: bool) -> Stake {
        let rounding = &self.rules().rounding;
        let step = rules.limits.map_or(rounding.chip, |limits| limits.step);
        let mut multiple = step.common_multiple(rounding.chip).unwrap_or(step);
        let number = self.odds_number(slot).filter(|_| rules.wager.wager().ranks == Ranks::Numbers);
        for (rank, prize) in rules.prizes.is.iter() {
            if number.is_some_and(|number| number.value() != rank.index()) {
                continue;
            }
            let needed = rounding.chip.times(prize.fewest_chips(exact));
            if let Some(both) = needed.and_then(|needed| multiple.common_multiple(needed)) {
                multiple = both;
            }
        }
        multiple
    }

    /// Does the table take bets above the maximum and settle them up to it?
    pub(super) fn is_settled_up_to_maximum(&self) -> bool {
        self.word("limits.over") == Some("settled_up_to_maximum")
    }

    /// Does the table take bets below the minimum? Some books settle such a bet of a player once, and return all later ones when they are decided.
    pub(super) fn takes_bets_under_minimum(&self) -> bool {
        self.word("limits.under") == Some("settled_once_then_returned")
    }

    pub(super) fn amount_fits(&self, slot: SlotId, total: Money, terms: &Terms) -> Result<(), Refusal> {
        let rules = self.board().rules(self.rules(), slot);
        let bet = self.bet_at(slot);
        let below = || Refusal::new(terms.min_by.clone(), Code::BelowMinimum { bet, min: terms.min });
        let stake = Stake::new(total).ok_or_else(below)?;
        if !stake.is_multiple_of(terms.multiple) {
            return Err(self.not_a_multiple(slot, stake));
        }
        if total < terms.min && !self.takes_bets_under_minimum() {
            return Err(below());
        }
        let too_much = |prize: Prize| match prize.settle(stake, &self.rules().rounding) {
            Ok(win) => win.minor() > super::MOST_MONEY,
            Err(why) => matches!(why, craps_money::Unpayable::TooMuch { .. }),
        };
        if rules.prizes.is.iter().any(|(_, prize)| too_much(prize)) {
            return Err(Refusal::impossible(Code::TooMuchMoney));
        }
        if let Some(max) = terms.max
            && total > max
            && (rules.odds.is_some() || !self.is_settled_up_to_maximum())
        {
            return Err(Refusal::new(terms.max_by.clone(), Code::AboveMaximum { bet, max }));
        }
        Ok(())
    }

    /// Builds the refusal for an amount that isn't a multiple: it isn't in whole steps, or it can't be paid exactly.
    fn not_a_multiple(&self, slot: SlotId, amount: Stake) -> Refusal {
        let rules = self.board().rules(self.rules(), slot);
        let bet = self.bet_at(slot);
        let step = rules.limits.map_or(self.rules().rounding.chip, |limits| limits.step);
        if !amount.is_multiple_of(step) {
            return Refusal::new(Ground::from(&rules.limits_by.step), Code::NotInSteps { bet, amount, step });
        }
        Refusal::law(&self.unpayable(rules), Code::NotPayable { bet, amount })
    }

    /// Returns the sections that refuse a bet which can't be paid exactly.
    fn unpayable(&self, rules: &WagerRules) -> Cites {
        let fact = self.rules().rules.get("rounding.unpayable_stake");
        fact.map_or_else(|| rules.prizes.cites.clone(), |fact| fact.cites.clone())
    }

    /// Returns the nearest totals that fit the terms: at most one below and one above, within the limits.
    pub(super) fn fitting(&self, total: Money, terms: &Terms) -> Vec<Stake> {
        let step = terms.multiple.minor();
        let minor = |money: Money| u64::try_from(money.minor()).unwrap_or_default();
        let least = minor(terms.min).div_ceil(step).max(1);
        let most = terms.max.map_or(u64::MAX, |max| minor(max) / step);
        if most < least {
            return Vec::new();
        }
        let below = (minor(total) / step).clamp(least, most);
        let above = below.saturating_add(1).min(most);
        let mut counts = vec![below];
        counts.extend((above > below).then_some(above));
        counts.into_iter().filter_map(|count| terms.multiple.times(count)).collect()
    }

    /// Returns, for each total, the bet that brings the amount already up to that total.
    pub(super) fn bets_of<'a>(
        &'a self,
        seat: SeatId,
        slot: SlotId,
        totals: impl IntoIterator<Item = Stake> + 'a,
        terms: &'a Terms,
    ) -> impl Iterator<Item = Instead> + 'a {
        let (bet, adds) = (self.bet_at(slot), terms.standing > Money::ZERO);
        totals.into_iter().filter_map(move |total| {
            let amount = Stake::new(total.money().minus(terms.standing)?)?;
            Some(Instead::Bet { seat, slot, bet, amount, adds })
        })
    }

    /// Returns the bets to suggest for a total that doesn't fit: the minimum if it is too low, the maximum if it is too high, or the two nearest
    /// multiples.
    pub(super) fn other_bets<'a>(
        &'a self,
        seat: SeatId,
        slot: SlotId,
        total: Money,
        terms: &'a Terms,
    ) -> impl Iterator<Item = Instead> + 'a {
        let whole = Stake::new(total).is_some_and(|total| total.is_multiple_of(terms.multiple));
        let totals = self.fitting(total, terms).into_iter().take(if whole { 1 } else { 2 });
        self.bets_of(seat, slot, totals, terms)
    }

    /// Returns the commission due up front on the total of a bet.
    pub(super) fn commission_due(&self, rules: &WagerRules, total: Money) -> Result<Money, Refusal> {
        let Some(fact) = rules.commission.as_ref().filter(|fact| fact.is.timing == Timing::UpFront) else {
            return Ok(Money::ZERO);
        };
        let Some(stake) = Stake::new(total) else { return Ok(Money::ZERO) };
        let win = match rules.prizes.is.of(craps_wagers::Rank::WIN) {
            Some(prize) => prize.settle(stake, &self.rules().rounding).map_err(|_| self.not_paid(rules, stake))?,
            None => Money::ZERO,
        };
        Ok(fact.is.due(stake, win, self.rules().rounding.chip))
    }

    fn not_paid(&self, rules: &WagerRules, amount: Stake) -> Refusal {
        let bet = BetAt { wager: rules.wager, number: None };
        Refusal::law(&self.unpayable(rules), Code::NotPayable { bet, amount })
    }

    /// Returns the value of all coupons on a bet after this one is added. The stake must be at least as much, and both together must pay exactly.
    fn coupon(
        &self,
        slot: SlotId,
        total: Money,
        before: Money,
        manner: &Manner,
        terms: &Terms,
    ) -> Result<Money, Refusal> {
        let Some(coupon) = manner.coupon else { return Ok(before) };
        let made_with = self.words("bets.made_with");
        let is_coupon = |word: &String| word == "match_play_coupons" || word == "coupons";
        if !made_with.is_empty() && !made_with.iter().any(is_coupon) {
            return Err(self.refuse(Code::NoCoupons, "bets.made_with"));
        }
        let allowed = match self.word("bets.coupons_on") {
            Some("any_area") => true,
            Some("line_bets_only") => self.is_line(slot),
            _ => return Err(self.refuse(Code::NoCoupons, "bets.made_with")),
        };
        if !allowed {
            return Err(self.refuse(Code::CouponNotHere { bet: self.bet_at(slot) }, "bets.coupons_on"));
        }
        let riding = before.plus(coupon.money()).ok_or_else(|| Refusal::impossible(Code::TooMuchMoney))?;
        if total < riding {
            return Err(self.refuse(Code::CouponAboveBet { coupons: riding }, "bets.coupons_on"));
        }
        let together = total.plus(riding).and_then(Stake::new);
        let together = together.ok_or_else(|| Refusal::impossible(Code::TooMuchMoney))?;
        if !together.is_multiple_of(terms.multiple) {
            return Err(self.not_a_multiple(slot, together));
        }
        Ok(riding)
    }

    fn spoken(&self, slot: SlotId) -> Result<(), Refusal> {
        let topic = own_topic(self.rules(), "bets.spoken_with_cash");
        if self.word(&topic).is_none_or(|word| word == "not_taken") {
            return Err(self.refuse(Code::NotBySpeech { bet: self.bet_at(slot) }, &topic));
        }
        // The rules of an optional product can forbid verbal bets, or require bets on a screen.
        let rules = self.board().rules(self.rules(), slot);
        for (topic, word) in [("spoken", "not_taken"), ("placed", "electronically")] {
            let Some(topic) = self.product_topic(rules, topic) else { continue };
            if self.word(&topic) == Some(word) {
                return Err(self.refuse(Code::NotBySpeech { bet: self.bet_at(slot) }, &topic));
            }
        }
        Ok(())
    }
}
