//! Tests that rows can be moved to a sealed file and back, and that nothing gets lost or forged on the way.

use crate::support::{Ground, all, plain};
use craps_store::{
    ARCHIVE, Finding, HeadKey, PublicKey, Row, Seal, Store, StoreError, ToArchive, Verified, read_export,
};
use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};

on_both_databases! {
    rows_leave_and_come_back
    a_second_archive_goes_on_after_the_first
    a_move_that_was_interrupted_is_finished
    what_does_not_fit_is_found
    a_file_that_was_changed_is_not_put_back
    exports_and_backups_know_what_is_in_archives
}

const STATE: &str = "the state after the last row";

fn key(ground: &Ground) -> HeadKey {
    HeadKey::open_or_create(&ground.folder.path().join("store.key")).unwrap()
}

fn file(ground: &Ground, name: &str) -> PathBuf {
    ground.folder.path().join(name)
}

/// Opens a store with 20 rows at the table `north` and 5 at `south`.
async fn store(ground: &Ground) -> Store {
    let store = ground.open().await;
    for (table, rows) in [("north", 20), ("south", 5)] {
        store.append(table, 0, (1..=rows).map(|n| plain(&format!("{table} {n}"))).collect()).await.unwrap();
    }
    store
}

/// Moves the rows of a table up to this one.
async fn moved(store: &Store, key: &HeadKey, to: &Path, table: &str, last: u64) -> Seal {
    let end = store.load(table, last - 1, 1).await.unwrap()[0].head();
    let old = ToArchive { table, end: &end, state: STATE };
    let seal = store.write_archive(to, old, key, 7, |_| ()).await.unwrap();
    store.archive(&seal, STATE, 8).await.unwrap();
    seal
}

async fn numbers(store: &Store, table: &str) -> Vec<u64> {
    all(store, table).await.iter().map(|row| row.seq).collect()
}

fn read(from: &Path, trusted: Option<&PublicKey>) -> (Vec<Row>, Verified) {
    let mut rows = Vec::new();
    let file = BufReader::new(fs::File::open(from).unwrap());
    let verified = read_export(file, &[], trusted, |row| rows.push(row.clone())).unwrap();
    (rows, verified)
}

async fn findings(store: &Store, key: &HeadKey) -> Vec<Finding> {
    let whole = store.verify(&[], Some(&key.public())).await.unwrap().findings;
    let since = store.verify_since(&[], &key.public()).await.unwrap().findings;
    assert_eq!(whole.is_empty(), since.is_empty(), "{whole:?} {since:?}");
    whole
}

async fn rows_leave_and_come_back(ground: Ground) {
    let (store, key, to) = (store(&ground).await, key(&ground), file(&ground, "north.archive"));
    let before = all(&store, "north").await;
    // A head that was signed before the move, at a row that leaves.
    let head = key.sign(store.id(), "north", &before[3].head(), 1);
    let seal = moved(&store, &key, &to, "north", 12).await;
    assert!(seal.is_genuine());
    assert_eq!((seal.after, seal.end.clone(), seal.at), (0, before[11].head(), 7));
    assert_eq!(numbers(&store, "north").await, [vec![1], (13..=20).collect()].concat());
    assert_eq!(store.basis("north").await.unwrap().unwrap().seal, seal);
    assert_eq!(store.basis("south").await.unwrap(), None);
    let verified = store.verify(std::slice::from_ref(&head), Some(&key.public())).await.unwrap();
    assert_eq!((verified.findings, verified.archived), (vec![], 11));
    assert_eq!(store.verify_since(&[head], &key.public()).await.unwrap().findings, []);
    // The log goes on.
    store.append("north", 20, vec![plain("north 21")]).await.unwrap();
    store.sign_heads(&key, 9).await.unwrap();
    assert_eq!(findings(&store, &key).await, []);

    let (rows, verified) = read(&to, Some(&key.public()));
    assert_eq!((&rows[..], verified.findings, verified.seal), (&before[..12], vec![], Some(seal.clone())));
    assert_eq!(verified.heads, 1, "the head at the last row");
    let put_back = store.put_back(&to, Some(&key.public()), 10, |_| ()).await.unwrap();
    assert_eq!(put_back, seal);
    assert_eq!(all(&store, "north").await[..20], before[..]);
    assert_eq!(store.basis("north").await.unwrap(), None);
    assert_eq!(findings(&store, &key).await, []);
    let refused = store.put_back(&to, Some(&key.public()), 11, |_| ()).await.unwrap_err().to_string();
    assert!(refused.ends_with("no rows of the table north are in an archive"), "{refused}");
    // A table can be archived again.
    moved(&store, &key, &file(&ground, "again.archive"), "north", 15).await;
    assert_eq!(findings(&store, &key).await, []);
}

