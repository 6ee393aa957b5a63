use crate::house::{Bound, Keys, Product, Setting, Value};
use crate::raw::{Amended, InForce, Most, Reading, Section, Topic};
use crate::words::{
    AppliesTo, Area, Call, Cap, Excess, Game, Lower, OnOff, Others, PriceLatitude, Raise, Settled, Standing, TableMax,
    Window, With,
};
use crate::{Answer, Cites, Day, Days, Prize};
use craps_money::{Commission, Odds};
use craps_wagers::{Dial, Family, Rank, WagerId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// One fact of a book: a value with its citations, its days and the readings behind it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact<T> {
    /// The value.
    pub is: T,
    /// Sections of the law that it comes from.
    pub cites: Cites,
    /// Days on which it applies.
    pub days: Days,
    /// Ids of the readings it depends on, such as `A-54`.
    pub readings: Vec<String>,
    /// House key that can change the value, with the meaning of its words for this fact.
    pub switch: Option<Switch>,
}

impl<T> Fact<T> {
    /// Converts the value and keeps everything else.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Fact<U> {
        let Fact { is, cites, days, readings, switch } = self;
        Fact { is: change(is), cites, days, readings, switch }
    }
}

/// A house key that chooses the value of a fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// House key, such as `side.removal`.
    pub key: String,
    /// Maps a word of the house to the word of the fact. A word that is not listed stays as it is.
    pub map: BTreeMap<String, String>,
}

impl Switch {
    /// Returns the word of the fact for a word of the house.
    #[must_use]
    pub fn word<'a>(&'a self, value: &'a str) -> &'a str {
        self.map.get(value).map_or(value, String::as_str)
    }
}

/// A fact that changed over time: one entry for each span of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated<T>(pub Vec<Fact<T>>);

impl<T> Default for Dated<T> {
    fn default() -> Dated<T> {
        Dated(Vec::new())
    }
}

impl<T> Dated<T> {
    /// Returns the fact that applies on a day. `None` gives the last one that the book lists.
    #[must_use]
    pub fn on(&self, day: Option<Day>) -> Option<&Fact<T>> {
        self.0.iter().rev().find(|fact| fact.days.hold(day))
    }
}

/// Whether a wager may be offered, and in which games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Whether every table has it or only houses that choose it.
    pub standing: Standing,
    /// House key that offers or drops it, such as `fire.offered`.
    pub key: Option<String>,
    /// Games in which it may be offered. `None`: all games of the book.
    pub games: Option<Vec<Game>>,
    /// One more game, with the house key that adds it.
    pub also: Option<(Game, String)>,
}

impl Offer {
    /// Returns the product whose key offers the wager. None for a wager without such a key.
    #[must_use]
    pub fn product(&self) -> Option<Product<'_>> {
        Product::offered_by(self.key.as_deref()?)
    }
}

/// When a bet may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Make {
    /// Time window in the game.
    pub window: Window,
    /// True when the bet may be made only while the product's tracker is empty.
    pub fresh: bool,
    /// Another bet that the player must have.
    pub with: Option<With>,
}

/// Whether a bet works on the come-out roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Works {
    /// Default, if the player calls nothing.
    pub come_out: OnOff,
    /// Call of the player that changes it.
    pub call: Call,
}

/// One pay table: a column of prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayTable {
    /// Name of the table in the law, if it has one.
    pub table: Option<String>,
    /// Prize of each rank. A missing rank loses.
    pub prizes: BTreeMap<Rank, Prize>,
}

/// The limits that the law sets for an odds bet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OddsLaw {
    /// Lowest maximum multiple that the house may set.
    pub least: Dated<u32>,
    /// Highest maximum multiple that the house may set.
    pub most: Dated<Most>,
    /// Whether the multiple limits the stake or the win.
    pub cap: Dated<Cap>,
    /// Whether the bet may exceed the multiple so that it can be paid exactly.
    pub excess: Dated<Excess>,
    /// Whether the table maximum applies to the bet.
    pub table_max: Dated<TableMax>,
}

/// Where a composite bet is placed on the layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AreaLaw {
    /// Whether it has its own area or is broken down into its parts.
    pub area: Area,
    /// House key that says whether the layout has the area.
    pub key: Option<String>,
}

