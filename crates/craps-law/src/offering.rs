//! Everything a book prices: one offering per wager, pay table and commission.

use crate::fact::{Fact, ModifierLine, PayTable, RuleBook, WagerLaw};
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

/// A wager that a book does not price, with the names that come closest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{book} has no `{name}`{}", if .near.is_empty() { String::new() } else { format!(": perhaps {}", .near.join(", ")) })]
pub struct NoSuchOffering {
    /// The book.
    pub book: String,
    /// What was asked for.
    pub name: String,
    /// The names that come closest, the nearest first; none where none is near.
    pub near: Vec<String>,
}

/// What a pay table without a name is called.
pub(crate) const STANDARD: &str = "standard";

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
    /// Which totals set a point in this book's game: those that set one for a pass bet.
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
            // The loader has tried every word on its dial.
            let _ = dials.turn(*dial, &fact.is);
        }
        dials
    }

    /// The automaton of a wager with the book's readings; `turned` dials are set otherwise.
    #[must_use]
    pub fn machine(&self, law: &WagerLaw, turned: &[(Dial, String)]) -> Machine {
        let mut dials = self.dials_of(law);
        // A bet without a come-out of its own reads the table's phase, so the table's points are its.
        if !law.wager.wager().mechanic.dials().contains(&Dial::Points) {
            dials.points = self.points();
        }
        for (dial, word) in turned {
            let _ = dials.turn(*dial, word);
        }
        law.wager.wager().machine(dials)
    }

    /// The first price of a wager on a day, or the first it ever had: `place-win-6`, and odds by their number: `pass-odds-4`.
    ///
    /// ```
    /// let library = craps_law::Library::shipped();
    /// let nj = library.named("nj")?;
    /// assert_eq!(nj.offering("pass-odds-4", None)?.name(), "pass-odds-4");
    /// let error = nj.offering("pass-odd-4", None).unwrap_err();
    /// assert_eq!(error.to_string(), "nj has no `pass-odd-4`: perhaps pass-odds-4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the book prices no wager of that name then.
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

    /// Everything the book prices on a day, or ever priced, in catalogue order.
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

    /// The price lists of a wager: its own, or those that its parts make.
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
            // A part without a table of that name is paid its standard price; each stretch of days of a part's price makes a list.
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

    /// The price lists that modifiers make of a wager's standard ones, level by level and for each stretch of days.
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

/// One column of prices, where it stands and when it holds.
#[derive(Debug, Clone)]
pub(crate) struct PriceList {
    pub table: Option<String>,
    pub prizes: Prizes,
    pub cites: Cites,
    pub days: Days,
    /// The modifier and level that raised it.
    pub modifier: Option<(String, usize)>,
}

impl PriceList {
    /// The list of a composite with one more part priced, on the days that both hold.
    fn with_part(&self, at: u8, part: &Part, of: u8, fact: &Fact<PayTable>) -> Option<PriceList> {
        let Some(Prize::Paid(odds)) = fact.is.prizes.get(&Rank::WIN) else { return None };
        let mut list = self.clone();
        list.prizes.set(Rank::of_part(at), Prize::Part { units: part.units, of, odds: *odds });
        list.cites = merge(self.cites.iter().chain(fact.cites.iter()).cloned());
        list.days = self.days.and(&fact.days);
        (!list.days.is_empty()).then_some(list)
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

/// The citations, each once, in order.
pub(crate) fn merge(cites: impl IntoIterator<Item = Cite>) -> Cites {
    let mut all: Vec<Cite> = Vec::new();
    for cite in cites {
        if !all.contains(&cite) {
            all.push(cite);
        }
    }
    Cites(all)
}
