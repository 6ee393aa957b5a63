//! Checks the keys of a house against what its book allows.

use super::Admission;
use crate::fact::{Allow, Condition, Dated, Demanded, Offer, WagerLaw};
use crate::house::{Keys, Kind, Offered, Product, Setting, Value};
use crate::offering::{STANDARD, merge};
use crate::raw::Answer;
use crate::words::{Game, Removal, Who};
use crate::{Cite, Cites};
use craps_dice::Point;
use craps_wagers::{Group, Mechanic, Side, WagerId};

/// Returns the product that a key is about, also for a key about its commission.
fn product_in(key: &str) -> Product<'_> {
    Product::first_in(key.strip_prefix("vig.").unwrap_or(key))
}

impl<'a> Admission<'a> {
    /// Checks every key that the house sets.
    pub(super) fn keys(&mut self) {
        for (key, setting) in self.house.settings() {
            if key == "offer" || key == "higher_odds" && !setting.declines() && self.choice(key).is_some() {
                continue; // Checked together with the wagers.
            }
            if key == "vig.timing" {
                for key in ["vig.buy.timing", "vig.lay.timing"] {
                    if !self.chooses_nothing(key) {
                        self.key(key, setting, "vig.timing");
                    }
                }
                continue;
            }
            self.key(key, setting, key);
        }
    }

    pub(super) fn key(&mut self, key: &str, setting: &Setting, path: &str) {
        let Some(fact) = self.choice(key) else {
            let is_stated = self.book.keys.find(key).is_some_and(|key| key.stated);
            let is_idle = setting.declines() && !is_stated;
            if !is_idle && !self.is_product_key(key) && !Keys::is_without_law(key) {
                self.no_choice(key, path);
            }
            return;
        };
        if self.chooses_nothing(key) && !setting.declines() {
            return self.no_such_wager(key, path);
        }
        if let Some(Condition::Yes(product)) = &fact.is.with
            && self.chooses_nothing(product)
        {
            if !setting.declines() {
                self.no_such_wager(product, path);
            }
            return;
        }
        // What is only for a product says nothing about a table without it.
        if !self.applies(&fact.is) {
            return;
        }
        let (choice, cites, value) = (&fact.is, &fact.cites, setting.value());
        let expected = |what: String| format!("{setting}: the book allows {what}");
        match &choice.allow {
            Allow::Any | Allow::Prices => {}
            Allow::ListedTables => self.listed_table(key, setting.text(), path, cites),
            Allow::Odds => self.multiple(key, value, path, cites),
            Allow::Fixed(only) => {
                if !value.agrees(only.value()) && self.is_product_key(key) && only.declines() {
                    self.problem(path, "not a wager of this game", cites);
                } else if !value.agrees(only.value()) {
                    self.problem(path, expected(format!("only {only}")), cites);
                }
            }
            Allow::OneOf(words) => {
                let known = |item: &Setting| words.iter().any(|word| item.value().agrees(word.value()));
                let items = setting.items();
                let bad: Vec<&str> = items.iter().filter(|item| !known(item)).map(Setting::text).collect();
                if !bad.is_empty() {
                    let words: Vec<&str> = words.iter().map(Setting::text).collect();
                    self.problem(path, format!("{}: the book allows {}", bad.join(", "), words.join(" or ")), cites);
                }
            }
            Allow::AtLeast(least) => {
                if !least.is_least(value) {
                    self.problem(path, expected(format!("{least} or more")), cites);
                }
            }
            Allow::AtMost(most) => {
                if !most.is_most(value) {
                    self.problem(path, expected(format!("at most {most}")), cites);
                }
            }
            Allow::Between(low, high) => {
                if !low.is_least(value) || !high.is_most(value) {
                    self.problem(path, expected(format!("{low} to {high}")), cites);
                }
            }
            Allow::AllOf(words) => self.all_of(setting, words, path, cites),
            Allow::Topic(against) => self.answered(*against, fact, setting, path),
        }
        // A text is judged by whether it says anything.
        if choice.demanded != Demanded::No && matches!(value, Value::Text(_)) && setting.declines() {
            self.problem(path, format!("{setting}: the book demands that it is stated"), cites);
        }
        match value {
            Value::Removal(all) => self.removals(key, all, cites),
            Value::Numbers(all) => self.charged_numbers(key, all, cites),
            _ => {}
        }
        for need in &choice.needs {
            let met = match &need.is {
                Some(is) => self.asked(&need.key, is.value()),
                None => self.house.get(&need.key).is_some(),
            };
            if value == need.when.value() && !met {
                let what = need
                    .is
                    .as_ref()
                    .map_or_else(|| format!("{} must be set", need.key), |is| format!("{} must be {is}", need.key));
                self.problem(path, format!("{setting}: if you choose this, {what}"), cites);
            }
        }
        // A choice that declines something needs no filing.
        if let Some(filing) = choice.filing.as_ref().filter(|_| !setting.declines()) {
            self.notice(path, format!("{setting} must be filed: {filing}"), cites);
        }
        if let Some(area) = choice.uniform.as_ref().filter(|_| setting.text() != "none") {
            self.notice(path, format!("must be the same throughout the {area}"), cites);
        }
    }

