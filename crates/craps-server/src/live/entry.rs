//! What a table's log says, row by row: who asked for what, and what came of it.

use super::Pace;
use craps_table::{Actor, Command, Crew, Event, Role, SeatId, SlotId};
use serde::{Deserialize, Serialize};

/// One row of a table's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Who acted.
    pub by: By,
    /// What was done.
    pub did: Deed,
}

/// Who acted: a person or a program, and in which role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct By {
    /// The account or guest; none for the machine itself.
    pub who: Option<String>,
    /// The role, and the seat of a player.
    pub actor: Actor,
    /// Is it a program that plays? Bots are labelled at the table.
    #[serde(default, skip_serializing_if = "is_not")]
    pub bot: bool,
}

impl By {
    /// Somebody in a role.
    #[must_use]
    pub fn person(who: impl Into<String>, actor: Actor) -> By {
        By { who: Some(who.into()), actor, bot: false }
    }

    /// The machine itself.
    #[must_use]
    pub const fn machine() -> By {
        By { who: None, actor: Actor::staff(Role::Machine), bot: false }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_not(said: &bool) -> bool {
    !*said
}

/// Where a table's dice come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DiceFrom {
    /// A secret that is committed to before the hand, and the log.
    Secret,
    /// People throw them: the stickperson enters what they show and the boxperson confirms it.
    People,
}

/// How a table was opened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Its name.
    pub name: String,
    /// The book and the day whose law holds, as the header of a game has them.
    pub rules: String,
    /// The house rules, as the header of a game has them.
    pub house: String,
    /// The game, where the book has several.
    pub game: Option<String>,
    /// Who does what the staff does.
    pub crew: Crew,
    /// Where the dice come from.
    pub dice: DiceFrom,
    /// May anybody play here without an account?
    pub practice: bool,
    /// May people talk to each other here?
    #[serde(default, skip_serializing_if = "is_not")]
    pub chat: bool,
    /// Is it there only for the person who opened it and people with the invitation?
    #[serde(default, skip_serializing_if = "is_not")]
    pub private: bool,
    /// For how many seconds bets stay open after a throw, where they do by the clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u16>,
    /// The names of all bets in the order in which events number them, so that an old log is read right under a longer catalogue.
    pub slots: Vec<String>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Deed {
    /// The table was opened.
    Opened(Box<Opening>),
    /// An order: commands that were done whole, and the events that followed.
    Ordered {
        /// What was asked.
        commands: Vec<Command>,
        /// What followed.
        events: Vec<Event>,
    },
    /// An order since the last throw was taken back; all that still holds since then happened so.
    Undone {
        /// Whose it was.
        seat: SeatId,
        /// The rows that are taken back.
        rows: Vec<u64>,
        /// Everything since the last throw, without them.
        events: Vec<Event>,
    },
    /// A new hand: the commitment to its secret.
    Committed {
        /// The hand's number.
        hand: u32,
        /// SHA-256 of the secret, in hex.
        commitment: String,
    },
    /// No more bets: the hash of this row decides the dice with the secret.
    Closed {
        /// The number of the throw within its hand.
        throw: u32,
    },
    /// The dice, and what followed.
    Thrown {
        /// Both faces, the first die first.
        faces: [u8; 2],
        /// A draw that came before them.
        draw: Option<Command>,
        /// Why, where the faces were in dispute and whoever decides has named them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        named: Option<String>,
        /// What followed.
        events: Vec<Event>,
    },
    /// A hand is over: its secret.
    Revealed {
        /// The hand's number.
        hand: u32,
        /// The secret, in hex.
        secret: String,
    },
    /// The stickperson says how the dice lie.
    Entered {
        /// Both faces.
        faces: [u8; 2],
    },
    /// The boxperson saw other dice than the stickperson: nothing is settled until they are entered anew or decided on.
    Mismatched {
        /// What the stickperson entered.
        entered: [u8; 2],
        /// What the boxperson saw.
        seen: [u8; 2],
    },
    /// Somebody asks for a ruling that moves money: it waits for a second person.
    Proposed {
        /// The ruling.
        ruling: Command,
    },
    /// The second person turned it down.
    Rejected {
        /// The row of the proposal.
        row: u64,
    },
    /// The second person agreed, and it was done.
    Approved {
        /// The row of the proposal.
        row: u64,
        /// What followed.
        events: Vec<Event>,
    },
    /// Something was said at the table.
    Said {
        /// In these words.
        words: String,
    },
    /// A player said how they take the betting window.
    Paced(Pace),
    /// A private table closed for good: nobody was there for so many minutes.
    TableClosed {
        /// How many.
        empty: u32,
    },
}

impl Entry {
    /// The same row for a layout that numbers its slots otherwise: each number has its new one.
    #[must_use]
    pub fn renumbered(self, slots: &[Option<SlotId>]) -> Entry {
        Entry { by: self.by, did: self.did.renumbered(slots) }
    }
}

impl Deed {
    /// What followed.
    #[must_use]
    pub fn events(&self) -> &[Event] {
        match self {
            Deed::Ordered { events, .. }
            | Deed::Undone { events, .. }
            | Deed::Thrown { events, .. }
            | Deed::Approved { events, .. } => events,
            _ => &[],
        }
    }

    /// The same deed for a layout that numbers its slots otherwise: each number has its new one.
    #[must_use]
    pub fn renumbered(mut self, slots: &[Option<SlotId>]) -> Deed {
        if let Deed::Ordered { commands, .. } = &mut self {
            for command in commands {
                *command = command.clone().renumbered(slots);
            }
        }
        match &mut self {
            Deed::Ordered { events, .. }
            | Deed::Undone { events, .. }
            | Deed::Thrown { events, .. }
            | Deed::Approved { events, .. } => {
                for event in events {
                    *event = event.clone().renumbered(slots);
                }
            }
            _ => {}
        }
        self
    }
}
