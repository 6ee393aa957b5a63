//! The pit: every table has one writer, a task that decides what is asked in the order in which it is asked. What it decides is durable before
//! anybody hears of it. Several nodes may have a writer for the same table: the store takes rows only at the end of the log, so whoever was late
//! reads what happened and decides again.

use super::rows::Reader;
use super::wish::Wish;
use super::writer::{Seen, Writer, machine, new_row};
use super::{
    BetName, By, Deed, DiceFrom, Entry, Live, NoSuchBet, NotOpened, Opening, Ownership, Private, Rail, Roll, Secret,
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

/// How many asks may wait for one table; more are turned away, not kept.
pub const QUEUE: usize = 256;
/// How many rows a slow listener may be behind.
pub const BEHIND: usize = 512;

/// Something that was stored, for whoever listens.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The row.
    pub row: Row,
    /// What it says.
    pub entry: Entry<BetName>,
    /// The throw it made, if it made one.
    pub roll: Option<Arc<Roll>>,
    /// What was on the rails it touched right after it, where that is known.
    pub rails: Vec<Rail>,
    /// What everybody sees of it, once somebody has written it.
    pub(crate) public: OnceLock<String>,
}

impl Told {
    pub(super) fn new(row: Row, entry: Entry<BetName>, Seen { roll, rails }: Seen) -> Told {
        Told { row, entry, roll, rails, public: OnceLock::new() }
    }
}

/// An ask: who wishes what, under which key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ask {
    /// Who.
    pub by: By,
    /// Whose keys these are: an account, a guest, a token.
    pub client: String,
    /// The same key of the same client asks for the same thing, however often it arrives.
    pub key: Option<String>,
    /// What.
    pub wish: Wish,
    /// The most that its bets may put down, where whoever asks has set themselves a limit.
    pub room: Option<Money>,
}

/// What came of an ask.
#[derive(Debug, Clone, PartialEq)]
pub struct Done {
    /// The rows that say so; none where there was nothing to do.
    pub rows: Vec<Arc<Told>>,
    /// It had been done before under this key.
    pub again: bool,
    /// What was understood, where it was said in words.
    pub understood: Option<String>,
}

impl Done {
    pub(super) fn new(rows: Vec<Arc<Told>>) -> Done {
        Done { rows, again: false, understood: None }
    }
}

/// Why an ask was not done.
#[derive(Debug, Clone, thiserror::Error)]
pub enum NotDone {
    /// The table refuses it.
    #[error("{0}")]
    Refused(Refusal),
    /// The words are not understood.
    #[error("{}", .0.message)]
    Asked(AskBack),
    /// Too much is waiting: ask again later.
    #[error("too many are asking this table at once: try again in a moment")]
    Busy,
    /// There is no such table.
    #[error("there is no table `{0}`")]
    NoTable(String),
    /// The log cannot be written or read now; asking again under the same key is safe.
    #[error("the log is out of reach: {0}")]
    Store(String),
    /// The row that would say it cannot be written.
    #[error("this cannot be written in the table's log: {0}")]
    Unwritable(String),
    /// The table was stopped because its money no longer adds up.
    #[error("this table is stopped: {0}")]
    Stopped(String),
    /// A player acts from the seat they have.
    #[error("you have no seat at this table, or not that one")]
    NoSeat,
    /// What is wished is not theirs to do.
    #[error("{0}")]
    Forbidden(String),
    /// What is wished says too little, or what cannot be meant.
    #[error("{0}")]
    Invalid(String),
    /// What is wished is no wish.
    #[error("{0}")]
    Malformed(String),
    /// A limit that they set themselves.
    #[error("your own limit leaves {0} for bets")]
    OwnLimit(Money),
    /// The server is going down.
    #[error("the server is closing")]
    Closing,
}

