//! The store: logs and secrets.

use crate::append::{Ask, Part, write};
use crate::base::{Access, Base, COLUMNS, Columns, POSTGRES_WRITERS, Pool, number, on, place};
use crate::chain::{Finding, Verified, Verifier};
use crate::error::{AppendError, StoreError};
use crate::fault::{Fault, FaultKind};
use crate::find::{Seek, find};
use crate::heads::{PublicKey, SignedHead};
use crate::people::{People, new_id};
use crate::row::{Head, NewRow, Row, hex, unhex};
use crate::stream::{Herald, Subscription};
use futures_util::TryStreamExt;
use sqlx::{AssertSqlSafe, FromRow, Row as _};
use std::collections::{BTreeMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;
use tokio::sync::{mpsc, oneshot};
use tokio::task::{JoinHandle, JoinSet};
use tracing::Span;

/// Name of the log of changes to the records of people. It is chained, signed and exported like the log of a table.
pub const TRAIL: &str = "@people";

/// Name of the log of what happened to the server itself, such as a jump of its clock.
pub const SERVER: &str = "@server";

/// Maximum number of appends in the queue of one writer. Further callers wait until there is room.
const QUEUE: usize = 4096;
/// Maximum length of the body of a row, in bytes.
pub const BODY_MOST: usize = 1 << 20;
/// Maximum length of a table name, a client name and a key, in bytes. They share one index.
const NAME_MOST: usize = 200;

/// Reads the end of every log.
const ENDS: &str = "SELECT table_id, seq, hash FROM ends";

/// How far a log goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// Name of the log.
    pub table: String,
    /// The end of the log as the database has noted it. None if it hasn't.
    pub said: Option<Head>,
    /// Number of the last row, or 0 if there is none.
    pub last: u64,
}

/// A row with its number, or a row that can't be read.
pub type Found = (Option<u64>, Result<Row, Finding>);

/// Reads a row, or says where a row is that can't be read.
macro_rules! readable {
    ($found:expr) => {
        Columns::from_row($found).and_then(Row::try_from).map_err(|error| {
            let table = $found.try_get(0).unwrap_or("?");
            let seq = $found.try_get(1).map_or("?".to_owned(), |seq: i64| seq.to_string());
            Finding::Unreadable { place: format!("table {table}, row {seq}"), why: error.to_string() }
        })
    };
}

/// Returns true for the log of a table, and false for a log of the store itself.
pub fn is_table(name: &str) -> bool {
    !name.starts_with('@')
}

/// A handle to a store. Clones share the same store.
#[derive(Debug, Clone)]
pub struct Store(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    id: String,
    base: Arc<Base>,
    open: Mutex<Option<Open>>,
}

/// The parts that exist until the store is closed.
#[derive(Debug)]
struct Open {
    queues: Vec<mpsc::Sender<Ask>>,
    seeks: mpsc::Sender<Seek>,
    writers: Vec<JoinHandle<()>>,
    herald: Herald,
    /// Listens to other nodes and finds rows. Stops when this struct is dropped.
    _listener: JoinSet<()>,
}

impl Store {
    /// Opens a store, or creates it: a SQLite file (its path, or `sqlite:PATH`) or a PostgreSQL database
    /// (`postgres://USER@HOST/NAME`, which must exist).
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use craps_store::Store;
    /// let store = Store::open(url).await?;
    /// assert_eq!(store.file(), Some(file.as_path()));
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn open(url: &str) -> Result<Store, StoreError> {
        Store::on(Base::open(url, Access::Create).await?).await
    }

    /// Opens an existing store without migrating its schema.
    pub async fn open_existing(url: &str) -> Result<Store, StoreError> {
        Store::on(Base::open(url, Access::Change).await?).await
    }

    /// Opens an existing store in read-only mode, which the database enforces.
    pub async fn open_to_read(url: &str) -> Result<Store, StoreError> {
        Store::on(Base::open(url, Access::Read).await?).await
    }

