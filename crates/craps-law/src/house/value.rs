//! The values of house keys. Each is parsed once from its text, with an error that says what was expected.

use super::Multiple;
use crate::words::{OnOff, Removal, Who};
use craps_dice::Point;
use craps_money::{Money, NotMoney, Odds, Rate, RoundingRule, Stake, Timing};
use craps_wagers::{Catalogue, Family, Rank, Ranks, Side, WagerId};
use std::fmt;

/// The kind of value that a house key takes.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "`expected` describes the values of each kind")]
pub enum Kind {
    /// Products that can be listed.
    Offer(Vec<String>),
    Amount,
    /// Multiple of the odds bets on this side.
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
    /// Words that are allowed.
    Word(Vec<String>),
    Removal,
    Roles,
    /// Lowest number that is allowed.
    Count(u32),
    Length,
    Money,
    /// Words that books know for the key. A book decides which of them are lawful.
    Words(Vec<String>),
    Text,
}

/// The value of a house key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// Products offered in addition to the wagers every table has.
    Offer(Offered),
    /// An amount of money.
    Amount(Stake),
    /// Multiple of the flat bet, for each number or for all.
    Multiple {
        /// Multiple by number.
        by: Multiple,
        /// True when the text gives a multiple for each number, such as `4:3,5:4`.
        named: bool,
    },
    /// Yes or no.
    YesNo(bool),
    /// On or off.
    OnOff(OnOff),
    /// Commission rate.
    Rate(Rate),
    /// Whether commission is taken up front or on a win.
    Timing(Timing),
    /// List of numbers that can be a point.
    Numbers(Vec<Point>),
    /// A single price, such as `4 to 1`.
    Price(Odds),
    /// List of wagers with their prices.
    Prices(Vec<Priced>),
    /// Name of a pay table in the law.
    Table(String),
    /// Lowest and highest amount.
    Range(Money, Money),
    /// List of wager families.
    Families(Vec<Family>),
    /// What happens to a payout that chips can't make.
    Rounding(RoundingRule),
    /// One of the words that the key allows.
    Word(String),
    /// Whether bets may be taken down, for a wager or for all (`None`).
    Removal(Vec<(Option<WagerId>, Removal)>),
    /// List of roles.
    Roles(Vec<Who>),
    /// A whole number.
    Count(u32),
    /// A length in inches.
    Length(u32),
    /// An amount of money that can be zero.
    Money(Money),
    /// A list of words.
    Words(Vec<String>),
    /// A text, such as where something is.
    Text(String),
}

/// The products that a house offers in addition to the wagers every table has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Offered {
    /// Everything the book allows.
    All,
    /// Only these products. Empty: none.
    Only(Vec<String>),
}

/// The price of one rank of a wager.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Priced {
    /// Id of the wager.
    pub wager: WagerId,
    /// Rank that pays this price, such as a field 12.
    pub rank: Rank,
    /// Price of the rank.
    pub odds: Odds,
}

/// A value together with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    text: String,
    value: Value,
}

impl Setting {
    /// Returns the text of the value.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the parsed value.
    #[must_use]
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns the same value with another text.
    pub(crate) fn written(self, text: &str) -> Setting {
        Setting { text: text.to_owned(), ..self }
    }

    /// Splits a list into its items. A value that is not a list gives only itself.
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
            Value::Words(all) => each(all.iter().map(|one| Value::Words(vec![one.clone()])).collect()),
            _ => vec![self.clone()],
        }
    }

    /// Returns true when the value is no, off or none.
    pub(crate) fn declines(&self) -> bool {
        match &self.value {
            Value::YesNo(yes) => !yes,
            Value::OnOff(word) => *word == OnOff::Off,
            Value::Offer(Offered::Only(list)) => list.is_empty(),
            Value::Prices(list) => list.is_empty(),
            Value::Families(list) => list.is_empty(),
            Value::Table(text) | Value::Word(text) | Value::Text(text) => nothing(text),
            Value::Words(list) => list.iter().all(|word| nothing(word)),
            _ => false,
        }
    }
}