/// The amounts allowed for a wager that has its own amount rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// Lowest and highest amount in whole dollars. `None`: the house sets them.
    pub range: Option<(u32, u32)>,
    /// Amounts must be multiples of this many whole dollars, if the law says so.
    pub step: Option<u32>,
    /// House key that sets the amounts, such as `fire.amount`.
    pub key: String,
}

/// Everything that a book says about one wager.
#[derive(Debug, Clone, PartialEq)]
pub struct WagerLaw {
    /// Id of the wager.
    pub wager: WagerId,
    /// Name of the wager in the law.
    pub name: String,
    /// Names that it has on some days only.
    pub renamed: Dated<String>,
    /// The words that its area on the layout shows, if the law names them.
    pub felt: Dated<String>,
    /// Whether it may be offered, and in which games.
    pub offer: Dated<Offer>,
    /// When it may be made.
    pub make: Dated<Make>,
    /// When it may be increased.
    pub raise: Dated<Raise>,
    /// Until when it may be reduced or taken down.
    pub lower: Dated<Lower>,
    /// Whether it works on the come-out roll.
    pub works: Dated<Works>,
    /// Whether the house may pay more than the listed price.
    pub price: Dated<PriceLatitude>,
    /// Its pay tables.
    pub pays: Dated<PayTable>,
    /// The limits of an odds bet. `None` for other bets.
    pub odds: Option<OddsLaw>,
    /// Commissions that the house may choose from. Each rate is a maximum.
    pub commission: Dated<Commission>,
    /// How a composite bet is settled.
    pub settled: Dated<Settled>,
    /// Where a composite bet is placed on the layout.
    pub area: Dated<AreaLaw>,
    /// Amount rule of this wager, if it has one.
    pub amount: Dated<Amount>,
    /// The bet must be a multiple of this many chips.
    pub units: Dated<u32>,
    /// Settings of its mechanic.
    pub dials: BTreeMap<Dial, Fact<String>>,
}

impl WagerLaw {
    /// Returns its legal name on a day.
    #[must_use]
    pub fn name_on(&self, day: Option<Day>) -> &str {
        self.renamed.on(day).map_or(&self.name, |fact| &fact.is)
    }

    /// Lists its pay tables on a day in the order of the book. `None` lists all there ever were.
    pub fn tables(&self, day: Option<Day>) -> impl Iterator<Item = &Fact<PayTable>> {
        self.pays.0.iter().filter(move |fact| fact.days.hold(day))
    }
}

/// A feature that is not a wager but raises what wagers pay.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifier {
    /// Id, such as `power_odds`.
    pub id: String,
    /// Name in the law.
    pub name: String,
    /// Word for its levels in the names of pay tables, such as `power level`.
    pub label: String,
    /// Whether it may be offered, and in which games.
    pub offer: Dated<Offer>,
    /// Prices that it pays instead.
    pub lines: Vec<Fact<ModifierLine>>,
    /// How many wagers a draw selects. The house sets its machine with the key `ID.draws`.
    pub draws: u32,
}

/// The raised prices of some wagers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModifierLine {
    /// Wagers whose prices it raises.
    pub wagers: Vec<WagerId>,
    /// Parts whose prices it raises, if the wager is a composite.
    pub parts: Option<Vec<WagerId>>,
    /// The amount that the price applies to.
    pub on: AppliesTo,
    /// Price at each level, the first level first.
    pub pays: Vec<Odds>,
}

/// What a book lets the house choose for one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// House key, such as `odds.k`.
    pub key: String,
    /// Values that the book allows.
    pub allow: Allow,
    /// Default value when the house doesn't set the key, as text.
    pub default: String,
    /// Default as a value. `None` when it follows something else, such as the limits of the table.
    pub value: Option<Value>,
    /// Values that are allowed only together with another key.
    pub needs: Vec<Needs>,
    /// Where the house must file the choice or get it approved.
    pub filing: Option<String>,
    /// Commission on the numbers that the house doesn't name.
    pub others: Option<Others>,
    /// Families of bets that the list of numbers applies to. Empty: all.
    pub binds: Vec<Family>,
    /// Area in which the choice must be the same, such as `casino`.
    pub uniform: Option<String>,
    /// Remark for readers.
    pub note: Option<String>,
    /// Topic whose answer judges the value.
    pub topic: Option<String>,
    /// Whether a house that doesn't set the key is unlawful.
    pub demanded: Demanded,
    /// What the house must have chosen for the record to apply. `None`: it always applies.
    pub with: Option<Condition>,
    /// Games that the record is for. `None`: all games of the book.
    pub games: Option<Vec<Game>>,
    /// Who must approve the choice.
    pub approved_by: Option<String>,
}

