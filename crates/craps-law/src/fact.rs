use crate::house::{Bound, Keys, Setting, Value};
use crate::raw::{Amended, InForce, Most, Reading, Section};
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

/// What is so, by which words, since when, and by which reading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact<T> {
    /// What is so.
    pub is: T,
    /// By which words.
    pub cites: Cites,
    /// On which days.
    pub days: Days,
    /// By which readings of unclear words.
    pub readings: Vec<String>,
    /// The house key that chooses another value, with what its words mean here.
    pub switch: Option<Switch>,
}

impl<T> Fact<T> {
    /// The same fact about something made of it.
    #[must_use]
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Fact<U> {
        let Fact { is, cites, days, readings, switch } = self;
        Fact { is: change(is), cites, days, readings, switch }
    }
}

/// A house key that chooses a fact's value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Switch {
    /// The key.
    pub key: String,
    /// What each of the key's words makes the fact; a word that is not here is taken as it is.
    pub map: BTreeMap<String, String>,
}

impl Switch {
    /// What the house's word makes the fact.
    #[must_use]
    pub fn word<'a>(&'a self, value: &'a str) -> &'a str {
        self.map.get(value).map_or(value, String::as_str)
    }
}

/// A fact for each stretch of days.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dated<T>(pub Vec<Fact<T>>);

impl<T> Default for Dated<T> {
    fn default() -> Dated<T> {
        Dated(Vec::new())
    }
}

impl<T> Dated<T> {
    /// The fact on a day; without a day, the last one the book lists.
    #[must_use]
    pub fn on(&self, day: Option<Day>) -> Option<&Fact<T>> {
        self.0.iter().rev().find(|fact| fact.days.hold(day))
    }
}

/// Whether and where a wager may be offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// Part of the game, or elected.
    pub standing: Standing,
    /// The house key that takes it up or drops it.
    pub key: Option<String>,
    /// The games it may be offered at; none means all of the book's.
    pub games: Option<Vec<Game>>,
    /// A game that a switch adds.
    pub also: Option<(Game, String)>,
}

/// When a bet may be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Make {
    /// The moment.
    pub window: Window,
    /// Only while the product's tracker is empty?
    pub fresh: bool,
    /// What else must stand.
    pub with: Option<With>,
}

/// Whether a bet works on a come-out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Works {
    /// Without a call.
    pub come_out: OnOff,
    /// The call that changes it.
    pub call: Call,
}

/// One column of prices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PayTable {
    /// The law's name for it, where it has one.
    pub table: Option<String>,
    /// The prize of each rank; a rank that is missing loses.
    pub prizes: BTreeMap<Rank, Prize>,
}

/// The limits of an odds bet.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OddsLaw {
    /// The lowest multiple the house may cap at.
    pub least: Dated<u32>,
    /// The highest.
    pub most: Dated<Most>,
    /// What the multiple is of.
    pub cap: Dated<Cap>,
    /// May it be passed to pay exactly?
    pub excess: Dated<Excess>,
    /// Does the table's maximum hold for it?
    pub table_max: Dated<TableMax>,
}

/// Where a composite lies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AreaLaw {
    /// In its own area or broken down.
    pub area: Area,
    /// The house key that says whether the layout has the area.
    pub key: Option<String>,
}

/// The amounts a wager with a rule of its own may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Amount {
    /// Lowest and highest in whole units of money; none where the house says.
    pub range: Option<(u32, u32)>,
    /// The step in whole units of money, where the law sets one.
    pub step: Option<u32>,
    /// The house key for it.
    pub key: String,
}

