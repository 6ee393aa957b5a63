//! Parses games. An error gives the line, the column and what was expected.

use crate::game::{Act, Action, BetName, Dice, Game, Line, Op, Outcome, Place, Roll, Tag, WrittenResult};
use craps_dice::Point;
use craps_money::{Money, Stake};
use craps_table::{AfterWin, Called, NoRollReason, PassGround, Role, SeatId};
use craps_wagers::Catalogue;
use std::fmt;
use std::str::FromStr;

/// The error for a text that can't be parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// Position of the error.
    pub place: Place,
    /// What was expected, and what was found.
    pub message: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.place.line, self.place.column, self.message)
    }
}

impl std::error::Error for Malformed {}

type Read<T> = Result<T, Malformed>;

/// Reads all games of a text.
///
/// ```
/// use craps_notation::read;
/// let games = read("[CGN \"1\"] [Rules \"pa\"]\n1. 1:P+10 | 4-2 |\n")?;
/// assert_eq!((games.len(), games[0].lines.len()), (1, 1));
/// let error = read("1. 1:P+10 | 4-9 |\n").unwrap_err();
/// assert_eq!(error.place.line, 1);
/// # Ok::<(), craps_notation::Malformed>(())
/// ```
///
/// # Errors
/// Returns the first syntax error in the text.
pub fn read(text: &str) -> Read<Vec<Game>> {
    let mut reader = Reader { chars: text.chars().collect(), at: 0, line: 1, column: 1, comments: Vec::new() };
    reader.games()
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    line: usize,
    column: usize,
    comments: Vec<String>,
}

impl Reader {
    fn place(&self) -> Place {
        Place { line: self.line, column: self.column }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        if c == '\n' {
            self.line += 1;
            self.column = 1;
        } else {
            self.column += 1;
        }
        Some(c)
    }

    fn fail<T>(&self, place: Place, message: impl Into<String>) -> Read<T> {
        Err(Malformed { place, message: message.into() })
    }

    fn expected<T>(&self, what: &str) -> Read<T> {
        let found = self.peek().map_or("the end of the file".to_owned(), |c| format!("`{c}`"));
        self.fail(self.place(), format!("expected {what}, found {found}"))
    }

    /// Skips whitespace and comments. Comments are kept, so that the game can be printed again with them.
    fn skip(&mut self) -> Read<()> {
        loop {
            match self.peek() {
                Some(c) if c.is_whitespace() => {
                    self.next();
                }
                Some('{') => self.comment()?,
                _ => return Ok(()),
            }
        }
    }

    fn comment(&mut self) -> Read<()> {
        let start = self.place();
        self.need('{')?;
        let mut text = String::new();
        loop {
            match self.next() {
                Some('}') => break,
                Some(c) => text.push(c),
                None => return self.fail(start, "this comment is not closed: expected `}`"),
            }
        }
        self.comments.push(text);
        Ok(())
    }

    /// Goes back to an earlier point and keeps only the comments on the same line. Comments on later lines don't belong to the roll that ended
    /// here.
    fn end_of_roll(&mut self, (at, place, comments): (usize, Place, usize)) -> Read<()> {
        (self.at, self.line, self.column) = (at, place.line, place.column);
        self.comments.truncate(comments);
        while let Some(c) = self.peek() {
            match c {
                '{' => self.comment()?,
                '\n' => break,
                c if c.is_whitespace() => {
                    self.next();
                }
                _ => break,
            }
        }
        Ok(())
    }

    fn point(&self) -> (usize, Place, usize) {
        (self.at, self.place(), self.comments.len())
    }

    fn eat(&mut self, wanted: char) -> bool {
        let there = self.peek() == Some(wanted);
        if there {
            self.next();
        }
        there
    }

    fn need(&mut self, wanted: char) -> Read<()> {
        if self.eat(wanted) { Ok(()) } else { self.expected(&format!("`{wanted}`")) }
    }

    /// Reads characters as long as `keep` accepts them.
    fn word(&mut self, keep: impl Fn(char) -> bool) -> String {
        let mut word = String::new();
        while let Some(c) = self.peek().filter(|c| keep(*c)) {
            word.push(c);
            self.next();
        }
        word
    }

