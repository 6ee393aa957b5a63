//! A witness as a program of its own, run by somebody who doesn't run the tables. It knows servers by their public keys and keeps what they tell it:
//!
//! - the signed heads of their logs. A head that goes back, or that has another hash for the same row, is refused and kept as evidence;
//! - the hash of the row that closed the bets of each roll. It answers with a signature that is part of the dice, once for each roll: a second question
//!   about the same roll with another row is refused and kept as evidence.
//!
//! Everything is in a store of its own, so it is chained, durable before anybody hears of it, and can be audited.

use super::Answer;
use crate::clock::now;
use crate::config::Certificate;
use crate::error::ApiError;
use crate::net::{Crowd, Net, Patience};
use crate::server::{NotStarted, alone, listen};
use crate::tls::Tls;
use axum::extract::rejection::JsonRejection;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use craps_store::{
    AppendError, HeadKey, Lock, NewRow, Part, PublicKey, Question, Receipt, Row, SignedHead, Store, StoreError,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{Mutex, watch};
use tower_http::timeout::TimeoutLayer;

/// Log of what was refused.
const EVIDENCE: &str = "@evidence";
/// Log of the stores that were released.
const RELEASED: &str = "@released";
/// Maximum size of a request, in bytes.
const BODY_MOST: usize = 2 << 20;
/// Maximum time for a response.
const PATIENCE: Duration = Duration::from_secs(30);
/// Number of rows that are read at a time.
const PAGE: u32 = 1_000;
/// How many connections there can be, from one address and from all.
const CONNECTIONS: (usize, usize) = (64, 1_024);
/// How often a question is decided again while others are stored at the same time.
const TRIES: usize = 50;

/// The settings of a witness.
#[derive(Debug, Clone)]
pub struct WitnessConfig {
    /// Address to listen on.
    pub addr: SocketAddr,
    /// Its own database: a SQLite file.
    pub db: String,
    /// File of its key. None means the file next to the database.
    pub key: Option<PathBuf>,
    /// Public keys of the servers that it works for.
    pub servers: Vec<PublicKey>,
    /// The certificate for TLS. None means plain HTTP.
    pub tls: Option<Certificate>,
}

/// A witness that is set up and listening, but doesn't answer yet.
pub struct WitnessServer {
    host: Arc<Host>,
    listener: TcpListener,
    addr: SocketAddr,
    tls: Option<Arc<Tls>>,
    lock: Option<File>,
}

/// What a witness keeps.
struct Host {
    store: Store,
    key: HeadKey,
    servers: HashSet<PublicKey>,
    /// How often each store was released.
    released: HashMap<String, u64>,
    /// The last head of each log, by store and table. The lock is held while new ones are stored.
    heads: Mutex<BTreeMap<(String, String), SignedHead>>,
}

/// Says that a store may begin anew, for example after a backup was restored: heads may go back, and rolls may be asked about again, once. The witness
/// must not run meanwhile. What it has is kept.
///
/// # Errors
/// When the database can't be used, or the witness runs.
pub async fn release(db: &str, store: &str, reason: &str) -> Result<(), NotStarted> {
    let failed = |error: StoreError| NotStarted::Store { db: db.to_owned(), error };
    let own = Store::open_existing(db).await.map_err(failed)?;
    let _lock = own.file().map(alone).transpose()?;
    let body = json!({ "did": "released", "what": { "store": store, "reason": reason } }).to_string();
    let noted = own.note(RELEASED, now(), "", &body).await;
    own.close().await;
    noted.map(|_| ()).map_err(|error| failed(StoreError::Refused(error.to_string())))
}

impl WitnessServer {
    /// Opens the address, the database and the key.
    ///
    /// # Errors
    /// When one of them can't be used.
    pub async fn start(config: &WitnessConfig) -> Result<WitnessServer, NotStarted> {
        let tls = config.tls.as_ref().map(Tls::open).transpose()?.map(Arc::new);
        let (listener, addr) = listen(config.addr).await?;
        let failed = |error: StoreError| NotStarted::Store { db: config.db.clone(), error };
        let store = Store::open(&config.db).await.map_err(failed)?;
        let lock = store.file().map(alone).transpose()?;
        let file = config.key.clone().or_else(|| store.file().map(HeadKey::beside)).ok_or(NotStarted::Unsigned)?;
        let key = HeadKey::open_or_create(&file).map_err(failed)?;
        let (released, heads) = read(&store).await.map_err(failed)?;
        let servers = config.servers.iter().cloned().collect();
        let host = Arc::new(Host { store, key, servers, released, heads: Mutex::new(heads) });
        Ok(WitnessServer { host, listener, addr, tls, lock })
    }

    /// Returns the address it listens on.
    #[must_use]
    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    /// Returns its public key.
    #[must_use]
    pub fn key(&self) -> PublicKey {
        self.host.key.public()
    }

    /// Answers requests until `stop` completes.
    pub async fn run(self, stop: impl Future<Output = ()> + Send + 'static) {
        let WitnessServer { host, listener, tls, lock, .. } = self;
        let router = Router::new()
            .route("/health", get(|| async { "ok" }))
            .route("/key", get(|State(host): State<Arc<Host>>| async move { host.key.public().to_string() }))
            .route("/heads", get(heads).post(give))
            .route("/dice", post(dice))
            .route("/evidence", get(evidence))
            .fallback(|| async {
                ApiError::not_found(
                    "There is nothing at this address. A witness has /heads, /dice, /evidence, /key and /health.",
                )
            })
            .layer(DefaultBodyLimit::max(BODY_MOST))
            .layer(TimeoutLayer::with_status_code(StatusCode::GATEWAY_TIMEOUT, PATIENCE))
            .with_state(Arc::clone(&host));
        let crowd = Crowd { per_address: CONNECTIONS.0, total: CONNECTIONS.1, unlimited: Vec::new() };
        let (close, closing) = watch::channel(false);
        tokio::spawn(async move {
            stop.await;
            close.send_replace(true);
        });
        Net { listener, router, crowd, patience: Patience::default(), tls }.serve(closing).await;
        host.store.close().await;
        drop(lock);
    }
}

/// Reads how often each store was released, and the last heads since then.
async fn read(store: &Store) -> Result<(HashMap<String, u64>, BTreeMap<(String, String), SignedHead>), StoreError> {
    let (mut released, mut heads) = (HashMap::<String, u64>::new(), BTreeMap::new());
    for row in all(store, RELEASED).await? {
        let body: serde_json::Value = serde_json::from_str(&row.body).unwrap_or_default();
        *released.entry(body["what"]["store"].as_str().unwrap_or_default().to_owned()).or_default() += 1;
    }
    for (log, end) in store.logs().await? {
        if !log.starts_with("@heads:") {
            continue;
        }
        let last = store.load(&log, end.seq.saturating_sub(1), 1).await?.pop();
        let read = last.map(|row| serde_json::from_str::<SignedHead>(&row.body)).transpose();
        let head = read.map_err(|error| StoreError::Refused(format!("the log {log} can't be read: {error}")))?;
        heads.extend(
            head.filter(|head| log == log_of("heads", &released, &head.store, &head.table))
                .map(|head| ((head.store.clone(), head.table.clone()), head)),
        );
    }
    Ok((released, heads))
}

async fn all(store: &Store, log: &str) -> Result<Vec<Row>, StoreError> {
    let mut rows: Vec<Row> = Vec::new();
    loop {
        let more = store.load(log, rows.last().map_or(0, |row| row.seq), PAGE).await?;
        if more.is_empty() {
            return Ok(rows);
        }
        rows.extend(more);
    }
}

/// Returns the name of the log for a table. A store that was released has new logs.
fn log_of(kind: &str, released: &HashMap<String, u64>, store: &str, table: &str) -> String {
    format!("@{kind}:{}:{store}:{table}", released.get(store).copied().unwrap_or_default())
}

impl Host {
    fn knows(&self, key: &PublicKey) -> Result<(), ApiError> {
        if self.servers.contains(key) {
            return Ok(());
        }
        let words = format!("this witness doesn't know the key {key}. Its operator can name it with --server");
        Err(ApiError::new(StatusCode::FORBIDDEN, "unknown-key", words))
    }

    fn log(&self, kind: &str, store: &str, table: &str) -> String {
        log_of(kind, &self.released, store, table)
    }

    /// Keeps what contradicts something that was said before. The same contradiction is kept once.
    async fn remember(&self, key: String, body: serde_json::Value) -> Result<(), ApiError> {
        let new = NewRow { at: now(), client: String::new(), key: Some(key), body: body.to_string() };
        for _ in 0..TRIES {
            let end = self.store.head(EVIDENCE).await?;
            match self.store.append(EVIDENCE, end.seq, vec![new.clone()]).await {
                Ok(_) | Err(AppendError::Duplicate { .. }) => return Ok(()),
                Err(AppendError::Conflict { .. }) => {}
                Err(error) => return Err(not_stored(&error)),
            }
        }
        Err(busy())
    }

    /// Takes heads, unless they contradict what it has.
    async fn take(&self, heads: Vec<SignedHead>) -> Result<Receipt, ApiError> {
        for head in &heads {
            self.knows(&head.public_key)?;
            let lock =
                Lock { store: head.store.clone(), table: "t".to_owned(), hand: 1, throw: 1, row: head.hash.clone() };
            if !(head.is_genuine() && lock.is_plain() && is_log(&head.table)) {
                let words = format!(
                    "the head of {:?} at row {} isn't signed with its key, or isn't a head",
                    head.table, head.seq
                );
                return Err(ApiError::bad_request(words));
            }
        }
        let places: HashSet<(&str, &str)> =
            heads.iter().map(|head| (head.store.as_str(), head.table.as_str())).collect();
        if places.len() < heads.len() {
            return Err(ApiError::bad_request("a log can have only one head in a request"));
        }
        let mut known = self.heads.lock().await;
        let (mut new, mut parts, mut refused) = (Vec::new(), BTreeMap::<String, Part>::new(), None);
        for head in &heads {
            let place = (head.store.clone(), head.table.clone());
            match known.get(&place) {
                Some(before) if before.seq == head.seq && before.hash == head.hash => {}
                Some(before) if before.seq >= head.seq => {
                    let (table, came, had) = (&head.table, head.seq, before.seq);
                    let words = if came == had {
                        format!("it has another hash for row {came} of {table}")
                    } else {
                        format!("it has row {had} of {table}, so row {came} can't be its end")
                    };
                    let what = json!({ "did": "head-refused", "what": { "had": before, "came": head } });
                    self.remember(head.signature.clone(), what).await?;
                    refused = refused.or(Some(words));
                }
                _ => {
                    let log = self.log("heads", &head.store, &head.table);
                    if !parts.contains_key(&log) {
                        let expected = self.store.head(&log).await?.seq;
                        parts.insert(log.clone(), Part { table: log.clone(), expected, rows: Vec::new() });
                    }
                    let body = serde_json::to_string(head).map_err(|error| ApiError::bad_request(error.to_string()))?;
                    let row = NewRow { at: now(), client: String::new(), key: None, body };
                    if let Some(part) = parts.get_mut(&log) {
                        part.rows = vec![row];
                    }
                    new.push((place, head.clone()));
                }
            }
        }
        if !parts.is_empty() {
            self.store.append_all(parts.into_values().collect()).await.map_err(|error| not_stored(&error))?;
        }
        known.extend(new);
        match refused {
            Some(words) => Err(contradicts(words)),
            None => Ok(self.key.receipt(&heads, now())),
        }
    }

    /// Answers a question about a roll, once.
    async fn answer(&self, question: &Question) -> Result<Answer, ApiError> {
        let lock = &question.lock;
        self.knows(&question.public_key)?;
        if !(question.is_genuine() && lock.is_plain()) {
            return Err(ApiError::bad_request("the question isn't signed with its key, or it isn't about a roll"));
        }
        let log = self.log("dice", &lock.store, &lock.table);
        let key = format!("{}/{}", lock.hand, lock.throw);
        let body = serde_json::to_string(question).map_err(|error| ApiError::bad_request(error.to_string()))?;
        let new = NewRow { at: now(), client: String::new(), key: Some(key.clone()), body };
        for _ in 0..TRIES {
            let before = match self.store.find(&log, "", &key).await? {
                Some(row) => row,
                None => {
                    let end = self.store.head(&log).await?.seq;
                    match self.store.append(&log, end, vec![new.clone()]).await {
                        Ok(_) => return Ok(Answer { answer: self.key.answer(lock) }),
                        Err(AppendError::Duplicate { row }) => *row,
                        Err(AppendError::Conflict { .. }) => continue,
                        Err(error) => return Err(not_stored(&error)),
                    }
                }
            };
            let before: Question =
                serde_json::from_str(&before.body).map_err(|error| ApiError::bad_request(error.to_string()))?;
            if before.lock == *lock {
                return Ok(Answer { answer: self.key.answer(lock) });
            }
            let what = json!({ "did": "question-refused", "what": { "had": before, "came": question } });
            self.remember(question.signature.clone(), what).await?;
            let Lock { table, hand, throw, .. } = lock;
            return Err(contradicts(format!(
                "it has answered for roll {throw} of hand {hand} at {table}, with another row that closed the bets"
            )));
        }
        Err(busy())
    }
}

/// Is this the name of a log, of a table or of a store itself?
fn is_log(name: &str) -> bool {
    (1..=100).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_graphic())
}

