//! What can go wrong, by who has to do something about it.

use crate::row::{Head, Row};
use std::io;
use std::path::{Path, PathBuf};

/// The store could not do what was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database refused or is out of reach.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// The store cannot be brought to this program's form, or is of a later one.
    #[error("the form of the database: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// There is a database, but no store in it.
    #[error("the database holds no store")]
    NoStore,
    /// The store is of an earlier or a later program.
    #[error("the store has form {found}, expected {expected}")]
    Form {
        /// The store's.
        found: i64,
        /// This program's.
        expected: i64,
    },
    /// The address names no database.
    #[error("{url:?} names no database: expected a file, sqlite:FILE or postgres://USER@HOST/NAME")]
    Url {
        /// What was given.
        url: String,
    },
    /// Something given cannot be kept.
    #[error("{0}")]
    Refused(String),
    /// The key that signs heads.
    #[error("the key {}: {why}", file.display())]
    Key {
        /// Its file.
        file: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file could not be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// Which one.
        file: PathBuf,
        /// What the system says.
        error: io::Error,
    },
    /// What is exported could not be written.
    #[error("the export could not be written: {0}")]
    Write(#[from] io::Error),
    /// A store that is restored must be empty.
    #[error("the store is not empty: a backup is restored into a new one only")]
    NotEmpty,
    /// A backup that does not verify is not restored.
    #[error("{} is not restored: {} findings, the first: {}", file.display(), findings.len(), findings.first().map(ToString::to_string).unwrap_or_default())]
    Unsound {
        /// The backup.
        file: PathBuf,
        /// Everything wrong with it.
        findings: Vec<crate::Finding>,
    },
    /// No randomness to be had from the system.
    #[error("the system gives no random bytes: {0}")]
    Random(#[from] getrandom::Error),
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Not an address; what may be a password in it is not repeated.
    pub(crate) fn url(url: &str) -> StoreError {
        StoreError::Url { url: url.rsplit('@').next().unwrap_or_default().to_owned() }
    }

    pub(crate) fn file(file: &Path) -> impl Fn(io::Error) -> StoreError {
        move |error| StoreError::File { file: file.to_owned(), error }
    }
}

/// An append that did not go through.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// What is given cannot be a row.
    #[error("{0}")]
    Refused(String),
    /// The client's key is known: this row was made of it. Said even to those who are behind, so that a command sent
    /// twice hears of the first time.
    #[error("the command {:?} of {:?} is row {} already", row.key.as_deref().unwrap_or_default(), row.client, row.seq)]
    Duplicate {
        /// The row with that key.
        row: Box<Row>,
    },
    /// Somebody appended since: read on from there and decide again.
    #[error("the log goes on to row {}", head.seq)]
    Conflict {
        /// Where the log ends.
        head: Head,
    },
    /// Nothing of it is in the database.
    #[error("not stored: {0}")]
    NotStored(String),
    /// The database went away between the commit and its answer and did not come back in time. Whether the rows are
    /// there can only be asked later, by their key or their place.
    #[error("whether it is stored is not known: {0}")]
    Unknown(String),
}

/// A change to people's records that did not go through.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// Somebody has that name, perhaps in other letters, capital or small.
    #[error("the name {0:?} is taken")]
    NameTaken(String),
    /// There is no such account.
    #[error("there is no account {0:?}")]
    NoSuchAccount(String),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for PeopleError {
    fn from(error: sqlx::Error) -> Self {
        PeopleError::Store(error.into())
    }
}
