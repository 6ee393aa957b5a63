//! Finds the rows of commands. Requests that arrive during one query go into the next query together.

use crate::append::{Command, add_known, lookup};
use crate::base::{Base, Columns, on};
use crate::fault::Fault;
use crate::row::Row;
use sqlx::AssertSqlSafe;
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::{mpsc, oneshot};

/// Maximum number of commands to look up with one statement. It is a power of two.
const FIND_MOST: usize = 64;
/// Maximum number of requests that are answered together.
const TOGETHER: usize = 128;

/// A request for the rows of commands.
pub(crate) struct Seek {
    pub(crate) commands: Vec<Command>,
    pub(crate) reply: oneshot::Sender<Result<Vec<Row>, Fault>>,
}

/// Answers requests until the queue is closed.
pub(crate) async fn find(base: Arc<Base>, mut queue: mpsc::Receiver<Seek>) {
    let mut seeks = Vec::new();
    while queue.recv_many(&mut seeks, TOGETHER).await > 0 {
        let commands: Vec<&Command> = seeks.iter().flat_map(|seek| &seek.commands).collect();
        let found = found(&base, &commands).await;
        for Seek { commands, reply } in seeks.drain(..) {
            let own = match &found {
                Ok(found) => Ok(commands.iter().filter_map(|command| found.get(command).cloned()).collect()),
                Err(error) => Err(Fault::from(error)),
            };
            // A caller that no longer waits has gone.
            let _ = reply.send(own);
        }
    }
}

async fn found(base: &Base, commands: &[&Command]) -> Result<HashMap<Command, Row>, sqlx::Error> {
    let mut known = HashMap::new();
    for some in commands.chunks(FIND_MOST) {
        let (sql, some) = lookup(some);
        let found: Vec<Columns> = on!(Pool, &base.read, pool => {
            let query = sqlx::query_as(AssertSqlSafe(sql));
            let bound = some.iter().fold(query, |query, (table, client, key)| query.bind(table).bind(client).bind(key));
            bound.fetch_all(pool).await?
        });
        add_known(&mut known, found)?;
    }
    Ok(known)
}
