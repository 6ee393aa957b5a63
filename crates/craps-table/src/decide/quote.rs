//! Quotes: what a bet would win before it is made. They use the same code that takes bets and pays them.

use super::Terms;
use crate::bets::Bet;
use crate::command::SeatId;
use crate::fast::{Dealer, paid};
use crate::refusal::{Code, Refusal};
use crate::slots::SlotId;
use crate::table::Table;
use craps_law::Prize;
use craps_money::{Money, Stake};
use craps_wagers::{Rank, Ranks};

/// What a stake would win, and whether the table would take the bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The limits if the seat can bet this much now, or why it can't. The player's chips are not checked.
    pub terms: Result<Terms, Refusal>,
    /// The payout of each way to win. Empty if the stake can't be paid, or if odds have no number yet.
    pub wins: Vec<WouldWin>,
    /// Commission due up front.
    pub commission: Money,
    /// The nearest amounts, at or below this one and above it, that the table takes and pays exactly.
    pub exact: Vec<Stake>,
}

/// One way in which a bet can win.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WouldWin {
    /// The rank of the win, such as the number that odds are on.
    pub rank: Rank,
    /// The price of this rank.
    pub prize: Prize,
    /// Payout without the stake, before commission.
    pub paid: Money,
    /// Commission taken from the win.
    pub commission: Money,
}

