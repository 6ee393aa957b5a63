use crate::crew::NewDice;
use crate::slots::SlotId;
use craps_dice::Throw;
use craps_money::{Money, Stake};
use craps_wagers::WagerId;
use serde::{Deserialize, Serialize};

/// The number of a seat at the table, clockwise from 1.
pub type SeatId = u8;

/// The role in which somebody acts at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// A player at a seat.
    Player,
    /// A dealer, who pays and takes bets.
    Dealer,
    /// The stickperson, who handles the dice and calls the rolls.
    Stick,
    /// The boxperson, who supervises the table.
    Box,
    /// The floorperson, who supervises several tables.
    Floor,
    /// Any other licensed employee.
    Employee,
    /// The program: an electronic table, an automatic crew or a random number generator.
    Machine,
    /// Surveillance, which only watches.
    Surveillance,
    /// The tournament director.
    Director,
    /// An auditor or regulator, who only reads.
    Auditor,
}

impl Role {
    /// The roles that take part in a game and appear in game files.
    pub const ALL: [Role; 7] =
        [Role::Player, Role::Dealer, Role::Stick, Role::Box, Role::Floor, Role::Employee, Role::Machine];

    /// All roles, including those that only watch.
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

    /// Returns the name of the role, as house rules and game files spell it.
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

    /// Finds a role of [`Role::ALL`] by its name.
    #[must_use]
    pub fn find(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Returns the role with its article, as used in a sentence: `the dealer`.
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

/// The reason why a roll doesn't count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NoRollReason {
    /// A die left the table.
    OffTable,
    /// One die lies on the other.
    Stacked,
    /// The dice didn't leave the hand together.
    NotTogether,
    /// A die missed the end of the table that it must hit.
    EndMissed,
    /// A die came to rest on the bank's chips.
    BankChips,
    /// A die came to rest in the dice cup or on a rail.
    CupOrRail,
    /// The shooter cheated.
    Cheating,
    /// The roll was improper for another reason.
    Improper,
    /// A die is cocked and no single face can be read.
    Cocked,
    /// The faces of the dice are disputed.
    Dispute,
    /// A die in the shaker doesn't lie flat.
    NotFlat,
    /// The shaker malfunctioned.
    Malfunction,
}

impl NoRollReason {
    /// All reasons.
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

    /// Returns the name of the reason in game files.
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

    /// Finds a reason by its name.
    #[must_use]
    pub fn find(name: &str) -> Option<NoRollReason> {
        NoRollReason::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Does somebody have to call "no roll"? If not, the roll is void without a call.
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

/// Details of how a bet is made, other than its amount.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manner {
    /// For a bet made while the dice were in the air: the roles that confirmed it.
    pub late: Option<Vec<Role>>,
    /// For a verbal bet with cash: how much cash.
    pub cash: Option<Stake>,
    /// Value of a match-play coupon that goes with the bet.
    pub coupon: Option<Stake>,
}

/// A request to the table. `B` is how it names bets: by slot at a table, or by code in a stored record, because slot numbers differ between tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Command<B = SlotId> {
    /// A player sits down.
    Join {
        /// The seat to take.
        seat: SeatId,
        /// The player's name.
        name: String,
        /// The first buy-in.
        money: Money,
    },
    /// A player buys more chips.
    BuyIn {
        /// The player's seat.
        seat: SeatId,
        /// Amount of the buy-in.
        money: Stake,
    },
    /// A player leaves with the chips in the rail.
    Leave {
        /// The seat that becomes free.
        seat: SeatId,
    },
    /// Makes a bet, or adds to one.
    Bet {
        /// The player's seat.
        seat: SeatId,
        /// The bet to make.
        slot: B,
        /// Amount to put down, not counting what is already up.
        amount: Stake,
        /// Details: late, verbal or with a coupon.
        manner: Manner,
    },
    /// A command other than a new bet, given while the dice are in the air. The table always refuses it.
    InFlight {
        /// The command that was given.
        command: Box<Command<B>>,
    },
    /// Takes down a bet or part of it.
    TakeDown {
        /// The player's seat.
        seat: SeatId,
        /// The bet to take down.
        slot: B,
        /// Amount to take down.
        amount: Stake,
    },
    /// Turns a bet on or off, or sets it back to the default.
    Call {
        /// The player's seat.
        seat: SeatId,
        /// The bet to turn on or off.
        slot: B,
        /// On, off, or the default.
        called: crate::bets::Called,
    },
    /// Sets what happens to a bet when it wins.
    Tell {
        /// The player's seat.
        seat: SeatId,
        /// The bet this is about.
        slot: B,
        /// Leave it up, take it down, or the default.
        after_win: crate::bets::AfterWin,
    },
    /// Somebody takes the dice.
    TakeDice {
        /// The new shooter's seat. None means the dealer.
        seat: Option<SeatId>,
        /// True to roll only for the come and don't come bets that are left.
        decisions_only: bool,
    },
    /// The shaker is inspected and test-rolled.
    Inspect {
        /// Number of test rolls.
        test_rolls: u32,
    },
    /// The table opens with a set of dice.
    OpenTable {
        /// Number of dice in the set.
        dice: u8,
    },
    /// The table closes.
    CloseTable,
    /// A new set of dice replaces the old one.
    NewDice {
        /// Why the dice are replaced.
        reason: NewDice,
        /// Number of dice in the new set.
        dice: u8,
    },
    /// The staff logs hours of use for this set of dice.
    NoteHours {
        /// Hours to add to those logged before.
        hours: u32,
    },
    /// The stickperson offers the dice to a seat.
    OfferDice {
        /// The seat that can take the dice.
        seat: SeatId,
    },
    /// A player declines the dice.
    DeclineDice {
        /// The player's seat.
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
    /// The result of a draw that raises the prices of some wagers for the next roll.
    Draw {
        /// Wagers with the level drawn for each, counted from 0.
        selection: Vec<(WagerId, usize)>,
    },
    /// The dice came to rest, and the roll is called.
    Throw {
        /// The faces of the dice.
        dice: Throw,
    },
    /// The roll doesn't count.
    NoRoll {
        /// Why it doesn't count.
        reason: NoRollReason,
        /// The role that called it. None if nobody had to, or nobody was named.
        caller: Option<Role>,
    },
    /// The faces were disputed, and the person who decides names them.
    NameFaces {
        /// The faces of the dice, as decided.
        dice: Throw,
        /// Explanation of the decision. It can't be empty.
        reason: String,
    },
    /// A ruling that gives chips to a player or takes chips away. It corrects a mistake; the events before it stay in the log.
    Rule {
        /// The player's seat.
        seat: SeatId,
        /// Amount the player gets, or loses if it is negative.
        amount: Money,
        /// Explanation of the ruling. It can't be empty.
        reason: String,
    },
}

impl<B> Command<B> {
    /// Returns the kind of command. The book's topic of that name says who is allowed to give it.
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

