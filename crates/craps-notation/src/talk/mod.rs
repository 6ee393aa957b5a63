//! Rail talk: what players say at the rail, read into orders, and at a table into commands; and commands printed as talk.
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
//! There are two steps, as what was said is one thing and what it means another. [`hear`] reads the words and knows no table: `press my six`
//! is an [`Order`]. [`meant`] knows the table, and so what stands on the six, how 64 goes across with this point, what the most odds are. Neither
//! judges: ten on the six is a command of ten, which the table refuses with the amounts that would do. Both ask back rather than guess, and every
//! [suggestion](AskBack::suggestions) is talk that is understood.
//!
//! `words` cuts a line, `lexicon` holds every name and phrase, `hearing` finds them, `amount` and `names` and `parse` are the grammar, `ask` is for
//! what it does not fit; `meaning`, with `rail`, `stakes` and `behind`, goes to the table, and `say` comes back.

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
    Amount, AskBack, Combo, Cut, Kind, OddsAmount, Order, Question, Raise, Reference, Share, Spoken, Spread, Thrown,
    Verb, Which, Whose, With, in_one,
};
pub use parse::hear;
pub use say::{bet_name, say, slot_name};
pub use stakes::dealers_unit;
