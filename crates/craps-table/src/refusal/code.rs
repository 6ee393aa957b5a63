//! What is wrong, as a code with its values.

use super::BetAt;
use crate::command::{NoRollReason, Role, SeatId, Verb};
use craps_law::Who;
use craps_money::{Money, Stake};
use craps_wagers::WagerId;

/// Defines [`Code`] with the stable name of each.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident $({ $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)? })? = $name:literal,)*) => {
        /// What is wrong, with the values that a sentence about it needs.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Code {
            $($(#[$doc])* $code $({ $($(#[$field_doc])* $field: $type),* })?,)*
            /// A rule of the program that hosts the table, in its own words.
            Host {
                /// The stable name of the code.
                name: &'static str,
                /// The sentence.
                words: String,
            },
        }

        impl Code {
            /// The names of all codes of the table itself.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Its stable name, such as `below-minimum`.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Code::$code { .. } => $name,)*
                    Code::Host { name, .. } => name,
                }
            }
        }
    };
}

codes! {
    // Amounts.
    /// The bet would be less than the least.
    BelowMinimum {
        /// On what.
        bet: BetAt,
        /// The least.
        min: Money,
    } = "below-minimum",
    /// The bet would be more than the most.
    AboveMaximum {
        /// On what.
        bet: BetAt,
        /// The most.
        max: Money,
    } = "above-maximum",
    /// The bet could not be paid in whole chips.
    NotPayable {
        /// On what.
        bet: BetAt,
        /// What it would come to.
        amount: Stake,
    } = "not-payable",
    /// The bet goes in steps.
    NotInSteps {
        /// On what.
        bet: BetAt,
        /// What it would come to.
        amount: Stake,
        /// The step.
        step: Stake,
    } = "not-in-steps",
    /// There are not enough chips.
    NotEnoughChips {
        /// What it takes.
        needed: Money,
        /// What is there.
        chips: Money,
    } = "not-enough-chips",
    /// The table cannot count so much money.
    TooMuchMoney = "too-much-money",
    /// Somebody would have less than nothing.
    NegativeMoney = "negative-money",

    // Bets that cannot be made now or here.
    /// The table does not offer the bet.
    NotOffered {
        /// Which.
        wager: WagerId,
    } = "not-offered",
    /// No odds are taken on this number.
    NoOddsOnNumber {
        /// Which odds.
        bet: BetAt,
    } = "no-odds-on-number",
    /// It is not the moment for the bet.
    WindowClosed {
        /// Which bet.
        bet: BetAt,
        /// When it opens.
        opens: Opens,
    } = "window-closed",
    /// Odds need a point.
    NoPoint = "no-point",
    /// Odds need the bet in front of them.
    NoFrontBet {
        /// Which odds.
        bet: BetAt,
        /// The bet in front.
        front: Option<BetAt>,
    } = "no-front-bet",
    /// The bet needs a line bet beside it.
    NeedsLineBet {
        /// Which bet.
        bet: BetAt,
    } = "needs-line-bet",
    /// The bet cannot be added to.
    NoRaise {
        /// Which bet.
        bet: BetAt,
        /// Was it possible before the bet moved to its number?
        moved: bool,
    } = "no-raise",
    /// The draw stands, and bets are closed until a roll counts.
    DrawStands = "draw-stands",
    /// Bets are closed for this roll.
    NoMoreBets = "no-more-bets",
    /// The dice are in the air.
    DiceInAir = "dice-in-air",
    /// Nothing comes down and no bet is turned on or off once the dice are rolled.
    NoChangeInAir = "no-change-in-air",
    /// A bet that is not taken once the dice are rolled.
    NotInAir {
        /// Which bet.
        bet: BetAt,
    } = "not-in-air",
    /// A late bet that those who must did not confirm.
    NotConfirmed {
        /// Who must.
        by: &'static str,
    } = "not-confirmed",
    /// The table is not open.
    TableNotOpen = "table-not-open",
    /// The dice only decide come bets.
    ComeDecisionsOnly = "come-decisions-only",
    /// A bet that is not made by word of mouth.
    NotBySpeech {
        /// Which bet.
        bet: BetAt,
    } = "not-by-speech",
    /// Coupons are not taken.
    NoCoupons = "no-coupons",
    /// Coupons are for line bets.
    CouponNotHere {
        /// Which bet.
        bet: BetAt,
    } = "coupon-not-here",
    /// Coupons ride on a bet of at least as much.
    CouponAboveBet {
        /// What they come to.
        coupons: Money,
    } = "coupon-above-bet",

    // Bets that stand.
    /// No such bet stands.
    NoSuchBet {
        /// Which.
        bet: BetAt,
    } = "no-such-bet",
    /// The bet stays until it is decided.
    Locked {
        /// Which bet.
        bet: BetAt,
        /// Since when.
        since: Locked,
    } = "locked",
    /// More would come down than stands.
    MoreThanStands {
        /// Which bet.
        bet: BetAt,
        /// What stands.
        standing: Money,
    } = "more-than-stands",
    /// The bet cannot be turned on.
    NoTurnOn {
        /// Which bet.
        bet: BetAt,
    } = "no-turn-on",
    /// The bet cannot be turned off.
    NoTurnOff {
        /// Which bet.
        bet: BetAt,
    } = "no-turn-off",

    // Who.
    /// The role does not do that.
    NotAllowedRole {
        /// Who tried.
        role: Role,
        /// What.
        verb: Verb,
        /// Who may.
        may: Vec<Who>,
    } = "not-allowed-role",
    /// Somebody acts for another seat.
    NotYourSeat {
        /// Their own seat.
        own: SeatId,
        /// The other; none for the dealer's place.
        seat: Option<SeatId>,
    } = "not-your-seat",
    /// A player acts without a seat.
    NoSeat = "no-seat",
    /// The seat does not have the dice.
    NotShooter {
        /// Which seat.
        seat: SeatId,
    } = "not-shooter",
    /// Nobody is said to have called it.
    NoCaller {
        /// What.
        verb: Verb,
        /// Who may.
        may: Vec<Who>,
    } = "no-caller",
    /// Somebody calls it in the name of another.
    NotTheirCall {
        /// Who gives the command.
        role: Role,
        /// Whose call it is said to be.
        caller: Role,
    } = "not-their-call",
    /// The crew of this table does that by itself.
    CrewOnly = "crew-only",
    /// A ruling without a reason.
    NoReason = "no-reason",

    // Seats.
    /// Nobody is at that seat.
    NobodyAtSeat {
        /// Which.
        seat: SeatId,
    } = "nobody-at-seat",
    /// There is no such seat.
    NoSuchSeat {
        /// The last one.
        last: SeatId,
    } = "no-such-seat",
    /// Somebody is there.
    SeatTaken {
        /// Where.
        seat: SeatId,
    } = "seat-taken",
    /// Bets still stand.
    BetsStand = "bets-stand",

    // Dice.
    /// The shooter needs a line bet.
    NoBetToShoot {
        /// Does only a pass bet do?
        pass_only: bool,
    } = "no-bet-to-shoot",
    /// The seat has no line bet, and it is too late to make one.
    CannotShoot {
        /// Which.
        seat: SeatId,
    } = "cannot-shoot",
    /// Another seat is next.
    NotNext {
        /// Which is; none where nobody is at the table.
        next: Option<SeatId>,
    } = "not-next",
    /// The dice are not on offer, or not to this seat.
    DiceNotOffered {
        /// Which seat.
        seat: Option<SeatId>,
    } = "dice-not-offered",
    /// Nobody has the dice.
    NobodyHasDice = "nobody-has-dice",
    /// The dealer does not roll here.
    DealerDoesNotRoll = "dealer-does-not-roll",
    /// The player who rolled a seven gives up the shaker.
    RolledSeven = "rolled-seven",
    /// The dice are not rolled for come decisions only.
    NoComeRolls {
        /// Why not.
        why: ComeRolls,
    } = "no-come-rolls",
    /// The dice have not left the hand.
    NotReleased = "not-released",
    /// It is not the time to roll.
    NotTimeToRoll = "not-time-to-roll",
    /// The dice have been in use for too long.
    OldDice = "old-dice",
    /// A set has another number of dice.
    WrongDiceCount {
        /// How many.
        size: u8,
        /// Exactly as many, or at least.
        exactly: bool,
    } = "wrong-dice-count",
    /// The book has no such reason for a new set.
    NoReasonForNewDice = "no-reason-for-new-dice",

    // The table.
    /// There is no shaker to inspect.
    NoShaker = "no-shaker",
    /// The shaker is inspected before the table opens.
    InspectFirst = "inspect-first",
    /// The shaker needs more test rolls.
    MoreTestRolls {
        /// How many.
        needed: u32,
    } = "more-test-rolls",
    /// The table is open already.
    AlreadyOpen = "already-open",
    /// Bets close when the dice are rolled.
    BetsCloseOnRoll = "bets-close-on-roll",
    /// There is no betting to close.
    NoBettingNow = "no-betting-now",
    /// The table has no draw.
    NoDraw = "no-draw",
    /// The draw has no such level.
    NoSuchLevel {
        /// Of which wager.
        wager: WagerId,
        /// Which, counted from one.
        level: usize,
    } = "no-such-level",
    /// A disputed roll can only be voided.
    VoidOnly = "void-only",
    /// That does not happen in this game.
    NoSuchNoRoll {
        /// What.
        reason: NoRollReason,
    } = "no-such-no-roll",
}

