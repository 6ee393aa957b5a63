//! Runs many bots at many tables.

use crate::bot::{Bot, Heard};
use crate::http::Http;
use crate::ledger::Broken;
use crate::{Outcome, Trouble};
use craps_law::Library;
use futures_util::{FutureExt as _, SinkExt as _, StreamExt as _};
use serde_json::json;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::num::NonZero;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::available_parallelism;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_tungstenite::tungstenite::client::IntoClientRequest as _;
use tokio_tungstenite::tungstenite::http::header::{COOKIE, HeaderValue};
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::tungstenite::{Error, Message};
use tokio_tungstenite::{WebSocketStream, client_async_with_config};

/// Maximum time to connect.
const CONNECT_MOST: Duration = Duration::from_secs(10);
/// A connection without any message for this long counts as lost.
const SILENCE_MOST: Duration = Duration::from_secs(60);
/// Read buffer per bot, in bytes.
const BUFFER: usize = 8 * 1024;
/// Number of tables that one guest opens.
const OPENS: usize = 10;

/// Timing of bots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manners {
    /// Average pause between an answer and the next command.
    pub pause: Duration,
    /// Average delay before a retry when the server asks for one.
    pub later: Duration,
    /// Time between two commands on a schedule, whether or not the last one is answered. Without one, a bot waits for each answer.
    pub every: Option<Duration>,
}

/// A command that was acknowledged with at least one row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acknowledged {
    /// Id of the table.
    pub table: String,
    /// Id of the guest who sent it.
    pub client: String,
    /// Idempotency key of the command.
    pub key: String,
    /// Number of its first row, as the sender was told.
    pub row: u64,
    /// Time from when it was due to the answer.
    pub took: Duration,
}

/// An order to all bots.
#[derive(Debug, Clone)]
enum Word {
    Play(Manners),
    /// Send no new commands; repeat open ones until they are answered.
    Settle,
    /// Listen until these last rows have arrived, then leave.
    Leave(Arc<HashMap<String, u64>>),
}

/// State that all bots of a crowd share.
#[derive(Debug, Clone)]
struct Field {
    nodes: watch::Receiver<Vec<SocketAddr>>,
    word: watch::Receiver<Word>,
    /// Number of bots without open commands.
    settled: Arc<watch::Sender<usize>>,
    acknowledged: Arc<Mutex<Vec<Acknowledged>>>,
}

/// Identity of a bot.
#[derive(Debug, Clone)]
pub(crate) struct Guest {
    pub(crate) client: String,
    pub(crate) cookie: String,
    pub(crate) table: String,
}

/// A running crowd of bots.
#[derive(Debug)]
pub struct Crowd {
    pub(crate) guests: Vec<Guest>,
    nodes: watch::Sender<Vec<SocketAddr>>,
    word: watch::Sender<Word>,
    field: Field,
    bots: JoinSet<Bot>,
}

impl Crowd {
    /// Creates guests at these nodes, opens the tables, and starts one bot per seat.
    ///
    /// # Errors
    /// When a guest or a table can't be created.
    pub async fn come(
        nodes: Vec<SocketAddr>,
        tables: usize,
        seats: u8,
        manners: Manners,
        seed: u64,
    ) -> Result<Crowd, Trouble> {
        let first = *nodes.first().ok_or_else(|| Trouble::Server("expected at least one node".to_owned()))?;
        let (nodes, nodes_known) = watch::channel(nodes);
        let (word, word_known) = watch::channel(Word::Play(manners));
        let (settled, _) = watch::channel(0);
        let (settled, acknowledged) = (Arc::new(settled), Arc::default());
        let field = Field { nodes: nodes_known, word: word_known, settled, acknowledged };
        let mut http = Http::to(first, None).await?;
        let book = book();
        let (mut bots, mut guests) = (JoinSet::new(), Vec::new());
        for table in 0..tables {
            let name = format!("crowd-{table:03}");
            for seat in 1..=seats {
                let guest = loop {
                    let guest = http.ask("POST", "/guests", None).await?;
                    // All bots have the same address, so the rate limit may slow this down.
                    match guest.status {
                        429 => sleep(Duration::from_millis(100)).await,
                        _ => break guest.done()?,
                    }
                };
                let cookie = guest.cookie.clone().unwrap_or_default();
                let client = guest.body()["who"].as_str().unwrap_or_default().to_owned();
                if seat == 1 && table % OPENS == 0 {
                    let mut owner = Http::to(first, Some(cookie.clone())).await?;
                    for table in table..tables.min(table + OPENS) {
                        let name = format!("crowd-{table:03}");
                        let open = json!({ "table": name, "name": name, "house": { "book": book } });
                        owner.ask("POST", "/tables", Some(&open)).await?.done()?;
                    }
                }
                guests.push(Guest { client: client.clone(), cookie: cookie.clone(), table: name.clone() });
                let own = seed ^ (table as u64) << 8 ^ u64::from(seat);
                bots.spawn(play(Bot::new(client, cookie, &name, seat, own), field.clone()));
            }
        }
        Ok(Crowd { guests, nodes, word, field, bots })
    }

