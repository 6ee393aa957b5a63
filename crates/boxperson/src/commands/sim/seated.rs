//! Reads the strategy and the table that the arguments of `sim` name, and reports mistakes in them.

use super::{Args, Limit};
use crate::failure::Failure;
use crate::library::read_text;
use crate::play::house;
use craps_law::{LawError, Library, Problems, Source};
use craps_sim::language::Mistake;
use craps_sim::seated::{At, Seated, Terms, UnknownStrategy, Unseated, shipped};
use std::path::Path;

/// Reads a strategy file, or finds a built-in strategy by name.
pub(super) fn text(word: &str) -> Result<Source, Failure> {
    let path = Path::new(word);
    if word == "-" || word.ends_with(".strategy") || path.is_file() {
        return read_text(path);
    }
    let shipped = shipped(word).map_err(|unknown| no_such(&unknown))?;
    Ok(Source { path: shipped.source(), text: shipped.text.to_owned() })
}

/// Makes the error for an unknown strategy.
fn no_such(unknown: &UnknownStrategy) -> Failure {
    let list = if unknown.near.is_empty() { ": `boxperson sim --list` lists them all" } else { "" };
    Failure::Usage(format!("{unknown}{list}. To run a strategy file, give its path."))
}

/// Makes the error for mistakes in a strategy, each pointing at its place in the text.
pub(super) fn mistaken(mistakes: &[Mistake], path: &str, text: &str) -> Failure {
    let error = |mistake: &Mistake| {
        let lines = text.split_inclusive('\n');
        let before: usize = lines.clone().take(mistake.line.saturating_sub(1)).map(str::len).sum();
        let line = lines.clone().nth(mistake.line.saturating_sub(1)).unwrap_or_default();
        let bytes = |columns: usize| line.chars().take(columns).map(char::len_utf8).sum::<usize>();
        let first = mistake.column.saturating_sub(1);
        let span = (before + bytes(first), before + bytes(first + mistake.width));
        // The report adds the place itself, so remove it from the message.
        let told = mistake.to_string();
        let place = format!("{}:{}:{}: ", mistake.source, mistake.line, mistake.column);
        LawError {
            path: path.to_owned(),
            span: Some(span),
            line: mistake.line,
            column: mistake.column,
            message: told.strip_prefix(&place).unwrap_or(&told).to_owned(),
        }
    };
    let source = Source { path: path.to_owned(), text: text.to_owned() };
    Failure::in_sources(mistakes.iter().map(error).collect(), &[source])
}

/// Seats a strategy at the table of a house file or of a book.
pub(super) fn seated(
    library: &Library,
    source: &Source,
    named: Option<&str>,
    args: &Args,
) -> Result<Seated, NotSeated> {
    let at = match (&args.house, args.versus_book.as_deref().filter(|other| Some(*other) == named)) {
        (Some(path), None) => At::House(house::named(library, &path.display().to_string())?),
        _ => At::Book { id: named.map(str::to_owned), as_of: args.as_of },
    };
    let limit = |said: Option<Limit>| said.map(|Limit(limit)| limit);
    let terms = Terms {
        throws: args.throws,
        stop: limit(args.stop),
        goal: limit(args.goal),
        buy_in: args.buy_in,
        unit: args.unit,
    };
    Seated::new(library, source, at, &terms).map_err(|unseated| match unseated {
        Unseated::Unlawful(problems) => NotSeated::Unlawful(problems),
        Unseated::Mistaken(mistakes) => mistaken(&mistakes, &source.path, &source.text).into(),
        // These messages begin with `stop` or `goal`, the names of the flags.
        Unseated::Stop(_) | Unseated::Goal(_) => Failure::Usage(format!("--{unseated}")).into(),
        other => Failure::Usage(other.to_string()).into(),
    })
}

/// Why a strategy could not be seated.
pub(super) enum NotSeated {
    Failed(Failure),
    /// The law doesn't allow these house rules.
    Unlawful(Problems),
}

impl From<Failure> for NotSeated {
    fn from(failure: Failure) -> NotSeated {
        NotSeated::Failed(failure)
    }
}

/// Returns the command that repeats this run: the given arguments plus the seed.
pub(super) fn again(seed: u64, args: &Args) -> String {
    let mut words = vec!["boxperson".to_owned()];
    words.extend(std::env::args().skip(1).map(|word| quoted(&word)));
    if args.seed.is_none() {
        words.push(format!("--seed {seed}"));
    }
    words.join(" ")
}

/// Quotes a word for a shell if it needs quotes.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=+,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_that_is_not_there_has_near_names() {
        let told = |word: &str| text(word).map_or_else(|failure| failure.to_string(), |source| source.path);
        assert!(told("moly").starts_with("unknown strategy `moly` (did you mean molly"), "{}", told("moly"));
        assert!(told("moly").ends_with("To run a strategy file, give its path."));
        assert!(told("zzzzzzzzzzz").contains("sim --list"));
    }

    #[test]
    fn a_command_can_be_pasted() {
        assert_eq!(quoted("--seed"), "--seed");
        assert_eq!(quoted("my game.strategy"), "'my game.strategy'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
