//! Two dice and what can be said of them: faces, totals, points, throws and sets of throws.
//!
//! ```
//! use craps_dice::{Die, Throw, Total};
//! let throw = Throw::new(Die::Five, Die::One);
//! assert_eq!(throw.total(), Total::Six);
//! assert!(!throw.is_hard());
//! assert_eq!(throw.ways(), 2);
//! assert_eq!(throw.to_string(), "1-5");
//! ```
//!
//! This crate knows no wager, no money and no rule; it has no randomness either: dice arrive as data.

mod die;
mod sets;
mod throw;
mod total;

pub use die::Die;
pub use sets::{ThrowSet, TotalSet};
pub use throw::Throw;
pub use total::{Hard, Point, Total};

/// How many ways two dice can fall.
pub const WAYS: u32 = 36;

/// A text that names no die, throw, total or point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotDice {
    /// What was expected, in words.
    pub expected: &'static str,
    /// What stood there instead.
    pub found: String,
}

impl std::fmt::Display for NotDice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for NotDice {}
