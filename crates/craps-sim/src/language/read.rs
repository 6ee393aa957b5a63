//! Reads a text into a script: lines, headers and blocks.

use super::amounts::expression;
use super::conditions::condition;
use super::mistake::{Mistake, Mistakes, Wrong, near};
use super::orders::orders;
use super::progressions::progression;
use super::scope::{Scope, is_taken, whole};
use super::script::{Branch, Expression, Held, Script, Statement, Variable};
use super::tokens::{Shape, Token, Written, lines, tokens};
use craps_money::{Money, Stake};
use std::ops::Range;

/// How deep brackets or blocks can be nested.
const DEEPEST: usize = 16;
/// Maximum number of cases of one `if`.
const MOST_BRANCHES: usize = 64;
/// Maximum length of a text, in bytes.
const LONGEST: usize = 20_000;

/// The words that a line without indentation can begin with.
pub(crate) const KEYS: [&str; 16] = [
    "strategy",
    "about",
    "from",
    "buy-in",
    "unit",
    "stop",
    "goal",
    "book",
    "house",
    "at most",
    "let",
    "progression",
    "quit when",
    "when",
    "always",
    "otherwise",
];

/// The keys that make what follows depend on a condition, or say that nothing does. The others state facts.
const CLAUSES: [&str; 6] = ["when", "quit when", "always", "otherwise", "if", "otherwise if"];

/// The keyword at the beginning of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Keyword {
    /// Its place in the line, in bytes.
    pub(crate) span: Range<usize>,
    /// True if it begins a clause, false if it states a fact.
    pub(crate) is_clause: bool,
}

/// Finds the keyword that a line begins with. An indented line can begin with other words than one at the margin.
pub(crate) fn keyword(line: &str) -> Option<Keyword> {
    let indented = line.starts_with(char::is_whitespace);
    let words = tokens(line, 0..line.len());
    let (key, length) = if indented { inner_key(&words)? } else { key(&words)? };
    let span = words.first()?.span.start..words.get(length - 1)?.span.end;
    Some(Keyword { span, is_clause: CLAUSES.contains(&key) })
}

/// Returns the key at the beginning of a line without indentation, and the number of its words.
fn key(words: &[Token]) -> Option<(&'static str, usize)> {
    match (words.first()?.text.as_str(), words.get(1).map(|second| second.text.as_str())) {
        ("buy", Some("in")) => Some(("buy-in", 2)),
        ("quit" | "leave", Some("when" | "if")) => Some(("quit when", 2)),
        ("at", Some("most")) => Some(("at most", 2)),
        (key, _) => KEYS.into_iter().find(|known| *known == key).map(|key| (key, 1)),
    }
}

/// Returns the key at the beginning of a line inside a block, and the number of its words.
fn inner_key(words: &[Token]) -> Option<(&'static str, usize)> {
    match (words.first()?.text.as_str(), words.get(1)) {
        ("if", _) => Some(("if", 1)),
        ("otherwise" | "else", Some(second)) if second.is("if") => Some(("otherwise if", 2)),
        ("otherwise" | "else", _) => Some(("otherwise", 1)),
        _ => None,
    }
}

impl Script {
    /// Reads a strategy. `source` is the name of the text in error messages.
    ///
    /// ```
    /// use craps_sim::language::Script;
    /// let script = Script::read("mine.strategy", "strategy Mine\nbuy-in 100\nunit 5\nalways\n    field for unit\n")?;
    /// assert_eq!(script.name, "Mine");
    /// # Ok::<(), craps_sim::language::Mistakes>(())
    /// ```
    ///
    /// # Errors
    /// All mistakes in the text, in the order of its lines.
    pub fn read(source: &str, text: &str) -> Result<Script, Mistakes> {
        if text.len() > LONGEST {
            let wrong = Wrong::new(0..0, format!("A strategy can have at most {LONGEST} characters"));
            return Err(vec![wrong.placed(source, text)].into());
        }
        let mut reader = Reader { text, heads: Heads::default(), variables: Vec::new(), wrongs: Vec::new() };
        let all = lines(text);
        reader.declare(&all);
        let body = reader.top(&all);
        let script = reader.script(source, body);
        let mut wrongs = reader.wrongs;
        wrongs.sort_by_key(|wrong| wrong.span.start);
        match script {
            Some(script) if wrongs.is_empty() => Ok(script),
            _ => {
                let placed = wrongs.into_iter().map(|wrong| wrong.placed(source, text));
                Err(placed.collect::<Vec<Mistake>>().into())
            }
        }
    }
}

