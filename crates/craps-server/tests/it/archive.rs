//! Old hands in archives: the file audits by itself, the rest of the log is audited and played on without it, and the rows can be put back.

use crate::house::{House, LIBRARY, Place, ask, wish};
use crate::long::played;
use craps_server::audit::archive::{NotOld, Old, old};
use craps_server::audit::{Audit, Audited, Auditor, PART, Report, Wrong};
use craps_server::live::pit::{Pit, now};
use craps_server::live::{Deed, MARK};
use craps_server::{App, router};
use craps_store::{HeadKey, Seal, Store, ToArchive, read_export};
use std::path::{Path, PathBuf};
use std::sync::Arc;

struct Archive {
    place: Place,
    key: HeadKey,
}

impl Archive {
    fn new() -> Archive {
        let place = Place::new();
        let key = HeadKey::open_or_create(&place.folder.path().join("key")).unwrap();
        Archive { place, key }
    }

    fn file(&self, name: &str) -> PathBuf {
        self.place.folder.path().join(name)
    }

    async fn old(&self, store: &Store, before: i64) -> Result<Old, NotOld> {
        old(store, &LIBRARY, &self.key.public(), "t", before, |_| ()).await
    }

    /// Moves all rows that are older than a time.
    async fn moved(&self, store: &Store, before: i64, to: &str) -> (Old, Seal) {
        let found = self.old(store, before).await.unwrap();
        let rows = ToArchive { table: "t", end: &found.end, state: &found.state };
        let seal = store.write_archive(&self.file(to), rows, &self.key, now(), |_| ()).await.unwrap();
        store.archive(&seal, &found.state, now()).await.unwrap();
        (found, seal)
    }

    fn read(&self, file: &Path) -> (Audited, u64) {
        let mut auditor = Auditor::new(&LIBRARY);
        let file = std::io::BufReader::new(std::fs::File::open(file).unwrap());
        let verified = read_export(file, &[], Some(&self.key.public()), |row| auditor.row(row)).unwrap();
        assert_eq!(verified.findings, []);
        auditor.sealed(&verified.seal.unwrap());
        (auditor.finish(), verified.rows)
    }
}

/// Audits a store with this number of threads.
async fn audited(store: &Store, key: &HeadKey, threads: usize) -> Report {
    let (store, key) = (store.clone(), key.public());
    let runtime = tokio::runtime::Handle::current();
    let audit = move || {
        let (key, library) = (Some(&key), &**LIBRARY);
        let part = if threads > 1 { MARK } else { PART };
        let audit = Audit { library, heads: &[], key, threads, part, since: None, progress: None };
        audit.of(&store, &runtime).unwrap()
    };
    tokio::task::spawn_blocking(audit).await.unwrap()
}

async fn state(pit: &Pit) -> String {
    pit.look("t", |live| live.mark().unwrap().0.body).await.unwrap()
}