    fn rest_of_line(&mut self) -> String {
        self.word(|c| c != '\n').trim_end().to_owned()
    }

    fn parse<T: FromStr>(&self, place: Place, text: &str, what: &str) -> Read<T> {
        text.parse().or_else(|_| self.fail(place, format!("expected {what}, found `{text}`")))
    }

    fn games(&mut self) -> Read<Vec<Game>> {
        let mut games: Vec<Game> = Vec::new();
        loop {
            self.skip()?;
            let comments = std::mem::take(&mut self.comments);
            if let Some(game) = games.last_mut() {
                game.lines.extend(comments.into_iter().map(Line::Comment));
            }
            let place = self.place();
            match self.peek() {
                None => break,
                Some('[') => {
                    let tag = self.tag()?;
                    let starts = tag.name == "CGN" || tag.name == "Case";
                    if starts {
                        games.push(Game { place, tags: Vec::new(), lines: Vec::new() });
                    }
                    match games.last_mut() {
                        Some(game) if game.lines.is_empty() => game.tags.push(tag),
                        Some(_) => {
                            return self.fail(
                                place,
                                format!(
                                    "the tag {} must come before the game: expected a roll, a # line or an @ line",
                                    tag.name
                                ),
                            );
                        }
                        None => return self.fail(place, "a file begins with [CGN \"1\"]"),
                    }
                }
                Some(_) => {
                    if games.is_empty() {
                        return self.fail(place, "a file begins with [CGN \"1\"]");
                    }
                    let line = self.line_of_game()?;
                    if let Some(game) = games.last_mut() {
                        game.lines.push(line);
                    }
                }
            }
        }
        if games.is_empty() {
            self.fail(Place { line: 1, column: 1 }, "no game: a file begins with [CGN \"1\"]")
        } else {
            Ok(games)
        }
    }

    fn tag(&mut self) -> Read<Tag> {
        let place = self.place();
        self.need('[')?;
        self.skip()?;
        let name = self.word(|c| c.is_ascii_alphanumeric());
        if name.is_empty() {
            return self.expected("the name of a tag");
        }
        self.skip()?;
        self.need('"')?;
        let mut text = String::new();
        loop {
            match self.next() {
                Some('"') => break,
                Some('\n') | None => {
                    return self.fail(place, format!("the text of tag {name} is not closed: expected `\"`"));
                }
                Some(c) => text.push(c),
            }
        }
        self.skip()?;
        self.need(']')?;
        Ok(Tag { place, name, text })
    }

    fn line_of_game(&mut self) -> Read<Line> {
        match self.peek() {
            Some('#') => self.hash(),
            Some('@') => self.procedure(),
            Some(c) if c.is_ascii_digit() => self.roll().map(Line::Roll),
            _ => self.expected("a roll such as `1.`, a # line, an @ line or a tag"),
        }
    }

    fn hash(&mut self) -> Read<Line> {
        let place = self.place();
        self.need('#')?;
        self.skip()?;
        let word_place = self.place();
        match self.word(|c| c.is_ascii_alphabetic()).as_str() {
            "shooter" => {
                self.skip()?;
                let who_place = self.place();
                let who = self.word(|c| c.is_ascii_alphanumeric());
                let seat = match who.as_str() {
                    "dealer" | "stick" => None,
                    who => Some(self.parse::<SeatId>(who_place, who, "a seat, `dealer` or `stick`")?),
                };
                let rest = self.rest_of_line();
                let (rest, refused) = match rest.trim().strip_suffix("!refused") {
                    Some(rest) => (rest.trim().to_owned(), true),
                    None => (rest.trim().to_owned(), false),
                };
                let decisions_only = match rest.as_str() {
                    "" => false,
                    "decisions-only" => true,
                    other => {
                        return self.fail(
                            who_place,
                            format!("expected `decisions-only` or nothing after the shooter, found `{other}`"),
                        );
                    }
                };
                Ok(Line::Shooter { place, seat, decisions_only, refused })
            }
            "end" => {
                let mut rails = Vec::new();
                while self.more_on_line()? {
                    let seat = self.seat()?;
                    rails.push((seat, self.amount()?));
                }
                Ok(Line::End { place, rails })
            }
            "open" => {
                let mut bets = Vec::new();
                while self.more_on_line()? {
                    let seat = self.seat()?;
                    let (bet, rest) = self.bet_name(&['+'])?;
                    if rest.is_some() {
                        return self.expected("`+` and an amount");
                    }
                    self.need('+')?;
                    bets.push((seat, bet, self.amount()?));
                }
                Ok(Line::Open { place, bets })
            }
            other => self.fail(word_place, format!("expected `shooter`, `end` or `open`, found `{other}`")),
        }
    }

