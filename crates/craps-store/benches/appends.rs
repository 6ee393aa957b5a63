//! How many appends a second reach the disk: one commit each, and in groups, by how many wait at a time. Machines differ and are
//! shared, so the ratios of one run say more than its figures.

#![allow(
    clippy::print_stdout,
    clippy::float_arithmetic,
    clippy::unwrap_used,
    reason = "a benchmark prints figures, and stops where it cannot go on"
)]

use craps_store::{NewRow, Store, testing};
use std::time::{Duration, Instant};
use tokio::task::JoinSet;

/// How long each figure is measured.
const SLICE: Duration = Duration::from_secs(2);
const TABLES: [usize; 4] = [1, 8, 100, 800];

fn body() -> String {
    "{\"do\":\"bet\",\"events\":[]}".repeat(16)
}

fn rate(count: u64, since: Instant) -> f64 {
    f64::from(u32::try_from(count).unwrap_or(u32::MAX)) / since.elapsed().as_secs_f64()
}

/// So many tables, each with one append at a time.
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
    println!("{name:<12} one row a commit, bare {bare:>9.0} a second");
    let store = Store::open(url).await.unwrap();
    for tables in TABLES {
        let grouped = appends(&store, tables).await;
        println!("{name:<12} {tables:>4} tables at a time   {grouped:>9.0} a second, {:>5.1} x", grouped / bare);
    }
    store.close().await;
}
