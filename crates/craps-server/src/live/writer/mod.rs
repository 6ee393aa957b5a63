//! A table's one writer: it decides requests, and stores each decision before anyone hears of it.

mod marks;
mod purses;
mod secrets;
mod shooter;
mod witness;

use super::decide::{Decided, decide};
use super::ownership::asked_for;
use super::pit::{Ask, Done, Message, NotDone, Pit, Seats, Told, told};
use super::purse::log_of;
use super::view::BetView;
use super::wish::{Keyed, Wish};
use super::{BetName, By, Card, Deed, Entry, HostCode, Live, Rail, Roll, Secret};
use crate::clock::ticks;
use crate::faults;
use craps_store::{AppendError, BODY_MOST, Head, Mark, NewRow, Part, Row, StoreError};
use craps_table::{Actor, Event, Role, SeatId, Shooter};
use craps_wagers::Phase;
pub(super) use marks::Digests;
use purses::{Paid, Pending};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{broadcast, mpsc, oneshot, watch};
use tokio::time::{Instant, timeout_at};
use tracing::{Instrument as _, Span};

/// How many requests are decided before they are stored together.
const BATCH: usize = 32;
/// How long a busy table waits for as many requests as it had the last time, before it stores what is decided. Then fewer commits do the same work.
const LINGER: Duration = Duration::from_millis(4);
/// How many rows may have to be applied again when another node was faster.
const CHECKPOINT: u64 = 64;
/// How many times a batch is decided again before the writer gives up.
const TRIES: u32 = 50;
/// How many recent keys are remembered as done.
const KEYS: usize = 4_096;

/// A request whose rows wait to be stored.
struct Waiting {
    ask: Ask,
    reply: oneshot::Sender<Result<Done, NotDone>>,
    /// The rows of this request, among those that aren't stored yet.
    rows: std::ops::Range<usize>,
    /// How the words were understood, or why there are no rows.
    outcome: Result<Option<String>, NotDone>,
    /// The span of the request, for traces.
    span: Span,
}

/// What is known about a row only from the table right after it.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) roll: Option<Arc<Roll>>,
    pub(super) rails: Vec<Rail>,
    pub(super) left: Option<Vec<BetView>>,
}

impl Seen {
    fn after<B>(live: &Live, row: u64, entry: &Entry<B>) -> Seen {
        Seen { roll: live.roll_of(row).cloned(), rails: live.rails(&entry.did), left: live.left_by(row, &entry.did) }
    }
}

/// What others see of a table without asking its writer.
pub(super) struct Shown {
    /// Tells listeners about rows.
    pub(super) told: broadcast::Sender<Arc<Told>>,
    /// Who sits where.
    pub(super) seats: watch::Sender<Seats>,
    /// The card in the lobby.
    pub(super) card: watch::Sender<Arc<Card>>,
}

/// The one writer of a table.
pub(super) struct Writer {
    pit: Pit,
    table: String,
    /// The table with everything that is decided, stored or not.
    live: Live,
    /// The table as it was at an earlier stored row.
    checkpoint: Live,
    /// Number of the last row that listeners have been told about.
    heard: u64,
    /// Rows that are decided and not stored yet.
    rows: Vec<(NewRow, Entry<BetName>, Seen)>,
    waiting: Vec<Waiting>,
    /// Rows of purses that are stored together with the rows above, by account.
    purses: BTreeMap<String, Pending>,
    /// Recent clients and keys that are done.
    keys: HashSet<(String, String)>,
    shown: Shown,
    /// How many rolls there had been when the card was made, and the table as it was.
    carded: (u32, Phase, usize, bool),
    /// How many requests were stored together the last time.
    usual: usize,
    /// The log couldn't be read or written. It is read again before anything is decided.
    stale: bool,
    /// Digests of states that have to be written to the log, by their rows.
    digests: Digests,
    /// States that have to be saved.
    states: Vec<Mark>,
    /// When each seat last did something, in ticks.
    acted: BTreeMap<SeatId, i64>,
    /// Who has the dice or is next to have them, and since when, in ticks. Only a roll starts the time anew.
    shooting: (Option<Shooter>, i64),
    /// When a person last closed the bets for a roll, in ticks.
    rolled_by_people: i64,
    /// The secret of the open hand, as far as it was needed.
    known_secret: Option<Secret>,
    /// Commitment of the hand whose secret needn't be retired.
    sound: Option<String>,
    /// The question to the witness that the roll waits for.
    asking: Option<witness::Asking>,
}

