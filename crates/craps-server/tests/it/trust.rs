//! A server trusts and signs only a log that goes on from what it signed before.

use crate::house::{ask, wish};
use crate::support::{Here, Shows};
use craps_law::Library;
use craps_server::config::{Config, Given};
use craps_server::live::pit::{NotDone, now};
use craps_server::live::{By, DiceFrom};
use craps_server::people::{Role, access};
use craps_server::{NotStarted, Server};
use craps_store::{SERVER, Store};
use craps_table::Crew;
use serde_json::json;
use sqlx::{Connection, SqliteConnection};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;

pub fn given(folder: &Path) -> Given {
    Given {
        addr: Some("127.0.0.1:0".to_owned()),
        db: Some(folder.join("tables.db").to_str().unwrap().to_owned()),
        practice: Some(vec!["pa".to_owned()]),
        sign_every: Some(1),
        ..Given::default()
    }
}

pub async fn start(given: Given) -> Result<Server, NotStarted> {
    let config = Config::new(given, Path::new(".")).unwrap();
    Server::start(&config, Arc::new(Library::shipped())).await
}

/// Runs a server for a moment and lets it sign its log.
pub async fn run_once(given: Given) {
    let server = start(given).await.unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
    stop.send(()).unwrap();
    running.await.unwrap();
}

pub async fn execute(folder: &Path, sql: &'static str) {
    let mut database = SqliteConnection::connect(folder.join("tables.db").to_str().unwrap()).await.unwrap();
    sqlx::raw_sql(sql).execute(&mut database).await.unwrap();
    database.close().await.unwrap();
}

const SHORTER: &str = "DELETE FROM log WHERE table_id = 'practice-pa' AND seq = 2; \
    UPDATE ends SET seq = 1, hash = (SELECT hash FROM log WHERE table_id = 'practice-pa' AND seq = 1) WHERE table_id = 'practice-pa'";

#[tokio::test]
async fn a_log_that_was_shortened_is_not_served_and_not_signed() {
    for also in ["", "DELETE FROM heads"] {
        let folder = tempfile::tempdir().unwrap();
        run_once(given(folder.path())).await;
        run_once(given(folder.path())).await;
        execute(folder.path(), SHORTER).await;
        execute(folder.path(), also).await;
        let refused = start(given(folder.path())).await.err().unwrap();
        assert!(matches!(refused, NotStarted::Distrusted { .. }), "{refused}");
        let words = refused.to_string();
        assert!(words.contains("table practice-pa: ends at row 1, but a head was signed at row 2"), "{words}");
        assert!(words.contains("--despite"), "{words}");

        // An operator can say that it should go on. That is in the log.
        let despite = Given { despite: Some("restored by hand".to_owned()), ..given(folder.path()) };
        run_once(despite).await;
        run_once(given(folder.path())).await;
        let store = Store::open(folder.path().join("tables.db").to_str().unwrap()).await.unwrap();
        let rows = store.load(SERVER, 0, 10).await.unwrap();
        assert!(rows[0].body.contains("restored by hand") && rows[0].body.contains("truncated"), "{rows:?}");
        store.close().await;
    }
}

/// Open secrets of an old log may be known. However often a start with a reason fails, they are retired before anybody rolls.
#[tokio::test(flavor = "multi_thread")]
async fn a_start_that_fails_does_not_accept_an_old_log() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("tables.db");
    run_once(given(folder.path())).await;
    let old = std::fs::read(&database).unwrap();
    let store = Store::open(database.to_str().unwrap()).await.unwrap();
    store.note(craps_store::TRAIL, now(), "", "{}").await.unwrap();
    store.close().await;
    run_once(given(folder.path())).await;
    std::fs::write(&database, old).unwrap();

    // The key that seals the secrets can't be read.
    let seal = folder.path().join("not.seal");
    std::fs::write(&seal, "no key").unwrap();
    std::fs::set_permissions(&seal, std::os::unix::fs::PermissionsExt::from_mode(0o600)).unwrap();
    let despite = |given: Given| Given { despite: Some("restored by hand".to_owned()), ..given };
    let failed = start(despite(Given { seal: Some(seal), ..given(folder.path()) })).await.err().unwrap();
    assert!(matches!(failed, NotStarted::Seal { .. }), "{failed}");
    let refused = start(given(folder.path())).await.err().unwrap();
    assert!(matches!(refused, NotStarted::Distrusted { .. }), "{refused}");

    // The log can't be accepted, because the row that says so can't be written.
    let (heads, aside) = (folder.path().join("tables.db.key.heads"), folder.path().join("heads"));
    let epoch = async || {
        let store = Store::open(database.to_str().unwrap()).await.unwrap();
        let epoch = store.secret("@seal", 0).await.unwrap();
        store.close().await;
        epoch
    };
    let before = epoch().await;
    std::fs::copy(&heads, &aside).unwrap();
    execute(
        folder.path(),
        "CREATE TRIGGER broken BEFORE INSERT ON log WHEN NEW.table_id = '@server' BEGIN SELECT raise(abort, 'no'); END",
    )
    .await;
    let failed = start(despite(given(folder.path()))).await.err().unwrap();
    assert!(matches!(failed, NotStarted::Store { .. }), "{failed}");
    execute(folder.path(), "DROP TRIGGER broken").await;
    assert_ne!(epoch().await, before, "a new epoch begins first");
    assert_eq!(std::fs::read(&heads).unwrap(), std::fs::read(&aside).unwrap());
    let refused = start(given(folder.path())).await.err().unwrap();
    assert!(matches!(refused, NotStarted::Distrusted { .. }), "{refused}");

    run_once(despite(given(folder.path()))).await;
    let server = start(given(folder.path())).await.unwrap();
    let pit = server.app().pit.clone();
    pit.ask("practice-pa", ask("ann", 1, wish::join("Ann", 100_000))).await.unwrap();
    let rows = pit.store().load("practice-pa", 0, 100).await.unwrap();
    assert!(rows.iter().any(|row| row.body.contains("\"retired\"")), "{rows:?}");
}

