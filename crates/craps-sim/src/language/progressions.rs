//! Parses progressions: how a stake goes up and down as a bet wins and loses.

use super::amounts::{expression, names, number};
use super::mistake::Wrong;
use super::scope::{Heard, Lost, Tokens, lost, one_of_these, phrase, wrong};
use super::script::{Expression, Held, Names, Steps, Turn};
use winnow::Parser;
use winnow::combinator::{alt, cut_err, opt, preceded, repeat, separated};
use winnow::error::{ErrMode, ParserError};
use winnow::stream::Stream;

/// Maximum number of steps in a progression.
const MOST: usize = 64;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Martingale,
    Paroli,
    DAlembert,
    Steps,
}

const KINDS: &[(&[&str], Kind)] = &[
    (&["martingale", "a martingale", "the martingale"], Kind::Martingale),
    (&["paroli", "a paroli", "the paroli"], Kind::Paroli),
    (&["dalembert", "a dalembert", "the dalembert", "d alembert"], Kind::DAlembert),
    (&["steps", "the steps"], Kind::Steps),
];

/// The parts of a progression, in any order.
#[derive(Debug, Clone)]
enum Clause {
    On(Names),
    From(Expression),
    By(Expression),
    Count(i64),
    Win(Turn),
    Loss(Turn),
}

/// Parses `martingale on the pass line from unit, at most 6 steps`.
pub(super) fn progression(tokens: &mut Tokens<'_>) -> Heard<Held> {
    let start = tokens.input.first().map_or(0..0, |token| token.span.clone());
    let unknown = |tokens: &mut Tokens<'_>| match tokens.input.first() {
        Some(token) => {
            let kinds = ["martingale", "paroli", "d'alembert", "steps"];
            let near = super::mistake::near(&token.text, kinds);
            let instead = near.into_iter().take(1).map(str::to_owned).collect();
            let message = "Expected `martingale`, `paroli`, `d'alembert` or `steps`";
            wrong(tokens, Wrong::new(token.span.clone(), message).any_of(instead))
        }
        None => lost(tokens, "`martingale`, `paroli`, `d'alembert` or `steps`"),
    };
    let kind = alt((one_of_these(KINDS), unknown)).parse_next(tokens)?;
    let listed: Vec<Expression> = match kind {
        Kind::Steps => separated(1.., expression, phrase(&[","])).parse_next(tokens)?,
        _ => Vec::new(),
    };
    let clauses: Vec<Clause> = repeat(0.., preceded(opt(phrase(&[","])), clause)).parse_next(tokens)?;
    // Words that are left over aren't a clause: report them at their place.
    if tokens.eof_offset() > 0 {
        return lost(tokens, "`on` a bet, `from`, `by`, `at most … steps`, or `up on a loss`");
    }
    let (mut on, mut from, mut by, mut count, mut on_win, mut on_loss) = (None, None, None, None, None, None);
    for clause in clauses {
        match clause {
            Clause::On(names) => on = Some(names),
            Clause::From(value) => from = Some(value),
            Clause::By(value) => by = Some(value),
            Clause::Count(value) => count = Some(value),
            Clause::Win(turn) => on_win = Some(turn),
            Clause::Loss(turn) => on_loss = Some(turn),
        }
    }
    let no = |message: &str, instead: &str| Wrong::new(start.clone(), message).or(instead);
    let Some(of) = on else {
        return wrong(tokens, no("Say which bet it follows", "martingale on the pass line"));
    };
    let count = match count {
        None => None,
        Some(count) => match usize::try_from(count / 100)
            .ok()
            .filter(|steps| (1..=MOST).contains(steps) && count % 100 == 0)
        {
            Some(steps) => Some(steps),
            None => return wrong(tokens, no(&format!("A progression can have 1 to {MOST} steps"), "at most 6 steps")),
        },
    };
    let from = from.unwrap_or(Expression::Unit);
    let (steps, win, loss) = match kind {
        Kind::Martingale => (Steps::Doubling { from, count: count.unwrap_or(10) }, Turn::Start, Turn::Up),
        Kind::Paroli => (Steps::Doubling { from, count: count.unwrap_or(3) }, Turn::Up, Turn::Start),
        Kind::DAlembert => {
            let by = by.unwrap_or(Expression::Unit);
            (Steps::Adding { from, by, count: count.unwrap_or(20) }, Turn::Down, Turn::UpAndStay)
        }
        Kind::Steps if on_win.is_none() && on_loss.is_none() => {
            let instead = "up on a loss, start over on a win";
            return wrong(tokens, no("Say when the steps go up", instead));
        }
        Kind::Steps if listed.len() > MOST => {
            return wrong(tokens, no(&format!("A progression can have 1 to {MOST} steps"), "steps 1, 2, 3"));
        }
        Kind::Steps => (Steps::Listed(listed), Turn::Start, Turn::Start),
    };
    Ok(Held::Progression { of, steps, on_win: on_win.unwrap_or(win), on_loss: on_loss.unwrap_or(loss) })
}

const TURNS: &[(&[&str], Turn)] = &[
    (&["up", "one up", "next"], Turn::Up),
    (&["up and stay", "up to the last"], Turn::UpAndStay),
    (&["down", "one down", "back"], Turn::Down),
    (&["start over", "back to the start", "starts over"], Turn::Start),
    (&["stay", "stays", "same"], Turn::Stay),
];

fn clause(tokens: &mut Tokens<'_>) -> Heard<Clause> {
    let turn = (one_of_these(TURNS), alt((phrase(WIN).value(true), phrase(LOSS).value(false))))
        .map(|(turn, won)| if won { Clause::Win(turn) } else { Clause::Loss(turn) });
    let count = alt((preceded(phrase(&["at most", "limit", "no more than"]), cut_err(number)), number));
    let count = (count, opt(phrase(&["steps", "step", "wins", "losses"]))).map(|(count, _)| Clause::Count(count));
    alt((
        turn,
        preceded(phrase(&["on"]), cut_err(names)).map(Clause::On),
        preceded(phrase(&["from"]), cut_err(expression)).map(Clause::From),
        preceded(phrase(&["by"]), cut_err(expression)).map(Clause::By),
        count,
        |tokens: &mut Tokens<'_>| Err(ErrMode::Backtrack(Lost::from_input(tokens))),
    ))
    .parse_next(tokens)
}

const WIN: &[&str] = &["on a win", "after a win", "when it wins", "on each win"];
const LOSS: &[&str] = &["on a loss", "after a loss", "when it loses", "on each loss"];
