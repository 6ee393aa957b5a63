//! Plays game files, checks them against the law, and explains their rolls.

use crate::why::WhyCard;
use craps_law::{HouseRules, Library, Source};
use craps_notation::{
    Explained, Game, HouseFiles, Line, Malformed, Names, Place, Played, Steps, Tags, Unplayable, nth, play, read,
    titles,
};
use craps_odds::Solver;
use craps_table::Table;
use serde::Serialize;

/// File name used for a game that didn't come from a file.
pub const UNNAMED: &str = "game";

/// A place where a game file differs from the law.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameDifference {
    /// Name of the file.
    pub file: String,
    /// Line number, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Number of the roll. None if it isn't about a roll.
    pub roll: Option<u32>,
    /// What the law requires.
    pub expected: String,
    /// What the file says.
    pub found: String,
    /// Sections of the law that say so.
    pub cite: String,
}

impl GameDifference {
    pub(crate) fn new(file: &str, one: &craps_notation::Difference) -> GameDifference {
        GameDifference {
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

/// The result of checking game files against the law.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GameCheck {
    /// All differences, in the order of the text.
    pub differences: Vec<GameDifference>,
}

/// Reads the games of a text and plays them.
///
/// ```
/// use craps_explain::games::played;
/// use craps_law::Library;
/// use craps_notation::Names;
/// let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 6-5 |\n";
/// let games = played(&Library::shipped(), text, Names::Codes, &craps_notation::no_house_files)?;
/// assert!(games[0].filled.contains("| 6-5+ | 1:P=w10"));
/// # Ok::<(), craps_notation::Unplayable>(())
/// ```
///
/// # Errors
/// When the text is malformed, or a house is unlawful.
pub fn played(library: &Library, text: &str, names: Names, houses: HouseFiles<'_>) -> Result<Vec<Played>, Unplayable> {
    play(library, &games_of(text)?, names, houses)
}

fn games_of(text: &str) -> Result<Vec<Game>, Unplayable> {
    read(text).map_err(|Malformed { place, message }| Unplayable::Malformed(place, message))
}

/// Returns all places where the games of a text differ from the law. Problems of an unlawful house count too.
///
/// ```
/// use craps_explain::games::check;
/// use craps_law::{Library, Source};
/// // Ann is paid 20 for her 10: a pass bet pays even money.
/// let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 6-5+ | 1:P=w20\n";
/// let source = Source { path: "hand.cgn".into(), text: text.into() };
/// let differences = check(&Library::shipped(), &source, &craps_notation::no_house_files).unwrap();
/// assert_eq!((differences[0].expected.as_str(), differences[0].found.as_str()), ("1:P=w10", "1:P=w20"));
/// ```
///
/// # Errors
/// When the text is malformed. The error has the place and what was expected there.
pub fn check(
    library: &Library,
    source: &Source,
    houses: HouseFiles<'_>,
) -> Result<Vec<GameDifference>, (Place, String)> {
    match played(library, &source.text, Names::Codes, houses) {
        Ok(games) => {
            let all = games.iter().flat_map(|game| &game.differences);
            Ok(all.map(|one| GameDifference::new(&source.path, one)).collect())
        }
        Err(Unplayable::Unlawful(place, problems)) => {
            let problem = |problem: &craps_law::Problem| GameDifference {
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

/// The number of a roll, or of one result of a roll: `3` or `3.2`.
///
/// ```
/// use craps_explain::games::RollNumber;
/// assert_eq!("3.2".parse(), Ok(RollNumber { roll: 3, result: Some(2) }));
/// assert_eq!("x".parse::<RollNumber>().unwrap_err().to_string(), "expected a roll such as 3 or 3.2, found `x`");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RollNumber {
    /// Number of the roll.
    pub roll: u32,
    /// Number of one of its results, from 1. None means all of them.
    pub result: Option<usize>,
}

/// The error for a text that isn't the number of a roll.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a roll such as 3 or 3.2, found `{0}`")]
pub struct NotARoll(pub String);

impl std::str::FromStr for RollNumber {
    type Err = NotARoll;

    fn from_str(text: &str) -> Result<RollNumber, NotARoll> {
        let wrong = || NotARoll(text.to_owned());
        let (roll, result) = match text.split_once('.') {
            Some((roll, result)) => (roll, Some(result.parse().ok().filter(|at| *at > 0).ok_or_else(wrong)?)),
            None => (text, None),
        };
        Ok(RollNumber { roll: roll.parse().map_err(|_| wrong())?, result })
    }
}

/// A request for one game of a text.
#[derive(Clone)]
pub struct GameOf<'a> {
    /// Text of a game file, with one or more games.
    pub text: &'a str,
    /// Number of the game in the text, from 1.
    pub game: usize,
    /// Function that reads the house files that games name.
    pub houses: HouseFiles<'a>,
    /// Another house, under which the same dice and actions are played.
    pub other: Option<HouseRules>,
}

impl GameOf<'_> {
    /// Calls `work` with the game, all tags that apply to it, and the titles of all games in the text.
    pub(crate) fn found<T>(
        &self,
        work: impl FnOnce(&Game, &Tags, Vec<String>) -> Result<T, NotExplained>,
    ) -> Result<T, NotExplained> {
        let games = games_of(self.text)?;
        let titles = titles(&games);
        match nth(&games, self.game) {
            Some((game, tags)) => work(game, &tags, titles),
            None => {
                let count = titles.len();
                Err(NotExplained::Missing(format!("there is no game {} (number of games: {count})", self.game)))
            }
        }
    }
}

/// The error for a game that can't be explained or replayed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotExplained {
    /// The game can't be played.
    #[error(transparent)]
    Unplayable(#[from] Unplayable),
    /// There is no such game, roll or result.
    #[error("{0}")]
    Missing(String),
    /// The game has too many rolls for a replay.
    #[error("a replay can have at most {} rolls, but this game has {rolls}", crate::replay::ROLLS_MOST)]
    TooLong {
        /// Number of rolls in the game.
        rolls: usize,
    },
}

/// The results of one roll, ready to be explained.
///
/// ```
/// use craps_explain::games::{GameOf, SettledRoll};
/// use craps_law::Library;
/// use craps_odds::Solver;
/// let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:DP+10 | 6-6 |\n";
/// let library = Library::shipped();
/// let game = GameOf { text, game: 1, houses: &craps_notation::no_house_files, other: None };
/// let cards = SettledRoll::new(&library, game, "1".parse()?)?.cards(&library, &mut Solver::default());
/// assert_eq!(cards[0].cause.to_string(), "12 is barred");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct SettledRoll {
    table: Table,
    roll: u32,
    results: Vec<Explained>,
}

impl SettledRoll {
    /// Plays a game up to a roll, under the other house if one is given.
    ///
    /// # Errors
    /// When the game can't be played, or there is no such game, roll or result.
    pub fn new(library: &Library, asked: GameOf<'_>, which: RollNumber) -> Result<SettledRoll, NotExplained> {
        let (houses, other) = (asked.houses, asked.other.clone());
        asked.found(|game, tags, _| {
            let mut steps = Steps::open(library, game, tags, houses, other)?;
            let RollNumber { roll, result } = which;
            for line in &game.lines {
                let step = steps.line(line)?;
                let is_asked = matches!(line, Line::Roll(one) if one.number == roll);
                let Some(step) = step.filter(|_| is_asked) else { continue };
                let count = step.results.len();
                let results: Vec<Explained> = match result {
                    Some(at) => step.results.into_iter().skip(at.saturating_sub(1)).take(1).collect(),
                    None => step.results,
                };
                if result.is_some() && results.is_empty() {
                    return Err(NotExplained::Missing(format!("roll {roll} has only {count} result(s)")));
                }
                return Ok(SettledRoll { table: step.before, roll, results });
            }
            Err(NotExplained::Missing(format!("there is no roll {roll}")))
        })
    }

    /// Returns a Why? card for each result. Empty if the roll decided nothing.
    #[must_use]
    pub fn cards(&self, library: &Library, solver: &mut Solver) -> Vec<WhyCard> {
        let at = (self.table.rules(), self.table.board());
        self.results.iter().map(|one| WhyCard::new(library, solver, at, self.roll, one)).collect()
    }
}