impl Writer {
    /// Creates the writer of a table that was just read.
    pub(super) fn new(pit: Pit, table: &str, mut live: Live, digests: Digests, shown: Shown) -> Writer {
        live.open_from(ticks());
        Writer {
            pit,
            table: table.to_owned(),
            heard: live.head().0,
            checkpoint: live.clone(),
            live,
            rows: Vec::new(),
            waiting: Vec::new(),
            purses: BTreeMap::new(),
            keys: HashSet::new(),
            shown,
            carded: (0, Phase::ComeOut, 0, false),
            usual: 0,
            stale: false,
            digests,
            states: Vec::new(),
            acted: BTreeMap::new(),
            shooting: (None, ticks()),
            rolled_by_people: ticks(),
            known_secret: None,
            sound: None,
            asking: None,
        }
    }

    /// Decides requests in the order in which they arrive, until all senders are gone.
    pub(super) async fn serve(mut self, mut inbox: mpsc::Receiver<Message>, mut moves: watch::Receiver<u64>) {
        // If bets were closed before a restart, finish that roll first.
        let _ = self.ready().await;
        self.mark().await;
        loop {
            // In this order, not in any: a simulation must come to the same end again.
            let message = tokio::select! {
                biased;
                () = witness::answered(&mut self.asking) => {
                    let _ = self.ready().await;
                    continue;
                }
                moved = moves.changed() => match moved {
                    Ok(()) => {
                        let seq = *moves.borrow_and_update();
                        self.catch_up(seq).await;
                        continue;
                    }
                    Err(_) => inbox.recv().await,
                },
                message = inbox.recv() => message,
            };
            let Some(message) = message else { return };
            let mut next = Some(message);
            let (mut asked, until) = (0, Instant::now() + LINGER);
            while let Some(message) = next.take() {
                match message {
                    Message::Ask(ask, reply, span) => {
                        asked += 1;
                        self.take(*ask, reply).instrument(span).await;
                    }
                    Message::Look(look) => {
                        // Only stored rows may be shown.
                        self.flush().await;
                        look(self.ready().await.map(|()| &self.live));
                    }
                    Message::Peek(look) => {
                        self.store_closing().await;
                        look(self.ready().await.map(|()| &self.live));
                    }
                    Message::CatchUp(reply) => {
                        self.flush().await;
                        self.catch_up(u64::MAX).await;
                        let _ = reply.send(());
                    }
                    Message::CloseTable(minutes, reply) => {
                        self.flush().await;
                        let _ = reply.send(self.close_table(minutes).await);
                    }
                    Message::FreeSeats => {
                        self.flush().await;
                        self.free_seats().await;
                    }
                    Message::Known(client, key, reply) => {
                        // The request may be among the rows that aren't stored yet.
                        self.flush().await;
                        let _ = reply.send(self.known(&client, &key).await);
                    }
                }
                if asked < BATCH {
                    next = match inbox.try_recv() {
                        Ok(message) => Some(message),
                        Err(_) if asked == 0 || asked >= self.usual => None,
                        Err(_) => timeout_at(until, inbox.recv()).await.ok().flatten(),
                    };
                }
            }
            if asked > 0 {
                self.usual = asked;
            }
            self.flush().await;
            self.mark().await;
            // People closed the bets, and the draw is due before they roll.
            if self.live.draw_due().is_some() {
                let _ = self.finish_throw().await;
            }
        }
    }

    /// Brings the table in line with the log, and finishes a roll that was begun.
    async fn ready(&mut self) -> Result<(), NotDone> {
        if self.stale {
            self.refold().await?;
        }
        // A table whose dice can't be rolled can still be seen.
        let _ = self.retire().await;
        // A roll that waits for the witness goes on by itself. The table can be seen meanwhile.
        if !self.is_answered() {
            return Ok(());
        }
        if self.live.closed().is_some() || self.live.draw_due().is_some() {
            self.finish_throw().await?;
        }
        Ok(())
    }

