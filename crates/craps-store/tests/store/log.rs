//! Tests of append, load, find, head and tables, and of marks, cards and secrets.

use crate::support::{Ground, Kind, all, append_somewhere, command, plain, run};
use craps_store::{
    AppendError, BODY_MOST, Before, FaultKind, Finding, Head, Mark, NewRow, Part, Store, StoreError, TRAIL, ZEROS,
    is_table, testing,
};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

on_both_databases! {
    rows_are_chained_and_come_back_as_they_were_appended
    a_store_opened_again_is_the_same_store
    a_writer_that_is_behind_is_told_where_the_log_ends
    a_known_key_gives_the_row_it_made_even_to_those_who_are_behind
    one_refused_row_and_none_of_its_append_is_stored
    of_many_who_append_to_one_log_each_has_a_row_of_their_own
    appends_to_many_logs_do_not_spoil_each_other
    appends_one_after_the_other_need_not_wait_for_each_other
    logs_are_read_in_parts
    what_cannot_be_a_row_is_refused
    texts_come_back_letter_for_letter
    the_trail_of_people_is_a_log_but_no_table
    a_note_is_never_older_than_the_one_before
    a_mark_is_found_by_row_roll_and_hand_once_it_is_confirmed
    a_card_gives_way_to_later_ones_only
    rows_of_several_logs_are_stored_together_or_not_at_all
    an_end_that_is_not_the_last_row_is_found
    the_first_secret_of_a_hand_stays
    a_closed_store_says_so
    a_store_that_is_not_there_is_made_only_when_asked_for
    a_store_that_is_read_is_not_changed
    a_store_of_another_program_is_left_alone
}

async fn rows_are_chained_and_come_back_as_they_were_appended(ground: Ground) {
    let store = ground.open().await;
    assert_eq!(store.head("north").await.unwrap(), Head { seq: 0, hash: ZEROS.to_owned() });
    let first = store.append("north", 0, vec![plain("1"), command("ann", "a", "2")]).await.unwrap();
    let second = store.append("north", 2, vec![plain("3")]).await.unwrap();
    let rows = [first, second].concat();

    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(rows[0].prev, ZEROS);
    assert!(rows.windows(2).all(|pair| pair[1].prev == pair[0].hash));
    assert!(rows.iter().all(|row| row.table == "north" && row.hash == row.digest()));
    let NewRow { at, client, key, body } = command("ann", "a", "2");
    assert_eq!((rows[1].at, &rows[1].client, &rows[1].key, &rows[1].body), (at, &client, &key, &body));

    assert_eq!(all(&store, "north").await, rows);
    assert_eq!(store.head("north").await.unwrap(), rows[2].head());
    assert_eq!(store.find("north", "ann", "a").await.unwrap().as_ref(), Some(&rows[1]));
    assert_eq!(store.find("north", "ann", "b").await.unwrap(), None);
    assert_eq!(store.find("north", "box", "a").await.unwrap(), None);
    assert_eq!(store.find("south", "ann", "a").await.unwrap(), None);
    let verified = store.verify(&[], None).await.unwrap();
    assert_eq!((verified.rows, &verified.findings), (3, &vec![]));
}

async fn a_store_opened_again_is_the_same_store(ground: Ground) {
    let store = ground.open().await;
    let rows = store.append("north", 0, vec![plain("1")]).await.unwrap();
    store.close().await;
    let again = ground.open().await;
    assert_eq!(again.id(), store.id());
    assert_eq!(all(&again, "north").await, rows);
    assert_eq!(again.append("north", 1, vec![plain("2")]).await.unwrap()[0].prev, rows[0].hash);
    // A second store can be open at the same time.
    let beside = Store::open_existing(&ground.url).await.unwrap();
    assert_eq!((beside.id(), all(&beside, "north").await.len()), (store.id(), 2));
}

async fn a_writer_that_is_behind_is_told_where_the_log_ends(ground: Ground) {
    let store = ground.open().await;
    let rows = store.append("north", 0, vec![plain("1"), plain("2")]).await.unwrap();
    for expected in [0, 1, 3, u64::MAX] {
        let answer = store.append("north", expected, vec![plain("x")]).await;
        assert!(matches!(answer, Err(AppendError::Conflict { head, .. }) if head == rows[1].head()), "{expected}");
    }
    assert_eq!(all(&store, "north").await, rows);
}

