//! From what a house says to the rules of its table, or to every reason why not.

use crate::fact::{Choice, Fact, Make, Modifier, Offer, Rule, RuleBook, WagerLaw, Works};
use crate::house::{self, HouseRules, Multiple};
use crate::offering::{Prizes, merge};
use crate::raw::{Allow, Answer, Most};
use crate::words::{Area, Call, Cap, Excess, Game, Lower, OnOff, PriceLatitude, Raise, Standing, TableMax, Window};
use crate::{Cite, Cites, Day, Prize};
use craps_dice::Point;
use craps_money::{Commission, Money, Odds, Rate, Rounding, RoundingRule, Stake, Timing, WholeDollars};
use craps_wagers::{Dial, Group, Machine, Mechanic, Points, Side, WagerId};
use std::collections::BTreeMap;
use std::fmt;

/// Why a house may not play so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The house key.
    pub path: String,
    /// What is wrong, and what would be right.
    pub message: String,
    /// By which words.
    pub cites: Cites,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.path, self.message, self.cites)
    }
}

/// Something the house should know although it may play so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about: a house key, a wager or a section.
    pub path: String,
    /// What there is to know.
    pub message: String,
    /// By which words.
    pub cites: Cites,
}

/// The least and most a bet may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The least.
    pub min: Stake,
    /// The most; none where there is no maximum.
    pub max: Option<Stake>,
    /// The bet is a multiple of this.
    pub step: Stake,
}

/// The limits of an odds bet at this table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddsRules {
    /// The multiple by number.
    pub multiple: Multiple,
    /// What it is of.
    pub cap: Fact<Cap>,
    /// May it be passed to pay exactly?
    pub excess: Fact<Excess>,
    /// Does the table's maximum hold for it?
    pub table_max: Fact<TableMax>,
}

impl OddsRules {
    /// The most that may be staked behind a flat bet on a number: the cap, raised to the next amount that pays exactly where the
    /// law lets it be, otherwise lowered to whole chips, and under exact payment to the last amount that pays. None on a number
    /// without odds.
    #[must_use]
    pub fn most(&self, flat: Stake, number: Point, odds: Odds, rounding: &Rounding) -> Option<Money> {
        let times = u128::from(self.multiple.on(number)?);
        let (win, per) = odds.net();
        let flat = u128::from(flat.minor());
        let (cap_num, cap_den) = match self.cap.is {
            Cap::Stake => (times * flat, 1u128),
            Cap::Win => (times * flat * u128::from(per), u128::from(win)),
        };
        let chip = u128::from(rounding.chip.minor());
        let exact = chip * u128::from(per);
        let minor = match (self.excess.is, rounding.rule) {
            (Excess::ToPayExactly, _) => cap_num.div_ceil(cap_den * exact) * exact,
            (Excess::None, RoundingRule::ExactOrRefuse) => cap_num / (cap_den * exact) * exact,
            (Excess::None, RoundingRule::Up) => cap_num / (cap_den * chip) * chip,
        };
        i64::try_from(minor).ok().map(Money::from_minor)
    }
}

/// The rules of one wager at one table: nothing is left open.
#[derive(Debug, Clone, PartialEq)]
pub struct WagerRules {
    /// The wager.
    pub wager: WagerId,
    /// Its legal name on the day.
    pub name: String,
    /// What decides it.
    pub machine: Machine,
    /// What its ranks pay, and where that stands.
    pub prizes: Fact<Prizes>,
    /// The pay table in use, where the law names one.
    pub pay_table: Option<String>,
    /// Why it is offered.
    pub offer: Fact<Offer>,
    /// When it may be made.
    pub make: Fact<Make>,
    /// When it may be added to.
    pub raise: Fact<Raise>,
    /// Until when it may come down.
    pub lower: Fact<Lower>,
    /// Whether it works on a come-out.
    pub works: Fact<Works>,
    /// Its limits; odds have only their multiple.
    pub limits: Option<Limits>,
    /// The stake is a multiple of this many chips.
    pub units: Option<Fact<u32>>,
    /// Its commission.
    pub commission: Option<Fact<Commission>>,
    /// The limits of an odds bet.
    pub odds: Option<OddsRules>,
    /// Of a composite: is it broken down for want of an area?
    pub broken_down: bool,
    /// Does a winning bet stay up?
    pub stays_up: bool,
}

/// The rules of one table: a book, a day, a house, and nothing left open.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRules {
    /// The book.
    pub book: String,
    /// What the house calls the table.
    pub name: Option<String>,
    /// The day.
    pub as_of: Day,
    /// The game.
    pub game: Game,
    /// Which totals set a point.
    pub points: Points,
    /// How payouts are made, and the lowest chip.
    pub rounding: Rounding,
    /// Is commission given back when a bet comes down?
    pub refund: bool,
    /// May any bet be called off?
    pub off_calls_any: bool,
    /// Who may call no roll.
    pub callers: Vec<String>,
    /// The wagers offered, in catalogue order.
    pub wagers: Vec<WagerRules>,
    /// The modifiers offered.
    pub modifiers: Vec<Modifier>,
    /// The book's answers on that day, by topic.
    pub rules: BTreeMap<String, Fact<Rule>>,
    /// What the house should know.
    pub notices: Vec<Notice>,
}

