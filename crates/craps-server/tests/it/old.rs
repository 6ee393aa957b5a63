//! Old logs, one for each kind of database, whose rows name bets by number. The server can still read, audit and continue them.

use crate::house::{Client, House, LIBRARY, Place};
use crate::support::begun;
use craps_server::audit::{Audit, Auditor};
use craps_server::config::{Config, Given};
use craps_server::live::pit::Pit;
use craps_server::live::{BetName, Deed, Entry, Seal};
use craps_server::people::Settings;
use craps_server::{App, Server, router};
use craps_store::{Row, SealKey, Session, Store};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn kept(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/old").join(file)
}

/// Opens a house on an old store.
async fn house(store: Store) -> House {
    let settings = Settings { rate: 100_000, burst: 100_000, guests: 100_000, ..Settings::default() };
    let app = Arc::new(App::new(pit(store).await, settings, None));
    House { place: Place::new(), router: router(Arc::clone(&app)), app }
}

/// Opens a pit on an old store, with a key for its new secrets.
async fn pit(store: Store) -> Pit {
    let seal = Seal::open(&store, SealKey::from_bytes([7; 32]), false).await.unwrap();
    Pit::new(store, Arc::clone(&LIBRARY)).sealed(seal)
}

async fn rows(store: &Store, table: &str) -> Vec<Row> {
    store.load(table, 0, u32::MAX).await.unwrap()
}

fn audited(rows: &[Row]) -> craps_server::audit::Audited {
    let mut auditor = Auditor::new(&LIBRARY);
    rows.iter().for_each(|row| auditor.row(row));
    auditor.finish()
}

/// Counts the bets of a row that are named by code and by number.
fn names(row: &Row) -> (usize, usize) {
    let entry: Entry<BetName> = serde_json::from_str(&row.body).unwrap();
    let (mut codes, mut numbers) = (0, 0);
    let counted = entry.named(&mut |name: BetName| {
        match name {
            BetName::Code(_) => codes += 1,
            BetName::Number(_) => numbers += 1,
        }
        Ok::<BetName, ()>(name)
    });
    assert!(counted.is_ok());
    (codes, numbers)
}

/// Creates a new session for a player of the old log.
async fn guest_at(house: &House, table: &str, seat: u8) -> Client {
    let who = house.app.pit.look(table, move |live| live.owner(seat).map(str::to_owned)).await.unwrap().unwrap();
    let (at, token) = (craps_server::live::pit::now(), String::new());
    let account = who.strip_prefix("a:").unwrap_or(&who).to_owned();
    let session = Session { token, account, created: at, seen: at, expires: at + 3_600_000, factor: None };
    let token = begun(&house.app, session).await;
    Client { known: Some(("cookie".to_owned(), format!("__Host-session={token}"))), ..house.anybody() }
}