fn contradicts(words: String) -> ApiError {
    ApiError::new(StatusCode::CONFLICT, "contradicts", words)
}

fn busy() -> ApiError {
    ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "busy", "Too many requests at once. Try again in a moment.", 1)
}

fn not_stored(error: &AppendError) -> ApiError {
    tracing::error!(%error, "the witness can't write to its store");
    ApiError::later(
        StatusCode::SERVICE_UNAVAILABLE,
        "store",
        "The witness can't write to its store now. Try again in a moment.",
        1,
    )
}

type Body<T> = Result<Json<T>, JsonRejection>;

fn read_body<T>(body: Body<T>) -> Result<T, ApiError> {
    body.map(|Json(body)| body).map_err(|error| ApiError::bad_request(error.body_text()))
}

async fn give(State(host): State<Arc<Host>>, body: Body<Vec<SignedHead>>) -> Result<Json<Receipt>, ApiError> {
    Ok(Json(host.take(read_body(body)?).await?))
}

async fn dice(State(host): State<Arc<Host>>, body: Body<Question>) -> Result<Json<Answer>, ApiError> {
    Ok(Json(host.answer(&read_body(body)?).await?))
}

/// Which heads are wanted: of a store, or signed with a key. None means all.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Which {
    store: Option<String>,
    key: Option<PublicKey>,
}

async fn heads(State(host): State<Arc<Host>>, Query(which): Query<Which>) -> Result<Response, ApiError> {
    if let Some(key) = &which.key {
        host.knows(key)?;
    }
    let known = host.heads.lock().await;
    let is_wanted = |head: &&SignedHead| match (&which.store, &which.key) {
        (None, None) => true,
        (store, key) => store.as_ref() == Some(&head.store) || key.as_ref() == Some(&head.public_key),
    };
    Ok(lines(known.values().filter(is_wanted)))
}

async fn evidence(State(host): State<Arc<Host>>) -> Result<Response, ApiError> {
    Ok(lines(all(&host.store, EVIDENCE).await?.iter()))
}

/// Writes one JSON document per line.
fn lines<T: Serialize>(all: impl Iterator<Item = T>) -> Response {
    let lines: String = all.filter_map(|one| Some(serde_json::to_string(&one).ok()? + "\n")).collect();
    ([(CONTENT_TYPE, "application/x-ndjson")], lines).into_response()
}