impl TableRules {
    /// The rules of one wager, if the table offers it.
    #[must_use]
    pub fn wager(&self, wager: WagerId) -> Option<&WagerRules> {
        self.wagers.iter().find(|rules| rules.wager == wager)
    }
}

impl RuleBook {
    /// The limits of an odds bet on a day under a multiple; numbers the multiple does not name follow the four.
    #[must_use]
    pub fn odds_rules(&self, law: &WagerLaw, mut multiple: Multiple, on: Option<Day>) -> Option<OddsRules> {
        let odds = law.odds.as_ref()?;
        let on_four = multiple.on(Point::Four);
        for number in self.points().all() {
            if let (None, Some(times)) = (multiple.on(*number), on_four) {
                multiple.set(*number, times);
            }
        }
        Some(OddsRules {
            multiple,
            cap: odds.cap.on(on)?.clone(),
            excess: odds.excess.on(on)?.clone(),
            table_max: odds.table_max.on(on)?.clone(),
        })
    }

    /// Lets a house play, or says every reason why not.
    ///
    /// # Errors
    /// Every problem at once, each with the house key it is at and the words it offends.
    pub fn admit(&self, house: &HouseRules) -> Result<TableRules, Vec<Problem>> {
        Admission::new(self, house).decide()
    }
}

struct Admission<'a> {
    book: &'a RuleBook,
    house: &'a HouseRules,
    day: Option<Day>,
    game: Game,
    problems: Vec<Problem>,
    notices: Vec<Notice>,
}

/// Words by which a house declines something.
const DECLINED: &[&str] = &["no", "off", "none"];

