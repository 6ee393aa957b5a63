//! The keys a house names, against the latitude its book leaves.

use super::{Admission, DECLINED};
use crate::fact::{Modifier, WagerLaw};
use crate::house::{self, Multiple};
use crate::offering::merge;
use crate::raw::{Allow, Answer, Most};
use crate::words::Game;
use crate::{Cite, Cites};
use craps_dice::Point;
use craps_money::{Money, Rate, Stake};
use craps_wagers::{Group, Mechanic, Side};

impl<'a> Admission<'a> {
    /// Every key the house names, against the book's latitude.
    pub(super) fn keys(&mut self) {
        for (key, value) in self.house.iter() {
            if key == "offer" || key == "higher_odds" && value != "none" && self.choice(key).is_some() {
                continue; // Judged with the wagers.
            }
            if key == "vig.timing" {
                for key in ["vig.buy.timing", "vig.lay.timing"] {
                    if !self.chooses_nothing(key) {
                        self.key(key, value, "vig.timing");
                    }
                }
                continue;
            }
            self.key(key, value, key);
        }
    }

    pub(super) fn key(&mut self, key: &str, value: &str, path: &str) {
        let Some(fact) = self.choice(key) else {
            if !DECLINED.contains(&value) && !self.is_product_key(key) {
                self.no_choice(key, path);
            }
            return;
        };
        if self.chooses_nothing(key) && !DECLINED.contains(&value) {
            return self.no_such_wager(key, path);
        }
        let (choice, cites) = (&fact.is, &fact.cites);
        let expected = |what: String| format!("{value}: the book leaves {what}");
        match &choice.allow {
            Allow::Any | Allow::Prices => {}
            Allow::ListedTables => self.listed_table(key, value, path, cites),
            Allow::Odds => self.multiple(key, value, path, cites),
            Allow::Fixed(only) => {
                if !same(value, only) && self.is_product_key(key) && DECLINED.contains(&only.as_str()) {
                    self.problem(path, "not a wager of this game", cites);
                } else if !same(value, only) {
                    self.problem(path, expected(format!("no choice but {only}")), cites);
                }
            }
            Allow::OneOf(words) => {
                let item_word = |item: &str| item.split_once(':').map_or(item, |(_, word)| word).to_owned();
                let bad: Vec<&str> =
                    value.split(',').filter(|item| !words.iter().any(|word| same(&item_word(item), word))).collect();
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
        match key {
            "side.removal" => self.removals(key, value, cites),
            "vig.on_win.numbers" => self.charged_numbers(key, value, cites),
            _ => {}
        }
        for need in &choice.needs {
            let met = match &need.is {
                Some(is) => self.asked(&need.key, is),
                None => self.house.get(&need.key).is_some(),
            };
            if value == need.when && !met {
                let what = need
                    .is
                    .as_ref()
                    .map_or_else(|| format!("{} must be named", need.key), |is| format!("{} must be {is}", need.key));
                self.problem(path, format!("{value}: then {what}"), cites);
            }
        }
        // What is declined, or left as it is, needs no filing.
        if let Some(filing) = choice.filing.as_ref().filter(|_| !DECLINED.contains(&value)) {
            self.notice(path, format!("{value} is to be filed: {filing}"), cites);
        }
        if let Some(area) = choice.uniform.as_ref().filter(|_| value != "none") {
            self.notice(path, format!("must be the same throughout the {area}"), cites);
        }
    }

    /// A removal can be chosen only for wagers whose text leaves it open.
    fn removals(&mut self, key: &str, value: &str, cites: &Cites) {
        for (wager, _) in value.split(',').filter_map(house::removal) {
            let Some(wager) = wager else { continue };
            let open = self.book.wager(wager).is_some_and(|law| {
                law.lower.on(self.day).and_then(|fact| fact.switch.as_ref()).is_some_and(|switch| switch.key == key)
            });
            if !open {
                self.problem(key, format!("{wager}: the book leaves no choice of its removal"), cites);
            }
        }
    }

    /// Commission can be named only for numbers on which a bet pays one.
    fn charged_numbers(&mut self, key: &str, value: &str, cites: &Cites) {
        let charged = |number: &&str| {
            let mut laws = self.book.wagers.values().filter(|law| !law.commission.0.is_empty());
            laws.any(|law| law.wager.wager().number_text == *number)
        };
        let free: Vec<&str> = value.split(',').filter(|number| !charged(number)).collect();
        if !free.is_empty() {
            self.problem(key, format!("{}: no bet on it pays commission", free.join(", ")), cites);
        }
    }

    /// Is the key about wagers that this book does not have, or took away from its base?
    fn chooses_nothing(&self, key: &str) -> bool {
        let stem = key.strip_prefix("vig.").unwrap_or(key).split('.').next().unwrap_or_default();
        let offered = |law: &WagerLaw| {
            law.offer.0.iter().any(|offer| offer.is.key.as_deref() == Some(&format!("{stem}.offered")))
        };
        let modifies = |modifier: &Modifier| modifier.id == stem;
        if house::is_product(stem) {
            return !self.book.wagers.values().any(offered) && !self.book.modifiers.iter().any(modifies);
        }
        let lays = |law: &WagerLaw| matches!(law.wager.wager().mechanic, Mechanic::Behind(Side::Wrong, _));
        key == "odds.lay_k" && !self.book.wagers.values().any(lays)
    }

    /// The key asks for what is not in this game.
    fn no_such_wager(&mut self, key: &str, path: &str) {
        let product = key.strip_prefix("vig.").unwrap_or(key).split('.').next().unwrap_or_default();
        let cites = self.not_in_book(&format!("{product}.offered"));
        self.problem(path, "chooses for wagers that this game does not have", &cites);
    }

    /// Is a key set to this, a product also by the list of what is offered?
    pub(super) fn asked(&self, key: &str, is: &str) -> bool {
        let listed = || {
            self.house
                .get("offer")
                .is_some_and(|offer| offer == "all" || offer.split(',').any(|item| key == format!("{item}.offered")))
        };
        self.says(key, is) || (is == "yes" && self.house.get(key) != Some("no") && listed())
    }

    /// Keys that start with the name of a product are judged with the product when the book has no record for them on the day.
    pub(super) fn is_product_key(&self, key: &str) -> bool {
        key.ends_with(".offered") || key.ends_with(".table")
    }

    pub(super) fn no_choice(&mut self, key: &str, path: &str) {
        let book = self.book;
        match book.choices.get(house::choice_of(key)) {
            Some(dated) if !dated.0.is_empty() => {
                let days: Vec<String> = dated.0.iter().map(|fact| fact.days.to_string()).collect();
                let cites = merge(dated.0.iter().flat_map(|fact| fact.cites.iter().cloned()));
                self.problem(
                    path,
                    format!("may be chosen {} only, not on {}", days.join(" and "), self.house.as_of),
                    &cites,
                );
            }
            _ => self.problem(path, "this book has nothing that it could choose", &book.listed.cites),
        }
    }

    pub(super) fn listed_table(&mut self, key: &str, value: &str, path: &str, cites: &Cites) {
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
    pub(super) fn laws_of(&self, key: &str) -> Vec<&'a WagerLaw> {
        let product = key.strip_suffix(".table").map(|product| format!("{product}.offered"));
        let priced = key.strip_suffix(".pay").map(|name| name.replace('_', "-"));
        let matches = |law: &&WagerLaw| match (&product, &priced) {
            (Some(product), _) => law.offer.0.iter().any(|offer| offer.is.key.as_ref() == Some(product)),
            (_, Some(slug)) => law.wager.wager().slug == slug,
            _ => false,
        };
        self.book.wagers.values().filter(matches).collect()
    }

    pub(super) fn multiple(&mut self, key: &str, value: &str, path: &str, cites: &Cites) {
        let side = if key.contains("lay") { Side::Wrong } else { Side::Right };
        let Ok(multiple) = value.parse::<Multiple>() else { return };
        let book = self.book;
        let points = book.points().all();
        let strangers = multiple.iter().map(|(number, _)| number).filter(|number| !points.contains(number));
        let strangers: Vec<String> = strangers.map(|number| number.to_string()).collect();
        if !strangers.is_empty() {
            self.problem(path, format!("{}: never a point in this game", strangers.join(", ")), cites);
        }
        // A number without a multiple has that of the four; where that has none, it has no odds.
        let mut asked: Vec<(Point, u32)> = multiple.iter().collect();
        if key == "odds.k" && multiple.on(Point::Four).is_none() {
            let unnamed = points.iter().filter(|number| multiple.on(**number).is_none());
            asked.extend(unnamed.map(|number| (*number, 0)));
        }
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
            for (number, times) in asked.iter().copied().filter(|_| of == side) {
                if times < least.is {
                    tell(times, number, format!("odds of at least {}x must be allowed", least.is), &least.cites);
                }
                if let Most::Times(limit) = most.is
                    && times > limit
                {
                    tell(times, number, format!("odds of at most {limit}x may be allowed"), &most.cites);
                }
            }
        }
        for (message, numbers, cites) in told {
            self.problem(path, message.replace("{}", &numbers.join(", ")), &merge(cites));
        }
    }

    pub(super) fn limits_crossed(&mut self) {
        let cites = self.choice("limits").map_or_else(|| self.book.listed.cites.clone(), |fact| fact.cites.clone());
        let groups = Group::ALL.map(Some).into_iter().chain([None]);
        for group in groups {
            let end = |end: &str| match group {
                Some(group) => self.house.limit(group, end),
                None => self
                    .house
                    .get(&format!("limits.{end}"))
                    .and_then(|text| Some((format!("limits.{end}"), text.parse().ok()?))),
            };
            if let (Some((path, min)), Some((other, max))) = (end("min"), end("max"))
                && min > max
            {
                self.problem(&path, format!("{min} is above {other}, {max}"), &cites);
            }
        }
        let amount = |key: &str| self.house.get(key).and_then(|text| text.parse::<Stake>().ok());
        if let (Some(min), Some(max)) = (amount("ride.min"), amount("ride.max"))
            && min > max
        {
            self.problem("ride.min", format!("{min} is above ride.max, {max}"), &cites);
        }
    }

    /// Does the house do without a stickperson where the law lets it?
    pub(super) fn no_stickperson(&self) -> bool {
        self.game == Game::MiniCraps && self.says("mini.stickperson", "no")
    }

    /// Who may call no roll: those the house names, else all the book lets be named.
    pub(super) fn callers(&mut self) -> Vec<String> {
        const KEY: &str = "no_roll.callers";
        let topic = if self.game == Game::MiniCraps { "may.no_roll_mini" } else { "may.no_roll" };
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
        let no_stick = self.no_stickperson();
        let lawful: Vec<&str> = lawful.into_iter().filter(|role| !(no_stick && *role == "stick")).collect();
        let Some(named) = self.house.get(KEY) else {
            return lawful.into_iter().map(str::to_owned).collect();
        };
        let anybody = lawful.contains(&"employee");
        let bad: Vec<&str> = named.split(',').filter(|name| !anybody && !lawful.contains(name)).collect();
        if let (false, Some(rule)) = (bad.is_empty(), rule) {
            let already = self.problems.iter().any(|problem| problem.path == KEY);
            if !already {
                let message =
                    format!("{} may not call no roll at {}; {} may", bad.join(", "), self.game, lawful.join(", "));
                self.problem(KEY, message, &rule.cites);
            }
        }
        named.split(',').map(str::to_owned).collect()
    }
}

/// The name by which a house asks for a pay table: the law's, or for a `.pay` key its price.
pub(super) fn table_name(key: &str, table: &crate::fact::PayTable) -> String {
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
    fn inside<T: PartialOrd + std::str::FromStr>(
        values: &[&str],
        low: Option<&str>,
        high: Option<&str>,
    ) -> Option<bool> {
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
    if let Ok(multiple) = value.parse::<Multiple>()
        && let Some(least) = low.and_then(|low| low.parse::<u32>().ok())
    {
        let most = high.and_then(|high| high.parse::<u32>().ok()).unwrap_or(u32::MAX);
        return multiple.iter().all(|(_, times)| (least..=most).contains(&times));
    }
    let values: Vec<&str> = value.split("..").collect();
    inside::<Rate>(&values, low, high).or_else(|| inside::<Money>(&values, low, high)).unwrap_or(false)
}
