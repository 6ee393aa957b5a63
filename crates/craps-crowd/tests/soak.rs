//! A server under an open load of 500 commands a second: memory doesn't grow, and nothing is lost. `BOXPERSON_SOAK_SECONDS` sets how long; a soak of
//! an hour measures every minute.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that can't continue should stop there, and a long run prints its figures"
)]

use craps_crowd::soak::{Measured, Soak};
use std::path::Path;
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_server_under_load_stays_as_it_is() {
    let seconds = std::env::var("BOXPERSON_SOAK_SECONDS");
    let seconds: u64 = seconds.map_or(5, |text| text.parse().expect("BOXPERSON_SOAK_SECONDS: a number"));
    let every = Duration::from_secs(seconds.div_ceil(60).max(1));
    let soak = Soak { tables: 25, seats: 8, rate: 500, time: Duration::from_secs(seconds), every, seed: 3 };
    println!("{}", Measured::HEADINGS);
    let soaked = soak.run(Path::new(env!("CARGO_BIN_EXE_craps-crowd")), |one| println!("{one}")).await.unwrap();
    println!("soak of {seconds} s at {} commands/s: {soaked}", soak.rate);
    assert!(soaked.wrong().is_empty(), "{:#?}", soaked.wrong());
    assert!(
        soaked.kept.acknowledged > 0 && soaked.measured.iter().all(|one| one.memory > 0 && one.files > 0),
        "{soaked}"
    );
}