    /// Returns the bet that the command is about, if it is about one.
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

    /// Returns the seat that the command is for, if it is for one.
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

/// The kind of a command. Rule books say for each verb which roles are allowed to do it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verb {
    /// A player sits down.
    Join,
    /// A player buys chips.
    BuyIn,
    /// A player leaves.
    Leave,
    /// A bet is made or added to.
    Bet,
    /// A bet is taken down, or a part of it.
    TakeDown,
    /// A bet is turned on or off.
    Call,
    /// A player says what happens to a bet when it wins.
    Tell,
    /// Somebody takes the dice.
    TakeDice,
    /// A player declines the dice.
    DeclineDice,
    /// The shooter rolls the dice, or the shaker is started.
    Release,
    /// The shooter passes the dice.
    PassDice,
    /// The table opens.
    OpenTable,
    /// The table closes.
    CloseTable,
    /// The shaker is inspected.
    Inspect,
    /// A new set of dice replaces the old one.
    NewDice,
    /// Hours of use are logged for the dice.
    NoteHours,
    /// The dice are offered to a seat.
    OfferDice,
    /// Betting is closed.
    CloseBets,
    /// A draw raises the prices of some wagers.
    Draw,
    /// The total of a roll is called.
    Throw,
    /// A roll is void without a call, such as when a die leaves the table.
    VoidRoll,
    /// No roll is called.
    NoRoll,
    /// A dispute over the faces is decided: the faces are named or the roll is voided.
    Dispute,
    /// The shooter is ordered to give up the dice.
    OrderPass,
    /// A ruling corrects a player's chips.
    Rule,
}

impl Verb {
    /// All verbs.
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

    /// Returns the name of the verb in the topics of a rule book: `may.take_down` has the name `take_down`.
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

    /// Returns the verb as words that follow "can" in a sentence.
    #[must_use]
    pub const fn phrase(self) -> &'static str {
        match self {
            Verb::Join => "seat a player",
            Verb::BuyIn => "make a buy-in",
            Verb::Leave => "cash a player out",
            Verb::Bet => "make a bet",
            Verb::TakeDown => "take a bet down",
            Verb::Call => "turn a bet on or off",
            Verb::Tell => "say what happens to a winning bet",
            Verb::TakeDice => "take the dice",
            Verb::DeclineDice => "decline the dice",
            Verb::Release => "roll the dice",
            Verb::PassDice => "pass the dice",
            Verb::OpenTable => "open the table",
            Verb::CloseTable => "close the table",
            Verb::Inspect => "inspect the shaker",
            Verb::NewDice => "bring in new dice",
            Verb::NoteHours => "log the hours of the dice",
            Verb::OfferDice => "offer the dice",
            Verb::CloseBets => "close betting",
            Verb::Draw => "make the draw",
            Verb::Throw => "call the total",
            Verb::VoidRoll => "void a roll",
            Verb::NoRoll => "call no roll",
            Verb::Dispute => "decide a dispute over the dice",
            Verb::OrderPass => "order the shooter to give up the dice",
            Verb::Rule => "rule on a payment",
        }
    }
}
