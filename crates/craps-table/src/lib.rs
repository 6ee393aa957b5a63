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
//! let slot = table.board().named("place-win-6").unwrap();
//! let seven = Command::Bet { seat: 1, slot, amount: "7".parse()?, manner: Manner::default() };
//! let refusal = table.run(Actor::player(1), &seven).unwrap_err();
//! assert!(refusal.message.contains("6 or 12 would do"), "{refusal}");
//! # Ok::<(), craps_money::NotMoney>(())
//! ```
//!
//! It has no clock, no randomness and no files: dice arrive as data. When a wager wins is the wager's to say, what it pays the book's.

mod before;
mod bets;
mod board;
mod command;
mod crew;
mod decide;
mod event;
pub mod fast;
mod flow;
mod hand;
mod legal;
mod refusal;
mod settle;
mod slots;
mod table;
mod trackers;

pub use bets::{AfterWin, Bet, Called};
pub use board::{Board, Slot, TooManySlots};
pub use command::{Command, Manner, NoRollReason, Role, SeatId, Verb};
pub use crew::{Crew, DiceSet, NewDice, Stage};
pub use decide::{Actor, Quote, Terms, WouldWin};
pub use event::{Event, Events};
pub use fast::SeatBets;
pub use flow::Flow;
pub use hand::{AfterDecisions, Hand, Shooter, WindowFacts};
pub use legal::{Legal, RollNet};
pub use refusal::Refusal;
pub use settle::{After, Selection, Sink, Verdict, settle};
pub use slots::{MOST_SLOTS, NARROW, SlotId, Slots, SlotsIter};
pub use table::{Accounts, Seat, State, Table};
pub use trackers::Trackers;
