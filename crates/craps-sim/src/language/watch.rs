//! Finds out what a program reads besides the bets on the felt, and up to which value it matters.

use super::program::{Op, Test, Value, Wants};
use super::script::Compared;
use crate::engine::{Counter, Reads};

/// What a program has been seen to read.
#[derive(Debug, Default)]
pub(super) struct Watch {
    counters: Vec<(Counter, u32)>,
    rows: Vec<(usize, i64)>,
    money: bool,
    last_throw: bool,
    last_total: bool,
}

impl Watch {
    /// Returns what the engine has to keep track of.
    pub(super) fn reads(mut self, cap: Option<u32>) -> Reads {
        if let Some(cap) = cap {
            self.counter(Counter::BetsThisShooter, i64::from(cap));
        }
        Reads { counters: self.counters, money: self.money, last_throw: self.last_throw, last_total: self.last_total }
    }

    /// Returns the largest count in this place of the memory that still makes a difference.
    pub(super) fn most(&self, at: usize) -> i64 {
        self.rows.iter().find(|(row, _)| *row == at).map_or(1, |(_, most)| *most)
    }

    pub(super) fn all(&mut self, todo: &[Op]) {
        for op in todo {
            match op {
                Op::If(test, then, otherwise) => {
                    self.test(test);
                    self.all(then);
                    self.all(otherwise);
                }
                Op::Have(_, value)
                | Op::Add(_, value)
                | Op::RaiseTo(_, value)
                | Op::LowerTo(_, value)
                | Op::Take(_, value)
                | Op::Set { to: value, .. } => self.value(value),
                Op::Odds(each) => {
                    for behind in &each.behind {
                        if let Wants::Amount(value) = &behind.wants {
                            self.value(value);
                        }
                    }
                }
                Op::Step { won, lost, .. } => {
                    self.test(won);
                    self.test(lost);
                }
                Op::Double(_)
                | Op::AddHalf(_)
                | Op::Halve(_)
                | Op::Down(_)
                | Op::Move(..)
                | Op::Call(..)
                | Op::Tell(..)
                | Op::Quit => {}
            }
        }
    }

    fn test(&mut self, test: &Test) {
        match test {
            Test::Not(inner) => self.test(inner),
            Test::All(inner) | Test::Any(inner) => inner.iter().for_each(|inner| self.test(inner)),
            Test::Won(_) | Test::Lost(_) => self.last_throw = true,
            Test::Thrown(_) => self.last_total = true,
            Test::NewShooter => self.counter(Counter::ShooterThrows, 1),
            Test::Compare(left, how, Value::Known(known)) => self.compared(left, most(*how, *known)),
            Test::Compare(Value::Known(known), how, right) => self.compared(right, most(turned(*how), *known)),
            Test::Compare(left, _, right) => {
                self.value(left);
                self.value(right);
            }
            Test::Known(_) | Test::Stands(_) => {}
        }
    }

    /// Records a value that only matters up to `most`.
    fn compared(&mut self, value: &Value, most: i64) {
        match value {
            Value::Counter(counter) => self.counter(*counter, most),
            Value::Row(at) => self.row(*at, most),
            other => self.value(other),
        }
    }

    fn counter(&mut self, counter: Counter, most: i64) {
        let most = u32::try_from(most.max(0)).unwrap_or(u32::MAX);
        match self.counters.iter_mut().find(|(known, _)| *known == counter) {
            Some((_, known)) => *known = most.max(*known),
            None => self.counters.push((counter, most)),
        }
    }

    fn row(&mut self, at: usize, most: i64) {
        match self.rows.iter_mut().find(|(known, _)| *known == at) {
            Some((_, known)) => *known = most.max(*known),
            None => self.rows.push((at, most)),
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Counter(counter) => self.counter(*counter, i64::MAX),
            // A count used in arithmetic matters up to the largest count.
            Value::Row(at) => self.row(*at, i64::from(u32::MAX)),
            Value::Rail | Value::Net | Value::Peak => self.money = true,
            Value::Win(_) => self.last_throw = true,
            Value::Item(inner, steps) => match (&**inner, i64::try_from(steps.len())) {
                // Nothing changes past the last step.
                (Value::Counter(_) | Value::Row(_), Ok(steps)) => self.compared(inner, steps),
                (inner, _) => self.value(inner),
            },
            Value::RoundedFor(inner, ..) | Value::Share(inner, ..) => self.value(inner),
            Value::Plus(both)
            | Value::Minus(both)
            | Value::Times(both)
            | Value::Over(both)
            | Value::Smaller(both)
            | Value::Larger(both)
            | Value::Rounded(both, _) => {
                self.value(&both.0);
                self.value(&both.1);
            }
            Value::Known(_)
            | Value::Stake(_)
            | Value::Stakes(_)
            | Value::HowMany(_)
            | Value::Variable { .. }
            | Value::Least(_)
            | Value::Most(_) => {}
        }
    }
}

/// Returns the same comparison with its sides swapped.
fn turned(how: Compared) -> Compared {
    match how {
        Compared::Below => Compared::Above,
        Compared::AtMost => Compared::AtLeast,
        Compared::Above => Compared::Below,
        Compared::AtLeast => Compared::AtMost,
        Compared::Equal | Compared::Unequal => how,
    }
}

/// Returns the largest count that still makes a difference in a comparison with this many hundredths.
fn most(how: Compared, known: i64) -> i64 {
    match how {
        Compared::Below | Compared::AtLeast => known.saturating_add(99).div_euclid(100),
        Compared::AtMost | Compared::Above | Compared::Equal | Compared::Unequal => {
            known.div_euclid(100).saturating_add(1)
        }
    }
}
