//! A strategy as it was written: what was said, before any table is known.

use crate::engine::Counter;
use craps_money::{Money, Stake};
use craps_notation::talk::{Share, Which};
use craps_table::{AfterWin, Called};
use std::ops::Range;

/// A strategy as it was written. It knows no table: [`Script::at`] sits it down at one.
///
/// ```
/// use craps_sim::language::Script;
/// let text = "strategy The line\nbuy-in 500\nunit 10\nwhen coming out\n    pass line for unit\n";
/// let script = Script::read("line.strategy", text).unwrap();
/// assert_eq!((script.name.as_str(), script.unit.to_string().as_str()), ("The line", "10"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Script {
    /// The name of the text it was read from.
    pub source: String,
    /// What it is called.
    pub name: String,
    /// How it is played, in a sentence or two.
    pub about: String,
    /// Where it comes from.
    pub from: String,
    /// What the player brings.
    pub buy_in: Stake,
    /// What one unit is. It may be changed before the script is sat down.
    pub unit: Stake,
    /// The net result at which the player stops: below nothing.
    pub stop: Option<Money>,
    /// The net result with which the player is content: above nothing.
    pub goal: Option<Money>,
    /// The most bets that are made on one shooter.
    pub bets_per_shooter: Option<u32>,
    /// The book it is written for, where it needs one.
    pub book: Option<String>,
    /// What it needs of the house, as games write it: `offer=buy,lay; odds.k=10`.
    pub house: Option<String>,
    pub(super) text: String,
    pub(super) values: Vec<Variable>,
    pub(super) body: Vec<Statement>,
}

/// A name that stands for a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) span: Range<usize>,
    pub(super) is: Held,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Held {
    /// A value that begins so; is it ever set again?
    Value { begins: Expression, set: bool },
    /// Several values in a row.
    List(Vec<Expression>),
    /// A step of several, up and down as a bet wins and loses.
    Progression { of: Names, steps: Steps, on_win: Turn, on_loss: Turn },
}

/// The steps of a progression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Steps {
    /// Each twice the one before: so many.
    Doubling { from: Expression, count: usize },
    /// Each more than the one before by so much.
    Adding { from: Expression, by: Expression, count: usize },
    /// These.
    Listed(Vec<Expression>),
}

/// Where a progression goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// To the next step; from the last to the first.
    Up,
    /// To the next step; the last is not left.
    UpAndStay,
    /// To the step before; the first is not left.
    Down,
    /// To the first step.
    Start,
    /// Nowhere.
    Stay,
}

/// The bets that a condition or an amount speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) which: Which,
    pub(super) span: Range<usize>,
}

/// A number that may depend on the moment. Every number is kept in hundredths, so that money and counts are one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expression {
    Number(i64),
    Unit,
    BuyIn,
    Variable(usize),
    /// The step of a list at a place.
    Item(usize, Box<Expression>),
    Counter(Counter),
    Rail,
    Net,
    /// The highest net result.
    Peak,
    /// The most there has been on rail and felt together.
    PeakRail,
    /// How often one of the bets won, or lost, without the other in between; none is the bet made first in the file.
    Row {
        won: bool,
        of: Option<Names>,
    },
    /// How many of the bets stand.
    HowMany(Names),
    /// What stands on them.
    AmountOn(Names),
    /// What the last throw won on them.
    WinOn(Names),
    /// The same of the bet that the order is about.
    ItsAmount,
    ItsWin,
    Arithmetic(Box<(Expression, Sign, Expression)>, Range<usize>),
    /// To a multiple; none is what the bet is paid exactly in.
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

/// What must hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Condition {
    ComingOut,
    PointOn,
    /// The point is one of these.
    PointIs(Vec<u8>),
    /// Nobody has thrown since the dice went to this shooter.
    NewShooter,
    /// One of these totals was thrown last.
    Thrown(Vec<u8>),
    /// One of the bets won, lost or stands.
    Fate(Vec<Names>, Fate),
    Compare(Expression, Compared, Expression),
    Not(Box<Condition>),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

impl Condition {
    /// Does nothing but the point decide it?
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

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Statement {
    /// The first of these whose condition holds.
    If(Vec<Branch>),
    Set(usize, Expression, Range<usize>),
    Quit,
    Order(Order),
}

/// What is done under a condition; none always holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Branch {
    pub(super) span: Range<usize>,
    pub(super) when: Option<Condition>,
    pub(super) body: Vec<Statement>,
}

/// An order in rail talk, its amounts as expressions.
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
