//! House rules: the keys, what their values look like, and the file they are written in.

use crate::words::Game;
use crate::{Day, LawError, NoSuchBook, RuleBook, Source};
use craps_dice::Point;
use craps_money::{Money, Odds, Rate, Stake};
use craps_wagers::{Family, Group, Rank, Wager, WagerId};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A house key: what it is called, what its value looks like, and what it says.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// Its name; a final `*` stands for any ending.
    pub name: &'static str,
    /// What its value looks like.
    pub kind: Kind,
    /// What it says.
    pub about: &'static str,
}

/// What the value of a house key looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "`expected` says what each takes")]
pub enum Kind {
    Offer,
    Amount,
    Multiple,
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
    Word(&'static [&'static str]),
    Removal,
    Roles,
    Free,
}

/// The products that `offer` can name.
const PRODUCTS: &[&str] = &[
    "buy",
    "lay",
    "six_seven_eight",
    "fire",
    "bonus",
    "dice_ology",
    "hot_roller",
    "lucky_shooter",
    "hot_shooter",
    "power_odds",
    "sharp_shooter",
    "ride",
];

const ROLES: &[&str] = &["box", "stick", "dealer", "floor", "employee"];
const WINDOWS_RIDE: &[&str] = &["before_first_comeout", "until_point_established", "until_first_counted"];

const fn key(name: &'static str, kind: Kind, about: &'static str) -> Key {
    Key { name, kind, about }
}

