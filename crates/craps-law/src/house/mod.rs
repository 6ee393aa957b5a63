//! House rules: the choices of a house for its table, and the file format for them.

mod casino;
mod keys;
mod multiple;
mod product;
mod value;

pub use casino::Casino;
pub use keys::{Key, Keys, NotSet};
pub(crate) use keys::{choice_of, stated_kind};
pub use multiple::Multiple;
pub use product::Product;
pub use value::{Bound, Kind, Offered, Priced, Setting, Value};

use crate::fact::Allow;
use crate::words::Game;
use crate::{Day, LawError, NoSuchBook, RuleBook, Source};
use craps_money::Stake;
use craps_wagers::Group;
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The rules of a house for its table: book, day, game and choices. The values are well formed, but not yet checked against the
/// book: [`RuleBook::admit`] does that.
#[derive(Debug, Clone)]
pub struct HouseRules {
    /// Name that the house gives the table.
    pub name: Option<String>,
    /// Id of the rule book, such as `pa`.
    pub book: String,
    /// Day that the rules are for.
    pub as_of: Day,
    /// Kind of game. `None`: the first game of the book.
    pub game: Option<Game>,
    /// Byte range of the book's id in the file.
    book_span: Option<std::ops::Range<usize>>,
    /// Keys that the house may set.
    keys: Arc<Keys>,
    /// Choices of the house by key, in normalized spelling.
    settings: BTreeMap<String, Setting>,
}

/// Two houses are equal when they make the same choices. The list of known keys and the place in a file don't count.
impl PartialEq for HouseRules {
    fn eq(&self, other: &HouseRules) -> bool {
        let said = |house: &HouseRules| (house.name.clone(), house.book.clone(), house.as_of, house.game);
        said(self) == said(other) && self.settings == other.settings
    }
}

impl Eq for HouseRules {}

/// Paths and texts of the sample houses.
const SAMPLES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/houses.rs"));

impl HouseRules {
    /// Returns the built-in sample houses.
    #[must_use]
    pub fn samples() -> Vec<Source> {
        SAMPLES.iter().map(|(path, text)| Source { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
    }

    /// Makes a house under a built-in book that makes no choices.
    #[must_use]
    pub fn plain(book: impl Into<String>, as_of: Day) -> HouseRules {
        HouseRules::with_keys(book.into(), as_of, Keys::shipped())
    }

    /// Makes a house under a book that makes no choices. It accepts all keys that the book's library knows.
    #[must_use]
    pub fn under(book: &RuleBook, as_of: Day) -> HouseRules {
        HouseRules::with_keys(book.id.clone(), as_of, Arc::clone(&book.keys))
    }

    fn with_keys(book: String, as_of: Day, keys: Arc<Keys>) -> HouseRules {
        HouseRules { name: None, book, as_of, game: None, book_span: None, keys, settings: BTreeMap::new() }
    }

    /// Makes the house of a practice table: it offers everything the book allows, with limits as close to $5 and $5,000 as the book
    /// allows.
    ///
    /// ```
    /// use craps_law::{HouseRules, Library};
    /// let library = Library::shipped();
    /// let house = HouseRules::practice(library.named("md")?)?;
    /// assert_eq!(house.setting("limits.min").unwrap().text(), "5");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the book's own limits are not valid values.
    pub fn practice(book: &RuleBook) -> Result<HouseRules, NotSet> {
        let mut house = HouseRules::under(book, book.sample_day);
        house.set("offer", "all")?;
        for (key, usual) in [("limits.min", 5), ("limits.max", 5_000)] {
            if let Some(amount) = Stake::whole(usual).ok().and_then(|usual| nearest_lawful(book, key, usual)) {
                house.set(key, &amount.to_string())?;
            }
        }
        // Practice tables leave out draws that raise prices, which would confuse beginners.
        let draws = book.modifiers.iter().flat_map(|modifier| &modifier.offer.0).filter_map(|fact| fact.is.key.clone());
        for key in draws.collect::<Vec<_>>() {
            house.set(&key, "no")?;
        }
        Ok(house)
    }

    /// Reads a house file under a built-in book.
    ///
    /// # Errors
    /// At the first mistake: bad syntax, an unknown key or an invalid value.
    pub fn parse(source: &Source) -> Result<HouseRules, LawError> {
        HouseRules::read(source, None, Keys::shipped())
    }

    /// Reads a house file with these keys. `as_of` replaces the day in the file.
    pub(crate) fn read(source: &Source, as_of: Option<Day>, keys: Arc<Keys>) -> Result<HouseRules, LawError> {
        let file = DeTable::parse(&source.text).map_err(|error| LawError::toml(source, &error))?;
        HouseRules::read_table(source, file.get_ref(), as_of, keys, &Shape::FILE)
    }

    /// Reads a house from a table of a file.
    fn read_table(
        source: &Source,
        table: &DeTable<'_>,
        as_of: Option<Day>,
        keys: Arc<Keys>,
        shape: &Shape<'_>,
    ) -> Result<HouseRules, LawError> {
        let (mut name, mut book, mut day, mut game, mut settings) = (None, None, None, None, BTreeMap::new());
        let wrong = |value: &Spanned<DeValue<'_>>, expected: &str| {
            LawError::at(source, value.span(), format!("expected {expected}, found `{}`", &source.text[value.span()]))
        };
        for (key, value) in table {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("name", DeValue::String(text)) => name = Some(text.to_string()),
                ("book", DeValue::String(text)) => book = Some((text.to_string(), value.span())),
                ("as_of", _) => day = Some(day_in(source, value)?),
                ("game", DeValue::String(text)) => {
                    let words: Vec<&str> = Game::ALL.iter().map(|game| game.word()).collect();
                    game =
                        Some(Game::find(text).ok_or_else(|| wrong(value, &format!("one of: {}", words.join(", "))))?);
                }
                (name, DeValue::Table(table)) if name == shape.choices => {
                    flatten(source, "", table, &keys, &mut settings)?;
                }
                ("name" | "book" | "game", _) => return Err(wrong(value, "a string in quotes")),
                (name, _) if name == shape.choices => return Err(wrong(value, "a table of house keys")),
                (other, _) => {
                    let message =
                        format!("unknown key `{other}`: expected name, book, as_of, game or {}", shape.header);
                    return Err(LawError::at(source, key.span(), message));
                }
            }
        }
        let book = book.or(shape.book.clone());
        let book = book
            .ok_or_else(|| LawError::of(&source.path, "`book` is missing: add the rule book, such as book = \"pa\""))?;
        let as_of = as_of.or(day).or(shape.as_of).ok_or_else(|| {
            LawError::of(&source.path, "`as_of` is missing: add the day of the rules, such as as_of = 2023-10-01")
        })?;
        let (book, span) = book;
        Ok(HouseRules { name, book, as_of, game, book_span: Some(span), keys, settings })
    }

