//! Files that are nobody's business but their owner's: secrets of hands to come and hashes of passwords are in them.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Makes a new file that only its owner may open.
pub(crate) fn create(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(file)
}

/// May others than its owner open it?
pub(crate) fn is_open_to_others(file: &Path) -> io::Result<bool> {
    #[cfg(unix)]
    return Ok(std::os::unix::fs::PermissionsExt::mode(&fs::metadata(file)?.permissions()) & 0o077 != 0);
    #[cfg(not(unix))]
    return fs::metadata(file).map(|_| false);
}

/// Sees to it that a SQLite database can be opened by its owner only. One that is not there yet is begun as an empty file, and SQLite
/// gives what it puts beside it the same permissions; one that was made more carelessly is taken back from the others.
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

/// A file's name with something after it.
pub(crate) fn beside(file: &Path, ending: &str) -> PathBuf {
    let mut name = file.as_os_str().to_owned();
    name.push(ending);
    name.into()
}
