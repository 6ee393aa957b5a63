//! Kills nodes and their database connections at random times under load. Nothing that was acknowledged may be lost, nothing may be carried out
//! twice, and all bots must be able to resume.
//!
//! `BOXPERSON_KILLS_SQLITE` and `BOXPERSON_KILLS_POSTGRES` set the number of kills, `BOXPERSON_CUTS` the number of connections that are cut and of
//! answers that are lost, `BOXPERSON_SIEGE_SECONDS` the length of the siege of three nodes, and `BOXPERSON_SEED` the random seed.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test that can't continue should stop there, and a long run prints its figures"
)]

use craps_crowd::siege::{Besieged, Siege, Strike};
use craps_crowd::{Base, Ground, Setup};
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

/// Returns the value of an environment variable, or the default.
fn knob<T: FromStr>(name: &str, usual: T) -> T {
    let wrong = |text: &str| -> T { panic!("{name}: expected a number, found `{text}`") };
    std::env::var(name).map_or(usual, |text| text.parse().unwrap_or_else(|_| wrong(&text)))
}

const MILLISECOND: Duration = Duration::from_millis(1);

fn siege(strike: Strike, rounds: u32) -> Siege {
    Siege {
        strike,
        nodes: 1,
        tables: 6,
        seats: 4,
        rounds,
        delay: [Duration::ZERO, 200 * MILLISECOND],
        pause: 2 * MILLISECOND,
        seed: knob("BOXPERSON_SEED", 6),
    }
}

async fn holds(base: Base, siege: Siege) -> Besieged {
    let ground = Ground::new(base).await.unwrap();
    let setup = Setup::new(Path::new(env!("CARGO_BIN_EXE_craps-crowd")), &ground);
    let besieged = siege.lay(&setup, &ground).await.unwrap();
    println!("{}, seed {}: {besieged}", base.name(), siege.seed);
    assert!(besieged.kept.broken.is_empty(), "{besieged}");
    assert!(besieged.kept.acknowledged > u64::from(siege.rounds), "{besieged}");
    assert!(besieged.strikes > 0, "{besieged}");
    besieged
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_sqlite_that_is_killed_loses_nothing_and_doubles_nothing() {
    holds(Base::Sqlite, siege(Strike::Node, knob("BOXPERSON_KILLS_SQLITE", 6))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_on_postgresql_that_is_killed_loses_nothing_and_doubles_nothing() {
    holds(Base::Postgres, siege(Strike::Node, knob("BOXPERSON_KILLS_POSTGRES", 4))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_to_the_database_that_are_killed_lose_nothing_and_double_nothing() {
    holds(Base::Postgres, siege(Strike::Connections, knob("BOXPERSON_CUTS", 4))).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commits_whose_answer_is_lost_lose_nothing_and_double_nothing() {
    holds(Base::Postgres, siege(Strike::Answer, knob("BOXPERSON_CUTS", 4))).await;
}

/// Two kills as an ordinary test. With `BOXPERSON_SIEGE_SECONDS`, fifty tables and a kill every three seconds.
#[tokio::test(flavor = "multi_thread")]
async fn of_three_nodes_on_one_database_any_may_be_killed_and_its_guests_go_on_at_another() {
    let seconds: u32 = knob("BOXPERSON_SIEGE_SECONDS", 0);
    let short = Siege { nodes: 3, ..siege(Strike::Node, 2) };
    let siege = match seconds {
        0 => short,
        _ => Siege {
            tables: 50,
            seats: 8,
            rounds: seconds.div_ceil(3),
            delay: [2_000 * MILLISECOND, 4_000 * MILLISECOND],
            pause: 100 * MILLISECOND,
            ..short
        },
    };
    let besieged = holds(Base::Postgres, siege).await;
    assert!(besieged.elsewhere > 0, "{besieged}");
}