    /// Stores the row with which people closed the bets, and answers its sender. The draw follows from the stored row.
    async fn store_closing(&mut self) {
        if self.live.draw_due().is_some() {
            self.flush().await;
        }
    }

    /// Decides one request, and keeps it for the next flush.
    async fn take(&mut self, ask: Ask, reply: oneshot::Sender<Result<Done, NotDone>>) {
        if self.waiting.iter().any(|waiting| is_same_command(&waiting.ask, &ask)) {
            self.flush().await;
        }
        self.store_closing().await;
        if let Err(error) = self.ready().await {
            let _ = reply.send(Err(error));
            return;
        }
        // A key that is known to be done goes to the store at once, without deciding again.
        if ask.key.as_ref().is_some_and(|keyed| self.keys.contains(&(ask.client.clone(), keyed.key.clone())))
            && let Some(known) = self.asked_before(&ask).await.transpose()
        {
            let _ = reply.send(known);
            return;
        }
        // The dice aren't known until the row that closes the bets is stored.
        if matches!(ask.wish, Wish::Roll(_)) {
            self.flush().await;
            return self.roll(ask, reply).await;
        }
        self.keep(ask, reply).await;
    }

    /// Decides a request and adds its rows to those that wait to be stored. A refusal waits as well: storing at the end of the log proves that the
    /// refusal wasn't based on an outdated table.
    async fn keep(&mut self, mut ask: Ask, reply: oneshot::Sender<Result<Done, NotDone>>) {
        self.reseat(&mut ask);
        let from = self.rows.len();
        let decided = match self.decide(&ask) {
            Ok(decided) => self.with_reveal(decided).await,
            Err(refused) => Err(refused),
        };
        let funded = match decided {
            Ok(decided) => self.funded(&decided).await.map(|paid| (decided, paid)),
            Err(error) => Err(error),
        };
        let outcome = funded.and_then(|(decided, paid)| self.push(&ask, decided, paid));
        self.waiting.push(Waiting { ask, reply, rows: from..self.rows.len(), outcome, span: Span::current() });
    }

    /// Gives a new player who wants any seat another one, if somebody has taken the seat that was free a moment ago.
    fn reseat(&self, ask: &mut Ask) {
        let any = matches!(&ask.wish, Wish::Join(join) if join.seat.is_none()) && ask.by.actor.role == Role::Player;
        let taken = ask.by.actor.seat.is_some_and(|seat| self.live.table().seat(seat).is_some());
        if let (true, Some(free)) = (any && taken, self.live.free_seat()) {
            ask.by.actor = Actor::player(free);
        }
    }

    /// Has another node stored rows that this one hasn't read?
    async fn is_behind(&self) -> Result<bool, NotDone> {
        Ok(self.pit.store.head(&self.table).await?.seq > self.live.head().0)
    }

    /// Returns what was done before under the key of a request. The request itself may no longer be possible.
    async fn asked_before(&self, ask: &Ask) -> Result<Option<Done>, NotDone> {
        match &ask.key {
            Some(key) => self.known(&ask.client, key).await,
            None => Ok(None),
        }
    }

    async fn known(&self, client: &str, keyed: &Keyed) -> Result<Option<Done>, NotDone> {
        let row = self.pit.store.find(&self.table, client, &keyed.key).await?;
        row.and_then(|row| self.again(row, keyed)).transpose()
    }

    fn heard_as(&self, row: Row) -> Option<Told> {
        let roll = self.live.roll_of(row.seq).cloned();
        Some(Told { roll, ..told(row)? })
    }

    /// Decides the rows for a request.
    fn decide(&self, ask: &Ask) -> Result<Decided, NotDone> {
        let _span = tracing::debug_span!("decide").entered();
        self.live.is_not_over()?;
        if !owns(&self.live, ask) {
            return Err(NotDone::NoSeat);
        }
        // Everybody can join, leave and roll. So a table never waits for somebody who has done too much.
        let is_free = matches!(ask.wish, Wish::Join(_) | Wish::Leave(_) | Wish::Roll(_));
        if let (Some(who), Role::Player, false) = (&ask.by.who, ask.by.actor.role, is_free) {
            self.live.has_room(who)?;
        }
        let decided = match &ask.wish {
            Wish::Roll(_) => self.close_bets(ask)?,
            wish => decide(&self.live, &ask.by, wish)?,
        };
        match ask.room {
            Some(room) if self.puts_down(ask, &decided) > i128::from(room.minor()).max(0) => {
                Err(NotDone::OwnLimit(room))
            }
            _ => Ok(decided),
        }
    }