/// What a house must have chosen for a record to apply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    /// This key is yes, or the product that it offers is offered.
    Yes(String),
    /// The house sets a key that begins with this, such as `tournament.`.
    Group(String),
    /// The count of this key is above a number.
    Above(String, u32),
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Yes(key) => f.write_str(key),
            Condition::Group(stem) => write!(f, "{stem}*"),
            Condition::Above(key, least) => write!(f, "{key} above {least}"),
        }
    }
}

/// Whether a house must set a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Demanded {
    /// It may leave the key out.
    No,
    /// It must set the key if the record applies.
    Always,
    /// It must set the key if it has also chosen this.
    With(Condition),
}

/// A limit on several amounts of a house together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Total {
    /// House key under which the problem is reported.
    pub path: String,
    /// Keys of the amounts, each with the keys of counts: an amount is taken once, and once more for each of a count.
    pub of: Vec<(String, Vec<String>)>,
    /// Topic whose answer is the highest total, in whole dollars.
    pub topic: String,
    /// What the total is, for readers.
    pub note: Option<String>,
}

/// The values that a book allows for one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allow {
    /// Any value.
    Any,
    /// A pay table that the book lists on the day.
    ListedTables,
    /// A multiple within the limits of the odds bets.
    Odds,
    /// Prices that the wagers' own rules allow.
    Prices,
    /// Only this value.
    Fixed(Setting),
    /// One of these values, or several if the key takes a list.
    OneOf(Vec<Setting>),
    /// This value or more.
    AtLeast(Bound),
    /// From the first value to the second.
    Between(Bound, Bound),
    /// This value or less.
    AtMost(Bound),
    /// A list that has all of these words.
    AllOf(Vec<String>),
    /// What the book answers to the topic of the record.
    Topic(Against),
}

/// How a value is compared with the answer to a topic.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// At most the number, exactly the word, one of the words, or the same yes or no.
    Fits,
    /// At least the number.
    AtLeast,
    /// All of the words.
    AllOf,
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allow::Any => f.write_str("any"),
            Allow::ListedTables => f.write_str("a listed table"),
            Allow::Odds => f.write_str("a multiple within the odds rules"),
            Allow::Prices => f.write_str("prices that the wager's own rule allows"),
            Allow::Fixed(value) => write!(f, "only {value}"),
            Allow::OneOf(values) => {
                let values: Vec<&str> = values.iter().map(Setting::text).collect();
                write!(f, "one of {}", values.join(", "))
            }
            Allow::AtLeast(value) => write!(f, "at least {value}"),
            Allow::Between(low, high) => write!(f, "{low} to {high}"),
            Allow::AtMost(value) => write!(f, "at most {value}"),
            Allow::AllOf(words) => f.write_str(&words.join(" and ")),
            Allow::Topic(Against::Fits) => f.write_str("as the book answers"),
            Allow::Topic(Against::AtLeast) => f.write_str("at least what the book answers"),
            Allow::Topic(Against::AllOf) => f.write_str("all that the book answers"),
        }
    }
}

/// A value of one key that is allowed only together with another key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needs {
    /// Value that needs the other key.
    pub when: Setting,
    /// Name of the other key.
    pub key: String,
    /// Value that the other key must have. `None`: any value, but the key must be set.
    pub is: Option<Setting>,
}

/// A book's answer to a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// Name of the topic, such as `bets.deadline`.
    pub topic: String,
    /// Answer of the book.
    pub answer: Answer,
    /// Remark for readers.
    pub note: Option<String>,
}

