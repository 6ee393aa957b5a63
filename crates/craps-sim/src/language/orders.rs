//! Parses orders in rail talk. Rail talk reads the order itself. Each expression in it is replaced by a placeholder amount while it does.

use super::amounts::expression;
use super::mistake::Wrong;
use super::scope::{Scope, Tokens, nearest};
use super::script::{Act, Amount, Expression, OddsAmount, Order, Raise, Statement};
use super::tokens::{Shape, Token};
use craps_money::Stake;
use craps_notation::talk::{self, AskBack, AskKind, Cut, Verb, Whose, With, hear};
use std::ops::Range;
use winnow::Parser;
use winnow::stream::{Stateful, Stream, TokenSlice};

/// Amounts from here up are placeholders for expressions. They are larger than any table takes.
const FIRST: i64 = 900_000_000;

/// Reads one part of a line between semicolons.
pub(super) fn orders(all: &[Token], scope: Scope<'_>) -> Result<Vec<Statement>, Wrong> {
    let said = Said::new(all, scope)?;
    let spoken = hear(&said.talk).map_err(|ask| said.asked_back(ask))?;
    if spoken.is_empty() {
        let span = all.first().map_or(0..0, |token| token.span.clone());
        return Err(Wrong::new(span, "Expected an order here"));
    }
    spoken.into_iter().map(|spoken| said.statement(spoken)).collect()
}

/// An order with placeholder numbers instead of its expressions.
struct Said<'a> {
    scope: Scope<'a>,
    span: Range<usize>,
    talk: String,
    expressions: Vec<(Range<usize>, Expression)>,
    /// Maps pieces of the talk to the text: where each begins in the talk, and its range in the text.
    pieces: Vec<(usize, Range<usize>)>,
}

impl<'a> Said<'a> {
    fn new(all: &[Token], scope: Scope<'a>) -> Result<Said<'a>, Wrong> {
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return Err(Wrong::new(0..0, "Expected an order here"));
        };
        let span = first.span.start..last.span.end;
        let mut said =
            Said { scope, span: span.clone(), talk: String::new(), expressions: Vec::new(), pieces: Vec::new() };
        let (mut at, mut written) = (0, span.start);
        while let Some(token) = all.get(at) {
            if matches!(token.shape, Shape::Number(number) if number / 100 >= FIRST) {
                return Err(Wrong::new(token.span.clone(), "That is more than any table takes"));
            }
            let Some((length, expression)) = said.expression(&all[at..])? else {
                // Rail talk would skip these signs. Here they mean that an expression wasn't understood.
                if ["*", "+", "(", ")", "=", "<", ">", "<=", ">="].contains(&token.text.as_str()) {
                    return Err(Wrong::new(
                        token.span.clone(),
                        format!("`{}` needs an amount on both sides", token.text),
                    ));
                }
                at += 1;
                continue;
            };
            if is_plain(&expression) {
                at += length;
                continue;
            }
            let words = token.span.start..all[at + length - 1].span.end;
            said.piece(written..words.start);
            said.pieces.push((said.talk.len(), words.clone()));
            said.talk.push_str(&said.stand_in(said.expressions.len()));
            written = words.end;
            said.expressions.push((words, expression));
            at += length;
        }
        said.piece(written..span.end);
        Ok(said)
    }

    fn piece(&mut self, span: Range<usize>) {
        self.pieces.push((self.talk.len(), span.clone()));
        self.talk.push_str(self.scope.text.get(span).unwrap_or_default());
    }

    /// Parses the expression that begins here and returns how many tokens it takes.
    fn expression(&self, all: &[Token]) -> Result<Option<(usize, Expression)>, Wrong> {
        let mut tokens: Tokens<'_> = Stateful { input: TokenSlice::new(all), state: self.scope };
        match expression.parse_next(&mut tokens) {
            Ok(expression) => Ok(Some((all.len() - tokens.eof_offset(), expression))),
            Err(winnow::error::ErrMode::Cut(super::scope::Lost { wrong: Some(wrong), .. })) => Err(*wrong),
            Err(_) => Ok(None),
        }
    }

    fn stand_in(&self, at: usize) -> String {
        i64::try_from(at).map(|at| (FIRST + at).to_string()).unwrap_or_default()
    }

    /// Returns the amount that rail talk read: a number, or the expression behind a placeholder.
    fn amount(&self, stake: Stake) -> Expression {
        let minor = stake.money().minor();
        let at = usize::try_from(minor / 100 - FIRST).ok();
        match at.and_then(|at| self.expressions.get(at)) {
            Some((_, expression)) => expression.clone(),
            None => Expression::Number(minor),
        }
    }

    fn any_amount(&self, amount: talk::Amount) -> Amount {
        match amount {
            talk::Amount::Exactly(stake) => Amount::Of(self.amount(stake)),
            talk::Amount::Least => Amount::Least,
            talk::Amount::Most => Amount::Most,
        }
    }

    /// Returns the same place in the text.
    fn place(&self, at: usize) -> usize {
        let piece = self.pieces.iter().rfind(|(begin, _)| *begin <= at);
        piece.map_or(self.span.start, |(begin, span)| (span.start + at - begin).min(span.end))
    }

    fn placed(&self, span: &Range<usize>) -> Range<usize> {
        let end = self.pieces.iter().rfind(|(begin, _)| *begin < span.end);
        let start = self.place(span.start);
        let end = end.map_or(start, |(begin, piece)| {
            let stands_in = self.expressions.iter().any(|(words, _)| words == piece);
            if stands_in { piece.end } else { (piece.start + span.end - begin).min(piece.end) }
        });
        start..end.max(start)
    }

