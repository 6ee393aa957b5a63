//! The files of a book as they are written, before they are resolved. Facts may be missing if a book is based on another.
//!
//! Words, wagers, prices and days are deserialized into their types directly, so a mistake is reported with its line and column.

use crate::cite::one_or_many;
use crate::words::{
    AppliesTo, Area, Call, Cap, Excess, Game, Lower, Mark, OnOff, Others, PriceLatitude, Raise, Settled, Standing,
    TableMax, Window, With,
};
use crate::{Cites, Day, Days, Prize};
use craps_dice::Point;
use craps_money::{Base, Odds, Rate, Stake, Timing};
use craps_wagers::WagerId;
use serde::Deserialize;
use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use std::collections::BTreeMap;
use std::fmt;
use std::marker::PhantomData;

/// Defines a value that is deserialized from a string.
macro_rules! from_string {
    ($name:ident($inner:ty), $parse:expr) => {
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) struct $name(pub $inner);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                let text = String::deserialize(deserializer)?;
                let parse: fn(&str) -> Result<$inner, String> = $parse;
                parse(&text).map($name).map_err(de::Error::custom)
            }
        }
    };
}

from_string!(WagerRef(WagerId), |text| WagerId::try_from(text.to_owned()));
from_string!(OddsText(Odds), |text| text.parse().map_err(|e: craps_money::NotMoney| e.to_string()));
from_string!(RateText(Rate), |text| text.parse().map_err(|e: craps_money::NotMoney| e.to_string()));
from_string!(StakeText(Stake), |text| text.parse().map_err(|e: craps_money::NotMoney| e.to_string()));
from_string!(TimingWord(Timing), |text| match text {
    "up_front" => Ok(Timing::UpFront),
    "on_win" => Ok(Timing::OnWin),
    _ => Err(format!("expected `up_front` or `on_win`, found `{text}`")),
});
from_string!(BaseWord(Base), |text| match text {
    "stake" => Ok(Base::Stake),
    "win" => Ok(Base::Win),
    _ => Err(format!("expected `stake` or `win`, found `{text}`")),
});
from_string!(PrizeText(Prize), |text| match text {
    "push" => Ok(Prize::Push),
    _ => text.parse().map(Prize::Paid).map_err(|e: craps_money::NotMoney| format!("{e}, or \"push\"")),
});

/// One fact, or one for each span of days if an amendment changed it.
#[derive(Debug, Clone)]
pub(crate) struct Dated<T>(pub Vec<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Dated<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Dated<T>, D::Error> {
        struct OneOrMany<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for OneOrMany<T> {
            type Value = Dated<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a fact such as { is = …, cite = … }, or a list of dated ones")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Dated<T>, A::Error> {
                T::deserialize(de::value::MapAccessDeserializer::new(map)).map(|one| Dated(vec![one]))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Dated<T>, A::Error> {
                let mut all = Vec::new();
                while let Some(one) = list.next_element()? {
                    all.push(one);
                }
                Ok(Dated(all))
            }
        }
        deserializer.deserialize_any(OneOrMany(PhantomData))
    }
}

fn readings<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    one_or_many(deserializer)
}

/// A house key that chooses the value of a fact, with a map from house words to fact words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawSwitch {
    pub key: String,
    pub map: BTreeMap<String, String>,
}

impl<'de> Deserialize<'de> for RawSwitch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawSwitch, D::Error> {
        let mut map = BTreeMap::<String, String>::deserialize(deserializer)?;
        let key = map.remove("key").ok_or_else(|| de::Error::missing_field("key"))?;
        Ok(RawSwitch { key, map })
    }
}