const KEYS: &[Key] = &[
    key("offer", Kind::Offer, "what is offered beyond the wagers every table has: all, or a list"),
    key("chip", Kind::Amount, "the lowest chip"),
    key("limits.min", Kind::Amount, "the least a bet may be"),
    key("limits.max", Kind::Amount, "the most a bet may be"),
    key("limits.line.min", Kind::Amount, "the least for line and come bets"),
    key("limits.line.max", Kind::Amount, "the most for line and come bets"),
    key("limits.number.min", Kind::Amount, "the least for place, buy, lay, big and put bets"),
    key("limits.number.max", Kind::Amount, "the most for place, buy, lay, big and put bets"),
    key("limits.hardway.min", Kind::Amount, "the least for hardways"),
    key("limits.hardway.max", Kind::Amount, "the most for hardways"),
    key("limits.prop.min", Kind::Amount, "the least for one-throw bets"),
    key("limits.prop.max", Kind::Amount, "the most for one-throw bets"),
    key("limits.side.min", Kind::Amount, "the least for side bets"),
    key("limits.side.max", Kind::Amount, "the most for side bets"),
    key("odds.k", Kind::Multiple, "the odds multiple"),
    key("odds.lay_k", Kind::Multiple, "the odds multiple when laying, on the win"),
    key("crapless.odds_k", Kind::Multiple, "the odds multiple on 2, 3, 11 and 12"),
    key("buy.offered", Kind::YesNo, "are buy bets offered?"),
    key("lay.offered", Kind::YesNo, "are lay bets offered?"),
    key("place_lose.offered", Kind::YesNo, "are place bets to lose offered?"),
    key("six_seven_eight.offered", Kind::YesNo, "is the 6-7-8 bet offered?"),
    key("area.horn_high", Kind::YesNo, "has the layout a horn high area?"),
    key("area.whirl", Kind::YesNo, "has the layout a whirl area?"),
    key("mini.stickperson", Kind::YesNo, "has a mini-craps table a stickperson?"),
    key("vig.rate", Kind::Rate, "the commission on buy and lay bets"),
    key("vig.timing", Kind::Timing, "when it is taken, for buy and lay alike"),
    key("vig.buy.timing", Kind::Timing, "when it is taken on buy bets"),
    key("vig.lay.timing", Kind::Timing, "when it is taken on lay bets"),
    key("vig.on_win.numbers", Kind::Numbers, "the numbers on which it is taken from wins"),
    key("vig.refund", Kind::YesNo, "is it given back when a bet comes down?"),
    key("any_seven.pay", Kind::Price, "which listed price any seven pays"),
    key("higher_odds", Kind::Prices, "prices above the listed ones"),
    key("fire.offered", Kind::YesNo, "is Fire offered?"),
    key("fire.table", Kind::Table, "the Fire pay table"),
    key("fire.amount", Kind::Range, "the amounts a Fire bet may have"),
    key("fire.on_mini", Kind::YesNo, "may Fire be offered at mini-craps?"),
    key("bonus.offered", Kind::YesNo, "is Bonus Craps offered?"),
    key("bonus.table", Kind::Table, "the Bonus Craps pay table"),
    key("bonus.reopen_after_any_seven", Kind::YesNo, "does Bonus Craps open again after any seven?"),
    key("dice_ology.offered", Kind::YesNo, "is Dice-Ology offered?"),
    key("dice_ology.table", Kind::Table, "the Dice-Ology pay table"),
    key("dice_ology.window", Kind::Word(&["tracker_empty", "new_shooter"]), "when a Dice-Ology bet may be made"),
    key("hot_roller.offered", Kind::YesNo, "is Hot Roller offered?"),
    key("hot_roller.table", Kind::Table, "the Hot Roller pay table"),
    key("hot_roller.on_mini", Kind::YesNo, "may Hot Roller be offered at mini-craps?"),
    key("lucky_shooter.offered", Kind::YesNo, "is Lucky Shooter offered?"),
    key("lucky_shooter.table", Kind::Table, "the Lucky Shooter pay table"),
    key("hot_shooter.offered", Kind::YesNo, "is Hot Shooter Jackpot offered?"),
    key("hot_shooter.count_come_out", Kind::YesNo, "does the come-out throw count for Hot Shooter Jackpot?"),
    key("hot_shooter.count_seven_out", Kind::YesNo, "does the seven-out throw count for Hot Shooter Jackpot?"),
    key("power_odds.offered", Kind::YesNo, "are Power Odds offered?"),
    key("sharp_shooter.offered", Kind::YesNo, "is Sharp Shooter offered?"),
    key("sharp_shooter.table", Kind::Table, "the Sharp Shooter pay table"),
    key("sharp_shooter.amount", Kind::Range, "the amounts a Sharp Shooter bet may have"),
    key("ride.offered", Kind::YesNo, "is Ride The Line offered?"),
    key("ride.table", Kind::Table, "the Ride The Line pay table"),
    key("ride.min", Kind::Amount, "the least a Ride The Line bet may be"),
    key("ride.max", Kind::Amount, "the most a Ride The Line bet may be"),
    key("ride.tips", Kind::YesNo, "may a Ride The Line bet be made for the dealers?"),
    key("ride.window", Kind::Word(WINDOWS_RIDE), "until when a Ride The Line bet may be made"),
    key("hardways.on_comeout_default", Kind::OnOff, "do hardways work on the come-out without a call?"),
    key("come_odds.on_comeout", Kind::OnOff, "do come odds work on the come-out without a call?"),
    key("put_odds.on_comeout", Kind::OnOff, "do put odds work on the come-out without a call?"),
    key("off_calls_any", Kind::YesNo, "may any bet be called off?"),
    key("auto_leave_up", Kind::Families, "the families whose winning bets stay up"),
    key("rounding", Kind::Word(&["exact_or_refuse", "up"]), "what is done with a payout that chips cannot make"),
    key("round_whole_dollars", Kind::YesNo, "is a whole amount that chips cannot make rounded up too?"),
    key("side.removal", Kind::Removal, "side bets that may come down, or not"),
    key("no_roll.callers", Kind::Roles, "who may call no roll"),
    key("layout.*", Kind::Free, "what the layout carries"),
    key("box_locations", Kind::Free, "where drop box and tip box are"),
    key("anti_slide_device", Kind::Free, "a device against sliding dice"),
    key("posting", Kind::Free, "where the rules are posted"),
    key("tips.*", Kind::Free, "tips"),
    key("tournament.*", Kind::Free, "tournaments"),
    key("variation_request", Kind::Free, "a variation applied for"),
];