/// When a bet opens that is closed now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opens {
    /// Before a come-out.
    ComeOut,
    /// While a point is on.
    PointOn,
    /// Before a new shooter's first come-out.
    NewShooter,
    /// Before a come-out that follows a seven.
    AfterSeven,
    /// Before a new shooter's first come-out or one that follows a seven.
    NewShooterOrAfterSeven,
    /// While nothing has been recorded for it.
    NothingRecorded,
    /// Before a come-out while nothing has been recorded for it.
    ComeOutNothingRecorded,
    /// Until the first natural or point.
    UntilPoint,
    /// Before the shooter's first roll.
    FirstRoll,
    /// Until something has been counted for it.
    NothingCounted,
    /// While its markers are off.
    MarkersOff,
    /// When the dice decide more than come bets again.
    OrdinaryRolls,
}

/// Since when a bet stays until it is decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Locked {
    /// Since it was made.
    Made,
    /// Since its point was set.
    PointSet,
    /// Since a point was set after it was made.
    FirstPoint,
    /// Since the first roll after it was made.
    FirstRoll,
}

/// Why the dice are not rolled for come decisions only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComeRolls {
    /// A point is on.
    PointOn,
    /// The game has no such rolls.
    NotHere,
    /// Somebody has a line bet.
    LineBet,
    /// Only the last shooter rolls for them.
    NotLastShooter,
    /// No come bet is left.
    NoneLeft,
}
