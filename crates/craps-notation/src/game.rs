//! The contents of a game file as parsed. Nothing here checks whether the game is legal.

use craps_dice::{Point, Throw};
use craps_money::{Money, Stake};
use craps_table::{AfterWin, Called, NoRollReason, PassGround, Role, SeatId};
use craps_wagers::WagerId;

/// A position in a text: line and column, both counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// Line number.
    pub line: usize,
    /// Column number, in characters.
    pub column: usize,
}

/// A game: its tags and the lines that follow them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Where the game begins.
    pub place: Place,
    /// The tags written in this game, in order. Tags inherited from an earlier game are not included.
    pub tags: Vec<Tag>,
    /// All other lines, in order.
    pub lines: Vec<Line>,
}

/// A tag: `[Name "text"]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Position of the opening bracket.
    pub place: Place,
    /// Name of the tag, such as `Rules`.
    pub name: String,
    /// The text between the quotation marks.
    pub text: String,
}

/// One line of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A numbered roll with its actions, dice and results.
    Roll(Roll),
    /// The shooter: `# shooter …`.
    Shooter {
        /// Position of the line.
        place: Place,
        /// Seat of the shooter; None means the house: the dealer or the stickperson.
        seat: Option<SeatId>,
        /// True if the dice are rolled only to decide come bets.
        decisions_only: bool,
        /// True if the line is marked `!refused`.
        refused: bool,
    },
    /// The chips of each seat when the game ends: `# end …`.
    End {
        /// Position of the line.
        place: Place,
        /// Chips in the rail, by seat.
        rails: Vec<(SeatId, Money)>,
    },
    /// The bets still up when the game ends: `# open …`.
    Open {
        /// Position of the line.
        place: Place,
        /// Seat, bet and amount of each bet.
        bets: Vec<(SeatId, BetName, Money)>,
    },
    /// A procedure line: `@role verb …`.
    Procedure {
        /// Position of the line.
        place: Place,
        /// The line as written, without `!refused`.
        text: String,
        /// The request that the line makes.
        act: Act,
        /// True if the line is marked `!refused`.
        refused: bool,
    },
    /// A comment `{…}` outside a roll.
    Comment(String),
}

/// The request that a procedure line makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A draw before the roll: pairs of wager and level, where levels count from 1.
    Draw(Vec<(WagerId, usize)>),
    /// A player sits down: seat, name and money.
    Join(SeatId, String, Money),
    /// A player buys chips.
    BuyIn(SeatId, Stake),
    /// A player leaves the table.
    Leave(SeatId),
    /// A player takes down all bets after a power failure.
    Withdraw(SeatId),
    /// A player who is offered the dice names another seat to roll them.
    Nominate(SeatId, SeatId),
    /// An action that must come before the lines that follow it. A player who leaves takes down their bets this way first.
    Does(Box<Action>),
    /// A call of no roll on a line of its own, not as the dice of a numbered roll.
    NoRoll(Role, NoRollReason),
    /// The shooter passes the dice by choice.
    PassDice,
    /// The staff orders the shooter to pass the dice, and says why.
    OrderOff(Role, PassGround),
    /// A ruling that corrects a payment: role, seat, signed amount and reason.
    Rule(Role, SeatId, Money, String),
    /// A staff action that changes no bet and no roll, such as an inspection.
    Noted,
}

/// The name of a bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BetName {
    /// The wager in the catalogue.
    pub wager: WagerId,
    /// The number that is part of the name, such as 6 in `C6`.
    pub number: Option<Point>,
}

/// One numbered roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    /// Position of the roll's number.
    pub place: Place,
    /// Number of the roll, counted from one.
    pub number: u32,
    /// Actions before the dice.
    pub actions: Vec<Action>,
    /// The dice, or the call of no roll.
    pub dice: Dice,
    /// Position of the dice.
    pub dice_place: Place,
    /// The mark after the dice, such as `^` for a point set.
    pub mark: Option<char>,
    /// The written results. None if the second bar is missing: the file then asserts nothing about this roll.
    pub results: Option<Vec<WrittenResult>>,
    /// Position where the results begin.
    pub results_place: Place,
    /// Comments on the line of the roll.
    pub comments: Vec<String>,
}

/// The dice of a roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dice {
    /// A roll that counts.
    Thrown {
        /// The numbers on the two dice.
        dice: Throw,
        /// The dice as written, in the written order.
        text: String,
        /// True if the roll is marked `!refused`.
        refused: bool,
    },
    /// A roll that does not count.
    NoRoll {
        /// Why it does not count; off the table if no reason is written.
        reason: NoRollReason,
        /// True if the reason is written.
        written: bool,
        /// Who called it, if written.
        caller: Option<Role>,
        /// True if the call is marked `!refused`.
        refused: bool,
    },
}

/// One action of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Position of the action.
    pub place: Place,
    /// Seat of the player who acts.
    pub seat: SeatId,
    /// The bet that the action is about.
    pub bet: BetName,
    /// What is done with the bet.
    pub op: Op,
    /// Set if the action was made while the dice were in the air: the staff who confirmed it.
    pub late: Option<Vec<Role>>,
    /// Cash put down with a spoken bet.
    pub cash: Option<Stake>,
    /// Amount of a match-play coupon on the bet.
    pub coupon: Option<Stake>,
    /// True if the action is marked `!refused`.
    pub refused: bool,
    /// True if the action is marked `?` as doubtful.
    pub doubtful: bool,
}

/// What an action does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Makes the bet or adds to it: the amount, and the commission if written.
    Add(Stake, Option<Money>),
    /// Takes down all or part of the bet: the amount, and the commission if written.
    Remove(Stake, Option<Money>),
    /// Turns the bet on or off, or withdraws that call.
    Call(Called),
    /// Says whether the bet stays up or comes down when it wins.
    Tell(AfterWin),
}

/// One result as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenResult {
    /// Position of the result.
    pub place: Place,
    /// Seat of the bet's owner.
    pub seat: SeatId,
    /// The bet that was decided.
    pub bet: BetName,
    /// How the bet was decided.
    pub outcome: Outcome,
}

/// How a bet was decided, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Won: the winnings without the stake, and the commission taken.
    Won(Money, Money),
    /// Lost this amount.
    Lost(Money),
    /// The stake was returned.
    Returned,
    /// Moved to its number, as a come bet does.
    Moved(Point),
}