async fn a_known_key_gives_the_row_it_made_even_to_those_who_are_behind(ground: Ground) {
    let store = ground.open().await;
    let made = store.append("north", 0, vec![command("ann", "a", "first")]).await.unwrap();
    store.append("north", 1, vec![plain("2")]).await.unwrap();
    for expected in [0, 1, 2] {
        let answer = store.append("north", expected, vec![command("ann", "a", "again")]).await;
        assert!(matches!(answer, Err(AppendError::Duplicate { row }) if *row == made[0]), "{expected}");
    }
    // The same key from another client, or at another table, is a different command.
    store.append("north", 2, vec![command("bob", "a", "x")]).await.unwrap();
    store.append("south", 0, vec![command("ann", "a", "x")]).await.unwrap();
    // Rows without a key never conflict.
    store.append("north", 3, vec![plain("x"), plain("x")]).await.unwrap();
}

async fn one_refused_row_and_none_of_its_append_is_stored(ground: Ground) {
    let store = ground.open().await;
    store.append("north", 0, vec![command("ann", "a", "1")]).await.unwrap();
    let answer = store.append("north", 1, vec![plain("2"), command("ann", "a", "3"), plain("4")]).await;
    assert!(matches!(answer, Err(AppendError::Duplicate { .. })));
    assert_eq!(store.head("north").await.unwrap().seq, 1);
}

async fn of_many_who_append_to_one_log_each_has_a_row_of_their_own(ground: Ground) {
    // Two stores share one database, like two nodes. SQLite allows this too.
    let stores = [ground.open().await, ground.open().await];
    let mut tasks = tokio::task::JoinSet::new();
    for client in 0..8 {
        let store = stores[client % 2].clone();
        tasks.spawn(async move {
            let mut rows = Vec::new();
            for at in 0..20 {
                let new = command(&format!("client {client}"), &at.to_string(), &format!("{client}.{at}"));
                rows.push(append_somewhere(&store, "north", new).await.unwrap());
            }
            rows
        });
    }
    let mut told: Vec<_> = tasks.join_all().await.concat();
    told.sort_by_key(|row| row.seq);
    assert_eq!(told, all(&stores[0], "north").await);
    assert_eq!(told.iter().map(|row| row.seq).collect::<Vec<_>>(), (1..=160).collect::<Vec<_>>());
    assert_eq!(stores[1].verify(&[], None).await.unwrap().findings, []);
}

async fn appends_to_many_logs_do_not_spoil_each_other(ground: Ground) {
    let store = ground.open().await;
    store.append("known", 0, vec![command("ann", "a", "1")]).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for table in 0..60 {
        let store = store.clone();
        tasks.spawn(async move {
            let name = format!("table {table}");
            match table % 3 {
                0 => {
                    assert!(matches!(store.append(&name, 7, vec![plain("x")]).await, Err(AppendError::Conflict { .. })))
                }
                1 => {
                    let known = store.append("known", 1, vec![command("ann", "a", "x")]).await;
                    assert!(matches!(known, Err(AppendError::Duplicate { .. })));
                }
                _ => drop(store.append(&name, 0, vec![plain("1"), plain("2"), plain("3")]).await.unwrap()),
            }
        });
    }
    tasks.join_all().await;
    let tables = store.tables().await.unwrap();
    assert_eq!(tables.len(), 21);
    assert!(tables.iter().all(|(name, head)| head.seq == if name == "known" { 1 } else { 3 }));
    assert!(tables.is_sorted_by_key(|(name, _)| name));
    assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
}

async fn appends_one_after_the_other_need_not_wait_for_each_other(ground: Ground) {
    let store = ground.open().await;
    let ask = |expected: u64, key: &str| store.append("north", expected, vec![command("ann", key, "x")]);
    let (a, b, again, late, c) = tokio::join!(ask(0, "a"), ask(1, "b"), ask(2, "a"), ask(0, "late"), ask(2, "c"));
    let (a, b, c) = (a.unwrap(), b.unwrap(), c.unwrap());
    assert_eq!([a[0].seq, b[0].seq, c[0].seq], [1, 2, 3]);
    assert!(matches!(again, Err(AppendError::Duplicate { row }) if *row == a[0]));
    assert!(matches!(late, Err(AppendError::Conflict { head, .. }) if head.seq == 2));
    assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
}

