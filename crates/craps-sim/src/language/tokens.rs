//! Splits a line of a strategy into words, numbers and signs, each with its position. Any text can be split; errors come later.

use std::ops::Range;
use winnow::Parser;
use winnow::combinator::{alt, eof, opt, repeat, terminated};
use winnow::stream::LocatingSlice;
use winnow::token::{any, one_of, take_while};

/// One word, number or sign.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Range in the text, in bytes.
    pub(super) span: Range<usize>,
    /// In lower case and without apostrophes.
    pub(super) text: String,
    pub(super) shape: Shape,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    Word,
    /// A number in digits, in hundredths.
    Number(i64),
    Sign,
}

impl Token {
    pub(super) fn is(&self, text: &str) -> bool {
        self.text == text
    }

    /// Returns the number in hundredths, whether in digits or spelled out.
    pub(super) fn number(&self) -> Option<i64> {
        match self.shape {
            Shape::Number(number) => Some(number),
            Shape::Word => SPELT.iter().position(|word| *word == self.text).and_then(hundredths),
            Shape::Sign => None,
        }
    }
}

fn hundredths(number: usize) -> Option<i64> {
    i64::try_from(number).ok()?.checked_mul(100)
}

/// Numbers that people write as words.
const SPELT: [&str; 13] =
    ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];

type Line<'a> = LocatingSlice<&'a str>;
type Read<T> = Result<T, winnow::error::EmptyError>;

/// Returns the tokens of a part of a text.
pub(super) fn tokens(text: &str, part: Range<usize>) -> Vec<Token> {
    let start = part.start;
    let line = text.get(part).unwrap_or_default();
    let blank = take_while(1.., char::is_whitespace).value(None);
    let token = alt((blank, number(line).map(Some), word.map(Some), hyphen(line), sign.map(Some)));
    let all = repeat(0.., token).fold(Vec::new, |mut all: Vec<Token>, token| {
        all.extend(token);
        all
    });
    let mut all = terminated(all, eof).parse(LocatingSlice::new(line)).unwrap_or_default();
    for token in &mut all {
        token.span = token.span.start + start..token.span.end + start;
    }
    all
}

/// Digits, with an optional dollar sign and cents. Digits followed by letters (`3x`, `2k`) are a word.
fn number<'a>(whole: &'a str) -> impl FnMut(&mut Line<'a>) -> Read<Token> {
    move |line| {
        let figures = || take_while(1.., |c: char| c.is_ascii_digit());
        let cents = ('.', take_while(1..=2, |c: char| c.is_ascii_digit())).map(|(_, cents)| cents);
        let rest = take_while(0.., |c: char| c.is_alphanumeric() || c == '_');
        let ((_, units, cents, rest), span) = (opt('$'), figures(), opt(cents), rest).with_span().parse_next(line)?;
        let tens = |cents: &str| cents.parse::<i64>().ok().map(|n| if cents.len() == 1 { n * 10 } else { n });
        let cents = cents.map_or(Some(0), tens);
        let value = units.parse::<i64>().ok().and_then(|units| units.checked_mul(100)?.checked_add(cents?));
        let shape = match value {
            Some(value) if rest.is_empty() => Shape::Number(value),
            _ => Shape::Word,
        };
        Ok(Token { text: whole.get(span.clone()).unwrap_or_default().to_lowercase(), span, shape })
    }
}

fn word(line: &mut Line<'_>) -> Read<Token> {
    let inner = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '_');
    let (run, span) = (one_of(move |c: char| inner(c)), take_while(0.., inner)).take().with_span().parse_next(line)?;
    let text = run.to_lowercase().chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    Ok(Token { span, text, shape: Shape::Word })
}

/// A hyphen inside words separates them and is no token itself: `come-out`, `place-win-6`.
fn hyphen<'a>(whole: &'a str) -> impl FnMut(&mut Line<'a>) -> Read<Option<Token>> {
    move |line| {
        let (sign, span) = '-'.with_span().parse_next(line)?;
        let before = whole.get(..span.start).and_then(|text| text.chars().next_back());
        let after = whole.get(span.end..).and_then(|text| text.chars().next());
        let joins = before.is_some_and(char::is_alphabetic) && after.is_some_and(char::is_alphanumeric);
        Ok((!joins).then(|| Token { span, text: sign.to_string(), shape: Shape::Sign }))
    }
}

fn sign(line: &mut Line<'_>) -> Read<Token> {
    let (sign, span) = alt(("<=", ">=", "==", "!=", any.take())).with_span().parse_next(line)?;
    let text = if sign == "==" { "=" } else { sign };
    Ok(Token { span, text: text.to_owned(), shape: Shape::Sign })
}

/// A line with content: its indentation, and its range without blanks and comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    pub(super) indent: usize,
    pub(super) span: Range<usize>,
}

/// Returns a line without its comment. A comment runs from a `#` at the start or after a blank to the end of the line.
pub(crate) fn uncommented(line: &str) -> &str {
    let hash = |(at, _): &(usize, &str)| line[..*at].chars().next_back().is_none_or(char::is_whitespace);
    line.match_indices('#').find(hash).map_or(line, |(at, _)| &line[..at])
}

/// Returns the lines of a text that have content, without comments.
pub(super) fn lines(text: &str) -> Vec<Written> {
    let mut all = Vec::new();
    let mut start = 0;
    for line in text.split('\n') {
        let said = uncommented(line);
        let body = said.trim_start();
        if !body.trim_end().is_empty() {
            let blank = said.len() - body.len();
            let indent = said[..blank].chars().map(|c| if c == '\t' { 4 } else { 1 }).sum();
            all.push(Written { indent, span: start + blank..start + blank + body.trim_end().len() });
        }
        start += line.len() + 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        tokens(line, 0..line.len()).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn words_numbers_and_signs_are_cut_apart_and_know_where_they_stand() {
        assert_eq!(texts("Don't-come >= 12.5*unit - $5"), ["dont", "come", ">=", "12.5", "*", "unit", "-", "$5"]);
        assert_eq!(
            texts("place-win-6 3-4-5x PL6 != 2"),
            ["place", "win", "6", "3", "-", "4", "-", "5x", "pl6", "!=", "2"]
        );
        let line = "«press» -5 1.255 …";
        for token in tokens(line, 0..line.len()) {
            assert!(line.get(token.span.clone()).is_some(), "{token:?}");
        }
    }

    #[test]
    fn a_comment_and_blanks_are_no_part_of_a_line() {
        let text = "# all\nunit 5 # five\n\n\twhen x#y  \r\n";
        let found: Vec<(usize, &str)> =
            lines(text).into_iter().map(|line| (line.indent, &text[line.span.start..line.span.end])).collect();
        assert_eq!(found, [(0, "unit 5"), (4, "when x#y")]);
    }
}
