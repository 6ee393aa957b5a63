//! Plays a written game: computes what follows from the rules and compares it with what the file says.

mod compare;
mod open;
mod rules_tag;
mod scribe;
mod steps;

use crate::game::{Game, Line, Place, Tag};
use craps_dice::Throw;
use craps_law::{Cites, Library, Problems, Source, TableRules};
use craps_table::{After, Bet, Events, Refusal, SeatId, SlotId, Verdict};
use craps_wagers::Phase;
use std::collections::BTreeMap;
use std::fmt;

pub use open::house_keys;
pub(crate) use open::open;
pub use rules_tag::{NotARulesTag, RulesTag};
pub(crate) use scribe::{Scribe, command, line_of};
pub use scribe::{explained, mark};
pub use steps::{Acted, Step, Steps, nth, titles};

/// How bets are named when a game is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// By code, such as `PL6`.
    Codes,
    /// By slug, such as `place-win-6`.
    Slugs,
}

/// A place where the file contradicts the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Position in the file.
    pub place: Place,
    /// Number of the roll.
    pub roll: Option<u32>,
    /// What follows from the rules.
    pub expected: String,
    /// What the file says.
    pub found: String,
    /// Sections of the law that decide it.
    pub cites: Cites,
}

/// A request that the table refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Position in the file.
    pub place: Place,
    /// The refused request, as written.
    pub what: String,
    /// The table's reason.
    pub refusal: Refusal,
}

/// One settlement, with what is needed to explain it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// Seat of the bet's owner.
    pub seat: SeatId,
    /// Slot of the bet before the roll.
    pub slot: SlotId,
    /// The bet before the roll.
    pub bet: Bet,
    /// How the roll decided the bet.
    pub verdict: Verdict,
    /// Where the bet is after the roll.
    pub after: After,
    /// The phase before the roll.
    pub phase: Phase,
    /// The roll that decided the bet.
    pub dice: Throw,
}

/// The outcome of a game.
#[derive(Debug, Clone, Default)]
pub struct Played {
    /// The game printed again, with all marks, results and commissions filled in.
    pub filled: String,
    /// Places where the file contradicts the rules.
    pub differences: Vec<Difference>,
    /// Requests that the table refused.
    pub refused: Vec<Refused>,
    /// Every settlement, by roll, in the order in which results are printed.
    pub settlements: BTreeMap<u32, Vec<Explained>>,
    /// The rules of the table; None for a header without a game.
    pub rules: Option<TableRules>,
}

/// Why a game can't be played.
#[derive(Debug, Clone, PartialEq)]
pub enum Unplayable {
    /// The file is malformed at this position.
    Malformed(Place, String),
    /// The house rules are unlawful.
    Unlawful(Place, Problems),
}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplayable::Malformed(Place { line, column }, message) => {
                write!(f, "line {line}, column {column}: {message}")
            }
            Unplayable::Unlawful(Place { line, column }, problems) => {
                write!(f, "line {line}, column {column}: the house is unlawful: {problems}")
            }
        }
    }
}

impl std::error::Error for Unplayable {}

/// Reads a house file by name, for `[House "file:NAME.toml"]`.
pub type HouseFiles<'a> = &'a dyn Fn(&str) -> Result<Source, NoHouseFile>;

/// The error for a house file that can't be read. The text says why, or what to write instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoHouseFile(pub String);

/// Finds no house file. For callers that read no files: their games must write the house in full.
///
/// ```
/// use craps_notation::no_house_files;
/// assert_eq!(no_house_files("riverside.toml").unwrap_err().to_string(), "no file riverside.toml");
/// ```
///
/// # Errors
/// Always.
pub fn no_house_files(name: &str) -> Result<Source, NoHouseFile> {
    Err(NoHouseFile(format!("no file {name}")))
}

/// Plays every game of a file. Each game inherits the tags of the one before it, unless it sets them again.
///
/// ```
/// use craps_law::Library;
/// use craps_notation::{Names, play, read};
/// // The file says that a natural loses.
/// let games = read("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 5-6+ | 1:P=l10\n")?;
/// let played = play(&Library::shipped(), &games, Names::Codes, &craps_notation::no_house_files)?;
/// assert_eq!(played[0].differences[0].expected, "1:P=w10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a game is malformed or its house rules are unlawful.
pub fn play(
    library: &Library,
    games: &[Game],
    names: Names,
    houses: HouseFiles<'_>,
) -> Result<Vec<Played>, Unplayable> {
    with_tags(games, |game, tags| {
        let mut filled: String = game.tags.iter().map(|tag| format!("[{} \"{}\"]\n", tag.name, tag.text)).collect();
        if is_header_only(game) {
            filled.extend(game.lines.iter().filter_map(|line| match line {
                Line::Comment(text) => Some(format!("{{{text}}}\n")),
                _ => None,
            }));
            return Ok(Played { filled, ..Played::default() });
        }
        let mut scribe = Scribe::new(open(library, game, tags, houses)?, names, filled);
        for line in &game.lines {
            scribe.line(line)?;
        }
        Ok(scribe.played())
    })
}

/// Returns all events of each game of a file, from the first bet to the last roll. Two texts of the same game have the same events.
///
/// ```
/// use craps_law::Library;
/// use craps_notation::{events_of, read};
/// let games = read("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 5-6 |\n")?;
/// let events = events_of(&Library::shipped(), &games, &craps_notation::no_house_files)?;
/// assert!(!events[0].is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a game is malformed or its house rules are unlawful.
pub fn events_of(library: &Library, games: &[Game], houses: HouseFiles<'_>) -> Result<Vec<Events>, Unplayable> {
    with_tags(games, |game, tags| {
        if is_header_only(game) {
            return Ok(Events::new());
        }
        let mut scribe = Scribe::new(open(library, game, tags, houses)?, Names::Codes, String::new());
        scribe.heard = Some(Events::new());
        for line in &game.lines {
            scribe.line(line)?;
        }
        Ok(scribe.heard.unwrap_or_default())
    })
}

/// Calls `each` with every game and all its tags: its own, and those it inherits from the games before.
fn with_tags<T>(
    games: &[Game],
    mut each: impl FnMut(&Game, &Tags) -> Result<T, Unplayable>,
) -> Result<Vec<T>, Unplayable> {
    let mut tags = Tags::new();
    let one = |game: &Game| {
        take_over(&mut tags, game);
        each(game, &tags)
    };
    games.iter().map(one).collect()
}

/// Adds the tags of a game to the inherited ones. A game that begins with `CGN` inherits nothing.
fn take_over(tags: &mut Tags, game: &Game) {
    if game.tags.first().is_some_and(|tag| tag.name == "CGN") {
        tags.clear();
    }
    tags.extend(game.tags.iter().map(|tag| (tag.name.clone(), tag.clone())));
}

/// Returns true if this is only a header with tags for the games that follow.
fn is_header_only(game: &Game) -> bool {
    game.lines.iter().all(|line| matches!(line, Line::Comment(_)))
}

/// All tags of a game by name, inherited ones included.
pub type Tags = BTreeMap<String, Tag>;