    /// Makes the error for an unknown book, with its place in the file.
    pub(crate) fn unknown_book(&self, source: &Source, unknown: NoSuchBook) -> LawError {
        match &self.book_span {
            Some(span) => LawError::at(source, span.clone(), unknown.to_string()),
            None => LawError::of(&source.path, unknown.to_string()),
        }
    }

    /// Sets one key, as `key=value` does in the header of a game.
    ///
    /// ```
    /// use craps_law::HouseRules;
    /// let mut house = HouseRules::plain("pa", "2023-10-01".parse()?);
    /// house.set("odds.k", "3-4-5")?;
    /// let error = house.set("odds.kk", "3").unwrap_err();
    /// assert_eq!(error.to_string(), "unknown house key `odds.kk`; did you mean `odds.k`?");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the key is unknown or the value is not valid for it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), NotSet> {
        let (key, value) = spelled_out(&self.keys, key, value);
        let setting = self.keys.read(&key, value)?;
        self.settings.insert(key, setting);
        Ok(())
    }

    /// Returns the value of a key, if the house sets it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.setting(key).map(Setting::value)
    }

    /// Returns the value of a key together with its text, if the house sets it.
    #[must_use]
    pub fn setting(&self, key: &str) -> Option<&Setting> {
        self.settings.get(key)
    }

    /// Iterates over all keys that the house sets, with their values.
    pub(crate) fn settings(&self) -> impl Iterator<Item = (&str, &Setting)> {
        self.settings.iter().map(|(key, setting)| (key.as_str(), setting))
    }

    /// Iterates over all keys that the house sets, with their values as text.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings().map(|(key, setting)| (key, setting.text()))
    }

    /// Returns all keys and values in one line, as the header of a game has them.
    #[must_use]
    pub fn tag(&self) -> String {
        self.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("; ")
    }

    /// Returns the limit of a group and its key: the group's own limit, or the general one. `end` is `min` or `max`.
    #[must_use]
    pub(crate) fn limit(&self, group: Group, end: &str) -> Option<(String, Stake)> {
        [format!("limits.{}.{end}", group.name()), format!("limits.{end}")]
            .into_iter()
            .find_map(|key| Some((key.clone(), self.get(&key)?.amount()?)))
    }
}

