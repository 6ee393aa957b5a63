#![doc = include_str!("../README.md")]

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
mod names;
mod refusal;
mod requests;
mod settle;
mod slots;
mod table;
mod trackers;

pub use bets::{AfterWin, Bet, Called};
pub use board::{Board, Slot, TooManySlots};
pub use command::{Command, Manner, NoRollReason, PassGround, Role, SeatId, Verb};
pub use crew::{Crew, DiceSet, NewDice, Stage};
pub use decide::{Actor, MOST_MONEY, Quote, Terms, WouldWin};
pub use event::{Event, Events};
pub use fast::SeatBets;
pub use flow::Flow;
pub use hand::{AfterDecisions, Hand, Shooter, WindowFacts};
pub use legal::{Legal, RollNet};
pub use refusal::{BetAt, Code, ComeRolls, Ground, Instead, Locked, Opens, Refusal};
pub use requests::{Needs, Request, RequestEnd};
pub use settle::{After, Selection, Sink, Verdict, settle};
pub use slots::{MOST_SLOTS, NARROW, SlotId, Slots, SlotsIter};
pub use table::{Accounts, Seat, State, Table};
pub use trackers::Trackers;
