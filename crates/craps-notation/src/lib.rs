#![doc = include_str!("../README.md")]

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
    Acted, Difference, Explained, HouseFiles, Names, NoHouseFile, NotARulesTag, Played, Refused, RulesTag, Step, Steps,
    Tags, Unplayable, events_of, explained, house_keys, mark, no_house_files, nth, play, titles,
};
pub use read::{Malformed, read};
pub use session::{NotAnAction, NotResumed, Rolled, Session, action, lock};
