//! Audits of a long log: in parts, by several threads, and from where an earlier audit ended.

#![allow(clippy::unwrap_used, reason = "a test that can't continue should stop there")]

use craps_crowd::long::{TABLE, play};
use craps_law::Library;
use craps_server::audit::{Audit, NotAudited, NotKept, Report, Trusted};
use craps_server::live::{MARK, Seal};
use craps_store::{Finding, SealKey, Store};
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use tempfile::TempDir;
use tokio::runtime::Runtime;

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

/// Number of rows in a part, and in the log.
const PART: u64 = 2 * MARK;
const ROWS: u64 = 3 * PART + 500;

/// A long log, and copies of it that tests change.
struct Logs {
    folder: TempDir,
    runtime: Runtime,
}

impl Logs {
    fn new() -> Logs {
        let (folder, runtime) = (tempfile::tempdir().unwrap(), Runtime::new().unwrap());
        runtime.block_on(async {
            let store = Store::open(folder.path().join("whole").to_str().unwrap()).await.unwrap();
            let key = SealKey::open_or_create(&folder.path().join("seal")).unwrap();
            let seal = Seal::open(&store, key, false).await.unwrap();
            play(&store, &LIBRARY, &seal, ROWS).await.unwrap();
            store.close().await;
        });
        Logs { folder, runtime }
    }

    fn whole(&self) -> PathBuf {
        self.folder.path().join("whole")
    }

    /// Makes a copy of the log and changes it.
    fn changed(&self, sql: &str) -> PathBuf {
        let file = self.folder.path().join("changed");
        for rest in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(format!("{}{rest}", file.display()));
        }
        std::fs::copy(self.whole(), &file).unwrap();
        self.runtime.block_on(async {
            let pool = SqlitePool::connect_with(SqliteConnectOptions::new().filename(&file)).await.unwrap();
            sqlx::raw_sql(sqlx::AssertSqlSafe(sql.to_owned())).execute(&pool).await.unwrap();
            pool.close().await;
        });
        file
    }

    /// Makes a copy of the log that ends earlier.
    fn until(&self, row: u64) -> PathBuf {
        self.changed(&format!(
            "DELETE FROM log WHERE seq > {row}; \
             UPDATE ends SET seq = {row}, hash = (SELECT hash FROM log WHERE seq = {row}) WHERE table_id = '{TABLE}'"
        ))
    }

    fn audit(&self, db: &Path, threads: usize, since: Option<&Trusted>) -> Result<Report, NotAudited> {
        let store = self.runtime.block_on(Store::open_to_read(db.to_str().unwrap())).unwrap();
        let audit = Audit { library: &LIBRARY, heads: &[], key: None, threads, part: PART, since, progress: None };
        let report = audit.of(&store, self.runtime.handle());
        self.runtime.block_on(store.close());
        report
    }

    fn row(&self, sql: &str) -> u64 {
        let pool = SqliteConnectOptions::new().filename(self.whole()).read_only(true);
        self.runtime.block_on(async {
            let pool = SqlitePool::connect_with(pool).await.unwrap();
            let row: i64 = sqlx::query_scalar(sqlx::AssertSqlSafe(sql.to_owned())).fetch_one(&pool).await.unwrap();
            pool.close().await;
            row.cast_unsigned()
        })
    }
}

fn is_clean(report: &Report) -> bool {
    report.audited.findings.is_empty() && report.verified.findings.is_empty()
}

#[test]
fn several_threads_find_what_one_finds_in_every_part_of_a_long_log() {
    let logs = Logs::new();
    let (one, three) = (logs.audit(&logs.whole(), 1, None).unwrap(), logs.audit(&logs.whole(), 3, None).unwrap());
    assert!(is_clean(&one), "{:?} {:?}", one.audited.findings.first(), one.verified.findings.first());
    assert_eq!((&one.audited, &one.verified, &one.trusted), (&three.audited, &three.verified, &three.trusted));
    assert_eq!(three.again, 0, "every part began where the part before arrived");
    assert!(one.audited.rows >= ROWS && one.audited.states >= ROWS / MARK && one.audited.derived > ROWS / 20);

    for part in 0..3 {
        let from = part * PART + MARK / 2;
        // A bet wins a cent more than it should.
        let won = logs.row(&format!(
            "SELECT min(seq) FROM log WHERE seq > {from} AND body LIKE '%\"thrown\"%' AND body LIKE '%\"paid\":1%'"
        ));
        let more = format!("UPDATE log SET body = replace(body, '\"paid\":1', '\"paid\":91') WHERE seq = {won}");
        // A row is earlier than the row before it.
        let closed = logs.row(&format!("SELECT min(seq) FROM log WHERE seq > {from} AND body LIKE '%\"closed\"%'"));
        let earlier = format!("UPDATE log SET at = at - 100000 WHERE seq = {closed}");
        // The digest of a state is another one.
        let marked = logs.row(&format!("SELECT min(seq) FROM log WHERE seq > {from} AND body LIKE '%\"marked\"%'"));
        let digest =
            format!("UPDATE log SET body = replace(body, '\"state\":\"', '\"state\":\"0') WHERE seq = {marked}");
        let file = logs.changed(&[more, earlier, digest].join("; "));
        let (one, three) = (logs.audit(&file, 1, None).unwrap(), logs.audit(&file, 3, None).unwrap());
        for row in [won, closed, marked] {
            assert!(one.audited.findings.iter().any(|found| found.row == row), "{row}: {:?}", one.audited.findings);
            let changed = Finding::WrongHash { table: TABLE.to_owned(), seq: row };
            assert!(one.verified.findings.contains(&changed), "{row}: {:?}", one.verified.findings);
        }
        assert_eq!((&one.audited, &one.verified), (&three.audited, &three.verified), "part {part}");
    }
}

