#![doc = include_str!("../README.md")]

mod die;
mod sets;
mod throw;
mod total;

pub use die::Die;
pub use sets::{ThrowSet, TotalSet};
pub use throw::Throw;
pub use total::{Hard, Point, Total};

/// The number of ways two dice can land.
pub const WAYS: u32 = 36;

/// The error for text that can't be read as dice, a total or a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotDice {
    /// What was expected, such as `a total from 2 to 12`.
    pub expected: &'static str,
    /// The text that was found instead.
    pub found: String,
}

impl std::fmt::Display for NotDice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for NotDice {}
