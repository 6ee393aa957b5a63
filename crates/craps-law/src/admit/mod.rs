//! Checks house rules against a book. The result is the rules of the table, or every problem found.

mod judge;
mod keys;
mod prices;
mod products;
mod uniform;
mod wagers;

pub use judge::Judgement;

use crate::fact::{Choice, Dated, Fact, Modifier, RuleBook};
use crate::house::{self, HouseRules, Value};
use crate::table_rules::{Notice, Problem, TableRules};
use crate::words::Game;
use crate::{Cites, Day, Problems};
use craps_money::{Rounding, RoundingRule, Stake, WholeDollars};
use std::collections::BTreeMap;

impl RuleBook {
    /// Checks a house against this book and returns the rules of its table.
    ///
    /// # Errors
    /// When the house breaks a rule. The error lists every problem, each with its house key and the citation of the rule.
    pub fn admit(&self, house: &HouseRules) -> Result<TableRules, Problems> {
        Admission::new(self, house).decide().map_err(Problems::from)
    }
}

struct Admission<'a> {
    book: &'a RuleBook,
    house: &'a HouseRules,
    day: Option<Day>,
    game: Game,
    /// Products that the house asks for: the `.offered` key, and the key that the house used to ask for it.
    wanted: BTreeMap<String, String>,
    problems: Vec<Problem>,
    notices: Vec<Notice>,
}

impl<'a> Admission<'a> {
    fn new(book: &'a RuleBook, house: &'a HouseRules) -> Admission<'a> {
        let first = book.games.first().map_or(Game::Craps, |fact| fact.is);
        let game = house.game.unwrap_or(first);
        let mut own = Admission {
            book,
            house,
            day: Some(house.as_of),
            game,
            wanted: BTreeMap::new(),
            problems: Vec::new(),
            notices: Vec::new(),
        };
        own.wanted = own.asked_for();
        own
    }

    fn problem(&mut self, path: &str, message: impl Into<String>, cites: &Cites) {
        let problem = Problem { path: path.to_owned(), message: message.into(), cites: cites.clone() };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn notice(&mut self, path: &str, message: impl Into<String>, cites: &Cites) {
        self.notices.push(Notice { path: path.to_owned(), message: message.into(), cites: cites.clone() });
    }

    /// Returns the book's records for a key, of all days.
    fn record(&self, key: &str) -> Option<&'a Dated<Choice>> {
        self.book.choices.get(key).or_else(|| self.book.choices.get(house::choice_of(key)))
    }

    /// Returns the book's record for a key on the day of the house and in its game.
    fn choice(&self, key: &str) -> Option<&'a Fact<Choice>> {
        let here = |fact: &&Fact<Choice>| fact.is.games.as_ref().is_none_or(|games| games.contains(&self.game));
        self.record(key)?.0.iter().rev().filter(here).find(|fact| fact.days.hold(self.day))
    }

    /// Returns the value that the house sets for a key, or the book's default.
    fn value(&self, key: &str) -> Option<&'a Value> {
        let timing =
            (key.starts_with("vig.") && key.ends_with(".timing")).then(|| self.house.get("vig.timing")).flatten();
        let default = || self.choice(key).and_then(|fact| fact.is.value.as_ref());
        self.house.get(key).or(timing).or_else(default)
    }

    /// Returns the same value as text, in the spelling of the house or the book.
    fn word(&self, key: &str) -> Option<&'a str> {
        let default = || self.choice(key).map(|fact| fact.is.default.as_str());
        self.house.setting(key).map(house::Setting::text).or_else(default)
    }

    /// Returns the value of a key as a bool, or `None` when the value is not yes or no.
    fn yes(&self, key: &str) -> Option<bool> {
        self.value(key).and_then(Value::yes)
    }

    fn decide(mut self) -> Result<TableRules, Vec<Problem>> {
        self.day_and_game();
        self.keys();
        self.limits_crossed();
        self.totals();
        let offered = self.products();
        let chip = self.value("chip").and_then(Value::amount).unwrap_or_else(one);
        let rounding = Rounding {
            rule: match self.value("rounding") {
                Some(Value::Rounding(rule)) => *rule,
                _ => RoundingRule::ExactOrRefuse,
            },
            // Only some books have an exception for whole dollars. Without a record for it, whole dollars are rounded too.
            whole_dollars: match self.yes("round_whole_dollars") {
                Some(false) => WholeDollars::Exact,
                _ => WholeDollars::Rounded,
            },
            chip,
        };
        let (mut wagers, mut left_out) = (Vec::new(), Vec::new());
        let book = self.book;
        for law in book.wagers.values() {
            match self.is_offered(law, &offered) {
                Some(offer) => wagers.extend(self.wager(law, offer, chip)),
                None => left_out.extend(self.left_out_by(law).map(|by| (law.wager, by))),
            }
        }
        self.higher_odds(&mut wagers);
        let callers = self.callers();
        let mut modifiers: Vec<Modifier> =
            book.modifiers.iter().filter(|modifier| self.modifier_offered(modifier, &offered)).cloned().collect();
        for modifier in &mut modifiers {
            modifier.lines.retain(|line| line.days.hold(self.day));
            if let Some(Value::Count(draws)) = self.value(&format!("{}.draws", modifier.id)) {
                modifier.draws = *draws;
            }
        }
        if !self.problems.is_empty() {
            // Sorted by house key.
            self.problems.sort_by(|a, b| a.path.cmp(&b.path));
            return Err(self.problems);
        }
        let rules =
            book.rules.iter().filter_map(|(topic, dated)| Some((topic.clone(), dated.on(self.day)?.clone()))).collect();
        Ok(TableRules {
            book: book.id.clone(),
            name: self.house.name.clone(),
            as_of: self.house.as_of,
            game: self.game,
            points: book.points(),
            rounding,
            refund: self.yes("vig.refund") != Some(false),
            off_calls_any: self.yes("off_calls_any"),
            callers,
            stickperson: !self.no_stickperson(),
            wagers,
            left_out,
            modifiers,
            rules,
            seats: self.seats(),
            notices: self.notices,
        })
    }

    fn day_and_game(&mut self) {
        let (book, day, game) = (self.book, self.house.as_of, self.game);
        if let Some(first) = book.in_force.as_ref().filter(|first| day < first.from) {
            self.problem("as_of", format!("{day} is before these rules took effect on {}", first.from), &first.cite);
        }
        match book.games.iter().find(|fact| fact.is == game) {
            None => {
                let known: Vec<&str> = book.games.iter().map(|fact| fact.is.word()).collect();
                let message = format!("this book has no {game}; it has {}", known.join(", "));
                self.problem("game", message, &book.listed.cites);
            }
            Some(fact) if !fact.days.hold(self.day) => {
                self.problem("game", format!("{game} is in force {}, not on {day}", fact.days), &fact.cites);
            }
            Some(_) => {}
        }
        for amended in book.amended.iter().filter(|amended| day < amended.on) {
            let message =
                format!("amended on {}; we don't have the earlier wording, so the later one was used", amended.on);
            self.notice("as_of", message, &amended.cite);
        }
    }
}

fn one() -> Stake {
    // A whole unit is never zero.
    Stake::whole(1).unwrap_or_else(|_| unreachable!("one is above zero"))
}
