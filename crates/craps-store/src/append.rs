//! Group commit: all waiting appends go into the database in one transaction. Each is accepted or rejected by itself.

use crate::base::{Base, COLUMNS, Columns, Tx, number, on, place, placeholders};
use crate::error::AppendError;
use crate::fault::Fault;
use crate::row::{Head, NewRow, Row};
use crate::stream::{Herald, Moved};
use sqlx::AssertSqlSafe;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, sleep, timeout_at};
use tracing::{Instrument as _, Span};

/// Maximum number of appends in one transaction.
const BATCH_MOST: usize = 256;
/// When so many appends were in the last transaction, the next one waits until it has as many, but not longer than this. A fuller transaction costs
/// little more than one with a few appends.
const MANY: usize = 8;
const FILL: Duration = Duration::from_millis(2);
/// Maximum number of rows in one statement. It is a power of two.
const STATEMENT_MOST: usize = 64;
/// How long to wait for the database before waiting callers get an error.
const PATIENCE: Duration = Duration::from_secs(10);
const RETRY_AFTER: Duration = Duration::from_millis(20);

type Answer = Result<Vec<Vec<Row>>, AppendError>;

/// Rows for one log, to be appended at its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Name of the log.
    pub table: String,
    /// Number of the log's last row, as the caller knows it.
    pub expected: u64,
    /// The new rows, at least one.
    pub rows: Vec<NewRow>,
}

/// A request to append rows to one log or to several, all of them or none.
pub(crate) struct Ask {
    pub(crate) parts: Vec<Part>,
    pub(crate) reply: oneshot::Sender<Answer>,
    /// The span of the caller, for traces.
    pub(crate) span: Span,
}

/// Returns the names of the logs that requests are about.
fn logs(asks: &[Ask]) -> impl Iterator<Item = &str> {
    asks.iter().flat_map(|ask| &ask.parts).map(|part| part.table.as_str())
}

/// Commits the requests in the queue until it is closed. All appends to one log go through the same queue.
pub(crate) async fn write(base: Arc<Base>, herald: Herald, queue: mpsc::Receiver<Ask>) {
    serve(&Database { base: &base, herald: &herald }, &herald, queue).await;
}

async fn serve(database: &impl Commits, herald: &Herald, mut queue: mpsc::Receiver<Ask>) {
    let (mut waiting, mut usual) = (Vec::new(), 0);
    while queue.recv_many(&mut waiting, BATCH_MOST).await > 0 {
        let until = Instant::now() + FILL;
        while waiting.len() < usual {
            let room = BATCH_MOST.saturating_sub(waiting.len());
            match timeout_at(until, queue.recv_many(&mut waiting, room)).await {
                Ok(1..) => {}
                Ok(0) | Err(_) => break,
            }
        }
        usual = if waiting.len() >= MANY { waiting.len() } else { 0 };
        Writer { database, herald }.settle(std::mem::take(&mut waiting)).await;
    }
}

/// The point at which a transaction failed.
enum Failure {
    /// Before the commit was sent: nothing is stored.
    Before(sqlx::Error),
    /// After the commit was sent: it may be stored.
    AtCommit(sqlx::Error),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Failure::Before(error)
    }
}

/// What the writer needs of a database. A test has another one, which fails in every way.
trait Commits {
    /// Runs one transaction and decides each request.
    async fn attempt(&self, asks: &[Ask]) -> Result<Vec<Answer>, Failure>;
    /// Finds the rows of these requests, if they are stored.
    async fn look(&self, asks: &[Ask]) -> Result<Vec<Option<Vec<Vec<Row>>>>, sqlx::Error>;
    /// Waits before the next try.
    async fn wait(&self);
}

struct Writer<'a, D> {
    database: &'a D,
    herald: &'a Herald,
}

