//! Lines of a stream, as far as bots need them.

use serde::Deserialize;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// One line of a stream, with the fields of all kinds of lines, so that the order of fields in the JSON doesn't matter.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Line {
    pub(crate) kind: Kind,
    /// Numbers of the rows that an undo took back.
    pub(crate) rows: Vec<u64>,
    /// Number of the row, or of the last row of a table.
    pub(crate) seq: u64,
    pub(crate) at: i64,
    pub(crate) did: Option<String>,
    pub(crate) role: Option<String>,
    pub(crate) of: Option<u8>,
    pub(crate) happened: Vec<Happened>,
    pub(crate) roll: Option<Roll>,
    pub(crate) rails: Vec<Rail>,
    /// The bets that an undo left at its seat.
    pub(crate) bets: Option<Vec<Bet>>,
    pub(crate) seats: Vec<Seat>,
    pub(crate) point: Option<u8>,
    pub(crate) shooter: Option<Shooter>,
    pub(crate) limits: Limits,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    Table,
    #[default]
    Row,
    Answer,
    Error,
    Alive,
    Bye,
}

/// The answer to a command, without what its rows say.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Answer {
    pub(crate) kind: Kind,
    /// Key of the command.
    pub(crate) id: Option<String>,
    pub(crate) code: Option<String>,
    pub(crate) again: bool,
    pub(crate) rows: Vec<Numbered>,
}

impl Answer {
    /// Returns the numbers of the rows.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        self.rows.iter().map(|row| row.seq).collect()
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Numbered {
    seq: u64,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Happened {
    pub(crate) what: String,
    pub(crate) seat: Option<u8>,
    pub(crate) bet: Option<Named>,
    pub(crate) left: Option<Bet>,
    pub(crate) money: i64,
    pub(crate) staked: i64,
    pub(crate) commission: i64,
    pub(crate) returned: i64,
    pub(crate) refunded: i64,
    pub(crate) point: Option<u8>,
}

/// A bet: only its code, or with its amount.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Named {
    Code(String),
    Whole(Bet),
}

#[derive(Debug, Deserialize)]
pub(crate) struct Bet {
    pub(crate) bet: String,
    pub(crate) stake: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Roll {
    pub(crate) dice: [u8; 2],
    pub(crate) mark: Option<String>,
    pub(crate) results: Vec<Decided>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Decided {
    pub(crate) seat: u8,
    pub(crate) bet: String,
    pub(crate) stake: i64,
    pub(crate) paid: i64,
    pub(crate) commission: i64,
    pub(crate) stands: Option<Bet>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Rail {
    pub(crate) seat: u8,
    pub(crate) rail: i64,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Seat {
    pub(crate) seat: u8,
    pub(crate) own: bool,
    pub(crate) rail: Option<i64>,
    pub(crate) bets: Vec<Bet>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub(crate) struct Shooter {
    pub(crate) seat: Option<u8>,
}

#[derive(Debug, Default, Deserialize)]
pub(crate) struct Limits {
    pub(crate) min: Option<u64>,
}

impl Line {
    /// Returns a hash of the parts of a row that are the same for everybody.
    pub(crate) fn digest(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.seq, self.at, &self.did, &self.role, self.roll.as_ref().map(|roll| (roll.dice, &roll.mark)))
            .hash(&mut hasher);
        hasher.finish()
    }
}
