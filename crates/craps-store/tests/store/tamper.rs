//! Tests that every change to a log is detected. By default a sample of all bits is flipped; with BOXPERSON_TAMPER=all every bit.

use crate::heads::key;
use crate::support::{Ground, Kind, command, plain, run};
use craps_store::{Finding, Head, HeadKey, NewRow, Row, SignedHead, Verifier, read_export, verify_chain};
use sqlx::{Connection, SqliteConnection};
use std::collections::BTreeSet;

const ROWS: u64 = 1000;

fn new(at: u64) -> NewRow {
    let body = format!("{{\"do\":\"bet\",\"seat\":{},\"events\":[{{\"bet\":\"pass\",\"stake\":{}}}]}}", at % 8, at * 5);
    let new = command(&format!("client {}", at % 8), &format!("key {at}"), &body);
    // Some rows have no key.
    if at.is_multiple_of(10) { NewRow { key: None, ..new } } else { new }
}

/// Makes a log that continues from a head with these new rows.
fn follow(head: &Head, news: impl Iterator<Item = NewRow>) -> Vec<Row> {
    let mut head = head.clone();
    let row = |new| {
        let row = Row::follow("north", &head, new);
        head = row.head();
        row
    };
    news.map(row).collect()
}

/// Makes a log of a thousand rows, with two signed heads.
fn log() -> (Vec<Row>, Vec<SignedHead>, HeadKey) {
    let folder = tempfile::tempdir().unwrap();
    let key = key(folder.path());
    let rows = follow(&Head::default(), (1..=ROWS).map(new));
    let heads = [499, 999].map(|at: usize| key.sign("store", "north", &rows[at].head(), 0));
    assert_eq!(verify_chain(&rows, &heads), []);
    (rows, heads.into(), key)
}

fn every_bit() -> bool {
    std::env::var("BOXPERSON_TAMPER").is_ok_and(|value| value == "all")
}

/// Number of fields of a row. `field` returns them as bytes; a missing key is empty.
const FIELDS: usize = 8;

fn field(row: &Row, field: usize) -> Vec<u8> {
    match field {
        0 => row.table.clone().into(),
        1 => row.seq.to_be_bytes().into(),
        2 => row.at.to_be_bytes().into(),
        3 => row.client.clone().into(),
        4 => row.key.clone().unwrap_or_default().into(),
        5 => row.prev.clone().into(),
        6 => row.hash.clone().into(),
        _ => row.body.clone().into(),
    }
}

/// Returns the row with one field changed. `None` if the bytes are not valid text, which no database and no file can return.
fn with(row: &Row, field: usize, bytes: Vec<u8>) -> Option<Row> {
    let mut row = row.clone();
    if field == 1 {
        row.seq = u64::from_be_bytes(bytes.try_into().unwrap());
        return Some(row);
    }
    if field == 2 {
        row.at = i64::from_be_bytes(bytes.try_into().unwrap());
        return Some(row);
    }
    let text = String::from_utf8(bytes).ok()?;
    match field {
        0 => row.table = text,
        3 => row.client = text,
        4 => row.key = Some(text),
        5 => row.prev = text,
        6 => row.hash = text,
        _ => row.body = text,
    }
    Some(row)
}

/// Verifies the log with one row changed, starting at the row before it and stopping at the first problem. The rows before
/// are unchanged and already verified.
fn is_found(rows: &[Row], heads: &[SignedHead], at: usize, tampered: &Row) -> bool {
    let mut verifier = Verifier::new(None, None);
    verifier.resume("north", at.checked_sub(1).map(|before| rows[before].head()).unwrap_or_default());
    // Signatures are slow to check, so another test does that.
    if at >= rows.len() - 2 {
        heads.iter().for_each(|head| verifier.head(head));
    }
    verifier.row(tampered);
    for row in &rows[at + 1..] {
        if !verifier.findings().is_empty() {
            return true;
        }
        verifier.row(row);
    }
    !verifier.finish().findings.is_empty()
}

