//! The codes of refusals, each with its values.

use super::BetAt;
use crate::command::{NoRollReason, PassGround, Role, SeatId, Verb};
use crate::requests::Needs;
use craps_law::Who;
use craps_money::{Money, Stake};
use craps_wagers::WagerId;

/// Defines [`Code`] and the stable name of each variant.
macro_rules! codes {
    ($($(#[$doc:meta])* $code:ident $({ $($(#[$field_doc:meta])* $field:ident: $type:ty),* $(,)? })? = $name:literal,)*) => {
        /// What is wrong, with the values for the sentence.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Code {
            $($(#[$doc])* $code $({ $($(#[$field_doc])* $field: $type),* })?,)*
        }

        impl Code {
            /// The names of all codes that the table itself uses.
            pub const NAMES: &'static [&'static str] = &[$($name),*];

            /// Returns the stable name of the code, such as `below-minimum`.
            #[must_use]
            pub const fn name(&self) -> &'static str {
                match self {
                    $(Code::$code { .. } => $name,)*
                }
            }
        }
    };
}

codes! {
    // Amounts.
    /// The bet would be below its minimum.
    BelowMinimum {
        /// The bet that was tried.
        bet: BetAt,
        /// Minimum total of the bet.
        min: Money,
    } = "below-minimum",
    /// The bet would be above its maximum.
    AboveMaximum {
        /// The bet that was tried.
        bet: BetAt,
        /// Maximum total of the bet.
        max: Money,
    } = "above-maximum",
    /// The bet couldn't be paid in whole chips.
    NotPayable {
        /// The bet that was tried.
        bet: BetAt,
        /// Total that the bet would have.
        amount: Stake,
    } = "not-payable",
    /// The bet must be a multiple of a step.
    NotInSteps {
        /// The bet that was tried.
        bet: BetAt,
        /// Total that the bet would have.
        amount: Stake,
        /// The total must be a multiple of this.
        step: Stake,
    } = "not-in-steps",
    /// The player doesn't have enough chips.
    NotEnoughChips {
        /// Amount needed, including commission.
        needed: Money,
        /// Chips that the player has.
        chips: Money,
    } = "not-enough-chips",
    /// The amount is too large for the table's sums.
    TooMuchMoney = "too-much-money",
    /// A player's chips would be negative.
    NegativeMoney = "negative-money",

    // Bets that can't be made now or here.
    /// The table doesn't offer the wager.
    NotOffered {
        /// The wager that was asked for.
        wager: WagerId,
    } = "not-offered",
    /// The table takes no odds on this number.
    NoOddsOnNumber {
        /// The odds that were tried.
        bet: BetAt,
    } = "no-odds-on-number",
    /// The bet can't be made at this time.
    WindowClosed {
        /// The bet that was tried.
        bet: BetAt,
        /// When the bet can be made.
        opens: Opens,
    } = "window-closed",
    /// Odds need a point.
    NoPoint = "no-point",
    /// Odds need a bet in front of them.
    NoFrontBet {
        /// The odds that were tried.
        bet: BetAt,
        /// The bet that must be in front of them.
        front: Option<BetAt>,
    } = "no-front-bet",
    /// The bet needs a pass or don't pass bet of the same player.
    NeedsLineBet {
        /// The bet that was tried.
        bet: BetAt,
    } = "needs-line-bet",
    /// The bet can't be raised.
    NoRaise {
        /// The bet that is up.
        bet: BetAt,
        /// True if the bet could be raised until it moved to its number.
        moved: bool,
    } = "no-raise",
    /// A draw was made, and bets are closed until a roll counts.
    DrawStands = "draw-stands",
    /// Bets are closed for this roll.
    NoMoreBets = "no-more-bets",
    /// The dice are in the air.
    DiceInAir = "dice-in-air",
    /// Once the dice are rolled, bets can't be taken down or turned on or off.
    NoChangeInAir = "no-change-in-air",
    /// The bet can't be made once the dice are rolled.
    NotInAir {
        /// The bet that was tried.
        bet: BetAt,
    } = "not-in-air",
    /// A late bet wasn't confirmed by the staff who must confirm it.
    NotConfirmed {
        /// Who must confirm it.
        needs: Needs,
    } = "not-confirmed",
    /// No such request waits.
    NoSuchRequest {
        /// The number that was given.
        request: u32,
    } = "no-such-request",
    /// The role has confirmed the request already.
    ConfirmedAlready {
        /// The role that tried again.
        role: Role,
        /// The roles that must still confirm it.
        missing: Vec<Role>,
    } = "confirmed-already",
    /// The role isn't one of those that confirm this request.
    NotTheirRequest {
        /// The role that tried.
        role: Role,
        /// Who confirms it.
        needs: Needs,
    } = "not-their-request",
    /// Players stay seated until the roll on which they have bet is over.
    StaySeated = "stay-seated",
    /// The draw must be made before the dice are rolled.
    DrawFirst = "draw-first",
    /// The order to give up the dice needs a ground.
    NoPassGround {
        /// The grounds that the book lists.
        known: Vec<PassGround>,
    } = "no-pass-ground",
    /// The power hasn't failed, so bets come down one by one.
    NoPowerFailure = "no-power-failure",
    /// The dice can't be rolled by somebody else.
    NoNominee = "no-nominee",
    /// The table is not open.
    TableNotOpen = "table-not-open",
    /// The dice are rolled for come decisions only.
    ComeDecisionsOnly = "come-decisions-only",
    /// The bet can't be made verbally.
    NotBySpeech {
        /// The bet that was tried.
        bet: BetAt,
    } = "not-by-speech",
    /// The table doesn't take coupons.
    NoCoupons = "no-coupons",
    /// Coupons are only for line bets.
    CouponNotHere {
        /// The bet that was tried.
        bet: BetAt,
    } = "coupon-not-here",
    /// The bet must be at least as large as the coupons on it.
    CouponAboveBet {
        /// Value of all coupons on the bet.
        coupons: Money,
    } = "coupon-above-bet",

    // Bets that are up.
    /// The player doesn't have this bet.
    NoSuchBet {
        /// The bet that isn't up.
        bet: BetAt,
    } = "no-such-bet",
    /// The bet can't be taken down until it is decided.
    Locked {
        /// The bet that is up.
        bet: BetAt,
        /// Since when it can't be taken down.
        since: Locked,
    } = "locked",
    /// The amount to take down is more than is on the bet.
    MoreThanStands {
        /// The bet that is up.
        bet: BetAt,
        /// Amount on the bet.
        standing: Money,
    } = "more-than-stands",
    /// The bet can't be turned on.
    NoTurnOn {
        /// The bet that is up.
        bet: BetAt,
    } = "no-turn-on",
    /// The bet can't be turned off.
    NoTurnOff {
        /// The bet that is up.
        bet: BetAt,
    } = "no-turn-off",

    // Roles and seats of the people who act.
    /// The role isn't allowed to do that.
    NotAllowedRole {
        /// The role that tried.
        role: Role,
        /// What it tried to do.
        verb: Verb,
        /// Who is allowed to do it.
        may: Vec<Who>,
    } = "not-allowed-role",
    /// A player acted for another seat.
    NotYourSeat {
        /// The player's own seat.
        own: SeatId,
        /// The other seat. None means the dealer.
        seat: Option<SeatId>,
    } = "not-your-seat",
    /// A player without a seat tried to act.
    NoSeat = "no-seat",
    /// The seat doesn't have the dice.
    NotShooter {
        /// The seat of the player who tried.
        seat: SeatId,
    } = "not-shooter",
    /// The command doesn't say who made the call.
    NoCaller {
        /// The call that needs a caller.
        verb: Verb,
        /// Who is allowed to make it.
        may: Vec<Who>,
    } = "no-caller",
    /// Somebody made a call in the name of another role.
    NotTheirCall {
        /// The role that gave the command.
        role: Role,
        /// The role that the command names as the caller.
        caller: Role,
    } = "not-their-call",
    /// The automatic crew of this table does that without a command.
    CrewOnly = "crew-only",
    /// A ruling needs a reason.
    NoReason = "no-reason",

    // Seats.
    /// Nobody is at that seat.
    NobodyAtSeat {
        /// The empty seat.
        seat: SeatId,
    } = "nobody-at-seat",
    /// The table has no seat with this number.
    NoSuchSeat {
        /// The highest seat number.
        last: SeatId,
    } = "no-such-seat",
    /// Somebody is already at that seat.
    SeatTaken {
        /// The occupied seat.
        seat: SeatId,
    } = "seat-taken",
    /// Bets are still up.
    BetsStand = "bets-stand",

    // Dice.
    /// The shooter needs a line bet.
    NoBetToShoot {
        /// True if only a pass bet counts, not don't pass.
        pass_only: bool,
    } = "no-bet-to-shoot",
    /// The seat has no line bet, and can't make one now.
    CannotShoot {
        /// The seat that wants the dice.
        seat: SeatId,
    } = "cannot-shoot",
    /// Another seat is next in turn for the dice.
    NotNext {
        /// The seat that is next. None if nobody is at the table.
        next: Option<SeatId>,
    } = "not-next",
    /// The dice aren't being offered, or not to this seat.
    DiceNotOffered {
        /// The seat that the dice aren't offered to. None if they aren't offered to anybody.
        seat: Option<SeatId>,
    } = "dice-not-offered",
    /// Nobody has the dice.
    NobodyHasDice = "nobody-has-dice",
    /// The dealer doesn't roll at this table.
    DealerDoesNotRoll = "dealer-does-not-roll",
    /// The house rolls only for bets that are left, and none is.
    NothingLeft = "nothing-left",
    /// The player who rolled a seven gives up the shaker.
    RolledSeven = "rolled-seven",
    /// The dice can't be rolled for come decisions only.
    NoComeRolls {
        /// The reason.
        why: ComeRolls,
    } = "no-come-rolls",
    /// The dice haven't been rolled yet.
    NotReleased = "not-released",
    /// It isn't time to roll.
    NotTimeToRoll = "not-time-to-roll",
    /// The dice have reached their time limit.
    OldDice = "old-dice",
    /// The set has the wrong number of dice.
    WrongDiceCount {
        /// Number of dice that a set must have.
        size: u8,
        /// True for exactly that many, false for at least that many.
        exactly: bool,
    } = "wrong-dice-count",
    /// The book doesn't list that reason for new dice.
    NoReasonForNewDice = "no-reason-for-new-dice",

    // The table.
    /// There is no shaker to inspect.
    NoShaker = "no-shaker",
    /// The shaker must be inspected before the table opens.
    InspectFirst = "inspect-first",
    /// The shaker needs more test rolls.
    MoreTestRolls {
        /// Minimum number of test rolls.
        needed: u32,
    } = "more-test-rolls",
    /// The table is already open.
    AlreadyOpen = "already-open",
    /// Bets close when the dice are rolled.
    BetsCloseOnRoll = "bets-close-on-roll",
    /// There is no betting to close.
    NoBettingNow = "no-betting-now",
    /// The table has no draw.
    NoDraw = "no-draw",
    /// The draw has no such level.
    NoSuchLevel {
        /// The wager in the draw.
        wager: WagerId,
        /// The level that doesn't exist, counted from 1.
        level: usize,
    } = "no-such-level",
    /// A disputed roll can only be voided.
    VoidOnly = "void-only",
    /// Rolls aren't voided for this reason in this game.
    NoSuchNoRoll {
        /// The reason that was given.
        reason: NoRollReason,
    } = "no-such-no-roll",
}

/// When a bet that is closed now can be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Opens {
    /// Before a come-out roll.
    ComeOut,
    /// While a point is on.
    PointOn,
    /// Before a new shooter's first come-out roll.
    NewShooter,
    /// Before a come-out roll that follows a seven.
    AfterSeven,
    /// Before a new shooter's first come-out roll, or one that follows a seven.
    NewShooterOrAfterSeven,
    /// While its tracker is empty.
    NothingRecorded,
    /// Before a come-out roll while its tracker is empty.
    ComeOutNothingRecorded,
    /// Before the first natural or point.
    UntilPoint,
    /// Before the shooter's first roll.
    FirstRoll,
    /// Before its tracker has counted anything.
    NothingCounted,
    /// While its markers are off.
    MarkersOff,
    /// When the dice are no longer rolled for come decisions only.
    OrdinaryRolls,
}

/// Since when a bet can't be taken down.
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

/// Why the dice can't be rolled for come decisions only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComeRolls {
    /// A point is on.
    PointOn,
    /// The game has no rolls for come decisions only.
    NotHere,
    /// A player has a line bet.
    LineBet,
    /// Only the player who rolled last can make these rolls.
    NotLastShooter,
    /// The dice must be offered to everybody else first.
    NotOffered,
    /// No come or don't come bet is left.
    NoneLeft,
}
