//! What the value of a house key is: read once from its text, with an error that says what would do.

use super::Multiple;
use crate::words::{OnOff, Removal, Who};
use craps_dice::Point;
use craps_money::{Money, NotMoney, Odds, Rate, RoundingRule, Stake, Timing};
use craps_wagers::{Catalogue, Family, Rank, Ranks, Side, WagerId};
use std::fmt;

/// What the value of a house key looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "`expected` says what each takes")]
pub enum Kind {
    /// The products that can be listed.
    Offer(Vec<String>),
    Amount,
    /// Of odds behind bets of this side.
    Multiple(Side),
    YesNo,
    OnOff,
    Rate,
    Timing,
    Numbers,
    Price,
    Prices,
    Table,
    Range,
    Families,
    Rounding,
    /// The words there are.
    Word(Vec<String>),
    Removal,
    Roles,
    Free,
}

/// The value of a house key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// What is offered beyond the wagers every table has.
    Offer(Offered),
    /// An amount of money.
    Amount(Stake),
    /// A multiple of the bet in front; of which numbers it was named, or once for all.
    Multiple {
        /// By number.
        by: Multiple,
        /// Was it named number by number?
        named: bool,
    },
    /// Yes or no.
    YesNo(bool),
    /// On or off.
    OnOff(OnOff),
    /// A rate of commission.
    Rate(Rate),
    /// When commission is taken.
    Timing(Timing),
    /// Numbers that can be a point.
    Numbers(Vec<Point>),
    /// One price.
    Price(Odds),
    /// Prices of wagers.
    Prices(Vec<Priced>),
    /// The law's name of a pay table.
    Table(String),
    /// Amounts from the one to the other.
    Range(Money, Money),
    /// Families of wagers.
    Families(Vec<Family>),
    /// What is done with a payout that chips cannot make.
    Rounding(RoundingRule),
    /// One of a few words.
    Word(String),
    /// May bets come down? Of a wager, or of all.
    Removal(Vec<(Option<WagerId>, Removal)>),
    /// People.
    Roles(Vec<Who>),
    /// A text that no rule reads.
    Free(String),
}

/// What a house offers beyond the wagers every table has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offered {
    /// Everything the book lets it.
    All,
    /// These products; nothing where there is none.
    Only(Vec<String>),
}

/// The price of one rank of a wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Priced {
    /// The wager.
    pub wager: WagerId,
    /// The rank.
    pub rank: Rank,
    /// Its price.
    pub odds: Odds,
}

/// A value with the text that says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    text: String,
    value: Value,
}

impl Setting {
    /// As it is written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What it is.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// The same value, written so.
    pub(crate) fn written(self, text: &str) -> Setting {
        Setting { text: text.to_owned(), ..self }
    }

    /// The items of a list, each by itself; a value that is no list is its own item.
    pub(crate) fn items(&self) -> Vec<Setting> {
        let each = |values: Vec<Value>| {
            let texts = self.text.split(',').map(str::trim);
            texts.zip(values).map(|(text, value)| Setting { text: text.to_owned(), value }).collect()
        };
        match &self.value {
            Value::Numbers(all) => each(all.iter().map(|one| Value::Numbers(vec![*one])).collect()),
            Value::Families(all) if !all.is_empty() => {
                each(all.iter().map(|one| Value::Families(vec![*one])).collect())
            }
            Value::Removal(all) => each(all.iter().map(|one| Value::Removal(vec![*one])).collect()),
            Value::Roles(all) => each(all.iter().map(|one| Value::Roles(vec![*one])).collect()),
            _ => vec![self.clone()],
        }
    }