    /// Returns true if there is anything more on this line.
    fn more_on_line(&mut self) -> Read<bool> {
        while let Some(c) = self.peek() {
            match c {
                '\n' => return Ok(false),
                '{' => self.skip()?,
                c if c.is_whitespace() => {
                    self.next();
                }
                _ => return Ok(true),
            }
        }
        Ok(false)
    }

    fn seat(&mut self) -> Read<SeatId> {
        let place = self.place();
        let digits = self.word(|c| c.is_ascii_digit());
        let seat = self.parse(place, &digits, "a seat")?;
        self.skip()?;
        self.need(':')?;
        self.skip()?;
        Ok(seat)
    }

    fn amount(&mut self) -> Read<Money> {
        let place = self.place();
        let text = self.word(|c| c.is_ascii_digit() || c == '.');
        self.parse(place, &text, "an amount such as 25 or 12.50")
    }

    fn stake(&mut self) -> Read<Stake> {
        let place = self.place();
        let text = self.word(|c| c.is_ascii_digit() || c == '.');
        self.parse(place, &text, "an amount above zero such as 25 or 12.50")
    }

    /// Reads a bet's name up to one of these signs. If a slug is followed by `-` and an amount, takes the longest name that leaves an amount,
    /// and returns the text after the hyphen as well.
    fn bet_name(&mut self, ends: &[char]) -> Read<(BetName, Option<String>)> {
        let place = self.place();
        let word = self.word(|c| c.is_ascii_alphanumeric() || c == '-' || c == '.');
        self.skip()?;
        if self.peek().is_some_and(|c| ends.contains(&c))
            && (self.peek() != Some('!') || self.is_call())
            && let Some(bet) = named(&word)
        {
            return Ok((bet, None));
        }
        for (at, _) in word.rmatch_indices('-') {
            let (name, rest) = (&word[..at], &word[at + 1..]);
            if let Some(bet) = named(name).filter(|_| rest.starts_with(|c: char| c.is_ascii_digit())) {
                return Ok((bet, Some(rest.to_owned())));
            }
        }
        match named(&word) {
            Some(_) => self.expected("an operation such as +10, -10 or !off"),
            None if word.is_empty() => self.expected("the name of a bet"),
            None => self.fail(place, format!("there is no bet `{word}`")),
        }
    }

    /// Returns true if the next word is an operation, such as `!on`, and not a remark on one, such as `!refused`.
    fn is_call(&self) -> bool {
        let word: String = self.chars[self.at..].iter().skip(1).take_while(|c| c.is_ascii_alphabetic()).collect();
        ["on", "off", "std", "up", "down"].contains(&word.as_str())
    }

    fn roll(&mut self) -> Read<Roll> {
        let place = self.place();
        let digits = self.word(|c| c.is_ascii_digit());
        let number = self.parse(place, &digits, "the number of a roll")?;
        self.need('.')?;
        let mut actions = Vec::new();
        loop {
            self.skip()?;
            match self.peek() {
                Some('|') => break,
                Some(c) if c.is_ascii_digit() => actions.push(self.action()?),
                _ => return self.expected("an action such as `1:P+10`, or `|` and the dice"),
            }
        }
        self.need('|')?;
        self.skip()?;
        let dice_place = self.place();
        let (dice, mut mark) = self.dice()?;
        let mut after_dice = self.point();
        self.skip()?;
        if mark.is_none()
            && let Some(c) = self.peek().filter(|c| "^*%+~".contains(*c))
        {
            self.next();
            mark = Some(c);
            after_dice = self.point();
        }
        self.skip()?;
        let mut end = after_dice;
        let mut results = None;
        let mut results_place = self.place();
        if self.eat('|') {
            let mut all = Vec::new();
            results_place = self.place();
            end = self.point();
            loop {
                self.skip()?;
                if self.peek().is_some_and(|c| c.is_ascii_digit()) && self.is_result() {
                    all.push(self.result()?);
                    end = self.point();
                } else {
                    break;
                }
            }
            results = Some(all);
        }
        self.end_of_roll(end)?;
        let comments = std::mem::take(&mut self.comments);
        Ok(Roll { place, number, actions, dice, dice_place, mark, results, results_place, comments })
    }

