//! The catalogue of wagers and the one function that decides them.
//!
//! A wager is a small automaton: [`Machine::step`] takes what the bet has gathered so far, the phase of the game and a roll,
//! and says whether the bet stands, has won (and at which rank), has lost, is pushed, or is credited and stands. The table
//! settles by it, the analyzer solves it, the simulator tabulates it. There is no second statement of when a wager wins.
//!
//! ```
//! use craps_wagers::{Dials, Phase, Step, Wager};
//! let hard_six = Wager::find("hard-6").unwrap();
//! let machine = hard_six.machine(Dials::default());
//! let start = machine.start(None).unwrap();
//! let step = machine.step(start, Phase::ComeOut, "2-4".parse()?);
//! assert_eq!(step, Step::Lost);
//! # Ok::<(), craps_dice::NotDice>(())
//! ```
//!
//! Which wagers there are is data: the files in `wagers/` at the root of the repository, and files that a book brings along
//! ([`Catalogue`]). This crate holds only the mechanics that they are made of. What a rank pays, where a wager may be offered and
//! when it may be made is law, and not known here. Where a text can be read in two ways the reading is a [dial](Dials) on the mechanic.

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
pub use wager::{Example, Family, Group, Lies, Name, Ranks, Wager, WagerId};
