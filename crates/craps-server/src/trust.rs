//! Trust in the log. At the start and before every signature, the logs are compared with what was signed before. A server that finds a difference
//! doesn't go on until an operator says so.

use crate::witness::{Keeper, Keepers, Unheard, Warnings};
use craps_store::{Finding, HeadFile, HeadKey, PublicKey, SERVER, Store, StoreError, Verified};
use serde_json::json;
use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How many findings a message lists.
const LISTED: usize = 5;
/// How many findings the row lists that says that an operator accepted them. A row has a limited size.
const KEPT: usize = 1_000;

/// Signs the heads of the logs.
pub(crate) struct Signer {
    key: HeadKey,
    /// The last signed heads, outside the database.
    file: HeadFile,
    /// Where they go as well.
    keepers: Keepers,
    /// An operator has accepted logs that aren't what was signed before. Until the next start, witnesses are not asked, and what they refuse is only
    /// reported: the operators of the witnesses have to release the store.
    accepted: AtomicBool,
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
    pub(crate) fn open(key: &Path, keepers: &[Keeper]) -> Result<Signer, StoreError> {
        Ok(Signer::of(HeadKey::open_or_create(key)?, key, keepers))
    }

    fn of(key: HeadKey, file: &Path, keepers: &[Keeper]) -> Signer {
        let (file, keepers) = (HeadFile::of_key(file), Keepers::new(keepers));
        Signer { key, file, keepers, accepted: AtomicBool::new(false) }
    }

    /// Opens a key that exists.
    pub(crate) fn existing(key: &Path, keepers: &[Keeper]) -> Result<Signer, StoreError> {
        Ok(Signer::of(HeadKey::open(key)?, key, keepers))
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

    /// Asks every witness how many heads it has of this store.
    pub(crate) async fn witnesses(&self, store: &Store) -> Vec<(String, Result<usize, Unheard>)> {
        self.keepers.asked(store.id(), &self.key.public()).await
    }

    /// Compares the logs with what was signed before, as the server and its witnesses know it.
    pub(crate) async fn verify(&self, store: &Store) -> Result<Verified, StoreError> {
        let (mut kept, mut refused) = (self.file.read()?, Vec::new());
        if !self.accepted.load(Ordering::Acquire) {
            let (heads, findings) = self.keepers.heads(store.id(), &self.key.public()).await;
            kept.extend(heads);
            refused = findings;
        }
        let mut verified = store.verify_since(&kept, &self.key.public()).await?;
        verified.findings.extend(refused);
        // The same may be in several places.
        let mut seen = HashSet::new();
        verified.findings.retain(|finding| seen.insert(format!("{finding:?}")));
        Ok(verified)
    }

    /// Signs the heads, after comparing the logs with what was signed before, and gives them to the witnesses. Returns how many rows were verified.
    pub(crate) async fn sign(&self, store: &Store, warnings: &Warnings, at: i64) -> Result<u64, NotSigned> {
        let verified = self.verify(store).await?;
        if !verified.findings.is_empty() {
            return Err(NotSigned::Findings(verified.findings));
        }
        let heads = store.sign_ends(&self.key, verified.ends, at).await?;
        self.file.keep(&heads)?;
        let refused = self.keepers.give(&heads, warnings).await;
        if refused.is_empty() || self.accepted.load(Ordering::Acquire) {
            return Ok(verified.rows);
        }
        Err(NotSigned::Findings(refused))
    }

    /// Accepts the logs as they are, because an operator says so. That is a row of the server's own log, with the first findings and the reason.
    pub(crate) async fn accept(
        &self,
        store: &Store,
        findings: &[Finding],
        reason: &str,
        at: i64,
    ) -> Result<(), StoreError> {
        let first = findings.get(..KEPT).unwrap_or(findings);
        let mut what = json!({ "findings": first, "reason": reason });
        if first.len() < findings.len() {
            what["of"] = json!(findings.len());
        }
        let body = json!({ "did": "went-on-despite", "what": what }).to_string();
        store.note(SERVER, at, "", &body).await.map_err(|error| StoreError::Refused(error.to_string()))?;
        self.accepted.store(true, Ordering::Release);
        self.keepers.set_aside(at)?;
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
