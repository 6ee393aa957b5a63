//! One file per command: its arguments, and what it prints.

pub(crate) mod card;
pub(crate) mod game;
pub(crate) mod law;
pub(crate) mod odds;
pub(crate) mod sim;
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
    let distance = |slug: &str| {
        if !name.is_empty() && slug.contains(name) { 0 } else { strsim::damerau_levenshtein(name, slug) }
    };
    let mut near: Vec<(usize, &str)> =
        craps_wagers::CATALOGUE.iter().map(|wager| (distance(wager.slug), wager.slug)).collect();
    near.sort_by_key(|(far, _)| *far);
    // Of a short name most letters must be right.
    let reach = (name.chars().count() / 3).min(3);
    let near: Vec<&str> = near.into_iter().filter(|(far, _)| *far <= reach).map(|(_, slug)| slug).take(6).collect();
    let hint = if near.is_empty() {
        "`boxperson odds` lists them all".to_owned()
    } else {
        format!("perhaps {}", near.join(", "))
    };
    Failure::Usage(format!("no wager is called `{name}`: {hint}"))
}
