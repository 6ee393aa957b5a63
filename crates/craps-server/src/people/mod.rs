//! People: authentication, authorization and rate limits.
//!
//! Every request passes the [`gate`]. It identifies the caller by session cookie or bearer token, applies the rate limit, and looks up the route in
//! the table of [`access`]. A route without a row there is denied. Nothing is cached between requests, so revoked rights end with the next request.

pub mod access;
mod buckets;
pub(crate) mod factor;
mod failures;
mod granted;
mod limits;
pub mod password;
mod peer;
mod principal;
pub mod records;
mod role;
pub(crate) mod session;
mod turns;

use crate::app::{App, Shared, Tally};
use crate::aside::aside;
use crate::clock::moment;
use crate::error::ApiError;
use crate::input;
use crate::net::Encrypted;
use axum::RequestExt;
use axum::body::{Body, HttpBody, to_bytes};
use axum::extract::{ConnectInfo, MatchedPath, RawPathParams, Request, State};
use axum::http::header::{STRICT_TRANSPORT_SECURITY, UPGRADE};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderValue, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use buckets::{Buckets, Pace};
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;
use tokio::sync::{Semaphore, SemaphorePermit};

pub use factor::SecondFactor;
pub(crate) use failures::Failures;
pub(crate) use granted::Granted;
pub(crate) use limits::{Asked, LimitsShown, record_of};
pub use peer::Peer;
#[cfg(test)]
pub(crate) use peer::is_own_origin;
pub(crate) use peer::subscriber;
pub use principal::{Credential, Kind, Principal};
pub use role::{Role, Scope};
pub(crate) use turns::OneByOne;
use turns::{Spread, Turn};

/// Maximum number of clients in a rate limit.
const CLIENTS: usize = 50_000;
/// When half of the turns are taken, one client can have this part of all turns.
const SHARES: u32 = 64;
/// Paths that skip the limit on concurrent requests, so that health checks always get an answer.
const ALWAYS: [&str; 2] = ["/health", "/ready"];
/// Maximum number of bodies that one address sends at the same time.
const BODIES: u32 = 32;
/// Maximum time for sending a body: a whole game, or any other. It is shorter than the time for the whole request, so that the client is told why.
const BODY_TIME: Duration = Duration::from_secs(10);
const GAME_TIME: Duration = Duration::from_secs(20);
/// Maximum number of password hashes computed at once. Each takes a core and much memory for a while.
const PASSWORDS_AT_ONCE: usize = 2;
/// Maximum number of requests that wait to compute a password hash.
const PASSWORDS_WAITING: usize = 32;
/// Tells browsers to use only TLS from now on, for a year.
const ONLY_TLS: &str = "max-age=31536000";
/// How often expired sessions are deleted.
const SWEEP: Duration = Duration::from_secs(300);

/// Settings of the operator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Addresses of proxies whose forwarding headers are trusted.
    pub trusted_proxies: Vec<IpAddr>,
    /// Origins of other pages that may call this server.
    pub origins: Vec<String>,
    /// Requests and messages per second that one client may send.
    pub rate: u32,
    /// Requests and messages that one client may send at once.
    pub burst: u32,
    /// New guests per minute from one address.
    pub guests: u32,
    /// Maximum number of requests and messages of all clients in progress. More are rejected at once: requests in progress wait for the log, and a
    /// longer queue would only make all of them slower.
    pub turns: u32,
    /// Connections that one address may have open. Trusted proxies may have any number.
    pub connections: u32,
    /// Seats of public practice tables that the people of one address may have.
    pub seats: u32,
    /// Practice tables that the people of one address may have open.
    pub tables: u32,
    /// Who needs a second factor.
    pub second_factor: SecondFactor,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            trusted_proxies: Vec::new(),
            origins: Vec::new(),
            rate: 50,
            burst: 200,
            guests: 60,
            turns: 1_024,
            connections: 256,
            seats: 24,
            tables: 30,
            second_factor: SecondFactor::None,
        }
    }
}

/// Key of the request limit: a known client, or else an address.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Counted {
    Client(String),
    Address(IpAddr),
}

/// All rate limits of the server.
#[derive(Debug)]
pub struct Desk {
    settings: Settings,
    asks: Buckets<Counted>,
    guests: Buckets<IpAddr>,
    tries_by_name: Buckets<(String, IpAddr)>,
    tries_by_address: Buckets<IpAddr>,
    codes: Buckets<String>,
    words: Buckets<String>,
    passwords: Semaphore,
    passwords_waiting: Semaphore,
    turns: Semaphore,
    /// Turns that each client has.
    own_turns: Tally<Counted>,
    spread: Spread,
    bodies: Tally<IpAddr>,
}

