//! Builds the rules of each wager that a table offers: the facts of the day, with the choices of the house applied.

use super::Admission;
use super::keys::table_name;
use crate::fact::{Fact, Offer, WagerLaw};
use crate::house::{Multiple, Product, Setting, Value};
use crate::offering::{Prizes, STANDARD};
use crate::table_rules::{Limits, LimitsBy, OddsRules, SetBy, WagerRules};
use crate::words::{Area, Call, Lower, OnOff, Others, Raise, Window};
use craps_dice::Point;
use craps_money::{Commission, Money, Stake, Timing};
use craps_wagers::{Dial, Mechanic, Side, WagerId};

impl<'a> Admission<'a> {
    pub(super) fn wager(&mut self, law: &'a WagerLaw, offer: &Fact<Offer>, chip: Stake) -> Option<WagerRules> {
        let day = self.day;
        let wager = law.wager.wager();
        let mut works = law.works.on(day)?.clone();
        if let Some(word) = self.switched(&works) {
            works.is.come_out = OnOff::find(&word)?;
            // Odds that the house turns off by default can be turned on by the player, as when the law itself has them off.
            if works.is.come_out == OnOff::Off && works.is.call == Call::None {
                works.is.call = Call::On;
            }
        }
        let mut make = law.make.on(day)?.clone();
        if let Some(window) = self.switched(&make).and_then(|word| Window::find(&word)) {
            make.is.window = window;
        }
        let mut raise = law.raise.on(day)?.clone();
        if let Some(word) = self.switched(&raise).and_then(|word| Raise::find(&word)) {
            raise.is = word;
        }
        let lower = self.lower(law)?;
        let turned: Vec<(Dial, String)> =
            law.dials.iter().filter_map(|(dial, fact)| Some((*dial, self.switched(fact)?))).collect();
        let (pay_table, prizes) = self.prizes(law)?;
        let broken_down = law.area.on(day).is_some_and(|fact| match fact.is.area {
            Area::BrokenDown => true,
            Area::OwnOrBrokenDown => fact.is.key.as_ref().is_some_and(|key| self.yes(key) == Some(false)),
        });
        let stays_up = matches!(self.value("auto_leave_up"), Some(Value::Families(all)) if all.contains(&wager.family));
        Some(WagerRules {
            wager: law.wager,
            name: law.name_on(day).to_owned(),
            machine: self.book.machine(law, &turned),
            prizes,
            pay_table,
            offer: offer.clone(),
            make,
            raise,
            lower,
            works,
            limits: self.limits(law, chip),
            limits_by: self.limits_by(law, chip),
            units: law.units.on(day).cloned(),
            commission: self.commission(law),
            odds: self.odds(law),
            broken_down,
            stays_up,
        })
    }

    /// Returns the word that the house's switch gives a fact, or `None` when the fact has no switch.
    pub(super) fn switched<T>(&self, fact: &Fact<T>) -> Option<String> {
        let switch = fact.switch.as_ref()?;
        self.word(&switch.key).map(|value| switch.word(value).to_owned())
    }

    pub(super) fn lower(&self, law: &WagerLaw) -> Option<Fact<Lower>> {
        let mut lower = law.lower.on(self.day)?.clone();
        if let Some(switch) = lower.switch.clone() {
            // One key covers several wagers: `lucky-shooter:locked` for one of them, or one word for all.
            let word_in = |value: &Value| match value {
                Value::Removal(all) => {
                    let own = all.iter().find(|(wager, _)| wager.is_none_or(|wager| wager == law.wager));
                    own.map(|(_, word)| word.word())
                }
                _ => None,
            };
            let own = self.house.get(&switch.key).and_then(word_in);
            let default = || self.choice(&switch.key).and_then(|fact| word_in(fact.is.value.as_ref()?));
            if let Some(word) = own.or_else(default) {
                lower.is = Lower::find(switch.word(word))?;
            }
        }
        Some(lower)
    }

