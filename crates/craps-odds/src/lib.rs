#![doc = include_str!("../README.md")]

mod analysis;
mod chain;
mod combined;
pub mod figures;
mod power;
mod price;
mod solve;

pub use analysis::{Analysis, Outcome};
pub use chain::{Chain, End, Start, Verdict};
pub use combined::{WithOdds, with_odds};
pub use dashu_ratio::RBig;
pub use power::{break_even, selected};
pub use price::{Refused, price, price_stake, worth};
pub use solve::{Solution, Solver};
