//! One file per command: its arguments, and what it prints.

pub(crate) mod admin;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod card;
pub(crate) mod export;
pub(crate) mod game;
pub(crate) mod law;
pub(crate) mod layout;
pub(crate) mod odds;
pub(crate) mod serve;
pub(crate) mod sim;
pub(crate) mod wager;

use crate::failure::Failure;
use craps_explain::wager::UnknownWager;
use craps_law::{Library, RuleBook};

/// The books named, or all of them.
pub(crate) fn books<'a>(library: &'a Library, named: &[String]) -> Result<Vec<&'a RuleBook>, Failure> {
    if named.is_empty() {
        return Ok(library.books.iter().collect());
    }
    named.iter().map(|id| book(library, id)).collect()
}

/// The book of that name.
pub(crate) fn book<'a>(library: &'a Library, id: &str) -> Result<&'a RuleBook, Failure> {
    library.named(id).map_err(|unknown| Failure::Usage(unknown.to_string()))
}

/// A wager that nobody knows.
pub(crate) fn unknown_wager(unknown: &UnknownWager) -> Failure {
    let hint = if unknown.near.is_empty() { ": `boxperson odds` lists them all" } else { "" };
    Failure::Usage(format!("{unknown}{hint}"))
}
