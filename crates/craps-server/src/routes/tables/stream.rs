//! Streams of a live table. A stream starts with the current state, or with every row since the last one the client knows, and then sends each new
//! row. Over a WebSocket the client can also send commands; answers come in the order of the commands.

use super::ask::{self, Answer, eye};
use crate::app::{App, Counted, Shared};
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::input::{self, Key};
use crate::live::pit::{NotDone, Told};
use crate::live::rows::{Reader, RowView};
use crate::live::view::{self, Eye, TableView};
use crate::live::wish::Wish;
use crate::live::{Deed, Walk};
use crate::people::{Kind, Principal, access};
use crate::routes::At;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, Utf8Bytes, WebSocket, WebSocketUpgrade};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use craps_store::Before;
use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{broadcast, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};
use tracing::Instrument as _;
use utoipa::{IntoParams, ToSchema};

/// Content type of a stream without a WebSocket: one JSON object per line.
const LINES: &str = "application/x-ndjson";
/// Maximum size of a WebSocket message, in bytes.
const MESSAGE_MOST: usize = 64 * 1024;
/// Maximum number of lines flushed together.
const TOGETHER: usize = 32;
/// Read buffer per WebSocket, in bytes. It is small because commands are short.
const BUFFER: usize = 4 * 1024;
/// How long the server waits for a slow client before it ends the stream.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often the server checks that the client is still signed in.
const LOOK: Duration = Duration::from_millis(700);
/// Number of checks between two `alive` lines.
const SIGN: u32 = 30;
/// WebSocket close codes: server going away, client not allowed any more, client too slow (try again).
const GOING_AWAY: u16 = 1001;
const NOT_ALLOWED: u16 = 1008;
const TRY_AGAIN: u16 = 1013;

/// Where a stream starts.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// Number of the last row you know. The stream sends every row after it, then the table, then each new row.
    #[serde(default)]
    from: Option<u64>,
}

/// One line of a stream.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Line {
    /// State of the table after row `seq`. It replaces everything you knew.
    Table(Box<TableView>),
    /// The next row of the log.
    Row(Box<RowView>),
    /// Answer to a command that succeeded.
    Answer {
        /// Key of the command.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Result of the command.
        #[serde(flatten)]
        answer: Answer,
    },
    /// Answer to a command that failed.
    Error {
        /// Key of the command.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Reason for the failure.
        #[serde(flatten)]
        problem: Problem,
    },
    /// Sent from time to time to show that the connection works.
    Alive,
    /// Last line: the server ends the stream.
    Bye {
        /// Reason as a sentence.
        reason: String,
    },
}

impl Line {
    fn text(&self) -> Utf8Bytes {
        // A line has only strings, numbers and lists, so it always serializes.
        serde_json::to_string(self).unwrap_or_default().into()
    }
}

/// Close code and reason for the end of a stream.
struct End {
    code: u16,
    reason: String,
}

impl End {
    fn new(code: u16, reason: impl Into<String>) -> End {
        End { code, reason: reason.into() }
    }

    fn of(error: &ApiError) -> End {
        let gone = matches!(error.status(), StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN);
        End::new(if gone { NOT_ALLOWED } else { TRY_AGAIN }, error.problem().message.clone())
    }
}

fn closing() -> End {
    End::new(GOING_AWAY, "The server is shutting down. Reconnect in a moment.")
}

/// State of one client's stream.
struct Feed {
    app: Shared,
    principal: Principal,
    table: String,
    eye: Eye,
    reader: Reader,
    /// Number of the last row sent.
    last: u64,
    /// Rows after `last` up to this one come from the log, followed by the table as of this row.
    until: u64,
    standing: Option<Box<TableView>>,
    /// Reads the rows before `until` from the log, with their rolls.
    walk: Option<Walk>,
    ready: VecDeque<Utf8Bytes>,
    /// True if the whole table must be sent again.
    anew: bool,
    rows: broadcast::Receiver<Arc<Told>>,
    closing: watch::Receiver<bool>,
    looks: Interval,
    looked: u32,
    /// True if it is time to check that the client is still signed in.
    looks_now: bool,
    _counted: Counted<String>,
}

/// The data a stream starts with.
struct Start {
    seq: u64,
    standing: Box<TableView>,
    reader: Reader,
}