/// How a house is written: on its own in a file, or as one of several.
struct Shape<'a> {
    /// Key of the table with the choices.
    choices: &'a str,
    /// The same table, as an error names it.
    header: &'a str,
    /// Book of a house that names none, with its place.
    book: Option<(String, std::ops::Range<usize>)>,
    /// Day of a house that names none.
    as_of: Option<Day>,
}

impl Shape<'_> {
    const FILE: Shape<'static> = Shape { choices: "house", header: "[house]", book: None, as_of: None };
}

/// Reads a day, as a date or in quotes.
fn day_in(source: &Source, value: &Spanned<DeValue<'_>>) -> Result<Day, LawError> {
    let text = match value.get_ref() {
        DeValue::Datetime(date) => date.to_string(),
        DeValue::String(text) => text.to_string(),
        _ => {
            let found = &source.text[value.span()];
            let message = format!("expected a date such as 2023-10-01, found `{found}`");
            return Err(LawError::at(source, value.span(), message));
        }
    };
    text.parse().map_err(|error: crate::NotADay| LawError::at(source, value.span(), error.to_string()))
}

/// Returns the amount closest to `usual` that the book allows for a key. `None` if the book doesn't leave this key to the house.
fn nearest_lawful(book: &RuleBook, key: &str, usual: Stake) -> Option<Stake> {
    let choices = book.choices.get(key).or_else(|| book.choices.get(choice_of(key)))?;
    let amounts = |settings: &[Setting]| -> Vec<Stake> {
        settings.iter().filter_map(|setting| setting.value().amount()).collect()
    };
    let away = |amount: &Stake| amount.minor().abs_diff(usual.minor());
    match &choices.on(Some(book.sample_day))?.is.allow {
        Allow::Fixed(only) => only.value().amount(),
        Allow::OneOf(all) => amounts(all).into_iter().min_by_key(away),
        Allow::AtLeast(least) => Some(least.amount().map_or(usual, |least| usual.max(least))),
        Allow::Between(low, high) => {
            let usual = low.amount().map_or(usual, |low| usual.max(low));
            Some(high.amount().map_or(usual, |high| usual.min(high)))
        }
        Allow::AtMost(most) => Some(most.amount().map_or(usual, |most| usual.min(most))),
        Allow::Any | Allow::ListedTables | Allow::Odds | Allow::Prices | Allow::AllOf(_) | Allow::Topic(_) => {
            Some(usual)
        }
    }
}

/// Expands the short form `fire = offered` to `fire.offered = yes`.
fn spelled_out<'a>(keys: &Keys, key: &str, value: &'a str) -> (String, &'a str) {
    if value.trim() == "offered" && keys.products().iter().any(|product| product == key) {
        (Product::named(key).offered_key(), "yes")
    } else {
        (key.to_owned(), value)
    }
}

/// Flattens nested tables into dotted keys.
fn flatten(
    source: &Source,
    stem: &str,
    table: &DeTable<'_>,
    keys: &Keys,
    settings: &mut BTreeMap<String, Setting>,
) -> Result<(), LawError> {
    for (name, value) in table {
        let name_text = name.get_ref();
        let key = if stem.is_empty() { name_text.to_string() } else { format!("{stem}.{name_text}") };
        let text = match value.get_ref() {
            DeValue::Table(inner) => {
                flatten(source, &key, inner, keys, settings)?;
                continue;
            }
            DeValue::Array(items) => {
                let texts: Vec<String> = items.iter().map(|item| scalar(source, item)).collect();
                texts.join(",")
            }
            _ => scalar(source, value),
        };
        let (key, text) = spelled_out(keys, &key, &text);
        let known = keys.find(&key).is_some();
        let span = if known { value.span() } else { name.span() };
        let setting = keys.read(&key, text).map_err(|error| LawError::at(source, span, error.to_string()))?;
        settings.insert(key, setting);
    }
    Ok(())
}