    /// Returns the pay table in use and its prizes.
    pub(super) fn prizes(&self, law: &WagerLaw) -> Option<(Option<String>, Fact<Prizes>)> {
        let table_key = law.offer.on(self.day).and_then(|fact| fact.is.product()).map(Product::table_key);
        let asked = table_key.as_ref().and_then(|key| self.house.setting(key)).map(Setting::text);
        let pays = |law: &WagerLaw| {
            let key = format!("{}.pay", law.wager.wager().slug.replace('-', "_"));
            let price = self.house.setting(&key).map(Setting::text);
            law.tables(self.day)
                .find(|fact| price.is_some_and(|price| table_name(&key, &fact.is) == price))
                .map(|fact| fact.is.table.clone())
        };
        // A composite uses the table that the house chose for its parts, if there is one.
        let chosen: Option<Option<String>> = match law.wager.wager().mechanic {
            Mechanic::Composite(parts) => {
                let named = |wager: WagerId| self.book.wagers.get(&wager);
                parts.iter().filter_map(|part| pays(named(part.wager)?)).find(Option::is_some)
            }
            // A table that the law doesn't name is called standard.
            _ => pays(law).or_else(|| asked.map(|table| Some(table.to_owned()).filter(|table| table != STANDARD))),
        };
        let mut holding = self.book.price_lists(law).into_iter().filter(|list| list.days.hold(self.day));
        let list = match &chosen {
            Some(table) => holding.find(|list| list.table == *table)?,
            None => holding.next()?,
        };
        Some((
            list.table,
            Fact { is: list.prizes, cites: list.cites, days: list.days, readings: Vec::new(), switch: None },
        ))
    }

    /// Returns the limits of a wager: from its own amount rule, or from its group. Odds bets have only a multiple, so `None`.
    fn limits(&mut self, law: &WagerLaw, chip: Stake) -> Option<Limits> {
        let group = law.wager.wager().family.group()?;
        let (house, day) = (self.house, self.day);
        let end = |end: &str| house.limit(group, end).map(|(_, amount)| amount);
        let Some(fact) = law.amount.on(day) else {
            let units = law.units.on(day).map_or(1, |fact| u64::from(fact.is));
            return Some(Limits {
                min: end("min").unwrap_or(chip),
                max: end("max"),
                step: chip.times(units).unwrap_or(chip),
            });
        };
        let amount = &fact.is;
        let stem = amount.key.rsplit_once('.').map_or("", |(stem, _)| stem);
        let posted = |end: &str| house.get(&format!("{stem}.{end}")).and_then(Value::amount);
        let lawful_step = amount.step.and_then(|step| Stake::whole(step).ok());
        let step = lawful_step.map_or(Some(chip), |step| step.common_multiple(chip)).unwrap_or(chip);
        let named = match house.get(&amount.key) {
            Some(Value::Range(low, high)) => Some((*low, *high)),
            _ => None,
        };
        let (low, high) = match (named, amount.range) {
            (Some((low, high)), _) => (Stake::new(low), Stake::new(high)),
            (None, Some((low, high))) => (Stake::whole(low).ok(), Stake::whole(high).ok()),
            (None, None) => (posted("min").or_else(|| end("min")), posted("max").or_else(|| end("max"))),
        };
        let reported = self.problems.iter().any(|problem| problem.path == amount.key);
        if let (false, Some(text), Some(lawful)) = (reported, house.setting(&amount.key), lawful_step)
            && [low, high].into_iter().flatten().any(|end| !end.is_multiple_of(lawful))
        {
            self.problem(&amount.key, format!("{text}: amounts must be multiples of {lawful}"), &fact.cites);
        }
        let limits = Limits { min: low.unwrap_or(chip), max: high, step };
        if !limits.allow_something() {
            let most = high.map_or_else(String::new, |high| format!(" to {high}"));
            let message =
                format!("{chip}: {} takes {}{most}, and these chips can't make that", law.name_on(day), limits.min);
            self.problem("chip", message, &fact.cites);
        }
        Some(limits)
    }

    /// Returns who sets the limits of a wager: the law if it names amounts and the house hasn't chosen among them, or else a house key.
    fn limits_by(&self, law: &WagerLaw, chip: Stake) -> LimitsBy {
        let (house, day) = (self.house, self.day);
        let smallest_chip = || SetBy::House("chip".to_owned());
        let Some(group) = law.wager.wager().family.group() else {
            let keys = match law.wager.wager().mechanic {
                Mechanic::Behind(Side::Wrong, _) => ["odds.lay_k", "odds.k"].as_slice(),
                _ => ["odds.k"].as_slice(),
            };
            let chosen = keys.iter().find(|key| house.get(key).is_some()).map(|key| SetBy::House((*key).to_owned()));
            let by_law =
                || law.odds.as_ref().and_then(|odds| odds.cap.on(day)).map(|cap| SetBy::Law(cap.cites.clone()));
            let max = chosen.or_else(by_law).unwrap_or_else(smallest_chip);
            return LimitsBy { min: smallest_chip(), max, step: smallest_chip() };
        };
        let end = |end: &str| house.limit(group, end).map_or_else(smallest_chip, |(key, _)| SetBy::House(key));
        let Some(fact) = law.amount.on(day) else {
            let units = law.units.on(day).filter(|fact| fact.is > 1);
            let step = units.map_or_else(smallest_chip, |fact| SetBy::Law(fact.cites.clone()));
            return LimitsBy { min: end("min"), max: end("max"), step };
        };
        let amount = &fact.is;
        let by_law = || SetBy::Law(fact.cites.clone());
        let stem = amount.key.rsplit_once('.').map_or("", |(stem, _)| stem);
        let posted = |which: &str| {
            let key = format!("{stem}.{which}");
            house.get(&key).and_then(Value::amount).map_or_else(|| end(which), |_| SetBy::House(key))
        };
        // A house that repeats an amount of the law doesn't set it.
        let end = |own: Money, lawful: Option<u32>| {
            let repeats = lawful.and_then(|whole| Stake::whole(whole).ok()).is_some_and(|lawful| lawful.money() == own);
            if repeats { by_law() } else { SetBy::House(amount.key.clone()) }
        };
        let (min, max) = match (house.get(&amount.key), amount.range) {
            (Some(Value::Range(low, high)), range) => {
                (end(*low, range.map(|range| range.0)), end(*high, range.map(|range| range.1)))
            }
            (_, Some(_)) => (by_law(), by_law()),
            (_, None) => (posted("min"), posted("max")),
        };
        let lawful = amount.step.and_then(|step| Stake::whole(step).ok()).filter(|step| *step > chip);
        LimitsBy { min, max, step: lawful.map_or_else(smallest_chip, |_| by_law()) }
    }

