//! Long logs: plays a long game at one table, and measures what a server does with its log.

#![allow(clippy::float_arithmetic, reason = "rates and their ratios")]

mod measure;

use crate::Trouble;
use craps_law::{HouseRules, Library};
use craps_money::{Money, Stake};
use craps_notation::RulesTag;
use craps_server::live::pit::now;
use craps_server::live::{By, Chain, Deed, DiceFrom, Digested, Entry, Live, Opening, Seal};
use craps_store::{Head, Mark, NewRow, Row, Store};
use craps_table::{Actor, Command, Crew, Manner, SeatId};
pub use measure::{Sizes, measure};

/// Name of the table.
pub const TABLE: &str = "long";
/// Number of rows that are stored at once.
const BATCH: usize = 4_096;
/// Time between two rows, in milliseconds.
const PACE: i64 = 700;
/// Number of rows after which a player leaves and another one comes. There are so many players that each one comes back.
const STAY: u64 = 4_000;
const PLAYERS: u64 = 200;
/// What a player brings, in cents.
const CHIPS: i64 = 5_000_000;
const SEAT: SeatId = 1;
/// Number of rows after which a new guest comes for one roll, and the guest's seat, chips and bet. None of them comes back.
const VISIT: u64 = 25;
const VISITORS_SEAT: SeatId = 2;
const VISITORS_CHIPS: i64 = 10_000;
const VISITORS_BET: (&str, i64) = ("F", 500);
/// What a player bets before each roll, if the table takes it: the bet, and the amount in cents.
const BETS: [(&str, i64); 6] = [("P", 1_000), ("C", 500), ("PL6", 1_200), ("F", 500), ("PL8", 1_200), ("H8", 500)];

/// A game in progress whose rows are stored in large batches.
struct Game<'a> {
    store: &'a Store,
    seal: &'a Seal,
    live: Live,
    chain: Option<Chain>,
    /// Row number at which the present player sat down.
    since: u64,
    /// Row number at which the last visitor came.
    visited: u64,
    stored: u64,
    at: i64,
    rows: Vec<NewRow>,
    /// States whose digests are not in the log yet, and states that can be saved.
    due: Vec<(Mark, Digested)>,
    marks: Vec<Mark>,
}

/// Plays at one table until its log has this many rows. Everything is decided, and every digest computed, by the code of the live table. Only the way
/// to the database is shorter.
///
/// # Errors
/// When the store can't be written, or the table refuses the game.
pub async fn play(store: &Store, library: &Library, seal: &Seal, rows: u64) -> Result<(), Trouble> {
    let mut game = Game::open(store, library, seal, rows).await?;
    while game.live.head().0 < rows {
        game.step()?;
        if game.rows.len() >= BATCH {
            game.keep().await?;
        }
    }
    game.keep().await
}

fn wrong(error: &dyn std::fmt::Display) -> Trouble {
    Trouble::Server(error.to_string())
}

