//! What the lobby shows of a table. Cards are kept in the store, so that the lobby doesn't have to read the tables.

use super::pit::{Message, NotDone, Pit};
use super::view::{self, LobbyView};
use super::{Live, Opening};
use craps_store::Head;
use craps_table::SeatId;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A table as it is kept for the lobby.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Card {
    /// The table as a stranger sees it.
    view: LobbyView,
    /// Who sits where.
    seats: BTreeMap<String, SeatId>,
    /// Who can see a private table: the person who opened it, and everyone who had a seat. None for a public table.
    insiders: Option<Vec<String>>,
    /// The opening of a table that is not for practice.
    house: Option<Opening>,
    /// The table has closed permanently.
    over: bool,
}

impl Card {
    /// Makes the card of a table.
    #[must_use]
    pub fn new(id: &str, live: &Live) -> Card {
        let (owners, opening) = (live.ownership(), live.opening());
        let insiders = || owners.opener().into_iter().chain(owners.visitors()).map(str::to_owned).collect();
        Card {
            view: view::lobby(id, live),
            seats: owners.seats().iter().map(|(seat, (who, _))| (who.clone(), *seat)).collect(),
            insiders: opening.private.then(insiders),
            house: (!opening.practice).then(|| opening.clone()),
            over: live.is_over(),
        }
    }

    /// Returns the id of the table.
    #[must_use]
    pub fn table(&self) -> &str {
        &self.view.table
    }

    /// Returns the opening of a table that is not for practice.
    #[must_use]
    pub fn house(&self) -> Option<&Opening> {
        self.house.as_ref()
    }

    /// Can everybody see the table, or is this person one of those who can?
    #[must_use]
    pub fn shows_to(&self, who: Option<&str>) -> bool {
        let knows = |insiders: &Vec<String>| who.is_some_and(|who| insiders.iter().any(|insider| insider == who));
        self.insiders.as_ref().is_none_or(knows)
    }

    /// Returns the table as this person sees it in the lobby.
    #[must_use]
    pub fn seen_by(&self, who: Option<&str>) -> LobbyView {
        let seat = who.and_then(|who| self.seats.get(who).copied());
        LobbyView { seat, ..self.view.clone() }
    }
}

/// Reads a stored card. None if another version of the program wrote it differently.
fn read(body: &str) -> Option<Card> {
    serde_json::from_str(body).ok()
}

impl Pit {
    /// Has the lobby left out a table since the cards were renewed, because it had no card?
    pub(crate) fn lacks_cards(&self) -> bool {
        self.without_card.load(Ordering::Acquire)
    }

    /// Returns the cards of all tables that haven't closed, sorted by id. No table is read for it: one that has no card yet is left out, and its card
    /// is made in the background.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(crate) async fn cards(&self) -> Result<Vec<Arc<Card>>, NotDone> {
        let known = self.known_cards().await?;
        if known.iter().any(|(_, card)| card.is_none()) {
            self.without_card.store(true, Ordering::Release);
        }
        Ok(known.into_iter().filter_map(|(_, card)| card).filter(|card| !card.over).collect())
    }

    /// Returns the cards of all tables that haven't closed. Reads the tables that have no card yet. A table that can't be read has none.
    ///
    /// # Errors
    /// When the store can't be read.
    pub(crate) async fn all_cards(&self) -> Result<Vec<Arc<Card>>, NotDone> {
        let mut cards = Vec::new();
        for (table, known) in self.known_cards().await? {
            let card = match known {
                Some(card) => Ok(card),
                None => self.card(&table).await.map(Arc::new),
            };
            match card {
                Ok(card) if card.over => {}
                Ok(card) => cards.push(card),
                Err(error) => tracing::warn!(table, %error, "table left out"),
            }
        }
        Ok(cards)
    }

    /// Returns the card of each table: that of its writer, or the one that is stored. None if there is none yet.
    async fn known_cards(&self) -> Result<Vec<(String, Option<Arc<Card>>)>, NotDone> {
        let mut kept: HashMap<String, String> =
            self.store().cards().await?.into_iter().map(|(table, _, body)| (table, body)).collect();
        let tables = self.store().tables().await?.into_iter().filter(|(table, _)| !self.has_closed(table));
        let mut shown: HashMap<String, Arc<Card>> =
            self.in_memory().into_iter().map(|(table, door)| (table, door.card())).collect();
        let card = |(table, _): (String, Head)| {
            let kept = kept.remove(&table);
            let card = shown.remove(&table).or_else(|| kept.and_then(|body| read(&body)).map(Arc::new));
            (table, card)
        };
        Ok(tables.map(card).collect())
    }

    /// Keeps the card of a table that was just opened, as of the last of its first rows.
    pub(super) async fn keep_first_card(&self, table: &str, last: u64, live: &Live) {
        let Ok(body) = serde_json::to_string(&Card::new(table, live)) else { return };
        if let Err(error) = self.store().save_cards(&[(table.to_owned(), last, body)]).await {
            tracing::debug!(table, %error, "the card of a new table is made later");
        }
    }

    async fn card(&self, table: &str) -> Result<Card, NotDone> {
        let id = table.to_owned();
        self.look(table, move |live| Card::new(&id, live)).await
    }

    /// Keeps the cards of the tables in memory whose logs have grown since `kept`.
    ///
    /// # Errors
    /// When the store can't be written.
    pub async fn keep_cards(&self, kept: &mut HashMap<String, u64>) -> Result<(), NotDone> {
        let mut grown = Vec::new();
        for (table, door) in self.in_memory() {
            let (id, known) = (table.clone(), kept.get(&table).copied());
            let look = move |live: &Live| {
                let seq = live.head().0;
                (known != Some(seq)).then(|| (seq, serde_json::to_string(&Card::new(&id, live)).ok()))
            };
            if let Ok(Some((seq, Some(body)))) = door.sees(look, Message::Look).await {
                grown.push((table, seq, body));
            }
        }
        self.store().save_cards(&grown).await?;
        kept.extend(grown.into_iter().map(|(table, seq, _)| (table, seq)));
        Ok(())
    }

    /// Reads the tables whose cards are missing or older than their logs, one after the other, and keeps new cards of them.
    ///
    /// # Errors
    /// When the store can't be read or written.
    pub async fn renew_cards(&self) -> Result<(), NotDone> {
        self.without_card.store(false, Ordering::Release);
        let cards = self.store().cards().await?.into_iter().filter(|(_, _, body)| read(body).is_some());
        let kept: HashMap<String, u64> = cards.map(|(table, seq, _)| (table, seq)).collect();
        for (table, head) in self.store().tables().await? {
            if kept.get(&table).is_some_and(|seq| *seq >= head.seq) {
                continue;
            }
            let id = table.clone();
            let card =
                self.look(&table, move |live| (live.head().0, serde_json::to_string(&Card::new(&id, live)).ok()));
            match card.await {
                Ok((seq, Some(body))) => self.store().save_cards(&[(table, seq, body)]).await?,
                Ok((_, None)) => {}
                Err(error) => tracing::warn!(table, %error, "table left out of the lobby"),
            }
        }
        Ok(())
    }
}