    pub(crate) async fn on(base: Base) -> Result<Store, StoreError> {
        let read = "SELECT id FROM store";
        let known: Option<String> =
            on!(Pool, &base.write, pool => sqlx::query_scalar(read).fetch_optional(pool).await?);
        let id = match known {
            Some(id) => id,
            None => {
                // If several nodes start together, the first one sets the id of the store.
                let name = "INSERT INTO store (one, id) VALUES (1, $1) ON CONFLICT DO NOTHING";
                let id = new_id()?;
                on!(Pool, &base.write, pool => { sqlx::query(name).bind(id).execute(pool).await?; });
                on!(Pool, &base.write, pool => sqlx::query_scalar(read).fetch_one(pool).await?)
            }
        };
        let (base, herald) = (Arc::new(base), Herald::new(new_id()?));
        let mut listener = JoinSet::new();
        let writers = match &base.write {
            Pool::Sqlite(_) => 1,
            Pool::Postgres(pool) => {
                listener.spawn(herald.clone().listen((**pool).clone()));
                POSTGRES_WRITERS
            }
        };
        let (queues, tasks) = (0..writers).map(|_| mpsc::channel(QUEUE)).unzip::<_, _, Vec<_>, Vec<_>>();
        let writers = tasks.into_iter().map(|queue| tokio::spawn(write(base.clone(), herald.clone(), queue)));
        let (seeks, sought) = mpsc::channel(QUEUE);
        listener.spawn(find(base.clone(), sought));
        let open = Open { queues, seeks, writers: writers.collect(), herald, _listener: listener };
        Ok(Store(Arc::new(Inner { id, base, open: Mutex::new(Some(open)) })))
    }

    /// Returns the random id of the store, which was set when it was created.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// Returns the file of a SQLite store. `None` for PostgreSQL.
    pub fn file(&self) -> Option<&Path> {
        self.0.base.file.as_deref()
    }

    pub(crate) fn base(&self) -> &Base {
        &self.0.base
    }

    /// Tells the subscribers what happened on another node.
    #[cfg(feature = "testing")]
    pub(crate) fn tell(&self, moved: crate::stream::Moved) {
        if let Some(open) = &*self.0.open.lock().unwrap_or_else(PoisonError::into_inner) {
            open.herald.tell(moved);
        }
    }

    /// Finishes the appends in progress, then closes the store. Later requests get an error.
    pub async fn close(&self) {
        let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(Open { queues, writers, .. }) = open {
            drop(queues);
            for writer in writers {
                // If a writer panicked, no caller is waiting for it any more.
                let _ = writer.await;
            }
        }
        on!(Pool, &self.base().read, pool => pool.close().await);
        on!(Pool, &self.base().write, pool => pool.close().await);
    }

    /// Proves that the database takes a write and makes it durable.
    pub async fn prove(&self, at: i64) -> Result<(), StoreError> {
        let sql = "INSERT INTO proof (one, at) VALUES (1, $1) ON CONFLICT (one) DO UPDATE SET at = excluded.at";
        let mut tx = self.base().begin_write(std::iter::empty()).await?;
        on!(Tx, &mut tx, tx => { sqlx::query(sql).bind(at).execute(&mut **tx).await?; });
        Ok(tx.commit().await?)
    }

    /// Appends rows to a log that ends at `expected_seq`: all of them or none. They are durable when this returns. Dropping the
    /// future doesn't cancel the append.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// let rows = store.append("north", 3, vec![row("4")]).await?;
    /// assert_eq!((rows[0].seq, store.head("north").await?.seq), (4, 4));
    /// // The log has moved on: a writer that read it before must read it again.
    /// assert!(store.append("north", 3, vec![row("5")]).await.is_err());
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn append(&self, table: &str, expected_seq: u64, rows: Vec<NewRow>) -> Result<Vec<Row>, AppendError> {
        let part = Part { table: table.to_owned(), expected: expected_seq, rows };
        Ok(self.append_all(vec![part]).await?.pop().unwrap_or_default())
    }

