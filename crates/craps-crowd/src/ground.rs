//! Where a crowd plays: a fresh database, and a folder for files.

use crate::Trouble;
use craps_store::testing;
use std::path::PathBuf;
use tempfile::TempDir;

/// The kind of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Base {
    /// A file of its own.
    Sqlite,
    /// A private server on this machine.
    Postgres,
}

impl Base {
    /// Both.
    pub const ALL: [Base; 2] = [Base::Sqlite, Base::Postgres];

    /// What people call it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Base::Sqlite => "SQLite",
            Base::Postgres => "PostgreSQL",
        }
    }
}

/// A database that nobody has opened yet, gone when this is.
#[derive(Debug)]
pub struct Ground {
    /// Its address.
    pub db: String,
    folder: TempDir,
}

impl Ground {
    /// A fresh one.
    ///
    /// # Errors
    /// When there is no folder to be had.
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

    /// The file of the key that all its nodes sign with.
    #[must_use]
    pub fn key(&self) -> PathBuf {
        self.folder.path().join("heads.key")
    }
}