/// Returns true for a text that says that there is nothing.
fn nothing(text: &str) -> bool {
    ["", "no", "off", "none"].contains(&text)
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Value {
    /// Returns a yes/no or on/off value as a bool.
    #[must_use]
    pub fn yes(&self) -> Option<bool> {
        match self {
            Value::YesNo(yes) => Some(*yes),
            Value::OnOff(word) => Some(*word == OnOff::On),
            _ => None,
        }
    }

    /// Returns the amount, if the value is one.
    #[must_use]
    pub fn amount(&self) -> Option<Stake> {
        match self {
            Value::Amount(amount) => Some(*amount),
            _ => None,
        }
    }

    /// Compares a choice with an allowed value. For removals only the words count, not the wagers.
    pub(crate) fn agrees(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Removal(own), Value::Removal(other)) => {
                own.iter().all(|(_, word)| other.iter().any(|(_, known)| known == word))
            }
            (own, other) => own == other,
        }
    }
}

/// Reads yes and no, also when written as on/off or true/false.
fn yes_or_no(text: &str) -> Option<bool> {
    match text {
        "yes" | "on" | "true" => Some(true),
        "no" | "off" | "false" => Some(false),
        _ => None,
    }
}

impl Kind {
    /// Joins the kinds that two books give one key. `None` if no value could be of both.
    pub(crate) fn joined(self, other: Kind) -> Option<Kind> {
        match (self, other) {
            (Kind::Words(mut words), Kind::Words(more)) => {
                words.extend(more.into_iter().filter(|word| !words.contains(word)).collect::<Vec<_>>());
                Some(Kind::Words(words))
            }
            // A text can be one of the words.
            (Kind::Text, Kind::Words(_)) | (Kind::Words(_), Kind::Text) => Some(Kind::Text),
            (one, other) => (one == other).then_some(one),
        }
    }

    /// Describes the values of this kind for people.
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
            Kind::Table => "the name of a pay table in the law".to_owned(),
            Kind::Range => "amounts such as \"1..5\"".to_owned(),
            Kind::Families => format!("\"none\" or a list of {}", Family::ALL.map(Family::name).join(", ")),
            Kind::Rounding => format!("one of: {}", ROUNDING.map(|(word, _)| word).join(", ")),
            Kind::Word(words) => format!("one of: {}", words.join(", ")),
            Kind::Removal => "\"general\", \"locked\", or wagers such as \"lucky-shooter:locked\"".to_owned(),
            Kind::Roles => format!("a list of {}", Who::NAMED.map(Who::name).join(", ")),
            Kind::Count(0) => "a whole number such as 9".to_owned(),
            Kind::Count(least) => format!("a whole number from {least}"),
            Kind::Length => "a length in whole inches such as 168, \"14 ft\" or \"9 ft 6 in\"".to_owned(),
            Kind::Money => "an amount such as 0, 50 or \"0.25\"".to_owned(),
            Kind::Words(words) => format!("some of: {}", words.join(", ")),
            Kind::Text => "text on one line without ; or \"".to_owned(),
        }
    }

    /// Parses a value and normalizes its spelling. The error says what was expected.
    pub(crate) fn read(&self, text: &str) -> Result<Setting, String> {
        let expected = |found: &str| format!("expected {}, found `{found}`", self.expected());
        let wrong = || expected(text);
        let plain = |value: Value| Ok(Setting { text: text.to_owned(), value });
        let spelled = |text: String, value: Value| Ok(Setting { text, value });
        // Parses a list and keeps the order of its items.
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
            Kind::Count(least) => {
                let count: u32 = text.parse().map_err(|_| wrong())?;
                if count < *least { Err(wrong()) } else { spelled(count.to_string(), Value::Count(count)) }
            }
            Kind::Length => {
                let inches = length(text).ok_or_else(wrong)?;
                spelled(format!("{inches} in"), Value::Length(inches))
            }
            Kind::Money => {
                let money: Money = text.parse().ok().filter(|money: &Money| *money >= Money::ZERO).ok_or_else(wrong)?;
                spelled(money.to_string(), Value::Money(money))
            }
            // The book says which words are lawful, so that a wrong word is a problem with a citation.
            Kind::Words(_) => {
                let is_word = |item: &str| !item.is_empty() && item.bytes().all(is_in_word);
                let (text, all) = list(text, expected, |item| is_word(item).then(|| item.to_owned()))?;
                spelled(text, Value::Words(all))
            }
            // The header of a game lists all keys in one line, separated by semicolons.
            Kind::Text if text.contains([';', '"', '\n', '\r']) => Err(wrong()),
            Kind::Text => plain(Value::Text(text.to_owned())),
        }
    }

    /// Returns the words that a book may use as a default instead of a value, such as `limits` to follow the limits of the table.
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

