//! `boxperson check`, `fill` and `why`: games in the notation, checked, filled in and explained.

use crate::failure::Failure;
use crate::library::read_text;
use crate::output::{self, Format};
use crate::why::card;
use craps_law::{Cites, LawError, Library, Source};
use craps_notation::{Explained, Malformed, Names, Place, Played, Unplayable, play, read};
use craps_table::Layout;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `boxperson check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  boxperson check game.cgn\n  boxperson check rulebooks/*/vectors/*.cgn\n  cat game.cgn | boxperson check - --format json\n\nA roll without its second bar asserts nothing. Exit code 1 where the file says other than the law, or its house is unlawful."
)]
pub(crate) struct CheckArgs {
    /// Files of games, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Arguments of `boxperson fill`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  boxperson fill game.cgn\n  boxperson fill - --slugs < bets-and-dice.cgn")]
pub(crate) struct FillArgs {
    /// A file of games, or - for standard input
    file: PathBuf,
    /// Name bets by slug instead of code
    #[arg(long)]
    slugs: bool,
}

/// Arguments of `boxperson why`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  boxperson why game.cgn 3      every result of roll 3\n  boxperson why game.cgn 3.2    the second one, as `fill` prints them"
)]
pub(crate) struct WhyArgs {
    /// A file of games, or - for standard input
    file: PathBuf,
    /// A roll, or one result of it
    #[arg(value_name = "ROLL[.N]")]
    roll: String,
    /// Which game of the file, from 1
    #[arg(long, default_value_t = 1)]
    game: usize,
}

#[derive(Serialize)]
struct DifferenceView {
    file: String,
    line: usize,
    column: usize,
    roll: Option<u32>,
    expected: String,
    found: String,
    cite: String,
}

#[derive(Serialize)]
struct CheckView {
    differences: Vec<DifferenceView>,
}

/// A mistake in a game, drawn like a mistake in a book.
fn malformed(source: &Source, place: Place, message: String) -> Failure {
    let start = source.text.lines().take(place.line.saturating_sub(1)).map(|line| line.len() + 1).sum::<usize>();
    let line = source.text.lines().nth(place.line.saturating_sub(1)).unwrap_or("");
    let column: usize = line.chars().take(place.column.saturating_sub(1)).map(char::len_utf8).sum();
    let at = (start + column).min(source.text.len());
    let error =
        LawError { path: source.path.clone(), span: Some((at, at)), line: place.line, column: place.column, message };
    Failure::in_sources(vec![error], std::slice::from_ref(source))
}

/// What a file came to: its games, or the problems of a house.
enum File {
    Played(Vec<Played>),
    Unlawful(Place, Vec<craps_law::Problem>),
}

fn games(library: &Library, source: &Source, path: &Path, names: Names) -> Result<File, Failure> {
    let read = read(&source.text).map_err(|Malformed { place, message }| malformed(source, place, message))?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let houses = |name: &str| read_text(&folder.join(name)).map_err(|failure| failure.to_string());
    match play(library, &read, names, &houses) {
        Ok(played) => Ok(File::Played(played)),
        Err(Unplayable::Unlawful(place, problems)) => Ok(File::Unlawful(place, problems)),
        Err(Unplayable::Malformed(place, message)) => Err(malformed(source, place, message)),
    }
}

/// Runs `check`.
pub(crate) fn check(library: &Library, args: &CheckArgs) -> Result<ExitCode, Failure> {
    let mut views = Vec::new();
    for path in &args.files {
        let source = read_text(path)?;
        let view = |place: Place, roll, expected: &str, found: &str, cites: &Cites| DifferenceView {
            file: source.path.clone(),
            line: place.line,
            column: place.column,
            roll,
            expected: expected.to_owned(),
            found: found.to_owned(),
            cite: cites.to_string(),
        };
        match games(library, &source, path, Names::Codes)? {
            File::Played(games) => {
                for difference in games.iter().flat_map(|game| &game.differences) {
                    views.push(view(
                        difference.place,
                        difference.roll,
                        &difference.expected,
                        &difference.found,
                        &difference.cites,
                    ));
                }
            }
            File::Unlawful(place, problems) => {
                for problem in problems {
                    views.push(view(
                        place,
                        None,
                        "a lawful house",
                        &format!("{}: {}", problem.path, problem.message),
                        &problem.cites,
                    ));
                }
            }
        }
    }
    let code = if views.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if args.format == Format::Json {
        output::write_json(&CheckView { differences: views })?;
        return Ok(code);
    }
    let line = |view: &DifferenceView| {
        let cite = if view.cite.is_empty() { String::new() } else { format!(" [{}]", view.cite) };
        format!("{}:{}:{}: expected {}, found {}{cite}\n", view.file, view.line, view.column, view.expected, view.found)
    };
    output::write(&views.iter().map(line).collect::<String>())?;
    Ok(code)
}

/// Runs `fill`.
pub(crate) fn fill(library: &Library, args: &FillArgs) -> Result<ExitCode, Failure> {
    let source = read_text(&args.file)?;
    let names = if args.slugs { Names::Slugs } else { Names::Codes };
    match games(library, &source, &args.file, names)? {
        File::Played(games) => {
            for refused in games.iter().flat_map(|game| &game.refused) {
                let Place { line, column } = refused.place;
                output::remark(&format!("{}:{line}:{column}: {}: {}", source.path, refused.what, refused.refusal));
            }
            output::write(&games.iter().map(|game| game.filled.as_str()).collect::<String>())
        }
        File::Unlawful(place, problems) => {
            for problem in problems {
                output::remark(&format!("{}:{}:{}: {problem}", source.path, place.line, place.column));
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

/// Runs `why`.
pub(crate) fn why(library: &Library, args: &WhyArgs) -> Result<ExitCode, Failure> {
    let source = read_text(&args.file)?;
    let wrong = || Failure::Usage(format!("expected a roll such as 3 or 3.2, found `{}`", args.roll));
    let (roll, result) = match args.roll.split_once('.') {
        Some((roll, result)) => (
            roll.parse::<u32>().map_err(|_| wrong())?,
            Some(result.parse::<usize>().ok().filter(|n| *n > 0).ok_or_else(wrong)?),
        ),
        None => (args.roll.parse::<u32>().map_err(|_| wrong())?, None),
    };
    let File::Played(games) = games(library, &source, &args.file, Names::Codes)? else {
        return Err(Failure::Usage(format!("{}: the house is unlawful; `boxperson check` says why", source.path)));
    };
    let playable: Vec<&Played> = games.iter().filter(|game| game.rules.is_some()).collect();
    let game = args
        .game
        .checked_sub(1)
        .and_then(|at| playable.get(at))
        .ok_or_else(|| Failure::Usage(format!("{}: there are {} games", source.path, playable.len())))?;
    let settled = game
        .settlements
        .get(&roll)
        .ok_or_else(|| Failure::Usage(format!("{}: there is no roll {roll}", source.path)))?;
    let chosen: Vec<&Explained> =
        match result {
            Some(at) => vec![settled.get(at - 1).ok_or_else(|| {
                Failure::Usage(format!("{}: roll {roll} has {} results", source.path, settled.len()))
            })?],
            None => settled.iter().collect(),
        };
    let Some(rules) = &game.rules else { return Err(wrong()) };
    let layout =
        Layout::new(rules).map_err(|_| Failure::Usage("this house offers more bets than a layout holds".to_owned()))?;
    if chosen.is_empty() {
        return output::write(&format!("Roll {roll} decided nothing.\n"));
    }
    let cards: Vec<String> = chosen.iter().map(|one| card(library, rules, &layout, roll, one)).collect();
    output::write(&cards.join("\n"))
}
