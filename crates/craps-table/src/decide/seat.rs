//! Players who join, buy in and leave, and rulings on their money.

use super::Actor;
use crate::command::SeatId;
use crate::event::{Event, Events};
use crate::hand::Shooter;
use crate::refusal::{Code, Refusal};
use crate::settle::Verdict;
use crate::slots::SlotId;
use crate::table::Table;
use craps_law::Game;
use craps_money::{Money, Stake};

/// Number of seats at a table, and at a mini-craps table, if the book doesn't say. They are our choice: a full-size table has room for 16 players.
const SEATS: SeatId = 16;
const SEATS_MINI: SeatId = 9;
/// Maximum money that can come to a table, and maximum win of one bet, in cents. It is low enough that no sum overflows.
pub const MOST_MONEY: i64 = 1_000_000_000_000_000;

impl Table {
    /// Returns the number of seats at the table.
    #[must_use]
    pub fn places(&self) -> SeatId {
        let (topic, usual) = self.places_topic();
        self.count(topic).and_then(|places| SeatId::try_from(places).ok()).unwrap_or(usual)
    }

    /// Returns the topic with the number of seats, and the default.
    fn places_topic(&self) -> (&'static str, SeatId) {
        match self.rules().game {
            Game::MiniCraps => ("table.seats_mini", SEATS_MINI),
            _ => ("table.seats", SEATS),
        }
    }

    /// Checks that this much more money can come to the table without overflow.
    pub(super) fn can_be_held(&self, money: Money) -> Result<(), Refusal> {
        match self.accounts().came_in.plus(money) {
            Some(total) if total.minor() <= MOST_MONEY => Ok(()),
            _ => Err(Refusal::impossible(Code::TooMuchMoney)),
        }
    }

    /// Checks that these events can be applied without overflow.
    pub(super) fn can_fold(&self, events: &[Event]) -> Result<(), Refusal> {
        let moved: i128 = events.iter().map(most_moved).sum();
        self.holds(moved)
    }

    /// Checks that no result of the next roll can overflow, with `more` in additional payouts. This runs before the dice are rolled, because a roll
    /// that was made can't be refused.
    pub(super) fn holds_any_throw(&self, more: i128) -> Result<(), Refusal> {
        let seats = self.seats().flat_map(|(_, seat)| seat.bets.standing());
        let worst = seats.map(|(slot, bet)| self.most_paid(slot, bet.stake));
        self.holds(worst.sum::<i128>() + more)
    }

    /// Returns the most money that can move when a bet is decided: stake, best prize (also at prices raised by a draw) and commission.
    pub(super) fn most_paid(&self, slot: SlotId, stake: Money) -> i128 {
        let rules = self.board().rules(self.rules(), slot);
        let listed = rules.prizes.is.iter().map(|(_, prize)| {
            let (win, per) = prize.net();
            (i128::from(win), i128::from(per))
        });
        let lines = self.rules().modifiers.iter().flat_map(|modifier| &modifier.lines);
        let drawn =
            lines.filter(|line| line.is.wagers.contains(&rules.wager)).flat_map(|line| &line.is.pays).map(|odds| {
                let (win, per) = odds.net();
                (i128::from(win), i128::from(per))
            });
        let stake = i128::from(stake.minor());
        // A payout is rounded by less than a chip.
        let chip = i128::from(self.rules().rounding.chip.minor());
        let best = listed.chain(drawn).map(|(win, per)| stake * win.max(0) / per.max(1)).max().unwrap_or_default();
        // Commission is a part of the stake or of the win.
        2 * (stake + best) + chip
    }

    fn holds(&self, moved: i128) -> Result<(), Refusal> {
        if self.state.largest_sum() + moved <= i128::from(i64::MAX) {
            return Ok(());
        }
        Err(Refusal::impossible(Code::TooMuchMoney))
    }

    pub(super) fn join(&self, seat: SeatId, name: &str, money: Money, events: &mut Events) -> Result<(), Refusal> {
        let most = self.places();
        if seat == 0 || seat > most {
            return Err(self.refuse(Code::NoSuchSeat { last: most }, self.places_topic().0));
        }
        if self.seat(seat).is_some() {
            return Err(Refusal::procedure(Code::SeatTaken { seat }));
        }
        if money < Money::ZERO {
            return Err(Refusal::impossible(Code::NegativeMoney));
        }
        self.can_be_held(money)?;
        events.push(Event::Joined { seat, name: name.to_owned(), money });
        Ok(())
    }

    pub(super) fn buy_in(&self, seat: SeatId, money: Stake, events: &mut Events) -> Result<(), Refusal> {
        self.seated(seat)?;
        self.can_be_held(money.money())?;
        events.push(Event::BoughtIn { seat, money: money.money() });
        Ok(())
    }

    pub(super) fn leave(&self, seat: SeatId, events: &mut Events) -> Result<(), Refusal> {
        if !self.seated(seat)?.bets.is_empty() {
            return Err(Refusal::procedure(Code::BetsStand));
        }
        if self.shooter() == Some(Shooter::Seat(seat)) {
            events.push(Event::DicePassed);
        }
        events.push(Event::Left { seat });
        Ok(())
    }

    pub(super) fn rule(
        &self,
        actor: Actor,
        seat: SeatId,
        amount: Money,
        reason: &str,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        Table::has_reason(reason)?;
        let rail = self.seated(seat)?.rail.plus(amount);
        if rail.is_some_and(|rail| rail < Money::ZERO) {
            return Err(Refusal::impossible(Code::NegativeMoney));
        }
        self.can_be_held(Money::from_minor(amount.minor().saturating_abs()))?;
        events.push(Event::Ruled { by: actor.role, seat, amount, reason: reason.to_owned() });
        Ok(())
    }
}

/// Returns the most that one event adds to a sum or takes from it.
fn most_moved(event: &Event) -> i128 {
    let of = |money: Money| i128::from(money.minor()).abs();
    match event {
        Event::Joined { money, .. } | Event::BoughtIn { money, .. } => of(*money),
        Event::BetPlaced { staked, commission, .. } => of(*staked) + of(*commission),
        Event::TakenDown { returned, refunded, .. } => of(*returned) + of(*refunded),
        Event::Ruled { amount, .. } => of(*amount),
        Event::Settled { bet, verdict, .. } => match verdict {
            Verdict::Won { paid, commission, .. } => of(bet.stake) + of(*paid) + of(*commission),
            Verdict::Credited { paid, .. } => of(bet.stake) + of(*paid),
            Verdict::Lost | Verdict::Returned | Verdict::Moved { .. } => of(bet.stake),
        },
        _ => 0,
    }
}
