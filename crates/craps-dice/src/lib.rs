#![doc = include_str!("../README.md")]

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
