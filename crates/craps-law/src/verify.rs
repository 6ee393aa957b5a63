//! Checks the contents of a book that loads: every citation resolves, every section is used, every reading exists, every day on
//! which a wager is offered is covered, and a derived book repeats nothing.

use crate::fact::{Allow, Dated, Fact, RuleBook, WagerLaw};
use crate::house::{Setting, Value};
use crate::{Cite, Day, Days, HouseRules, Mark};
use craps_money::Timing;
use craps_wagers::WagerId;
use std::collections::BTreeSet;
use std::fmt;

/// Something that is wrong in a book that loads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Id of the book.
    pub book: String,
    /// Description of what is wrong.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.book, self.message)
    }
}

impl RuleBook {
    /// Checks the book and lists everything that is wrong. The list is empty for a correct book.
    #[must_use]
    pub fn verify(&self) -> Vec<Finding> {
        let mut messages = Vec::new();
        self.citations_resolve(&mut messages);
        self.sections_are_accounted_for(&mut messages);
        self.readings_are_known(&mut messages);
        self.days_are_covered(&mut messages);
        self.switches_agree(&mut messages);
        self.options_say_what_is_offered(&mut messages);
        self.commission_can_be_taken(&mut messages);
        self.answers_agree(&mut messages);
        self.topics_judge_options(&mut messages);
        self.practice_is_lawful(&mut messages);
        messages.extend(self.repeated.iter().map(|what| format!("repeats its base: {what}")));
        messages.into_iter().map(|message| Finding { book: self.id.clone(), message }).collect()
    }

    /// Collects every place that a fact, a choice or an answer cites.
    fn cited(&self) -> BTreeSet<Cite> {
        self.lines(None).iter().flat_map(|line| line.cites.iter().cloned()).collect()
    }

    fn citations_resolve(&self, messages: &mut Vec<String>) {
        let readings = self.readings.values().flat_map(|reading| reading.cites.iter().cloned());
        for cite in self.cited().into_iter().chain(readings).collect::<BTreeSet<_>>() {
            if !self.prefixes().iter().any(|prefix| cite.as_str().starts_with(&format!("{prefix} "))) {
                messages.push(format!("{cite} doesn't begin with {}", self.prefixes().join(" or ")));
            } else if self.resolve(&cite).is_none() {
                messages.push(format!("{cite} is not a listed section"));
            }
        }
    }

    fn sections_are_accounted_for(&self, messages: &mut Vec<String>) {
        let cited = self.cited();
        let mut seen = BTreeSet::new();
        for section in &self.sections {
            let own = (section.cite.clone(), &section.decides_nothing);
            let parts = section.part.iter().map(|part| (format!("{}{}", section.cite, part.at), &part.decides_nothing));
            for (place, decides_nothing) in std::iter::once(own).chain(parts) {
                if !seen.insert(place.clone()) {
                    messages.push(format!("{place} is listed twice"));
                }
                let is_cited = cited.iter().any(|cite| cite.touches(&place));
                // A derived book inherits the sections of its base, and may replace every fact that cites one of them.
                let own_text = self.based_on.is_none() || self.own_section(&section.cite);
                match decides_nothing {
                    None if !is_cited && own_text => {
                        messages.push(format!("{place} is not cited and has no `decides_nothing`"))
                    }
                    Some(_) if cited.iter().any(|cite| cite.is_in(&place)) => {
                        messages.push(format!("{place} has `decides_nothing` but is cited"));
                    }
                    _ => {}
                }
            }
        }
    }

    /// Returns true when the section is from the book's own file and not from its base.
    fn own_section(&self, cite: &str) -> bool {
        self.own_sections.iter().any(|own| own == cite)
    }

    fn readings_are_known(&self, messages: &mut Vec<String>) {
        let used: BTreeSet<String> = self.lines(None).into_iter().flat_map(|line| line.readings).collect();
        for id in &used {
            if !self.readings.contains_key(id) {
                messages.push(format!("reading {id} is not listed"));
            }
        }
        for reading in self.readings.values() {
            for switch in &reading.switch {
                let keys = if switch == "vig.timing" {
                    vec!["vig.buy.timing", "vig.lay.timing"]
                } else {
                    vec![switch.as_str()]
                };
                let is_open = |key: &&str| {
                    let choice = self.choices.get(crate::house::choice_of(key)).and_then(|dated| dated.on(None));
                    choice.is_some_and(|fact| !matches!(fact.is.allow, crate::Allow::Fixed(_)))
                };
                if self.own_readings.contains(&reading.id) && !keys.iter().all(is_open) {
                    messages.push(format!(
                        "reading {} has the switch {switch}, which the book doesn't leave to the house",
                        reading.id
                    ));
                }
            }
        }
    }

