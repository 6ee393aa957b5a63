//! Benchmarks of the lab: rolls per second of each form next to R (how many of the 36 dice combinations a plain generator draws per second on
//! the same core in the same run), the time exact answers take, and the speed-up from a second thread.
//!
//! Each line of output is a name, a tab and a figure; `cargo xtask bench` compares them with the targets. Two environment variables ask for
//! something else: `BOXPERSON_COUNT=molly BOXPERSON_THROWS=n` only plays n rolls, for counting instructions; `BOXPERSON_DICE=n` prints n rolls
//! and their net results, so that another program can play them.

#![allow(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    clippy::cast_precision_loss,
    reason = "a benchmark prints figures, and panics if it can't go on"
)]

#[path = "../tests/in_code/mod.rs"]
mod in_code;

use craps_law::{HouseRules, Library};
use craps_sim::dice::{Stream, WAYS};
use craps_sim::exact::exact;
use craps_sim::language::Program;
use craps_sim::lookup::Lookup;
use craps_sim::shipped::Shipped;
use craps_sim::tabulate::{Tabulation, tabulate};
use craps_sim::{Choice, Engine, Plan, Request, Rules, Strategy, Unwatched, run};
use in_code::{Molly, PassOdds, Press};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::fmt::Display;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// How long each form plays before the next one, and how many rounds there are. The best slice of each form counts. Slices are short, so that
/// some run undisturbed on a machine with other work.
const SLICE: Duration = Duration::from_millis(4);
const ROUNDS: u32 = 500;
/// How often one thread and two threads take turns at the same work. The best time of each counts.
const TURNS: u32 = 4;
/// How long an exact answer is computed over and over. The best time counts.
const PATIENCE: Duration = Duration::from_secs(3);

const SEED: u64 = 7;
const UNIT: i64 = 1_000;
/// A buy-in that never runs out, and a session so long that its start doesn't matter.
const LONG: Plan = Plan { buy_in: 100_000_000_000, throws: 1_000, stop: None, goal: None };

fn tell(name: &str, figure: impl Display) {
    println!("{name}\t{figure}");
}

/// Reads a number from an environment variable.
fn asked(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().unwrap())
}

/// The plain table of a book on its sample day.
fn rules() -> Rules {
    let library = Library::shipped();
    let book = library.book("nj").unwrap();
    Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap()).unwrap()
}

fn pass(rules: &Rules) -> PassOdds {
    PassOdds::new(rules.board(), UNIT).unwrap()
}

fn molly(rules: &Rules) -> Molly {
    Molly::new(rules.board(), UNIT).unwrap()
}

/// Compiles a shipped strategy file for this table.
fn written(rules: &Rules, name: &str) -> Program {
    let script = Shipped::find(name).unwrap().script().unwrap();
    script.at(rules.board(), rules.table()).unwrap()
}

/// Draws or plays a short while, and returns the number of rolls.
type Piece<'a> = Box<dyn FnMut() -> u64 + 'a>;

/// R: a plain generator and nothing else.
fn plain() -> Piece<'static> {
    let mut rng = SmallRng::seed_from_u64(1);
    Box::new(move || {
        let mut sum = 0u32;
        for _ in 0..100_000 {
            sum = sum.wrapping_add(rng.random_range(0..36u32));
        }
        black_box(sum);
        100_000
    })
}

fn engine<'a, S: Strategy>(rules: &'a Rules, strategy: &'a S) -> Piece<'a> {
    let mut engine = Engine::new(rules, strategy);
    let mut number = 0;
    Box::new(move || {
        number += 1;
        let outcome = engine.session(SEED, number, &LONG);
        black_box(outcome.net);
        u64::from(outcome.throws)
    })
}

fn table<S: Strategy>(rules: &Rules, strategy: &S) -> Tabulation {
    tabulate(rules, strategy, 100_000).unwrap().folded()
}

fn tabulated<S: Strategy>(rules: &Rules, strategy: &S, plan: Plan) -> Piece<'static> {
    let lookup = Lookup::new(&table(rules, strategy)).unwrap();
    let mut first = 0;
    Box::new(move || {
        let (mut sum, mut throws) = (0, 0);
        lookup.sessions(SEED, first, 1_000, &plan, None, |_, outcome| {
            sum += outcome.net;
            throws += u64::from(outcome.throws);
        });
        first += 1_000;
        black_box(sum);
        throws
    })
}

/// Measures rolls per second over one slice.
fn slice(piece: &mut Piece<'_>) -> f64 {
    let (start, mut throws) = (Instant::now(), 0u64);
    while start.elapsed() < SLICE {
        throws += piece();
    }
    throws as f64 / start.elapsed().as_secs_f64()
}

