//! Prices and limits computed a second time: by trying every amount.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod changed;

use changed::replaced;
use craps_dice::Point;
use craps_law::{Cap, Excess, HouseRules, Library, Limits, Prize, TableRules};
use craps_money::{Money, Odds, Rounding, RoundingRule, Stake};
use craps_wagers::{Catalogue, Mechanic, Rank, WagerId};

fn prizes() -> Vec<Prize> {
    let odds = ["1 to 1", "7 to 6", "9 to 5", "15 to 4", "30 for 1", "1 to 6", "27 to 4", "2 to 3"];
    let odds = odds.map(|text| text.parse::<Odds>().unwrap());
    let parts = [(1, 4), (2, 5), (1, 5), (3, 6), (2, 4)];
    let part = |odds: Odds| parts.map(|(units, of)| Prize::Part { units, of, odds });
    let mut all: Vec<Prize> = odds.iter().flat_map(|odds| part(*odds)).collect();
    all.extend(odds.map(Prize::Paid));
    all.push(Prize::Push);
    all
}

fn dollars(amount: u64) -> Stake {
    Stake::whole(u32::try_from(amount).unwrap()).unwrap()
}

#[test]
fn the_fewest_chips_are_the_smallest_stake_that_is_paid() {
    let exact = Rounding::exact(dollars(1));
    let up = Rounding { rule: RoundingRule::Up, ..exact };
    for prize in prizes() {
        for (rounding, exactly) in [(&exact, true), (&up, false)] {
            let paid = |amount: &u64| prize.settle(dollars(*amount), rounding).is_ok();
            let fewest = prize.fewest_chips(exactly);
            assert_eq!((1..=200).find(paid), Some(fewest), "{prize:?}");
            for amount in (1..=200).filter(paid) {
                assert_eq!(amount % fewest, 0, "{prize:?}: {amount}");
            }
        }
    }
}

#[test]
fn a_stake_that_is_paid_exactly_wins_its_net() {
    let exact = Rounding::exact(dollars(1));
    for prize in prizes() {
        let (num, den) = prize.net();
        assert!(den > 0, "{prize:?}");
        for amount in 1..=200u64 {
            let Ok(won) = prize.settle(dollars(amount), &exact) else { continue };
            let expected = i128::from(amount) * 100 * i128::from(num);
            assert_eq!(i128::from(won.minor()) * i128::from(den), expected, "{prize:?}: {amount}");
        }
    }
}

#[test]
fn limits_allow_something_if_one_amount_fits() {
    for (min, max, step) in (1..8).flat_map(|min| (1..14).flat_map(move |max| (1..8).map(move |step| (min, max, step))))
    {
        let limits = Limits { min: dollars(min), max: Some(dollars(max)), step: dollars(step) };
        let fits = (min..=max).any(|amount| amount % step == 0);
        assert_eq!(limits.allow_something(), fits, "{min}..{max} by {step}");
        assert!(Limits { max: None, ..limits }.allow_something());
    }
}

fn house(book: &str, choices: &[(&str, &str)]) -> HouseRules {
    let mut house = HouseRules::plain(book, Library::shipped().book(book).unwrap().sample_day);
    choices.iter().for_each(|(key, value)| house.set(key, value).unwrap());
    house
}

fn rules(book: &str, choices: &[(&str, &str)]) -> TableRules {
    Library::shipped().book(book).unwrap().admit(&house(book, choices)).unwrap()
}