async fn logs_are_read_in_parts(ground: Ground) {
    let store = ground.open().await;
    // More than fits in one statement.
    let rows = store.append("north", 0, (0..203).map(|at| plain(&at.to_string())).collect()).await.unwrap();
    let (mut read, mut after) = (Vec::new(), 0);
    loop {
        let part = store.load("north", after, 50).await.unwrap();
        let Some(last) = part.last() else { break };
        after = last.seq;
        read.extend(part);
    }
    assert_eq!(read, rows);
    assert_eq!(store.load("north", u64::MAX, 1).await.unwrap(), []);
    assert_eq!(store.load("nowhere", 0, 1).await.unwrap(), []);
}

async fn what_cannot_be_a_row_is_refused(ground: Ground) {
    let store = ground.open().await;
    let long = "x".repeat(201);
    let cases: &[(&str, Vec<NewRow>, &str)] = &[
        ("", vec![plain("1")], "the name of a table must have 1 to 200 bytes, this one has 0"),
        (&long, vec![plain("1")], "the name of a table must have 1 to 200 bytes, this one has 201"),
        ("north", vec![], "an append needs at least one row"),
        (
            "north",
            vec![plain(&"x".repeat(BODY_MOST + 1))],
            "a row can have at most 1048576 bytes, this one has 1048577",
        ),
        ("north", vec![command("ann", "", "1")], "a key must have 1 to 200 bytes, this one has 0"),
        ("north", vec![plain("1"), command("ann", &long, "1")], "a key must have 1 to 200 bytes, this one has 201"),
        ("north", vec![command(&long, "a", "1")], "the name of a client must have at most 200 bytes, this one has 201"),
        (
            "north",
            vec![command("ann", "a", "1"), command("ann", "a", "2")],
            "two rows of one append can't have the same key",
        ),
        ("nor\0th", vec![plain("1")], "text can't contain the character NUL"),
        ("north", vec![plain("\0")], "text can't contain the character NUL"),
        ("north", vec![command("\0", "a", "1")], "text can't contain the character NUL"),
        ("north", vec![command("ann", "\0", "1")], "text can't contain the character NUL"),
    ];
    for (table, rows, why) in cases {
        let answer = store.append(table, 0, rows.clone()).await;
        assert!(matches!(&answer, Err(AppendError::Refused(said)) if said == why), "{why}: {answer:?}");
    }
    assert_eq!(store.tables().await.unwrap(), []);
}

async fn texts_come_back_letter_for_letter(ground: Ground) {
    let store = ground.open().await;
    // The longest name: 200 bytes.
    let long = "é\"".repeat(66) + "it";
    let texts = [" ", "it's $1 -- ;", "\u{1}\n\r\t\\", "🎲 ₀ \u{feff}", "null", "0x10", "1e5", &long];
    for text in texts {
        let body = text.repeat(BODY_MOST / long.len() / 2);
        let new = NewRow { at: i64::MIN, client: text.to_owned(), key: Some(text.to_owned()), body };
        let rows = store.append(text, 0, vec![new.clone()]).await.unwrap();
        assert_eq!((&rows[0].table, rows[0].at, &rows[0].body), (&new.client, i64::MIN, &new.body));
        assert_eq!(store.find(text, text, text).await.unwrap().as_ref(), rows.first(), "{text}");
    }
    store.append("north", 0, vec![NewRow { at: i64::MAX, client: String::new(), ..plain("") }]).await.unwrap();
    assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
}

async fn the_trail_of_people_is_a_log_but_no_table(ground: Ground) {
    let store = ground.open().await;
    store.append("north", 0, vec![plain("1")]).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for at in 0..5 {
        let store = store.clone();
        tasks.spawn(async move { store.note(TRAIL, at, "director", &format!("change {at}")).await.unwrap() });
    }
    let mut noted = tasks.join_all().await;
    noted.sort_by_key(|row| row.seq);
    assert_eq!(all(&store, TRAIL).await, noted);
    assert!(!is_table(TRAIL) && is_table("north"));
    assert_eq!(store.tables().await.unwrap().len(), 1);
    assert!(store.verify(&[], None).await.unwrap().ends.contains_key(TRAIL));
}