impl Feed {
    async fn open(app: Shared, principal: Principal, table: String, from: Option<u64>) -> Result<Feed, ApiError> {
        let client = match principal.kind {
            Kind::Anonymous => principal.peer.subscriber().to_string(),
            _ => principal.client(),
        };
        let counted = app.streams.one_more(&client)?;
        let eye = eye(&principal, &table);
        let (mut start, mut rows) = Feed::start(&app, &table, &eye).await?;
        if from.is_some_and(|from| from > start.seq) {
            // Another node may have written rows that this node has not read yet.
            app.pit.catch_up(&table).await?;
            (start, rows) = Feed::start(&app, &table, &eye).await?;
        }
        let Start { seq, standing, reader } = start;
        if let Some(from) = from.filter(|from| *from > seq) {
            return Err(ApiError::bad_request(format!("from: expected at most {seq}, the last row, found {from}")));
        }
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let closing = app.closing();
        let (last, until, standing) = (from.unwrap_or(seq), seq, Some(standing));
        let ready = VecDeque::new();
        metrics::gauge!("boxperson_streams").increment(1.0);
        Ok(Feed {
            app,
            principal,
            table,
            eye,
            reader,
            last,
            until,
            standing,
            walk: None,
            ready,
            rows,
            closing,
            looks,
            anew: false,
            looked: 0,
            looks_now: false,
            _counted: counted,
        })
    }

    async fn start(app: &App, table: &str, eye: &Eye) -> Result<(Start, broadcast::Receiver<Arc<Told>>), ApiError> {
        let (id, eye) = (table.to_owned(), eye.clone());
        let look = move |live: &crate::live::Live| Start {
            seq: live.head().0,
            standing: Box::new(view::table(&id, live, &eye)),
            reader: Reader::new(live),
        };
        Ok(app.pit.listen_from(table, look).await?)
    }

    /// Waits for the next line.
    async fn next(&mut self) -> Result<Utf8Bytes, End> {
        loop {
            if !self.has_work() {
                self.wait().await?;
            } else if let Some(line) = self.work().await? {
                return Ok(line);
            }
        }
    }

    /// Is there anything to send, to read or to check?
    fn has_work(&self) -> bool {
        !self.ready.is_empty() || self.looks_now || self.last < self.until || self.standing.is_some() || self.anew
    }

    /// Does the next piece of work, and returns a line if that was one. It must not be given up halfway, because it would begin from the start again.
    async fn work(&mut self) -> Result<Option<Utf8Bytes>, End> {
        if let Some(line) = self.ready.pop_front() {
            return Ok(Some(line));
        }
        if self.looks_now {
            self.looks_now = false;
            self.recheck().await?;
            self.looked = self.looked.wrapping_add(1);
            return Ok(self.looked.is_multiple_of(SIGN).then(|| Line::Alive.text()));
        }
        if self.last < self.until {
            if *self.closing.borrow() {
                return Err(closing());
            }
            self.recheck().await?;
            self.read().await?;
            return Ok(None);
        }
        if let Some(standing) = self.standing.take() {
            return Ok(Some(Line::Table(standing).text()));
        }
        let (id, eye) = (self.table.clone(), self.eye.clone());
        let standing = self.app.pit.look(&self.table, move |live| view::table(&id, live, &eye)).await;
        let standing = standing.map_err(|error| End::of(&error.into()))?;
        self.anew = false;
        Ok(Some(Line::Table(Box::new(standing)).text()))
    }

    /// Waits until there is work. Nothing is lost if this is given up.
    async fn wait(&mut self) -> Result<(), End> {
        let told = tokio::select! {
            _ = self.closing.wait_for(|closing| *closing) => return Err(closing()),
            told = self.rows.recv() => told,
            _ = self.looks.tick() => {
                self.looks_now = true;
                return Ok(());
            }
        };
        match told {
            Ok(told) => self.hear(&told),
            Err(broadcast::error::RecvError::Lagged(_)) => Err(self.too_slow()),
            Err(broadcast::error::RecvError::Closed) => {
                Err(End::new(GOING_AWAY, format!("The table was unloaded. Reconnect with ?from={}", self.last)))
            }
        }
    }

    /// Returns the next line if one is ready, without waiting.
    fn at_hand(&mut self) -> Result<Option<Utf8Bytes>, End> {
        // Rows from the log and the table itself come first, in `work`.
        if !self.has_work() {
            match self.rows.try_recv() {
                Ok(told) => self.hear(&told)?,
                Err(broadcast::error::TryRecvError::Lagged(_)) => return Err(self.too_slow()),
                // `wait` notices a closed channel.
                Err(_) => {}
            }
        }
        Ok(self.ready.pop_front())
    }

