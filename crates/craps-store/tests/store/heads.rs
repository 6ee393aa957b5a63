//! Tests of the key, signed heads and exports.

use crate::support::{Ground, all, command, origin, plain, sealed};
use craps_store::{
    Finding, Head, HeadKey, PublicKey, Row, SignedHead, Store, StoreError, TRAIL, read_export, read_heads,
};
use serde_json::{Value, json};
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

on_both_databases! {
    signed_heads_are_genuine_and_kept
    heads_that_were_given_away_tell_of_truncation_and_rewriting
    an_export_stands_for_itself
    the_export_of_one_log_holds_no_other
}

pub fn key(folder: &Path) -> HeadKey {
    HeadKey::open_or_create(&folder.join("key")).unwrap()
}

/// Fills a store with two tables and a trail.
pub async fn seed(store: &Store) {
    store.append("north", 0, (0..5).map(|at| command("ann", &at.to_string(), "n")).collect()).await.unwrap();
    store.append("south", 0, vec![plain("s1"), plain("s2")]).await.unwrap();
    store.note(TRAIL, 7, "director", "opened").await.unwrap();
    store.keep_secret("north", 0, b"hush-hush").await.unwrap();
}

#[test]
fn the_key_is_made_once_for_its_owner_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = HeadKey::beside(&folder.path().join("tables.db"));
    assert_eq!(file.file_name().unwrap(), "tables.db.key");
    assert!(matches!(HeadKey::open(&file), Err(StoreError::File { .. })));
    let made = HeadKey::open_or_create(&file).unwrap().public();
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(HeadKey::open_or_create(&file).unwrap().public(), made);
    assert_eq!(made.to_string().parse::<PublicKey>().unwrap(), made);
    assert!("x".parse::<PublicKey>().is_err());
    let secret = fs::read_to_string(&file).unwrap();
    let shown = format!("{:?}", HeadKey::open(&file).unwrap());
    assert_eq!(shown, format!("HeadKey({made})"));
    assert!(!shown.contains(secret.trim()));

    fs::write(&file, "not a key").unwrap();
    let error = HeadKey::open_or_create(&file).unwrap_err().to_string();
    assert!(error.ends_with("tables.db.key: expected 64 lower-case hex digits"), "{error}");
    fs::write(&file, secret).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    let error = HeadKey::open(&file).unwrap_err().to_string();
    assert!(error.ends_with("other users can open it; expected permissions 600"), "{error}");
}

async fn signed_heads_are_genuine_and_kept(ground: Ground) {
    let (store, key) = (ground.open().await, key(ground.folder.path()));
    seed(&store).await;
    let signed = store.sign_heads(&key, 99).await.unwrap();
    let places: Vec<_> = signed.iter().map(|head| (head.table.as_str(), head.seq)).collect();
    assert_eq!(places, [(TRAIL, 1), ("north", 5), ("south", 2)]);
    assert!(signed.iter().all(|head| head.is_genuine() && head.store == store.id() && head.at == 99));
    assert_eq!(store.signed_heads().await.unwrap(), signed);
    // When the same head is signed again, the first signature stays.
    store.sign_heads(&key, 100).await.unwrap();
    assert_eq!(store.signed_heads().await.unwrap(), signed);

    let changes: [fn(&mut SignedHead); 6] = [
        |head| head.store.push('x'),
        |head| head.table.push('x'),
        |head| head.seq += 1,
        |head| head.hash = head.hash.replace(char::is_numeric, "a"),
        |head| head.at += 1,
        |head| head.signature = head.signature.to_uppercase(),
    ];
    for change in changes {
        let mut head = signed[1].clone();
        change(&mut head);
        assert!(!head.is_genuine(), "{head:?}");
    }
    let verified = store.verify(&signed, Some(&key.public())).await.unwrap();
    // Each head counts twice: the copy given and the copy in the database.
    assert_eq!((verified.heads, verified.findings), (6, vec![]));
}

async fn heads_that_were_given_away_tell_of_truncation_and_rewriting(ground: Ground) {
    let (store, key) = (ground.open().await, key(ground.folder.path()));
    seed(&store).await;
    let mut file = Vec::new();
    store.export_heads(&key, 99, &mut file).await.unwrap();
    let given = read_heads(file.as_slice()).unwrap();
    assert_eq!(given, store.signed_heads().await.unwrap());
    assert!(read_heads(&b"{}\n"[..]).unwrap_err().to_string().starts_with("line 1: expected a signed head"));

    // Another store with a different history, under the same name.
    let other = Ground::new(ground.kind).await;
    let forged = other.open().await;
    forged.append("north", 0, (0..4).map(|_| plain("other")).collect()).await.unwrap();
    forged.append("south", 0, (0..4).map(|_| plain("other")).collect()).await.unwrap();
    let findings =
        craps_store::verify_chain(&[all(&forged, "north").await, all(&forged, "south").await].concat(), &given);
    let expected = [
        Finding::Rewritten { table: "south".into(), seq: 2 },
        Finding::Truncated { table: TRAIL.into(), signed: 1, end: 0 },
        Finding::Truncated { table: "north".into(), signed: 5, end: 4 },
    ];
    assert_eq!(findings, expected);
    let mistaken = forged.verify(&given[..1], None).await.unwrap().findings;
    assert_eq!(mistaken, [Finding::OtherStore { table: TRAIL.into(), seq: 1, store: store.id().into() }]);
    let stranger = HeadKey::open_or_create(&ground.folder.path().join("other key")).unwrap().public();
    let distrusted = store.verify(&[], Some(&stranger)).await.unwrap().findings;
    assert!(distrusted.iter().all(|finding| matches!(finding, Finding::OtherKey { .. })) && distrusted.len() == 3);
}

