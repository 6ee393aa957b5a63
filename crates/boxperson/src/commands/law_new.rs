//! `boxperson law new`: writes a small book that can be played at once, to start a book of one's own from.

use crate::failure::Failure;
use crate::output;
use craps_law::Library;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The files of a new book: where each lies in the book's folder, and its text with the placeholders `{id}`, `{prefix}` and `{name}`.
const FILES: [(&str, &str); 8] = [
    ("book.toml", include_str!("new_book/book.toml")),
    ("sections.toml", include_str!("new_book/sections.toml")),
    ("readings.toml", include_str!("new_book/readings.toml")),
    ("house.toml", include_str!("new_book/house.toml")),
    ("procedure.toml", include_str!("new_book/procedure.toml")),
    ("wagers/line.toml", include_str!("new_book/line.toml")),
    ("wagers/one_roll.toml", include_str!("new_book/one_roll.toml")),
    (GAME, include_str!("new_book/first.cgn")),
];

/// The worked game of a new book.
const GAME: &str = "vectors/first.cgn";

/// The folder of the topics, next to the books. No book can have this id.
const TOPICS: &str = "topics";

/// Arguments of `boxperson law new`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Id of the new book: lowercase letters, digits and hyphens
    id: String,
    /// Prefix of its citations: capital letters and digits [default: the id in capitals]
    #[arg(long, value_name = "XX")]
    prefix: Option<String>,
    /// Name of the book [default: made from the id]
    #[arg(long)]
    name: Option<String>,
    /// Folder of books in which the book's own folder is created
    #[arg(long, value_name = "DIR", default_value = "my-books")]
    into: PathBuf,
}

/// Writes the book and says what to do next.
pub(super) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let Args { id, prefix, name, into } = args;
    check_id(library, id)?;
    let prefix = prefix.clone().unwrap_or_else(|| id.replace('-', "").to_uppercase());
    check_prefix(&prefix)?;
    let name = name.clone().unwrap_or_else(|| titled(id));
    check_name(&name)?;
    if into.join("book.toml").exists() {
        let shown = into.display();
        return Err(Failure::Usage(format!("{shown} is one book; --into takes the folder that contains the books")));
    }
    let folder = into.join(id);
    if folder.symlink_metadata().is_ok() {
        let shown = folder.display();
        return Err(Failure::Usage(format!(
            "{shown} exists already; choose another id, or another folder with --into"
        )));
    }
    write(into, id, |text| filled(text, id, &prefix, &name))?;
    output::write(&next(id, into))
}

/// Checks that a book can have this id, and that no book has it yet.
fn check_id(library: &Library, id: &str) -> Result<(), Failure> {
    if !is_id(id) {
        let near: String = id.to_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let near = near.trim_matches('-');
        let hint = if is_id(near) { format!(", such as `{near}`") } else { String::new() };
        return Err(Failure::Usage(format!(
            "`{id}` can't be the id of a book: expected lowercase letters, digits and hyphens, with a letter first{hint}"
        )));
    }
    if id == TOPICS {
        return Err(Failure::Usage(format!(
            "`{id}` can't be the id of a book: the folder with this name has the questions that books answer"
        )));
    }
    match library.book(id) {
        Some(book) => Err(Failure::Usage(format!("there is a book `{id}` already ({}); choose another id", book.name))),
        None => Ok(()),
    }
}

/// Returns true for lowercase letters, digits and hyphens, with a letter first and no hyphen last.
fn is_id(text: &str) -> bool {
    let known = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    text.starts_with(|c: char| c.is_ascii_lowercase()) && !text.ends_with('-') && text.bytes().all(known)
}

fn check_prefix(prefix: &str) -> Result<(), Failure> {
    let known = |byte: u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9');
    if prefix.starts_with(|c: char| c.is_ascii_uppercase()) && prefix.bytes().all(known) {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "`{prefix}` can't be the prefix of citations: expected capital letters and digits, with a letter first"
    )))
}

fn check_name(name: &str) -> Result<(), Failure> {
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        return Err(Failure::Usage("--name: expected the name of the book in one line".to_owned()));
    }
    Ok(())
}

/// Makes a name from an id: `new-place` becomes `New Place`.
fn titled(id: &str) -> String {
    let title = |word: &str| {
        let mut letters = word.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    };
    id.split('-').filter(|word| !word.is_empty()).map(title).collect::<Vec<String>>().join(" ")
}

