//! `boxperson backup`, `restore` and `export` while people play.

use crate::serve::Running;
use crate::support::{Run, boxperson};
use craps_store::{HeadKey, NewRow, Store, testing};
use serde_json::Value;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

pub fn does(args: &[&str]) -> String {
    let run = boxperson(args);
    assert_eq!(run.code, 0, "{args:?}: {}{}", run.out, run.err);
    run.out
}

pub fn json(args: &[&str]) -> Value {
    serde_json::from_str(&does(&[args, &["--format", "json"]].concat())).unwrap()
}

/// A byte that differs between an index and its row shows neither in the hashes nor in the money. The database's own check finds it.
#[test]
fn an_audit_finds_a_byte_that_differs_between_an_index_and_its_row() {
    const NEEDLE: &str = "needle-in-the-index";
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("tables.db");
    runtime().block_on(async {
        let store = Store::open(db.to_str().unwrap()).await.unwrap();
        let row = NewRow { at: 1, client: "box".into(), key: Some(NEEDLE.into()), body: "{}".into() };
        store.append(craps_store::TRAIL, 0, vec![row]).await.unwrap();
        store.close().await;
    });
    let sound = fs::read(&db).unwrap();
    let places = sound.windows(NEEDLE.len()).enumerate().filter(|(_, bytes)| *bytes == NEEDLE.as_bytes());
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    assert_eq!(places.len(), 2, "one in the row and one in the index");
    let audit = || boxperson(&["audit", db.to_str().unwrap()]);
    assert_eq!(audit().code, 0, "{}", audit().out);
    for at in places {
        let mut changed = sound.clone();
        changed[at] ^= 1;
        fs::write(&db, changed).unwrap();
        let run = audit();
        assert_eq!(run.code, 1, "byte {at}: {}{}", run.out, run.err);
    }
}

pub fn refuses(args: &[&str], why: &str) {
    let Run { code, out, err } = boxperson(args);
    assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
    assert!(err.contains(why), "{args:?}: {err}");
}

