//! `boxperson check`, `fill` and `why`: check, fill in and explain games in the notation.

use crate::failure::Failure;
use crate::library::read_text;
use crate::output::{self, Format};
use craps_explain::games::{self, GameCheck, GameDifference, GameOf, NotExplained, RollNumber, SettledRoll};
use craps_law::{LawError, Library, Source};
use craps_notation::{Names, NoHouseFile, Place, Unplayable};
use craps_odds::Solver;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Arguments of `boxperson check`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  boxperson check game.cgn\n  boxperson check rulebooks/*/vectors/*.cgn\n  cat game.cgn | boxperson check - --format json\n\nA roll without its second bar is not checked. The exit code is 1 if the file differs from the law or its house is unlawful."
)]
pub(crate) struct CheckArgs {
    /// Game files, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Output format
    #[arg(long, value_enum, default_value = "table")]
    format: Format,
}

/// Arguments of `boxperson fill`.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  boxperson fill game.cgn\n  boxperson fill - --slugs < bets-and-dice.cgn")]
pub(crate) struct FillArgs {
    /// Game file, or - for standard input
    file: PathBuf,
    /// Write bets by slug (`place-win-6`) instead of code (`PL6`)
    #[arg(long)]
    slugs: bool,
}

/// Arguments of `boxperson why`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  boxperson why game.cgn 3      every result of roll 3\n  boxperson why game.cgn 3.2    its second result, in the order of `fill`"
)]
pub(crate) struct WhyArgs {
    /// Game file, or - for standard input
    file: PathBuf,
    /// Roll number, or roll and result
    #[arg(value_name = "ROLL[.N]")]
    roll: String,
    /// Number of the game in the file, from 1
    #[arg(long, default_value_t = 1)]
    game: usize,
}

/// Makes the error for a mistake in a game file, pointing at its place.
fn malformed(source: &Source, place: Place, message: String) -> Failure {
    let before = source.text.split_inclusive('\n').take(place.line.saturating_sub(1));
    let start = before.map(str::len).sum::<usize>();
    let line = source.text.lines().nth(place.line.saturating_sub(1)).unwrap_or("");
    let column: usize = line.chars().take(place.column.saturating_sub(1)).map(char::len_utf8).sum();
    let at = (start + column).min(source.text.len());
    let error =
        LawError { path: source.path.clone(), span: Some((at, at)), line: place.line, column: place.column, message };
    Failure::in_sources(vec![error], std::slice::from_ref(source))
}

/// Reads house files from the folder of the game file.
fn beside(path: &Path) -> impl Fn(&str) -> Result<Source, NoHouseFile> {
    let folder = path.parent().unwrap_or(Path::new("."));
    |name| read_text(&folder.join(name)).map_err(|failure| NoHouseFile(failure.to_string()))
}

/// Runs `check`.
pub(crate) fn check(library: &Library, args: &CheckArgs) -> Result<ExitCode, Failure> {
    let mut differences = Vec::new();
    for path in &args.files {
        let source = read_text(path)?;
        let found = games::check(library, &source, &beside(path));
        differences.extend(found.map_err(|(place, message)| malformed(&source, place, message))?);
    }
    let code = if differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if args.format == Format::Json {
        output::write_json(&GameCheck { differences })?;
        return Ok(code);
    }
    let line = |one: &GameDifference| {
        let cite = if one.cite.is_empty() { String::new() } else { format!(" [{}]", one.cite) };
        format!("{}:{}:{}: expected {}, found {}{cite}\n", one.file, one.line, one.column, one.expected, one.found)
    };
    output::write(&differences.iter().map(line).collect::<String>())?;
    Ok(code)
}

/// Runs `fill`.
pub(crate) fn fill(library: &Library, args: &FillArgs) -> Result<ExitCode, Failure> {
    let source = read_text(&args.file)?;
    let names = if args.slugs { Names::Slugs } else { Names::Codes };
    match games::played(library, &source.text, names, &beside(&args.file)) {
        Ok(games) => {
            for refused in games.iter().flat_map(|game| &game.refused) {
                let Place { line, column } = refused.place;
                output::remark(&format!("{}:{line}:{column}: {}: {}", source.path, refused.what, refused.refusal));
            }
            output::write(&games.iter().map(|game| game.filled.as_str()).collect::<String>())
        }
        Err(Unplayable::Unlawful(place, problems)) => {
            for problem in problems {
                output::remark(&format!("{}:{}:{}: {problem}", source.path, place.line, place.column));
            }
            Ok(ExitCode::FAILURE)
        }
        Err(Unplayable::Malformed(place, message)) => Err(malformed(&source, place, message)),
    }
}

/// Runs `why`.
pub(crate) fn why(library: &Library, args: &WhyArgs) -> Result<ExitCode, Failure> {
    let source = read_text(&args.file)?;
    let which: RollNumber = args.roll.parse().map_err(|error: games::NotARoll| Failure::Usage(error.to_string()))?;
    let houses = beside(&args.file);
    let asked = GameOf { text: &source.text, game: args.game, houses: &houses, other: None };
    let settled = SettledRoll::new(library, asked, which).map_err(|error| match error {
        NotExplained::Missing(message) => Failure::Usage(format!("{}: {message}", source.path)),
        error @ NotExplained::TooLong { .. } => Failure::Usage(format!("{}: {error}", source.path)),
        NotExplained::Unplayable(Unplayable::Malformed(place, message)) => malformed(&source, place, message),
        NotExplained::Unplayable(Unplayable::Unlawful(..)) => {
            Failure::Usage(format!("{}: this house is unlawful; `boxperson check` says why", source.path))
        }
    })?;
    let cards = settled.cards(library, &mut Solver::default());
    if cards.is_empty() {
        return output::write(&format!("Roll {} decided no bets.\n", which.roll));
    }
    output::write(&cards.iter().map(output::why).collect::<Vec<_>>().join("\n"))
}