#[test]
fn a_command_that_comes_twice_is_found_across_parts() {
    let logs = Logs::new();
    let keyed = |from: u64| logs.row(&format!("SELECT min(seq) FROM log WHERE seq > {from} AND key IS NOT NULL"));
    let (first, second) = (keyed(100), keyed(2 * PART + MARK));
    let sql = format!(
        "DROP INDEX log_by_key; UPDATE log SET key = (SELECT key FROM log WHERE seq = {first}), \
         client = (SELECT client FROM log WHERE seq = {first}) WHERE seq = {second}"
    );
    let file = logs.changed(&sql);
    for threads in [1, 3] {
        let findings = logs.audit(&file, threads, None).unwrap().verified.findings;
        let is_it = |finding: &Finding| matches!(finding, Finding::DuplicateKey { seq, .. } if *seq == second);
        assert!(findings.iter().any(is_it), "{threads}: {findings:?}");
    }
}

#[test]
fn an_audit_goes_on_where_an_earlier_one_ended_and_only_if_the_log_is_still_there() {
    let logs = Logs::new();
    let kept = {
        let short = logs.until(PART + 700);
        logs.audit(&short, 2, None).unwrap().trusted
    };
    let mut text = Vec::new();
    kept.write(&mut text).unwrap();
    assert_eq!(Trusted::read(&*text).unwrap(), kept, "the file has everything");
    let whole = logs.audit(&logs.whole(), 1, None).unwrap();
    for threads in [1, 3] {
        let since = logs.audit(&logs.whole(), threads, Some(&kept)).unwrap();
        assert!(is_clean(&since), "{:?} {:?}", since.audited.findings.first(), since.verified.findings.first());
        assert!((PART..=PART + 700).contains(&since.audited.trusted), "{}", since.audited.trusted);
        assert_eq!(since.audited.rows + since.audited.trusted, whole.audited.rows, "every row is looked at or counted");
        assert_eq!(since.trusted.store, whole.trusted.store);
    }

    // A change after that is found, and one long before it isn't looked at.
    let won = logs.row(&format!(
        "SELECT min(seq) FROM log WHERE seq > {} AND body LIKE '%\"thrown\"%' AND body LIKE '%\"paid\":1%'",
        2 * PART
    ));
    let file =
        logs.changed(&format!("UPDATE log SET body = replace(body, '\"paid\":1', '\"paid\":91') WHERE seq = {won}"));
    let found = logs.audit(&file, 3, Some(&kept)).unwrap().audited.findings;
    assert!(found.iter().any(|finding| finding.row == won), "{found:?}");
    let file = logs.changed("UPDATE log SET at = at + 1 WHERE seq = 50");
    assert!(is_clean(&logs.audit(&file, 2, Some(&kept)).unwrap()));
    assert!(!is_clean(&logs.audit(&file, 2, None).unwrap()));

    // The log isn't the one that was audited: what was trusted doesn't count, and everything is looked at.
    let file = logs.changed(&format!("UPDATE log SET hash = prev WHERE seq = {}", PART + 700));
    let other = logs.audit(&file, 2, Some(&kept)).unwrap();
    let rewritten = Finding::Rewritten { table: TABLE.to_owned(), seq: PART + 700 };
    assert!(other.verified.findings.contains(&rewritten), "{:?}", other.verified.findings);
    assert_eq!(other.audited.trusted, 0);
    let short = logs.until(PART);
    let cut = logs.audit(&short, 2, Some(&kept)).unwrap();
    let is_it = |finding: &Finding| matches!(finding, Finding::Truncated { .. });
    assert!(cut.verified.findings.iter().any(is_it), "{:?}", cut.verified.findings);

    let text = String::from_utf8(text).unwrap().replace(&format!("\"{}\"", kept.store), "\"another\"");
    let other = Trusted::read(text.as_bytes()).unwrap();
    let error = logs.audit(&logs.whole(), 1, Some(&other)).unwrap_err();
    assert!(matches!(error, NotAudited::Trusted(NotKept::OtherStore { .. })), "{error}");
}

#[test]
fn a_file_that_no_audit_wrote_is_refused_with_its_line() {
    let store = "{\"line\":\"audited\",\"format\":1,\"store\":\"s\"}\n";
    for (text, line) in
        [(String::new(), 1), ("{}".to_owned(), 1), (format!("{store}{store}"), 2), (format!("{store}x"), 2)]
    {
        let error = Trusted::read(text.as_bytes()).unwrap_err();
        assert!(matches!(error, NotKept::Malformed(found, _) if found == line), "{text}: {error}");
    }
}