/// Every house key.
#[must_use]
pub fn keys() -> &'static [Key] {
    KEYS
}

fn find(name: &str) -> Option<&'static Key> {
    KEYS.iter().find(|key| match key.name.strip_suffix('*') {
        Some(stem) => name.strip_prefix(stem).is_some_and(|rest| !rest.is_empty()),
        None => key.name == name,
    })
}

/// Is it a product that can be offered or left?
pub(crate) fn is_product(name: &str) -> bool {
    PRODUCTS.contains(&name)
}

/// Is it a key that a house may write?
pub(crate) fn is_key(name: &str) -> bool {
    find(name).is_some()
}

/// The record of a book that governs a key: its own, or that of its group.
pub(crate) fn choice_of(name: &str) -> &str {
    let group = ["limits", "layout", "tips", "tournament"]
        .into_iter()
        .find(|group| name.strip_prefix(group).is_some_and(|rest| rest.starts_with('.')));
    group.unwrap_or(name)
}

/// Is it the name of a record of choices?
pub(crate) fn is_choice(name: &str) -> bool {
    is_key(name) || KEYS.iter().any(|key| choice_of(key.name) == name)
}

impl Kind {
    /// What a value of it looks like, for people.
    #[must_use]
    pub fn expected(self) -> String {
        match self {
            Kind::Offer => format!("\"all\", \"none\" or a list of {}", PRODUCTS.join(", ")),
            Kind::Amount => "an amount above zero such as 5 or \"0.25\"".to_owned(),
            Kind::Multiple => "a multiple such as 10, \"3-4-5\" or \"4:3,5:4,6:5\"".to_owned(),
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
            Kind::Word(words) => format!("one of: {}", words.join(", ")),
            Kind::Removal => "\"general\", \"locked\", or wagers such as \"lucky-shooter:locked\"".to_owned(),
            Kind::Roles => format!("a list of {}", ROLES.join(", ")),
            Kind::Free => "a text, a number, or yes or no".to_owned(),
        }
    }

    /// The value in its one spelling, or what is wrong with it.
    fn canonical(self, text: &str) -> Result<String, String> {
        let expected = || format!("expected {}, found `{text}`", self.expected());
        let list = |known: &dyn Fn(&str) -> bool| {
            let items: Vec<&str> = text.split(',').map(str::trim).collect();
            match items.iter().find(|item| !known(item)) {
                Some(item) => Err(format!("expected {}, found `{item}`", self.expected())),
                None => Ok(items.join(",")),
            }
        };
        match self {
            Kind::Offer if text == "all" || text == "none" => Ok(text.to_owned()),
            Kind::Offer if text.is_empty() => Ok("none".to_owned()),
            Kind::Offer => list(&|item| PRODUCTS.contains(&item)),
            Kind::Amount => text.parse::<Stake>().map(|amount| amount.to_string()).map_err(|_| expected()),
            Kind::Multiple => text.parse::<Multiple>().map(|_| text.to_owned()).map_err(|_| expected()),
            Kind::YesNo => match text {
                "yes" | "on" | "true" => Ok("yes".to_owned()),
                "no" | "off" | "false" => Ok("no".to_owned()),
                _ => Err(expected()),
            },
            Kind::OnOff => match text {
                "yes" | "on" | "true" => Ok("on".to_owned()),
                "no" | "off" | "false" => Ok("off".to_owned()),
                _ => Err(expected()),
            },
            Kind::Rate => text.parse::<Rate>().map(|rate| rate.to_string()).map_err(|_| expected()),
            Kind::Timing => {
                Some(text).filter(|word| ["upfront", "on_win"].contains(word)).map(str::to_owned).ok_or_else(expected)
            }
            Kind::Numbers => list(&|item| item.parse::<Point>().is_ok()),
            Kind::Price => text.parse::<Odds>().map(|odds| odds.to_string()).map_err(|_| expected()),
            Kind::Prices if text == "none" => Ok(text.to_owned()),
            Kind::Prices => prices(text).map(|_| text.to_owned()),
            Kind::Table if text.is_empty() => Err(expected()),
            Kind::Range => range(text).map(|_| text.to_owned()).ok_or_else(expected),
            Kind::Families if text == "none" => Ok(text.to_owned()),
            Kind::Families => list(&|item| Family::ALL.iter().any(|family| family.name() == item)),
            Kind::Word(words) => Some(text).filter(|word| words.contains(word)).map(str::to_owned).ok_or_else(expected),
            Kind::Removal => list(&|item| removal(item).is_some()),
            Kind::Roles => list(&|item| ROLES.contains(&item)),
            Kind::Table | Kind::Free => Ok(text.to_owned()),
        }
    }
}