#[test]
fn no_bit_of_a_log_can_be_flipped_unseen() {
    let (rows, heads, _) = log();
    let (mut flips, mut unreadable, mut bit_number) = (0_u64, 0_u64, 0_u64);
    for (at, row) in rows.iter().enumerate() {
        for which in 0..FIELDS {
            let bytes = field(row, which);
            for bit in 0..bytes.len() * 8 {
                bit_number += 1;
                // The step is a prime, so that every field and every bit position is tested.
                if !every_bit() && bit_number % 97 != 0 {
                    continue;
                }
                let mut flipped = bytes.clone();
                flipped[bit / 8] ^= 1 << (bit % 8);
                flips += 1;
                match with(row, which, flipped) {
                    Some(tampered) => {
                        assert!(is_found(&rows, &heads, at, &tampered), "row {}, field {which}, bit {bit}", at + 1)
                    }
                    None => unreadable += 1,
                }
            }
        }
        // Also adds a key to a row without one, and removes a key.
        let key = if row.key.is_some() { None } else { Some(String::new()) };
        assert!(is_found(&rows, &heads, at, &Row { key, ..row.clone() }), "row {}", at + 1);
    }
    println!("{flips} of {bit_number} bits flipped, {unreadable} made a text unreadable");
    assert!(flips > 10_000 && unreadable > 1000);
}

#[test]
fn no_bit_of_an_exported_file_can_be_flipped_unseen() {
    run(Kind::Sqlite, async |ground: Ground| {
        let (store, key) = (ground.open().await, key(ground.folder.path()));
        store.append("north", 0, (1..=8).map(new).collect()).await.unwrap();
        let mut file = Vec::new();
        store.export(None, &key, 0, &mut file).await.unwrap();
        assert_eq!(read_export(file.as_slice(), &[], None, |_| ()).unwrap().findings, []);
        for bit in (0..file.len() * 8).step_by(if every_bit() { 1 } else { 7 }) {
            file[bit / 8] ^= 1 << (bit % 8);
            let found = read_export(file.as_slice(), &[], None, |_| ()).unwrap().findings;
            assert!(!found.is_empty(), "bit {bit}");
            file[bit / 8] ^= 1 << (bit % 8);
        }
    });
}

/// Does the same in the database itself, including bytes that are not valid text.
#[test]
fn a_bit_flipped_in_the_database_itself_is_seen() {
    run(Kind::Sqlite, async |ground: Ground| {
        let (store, key) = (ground.open().await, key(ground.folder.path()));
        store.append("north", 0, (1..=ROWS).map(new).collect()).await.unwrap();
        store.sign_heads(&key, 0).await.unwrap();
        assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
        let mut database = SqliteConnection::connect(&ground.url).await.unwrap();
        let rows = store.load("north", 0, u32::MAX).await.unwrap();
        let names = ["table_id", "seq", "at", "client", "key", "prev", "hash", "body"];
        let (mut flips, mut unreadable) = (0, 0);
        for (round, row) in rows.iter().enumerate().step_by(if every_bit() { 1 } else { 23 }) {
            let which = round % FIELDS;
            let mut bytes = field(row, which);
            if bytes.is_empty() {
                continue;
            }
            let (name, bit) = (names[which], round / FIELDS * 31 % (bytes.len() * 8));
            bytes[bit / 8] ^= 1 << (bit % 8);
            let number = |bytes: &[u8]| i64::from_be_bytes(bytes.try_into().unwrap());
            let set = |cast: &str| sqlx::AssertSqlSafe(format!("UPDATE log SET {name} = {cast} WHERE hash = $2"));
            let update = match which {
                1 | 2 => sqlx::query(set("$1")).bind(number(&bytes)),
                _ => sqlx::query(set("CAST($1 AS TEXT)")).bind(bytes),
            };
            match update.bind(&row.hash).execute(&mut database).await {
                Ok(done) => assert_eq!(done.rows_affected(), 1),
                // The database refuses the number or key of another row.
                Err(sqlx::Error::Database(error)) if error.is_unique_violation() => continue,
                Err(error) => panic!("{error}"),
            }
            let found = store.verify(&[], None).await.unwrap().findings;
            assert!(!found.is_empty(), "row {}, {name}, bit {bit}", row.seq);
            flips += 1;
            unreadable += u64::from(found.iter().any(|finding| matches!(finding, Finding::Unreadable { .. })));

            sqlx::query("DELETE FROM log WHERE rowid = $1")
                .bind(i64::try_from(row.seq).unwrap())
                .execute(&mut database)
                .await
                .unwrap();
            let back = "INSERT INTO log (rowid, table_id, seq, at, client, key, prev, hash, body) VALUES ($1, $2, $1, $3, $4, $5, $6, $7, $8)";
            let back =
                sqlx::query(back).bind(i64::try_from(row.seq).unwrap()).bind(&row.table).bind(row.at).bind(&row.client);
            back.bind(&row.key).bind(&row.prev).bind(&row.hash).bind(&row.body).execute(&mut database).await.unwrap();
        }
        assert!(flips > 30 && unreadable > 0, "{flips}, {unreadable}");
        assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
    });
}