impl<D: Commits> Writer<'_, D> {
    /// Commits the requests and sends each caller the real result.
    async fn settle(&self, mut asks: Vec<Ask>) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let error = match self.timed(&asks).await {
                Ok(answers) => return asks.into_iter().zip(answers).for_each(|(ask, answer)| self.answer(ask, answer)),
                Err(Failure::Before(error)) => error,
                Err(Failure::AtCommit(error)) => {
                    let stored = match self.stored(&asks, deadline).await {
                        Ok(stored) => stored,
                        Err(silence) => return refuse(asks, &AppendError::Unknown(Fault::from(&silence))),
                    };
                    let mut missing = Vec::new();
                    for (ask, rows) in asks.into_iter().zip(stored) {
                        match rows {
                            Some(rows) => self.answer(ask, Ok(rows)),
                            None => missing.push(ask),
                        }
                    }
                    asks = missing;
                    error
                }
            };
            if asks.is_empty() {
                return;
            }
            let fault = Fault::from(&error);
            if !passes(&error) && asks.len() > 1 && fault.kind.is_of_one_request() {
                // One of the requests causes the error. Retry each alone, so that only that one fails.
                for ask in asks {
                    Box::pin(self.settle(vec![ask])).await;
                }
                return;
            }
            if !may_retry(&error, Instant::now(), deadline) {
                return refuse(asks, &AppendError::NotStored(fault));
            }
            metrics::counter!("boxperson_commit_retries_total").increment(1);
            self.database.wait().await;
        }
    }

    /// Runs one transaction and measures it. In a trace it belongs to the first append and follows from the others.
    async fn timed(&self, asks: &[Ask]) -> Result<Vec<Answer>, Failure> {
        let first = asks.first().and_then(|ask| ask.span.id());
        let span = tracing::debug_span!(parent: first, "commit", appends = asks.len());
        for ask in asks.iter().skip(1) {
            span.follows_from(ask.span.id());
        }
        let start = Instant::now();
        let done = self.database.attempt(asks).instrument(span).await;
        metrics::histogram!("boxperson_commit_seconds").record(start.elapsed());
        done
    }

    fn answer(&self, ask: Ask, answer: Answer) {
        for last in answer.iter().flatten().filter_map(|rows| rows.last()) {
            self.herald.tell(Moved::Head { table: last.table.clone(), seq: last.seq });
        }
        // A caller that no longer waits will retry with the same key.
        let _ = ask.reply.send(answer);
    }

    /// Finds out which requests are in the database after a commit got no answer. It takes the same locks, so it waits for
    /// a commit that is still running.
    async fn stored(&self, asks: &[Ask], deadline: Instant) -> Result<Vec<Option<Vec<Vec<Row>>>>, sqlx::Error> {
        loop {
            match self.database.look(asks).await {
                Err(error) if may_retry(&error, Instant::now(), deadline) => self.database.wait().await,
                answer => return answer,
            }
        }
    }
}

/// A real database.
struct Database<'a> {
    base: &'a Base,
    herald: &'a Herald,
}

impl Commits for Database<'_> {
    /// Runs one transaction. Each append is checked against the state after the appends before it, so a rejected append
    /// doesn't affect the others.
    async fn attempt(&self, asks: &[Ask]) -> Result<Vec<Answer>, Failure> {
        let mut tx = self.base.begin_write(logs(asks)).await?;
        let mut heads = heads(&mut tx, asks).await?;
        let mut known = known(&mut tx, asks).await?;
        let mut fresh: Vec<Row> = Vec::new();
        let mut answers = Vec::with_capacity(asks.len());
        for ask in asks {
            let answer = judge(ask, &heads, &known);
            for rows in answer.iter().flatten() {
                known.extend(rows.iter().filter_map(|row| Some((command(row)?, row.clone()))));
                if let Some(last) = rows.last() {
                    heads.insert(last.table.clone(), last.head());
                }
                fresh.extend_from_slice(rows);
            }
            answers.push(answer);
        }
        if fresh.is_empty() {
            tx.leave().await?;
            return Ok(answers);
        }
        insert(&mut tx, &fresh).await?;
        let mut moved: BTreeMap<&str, &Row> = BTreeMap::new();
        moved.extend(fresh.iter().map(|row| (row.table.as_str(), row)));
        let moved: Vec<&Row> = moved.into_values().collect();
        set_ends(&mut tx, &moved).await?;
        self.herald.announce(&mut tx, &moved).await?;
        tx.commit().await.map_err(Failure::AtCommit)?;
        let counted = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
        metrics::histogram!("boxperson_commit_rows").record(counted(fresh.len()));
        metrics::histogram!("boxperson_commit_appends").record(counted(asks.len()));
        Ok(answers)
    }

    async fn look(&self, asks: &[Ask]) -> Result<Vec<Option<Vec<Vec<Row>>>>, sqlx::Error> {
        let mut tx = self.base.begin_write(logs(asks)).await?;
        let mut stored = Vec::with_capacity(asks.len());
        // If two requests are identical, only one of them can be the one in the log.
        let mut taken = HashSet::new();
        for ask in asks {
            let mut found = Vec::with_capacity(ask.parts.len());
            for part in &ask.parts {
                let rows = after(&mut tx, &part.table, part.expected, part.rows.len()).await?;
                let same = rows.len() == part.rows.len();
                let same = same && rows.iter().zip(&part.rows).all(|(row, new)| is_of(row, new));
                found.extend((same && taken.insert((&part.table, part.expected))).then_some(rows));
            }
            // All parts were committed together, or none.
            stored.push((found.len() == ask.parts.len()).then_some(found));
        }
        tx.leave().await?;
        Ok(stored)
    }

    async fn wait(&self) {
        sleep(RETRY_AFTER).await;
    }
}

