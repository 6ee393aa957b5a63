//! The file that a game is kept in. It is replaced in one step, so it is complete even if the process is killed.

use crate::failure::Failure;
use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// A file that always contains the complete game.
#[derive(Debug, Clone)]
pub(crate) struct GameFile {
    path: PathBuf,
}

impl GameFile {
    pub(crate) fn new(path: PathBuf) -> GameFile {
        GameFile { path }
    }

    /// Returns the file of a practice game without `--file`, normally `~/.local/state/boxperson/table.cgn`.
    pub(crate) fn usual() -> Option<GameFile> {
        let state = std::env::var_os("XDG_STATE_HOME").filter(|path| !path.is_empty()).map(PathBuf::from);
        let home =
            || Some(PathBuf::from(std::env::var_os("HOME").filter(|path| !path.is_empty())?).join(".local/state"));
        state.or_else(home).map(|state| GameFile::new(state.join("boxperson/table.cgn")))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Renames an existing game to `NAME.before`, so that a new game doesn't overwrite it.
    pub(crate) fn set_aside(&self) -> Result<(), Failure> {
        let mut name = self.path.file_name().unwrap_or_default().to_os_string();
        name.push(".before");
        match fs::rename(&self.path, self.path.with_file_name(name)) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(Failure::File { path: self.path.display().to_string(), error })
            }
            _ => Ok(()),
        }
    }

    /// Replaces the text in one step. A reader sees the complete old text or the complete new text.
    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        let failed = |error| Failure::File { path: self.path.display().to_string(), error };
        if let Some(folder) = self.path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            fs::create_dir_all(folder).map_err(failed)?;
        }
        let mut name = self.path.file_name().unwrap_or_default().to_os_string();
        name.push(".new");
        let new = self.path.with_file_name(name);
        let mut file = File::create(&new).map_err(failed)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(failed)?;
        fs::rename(&new, &self.path).map_err(failed)
    }
}
