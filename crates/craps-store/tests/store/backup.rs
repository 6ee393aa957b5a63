//! Tests of backup and restore, from either database into either.

use crate::heads::{key, seed};
use crate::support::{Ground, Kind, all, append_somewhere, command, origin, plain, sealed};
use craps_store::{ApiToken, Factor, Finding, Limits, Mark, NewGrant, Session, Store, StoreError, new_id, read_export};
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, Connection, PgConnection, SqliteConnection};
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

on_both_databases! {
    everything_goes_there_and_back_into_either_database
    a_backup_under_load_is_one_moment_of_it
    only_a_sound_backup_is_restored_and_only_into_an_empty_store
    a_restore_tells_how_many_lines_are_done
    a_record_that_is_not_one_of_the_store_is_refused
    sessions_of_an_older_backup_do_not_come_back
}

/// Counts the records of every table in the database.
async fn census(ground: &Ground) -> BTreeMap<String, i64> {
    let count = |name: &str| AssertSqlSafe(format!("SELECT count(*) FROM {name}"));
    let mut census = BTreeMap::new();
    match ground.kind {
        Kind::Sqlite => {
            let mut database = SqliteConnection::connect(&ground.url).await.unwrap();
            let names = "SELECT name FROM sqlite_master WHERE type = 'table'";
            for name in sqlx::query_scalar::<_, String>(names).fetch_all(&mut database).await.unwrap() {
                let count = sqlx::query_scalar(count(&name)).fetch_one(&mut database).await.unwrap();
                census.insert(name, count);
            }
        }
        Kind::Postgres => {
            let mut database = PgConnection::connect(&ground.url).await.unwrap();
            let names = "SELECT table_name::text FROM information_schema.tables WHERE table_schema = 'public'";
            for name in sqlx::query_scalar::<_, String>(names).fetch_all(&mut database).await.unwrap() {
                let count = sqlx::query_scalar(count(&name)).fetch_one(&mut database).await.unwrap();
                census.insert(name, count);
            }
        }
    }
    census
}

