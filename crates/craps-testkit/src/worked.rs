//! The worked games of the books, read from the repository.

use craps_law::Library;
use craps_notation::{Names, Played, Unplayable, play, read};
use std::fs;
use std::path::PathBuf;

/// Returns the worked games of a book, sorted: file name and text of each. A book without a folder has none.
///
/// # Panics
/// If a file can't be read.
#[must_use]
pub fn of(book: &str) -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../rulebooks").join(book).join("vectors");
    let files = fs::read_dir(&folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let games = files.filter(|path| path.extension().is_some_and(|ending| ending == "cgn"));
    let text = |path: PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{book}/{name}: {error}"));
        (format!("{book}/{name}"), text)
    };
    let mut all: Vec<(String, String)> = games.map(text).collect();
    all.sort();
    all
}

/// Plays the games of a text under some books.
///
/// # Errors
/// When the text can't be read or one of its games can't be played.
pub fn played(library: &Library, text: &str) -> Result<Vec<Played>, Unplayable> {
    let games = read(text).map_err(|error| Unplayable::Malformed(error.place, error.message))?;
    play(library, &games, Names::Codes, &craps_notation::no_house_files)
}
