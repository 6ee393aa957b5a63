//! Trust in the log. At the start and before every signature, the logs are compared with what was signed before. A server that finds a difference
//! doesn't go on until an operator says so.

use craps_store::{Finding, HeadFile, HeadKey, PublicKey, SERVER, Store, StoreError, Verified};
use serde_json::json;
use std::path::Path;

/// How many findings a message lists.
const LISTED: usize = 5;

/// Signs the heads of the logs.
pub(crate) struct Signer {
    key: HeadKey,
    /// The last signed heads, outside the database.
    file: HeadFile,
}

/// Why heads were not signed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotSigned {
    /// The store or the file of heads can't be read or written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The logs are not what was signed before.
    #[error("{}", listed(.0))]
    Findings(Vec<Finding>),
}

impl Signer {
    /// Opens the key, or makes one.
    pub(crate) fn open(key: &Path) -> Result<Signer, StoreError> {
        Ok(Signer { key: HeadKey::open_or_create(key)?, file: HeadFile::of_key(key) })
    }

    /// Opens a key that exists.
    pub(crate) fn existing(key: &Path) -> Result<Signer, StoreError> {
        Ok(Signer { key: HeadKey::open(key)?, file: HeadFile::of_key(key) })
    }

    /// Returns the public half of the key.
    pub(crate) fn public(&self) -> PublicKey {
        self.key.public()
    }

    /// Returns the file of the last signed heads.
    pub(crate) fn heads(&self) -> &Path {
        self.file.path()
    }

    /// Returns how many signed heads the file has.
    pub(crate) fn kept(&self) -> Result<usize, StoreError> {
        Ok(self.file.read()?.len())
    }

    /// Compares the logs with what was signed before.
    pub(crate) async fn verify(&self, store: &Store) -> Result<Verified, StoreError> {
        store.verify_since(&self.file.read()?, &self.key.public()).await
    }

    /// Signs the heads, after comparing the logs with what was signed before. Returns how many rows were verified.
    pub(crate) async fn sign(&self, store: &Store, at: i64) -> Result<u64, NotSigned> {
        let verified = self.verify(store).await?;
        if !verified.findings.is_empty() {
            return Err(NotSigned::Findings(verified.findings));
        }
        self.file.keep(&store.sign_ends(&self.key, verified.ends, at).await?)?;
        Ok(verified.rows)
    }

    /// Accepts the logs as they are, because an operator says so. That is a row of the server's own log, with the findings and the reason.
    pub(crate) async fn accept(
        &self,
        store: &Store,
        findings: &[Finding],
        reason: &str,
        at: i64,
    ) -> Result<(), StoreError> {
        let body = json!({ "did": "went-on-despite", "what": { "findings": findings, "reason": reason } }).to_string();
        store.note(SERVER, at, "", &body).await.map_err(|error| StoreError::Refused(error.to_string()))?;
        self.file.forget()?;
        store.forget_heads().await?;
        self.file.keep(&store.sign_heads(&self.key, at).await?)
    }
}

/// Lists findings in one sentence.
pub(crate) fn listed(findings: &[Finding]) -> String {
    let first: Vec<String> = findings.iter().take(LISTED).map(ToString::to_string).collect();
    let more = match findings.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    format!("the log is not what was signed before: {}{more}", first.join("; "))
}