impl<'a> Admission<'a> {
    fn new(book: &'a RuleBook, house: &'a HouseRules) -> Admission<'a> {
        let first = book.games.first().map_or(Game::Craps, |fact| fact.is);
        let game = house.game.unwrap_or(first);
        Admission { book, house, day: Some(house.as_of), game, problems: Vec::new(), notices: Vec::new() }
    }

    fn problem(&mut self, path: &str, message: impl Into<String>, cites: &Cites) {
        let problem = Problem { path: path.to_owned(), message: message.into(), cites: cites.clone() };
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    fn notice(&mut self, path: &str, message: impl Into<String>, cites: &Cites) {
        self.notices.push(Notice { path: path.to_owned(), message: message.into(), cites: cites.clone() });
    }

    /// The book's record for a key on the day.
    fn choice(&self, key: &str) -> Option<&'a Fact<Choice>> {
        self.book.choices.get(house::choice_of(key)).and_then(|dated| dated.on(self.day))
    }

    /// What the house says, or what holds when it says nothing.
    fn value(&self, key: &str) -> Option<&'a str> {
        let timing = (key.starts_with("vig.") && key.ends_with(".timing")).then(|| self.house.get("vig.timing")).flatten();
        self.house.get(key).or(timing).or_else(|| self.choice(key).map(|fact| fact.is.default.as_str()))
    }

    fn says(&self, key: &str, word: &str) -> bool {
        self.value(key) == Some(word)
    }

    fn decide(mut self) -> Result<TableRules, Vec<Problem>> {
        self.day_and_game();
        self.keys();
        self.limits_crossed();
        let offered = self.products();
        let chip = self.value("chip").and_then(|text| text.parse().ok()).unwrap_or_else(one);
        let rounding = Rounding {
            rule: if self.says("rounding", "up") { RoundingRule::Up } else { RoundingRule::ExactOrRefuse },
            whole_dollars: if self.says("round_whole_dollars", "yes") { WholeDollars::Rounded } else { WholeDollars::Exact },
            chip,
        };
        let mut wagers = Vec::new();
        let book = self.book;
        for law in book.wagers.values() {
            if let Some(offer) = self.is_offered(law, &offered) {
                wagers.extend(self.wager(law, offer, chip));
            }
        }
        self.higher_odds(&mut wagers);
        let callers = self.callers();
        let modifiers = book.modifiers.iter().filter(|modifier| self.modifier_offered(modifier, &offered)).cloned().collect();
        self.remarks(&wagers);
        if !self.problems.is_empty() {
            // In the order of the house's own keys, so that a reader walks down the file.
            self.problems.sort_by(|a, b| a.path.cmp(&b.path));
            return Err(self.problems);
        }
        let rules = book.rules.iter().filter_map(|(topic, dated)| Some((topic.clone(), dated.on(self.day)?.clone()))).collect();
        Ok(TableRules {
            book: book.id.clone(),
            name: self.house.name.clone(),
            as_of: self.house.as_of,
            game: self.game,
            points: book.points(),
            rounding,
            refund: !self.says("vig.refund", "no"),
            off_calls_any: self.says("off_calls_any", "yes"),
            callers,
            wagers,
            modifiers,
            rules,
            notices: self.notices,
        })
    }

    fn day_and_game(&mut self) {
        let (book, day, game) = (self.book, self.house.as_of, self.game);
        if let Some(first) = book.in_force.as_ref().filter(|first| day < first.from) {
            self.problem("as_of", format!("{day} is before the first day of the rules, {}", first.from), &first.cite);
        }
        if !book.games.iter().any(|fact| fact.is == game) {
            let known: Vec<&str> = book.games.iter().map(|fact| fact.is.word()).collect();
            self.problem("game", format!("no {game} under this book, which has {}", known.join(", ")), &book.listed.cites);
        }
        for amended in book.amended.iter().filter(|amended| day < amended.on) {
            let message = format!("amended on {}; the wording before that is not in hand, so the later one was used", amended.on);
            self.notice("as_of", message, &amended.cite);
        }
    }

    /// Every key the house names, against the book's latitude.
    fn keys(&mut self) {
        for (key, value) in self.house.iter() {
            if key == "offer" || key == "higher_odds" && value != "none" && self.choice(key).is_some() {
                continue; // Judged with the wagers.
            }
            if key == "vig.timing" {
                for key in ["vig.buy.timing", "vig.lay.timing"] {
                    self.key(key, value, "vig.timing");
                }
                continue;
            }
            self.key(key, value, key);
        }
    }

    fn key(&mut self, key: &str, value: &str, path: &str) {
        let Some(fact) = self.choice(key) else {
            if !DECLINED.contains(&value) && !self.is_product_key(key) {
                self.no_choice(key, path);
            }
            return;
        };
        let (choice, cites) = (&fact.is, &fact.cites);
        let expected = |what: String| format!("{value}: the book leaves {what}");
        match &choice.allow {
            Allow::Any | Allow::Prices => {}
            Allow::ListedTables => self.listed_table(key, value, path, cites),
            Allow::Odds => self.multiple(key, value, path),
            Allow::Fixed(only) => {
                if !same(value, only) && self.is_product_key(key) && DECLINED.contains(&only.as_str()) {
                    self.problem(path, "not a wager of this game", cites);
                } else if !same(value, only) {
                    self.problem(path, expected(format!("no choice but {only}")), cites);
                }
            }
            Allow::OneOf(words) => {
                let item_word = |item: &str| item.split_once(':').map_or(item, |(_, word)| word).to_owned();
                let bad: Vec<&str> = value.split(',').filter(|item| !words.iter().any(|word| same(&item_word(item), word))).collect();
                if !bad.is_empty() {
                    self.problem(path, format!("{}: the book leaves {}", bad.join(", "), words.join(" or ")), cites);
                }
            }
            Allow::AtLeast(least) => {
                if !within(value, Some(least), None) {
                    self.problem(path, expected(format!("{least} or more")), cites);
                }
            }
            Allow::Between(low, high) => {
                if !within(value, Some(low), Some(high)) {
                    self.problem(path, expected(format!("{low} to {high}")), cites);
                }
            }
        }
        for need in &choice.needs {
            let met = match &need.is {
                Some(is) => self.asked(&need.key, is),
                None => self.house.get(&need.key).is_some(),
            };
            if value == need.when && !met {
                let what = need.is.as_ref().map_or_else(|| format!("{} must be named", need.key), |is| format!("{} must be {is}", need.key));
                self.problem(path, format!("{value}: then {what}"), cites);
            }
        }
        if let Some(filing) = &choice.filing {
            self.notice(path, format!("{value} is to be filed: {filing}"), cites);
        }
        if let Some(area) = choice.uniform.as_ref().filter(|_| value != "none") {
            self.notice(path, format!("must be the same throughout the {area}"), cites);
        }
    }

    /// Is a key set to this, a product also by the list of what is offered?
    fn asked(&self, key: &str, is: &str) -> bool {
        let listed = || self.house.get("offer").is_some_and(|offer| offer == "all" || offer.split(',').any(|item| key == format!("{item}.offered")));
        self.says(key, is) || (is == "yes" && listed())
    }

    /// Keys that start with the name of a product are judged with the product when the book has no record for them on the day.
    fn is_product_key(&self, key: &str) -> bool {
        key.ends_with(".offered") || key.ends_with(".table")
    }

    fn no_choice(&mut self, key: &str, path: &str) {
        let book = self.book;
        match book.choices.get(house::choice_of(key)) {
            Some(dated) if !dated.0.is_empty() => {
                let days: Vec<String> = dated.0.iter().map(|fact| fact.days.to_string()).collect();
                let cites = merge(dated.0.iter().flat_map(|fact| fact.cites.iter().cloned()));
                self.problem(path, format!("may be chosen {} only, not on {}", days.join(" and "), self.house.as_of), &cites);
            }
            _ => self.problem(path, "this book has nothing that it could choose", &book.listed.cites),
        }
    }

    fn listed_table(&mut self, key: &str, value: &str, path: &str, cites: &Cites) {
        let laws = self.laws_of(key);
        let mut tables: Vec<(String, bool, Cites)> = Vec::new();
        for fact in laws.iter().flat_map(|law| &law.pays.0) {
            tables.push((table_name(key, &fact.is), fact.days.hold(self.day), fact.cites.clone()));
        }
        match tables.iter().find(|(name, _, _)| name == value) {
            Some((_, true, _)) => {}
            Some((_, false, cites)) => {
                let cites = cites.clone();
                self.problem(path, format!("{value} is not in force on {}", self.house.as_of), &cites);
            }
            None => {
                let mut names: Vec<&str> = Vec::new();
                for (name, _, _) in tables.iter().filter(|(_, holds, _)| *holds) {
                    if !names.contains(&name.as_str()) {
                        names.push(name);
                    }
                }
                self.problem(path, format!("{value} is not a listed table; the book has {}", names.join(", ")), cites);
            }
        }
    }

    /// The wagers whose pay table a key chooses.
    fn laws_of(&self, key: &str) -> Vec<&'a WagerLaw> {
        let product = key.strip_suffix(".table").map(|product| format!("{product}.offered"));
        let priced = key.strip_suffix(".pay").map(|name| name.replace('_', "-"));
        let matches = |law: &&WagerLaw| match (&product, &priced) {
            (Some(product), _) => law.offer.0.iter().any(|offer| offer.is.key.as_ref() == Some(product)),
            (_, Some(slug)) => law.wager.wager().slug == slug,
            _ => false,
        };
        self.book.wagers.values().filter(matches).collect()
    }

    fn multiple(&mut self, key: &str, value: &str, path: &str) {
        let side = if key.contains("lay") { Side::Wrong } else { Side::Right };
        let Ok(multiple) = value.parse::<Multiple>() else { return };
        let book = self.book;
        // One multiple serves every odds bet of its side: what offends is told once, with all numbers and all citations.
        let mut told: Vec<(String, Vec<String>, Vec<Cite>)> = Vec::new();
        let mut tell = |times: u32, number: Point, limit: String, cites: &Cites| {
            let at = match told.iter().position(|(known, _, _)| *known == format!("{times}x on {{}}: {limit}")) {
                Some(at) => at,
                None => {
                    told.push((format!("{times}x on {{}}: {limit}"), Vec::new(), Vec::new()));
                    told.len() - 1
                }
            };
            let (_, numbers, known) = &mut told[at];
            if !numbers.contains(&number.to_string()) {
                numbers.push(number.to_string());
            }
            known.extend(cites.iter().cloned());
        };
        for law in book.wagers.values() {
            let (Mechanic::Behind(of, _), Some(odds)) = (law.wager.wager().mechanic, &law.odds) else { continue };
            let (Some(least), Some(most)) = (odds.least.on(self.day), odds.most.on(self.day)) else { continue };
            for (number, times) in multiple.iter().filter(|_| of == side) {
                if times < least.is {
                    tell(times, number, format!("odds of at least {}x must be allowed", least.is), &least.cites);
                }
                if let Most::Times(limit) = most.is {
                    if times > limit {
                        tell(times, number, format!("odds of at most {limit}x may be allowed"), &most.cites);
                    }
                }
            }
        }
        for (message, numbers, cites) in told {
            self.problem(path, message.replace("{}", &numbers.join(", ")), &merge(cites));
        }
    }

    fn limits_crossed(&mut self) {
        let cites = self.choice("limits").map_or_else(|| self.book.listed.cites.clone(), |fact| fact.cites.clone());
        let groups = Group::ALL.map(Some).into_iter().chain([None]);
        for group in groups {
            let end = |end: &str| match group {
                Some(group) => self.house.limit(group, end),
                None => self.house.get(&format!("limits.{end}")).and_then(|text| Some((format!("limits.{end}"), text.parse().ok()?))),
            };
            if let (Some((path, min)), Some((other, max))) = (end("min"), end("max")) {
                if min > max {
                    self.problem(&path, format!("{min} is above {other}, {max}"), &cites);
                }
            }
        }
        let amount = |key: &str| self.house.get(key).and_then(|text| text.parse::<Stake>().ok());
        if let (Some(min), Some(max)) = (amount("ride.min"), amount("ride.max")) {
            if min > max {
                self.problem("ride.min", format!("{min} is above ride.max, {max}"), &cites);
            }
        }
    }

    /// The products the house asks for: key of the offer, and the key the house asked by.
    fn products(&mut self) -> BTreeMap<String, String> {
        let mut asked: BTreeMap<String, String> = BTreeMap::new();
        for (key, value) in self.house.iter() {
            if let Some(product) = key.strip_suffix(".table") {
                asked.insert(format!("{product}.offered"), key.to_owned());
            } else if key.ends_with(".offered") && value == "yes" {
                asked.insert(key.to_owned(), key.to_owned());
            }
        }
        match self.house.get("offer") {
            Some("all") => {
                let offers = self.book.wagers.values().map(|law| &law.offer).chain(self.book.modifiers.iter().map(|modifier| &modifier.offer));
                let lawful = offers.flat_map(|offer| &offer.0).filter(|fact| fact.days.hold(self.day) && self.reaches(&fact.is));
                for key in lawful.filter_map(|fact| fact.is.key.clone()) {
                    if self.house.get(&key) != Some("no") {
                        asked.entry(key).or_insert_with(|| "offer".to_owned());
                    }
                }
            }
            Some(list) => {
                for item in list.split(',') {
                    asked.entry(format!("{item}.offered")).or_insert_with(|| "offer".to_owned());
                }
            }
            None => {}
        }
        for (product, path) in &asked {
            if self.house.get(product) == Some("no") {
                let cites = self.choice(product).map_or_else(|| self.book.listed.cites.clone(), |fact| fact.cites.clone());
                self.problem(path, format!("asks for what {product} = no declines"), &cites);
            } else {
                self.product(product, path);
            }
        }
        asked
    }

    fn reaches(&self, offer: &Offer) -> bool {
        self.book.reaches(offer, self.game) || offer.also.as_ref().is_some_and(|(game, switch)| *game == self.game && self.says(switch, "yes"))
    }

    /// Is a product the house asks for one this book has, in this game, on this day?
    fn product(&mut self, key: &str, path: &str) {
        let book = self.book;
        let offers = book.wagers.values().map(|law| (law.name_on(self.day), &law.offer));
        let offers = offers.chain(book.modifiers.iter().map(|modifier| (modifier.name.as_str(), &modifier.offer)));
        let facts: Vec<(&str, &Fact<Offer>)> =
            offers.flat_map(|(name, offer)| offer.0.iter().map(move |fact| (name, fact))).filter(|(_, fact)| fact.is.key.as_deref() == Some(key)).collect();
        let Some((name, fact)) = facts.first() else {
            // A fixed record of the book has said so already.
            if self.problems.iter().any(|problem| problem.path == path) {
                return;
            }
            let cites = self.not_in_book(key);
            let stem = key.trim_end_matches(".offered");
            let message = if path == "offer" { format!("{stem} is not a wager of this book") } else { "not a wager of this book".to_owned() };
            return self.problem(path, message, &cites);
        };
        let named = |message: String| if path == "offer" { format!("{name}: {message}") } else { message };
        if !facts.iter().any(|(_, fact)| self.reaches(&fact.is)) {
            let games: Vec<&str> = fact.is.games.iter().flatten().map(|game| game.word()).collect();
            self.problem(path, named(format!("may be offered at {} only, not at {}", games.join(", "), self.game)), &fact.cites);
        }
        if !facts.iter().any(|(_, fact)| fact.days.hold(self.day)) {
            self.problem(path, named(format!("in force {}, not on {}", fact.days, self.house.as_of)), &fact.cites);
        }
    }

    /// What to cite for a wager that is not in the book: its withdrawal, or the closed list.
    fn not_in_book(&self, key: &str) -> Cites {
        let record = self.book.choices.get(key).and_then(|dated| dated.on(self.day));
        record.map_or_else(|| self.book.listed.cites.clone(), |fact| fact.cites.clone())
    }

    fn is_offered(&self, law: &'a WagerLaw, asked: &BTreeMap<String, String>) -> Option<&'a Fact<Offer>> {
        let fact = law.offer.on(self.day).filter(|fact| self.reaches(&fact.is))?;
        let offered = match (fact.is.standing, &fact.is.key) {
            (Standing::Listed, Some(key)) => !self.says(key, "no"),
            (Standing::Listed, None) => true,
            (Standing::Elected, Some(key)) => asked.contains_key(key),
            (Standing::Elected, None) => false,
        };
        offered.then_some(fact)
    }

    fn modifier_offered(&self, modifier: &Modifier, asked: &BTreeMap<String, String>) -> bool {
        modifier.offer.on(self.day).is_some_and(|fact| {
            self.reaches(&fact.is) && fact.is.key.as_ref().is_some_and(|key| asked.contains_key(key))
        })
    }

    fn wager(&mut self, law: &'a WagerLaw, offer: &Fact<Offer>, chip: Stake) -> Option<WagerRules> {
        let day = self.day;
        let wager = law.wager.wager();
        let mut works = law.works.on(day)?.clone();
        if let Some(word) = self.switched(&works) {
            works.is.come_out = OnOff::find(&word)?;
            // Odds that the house has off by default can be called on, as where the law itself has them off.
            if works.is.come_out == OnOff::Off && works.is.call == Call::None {
                works.is.call = Call::On;
            }
        }
        let mut make = law.make.on(day)?.clone();
        if let Some(window) = self.switched(&make).and_then(|word| Window::find(&word)) {
            make.is.window = window;
        }
        let lower = self.lower(law)?;
        let turned: Vec<(Dial, String)> =
            law.dials.iter().filter_map(|(dial, fact)| Some((*dial, self.switched(fact)?))).collect();
        let (pay_table, prizes) = self.prizes(law)?;
        let broken_down = law.area.on(day).is_some_and(|fact| match fact.is.area {
            Area::BrokenDown => true,
            Area::OwnOrBrokenDown => fact.is.key.as_ref().is_some_and(|key| self.says(key, "no")),
        });
        let families = self.value("auto_leave_up").unwrap_or("none");
        Some(WagerRules {
            wager: law.wager,
            name: law.name_on(day).to_owned(),
            machine: self.book.machine(law, &turned),
            prizes,
            pay_table,
            offer: offer.clone(),
            make,
            raise: law.raise.on(day)?.clone(),
            lower,
            works,
            limits: self.limits(law, chip),
            units: law.units.on(day).cloned(),
            commission: self.commission(law),
            odds: self.odds(law),
            broken_down,
            stays_up: families.split(',').any(|family| family == wager.family.name()),
        })
    }

    /// The word a switch gives a fact, where the fact has a switch.
    fn switched<T>(&self, fact: &Fact<T>) -> Option<String> {
        let switch = fact.switch.as_ref()?;
        self.value(&switch.key).map(|value| switch.word(value).to_owned())
    }

    fn lower(&self, law: &WagerLaw) -> Option<Fact<Lower>> {
        let mut lower = law.lower.on(self.day)?.clone();
        if let Some(switch) = lower.switch.clone() {
            // One key for several wagers: `lucky-shooter:locked`, or one word for all.
            let word_in = |text: &'a str| {
                text.split(',').filter_map(house::removal).find(|(wager, _)| wager.is_none_or(|wager| wager == law.wager)).map(|(_, word)| word)
            };
            let own = self.house.get(&switch.key).and_then(word_in);
            let default = || self.choice(&switch.key).and_then(|fact| word_in(&fact.is.default));
            if let Some(word) = own.or_else(default) {
                lower.is = Lower::find(switch.word(word))?;
            }
        }
        Some(lower)
    }

    /// The pay table in use and its prizes.
    fn prizes(&self, law: &WagerLaw) -> Option<(Option<String>, Fact<Prizes>)> {
        let product = law.offer.on(self.day).and_then(|fact| fact.is.key.as_ref()).and_then(|key| key.strip_suffix(".offered"));
        let table_key = product.map(|product| format!("{product}.table"));
        let asked = table_key.as_ref().and_then(|key| self.house.get(key));
        let pays = |law: &WagerLaw| {
            let key = format!("{}.pay", law.wager.wager().slug.replace('-', "_"));
            let price = self.house.get(&key);
            law.tables(self.day).find(|fact| price.is_some_and(|price| table_name(&key, &fact.is) == price)).map(|fact| fact.is.table.clone())
        };
        // The parts of a composite may have been given another table; then it follows.
        let chosen: Option<Option<String>> = match law.wager.wager().mechanic {
            Mechanic::Composite(parts) => {
                let named = |slug: &str| self.book.wagers.values().find(|law| law.wager.wager().slug == slug);
                parts.iter().filter_map(|part| pays(named(part.wager)?)).find(Option::is_some)
            }
            _ => pays(law).or_else(|| asked.map(|table| Some(table.to_owned()))),
        };
        let lists = self.book.price_lists(law);
        let mut holding = lists.into_iter().filter(|(_, _, _, days)| days.hold(self.day));
        let (table, prizes, cites, days) = match &chosen {
            Some(table) => holding.find(|(name, ..)| name == table)?,
            None => holding.next()?,
        };
        Some((table, Fact { is: prizes, cites, days, readings: Vec::new(), switch: None }))
    }

    fn limits(&self, law: &WagerLaw, chip: Stake) -> Option<Limits> {
        let group = law.wager.wager().family.group()?;
        if let Some(fact) = law.amount.on(self.day) {
            let stem = fact.is.key.rsplit_once('.').map_or("", |(stem, _)| stem);
            let amount = |key: String| self.house.get(&key).and_then(|text| text.parse::<Stake>().ok());
            let named = self.house.get(&fact.is.key).and_then(house::range);
            let lawful = fact.is.range.and_then(|(low, high)| Some((Stake::whole(low).ok()?, Stake::whole(high).ok()?)));
            let step = fact.is.step.and_then(|step| Stake::whole(step).ok()).map_or(chip, |step| step.max(chip));
            let general = (self.house.limit(group, "min").map(|(_, amount)| amount), self.house.limit(group, "max").map(|(_, amount)| amount));
            let (low, high) = match (named, lawful) {
                (Some((low, high)), _) => (Stake::new(low), Stake::new(high)),
                (None, Some((low, high))) => (Some(low), Some(high)),
                (None, None) => (amount(format!("{stem}.min")).or(general.0), amount(format!("{stem}.max")).or(general.1)),
            };
            return Some(Limits { min: low.unwrap_or(chip), max: high, step });
        }
        let end = |end: &str| self.house.limit(group, end).map(|(_, amount)| amount);
        let units = law.units.on(self.day).map_or(1, |fact| u64::from(fact.is));
        Some(Limits { min: end("min").unwrap_or(chip), max: end("max"), step: chip.times(units).unwrap_or(chip) })
    }

    fn commission(&self, law: &WagerLaw) -> Option<Fact<Commission>> {
        let product = law.offer.on(self.day)?.is.key.as_ref()?.strip_suffix(".offered")?.to_owned();
        let timing = |word: &str| if word == "on_win" { Timing::OnWin } else { Timing::UpFront };
        let mut when = timing(self.value(&format!("vig.{product}.timing")).unwrap_or("upfront"));
        if when == Timing::OnWin {
            let named = self.house.get("vig.on_win.numbers");
            let number = law.wager.wager().number_text();
            if named.is_some_and(|numbers| numbers.split(',').all(|named| named != number)) {
                let others = self.choice("vig.on_win.numbers").and_then(|fact| fact.is.others.as_deref());
                match others {
                    Some("none") => return None,
                    _ => when = Timing::UpFront,
                }
            }
        }
        let fact = law.commission.0.iter().find(|fact| fact.days.hold(self.day) && fact.is.timing == when)?;
        let rate: Rate = self.value("vig.rate").and_then(|text| text.parse().ok()).unwrap_or(fact.is.rate);
        Some(fact.clone().map(|commission| Commission { rate, ..commission }))
    }

    fn odds(&self, law: &WagerLaw) -> Option<OddsRules> {
        let Mechanic::Behind(side, _) = law.wager.wager().mechanic else { return None };
        let parse = |key: &str| self.value(key).and_then(|text| text.parse::<Multiple>().ok());
        let taking = parse("odds.k")?;
        let mut multiple = match side {
            Side::Right => taking,
            Side::Wrong => parse("odds.lay_k").map_or_else(|| taking.clone(), |laying| laying.or(&taking)),
        };
        if let Some(text) = self.house.get("crapless.odds_k") {
            let own = text.parse::<Multiple>().ok()?;
            for number in Point::ALL.into_iter().filter(|number| !number.is_box()) {
                // One number for all stands on the box numbers of the multiple it was read as.
                let all = own.on(Point::Four).filter(|_| !text.contains(':'));
                if let Some(times) = own.on(number).or(all) {
                    multiple.set(number, times);
                }
            }
        }
        self.book.odds_rules(law, multiple, self.day)
    }

    /// Prices the house pays instead of the listed ones.
    fn higher_odds(&mut self, wagers: &mut [WagerRules]) {
        const KEY: &str = "higher_odds";
        let Some(text) = self.house.get(KEY).filter(|text| *text != "none") else { return };
        let Some(choice) = self.choice(KEY) else { return };
        let book = self.book;
        for (wager, rank, odds) in house::prices(text).unwrap_or_default() {
            let rank_name = wager.wager().ranks.name(rank);
            let name = if rank_name == "win" { wager.to_string() } else { format!("{wager}/{rank_name}") };
            let Some(law) = book.wager(wager) else {
                let cites = book.withdrawn.iter().find(|gone| gone.wager == wager).map_or(&book.listed.cites, |gone| &gone.cites);
                self.problem(KEY, format!("{name} is not a wager of this book"), cites);
                continue;
            };
            let Some(rules) = wagers.iter_mut().find(|rules| rules.wager == wager) else {
                let offer = law.offer.0.first().map_or(&choice.cites, |fact| &fact.cites);
                self.problem(KEY, format!("{name} is not offered by this house"), offer);
                continue;
            };
            let Some(Prize::Paid(listed)) = rules.prizes.is.of(rank) else {
                self.problem(KEY, format!("{name} is not paid under the table in use"), &rules.prizes.cites);
                continue;
            };
            let Some(latitude) = law.price.on(self.day) else { continue };
            let cites = merge(rules.prizes.cites.iter().chain(latitude.cites.iter()).cloned());
            match latitude.is {
                PriceLatitude::Fixed if listed.cmp_net(odds).is_ne() => {
                    self.problem(KEY, format!("{name} pays {listed}, no more and no less; {odds} is not open to the house"), &cites);
                }
                PriceLatitude::AtLeast if odds.cmp_net(listed).is_lt() => {
                    self.problem(KEY, format!("{name} pays at least {listed}; {odds} is less"), &cites);
                }
                PriceLatitude::Fixed | PriceLatitude::AtLeast => rules.prizes.is.set(rank, Prize::Paid(odds)),
            }
        }
        self.reprice_composites(wagers);
        if let Some(area) = &choice.is.uniform {
            self.notice(KEY, format!("must be the same throughout the {area}"), &choice.cites);
        }
    }

    /// A composite is paid what its parts are paid, also when the house pays them more.
    fn reprice_composites(&self, wagers: &mut [WagerRules]) {
        let paid: BTreeMap<&str, Odds> = wagers
            .iter()
            .filter_map(|rules| match rules.prizes.is.of(craps_wagers::Rank::WIN) {
                Some(Prize::Paid(odds)) => Some((rules.wager.wager().slug, odds)),
                _ => None,
            })
            .collect();
        for rules in wagers {
            let Mechanic::Composite(parts) = rules.wager.wager().mechanic else { continue };
            let of = parts.iter().map(|part| part.units).sum();
            for (rank, part) in rules.prizes.is.clone().iter().map(|(rank, _)| rank).zip(parts) {
                if let Some(odds) = paid.get(part.wager) {
                    rules.prizes.is.set(rank, Prize::Part { units: part.units, of, odds: *odds });
                }
            }
        }
    }

    /// Who may call no roll: those the house names, else all the book lets be named.
    fn callers(&mut self) -> Vec<String> {
        const KEY: &str = "no_roll.callers";
        let topic = if self.game == Game::MiniCraps { "invalid.callers_mini" } else { "invalid.callers" };
        let rule = self.book.rules.get(topic).and_then(|dated| dated.on(self.day));
        let role = |word: &str| match word {
            "boxperson" => "box",
            "stickperson" => "stick",
            "floorperson" => "floor",
            "any_licensed_employee" => "employee",
            _ => "dealer",
        };
        let lawful: Vec<&str> = match rule.map(|fact| &fact.is.answer) {
            Some(Answer::Words(words)) => words.iter().map(|word| role(word)).collect(),
            Some(Answer::Word(word)) => vec![role(word)],
            _ => Vec::new(),
        };
        let Some(named) = self.house.get(KEY) else {
            return lawful.into_iter().map(str::to_owned).collect();
        };
        let anybody = lawful.contains(&"employee");
        let bad: Vec<&str> = named.split(',').filter(|name| !anybody && !lawful.contains(name)).collect();
        if let (false, Some(rule)) = (bad.is_empty(), rule) {
            let already = self.problems.iter().any(|problem| problem.path == KEY);
            if !already {
                let message = format!("{} may not call no roll at {}; {} may", bad.join(", "), self.game, lawful.join(", "));
                self.problem(KEY, message, &rule.cites);
            }
        }
        named.split(',').map(str::to_owned).collect()
    }

    /// Prices that favour the player are lawful where the text lists them, and said so.
    fn remarks(&mut self, wagers: &[WagerRules]) {
        for rules in wagers {
            let Mechanic::OneThrow(sets) = rules.machine.mechanic else { continue };
            let ways: Vec<u32> = sets.iter().map(|set| set.ways()).collect();
            let mut net = craps_net(&ways, &rules.prizes.is);
            net.0 -= i128::from(craps_dice::WAYS - ways.iter().sum::<u32>()) * net.1;
            if net.0 > 0 {
                let message = format!("{} favours the player at these prices", rules.name);
                let cites = rules.prizes.cites.clone();
                self.notice(rules.wager.wager().slug, message, &cites);
            }
        }
    }
}

