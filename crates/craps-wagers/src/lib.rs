#![doc = include_str!("../README.md")]

mod catalogue;
mod dials;
mod gathered;
mod mechanic;
mod phase;
mod step;
mod wager;

pub use catalogue::{AlreadyInstalled, BadEntry, Catalogue, Combo, EntryFile};
pub use dials::{Bar, ComeOutSeven, Count, Dial, Dials, EndingSeven, NotADial, Points, SixthPoint};
pub use gathered::{Gathered, Goal, NotGathered};
pub use mechanic::{Front, Machine, Mechanic, Part, Side};
pub use phase::Phase;
pub use step::{Progress, Rank, Step};
pub use wager::{Example, Family, Group, Lies, Name, Numbered, Ranks, Wager, WagerId};
