//! Games in the notation, checked and explained, as data: for the command line and for whoever asks over HTTP.

use crate::why::Card;
use craps_law::{HouseRules, Library, Source};
use craps_notation::{
    Explained, HouseFiles, Line, Malformed, Names, Place, Played, Steps, Unplayable, nth, play, read, titles,
};
use craps_odds::Solver;
use craps_table::Table;
use serde::Serialize;

/// What games are called where a file would be named.
pub(crate) const NAME: &str = "game";

/// A place where a game says other than the law.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = GameDifference)]
pub struct Difference {
    /// The file.
    pub file: String,
    /// The line, the first is one.
    pub line: usize,
    /// The column in characters, the first is one.
    pub column: usize,
    /// In which roll.
    pub roll: Option<u32>,
    /// What follows from the law.
    pub expected: String,
    /// What stands there.
    pub found: String,
    /// By which words.
    pub cite: String,
}

impl Difference {
    pub(crate) fn new(file: &str, one: &craps_notation::Difference) -> Difference {
        Difference {
            file: file.to_owned(),
            line: one.place.line,
            column: one.place.column,
            roll: one.roll,
            expected: one.expected.clone(),
            found: one.found.clone(),
            cite: one.cites.to_string(),
        }
    }
}

/// Everything in which games say other than the law.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, utoipa::ToSchema)]
#[schema(as = GameCheck)]
pub struct Check {
    /// The differences, in the order of the text.
    pub differences: Vec<Difference>,
}

/// Reads games and plays them.
///
/// # Errors
/// When they are no games, or their house is unlawful.
pub fn played(library: &Library, text: &str, names: Names, houses: HouseFiles<'_>) -> Result<Vec<Played>, Unplayable> {
    let games = read(text).map_err(|Malformed { place, message }| Unplayable::Malformed(place, message))?;
    play(library, &games, names, houses)
}

/// Everything in which the games of a text say other than the law; that its house is unlawful is one such thing.
///
/// # Errors
/// When they are no games: where, and what was expected.
pub fn check(library: &Library, source: &Source, houses: HouseFiles<'_>) -> Result<Vec<Difference>, (Place, String)> {
    match played(library, &source.text, Names::Codes, houses) {
        Ok(games) => {
            let all = games.iter().flat_map(|game| &game.differences);
            Ok(all.map(|one| Difference::new(&source.path, one)).collect())
        }
        Err(Unplayable::Unlawful(place, problems)) => {
            let problem = |problem: &craps_law::Problem| Difference {
                file: source.path.clone(),
                line: place.line,
                column: place.column,
                roll: None,
                expected: "a lawful house".to_owned(),
                found: format!("{}: {}", problem.path, problem.message),
                cite: problem.cites.to_string(),
            };
            Ok(problems.iter().map(problem).collect())
        }
        Err(Unplayable::Malformed(place, message)) => Err((place, message)),
    }
}

/// A roll of a game, or one result of it: `3`, `3.2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Which {
    /// The roll.
    pub roll: u32,
    /// Which of its results, from one; none is all of them.
    pub result: Option<usize>,
}

impl std::str::FromStr for Which {
    type Err = String;

    fn from_str(text: &str) -> Result<Which, String> {
        let wrong = || format!("expected a roll such as 3 or 3.2, found `{text}`");
        let (roll, result) = match text.split_once('.') {
            Some((roll, result)) => (roll, Some(result.parse().ok().filter(|at| *at > 0).ok_or_else(wrong)?)),
            None => (text, None),
        };
        Ok(Which { roll: roll.parse().map_err(|_| wrong())?, result })
    }
}

/// A game of a text.
#[derive(Clone)]
pub struct Asked<'a> {
    /// Games in the notation.
    pub text: &'a str,
    /// Which of them, from one.
    pub game: usize,
    /// Where houses that a game names by file are found.
    pub houses: HouseFiles<'a>,
    /// Another house, under which the same dice and the same acts are looked at.
    pub other: Option<HouseRules>,
}

/// Why a result is not explained.
#[derive(Debug, Clone, PartialEq)]
pub enum NotExplained {
    /// The game cannot be played.
    Unplayable(Unplayable),
    /// There is no such game, roll or result.
    Missing(String),
}

impl From<Unplayable> for NotExplained {
    fn from(error: Unplayable) -> NotExplained {
        NotExplained::Unplayable(error)
    }
}

/// What a roll decided, or one result of it.
pub struct Settled {
    table: Table,
    roll: u32,
    results: Vec<Explained>,
}

impl Settled {
    /// Plays a game up to a roll, under the other house where one is named.
    ///
    /// # Errors
    /// When it cannot be played, or there is no such game, roll or result.
    pub fn new(library: &Library, asked: Asked<'_>, which: Which) -> Result<Settled, NotExplained> {
        let games = read(asked.text).map_err(|Malformed { place, message }| Unplayable::Malformed(place, message))?;
        let count = || NotExplained::Missing(format!("there are {} games", titles(&games).len()));
        let (game, tags) = nth(&games, asked.game).ok_or_else(count)?;
        let mut steps = Steps::open(library, game, &tags, asked.houses, asked.other)?;
        let Which { roll, result } = which;
        for line in &game.lines {
            let step = steps.line(line)?;
            let Some(step) = step.filter(|_| matches!(line, Line::Roll(one) if one.number == roll)) else { continue };
            let count = step.results.len();
            let chosen = match result {
                Some(at) => step.results.into_iter().skip(at.saturating_sub(1)).take(1).collect(),
                None => step.results,
            };
            if result.is_some() && chosen.is_empty() {
                return Err(NotExplained::Missing(format!("roll {roll} has {count} results")));
            }
            return Ok(Settled { table: step.before, roll, results: chosen });
        }
        Err(NotExplained::Missing(format!("there is no roll {roll}")))
    }

    /// A Why? card for each; none where the roll decided nothing.
    #[must_use]
    pub fn cards(&self, library: &Library, solver: &mut Solver) -> Vec<Card> {
        let at = (self.table.rules(), self.table.board());
        self.results.iter().map(|one| Card::new(library, solver, at, self.roll, one)).collect()
    }
}