/// Reads `1..5`, both ends amounts and the first not above the second.
pub(crate) fn range(text: &str) -> Option<(Money, Money)> {
    let (low, high) = text.split_once("..")?;
    let (low, high) = (low.parse().ok()?, high.parse().ok()?);
    (low <= high).then_some((low, high))
}

/// Reads `lucky-shooter:locked`, or a word for all wagers.
pub(crate) fn removal(item: &str) -> Option<(Option<WagerId>, &str)> {
    let (wager, word) = match item.split_once(':') {
        Some((wager, word)) => (Some(Wager::find_id(wager)?), word),
        None => (None, item),
    };
    ["general", "locked"].contains(&word).then_some((wager, word))
}

/// Reads `field/12:3 to 1,hard-6:10 to 1`.
pub(crate) fn prices(text: &str) -> Result<Vec<(WagerId, Rank, Odds)>, String> {
    let one = |item: &str| {
        let (name, odds) = item.split_once(':').ok_or_else(|| format!("expected wager/rank:price, found `{item}`"))?;
        let (slug, rank) = name.split_once('/').unwrap_or((name, "win"));
        let wager = Wager::find_id(slug.trim()).ok_or_else(|| format!("no wager is called `{}`", slug.trim()))?;
        let rank = wager.wager().ranks.find(rank.trim()).ok_or_else(|| match wager.wager().ranks {
            craps_wagers::Ranks::OfParts => format!("`{wager}` has no price of its own: name its parts"),
            _ => format!("`{wager}` has no rank `{}`", rank.trim()),
        })?;
        Ok((wager, rank, odds.trim().parse().map_err(|error: craps_money::NotMoney| error.to_string())?))
    };
    let all: Vec<(WagerId, Rank, Odds)> =
        text.split(',').map(|item| one(item.trim())).collect::<Result<_, String>>()?;
    for (at, (wager, rank, _)) in all.iter().enumerate() {
        if all[..at].iter().any(|(other, known, _)| (other, known) == (wager, rank)) {
            return Err(format!("`{wager}` is priced twice"));
        }
    }
    Ok(all)
}

/// An odds multiple, by the number the bet stands on.
///
/// ```
/// use craps_dice::Point;
/// use craps_law::Multiple;
/// let three_four_five: Multiple = "3-4-5".parse()?;
/// assert_eq!(three_four_five.on(Point::Nine), Some(4));
/// assert_eq!("10".parse::<Multiple>()?.on(Point::Four), Some(10));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Multiple(BTreeMap<Point, u32>);

impl Multiple {
    /// The same multiple on each of these numbers.
    #[must_use]
    pub fn each(points: &[Point], times: u32) -> Multiple {
        Multiple(points.iter().map(|point| (*point, times)).collect())
    }

