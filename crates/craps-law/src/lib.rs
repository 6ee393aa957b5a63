//! The law as data: rule books with citations and dates, what they leave to the house, and the table rules a house gets.
//!
//! ```
//! use craps_law::{HouseRules, Library, Source};
//! let library = Library::shipped();
//! let text = "book = 'pa'\nas_of = 2023-10-01\n[house]\nodds.k = 20\n";
//! let house = HouseRules::parse(&Source { path: "house.toml".into(), text: text.into() })?;
//! let problems = library.book(&house.book).unwrap().admit(&house).unwrap_err();
//! assert_eq!(problems[0].path, "odds.k");
//! assert!(problems[0].cites.to_string().contains("PA 623a.6(e)"));
//! # Ok::<(), craps_law::LawError>(())
//! ```
//!
//! No jurisdiction and no price is known to this crate: both come from the texts it is handed, and it reads no files. The books
//! in `rulebooks/` are compiled in; the command line can hand over others.

mod admit;
mod cite;
mod day;
mod error;
mod fact;
mod house;
mod lines;
mod load;
mod offering;
mod prize;
mod raw;
mod table_rules;
mod verify;
pub mod view;
mod words;

pub use cite::{Cite, Cites};
pub use day::{Day, Days, NotADay};
pub use error::{LawError, Source};
pub use fact::{
    Allow, Amount, AreaLaw, Choice, Dated, Fact, Make, Modifier, ModifierLine, Needs, OddsLaw, Offer, PayTable, Rule,
    RuleBook, Switch, WagerLaw, Withdrawn, Works,
};
pub use house::{Bound, HouseRules, Key, Keys, Kind, Multiple, Offered, Priced, Setting, Value};
pub use lines::{AsOf, Difference, Line, diff};
pub use load::{Library, NoSuchBook};
pub use offering::{Offering, Prizes};
pub use prize::Prize;
pub use raw::{Amended, Answer, InForce, Most, Reading, Section, SectionPart, Topic, TopicKind};
pub use table_rules::{Limits, Notice, OddsRules, Problem, TableRules, WagerRules};
pub use verify::Finding;
pub use words::{
    AppliesTo, Area, Call, Cap, Excess, Game, Lower, OnOff, Others, PriceLatitude, Raise, Removal, Settled, Standing,
    TableMax, Who, Window, With,
};