async fn a_mark_is_found_by_row_roll_and_hand_once_it_is_confirmed(ground: Ground) {
    let store = ground.open().await;
    let mark = |seq: u64| Mark {
        seq,
        rolls: seq / 10,
        hand: seq / 100,
        confirmed: Some(seq + 1),
        body: format!("after row {seq}"),
    };
    for seq in [2_000, 1_000, 3_000] {
        store.save_mark("north", &Mark { confirmed: None, ..mark(seq) }).await.unwrap();
    }
    assert_eq!(store.mark("north", Before::End).await.unwrap(), None);
    for seq in [1_000, 2_000] {
        store.confirm_mark("north", seq, seq + 1).await.unwrap();
    }
    let found = async |before: Before| store.mark("north", before).await.unwrap().map(|mark| mark.seq);
    assert_eq!(store.mark("north", Before::End).await.unwrap(), Some(mark(2_000)));
    assert_eq!((found(Before::Row(2_001)).await, found(Before::Row(2_000)).await), (Some(2_000), Some(1_000)));
    assert_eq!((found(Before::Roll(201)).await, found(Before::Roll(200)).await), (Some(2_000), Some(1_000)));
    assert_eq!((found(Before::Hand(21)).await, found(Before::Hand(20)).await), (Some(2_000), Some(1_000)));
    assert_eq!((found(Before::Hand(10)).await, found(Before::Row(1_000)).await), (None, None));
    assert_eq!(store.mark("south", Before::End).await.unwrap(), None);
    store.drop_mark("north", 2_000).await.unwrap();
    assert_eq!(found(Before::End).await, Some(1_000));
}

async fn a_card_gives_way_to_later_ones_only(ground: Ground) {
    let store = ground.open().await;
    assert_eq!(store.cards().await.unwrap(), []);
    for (seq, kept) in [(5, 5), (9, 9), (7, 9), (10, 10)] {
        store.save_cards(&[("north".to_owned(), seq, seq.to_string())]).await.unwrap();
        assert_eq!(store.cards().await.unwrap(), [("north".to_owned(), kept, kept.to_string())]);
    }
}

async fn the_first_secret_of_a_hand_stays(ground: Ground) {
    let (one, other) = (ground.open().await, ground.open().await);
    assert_eq!(one.secret("north", 1).await.unwrap(), None);
    assert_eq!(one.keep_secret("north", 1, &[0, 255, 10]).await.unwrap(), [0, 255, 10]);
    assert_eq!(other.keep_secret("north", 1, &[1, 2, 3]).await.unwrap(), [0, 255, 10]);
    assert_eq!(other.keep_secret("north", 2, &[1, 2, 3]).await.unwrap(), [1, 2, 3]);
    assert_eq!(other.keep_secret("south", 1, &[4]).await.unwrap(), [4]);
    assert_eq!(one.secret("north", 1).await.unwrap(), Some(vec![0, 255, 10]));
}

async fn a_closed_store_says_so(ground: Ground) {
    let store = ground.open().await;
    assert!(store.prove(0).await.is_ok());
    let mut news = store.subscribe();
    let under_way = tokio::spawn({
        let store = store.clone();
        async move { append_somewhere(&store, "north", plain("1")).await }
    });
    // Either it was in time and is stored, or it got an error.
    store.close().await;
    assert!(store.prove(0).await.is_err());
    let answer = under_way.await.unwrap();
    while news.next().await.is_some() {}
    assert!(store.subscribe().next().await.is_none());
    let late = store.append("north", 0, vec![plain("1")]).await;
    assert!(matches!(late, Err(AppendError::NotStored(why)) if why.kind == FaultKind::Closed));
    assert_eq!(all(&ground.open().await, "north").await.len(), usize::from(answer.is_ok()));
}

/// A moment in which nothing can be written must not outlast that moment.
async fn appends_go_on_after_the_disk_was_full(ground: Ground) {
    let store = ground.open().await;
    store.append("north", 0, vec![plain("1")]).await.unwrap();
    testing::fill_disk(&store).await;
    // Long rows, so that they need new space on the disk.
    let long = plain(&"x".repeat(100_000));
    let full = store.append_all(vec![part("south", 0, long.clone()), part("north", 1, long.clone())]).await;
    let Err(AppendError::NotStored(fault)) = full else { panic!("{full:?}") };
    assert_eq!(fault.kind, FaultKind::DiskFull, "{fault}");
    for seq in 1..5 {
        let rows = store.append("north", seq, vec![long.clone()]).await.unwrap();
        assert_eq!(rows[0].seq, seq + 1);
    }
    assert!(store.prove(1).await.is_ok());
    assert_eq!(store.head("south").await.unwrap().seq, 0);
    assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
}

fn part(table: &str, expected: u64, row: NewRow) -> Part {
    Part { table: table.to_owned(), expected, rows: vec![row] }
}

