//! A strategy as it was written, before any table is known.

use crate::engine::Counter;
use craps_money::{Money, Stake};
use craps_notation::talk::{Share, Which};
use craps_table::{AfterWin, Called};
use std::ops::Range;

/// A strategy as it was written. It knows no table: [`Script::at`] compiles it for one.
///
/// ```
/// use craps_sim::language::Script;
/// let text = "strategy The line\nbuy-in 500\nunit 10\nwhen coming out\n    pass line for unit\n";
/// let script = Script::read("line.strategy", text).unwrap();
/// assert_eq!((script.name.as_str(), script.unit.to_string().as_str()), ("The line", "10"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// Name of the text that it was read from.
    pub source: String,
    /// Name of the strategy.
    pub name: String,
    /// How it is played, in a sentence or two.
    pub about: String,
    /// Where it comes from.
    pub from: String,
    /// Chips that the player starts with.
    pub buy_in: Stake,
    /// Value of one unit. It can be changed before the script is compiled.
    pub unit: Stake,
    /// Net result at which the player stops. Below zero.
    pub stop: Option<Money>,
    /// Net result at which the player is done. Above zero.
    pub goal: Option<Money>,
    /// Maximum number of new bets on one shooter.
    pub bets_per_shooter: Option<u32>,
    /// Id of the book it is written for. None if it works with any book.
    pub book: Option<String>,
    /// House settings it needs, as games write them: `offer=buy,lay; odds.k=10`.
    pub house: Option<String>,
    pub(super) text: String,
    pub(super) values: Vec<Variable>,
    pub(super) body: Vec<Statement>,
}

/// A name defined by the strategy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) is: Held,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    /// A single value. `begins` is its first value, and `set` is true if the strategy ever changes it.
    Value { begins: Expression, set: bool },
    /// A list of values.
    List(Vec<Expression>),
    /// A progression: the step goes up and down as a bet wins and loses.
    Progression { of: Names, steps: Steps, on_win: Turn, on_loss: Turn },
}

/// The steps of a progression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Steps {
    /// Each step is twice the one before.
    Doubling { from: Expression, count: usize },
    /// Each step is larger than the one before by the same amount.
    Adding { from: Expression, by: Expression, count: usize },
    /// The steps are listed.
    Listed(Vec<Expression>),
}

/// Where a progression goes after a win or a loss.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// To the next step, and from the last step to the first.
    Up,
    /// To the next step. Stays on the last.
    UpAndStay,
    /// To the previous step. Stays on the first.
    Down,
    /// To the first step.
    Start,
    /// To the same step.
    Stay,
}

/// The bets that a condition or an amount names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) which: Which,
    pub(super) span: Range<usize>,
}

/// A number that can depend on the state of the game. All numbers are in hundredths, so that money and counts work alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression {
    Number(i64),
    Unit,
    BuyIn,
    Variable(usize),
    /// The item of a list at a position.
    Item(usize, Box<Expression>),
    Counter(Counter),
    Rail,
    Net,
    /// The highest net result so far.
    Peak,
    /// The most chips the player has had in the rail and on the felt together.
    PeakRail,
    /// Wins or losses in a row of the bets. None means the bet made first in the file.
    Row {
        won: bool,
        of: Option<Names>,
    },
    /// How many of the bets are up.
    HowMany(Names),
    /// The amount on the bets.
    AmountOn(Names),
    /// The amount that the last roll won on the bets.
    WinOn(Names),
    /// The amount or the last win of the bet that the order is about.
    ItsAmount,
    ItsWin,
    Arithmetic(Box<(Expression, Sign, Expression)>, Range<usize>),
    /// Rounds to a multiple. None means the multiple that the bet is paid exactly in.
    Rounded(Box<Expression>, Way, Option<Box<Expression>>),
    AtMost(Box<(Expression, Expression)>),
    AtLeast(Box<(Expression, Expression)>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sign {
    Plus,
    Minus,
    Times,
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Up,
    Down,
    Nearest,
}

/// The condition of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Condition {
    ComingOut,
    PointOn,
    /// The point is one of these.
    PointIs(Vec<u8>),
    /// This shooter hasn't rolled yet.
    NewShooter,
    /// The last roll was one of these totals.
    Thrown(Vec<u8>),
    /// One of the bets won, lost or is up.
    Fate(Vec<Names>, Fate),
    Compare(Expression, Compared, Expression),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    /// Returns true if the condition only depends on the point.
    pub(super) fn is_of_the_point(&self) -> bool {
        match self {
            Condition::ComingOut | Condition::PointOn | Condition::PointIs(_) | Condition::NewShooter => true,
            Condition::Thrown(_) | Condition::Fate(..) | Condition::Compare(..) => false,
            Condition::Not(inner) => inner.is_of_the_point(),
            Condition::All(inner) | Condition::Any(inner) => inner.iter().all(Condition::is_of_the_point),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Won,
    Lost,
    Stands,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compared {
    Below,
    AtMost,
    Above,
    AtLeast,
    Equal,
    Unequal,
}

impl Compared {
    pub(super) const fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Compared::Below => left < right,
            Compared::AtMost => left <= right,
            Compared::Above => left > right,
            Compared::AtLeast => left >= right,
            Compared::Equal => left == right,
            Compared::Unequal => left != right,
        }
    }
}

/// One statement of a block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Statement {
    /// Runs the first branch whose condition holds.
    If(Vec<Branch>),
    Set(usize, Expression, Range<usize>),
    Quit,
    Order(Order),
}

/// A condition and its statements. None always holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) span: Range<usize>,
    pub(super) when: Option<Condition>,
    pub(super) body: Vec<Statement>,
}

/// An order in rail talk, with expressions as amounts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) span: Range<usize>,
    pub(super) act: Act,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    Bet { bets: Vec<Which>, amount: Amount, share: Share },
    Odds { behind: Option<Which>, amount: OddsAmount, share: Share },
    TakeDown { bets: Vec<Which>, amount: Option<Expression> },
    Press { bets: Vec<Which>, by: Raise },
    Regress { bets: Vec<Which>, to: Option<Amount> },
    Move { from: Which, to: Which },
    Same { bets: Vec<Which> },
    Call { bets: Vec<Which>, called: Called },
    Tell { bets: Vec<Which>, after_win: AfterWin },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Amount {
    Of(Expression),
    Least,
    Most,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OddsAmount {
    Of(Amount),
    Times(u32),
    ByNumber([u32; 3]),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Raise {
    Double,
    Half,
    By(Expression),
    To(Amount),
}
