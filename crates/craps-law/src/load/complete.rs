//! Checks that a book says everything needed about a wager.

use super::Draft;
use crate::fact::{Dated, Fact, Offer, PayTable, Switch, WagerLaw};
use crate::house::{Keys, Product};
use crate::words::{Lower, OnOff, PriceLatitude, Raise, Standing, Window};
use craps_money::Base;
use craps_wagers::{Dial, Mechanic, Points, Ranks, WagerId};
use std::collections::BTreeMap;

/// Lists what is missing or contradictory in what a book says about a wager.
pub(super) fn complete(law: &WagerLaw, all: &BTreeMap<WagerId, Draft>, keys: &Keys) -> Vec<String> {
    let wager = law.wager.wager();
    let odds = law.odds.as_ref();
    let (composite, behind) =
        (matches!(wager.mechanic, Mechanic::Composite(_)), matches!(wager.mechanic, Mechanic::Behind(..)));
    let present = [
        ("name", !law.name.is_empty()),
        ("offer", !law.offer.0.is_empty()),
        ("make", !law.make.0.is_empty()),
        ("raise", !law.raise.0.is_empty()),
        ("lower", !law.lower.0.is_empty()),
        ("works", !law.works.0.is_empty()),
        ("price", !law.price.0.is_empty()),
        ("settled", !composite || !law.settled.0.is_empty()),
        ("pays", composite || !law.pays.0.is_empty()),
        ("odds.least", !behind || odds.is_some_and(|odds| !odds.least.0.is_empty())),
        ("odds.most", !behind || odds.is_some_and(|odds| !odds.most.0.is_empty())),
        ("odds.cap", !behind || odds.is_some_and(|odds| !odds.cap.0.is_empty())),
        ("odds.excess", !behind || odds.is_some_and(|odds| !odds.excess.0.is_empty())),
        ("odds.table_max", !behind || odds.is_some_and(|odds| !odds.table_max.0.is_empty())),
    ];
    let mut missing: Vec<String> =
        present.into_iter().filter(|(_, present)| !present).map(|(what, _)| format!("`{what}` is missing")).collect();
    if composite && !law.pays.0.is_empty() {
        missing.push("a composite has no price of its own, only its parts do".to_owned());
    }
    if odds.is_some() && !behind {
        missing.push("only an odds bet can have `odds`".to_owned());
    }
    if let Mechanic::Composite(parts) = wager.mechanic {
        let known = |wager: WagerId| all.contains_key(&wager);
        missing.extend(
            parts
                .iter()
                .filter(|part| !known(part.wager))
                .map(|part| format!("its part `{}` is not in the book", part.wager)),
        );
    }
    for fact in &law.pays.0 {
        missing
            .extend(unpriced(law.wager, &fact.is, all).into_iter().map(|rank| format!("rank `{rank}` has no price")));
    }
    let of_win = law.commission.0.iter().any(|fact| fact.is.base == Base::Win);
    if of_win && wager.ranks.find("win").is_none() {
        missing.push("only a wager with the rank `win` can have commission on the win".to_owned());
    }
    missing.extend(bad_switches(law, keys));
    missing.extend(bad_offers(&law.offer));
    missing.extend(overlaps(law));
    missing
}

/// Lists the ranks that need a price but have none.
fn unpriced(wager: WagerId, table: &PayTable, all: &BTreeMap<WagerId, Draft>) -> Vec<String> {
    let priced = |name: &str| wager.wager().ranks.find(name).is_some_and(|rank| table.prizes.contains_key(&rank));
    let names: Vec<String> = match wager.wager().ranks {
        Ranks::Each(names) => names.iter().map(|name| (*name).to_owned()).collect(),
        Ranks::Levels(names) => names.last().iter().map(|name| (**name).to_owned()).collect(),
        Ranks::Counts(most) => vec![most.to_string()],
        Ranks::Numbers => numbers_behind(wager, all),
        Ranks::OfParts => Vec::new(),
    };
    names.into_iter().filter(|name| !priced(name)).collect()
}

/// Returns the numbers that an odds bet can be on: those of its flat bet.
fn numbers_behind(wager: WagerId, all: &BTreeMap<WagerId, Draft>) -> Vec<String> {
    let Mechanic::Behind(_, front) = wager.wager().mechanic else { return Vec::new() };
    match front {
        craps_wagers::Front::Line(front) => {
            let law = all.get(&front).map(|(law, _)| law);
            let everywhere =
                law.and_then(|law| law.dials.get(&Dial::Points)).is_some_and(|fact| fact.is == "all_but_seven");
            let points = if everywhere { Points::AllButSeven } else { Points::Box };
            points.all().iter().map(ToString::to_string).collect()
        }
        craps_wagers::Front::Number(fronts) => fronts
            .iter()
            .filter(|front| all.contains_key(front))
            .map(|front| front.wager().number_text.to_owned())
            .collect(),
    }
}

