use crate::crew::NewDice;
use crate::slots::SlotId;
use craps_dice::Throw;
use craps_law::Who;
use craps_money::{Money, Stake};
use craps_wagers::WagerId;
use serde::{Deserialize, Serialize};

/// Defines an enum together with the list of its values and their names, so that each value stands in one place.
macro_rules! named {
    (
        $(#[$meta:meta])* $name:ident
        $(#[$all_doc:meta])* $all:ident
        $(#[$name_doc:meta])* name
        { $($(#[$doc:meta])* $variant:ident = $word:expr),+ $(,)? }
    ) => {
        $(#[$meta])*
        pub enum $name {
            $($(#[$doc])* $variant),+
        }

        impl $name {
            $(#[$all_doc])*
            pub const $all: [$name; [$($name::$variant),+].len()] = [$($name::$variant),+];

            $(#[$name_doc])*
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }
        }
    };
}

/// The number of a seat at the table, clockwise from 1.
pub type SeatId = u8;

named! {
    /// The role in which somebody acts at a table.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    Role
    /// All roles, including those that only watch.
    EVERY
    /// Returns the name of the role, as house rules and game files spell it.
    name
    {
        /// A player at a seat.
        Player = Who::Player.name(),
        /// A dealer, who pays and takes bets.
        Dealer = Who::Dealer.name(),
        /// The stickperson, who handles the dice and calls the rolls.
        Stick = Who::Stick.name(),
        /// The boxperson, who supervises the table.
        Box = Who::Box.name(),
        /// The floorperson, who supervises several tables.
        Floor = Who::Floor.name(),
        /// Any other licensed employee.
        Employee = Who::Employee.name(),
        /// The program: an electronic table, an automatic crew or a random number generator.
        Machine = Who::Machine.name(),
        /// Surveillance, which only watches.
        Surveillance = "surveillance",
        /// The tournament director.
        Director = "director",
        /// An auditor or regulator, who only reads.
        Auditor = "auditor",
    }
}

impl Role {
    /// The roles that take part in a game and appear in game files.
    pub const ALL: [Role; 7] =
        [Role::Player, Role::Dealer, Role::Stick, Role::Box, Role::Floor, Role::Employee, Role::Machine];

    /// Finds a role of [`Role::ALL`] by its name.
    #[must_use]
    pub fn find(name: &str) -> Option<Role> {
        Role::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Returns the staff role that a book means. A pit supervisor counts as a floorperson: both supervise several tables. None for players, and for
    /// a word that means several roles.
    #[must_use]
    pub const fn of(who: Who) -> Option<Role> {
        match who {
            Who::Dealer => Some(Role::Dealer),
            Who::Stick => Some(Role::Stick),
            Who::Box => Some(Role::Box),
            Who::Floor | Who::PitSupervisor => Some(Role::Floor),
            Who::Machine => Some(Role::Machine),
            Who::Player | Who::Shooter | Who::Employee => None,
        }
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

named! {
    /// The reason why a roll doesn't count.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    NoRollReason
    /// All reasons.
    ALL
    /// Returns the name of the reason in game files.
    name
    {
        /// A die left the table.
        OffTable = "off-table",
        /// One die lies on the other.
        Stacked = "stacked",
        /// The dice didn't leave the hand together.
        NotTogether = "not-together",
        /// A die missed the end of the table that it must hit.
        EndMissed = "end-missed",
        /// A die came to rest on the bank's chips.
        BankChips = "bank-chips",
        /// A die came to rest in the dice cup or on a rail.
        CupOrRail = "cup-or-rail",
        /// The shooter cheated.
        Cheating = "cheating",
        /// The roll was improper for another reason.
        Improper = "improper",
        /// A die is cocked and no single face can be read.
        Cocked = "cocked",
        /// The faces of the dice are disputed.
        Dispute = "dispute",
        /// A die in the shaker doesn't lie flat.
        NotFlat = "not-flat",
        /// The shaker malfunctioned.
        Malfunction = "malfunction",
        /// Somebody changed the movement of the dice.
        Touched = "touched",
        /// A die came to rest on something that doesn't belong to the game.
        ForeignObject = "foreign-object",
        /// The shooter had no line bet.
        NoLineBet = "no-line-bet",
        /// Somebody rolled who wasn't the shooter.
        WrongShooter = "wrong-shooter",
        /// The power failed before anything was decided.
        PowerFailure = "power-failure",
    }
}

impl NoRollReason {
    /// Finds a reason by its name.
    #[must_use]
    pub fn find(name: &str) -> Option<NoRollReason> {
        NoRollReason::ALL.into_iter().find(|reason| reason.name() == name)
    }

    /// Returns the word of the reason in rule books.
    #[must_use]
    pub fn word(self) -> String {
        self.name().replace('-', "_")
    }
}

named! {
    /// Why a shooter is ordered to give up the dice.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    PassGround
    /// All grounds.
    ALL
    /// Returns the name of the ground in game files.
    name
    {
        /// The shooter delays the game.
        Delay = "delay",
        /// The shooter made invalid rolls again and again.
        InvalidRolls = "invalid-rolls",
        /// The shooter broke the law or the rules of the game.
        Breach = "breach",
    }
}

impl PassGround {
    /// Finds a ground by its name.
    #[must_use]
    pub fn find(name: &str) -> Option<PassGround> {
        PassGround::ALL.into_iter().find(|ground| ground.name() == name)
    }

    /// Returns the word of the ground in rule books.
    #[must_use]
    pub fn word(self) -> String {
        self.name().replace('-', "_")
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
    /// The shooter is ordered to give up the dice, and nobody says why. The table refuses it: the order needs a ground. Old logs have such orders.
    OrderPass,
    /// The shooter is ordered to give up the dice on one of the grounds that the book lists.
    OrderOff {
        /// Why the shooter gives up the dice.
        ground: PassGround,
    },
    /// The shooter passes the dice on.
    PassDice,
    /// A player who is offered the dice names somebody else to roll them.
    Nominate {
        /// The seat that the dice are offered to.
        seat: SeatId,
        /// The seat that rolls instead.
        shooter: SeatId,
    },
    /// Somebody in the crew confirms a request that waits for it, or turns it down.
    Answer {
        /// Number of the request.
        request: u32,
        /// True to confirm, false to turn it down.
        agrees: bool,
    },
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
    /// A player takes down all bets after a power failure, also those that ordinarily stay up.
    Withdraw {
        /// The player's seat.
        seat: SeatId,
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
            Command::OrderPass | Command::OrderOff { .. } => Verb::OrderPass,
            Command::PassDice => Verb::PassDice,
            Command::Nominate { .. } => Verb::Nominate,
            Command::Answer { .. } => Verb::Answer,
            Command::Draw { .. } => Verb::Draw,
            Command::Withdraw { .. } => Verb::TakeDown,
            Command::Throw { .. } => Verb::Throw,
            Command::NoRoll { reason: NoRollReason::Dispute, .. } | Command::NameFaces { .. } => Verb::Dispute,
            Command::NoRoll { .. } => Verb::NoRoll,
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
            | Command::Nominate { seat, .. }
            | Command::Withdraw { seat }
            | Command::Rule { seat, .. } => Some(*seat),
            Command::TakeDice { seat, .. } => *seat,
            Command::InFlight { command } => command.seat(),
            _ => None,
        }
    }
}

named! {
    /// The kind of a command. Rule books say for each verb which roles are allowed to do it.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    Verb
    /// All verbs.
    ALL
    /// Returns the name of the verb in the topics of a rule book: `may.take_down` has the name `take_down`.
    name
    {
        /// A player sits down.
        Join = "join",
        /// A player buys chips.
        BuyIn = "buy_in",
        /// A player leaves.
        Leave = "leave",
        /// A bet is made or added to.
        Bet = "bet",
        /// A bet is taken down, or a part of it.
        TakeDown = "take_down",
        /// A bet is turned on or off.
        Call = "call",
        /// A player says what happens to a bet when it wins.
        Tell = "tell",
        /// Somebody takes the dice.
        TakeDice = "take_dice",
        /// A player declines the dice.
        DeclineDice = "decline_dice",
        /// The shooter rolls the dice, or the shaker is started.
        Release = "release",
        /// The shooter passes the dice.
        PassDice = "pass_dice",
        /// The table opens.
        OpenTable = "open_table",
        /// The table closes.
        CloseTable = "close_table",
        /// The shaker is inspected.
        Inspect = "inspect",
        /// A new set of dice replaces the old one.
        NewDice = "new_dice",
        /// Hours of use are logged for the dice.
        NoteHours = "note_hours",
        /// The dice are offered to a seat.
        OfferDice = "offer_dice",
        /// Betting is closed.
        CloseBets = "close_bets",
        /// A draw raises the prices of some wagers.
        Draw = "draw",
        /// The total of a roll is called.
        Throw = "throw",
        /// A roll is void without a call, such as when a die leaves the table.
        VoidRoll = "void_roll",
        /// No roll is called.
        NoRoll = "no_roll",
        /// A dispute over the faces is decided: the faces are named or the roll is voided.
        Dispute = "dispute",
        /// The shooter is ordered to give up the dice.
        OrderPass = "order_pass",
        /// A player names somebody else to roll the dice.
        Nominate = "nominate",
        /// A request of a player is confirmed or turned down.
        Answer = "answer",
        /// A ruling corrects a player's chips.
        Rule = "rule",
    }
}

impl Verb {
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
            Verb::Nominate => "name another shooter",
            Verb::Answer => "answer this request",
            Verb::Rule => "rule on a payment",
        }
    }
}