/// Everything a book says of one wager.
#[derive(Debug, Clone, PartialEq)]
pub struct WagerLaw {
    /// Which wager.
    pub wager: WagerId,
    /// Its legal name.
    pub name: String,
    /// Its name on other days.
    pub renamed: Dated<String>,
    /// Whether and where it may be offered.
    pub offer: Dated<Offer>,
    /// When it may be made.
    pub make: Dated<Make>,
    /// When it may be added to.
    pub raise: Dated<Raise>,
    /// Until when it may come down.
    pub lower: Dated<Lower>,
    /// Whether it works on a come-out.
    pub works: Dated<Works>,
    /// May the house pay more?
    pub price: Dated<PriceLatitude>,
    /// Its prices.
    pub pays: Dated<PayTable>,
    /// The limits of an odds bet.
    pub odds: Option<OddsLaw>,
    /// The commissions the house may choose from; the rate is the most it may be.
    pub commission: Dated<Commission>,
    /// How a composite is settled.
    pub settled: Dated<Settled>,
    /// Where a composite lies.
    pub area: Dated<AreaLaw>,
    /// Its own amount rule.
    pub amount: Dated<Amount>,
    /// The stake is a multiple of this many chips.
    pub units: Dated<u32>,
    /// How its mechanic's dials are set.
    pub dials: BTreeMap<Dial, Fact<String>>,
}

impl WagerLaw {
    /// Its legal name on a day.
    #[must_use]
    pub fn name_on(&self, day: Option<Day>) -> &str {
        self.renamed.on(day).map_or(&self.name, |fact| &fact.is)
    }

    /// Its pay tables on a day, or all there ever were, in the order of the book.
    pub fn tables(&self, day: Option<Day>) -> impl Iterator<Item = &Fact<PayTable>> {
        self.pays.0.iter().filter(move |fact| fact.days.hold(day))
    }
}

/// Something that is not a wager but changes what wagers pay.
#[derive(Debug, Clone, PartialEq)]
pub struct Modifier {
    /// Its id.
    pub id: String,
    /// Its legal name.
    pub name: String,
    /// What a level of it is called where pay tables are named.
    pub label: String,
    /// Whether and where it may be offered.
    pub offer: Dated<Offer>,
    /// What it pays instead.
    pub lines: Vec<Fact<ModifierLine>>,
}

/// The raised prices of some wagers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModifierLine {
    /// Of these wagers.
    pub wagers: Vec<WagerId>,
    /// Of these parts, where the wager is a composite.
    pub parts: Option<Vec<WagerId>>,
    /// What the price is applied to.
    pub on: AppliesTo,
    /// The price at each level, the first level first.
    pub pays: Vec<Odds>,
}

/// What a book leaves to the house for one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The house key.
    pub key: String,
    /// The latitude.
    pub allow: Allow,
    /// What it is when the house does not name it, as the book writes it.
    pub default: String,
    /// The same as a value; none where it follows something else, such as the table's limits.
    pub value: Option<Value>,
    /// Values that need another key.
    pub needs: Vec<Needs>,
    /// Where the choice is filed or approved.
    pub filing: Option<String>,
    /// What the numbers that are not named get.
    pub others: Option<Others>,
    /// The families of bets that such a naming binds; all where none is said.
    pub binds: Vec<Family>,
    /// Over which area it must be the same.
    pub uniform: Option<String>,
    /// A remark.
    pub note: Option<String>,
}

/// What the law leaves to the house for one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allow {
    /// Anything.
    Any,
    /// A pay table that the book lists on that day.
    ListedTables,
    /// A multiple within the facts of the odds wagers.
    Odds,
    /// A price within the wager's latitude.
    Prices,
    /// This and nothing else.
    Fixed(Setting),
    /// One of these, or several where the key takes a list.
    OneOf(Vec<Setting>),
    /// This much or more.
    AtLeast(Bound),
    /// From the one to the other.
    Between(Bound, Bound),
}

impl fmt::Display for Allow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Allow::Any => f.write_str("any"),
            Allow::ListedTables => f.write_str("a listed table"),
            Allow::Odds => f.write_str("a multiple within the odds rules"),
            Allow::Prices => f.write_str("what the price latitude lets it"),
            Allow::Fixed(value) => write!(f, "only {value}"),
            Allow::OneOf(values) => {
                let values: Vec<&str> = values.iter().map(Setting::text).collect();
                write!(f, "one of {}", values.join(", "))
            }
            Allow::AtLeast(value) => write!(f, "at least {value}"),
            Allow::Between(low, high) => write!(f, "{low} to {high}"),
        }
    }
}