async fn read_audited_and_continued(store: Store) {
    let house = house(store.clone()).await;
    // The logs contain all the cases they are kept for.
    let (old, crew) = (rows(&store, "old").await, rows(&store, "crew").await);
    let text: String = old.iter().chain(&crew).map(|row| row.body.as_str()).collect();
    for part in [
        "\"moved\"",
        "\"advanced\"",
        "\"undone\"",
        "\"take-down\"",
        "\"tell\"",
        "\"said\"",
        "\"revealed\"",
        "\"no-roll\"",
        "\"mismatched\"",
        "\"proposed\"",
        "\"rejected\"",
        "\"approved\"",
        "\"slots\"",
    ] {
        assert!(text.contains(part), "{part}");
    }
    let (codes, numbers) = old.iter().chain(&crew).map(names).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(codes == 0 && numbers > 100, "{codes} codes and {numbers} numbers");
    for rows in [&old, &crew] {
        let audited = audited(rows);
        assert_eq!(audited.findings, []);
        assert!(audited.throws > 1, "{audited:?}");
    }

    // Views use codes.
    let ann = guest_at(&house, "old", 1).await;
    let view = ann.sees("/tables/old").await;
    let codes: Vec<&str> =
        view["seats"][0]["bets"].as_array().unwrap().iter().map(|bet| bet["bet"].as_str().unwrap()).collect();
    assert!(codes.contains(&"PL6") && codes.contains(&"FIRE"), "{codes:?}");
    let seq = old.len() as u64;
    let told = house.app.pit.rows("old", 0, 1_000).await.unwrap();
    let reader = house.app.pit.look("old", craps_server::live::rows::Reader::new).await.unwrap();
    let shown: String = told
        .iter()
        .map(|told| serde_json::to_string(&reader.row(told, &craps_server::live::view::Eye::default())).unwrap())
        .collect();
    assert!(shown.contains("\"bet\":\"PL6\"") && !shown.contains("\"bet\":\"\""), "every bet has its code");

    // Continue the game: bets, an undo, and rolls until a hand is over.
    let at = async |who: &Client, what: &str, body: Value| who.post(&format!("/tables/old/{what}"), body).await;
    let bo = guest_at(&house, "old", 2).await;
    for (bet, amount) in [("F", 500), ("H6", 500), ("PL8", 600)] {
        let (status, answer) = at(&ann, "actions", json!({ "bets": [{ "bet": bet, "amount": amount }] })).await;
        assert_eq!(status, 200, "{answer}");
        assert!(answer.to_string().contains(&format!("\"bet\":\"{bet}\"")), "{answer}");
    }
    let (status, answer) = at(&ann, "undo", json!({})).await;
    assert_eq!((status, &answer["rows"][0]["did"]), (200, &json!("undone")), "{answer}");
    let (mut over, mut last) = (false, Value::Null);
    for _ in 0..200 {
        // Both bet the line: the dice may come to either.
        let _ = at(&ann, "actions", json!({ "bets": [{ "bet": "P", "amount": 100 }] })).await;
        let _ = at(&bo, "actions", json!({ "bets": [{ "bet": "P", "amount": 100 }] })).await;
        let _ = at(&ann, "actions", json!({ "bets": [{ "bet": "C", "amount": 100 }] })).await;
        for who in [&ann, &bo] {
            let (status, answer) = at(who, "roll", json!({})).await;
            over |= status == 200 && answer.to_string().contains("revealed");
            if status == 429 {
                // A long hand takes more requests than a client may send at once.
                tokio::time::sleep(std::time::Duration::from_millis(250)).await;
            }
            last = json!([status, answer]);
        }
        if over {
            break;
        }
    }
    assert!(over, "a hand ends: {last}");
    let now = rows(&store, "old").await;
    assert_eq!(now[..old.len()], old, "old rows are unchanged");
    let (codes, numbers) = now[old.len()..].iter().map(names).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    assert!(codes > 5 && numbers == 0, "{codes} codes and {numbers} numbers");
    let audited = audited(&now);
    assert_eq!(audited.findings, []);
    // A new server reads both kinds of rows.
    let again = pit(store.clone()).await;
    let head = |pit: &Pit| {
        let pit = pit.clone();
        async move {
            let rails = |live: &craps_server::live::Live| {
                let rails: Vec<_> = live.table().seats().map(|(_, seat)| (seat.rail, seat.bets.clone())).collect();
                (live.head().0, format!("{rails:?}"))
            };
            pit.look("old", rails).await.unwrap()
        }
    };
    assert_eq!(head(&again).await, head(&house.app.pit).await);
    assert!(head(&again).await.0 > seq);
    // The whole game can be written in the game notation.
    let game = ann.sees("/tables/old/cgn").await;
    assert!(game.as_str().unwrap().contains("1:H6+5"), "{game}");
    let done = now.iter().filter(|row| {
        let entry: Entry<BetName> = serde_json::from_str(&row.body).unwrap();
        matches!(entry.did, Deed::Thrown { .. })
    });
    assert_eq!(audited.throws, done.count() as u64);
    again.close().await;
    house.app.pit.close().await;
}

#[tokio::test]
async fn an_old_sqlite_log_is_read_audited_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("old.db");
    std::fs::copy(kept("sqlite.db"), &file).unwrap();
    read_audited_and_continued(Store::open(file.to_str().unwrap()).await.unwrap()).await;
}

#[tokio::test]
async fn an_old_postgresql_log_is_read_audited_and_continued() {
    let url = craps_store::testing::postgres_database().await;
    let (store, _) = Store::restore(&url, &kept("postgres.backup")).await.unwrap();
    read_audited_and_continued(store).await;
}

/// Plays on at a table whose hand is open: the player in seat 1 bets the line and rolls until the hand is over.
async fn plays_on(house: &House, table: &str, amount: i64) {
    let player = guest_at(house, table, 1).await;
    let mut said = (0, Value::Null);
    for _ in 0..200 {
        let bet = json!({ "bets": [{ "bet": "P", "amount": amount }] });
        let _ = player.post(&format!("/tables/{table}/actions"), bet).await;
        said = player.post(&format!("/tables/{table}/roll"), json!({})).await;
        if said.0 == 200 && said.1.to_string().contains("revealed") {
            return;
        }
    }
    panic!("{table}: the open hand doesn't end: {said:?}");
}

/// Audits the whole store with several threads.
async fn audited_in_parallel(store: &Store) {
    let (store, runtime) = (store.clone(), tokio::runtime::Handle::current());
    let audit = move || {
        let part = craps_server::audit::PART;
        let audit = Audit { library: &LIBRARY, heads: &[], key: None, threads: 2, part, since: None, progress: None };
        audit.of(&store, &runtime).unwrap()
    };
    let report = tokio::task::spawn_blocking(audit).await.unwrap();
    assert_eq!((report.audited.findings, report.verified.findings), (Vec::new(), Vec::new()));
}