const ROUNDING: [(&str, RoundingRule); 3] =
    [("exact_or_refuse", RoundingRule::ExactOrRefuse), ("up", RoundingRule::Up), ("down", RoundingRule::Down)];

/// Returns true for a letter of a word such as `drop_box`.
fn is_in_word(byte: u8) -> bool {
    matches!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-')
}

/// Reads a length in inches: `168`, `168 in`, `14 ft`, `9.5 ft` or `9 ft 6 in`. It must be a whole number of inches above zero.
fn length(text: &str) -> Option<u32> {
    let mut rest = text;
    let mut tenths: u32 = 0;
    for (unit, names, inches) in [("ft", ["feet", "foot"], 12), ("in", ["inches", "inch"], 1)] {
        // The longer names come first, because the short one is their beginning.
        let names = [names[0], names[1], unit];
        let Some((at, name)) = names.iter().filter_map(|name| Some((rest.find(name)?, name))).min_by_key(|(at, _)| *at)
        else {
            continue;
        };
        tenths = tenths.checked_add(in_tenths(rest[..at].trim())?.checked_mul(inches)?)?;
        rest = rest[at + name.len()..].trim_start();
    }
    // A plain number is in inches.
    if tenths == 0 {
        tenths = in_tenths(rest)?;
        rest = "";
    }
    (rest.is_empty() && tenths > 0 && tenths.is_multiple_of(10)).then_some(tenths / 10)
}

/// Reads a number with at most one decimal, in tenths.
fn in_tenths(text: &str) -> Option<u32> {
    let (whole, tenth) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if tenth.len() != 1 || !digits(tenth) || !digits(whole) {
        return None;
    }
    whole.parse::<u32>().ok()?.checked_mul(10)?.checked_add(tenth.parse().ok()?)
}

/// Reads a range such as `1..5`. The first amount must not be above the second.
fn range(text: &str) -> Option<(Money, Money)> {
    let (low, high) = text.split_once("..")?;
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (low <= high).then_some((low, high))
}

