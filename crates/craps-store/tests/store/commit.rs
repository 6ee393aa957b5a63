//! Tests that acknowledged appends are stored exactly once, no matter what happens to the connection.

use crate::support::{Ground, Kind, all, append_somewhere, command, plain, run};
use craps_store::testing::{self, Fate, Wire};
use craps_store::{AppendError, Store};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

on_both_databases! {
    an_append_the_database_will_not_have_fails_alone
    appends_that_nobody_waits_for_are_stored_all_the_same
    commits_of_the_bare_database_are_counted
}

async fn an_append_the_database_will_not_have_fails_alone(ground: Ground) {
    let store = ground.open().await;
    let trouble = match ground.kind {
        Kind::Sqlite => {
            "CREATE TRIGGER trouble BEFORE INSERT ON log WHEN NEW.body = 'bad' BEGIN SELECT RAISE(ABORT, 'bad body'); END"
        }
        Kind::Postgres => "ALTER TABLE log ADD CONSTRAINT trouble CHECK (body <> 'bad')",
    };
    ground.execute(trouble).await;
    let mut tasks = tokio::task::JoinSet::new();
    for table in 0..40 {
        let store = store.clone();
        tasks.spawn(async move {
            let bad = table % 10 == 3;
            let answer =
                store.append(&format!("table {table}"), 0, vec![plain(if bad { "bad" } else { "good" })]).await;
            match answer {
                Err(AppendError::NotStored(why)) => {
                    assert!(bad && (why.why.contains("bad body") || why.why.contains("trouble")))
                }
                answer => assert!(!bad && answer.is_ok(), "{table}: {answer:?}"),
            }
        });
    }
    tasks.join_all().await;
    assert_eq!(store.tables().await.unwrap().len(), 36);
}

async fn appends_that_nobody_waits_for_are_stored_all_the_same(ground: Ground) {
    let store = ground.open().await;
    let under_way = {
        let store = store.clone();
        tokio::spawn(async move { append_somewhere(&store, "north", command("ann", "a", "1")).await })
    };
    while store.find("north", "ann", "a").await.unwrap().is_none() {
        tokio::task::yield_now().await;
    }
    under_way.abort();
    let again = append_somewhere(&store, "north", command("ann", "a", "1")).await;
    assert!(matches!(again, Err(AppendError::Duplicate { row }) if row.seq == 1));
}

/// What benchmarks compare the store with.
async fn commits_of_the_bare_database_are_counted(ground: Ground) {
    assert!(testing::bare_commits(&ground.url, "x", Duration::from_secs(1)).await > 1);
}

/// Appends through a proxy with this fate, to a server whose commits are slow or fast. A lost server may come back after a time.
async fn append_over_cut_wire(
    ground: &Ground,
    fate: Fate,
    slow: bool,
    back: Option<Duration>,
) -> (Store, Vec<Result<u64, AppendError>>) {
    ground.open().await.close().await;
    if slow {
        ground.execute(
            "CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END'; \
             CREATE CONSTRAINT TRIGGER linger AFTER INSERT ON log DEFERRABLE INITIALLY DEFERRED \
             FOR EACH ROW WHEN (NEW.seq = 2) EXECUTE FUNCTION linger()",
        )
        .await;
    }
    let wire = Wire::to(&ground.url).await;
    let store = Store::open(wire.url()).await.unwrap();
    store.append("north", 0, vec![plain("1")]).await.unwrap();
    assert_eq!(wire.cuts(), 0);
    wire.next(fate);
    // All of them are for one log, so they make one or two batches.
    let ask = |expected: u64, key: &str| store.append("north", expected, vec![command("ann", key, "x")]);
    let come_back = async {
        let Some(time) = back else { return };
        while wire.cuts() == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::time::sleep(time).await;
        wire.next(Fate::Pass);
    };
    let (a, b, again, c, ()) = tokio::join!(ask(1, "a"), ask(2, "b"), ask(3, "a"), ask(3, "c"), come_back);
    assert!(wire.cuts() > 0, "the connection was never cut");
    let answers = [a, b, again, c].map(|answer| answer.map(|rows| rows[0].seq)).into_iter().collect();
    (store, answers)
}

