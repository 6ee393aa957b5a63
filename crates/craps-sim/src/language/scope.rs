//! What the parser knows while it reads a line, and what it reports when it fails.

use super::mistake::{Wrong, near};
use super::script::{Condition, Held, Variable};
use super::tokens::{Shape, Token};
use craps_notation::talk;
use std::ops::Range;
use winnow::Parser;
use winnow::error::{ErrMode, ParserError};
use winnow::stream::{Stateful, Stream, TokenSlice};

/// The tokens left to read, with the scope.
pub(super) type Tokens<'a> = Stateful<TokenSlice<'a, Token>, Scope<'a>>;

/// What is known while a line is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) text: &'a str,
    pub(super) variables: &'a [Variable],
    /// True if a bet by itself stands for the amount on it. False in orders, where it is the bet that the order is about.
    pub(super) bets_are_amounts: bool,
}

impl Scope<'_> {
    /// Returns the index of the variable, progression or list with this name.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.variables.iter().position(|variable| variable.name == name)
    }

    pub(super) fn is_list(&self, variable: usize) -> bool {
        matches!(self.variables.get(variable).map(|variable| &variable.is), Some(Held::List(_)))
    }
}

/// Where parsing failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lost {
    /// How many tokens were left at that point.
    pub(super) left: usize,
    /// What could have come next, such as "an amount".
    pub(super) wanted: Vec<&'static str>,
    /// The mistake, if it is known exactly.
    pub(super) wrong: Option<Box<Wrong>>,
}

pub(super) type Heard<T> = Result<T, ErrMode<Lost>>;

impl<'a> ParserError<Tokens<'a>> for Lost {
    type Inner = Lost;

    fn from_input(tokens: &Tokens<'a>) -> Lost {
        Lost { left: tokens.eof_offset(), wanted: Vec::new(), wrong: None }
    }

    /// Of two failed alternatives, keeps the one that got further.
    fn or(mut self, other: Lost) -> Lost {
        match self.left.cmp(&other.left) {
            std::cmp::Ordering::Less => self,
            std::cmp::Ordering::Greater => other,
            std::cmp::Ordering::Equal => {
                self.wanted.extend(other.wanted);
                self.wrong = self.wrong.or(other.wrong);
                self
            }
        }
    }

    fn into_inner(self) -> Result<Lost, Lost> {
        Ok(self)
    }
}

/// Fails here, and says what could have come next.
pub(super) fn lost<T>(tokens: &Tokens<'_>, wanted: &'static str) -> Heard<T> {
    Err(ErrMode::Backtrack(Lost { wanted: vec![wanted], ..Lost::from_input(tokens) }))
}

/// Fails with a mistake, because it is clear what was meant.
pub(super) fn wrong<T>(tokens: &Tokens<'_>, wrong: Wrong) -> Heard<T> {
    Err(ErrMode::Cut(Lost { wrong: Some(Box::new(wrong)), ..Lost::from_input(tokens) }))
}

/// Parses one of several phrases: the longest that fits. Phrases are written without apostrophes and hyphens.
pub(super) fn phrase<'a>(list: &'static [&'static str]) -> impl FnMut(&mut Tokens<'a>) -> Heard<()> {
    move |tokens| {
        let fits = |phrase: &&'static str| {
            let mut at = 0;
            let mut words = phrase.split(' ');
            words
                .all(|wanted| {
                    at += 1;
                    tokens.input.get(at - 1).is_some_and(|token| token.is(wanted))
                })
                .then_some(at)
        };
        match list.iter().filter_map(fits).max() {
            Some(length) => {
                tokens.next_slice(length);
                Ok(())
            }
            None => Err(ErrMode::Backtrack(Lost::from_input(tokens))),
        }
    }
}

/// Parses the longest of several phrases and returns its meaning.
pub(super) fn one_of_these<'a, T: Clone>(
    list: &'static [(&'static [&'static str], T)],
) -> impl FnMut(&mut Tokens<'a>) -> Heard<T> {
    move |tokens| {
        let start = tokens.checkpoint();
        let mut best: Option<(usize, &T)> = None;
        let before = tokens.eof_offset();
        for (phrases, meaning) in list {
            let taken = phrase(phrases).parse_next(tokens).is_ok().then(|| before - tokens.eof_offset());
            tokens.reset(&start);
            if let Some(taken) = taken
                && best.is_none_or(|(most, _)| taken > most)
            {
                best = Some((taken, meaning));
            }
        }
        let Some((taken, meaning)) = best else { return Err(ErrMode::Backtrack(Lost::from_input(tokens))) };
        tokens.next_slice(taken);
        Ok(meaning.clone())
    }
}

/// Stands for the end of the line in `wanted`.
const END: &str = "the end";