/// The clock of the machine was set back while no server was running.
#[tokio::test]
async fn a_clock_that_was_set_back_between_two_starts_is_a_row() {
    let folder = tempfile::tempdir().unwrap();
    run_once(given(folder.path())).await;
    let jumps = async || {
        let store = Store::open(folder.path().join("tables.db").to_str().unwrap()).await.unwrap();
        let rows = store.load(SERVER, 0, 100).await.unwrap();
        store.close().await;
        rows.into_iter().map(|row| row.body).filter(|body| body.contains("clock-jumped")).collect::<Vec<_>>()
    };
    run_once(given(folder.path())).await;
    assert_eq!(jumps().await, [""; 0]);
    let ahead = now() + 3_600_000;
    let store = Store::open(folder.path().join("tables.db").to_str().unwrap()).await.unwrap();
    store.note(craps_store::TRAIL, ahead, "", "{}").await.unwrap();
    store.close().await;
    run_once(given(folder.path())).await;
    let jumps = jumps().await;
    assert!(jumps.len() == 1 && jumps[0].contains(&format!("\"from\":{ahead}")), "{jumps:?}");
}

#[tokio::test]
async fn without_a_key_a_server_starts_only_when_told_so() {
    let url = craps_store::testing::postgres_database().await;
    let on = |unsigned: Option<bool>| Given { db: Some(url.clone()), unsigned, ..given(Path::new(".")) };
    let refused = start(on(None)).await.err().unwrap();
    assert!(matches!(refused, NotStarted::Unsigned), "{refused}");
    assert!(refused.to_string().contains("--key") && refused.to_string().contains("--unsigned"));
    let unsealed = start(on(Some(true))).await.err().unwrap();
    assert!(matches!(unsealed, NotStarted::Unsealed) && unsealed.to_string().contains("--seal"), "{unsealed}");
    let folder = tempfile::tempdir().unwrap();
    let sealed = |given: Given| Given { seal: Some(folder.path().join("pg.seal")), ..given };
    run_once(sealed(on(Some(true)))).await;
    run_once(sealed(Given { key: Some(folder.path().join("pg.key")), ..on(None) })).await;
    assert!(folder.path().join("pg.key.heads").exists());
}

/// Another sealing key would make the open hands unplayable. The server says so before anybody plays.
#[tokio::test]
async fn another_sealing_key_is_refused_until_an_operator_says_so() {
    let folder = tempfile::tempdir().unwrap();
    run_once(given(folder.path())).await;
    let seal = folder.path().join("tables.db.seal");
    std::fs::rename(&seal, folder.path().join("old.seal")).unwrap();
    let refused = start(given(folder.path())).await.err().unwrap();
    assert!(matches!(refused, NotStarted::Seal { .. }), "{refused}");
    assert!(refused.to_string().contains("--seal") && refused.to_string().contains("--despite"), "{refused}");
    // The right key works wherever it is.
    run_once(Given { seal: Some(folder.path().join("old.seal")), ..given(folder.path()) }).await;
    run_once(Given { despite: Some("the key is lost".to_owned()), ..given(folder.path()) }).await;
    run_once(given(folder.path())).await;
}

