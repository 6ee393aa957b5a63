//! Strategies as text: rail talk with when-clauses. A text is read into a [`Script`], and compiled for a table into a [`Program`].
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
//! There are two steps, because a text and its meaning at a table are different things. [`Script::read`] knows no table. [`Script::at`] gives
//! every bet its slot, computes everything that is known in advance, and makes one list of operations for each point, so that nothing has to be
//! looked up while playing. Both steps report [`Mistake`]s: the place, what is wrong, and what would work.
//!
//! `tokens` splits lines, `scope` holds what the parser knows, `amounts`, `conditions`, `progressions` and `orders` are the grammar, and `read`
//! puts lines together. `house` finds bets on the board, `compile` makes the program, `watch` finds out what it reads, and `program` plays it.

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

#[cfg(test)]
pub(crate) use read::KEYS;
pub(crate) use read::{Keyword, keyword};
pub(crate) use tokens::uncommented;