/// Ways times net of the priced ranks, over a common denominator.
fn craps_net(ways: &[u32], prizes: &Prizes) -> (i128, i128) {
    let mut sum = (0i128, 1i128);
    for (ways, (_, prize)) in ways.iter().zip(prizes.iter()) {
        let (num, den) = prize.net();
        sum = (sum.0 * i128::from(den) + i128::from(num) * i128::from(*ways) * sum.1, sum.1 * i128::from(den));
    }
    sum
}

fn one() -> Stake {
    // A whole unit is never zero.
    Stake::whole(1).unwrap_or_else(|_| unreachable!("one is above zero"))
}

/// The name by which a house asks for a pay table: the law's, or for a `.pay` key its price.
fn table_name(key: &str, table: &crate::fact::PayTable) -> String {
    match (&table.table, key.ends_with(".pay")) {
        (Some(name), false) => name.clone(),
        (None, false) => "standard".to_owned(),
        (_, true) => table.prizes.values().next().map(ToString::to_string).unwrap_or_default(),
    }
}

/// Are two values the same, whichever of the words for yes and no they use?
fn same(a: &str, b: &str) -> bool {
    let plain = |text: &str| match text {
        "yes" | "on" | "true" => "yes".to_owned(),
        "no" | "off" | "false" => "no".to_owned(),
        other => other.to_owned(),
    };
    plain(a) == plain(b)
}