/// The values of the header lines.
#[derive(Debug, Default)]
struct Heads {
    seen: Vec<&'static str>,
    name: String,
    about: String,
    from: String,
    buy_in: Option<Stake>,
    unit: Option<Stake>,
    stop: Option<(Range<usize>, bool, i64)>,
    goal: Option<(Range<usize>, bool, i64)>,
    bets_per_shooter: Option<u32>,
    book: Option<String>,
    house: Option<String>,
}

struct Reader<'a> {
    text: &'a str,
    heads: Heads,
    variables: Vec<Variable>,
    wrongs: Vec<Wrong>,
}

type Read<T> = Result<T, Wrong>;

impl<'a> Reader<'a> {
    fn note<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|wrong| self.wrongs.push(wrong)).ok()
    }

    fn said(&self, span: &Range<usize>) -> &'a str {
        self.text.get(span.clone()).unwrap_or_default()
    }

    fn scope(&self, bets_are_amounts: bool) -> Scope<'_> {
        Scope { text: self.text, variables: &self.variables, bets_are_amounts }
    }

    // ---- names ----

    /// Collects the names that the strategy defines, so that any line can use them.
    fn declare(&mut self, all: &[Written]) {
        for line in all {
            let words = tokens(self.text, line.span.clone());
            let [key, name, ..] = &words[..] else { continue };
            if line.indent > 0 || !(key.is("let") || key.is("progression")) {
                continue;
            }
            let word = self.said(&name.span);
            let wrong = |message: String| Wrong::new(name.span.clone(), message);
            let checked = if name.shape != Shape::Word || name.number().is_some() {
                Err(wrong(format!("`{word}` can't be a name. Use a word of your own")).or("stake"))
            } else if is_taken(&name.text) {
                Err(wrong(format!("`{word}` already has a meaning. Use a word of your own"))
                    .or(format!("my_{}", name.text)))
            } else if self.variables.iter().any(|known| known.name == name.text) {
                Err(wrong(format!("`{word}` is already defined")))
            } else {
                Ok(())
            };
            if self.note(checked).is_some() {
                // A list must be known as one before its items are read.
                let is = if key.is("let") && words.iter().any(|token| token.is(",")) {
                    Held::List(Vec::new())
                } else {
                    Held::Value { begins: Expression::Number(0), set: false }
                };
                self.variables.push(Variable { name: name.text.clone(), span: name.span.clone(), is });
            }
        }
    }

    fn declared(&mut self, key: &Token, words: &[Token], line: &Written) -> Read<()> {
        let name = words.first().ok_or_else(|| missing(line, self.text, "a name"))?;
        let Some(at) = self.variables.iter().position(|known| known.span == name.span) else { return Ok(()) };
        let is = words.get(1).filter(|sign| sign.is("=") || sign.is("is") || sign.is("be"));
        let Some(is) = is else {
            let after = words.get(1).unwrap_or(name);
            return Err(Wrong::new(after.span.clone(), "Expected `=` and a value after the name").or(format!(
                "{} {} = unit",
                key.text,
                self.said(&name.span)
            )));
        };
        // The first value of a name can only use the names before it.
        let (before, _) = self.variables.split_at(at);
        let scope = Scope { text: self.text, variables: before, bets_are_amounts: false };
        let rest = &words[2..];
        shallow(rest)?;
        let held = if key.is("let") {
            let parts: Vec<&[Token]> = rest.split(|token| token.is(",")).collect();
            let values = parts
                .iter()
                .map(|part| whole(part, scope, expression, is.span.clone()))
                .collect::<Read<Vec<Expression>>>()?;
            match <[Expression; 1]>::try_from(values) {
                Ok([begins]) => Held::Value { begins, set: false },
                Err(values) => Held::List(values),
            }
        } else {
            whole(rest, scope, progression, is.span.clone())?
        };
        if let Some(variable) = self.variables.get_mut(at) {
            variable.is = held;
        }
        Ok(())
    }

    // ---- lines that are not indented ----

    fn top(&mut self, all: &[Written]) -> Vec<Statement> {
        let mut body: Vec<Statement> = Vec::new();
        let mut at = 0;
        // Read the names first: their kinds decide how earlier lines are read.
        for line in all.iter().filter(|line| line.indent == 0) {
            let words = tokens(self.text, line.span.clone());
            if let [key, rest @ ..] = &words[..]
                && (key.is("let") || key.is("progression"))
            {
                let read = self.declared(key, rest, line);
                self.note(read);
            }
        }
        while let Some(line) = all.get(at) {
            let inner = all[at + 1..].iter().take_while(|inner| inner.indent > line.indent).count();
            let below = &all[at + 1..at + 1 + inner];
            let read = self.line(line, below, &mut body);
            self.note(read);
            at += 1 + inner;
        }
        body
    }

    fn line(&mut self, line: &Written, below: &[Written], body: &mut Vec<Statement>) -> Read<()> {
        let words = tokens(self.text, line.span.clone());
        let Some(first) = words.first() else { return Ok(()) };
        let Some((key, length)) = key(&words) else { return Err(self.no_key(first, line)) };
        let rest = &words[length..];
        let value = rest.first().map_or(line.span.end..line.span.end, |next| next.span.start..line.span.end);
        match key {
            "when" | "always" => {
                let block = self.block(key, first, rest, line, below)?;
                body.push(Statement::If(vec![block]));
                return Ok(());
            }
            "otherwise" => {
                return Err(Wrong::new(first.span.clone(), "`otherwise` only works after an `if`. Use another `when`")
                    .or("when"));
            }
            "quit when" => {
                shallow(rest)?;
                let when = whole(rest, self.scope(true), condition, first.span.clone())?;
                body.push(Statement::If(vec![Branch {
                    span: line.span.clone(),
                    when: Some(when),
                    body: vec![Statement::Quit],
                }]));
            }
            "let" | "progression" => {}
            "about" | "from" => {
                let mut text = self.said(&value).to_owned();
                for more in below {
                    text = format!("{text} {}", self.said(&more.span));
                }
                let text = text.trim().to_owned();
                self.once(if key == "about" { "about" } else { "from" }, first)?;
                *(if key == "about" { &mut self.heads.about } else { &mut self.heads.from }) = text;
                return Ok(());
            }
            _ => self.head(key, first, rest, &value)?,
        }
        match below.first() {
            Some(below) => Err(Wrong::new(
                below.span.clone(),
                format!("`{key}` can't have lines below it. Put orders under `when` or `always`"),
            )),
            None => Ok(()),
        }
    }

    /// Returns the mistake for a line that doesn't begin with a keyword.
    fn no_key(&self, first: &Token, line: &Written) -> Wrong {
        let word = self.said(&first.span);
        let near = near(&first.text, KEYS.iter().copied().chain(["buyin", "if"]));
        if let Some(near) = near.first() {
            let near = if *near == "buyin" { "buy-in" } else { near };
            return Wrong::new(first.span.clone(), format!("Unknown word `{word}`")).or(near);
        }
        let scope = self.scope(false);
        let words = tokens(self.text, line.span.clone());
        let is_order = first.is("if") || first.is("set") || orders(&words, scope).is_ok();
        if is_order {
            let message = "An order must be indented under `when …` or `always`";
            return Wrong::new(first.span.clone(), message).or(format!("always: {}", self.said(&line.span)));
        }
        let keys = KEYS.iter().take(15).map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        Wrong::new(first.span.clone(), format!("A line can't begin with `{word}`. Expected one of {keys}"))
    }

    fn once(&mut self, key: &'static str, first: &Token) -> Read<()> {
        if self.heads.seen.contains(&key) {
            return Err(Wrong::new(first.span.clone(), format!("There is already a `{key}` line")));
        }
        self.heads.seen.push(key);
        Ok(())
    }

    fn head(&mut self, key: &'static str, first: &Token, rest: &[Token], value: &Range<usize>) -> Read<()> {
        self.once(key, first)?;
        let words = self.said(value).to_owned();
        let none = || Wrong::new(first.span.clone(), format!("`{key}` needs a value"));
        match key {
            "strategy" if words.is_empty() => return Err(none().or("strategy Mine")),
            "strategy" => self.heads.name = words,
            "book" if words.is_empty() || words.contains(' ') => {
                return Err(Wrong::new(first.span.clone(), "Expected the name of one book after `book`"));
            }
            "book" => self.heads.book = Some(words),
            "house" if !words.contains('=') => return Err(none().or("house offer=buy,lay")),
            "house" => self.heads.house = Some(words),
            "buy-in" => self.heads.buy_in = Some(stake(key, first, rest)?),
            "unit" => self.heads.unit = Some(stake(key, first, rest)?),
            "stop" | "goal" => {
                let rest =
                    rest.strip_prefix(&rest[..usize::from(rest.first().is_some_and(|at| at.is("at")))]).unwrap_or(rest);
                let (signed, number) = match rest {
                    [sign, number] if sign.is("-") => (true, -whole_number(key, first, number)?),
                    [sign, number] if sign.is("+") => (true, whole_number(key, first, number)?),
                    [number] => (false, whole_number(key, first, number)?),
                    _ => return Err(none().or(if key == "stop" { "stop -300" } else { "goal +300" })),
                };
                let found = Some((first.span.start..value.end, signed, number));
                *(if key == "stop" { &mut self.heads.stop } else { &mut self.heads.goal }) = found;
            }
            _ => {
                let count = match rest {
                    [number, bets, per, shooter]
                        if (bets.is("bets") || bets.is("bet"))
                            && (per.is("per") || per.is("a"))
                            && shooter.is("shooter") =>
                    {
                        number
                            .number()
                            .filter(|number| number % 100 == 0)
                            .and_then(|number| u32::try_from(number / 100).ok())
                    }
                    _ => None,
                };
                let wrong = || {
                    Wrong::new(first.span.start..value.end.max(first.span.end), "Expected a number of bets per shooter")
                };
                self.heads.bets_per_shooter = Some(count.ok_or_else(|| wrong().or("at most 3 bets per shooter"))?);
            }
        }
        Ok(())
    }

    // ---- blocks ----

    /// Reads a line that opens a block: its condition, and its orders on the line or below it.
    fn block(&mut self, key: &str, first: &Token, rest: &[Token], line: &Written, below: &[Written]) -> Read<Branch> {
        let colon = rest.iter().position(|token| token.is(":"));
        let (when, then) = rest.split_at(colon.unwrap_or(rest.len()));
        let then = then.get(1..).unwrap_or_default();
        if colon.is_none()
            && let Some(wrong) = self.no_colon(line, when)
        {
            return Err(wrong);
        }
        let when = match key {
            "always" => match when.first() {
                Some(word) => {
                    let message = format!("`{key}` takes no condition");
                    return Err(Wrong::new(word.span.clone(), message)
                        .or(format!("when {}", self.said(&(word.span.start..line.span.end)))));
                }
                None => Ok(None),
            },
            _ => shallow(when).and_then(|()| whole(when, self.scope(true), condition, first.span.clone())).map(Some),
        };
        // Report a mistake in the condition, and still read the orders.
        let when = self.note(when);
        let mut body = Vec::new();
        self.parts(then, &mut body);
        self.below(below, &mut body, 1);
        if body.is_empty() && self.wrongs.is_empty() {
            let message = format!("There is no order here. Put orders after a `:`, or indented below `{key}`");
            return Err(Wrong::new(line.span.clone(), message));
        }
        Ok(Branch { span: line.span.clone(), when: when.flatten(), body })
    }

    /// Finds a line where an order follows the condition without a colon.
    fn no_colon(&self, line: &Written, rest: &[Token]) -> Option<Wrong> {
        shallow(rest).ok()?;
        let nowhere = || line.span.clone();
        let parts = |at: usize| {
            let is_condition = at == 0 || whole(&rest[..at], self.scope(true), condition, nowhere()).is_ok();
            is_condition && orders(&rest[at..], self.scope(false)).is_ok()
        };
        // Long lines aren't tried at every word.
        let at = (0..rest.len().min(24)).find(|at| parts(*at))?;
        let order = rest.get(at)?.span.start;
        let before = self.said(&(line.span.start..order)).trim_end();
        let instead = format!("{before}: {}", self.said(&(order..line.span.end)));
        Some(Wrong::new(order..line.span.end, "Expected a `:` before this").or(instead))
    }

    /// Reads orders separated by semicolons.
    fn parts(&mut self, words: &[Token], body: &mut Vec<Statement>) {
        for part in words.split(|token| token.is(";")).filter(|part| !part.is_empty()) {
            let read = self.part(part);
            if let Some(statements) = self.note(read) {
                body.extend(statements);
            }
        }
    }

    fn part(&mut self, part: &[Token]) -> Read<Vec<Statement>> {
        shallow(part)?;
        let Some(first) = part.first() else { return Ok(Vec::new()) };
        if first.is("if") || first.is("when") {
            return Err(Wrong::new(first.span.clone(), "Put this condition on a line of its own"));
        }
        if first.is("set") {
            return self.set(first, &part[1..]).map(|statement| vec![statement]);
        }
        orders(part, self.scope(false))
    }

    /// Reads `set level to level + 1`.
    fn set(&mut self, first: &Token, rest: &[Token]) -> Read<Statement> {
        let [name, to, value @ ..] = rest else {
            return Err(
                Wrong::new(first.span.clone(), "Say which value to set, and to what").or("set level to level + 1")
            );
        };
        let word = self.said(&name.span);
        let Some(at) = self.scope(false).variable(&name.text) else {
            let message = format!("No `let` defines `{word}`");
            let near = near(&name.text, self.variables.iter().map(|known| known.name.as_str()));
            return Err(
                Wrong::new(name.span.clone(), message).any_of(near.into_iter().take(3).map(str::to_owned).collect())
            );
        };
        if !(to.is("to") || to.is("=")) {
            return Err(Wrong::new(to.span.clone(), "Expected `to` before the value").or(format!("set {word} to")));
        }
        let value = whole(value, self.scope(true), expression, to.span.clone())?;
        match self.variables.get_mut(at).map(|known| &mut known.is) {
            Some(Held::Value { set, .. }) => *set = true,
            _ => {
                return Err(Wrong::new(
                    name.span.clone(),
                    format!("`{word}` isn't a single value, so it can't be set"),
                ));
            }
        }
        Ok(Statement::Set(at, value, first.span.start..rest.last().map_or(first.span.end, |last| last.span.end)))
    }

    /// Reads the lines of a block.
    fn below(&mut self, all: &[Written], body: &mut Vec<Statement>, depth: usize) {
        let Some(indent) = all.first().map(|line| line.indent) else { return };
        if depth > DEEPEST {
            let span = all.first().map_or(0..0, |line| line.span.clone());
            self.wrongs.push(Wrong::new(span, format!("Blocks can be nested at most {DEEPEST} deep")));
            return;
        }
        let mut at = 0;
        while let Some(line) = all.get(at) {
            let inner = all[at + 1..].iter().take_while(|inner| inner.indent > indent).count();
            let below = &all[at + 1..at + 1 + inner];
            at += 1 + inner;
            if line.indent < indent {
                let message = "The indentation of this line matches no block above it";
                self.wrongs.push(Wrong::new(line.span.clone(), message));
            }
            let words = tokens(self.text, line.span.clone());
            let Some(first) = words.first() else { continue };
            match inner_key(&words) {
                Some(("if", _)) => {
                    if let Some(branch) = self.branch("if", first, &words[1..], line, below, depth) {
                        body.push(Statement::If(vec![branch]));
                    }
                }
                Some((key, length)) => {
                    let key = if key == "otherwise if" { "if" } else { "otherwise" };
                    let branch = self.branch(key, first, &words[length..], line, below, depth);
                    match (body.last_mut(), branch) {
                        (Some(Statement::If(branches)), Some(_)) if branches.len() >= MOST_BRANCHES => {
                            let message = format!("An `if` can have at most {MOST_BRANCHES} cases");
                            self.wrongs.push(Wrong::new(first.span.clone(), message));
                        }
                        (Some(Statement::If(branches)), Some(branch))
                            if branches.last().is_some_and(|branch| branch.when.is_some()) =>
                        {
                            branches.push(branch);
                        }
                        (_, None) => {}
                        _ => {
                            let message = format!("`{}` only works after an `if`", self.said(&first.span));
                            self.wrongs.push(Wrong::new(first.span.clone(), message));
                        }
                    }
                }
                None => {
                    self.parts(&words, body);
                    if let Some(below) = below.first() {
                        let message = "This line is indented too far. The line above it doesn't open a block";
                        self.wrongs.push(Wrong::new(below.span.clone(), message));
                    }
                }
            }
        }
    }

    fn branch(
        &mut self,
        key: &str,
        first: &Token,
        rest: &[Token],
        line: &Written,
        below: &[Written],
        depth: usize,
    ) -> Option<Branch> {
        let Some(colon) = rest.iter().position(|token| token.is(":")) else {
            let wrong = self.no_colon(line, rest).unwrap_or_else(|| {
                let message = format!("Expected a `:` after `{}`", self.said(&line.span));
                Wrong::new(first.span.clone(), message).or(format!("{}:", self.said(&line.span)))
            });
            self.wrongs.push(wrong);
            return None;
        };
        let (when, then) = (&rest[..colon], &rest[colon + 1..]);
        let when = match key {
            "otherwise" => match when.first() {
                Some(word) => Err(Wrong::new(word.span.clone(), "`otherwise` takes no condition").or("otherwise if")),
                None => Ok(None),
            },
            _ => shallow(when).and_then(|()| whole(when, self.scope(true), condition, first.span.clone())).map(Some),
        };
        let when = self.note(when);
        let mut body = Vec::new();
        let before = self.wrongs.len();
        self.parts(then, &mut body);
        self.below(below, &mut body, depth + 1);
        if body.is_empty() && self.wrongs.len() == before {
            self.wrongs.push(Wrong::new(
                line.span.clone(),
                "There is no order here. Put orders after the `:`, or indented below it",
            ));
        }
        Some(Branch { span: line.span.clone(), when: when?, body })
    }

    // ---- the whole ----

    fn script(&mut self, source: &str, body: Vec<Statement>) -> Option<Script> {
        let start = 0..self.text.lines().next().map_or(0, str::len);
        for (key, example) in [("strategy", "strategy Mine"), ("buy-in", "buy-in 500"), ("unit", "unit 10")] {
            if !self.heads.seen.contains(&key) {
                self.wrongs.push(Wrong::new(start.clone(), format!("The `{key}` line is missing")).or(example));
            }
        }
        if body.is_empty() && self.wrongs.is_empty() {
            self.wrongs
                .push(Wrong::new(start, "This strategy has no orders").or("when coming out: pass line for unit"));
        }
        let (buy_in, unit) = (self.heads.buy_in?, self.heads.unit?);
        let bought = buy_in.money().minor();
        let mut net = |key: &str, found: &Option<(Range<usize>, bool, i64)>| {
            let (span, signed, number) = found.clone()?;
            let net = if signed { number } else { number.saturating_sub(bought) };
            let amount = Money::from_minor(number);
            let wrong = match key {
                "stop" if signed && net >= 0 => Some(format!("A stop of {amount} is not a loss")),
                "stop" if net >= 0 => Some(format!("A stop of {amount} is not below the buy-in of {buy_in}")),
                "stop" if net < -bought => Some(format!("A stop of {amount} is more than the buy-in of {buy_in}")),
                "goal" if signed && net <= 0 => Some(format!("A goal of {amount} is not a win")),
                "goal" if net <= 0 => Some(format!("A goal of {amount} is not above the buy-in of {buy_in}")),
                _ => None,
            };
            let plain = Money::from_minor(number.saturating_abs());
            match wrong {
                Some(message) => {
                    let instead = match key {
                        "stop" if net < -bought => format!("stop -{buy_in}"),
                        "stop" => format!("stop -{plain}"),
                        _ => format!("goal +{plain}"),
                    };
                    self.wrongs.push(Wrong::new(span, message).or(instead));
                    None
                }
                None => Some(Money::from_minor(net)),
            }
        };
        let (stop, goal) = (self.heads.stop.clone(), self.heads.goal.clone());
        let (stop, goal) = (net("stop", &stop), net("goal", &goal));
        Some(Script {
            source: source.to_owned(),
            name: self.heads.name.clone(),
            about: self.heads.about.clone(),
            from: self.heads.from.clone(),
            buy_in,
            unit,
            stop,
            goal,
            bets_per_shooter: self.heads.bets_per_shooter,
            book: self.heads.book.clone(),
            house: self.heads.house.clone(),
            text: self.text.to_owned(),
            values: std::mem::take(&mut self.variables),
            body,
        })
    }
}

