//! Flattens a book into a list of facts, which is used to show books, compare them and check their coverage.

use crate::fact::{Dated, Demanded, Fact, Modifier, Offer, RuleBook, WagerLaw};
use crate::{Cites, Day, Days, Game, Mark, Prize};
use craps_wagers::{Dial, Rank, Ranks};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// What a fact of a book is about.
///
/// ```
/// use craps_law::Aspect;
/// assert_eq!(Aspect::Pays(Some("A".into())).to_string(), "pays, table A");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aspect {
    /// Which wagers a table may take.
    Listed,
    /// Whether a game is played.
    Game(Game),
    /// The first day of the book.
    InForce,
    /// When a section was amended.
    Amended(String),
    /// The wager's name in the law.
    Name,
    /// The words that its area on the layout shows.
    Felt,
    /// Whether and where the wager may be offered.
    Offer,
    /// When the bet may be made.
    Make,
    /// When the bet may be raised.
    Raise,
    /// Until when the bet may be reduced or taken down.
    Lower,
    /// Whether the bet works on a come-out roll.
    ComeOut,
    /// Whether the house may pay something else.
    Price,
    /// What the wager pays, by the name of its pay table.
    Pays(Option<String>),
    /// The odds that the house must allow.
    OddsLeast,
    /// The odds that the house may allow.
    OddsMost,
    /// What the maximum of the odds limits.
    OddsCap,
    /// Whether odds may exceed their maximum.
    OddsExcess,
    /// Whether the table maximum applies to odds.
    OddsTableMax,
    /// Commission taken when the bet is made.
    CommissionUpFront,
    /// Commission taken when the bet wins.
    CommissionOnWin,
    /// How a composite is settled.
    Settled,
    /// Where the bet is placed.
    Area,
    /// Amounts that the bet takes.
    Amount,
    /// Number of chips that the bet is a multiple of.
    Units,
    /// A dial of the wager.
    Dial(Dial),
    /// Wagers whose prices a modifier raises.
    Raised(String),
    /// What the house may choose.
    House,
    /// A limit on several amounts of the house together.
    Total,
    /// A question of procedure.
    Rule,
}

impl fmt::Display for Aspect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Aspect::Listed => "wagers",
            Aspect::Game(game) => return write!(f, "game {game}"),
            Aspect::InForce => "in force",
            Aspect::Amended(cite) => return write!(f, "amended {cite}"),
            Aspect::Name => "name",
            Aspect::Felt => "felt",
            Aspect::Offer => "offer",
            Aspect::Make => "make",
            Aspect::Raise => "raise",
            Aspect::Lower => "lower",
            Aspect::ComeOut => "come-out",
            Aspect::Price => "price",
            Aspect::Pays(None) => "pays",
            Aspect::Pays(Some(table)) => return write!(f, "pays, table {table}"),
            Aspect::OddsLeast => "odds least",
            Aspect::OddsMost => "odds most",
            Aspect::OddsCap => "odds cap on",
            Aspect::OddsExcess => "odds excess",
            Aspect::OddsTableMax => "odds table maximum",
            Aspect::CommissionUpFront => "commission up front",
            Aspect::CommissionOnWin => "commission on win",
            Aspect::Settled => "settled",
            Aspect::Area => "area",
            Aspect::Amount => "amount",
            Aspect::Units => "units",
            Aspect::Dial(dial) => dial.label(),
            Aspect::Raised(wagers) => wagers,
            Aspect::House => "house",
            Aspect::Total => "total",
            Aspect::Rule => "rule",
        })
    }
}

/// One fact of a book: its subject, the aspect and the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What it is about: a wager's slug, a house key, a topic, or `book`.
    pub subject: String,
    /// Aspect of the subject.
    pub aspect: Aspect,
    /// Value as text.
    pub value: String,
    /// Sections of the law that it comes from.
    pub cites: Cites,
    /// Days on which it applies.
    pub days: Days,
    /// Ids of the readings it depends on.
    pub readings: Vec<String>,
    /// What the program does with it.
    pub mark: Mark,
    /// Why it is only recorded.
    pub why: Option<String>,
}

fn line<T>(subject: &str, aspect: Aspect, fact: &Fact<T>, value: impl Into<String>) -> Line {
    Line {
        subject: subject.to_owned(),
        aspect,
        value: value.into(),
        cites: fact.cites.clone(),
        days: fact.days,
        readings: fact.readings.clone(),
        mark: Mark::Acts,
        why: None,
    }
}

fn words(word: &str) -> String {
    word.replace('_', " ")
}

impl RuleBook {
    /// Returns the days on which something in the book starts or ends.
    #[must_use]
    pub fn turns(&self) -> BTreeSet<Day> {
        let lines = self.lines(None);
        let facts = lines.iter().flat_map(|line| [line.days.from, line.days.until]).flatten();
        let first = self.in_force.iter().map(|first| first.from);
        facts.chain(first).chain(self.amended.iter().map(|amended| amended.on)).collect()
    }

