//! The built-in books with a mistake put in.

use craps_law::{Library, Source};

/// Returns the texts of the built-in books, with one text in one file replaced once.
pub fn replaced(path: &str, from: &str, to: &str) -> Vec<Source> {
    let mut sources = Library::shipped_sources();
    let file = sources.iter_mut().find(|source| source.path == path).unwrap_or_else(|| panic!("{path} is not there"));
    assert!(file.text.contains(from), "{path} has no {from}");
    file.text = file.text.replacen(from, to, 1);
    sources
}
