use serde::{Deserialize, Serialize};

/// The state of one bet since it was made: its number, the points made, the totals rolled. Its meaning depends on the wager's
/// mechanic. Two bets with equal progress behave the same from now on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Progress(pub(crate) u16);

impl Progress {
    /// The progress of a new bet (except odds, which start on a number).
    pub const FRESH: Progress = Progress(0);

    /// Makes a progress from its bits.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Progress {
        Progress(bits)
    }

    /// The progress as bits, for packing into tables.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }
}

/// Which of a wager's priced outcomes came up. [`crate::Ranks::name`] gives its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rank(pub(crate) u8);

impl Rank {
    /// The rank of an ordinary win.
    pub const WIN: Rank = Rank(0);

    /// Returns the rank of a composite on which this part wins. The first part is 0.
    #[must_use]
    pub const fn of_part(place: u8) -> Rank {
        Rank(place)
    }

    /// The rank as a number: a count, a point, or an index in the list of names.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// What one roll does to one bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Nothing is decided. The bet stays up with this progress.
    Stand(Progress),
    /// The bet is decided at this rank. The book says what the rank pays, and a rank without a price loses.
    Won(Rank),
    /// The bet loses.
    Lost,
    /// The bet pushes, and the stake is returned.
    Pushed,
    /// The bet is paid at this rank and stays up.
    Credited(Rank, Progress),
}