#[test]
fn no_row_can_be_deleted_swapped_or_repeated_unseen() {
    let (rows, heads, _) = log();
    for at in (0..rows.len()).step_by(if every_bit() { 1 } else { 37 }) {
        let seq = at as u64 + 1;
        let mut deleted = rows.clone();
        deleted.remove(at);
        let found = verify_chain(&deleted, &heads);
        let gap = Finding::Gap { table: "north".into(), from: seq, to: seq };
        let cut = Finding::Truncated { table: "north".into(), signed: ROWS, end: ROWS - 1 };
        assert_eq!(found, [if seq == ROWS { cut } else { gap }]);

        let mut repeated = rows.clone();
        repeated.insert(at, rows[at].clone());
        assert!(verify_chain(&repeated, &heads).contains(&Finding::Repeated { table: "north".into(), seq }));

        let other = (at * 7 + 1) % rows.len();
        if other != at {
            let mut swapped = rows.clone();
            swapped.swap(at, other);
            assert!(!verify_chain(&swapped, &[]).is_empty(), "{at} and {other}");
            // Also when the two rows swap their numbers.
            (swapped[at].seq, swapped[other].seq) = (seq, other as u64 + 1);
            assert!(!verify_chain(&swapped, &[]).is_empty(), "{at} and {other}");
        }
    }
}

#[test]
fn a_row_that_was_changed_together_with_its_hash_is_betrayed_by_the_next() {
    let (rows, _, _) = log();
    for at in (0..rows.len() - 1).step_by(if every_bit() { 1 } else { 37 }) {
        let mut changed = rows.clone();
        changed[at].body = "{}".to_owned();
        changed[at].hash = changed[at].digest();
        let seq = rows[at + 1].seq;
        assert_eq!(verify_chain(&changed, &[]), [Finding::WrongPrev { table: "north".into(), seq }]);
    }
}

#[test]
fn no_log_can_be_truncated_unseen_by_those_who_hold_a_head() {
    let (rows, heads, _) = log();
    for length in (0..rows.len()).step_by(if every_bit() { 1 } else { 37 }).chain([998, 999]) {
        assert_eq!(verify_chain(&rows[..length], &[]), [], "without a signed head this can't be detected");
        let cut = Finding::Truncated { table: "north".into(), signed: ROWS, end: length as u64 };
        assert!(verify_chain(&rows[..length], &heads).contains(&cut), "{length}");
    }
}

#[test]
fn no_log_can_be_rewritten_unseen_by_those_who_hold_a_head() {
    let (rows, heads, key) = log();
    for from in (0..rows.len()).step_by(if every_bit() { 1 } else { 37 }).chain([499, 998, 999]) {
        let before = from.checked_sub(1).map(|before| rows[before].head()).unwrap_or_default();
        let news = (from as u64 + 1..=ROWS).map(new).enumerate();
        let news = news.map(|(at, new)| if at == 0 { NewRow { body: "{}".into(), ..new } } else { new });
        let rewritten = [&rows[..from], &follow(&before, news)].concat();
        assert_eq!(verify_chain(&rewritten, &[]), [], "all hashes were recomputed");
        let signed: Vec<u64> = [500, 1000].into_iter().filter(|seq| *seq > from as u64).collect();
        let expected: Vec<_> =
            signed.into_iter().map(|seq| Finding::Rewritten { table: "north".into(), seq }).collect();
        assert_eq!(verify_chain(&rewritten, &heads), expected);

        // Forged heads: not signed, or signed with another key.
        let mut forged = heads[1].clone();
        forged.hash = rewritten[999].hash.clone();
        assert_eq!(verify_chain(&rewritten, &[forged]), [Finding::BadSignature { table: "north".into(), seq: ROWS }]);
        let stranger = tempfile::tempdir().unwrap();
        let stranger = HeadKey::open_or_create(&stranger.path().join("key")).unwrap();
        let mut verifier = Verifier::new(Some("store"), Some(&key.public()));
        verifier.head(&stranger.sign("store", "north", &rewritten[999].head(), 0));
        assert!(matches!(verifier.findings(), [Finding::OtherKey { .. }]));
    }
}

