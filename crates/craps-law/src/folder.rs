//! Books from a folder. This is the one file of the crate that reads files.

use crate::{LawError, LawErrors, Library, Source};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Why a folder of books was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum NotLoaded {
    /// A file or folder cannot be read.
    #[error("{path}: {error}")]
    File {
        /// Which.
        path: String,
        /// Why.
        #[source]
        error: io::Error,
    },
    /// The folder is itself a book.
    #[error("{0} is one book: expected the folder that holds books")]
    OneBook(String),
    /// There is no book in the folder.
    #[error("{0}: no rule book in it: expected folders with a book.toml")]
    Empty(String),
    /// The books have mistakes.
    #[error("{errors}")]
    Mistakes {
        /// Every mistake, under the path it was read from.
        errors: LawErrors,
        /// The texts, under the same paths.
        sources: Vec<Source>,
    },
}

impl Library {
    /// The books of this program, and those of a folder beside them. A folder of a book replaces the built-in book of its name whole; a book of
    /// another name joins.
    ///
    /// ```
    /// use craps_law::Library;
    /// # let rulebooks = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks");
    /// let library = Library::load_folder(rulebooks)?;
    /// assert_eq!(library.named("nj")?.name, "New Jersey");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the folder cannot be read, holds no book, or its books have mistakes.
    pub fn load_folder(folder: impl AsRef<Path>) -> Result<Library, NotLoaded> {
        let shelf = Shelf::read(folder.as_ref())?;
        Library::load(&shelf.sources).map_err(|errors| shelf.mistakes(errors))
    }

    /// The same, but a book of the folder that has mistakes is left out, and its mistakes are told: one bad book closes no house.
    ///
    /// # Errors
    /// When the folder cannot be read, or what is wrong is not in one of its books.
    pub fn load_folder_readable(folder: impl AsRef<Path>) -> Result<(Library, Option<NotLoaded>), NotLoaded> {
        let shelf = Shelf::read(folder.as_ref())?;
        let (library, wrong) = Library::load_readable(&shelf.sources, &Library::shipped_sources())
            .map_err(|errors| shelf.mistakes(errors))?;
        Ok((library, (!wrong.is_empty()).then(|| shelf.mistakes(wrong.into()))))
    }
}

/// The texts of all books, and where those of the folder came from.
struct Shelf {
    sources: Vec<Source>,
    folder: String,
    /// The folders in it.
    heads: BTreeSet<String>,
}

impl Shelf {
    fn read(folder: &Path) -> Result<Shelf, NotLoaded> {
        let shown = folder.display().to_string();
        let mut own = Vec::new();
        read(folder, "", &mut own)?;
        if own.iter().any(|source| source.path == "book.toml") {
            return Err(NotLoaded::OneBook(shown));
        }
        if own.is_empty() {
            return Err(NotLoaded::Empty(shown));
        }
        let heads: BTreeSet<String> = own.iter().map(|source| head(&source.path).to_owned()).collect();
        let mut sources = Library::shipped_sources();
        // Topics are added to; a book is replaced whole.
        sources.retain(|source| head(&source.path) == crate::load::TOPICS || !heads.contains(head(&source.path)));
        sources.extend(own);
        Ok(Shelf { sources, folder: shown, heads })
    }

    /// Mistakes, those of the folder under the path that they were read from.
    fn mistakes(&self, errors: LawErrors) -> NotLoaded {
        let place = |path: &str| match self.heads.contains(head(path)) {
            true => format!("{}/{path}", self.folder),
            false => path.to_owned(),
        };
        let errors = errors.into_iter().map(|error| LawError { path: place(&error.path), ..error });
        // The folder's own texts come first: a topic file may have the name of a built-in one.
        let named = |source: &Source| Source { path: place(&source.path), text: source.text.clone() };
        let sources = self.sources.iter().rev().map(named).collect();
        NotLoaded::Mistakes { errors: errors.collect::<Vec<_>>().into(), sources }
    }
}

/// The first part of a path: the folder of a book, or a file beside the books.
fn head(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// Reads every TOML file below a folder, in the order of their names.
fn read(folder: &Path, stem: &str, sources: &mut Vec<Source>) -> Result<(), NotLoaded> {
    let failed = |path: &Path, error| NotLoaded::File { path: path.display().to_string(), error };
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let mut entries = entries.map_err(|error| failed(folder, error))?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let relative = if stem.is_empty() { name } else { format!("{stem}/{name}") };
        if path.is_dir() {
            read(&path, &relative, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            let text = fs::read_to_string(&path).map_err(|error| failed(&path, error))?;
            sources.push(Source { path: relative, text });
        }
    }
    Ok(())
}