    /// Appends rows to several logs: all of them or none. Returns the new rows of each log, in the order of the parts.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Part, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// let part = |table: &str, expected, body| Part { table: table.into(), expected, rows: vec![row(body)] };
    /// store.append_all(vec![part("north", 3, "4"), part("south", 0, "5")]).await?;
    /// // The log "north" has moved on, so nothing goes to "south" either.
    /// assert!(store.append_all(vec![part("south", 1, "6"), part("north", 3, "7")]).await.is_err());
    /// assert_eq!((store.head("north").await?.seq, store.head("south").await?.seq), (4, 1));
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn append_all(&self, parts: Vec<Part>) -> Result<Vec<Vec<Row>>, AppendError> {
        check(&parts).map_err(AppendError::Refused)?;
        let closed = || AppendError::NotStored(Fault::closed());
        let queue = {
            let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
            let queues = &open.as_ref().ok_or_else(closed)?.queues;
            let mut hasher = DefaultHasher::new();
            parts.first().map(|part| &part.table).hash(&mut hasher);
            let writer = usize::try_from(hasher.finish() % queues.len() as u64).unwrap_or_default();
            queues[writer].clone()
        };
        let (reply, answer) = oneshot::channel();
        let start = Instant::now();
        queue.send(Ask { parts, reply, span: Span::current() }).await.map_err(|_| closed())?;
        let gone = || Fault { kind: FaultKind::Closed, why: "the writer is gone".to_owned() };
        let answer = answer.await.unwrap_or_else(|_| Err(AppendError::Unknown(gone())));
        metrics::histogram!("boxperson_append_seconds").record(start.elapsed());
        if let Err(error) = &answer {
            metrics::counter!("boxperson_append_failures_total", "kind" => error.name()).increment(1);
        }
        answer
    }

    /// Returns how many appends wait in the queues of the writers.
    #[must_use]
    pub fn waiting(&self) -> usize {
        let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.iter().flat_map(|open| &open.queues).map(|queue| queue.max_capacity() - queue.capacity()).sum()
    }

    /// Returns the time of the newest row of all logs, in Unix milliseconds. None if the logs are empty.
    pub async fn newest(&self) -> Result<Option<i64>, StoreError> {
        let sql = "SELECT max(at) FROM ends";
        Ok(on!(Pool, &self.base().read, pool => sqlx::query_scalar(sql).fetch_one(pool).await?))
    }

    /// Returns at most `limit` rows after row `after_seq`, in order. A row that was changed since it was stored is an error.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// let rows = store.load("north", 1, 10).await?;
    /// assert_eq!(rows.iter().map(|row| row.body.as_str()).collect::<Vec<_>>(), ["2", "3"]);
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn load(&self, table: &str, after_seq: u64, limit: u32) -> Result<Vec<Row>, StoreError> {
        self.load_as_is(table, after_seq, limit).await?.into_iter().map(unchanged).collect()
    }

