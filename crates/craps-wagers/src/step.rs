use serde::{Deserialize, Serialize};

/// What one bet has gathered since it was made: the number it went to, the points made, the totals seen. Only the wager's own
/// mechanic can read it; equal progress means an equal future.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Progress(pub(crate) u16);

impl Progress {
    /// A bet just made.
    pub const FRESH: Progress = Progress(0);

    /// The progress that was packed as these bits.
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

/// Which of a wager's priced outcomes came up. Its name is the wager's to tell: [`crate::Ranks::name`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rank(pub(crate) u8);

impl Rank {
    /// The only rank of a wager that just wins.
    pub const WIN: Rank = Rank(0);

    /// The rank of a composite on which this part wins.
    #[must_use]
    pub const fn of_part(place: u8) -> Rank {
        Rank(place)
    }

    /// The rank as a number: a count, a number, or a place in the list of names.
    #[must_use]
    pub const fn index(self) -> u8 {
        self.0
    }
}

/// What one throw does to one bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Step {
    /// Nothing is decided; the bet goes on with this progress.
    Stand(Progress),
    /// Decided at a rank; what the rank pays is the book's to say, and a rank the book does not price loses.
    Won(Rank),
    /// Decided: the stake is lost.
    Lost,
    /// Void: the stake goes back.
    Pushed,
    /// Paid at a rank, and the bet goes on.
    Credited(Rank, Progress),
}
