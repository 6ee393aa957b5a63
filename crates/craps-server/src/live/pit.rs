//! The pit: all tables of this node. Each table has one writer, a task that decides requests in the order in which they arrive. A decision is
//! stored before anyone hears of it. Several nodes can have a writer for the same table: the store takes rows only at the end of the log, so a
//! writer that comes too late reads the new rows and decides again.

use super::opening;
use super::rows::Reader;
use super::view::BetView;
use super::wish::Keyed;
use super::writer::{Digests, Seen, Shown, Writer, machine, new_row};
use super::{
    BetName, By, Card, Chain, Deed, DiceFrom, Entry, Live, Names, NotOpened, Opening, Ownership, Private, Rail, Roll,
    Seal, Secret, Walk, WitnessOf,
};
use crate::clock::{self, Clock};
use crate::faults;
use crate::witness::{DICE, DiceWitness, Said, Warnings};
use axum::extract::ws::Utf8Bytes;
use craps_law::Library;
use craps_store::{AppendError, Before, Lock, Moved, PublicKey, Row, SealKey, Store, StoreError, TRAIL};
use craps_table::{Crew, SeatId, Table};
use futures_util::future::{FutureExt as _, Shared};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OnceCell, OwnedSemaphorePermit, Semaphore, broadcast, mpsc, oneshot, watch};
use tracing::{Instrument as _, Span};

/// How many requests can wait for one table. Any more are turned away.
pub const QUEUE: usize = 256;
/// How many rows a slow listener can fall behind.
pub const BEHIND: usize = 512;
/// How long a request waits for a table that is being read. Reading goes on without it.
const READING: Duration = Duration::from_secs(5);
/// How many tables are read at once.
const READS: usize = 4;
/// How many different sets of rules are kept in memory for tables to share.
const RULES: usize = 64;

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
    /// The bets that an undo left at its seat. None for other rows, and if more than that changed.
    pub left: Option<Vec<BetView>>,
    /// The row as everyone sees it, as a line of a stream. Filled in when it is first needed.
    pub(crate) public: OnceLock<Utf8Bytes>,
}

impl Told {
    pub(super) fn new(row: Row, entry: Entry<BetName>, Seen { roll, rails, left }: Seen) -> Told {
        Told { row, entry, roll, rails, left, public: OnceLock::new() }
    }
}

pub(super) type Look = Box<dyn FnOnce(Result<&Live, NotDone>) + Send>;

pub(super) enum Message {
    /// A request, where its answer goes, and its span for traces.
    Ask(Box<Ask>, oneshot::Sender<Result<Done, NotDone>>, Span),
    Look(Look),
    Peek(Look),
    CatchUp(oneshot::Sender<()>),
    Known(String, Keyed, oneshot::Sender<Result<Option<Done>, NotDone>>),
    /// Close the table, which has been empty for this many minutes.
    CloseTable(u32, oneshot::Sender<Result<(), NotDone>>),
    /// Take away the seats of players who have done nothing for long.
    FreeSeats,
}

/// The properties of a table that never change.
#[derive(Debug)]
pub(crate) struct Fixed {
    /// Can people play here without an account?
    pub(crate) practice: bool,
    /// Do people deal the game?
    pub(crate) dealt: bool,
    /// Access to the table, if it is private.
    pub(crate) private: Option<Arc<Private>>,
    /// Reads the table's rows.
    pub(crate) reader: Reader,
}

impl Fixed {
    /// Is it a practice table that everybody can see?
    pub(crate) fn is_public(&self) -> bool {
        self.practice && self.private.is_none()
    }

    /// Is it a practice table that nobody deals? People can play there whatever their work is.
    pub(crate) const fn is_play(&self) -> bool {
        self.practice && !self.dealt
    }
}

/// Who opened a table and who sits where, as far as it is stored.
pub(super) type Seats = Arc<Ownership>;

