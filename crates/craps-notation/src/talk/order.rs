//! What was said, as a value that knows no table.

use crate::game::BetName;
use craps_dice::{Hard, Point, Throw, Total, TotalSet};
use craps_money::Stake;
use craps_table::{AfterWin, Called};
use craps_wagers::{Catalogue, Family, Side, Wager, WagerId};
use std::fmt;
use std::ops::Range;

/// One order of a line, and where it stands in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spoken {
    /// The bytes of the line it was said in.
    pub span: Range<usize>,
    /// What was said.
    pub order: Order,
}

/// One order, question or act.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// `12 on the six`, `64 across`, `hard eight five`.
    Bet {
        /// On what.
        bets: Vec<Which>,
        /// How much.
        amount: Amount,
        /// On each of them, or on all together.
        share: Share,
        /// What is laid besides chips.
        with: With,
        /// Whose bet it is.
        whose: Whose,
    },
    /// `odds 50`, `max odds on the come six`.
    Odds {
        /// Behind which bet; none is the line where it has odds to take.
        behind: Option<Which>,
        /// How much.
        amount: OddsAmount,
        /// On each of them, or on all together.
        share: Share,
    },
    /// `take down my six`, `down 6 six`.
    TakeDown {
        /// Which.
        bets: Vec<Which>,
        /// How much of each; none is all of it.
        amount: Option<Amount>,
    },
    /// `press my nine`, `half press the six`.
    Press {
        /// Which.
        bets: Vec<Which>,
        /// By how much.
        by: Raise,
    },
    /// `regress the six to 6`.
    Regress {
        /// Which.
        bets: Vec<Which>,
        /// How far.
        to: Cut,
    },
    /// `move my six to the eight`.
    Move {
        /// From where.
        from: Which,
        /// To where.
        to: Which,
    },
    /// `same bet`: what stands stays as it is.
    SameBet {
        /// Which; none is whatever just won.
        bets: Vec<Which>,
    },
    /// `place bets working`, `all off`, `hard ways as usual`.
    Call {
        /// Which.
        bets: Vec<Which>,
        /// What they are called.
        called: Called,
    },
    /// `leave my six up`, `hard eight down when it wins`.
    Tell {
        /// Which.
        bets: Vec<Which>,
        /// What becomes of them.
        after_win: AfterWin,
    },
    /// A question.
    Ask(Question),
    /// Something that is no bet.
    Do(Verb),
}

/// Which bets an order speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// One bet, by its full name.
    Named(BetName),
    /// A number alone: a place bet where one is made, whatever stands there where one is changed.
    Number(Point),
    /// Several numbers at once, by a name for them.
    Spread {
        /// How they are bet; unsaid is by placing them.
        how: Option<Family>,
        /// Which numbers.
        spread: Spread,
    },
    /// A name for several bets that no book has as one.
    Combo(Combo),
    /// All bets of a kind.
    All(Kind),
    /// The odds behind a bet; none is behind any.
    Odds(Option<Box<Which>>),
    /// What was spoken of before: `press it`.
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
    /// Every spread.
    pub const ALL: [Spread; 4] = [Spread::Inside, Spread::Outside, Spread::Across, Spread::Even];

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Spread::Inside => "inside",
            Spread::Outside => "outside",
            Spread::Across => "across",
            Spread::Even => "the evens",
        }
    }

    /// Its numbers.
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

/// Several bets under one name, an equal part on each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combo {
    /// The name.
    pub name: &'static str,
    /// Its bets.
    pub parts: &'static [WagerId],
}

/// Bets that go by one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Pass and don't pass.
    Line,
    /// Come bets.
    Come,
    /// Don't come bets.
    DontCome,
    /// Place bets to win, and buy bets: what a player has on the numbers.
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
    /// Hardways.
    Hardways,
    /// Hops.
    Hops,
    /// One-throw bets, hops among them.
    Props,
    /// Bets on the shooter's hand.
    Side,
    /// Everything.
    Everything,
}

impl Kind {
    /// Does a bet of this wager go by the word?
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

/// How much. Strategies will say it by expressions; so everything that reads it goes through one parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// So much.
    Exactly(Stake),
    /// The least the table takes.
    Least,
    /// The most the table takes.
    Most,
}

