//! The differences between the two databases: how to open them, how a transaction begins, and how locks work.

use crate::disk::{Step, Through, Wired};
use crate::error::StoreError;
use crate::private::{beside, keep_database};
use crate::row::Row;
use sha2::{Digest, Sha256};
use sqlx::migrate::{Migration, MigrationType, Migrator};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};
use sqlx::{Postgres, SqlSafeStr, Sqlite};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

/// Schema migrations in order. A released migration never changes.
const MIGRATIONS: &[(i64, &str, &str)] = &[
    (1, "log", include_str!("../migrations/0001_log.sql")),
    (2, "people", include_str!("../migrations/0002_people.sql")),
    (3, "ends", include_str!("../migrations/0003_ends.sql")),
    (4, "marks", include_str!("../migrations/0004_marks.sql")),
    (5, "accounts", include_str!("../migrations/0005_accounts.sql")),
];

/// Number of reading connections, for both databases. SQLite can read while it writes. More readers than cores don't help.
const READERS: u32 = 8;
/// Cache size of SQLite's writer, and how much of the file is memory-mapped. The default cache of 2 MB holds only the indexes of a
/// short log; with a longer log every commit would be slower.
const CACHE_KIB: u32 = 64 * 1024;
const MAPPED: u32 = 1 << 30;
/// Number of batches that PostgreSQL commits at the same time. Each batch has its own tables.
pub(crate) const POSTGRES_WRITERS: usize = 2;
/// How long to wait for a connection, and for another program's lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// A connection pool for one of the two databases.
#[derive(Debug, Clone)]
pub(crate) enum Pool {
    Sqlite(Through<Sqlite>),
    Postgres(Through<Postgres>),
}

/// A transaction in one of the two databases.
pub(crate) enum Tx {
    Sqlite(Box<Wired<Sqlite>>),
    Postgres(Box<Wired<Postgres>>),
}

/// Runs the same code on either database. The SQL is the same, but sqlx has different types for them.
macro_rules! on {
    ($kind:ident, $either:expr, $one:ident => $code:expr) => {
        match $either {
            $crate::base::$kind::Sqlite($one) => $code,
            $crate::base::$kind::Postgres($one) => $code,
        }
    };
}
pub(crate) use on;

/// The columns of a row in the order of [`COLUMNS`].
pub(crate) type Columns = (String, i64, i64, String, Option<String>, String, String, String);
pub(crate) const COLUMNS: &str = "log.table_id, log.seq, log.at, log.client, log.key, log.prev, log.hash, log.body";

impl TryFrom<Columns> for Row {
    type Error = sqlx::Error;

    fn try_from((table, seq, at, client, key, prev, hash, body): Columns) -> Result<Row, sqlx::Error> {
        Ok(Row { table, seq: place(seq)?, at, client, key, prev, hash, body })
    }
}

/// Converts a row number from the database, which has only signed integers.
pub(crate) fn place(seq: i64) -> Result<u64, sqlx::Error> {
    u64::try_from(seq).map_err(|_| sqlx::Error::Decode(format!("{seq} is not a valid row number").into()))
}

/// Converts a row number for the database. A number that is too large becomes the maximum.
pub(crate) fn number(seq: u64) -> i64 {
    i64::try_from(seq).unwrap_or(i64::MAX)
}

/// Makes SQL placeholders: `($1, $2), ($3, $4)` …
pub(crate) fn placeholders(rows: usize, columns: usize) -> String {
    let row = |row: usize| {
        let places: Vec<String> = (1..=columns).map(|column| format!("${}", row * columns + column)).collect();
        format!("({})", places.join(", "))
    };
    (0..rows).map(row).collect::<Vec<_>>().join(", ")
}

/// An open database.
#[derive(Debug)]
pub(crate) struct Base {
    /// Pool for writing. SQLite has only one writer, so callers wait here for their turn.
    pub(crate) write: Pool,
    pub(crate) read: Pool,
    /// File of a SQLite database. `None` for PostgreSQL.
    pub(crate) file: Option<PathBuf>,
}

/// How a database is opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    /// Read and write. Creates the store if it doesn't exist.
    Create,
    /// Read and write. The store must exist.
    Change,
    /// Read only. The store must exist.
    Read,
}

