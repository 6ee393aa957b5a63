//! The rules of one table: what a book, a day and a house come to, with nothing left open.

use crate::fact::{Fact, Make, Modifier, ModifierLine, Offer, Rule, RuleBook, WagerLaw, Works};
use crate::house::Multiple;
use crate::offering::{Offering, Prizes, STANDARD};
use crate::words::{AppliesTo, Cap, Excess, Game, Lower, Raise, TableMax, Who};
use crate::{Cites, Day, Days, Prize};
use craps_dice::Point;
use craps_money::{Commission, Money, Odds, Rounding, RoundingRule, Stake};
use craps_wagers::{Machine, Mechanic, Part, Points, Rank, WagerId};
use std::collections::BTreeMap;
use std::fmt;

/// Why a house may not play so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The house key.
    pub path: String,
    /// What is wrong, and what would be right.
    pub message: String,
    /// By which words.
    pub cites: Cites,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}]", self.path, self.message, self.cites)
    }
}

impl std::error::Error for Problem {}

/// Something the house should know although it may play so.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about: a house key, a wager or a section.
    pub path: String,
    /// What there is to know.
    pub message: String,
    /// By which words.
    pub cites: Cites,
}

/// The least and most a bet may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The least.
    pub min: Stake,
    /// The most; none where there is no maximum.
    pub max: Option<Stake>,
    /// The bet is a multiple of this.
    pub step: Stake,
}

impl Limits {
    /// Is there an amount between the limits that is a whole number of steps?
    #[must_use]
    pub fn allow_something(&self) -> bool {
        let steps = self.min.minor().div_ceil(self.step.minor());
        let least = self.step.times(steps);
        least.is_some_and(|least| self.max.is_none_or(|max| least <= max))
    }
}

/// Who sets a limit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetBy {
    /// The law, in these sections.
    Law(Cites),
    /// The house, under this key of its rules.
    House(String),
}

/// Who sets the limits of a bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitsBy {
    /// The least.
    pub min: SetBy,
    /// The most.
    pub max: SetBy,
    /// The step.
    pub step: SetBy,
}

/// The limits of an odds bet at this table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddsRules {
    /// The multiple by number.
    pub multiple: Multiple,
    /// What it is of.
    pub cap: Fact<Cap>,
    /// May it be passed to pay exactly?
    pub excess: Fact<Excess>,
    /// Does the table's maximum hold for it?
    pub table_max: Fact<TableMax>,
}

impl OddsRules {
    /// The most that may be staked behind a flat bet on a number: the cap, raised to the next amount that pays exactly where the
    /// law lets it be, otherwise lowered to whole chips, and under exact payment to the last amount that pays. None on a number
    /// without odds.
    #[must_use]
    pub fn most(&self, flat: Stake, number: Point, odds: Odds, rounding: &Rounding) -> Option<Money> {
        let times = u128::from(self.multiple.on(number)?);
        let (win, per) = odds.net();
        let flat = u128::from(flat.minor());
        let (cap_num, cap_den) = match self.cap.is {
            Cap::Stake => (times * flat, 1u128),
            Cap::Win => (times * flat * u128::from(per), u128::from(win)),
        };
        let chip = u128::from(rounding.chip.minor());
        let exact = chip * u128::from(per);
        let minor = match (self.excess.is, rounding.rule) {
            (Excess::ToPayExactly, _) => cap_num.div_ceil(cap_den * exact) * exact,
            (Excess::None, RoundingRule::ExactOrRefuse) => cap_num / (cap_den * exact) * exact,
            (Excess::None, RoundingRule::Up) => cap_num / (cap_den * chip) * chip,
        };
        i64::try_from(minor).ok().map(Money::from_minor)
    }
}