/// The highest odds bet is the last amount up to the cap that can be bet. If the law lets odds exceed the cap, it is the first amount from the cap on
/// that pays exactly.
#[test]
fn the_most_odds_are_found_by_trying_every_amount() {
    let rules = rules("nj", &[("odds.k", "2")]);
    let odds = rules.wager(Catalogue::built_in().find("pass-odds").unwrap()).unwrap().odds.clone().unwrap();
    for (price, number) in
        [("2 to 1", Point::Four), ("3 to 2", Point::Five), ("6 to 5", Point::Six), ("5 to 6", Point::Eight)]
    {
        let price: Odds = price.parse().unwrap();
        let (win, per) = price.net();
        for (cap, excess, rule) in [Cap::Stake, Cap::Win].into_iter().flat_map(|cap| {
            [Excess::None, Excess::ToPayExactly]
                .into_iter()
                .flat_map(move |excess| [RoundingRule::ExactOrRefuse, RoundingRule::Up].map(|rule| (cap, excess, rule)))
        }) {
            let mut odds = odds.clone();
            (odds.cap.is, odds.excess.is) = (cap, excess);
            let rounding = Rounding { rule, ..Rounding::exact(dollars(1)) };
            for flat in 1..30u64 {
                let within = |amount: &u64| match cap {
                    Cap::Stake => *amount <= 2 * flat,
                    Cap::Win => amount * u64::from(win) <= 2 * flat * u64::from(per),
                };
                let reaches = |amount: &u64| match cap {
                    Cap::Stake => *amount >= 2 * flat,
                    Cap::Win => amount * u64::from(win) >= 2 * flat * u64::from(per),
                };
                let exact = |amount: &u64| amount.is_multiple_of(u64::from(per));
                let expected = match (excess, rule) {
                    (Excess::ToPayExactly, _) => (0..500).filter(exact).find(reaches).unwrap(),
                    (Excess::None, RoundingRule::ExactOrRefuse) => (0..500).filter(exact).rfind(within).unwrap(),
                    (Excess::None, RoundingRule::Up | RoundingRule::Down) => (0..500).rfind(within).unwrap(),
                };
                let most = odds.most(dollars(flat), number, price, &rounding).unwrap();
                assert_eq!(
                    most,
                    Money::from_minor(100 * i64::try_from(expected).unwrap()),
                    "{price} {cap:?} {excess:?} {rule:?} {flat}"
                );
            }
        }
    }
}

#[test]
fn odds_that_win_nothing_have_no_limit_on_their_win() {
    let rules = rules("nj", &[("odds.k", "2")]);
    let mut odds = rules.wager(Catalogue::built_in().find("pass-odds").unwrap()).unwrap().odds.clone().unwrap();
    odds.cap.is = Cap::Win;
    let most = |price: &str| odds.most(dollars(10), Point::Six, price.parse().unwrap(), &Rounding::exact(dollars(1)));
    assert_eq!((most("1 for 1"), most("1 to 1")), (None, Some(Money::from_minor(2_000))));
}

/// A draw raises the wagers of its lines to the price of the level, and nothing else.
#[test]
fn a_draw_raises_what_its_lines_name() {
    let rules = rules("pa", &[("offer", "all")]);
    let lines: Vec<_> = rules.modifiers.iter().flat_map(|modifier| &modifier.lines).collect();
    assert!(!lines.is_empty());
    let offered: Vec<WagerId> = rules.wagers.iter().map(|wager| wager.wager).collect();
    for wager in offered {
        let composite = matches!(wager.wager().mechanic, Mechanic::Composite(_));
        let own: Vec<_> = lines.iter().filter(|line| line.is.wagers.contains(&wager)).collect();
        assert_eq!(rules.raised(wager, false, Rank::WIN, &[]), None);
        for level in 0..4 {
            let raised = rules.raised(wager, false, Rank::WIN, &[(wager, level)]);
            if own.is_empty() {
                assert_eq!(raised, None, "{wager}");
            } else if !composite {
                assert_eq!(raised, own[0].is.pays.get(level).copied().map(Prize::Paid), "{wager} at level {level}");
            } else if let Some(prize) = raised {
                assert!(own.iter().any(|line| line.is.pays.get(level).copied() == prize.odds()), "{wager}: {prize:?}");
            }
        }
    }
}

