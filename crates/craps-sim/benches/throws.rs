//! Throws per second of each form, beside R: how many of 36 ways a plain generator draws on the same core in the same run.

#![allow(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    reason = "a benchmark prints figures, and stops where it cannot go on"
)]

use craps_law::{HouseRules, Library};
use craps_sim::{Engine, Plan, Reads, Rules, Seat, Strategy};
use craps_table::{Layout, SlotId, Slots};
use craps_wagers::Phase;
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// The line with full odds, in code.
struct PassOdds {
    pass: SlotId,
    odds: SlotId,
    unit: i64,
}

impl PassOdds {
    fn new(layout: &Layout, unit: i64) -> PassOdds {
        PassOdds { pass: layout.named("pass").unwrap(), odds: layout.named("pass-odds").unwrap(), unit }
    }
}

impl Strategy for PassOdds {
    type Memory = ();

    fn reads(&self) -> Reads {
        Reads::default()
    }

    #[inline]
    fn play(&self, _: &mut (), seat: &mut Seat<'_>) {
        let standing = seat.standing();
        if seat.phase() == Phase::ComeOut {
            if !standing.contains(self.pass) {
                seat.bet(self.pass, self.unit);
            }
        } else if !standing.contains(self.odds)
            && let Some(most) = seat.most(self.odds)
        {
            seat.bet(self.odds, most);
        }
    }
}

/// The line and two come bets, all with full odds, in code.
struct Molly {
    line: PassOdds,
    come: SlotId,
    /// Come bets on their numbers, and the odds behind each.
    numbers: Slots,
    odds: [Option<SlotId>; 128],
}

impl Molly {
    fn new(layout: &Layout, unit: i64) -> Molly {
        let come = layout.named("come").unwrap();
        let on_number = |id: &SlotId| layout.slot(*id).wager == layout.slot(come).wager && *id != come;
        let numbers: Slots = layout.slots().map(|(id, _)| id).filter(on_number).collect();
        let mut odds = [None; 128];
        numbers.iter().for_each(|id| odds[id.index()] = layout.slot(id).odds);
        Molly { line: PassOdds::new(layout, unit), come, numbers, odds }
    }
}

impl Strategy for Molly {
    type Memory = ();

    fn reads(&self) -> Reads {
        Reads::default()
    }

    #[inline]
    fn play(&self, memory: &mut (), seat: &mut Seat<'_>) {
        self.line.play(memory, seat);
        if seat.phase() != Phase::ComeOut && seat.come_bets() < 2 {
            seat.bet(self.come, self.line.unit);
        }
        for flat in seat.standing().and(self.numbers).iter() {
            if let Some(odds) = self.odds[flat.index()]
                && seat.stake(odds) == 0
                && let Some(most) = seat.most(odds)
            {
                seat.bet(odds, most);
            }
        }
    }
}

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

/// Plays so many throws of one strategy and nothing else: for counting instructions.
fn counted(rules: &Rules, name: &str, throws: u64) {
    let plan = Plan { buy_in: 100_000_000_000, throws: 1_000, stop: None, goal: None };
    let sessions = 0..throws / 1_000;
    let net: i64 = match name {
        "pass" => {
            let strategy = PassOdds::new(rules.layout(), 1_000);
            let mut engine = Engine::new(rules, &strategy);
            sessions.map(|number| engine.session(7, number, &plan).net).sum()
        }
        _ => {
            let strategy = Molly::new(rules.layout(), 1_000);
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
    line("engine, pass with 3-4-5 odds, in code", engine(&rules, &PassOdds::new(rules.layout(), 1_000)));
    line("engine, three-point molly, in code", engine(&rules, &Molly::new(rules.layout(), 1_000)));
}
