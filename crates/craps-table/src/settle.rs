//! The one function that settles. The table's sink writes events, `outcomes` sums thirty-six of them, and a simulation adds money.

use crate::bets::Bet;
use crate::board::Board;
use crate::fast::{Dealer, SeatBets};
use crate::slots::SlotId;
use craps_dice::Throw;
use craps_law::{Prize, TableRules};
use craps_money::Money;
use craps_wagers::{Phase, Rank, WagerId};
use serde::{Deserialize, Serialize};

/// What became of one bet on one throw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Verdict<B = SlotId> {
    /// Won: the rank, the prize, what it was paid before commission, and the commission taken from it.
    Won {
        /// The rank.
        rank: Rank,
        /// What the rank is worth.
        prize: Prize,
        /// Net of the stake, before commission.
        paid: Money,
        /// Commission taken from the win.
        commission: Money,
    },
    /// Lost: the stake goes to the bank.
    Lost,
    /// Void, or odds that were off when their bet was decided: the stake goes back to the rail.
    Returned,
    /// A rank that gives the stake back and leaves the bet: the stake is credited and staked again.
    Credited {
        /// The rank.
        rank: Rank,
        /// Net of the stake.
        paid: Money,
    },
    /// A come or don't come bet went to its number.
    Moved {
        /// The slot it went to.
        to: B,
    },
}

/// Where the bet is after its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum After<B = SlotId> {
    /// Its stake is off the felt.
    Down,
    /// It stands as this bet in this slot.
    Stands(B, Bet),
}

/// Takes note of what is settled, bet by bet.
pub trait Sink {
    /// A bet was decided, credited or moved.
    fn settled(&mut self, slot: SlotId, bet: &Bet, verdict: Verdict, after: After);

    /// A bet that won on its number was made again where such bets begin.
    fn made_again(&mut self, slot: SlotId, bet: &Bet);
}

/// The levels that a draw before the throw gave to wagers.
pub type Selection = [(WagerId, usize)];

/// Settles one throw for one seat. Nothing is allocated.
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
