//! The staff's part: a table is opened with its dice, the dice are offered round, bets close, dice leave the hand, the total is called.
//! An automatic crew does all of it by itself; a crew of people is waited for.

use crate::command::SeatId;
use serde::{Deserialize, Serialize};

/// Who does what the staff does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crew {
    /// The machine: ordinary acts follow by themselves, so that bets and dice alone play a game.
    #[default]
    Automatic,
    /// People: each act is a command from somebody who may give it.
    People,
}

/// Where the procedure stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stage {
    /// No dice are at the table.
    #[default]
    Closed,
    /// The shaker has been inspected and tried; the table may open.
    Inspected,
    /// The dice are on offer, to this seat if to any yet.
    Offering(Option<SeatId>),
    /// Bets may be made.
    Betting,
    /// No more bets: the next thing is the throw.
    BetsClosed,
    /// The dice have left the hand.
    InFlight,
}

/// The dice at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DiceSet {
    /// How many.
    pub dice: u8,
    /// How many sets there have been.
    pub sets: u32,
    /// Hours since they came to the table, as the staff notes them.
    pub hours: u32,
}

/// Why there is a new set of dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NewDice {
    /// The day is over, or a day has passed.
    Daily,
    /// The table was opened again.
    Reopened,
    /// A die left the table and was lost.
    Lost,
    /// There are signs of tampering.
    Tampered,
    /// A die is marked, chipped, scratched or otherwise unfit.
    Unfit,
}

impl NewDice {
    /// Every reason.
    pub const ALL: [NewDice; 5] = [NewDice::Daily, NewDice::Reopened, NewDice::Lost, NewDice::Tampered, NewDice::Unfit];

    /// Its name in games; an unfit die may also be called by what is wrong with it.
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

    /// The reason of that name.
    #[must_use]
    pub fn find(name: &str) -> Option<NewDice> {
        let unfit = ["chipped", "marked", "scratched"].contains(&name).then_some(NewDice::Unfit);
        NewDice::ALL.into_iter().find(|reason| reason.name() == name).or(unfit)
    }
}
