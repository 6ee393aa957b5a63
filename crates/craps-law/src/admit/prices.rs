//! Prices that a house pays instead of the listed ones.

use super::Admission;
use crate::Prize;
use crate::house::{Priced, Value};
use crate::offering::merge;
use crate::table_rules::WagerRules;
use crate::words::PriceLatitude;
use craps_money::Odds;
use craps_wagers::{Mechanic, Rank, WagerId};
use std::collections::BTreeMap;

impl Admission<'_> {
    /// Applies the prices of the house key `higher_odds`, and reports those that the book doesn't allow.
    pub(super) fn higher_odds(&mut self, wagers: &mut [WagerRules]) {
        const KEY: &str = "higher_odds";
        let Some(Value::Prices(prices)) = self.house.get(KEY) else { return };
        if prices.is_empty() {
            return;
        }
        let Some(choice) = self.choice(KEY) else { return };
        let book = self.book;
        for Priced { wager, rank, odds } in prices.iter().copied() {
            let rank_name = wager.wager().ranks.name(rank);
            let name = if rank_name == "win" { wager.to_string() } else { format!("{wager}/{rank_name}") };
            let Some(law) = book.wager(wager) else {
                let cites = book
                    .withdrawn
                    .iter()
                    .find(|gone| gone.wager == wager)
                    .map_or(&book.listed.cites, |gone| &gone.cites);
                self.problem(KEY, format!("{name} is not a wager of this book"), cites);
                continue;
            };
            let Some(rules) = wagers.iter_mut().find(|rules| rules.wager == wager) else {
                let offer = law.offer.0.first().map_or(&choice.cites, |fact| &fact.cites);
                self.problem(KEY, format!("{name} is not offered by this house"), offer);
                continue;
            };
            let Some(Prize::Paid(listed)) = rules.prizes.is.of(rank) else {
                self.problem(KEY, format!("{name} is not paid under the pay table in use"), &rules.prizes.cites);
                continue;
            };
            let Some(latitude) = law.price.on(self.day) else { continue };
            let cites = merge(rules.prizes.cites.iter().chain(latitude.cites.iter()).cloned());
            match latitude.is {
                PriceLatitude::Fixed if listed.cmp_net(odds).is_ne() => {
                    self.problem(KEY, format!("{name} pays exactly {listed}; the house can't pay {odds}"), &cites);
                }
                PriceLatitude::AtLeast if odds.cmp_net(listed).is_lt() => {
                    self.problem(KEY, format!("{name} must pay at least {listed}; {odds} is less"), &cites);
                }
                PriceLatitude::AtMost if odds.cmp_net(listed).is_gt() => {
                    self.problem(KEY, format!("{name} may pay at most {listed}; {odds} is more"), &cites);
                }
                PriceLatitude::Fixed | PriceLatitude::AtLeast | PriceLatitude::AtMost | PriceLatitude::House => {
                    rules.prizes.is.set(rank, Prize::Paid(odds))
                }
            }
        }
        self.reprice_composites(wagers);
        if let Some(area) = &choice.is.uniform {
            self.notice(KEY, format!("must be the same throughout the {area}"), &choice.cites);
        }
    }

    /// Updates the prices of composite bets, because a composite pays what its parts pay.
    pub(super) fn reprice_composites(&self, wagers: &mut [WagerRules]) {
        let paid: BTreeMap<WagerId, Odds> = wagers
            .iter()
            .filter_map(|rules| match rules.prizes.is.of(Rank::WIN) {
                Some(Prize::Paid(odds)) => Some((rules.wager, odds)),
                _ => None,
            })
            .collect();
        for rules in wagers {
            let Mechanic::Composite(parts) = rules.wager.wager().mechanic else { continue };
            let of = parts.iter().map(|part| part.units).sum();
            for (at, part) in (0u8..).zip(parts) {
                if let Some(odds) = paid.get(&part.wager) {
                    rules.prizes.is.set(Rank::of_part(at), Prize::Part { units: part.units, of, odds: *odds });
                }
            }
        }
    }
}
