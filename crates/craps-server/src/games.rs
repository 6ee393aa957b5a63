//! Games in the notation, checked and explained, as data: for the command line and for whoever asks over HTTP.

use crate::why::Card;
use craps_law::{Cites, Library, Source};
use craps_notation::{HouseFiles, Malformed, Names, Place, Played, Unplayable, play, read};
use craps_odds::Solver;
use craps_table::Layout;
use serde::Serialize;

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
    let difference = |place: Place, roll, expected: &str, found: String, cites: &Cites| Difference {
        file: source.path.clone(),
        line: place.line,
        column: place.column,
        roll,
        expected: expected.to_owned(),
        found,
        cite: cites.to_string(),
    };
    match played(library, &source.text, Names::Codes, houses) {
        Ok(games) => {
            let all = games.iter().flat_map(|game| &game.differences);
            Ok(all.map(|one| difference(one.place, one.roll, &one.expected, one.found.clone(), &one.cites)).collect())
        }
        Err(Unplayable::Unlawful(place, problems)) => {
            let problem = |problem: &craps_law::Problem| {
                let found = format!("{}: {}", problem.path, problem.message);
                difference(place, None, "a lawful house", found, &problem.cites)
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

/// The Why? cards of a roll of one of these games, counted from one; none where the roll decided nothing.
///
/// # Errors
/// When there is no such game, roll or result.
pub fn cards(
    library: &Library,
    solver: &mut Solver,
    games: &[Played],
    game: usize,
    which: Which,
) -> Result<Vec<Card>, String> {
    let playable: Vec<_> = games.iter().filter_map(|game| Some((game, game.rules.as_ref()?))).collect();
    let (game, rules) = game
        .checked_sub(1)
        .and_then(|at| playable.get(at))
        .ok_or_else(|| format!("there are {} games", playable.len()))?;
    let Which { roll, result } = which;
    let settled = game.settlements.get(&roll).ok_or_else(|| format!("there is no roll {roll}"))?;
    let chosen = match result {
        Some(at) => {
            let one = at.checked_sub(1).and_then(|at| settled.get(at));
            std::slice::from_ref(one.ok_or_else(|| format!("roll {roll} has {} results", settled.len()))?)
        }
        None => settled,
    };
    let layout = Layout::new(rules).map_err(|_| "this house offers more bets than a layout holds".to_owned())?;
    Ok(chosen.iter().map(|one| Card::new(library, solver, (rules, &layout), roll, one)).collect())
}