/// A wager that a derived book removes from its base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawn {
    /// Id of the wager.
    pub wager: WagerId,
    /// Sections of the law that remove it.
    pub cites: Cites,
    /// Ids of the readings it depends on.
    pub readings: Vec<String>,
}

/// One rule book: the law of one place for one kind of game.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleBook {
    /// Id: the name of its folder, such as `nj`.
    pub id: String,
    /// Name for readers, such as `New Jersey`.
    pub name: String,
    /// Title of the regulation that it encodes.
    pub text: String,
    /// Prefix of its citations, such as `NJ`.
    pub prefix: String,
    /// Place among the books where a page lists them. `None`: after all books that have one.
    pub order: Option<u32>,
    /// Prefixes of the books that it is based on.
    pub base_prefixes: Vec<String>,
    /// Id of the book that it is based on.
    pub based_on: Option<String>,
    /// A day on which everything that its sample houses offer is in force.
    pub sample_day: Day,
    /// First day of the book, if the regulation gives one.
    pub in_force: Option<InForce>,
    /// Amendments whose earlier wording we don't have.
    pub amended: Vec<Amended>,
    /// The rule that only listed wagers may be accepted.
    pub listed: Fact<String>,
    /// Games that the book allows. The first one is the default.
    pub games: Vec<Fact<Game>>,
    /// Sections of the regulation. Those of its base come first.
    pub sections: Vec<Section>,
    /// Citations of the sections that are not from its base.
    pub own_sections: Vec<String>,
    /// Readings by id.
    pub readings: BTreeMap<String, Reading>,
    /// Ids of the readings that are not from its base.
    pub own_readings: Vec<String>,
    /// What it lets the house choose, by house key.
    pub choices: BTreeMap<String, Dated<Choice>>,
    /// Limits on several amounts of a house together.
    pub totals: Vec<Fact<Total>>,
    /// Answers by topic.
    pub rules: BTreeMap<String, Dated<Rule>>,
    /// Wagers by id.
    pub wagers: BTreeMap<WagerId, WagerLaw>,
    /// Features that raise the prices of wagers.
    pub modifiers: Vec<Modifier>,
    /// Wagers that it removes from its base.
    pub withdrawn: Vec<Withdrawn>,
    /// Keys that a house under this book may set.
    pub keys: Arc<Keys>,
    /// The topics that books answer, by name.
    pub topics: Arc<BTreeMap<String, Topic>>,
    /// Records that repeat the base, such as `option vig.refund`. A derived book should record only differences.
    pub repeated: Vec<String>,
}

impl RuleBook {
    /// Returns what the book says about a wager, or `None` if it doesn't have the wager.
    #[must_use]
    pub fn wager(&self, wager: WagerId) -> Option<&WagerLaw> {
        self.wagers.get(&wager)
    }

    /// Returns the prefixes that its citations may have: its own, and those of the books it is based on.
    #[must_use]
    pub fn prefixes(&self) -> Vec<String> {
        std::iter::once(&self.prefix).chain(&self.base_prefixes).cloned().collect()
    }

    /// Returns true when the book allows the wager in this game, without counting games that a house key adds.
    #[must_use]
    pub fn reaches(&self, offer: &Offer, game: Game) -> bool {
        offer.games.as_ref().is_none_or(|games| games.contains(&game)) && self.games.iter().any(|fact| fact.is == game)
    }

    /// Returns what the book lets the house choose for a key, from the last record of that key.
    #[must_use]
    pub fn choice_for(&self, key: &str) -> Option<&Fact<Choice>> {
        self.choices.get(crate::house::choice_of(key)).and_then(|dated| dated.on(None))
    }

    /// Returns all records for a key: for different games, and for different days.
    #[must_use]
    pub fn choices_for(&self, key: &str) -> &[Fact<Choice>] {
        self.choices.get(crate::house::choice_of(key)).map_or(&[], |dated| &dated.0)
    }

    /// Returns the section that contains a citation, if it is listed.
    #[must_use]
    pub fn resolve(&self, cite: &crate::Cite) -> Option<&Section> {
        let is_part =
            |section: &Section| section.part.iter().any(|part| cite.is_in(&format!("{}{}", section.cite, part.at)));
        self.sections.iter().find(|section| cite.is_in(&section.cite) || is_part(section))
    }
}