    fn too_slow(&self) -> End {
        End::new(TRY_AGAIN, format!("Your connection is too slow. Reconnect with ?from={}", self.last))
    }

    /// Checks that the client is still signed in, and updates what they may see.
    async fn recheck(&mut self) -> Result<(), End> {
        self.principal.recheck(&self.app).await.map_err(|error| End::of(&error))?;
        self.eye = eye(&self.principal, &self.table);
        Ok(())
    }

    /// Reads one batch of older rows from the log.
    async fn read(&mut self) -> Result<(), End> {
        let ended = |error: NotDone| End::of(&error.into());
        let unreadable = || End::new(TRY_AGAIN, "The server can't read the log. Try again in a moment.");
        if self.last == 0 {
            // A walk begins after the first row.
            let first = self.app.pit.rows(&self.table, 0, 1).await.map_err(ended)?;
            let first = first.first().ok_or_else(unreadable)?;
            self.tell(first);
            return Ok(());
        }
        let walk = match self.walk.take() {
            Some(walk) => walk,
            None => {
                let walk = self.app.pit.walk(&self.table, Before::Row(self.last + 1)).await.map_err(ended)?;
                // A walk can begin later than it should only at the end of an archive.
                if walk.live().head().0 > self.last {
                    let words = format!("Row {} is in an archive. Reconnect without `from`.", self.last + 1);
                    return Err(End::new(TRY_AGAIN, words));
                }
                walk.resting()
            }
        };
        let (walk, rows) = self.app.pit.next_of(walk).await.map_err(ended)?;
        if rows.is_empty() {
            return Err(unreadable());
        }
        let (last, until) = (self.last, self.until);
        rows.iter().filter(|told| told.row.seq > last && told.row.seq <= until).for_each(|told| self.tell(told));
        self.walk = Some(walk).filter(|_| self.last < until);
        Ok(())
    }

    fn hear(&mut self, told: &Told) -> Result<(), End> {
        let seq = told.row.seq;
        if seq <= self.last {
            return Ok(());
        }
        // Some rows were missed. The log has them but not their results; a client that reconnects gets both.
        if self.last + 1 < seq {
            return Err(self.too_slow());
        }
        self.tell(told);
        // This undo changed more than its row says, so send the whole table.
        self.anew |= matches!(told.entry.did, Deed::Undone { .. }) && told.left.is_none();
        Ok(())
    }

    fn tell(&mut self, told: &Told) {
        self.last = told.row.seq;
        let public = || Line::Row(Box::new(self.reader.row(told, &Eye::default()))).text();
        let line = match Reader::is_private_to(told, &self.eye) {
            true => Line::Row(Box::new(self.reader.row(told, &self.eye))).text(),
            // The public version of a row is written once for all clients.
            false => told.public.get_or_init(public).clone(),
        };
        self.ready.push_back(line);
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        metrics::gauge!("boxperson_streams").decrement(1.0);
    }
}

/// Streams a table live.
///
/// Over a WebSocket, or with `Accept: application/x-ndjson` as one JSON object per line. Without `from` the current table comes first. With `from`
/// every row after that one comes first, then the table. After that the stream sends each new row. A WebSocket also takes commands: the bodies of
/// the other routes plus the field `do`.
#[utoipa::path(
    get, path = "/tables/{table}/stream", tag = "tables",
    params(("table" = String, Path, description = "Id of the table"), From),
    responses(
        (status = 101, description = "A WebSocket; each message is one `Line`"),
        (status = 200, description = "One `Line` per line of text", body = Line, content_type = "application/x-ndjson"),
        (status = 400, description = "`from` is past the last row", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 406, description = "The client asked for neither a WebSocket nor `application/x-ndjson`", body = Problem),
        (status = 429, description = "Too many streams", body = Problem),
    )
)]
pub(super) async fn stream(
    State(app): State<Shared>,
    principal: Principal,
    At(table): At<String>,
    Query(From { from }): Query<From>,
    headers: HeaderMap,
    socket: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let lines = headers.get_all(ACCEPT).iter().any(|value| value.to_str().is_ok_and(|value| value.contains(LINES)));
    match socket {
        Ok(socket) => {
            let feed = Feed::open(app, principal, table, from).await?;
            let socket = socket.max_message_size(MESSAGE_MOST).max_frame_size(MESSAGE_MOST).read_buffer_size(BUFFER);
            Ok(socket.on_upgrade(move |socket| serve(socket, feed)))
        }
        Err(_) if lines => {
            let feed = Feed::open(app, principal, table, from).await?;
            let told = futures_util::stream::unfold(Some(feed), |feed| async {
                let mut feed = feed?;
                let (line, feed) = match feed.next().await {
                    Ok(line) => (line, Some(feed)),
                    Err(End { reason, .. }) => (Line::Bye { reason }.text(), None),
                };
                Some((Ok::<_, Infallible>(Bytes::from(format!("{line}\n"))), feed))
            });
            // Compression polls the stream once more after its end, so fuse it.
            Ok(([(CONTENT_TYPE, LINES), (CACHE_CONTROL, "no-store")], Body::from_stream(told.fuse())).into_response())
        }
        Err(_) => {
            let words = format!("Connect with a WebSocket, or send the header Accept: {LINES}");
            Err(ApiError::new(StatusCode::NOT_ACCEPTABLE, "stream", words))
        }
    }
}

