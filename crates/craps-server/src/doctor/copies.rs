//! The backups: no key may be among them. Backups have no secrets of the dice, but with the sealing key their reader can compute rolls.

use super::{Check, Options};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

/// How deep folders are searched.
const DEPTH: u32 = 6;
/// Maximum size of a key file, in bytes.
const KEY_MOST: u64 = 200;
/// How every backup and export begins.
const BACKUP: &[u8] = br#"{"line":"store""#;
const NAME: &str = "backups";
const ADVICE: &str = "Keep copies of the keys apart from the backups. If others could read both, replace the sealing key: see \"A lost key\" in docs/runbook.md.";

/// Looks for keys in the folder of the backups. Without one, it looks for backups next to the sealing key.
pub(super) fn check(keys: &[(&str, PathBuf)], options: &Options) -> Check {
    let checked = match &options.copies {
        Some(folder) => keys_among(folder, keys).map_err(|error| (folder.clone(), error)),
        None => beside(keys),
    };
    checked.unwrap_or_else(|(folder, error)| {
        Check::failed(NAME, format!("{}: {error}", folder.display()), "Name the folder of the backups with --copies.")
    })
}

fn keys_among(folder: &Path, keys: &[(&str, PathBuf)]) -> io::Result<Check> {
    let secrets: Vec<(&str, Vec<u8>)> =
        keys.iter().filter_map(|(name, file)| Some((*name, text_of(file).ok()?))).collect();
    let (mut found, mut files) = (Vec::new(), 0_u64);
    let mut waiting = vec![(folder.to_owned(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let kind = entry.file_type()?;
            if kind.is_dir() && depth < DEPTH {
                waiting.push((entry.path(), depth + 1));
            }
            if !kind.is_file() {
                continue;
            }
            files += 1;
            if entry.metadata()?.len() <= KEY_MOST {
                let text = text_of(&entry.path())?;
                let is_it = |(_, secret): &&(&str, Vec<u8>)| *secret == text;
                found.extend(
                    secrets.iter().find(is_it).map(|(name, _)| format!("{} is the {name}", entry.path().display())),
                );
            }
        }
    }
    Ok(match found.as_slice() {
        [] => Check::ok(NAME, format!("no key is among the {files} files in {}", folder.display())),
        found => Check::failed(NAME, found.join("; "), ADVICE),
    })
}

fn beside(keys: &[(&str, PathBuf)]) -> Result<Check, (PathBuf, io::Error)> {
    let todo = "Name the folder of the backups with --copies.";
    for (name, file) in keys {
        let folder = match file.parent() {
            Some(folder) if folder != Path::new("") => folder.to_owned(),
            _ => PathBuf::from("."),
        };
        let backup = a_backup_in(&folder).map_err(|error| (folder.clone(), error))?;
        if let Some(backup) = backup {
            let found =
                format!("the {name} is in {}, where there is also a backup: {}", folder.display(), backup.display());
            return Ok(Check::warning(NAME, found, ADVICE));
        }
    }
    Ok(Check::skipped(NAME, "no backup is next to the keys; their own folder is not known", todo))
}

fn a_backup_in(folder: &Path) -> io::Result<Option<PathBuf>> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_file() && begins_as_backup(&entry.path())? {
            return Ok(Some(entry.path()));
        }
    }
    Ok(None)
}

fn begins_as_backup(file: &Path) -> io::Result<bool> {
    let mut first = Vec::new();
    fs::File::open(file)?.take(BACKUP.len() as u64).read_to_end(&mut first)?;
    Ok(first == BACKUP)
}

/// Reads a small file without the white space around its text.
fn text_of(file: &Path) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    fs::File::open(file)?.take(KEY_MOST).read_to_end(&mut text)?;
    Ok(text.trim_ascii().to_owned())
}
