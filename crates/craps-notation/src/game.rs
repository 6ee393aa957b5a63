//! What a file of games says, as read: nothing is judged here.

use craps_dice::{Point, Throw};
use craps_money::{Money, Stake};
use craps_table::{AfterWin, Called, NoRollReason, Role, SeatId};
use craps_wagers::WagerId;

/// A place in a text: line and column, both counted from one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
}

/// A game: its tags, and what follows them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Game {
    /// Where it begins.
    pub place: Place,
    /// The tags written here, in order.
    pub tags: Vec<Tag>,
    /// Everything else, in order.
    pub lines: Vec<Line>,
}

/// `[Name "text"]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// Where.
    pub place: Place,
    /// Its name.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// One line of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Actions, dice, results.
    Roll(Roll),
    /// `# shooter …`.
    Shooter {
        /// Where.
        place: Place,
        /// Who; none is the dealer.
        seat: Option<SeatId>,
        /// Only for come decisions?
        decisions_only: bool,
        /// Said to be refused?
        refused: bool,
    },
    /// `# end …`.
    End {
        /// Where.
        place: Place,
        /// Rails.
        rails: Vec<(SeatId, Money)>,
    },
    /// `# open …`.
    Open {
        /// Where.
        place: Place,
        /// Bets that stand.
        bets: Vec<(SeatId, BetName, Money)>,
    },
    /// `@role verb …`.
    Procedure {
        /// Where.
        place: Place,
        /// As it was written.
        text: String,
        /// What it asks.
        act: Act,
        /// Said to be refused?
        refused: bool,
    },
    /// `{…}` on its own.
    Comment(String),
}

/// What a procedure line asks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A draw before the throw: wager and level, the first level one.
    Draw(Vec<(WagerId, usize)>),
    /// A player sits down.
    Join(SeatId, String, Money),
    /// A player buys chips.
    BuyIn(SeatId, Stake),
    /// A player leaves.
    Leave(SeatId),
    /// A seat does before the lines that follow what it would else do with the roll: whoever leaves takes down their bets first.
    Does(Box<Action>),
    /// Somebody calls no roll where there is none to call, or may not.
    NoRoll(Role, NoRollReason),
    /// The dice pass by the shooter's choice.
    PassDice,
    /// The dice pass by order.
    OrderPass(Role),
    /// A ruling on a payment.
    Rule(Role, SeatId, Money, String),
    /// Something the staff does that changes no bet and no dice.
    Noted,
}

/// A bet by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BetName {
    /// The wager.
    pub wager: WagerId,
    /// The number that is part of the name.
    pub number: Option<Point>,
}

/// One numbered roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Roll {
    /// Where.
    pub place: Place,
    /// Its number.
    pub number: u32,
    /// What was done before the dice.
    pub actions: Vec<Action>,
    /// The dice.
    pub dice: Dice,
    /// Where the dice stand.
    pub dice_place: Place,
    /// The mark behind the dice.
    pub mark: Option<char>,
    /// The results; none where the second bar is missing.
    pub results: Option<Vec<WrittenResult>>,
    /// Where the results begin.
    pub results_place: Place,
    /// Remarks.
    pub comments: Vec<String>,
}

/// What the dice did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dice {
    /// They lie so.
    Thrown {
        /// How.
        dice: Throw,
        /// As written, the order of the dice kept.
        text: String,
        /// Said to be refused?
        refused: bool,
    },
    /// The throw does not count.
    NoRoll {
        /// Why.
        reason: NoRollReason,
        /// Was the reason written?
        written: bool,
        /// Who called it.
        caller: Option<Role>,
        /// Said to be refused?
        refused: bool,
    },
}

/// One action of one seat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Action {
    /// Where.
    pub place: Place,
    /// Whose.
    pub seat: SeatId,
    /// On which bet.
    pub bet: BetName,
    /// What.
    pub op: Op,
    /// Made in flight, confirmed by these.
    pub late: Option<Vec<Role>>,
    /// Spoken, with cash.
    pub cash: Option<Stake>,
    /// With a coupon.
    pub coupon: Option<Stake>,
    /// Said to be refused?
    pub refused: bool,
    /// Marked as doubtful?
    pub doubtful: bool,
}

/// What an action does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Make or add, with the commission written.
    Add(Stake, Option<Money>),
    /// Take down, with the commission written.
    Remove(Stake, Option<Money>),
    /// Call on, off, or withdraw the call.
    Call(Called),
    /// Leave up or take down when it wins.
    Tell(AfterWin),
}

/// One result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenResult {
    /// Where.
    pub place: Place,
    /// Whose.
    pub seat: SeatId,
    /// Which bet.
    pub bet: BetName,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of a bet, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Won, with the commission taken from it.
    Won(Money, Money),
    /// Lost.
    Lost(Money),
    /// The stake went back.
    Returned,
    /// Moved to its number.
    Moved(Point),
}
