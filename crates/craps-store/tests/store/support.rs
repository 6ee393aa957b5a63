//! Test support: a new store on one of the databases.

use craps_store::{AppendError, NewRow, Row, Store, testing};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use sqlx::{Connection, PgConnection, SqliteConnection};
use tempfile::TempDir;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Sqlite,
    Postgres,
}

/// A new database that is not open yet, and a folder for files.
pub struct Ground {
    pub kind: Kind,
    pub url: String,
    pub folder: TempDir,
}

impl Ground {
    pub async fn new(kind: Kind) -> Ground {
        let folder = tempfile::tempdir().unwrap();
        let url = match kind {
            Kind::Sqlite => format!("sqlite:{}", folder.path().join("store.db").display()),
            Kind::Postgres => testing::postgres_database().await,
        };
        Ground { kind, url, folder }
    }

    pub async fn open(&self) -> Store {
        Store::open(&self.url).await.unwrap()
    }

    /// Runs SQL on the database directly, without the store.
    pub async fn execute(&self, sql: &'static str) {
        match self.kind {
            Kind::Sqlite => {
                let mut database = SqliteConnection::connect(&self.url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut database).await.unwrap();
            }
            Kind::Postgres => {
                let mut database = PgConnection::connect(&self.url).await.unwrap();
                sqlx::raw_sql(sql).execute(&mut database).await.unwrap();
            }
        }
    }
}

/// Runs a test on a new database.
pub fn run(kind: Kind, test: impl AsyncFnOnce(Ground)) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(async { test(Ground::new(kind).await).await });
}

/// Turns each of these functions into a test on both databases.
macro_rules! on_both_databases {
    ($($test:ident)*) => {
        mod sqlite {
            $(#[test] fn $test() { crate::support::run(crate::support::Kind::Sqlite, super::$test); })*
        }
        mod postgres {
            $(#[test] fn $test() { crate::support::run(crate::support::Kind::Postgres, super::$test); })*
        }
    };
}

/// Makes a row without a key.
pub fn plain(body: &str) -> NewRow {
    NewRow { at: 1_700_000_000_000, client: "box".to_owned(), key: None, body: body.to_owned() }
}

/// Makes a row with a client's command.
pub fn command(client: &str, key: &str, body: &str) -> NewRow {
    NewRow { client: client.to_owned(), key: Some(key.to_owned()), ..plain(body) }
}

/// Appends a command at the current end of the log.
pub async fn append_somewhere(store: &Store, table: &str, new: NewRow) -> Result<Row, AppendError> {
    let mut expected = 0;
    loop {
        match store.append(table, expected, vec![new.clone()]).await {
            Ok(rows) => return Ok(rows[0].clone()),
            Err(AppendError::Conflict { head, .. }) => expected = head.seq,
            Err(error) => return Err(error),
        }
    }
}

/// Joins the lines of an export or a backup, and adds the last line with their number and hash.
pub fn sealed(lines: &[Value]) -> String {
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let sha256: String = Sha256::digest(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    let end = json!({ "line": "end", "lines": lines.len(), "sha256": sha256 });
    format!("{text}{end}\n")
}

/// Makes the first line of an export or a backup.
pub fn origin(format: u32) -> Value {
    json!({ "line": "store", "format": format, "store": "s", "at": 0 })
}

/// Returns all rows of a log.
pub async fn all(store: &Store, table: &str) -> Vec<Row> {
    store.load(table, 0, u32::MAX).await.unwrap()
}