/// Reports switches with an unknown key, or with words that don't fit their fact.
fn bad_switches(law: &WagerLaw, keys: &Keys) -> Vec<String> {
    let mut bad = Vec::new();
    let mut check = |switch: Option<&Switch>, knows: &dyn Fn(&str) -> bool| {
        let Some(switch) = switch else { return };
        if keys.find(&switch.key).is_none() {
            bad.push(format!("`{}` is not a house key", switch.key));
        }
        bad.extend(
            switch
                .map
                .values()
                .filter(|word| !knows(word))
                .map(|word| format!("switch `{}`: unknown word `{word}`", switch.key)),
        );
    };
    law.make.0.iter().for_each(|fact| check(fact.switch.as_ref(), &|word| Window::find(word).is_some()));
    law.raise.0.iter().for_each(|fact| check(fact.switch.as_ref(), &|word| Raise::find(word).is_some()));
    law.lower.0.iter().for_each(|fact| check(fact.switch.as_ref(), &|word| Lower::find(word).is_some()));
    law.works.0.iter().for_each(|fact| check(fact.switch.as_ref(), &|word| OnOff::find(word).is_some()));
    law.price.0.iter().for_each(|fact| check(fact.switch.as_ref(), &|word| PriceLatitude::find(word).is_some()));
    for (dial, fact) in &law.dials {
        check(fact.switch.as_ref(), &|word| dial.words().contains(&word));
    }
    bad
}

/// Reports missing or invalid offer keys.
pub(super) fn bad_offers(offer: &Dated<Offer>) -> Vec<String> {
    let named = |key: &str| {
        Product::offered_by(key).map(Product::name).is_some_and(|name| {
            !name.is_empty() && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
        })
    };
    let message = |offer: &Offer| match (&offer.key, offer.standing) {
        (None, Standing::Elected) => {
            Some("`offer` is elected but has no key: add one such as key = \"name.offered\"".to_owned())
        }
        (Some(key), _) if !named(key) => {
            Some(format!("`offer`: expected a key such as \"name.offered\", found `{key}`"))
        }
        _ => None,
    };
    offer.0.iter().filter_map(|fact| message(&fact.is)).collect()
}

/// Returns true when two alike facts apply on the same day.
pub(super) fn twice<T>(facts: &[Fact<T>], alike: impl Fn(&Fact<T>, &Fact<T>) -> bool) -> bool {
    facts.iter().enumerate().any(|(at, a)| facts[at + 1..].iter().any(|b| alike(a, b) && a.days.overlap(&b.days)))
}

/// Reports facts that have two values on the same day.
fn overlaps(law: &WagerLaw) -> Vec<String> {
    let mut bad = Vec::new();
    let mut check = |twice: bool, what: &str| {
        if twice {
            bad.push(format!("two values of `{what}` apply on the same day"));
        }
    };
    check(twice(&law.offer.0, |_, _| true), "offer");
    check(twice(&law.make.0, |_, _| true), "make");
    check(twice(&law.raise.0, |_, _| true), "raise");
    check(twice(&law.lower.0, |_, _| true), "lower");
    check(twice(&law.works.0, |_, _| true), "works");
    check(twice(&law.price.0, |_, _| true), "price");
    check(twice(&law.units.0, |_, _| true), "units");
    check(twice(&law.amount.0, |_, _| true), "amount");
    check(twice(&law.settled.0, |_, _| true), "settled");
    check(twice(&law.area.0, |_, _| true), "area");
    if let Some(odds) = &law.odds {
        check(twice(&odds.least.0, |_, _| true), "odds.least");
        check(twice(&odds.most.0, |_, _| true), "odds.most");
        check(twice(&odds.cap.0, |_, _| true), "odds.cap");
        check(twice(&odds.excess.0, |_, _| true), "odds.excess");
        check(twice(&odds.table_max.0, |_, _| true), "odds.table_max");
    }
    check(twice(&law.renamed.0, |_, _| true), "renamed");
    check(twice(&law.felt.0, |_, _| true), "felt");
    check(twice(&law.pays.0, |a, b| a.is.table == b.is.table), "pays");
    check(twice(&law.commission.0, |a, b| a.is.timing == b.is.timing), "commission");
    bad
}