impl Desk {
    /// Creates the limits from these settings.
    #[must_use]
    pub fn new(settings: Settings) -> Desk {
        let each = |seconds: u64, burst: u32| Pace { each: Duration::from_secs(seconds), burst };
        let guests = settings.guests.max(1);
        Desk {
            asks: Buckets::new(Pace::per_second(settings.rate, settings.burst), CLIENTS),
            guests: Buckets::new(Pace { each: Duration::from_secs(60) / guests, burst: guests }, CLIENTS),
            tries_by_name: Buckets::new(each(10, 10), CLIENTS),
            tries_by_address: Buckets::new(each(5, 30), CLIENTS),
            codes: Buckets::new(each(30, 20), CLIENTS),
            words: Buckets::new(each(2, 5), CLIENTS),
            passwords: Semaphore::new(PASSWORDS_AT_ONCE),
            passwords_waiting: Semaphore::new(PASSWORDS_AT_ONCE + PASSWORDS_WAITING),
            turns: Semaphore::new(usize::try_from(settings.turns).unwrap_or(Semaphore::MAX_PERMITS)),
            own_turns: Tally::new((settings.turns / SHARES).max(1), "requests in progress"),
            spread: Spread::new(settings.turns),
            bodies: Tally::new(BODIES, "bodies on their way"),
            settings,
        }
    }

    /// Returns the settings of the operator.
    pub(crate) fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Reserves a place for one request in progress, for as long as the permit is kept.
    ///
    /// # Errors
    /// When too many requests are in progress.
    pub fn turn(&self) -> Result<SemaphorePermit<'_>, ApiError> {
        self.turns.try_acquire().map_err(|_| self.busy())
    }

    /// Reserves a place for one request of this client. When half of the places are taken, no client gets many.
    ///
    /// # Errors
    /// When too many requests are in progress.
    pub(crate) fn turn_of(&self, principal: &Principal) -> Result<Turn<'_>, ApiError> {
        let place = self.turn()?;
        let own = self.own_turns.one_more(&counted_as(principal)).ok();
        let taken =
            self.settings.turns.saturating_sub(u32::try_from(self.turns.available_permits()).unwrap_or(u32::MAX));
        match own {
            None if taken > self.settings.turns / 2 => Err(self.busy()),
            own => Ok(Turn::new(place, own)),
        }
    }

    /// Are all places for requests taken?
    fn is_full(&self) -> bool {
        self.turns.available_permits() == 0
    }

    /// Says when to try again. Those who are turned away at the same time come back one after the other.
    fn busy(&self) -> ApiError {
        let words = "The server is busy. Try again in a moment.";
        ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "busy", words, self.spread.seconds(moment()))
    }

    /// Counts a new guest from this address.
    pub(crate) fn count_guest(&self, peer: Peer) -> Result<(), ApiError> {
        self.guests.take(&peer.subscriber(), moment()).map_err(too_often)
    }

    /// Counts a chat message of this client.
    pub(crate) fn count_words(&self, client: &str) -> Result<(), ApiError> {
        self.words.take(&client.to_owned(), moment()).map_err(too_often)
    }

    /// Counts an attempt to sign in with this name from this address.
    pub(crate) fn count_try(&self, name: &str, peer: Peer) -> Result<(), ApiError> {
        let at = moment();
        self.tries_by_address.take(&peer.subscriber(), at).map_err(too_often)?;
        // Counted for each address apart, so that nobody else can lock the owner of the name out.
        self.tries_by_name.take(&(counted(name), peer.subscriber()), at).map_err(too_often)
    }

    /// Resets the attempts for this name after a success. The address gets back only this one attempt; otherwise people could sign in to their own
    /// account to keep guessing the passwords of others.
    pub(crate) fn forgive_tries(&self, name: &str, peer: Peer) {
        self.tries_by_name.forgive(&(counted(name), peer.subscriber()));
        self.tries_by_address.give_back(&peer.subscriber());
    }

    /// Gives an attempt back that was neither right nor wrong: the password was right, and the code of the second factor is still to come.
    pub(crate) fn give_back_try(&self, name: &str, peer: Peer) {
        self.tries_by_name.give_back(&(counted(name), peer.subscriber()));
        self.tries_by_address.give_back(&peer.subscriber());
    }

    /// Counts a code of the second factor of this account, from all addresses together: a code is short enough to be guessed from many. Only those
    /// who know the password get this far, and a recovery code still lets the owner in.
    pub(crate) fn count_code(&self, account: &str) -> Result<(), ApiError> {
        let taken = self.codes.take(&account.to_owned(), moment());
        taken.map_err(|wait| too_often(wait).and("A recovery code works at once."))
    }

    /// Gives a code back that was right. Those of somebody else stay counted.
    pub(crate) fn give_back_code(&self, account: &str) {
        self.codes.give_back(&account.to_owned());
    }

    /// Runs a slow password function on a worker thread.
    pub(crate) async fn with_password<T: Send + 'static>(
        &self,
        slow: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let busy = || {
            let words = "Too many people are signing in at once. Try again in a moment.";
            ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "busy", words, 1)
        };
        let _waiting = self.passwords_waiting.try_acquire().map_err(|_| busy())?;
        let _turn = self.passwords.acquire().await.map_err(|_| busy())?;
        aside(slow).await.ok_or_else(busy)
    }
}

