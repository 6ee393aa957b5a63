//! A fresh database and a folder for files, for one run of a crowd.

use crate::Trouble;
use craps_store::testing;
use std::path::PathBuf;
use tempfile::TempDir;

/// A kind of database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// A SQLite file in the folder of the run.
    Sqlite,
    /// A private PostgreSQL server on this machine.
    Postgres,
}

impl Base {
    /// Both kinds of databases.
    pub const ALL: [Base; 2] = [Base::Sqlite, Base::Postgres];

    /// Returns the name for people, such as `PostgreSQL`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Base::Sqlite => "SQLite",
            Base::Postgres => "PostgreSQL",
        }
    }
}

/// A fresh database. Its folder is deleted when this value is dropped.
#[derive(Debug)]
pub struct Ground {
    /// URL of the database.
    pub db: String,
    folder: TempDir,
}

impl Ground {
    /// Creates a fresh database.
    ///
    /// # Errors
    /// When no temporary folder can be created.
    ///
    /// # Panics
    /// If there is no PostgreSQL on this machine and one is needed.
    pub async fn new(base: Base) -> Result<Ground, Trouble> {
        let folder = tempfile::tempdir()?;
        let db = match base {
            Base::Sqlite => format!("sqlite:{}", folder.path().join("tables.db").display()),
            Base::Postgres => testing::postgres_database().await,
        };
        Ok(Ground { db, folder })
    }

    /// Returns the path of the key file that all nodes sign with.
    #[must_use]
    pub fn key(&self) -> PathBuf {
        self.folder.path().join("heads.key")
    }

    /// Returns the path of the key file with which all nodes seal the secrets of the dice.
    #[must_use]
    pub fn seal(&self) -> PathBuf {
        self.folder.path().join("dice.seal")
    }
}
