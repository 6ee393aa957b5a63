//! Everything a book prices: one offering per wager, pay table and commission.

use crate::fact::{Fact, PayTable, RuleBook, WagerLaw};
use crate::words::AppliesTo;
use crate::{Cites, Day, Days, Prize};
use craps_dice::Point;
use craps_money::Commission;
use craps_wagers::{Dial, Dials, Machine, Mechanic, Points, Rank, Ranks, WagerId};
use std::collections::BTreeMap;

/// The prize of every rank of one wager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prizes {
    ranks: Ranks,
    by_rank: BTreeMap<Rank, Prize>,
}

impl Prizes {
    pub(crate) fn new(ranks: Ranks, by_rank: BTreeMap<Rank, Prize>) -> Prizes {
        Prizes { ranks, by_rank }
    }

    /// What the rank is worth; nothing means that it loses. A count is worth what its highest priced lower bound is.
    #[must_use]
    pub fn of(&self, rank: Rank) -> Option<Prize> {
        match self.ranks {
            Ranks::Counts(_) => self.by_rank.range(..=rank).next_back().map(|(_, prize)| *prize),
            _ => self.by_rank.get(&rank).copied(),
        }
    }

    /// The ranks that have a price, with it.
    pub fn iter(&self) -> impl Iterator<Item = (Rank, Prize)> {
        self.by_rank.iter().map(|(rank, prize)| (*rank, *prize))
    }

    pub(crate) fn set(&mut self, rank: Rank, prize: Prize) {
        self.by_rank.insert(rank, prize);
    }
}

/// One way in which a book prices one wager.
#[derive(Debug, Clone, PartialEq)]
pub struct Offering {
    /// The wager.
    pub wager: WagerId,
    /// The number an odds bet stands on.
    pub number: Option<Point>,
    /// The law's name for the pay table, `standard` where it has none.
    pub pay_table: String,
    /// The commission, where there is one.
    pub commission: Option<Commission>,
    /// What the ranks are worth.
    pub prizes: Prizes,
    /// What decides it.
    pub machine: Machine,
    /// Where the prices stand.
    pub cites: Cites,
    /// On which days.
    pub days: Days,
    /// The level of the modifier that raised its prices, and the modifier's id.
    pub modifier: Option<(String, usize)>,
}

/// What a pay table without a name is called.
const STANDARD: &str = "standard";

impl Offering {
    /// The wager's id; odds carry their number.
    #[must_use]
    pub fn name(&self) -> String {
        match self.number {
            Some(number) => format!("{}-{number}", self.wager),
            None => self.wager.to_string(),
        }
    }
}

impl RuleBook {
    /// Which totals set a point in this book's game.
    #[must_use]
    pub fn points(&self) -> Points {
        self.wagers.values().map(|law| self.dials_of(law).points).find(|points| *points != Points::Box).unwrap_or_default()
    }

    fn dials_of(&self, law: &WagerLaw) -> Dials {
        let mut dials = Dials::default();
        for (dial, fact) in &law.dials {
            // The loader has tried every word on its dial.
            let _ = dials.turn(*dial, &fact.is);
        }
        dials
    }

    /// The automaton of a wager with the book's readings; `turned` dials are set otherwise.
    #[must_use]
    pub fn machine(&self, law: &WagerLaw, turned: &[(Dial, String)]) -> Machine {
        let mut dials = self.dials_of(law);
        dials.points = self.points();
        for (dial, word) in turned {
            let _ = dials.turn(*dial, word);
        }
        law.wager.wager().machine(dials)
    }

    /// Everything the book prices on a day, or ever priced, in catalogue order.
    #[must_use]
    pub fn offerings(&self, on: Option<Day>) -> Vec<Offering> {
        let in_force = Days { from: self.in_force.as_ref().map(|first| first.from), until: None };
        let mut all = Vec::new();
        for law in self.wagers.values() {
            let wager = law.wager.wager();
            let machine = self.machine(law, &[]);
            let mut tables: Vec<(String, Prizes, Cites, Days, Option<(String, usize)>)> = Vec::new();
            for (table, prizes, cites, days) in self.price_lists(law) {
                tables.push((table.unwrap_or_else(|| STANDARD.to_owned()), prizes, cites, days, None));
            }
            for modifier in &self.modifiers {
                let Some(base) = tables.first().cloned() else { continue };
                let lines: Vec<_> = modifier.lines.iter().filter(|line| line.is.wagers.contains(&law.wager)).collect();
                let levels = lines.iter().map(|line| line.is.pays.len()).min().unwrap_or(0);
                for level in 0..levels {
                    let mut prizes = base.1.clone();
                    raise_prizes(&mut prizes, law.wager, &lines, level);
                    let cites = merge(lines.iter().flat_map(|line| line.cites.iter().cloned()));
                    let days = modifier.offer.0.iter().fold(base.3, |days, offer| days.and(&offer.days));
                    let name = format!("{} {}", modifier.label, level + 1);
                    tables.push((name, prizes, cites, days, Some((modifier.id.clone(), level))));
                }
            }
            let commissions: Vec<Option<&Fact<Commission>>> =
                if law.commission.0.is_empty() { vec![None] } else { law.commission.0.iter().map(Some).collect() };
            for offer in &law.offer.0 {
                for (pay_table, prizes, cites, days, modifier) in &tables {
                    for commission in &commissions {
                        let mut days = days.and(&offer.days).and(&in_force);
                        let mut cites = cites.clone();
                        if let Some(fact) = commission {
                            days = days.and(&fact.days);
                            cites = merge(cites.0.into_iter().chain(fact.cites.iter().cloned()));
                        }
                        if !days.hold(on) || matches!((days.from, days.until), (Some(from), Some(until)) if until <= from) {
                            continue;
                        }
                        for number in numbers(machine.mechanic, prizes) {
                            all.push(Offering {
                                wager: law.wager,
                                number,
                                pay_table: pay_table.clone(),
                                commission: commission.map(|fact| fact.is),
                                prizes: prizes.clone(),
                                machine,
                                cites: cites.clone(),
                                days,
                                modifier: modifier.clone(),
                            });
                        }
                    }
                }
            }
            debug_assert!(!wager.slug.is_empty());
        }
        all
    }

