//! Exact odds. The chain of a wager is explored from the same `step()` that settles it, solved in exact fractions, and priced by
//! the same prizes that pay it: there is no formula here that knows a wager.
//!
//! ```
//! use craps_law::Library;
//! use craps_odds::{Solver, price};
//! let library = Library::shipped();
//! let book = library.book("pa").unwrap();
//! let pass = &book.offerings(None)[0];
//! let odds = price(&mut Solver::default(), pass);
//! assert_eq!(odds.edge.to_string(), "7/495");
//! assert_eq!(odds.p_win.to_string(), "244/495");
//! ```
//!
//! [`record`] answers what the command line and the server are asked about odds, [`card`] what they are asked about a wager, [`house`] about a
//! house.
//!
//! This crate knows no book, no price and no house; it has no clock, no randomness and no files.

mod analysis;
pub mod card;
mod chain;
mod combined;
pub mod figures;
pub mod house;
mod power;
mod price;
pub mod record;
mod solve;

pub use analysis::{Analysis, Outcome};
pub use chain::{Chain, End, Start, Verdict};
pub use combined::{WithOdds, with_odds};
pub use dashu_ratio::RBig;
pub use power::{break_even, selected};
pub use price::{Refused, price, price_stake, worth};
pub use solve::{Solution, Solver};
