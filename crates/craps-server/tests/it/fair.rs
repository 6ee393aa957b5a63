//! Dice that nobody can bias: what is stored doesn't give them, keys and times don't change them, and a secret is used only while nobody can know it.

use crate::house::{House, LIBRARY, Place, ask, opening, wish};
use craps_server::audit::{Audited, Auditor, Wrong};
use craps_server::live::pit::{Ask, NotDone, Pit, now, told};
use craps_server::live::wish::Keyed;
use craps_server::live::{By, Chain, Deed, DiceFrom, Entry, Retirement, Seal};
use craps_store::{NewRow, Row, SealKey, Store};
use craps_table::Crew;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

fn sha(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

fn from_hex(text: &[u8]) -> Vec<u8> {
    let digit = |byte: u8| u8::try_from((byte as char).to_digit(16).unwrap()).unwrap();
    text.chunks_exact(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// Searches bytes for a secret that opens a commitment: 32 bytes, 64 hex digits, or such digits from which the secret follows by hashing.
fn finds(bytes: &[u8], commitment: &str) -> bool {
    let wanted: [u8; 32] = from_hex(commitment.as_bytes()).try_into().unwrap();
    if bytes.windows(32).any(|window| sha(window) == wanted) {
        return true;
    }
    let digits =
        bytes.split(|byte| !byte.is_ascii_digit() && !(b'a'..=b'f').contains(byte)).filter(|run| run.len() >= 64);
    digits.flat_map(|run| run.windows(64)).any(|window| {
        let mut secret: [u8; 32] = from_hex(window).try_into().unwrap();
        (0..1_000).any(|_| {
            let next = sha(&secret);
            secret = next;
            next == wanted && window != commitment.as_bytes()
        })
    })
}

/// Reads a database file with what SQLite has written beside it.
fn dump(file: &Path) -> Vec<u8> {
    let beside = |ending: &str| fs::read(format!("{}{ending}", file.display())).unwrap_or_default();
    ["", "-wal"].map(beside).concat()
}

fn kept(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/old").join(file)
}

async fn commitment(pit: &Pit, table: &str) -> String {
    pit.look(table, |live| live.hand().unwrap().commitment.clone()).await.unwrap()
}

async fn rows(pit: &Pit, table: &str) -> Vec<Row> {
    pit.store().load(table, 0, u32::MAX).await.unwrap()
}

fn audited(rows: &[Row]) -> Audited {
    let mut auditor = Auditor::new(&LIBRARY);
    rows.iter().for_each(|row| auditor.row(row));
    auditor.finish()
}

fn roll(seed: Option<&str>) -> Ask {
    ask("ann", 1, wish::of(json!({ "do": "roll", "seed": seed })))
}

/// Opens a table and plays until a hand has had a roll and isn't over.
async fn begun(pit: &Pit) {
    pit.open("t", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    pit.ask("t", ask("ann", 1, wish::join("Ann", 1_000_000))).await.unwrap();
    go_on(pit, |throws| throws > 0).await;
}

async fn go_on(pit: &Pit, enough: impl Fn(u32) -> bool) {
    loop {
        let _ = pit.ask("t", ask("ann", 1, wish::talk("pass 10"))).await;
        pit.ask("t", roll(Some("mine"))).await.unwrap();
        if enough(pit.look("t", |live| live.hand().unwrap().throws).await.unwrap()) {
            return;
        }
    }
}

/// Closes a pit, so that its files can be copied.
async fn close(pit: Pit) {
    pit.close().await;
    pit.store().close().await;
}

#[tokio::test]
async fn nothing_that_is_stored_gives_the_dice_of_an_open_hand() {
    let place = Place::new();
    let pit = place.pit().await;
    begun(&pit).await;
    let (file, backup) = (place.folder.path().join("test.db"), place.folder.path().join("backup"));
    pit.store().backup(&backup, now()).await.unwrap();
    let open = commitment(&pit, "t").await;
    for (what, bytes) in [("database", dump(&file)), ("backup", fs::read(&backup).unwrap())] {
        assert!(bytes.len() > 1_000 && bytes.windows(64).any(|window| window == open.as_bytes()), "{what}");
        assert!(!finds(&bytes, &open), "the {what} gives the secret");
    }
    // With the sealing key the secret is found. That key is in neither of them.
    let key = fs::read(place.folder.path().join("test.db.seal")).unwrap();
    let chain = pit.look("t", |live| live.hand().unwrap().chain.clone().unwrap()).await.unwrap();
    let secret = pit.seal().await.unwrap().secret("t", &chain);
    assert!(finds(secret.hex().as_bytes(), &open) && finds(secret.bytes(), &open));
    for bytes in [dump(&file), fs::read(&backup).unwrap()] {
        assert!(!bytes.windows(64).any(|window| window == &key[..64]));
        assert!(!bytes.windows(32).any(|window| window == from_hex(&key[..64])));
    }
    // A database of the version before has it, and a backup that is made of it now has not.
    let old = place.folder.path().join("old.db");
    fs::copy(kept("live.db"), &old).unwrap();
    let old_pit = Pit::new(Store::open(old.to_str().unwrap()).await.unwrap(), Arc::clone(&LIBRARY));
    let open = commitment(&old_pit, "practice-pa").await;
    assert!(finds(&dump(&old), &open));
    let backup = place.folder.path().join("old.backup");
    old_pit.store().backup(&backup, now()).await.unwrap();
    assert!(!finds(&fs::read(&backup).unwrap(), &open));
}

#[tokio::test]
async fn neither_keys_nor_times_nor_words_change_the_dice() {
    let place = Place::new();
    let pit = place.pit().await;
    begun(&pit).await;
    let _ = pit.ask("t", ask("ann", 1, wish::talk("pass 10"))).await;
    close(pit).await;
    let rolled = async |number: usize, seed: Option<&str>| {
        let copy = Place::new();
        for file in ["test.db", "test.db.seal"] {
            fs::copy(place.folder.path().join(file), copy.folder.path().join(file)).unwrap();
        }
        let pit = copy.pit().await;
        if number % 2 == 1 {
            pit.ask("t", ask("ann", 1, wish::say(&format!("come on, {number}")))).await.unwrap();
        }
        let key = Keyed { key: format!("key-{number}"), asked: String::new() };
        let done = pit.ask("t", Ask { key: Some(key), ..roll(seed) }).await.unwrap();
        let faces = done.rows.iter().find_map(|told| match &told.entry.did {
            Deed::Thrown { faces, .. } => Some(*faces),
            _ => None,
        });
        let hashes: Vec<String> = rows(&pit, "t").await.into_iter().map(|row| row.hash).collect();
        close(pit).await;
        (faces.unwrap(), hashes)
    };
    let (first, hashes) = rolled(0, None).await;
    for number in 1..12 {
        let (faces, other) = rolled(number, None).await;
        assert_eq!(faces, first, "roll {number}");
        assert_ne!(other, hashes, "the rows are others");
    }
    // A seed does change them.
    let mut seen = std::collections::BTreeSet::new();
    for number in 0..12 {
        seen.insert(rolled(0, Some(&format!("seed-{number}"))).await.0);
    }
    assert!(seen.len() > 3, "{seen:?}");
}

#[tokio::test]
async fn a_secret_that_was_not_committed_to_never_rolls() {
    // The commitment in the log isn't the one of this chain.
    let (place, copy) = (Place::new(), Place::new());
    let pit = place.pit().await;
    pit.open("t", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    let opened = rows(&pit, "t").await;
    let other = copy.pit().await;
    let chain: Chain = other.seal().await.unwrap().begin().unwrap();
    let committed = Deed::Committed { hand: 1, commitment: "ab".repeat(32), chain: Some(chain) };
    let entry: Entry = Entry::new(By::machine(), committed);
    let bodies = [opened[0].body.clone(), serde_json::to_string(&entry).unwrap()];
    let forged = bodies.map(|body| NewRow { at: now(), client: String::new(), key: None, body });
    other.store().append("t", 0, forged.into()).await.unwrap();
    other.ask("t", ask("ann", 1, wish::join("Ann", 100_000))).await.unwrap();
    other.ask("t", ask("ann", 1, wish::talk("pass 10"))).await.unwrap();
    let before = rows(&other, "t").await;
    let refused = other.ask("t", roll(None)).await;
    assert!(matches!(&refused, Err(NotDone::Stopped(why)) if why.contains("committed")), "{refused:?}");
    assert_eq!(rows(&other, "t").await, before, "bets stay open");
    assert!(other.look("t", |live| live.is_open()).await.unwrap(), "everybody can see it");

    // The database of the version before, with another secret for the open hand.
    let old = place.folder.path().join("old.db");
    fs::copy(kept("live.db"), &old).unwrap();
    let store = Store::open(old.to_str().unwrap()).await.unwrap();
    store.replace_secret("practice-pa", 3, &[5; 32]).await.unwrap();
    let pit = Pit::new(store, Arc::clone(&LIBRARY));
    let before = rows(&pit, "practice-pa").await;
    let shooter = pit.look("practice-pa", |live| live.owner(1).unwrap().to_owned()).await.unwrap();
    for (seat, who) in
        [(1, shooter), (2, pit.look("practice-pa", |live| live.owner(2).unwrap().to_owned()).await.unwrap())]
    {
        let refused = pit.ask("practice-pa", ask(&who, seat, wish::plain("roll"))).await;
        assert!(refused.is_err(), "{refused:?}");
        if let Err(NotDone::Stopped(why)) = &refused {
            assert!(why.contains("hand 3"), "{why}");
        }
    }
    assert_eq!(rows(&pit, "practice-pa").await, before);
}

/// Restores a backup of a hand that goes on, with the sealing key or without it.
async fn restored(with_key: bool) -> (Place, Pit, usize) {
    let (place, copy) = (Place::new(), Place::new());
    let pit = place.pit().await;
    begun(&pit).await;
    let backup = copy.folder.path().join("backup");
    pit.store().backup(&backup, now()).await.unwrap();
    let before = rows(&pit, "t").await;
    // The hand ends here after the backup: its secret is public.
    go_on(&pit, |throws| throws == 0).await;
    let (store, _) = Store::restore(&copy.db, &backup).await.unwrap();
    assert_eq!(store.load("t", 0, u32::MAX).await.unwrap(), before);
    store.close().await;
    if with_key {
        fs::copy(place.folder.path().join("test.db.seal"), copy.folder.path().join("test.db.seal")).unwrap();
    }
    let again = copy.pit().await;
    again.look("t", |_| ()).await.unwrap();
    (copy, again, before.len())
}

#[tokio::test]
async fn a_restored_hand_gets_a_new_secret_before_the_next_roll() {
    for with_key in [true, false] {
        let (_place, pit, before) = restored(with_key).await;
        let now = rows(&pit, "t").await;
        let deeds: Vec<Deed<_>> = now[before..].iter().map(|row| told(row.clone()).unwrap().entry.did).collect();
        let [Deed::Retired { hand, why, secret }, Deed::Committed { hand: again, chain: Some(chain), .. }] = &deeds[..]
        else {
            panic!("{deeds:?}")
        };
        assert_eq!((hand, chain.place), (again, 1));
        assert_eq!(*why, if with_key { Retirement::Restored } else { Retirement::Lost });
        assert_eq!(secret.is_some(), with_key);
        assert_eq!(pit.look("t", |live| live.seed(1).map(str::to_owned)).await.unwrap(), None, "seeds begin anew");
        assert!(pit.look("t", |live| live.hand().unwrap().throws > 0).await.unwrap(), "the hand goes on");
        go_on(&pit, |throws| throws == 0).await;
        // A server that starts again changes nothing more.
        let log = rows(&pit, "t").await;
        let found = audited(&log);
        assert_eq!(found.findings, []);
        assert_eq!(found.unproven > 0, !with_key, "{found:?}");
        assert_eq!(found.derived + found.unproven, found.throws);
        assert_eq!(log.iter().filter(|row| row.body.contains("retired")).count(), 1);

        // The audit accepts exactly that.
        let forged = |change: &dyn Fn(&mut Vec<Row>)| {
            let mut rows = log.clone();
            change(&mut rows);
            let wrong = |what: &Wrong| matches!(what, Wrong::NotTheSecret { .. });
            audited(&rows).findings.iter().any(|finding| wrong(&finding.what))
        };
        assert!(!forged(&|_| ()));
        assert!(forged(&|rows| drop(rows.remove(before))), "a second commitment without a reason");
        assert!(forged(&|rows| drop(rows.remove(before + 1))), "no other secret");
        assert!(forged(&|rows| rows.swap(before, before + 1)));
        assert!(forged(&|rows| rows[before].body = rows[before].body.replace("\"hand\":", "\"hand\":9")));
        let other = "cd".repeat(32);
        if let Some(secret) = secret {
            assert!(forged(&|rows| rows[before].body = rows[before].body.replace(secret, &other)));
        }
        assert!(forged(&|rows| rows[before + 1].body = rows[before + 1].body.replace("\"place\":1,", "\"place\":2,")));
        close(pit).await;
    }
}

/// Bets that were closed when the backup was made are open again: whoever chose the new secret knew the seeds.
#[tokio::test]
async fn bets_that_were_closed_open_again_with_a_new_secret() {
    let place = Place::new();
    let pit = place.pit().await;
    begun(&pit).await;
    let _ = pit.ask("t", ask("ann", 1, wish::talk("pass 10"))).await;
    let closed = pit.look("t", |live| live.close(None).unwrap()).await.unwrap();
    close(pit).await;
    let store = Store::open(&place.db).await.unwrap();
    let entry: Entry = Entry::new(By::machine(), closed);
    let body = serde_json::to_string(&entry).unwrap();
    let head = store.head("t").await.unwrap().seq;
    store.append("t", head, vec![NewRow { at: now(), client: String::new(), key: None, body }]).await.unwrap();
    // A new epoch is what a restore begins.
    let text = fs::read_to_string(place.folder.path().join("test.db.seal")).unwrap();
    let key = SealKey::from_bytes(from_hex(text.trim().as_bytes()).try_into().unwrap());
    let seal = Seal::open(&store, key, true).await.unwrap();
    let pit = Pit::new(store, Arc::clone(&LIBRARY)).sealed(seal);
    assert!(pit.look("t", |live| live.is_open()).await.unwrap());
    let log = rows(&pit, "t").await;
    assert_eq!(log.len() as u64, head + 3);
    go_on(&pit, |throws| throws == 0).await;
    let found = audited(&rows(&pit, "t").await);
    assert_eq!((found.findings, found.unproven), (Vec::new(), 0));
}

#[tokio::test]
async fn players_set_seeds_that_everybody_sees() {
    let house = House::with_table(Crew::Automatic, DiceFrom::Secret).await;
    let (ann, bo) = (house.guest().await, house.guest().await);
    ann.sits("Ann", 1).await;
    bo.sits("Bo", 2).await;
    let answer = ann.does("/tables/t/seed", json!({ "seed": "lucky-7" })).await;
    assert_eq!(
        (&answer["rows"][0]["did"], &answer["rows"][0]["seed"]),
        (&json!("seeded"), &json!("lucky-7")),
        "{answer}"
    );
    let seeds =
        |view: &Value| view["seats"].as_array().unwrap().iter().map(|seat| seat["seed"].clone()).collect::<Vec<_>>();
    assert_eq!(seeds(&bo.sees("/tables/t").await), [json!("lucky-7"), Value::Null]);
    for wrong in ["", "two words", "n\u{f6}", &"x".repeat(65), "new\nline"] {
        let (status, problem) = bo.post("/tables/t/seed", json!({ "seed": wrong })).await;
        assert_eq!((status, &problem["refusal"]["code"]), (422, &json!("bad-seed")), "{wrong}: {problem}");
    }
    let (status, problem) = house.guest().await.post("/tables/t/seed", json!({ "seed": "x" })).await;
    assert!(status == 403 || status == 422, "{status} {problem}");
    // The log can't be filled with seeds.
    for number in 1..5 {
        ann.does("/tables/t/seed", json!({ "seed": format!("seed-{number}") })).await;
    }
    let (status, problem) = ann.post("/tables/t/seed", json!({ "seed": "x" })).await;
    assert_eq!((status, &problem["refusal"]["code"]), (422, &json!("too-many-seeds")), "{problem}");
    // A roll can bring a new seed, and all seeds that count are in the row that closes the bets.
    bo.does("/tables/t/seed", json!({ "seed": "bo" })).await;
    ann.says("pass 10").await;
    let rolled = ann.does("/tables/t/roll", json!({ "seed": "fresh" })).await;
    let expected = json!([{ "seat": 1, "seed": "fresh" }, { "seat": 2, "seed": "bo" }]);
    assert_eq!(rolled["rows"][0]["seeds"], expected, "{rolled}");
    ann.does("/tables/t/seed", json!({ "seed": "again" })).await;
    // Whoever leaves takes the seed away.
    let (status, _) = bo.delete("/tables/t/seats/2").await;
    assert_eq!(status, 200);
    assert_eq!(seeds(&ann.sees("/tables/t").await), [json!("again")]);
    let hands = ann.sees("/tables/t/hands").await;
    assert_eq!(hands["hands"][0]["throws"][0]["seeds"], expected, "{hands}");
}