/// Defines a fact: its own fields, plus the fields that every fact may have.
macro_rules! fact {
    ($(#[$meta:meta])* $name:ident $(<$t:ident>)? { $($(#[$field_meta:meta])* $field:ident : $type:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name $(<$t>)? {
            $($(#[$field_meta])* pub $field: $type,)*
            pub cite: Cites,
            pub from: Option<Day>,
            pub until: Option<Day>,
            #[serde(default, deserialize_with = "readings")]
            pub reading: Vec<String>,
        }

        impl $(<$t>)? $name $(<$t>)? {
            pub(crate) fn days(&self) -> Days {
                Days { from: self.from, until: self.until }
            }
        }
    };
}

fact!(RawFact<T> { is: T, switch: Option<RawSwitch> });
fact!(RawOffer { is: Standing, key: Option<String>, games: Option<Vec<Game>>, also: Option<RawAlso> });
fact!(RawMake { is: Window, #[serde(default)] fresh: bool, with: Option<With>, switch: Option<RawSwitch> });
fact!(RawWorks { come_out: OnOff, call: Call, switch: Option<RawSwitch> });
fact!(RawName { is: String, only: Vec<WagerRef> });
fact!(RawFelt { is: String, only: Option<Vec<WagerRef>> });
fact!(RawArea { is: Area, key: Option<String> });
fact!(RawAmount { is: String, step: Option<u32>, key: String });
fact!(RawMost { is: Most });
fact!(RawPays { table: Option<String>, only: Option<Vec<WagerRef>>, ranks: BTreeMap<String, PrizeText> });
fact!(RawCommission { timing: TimingWord, base: BaseWord, most: RateText, each: Option<StakeText>, least: Option<StakeText> });
fact!(RawLine { wagers: Vec<WagerRef>, parts: Option<Vec<WagerRef>>, on: AppliesTo, pays: Vec<OddsText> });
fact!(RawRule { topic: String, is: Answer, note: Option<String> });
fact!(RawOption {
    key: String,
    allow: RawAllow,
    #[serde(default)]
    default: String,
    #[serde(default)]
    needs: Vec<RawNeeds>,
    filing: Option<String>,
    others: Option<Others>,
    #[serde(default)]
    binds: Vec<String>,
    uniform: Option<String>,
    note: Option<String>,
    kind: Option<RawKind>,
    topic: Option<String>,
    demanded: Option<RawDemanded>,
    with: Option<RawWith>,
    games: Option<Vec<Game>>,
    approved_by: Option<String>,
});
fact!(RawTotal { path: String, of: Vec<RawTerm>, topic: String, note: Option<String> });

/// The kind of value that a key takes, as an option of a book names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RawKind {
    YesNo,
    Count,
    Length,
    Money,
    Words,
    Text,
}

/// What a house must have chosen before an option applies: a yes/no key, a group of keys, or a count above a number.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(
    untagged,
    expecting = "a key such as \"fire.offered\", a group such as \"tournament.*\", or { key = …, above = 1 }"
)]
pub(crate) enum RawWith {
    Key(String),
    Above { key: String, above: u32 },
}

/// Whether a house must set a key: always, never, or if it has chosen something else.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "true, or what the house must have chosen, such as \"ride.offered\"")]
pub(crate) enum RawDemanded {
    Always(bool),
    With(RawWith),
}

/// One amount of a total, taken once and once more for each of the counts in `more`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawTerm {
    pub key: String,
    #[serde(default)]
    pub more: Vec<String>,
}

/// One more game that a house key adds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawAlso {
    pub game: Game,
    pub switch: String,
    #[serde(default, deserialize_with = "readings")]
    pub reading: Vec<String>,
}

/// The highest odds multiple that a house may allow.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Most {
    /// This many times the flat bet.
    Times(u32),
    /// This many times the flat bet on each number: 4, 5, 6, 8, 9 and 10, as in 3-4-5 times odds.
    Each([u32; 6]),
    /// The house decides.
    HousePolicy,
}

impl Most {
    /// Returns the highest multiple on a number. `None` if the house decides. A number beside 4 to 10 has the multiple of the 4.
    #[must_use]
    pub fn on(self, number: Point) -> Option<u32> {
        match self {
            Most::Times(times) => Some(times),
            Most::Each(times) => {
                let at = Point::BOX.iter().position(|known| *known == number).unwrap_or_default();
                times.get(at).copied()
            }
            Most::HousePolicy => None,
        }
    }
}

impl fmt::Display for Most {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Most::Times(times) => times.fmt(f),
            Most::Each(times) => f.write_str(&times.map(|times| times.to_string()).join("-")),
            Most::HousePolicy => f.write_str("house policy"),
        }
    }
}

