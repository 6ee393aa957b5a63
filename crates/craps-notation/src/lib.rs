//! CGN, the one text form of a game: hand history, test vector, bug report, evidence.
//!
//! ```
//! use craps_law::Library;
//! use craps_notation::{Names, play, read};
//! let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 4-2 |\n2. 1:PO+20 | 5-1 |\n";
//! let games = read(text)?;
//! let played = play(&Library::shipped(), &games, Names::Codes, &|name| Err(format!("no file {name}"))).unwrap();
//! assert!(played[0].filled.contains("2. 1:PO+20 | 5-1* | 1:P=w10 1:PO=w24"));
//! # Ok::<(), craps_notation::Malformed>(())
//! ```
//!
//! This crate reads texts and gives texts; it opens no files and decides nothing about the game: the table does.

mod calls;
mod felt;
mod game;
mod play;
mod read;
mod session;
pub mod talk;

pub use calls::Calls;
pub use felt::{felt_string, set_up};
pub use game::{Act, Action, BetName, Dice, Game, Line, Op, Outcome, Place, Roll, Tag, WrittenResult};
pub use play::{
    Acted, Difference, Explained, HouseFiles, Names, Played, Refused, Step, Steps, Tags, Unplayable, events_of,
    explained, mark, nth, play, titles,
};
pub use read::{Malformed, read};
pub use session::{NotResumed, Rolled, Session, action, lock};
