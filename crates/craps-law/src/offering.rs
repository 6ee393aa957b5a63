//! Lists the prices of a book: one offering per wager, pay table and commission.

use crate::fact::{Dated, Fact, ModifierLine, PayTable, RuleBook, WagerLaw};
use crate::lines::payouts;
use crate::words::AppliesTo;
use crate::{Cite, Cites, Day, Days, Prize};
use craps_dice::Point;
use craps_money::Commission;
use craps_wagers::{Dial, Dials, Machine, Mechanic, Part, Points, Rank, Ranks, Side, WagerId};
use std::collections::{BTreeMap, BTreeSet};

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

    /// Returns the prize of a rank. `None` means that it loses. For counts, the prize is that of the highest listed count reached.
    #[must_use]
    pub fn of(&self, rank: Rank) -> Option<Prize> {
        match self.ranks {
            Ranks::Counts(_) => self.by_rank.range(..=rank).next_back().map(|(_, prize)| *prize),
            _ => self.by_rank.get(&rank).copied(),
        }
    }

    /// Iterates over the ranks that have a prize.
    pub fn iter(&self) -> impl Iterator<Item = (Rank, Prize)> {
        self.by_rank.iter().map(|(rank, prize)| (*rank, *prize))
    }

    pub(crate) fn set(&mut self, rank: Rank, prize: Prize) {
        self.by_rank.insert(rank, prize);
    }
}

/// One price of a wager under a book: a pay table and a commission.
#[derive(Debug, Clone, PartialEq)]
pub struct Offering {
    /// Id of the wager.
    pub wager: WagerId,
    /// Number that an odds bet is on. `None` for other bets.
    pub number: Option<Point>,
    /// Name of the pay table in the law, or `standard` if it has none.
    pub pay_table: String,
    /// Commission, if the bet has one.
    pub commission: Option<Commission>,
    /// Prizes of the ranks.
    pub prizes: Prizes,
    /// State machine that decides the bet.
    pub machine: Machine,
    /// Sections of the law that set the prices.
    pub cites: Cites,
    /// Days on which the price applies.
    pub days: Days,
    /// Id of the modifier that raised the prices, and its level counted from 0.
    pub modifier: Option<(String, usize)>,
}

/// The error for a wager that a book doesn't price, with the closest names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{book} has no `{name}`{}", if .near.is_empty() { String::new() } else { format!(": did you mean {}?", .near.join(", ")) })]
pub struct NoSuchOffering {
    /// Id of the book.
    pub book: String,
    /// Name that was asked for.
    pub name: String,
    /// Closest names, at most three. Empty if none is close.
    pub near: Vec<String>,
}

/// Name for a pay table that has none in the law.
pub(crate) const STANDARD: &str = "standard";

impl Offering {
    /// Returns the id of the wager, with the number for odds bets.
    #[must_use]
    pub fn name(&self) -> String {
        match self.number {
            Some(number) => format!("{}-{number}", self.wager),
            None => self.wager.to_string(),
        }
    }

    /// Returns the name of the pay table. `None` if the law gives it none.
    #[must_use]
    pub fn table(&self) -> Option<&str> {
        Some(self.pay_table.as_str()).filter(|table| *table != STANDARD)
    }

    /// Iterates over the prizes of the bet. Odds on a number have only the prize of that number.
    pub fn own_prizes(&self) -> impl Iterator<Item = (Rank, Prize)> {
        let is_own = |rank: Rank| self.number.is_none_or(|number| rank.index() == number.value());
        self.prizes.iter().filter(move |(rank, _)| is_own(*rank))
    }

    /// Returns the payout as the book writes it. `None` if the book writes none for the bet itself: a composite is paid by its parts,
    /// and a raised price is on the list of the feature that raises it.
    ///
    /// ```
    /// let library = craps_law::Library::shipped();
    /// let nj = library.named("nj")?;
    /// assert_eq!(nj.offering("place-win-6", None)?.pays().as_deref(), Some("7 to 6"));
    /// assert_eq!(nj.offering("pass-odds-4", None)?.pays().as_deref(), Some("2 to 1"));
    /// assert_eq!(nj.offering("horn", None)?.pays(), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn pays(&self) -> Option<String> {
        let wager = self.wager.wager();
        if self.modifier.is_some() || matches!(wager.mechanic, Mechanic::Composite(_)) {
            return None;
        }
        if self.number.is_some() {
            return self.own_prizes().next().map(|(_, prize)| prize.to_string());
        }
        Some(payouts(wager.ranks, self.prizes.iter()))
    }
}

