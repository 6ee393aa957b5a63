//! What stands between a store and its database. A server has nothing there. A simulation has a disk that is slow, full or lost whenever it likes,
//! and that lets nothing else run while the database works.

use futures_util::future::{BoxFuture, FutureExt, pending};
use futures_util::stream::{self, BoxStream, StreamExt};
use sqlx::pool::PoolConnection;
use sqlx::{Connection, Database, Either, Error, Execute, Executor, SqlStr};
use std::fmt;
use std::future::Future;
use std::ops::Deref;
use std::pin::{Pin, pin};
use std::sync::Arc;

/// What a store is about to do with its database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Begin a transaction that writes. Only one of them is open at a time.
    Begin,
    /// Begin a transaction that only reads.
    BeginRead,
    /// Run a statement of a transaction.
    Statement,
    /// Commit a transaction.
    Commit,
    /// End a transaction that changed nothing.
    Rollback,
    /// Read without a transaction.
    Query,
    /// Make one change without a transaction.
    Change,
}

impl Step {
    /// Does the step need the right to write?
    pub fn locks(self) -> bool {
        matches!(self, Step::Begin | Step::Change)
    }
}

/// How a step goes.
#[derive(Debug)]
pub enum Fate {
    /// As the database has it.
    Pass,
    /// It fails before it has an effect.
    Fails(Error),
    /// It is done, and the answer is lost.
    Forgets(Error),
    /// The process is killed before the step.
    Never,
}

/// A simulated disk.
pub trait Disk: fmt::Debug + Send + Sync {
    /// Waits until a step may be taken, and says how it goes. A step that locks has the right to write after [`Fate::Pass`] and [`Fate::Forgets`].
    fn step(&self, step: Step) -> BoxFuture<'_, Fate>;

    /// Gives back the right to write.
    fn unlock(&self);

    /// Runs work of the database to its end. Nothing else runs in the meantime.
    fn run(&self, work: Pin<&mut (dyn Future<Output = ()> + Send)>);
}

fn at_once<T: Send>(disk: &dyn Disk, work: impl Future<Output = T> + Send) -> T {
    let mut done = None;
    disk.run(pin!(async { done = Some(work.await) }));
    done.unwrap_or_else(|| unreachable!("a disk runs work to its end"))
}

/// The connections to a database, through a disk or directly.
pub(crate) struct Through<DB: Database> {
    pool: sqlx::Pool<DB>,
    disk: Option<Arc<dyn Disk>>,
    /// What a statement without a transaction does.
    alone: Step,
}

impl<DB: Database> Through<DB> {
    pub(crate) fn reading(pool: sqlx::Pool<DB>) -> Through<DB> {
        Through { pool, disk: None, alone: Step::Query }
    }

    pub(crate) fn writing(pool: sqlx::Pool<DB>) -> Through<DB> {
        Through { pool, disk: None, alone: Step::Change }
    }

    /// Goes through a disk from now on.
    #[cfg(feature = "testing")]
    pub(crate) fn set_disk(&mut self, disk: Arc<dyn Disk>) {
        self.disk = Some(disk);
    }

    /// Closes all connections.
    pub(crate) async fn close(&self) {
        match &self.disk {
            None => self.pool.close().await,
            Some(disk) => at_once(&**disk, self.pool.close()),
        }
    }
}

impl<DB: Database> Clone for Through<DB> {
    fn clone(&self) -> Self {
        Through { pool: self.pool.clone(), disk: self.disk.clone(), alone: self.alone }
    }
}

impl<DB: Database> fmt::Debug for Through<DB> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Through").field("pool", &self.pool).field("disk", &self.disk).finish_non_exhaustive()
    }
}

impl<DB: Database> Deref for Through<DB> {
    type Target = sqlx::Pool<DB>;

    fn deref(&self) -> &sqlx::Pool<DB> {
        &self.pool
    }
}

/// Results of one statement or several.
type Many<'e, DB> = BoxStream<'e, Result<Either<<DB as Database>::QueryResult, <DB as Database>::Row>, Error>>;
/// Future of the first row.
type First<'e, DB> = BoxFuture<'e, Result<Option<<DB as Database>::Row>, Error>>;

/// Returns the first row of several results, or the error before it.
async fn first<DB: Database>(mut many: Many<'_, DB>) -> Result<Option<DB::Row>, Error> {
    while let Some(one) = many.next().await {
        if let Either::Right(row) = one? {
            return Ok(Some(row));
        }
    }
    Ok(None)
}

impl<'p, DB: Database> Executor<'p> for &'p Through<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    type Database = DB;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> Many<'e, DB>
    where
        'p: 'e,
        E: 'q + Execute<'q, DB>,
    {
        let Some(disk) = &self.disk else { return self.pool.fetch_many(query) };
        let all = async move {
            let fate = disk.step(self.alone).await;
            match fate {
                Fate::Fails(error) => return vec![Err(error)],
                Fate::Never => return pending().await,
                Fate::Pass | Fate::Forgets(_) => {}
            }
            let found = at_once(&**disk, self.pool.fetch_many(query).collect::<Vec<_>>());
            if self.alone.locks() {
                disk.unlock();
            }
            if let Fate::Forgets(error) = fate { vec![Err(error)] } else { found }
        };
        stream::once(all).flat_map(stream::iter).boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> First<'e, DB>
    where
        'p: 'e,
        E: 'q + Execute<'q, DB>,
    {
        match self.disk {
            None => self.pool.fetch_optional(query),
            Some(_) => first::<DB>(self.fetch_many(query)).boxed(),
        }
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [DB::TypeInfo],
    ) -> BoxFuture<'e, Result<DB::Statement, Error>>
    where
        'p: 'e,
    {
        self.pool.prepare_with(sql, parameters)
    }
}

