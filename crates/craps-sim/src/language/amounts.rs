//! Parses amounts and other numbers as expressions.

use super::mistake::Wrong;
use super::scope::{Heard, Tokens, lost, one_of_these, phrase, wrong};
use super::script::{Expression, Names, Sign, Way};
use super::tokens::{Shape, Token};
use crate::engine::Counter;
use craps_notation::talk::{Order, Which, hear};
use winnow::Parser;
use winnow::combinator::{alt, cut_err, opt, preceded, repeat};
use winnow::stream::Stream;
use winnow::token::any;

/// Maximum number of amounts added or multiplied in a row, and of roundings and bounds on one. It keeps nesting finite.
const MOST_TERMS: usize = 64;
/// Maximum number of words in the name of a bet.
const LONGEST_NAME: usize = 9;

/// Parses an expression with its rounding and bounds.
pub(super) fn expression(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    let mut value = sum(tokens)?;
    for _ in 0..MOST_TERMS {
        let bound = |most: bool| move |bound: Expression| (most, bound);
        let more = alt((
            preceded(phrase(&["but at most", "but no more than", "but not more than"]), sum).map(bound(true)),
            preceded(phrase(&["but at least", "but no less than", "but not less than"]), sum).map(bound(false)),
        ));
        if let Some((most, bound)) = opt(more).parse_next(tokens)? {
            let both = Box::new((value, bound));
            value = if most { Expression::AtMost(both) } else { Expression::AtLeast(both) };
        } else if let Some((way, to)) = opt(rounding).parse_next(tokens)? {
            value = Expression::Rounded(Box::new(value), way, to.map(Box::new));
        } else {
            break;
        }
    }
    Ok(value)
}

fn rounding(tokens: &mut Tokens<'_>) -> Heard<(Way, Option<Expression>)> {
    const WAYS: &[(&[&str], Way)] =
        &[(&["rounded up"], Way::Up), (&["rounded down"], Way::Down), (&["rounded"], Way::Nearest)];
    (one_of_these(WAYS), opt(preceded(phrase(&["to", "to a multiple of"]), factor))).parse_next(tokens)
}

fn sum(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    chain(tokens, &[("+", Sign::Plus), ("-", Sign::Minus)], product)
}

fn product(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    chain(tokens, &[("*", Sign::Times), ("/", Sign::Over)], factor)
}

fn chain<'a>(
    tokens: &mut Tokens<'a>,
    signs: &'static [(&'static str, Sign)],
    part: fn(&mut Tokens<'a>) -> Heard<Expression>,
) -> Heard<Expression> {
    let start = place(tokens);
    let sign = |token: &Token| signs.iter().find(|(text, _)| token.is(text)).map(|(_, sign)| *sign);
    let first = part(tokens)?;
    let rest: Vec<(Sign, Expression)> = repeat(0.., (any.verify_map(sign), cut_err(part))).parse_next(tokens)?;
    let span = start..end(tokens).max(start);
    if rest.len() > MOST_TERMS {
        return wrong(tokens, Wrong::new(span, format!("At most {MOST_TERMS} amounts can be combined in a row")));
    }
    Ok(rest
        .into_iter()
        .fold(first, |left, (sign, right)| Expression::Arithmetic(Box::new((left, sign, right)), span.clone())))
}

/// Returns where the next token starts.
fn place(tokens: &Tokens<'_>) -> usize {
    tokens.input.first().map_or(0, |token| token.span.start)
}

/// Returns where the previous token ended.
fn end(tokens: &Tokens<'_>) -> usize {
    tokens.input.previous_tokens().next().map_or(0, |token| token.span.end)
}

fn factor(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    let sign = |text: &'static str| any.verify(move |token: &&Token| token.is(text));
    let in_brackets = (sign("("), expression, closing).map(|(_, inner, ())| inner);
    let negative = preceded(sign("-"), figures).map(|number| Expression::Number(-number));
    let nothing = |tokens: &mut Tokens<'_>| lost(tokens, "an amount");
    alt((in_brackets, negative, units, known, variable, number.map(Expression::Number), bets_alone, nothing))
        .parse_next(tokens)
}

