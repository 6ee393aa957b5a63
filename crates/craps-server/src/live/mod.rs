//! A live table: its log, and the state that follows from the log. Deciding and applying a row uses no clock, file or socket; [`pit`] runs one
//! writer per table.
//!
//! [`Live`] is the state of a table after some row. Each part of it has its own module with a small state of its own: `opening`, `orders`, `dice`,
//! `rulings`, `requests`, `ownership`, `window`, `private`. `decide` turns a request (a "wish") into the content of new rows and changes nothing;
//! [`Live::apply`] applies a row and decides nothing.

mod answer;
mod card;
mod decide;
mod dice;
mod draw;
mod entry;
mod fair;
mod funds;
mod hands;
pub mod issuer;
pub mod ledger;
mod names;
mod opening;
mod orders;
mod ownership;
pub mod pit;
mod private;
pub mod purse;
mod refused;
mod requests;
pub mod rows;
mod rulings;
mod saved;
mod seal;
mod seeds;
mod text;
mod transcript;
pub mod view;
mod walk;
mod window;
pub mod wish;
mod witness;
mod writer;

use craps_money::Money;
use craps_table::{Event, SeatId, Shooter, Stage, Table};
use craps_wagers::Phase;
use std::sync::Arc;
use view::BetView;

pub use card::Card;
pub use dice::{Closed, Due, Entered, Hand, RECENT, Roll};
pub use draw::Raised;
pub use entry::{BetName, By, Deed, DiceFrom, Entry, Opening, WitnessOf};
pub use fair::{Cast, Draws, Secret, What, faces};
pub use funds::{Flow, Funds, NotFunded, PRACTICE_MOST, Payer, Source};
pub use hands::HandCount;
pub use names::{Names, NoSuchBet};
pub use opening::NotOpened;
pub use ownership::{Ownership, Standing};
pub use private::{Empty, Private};
pub use refused::{HostCode, Refused};
pub use saved::{Digested, MARK};
pub use seal::{CHAIN, CHAIN_MOST, Chain, Kept, NotSealed, Retirement, Seal};
pub use seeds::{SEED_MOST, SEEDS_MOST, SeatSeed, is_seed};
pub use text::Written;
pub use transcript::{NotWritten, ROWS_MOST, Transcript};
pub use walk::Walk;
pub use window::{Pace, TIMES, WINDOW, Window};

/// Maximum length of a chat message, in characters.
pub const SAID_MOST: usize = 200;

/// The state of a table after some row of its log.
#[derive(Debug, Clone)]
pub struct Live {
    opening: Arc<Opening>,
    table: Table,
    /// Number of the last row that was applied; `head` is its hash.
    seq: u64,
    head: String,
    /// Time of that row, as far as it is known.
    at: i64,
    /// Maps the bet names in rows to slots.
    names: Names,
    orders: orders::Orders,
    dice: dice::DiceState,
    /// Counts the hands.
    hands: HandCount,
    rulings: rulings::Rulings,
    confirmations: requests::Confirmations,
    /// Shared by copies of the table, because a table can have had many visitors.
    ownership: Arc<Ownership>,
    clock: window::Clock,
    seeds: seeds::Seeds,
    /// Access to a private table. None for a public table, and before a server has opened the table.
    private: Option<Arc<Private>>,
    /// The table has closed permanently.
    over: bool,
    /// Row of the last undo, if it changed nothing but the bets and chips of its seat.
    narrow: Option<u64>,
}

/// The chips in a player's rail after a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rail {
    /// The player's seat.
    pub seat: SeatId,
    /// The account or guest who has the seat. None if the staff seated the player.
    pub owner: Option<String>,
    /// Amount of the chips.
    pub money: Money,
}

impl Live {
    /// Returns how the table was opened: its rules, crew and dice.
    #[must_use]
    pub fn opening(&self) -> &Opening {
        &self.opening
    }

    /// Returns the table itself, with its seats and bets.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the number and the hash of the last row that was applied.
    #[must_use]
    pub fn head(&self) -> (u64, &str) {
        (self.seq, &self.head)
    }

    /// Returns the time of the last row that was applied, in Unix milliseconds.
    #[must_use]
    pub fn at(&self) -> i64 {
        self.at
    }

    /// Sets the time of the last row that was applied. A row that is older than the rows before it changes nothing.
    pub fn stamp(&mut self, at: i64) {
        self.at = self.at.max(at);
    }

    /// Returns the number of the hand that is being played, and how many rolls it has had.
    #[must_use]
    pub fn hands(&self) -> HandCount {
        self.hands
    }

    /// Is the table between two hands, with nothing that was done since the last roll and nothing that waits for anybody?
    #[must_use]
    pub fn is_between_hands(&self) -> bool {
        let waits = self.dice.closed.is_some() || self.dice.are_down() || !self.rulings.0.is_empty();
        !waits && self.dice.hand.is_none() && self.orders.is_empty() && self.table.requests().is_empty()
    }

    /// Returns the names that rows use for the bets of this table.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Returns the chips in every rail that a deed touched, as they are now.
    #[must_use]
    pub fn rails<B>(&self, deed: &Deed<B>) -> Vec<Rail> {
        let mut seats: Vec<SeatId> = match deed {
            Deed::Undone { seat, .. } => vec![*seat],
            deed => deed.events().iter().filter_map(Event::moves_money_of).collect(),
        };
        seats.sort_unstable();
        seats.dedup();
        let rail = |seat: SeatId| {
            let owner = self.owner(seat).map(str::to_owned);
            Some(Rail { seat, owner, money: self.table.seat(seat)?.rail })
        };
        seats.into_iter().filter_map(rail).collect()
    }

