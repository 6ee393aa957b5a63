//! Splits a line into words with their positions. This never fails: every text has words.

use super::phrasebook::bet_named;
use craps_dice::Throw;
use std::ops::Range;
use winnow::Parser;
use winnow::combinator::{alt, eof, not, opt, peek, repeat, terminated};
use winnow::stream::{LocatingSlice, TokenSlice};
use winnow::token::{any, one_of, take_while};

/// The words left to parse.
pub(super) type Words<'a> = TokenSlice<'a, Word>;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// Byte range in the line.
    pub(super) span: Range<usize>,
    /// The word in lower case, without apostrophes. A number is always in digits.
    pub(super) text: String,
    pub(super) shape: Shape,
}

/// How a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Letters, or a punctuation mark.
    Letters,
    /// A number in digits.
    Figures,
    /// A number spelled out.
    Spelled,
    /// An amount of money: `$5`, `1,000`, `2k`.
    Money,
    /// A multiple: `10x`.
    Times,
    /// Two dice: `3-1`.
    Dice(Throw),
}

impl Word {
    /// Returns the value of a plain number.
    pub(super) fn number(&self) -> Option<u64> {
        matches!(self.shape, Shape::Figures | Shape::Spelled).then(|| self.text.parse().ok()).flatten()
    }

    /// Returns true if the word ends an order.
    pub(super) fn is_break(&self) -> bool {
        matches!(self.text.as_str(), ";" | ".")
    }

    fn new(text: &str, start: usize, shape: Shape) -> Word {
        Word { span: start..start + text.len(), text: text.to_lowercase(), shape }
    }
}

type Line<'a> = LocatingSlice<&'a str>;
type Read<T> = Result<T, winnow::error::EmptyError>;

/// Splits a line into words.
pub(super) fn words(text: &str) -> Vec<Word> {
    let token = alt((
        take_while(1.., |c: char| c != '\n' && (c.is_whitespace() || "!\"()*`".contains(c))).map(|_| Vec::new()),
        amount,
        chunk,
        mark.map(|word| vec![word]),
    ));
    let line = repeat(0.., token).fold(Vec::new, |mut all: Vec<Word>, more| {
        all.extend(more);
        all
    });
    terminated(line, eof).parse(LocatingSlice::new(text)).unwrap_or_default()
}

/// Reads an amount with a dollar sign or with thousands separators: `$5`, `1,000`, `$1,250.50`.
fn amount(line: &mut Line<'_>) -> Read<Vec<Word>> {
    let figure = |c: char| c.is_ascii_digit();
    let thousands = (take_while(1..=3, figure), repeat::<_, _, (), _, _>(1.., (',', take_while(3..=3, figure)))).take();
    let plain = take_while(1.., figure);
    let cents = ('.', take_while(1.., figure));
    let ends = || peek(not(one_of(|c: char| c.is_alphanumeric())));
    let with_sign = ('$', opt(' '), (alt((thousands, plain)), opt(cents)).take(), ends()).map(|(_, _, sum, _)| sum);
    let thousands = (take_while(1..=3, figure), repeat::<_, _, (), _, _>(1.., (',', take_while(3..=3, figure)))).take();
    let cents = ('.', take_while(1.., figure));
    let (sum, span) =
        alt((with_sign, terminated((thousands, opt(cents)).take(), ends()))).with_span().parse_next(line)?;
    Ok(vec![Word { span, text: sum.replace(',', ""), shape: Shape::Money }])
}

/// Reads a run of letters, digits and inner marks. Hyphens split it into words, unless it is a pair of dice or the name of a bet in game files.
fn chunk(line: &mut Line<'_>) -> Read<Vec<Word>> {
    let is_inner = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-' | '.' | '$');
    let (run, span) = (one_of(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '’')), take_while(0.., is_inner))
        .take()
        .with_span()
        .parse_next(line)?;
    let body = run.trim_end_matches('.');
    let mut all = Vec::new();
    if let Some(name) = bet_named(body).map(|_| body).filter(|name| name.contains('-')) {
        all.push(Word::new(name, span.start, Shape::Letters));
    } else if let Some(dice) = dice(body) {
        all.push(Word { shape: Shape::Dice(dice), ..Word::new(body, span.start, Shape::Letters) });
    } else {
        let mut at = span.start;
        for piece in body.split('-') {
            if !piece.is_empty() {
                all.push(classified(piece, at));
            }
            at += piece.len() + 1;
        }
    }
    if body.len() < run.len() {
        all.push(Word::new(".", span.start + body.len(), Shape::Letters));
    }
    Ok(all)
}

