//! Judges a whole house: what it chooses, what its book demands, and what others must approve.

use super::Admission;
use crate::fact::{Against, Allow, Choice, Condition, Demanded, Fact, RuleBook, Total};
use crate::house::{Bound, HouseRules, Kind, Product, Setting, Value};
use crate::offering::merge;
use crate::raw::Answer;
use crate::table_rules::{Notice, Problem, SetBy, TableRules};
use crate::{Cite, Cites, Day};
use craps_money::Stake;
use craps_wagers::Group;
use std::collections::BTreeMap;

/// What a book says about a house.
#[derive(Debug, Clone)]
pub struct Judgement {
    /// Everything that is not lawful. Wrong choices come first, then what is missing.
    pub problems: Vec<Problem>,
    /// What the house should know, such as what it must file and who must approve it.
    pub notices: Vec<Notice>,
    /// Rules of the table, if every choice of the house is lawful.
    pub table: Option<TableRules>,
}

impl RuleBook {
    /// Judges a house: its choices as [`RuleBook::admit`] does, and also whether it states everything that the book demands.
    ///
    /// ```
    /// use craps_law::{HouseRules, Library};
    /// let library = Library::shipped();
    /// let book = library.named("md")?;
    /// let house = HouseRules::plain("md", book.sample_day);
    /// assert!(book.admit(&house).is_ok(), "a house without choices can be played");
    /// let missing = book.judge(&house).problems;
    /// assert!(missing.iter().any(|problem| problem.path == "limits.min"), "but its limits must be posted");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn judge(&self, house: &HouseRules) -> Judgement {
        let mut judge = Admission::new(self, house);
        judge.demands();
        let (mut problems, mut notices, table) = match self.admit(house) {
            Ok(table) => (Vec::new(), table.notices.clone(), Some(table)),
            Err(problems) => (problems.to_vec(), Vec::new(), None),
        };
        if table.is_some() {
            judge.unused();
            judge.approvals();
        }
        problems.append(&mut judge.problems);
        notices.append(&mut judge.notices);
        Judgement { problems, notices, table }
    }

    /// Describes the values that a record allows, with the number or the words that the book answers on the day.
    #[must_use]
    pub fn allowed(&self, fact: &Fact<Choice>, on: Option<Day>) -> String {
        let Allow::Topic(against) = fact.is.allow else { return fact.is.allow.to_string() };
        let answer = fact.is.topic.as_ref().and_then(|topic| self.rules.get(topic)?.on(on));
        let is_length = self.keys.find(&fact.is.key).is_some_and(|key| key.kind == Kind::Length);
        let unit = if is_length { " in" } else { "" };
        match (against, answer.map(|rule| &rule.is.answer)) {
            (Against::Fits, Some(Answer::Count(most))) => format!("at most {most}{unit}"),
            (Against::AtLeast, Some(Answer::Count(least))) => format!("at least {least}{unit}"),
            (_, Some(Answer::YesNo(yes))) => format!("only {}", if *yes { "yes" } else { "no" }),
            (_, Some(Answer::Word(word))) => format!("only {word}"),
            (Against::AllOf, Some(Answer::Words(words))) => words.join(" and "),
            (_, Some(Answer::Words(words))) => words.join(" or "),
            _ => fact.is.allow.to_string(),
        }
    }
}

