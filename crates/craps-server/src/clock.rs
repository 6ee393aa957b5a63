//! The time of the server. It never goes back, and a jump of the machine's clock is noticed.
//!
//! The server reads the machine's clock once and then counts by itself. Now and then it compares: small differences are corrected without going back.
//! A large one is a jump. After a jump ahead the server takes the new time. After a jump back it keeps its own, because rows must not be older than
//! the rows before them. Whoever measures how long something takes uses [`ticks`], which no clock setting changes.

use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use tokio::time::Instant;

/// A difference to the machine's clock above this is a jump, in milliseconds.
const JUMP: i64 = 1_000;

/// The clock of this program.
static CLOCK: LazyLock<Arc<Clock>> = LazyLock::new(|| Arc::new(Clock::of(machine)));
/// The moment from which ticks are counted.
static START: LazyLock<Instant> = LazyLock::new(Instant::now);

/// Returns the time of this program's clock, in Unix milliseconds.
#[must_use]
pub fn now() -> i64 {
    #[cfg(feature = "testing")]
    if let Some(now) = crate::testing::now() {
        return now;
    }
    CLOCK.now()
}

/// Returns the clock of this program.
pub(crate) fn shared() -> Arc<Clock> {
    Arc::clone(&CLOCK)
}

/// Returns milliseconds since some moment. They count time that passes, whatever happens to the machine's clock.
#[must_use]
pub fn ticks() -> i64 {
    let now = Instant::now();
    let millis = |time: std::time::Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
    match now.checked_duration_since(*START) {
        Some(since) => millis(since),
        None => -millis(START.duration_since(now)),
    }
}

/// Returns this moment, for what is measured in time that passes. In a test with its own time, it is the moment of the test.
pub(crate) fn moment() -> std::time::Instant {
    Instant::now().into_std()
}

/// Returns the time of the machine's clock, in Unix milliseconds. It may go back.
pub(crate) fn machine() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// A clock that never goes back.
pub struct Clock {
    machine: Box<dyn Fn() -> i64 + Send + Sync>,
    counted: Mutex<Counted>,
}

impl std::fmt::Debug for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Clock({})", self.now())
    }
}

#[derive(Debug, Clone, Copy)]
struct Counted {
    /// The time at `since`.
    time: i64,
    since: Instant,
    /// Difference to the machine's clock that was reported as a jump.
    known: i64,
}

impl Counted {
    fn at(self, moment: Instant) -> i64 {
        let passed = moment.saturating_duration_since(self.since).as_millis();
        self.time.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX))
    }
}

/// A jump of the machine's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Jump {
    /// The server's time when it was noticed. At the start, this is the time of the newest row.
    pub from: i64,
    /// The machine's time.
    pub to: i64,
}

impl Jump {
    /// Returns the jump from `from` back to `to`, unless the difference is small.
    pub(crate) fn back(from: i64, to: i64) -> Option<Jump> {
        (from.saturating_sub(to) > JUMP).then_some(Jump { from, to })
    }
}

impl Clock {
    /// Creates a clock that starts at the time of a machine's clock and compares itself with it.
    pub fn of(machine: impl Fn() -> i64 + Send + Sync + 'static) -> Clock {
        let counted = Counted { time: machine(), since: Instant::now(), known: 0 };
        Clock { machine: Box::new(machine), counted: Mutex::new(counted) }
    }

    /// Returns the time in Unix milliseconds. It is never less than before.
    #[must_use]
    pub fn now(&self) -> i64 {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner).at(Instant::now())
    }

    /// Compares the time with the machine's clock and corrects it. Returns a jump if there is one that wasn't returned before.
    pub fn compare(&self) -> Option<Jump> {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let moment = Instant::now();
        let (from, to) = (counted.at(moment), (self.machine)());
        let ahead = to.saturating_sub(from);
        if (-JUMP..=0).contains(&ahead) {
            // Lets the time go half as fast until the machine's clock has caught up.
            let slower = (-ahead).min(from.saturating_sub(counted.time) / 2);
            *counted = Counted { time: from - slower, since: moment, known: 0 };
            return None;
        }
        if ahead > 0 {
            *counted = Counted { time: to, since: moment, known: 0 };
            return (ahead > JUMP).then_some(Jump { from, to });
        }
        let is_known = (ahead - counted.known).abs() <= JUMP;
        *counted = Counted { time: from, since: moment, known: if is_known { counted.known } else { ahead } };
        (!is_known).then_some(Jump { from, to })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicI64, Ordering};
    use std::time::Duration;
    use tokio::time::advance;

    /// Returns a clock and the machine's clock that it is compared with, set to 1,000,000 at the start.
    fn clock() -> (Clock, Arc<AtomicI64>) {
        let (wrong, start) = (Arc::new(AtomicI64::new(0)), Instant::now());
        let set = Arc::clone(&wrong);
        let machine = move || {
            let passed = i64::try_from(start.elapsed().as_millis()).unwrap();
            1_000_000 + passed + set.load(Ordering::SeqCst)
        };
        (Clock::of(machine), wrong)
    }

    #[tokio::test(start_paused = true)]
    async fn a_jump_ahead_is_followed_and_a_jump_back_is_not() {
        let (clock, wrong) = clock();
        advance(Duration::from_secs(5)).await;
        assert_eq!((clock.compare(), clock.now()), (None, 1_005_000));
        wrong.store(301_000, Ordering::SeqCst);
        assert_eq!(clock.now(), 1_005_000, "until the next comparison");
        assert_eq!(clock.compare(), Some(Jump { from: 1_005_000, to: 1_306_000 }));
        assert_eq!((clock.compare(), clock.now()), (None, 1_306_000));

        wrong.store(-1_000_000, Ordering::SeqCst);
        advance(Duration::from_secs(1)).await;
        assert_eq!(clock.compare(), Some(Jump { from: 1_307_000, to: 6_000 }));
        assert_eq!((clock.compare(), clock.now()), (None, 1_307_000), "it is reported once");
        advance(Duration::from_secs(60)).await;
        assert_eq!((clock.compare(), clock.now()), (None, 1_367_000), "time goes on");
        wrong.store(-2_000_000, Ordering::SeqCst);
        assert!(clock.compare().is_some(), "another jump is another report");
        wrong.store(301_000, Ordering::SeqCst);
        assert_eq!((clock.compare(), clock.now()), (None, 1_367_000), "back where it was");
    }

    #[tokio::test(start_paused = true)]
    async fn small_differences_are_corrected_without_going_back() {
        let (clock, wrong) = clock();
        wrong.store(-400, Ordering::SeqCst);
        let mut last = clock.now();
        for _ in 0..20 {
            advance(Duration::from_millis(100)).await;
            assert_eq!(clock.compare(), None);
            assert!(clock.now() >= last);
            last = clock.now();
        }
        assert_eq!(last, 1_001_600);
        wrong.store(500, Ordering::SeqCst);
        assert_eq!((clock.compare(), clock.now()), (None, 1_002_500));
    }

    #[tokio::test(start_paused = true)]
    async fn ticks_count_what_passes() {
        let before = ticks();
        advance(Duration::from_millis(1_234)).await;
        assert_eq!(ticks() - before, 1_234);
    }
}
