//! What a seat can bet now, and what it would win or lose on each roll. Both use the code that decides and settles.

use crate::bets::Bet;
use crate::board::Working;
use crate::command::SeatId;
use crate::decide::Terms;
use crate::event::Event;
use crate::flow::Flow;
use crate::refusal::Refusal;
use crate::settle::{After, Sink, Verdict, settle};
use crate::slots::{SlotId, Slots};
use crate::table::{Seat, Table};
use craps_dice::{Throw, Total};
use craps_money::Money;

/// Whether a bet can be made or raised now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Legal {
    /// The slot of the bet.
    pub slot: SlotId,
    /// The limits on the bet, or the reason why it is closed.
    pub terms: Result<Terms, Refusal>,
}

/// What a seat would win or lose on one roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RollNet {
    /// The faces of the dice.
    pub dice: Throw,
    /// Net result of all bets that the roll decides, after commission.
    pub net: Money,
}

struct Net(i64);

impl Net {
    fn hear(&mut self, event: &Event) {
        if let Event::Settled { slot, bet, verdict, after, .. } = event {
            self.settled(*slot, bet, *verdict, *after);
        }
    }
}

impl Sink for Net {
    fn settled(&mut self, _: SlotId, bet: &Bet, verdict: Verdict, after: After) {
        self.0 += Flow::settled(bet, &verdict, &after).net();
    }

    fn made_again(&mut self, _: SlotId, _: &Bet) {}
}

impl Table {
    /// Returns every bet on the board with its limits, or the reason why it is closed to this seat now.
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
    /// let legal = table.legal(1);
    /// let open = legal.iter().filter(|bet| bet.terms.is_ok()).count();
    /// assert!(0 < open && open < legal.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn legal(&self, seat: SeatId) -> Vec<Legal> {
        self.board().slots().map(|(slot, _)| Legal { slot, terms: self.terms(seat, slot, None) }).collect()
    }

    /// Is this bet of a seat on for the next roll?
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
    /// // A place bet is off on a come-out.
    /// assert!(!table.works(1, named("place-win-6")));
    /// assert!(table.works(1, named("pass")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn works(&self, seat: SeatId, slot: SlotId) -> bool {
        let off = |seat: &Seat| self.board().off(self.phase(), &seat.bets);
        self.board().working(slot, self.seat(seat).map_or(Slots::NONE, off)) == Working::On
    }

    /// Returns what a seat would win or lose on the next roll, by total. A total whose results differ is split: `seven`, `easy 8`, `hard 8`.
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
    /// let slot = table.board().named("pass").unwrap();
    /// table.run(Actor::player(1), &Command::Bet { seat: 1, slot, amount: "10".parse()?, manner: Manner::default() })?;
    /// let exposure = table.exposure(1);
    /// assert_eq!(exposure.iter().find(|(name, _)| name == "seven").unwrap().1.to_string(), "10");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn exposure(&self, seat: SeatId) -> Vec<(String, Money)> {
        let outcomes = self.outcomes(seat);
        let mut all = Vec::new();
        for total in Total::ALL {
            let own: Vec<&RollNet> = outcomes.iter().filter(|outcome| outcome.dice.total() == total).collect();
            let name = if total == Total::Seven { "seven".to_owned() } else { total.to_string() };
            let Some(first) = own.first().map(|outcome| outcome.net) else { continue };
            if own.iter().all(|outcome| outcome.net == first) {
                all.push((name, first));
                continue;
            }
            let easy: Vec<Money> =
                own.iter().filter(|outcome| !outcome.dice.is_hard()).map(|outcome| outcome.net).collect();
            let hard = own.iter().find(|outcome| outcome.dice.is_hard());
            match (easy.first(), hard) {
                (Some(first), Some(hard)) if easy.iter().all(|net| net == first) => {
                    all.push((format!("easy {name}"), *first));
                    all.push((format!("hard {name}"), hard.net));
                }
                // A hop bet gives different results for rolls with the same total.
                _ => all.extend(own.iter().map(|outcome| (outcome.dice.to_string(), outcome.net))),
            }
        }
        all
    }

    /// Returns the net result for a seat's bets on each of the 21 combinations of dice.
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
    /// let slot = table.board().named("pass").unwrap();
    /// table.run(Actor::player(1), &Command::Bet { seat: 1, slot, amount: "10".parse()?, manner: Manner::default() })?;
    /// let net = |dice: &str| table.outcomes(1).into_iter().find(|one| one.dice.to_string() == dice).unwrap().net.to_string();
    /// assert_eq!((net("5-6"), net("1-1"), net("2-2")), ("10".to_owned(), "-10".to_owned(), "0".to_owned()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn outcomes(&self, seat: SeatId) -> Vec<RollNet> {
        let Some(placed) = self.seat(seat) else { return Vec::new() };
        let result = |dice: Throw| {
            let (mut bets, mut net) = (placed.bets.clone(), Net(0));
            if let Some(events) = self.settled_beyond_limits(seat, placed, dice) {
                events.iter().for_each(|event| net.hear(event));
            } else {
                settle(self.board(), self.rules(), &mut bets, self.phase(), dice, &self.state.selection, &mut net);
            }
            RollNet { dice, net: Money::from_minor(net.0) }
        };
        Throw::ALL.into_iter().map(result).collect()
    }
}
