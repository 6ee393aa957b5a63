//! Measures how long exact answers take: each distinct chain, slowest first, and the whole library. Computers differ and may be busy,
//! so compare the ratios within one run, not the times.

#![allow(clippy::print_stdout, clippy::float_arithmetic, reason = "a benchmark prints times")]

use craps_law::Library;
use craps_odds::{Chain, Solver, price};
use std::collections::HashSet;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Returns the shortest of several runs, which is the time with the least interference.
fn shortest<T>(runs: u32, mut work: impl FnMut() -> T) -> Duration {
    (0..runs)
        .map(|_| {
            let start = Instant::now();
            black_box(work());
            start.elapsed()
        })
        .min()
        .unwrap_or_default()
}

fn main() {
    let load = shortest(5, Library::shipped);
    let library = Library::shipped();
    let offerings: Vec<_> = library.books.iter().flat_map(|book| book.offerings(None)).collect();
    let mut seen = HashSet::new();
    let mut rows = Vec::new();
    for offering in &offerings {
        if seen.insert((offering.machine, offering.number)) {
            let explore = shortest(5, || Chain::explore(&offering.machine, offering.number, 0));
            let chain = Chain::explore(&offering.machine, offering.number, 0);
            let solve = shortest(5, || chain.solve());
            rows.push((explore + solve, explore, solve, chain.states(), offering.name()));
        }
    }
    let pass = rows.first().map_or(Duration::ZERO, |row| row.0);
    rows.sort_by_key(|row| std::cmp::Reverse(row.0));
    println!("{:<24} {:>7} {:>12} {:>12} {:>10}", "chain", "states", "explore", "solve", "x pass");
    for (total, explore, solve, states, name) in rows.iter().take(12) {
        let ratio = total.as_secs_f64() / pass.as_secs_f64();
        println!("{name:<24} {states:>7} {explore:>12.1?} {solve:>12.1?} {ratio:>10.1}");
    }
    let all = |solver: &mut Solver| offerings.iter().map(|offering| price(solver, offering).states).sum::<usize>();
    let shared = shortest(3, || all(&mut Solver::default()));
    let anew =
        shortest(3, || offerings.iter().map(|offering| price(&mut Solver::default(), offering).states).sum::<usize>());
    println!("\n{} chains serve {} records of {} books", rows.len(), offerings.len(), library.books.len());
    println!("load books            {load:>10.1?}");
    println!("price all, chains kept {shared:>9.1?}");
    println!("price all, solved anew {anew:>9.1?}   x {:.1}", anew.as_secs_f64() / shared.as_secs_f64());
}