    /// Checks that the house sets removal only for wagers where the book leaves that to the house.
    fn removals(&mut self, key: &str, all: &[(Option<WagerId>, Removal)], cites: &Cites) {
        for wager in all.iter().filter_map(|(wager, _)| *wager) {
            let open = self.book.wager(wager).is_some_and(|law| {
                law.lower.on(self.day).and_then(|fact| fact.switch.as_ref()).is_some_and(|switch| switch.key == key)
            });
            if !open {
                self.problem(key, format!("{wager}: the book doesn't leave its removal to the house"), cites);
            }
        }
    }

    /// Checks that the house names commission only for numbers that have a bet with commission.
    fn charged_numbers(&mut self, key: &str, numbers: &[Point], cites: &Cites) {
        let charged = |number: &String| {
            let mut laws = self.book.wagers.values().filter(|law| !law.commission.0.is_empty());
            laws.any(|law| law.wager.wager().number_text == *number)
        };
        let free: Vec<String> = numbers.iter().map(ToString::to_string).filter(|number| !charged(number)).collect();
        if !free.is_empty() {
            self.problem(key, format!("{}: no bet on this number pays commission", free.join(", ")), cites);
        }
    }

    /// Returns true when the key is about wagers that this book doesn't have or has withdrawn from its base.
    fn chooses_nothing(&self, key: &str) -> bool {
        let product = product_in(key);
        if self.book.keys.products().iter().any(|known| known == product.name()) {
            let key = product.offered_key();
            let offered = |offer: &Dated<Offer>| offer.0.iter().any(|fact| fact.is.key.as_ref() == Some(&key));
            return !self.book.wagers.values().any(|law| offered(&law.offer))
                && !self.book.modifiers.iter().any(|modifier| offered(&modifier.offer));
        }
        let lays = |law: &WagerLaw| matches!(law.wager.wager().mechanic, Mechanic::Behind(Side::Wrong, _));
        self.side(key) == Some(Side::Wrong) && !self.book.wagers.values().any(lays)
    }

    /// Returns the side of the odds bets whose multiple this key sets.
    fn side(&self, key: &str) -> Option<Side> {
        match self.book.keys.find(key)?.kind {
            Kind::Multiple(side) => Some(side),
            _ => None,
        }
    }

    /// Reports a key that is about wagers this game doesn't have.
    fn no_such_wager(&mut self, key: &str, path: &str) {
        let cites = self.not_in_book(&product_in(key).offered_key());
        self.problem(path, "this game doesn't have the wagers that this key is about", &cites);
    }

    /// Returns true when a key has this value. A product also counts as offered when the `offer` list names it.
    pub(super) fn asked(&self, key: &str, is: &Value) -> bool {
        let declined = || self.house.get(key).and_then(Value::yes) == Some(false);
        let listed = || match self.house.get("offer") {
            Some(Value::Offer(Offered::All)) => Product::offered_by(key).is_some(),
            Some(Value::Offer(Offered::Only(list))) => {
                list.iter().any(|item| key == Product::named(item).offered_key())
            }
            _ => false,
        };
        self.value(key) == Some(is) || (is.yes() == Some(true) && !declined() && listed())
    }

    /// Returns true for keys that are checked together with their product when the book has no record for them on the day.
    pub(super) fn is_product_key(&self, key: &str) -> bool {
        Product::offered_by(key).or(Product::tabled_by(key)).is_some()
    }

