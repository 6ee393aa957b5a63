//! Turns: one request of a person or an address at a time, where two at once would count the same money or seat twice, and when to come back for those who get no turn.

use crate::app::Counted;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedMutexGuard, SemaphorePermit};

/// The longest time until a client that was turned away is asked to come back.
const LATEST: Duration = Duration::from_secs(10);

/// The place of a request in progress.
pub(crate) struct Turn<'a> {
    _place: SemaphorePermit<'a>,
    _own: Option<Counted<super::Counted>>,
}

impl<'a> Turn<'a> {
    pub(super) fn new(place: SemaphorePermit<'a>, own: Option<Counted<super::Counted>>) -> Turn<'a> {
        Turn { _place: place, _own: own }
    }
}

/// Spreads the clients that were turned away over the next seconds, so that they don't all come back at once.
#[derive(Debug)]
pub(super) struct Spread {
    /// Time between two clients that come back.
    each: Duration,
    /// When the last of them comes back.
    last: Mutex<Option<Instant>>,
}

impl Spread {
    /// Lets as many clients come back in a second as there are turns.
    pub(super) fn new(turns: u32) -> Spread {
        Spread { each: Duration::from_secs(1) / turns.max(1), last: Mutex::default() }
    }

    /// Returns in how many seconds the next client comes back.
    pub(super) fn seconds(&self, now: Instant) -> u32 {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let next = (last.unwrap_or(now).max(now) + self.each).min(now + LATEST);
        *last = Some(next);
        u32::try_from((next - now).as_millis().div_ceil(1_000)).unwrap_or(1).max(1)
    }
}

/// The people or addresses whose requests wait for each other.
#[derive(Debug, Default)]
pub(crate) struct OneByOne(Mutex<HashMap<String, Arc<tokio::sync::Mutex<()>>>>);

impl OneByOne {
    /// Waits until no other request of this person or address is in progress. The next one goes on when the returned value is dropped.
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

    #[test]
    fn those_who_are_turned_away_come_back_one_after_the_other() {
        let (spread, now) = (Spread::new(100), Instant::now());
        let seconds: Vec<u32> = (0..2_000).map(|_| spread.seconds(now)).collect();
        assert_eq!([seconds[0], seconds[99], seconds[100], seconds[250]], [1, 1, 2, 3]);
        assert_eq!(seconds[1_999], 10, "nobody waits longer");
        assert_eq!(spread.seconds(now + Duration::from_secs(30)), 1, "later there is no crowd any more");
    }

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
