#![doc = include_str!("../README.md")]

mod catalogue;
mod dials;
mod mechanic;
mod phase;
mod step;

pub use catalogue::{CATALOGUE, Family, Group, Name, Ranks, Wager, WagerId};
pub use dials::{Bar, ComeOutSeven, Count, Dial, Dials, EndingSeven, NotADial, Points, SixthPoint};
pub use mechanic::{Front, Machine, Mechanic, Part, Side};
pub use phase::Phase;
pub use step::{Progress, Rank, Step};