    pub(super) fn no_choice(&mut self, key: &str, path: &str) {
        let book = self.book;
        // A game that the book doesn't have is a problem by itself.
        let played = book.games.iter().any(|fact| fact.is == self.game);
        match self.record(key) {
            Some(dated) if !played && dated.0.iter().any(|fact| fact.is.games.is_some()) => {}
            Some(dated) if dated.0.iter().any(|fact| fact.days.hold(self.day)) => {
                let games = dated.0.iter().flat_map(|fact| fact.is.games.iter().flatten());
                let games: Vec<&str> = games.map(|game| game.word()).collect();
                let cites = merge(dated.0.iter().flat_map(|fact| fact.cites.iter().cloned()));
                self.problem(path, format!("is for {} only, not for {}", games.join(", "), self.game), &cites);
            }
            Some(dated) => {
                let days: Vec<String> = dated.0.iter().map(|fact| fact.days.to_string()).collect();
                let cites = merge(dated.0.iter().flat_map(|fact| fact.cites.iter().cloned()));
                self.problem(
                    path,
                    format!("can be chosen only {}, not on {}", days.join(" and "), self.house.as_of),
                    &cites,
                );
            }
            // That a key is unknown here is our rule. That a wager isn't listed is the book's.
            None if book.keys.find(key).is_some_and(|key| key.stated) => {
                self.problem(path, "this book has nothing that this key could set", &Cites::default());
            }
            None => self.problem(path, "this book has nothing that this key could set", &book.listed.cites),
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

    /// Returns the wagers whose pay table this key chooses.
    pub(super) fn laws_of(&self, key: &str) -> Vec<&'a WagerLaw> {
        let product = Product::tabled_by(key).map(Product::offered_key);
        let priced = key.strip_suffix(".pay").map(|name| name.replace('_', "-"));
        let matches = |law: &&WagerLaw| match (&product, &priced) {
            (Some(product), _) => law.offer.0.iter().any(|offer| offer.is.key.as_ref() == Some(product)),
            (_, Some(slug)) => law.wager.wager().slug == slug,
            _ => false,
        };
        self.book.wagers.values().filter(matches).collect()
    }

    pub(super) fn multiple(&mut self, key: &str, value: &Value, path: &str, cites: &Cites) {
        let (Some(side), Value::Multiple { by: multiple, .. }) = (self.side(key), value) else { return };
        let book = self.book;
        let points = book.points().all();
        let strangers = multiple.iter().map(|(number, _)| number).filter(|number| !points.contains(number));
        let strangers: Vec<String> = strangers.map(|number| number.to_string()).collect();
        if !strangers.is_empty() {
            self.problem(path, format!("{}: can't be a point in this game", strangers.join(", ")), cites);
        }
        // A number without a multiple uses the multiple of the 4. If the 4 has none, the number has no odds.
        let mut asked: Vec<(Point, u32)> = multiple.iter().collect();
        if key == "odds.k" && multiple.on(Point::Four).is_none() {
            let unnamed = points.iter().filter(|number| multiple.on(**number).is_none());
            asked.extend(unnamed.map(|number| (*number, 0)));
        }
        // One multiple applies to every odds bet of its side. Each problem is reported once, with all its numbers and citations.
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
                if let Some(limit) = most.is.on(number)
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
                None => {
                    let key = format!("limits.{end}");
                    self.house.get(&key).and_then(Value::amount).map(|amount| (key, amount))
                }
            };
            if let (Some((path, min)), Some((other, max))) = (end("min"), end("max"))
                && min > max
            {
                self.problem(&path, format!("{min} is above {other}, which is {max}"), &cites);
            }
        }
        // Limits of single products.
        for (path, setting) in self.house.settings().filter(|(key, _)| !key.starts_with("limits.")) {
            let Some(other) = path.strip_suffix(".min").map(|stem| format!("{stem}.max")) else { continue };
            let ends = (setting.value().amount(), self.house.get(&other).and_then(Value::amount));
            if let (Some(min), Some(max)) = ends
                && min > max
            {
                self.problem(path, format!("{min} is above {other}, which is {max}"), &cites);
            }
        }
    }

    /// Returns true when the house has no stickperson, which only mini-craps allows.
    pub(super) fn no_stickperson(&self) -> bool {
        self.game == Game::MiniCraps && self.yes("mini.stickperson") == Some(false)
    }

    /// Returns who may call no roll: the roles that the house names, or all roles that the book allows.
    pub(super) fn callers(&mut self) -> Vec<Who> {
        const KEY: &str = "no_roll.callers";
        let (book, day) = (self.book, self.day);
        let answer = |topic: &str| book.rules.get(topic).and_then(|dated| dated.on(day));
        let mini = if self.game == Game::MiniCraps { answer("may.no_roll_mini") } else { None };
        let rule = mini.or_else(|| answer("may.no_roll"));
        let no_stick = self.no_stickperson();
        let words = match rule.map(|fact| &fact.is.answer) {
            Some(Answer::Words(words)) => words.as_slice(),
            _ => &[],
        };
        let there = |who: &Who| !(no_stick && *who == Who::Stick);
        let lawful: Vec<Who> = words.iter().filter_map(|word| Who::find(word)).filter(there).collect();
        let Some(Value::Roles(named)) = self.house.get(KEY) else { return lawful };
        let anybody = lawful.contains(&Who::Employee);
        let names = |all: &[Who]| all.iter().map(|who| who.name()).collect::<Vec<_>>().join(", ");
        let bad: Vec<Who> = named.iter().copied().filter(|who| !anybody && !lawful.contains(who)).collect();
        if let (false, Some(rule)) = (bad.is_empty(), rule) {
            let already = self.problems.iter().any(|problem| problem.path == KEY);
            if !already {
                let message = format!("{} can't call no roll at {}; {} can", names(&bad), self.game, names(&lawful));
                self.problem(KEY, message, &rule.cites);
            }
        }
        named.clone()
    }
}

/// Returns the name a house uses for a pay table: the name in the law, or the price for a `.pay` key.
pub(super) fn table_name(key: &str, table: &crate::fact::PayTable) -> String {
    match (&table.table, key.ends_with(".pay")) {
        (Some(name), false) => name.clone(),
        (None, false) => STANDARD.to_owned(),
        (_, true) => table.prizes.values().next().map(ToString::to_string).unwrap_or_default(),
    }
}
