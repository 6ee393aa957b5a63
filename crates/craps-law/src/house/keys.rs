//! The keys of house files: the fixed ones, and those that follow from the wagers in the books.

use super::Product;
use super::value::{Kind, Setting};
use crate::raw::{HouseFile, RawAllow, RawKind, RawOption, Topic, TopicKind, WagersFile};
use craps_wagers::{Catalogue, Side, WagerId};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

/// A house key: its name, the kind of its value, and a description.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Name, such as `odds.k`.
    pub name: String,
    /// Kind of value that it takes.
    pub kind: Kind,
    /// Description for readers.
    pub about: String,
    /// True if only options of books define it. Then it exists in the books that have such an option and in no other.
    pub stated: bool,
}

/// All keys that houses under a set of books may use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    keys: Vec<Key>,
    products: Vec<String>,
}

/// Groups of keys that one record of a book can cover.
const GROUPS: [&str; 1] = ["limits"];

/// Keys about the table itself that a house may set even if its book says nothing about them.
const WITHOUT_LAW: [&str; 1] = ["table.seats"];

/// Keys that are about the whole table, not about a product.
const FIXED: &[(&str, Kind, &str)] = &[
    ("chip", Kind::Amount, "lowest chip"),
    ("limits.min", Kind::Amount, "minimum bet"),
    ("limits.max", Kind::Amount, "maximum bet"),
    ("limits.line.min", Kind::Amount, "minimum for line and come bets"),
    ("limits.line.max", Kind::Amount, "maximum for line and come bets"),
    ("limits.number.min", Kind::Amount, "minimum for place, buy, lay, big and put bets"),
    ("limits.number.max", Kind::Amount, "maximum for place, buy, lay, big and put bets"),
    ("limits.hardway.min", Kind::Amount, "minimum for hardways"),
    ("limits.hardway.max", Kind::Amount, "maximum for hardways"),
    ("limits.prop.min", Kind::Amount, "minimum for one-roll bets"),
    ("limits.prop.max", Kind::Amount, "maximum for one-roll bets"),
    ("limits.side.min", Kind::Amount, "minimum for side bets"),
    ("limits.side.max", Kind::Amount, "maximum for side bets"),
    ("odds.k", Kind::Multiple(Side::Right), "odds multiple"),
    ("odds.lay_k", Kind::Multiple(Side::Wrong), "odds multiple for laying odds, applied to the win"),
    ("crapless.odds_k", Kind::Multiple(Side::Right), "odds multiple on 2, 3, 11 and 12"),
    ("mini.stickperson", Kind::YesNo, "does the mini-craps table have a stickperson?"),
    ("vig.rate", Kind::Rate, "commission on buy and lay bets"),
    ("vig.timing", Kind::Timing, "when commission is taken on buy and lay bets"),
    ("vig.buy.timing", Kind::Timing, "when commission is taken on buy bets"),
    ("vig.lay.timing", Kind::Timing, "when commission is taken on lay bets"),
    ("vig.on_win.numbers", Kind::Numbers, "numbers on which commission is taken from wins"),
    ("vig.refund", Kind::YesNo, "is commission refunded when a bet is taken down?"),
    ("higher_odds", Kind::Prices, "prices higher than the listed ones"),
    ("hardways.on_comeout_default", Kind::OnOff, "do hardways work on the come-out roll by default?"),
    ("come_odds.on_comeout", Kind::OnOff, "do come odds work on the come-out roll by default?"),
    ("put_odds.on_comeout", Kind::OnOff, "do put odds work on the come-out roll by default?"),
    ("off_calls_any", Kind::YesNo, "can players turn any bet off?"),
    ("auto_leave_up", Kind::Families, "families of bets that stay up after a win"),
    ("rounding", Kind::Rounding, "what happens to a payout that chips can't make"),
    ("round_whole_dollars", Kind::YesNo, "are whole-dollar payouts that chips can't make rounded up too?"),
    ("side.removal", Kind::Removal, "whether side bets may be taken down"),
    ("no_roll.callers", Kind::Roles, "who may call no roll"),
    ("table.seats", Kind::Count(1), "how many players can be at the table"),
];

