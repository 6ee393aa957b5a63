//! Which house a practice game is played at: a file, or a book with everything it allows.

use crate::commands::book;
use crate::failure::Failure;
use crate::library::read_text;
use craps_law::{HouseRules, Library, RuleBook};
use std::path::Path;

/// What a practice table posts where only a book is named: something to bet with five hundred.
const POSTED: [(&str, &str); 3] = [("offer", "all"), ("limits.min", "5"), ("limits.max", "5000")];

/// The house that a word names: a file, or the id of a book.
pub(crate) fn named(library: &Library, word: &str) -> Result<HouseRules, Failure> {
    let path = Path::new(word);
    if word != "-" && !path.exists() && !word.ends_with(".toml") {
        return practice(book(library, word)?);
    }
    let source = read_text(path)?;
    let house =
        HouseRules::parse(&source).map_err(|error| Failure::in_sources(vec![error], std::slice::from_ref(&source)))?;
    if library.book(&house.book).is_none() {
        let known: Vec<&str> = library.books.iter().map(|book| book.id.as_str()).collect();
        return Err(Failure::in_sources(vec![house.unknown_book(&source, &known)], std::slice::from_ref(&source)));
    }
    Ok(house)
}

fn practice(book: &RuleBook) -> Result<HouseRules, Failure> {
    let mut house = HouseRules::plain(&book.id, book.sample_day);
    let offers_draw = !book.modifiers.is_empty();
    for (key, value) in POSTED.into_iter().chain(offers_draw.then_some(("power_odds.offered", "no"))) {
        house.set(key, value).map_err(Failure::Usage)?;
    }
    Ok(house)
}

/// The house as the text of its tag, complete in itself.
pub(crate) fn tag(house: &HouseRules) -> String {
    house.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("; ")
}
