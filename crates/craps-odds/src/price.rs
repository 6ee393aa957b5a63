//! Applies pay tables to a solved chain.

use crate::analysis::Analysis;
use crate::chain::{Chain, Start, Verdict, fresh};
use crate::solve::Solver;
use craps_dice::WAYS;
use craps_law::{Offering, Prize};
use craps_money::{Base, Commission, Money, Rounding, Stake, Timing, Unpayable};
use craps_wagers::Rank;
use dashu_ratio::RBig;
use std::collections::BTreeMap;

/// Why a real stake can't be priced: the table would refuse it.
pub type Refused = Unpayable;

/// Analyzes an offering per unit staked, without rounding and table limits.
///
/// ```
/// # use craps_law::Library;
/// # let library = Library::shipped();
/// use craps_odds::{Solver, price};
/// let any_seven = library.named("nj")?.offering("any-seven", None)?;
/// assert_eq!(price(&mut Solver::default(), &any_seven).edge.to_string(), "1/6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn price(solver: &mut Solver, offering: &Offering) -> Analysis {
    let commission = offering.commission.as_ref();
    let win = fraction(best(offering).net());
    let net = |prize: Option<Prize>| {
        let gross = prize.map_or(-RBig::ONE, |prize| fraction(prize.net()));
        let won = gross > RBig::ZERO;
        gross - commission.map_or(RBig::ZERO, |commission| charge(commission, &win, won))
    };
    analyze(solver, offering, fresh(&offering.machine, offering.number), &net)
}

/// Analyzes an offering for a real stake, with the table's rounding and commission.
///
/// ```
/// # use craps_law::Library;
/// # let library = Library::shipped();
/// use craps_money::{Rounding, Stake};
/// use craps_odds::{Solver, price_stake};
/// let place = library.named("nj")?.offering("place-win-6", None)?;
/// let (mut solver, whole_chips) = (Solver::default(), Rounding::exact(Stake::whole(1)?));
/// assert_eq!(price_stake(&mut solver, &place, Stake::whole(12)?, &whole_chips)?.edge.to_string(), "1/66");
/// // Ten on the six can't be paid in whole chips.
/// assert!(price_stake(&mut solver, &place, Stake::whole(10)?, &whole_chips).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the stake can't be paid under the rounding rule at some rank.
pub fn price_stake(
    solver: &mut Solver,
    offering: &Offering,
    stake: Stake,
    rounding: &Rounding,
) -> Result<Analysis, Refused> {
    price_from(solver, offering, fresh(&offering.machine, offering.number), stake, rounding)
}

/// Returns what a bet in the state `start` is worth to the player: its expected net result in minor units, with the table's rounding and
/// commission.
///
/// ```
/// # use craps_dice::Point;
/// # use craps_law::{HouseRules, Library};
/// # use craps_odds::{Solver, worth};
/// # use craps_wagers::{Phase, Wager};
/// # let library = Library::shipped();
/// # let book = library.book("pa").unwrap();
/// # let rules = book.admit(&HouseRules::plain("pa", book.sample_day)).unwrap();
/// # let pass = rules.wager(craps_wagers::Catalogue::built_in().find("pass").unwrap()).unwrap();
/// # let (offering, stake) = (rules.offering(pass, None), "10".parse().unwrap());
/// let mut solver = Solver::default();
/// let fresh = (Default::default(), Phase::ComeOut);
/// assert_eq!(worth(&mut solver, &offering, fresh, stake, &rules.rounding).unwrap().to_string(), "-1400/99");
/// // On the four it loses twice as often as it wins.
/// let on_four = (offering.machine.on(Point::Four), Phase::ComeOut);
/// assert_eq!(worth(&mut solver, &offering, on_four, stake, &rules.rounding).unwrap().to_string(), "-1000/3");
/// ```
///
/// # Errors
/// When the stake can't be paid under the rounding rule at some rank.
pub fn worth(
    solver: &mut Solver,
    offering: &Offering,
    start: Start,
    stake: Stake,
    rounding: &Rounding,
) -> Result<RBig, Refused> {
    let analysis = price_from(solver, offering, start, stake, rounding)?;
    Ok(-analysis.edge * RBig::from(stake.minor()))
}

fn price_from(
    solver: &mut Solver,
    offering: &Offering,
    start: Start,
    stake: Stake,
    rounding: &Rounding,
) -> Result<Analysis, Refused> {
    let unit = RBig::from(stake.minor());
    let per_unit = |money: Money| RBig::from(money.minor()) / &unit;
    let mut paid: Vec<(Prize, RBig)> = Vec::new();
    let own = |rank: Rank| offering.number.is_none_or(|number| rank.index() == number.value());
    for (rank, prize) in offering.prizes.iter() {
        if own(rank) {
            paid.push((prize, per_unit(prize.settle(stake, rounding)?)));
        }
    }
    let win = best(offering).settle(stake, rounding)?;
    let due = |won: bool| match &offering.commission {
        Some(commission) if won || commission.timing == Timing::UpFront => {
            per_unit(commission.due(stake, win, rounding.chip))
        }
        _ => RBig::ZERO,
    };
    let net = |prize: Option<Prize>| {
        let gross = prize.map_or(-RBig::ONE, |prize| {
            paid.iter().find(|(known, _)| *known == prize).map_or(RBig::ZERO, |(_, net)| net.clone())
        });
        let won = gross > RBig::ZERO;
        gross - due(won)
    };
    Ok(analyze(solver, offering, start, &net))
}

