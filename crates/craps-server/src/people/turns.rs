//! One request of a person at a time, where two at once would count the same money twice.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::OwnedMutexGuard;

/// The people whose requests wait for each other.
#[derive(Debug, Default)]
pub(crate) struct OneByOne(Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>);

impl OneByOne {
    /// Waits until no other request of this person is in progress. The next one goes on when the returned value is dropped.
    pub(crate) async fn turn(&self, who: &str) -> OwnedMutexGuard<()> {
        let own = {
            let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            // Nobody waits for those that only this map knows.
            all.retain(|_, own| Arc::strong_count(own) > 1);
            Arc::clone(all.entry(who.to_owned()).or_default())
        };
        own.lock_owned().await
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[tokio::test]
    async fn requests_of_one_person_wait_and_others_do_not() {
        let (all, inside) = (Arc::new(OneByOne::default()), Arc::new(AtomicU32::new(0)));
        let held = all.turn("bo").await;
        let mut tasks = tokio::task::JoinSet::new();
        for _ in 0..20 {
            let (all, inside) = (Arc::clone(&all), Arc::clone(&inside));
            tasks.spawn(async move {
                let _turn = all.turn("ann").await;
                assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                tokio::task::yield_now().await;
                inside.fetch_sub(1, Ordering::SeqCst);
            });
        }
        tasks.join_all().await;
        drop(held);
        drop(all.turn("cy").await);
        assert!(all.0.lock().unwrap().len() <= 2, "those who are done are forgotten");
    }
}
