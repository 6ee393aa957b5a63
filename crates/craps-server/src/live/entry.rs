//! What a table's log says, row by row: who asked for what, and what came of it.

use super::Pace;
use craps_table::{Actor, Command, Crew, Event, Role, SeatId, SlotId};
use serde::{Deserialize, Serialize};

/// A bet as a row of the log names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BetName {
    /// By its code, such as `PL6`.
    Code(String),
    /// By its number in the list of its table's opening, as rows named bets before they had codes.
    Number(SlotId),
}

/// One row of a table's log. `B` is how it names bets: by slots while a table plays with it, by [`BetName`] as it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry<B = SlotId> {
    /// Who acted.
    pub by: By,
    /// What was done.
    pub did: Deed<B>,
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
    /// The codes of all bets in the order in which the rows of an old log number them. Rows that are written now have codes themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
}

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Deed<B = SlotId> {
    /// The table was opened.
    Opened(Box<Opening>),
    /// An order: commands that were done whole, and the events that followed.
    Ordered {
        /// What was asked.
        commands: Vec<Command<B>>,
        /// What followed.
        events: Vec<Event<B>>,
    },
    /// An order since the last throw was taken back; all that still holds since then happened so.
    Undone {
        /// Whose it was.
        seat: SeatId,
        /// The rows that are taken back.
        rows: Vec<u64>,
        /// Everything since the last throw, without them.
        events: Vec<Event<B>>,
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
        draw: Option<Command<B>>,
        /// Why, where the faces were in dispute and whoever decides has named them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        named: Option<String>,
        /// What followed.
        events: Vec<Event<B>>,
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
        ruling: Command<B>,
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
        events: Vec<Event<B>>,
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

impl<B> Entry<B> {
    /// The same row with its bets named otherwise.
    ///
    /// # Errors
    /// When one of them has no such name, as `name` says.
    pub fn named<C, E>(self, name: &mut impl FnMut(B) -> Result<C, E>) -> Result<Entry<C>, E> {
        Ok(Entry { by: self.by, did: self.did.named(name)? })
    }
}

impl<B> Deed<B> {
    /// What followed.
    #[must_use]
    pub fn events(&self) -> &[Event<B>] {
        match self {
            Deed::Ordered { events, .. }
            | Deed::Undone { events, .. }
            | Deed::Thrown { events, .. }
            | Deed::Approved { events, .. } => events,
            _ => &[],
        }
    }

    /// The same deed with its events told otherwise.
    #[must_use]
    pub fn told_by(mut self, told: impl FnOnce(&[Event<B>]) -> Vec<Event<B>>) -> Deed<B> {
        match &mut self {
            Deed::Ordered { events, .. }
            | Deed::Undone { events, .. }
            | Deed::Thrown { events, .. }
            | Deed::Approved { events, .. } => *events = told(events),
            _ => {}
        }
        self
    }

    /// The same deed with its bets named otherwise.
    ///
    /// # Errors
    /// When one of them has no such name, as `name` says.
    pub fn named<C, E>(self, name: &mut impl FnMut(B) -> Result<C, E>) -> Result<Deed<C>, E> {
        fn all<B, C, E>(events: Vec<Event<B>>, name: &mut impl FnMut(B) -> Result<C, E>) -> Result<Vec<Event<C>>, E> {
            events.into_iter().map(|event| event.named(name)).collect()
        }
        Ok(match self {
            Deed::Opened(opening) => Deed::Opened(opening),
            Deed::Ordered { commands, events } => Deed::Ordered {
                commands: commands.into_iter().map(|command| command.named(name)).collect::<Result<_, E>>()?,
                events: all(events, name)?,
            },
            Deed::Undone { seat, rows, events } => Deed::Undone { seat, rows, events: all(events, name)? },
            Deed::Committed { hand, commitment } => Deed::Committed { hand, commitment },
            Deed::Closed { throw } => Deed::Closed { throw },
            Deed::Thrown { faces, draw, named, events } => Deed::Thrown {
                faces,
                draw: draw.map(|draw| draw.named(name)).transpose()?,
                named,
                events: all(events, name)?,
            },
            Deed::Revealed { hand, secret } => Deed::Revealed { hand, secret },
            Deed::Entered { faces } => Deed::Entered { faces },
            Deed::Mismatched { entered, seen } => Deed::Mismatched { entered, seen },
            Deed::Proposed { ruling } => Deed::Proposed { ruling: ruling.named(name)? },
            Deed::Rejected { row } => Deed::Rejected { row },
            Deed::Approved { row, events } => Deed::Approved { row, events: all(events, name)? },
            Deed::Said { words } => Deed::Said { words },
            Deed::Paced(pace) => Deed::Paced(pace),
            Deed::TableClosed { empty } => Deed::TableClosed { empty },
        })
    }
}
