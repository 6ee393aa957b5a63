//! The rules of one table: the result of a book, a day and a house, with every choice made.

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

/// A house rule that the book doesn't allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// House key, such as `odds.k`.
    pub path: String,
    /// What is wrong, and what is allowed.
    pub message: String,
    /// Sections of the law that say so.
    pub cites: Cites,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)?;
        if self.cites.0.is_empty() { Ok(()) } else { write!(f, " [{}]", self.cites) }
    }
}

impl std::error::Error for Problem {}

/// Something that the house should know, although its rules are allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Notice {
    /// What it is about: a house key such as `higher_odds`, or `as_of`.
    pub path: String,
    /// Text for the house.
    pub message: String,
    /// Sections of the law that say so.
    pub cites: Cites,
}

/// The minimum and maximum of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Minimum bet.
    pub min: Stake,
    /// Maximum bet. `None`: no maximum.
    pub max: Option<Stake>,
    /// The bet is a multiple of this.
    pub step: Stake,
}

impl Limits {
    /// Returns true when at least one amount fits the limits and the step.
    #[must_use]
    pub fn allow_something(&self) -> bool {
        let steps = self.min.minor().div_ceil(self.step.minor());
        let least = self.step.times(steps);
        least.is_some_and(|least| self.max.is_none_or(|max| least <= max))
    }
}

/// Who sets a limit: the law or the house.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetBy {
    /// The law, in these sections.
    Law(Cites),
    /// The house, with this key.
    House(String),
}

/// Who sets each limit of a bet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitsBy {
    /// Who sets the minimum.
    pub min: SetBy,
    /// Who sets the maximum.
    pub max: SetBy,
    /// Who sets the step.
    pub step: SetBy,
}

/// The limits of an odds bet at this table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OddsRules {
    /// Maximum multiple for each number.
    pub multiple: Multiple,
    /// Whether the multiple limits the stake or the win.
    pub cap: Fact<Cap>,
    /// Whether the bet may exceed the limit so that it can be paid exactly.
    pub excess: Fact<Excess>,
    /// Whether the table maximum applies to the bet.
    pub table_max: Fact<TableMax>,
}

impl OddsRules {
    /// Returns the maximum odds behind a flat bet on a number. The cap is raised to the next amount that pays exactly if the law
    /// allows that. Otherwise it is lowered to whole chips, or to the last amount that pays exactly if payouts must be exact. `None`
    /// for a number without odds, or on overflow.
    #[must_use]
    pub fn most(&self, flat: Stake, number: Point, odds: Odds, rounding: &Rounding) -> Option<Money> {
        let times = u128::from(self.multiple.on(number)?);
        let (win, per) = odds.net();
        let flat = u128::from(flat.minor());
        let (cap_num, cap_den) = match self.cap.is {
            Cap::Stake => (times * flat, 1u128),
            // Odds that win nothing can't win the multiple.
            Cap::Win if win == 0 => return None,
            Cap::Win => (times * flat * u128::from(per), u128::from(win)),
        };
        let chip = u128::from(rounding.chip.minor());
        let exact = chip * u128::from(per);
        let minor = match (self.excess.is, rounding.rule) {
            (Excess::ToPayExactly, _) => cap_num.div_ceil(cap_den * exact) * exact,
            (Excess::None, RoundingRule::ExactOrRefuse) => cap_num / (cap_den * exact) * exact,
            (Excess::None, RoundingRule::Up | RoundingRule::Down) => cap_num / (cap_den * chip) * chip,
        };
        i64::try_from(minor).ok().map(Money::from_minor)
    }
}

impl OddsRules {
    /// Returns the maximum odds behind a flat bet at a table with this maximum bet. If the table maximum applies except for the excess, it is raised
    /// to the next amount that pays exactly.
    #[must_use]
    pub fn most_at_table(
        &self,
        flat: Stake,
        number: Point,
        odds: Odds,
        rounding: &Rounding,
        table_max: Option<Stake>,
    ) -> Option<Money> {
        let most = self.most(flat, number, odds, rounding)?;
        let Some(limit) = table_max else { return Some(most) };
        let exact = u128::from(rounding.chip.minor()) * u128::from(odds.net().1);
        let limit = match self.table_max.is {
            TableMax::Exempt => return Some(most),
            TableMax::Applies => limit.money(),
            TableMax::ExceptExcess => {
                let minor = u128::from(limit.minor()).div_ceil(exact) * exact;
                Money::from_minor(i64::try_from(minor).ok()?)
            }
        };
        Some(most.min(limit))
    }
}