impl From<Refusal> for NotDone {
    fn from(refusal: Refusal) -> NotDone {
        NotDone::Refused(refusal)
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
    /// Close the table, which has been empty for so many minutes.
    CloseTable(u32, oneshot::Sender<Result<(), NotDone>>),
}

/// What never changes at a table.
#[derive(Debug)]
pub(crate) struct Fixed {
    /// May anybody play here without an account?
    pub(crate) practice: bool,
    /// Its door, where it is not there for everybody.
    pub(crate) private: Option<Arc<Private>>,
    /// A reader of its rows.
    pub(crate) reader: Reader,
}

/// Who a table belongs to, as far as it is stored.
pub(super) type Seats = Arc<Ownership>;

/// A table's door. What can be seen from there nobody has to be asked for.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) messages: mpsc::Sender<Message>,
    fixed: Arc<Fixed>,
    seats: watch::Receiver<Seats>,
    pub(super) told: broadcast::Sender<Arc<Told>>,
    /// How far the log goes, as the store tells it; past every end where something may have been missed.
    moved: watch::Sender<u64>,
}

/// The doors of tables; one that is being opened is waited for.
pub(super) type Doors = HashMap<String, Arc<OnceCell<Door>>>;

/// All tables of this node.
#[derive(Clone)]
pub struct Pit {
    pub(super) store: Store,
    library: Arc<Library>,
    doors: Arc<Mutex<Doors>>,
    closing: Arc<AtomicBool>,
    /// Tables that are known to have closed for good.
    pub(super) over: Arc<Mutex<HashSet<String>>>,
    /// How long others wait for whoever has the dice, in milliseconds.
    patience: i64,
}

/// How long a shooter may let everybody wait at a table with a machine for a crew.
const PATIENCE: i64 = 30_000;

impl Pit {
    /// The pit over a store; it listens for what other nodes write.
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

    /// The same pit, where others wait so many milliseconds for whoever has the dice.
    #[must_use]
    pub fn waiting(self, patience: i64) -> Pit {
        Pit { patience, ..self }
    }

    pub(super) const fn patience(&self) -> i64 {
        self.patience
    }

    /// The store beneath.
    #[must_use]
    pub fn store(&self) -> &Store {
        &self.store
    }