/// The rules of one wager at one table: nothing is left open.
#[derive(Debug, Clone, PartialEq)]
pub struct WagerRules {
    /// The wager.
    pub wager: WagerId,
    /// Its legal name on the day.
    pub name: String,
    /// What decides it.
    pub machine: Machine,
    /// What its ranks pay, and where that stands.
    pub prizes: Fact<Prizes>,
    /// The pay table in use, where the law names one.
    pub pay_table: Option<String>,
    /// Why it is offered.
    pub offer: Fact<Offer>,
    /// When it may be made.
    pub make: Fact<Make>,
    /// When it may be added to.
    pub raise: Fact<Raise>,
    /// Until when it may come down.
    pub lower: Fact<Lower>,
    /// Whether it works on a come-out.
    pub works: Fact<Works>,
    /// Its limits; odds have only their multiple.
    pub limits: Option<Limits>,
    /// Who sets its limits.
    pub limits_by: LimitsBy,
    /// The stake is a multiple of this many chips.
    pub units: Option<Fact<u32>>,
    /// Its commission.
    pub commission: Option<Fact<Commission>>,
    /// The limits of an odds bet.
    pub odds: Option<OddsRules>,
    /// Of a composite: is it broken down for want of an area?
    pub broken_down: bool,
    /// Does a winning bet stay up?
    pub stays_up: bool,
}

/// The rules of one table: a book, a day, a house, and nothing left open.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRules {
    /// The book.
    pub book: String,
    /// What the house calls the table.
    pub name: Option<String>,
    /// The day.
    pub as_of: Day,
    /// The game.
    pub game: Game,
    /// Which totals set a point.
    pub points: Points,
    /// How payouts are made, and the lowest chip.
    pub rounding: Rounding,
    /// Is commission given back when a bet comes down?
    pub refund: bool,
    /// Lets players turn any bet off. None where the book leaves that to no house.
    pub off_calls_any: Option<bool>,
    /// Who may call no roll.
    pub callers: Vec<Who>,
    /// Is there a stickperson at the table?
    pub stickperson: bool,
    /// The wagers offered, in catalogue order.
    pub wagers: Vec<WagerRules>,
    /// The book's wagers that this table does not offer, with who decides that: the house under a key, or the law for this game.
    pub left_out: Vec<(WagerId, SetBy)>,
    /// The modifiers offered.
    pub modifiers: Vec<Modifier>,
    /// The book's answers on that day, by topic.
    pub rules: BTreeMap<String, Fact<Rule>>,
    /// What the house should know.
    pub notices: Vec<Notice>,
}

impl TableRules {
    /// What a rank is worth on a throw before which a draw gave levels to wagers; none where nothing of it was raised. A composite
    /// that was broken down is as eligible as the bets it was broken into.
    #[must_use]
    pub fn raised(
        &self,
        wager: WagerId,
        broken_down: bool,
        rank: Rank,
        selection: &[(WagerId, usize)],
    ) -> Option<Prize> {
        let level = |id: WagerId| selection.iter().find(|(chosen, _)| *chosen == id).map(|(_, level)| *level);
        let mut lines = self.modifiers.iter().flat_map(|modifier| &modifier.lines);
        let part = match wager.wager().mechanic {
            Mechanic::Composite(parts) => parts.get(usize::from(rank.index())),
            _ => None,
        };
        let covers = |line: &&Fact<ModifierLine>, id: WagerId, part: Option<&Part>| {
            let names = |part: &Part| line.is.parts.as_ref().is_none_or(|named| named.contains(&part.wager));
            line.is.wagers.contains(&id) && part.is_none_or(names)
        };
        if let Some(line) = lines.find(|line| level(wager).is_some() && covers(line, wager, part)) {
            let odds = *line.is.pays.get(level(wager)?)?;
            return match (line.is.on, part, wager.wager().mechanic) {
                (AppliesTo::Part, Some(part), Mechanic::Composite(parts)) => {
                    Some(Prize::Part { units: part.units, of: parts.iter().map(|part| part.units).sum(), odds })
                }
                _ => Some(Prize::Paid(odds)),
            };
        }
        let (true, Some(part), Mechanic::Composite(parts)) = (broken_down, part, wager.wager().mechanic) else {
            return None;
        };
        self.raised_in_pieces(parts, part, &level)
    }