    /// Does the same as `load`, but doesn't look at the hashes, for those who check them.
    pub async fn load_as_is(&self, table: &str, after_seq: u64, limit: u32) -> Result<Vec<Row>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM log WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3");
        let found: Vec<Columns> = on!(Pool, &self.base().read, pool => {
            let query = sqlx::query_as(AssertSqlSafe(sql)).bind(table).bind(number(after_seq)).bind(i64::from(limit));
            query.fetch_all(pool).await?
        });
        Ok(found.into_iter().map(Row::try_from).collect::<Result<_, _>>()?)
    }

    /// Returns at most `limit` rows after row `after`, in order, each readable or not, with its number if that can be read. `None` means from the
    /// beginning.
    pub async fn page(&self, table: &str, after: Option<u64>, limit: u32) -> Result<Vec<Found>, StoreError> {
        let sql = format!("SELECT {COLUMNS} FROM log WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3");
        let after = after.map_or(i64::MIN, number);
        Ok(on!(Pool, &self.base().read, pool => {
            let query = sqlx::query(AssertSqlSafe(sql)).bind(table).bind(after).bind(i64::from(limit));
            let found = query.fetch_all(pool).await?;
            let number = |found: Result<i64, sqlx::Error>| found.ok().and_then(|seq| place(seq).ok());
            found.iter().map(|found| (number(found.try_get(1)), readable!(found))).collect()
        }))
    }

    /// Returns every log with the number of its last row and with its end as the database has noted it, all at one moment, sorted by name.
    pub async fn extents(&self) -> Result<Vec<Extent>, StoreError> {
        let mut extents: BTreeMap<String, Extent> = BTreeMap::new();
        let mut tx = self.base().begin_read().await?;
        on!(Tx, &mut tx, tx => {
            let ends: Vec<(String, i64, String)> = sqlx::query_as(ENDS).fetch_all(&mut **tx).await?;
            for (table, seq, hash) in ends {
                let said = Some(Head { seq: place(seq)?, hash });
                extents.insert(table.clone(), Extent { table, said, last: 0 });
            }
            // One step per log: the index leads to the next name, and to the last row of each.
            let mut name: Option<String> = sqlx::query_scalar("SELECT min(table_id) FROM log").fetch_one(&mut **tx).await?;
            while let Some(table) = name {
                let last = "SELECT max(seq) FROM log WHERE table_id = $1";
                let last: Option<i64> = sqlx::query_scalar(last).bind(&table).fetch_one(&mut **tx).await?;
                let extent = extents.entry(table.clone()).or_insert_with(|| Extent { table: table.clone(), said: None, last: 0 });
                extent.last = place(last.unwrap_or_default())?;
                let next = "SELECT min(table_id) FROM log WHERE table_id > $1";
                name = sqlx::query_scalar(next).bind(&table).fetch_one(&mut **tx).await?;
            }
        });
        tx.leave().await?;
        Ok(extents.into_values().collect())
    }

    /// Finds the row of a client's command.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// assert_eq!(store.find("north", "box", "2").await?.map(|row| row.seq), Some(2));
    /// assert_eq!(store.find("north", "box", "9").await?, None);
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn find(&self, table: &str, client: &str, key: &str) -> Result<Option<Row>, StoreError> {
        Ok(self.find_all(table, &[(client, key)]).await?.pop())
    }

    /// Finds the rows of several commands, in any order. A command is a client and its key.
    pub async fn find_all(&self, table: &str, commands: &[(&str, &str)]) -> Result<Vec<Row>, StoreError> {
        let seeks = {
            let open = self.0.open.lock().unwrap_or_else(PoisonError::into_inner);
            open.as_ref().ok_or(StoreError::Closed)?.seeks.clone()
        };
        let commands = commands.iter().map(|(client, key)| (table.to_owned(), (*client).to_owned(), (*key).to_owned()));
        let (reply, answer) = oneshot::channel();
        let seek = Seek { commands: commands.collect(), reply };
        seeks.send(seek).await.map_err(|_| StoreError::Closed)?;
        let found = answer.await.map_err(|_| StoreError::Closed)?.map_err(StoreError::Fault)?;
        found.into_iter().map(unchanged).collect()
    }

    /// Returns the head of a log. A log that doesn't exist ends at row 0.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// assert_eq!((store.head("north").await?.seq, store.head("south").await?.seq), (3, 0));
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn head(&self, table: &str) -> Result<Head, StoreError> {
        let sql = "SELECT seq, hash FROM ends WHERE table_id = $1";
        let found: Option<(i64, String)> = on!(Pool, &self.base().read, pool => {
            sqlx::query_as(sql).bind(table).fetch_optional(pool).await?
        });
        found.map_or(Ok(Head::default()), |(seq, hash)| Ok(Head { seq: place(seq)?, hash }))
    }

    /// Returns all tables and the heads of their logs, sorted by name.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// let tables = store.tables().await?;
    /// assert_eq!((tables.len(), tables[0].0.as_str(), tables[0].1.seq), (1, "north", 3));
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn tables(&self) -> Result<Vec<(String, Head)>, StoreError> {
        let mut logs = self.logs().await?;
        logs.retain(|(name, _)| is_table(name));
        Ok(logs)
    }

    /// Returns all logs, including those of the store itself.
    pub async fn logs(&self) -> Result<Vec<(String, Head)>, StoreError> {
        let found: Vec<(String, i64, String)> =
            on!(Pool, &self.base().read, pool => sqlx::query_as(ENDS).fetch_all(pool).await?);
        let head = |(table, seq, hash)| Ok((table, Head { seq: place(seq)?, hash }));
        let mut logs: Vec<_> = found.into_iter().map(head).collect::<Result<_, sqlx::Error>>()?;
        // Sorted here, because the two databases sort differently.
        logs.sort_by(|(a, _), (b, _)| a.cmp(b));
        Ok(logs)
    }

    /// Saves a secret, unless there already is one, and returns the saved secret. Exports don't contain secrets. Backups contain only those with the
    /// number 0, except those of the store itself, whose names begin with `@`. The secrets of hands, which have higher numbers, were stored by older
    /// versions.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// store.keep_secret("north", 1, b"first").await?;
    /// assert_eq!(store.keep_secret("north", 1, b"second").await?, b"first");
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn keep_secret(&self, table: &str, hand: u64, secret: &[u8]) -> Result<Vec<u8>, StoreError> {
        let sql = "INSERT INTO secrets (table_id, hand, secret) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING";
        on!(Pool, &self.base().write, pool => {
            sqlx::query(sql).bind(table).bind(number(hand)).bind(hex(secret)).execute(pool).await?;
        });
        self.secret(table, hand).await?.ok_or_else(|| sqlx::Error::RowNotFound.into())
    }

    /// Returns the secret of a hand.
    pub async fn secret(&self, table: &str, hand: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let sql = "SELECT secret FROM secrets WHERE table_id = $1 AND hand = $2";
        let found: Option<String> = on!(Pool, &self.base().read, pool => {
            sqlx::query_scalar(sql).bind(table).bind(number(hand)).fetch_optional(pool).await?
        });
        let bytes =
            |text: String| unhex(&text).ok_or_else(|| sqlx::Error::Decode("a secret must be hex digits".into()));
        Ok(found.map(bytes).transpose()?)
    }

    /// Saves a secret in place of the one before.
    pub async fn replace_secret(&self, table: &str, hand: u64, secret: &[u8]) -> Result<(), StoreError> {
        let sql = "INSERT INTO secrets (table_id, hand, secret) VALUES ($1, $2, $3) \
                   ON CONFLICT (table_id, hand) DO UPDATE SET secret = excluded.secret";
        on!(Pool, &self.base().write, pool => {
            sqlx::query(sql).bind(table).bind(number(hand)).bind(hex(secret)).execute(pool).await?;
        });
        Ok(())
    }

    /// Subscribes to changes of the logs, on this node and on others.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// let mut changes = store.subscribe();
    /// store.append("north", 3, vec![row("4")]).await?;
    /// assert!(changes.next().await.is_some());
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub fn subscribe(&self) -> Subscription {
        match &*self.0.open.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(open) => open.herald.subscribe(),
            None => Subscription::ended(),
        }
    }

    /// Adds a row to a log of the store itself, such as [`TRAIL`] or [`SERVER`]. `who` is the account that did it.
    pub async fn note(&self, log: &str, at: i64, who: &str, body: &str) -> Result<Row, AppendError> {
        let not_stored = |error: StoreError| AppendError::NotStored(error.fault());
        loop {
            let head = self.head(log).await.map_err(not_stored)?;
            let last = self.load(log, head.seq.saturating_sub(1), 1).await.map_err(not_stored)?.pop();
            let (seq, before) = last.map_or((0, i64::MIN), |row| (row.seq, row.at));
            // A row is never older than the row before it, which another node may have written by another clock.
            let row = NewRow { at: at.max(before), client: who.to_owned(), key: None, body: body.to_owned() };
            match self.append(log, seq, vec![row]).await {
                Err(AppendError::Conflict { .. }) => {}
                Ok(rows) => return rows.into_iter().next().ok_or_else(|| not_stored(sqlx::Error::RowNotFound.into())),
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns access to the records of people.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// let ann = store.people().add_account("ann", "a hash of her password", 0).await?;
    /// assert_eq!(store.people().account_named("ann").await?, Some(ann));
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub fn people(&self) -> People<'_> {
        People(self.base())
    }

    /// Verifies all logs against these signed heads and those in the database.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::{NewRow, Store};
    /// # let store = Store::open(url).await?;
    /// # let row = |body: &str| NewRow { at: 0, client: "box".into(), key: Some(body.into()), body: body.into() };
    /// # store.append("north", 0, vec![row("1"), row("2"), row("3")]).await?;
    /// use craps_store::HeadKey;
    /// let key = HeadKey::open_or_create(&HeadKey::beside(&file))?;
    /// let heads = store.sign_heads(&key, 0).await?;
    /// assert!(store.verify(&heads, Some(&key.public())).await?.findings.is_empty());
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn verify(&self, heads: &[SignedHead], trusted: Option<&PublicKey>) -> Result<Verified, StoreError> {
        self.verify_with(heads, trusted, |_| ()).await
    }

    /// Does the same as `verify`, and calls `each` with every readable row.
    pub async fn verify_with(
        &self,
        heads: &[SignedHead],
        trusted: Option<&PublicKey>,
        mut each: impl FnMut(&Row),
    ) -> Result<Verified, StoreError> {
        let mut verifier = Verifier::new(Some(self.id()), trusted);
        heads.iter().chain(&self.signed_heads().await?).for_each(|head| verifier.head(head));
        verifier.know_archives(&self.archive_log().await?);
        let sql = format!("SELECT {COLUMNS} FROM log ORDER BY table_id, seq");
        // Rows and ends are read at one moment, even while others append.
        let mut tx = self.base().begin_read().await?;
        on!(Tx, &mut tx, tx => {
            let mut rows = sqlx::query(AssertSqlSafe(sql)).fetch(&mut **tx);
            while let Some(found) = rows.try_next().await? {
                match readable!(&found) {
                    Ok(row) => {
                        verifier.row(&row);
                        each(&row);
                    }
                    Err(unreadable) => verifier.find(unreadable),
                }
            }
        });
        let ends: Vec<(String, i64, String)> = on!(Tx, &mut tx, tx => sqlx::query_as(ENDS).fetch_all(&mut **tx).await?);
        tx.leave().await?;
        for (table, seq, hash) in ends {
            verifier.end(&table, &Head { seq: place(seq)?, hash });
        }
        Ok(verifier.finish())
    }
}

/// Returns a row if its hash is that of its contents.
fn unchanged(row: Row) -> Result<Row, StoreError> {
    if row.digest() == row.hash { Ok(row) } else { Err(StoreError::Changed { table: row.table, seq: row.seq }) }
}

/// Checks that both databases can store the rows in the same way.
fn check(parts: &[Part]) -> Result<(), String> {
    let mut logs = HashSet::new();
    if !parts.iter().all(|part| logs.insert(&part.table)) {
        return Err("one append can't have two parts for the same log".to_owned());
    }
    if parts.is_empty() || parts.iter().any(|part| part.rows.is_empty()) {
        return Err("an append needs at least one row".to_owned());
    }
    parts.iter().try_for_each(|Part { table, rows, .. }| check_rows(table, rows))
}

fn check_rows(table: &str, rows: &[NewRow]) -> Result<(), String> {
    if table.is_empty() || table.len() > NAME_MOST {
        return Err(format!("the name of a table must have 1 to {NAME_MOST} bytes, this one has {}", table.len()));
    }
    if let Some(key) =
        rows.iter().filter_map(|row| row.key.as_ref()).find(|key| key.is_empty() || key.len() > NAME_MOST)
    {
        return Err(format!("a key must have 1 to {NAME_MOST} bytes, this one has {}", key.len()));
    }
    if let Some(row) = rows.iter().find(|row| row.client.len() > NAME_MOST) {
        return Err(format!(
            "the name of a client must have at most {NAME_MOST} bytes, this one has {}",
            row.client.len()
        ));
    }
    if let Some(row) = rows.iter().find(|row| row.body.len() > BODY_MOST) {
        return Err(format!("a row can have at most {BODY_MOST} bytes, this one has {}", row.body.len()));
    }
    let mut commands = HashSet::new();
    if !rows.iter().filter(|row| row.key.is_some()).all(|row| commands.insert((&row.client, &row.key))) {
        return Err("two rows of one append can't have the same key".to_owned());
    }
    let texts = rows.iter().flat_map(|row| [&row.client, &row.body].into_iter().chain(&row.key));
    if table.contains('\0') || texts.into_iter().any(|text| text.contains('\0')) {
        return Err("text can't contain the character NUL".to_owned());
    }
    Ok(())
}
