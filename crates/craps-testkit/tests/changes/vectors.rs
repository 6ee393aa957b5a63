//! The worked games of every book check clean, and `fill` gives them back.

use crate::root;
use craps_law::Library;
use craps_notation::{Names, Played, Unplayable, play, read};
use std::fs;

/// The games of one book: file name and text.
pub(crate) fn of(book: &str) -> Vec<(String, String)> {
    let folder = root().join("rulebooks").join(book).join("vectors");
    let mut all: Vec<(String, String)> = fs::read_dir(&folder)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>())
        .unwrap_or_default()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "cgn"))
        .map(|path| {
            (format!("{book}/{}", path.file_name().unwrap().to_string_lossy()), fs::read_to_string(&path).unwrap())
        })
        .collect();
    all.sort();
    all
}

/// Plays games under some books.
pub(crate) fn played(library: &Library, text: &str) -> Result<Vec<Played>, Unplayable> {
    let games = read(text).map_err(|error| Unplayable::Malformed(error.place, error.message))?;
    play(library, &games, Names::Codes, &|name| Err(format!("no file {name}")))
}

#[test]
fn every_book_has_vectors_and_they_check_clean() {
    let library = Library::shipped();
    let mut cases = 0;
    for book in &library.books {
        let files = of(&book.id);
        assert!(!files.is_empty(), "{} has no vectors", book.id);
        for (name, text) in files {
            let games = played(&library, &text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            cases += games.iter().filter(|game| game.rules.is_some()).count();
            let differences: Vec<_> = games.iter().flat_map(|game| &game.differences).collect();
            assert!(differences.is_empty(), "{name}: {differences:#?}");
        }
    }
    assert!(cases > 400, "{cases} cases");
}

#[test]
fn what_fill_prints_checks_clean_and_is_filled_the_same_again() {
    let library = Library::shipped();
    for (name, text) in library.books.iter().flat_map(|book| of(&book.id)) {
        let filled: String = played(&library, &text).unwrap().iter().map(|game| game.filled.clone()).collect();
        let again = played(&library, &filled).unwrap_or_else(|error| panic!("{name}: {error:?}\n{filled}"));
        assert!(again.iter().all(|game| game.differences.is_empty()), "{name}");
        assert_eq!(again.iter().map(|game| game.filled.as_str()).collect::<String>(), filled, "{name}");
    }
}

/// Does a book break the rules for books, or does one of its games come out otherwise?
pub(crate) fn notice(library: &Library, book: &str, games: &[(String, String)]) -> bool {
    let related = library.books.iter().filter(|known| known.id == book || known.based_on.as_deref() == Some(book));
    if related.flat_map(|book| book.verify()).next().is_some() {
        return true;
    }
    games.iter().any(|(_, text)| match played(library, text) {
        Ok(games) => games.iter().any(|game| !game.differences.is_empty()),
        Err(_) => true,
    })
}