/// A value of one key that is allowed only together with another key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Needs {
    /// The value that needs it.
    pub when: Setting,
    /// The other key.
    pub key: String,
    /// What the other key must be; without, it must be named.
    pub is: Option<Setting>,
}

/// A book's answer to a topic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// The topic.
    pub topic: String,
    /// The answer.
    pub answer: Answer,
    /// A remark.
    pub note: Option<String>,
}

/// A wager that a derived book takes away from its base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawn {
    /// Which wager.
    pub wager: WagerId,
    /// Where the text says so.
    pub cites: Cites,
    /// By which reading.
    pub readings: Vec<String>,
}

/// One book: the law of one place for one kind of game.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleBook {
    /// The name of its folder.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The text it encodes.
    pub text: String,
    /// What its citations begin with.
    pub prefix: String,
    /// What the citations of the books under it begin with, where it is based on others.
    pub base_prefixes: Vec<String>,
    /// The book it is based on.
    pub based_on: Option<String>,
    /// A day on which everything its sample houses offer is in force.
    pub sample_day: Day,
    /// Its first day, where the text gives one.
    pub in_force: Option<InForce>,
    /// Amendments whose earlier wording is not in hand.
    pub amended: Vec<Amended>,
    /// The rule that only listed wagers may be taken.
    pub listed: Fact<String>,
    /// Its games.
    pub games: Vec<Fact<Game>>,
    /// Its sections, those of its base first.
    pub sections: Vec<Section>,
    /// The citations of the sections that are its own, not its base's.
    pub own_sections: Vec<String>,
    /// Its readings by id.
    pub readings: BTreeMap<String, Reading>,
    /// The readings that are its own, not its base's.
    pub own_readings: Vec<String>,
    /// What it leaves to the house, by key.
    pub choices: BTreeMap<String, Dated<Choice>>,
    /// Its answers, by topic.
    pub rules: BTreeMap<String, Dated<Rule>>,
    /// Its wagers.
    pub wagers: BTreeMap<WagerId, WagerLaw>,
    /// What changes the prices of its wagers.
    pub modifiers: Vec<Modifier>,
    /// What it took away from its base.
    pub withdrawn: Vec<Withdrawn>,
    /// The keys that a house of it may name.
    pub keys: Arc<Keys>,
    /// Facts it repeats from its base without need, as sentences; a derived book records only differences.
    pub repeated: Vec<String>,
}

impl RuleBook {
    /// The wager's law, if the book has it.
    #[must_use]
    pub fn wager(&self, wager: WagerId) -> Option<&WagerLaw> {
        self.wagers.get(&wager)
    }

    /// What its citations may begin with: its own prefix, and those of the books under it.
    #[must_use]
    pub fn prefixes(&self) -> Vec<String> {
        std::iter::once(&self.prefix).chain(&self.base_prefixes).cloned().collect()
    }

    /// Does the wager's offer reach this game, switches aside?
    #[must_use]
    pub fn reaches(&self, offer: &Offer, game: Game) -> bool {
        offer.games.as_ref().is_none_or(|games| games.contains(&game)) && self.games.iter().any(|fact| fact.is == game)
    }

    /// What the book leaves to the house under a key, on the newest day.
    #[must_use]
    pub fn choice_for(&self, key: &str) -> Option<&Fact<Choice>> {
        self.choices.get(crate::house::choice_of(key)).and_then(|dated| dated.on(None))
    }

    /// The place in `sections` that a citation is in, if it is listed.
    #[must_use]
    pub fn resolve(&self, cite: &crate::Cite) -> Option<&Section> {
        let is_part =
            |section: &Section| section.part.iter().any(|part| cite.is_in(&format!("{}{}", section.cite, part.at)));
        self.sections.iter().find(|section| cite.is_in(&section.cite) || is_part(section))
    }
}