    /// Returns how much more a player would lose at worst after a decision, without what they win or lose by it. Taking back can put chips down, too.
    fn puts_down(&self, ask: &Ask, decided: &Decided) -> i128 {
        let taken_back = decided.deeds.iter().find(|deed| matches!(deed, Deed::Undone { .. }));
        let Some((deed, who)) = taken_back.zip(ask.by.who.as_deref()) else { return put_down(&decided.deeds) };
        let mut after = self.live.clone();
        after.apply(after.head().0 + 1, "", &Entry::new(decided.by.clone(), deed.clone()));
        let at_worst = |live: &Live| i128::from(live.standing(who).at_worst.minor());
        at_worst(&self.live) - at_worst(&after)
    }

    /// Adds the rows of a decision to those to be stored, and applies them. The first row gets the key.
    fn push(&mut self, ask: &Ask, decided: Decided, paid: Option<Paid>) -> Result<Option<String>, NotDone> {
        let understood = decided.understood.clone();
        let mut entries = entries(decided);
        if let (Some(first), Some(keyed)) = (entries.first_mut(), &ask.key) {
            first.asked = Some(keyed.asked.clone());
        }
        let purse = match (entries.first_mut(), paid) {
            (Some(first), Some(Paid { funds, purse })) => {
                first.funds = Some(funds);
                purse
            }
            _ => None,
        };
        self.add(entries, &ask.client, ask.key.as_ref().map(|keyed| keyed.key.clone()))?;
        self.purses.extend(purse);
        Ok(understood)
    }

    /// Adds rows to those to be stored, and applies them: all of them or none.
    fn add(&mut self, entries: Vec<Entry>, client: &str, key: Option<String>) -> Result<(), NotDone> {
        let mut keys = std::iter::once(key).chain(std::iter::repeat(None));
        // A row is never older than the row before it, which another node may have written by another clock.
        let at = self.pit.clock().now().max(self.live.at());
        let written = |entry: Entry| {
            let logged = self.live.names().logged(&entry);
            let row = new_row(&logged, client, keys.next().flatten(), at);
            let row = row.map_err(|error| NotDone::Unwritable(error.to_string()))?;
            match entry.by.actor.role == Role::Player && row.body.len() > LONGEST_OF_PLAYER {
                true => Err(HostCode::TooLong.into()),
                false => Ok((entry, logged, row)),
            }
        };
        let written = entries.into_iter().map(written).collect::<Result<Vec<_>, NotDone>>()?;
        for (entry, logged, row) in written {
            let (seq, hash) = self.live.head();
            let follows = Row::follow(&self.table, &Head { seq, hash: hash.to_owned() }, row.clone());
            self.live.apply(follows.seq, &follows.hash, &entry);
            self.live.stamp(at);
            self.note(self.live.due_mark());
            let seen = Seen::after(&self.live, follows.seq, &entry);
            self.rows.push((row, logged, seen));
        }
        Ok(())
    }

    /// Closes the bets and stores that row, then makes the roll that follows from it and the secret.
    async fn roll(&mut self, ask: Ask, reply: oneshot::Sender<Result<Done, NotDone>>) {
        let done = self.rolled(&ask).await;
        let _ = reply.send(done);
    }

    async fn rolled(&mut self, ask: &Ask) -> Result<Done, NotDone> {
        for _ in 0..TRIES {
            if let Some(waits) = self.waits_for_witness().await {
                return self.asked_before(ask).await?.ok_or(waits);
            }
            match self.decide(ask) {
                Ok(decided) => {
                    // Bets are closed only if the secret is the one that was committed to.
                    self.secret().await?;
                    let decided = self.with_reveal(decided).await?;
                    self.push(ask, decided, None)?;
                }
                Err(_) if self.is_behind().await? => {
                    self.refold().await?;
                    self.ready().await?;
                    continue;
                }
                Err(refused) => return self.asked_before(ask).await?.ok_or(refused),
            }
            match self.store_rows().await {
                Ok(mut rows) => {
                    rows.extend(self.finish_throw().await?);
                    return Ok(Done::new(rows));
                }
                Err(Failed::Again) => self.ready().await?,
                Err(Failed::Known(row)) => {
                    self.ready().await?;
                    return done_before(&row, ask.key.as_ref());
                }
                Err(Failed::Because(error)) => return Err(error),
            }
        }
        Err(NotDone::Busy)
    }