impl RuleBook {
    /// Returns the totals that set a point for a pass bet under this book.
    #[must_use]
    pub fn points(&self) -> Points {
        let with_the_shooter =
            |law: &&WagerLaw| law.wager.wager().is_on_the_line() && law.wager.wager().side() == Some(Side::Right);
        let pass = self.wagers.values().find(with_the_shooter);
        pass.map(|law| self.dials_of(law).points).unwrap_or_default()
    }

    fn dials_of(&self, law: &WagerLaw) -> Dials {
        let mut dials = Dials::default();
        for (dial, fact) in &law.dials {
            // The loader has already checked every word.
            let _ = dials.turn(*dial, &fact.is);
        }
        dials
    }

    /// Returns the dials of a wager under this book.
    #[must_use]
    pub fn dials(&self, law: &WagerLaw) -> Dials {
        let mut dials = self.dials_of(law);
        // A bet without its own come-out follows the phase of the table, so it uses the points of the table.
        if !law.wager.wager().mechanic.dials().contains(&Dial::Points) {
            dials.points = self.points();
        }
        dials
    }

    /// Returns the state machine of a wager under this book. `turned` overrides dials. A word that a dial doesn't have changes
    /// nothing.
    #[must_use]
    pub fn machine(&self, law: &WagerLaw, turned: &[(Dial, String)]) -> Machine {
        let mut dials = self.dials(law);
        for (dial, word) in turned {
            let _ = dials.turn(*dial, word);
        }
        law.wager.wager().machine(dials)
    }

    /// Returns the first price of a wager on a day, or the first it ever had. Names look like `place-win-6`; odds include their
    /// number: `pass-odds-4`.
    ///
    /// ```
    /// let library = craps_law::Library::shipped();
    /// let nj = library.named("nj")?;
    /// assert_eq!(nj.offering("pass-odds-4", None)?.name(), "pass-odds-4");
    /// let error = nj.offering("pass-odd-4", None).unwrap_err();
    /// assert_eq!(error.to_string(), "nj has no `pass-odd-4`: did you mean pass-odds-4?");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the book has no price for this name on the day.
    pub fn offering(&self, name: &str, on: Option<Day>) -> Result<Offering, NoSuchOffering> {
        let mut all = self.offerings(on);
        match all.iter().position(|offering| offering.name() == name) {
            Some(at) => Ok(all.swap_remove(at)),
            None => {
                let names: BTreeSet<String> = all.iter().map(Offering::name).collect();
                let distance = |known: &str| strsim::damerau_levenshtein(name, known);
                let least = names.iter().map(|known| distance(known)).min().filter(|least| *least <= 2);
                let near = names.into_iter().filter(|known| Some(distance(known)) == least).take(3).collect();
                Err(NoSuchOffering { book: self.id.clone(), name: name.to_owned(), near })
            }
        }
    }

