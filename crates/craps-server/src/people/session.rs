//! Sessions: the cookie holds a random token and a mark, and the store holds the hash of the token. The mark follows from the sealing key and from what
//! the store says about the session. So nobody who can write to the database can add a session, or make one that of somebody else.

use super::Credential;
use crate::app::App;
use crate::error::ApiError;
use crate::live::pit::now;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use craps_store::{Limits, Session, Store, StoreError, new_id, token_hash};
use tokio::sync::{mpsc, oneshot};

/// Name of the session cookie. Browsers send it only to this host, over TLS or on this machine, and hide it from scripts and other sites.
pub const COOKIE_NAME: &str = "__Host-session";
/// Prefix of a guest's id.
pub const GUEST: &str = "g:";

/// Maximum number of sessions in one lookup.
const AT_ONCE: usize = 128;
const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// Lifetime of a session in milliseconds: without use, and in total.
#[derive(Debug, PartialEq, Eq)]
struct Span {
    idle: i64,
    whole: i64,
}

impl Span {
    /// Returns the time when a session expires that began at `created` and was last used at `at`.
    fn until(&self, created: i64, at: i64) -> i64 {
        (at + self.idle).min(created + self.whole)
    }
}

const ACCOUNTS: Span = Span { idle: HOUR, whole: 12 * HOUR };
const GUESTS: Span = Span { idle: 24 * HOUR, whole: 7 * 24 * HOUR };

fn span(account: &str) -> Span {
    if account.starts_with(GUEST) { GUESTS } else { ACCOUNTS }
}

/// When somebody showed who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Proven {
    /// Time of the sign-in.
    pub(crate) signed_in: i64,
    /// Time when the account's second factor was shown.
    pub(crate) factor: Option<i64>,
}

impl Proven {
    /// Makes the proof of a sign-in at this moment.
    pub(crate) fn now(factor: Option<i64>) -> Proven {
        Proven { signed_in: now(), factor }
    }
}

/// A session cookie that somebody showed. The token itself isn't kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ticket {
    /// Hash of the token.
    pub(crate) hash: String,
    /// Mark of the session, and the time of its second factor.
    pub(super) mark: String,
}

/// Length of the token in a cookie, in hex digits. The mark follows it.
const TOKEN: usize = 32;
/// Lengths of cookies, in hex digits: of a session without a second factor, and of one with it.
const COOKIES: [usize; 2] = [64, 80];

/// Starts a session. Returns the cookie, and what it shows.
///
/// # Errors
/// When it cannot be stored.
pub(crate) async fn begin(app: &App, account: &str, proven: Proven) -> Result<(HeaderValue, Ticket), ApiError> {
    let (token, at, seal) = (new_id()?, now(), app.pit.seal().await?);
    let (span, Proven { signed_in, factor }) = (span(account), proven);
    let session = Session {
        token: token_hash(&token),
        account: account.to_owned(),
        created: signed_in,
        seen: at,
        expires: span.until(signed_in, at),
        factor,
    };
    app.store().people().add_session(&session).await?;
    let mark = seal.mark(&session);
    Ok((cookie(&format!("{token}{mark}"), span.whole / 1_000), Ticket { hash: session.token, mark }))
}

/// Returns a random id for a new guest.
///
/// # Errors
/// When the system has no randomness.
pub fn new_guest() -> Result<String, ApiError> {
    Ok(format!("{GUEST}{}", new_id()?))
}

/// A session, with the limits of its account or guest.
type Known = (Session, Option<Limits>);
/// A request for a session by the hash of its token, with the channel for the answer.
type Ask = (String, oneshot::Sender<Result<Option<Known>, ApiError>>);

/// Looks up sessions in batches. Every stream checks its session again and again; requests that arrive during one query go into the next query
/// together.
#[derive(Debug)]
pub(crate) struct Lookup(mpsc::Sender<Ask>);

impl Lookup {
    /// Starts the lookup task for this store.
    pub(crate) fn new(store: Store) -> Lookup {
        let (asks, asked) = mpsc::channel(AT_ONCE);
        tokio::spawn(look_up(store, asked));
        Lookup(asks)
    }

    /// Returns the session with this token hash, even if it has expired.
    async fn session(&self, hash: &str) -> Result<Option<Known>, ApiError> {
        let closed = || ApiError::from(StoreError::Closed);
        let (reply, answer) = oneshot::channel();
        self.0.send((hash.to_owned(), reply)).await.map_err(|_| closed())?;
        answer.await.map_err(|_| closed())?
    }
}

async fn look_up(store: Store, mut asked: mpsc::Receiver<Ask>) {
    let mut asks = Vec::new();
    while asked.recv_many(&mut asks, AT_ONCE).await > 0 {
        let hashes: Vec<String> = asks.iter().map(|(hash, _)| hash.clone()).collect();
        let found = store.people().sessions_with_limits(&hashes).await.map_err(ApiError::from);
        let of = |hash: &str| match &found {
            Ok(sessions) => Ok(sessions.iter().find(|(session, _)| session.token == hash).cloned()),
            Err(error) => Err(error.clone()),
        };
        for (hash, reply) in asks.drain(..) {
            let _ = reply.send(of(&hash));
        }
    }
}

/// Returns the session of a cookie if it is valid, with the limits of its account or guest. Each use extends the session.
///
/// # Errors
/// When the store can't be reached.
pub(crate) async fn holding(app: &App, shown: &Ticket) -> Result<Option<Known>, ApiError> {
    let (at, seal) = (now(), app.pit.seal().await?);
    let known = app.sessions.session(&shown.hash).await?.filter(|(session, _)| is_valid(session, at));
    let Some((session, limits)) = known else { return Ok(None) };
    let account = session.account.clone();
    let Some(session) = seal.marked(session, &shown.mark) else {
        let advice = "Somebody may have changed the database.";
        tracing::error!(account, advice, "a session that this server didn't begin is refused");
        return Ok(None);
    };
    if let Some(until) = extended(&session, at) {
        // This doesn't revive a session that ended in the meantime.
        app.store().people().touch_session(&shown.hash, at, until).await?;
    }
    Ok(Some((session, limits)))
}

