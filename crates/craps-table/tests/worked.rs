//! The worked games of every book check clean, and `fill` gives them back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::Library;
use craps_testkit::worked;

#[test]
fn every_book_has_worked_games_and_they_check_clean() {
    let library = Library::shipped();
    let mut cases = 0;
    for book in &library.books {
        let files = worked::of(&book.id);
        assert!(!files.is_empty(), "{} has no worked games", book.id);
        for (name, text) in files {
            let games = worked::played(&library, &text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
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
    for (name, text) in library.books.iter().flat_map(|book| worked::of(&book.id)) {
        let filled: String = worked::played(&library, &text).unwrap().iter().map(|game| game.filled.clone()).collect();
        let again = worked::played(&library, &filled).unwrap_or_else(|error| panic!("{name}: {error:?}\n{filled}"));
        assert!(again.iter().all(|game| game.differences.is_empty()), "{name}");
        assert_eq!(again.iter().map(|game| game.filled.as_str()).collect::<String>(), filled, "{name}");
    }
}