    /// Checks that a wager has all its facts and a price on every day on which it is offered.
    fn days_are_covered(&self, messages: &mut Vec<String>) {
        let first = Days { from: self.in_force.as_ref().map(|first| first.from), until: None };
        for law in self.wagers.values() {
            for offer in &law.offer.0 {
                let offered = offer.days.and(&first);
                let mut check = |name: &str, covered: bool| {
                    if !covered {
                        messages.push(format!("{} has no `{name}` on some days it is offered", law.wager));
                    }
                };
                check("make", covers(&law.make, &offered));
                check("raise", covers(&law.raise, &offered));
                check("lower", covers(&law.lower, &offered));
                check("works", covers(&law.works, &offered));
                check("price", covers(&law.price, &offered));
                check("pays", self.is_priced_throughout(law, &offered));
                if let Some(odds) = &law.odds {
                    check("odds.least", covers(&odds.least, &offered));
                    check("odds.most", covers(&odds.most, &offered));
                    check("odds.cap", covers(&odds.cap, &offered));
                    check("odds.excess", covers(&odds.excess, &offered));
                    check("odds.table_max", covers(&odds.table_max, &offered));
                }
            }
        }
    }

    fn is_priced_throughout(&self, law: &WagerLaw, offered: &Days) -> bool {
        let lists: Vec<Fact<()>> = self
            .price_lists(law)
            .into_iter()
            .map(|list| Fact { is: (), cites: list.cites, days: list.days, readings: Vec::new(), switch: None })
            .collect();
        covers(&Dated(lists), offered)
    }

    /// Checks that the default of each switch gives the same value as the fact itself.
    fn switches_agree(&self, messages: &mut Vec<String>) {
        let mut check = |wager: &WagerLaw, what: &str, key: &str, chosen: Option<&str>, is: &str| {
            if chosen.is_none() {
                messages.push(format!("{} {what}: no option {key}", wager.wager));
            } else if chosen != Some(is) {
                messages.push(format!(
                    "{} {what} is {is}, but the default of {key} makes it {}",
                    wager.wager,
                    chosen.unwrap_or_default()
                ));
            }
        };
        let default =
            |key: &str| self.choices.get(key).and_then(|dated| dated.on(None)).map(|fact| fact.is.default.as_str());
        let removal = |key: &str, wager: WagerId| {
            let Some(Value::Removal(all)) = &self.choices.get(key)?.on(None)?.is.value else { return None };
            all.iter().find(|(of, _)| of.is_none_or(|of| of == wager)).map(|(_, word)| word.word())
        };
        for law in self.wagers.values() {
            for fact in &law.make.0 {
                if let Some(switch) = &fact.switch {
                    check(
                        law,
                        "make",
                        &switch.key,
                        default(&switch.key).map(|word| switch.word(word)),
                        fact.is.window.word(),
                    );
                }
            }
            for fact in &law.works.0 {
                if let Some(switch) = &fact.switch {
                    check(
                        law,
                        "works",
                        &switch.key,
                        default(&switch.key).map(|word| switch.word(word)),
                        fact.is.come_out.word(),
                    );
                }
            }
            for fact in &law.lower.0 {
                if let Some(switch) = &fact.switch {
                    let word = removal(&switch.key, law.wager);
                    check(law, "lower", &switch.key, word.map(|word| switch.word(word)), fact.is.word());
                }
            }
            for (dial, fact) in &law.dials {
                if let Some(switch) = &fact.switch {
                    check(law, dial.name(), &switch.key, default(&switch.key).map(|word| switch.word(word)), &fact.is);
                }
            }
        }
    }
}

impl RuleBook {
    /// Checks that each offer key has a record that says what the house may choose.
    fn options_say_what_is_offered(&self, messages: &mut Vec<String>) {
        let wagers = self.wagers.values().map(|law| (law.wager.to_string(), &law.offer));
        let offers = wagers.chain(self.modifiers.iter().map(|modifier| (modifier.id.clone(), &modifier.offer)));
        for (name, offer) in offers {
            for key in offer.0.iter().filter_map(|fact| fact.is.key.as_ref()) {
                if !self.choices.contains_key(key) {
                    messages.push(format!("{name} is offered by {key}, but no option says what the house may choose"));
                }
            }
        }
    }