    /// Decides a chat message.
    ///
    /// # Errors
    /// When the table has no chat, or the message is empty or too long.
    pub fn say(&self, words: &str) -> Result<Deed, Refused> {
        if !self.opening.chat {
            return Err(HostCode::NoChat.into());
        }
        match words.chars().count() {
            1..=SAID_MOST => Ok(Deed::Said { words: words.to_owned() }),
            found => Err(HostCode::BadLength { found }.into()),
        }
    }

    /// Applies the next row. It never fails: a row says what already happened.
    pub fn apply(&mut self, row: u64, hash: &str, entry: &Entry) {
        self.seq = row;
        hash.clone_into(&mut self.head);
        let hands = self.hands;
        self.hands.ends(self.table.phase(), &entry.did);
        match &entry.did {
            Deed::Opened(_) | Deed::Said { .. } | Deed::Marked { .. } => {}
            Deed::Paced(pace) => {
                if let Some(seat) = entry.by.actor.seat {
                    self.clock.paced(seat, *pace);
                }
            }
            Deed::Ordered { commands, events } => {
                let came_in = self.table.accounts().came_in;
                self.fold(events);
                let more = self.table.accounts().came_in.minus(came_in).unwrap_or_default();
                if more.minor() != 0 {
                    Arc::make_mut(&mut self.ownership).bring(entry, commands, more);
                }
                self.confirmations.follow(&entry.by, events);
                let comes_or_goes = |event: &Event| matches!(event, Event::Joined { .. } | Event::Left { .. });
                let left = match events.iter().any(comes_or_goes) {
                    true => Arc::make_mut(&mut self.ownership).seated(&entry.by, events),
                    false => Vec::new(),
                };
                for seat in left {
                    self.orders.forget(seat);
                    self.clock.forget(seat);
                    self.seeds.forget(seat);
                }
                if events.iter().any(|event| matches!(event, Event::NoRoll { .. })) {
                    self.orders.begin(&self.table);
                    self.dice.lift();
                } else {
                    self.orders.done(row, entry.by.actor, commands, events);
                }
            }
            Deed::Undone { seat, rows, same, events } => {
                let came_in = self.table.accounts().came_in;
                let around = self.around();
                self.table = self.orders.taken_back(*seat, rows, *same);
                self.fold(events);
                self.narrow = (*same && around == self.around()).then_some(row);
                let more = self.table.accounts().came_in.minus(came_in).unwrap_or_default();
                if more.minor() != 0 {
                    Arc::make_mut(&mut self.ownership).bring_to(*seat, more);
                }
            }
            Deed::Committed { hand, commitment, chain } => {
                self.dice.committed(*hand, commitment, chain.as_ref());
                // Seeds that came before a chain don't count.
                if chain.as_ref().is_none_or(|chain| chain.place == 1) {
                    self.seeds.begin();
                }
            }
            Deed::Retired { .. } => self.dice.retired(),
            Deed::Seeded { seat, seed } => self.seeds.set(*seat, seed),
            Deed::Closed { seeds, .. } => {
                self.seeds.closed(seeds);
                self.dice.closed = Some(Closed { hash: hash.to_owned(), seeds: seeds.clone(), witness: None });
            }
            Deed::Witnessed { answer } => self.dice.witnessed(answer),
            Deed::Drawn { events, .. } => {
                self.dice.drawn();
                self.fold(events);
            }
            Deed::Thrown { faces: dice, events, .. } => {
                self.confirmations.follow(&entry.by, events);
                self.thrown(row, *dice, events);
            }
            Deed::Revealed { .. } => self.dice.hand = None,
            Deed::Entered { faces } => self.dice.enter(*faces, entry.by.clone()),
            Deed::Mismatched { .. } => self.dice.entered = None,
            Deed::Proposed { ruling } => {
                self.rulings.0.insert(row, (entry.by.clone(), ruling.clone()));
            }
            Deed::Rejected { row } => {
                self.rulings.0.remove(row);
            }
            Deed::Approved { row: proposed, events } => {
                if let Some((by, ruling)) = self.rulings.0.remove(proposed) {
                    self.fold(events);
                    self.orders.add(row, by.actor, vec![ruling], events);
                }
            }
            Deed::TableClosed { .. } => self.over = true,
        }
        self.count_orders(entry, hands);
    }

    /// Returns the bets of the seat whose orders a row has just undone. None if the row did more than that, and for other rows.
    #[must_use]
    pub fn left_by<B>(&self, row: u64, deed: &Deed<B>) -> Option<Vec<BetView>> {
        let (Deed::Undone { seat, .. }, true) = (deed, self.narrow == Some(row)) else { return None };
        let bets = &self.table.seat(*seat)?.bets;
        Some(bets.standing().map(|(slot, bet)| BetView::new(self.names.code(slot), bet)).collect())
    }

    /// Returns what everybody sees of a table besides its seats.
    fn around(&self) -> (Phase, Stage, Option<Shooter>, Option<Shooter>, u32) {
        let table = &self.table;
        (table.phase(), table.stage(), table.shooter(), table.implied_shooter(), table.requests_made())
    }

    fn fold(&mut self, events: &[Event]) {
        events.iter().for_each(|event| self.table.apply_logged(event));
    }
}
