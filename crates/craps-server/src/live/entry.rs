//! The rows of a table's log: who asked for what, and what happened.

use super::{Chain, Digested, Funds, Pace, Retirement, SeatSeed};
use craps_notation::RulesTag;
use craps_store::PublicKey;
use craps_table::{Actor, Command, Crew, Event, Role, SeatId, SlotId};
use serde::{Deserialize, Serialize};

/// A bet as a row of the log names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum BetName {
    /// The code of the bet, such as `PL6`.
    Code(String),
    /// Its index in the list of the table's opening. Only old logs name bets this way.
    Number(SlotId),
}

/// One row of a table's log. `B` is the type that names a bet: a slot while the table plays, a [`BetName`] in storage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry<B = SlotId> {
    /// Who acted, and in which role.
    pub by: By,
    /// Digest of the request, if it had a key. A request under the same key has to be the same request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub asked: Option<String>,
    /// Where chips and coupons came from that the row brought to a rail, or where they went. None at a practice table, whose chips the server makes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub funds: Option<Funds>,
    /// What was done, and what followed.
    pub did: Deed<B>,
}

impl<B> Entry<B> {
    /// Makes the entry of a row.
    #[must_use]
    pub const fn new(by: By, did: Deed<B>) -> Entry<B> {
        Entry { by, asked: None, funds: None, did }
    }
}

/// Who acted: a person or a program, and in which role.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct By {
    /// Id of the account or guest. None for the machine.
    pub who: Option<String>,
    /// The role, and for a player the seat.
    pub actor: Actor,
    /// Is it a program that plays? The table marks bots as bots.
    #[serde(default, skip_serializing_if = "is_not")]
    pub bot: bool,
}

impl By {
    /// A person in a role.
    #[must_use]
    pub fn person(who: impl Into<String>, actor: Actor) -> By {
        By { who: Some(who.into()), actor, bot: false }
    }

    /// The server itself.
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
    /// From a secret that was committed to before the hand, and from the seeds of players.
    Secret,
    /// People roll them. The stickperson enters what they show and the boxperson confirms it.
    People,
}

/// How a table was opened: the content of the first row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opening {
    /// Name of the table, such as `Practice pa`.
    pub name: String,
    /// The book and the day of the law. The row writes them as the header of a game does: `pa as-of 2023-10-01`.
    #[serde(with = "rules_tag")]
    pub rules: RulesTag,
    /// The house rules, as in the header of a game: `odds.k=10; offer=buy,lay`.
    pub house: String,
    /// The game, for a book that has several. None means the book's first game.
    pub game: Option<String>,
    /// Whether a machine or people do the work of the staff.
    pub crew: Crew,
    /// Where the dice come from.
    pub dice: DiceFrom,
    /// Can people play here without an account?
    pub practice: bool,
    /// Can people chat here?
    #[serde(default, skip_serializing_if = "is_not")]
    pub chat: bool,
    /// Is the table open only to the person who opened it and to people with the invitation?
    #[serde(default, skip_serializing_if = "is_not")]
    pub private: bool,
    /// Does what players ask a crew of people for wait for the crew? False with an automatic crew, and in logs from before requests existed.
    #[serde(default, skip_serializing_if = "is_not")]
    pub asks: bool,
    /// Do the rows say where chips and coupons come from? False in logs from before they did.
    #[serde(default, skip_serializing_if = "is_not")]
    pub funded: bool,
    /// Length of the betting window after a roll, in seconds. None if the table has no betting clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub window: Option<u16>,
    /// The witness that takes part in the dice. None if the table has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<WitnessOf>,
    /// The codes of all bets, in the order in which the rows of an old log number them. New rows contain the codes themselves.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slots: Vec<String>,
}

/// The witness that takes part in the dice of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WitnessOf {
    /// Public key of the witness.
    pub key: PublicKey,
    /// Id of the store that has the table, which the witness signs, too.
    pub store: String,
}

