#![doc = include_str!("../README.md")]

mod commission;
mod money;
mod odds;
mod payout;

pub use commission::{Base, Commission, Rate, Timing};
pub use money::{Money, Stake};
pub use odds::Odds;
pub use payout::{Payout, Rounding, RoundingRule, Unpayable, WholeDollars};

/// The error for text or a number that can't be read as an amount, a rate or odds.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{found}`")]
pub struct NotMoney {
    /// What was expected, such as `an amount above zero`.
    pub expected: &'static str,
    /// The text that was found instead.
    pub found: String,
}

impl NotMoney {
    fn new(expected: &'static str, found: impl ToString) -> NotMoney {
        NotMoney { expected, found: found.to_string() }
    }
}
