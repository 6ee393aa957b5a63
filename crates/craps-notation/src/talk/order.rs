//! Parsed orders. They don't depend on a table.

use crate::game::BetName;
use craps_dice::{Hard, Point, Throw, Total, TotalSet};
use craps_money::Stake;
use craps_table::{AfterWin, Called};
use craps_wagers::{Catalogue, Family, Side, Wager, WagerId};
use std::fmt;
use std::ops::Range;

/// One order of a line, and its position in the line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// Byte range of the order in the line.
    pub span: Range<usize>,
    /// The parsed order.
    pub order: Order,
}

/// One order, question or other request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Makes bets: `12 on the six`, `64 across`, `hard eight five`.
    Bet {
        /// The bets to make; empty if only the dealers are named, as in `a nickel for the boys`.
        bets: Vec<Which>,
        /// Amount to bet.
        amount: Amount,
        /// Whether the amount is for each bet or for all together.
        share: Share,
        /// Cash or coupon put down with the bet.
        with: With,
        /// Whether the bet is the player's or the dealers'.
        whose: Whose,
    },
    /// Takes or lays odds: `odds 50`, `max odds on the come six`.
    Odds {
        /// The bet that the odds go behind. None means the line bet, or another bet that takes odds if there is no line bet.
        behind: Option<Which>,
        /// Amount of the odds.
        amount: OddsAmount,
        /// Whether the amount is for each bet or for all together.
        share: Share,
    },
    /// Takes bets down: `take down my six`, `down 6 six`.
    TakeDown {
        /// The bets to take down.
        bets: Vec<Which>,
        /// How much to take off each bet; None means all of it.
        amount: Option<Amount>,
    },
    /// Raises bets: `press my nine`, `half press the six`.
    Press {
        /// The bets to press.
        bets: Vec<Which>,
        /// How far to raise each bet.
        by: Raise,
    },
    /// Lowers bets: `regress the six to 6`.
    Regress {
        /// The bets to lower.
        bets: Vec<Which>,
        /// How far to lower each bet.
        to: Cut,
    },
    /// Moves a bet: `move my six to the eight`.
    Move {
        /// The bet to move.
        from: Which,
        /// The bet it becomes.
        to: Which,
    },
    /// Leaves bets as they are: `same bet`.
    SameBet {
        /// The bets to leave; empty means the bets that just won.
        bets: Vec<Which>,
    },
    /// Turns bets on or off: `place bets working`, `all off`, `hard ways as usual`.
    Call {
        /// The bets to turn on or off.
        bets: Vec<Which>,
        /// On, off, or back to the standard rule.
        called: Called,
    },
    /// Says what to do after a win: `leave my six up`, `hard eight down when it wins`.
    Tell {
        /// The bets it is about.
        bets: Vec<Which>,
        /// Whether they stay up or come down when they win.
        after_win: AfterWin,
    },
    /// Asks a question: `what if seven`.
    Ask(Question),
    /// Asks for something other than a bet: `roll`, `undo`.
    Do(Verb),
}

/// Which bets an order is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// One bet, by its full name.
    Named(BetName),
    /// A number alone. When a bet is made, it means a place bet; when a bet is changed, the bet that is on the number.
    Number(Point),
    /// Several numbers under one name: `64 across`.
    Spread {
        /// The kind of bet; None means place bets.
        how: Option<Family>,
        /// The numbers.
        spread: Spread,
    },
    /// Several bets under one name that is not a bet in any book.
    Combo(Combo),
    /// All bets of a kind: `place bets`.
    All(Kind),
    /// The odds behind a bet; None means behind any bet.
    Odds(Option<Box<Which>>),
    /// The bet of the order before: `press it`.
    It,
}

/// Numbers that are bet together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Spread {
    /// 5, 6, 8 and 9.
    Inside,
    /// 4, 5, 9 and 10.
    Outside,
    /// All six box numbers.
    Across,
    /// 4, 6, 8 and 10.
    Even,
}

impl Spread {
    /// All four spreads.
    pub const ALL: [Spread; 4] = [Spread::Inside, Spread::Outside, Spread::Across, Spread::Even];