async fn an_export_stands_for_itself(ground: Ground) {
    let (store, key) = (ground.open().await, key(ground.folder.path()));
    seed(&store).await;
    store.sign_heads(&key, 98).await.unwrap();
    store.append("south", 2, vec![plain("s3")]).await.unwrap();
    let mut file = Vec::new();
    store.export(None, &key, 99, &mut file).await.unwrap();
    let mut rows = Vec::new();
    let verified = read_export(file.as_slice(), &[], Some(&key.public()), |row| rows.push(row.clone())).unwrap();
    assert_eq!((verified.rows, verified.heads, &verified.findings), (9, 4, &vec![]));
    assert_eq!(rows, [all(&store, TRAIL).await, all(&store, "north").await, all(&store, "south").await].concat());
    assert_eq!(verified, store.verify(&[], None).await.unwrap());
    let text = String::from_utf8(file).unwrap();
    let secret: String = b"hush-hush".iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(!text.contains(&secret) && !text.contains("hush"));
    assert!(text.lines().all(|line| serde_json::from_str::<serde_json::Value>(line).is_ok()));
}

async fn the_export_of_one_log_holds_no_other(ground: Ground) {
    let (store, key) = (ground.open().await, key(ground.folder.path()));
    seed(&store).await;
    let mut file = Vec::new();
    store.export(Some("south"), &key, 99, &mut file).await.unwrap();
    let verified = read_export(file.as_slice(), &[], None, |row| assert_eq!(row.table, "south")).unwrap();
    assert_eq!((verified.rows, verified.heads, verified.findings), (2, 1, vec![]));
    assert!(!String::from_utf8(file).unwrap().contains("north"));
}

#[test]
fn of_those_who_start_together_one_makes_the_key_and_all_have_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("key");
    let start = std::sync::Barrier::new(8);
    let keys: Vec<_> = std::thread::scope(|scope| {
        let open = || {
            start.wait();
            HeadKey::open_or_create(&file).unwrap().public()
        };
        let nodes: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
        nodes.into_iter().map(|node| node.join().unwrap()).collect()
    });
    assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no other file is left");
}

#[test]
fn a_key_that_cannot_be_made_is_an_error_that_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let kind = |file: &Path| match HeadKey::open_or_create(file) {
        Err(StoreError::File { file: named, error }) if named == file => error.kind(),
        answer => panic!("{answer:?}"),
    };
    // A link to a file that doesn't exist takes the name of the key, so the key behind it is the one to use.
    let link = folder.path().join("link");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    assert_eq!(kind(&link), ErrorKind::NotFound);
    // The draft of a key has a longer name than the key.
    assert_eq!(kind(&folder.path().join("k".repeat(250))), ErrorKind::InvalidFilename);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no other file is left");
}

#[test]
fn the_lines_of_an_export_come_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let key = key(folder.path());
    let line = |kind: &str, of: Value| {
        let mut line = of;
        line["line"] = kind.into();
        line
    };
    let row = |table: &str| Row::follow(table, &Head::default(), plain("1"));
    let head = |table: &str| line("head", json!(key.sign("s", table, &row(table).head(), 0)));
    let row = |table: &str| line("row", json!(row(table)));
    let wrong = |line: u64, why: &str| Finding::Unreadable { place: format!("line {line}"), why: why.to_owned() };

    let (twice, format) = ("only the first line may name the store", "expected format 1");
    let (first, late) = ("expected the line that names the store", "a signed head comes after rows of its log");
    for (lines, rows, heads, findings) in [
        (vec![origin(1), head("north"), row("north"), head("south"), row("south")], 2, 2, vec![]),
        (vec![origin(1), head("north"), row("north"), origin(1)], 1, 1, vec![wrong(4, twice)]),
        (vec![origin(2), head("north"), row("north")], 1, 1, vec![wrong(1, format)]),
        (vec![head("north"), row("north")], 1, 0, vec![wrong(1, first)]),
        (vec![row("north"), origin(1)], 0, 0, vec![wrong(1, first), wrong(2, twice)]),
        (vec![origin(1), row("north"), head("north")], 1, 0, vec![wrong(3, late)]),
    ] {
        let mut read = 0;
        let verified = read_export(sealed(&lines).as_bytes(), &[], None, |_| read += 1).unwrap();
        let found = (verified.rows, verified.heads, verified.findings);
        assert_eq!((read, found), (rows, (rows, heads, findings)), "{lines:?}");
    }
    let after = format!("{}{}\n", sealed(&[origin(1)]), row("north"));
    let verified = read_export(after.as_bytes(), &[], None, |_| ()).unwrap();
    assert_eq!((verified.rows, verified.findings), (0, vec![wrong(3, "there are lines after the last line")]));
}
