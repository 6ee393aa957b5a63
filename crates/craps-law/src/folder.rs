//! Reads books from a folder. Only this module reads files.

use crate::{LawError, LawErrors, Library, Source};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::Path;

/// Why a folder of books was not loaded.
#[derive(Debug, thiserror::Error)]
pub enum NotLoaded {
    /// A file or folder can't be read.
    #[error("{path}: {error}")]
    File {
        /// Path of the file or folder.
        path: String,
        /// The I/O error.
        #[source]
        error: io::Error,
    },
    /// The folder is itself a book, not a folder of books.
    #[error("{0} is one book: expected the folder that holds books")]
    OneBook(String),
    /// The folder contains no book.
    #[error("{0} has no rule book: expected folders with a book.toml")]
    Empty(String),
    /// The books have mistakes.
    #[error("{errors}")]
    Mistakes {
        /// All mistakes, with the paths the files were read from.
        errors: LawErrors,
        /// Texts of the books, with the same paths.
        sources: Vec<Source>,
    },
}

/// The texts of the built-in books and of a folder of books. A book in the folder replaces the whole built-in book of the same name. A
/// book with a new name is added.
#[derive(Debug, Clone)]
pub struct BookFolder {
    /// All texts. Those of the folder come last.
    pub sources: Vec<Source>,
    path: String,
    own: BTreeSet<String>,
}

impl BookFolder {
    /// Reads every TOML file below a folder of books.
    ///
    /// ```
    /// use craps_law::{BookFolder, Library};
    /// # let rulebooks = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rulebooks");
    /// let folder = BookFolder::read(rulebooks)?;
    /// let library = Library::load(&folder.sources).map_err(|errors| folder.mistakes(errors))?;
    /// assert!(library.book("nj").is_some());
    /// # Ok::<(), craps_law::NotLoaded>(())
    /// ```
    ///
    /// # Errors
    /// When the folder can't be read, is itself a book, or contains no book.
    pub fn read(folder: impl AsRef<Path>) -> Result<BookFolder, NotLoaded> {
        let path = folder.as_ref().display().to_string();
        let mut texts = Vec::new();
        read(folder.as_ref(), "", &mut texts)?;
        if texts.iter().any(|source| source.path == "book.toml") {
            return Err(NotLoaded::OneBook(path));
        }
        if texts.is_empty() {
            return Err(NotLoaded::Empty(path));
        }
        let own: BTreeSet<String> = texts.iter().map(|source| head(&source.path).to_owned()).collect();
        let mut sources = Library::shipped_sources();
        // Topics are merged. A book is replaced as a whole.
        sources.retain(|source| head(&source.path) == crate::load::TOPICS || !own.contains(head(&source.path)));
        sources.extend(texts);
        Ok(BookFolder { sources, path, own })
    }

    /// Makes an error from mistakes in the texts, with the paths the files were read from.
    #[must_use]
    pub fn mistakes(&self, errors: LawErrors) -> NotLoaded {
        let place = |path: &str| match self.own.contains(head(path)) {
            true => format!("{}/{path}", self.path),
            false => path.to_owned(),
        };
        let placed = |error: LawError| LawError { path: place(&error.path), ..error };
        let named = |source: &Source| Source { path: place(&source.path), text: source.text.clone() };
        // The texts of the folder come first, because a topic file may have the same name as a built-in one.
        NotLoaded::Mistakes {
            errors: errors.into_iter().map(placed).collect::<Vec<_>>().into(),
            sources: self.sources.iter().rev().map(named).collect(),
        }
    }
}

impl Library {
    /// Loads the built-in books and the books of a folder.
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
    /// When the folder can't be read, contains no book, or its books have mistakes.
    pub fn load_folder(folder: impl AsRef<Path>) -> Result<Library, NotLoaded> {
        let folder = BookFolder::read(folder)?;
        Library::load(&folder.sources).map_err(|errors| folder.mistakes(errors))
    }

    /// Does the same, but leaves out books of the folder that have mistakes. The mistakes are returned with the library, so that one
    /// bad book doesn't stop the others.
    ///
    /// # Errors
    /// When the folder can't be read, or there is a mistake outside of its books.
    pub fn load_folder_readable(folder: impl AsRef<Path>) -> Result<(Library, Option<NotLoaded>), NotLoaded> {
        let folder = BookFolder::read(folder)?;
        let (library, wrong) = Library::load_readable(&folder.sources, &Library::shipped_sources())
            .map_err(|errors| folder.mistakes(errors))?;
        Ok((library, (!wrong.is_empty()).then(|| folder.mistakes(wrong.into()))))
    }
}

/// Returns the first part of a path: the folder of a book, or the name of a file next to the books.
fn head(path: &str) -> &str {
    path.split('/').next().unwrap_or_default()
}

/// Reads every TOML file below a folder, sorted by name.
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