    /// Returns the name of the spread in talk, such as "inside".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Spread::Inside => "inside",
            Spread::Outside => "outside",
            Spread::Across => "across",
            Spread::Even => "the evens",
        }
    }

    /// Returns the numbers of the spread.
    #[must_use]
    pub const fn numbers(self) -> &'static [Point] {
        match self {
            Spread::Inside => &[Point::Five, Point::Six, Point::Eight, Point::Nine],
            Spread::Outside => &[Point::Four, Point::Five, Point::Nine, Point::Ten],
            Spread::Across => &Point::BOX,
            Spread::Even => &[Point::Four, Point::Six, Point::Eight, Point::Ten],
        }
    }
}

/// Several bets under one name, with the same amount on each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combo {
    /// The name in talk.
    pub name: &'static str,
    /// The wagers it is made of.
    pub parts: &'static [WagerId],
}

/// A kind of bets that has one name in talk, such as "the hardways".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Pass and don't pass.
    Line,
    /// Come bets.
    Come,
    /// Don't come bets.
    DontCome,
    /// Place bets to win and buy bets: the bets that players call their numbers.
    Numbers,
    /// Place bets to win.
    Place,
    /// Place bets to lose.
    PlaceLose,
    /// Buy bets.
    Buy,
    /// Lay bets.
    Lay,
    /// Put bets.
    Put,
    /// Big six and big eight.
    Big,
    /// Bets that 4, 6, 8 or 10 comes the hard way.
    Hardways,
    /// One-roll bets on one combination of the dice.
    Hops,
    /// All one-roll bets, hops included.
    Props,
    /// Side bets on the shooter's hand, such as Fire.
    Side,
    /// All bets.
    Everything,
}

impl Kind {
    /// Returns true if a bet of this wager is of this kind.
    #[must_use]
    pub fn covers(self, wager: &Wager) -> bool {
        let (family, side) = (wager.family, wager.side());
        match self {
            Kind::Line => wager.is_on_the_line(),
            Kind::Come => wager.travels() && side == Some(Side::Right),
            Kind::DontCome => wager.travels() && side == Some(Side::Wrong),
            Kind::Numbers => matches!(family, Family::PlaceWin | Family::Buy),
            Kind::Place => family == Family::PlaceWin,
            Kind::PlaceLose => family == Family::PlaceLose,
            Kind::Buy => family == Family::Buy,
            Kind::Lay => family == Family::Lay,
            Kind::Put => family == Family::Put,
            Kind::Big => family == Family::Big,
            Kind::Hardways => family == Family::Hardway,
            Kind::Hops => family == Family::Hop,
            Kind::Props => matches!(family, Family::OneThrow | Family::Hop),
            Kind::Side => family == Family::Shooter,
            Kind::Everything => true,
        }
    }
}

/// An amount to bet. Strategies put expressions in its place, so only one parser reads it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// This amount.
    Exactly(Stake),
    /// The minimum that the table takes.
    Least,
    /// The maximum that the table takes.
    Most,
}

/// An amount of odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddsAmount {
    /// An amount of money, the minimum or the maximum.
    Of(Amount),
    /// A multiple of the bet in front: `10x odds`.
    Times(u32),
    /// Multiples by number, for 4 and 10, 5 and 9, 6 and 8: `3-4-5 odds`.
    ByNumber([u32; 3]),
}

/// Whether an amount is for each of several bets or for all together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Share {
    /// The player didn't say.
    #[default]
    Unsaid,
    /// The amount is for each bet.
    Each,
    /// The amount is for all bets together.
    Together,
}

/// What is put down with a bet besides chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct With {
    /// Cash put down with a spoken bet.
    pub cash: Option<Stake>,
    /// Amount of a match-play coupon.
    pub coupon: Option<Stake>,
}

/// Whose bet it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whose {
    /// The player's.
    #[default]
    Mine,
    /// The player's, and another for the dealers.
    TwoWay,
    /// The dealers'.
    Dealers,
}

/// How far to press a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raise {
    /// To twice the amount.
    Double,
    /// By half the amount.
    Half,
    /// By this amount.
    By(Stake),
    /// Up to this amount.
    To(Amount),
    /// By this many units. A unit is the amount from [`dealers_unit`](super::dealers_unit), such as $6 on the six.
    Units(u32),
}

/// How far to lower a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// To half the amount.
    Half,
    /// Down to this amount.
    To(Amount),
}