    /// Does it decline something: no, off or none?
    pub(crate) fn declines(&self) -> bool {
        match &self.value {
            Value::YesNo(yes) => !yes,
            Value::OnOff(word) => *word == OnOff::Off,
            Value::Offer(Offered::Only(list)) => list.is_empty(),
            Value::Prices(list) => list.is_empty(),
            Value::Families(list) => list.is_empty(),
            Value::Table(text) | Value::Word(text) | Value::Free(text) => {
                ["no", "off", "none"].contains(&text.as_str())
            }
            _ => false,
        }
    }
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Value {
    /// Yes or no, also where it is said as on or off.
    #[must_use]
    pub fn yes(&self) -> Option<bool> {
        match self {
            Value::YesNo(yes) => Some(*yes),
            Value::OnOff(word) => Some(*word == OnOff::On),
            _ => None,
        }
    }

    /// The amount.
    #[must_use]
    pub fn amount(&self) -> Option<Stake> {
        match self {
            Value::Amount(amount) => Some(*amount),
            _ => None,
        }
    }

    /// Is it the same, for something of which one word is chosen? Of a removal only the word counts, not whose it is.
    pub(crate) fn agrees(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Removal(own), Value::Removal(other)) => {
                own.iter().all(|(_, word)| other.iter().any(|(_, known)| known == word))
            }
            (Value::Free(own), Value::Free(other)) => {
                own == other || (yes_or_no(own).is_some() && yes_or_no(own) == yes_or_no(other))
            }
            (own, other) => own == other,
        }
    }
}

/// Yes and no in every word that says so.
fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" | "on" | "true" => Some(true),
        "no" | "off" | "false" => Some(false),
        _ => None,
    }
}

impl Kind {
    /// What a value of it looks like, for people.
    #[must_use]
    pub fn expected(&self) -> String {
        match self {
            Kind::Offer(products) => format!("\"all\", \"none\" or a list of {}", products.join(", ")),
            Kind::Amount => "an amount above zero such as 5 or \"0.25\"".to_owned(),
            Kind::Multiple(_) => "a multiple such as 10, \"3-4-5\" or \"4:3,5:4,6:5\"".to_owned(),
            Kind::YesNo => "yes or no".to_owned(),
            Kind::OnOff => "on or off".to_owned(),
            Kind::Rate => "a rate such as \"5%\"".to_owned(),
            Kind::Timing => "\"upfront\" or \"on_win\"".to_owned(),
            Kind::Numbers => "numbers such as \"4,10\"".to_owned(),
            Kind::Price => "a price such as \"4 to 1\"".to_owned(),
            Kind::Prices => "prices such as \"field/12:3 to 1,hard-6:10 to 1\"".to_owned(),
            Kind::Table => "the law's name of a pay table".to_owned(),
            Kind::Range => "amounts such as \"1..5\"".to_owned(),
            Kind::Families => format!("\"none\" or a list of {}", Family::ALL.map(Family::name).join(", ")),
            Kind::Rounding => format!("one of: {}, {}", ROUNDING[0].0, ROUNDING[1].0),
            Kind::Word(words) => format!("one of: {}", words.join(", ")),
            Kind::Removal => "\"general\", \"locked\", or wagers such as \"lucky-shooter:locked\"".to_owned(),
            Kind::Roles => format!("a list of {}", Who::NAMED.map(Who::name).join(", ")),
            Kind::Free => "a text, a number, or yes or no".to_owned(),
        }
    }