    /// The multiple on a number, where one is set.
    #[must_use]
    pub fn on(&self, point: Point) -> Option<u32> {
        self.0.get(&point).copied()
    }

    /// Numbers and their multiples.
    pub fn iter(&self) -> impl Iterator<Item = (Point, u32)> {
        self.0.iter().map(|(point, times)| (*point, *times))
    }

    /// This multiple, and the other where this says nothing.
    #[must_use]
    pub fn or(mut self, other: &Multiple) -> Multiple {
        for (point, times) in other.iter() {
            self.0.entry(point).or_insert(times);
        }
        self
    }

    pub(crate) fn set(&mut self, point: Point, times: u32) {
        self.0.insert(point, times);
    }
}

impl FromStr for Multiple {
    type Err = String;

    fn from_str(text: &str) -> Result<Multiple, String> {
        let number = |t: &str| t.trim().parse::<u32>().map_err(|_| format!("`{t}` is no multiple"));
        let pairs =
            |times: [u32; 3]| Point::BOX.into_iter().zip([times[0], times[1], times[2], times[2], times[1], times[0]]);
        if text.contains(':') {
            let pair = |item: &str| {
                let (point, times) = item.split_once(':').ok_or_else(|| format!("`{item}` names no number"))?;
                Ok((point.trim().parse::<Point>().map_err(|error| error.to_string())?, number(times)?))
            };
            let pairs: Vec<(Point, u32)> = text.split(',').map(pair).collect::<Result<_, String>>()?;
            let all: BTreeMap<Point, u32> = pairs.iter().copied().collect();
            return if all.len() == pairs.len() {
                Ok(Multiple(all))
            } else {
                Err(format!("`{text}` names a number twice"))
            };
        }
        match text.split('-').collect::<Vec<_>>()[..] {
            [all] => {
                let times = number(all)?;
                Ok(Multiple(Point::BOX.into_iter().map(|point| (point, times)).collect()))
            }
            [outer, middle, inner] => Ok(Multiple(pairs([number(outer)?, number(middle)?, number(inner)?]).collect())),
            _ => Err(format!("`{text}` is no multiple")),
        }
    }
}

impl fmt::Display for Multiple {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items: Vec<String> = self.0.iter().map(|(point, times)| format!("{point}:{times}")).collect();
        f.write_str(&items.join(","))
    }
}

/// What a house says of its table: book, day, game, and its choices. What it says is well formed; whether it is lawful is the
/// book's to say.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HouseRules {
    /// What the house calls it.
    pub name: Option<String>,
    /// The book it plays by.
    pub book: String,
    /// The day its rules are for.
    pub as_of: Day,
    /// The game; none is the book's first.
    pub game: Option<Game>,
    /// Where its file names the book.
    book_span: Option<std::ops::Range<usize>>,
    /// Its choices: key and value in their one spelling.
    settings: BTreeMap<String, String>,
}

/// Names and texts.
const SAMPLES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/houses.rs"));