/// Continues the games of a store that the version before this one wrote, with open hands, and was then killed.
async fn open_hands_go_on(house: &House) -> (usize, u64) {
    let store = house.app.store().clone();
    let mut before = BTreeMap::new();
    for (table, _) in store.tables().await.unwrap() {
        before.insert(table.clone(), rows(&store, &table).await);
    }
    assert_eq!(before.len(), 6);
    // The practice table: a point is on, and both players have bets.
    let (ann, bo) = (guest_at(house, "practice-pa", 1).await, guest_at(house, "practice-pa", 2).await);
    let view = ann.sees("/tables/practice-pa").await;
    assert_eq!((&view["point"], &view["hand"]["hand"], &view["hand"]["throws"]), (&json!(10), &json!(3), &json!(2)));
    let (status, again) =
        ann.post("/tables/practice-pa/actions", json!({ "id": "k1", "say": "odds 20; 12 on the six" })).await;
    assert_eq!((status, &again["again"]), (200, &json!(true)), "{again}");
    assert_eq!(ann.post("/tables/practice-pa/undo", json!({})).await.0, 200);
    let mut over = false;
    for _ in 0..200 {
        for who in [&ann, &bo] {
            let _ = who.post("/tables/practice-pa/actions", json!({ "bets": [{ "bet": "P", "amount": 1_000 }] })).await;
        }
        for who in [&ann, &bo] {
            let (status, answer) = who.post("/tables/practice-pa/roll", json!({})).await;
            over |= status == 200 && answer.to_string().contains("revealed");
        }
        if over {
            break;
        }
    }
    assert!(over, "the open hand ends");
    // A table where money is real, and another practice table with a coupon and a cash bet on the layout.
    plays_on(house, "live", 2_500).await;
    plays_on(house, "practice-nj", 1_000).await;
    // The private table: its owner finds it, and the invitation still holds.
    let private = before.keys().find(|id| id.starts_with("t-")).unwrap().clone();
    let owner = guest_at(house, &private, 1).await;
    let invitation = owner.sees(&format!("/tables/{private}")).await["invitation"].as_str().unwrap().to_owned();
    assert_eq!(invitation, "410afce959a05f9292aaab8c1301cfef");
    // The table with a crew: another person decides the ruling that waits.
    let floor = house.staff("Flo", &["floorperson"]).await;
    let (status, answer) = floor.post("/tables/crew/rulings/16", json!({ "agrees": true })).await;
    assert_eq!(status, 200, "{answer}");
    let (mut retired, mut unproven) = (0, 0);
    for (table, before) in &before {
        let now = rows(&store, table).await;
        assert_eq!(&now[..before.len()], &before[..], "old rows are unchanged");
        let audited = audited(&now);
        assert_eq!(audited.findings, [], "{table}");
        retired += now.iter().filter(|row| row.body.contains("\"retired\"")).count();
        unproven += audited.unproven;
    }
    assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
    audited_in_parallel(&store).await;
    house.app.pit.close().await;
    (retired, unproven)
}

#[tokio::test]
async fn open_hands_of_the_version_before_go_on_in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("live.db");
    std::fs::copy(kept("live.db"), &file).unwrap();
    let house = house(Store::open(file.to_str().unwrap()).await.unwrap()).await;
    assert_eq!(open_hands_go_on(&house).await, (0, 0), "the secrets of open hands are still there");
}

#[tokio::test]
async fn open_hands_of_the_version_before_go_on_in_postgresql() {
    let url = craps_store::testing::postgres_database().await;
    let (store, _) = Store::restore(&url, &kept("live.backup")).await.unwrap();
    let (retired, unproven) = open_hands_go_on(&house(store).await).await;
    assert!(retired > 0 && unproven > 1, "a restore retires the open secrets: {retired} {unproven}");
}

/// A server starts on a store of the version before, whose heads were signed with the same key, and signs it on.
#[tokio::test]
async fn a_server_starts_on_the_store_of_the_version_before() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let (file, key) = (folder.path().join("live.db"), folder.path().join("live.db.key"));
    std::fs::copy(kept("live.db"), &file).unwrap();
    std::fs::copy(kept("live.key"), &key).unwrap();
    std::fs::set_permissions(&key, std::fs::Permissions::from_mode(0o600)).unwrap();
    for _ in 0..2 {
        let given = Given {
            addr: Some("127.0.0.1:0".to_owned()),
            db: Some(file.to_str().unwrap().to_owned()),
            ..Given::default()
        };
        let config = Config::new(given, folder.path()).unwrap();
        let server = Server::start(&config, Arc::clone(&LIBRARY)).await.unwrap();
        server.run(std::future::ready(())).await;
    }
    let heads = craps_store::HeadFile::of_key(&key).read().unwrap();
    assert!(heads.iter().any(|head| head.table == "practice-pa" && head.seq == 54), "{heads:?}");
}