    /// Returns true if a result comes next, and false if it is the number of the next roll.
    fn is_result(&self) -> bool {
        let rest = self.chars[self.at..].iter().skip_while(|c| c.is_ascii_digit()).find(|c| !c.is_whitespace());
        rest == Some(&':')
    }

    fn dice(&mut self) -> Read<(Dice, Option<char>)> {
        let place = self.place();
        if self.peek() == Some('N') {
            let word = self.word(|c| c.is_ascii_alphabetic());
            if word != "NR" {
                return self.fail(place, format!("expected two dice such as 4-2, or NR, found `{word}`"));
            }
            self.skip()?;
            if !self.eat('(') {
                let refused = self.said_refused()?;
                return Ok((
                    Dice::NoRoll { reason: NoRollReason::OffTable, written: false, caller: None, refused },
                    None,
                ));
            }
            self.skip()?;
            let reason_place = self.place();
            let word = self.word(|c| c.is_ascii_alphabetic() || c == '-');
            let Some(reason) = NoRollReason::find(&word) else {
                let known: Vec<&str> = NoRollReason::ALL.iter().map(|reason| reason.name()).collect();
                return self.fail(reason_place, format!("expected one of {}, found `{word}`", known.join(", ")));
            };
            self.skip()?;
            let caller = if self.eat(',') { Some(self.role()?) } else { None };
            self.skip()?;
            self.need(')')?;
            let refused = self.said_refused()?;
            return Ok((Dice::NoRoll { reason, written: true, caller, refused }, None));
        }
        let text = self.word(|c| c.is_ascii_digit() || c == '-');
        let dice = self.parse(place, &text, "two dice such as 4-2, or NR")?;
        self.skip()?;
        let mark = self.peek().filter(|c| "^*%+~".contains(*c));
        if mark.is_some() {
            self.next();
            self.skip()?;
        }
        let refused = self.said_refused()?;
        Ok((Dice::Thrown { dice, text, refused }, mark))
    }

    /// Reads `!refused` if it comes next, and returns true if it did.
    fn said_refused(&mut self) -> Read<bool> {
        self.skip()?;
        let there = self.peek() == Some('!');
        if there {
            self.flag("refused")?;
        }
        Ok(there)
    }

    fn flag(&mut self, wanted: &str) -> Read<()> {
        let place = self.place();
        self.need('!')?;
        let word = self.word(|c| c.is_ascii_alphabetic());
        if word == wanted { Ok(()) } else { self.fail(place, format!("expected !{wanted}, found !{word}")) }
    }

    fn role(&mut self) -> Read<Role> {
        self.skip()?;
        let place = self.place();
        let word = self.word(|c| c.is_ascii_alphabetic());
        match Role::find(&word) {
            Some(role) => Ok(role),
            None => self.fail(place, format!("expected box, stick, dealer, floor, employee or player, found `{word}`")),
        }
    }

    fn action(&mut self) -> Read<Action> {
        let place = self.place();
        let seat = self.seat()?;
        let (bet, removed) = self.bet_name(&['+', '-', '!'])?;
        let op_place = self.place();
        let op = match removed {
            Some(text) => {
                let (amount, commission) = match text.split_once('v') {
                    Some((amount, commission)) => {
                        (amount.to_owned(), Some(self.parse(op_place, commission, "an amount after v")?))
                    }
                    None => (text, None),
                };
                Op::Remove(self.parse(op_place, &amount, "an amount above zero such as 25 or 12.50")?, commission)
            }
            None => self.op()?,
        };
        let mut action =
            Action { place, seat, bet, op, late: None, cash: None, coupon: None, refused: false, doubtful: false };
        loop {
            match self.peek() {
                Some('?') => {
                    self.next();
                    action.doubtful = true;
                }
                Some('!') => self.manner(&mut action)?,
                _ => return Ok(action),
            }
        }
    }

