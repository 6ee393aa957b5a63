//! Compares the table with the reference model over many rolls: `cargo run --release -p craps-testkit --example agreement -- 1000000 [SEED]`.

#![allow(clippy::print_stdout, clippy::float_arithmetic, reason = "a command-line tool prints its report")]

use craps_testkit::{agree, sample_houses};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<u64>());
    let (Ok(throws), Ok(seed)) = (numbers.next().unwrap_or(Ok(1_000_000)), numbers.next().unwrap_or(Ok(1))) else {
        println!("expected a number of rolls and, optionally, a seed");
        return ExitCode::from(2);
    };
    let (houses, start) = (sample_houses(), Instant::now());
    let mut tally = agree::Tally::default();
    let mut game = 0;
    while tally.throws < throws {
        let house = &houses[usize::try_from(game).unwrap_or(0) % houses.len()];
        match agree::agree(house, seed.wrapping_mul(1_000_003).wrapping_add(game), (throws - tally.throws).min(250)) {
            Ok(more) => tally.add(more),
            Err(difference) => {
                println!("{difference}");
                return ExitCode::FAILURE;
            }
        }
        game += 1;
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{} rolls in {game} games at {} houses, {} commands ({} refused), {} bets settled, {seconds:.1} s, {:.0} rolls per second, 0 differences",
        tally.throws,
        houses.len(),
        tally.commands,
        tally.refused,
        tally.settled,
        tally.throws as f64 / seconds
    );
    let offered: BTreeSet<&str> =
        houses.iter().flat_map(|house| &house.rules.wagers).map(|rules| rules.wager.wager().slug).collect();
    let unseen = offered.iter().flat_map(|wager| ["won", "lost"].map(|what| (*wager, what)));
    let unseen: Vec<String> =
        unseen.filter(|pair| !tally.seen.contains(pair)).map(|(wager, what)| format!("{wager} {what}")).collect();
    if !unseen.is_empty() {
        println!("never seen: {}", unseen.join(", "));
    }
    ExitCode::SUCCESS
}
