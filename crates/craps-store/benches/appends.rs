//! Measures how many appends per second reach the disk: with one commit each, and in groups, for several numbers of tables. Machines
//! differ, so compare the ratios within one run rather than the absolute numbers.

#![allow(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    reason = "a benchmark prints numbers and stops at the first error"
)]

use craps_store::{NewRow, Store, testing};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// Time for each measurement.
const SLICE: Duration = Duration::from_secs(2);
const TABLES: [usize; 4] = [1, 8, 100, 800];

fn body() -> String {
    "{\"do\":\"bet\",\"events\":[]}".repeat(16)
}

fn rate(count: u64, since: Instant) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / since.elapsed().as_secs_f64()
}

/// Measures appends to this many tables, one append at a time per table.
async fn appends(store: &Store, tables: usize) -> f64 {
    let since = Instant::now();
    let mut tasks = JoinSet::new();
    for table in 0..tables {
        let store = store.clone();
        tasks.spawn(async move {
            let (name, mut seq) = (format!("{tables}/{table}"), 0);
            while since.elapsed() < SLICE {
                let new = NewRow { at: 0, client: name.clone(), key: Some(seq.to_string()), body: body() };
                store.append(&name, seq, vec![new]).await.unwrap();
                seq += 1;
            }
            seq
        });
    }
    rate(tasks.join_all().await.into_iter().sum(), since)
}

#[tokio::main]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    measure("SQLite", &file("bare"), &file("store")).await;
    measure("PostgreSQL", &testing::postgres_database().await, &testing::postgres_database().await).await;
}

async fn measure(name: &str, empty: &str, url: &str) {
    let since = Instant::now();
    let bare = rate(testing::bare_commits(empty, &body(), SLICE).await, since);
    println!("{name:<12} one row per commit, bare {bare:>7.0} per second");
    let store = Store::open(url).await.unwrap();
    for tables in TABLES {
        let grouped = appends(&store, tables).await;
        println!("{name:<12} {tables:>4} tables at a time    {grouped:>7.0} per second, {:>5.1} x", grouped / bare);
    }
    store.close().await;
}
