//! The state that every route can use.

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

/// The parts of the server.
pub struct App {
    /// All tables of this node.
    pub pit: Pit,
    /// Rate limits and other limits on requests.
    pub desk: Desk,
    /// Results that follow from the books alone, such as odds.
    pub facts: Facts,
    /// Files of the browser table.
    pub(crate) page: Page,
    /// What people played, for tables that someone has asked about.
    pub(crate) ledgers: Ledgers,
    pub(crate) sessions: Lookup,
    /// How many streams each client has open; `opened` counts the practice tables it has opened.
    pub(crate) streams: Tally,
    pub(crate) opened: Tally,
    /// Ids of those practice tables, by client.
    pub(crate) own_tables: Mutex<HashMap<String, Vec<String>>>,
    /// Renders the metrics for Prometheus. None if metrics are off.
    pub(crate) measured: Option<PrometheusHandle>,
    closing: watch::Sender<bool>,
}

/// The parts of the server, shared by all routes.
pub type Shared = Arc<App>;

/// How many streams one client can have open at once.
const STREAMS: u32 = 32;
/// How many practice tables one client can have open, counting those opened since the server started.
const OPENED: u32 = 10;

impl App {
    /// Builds the parts of a server over these tables.
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

    /// Returns the store that holds logs and accounts.
    #[must_use]
    pub fn store(&self) -> &Store {
        self.pit.store()
    }

    /// Returns the rule books.
    #[must_use]
    pub fn library(&self) -> &Library {
        self.pit.library()
    }

    /// Forgets a table that has closed, so that the client who opened it can open another.
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

    /// Returns a flag that becomes true when the server shuts down.
    pub(crate) fn closing(&self) -> watch::Receiver<bool> {
        self.closing.subscribe()
    }
}

/// Counts how many of something each client has.
pub(crate) struct Tally {
    most: u32,
    what: &'static str,
    counts: Arc<Mutex<HashMap<String, u32>>>,
}

impl Tally {
    fn new(most: u32, what: &'static str) -> Tally {
        Tally { most, what, counts: Arc::default() }
    }

    /// Counts one more for this client, until the returned value is dropped.
    pub(crate) fn one_more(&self, client: &str) -> Result<Counted, ApiError> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client.to_owned()).or_default();
        if *count >= self.most {
            let words = format!("One client can have at most {} {} at once.", self.most, self.what);
            return Err(ApiError::later(StatusCode::TOO_MANY_REQUESTS, "too-many", words, 10));
        }
        *count += 1;
        Ok(Counted { client: client.to_owned(), counts: Arc::clone(&self.counts) })
    }

    /// Counts one less for this client, of those that were kept.
    fn one_less(&self, client: &str) {
        drop(Counted { client: client.to_owned(), counts: Arc::clone(&self.counts) });
    }
}

/// One counted item. Dropping it counts one less.
pub(crate) struct Counted {
    client: String,
    counts: Arc<Mutex<HashMap<String, u32>>>,
}

impl Counted {
    /// Keeps the count when this value goes away.
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