    /// Reads a value, in its one spelling; or what is wrong with it.
    pub(crate) fn read(&self, text: &str) -> Result<Setting, String> {
        let expected = |found: &str| format!("expected {}, found `{found}`", self.expected());
        let wrong = || expected(text);
        let plain = |value: Value| Ok(Setting { text: text.to_owned(), value });
        let spelled = |text: String, value: Value| Ok(Setting { text, value });
        // A list, with its items in the order in which they are written.
        fn list<T>(
            text: &str,
            expected: impl Fn(&str) -> String,
            read: impl Fn(&str) -> Option<T>,
        ) -> Result<(String, Vec<T>), String> {
            let items: Vec<&str> = text.split(',').map(str::trim).collect();
            let read = items.iter().map(|item| read(item).ok_or_else(|| expected(item))).collect::<Result<_, _>>()?;
            Ok((items.join(","), read))
        }
        match self {
            Kind::Offer(_) if text == "all" => plain(Value::Offer(Offered::All)),
            Kind::Offer(_) if text == "none" || text.is_empty() => {
                spelled("none".to_owned(), Value::Offer(Offered::Only(Vec::new())))
            }
            Kind::Offer(products) => {
                let known = |item: &str| products.iter().find(|known| *known == item).cloned();
                let (text, all) = list(text, expected, known)?;
                spelled(text, Value::Offer(Offered::Only(all)))
            }
            Kind::Amount => {
                let amount: Stake = text.parse().map_err(|_| wrong())?;
                spelled(amount.to_string(), Value::Amount(amount))
            }
            Kind::Multiple(_) => {
                let by = text.parse().map_err(|_| wrong())?;
                plain(Value::Multiple { by, named: text.contains(':') })
            }
            Kind::YesNo => {
                let yes = yes_or_no(text).ok_or_else(wrong)?;
                spelled((if yes { "yes" } else { "no" }).to_owned(), Value::YesNo(yes))
            }
            Kind::OnOff => {
                let word = if yes_or_no(text).ok_or_else(wrong)? { OnOff::On } else { OnOff::Off };
                spelled(word.word().to_owned(), Value::OnOff(word))
            }
            Kind::Rate => {
                let rate: Rate = text.parse().map_err(|_| wrong())?;
                spelled(rate.to_string(), Value::Rate(rate))
            }
            Kind::Timing => match text {
                "upfront" => plain(Value::Timing(Timing::UpFront)),
                "on_win" => plain(Value::Timing(Timing::OnWin)),
                _ => Err(wrong()),
            },
            Kind::Numbers => {
                let (text, all) = list(text, expected, |item| item.parse().ok())?;
                spelled(text, Value::Numbers(all))
            }
            Kind::Price => {
                let odds: Odds = text.parse().map_err(|_| wrong())?;
                spelled(odds.to_string(), Value::Price(odds))
            }
            Kind::Prices if text == "none" => plain(Value::Prices(Vec::new())),
            Kind::Prices => plain(Value::Prices(prices(text)?)),
            Kind::Table if text.is_empty() => Err(wrong()),
            Kind::Table => plain(Value::Table(text.to_owned())),
            Kind::Range => {
                let (low, high) = range(text).ok_or_else(wrong)?;
                plain(Value::Range(low, high))
            }
            Kind::Families if text == "none" => plain(Value::Families(Vec::new())),
            Kind::Families => {
                let family = |item: &str| Family::ALL.into_iter().find(|family| family.name() == item);
                let (text, all) = list(text, expected, family)?;
                spelled(text, Value::Families(all))
            }
            Kind::Rounding => {
                let rule = ROUNDING.iter().find(|(word, _)| *word == text).ok_or_else(wrong)?;
                plain(Value::Rounding(rule.1))
            }
            Kind::Word(words) => {
                let known = words.iter().any(|word| word == text);
                if known { plain(Value::Word(text.to_owned())) } else { Err(wrong()) }
            }
            Kind::Removal => {
                let (text, all) = list(text, expected, removal)?;
                spelled(text, Value::Removal(all))
            }
            Kind::Roles => {
                let (text, all) = list(text, expected, |item| Who::NAMED.into_iter().find(|who| who.name() == item))?;
                spelled(text, Value::Roles(all))
            }
            Kind::Free => plain(Value::Free(text.to_owned())),
        }
    }

    /// The words that a book may give as what holds when the house names nothing, besides values: what it then follows.
    pub(crate) fn follows(&self) -> &'static [&'static str] {
        match self {
            Kind::Amount | Kind::Range => &["limits", "chip.."],
            Kind::Multiple(_) => &["odds.k"],
            Kind::Table => &["first"],
            Kind::Roles => &["all"],
            _ => &[],
        }
    }
}

const ROUNDING: [(&str, RoundingRule); 2] =
    [("exact_or_refuse", RoundingRule::ExactOrRefuse), ("up", RoundingRule::Up)];

