//! Strategies as text: rail talk with when-clauses, read into a [`Script`], and at a table made into a [`Program`].
//!
//! ```
//! use craps_law::{HouseRules, Library};
//! use craps_sim::language::Script;
//! use craps_sim::{Engine, Plan, Rules};
//! let text = "
//! strategy Six and eight
//! buy-in   300
//! unit     6
//!
//! when the point is on
//!     2 units each on the six and eight
//! when the six or the eight won and shooter points < 2
//!     press it
//! ";
//! let script = Script::read("six-and-eight.strategy", text).unwrap();
//! let library = Library::shipped();
//! let book = library.book("nj").unwrap();
//! let rules = Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap()).unwrap();
//! let program = script.at(rules.board(), rules.table()).unwrap();
//! let plan = Plan { buy_in: program.buy_in(), throws: 100, stop: None, goal: None };
//! let outcome = Engine::new(&rules, &program).session(7, 1, &plan);
//! assert!(outcome.throws <= 100);
//! ```
//!
//! There are two steps, as what was written is one thing and what it means at a table another. [`Script::read`] knows no table.
//! [`Script::at`] gives every bet its slot, works out what is known beforehand, and makes one list of things to do for each point, so
//! that nothing is looked up while dice fly. What is wrong is told in both steps as [`Mistake`]s: where, what, and what would do.
//!
//! `tokens` cuts lines, `scope` is what a reader knows, `amounts`, `conditions`, `progressions` and `orders` are the grammar, `read` puts
//! lines together; `house` finds bets on the board, `compile` goes to the table, `watch` sees what it reads, `program` plays.

mod amounts;
mod compile;
mod conditions;
mod house;
mod mistake;
mod orders;
#[cfg(test)]
mod played;
mod program;
mod progressions;
mod read;
mod scope;
mod script;
mod tokens;
mod watch;

pub use mistake::{Mistake, Mistakes};
pub use program::{Memory, Program};
pub use script::Script;
