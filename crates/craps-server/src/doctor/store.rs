//! The database: can it be reached, is it sound, does it take a durable write, and is there room and time for more?

use super::{Check, Options, copies, keys};
use crate::clock::now;
use crate::config::{Config, shown};
use craps_store::{Store, StoreError};
use std::time::Duration;

/// How long the database may take for a durable write. `/ready` waits as long.
const PROOF_MOST: Duration = Duration::from_secs(1);
/// Below this, in bytes, a database can't even make a snapshot of its log.
const TIGHT: u64 = 64 << 20;
/// Difference between clocks that doesn't count, in milliseconds.
const CLOCKS: i64 = 1_000;

pub(super) async fn checks(config: &Config, options: &Options) -> Vec<Check> {
    let store = match Store::open_to_read(&config.db).await {
        Ok(store) => store,
        Err(error) => return vec![unopened(config, &error)],
    };
    let mut checks = vec![Check::ok("database", format!("{}, store {}", shown(&config.db), store.id()))];
    checks.extend(store.file().map(private));
    checks.push(integrity(&store, options).await);
    checks.extend(keys::checks(config, &store).await);
    checks.push(room(&store, options).await);
    checks.push(clock(&store).await);
    let signing = keys::signing(config, &store).map(|file| ("signing key", file));
    let sealing = keys::sealing(config, &store).map(|file| ("sealing key", file));
    let files: Vec<_> = sealing.into_iter().chain(signing).filter(|(_, file)| file.exists()).collect();
    checks.push(copies::check(&files, options));
    store.close().await;
    checks.push(write(config, options).await);
    checks
}

fn unopened(config: &Config, error: &StoreError) -> Check {
    let todo = match error {
        StoreError::Form { found, expected } if found > expected => {
            "Install the newer program again, or restore the backup from before the upgrade."
        }
        StoreError::Form { .. } => {
            "Make a backup, then start the server: its first start brings the schema up to date."
        }
        StoreError::NoStore | StoreError::File { .. } => {
            "Check `db` and the permissions of its folder. The first start of the server makes a new database."
        }
        StoreError::Url { .. } => "Change `db`.",
        _ => error.fault().kind.advice(),
    };
    Check::failed("database", format!("{}: {error}", shown(&config.db)), todo)
}

fn private(file: &std::path::Path) -> Check {
    const NAME: &str = "permissions";
    let shown = file.display();
    let todo = format!("chmod 600 {shown}");
    match craps_store::is_open_to_others(file) {
        Ok(false) => Check::ok(NAME, format!("only the owner can open {shown}")),
        Ok(true) => Check::warning(NAME, format!("other users can open {shown}, which has password hashes"), todo),
        Err(error) => Check::failed(NAME, format!("{shown}: {error}"), todo),
    }
}

async fn integrity(store: &Store, options: &Options) -> Check {
    const NAME: &str = "integrity";
    let todo = "Stop the server and copy the database. See \"The disk fails\" in docs/runbook.md.";
    if options.quick {
        return Check::skipped(
            NAME,
            "not checked, because of --quick",
            "Run it without --quick, or run `boxperson audit`.",
        );
    }
    match store.check_integrity().await {
        Err(error) => Check::failed(NAME, error.to_string(), todo),
        Ok(findings) => match findings.first() {
            Some(first) => Check::failed(NAME, format!("{first} ({} findings)", findings.len()), todo),
            None if store.file().is_none() => {
                Check::skipped(NAME, "PostgreSQL has no check for clients", "Run pg_amcheck, and `boxperson audit`.")
            }
            None => Check::ok(NAME, "the database's own check finds nothing"),
        },
    }
}

async fn room(store: &Store, options: &Options) -> Check {
    const NAME: &str = "disk";
    let todo = "Make room on the disk of the database. A log only grows.";
    let size = |bytes: u64| format!("{} MiB", bytes >> 20);
    match store.room().await {
        Err(error) => Check::failed(NAME, error.to_string(), error.fault().kind.advice()),
        Ok(room) => {
            let used = format!("the database has {}, its write-ahead log {}", size(room.database), size(room.wal));
            match room.free {
                None => Check::skipped(NAME, used, "Look at the disk of the PostgreSQL server."),
                Some(free) if free < TIGHT => Check::failed(NAME, format!("{} left; {used}", size(free)), todo),
                Some(free) if free < options.room => Check::warning(NAME, format!("{} left; {used}", size(free)), todo),
                Some(free) => Check::ok(NAME, format!("{} left; {used}", size(free))),
            }
        }
    }
}

async fn clock(store: &Store) -> Check {
    const NAME: &str = "clock";
    match store.newest().await {
        Err(error) => Check::failed(NAME, error.to_string(), error.fault().kind.advice()),
        Ok(None) => Check::ok(NAME, "the logs are empty"),
        Ok(Some(newest)) => match now().saturating_sub(newest) {
            behind @ ..0 if behind < -CLOCKS => Check::failed(
                NAME,
                format!("this machine's clock is {} s behind the last row", -behind / 1_000),
                "Check the time service of this machine before the server writes rows with a wrong time.",
            ),
            since => Check::ok(NAME, format!("the last row is {} s old", since.max(0) / 1_000)),
        },
    }
}

async fn write(config: &Config, options: &Options) -> Check {
    const NAME: &str = "durable write";
    if !options.write {
        return Check::skipped(
            NAME,
            "not tried, because the doctor only reads",
            "Run it with --write, or ask a running server: GET /ready.",
        );
    }
    let proof = async {
        let store = Store::open_existing(&config.db).await?;
        let proved = store.prove(now()).await;
        store.close().await;
        proved
    };
    match tokio::time::timeout(PROOF_MOST, proof).await {
        Ok(Ok(())) => Check::ok(NAME, "the database took one"),
        Ok(Err(error)) => Check::failed(NAME, error.to_string(), error.fault().kind.advice()),
        Err(_) => {
            let advice = craps_store::FaultKind::Busy.advice();
            Check::failed(NAME, format!("the database took longer than {} s", PROOF_MOST.as_secs()), advice)
        }
    }
}
