//! A table as it is played: first as it stands, or every row since the one you know; then row by row. Over a WebSocket commands come back the
//! same way, in the order in which they are sent.

use super::ask::{self, Answer, eye};
use crate::app::{App, Counted, Shared};
use crate::error::{ApiError, Problem};
use crate::facts::Query;
use crate::input::{self, Key};
use crate::live::pit::Told;
use crate::live::rows::{Reader, RowView};
use crate::live::view::{self, Eye, TableView};
use crate::live::wish::Wish;
use crate::live::{Deed, Roll};
use crate::people::{Kind, Principal, access};
use crate::routes::At;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use futures_util::{SinkExt as _, StreamExt as _};
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{broadcast, watch};
use tokio::time::{Interval, MissedTickBehavior, interval};
use utoipa::{IntoParams, ToSchema};

/// The newline-delimited form.
const LINES: &str = "application/x-ndjson";
/// The longest message that is taken.
const MESSAGE_MOST: usize = 64 * 1024;
/// How many lines are sent together.
const TOGETHER: usize = 32;
/// What is kept ready for what a reader sends, each of them, always: commands are short.
const BUFFER: usize = 4 * 1024;
/// How many rows are read from the log at once.
const PAGE: u32 = 500;
/// How long a reader may leave us waiting before we stop.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often we look whether somebody is still who they were.
const LOOK: Duration = Duration::from_millis(700);
/// How many looks there are between two signs of life.
const SIGN: u32 = 30;
/// What a WebSocket is closed with: going away, too slow (try again later), not allowed any more.
const GOING_AWAY: u16 = 1001;
const NOT_ALLOWED: u16 = 1008;
const TRY_AGAIN: u16 = 1013;

/// Where a stream begins.
#[derive(Debug, Clone, Copy, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct From {
    /// The last row you know: every row after it is told, then the table as it stands, then each row as it happens.
    #[serde(default)]
    from: Option<u64>,
}

/// One line of a stream.
#[derive(Debug, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Line {
    /// The table as it stands after its row `seq`. Forget what you knew.
    Table(Box<TableView>),
    /// The next row.
    Row(Box<RowView>),
    /// What came of a command.
    Answer {
        /// The key it came with.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// What came of it.
        #[serde(flatten)]
        answer: Answer,
    },
    /// Why a command was not done.
    Error {
        /// The key it came with.
        #[serde(skip_serializing_if = "Option::is_none")]
        id: Option<String>,
        /// Why.
        #[serde(flatten)]
        problem: Problem,
    },
    /// A sign of life.
    Alive,
    /// The stream ends.
    Bye {
        /// Why.
        reason: String,
    },
}

impl Line {
    fn text(&self) -> String {
        // A line is made of texts, figures and lists: there is nothing in it that JSON could not say.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Why a stream ends.
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

/// What somebody hears of a table.
struct Feed {
    app: Shared,
    principal: Principal,
    table: String,
    eye: Eye,
    reader: Reader,
    /// The last row that was told.
    last: u64,
    /// Rows after that, up to here, come from the log first; then the table as it stood there.
    until: u64,
    standing: Option<Box<TableView>>,
    rolls: VecDeque<Arc<Roll>>,
    ready: VecDeque<String>,
    /// The table is to be told anew.
    anew: bool,
    rows: broadcast::Receiver<Arc<Told>>,
    closing: watch::Receiver<bool>,
    looks: Interval,
    looked: u32,
    _counted: Counted,
}

/// What a look at a table gives a stream to begin with.
struct Start {
    seq: u64,
    standing: Box<TableView>,
    reader: Reader,
    rolls: VecDeque<Arc<Roll>>,
}

impl Feed {
    async fn open(app: Shared, principal: Principal, table: String, from: Option<u64>) -> Result<Feed, ApiError> {
        let client = match principal.kind {
            Kind::Anonymous => principal.peer.address.to_string(),
            _ => principal.client(),
        };
        let counted = app.streams.one_more(&client)?;
        let eye = eye(&principal, &table);
        let (mut start, mut rows) = Feed::start(&app, &table, &eye, from).await?;
        if from.is_some_and(|from| from > start.seq) {
            // Another node may have written what this one has not heard of yet.
            app.pit.catch_up(&table).await?;
            (start, rows) = Feed::start(&app, &table, &eye, from).await?;
        }
        let Start { seq, standing, reader, rolls } = start;
        if let Some(from) = from.filter(|from| *from > seq) {
            return Err(ApiError::bad_request(format!("from: there are {seq} rows, and no row {from}")));
        }
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let closing = app.closing();
        let (last, until, standing, rolls) = (from.unwrap_or(seq), seq, Some(standing), rolls);
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
            rolls,
            ready,
            rows,
            closing,
            looks,
            anew: false,
            looked: 0,
            _counted: counted,
        })
    }

