//! Private files that only their owner may open: databases with password hashes, and keys.

use crate::chance::random;
use crate::error::StoreError;
use crate::people::new_id;
use crate::row::{hex, unhex};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Creates a new file that only its owner may open.
pub(crate) fn create(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// Returns true when other users can open the file.
pub fn is_open_to_others(file: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    return Ok(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(file)?.permissions()) & 0o077 != 0);
    #[cfg(not(unix))]
    return fs::metadata(file).map(|_| false);
}

/// Makes sure that only its owner can open a SQLite database. A new database starts as an empty private file, and SQLite gives its
/// other files the same permissions. The permissions of an existing database are corrected.
pub(crate) fn keep_database(file: &Path) -> io::Result<()> {
    match create(file) {
        Ok(_) => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(error),
    }
    for file in ["", "-wal", "-shm"].map(|ending| beside(file, ending)) {
        match is_open_to_others(&file) {
            #[cfg(unix)]
            Ok(true) => fs::set_permissions(&file, std::os::unix::fs::PermissionsExt::from_mode(0o600))?,
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Returns the path with an ending added to the file name.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}

/// Reads a key of 32 bytes, or makes a new one if the file doesn't exist.
pub(crate) fn key_or_new(file: &Path) -> Result<[u8; 32], StoreError> {
    if fs::exists(file).map_err(StoreError::file(file))? {
        return key(file);
    }
    let mut made = [0; 32];
    random(&mut made)?;
    // The key is written to a draft file first, so that a killed process doesn't leave half a key.
    let draft = beside(file, &format!(".{}", new_id()?));
    let kept = create(&draft).and_then(|mut file| {
        file.write_all(format!("{}\n", hex(&made)).as_bytes())?;
        file.sync_all()
    });
    let kept = kept.and_then(|()| fs::hard_link(&draft, file));
    let _ = fs::remove_file(&draft);
    match kept {
        Ok(()) => Ok(made),
        // Another process made the key first. Use that one.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => key(file),
        Err(error) => Err(StoreError::file(file)(error)),
    }
}

/// Reads a key of 32 bytes.
pub(crate) fn key(file: &Path) -> Result<[u8; 32], StoreError> {
    let wrong = |why: &str| StoreError::Key { file: file.to_owned(), why: why.to_owned() };
    if is_open_to_others(file).map_err(StoreError::file(file))? {
        return Err(wrong("other users can open it; expected permissions 600"));
    }
    let text = fs::read_to_string(file).map_err(StoreError::file(file))?;
    let key = unhex(text.trim_end()).and_then(|key| key.try_into().ok());
    key.ok_or_else(|| wrong("expected 64 lower-case hex digits"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_database_that_cannot_be_made_private_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("store.db");
        keep_database(&file).unwrap();
        assert!(!is_open_to_others(&file).unwrap());
        keep_database(&file).unwrap();

        let nowhere = keep_database(&folder.path().join("nowhere/store.db")).unwrap_err();
        assert_eq!(nowhere.kind(), io::ErrorKind::NotFound);
        // A link to itself can't be followed.
        let log = beside(&file, "-wal");
        symlink(&log, &log).unwrap();
        let expected = fs::metadata(&log).unwrap_err();
        assert_ne!(expected.kind(), io::ErrorKind::NotFound);
        assert_eq!(keep_database(&file).unwrap_err().kind(), expected.kind());
    }
}
