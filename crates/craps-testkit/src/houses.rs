//! The sample houses, read from the repository.

use craps_law::{HouseRules, Library, Source, TableRules};
use craps_table::Table;
use std::path::PathBuf;

/// One lawful sample house.
#[derive(Debug, Clone)]
pub struct House {
    /// The name of its file.
    pub file: String,
    /// What it comes to.
    pub rules: TableRules,
    /// A table at which nothing has happened yet.
    empty: Table,
}

impl House {
    /// An empty table of this house.
    #[must_use]
    pub fn table(&self) -> Table {
        self.empty.clone()
    }
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../houses")
}

/// The text of a sample house by the name of its file.
///
/// # Errors
/// When there is no such file.
pub fn source_of(file: &str) -> Result<Source, String> {
    let text = std::fs::read_to_string(folder().join(file)).map_err(|error| format!("{file}: {error}"))?;
    Ok(Source { path: file.to_owned(), text })
}

/// Every lawful sample house, by name.
///
/// # Panics
/// If the folder cannot be read or one of its houses is not lawful.
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