/// The way to a table's writer. Also holds what can be read without asking the writer.
#[derive(Clone)]
pub(super) struct Door {
    pub(super) messages: mpsc::Sender<Message>,
    fixed: Arc<Fixed>,
    seats: watch::Receiver<Seats>,
    /// What the lobby shows of the table.
    card: watch::Receiver<Arc<Card>>,
    pub(super) told: broadcast::Sender<Arc<Told>>,
    /// Number of the log's last row, as reported by the store. `u64::MAX` if a report may have been missed.
    moved: watch::Sender<u64>,
    /// When somebody last wanted something of the table, in ticks.
    used: Arc<AtomicI64>,
}

impl Door {
    /// Returns what the lobby shows of the table.
    pub(super) fn card(&self) -> Arc<Card> {
        Arc::clone(&self.card.borrow())
    }

    /// Shows the table to `look`.
    pub(super) async fn sees<T: Send + 'static>(
        &self,
        look: impl FnOnce(&Live) -> T + Send + 'static,
        message: impl FnOnce(Look) -> Message,
    ) -> Result<T, NotDone> {
        let (reply, answer) = oneshot::channel();
        let look: Look = Box::new(move |live| {
            let _ = reply.send(live.map(look));
        });
        self.messages.send(message(look)).await.map_err(|_| NotDone::Closing)?;
        answer.await.unwrap_or(Err(NotDone::Closing))
    }
}

/// The place of a table's door. While the door is being opened, others wait for it.
#[derive(Clone)]
pub(super) struct Place(Shared<oneshot::Receiver<Result<Door, NotDone>>>);

impl Place {
    /// Returns the door if it is open.
    pub(super) fn get(&self) -> Option<Door> {
        self.0.clone().now_or_never()?.ok()?.ok()
    }

    /// Has the writer stopped, or did opening fail?
    fn is_gone(&self) -> bool {
        match self.0.clone().now_or_never() {
            Some(Ok(Ok(door))) => door.messages.is_closed(),
            Some(_) => true,
            None => false,
        }
    }
}

/// What the tables of a node have to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Standing {
    /// Tables in memory.
    pub(crate) tables: usize,
    /// Tables that are being read from their logs.
    pub(crate) reading: usize,
    /// Messages in the inboxes of all tables.
    pub(crate) queued: usize,
    /// Messages in the fullest inbox.
    pub(crate) longest: usize,
}

/// The doors of all tables.
pub(super) type Doors = BTreeMap<String, Place>;

/// All tables of this node.
#[derive(Clone)]
pub struct Pit {
    pub(super) store: Store,
    library: Arc<Library>,
    doors: Arc<Mutex<Doors>>,
    closing: Arc<AtomicBool>,
    /// Tables that are known to have closed permanently.
    pub(super) over: Arc<Mutex<HashSet<String>>>,
    waits: Waits,
    /// Number of the trail's last row, as reported by the store. `u64::MAX` if a report may have been missed.
    trail: Arc<AtomicU64>,
    /// Why all tables are stopped: the log was changed outside of this server.
    distrusted: Arc<OnceLock<String>>,
    clock: Arc<Clock>,
    /// Empty tables and the names of their bets, by their rules. Tables with the same rules share them.
    rules: Arc<Mutex<HashMap<String, (Table, Names)>>>,
    /// Limits how many tables are read at once.
    reads: Arc<Semaphore>,
    seal: Arc<OnceCell<Seal>>,
    /// The witness of the dice of new tables.
    witness: Option<Arc<DiceWitness>>,
    warnings: Arc<Warnings>,
    /// The lobby left out a table, because it had no card.
    pub(super) without_card: Arc<AtomicBool>,
}

/// How long others wait for a player at a table without a human crew, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waits {
    /// For the shooter to roll. After that, the next player who asks for a roll gets the dice.
    pub shooter: i64,
    /// Until a player who does nothing loses the seat at a practice table.
    pub seat: i64,
    /// The same at a full table, where others are waiting for a seat.
    pub seat_at_full: i64,
    /// Until a table that nobody plays at or listens to is no longer kept in memory.
    pub unload: i64,
}