    /// Returns the number of bots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bots.len()
    }

    /// Returns true if there are no bots.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bots.is_empty()
    }

    /// Sets the addresses of the running nodes.
    pub fn find_nodes_at(&self, nodes: Vec<SocketAddr>) {
        self.nodes.send_replace(nodes);
    }

    /// Changes the timing of all bots.
    pub fn behave(&self, manners: Manners) {
        self.word.send_replace(Word::Play(manners));
    }

    /// Returns the commands acknowledged since the last call, and forgets them.
    #[must_use]
    pub fn acknowledged(&self) -> Vec<Acknowledged> {
        std::mem::take(&mut *self.field.acknowledged.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the number of commands acknowledged since the last call of [`Crowd::acknowledged`].
    #[must_use]
    pub fn count(&self) -> usize {
        self.field.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Stops new commands and waits until all open ones are answered.
    ///
    /// # Errors
    /// When that takes longer than `most`.
    pub async fn settle(&self, most: Duration) -> Result<(), Trouble> {
        self.field.settled.send_replace(0);
        self.word.send_replace(Word::Settle);
        let (all, mut settled) = (self.bots.len(), self.field.settled.subscribe());
        let settles = settled.wait_for(|settled| *settled == all);
        match timeout(most, settles).await {
            Ok(_) => Ok(()),
            Err(_) => {
                let settled = *self.field.settled.borrow();
                Err(Trouble::Server(format!("only {settled} of {all} bots got all their answers within {most:?}")))
            }
        }
    }

    /// Lets all bots listen until they have heard the logs up to these rows, and then ends them. Then each checks what it has heard.
    ///
    /// # Errors
    /// When that takes longer than `most`.
    pub async fn leave(self, ends: HashMap<String, u64>, most: Duration) -> Result<Vec<Bot>, Trouble> {
        self.word.send_replace(Word::Leave(Arc::new(ends)));
        let left = timeout(most, self.bots.join_all()).await;
        let mut bots =
            left.map_err(|_| Trouble::Server(format!("not all bots heard the whole log within {most:?}")))?;
        let each = bots.len().div_ceil(available_parallelism().map_or(1, NonZero::get)).max(1);
        std::thread::scope(|scope| {
            for some in bots.chunks_mut(each) {
                scope.spawn(move || some.iter_mut().for_each(Bot::check));
            }
        });
        Ok(bots)
    }
}

/// Returns the id of the book of all tables.
pub(crate) fn book() -> Option<String> {
    Library::shipped().books.first().map(|book| book.id.clone())
}

/// Reason why a connection ended.
enum Ended {
    /// The connection was lost.
    Lost,
    /// The bot was done.
    Left,
}

type Socket = WebSocketStream<TcpStream>;

async fn play(mut bot: Bot, mut field: Field) -> Bot {
    loop {
        match connect(&mut bot, &field).await {
            Some(socket) => {
                if let Ended::Left = converse(&mut bot, socket, &mut field).await {
                    return bot;
                }
            }
            None => sleep(Duration::from_millis(5 + bot.draw(20))).await,
        }
    }
}

/// Connects to a random node and resumes after the last row heard.
async fn connect(bot: &mut Bot, field: &Field) -> Option<Socket> {
    let addr = {
        let nodes = field.nodes.borrow();
        let at = bot.draw(nodes.len() as u64);
        *nodes.get(usize::try_from(at).ok()?)?
    };
    let from = if bot.play.view.is_known { format!("?from={}", bot.play.last()) } else { String::new() };
    let request = format!("ws://{addr}/tables/{}/stream{from}", bot.table()).into_client_request();
    let mut request = request.ok()?;
    request.headers_mut().insert(COOKIE, HeaderValue::from_str(&bot.cookie).ok()?);
    let connected = timeout(CONNECT_MOST, async {
        let stream = TcpStream::connect(addr).await?;
        stream.set_nodelay(true)?;
        client_async_with_config(request, stream, Some(WebSocketConfig::default().read_buffer_size(BUFFER))).await
    });
    match connected.await.ok()? {
        Ok((socket, _)) => {
            if let Some(before) = bot.node.replace(addr) {
                bot.resumed += 1;
                bot.elsewhere += u64::from(before != addr);
            }
            Some(socket)
        }
        // A busy server may reject a connection. Otherwise it must accept a bot that resumes after a row it has heard.
        Err(Error::Http(refused)) if refused.status().as_u16() < 429 => {
            let why = refused.body().as_deref().map(String::from_utf8_lossy).unwrap_or_default();
            let why = format!("{} {why}", refused.status());
            let (table, seat, after) = (bot.table().to_owned(), bot.play.view.seat, bot.play.last());
            bot.broken.push(Broken::NotResumed { table, seat, after, why });
            // Wait, so that the same failure isn't reported many times.
            sleep(Duration::from_secs(1)).await;
            None
        }
        Err(_) => None,
    }
}

/// What a bot does over one connection.
struct Talk {
    word: Word,
    is_settled: bool,
    /// Commands to repeat, and when.
    later: Vec<(Instant, usize)>,
    /// When it sends its next command.
    next: Instant,
    /// When it last heard anything.
    heard: Instant,
}

async fn converse(bot: &mut Bot, mut socket: Socket, field: &mut Field) -> Ended {
    let now = Instant::now();
    let mut talk = Talk {
        word: field.word.borrow_and_update().clone(),
        is_settled: false,
        later: bot.open.iter().map(|at| (now, *at)).collect(),
        next: now,
        heard: now,
    };
    talk.begin(bot);
    loop {
        if field.word.has_changed().unwrap_or(false) {
            talk.word = field.word.borrow_and_update().clone();
            talk.begin(bot);
        }
        match &talk.word {
            Word::Play(_) => talk.is_settled = false,
            Word::Settle if bot.open.is_empty() && !talk.is_settled => {
                talk.is_settled = true;
                field.settled.send_modify(|settled| *settled += 1);
            }
            Word::Settle => {}
            Word::Leave(ends) => {
                if bot.open.is_empty() && ends.get(bot.table()).is_none_or(|end| bot.play.last() >= *end) {
                    let _ = socket.close(None).await;
                    return Ended::Left;
                }
            }
        }
        let now = Instant::now();
        if let Some(at) = talk.due(bot, now) {
            let text = bot.sent[at].wish.to_string();
            if socket.send(Message::text(text)).await.is_err() {
                return talk.lost(field);
            }
            continue;
        }
        let wake = talk.wake(bot).unwrap_or(talk.heard + SILENCE_MOST).min(talk.heard + SILENCE_MOST);
        tokio::select! {
            message = socket.next() => {
                talk.heard = now;
                let mut message = message;
                loop {
                    match message {
                        Some(Ok(Message::Text(text))) => talk.hear(bot, text.as_str(), field),
                        Some(Ok(Message::Close(frame))) => {
                            let reason = frame.map(|frame| frame.reason.to_string()).unwrap_or_default();
                            // Remove the row number at the end, which differs for every bot.
                            let reason = reason.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned();
                            *bot.ends.entry(reason).or_default() += 1;
                            return talk.lost(field);
                        }
                        Some(Err(_)) | None => return talk.lost(field),
                        Some(Ok(_)) => {}
                    }
                    // Lines that came together are read together.
                    match socket.next().now_or_never() {
                        Some(next) => message = next,
                        None => break,
                    }
                }
            }
            () = sleep_until(wake) => {
                if talk.heard + SILENCE_MOST <= Instant::now() {
                    return talk.lost(field);
                }
            }
            _ = field.word.changed() => {
                // The order is read at the beginning of the next round.
                field.word.mark_changed();
            }
        }
    }
}

impl Talk {
    /// Begins to follow an order. Bots on a schedule begin at different times.
    fn begin(&mut self, bot: &mut Bot) {
        if let Word::Play(Manners { every: Some(every), .. }) = self.word {
            let micros = u64::try_from(every.as_micros()).unwrap_or(u64::MAX);
            self.next = Instant::now() + Duration::from_micros(bot.draw(micros));
        }
    }

    /// Does the bot send its next command at `next`?
    fn plays(&self, bot: &Bot) -> bool {
        match &self.word {
            Word::Play(manners) => bot.play.view.is_known && (manners.every.is_some() || bot.open.is_empty()),
            _ => false,
        }
    }

    /// Returns the time when there is something to send.
    fn wake(&self, bot: &Bot) -> Option<Instant> {
        let later = self.later.iter().map(|(when, _)| *when).min();
        self.plays(bot).then_some(self.next).into_iter().chain(later).min()
    }

    /// Returns the command to send now.
    fn due(&mut self, bot: &mut Bot, now: Instant) -> Option<usize> {
        if let Some(due) = self.later.iter().position(|(when, _)| *when <= now) {
            return Some(self.later.swap_remove(due).1);
        }
        if !self.plays(bot) || self.next > now {
            return None;
        }
        match &self.word {
            Word::Play(Manners { every: Some(every), .. }) => {
                let scheduled = self.next;
                self.next += *every;
                Some(bot.think(scheduled.into_std()))
            }
            _ => Some(bot.think(now.into_std())),
        }
    }

    fn hear(&mut self, bot: &mut Bot, text: &str, field: &Field) {
        let (pause, again) = match self.word {
            Word::Play(manners) => (manners.pause, manners.later),
            _ => (Duration::ZERO, Duration::from_millis(50)),
        };
        match bot.hear(text) {
            Heard::Line => {}
            Heard::Later(at) => self.later.push((Instant::now() + jittered(bot, again), at)),
            Heard::Answer(at) => {
                if !matches!(self.word, Word::Play(Manners { every: Some(_), .. })) {
                    self.next = Instant::now() + jittered(bot, pause);
                }
                // It won't be sent again.
                bot.sent[at].wish.take();
                if let Outcome::Done(rows) = &bot.sent[at].outcome
                    && let Some(row) = rows.first()
                {
                    let (table, client, key) = (bot.table().to_owned(), bot.client.clone(), bot.sent[at].key.clone());
                    let acknowledged = Acknowledged { table, client, key, row: *row, took: bot.sent[at].took };
                    field.acknowledged.lock().unwrap_or_else(PoisonError::into_inner).push(acknowledged);
                }
            }
        }
    }

    /// Handles a lost connection. A bot that had settled must settle again.
    fn lost(&self, field: &Field) -> Ended {
        if self.is_settled {
            field.settled.send_modify(|settled| *settled = settled.saturating_sub(1));
        }
        Ended::Lost
    }
}

/// Returns a random time from half to one and a half times this one.
fn jittered(bot: &mut Bot, time: Duration) -> Duration {
    let micros = u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    Duration::from_micros(micros / 2 + bot.draw(micros + 1))
}
