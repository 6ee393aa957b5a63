//! Notifies subscribers when logs grow.

use crate::base::Tx;
use crate::row::Row;
use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgListener, PgPool};
use std::borrow::Cow;
use std::time::Duration;
use tokio::sync::broadcast;

/// PostgreSQL channel for notifications between nodes.
const CHANNEL: &str = "boxperson_heads";
/// Number of notifications a subscriber can fall behind. After that it must compare the heads.
const BEHIND_MOST: usize = 4096;
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// A change of the logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// A log has grown, on this node or another.
    Head {
        /// Name of the table.
        table: String,
        /// Number of the last row. Notifications may arrive out of order; the largest number counts.
        seq: u64,
    },
    /// Some notifications may be missing. Compare the heads.
    LookAgain,
}

/// A subscription to changes of the logs.
#[derive(Debug)]
pub struct Subscription(broadcast::Receiver<Moved>);

impl Subscription {
    /// Makes a subscription to a closed store.
    pub(crate) fn ended() -> Subscription {
        Subscription(broadcast::channel(1).1)
    }

    /// Waits for the next change. Returns `None` when the store is closed.
    pub async fn next(&mut self) -> Option<Moved> {
        match self.0.recv().await {
            Ok(moved) => Some(moved),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(Moved::LookAgain),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

/// The notification from one node to the others.
#[derive(Serialize, Deserialize)]
struct News<'a> {
    node: Cow<'a, str>,
    table: Cow<'a, str>,
    seq: u64,
}

/// Notifies the subscribers of this node, and sends notifications to other nodes.
#[derive(Debug, Clone)]
pub(crate) struct Herald {
    node: String,
    here: broadcast::Sender<Moved>,
}

impl Herald {
    pub(crate) fn new(node: String) -> Herald {
        Herald { node, here: broadcast::Sender::new(BEHIND_MOST) }
    }

    pub(crate) fn subscribe(&self) -> Subscription {
        Subscription(self.here.subscribe())
    }

    pub(crate) fn tell(&self, moved: Moved) {
        // An error only means that there are no subscribers.
        let _ = self.here.send(moved);
    }

    /// Adds the notification to the transaction. Other nodes get it only if the transaction commits.
    pub(crate) async fn announce(&self, tx: &mut Tx, ends: &[&Row]) -> Result<(), sqlx::Error> {
        let Tx::Postgres(tx) = tx else { return Ok(()) };
        let news = ends.iter().map(|row| {
            serde_json::to_string(&News { node: (&self.node).into(), table: (&row.table).into(), seq: row.seq })
        });
        let news: Vec<String> = news.collect::<Result<_, _>>().map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
        let notify = "SELECT pg_notify($1, news) FROM unnest($2) AS news";
        sqlx::query(notify).bind(CHANNEL).bind(news).execute(&mut **tx).await?;
        Ok(())
    }

    /// Passes on the notifications of other nodes until the task is stopped.
    pub(crate) async fn listen(self, pool: PgPool) {
        loop {
            // After any error, the next round starts with `LookAgain`.
            let _ = self.listen_once(&pool).await;
            tokio::time::sleep(RETRY_AFTER).await;
        }
    }

    async fn listen_once(&self, pool: &PgPool) -> Result<(), sqlx::Error> {
        let mut listener = PgListener::connect_with(pool).await?;
        listener.listen(CHANNEL).await?;
        self.tell(Moved::LookAgain);
        while let Some(notification) = listener.try_recv().await? {
            match serde_json::from_str::<News<'_>>(notification.payload()) {
                Ok(news) if news.node == self.node => {}
                Ok(news) => self.tell(Moved::Head { table: news.table.into_owned(), seq: news.seq }),
                Err(_) => self.tell(Moved::LookAgain),
            }
        }
        Ok(())
    }
}