async fn a_second_archive_goes_on_after_the_first(ground: Ground) {
    let (store, key) = (store(&ground).await, key(&ground));
    let before = all(&store, "north").await;
    let (first, second) = (file(&ground, "first"), file(&ground, "second"));
    moved(&store, &key, &first, "north", 8).await;
    let seal = moved(&store, &key, &second, "north", 15).await;
    assert_eq!((seal.after, seal.end.seq), (8, 15));
    assert_eq!(numbers(&store, "north").await, [1, 16, 17, 18, 19, 20]);
    assert_eq!(findings(&store, &key).await, []);
    // The file has the row that opens the table and what the rows are based on.
    let (rows, verified) = read(&second, Some(&key.public()));
    assert_eq!((verified.findings, verified.rows), (vec![], 7));
    let places: Vec<(&str, u64)> = rows.iter().map(|row| (row.table.as_str(), row.seq)).collect();
    assert_eq!(places[..3], [(ARCHIVE, 1), ("north", 1), ("north", 9)]);
    let refused = store.put_back(&first, None, 1, |_| ()).await.unwrap_err().to_string();
    assert!(refused.ends_with("it is not the last archive of the table north, which has rows 9 to 15"), "{refused}");
    store.put_back(&second, None, 1, |_| ()).await.unwrap();
    assert_eq!(findings(&store, &key).await, []);
    store.put_back(&first, None, 2, |_| ()).await.unwrap();
    assert_eq!(all(&store, "north").await, before);
    assert_eq!(findings(&store, &key).await, []);
}

async fn a_move_that_was_interrupted_is_finished(ground: Ground) {
    let (store, key, to) = (store(&ground).await, key(&ground), file(&ground, "north.archive"));
    let end = store.load("north", 11, 1).await.unwrap()[0].head();
    let old = ToArchive { table: "north", end: &end, state: STATE };
    // A draft of an earlier try is in the way of nobody, but a finished file is.
    fs::write(ground.folder.path().join("north.archive.part"), "half a line").unwrap();
    let seal = store.write_archive(&to, old, &key, 7, |_| ()).await.unwrap();
    let again = store.write_archive(&to, old, &key, 7, |_| ()).await.unwrap_err().to_string();
    assert!(again.contains("never overwrites a file"), "{again}");
    // The file is there and nothing has moved yet.
    assert_eq!(findings(&store, &key).await, []);
    store.archive(&seal, STATE, 8).await.unwrap();
    // As if the process had ended before all rows were removed.
    let (rows, _) = read(&to, None);
    for row in &rows[7..] {
        let Row { seq, at, client, prev, hash, body, .. } = row;
        let sql =
            format!("INSERT INTO log VALUES ('north', {seq}, {at}, '{client}', NULL, '{prev}', '{hash}', '{body}')");
        ground.execute(Box::leak(sql.into_boxed_str())).await;
    }
    assert_eq!(numbers(&store, "north").await, [vec![1], (8..=20).collect()].concat());
    assert_eq!(findings(&store, &key).await, []);
    assert_eq!(store.clear_archived("north").await.unwrap(), 5);
    assert_eq!(store.clear_archived("north").await.unwrap(), 0);
    assert_eq!(store.clear_archived("south").await.unwrap(), 0);
    assert_eq!(numbers(&store, "north").await, [vec![1], (13..=20).collect()].concat());
}