/// Is a value (an amount, a rate, a multiple, or a range of amounts) within bounds?
fn within(value: &str, low: Option<&str>, high: Option<&str>) -> bool {
    fn inside<T: PartialOrd + std::str::FromStr>(values: &[&str], low: Option<&str>, high: Option<&str>) -> Option<bool> {
        let parse = |text: &str| text.parse::<T>().ok();
        let bound = |text: Option<&str>| text.map_or(Some(None), |text| parse(text).map(Some));
        let (low, high) = (bound(low)?, bound(high)?);
        let mut all = true;
        for value in values {
            let value = parse(value)?;
            all &= low.as_ref().is_none_or(|low| *low <= value) && high.as_ref().is_none_or(|high| value <= *high);
        }
        Some(all)
    }
    if let Ok(multiple) = value.parse::<Multiple>() {
        if let Some(least) = low.and_then(|low| low.parse::<u32>().ok()) {
            let most = high.and_then(|high| high.parse::<u32>().ok()).unwrap_or(u32::MAX);
            return multiple.iter().all(|(_, times)| (least..=most).contains(&times));
        }
    }
    let values: Vec<&str> = value.split("..").collect();
    inside::<Rate>(&values, low, high).or_else(|| inside::<Money>(&values, low, high)).unwrap_or(false)
}
