//! Prices a line, come or put bet together with its odds.

use crate::analysis::Analysis;
use crate::chain::Verdict;
use crate::price::fraction;
use crate::solve::Solver;
use craps_dice::Point;
use craps_law::{Cap, Multiple, OddsRules, Offering, Prize, Prizes};
use craps_money::{Money, Rounding, Stake, Unpayable};
use craps_wagers::Rank;
use dashu_ratio::RBig;
use std::collections::BTreeMap;

/// The odds bet behind a flat bet: its limits and what it pays.
#[derive(Debug, Clone, Copy)]
pub struct WithOdds<'a> {
    /// The odds multiple, what it limits, and how far the bet can exceed it.
    pub rules: &'a OddsRules,
    /// What the odds pay on each number.
    pub prizes: &'a Prizes,
}

impl WithOdds<'_> {
    fn odds_on(&self, number: Point) -> Option<craps_money::Odds> {
        self.prizes.iter().find(|(rank, _)| rank.index() == number.value()).and_then(|(_, prize)| match prize {
            Prize::Paid(odds) => Some(odds),
            _ => None,
        })
    }

    /// Returns the stake and the win of full odds, per unit of the flat bet. The multiple limits either the stake or the win.
    fn per_unit(&self, multiple: &Multiple, number: Point) -> Option<(RBig, RBig)> {
        let odds = self.odds_on(number)?;
        let net = fraction((i64::from(odds.net().0), u64::from(odds.net().1)));
        let times = RBig::from(multiple.on(number)?);
        let stake = match self.rules.cap.is {
            Cap::Stake => times,
            // Odds that win nothing can't win the multiple.
            Cap::Win if net == RBig::ZERO => return None,
            Cap::Win => times / &net,
        };
        Some((stake.clone(), stake * net))
    }
}

/// Analyzes a flat bet that gets full odds as soon as it has a number. `edge` and `variance` are per unit of the flat bet plus the
/// expected odds. With a real stake, the flat bet and the odds are paid as the table would pay them.
///
/// ```
/// # use craps_law::Library;
/// # let library = Library::shipped();
/// use craps_odds::{Solver, WithOdds, with_odds};
/// let book = library.named("nj")?;
/// let (pass, behind) = (book.offering("pass", None)?, book.offering("pass-odds-4", None)?);
/// let law = book.wager(behind.wager).unwrap();
/// let rules = book.odds_rules(law, "2".parse().unwrap(), None).unwrap();
/// let pair = WithOdds { rules: &rules, prizes: &behind.prizes };
/// let analysis = with_odds(&mut Solver::default(), &pass, &pair, None)?;
/// assert_eq!(analysis.edge.to_string(), "1/165");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the flat stake or its odds can't be paid under the rounding rule.
pub fn with_odds(
    solver: &mut Solver,
    offering: &Offering,
    odds: &WithOdds<'_>,
    real: Option<(Stake, &Rounding)>,
) -> Result<Analysis, Unpayable> {
    let solution = solver.solve(&offering.machine, offering.number, 0);
    let fixed = offering.wager.wager().number;
    // A rank without a price loses.
    let flat = |rank: Rank| -> Result<RBig, Unpayable> {
        Ok(match (offering.prizes.of(rank), real) {
            (None, _) => -RBig::ONE,
            (Some(prize), Some((stake, rounding))) => per_unit_of(prize.settle(stake, rounding)?, stake),
            (Some(prize), None) => fraction(prize.net()),
        })
    };
    // For each number: the odds staked and what they win, per unit of the flat bet.
    let mut behind: BTreeMap<Point, (RBig, RBig)> = BTreeMap::new();
    for number in Point::ALL {
        let amounts = match real {
            None => odds.per_unit(&odds.rules.multiple, number),
            Some((stake, rounding)) => {
                let Some(price) = odds.odds_on(number) else { continue };
                match odds.rules.most(stake, number, price, rounding).and_then(Stake::new) {
                    None => None,
                    Some(amount) => {
                        let win = Prize::Paid(price).settle(amount, rounding)?;
                        Some((per_unit_of(amount.money(), stake), per_unit_of(win, stake)))
                    }
                }
            }
        };
        behind.extend(amounts.map(|amounts| (number, amounts)));
    }
    let none = (RBig::ZERO, RBig::ZERO);
    let mut nets: BTreeMap<(RBig, bool), RBig> = BTreeMap::new();
    let (mut staked, mut mean, mut second) = (RBig::ONE, RBig::ZERO, RBig::ZERO);
    let mut results = Vec::new();
    for (end, p) in &solution.ends {
        let (stake, win) = end.number.or(fixed).and_then(|number| behind.get(&number)).unwrap_or(&none);
        let net = match end.verdict {
            Verdict::Rank(rank) => flat(rank)? + win,
            Verdict::Lost => -RBig::ONE - stake,
            Verdict::Pushed => RBig::ZERO,
        };
        staked += p * stake;
        results.push((net, p.clone()));
    }
    for (net, p) in results {
        let per_unit = net / &staked;
        mean += &p * &per_unit;
        second += &p * &per_unit * &per_unit;
        *nets.entry((per_unit, false)).or_default() += p;
    }
    Ok(Analysis::new(nets, mean, second, solution.throws.clone(), solution.states))
}

fn per_unit_of(amount: Money, stake: Stake) -> RBig {
    RBig::from(amount.minor()) / RBig::from(stake.minor())
}