impl Base {
    /// Connects to the database without checking its contents.
    pub(crate) async fn connect(url: &str, access: Access) -> Result<Base, StoreError> {
        if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            return Base::postgres(url, access).await;
        }
        let file = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).unwrap_or(url);
        if file.is_empty() || file.contains("://") || file == ":memory:" {
            return Err(StoreError::url(url));
        }
        Base::sqlite(Path::new(file), access).await
    }

    pub(crate) async fn open(url: &str, access: Access) -> Result<Base, StoreError> {
        let base = Base::connect(url, access).await?;
        match access {
            Access::Create => {
                let migrations = MIGRATIONS.iter().map(|(version, name, sql)| {
                    Migration::new(*version, (*name).into(), MigrationType::Simple, (*sql).into_sql_str(), false)
                });
                let migrator = Migrator::with_migrations(migrations.collect());
                on!(Pool, &base.write, pool => migrator.run(&**pool).await?);
            }
            Access::Change | Access::Read => base.check_form().await?,
        }
        Ok(base)
    }

    /// Checks that the database has a store with the schema version of this program.
    async fn check_form(&self) -> Result<(), StoreError> {
        let sql = "SELECT max(version) FROM _sqlx_migrations";
        let found: Result<Option<i64>, sqlx::Error> =
            on!(Pool, &self.write, pool => sqlx::query_scalar(sql).fetch_one(pool).await);
        let expected = MIGRATIONS.last().map(|(version, ..)| *version);
        match found {
            Ok(found) if found == expected => Ok(()),
            Ok(found) => Err(StoreError::Form { found: found.unwrap_or(0), expected: expected.unwrap_or(0) }),
            Err(sqlx::Error::Database(_)) => Err(StoreError::NoStore),
            Err(error) => Err(error.into()),
        }
    }

    async fn sqlite(file: &Path, access: Access) -> Result<Base, StoreError> {
        if access == Access::Create || access == Access::Change && file.exists() {
            keep_database(file).map_err(StoreError::file(file))?;
        }
        let options = SqliteConnectOptions::new().filename(file).busy_timeout(PATIENCE);
        let options = match access {
            Access::Read => options.read_only(true),
            // Every commit reaches the disk before it returns.
            _ => options.journal_mode(SqliteJournalMode::Wal).synchronous(SqliteSynchronous::Full),
        };
        let options = options.pragma("mmap_size", MAPPED.to_string());
        let pool = |most: u32| SqlitePoolOptions::new().max_connections(most).acquire_timeout(PATIENCE);
        let connect = async |options: SqliteConnectOptions| {
            let writer = options.clone().pragma("cache_size", format!("-{CACHE_KIB}"));
            let write = pool(1).connect_with(writer).await?;
            // SQLite opens the file only when the first query runs.
            sqlx::query("SELECT count(*) FROM sqlite_schema").execute(&write).await?;
            Ok((write, options))
        };
        let connected = match connect(options.clone()).await {
            // In a read-only folder SQLite can't create the file that readers use for locking. If no writer is active, it doesn't need it.
            Err(sqlx::Error::Database(_)) if access == Access::Read && !beside(file, "-wal").is_file() => {
                connect(options.immutable(true)).await
            }
            connected => connected,
        };
        let (write, options) = connected.map_err(|error| match error {
            // SQLite only says "unable to open database file", so the path is added.
            sqlx::Error::Database(error) => {
                StoreError::File { file: file.to_owned(), error: std::io::Error::other(error) }
            }
            error => error.into(),
        })?;
        let read = pool(READERS).connect_lazy_with(options);
        let (write, read) = (Through::writing(write), Through::reading(read));
        Ok(Base { write: Pool::Sqlite(write), read: Pool::Sqlite(read), file: Some(file.to_owned()) })
    }

    async fn postgres(url: &str, access: Access) -> Result<Base, StoreError> {
        check_tls(url)?;
        let options = PgConnectOptions::from_str(url)
            .map_err(|_| StoreError::url(url))?
            .application_name("boxperson")
            // Some servers are configured to answer before data is on disk. We always need it on disk.
            .options([("synchronous_commit", "on")])
            // All queries are short. Compiling one takes longer than running it.
            .options([("jit", "off")])
            .options((access == Access::Read).then_some(("default_transaction_read_only", "on")));
        let pool = |most: u32| PgPoolOptions::new().max_connections(most).acquire_timeout(PATIENCE);
        let writers = u32::try_from(POSTGRES_WRITERS).unwrap_or(u32::MAX);
        // A query plan that was made for a small log must not scan a large one. Writers only look up single rows.
        let lookups = [("enable_seqscan", "off"), ("enable_hashjoin", "off"), ("enable_mergejoin", "off")];
        let write = pool(writers + 2).connect_with(options.clone().options(lookups)).await?;
        let read = pool(READERS).connect_lazy_with(options);
        let (write, read) = (Through::writing(write), Through::reading(read));
        Ok(Base { write: Pool::Postgres(write), read: Pool::Postgres(read), file: None })
    }

    /// Begins a transaction that has the exclusive right to change these logs.
    pub(crate) async fn begin_write(&self, tables: impl Iterator<Item = &str>) -> Result<Tx, sqlx::Error> {
        match &self.write {
            Pool::Sqlite(pool) => {
                Ok(Tx::Sqlite(Box::new(Wired::<Sqlite>::begin(pool, Step::Begin, "BEGIN IMMEDIATE").await?)))
            }
            Pool::Postgres(pool) => {
                let mut locks: Vec<i64> = tables.map(lock).collect();
                // Locks are always taken in the same order, which prevents deadlocks.
                locks.sort_unstable();
                locks.dedup();
                let mut tx = Wired::<Postgres>::begin(pool, Step::Begin, "BEGIN").await?;
                let lock = "SELECT pg_advisory_xact_lock(lock) FROM unnest($1) AS lock";
                sqlx::query(lock).bind(locks).execute(&mut tx).await?;
                Ok(Tx::Postgres(Box::new(tx)))
            }
        }
    }

    /// Begins a transaction that sees a consistent snapshot of the whole database.
    pub(crate) async fn begin_read(&self) -> Result<Tx, sqlx::Error> {
        match &self.read {
            Pool::Sqlite(pool) => {
                Ok(Tx::Sqlite(Box::new(Wired::<Sqlite>::begin(pool, Step::BeginRead, "BEGIN").await?)))
            }
            Pool::Postgres(pool) => {
                let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
                Ok(Tx::Postgres(Box::new(Wired::<Postgres>::begin(pool, Step::BeginRead, begin).await?)))
            }
        }
    }
}