impl Admission<'_> {
    /// Returns true when the house has chosen what a record is for.
    pub(super) fn applies(&self, choice: &Choice) -> bool {
        choice.with.as_ref().is_none_or(|with| self.is_met(with))
    }

    fn is_met(&self, condition: &Condition) -> bool {
        match condition {
            Condition::Yes(key) if Product::offered_by(key).is_some() => self.has(key),
            Condition::Yes(key) => self.yes(key) == Some(true),
            Condition::Group(stem) => self.house.settings().any(|(key, _)| key.starts_with(stem.as_str())),
            Condition::Above(key, least) => matches!(self.value(key), Some(Value::Count(count)) if count > least),
        }
    }

    /// Returns true when the house must set the key of a record.
    fn is_demanded(&self, choice: &Choice) -> bool {
        let demanded = match &choice.demanded {
            Demanded::No => false,
            Demanded::Always => true,
            Demanded::With(with) => self.is_met(with),
        };
        demanded && self.applies(choice)
    }

    /// Reports a list that lacks some of the words that it must have.
    pub(super) fn all_of(&mut self, setting: &Setting, words: &[String], path: &str, cites: &Cites) {
        let items = setting.items();
        let lacks = |word: &&String| !items.iter().any(|item| item.text() == word.as_str());
        let missing: Vec<&str> = words.iter().filter(lacks).map(String::as_str).collect();
        if !missing.is_empty() {
            self.problem(path, format!("{setting}: the book demands also {}", missing.join(", ")), cites);
        }
    }

    /// Compares a value with what the book answers to the topic of its record.
    pub(super) fn answered(&mut self, against: Against, fact: &Fact<Choice>, setting: &Setting, path: &str) {
        let book = self.book;
        let topic = fact.is.topic.as_ref().and_then(|topic| book.rules.get(topic)?.on(self.day));
        let Some(rule) = topic else { return };
        let cites = merge(fact.cites.iter().chain(rule.cites.iter()).cloned());
        let value = setting.value();
        let fits = match (against, &rule.is.answer) {
            (Against::AllOf, Answer::Words(words)) => return self.all_of(setting, words, path, &cites),
            (Against::AtLeast, Answer::Count(least)) => {
                Bound::of_count(*least, value).is_none_or(|bound| bound.is_least(value))
            }
            (_, Answer::Count(most)) => Bound::of_count(*most, value).is_none_or(|bound| bound.is_most(value)),
            (_, Answer::YesNo(yes)) => value.yes() == Some(*yes),
            (_, Answer::Word(word)) => setting.text() == word,
            (_, Answer::Words(words)) => {
                setting.items().iter().all(|item| words.iter().any(|word| item.text() == word))
            }
        };
        // A demanded number of nothing states nothing.
        if against == Against::Fits && fact.is.demanded != Demanded::No && *value == Value::Count(0) {
            self.problem(path, format!("{setting}: the book demands at least 1"), &cites);
        } else if !fits {
            let message = format!("{setting}: the book allows {}", book.allowed(fact, self.day));
            self.problem(path, message, &cites);
        }
    }

    /// Reports totals that are above the limit of the book. An amount that is already wrong by itself is not added up.
    pub(super) fn totals(&mut self) {
        let (book, day) = (self.book, self.day);
        for fact in book.totals.iter().filter(|fact| fact.days.hold(day)) {
            let Some(rule) = book.rules.get(&fact.is.topic).and_then(|dated| dated.on(day)) else { continue };
            let Answer::Count(most) = rule.is.answer else { continue };
            let keys = || fact.is.of.iter().flat_map(|(key, more)| std::iter::once(key).chain(more));
            let reported = |key: &String| self.problems.iter().any(|problem| problem.path == *key);
            if keys().any(reported) {
                continue;
            }
            let limit = u32::try_from(most).ok().and_then(|most| Stake::whole(most).ok()).map_or(0, Stake::minor);
            let sum = self.sum(&fact.is);
            if sum.is_none_or(|sum| sum > u128::from(limit)) {
                let named: Vec<String> =
                    keys().filter_map(|key| Some(format!("{key} = {}", self.house.setting(key)?))).collect();
                let what = fact.is.note.as_deref().unwrap_or("together");
                let cites = merge(fact.cites.iter().chain(rule.cites.iter()).cloned());
                let message = format!("{}: {what} may be at most {most}", named.join(", "));
                self.problem(&fact.is.path, message, &cites);
            }
        }
    }

    /// Adds up the amounts that the house sets, in minor units. `None` on overflow.
    fn sum(&self, total: &Total) -> Option<u128> {
        let amount = |key: &str| match self.value(key) {
            Some(Value::Money(money)) => u128::try_from(money.minor()).ok(),
            Some(Value::Amount(stake)) => Some(u128::from(stake.minor())),
            _ => Some(0),
        };
        let count = |key: &str| match self.value(key) {
            Some(Value::Count(count)) => u128::from(*count),
            _ => 0,
        };
        total.of.iter().try_fold(0u128, |sum, (key, more)| {
            let times = more.iter().try_fold(1u128, |times, key| times.checked_mul(1 + count(key)));
            sum.checked_add(amount(key)?.checked_mul(times?)?)
        })
    }

    /// Returns the number of seats and who sets it. A house that repeats the number of the law doesn't set it.
    pub(super) fn seats(&self) -> Option<(u32, SetBy)> {
        const KEY: &str = "table.seats";
        let lawful = self.choice(KEY).and_then(|fact| {
            let rule = self.book.rules.get(fact.is.topic.as_ref()?)?.on(self.day)?;
            match (&fact.is.allow, &rule.is.answer) {
                (Allow::Topic(Against::Fits), Answer::Count(most)) => {
                    Some((u32::try_from(*most).ok()?, SetBy::Law(fact.cites.clone())))
                }
                _ => None,
            }
        });
        match self.house.get(KEY) {
            Some(Value::Count(own)) if lawful.as_ref().is_none_or(|(most, _)| most != own) => {
                Some((*own, SetBy::House(KEY.to_owned())))
            }
            _ => lawful,
        }
    }

    /// Reports everything that the book demands and the house doesn't state.
    fn demands(&mut self) {
        let book = self.book;
        for key in book.choices.keys() {
            let Some(fact) = self.choice(key).filter(|fact| self.is_demanded(&fact.is)) else {
                continue;
            };
            let missing = match key.as_str() {
                "limits" => ["min", "max"]
                    .into_iter()
                    .filter(|end| !self.posts(end))
                    .map(|end| format!("limits.{end}"))
                    .collect(),
                _ if self.house.get(key).is_some() => Vec::new(),
                _ => vec![key.clone()],
            };
            let what = match &fact.is.allow {
                Allow::Any => "that it is stated".to_owned(),
                Allow::Fixed(only) => only.to_string(),
                Allow::OneOf(all) => all.iter().map(Setting::text).collect::<Vec<_>>().join(" or "),
                _ => {
                    let allowed = book.allowed(fact, self.day);
                    allowed.strip_prefix("only ").unwrap_or(&allowed).to_owned()
                }
            };
            for path in missing {
                self.problem(&path, format!("missing; the book demands {what}"), &fact.cites);
            }
        }
        self.problems.sort_by(|a, b| a.path.cmp(&b.path));
    }

    /// Returns true when every group of bets has a limit at this end.
    fn posts(&self, end: &str) -> bool {
        Group::ALL.into_iter().all(|group| self.house.limit(group, end).is_some())
    }

    /// Says which keys of the house are for a product that its table doesn't offer.
    fn unused(&mut self) {
        for (key, setting) in self.house.settings().filter(|(_, setting)| !setting.declines()) {
            if let Some(fact) = self.choice(key).filter(|fact| !self.applies(&fact.is))
                && let Some(Condition::Yes(with)) = &fact.is.with
                && Product::offered_by(with).is_some()
            {
                self.notice(key, format!("{setting} has no effect: it is only for a table with {with}"), &fact.cites);
            }
        }
    }

    /// Says who must approve what, with one notice for each who approves.
    fn approvals(&mut self) {
        let mut all: BTreeMap<&str, (Vec<&str>, Vec<Cite>)> = BTreeMap::new();
        for (key, _) in self.house.settings().filter(|(_, setting)| !setting.declines()) {
            let Some(fact) = self.choice(key).filter(|fact| self.applies(&fact.is)) else { continue };
            if let Some(who) = &fact.is.approved_by {
                let (keys, cites) = all.entry(who).or_default();
                keys.push(key);
                cites.extend(fact.cites.iter().cloned());
            }
        }
        for (who, (keys, cites)) in all {
            self.notice("approval", format!("the {who} must approve {}", keys.join(", ")), &merge(cites));
        }
    }
}
