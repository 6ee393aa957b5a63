//! What every route has at hand.

use crate::error::ApiError;
use crate::facts::Facts;
use crate::live::pit::Pit;
use crate::page::Page;
use crate::people::session::Lookup;
use crate::people::{Desk, Settings};
use crate::routes::Ledgers;
use axum::http::StatusCode;
use craps_law::Library;
use craps_store::Store;
use metrics_exporter_prometheus::PrometheusHandle;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::watch;

/// The server's parts.
pub struct App {
    /// The tables.
    pub pit: Pit,
    /// The desk at the door: who asks, and how often.
    pub desk: Desk,
    /// What follows from the books alone.
    pub facts: Facts,
    /// The browser table.
    pub(crate) page: Page,
    /// What people played, as far as somebody has asked.
    pub(crate) ledgers: Ledgers,
    pub(crate) sessions: Lookup,
    /// How many streams each client has open, and how many practice tables it has opened.
    pub(crate) streams: Tally,
    pub(crate) opened: Tally,
    /// Which those are.
    pub(crate) own_tables: Mutex<HashMap<String, Vec<String>>>,
    /// Where what is measured can be read.
    pub(crate) measured: Option<PrometheusHandle>,
    closing: watch::Sender<bool>,
}

/// The server's parts, shared by all routes.
pub type Shared = Arc<App>;

/// How many streams one client may have open at once.
const STREAMS: u32 = 32;
/// How many practice tables one client may have open that were opened since the server started.
const OPENED: u32 = 10;

impl App {
    /// The parts of a server over these tables.
    #[must_use]
    pub fn new(pit: Pit, settings: Settings, measured: Option<PrometheusHandle>) -> App {
        App {
            sessions: Lookup::new(pit.store().clone()),
            pit,
            desk: Desk::new(settings),
            facts: Facts::default(),
            page: Page::built(),
            ledgers: Ledgers::default(),
            streams: Tally::new(STREAMS, "streams"),
            opened: Tally::new(OPENED, "practice tables"),
            own_tables: Mutex::default(),
            measured,
            closing: watch::Sender::new(false),
        }
    }

    /// The store.
    #[must_use]
    pub fn store(&self) -> &Store {
        self.pit.store()
    }

    /// The books.
    #[must_use]
    pub fn library(&self) -> &Library {
        self.pit.library()
    }

    /// A table has closed for good: the client who opened it may open another.
    pub fn forget_own(&self, table: &str) {
        let mut own = self.own_tables.lock().unwrap_or_else(PoisonError::into_inner);
        for (client, tables) in own.iter_mut() {
            let before = tables.len();
            tables.retain(|known| known != table);
            (tables.len()..before).for_each(|_| self.opened.one_less(client));
        }
        own.retain(|_, tables| !tables.is_empty());
    }

    /// Tells streams and simulations to end.
    pub(crate) fn close(&self) {
        self.closing.send_replace(true);
        self.facts.jobs.close();
    }

    /// Becomes true when the server is going down.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}

/// How many of something each client has.
pub(crate) struct Tally {
    most: u32,
    what: &'static str,
    counts: Arc<Mutex<HashMap<String, u32>>>,
}

impl Tally {
    fn new(most: u32, what: &'static str) -> Tally {
        Tally { most, what, counts: Arc::default() }
    }

    /// One more for this client, for as long as what comes back is kept.
    pub(crate) fn one_more(&self, client: &str) -> Result<Counted, ApiError> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client.to_owned()).or_default();
        if *count >= self.most {
            let words = format!("{} {} at once are the most for one client", self.most, self.what);
            return Err(ApiError::later(StatusCode::TOO_MANY_REQUESTS, "too-many", words, 10));
        }
        *count += 1;
        Ok(Counted { client: client.to_owned(), counts: Arc::clone(&self.counts) })
    }

    /// One less for this client, of those that were kept.
    fn one_less(&self, client: &str) {
        drop(Counted { client: client.to_owned(), counts: Arc::clone(&self.counts) });
    }
}

/// One that is counted.
pub(crate) struct Counted {
    client: String,
    counts: Arc<Mutex<HashMap<String, u32>>>,
}

impl Counted {
    /// Counts it for good.
    pub(crate) fn keep(self) {
        std::mem::forget(self);
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = counts.get_mut(&self.client) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                counts.remove(&self.client);
            }
        }
    }
}