    /// The books.
    #[must_use]
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// Opens a new table.
    ///
    /// # Errors
    /// When its rules are unlawful, or it cannot be stored.
    pub async fn open(&self, table: &str, opening: Opening, by: By, at: i64) -> Result<(), OpenError> {
        let mut entry = Live::plan(&self.library, opening)?;
        entry.by = by;
        let first = new_row(&entry, "", None, at)?;
        let secret = matches!(&entry.did, Deed::Opened(opening) if opening.dice == DiceFrom::Secret);
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

    /// The secret of a hand: the first that any node keeps.
    pub(super) async fn secret(&self, table: &str, hand: u32) -> Result<Secret, StoreError> {
        let fresh = Secret::random().ok_or(StoreError::Closed)?;
        let kept = self.store.keep_secret(table, u64::from(hand), fresh.bytes()).await?;
        Secret::from_bytes(&kept).ok_or(StoreError::Closed)
    }

    /// Asks something of a table and waits until it is durable or refused.
    ///
    /// # Errors
    /// When it is refused, too much is waiting, or the log is out of reach.
    pub async fn ask(&self, table: &str, ask: Ask) -> Result<Done, NotDone> {
        let door = self.door(table).await?;
        let (reply, answer) = oneshot::channel();
        door.messages.try_send(Message::Ask(Box::new(ask), reply)).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => NotDone::Busy,
            mpsc::error::TrySendError::Closed(_) => NotDone::Closing,
        })?;
        answer.await.unwrap_or(Err(NotDone::Closing))
    }

    /// Looks at a table as it stands.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
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

    /// What never changes at a table.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub(crate) async fn fixed(&self, table: &str) -> Result<Arc<Fixed>, NotDone> {
        Ok(self.door(table).await?.fixed)
    }

    /// The seat that somebody has.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub(crate) async fn seat_of(&self, table: &str, who: &str) -> Result<Option<SeatId>, NotDone> {
        let seats = self.door(table).await?.seats;
        let seat = seats.borrow().seat_of(who);
        Ok(seat)
    }

    /// Has somebody ever had a seat at a table?
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub(crate) async fn has_sat(&self, table: &str, who: &str) -> Result<bool, NotDone> {
        let seats = self.door(table).await?.seats;
        let sat = seats.borrow().has_sat(who);
        Ok(sat)
    }

    /// Looks at a table with everything that is decided, stored or not: for asking, never for showing.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub(crate) async fn peek<T: Send + 'static>(
        &self,
        table: &str,
        look: impl FnOnce(&Live) -> T + Send + 'static,
    ) -> Result<T, NotDone> {
        self.sees(table, look, Message::Peek).await
    }

    /// What was done before under a client's key.
    ///
    /// # Errors
    /// When there is no such table.
    pub(crate) async fn known(&self, table: &str, client: &str, key: &str) -> Result<Option<Done>, NotDone> {
        let (reply, answer) = oneshot::channel();
        let door = self.door(table).await?;
        let message = Message::Known(client.to_owned(), key.to_owned(), reply);
        door.messages.send(message).await.map_err(|_| NotDone::Closing)?;
        answer.await.unwrap_or(Err(NotDone::Closing))
    }

    /// Reads what other nodes have stored, without waiting to be told.
    ///
    /// # Errors
    /// When there is no such table.
    pub(crate) async fn catch_up(&self, table: &str) -> Result<(), NotDone> {
        let (reply, answer) = oneshot::channel();
        let door = self.door(table).await?;
        door.messages.send(Message::CatchUp(reply)).await.map_err(|_| NotDone::Closing)?;
        answer.await.map_err(|_| NotDone::Closing)
    }

    /// Looks at a table and listens to everything that is stored from that moment on: nothing is missed between the two.
    ///
    /// # Errors
    /// When there is no such table, or it cannot be read.
    pub async fn listen_from<T: Send + 'static>(
        &self,
        table: &str,
        look: impl FnOnce(&Live) -> T + Send + 'static,
    ) -> Result<(T, broadcast::Receiver<Arc<Told>>), NotDone> {
        let told = self.door(table).await?.told;
        self.look(table, move |live| (look(live), told.subscribe())).await
    }

    /// The rows of a table after one, as many as are wanted.
    ///
    /// # Errors
    /// When the store cannot be read.
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
            // A writer that has stopped is followed by another.
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

    /// Lets tables know of rows that other nodes stored.
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

    /// Takes no more asks, and waits until those under way are stored.
    pub async fn close(&self) {
        self.closing.store(true, Ordering::Release);
        let doors: Vec<Arc<OnceCell<Door>>> = self.doors().drain().map(|(_, place)| place).collect();
        for door in doors.into_iter().filter_map(|place| place.get().map(|door| door.messages.clone())) {
            let (reply, answer) = oneshot::channel();
            let last: Look = Box::new(move |_| {
                let _ = reply.send(());
            });
            // What was asked before this is answered before it.
            if door.send(Message::Look(last)).await.is_ok() {
                let _ = answer.await;
            }
        }
    }
}

/// Why a table was not opened.
#[derive(Debug, Clone, thiserror::Error)]
pub enum OpenError {
    /// Its rules.
    #[error(transparent)]
    Rules(#[from] NotOpened),
    /// There is one of that name.
    #[error("there is a table `{0}` already")]
    Taken(String),
    /// The log.
    #[error("the log is out of reach: {0}")]
    Store(String),
}

impl From<StoreError> for OpenError {
    fn from(error: StoreError) -> OpenError {
        OpenError::Store(error.to_string())
    }
}

/// What a row says, if it can be read.
#[must_use]
pub fn told(row: Row) -> Option<Told> {
    let entry = serde_json::from_str(&row.body).ok()?;
    Some(Told::new(row, entry, Seen::default()))
}

/// Folds the whole log of a table.
///
/// # Errors
/// When it cannot be read, or does not begin with an opening.
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
            let told = told(row).ok_or_else(|| stopped("a row of its log cannot be read"))?;
            match &mut live {
                Some(live) => {
                    let why = |error: NoSuchBet| stopped(&format!("row {} cannot be read: {error}", told.row.seq));
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
    if live.table().is_conserved() { Ok(live) } else { Err(stopped("its money does not add up")) }
}

/// The time, for rows.
#[must_use]
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
