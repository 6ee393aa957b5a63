//! Which house a practice game is played at: a file, or a book with everything it allows.

use crate::commands::book;
use crate::failure::Failure;
use crate::library::read_text;
use craps_law::{HouseRules, Library};
use std::path::Path;

/// The book that is meant where none is named.
pub(crate) fn first(library: &Library) -> &str {
    library.books.first().map_or("", |book| &book.id)
}

/// The house that a word names: a file, or the id of a book.
pub(crate) fn named(library: &Library, word: &str) -> Result<HouseRules, Failure> {
    let path = Path::new(word);
    if word != "-" && !path.exists() && !word.ends_with(".toml") {
        return HouseRules::practice(book(library, word)?).map_err(Failure::Usage);
    }
    let source = read_text(path)?;
    library.house(&source, None).map_err(|error| Failure::in_sources(vec![error], std::slice::from_ref(&source)))
}