/// How much odds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OddsAmount {
    /// An amount.
    Of(Amount),
    /// So many times the bet in front.
    Times(u32),
    /// So many times by number: on 4 and 10, on 5 and 9, on 6 and 8.
    ByNumber([u32; 3]),
}

/// Is an amount for each of several bets?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Share {
    /// It was not said.
    #[default]
    Unsaid,
    /// For each.
    Each,
    /// For all together.
    Together,
}

/// What is laid with a bet besides chips.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct With {
    /// Cash, for a bet by word of mouth.
    pub cash: Option<Stake>,
    /// A match-play coupon.
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

/// How far a bet is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Raise {
    /// To twice as much.
    Double,
    /// By half.
    Half,
    /// By so much.
    By(Stake),
    /// Up to so much.
    To(Amount),
    /// By so many units of what the number pays exactly.
    Units(u32),
}

/// How far a bet is regressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cut {
    /// To half.
    Half,
    /// Down to so much.
    To(Amount),
}

/// A question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// `what if seven`, `? hard eight`: what a throw would bring.
    WhatIf(Thrown),
    /// `why`, `why 3.1`: a roll, and which of its results; none is the last thing that happened.
    Why(Option<Reference>),
    /// `odds on the hard six`: what a bet pays and costs.
    OddsOn(Vec<Which>),
    /// `what can I bet`: the bets that are open now.
    WhatCanIBet,
    /// `? mine`: the player's bets.
    Mine,
    /// `? exposure`: what each throw would bring.
    Exposure,
    /// `? working`: which bets work on the next throw.
    Working,
    /// `? legal`: every bet with its terms, or why it is closed.
    Legal,
    /// `how much do I have`.
    Rail,
    /// `what is the point`.
    Point,
    /// `who is shooting`.
    Shooter,
    /// `what are the limits`.
    Limits,
}

/// A result of a roll, as games number them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reference {
    /// The roll.
    pub roll: u32,
    /// Which of its results; none is all.
    pub result: Option<u32>,
}

/// Dice that a question supposes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thrown {
    /// A total, however it falls.
    Total(Total),
    /// A pair.
    Hard(Hard),
    /// A total but no pair.
    Easy(Hard),
    /// These dice.
    Dice(Throw),
    /// Two, three or twelve.
    Craps,
}

impl Thrown {
    /// Is the throw among those it speaks of?
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

/// Something that is no bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verb {
    /// Throw the dice.
    Roll,
    /// Take back the last order.
    Undo,
    /// Do again what was taken back.
    Redo,
    /// Make the bets of the last throw again.
    Repeat,
    /// Take back everything since the last throw.
    Clear,
    /// Pass the dice on.
    PassDice,
    /// Take the dice; only to decide come bets that are left?
    TakeDice {
        /// Only for those?
        decisions_only: bool,
    },
    /// Do not want the dice.
    DeclineDice,
    /// Buy chips.
    BuyIn(Stake),
    /// Leave with what is on the rail.
    Leave,
    /// Say how it works.
    Help,
    /// Write the game down.
    Save,
    /// Stop.
    Quit,
    /// Show what was thrown.
    History,
}

/// A line that was not understood, or may mean two things: asked back, with what could be said instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AskBack {
    /// The bytes of the line that it points at.
    pub span: Range<usize>,
    /// The words that stand there, or the bets they speak of where a table asks.
    pub word: String,
    /// What is wrong, or what is asked.
    pub message: String,
    /// What could be said instead: each is an order that is understood.
    pub suggestions: Vec<String>,
}

impl fmt::Display for AskBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        let Some((last, others)) = self.suggestions.split_last() else { return Ok(()) };
        let mark = if self.message.ends_with('?') { "" } else { ";" };
        match others {
            [] => write!(f, "{mark} say `{last}`"),
            _ => write!(f, "{mark} say `{}` or `{last}`", others.join("`, `")),
        }
    }
}

impl std::error::Error for AskBack {}

/// The bet that the next roll is this number, where there is one: numbers at the ends are bet so.
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