/// Plays as a guest who bets and rolls until `over` is set. Returns the number of rolls.
pub fn plays(server: &Running, table: &str, over: &AtomicBool) -> usize {
    let cookie = server.guest();
    let here = |request: &str, body: &str| {
        let answer = server.ask_as(&cookie, &format!("POST /tables/{table}/{request}"), body);
        assert!(!answer.starts_with("HTTP/1.1 5"), "{request}: {answer}");
        answer.starts_with("HTTP/1.1 2")
    };
    assert!(here("seats", r#"{"name": "Ann", "buy_in": 1000000}"#));
    let mut throws = 0;
    while !over.load(Ordering::SeqCst) {
        here("actions", r#"{"say": "pass 10; field 5"}"#);
        here("actions", r#"{"say": "12 on the six"}"#);
        throws += usize::from(here("roll", ""));
    }
    throws
}

/// Backs up the store three times while three tables are played. Each backup must be a snapshot that audits clean.
fn a_backup_while_people_play(db: &str, restored: impl Fn(usize) -> String, folder: &Path) {
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let key = path("key");
    let seal = path("seal");
    let args =
        ["--db", db, "--key", &key, "--seal", &seal, "--rate", "100000", "--burst", "100000", "--practice", "pa,nj,co"];
    let server = Running::start(folder, &args);
    let over = AtomicBool::new(false);
    let (throws, taken) = std::thread::scope(|scope| {
        let tables = ["practice-pa", "practice-nj", "practice-co"];
        let (server, over) = (&server, &over);
        let games = tables.map(|table| scope.spawn(move || plays(server, table, over)));
        let taken: Vec<(String, String, Value)> = (0..3)
            .map(|round| {
                std::thread::sleep(std::time::Duration::from_millis(300));
                let heads = path(&format!("heads{round}"));
                fs::write(&heads, does(&["export", "--heads", "--db", db, "--key", &key])).unwrap();
                let file = path(&format!("backup{round}"));
                let done = json(&["backup", &file, "--db", db]);
                (heads, file, done)
            })
            .collect();
        assert_eq!(json(&["audit", db])["clean"], true, "a store in use");
        over.store(true, Ordering::SeqCst);
        (games.map(|game| game.join().unwrap()), taken)
    });
    assert_eq!(server.stop(), 0);
    assert!(throws.iter().all(|throws| *throws > 10), "{throws:?}");

    let public = HeadKey::open(Path::new(&key)).unwrap().public().to_string();
    let whole = runtime().block_on(async {
        let store = Store::open_to_read(db).await.unwrap();
        let mut whole = Vec::new();
        for (table, _) in store.tables().await.unwrap() {
            whole.push((table.clone(), store.load(&table, 0, u32::MAX).await.unwrap()));
        }
        whole
    });
    let mut before = 0;
    for (round, (heads, file, done)) in taken.iter().enumerate() {
        assert_eq!(fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
        let rows = done["rows"].as_u64().unwrap();
        assert!(rows > before, "play went on, but there are {rows} rows after {before}");
        before = rows;
        let target = restored(round);
        assert_eq!(json(&["restore", file, "--db", &target]), *done);
        for what in [file, &target] {
            let audit = json(&["audit", what, "--heads", heads, "--key", &public]);
            assert_eq!((&audit["clean"], &audit["rows"]), (&Value::Bool(true), &done["rows"]), "{audit}");
            assert!(audit["heads"].as_u64() >= Some(3) && audit["throws"].as_u64() > Some(0), "{audit}");
        }
        runtime().block_on(async {
            let store = Store::open_to_read(&target).await.unwrap();
            for (table, rows) in &whole {
                let kept = store.load(table, 0, u32::MAX).await.unwrap();
                assert!(rows.starts_with(&kept), "the backup of {table} is not a prefix of its log");
            }
        });
    }
    // Play continues on the restored store, and its log still matches the heads that were signed before.
    let target = restored(taken.len() - 1);
    // The server signed rows that the backup doesn't have. It goes on only when it is told to.
    refuses(&["serve", "--addr", "127.0.0.1:0", "--db", &target, "--key", &key], "--despite REASON");
    let server = Running::start(folder, &["--db", &target, "--key", &key, "--seal", &seal, "--despite", "restored"]);
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let game = scope.spawn(|| plays(&server, "practice-pa", &over));
        std::thread::sleep(std::time::Duration::from_millis(300));
        over.store(true, Ordering::SeqCst);
        game.join().unwrap();
    });
    assert_eq!(server.stop(), 0);
    let audit = json(&["audit", &target, "--heads", &taken[2].0, "--key", &public]);
    assert_eq!(audit["clean"], true, "{audit}");
    assert!(audit["rows"].as_u64() > Some(before), "{audit}");
    // The next audit begins where one ended, and says what it didn't look at.
    let kept = folder.join("kept.audit").to_str().unwrap().to_owned();
    let whole = json(&["audit", &target, "--keep", &kept, "--threads", "1"]);
    let since = json(&["audit", &target, "--since", &kept]);
    let looked_at = |audit: &Value| audit["rows"].as_u64().unwrap() + audit["not_looked_at"].as_u64().unwrap();
    assert_eq!((&since["clean"], looked_at(&since)), (&Value::Bool(true), looked_at(&whole)), "{since}");
    assert!(since["not_looked_at"].as_u64() > Some(0) && whole["not_looked_at"].as_u64() == Some(0), "{since}");
}

#[test]
fn a_backup_of_sqlite_while_people_play_is_a_moment_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: String| folder.path().join(name).to_str().unwrap().to_owned();
    a_backup_while_people_play(&path("tables.db".to_owned()), |round| path(format!("{round}.db")), folder.path());
}

#[test]
fn a_backup_of_postgresql_while_people_play_is_a_moment_of_it() {
    let folder = tempfile::tempdir().unwrap();
    let urls: Vec<String> = (0..4).map(|_| runtime().block_on(testing::postgres_database())).collect();
    a_backup_while_people_play(&urls[3], |round| urls[round].clone(), folder.path());
}

#[test]
fn what_is_there_is_not_written_over_and_what_is_wrong_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (db, file, other) = (path("tables.db"), path("a.backup"), path("other.db"));
    refuses(&["backup", &file, "--db", &db], "tables.db");
    assert!(!Path::new(&db).exists() && !Path::new(&file).exists(), "a failed backup created a file");
    Running::start(folder.path(), &["--db", &db]).stop();
    let told = does(&["backup", &file, "--db", &db]);
    assert!(told.starts_with(&format!("{file}: store ")) && told.ends_with(" records\n"), "{told}");
    let kept = fs::read(&file).unwrap();
    refuses(&["backup", &file, "--db", &db], "the file already exists");
    refuses(&["backup", &path("nowhere/a"), "--db", &db], "nowhere/a");
    assert_eq!(fs::read(&file).unwrap(), kept);
    refuses(&["restore", &file, "--db", &db], "the store is not empty");
    refuses(&["restore", &path("missing"), "--db", &other], "missing");
    fs::write(path("cut"), &kept[..kept.len() / 2]).unwrap();
    refuses(&["restore", &path("cut"), "--db", &other], "was not used");
    refuses(&["restore", &file, "--db", "mysql://ann:secret@here/there"], "is not a database address");
    assert!(!boxperson(&["restore", &file, "--db", "mysql://ann:secret@here/there"]).err.contains("secret"));
    assert!(!Path::new(&other).exists(), "a failed restore created a database");

    refuses(&["export", "--table", "nowhere", "--db", &db], "there is no table `nowhere`");
    refuses(&["export", "--db", &db, "--key", &path("no-key")], "no-key");
    refuses(&["export", "--db", &other], "other.db");
    let one = path("one.jsonl");
    fs::write(&one, does(&["export", "--table", "practice-pa", "--db", &db])).unwrap();
    let audit = json(&["audit", &one]);
    assert_eq!((&audit["clean"], &audit["tables"]), (&Value::Bool(true), &1.into()), "{audit}");
    assert!(!fs::read_to_string(&one).unwrap().contains("\"line\":\"record\""), "an export contains account records");
    refuses(&["audit", &one, "--keep", &path("kept")], "work with a database");
    refuses(&["audit", &db, "--since", &path("cut")], "line 1: expected a file that `boxperson audit --keep` wrote");
}
