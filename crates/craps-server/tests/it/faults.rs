//! What a server says when its store fails: what is wrong, and none of the database's own words.

use crate::support::{Here, Reply, Shows};
use craps_server::live::DiceFrom;
use craps_table::Crew;
use serde_json::json;
use sqlx::{Connection, SqliteConnection};
use std::time::Duration;

async fn connect(here: &Here) -> SqliteConnection {
    SqliteConnection::connect(here.app.store().file().unwrap().to_str().unwrap()).await.unwrap()
}

async fn execute(database: &mut SqliteConnection, sql: &'static str) {
    sqlx::raw_sql(sql).execute(database).await.unwrap();
}

async fn ready(here: &Here) -> Reply {
    here.get("/ready", &Shows::Nothing).await
}

/// Waits until the server is ready again.
async fn is_ready_again(here: &Here) {
    let again = async {
        while ready(here).await.status != 200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), again).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn ready_says_that_another_program_holds_the_database_locked() {
    let here = Here::new().await;
    let mut other = connect(&here).await;
    execute(&mut other, "BEGIN IMMEDIATE").await;
    let locked = ready(&here).await;
    assert_eq!((locked.status, locked.code().as_str()), (503, "store"), "{}", locked.body);
    assert!(locked.body.contains("another program holds the database locked"), "{}", locked.body);
    execute(&mut other, "ROLLBACK").await;
    is_ready_again(&here).await;
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ready_fails_while_nothing_can_be_written() {
    let here = Here::new().await;
    is_ready_again(&here).await;
    let mut other = connect(&here).await;
    execute(&mut other, "CREATE TRIGGER broken BEFORE INSERT ON proof BEGIN SELECT raise(abort, 'own words'); END")
        .await;
    let failing = async {
        loop {
            let reply = ready(&here).await;
            if reply.status != 200 {
                return reply;
            }
            // A proof counts for a moment.
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let failed = tokio::time::timeout(Duration::from_secs(60), failing).await.unwrap();
    assert_eq!((failed.status, failed.code().as_str()), (503, "store"), "{}", failed.body);
    assert!(failed.body.contains("the database refused it") && !failed.body.contains("own words"), "{}", failed.body);
    execute(&mut other, "DROP TRIGGER broken").await;
    is_ready_again(&here).await;
    here.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_answer_has_the_words_of_the_database() {
    let here = Here::new().await;
    here.table("open", true, Crew::Automatic, DiceFrom::Secret).await;
    let guest = Shows::Cookie(here.post("/guests", &Shows::Nothing, &json!({})).await.cookie());
    let sits = here.post("/tables/open/seats", &guest, &json!({ "buy_in": 100_000 })).await;
    assert_eq!(sits.status, 200, "{}", sits.body);
    let bet = json!({ "bets": [{ "bet": "P", "amount": 1_000 }] });
    let house = json!({ "name": "Mine", "house": { "book": "pa" }, "private": true });
    let tries = [("/tables/open/actions", bet), ("/tables", house)];
    let mut other = connect(&here).await;
    execute(&mut other, "CREATE TRIGGER broken BEFORE INSERT ON log BEGIN SELECT raise(abort, 'own words'); END").await;
    for (path, body) in &tries {
        let failed = here.post(path, &guest, body).await;
        assert_eq!((failed.status, failed.code().as_str()), (503, "store"), "{path}: {}", failed.body);
        assert!(failed.body.contains("the database refused it"), "{path}: {}", failed.body);
        assert!(!failed.body.contains("own words"), "{path}: {}", failed.body);
    }
    execute(&mut other, "DROP TRIGGER broken").await;
    for (path, body) in &tries {
        let done = here.post(path, &guest, body).await;
        assert!([200, 201].contains(&done.status), "{path}: {}", done.body);
    }
    here.stop().await;
}
