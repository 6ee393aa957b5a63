#![doc = include_str!("../README.md")]

mod bets;
mod command;
mod crew;
mod decide;
mod event;
mod layout;
mod legal;
mod refusal;
mod settle;
mod slots;
mod table;
mod till;

pub use bets::{AfterWin, Bet, Called, SeatBets};
pub use command::{Command, Manner, NoRollReason, Role, SeatId, Verb};
pub use crew::{Crew, DiceSet, NewDice, Stage};
pub use decide::{Actor, Quote, Terms, WouldWin};
pub use event::{Event, Events};
pub use layout::{Fronts, Layout, Slot, TooManySlots, Turn};
pub use legal::{Legal, Outcome};
pub use refusal::Refusal;
pub use settle::{After, Dealer, Selection, Sink, Verdict, settle};
pub use slots::{SlotId, Slots, SlotsIter};
pub use table::{Accounts, Moment, Seat, Shooter, State, Table};
