//! The books: built in, and from a folder that replaces or joins them.

use crate::failure::Failure;
use craps_law::{LawError, Library, Source};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Reads the books.
pub(crate) fn load(folder: Option<&Path>) -> Result<Library, Failure> {
    let mut sources = Library::shipped_sources();
    let Some(folder) = folder else {
        return Library::load(&sources).map_err(|errors| Failure::in_sources(errors, &sources));
    };
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
    // A folder replaces the built-in book of its name whole; a book of another name joins.
    let head = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
    let replaced: BTreeSet<String> = own.iter().map(|source| head(&source.path)).collect();
    sources.retain(|source| !replaced.contains(&head(&source.path)));
    sources.extend(own);
    Library::load(&sources).map_err(|errors| {
        // Books from the folder are reported under the path they were read from.
        let shown = |path: &str| {
            if replaced.contains(&head(path)) { format!("{}/{path}", folder.display()) } else { path.to_owned() }
        };
        let errors: Vec<LawError> =
            errors.into_iter().map(|error| LawError { path: shown(&error.path), ..error }).collect();
        let sources: Vec<Source> =
            sources.iter().map(|source| Source { path: shown(&source.path), text: source.text.clone() }).collect();
        Failure::in_sources(errors, &sources)
    })
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
