//! Builds the question when a line is not understood. Every suggestion is an order that the parser understands.

use super::hearing::{END, Lost};
use super::order::{AskBack, AskKind};
use super::parse::read;
use super::phrasebook::{bet_named, names};
use super::words::{Shape, Word, words};
use std::ops::Range;

/// Maximum number of suggestions.
const MOST: usize = 3;

/// Builds the question about a line.
pub(super) fn asked(text: &str, all: &[Word], lost: Lost) -> AskBack {
    let at = all.len() - lost.left.min(all.len());
    if let Some(question) = lost.ask {
        let last = (at + question.words).min(all.len()).max(at + 1) - 1;
        let span = place(all, at).start..place(all, last).end;
        let order = order_around(text, all, at);
        let tries = question.instead.iter().map(|words| spliced(text, &order, &span, words));
        let suggestions = understood(tries);
        return AskBack {
            kind: AskKind::Unclear,
            word: text[span.clone()].to_owned(),
            span,
            message: question.message,
            suggestions: or_help(suggestions),
        };
    }
    // Point at an unknown word, even if the parser failed before it.
    let mut rest = all.iter().enumerate().skip(at).take_while(|(_, word)| !word.is_break());
    let unknown = rest.find(|(_, word)| !is_known(word)).map(|(at, _)| at);
    // If the order ended too early, point at its last word.
    let ended = all.get(at).is_none_or(|word| word.is_break() || word.text == ",");
    let pointed = unknown.unwrap_or(if ended { at.saturating_sub(1) } else { at });
    let (span, order) = (place(all, pointed), order_around(text, all, pointed));
    let (word, said) = (text[span.clone()].to_owned(), text[order.clone()].trim());
    let before = text[order.start..span.start].trim();
    let kind = if unknown.is_none() && ended { AskKind::Incomplete } else { AskKind::NotUnderstood };
    let message = match (unknown, ended) {
        (Some(_), _) => format!("I didn't get \"{word}\""),
        (None, true) => format!("\"{said}\": {} is missing", wanted(&lost.wanted)),
        (None, false) if lost.wanted.contains(&END) => {
            format!("\"{word}\" doesn't fit after \"{before}\". Put a ; between two orders")
        }
        (None, false) => format!("I didn't get \"{word}\" here. I expected {}", wanted(&lost.wanted)),
    };
    let mut tries: Vec<String> = Vec::new();
    if unknown.is_some() {
        tries.extend(near(&word).into_iter().map(|near| spliced(text, &order, &span, near)));
        tries.extend(before.contains(' ').then(|| before.to_owned()));
        if !word.contains(char::is_alphanumeric) {
            tries.push(spliced(text, &order, &span, ""));
        }
    } else if ended {
        if let Some(last) = pointed.checked_sub(1) {
            let between = place(all, last).end..span.start;
            tries.push(spliced(text, &order, &between, " on the "));
        }
        let completed = |alike: &&[&str]| understood(alike.iter().map(|more| format!("{said} {more}")));
        tries.extend(COMPLETIONS.iter().map(completed).find(|whole| !whole.is_empty()).unwrap_or_default());
    } else {
        tries.push(spliced(text, &order, &(span.start..span.start), "; "));
        tries.push(format!("5 {said}"));
        tries.push(spliced(text, &order, &span, ""));
        tries.extend(before.contains(' ').then(|| before.to_owned()));
    }
    AskBack { kind, suggestions: or_help(understood(tries.into_iter())), span, word, message }
}

/// What may be missing at the end of an order, most likely first.
const COMPLETIONS: [&[&str]; 4] =
    [&["for 5", "on the pass line"], &["six"], &["six for 5"], &["up", "off", "to the eight"]];

fn place(all: &[Word], at: usize) -> Range<usize> {
    all.get(at).or(all.last()).map_or(0..0, |word| word.span.clone())
}

/// Returns the range of the order around a word, between the marks that end orders.
fn order_around(text: &str, all: &[Word], at: usize) -> Range<usize> {
    let at = at.min(all.len());
    let before = all[..at].iter().rfind(|word| word.is_break()).map_or(0, |word| word.span.end);
    let after = all[at..].iter().find(|word| word.is_break()).map_or(text.len(), |word| word.span.start);
    before..after.max(before)
}

/// Returns the order with the words in `span` replaced.
fn spliced(text: &str, order: &Range<usize>, span: &Range<usize>, words: &str) -> String {
    let before = text.get(order.start..span.start).unwrap_or_default();
    let after = text.get(span.end..order.end).unwrap_or_default();
    let whole = format!("{before}{words}{after}");
    whole.split_whitespace().collect::<Vec<_>>().join(" ").replace(" ;", ";")
}

fn understood(tries: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for text in tries {
        if kept.len() < MOST && !kept.contains(&text) && read(&words(&text)).is_ok_and(|orders| !orders.is_empty()) {
            kept.push(text);
        }
    }
    kept
}

fn or_help(suggestions: Vec<String>) -> Vec<String> {
    if suggestions.is_empty() { vec!["help".to_owned()] } else { suggestions }
}

fn is_known(word: &Word) -> bool {
    let mark = matches!(word.text.as_str(), "," | "?");
    word.shape != Shape::Letters
        || mark
        || names().vocabulary.contains_key(&word.text)
        || bet_named(&word.text).is_some()
}

/// Returns true if it is a word of rail talk. A grammar with its own words uses this to avoid clashes.
///
/// ```
/// use craps_notation::talk::knows;
/// assert!(knows("press") && !knows("sixx"));
/// ```
#[must_use]
pub fn knows(word: &str) -> bool {
    words(word).iter().all(is_known)
}

/// Returns words of rail talk that are spelled almost like this one, closest first.
///
/// ```
/// use craps_notation::talk::near;
/// assert!(near("feild").contains(&"field"));
/// ```
#[must_use]
pub fn near(word: &str) -> Vec<&'static str> {
    let word = word.to_lowercase();
    if !(3..=24).contains(&word.chars().count()) {
        return Vec::new();
    }
    let allowed = (word.chars().count() / 3).max(1);
    let mut found: Vec<(usize, &str)> = names()
        .vocabulary
        .values()
        .filter(|known| known.len().abs_diff(word.len()) <= allowed)
        .map(|known| (strsim::damerau_levenshtein(&word, known), known.as_str()))
        .filter(|(distance, _)| (1..=allowed).contains(distance))
        .collect();
    found.sort();
    found.into_iter().map(|(_, known)| known).take(8).collect()
}

/// Lists what could have come next.
fn wanted(wanted: &[&str]) -> String {
    match wanted.split_last() {
        None => "something else".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}