/// The error for a house key that can't be set to a value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotSet {
    /// No book has this key.
    #[error("unknown house key `{key}`{}", .near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    Unknown {
        /// The key that was asked for.
        key: String,
        /// The closest known key, if one is close.
        near: Option<String>,
    },
    /// The value isn't valid for the key.
    #[error("`{key}`: {expected}")]
    Invalid {
        /// The key.
        key: String,
        /// What was expected and what was found.
        expected: String,
    },
}

/// Sort position of a product: its first wager in the catalogue, and its name. Products without wagers come last.
type Place = (Option<WagerId>, String);

impl Keys {
    /// Collects the keys from the files of all books.
    pub(crate) fn of<'a>(
        wagers: impl Iterator<Item = &'a WagersFile> + Clone,
        houses: impl Iterator<Item = &'a HouseFile>,
        topics: &BTreeMap<String, Topic>,
    ) -> Keys {
        let mut found: BTreeMap<String, (Place, Kind, String)> = BTreeMap::new();
        let mut places: Vec<Place> = Vec::new();
        for file in wagers.clone() {
            let named = file.wager.iter().map(|raw| (raw.ids.first().map(|id| id.get_ref().0), raw.offer.as_ref()));
            let modifiers = file.modifier.iter().map(|raw| (None, Some(&raw.offer)));
            for (wager, offer) in named.chain(modifiers) {
                let keys = offer.iter().flat_map(|offer| &offer.0).filter_map(|raw| raw.key.as_deref());
                places.extend(keys.filter_map(Product::offered_by).map(|product| (wager, product.name().to_owned())));
            }
        }
        // A product stands where its first wager is.
        places.sort_by(|a, b| later(a).cmp(&later(b)));
        let mut products: BTreeMap<String, Place> = BTreeMap::new();
        for place in places {
            products.entry(place.1.clone()).or_insert(place);
        }
        for (product, place) in &products {
            let name = product.replace('_', " ");
            let mut add = |key: String, kind: Kind, about: String| {
                found.insert(key, (place.clone(), kind, about));
            };
            add(Product::named(product).offered_key(), Kind::YesNo, format!("is {name} offered?"));
            add(Product::named(product).table_key(), Kind::Table, format!("{name} pay table"));
        }
        let mut add = |key: &str, kind: Kind, about: String| {
            let place = key.split('.').next().and_then(|stem| products.get(stem)).cloned();
            let place = place.unwrap_or_else(|| (None, key.to_owned()));
            found.entry(key.to_owned()).or_insert((place, kind, about));
        };
        let words = |key: &str| key.replace(['.', '_'], " ");
        for raw in wagers.flat_map(|file| &file.wager) {
            for amount in raw.amount.iter().flat_map(|dated| &dated.0) {
                match amount.key.rsplit_once('.') {
                    Some((stem, "min" | "max")) => {
                        add(&format!("{stem}.min"), Kind::Amount, format!("minimum {} bet", words(stem)));
                        add(&format!("{stem}.max"), Kind::Amount, format!("maximum {} bet", words(stem)));
                    }
                    _ => {
                        let stem = amount.key.trim_end_matches(".amount");
                        add(&amount.key, Kind::Range, format!("amounts allowed for a {} bet", words(stem)));
                    }
                }
            }
            for key in raw.area.iter().flat_map(|dated| &dated.0).filter_map(|area| area.key.as_deref()) {
                add(
                    key,
                    Kind::YesNo,
                    format!("does the layout have an area for {}?", words(key.trim_start_matches("area."))),
                );
            }
            for also in raw.offer.iter().flat_map(|dated| &dated.0).filter_map(|offer| offer.also.as_ref()) {
                add(&also.switch, Kind::YesNo, format!("{}?", words(&also.switch)));
            }
        }
        let mut worded: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        let mut stated: BTreeMap<&str, (Kind, String)> = BTreeMap::new();
        for option in houses.flat_map(|file| &file.option) {
            if let Some(kind) = stated_kind(option, topics) {
                let asks = option.topic.as_ref().and_then(|name| topics.get(name)).map(|topic| topic.asks.clone());
                let note = option.note.clone();
                let about = if option.kind.is_some() { note.or(asks) } else { asks.or(note) };
                let about = about.unwrap_or_else(|| words(&option.key));
                let known = stated.remove(option.key.as_str());
                let (kind, about) = match known {
                    Some((known, about)) => (known.clone().joined(kind).unwrap_or(known), about),
                    None => (kind, about),
                };
                stated.insert(&option.key, (kind, about));
                continue;
            }
            let Some((stem, end)) = option.key.split_once('.') else { continue };
            if end == "pay" && Catalogue::current().find(&stem.replace('_', "-")).is_some() {
                add(&option.key, Kind::Price, format!("which listed price {} pays", words(stem)));
            } else if stem == "area" && Catalogue::current().all().any(|id| id.wager().stem() == end.replace('_', "-"))
            {
                add(&option.key, Kind::YesNo, format!("does the layout have an area for {}?", words(end)));
            } else if products.contains_key(stem) {
                match kind_of(option) {
                    Kind::Word(words) => worded.entry(&option.key).or_default().extend(words),
                    kind => add(&option.key, kind, option.note.clone().unwrap_or_else(|| words(&option.key))),
                }
            }
        }
        let of_options: Vec<String> = stated.keys().map(ToString::to_string).collect();
        for (key, (kind, about)) in stated {
            add(key, kind, about);
        }
        for (key, mut all) in worded {
            all.sort();
            all.dedup();
            add(key, Kind::Word(all), words(key));
        }
        let mut ordered: Vec<(String, (Place, Kind, String))> = found.into_iter().collect();
        ordered.sort_by(|(a, (place_a, ..)), (b, (place_b, ..))| (later(place_a), a).cmp(&(later(place_b), b)));
        let mut products: Vec<(Place, String)> = products.into_iter().map(|(name, place)| (place, name)).collect();
        products.sort_by(|(a, _), (b, _)| later(a).cmp(&later(b)));
        let products: Vec<String> = products.into_iter().map(|(_, name)| name).collect();
        let key = |name: &str, kind: &Kind, about: &str| Key {
            name: name.to_owned(),
            kind: kind.clone(),
            about: about.to_owned(),
            stated: false,
        };
        let offer = "products offered in addition to the wagers every table has: all, or a list";
        let mut keys = vec![key("offer", &Kind::Offer(products.clone()), offer)];
        keys.extend(FIXED.iter().map(|(name, kind, about)| key(name, kind, about)));
        for (name, (_, kind, about)) in ordered {
            if keys.iter().all(|known| known.name != name) {
                let stated = of_options.contains(&name);
                keys.push(Key { name, kind, about, stated });
            }
        }
        Keys { keys, products }
    }

    /// Returns the keys of the built-in books.
    #[must_use]
    pub fn shipped() -> Arc<Keys> {
        static KEYS: LazyLock<Arc<Keys>> = LazyLock::new(|| Arc::clone(crate::Library::shipped().keys()));
        Arc::clone(&KEYS)
    }

    /// Iterates over all keys.
    pub fn iter(&self) -> impl Iterator<Item = &Key> {
        self.keys.iter()
    }

    /// Returns the products that a house may choose to offer.
    #[must_use]
    pub fn products(&self) -> &[String] {
        &self.products
    }

    /// Finds a key by its name.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<&Key> {
        self.keys.iter().find(|key| key.name == name)
    }

    /// Returns true for a key that a house may set even if its book says nothing about it.
    pub(crate) fn is_without_law(name: &str) -> bool {
        WITHOUT_LAW.contains(&name)
    }

    /// Returns the kind of values for a record of a book, which is for a key or for a group of keys.
    pub(crate) fn chosen(&self, name: &str) -> Option<Kind> {
        self.find(name).map(|key| key.kind.clone()).or_else(|| GROUPS.contains(&name).then_some(Kind::Amount))
    }

    /// Reads the value of a key.
    ///
    /// # Errors
    /// When the key is unknown or the value is not valid. The error names the key, the value and what was expected.
    pub fn read(&self, key: &str, text: &str) -> Result<Setting, NotSet> {
        let Some(known) = self.find(key) else {
            let near = nearest(key, self.keys.iter().map(|key| key.name.as_str())).map(str::to_owned);
            return Err(NotSet::Unknown { key: key.to_owned(), near });
        };
        let invalid = |expected| NotSet::Invalid { key: key.to_owned(), expected };
        known.kind.read(text.trim()).map_err(invalid)
    }
}

