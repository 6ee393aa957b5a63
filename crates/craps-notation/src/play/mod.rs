//! Plays a game as written: what follows from the law is computed, and compared with what stands there.

mod compare;
mod open;
mod scribe;
mod steps;

use crate::game::{Game, Line, Place, Tag};
use craps_dice::Throw;
use craps_law::{Cites, Library, Problems, Source, TableRules};
use craps_table::{After, Bet, Events, Refusal, SeatId, SlotId, Verdict};
use craps_wagers::Phase;
use std::collections::BTreeMap;
use std::fmt;

pub(crate) use open::open;
pub(crate) use scribe::{Scribe, command, line_of};
pub use scribe::{explained, mark};
pub use steps::{Acted, Step, Steps, nth, titles};

/// How bets are named where games are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Names {
    /// By code.
    Codes,
    /// By slug.
    Slugs,
}

/// A place where the file says other than the law.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where.
    pub place: Place,
    /// In which roll.
    pub roll: Option<u32>,
    /// What follows from the law.
    pub expected: String,
    /// What the file says.
    pub found: String,
    /// By which words.
    pub cites: Cites,
}

/// Something that was asked and refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// Where.
    pub place: Place,
    /// What.
    pub what: String,
    /// Why.
    pub refusal: Refusal,
}

/// One settlement, enough to explain it.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// Whose.
    pub seat: SeatId,
    /// Its slot.
    pub slot: SlotId,
    /// The bet as it stood.
    pub bet: Bet,
    /// What became of it.
    pub verdict: Verdict,
    /// Where it is now.
    pub after: After,
    /// The phase before the throw.
    pub phase: Phase,
    /// The dice.
    pub dice: Throw,
}

/// What came of a game.
#[derive(Debug, Clone, Default)]
pub struct Played {
    /// The game printed again with everything that follows from the law.
    pub filled: String,
    /// Where the file says otherwise.
    pub differences: Vec<Difference>,
    /// What was refused.
    pub refused: Vec<Refused>,
    /// Every settlement, by roll, in the order in which results are printed.
    pub settlements: BTreeMap<u32, Vec<Explained>>,
    /// The rules it was played by; none for a header without a game.
    pub rules: Option<TableRules>,
}

/// Why a game cannot be played.
#[derive(Debug, Clone, PartialEq)]
pub enum Unplayable {
    /// It is malformed.
    Malformed(Place, String),
    /// Its house is unlawful.
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
pub type HouseFiles<'a> = &'a dyn Fn(&str) -> Result<Source, String>;

/// Plays every game of a file; each takes over the tags of the one before that it does not repeat.
///
/// ```
/// use craps_law::Library;
/// use craps_notation::{Names, play, read};
/// // The file says that a natural loses.
/// let games = read("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 5-6+ | 1:P=l10\n")?;
/// let played = play(&Library::shipped(), &games, Names::Codes, &|name| Err(format!("no file {name}")))?;
/// assert_eq!(played[0].differences[0].expected, "1:P=w10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a game cannot be played at all.
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

/// Everything that happens in each game of a file, from the first bet to the last throw: two texts of one game have the same events.
///
/// ```
/// use craps_law::Library;
/// use craps_notation::{events_of, read};
/// let games = read("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 5-6 |\n")?;
/// let events = events_of(&Library::shipped(), &games, &|name| Err(format!("no file {name}")))?;
/// assert!(!events[0].is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a game cannot be played at all.
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

/// Each game with every tag that holds for it: its own, and those of the games before that it does not repeat.
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

/// The tags that hold from a game on.
fn take_over(tags: &mut Tags, game: &Game) {
    if game.tags.first().is_some_and(|tag| tag.name == "CGN") {
        tags.clear();
    }
    tags.extend(game.tags.iter().map(|tag| (tag.name.clone(), tag.clone())));
}

/// Is it only tags, for the games that follow?
fn is_header_only(game: &Game) -> bool {
    game.lines.iter().all(|line| matches!(line, Line::Comment(_)))
}

/// The tags that hold for a game, by name.
pub type Tags = BTreeMap<String, Tag>;
