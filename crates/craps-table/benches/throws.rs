//! Measures rolls per second at a table: decided and applied with one, eight and sixteen full seats, and settled without a table. Machines
//! differ and are shared, so compare the ratios within one run, not the figures of two runs.

#![allow(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    reason = "a benchmark prints figures and stops at the first error"
)]

use craps_dice::{Die, Throw};
use craps_law::{HouseRules, Library, TableRules};
use craps_money::Money;
use craps_table::{Actor, After, Bet, Command, Event, Events, Role, SeatId, Sink, SlotId, Table, Verdict, settle};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Length of one measurement. Each figure is the best of [`SLICES`] measurements.
const SLICE: Duration = Duration::from_millis(300);
const SLICES: u32 = 5;

/// A small, fast random number generator that gives the same rolls on every machine.
struct XorShift(u64);

impl XorShift {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn throw(&mut self) -> Throw {
        let die = |bits: u64| Die::ALL[usize::try_from(bits % 6).unwrap_or_default()];
        let bits = self.next();
        Throw::new(die(bits >> 32), die(bits & 0xffff_ffff))
    }
}

/// Adds up wins and losses, as a simulation does.
#[derive(Default)]
struct Sum(i64);

impl Sink for Sum {
    fn made_again(&mut self, _: SlotId, _: &Bet) {}

    fn settled(&mut self, _: SlotId, bet: &Bet, verdict: Verdict, _: After) {
        self.0 += match verdict {
            Verdict::Won { paid, commission, .. } => paid.minor() - commission.minor(),
            Verdict::Credited { paid, .. } => paid.minor(),
            Verdict::Lost => -bet.stake.minor(),
            Verdict::Returned | Verdict::Moved { .. } => 0,
        };
    }
}

fn rules() -> TableRules {
    let library = Library::shipped();
    let book = library.book("pa").unwrap();
    let mut house = HouseRules::plain("pa", book.sample_day);
    house.set("offer", "all").unwrap();
    book.admit(&house).unwrap()
}

/// Puts the same bet on every slot where the seat has no bet.
fn fill(table: &mut Table, seat: SeatId) {
    let stake = Money::from_minor(12_000);
    let bet = Bet { stake, ..Bet::default() };
    let standing = table.seat(seat).map(|seat| seat.bets.clone()).unwrap_or_default();
    let empty: Vec<SlotId> =
        table.board().slots().map(|(slot, _)| slot).filter(|slot| standing.get(*slot).is_none()).collect();
    for slot in empty {
        table.apply(&Event::BetPlaced { seat, slot, bet, staked: stake, commission: Money::ZERO });
    }
}

fn full(seats: SeatId) -> Table {
    let mut table = Table::open(rules()).unwrap();
    for seat in 1..=seats {
        table.apply(&Event::Joined { seat, name: format!("Seat {seat}"), money: Money::from_minor(100_000_000_000) });
        fill(&mut table, seat);
    }
    table
}

/// Returns rolls per second: the best of several measurements, each made of short runs from the same full table.
fn rate(mut run: impl FnMut() -> u32) -> f64 {
    let slice = |run: &mut dyn FnMut() -> u32| {
        let (start, mut throws) = (Instant::now(), 0u32);
        while start.elapsed() < SLICE {
            throws += run();
        }
        f64::from(throws) / start.elapsed().as_secs_f64()
    };
    (0..SLICES).map(|_| slice(&mut run)).fold(0.0, f64::max)
}

/// Measures `decide` and `apply`. Bets that a roll decided are put back before the next roll, outside of the measured time.
fn decided(seats: SeatId) -> f64 {
    let full = full(seats);
    let mut dice = XorShift(0x9e37_79b9_7f4a_7c15);
    let mut events = Events::new();
    let mut spent = Duration::ZERO;
    let mut throws = 0u32;
    let mut table = full.clone();
    while spent < SLICE * SLICES {
        let throw = Command::Throw { dice: dice.throw() };
        let start = Instant::now();
        events.clear();
        let done = table.decide(Actor::staff(Role::Stick), &throw, &mut events);
        for event in &events {
            table.apply(event);
        }
        spent += start.elapsed();
        throws += 1;
        if let Err(refusal) = done {
            println!("refused: {refusal}");
            break;
        }
        for seat in 1..=seats {
            fill(&mut table, seat);
        }
        black_box(table.throws());
    }
    f64::from(throws) / spent.as_secs_f64()
}

/// Measures `settle` alone: one seat with a bet on every slot, copied again for every roll.
fn settled() -> f64 {
    let table = full(1);
    let full = table.seat(1).unwrap().bets.clone();
    let mut dice = XorShift(0x9e37_79b9_7f4a_7c15);
    let mut phase = craps_wagers::Phase::ComeOut;
    let mut sum = Sum::default();
    rate(|| {
        for _ in 0..1000 {
            let (mut bets, throw) = (full.clone(), dice.throw());
            settle(table.board(), table.rules(), &mut bets, phase, throw, &[], &mut sum);
            phase = phase.after(throw, table.rules().points);
            black_box(&bets);
        }
        black_box(sum.0);
        1000
    })
}

/// Measures `settle` alone with the bets of a typical player: pass with odds and two come bets with odds. Decided bets are put back before the
/// next roll.
fn settled_few() -> f64 {
    let table = full(1);
    let layout = table.board();
    let named = |names: &[&str]| -> Vec<SlotId> { names.iter().map(|name| layout.named(name).unwrap()).collect() };
    let (line, come) = (named(&["P"]), named(&["P", "PO", "C6", "C6O", "C8", "C8O"]));
    let stake = Money::from_minor(12_000);
    let bet = Bet { stake, ..Bet::default() };
    let mut bets = craps_table::SeatBets::default();
    let mut dice = XorShift(0x9e37_79b9_7f4a_7c15);
    let mut phase = craps_wagers::Phase::ComeOut;
    let mut sum = Sum::default();
    rate(|| {
        for _ in 0..1000 {
            let throw = dice.throw();
            let wanted = if phase == craps_wagers::Phase::ComeOut { &line } else { &come };
            for slot in wanted {
                if bets.get(*slot).is_none() {
                    bets.put(*slot, bet);
                }
            }
            settle(layout, table.rules(), &mut bets, phase, throw, &[], &mut sum);
            phase = phase.after(throw, table.rules().points);
        }
        black_box(sum.0);
        1000
    })
}

fn main() {
    let slots = full(1).board().slots().count();
    println!("rolls per second, with a bet on all {slots} slots before each roll\n");
    let alone = settled();
    println!("{:<34} {:>14} {:>12} {:>12}", "", "rolls/s", "seats x", "of settle");
    println!("{:<34} {alone:>14.0} {alone:>12.0} {:>12.3}", "settle, 1 seat, summing", 1.0);
    let few = settled_few();
    println!("{:<34} {few:>14.0} {few:>12.0} {:>12.3}", "settle, 6 bets with odds, summing", few / alone);
    for seats in [1, 8, 16] {
        let throws = decided(seats);
        let each = throws * f64::from(seats);
        let name = format!("decide and apply, {seats} seat{}", if seats == 1 { "" } else { "s" });
        println!("{name:<34} {throws:>14.0} {each:>12.0} {:>12.3}", each / alone);
    }
}
