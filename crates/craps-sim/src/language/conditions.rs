//! Parses conditions.

use super::amounts::{closing, expression, names, number};
use super::mistake::Wrong;
use super::scope::{Heard, Tokens, lost, one_of_these, phrase, wrong};
use super::script::{Compared, Condition, Expression, Fate, Names};
use super::tokens::{Shape, Token};
use craps_dice::{Point, Total};
use winnow::Parser;
use winnow::combinator::{alt, cut_err, not, opt, peek, preceded, repeat, separated, terminated};
use winnow::token::any;

/// Parses a condition: `or` binds weakest, then `and`, then `not`.
pub(super) fn condition(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    several(tokens, &["or", ", or", "or if", "or when"], both, Condition::Any)
}

fn both(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    several(tokens, &["and", "but", ", and", "and if", "and when"], negated, Condition::All)
}

/// Parses one or several conditions in a row. After a joining word there must be another one.
fn several<'a>(
    tokens: &mut Tokens<'a>,
    joint: &'static [&'static str],
    part: fn(&mut Tokens<'a>) -> Heard<Condition>,
    joined: fn(Vec<Condition>) -> Condition,
) -> Heard<Condition> {
    let first = part(tokens)?;
    let mut all = vec![first];
    while opt(phrase(joint)).parse_next(tokens)?.is_some() {
        all.push(cut_err(part).parse_next(tokens)?);
    }
    Ok(if all.len() == 1 { all.swap_remove(0) } else { joined(all) })
}

fn negated(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    let nots: usize = repeat::<_, _, usize, _, _>(0.., phrase(&["not"])).parse_next(tokens)?;
    let simple = simple(tokens)?;
    Ok(if nots % 2 == 1 { Condition::Not(Box::new(simple)) } else { simple })
}

fn simple(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    let sign = |text: &'static str| any.verify(move |token: &&Token| token.is(text));
    let arithmetic = any.verify(|token: &&Token| ["+", "-", "*", "/"].contains(&token.text.as_str()));
    let in_brackets = (sign("("), condition, closing, not(peek(alt((arithmetic.void(), compared.void())))));
    alt((in_brackets.map(|(_, inner, _, _)| inner), point, phase, thrown, fate, none_of, comparison)).parse_next(tokens)
}

// ---- the puck ----

fn phase(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    const COMING_OUT: &[&str] = &[
        "coming out",
        "on the come out",
        "on a come out",
        "the come out",
        "the puck is off",
        "puck is off",
        "no point",
        "no point is on",
        "the point is off",
        "point is off",
        "the dice come out",
    ];
    const POINT_ON: &[&str] = &[
        "the point is on",
        "a point is on",
        "point is on",
        "the puck is on",
        "puck is on",
        "a point is set",
        "the point is set",
        "there is a point",
    ];
    const NEW_SHOOTER: &[&str] = &["a new shooter", "new shooter", "the shooter is new", "a new shooter comes out"];
    alt((
        phrase(COMING_OUT).map(|()| Condition::ComingOut),
        phrase(POINT_ON).map(|()| Condition::PointOn),
        phrase(NEW_SHOOTER).map(|()| Condition::NewShooter),
    ))
    .parse_next(tokens)
}

/// Parses `the point is 6 or 8` and `the point is not 4 or 10`.
fn point(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    let mut is = alt((
        phrase(&["the point is not", "point is not"]).value(false),
        phrase(&["the point is", "point is"]).value(true),
    ));
    let is = is.parse_next(tokens)?;
    let next = tokens.input.first().map(|token| (token.span.clone(), token.number().is_some()));
    let numbers = opt(totals).parse_next(tokens)?;
    let is_point = |numbers: &Vec<u8>| numbers.iter().all(|number| Point::from_value(*number).is_some());
    let numbers = match (numbers, next) {
        (Some(numbers), _) if is_point(&numbers) => numbers,
        (Some(_), Some((span, _))) | (None, Some((span, true))) => {
            return wrong(tokens, Wrong::new(span, "That can't be a point").or("the point is 6"));
        }
        _ => return lost(tokens, "a number, `on` or `off`"),
    };
    let one_of = Condition::PointIs(numbers);
    // Having no point doesn't count as another point.
    Ok(if is { one_of } else { Condition::All(vec![Condition::PointOn, Condition::Not(Box::new(one_of))]) })
}

