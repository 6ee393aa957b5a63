//! Compiles a script into a program: names become slots, known values are computed, and each point gets its own list of operations.

use super::house::{House, NotHere};
use super::mistake::{Mistake, Mistakes, Wrong};
use super::program::{Behind, BehindEach, Op, Program, ROOM, Test, Value, Wants, bit, over, rounded, share, times};
use super::scope::spoken_of;
use super::script::{
    Act, Amount, Branch, Condition, Expression, Fate, Held, Names, OddsAmount, Order, Raise, Script, Sign, Statement,
    Steps, Turn, Way,
};
use super::watch::Watch;
use craps_dice::{Point, Total};
use craps_law::{Lower, OnOff, TableRules};
use craps_money::Money;
use craps_notation::talk::{Kind, Share, Which, dealers_unit};
use craps_table::{Board, Called, SlotId};
use craps_wagers::{Family, Phase, WagerId};
use std::ops::Range;

impl Script {
    /// Compiles the strategy for a table: every name becomes a slot of its board, and everything known in advance is computed.
    ///
    /// # Errors
    /// Everything that this house doesn't have or that can't be done, in the order of the lines.
    pub fn at(&self, board: &Board, rules: &TableRules) -> Result<Program, Mistakes> {
        let house = House::new(board, rules, self);
        let mut compiler = Compiler {
            script: self,
            house,
            wrongs: Vec::new(),
            known: Vec::new(),
            rows: Vec::new(),
            room: 0,
            phase: Phase::ComeOut,
            it: None,
            flats: Vec::new(),
            called: Vec::new(),
            happens: Vec::new(),
        };
        let (program, mut wrongs) = (compiler.program(), compiler.wrongs);
        wrongs.sort_by_key(|wrong| wrong.span.start);
        wrongs.dedup();
        if wrongs.is_empty() {
            return Ok(program);
        }
        let placed = wrongs.into_iter().map(|wrong| wrong.placed(&self.source, &self.text));
        Err(placed.collect::<Vec<Mistake>>().into())
    }
}

/// What a name of the strategy stands for at this table.
#[derive(Debug, Clone)]
enum Kept {
    Known(i64),
    Variable { at: usize, begins: i64 },
    List(Vec<i64>),
    Steps { at: usize, steps: Vec<i64> },
}

/// A count of wins or losses in a row.
struct Row {
    at: usize,
    won: bool,
    of: Vec<SlotId>,
}

struct Compiler<'a> {
    script: &'a Script,
    house: House<'a>,
    wrongs: Vec<Wrong>,
    known: Vec<Kept>,
    rows: Vec<Row>,
    /// How many places of the memory are in use.
    room: usize,
    phase: Phase,
    /// The bets that the enclosing condition is about.
    it: Option<(Vec<SlotId>, Fate)>,
    /// Known amounts bet on each wager.
    flats: Vec<(WagerId, i64)>,
    /// Bets that the strategy turns on or off anywhere.
    called: Vec<(SlotId, Called)>,
    /// Blocks that can happen at some point.
    happens: Vec<Range<usize>>,
}

type Made<T> = Result<T, Wrong>;

