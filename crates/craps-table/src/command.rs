use crate::crew::NewDice;
use crate::layout::SlotId;
use craps_dice::Throw;
use craps_money::{Money, Stake};
use craps_wagers::WagerId;

/// A place at the table: seats run clockwise, one first.
pub type SeatId = u8;

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// A player.
    Player,
    /// A dealer.
    Dealer,
    /// The stickperson.
    Stick,
    /// The boxperson.
    Box,
    /// The floorperson.
    Floor,
    /// Any other licensed employee.
    Employee,
    /// The machine of an electronic table, or a random number generator.
    Machine,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 7] =
        [Role::Player, Role::Dealer, Role::Stick, Role::Box, Role::Floor, Role::Employee, Role::Machine];

    /// Its name in house rules and games.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Role::Player => "player",
            Role::Dealer => "dealer",
            Role::Stick => "stick",
            Role::Box => "box",
            Role::Floor => "floor",
            Role::Employee => "employee",
            Role::Machine => "rng",
        }
    }

    /// The role of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }
}

/// Why a throw does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoRollReason {
    /// A die left the table.
    OffTable,
    /// One die lies on the other.
    Stacked,
    /// The dice were not thrown together.
    NotTogether,
    /// A die missed the end it must strike.
    EndMissed,
    /// A die rests on the bank.
    BankChips,
    /// A die rests in the cup or on a rail.
    CupOrRail,
    /// Cheating.
    Cheating,
    /// Improper for any other reason.
    Improper,
    /// A die is cocked and shows no one face.
    Cocked,
    /// The faces are in dispute.
    Dispute,
    /// A die in the shaker does not lie flat.
    NotFlat,
    /// The shaker failed.
    Malfunction,
}

impl NoRollReason {
    /// Every reason.
    pub const ALL: [NoRollReason; 12] = [
        NoRollReason::OffTable,
        NoRollReason::Stacked,
        NoRollReason::NotTogether,
        NoRollReason::EndMissed,
        NoRollReason::BankChips,
        NoRollReason::CupOrRail,
        NoRollReason::Cheating,
        NoRollReason::Improper,
        NoRollReason::Cocked,
        NoRollReason::Dispute,
        NoRollReason::NotFlat,
        NoRollReason::Malfunction,
    ];

    /// Its name in games.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            NoRollReason::OffTable => "off-table",
            NoRollReason::Stacked => "stacked",
            NoRollReason::NotTogether => "not-together",
            NoRollReason::EndMissed => "end-missed",
            NoRollReason::BankChips => "bank-chips",
            NoRollReason::CupOrRail => "cup-or-rail",
            NoRollReason::Cheating => "cheating",
            NoRollReason::Improper => "improper",
            NoRollReason::Cocked => "cocked",
            NoRollReason::Dispute => "dispute",
            NoRollReason::NotFlat => "not-flat",
            NoRollReason::Malfunction => "malfunction",
        }
    }

    /// The reason of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<NoRollReason> {
        NoRollReason::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Does it take somebody to call it?
    #[must_use]
    pub const fn is_called(self) -> bool {
        matches!(
            self,
            NoRollReason::NotTogether
                | NoRollReason::EndMissed
                | NoRollReason::BankChips
                | NoRollReason::CupOrRail
                | NoRollReason::Cheating
                | NoRollReason::Improper
        )
    }
}

/// How a bet is made besides its amount.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Manner {
    /// Made while the dice were in the air, confirmed by these.
    pub late: Option<Vec<Role>>,
    /// Spoken, with so much cash.
    pub cash: Option<Stake>,
    /// A match-play coupon laid with it.
    pub coupon: Option<Stake>,
}

/// What is asked of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A player sits down with so much money.
    Join {
        /// Where.
        seat: SeatId,
        /// Who.
        name: String,
        /// With how much.
        money: Money,
    },
    /// A player buys more chips.
    BuyIn {
        /// Where.
        seat: SeatId,
        /// How much.
        money: Stake,
    },
    /// A player leaves with what is on the rail.
    Leave {
        /// Where.
        seat: SeatId,
    },
    /// Make a bet or add to it.
    Bet {
        /// Whose.
        seat: SeatId,
        /// On what.
        slot: SlotId,
        /// How much.
        amount: Stake,
        /// How.
        manner: Manner,
    },
    /// Something other than a new bet that is tried while the dice are in the air.
    InFlight {
        /// What is tried.
        command: Box<Command>,
    },
    /// Take down so much of a bet.
    TakeDown {
        /// Whose.
        seat: SeatId,
        /// Of which.
        slot: SlotId,
        /// How much.
        amount: Stake,
    },
    /// Call a bet on or off, or withdraw the call.
    Call {
        /// Whose.
        seat: SeatId,
        /// Which.
        slot: SlotId,
        /// What.
        called: crate::bets::Called,
    },
    /// Say what becomes of a bet that wins.
    Tell {
        /// Whose.
        seat: SeatId,
        /// Which.
        slot: SlotId,
        /// What.
        after_win: crate::bets::AfterWin,
    },
    /// Somebody takes the dice; none is the dealer.
    TakeDice {
        /// Who.
        seat: Option<SeatId>,
        /// Only to decide come and don't come bets that are left?
        decisions_only: bool,
    },
    /// The shaker is looked over, and tried so many times.
    Inspect {
        /// Trial rolls.
        test_rolls: u32,
    },
    /// The table opens with so many dice.
    OpenTable {
        /// How many.
        dice: u8,
    },
    /// The table closes.
    CloseTable,
    /// A new set of dice.
    NewDice {
        /// Why.
        reason: NewDice,
        /// How many.
        dice: u8,
    },
    /// The staff notes that so many hours have passed with this set of dice.
    NoteHours {
        /// How many.
        hours: u32,
    },
    /// The dice are offered to a seat.
    OfferDice {
        /// Which.
        seat: SeatId,
    },
    /// A player does not want the dice.
    DeclineDice {
        /// Which.
        seat: SeatId,
    },
    /// No more bets.
    CloseBets,
    /// The dice leave the shooter's hand, or the shaker is started.
    Release,
    /// The shooter is ordered to give up the dice.
    OrderPass,
    /// The shooter passes the dice on.
    PassDice,
    /// A draw before the throw gave these levels.
    Draw {
        /// Wagers and their levels, the first level zero.
        selection: Vec<(WagerId, usize)>,
    },
    /// The dice came to rest.
    Throw {
        /// As they lie.
        dice: Throw,
    },
    /// The throw does not count.
    NoRoll {
        /// Why.
        reason: NoRollReason,
        /// Who called it.
        caller: Option<Role>,
    },
    /// A ruling that moves money to or from a rail: a correction, never an erasure.
    Rule {
        /// Whose rail.
        seat: SeatId,
        /// How much, possibly negative.
        amount: Money,
        /// Why.
        reason: String,
    },
}
