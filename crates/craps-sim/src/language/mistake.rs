//! Mistakes in a strategy: where they are, what is wrong, and what to write instead.

use std::fmt;
use std::ops::Range;

/// One mistake in a strategy.
///
/// ```
/// use craps_sim::language::Script;
/// let mistakes = Script::read("mine.strategy", "strategy Mine\nbuy-in 100\nunit 5\nalways\n    feild for unit\n").unwrap_err();
/// assert_eq!(mistakes[0].to_string(), "mine.strategy:5:5: I didn't get \"feild\". Did you mean `field for unit`?");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Name of the text, as the caller gave it.
    pub source: String,
    /// Line number, starting at 1.
    pub line: usize,
    /// Column in characters, starting at 1.
    pub column: usize,
    /// Length of the mistake in characters.
    pub width: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead, the most likely first.
    pub suggestions: Vec<String>,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.source, self.line, self.column, self.message)?;
        let Some((last, others)) = self.suggestions.split_last() else { return Ok(()) };
        let mark = if self.message.ends_with('?') { "" } else { "." };
        match others {
            [] => write!(f, "{mark} Did you mean `{last}`?"),
            _ => write!(f, "{mark} Did you mean `{}` or `{last}`?", others.join("`, `")),
        }
    }
}

impl std::error::Error for Mistake {}

/// All mistakes in a strategy, in the order of its lines.
pub type Mistakes = craps_law::Errors<Mistake>;

/// A mistake in a range of bytes, before its line is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) span: Range<usize>,
    pub(super) message: String,
    pub(super) suggestions: Vec<String>,
}

impl Wrong {
    pub(super) fn new(span: Range<usize>, message: impl Into<String>) -> Wrong {
        Wrong { span, message: message.into(), suggestions: Vec::new() }
    }

    pub(super) fn or(mut self, suggestion: impl Into<String>) -> Wrong {
        self.suggestions.push(suggestion.into());
        self
    }

    pub(super) fn any_of(mut self, suggestions: Vec<String>) -> Wrong {
        self.suggestions.extend(suggestions);
        self
    }

    /// Adds the line and column.
    pub(super) fn placed(self, source: &str, text: &str) -> Mistake {
        let before = text.get(..self.span.start).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        Mistake {
            source: source.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[start..].chars().count() + 1,
            width: text.get(self.span).map_or(1, |words| words.chars().count().max(1)),
            message: self.message,
            suggestions: self.suggestions,
        }
    }
}

/// Returns the words of a list that are similar to this one, the nearest first.
pub(super) fn near<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let length = word.chars().count();
    if !(3..=24).contains(&length) {
        return Vec::new();
    }
    let allowed = (length / 3).max(1);
    let mut found: Vec<(usize, &str)> = known
        .into_iter()
        .filter(|known| known.len().abs_diff(word.len()) <= allowed)
        .map(|known| (strsim::damerau_levenshtein(word, known), known))
        .filter(|(distance, _)| (1..=allowed).contains(distance))
        .collect();
    found.sort();
    found.dedup();
    found.into_iter().map(|(_, known)| known).collect()
}