    /// Makes the draw and the roll that are due: bets are closed, and the machine draws or rolls.
    async fn finish_throw(&mut self) -> Result<Vec<Arc<Told>>, NotDone> {
        let mut done = Vec::new();
        for _ in 0..TRIES {
            let draw = self.live.draw_due().is_some() && !self.live.is_over();
            if self.live.closed().is_none() && !draw {
                return Ok(done);
            }
            self.witness().await?;
            let derived = self.derive().await;
            if !matches!(derived, Ok(Some(_))) && !self.rows.is_empty() {
                // The answer of the witness isn't stored without the dice.
                self.stale = true;
            }
            let Some(rows) = derived? else { return Ok(done) };
            self.add(rows, "", None)?;
            match self.store_rows().await {
                // A draw is stored and told before the dice are rolled.
                Ok(rows) => done.extend(rows),
                // Another node has rolled. Its dice are the same.
                Err(Failed::Again | Failed::Known(_)) => {}
                Err(Failed::Because(error)) => return Err(error),
            }
        }
        Err(NotDone::Busy)
    }

    /// Closes the table permanently, unless someone listens to it or has come in the meantime.
    async fn close_table(&mut self, minutes: u32) -> Result<(), NotDone> {
        self.ready().await?;
        self.live.is_not_over()?;
        if self.shown.told.receiver_count() > 0 || self.is_behind().await? {
            return Err(NotDone::Busy);
        }
        let decided = Decided::of(&By::machine(), Some(self.live.close_table(minutes)?));
        let rows = self.with_reveal(decided).await?.deeds;
        self.add(rows.into_iter().map(machine).collect(), "", None)?;
        match self.store_rows().await {
            Ok(_) => Ok(()),
            Err(Failed::Because(error)) => Err(error),
            Err(Failed::Again | Failed::Known(_)) => Err(NotDone::Busy),
        }
    }

    /// Stores the decided rows and answers everyone who waits for them.
    async fn flush(&mut self) {
        for _ in 0..TRIES {
            if self.waiting.is_empty() {
                return;
            }
            let stored = match self.rows.is_empty() {
                true => self.is_current().await.map(|()| Vec::new()),
                false => self.store_rows().await,
            };
            match stored {
                Ok(rows) => return self.answer_all(&rows).await,
                Err(Failed::Because(error)) => {
                    for waiting in self.waiting.drain(..) {
                        let _ = waiting.reply.send(Err(error.clone()));
                    }
                    return;
                }
                Err(Failed::Known(row)) => {
                    let (known, rest): (Vec<Waiting>, Vec<Waiting>) =
                        std::mem::take(&mut self.waiting).into_iter().partition(|one| is_of(&row.row, &one.ask));
                    for waiting in known {
                        let _ = waiting.reply.send(done_before(&row, waiting.ask.key.as_ref()));
                    }
                    self.decide_anew(rest).await;
                }
                Err(Failed::Again) => {
                    let all = std::mem::take(&mut self.waiting);
                    self.decide_anew(all).await;
                }
            }
        }
        for waiting in self.waiting.drain(..) {
            let _ = waiting.reply.send(Err(NotDone::Busy));
        }
        self.rows.clear();
        self.purses.clear();
        self.stale = true;
    }

    /// Checks decisions that have no rows to store: is the table still current?
    async fn is_current(&mut self) -> Result<(), Failed> {
        match self.is_behind().await {
            Ok(false) => Ok(()),
            Ok(true) => Err(self.refold().await.err().map_or(Failed::Again, Failed::Because)),
            Err(error) => Err(Failed::Because(error)),
        }
    }