/// Returns the prize on which a commission on the win is computed. A buy or lay bet has only one.
fn best(offering: &Offering) -> Prize {
    offering.prizes.of(Rank::WIN).unwrap_or(Prize::Push)
}

pub(crate) fn fraction((numerator, denominator): (i64, u64)) -> RBig {
    RBig::from_parts(numerator.into(), denominator.into())
}

/// Returns the commission per unit staked.
fn charge(commission: &Commission, win: &RBig, won: bool) -> RBig {
    if commission.timing == Timing::OnWin && !won {
        return RBig::ZERO;
    }
    let (rate, whole) = commission.rate.fraction();
    let rate = RBig::from(rate) / RBig::from(whole);
    match commission.base {
        Base::Stake => rate,
        Base::Win => rate * win,
    }
}

fn analyze(solver: &mut Solver, offering: &Offering, start: Start, net: &dyn Fn(Option<Prize>) -> RBig) -> Analysis {
    let credit = match offering.machine.credited().and_then(|rank| offering.prizes.of(rank)) {
        Some(prize) => net(Some(prize)),
        None => RBig::ZERO,
    };
    let lost = net(None);
    // This many credits outweigh any loss, so counting up to here is enough to know if the total is a win.
    let cap = if credit > RBig::ZERO { ceil(&(-lost.clone() / &credit)) + 1 } else { 0 };
    let solution = solver.solve_from(&offering.machine, start, cap);
    let of = |verdict: Verdict| match verdict {
        Verdict::Rank(rank) => net(offering.prizes.of(rank)),
        Verdict::Lost => lost.clone(),
        Verdict::Pushed => net(Some(Prize::Push)),
    };
    let mut nets: BTreeMap<(RBig, bool), RBig> = BTreeMap::new();
    let (mut mean, mut second) = (RBig::ZERO, RBig::ZERO);
    for (end, p) in &solution.ends {
        let total = of(end.verdict) + &credit * RBig::from(end.credits);
        mean += p * &total;
        second += p * &total * &total;
        *nets.entry((total, cap > 0 && end.credits == cap)).or_default() += p;
    }
    if cap > 0 {
        (mean, second) = moments(&Chain::explore_from(&offering.machine, start, 0), &credit, &of);
    }
    Analysis::new(nets, mean, second, solution.throws.clone(), solution.states)
}

fn ceil(value: &RBig) -> u16 {
    value.ceil().try_into().unwrap_or(u16::MAX - 1)
}

/// Returns the mean and the second moment of the total when the number of credits has no limit. It works backward over the states:
/// m = Σ p (r + m'), s = Σ p (r² + 2 r m' + s'). A chain with credits never returns to an earlier state, so each state takes one division.
fn moments(chain: &Chain, credit: &RBig, of: &dyn Fn(Verdict) -> RBig) -> (RBig, RBig) {
    let count = chain.states();
    let mut order: Vec<usize> = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    let mut work = vec![(0, 0)];
    while let Some((state, edge)) = work.pop() {
        seen[state] = true;
        match chain.moves[state].get(edge) {
            Some((to, _)) => {
                work.push((state, edge + 1));
                if !seen[*to] {
                    work.push((*to, 0));
                }
            }
            None => order.push(state),
        }
    }
    let (mut mean, mut second) = (vec![RBig::ZERO; count], vec![RBig::ZERO; count]);
    for state in order {
        let credited = |to: usize| {
            chain.credits[state].iter().filter(|(_, at, _)| *at == to).map(|(_, _, ways)| ways).sum::<u32>()
        };
        let (mut m, mut s, mut stay) = (RBig::ZERO, RBig::ZERO, 0);
        let (mut stay_credit, two) = (0, RBig::from(2u8));
        for (end, ways) in &chain.ends[state] {
            let net = of(end.verdict);
            m += RBig::from(*ways) * &net;
            s += RBig::from(*ways) * &net * &net;
        }
        for (to, ways) in &chain.moves[state] {
            let paid = RBig::from(credited(*to));
            m += &paid * credit;
            s += &paid * credit * credit;
            if *to == state {
                stay = *ways;
                stay_credit = credited(*to);
                continue;
            }
            m += RBig::from(*ways) * &mean[*to];
            s += RBig::from(*ways) * &second[*to] + &two * &paid * credit * &mean[*to];
        }
        let leave = RBig::from(WAYS - stay);
        mean[state] = m / &leave;
        s += &two * RBig::from(stay_credit) * credit * &mean[state];
        second[state] = s / leave;
    }
    (mean[0].clone(), second[0].clone())
}
