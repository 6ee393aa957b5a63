use crate::crew::NewDice;
use crate::slots::SlotId;
use craps_dice::Throw;
use craps_money::{Money, Stake};
use craps_wagers::WagerId;
use serde::{Deserialize, Serialize};

/// A place at the table: seats run clockwise, one first.
pub type SeatId = u8;

/// Who acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
    /// Surveillance: watches.
    Surveillance,
    /// The director of a tournament.
    Director,
    /// An auditor or regulator: reads.
    Auditor,
}

impl Role {
    /// Every role that has a part in a game, and so a name in games.
    pub const ALL: [Role; 7] =
        [Role::Player, Role::Dealer, Role::Stick, Role::Box, Role::Floor, Role::Employee, Role::Machine];

    /// Every role, those who only watch too.
    pub const EVERY: [Role; 10] = [
        Role::Player,
        Role::Dealer,
        Role::Stick,
        Role::Box,
        Role::Floor,
        Role::Employee,
        Role::Machine,
        Role::Surveillance,
        Role::Director,
        Role::Auditor,
    ];

    /// Its name; in house rules and games too where it has a part in them.
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
            Role::Surveillance => "surveillance",
            Role::Director => "director",
            Role::Auditor => "auditor",
        }
    }

    /// The role in games of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// The role as a sentence names it.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Role::Player => "a player",
            Role::Dealer => "the dealer",
            Role::Stick => "the stickperson",
            Role::Box => "the boxperson",
            Role::Floor => "the floorperson",
            Role::Employee => "another employee",
            Role::Machine => "the machine",
            Role::Surveillance => "surveillance",
            Role::Director => "the tournament director",
            Role::Auditor => "an auditor",
        }
    }
}

/// Why a throw does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
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
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manner {
    /// Made while the dice were in the air, confirmed by these.
    pub late: Option<Vec<Role>>,
    /// Spoken, with so much cash.
    pub cash: Option<Stake>,
    /// A match-play coupon laid with it.
    pub coupon: Option<Stake>,
}