impl Compiler<'_> {
    fn program(&mut self) -> Program {
        let script = self.script;
        self.begin();
        self.look_ahead(&script.body);
        self.wrongs.clear();
        self.begin();
        let mut coming_out = self.listed(Phase::ComeOut);
        let mut point_on = Point::ALL.map(|point| self.listed(Phase::Point(point)));
        self.never_happen(&script.body);
        let mut watch = Watch::default();
        watch.all(&coming_out);
        point_on.iter().for_each(|todo| watch.all(todo));
        let first = self.first(&watch);
        watch.all(&first);
        coming_out.splice(0..0, first.clone());
        point_on.iter_mut().for_each(|todo| {
            todo.splice(0..0, first.clone());
        });
        let line = |slot: &SlotId| Kind::Line.covers(self.house.board.slot(*slot).wager.wager());
        Program {
            name: script.name.clone(),
            about: script.about.clone(),
            buy_in: script.buy_in.money().minor(),
            unit: script.unit.money().minor(),
            stop: script.stop.map(Money::minor),
            goal: script.goal.map(Money::minor),
            variables: self.variables(),
            reads: watch.reads(script.bets_per_shooter),
            cap: script.bets_per_shooter,
            coming_out,
            point_on,
            shoots: self.house.held.iter().any(line),
        }
    }

    fn variables(&self) -> Vec<(String, i64)> {
        let named = self.script.values.iter().zip(&self.known);
        named
            .filter_map(|(variable, kept)| match kept {
                Kept::Variable { begins, .. } => Some((variable.name.clone(), *begins)),
                Kept::Steps { steps, .. } => Some((variable.name.clone(), steps.first().copied().unwrap_or_default())),
                Kept::Known(_) | Kept::List(_) => None,
            })
            .collect()
    }

    fn note<T>(&mut self, made: Made<T>) -> Option<T> {
        made.map_err(|wrong| self.wrongs.push(wrong)).ok()
    }

    /// Returns the operations for one phase.
    fn listed(&mut self, phase: Phase) -> Vec<Op> {
        self.phase = phase;
        let script = self.script;
        self.body(&script.body)
    }

    // ---- names ----

    /// Sets the names of the strategy to their first values.
    fn begin(&mut self) {
        self.known.clear();
        self.rows.clear();
        self.room = 0;
        let script = self.script;
        for variable in &script.values {
            let kept = self.begins(&variable.is, &variable.span);
            let kept = self.note(kept).unwrap_or(Kept::Known(100));
            self.known.push(kept);
        }
    }

    fn begins(&mut self, held: &Held, span: &Range<usize>) -> Made<Kept> {
        Ok(match held {
            Held::Value { begins, set: false } => Kept::Known(self.constant(begins, span)?),
            Held::Value { begins, set: true } => {
                Kept::Variable { begins: self.constant(begins, span)?, at: self.place(span)? }
            }
            Held::List(values) => {
                Kept::List(values.iter().map(|value| self.constant(value, span)).collect::<Made<_>>()?)
            }
            Held::Progression { of, steps, .. } => {
                self.found(&of.span, self.house.of(of))?;
                let steps = match steps {
                    Steps::Doubling { from, count } => {
                        let from = self.constant(from, span)?;
                        let next = |step: &i64| Some(step.saturating_mul(2));
                        std::iter::successors(Some(from), next).take(*count).collect()
                    }
                    Steps::Adding { from, by, count } => {
                        let (from, by) = (self.constant(from, span)?, self.constant(by, span)?);
                        let next = |step: &i64| Some(step.saturating_add(by));
                        std::iter::successors(Some(from), next).take(*count).collect()
                    }
                    Steps::Listed(values) => {
                        values.iter().map(|value| self.constant(value, span)).collect::<Made<Vec<_>>>()?
                    }
                };
                if steps.iter().any(|step| *step <= 0) {
                    return Err(Wrong::new(span.clone(), "Every step must be above zero"));
                }
                Kept::Steps { at: self.place(span)?, steps }
            }
        })
    }

    fn constant(&mut self, expression: &Expression, span: &Range<usize>) -> Made<i64> {
        match self.value(expression, None, span)? {
            Value::Known(known) => Ok(known),
            _ => Err(Wrong::new(
                span.clone(),
                "A name's first value must be known before the first roll. Use numbers, `unit`, `buy-in` and earlier names",
            )),
        }
    }

    /// Takes a free place of the memory.
    fn place(&mut self, span: &Range<usize>) -> Made<usize> {
        if self.room >= ROOM {
            return Err(Wrong::new(span.clone(), format!("A strategy can remember at most {ROOM} values")));
        }
        self.room += 1;
        Ok(self.room - 1)
    }

    /// Returns the operations that come first: the steps of progressions, and the counts in a row.
    fn first(&mut self, watch: &Watch) -> Vec<Op> {
        let mut first = Vec::new();
        let script = self.script;
        for (variable, kept) in script.values.iter().zip(self.known.clone()) {
            if let (Held::Progression { of, on_win, on_loss, .. }, Kept::Steps { at, steps }) = (&variable.is, kept) {
                let slots = self.house.of(of).unwrap_or_default();
                let last = i64::try_from(steps.len()).unwrap_or(1) - 1;
                first.push(step(at, &slots, *on_win, *on_loss, last));
            }
        }
        for row in &self.rows {
            let (win, loss) = if row.won { (Turn::UpAndStay, Turn::Start) } else { (Turn::Start, Turn::UpAndStay) };
            first.push(step(row.at, &row.of, win, loss, watch.most(row.at)));
        }
        first
    }

    /// Collects the amounts bet and the bets turned on or off anywhere, which later steps need in advance.
    fn look_ahead(&mut self, body: &[Statement]) {
        for statement in body {
            match statement {
                Statement::If(branches) => branches.iter().for_each(|branch| self.look_ahead(&branch.body)),
                Statement::Order(Order { act: Act::Bet { bets, amount: Amount::Of(amount), .. }, span }) => {
                    let slots: Vec<SlotId> =
                        bets.iter().filter_map(|which| self.house.made(which).ok()).flatten().collect();
                    for slot in slots {
                        let wager = self.house.board.slot(slot).wager;
                        match self.value(amount, Some(slot), span) {
                            Ok(Value::Known(known)) => self.flats.push((wager, known)),
                            Ok(Value::Item(_, steps)) => self.flats.extend(steps.into_iter().map(|step| (wager, step))),
                            _ => {}
                        }
                    }
                }
                Statement::Order(Order { act: Act::Call { bets, called }, .. }) => {
                    let slots = bets.iter().filter_map(|which| self.house.standing(which).ok()).flatten();
                    let calls: Vec<(SlotId, Called)> = slots.map(|slot| (slot, *called)).collect();
                    self.called.extend(calls);
                }
                _ => {}
            }
        }
        self.flats.sort_unstable();
        self.flats.dedup();
        // More than this isn't worth searching.
        self.flats.truncate(64);
    }

    // ---- statements ----

    fn body(&mut self, body: &[Statement]) -> Vec<Op> {
        let mut todo = Vec::new();
        for statement in body {
            let made = match statement {
                Statement::If(branches) => {
                    let made = self.branches(branches);
                    todo.extend(made);
                    Ok(Vec::new())
                }
                Statement::Set(at, to, span) => self.set(*at, to, span),
                Statement::Quit => Ok(vec![Op::Quit]),
                Statement::Order(order) => self.order(order),
            };
            if let Some(ops) = self.note(made) {
                todo.extend(ops);
            }
        }
        todo
    }

    fn branches(&mut self, branches: &[Branch]) -> Vec<Op> {
        let Some((branch, others)) = branches.split_first() else { return Vec::new() };
        let test = match &branch.when {
            None => Test::Known(true),
            Some(condition) => {
                let test = self.test(condition, &branch.span);
                match self.note(test) {
                    Some(test) => test,
                    None => return Vec::new(),
                }
            }
        };
        let before = self.it.clone();
        if let Some((names, fate)) = branch.when.as_ref().and_then(spoken_of) {
            let slots: Vec<SlotId> = names.iter().filter_map(|names| self.house.of(names).ok()).flatten().collect();
            self.it = Some((slots, fate));
        }
        // Blocks that can't happen at this point are left out, together with their mistakes.
        let then = if test == Test::Known(false) {
            Vec::new()
        } else {
            self.happens.push(branch.span.clone());
            self.body(&branch.body)
        };
        self.it = before;
        if test == Test::Known(true) {
            return then;
        }
        let otherwise = self.branches(others);
        match test {
            Test::Known(_) => otherwise,
            _ if then.is_empty() && otherwise.is_empty() => Vec::new(),
            test => vec![Op::If(test, then, otherwise)],
        }
    }

    /// Reports blocks that can't happen at any point: something else was meant.
    fn never_happen(&mut self, body: &[Statement]) {
        for statement in body {
            let Statement::If(branches) = statement else { continue };
            for branch in branches {
                let of_the_point = branch.when.as_ref().is_none_or(super::script::Condition::is_of_the_point);
                if self.happens.contains(&branch.span) {
                    self.never_happen(&branch.body);
                } else if of_the_point && self.wrongs.is_empty() {
                    self.wrongs.push(Wrong::new(branch.span.clone(), "This can never happen, with any point"));
                }
            }
        }
    }

    fn set(&mut self, at: usize, to: &Expression, span: &Range<usize>) -> Made<Vec<Op>> {
        let to = self.value(to, None, span)?;
        match self.known.get(at) {
            Some(Kept::Variable { at, begins }) => Ok(vec![Op::Set { at: *at, begins: *begins, to }]),
            _ => Ok(Vec::new()),
        }
    }

    fn order(&mut self, order: &Order) -> Made<Vec<Op>> {
        let span = &order.span;
        match &order.act {
            Act::Bet { bets, amount, share } => self.bet(bets, amount, *share, span),
            Act::Odds { behind, amount, share } => self.odds(behind.as_ref(), amount, *share, span),
            Act::TakeDown { bets, amount } => self.each(bets, span, |this, slot, group| {
                Ok(match amount {
                    _ if group && !this.may_come_down(slot) => None,
                    Some(amount) => Some(Op::Take(slot, this.above_zero(amount, slot, span)?)),
                    None => Some(Op::Down(slot)),
                })
            }),
            Act::Press { bets, by } => self.each(bets, span, |this, slot, _| {
                Ok(Some(match by {
                    Raise::Double => Op::Double(slot),
                    Raise::Half => Op::AddHalf(slot),
                    Raise::By(amount) => Op::Add(slot, this.above_zero(amount, slot, span)?),
                    Raise::To(amount) => Op::RaiseTo(slot, this.amount(amount, slot, span)?),
                }))
            }),
            Act::Regress { bets, to } => self.each(bets, span, |this, slot, _| {
                Ok(Some(match to {
                    None => Op::Halve(slot),
                    Some(amount) => Op::LowerTo(slot, this.amount(amount, slot, span)?),
                }))
            }),
            Act::Move { from, to } => {
                let target = self.found(span, self.house.moved_to(from, to))?;
                self.each(std::slice::from_ref(from), span, |_, slot, _| Ok(Some(Op::Move(slot, target))))
            }
            // `same bet` does nothing, but the bets must be the strategy's.
            Act::Same { bets } => self.each(bets, span, |_, _, _| Ok(None)),
            Act::Call { bets, called } => {
                self.each(bets, span, |this, slot, group| Ok(this.call(slot, *called, group)))
            }
            Act::Tell { bets, after_win } => self.each(bets, span, |_, slot, _| Ok(Some(Op::Tell(slot, *after_win)))),
        }
    }

    fn found<T>(&self, span: &Range<usize>, found: Result<T, NotHere>) -> Made<T> {
        found.map_err(|not| Wrong::new(span.clone(), not.message).any_of(not.instead))
    }

    /// Makes one operation for each named bet. The last argument of `op` is true if the bet was named as one of a group.
    fn each(
        &mut self,
        bets: &[Which],
        span: &Range<usize>,
        mut op: impl FnMut(&mut Self, SlotId, bool) -> Made<Option<Op>>,
    ) -> Made<Vec<Op>> {
        let mut todo = Vec::new();
        for which in bets {
            let group = matches!(which, Which::All(_) | Which::Spread { .. } | Which::Combo(_) | Which::Odds(None));
            if let (Which::It, Some((slots, fate))) = (which, self.it.clone()) {
                for slot in slots {
                    let guard = match fate {
                        Fate::Won => Test::Won(slot),
                        Fate::Lost => Test::Lost(slot),
                        Fate::Stands => Test::Known(true),
                    };
                    let Some(op) = op(self, slot, false)? else { continue };
                    todo.push(if guard == Test::Known(true) { op } else { Op::If(guard, vec![op], Vec::new()) });
                }
                continue;
            }
            for slot in self.found(span, self.house.standing(which))? {
                todo.extend(op(self, slot, group)?);
            }
        }
        Ok(todo)
    }

    fn may_come_down(&self, slot: SlotId) -> bool {
        let place = self.house.board.slot(slot);
        let line = place.wager.wager().family == Family::Line;
        let point_on = matches!(self.phase, Phase::Point(_));
        match self.house.board.rules(self.house.rules, slot).lower.is {
            Lower::Never => false,
            Lower::UntilPointSet => !line || (place.number.is_none() && (!point_on || place.wager.wager().travels())),
            _ => true,
        }
    }

    /// Turns a bet on or off. Does nothing if that is its standard, unless the strategy calls it the other way somewhere: then the call is undone.
    fn call(&self, slot: SlotId, called: Called, group: bool) -> Option<Op> {
        let family = self.house.board.slot(slot).wager.wager().family;
        if group && matches!(family, Family::Line | Family::OneThrow | Family::Hop | Family::Shooter) {
            return None;
        }
        let (usual, other) = match self.house.board.rules(self.house.rules, slot).works.is.come_out {
            OnOff::On => (Called::On, Called::Off),
            OnOff::Off => (Called::Off, Called::On),
        };
        if called != usual {
            return Some(Op::Call(slot, called));
        }
        self.called.contains(&(slot, other)).then_some(Op::Call(slot, Called::Standard))
    }

    // ---- bets ----

    fn amount(&mut self, amount: &Amount, slot: SlotId, span: &Range<usize>) -> Made<Value> {
        match amount {
            Amount::Of(expression) => self.above_zero(expression, slot, span),
            Amount::Least => Ok(Value::Least(slot)),
            Amount::Most => {
                let rules = self.house.board.rules(self.house.rules, slot);
                if rules.odds.is_none() && rules.limits.is_none_or(|limits| limits.max.is_none()) {
                    let message = format!("{} has no maximum here. Say how much", self.house.name(slot));
                    return Err(Wrong::new(span.clone(), message));
                }
                Ok(Value::Most(slot))
            }
        }
    }

    fn above_zero(&mut self, amount: &Expression, slot: SlotId, span: &Range<usize>) -> Made<Value> {
        match self.value(amount, Some(slot), span)? {
            Value::Known(known) if known <= 0 => {
                let message = format!("That comes to {}. An amount must be above zero", Money::from_minor(known));
                Err(Wrong::new(span.clone(), message))
            }
            value => Ok(value),
        }
    }

    fn bet(&mut self, bets: &[Which], amount: &Amount, share: Share, span: &Range<usize>) -> Made<Vec<Op>> {
        if bets.iter().any(|which| matches!(which, Which::It | Which::All(_) | Which::Odds(_))) {
            return Err(Wrong::new(span.clone(), "Say which bet to make"));
        }
        let mut slots: Vec<SlotId> = Vec::new();
        for which in bets {
            slots.extend(self.found(span, self.house.made(which))?);
        }
        let together = match share {
            Share::Together => true,
            Share::Each => false,
            Share::Unsaid => slots.len() > 1 && bets.len() == 1 && matches!(amount, Amount::Of(_)),
        };
        if share == Share::Unsaid && bets.len() > 1 && matches!(amount, Amount::Of(_)) {
            let said = self.script.text.get(span.clone()).unwrap_or_default();
            return Err(Wrong::new(span.clone(), "Is that on each bet, or on all together?").or(format!("{said} each")));
        }
        // Dealers leave the point out of several numbers if the amount is for each, or if the total divides evenly without it.
        if let ([Which::Spread { .. }], Phase::Point(point)) = (bets, self.phase) {
            let others: Vec<SlotId> =
                slots.iter().copied().filter(|slot| self.house.point_of(*slot) != Some(point)).collect();
            let fits = match amount {
                Amount::Of(total) if together => {
                    match (self.value(total, None, span)?, parts_sum(&self.parts(&others))) {
                        (Value::Known(total), sum) => sum > 0 && total % sum == 0,
                        _ => false,
                    }
                }
                _ => true,
            };
            if fits && !others.is_empty() {
                slots = others;
            }
        }
        if !together {
            let each = |slot: &SlotId| Ok(Op::Have(*slot, self.amount(amount, *slot, span)?));
            return slots.iter().map(each).collect();
        }
        let Amount::Of(total) = amount else {
            return Err(Wrong::new(span.clone(), "The minimum and the maximum apply to each bet, not to all together"));
        };
        let (parts, total) = (self.parts(&slots), self.value(total, None, span)?);
        let sum = parts_sum(&parts);
        if let Value::Known(total) = total
            && (total <= 0 || sum <= 0 || total % sum != 0)
        {
            let around = [total / sum.max(1) * sum, (total / sum.max(1) + 1) * sum].map(Money::from_minor);
            let near: Vec<String> = around.iter().filter(|sum| **sum > Money::ZERO).map(ToString::to_string).collect();
            let message = format!(
                "{} doesn't divide evenly over {} bets. {} would",
                Money::from_minor(total),
                slots.len(),
                near.join(" or ")
            );
            return Err(Wrong::new(span.clone(), message));
        }
        let op = |(slot, part): (&SlotId, i64)| {
            let amount = match &total {
                Value::Known(total) => Value::Known(self::share(*total, sum, part)),
                total => Value::Share(Box::new(total.clone()), sum, part),
            };
            Op::Have(*slot, amount)
        };
        Ok(slots.iter().zip(parts).map(op).collect())
    }

    /// Returns the parts in which dealers divide an amount, in minor units.
    fn parts(&self, slots: &[SlotId]) -> Vec<i64> {
        let place_win = |slot: &SlotId| self.house.board.slot(*slot).wager.wager().family == Family::PlaceWin;
        let by_number = slots.iter().all(place_win);
        let chip = self.house.rules.rounding.chip.minor();
        let part = |slot: &SlotId| {
            let units = if by_number { dealers_unit(self.house.board.rules(self.house.rules, *slot)) } else { 1 };
            i64::try_from(chip.saturating_mul(units)).unwrap_or(i64::MAX)
        };
        slots.iter().map(part).collect()
    }

    fn odds(
        &mut self,
        behind: Option<&Which>,
        amount: &OddsAmount,
        share: Share,
        span: &Range<usize>,
    ) -> Made<Vec<Op>> {
        let found = match (behind, &self.it) {
            (Some(Which::It), Some((slots, _))) => {
                slots.iter().filter_map(|slot| self.house.board.slot(*slot).odds).collect()
            }
            _ => self.found(span, self.house.behind(behind))?,
        };
        let exact = matches!(amount, OddsAmount::Of(Amount::Of(_)));
        let by_kind = behind.is_some_and(|which| matches!(which, Which::All(_)));
        if exact && found.len() > 1 && share != Share::Each && (by_kind || behind.is_none()) {
            let said = self.script.text.get(span.clone()).unwrap_or_default();
            let instead = match said.split_once(" on ") {
                Some((amount, bets)) => format!("{amount} on every {}", bets.trim_end_matches('s')),
                None => format!("{said} on the pass line"),
            };
            return Err(Wrong::new(span.clone(), "Odds on which bet, or on each?").or(instead));
        }
        let mut all = Vec::new();
        for odds in found {
            let place = self.house.board.slot(odds);
            let Some(front) = place.front else { continue };
            // Odds behind the line are on the point. Without a point there are none.
            let number = match (place.number, self.phase) {
                (Some(number), _) => number,
                (None, Phase::Point(point)) => point,
                (None, _) => continue,
            };
            let wager = self.house.board.slot(front).wager;
            let flats: Vec<i64> = self.flats.iter().filter(|(of, _)| *of == wager).map(|(_, flat)| *flat).collect();
            let terms = self.house.odds_on(odds, number);
            let by_times = |count: u32| {
                let (top, bottom, multiple) = terms.as_ref()?.times(count);
                let wants = Wants::Times { top, bottom, multiple };
                let known = flats.iter().map(|flat| (*flat, wants.of(*flat).unwrap_or_default())).collect();
                Some((known, wants))
            };
            let wanted = match amount {
                OddsAmount::Of(Amount::Most) => {
                    let known = |flat: &i64| Some((*flat, terms.as_ref()?.most(*flat)?));
                    Some((flats.iter().filter_map(known).collect(), Wants::Most))
                }
                OddsAmount::Of(amount) => Some((Vec::new(), Wants::Amount(self.amount(amount, odds, span)?))),
                OddsAmount::Times(count) => by_times(*count),
                OddsAmount::ByNumber([outer, middle, inner]) => match number {
                    Point::Four | Point::Ten => by_times(*outer),
                    Point::Five | Point::Nine => by_times(*middle),
                    Point::Six | Point::Eight => by_times(*inner),
                    _ => None,
                },
            };
            if let Some((known, wants)) = wanted {
                all.push(Behind { front, odds, known, wants });
            }
        }
        Ok(BehindEach::in_order(all).into_iter().map(Op::Odds).collect())
    }

    // ---- conditions ----

    fn test(&mut self, condition: &Condition, span: &Range<usize>) -> Made<Test> {
        Ok(match condition {
            Condition::ComingOut => Test::Known(!matches!(self.phase, Phase::Point(_))),
            Condition::PointOn => Test::Known(matches!(self.phase, Phase::Point(_))),
            Condition::PointIs(numbers) => {
                Test::Known(matches!(self.phase, Phase::Point(point) if numbers.contains(&point.value())))
            }
            Condition::NewShooter if matches!(self.phase, Phase::Point(_)) => Test::Known(false),
            Condition::NewShooter => Test::NewShooter,
            Condition::Thrown(numbers) => {
                let totals = numbers.iter().filter_map(|number| Total::from_value(*number));
                Test::Thrown(totals.fold(0, |bits, total| bits | bit(total)))
            }
            Condition::Fate(names, fate) => {
                let mut slots = Vec::new();
                for names in names {
                    slots.extend(self.slots(names)?);
                }
                match fate {
                    Fate::Won => any(slots.into_iter().map(Test::Won).collect()),
                    Fate::Lost => any(slots.into_iter().map(Test::Lost).collect()),
                    Fate::Stands => Test::Stands(slots.into_iter().collect()),
                }
            }
            Condition::Compare(left, how, right) => {
                let (left, right) = (self.value(left, None, span)?, self.value(right, None, span)?);
                match (&left, &right) {
                    (Value::Known(left), Value::Known(right)) => Test::Known(how.holds(*left, *right)),
                    _ => Test::Compare(left, *how, right),
                }
            }
            Condition::Not(inner) => match self.test(inner, span)? {
                Test::Known(known) => Test::Known(!known),
                test => Test::Not(Box::new(test)),
            },
            Condition::All(inner) => {
                let tests = inner.iter().map(|inner| self.test(inner, span)).collect::<Made<Vec<_>>>()?;
                all(tests)
            }
            Condition::Any(inner) => {
                let tests = inner.iter().map(|inner| self.test(inner, span)).collect::<Made<Vec<_>>>()?;
                any(tests)
            }
        })
    }

    fn slots(&self, names: &Names) -> Made<Vec<SlotId>> {
        match (&names.which, &self.it) {
            (Which::It, Some((slots, _))) => Ok(slots.clone()),
            _ => self.found(&names.span, self.house.of(names)),
        }
    }

    // ---- numbers ----

    fn value(&mut self, expression: &Expression, its: Option<SlotId>, span: &Range<usize>) -> Made<Value> {
        Ok(match expression {
            Expression::Number(number) => Value::Known(*number),
            Expression::Unit => Value::Known(self.script.unit.money().minor()),
            Expression::BuyIn => Value::Known(self.script.buy_in.money().minor()),
            Expression::Variable(at) => match self.known.get(*at) {
                Some(Kept::Known(known)) => Value::Known(*known),
                Some(Kept::Variable { at, begins }) => Value::Variable { at: *at, begins: *begins },
                Some(Kept::Steps { at, steps }) => {
                    // Steps count from 0 in the memory, and from 1 in a list.
                    let place = Value::Plus(Box::new((Value::Row(*at), Value::Known(100))));
                    Value::Item(Box::new(place), steps.clone())
                }
                Some(Kept::List(_)) | None => Value::Known(0),
            },
            Expression::Item(list, at) => {
                let steps = match self.known.get(*list) {
                    Some(Kept::List(steps)) => steps.clone(),
                    _ => Vec::new(),
                };
                match self.value(at, its, span)? {
                    Value::Known(at) => {
                        let place = usize::try_from(at / 100 - 1).unwrap_or_default();
                        Value::Known(steps.get(place).or(steps.last()).copied().unwrap_or_default())
                    }
                    at => Value::Item(Box::new(at), steps),
                }
            }
            Expression::Counter(counter) => Value::Counter(*counter),
            Expression::Rail => Value::Rail,
            Expression::Net => Value::Net,
            Expression::Peak => Value::Peak,
            Expression::PeakRail => {
                Value::Plus(Box::new((Value::Peak, Value::Known(self.script.buy_in.money().minor()))))
            }
            Expression::Row { won, of } => self.row(*won, of.as_ref(), span)?,
            Expression::HowMany(names) => Value::HowMany(self.slots(names)?.into_iter().collect()),
            Expression::AmountOn(names) => {
                let slots = self.slots(names)?;
                match slots[..] {
                    [one] => Value::Stake(one),
                    _ => Value::Stakes(slots),
                }
            }
            Expression::WinOn(names) => Value::Win(self.slots(names)?),
            Expression::ItsAmount => Value::Stake(self.its(its, span)?),
            Expression::ItsWin => Value::Win(vec![self.its(its, span)?]),
            Expression::Arithmetic(parts, span) => {
                let (left, sign, right) = &**parts;
                let (left, right) = (self.value(left, its, span)?, self.value(right, its, span)?);
                if let (Sign::Over, Value::Known(0)) = (sign, &right) {
                    return Err(Wrong::new(span.clone(), "Can't divide by zero"));
                }
                match (left, right) {
                    (Value::Known(left), Value::Known(right)) => Value::Known(match sign {
                        Sign::Plus => left.saturating_add(right),
                        Sign::Minus => left.saturating_sub(right),
                        Sign::Times => times(left, right),
                        Sign::Over => over(left, right),
                    }),
                    (left, right) => {
                        let both = Box::new((left, right));
                        match sign {
                            Sign::Plus => Value::Plus(both),
                            Sign::Minus => Value::Minus(both),
                            Sign::Times => Value::Times(both),
                            Sign::Over => Value::Over(both),
                        }
                    }
                }
            }
            Expression::Rounded(inner, way, to) => {
                let inner = self.value(inner, its, span)?;
                match to {
                    Some(to) => match (inner, self.value(to, its, span)?) {
                        (Value::Known(inner), Value::Known(to)) => Value::Known(rounded(inner, to, *way)),
                        (inner, to) => Value::Rounded(Box::new((inner, to)), *way),
                    },
                    None => match its {
                        Some(slot) => Value::RoundedFor(Box::new(inner), *way, slot),
                        None => return Err(not_rounded(*way, span)),
                    },
                }
            }
            Expression::AtMost(both) => match (self.value(&both.0, its, span)?, self.value(&both.1, its, span)?) {
                (Value::Known(left), Value::Known(right)) => Value::Known(left.min(right)),
                both => Value::Smaller(Box::new(both)),
            },
            Expression::AtLeast(both) => match (self.value(&both.0, its, span)?, self.value(&both.1, its, span)?) {
                (Value::Known(left), Value::Known(right)) => Value::Known(left.max(right)),
                both => Value::Larger(Box::new(both)),
            },
        })
    }

    fn its(&self, its: Option<SlotId>, span: &Range<usize>) -> Made<SlotId> {
        let message = "`its` only works in an order. Say which bet";
        its.ok_or_else(|| Wrong::new(span.clone(), message).or("win on the six"))
    }

    fn row(&mut self, won: bool, of: Option<&Names>, span: &Range<usize>) -> Made<Value> {
        let slots = match of {
            Some(names) => self.slots(names)?,
            // The bet that the strategy makes first.
            None => {
                let first = self.house.held.first().map(|slot| self.house.board.slot(*slot).wager);
                let same = |slot: &SlotId| Some(self.house.board.slot(*slot).wager) == first;
                self.house.held.iter().copied().filter(same).collect()
            }
        };
        if let Some(row) = self.rows.iter().find(|row| row.won == won && row.of == slots) {
            return Ok(Value::Row(row.at));
        }
        let at = self.place(span)?;
        self.rows.push(Row { at, won, of: slots });
        Ok(Value::Row(at))
    }
}

