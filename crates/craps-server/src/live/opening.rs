//! How a table begins: its rules read as the header of a game is, and the first row of its log.

use super::dice::DiceState;
use super::orders::Orders;
use super::rulings::Rulings;
use super::window::Clock;
use super::{By, Deed, Entry, Live, Names, Opening, Ownership};
use craps_law::Library;
use craps_notation::{Session, Unplayable};
use craps_table::Table;

/// Why a table cannot be opened.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotOpened {
    /// Its rules cannot be read, or are unlawful.
    #[error("{0}")]
    Rules(String),
    /// The log does not begin with an opening.
    #[error("the log of this table does not begin with its opening")]
    NoOpening,
}

impl Live {
    /// The opening of a table under these rules: what its first row will say.
    ///
    /// # Errors
    /// When the book, the day or a house key is unknown, or the house is unlawful.
    pub fn plan(library: &Library, mut opening: Opening) -> Result<Entry, NotOpened> {
        // Rows name bets by their codes: the list is for logs of before.
        opening.slots = Vec::new();
        open(library, &opening)?;
        Ok(Entry { by: By::machine(), did: Deed::Opened(Box::new(opening)) })
    }

    /// A table as its first row opens it.
    ///
    /// # Errors
    /// When the row is no opening or its rules are not to be had here.
    pub fn open<B>(library: &Library, first: &Entry<B>, hash: &str) -> Result<Live, NotOpened> {
        let Deed::Opened(opening) = &first.did else { return Err(NotOpened::NoOpening) };
        let table = open(library, opening)?;
        Ok(Live {
            names: Names::new(opening, table.board()),
            opening: (**opening).clone(),
            orders: Orders::new(&table),
            table,
            seq: 1,
            head: hash.to_owned(),
            ownership: Ownership::opened_by(first.by.who.clone()),
            dice: DiceState::default(),
            rulings: Rulings::default(),
            clock: Clock::default(),
            private: None,
            over: false,
        })
    }
}

/// The tags of a table's games.
fn tags(opening: &Opening) -> Vec<(&'static str, String)> {
    let mut tags = vec![("Rules", opening.rules.clone())];
    if !opening.house.is_empty() {
        tags.push(("House", opening.house.clone()));
    }
    tags.extend(opening.game.clone().map(|game| ("Game", game)));
    tags.push(("Table", opening.name.clone()));
    tags.push(("Seats", String::new()));
    tags
}

/// The session of an empty table, with more tags at its head.
pub(super) fn session(
    library: &Library,
    opening: &Opening,
    more: &[(&'static str, String)],
) -> Result<Session, NotOpened> {
    let mut tags = tags(opening);
    tags.extend_from_slice(more);
    let tags: Vec<(&str, &str)> = tags.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let no_files = |name: &str| Err(format!("a live table names its rules whole, not in a file such as {name}"));
    Session::open(library, &tags, &no_files).map_err(|error| {
        NotOpened::Rules(match error {
            Unplayable::Malformed(_, message) => message,
            Unplayable::Unlawful(_, problems) => {
                problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
            }
        })
    })
}

fn open(library: &Library, opening: &Opening) -> Result<Table, NotOpened> {
    Ok(session(library, opening, &[])?.table().clone().with_crew(opening.crew))
}