/// A connection with an open transaction. It goes back to its pool only after the transaction has ended well. In all other cases it is closed, which
/// ends the transaction: after a failed begin or commit nobody knows in what state the connection is.
pub(crate) struct Wired<DB: Database> {
    connection: Option<PoolConnection<DB>>,
    disk: Option<Arc<dyn Disk>>,
    /// It has the right to write, and gives it back at its end.
    locked: bool,
}

impl<DB: Database> Wired<DB>
where
    for<'c> &'c mut DB::Connection: Executor<'c, Database = DB>,
{
    /// Begins a transaction.
    pub(crate) async fn begin(pool: &Through<DB>, step: Step, sql: &'static str) -> Result<Wired<DB>, Error> {
        let Some(disk) = &pool.disk else {
            let mut wired = Wired { connection: Some(pool.acquire().await?), disk: None, locked: false };
            sqlx::raw_sql(sql).execute(wired.connection()).await?;
            return Ok(wired);
        };
        let fate = disk.step(step).await;
        match fate {
            Fate::Fails(error) => return Err(error),
            Fate::Never => return pending().await,
            Fate::Pass | Fate::Forgets(_) => {}
        }
        let mut wired = Wired { connection: None, disk: Some(Arc::clone(disk)), locked: step.locks() };
        wired.connection = Some(at_once(&**disk, pool.acquire())?);
        at_once(&**disk, sqlx::raw_sql(sql).execute(wired.connection()))?;
        if let Fate::Forgets(error) = fate { Err(error) } else { Ok(wired) }
    }

    /// Ends the transaction, and returns the connection to its pool.
    pub(crate) async fn end(mut self, step: Step, sql: &'static str) -> Result<(), Error> {
        let Some(disk) = self.disk.clone() else {
            sqlx::raw_sql(sql).execute(self.connection()).await?;
            // Only now does it go back to the pool.
            drop(self.connection.take());
            return Ok(());
        };
        let fate = disk.step(step).await;
        match fate {
            Fate::Fails(error) => return Err(error),
            Fate::Never => {
                drop(self);
                return pending().await;
            }
            Fate::Pass | Fate::Forgets(_) => {}
        }
        at_once(&*disk, sqlx::raw_sql(sql).execute(self.connection()))?;
        if let Fate::Forgets(error) = fate {
            return Err(error);
        }
        let connection = self.connection.take();
        at_once(&*disk, async move { drop(connection) });
        Ok(())
    }

    fn connection(&mut self) -> &mut DB::Connection {
        self.connection.as_deref_mut().unwrap_or_else(|| unreachable!("a transaction has its connection until it ends"))
    }
}

impl<DB: Database> Wired<DB> {
    fn close(&mut self) {
        // Detached from its pool, the connection is closed here.
        let connection = self.connection.take().map(PoolConnection::detach);
        let Some(disk) = &self.disk else { return };
        if let Some(connection) = connection {
            // It is closed in any case.
            let _ = at_once(&**disk, connection.close());
        }
        if std::mem::take(&mut self.locked) {
            disk.unlock();
        }
    }
}

impl<DB: Database> Drop for Wired<DB> {
    fn drop(&mut self) {
        self.close();
    }
}

impl<DB: Database> fmt::Debug for Wired<DB> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Wired").field("disk", &self.disk).finish_non_exhaustive()
    }
}

impl<'c, DB: Database> Executor<'c> for &'c mut Wired<DB>
where
    for<'a> &'a mut DB::Connection: Executor<'a, Database = DB>,
{
    type Database = DB;

    fn fetch_many<'e, 'q: 'e, E>(self, query: E) -> Many<'e, DB>
    where
        'c: 'e,
        E: 'q + Execute<'q, DB>,
    {
        let Some(disk) = self.disk.clone() else { return self.connection().fetch_many(query) };
        let all = async move {
            let fate = disk.step(Step::Statement).await;
            match fate {
                Fate::Fails(error) => return vec![Err(error)],
                Fate::Never => {
                    self.close();
                    return pending().await;
                }
                Fate::Pass | Fate::Forgets(_) => {}
            }
            let found = at_once(&*disk, self.connection().fetch_many(query).collect::<Vec<_>>());
            if let Fate::Forgets(error) = fate { vec![Err(error)] } else { found }
        };
        stream::once(all).flat_map(stream::iter).boxed()
    }

    fn fetch_optional<'e, 'q: 'e, E>(self, query: E) -> First<'e, DB>
    where
        'c: 'e,
        E: 'q + Execute<'q, DB>,
    {
        match self.disk {
            None => self.connection().fetch_optional(query),
            Some(_) => first::<DB>(self.fetch_many(query)).boxed(),
        }
    }

    fn prepare_with<'e>(
        self,
        sql: SqlStr,
        parameters: &'e [DB::TypeInfo],
    ) -> BoxFuture<'e, Result<DB::Statement, Error>>
    where
        'c: 'e,
    {
        self.connection().prepare_with(sql, parameters)
    }
}
