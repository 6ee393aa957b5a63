//! Loads the rule books: the built-in ones and those of `--rulebooks`.
//!
//! A book with the name of a built-in one replaces it completely; others are added. Topics are added to the built-in ones.

use crate::failure::Failure;
use craps_law::{Library, NotLoaded, Source};
use std::fs;
use std::path::Path;

/// Loads the built-in books and those in `folder`.
pub(crate) fn load(folder: Option<&Path>) -> Result<Library, Failure> {
    let library = folder.map_or_else(|| Ok(Library::shipped()), Library::load_folder).map_err(not_loaded)?;
    installed(library)
}

/// Makes the wagers of these books known to games, rail talk and logs.
fn installed(library: Library) -> Result<Library, Failure> {
    library.catalogue.install().map_err(|error| Failure::Usage(error.to_string()))?;
    Ok(library)
}

/// Loads the books for a server. A book that can't be read is left out; the second value says what is wrong with it.
pub(crate) fn load_readable(folder: Option<&Path>) -> Result<(Library, Option<Failure>), Failure> {
    let Some(folder) = folder else { return Ok((Library::shipped(), None)) };
    let (library, wrong) = Library::load_folder_readable(folder).map_err(not_loaded)?;
    Ok((installed(library)?, wrong.map(not_loaded)))
}

fn not_loaded(error: NotLoaded) -> Failure {
    match error {
        NotLoaded::File { path, error } => Failure::File { path, error },
        NotLoaded::Mistakes { errors, sources } => Failure::in_sources(errors.into_vec(), &sources),
        NotLoaded::OneBook(folder) => {
            Failure::Usage(format!("{folder} is one book; --rulebooks takes the folder that contains the books"))
        }
        error @ NotLoaded::Empty(_) => Failure::Usage(error.to_string()),
    }
}

/// Reads a file, or standard input for `-`.
pub(crate) fn read_text(path: &Path) -> Result<Source, Failure> {
    let shown = if path.as_os_str() == "-" { "standard input".to_owned() } else { path.display().to_string() };
    let text =
        if path.as_os_str() == "-" { std::io::read_to_string(std::io::stdin()) } else { fs::read_to_string(path) };
    match text {
        Ok(text) => Ok(Source { path: shown, text }),
        Err(error) => Err(Failure::File { path: shown, error }),
    }
}