/// Parses totals of the dice: `6`, `6 or 8`, `a 4, 5 or 9`.
fn totals(tokens: &mut Tokens<'_>) -> Heard<Vec<u8>> {
    let total = |number: i64| {
        let value = u8::try_from(number / 100).ok().filter(|_| number % 100 == 0)?;
        Total::from_value(value).map(|total| vec![total.value()])
    };
    let named = alt((
        phrase(&["box number", "point number"]).map(|()| Point::BOX.map(Point::value).to_vec()),
        phrase(&["craps", "craps number"]).map(|()| vec![2, 3, 12]),
        phrase(&["inside number", "inside"]).map(|()| vec![5, 6, 8, 9]),
        phrase(&["outside number", "outside"]).map(|()| vec![4, 5, 9, 10]),
        number.verify_map(total),
    ));
    let one = preceded(opt(phrase(&["a", "an", "the"])), named);
    // A number before a comparison isn't part of the list: `6 or 12 < rail`.
    let one = terminated(
        one,
        not(peek(any.verify(|token: &&Token| ["<", "<=", ">", ">=", "=", "!="].contains(&token.text.as_str())))),
    );
    let all: Vec<Vec<u8>> = separated(1.., one, phrase(&["or", ",", ", or"])).parse_next(tokens)?;
    Ok(all.concat())
}

/// Parses `a 7 was thrown` and `the throw was 6 or 8`.
fn thrown(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    let before =
        preceded(phrase(&["the throw was", "the last throw was", "the dice were", "last throw was"]), cut_err(totals));
    let behind = terminated(totals, phrase(&["was thrown", "were thrown", "was rolled", "came", "was the throw"]));
    alt((before, behind)).map(Condition::Thrown).parse_next(tokens)
}

// ---- own bets ----

const FATES: &[(&[&str], (Fate, bool))] = &[
    (&["won", "wins", "hit", "hits", "has won", "have won"], (Fate::Won, true)),
    (&["lost", "loses", "has lost", "have lost"], (Fate::Lost, true)),
    (&["stands", "stand", "is up", "are up", "is standing", "are standing", "is there"], (Fate::Stands, true)),
    (
        &[
            "is down",
            "are down",
            "is not up",
            "are not up",
            "does not stand",
            "do not stand",
            "doesnt stand",
            "isnt up",
        ],
        (Fate::Stands, false),
    ),
    (&["did not win", "didnt win"], (Fate::Won, false)),
    (&["did not lose", "didnt lose"], (Fate::Lost, false)),
];

/// Parses `the six won`, `the six or the eight won` and `the pass line stands`.
fn fate(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    let several = separated(1.., names, phrase(&["or", ",", ", or"]));
    let (names, (fate, holds)): (Vec<Names>, _) = (several, one_of_these(FATES)).parse_next(tokens)?;
    let condition = Condition::Fate(names, fate);
    Ok(if holds { condition } else { Condition::Not(Box::new(condition)) })
}

/// Parses `no come bets`: none of them is up.
fn none_of(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    let names = preceded(phrase(&["no"]), names).parse_next(tokens)?;
    opt(phrase(&["stands", "stand", "is up", "are up"])).parse_next(tokens)?;
    Ok(Condition::Not(Box::new(Condition::Fate(vec![names], Fate::Stands))))
}

// ---- numbers ----

const COMPARED: &[(&[&str], Compared)] = &[
    (
        &[
            "<",
            "is less than",
            "is fewer than",
            "less than",
            "fewer than",
            "is under",
            "under",
            "is below",
            "below",
            "are fewer than",
        ],
        Compared::Below,
    ),
    (&["<=", "is at most", "at most", "are at most", "is not more than"], Compared::AtMost),
    (&[">", "is more than", "more than", "are more than", "is over", "over", "is above", "above"], Compared::Above),
    (&[">=", "is at least", "at least", "are at least", "is not less than"], Compared::AtLeast),
    (&["=", "is", "equals", "are"], Compared::Equal),
    (&["!=", "is not", "are not"], Compared::Unequal),
];

fn compared(tokens: &mut Tokens<'_>) -> Heard<Compared> {
    alt((one_of_these(COMPARED), |tokens: &mut Tokens<'_>| {
        lost(tokens, "a comparison such as `<`, or `won`, `lost` or `stands`")
    }))
    .parse_next(tokens)
}

fn comparison(tokens: &mut Tokens<'_>) -> Heard<Condition> {
    let left = alt((number_bet, expression));
    (left, compared, cut_err(expression))
        .map(|(left, how, right)| Condition::Compare(left, how, right))
        .parse_next(tokens)
}

/// Parses a spelled-out box number before a comparison as the bet on it, as everywhere in rail talk: `six < 60`.
fn number_bet(tokens: &mut Tokens<'_>) -> Heard<Expression> {
    let is_box = |token: &&Token| {
        let value = token.number().and_then(|number| u8::try_from(number / 100).ok());
        token.shape == Shape::Word && value.and_then(Point::from_value).is_some_and(Point::is_box)
    };
    peek((any.verify(is_box), compared)).parse_next(tokens)?;
    names.map(Expression::AmountOn).parse_next(tokens)
}