impl Table {
    /// Returns what a stake would win in this slot, and whether the seat could make the bet now. Without a seat, only the bet is refused.
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
    /// let slot = table.board().named("place-win-6").unwrap();
    /// let quote = table.quote(Some(1), slot, "12".parse()?);
    /// assert_eq!(quote.wins[0].paid.to_string(), "14");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn quote(&self, seat: Option<SeatId>, slot: SlotId, stake: Stake) -> Quote {
        let rules = self.board().rules(self.rules(), slot);
        let no_seat = || Refusal::procedure(Code::NoSeat);
        let terms = seat.ok_or_else(no_seat).and_then(|seat| Ok((seat, self.terms(seat, slot, None)?)));
        let total = |terms: &Terms, amount: Stake| terms.standing.plus(amount.money()).unwrap_or_default();
        let multiple = self.multiple_paid(slot, rules, true);
        let times = stake.minor() / multiple.minor();
        let near = [times, times.saturating_add(1)].into_iter().filter(|times| *times > 0);
        let fits = |amount: &Stake| {
            let at = |(_, terms): &(SeatId, Terms)| self.amount_fits(slot, total(terms, *amount), terms).is_ok();
            terms.as_ref().map_or(true, at)
        };
        let exact = near.filter_map(|times| multiple.times(times)).filter(fits).collect();
        let dealer = Dealer::new(self.board(), self.rules());
        let number = self.odds_number(slot);
        let own = |rank: Rank| match rules.wager.wager().ranks {
            Ranks::Numbers => number.is_some_and(|number| number.value() == rank.index()),
            _ => true,
        };
        let bet = Bet { stake: stake.money(), ..Bet::default() };
        let would = |(rank, prize): (Rank, Prize)| {
            let paid = paid(prize, bet.stake, &self.rules().rounding)?;
            Some(WouldWin { rank, prize, paid, commission: dealer.commission(slot, &bet, paid).0 })
        };
        let wins: Option<Vec<WouldWin>> = rules.prizes.is.iter().filter(|(rank, _)| own(*rank)).map(would).collect();
        Quote {
            terms: terms.and_then(|(seat, terms)| {
                let total = total(&terms, stake);
                match self.amount_fits(slot, total, &terms) {
                    Ok(()) => Ok(terms),
                    Err(refusal) => {
                        Err(self.offering_only_what_is_taken(refusal.or(self.other_bets(seat, slot, total, &terms))))
                    }
                }
            }),
            wins: wins.unwrap_or_default(),
            commission: self.commission_due(rules, bet.stake).unwrap_or_default(),
            exact,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::{Command, Manner, Role};
    use crate::decide::Actor;
    use crate::fast::SeatBets;
    use crate::settle::{After, Sink, Verdict, settle};
    use craps_dice::{Point, Throw};
    use craps_law::{HouseRules, Library};
    use craps_wagers::Phase;

    fn tables() -> Vec<Table> {
        let library = Library::shipped();
        let open = |source: &craps_law::Source| {
            let house = library.house(source, None).unwrap();
            let mut table = Table::open(library.book(&house.book).unwrap().admit(&house).unwrap()).unwrap();
            let join = Command::Join { seat: 1, name: "Ann".into(), money: Money::from_minor(100_000_000) };
            table.run(Actor::staff(Role::Box), &join).unwrap();
            table
        };
        HouseRules::samples().iter().map(open).collect()
    }

    fn money(text: &str) -> Stake {
        text.parse().unwrap()
    }

    fn quote(book: &str, bet: &str, amount: &str) -> Quote {
        let table = tables().into_iter().find(|table| table.rules().book == book).unwrap();
        table.quote(Some(1), table.board().named(bet).unwrap(), money(amount))
    }

    struct Wins(Vec<(Rank, Money, Money)>);

    impl Sink for Wins {
        fn settled(&mut self, _: SlotId, _: &Bet, verdict: Verdict, after: After) {
            // A bet that stays up is also charged for the next one, so only bets that come down compare.
            if let (Verdict::Won { rank, paid, commission, .. }, After::Down) = (verdict, after) {
                self.0.push((rank, paid, commission));
            }
        }

        fn made_again(&mut self, _: SlotId, _: &Bet) {}
    }

    #[test]
    fn every_win_that_is_settled_is_the_one_that_was_quoted() {
        let mut compared = 0;
        for table in tables() {
            for (slot, place) in table.board().slots() {
                let rules = table.board().rules(table.rules(), slot);
                let stake = table.multiple_paid(slot, rules, true).times(12).unwrap();
                for phase in [Phase::ComeOut, Phase::Point(Point::Four), Phase::Point(Point::Nine)] {
                    let mut posed = table.clone();
                    posed.state.hand.phase = phase;
                    let quoted = posed.quote(Some(1), slot, stake).wins;
                    for throw in Throw::ALL {
                        let (mut bets, mut wins) = (SeatBets::default(), Wins(Vec::new()));
                        let down = crate::bets::AfterWin::Down;
                        let called = crate::bets::Called::On;
                        bets.put(slot, Bet { stake: stake.money(), after_win: down, called, ..Bet::default() });
                        settle(table.board(), table.rules(), &mut bets, phase, throw, &[], &mut wins);
                        for (rank, paid, commission) in wins.0 {
                            let found = quoted.iter().find(|would| would.rank == rank);
                            let told = found.map(|would| (would.paid, would.commission));
                            assert_eq!(told, Some((paid, commission)), "{} on {throw}", place.code);
                            compared += 1;
                        }
                    }
                }
            }
        }
        assert!(compared > 5_000, "{compared}");
    }

    #[test]
    fn a_quote_takes_what_the_table_takes() {
        for table in tables() {
            for (slot, place) in table.board().slots() {
                for minor in [1i64, 25, 100, 300, 500, 600, 1_000, 1_100, 2_500, 10_000, 777_700] {
                    let stake = Stake::new(Money::from_minor(minor)).unwrap();
                    let bet = Command::Bet { seat: 1, slot, amount: stake, manner: Manner::default() };
                    let taken = table.clone().run(Actor::player(1), &bet).is_ok();
                    assert_eq!(table.quote(Some(1), slot, stake).terms.is_ok(), taken, "{} {minor}", place.code);
                }
            }
        }
    }

    #[test]
    fn without_a_seat_a_quote_tells_the_win_and_refuses_the_bet() {
        for table in tables() {
            for (slot, place) in table.board().slots() {
                let stake = table.multiple_paid(slot, table.board().rules(table.rules(), slot), true);
                let (seated, quote) = (table.quote(Some(1), slot, stake), table.quote(None, slot, stake));
                assert_eq!((quote.wins, quote.commission), (seated.wins, seated.commission), "{}", place.code);
                assert_eq!(quote.terms.unwrap_err().code, Code::NoSeat, "{}", place.code);
            }
        }
    }

    #[test]
    fn what_is_not_paid_exactly_has_better_amounts_beside_it() {
        let six = quote("nj", "PL6", "10");
        let refusal = six.terms.unwrap_err();
        // Amounts below the minimum are not suggested.
        assert_eq!(refusal.sentence(), "$10 on Place 6 can't be paid evenly. Bet $12 or $18.");
        assert!(six.wins.is_empty());
        assert_eq!(six.exact, [money("12")]);
        let six = quote("md", "PL6", "10");
        assert_eq!(six.exact, [money("6"), money("12")]);
        // Where payouts are rounded up, the bet is taken.
        let rounded = quote("co", "PL6", "10");
        assert!(rounded.terms.is_ok());
        assert_eq!((rounded.wins[0].paid, rounded.exact), (Money::from_minor(1_200), vec![money("6"), money("12")]));
        let nine = quote("pa", "PL9", "25");
        assert_eq!((nine.wins.len(), nine.wins[0].paid), (1, Money::from_minor(3_500)));
        assert_eq!(nine.exact, [money("25"), money("30")]);
    }

    #[test]
    fn commission_is_told_with_the_bet_or_with_the_win() {
        let bought = quote("md", "BY4", "20");
        assert_eq!((bought.commission, bought.wins[0].commission), (Money::ZERO, Money::from_minor(100)));
        let laid = quote("co", "LY4", "40");
        assert_eq!((laid.commission, laid.wins[0].commission), (Money::from_minor(100), Money::ZERO));
        // Odds have no number yet.
        assert!(quote("pa", "PO", "10").wins.is_empty());
        assert!(quote("pa", "F", "5").wins.iter().any(|would| would.paid == Money::from_minor(1_000)));
    }
}