/// Reads `lucky-shooter:locked`, or one word for all wagers.
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
        let wager = Catalogue::current().find(slug.trim()).ok_or_else(|| format!("unknown wager `{}`", slug.trim()))?;
        let rank = wager.wager().ranks.find(rank.trim()).ok_or_else(|| match wager.wager().ranks {
            Ranks::OfParts => {
                format!("`{wager}` is a composite and has no price of its own: set the prices of its parts")
            }
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

/// A lower or upper bound for the value of a key, together with its text.
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
    Count(u32),
    Inches(u32),
}

impl Bound {
    /// Reads a bound for values of a kind.
    pub(crate) fn read(kind: &Kind, text: &str) -> Result<Bound, String> {
        let (at, expected) = match kind {
            Kind::Rate => (text.parse().ok().map(Measure::Rate), "a rate such as \"5%\""),
            Kind::Amount | Kind::Range => (text.parse().ok().map(Measure::Money), "an amount such as 5 or \"0.25\""),
            Kind::Money => (text.parse().ok().map(Measure::Money), "an amount such as 5 or \"0.25\""),
            Kind::Multiple(_) => (text.parse().ok().map(Measure::Times), "a number such as 10"),
            Kind::Count(_) => (text.parse().ok().map(Measure::Count), "a number such as 10"),
            Kind::Length => (length(text).map(Measure::Inches), "a length such as \"14 ft\""),
            _ => return Err(format!("`{text}`: only amounts, rates, counts, lengths and multiples can have bounds")),
        };
        at.map(|at| Bound { text: text.to_owned(), at }).ok_or_else(|| format!("expected {expected}, found `{text}`"))
    }

    /// Makes a bound from the number that a book answers to a topic: dollars, inches or a count. `None` for a value without a measure.
    pub(crate) fn of_count(count: i64, value: &Value) -> Option<Bound> {
        let number = u32::try_from(count).ok()?;
        let (at, text) = match value {
            Value::Amount(_) | Value::Money(_) => {
                let money = Stake::whole(number).map_or(Money::ZERO, Stake::money);
                (Measure::Money(money), money.to_string())
            }
            Value::Length(_) => (Measure::Inches(number), format!("{number} in")),
            Value::Count(_) => (Measure::Count(number), number.to_string()),
            _ => return None,
        };
        Some(Bound { text, at })
    }

    /// Returns the amount, if the bound is one.
    pub(crate) fn amount(&self) -> Option<Stake> {
        match self.at {
            Measure::Money(money) => Stake::new(money),
            _ => None,
        }
    }

    /// Returns true when a value is at or above this bound.
    pub(crate) fn is_least(&self, value: &Value) -> bool {
        measures(value).is_some_and(|all| all.iter().all(|one| self.at <= *one))
    }

    /// Returns true when a value is at or below this bound.
    pub(crate) fn is_most(&self, value: &Value) -> bool {
        measures(value).is_some_and(|all| all.iter().all(|one| *one <= self.at))
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Returns the parts of a value that bounds apply to.
fn measures(value: &Value) -> Option<Vec<Measure>> {
    match value {
        Value::Rate(rate) => Some(vec![Measure::Rate(*rate)]),
        Value::Amount(amount) => Some(vec![Measure::Money(amount.money())]),
        Value::Range(low, high) => Some(vec![Measure::Money(*low), Measure::Money(*high)]),
        Value::Money(money) => Some(vec![Measure::Money(*money)]),
        Value::Count(count) => Some(vec![Measure::Count(*count)]),
        Value::Length(inches) => Some(vec![Measure::Inches(*inches)]),
        Value::Multiple { by, .. } => Some(by.iter().map(|(_, times)| Measure::Times(times)).collect()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: &Kind, text: &str) -> Setting {
        kind.read(text).unwrap_or_else(|error| panic!("{error}"))
    }

    fn words(all: &[&str]) -> Vec<String> {
        all.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn lists_split_into_their_items() {
        let items = |kind: &Kind, text: &str| -> Vec<String> {
            read(kind, text).items().iter().map(ToString::to_string).collect()
        };
        assert_eq!(items(&Kind::Numbers, "4, 10"), ["4", "10"]);
        assert_eq!(items(&Kind::Families, "line,hard"), ["line", "hard"]);
        assert_eq!(items(&Kind::Families, "none"), ["none"]);
        assert_eq!(items(&Kind::Removal, "general,fire:locked"), ["general", "fire:locked"]);
        assert_eq!(items(&Kind::Roles, "dealer, floor"), ["dealer", "floor"]);
        assert_eq!(items(&Kind::Words(Vec::new()), "to, win"), ["to", "win"]);
        assert_eq!(items(&Kind::Text, "4,10"), ["4,10"]);
        let own = read(&Kind::Numbers, "4,10");
        assert_eq!(own.items()[1].value(), read(&Kind::Numbers, "10").value());
        assert_eq!(own.clone().written("box").to_string(), "box");
        assert_eq!(own.clone().written("box").value(), own.value());
    }

    #[test]
    fn no_off_and_none_decline() {
        let offer = Kind::Offer(words(&["fire"]));
        let word = Kind::Word(words(&["no", "yes"]));
        for (kind, declining, taking) in [
            (&Kind::YesNo, "off", "true"),
            (&Kind::OnOff, "no", "on"),
            (&offer, "none", "fire"),
            (&offer, "", "all"),
            (&Kind::Prices, "none", "hard-6:10 to 1"),
            (&Kind::Families, "none", "line"),
            (&Kind::Table, "none", "A"),
            (&word, "no", "yes"),
            (&Kind::Text, "none", "beside the dealer"),
            (&Kind::Text, "", "no. 7"),
            (&Kind::Words(Vec::new()), "none", "to"),
        ] {
            assert!(read(kind, declining).declines(), "{declining}");
            assert!(!read(kind, taking).declines(), "{taking}");
        }
        assert!(!read(&Kind::Amount, "5").declines());
    }

    #[test]
    fn yes_and_on_are_true() {
        let yes = |kind: &Kind, text: &str| read(kind, text).value().yes();
        assert_eq!((yes(&Kind::YesNo, "on"), yes(&Kind::YesNo, "no")), (Some(true), Some(false)));
        assert_eq!((yes(&Kind::OnOff, "true"), yes(&Kind::OnOff, "off")), (Some(true), Some(false)));
        assert_eq!(yes(&Kind::Text, "yes"), None);
    }

    #[test]
    fn a_choice_agrees_with_the_same_value_written_otherwise() {
        let agrees = |kind: &Kind, one: &str, other: &str| read(kind, one).value().agrees(read(kind, other).value());
        assert!(agrees(&Kind::YesNo, "yes", "true") && agrees(&Kind::Count(0), "12", "012"));
        assert!(!agrees(&Kind::YesNo, "yes", "no") && !agrees(&Kind::Count(0), "12", "13"));
        assert!(agrees(&Kind::Length, "14 ft", "168") && !agrees(&Kind::Length, "14 ft", "169 in"));
        // For removals only the words count.
        assert!(agrees(&Kind::Removal, "fire:locked", "locked"));
        assert!(!agrees(&Kind::Removal, "locked", "general"));
        assert!(agrees(&Kind::Amount, "5", "5.00") && !agrees(&Kind::Amount, "5", "6"));
    }

    #[test]
    fn values_that_nobody_offers_are_refused() {
        assert!(Kind::Table.read("").is_err());
        assert!(Kind::Timing.read("later").is_err());
        assert!(Kind::Word(words(&["up"])).read("down").is_err());
        assert!(Kind::Roles.read("dealer,shooter").is_err());
        assert!(Kind::Range.read("5..1").is_err() && Kind::Range.read("5..5").is_ok());
        assert_eq!(Kind::Prices.read("hard-6:10 to 1, hard-6:9 to 1").unwrap_err(), "`hard-6` is priced twice");
        assert!(Kind::Prices.read("hard-6:10 to 1, hard-8:10 to 1").is_ok());
    }

    #[test]
    fn lengths_are_whole_inches() {
        for (text, inches) in [
            ("168", "168 in"),
            ("168 in", "168 in"),
            ("168in", "168 in"),
            ("14 ft", "168 in"),
            ("14 feet", "168 in"),
            ("1 foot 1 inch", "13 in"),
            ("9.5 ft", "114 in"),
            ("9 ft 6 in", "114 in"),
            ("9.0 ft 6.0 inches", "114 in"),
        ] {
            assert_eq!(read(&Kind::Length, text).text(), inches, "{text}");
        }
        for text in
            ["", "0", "0 ft", "ft", "14 m", "9.1 ft", "9 6", "-1", "1.25 ft", "9 ft 6", "6 in 9 ft", "99999999999 ft"]
        {
            assert!(Kind::Length.read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn counts_money_and_words_are_read() {
        assert_eq!(read(&Kind::Count(1), "9").value(), &Value::Count(9));
        assert!(Kind::Count(1).read("0").is_err() && Kind::Count(0).read("0").is_ok());
        assert!(Kind::Count(0).read("-1").is_err() && Kind::Count(0).read("1.5").is_err());
        assert_eq!(read(&Kind::Money, "0").text(), "0");
        assert!(Kind::Money.read("-5").is_err() && Kind::Money.read("five").is_err());
        // A word that no book knows is for the law to judge.
        assert_eq!(read(&Kind::Words(words(&["to"])), "for").value(), &Value::Words(words(&["for"])));
        assert!(Kind::Words(Vec::new()).read("two words").is_err() && Kind::Words(Vec::new()).read("").is_err());
        assert!(Kind::Text.read("one; two").is_err());
    }

    #[test]
    fn a_number_of_the_law_bounds_dollars_inches_and_counts() {
        for (kind, at, above) in
            [(Kind::Money, "5", "5.01"), (Kind::Amount, "5", "6"), (Kind::Length, "5", "6"), (Kind::Count(0), "5", "6")]
        {
            let bound = Bound::of_count(5, read(&kind, at).value()).unwrap_or_else(|| panic!("{kind:?}"));
            assert!(bound.is_most(read(&kind, at).value()) && !bound.is_most(read(&kind, above).value()), "{kind:?}");
        }
        assert!(Bound::of_count(5, &Value::YesNo(true)).is_none());
    }

    #[test]
    fn bounds_hold_at_their_own_value() {
        for (kind, below, at, above) in
            [(&Kind::Rate, "4%", "5%", "6%"), (&Kind::Amount, "4", "5", "6"), (&Kind::Range, "1..4", "5..5", "6..7")]
        {
            let text = if matches!(kind, Kind::Rate) { "5%" } else { "5" };
            let bound = Bound::read(kind, text).unwrap_or_else(|error| panic!("{error}"));
            let value = |text: &str| read(kind, text).value().clone();
            assert_eq!([below, at, above].map(|text| bound.is_least(&value(text))), [false, true, true]);
            assert_eq!([below, at, above].map(|text| bound.is_most(&value(text))), [true, true, false]);
            assert_eq!(bound.to_string(), text);
            assert_eq!(bound.amount().is_some(), !matches!(kind, Kind::Rate));
        }
        assert!(Bound::read(&Kind::YesNo, "5").is_err());
    }
}
