//! Parses amounts. Only this module does, so that the strategy language can use expressions instead of amounts.

use super::hearing::{Heard, ask, lost, one_of_these, phrase};
use super::lexicon as lex;
use super::order::Amount;
use super::words::{Shape, Word, Words};
use craps_money::{Money, Stake};
use winnow::Parser;
use winnow::combinator::{alt, empty, opt, peek, preceded};
use winnow::token::any;

/// An amount as said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) amount: Amount,
    /// Set for a plain number from 2 to 12, which could also be the number of a bet: the number and how it is written.
    pub(super) bare: Option<(u8, Shape)>,
}

/// Reads an amount of any kind.
pub(super) fn amount(words: &mut Words<'_>) -> Heard<Said> {
    let plain = |amount: Amount| Said { amount, bare: None };
    alt((
        phrase(lex::LEAST).value(plain(Amount::Least)),
        phrase(lex::MOST).value(plain(Amount::Most)),
        chips.map(|stake| plain(Amount::Exactly(stake))),
        sum,
        |words: &mut Words<'_>| lost(words, "an amount"),
    ))
    .parse_next(words)
}

/// Reads a sum of money, but not "minimum" or "maximum".
pub(super) fn stake(words: &mut Words<'_>) -> Heard<Stake> {
    alt((chips, number, |words: &mut Words<'_>| lost(words, "an amount"))).parse_next(words)
}

/// Reads chips: `two nickels`, `a quarter`, `five dollars`.
fn chips(words: &mut Words<'_>) -> Heard<Stake> {
    let start = words.len();
    let one = alt((phrase(&["a", "an"]).void(), empty)).map(|()| None);
    let (count, chip) = (alt((number.map(Some), one)), one_of_these(lex::CHIPS)).parse_next(words)?;
    let minor = count.map_or(Some(100), |count: Stake| i64::try_from(count.minor()).ok());
    let stake = minor
        .and_then(|minor| minor.checked_mul(i64::from(chip)))
        .and_then(|minor| Stake::new(Money::from_minor(minor)));
    stake.map_or_else(|| too_much(words, start), Ok)
}

/// Reads a number of dollars.
fn sum(words: &mut Words<'_>) -> Heard<Said> {
    let (start, first) = (words.len(), words.first().cloned());
    let stake = number(words)?;
    if peek(phrase(&["times"])).parse_next(words).is_ok() {
        return lost(words, "an amount");
    }
    let single = start - words.len() == 1;
    let bare = first.filter(|_| single).and_then(|word| Some((u8::try_from(word.number()?).ok()?, word.shape)));
    Ok(Said { amount: Amount::Exactly(stake), bare: bare.filter(|(number, _)| (2..=12).contains(number)) })
}

/// Reads a number as money, in digits or spelled out.
fn number(words: &mut Words<'_>) -> Heard<Stake> {
    let start = words.len();
    let money = alt((in_figures, in_letters)).parse_next(words)?;
    match Stake::new(money) {
        Some(stake) => Ok(stake),
        None => ask(words, start, "An amount must be above zero".to_owned(), vec!["5".to_owned()]),
    }
}

fn in_figures(words: &mut Words<'_>) -> Heard<Money> {
    let start = words.len();
    let word: &Word =
        any.verify(|word: &&Word| matches!(word.shape, Shape::Figures | Shape::Money)).parse_next(words)?;
    let Ok(money) = word.text.parse::<Money>() else {
        let message = format!("\"{}\" is not an amount. Write it as 5 or 12.50", word.text);
        let cents = format!("{}0", word.text);
        return ask(words, start, message, vec![cents, "5".to_owned()]);
    };
    let times = opt(one_of_these(MULTIPLES)).parse_next(words)?.unwrap_or(1);
    money.minor().checked_mul(times).map_or_else(|| too_much(words, start), |minor| Ok(Money::from_minor(minor)))
}

const MULTIPLES: &[(&str, i64)] = &[("hundred", 100), ("thousand", 1000)];

/// Reads a number spelled out: `twenty five`, `a hundred and fifty`, `two thousand`.
fn in_letters(words: &mut Words<'_>) -> Heard<Money> {
    let (first, second) =
        (below_thousand, opt(preceded(phrase(&["thousand"]), opt(preceded(opt(phrase(&["and"])), below_thousand)))));
    let a_thousand = |words: &mut Words<'_>| {
        (opt(phrase(&["a", "one"])), phrase(&["thousand"])).parse_next(words)?;
        Ok(1000)
    };
    let split = (first, second).map(|(first, second)| match second {
        Some(rest) => first * 1000 + rest.unwrap_or(0),
        None => first,
    });
    let dollars: i64 = alt((a_thousand, split)).parse_next(words)?;
    Ok(Money::from_minor(dollars * 100))
}

fn below_thousand(words: &mut Words<'_>) -> Heard<i64> {
    let hundred = || phrase(&["hundred"]);
    let a_hundred = (opt(phrase(&["a"])), hundred()).value(1);
    let hundreds = alt((a_hundred, (below_hundred, hundred()).map(|(count, _)| count)));
    let with_hundreds = (hundreds, opt(preceded(opt(phrase(&["and"])), below_hundred)));
    alt((with_hundreds.map(|(hundreds, rest)| hundreds * 100 + rest.unwrap_or(0)), below_hundred)).parse_next(words)
}

fn below_hundred(words: &mut Words<'_>) -> Heard<i64> {
    let spelled = || {
        any.verify(|word: &&Word| word.shape == Shape::Spelled).verify_map(|word: &Word| word.text.parse::<i64>().ok())
    };
    let tens = (spelled().verify(|number| *number >= 20), opt(spelled().verify(|number| (1..10).contains(number))));
    alt((tens.map(|(tens, ones)| tens + ones.unwrap_or(0)), spelled())).parse_next(words)
}

fn too_much<T>(words: &Words<'_>, start: usize) -> Heard<T> {
    ask(words, start, "That amount is too large".to_owned(), vec!["5".to_owned()])
}