    fn op(&mut self) -> Read<Op> {
        match self.peek() {
            Some(sign @ ('+' | '-')) => {
                self.next();
                self.skip()?;
                let amount = self.stake()?;
                let commission = if self.eat('v') { Some(self.amount()?) } else { None };
                Ok(if sign == '+' { Op::Add(amount, commission) } else { Op::Remove(amount, commission) })
            }
            Some('!') => {
                let place = self.place();
                self.next();
                match self.word(|c| c.is_ascii_alphabetic()).as_str() {
                    "on" => Ok(Op::Call(Called::On)),
                    "off" => Ok(Op::Call(Called::Off)),
                    "std" => Ok(Op::Call(Called::Standard)),
                    "up" => Ok(Op::Tell(AfterWin::Up)),
                    "down" => Ok(Op::Tell(AfterWin::Down)),
                    other => self.fail(place, format!("expected !on, !off, !std, !up or !down, found !{other}")),
                }
            }
            _ => self.expected("`+`, `-` or a call such as `!on`"),
        }
    }

    fn manner(&mut self, action: &mut Action) -> Read<()> {
        let place = self.place();
        self.need('!')?;
        match self.word(|c| c.is_ascii_alphabetic()).as_str() {
            "refused" => action.refused = true,
            "late" => {
                self.need('(')?;
                let mut roles = Vec::new();
                loop {
                    self.skip()?;
                    if self.eat(')') {
                        break;
                    }
                    roles.push(self.role()?);
                    self.skip()?;
                    if !self.eat(',') {
                        self.need(')')?;
                        break;
                    }
                }
                action.late = Some(roles);
            }
            "cash" => action.cash = Some(self.bracketed()?),
            "coupon" => action.coupon = Some(self.bracketed()?),
            other => return self.fail(place, format!("expected !late, !cash, !coupon or !refused, found !{other}")),
        }
        Ok(())
    }

    fn bracketed(&mut self) -> Read<Stake> {
        self.need('(')?;
        self.skip()?;
        let amount = self.stake()?;
        self.skip()?;
        self.need(')')?;
        Ok(amount)
    }

    fn result(&mut self) -> Read<WrittenResult> {
        let place = self.place();
        let seat = self.seat()?;
        let (bet, rest) = self.bet_name(&['=', '>'])?;
        if rest.is_some() {
            return self.expected("`=` or `>`");
        }
        let outcome = if self.eat('>') {
            self.skip()?;
            let number_place = self.place();
            let digits = self.word(|c| c.is_ascii_digit());
            Outcome::Moved(self.parse::<Point>(number_place, &digits, "the number the bet moved to")?)
        } else {
            self.need('=')?;
            self.skip()?;
            match self.next() {
                Some('w') => {
                    let won = self.amount()?;
                    let commission = if self.eat('v') { self.amount()? } else { Money::ZERO };
                    Outcome::Won(won, commission)
                }
                Some('l') => Outcome::Lost(self.amount()?),
                Some('t') => Outcome::Returned,
                _ => return self.fail(place, "expected =w and an amount, =l and an amount, or =t"),
            }
        };
        Ok(WrittenResult { place, seat, bet, outcome })
    }

    fn procedure(&mut self) -> Read<Line> {
        let place = self.place();
        let text = self.rest_of_line();
        let (asked, refused) = match text.strip_suffix("!refused") {
            Some(asked) => (asked.trim_end(), true),
            None => (text.as_str(), false),
        };
        let act = self.act(place, asked)?;
        let text = asked.to_owned();
        Ok(Line::Procedure { place, text, act, refused })
    }