    /// Checks that the book has a commission for each timing that a house may choose.
    fn commission_can_be_taken(&self, messages: &mut Vec<String>) {
        for law in self.wagers.values().filter(|law| !law.commission.0.is_empty()) {
            let key = format!("vig.{}.timing", law.wager.wager().family.name());
            let Some(choice) = self.choices.get(&key).and_then(|dated| dated.on(None)) else { continue };
            let mut chosen: Vec<&Value> = choice.is.value.iter().collect();
            match &choice.is.allow {
                Allow::Fixed(only) => chosen.push(only.value()),
                Allow::OneOf(all) => chosen.extend(all.iter().map(Setting::value)),
                _ => {}
            }
            for value in chosen {
                let charged = |timing: Timing| law.commission.0.iter().any(|fact| fact.is.timing == timing);
                if let Value::Timing(timing) = value
                    && !charged(*timing)
                {
                    let word = if *timing == Timing::OnWin { "on_win" } else { "upfront" };
                    let message = format!("{key} allows {word}, but {} has no such commission", law.wager);
                    if !messages.contains(&message) {
                        messages.push(message);
                    }
                }
            }
        }
    }

    /// Checks that the book answers each topic that judges an option or a total, on every day of the record.
    fn topics_judge_options(&self, messages: &mut Vec<String>) {
        let options = self.choices.values().flat_map(|dated| &dated.0);
        let options = options.filter_map(|fact| Some((&fact.is.key, fact.is.topic.as_ref()?, &fact.days)));
        let totals = self.totals.iter().map(|fact| (&fact.is.path, &fact.is.topic, &fact.days));
        let judged = |topic: &&String| self.topics.get(*topic).is_some_and(|topic| topic.mark == Mark::Judged);
        for topic in self.rules.keys().filter(judged) {
            if options.clone().chain(totals.clone()).all(|(_, by, _)| by != topic) {
                messages.push(format!("{topic} says that houses are judged by it, and no option has it as its topic"));
            }
        }
        for (key, topic, days) in options.chain(totals) {
            let answered = self.rules.get(topic).is_some_and(|rules| covers(rules, days));
            if !answered {
                messages.push(format!("{key} is judged by {topic}, which the book doesn't answer on all its days"));
            }
        }
    }

    /// Checks that a practice table can be opened under the book.
    fn practice_is_lawful(&self, messages: &mut Vec<String>) {
        match HouseRules::practice(self) {
            Err(error) => messages.push(format!("no practice table: {error}")),
            Ok(house) => {
                if let Err(problems) = self.admit(&house) {
                    messages.extend(problems.iter().map(|problem| format!("no practice table: {problem}")));
                }
            }
        }
    }
}

/// Returns true when the facts cover all of the days.
fn covers<T>(facts: &Dated<T>, days: &Days) -> bool {
    let mut spans: Vec<Days> = facts.0.iter().map(|fact| fact.days).collect();
    spans.sort_by_key(|span| span.from);
    // Walks forward from the first day, from fact to fact.
    let mut reached: Option<Option<Day>> = Some(days.from);
    loop {
        let Some(at) = reached else { return true };
        let next = spans.iter().filter(|span| match (span.from, at) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(from), Some(at)) => from <= at,
        });
        let furthest =
            next.filter(|span| span.until.is_none_or(|until| at.is_none_or(|at| at < until))).map(|span| span.until);
        let Some(until) = furthest.max_by_key(|until| (until.is_none(), *until)) else { return false };
        match (until, days.until) {
            (None, _) => return true,
            (Some(until), Some(end)) if until >= end => return true,
            (Some(until), _) => reached = Some(Some(until)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dated(spans: &[(&str, &str)]) -> Dated<()> {
        let fact = |(from, until): &(&str, &str)| Fact {
            is: (),
            cites: crate::Cites::default(),
            days: Days { from: from.parse().ok(), until: until.parse().ok() },
            readings: Vec::new(),
            switch: None,
        };
        Dated(spans.iter().map(fact).collect())
    }

    #[test]
    fn a_gap_of_a_day_is_a_gap() {
        let days = Days { from: "2020-01-01".parse().ok(), until: "2022-01-01".parse().ok() };
        assert!(covers(&dated(&[("2020-01-01", "2021-01-01"), ("2021-01-01", "2022-01-01")]), &days));
        assert!(!covers(&dated(&[("2020-01-01", "2021-01-01"), ("2021-01-02", "2022-01-01")]), &days));
        assert!(!covers(&dated(&[("2020-01-02", "")]), &days));
        assert!(!covers(&dated(&[("", "2021-12-31")]), &days));
        assert!(covers(&dated(&[("", "")]), &Days::ALWAYS));
        assert!(!covers(&dated(&[("2020-01-01", "")]), &Days::ALWAYS));
        assert!(!covers(&dated(&[]), &days));
    }
}