    /// Answers everyone who waited, now that these rows are stored. A request without rows may have been done earlier under the same key.
    async fn answer_all(&mut self, rows: &[Arc<Told>]) {
        let waiting = std::mem::take(&mut self.waiting);
        let without = waiting.iter().filter(|waiting| waiting.rows.is_empty()).map(|waiting| &waiting.ask);
        let commands: Vec<(&str, &str)> =
            without.filter_map(|ask| Some((ask.client.as_str(), ask.key.as_ref()?.key.as_str()))).collect();
        let before = match commands.is_empty() {
            true => Ok(Vec::new()),
            false => self.pit.store.find_all(&self.table, &commands).await.map_err(NotDone::from),
        };
        for Waiting { ask, reply, rows: own, outcome, .. } in waiting {
            let known = |before: &[Row]| {
                let row = before.iter().find(|row| is_of(row, &ask)).cloned()?;
                self.again(row, ask.key.as_ref()?)
            };
            let done = match (rows.get(own).unwrap_or_default(), &before) {
                ([], Err(error)) => Err(error.clone()),
                ([], Ok(before)) => known(before)
                    .unwrap_or_else(|| outcome.map(|understood| Done { understood, ..Done::new(Vec::new()) })),
                (own, _) => outcome.map(|understood| Done { understood, ..Done::new(own.to_vec()) }),
            };
            let _ = reply.send(done);
        }
    }

    /// Returns the result for a row that was stored before under a key.
    fn again(&self, row: Row, keyed: &Keyed) -> Option<Result<Done, NotDone>> {
        Some(done_before(&Arc::new(self.heard_as(row)?), Some(keyed)))
    }

    /// Decides requests again after another node was faster.
    async fn decide_anew(&mut self, asks: Vec<Waiting>) {
        let ready = self.ready().await;
        for Waiting { ask, reply, span, .. } in asks {
            match &ready {
                Ok(()) => self.keep(ask, reply).instrument(span).await,
                Err(error) => {
                    let _ = reply.send(Err(error.clone()));
                }
            }
        }
    }

    /// Appends the decided rows. If that fails, the table is as the log has it and no rows wait to be stored.
    async fn store_rows(&mut self) -> Result<Vec<Arc<Told>>, Failed> {
        if !self.live.table().is_conserved() {
            self.rows.clear();
            self.purses.clear();
            self.stale = true;
            return Err(Failed::Because(NotDone::Stopped("its money doesn't add up".to_owned())));
        }
        let decided = std::mem::take(&mut self.rows);
        let expected = self.live.head().0 - decided.len() as u64;
        let (mut new, mut said) = (Vec::new(), Vec::new());
        for (row, entry, seen) in decided {
            new.push(row);
            said.push((entry, seen));
        }
        let purses = std::mem::take(&mut self.purses).into_iter();
        let purses = purses.map(|(who, Pending { expected, rows, .. })| Part { table: log_of(&who), expected, rows });
        let table = Part { table: self.table.clone(), expected, rows: new };
        let parts: Vec<Part> = std::iter::once(table).chain(purses).collect();
        let span = self.append_span(parts.iter().map(|part| part.rows.len()).sum());
        match self.pit.store.append_all(parts).instrument(span).await {
            Ok(rows) => {
                let told: Vec<Arc<Told>> = rows
                    .into_iter()
                    .take(1)
                    .flatten()
                    .zip(said)
                    .map(|(row, (entry, seen))| Arc::new(Told::new(row, entry, seen)))
                    .collect();
                self.show();
                told.iter().for_each(|told| self.tell(told));
                self.watch_shooter();
                if self.live.head().0 - self.checkpoint.head().0 >= CHECKPOINT {
                    self.checkpoint = self.live.clone();
                }
                Ok(told)
            }
            Err(AppendError::Conflict { .. }) => Err(self.refold().await.err().map_or(Failed::Again, Failed::Because)),
            Err(AppendError::Duplicate { row }) => {
                self.refold().await.map_err(Failed::Because)?;
                self.heard_as(*row).map(Arc::new).map_or(Err(Failed::Again), |row| Err(Failed::Known(row)))
            }
            Err(AppendError::Refused(why)) => {
                let _ = self.refold().await;
                Err(Failed::Because(NotDone::Unwritable(why)))
            }
            Err(AppendError::NotStored(fault)) => {
                self.stale = true;
                faults::report(&fault);
                Err(Failed::Because(NotDone::Store(fault)))
            }
            Err(AppendError::Unknown(fault)) => {
                self.stale = true;
                faults::report(&fault);
                Err(Failed::Because(NotDone::Unsure(fault)))
            }
        }
    }

