//! Players who join, buy in and leave, and rulings on their money.

use super::Actor;
use crate::command::SeatId;
use crate::event::{Event, Events};
use crate::hand::Shooter;
use crate::refusal::{Code, Ground, Refusal};
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
        let own = self.rules().seats.as_ref().and_then(|(seats, _)| SeatId::try_from(*seats).ok());
        let (topic, usual) = self.places_topic();
        own.or_else(|| self.count(topic).and_then(|places| SeatId::try_from(places).ok())).unwrap_or(usual)
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

    pub(super) fn join(
        &self,
        actor: Actor,
        seat: SeatId,
        name: &str,
        money: Money,
        events: &mut Events,
    ) -> Result<(), Refusal> {
        let most = self.places();
        if seat == 0 || seat > most {
            let code = Code::NoSuchSeat { last: most };
            return Err(match &self.rules().seats {
                Some((_, by)) => Refusal::new(Ground::from(by), code),
                None => self.refuse(code, self.places_topic().0),
            });
        }
        if self.seat(seat).is_some() {
            return Err(Refusal::procedure(Code::SeatTaken { seat }));
        }
        if money < Money::ZERO {
            return Err(Refusal::impossible(Code::NegativeMoney));
        }
        self.can_be_held(money)?;
        let name = name.to_owned();
        match self.first_buy_in(actor, seat, money) {
            // Cash goes through the crew: the player sits down, and the chips wait for the dealer.
            Some((command, needs)) => {
                events.push(Event::Joined { seat, name, money: Money::ZERO });
                let number = self.state.requested + 1;
                events.push(Event::Requested { number, command: Box::new(command), needs });
            }
            None => events.push(Event::Joined { seat, name, money }),
        }
        Ok(())
    }

    pub(super) fn buy_in(&self, seat: SeatId, money: Stake, events: &mut Events) -> Result<(), Refusal> {
        self.seated(seat)?;
        self.can_be_held(money.money())?;
        events.push(Event::BoughtIn { seat, money: money.money() });
        Ok(())
    }

    pub(super) fn leave(&self, seat: SeatId, events: &mut Events) -> Result<(), Refusal> {
        let player = self.seated(seat)?;
        if self.stays_seated() && player.bet_at == Some(self.throws()) {
            return Err(self.refuse(Code::StaySeated, "bets.stay_seated_until"));
        }
        if !player.bets.is_empty() {
            return Err(Refusal::procedure(Code::BetsStand));
        }
        if self.shooter() == Some(Shooter::Seat(seat)) {
            self.dice_at_rest()?;
            self.give_up_dice(events);
        }
        self.dropped(seat, events);
        events.push(Event::Left { seat });
        Ok(())
    }

    /// Must players at this table stay seated until the roll on which they have bet is over?
    fn stays_seated(&self) -> bool {
        let seated = match self.word("bets.seated_only") {
            Some("at_every_table") => true,
            Some("at_mini_craps") => self.rules().game == Game::MiniCraps,
            _ => false,
        };
        seated && self.word("bets.stay_seated_until") == Some("round_over")
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bets::Bet;
    use crate::command::Role;
    use crate::settle::After;
    use craps_law::{HouseRules, Library, Prize};
    use craps_wagers::Rank;

    fn table(game: Game) -> Table {
        let library = Library::shipped();
        let book = library.book("nj").unwrap();
        let mut house = HouseRules::plain(&book.id, book.sample_day);
        house.game = Some(game);
        Table::open(book.admit(&house).unwrap()).unwrap()
    }

    /// What one event moves covers every sum that it can change.
    #[test]
    fn the_most_that_an_event_moves_is_all_of_its_money() {
        let (seat, slot) = (1, SlotId::ALL[0]);
        let money = Money::from_minor;
        let bet = Bet::of(money(7));
        let settled = |verdict: Verdict| Event::Settled { seat, slot, bet, verdict, after: After::Down };
        let (rank, reason) = (Rank::WIN, String::new());
        for (event, most) in [
            (Event::Joined { seat, name: String::new(), money: money(5) }, 5),
            (Event::BoughtIn { seat, money: money(6) }, 6),
            (Event::BetPlaced { seat, slot, bet, staked: money(3), commission: money(4) }, 7),
            (Event::TakenDown { seat, slot, left: None, returned: money(5), refunded: money(6) }, 11),
            (Event::Ruled { by: Role::Floor, seat, amount: money(-9), reason }, 9),
            (settled(Verdict::Won { rank, prize: Prize::Push, paid: money(20), commission: money(3) }), 30),
            (settled(Verdict::Credited { rank, paid: money(20) }), 27),
            (settled(Verdict::Lost), 7),
            (Event::DicePassed, 0),
        ] {
            assert_eq!(most_moved(&event), most, "{event:?}");
        }
    }

    /// A bet can move its stake and its best prize, and commission no larger than both.
    #[test]
    fn the_most_that_a_bet_pays_counts_its_best_prize_and_a_chip() {
        let table = table(Game::Craps);
        let paid =
            |name: &str, stake: i64| table.most_paid(table.board().named(name).unwrap(), Money::from_minor(stake));
        let chip = i128::from(table.rules().rounding.chip.minor());
        assert_eq!(paid("pass", 1_000), 2 * (1_000 + 1_000) + chip);
        assert_eq!(paid("place-win-6", 1_200), 2 * (1_200 + 1_400) + chip);
        assert_eq!(paid("hard-8", 500), 2 * (500 + 4_500) + chip);
    }

    #[test]
    fn no_more_money_comes_than_can_be_counted() {
        let mut table = table(Game::Craps);
        let most = Money::from_minor(MOST_MONEY);
        let join = |seat: SeatId, money: Money| crate::Command::Join { seat, name: "Ann".into(), money };
        let over = Money::from_minor(MOST_MONEY + 1);
        let floor = Actor::staff(Role::Box);
        let refused =
            |table: &mut Table, seat: SeatId, money: Money| table.run(floor, &join(seat, money)).unwrap_err().code;
        assert_eq!(refused(&mut table, 1, over), Code::TooMuchMoney);
        assert_eq!(refused(&mut table, 1, Money::from_minor(-1)), Code::NegativeMoney);
        table.run(floor, &join(1, most)).unwrap();
        assert_eq!(refused(&mut table, 2, Money::from_minor(1)), Code::TooMuchMoney);
        assert!(table.is_conserved());
    }

    /// A ruling can take all that a player has, and not a cent more.
    #[test]
    fn a_ruling_takes_no_more_than_the_player_has() {
        let mut table = table(Game::Craps);
        let join = crate::Command::Join { seat: 1, name: "Ann".into(), money: Money::from_minor(500) };
        table.run(Actor::staff(Role::Box), &join).unwrap();
        let take =
            |minor: i64| crate::Command::Rule { seat: 1, amount: Money::from_minor(-minor), reason: "late bet".into() };
        let refusal = table.run(Actor::staff(Role::Floor), &take(501)).unwrap_err();
        assert_eq!(refusal.code, Code::NegativeMoney);
        table.run(Actor::staff(Role::Floor), &take(500)).unwrap();
        assert_eq!(table.seat(1).unwrap().rail, Money::ZERO);
    }

    #[test]
    fn a_small_table_has_fewer_seats() {
        assert_eq!((table(Game::Craps).places(), table(Game::MiniCraps).places()), (SEATS, SEATS_MINI));
    }
}
