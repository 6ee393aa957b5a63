//! Layouts to scale: a template says where everything would lie at a kind of table, and the rules of one table say what of it there is, in whose
//! words and at which price.
//!
//! ```
//! use craps_law::{HouseRules, Library};
//! use craps_layout::{Layout, Sign, Template};
//! let library = Library::shipped();
//! let book = library.book("nj").unwrap();
//! let rules = book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap();
//! let layout = Layout::new(&Template::of(&rules)?, &rules, &Sign::default())?;
//! let six = layout.areas.iter().find(|area| area.id == "right/PL6").unwrap();
//! assert_eq!((six.bets[0].as_str(), layout.prices["PL6"].pays.as_str()), ("PL6", "7 to 6"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! No place of anything is known to this crate: geometry is in the files of `layouts/`, which are compiled in. It decides nothing about the game.

mod face;
mod lay;
mod more;
mod path;
mod price;
mod svg;
mod template;
mod view;
mod words;

pub use lay::{NoPlace, Sign};
pub use template::Template;
pub use view::{
    Anchor, Area, Band, Crew, CrewPlace, Dice, Edge, End, Face, Fill, Ink, Layout, Mark, Marker, MarkerForm, Price,
    PuckPlace, Shape, Side, Spot, Stack, Station, Surface, Text, View,
};
pub use words::pays;