    /// Iterates over the wagers that may be offered on a day. `None` gives all there ever were.
    pub fn wagers_on(&self, on: Option<Day>) -> impl Iterator<Item = &WagerLaw> {
        self.wagers.values().filter(move |law| self.is_offered(&law.offer, on))
    }

    /// Iterates over the features that may raise prices on a day. `None` gives all there ever were.
    pub fn modifiers_on(&self, on: Option<Day>) -> impl Iterator<Item = &Modifier> {
        self.modifiers.iter().filter(move |modifier| self.is_offered(&modifier.offer, on))
    }

    fn is_offered(&self, offer: &Dated<Offer>, on: Option<Day>) -> bool {
        on.is_none() || self.is_in_force(on) && offer.0.iter().any(|fact| fact.days.hold(on))
    }

    fn is_in_force(&self, on: Option<Day>) -> bool {
        self.in_force.as_ref().is_none_or(|first| on.is_none_or(|on| first.from <= on))
    }

    /// Returns every fact that applies on a day. `None` gives every fact there ever was. A wager that may not be offered on the day has
    /// no facts, and neither does a book that is not yet in force.
    #[must_use]
    pub fn lines(&self, on: Option<Day>) -> Vec<Line> {
        let mut all = self.every_line(on);
        let in_force = self.is_in_force(on);
        all.retain(|line| line.days.hold(on) && (in_force || line.aspect == Aspect::InForce));
        all
    }

    fn every_line(&self, on: Option<Day>) -> Vec<Line> {
        let mut all = vec![line("book", Aspect::Listed, &self.listed, words(&self.listed.is))];
        // The check of a house judges whether its game is one of these.
        let game =
            |fact: &Fact<Game>| Line { mark: Mark::Judged, ..line("book", Aspect::Game(fact.is), fact, "played") };
        all.extend(self.games.iter().map(game));
        if let Some(first) = &self.in_force {
            let fact =
                Fact { is: (), cites: first.cite.clone(), days: Days::ALWAYS, readings: Vec::new(), switch: None };
            all.push(line("book", Aspect::InForce, &fact, format!("from {}", first.from)));
        }
        for amended in &self.amended {
            let fact =
                Fact { is: (), cites: amended.cite.clone(), days: Days::ALWAYS, readings: Vec::new(), switch: None };
            all.push(line("book", Aspect::Amended(amended.cite.to_string()), &fact, format!("on {}", amended.on)));
        }
        for law in self.wagers_on(on) {
            wager_lines(law, &mut all);
        }
        for gone in &self.withdrawn {
            let fact = Fact {
                is: (),
                cites: gone.cites.clone(),
                days: Days::ALWAYS,
                readings: gone.readings.clone(),
                switch: None,
            };
            all.push(line(gone.wager.wager().slug, Aspect::Offer, &fact, "not permitted"));
        }
        for modifier in self.modifiers_on(on) {
            for fact in &modifier.offer.0 {
                all.push(line(&modifier.id, Aspect::Offer, fact, fact.is.standing.word()));
            }
            for fact in &modifier.lines {
                let pays: Vec<String> = fact.is.pays.iter().map(ToString::to_string).collect();
                let wagers: Vec<&str> = fact.is.wagers.iter().map(|id| id.wager().slug).collect();
                let parts = fact.is.parts.iter().flatten().map(|id| id.wager().slug).collect::<Vec<_>>().join(" ");
                let aspect = format!(
                    "{}{}",
                    wagers.join(" "),
                    if parts.is_empty() { String::new() } else { format!(" ({parts})") }
                );
                all.push(line(
                    &modifier.id,
                    Aspect::Raised(aspect),
                    fact,
                    format!("{} on the {}", pays.join(" or "), fact.is.on),
                ));
            }
        }
        for (key, dated) in &self.choices {
            for fact in &dated.0 {
                let mut value = self.allowed(fact, on);
                let others = fact.is.others.map(|others| others.word());
                let default = Some(fact.is.default.as_str()).filter(|text| !text.is_empty());
                let games = fact.is.games.as_ref().map(|all| all.iter().map(|game| game.word()).collect::<Vec<_>>());
                let with = fact.is.with.as_ref().map(ToString::to_string);
                let demanded = match &fact.is.demanded {
                    Demanded::No => None,
                    Demanded::Always => Some(String::new()),
                    Demanded::With(with) => Some(format!("with {with}")),
                };
                for (word, text) in [
                    ("default", default),
                    ("others", others),
                    ("uniform in the", fact.is.uniform.as_deref()),
                    ("only at", games.map(|all| all.join(", ")).as_deref()),
                    ("only with", with.as_deref()),
                    ("demanded", demanded.as_deref()),
                    ("filed:", fact.is.filing.as_deref()),
                    ("approved by the", fact.is.approved_by.as_deref()),
                ] {
                    if let Some(text) = text {
                        value.push_str(format!("; {word} {text}").trim_end());
                    }
                }
                for need in &fact.is.needs {
                    let is = need.is.as_ref().map(|is| format!(" = {is}")).unwrap_or_default();
                    value.push_str(&format!("; {} needs {}{is}", need.when, need.key));
                }
                all.push(Line { mark: Mark::Judged, ..line(key, Aspect::House, fact, value) });
            }
        }
        for fact in &self.totals {
            let term = |(key, more): &(String, Vec<String>)| {
                std::iter::once(key.clone())
                    .chain(more.iter().map(|count| format!("(1 + {count})")))
                    .collect::<Vec<_>>()
            };
            let sum: Vec<String> = fact.is.of.iter().map(|one| term(one).join(" × ")).collect();
            let value = format!("{}: at most {}", sum.join(" + "), fact.is.topic);
            all.push(Line { mark: Mark::Judged, ..line(&fact.is.path, Aspect::Total, fact, value) });
        }
        for (topic, dated) in &self.rules {
            for fact in &dated.0 {
                let asked = self.topics.get(topic);
                let mark = asked.map(|topic| topic.mark).unwrap_or_default();
                let why = asked.and_then(|topic| topic.why.clone());
                all.push(Line { mark, why, ..line(topic, Aspect::Rule, fact, fact.is.answer.to_string()) });
            }
        }
        all
    }
}

