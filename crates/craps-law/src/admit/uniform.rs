//! Compares the houses of one casino: choices that the law wants to be the same at all its tables.

use crate::fact::{Choice, Fact, RuleBook};
use crate::house::{HouseRules, Kind};
use crate::table_rules::{Problem, TableRules};
use crate::{Day, Prize};
use craps_wagers::{Rank, WagerId};
use std::fmt;

/// The houses that have one value, in the order of the casino.
type SameValue<'a> = (String, Vec<&'a str>);

impl RuleBook {
    /// Compares the houses of one casino under this book and reports every choice that differs although it must be the same. Each house has
    /// the name that the problems use. Houses that can't be admitted are left out: their own problems come first.
    ///
    /// ```
    /// use craps_law::{HouseRules, Library};
    /// let library = Library::shipped();
    /// let book = library.named("nj")?;
    /// let (plain, mut higher) = (HouseRules::plain("nj", book.sample_day), HouseRules::plain("nj", book.sample_day));
    /// higher.set("higher_odds", "field/12:3 to 1")?;
    /// let problems = book.uniform(&[("Table 1", &plain), ("Table 2", &higher)]);
    /// assert!(problems[0].message.starts_with("field/12 pays 2 to 1 at Table 1 and 3 to 1 at Table 2"));
    /// assert!(book.uniform(&[("Table 1", &higher), ("Table 2", &higher)]).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn uniform(&self, houses: &[(&str, &HouseRules)]) -> Vec<Problem> {
        let admitted: Vec<(&str, &HouseRules, TableRules)> =
            houses.iter().filter_map(|(name, house)| Some((*name, *house, self.admit(house).ok()?))).collect();
        let mut problems = Vec::new();
        for (key, dated) in &self.choices {
            // The houses of a casino are compared where the same record holds for all of them.
            let days: Vec<Option<Day>> = admitted.iter().map(|(_, house, _)| Some(house.as_of)).collect();
            let holds = |fact: &&Fact<Choice>| fact.is.uniform.is_some() && days.iter().all(|day| fact.days.hold(*day));
            let Some(fact) = dated.0.iter().find(holds) else { continue };
            let area = fact.is.uniform.as_deref().unwrap_or_default();
            let prices = self.keys.find(key).is_some_and(|key| key.kind == Kind::Prices);
            let found: Vec<(String, Vec<SameValue<'_>>)> = if prices {
                self.different_prices(&admitted)
            } else {
                let values = admitted.iter().map(|(name, house, _)| {
                    let own = house.setting(key).map(|setting| setting.text().to_owned());
                    (*name, own.unwrap_or_else(|| fact.is.default.clone()))
                });
                vec![("is".to_owned(), grouped(values, |a, b| a == b))]
            };
            for (what, values) in found.into_iter().filter(|(_, values)| values.len() > 1) {
                let each: Vec<String> =
                    values.iter().map(|(value, names)| format!("{value} at {}", names.join(", "))).collect();
                problems.push(Problem {
                    path: key.clone(),
                    message: format!("{what} {}; it must be the same throughout the {area}", each.join(" and ")),
                    cites: fact.cites.clone(),
                });
            }
        }
        problems
    }

    /// Returns the ranks that some house pays above the list, with the prices of all houses that offer the same pay table.
    fn different_prices<'a>(&self, houses: &[(&'a str, &HouseRules, TableRules)]) -> Vec<(String, Vec<SameValue<'a>>)> {
        let mut raised: Vec<(WagerId, Option<String>, Rank)> = Vec::new();
        for (_, _, table) in houses {
            for rules in &table.wagers {
                let Some(law) = self.wager(rules.wager) else { continue };
                let Some(listed) = law.tables(Some(table.as_of)).find(|fact| fact.is.table == rules.pay_table) else {
                    continue;
                };
                for (rank, prize) in &listed.is.prizes {
                    let one = (rules.wager, rules.pay_table.clone(), *rank);
                    if rules.prizes.is.of(*rank) != Some(*prize) && !raised.contains(&one) {
                        raised.push(one);
                    }
                }
            }
        }
        raised.sort();
        let prices = |(wager, pay_table, rank): (WagerId, Option<String>, Rank)| {
            let name = wager.wager().ranks.name(rank);
            let what = if name == "win" { format!("{wager} pays") } else { format!("{wager}/{name} pays") };
            let paid = houses.iter().filter_map(|(house, _, table)| {
                let rules = table.wager(wager).filter(|rules| rules.pay_table == pay_table)?;
                match rules.prizes.is.of(rank)? {
                    Prize::Paid(odds) => Some((*house, odds)),
                    _ => None,
                }
            });
            (what, grouped(paid, |a, b| a.cmp_net(*b).is_eq()))
        };
        raised.into_iter().map(prices).collect()
    }
}

/// Groups names by value, in the order in which the values come.
fn grouped<'a, T: fmt::Display>(
    values: impl Iterator<Item = (&'a str, T)>,
    same: impl Fn(&T, &T) -> bool,
) -> Vec<SameValue<'a>> {
    let mut all: Vec<(T, Vec<&str>)> = Vec::new();
    for (name, value) in values {
        match all.iter_mut().find(|(known, _)| same(known, &value)) {
            Some((_, names)) => names.push(name),
            None => all.push((value, vec![name])),
        }
    }
    all.into_iter().map(|(value, names)| (value.to_string(), names)).collect()
}