/// Sorts by the order of wagers in the catalogue. Products without wagers come last.
fn later(place: &Place) -> (bool, Option<WagerId>, &str) {
    (place.0.is_none(), place.0, &place.1)
}

/// Returns the kind of a key of a product that only an option of a book defines.
fn kind_of(option: &RawOption) -> Kind {
    let words: Vec<&String> = match &option.allow {
        RawAllow::Fixed(word) if option.default.is_empty() => vec![word],
        RawAllow::Fixed(word) => vec![word, &option.default],
        RawAllow::OneOf(words) | RawAllow::AllOf(words) => words.iter().collect(),
        RawAllow::AtLeast(_) | RawAllow::AtMost(_) | RawAllow::Between(..) => return Kind::Amount,
        RawAllow::Any | RawAllow::ListedTables | RawAllow::Odds | RawAllow::Prices | RawAllow::Topic => {
            return Kind::Text;
        }
    };
    yes_no_or_on_off(&words).unwrap_or_else(|| Kind::Word(words.into_iter().cloned().collect()))
}

/// Returns the kind of values that are all yes and no, or all on and off.
fn yes_no_or_on_off(words: &[&String]) -> Option<Kind> {
    let all = |known: [&str; 2]| words.iter().all(|word| known.contains(&word.as_str()));
    if all(["yes", "no"]) { Some(Kind::YesNo) } else { all(["on", "off"]).then_some(Kind::OnOff) }
}

