//! Sessions: the cookie holds a random token, the store holds its hash.

use super::Credential;
use crate::error::ApiError;
use crate::live::pit::now;
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::{HeaderMap, HeaderValue};
use craps_store::{Session, Store, StoreError, new_id, new_token, token_hash};
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
struct Span {
    idle: i64,
    whole: i64,
}

const ACCOUNTS: Span = Span { idle: HOUR, whole: 12 * HOUR };
const GUESTS: Span = Span { idle: 24 * HOUR, whole: 7 * 24 * HOUR };

fn span(account: &str) -> Span {
    if account.starts_with(GUEST) { GUESTS } else { ACCOUNTS }
}

/// Starts a session. Returns the cookie and the hash of its token.
///
/// # Errors
/// When it cannot be stored.
pub async fn begin(store: &Store, account: &str) -> Result<(HeaderValue, String), ApiError> {
    let (token, at) = (new_token()?, now());
    let Span { idle, whole } = span(account);
    let session = Session {
        token: token_hash(&token),
        account: account.to_owned(),
        created: at,
        seen: at,
        expires: at + idle.min(whole),
    };
    store.people().add_session(&session).await?;
    Ok((cookie(&token, whole / 1_000), session.token))
}

/// Returns a random id for a new guest.
///
/// # Errors
/// When the system has no randomness.
pub fn new_guest() -> Result<String, ApiError> {
    Ok(format!("{GUEST}{}", new_id()?))
}

/// A request for a session by the hash of its token, with the channel for the answer.
type Ask = (String, oneshot::Sender<Result<Option<Session>, ApiError>>);

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
    async fn session(&self, hash: &str) -> Result<Option<Session>, ApiError> {
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
        let found = store.people().sessions(&hashes).await.map_err(ApiError::from);
        let of = |hash: &str| match &found {
            Ok(sessions) => Ok(sessions.iter().find(|session| session.token == hash).cloned()),
            Err(error) => Err(error.clone()),
        };
        for (hash, reply) in asks.drain(..) {
            let _ = reply.send(of(&hash));
        }
    }
}

/// Returns the session with this token hash if it is valid. Each use extends it.
///
/// # Errors
/// When the store can't be reached.
pub(crate) async fn holding(lookup: &Lookup, store: &Store, hash: &str) -> Result<Option<Session>, ApiError> {
    let at = now();
    let session = lookup.session(hash).await?.filter(|session| session.expires > at);
    let Some(session) = session else { return Ok(None) };
    let Span { idle, whole } = span(&session.account);
    // Write at most once a minute. This doesn't revive a session that ended in the meantime.
    if at - session.seen > MINUTE {
        let until = (at + idle).min(session.created + whole);
        store.people().touch_session(hash, at, until).await?;
    }
    Ok(Some(session))
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
    Ok(token.filter(|token| is_token(token)).map_or(Credential::None, |token| Credential::Session(token_hash(token))))
}

fn is_token(text: &str) -> bool {
    text.len() == 64 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
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
        let session = Credential::Session(token_hash(&token));
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
    fn the_cookie_keeps_to_itself() {
        let text = cookie("ab", 60);
        assert_eq!(text, "__Host-session=ab; Path=/; Max-Age=60; Secure; HttpOnly; SameSite=Strict");
    }
}
