//! Facts: results that follow from the books alone. They are computed in the background, and a client that already has one is told so.

use crate::app::{App, Shared};
use crate::error::ApiError;
use crate::jobs::Jobs;
use crate::sims::Finished;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_LENGTH, ETAG, IF_NONE_MATCH};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use craps_explain::shown::ShownRecord;
use craps_odds::Solver;
use futures_util::{StreamExt as _, stream};
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};
use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// How many computations run at once; `WAITING` is how many more can wait.
const AT_ONCE: usize = 4;
const WAITING: usize = 64;
/// How many requests with a whole game are handled at once.
const GAMES_AT_ONCE: usize = 4;
/// How many megabytes of long answers can be on their way to clients. A client that reads slowly keeps its part of them.
const ANSWERS_MOST: usize = 128;
const MEGABYTE: usize = 1 << 20;
/// Longer answers are sent in pieces of this length, in bytes.
const PIECE: usize = 64 * 1024;
/// Maximum length of a response that gets an ETag, in bytes. No response comes near it.
const LONGEST: usize = 64 * 1024 * 1024;
/// How long a client can use a response without asking again. It changes only with the program or its books.
const GOOD_FOR: &str = "public, max-age=300";

/// Cached results and running computations.
pub struct Facts {
    solver: Mutex<Solver>,
    /// The plain odds by id of the book: every wager on every day.
    odds: Mutex<HashMap<String, Arc<Vec<ShownRecord>>>>,
    /// Running and finished simulations.
    pub(crate) jobs: Jobs<Finished>,
    turns: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    games: Arc<Semaphore>,
    answers: Arc<Semaphore>,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts {
            solver: Mutex::default(),
            odds: Mutex::default(),
            jobs: Jobs::default(),
            turns: Arc::new(Semaphore::new(AT_ONCE)),
            queue: Arc::new(Semaphore::new(AT_ONCE + WAITING)),
            games: Arc::new(Semaphore::new(GAMES_AT_ONCE)),
            answers: Arc::new(Semaphore::new(ANSWERS_MOST)),
        }
    }
}

impl Facts {
    /// Locks the solver, which remembers every chain it has solved.
    pub(crate) fn solver(&self) -> MutexGuard<'_, Solver> {
        self.solver.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the solver unlocked, for callers that need it only now and then.
    pub(crate) fn solving(&self) -> &Mutex<Solver> {
        &self.solver
    }

    /// Reserves a place for a request with a whole game.
    ///
    /// # Errors
    /// When all places are taken.
    pub(crate) fn game_place(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        Arc::clone(&self.games).try_acquire_owned().map_err(|_| busy())
    }

    /// Makes the body of a long answer. It counts as memory in use until it is sent.
    ///
    /// # Errors
    /// When too much is on its way to other clients.
    pub(crate) fn answer(&self, text: Vec<u8>) -> Result<Body, ApiError> {
        if text.len() <= PIECE {
            return Ok(Body::from(text));
        }
        let megabytes = u32::try_from(text.len().div_ceil(MEGABYTE)).unwrap_or(u32::MAX);
        let place = Arc::clone(&self.answers).try_acquire_many_owned(megabytes).map_err(|_| busy())?;
        let pieces = stream::unfold((Bytes::from(text), place), |(mut rest, place)| async move {
            let piece = rest.split_to(rest.len().min(PIECE));
            (!piece.is_empty()).then_some((Ok::<_, Infallible>(piece), (rest, place)))
        });
        // Compression polls the stream once more after its end, so fuse it.
        Ok(Body::from_stream(pieces.fuse()))
    }

    /// Returns the cached odds of a book, or computes them with `work`.
    ///
    /// # Errors
    /// When `work` fails.
    pub(crate) fn odds(
        &self,
        book: &str,
        work: impl FnOnce() -> Result<Arc<Vec<ShownRecord>>, ApiError>,
    ) -> Result<Arc<Vec<ShownRecord>>, ApiError> {
        let known = || self.odds.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(records) = known().get(book) {
            return Ok(Arc::clone(records));
        }
        let records = work()?;
        known().insert(book.to_owned(), Arc::clone(&records));
        Ok(records)
    }
}