#[test]
fn a_command_that_was_done_twice_is_found() {
    let twice = follow(&Head::default(), [new(1), plain("x"), new(1)].into_iter());
    let found: Vec<String> = verify_chain(&twice, &[]).iter().map(ToString::to_string).collect();
    assert_eq!(found, ["table north, row 3: the command \"key 1\" of \"client 1\" appears twice"]);
}

#[test]
fn the_same_command_at_two_tables_is_no_duplicate() {
    let rows = ["north", "south"].map(|table| Row::follow(table, &Head::default(), new(1)));
    assert_eq!(verify_chain(&rows, &[]), []);
}

#[test]
fn a_log_is_verified_further_from_a_head() {
    let (rows, heads, _) = log();
    let mut verifier = Verifier::new(None, None);
    verifier.resume("north", rows[499].head());
    // One head is signed at the very row from which the log goes on, the other at its end.
    heads.iter().for_each(|head| verifier.head(head));
    rows[500..].iter().for_each(|row| verifier.row(row));
    let verified = verifier.finish();
    assert_eq!((verified.rows, verified.heads, verified.findings), (500, 1, vec![]));
    assert_eq!(verified.ends["north"], rows[999].head());

    // Without any more rows, only the later head is missing its row.
    let mut verifier = Verifier::new(None, None);
    verifier.resume("north", rows[499].head());
    heads.iter().for_each(|head| verifier.head(head));
    let cut = Finding::Truncated { table: "north".into(), signed: ROWS, end: 500 };
    assert_eq!(verifier.finish().findings, [cut]);

    let mut verifier = Verifier::new(None, None);
    verifier.resume("north", rows[499].head());
    verifier.row(&rows[501]);
    assert_eq!(verifier.findings(), [Finding::Gap { table: "north".into(), from: 501, to: 501 }]);
}

#[test]
fn a_second_row_with_a_number_does_not_take_the_place_of_the_first() {
    let rows = follow(&Head::default(), (1..=2).map(new));
    let other = follow(&Head::default(), [plain("x")].into_iter());
    let found = verify_chain(&[&rows[..1], &other, &rows[1..]].concat(), &[]);
    assert_eq!(found, [Finding::Repeated { table: "north".into(), seq: 1 }]);
}

#[test]
fn the_largest_row_number_is_reported_and_not_counted_past() {
    let mut last = Row { seq: u64::MAX, ..Row::follow("north", &Head::default(), plain("x")) };
    last.hash = last.digest();
    let gap = Finding::Gap { table: "north".into(), from: 1, to: u64::MAX - 1 };
    let repeated = |seq| Finding::Repeated { table: "north".into(), seq };
    let first = Row::follow("north", &Head::default(), plain("x"));
    let found = verify_chain(&[last.clone(), last, first], &[]);
    assert_eq!(found, [gap, repeated(u64::MAX), repeated(1)]);
}

/// Checks that each kind of finding has a different message.
#[test]
fn findings_say_where_and_what() {
    let (table, seq) = (|| "north".to_owned(), 3);
    let folder = tempfile::tempdir().unwrap();
    let public_key = key(folder.path()).public();
    let findings = [
        Finding::Unreadable { place: "line 3".into(), why: "no text".into() },
        Finding::Gap { table: table(), from: 3, to: 3 },
        Finding::Gap { table: table(), from: 3, to: 5 },
        Finding::Repeated { table: table(), seq },
        Finding::WrongPrev { table: table(), seq },
        Finding::WrongHash { table: table(), seq },
        Finding::DuplicateKey { table: table(), seq, client: "ann".into(), key: "a".into() },
        Finding::BadSignature { table: table(), seq },
        Finding::OtherKey { table: table(), seq, public_key },
        Finding::OtherStore { table: table(), seq, store: "s".into() },
        Finding::Truncated { table: table(), signed: 5, end: 3 },
        Finding::Rewritten { table: table(), seq },
        Finding::Unfinished { why: "3 lines".into() },
    ];
    let said: BTreeSet<String> = findings.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), findings.len());
    assert!(said.iter().all(|said| said.contains('3')), "{said:?}");
    assert_eq!(findings[1].to_string(), "table north: row 3 is missing");
    assert_eq!(findings[2].to_string(), "table north: rows 3 to 5 are missing");
}