fn refuse(asks: Vec<Ask>, error: &AppendError) {
    for ask in asks {
        let _ = ask.reply.send(Err(error.clone()));
    }
}

/// Identifies a command: table, client and key.
pub(crate) type Command = (String, String, String);

fn command(row: &Row) -> Option<Command> {
    Some((row.table.clone(), row.client.clone(), row.key.clone()?))
}

fn commands(ask: &Ask) -> impl Iterator<Item = Command> {
    let rows = ask.parts.iter().flat_map(|part| part.rows.iter().map(move |new| (part, new)));
    rows.filter_map(|(part, new)| Some((part.table.clone(), new.client.clone(), new.key.clone()?)))
}

fn is_of(row: &Row, new: &NewRow) -> bool {
    row.at == new.at && row.client == new.client && row.key == new.key && row.body == new.body
}

fn judge(ask: &Ask, heads: &HashMap<String, Head>, known: &HashMap<Command, Row>) -> Answer {
    if let Some(row) = commands(ask).find_map(|command| known.get(&command)) {
        return Err(AppendError::Duplicate { row: Box::new(row.clone()) });
    }
    let follows = |part: &Part| {
        let mut head = heads.get(&part.table).cloned().unwrap_or_default();
        if part.expected != head.seq {
            return Err(AppendError::Conflict { table: part.table.clone(), head });
        }
        let follow = |new: &NewRow| {
            let row = Row::follow(&part.table, &head, new.clone());
            head = row.head();
            row
        };
        Ok(part.rows.iter().map(follow).collect())
    };
    ask.parts.iter().map(follows).collect()
}

/// Returns true when a retry may succeed and there is still time for it.
fn may_retry(error: &sqlx::Error, now: Instant, deadline: Instant) -> bool {
    passes(error) && now < deadline
}

/// Returns true when a retry may succeed: the connection was lost, the server is starting or stopping, or there was a conflict.
fn passes(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_) | sqlx::Error::Protocol(_) | sqlx::Error::PoolTimedOut | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => {
            let code = error.code().unwrap_or_default();
            // SQLite codes are numbers, and their last byte is the kind: busy or locked. PostgreSQL codes have five
            // characters, and the first two are the class: connection, rollback, resources, intervention. A full disk is of
            // the class of resources, but it doesn't pass by itself.
            let may_pass = match code.len() {
                5 if code == "53100" => false,
                5 => ["08", "40", "53", "57"].iter().any(|class| code.starts_with(class)),
                _ => code.parse().is_ok_and(|code: u32| [5, 6].contains(&(code & 0xff))),
            };
            may_pass || error.is_unique_violation()
        }
        _ => false,
    }
}

/// Pads a list to the next power of two by repeating its last value. This keeps the number of different SQL statements
/// small, so that the database can cache them all.
pub(crate) fn padded<T: Clone>(mut values: Vec<T>) -> Vec<T> {
    if let Some(last) = values.last().cloned() {
        values.resize(values.len().next_power_of_two(), last);
    }
    values
}