/// A log that is changed while the server runs stops all tables with the next signature.
#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_is_changed_under_a_running_server_stops_it() {
    let folder = tempfile::tempdir().unwrap();
    run_once(given(folder.path())).await;
    let server = start(given(folder.path())).await.unwrap();
    let (app, addr) = (Arc::clone(server.app()), server.addr());
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async move { drop(stopped.await) }));
    app.pit.open("t", crate::house::opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    assert!(app.pit.look("t", |_| ()).await.is_ok());
    // The last row is looked at whether it is signed or not.
    let changed = "UPDATE log SET body = body || ' ' WHERE table_id = 't' AND seq = \
        (SELECT seq FROM ends WHERE table_id = 't')";
    execute(folder.path(), changed).await;
    let stops = async {
        while app.pit.look("t", |_| ()).await.is_ok() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), stops).await.unwrap();
    let Err(NotDone::Stopped(why)) = app.pit.look("t", |_| ()).await else { panic!("it goes on") };
    assert!(why.contains("table t, row 2"), "{why}");
    let ready = crate::support::get(addr, "/ready").await;
    assert!(ready.starts_with("HTTP/1.1 503") && ready.contains("docs/runbook.md"), "{ready}");
    stop.send(()).unwrap();
    running.await.unwrap();
    assert!(start(given(folder.path())).await.is_err());
}

/// Nothing else is written either: no purse, no new table, no account and no role. People can sign out, and what only computes goes on.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_found_a_changed_log_writes_nothing() {
    let here = Here::with(|given| given.sign_every = Some(1)).await;
    here.table("t", true, Crew::Automatic, DiceFrom::Secret).await;
    let cass = here.account("Cass").await;
    for role in [Role::Cashier, Role::Admin] {
        here.grant(&cass, role, None).await;
    }
    let (pam, cass) = (here.account("Pam").await, here.session(&cass, 3_600_000).await);
    let guest = Shows::Cookie(here.post("/guests", &Shows::Nothing, &json!({})).await.cookie());
    let purse = json!({ "chips": 1_000, "note": "cash" });
    let table = json!({ "name": "Mine", "house": { "book": "pa" }, "private": true });
    let grant = json!({ "role": "dealer" });
    let tries = [
        (format!("/accounts/{pam}/purse"), &cass, purse),
        (format!("/accounts/{pam}/grants"), &cass, grant),
        ("/tables".to_owned(), &guest, table),
    ];
    for (path, who, body) in &tries {
        let done = here.post(path, who, body).await;
        assert!([200, 201].contains(&done.status), "{path}: {}", done.body);
    }

    let folder = here.app.store().file().unwrap().parent().unwrap().to_owned();
    // The last row is looked at whether it is signed or not.
    let changed = "UPDATE log SET body = body || ' ' WHERE table_id = 't' AND seq = \
        (SELECT seq FROM ends WHERE table_id = 't')";
    execute(&folder, changed).await;
    let stops = async {
        while here.get("/ready", &Shows::Nothing).await.status == 200 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), stops).await.unwrap();
    let before = here.app.store().logs().await.unwrap();
    for (path, who, body) in &tries {
        let refused = here.post(path, who, body).await;
        assert_eq!((refused.status, refused.code().as_str()), (503, "distrusted"), "{path}: {}", refused.body);
    }
    let open = ["/houses/check", "/layouts", "/check", "/fill", "/why", "/replay", "/position", "/felt", "/talk"];
    let open = [&open[..], &["/strategies/check", "/strategies/preview", "/sim", "/sim/{job}"]].concat();
    for row in access::TABLE.iter().filter(|row| row.method != "GET" && row.path != "/sign-out") {
        let path = row.path.replace("{table}", "t").replace("{account}", &pam).replace(['{', '}'], "");
        let reply = here.ask(row.method, &path, &cass, Some(&json!({}))).await;
        let refused = reply.status == 503 && reply.code() == "distrusted";
        assert_eq!(refused, !open.contains(&row.path), "{} {path}: {} {}", row.method, reply.status, reply.body);
    }
    assert_eq!(here.app.store().logs().await.unwrap(), before);
    assert_eq!(here.get("/accounts", &cass).await.status, 200, "people can look");
    assert_eq!(here.post("/sign-out", &cass, &json!({})).await.status, 200);
    here.stop().await;
}

/// Two servers on one SQLite file would not hear of each other's rows.
#[tokio::test]
async fn a_sqlite_file_has_one_server() {
    let folder = tempfile::tempdir().unwrap();
    let first = start(given(folder.path())).await.unwrap();
    let second = start(given(folder.path())).await.err().unwrap();
    assert!(matches!(second, NotStarted::Locked { .. }), "{second}");
    assert!(second.to_string().contains("another server uses it"), "{second}");
    drop(first);
    run_once(given(folder.path())).await;
}