impl Default for Waits {
    fn default() -> Waits {
        Waits { shooter: 60_000, seat: 60 * 60_000, seat_at_full: 10 * 60_000, unload: 60_000 }
    }
}

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
            waits: Waits::default(),
            trail: Arc::default(),
            distrusted: Arc::default(),
            clock: clock::shared(),
            rules: Arc::default(),
            reads: Arc::new(Semaphore::new(READS)),
            seal: Arc::default(),
            witness: None,
            warnings: Arc::default(),
            without_card: Arc::default(),
        };
        tokio::spawn(pit.clone().listen());
        pit
    }

    /// Returns the same pit with other waiting times.
    #[must_use]
    pub fn waiting(self, waits: Waits) -> Pit {
        Pit { waits, ..self }
    }

    /// Returns the same pit with another clock.
    #[must_use]
    pub fn timed(self, clock: Arc<Clock>) -> Pit {
        Pit { clock, ..self }
    }

    /// Returns the same pit with this seal for the secrets of its dice.
    #[must_use]
    pub fn sealed(self, seal: Seal) -> Pit {
        Pit { seal: Arc::new(OnceCell::new_with(Some(seal))), ..self }
    }

    /// Returns the same pit with a witness for the dice of new tables.
    #[must_use]
    pub fn witnessed(self, witness: DiceWitness) -> Pit {
        Pit { witness: Some(Arc::new(witness)), ..self }
    }

    /// Returns what an operator should know, although the server works.
    pub(crate) fn warnings(&self) -> &Warnings {
        &self.warnings
    }

    /// Asks the witness of a table until it answers.
    pub(super) async fn ask_witness(self, lock: Lock, named: Option<PublicKey>, say: watch::Sender<Said>) {
        match self.witness.as_ref().filter(|known| named.as_ref() == Some(known.key())) {
            Some(witness) => witness.ask(lock, &say, &self.warnings).await,
            None => {
                let named = named.map(|key| key.to_string()).unwrap_or_default();
                let why = format!("the server has no witness with the key {named}: name it with --dice-witness");
                self.warnings.set(DICE, Some(why.clone()));
                say.send_replace(Said::Failure(why));
            }
        }
    }

    /// Returns the seal for the secrets of the dice. A pit that was given none uses the key next to its SQLite file.
    ///
    /// # Errors
    /// When there is no key, or it can't be used.
    pub async fn seal(&self) -> Result<&Seal, StoreError> {
        let refused = |why: String| StoreError::Refused(why);
        let open = || async {
            let file = self.store.file().map(SealKey::beside);
            let file = file.ok_or_else(|| refused("there is no key to seal the secrets of the dice".to_owned()))?;
            let key = SealKey::open_or_create(&file)?;
            Seal::open(&self.store, key, false).await.map_err(|error| refused(error.to_string()))
        };
        self.seal.get_or_try_init(open).await
    }

    /// Makes the row that commits to the next secret of a table: in the chain that it has, or in a new one.
    pub(super) async fn committed(&self, table: &str, hand: u32, chain: Option<&Chain>) -> Result<Deed, StoreError> {
        let seal = self.seal().await?;
        let chain = match chain.and_then(Chain::next) {
            Some(next) => next,
            None => seal.begin()?,
        };
        Ok(Deed::Committed { hand, commitment: seal.secret(table, &chain).commitment(), chain: Some(chain) })
    }

    /// Returns the clock that stamps the rows.
    #[must_use]
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Returns the number of the trail's last row, as far as it is known, and forgets that a report may have been missed.
    pub(crate) fn trail(&self) -> u64 {
        let seq = self.trail.load(Ordering::Acquire);
        if seq == u64::MAX {
            self.trail.store(0, Ordering::Release);
        }
        seq
    }

    /// Stops all tables, because the log was changed outside of this server.
    pub(crate) fn distrust(&self, why: String) {
        // The first reason stays.
        let _ = self.distrusted.set(why);
    }

    /// Returns why all tables are stopped.
    pub(crate) fn distrusted(&self) -> Option<&str> {
        self.distrusted.get().map(String::as_str)
    }

    pub(super) const fn waits(&self) -> Waits {
        self.waits
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
        let of =
            |witness: &Arc<DiceWitness>| WitnessOf { key: witness.key().clone(), store: self.store.id().to_owned() };
        let witness = self.witness.as_ref().filter(|_| opening.dice == DiceFrom::Secret).map(of);
        let mut entry = Live::plan(&self.library, Opening { witness, ..opening })?;
        entry.by = by;
        let first = new_row(&entry, "", None, at)?;
        // A draw that raises prices needs a secret too, also where people roll.
        let opened = Live::open(&self.library, &entry, "")?;
        let draws = !opened.table().rules().modifiers.is_empty();
        let secret = draws || matches!(&entry.did, Deed::Opened(opening) if opening.dice == DiceFrom::Secret);
        let mut rows = vec![first];
        if secret {
            let committed = self.committed(table, 1, None).await?;
            rows.push(new_row(&machine(committed), "", None, at)?);
        }
        let last = rows.len() as u64;
        match self.store.append(table, 0, rows).await {
            Ok(_) => {
                self.keep_first_card(table, last, &opened).await;
                Ok(())
            }
            Err(AppendError::Conflict { .. } | AppendError::Duplicate { .. }) => {
                Err(OpenError::Taken(table.to_owned()))
            }
            Err(AppendError::Refused(why)) => Err(OpenError::Rules(NotOpened::Rules(why))),
            Err(AppendError::NotStored(fault) | AppendError::Unknown(fault)) => {
                faults::report(&fault);
                Err(OpenError::Store(fault))
            }
        }
    }

    /// Returns the secret under a number of a table that isn't a hand. If several nodes make one, the first that is stored counts.
    pub(super) async fn secret(&self, table: &str, number: u32) -> Result<Secret, StoreError> {
        let fresh = Secret::random().ok_or(StoreError::Closed)?;
        let kept = self.store.keep_secret(table, u64::from(number), fresh.bytes()).await?;
        Secret::from_bytes(&kept).ok_or(StoreError::Closed)
    }

    /// Sends a request to a table and waits until it is stored or refused.
    ///
    /// # Errors
    /// When it is refused, the queue is full, or the log can't be reached.
    pub async fn ask(&self, table: &str, ask: Ask) -> Result<Done, NotDone> {
        let door = self.door(table).await?;
        let (reply, answer) = oneshot::channel();
        let span = tracing::debug_span!("ask", table);
        door.messages.try_send(Message::Ask(Box::new(ask), reply, span.clone())).map_err(|error| match error {
            mpsc::error::TrySendError::Full(_) => NotDone::Busy,
            mpsc::error::TrySendError::Closed(_) => NotDone::Closing,
        })?;
        answer.instrument(span).await.unwrap_or(Err(NotDone::Closing))
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
        self.door(table).await?.sees(look, Message::Look).await
    }

    /// Returns the properties of a table that never change.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn fixed(&self, table: &str) -> Result<Arc<Fixed>, NotDone> {
        match self.near(table, |door| Arc::clone(&door.fixed))? {
            Some(fixed) => Ok(fixed),
            None => Ok(self.door(table).await?.fixed),
        }
    }

    /// Returns the seat of an account or guest.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn seat_of(&self, table: &str, who: &str) -> Result<Option<SeatId>, NotDone> {
        let seat = |door: &Door| door.seats.borrow().seat_of(who);
        match self.near(table, seat)? {
            Some(seat) => Ok(seat),
            None => Ok(seat(&self.door(table).await?)),
        }
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
        self.door(table).await?.sees(look, Message::Peek).await
    }

    /// Returns what was done before under a client's key.
    ///
    /// # Errors
    /// When there is no such table, it can't be read, or the key was used for another request.
    pub(crate) async fn known(&self, table: &str, client: &str, key: Keyed) -> Result<Option<Done>, NotDone> {
        let (reply, answer) = oneshot::channel();
        let door = self.door(table).await?;
        let message = Message::Known(client.to_owned(), key, reply);
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

    /// Looks at the door of a table that is in memory. None if it isn't.
    fn near<T>(&self, table: &str, look: impl FnOnce(&Door) -> T) -> Result<Option<T>, NotDone> {
        if let Some(why) = self.distrusted() {
            return Err(NotDone::Stopped(why.to_owned()));
        }
        let doors = self.doors();
        if self.closing.load(Ordering::Acquire) {
            return Err(NotDone::Closing);
        }
        let Some(Place(place)) = doors.get(table) else { return Ok(None) };
        match place.peek() {
            Some(Ok(Ok(door))) if !door.messages.is_closed() => {
                door.used.store(ticks(), Ordering::Relaxed);
                Ok(Some(look(door)))
            }
            _ => Ok(None),
        }
    }

    pub(super) async fn door(&self, table: &str) -> Result<Door, NotDone> {
        if let Some(door) = self.near(table, Door::clone)? {
            return Ok(door);
        }
        let Place(place) = {
            let mut doors = self.doors();
            if self.closing.load(Ordering::Acquire) {
                return Err(NotDone::Closing);
            }
            match doors.get(table) {
                // Replace a writer that has stopped, and a table whose reading broke off.
                Some(place) if !place.is_gone() => place.clone(),
                _ => {
                    let place = self.opening(table);
                    doors.insert(table.to_owned(), place.clone());
                    place
                }
            }
        };
        let opened = match tokio::time::timeout(READING, place).await {
            Ok(opened) => opened.unwrap_or(Err(NotDone::Closing)),
            Err(_) => Err(NotDone::Reading),
        };
        if let Ok(door) = &opened {
            door.used.store(ticks(), Ordering::Relaxed);
        }
        opened
    }

    /// Starts to open a table. It goes on even if nobody waits for it.
    fn opening(&self, table: &str) -> Place {
        let (opened, place) = oneshot::channel();
        let (pit, table) = (self.clone(), table.to_owned());
        tokio::spawn(async move {
            let door = pit.opened(&table).await;
            let failed = door.is_err();
            if let Err(NotDone::Store(_) | NotDone::Stopped(_)) = &door {
                metrics::counter!("boxperson_fold_failures_total").increment(1);
            }
            // A failure is told to those who wait. The next request tries again.
            let _ = opened.send(door);
            if failed {
                pit.doors().retain(|name, place| *name != table || !place.is_gone());
            }
        });
        Place(place.shared())
    }

    async fn opened(&self, table: &str) -> Result<Door, NotDone> {
        if !craps_store::is_table(table) {
            return Err(NotDone::NoTable(table.to_owned()));
        }
        let (mut live, due) = self.read(table).await?;
        let private = self.private(table, &live).await?;
        live.set_private(private.clone());
        let (messages, inbox) = mpsc::channel(QUEUE);
        let (told, _) = broadcast::channel(BEHIND);
        let (moved, moves) = watch::channel(live.head().0);
        let (practice, reader) = (live.opening().practice, Reader::new(&live));
        let dealt = live.opening().crew == Crew::People;
        let fixed = Arc::new(Fixed { practice, dealt, private, reader });
        let (sat, seats) = watch::channel(Arc::clone(&live.ownership));
        let (shows, card) = watch::channel(Arc::new(Card::new(table, &live)));
        let shown = Shown { told: told.clone(), seats: sat, card: shows };
        let writer = Writer::new(self.clone(), table, live, due, shown);
        tokio::spawn(writer.serve(inbox, moves));
        Ok(Door { messages, fixed, seats, card, told, moved, used: Arc::new(AtomicI64::new(ticks())) })
    }

    /// Reads a table to the end of its log, from its last saved state. Also returns the digests of states that no row has yet.
    async fn read(&self, table: &str) -> Result<(Live, Digests), NotDone> {
        let start = Instant::now();
        let mut walk = self.walk(table, Before::End).await?.saving();
        let mut count: u64 = 0;
        loop {
            let (next, rows) = walk.next().await?;
            walk = next;
            if rows.is_empty() {
                break;
            }
            count += rows.len() as u64;
        }
        metrics::histogram!("boxperson_fold_seconds").record(start.elapsed());
        metrics::counter!("boxperson_folded_rows_total").increment(count);
        let (live, due) = walk.finish();
        if live.table().is_conserved() { Ok((live, due)) } else { Err(miscounted()) }
    }

    /// Starts to read a table again, from its last saved state before something.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn walk(&self, table: &str, before: Before) -> Result<Walk, NotDone> {
        let turn = self.turn_to_read().await?;
        let walk = Walk::start(&self.store, table, before, |first| self.just_opened(first)).await?;
        Ok(walk.in_turn(turn))
    }

    /// Reads the next rows of a walk that has given up its turn. The walk waits for a turn and gives it up again: its client may be slow.
    ///
    /// # Errors
    /// When the log can't be read.
    pub(crate) async fn next_of(&self, walk: Walk) -> Result<(Walk, Vec<Told>), NotDone> {
        let turn = self.turn_to_read().await?;
        let (walk, rows) = walk.in_turn(turn).next().await?;
        Ok((walk.resting(), rows))
    }

    async fn turn_to_read(&self) -> Result<OwnedSemaphorePermit, NotDone> {
        Arc::clone(&self.reads).acquire_owned().await.map_err(|_| NotDone::Closing)
    }

    /// Builds the table that the first row of a log opens. Tables with the same rules share them.
    fn just_opened(&self, first: &Told) -> Result<Live, NotOpened> {
        let Deed::Opened(opened) = &first.entry.did else { return Err(NotOpened::NoOpening) };
        let Opening { rules, house, game, crew, asks, .. } = &**opened;
        let key = format!("{rules}|{house}|{game:?}|{crew:?}|{asks}");
        let known = self.rules.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        let (table, names) = match known {
            Some(known) => known,
            None => {
                let table = opening::open(&self.library, opened)?;
                let names = Names::new(table.board());
                let mut rules = self.rules.lock().unwrap_or_else(PoisonError::into_inner);
                if rules.len() >= RULES {
                    rules.clear();
                }
                rules.insert(key, (table.clone(), names.clone()));
                (table, names)
            }
        };
        Ok(Live::just_opened(table, &names, opened, &first.entry.by, &first.row.hash))
    }

    /// Builds the table that the first row of a log opens. None if it can't be built.
    pub(crate) fn opened_by(&self, first: &Told) -> Option<Live> {
        self.just_opened(first).ok()
    }

    /// Returns up to `limit` rolls of a table after the roll with this number, and whether there are more.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn rolls_after(
        &self,
        table: &str,
        after: u64,
        limit: usize,
    ) -> Result<(Vec<Arc<Roll>>, bool), NotDone> {
        let recent = self.look(table, move |live| {
            let is_there = live.recent().front().is_some_and(|first| u64::from(first.number) <= after + 1);
            (is_there || u64::from(live.rolled()) <= after).then(|| live.recent().clone())
        });
        let is_wanted = |roll: &Arc<Roll>| u64::from(roll.number) > after;
        let mut rolls: Vec<Arc<Roll>> = match recent.await? {
            Some(recent) => recent.into_iter().filter(is_wanted).collect(),
            None => {
                let mut walk = self.walk(table, Before::Roll(after.saturating_add(1))).await?;
                let mut found = Vec::new();
                while found.len() <= limit {
                    let (next, rows) = walk.next().await?;
                    walk = next;
                    if rows.is_empty() {
                        break;
                    }
                    found.extend(rows.into_iter().filter_map(|told| told.roll).filter(is_wanted));
                }
                found
            }
        };
        let more = rolls.len() > limit;
        rolls.truncate(limit);
        Ok((rolls, more))
    }

    /// Returns the roll that a row made.
    ///
    /// # Errors
    /// When there is no such table, or it can't be read.
    pub(crate) async fn roll_at(&self, table: &str, row: u64) -> Result<Option<Arc<Roll>>, NotDone> {
        let recent = self.look(table, move |live| live.roll_of(row).cloned()).await?;
        if recent.is_some() {
            return Ok(recent);
        }
        let mut walk = self.walk(table, Before::Row(row)).await?;
        while walk.live().head().0 < row {
            let (next, rows) = walk.next().await?;
            walk = next;
            if rows.is_empty() {
                break;
            }
        }
        Ok(walk.live().roll_of(row).cloned())
    }

    /// Returns the doors of the tables that are in memory. To look through them doesn't count as use.
    pub(super) fn in_memory(&self) -> Vec<(String, Door)> {
        self.doors().iter().filter_map(|(table, place)| Some((table.clone(), place.get()?))).collect()
    }

    /// Counts the tables in memory, and what waits for them.
    pub(crate) fn standing(&self) -> Standing {
        let doors = self.doors();
        let mut standing = Standing::default();
        for place in doors.values().filter(|place| !place.is_gone()) {
            let Some(door) = place.get() else {
                standing.reading += 1;
                continue;
            };
            let queued = door.messages.max_capacity() - door.messages.capacity();
            standing.tables += 1;
            standing.queued += queued;
            standing.longest = standing.longest.max(queued);
        }
        standing
    }

    /// Drops the writers of tables that nobody has used for a while. The next request reads the table again.
    pub fn unload(&self) {
        let (now, wait) = (ticks(), self.waits.unload);
        let is_idle = |door: Door| {
            let nobody = door.told.receiver_count() == 0 && door.seats.borrow().seats().is_empty();
            nobody && now - door.used.load(Ordering::Relaxed) > wait
        };
        self.doors().retain(|_, place| !place.get().is_some_and(is_idle));
    }

    /// Takes back the seats of players who have done nothing for long, at the practice tables of this node.
    pub fn free_seats(&self) {
        for door in self.doors().values().filter_map(Place::get) {
            // A table with a full queue isn't idle.
            let _ = door.messages.try_send(Message::FreeSeats);
        }
    }

    /// Tells the writers about rows that other nodes stored.
    async fn listen(self) {
        let mut moved = self.store.subscribe();
        while let Some(moved) = moved.next().await {
            let doors = self.doors();
            match &moved {
                Moved::Head { table, seq } if table == TRAIL => {
                    self.trail.fetch_max(*seq, Ordering::AcqRel);
                }
                Moved::Head { table, seq } => {
                    if let Some(door) = doors.get(table).and_then(|place| place.get()) {
                        door.moved.send_replace(*seq);
                    }
                }
                Moved::LookAgain => {
                    self.trail.store(u64::MAX, Ordering::Release);
                    for door in doors.values().filter_map(Place::get) {
                        door.moved.send_replace(u64::MAX);
                    }
                }
            }
        }
    }

    /// Takes no more requests and waits until those in progress are stored.
    pub async fn close(&self) {
        self.closing.store(true, Ordering::Release);
        let doors: Vec<Place> = std::mem::take(&mut *self.doors()).into_values().collect();
        for door in doors.into_iter().filter_map(|place| place.get().map(|door| door.messages)) {
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

/// Parses a row. None if it can't be read.
#[must_use]
pub fn told(row: Row) -> Option<Told> {
    let entry = serde_json::from_str(&row.body).ok()?;
    Some(Told::new(row, entry, Seen::default()))
}

/// Builds the state of a table from its whole log, without saved states.
///
/// # Errors
/// When the log can't be read, doesn't begin with an opening, or its money doesn't add up.
pub async fn fold(store: &Store, library: &Library, table: &str) -> Result<Live, NotDone> {
    let open = |first: &Told| Live::open(library, &first.entry, &first.row.hash);
    let mut walk = Walk::start(store, table, Before::Row(0), open).await?;
    loop {
        let (next, rows) = walk.next().await?;
        walk = next;
        if rows.is_empty() {
            break;
        }
    }
    let (live, _) = walk.finish();
    if live.table().is_conserved() { Ok(live) } else { Err(miscounted()) }
}

fn miscounted() -> NotDone {
    NotDone::Stopped("its money doesn't add up".to_owned())
}

pub use super::answer::{Ask, Done, NotDone, OpenError};
pub use crate::clock::{now, ticks};