/// What is asked of the table. `B` is how it names bets: by their slots at a table, or by codes in a record that outlives the table's
/// numbering.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command<B = SlotId> {
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
        slot: B,
        /// How much.
        amount: Stake,
        /// How.
        manner: Manner,
    },
    /// Something other than a new bet that is tried while the dice are in the air.
    InFlight {
        /// What is tried.
        command: Box<Command<B>>,
    },
    /// Take down so much of a bet.
    TakeDown {
        /// Whose.
        seat: SeatId,
        /// Of which.
        slot: B,
        /// How much.
        amount: Stake,
    },
    /// Call a bet on or off, or withdraw the call.
    Call {
        /// Whose.
        seat: SeatId,
        /// Which.
        slot: B,
        /// What.
        called: crate::bets::Called,
    },
    /// Say what becomes of a bet that wins.
    Tell {
        /// Whose.
        seat: SeatId,
        /// Which.
        slot: B,
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
    /// The faces were in dispute, and whoever decides says how the dice lie.
    NameFaces {
        /// As they lie.
        dice: Throw,
        /// Why.
        reason: String,
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

impl<B> Command<B> {
    /// What kind of act it is. Who may do it is the book's answer to the topic of that name.
    #[must_use]
    pub fn verb(&self) -> Verb {
        match self {
            Command::Join { .. } => Verb::Join,
            Command::BuyIn { .. } => Verb::BuyIn,
            Command::Leave { .. } => Verb::Leave,
            Command::Bet { .. } => Verb::Bet,
            Command::InFlight { command } => command.verb(),
            Command::TakeDown { .. } => Verb::TakeDown,
            Command::Call { .. } => Verb::Call,
            Command::Tell { .. } => Verb::Tell,
            Command::TakeDice { .. } => Verb::TakeDice,
            Command::Inspect { .. } => Verb::Inspect,
            Command::OpenTable { .. } => Verb::OpenTable,
            Command::CloseTable => Verb::CloseTable,
            Command::NewDice { .. } => Verb::NewDice,
            Command::NoteHours { .. } => Verb::NoteHours,
            Command::OfferDice { .. } => Verb::OfferDice,
            Command::DeclineDice { .. } => Verb::DeclineDice,
            Command::CloseBets => Verb::CloseBets,
            Command::Release => Verb::Release,
            Command::OrderPass => Verb::OrderPass,
            Command::PassDice => Verb::PassDice,
            Command::Draw { .. } => Verb::Draw,
            Command::Throw { .. } => Verb::Throw,
            Command::NoRoll { reason: NoRollReason::Dispute, .. } | Command::NameFaces { .. } => Verb::Dispute,
            Command::NoRoll { reason, .. } if reason.is_called() => Verb::NoRoll,
            Command::NoRoll { .. } => Verb::VoidRoll,
            Command::Rule { .. } => Verb::Rule,
        }
    }

    /// The bet that it names, if it names one.
    #[must_use]
    pub fn slot(&self) -> Option<B>
    where
        B: Copy,
    {
        match self {
            Command::Bet { slot, .. }
            | Command::TakeDown { slot, .. }
            | Command::Call { slot, .. }
            | Command::Tell { slot, .. } => Some(*slot),
            Command::InFlight { command } => command.slot(),
            _ => None,
        }
    }

    /// The seat it acts for, if it acts for one.
    #[must_use]
    pub fn seat(&self) -> Option<SeatId> {
        match self {
            Command::Join { seat, .. }
            | Command::BuyIn { seat, .. }
            | Command::Leave { seat }
            | Command::Bet { seat, .. }
            | Command::TakeDown { seat, .. }
            | Command::Call { seat, .. }
            | Command::Tell { seat, .. }
            | Command::OfferDice { seat }
            | Command::DeclineDice { seat }
            | Command::Rule { seat, .. } => Some(*seat),
            Command::TakeDice { seat, .. } => *seat,
            Command::InFlight { command } => command.seat(),
            _ => None,
        }
    }
}

/// What kind of act a command is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// A player sits down.
    Join,
    /// Chips are bought.
    BuyIn,
    /// A player goes.
    Leave,
    /// A bet is made or added to.
    Bet,
    /// A bet comes down.
    TakeDown,
    /// A bet is called on or off.
    Call,
    /// A bet is told what to do when it wins.
    Tell,
    /// The dice are taken.
    TakeDice,
    /// The dice are turned down.
    DeclineDice,
    /// The dice leave the hand, or the shaker is started.
    Release,
    /// The shooter chooses to give up the dice.
    PassDice,
    /// The table opens.
    OpenTable,
    /// The table closes.
    CloseTable,
    /// The shaker is looked over.
    Inspect,
    /// A new set of dice comes.
    NewDice,
    /// The hours of the dice are noted.
    NoteHours,
    /// The dice are offered.
    OfferDice,
    /// Betting is closed.
    CloseBets,
    /// A draw is made.
    Draw,
    /// The total is called.
    Throw,
    /// A throw is void without a call.
    VoidRoll,
    /// No roll is called.
    NoRoll,
    /// A dispute over the faces is decided: a face named, or the throw voided.
    Dispute,
    /// The shooter is ordered to give up the dice.
    OrderPass,
    /// A payment is ruled on.
    Rule,
}

impl Verb {
    /// Every verb.
    pub const ALL: [Verb; 25] = [
        Verb::Join,
        Verb::BuyIn,
        Verb::Leave,
        Verb::Bet,
        Verb::TakeDown,
        Verb::Call,
        Verb::Tell,
        Verb::TakeDice,
        Verb::DeclineDice,
        Verb::Release,
        Verb::PassDice,
        Verb::OpenTable,
        Verb::CloseTable,
        Verb::Inspect,
        Verb::NewDice,
        Verb::NoteHours,
        Verb::OfferDice,
        Verb::CloseBets,
        Verb::Draw,
        Verb::Throw,
        Verb::VoidRoll,
        Verb::NoRoll,
        Verb::Dispute,
        Verb::OrderPass,
        Verb::Rule,
    ];

    /// Its name in the topics of a book.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Verb::Join => "join",
            Verb::BuyIn => "buy_in",
            Verb::Leave => "leave",
            Verb::Bet => "bet",
            Verb::TakeDown => "take_down",
            Verb::Call => "call",
            Verb::Tell => "tell",
            Verb::TakeDice => "take_dice",
            Verb::DeclineDice => "decline_dice",
            Verb::Release => "release",
            Verb::PassDice => "pass_dice",
            Verb::OpenTable => "open_table",
            Verb::CloseTable => "close_table",
            Verb::Inspect => "inspect",
            Verb::NewDice => "new_dice",
            Verb::NoteHours => "note_hours",
            Verb::OfferDice => "offer_dice",
            Verb::CloseBets => "close_bets",
            Verb::Draw => "draw",
            Verb::Throw => "throw",
            Verb::VoidRoll => "void_roll",
            Verb::NoRoll => "no_roll",
            Verb::Dispute => "dispute",
            Verb::OrderPass => "order_pass",
            Verb::Rule => "rule",
        }
    }

    /// The act as a sentence says it: somebody may ….
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Verb::Join => "seat a player",
            Verb::BuyIn => "make a buy-in",
            Verb::Leave => "write a player out",
            Verb::Bet => "make a bet",
            Verb::TakeDown => "take a bet down",
            Verb::Call => "call a bet on or off",
            Verb::Tell => "say what becomes of a bet that wins",
            Verb::TakeDice => "take the dice",
            Verb::DeclineDice => "turn the dice down",
            Verb::Release => "throw",
            Verb::PassDice => "choose to give up the dice",
            Verb::OpenTable => "open the table",
            Verb::CloseTable => "close the table",
            Verb::Inspect => "inspect the shaker",
            Verb::NewDice => "bring new dice",
            Verb::NoteHours => "note the hours of the dice",
            Verb::OfferDice => "offer the dice",
            Verb::CloseBets => "close the betting",
            Verb::Draw => "make the draw",
            Verb::Throw => "call the total",
            Verb::VoidRoll => "say that a throw is void",
            Verb::NoRoll => "call no roll",
            Verb::Dispute => "decide a dispute over the dice",
            Verb::OrderPass => "order the shooter to give up the dice",
            Verb::Rule => "rule on a payment",
        }
    }
}
