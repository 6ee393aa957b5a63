//! The state that every route can use.

use crate::clock::moment;
use crate::error::ApiError;
use crate::facts::Facts;
use crate::faults;
use crate::live::pit::{Pit, now};
use crate::page::Page;
use crate::people::session::Lookup;
use crate::people::{Desk, Failures, Granted, OneByOne, Settings};
use crate::routes::Ledgers;
use axum::http::StatusCode;
use craps_law::Library;
use craps_store::{Fault, FaultKind, Store};
use craps_table::SeatId;
use metrics_exporter_prometheus::PrometheusHandle;
use std::collections::HashMap;
use std::hash::Hash;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
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
    pub(crate) streams: Tally<String>,
    pub(crate) opened: Tally<String>,
    /// How many practice tables were opened from each address.
    pub(crate) opened_from: Tally<IpAddr>,
    /// The roles and tokens that the trail has.
    pub(crate) granted: Granted,
    /// Failed sign-ins on their way to the trail.
    pub(crate) failures: Failures,
    /// Bets of people who have set a limit for themselves.
    pub(crate) limited: OneByOne,
    /// New players of public practice tables, by address.
    pub(crate) sitting: OneByOne,
    /// Where the people in seats of public practice tables came from: by table and seat, the person and the address.
    pub(crate) sat_from: Mutex<HashMap<(String, SeatId), (String, IpAddr)>>,
    /// Ids of those practice tables, by client.
    pub(crate) own_tables: Mutex<HashMap<String, Vec<OwnTable>>>,
    /// Renders the metrics for Prometheus. None if metrics are off.
    pub(crate) measured: Option<PrometheusHandle>,
    closing: watch::Sender<bool>,
    /// When the logs were last verified and signed, or when the server began to. None if it doesn't sign.
    signed: Mutex<Option<Instant>>,
    /// The last durable write that `/ready` made.
    proved: tokio::sync::Mutex<Option<Proved>>,
}

/// Result of a durable write, and when it was made.
type Proved = (Instant, Result<(), Fault>);

/// How long a proof may take. A database that is slower is not ready.
const PROOF_MOST: Duration = Duration::from_secs(1);
/// How long a proof counts. However often `/ready` is asked, the database has little to do for it.
const PROOF_LASTS: Duration = Duration::from_millis(500);

/// The parts of the server, shared by all routes.
pub type Shared = Arc<App>;

/// How many streams one client can have open at once.
const STREAMS: u32 = 32;
/// How many practice tables one client can have open, counting those opened since the server started.
const OPENED: u32 = 10;

/// A practice table that a client opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OwnTable {
    pub(crate) id: String,
    /// Address of the client.
    pub(crate) from: IpAddr,
}

impl App {
    /// Builds the parts of a server over these tables.
    #[must_use]
    pub fn new(pit: Pit, settings: Settings, measured: Option<PrometheusHandle>) -> App {
        App {
            sessions: Lookup::new(pit.store().clone()),
            pit,
            opened_from: Tally::new(settings.tables, "practice tables from one address"),
            desk: Desk::new(settings),
            facts: Facts::default(),
            page: Page::built(),
            ledgers: Ledgers::default(),
            streams: Tally::new(STREAMS, "streams"),
            opened: Tally::new(OPENED, "practice tables"),
            granted: Granted::default(),
            failures: Failures::default(),
            limited: OneByOne::default(),
            sitting: OneByOne::default(),
            sat_from: Mutex::default(),
            own_tables: Mutex::default(),
            measured,
            closing: watch::Sender::new(false),
            signed: Mutex::default(),
            proved: tokio::sync::Mutex::default(),
        }
    }

    /// Proves that the store takes a durable write, within a second.
    ///
    /// # Errors
    /// When it doesn't. The error names what is wrong.
    pub async fn proof(&self) -> Result<(), ApiError> {
        let mut proved = self.proved.lock().await;
        let known = proved.take().filter(|(at, _)| moment().saturating_duration_since(*at) < PROOF_LASTS);
        let (at, proof) = match known {
            Some(known) => known,
            None => {
                let proof = match tokio::time::timeout(PROOF_MOST, self.store().prove(now())).await {
                    Ok(proof) => proof.map_err(|error| error.fault()),
                    Err(_) => Err(self.silent()),
                };
                proof.as_ref().err().into_iter().for_each(faults::report);
                (moment(), proof)
            }
        };
        *proved = Some((at, proof.clone()));
        proof.map_err(|fault| {
            let words = format!("The log can't be written: {}. {}", fault.kind.what(), fault.kind.advice());
            ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "store", words, 1)
        })
    }

    /// Makes the fault of a store that doesn't prove in time. A SQLite file waits for the lock of another program.
    fn silent(&self) -> Fault {
        let kind = if self.store().file().is_some() { FaultKind::Busy } else { FaultKind::Unreachable };
        Fault { kind, why: format!("no answer within {} s", PROOF_MOST.as_secs()) }
    }

    /// Notes that the logs were verified and signed just now.
    pub(crate) fn note_signature(&self) {
        *self.signed.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Returns how long ago the logs were signed. None if the server doesn't sign.
    pub(crate) fn signature_age(&self) -> Option<Duration> {
        self.signed.lock().unwrap_or_else(PoisonError::into_inner).map(|signed| signed.elapsed())
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
            for gone in tables.extract_if(.., |known| known.id == table) {
                self.opened.one_less(client);
                self.opened_from.one_less(&gone.from);
            }
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
#[derive(Debug)]
pub(crate) struct Tally<K: Hash + Eq> {
    most: u32,
    what: &'static str,
    counts: Arc<Mutex<HashMap<K, u32>>>,
}

impl<K: Hash + Eq + Clone> Tally<K> {
    pub(crate) fn new(most: u32, what: &'static str) -> Tally<K> {
        Tally { most, what, counts: Arc::default() }
    }

    /// Counts one more for this client, until the returned value is dropped.
    pub(crate) fn one_more(&self, client: &K) -> Result<Counted<K>, ApiError> {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        let count = counts.entry(client.clone()).or_default();
        if *count >= self.most {
            let words = format!("One client can have at most {} {} at once.", self.most, self.what);
            return Err(ApiError::later(StatusCode::TOO_MANY_REQUESTS, "too-many", words, 10));
        }
        *count += 1;
        Ok(Counted { client: client.clone(), counts: Arc::clone(&self.counts) })
    }

    /// Counts one less for this client, of those that were kept.
    fn one_less(&self, client: &K) {
        drop(Counted { client: client.clone(), counts: Arc::clone(&self.counts) });
    }
}

/// One counted item. Dropping it counts one less.
pub(crate) struct Counted<K: Hash + Eq> {
    client: K,
    counts: Arc<Mutex<HashMap<K, u32>>>,
}

impl<K: Hash + Eq> Counted<K> {
    /// Keeps the count when this value goes away.
    pub(crate) fn keep(self) {
        std::mem::forget(self);
    }
}

impl<K: Hash + Eq> Drop for Counted<K> {
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
