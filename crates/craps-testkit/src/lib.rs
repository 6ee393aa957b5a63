//! Games played at random, a slow reference for what each bet is owed, and the comparison of both with the table. For tests only.
//!
//! Nothing here is part of the game: the [reference](model) restates the specification bet by bet and shares no code with the engine
//! that it checks; of a table's rules it reads only what a book or a house chose. One printed seed makes a game again.
//!
//! ```
//! use craps_testkit::{agree, sample_houses};
//! let houses = sample_houses();
//! let tally = agree::agree(&houses[0], 7, 50).unwrap_or_else(|difference| panic!("{difference}"));
//! assert_eq!(tally.throws, 50);
//! ```

pub mod agree;
pub mod generate;
mod houses;
pub mod model;
pub mod record;

pub use houses::{House, sample_houses, source_of};
