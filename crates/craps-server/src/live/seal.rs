//! Where the secrets of the dice come from: chains that follow from a key outside the database.
//!
//! The secrets of a table form chains. The last secret of a chain is an HMAC of the chain's nonce, keyed with the sealing key. Every other secret is
//! the SHA-256 of the one after it. So the commitment to the first secret commits to all of them, and the commitment to each later one is the secret
//! that was revealed before it. The log has the nonce, which says nothing without the key.
//!
//! The store has an epoch that no backup contains. A restored store gets a new one, and so does a store whose key was replaced. A hand that was
//! committed to in another epoch is retired: its secret may be known.

use super::fair::{bytes, hex};
use super::{Hand, Secret};
use craps_store::{SealKey, Session, Store, StoreError};
use hmac::{Hmac, KeyInit, Mac};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::sync::{PoisonError, RwLock};

/// How many hands a chain lasts.
pub const CHAIN: u32 = 1_000;
/// The longest chain that the audit accepts.
pub const CHAIN_MOST: u32 = 1_000_000;
/// Name under which the store keeps the fingerprint of the key and its epoch.
const KEPT: &str = "@seal";
/// What is keyed to make the fingerprint of a key.
const FINGERPRINT: &str = "boxperson-seal\n";
/// Length of the fingerprint, of an epoch and of a nonce, in bytes.
const SHORT: usize = 16;
/// Length of the secret of a second factor, in bytes, as RFC 4226 recommends it.
const FACTOR: usize = 20;

/// The place of a hand's secret in a chain, as the row of its commitment has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// Random bytes in hex, from which the chain is made with the sealing key.
    pub nonce: String,
    /// Place of the secret in the chain, from 1.
    pub place: u32,
    /// How many secrets the chain has.
    pub of: u32,
    /// Epoch of the store in which the chain began, in hex.
    pub epoch: String,
}

impl Chain {
    /// Returns the next place. None at the end of the chain.
    #[must_use]
    pub fn next(&self) -> Option<Chain> {
        (self.place < self.of).then(|| Chain { place: self.place + 1, ..self.clone() })
    }

    /// Does `next` follow this place in the same chain?
    #[must_use]
    pub fn leads_to(&self, next: &Chain) -> bool {
        self.next().as_ref() == Some(next)
    }
}

/// Why an open hand got a new secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Retirement {
    /// The store was restored, or an operator accepted a log that isn't what was signed before. Copies of the old store may know more.
    Restored,
    /// The secret can't be computed any more: the sealing key is another one, or the secret was left behind with an old store.
    Lost,
}

/// What became of the secret of a hand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// It is the secret that was committed to.
    Secret(Secret),
    /// It has to be retired. If it is known, it is revealed, so that the rolls so far can be verified.
    Retire(Retirement, Option<Secret>),
    /// It isn't the secret that was committed to.
    Wrong,
}

/// The sealing key in use, and the epoch of the store.
#[derive(Debug)]
pub struct Seal {
    key: SealKey,
    store: Store,
    epoch: RwLock<String>,
}

/// Why the secrets can't be sealed.
#[derive(Debug, thiserror::Error)]
pub enum NotSealed {
    /// The store can't be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The store was used with another key.
    #[error(
        "the dice of this store are sealed with another key: put the key file back or name it with --seal. To go on with a new key all the same, start \
         with --despite REASON; open hands get new secrets then"
    )]
    OtherKey,
}

impl Seal {
    /// Starts to use a key with a store. `renew` begins a new epoch, also with another key.
    ///
    /// # Errors
    /// When the store can't be read or written, or was used with another key.
    pub async fn open(store: &Store, key: SealKey, renew: bool) -> Result<Seal, NotSealed> {
        let fingerprint = fingerprint(&key);
        let fresh = [fingerprint.clone(), random()?.to_vec()].concat();
        if renew {
            store.replace_secret(KEPT, 0, &fresh).await?;
        }
        let kept = store.keep_secret(KEPT, 0, &fresh).await?;
        match kept.strip_prefix(fingerprint.as_slice()) {
            Some(epoch) => Ok(Seal { key, store: store.clone(), epoch: RwLock::new(hex(epoch)) }),
            None => Err(NotSealed::OtherKey),
        }
    }

