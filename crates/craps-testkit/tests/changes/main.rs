//! Nothing that the program reads can change unnoticed: no fact of a book, no answer of a book to a question of procedure, and no entry of the
//! catalogue of wagers.
//!
//! Each test changes one thing at a time and asks who notices. The tests try a part of the changes, chosen by a seed;
//! `BOXPERSON_CHANGES=all` tries all of them (`cargo xtask long changes`).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]
#![allow(clippy::print_stdout, reason = "the long form reports how many changes were tried")]

mod entries;
mod facts;
mod topics;

use craps_law::{Library, Source};
use craps_testkit::worked;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use std::path::{Path, PathBuf};

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// One thing changed: what, in which file, and the text of the file with the change.
struct Change {
    what: String,
    path: String,
    text: String,
}

/// The changes to try: one in `part`, chosen by a seed, or all of them.
fn chosen(mut changes: Vec<Change>, part: usize) -> Vec<Change> {
    if std::env::var("BOXPERSON_CHANGES").is_ok_and(|value| value == "all") {
        return changes;
    }
    changes.shuffle(&mut ChaCha8Rng::seed_from_u64(20_261_116));
    changes.truncate(changes.len().div_ceil(part));
    changes
}

/// The files with one of them changed.
fn with(sources: &[Source], change: &Change) -> Vec<Source> {
    let changed = |source: &Source| match source.path == change.path {
        true => Source { path: source.path.clone(), text: change.text.clone() },
        false => source.clone(),
    };
    sources.iter().map(changed).collect()
}

/// The files of a book, of the books it rests on and of those that rest on it, with the questions that all books answer.
fn family(library: &Library, book: &str) -> Vec<Source> {
    let rests_on = |id: &str, base: &str| library.book(id).is_some_and(|known| known.based_on.as_deref() == Some(base));
    let related = |id: &str| id == "topics" || id == book || rests_on(book, id) || rests_on(id, book);
    let of = |source: &Source| source.path.split_once('/').is_none_or(|(id, _)| related(id));
    Library::shipped_sources().iter().filter(|source| of(source)).cloned().collect()
}

/// The worked games of a book and of those that rest on it.
fn games(library: &Library, book: &str) -> Vec<(String, String)> {
    let related = |known: &&craps_law::RuleBook| known.id == book || known.based_on.as_deref() == Some(book);
    library.books.iter().filter(related).flat_map(|known| worked::of(&known.id)).collect()
}

/// Does a book break the rules for books, or does one of its games come out otherwise?
fn notice(library: &Library, book: &str, games: &[(String, String)]) -> bool {
    let related = library.books.iter().filter(|known| known.id == book || known.based_on.as_deref() == Some(book));
    if related.flat_map(|book| book.verify()).next().is_some() {
        return true;
    }
    games.iter().any(|(_, text)| match worked::played(library, text) {
        Ok(games) => games.iter().any(|game| !game.differences.is_empty()),
        Err(_) => true,
    })
}

/// Tells of changes that went unnoticed, and fails if there is one.
fn report(what: &str, tried: usize, survivors: &[String]) {
    println!("{tried} {what} changed, {} unnoticed", survivors.len());
    assert!(survivors.is_empty(), "{} of {tried} changes went unnoticed:\n{}", survivors.len(), survivors.join("\n"));
}