    /// Returns the ids of the readings that a price depends on: those of its pay table, its commission, the way it is settled, and the
    /// rule that says whether a house may pay more.
    ///
    /// ```
    /// let library = craps_law::Library::shipped();
    /// let nj = library.named("nj")?;
    /// assert_eq!(nj.readings_of(&nj.offering("place-win-6", None)?), Vec::<String>::new());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn readings_of(&self, offering: &Offering) -> Vec<String> {
        fn of<'a, T>(facts: &'a Dated<T>, offering: &Offering) -> impl Iterator<Item = &'a Fact<T>> {
            let days = offering.days;
            facts.0.iter().filter(move |fact| fact.days.overlap(&days))
        }
        let Some(law) = self.wager(offering.wager) else { return Vec::new() };
        let is_paid = |fact: &&Fact<PayTable>| fact.is.table.as_deref() == offering.table();
        let is_charged = |fact: &&Fact<Commission>| {
            offering.commission.is_some_and(|commission| commission.timing == fact.is.timing)
        };
        let price = of(&law.price, offering).map(|fact| &fact.readings);
        let pays = of(&law.pays, offering).filter(is_paid).map(|fact| &fact.readings);
        let commission = of(&law.commission, offering).filter(is_charged).map(|fact| &fact.readings);
        let settled = of(&law.settled, offering).map(|fact| &fact.readings);
        let mut all: Vec<String> = Vec::new();
        for reading in price.chain(pays).chain(commission).chain(settled).flatten() {
            if !all.contains(reading) {
                all.push(reading.clone());
            }
        }
        all
    }

    /// Lists every price on a day, or every price there ever was, in catalogue order.
    #[must_use]
    pub fn offerings(&self, on: Option<Day>) -> Vec<Offering> {
        let in_force = Days { from: self.in_force.as_ref().map(|first| first.from), until: None };
        let mut all = Vec::new();
        for law in self.wagers.values() {
            let machine = self.machine(law, &[]);
            let lists = self.price_lists(law);
            let raised = self.raised_lists(law, &lists);
            let commissions: Vec<Option<&Fact<Commission>>> =
                if law.commission.0.is_empty() { vec![None] } else { law.commission.0.iter().map(Some).collect() };
            for offer in &law.offer.0 {
                for list in lists.iter().chain(&raised) {
                    for commission in &commissions {
                        let charged = commission.map_or(Days::ALWAYS, |fact| fact.days);
                        let days = list.days.and(&offer.days).and(&in_force).and(&charged);
                        if days.is_empty() || !days.hold(on) {
                            continue;
                        }
                        let charge = commission.iter().flat_map(|fact| fact.cites.iter());
                        let cites = merge(list.cites.iter().chain(charge).cloned());
                        all.extend(numbers(machine.mechanic, &list.prizes).into_iter().map(|number| Offering {
                            wager: law.wager,
                            number,
                            pay_table: list.table.clone().unwrap_or_else(|| STANDARD.to_owned()),
                            commission: commission.map(|fact| fact.is),
                            prizes: list.prizes.clone(),
                            machine,
                            cites: cites.clone(),
                            days,
                            modifier: list.modifier.clone(),
                        }));
                    }
                }
            }
        }
        all
    }

    /// Returns the price lists of a wager. A composite gets them from its parts.
    pub(crate) fn price_lists(&self, law: &WagerLaw) -> Vec<PriceList> {
        let wager = law.wager.wager();
        let Mechanic::Composite(parts) = wager.mechanic else {
            let list = |fact: &Fact<PayTable>| PriceList {
                table: fact.is.table.clone(),
                prizes: Prizes::new(wager.ranks, fact.is.prizes.clone()),
                cites: fact.cites.clone(),
                days: fact.days,
                modifier: None,
            };
            return law.pays.0.iter().map(list).collect();
        };
        let pays_of = |part: &Part| self.wagers.get(&part.wager).map(|law| &law.pays.0);
        let mut tables: Vec<Option<String>> = vec![None];
        for fact in parts.iter().filter_map(pays_of).flatten() {
            if !tables.contains(&fact.is.table) {
                tables.push(fact.is.table.clone());
            }
        }
        let settled = merge(law.settled.0.iter().flat_map(|fact| fact.cites.iter().cloned()));
        let of = parts.iter().map(|part| part.units).sum();
        let mut lists = Vec::new();
        for table in tables {
            let prizes = Prizes::new(wager.ranks, BTreeMap::new());
            let empty =
                PriceList { table: table.clone(), prizes, cites: settled.clone(), days: Days::ALWAYS, modifier: None };
            // A part without a table of that name pays its standard price. Each span of days of a part's price makes its own list.
            lists.extend((0u8..).zip(parts).fold(vec![empty], |lists, (at, part)| {
                let pays = pays_of(part).map_or(&[][..], Vec::as_slice);
                let named = pays.iter().any(|fact| fact.is.table == table);
                let candidates: Vec<_> = pays
                    .iter()
                    .filter(|fact| if named { fact.is.table == table } else { fact.is.table.is_none() })
                    .collect();
                lists
                    .iter()
                    .flat_map(|list| candidates.iter().filter_map(|fact| list.with_part(at, part, of, fact)))
                    .collect()
            }));
        }
        lists
    }

    /// Returns the raised price lists of a wager, for each modifier, level and span of days.
    fn raised_lists(&self, law: &WagerLaw, lists: &[PriceList]) -> Vec<PriceList> {
        let mut raised = Vec::new();
        for modifier in &self.modifiers {
            let lines: Vec<_> = modifier.lines.iter().filter(|line| line.is.wagers.contains(&law.wager)).collect();
            let levels = lines.iter().map(|line| line.is.pays.len()).min().unwrap_or(0);
            let bases = lists.iter().filter(|list| list.table.is_none());
            for (base, offer) in bases.flat_map(|base| modifier.offer.0.iter().map(move |offer| (base, offer))) {
                for level in 0..levels {
                    let mut prizes = base.prizes.clone();
                    raise_prizes(&mut prizes, law.wager, &lines, level);
                    raised.push(PriceList {
                        table: Some(format!("{} {}", modifier.label, level + 1)),
                        prizes,
                        cites: merge(lines.iter().flat_map(|line| line.cites.iter().cloned())),
                        days: lines.iter().fold(base.days.and(&offer.days), |days, line| days.and(&line.days)),
                        modifier: Some((modifier.id.clone(), level)),
                    });
                }
            }
        }
        raised
    }
}