    /// Checks that a key is the one that a store is used with. A store that wasn't used yet takes any key.
    ///
    /// # Errors
    /// When it is another key, or the store can't be read.
    pub async fn fits(store: &Store, key: &SealKey) -> Result<(), NotSealed> {
        let kept = store.secret(KEPT, 0).await?;
        let fingerprint = &keyed(key, FINGERPRINT)[..SHORT];
        if kept.is_none_or(|kept| kept.starts_with(fingerprint)) { Ok(()) } else { Err(NotSealed::OtherKey) }
    }

    /// Returns the epoch of the store.
    #[must_use]
    pub fn epoch(&self) -> String {
        self.epoch.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Reads the epoch again: another server may have begun a new one.
    async fn look_again(&self) -> Result<String, StoreError> {
        let kept = self.store.secret(KEPT, 0).await?.unwrap_or_default();
        let epoch = hex(kept.get(SHORT..).unwrap_or_default());
        self.epoch.write().unwrap_or_else(PoisonError::into_inner).clone_from(&epoch);
        Ok(epoch)
    }

    /// Begins a chain.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn begin(&self) -> Result<Chain, StoreError> {
        Ok(Chain { nonce: hex(&random()?), place: 1, of: CHAIN, epoch: self.epoch() })
    }

    /// Returns the secret at a place in a chain of a table.
    #[must_use]
    pub fn secret(&self, table: &str, chain: &Chain) -> Secret {
        derived(&self.key, self.store.id(), table, chain)
    }

    /// Returns the secret of an account's second factor. It follows from the key and a nonce, so the database has nothing of it.
    #[must_use]
    pub(crate) fn factor(&self, account: &str, nonce: &str) -> [u8; FACTOR] {
        factor_secret(&self.key, self.store.id(), account, nonce)
    }

    /// Returns the mark of a session, in hex, and the time of its second factor. The mark follows from the key and from who signed in when, so that a
    /// session that somebody else wrote into the database, or changed there, has none.
    #[must_use]
    pub fn mark(&self, session: &Session) -> String {
        let mark = keying(&self.key, &session_text(self.store.id(), session)).map(|mac| mac.finalize().into_bytes());
        let factor = session.factor.map(|at| format!("{at:016x}")).unwrap_or_default();
        mark.map(|mark| hex(&mark[..SHORT]) + &factor).unwrap_or_default()
    }

    /// Checks the mark of a session, in constant time, and returns the session as it counts: the database can take its second factor away, but not add
    /// one. None if the mark is wrong.
    pub(crate) fn marked(&self, session: Session, mark: &str) -> Option<Session> {
        let (mark, factor) = mark.split_at_checked(2 * SHORT)?;
        let begun = match factor {
            "" => None,
            at => Some(i64::from_str_radix(at, 16).ok()?),
        };
        let factor = session.factor.filter(|at| begun == Some(*at));
        let begun = Session { factor: begun, ..session };
        let mac = keying(&self.key, &session_text(self.store.id(), &begun))?;
        mac.verify_truncated_left(&bytes(mark)?).ok()?;
        Some(Session { factor, ..begun })
    }

    /// Returns a fingerprint of the key, in hex.
    #[must_use]
    pub(crate) fn fingerprint(&self) -> String {
        hex(&fingerprint(&self.key))
    }

    /// Finds the secret of an open hand, and compares it with the commitment.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn kept(&self, table: &str, hand: &Hand) -> Result<Kept, StoreError> {
        let (found, current) = match &hand.chain {
            Some(chain) => {
                let current = chain.epoch == self.epoch() || chain.epoch == self.look_again().await?;
                (Some(self.secret(table, chain)), current)
            }
            // Versions before this one kept secrets in the database.
            None => {
                let kept = self.store.secret(table, u64::from(hand.number)).await?;
                (kept.as_deref().and_then(Secret::from_bytes), true)
            }
        };
        let is_right = |secret: &Secret| secret.commitment() == hand.commitment;
        Ok(match found {
            None => Kept::Retire(Retirement::Lost, None),
            Some(secret) if current && is_right(&secret) => Kept::Secret(secret),
            Some(_) if current => Kept::Wrong,
            Some(secret) if is_right(&secret) => Kept::Retire(Retirement::Restored, Some(secret)),
            Some(_) => Kept::Retire(Retirement::Lost, None),
        })
    }
}

