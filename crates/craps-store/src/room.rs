//! How much room a store takes, and how much its disk has left.

use crate::base::on;
use crate::error::StoreError;
use crate::private::beside;
use crate::store::Store;
use std::fs;
use std::io;
use std::path::Path;

/// Sizes in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The database without its write-ahead log.
    pub database: u64,
    /// The write-ahead log of SQLite. PostgreSQL keeps one for all its databases, which doesn't count here.
    pub wal: u64,
    /// What the disk has left for this program. None for PostgreSQL, whose disk is on another machine.
    pub free: Option<u64>,
}

impl Store {
    /// Measures the store and its disk.
    pub async fn room(&self) -> Result<Room, StoreError> {
        if let Some(file) = self.file() {
            let size = |file: &Path| match fs::metadata(file) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(0),
                found => found.map(|found| found.len()).map_err(StoreError::file(file)),
            };
            let free = free(file).map_err(StoreError::file(file))?;
            return Ok(Room { database: size(file)?, wal: size(&beside(file, "-wal"))?, free: Some(free) });
        }
        let sql = "SELECT pg_database_size(current_database())";
        let size: i64 = on!(Pool, &self.base().read, pool => sqlx::query_scalar(sql).fetch_one(pool).await?);
        Ok(Room { database: u64::try_from(size).unwrap_or_default(), wal: 0, free: None })
    }
}

/// Returns how many bytes an ordinary user can still write to the disk of a file.
#[cfg(unix)]
fn free(file: &Path) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(file)?;
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
}

#[cfg(not(unix))]
fn free(_: &Path) -> io::Result<u64> {
    Err(io::ErrorKind::Unsupported.into())
}
