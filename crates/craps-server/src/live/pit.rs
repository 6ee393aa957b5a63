//! The pit: all tables of this node. Each table has one writer, a task that decides requests in the order in which they arrive. A decision is
//! stored before anyone hears of it. Several nodes can have a writer for the same table: the store takes rows only at the end of the log, so a
//! writer that comes too late reads the new rows and decides again.

use super::rows::Reader;
use super::wish::Wish;
use super::writer::{Seen, Writer, machine, new_row};
use super::{
    BetName, By, Deed, DiceFrom, Entry, HostCode, Live, NoSuchBet, NotOpened, Opening, Ownership, Private, Rail,
    Refused, Roll, Secret,
};
use craps_law::Library;
use craps_money::Money;
use craps_notation::talk::AskBack;
use craps_store::{AppendError, Moved, Row, Store, StoreError};
use craps_table::{Refusal, SeatId};
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use tokio::sync::{OnceCell, broadcast, mpsc, oneshot, watch};

/// How many requests can wait for one table. Any more are turned away.
pub const QUEUE: usize = 256;
/// How many rows a slow listener can fall behind.
pub const BEHIND: usize = 512;

/// A row that was stored, for listeners.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The row as it is stored.
    pub row: Row,
    /// The parsed body of the row.
    pub entry: Entry<BetName>,
    /// The roll, if the row made one.
    pub roll: Option<Arc<Roll>>,
    /// The chips in the rails that the row touched, right after it. Empty for rows that were loaded from the store.
    pub rails: Vec<Rail>,
    /// The row as everyone sees it, as JSON. Filled in when it is first needed.
    pub(crate) public: OnceLock<String>,
}

impl Told {
    pub(super) fn new(row: Row, entry: Entry<BetName>, Seen { roll, rails }: Seen) -> Told {
        Told { row, entry, roll, rails, public: OnceLock::new() }
    }
}

/// A request to a table: who asks for what, and under which key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Who asks, and in which role.
    pub by: By,
    /// Owner of the key: an account, a guest or a token.
    pub client: String,
    /// Idempotency key. A request with the same client and key is done only once.
    pub key: Option<String>,
    /// The request itself.
    pub wish: Wish,
    /// The most that its bets can put down, if the player has set a limit for themselves.
    pub room: Option<Money>,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// The rows that were stored. Empty if there was nothing to do.
    pub rows: Vec<Arc<Told>>,
    /// The request had been done before under this key.
    pub again: bool,
    /// How the words were understood, for a request in words.
    pub understood: Option<String>,
}

impl Done {
    pub(super) fn new(rows: Vec<Arc<Told>>) -> Done {
        Done { rows, again: false, understood: None }
    }
}

/// Why a request was not done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotDone {
    /// The table or a rule of the server refuses it.
    #[error("{0}")]
    Refused(Refused),
    /// The words were not understood.
    #[error("{}", .0.message)]
    Asked(AskBack),
    /// The queue is full: try again later.
    #[error("Too many requests for this table at once. Try again in a moment.")]
    Busy,
    /// There is no such table.
    #[error("There is no table `{0}`.")]
    NoTable(String),
    /// The log can't be written or read now. It is safe to ask again under the same key.
    #[error("The log can't be reached: {0}")]
    Store(String),
    /// The new row can't be written, for example because it is too long.
    #[error("This can't be written to the table's log: {0}")]
    Unwritable(String),
    /// The table is stopped because its money no longer adds up, or its log can't be read.
    #[error("This table is stopped: {0}")]
    Stopped(String),
    /// A player can act only from their own seat.
    #[error("You can act only from your own seat. If you have none, take a seat first.")]
    NoSeat,
    /// The person may not do this.
    #[error("{0}")]
    Forbidden(String),
    /// The request lacks a value, or has one that doesn't work.
    #[error("{0}")]
    Invalid(String),
    /// The fields of the request don't fit together.
    #[error("{0}")]
    Malformed(String),
    /// The request exceeds a limit that the player set for themselves.
    #[error("Your own limit leaves ${0} for bets.")]
    OwnLimit(Money),
    /// The server is shutting down.
    #[error("The server is shutting down. Try again in a moment.")]
    Closing,
}

impl From<Refused> for NotDone {
    fn from(refused: Refused) -> NotDone {
        NotDone::Refused(refused)
    }
}

impl From<Refusal> for NotDone {
    fn from(refusal: Refusal) -> NotDone {
        NotDone::Refused(refusal.into())
    }
}

impl From<HostCode> for NotDone {
    fn from(code: HostCode) -> NotDone {
        NotDone::Refused(code.into())
    }
}