/// Returns the kind that an option states for its key: by `kind`, or by the topic that judges it. `None` if it states neither, which is
/// for keys that the program or the wagers define.
pub(crate) fn stated_kind(option: &RawOption, topics: &BTreeMap<String, Topic>) -> Option<Kind> {
    let topic = option.topic.as_ref().and_then(|name| topics.get(name));
    let topic_words = || topic.map(|topic| topic.words.clone()).unwrap_or_default();
    let with_topic = |more: &[String]| {
        let mut words = topic_words();
        words.extend(more.iter().filter(|word| !topic_words().contains(word)).cloned().collect::<Vec<_>>());
        Kind::Words(words)
    };
    let own_words = match &option.allow {
        RawAllow::Fixed(word) => std::slice::from_ref(word),
        RawAllow::OneOf(words) => words.as_slice(),
        RawAllow::AllOf(words) if *words != ["topic"] => words.as_slice(),
        _ => &[],
    };
    if let Some(kind) = option.kind {
        return Some(match kind {
            RawKind::YesNo => Kind::YesNo,
            RawKind::Count => Kind::Count(0),
            RawKind::Length => Kind::Length,
            RawKind::Money => Kind::Money,
            RawKind::Words => with_topic(own_words),
            RawKind::Text => Kind::Text,
        });
    }
    let topic = topic?;
    if !own_words.is_empty() {
        let words: Vec<&String> = own_words.iter().collect();
        return Some(yes_no_or_on_off(&words).unwrap_or_else(|| with_topic(own_words)));
    }
    Some(match topic.kind {
        TopicKind::YesNo => Kind::YesNo,
        TopicKind::Count => Kind::Count(0),
        TopicKind::Word | TopicKind::Words => with_topic(&[]),
        TopicKind::Text => Kind::Text,
    })
}

/// Returns the name of the record that covers a key: the group of the key, or the key itself.
pub(crate) fn choice_of(name: &str) -> &str {
    let group = GROUPS.into_iter().find(|group| name.strip_prefix(group).is_some_and(|rest| rest.starts_with('.')));
    group.unwrap_or(name)
}

/// Returns the known name closest to a misspelled one, if one is close.
fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (strsim::damerau_levenshtein(name, candidate), candidate))
        .min()
        .filter(|(far, _)| *far <= 3)
        .map(|(_, near)| near)
}