async fn rows_of_several_logs_are_stored_together_or_not_at_all(ground: Ground) {
    let (store, other) = (ground.open().await, ground.open().await);
    store.append("north", 0, vec![plain("1")]).await.unwrap();
    let stored = store.append_all(vec![part("@purse", 0, plain("a")), part("north", 1, plain("2"))]).await.unwrap();
    let places: Vec<(&str, u64)> = stored.iter().flatten().map(|row| (row.table.as_str(), row.seq)).collect();
    assert_eq!(places, [("@purse", 1), ("north", 2)]);

    let late = other.append_all(vec![part("@purse", 1, plain("b")), part("north", 1, plain("3"))]).await;
    assert!(matches!(late, Err(AppendError::Conflict { table, head }) if table == "north" && head.seq == 2));
    let again = vec![part("@purse", 1, command("ann", "k", "b")), part("south", 0, command("ann", "k", "c"))];
    other.append_all(again.clone()).await.unwrap();
    let again = other.append_all(again).await;
    assert!(matches!(again, Err(AppendError::Duplicate { row }) if row.table == "@purse" && row.seq == 2));
    for wrong in [vec![], vec![part("north", 2, plain("4")), part("north", 3, plain("5"))]] {
        assert!(matches!(store.append_all(wrong).await, Err(AppendError::Refused(_))));
    }
    let ends: Vec<(String, u64)> =
        store.tables().await.unwrap().into_iter().map(|(table, head)| (table, head.seq)).collect();
    assert_eq!(ends, [("north".to_owned(), 2), ("south".to_owned(), 1)]);
    assert_eq!(store.verify(&[], None).await.unwrap().findings, []);

    // Two nodes append to the same logs in different order.
    let mut tasks = tokio::task::JoinSet::new();
    for node in [store.clone(), other] {
        for names in [["east", "west"], ["west", "east"]] {
            let node = node.clone();
            tasks.spawn(async move {
                for _ in 0..25 {
                    loop {
                        let mut parts = Vec::new();
                        for name in names {
                            parts.push(part(name, node.head(name).await.unwrap().seq, plain("x")));
                        }
                        match node.append_all(parts).await {
                            Ok(_) => break,
                            Err(AppendError::Conflict { .. }) => {}
                            Err(error) => panic!("{error}"),
                        }
                    }
                }
            });
        }
    }
    tasks.join_all().await;
    for name in ["east", "west"] {
        assert_eq!(store.head(name).await.unwrap().seq, 100);
    }
    assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
}

async fn an_end_that_is_not_the_last_row_is_found(ground: Ground) {
    let store = ground.open().await;
    store.append("north", 0, vec![plain("1"), plain("2")]).await.unwrap();
    ground.execute("UPDATE ends SET seq = 1").await;
    let found = store.verify(&[], None).await.unwrap().findings;
    assert_eq!(found, [Finding::WrongEnd { table: "north".to_owned(), said: 1, end: 2 }]);
    // Nothing is overwritten.
    assert!(matches!(store.append("north", 1, vec![plain("3")]).await, Err(AppendError::NotStored(_))));
}

async fn a_store_of_another_program_is_left_alone(ground: Ground) {
    ground.open().await.close().await;
    ground.execute("UPDATE _sqlx_migrations SET version = 99 WHERE version = 3").await;
    let later = Store::open_existing(&ground.url).await.unwrap_err();
    assert!(later.to_string().starts_with("the store has schema version 99, expected "), "{later}");
    assert!(matches!(Store::open(&ground.url).await, Err(StoreError::Migrate(_))));
}

async fn a_store_that_is_not_there_is_made_only_when_asked_for(ground: Ground) {
    let absent = Store::open_existing(&ground.url).await.unwrap_err();
    assert!(matches!(absent, StoreError::NoStore | StoreError::File { .. }), "{absent}");
    let store = ground.open().await;
    assert_eq!(store.file().is_some(), ground.kind == Kind::Sqlite);
    store.prove(0).await.unwrap();
    for url in ["", "mysql://here/there", "sqlite::memory:", "postgres://a b/c"] {
        assert!(matches!(Store::open(url).await, Err(StoreError::Url { .. })), "{url}");
    }
    let secret = Store::open("mysql://ann:secret@here").await.unwrap_err().to_string();
    assert_eq!(secret, "\"here\" is not a database address: expected a file, sqlite:FILE or postgres://USER@HOST/NAME");
    let nowhere = Store::open("/nowhere/at/all.db").await.unwrap_err();
    assert!(nowhere.to_string().starts_with("/nowhere/at/all.db: "), "{nowhere}");
}