fn wager_lines(law: &WagerLaw, all: &mut Vec<Line>) {
    let slug = law.wager.wager().slug;
    for fact in &law.renamed.0 {
        all.push(line(slug, Aspect::Name, fact, fact.is.clone()));
    }
    simple(slug, &Aspect::Felt, &law.felt, Clone::clone, all);
    for fact in &law.offer.0 {
        let mut value = fact.is.standing.word().to_owned();
        if let Some(games) = &fact.is.games {
            value.push_str(&format!(" at {}", games.iter().map(|game| game.word()).collect::<Vec<_>>().join(", ")));
        }
        if let Some((game, switch)) = &fact.is.also {
            value.push_str(&format!(", and at {game} by {switch}"));
        }
        all.push(line(slug, Aspect::Offer, fact, value));
    }
    for fact in &law.make.0 {
        let mut value = fact.is.window.meaning();
        if fact.is.fresh {
            value.push_str(", tracker empty");
        }
        if let Some(with) = fact.is.with {
            value.push_str(&format!(", with a {}", words(with.word())));
        }
        all.push(line(slug, Aspect::Make, fact, switched(value, fact)));
    }
    simple(slug, &Aspect::Raise, &law.raise, |is| is.meaning(), all);
    simple(slug, &Aspect::Lower, &law.lower, |is| is.meaning(), all);
    let works = |is: &crate::Works| match is.call {
        crate::Call::None => is.come_out.to_string(),
        call => format!("{}, can be called {call}", is.come_out),
    };
    simple(slug, &Aspect::ComeOut, &law.works, works, all);
    simple(slug, &Aspect::Price, &law.price, |is| words(is.word()), all);
    for fact in &law.pays.0 {
        let prizes = fact.is.prizes.iter().map(|(rank, prize)| (*rank, *prize));
        let aspect = Aspect::Pays(fact.is.table.clone());
        all.push(line(slug, aspect, fact, payouts(law.wager.wager().ranks, prizes)));
    }
    if let Some(odds) = &law.odds {
        simple(slug, &Aspect::OddsLeast, &odds.least, |is| format!("{is}x"), all);
        simple(slug, &Aspect::OddsMost, &odds.most, |is| is.to_string(), all);
        simple(slug, &Aspect::OddsCap, &odds.cap, |is| is.to_string(), all);
        simple(slug, &Aspect::OddsExcess, &odds.excess, |is| words(is.word()), all);
        simple(slug, &Aspect::OddsTableMax, &odds.table_max, |is| is.to_string(), all);
    }
    for fact in &law.commission.0 {
        let timing = match fact.is.timing {
            craps_money::Timing::UpFront => Aspect::CommissionUpFront,
            craps_money::Timing::OnWin => Aspect::CommissionOnWin,
        };
        let base = match fact.is.base {
            craps_money::Base::Stake => "stake",
            craps_money::Base::Win => "win",
        };
        all.push(line(slug, timing, fact, format!("at most {} of the {base}", fact.is.rate)));
    }
    simple(slug, &Aspect::Settled, &law.settled, |is| words(is.word()), all);
    simple(slug, &Aspect::Area, &law.area, |is| words(is.area.word()), all);
    let amount = |is: &crate::Amount| match is.range {
        Some((low, high)) => {
            format!("{low} to {high}{}", is.step.map(|step| format!(" in steps of {step}")).unwrap_or_default())
        }
        None => "set by the house".to_owned(),
    };
    simple(slug, &Aspect::Amount, &law.amount, amount, all);
    simple(slug, &Aspect::Units, &law.units, ToString::to_string, all);
    for (dial, fact) in &law.dials {
        all.push(line(slug, Aspect::Dial(*dial), fact, switched(words(&fact.is), fact)));
    }
}