    async fn start(
        app: &App,
        table: &str,
        eye: &Eye,
        from: Option<u64>,
    ) -> Result<(Start, broadcast::Receiver<Arc<Told>>), ApiError> {
        let (id, eye) = (table.to_owned(), eye.clone());
        let look = move |live: &crate::live::Live| Start {
            seq: live.head().0,
            standing: Box::new(view::table(&id, live, &eye)),
            reader: Reader::new(live),
            rolls: live.rolls().iter().filter(|roll| from.is_some_and(|from| roll.row > from)).cloned().collect(),
        };
        Ok(app.pit.listen_from(table, look).await?)
    }

    /// The next line.
    async fn next(&mut self) -> Result<String, End> {
        loop {
            if let Some(line) = self.ready.pop_front() {
                return Ok(line);
            }
            if self.last < self.until {
                self.read().await?;
                continue;
            }
            if let Some(standing) = self.standing.take() {
                return Ok(Line::Table(standing).text());
            }
            if self.anew {
                let (id, eye) = (self.table.clone(), self.eye.clone());
                let standing = self.app.pit.look(&self.table, move |live| view::table(&id, live, &eye)).await;
                let standing = standing.map_err(|error| End::of(&error.into()))?;
                self.anew = false;
                return Ok(Line::Table(Box::new(standing)).text());
            }
            let told = tokio::select! {
                _ = self.closing.wait_for(|closing| *closing) => {
                    return Err(End::new(GOING_AWAY, "the server is closing: come back in a moment"));
                }
                told = self.rows.recv() => Some(told),
                _ = self.looks.tick() => None,
            };
            match told {
                Some(Ok(told)) => self.hear(&told)?,
                Some(Err(broadcast::error::RecvError::Lagged(_))) => return Err(self.too_slow()),
                Some(Err(broadcast::error::RecvError::Closed)) => {
                    return Err(End::new(GOING_AWAY, format!("the table rests: resume with ?from={}", self.last)));
                }
                None => {
                    self.recheck().await?;
                    self.looked = self.looked.wrapping_add(1);
                    if self.looked.is_multiple_of(SIGN) {
                        return Ok(Line::Alive.text());
                    }
                }
            }
        }
    }

    /// The next line, where it is at hand.
    fn at_hand(&mut self) -> Result<Option<String>, End> {
        // What is read from the log comes first, and the table with what follows from it.
        if self.ready.is_empty() && self.standing.is_none() && !self.anew {
            match self.rows.try_recv() {
                Ok(told) => self.hear(&told)?,
                Err(broadcast::error::TryRecvError::Lagged(_)) => return Err(self.too_slow()),
                // If it is closed that is noticed soon enough.
                Err(_) => {}
            }
        }
        Ok(self.ready.pop_front())
    }

    fn too_slow(&self) -> End {
        End::new(TRY_AGAIN, format!("too slow: resume with ?from={}", self.last))
    }

    /// Is it still who it was, and what may they see?
    async fn recheck(&mut self) -> Result<(), End> {
        self.principal.recheck(&self.app).await.map_err(|error| End::of(&error))?;
        self.eye = eye(&self.principal, &self.table);
        Ok(())
    }

    /// Reads rows that were stored before, one page of them.
    async fn read(&mut self) -> Result<(), End> {
        let rows = self.app.pit.rows(&self.table, self.last, PAGE).await.map_err(|error| End::of(&error.into()))?;
        if rows.is_empty() {
            return Err(End::new(TRY_AGAIN, "the log is out of reach"));
        }
        let until = self.until;
        for mut told in rows.into_iter().filter(|told| told.row.seq <= until) {
            while self.rolls.front().is_some_and(|roll| roll.row < told.row.seq) {
                self.rolls.pop_front();
            }
            told.roll = self.rolls.front().filter(|roll| roll.row == told.row.seq).cloned();
            self.tell(&told);
        }
        Ok(())
    }

    fn hear(&mut self, told: &Told) -> Result<(), End> {
        let seq = told.row.seq;
        if seq <= self.last {
            return Ok(());
        }
        // Rows between are only in the log, and what they decided is not: whoever resumes is told both.
        if self.last + 1 < seq {
            return Err(self.too_slow());
        }
        self.tell(told);
        // What was taken back is not said bet by bet.
        self.anew |= matches!(told.entry.did, Deed::Undone { .. });
        Ok(())
    }

