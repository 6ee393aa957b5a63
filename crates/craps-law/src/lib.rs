#![doc = include_str!("../README.md")]

mod admit;
mod cite;
pub mod coverage;
mod day;
mod error;
mod errors;
mod fact;
mod folder;
mod house;
mod lines;
mod load;
mod offering;
mod prize;
mod raw;
mod restated;
mod table_rules;
mod verify;
pub mod view;
mod words;

pub use admit::Judgement;
pub use cite::{Cite, Cites};
pub use day::{Day, Days, NotADay};
pub use error::{LawError, Source};
pub use errors::{Errors, LawErrors, Problems};
pub use fact::{
    Against, Allow, Amount, AreaLaw, Choice, Condition, Dated, Demanded, Fact, Make, Modifier, ModifierLine, Needs,
    OddsLaw, Offer, PayTable, Rule, RuleBook, Switch, Total, WagerLaw, Withdrawn, Works,
};
pub use folder::{BookFolder, NotLoaded};
pub use house::{
    Bound, Casino, HouseRules, Key, Keys, Kind, Multiple, NotSet, Offered, Priced, Product, Setting, Value,
};
pub use lines::{AsOf, Aspect, Difference, Line, diff};
pub use load::{Library, NoSuchBook};
pub use offering::{NoSuchOffering, Offering, Prizes};
pub use prize::Prize;
pub use raw::{Amended, Answer, InForce, Most, Plays, Reading, SameAs, Section, SectionPart, Topic, TopicKind, Values};
pub use table_rules::{Limits, LimitsBy, Notice, OddsRules, Problem, SetBy, TableRules, WagerRules};
pub use verify::Finding;
pub use words::{
    AppliesTo, Area, Call, Cap, Excess, Game, Lower, Mark, OnOff, Others, PriceLatitude, Raise, Removal, Settled,
    Standing, TableMax, Who, Window, With,
};