impl From<AskBack> for NotDone {
    fn from(ask: AskBack) -> NotDone {
        NotDone::Asked(ask)
    }
}

impl From<StoreError> for NotDone {
    fn from(error: StoreError) -> NotDone {
        NotDone::Store(error.to_string())
    }
}

pub(super) type Look = Box<dyn FnOnce(Result<&Live, NotDone>) + Send>;

pub(super) enum Message {
    Ask(Box<Ask>, oneshot::Sender<Result<Done, NotDone>>),
    Look(Look),
    Peek(Look),
    CatchUp(oneshot::Sender<()>),
    Known(String, String, oneshot::Sender<Result<Option<Done>, NotDone>>),
    /// Close the table, which has been empty for this many minutes.
    CloseTable(u32, oneshot::Sender<Result<(), NotDone>>),
}

/// The properties of a table that never change.
#[derive(Debug)]
pub(crate) struct Fixed {
    /// Can people play here without an account?
    pub(crate) practice: bool,
    /// Access to the table, if it is private.
    pub(crate) private: Option<Arc<Private>>,
    /// Reads the table's rows.
    pub(crate) reader: Reader,
}

/// Who opened a table and who sits where, as far as it is stored.
pub(super) type Seats = Arc<Ownership>;

/// The way to a table's writer. Also holds what can be read without asking the writer.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) messages: mpsc::Sender<Message>,
    fixed: Arc<Fixed>,
    seats: watch::Receiver<Seats>,
    pub(super) told: broadcast::Sender<Arc<Told>>,
    /// Number of the log's last row, as reported by the store. `u64::MAX` if a report may have been missed.
    moved: watch::Sender<u64>,
}

/// The doors of all tables. While a door is being opened, others wait for it.
pub(super) type Doors = HashMap<String, Arc<OnceCell<Door>>>;

/// All tables of this node.
#[derive(Clone)]
pub struct Pit {
    pub(super) store: Store,
    library: Arc<Library>,
    doors: Arc<Mutex<Doors>>,
    closing: Arc<AtomicBool>,
    /// Tables that are known to have closed permanently.
    pub(super) over: Arc<Mutex<HashSet<String>>>,
    /// How long the other players wait for the shooter, in milliseconds.
    patience: i64,
}

/// How long a shooter can keep the others waiting at a table without a human crew, in milliseconds.
const PATIENCE: i64 = 30_000;

impl Pit {
    /// Creates the pit over a store, and listens for rows that other nodes write.
    #[must_use]
    pub fn new(store: Store, library: Arc<Library>) -> Pit {
        let pit = Pit {
            store,
            library,
            doors: Arc::default(),
            closing: Arc::default(),
            over: Arc::default(),
            patience: PATIENCE,
        };
        tokio::spawn(pit.clone().listen());
        pit
    }

    /// Returns the same pit with another waiting time for the shooter, in milliseconds.
    #[must_use]
    pub fn waiting(self, patience: i64) -> Pit {
        Pit { patience, ..self }
    }

    pub(super) const fn patience(&self) -> i64 {
        self.patience
    }

    /// Returns the store that holds the logs.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// Returns the rule books.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Opens a new table.
    ///
    /// # Errors
    /// When its rules are unlawful, the id is taken, or the table can't be stored.
    pub async fn open(&self, table: &str, opening: Opening, by: By, at: i64) -> Result<(), OpenError> {
        let mut entry = Live::plan(&self.library, opening)?;
        entry.by = by;
        let first = new_row(&entry, "", None, at)?;
        // A draw that raises prices needs a secret too, also where people roll.
        let draws = !Live::open(&self.library, &entry, "")?.table().rules().modifiers.is_empty();
        let secret = draws || matches!(&entry.did, Deed::Opened(opening) if opening.dice == DiceFrom::Secret);
        let mut rows = vec![first];
        if secret {
            let secret = self.secret(table, 1).await?;
            rows.push(new_row(&machine(Deed::Committed { hand: 1, commitment: secret.commitment() }), "", None, at)?);
        }
        match self.store.append(table, 0, rows).await {
            Ok(_) => Ok(()),
            Err(AppendError::Conflict { .. } | AppendError::Duplicate { .. }) => {
                Err(OpenError::Taken(table.to_owned()))
            }
            Err(AppendError::Refused(why)) => Err(OpenError::Rules(NotOpened::Rules(why))),
            Err(AppendError::NotStored(error) | AppendError::Unknown(error)) => {
                Err(OpenError::Store(error.to_string()))
            }
        }
    }