async fn heads(tx: &mut Tx, asks: &[Ask]) -> Result<HashMap<String, Head>, sqlx::Error> {
    let tables: HashSet<&str> = logs(asks).collect();
    let tables = padded(tables.into_iter().collect::<Vec<_>>());
    let sql = format!("SELECT table_id, seq, hash FROM ends WHERE table_id IN {}", placeholders(1, tables.len()));
    let found: Vec<(String, i64, String)> = on!(Tx, tx, tx => {
        let query = sqlx::query_as(AssertSqlSafe(sql));
        tables.iter().fold(query, |query, table| query.bind(*table)).fetch_all(&mut **tx).await?
    });
    found.into_iter().map(|(table, seq, hash)| Ok((table, Head { seq: place(seq)?, hash }))).collect()
}

/// Notes the last rows of logs that have grown.
pub(crate) async fn set_ends(tx: &mut Tx, ends: &[&Row]) -> Result<(), sqlx::Error> {
    for some in parted(ends) {
        let sql = format!(
            "INSERT INTO ends (table_id, seq, hash, at) VALUES {} ON CONFLICT (table_id) DO UPDATE \
             SET seq = excluded.seq, hash = excluded.hash, at = excluded.at",
            placeholders(some.len(), 4)
        );
        on!(Tx, &mut *tx, tx => {
            let query = some.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, row| {
                query.bind(&row.table).bind(number(row.seq)).bind(&row.hash).bind(row.at)
            });
            query.execute(&mut **tx).await?;
        });
    }
    Ok(())
}

/// Splits a list into parts whose lengths are powers of two, so that there are few different SQL statements.
fn parted<T>(mut rest: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let most = rest.len().min(STATEMENT_MOST);
        let (some, more) = rest.split_at_checked(most.checked_ilog2().map_or(0, |power| 1 << power))?;
        rest = more;
        (!some.is_empty()).then_some(some)
    })
}

/// Returns the rows of commands that are already in the log.
async fn known(tx: &mut Tx, asks: &[Ask]) -> Result<HashMap<Command, Row>, sqlx::Error> {
    let commands: Vec<Command> = asks.iter().flat_map(commands).collect();
    let commands: Vec<&Command> = commands.iter().collect();
    let mut known = HashMap::new();
    for some in commands.chunks(STATEMENT_MOST) {
        let (sql, some) = lookup(some);
        let found: Vec<Columns> = on!(Tx, &mut *tx, tx => {
            let query = sqlx::query_as(AssertSqlSafe(sql));
            let bound = some.iter().fold(query, |query, (table, client, key)| query.bind(table).bind(client).bind(key));
            bound.fetch_all(&mut **tx).await?
        });
        add_known(&mut known, found)?;
    }
    Ok(known)
}

/// Returns the statement that looks up the rows of commands, and what to bind to it.
pub(crate) fn lookup<T: Clone>(commands: &[T]) -> (String, Vec<T>) {
    let commands = padded(commands.to_vec());
    let sql = format!(
        "WITH want (t, c, k) AS (VALUES {}) SELECT {COLUMNS} FROM want CROSS JOIN log \
         WHERE log.table_id = t AND log.client = c AND log.key = k",
        placeholders(commands.len(), 3),
    );
    (sql, commands)
}

/// Adds rows that were looked up.
pub(crate) fn add_known(known: &mut HashMap<Command, Row>, found: Vec<Columns>) -> Result<(), sqlx::Error> {
    for columns in found {
        let row = Row::try_from(columns)?;
        known.extend(command(&row).map(|command| (command, row)));
    }
    Ok(())
}

pub(crate) async fn insert(tx: &mut Tx, rows: &[Row]) -> Result<(), sqlx::Error> {
    for some in parted(rows) {
        let sql = format!(
            "INSERT INTO log (table_id, seq, at, client, key, prev, hash, body) VALUES {}",
            placeholders(some.len(), 8)
        );
        on!(Tx, &mut *tx, tx => {
            let query = some.iter().fold(sqlx::query(AssertSqlSafe(sql)), |query, row| {
                let query = query.bind(&row.table).bind(number(row.seq)).bind(row.at).bind(&row.client);
                query.bind(&row.key).bind(&row.prev).bind(&row.hash).bind(&row.body)
            });
            query.execute(&mut **tx).await?;
        });
    }
    Ok(())
}