async fn everything_goes_there_and_back_into_either_database(ground: Ground) {
    let (store, key) = (ground.open().await, key(ground.folder.path()));
    seed(&store).await;
    let given = store.sign_heads(&key, 50).await.unwrap();
    store.prove(0).await.unwrap();
    let mark = Mark { seq: 5, rolls: 1, hand: 1, confirmed: None, body: "{}".into() };
    store.save_mark("north", &mark).await.unwrap();
    store.save_cards(&[("north".to_owned(), 5, "{}".to_owned())]).await.unwrap();
    let people = store.people();
    let ann = people.add_account("Ann", "$argon2id$", 1).await.unwrap();
    people.add_account("Bob", "", 2).await.unwrap();
    people.set_disabled(&ann.id, true).await.unwrap();
    let grant = NewGrant { account: ann.id.clone(), role: "auditor".into(), table: None, from: Some(1), until: None };
    people.grant(&grant).await.unwrap();
    let session = Session { token: "t".into(), account: ann.id.clone(), created: 1, seen: 2, expires: 3, factor: None };
    people.add_session(&session).await.unwrap();
    let token = ApiToken {
        id: new_id().unwrap(),
        token: "u".into(),
        account: ann.id.clone(),
        scopes: "".into(),
        label: "it's".into(),
        created: 4,
        expires: None,
    };
    people.add_token(&token).await.unwrap();
    people.set_limits(&Limits { account: ann.id.clone(), body: "{}".into(), changed: 5 }).await.unwrap();
    let factor = Factor {
        account: ann.id.clone(),
        nonce: "n".into(),
        seal: "k".into(),
        created: 6,
        confirmed: None,
        step: 0,
        recovery: Vec::new(),
    };
    people.issue_factor(&factor).await.unwrap();
    people.confirm_factor(&factor, 7, 8, &["r".to_owned()]).await.unwrap();

    // The secrets of dice and of the store itself stay where they are.
    store.keep_secret("north", 1, b"the dice").await.unwrap();
    store.replace_secret("north", 1, b"new dice").await.unwrap();
    assert_eq!(store.keep_secret("@seal", 0, b"the store").await.unwrap(), b"the store");

    let file = ground.folder.path().join("backup");
    let done = store.backup(&file, 60).await.unwrap();
    assert_eq!((done.rows, done.records), (8, 7));
    assert!(!fs::read_to_string(&file).unwrap().contains(r#""of":"sessions""#), "sessions stay where they are");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert!(
        matches!(store.backup(&file, 60).await, Err(StoreError::File { .. })),
        "a backup must not overwrite a file"
    );
    assert_eq!(read_export(fs::read(&file).unwrap().as_slice(), &given, None, |_| ()).unwrap().findings, []);

    for kind in [Kind::Sqlite, Kind::Postgres] {
        let target = Ground::new(kind).await;
        let (restored, again) = Store::restore(&target.url, &file).await.unwrap();
        assert_eq!((restored.id(), again), (store.id(), done));
        let mut expected = census(&ground).await;
        assert!(expected.values().all(|count| *count > 0), "the test has no record in some table: {expected:?}");
        expected.extend(["marks", "cards", "proof", "sessions"].map(|none| (none.to_owned(), 0)));
        expected.insert("secrets".to_owned(), 1);
        assert_eq!(census(&target).await, expected);

        for table in ["north", "south", craps_store::TRAIL] {
            assert_eq!(all(&restored, table).await, all(&store, table).await);
        }
        assert_eq!(restored.signed_heads().await.unwrap(), given);
        assert_eq!(restored.verify(&given, None).await.unwrap().findings, []);
        assert_eq!(restored.secret("north", 0).await.unwrap().unwrap(), b"hush-hush");
        assert_eq!(store.secret("north", 1).await.unwrap().unwrap(), b"new dice");
        let (old, new) = (store.people(), restored.people());
        assert_eq!(new.accounts().await.unwrap(), old.accounts().await.unwrap());
        assert_eq!(new.grants(&ann.id).await.unwrap(), old.grants(&ann.id).await.unwrap());
        assert_eq!(new.session("t").await.unwrap(), None, "a session that ended after the backup doesn't come back");
        assert_eq!(new.token("u").await.unwrap(), Some(token.clone()));
        assert_eq!(new.limits(&ann.id).await.unwrap(), old.limits(&ann.id).await.unwrap());
        assert_eq!(new.factor(&ann.id).await.unwrap(), old.factor(&ann.id).await.unwrap());
        // The restored store can be used.
        append_somewhere(&restored, "south", plain("s3")).await.unwrap();
    }
}

async fn a_backup_under_load_is_one_moment_of_it(ground: Ground) {
    let store = ground.open().await;
    let over = Arc::new(AtomicBool::new(false));
    let mut clients = tokio::task::JoinSet::new();
    for client in 0..8 {
        let (store, over) = (store.clone(), over.clone());
        clients.spawn(async move {
            let name = client.to_string();
            for at in 0.. {
                append_somewhere(&store, &format!("table {}", client % 3), command(&name, &at.to_string(), "x"))
                    .await
                    .unwrap();
                if over.load(Ordering::SeqCst) {
                    break;
                }
            }
        });
    }
    let mut backups = Vec::new();
    for round in 0..4_u64 {
        while store.head("table 0").await.unwrap().seq < 20 * (round + 1) {
            tokio::task::yield_now().await;
        }
        let before = store.tables().await.unwrap();
        let file = ground.folder.path().join(format!("backup {round}"));
        store.backup(&file, 0).await.unwrap();
        backups.push((before, file));
    }
    over.store(true, Ordering::SeqCst);
    clients.join_all().await;
    for (before, file) in backups {
        let target = Ground::new(ground.kind).await;
        let (restored, _) = Store::restore(&target.url, &file).await.unwrap();
        for (table, head) in before {
            let (kept, whole) = (all(&restored, &table).await, all(&store, &table).await);
            assert!(kept.len() as u64 >= head.seq && whole.starts_with(&kept), "{table}");
        }
    }
}

async fn only_a_sound_backup_is_restored_and_only_into_an_empty_store(ground: Ground) {
    let store = ground.open().await;
    seed(&store).await;
    let file = ground.folder.path().join("backup");
    store.backup(&file, 60).await.unwrap();
    assert!(matches!(Store::restore(&ground.url, &file).await, Err(StoreError::NotEmpty)));
    assert_eq!(all(&store, "north").await.len(), 5);

    let target = Ground::new(ground.kind).await;
    let text = fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let without_end = lines[..lines.len() - 1].join("\n");
    let without_a_row = [&lines[..2], &lines[3..]].concat().join("\n");
    let unfinished =
        |findings: &[Finding]| findings.iter().any(|finding| matches!(finding, Finding::Unfinished { .. }));
    for wrong in ["", "hello", &without_end, &without_a_row, &text.replace(":60", ":61")] {
        let damaged = ground.folder.path().join("damaged");
        fs::write(&damaged, wrong).unwrap();
        let answer = Store::restore(&target.url, &damaged).await;
        assert!(matches!(answer, Err(StoreError::Unsound { findings, .. }) if unfinished(&findings)), "{wrong}");
    }
    assert!(Store::open_existing(&target.url).await.is_err(), "no store was created from them");
    let nowhere = Store::restore(&target.url, &ground.folder.path().join("nowhere")).await;
    assert!(matches!(nowhere, Err(StoreError::File { .. })));
}

async fn a_restore_tells_how_many_lines_are_done(ground: Ground) {
    let store = ground.open().await;
    // More rows than a restore inserts at a time.
    store.append("north", 0, (0..1001).map(|_| plain("x")).collect()).await.unwrap();
    store.keep_secret("north", 0, b"hush-hush").await.unwrap();
    let (file, mut written) = (ground.folder.path().join("backup"), Vec::new());
    let done = store.backup_with(&file, 60, |lines| written.push(lines)).await.unwrap();
    assert_eq!((done.rows, done.records), (1001, 1));
    // One more line at the start and one at the end.
    assert_eq!(written, (1..=1004).collect::<Vec<_>>());

    let (target, mut put_back) = (Ground::new(ground.kind).await, Vec::new());
    let restored = Store::restore_with(&target.url, &file, |lines, of| put_back.push((lines, of))).await;
    let (restored, again) = restored.unwrap();
    assert_eq!(again, done);
    assert_eq!(put_back, (1..=1004).map(|lines| (lines, 1004)).collect::<Vec<_>>());
    assert_eq!(all(&restored, "north").await, all(&store, "north").await);
}

async fn a_record_that_is_not_one_of_the_store_is_refused(ground: Ground) {
    let file = ground.folder.path().join("backup");
    let restore = async |records: &[(&str, &Value)]| {
        let records = records.iter().map(|(of, fields)| json!({ "line": "record", "of": of, "fields": fields }));
        let lines: Vec<Value> = [origin(1)].into_iter().chain(records).collect();
        fs::write(&file, sealed(&lines)).unwrap();
        Store::restore(&ground.url, &file).await
    };
    for (of, fields, why) in [
        ("store", json!({ "id": "x" }), r#""store" with the fields ["id"] is not a valid record"#),
        ("limits", json!({ "": 1 }), r#""limits" with the fields [""] is not a valid record"#),
        ("limits", json!({ "a b": 1 }), r#""limits" with the fields ["a b"] is not a valid record"#),
        ("limits", json!({ "body": "x", "B": 1 }), r#""limits" with the fields ["B", "body"] is not a valid record"#),
    ] {
        match restore(&[(of, &fields)]).await {
            Err(StoreError::Refused(said)) => assert_eq!(said, why),
            answer => panic!("{answer:?}"),
        }
    }

    // A value of another kind must not become NULL: a grant without an end never ends.
    let account =
        json!({ "id": "a", "name": "Ann", "name_folded": "ann", "password": "", "disabled": 0, "created": 1 });
    let grant = |ends: Value| json!({ "id": "g", "account": "a", "role": "dealer", "ends": ends });
    for wrong in [json!(true), json!(1.5), json!([1]), json!({}), json!(null), json!(u64::MAX)] {
        match restore(&[("accounts", &account), ("grants", &grant(wrong))]).await {
            Err(StoreError::Refused(said)) => {
                assert_eq!(said, r#"the field "ends" of a record of "grants" must be text or a whole number"#);
            }
            answer => panic!("{answer:?}"),
        }
    }
    // None of them left anything in the database.
    let (restored, done) = restore(&[("accounts", &account), ("grants", &grant(json!(-5)))]).await.unwrap();
    assert_eq!((done.rows, done.records), (0, 2));
    let grants = restored.people().grants("a").await.unwrap();
    assert_eq!(grants.iter().map(|grant| (grant.from, grant.until)).collect::<Vec<_>>(), [(None, Some(-5))]);
}

/// Versions before this one wrote sessions to backups.
async fn sessions_of_an_older_backup_do_not_come_back(ground: Ground) {
    let file = ground.folder.path().join("backup");
    let record = |of: &str, fields: Value| json!({ "line": "record", "of": of, "fields": fields });
    let account =
        json!({ "id": "a", "name": "Ann", "name_folded": "ann", "password": "", "disabled": 0, "created": 1 });
    let session = json!({ "token": "t", "account": "a", "created": 1, "seen": 2, "expires": 3 });
    fs::write(&file, sealed(&[origin(1), record("accounts", account), record("sessions", session)])).unwrap();
    let (restored, done) = Store::restore(&ground.url, &file).await.unwrap();
    assert_eq!((done.rows, done.records), (0, 1));
    assert!(restored.people().account("a").await.unwrap().is_some());
    assert_eq!(restored.people().session("t").await.unwrap(), None);
    restored.close().await;
}