    /// Returns the secret of a hand. If several nodes make one, the first that is stored counts.
    pub(super) async fn secret(&self, table: &str, hand: u32) -> Result<Secret, StoreError> {
        let fresh = Secret::random().ok_or(StoreError::Closed)?;
        let kept = self.store.keep_secret(table, u64::from(hand), fresh.bytes()).await?;
        Secret::from_bytes(&kept).ok_or(StoreError::Closed)
    }

    /// Sends a request to a table and waits until it is stored or refused.
    ///
    /// # Errors
    /// When it is refused, the queue is full, or the log can't be reached.
    pub async fn ask(&self, table: &str, ask: Ask) -> Result<Done, NotDone> {
        let door = self.door(table).await?;
        let (reply, answer) = oneshot::channel();
        door.messages.try_send(Message::Ask(Box::new(ask), reply)).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => NotDone::Busy,
            mpsc::error::TrySendError::Closed(_) => NotDone::Closing,
        })?;
        answer.await.unwrap_or(Err(NotDone::Closing))
    }

    /// Looks at a table as it stands now. Everything that `look` sees is stored.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub async fn look<T: Send + 'static>(
        &self,
        table: &str,
        look: impl FnOnce(&Live) -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        self.sees(table, look, Message::Look).await
    }

    async fn sees<T: Send + 'static>(
        &self,
        table: &str,
        look: impl FnOnce(&Live) -> T + Send + 'static,
        message: impl FnOnce(Look) -> Message,
    ) -> Result<T, NotDone> {
        let door = self.door(table).await?;
        let (reply, answer) = oneshot::channel();
        let look: Look = Box::new(move |live| {
            let _ = reply.send(live.map(look));
        });
        door.messages.send(message(look)).await.map_err(|_| NotDone::Closing)?;
        answer.await.unwrap_or(Err(NotDone::Closing))
    }

    /// Returns the properties of a table that never change.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn fixed(&self, table: &str) -> Result<Arc<Fixed>, NotDone> {
        Ok(self.door(table).await?.fixed)
    }

    /// Returns the seat of an account or guest.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn seat_of(&self, table: &str, who: &str) -> Result<Option<SeatId>, NotDone> {
        let seats = self.door(table).await?.seats;
        let seat = seats.borrow().seat_of(who);
        Ok(seat)
    }

    /// Has this account or guest ever had a seat at the table?
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn has_sat(&self, table: &str, who: &str) -> Result<bool, NotDone> {
        let seats = self.door(table).await?.seats;
        let sat = seats.borrow().has_sat(who);
        Ok(sat)
    }

    /// Looks at a table with everything that is decided, stored or not. Use it to check a request, never to show the table.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn peek<T: Send + 'static>(
        &self,
        table: &str,
        look: impl FnOnce(&Live) -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        self.sees(table, look, Message::Peek).await
    }

    /// Returns what was done before under a client's key.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn known(&self, table: &str, client: &str, key: &str) -> Result<Option<Done>, NotDone> {
        let (reply, answer) = oneshot::channel();
        let door = self.door(table).await?;
        let message = Message::Known(client.to_owned(), key.to_owned(), reply);
        door.messages.send(message).await.map_err(|_| NotDone::Closing)?;
        answer.await.unwrap_or(Err(NotDone::Closing))
    }

    /// Reads what other nodes have stored, without waiting for a report.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn catch_up(&self, table: &str) -> Result<(), NotDone> {
        let (reply, answer) = oneshot::channel();
        let door = self.door(table).await?;
        door.messages.send(Message::CatchUp(reply)).await.map_err(|_| NotDone::Closing)?;
        answer.await.map_err(|_| NotDone::Closing)
    }

    /// Looks at a table and listens to all rows that are stored after that. No row is missed in between.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub async fn listen_from<T: Send + 'static>(
        &self,
        table: &str,
        look: impl FnOnce(&Live) -> T + Send + 'static,
    ) -> Result<(T, broadcast::Receiver<Arc<Told>>), NotDone> {
        let told = self.door(table).await?.told;
        self.look(table, move |live| (look(live), told.subscribe())).await
    }

    /// Returns up to `limit` rows of a table after row `after`.
    ///
    /// # Errors
    /// When the store can't be read.
    pub async fn rows(&self, table: &str, after: u64, limit: u32) -> Result<Vec<Told>, NotDone> {
        let rows = self.store.load(table, after, limit).await?;
        Ok(rows.into_iter().filter_map(told).collect())
    }

    pub(super) fn doors(&self) -> std::sync::MutexGuard<'_, Doors> {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) async fn door(&self, table: &str) -> Result<Door, NotDone> {
        let place = {
            let mut doors = self.doors();
            if self.closing.load(Ordering::Acquire) {
                return Err(NotDone::Closing);
            }
            // Replace a writer that has stopped.
            if doors.get(table).and_then(|place| place.get()).is_some_and(|door| door.messages.is_closed()) {
                doors.remove(table);
            }
            Arc::clone(doors.entry(table.to_owned()).or_default())
        };
        let door = place.get_or_try_init(|| self.opened(table)).await.cloned();
        if door.is_err() {
            let mut doors = self.doors();
            if doors.get(table).is_some_and(|place| !place.initialized()) {
                doors.remove(table);
            }
        }
        door
    }

    async fn opened(&self, table: &str) -> Result<Door, NotDone> {
        if !craps_store::is_table(table) {
            return Err(NotDone::NoTable(table.to_owned()));
        }
        let mut live = fold(&self.store, &self.library, table).await?;
        let private = self.private(table, &live).await?;
        live.set_private(private.clone());
        let (messages, inbox) = mpsc::channel(QUEUE);
        let (told, _) = broadcast::channel(BEHIND);
        let (moved, moves) = watch::channel(live.head().0);
        let (practice, reader) = (live.opening().practice, Reader::new(&live));
        let fixed = Arc::new(Fixed { practice, private, reader });
        let (sat, seats) = watch::channel(Arc::new(live.ownership().clone()));
        let writer = Writer::new(self.clone(), table, live, told.clone(), sat);
        tokio::spawn(writer.serve(inbox, moves));
        Ok(Door { messages, fixed, seats, told, moved })
    }

    /// Tells the writers about rows that other nodes stored.
    async fn listen(self) {
        let mut moved = self.store.subscribe();
        while let Some(moved) = moved.next().await {
            let doors = self.doors();
            match &moved {
                Moved::Head { table, seq } => {
                    if let Some(door) = doors.get(table).and_then(|place| place.get()) {
                        door.moved.send_replace(*seq);
                    }
                }
                Moved::LookAgain => {
                    for door in doors.values().filter_map(|place| place.get()) {
                        door.moved.send_replace(u64::MAX);
                    }
                }
            }
        }
    }

    /// Takes no more requests and waits until those in progress are stored.
    pub async fn close(&self) {
        self.closing.store(true, Ordering::Release);
        let doors: Vec<Arc<OnceCell<Door>>> = self.doors().drain().map(|(_, place)| place).collect();
        for door in doors.into_iter().filter_map(|place| place.get().map(|door| door.messages.clone())) {
            let (reply, answer) = oneshot::channel();
            let last: Look = Box::new(move |_| {
                let _ = reply.send(());
            });
            // The writer answers this message after all earlier requests.
            if door.send(Message::Look(last)).await.is_ok() {
                let _ = answer.await;
            }
        }
    }
}

