//! Compares the exact odds with simulated dice. The reference model plays each wager 200,000 times with a seeded generator, and the results
//! must be within four standard errors of the solver's. `step()` isn't used.
#![allow(
    clippy::float_arithmetic,
    reason = "statistics: the only place in the project where a float is compared with a figure"
)]

mod reference;

use craps_dice::{Point, Total, TotalSet};
use craps_law::{Library, Offering};
use craps_odds::{Analysis, RBig, Solver, price};
use craps_wagers::{Bar, ComeOutSeven, Count, Dials, EndingSeven, Machine, Mechanic, Points, Ranks, SixthPoint, Wager};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::{Dice, Reading, Said, rules};
use std::collections::BTreeMap;

/// The number of bets played for each wager.
const BETS: u32 = 200_000;
/// The first seed. Each machine gets the next one.
const FIRST_SEED: u64 = 7_000_000;
/// The largest allowed error of a mean, in standard errors.
const SIGMAS: f64 = 4.0;

fn float(value: &RBig) -> f64 {
    value.to_f64().value()
}

fn reading(dials: &Dials) -> Reading {
    Reading {
        crapless: dials.points == Points::AllButSeven,
        bar: dials.bar.totals().iter().map(|total| total.value()).sum(),
        fire_any_seven: dials.ends_on_seven == EndingSeven::Any,
        fire_sixth_ends: dials.ends_on_sixth == SixthPoint::Ends,
        hot_roller: match dials.come_out_seven {
            ComeOutSeven::Settles => reference::ComeOutSeven::Settles,
            ComeOutSeven::Loses => reference::ComeOutSeven::Loses,
            ComeOutSeven::Ignored => reference::ComeOutSeven::Ignored,
        },
        count_come_out: dials.count_come_out == Count::In,
        count_seven_out: dials.count_seven_out == Count::In,
    }
}

/// The results of playing one wager many times.
struct Played {
    seed: u64,
    ends: BTreeMap<Said, u32>,
    throws: f64,
    throws_squared: f64,
}

fn play(slug: &str, number: Option<Point>, dials: &Dials, seed: u64) -> Played {
    let (rules, reading, number) = (rules(slug), reading(dials), number.map(Point::value));
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut played = Played { seed, ends: BTreeMap::new(), throws: 0.0, throws_squared: 0.0 };
    let mut throws: Vec<Dice> = Vec::new();
    for _ in 0..BETS {
        throws.clear();
        let mut length = 8;
        let ruling = loop {
            throws.resize_with(length, || (rng.random_range(1..=6), rng.random_range(1..=6)));
            let ruling = rules(&reading, number, &throws);
            if ruling.said != Said::Open {
                break ruling;
            }
            length *= 2;
        };
        *played.ends.entry(ruling.said).or_default() += 1;
        let taken = f64::from(u32::try_from(ruling.throws).expect("a bet of fewer than four billion rolls"));
        played.throws += taken;
        played.throws_squared += taken * taken;
    }
    played
}

/// Returns the net result of a verdict under the offering's prices, including commission.
fn net(offering: &Offering, said: Said) -> f64 {
    let wager = offering.wager.wager();
    let number = |(a, b): (i64, u64)| {
        f64::from(i32::try_from(a).expect("a small price")) / f64::from(u32::try_from(b).expect("a small price"))
    };
    let gross = match said {
        Said::Open => unreachable!("only decided bets are priced"),
        Said::Pushed => 0.0,
        Said::Lost => -1.0,
        Said::Won(rank) => {
            let rank = wager.ranks.find(rank).expect("a rank of the wager");
            offering.prizes.of(rank).map_or(-1.0, |prize| number(prize.net()))
        }
    };
    let Some(commission) = &offering.commission else { return gross };
    let (rate, of) = commission.rate.fraction();
    let best = offering.prizes.iter().map(|(_, prize)| number(prize.net())).fold(0.0, f64::max);
    let base = match commission.base {
        craps_money::Base::Stake => 1.0,
        craps_money::Base::Win => best,
    };
    let due = f64::from(rate) / f64::from(of) * base;
    match commission.timing {
        craps_money::Timing::OnWin if gross <= 0.0 => gross,
        _ => gross - due,
    }
}

fn compare(label: &str, offering: &Offering, odds: &Analysis, played: &Played) {
    let bets = f64::from(BETS);
    let near = |what: &str, found: f64, exact: f64, variance: f64| {
        let error = (variance / bets).sqrt();
        assert!(
            (found - exact).abs() <= SIGMAS * error + 1e-12,
            "{label}, seed {}: {what} is {found}, the solver says {exact}, the standard error is {error}",
            played.seed
        );
    };
    let mean = |value: &dyn Fn(Said) -> f64| {
        played.ends.iter().map(|(said, count)| value(*said) * f64::from(*count)).sum::<f64>() / bets
    };
    near("the mean net", mean(&|said| net(offering, said)), -float(&odds.edge), float(&odds.variance));
    let wins = |said| if net(offering, said) > 0.0 { 1.0 } else { 0.0 };
    let p_win = float(&odds.p_win);
    near("the chance to win", mean(&wins), p_win, p_win * (1.0 - p_win));
    let pushes = |said| if net(offering, said) == 0.0 { 1.0 } else { 0.0 };
    let p_push = float(&odds.p_push);
    near("the chance of a push", mean(&pushes), p_push, p_push * (1.0 - p_push));
    let throws = played.throws / bets;
    near("the mean number of rolls", throws, float(&odds.throws_mean), played.throws_squared / bets - throws * throws);
}

