//! The key that seals the secrets of the dice. It is in a file outside the database and its backups, so that whoever reads those can't compute a roll.

use crate::error::StoreError;
use crate::private;
use std::fmt;
use std::path::{Path, PathBuf};

/// A key of 32 random bytes from which all secrets of the dice are derived. It is in a file that only its owner can read.
#[derive(Clone)]
pub struct SealKey([u8; 32]);

impl fmt::Debug for SealKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealKey(..)")
    }
}

impl SealKey {
    /// Returns the path of the key for a database file: the same path with `.seal` added.
    pub fn beside(database: &Path) -> PathBuf {
        private::beside(database, ".seal")
    }

    /// Reads the key, or makes a new one if the file doesn't exist.
    pub fn open_or_create(file: &Path) -> Result<SealKey, StoreError> {
        private::key_or_new(file).map(SealKey)
    }

    /// Reads the key.
    pub fn open(file: &Path) -> Result<SealKey, StoreError> {
        private::key(file).map(SealKey)
    }

    /// Makes a key of these bytes.
    pub const fn from_bytes(bytes: [u8; 32]) -> SealKey {
        SealKey(bytes)
    }

    /// Returns the bytes of the key.
    pub const fn bytes(&self) -> &[u8; 32] {
        &self.0
    }
}
