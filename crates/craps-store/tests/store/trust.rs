//! Tests that a store is only trusted as far as it agrees with what was signed before.

use crate::support::{Ground, Kind, all, plain, run};
use craps_store::{Finding, Head, HeadFile, HeadKey, SignedHead, Store};

on_both_databases! {
    only_what_came_since_the_last_signature_is_read_again
    a_log_that_was_changed_before_or_after_a_signature_is_found
    a_row_that_was_changed_is_not_read
    deleted_heads_do_not_help
    every_head_counts_when_two_disagree
    a_new_key_is_noticed_until_it_has_signed_itself
    a_log_that_grows_meanwhile_is_no_finding
}

fn rows(count: usize) -> Vec<craps_store::NewRow> {
    (0..count).map(|n| plain(&n.to_string())).collect()
}

fn key(ground: &Ground) -> HeadKey {
    HeadKey::open_or_create(&ground.folder.path().join("store.key")).unwrap()
}

async fn findings(store: &Store, kept: &[SignedHead], key: &HeadKey) -> Vec<Finding> {
    store.verify_since(kept, &key.public()).await.unwrap().findings
}

async fn only_what_came_since_the_last_signature_is_read_again(ground: Ground) {
    let (store, key) = (ground.open().await, key(&ground));
    store.append("north", 0, rows(10)).await.unwrap();
    store.append("south", 0, rows(5)).await.unwrap();
    let first = store.verify_since(&[], &key.public()).await.unwrap();
    assert_eq!((first.rows, first.findings.len(), first.ends["north"].seq), (15, 0, 10));
    for more in [0, 3] {
        if more > 0 {
            store.append("north", 10, rows(more)).await.unwrap();
        }
        let verified = store.verify_since(&[], &key.public()).await.unwrap();
        let signed = store.sign_ends(&key, verified.ends, 7).await.unwrap();
        assert_eq!(signed.len(), 2);
    }
    let again = store.verify_since(&[], &key.public()).await.unwrap();
    assert_eq!((again.rows, again.findings.len()), (0, 0));
    store.append("south", 5, rows(4000)).await.unwrap();
    let again = store.verify_since(&[], &key.public()).await.unwrap();
    assert_eq!((again.rows, again.findings.len(), again.ends["south"].seq), (4000, 0, 4005));
    // Of each log the last two heads are kept.
    for at in 0..5 {
        store.append("north", 13 + at, rows(1)).await.unwrap();
        store.sign_heads(&key, 8).await.unwrap();
    }
    let kept: Vec<u64> =
        store.signed_heads().await.unwrap().iter().filter(|head| head.table == "north").map(|head| head.seq).collect();
    assert_eq!(kept, [17, 18]);
    assert_eq!(store.check_integrity().await.unwrap(), []);
}

async fn a_log_that_was_changed_before_or_after_a_signature_is_found(ground: Ground) {
    let (store, key) = (ground.open().await, key(&ground));
    store.append("north", 0, rows(10)).await.unwrap();
    store.sign_heads(&key, 0).await.unwrap();
    store.append("north", 10, rows(10)).await.unwrap();
    assert_eq!(findings(&store, &[], &key).await, []);
    // After the signature: a row doesn't fit its hash.
    ground.execute("UPDATE log SET body = 'x' WHERE seq = 15").await;
    assert_eq!(findings(&store, &[], &key).await, [Finding::WrongHash { table: "north".to_owned(), seq: 15 }]);
    ground.execute("UPDATE log SET body = '4' WHERE seq = 15").await;
    assert_eq!(findings(&store, &[], &key).await, []);
    // A log that ends before its signature.
    ground
        .execute("DELETE FROM log WHERE seq > 8; UPDATE ends SET seq = 8, hash = (SELECT hash FROM log WHERE seq = 8)")
        .await;
    assert_eq!(
        findings(&store, &[], &key).await,
        [Finding::Truncated { table: "north".to_owned(), signed: 10, end: 8 }]
    );
    // A log that is gone.
    ground.execute("DELETE FROM log; DELETE FROM ends").await;
    assert_eq!(
        findings(&store, &[], &key).await,
        [Finding::Truncated { table: "north".to_owned(), signed: 10, end: 0 }]
    );
}

async fn a_row_that_was_changed_is_not_read(ground: Ground) {
    let (store, key) = (ground.open().await, key(&ground));
    let rows = (0..10).map(|n| crate::support::command("ann", &format!("k{n}"), &n.to_string())).collect();
    store.append("north", 0, rows).await.unwrap();
    store.sign_heads(&key, 0).await.unwrap();
    ground.execute("UPDATE log SET body = 'x' WHERE seq IN (4, 10)").await;
    for (after, read) in [(0, None), (3, None), (4, None), (9, None)] {
        let rows = store.load("north", after, 10).await;
        assert_eq!(rows.as_ref().ok().map(Vec::len), read, "after row {after}: {rows:?}");
    }
    assert_eq!(store.load("north", 4, 5).await.unwrap().len(), 5);
    assert_eq!(store.load_as_is("north", 0, 10).await.unwrap().len(), 10);
    let error = store.find("north", "ann", "k3").await.unwrap_err();
    assert_eq!(error.to_string(), "table north, row 4: was changed: its hash doesn't match");
    assert!(store.find("north", "ann", "k4").await.unwrap().is_some());
    // The signed row itself was changed, and its hash was left as it was. So the rows before it are verified, too.
    let at = |seq| ("north".to_owned(), seq);
    let ((table, seq), wrong) = (at(10), [4, 10].map(at).map(|(table, seq)| Finding::WrongHash { table, seq }));
    let expected = [vec![Finding::Rewritten { table, seq }], wrong.to_vec()].concat();
    assert_eq!(findings(&store, &[], &key).await, expected);
}

