#![doc = include_str!("../README.md")]

mod commission;
mod money;
mod odds;
mod payout;

pub use commission::{Base, Commission, Rate, Timing};
pub use money::{Money, Stake};
pub use odds::Odds;
pub use payout::{Payout, Rounding, RoundingRule, Unpayable, WholeDollars};

/// A text or number that is no amount, rate or price.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found `{found}`")]
pub struct NotMoney {
    /// What was expected, in words.
    pub expected: &'static str,
    /// What stood there instead.
    pub found: String,
}

impl NotMoney {
    fn new(expected: &'static str, found: impl ToString) -> NotMoney {
        NotMoney { expected, found: found.to_string() }
    }
}
