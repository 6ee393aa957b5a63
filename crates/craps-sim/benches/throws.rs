//! Throws per second of each form, beside R: how many of 36 ways a plain generator draws on the same core in the same run.

#![allow(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    reason = "a benchmark prints figures, and stops where it cannot go on"
)]

use craps_law::{HouseRules, Library};
use craps_sim::in_code::{Molly, PassOdds, Press};
use craps_sim::lookup::Lookup;
use craps_sim::tabulate::tabulate;
use craps_sim::{Engine, Plan, Rules, Strategy};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::hint::black_box;
use std::time::{Duration, Instant};

const SLICE: Duration = Duration::from_millis(500);
const SLICES: u32 = 4;

/// The best of several slices.
fn rate(mut run: impl FnMut() -> u64) -> f64 {
    let mut best = 0.0;
    for _ in 0..SLICES {
        let (start, mut throws) = (Instant::now(), 0u64);
        while start.elapsed() < SLICE {
            throws += run();
        }
        let rate = throws as f64 / start.elapsed().as_secs_f64();
        if rate > best {
            best = rate;
        }
    }
    best
}

fn plain() -> f64 {
    let mut rng = SmallRng::seed_from_u64(1);
    rate(|| {
        let mut sum = 0u32;
        for _ in 0..100_000 {
            sum = sum.wrapping_add(rng.random_range(0..36u32));
        }
        black_box(sum);
        100_000
    })
}

fn engine<S: Strategy>(rules: &Rules, strategy: &S) -> f64 {
    let mut engine = Engine::new(rules, strategy);
    let plan = Plan { buy_in: 100_000_000_000, throws: 1_000, stop: None, goal: None };
    let mut number = 0;
    rate(|| {
        number += 1;
        let outcome = engine.session(7, number, &plan);
        black_box(outcome.net);
        u64::from(outcome.throws)
    })
}

fn tabulated<S: Strategy>(rules: &Rules, strategy: &S, plan: &Plan) -> f64 {
    let table = tabulate(rules, strategy, 100_000).unwrap();
    let lookup = Lookup::new(&table.folded()).unwrap();
    let mut first = 0;
    rate(|| {
        let (mut sum, mut throws) = (0, 0);
        lookup.sessions(7, first, 1_000, plan, None, |_, outcome| {
            sum += outcome.net;
            throws += u64::from(outcome.throws);
        });
        first += 1_000;
        black_box(sum);
        throws
    })
}

/// Plays so many throws of one strategy and nothing else: for counting instructions.
fn counted(rules: &Rules, name: &str, throws: u64) {
    let plan = Plan { buy_in: 100_000_000_000, throws: 1_000, stop: None, goal: None };
    let sessions = 0..throws / 1_000;
    let net: i64 = match name {
        "pass" => {
            let strategy = PassOdds::new(rules.layout(), 1_000).unwrap();
            let mut engine = Engine::new(rules, &strategy);
            sessions.map(|number| engine.session(7, number, &plan).net).sum()
        }
        _ => {
            let strategy = Molly::new(rules.layout(), 1_000).unwrap();
            let mut engine = Engine::new(rules, &strategy);
            sessions.map(|number| engine.session(7, number, &plan).net).sum()
        }
    };
    println!("{name}: {throws} throws, net {net}");
}

fn main() {
    let library = Library::shipped();
    let book = library.book("nj").unwrap();
    let rules = Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap()).unwrap();
    if let Ok(name) = std::env::var("BOXPERSON_COUNT") {
        let throws = std::env::var("BOXPERSON_THROWS").ok().and_then(|text| text.parse().ok()).unwrap_or(10_000_000);
        return counted(&rules, &name, throws);
    }
    let r = plain();
    let line = |name: &str, rate: f64| {
        println!("{name:<44} {:>12.1} M/s {:>10.3} R   R/{:.1}", rate / 1e6, rate / r, r / rate)
    };
    line("R: SmallRng, random_range(0..36)", r);
    line("engine, pass with 3-4-5 odds, in code", engine(&rules, &PassOdds::new(rules.layout(), 1_000).unwrap()));
    let plan = Plan { buy_in: 100_000_000_000, throws: 1_000, stop: None, goal: None };
    line("tabulated, pass with 3-4-5 odds", tabulated(&rules, &PassOdds::new(rules.layout(), 1_000).unwrap(), &plan));
    line("tabulated, three-point molly", tabulated(&rules, &Molly::new(rules.layout(), 1_000).unwrap(), &plan));
    let bounded = Plan { throws: 500, stop: Some(-30_000), goal: Some(30_000), ..plan };
    line(
        "tabulated, press with stop and goal",
        tabulated(&rules, &Press::new(rules.layout(), 1_200).unwrap(), &bounded),
    );
    line("engine, three-point molly, in code", engine(&rules, &Molly::new(rules.layout(), 1_000).unwrap()));
}