/// Parses a closing bracket.
pub(super) fn closing(tokens: &mut Tokens<'_>) -> Heard<()> {
    let bracket = any.verify(|token: &&Token| token.is(")")).void();
    alt((bracket, |tokens: &mut Tokens<'_>| lost(tokens, "a `)`"))).parse_next(tokens)
}

fn figures(tokens: &mut Tokens<'_>) -> Heard<i64> {
    any.verify_map(|token: &Token| match token.shape {
        Shape::Number(number) => Some(number),
        _ => None,
    })
    .parse_next(tokens)
}

/// Parses a number in digits or spelled out, in hundredths.
pub(super) fn number(tokens: &mut Tokens<'_>) -> Heard<i64> {
    any.verify_map(Token::number).parse_next(tokens)
}

/// Parses `unit`, `a unit` or `3 units`.
fn units(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    let start = place(tokens);
    let count = alt((phrase(&["a", "the", "my"]).value(None), number.map(Some)));
    let (count, ()) = (opt(count), phrase(&["unit", "units"])).parse_next(tokens)?;
    let span = start..end(tokens).max(start);
    Ok(match count.flatten() {
        Some(count) => {
            Expression::Arithmetic(Box::new((Expression::Number(count), Sign::Times, Expression::Unit)), span)
        }
        None => Expression::Unit,
    })
}

/// Values that depend on the state of the game.
#[derive(Debug, Clone, Copy)]
enum Known {
    Counter(Counter),
    Rail,
    Net,
    Peak,
    PeakRail,
    BuyIn,
    ItsWin,
    ItsAmount,
    Wins,
    Losses,
    AmountOn,
    HowMany,
    WinOn,
}

const KNOWN: &[(&[&str], Known)] = &[
    (
        &[
            "shooter throws",
            "throws this shooter",
            "this shooters throws",
            "the shooters throws",
            "throws of this shooter",
        ],
        Known::Counter(Counter::ShooterThrows),
    ),
    (
        &[
            "shooter points",
            "points this shooter",
            "this shooters points",
            "the shooters points",
            "points of this shooter",
        ],
        Known::Counter(Counter::ShooterPoints),
    ),
    (&["bets this shooter", "bets on this shooter", "shooter bets"], Known::Counter(Counter::BetsThisShooter)),
    (&["throws", "throws so far"], Known::Counter(Counter::Throws)),
    (&["hands", "hands so far", "shooters so far"], Known::Counter(Counter::Hands)),
    (&["rail", "my rail", "the rail"], Known::Rail),
    (&["net", "my net", "the net"], Known::Net),
    (&["peak net", "peak", "the peak", "my peak"], Known::Peak),
    (&["peak rail", "my peak rail", "the peak rail"], Known::PeakRail),
    (&["buy in", "the buy in", "my buy in"], Known::BuyIn),
    (&["its win"], Known::ItsWin),
    (&["its amount", "its bet", "what stands"], Known::ItsAmount),
    (&["wins in a row"], Known::Wins),
    (&["losses in a row"], Known::Losses),
    (&["amount on", "the amount on", "what is on"], Known::AmountOn),
    (&["number of"], Known::HowMany),
    (&["win on", "the win on", "what was won on"], Known::WinOn),
];

fn known(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    Ok(match one_of_these(KNOWN).parse_next(tokens)? {
        Known::Counter(counter) => Expression::Counter(counter),
        Known::Rail => Expression::Rail,
        Known::Net => Expression::Net,
        Known::Peak => Expression::Peak,
        Known::PeakRail => Expression::PeakRail,
        Known::BuyIn => Expression::BuyIn,
        Known::ItsWin => Expression::ItsWin,
        Known::ItsAmount => Expression::ItsAmount,
        Known::Wins => Expression::Row { won: true, of: of(tokens)? },
        Known::Losses => Expression::Row { won: false, of: of(tokens)? },
        Known::AmountOn => Expression::AmountOn(cut_err(names).parse_next(tokens)?),
        Known::HowMany => Expression::HowMany(cut_err(names).parse_next(tokens)?),
        Known::WinOn => Expression::WinOn(cut_err(names).parse_next(tokens)?),
    })
}

fn of(tokens: &mut Tokens<'_>) -> Heard<Option<Names>> {
    opt(preceded(phrase(&["on", "of"]), cut_err(names))).parse_next(tokens)
}

/// Parses a name that the strategy defines, with a position if it is a list.
fn variable(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    let scope = tokens.state;
    let (at, span) =
        any.verify_map(|token: &Token| Some((scope.variable(&token.text)?, token.span.clone()))).parse_next(tokens)?;
    if !scope.is_list(at) {
        return Ok(Expression::Variable(at));
    }
    match opt(preceded(phrase(&["at", "step"]), factor)).parse_next(tokens)? {
        Some(place) => Ok(Expression::Item(at, Box::new(place))),
        None => {
            let name = scope.text.get(span.clone()).unwrap_or_default();
            wrong(tokens, Wrong::new(span, format!("`{name}` is a list. Say which step")).or(format!("{name} at 1")))
        }
    }
}

/// Parses a bet by itself: the amount on it, or for a kind of bets how many are up.
fn bets_alone(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    if !tokens.state.bets_are_amounts {
        return lost(tokens, "an amount");
    }
    let Ok(names) = names(tokens) else { return lost(tokens, "an amount") };
    Ok(if matches!(names.which, Which::All(_)) { Expression::HowMany(names) } else { Expression::AmountOn(names) })
}

/// Words that can follow the name of a bet but aren't part of one.
const NEVER_IN_NAMES: [&str; 18] = [
    "won", "wins", "lost", "loses", "stands", "stand", "is", "are", "isnt", "has", "have", "did", "didnt", "does",
    "doesnt", "was", "rounded", "but",
];

/// Parses the name of a bet or of several: the longest that rail talk knows.
pub(super) fn names(tokens: &mut Tokens<'_>) -> Heard<Names> {
    let text = tokens.state.text;
    let is_name = |token: &&Token| token.shape != Shape::Sign && !NEVER_IN_NAMES.contains(&token.text.as_str());
    let most = tokens.input.iter().take_while(is_name).take(LONGEST_NAME).count();
    for length in (1..=most).rev() {
        let (Some(first), Some(last)) = (tokens.input.first(), tokens.input.get(length - 1)) else { break };
        let span = first.span.start..last.span.end;
        let Some(which) = text.get(span.clone()).and_then(one_name) else { continue };
        tokens.next_slice(length);
        return Ok(Names { which, span });
    }
    lost(tokens, "a bet")
}

/// Returns what one name stands for in rail talk.
fn one_name(text: &str) -> Option<Which> {
    let orders = hear(&format!("same bet on {text}")).ok()?;
    match &orders[..] {
        [one] => match &one.order {
            Order::SameBet { bets } => <&[Which; 1]>::try_from(&bets[..]).ok().map(|[which]| which.clone()),
            _ => None,
        },
        _ => None,
    }
}