    fn act(&self, place: Place, text: &str) -> Read<Act> {
        let quoted = text.split('"').nth(1).unwrap_or("").to_owned();
        let words: Vec<&str> = text.trim_start_matches('@').split_whitespace().collect();
        let seat = |word: &str| self.parse::<SeatId>(place, word, "a seat");
        match words[..] {
            ["rng", ref drawn @ ..] => drawn.iter().map(|item| self.drawn(place, item)).collect::<Read<_>>().map(Act::Draw),
            ["seat", at, "join", ref who @ .., money] if !who.is_empty() => Ok(Act::Join(seat(at)?, who.join(" "), self.parse(place, money, "an amount")?)),
            ["seat", at, "buy", money] => Ok(Act::BuyIn(seat(at)?, self.parse(place, money, "an amount above zero")?)),
            ["seat", at, "leave"] => Ok(Act::Leave(seat(at)?)),
            ["seat", at, "withdraws"] => Ok(Act::Withdraw(seat(at)?)),
            ["seat", at, "nominates", shooter] => Ok(Act::Nominate(seat(at)?, seat(shooter)?)),
            ["seat", at, "does", what] => self.does(place, seat(at)?, what).map(|action| Act::Does(Box::new(action))),
            ["shooter", "pass-dice"] => Ok(Act::PassDice),
            [role, "pass-dice", ground] => match (Role::find(role), PassGround::find(ground)) {
                (Some(role), Some(ground)) => Ok(Act::OrderOff(role, ground)),
                (None, _) => self.fail(place, format!("expected box, dealer or floor before pass-dice, found `{role}`")),
                (_, None) => {
                    let known = PassGround::ALL.map(PassGround::name).join(", ");
                    self.fail(place, format!("expected one of {known} after pass-dice, found `{ground}`"))
                }
            },
            [role, "no-roll", reason] => match (Role::find(role), NoRollReason::find(reason)) {
                (Some(role), Some(reason)) => Ok(Act::NoRoll(role, reason)),
                _ => self.fail(place, format!("expected `@role no-roll reason`, found `{text}`")),
            },
            [role, "rule", amount, ..] => {
                let Some((role, (at, amount))) = Role::find(role).zip(amount.split_once(':')) else {
                    return self.fail(place, "expected `@box rule 1:+14 \"why\"`");
                };
                let (sign, digits) = match amount.split_at_checked(1) {
                    Some(("+", digits)) => (1, digits),
                    Some(("-", digits)) => (-1, digits),
                    _ => return self.fail(place, "expected an amount with its sign, such as +14"),
                };
                let amount: Money = self.parse(place, digits, "an amount")?;
                Ok(Act::Rule(role, seat(at)?, Money::from_minor(sign * amount.minor()), quoted))
            }
            ["floor" | "box" | "stick" | "dealer", "inspect", ..] | ["stick" | "box" | "dealer" | "floor", "new-dice", ..] => Ok(Act::Noted),
            _ => self.fail(place, format!("no such procedure: `{text}`; expected a line such as `@seat 3 leave`, `@shooter pass-dice` or `@box no-roll improper`")),
        }
    }

    /// Reads an action on a line of its own.
    fn does(&self, place: Place, seat: SeatId, what: &str) -> Read<Action> {
        let chars = format!("{seat}:{what}").chars().collect();
        let mut own = Reader { chars, at: 0, line: place.line, column: place.column, comments: Vec::new() };
        let action = own.action().map_err(|wrong| Malformed { place, message: wrong.message })?;
        if own.peek().is_some() || action.refused || action.doubtful {
            return self.fail(place, format!("expected one action such as PL6-12, found `{what}`"));
        }
        Ok(Action { place, ..action })
    }

    fn drawn(&self, place: Place, item: &str) -> Read<(craps_wagers::WagerId, usize)> {
        let Some((name, level)) = item.split_once('=') else {
            return self.fail(place, format!("expected wager=level, found `{item}`"));
        };
        let Some(bet) = named(name) else { return self.fail(place, format!("there is no bet `{name}`")) };
        let level: usize = self.parse(place, level, "a level from 1")?;
        if level == 0 { self.fail(place, "levels count from 1") } else { Ok((bet.wager, level)) }
    }
}

/// Finds a bet by slug or code, in any book.
fn named(name: &str) -> Option<BetName> {
    Catalogue::current().bet(name).map(|(wager, number)| BetName { wager, number })
}