async fn a_store_that_is_read_is_not_changed(ground: Ground) {
    let absent = Store::open_to_read(&ground.url).await.unwrap_err();
    assert!(matches!(absent, StoreError::NoStore | StoreError::File { .. }), "{absent}");
    let store = ground.open().await;
    store.append("north", 0, vec![plain("1")]).await.unwrap();
    // While a writer is open, and after it is closed.
    for _ in 0..2 {
        let reader = Store::open_to_read(&ground.url).await.unwrap();
        assert_eq!((reader.id(), all(&reader, "north").await.len()), (store.id(), 1));
        assert_eq!(reader.verify(&[], None).await.unwrap().findings, []);
        let late = reader.append("north", 1, vec![plain("2")]).await.unwrap_err();
        assert!(matches!(&late, AppendError::NotStored(why) if why.kind == FaultKind::ReadOnly), "{late}");
        assert!(reader.people().add_account("Ann", "", 1).await.is_err());
        reader.close().await;
        store.close().await;
    }
    assert_eq!(all(&ground.open().await, "north").await.len(), 1);
}

/// The database contains the secrets of future rolls and password hashes.
#[tokio::test]
async fn a_database_file_is_its_owners_alone() {
    let ground = Ground::new(Kind::Sqlite).await;
    let file = ground.folder.path().join("store.db");
    let files = ["store.db", "store.db-wal", "store.db-shm"].map(|name| ground.folder.path().join(name));
    let mode = |file: &PathBuf| fs::metadata(file).unwrap().permissions().mode() & 0o777;
    let store = ground.open().await;
    store.append("north", 0, vec![plain("1")]).await.unwrap();
    assert_eq!(files.each_ref().map(mode), [0o600; 3]);
    // If others can read it, opening it for changes corrects the permissions.
    for file in &files {
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).unwrap();
    }
    Store::open_to_read(&ground.url).await.unwrap().close().await;
    assert_eq!(mode(&file), 0o644);
    Store::open_existing(&ground.url).await.unwrap().close().await;
    assert_eq!(files.each_ref().map(mode), [0o600; 3]);
}

#[tokio::test]
async fn a_database_at_rest_is_read_where_nothing_may_be_written() {
    let ground = Ground::new(Kind::Sqlite).await;
    let store = ground.open().await;
    store.append("north", 0, vec![plain("1")]).await.unwrap();
    store.close().await;
    // A read-only folder, where readers can't create their own file.
    fs::create_dir(ground.folder.path().join("store.db-wal")).unwrap();
    let reader = Store::open_to_read(&ground.url).await.unwrap();
    assert_eq!(all(&reader, "north").await.len(), 1);
}

/// The simulation found it: two nodes have two clocks, and a clock that was set back starts anew with the server.
async fn a_note_is_never_older_than_the_one_before(ground: Ground) {
    let store = ground.open().await;
    for (at, noted) in [(5_000, 5_000), (3_000, 5_000), (5_001, 5_001), (-1, 5_001)] {
        assert_eq!(store.note(TRAIL, at, "director", "x").await.unwrap().at, noted);
    }
}

/// The latest rows are in the file of the writer. Without it, a reader would see an old log.
#[tokio::test]
async fn a_database_is_not_read_without_its_latest_rows() {
    let ground = Ground::new(Kind::Sqlite).await;
    let store = ground.open().await;
    store.append("north", 0, vec![plain("1")]).await.unwrap();
    store.close().await;
    let store = ground.open().await;
    store.append("north", 1, vec![plain("2")]).await.unwrap();
    // A copy, as it is left when the writer is killed.
    let copy = ground.folder.path().join("copy");
    fs::create_dir(&copy).unwrap();
    for name in ["store.db", "store.db-wal"] {
        fs::copy(ground.folder.path().join(name), copy.join(name)).unwrap();
    }
    let url = copy.join("store.db").display().to_string();
    // Readers can't create their own file.
    let shared = copy.join("store.db-shm");
    std::os::unix::fs::symlink("nowhere", &shared).unwrap();
    assert!(matches!(Store::open_to_read(&url).await, Err(StoreError::File { .. })));
    fs::remove_file(&shared).unwrap();
    assert_eq!(all(&Store::open_to_read(&url).await.unwrap(), "north").await.len(), 2);
}

#[test]
fn a_full_disk_is_only_a_moment() {
    run(Kind::Sqlite, appends_go_on_after_the_disk_was_full);
}
