//! Finds the house of a practice game: a house file, or a book with everything it allows.

use crate::commands::book;
use crate::failure::Failure;
use crate::library::read_text;
use craps_law::{HouseRules, Library};
use std::path::Path;

/// Returns the id of the default book, the first in the library.
pub(crate) fn first(library: &Library) -> &str {
    library.books.first().map_or("", |book| &book.id)
}

/// Returns the house that `word` names: a file (`-` is standard input), or the id of a book.
pub(crate) fn named(library: &Library, word: &str) -> Result<HouseRules, Failure> {
    let path = Path::new(word);
    if word != "-" && !path.exists() && !word.ends_with(".toml") {
        return HouseRules::practice(book(library, word)?).map_err(|error| Failure::Usage(error.to_string()));
    }
    let source = read_text(path)?;
    library.house(&source, None).map_err(|error| Failure::in_sources(vec![error], std::slice::from_ref(&source)))
}
