//! The sample houses, read from the repository.

use craps_law::{HouseRules, Library, Source, TableRules};
use craps_notation::NoHouseFile;
use craps_table::Table;
use std::path::PathBuf;

/// One lawful sample house.
#[derive(Debug, Clone)]
pub struct House {
    /// File name of the house, such as `pa-craps.toml`.
    pub file: String,
    /// The rules of its tables.
    pub rules: TableRules,
    /// A new table, cloned for each game.
    empty: Table,
}

impl House {
    /// Returns a new, empty table of this house.
    #[must_use]
    pub fn table(&self) -> Table {
        self.empty.clone()
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../houses")
}

/// Reads a sample house by its file name.
///
/// # Errors
/// When the file can't be read.
pub fn source_of(file: &str) -> Result<Source, NoHouseFile> {
    let text = std::fs::read_to_string(folder().join(file)).map_err(|error| NoHouseFile(format!("{file}: {error}")))?;
    Ok(Source { path: file.to_owned(), text })
}

/// Returns every lawful sample house, sorted by file name.
///
/// # Panics
/// If the folder can't be read or one of its houses is unlawful.
#[must_use]
pub fn sample_houses() -> Vec<House> {
    let entries = std::fs::read_dir(folder()).unwrap_or_else(|error| panic!("houses: {error}"));
    let mut files: Vec<String> = entries
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    files.sort();
    let library = Library::shipped();
    let admit = |file: String| {
        let source = source_of(&file).unwrap_or_else(|error| panic!("{error}"));
        let house = HouseRules::parse(&source).unwrap_or_else(|error| panic!("{error}"));
        let book = library.book(&house.book).unwrap_or_else(|| panic!("{file}: no book {}", house.book));
        let rules = book.admit(&house).unwrap_or_else(|problems| panic!("{file}: {problems:?}"));
        let empty = Table::open(rules.clone()).unwrap_or_else(|_| panic!("{file} does not fit a layout"));
        House { file, rules, empty }
    };
    files.into_iter().map(admit).collect()
}