async fn what_does_not_fit_is_found(ground: Ground) {
    let (store, key) = (store(&ground).await, key(&ground));
    moved(&store, &key, &file(&ground, "north.archive"), "north", 12).await;
    // A row after the archive is missing, too.
    ground.execute("DELETE FROM log WHERE table_id = 'north' AND seq = 13").await;
    assert_eq!(
        store.verify(&[], Some(&key.public())).await.unwrap().findings,
        [Finding::Gap { table: "north".to_owned(), from: 2, to: 13 }]
    );
    // Somebody without the key says that rows of the other table are in an archive.
    let other = HeadKey::open_or_create(&file(&ground, "other.key")).unwrap();
    let end = store.load("south", 2, 1).await.unwrap()[0].head();
    let old = ToArchive { table: "south", end: &end, state: STATE };
    let forged = store.write_archive(&file(&ground, "forged"), old, &other, 7, |_| ()).await.unwrap();
    store.archive(&forged, STATE, 8).await.unwrap();
    let found = store.verify_since(&[], &key.public()).await.unwrap().findings;
    let by_other = Finding::OtherKey { table: ARCHIVE.to_owned(), seq: 2, public_key: other.public() };
    assert!(found.contains(&by_other), "{found:?}");
    assert!(store.verify(&[], Some(&key.public())).await.unwrap().findings.contains(&by_other));
    // A state that isn't the sealed one makes the row unreadable.
    ground.execute("UPDATE log SET body = replace(body, 'the state', 'any state') WHERE table_id = '@archive'").await;
    assert!(matches!(store.basis("north").await, Err(StoreError::Changed { seq: 1, .. })));
    assert!(!store.verify(&[], None).await.unwrap().findings.is_empty());
}

async fn a_file_that_was_changed_is_not_put_back(ground: Ground) {
    let (store, key, to) = (store(&ground).await, key(&ground), file(&ground, "north.archive"));
    moved(&store, &key, &to, "north", 12).await;
    let before = all(&store, "north").await;
    let text = fs::read_to_string(&to).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let without = |line: usize| [&lines[..line], &lines[line + 1..]].concat().join("\n") + "\n";
    let last = lines.len() - 1;
    let wrong = [
        text.replace("north 5", "north x"),
        text.replacen("\"at\":7", "\"at\":6", 1),
        without(4),
        without(last),
        without(last - 1),
        lines[..last - 3].join("\n"),
        format!("{text}{}\n", lines[last]),
        String::new(),
    ];
    for (n, wrong) in wrong.iter().enumerate() {
        let changed = file(&ground, "changed");
        fs::write(&changed, wrong).unwrap();
        let refused = store.put_back(&changed, None, 9, |_| ()).await.map_err(|error| error.to_string());
        assert!(refused.is_err(), "{n}");
        assert_eq!(all(&store, "north").await, before, "{n}");
    }
    let other = HeadKey::open_or_create(&file(&ground, "other.key")).unwrap();
    assert!(store.put_back(&to, Some(&other.public()), 9, |_| ()).await.is_err(), "sealed with another key");
    store.put_back(&to, Some(&key.public()), 9, |_| ()).await.unwrap();
}

async fn exports_and_backups_know_what_is_in_archives(ground: Ground) {
    let (store, key, to) = (store(&ground).await, key(&ground), file(&ground, "north.archive"));
    moved(&store, &key, &to, "north", 12).await;
    for (table, rows) in [(None, 1 + 9 + 5), (Some("north"), 9), (Some("south"), 5)] {
        let mut text = Vec::new();
        store.export(table, &key, 9, &mut text).await.unwrap();
        let verified = read_export(&*text, &[], Some(&key.public()), |_| ()).unwrap();
        assert_eq!((verified.findings, verified.rows, verified.seal), (vec![], rows, None), "{table:?}");
    }
    let (copy, restored) = (file(&ground, "backup"), Ground::new(ground.kind).await);
    store.backup(&copy, 9).await.unwrap();
    let (second, _) = Store::restore(&restored.url, &copy).await.unwrap();
    assert_eq!(findings(&second, &key).await, []);
    second.put_back(&to, Some(&key.public()), 10, |_| ()).await.unwrap();
    assert_eq!(numbers(&second, "north").await, (1..=20).collect::<Vec<u64>>());
    // An archive is no backup.
    let third = Ground::new(ground.kind).await;
    let refused = Store::restore(&third.url, &to).await.unwrap_err().to_string();
    assert!(refused.contains("--put-back"), "{refused}");
}