impl<'de> Deserialize<'de> for Most {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Most, D::Error> {
        struct MostVisitor;
        impl Visitor<'_> for MostVisitor {
            type Value = Most;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a multiple such as 10 or \"3-4-5\", or \"house_policy\"")
            }

            fn visit_i64<E: de::Error>(self, times: i64) -> Result<Most, E> {
                u32::try_from(times)
                    .map(Most::Times)
                    .map_err(|_| E::invalid_value(de::Unexpected::Signed(times), &self))
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<Most, E> {
                match word {
                    "house_policy" => Ok(Most::HousePolicy),
                    _ => match word.split('-').map(str::parse).collect::<Result<Vec<u32>, _>>().as_deref() {
                        Ok([outer, middle, inner]) => {
                            Ok(Most::Each([*outer, *middle, *inner, *inner, *middle, *outer]))
                        }
                        Ok([four, five, six, eight, nine, ten]) => {
                            Ok(Most::Each([*four, *five, *six, *eight, *nine, *ten]))
                        }
                        _ => Err(E::invalid_value(de::Unexpected::Str(word), &self)),
                    },
                }
            }
        }
        deserializer.deserialize_any(MostVisitor)
    }
}

/// The answer of a book to a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Yes or no.
    YesNo(bool),
    /// A number.
    Count(i64),
    /// A word or a short text.
    Word(String),
    /// A list of words.
    Words(Vec<String>),
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::YesNo(yes) => f.write_str(if *yes { "yes" } else { "no" }),
            Answer::Count(count) => count.fmt(f),
            Answer::Word(word) => f.write_str(&word.replace('_', " ")),
            Answer::Words(words) => f.write_str(&words.join(", ").replace('_', " ")),
        }
    }
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Answer, D::Error> {
        struct AnswerVisitor;
        impl<'de> Visitor<'de> for AnswerVisitor {
            type Value = Answer;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("true or false, a number, a word or a list of words")
            }

            fn visit_bool<E>(self, yes: bool) -> Result<Answer, E> {
                Ok(Answer::YesNo(yes))
            }

            fn visit_i64<E>(self, count: i64) -> Result<Answer, E> {
                Ok(Answer::Count(count))
            }

            fn visit_str<E>(self, word: &str) -> Result<Answer, E> {
                Ok(Answer::Word(word.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Answer, A::Error> {
                let mut words = Vec::new();
                while let Some(word) = list.next_element()? {
                    words.push(word);
                }
                Ok(Answer::Words(words))
            }
        }
        deserializer.deserialize_any(AnswerVisitor)
    }
}

/// One word, or a list of words.
#[derive(Debug, Deserialize)]
struct Several(#[serde(deserialize_with = "readings")] Vec<String>);

/// The values that a book allows for one key, as written in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RawAllow {
    Any,
    ListedTables,
    Odds,
    Prices,
    Fixed(String),
    OneOf(Vec<String>),
    AtLeast(String),
    Between(String, String),
    AtMost(String),
    AllOf(Vec<String>),
    Topic,
}

impl<'de> Deserialize<'de> for RawAllow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RawAllow, D::Error> {
        const WORDS: &[&str] = &[
            "any",
            "listed_tables",
            "odds",
            "prices",
            "topic",
            "fixed",
            "one_of",
            "all_of",
            "at_least",
            "at_most",
            "between",
        ];
        struct AllowVisitor;
        impl<'de> Visitor<'de> for AllowVisitor {
            type Value = RawAllow;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "\"any\", \"listed_tables\", \"odds\", \"prices\", \"topic\", or { fixed, one_of, all_of, at_least, at_most or between = … }",
                )
            }

            fn visit_str<E: de::Error>(self, word: &str) -> Result<RawAllow, E> {
                match word {
                    "any" => Ok(RawAllow::Any),
                    "listed_tables" => Ok(RawAllow::ListedTables),
                    "odds" => Ok(RawAllow::Odds),
                    "prices" => Ok(RawAllow::Prices),
                    "topic" => Ok(RawAllow::Topic),
                    _ => Err(E::unknown_variant(word, WORDS)),
                }
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<RawAllow, A::Error> {
                let Some(word) = map.next_key::<String>()? else {
                    return Err(de::Error::invalid_length(0, &self));
                };
                let allow = match word.as_str() {
                    "fixed" => RawAllow::Fixed(map.next_value()?),
                    "one_of" => RawAllow::OneOf(map.next_value()?),
                    "all_of" => RawAllow::AllOf(map.next_value::<Several>()?.0),
                    "at_least" => RawAllow::AtLeast(map.next_value()?),
                    "at_most" => RawAllow::AtMost(map.next_value()?),
                    "between" => {
                        let (low, high) = map.next_value()?;
                        RawAllow::Between(low, high)
                    }
                    _ => return Err(de::Error::unknown_field(&word, WORDS)),
                };
                match map.next_key::<String>()? {
                    Some(more) => Err(de::Error::custom(format!("expected one key, found `{word}` and `{more}`"))),
                    None => Ok(allow),
                }
            }
        }
        deserializer.deserialize_any(AllowVisitor)
    }
}

