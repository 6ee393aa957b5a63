//! People: who is asking, what they may do, and how often.
//!
//! Every request passes the [`gate`]. It learns who asks from a session's cookie or a bearer's token, counts how often they do, and
//! looks into the one table of [`access`]; what has no row there is denied. Nothing is remembered between requests, so whatever is taken from
//! somebody is gone with their next one.

pub mod access;
mod buckets;
mod limits;
pub mod password;
mod peer;
mod principal;
pub mod records;
mod role;
pub(crate) mod session;

use crate::app::{App, Shared};
use crate::error::ApiError;
use crate::live::pit::now;
use axum::RequestExt;
use axum::extract::{ConnectInfo, MatchedPath, RawPathParams, Request, State};
use axum::http::header::UPGRADE;
use axum::http::uri::PathAndQuery;
use axum::http::{Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use buckets::{Buckets, Pace};
use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};
use tokio::sync::{Semaphore, SemaphorePermit};

pub(crate) use limits::{Asked, LimitsShown};
pub use peer::Peer;
#[cfg(test)]
pub(crate) use peer::is_own_origin;
pub use principal::{Credential, Kind, Principal};
pub use role::{Role, Scope};

/// How many clients are counted at once.
const CLIENTS: usize = 50_000;
/// What is always answered: whether we are there at all.
const ALWAYS: [&str; 2] = ["/health", "/ready"];
/// How many passwords are tried at once: each takes a core and memory for a while.
const PASSWORDS_AT_ONCE: usize = 2;
/// How many more may wait for that.
const PASSWORDS_WAITING: usize = 32;
/// How often sessions that have ended are forgotten.
const SWEEP: Duration = Duration::from_secs(300);

/// What the house sets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The proxies that are believed about whom they carry and how.
    pub trusted_proxies: Vec<IpAddr>,
    /// Origins of pages that may ask besides our own.
    pub origins: Vec<String>,
    /// How many requests and messages a second a client may send.
    pub rate: u32,
    /// How many at once.
    pub burst: u32,
    /// How many guests may come from one address in a minute.
    pub guests: u32,
    /// How many requests and messages of all clients are being answered at once. More are turned away at the door: those inside wait for the log,
    /// and a longer line would only make all of them wait longer.
    pub turns: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { trusted_proxies: Vec::new(), origins: Vec::new(), rate: 50, burst: 200, guests: 60, turns: 1_024 }
    }
}

/// Who asks too often: a client, or an address of which more is not known.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Counted {
    Client(String),
    Address(IpAddr),
}

/// The desk at the door: what is counted there.
#[derive(Debug)]
pub struct Desk {
    settings: Settings,
    asks: Buckets<Counted>,
    guests: Buckets<IpAddr>,
    tries_by_name: Buckets<String>,
    tries_by_address: Buckets<IpAddr>,
    words: Buckets<String>,
    passwords: Semaphore,
    passwords_waiting: Semaphore,
    turns: Semaphore,
}

impl Desk {
    /// A desk with these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Desk {
        let each = |seconds: u64, burst: u32| Pace { each: Duration::from_secs(seconds), burst };
        let guests = settings.guests.max(1);
        Desk {
            asks: Buckets::new(Pace::per_second(settings.rate, settings.burst), CLIENTS),
            guests: Buckets::new(Pace { each: Duration::from_secs(60) / guests, burst: guests }, CLIENTS),
            tries_by_name: Buckets::new(each(10, 10), CLIENTS),
            tries_by_address: Buckets::new(each(5, 30), CLIENTS),
            words: Buckets::new(each(2, 5), CLIENTS),
            passwords: Semaphore::new(PASSWORDS_AT_ONCE),
            passwords_waiting: Semaphore::new(PASSWORDS_AT_ONCE + PASSWORDS_WAITING),
            turns: Semaphore::new(usize::try_from(settings.turns).unwrap_or(Semaphore::MAX_PERMITS)),
            settings,
        }
    }

    /// What the house sets.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A turn to be answered, for as long as it is kept.
    ///
    /// # Errors
    /// When too many have one.
    pub fn turn(&self) -> Result<SemaphorePermit<'_>, ApiError> {
        let words = "too many are asking at once: try again in a moment";
        let busy = |_| ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "busy", words, 1);
        self.turns.try_acquire().map_err(busy)
    }

    /// One more guest from there?
    pub(crate) fn count_guest(&self, peer: Peer) -> Result<(), ApiError> {
        self.guests.take(&peer.subscriber(), Instant::now()).map_err(too_often)
    }

    /// Something more to be said to others by this client?
    pub(crate) fn count_words(&self, client: &str) -> Result<(), ApiError> {
        self.words.take(&client.to_owned(), Instant::now()).map_err(too_often)
    }

    /// One more try to sign in: by this name, from there?
    pub(crate) fn count_try(&self, name: &str, peer: Peer) -> Result<(), ApiError> {
        let at = Instant::now();
        self.tries_by_address.take(&peer.subscriber(), at).map_err(too_often)?;
        self.tries_by_name.take(&counted(name), at).map_err(too_often)
    }

    /// It was them after all. An address gets back this one try only: whoever has an account of their own must not guess on with it.
    pub(crate) fn forgive_tries(&self, name: &str, peer: Peer) {
        self.tries_by_name.forgive(&counted(name));
        self.tries_by_address.give_back(&peer.subscriber());
    }

    /// Does something slow with a password where it keeps nobody else waiting.
    pub(crate) async fn with_password<T: Send + 'static>(
        &self,
        slow: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let busy = || {
            let words = "too many are signing in at once: try again in a moment";
            ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "busy", words, 1)
        };
        let _waiting = self.passwords_waiting.try_acquire().map_err(|_| busy())?;
        let _turn = self.passwords.acquire().await.map_err(|_| busy())?;
        tokio::task::spawn_blocking(slow).await.map_err(|_| busy())
    }
}

