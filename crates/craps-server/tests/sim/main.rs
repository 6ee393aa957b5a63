//! Whole servers, simulated. A seed decides everything: what people do, how long the disk and the network take, what is lost, which writes fail, when
//! the disk is full, when a clock jumps, and when a server is killed. `promises.rs` has what must be true after every step.
//!
//! `BOXPERSON_SIM_SEED=7 cargo test -p craps-server --test sim` replays seed 7 and prints its history, and `BOXPERSON_SIM_SEEDS=10000` tries more
//! seeds.

#![allow(clippy::unwrap_used, reason = "a test that can't continue should stop there")]

mod chance;
mod clients;
mod disk;
mod history;
mod money;
mod network;
mod promises;
mod world;

use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use world::{Outcome, run};

/// How many seeds the tests try.
const SEEDS: u64 = 200;
/// How many threads try seeds. Each seed has one.
const THREADS: usize = 2;

fn number(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}: expected a number, found `{text}`")))
}

fn report(outcome: &Outcome) -> Option<String> {
    let broken = outcome.broken.as_ref()?;
    let mut text =
        format!("seed {}, step {}: {:?} is broken: {}\n", outcome.seed, broken.step, broken.promise, broken.what);
    for line in &broken.last {
        let _ = writeln!(text, "  {line}");
    }
    let _ = write!(text, "replay: BOXPERSON_SIM_SEED={} cargo test -p craps-server --test sim", outcome.seed);
    Some(text)
}

/// Tries seeds on several threads. Returns the first failures.
fn try_seeds(seeds: u64) -> (u64, u64, Vec<String>) {
    let (next, steps, rows) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while failures.lock().unwrap().len() < 3 {
                    let seed = next.fetch_add(1, Ordering::SeqCst);
                    if seed >= seeds {
                        return;
                    }
                    let outcome = run(seed, false);
                    steps.fetch_add(outcome.steps, Ordering::SeqCst);
                    rows.fetch_add(outcome.rows as u64, Ordering::SeqCst);
                    failures.lock().unwrap().extend(report(&outcome));
                }
            });
        }
    });
    (steps.into_inner(), rows.into_inner(), failures.into_inner().unwrap())
}

#[test]
#[allow(clippy::print_stderr, reason = "how far a long run came")]
fn every_promise_holds_whatever_fails() {
    if let Some(seed) = number("BOXPERSON_SIM_SEED") {
        let outcome = run(seed, true);
        assert!(outcome.broken.is_none(), "{}", report(&outcome).unwrap_or_default());
        return;
    }
    let seeds = number("BOXPERSON_SIM_SEEDS").unwrap_or(SEEDS);
    let (steps, rows, failures) = try_seeds(seeds);
    eprintln!("{seeds} seeds, {steps} steps, {rows} rows");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn a_seed_always_comes_to_the_same_end() {
    for seed in 0..6 {
        let (one, other) = (run(seed, false), run(seed, false));
        assert_eq!((one.steps, one.rows, &one.digest), (other.steps, other.rows, &other.digest), "seed {seed}");
        assert!(one.rows > 30 && one.steps > 100, "seed {seed} has only {} rows and {} steps", one.rows, one.steps);
    }
}
