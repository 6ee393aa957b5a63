//! What is wrong with a database, in plain words, and what to do about it.

use std::fmt;
use std::io;

/// A database that doesn't do its work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// The message of the database. It is for the log of the server, not for clients.
    pub why: String,
}

/// What is wrong with a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// The disk is full.
    DiskFull,
    /// The disk fails, or a file of the database can't be read or written.
    Disk,
    /// The database or its disk is read-only.
    ReadOnly,
    /// Another program holds the database locked.
    Busy,
    /// The database can't be reached, or it is starting or stopping.
    Unreachable,
    /// The file isn't a database, or it is damaged.
    Damaged,
    /// The database refuses what it was asked.
    Refused,
    /// The store is closed.
    Closed,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 8] = [
        FaultKind::DiskFull,
        FaultKind::Disk,
        FaultKind::ReadOnly,
        FaultKind::Busy,
        FaultKind::Unreachable,
        FaultKind::Damaged,
        FaultKind::Refused,
        FaultKind::Closed,
    ];

    /// Returns a short name for metrics and programs, such as `disk-full`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::DiskFull => "disk-full",
            FaultKind::Disk => "disk",
            FaultKind::ReadOnly => "read-only",
            FaultKind::Busy => "busy",
            FaultKind::Unreachable => "unreachable",
            FaultKind::Damaged => "damaged",
            FaultKind::Refused => "refused",
            FaultKind::Closed => "closed",
        }
    }

    /// Says what is wrong, as a part of a sentence that anybody may read.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            FaultKind::DiskFull => "the disk is full",
            FaultKind::Disk => "the disk can't be read or written",
            FaultKind::ReadOnly => "the database is read-only",
            FaultKind::Busy => "another program holds the database locked",
            FaultKind::Unreachable => "the database can't be reached",
            FaultKind::Damaged => "the database is damaged",
            FaultKind::Refused => "the database refused it",
            FaultKind::Closed => "the store is closed",
        }
    }

    /// Says what an operator should do.
    #[must_use]
    pub const fn advice(self) -> &'static str {
        match self {
            FaultKind::DiskFull => "Make room on the disk of the database. The server goes on by itself.",
            FaultKind::Disk | FaultKind::Damaged => {
                "Stop the server and copy the files of the database. See \"The disk fails\" in docs/runbook.md."
            }
            FaultKind::ReadOnly => "Check the permissions of the database and the mount options of its disk.",
            FaultKind::Busy => "Find the other program that has the database open, such as a second server or a shell.",
            FaultKind::Unreachable => {
                "Check that the database runs and that this machine can reach it. The server goes on by itself."
            }
            FaultKind::Refused => "Read the message of the database, and run `boxperson audit`.",
            FaultKind::Closed => "Start the server again.",
        }
    }

    /// Would the same request work alone? False when nothing can be written at all.
    pub(crate) const fn is_of_one_request(self) -> bool {
        matches!(self, FaultKind::Refused)
    }

    fn of_database(code: &str) -> FaultKind {
        // SQLite codes are numbers, and their last byte is the kind. PostgreSQL codes have five characters, and the first two are the class.
        match (code.len(), code.parse::<u32>().map(|code| code & 0xff)) {
            (5, _) if code == "53100" => FaultKind::DiskFull,
            (5, _) if code == "25006" => FaultKind::ReadOnly,
            (5, _) if code.starts_with("58") => FaultKind::Disk,
            (5, _) if code.starts_with("XX") => FaultKind::Damaged,
            (5, _) if ["08", "53", "57", "28", "3D"].iter().any(|class| code.starts_with(class)) => {
                FaultKind::Unreachable
            }
            (5, _) if code.starts_with("40") => FaultKind::Busy,
            (5, _) => FaultKind::Refused,
            (_, Ok(5 | 6)) => FaultKind::Busy,
            (_, Ok(8)) => FaultKind::ReadOnly,
            (_, Ok(10 | 14)) => FaultKind::Disk,
            (_, Ok(11 | 26)) => FaultKind::Damaged,
            (_, Ok(13)) => FaultKind::DiskFull,
            _ => FaultKind::Refused,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind.what(), self.why)
    }
}

impl Fault {
    pub(crate) fn closed() -> Fault {
        Fault { kind: FaultKind::Closed, why: "it takes no more requests".to_owned() }
    }
}

impl From<&sqlx::Error> for Fault {
    fn from(error: &sqlx::Error) -> Fault {
        let kind = match error {
            sqlx::Error::Database(error) => FaultKind::of_database(&error.code().unwrap_or_default()),
            sqlx::Error::Io(error) if error.kind() == io::ErrorKind::StorageFull => FaultKind::DiskFull,
            sqlx::Error::PoolClosed => FaultKind::Closed,
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::WorkerCrashed => FaultKind::Unreachable,
            sqlx::Error::Decode(_) | sqlx::Error::ColumnDecode { .. } => FaultKind::Damaged,
            _ => FaultKind::Refused,
        };
        Fault { kind, why: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_both_databases_are_known() {
        use FaultKind::{Busy, Damaged, Disk, DiskFull, ReadOnly, Refused, Unreachable};
        for (code, kind) in [
            ("13", DiskFull),
            ("5", Busy),
            ("517", Busy),
            ("8", ReadOnly),
            ("1032", ReadOnly),
            ("778", Disk),
            ("14", Disk),
            ("11", Damaged),
            ("26", Damaged),
            ("1555", Refused),
            ("", Refused),
            ("53100", DiskFull),
            ("53300", Unreachable),
            ("57P01", Unreachable),
            ("08006", Unreachable),
            ("25006", ReadOnly),
            ("58030", Disk),
            ("40001", Busy),
            ("XX001", Damaged),
            ("23505", Refused),
            // As a number it would be SQLite's "busy".
            ("10245", Refused),
        ] {
            assert_eq!(FaultKind::of_database(code), kind, "{code}");
        }
    }

    #[test]
    fn every_kind_has_its_own_name_and_says_what_to_do() {
        let names: std::collections::BTreeSet<&str> = FaultKind::ALL.map(FaultKind::name).into();
        assert_eq!(names.len(), FaultKind::ALL.len());
        for kind in FaultKind::ALL {
            assert!(kind.advice().ends_with('.') && !kind.what().ends_with('.'), "{kind:?}");
        }
    }
}
