//! Failed sign-ins on their way to the trail. They are written after the answer, so that neither its time nor a full disk shows which names exist.

use super::records::Records;
use craps_store::{Account, Store};
use std::net::IpAddr;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// How many failed sign-ins can wait to be written.
const WAITING: u32 = 64;

/// Writes failed sign-ins to the trail.
#[derive(Debug)]
pub(crate) struct Failures(Arc<Semaphore>);

impl Default for Failures {
    fn default() -> Failures {
        Failures(Arc::new(Semaphore::new(WAITING as usize)))
    }
}

impl Failures {
    /// Notes a sign-in that failed, and what was wrong. When too many wait, the trail goes without it.
    pub(crate) fn note(&self, store: &Store, account: Account, from: IpAddr, wrong: &'static str) {
        let Ok(place) = Arc::clone(&self.0).try_acquire_owned() else {
            tracing::warn!(account = account.id, address = %from, "too many failed sign-ins at once: this one is not in the trail");
            return;
        };
        let store = store.clone();
        tokio::spawn(async move {
            if let Err(error) = Records::new(&store, "").failed_sign_in(&account, from, wrong).await {
                tracing::warn!(%error, account = account.id, address = %from, "a failed sign-in is not in the trail");
            }
            drop(place);
        });
    }

    /// Waits until all that came before are written.
    pub(crate) async fn written(&self) {
        drop(self.0.acquire_many(WAITING).await);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craps_store::TRAIL;
    use std::net::Ipv4Addr;

    #[tokio::test]
    async fn no_more_wait_than_there_is_room_for() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("test.db").to_str().unwrap()).await.unwrap();
        let ann = store.people().add_account("Ann", "no hash", 0).await.unwrap();
        let failures = Failures::default();
        let note = || failures.note(&store, ann.clone(), Ipv4Addr::LOCALHOST.into(), "password");
        let noted = async || {
            failures.written().await;
            store.head(TRAIL).await.unwrap().seq
        };
        // Nothing is written before this task waits.
        (0..2 * WAITING).for_each(|_| note());
        assert_eq!(noted().await, u64::from(WAITING));
        note();
        assert_eq!(noted().await, u64::from(WAITING) + 1);
        store.close().await;
    }
}