/// A value of one key that is allowed only together with another key, as written in the file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawNeeds {
    pub when: String,
    pub key: String,
    pub is: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BookFile {
    pub name: String,
    pub text: String,
    pub prefix: String,
    pub order: Option<u32>,
    pub based_on: Option<String>,
    pub sample_day: Day,
    pub in_force: Option<InForce>,
    #[serde(default)]
    pub amended: Vec<Amended>,
    pub listed: Option<RawFact<String>>,
    pub game: Vec<RawFact<Game>>,
    #[serde(default)]
    pub withdraws: Vec<Withdraws>,
}

/// The first day of a whole book.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InForce {
    /// First day on which the book applies.
    pub from: Day,
    /// Section that sets the first day.
    pub cite: Cites,
}

/// An amendment whose earlier wording we don't have.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Amended {
    /// Section that was changed.
    pub cite: Cites,
    /// Day of the change.
    pub on: Day,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Withdraws {
    pub ids: Vec<WagerRef>,
    pub cite: Cites,
    #[serde(default, deserialize_with = "readings")]
    pub reading: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SectionsFile {
    #[serde(default)]
    pub section: Vec<Section>,
}

/// One section of the regulation.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Section {
    /// Citation, such as `PA 623a.3`.
    pub cite: String,
    /// Title in our words.
    pub title: String,
    /// Summary in our words.
    pub gist: String,
    /// Why no rule here depends on it, if none does.
    pub decides_nothing: Option<String>,
    /// Paragraphs of the section.
    #[serde(default)]
    pub part: Vec<SectionPart>,
}

/// One paragraph of a section.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SectionPart {
    /// Text appended to the citation of the section, such as `(a)`.
    pub at: String,
    /// Summary in our words.
    pub gist: String,
    /// Why no rule here depends on it, if none does.
    pub decides_nothing: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ReadingsFile {
    #[serde(default)]
    pub reading: Vec<Reading>,
}