fn dice(text: &str) -> Option<Throw> {
    if text.len() == 3 { text.parse().ok() } else { None }
}

fn classified(piece: &str, start: usize) -> Word {
    let span = start..start + piece.len();
    let text: String = piece.to_lowercase().chars().filter(|c| !matches!(c, '\'' | '’')).collect();
    let figures = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(is_of_a_figure);
    let (text, shape) = if figures(&text) {
        (text, Shape::Figures)
    } else if let Some(sum) = text.strip_suffix('$').filter(|sum| figures(sum)) {
        (sum.to_owned(), Shape::Money)
    } else if let Some(times) = text.strip_suffix('x').filter(|times| figures(times)) {
        (times.to_owned(), Shape::Times)
    } else if let Some(thousands) = text.strip_suffix('k').filter(|sum| figures(sum) && !sum.contains('.')) {
        (format!("{thousands}000"), Shape::Money)
    } else if let Some(number) = spelled(&text) {
        (number.to_string(), Shape::Spelled)
    } else {
        (text, Shape::Letters)
    };
    Word { span, text, shape }
}

fn is_of_a_figure(c: char) -> bool {
    c.is_ascii_digit() || c == '.'
}

/// Reads any other character. The end of a line ends an order, like a semicolon; `&` and `/` mean "and".
fn mark(line: &mut Line<'_>) -> Read<Word> {
    let (c, span) = any.with_span().parse_next(line)?;
    let text = match c {
        '\n' => ";".to_owned(),
        '&' | '/' => "and".to_owned(),
        c => c.to_string(),
    };
    Ok(Word { span, text, shape: Shape::Letters })
}

/// Number words that are used at a craps table.
const NUMBERS: [(&str, u64); 37] = [
    ("zero", 0),
    ("one", 1),
    ("two", 2),
    ("three", 3),
    ("four", 4),
    ("five", 5),
    ("six", 6),
    ("seven", 7),
    ("eight", 8),
    ("nine", 9),
    ("ten", 10),
    ("eleven", 11),
    ("twelve", 12),
    ("thirteen", 13),
    ("fourteen", 14),
    ("fifteen", 15),
    ("sixteen", 16),
    ("seventeen", 17),
    ("eighteen", 18),
    ("nineteen", 19),
    ("twenty", 20),
    ("thirty", 30),
    ("forty", 40),
    ("fifty", 50),
    ("sixty", 60),
    ("seventy", 70),
    ("eighty", 80),
    ("ninety", 90),
    ("fours", 4),
    ("fives", 5),
    ("sixes", 6),
    ("sevens", 7),
    ("eights", 8),
    ("nines", 9),
    ("tens", 10),
    ("elevens", 11),
    ("twelves", 12),
];

/// Returns the number for a word.
pub(super) fn spelled(word: &str) -> Option<u64> {
    NUMBERS.iter().find(|(known, _)| *known == word).map(|(_, number)| *number)
}

/// Returns the word for a number.
pub(super) fn spell(number: u8) -> &'static str {
    NUMBERS.iter().find(|(_, known)| *known == u64::from(number)).map_or("", |(word, _)| word)
}

/// Returns all number words.
pub(super) fn number_words() -> impl Iterator<Item = &'static str> {
    NUMBERS.iter().map(|(word, _)| *word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &str) -> Vec<String> {
        words(line).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn words_are_plain_and_know_where_they_stand() {
        assert_eq!(
            texts("Twenty-five on the Don't; YO-leven, $1,250.50."),
            ["20", "5", "on", "the", "dont", ";", "yo", "leven", ",", "1250.50", "."]
        );
        assert_eq!(
            texts("3-4-5 odds & hop 3-1 6/8 10x 2k 5$"),
            ["3", "4", "5", "odds", "and", "hop", "3-1", "6", "and", "8", "10", "2000", "5"]
        );
        let line = "press my «nine» -5";
        for word in words(line) {
            assert!(line.get(word.span.clone()).is_some(), "{word:?}");
        }
        assert_eq!(texts(line), ["press", "my", "«", "9", "»", "-", "5"]);
    }
}