fn not_rounded(way: Way, span: &Range<usize>) -> Wrong {
    let way = match way {
        Way::Up => " up",
        Way::Down => " down",
        Way::Nearest => "",
    };
    Wrong::new(span.clone(), "Rounded to what? Only a bet's own amount can be rounded to what pays exactly")
        .or(format!("rounded{way} to 6"))
}

fn parts_sum(parts: &[i64]) -> i64 {
    parts.iter().copied().fold(0, i64::saturating_add)
}

fn step(at: usize, slots: &[SlotId], on_win: Turn, on_loss: Turn, last: i64) -> Op {
    let won = any(slots.iter().copied().map(Test::Won).collect());
    let lost = any(slots.iter().copied().map(Test::Lost).collect());
    Op::Step { at, won, lost, on_win, on_loss, last }
}

/// Combines tests with "and", and drops the known ones.
fn all(mut tests: Vec<Test>) -> Test {
    if tests.contains(&Test::Known(false)) {
        return Test::Known(false);
    }
    tests.retain(|test| *test != Test::Known(true));
    match tests.len() {
        0 => Test::Known(true),
        1 => tests.swap_remove(0),
        _ => Test::All(tests),
    }
}

/// Combines tests with "or", and drops the known ones.
fn any(mut tests: Vec<Test>) -> Test {
    if tests.contains(&Test::Known(true)) {
        return Test::Known(true);
    }
    tests.retain(|test| *test != Test::Known(false));
    match tests.len() {
        0 => Test::Known(false),
        1 => tests.swap_remove(0),
        _ => Test::Any(tests),
    }
}