impl Tx {
    pub(crate) async fn commit(self) -> Result<(), sqlx::Error> {
        on!(Tx, self, tx => tx.end(Step::Commit, "COMMIT").await)
    }

    /// Ends a transaction that changed nothing, so that its connection can be used again.
    pub(crate) async fn leave(self) -> Result<(), sqlx::Error> {
        on!(Tx, self, tx => tx.end(Step::Rollback, "ROLLBACK").await)
    }
}

/// The names of `sslmode` that compare the server's certificate with the roots.
const VERIFYING: [&str; 2] = ["verify-full", "verify-ca"];

/// Checks what a URL of PostgreSQL says about TLS. A root certificate that is never looked at would only seem to be safe.
fn check_tls(url: &str) -> Result<(), StoreError> {
    let query = url.split_once('?').map(|(_, query)| query).unwrap_or_default();
    let said = |names: &[&str]| {
        let mut pairs = query.split('&').filter_map(|part| part.split_once('='));
        pairs.find(|(name, _)| names.contains(name)).map(|(_, value)| value)
    };
    let mode = said(&["sslmode", "ssl-mode"]);
    let known = |mode: &str| VERIFYING.contains(&mode) || ["disable", "allow", "prefer", "require"].contains(&mode);
    if let Some(mode) = mode.filter(|mode| !known(mode)) {
        let expected = "expected verify-full, verify-ca, require, prefer, allow or disable";
        return Err(StoreError::Tls(format!("sslmode: {expected}, found {mode:?}")));
    }
    let roots = said(&["sslrootcert", "ssl-root-cert", "ssl-ca"]);
    match roots.is_some() && !mode.is_some_and(|mode| VERIFYING.contains(&mode)) {
        true => Err(StoreError::Tls("sslrootcert counts only with sslmode=verify-full or verify-ca".to_owned())),
        false => Ok(()),
    }
}

/// Returns the number of the PostgreSQL lock for a log. If two logs share a number, they only wait for each other.
fn lock(table: &str) -> i64 {
    let digest = Sha256::digest(table);
    digest.first_chunk().map_or(0, |first| i64::from_be_bytes(*first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_root_certificate_needs_a_mode_that_looks_at_it() {
        let refused = |query: &str| check_tls(&format!("postgres://box@db/box{query}")).err().map(|e| e.to_string());
        for good in
            ["", "?sslmode=require", "?sslmode=verify-full&sslrootcert=/ca.pem", "?ssl-root-cert=ca&sslmode=verify-ca"]
        {
            assert_eq!(refused(good), None, "{good}");
        }
        for ignored in ["?sslrootcert=/ca.pem", "?sslmode=require&ssl-ca=ca", "?ssl-root-cert=ca&sslmode=prefer"] {
            assert!(refused(ignored).unwrap().contains("sslrootcert counts only with"), "{ignored}");
        }
        assert!(refused("?sslmode=verify_full").unwrap().contains("sslmode: expected verify-full"));
    }

    #[test]
    fn each_log_has_a_lock_of_its_own() {
        // The numbers must stay the same: nodes of different versions can share a database.
        assert_eq!(lock("north"), -2_578_769_859_280_307_487);
        assert_eq!(lock("south"), 3_290_597_826_813_216_323);
        assert_eq!(lock(""), -2_039_914_840_885_289_964);
    }
}
