//! Tests how rounding, chips and commission change the edge of a real stake. The expected values were worked out by hand.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{Library, Multiple, Offering, RuleBook, Source};
use craps_money::{Rounding, RoundingRule, WholeDollars};
use craps_odds::{Solver, WithOdds, price, price_stake, with_odds};

fn offering(book: &RuleBook, name: &str, commission: &str) -> Offering {
    let is = |o: &Offering| {
        o.name() == name && o.commission.map_or("none".to_owned(), |c| c.to_string()).starts_with(commission)
    };
    book.offerings(None).into_iter().find(is).unwrap_or_else(|| panic!("{} {name} {commission}", book.id))
}

fn rounding(rule: RoundingRule, chip: &str) -> Rounding {
    Rounding { rule, whole_dollars: WholeDollars::Exact, chip: chip.parse().unwrap() }
}

#[test]
fn rounding_up_and_commission_in_chips_change_the_edge() {
    let library = Library::shipped();
    let rows = [
        // 5 at 7 to 6 pays 6: 5/11 × 6 = 6/11 × 5, an even game. 7 pays 9: 45/11 - 42/11 = 3/11 on 7.
        ("co", "place-win-6", "none", "5", "1", "0"),
        ("co", "place-win-6", "none", "7", "1", "-3/77"),
        ("co", "place-win-6", "none", "6", "1", "1/66"),
        // With quarter chips, 7 pays 8.25: 41.25/11 - 42/11 on 7.
        ("co", "place-win-6", "none", "7", "0.25", "3/308"),
        // A lay of 39 against the four wins 20 after rounding and costs 1 in commission: 40/3 - 13 - 1 on 39.
        ("co", "lay-4", "up-front", "39", "1", "2/117"),
        ("pa", "lay-4", "up-front", "40", "1", "1/40"),
        // Five percent of 10 is half a chip, which rounds down to zero. With one-cent chips it is charged on a win.
        ("nj", "buy-4", "on-win", "10", "1", "0"),
        ("nj", "buy-4", "on-win", "10", "0.01", "1/60"),
        ("pa", "horn", "none", "4", "1", "1/8"),
    ];
    for (id, name, commission, stake, chip, edge) in rows {
        let book = library.book(id).unwrap();
        let rule = if id == "co" { RoundingRule::Up } else { RoundingRule::ExactOrRefuse };
        let offering = offering(book, name, commission);
        let analysis =
            price_stake(&mut Solver::default(), &offering, stake.parse().unwrap(), &rounding(rule, chip)).unwrap();
        assert_eq!(analysis.edge.to_string(), edge, "{id} {name} {stake} in chips of {chip}");
    }
}

#[test]
fn a_stake_that_no_chips_can_pay_is_refused() {
    let library = Library::shipped();
    let pa = library.book("pa").unwrap();
    for (name, stake) in [("place-win-6", "7"), ("horn", "6"), ("place-lose-4", "10"), ("pass", "1.50")] {
        let refused = price_stake(
            &mut Solver::default(),
            &offering(pa, name, "none"),
            stake.parse().unwrap(),
            &rounding(RoundingRule::ExactOrRefuse, "1"),
        );
        assert!(refused.is_err(), "{name} {stake}");
    }
}

/// $5 on the pass line with single odds. On the six and eight only 5 can be bet, which pays 6. On the five and nine 6 can be bet if the
/// excess is allowed, which pays 9.
#[test]
fn odds_behind_a_real_flat_bet_are_what_the_table_would_take() {
    let library = Library::shipped();
    let (pa, k) = (library.book("pa").unwrap(), "1".parse::<Multiple>().unwrap());
    let behind = offering(pa, "pass-odds-4", "none");
    let rules = pa.odds_rules(pa.wager(behind.wager).unwrap(), k, None).unwrap();
    let pair = WithOdds { rules: &rules, prizes: &behind.prizes };
    let chips = rounding(RoundingRule::ExactOrRefuse, "1");
    let pass = offering(pa, "pass", "none");
    let real = with_odds(&mut Solver::default(), &pass, &pair, Some(("5".parse().unwrap(), &chips))).unwrap();
    // Expected odds per unit of the flat bet: 1/6 × 1 (4, 10) + 2/9 × 6/5 (5, 9) + 5/18 × 1 (6, 8) = 32/45. The edge is 7/495 over 77/45.
    assert_eq!(real.edge.to_string(), "1/121");
    let ideal = with_odds(&mut Solver::default(), &pass, &pair, None).unwrap();
    assert_eq!(ideal.edge.to_string(), "7/825");
}

/// A line bet of one's own that pays 10 to 1 on a come-out 11.
#[test]
fn without_odds_a_line_bet_with_ranks_has_its_plain_price() {
    let mut sources = Library::shipped_sources();
    let mut add = |path: &str, text: &str| sources.push(Source { path: format!("zz/{path}"), text: text.to_owned() });
    add(
        "book.toml",
        "name = 'Elsewhere'\ntext = 'Its rules'\nprefix = 'NJ'\nbased_on = 'nj'\nsample_day = 2024-01-01\ngame = [{ is = 'craps', cite = 'NJ 1.2(a)' }]\n",
    );
    add(
        "catalogue/line.toml",
        "[[wager]]\nfamily = 'line'\nslug = 'yo-pass'\ncode = 'YOP'\nname = 'Yo Pass'\nabout = 'Pass with more for an eleven.'\n\
         mechanic = { line = { side = 'right', ranks = [['yo', '11']] } }\nexamples = [['5-2', 'win'], ['6-5', 'yo'], ['1-1', 'lost']]\n",
    );
    let fact = |name: &str, is: &str| format!("{name} = {{ {is}, cite = 'NJ 1.2(a)1' }}\n");
    let facts = [
        ("offer", "is = 'listed'"),
        ("make", "is = 'before_come_out'"),
        ("raise", "is = 'as_make'"),
        ("lower", "is = 'until_point_set'"),
        ("works", "come_out = 'on', call = 'none'"),
        ("price", "is = 'fixed'"),
    ];
    let facts: String = facts.iter().map(|(name, is)| fact(name, is)).collect();
    let pays = "[[wager.pays]]\ncite = 'NJ 1.2(a)1'\nranks = { win = '1 to 1', yo = '10 to 1' }\n";
    add("wagers/line.toml", &format!("[[wager]]\nids = ['yo-pass']\nname = 'Yo Pass'\n{facts}{pays}"));
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    let zz = library.book("zz").unwrap();
    let (yo, behind) = (offering(zz, "yo-pass", "none"), offering(zz, "pass-odds-4", "none"));
    let rules = zz.odds_rules(zz.wager(behind.wager).unwrap(), "0".parse::<Multiple>().unwrap(), None).unwrap();
    let pair = WithOdds { rules: &rules, prizes: &behind.prizes };
    let plain = price(&mut Solver::default(), &yo);
    // The pass line costs 7/495. One roll in 18 wins 9 more.
    assert_eq!(plain.edge.to_string(), "-481/990");
    assert_eq!(with_odds(&mut Solver::default(), &yo, &pair, None).unwrap().edge, plain.edge);
    let chips = rounding(RoundingRule::ExactOrRefuse, "1");
    let real = with_odds(&mut Solver::default(), &yo, &pair, Some(("5".parse().unwrap(), &chips))).unwrap();
    assert_eq!(real.edge, plain.edge);
}