/// The rules of one wager at one table, with every choice made.
#[derive(Debug, Clone, PartialEq)]
pub struct WagerRules {
    /// Id of the wager.
    pub wager: WagerId,
    /// Legal name on the day.
    pub name: String,
    /// State machine that decides the bet.
    pub machine: Machine,
    /// What its ranks pay, with citations.
    pub prizes: Fact<Prizes>,
    /// Name of the pay table in use, if the law names it.
    pub pay_table: Option<String>,
    /// The rule by which it is offered.
    pub offer: Fact<Offer>,
    /// When it may be made.
    pub make: Fact<Make>,
    /// When it may be increased.
    pub raise: Fact<Raise>,
    /// Until when it may be reduced or taken down.
    pub lower: Fact<Lower>,
    /// Whether it works on the come-out roll.
    pub works: Fact<Works>,
    /// Minimum, maximum and step. `None` for odds bets, which have only their multiple.
    pub limits: Option<Limits>,
    /// Who sets the limits.
    pub limits_by: LimitsBy,
    /// The bet must be a multiple of this many chips.
    pub units: Option<Fact<u32>>,
    /// Commission, if the bet has one.
    pub commission: Option<Fact<Commission>>,
    /// Limits of an odds bet. `None` for other bets.
    pub odds: Option<OddsRules>,
    /// True for a composite that is broken down because the layout has no area for it.
    pub broken_down: bool,
    /// True when the bet stays up after a win.
    pub stays_up: bool,
}

/// The rules of one table: a book, a day and a house, with every choice made.
#[derive(Debug, Clone, PartialEq)]
pub struct TableRules {
    /// Id of the rule book.
    pub book: String,
    /// Name that the house gives the table.
    pub name: Option<String>,
    /// Day that the rules are for.
    pub as_of: Day,
    /// Kind of game.
    pub game: Game,
    /// Totals that set a point.
    pub points: Points,
    /// How payouts are rounded, and the lowest chip.
    pub rounding: Rounding,
    /// True when commission is refunded for a bet that is taken down.
    pub refund: bool,
    /// True when players can turn any bet off. `None` when the book doesn't let the house decide that.
    pub off_calls_any: Option<bool>,
    /// Roles that may call no roll.
    pub callers: Vec<Who>,
    /// True when the table has a stickperson.
    pub stickperson: bool,
    /// Wagers offered, in catalogue order.
    pub wagers: Vec<WagerRules>,
    /// Wagers of the book that this table doesn't offer, and who decides that: the house with a key, or the law for this game.
    pub left_out: Vec<(WagerId, SetBy)>,
    /// Modifiers offered.
    pub modifiers: Vec<Modifier>,
    /// Answers of the book on the day, by topic.
    pub rules: BTreeMap<String, Fact<Rule>>,
    /// Number of seats, and who sets it. `None` when neither the law nor the house says.
    pub seats: Option<(u32, SetBy)>,
    /// Notices for the house.
    pub notices: Vec<Notice>,
}

impl TableRules {
    /// Returns the raised prize of a rank on a roll for which a draw selected wagers and levels. `None` if the draw raised nothing of
    /// this wager. A composite that was broken down is raised when one of its pieces is.
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

    /// Returns the raised prize of one part of a composite that is broken down. One unit of the part belongs to a horn bet, if the table
    /// has a horn with that part. The rest is a bet by itself.
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
            (None, 1) => (alone(), None),
            (None, _) => (alone(), alone()),
        };
        if first.is_none() && second.is_none() {
            return None;
        }
        let first = first.unwrap_or(base);
        let odds = if part.units == 1 { first } else { first.mean(second.unwrap_or(base))? };
        Some(Prize::Part { units: part.units, of, odds })
    }

    /// Returns the price of a wager at this table. `number` is the number of an odds bet.
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

    /// Returns the book's own name for a wager, with its number if several wagers of the table have the same name. None if that doesn't tell them
    /// apart.
    ///
    /// ```
    /// use craps_law::{HouseRules, Library};
    /// let library = Library::shipped();
    /// let book = library.named("nj")?;
    /// let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// let six = rules.wagers.iter().find(|wager| wager.wager.wager().slug == "place-win-6").unwrap();
    /// assert_eq!(rules.own_name(six).as_deref(), Some("Place Bet 6 to Win"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn own_name(&self, rules: &WagerRules) -> Option<String> {
        let number = rules.wager.wager().number_text;
        let namesakes = || self.wagers.iter().filter(|other| other.wager != rules.wager && other.name == rules.name);
        if namesakes().next().is_none() {
            return Some(rules.name.clone());
        }
        let alike = number.is_empty() || namesakes().any(|other| other.wager.wager().number_text == number);
        (!alike).then(|| format!("{} {number}", rules.name))
    }

    /// Returns the rules of one wager, if the table offers it.
    #[must_use]
    pub fn wager(&self, wager: WagerId) -> Option<&WagerRules> {
        self.wagers.iter().find(|rules| rules.wager == wager)
    }
}

impl RuleBook {
    /// Returns the limits of an odds bet on a day under a multiple. Numbers without a multiple get the one of the 4.
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
