//! Why the server doesn't do something: the table refuses it, or a rule of the server does.

use super::orders::ORDERS_MOST;
use super::{SAID_MOST, SEED_MOST, SEEDS_MOST, TIMES};
use craps_law::Cites;
use craps_table::{Instead, Refusal, SeatId};
use std::fmt;

/// A refusal, by the table or by the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refused {
    /// The table refuses.
    Table(Refusal),
    /// A rule of the server refuses.
    Host(HostCode),
}

/// What a rule of the server refuses, with the values for the sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostCode {
    /// The table was opened without chat.
    NoChat,
    /// A chat message is empty or too long.
    BadLength {
        /// Its length in characters.
        found: usize,
    },
    /// People roll the dice at this table, not the machine.
    DiceByPeople,
    /// The machine rolls the dice at this table, not people.
    DiceByMachine,
    /// The machine rolls only once bets are closed.
    BetsNotClosed,
    /// Other players still have time to bet.
    BetsOpen {
        /// Seconds until the betting window closes.
        seconds: i64,
    },
    /// A die doesn't show such a number.
    NoSuchFaces,
    /// No dice wait for a confirmation.
    NoDiceEntered,
    /// One person entered the dice and wants to confirm them too.
    OwnDice,
    /// No ruling waits under this number.
    NoSuchRuling,
    /// One person asked for a ruling and wants to decide on it too.
    OwnRuling,
    /// One person confirmed a request in one role and wants to confirm it in another too.
    OwnConfirmation,
    /// The table has no betting clock.
    NoClock,
    /// A player can't have so many times the normal time.
    BadPace {
        /// How many times the normal time they asked for.
        found: u8,
    },
    /// Another player is next to have the dice.
    NotYourTurn {
        /// The seat of that player.
        seat: SeatId,
    },
    /// Another player has the dice.
    NotShooter {
        /// The seat of that player.
        seat: SeatId,
    },
    /// Players don't start rolls at this table.
    StaffRolls,
    /// The table has closed permanently.
    TableClosed,
    /// Only the tables of players close by themselves.
    NotPrivate,
    /// Players still have chips at the table.
    SeatsTaken,
    /// A table can be opened only once.
    OpenedOnce,
    /// The crew was asked to confirm something since the last roll, so orders can't be undone.
    CrewAsked,
    /// No draw is due, or another one than the secret gives.
    NoDrawDue,
    /// The player has made too many orders since the last roll.
    TooManyOrders,
    /// The player has made too many orders in this hand.
    TooManyInHand,
    /// The order would make a row that is too long.
    TooLong,
    /// A seed is too long, empty, or has other characters than a seed can have.
    BadSeed {
        /// Its length in characters.
        found: usize,
    },
    /// The player has changed the seed too often since the last roll.
    TooManySeeds,
    /// A seed can be set only from a seat, while bets are open.
    NoSeed,
    /// Bets are closed, and the witness of the dice hasn't answered yet.
    NotWitnessed,
    /// The table waits for no witness, or this isn't its answer.
    NoAnswer,
}

