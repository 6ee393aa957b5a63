//! The table: a command is decided by the law, what happens is an event, and state is the fold of events.
//!
//! ```
//! use craps_law::{HouseRules, Library};
//! use craps_table::{Actor, Command, Manner, Role, Table};
//! let library = Library::shipped();
//! let book = library.book("nj").unwrap();
//! let rules = book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap();
//! let mut table = Table::open(rules).unwrap();
//! table.run(Actor::staff(Role::Box), &Command::Join { seat: 1, name: "Ann".into(), money: "500".parse()? }).unwrap();
//! let slot = table.layout().named("place-win-6").unwrap();
//! let seven = Command::Bet { seat: 1, slot, amount: "7".parse()?, manner: Manner::default() };
//! let refusal = table.run(Actor::player(1), &seven).unwrap_err();
//! assert!(refusal.message.contains("6 or 12 would do"), "{refusal}");
//! # Ok::<(), craps_money::NotMoney>(())
//! ```
//!
//! It has no clock, no randomness and no files: dice arrive as data. When a wager wins is the wager's to say, what it pays the book's.

mod bets;
mod command;
mod crew;
mod decide;
mod event;
mod layout;
mod legal;
mod names;
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
