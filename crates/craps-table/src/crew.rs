//! The crew's steps in a game: open the table with its dice, offer the dice, close bets, release the dice, call the total. An automatic crew does
//! these steps without commands; a crew of people gives a command for each step.

use crate::command::SeatId;
use serde::{Deserialize, Serialize};

/// Who does the crew's work at a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crew {
    /// The program. It does the ordinary steps, so players' bets and the dice are enough to play a game.
    #[default]
    Automatic,
    /// People. Each step needs a command from somebody who is allowed to give it.
    People,
}

/// The current step of the procedure around a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// No dice are at the table.
    #[default]
    Closed,
    /// The shaker passed its inspection and test rolls, so the table can open.
    Inspected,
    /// The dice are being offered: to this seat, or to no seat yet.
    Offering(Option<SeatId>),
    /// Bets are open.
    Betting,
    /// No more bets. The roll is next.
    BetsClosed,
    /// The dice are in the air.
    InFlight,
}

/// The set of dice in use at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceSet {
    /// Number of dice in the set.
    pub dice: u8,
    /// Number of sets used since the table was created, this one included.
    pub sets: u32,
    /// Hours in use, as logged by the staff with `NoteHours`.
    pub hours: u32,
}

/// The reason for a new set of dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NewDice {
    /// The day is over, or the dice reached their time limit.
    Daily,
    /// The table was reopened.
    Reopened,
    /// A die left the table and was lost.
    Lost,
    /// The dice show signs of tampering.
    Tampered,
    /// A die is marked, chipped, scratched or otherwise unfit.
    Unfit,
}

impl NewDice {
    /// All reasons.
    pub const ALL: [NewDice; 5] = [NewDice::Daily, NewDice::Reopened, NewDice::Lost, NewDice::Tampered, NewDice::Unfit];

    /// Returns the name of the reason in game files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            NewDice::Daily => "daily",
            NewDice::Reopened => "reopened",
            NewDice::Lost => "lost",
            NewDice::Tampered => "tampered",
            NewDice::Unfit => "unfit",
        }
    }

    /// Finds a reason by its name. `chipped`, `marked` and `scratched` also mean [`NewDice::Unfit`].
    #[must_use]
    pub fn find(name: &str) -> Option<NewDice> {
        let unfit = ["chipped", "marked", "scratched"].contains(&name).then_some(NewDice::Unfit);
        NewDice::ALL.into_iter().find(|reason| reason.name() == name).or(unfit)
    }
}
