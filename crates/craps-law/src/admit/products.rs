//! Decides which products a house may offer under its book, in its game and on its day.

use super::Admission;
use crate::Cites;
use crate::fact::{Fact, Modifier, Offer, WagerLaw};
use crate::house::{Offered, Product, Value};
use crate::offering::merge;
use crate::table_rules::SetBy;
use crate::words::Standing;
use std::collections::BTreeMap;

impl<'a> Admission<'a> {
    /// Returns the products that the house asks for. Maps the product's `.offered` key to the key the house used to ask for it.
    pub(super) fn asked_for(&self) -> BTreeMap<String, String> {
        let mut asked: BTreeMap<String, String> = BTreeMap::new();
        for (key, setting) in self.house.settings() {
            if let (Some(product), Value::Table(_)) = (Product::tabled_by(key), setting.value()) {
                asked.insert(product.offered_key(), key.to_owned());
            } else if Product::offered_by(key).is_some() && setting.value().yes() == Some(true) {
                asked.insert(key.to_owned(), key.to_owned());
            }
        }
        match self.house.get("offer") {
            Some(Value::Offer(Offered::All)) => {
                let offers = self
                    .book
                    .wagers
                    .values()
                    .map(|law| &law.offer)
                    .chain(self.book.modifiers.iter().map(|modifier| &modifier.offer));
                let lawful =
                    offers.flat_map(|offer| &offer.0).filter(|fact| fact.days.hold(self.day) && self.reaches(&fact.is));
                for key in lawful.filter_map(|fact| fact.is.key.clone()) {
                    if !self.declines(&key) {
                        asked.entry(key).or_insert_with(|| "offer".to_owned());
                    }
                }
            }
            Some(Value::Offer(Offered::Only(list))) => {
                for item in list {
                    asked.entry(Product::named(item).offered_key()).or_insert_with(|| "offer".to_owned());
                }
            }
            _ => {}
        }
        asked
    }

    /// Checks the products that the house asks for, and returns them.
    pub(super) fn products(&mut self) -> BTreeMap<String, String> {
        let asked = self.wanted.clone();
        for (product, path) in &asked {
            if self.declines(product) {
                let records = [self.choice(path), self.choice(product)];
                let cites = merge(records.into_iter().flatten().flat_map(|fact| fact.cites.iter().cloned()));
                self.problem(path, format!("conflicts with {product} = no"), &cites);
            } else {
                self.product(product, path);
                // A product that is chosen in the `offer` list needs the same filing as one chosen by its own key.
                if let Some((fact, filing)) =
                    self.choice(product).and_then(|fact| Some((fact, fact.is.filing.as_ref()?)))
                    && path == "offer"
                {
                    let name = Product::offered_by(product).map_or(product.as_str(), Product::name);
                    self.notice(path, format!("{name} must be filed: {filing}"), &fact.cites);
                }
            }
        }
        asked
    }

    /// Returns true when the house offers a product, and may do so in this game and on this day.
    pub(super) fn has(&self, key: &str) -> bool {
        let laws = self.book.wagers.values().map(|law| &law.offer);
        let offers = laws.chain(self.book.modifiers.iter().map(|modifier| &modifier.offer));
        let here = |fact: &Fact<Offer>| {
            fact.is.key.as_deref() == Some(key) && fact.days.hold(self.day) && self.reaches(&fact.is)
        };
        self.wanted.contains_key(key) && !self.declines(key) && offers.flat_map(|offer| &offer.0).any(here)
    }

    /// Returns true when the house sets this key to no.
    fn declines(&self, key: &str) -> bool {
        self.house.get(key).and_then(Value::yes) == Some(false)
    }

    pub(super) fn reaches(&self, offer: &Offer) -> bool {
        self.book.reaches(offer, self.game)
            || offer.also.as_ref().is_some_and(|(game, switch)| *game == self.game && self.yes(switch) == Some(true))
    }

    /// Checks that the book has a product in this game and on this day.
    pub(super) fn product(&mut self, key: &str, path: &str) {
        let book = self.book;
        let offers = book.wagers.values().map(|law| (law.name_on(self.day), &law.offer));
        let offers = offers.chain(book.modifiers.iter().map(|modifier| (modifier.name.as_str(), &modifier.offer)));
        let facts: Vec<(&str, &Fact<Offer>)> = offers
            .flat_map(|(name, offer)| offer.0.iter().map(move |fact| (name, fact)))
            .filter(|(_, fact)| fact.is.key.as_deref() == Some(key))
            .collect();
        let Some((name, fact)) = facts.first() else {
            // The check of the keys has already reported it.
            if self.problems.iter().any(|problem| problem.path == path) {
                return;
            }
            let cites = self.not_in_book(key);
            let stem = Product::offered_by(key).map_or(key, Product::name);
            let message = if path == "offer" {
                format!("{stem} is not a wager of this book")
            } else {
                "not a wager of this book".to_owned()
            };
            return self.problem(path, message, &cites);
        };
        let named = |message: String| if path == "offer" { format!("{name}: {message}") } else { message };
        if !facts.iter().any(|(_, fact)| self.reaches(&fact.is)) {
            let games: Vec<&str> = fact.is.games.iter().flatten().map(|game| game.word()).collect();
            self.problem(
                path,
                named(format!("may be offered at {} only, not at {}", games.join(", "), self.game)),
                &fact.cites,
            );
        }
        if !facts.iter().any(|(_, fact)| fact.days.hold(self.day)) {
            self.problem(path, named(format!("in force {}, not on {}", fact.days, self.house.as_of)), &fact.cites);
        }
    }

    /// Returns what to cite for a product that is not in the book: the book's record for its key, or the rule that only listed
    /// wagers are allowed.
    pub(super) fn not_in_book(&self, key: &str) -> Cites {
        let record = self.book.choices.get(key).and_then(|dated| dated.on(self.day));
        record.map_or_else(|| self.book.listed.cites.clone(), |fact| fact.cites.clone())
    }

    pub(super) fn is_offered(&self, law: &'a WagerLaw, asked: &BTreeMap<String, String>) -> Option<&'a Fact<Offer>> {
        let fact = law.offer.on(self.day).filter(|fact| self.reaches(&fact.is))?;
        let offered = match (fact.is.standing, &fact.is.key) {
            (Standing::Listed, Some(key)) => self.yes(key) != Some(false),
            (Standing::Listed, None) => true,
            (Standing::Elected, Some(key)) => asked.contains_key(key),
            (Standing::Elected, None) => false,
        };
        offered.then_some(fact)
    }

    /// Returns who leaves a wager of the book off this table. `None` when the book doesn't have the wager on this day.
    pub(super) fn left_out_by(&self, law: &WagerLaw) -> Option<SetBy> {
        let fact = law.offer.on(self.day)?;
        match &fact.is.key {
            Some(key) if self.reaches(&fact.is) => Some(SetBy::House(key.clone())),
            _ => Some(SetBy::Law(fact.cites.clone())),
        }
    }

    pub(super) fn modifier_offered(&self, modifier: &Modifier, asked: &BTreeMap<String, String>) -> bool {
        modifier.offer.on(self.day).is_some_and(|fact| {
            self.reaches(&fact.is) && fact.is.key.as_ref().is_some_and(|key| asked.contains_key(key))
        })
    }
}