/// Returns a single value as text. Numbers keep their spelling in the file, so that no cent is lost in a float.
fn scalar(source: &Source, value: &Spanned<DeValue<'_>>) -> String {
    match value.get_ref() {
        DeValue::String(text) => text.to_string(),
        _ => source.text[value.span()].to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<HouseRules, String> {
        HouseRules::parse(&Source { path: "house.toml".into(), text: text.into() }).map_err(|error| error.to_string())
    }

    #[test]
    fn values_have_one_spelling() {
        let house = parse("book='x'\nas_of=2024-01-01\n[house]\nchip = 0.25\nbuy.offered = true\nhardways.on_comeout_default = 'yes'\noffer = ['buy', 'lay']\n").unwrap();
        let pairs: Vec<(&str, &str)> = house.iter().collect();
        assert_eq!(
            pairs,
            [("buy.offered", "yes"), ("chip", "0.25"), ("hardways.on_comeout_default", "on"), ("offer", "buy,lay")]
        );
    }

    #[test]
    fn a_misspelled_key_is_named_with_its_place_and_the_likely_one() {
        let error = parse("book='x'\nas_of=2024-01-01\n[house]\nodds.kk = 3\n").unwrap_err();
        assert_eq!(error, "house.toml:4:6: unknown house key `odds.kk`; did you mean `odds.k`?");
    }

    #[test]
    fn bad_values_are_reported_with_what_was_expected() {
        for (line, expected) in [
            ("odds.k = 'lots'", "expected a multiple such as 10"),
            ("chip = 0", "expected an amount above zero"),
            ("vig.rate = 'five'", "expected a rate such as \"5%\""),
            ("fire.amount = '5..1'", "expected amounts such as \"1..5\""),
            ("higher_odds = 'feeld/12:3 to 1'", "unknown wager `feeld`"),
            ("higher_odds = 'field/7:3 to 1'", "`field` has no rank `7`"),
            ("higher_odds = 'horn:30 to 1'", "`horn` is a composite and has no price of its own"),
            ("higher_odds = 'hard-6:10 to 1,hard-6:12 to 1'", "`hard-6` is priced twice"),
            ("odds.k = '4:3,4:5'", "expected a multiple such as 10"),
            ("rounding = 'nearest'", "one of: exact_or_refuse, up, down"),
            ("offer = 'buy,layy'", "found `layy`"),
            ("limits.min = -5", "expected an amount above zero"),
        ] {
            let error = parse(&format!("book='x'\nas_of=2024-01-01\n[house]\n{line}\n")).unwrap_err();
            assert!(error.starts_with("house.toml:4:") && error.contains(expected), "{line}: {error}");
        }
        assert!(parse("book='x'\n").unwrap_err().contains("`as_of` is missing"));
        assert!(parse("book='x'\nas_of=2023-02-30\n").unwrap_err().contains("house.toml:2:7"));
    }

    #[test]
    fn every_key_is_listed_once() {
        let keys = Keys::shipped();
        let all: Vec<&Key> = keys.iter().collect();
        for (at, key) in all.iter().enumerate() {
            assert!(all[at + 1..].iter().all(|other| other.name != key.name), "{}", key.name);
            assert!(!key.about.is_empty() && !key.kind.expected().is_empty(), "{}", key.name);
        }
    }

    #[test]
    fn keys_of_products_follow_from_the_books() {
        let keys = Keys::shipped();
        let kind = |key: &str| keys.find(key).unwrap_or_else(|| panic!("no key {key}")).kind.clone();
        let words = |words: &[&str]| Kind::Word(words.iter().map(|word| (*word).to_owned()).collect());
        for (key, expected) in [
            ("fire.offered", Kind::YesNo),
            ("fire.table", Kind::Table),
            ("fire.amount", Kind::Range),
            ("fire.on_mini", Kind::YesNo),
            ("ride.min", Kind::Amount),
            ("ride.max", Kind::Amount),
            ("ride.tips", Kind::YesNo),
            ("ride.window", words(&["before_first_comeout", "until_first_counted", "until_point_established"])),
            ("dice_ology.window", words(&["new_shooter", "tracker_empty"])),
            ("bonus.reopen_after_any_seven", Kind::YesNo),
            ("hot_shooter.count_seven_out", Kind::YesNo),
            ("area.whirl", Kind::YesNo),
            ("any_seven.pay", Kind::Price),
            ("power_odds.offered", Kind::YesNo),
        ] {
            assert_eq!(kind(key), expected, "{key}");
        }
        assert_eq!(
            keys.products().join(" "),
            "place_lose buy lay six_seven_eight fire sharp_shooter ride bonus dice_ology hot_roller lucky_shooter hot_shooter power_odds"
        );
    }
}