    /// Returns the commission at this table: the law's commission of the day, taken at the time the house chooses. A bet that pays
    /// commission by law goes without only where the book says so.
    pub(super) fn commission(&self, law: &WagerLaw) -> Option<Fact<Commission>> {
        let facts: Vec<&Fact<Commission>> = law.commission.0.iter().filter(|fact| fact.days.hold(self.day)).collect();
        let charged = |timing: Timing| facts.iter().copied().find(|fact| fact.is.timing == timing);
        let family = law.wager.wager().family;
        let mut when = match self.value(&format!("vig.{}.timing", family.name())) {
            Some(Value::Timing(timing)) => *timing,
            _ => Timing::UpFront,
        };
        if when == Timing::OnWin {
            let numbers = self.choice("vig.on_win.numbers").map(|fact| &fact.is);
            let bound = numbers.is_none_or(|choice| choice.binds.is_empty() || choice.binds.contains(&family));
            let number = law.wager.wager().number_text;
            if let Some(Value::Numbers(named)) = self.house.get("vig.on_win.numbers").filter(|_| bound)
                && named.iter().all(|named| named.to_string() != number)
            {
                match numbers.and_then(|choice| choice.others) {
                    Some(Others::None) => return None,
                    Some(Others::UpFront) | None => when = Timing::UpFront,
                }
            }
        }
        // If the law has only one timing, that one applies.
        let fact = charged(when).or_else(|| facts.first().copied())?;
        let rate = match self.value("vig.rate") {
            Some(Value::Rate(rate)) => *rate,
            _ => fact.is.rate,
        };
        Some(fact.clone().map(|commission| Commission { rate, ..commission }))
    }

    pub(super) fn odds(&self, law: &WagerLaw) -> Option<OddsRules> {
        let Mechanic::Behind(side, _) = law.wager.wager().mechanic else { return None };
        let named = |key: &str| match self.value(key) {
            Some(Value::Multiple { by, .. }) => Some(by.clone()),
            _ => None,
        };
        let taking = named("odds.k").or_else(|| self.lawful_multiple(law))?;
        let mut multiple = match side {
            Side::Right => taking,
            Side::Wrong => named("odds.lay_k").map_or_else(|| taking.clone(), |laying| laying.or(&taking)),
        };
        if let Some(Value::Multiple { by, named }) = self.house.get("crapless.odds_k") {
            // A single multiple also applies to the numbers 2, 3, 11 and 12.
            let own = if *named { by.clone() } else { by.everywhere() };
            for number in Point::ALL.into_iter().filter(|number| !number.is_box()) {
                if let Some(times) = own.on(number) {
                    multiple.set(number, times);
                }
            }
        }
        self.book.odds_rules(law, multiple, self.day)
    }

    /// Returns the multiple for books that don't let the house set one: the highest that the law allows. If the law leaves the highest
    /// to the house, returns the lowest that the house must allow.
    fn lawful_multiple(&self, law: &WagerLaw) -> Option<Multiple> {
        let odds = law.odds.as_ref()?;
        let (most, least) = (odds.most.on(self.day)?.is, odds.least.on(self.day)?.is);
        let mut multiple = Multiple::each(self.book.points().all(), least);
        for number in self.book.points().all() {
            multiple.set(*number, most.on(*number).unwrap_or(least));
        }
        Some(multiple)
    }
}