impl HouseRules {
    /// The sample houses that are part of this program, as files.
    #[must_use]
    pub fn samples() -> Vec<Source> {
        SAMPLES.iter().map(|(path, text)| Source { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
    }

    /// A house that names nothing but book and day.
    #[must_use]
    pub fn plain(book: impl Into<String>, as_of: Day) -> HouseRules {
        HouseRules { name: None, book: book.into(), as_of, game: None, book_span: None, settings: BTreeMap::new() }
    }

    /// The house of a practice table under a book: everything it allows, and something to bet with five hundred.
    ///
    /// # Errors
    /// When the book has no such choices.
    pub fn practice(book: &RuleBook) -> Result<HouseRules, String> {
        let mut house = HouseRules::plain(&book.id, book.sample_day);
        let draws = (!book.modifiers.is_empty()).then_some(("power_odds.offered", "no"));
        for (key, value) in [("offer", "all"), ("limits.min", "5"), ("limits.max", "5000")].into_iter().chain(draws) {
            house.set(key, value)?;
        }
        Ok(house)
    }

    /// Reads a house file.
    ///
    /// # Errors
    /// At the first thing that is malformed: syntax, unknown keys, values that are none.
    pub fn parse(source: &Source) -> Result<HouseRules, LawError> {
        HouseRules::parse_as_of(source, None)
    }

    /// Reads a house file for a day that replaces the one it names.
    ///
    /// # Errors
    /// At the first thing that is malformed, and when neither names a day.
    pub fn parse_as_of(source: &Source, as_of: Option<Day>) -> Result<HouseRules, LawError> {
        let file = DeTable::parse(&source.text).map_err(|error| LawError::toml(source, &error))?;
        let (mut name, mut book, mut day, mut game, mut settings) = (None, None, None, None, BTreeMap::new());
        let wrong = |value: &Spanned<DeValue<'_>>, expected: &str| {
            LawError::at(source, value.span(), format!("expected {expected}, found `{}`", &source.text[value.span()]))
        };
        for (key, value) in file.get_ref() {
            match (key.get_ref().as_ref(), value.get_ref()) {
                ("name", DeValue::String(text)) => name = Some(text.to_string()),
                ("book", DeValue::String(text)) => book = Some((text.to_string(), value.span())),
                ("as_of", DeValue::Datetime(date)) => {
                    day = Some(
                        date.to_string()
                            .parse::<Day>()
                            .map_err(|error| LawError::at(source, value.span(), error.to_string()))?,
                    );
                }
                ("as_of", DeValue::String(text)) => {
                    day = Some(
                        text.parse::<Day>().map_err(|error| LawError::at(source, value.span(), error.to_string()))?,
                    );
                }
                ("game", DeValue::String(text)) => {
                    let words: Vec<&str> = Game::ALL.iter().map(|game| game.word()).collect();
                    game =
                        Some(Game::find(text).ok_or_else(|| wrong(value, &format!("one of: {}", words.join(", "))))?);
                }
                ("house", DeValue::Table(table)) => flatten(source, "", table, &mut settings)?,
                ("name" | "book" | "game", _) => return Err(wrong(value, "a text in quotes")),
                ("as_of", _) => return Err(wrong(value, "a day such as 2023-10-01")),
                ("house", _) => return Err(wrong(value, "a table of house keys")),
                (other, _) => {
                    let message = format!("unknown key `{other}`: expected name, book, as_of, game or [house]");
                    return Err(LawError::at(source, key.span(), message));
                }
            }
        }
        let book =
            book.ok_or_else(|| LawError::of(&source.path, "`book` is missing: which book does the house play by?"))?;
        let as_of = as_of.or(day).ok_or_else(|| {
            LawError::of(&source.path, "`as_of` is missing: house rules name their day, such as as_of = 2023-10-01")
        })?;
        let (book, span) = book;
        Ok(HouseRules { name, book, as_of, game, book_span: Some(span), settings })
    }

    /// The mistake of naming a book that is not there, at its place in the file.
    pub(crate) fn unknown_book(&self, source: &Source, unknown: NoSuchBook) -> LawError {
        match &self.book_span {
            Some(span) => LawError::at(source, span.clone(), unknown.to_string()),
            None => LawError::of(&source.path, unknown.to_string()),
        }
    }

    /// Names one more choice, as `key=value` does in the header of a game.
    ///
    /// # Errors
    /// When there is no such key, or the value is none of its kind.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let (key, value) = spelt_out(key, value);
        let value = well_formed(&key, value)?;
        self.settings.insert(key, value);
        Ok(())
    }

