//! The commands, one file each: arguments and output.

pub(crate) mod admin;
pub(crate) mod archive;
pub(crate) mod audit;
pub(crate) mod backup;
pub(crate) mod card;
mod coverage;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod game;
pub(crate) mod law;
mod law_check;
mod law_new;
pub(crate) mod layout;
pub(crate) mod odds;
pub(crate) mod serve;
pub(crate) mod sim;
pub(crate) mod wager;
pub(crate) mod witness;

use crate::failure::Failure;
use craps_explain::wager::UnknownWager;
use craps_law::{Library, RuleBook};

/// Returns the named books, or all of them if none is named.
pub(crate) fn books<'a>(library: &'a Library, named: &[String]) -> Result<Vec<&'a RuleBook>, Failure> {
    if named.is_empty() {
        return Ok(library.books.iter().collect());
    }
    named.iter().map(|id| book(library, id)).collect()
}

/// Returns the book with this id.
pub(crate) fn book<'a>(library: &'a Library, id: &str) -> Result<&'a RuleBook, Failure> {
    library.named(id).map_err(|unknown| Failure::Usage(unknown.to_string()))
}

/// Makes the error for an unknown wager. Without a similar name it says how to list all wagers.
pub(crate) fn unknown_wager(unknown: &UnknownWager) -> Failure {
    let hint = if unknown.near.is_empty() { ": `boxperson odds` lists all wagers" } else { "" };
    Failure::Usage(format!("{unknown}{hint}"))
}
