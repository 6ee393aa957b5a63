//! Rail talk: turns what players say into orders, orders at a table into commands, and commands back into talk.
//!
//! ```
//! use craps_law::{HouseRules, Library};
//! use craps_notation::talk::{hear, meant, say};
//! use craps_table::{Actor, Command, Role, Table};
//! let library = Library::shipped();
//! let book = library.book("pa").unwrap();
//! let rules = book.admit(&HouseRules::plain("pa", book.sample_day)).unwrap();
//! let mut table = Table::open(rules).unwrap();
//! table.run(Actor::staff(Role::Box), &Command::Join { seat: 1, name: "Ann".into(), money: "500".parse()? }).unwrap();
//!
//! let orders = hear("22 inside; hard eight five").unwrap();
//! let inside = meant(&table, 1, &orders[0]).unwrap();
//! assert_eq!(inside.echo, "place five for 5; place six for 6; place eight for 6; place nine for 5");
//! let hard = meant(&table, 1, &orders[1]).unwrap();
//! assert_eq!(say(&table, &hard.commands[0]).as_deref(), Some("hard eight for 5"));
//!
//! let ask = hear("12 on the sixx").unwrap_err();
//! assert_eq!((ask.word.as_str(), ask.suggestions), ("sixx", vec!["12 on the six".to_owned()]));
//! # Ok::<(), craps_money::NotMoney>(())
//! ```
//!
//! There are two steps. [`hear`] parses the words without a table: `press my six` becomes an [`Order`]. [`meant`] looks at the table: what is on
//! the six, how 64 across is split with this point, what the maximum odds are. Neither step checks the rules: ten on the six becomes a command
//! for ten, and the table refuses it and names the amounts that work. Both steps ask back instead of guessing, and every
//! [suggestion](AskBack::suggestions) is talk that `hear` understands.
//!
//! `words` splits a line, `lexicon` holds the phrases, `hearing` finds them, `amount`, `names` and `parse` are the grammar, and `ask` builds the
//! question when the grammar doesn't fit. `meaning`, `rail`, `stakes` and `behind` turn orders into commands. `say` turns commands into talk.

mod amount;
mod ask;
mod behind;
mod hearing;
mod lexicon;
mod meaning;
mod names;
mod order;
mod parse;
mod phrasebook;
mod rail;
mod say;
mod stakes;
mod words;

pub use ask::{knows, near};
pub use meaning::{Meaning, meant};
pub use order::{
    Amount, AskBack, AskKind, Combo, Cut, Kind, OddsAmount, Order, Question, Raise, Reference, Share, Spoken, Spread,
    Thrown, Verb, Which, Whose, With, in_one,
};
pub use parse::{hear, hear_at};
pub use say::{bet_name, say, slot_name, thrown_name};
pub use stakes::dealers_unit;
