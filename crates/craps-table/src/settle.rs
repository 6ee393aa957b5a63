//! Settles bets and reports each result to a [`Sink`]. The table's sink writes events; those of `outcomes` and of the simulator add up money. The
//! simulator calls the same [`Dealer`] directly, so bets are settled by one piece of code everywhere.

use crate::bets::Bet;
use crate::board::Board;
use crate::fast::{Dealer, SeatBets};
use crate::slots::SlotId;
use craps_dice::Throw;
use craps_law::{Prize, TableRules};
use craps_money::Money;
use craps_wagers::{Phase, Rank, WagerId};
use serde::{Deserialize, Serialize};

/// The result of one roll for one bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Verdict<B = SlotId> {
    /// The bet won.
    Won {
        /// The rank of the win, such as the number that odds are on.
        rank: Rank,
        /// The price of this rank.
        prize: Prize,
        /// Payout without the stake, before commission.
        paid: Money,
        /// Commission taken from the win, including what is due for a bet that stays up.
        commission: Money,
    },
    /// The bet lost. The stake goes to the bank.
    Lost,
    /// The stake went back to the player: a push, or odds that were off when the bet in front of them was decided.
    Returned,
    /// The stake was returned and bet again at once, so the bet stays up.
    Credited {
        /// The rank that returned the stake.
        rank: Rank,
        /// Payout without the stake.
        paid: Money,
    },
    /// A come or don't come bet moved to its number.
    Moved {
        /// The slot of the bet on its number.
        to: B,
    },
}

/// Where a bet is after its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum After<B = SlotId> {
    /// It is off the felt.
    Down,
    /// It is up in this slot, as this bet.
    Stands(B, Bet),
}

/// Receives the results of a roll, bet by bet.
pub trait Sink {
    /// Called when a bet was decided, credited or moved. `bet` is the bet before the roll.
    fn settled(&mut self, slot: SlotId, bet: &Bet, verdict: Verdict, after: After);

    /// Called when a come bet that won on its number was made again in the come area.
    fn made_again(&mut self, slot: SlotId, bet: &Bet);
}

/// The levels that a draw before the roll gave to wagers, counted from 0.
pub type Selection = [(WagerId, usize)];

/// Settles one roll for one seat, without allocating memory.
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
/// use craps_table::{After, Bet, SeatBets, Sink, SlotId, Verdict, settle};
/// use craps_wagers::Phase;
/// struct Names(Vec<&'static str>);
/// impl Sink for Names {
///     fn settled(&mut self, _: SlotId, _: &Bet, verdict: Verdict, _: After) {
///         self.0.push(if verdict == Verdict::Lost { "lost" } else { "not lost" });
///     }
///     fn made_again(&mut self, _: SlotId, _: &Bet) {}
/// }
/// let (mut bets, mut names) = (SeatBets::default(), Names(Vec::new()));
/// bets.make(table.board().named("any-seven").unwrap(), "5".parse()?);
/// settle(table.board(), table.rules(), &mut bets, Phase::ComeOut, "2-2".parse()?, &[], &mut names);
/// assert_eq!((names.0, bets.is_empty()), (vec!["lost"], true));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn settle(
    board: &Board,
    rules: &TableRules,
    bets: &mut SeatBets,
    phase: Phase,
    throw: Throw,
    selection: &Selection,
    sink: &mut impl Sink,
) {
    let dealer = Dealer::new(board, rules).with_draw(selection);
    dealer.settle(dealer.roll(phase, throw), bets, sink);
}
