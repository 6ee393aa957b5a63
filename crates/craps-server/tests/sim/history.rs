//! What happened in a simulation, and the first promise that was broken.

use crate::promises::Promise;
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::fmt::Write as _;
use std::sync::{Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;
use tokio::time::Instant;

/// How many of the last events a failure shows.
const SHOWN: usize = 40;

pub struct History {
    since: Instant,
    lines: Mutex<Lines>,
    /// Wakes the simulation when a promise is broken.
    pub alarm: Notify,
}

#[derive(Default)]
struct Lines {
    steps: u64,
    last: VecDeque<String>,
    digest: Sha256,
    /// Print every event as it happens.
    loud: bool,
    broken: Option<Broken>,
}

/// A promise that was broken.
#[derive(Debug, Clone)]
pub struct Broken {
    pub promise: Promise,
    pub step: u64,
    pub what: String,
    pub last: Vec<String>,
}

impl History {
    pub fn new(loud: bool) -> History {
        let lines = Lines { loud, ..Lines::default() };
        History { since: Instant::now(), lines: Mutex::new(lines), alarm: Notify::new() }
    }

    fn lines(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the simulated time since the start, in milliseconds.
    pub fn millis(&self) -> i64 {
        i64::try_from(self.since.elapsed().as_millis()).unwrap_or(i64::MAX)
    }

    /// Adds an event.
    #[allow(clippy::print_stderr, reason = "the history of a seed that is replayed")]
    pub fn note(&self, event: &str) {
        let at = self.millis();
        let mut lines = self.lines();
        lines.steps += 1;
        let line = format!("{:>6} {at:>8} ms  {event}", lines.steps);
        lines.digest.update(line.as_bytes());
        if lines.loud {
            eprintln!("{line}");
        }
        if lines.last.len() == SHOWN {
            lines.last.pop_front();
        }
        lines.last.push_back(line);
    }

    /// Notes that a promise is broken. The first one counts.
    pub fn broken(&self, promise: Promise, what: &str) {
        self.note(&format!("BROKEN {promise:?}: {what}"));
        let mut lines = self.lines();
        if lines.broken.is_none() {
            let last = lines.last.iter().cloned().collect();
            lines.broken = Some(Broken { promise, step: lines.steps, what: what.to_owned(), last });
        }
        drop(lines);
        self.alarm.notify_waiters();
    }

    pub fn is_broken(&self) -> Option<Broken> {
        self.lines().broken.clone()
    }

    pub fn steps(&self) -> u64 {
        self.lines().steps
    }

    /// Returns a digest of all events.
    pub fn digest(&self) -> String {
        let digest = self.lines().digest.clone().finalize();
        digest.iter().take(8).fold(String::new(), |mut hex, byte| {
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}