/// One unit of a broken-down horn high or whirl is in a horn bet, and the other unit is a bet by itself. The horn's own line pays the first, and the line of
/// the single number the second. A unit that the draw didn't raise keeps its price.
#[test]
fn a_composite_that_is_broken_down_is_raised_where_its_pieces_are() {
    let rules = rules("pa", &[("offer", "all")]);
    let id = |slug: &str| Catalogue::built_in().find(slug).unwrap();
    let raised = |slug: &str, part: u8, draw: &[(&str, usize)]| {
        let draw: Vec<_> = draw.iter().map(|(slug, level)| (id(slug), *level)).collect();
        let prize = rules.raised(id(slug), true, Rank::of_part(part), &draw);
        assert_eq!(rules.raised(id(slug), false, Rank::of_part(part), &draw), None, "{slug} is not in pieces");
        prize.map_or_else(|| "-".to_owned(), |prize| prize.to_string())
    };
    let parts = |slug: &str, draw: &[(&str, usize)]| -> Vec<String> {
        let Mechanic::Composite(parts) = id(slug).wager().mechanic else { panic!() };
        (0u8..).zip(parts).map(|(at, _)| raised(slug, at, draw)).collect()
    };
    // The parts are 2, 3, 11 and 12. The 11 has two units.
    let high = |draw: &[(&str, usize)]| parts("horn-high-11", draw).join(", ");
    assert_eq!(high(&[("horn", 0)]), "45 to 1 on 1/5, 22 to 1 on 1/5, 37 to 2 on 2/5, 45 to 1 on 1/5");
    assert_eq!(high(&[("horn", 1)]), "60 to 1 on 1/5, 30 to 1 on 1/5, 45 to 2 on 2/5, 60 to 1 on 1/5");
    assert_eq!(high(&[("eleven", 1)]), "-, -, 45 to 2 on 2/5, -");
    assert_eq!(high(&[("horn", 0), ("eleven", 1)]), "45 to 1 on 1/5, 22 to 1 on 1/5, 26 to 1 on 2/5, 45 to 1 on 1/5");
    assert_eq!(high(&[("any-seven", 0)]), "-, -, -, -");
    // The parts are 2, 3, 11, 12 and the seven.
    let whirl = |draw: &[(&str, usize)]| parts("whirl", draw).join(", ");
    assert_eq!(whirl(&[("any-seven", 1)]), "-, -, -, -, 8 to 1 on 1/5");
    assert_eq!(whirl(&[("horn", 0)]), "45 to 1 on 1/5, 22 to 1 on 1/5, 22 to 1 on 1/5, 45 to 1 on 1/5, -");
    assert_eq!(whirl(&[("eleven", 0)]), "-, -, -, -, -", "its only unit on the 11 is in the horn");
}

/// A composite with a line of its own is raised as the line says: one of its parts, or the whole stake.
#[test]
fn a_composite_is_raised_by_the_line_that_names_the_winning_part() {
    let rules = rules("pa", &[("offer", "all")]);
    let id = |slug: &str| Catalogue::built_in().find(slug).unwrap();
    let raised = |slug: &str, part: u8, level: usize| {
        rules.raised(id(slug), false, Rank::of_part(part), &[(id(slug), level)]).unwrap().to_string()
    };
    assert_eq!(
        (0..4).map(|part| raised("horn", part, 0)).collect::<Vec<_>>().join(", "),
        "45 to 1 on 1/4, 22 to 1 on 1/4, 22 to 1 on 1/4, 45 to 1 on 1/4"
    );
    assert_eq!([raised("c-and-e", 0, 0), raised("c-and-e", 1, 1)], ["4 to 1", "14 to 1"]);
    // In pieces, each half is a bet by itself.
    let eleven = rules.raised(id("c-and-e"), true, Rank::of_part(1), &[(id("eleven"), 0)]);
    assert_eq!(eleven.unwrap().to_string(), "22 to 1 on 1/2");
}

/// Counts between two listed ones pay what the lower one pays.
#[test]
fn a_count_pays_the_highest_listed_count_that_it_reaches() {
    let sources = replaced("nj/wagers/shooter.toml", "\"5\" = \"249 to 1\", ", "");
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let rules = library.book("nj").unwrap().admit(&house("nj", &[("fire.table", "A")])).unwrap();
    let fire = rules.wager(Catalogue::built_in().find("fire").unwrap()).unwrap();
    let ranks = fire.wager.wager().ranks;
    let paid = |count: &str| fire.prizes.is.of(ranks.find(count).unwrap()).map(|prize| prize.to_string());
    let listed: Vec<String> = fire.prizes.is.iter().map(|(rank, _)| ranks.name(rank)).collect();
    assert_eq!(listed, ["4", "6"]);
    assert_eq!(
        ["3", "4", "5", "6"].map(paid),
        [None, Some("24 to 1"), Some("24 to 1"), Some("999 to 1")].map(|odds| odds.map(str::to_owned))
    );
}
