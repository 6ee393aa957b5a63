//! Tests of notifications about logs that grow.

use crate::support::{Ground, Kind, append_somewhere, command, plain, run};
use craps_store::{Moved, testing};

on_both_databases! {
    listeners_hear_of_every_append_and_of_nothing_that_failed
    a_listener_who_falls_behind_is_told_to_look
}

async fn listeners_hear_of_every_append_and_of_nothing_that_failed(ground: Ground) {
    let store = ground.open().await;
    let mut news = store.subscribe();
    store.append("north", 0, vec![plain("1"), plain("2")]).await.unwrap();
    store.append("north", 0, vec![plain("x")]).await.unwrap_err();
    store.append("south", 0, vec![plain("1")]).await.unwrap();
    let mut heard = Vec::new();
    while heard.len() < 2 {
        match news.next().await.unwrap() {
            Moved::Head { table, seq } => heard.push((table, seq)),
            // A node that starts to listen doesn't know what happened before.
            Moved::LookAgain => assert_eq!(ground.kind, Kind::Postgres),
        }
    }
    assert_eq!(heard, [("north".to_owned(), 2), ("south".to_owned(), 1)]);
}

async fn a_listener_who_falls_behind_is_told_to_look(ground: Ground) {
    let store = ground.open().await;
    let mut news = store.subscribe();
    let mut tasks = tokio::task::JoinSet::new();
    for table in 0..100 {
        let store = store.clone();
        tasks.spawn(async move {
            for seq in 0..50 {
                store.append(&format!("table {table}"), seq, vec![plain("x")]).await.unwrap();
            }
        });
    }
    tasks.join_all().await;
    // On PostgreSQL the first message is always `LookAgain`. Only a later one means that notifications were skipped.
    let first = news.next().await.unwrap();
    assert_eq!(first, Moved::LookAgain);
    store.close().await;
    let mut count = 0;
    while news.next().await.is_some() {
        count += 1;
    }
    assert!((4000..5000).contains(&count), "{count}");
}

#[test]
fn nodes_on_one_postgresql_hear_each_other_and_look_again_after_a_cut() {
    run(Kind::Postgres, async |ground: Ground| {
        let (here, there) = (ground.open().await, ground.open().await);
        let mut news = there.subscribe();
        // The message arrives once the other node listens.
        assert_eq!(news.next().await, Some(Moved::LookAgain));
        append_somewhere(&here, "north", command("ann", "1", "1")).await.unwrap();
        assert_eq!(news.next().await, Some(Moved::Head { table: "north".to_owned(), seq: 1 }));
        for round in 2..5 {
            testing::postgres().kill_connections(&ground.url).await;
            assert_eq!(news.next().await, Some(Moved::LookAgain));
            append_somewhere(&here, "north", command("ann", &round.to_string(), "x")).await.unwrap();
            assert_eq!(news.next().await, Some(Moved::Head { table: "north".to_owned(), seq: round }));
        }
    });
}