async fn deleted_heads_do_not_help(ground: Ground) {
    let (store, key) = (ground.open().await, key(&ground));
    let file = HeadFile::of_key(&ground.folder.path().join("store.key"));
    assert_eq!(file.read().unwrap(), []);
    store.append("north", 0, rows(10)).await.unwrap();
    store.append("south", 0, rows(2)).await.unwrap();
    file.keep(&store.sign_heads(&key, 0).await.unwrap()).unwrap();
    store.append("north", 10, rows(2)).await.unwrap();
    let north: Vec<SignedHead> =
        store.sign_heads(&key, 1).await.unwrap().into_iter().filter(|head| head.table == "north").collect();
    file.keep(&north).unwrap();
    let kept = file.read().unwrap();
    assert_eq!(
        kept.iter().map(|head| (head.table.as_str(), head.seq)).collect::<Vec<_>>(),
        [("north", 12), ("south", 2)]
    );
    assert_eq!(findings(&store, &kept, &key).await, []);

    // The whole log is written again, with hashes that fit, and the heads in the database are removed.
    let forged = Ground::new(ground.kind).await;
    let other = forged.open().await;
    other.append("north", 0, (0..12).map(|n| plain(&format!("forged {n}"))).collect()).await.unwrap();
    ground
        .execute(
            "DELETE FROM log WHERE table_id = 'north'; DELETE FROM ends WHERE table_id = 'north'; DELETE FROM heads",
        )
        .await;
    for row in all(&other, "north").await {
        let new = craps_store::NewRow { at: row.at, client: row.client, key: row.key, body: row.body };
        store.append("north", row.seq - 1, vec![new]).await.unwrap();
    }
    assert_eq!(findings(&store, &[], &key).await, [], "the database alone looks good");
    assert_eq!(findings(&store, &kept, &key).await, [Finding::Rewritten { table: "north".to_owned(), seq: 12 }]);

    std::fs::write(file.path(), "not a head").unwrap();
    assert!(file.read().unwrap_err().to_string().contains("store.key.heads"));
}

/// A head that somebody forged with the key must not hide the true one that a witness has.
async fn every_head_counts_when_two_disagree(ground: Ground) {
    let (store, key) = (ground.open().await, key(&ground));
    store.append("north", 0, rows(5)).await.unwrap();
    let kept = store.sign_heads(&key, 0).await.unwrap();
    let other = key.sign(store.id(), "north", &Head { seq: 5, hash: "ab".repeat(32) }, 0);
    for order in [[kept[0].clone(), other.clone()], [other, kept[0].clone()]] {
        let found = findings(&store, &order, &key).await;
        assert_eq!(found, [Finding::Rewritten { table: "north".into(), seq: 5 }]);
    }
}

async fn a_new_key_is_noticed_until_it_has_signed_itself(ground: Ground) {
    let (store, old) = (ground.open().await, key(&ground));
    store.append("north", 0, rows(3)).await.unwrap();
    store.sign_heads(&old, 0).await.unwrap();
    let new = HeadKey::open_or_create(&ground.folder.path().join("new.key")).unwrap();
    let found = findings(&store, &[], &new).await;
    let public_key = old.public();
    assert_eq!(found, [Finding::OtherKey { table: "north".to_owned(), seq: 3, public_key }]);
    store.sign_heads(&new, 1).await.unwrap();
    assert_eq!(findings(&store, &[], &new).await, []);
}

async fn a_log_that_grows_meanwhile_is_no_finding(ground: Ground) {
    let (store, key) = (ground.open().await, key(&ground));
    store.append("north", 0, rows(500)).await.unwrap();
    let over = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(false));
    let grows = tokio::spawn({
        let (store, over) = (store.clone(), std::sync::Arc::clone(&over));
        async move {
            let mut seq = 500;
            while !over.load(std::sync::atomic::Ordering::SeqCst) {
                seq = store.append("north", seq, rows(2)).await.unwrap().last().unwrap().seq;
            }
        }
    });
    for _ in 0..30 {
        assert_eq!(store.verify(&[], None).await.unwrap().findings, []);
        assert_eq!(findings(&store, &[], &key).await, []);
    }
    over.store(true, std::sync::atomic::Ordering::SeqCst);
    grows.await.unwrap();
}

/// A damaged file is found by the database's own check, even where the index still has the old value.
#[test]
fn a_row_that_differs_from_its_index_is_found() {
    run(Kind::Sqlite, async |ground: Ground| {
        let store = ground.open().await;
        store.append("north", 0, rows(3)).await.unwrap();
        store.close().await;
        let file = ground.folder.path().join("store.db");
        let mut bytes = std::fs::read(&file).unwrap();
        // The name of the log is in every row and in every index. Change it in one place at a time.
        let places: Vec<usize> = (0..bytes.len() - 5).filter(|at| &bytes[*at..at + 5] == b"north").collect();
        assert!(places.len() >= 6, "{}", places.len());
        for at in places {
            bytes[at] = b'N';
            std::fs::write(&file, &bytes).unwrap();
            let store = ground.open().await;
            let chain = store.verify(&[], None).await.map(|verified| verified.findings.len());
            let own = store.check_integrity().await.map(|found| found.len());
            assert!(!matches!((chain, own), (Ok(0), Ok(0))), "byte {at} was changed and nothing was found");
            store.close().await;
            bytes[at] = b'n';
        }
    });
}