/// Parses all of these tokens, or returns the mistake in them.
pub(super) fn whole<'a, T>(
    all: &'a [Token],
    scope: Scope<'a>,
    mut reader: impl FnMut(&mut Tokens<'a>) -> Heard<T>,
    after: Range<usize>,
) -> Result<T, Wrong> {
    let mut tokens = Stateful { input: TokenSlice::new(all), state: scope };
    let read = reader(&mut tokens);
    let left = tokens.eof_offset();
    let lost = match read {
        Ok(found) if left == 0 => return Ok(found),
        Ok(_) => Lost { left, wanted: vec![END], wrong: None },
        Err(ErrMode::Backtrack(lost) | ErrMode::Cut(lost)) => lost,
        Err(ErrMode::Incomplete(_)) => Lost { left, wanted: Vec::new(), wrong: None },
    };
    Err(complaint(all, &scope, lost, after))
}

/// Returns the mistake at the place where parsing failed.
fn complaint(all: &[Token], scope: &Scope<'_>, lost: Lost, after: Range<usize>) -> Wrong {
    if let Some(wrong) = lost.wrong {
        return *wrong;
    }
    let at = all.len() - lost.left.min(all.len());
    let unknown = all.iter().skip(at).find(|token| !is_known(token, scope));
    let wanted = wanted(&lost.wanted);
    match (unknown.or_else(|| all.get(at)), unknown) {
        (Some(token), Some(_)) => Wrong::new(token.span.clone(), format!("Unknown word `{}`", said(token, scope)))
            .any_of(nearest(&token.text, scope)),
        (Some(token), None) if lost.wanted.is_empty() => {
            Wrong::new(token.span.clone(), format!("Unexpected `{}`", said(token, scope)))
        }
        (Some(token), None) => {
            Wrong::new(token.span.clone(), format!("Expected {wanted}, found `{}`", said(token, scope)))
        }
        (None, _) => {
            let last = all.last().map_or(after, |token| token.span.clone());
            let words = scope.text.get(last.clone()).unwrap_or_default();
            Wrong::new(last, format!("Expected {wanted} after `{words}`"))
        }
    }
}

/// Lists what could have come next. Mentions the end of the line only if nothing else could.
fn wanted(all: &[&'static str]) -> String {
    let mut kept: Vec<&str> = Vec::new();
    for one in all {
        if *one != END && !kept.contains(one) {
            kept.push(one);
        }
    }
    match kept.split_last() {
        None => "the end of the line".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

fn said<'a>(token: &Token, scope: &Scope<'a>) -> &'a str {
    scope.text.get(token.span.clone()).unwrap_or_default()
}

fn is_known(token: &Token, scope: &Scope<'_>) -> bool {
    let word = token.text.as_str();
    token.shape != Shape::Word || WORDS.contains(&word) || scope.variable(word).is_some() || talk::knows(word)
}

/// Returns the known words that are nearest to an unknown one.
pub(super) fn nearest(word: &str, scope: &Scope<'_>) -> Vec<String> {
    let variables = scope.variables.iter().map(|variable| variable.name.as_str());
    let own = near(word, WORDS.iter().copied().chain(variables));
    let all = own.into_iter().chain(talk::near(word));
    let mut all: Vec<(usize, &str)> = all.map(|near| (strsim::damerau_levenshtein(word, near), near)).collect();
    all.sort_by_key(|(distance, _)| *distance);
    let mut found: Vec<String> = Vec::new();
    for (_, near) in all {
        if found.len() < 3 && !found.iter().any(|known| known == near) {
            found.push(near.to_owned());
        }
    }
    found
}

/// Words of conditions and amounts, besides those of rail talk and the strategy's own names.
pub(super) const WORDS: &[&str] = &[
    "unit", "units", "buy", "in", "rail", "net", "peak", "throws", "hands", "shooter", "shooters", "points", "bets",
    "this", "wins", "losses", "row", "amount", "number", "win", "its", "bet", "rounded", "up", "down", "nearest",
    "but", "least", "most", "and", "or", "not", "is", "are", "was", "were", "thrown", "rolled", "came", "coming",
    "come", "out", "point", "puck", "on", "off", "new", "won", "lost", "stands", "stand", "hit", "loses", "more",
    "less", "fewer", "than", "under", "over", "above", "below", "set", "to", "so", "far", "always", "made", "no",
    "throw", "does", "equals", "any", "of", "at", "it", "last", "step", "has", "been", "with", "from", "by", "odd",
];

/// Returns true if the word already has a meaning, so that it can't be a name.
pub(super) fn is_taken(word: &str) -> bool {
    WORDS.contains(&word) || talk::knows(word)
}

/// Returns the bets that a condition is about, which `it` stands for.
pub(super) fn spoken_of(condition: &Condition) -> Option<(&[super::script::Names], super::script::Fate)> {
    match condition {
        Condition::Fate(names, fate) => Some((names, *fate)),
        Condition::All(all) => {
            let mut found = all.iter().filter_map(spoken_of);
            found.next().filter(|_| found.next().is_none())
        }
        _ => None,
    }
}