async fn after(tx: &mut Tx, table: &str, seq: u64, most: usize) -> Result<Vec<Row>, sqlx::Error> {
    let sql = format!("SELECT {COLUMNS} FROM log WHERE table_id = $1 AND seq > $2 ORDER BY seq LIMIT $3");
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let found: Vec<Columns> = on!(Tx, tx, tx => {
        sqlx::query_as(AssertSqlSafe(sql)).bind(table).bind(number(seq)).bind(most).fetch_all(&mut **tx).await?
    });
    found.into_iter().map(Row::try_from).collect()
}

#[cfg(test)]
mod orders;

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::error::{DatabaseError, ErrorKind};
    use std::borrow::Cow;
    use std::error::Error;
    use std::fmt;

    /// An error of the database with this code.
    #[derive(Debug)]
    struct Coded(Option<&'static str>, fn() -> ErrorKind);

    impl fmt::Display for Coded {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.message())
        }
    }

    impl Error for Coded {}

    impl DatabaseError for Coded {
        fn message(&self) -> &str {
            "coded"
        }

        fn code(&self) -> Option<Cow<'_, str>> {
            self.0.map(Cow::from)
        }

        fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> ErrorKind {
            self.1()
        }
    }

    fn coded(code: Option<&'static str>, kind: fn() -> ErrorKind) -> sqlx::Error {
        sqlx::Error::Database(Box::new(Coded(code, kind)))
    }

    #[test]
    fn an_error_is_worth_a_retry_only_when_it_may_pass() {
        let other = || ErrorKind::Other;
        // SQLite: busy, locked, and their extended codes. PostgreSQL: the four classes.
        for code in ["5", "6", "261", "262", "517", "773", "08006", "40001", "40P01", "53300", "57P01"] {
            assert!(passes(&coded(Some(code), other)), "{code}");
        }
        // Five bytes that would be SQLite's "busy" as a number are a PostgreSQL code. 53100 is PostgreSQL's full disk, 13 is SQLite's.
        for code in
            ["1", "8", "11", "13", "250", "255", "1299", "10245", "22001", "23514", "42P01", "53100", "", "busy"]
        {
            assert!(!passes(&coded(Some(code), other)), "{code}");
        }
        assert!(!passes(&coded(None, other)));
        // Another node may have appended the same row: the next attempt sees it.
        for code in ["23505", "1555", "2067"] {
            assert!(passes(&coded(Some(code), || ErrorKind::UniqueViolation)), "{code}");
        }
        let reset = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        let lost = [sqlx::Error::Io(reset), sqlx::Error::Protocol("?".into())];
        for error in lost.into_iter().chain([sqlx::Error::PoolTimedOut, sqlx::Error::WorkerCrashed]) {
            assert!(passes(&error), "{error}");
        }
        for error in [sqlx::Error::RowNotFound, sqlx::Error::PoolClosed] {
            assert!(!passes(&error), "{error}");
        }
    }

    #[test]
    fn retries_end_at_the_deadline() {
        let (now, soon) = (Instant::now(), Duration::from_millis(1));
        let passing = sqlx::Error::PoolTimedOut;
        assert!(may_retry(&passing, now, now + soon));
        assert!(!may_retry(&passing, now, now));
        assert!(!may_retry(&passing, now + soon, now));
        assert!(!may_retry(&sqlx::Error::RowNotFound, now, now + soon));
    }

    #[test]
    fn a_row_is_of_a_request_only_when_every_field_is_the_same() {
        let new = NewRow { at: 1, client: "ann".into(), key: Some("a".into()), body: "{}".into() };
        let row = Row::follow("north", &Head::default(), new.clone());
        assert!(is_of(&row, &new));
        let changes: [fn(&mut NewRow); 5] = [
            |new| new.at = 2,
            |new| new.client.push('x'),
            |new| new.key = None,
            |new| new.key = Some("b".into()),
            |new| new.body.push('x'),
        ];
        for change in changes {
            let mut other = new.clone();
            change(&mut other);
            assert!(!is_of(&row, &other), "{other:?}");
        }
    }
}