fn derived(key: &SealKey, store: &str, table: &str, chain: &Chain) -> Secret {
    let last = keyed(key, &format!("boxperson-chain\nstore {store}\ntable {table}\nnonce {}\n", chain.nonce));
    let steps = chain.of.min(CHAIN_MOST).saturating_sub(chain.place);
    Secret::from_array((0..steps).fold(last, |after, _| Sha256::digest(after).into()))
}

fn factor_secret(key: &SealKey, store: &str, account: &str, nonce: &str) -> [u8; FACTOR] {
    let all = keyed(key, &format!("boxperson-factor\nstore {store}\naccount {account}\nnonce {nonce}\n"));
    let mut secret = [0; FACTOR];
    secret.copy_from_slice(&all[..FACTOR]);
    secret
}

/// Returns what a session says, without its times of use, which change.
fn session_text(store: &str, session: &Session) -> String {
    let Session { token, account, created, factor, .. } = session;
    let factor = factor.map_or_else(|| "none".to_owned(), |at| at.to_string());
    format!("boxperson-session\nstore {store}\ntoken {token}\naccount {account}\ncreated {created}\nfactor {factor}\n")
}

fn fingerprint(key: &SealKey) -> Vec<u8> {
    keyed(key, FINGERPRINT)[..SHORT].to_vec()
}

fn random() -> Result<[u8; SHORT], StoreError> {
    let mut bytes = [0; SHORT];
    craps_store::random(&mut bytes)?;
    Ok(bytes)
}

fn keyed(key: &SealKey, message: &str) -> [u8; 32] {
    // HMAC takes a key of any length.
    keying(key, message).map_or([0; 32], |mac| mac.finalize().into_bytes().into())
}

fn keying(key: &SealKey, message: &str) -> Option<Hmac<Sha256>> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key.bytes()).ok()?;
    mac.update(message.as_bytes());
    Some(mac)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server must find the secrets of open hands after an update. These expected values were computed with a program in another language.
    #[test]
    fn secrets_are_those_that_another_program_derives() {
        let key = SealKey::from_bytes([7; 32]);
        let chain = |place: u32| Chain { nonce: "00ff".to_owned(), place, of: 1_000, epoch: String::new() };
        let secret = |place: u32| derived(&key, "S", "t", &chain(place));
        assert_eq!(secret(1).hex(), "ddd1e0a7a19272a9f4ad0a3fd54adaee304d0e096fb47e40f03aa848e28fe0f3");
        assert_eq!(secret(1).commitment(), "27c0eb6ce70b2418bdba7d5ccb2d9e765eb53afd57b6959a60eb2a68d393769a");
        assert_eq!(secret(2).hex(), "4cecd185633381aa03c2282709f75c3c8a8afca7b21e4d8d18b2c5537d47b75a");
        assert_eq!(secret(1_000).hex(), "be0861299a5af5c2ae6d39e982f228abed09350685711ca08810c52838a1057a");
        assert_eq!(secret(2).commitment(), secret(1).hex(), "a secret is the commitment to the next one");
        for (store, table) in [("R", "t"), ("S", "u")] {
            assert_ne!(derived(&key, store, table, &chain(1)), secret(1));
        }
        let factor = |store: &str, account: &str, nonce: &str| factor_secret(&key, store, account, nonce);
        assert_eq!(hex(&factor("S", "ann", "00ff")), "da5e65fb9f91f8bdf227650518f8682dca412df9");
        for other in [factor("R", "ann", "00ff"), factor("S", "bo", "00ff"), factor("S", "ann", "00fe")] {
            assert_ne!(other, factor("S", "ann", "00ff"), "a secret is of one account of one store");
        }
        assert!(chain(1).leads_to(&chain(2)) && !chain(1).leads_to(&chain(3)) && chain(1_000).next().is_none());
    }
}