/// Fills in the placeholders. The name stands in quotes in the file, so quotes and backslashes in it are escaped.
fn filled(text: &str, id: &str, prefix: &str, name: &str) -> String {
    let name = name.replace('\\', "\\\\").replace('"', "\\\"");
    // The name comes last, because it can have braces.
    text.replace("{id}", id).replace("{prefix}", prefix).replace("{name}", &name)
}

/// Writes the files into a folder next to the final one and renames it, so that there is either the whole book or nothing.
fn write(into: &Path, id: &str, fill: impl Fn(&str) -> String) -> Result<(), Failure> {
    let is_new = !into.exists();
    let aside = into.join(format!(".{id}.{}.new", std::process::id()));
    let target = into.join(id);
    let written =
        write_files(&aside, fill).and_then(|()| fs::rename(&aside, &target).map_err(|error| failed(&target, error)));
    if written.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&aside);
        if is_new {
            let _ = fs::remove_dir(into);
        }
    }
    written
}

fn write_files(folder: &Path, fill: impl Fn(&str) -> String) -> Result<(), Failure> {
    for (name, text) in FILES {
        let path = folder.join(name);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
        fs::write(&path, fill(text)).map_err(|error| failed(&path, error))?;
    }
    Ok(())
}

fn failed(path: &Path, error: io::Error) -> Failure {
    Failure::File { path: path.display().to_string(), error }
}

/// Says what was written, and the commands that come next.
fn next(id: &str, into: &Path) -> String {
    let (books, game) = (word(into), word(&into.join(id).join(GAME)));
    let commands = [
        (format!("law verify {id} --rulebooks {books}"), "find mistakes"),
        (format!("odds --book {id} --rulebooks {books}"), "what each bet costs"),
        (format!("check {game} --rulebooks {books}"), "check its worked game"),
        (format!("play --house {id} --rulebooks {books}"), "play a hand in the terminal"),
        (format!("serve --rulebooks {books}"), "play it in the browser"),
    ];
    let width = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or_default();
    let line = |(command, what): &(String, &str)| format!("  boxperson {command:<width$}   # {what}\n");
    let names: Vec<&str> = FILES.iter().map(|(name, _)| *name).collect();
    format!(
        "Wrote {}\n{}\nEach file says what belongs in it. Change them, and try:\n\n{}",
        into.join(id).display(),
        output::wrap(&names.join(", "), "  ", usize::from(output::WIDTH)),
        commands.iter().map(line).collect::<String>()
    )
}

/// Writes a path as one word for a shell.
fn word(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-+,:@=".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_book_that_can_not_be_put_in_its_place_leaves_nothing_behind() {
        let shelf = tempfile::tempdir().unwrap();
        fs::create_dir_all(shelf.path().join("taken/full")).unwrap();
        assert!(write(shelf.path(), "taken", str::to_owned).is_err());
        assert_eq!(names(shelf.path()), ["taken"]);
        assert_eq!(names(&shelf.path().join("taken")), ["full"]);
        // A file stands where the folder of books should be.
        let file = shelf.path().join("taken/file");
        fs::write(&file, "kept").unwrap();
        assert!(write(&file, "new", str::to_owned).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "kept");
        assert!(write(shelf.path(), "new", str::to_owned).is_ok());
        let mut all = names(shelf.path());
        all.sort();
        assert_eq!(all, ["new", "taken"]);
    }

    #[test]
    fn a_name_with_quotes_and_braces_stays_as_it_is() {
        let text = filled("name = \"{name}\" # {id} {prefix}", "ab", "AB", "The \"{id}\" \\ Hall");
        let table: toml::Table = toml::from_str(&text).unwrap();
        assert_eq!(table["name"].as_str(), Some("The \"{id}\" \\ Hall"));
        assert!(text.ends_with("# ab AB"), "{text}");
    }

    #[test]
    fn ids_and_names_are_as_folders_and_readers_need_them() {
        for good in ["a", "nv", "new-place", "a1-b2"] {
            assert!(is_id(good), "{good}");
        }
        for bad in ["", "-", "1a", "a-", "A", "a b", "a/b", "..", "é", "a_b"] {
            assert!(!is_id(bad), "{bad}");
        }
        assert_eq!((titled("new-place"), titled("a--b")), ("New Place".to_owned(), "A B".to_owned()));
        assert_eq!(word(Path::new("my books")), "'my books'");
        assert_eq!(word(Path::new("it's")), "'it'\\''s'");
    }
}