    /// Returns the text with the original expressions instead of placeholders.
    fn written(&self, text: &str) -> String {
        let mut text = text.to_owned();
        for (at, (words, _)) in self.expressions.iter().enumerate() {
            text = text.replace(&self.stand_in(at), self.scope.text.get(words.clone()).unwrap_or_default());
        }
        text
    }

    fn asked_back(&self, ask: AskBack) -> Wrong {
        let span = self.placed(&ask.span);
        // If an amount is missing, try a unit.
        if ask.kind == AskKind::Incomplete {
            let said = self.text(self.span.clone());
            let tries = [format!("{said} for unit"), format!("{said} unit")];
            if let Some(line) = tries.into_iter().find(|line| self.is_understood(line)) {
                return Wrong::new(span, self.written(&ask.message)).or(line);
            }
        }
        let word = ask.word.to_lowercase().replace(['\'', '’'], "");
        let mut suggestions: Vec<String> = Vec::new();
        // Suggest similar words of the strategy itself first, because rail talk doesn't know them.
        if !talk::knows(&word) && self.scope.text.get(span.clone()).is_some_and(|said| said == ask.word) {
            let line = |near: &String| {
                format!("{}{near}{}", self.text(self.span.start..span.start), self.text(span.end..self.span.end))
            };
            let own = nearest(&word, &self.scope).into_iter().filter(|near| !talk::knows(near) || near == "unit");
            suggestions.extend(own.map(|near| line(&near)).filter(|line| self.is_understood(line)));
        }
        suggestions.extend(ask.suggestions.iter().filter(|said| *said != "help").map(|said| self.written(said)));
        suggestions.truncate(3);
        Wrong::new(span, self.written(&ask.message)).any_of(suggestions)
    }

    fn text(&self, span: Range<usize>) -> &'a str {
        self.scope.text.get(span).unwrap_or_default()
    }

    fn is_understood(&self, line: &str) -> bool {
        let tokens = super::tokens::tokens(line, 0..line.len());
        Said::new(&tokens, Scope { text: line, ..self.scope }).is_ok_and(|said| hear(&said.talk).is_ok())
    }

    fn statement(&self, spoken: talk::Spoken) -> Result<Statement, Wrong> {
        let span = self.placed(&spoken.span);
        let no = |message: &str| Err(Wrong::new(span.clone(), message.to_owned()));
        let act = match spoken.order {
            talk::Order::Bet { bets, amount, share, with, whose } => {
                if whose != Whose::Mine {
                    return no("A strategy can't bet for the dealers");
                }
                if with != With::default() {
                    return no("A strategy can only bet chips, not cash or coupons");
                }
                Act::Bet { bets, amount: self.any_amount(amount), share }
            }
            talk::Order::Odds { behind, amount, share } => {
                let amount = match amount {
                    talk::OddsAmount::Of(amount) => OddsAmount::Of(self.any_amount(amount)),
                    talk::OddsAmount::Times(times) => OddsAmount::Times(times),
                    talk::OddsAmount::ByNumber(times) => OddsAmount::ByNumber(times),
                };
                Act::Odds { behind, amount, share }
            }
            talk::Order::TakeDown { bets, amount } => {
                let amount = match amount.map(|amount| self.any_amount(amount)) {
                    None => None,
                    Some(Amount::Of(amount)) => Some(amount),
                    Some(Amount::Least | Amount::Most) => {
                        return no("Say how much to take down, or leave out the amount to take all of it down");
                    }
                };
                Act::TakeDown { bets, amount }
            }
            talk::Order::Press { bets, by } => {
                let by = match by {
                    talk::Raise::Double => Raise::Double,
                    talk::Raise::Half => Raise::Half,
                    talk::Raise::By(stake) => Raise::By(self.amount(stake)),
                    talk::Raise::To(amount) => Raise::To(self.any_amount(amount)),
                    talk::Raise::Units(_) => return no("A unit of what? Say `by unit`"),
                };
                Act::Press { bets, by }
            }
            talk::Order::Regress { bets, to } => {
                let to = match to {
                    Cut::Half => None,
                    Cut::To(amount) => Some(self.any_amount(amount)),
                };
                Act::Regress { bets, to }
            }
            talk::Order::Move { from, to } => Act::Move { from, to },
            talk::Order::SameBet { bets } => Act::Same { bets },
            talk::Order::Call { bets, called } => Act::Call { bets, called },
            talk::Order::Tell { bets, after_win } => Act::Tell { bets, after_win },
            talk::Order::Do(Verb::Quit | Verb::Leave) => return Ok(Statement::Quit),
            talk::Order::Do(_) => {
                return no("A strategy can't do that. It can bet, change bets, set values and quit");
            }
            talk::Order::Ask(_) => return no("A strategy can't ask questions. Use a condition"),
        };
        Ok(Statement::Order(Order { span, act }))
    }
}

/// Returns true for plain numbers, and for numbers that rail talk reads in its own way: `6/8`, `3-4-5`.
fn is_plain(expression: &Expression) -> bool {
    use super::script::Sign;
    match expression {
        Expression::Number(_) => true,
        Expression::Arithmetic(parts, _) => {
            matches!(parts.1, Sign::Minus | Sign::Over) && is_plain(&parts.0) && is_plain(&parts.2)
        }
        _ => false,
    }
}
