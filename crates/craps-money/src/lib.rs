//! Money in minor units, stakes that are never zero, odds that keep "to" and "for" apart, payouts under a rounding rule,
//! and commission.
//!
//! ```
//! use craps_money::{Odds, Rounding, Stake};
//! let place_six: Odds = "7 to 6".parse()?;
//! let whole_chips = Rounding::exact(Stake::whole(1)?);
//! assert_eq!(whole_chips.payout(Stake::whole(12)?, place_six)?.paid.to_string(), "14");
//! assert!(whole_chips.payout(Stake::whole(10)?, place_six).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! This crate knows no dice, no wager and no place. All arithmetic is checked; nothing here is a float.

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