    fn tell(&mut self, told: &Told) {
        self.last = told.row.seq;
        let public = || Line::Row(Box::new(self.reader.row(told, &Eye::default()))).text();
        let line = match Reader::is_private_to(told, &self.eye) {
            true => Line::Row(Box::new(self.reader.row(told, &self.eye))).text(),
            // What everybody sees is written once.
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

/// A table as it is played.
///
/// A WebSocket, or with `Accept: application/x-ndjson` one JSON document a line. Without `from` the table as it stands comes first; with it every
/// row after that one, then the table, then each row as it happens. A WebSocket also takes commands: the bodies of the other routes with `do`.
#[utoipa::path(
    get, path = "/tables/{table}/stream", tag = "tables",
    params(("table" = String, Path, description = "The table"), From),
    responses(
        (status = 101, description = "A WebSocket: each message is one line"),
        (status = 200, description = "One line each", body = Line, content_type = "application/x-ndjson"),
        (status = 400, description = "No such row", body = Problem),
        (status = 404, description = "No such table", body = Problem),
        (status = 406, description = "Neither a WebSocket nor lines were asked for", body = Problem),
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
                Some((Ok::<_, Infallible>(Bytes::from(line + "\n")), feed))
            });
            // Whoever compresses a body asks once more after its end.
            Ok(([(CONTENT_TYPE, LINES), (CACHE_CONTROL, "no-store")], Body::from_stream(told.fuse())).into_response())
        }
        Err(_) => {
            let words = format!("expected a WebSocket, or the header Accept: {LINES}");
            Err(ApiError::new(StatusCode::NOT_ACCEPTABLE, "stream", words))
        }
    }
}

async fn serve(mut socket: WebSocket, mut feed: Feed) {
    let end = loop {
        let sent = tokio::select! {
            line = feed.next() => match line {
                Ok(line) => send_all(&mut socket, line, &mut feed).await,
                Err(end) => Err(end),
            },
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => match answer(&mut feed, text.as_str()).await {
                    Ok(line) => send(&mut socket, Message::text(line.text())).await,
                    Err(end) => Err(end),
                },
                Some(Ok(Message::Binary(_))) => Err(End::new(1003, "expected text")),
                // Pings are answered for us.
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => Ok(()),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
        };
        if let Err(end) = sent {
            break end;
        }
    };
    let mut reason = end.reason;
    // A closing frame holds little.
    while reason.len() > 120 {
        reason.pop();
    }
    let frame = CloseFrame { code: end.code, reason: reason.into() };
    let _ = send(&mut socket, Message::Close(Some(frame))).await;
}

async fn send(socket: &mut WebSocket, message: Message) -> Result<(), End> {
    patiently(socket.send(message)).await
}

/// Sends a line, and whatever else has happened by now with it.
async fn send_all(socket: &mut WebSocket, line: String, feed: &mut Feed) -> Result<(), End> {
    patiently(socket.feed(Message::text(line))).await?;
    for _ in 0..TOGETHER {
        let Some(line) = feed.at_hand()? else { break };
        patiently(socket.feed(Message::text(line))).await?;
    }
    patiently(socket.flush()).await
}

async fn patiently(sends: impl Future<Output = Result<(), axum::Error>>) -> Result<(), End> {
    let slow = || End::new(TRY_AGAIN, "too slow: come back and resume from the last row you have");
    match tokio::time::timeout(PATIENCE, sends).await {
        Ok(Ok(())) => Ok(()),
        Ok(Err(_)) | Err(_) => Err(slow()),
    }
}

/// What comes of one message.
async fn answer(feed: &mut Feed, text: &str) -> Result<Line, End> {
    feed.recheck().await?;
    let (mut id, problem) = (None, |error: &ApiError| error.problem().clone());
    let done = async {
        let wish: Result<Wish, ApiError> = input::decode(text.as_bytes());
        // Whoever asks too often is told by their key.
        id = wish.as_ref().ok().and_then(Wish::id).cloned();
        feed.principal.spend(&feed.app)?;
        let wish = wish?;
        let _turn = feed.app.desk.turn()?;
        let (method, path) = wish.route();
        access::allowed(&feed.app, &feed.principal, method, path, &feed.table).await?;
        ask::ask(&feed.app, &feed.principal, &feed.table, wish, Key(None)).await
    };
    Ok(match done.await {
        Ok(answer) => Line::Answer { id, answer },
        Err(error) => Line::Error { id, problem: problem(&error) },
    })
}