fn is_valid(session: &Session, at: i64) -> bool {
    let whole = span(&session.account).whole;
    at < session.expires && at < session.created.saturating_add(whole)
}

/// Returns the time when a session expires that is used now. None if it was used less than a minute ago: not every use is written to the store.
fn extended(session: &Session, at: i64) -> Option<i64> {
    (at - session.seen > MINUTE).then(|| span(&session.account).until(session.created, at))
}

fn cookie(token: &str, seconds: i64) -> HeaderValue {
    let text = format!("{COOKIE_NAME}={token}; Path=/; Max-Age={seconds}; Secure; HttpOnly; SameSite=Strict");
    // The text is ASCII, so it is always a valid header value.
    HeaderValue::from_str(&text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// Returns a cookie that makes the browser delete the session cookie.
#[must_use]
pub fn no_cookie() -> HeaderValue {
    cookie("", 0)
}

/// Returns the credential of a request. A bearer token takes precedence over a cookie.
///
/// # Errors
/// When the `Authorization` header is malformed.
pub fn shown(headers: &HeaderMap) -> Result<Credential, ApiError> {
    let unreadable =
        || ApiError::unauthorized("Authorization: expected `Bearer TOKEN` with a token of 64 hexadecimal digits");
    if let Some(value) = headers.get(AUTHORIZATION) {
        let token = value.to_str().ok().and_then(|value| value.split_once(' '));
        let (_, token) = token.filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer")).ok_or_else(unreadable)?;
        return if is_token(token.trim()) {
            Ok(Credential::Token(token_hash(token.trim())))
        } else {
            Err(unreadable())
        };
    }
    let cookies = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
    let mut pairs = cookies.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let token = pairs.find(|(name, _)| *name == COOKIE_NAME).map(|(_, token)| token);
    let ticket = token
        .filter(|token| COOKIES.contains(&token.len()) && is_hex(token))
        .and_then(|token| token.split_at_checked(TOKEN));
    let ticket = ticket.map(|(token, mark)| Ticket { hash: token_hash(token), mark: mark.to_owned() });
    Ok(ticket.map_or(Credential::None, Credential::Session))
}

fn is_token(text: &str) -> bool {
    text.len() == 64 && is_hex(text)
}

fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(name: axum::http::HeaderName, value: &str) -> Result<Credential, ApiError> {
        shown(&HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())]))
    }

    #[test]
    fn a_token_is_found_where_it_should_be_and_nowhere_else() {
        let token = "0123456789abcdef".repeat(4);
        let (hash, mark) = (token_hash(&token[..32]), token[32..].to_owned());
        let session = Credential::Session(Ticket { hash, mark });
        assert_eq!(of(COOKIE, &format!("{COOKIE_NAME}={token}")), Ok(session.clone()));
        assert_eq!(of(COOKIE, &format!("theme=dark; {COOKIE_NAME}={token}; x=y")), Ok(session));
        for not in
            [format!("session={token}"), format!("{COOKIE_NAME}={token}0"), format!("{COOKIE_NAME}="), token.clone()]
        {
            assert_eq!(of(COOKIE, &not), Ok(Credential::None), "{not}");
        }
        assert_eq!(of(AUTHORIZATION, &format!("bearer {token}")), Ok(Credential::Token(token_hash(&token))));
        for not in ["Bearer", "Bearer ", "Basic QW5uOnB3", "Bearer 12", &token] {
            assert!(of(AUTHORIZATION, not).is_err(), "{not}");
        }
    }

    #[test]
    fn guests_keep_their_session_longer_than_accounts() {
        assert_eq!(span("0123"), Span { idle: 3_600_000, whole: 43_200_000 });
        assert_eq!(span("g:0123"), Span { idle: 86_400_000, whole: 604_800_000 });
    }

    #[test]
    fn a_session_expires_an_hour_after_its_last_use_and_in_any_case_after_twelve() {
        let (token, account) = ("ab".to_owned(), "0123".to_owned());
        let session = Session { token, account, created: 1_000, seen: 500_000, expires: 3_601_000, factor: None };
        assert!(is_valid(&session, 3_600_999));
        assert!(!is_valid(&session, 3_601_000));
        assert_eq!(extended(&session, 500_001), None);
        assert_eq!(extended(&session, 560_000), None, "a minute later");
        assert_eq!(extended(&session, 560_001), Some(4_160_001));
        assert_eq!(extended(&session, 39_600_999), Some(43_200_999));
        assert_eq!(extended(&session, 39_601_001), Some(43_201_000));
        let guest = Session { account: "g:0123".to_owned(), ..session };
        assert_eq!(extended(&guest, 560_001), Some(86_960_001));
    }

    #[tokio::test]
    async fn the_lookup_ends_when_nobody_can_ask_any_more() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&format!("sqlite:{}", folder.path().join("test.db").display())).await.unwrap();
        let (asks, asked) = mpsc::channel(1);
        drop(asks);
        let ends = tokio::time::timeout(std::time::Duration::from_secs(10), look_up(store, asked));
        assert_eq!(ends.await, Ok(()));
    }

    #[test]
    fn the_cookie_keeps_to_itself() {
        let text = cookie("ab", 60);
        assert_eq!(text, "__Host-session=ab; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Strict");
    }
}
