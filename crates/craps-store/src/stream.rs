//! Who listens hears which logs have grown.

use crate::base::Tx;
use serde::{Deserialize, Serialize};
use sqlx::postgres::{PgListener, PgPool};
use std::borrow::Cow;
use std::time::Duration;
use tokio::sync::broadcast;

/// PostgreSQL carries the news to the other nodes on this channel.
const CHANNEL: &str = "boxperson_heads";
/// How much a listener may be behind before it must look for itself.
const BEHIND_MOST: usize = 4096;
const RETRY_AFTER: Duration = Duration::from_millis(200);

/// Something happened to the logs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Moved {
    /// A log goes on to this row, on this node or another.
    Head {
        /// Whose log.
        table: String,
        /// Its last row. News of one log may come out of order; the largest counts.
        seq: u64,
    },
    /// Something may have been missed: compare the heads.
    LookAgain,
}

/// One listener's way to the news.
#[derive(Debug)]
pub struct Subscription(broadcast::Receiver<Moved>);

impl Subscription {
    /// News of a store that is closed.
    pub(crate) fn ended() -> Subscription {
        Subscription(broadcast::channel(1).1)
    }

    /// The next piece of news; none when the store is closed.
    pub async fn next(&mut self) -> Option<Moved> {
        match self.0.recv().await {
            Ok(moved) => Some(moved),
            Err(broadcast::error::RecvError::Lagged(_)) => Some(Moved::LookAgain),
            Err(broadcast::error::RecvError::Closed) => None,
        }
    }
}

/// What one node tells the others.
#[derive(Serialize, Deserialize)]
struct News<'a> {
    node: Cow<'a, str>,
    table: Cow<'a, str>,
    seq: u64,
}

/// Tells this node's listeners at once, and knows the words for the others'.
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
        // Nobody listening is no trouble.
        let _ = self.here.send(moved);
    }

    /// Puts the news into the transaction: the other nodes hear it when, and only if, it commits.
    pub(crate) async fn announce(&self, tx: &mut Tx, heads: &[(&str, u64)]) -> Result<(), sqlx::Error> {
        let Tx::Postgres(tx) = tx else { return Ok(()) };
        let news = heads.iter().map(|(table, seq)| {
            serde_json::to_string(&News { node: (&self.node).into(), table: (*table).into(), seq: *seq })
        });
        let news: Vec<String> = news.collect::<Result<_, _>>().map_err(|error| sqlx::Error::Encode(Box::new(error)))?;
        let notify = "SELECT pg_notify($1, news) FROM unnest($2) AS news";
        sqlx::query(notify).bind(CHANNEL).bind(news).execute(&mut **tx).await?;
        Ok(())
    }

    /// Passes on what other nodes tell, for as long as it is let.
    pub(crate) async fn listen(self, pool: PgPool) {
        loop {
            // Whatever ended it, the next round begins with a look.
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