    /// Makes the span of an append. It belongs to the request in progress, or to the first that waits, and follows from the others.
    fn append_span(&self, rows: usize) -> Span {
        let current = Span::current();
        let mut asks = self.waiting.iter().map(|waiting| &waiting.span);
        let first = if current.is_none() { asks.next().and_then(Span::id) } else { current.id() };
        let span = tracing::debug_span!(parent: first, "append", rows);
        for ask in asks {
            span.follows_from(ask.id());
        }
        span
    }

    /// Publishes who sits where, and the card if it shows something else now. All decided rows must be stored.
    fn show(&mut self) {
        // The table copies what it shares before it changes it.
        let owners = &self.live.ownership;
        let differ = |shown: &mut Seats| {
            let differ = !Arc::ptr_eq(shown, owners) && **shown != **owners;
            *shown = Arc::clone(owners);
            differ
        };
        let moved = self.shown.seats.send_if_modified(differ);
        let table = self.live.table();
        let carded = (table.throws(), table.phase(), table.seats().count(), self.live.is_over());
        if moved || carded != self.carded {
            self.carded = carded;
            self.shown.card.send_replace(Arc::new(Card::new(&self.table, &self.live)));
        }
    }

    fn tell(&mut self, told: &Arc<Told>) {
        if let Some(key) = &told.row.key {
            if self.keys.len() >= KEYS {
                self.keys.clear();
            }
            self.keys.insert((told.row.client.clone(), key.clone()));
        }
        self.heard = told.row.seq;
        match (&told.entry.did, told.entry.by.actor.seat) {
            (Deed::Thrown { .. }, _) => {
                self.live.open_from(ticks());
                self.shooting.1 = ticks();
            }
            (_, Some(seat)) if told.entry.by.who.is_some() => {
                self.acted.insert(seat, ticks());
            }
            _ => (),
        }
        if matches!(told.entry.did, Deed::Closed { .. }) && told.entry.by.who.is_some() {
            self.rolled_by_people = ticks();
        }
        // It's fine if no one is listening.
        let _ = self.shown.told.send(Arc::clone(told));
    }

    /// Reads the rows since the checkpoint, and drops what was decided and not stored.
    async fn refold(&mut self) -> Result<(), NotDone> {
        self.stale = true;
        self.forget_states();
        let mut live = self.checkpoint.clone();
        let mut fresh = Vec::new();
        loop {
            let rows = self.pit.store.load(&self.table, live.head().0, 1_000).await?;
            if rows.is_empty() {
                break;
            }
            metrics::counter!("boxperson_caught_up_rows_total").increment(rows.len() as u64);
            for row in rows {
                let unreadable = || NotDone::Stopped("a row of its log can't be read".to_owned());
                let told = told(row).ok_or_else(unreadable)?;
                let entry = live.names().read(&told.entry).map_err(|_| unreadable())?;
                live.apply(told.row.seq, &told.row.hash, &entry);
                live.stamp(told.row.at);
                self.noted_by_other(&told).await?;
                self.note(live.due_mark());
                if told.row.seq > self.heard {
                    let seen = Seen::after(&live, told.row.seq, &told.entry);
                    fresh.push(Arc::new(Told::new(told.row, told.entry, seen)));
                }
            }
        }
        live.open_from(self.live.opened_at());
        // All of this is stored, so the next time begins here.
        self.checkpoint = live.clone();
        self.live = live;
        self.rows.clear();
        self.purses.clear();
        self.stale = false;
        self.show();
        fresh.iter().for_each(|told| self.tell(told));
        self.watch_shooter();
        Ok(())
    }

    /// Applies what other nodes have stored.
    async fn catch_up(&mut self, seq: u64) {
        // Nothing to do for rows that this node stored itself.
        if seq <= self.live.head().0 && !self.stale {
            return;
        }
        let Ok(head) = self.pit.store.head(&self.table).await else { return };
        if head.seq > self.live.head().0 || self.stale {
            let _ = self.refold().await;
            let _ = self.ready().await;
        }
    }
}