/// Writes and reads the book and the day of an opening as text.
mod rules_tag {
    use craps_notation::{NotARulesTag, RulesTag};
    use serde::{Deserialize, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(tag: &RulesTag, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(tag)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<RulesTag, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(|error: NotARulesTag| de::Error::custom(error))
    }
}

/// What a row says was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Deed<B = SlotId> {
    /// The table was opened.
    Opened(Box<Opening>),
    /// An order: commands that were all done, and the events that followed.
    Ordered {
        /// The commands, in order.
        commands: Vec<Command<B>>,
        /// The events that followed, in order.
        events: Vec<Event<B>>,
    },
    /// Orders since the last roll were taken back.
    Undone {
        /// The seat whose orders they were.
        seat: SeatId,
        /// Numbers of the rows that were taken back.
        rows: Vec<u64>,
        /// All other orders since the last roll stand exactly as their rows say. Then `events` is empty. Old logs never say so.
        #[serde(default, skip_serializing_if = "is_not")]
        same: bool,
        /// All events since the last roll without those that were taken back, if the other orders came out differently.
        events: Vec<Event<B>>,
    },
    /// A new hand began: the commitment to its secret.
    Committed {
        /// Number of the hand at this table, from 1.
        hand: u32,
        /// SHA-256 of the secret, in hex.
        commitment: String,
        /// Place of the secret in its chain. None in logs of the first version, where the hash of the row that closed the bets decided the dice.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        chain: Option<Chain>,
    },
    /// The secret of the open hand won't be used any more. The next row commits to another one for the same hand, and bets are open again.
    Retired {
        /// Number of the hand at this table, from 1.
        hand: u32,
        /// Why it isn't used.
        why: Retirement,
        /// The secret, in hex, so that the rolls so far can be verified. None if nobody knows it any more.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        secret: Option<String>,
    },
    /// A player set the seed of their seat.
    Seeded {
        /// The player's seat.
        seat: SeatId,
        /// The seed.
        seed: String,
    },
    /// No more bets. The seeds and the secret decide the dice.
    Closed {
        /// Number of the roll within its hand, from 1.
        throw: u32,
        /// The seeds that count for the roll, in the order of the seats. The seed of the player who rolls may be new.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        seeds: Vec<SeatSeed>,
    },
    /// The witness answered with its signature of the row that closed the bets. It is part of the dice of that roll.
    Witnessed {
        /// The signature, in hex.
        answer: String,
    },
    /// A draw raised prices for the next roll. It is shown before the dice are rolled.
    Drawn {
        /// The draw: wagers and levels.
        draw: Command<B>,
        /// The events that followed, in order.
        events: Vec<Event<B>>,
    },
    /// A roll, and what followed.
    Thrown {
        /// Both faces, the first die first.
        faces: [u8; 2],
        /// A draw that raised prices, in logs from before draws had rows of their own.
        draw: Option<Command<B>>,
        /// The reason, if the faces were in dispute and someone in charge named them.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        named: Option<String>,
        /// The events that followed, in order.
        events: Vec<Event<B>>,
    },
    /// A hand ended: its secret is revealed.
    Revealed {
        /// Number of the hand at this table, from 1.
        hand: u32,
        /// The secret, in hex.
        secret: String,
    },
    /// The stickperson entered what the dice show.
    Entered {
        /// Both faces, the first die first.
        faces: [u8; 2],
    },
    /// The boxperson saw different dice than the stickperson. Nothing is settled until the dice are entered again or named.
    Mismatched {
        /// The faces that the stickperson entered.
        entered: [u8; 2],
        /// The faces that the boxperson saw.
        seen: [u8; 2],
    },
    /// Someone asked for a ruling that moves money. It waits for a second person.
    Proposed {
        /// The ruling, with seat, amount and reason.
        ruling: Command<B>,
    },
    /// A second person rejected a ruling.
    Rejected {
        /// Row of the proposal.
        row: u64,
    },
    /// A second person approved a ruling, and it was done.
    Approved {
        /// Row of the proposal.
        row: u64,
        /// The events that followed, in order.
        events: Vec<Event<B>>,
    },
    /// A chat message.
    Said {
        /// Text of the message.
        words: String,
    },
    /// A player changed how much time they need, or said that they are ready.
    Paced(Pace),
    /// The state of the table after an earlier row, as a digest. A saved state counts only if a row has its digest.
    Marked {
        /// Number of the earlier row.
        row: u64,
        /// Digest of the state.
        digested: Digested,
    },
    /// A private table closed because it was empty.
    TableClosed {
        /// How many minutes it had been empty.
        empty: u32,
    },
}

impl<B> Entry<B> {
    /// Returns the same row with its bets named by another type.
    ///
    /// # Errors
    /// The first error that `name` returns.
    pub fn named<C, E>(self, name: &mut impl FnMut(B) -> Result<C, E>) -> Result<Entry<C>, E> {
        Ok(Entry { by: self.by, asked: self.asked, funds: self.funds, did: self.did.named(name)? })
    }
}

impl<B> Deed<B> {
    /// Returns the events that followed. Empty for deeds without events.
    #[must_use]
    pub fn events(&self) -> &[Event<B>] {
        match self {
            Deed::Ordered { events, .. }
            | Deed::Undone { events, .. }
            | Deed::Drawn { events, .. }
            | Deed::Thrown { events, .. }
            | Deed::Approved { events, .. } => events,
            _ => &[],
        }
    }

    /// Returns the same deed with its events replaced by `told`.
    #[must_use]
    pub fn told_by(mut self, told: impl FnOnce(&[Event<B>]) -> Vec<Event<B>>) -> Deed<B> {
        match &mut self {
            Deed::Ordered { events, .. }
            | Deed::Undone { events, .. }
            | Deed::Drawn { events, .. }
            | Deed::Thrown { events, .. }
            | Deed::Approved { events, .. } => *events = told(events),
            _ => {}
        }
        self
    }

    /// Returns the same deed with its bets named by another type.
    ///
    /// # Errors
    /// The first error that `name` returns.
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
            Deed::Undone { seat, rows, same, events } => Deed::Undone { seat, rows, same, events: all(events, name)? },
            Deed::Committed { hand, commitment, chain } => Deed::Committed { hand, commitment, chain },
            Deed::Retired { hand, why, secret } => Deed::Retired { hand, why, secret },
            Deed::Seeded { seat, seed } => Deed::Seeded { seat, seed },
            Deed::Closed { throw, seeds } => Deed::Closed { throw, seeds },
            Deed::Witnessed { answer } => Deed::Witnessed { answer },
            Deed::Drawn { draw, events } => Deed::Drawn { draw: draw.named(name)?, events: all(events, name)? },
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
            Deed::Marked { row, digested } => Deed::Marked { row, digested },
            Deed::TableClosed { empty } => Deed::TableClosed { empty },
        })
    }
}