/// An unclear point of the law, how we read it, and why.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Id, such as `A-54`.
    pub id: String,
    /// Question that the text leaves open.
    pub asks: String,
    /// Sections that leave it open.
    pub cites: Cites,
    /// The reading that we use.
    pub taken: String,
    /// The reading that we don't use.
    pub rejected: String,
    /// Reason for the choice.
    pub why: String,
    /// House keys that choose the other reading.
    #[serde(default, deserialize_with = "readings")]
    pub switch: Vec<String>,
    /// Default of the key.
    pub default: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HouseFile {
    #[serde(default)]
    pub option: Vec<RawOption>,
    #[serde(default)]
    pub total: Vec<RawTotal>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProcedureFile {
    #[serde(default)]
    pub rule: Vec<RawRule>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TopicsFile {
    pub title: Option<String>,
    #[serde(default)]
    pub topic: Vec<Topic>,
}

/// A question that books answer.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    /// Name, such as `bets.deadline`.
    pub name: String,
    /// The question that books answer.
    pub asks: String,
    /// Kind of answer.
    pub kind: TopicKind,
    /// Words that an answer may use.
    #[serde(default)]
    pub words: Vec<String>,
    /// What the program does with an answer. A topic of an added folder may leave it out.
    #[serde(default)]
    pub mark: Mark,
    /// Facts of wagers that an answer restates. Verification compares them.
    #[serde(default)]
    pub same_as: Vec<SameAs>,
    /// Rolls that show an answer. Verification plays them.
    #[serde(default)]
    pub plays: Vec<Plays>,
    /// The only answer that the program can play, because it does so under every book.
    pub always: Option<Answer>,
    /// The code that does what `always` says.
    pub by: Option<String>,
    /// The document that states an answer.
    pub paper: Option<String>,
    /// Why an answer is only recorded.
    pub why: Option<String>,
    /// Subject that it belongs to, such as `Making bets`: the title of its file, or the name of the file if it has no title.
    #[serde(skip)]
    pub area: String,
}

/// Facts of wagers that a topic restates.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SameAs {
    /// Slugs of the wagers. A final `*` matches any ending.
    pub of: Vec<String>,
    /// The fact, by its name in the files of wagers, such as `raise` or `works.call`.
    pub fact: String,
    /// Turns the answer into yes or no: does it contain this word?
    pub has: Option<String>,
    /// The values of the fact that agree with each answer. Without it, the fact must be the answer itself.
    #[serde(default)]
    pub is: BTreeMap<String, Values>,
}

/// Values that agree with an answer. No value: no wager may have the fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Values(pub Vec<String>);

impl<'de> Deserialize<'de> for Values {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Values, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum OneOrMany {
            One(String),
            Many(Vec<String>),
        }
        Ok(Values(match OneOrMany::deserialize(deserializer)? {
            OneOrMany::One(one) => vec![one],
            OneOrMany::Many(many) => many,
        }))
    }
}

/// Rolls that show what an answer means for a wager.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plays {
    /// The answer that they show: a word, a number, `yes` or `no`.
    pub word: String,
    /// Slug of the wager.
    pub wager: String,
    /// The rolls from the first come-out roll after the bet is made.
    pub rolls: String,
    /// How the bet ends: a rank, `lost`, `pushed` or `stands`.
    pub ends: String,
}

/// The kind of answer that a topic takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TopicKind {
    /// Yes or no.
    YesNo,
    /// A number.
    Count,
    /// One of its words.
    Word,
    /// Some of its words.
    Words,
    /// A short text.
    Text,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WagersFile {
    #[serde(default)]
    pub wager: Vec<RawWager>,
    #[serde(default)]
    pub modifier: Vec<RawModifier>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawWager {
    pub ids: Vec<toml::Spanned<WagerRef>>,
    pub name: Option<String>,
    pub names: Option<Vec<String>>,
    pub renamed: Option<Vec<RawName>>,
    pub felt: Option<Dated<RawFelt>>,
    pub offer: Option<Dated<RawOffer>>,
    pub make: Option<Dated<RawMake>>,
    pub raise: Option<Dated<RawFact<Raise>>>,
    pub lower: Option<Dated<RawFact<Lower>>>,
    pub works: Option<Dated<RawWorks>>,
    pub price: Option<Dated<RawFact<PriceLatitude>>>,
    pub pays: Option<Vec<RawPays>>,
    pub odds: Option<RawOdds>,
    pub commission: Option<Vec<RawCommission>>,
    pub settled: Option<Dated<RawFact<Settled>>>,
    pub area: Option<Dated<RawArea>>,
    pub amount: Option<Dated<RawAmount>>,
    pub units: Option<Dated<RawFact<u32>>>,
    pub dials: Option<BTreeMap<String, RawFact<String>>>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawOdds {
    pub least: Option<Dated<RawFact<u32>>>,
    pub most: Option<Dated<RawMost>>,
    pub cap: Option<Dated<RawFact<Cap>>>,
    pub excess: Option<Dated<RawFact<Excess>>>,
    pub table_max: Option<Dated<RawFact<TableMax>>>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawModifier {
    pub id: String,
    pub name: String,
    pub label: String,
    pub offer: Dated<RawOffer>,
    pub line: Vec<RawLine>,
}