/// Returns the wagers that take more than one roll, with each machine that a book uses for them and all its prices.
fn by_machine() -> Vec<(&'static Wager, Option<Point>, Machine, Vec<Offering>)> {
    let mut all: Vec<(&'static Wager, Option<Point>, Machine, Vec<Offering>)> = Vec::new();
    for offering in Library::shipped().books.iter().flat_map(|book| book.offerings(None)) {
        let wager = offering.wager.wager();
        if matches!(offering.machine.mechanic, Mechanic::OneThrow(_) | Mechanic::Composite(_)) {
            continue;
        }
        // Each price is tested once.
        let alike = |other: &Offering| other.prizes == offering.prizes && other.commission == offering.commission;
        match all.iter_mut().find(|(known, number, machine, _)| {
            known.slug == wager.slug && *number == offering.number && *machine == offering.machine
        }) {
            Some((_, _, _, offerings)) if offerings.iter().any(alike) => {}
            Some((_, _, _, offerings)) => offerings.push(offering),
            None => all.push((wager, offering.number, offering.machine, vec![offering])),
        }
    }
    all
}

#[test]
fn every_wager_of_more_than_one_throw_comes_out_as_the_solver_says() {
    let mut solver = Solver::default();
    let machines = by_machine();
    println!("{} machines, {BETS} bets each, seeds from {FIRST_SEED}", machines.len());
    for (seed, (wager, number, machine, offerings)) in (FIRST_SEED..).zip(&machines) {
        let played = play(wager.slug, *number, &machine.dials, seed);
        for offering in offerings {
            let label = format!("{} {} {:?}", offering.name(), offering.pay_table, offering.commission);
            compare(&label, offering, &price(&mut solver, offering), &played);
        }
    }
}

/// Tests readings that no book takes, by replacing the offering's machine.
#[test]
fn every_other_reading_of_a_side_bet_comes_out_as_the_solver_says() {
    let plain = Dials::default();
    let turned = [
        ("fire", Dials { ends_on_seven: EndingSeven::Any, ..plain }),
        ("fire", Dials { ends_on_seven: EndingSeven::Any, ends_on_sixth: SixthPoint::Ends, ..plain }),
        ("hot-roller", Dials { come_out_seven: ComeOutSeven::Loses, ..plain }),
        ("hot-roller", Dials { come_out_seven: ComeOutSeven::Ignored, ..plain }),
        ("hot-shooter-jackpot", Dials { count_come_out: Count::In, ..plain }),
        ("hot-shooter-jackpot", Dials { count_seven_out: Count::In, ..plain }),
        ("hot-shooter-jackpot", Dials { count_come_out: Count::In, count_seven_out: Count::In, ..plain }),
        ("dont-pass", Dials { bar: Bar::on(TotalSet::of(&[Total::Two])), ..plain }),
        ("dont-pass", Dials { bar: Bar::on(TotalSet::of(&[Total::Three])), ..plain }),
    ];
    let library = Library::shipped();
    let offerings = library.book("pa").unwrap().offerings(None);
    let mut solver = Solver::default();
    for (seed, (slug, dials)) in (FIRST_SEED + 1000..).zip(turned) {
        let played = play(slug, None, &dials, seed);
        let mut compared = 0;
        for offering in offerings.iter().filter(|offering| offering.wager.wager().slug == slug) {
            let offering = Offering { machine: offering.wager.wager().machine(dials), ..offering.clone() };
            compare(&format!("{slug} with {dials:?}"), &offering, &price(&mut solver, &offering), &played);
            compared += 1;
        }
        assert!(compared > 0, "{slug}");
    }
}

/// Checks how often each count of a side bet comes up.
#[test]
fn every_count_of_a_side_bet_comes_as_often_as_the_solver_says() {
    let mut solver = Solver::default();
    for (seed, slug) in (FIRST_SEED + 2000..).zip([
        "fire",
        "sharp-shooter",
        "ride-the-line",
        "hot-roller",
        "lucky-shooter",
        "hot-shooter-jackpot",
    ]) {
        let wager = Wager::find(slug).unwrap();
        let machine = wager.machine(Dials::default());
        let played = play(slug, None, &machine.dials, seed);
        let mut exact: BTreeMap<Said, f64> = BTreeMap::new();
        let names: Vec<(craps_wagers::Rank, String)> = match wager.ranks {
            Ranks::Counts(most) => (1..=most).map(|count| count.to_string()).collect::<Vec<_>>(),
            Ranks::Levels(names) => names.iter().map(|name| (*name).to_owned()).collect(),
            _ => unreachable!("side bets have counts or levels"),
        }
        .into_iter()
        .map(|name| (wager.ranks.find(&name).unwrap(), name))
        .collect();
        for (end, p) in &solver.solve(&machine, None, 0).ends {
            let said = match end.verdict {
                craps_odds::Verdict::Rank(rank) => {
                    Said::Won(names.iter().find(|(known, _)| *known == rank).unwrap().1.clone().leak())
                }
                craps_odds::Verdict::Lost => Said::Lost,
                craps_odds::Verdict::Pushed => Said::Pushed,
            };
            *exact.entry(said).or_default() += float(p);
        }
        for (said, p) in &exact {
            let found = f64::from(played.ends.get(said).copied().unwrap_or(0)) / f64::from(BETS);
            let error = (p * (1.0 - p) / f64::from(BETS)).sqrt();
            // With fewer than 20 expected hits, the normal approximation doesn't hold.
            if p * f64::from(BETS) >= 20.0 {
                assert!(
                    (found - p).abs() <= SIGMAS * error,
                    "{slug} {said:?}, seed {seed}: {found}, the solver says {p}"
                );
            }
        }
        assert!(played.ends.keys().all(|said| exact.contains_key(said)), "{slug}: an end the solver does not know");
    }
}