    /// The value of a key, if the house names it.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.settings.get(key).map(String::as_str)
    }

    /// All keys the house names, with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.settings.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// All keys and values in one line, as the header of a game has them.
    #[must_use]
    pub fn tag(&self) -> String {
        self.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("; ")
    }

    /// Limits of a group: its own, else the general ones.
    #[must_use]
    pub(crate) fn limit(&self, group: Group, end: &str) -> Option<(String, Stake)> {
        [format!("limits.{}.{end}", group.name()), format!("limits.{end}")]
            .into_iter()
            .find_map(|key| Some((key.clone(), self.get(&key)?.parse().ok()?)))
    }
}

/// `fire = offered` says `fire.offered = yes`.
fn spelt_out<'a>(key: &str, value: &'a str) -> (String, &'a str) {
    if value.trim() == "offered" && PRODUCTS.contains(&key) {
        (format!("{key}.offered"), "yes")
    } else {
        (key.to_owned(), value)
    }
}

fn well_formed(key: &str, value: &str) -> Result<String, String> {
    let Some(known) = find(key) else {
        let near = nearest(key, KEYS.iter().map(|key| key.name));
        return Err(match near {
            Some(near) => format!("unknown house key `{key}`; is it `{near}`?"),
            None => format!("unknown house key `{key}`"),
        });
    };
    known.kind.canonical(value.trim()).map_err(|message| format!("`{key}`: {message}"))
}

/// The known name closest to a misspelt one, if one is close.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .min()
        .filter(|(far, _)| *far <= 3)
        .map(|(_, near)| near)
}

/// Reads nested tables as dotted keys.
fn flatten(
    source: &Source,
    stem: &str,
    table: &DeTable<'_>,
    settings: &mut BTreeMap<String, String>,
) -> Result<(), LawError> {
    for (name, value) in table {
        let name_text = name.get_ref();
        let key = if stem.is_empty() { name_text.to_string() } else { format!("{stem}.{name_text}") };
        let text = match value.get_ref() {
            DeValue::Table(inner) => {
                flatten(source, &key, inner, settings)?;
                continue;
            }
            DeValue::Array(items) => {
                let texts: Vec<String> = items.iter().map(|item| scalar(source, item)).collect();
                texts.join(",")
            }
            _ => scalar(source, value),
        };
        let (key, text) = spelt_out(&key, &text);
        let known = find(&key).is_some();
        let span = if known { value.span() } else { name.span() };
        let value = well_formed(&key, text).map_err(|message| LawError::at(source, span, message))?;
        settings.insert(key, value);
    }
    Ok(())
}

/// A single value as text: numbers as they are written, so that no cent is lost to a float.
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
    fn a_misspelt_key_is_named_with_its_place_and_the_likely_one() {
        let error = parse("book='x'\nas_of=2024-01-01\n[house]\nodds.kk = 3\n").unwrap_err();
        assert_eq!(error, "house.toml:4:6: unknown house key `odds.kk`; is it `odds.k`?");
    }

    #[test]
    fn values_that_are_none_are_named_with_what_was_expected() {
        for (line, expected) in [
            ("odds.k = 'lots'", "expected a multiple such as 10"),
            ("chip = 0", "expected an amount above zero"),
            ("vig.rate = 'five'", "expected a rate such as \"5%\""),
            ("fire.amount = '5..1'", "expected amounts such as \"1..5\""),
            ("higher_odds = 'feeld/12:3 to 1'", "no wager is called `feeld`"),
            ("higher_odds = 'field/7:3 to 1'", "`field` has no rank `7`"),
            ("higher_odds = 'horn:30 to 1'", "`horn` has no price of its own"),
            ("higher_odds = 'hard-6:10 to 1,hard-6:12 to 1'", "`hard-6` is priced twice"),
            ("odds.k = '4:3,4:5'", "expected a multiple such as 10"),
            ("rounding = 'down'", "one of: exact_or_refuse, up"),
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
        for (at, key) in KEYS.iter().enumerate() {
            assert!(KEYS[at + 1..].iter().all(|other| other.name != key.name), "{}", key.name);
            assert!(!key.about.is_empty() && !key.kind.expected().is_empty());
        }
    }
}