/// One pay table with its citations and days.
#[derive(Debug, Clone)]
pub(crate) struct PriceList {
    pub table: Option<String>,
    pub prizes: Prizes,
    pub cites: Cites,
    pub days: Days,
    /// Id and level of the modifier that raised it.
    pub modifier: Option<(String, usize)>,
}

impl PriceList {
    /// Adds the price of one more part to the list of a composite, for the days that both apply.
    fn with_part(&self, at: u8, part: &Part, of: u8, fact: &Fact<PayTable>) -> Option<PriceList> {
        let Some(Prize::Paid(odds)) = fact.is.prizes.get(&Rank::WIN) else { return None };
        let mut list = self.clone();
        list.prizes.set(Rank::of_part(at), Prize::Part { units: part.units, of, odds: *odds });
        list.cites = merge(self.cites.iter().chain(fact.cites.iter()).cloned());
        list.days = self.days.and(&fact.days);
        (!list.days.is_empty()).then_some(list)
    }
}

/// Returns the numbers that an odds bet has prices for. Other wagers give one `None`.
fn numbers(mechanic: Mechanic, prizes: &Prizes) -> Vec<Option<Point>> {
    match mechanic {
        Mechanic::Behind(..) => prizes.iter().map(|(rank, _)| Point::from_value(rank.index())).collect(),
        _ => vec![None],
    }
}

/// Raises the prices that a modifier's lines name, to one of its levels.
fn raise_prizes(prizes: &mut Prizes, wager: WagerId, lines: &[&Fact<ModifierLine>], level: usize) {
    for line in lines {
        let Some(odds) = line.is.pays.get(level).copied() else { continue };
        match (&line.is.parts, wager.wager().mechanic) {
            (Some(named), Mechanic::Composite(parts)) => {
                let of = parts.iter().map(|part| part.units).sum();
                let is_named = |part: &Part| named.contains(&part.wager);
                for (at, part) in (0u8..).zip(parts).filter(|(_, part)| is_named(part)) {
                    let prize = match line.is.on {
                        AppliesTo::Part => Prize::Part { units: part.units, of, odds },
                        AppliesTo::Stake | AppliesTo::Whole => Prize::Paid(odds),
                    };
                    prizes.set(Rank::of_part(at), prize);
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

/// Removes duplicate citations and keeps their order.
pub(crate) fn merge(cites: impl IntoIterator<Item = Cite>) -> Cites {
    let mut all: Vec<Cite> = Vec::new();
    for cite in cites {
        if !all.contains(&cite) {
            all.push(cite);
        }
    }
    Cites(all)
}
