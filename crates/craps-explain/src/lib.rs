#![doc = include_str!("../README.md")]

pub mod cause;
pub mod duties;
pub mod games;
pub mod house;
pub mod odds;
pub mod playable;
pub mod procedure;
pub mod record;
pub mod replay;
pub mod shown;
pub mod view;
pub mod wager;
pub mod why;

pub use cause::Cause;
pub use games::{GameOf, NotExplained, SettledRoll};
pub use house::HouseCheck;
pub use odds::{OddsAsk, priced};
pub use playable::{Unplayable, playable};
pub use record::OddsRecord;
pub use replay::Replay;
pub use shown::ShownRecord;
pub use wager::WagerCard;
pub use why::WhyCard;
