//! Basic parsers for words and phrases, and the error that says where the words stop making sense.

use super::lexicon::{self as lex, Phrases};
use super::phrasebook::Phrasebook;
use super::words::{Word, Words, spelled};
use winnow::Parser;
use winnow::combinator::{opt, peek, repeat};
use winnow::error::{ErrMode, ParserError};
use winnow::stream::Stream;

/// Where the words stopped making sense.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lost {
    /// Number of words left at that place.
    pub(super) left: usize,
    /// What could have come next, such as "an amount".
    pub(super) wanted: Vec<&'static str>,
    /// The question to ask the player, if it is already known.
    pub(super) ask: Option<Box<Question>>,
}

/// A question about the words: how many words it points at, what it asks, and what could be said in their place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Question {
    pub(super) words: usize,
    pub(super) message: String,
    pub(super) instead: Vec<String>,
}

pub(super) type Heard<T> = Result<T, ErrMode<Lost>>;

impl<'a> ParserError<Words<'a>> for Lost {
    type Inner = Lost;

    fn from_input(words: &Words<'a>) -> Lost {
        Lost { left: words.len(), wanted: Vec::new(), ask: None }
    }

    /// Of two failed parses, keeps the one that got further.
    fn or(mut self, other: Lost) -> Lost {
        match self.left.cmp(&other.left) {
            std::cmp::Ordering::Less => self,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => {
                for wanted in other.wanted {
                    if !self.wanted.contains(&wanted) {
                        self.wanted.push(wanted);
                    }
                }
                self
            }
        }
    }

    fn into_inner(self) -> Result<Lost, Lost> {
        Ok(self)
    }
}

/// Fails here, and notes what could have come next.
pub(super) fn lost<T>(words: &Words<'_>, wanted: &'static str) -> Heard<T> {
    Err(ErrMode::Backtrack(Lost { wanted: vec![wanted], ..Lost::from_input(words) }))
}

/// Fails with a question, and stops other parsers from being tried. The question points at the words read since `left` words were left.
pub(super) fn ask<T>(words: &Words<'_>, left: usize, message: String, instead: Vec<String>) -> Heard<T> {
    let question = Question { words: left.saturating_sub(words.len()).max(1), message, instead };
    Err(ErrMode::Cut(Lost { left, wanted: Vec::new(), ask: Some(Box::new(question)) }))
}

/// Reads one of several phrases: the longest that fits.
pub(super) fn phrase<'a>(list: Phrases) -> impl FnMut(&mut Words<'a>) -> Heard<&'a [Word]> {
    move |words| {
        let fits = |phrase: &&'static str| {
            let mut at = 0;
            phrase
                .split([' ', '-'])
                .all(|wanted| {
                    at += 1;
                    words.get(at - 1).is_some_and(|word| is(word, wanted))
                })
                .then_some(at)
        };
        match list.iter().filter_map(fits).max() {
            Some(length) => Ok(words.next_slice(length)),
            None => Err(ErrMode::Backtrack(Lost::from_input(words))),
        }
    }
}

/// Returns true if it is that word, with or without apostrophe, or the same number in digits or letters.
fn is(word: &Word, wanted: &str) -> bool {
    let letters = wanted.chars().filter(|c| *c != '\'').flat_map(char::to_lowercase);
    letters.eq(word.text.chars()) || spelled(wanted).is_some_and(|number| word.number() == Some(number))
}

/// Reads a phrase of a phrasebook and returns its meaning.
pub(super) fn meaning<'a, T: Clone>(book: &'static Phrasebook<T>) -> impl FnMut(&mut Words<'a>) -> Heard<T> {
    move |words| match book.longest(words) {
        Some((length, meaning)) => {
            words.next_slice(length);
            Ok(meaning)
        }
        None => Err(ErrMode::Backtrack(Lost::from_input(words))),
    }
}

/// Reads a phrase of a short list and returns its meaning.
pub(super) fn one_of_these<'a, T: Clone>(list: &'static [(&'static str, T)]) -> impl FnMut(&mut Words<'a>) -> Heard<T> {
    move |words| {
        let start = words.checkpoint();
        let mut best: Option<(usize, &T)> = None;
        for entry in list {
            let taken = phrase(std::slice::from_ref(&entry.0))(words).map(<[Word]>::len);
            words.reset(&start);
            if let Ok(taken) = taken
                && best.is_none_or(|(most, _)| taken > most)
            {
                best = Some((taken, &entry.1));
            }
        }
        let Some((taken, meaning)) = best else { return Err(ErrMode::Backtrack(Lost::from_input(words))) };
        words.next_slice(taken);
        Ok(meaning.clone())
    }
}

/// Skips any number of these phrases.
pub(super) fn skip<'a>(list: Phrases) -> impl FnMut(&mut Words<'a>) -> Heard<()> {
    move |words| repeat::<_, _, (), _, _>(0.., phrase(list).void()).parse_next(words)
}

/// Marks in [`Lost::wanted`] that the order should have ended here.
pub(super) const END: &str = "the end of the order";

/// Succeeds at the end of an order. Reads at most a question mark.
pub(super) fn end(words: &mut Words<'_>) -> Heard<()> {
    opt(phrase(&["?"])).parse_next(words)?;
    if words.is_empty() || peek(phrase(lex::THEN)).parse_next(words).is_ok() { Ok(()) } else { lost(words, END) }
}