/// Reads `1..5`, both ends amounts and the first not above the second.
fn range(text: &str) -> Option<(Money, Money)> {
    let (low, high) = text.split_once("..")?;
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (low <= high).then_some((low, high))
}

/// Reads `lucky-shooter:locked`, or a word for all wagers.
fn removal(item: &str) -> Option<(Option<WagerId>, Removal)> {
    let (wager, word) = match item.split_once(':') {
        Some((wager, word)) => (Some(Catalogue::current().find(wager)?), word),
        None => (None, item),
    };
    Some((wager, Removal::find(word)?))
}

/// Reads `field/12:3 to 1,hard-6:10 to 1`.
fn prices(text: &str) -> Result<Vec<Priced>, String> {
    let one = |item: &str| {
        let (name, odds) = item.split_once(':').ok_or_else(|| format!("expected wager/rank:price, found `{item}`"))?;
        let (slug, rank) = name.split_once('/').unwrap_or((name, "win"));
        let wager =
            Catalogue::current().find(slug.trim()).ok_or_else(|| format!("no wager is called `{}`", slug.trim()))?;
        let rank = wager.wager().ranks.find(rank.trim()).ok_or_else(|| match wager.wager().ranks {
            Ranks::OfParts => format!("`{wager}` has no price of its own: name its parts"),
            _ => format!("`{wager}` has no rank `{}`", rank.trim()),
        })?;
        Ok(Priced { wager, rank, odds: odds.trim().parse().map_err(|error: NotMoney| error.to_string())? })
    };
    let all: Vec<Priced> = text.split(',').map(|item| one(item.trim())).collect::<Result<_, String>>()?;
    for (at, one) in all.iter().enumerate() {
        if all[..at].iter().any(|other| (other.wager, other.rank) == (one.wager, one.rank)) {
            return Err(format!("`{}` is priced twice", one.wager));
        }
    }
    Ok(all)
}

/// An end of what a book leaves to the house, with the text that says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    text: String,
    at: Measure,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Measure {
    Rate(Rate),
    Money(Money),
    Times(u32),
}

impl Bound {
    /// Reads an end for values of a kind.
    pub(crate) fn read(kind: &Kind, text: &str) -> Result<Bound, String> {
        let (at, expected) = match kind {
            Kind::Rate => (text.parse().ok().map(Measure::Rate), "a rate such as \"5%\""),
            Kind::Amount | Kind::Range => (text.parse().ok().map(Measure::Money), "an amount such as 5 or \"0.25\""),
            Kind::Multiple(_) => (text.parse().ok().map(Measure::Times), "a number such as 10"),
            _ => return Err(format!("`{text}`: only amounts, rates and multiples go from one to another")),
        };
        at.map(|at| Bound { text: text.to_owned(), at }).ok_or_else(|| format!("expected {expected}, found `{text}`"))
    }

    /// The amount, where it is one.
    pub(crate) fn amount(&self) -> Option<Stake> {
        match self.at {
            Measure::Money(money) => Stake::new(money),
            _ => None,
        }
    }

    /// Is a value at or above it?
    pub(crate) fn is_least(&self, value: &Value) -> bool {
        measures(value).is_some_and(|all| all.iter().all(|one| self.at <= *one))
    }

    /// Is a value at or below it?
    pub(crate) fn is_most(&self, value: &Value) -> bool {
        measures(value).is_some_and(|all| all.iter().all(|one| *one <= self.at))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// What of a value can be within bounds.
fn measures(value: &Value) -> Option<Vec<Measure>> {
    match value {
        Value::Rate(rate) => Some(vec![Measure::Rate(*rate)]),
        Value::Amount(amount) => Some(vec![Measure::Money(amount.money())]),
        Value::Range(low, high) => Some(vec![Measure::Money(*low), Measure::Money(*high)]),
        Value::Multiple { by, .. } => Some(by.iter().map(|(_, times)| Measure::Times(times)).collect()),
        _ => None,
    }
}
