//! The errors of the store.

use crate::fault::{Fault, FaultKind};
use crate::row::{Head, Row};
use std::io;
use std::path::{Path, PathBuf};

/// An error of the store.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database returned an error or can't be reached.
    #[error("the database: {0}")]
    Database(#[from] sqlx::Error),
    /// A query that several callers waited for failed.
    #[error("the database: {0}")]
    Fault(Fault),
    /// The schema of the store can't be migrated to the version of this program, or is newer.
    #[error("the schema of the database: {0}")]
    Migrate(#[from] sqlx::migrate::MigrateError),
    /// The database exists, but has no store in it.
    #[error("the database has no store in it")]
    NoStore,
    /// The schema version of the store is older or newer than this program's.
    #[error("the store has schema version {found}, expected {expected}")]
    Form {
        /// Schema version of the store.
        found: i64,
        /// Schema version of this program.
        expected: i64,
    },
    /// The address is not a database address.
    #[error("{url:?} is not a database address: expected a file, sqlite:FILE or postgres://USER@HOST/NAME")]
    Url {
        /// Address without the user and password.
        url: String,
    },
    /// A setting for TLS in the address of the database can't be used.
    #[error("the address of the database: {0}")]
    Tls(String),
    /// A value from the caller is not valid.
    #[error("{0}")]
    Refused(String),
    /// The key that signs heads can't be used.
    #[error("the key {}: {why}", file.display())]
    Key {
        /// File of the key.
        file: PathBuf,
        /// What is wrong with the key.
        why: String,
    },
    /// A file can't be read or written.
    #[error("{}: {error}", file.display())]
    File {
        /// Path of the file.
        file: PathBuf,
        /// I/O error from the operating system.
        error: io::Error,
    },
    /// An export can't be written.
    #[error("the export can't be written: {0}")]
    Write(#[from] io::Error),
    /// A backup can be restored only into an empty store.
    #[error("the store is not empty: a backup can be restored only into a new store")]
    NotEmpty,
    /// A backup or an archive failed verification and was not used.
    #[error("{} was not used: {} problems found, the first: {}", file.display(), findings.len(), findings.first().map(ToString::to_string).unwrap_or_default())]
    Unsound {
        /// File of the backup.
        file: PathBuf,
        /// All problems found.
        findings: Vec<crate::Finding>,
    },
    /// The operating system can't supply random bytes.
    #[error("the system can't supply random bytes: {0}")]
    Random(#[from] getrandom::Error),
    /// A row isn't what it was when it was stored.
    #[error("table {table}, row {seq}: was changed: its hash doesn't match")]
    Changed {
        /// Name of the log.
        table: String,
        /// Number of the row.
        seq: u64,
    },
    /// The store has been closed.
    #[error("the store is closed")]
    Closed,
}

impl StoreError {
    /// Makes the error for an invalid address, without the user and password.
    pub(crate) fn url(url: &str) -> StoreError {
        StoreError::Url { url: url.rsplit('@').next().unwrap_or_default().to_owned() }
    }

    /// Returns what is wrong with the database.
    #[must_use]
    pub fn fault(&self) -> Fault {
        let kind = match self {
            StoreError::Database(error) => return Fault::from(error),
            StoreError::Fault(fault) => return fault.clone(),
            StoreError::Closed => return Fault::closed(),
            StoreError::File { error, .. } | StoreError::Write(error) => match error.kind() {
                io::ErrorKind::StorageFull => FaultKind::DiskFull,
                io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => FaultKind::ReadOnly,
                _ => FaultKind::Disk,
            },
            StoreError::Unsound { .. } | StoreError::Changed { .. } => FaultKind::Damaged,
            _ => FaultKind::Refused,
        };
        Fault { kind, why: self.to_string() }
    }

    pub(crate) fn file(file: &Path) -> impl Fn(io::Error) -> StoreError {
        move |error| StoreError::File { file: file.to_owned(), error }
    }
}

/// An append that failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AppendError {
    /// The rows are not valid.
    #[error("{0}")]
    Refused(String),
    /// The client's key is already in the log. This is returned even if `expected_seq` is out of date, so that a command
    /// that is sent twice gets the row of the first time.
    #[error("the command {:?} of {:?} is already row {}", row.key.as_deref().unwrap_or_default(), row.client, row.seq)]
    Duplicate {
        /// Row with this key.
        row: Box<Row>,
    },
    /// The log has grown since the caller read it. Read the new rows and decide again.
    #[error("the log {table:?} has grown to row {}", head.seq)]
    Conflict {
        /// Name of the log.
        table: String,
        /// Current end of the log.
        head: Head,
    },
    /// None of the rows are in the database.
    #[error("not stored: {0}")]
    NotStored(Fault),
    /// The connection was lost between the commit and its answer, and the database didn't come back in time. The caller can
    /// check later, by key or row number, whether the rows are stored.
    #[error("it is not known whether the rows are stored: {0}")]
    Unknown(Fault),
}

impl AppendError {
    /// Returns a short name for metrics, such as `conflict`, or the name of the fault.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            AppendError::Refused(_) => "invalid",
            AppendError::Duplicate { .. } => "duplicate",
            AppendError::Conflict { .. } => "conflict",
            AppendError::NotStored(fault) => fault.kind.name(),
            AppendError::Unknown(_) => "unknown",
        }
    }
}

/// A change to the records of people that failed.
#[derive(Debug, thiserror::Error)]
pub enum PeopleError {
    /// Another account has this name. Upper and lower case don't matter.
    #[error("the name {0:?} is taken")]
    NameTaken(String),
    /// No account has this id.
    #[error("there is no account {0:?}")]
    NoSuchAccount(String),
    /// An error of the store itself.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for PeopleError {
    fn from(error: sqlx::Error) -> Self {
        PeopleError::Store(error.into())
    }
}