fn busy() -> ApiError {
    let words = "Too many calculations at once. Try again in a moment.";
    ApiError::later(StatusCode::SERVICE_UNAVAILABLE, "busy", words, 1)
}

/// Runs a computation on a background thread. Only a limited number run at once.
///
/// # Errors
/// When too many are waiting, or `work` fails.
pub(crate) async fn computed<T: Send + 'static>(
    app: &Shared,
    work: impl FnOnce(&App) -> Result<T, ApiError> + Send + 'static,
) -> Result<T, ApiError> {
    let place = Arc::clone(&app.facts.queue).try_acquire_owned().map_err(|_| busy())?;
    let turn = Arc::clone(&app.facts.turns).acquire_owned().await.map_err(|_| busy())?;
    let own = Arc::clone(app);
    let work = move || {
        // The client may have gone. The work goes on and keeps its place.
        let _turn = (place, turn);
        work(&own)
    };
    let broken = |_| ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "This is a bug in the server.");
    tokio::task::spawn_blocking(work).await.map_err(broken)?
}

/// Adds an ETag to responses that follow from the program and its books alone. Answers 304 to a client that already has the response.
pub(crate) async fn marked(request: Request, next: Next) -> Response {
    if request.method() != Method::GET {
        return next.run(request).await;
    }
    let known = request.headers().get(IF_NONE_MATCH).cloned();
    let response = next.run(request).await;
    if response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, LONGEST).await else {
        return ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "broken", "This is a bug in the server.")
            .into_response();
    };
    let mark = mark(&bytes);
    let is_known = is_known(known.as_ref(), &mark);
    if let Ok(mark) = HeaderValue::from_str(&mark) {
        parts.headers.insert(ETAG, mark);
    }
    parts.headers.insert(CACHE_CONTROL, HeaderValue::from_static(GOOD_FOR));
    if is_known {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    Response::from_parts(parts, Body::from(bytes))
}

/// Returns the ETag of a response: a hash of its bytes.
pub(crate) fn mark(bytes: &[u8]) -> String {
    let hash = Sha256::digest(bytes);
    format!("\"{}\"", hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect::<String>())
}

/// Is this ETag among those in the client's `If-None-Match`?
pub(crate) fn is_known(known: Option<&HeaderValue>, mark: &str) -> bool {
    let mut known = known.and_then(|known| known.to_str().ok()).unwrap_or_default().split(',').map(str::trim);
    known.any(|one| one.trim_start_matches("W/") == mark || one == "*")
}

/// The query of a request. Errors have the server's usual form.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, ApiError> {
        match axum::extract::Query::try_from_uri(&parts.uri) {
            Ok(axum::extract::Query(query)) => Ok(Query(query)),
            Err(rejected) => {
                let words = rejected.body_text();
                let words = words.strip_prefix("Failed to deserialize query string: ").unwrap_or(&words);
                Err(ApiError::bad_request(format!("query: {words}")))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Clients that ask for long answers and read them slowly can't fill the memory.
    #[tokio::test]
    async fn long_answers_count_until_they_are_sent() {
        let facts = Facts::default();
        let answer = |megabytes: usize| facts.answer(vec![b'x'; megabytes * MEGABYTE]);
        let (first, second) = (answer(ANSWERS_MOST / 2).unwrap(), answer(ANSWERS_MOST / 2).unwrap());
        assert_eq!(answer(1).unwrap_err().into_response().status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(facts.answer(vec![b'x'; PIECE]).is_ok(), "short answers don't count");
        let read = to_bytes(first, usize::MAX).await.unwrap();
        assert!(read.len() == ANSWERS_MOST / 2 * MEGABYTE && read.iter().all(|byte| *byte == b'x'));
        assert!(answer(ANSWERS_MOST / 2).is_ok());
        drop(second);
        assert!(answer(ANSWERS_MOST).is_ok(), "a client that went away gives its part back");
    }
}