/// A question about the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// `what if seven`, `? hard eight`: what a roll would win or lose.
    WhatIf(Thrown),
    /// `why`, `why 3.1`: asks about a roll or one of its results; None means the last thing that happened.
    Why(Option<Reference>),
    /// `odds on the hard six`: what a bet pays and costs.
    OddsOn(Vec<Which>),
    /// `what can I bet`: the bets that are open now.
    WhatCanIBet,
    /// `? mine`: the player's bets.
    Mine,
    /// `? exposure`: what each possible roll would win or lose.
    Exposure,
    /// `? working`: which bets work on the next roll.
    Working,
    /// `? legal`: every bet with its terms, or why it is closed.
    Legal,
    /// `how much do I have`: the player's chips.
    Rail,
    /// `what is the point`: the point, if one is on.
    Point,
    /// `who is shooting`: the shooter.
    Shooter,
    /// `what are the limits`: the table's minimums and maximums.
    Limits,
}

/// A reference to a roll or one of its results, such as `3.1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    /// Number of the roll.
    pub roll: u32,
    /// Number of the result, counted from one; None means all results.
    pub result: Option<u32>,
}

/// The roll that a question asks about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thrown {
    /// Any roll with this total.
    Total(Total),
    /// The total as a pair.
    Hard(Hard),
    /// The total, but not as a pair.
    Easy(Hard),
    /// This combination of the dice.
    Dice(Throw),
    /// Two, three or twelve.
    Craps,
}

impl Thrown {
    /// Returns true if the question is about this roll.
    #[must_use]
    pub fn covers(self, throw: Throw) -> bool {
        match self {
            Thrown::Total(total) => throw.total() == total,
            Thrown::Hard(hard) => throw == hard.pair(),
            Thrown::Easy(hard) => throw.total() == hard.point().total() && !throw.is_hard(),
            Thrown::Dice(dice) => throw == dice,
            Thrown::Craps => matches!(throw.total(), Total::Two | Total::Three | Total::Twelve),
        }
    }
}

/// A request other than a bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// Rolls the dice.
    Roll,
    /// Undoes the last order.
    Undo,
    /// Redoes the order that was undone.
    Redo,
    /// Repeats the bets of the last roll.
    Repeat,
    /// Undoes everything since the last roll.
    Clear,
    /// Passes the dice.
    PassDice,
    /// Takes the dice.
    TakeDice {
        /// True to roll only for the come bets that are left.
        decisions_only: bool,
    },
    /// Declines the dice.
    DeclineDice,
    /// Buys chips for this amount.
    BuyIn(Stake),
    /// Leaves the table with the chips in the rail.
    Leave,
    /// Shows help.
    Help,
    /// Saves the game.
    Save,
    /// Ends the program.
    Quit,
    /// Shows the rolls so far.
    History,
}

/// A question back to the player when a line is not understood or could mean two things. It suggests what to say instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskBack {
    /// What kind of question it is.
    pub kind: AskKind,
    /// Byte range of the line that the question is about.
    pub span: Range<usize>,
    /// The words in that range; if the question comes from [`meant`](super::meant), the bets they mean.
    pub word: String,
    /// What is wrong, or the question. Displaying it adds the missing period before the suggestions.
    pub message: String,
    /// What to say instead. Each suggestion is an order that [`hear`](super::hear) understands.
    pub suggestions: Vec<String>,
}

/// The kind of question that an [`AskBack`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AskKind {
    /// The order ended too early: something such as an amount is missing at its end.
    Incomplete,
    /// The words are not understood.
    NotUnderstood,
    /// The words are understood, but don't fit the table or could mean several things.
    Unclear,
}

impl fmt::Display for AskBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let Some((last, others)) = self.suggestions.split_last() else { return Ok(()) };
        let mark = if self.message.ends_with(['?', '.']) { "" } else { "." };
        match others {
            [] => write!(f, "{mark} Try \"{last}\"."),
            _ => write!(f, "{mark} Try \"{}\" or \"{last}\".", others.join("\", \"")),
        }
    }
}

impl std::error::Error for AskBack {}

/// Returns the one-roll bet on this number, such as Boxcars on 12. None for numbers that have no such bet.
///
/// ```
/// use craps_dice::Point;
/// use craps_notation::talk::in_one;
/// assert_eq!(in_one(Point::Twelve).map(|wager| wager.wager().name), Some("Boxcars (12)"));
/// assert_eq!(in_one(Point::Six), None);
/// ```
#[must_use]
pub fn in_one(point: Point) -> Option<WagerId> {
    Catalogue::current().in_one_roll(TotalSet::of(&[point.total()]).throws())
}