/// Returns the key under which attempts for a name are counted: a hash, so that its size is fixed.
fn counted(name: &str) -> String {
    craps_store::token_hash(&name.to_lowercase())
}

fn too_often(wait: Duration) -> ApiError {
    let seconds = u32::try_from(wait.as_millis().div_ceil(1_000)).unwrap_or(u32::MAX).max(1);
    let words = format!("Too many requests. Try again in {seconds} s.");
    ApiError::later(StatusCode::TOO_MANY_REQUESTS, "too-many-requests", words, seconds)
}

impl Principal {
    /// Counts one request or message of the caller.
    ///
    /// # Errors
    /// When the caller exceeds the rate limit.
    pub fn spend(&self, app: &App) -> Result<(), ApiError> {
        app.desk.asks.take(&counted_as(self), moment()).map_err(too_often)
    }
}

/// Returns the key under which the requests of a caller are counted.
fn counted_as(principal: &Principal) -> Counted {
    match principal.kind {
        Kind::Anonymous => Counted::Address(principal.peer.subscriber()),
        _ => Counted::Client(principal.client()),
    }
}

/// Returns true for a practice table, where anybody may play.
///
/// # Errors
/// When there is no such table, or the log can't be read.
pub(crate) async fn is_practice(app: &App, table: &str) -> Result<bool, ApiError> {
    Ok(app.pit.fixed(table).await?.practice)
}

/// Middleware that identifies the caller and checks their rights. Every request to a route passes it.
pub async fn gate(State(app): State<Shared>, mut request: Request, next: Next) -> Response {
    let passed = async {
        let always = ALWAYS.contains(&request.uri().path());
        // A full server turns requests away before it does any work for them.
        if app.desk.is_full() && !always {
            return Err(app.desk.busy());
        }
        let principal = admitted(&app, &mut request).await?;
        let request = whole(&app, principal.peer, request).await?;
        // The turn is taken when everything is there, so that slow clients hold none.
        let turn = match app.desk.turn_of(&principal) {
            Err(_) if always => None,
            turn => Some(turn?),
        };
        Ok::<_, ApiError>((principal, request, turn))
    };
    match passed.await {
        Ok((principal, mut request, _turn)) => {
            request.extensions_mut().insert(principal);
            next.run(request).await
        }
        Err(error) => error.into_response(),
    }
}

/// Middleware that tells browsers to use only TLS from now on, in every answer that goes out over TLS. Not for this machine's own names: there,
/// other programs may answer without TLS.
pub(crate) async fn only_tls(State(app): State<Shared>, request: Request, next: Next) -> Response {
    let peer = peer_of(&app, &request);
    let mut response = next.run(request).await;
    if peer.secure && !peer.local {
        response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HeaderValue::from_static(ONLY_TLS));
    }
    response
}

/// Reads the whole body of a request.
async fn whole(app: &App, peer: Peer, request: Request) -> Result<Request, ApiError> {
    if request.body().is_end_stream() {
        return Ok(request);
    }
    let _counted = app.desk.bodies.one_more(&peer.subscriber())?;
    let path = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str).unwrap_or_default();
    let (most, time) = match input::GAMES.contains(&path) {
        true => (input::GAME_MOST, GAME_TIME),
        false => (input::BODY_MOST, BODY_TIME),
    };
    let (parts, body) = request.into_parts();
    let slow = |_| {
        let words = format!("The body of a request must arrive within {} s.", time.as_secs());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, "slow", words)
    };
    let bytes = tokio::time::timeout(time, to_bytes(body, most)).await.map_err(slow)?;
    Ok(Request::from_parts(parts, Body::from(bytes.map_err(|_| input::too_large(most))?)))
}

