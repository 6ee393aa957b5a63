//! One file per command: its arguments, and what it prints.

pub(crate) mod card;
pub(crate) mod law;
pub(crate) mod odds;
pub(crate) mod wager;

use crate::failure::Failure;
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
    library.book(id).ok_or_else(|| {
        let known: Vec<&str> = library.books.iter().map(|book| book.id.as_str()).collect();
        Failure::Usage(format!("no book is called `{id}`: expected one of {}", known.join(", ")))
    })
}

/// A wager that nobody knows, with the names that come closest.
pub(crate) fn unknown_wager(name: &str) -> Failure {
    let stem = |slug: &str| slug.chars().take_while(|c| !c.is_ascii_digit()).collect::<String>();
    let near: Vec<&str> = craps_wagers::CATALOGUE
        .iter()
        .map(|wager| wager.slug)
        .filter(|slug| slug.contains(name) || name.contains(slug) || (name.len() > 2 && stem(slug).starts_with(&name[..name.len().min(3)])))
        .take(6)
        .collect();
    let hint = if near.is_empty() { "`boxperson odds` lists them all".to_owned() } else { format!("perhaps {}", near.join(", ")) };
    Failure::Usage(format!("no wager is called `{name}`: {hint}"))
}
