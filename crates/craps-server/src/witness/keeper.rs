//! Where the signed heads go besides the server's own file: files on other disks, and witnesses.

use super::{Unheard, Warnings, WitnessAt, wire};
use craps_store::{Finding, HeadFile, PublicKey, SignedHead, StoreError};
use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Name of the warning about the heads.
const HEADS: &str = "witness";
/// How often heads are sent before the next signature sends them again.
const TRIES: u32 = 3;
/// How long to wait before they are sent again.
const PAUSE: Duration = Duration::from_millis(500);

/// One place where signed heads go.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keeper {
    /// A file, which may be on another disk.
    File(HeadFile),
    /// A witness.
    Witness(WitnessAt),
}

impl fmt::Display for Keeper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Keeper::File(file) => write!(f, "{}", file.path().display()),
            Keeper::Witness(at) => at.fmt(f),
        }
    }
}

impl FromStr for Keeper {
    type Err = String;

    fn from_str(text: &str) -> Result<Keeper, String> {
        match text {
            "" => Err("expected a file, or an address such as https://witness.example#KEY".to_owned()),
            text if text.contains("://") => text.parse().map(Keeper::Witness),
            file => Ok(Keeper::File(HeadFile::at(Path::new(file)))),
        }
    }
}

fn of_file(error: &StoreError) -> Unheard {
    Unheard::Unreachable(error.to_string())
}

impl Keeper {
    /// Returns the last heads that it has of this store. If it has none of this store, those of other stores that were signed with this key: then
    /// this store took the place of another one.
    async fn heads(&self, store: &str, key: &PublicKey) -> Result<Vec<SignedHead>, Unheard> {
        let all = match self {
            Keeper::File(file) => file.read().map_err(|error| of_file(&error))?,
            Keeper::Witness(at) => wire::heads(&at.url, store, key).await?,
        };
        let (own, mut others): (Vec<SignedHead>, Vec<SignedHead>) =
            all.into_iter().partition(|head| head.store == store);
        others.truncate(usize::from(own.is_empty()));
        Ok(if own.is_empty() { others } else { own })
    }

    async fn give(&self, heads: &[SignedHead]) -> Result<(), Unheard> {
        match self {
            Keeper::File(file) => file.keep(heads).map_err(|error| of_file(&error)),
            Keeper::Witness(at) => {
                for some in heads.chunks(wire::HEADS) {
                    let receipt = wire::give(&at.url, some).await?;
                    if !receipt.is_for(some, &at.key) {
                        return Err(Unheard::Unreachable(format!("its receipt isn't signed with the key {}", at.key)));
                    }
                }
                Ok(())
            }
        }
    }
}

/// All places where signed heads go.
#[derive(Debug, Default)]
pub(crate) struct Keepers(Vec<Kept>);

#[derive(Debug)]
struct Kept {
    keeper: Keeper,
    /// The row up to which it has each log.
    given: Mutex<HashMap<String, u64>>,
    /// When it last had everything.
    since: Mutex<Instant>,
}

impl Keepers {
    pub(crate) fn new(all: &[Keeper]) -> Keepers {
        let kept = |keeper: &Keeper| Kept {
            keeper: keeper.clone(),
            given: Mutex::default(),
            since: Mutex::new(Instant::now()),
        };
        Keepers(all.iter().map(kept).collect())
    }

    /// Returns the heads that all keepers have, and what those refuse that don't accept this store. A keeper that can't be reached says nothing.
    pub(crate) async fn heads(&self, store: &str, key: &PublicKey) -> (Vec<SignedHead>, Vec<Finding>) {
        let (mut heads, mut findings) = (Vec::new(), Vec::new());
        for Kept { keeper, .. } in &self.0 {
            match keeper.heads(store, key).await {
                Ok(some) => heads.extend(some),
                Err(Unheard::Refused(why)) => findings.push(Finding::Witness { witness: keeper.to_string(), why }),
                Err(Unheard::Unreachable(why)) => {
                    failed();
                    tracing::warn!(witness = %keeper, why, "the logs can't be compared with what the witness has");
                }
            }
        }
        (heads, findings)
    }

    /// Asks every keeper how many heads it has of this store.
    pub(crate) async fn asked(&self, store: &str, key: &PublicKey) -> Vec<(String, Result<usize, Unheard>)> {
        let mut answers = Vec::new();
        for Kept { keeper, .. } in &self.0 {
            let heads = keeper.heads(store, key).await;
            answers.push((keeper.to_string(), heads.map(|heads| heads.len())));
        }
        answers
    }

    /// Sends heads to all keepers: what each doesn't have yet. Returns what those say that refuse.
    pub(crate) async fn give(&self, heads: &[SignedHead], warnings: &Warnings) -> Vec<Finding> {
        let (mut findings, mut troubles, mut oldest) = (Vec::new(), Vec::new(), Duration::ZERO);
        for kept in &self.0 {
            let error = kept.give(heads).await.err();
            if let Some(error) = &error {
                failed();
                tracing::error!(witness = %kept.keeper, %error, "the witness doesn't have the newest heads");
                troubles.push(format!("{} doesn't have the newest heads: {error}", kept.keeper));
            }
            if let Some(Unheard::Refused(why)) = error {
                findings.push(Finding::Witness { witness: kept.keeper.to_string(), why });
            }
            oldest = oldest.max(kept.since.lock().unwrap_or_else(PoisonError::into_inner).elapsed());
        }
        if !self.0.is_empty() {
            metrics::gauge!("boxperson_witness_age_seconds").set(oldest.as_secs_f64());
            warnings.set(HEADS, Some(troubles.join("; ")).filter(|words| !words.is_empty()));
        }
        findings
    }

    /// Puts files with other heads aside, because an operator accepts the logs as they are.
    pub(crate) fn set_aside(&self, at: i64) -> Result<(), StoreError> {
        for Kept { keeper, .. } in &self.0 {
            if let Keeper::File(file) = keeper
                && let Some(aside) = file.set_aside(at)?
            {
                tracing::warn!(file = %aside.display(), "the heads of before are kept here");
            }
        }
        Ok(())
    }
}

impl Kept {
    async fn give(&self, heads: &[SignedHead]) -> Result<(), Unheard> {
        let mut new: Vec<SignedHead> = {
            let given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
            heads.iter().filter(|head| given.get(&head.table) != Some(&head.seq)).cloned().collect()
        };
        if new.is_empty() {
            // Something is sent every time, so that a silent witness shows.
            new.extend(heads.last().cloned());
        }
        let mut tries = 0;
        loop {
            tries += 1;
            match self.keeper.give(&new).await {
                Ok(()) => break,
                Err(Unheard::Unreachable(_)) if tries < TRIES => tokio::time::sleep(PAUSE).await,
                Err(error) => return Err(error),
            }
        }
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        given.extend(new.into_iter().map(|head| (head.table, head.seq)));
        *self.since.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        Ok(())
    }
}

fn failed() {
    metrics::counter!("boxperson_witness_failures_total", "of" => "heads").increment(1);
}
