//! Witnesses: programs of somebody else that keep the signed heads of the logs, and that take part in the dice. [`host`] is such a program; the rest is
//! the server's side.

pub mod host;
mod keeper;
mod wire;

pub use keeper::Keeper;
pub(crate) use keeper::Keepers;
pub use wire::{Unheard, read_heads_from};

use craps_store::{HeadKey, Lock, PublicKey};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::watch;

/// Name of the warning about the witness of the dice.
pub(crate) const DICE: &str = "dice-witness";
/// How long to wait before a question is asked again: at first, and at most.
const AGAIN: (Duration, Duration) = (Duration::from_millis(200), Duration::from_secs(10));

/// The address of a witness and the key that it must sign with: `https://witness.example#KEY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessAt {
    /// Where it listens, such as `https://witness.example`.
    pub url: String,
    /// Its public key.
    pub key: PublicKey,
}

impl fmt::Display for WitnessAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl FromStr for WitnessAt {
    type Err = String;

    fn from_str(text: &str) -> Result<WitnessAt, String> {
        let wrong = || {
            format!(
                "expected the address and the public key of a witness such as https://witness.example#KEY, found `{text}`"
            )
        };
        let (url, key) = text.split_once('#').ok_or_else(wrong)?;
        let url = url.trim_end_matches('/').to_owned();
        if !wire::is_address(&url) {
            return Err(wrong());
        }
        let key = key.parse().map_err(|error| format!("{url}: {error}"))?;
        Ok(WitnessAt { url, key })
    }
}

/// An answer of a witness to a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answer {
    /// The signature, in hex.
    pub(crate) answer: String,
}

/// What a witness has said to a question so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Said {
    Nothing,
    /// It can't be reached, or it refuses. It is asked again.
    Failure(String),
    /// Its signature.
    Answer(String),
}

/// The witness of the dice of new tables, and the key that signs the questions.
#[derive(Debug)]
pub struct DiceWitness {
    at: WitnessAt,
    server: HeadKey,
}

impl DiceWitness {
    /// Uses this witness. `server` is the key that the witness knows this server by.
    #[must_use]
    pub const fn new(at: WitnessAt, server: HeadKey) -> DiceWitness {
        DiceWitness { at, server }
    }

    pub(crate) const fn key(&self) -> &PublicKey {
        &self.at.key
    }

    /// Asks until there is an answer, or nobody waits for one.
    pub(crate) async fn ask(&self, lock: Lock, say: &watch::Sender<Said>, warnings: &Warnings) {
        let question = self.server.ask(lock.clone());
        let mut wait = AGAIN.0;
        loop {
            let why = match wire::ask(&self.at.url, &question).await {
                Ok(Answer { answer }) if self.at.key.has_answered(&lock, &answer) => {
                    warnings.set(DICE, None);
                    say.send_replace(Said::Answer(answer));
                    return;
                }
                Ok(_) => format!("{}: the answer isn't signed with the key {}", self.at, self.at.key),
                Err(error) => format!("{}: {error}", self.at),
            };
            let Lock { table, hand, throw, .. } = &lock;
            let advice = "See \"A witness is lost or refuses\" in docs/runbook.md.";
            tracing::error!(table, hand, throw, why, advice, "a roll waits for the witness of the dice");
            metrics::counter!("boxperson_witness_failures_total", "of" => "dice").increment(1);
            warnings.set(DICE, Some(format!("rolls wait for the witness of the dice: {why}")));
            say.send_replace(Said::Failure(why));
            tokio::time::sleep(wait).await;
            wait = AGAIN.1.min(wait * 2);
        }
    }
}

/// What an operator should know, although the server works, by subject.
#[derive(Debug, Default)]
pub(crate) struct Warnings(Mutex<BTreeMap<&'static str, String>>);

impl Warnings {
    /// Sets or removes the warning about a subject.
    pub(crate) fn set(&self, of: &'static str, words: Option<String>) {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match words {
            Some(words) => all.insert(of, words),
            None => all.remove(of),
        };
    }

    /// Returns all warnings.
    pub(crate) fn all(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_a_key() {
        let key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
        let at: WitnessAt = format!("http://127.0.0.1:8090/#{key}").parse().unwrap();
        assert_eq!((at.url.as_str(), at.key.to_string().as_str()), ("http://127.0.0.1:8090", key));
        for wrong in [
            "",
            "http://127.0.0.1:8090",
            "ftp://a#00",
            &format!("witness.example#{key}"),
            "https://a#00",
            &format!("http://#{key}"),
        ] {
            assert!(wrong.parse::<WitnessAt>().is_err(), "{wrong}");
        }
    }
}
