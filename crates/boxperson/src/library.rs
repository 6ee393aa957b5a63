//! The books: built in, and from a folder that replaces or joins them.
//!
//! A folder with the name of a built-in book replaces it whole; another joins. Its topics are added to the built-in ones.

use crate::failure::Failure;
use craps_law::{LawError, Library, Source};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Reads the books.
pub(crate) fn load(folder: Option<&Path>) -> Result<Library, Failure> {
    let shelf = Shelf::read(folder)?;
    Library::load(&shelf.sources).map_err(|errors| shelf.failure(errors))
}

/// Reads the books for a server: a book from the folder that cannot be read is left out, and what is wrong with it is reported.
pub(crate) fn load_readable(folder: Option<&Path>) -> Result<(Library, Option<Failure>), Failure> {
    let shelf = Shelf::read(folder)?;
    let (library, wrong) =
        Library::load_readable(&shelf.sources, &Library::shipped_sources()).map_err(|errors| shelf.failure(errors))?;
    let wrong = (!wrong.is_empty()).then(|| shelf.failure(wrong));
    Ok((library, wrong))
}

/// The texts of all books, and where those of the folder came from.
struct Shelf {
    sources: Vec<Source>,
    /// The folder, and the folders in it.
    own: Option<(String, BTreeSet<String>)>,
}

/// The folder that a text is in.
fn head(path: &str) -> String {
    path.split('/').next().unwrap_or_default().to_owned()
}

impl Shelf {
    fn read(folder: Option<&Path>) -> Result<Shelf, Failure> {
        let mut sources = Library::shipped_sources();
        let Some(folder) = folder else { return Ok(Shelf { sources, own: None }) };
        let own = added(folder)?;
        let heads: BTreeSet<String> = own.iter().map(|source| head(&source.path)).collect();
        sources.retain(|source| head(&source.path) == TOPICS || !heads.contains(&head(&source.path)));
        sources.extend(own);
        Ok(Shelf { sources, own: Some((folder.display().to_string(), heads)) })
    }

    /// Mistakes, those of the folder under the path that they were read from.
    fn failure(&self, errors: Vec<LawError>) -> Failure {
        let shown = |path: &str| match &self.own {
            Some((folder, heads)) if heads.contains(&head(path)) => format!("{folder}/{path}"),
            _ => path.to_owned(),
        };
        let errors = errors.into_iter().map(|error| LawError { path: shown(&error.path), ..error }).collect();
        // The folder's own texts come first: a topic file may have the name of a built-in one.
        let sources: Vec<Source> = self
            .sources
            .iter()
            .rev()
            .map(|source| Source { path: shown(&source.path), text: source.text.clone() })
            .collect();
        Failure::in_sources(errors, &sources)
    }
}

/// The folder of questions beside the books.
const TOPICS: &str = "topics";

/// The texts of a folder of books.
fn added(folder: &Path) -> Result<Vec<Source>, Failure> {
    let mut own = Vec::new();
    read(folder, "", &mut own)?;
    if own.iter().any(|source| source.path == "book.toml") {
        let message = format!("{} is one book; --rulebooks takes the folder that holds books", folder.display());
        return Err(Failure::Usage(message));
    }
    if own.is_empty() {
        return Err(Failure::Usage(format!(
            "{}: no rule book in it: expected folders with a book.toml",
            folder.display()
        )));
    }
    Ok(own)
}

fn read(folder: &Path, stem: &str, sources: &mut Vec<Source>) -> Result<(), Failure> {
    let failed = |error| Failure::File { path: folder.display().to_string(), error };
    let mut entries = fs::read_dir(folder).map_err(failed)?.collect::<Result<Vec<_>, _>>().map_err(failed)?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = entry.file_name().to_string_lossy().into_owned();
        let relative = if stem.is_empty() { name } else { format!("{stem}/{name}") };
        if path.is_dir() {
            read(&path, &relative, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            let text =
                fs::read_to_string(&path).map_err(|error| Failure::File { path: path.display().to_string(), error })?;
            sources.push(Source { path: relative, text });
        }
    }
    Ok(())
}

/// Reads a text from a file, or from standard input for `-`.
pub(crate) fn read_text(path: &Path) -> Result<Source, Failure> {
    let shown = if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() };
    let text =
        if path.as_os_str() == "-" { std::io::read_to_string(std::io::stdin()) } else { fs::read_to_string(path) };
    match text {
        Ok(text) => Ok(Source { path: shown, text }),
        Err(error) => Err(Failure::File { path: shown, error }),
    }
}