fn a_cut_wire_is_not_noticed(fate: Fate, slow: bool, back: Option<Duration>) {
    run(Kind::Postgres, async |ground: Ground| {
        let (store, answers) = append_over_cut_wire(&ground, fate, slow, back).await;
        assert!(
            matches!(&answers[..], [Ok(2), Ok(3), Err(AppendError::Duplicate { row }), Ok(4)] if row.seq == 2),
            "{answers:?}"
        );
        assert_eq!(all(&store, "north").await.len(), 4);
        assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
    });
}

#[test]
fn an_append_whose_answer_is_lost_is_stored_once_and_said_to_be() {
    a_cut_wire_is_not_noticed(Fate::LoseAnswer, false, None);
}

#[test]
fn an_append_whose_commit_is_lost_is_stored_once_and_said_to_be() {
    a_cut_wire_is_not_noticed(Fate::LoseCommit, false, None);
}

/// The connection is lost while the server is still committing. A look at the log at that time finds nothing.
#[test]
fn a_commit_that_is_still_under_way_when_its_answer_is_lost_is_waited_for() {
    a_cut_wire_is_not_noticed(Fate::LoseAnswer, true, None);
}

/// The first look at the log after the lost answer fails too.
#[test]
fn a_server_that_comes_back_in_time_is_asked_again() {
    a_cut_wire_is_not_noticed(Fate::LoseServer, false, Some(Duration::from_millis(300)));
}

#[test]
fn when_nobody_can_know_that_is_what_is_said() {
    run(Kind::Postgres, async |ground: Ground| {
        let (_, answers) = append_over_cut_wire(&ground, Fate::LoseServer, false, None).await;
        assert!(matches!(answers[0], Err(AppendError::Unknown(_))), "{answers:?}");
        // In this case it was stored, and the key shows that.
        let store = Store::open(&ground.url).await.unwrap();
        assert_eq!(store.find("north", "ann", "a").await.unwrap().unwrap().seq, 2);
    });
}

/// Kills connections again and again at random times. Clients retry until they succeed.
#[test]
fn killed_connections_lose_nothing_that_was_acknowledged_and_double_nothing() {
    let rounds: u64 = std::env::var("BOXPERSON_KILLS").map_or(20, |rounds| rounds.parse().unwrap());
    run(Kind::Postgres, async |ground: Ground| {
        let stores = [ground.open().await, ground.open().await];
        let (over, heard) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicU64::new(0)));
        let mut clients = tokio::task::JoinSet::new();
        for client in 0..12 {
            let (store, over, heard) = (stores[client % 2].clone(), over.clone(), heard.clone());
            let (table, name) = (format!("table {}", client % 4), format!("client {client}"));
            clients.spawn(async move {
                let mut rows = Vec::new();
                while !over.load(Ordering::SeqCst) {
                    let key = rows.len().to_string();
                    match append_somewhere(&store, &table, command(&name, &key, &key)).await {
                        Ok(row) => rows.push(row),
                        // A duplicate can only follow an answer of `Unknown`.
                        Err(AppendError::Duplicate { row }) => rows.push(*row),
                        Err(AppendError::Unknown(_) | AppendError::NotStored(_)) => {}
                        Err(error) => panic!("{error}"),
                    }
                    heard.fetch_add(1, Ordering::SeqCst);
                }
                rows
            });
        }
        // On a busy machine little may happen between two kills, but something must have.
        for round in (0..).take_while(|round| *round < rounds || heard.load(Ordering::SeqCst) < 200) {
            tokio::time::sleep(Duration::from_millis(5 + round * 37 % 90)).await;
            testing::postgres().kill_connections(&ground.url).await;
        }
        over.store(true, Ordering::SeqCst);
        let mut told: Vec<_> = clients.join_all().await.concat();
        told.sort_by(|a, b| (&a.table, a.seq).cmp(&(&b.table, b.seq)));
        let mut kept = Vec::new();
        for (table, _) in stores[0].tables().await.unwrap() {
            kept.extend(all(&stores[0], &table).await);
        }
        assert_eq!(told, kept);
        assert_eq!(stores[1].verify(&[], None).await.unwrap().findings, []);
    });
}