async fn serve(mut socket: WebSocket, mut feed: Feed) {
    let end = loop {
        let message = if feed.has_work() {
            // Work is done before the next message is received. So a client that never stops sending gets its rows, too.
            let sent = match feed.work().await {
                Ok(Some(line)) => send_all(&mut socket, line, &mut feed).await,
                Ok(None) => Ok(()),
                Err(end) => Err(end),
            };
            if let Err(end) = sent {
                break end;
            }
            match socket.recv().now_or_never() {
                Some(message) => message,
                None => continue,
            }
        } else {
            tokio::select! {
                waited = feed.wait() => match waited {
                    Ok(()) => continue,
                    Err(end) => break end,
                },
                message = socket.recv() => message,
            }
        };
        let sent = match message {
            Some(Ok(Message::Text(text))) => match answer(&mut feed, text.as_str()).await {
                // The rows that came in the meantime go out with the answer.
                Ok(line) => send_all(&mut socket, line.text(), &mut feed).await,
                Err(end) => Err(end),
            },
            Some(Ok(Message::Binary(_))) => Err(End::new(1003, "Expected a text message, found binary.")),
            // The library answers pings.
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
            Some(Ok(Message::Close(_)) | Err(_)) | None => return,
        };
        if let Err(end) = sent {
            break end;
        }
    };
    let mut reason = end.reason;
    // A close frame holds at most 125 bytes.
    while reason.len() > 120 {
        reason.pop();
    }
    let frame = CloseFrame { code: end.code, reason: reason.into() };
    let _ = send(&mut socket, Message::Close(Some(frame))).await;
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    patiently(socket.send(message)).await
}

/// Sends a line together with all other lines that are ready.
async fn send_all(socket: &mut WebSocket, line: Utf8Bytes, feed: &mut Feed) -> Result<(), End> {
    patiently(socket.feed(Message::Text(line))).await?;
    for _ in 0..TOGETHER {
        let Some(line) = feed.at_hand()? else { break };
        patiently(socket.feed(Message::Text(line))).await?;
    }
    patiently(socket.flush()).await
}

async fn patiently(sends: impl Future<Output = Result<(), axum::Error>>) -> Result<(), End> {
    let slow = || End::new(TRY_AGAIN, "Your connection is too slow. Reconnect from the last row you have.");
    match tokio::time::timeout(PATIENCE, sends).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(slow()),
    }
}

/// Handles one message and returns the answer.
async fn answer(feed: &mut Feed, text: &str) -> Result<Line, End> {
    feed.recheck().await?;
    let (mut id, problem) = (None, |error: &ApiError| error.problem().clone());
    let done = async {
        let wish: Result<Wish, ApiError> = input::decode(text.as_bytes());
        // The key is needed to answer commands that exceed the rate limit, too.
        id = wish.as_ref().ok().and_then(Wish::id).cloned();
        feed.principal.spend(&feed.app)?;
        let wish = wish?;
        let _turn = feed.app.desk.turn_of(&feed.principal)?;
        let (method, path) = wish.route();
        access::allowed(&feed.app, &feed.principal, method, path, &feed.table).await?;
        ask::ask(&feed.app, &feed.principal, &feed.table, wish, Key(None)).await
    };
    Ok(match done.instrument(tracing::debug_span!("message")).await {
        Ok(answer) => Line::Answer { id, answer },
        Err(error) => {
            error.count();
            Line::Error { id, problem: problem(&error) }
        }
    })
}