    /// The prize of one part of a composite that lies broken down: one unit of it belongs to a horn on the layout, where there is one with
    /// that part, and what is left over is a bet of its own.
    fn raised_in_pieces(&self, parts: &[Part], part: &Part, level: &dyn Fn(WagerId) -> Option<usize>) -> Option<Prize> {
        let of: u8 = parts.iter().map(|part| part.units).sum();
        let own = part.wager;
        let base = match self.wager(own)?.prizes.is.of(Rank::WIN)? {
            Prize::Paid(odds) => odds,
            _ => return None,
        };
        let horn = self.wagers.iter().find(|rules| match rules.wager.wager().mechanic {
            Mechanic::Composite(inner) => {
                inner.iter().all(|one| one.units == 1 && parts.iter().any(|known| known.wager == one.wager))
                    && inner.len() < usize::from(of)
            }
            _ => false,
        });
        let horn = horn.filter(|rules| match rules.wager.wager().mechanic {
            Mechanic::Composite(inner) => inner.iter().any(|one| one.wager == part.wager),
            _ => false,
        });
        let raised = |id: WagerId, named: Option<&Part>| {
            let names = |line: &&Fact<ModifierLine>, part: &Part| {
                line.is.parts.as_ref().is_none_or(|ids| ids.contains(&part.wager))
            };
            let mut lines = self.modifiers.iter().flat_map(|modifier| &modifier.lines);
            let line = lines.find(|line| line.is.wagers.contains(&id) && named.is_none_or(|part| names(line, part)))?;
            line.is.pays.get(level(id)?).copied()
        };
        let in_horn = horn.map(|rules| raised(rules.wager, Some(part)));
        let alone = || raised(own, None);
        let (first, second) = match (in_horn, part.units) {
            (Some(in_horn), 1) => (in_horn, None),
            (Some(in_horn), _) => (in_horn, alone()),
            (None, _) => (alone(), None),
        };
        if first.is_none() && second.is_none() {
            return None;
        }
        let first = first.unwrap_or(base);
        let odds = if part.units == 1 { first } else { first.mean(second.unwrap_or(base))? };
        Some(Prize::Part { units: part.units, of, odds })
    }

    /// How this table prices a wager, and odds on a number: for whoever asks what it costs here.
    #[must_use]
    pub fn offering(&self, rules: &WagerRules, number: Option<Point>) -> Offering {
        Offering {
            wager: rules.wager,
            number: number.filter(|_| rules.odds.is_some()),
            pay_table: rules.pay_table.clone().unwrap_or_else(|| STANDARD.to_owned()),
            commission: rules.commission.as_ref().map(|fact| fact.is),
            prizes: rules.prizes.is.clone(),
            machine: rules.machine,
            cites: rules.prizes.cites.clone(),
            days: Days::default(),
            modifier: None,
        }
    }

    /// The rules of one wager, if the table offers it.
    #[must_use]
    pub fn wager(&self, wager: WagerId) -> Option<&WagerRules> {
        self.wagers.iter().find(|rules| rules.wager == wager)
    }
}

impl RuleBook {
    /// The limits of an odds bet on a day under a multiple; numbers the multiple does not name follow the four.
    #[must_use]
    pub fn odds_rules(&self, law: &WagerLaw, mut multiple: Multiple, on: Option<Day>) -> Option<OddsRules> {
        let odds = law.odds.as_ref()?;
        let on_four = multiple.on(Point::Four);
        for number in self.points().all() {
            if let (None, Some(times)) = (multiple.on(*number), on_four) {
                multiple.set(*number, times);
            }
        }
        Some(OddsRules {
            multiple,
            cap: odds.cap.on(on)?.clone(),
            excess: odds.excess.on(on)?.clone(),
            table_max: odds.table_max.on(on)?.clone(),
        })
    }
}