fn missing(line: &Written, text: &str, what: &str) -> Wrong {
    let words = text.get(line.span.clone()).unwrap_or_default();
    Wrong::new(line.span.clone(), format!("Expected {what} after `{words}`"))
}

fn whole_number(key: &str, first: &Token, number: &Token) -> Read<i64> {
    let wrong = || {
        Wrong::new(number.span.clone(), format!("Expected an amount after `{key}`")).or(format!("{} 100", first.text))
    };
    number.number().ok_or_else(wrong)
}

fn stake(key: &str, first: &Token, rest: &[Token]) -> Read<Stake> {
    let instead = format!("{key} {}", if key == "unit" { 10 } else { 500 });
    match rest {
        [number] => {
            let minor = number.number().ok_or_else(|| {
                Wrong::new(number.span.clone(), format!("Expected an amount after `{key}`")).or(instead.clone())
            })?;
            Stake::new(Money::from_minor(minor))
                .ok_or_else(|| Wrong::new(number.span.clone(), format!("The {key} must be above zero")).or(instead))
        }
        [number, comma, ..] if comma.is(",") && number.number().is_some() => {
            Err(Wrong::new(comma.span.clone(), "Write amounts without a comma").or(instead))
        }
        [_, more, ..] => {
            Err(Wrong::new(more.span.clone(), format!("`{key}` takes one amount and nothing else")).or(instead))
        }
        [] => Err(Wrong::new(first.span.clone(), format!("Expected an amount after `{key}`")).or(instead)),
    }
}

/// Refuses brackets that are nested too deep, before any parser recurses into them.
fn shallow(words: &[Token]) -> Read<()> {
    let mut depth = 0usize;
    for token in words {
        match token.text.as_str() {
            "(" => depth += 1,
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEEPEST {
            return Err(Wrong::new(token.span.clone(), format!("Brackets can be nested at most {DEEPEST} deep")));
        }
    }
    Ok(())
}
