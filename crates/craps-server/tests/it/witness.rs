//! Witnesses: nobody at the house knows the dice before bets are closed, and a log that was replaced as a whole is found.

use crate::house::{LIBRARY, Place, ask, opening, wish};
use crate::trust::{execute, given, run_once, start};
use axum::Router;
use axum::routing::post;
use craps_server::audit::{Auditor, Wrong};
use craps_server::config::Given;
use craps_server::live::pit::{Ask, NotDone, Pit, now, told};
use craps_server::live::{By, Deed, DiceFrom};
use craps_server::people::records::Records;
use craps_server::people::{Role, Scope};
use craps_server::witness::host::{WitnessConfig, WitnessServer, release};
use craps_server::witness::{DiceWitness, WitnessAt};
use craps_server::{NotStarted, Server};
use craps_store::{Head, HeadKey, Lock, PublicKey, Receipt, Row, SignedHead};
use craps_table::Crew;
use serde::Serialize;
use serde_json::{Value, json};
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A witness with its own folder, which can be stopped and started again at the same address.
struct Outside {
    folder: TempDir,
    addr: SocketAddr,
    key: PublicKey,
    servers: Vec<PublicKey>,
    running: Option<(oneshot::Sender<()>, JoinHandle<()>)>,
}

impl Outside {
    /// Creates a witness that works for these servers, and doesn't start it.
    async fn stopped(servers: &[PublicKey]) -> Outside {
        let mut outside = Outside::new(servers).await;
        outside.stop().await;
        outside
    }

    async fn new(servers: &[PublicKey]) -> Outside {
        let (folder, servers) = (tempfile::tempdir().unwrap(), servers.to_vec());
        let key = HeadKey::open_or_create(&folder.path().join("witness.db.key")).unwrap().public();
        let mut outside = Outside { folder, addr: "127.0.0.1:0".parse().unwrap(), key, servers, running: None };
        outside.start().await;
        outside
    }

    fn db(&self) -> String {
        self.folder.path().join("witness.db").to_str().unwrap().to_owned()
    }

    async fn start(&mut self) {
        let (addr, db, servers) = (self.addr, self.db(), self.servers.clone());
        let server = WitnessServer::start(&WitnessConfig { addr, db, key: None, servers, tls: None }).await.unwrap();
        assert_eq!(server.key(), self.key);
        self.addr = server.addr();
        let (stop, stopped) = oneshot::channel::<()>();
        self.running = Some((stop, tokio::spawn(server.run(async { drop(stopped.await) }))));
    }

    async fn stop(&mut self) {
        let (stop, running) = self.running.take().unwrap();
        stop.send(()).unwrap();
        running.await.unwrap();
    }

    /// Lets the stores in this database begin anew.
    async fn release(&mut self, store: &str) {
        self.stop().await;
        release(&self.db(), store, "restored by hand").await.unwrap();
        self.start().await;
    }

    fn at(&self) -> WitnessAt {
        format!("http://{}#{}", self.addr, self.key).parse().unwrap()
    }

    async fn send(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        send(self.addr, method, path, "", body).await
    }

    async fn get(&self, path: &str) -> String {
        let (status, body) = self.send("GET", path, "").await;
        assert_eq!(status, 200, "{body}");
        body
    }

    async fn post(&self, path: &str, body: &impl Serialize) -> (u16, Value) {
        let (status, body) = self.send("POST", path, &serde_json::to_string(body).unwrap()).await;
        (status, serde_json::from_str(&body).unwrap_or(Value::String(body)))
    }
}