/// Does the player own the seat they act for? Without a seat they can only join. Checked in the writer, so that nothing can happen in between.
fn owns(live: &Live, ask: &Ask) -> bool {
    let (Some(who), Role::Player) = (&ask.by.who, ask.by.actor.role) else { return true };
    let (own, acting) = (live.seat_of(who), ask.by.actor.seat);
    match &ask.wish {
        Wish::Join(_) => own.is_none() && acting.is_some(),
        _ => own.is_some() && acting == own,
    }
}

/// Do both requests have the same key of the same client?
fn is_same_command(one: &Ask, other: &Ask) -> bool {
    let key = |ask: &Ask| ask.key.as_ref().map(|keyed| keyed.key.clone());
    one.key.is_some() && one.client == other.client && key(one) == key(other)
}

/// Was this row made under the key of this request?
fn is_of(row: &Row, ask: &Ask) -> bool {
    row.key.is_some() && row.client == ask.client && row.key == ask.key.as_ref().map(|keyed| keyed.key.clone())
}

/// Returns the result of a request that was done before, unless the key was used for another request. Old rows don't say what was asked.
fn done_before(row: &Arc<Told>, keyed: Option<&Keyed>) -> Result<Done, NotDone> {
    match (&row.entry.asked, keyed) {
        (Some(asked), Some(keyed)) if !keyed.asked.is_empty() && *asked != keyed.asked => {
            Err(NotDone::OtherRequest(keyed.key.clone()))
        }
        _ => Ok(Done { again: true, ..Done::new(vec![Arc::clone(row)]) }),
    }
}

/// Returns how much an order moves from the rail to bets and commission, now or when the crew confirms it.
fn put_down(deeds: &[Deed]) -> i128 {
    let ordered = deeds.iter().filter(|deed| matches!(deed, Deed::Ordered { .. }));
    let down = |event: &Event| match event {
        Event::BetPlaced { staked, commission, .. } => i128::from(staked.minor()) + i128::from(commission.minor()),
        Event::Requested { command, .. } => asked_for(command),
        _ => 0,
    };
    ordered.flat_map(Deed::events).map(down).sum()
}

/// Why rows weren't stored.
enum Failed {
    /// Another node was faster: decide again.
    Again,
    /// The key was used before, for this row.
    Known(Arc<Told>),
    /// An error that deciding again won't fix.
    Because(NotDone),
}

/// Returns the rows of a decision. The machine reveals secrets and commits to them, also if a person ends the hand.
fn entries(decided: Decided) -> Vec<Entry> {
    let Decided { by, deeds, .. } = decided;
    let entry = |did: Deed| match did {
        Deed::Revealed { .. } | Deed::Committed { .. } => machine(did),
        did => Entry::new(by.clone(), did),
    };
    deeds.into_iter().map(entry).collect()
}

pub(super) fn machine(did: Deed) -> Entry {
    Entry::new(By::machine(), did)
}

/// Maximum length of a row that a player makes, in bytes. An order of the most bets has less than half of that.
const LONGEST_OF_PLAYER: usize = 256 << 10;

/// Builds a row for storage.
///
/// # Errors
/// When it can't be written, or is too long.
pub(super) fn new_row<B: Serialize>(
    entry: &Entry<B>,
    client: &str,
    key: Option<String>,
    at: i64,
) -> Result<NewRow, StoreError> {
    let body = serde_json::to_string(entry).map_err(|error| StoreError::Refused(error.to_string()))?;
    if body.len() > BODY_MOST {
        let message = format!("a row of {} bytes is too long: the maximum is {BODY_MOST} bytes", body.len());
        return Err(StoreError::Refused(message));
    }
    Ok(NewRow { at, client: client.to_owned(), key, body })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A row that is too long is refused before it is applied, and the message says how long it is.
    #[test]
    fn a_row_that_is_too_long_is_not_written() {
        let said =
            |length: usize| Entry::<craps_table::SlotId>::new(By::machine(), Deed::Said { words: "a".repeat(length) });
        assert!(new_row(&said(500), "", None, 0).is_ok());
        let error = new_row(&said(BODY_MOST), "", None, 0).unwrap_err();
        assert!(error.to_string().contains("too long"), "{error}");
    }
}