    /// The price lists of a wager: its own, or those its parts make.
    pub(crate) fn price_lists(&self, law: &WagerLaw) -> Vec<(Option<String>, Prizes, Cites, Days)> {
        let wager = law.wager.wager();
        let Mechanic::Composite(parts) = wager.mechanic else {
            let list = |fact: &Fact<PayTable>| {
                (fact.is.table.clone(), Prizes::new(wager.ranks, fact.is.prizes.clone()), fact.cites.clone(), fact.days)
            };
            return law.pays.0.iter().map(list).collect();
        };
        let part_law = |slug: &str| self.wagers.values().find(|law| law.wager.wager().slug == slug);
        let laws: Vec<&WagerLaw> = parts.iter().filter_map(|part| part_law(part.wager)).collect();
        let mut tables: Vec<Option<String>> = vec![None];
        for table in laws.iter().flat_map(|law| &law.pays.0).map(|fact| &fact.is.table) {
            if !tables.contains(table) {
                tables.push(table.clone());
            }
        }
        let of = parts.iter().map(|part| part.units).sum();
        let mut lists = Vec::new();
        for table in tables {
            let (mut by_rank, mut cites, mut days) = (BTreeMap::new(), Vec::new(), Days::ALWAYS);
            cites.extend(law.settled.0.iter().flat_map(|fact| fact.cites.iter().cloned()));
            for (at, (part, law)) in parts.iter().zip(&laws).enumerate() {
                let named = law.pays.0.iter().find(|fact| fact.is.table == table);
                let Some(fact) = named.or_else(|| law.pays.0.iter().find(|fact| fact.is.table.is_none())) else { continue };
                if let (Some(Prize::Paid(odds)), Some(rank)) = (fact.is.prizes.get(&Rank::WIN), wager.ranks.find(&format!("part {}", at + 1))) {
                    by_rank.insert(rank, Prize::Part { units: part.units, of, odds: *odds });
                }
                cites.extend(fact.cites.iter().cloned());
                days = days.and(&fact.days);
            }
            lists.push((table, Prizes::new(wager.ranks, by_rank), merge(cites), days));
        }
        lists
    }
}

/// The numbers an odds bet is priced on; one bet without a number for every other wager.
fn numbers(mechanic: Mechanic, prizes: &Prizes) -> Vec<Option<Point>> {
    match mechanic {
        Mechanic::Behind(..) => prizes.iter().map(|(rank, _)| Point::from_value(rank.index())).collect(),
        _ => vec![None],
    }
}

/// Raises the prices that a modifier's lines name to one of its levels.
pub(crate) fn raise_prizes(prizes: &mut Prizes, wager: WagerId, lines: &[&Fact<crate::fact::ModifierLine>], level: usize) {
    for line in lines {
        let Some(odds) = line.is.pays.get(level).copied() else { continue };
        match (&line.is.parts, wager.wager().mechanic) {
            (Some(named), Mechanic::Composite(parts)) => {
                let of = parts.iter().map(|part| part.units).sum();
                for (at, part) in parts.iter().enumerate() {
                    if !named.iter().any(|id| id.wager().slug == part.wager) {
                        continue;
                    }
                    let prize = match line.is.on {
                        AppliesTo::Part => Prize::Part { units: part.units, of, odds },
                        AppliesTo::Stake | AppliesTo::Whole => Prize::Paid(odds),
                    };
                    if let Some(rank) = prizes.ranks.find(&format!("part {}", at + 1)) {
                        prizes.set(rank, prize);
                    }
                }
            }
            _ => {
                let ranks: Vec<Rank> = prizes.iter().map(|(rank, _)| rank).collect();
                for rank in ranks {
                    prizes.set(rank, Prize::Paid(odds));
                }
            }
        }
    }
}

/// The citations, each once, in order.
pub(crate) fn merge(cites: impl IntoIterator<Item = crate::Cite>) -> Cites {
    let mut all: Vec<crate::Cite> = Vec::new();
    for cite in cites {
        if !all.contains(&cite) {
            all.push(cite);
        }
    }
    Cites(all)
}