/// Measures every form in turn, round after round, so that other work on the machine affects all of them.
fn rates(rules: &Rules) {
    let (pass, molly) = (pass(rules), molly(rules));
    let (pass_file, molly_file) = (written(rules, "pass"), written(rules, "molly"));
    let press = Press::new(rules.board(), 1_200).unwrap();
    let bounded = Plan { throws: 500, stop: Some(-30_000), goal: Some(30_000), ..LONG };
    let mut pieces = [
        ("rate/r", plain()),
        ("rate/engine/pass/code", engine(rules, &pass)),
        ("rate/engine/pass/file", engine(rules, &pass_file)),
        ("rate/engine/molly/code", engine(rules, &molly)),
        ("rate/engine/molly/file", engine(rules, &molly_file)),
        ("rate/tabulated/pass", tabulated(rules, &pass, LONG)),
        ("rate/tabulated/molly", tabulated(rules, &molly, LONG)),
        ("rate/tabulated/press", tabulated(rules, &press, bounded)),
    ];
    let mut best = pieces.each_ref().map(|_| 0.0f64);
    for _ in 0..ROUNDS {
        for (best, (_, piece)) in best.iter_mut().zip(&mut pieces) {
            *best = best.max(slice(piece));
        }
    }
    for ((name, _), best) in pieces.iter().zip(best) {
        tell(name, best);
    }
}

/// Returns how long some work takes, in seconds, and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let made = black_box(work());
    (start.elapsed().as_secs_f64(), made)
}

/// Like `timed`, with the shortest time of many runs.
fn shortest<T>(work: impl Fn() -> T) -> (f64, T) {
    let start = Instant::now();
    let (mut best, mut made) = timed(&work);
    while start.elapsed() < PATIENCE {
        let again = timed(&work);
        (best, made) = (best.min(again.0), again.1);
    }
    (best, made)
}

/// Measures exact answers for strategy files: the time to walk every position, the time to carry the probabilities through them, and the
/// figures.
fn answers(rules: &Rules) {
    for (name, throws) in [("pass", 100), ("molly", 100), ("press", 500)] {
        let program = written(rules, name);
        let plan = Plan { throws, stop: program.stop(), goal: program.goal(), ..LONG };
        let (walk, table) = shortest(|| table(rules, &program));
        let (carry, truth) = shortest(|| exact(&table, &plan).unwrap());
        let tell = |figure: &str, value: f64| tell(&format!("exact/{name}/{figure}"), value);
        tell("walk", walk);
        tell("carry", carry);
        tell("positions", table.states() as f64);
        tell("mean", truth.mean() / 100.0);
        tell("sd", truth.sd() / 100.0);
        tell("behind", truth.behind());
        tell("goal", truth.goal);
        tell("stop", truth.stop);
        tell("throws", truth.throws_mean);
    }
}

/// Measures the seconds for the same sessions on one thread and on two, run as the command line runs them.
fn threads(rules: &Rules) {
    let program = written(rules, "molly");
    let plan = Plan { throws: 100, ..LONG };
    for (form, choice, sessions) in [("engine", Choice::Engine, 400_000), ("tabulated", Choice::Tabulated, 20_000_000)]
    {
        let seconds = |threads| {
            let request =
                Request { rules, strategy: &program, plan, sessions, seed: SEED, threads, choice, strict: false };
            let (seconds, answer) = timed(|| run(&request, &Unwatched).unwrap());
            assert_eq!(answer.sessions, sessions, "a run that isn't stopped plays every session");
            seconds
        };
        let mut best = (f64::MAX, f64::MAX);
        for _ in 0..TURNS {
            best = (best.0.min(seconds(1)), best.1.min(seconds(2)));
        }
        tell(&format!("threads/{form}/1"), best.0);
        tell(&format!("threads/{form}/2"), best.1);
    }
}

/// Returns the net result of this many rolls, played in consecutive sessions.
fn counted<S: Strategy>(rules: &Rules, strategy: &S, throws: u64) -> i64 {
    let mut engine = Engine::new(rules, strategy);
    (0..throws / u64::from(LONG.throws)).map(|number| engine.session(SEED, number, &LONG).net).sum()
}

fn count(rules: &Rules, name: &str, throws: u64) {
    let net = match name {
        "pass" => counted(rules, &pass(rules), throws),
        "molly" => counted(rules, &molly(rules), throws),
        "pass-file" => counted(rules, &written(rules, "pass"), throws),
        "molly-file" => counted(rules, &written(rules, "molly"), throws),
        other => panic!("BOXPERSON_COUNT={other}: expected pass, molly, pass-file or molly-file"),
    };
    tell(&format!("net/{name}"), net);
}

/// Prints the rolls of one session and their net results, in minor units.
fn dice(rules: &Rules, throws: u64) {
    let mut stream = Stream::new(SEED, 0);
    let throw = |way: usize| format!("{}{}", WAYS[way].low().pips(), WAYS[way].high().pips());
    let thrown: Vec<String> = (0..throws).map(|_| throw(stream.way())).collect();
    tell("dice", thrown.join(" "));
    let plan = Plan { throws: throws.try_into().unwrap(), ..LONG };
    tell("net/pass", Engine::new(rules, &pass(rules)).session(SEED, 0, &plan).net);
    tell("net/molly", Engine::new(rules, &molly(rules)).session(SEED, 0, &plan).net);
}

fn main() {
    let rules = rules();
    if let Ok(name) = std::env::var("BOXPERSON_COUNT") {
        return count(&rules, &name, asked("BOXPERSON_THROWS").unwrap_or(10_000_000));
    }
    if let Some(throws) = asked("BOXPERSON_DICE") {
        return dice(&rules, throws);
    }
    // `cargo xtask bench` runs this same program again to count instructions.
    tell("program", std::env::current_exe().unwrap().display());
    tell("table", format!("a plain table of book {}, {}", rules.table().book, rules.table().as_of));
    rates(&rules);
    answers(&rules);
    threads(&rules);
}