/// Sends a request with one more line in its head.
async fn send(addr: SocketAddr, method: &str, path: &str, line: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(addr).await.unwrap();
    let kind = "Connection: close\r\nContent-Type: application/json";
    let head =
        format!("{method} {path} HTTP/1.1\r\nHost: {addr}\r\n{kind}\r\nContent-Length: {}\r\n{line}\r\n", body.len());
    stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
    let mut read = String::new();
    stream.read_to_string(&mut read).await.unwrap();
    let (head, body) = read.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

fn server_key(place: &Place) -> HeadKey {
    HeadKey::open_or_create(&place.folder.path().join("test.db.key")).unwrap()
}

/// Opens the tables of a place with a witness.
async fn pit(place: &Place, at: WitnessAt) -> Pit {
    place.pit().await.witnessed(DiceWitness::new(at, server_key(place)))
}

/// Opens a table, and seats a player with a bet.
async fn begun(pit: &Pit) {
    pit.open("t", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    pit.ask("t", ask("ann", 1, wish::join("Ann", 1_000_000))).await.unwrap();
    pit.ask("t", ask("ann", 1, wish::talk("pass 10"))).await.unwrap();
}

fn roll() -> Ask {
    ask("ann", 1, wish::plain("roll"))
}

async fn rows(pit: &Pit) -> Vec<Row> {
    pit.store().load("t", 0, u32::MAX).await.unwrap()
}

fn deeds(rows: &[Row]) -> Vec<String> {
    rows.iter().map(|row| serde_json::to_value(told(row.clone()).unwrap().entry.did).unwrap()).map(name).collect()
}

fn name(deed: Value) -> String {
    deed.as_object().map_or_else(|| deed.to_string(), |deed| deed.keys().next().unwrap().clone())
}

fn findings(rows: &[Row]) -> Vec<Wrong> {
    let mut auditor = Auditor::new(&LIBRARY);
    rows.iter().for_each(|row| auditor.row(row));
    auditor.finish().findings.into_iter().map(|finding| finding.what).collect()
}

/// Waits until the roll that was begun is made.
async fn rolls(pit: &Pit) {
    let rolled = async {
        while pit.look("t", |live| live.closed().is_some()).await.unwrap() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), rolled).await.unwrap();
}

/// Returns the roll that the table would lock with this closing row.
fn lock(pit: &Pit, row: &str) -> Lock {
    Lock { store: pit.store().id().to_owned(), table: "t".to_owned(), hand: 1, throw: 1, row: row.to_owned() }
}

#[tokio::test]
async fn every_roll_has_the_answer_of_the_witness_to_the_row_that_closed_the_bets() {
    let place = Place::new();
    let outside = Outside::new(&[server_key(&place).public()]).await;
    let pit = pit(&place, outside.at()).await;
    begun(&pit).await;
    while pit.look("t", |live| live.hands().number < 3).await.unwrap() {
        let _ = pit.ask("t", ask("ann", 1, wish::talk("pass 10"))).await;
        let done = pit.ask("t", roll()).await.unwrap();
        assert!(matches!(done.rows[1].entry.did, Deed::Witnessed { .. }), "{:?}", done.rows);
        assert!(matches!(done.rows[2].entry.did, Deed::Thrown { .. }), "{:?}", done.rows);
    }
    let log = rows(&pit).await;
    assert_eq!(findings(&log), []);
    // The witness saw each row only once it was stored: it has one question for each roll.
    let witnessed: Vec<usize> = (0..log.len()).filter(|at| deeds(&log[*at..=*at]) == ["witnessed"]).collect();
    let (first, second) = (witnessed[0], witnessed[1]);
    let wrong = |change: &dyn Fn(&mut Vec<Row>)| {
        let mut forged = log.clone();
        change(&mut forged);
        findings(&forged)
    };
    let is_unlawful = |found: &[Wrong]| found.iter().any(|wrong| matches!(wrong, Wrong::Unlawful { .. }));
    let is_other_dice = |found: &[Wrong]| found.iter().any(|wrong| matches!(wrong, Wrong::NotTheDice { .. }));
    let without = wrong(&|rows| drop(rows.remove(first)));
    assert!(is_unlawful(&without) && is_other_dice(&without), "{without:?}");
    assert!(is_unlawful(&wrong(&|rows| rows[first].body = rows[second].body.clone())), "the answer to another roll");
    assert!(is_unlawful(&wrong(&|rows| rows.insert(first, log[first].clone()))), "an answer comes once");
    let other = wrong(&|rows| rows[first - 1].hash = "ab".repeat(32));
    assert!(is_unlawful(&other), "the row that closed the bets is another one: {other:?}");
}

/// The answer decides the dice: with the same secret and no seeds, other answers give other dice.
#[tokio::test]
async fn without_the_answer_the_operator_does_not_know_the_dice() {
    use craps_server::live::{Cast, What};
    let place = Place::new();
    let outside = Outside::new(&[server_key(&place).public()]).await;
    let pit = pit(&place, outside.at()).await;
    begun(&pit).await;
    let chain = pit.look("t", |live| live.hand().unwrap().chain.clone().unwrap()).await.unwrap();
    let secret = pit.seal().await.unwrap().secret("t", &chain);
    let dice = |witness: Option<&str>| {
        secret.cast(&Cast { table: "t", hand: 1, what: What::Throw(1), seeds: &[], witness }).dice()
    };
    let all: std::collections::HashSet<_> = (0..200).map(|at: u32| dice(Some(&format!("{at:0128x}")))).collect();
    assert!(all.len() > 30, "{}", all.len());
    pit.ask("t", roll()).await.unwrap();
    let log = rows(&pit).await;
    let did = log.iter().map(|row| told(row.clone()).unwrap().entry.did);
    let (mut answer, mut faces) = (String::new(), [0; 2]);
    for deed in did {
        match deed {
            Deed::Witnessed { answer: found } => answer = found,
            Deed::Thrown { faces: found, .. } => faces = found,
            _ => {}
        }
    }
    assert_eq!(dice(Some(&answer)).map(craps_dice::Die::pips), faces);
}

#[tokio::test]
async fn a_roll_waits_for_the_witness_and_goes_on_by_itself() {
    let place = Place::new();
    let mut outside = Outside::stopped(&[server_key(&place).public()]).await;
    let first = pit(&place, outside.at()).await;
    begun(&first).await;
    let waits = first.ask("t", roll()).await;
    assert!(matches!(&waits, Err(NotDone::Witness(_))), "{waits:?}");
    assert!(waits.unwrap_err().to_string().contains("goes on by itself"));
    // Bets stay closed, nobody can roll, and everybody can look.
    let before = rows(&first).await;
    assert_eq!(deeds(&before).last().unwrap(), "closed");
    assert!(matches!(first.ask("t", ask("ann", 1, wish::talk("field 10"))).await, Err(NotDone::Refused(_))));
    assert!(matches!(first.ask("t", roll()).await, Err(NotDone::Witness(_))));
    let seed = wish::of(json!({ "do": "seed", "seed": "late" }));
    assert!(matches!(first.ask("t", ask("ann", 1, seed)).await, Err(NotDone::Refused(_))), "a seed after the lock");
    assert!(first.look("t", |live| live.waits_for_witness() && !live.is_open()).await.unwrap());
    first.close().await;
    first.store().close().await;
    // Nothing is lost by a restart.
    let second = pit(&place, outside.at()).await;
    assert!(second.look("t", |live| live.waits_for_witness()).await.unwrap());
    assert_eq!(rows(&second).await, before);
    outside.start().await;
    rolls(&second).await;
    let after = rows(&second).await;
    assert_eq!(deeds(&after[before.len()..])[..2], ["witnessed", "thrown"]);
    assert_eq!(findings(&after), []);
}

/// The page computes the same dice from the answer, and checks the signature of the witness.
#[test]
fn the_page_checks_the_answer_of_the_witness() {
    use craps_server::live::{Cast, Secret, What};
    let folder = tempfile::tempdir().unwrap();
    let key = HeadKey::open_or_create(&folder.path().join("witness.key")).unwrap();
    let other = HeadKey::open_or_create(&folder.path().join("other.key")).unwrap();
    let (store, secret) = ("0f".repeat(16), Secret::from_bytes(&[7; 32]).unwrap());
    let throws: Vec<Value> = (1..=20)
        .map(|throw| {
            let closed = format!("{throw:064x}");
            let lock = Lock { store: store.clone(), table: "north".to_owned(), hand: 3, throw, row: closed.clone() };
            let answer = key.answer(&lock);
            let what = What::Throw(throw);
            let cast = Cast { table: "north", hand: 3, what, seeds: &[], witness: Some(&answer) };
            let dice = secret.cast(&cast).dice().map(craps_dice::Die::pips);
            json!({ "throw": throw, "closed": closed, "seeds": [], "witness": answer, "dice": dice })
        })
        .collect();
    let chain = json!({ "nonce": "00", "place": 1, "of": 9, "epoch": "" });
    let hand = json!({ "hand": 3, "table": "north", "commitment": secret.commitment(), "chain": chain, "secret": secret.hex(), "throws": throws });
    let mut without = hand.clone();
    without["throws"][0]["witness"] = Value::Null;
    let mut swapped = hand.clone();
    swapped["throws"][0]["witness"] = hand["throws"][1]["witness"].clone();
    let of = |key: &HeadKey| json!({ "key": key.public(), "store": store });
    let given = json!([
        { "hand": hand, "witness": of(&key) }, { "hand": hand, "witness": of(&other) }, { "hand": without, "witness": of(&key) },
        { "hand": swapped, "witness": of(&key) }, { "hand": hand, "witness": { "key": key.public(), "store": "1f".repeat(16) } },
    ]);
    let found = crate::verify::script(
        "(await it.verified(one.hand, null, one.witness)).throws.map((throw_) => throw_.follows)",
        &given,
    );
    let right = |at: usize| found[at].as_array().unwrap().iter().filter(|follows| **follows == true).count();
    assert_eq!([0, 1, 2, 3, 4].map(right), [20, 0, 19, 19, 0], "{found}");
}

/// A server that isn't told of the witness of a table doesn't roll without it.
#[tokio::test]
async fn a_table_with_a_witness_never_rolls_without_it() {
    let place = Place::new();
    let outside = Outside::new(&[server_key(&place).public()]).await;
    let first = pit(&place, outside.at()).await;
    begun(&first).await;
    first.close().await;
    first.store().close().await;
    let other = Outside::new(&[server_key(&place).public()]).await;
    for pit in [place.pit().await, pit(&place, other.at()).await] {
        let Err(NotDone::Witness(why)) = pit.ask("t", roll()).await else { panic!("it rolls") };
        assert!(why.contains(&outside.key.to_string()) && why.contains("--dice-witness"), "{why}");
        pit.close().await;
        pit.store().close().await;
    }
    let last = pit(&place, outside.at()).await;
    rolls(&last).await;
    assert_eq!(findings(&rows(&last).await), []);
    // Tables from before keep their dice without a witness, and so do tables whose dice people roll.
    let plain = Place::new();
    let old = plain.pit().await;
    begun(&old).await;
    old.close().await;
    old.store().close().await;
    let now_with = pit(&plain, outside.at()).await;
    let done = now_with.ask("t", roll()).await.unwrap();
    assert!(matches!(done.rows[1].entry.did, Deed::Thrown { .. }));
    now_with.open("p", opening(Crew::People, DiceFrom::People), By::machine(), now()).await.unwrap();
    assert!(now_with.look("p", |live| live.opening().witness.is_none()).await.unwrap());
}

#[tokio::test]
async fn a_wrong_signature_never_rolls() {
    let place = Place::new();
    let real = Outside::new(&[server_key(&place).public()]).await;
    let other = HeadKey::open_or_create(&real.folder.path().join("other.key")).unwrap();
    let store = place.pit().await;
    let answers = [other.answer(&lock(&store, &"ab".repeat(32))), "00".repeat(64), "no".to_owned()];
    for answer in answers {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let addr = listener.local_addr().unwrap();
        let router = Router::new().route("/dice", post(move || async move { axum::Json(json!({ "answer": answer })) }));
        tokio::spawn(async move { axum::serve(listener, router).await });
        let place = Place::new();
        let pit = pit(&place, format!("http://{addr}#{}", real.key).parse().unwrap()).await;
        begun(&pit).await;
        let Err(NotDone::Witness(why)) = pit.ask("t", roll()).await else { panic!("it rolls") };
        assert!(why.contains("isn't signed with the key"), "{why}");
        assert_eq!(deeds(&rows(&pit).await).last().unwrap(), "closed");
    }
}

/// An operator who wants to know the dice before the bets are closed has to name the row that closes them. After that, no other row will do.
#[tokio::test]
async fn whoever_asks_early_can_close_the_bets_with_that_row_only() {
    let place = Place::new();
    let key = server_key(&place);
    let mut outside = Outside::new(&[key.public()]).await;
    let pit = pit(&place, outside.at()).await;
    begun(&pit).await;
    let early = key.ask(lock(&pit, &"ab".repeat(32)));
    let (status, answer) = outside.post("/dice", &early).await;
    assert_eq!(status, 200, "{answer}");
    assert!(outside.key.has_answered(&early.lock, answer["answer"].as_str().unwrap()));
    let (_, same) = outside.post("/dice", &early).await;
    assert_eq!(same, answer, "the same question has the same answer");
    let Err(NotDone::Witness(why)) = pit.ask("t", roll()).await else { panic!("it rolls") };
    assert!(why.contains("it refuses") && why.contains("another row"), "{why}");
    assert_eq!(deeds(&rows(&pit).await).last().unwrap(), "closed");
    // Both questions are evidence, once, also after a restart.
    outside.stop().await;
    outside.start().await;
    let again = outside.post("/dice", &key.ask(lock(&pit, &"cd".repeat(32)))).await;
    assert_eq!((again.0, &again.1["code"]), (409, &json!("contradicts")), "{again:?}");
    let evidence = outside.get("/evidence").await;
    let closing = rows(&pit).await.pop().unwrap().hash;
    assert!(
        evidence.contains("question-refused") && evidence.contains(&closing) && evidence.contains(&"ab".repeat(32))
    );
    let once = evidence.matches(&format!("\\\"row\\\":\\\"{closing}\\\"")).count();
    assert_eq!(once, 1, "{evidence}");
    // Only the operator of the witness can let the roll go on.
    outside.release(pit.store().id()).await;
    rolls(&pit).await;
    assert_eq!(findings(&rows(&pit).await), []);
}

#[tokio::test]
async fn a_witness_answers_only_the_servers_it_knows_and_each_roll_once() {
    let place = Place::new();
    let key = server_key(&place);
    let outside = Outside::new(&[key.public()]).await;
    let pit = place.pit().await;
    let stranger = HeadKey::open_or_create(&place.folder.path().join("stranger.key")).unwrap();
    let (status, problem) = outside.post("/dice", &stranger.ask(lock(&pit, &"ab".repeat(32)))).await;
    assert_eq!((status, &problem["code"]), (403, &json!("unknown-key")));
    assert!(problem["message"].as_str().unwrap().contains("--server"), "{problem}");
    // A question whose signature is of another row, or whose text isn't plain.
    let mut forged = key.ask(lock(&pit, &"ab".repeat(32)));
    forged.lock.throw = 2;
    assert_eq!(outside.post("/dice", &forged).await.0, 400);
    let twisted = Lock { table: "t\nhand 9".to_owned(), ..lock(&pit, &"ab".repeat(32)) };
    assert_eq!(outside.post("/dice", &key.ask(twisted)).await.0, 400);
    assert_eq!(outside.post("/dice", &json!({ "lock": 5 })).await.0, 400);
    // Of many questions about one roll at the same time, one is answered.
    let questions: Vec<_> = (0..16).map(|at: u8| key.ask(lock(&pit, &format!("{at:064x}")))).collect();
    let all = futures_util::future::join_all(questions.iter().map(|question| outside.post("/dice", question))).await;
    let answered = all.iter().filter(|(status, _)| *status == 200).count();
    assert_eq!((answered, all.iter().filter(|(status, _)| *status == 409).count()), (1, 15), "{all:?}");
}

#[tokio::test]
async fn a_head_never_goes_back_and_never_changes() {
    let place = Place::new();
    let key = server_key(&place);
    let mut outside = Outside::new(&[key.public()]).await;
    let store = "0f".repeat(16);
    let head = |table: &str, seq: u64, hash: &str| key.sign(&store, table, &Head { seq, hash: hash.repeat(32) }, 5);
    let heads = vec![head("north", 7, "aa"), head("south", 3, "bb"), head("@people", 1, "cc")];
    let (status, receipt) = outside.post("/heads", &heads).await;
    assert_eq!(status, 200, "{receipt}");
    let receipt: Receipt = serde_json::from_value(receipt).unwrap();
    assert!(receipt.is_for(&heads, &outside.key) && !receipt.is_for(&heads[1..], &outside.key));
    for (round, wrong) in
        [head("north", 7, "dd"), head("north", 6, "aa"), head("@people", 1, "aa")].into_iter().enumerate()
    {
        let both = vec![wrong, head("south", 4 + round as u64, "bb")];
        let (status, problem) = outside.post("/heads", &both).await;
        assert_eq!((status, &problem["code"]), (409, &json!("contradicts")), "{problem}");
    }
    let last = |text: String| -> Vec<(String, u64)> {
        text.lines()
            .map(|line| serde_json::from_str::<SignedHead>(line).unwrap())
            .map(|head| (head.table, head.seq))
            .collect()
    };
    let expected = [("@people".to_owned(), 1), ("north".to_owned(), 7), ("south".to_owned(), 6)];
    for restarted in [false, true] {
        if restarted {
            outside.stop().await;
            outside.start().await;
        }
        assert_eq!(last(outside.get("/heads").await), expected);
        assert_eq!(outside.get("/evidence").await.matches("head-refused").count(), 3);
    }
    assert_eq!(last(outside.get(&format!("/heads?store={store}")).await), expected);
    assert_eq!(last(outside.get(&format!("/heads?store={}", "1f".repeat(16))).await), []);
    let mut forged = head("north", 9, "aa");
    forged.seq = 10;
    assert_eq!(outside.post("/heads", &vec![forged]).await.0, 400);
    assert_eq!(outside.post("/heads", &vec![head("north", 8, "aa"), head("north", 9, "aa")]).await.0, 400);
    // After a release the store begins anew, and what was there is kept.
    outside.release(&store).await;
    assert_eq!(last(outside.get("/heads").await), []);
    assert_eq!(outside.post("/heads", &vec![head("north", 2, "ee")]).await.0, 200);
    outside.stop().await;
    outside.start().await;
    assert_eq!(last(outside.get("/heads").await), [("north".to_owned(), 2)]);
    assert_eq!(outside.get("/evidence").await.matches("head-refused").count(), 3);
}

/// Makes the key of a server before its first start, so that the witness can be told.
fn key_in(folder: &Path) -> PublicKey {
    HeadKey::open_or_create(&folder.join("tables.db.key")).unwrap().public()
}

fn forget(folder: &Path, files: &[&str]) {
    for file in files {
        let _ = fs::remove_file(folder.join(file));
    }
}

const DATABASE: [&str; 3] = ["tables.db", "tables.db-wal", "tables.db-shm"];

fn refused(started: Result<Server, NotStarted>) -> String {
    let error = started.err().expect("the server starts");
    assert!(matches!(error, NotStarted::Distrusted { .. }), "{error}");
    error.to_string()
}

#[tokio::test]
async fn an_operator_who_deletes_everything_is_found_by_the_witness() {
    for over_http in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let outside = Outside::new(&[key_in(folder.path())]).await;
        let file = outside.folder.path().join("heads.jsonl");
        let witness = if over_http {
            format!("http://{}#{}", outside.addr, outside.key)
        } else {
            file.to_str().unwrap().to_owned()
        };
        let with = || Given { witness: Some(vec![witness.clone()]), ..given(folder.path()) };
        run_once(with()).await;
        run_once(with()).await;
        let heads = if over_http { outside.get("/heads").await } else { fs::read_to_string(&file).unwrap() };
        assert!(heads.contains("practice-pa"), "{heads}");

        // The log is cut off, with everything on this machine that says so.
        execute(folder.path(), "DELETE FROM heads; DELETE FROM log WHERE table_id = 'practice-pa' AND seq = 2; \
            UPDATE ends SET seq = 1, hash = (SELECT hash FROM log WHERE table_id = 'practice-pa' AND seq = 1) WHERE table_id = 'practice-pa'").await;
        forget(folder.path(), &["tables.db.key.heads"]);
        let words = refused(start(with()).await);
        assert!(words.contains("practice-pa: ends at row 1, but a head was signed at row 2"), "{words}");

        // The database is another one.
        forget(folder.path(), &DATABASE);
        let words = refused(start(with()).await);
        assert!(words.contains("signed for another store"), "{words}");

        // The key is another one as well.
        forget(folder.path(), &DATABASE);
        forget(folder.path(), &["tables.db.key", "tables.db.seal"]);
        if over_http {
            let words = refused(start(with()).await);
            assert!(words.contains("doesn't know the key"), "{words}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_can_go_on_but_the_witness_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let mut outside = Outside::new(&[key_in(folder.path())]).await;
    let with =
        || Given { witness: Some(vec![format!("http://{}#{}", outside.addr, outside.key)]), ..given(folder.path()) };
    run_once(with()).await;
    forget(folder.path(), &["tables.db.key.heads"]);
    execute(folder.path(), "DELETE FROM heads; DELETE FROM log WHERE table_id = 'practice-pa' AND seq = 2; \
        UPDATE ends SET seq = 1, hash = (SELECT hash FROM log WHERE table_id = 'practice-pa' AND seq = 1) WHERE table_id = 'practice-pa'").await;
    let server = start(Given { despite: Some("restored by hand".to_owned()), ..with() }).await.unwrap();
    let (app, addr, store) = (Arc::clone(server.app()), server.addr(), server.app().store().id().to_owned());
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async { drop(stopped.await) }));
    let warned = async {
        while !crate::support::get(addr, "/ready").await.contains("it refuses: it has row 2 of practice-pa") {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), warned).await.unwrap();
    assert!(crate::support::get(addr, "/ready").await.starts_with("HTTP/1.1 200"));
    assert!(app.pit.look("practice-pa", |_| ()).await.is_ok(), "the tables go on");
    let metrics = app.pit.store().head("@server").await.unwrap();
    assert_eq!(metrics.seq, 1, "the reason is a row");
    stop.send(()).unwrap();
    running.await.unwrap();
    assert!(outside.get("/evidence").await.contains("head-refused"));
    // The next start asks the witness again, until its operator releases the store.
    let words = refused(start(with()).await);
    assert!(words.contains("practice-pa"), "{words}");
    let addr = outside.addr;
    outside.release(&store).await;
    assert_eq!(outside.addr, addr);
    run_once(Given { witness: Some(vec![format!("http://{}#{}", outside.addr, outside.key)]), ..given(folder.path()) })
        .await;
    assert!(outside.get("/heads").await.contains("practice-pa"));
}

/// A witness that can't be reached doesn't stop the tables. It is a warning, and it gets everything when it is back.
#[tokio::test(flavor = "multi_thread")]
async fn a_silent_witness_of_heads_is_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let mut outside = Outside::stopped(&[key_in(folder.path())]).await;
    let witness = Some(vec![format!("http://{}#{}", outside.addr, outside.key)]);
    let server = start(Given { witness, ..given(folder.path()) }).await.unwrap();
    let (app, addr) = (Arc::clone(server.app()), server.addr());
    let (stop, stopped) = oneshot::channel::<()>();
    let running = tokio::spawn(server.run(async { drop(stopped.await) }));
    let until = async |wanted: bool| {
        let says = async {
            while crate::support::get(addr, "/ready").await.contains("doesn't have the newest heads") != wanted {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(30), says).await.unwrap();
    };
    until(true).await;
    let records = Records::new(app.store(), "test");
    let account = records.add_account("Ann", "no password").await.unwrap().id;
    records.grant(&account, Role::Admin, None, (None, None)).await.unwrap();
    let token = records.add_token(&account, "metrics", &Scope::ALL, None).await.unwrap().1;
    let (status, metrics) = send(addr, "GET", "/metrics", &format!("Authorization: Bearer {token}\r\n"), "").await;
    assert_eq!(status, 200, "{metrics}");
    for name in ["boxperson_witness_age_seconds ", "boxperson_witness_failures_total{of=\"heads\"} "] {
        let line = metrics.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {metrics}"));
        assert!(line[name.len()..].parse::<f64>().unwrap() > 0.0, "{line}");
    }
    outside.start().await;
    until(false).await;
    assert!(outside.get("/heads").await.contains("practice-pa"));
    stop.send(()).unwrap();
    running.await.unwrap();
}
