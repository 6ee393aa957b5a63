//! Token buckets for rate limits.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Refill rate and size of a bucket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// Time to refill one token.
    pub each: Duration,
    /// Maximum number of tokens.
    pub burst: u32,
}

impl Pace {
    /// Creates a pace of `rate` tokens per second and `burst` tokens at once.
    #[must_use]
    pub fn per_second(rate: u32, burst: u32) -> Pace {
        Pace { each: Duration::from_secs(1) / rate.max(1), burst: burst.max(1) }
    }

    /// Time to refill an empty bucket.
    fn filling(self) -> Duration {
        self.each.saturating_mul(self.burst)
    }
}

/// One bucket per client. Full buckets are dropped when space is needed, and there are never more than `most`.
///
/// A bucket is stored as the time when it will be full. Taking a token moves that time on.
#[derive(Debug)]
pub struct Buckets<K> {
    pace: Pace,
    most: usize,
    full_at: Mutex<HashMap<K, Instant>>,
}

impl<K: Hash + Eq + Clone> Buckets<K> {
    /// Creates buckets with this pace for at most `most` clients at once.
    #[must_use]
    pub fn new(pace: Pace, most: usize) -> Buckets<K> {
        Buckets { pace, most: most.max(1), full_at: Mutex::default() }
    }

    /// Takes one token.
    ///
    /// # Errors
    /// When there is no token. The error is the time to wait.
    pub fn take(&self, who: &K, now: Instant) -> Result<(), Duration> {
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        let after = full_at.get(who).copied().unwrap_or(now).max(now) + self.pace.each;
        let wait = after.duration_since(now).saturating_sub(self.pace.filling());
        if !wait.is_zero() {
            return Err(wait);
        }
        if full_at.len() >= self.most && !full_at.contains_key(who) {
            full_at.retain(|_, full| *full > now);
            // All buckets are in use: a new client has to wait for a free one.
            if full_at.len() >= self.most {
                return Err(self.pace.each.max(Duration::from_secs(1)));
            }
        }
        full_at.insert(who.clone(), after);
        Ok(())
    }

    /// Gives one token back, for example after a successful sign-in.
    pub fn give_back(&self, who: &K) {
        let mut full_at = self.full_at.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(full) = full_at.get_mut(who) {
            *full = full.checked_sub(self.pace.each).unwrap_or(*full);
        }
    }

    /// Refills the bucket.
    pub fn forgive(&self, who: &K) {
        self.full_at.lock().unwrap_or_else(PoisonError::into_inner).remove(who);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_served_then_one_for_each_that_comes() {
        let buckets = Buckets::new(Pace::per_second(10, 3), 100);
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        for _ in 0..3 {
            assert_eq!(buckets.take(&"ann", at(0)), Ok(()));
        }
        assert_eq!(buckets.take(&"ann", at(0)), Err(Duration::from_millis(100)));
        assert_eq!(buckets.take(&"bo", at(0)), Ok(()), "each client has a bucket");
        assert_eq!(buckets.take(&"ann", at(60)), Err(Duration::from_millis(40)));
        assert_eq!(buckets.take(&"ann", at(100)), Ok(()));
        assert!(buckets.take(&"ann", at(100)).is_err());
        for _ in 0..3 {
            assert_eq!(buckets.take(&"ann", at(5_000)), Ok(()), "never more than the burst");
        }
        assert!(buckets.take(&"ann", at(5_000)).is_err());
        buckets.give_back(&"ann");
        assert_eq!(buckets.take(&"ann", at(5_000)), Ok(()));
        assert!(buckets.take(&"ann", at(5_000)).is_err());
        buckets.forgive(&"ann");
        for _ in 0..3 {
            assert_eq!(buckets.take(&"ann", at(5_000)), Ok(()));
        }
    }

    #[test]
    fn there_are_never_more_than_the_most() {
        let buckets = Buckets::new(Pace::per_second(1, 2), 50);
        let start = Instant::now();
        let served = (0..10_000).filter(|who: &u32| buckets.take(who, start).is_ok()).count();
        assert_eq!(served, 50);
        assert_eq!(buckets.full_at.lock().unwrap().len(), 50);
        // Full buckets make room for others.
        assert_eq!(buckets.take(&777_777, start + Duration::from_secs(2)), Ok(()));
        assert_eq!(buckets.full_at.lock().unwrap().len(), 1);
    }

    #[test]
    fn a_full_house_serves_its_clients_and_makes_room_when_a_bucket_is_full() {
        let buckets = Buckets::new(Pace::per_second(1, 3), 1);
        let start = Instant::now();
        let at = |millis: u64| start + Duration::from_millis(millis);
        assert_eq!(buckets.take(&"ann", at(0)), Ok(()));
        assert_eq!(buckets.take(&"ann", at(0)), Ok(()), "she has a bucket");
        assert_eq!(buckets.take(&"bo", at(1_999)), Err(Duration::from_secs(1)));
        assert_eq!(buckets.take(&"bo", at(2_000)), Ok(()), "her bucket is full at this moment");
        assert_eq!(buckets.take(&"ann", at(2_000)), Err(Duration::from_secs(1)));
    }
}