/// Why a table was not opened.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OpenError {
    /// The rules can't be read, or they are unlawful.
    #[error(transparent)]
    Rules(#[from] NotOpened),
    /// A table with this id exists.
    #[error("There is already a table `{0}`.")]
    Taken(String),
    /// The log can't be reached.
    #[error("The log can't be reached: {0}")]
    Store(String),
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> OpenError {
        OpenError::Store(error.to_string())
    }
}

/// Parses a row. None if it can't be read.
#[must_use]
pub fn told(row: Row) -> Option<Told> {
    let entry = serde_json::from_str(&row.body).ok()?;
    Some(Told::new(row, entry, Seen::default()))
}

/// Builds the state of a table from its whole log.
///
/// # Errors
/// When the log can't be read, doesn't begin with an opening, or its money doesn't add up.
pub async fn fold(store: &Store, library: &Library, table: &str) -> Result<Live, NotDone> {
    let stopped = |why: &str| NotDone::Stopped(why.to_owned());
    let mut live: Option<Live> = None;
    loop {
        let after = live.as_ref().map_or(0, |live| live.head().0);
        let rows = store.load(table, after, 1_000).await?;
        if rows.is_empty() {
            break;
        }
        for row in rows {
            let told = told(row).ok_or_else(|| stopped("a row of its log can't be read"))?;
            match &mut live {
                Some(live) => {
                    let why = |error: NoSuchBet| stopped(&format!("row {} can't be read: {error}", told.row.seq));
                    let entry = live.names().read(&told.entry).map_err(why)?;
                    live.apply(told.row.seq, &told.row.hash, &entry);
                }
                None => {
                    let opened = Live::open(library, &told.entry, &told.row.hash);
                    live = Some(opened.map_err(|error| stopped(&error.to_string()))?);
                }
            }
        }
    }
    let live = live.ok_or_else(|| NotDone::NoTable(table.to_owned()))?;
    if live.table().is_conserved() { Ok(live) } else { Err(stopped("its money doesn't add up")) }
}

/// Returns the current time in Unix milliseconds.
#[must_use]
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