/// What is kept of a name that was tried: however long it was, and whatever it was.
fn counted(name: &str) -> String {
    craps_store::token_hash(&name.to_lowercase())
}

fn too_often(wait: Duration) -> ApiError {
    let seconds = u32::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX).max(1);
    let words = format!("too many requests: try again in {seconds} s");
    ApiError::later(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", words, seconds)
}

impl Principal {
    /// Counts one more request or message of theirs.
    ///
    /// # Errors
    /// When they ask too often.
    pub fn spend(&self, app: &App) -> Result<(), ApiError> {
        let counted = match self.kind {
            Kind::Anonymous => Counted::Address(self.peer.subscriber()),
            _ => Counted::Client(self.client()),
        };
        app.desk.asks.take(&counted, Instant::now()).map_err(too_often)
    }
}

/// Is it a table where anybody may play?
///
/// # Errors
/// When there is no such table, or the log is out of reach.
pub(crate) async fn is_practice(app: &App, table: &str) -> Result<bool, ApiError> {
    Ok(app.pit.fixed(table).await?.practice)
}

/// The line before the gate: whoever would wait too long is turned away before anything is done for them.
pub async fn line(State(app): State<Shared>, request: Request, next: Next) -> Response {
    match app.desk.turn() {
        Ok(_turn) => next.run(request).await,
        Err(_) if ALWAYS.contains(&request.uri().path()) => next.run(request).await,
        Err(busy) => busy.into_response(),
    }
}

/// The gate that every request passes.
pub async fn gate(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    match admitted(&app, &mut request).await {
        Ok(principal) => {
            request.extensions_mut().insert(principal);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    }
}

async fn admitted(app: &App, request: &mut Request) -> Result<Principal, ApiError> {
    // The router's own reading of the path, so that the gate and the route never mean two tables.
    let params = request.extract_parts::<RawPathParams>().await;
    let (uri, headers) = (request.uri(), request.headers());
    let connected = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| *address);
    let peer = Peer::of(&app.desk.settings, connected, uri, headers);
    let mut principal = match Principal::of(app, peer, headers).await {
        Ok(principal) => principal,
        Err(error) => {
            app.desk.asks.take(&Counted::Address(peer.subscriber()), Instant::now()).map_err(too_often)?;
            return Err(error);
        }
    };
    principal.spend(app)?;
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD) || headers.contains_key(UPGRADE);
    if changes && !peer::is_own_origin(&app.desk.settings, uri, headers) {
        let words = "pages of that origin may not ask this server";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "origin", words));
    }
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let row = matched.and_then(|path| access::of(request.method(), path));
    let row = row.ok_or_else(|| ApiError::forbidden("nobody may ask this"))?;
    let params = params.map_err(|_| ApiError::bad_request("this address is no text"))?;
    let table = params.iter().find(|(name, _)| *name == access::TABLE_PARAM).map(|(_, table)| table);
    // The store has logs of its own among those of tables; whoever reads tables does not read them there.
    if let Some(other) = table.filter(|table| !craps_store::is_table(table)) {
        return Err(ApiError::not_found(format!("there is no table `{other}`")));
    }
    if table.is_some() {
        principal.invitation = take_invitation(request.uri_mut());
    }
    access::check(app, &principal, row.rule, table).await?;
    Ok(principal)
}

/// Takes the invitation to a private table out of the query of an address: the rest of it is for the route to read.
fn take_invitation(uri: &mut Uri) -> Option<String> {
    const NAME: &str = "invitation=";
    let is_one = |part: &&str| part.starts_with(NAME);
    let query = uri.query()?;
    let shown = query.split('&').find(is_one)?.get(NAME.len()..)?.to_owned();
    let rest = query.split('&').filter(|part| !is_one(part)).collect::<Vec<_>>().join("&");
    let path = uri.path();
    let without = if rest.is_empty() { path.to_owned() } else { format!("{path}?{rest}") };
    let mut parts = uri.clone().into_parts();
    parts.path_and_query = PathAndQuery::try_from(without).ok();
    *uri = Uri::from_parts(parts).ok()?;
    Some(shown)
}

/// Forgets sessions that have ended, now and then, for as long as it is let run.
pub async fn sweep(app: Shared) {
    let mut often = tokio::time::interval(SWEEP);
    loop {
        often.tick().await;
        // What could not be forgotten now will be later; it does not hold either way.
        let _ = app.store().people().drop_expired_sessions(now()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invitation_is_taken_out_of_an_address_and_nothing_else() {
        let taken = |text: &str| {
            let mut uri: Uri = text.parse().unwrap();
            let shown = take_invitation(&mut uri);
            (shown.unwrap_or_default(), uri.to_string())
        };
        let pair = |shown: &str, uri: &str| (shown.to_owned(), uri.to_owned());
        assert_eq!(taken("/tables/t?invitation=ab12"), pair("ab12", "/tables/t"));
        assert_eq!(
            taken("/tables/t/rolls?after=3&invitation=ab&limit=2"),
            pair("ab", "/tables/t/rolls?after=3&limit=2")
        );
        assert_eq!(taken("http://h:1/tables/t?invitation=ab"), pair("ab", "http://h:1/tables/t"));
        assert_eq!(taken("/tables/t?invitation="), pair("", "/tables/t"));
        for other in ["/tables/t", "/tables/t?after=3", "/tables/t?not_invitation=3"] {
            assert_eq!(taken(other), pair("", other));
        }
    }
}