/// Counts a request that has no route, so that such requests have a limit too.
pub(crate) fn count_stray(app: &App, request: &Request) -> Result<(), ApiError> {
    let address = Counted::Address(peer_of(app, request).subscriber());
    app.desk.asks.take(&address, moment()).map_err(too_often)
}

fn peer_of(app: &App, request: &Request) -> Peer {
    let connected = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|ConnectInfo(address)| *address);
    let encrypted = request.extensions().get::<Encrypted>().is_some();
    Peer::of(&app.desk.settings, connected, encrypted, request.uri(), request.headers())
}

async fn admitted(app: &App, request: &mut Request) -> Result<Principal, ApiError> {
    // Use the router's own path parameters, so that the gate and the handler always mean the same table.
    let params = request.extract_parts::<RawPathParams>().await;
    let peer = peer_of(app, request);
    let (uri, headers) = (request.uri(), request.headers());
    let mut principal = match Principal::of(app, peer, headers).await {
        Ok(principal) => principal,
        Err(error) => {
            app.desk.asks.take(&Counted::Address(peer.subscriber()), moment()).map_err(too_often)?;
            return Err(error);
        }
    };
    principal.spend(app)?;
    let changes = !matches!(*request.method(), Method::GET | Method::HEAD) || headers.contains_key(UPGRADE);
    if changes && !peer::is_own_origin(&app.desk.settings, uri, headers) {
        let words = "Pages of that origin may not call this server.";
        return Err(ApiError::new(StatusCode::FORBIDDEN, "origin", words));
    }
    let matched = request.extensions().get::<MatchedPath>().map(MatchedPath::as_str);
    let row = matched.and_then(|path| access::of(request.method(), path));
    let row = row.ok_or_else(|| ApiError::forbidden("Nobody may call this route."))?;
    let params = params.map_err(|_| ApiError::bad_request("path: expected UTF-8 text"))?;
    let table = params.iter().find(|(name, _)| *name == access::TABLE_PARAM).map(|(_, table)| table);
    // The store also keeps logs that belong to no table. They can't be read as tables.
    if let Some(other) = table.filter(|table| !craps_store::is_table(table)) {
        return Err(ApiError::not_found(format!("There is no table `{other}`.")));
    }
    if table.is_some() {
        principal.invitation = take_invitation(request.uri_mut());
    }
    access::admit(app, &principal, row, table).await?;
    Ok(principal)
}

/// Removes the invitation to a private table from the query of a URL and returns it. The handler reads the rest of the query.
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

/// Deletes expired sessions at regular intervals. It never returns.
pub async fn sweep(app: Shared) {
    let mut often = tokio::time::interval(SWEEP);
    loop {
        often.tick().await;
        // A failed deletion is retried next time. Expired sessions are invalid anyway.
        let _ = app.store().people().drop_expired_sessions(app.pit.clock().now()).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_success_resets_the_tries_of_a_name_and_gives_the_address_one_back() {
        let desk = Desk::new(Settings::default());
        let peer = |last: u8| Peer { address: IpAddr::from([192, 0, 2, last]), secure: true, local: false };
        // Returns how many tries are counted before one is refused. The address counts the refused one, too.
        let tries = |name: &str, last: u8| (0..99).take_while(|_| desk.count_try(name, peer(last)).is_ok()).count();
        assert_eq!(tries("Ann", 1), 10);
        desk.forgive_tries("ANN", peer(1));
        assert_eq!(tries("Ann", 1), 10);
        assert_eq!(tries("Bo", 1), 9, "30 from one address: 10 of Ann, 11 of Ann, 9 of Bo");
        assert_eq!(tries("Bo", 2), 10, "others don't lock Bo out");
    }

    #[test]
    fn one_client_can_not_take_all_turns_of_a_busy_server() {
        let desk = Desk::new(Settings { turns: 128, ..Settings::default() });
        let caller = |last: u8| {
            Principal::anonymous(Peer { address: IpAddr::from([192, 0, 2, last]), secure: true, local: false })
        };
        let taken = |last: u8, most: usize| -> Vec<Turn<'_>> {
            std::iter::from_fn(|| desk.turn_of(&caller(last)).ok()).take(most).collect()
        };
        let greedy = taken(1, 1_000);
        assert_eq!(greedy.len(), 64, "as long as others leave half of the turns free");
        let others: Vec<_> = (2..34).map(|last| taken(last, 1_000)).collect();
        assert!(others.iter().all(|own| own.len() == 2), "then everybody gets the same");
        assert!(desk.is_full() && desk.turn_of(&caller(40)).is_err());
        drop(greedy);
        assert!(desk.turn_of(&caller(40)).is_ok());
    }

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