impl HostCode {
    /// Returns the stable code for programs, such as `no-chat`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            HostCode::NoChat => "no-chat",
            HostCode::BadLength { .. } => "bad-length",
            HostCode::DiceByPeople => "dice-by-people",
            HostCode::DiceByMachine => "dice-by-machine",
            HostCode::BetsNotClosed | HostCode::BetsOpen { .. } => "bets-open",
            HostCode::NoSuchFaces => "no-such-faces",
            HostCode::NoDiceEntered => "no-dice-entered",
            HostCode::OwnDice | HostCode::OwnRuling | HostCode::OwnConfirmation => "same-person",
            HostCode::NoSuchRuling => "no-such-ruling",
            HostCode::NoClock => "no-clock",
            HostCode::BadPace { .. } => "bad-pace",
            HostCode::NotYourTurn { .. } | HostCode::NotShooter { .. } | HostCode::StaffRolls => "not-shooter",
            HostCode::TableClosed => "table-closed",
            HostCode::NotPrivate => "not-private",
            HostCode::SeatsTaken => "seats-taken",
            HostCode::OpenedOnce => "opened-once",
            HostCode::CrewAsked => "crew-asked",
            HostCode::NoDrawDue => "no-draw-due",
            HostCode::TooManyOrders | HostCode::TooManyInHand | HostCode::TooLong => "too-many-orders",
            HostCode::BadSeed { .. } => "bad-seed",
            HostCode::TooManySeeds => "too-many-seeds",
            HostCode::NoSeed => "no-seed",
            HostCode::NotWitnessed => "not-witnessed",
            HostCode::NoAnswer => "no-answer",
        }
    }

    /// Returns the sentence for the user.
    #[must_use]
    pub fn sentence(self) -> String {
        match self {
            HostCode::NoChat => "This table was opened without chat.".to_owned(),
            HostCode::BadLength { found } => format!("expected 1 to {SAID_MOST} characters, found {found}"),
            HostCode::DiceByPeople => "People roll the dice at this table.".to_owned(),
            HostCode::DiceByMachine => "The machine rolls the dice at this table.".to_owned(),
            HostCode::BetsNotClosed => "The machine rolls once bets are closed.".to_owned(),
            HostCode::BetsOpen { seconds } => {
                let plural = if seconds == 1 { "" } else { "s" };
                format!("Bets are open for another {seconds} second{plural}, or until everybody is ready to roll.")
            }
            HostCode::NoSuchFaces => "A die shows one to six.".to_owned(),
            HostCode::NoDiceEntered => "No dice have been entered.".to_owned(),
            HostCode::OwnDice => "The person who entered the dice can't confirm them.".to_owned(),
            HostCode::NoSuchRuling => "No ruling is waiting under that number.".to_owned(),
            HostCode::OwnRuling => "A different person has to decide on this ruling.".to_owned(),
            HostCode::OwnConfirmation => "A different person has to confirm this request.".to_owned(),
            HostCode::NoClock => "This table has no betting clock.".to_owned(),
            HostCode::BadPace { found } => {
                format!("times: expected one of {}, found {found}", TIMES.map(|times| times.to_string()).join(", "))
            }
            HostCode::NotYourTurn { seat } => format!("It's seat {seat}'s turn with the dice."),
            HostCode::NotShooter { seat } => format!("Seat {seat} has the dice."),
            HostCode::StaffRolls => "Only the staff can start a roll at this table.".to_owned(),
            HostCode::TableClosed => "This table has closed. Open a new one.".to_owned(),
            HostCode::NotPrivate => "Only a table that a player opened closes by itself.".to_owned(),
            HostCode::SeatsTaken => "Players still have chips at this table. They leave first.".to_owned(),
            HostCode::OpenedOnce => "A table can be opened only once.".to_owned(),
            HostCode::CrewAsked => {
                "The crew has been asked to confirm something. Take your bets down one by one instead.".to_owned()
            }
            HostCode::NoDrawDue => "No draw is due now.".to_owned(),
            HostCode::TooManyOrders => {
                format!(
                    "You have made {ORDERS_MOST} orders since the last roll, or orders with too many bets. Wait for the next roll."
                )
            }
            HostCode::TooManyInHand => {
                "You have made too many orders in this hand. Roll or leave, or wait for the next hand.".to_owned()
            }
            HostCode::TooLong => "This order is too long for one row of the log. Make several orders.".to_owned(),
            HostCode::BadSeed { found } => format!(
                "seed: expected 1 to {SEED_MOST} letters, digits and signs of ASCII without spaces, found {found} characters"
            ),
            HostCode::TooManySeeds => {
                format!("You can change your seed {SEEDS_MOST} times between two rolls. Wait for the next roll.")
            }
            HostCode::NotWitnessed => "The dice wait for the witness of this table.".to_owned(),
            HostCode::NoAnswer => {
                "This isn't what the witness of this table answers to the row that closed the bets.".to_owned()
            }
            HostCode::NoSeed => "A player can set a seed from their own seat while bets are open.".to_owned(),
        }
    }
}

impl Refused {
    /// Returns the stable name of the ground. A rule of the server is always procedure: the law and the house say nothing about it.
    #[must_use]
    pub const fn ground(&self) -> &'static str {
        match self {
            Refused::Table(refusal) => refusal.ground.name(),
            Refused::Host(_) => "procedure",
        }
    }

    /// Returns the stable code for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Refused::Table(refusal) => refusal.code.name(),
            Refused::Host(code) => code.name(),
        }
    }

    /// Returns the sentence for the user.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Refused::Table(refusal) => refusal.sentence(),
            Refused::Host(code) => code.sentence(),
        }
    }

    /// Returns the sections of the law that refuse. Empty if the ground isn't the law.
    #[must_use]
    pub fn cites(&self) -> &Cites {
        static NONE: Cites = Cites(Vec::new());
        match self {
            Refused::Table(refusal) => refusal.cites(),
            Refused::Host(_) => &NONE,
        }
    }

    /// Returns the key of the house rule that refuses. None if the ground isn't a house rule.
    #[must_use]
    pub fn key(&self) -> Option<&str> {
        match self {
            Refused::Table(refusal) => refusal.key(),
            Refused::Host(_) => None,
        }
    }

    /// Returns what the table would accept instead.
    #[must_use]
    pub fn instead(&self) -> &[Instead] {
        match self {
            Refused::Table(refusal) => &refusal.instead,
            Refused::Host(_) => &[],
        }
    }
}

impl From<Refusal> for Refused {
    fn from(refusal: Refusal) -> Refused {
        Refused::Table(refusal)
    }
}

impl From<HostCode> for Refused {
    fn from(code: HostCode) -> Refused {
        Refused::Host(code)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Table(refusal) => refusal.fmt(f),
            Refused::Host(code) => f.write_str(&code.sentence()),
        }
    }
}

impl std::error::Error for Refused {}
