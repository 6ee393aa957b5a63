//! Opens a table: reads its rules, which are written as in the header of a game, and makes the first row of its log.

use super::dice::DiceState;
use super::orders::Orders;
use super::requests::Confirmations;
use super::rulings::Rulings;
use super::seeds::Seeds;
use super::window::Clock;
use super::{By, Deed, Entry, HandCount, Live, Names, Opening, Ownership};
use craps_law::{Game, HouseRules, Library, RuleBook};
use craps_notation::{NoHouseFile, Session, Unplayable, house_keys};
use craps_table::{Crew, Table};
use std::sync::Arc;

/// Why a table cannot be opened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotOpened {
    /// The rules can't be read, or they are unlawful.
    #[error("{0}")]
    Rules(String),
    /// The first row of the log isn't an opening.
    #[error("the log of this table doesn't begin with an opening")]
    NoOpening,
}

impl Live {
    /// Checks the rules of a new table and returns its first row.
    ///
    /// # Errors
    /// When the book, the day or a house key is unknown, or the house is unlawful.
    pub fn plan(library: &Library, mut opening: Opening) -> Result<Entry, NotOpened> {
        // Rows name bets by their codes now. Only old logs need the list.
        opening.slots = Vec::new();
        opening.asks = opening.crew == Crew::People;
        opening.funded = true;
        open(library, &opening)?;
        Ok(Entry::new(By::machine(), Deed::Opened(Box::new(opening))))
    }

    /// Builds the table that a log's first row opens.
    ///
    /// # Errors
    /// When the row isn't an opening, or its rules can't be loaded here.
    pub fn open<B>(library: &Library, first: &Entry<B>, hash: &str) -> Result<Live, NotOpened> {
        let Deed::Opened(opening) = &first.did else { return Err(NotOpened::NoOpening) };
        let table = open(library, opening)?;
        let names = Names::new(table.board());
        Ok(Live::just_opened(table, &names, opening, &first.by, hash))
    }

    /// Builds the same from an empty table with the rules of the opening, and the names of its bets. Many tables can share both.
    pub(super) fn just_opened(table: Table, names: &Names, opening: &Opening, by: &By, hash: &str) -> Live {
        Live {
            names: names.of(opening),
            opening: Arc::new(opening.clone()),
            orders: Orders::new(&table),
            table,
            seq: 1,
            head: hash.to_owned(),
            at: 0,
            ownership: Arc::new(Ownership::opened_by(by, opening.private)),
            dice: DiceState::default(),
            hands: HandCount::default(),
            rulings: Rulings::default(),
            confirmations: Confirmations::default(),
            clock: Clock::default(),
            seeds: Seeds::default(),
            private: None,
            over: false,
            narrow: None,
        }
    }
}

impl Opening {
    /// Returns the rules of the house.
    ///
    /// # Errors
    /// When a key or a value is unknown to the book.
    pub fn house_rules(&self, book: &RuleBook) -> Result<HouseRules, NotOpened> {
        let wrong = |message: String| NotOpened::Rules(message);
        let mut house = HouseRules::under(book, self.rules.as_of);
        house.game = self.game.as_deref().and_then(Game::find);
        for pair in house_keys(&self.house) {
            let (key, value) = pair.map_err(wrong)?;
            house.set(key, value).map_err(|error| wrong(error.to_string()))?;
        }
        Ok(house)
    }
}

/// Returns the header tags of the table's games.
fn tags(opening: &Opening) -> Vec<(&'static str, String)> {
    let mut tags = vec![("Rules", opening.rules.to_string())];
    if !opening.house.is_empty() {
        tags.push(("House", opening.house.clone()));
    }
    tags.extend(opening.game.clone().map(|game| ("Game", game)));
    tags.push(("Table", opening.name.clone()));
    tags.push(("Seats", String::new()));
    tags
}

/// Starts a session on an empty table, with `more` tags in the header.
pub(super) fn session(
    library: &Library,
    opening: &Opening,
    more: &[(&'static str, String)],
) -> Result<Session, NotOpened> {
    let mut tags = tags(opening);
    tags.extend_from_slice(more);
    let tags: Vec<(&str, &str)> = tags.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let no_files = |name: &str| {
        let why = format!("a live table can't read its rules from a file such as {name}: write them out");
        Err(NoHouseFile(why))
    };
    Session::open(library, &tags, &no_files).map_err(|error| {
        NotOpened::Rules(match error {
            Unplayable::Malformed(_, message) => message,
            Unplayable::Unlawful(_, problems) => {
                problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            }
        })
    })
}

/// Returns an empty table with the rules of an opening.
pub(super) fn open(library: &Library, opening: &Opening) -> Result<Table, NotOpened> {
    let table = session(library, opening, &[])?.table().clone().with_crew(opening.crew);
    Ok(if opening.asks { table } else { table.without_requests() })
}