/// Writes the payouts of a pay table: `4: 2 to 1; 5: 3 to 2`.
pub(crate) fn payouts(ranks: Ranks, prizes: impl Iterator<Item = (Rank, Prize)>) -> String {
    let one = |(rank, prize): (Rank, Prize)| match ranks.name(rank).as_str() {
        "win" => prize.to_string(),
        name => format!("{name}: {prize}"),
    };
    prizes.map(one).collect::<Vec<_>>().join("; ")
}

fn simple<T>(slug: &str, aspect: &Aspect, dated: &Dated<T>, value: impl Fn(&T) -> String, all: &mut Vec<Line>) {
    all.extend(dated.0.iter().map(|fact| line(slug, aspect.clone(), fact, switched(value(&fact.is), fact))));
}

fn switched<T>(value: String, fact: &Fact<T>) -> String {
    match &fact.switch {
        Some(switch) => format!("{value} (house: {})", switch.key),
        None => value,
    }
}

/// A book as of a day. `None`: everything it ever contained.
pub type AsOf<'a> = (&'a RuleBook, Option<Day>);

/// A difference between two books in one aspect, with the values and citations of both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Subjects that have this same difference.
    pub subjects: Vec<String>,
    /// Aspect that differs.
    pub aspect: Aspect,
    /// Values in the first book with their citations and days. Empty if it says nothing.
    pub left: Vec<(String, Cites, Days)>,
    /// Values in the second book.
    pub right: Vec<(String, Cites, Days)>,
}

/// Compares two books fact by fact, each as of a day or over all days. Subjects with the same difference and the same citations
/// share one row.
#[must_use]
pub fn diff((left, left_on): AsOf<'_>, (right, right_on): AsOf<'_>) -> Vec<Difference> {
    type Sides = [Vec<(String, Cites, Days)>; 2];
    let mut order: Vec<(String, Aspect)> = Vec::new();
    let mut sides: BTreeMap<(String, Aspect), Sides> = BTreeMap::new();
    for (side, (book, on)) in [(left, left_on), (right, right_on)].into_iter().enumerate() {
        for line in book.lines(on) {
            if matches!(line.aspect, Aspect::Amended(_)) {
                continue;
            }
            let key = (line.subject.clone(), line.aspect.clone());
            let entry = sides.entry(key.clone()).or_insert_with(|| {
                order.push(key);
                Sides::default()
            });
            entry[side].push((line.value, line.cites, line.days));
        }
    }
    let slugs =
        |(book, on): AsOf<'_>| book.wagers_on(on).map(|law| law.wager.wager().slug.to_owned()).collect::<Vec<_>>();
    let (left_book, right_book) = (slugs((left, left_on)), slugs((right, right_on)));
    // For a given day only the values matter, not their dates.
    let dated = left_on.is_none() && right_on.is_none();
    let is_wager = |subject: &str| craps_wagers::Catalogue::current().find(subject).is_some();
    let mut rows: Vec<Difference> = Vec::new();
    for key in order {
        let Some([left_side, right_side]) = sides.remove(&key) else { continue };
        let values = |side: &[(String, Cites, Days)]| {
            side.iter().map(|(value, _, days)| (value.clone(), dated.then_some(*days))).collect::<Vec<_>>()
        };
        if values(&left_side) == values(&right_side) {
            continue;
        }
        let (subject, aspect) = key;
        // For a wager that only one book has, that is the only difference to show.
        let one_sided = [&left_book, &right_book].iter().any(|book| !book.contains(&subject)) && is_wager(&subject);
        if one_sided && aspect != Aspect::Offer {
            continue;
        }
        let (mut left_side, mut right_side) = (left_side, right_side);
        for (side, book) in [(&mut left_side, left), (&mut right_side, right)] {
            if one_sided && side.is_empty() {
                side.push(("not a listed wager".to_owned(), book.listed.cites.clone(), Days::ALWAYS));
            }
        }
        match rows.iter_mut().find(|row| row.aspect == aspect && row.left == left_side && row.right == right_side) {
            Some(row) => row.subjects.push(subject),
            None => rows.push(Difference { subjects: vec![subject], aspect, left: left_side, right: right_side }),
        }
    }
    rows
}