fn house(pit: Pit) -> House {
    let app = Arc::new(App::new(pit, craps_server::people::Settings::default(), None));
    House { place: Place::new(), router: router(Arc::clone(&app)), app }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_plays_on_after_its_old_hands_left() {
    let archive = Archive::new();
    let pit = archive.place.pit().await;
    played(&pit, 2 * MARK + 300).await;
    let middle = pit.store().load("t", MARK + 300, 1).await.unwrap()[0].at;
    let (before, rows) = (state(&pit).await, pit.store().load("t", 0, 10_000).await.unwrap());
    let (found, seal) = archive.moved(pit.store(), middle, "first").await;
    assert!(found.end.seq <= MARK + 300 && found.rows > 100 && found.rows == found.end.seq - 1, "{found:?}");
    assert_eq!(found.end.hash, rows[usize::try_from(found.end.seq).unwrap() - 1].hash);
    // The running table doesn't notice. A server that reads it anew comes to the same state.
    pit.ask("t", ask("ann", 1, wish::talk("field 5"))).await.unwrap();
    let after = state(&pit).await;
    assert_ne!(after, before);
    pit.close().await;
    let other = archive.place.pit().await;
    assert_eq!(state(&other).await, after);
    let _ = other.ask("t", ask("ann", 1, wish::talk("pass 5"))).await;
    other.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    other.close().await;
    // Without any saved state, it begins at the end of the archive.
    let store = Store::open(&archive.place.db).await.unwrap();
    for seq in [MARK, 2 * MARK] {
        store.drop_mark("t", seq).await.unwrap();
    }
    let third = archive.place.pit().await;
    let _ = third.ask("t", ask("ann", 1, wish::talk("pass 5"))).await;
    third.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();

    for threads in [1, 2] {
        let Report { verified, audited, .. } = audited(third.store(), &archive.key, threads).await;
        assert_eq!((&verified.findings[..], &audited.findings[..]), (&[][..], &[][..]), "{threads} threads");
        assert_eq!((verified.archived, audited.archived), (0, found.rows), "{threads} threads");
    }
    let (file, rows) = archive.read(&archive.file("first"));
    assert_eq!((file.findings, rows, file.rows), (vec![], found.end.seq, found.end.seq));
    assert!(file.throws > 50 && file.derived == file.throws, "{} {}", file.throws, file.derived);

    // The next archive begins where the first one ends.
    let (next, second) = archive.moved(third.store(), i64::MAX, "second").await;
    assert_eq!((second.after, next.rows), (seal.end.seq, next.end.seq - seal.end.seq));
    let (file, rows) = archive.read(&archive.file("second"));
    assert_eq!((file.findings, rows), (vec![], next.rows));
    assert_eq!(audited(third.store(), &archive.key, 2).await.audited.findings, []);
    assert!(matches!(archive.old(third.store(), i64::MAX).await, Err(NotOld::Nothing(_))));
    assert!(matches!(archive.old(third.store(), 0).await, Err(NotOld::Nothing(_))));

    // Everything comes back, and all of it is audited again.
    let after = state(&third).await;
    for name in ["second", "first"] {
        third.store().put_back(&archive.file(name), Some(&archive.key.public()), now(), |_| ()).await.unwrap();
    }
    let Report { verified, audited, .. } = audited(third.store(), &archive.key, 2).await;
    assert_eq!((verified.findings, audited.findings, audited.archived), (vec![], vec![], 0));
    third.close().await;
    let last = archive.place.pit().await;
    assert_eq!(state(&last).await, after);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_server_says_what_is_in_an_archive() {
    let archive = Archive::new();
    let pit = archive.place.pit().await;
    played(&pit, MARK + 300).await;
    let late = pit.store().load("t", 600, 1).await.unwrap()[0].at;
    archive.moved(pit.store(), late, "file").await;
    pit.close().await;
    let house = house(archive.place.pit().await);
    let guest = house.guest().await;
    let rolls = guest.sees("/tables/t/rolls").await;
    let first = rolls["rolls"][0]["roll"].as_u64().unwrap();
    assert!(first > 1, "{first}");
    assert_eq!(guest.get("/tables/t/why/1/1").await.0, 404);
    let hands = guest.sees("/tables/t/hands").await;
    let hand = hands["hands"][0]["hand"].as_u64().unwrap();
    assert!(hand > 1, "{hand}");
    for path in ["/tables/t/cgn", "/tables/t/cgn?hand=1"] {
        let (status, body) = guest.get(path).await;
        assert_eq!((status, body["code"].as_str()), (410, Some("archived")), "{path}: {body}");
    }
    let (status, text) = guest.get(&format!("/tables/t/cgn?hand={}", hand + 2)).await;
    assert_eq!(status, 200, "{text}");
    // Histories are read past the archive.
    let history = guest.sees("/me/history").await;
    assert_eq!((history["complete"].as_bool(), history["count"].as_u64()), (Some(true), Some(0)), "{history}");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_with_a_finding_are_not_moved() {
    let archive = Archive::new();
    let pit = archive.place.pit().await;
    played(&pit, 400).await;
    pit.close().await;
    let store = Store::open(&archive.place.db).await.unwrap();
    assert!(matches!(archive.old(&store, i64::MIN).await, Err(NotOld::Nothing(_))));
    let missing = old(&store, &LIBRARY, &archive.key.public(), "nowhere", i64::MAX, |_| ()).await;
    assert!(matches!(missing, Err(NotOld::NoTable(_))));
    crate::long::run(&archive.place, "UPDATE log SET at = at + 1 WHERE table_id = 't' AND seq = 90").await;
    assert!(matches!(archive.old(&store, i64::MAX).await, Err(NotOld::Unsound(_))));
}

/// The state that an archive ends with has to follow from its rows, not only from its seal.
#[tokio::test(flavor = "multi_thread")]
async fn a_state_that_does_not_follow_is_found() {
    let archive = Archive::new();
    let pit = archive.place.pit().await;
    played(&pit, 400).await;
    let found = archive.old(pit.store(), i64::MAX).await.unwrap();
    // The operator has the key and seals another state.
    let state = found.state.replacen("came_in", "gone_in", 1);
    assert_ne!(state, found.state);
    let rows = ToArchive { table: "t", end: &found.end, state: &state };
    pit.store().write_archive(&archive.file("file"), rows, &archive.key, now(), |_| ()).await.unwrap();
    let (file, _) = archive.read(&archive.file("file"));
    assert!(matches!(file.findings[..], [ref one] if matches!(one.what, Wrong::NotTheState { .. })), "{file:?}");
    let rows = pit.rows("t", found.end.seq - 1, 1).await.unwrap();
    assert!(matches!(rows[0].entry.did, Deed::Revealed { .. }), "{:?}", rows[0].entry.did);
}