impl<'a> Game<'a> {
    async fn open(store: &'a Store, library: &Library, seal: &'a Seal, rows: u64) -> Result<Game<'a>, Trouble> {
        let book = library.books.first().ok_or_else(|| wrong(&"there is no book"))?;
        let house = HouseRules::practice(book).map_err(|error| wrong(&error))?;
        let opening = Opening {
            name: "Long".to_owned(),
            rules: RulesTag::of(&house),
            house: house.tag(),
            game: None,
            crew: Crew::Automatic,
            dice: DiceFrom::Secret,
            practice: true,
            chat: false,
            private: false,
            asks: false,
            funded: true,
            witness: None,
            window: None,
            slots: Vec::new(),
        };
        let entry = Live::plan(library, opening).map_err(|error| wrong(&error))?;
        let body = serde_json::to_string(&entry).map_err(std::io::Error::from)?;
        // The last row is from a moment ago.
        let at = now() - PACE * i64::try_from(rows).unwrap_or_default();
        let first = NewRow { at, client: String::new(), key: None, body };
        let row = Row::follow(TABLE, &Head::default(), first.clone());
        let mut live = Live::open(library, &entry, &row.hash).map_err(|error| wrong(&error))?;
        live.stamp(at);
        let (rows, due, marks) = (vec![first], Vec::new(), Vec::new());
        let mut game = Game { store, seal, live, chain: None, since: 0, visited: 0, stored: 0, at, rows, due, marks };
        game.commit(1)?;
        Ok(game)
    }

    /// Adds a row and applies it.
    fn add(&mut self, by: By, did: Deed) -> Result<(), Trouble> {
        let logged = self.live.names().logged(&Entry::new(by.clone(), did.clone()));
        let body = serde_json::to_string(&logged).map_err(std::io::Error::from)?;
        let (seq, head) = self.live.head();
        self.at += PACE;
        let key = by.who.as_ref().map(|_| format!("command-{}", seq + 1));
        let new = NewRow { at: self.at, client: by.who.clone().unwrap_or_default(), key, body };
        let row = Row::follow(TABLE, &Head { seq, hash: head.to_owned() }, new.clone());
        self.rows.push(new);
        self.live.apply(row.seq, &row.hash, &Entry::new(by, did));
        self.live.stamp(self.at);
        self.due.extend(self.live.due_mark());
        Ok(())
    }

    /// Adds a row for each digest that is due, as the writer of a table does between two requests.
    fn mark(&mut self) -> Result<(), Trouble> {
        for (mark, digested) in std::mem::take(&mut self.due) {
            self.add(By::machine(), Deed::Marked { row: mark.seq, digested })?;
            self.marks.push(Mark { confirmed: Some(self.live.head().0), ..mark });
        }
        Ok(())
    }

    fn commit(&mut self, hand: u32) -> Result<(), Trouble> {
        let chain = match self.chain.as_ref().and_then(Chain::next) {
            Some(next) => next,
            None => self.seal.begin()?,
        };
        self.chain = Some(chain.clone());
        let commitment = self.seal.secret(TABLE, &chain).commitment();
        self.add(By::machine(), Deed::Committed { hand, commitment, chain: Some(chain) })
    }

    /// One player bets and rolls. Now and then they leave, and the next one comes. Guests come for one roll.
    fn step(&mut self) -> Result<(), Trouble> {
        self.mark()?;
        let seq = self.live.head().0;
        let who = format!("g:{:032x}", 1 + self.since / STAY % PLAYERS);
        let by = By::person(who, Actor::player(SEAT));
        let playing = self.live.table().seat(SEAT).is_some();
        if playing && seq - self.since > STAY && self.order(&by, Command::Leave { seat: SEAT })? {
            self.since = seq;
            return Ok(());
        }
        if !playing {
            self.since = seq;
            let by = By::person(format!("g:{:032x}", 1 + seq / STAY % PLAYERS), Actor::player(SEAT));
            let money = Money::from_minor(CHIPS);
            self.order(&by, Command::Join { seat: SEAT, name: "Player".to_owned(), money })?;
            return Ok(());
        }
        self.visit()?;
        BETS.into_iter().try_for_each(|bet| self.bet(&by, SEAT, bet))?;
        self.roll(&by)
    }

    /// A guest sits down and bets, or leaves again after the roll.
    fn visit(&mut self) -> Result<(), Trouble> {
        let guest = |visited: u64| By::person(format!("g:b{visited:031x}"), Actor::player(VISITORS_SEAT));
        let (seat, seq) = (VISITORS_SEAT, self.live.head().0);
        if self.live.table().seat(seat).is_some() {
            return self.order(&guest(self.visited), Command::Leave { seat }).map(drop);
        }
        // The dice must not be offered to the guest.
        if seq - self.visited < VISIT || self.live.hands().throws == 0 {
            return Ok(());
        }
        self.visited = seq;
        let (name, money) = ("Guest".to_owned(), Money::from_minor(VISITORS_CHIPS));
        self.order(&guest(seq), Command::Join { seat, name, money })?;
        self.bet(&guest(seq), seat, VISITORS_BET)
    }

    /// Makes a bet, if the table takes it.
    fn bet(&mut self, by: &By, seat: SeatId, (bet, amount): (&str, i64)) -> Result<(), Trouble> {
        let slot = self.live.table().board().named(bet);
        if let (Some(slot), Some(amount)) = (slot, Stake::new(Money::from_minor(amount))) {
            self.order(by, Command::Bet { seat, slot, amount, manner: Manner::default() })?;
        }
        Ok(())
    }

    /// Makes an order, unless the table refuses it.
    fn order(&mut self, by: &By, command: Command) -> Result<bool, Trouble> {
        let decided = self.live.order(by.actor, &[command]);
        let taken = decided.is_ok();
        if let Ok(deed) = decided {
            self.add(by.clone(), deed)?;
        }
        Ok(taken)
    }

    fn roll(&mut self, by: &By) -> Result<(), Trouble> {
        let closed = self.live.close(None).map_err(|refused| wrong(&refused))?;
        self.add(by.clone(), closed)?;
        let hand = self.live.hand().cloned().ok_or_else(|| wrong(&"the table has no hand"))?;
        let chain = hand.chain.as_ref().ok_or_else(|| wrong(&"the hand has no chain"))?;
        let secret = self.seal.secret(TABLE, chain);
        let thrown = self.live.derived(TABLE, &secret).map_err(|refused| wrong(&refused))?;
        let thrown = thrown.ok_or_else(|| wrong(&"there is no roll"))?;
        let over = self.live.ends_hand(&thrown);
        self.add(By::machine(), thrown)?;
        if over {
            self.add(By::machine(), Deed::Revealed { hand: hand.number, secret: secret.hex() })?;
            self.commit(hand.number + 1)?;
        }
        Ok(())
    }

    async fn keep(&mut self) -> Result<(), Trouble> {
        let rows = std::mem::take(&mut self.rows);
        let count = rows.len() as u64;
        if count > 0 {
            self.store.append(TABLE, self.stored, rows).await.map_err(|error| wrong(&error))?;
            self.stored += count;
        }
        for mark in std::mem::take(&mut self.marks) {
            self.store.save_mark(TABLE, &mark).await?;
        }
        Ok(())
    }
}
