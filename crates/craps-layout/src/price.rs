//! Works out what every bet of a table pays and costs.

use crate::view::{Layout, Price};
use crate::words::{self, Words};
use craps_law::{Prize, TableRules, WagerRules};
use craps_odds::{Analysis, Solver};
use craps_table::{Slot, SlotId};
use craps_wagers::Family;
use std::collections::BTreeMap;

/// Returns what every bet pays, by its code, without the house edge.
pub(crate) fn plain(words: &Words<'_>) -> BTreeMap<String, Price> {
    let price = |(id, slot): (SlotId, &Slot)| {
        let rules = words.slots.rules(words.rules, id);
        let pays = words::pays(words.rules, words.slots, id);
        let price = Price {
            bet: slot.code.clone(),
            name: rules.name.clone(),
            button: button(rules.wager.wager().family).map(str::to_owned),
            short: Prize::in_short(words::own_prizes(slot, rules)).unwrap_or_else(|| pays.clone()),
            pays,
            raised: raised(words.rules, rules),
            edge: None,
            edge_resolved: None,
            edge_per_throw: None,
            favours_player: None,
            cite: rules.prizes.cites.to_string(),
        };
        (slot.code.clone(), price)
    };
    words.slots.slots().map(price).collect()
}

/// Returns the button on the chips of a buy or lay bet, which lie in the same box as a place bet.
const fn button(family: Family) -> Option<&'static str> {
    match family {
        Family::Buy => Some("BUY"),
        Family::Lay => Some("LAY"),
        _ => None,
    }
}

/// Returns the payouts that a draw may raise a wager to, by level.
fn raised(rules: &TableRules, wager: &WagerRules) -> Vec<String> {
    let lines = rules.modifiers.iter().flat_map(|modifier| &modifier.lines);
    let own = lines.filter(|line| line.is.wagers.contains(&wager.wager));
    own.flat_map(|line| line.is.pays.iter().map(ToString::to_string)).collect()
}

impl Layout {
    /// Adds the exact house edge of every bet. A come bet on its number gets none, because nobody makes a bet there: it moves there.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # use craps_layout::{Layout, Sign, Template};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// # let layout = Layout::new(&Template::of(&rules)?, book, &rules, &Sign::default())?;
    /// use craps_odds::Solver;
    /// let layout = layout.priced(&rules, &mut Solver::default());
    /// assert_eq!(layout.prices["PL6"].edge.as_deref(), Some("1/66"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn priced(mut self, rules: &TableRules, solver: &mut Solver) -> Layout {
        let mut analyze = |wager: &WagerRules| -> Option<Analysis> {
            let numbers = match wager.wager.wager().family {
                // Odds are priced by number. If the numbers differ in edge, no edge is given.
                Family::Odds => rules.points.all().iter().copied().map(Some).collect(),
                _ => vec![None],
            };
            let priced = |number: &Option<craps_dice::Point>| {
                number.is_none_or(|number| {
                    let rank = wager.wager.wager().ranks.find(&number.to_string());
                    rank.is_some_and(|rank| wager.prizes.is.of(rank).is_some())
                })
            };
            let mut all = numbers.into_iter().filter(priced);
            let first = craps_odds::price(solver, &rules.offering(wager, all.next()?));
            let same = all.all(|number| craps_odds::price(solver, &rules.offering(wager, number)).edge == first.edge);
            same.then_some(first)
        };
        for wager in &rules.wagers {
            let names = wager.wager.wager().names();
            let made = |number: bool| wager.wager.wager().family != Family::Line || !number;
            let mut codes =
                names.iter().filter(|name| made(name.number.is_some())).map(|name| name.code.as_str()).peekable();
            if codes.peek().is_none_or(|_| !names.iter().any(|name| self.prices.contains_key(&name.code))) {
                continue;
            }
            let Some(analysis) = analyze(wager) else { continue };
            for code in codes {
                let Some(price) = self.prices.get_mut(code) else { continue };
                price.edge = Some(analysis.edge.to_string());
                price.edge_resolved = Some(analysis.edge_resolved.to_string());
                price.edge_per_throw = Some(analysis.edge_per_throw.to_string());
                price.favours_player = Some(analysis.favours_player());
            }
        }
        self
    }
}
