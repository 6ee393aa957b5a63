use super::*;
use crate::{ComeOutSeven, Count, EndingSeven, Phase, Points, Progress, SixthPoint, Step};
use craps_dice::{Throw, Total};
use std::collections::{BTreeSet, HashSet};

fn wagers() -> impl Iterator<Item = &'static Wager> {
    Catalogue::built_in().all().chain(samples().all()).collect::<BTreeSet<_>>().into_iter().map(WagerId::wager)
}

fn tell(slug: &str, dials: Dials, rolls: &str) -> String {
    samples().find(slug).unwrap().wager().tell(dials, rolls).unwrap()
}

/// Returns one roll for each total, for examples that list only totals.
fn totals(list: &str) -> String {
    let roll = |total: &str| {
        let total: Total = total.trim().parse().unwrap();
        Throw::ALL.into_iter().find(|roll| roll.total() == total).unwrap().to_string()
    };
    list.split(',').map(roll).collect::<Vec<_>>().join(" ")
}

/// Lists the ids of all built-in wagers.
#[test]
fn the_catalogue_has_every_wager_once() {
    let numbers = |prefix: &str, numbers: &[&str]| numbers.iter().map(|n| format!("{prefix}-{n}")).collect::<Vec<_>>();
    let box_numbers = ["4", "5", "6", "8", "9", "10"];
    let all_numbers = ["2", "3", "4", "5", "6", "8", "9", "10", "11", "12"];
    let words = "pass dont-pass come dont-come pass-odds dont-pass-odds come-odds dont-come-odds field any-seven any-craps \
        craps-2 craps-3 craps-12 eleven c-and-e horn whirl six-seven-eight over-7 under-7 big-6 big-8 put-odds fire \
        sharp-shooter ride-the-line bonus-all-small bonus-all-tall bonus-make-em-all dice-ology-little-ones \
        dice-ology-big-ones dice-ology-boom-or-bust hot-roller lucky-shooter hot-shooter-jackpot";
    let hops = "2-2 3-3 4-4 5-5 1-3 1-4 2-3 1-5 2-4 1-6 2-5 3-4 2-6 3-5 3-6 4-5 4-6";
    let mut expected: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
    expected.extend(numbers("place-win", &all_numbers));
    expected.extend(numbers("place-lose", &box_numbers));
    expected.extend(numbers("buy", &all_numbers));
    expected.extend(numbers("lay", &box_numbers));
    expected.extend(numbers("hard", &["4", "6", "8", "10"]));
    expected.extend(numbers("horn-high", &["2", "3", "11", "12"]));
    expected.extend(numbers("put", &box_numbers));
    expected.extend(hops.split_whitespace().map(|hop| format!("hop-{hop}")));
    expected.sort();
    let mut found: Vec<String> = Catalogue::built_in().all().map(|id| id.to_string()).collect();
    found.sort();
    assert_eq!(found, expected);
}

#[test]
fn games_print_the_line_first_then_numbers_then_the_center_then_side_bets() {
    let order: Vec<String> = Catalogue::built_in().all().map(|id| id.to_string()).collect();
    let at = |slug: &str| order.iter().position(|known| known == slug).unwrap();
    let rows = "pass pass-odds dont-pass dont-pass-odds come come-odds dont-come dont-come-odds place-win-2 place-win-12 place-lose-4 \
        buy-2 lay-4 hard-4 hard-10 field any-seven under-7 hop-1-3 big-6 put-4 put-odds fire hot-shooter-jackpot";
    let places: Vec<usize> = rows.split_whitespace().map(at).collect();
    assert!(places.is_sorted(), "{places:?}");
    let ids: Vec<WagerId> = Catalogue::built_in().all().collect();
    assert!(ids.is_sorted(), "ids compare in printing order");
}

#[test]
fn codes_are_those_of_the_notation() {
    let names: Vec<_> = Catalogue::built_in().all().flat_map(|id| id.wager().names()).collect();
    let code =
        |slug: &str| names.iter().find(|name| name.slug == slug).map(|name| name.code.clone()).unwrap_or_default();
    let rows = "pass P, pass-odds PO, dont-pass DP, dont-pass-odds DPO, come C, come-8 C8, come-odds-8 C8O, dont-come DC, \
        dont-come-8 DC8, dont-come-odds-8 DC8O, place-win-6 PL6, place-lose-6 PX6, buy-4 BY4, lay-4 LY4, hard-8 H8, field F, \
        any-seven A7, any-craps AC, craps-2 N2, craps-3 N3, craps-12 N12, eleven N11, c-and-e CE, horn HN, horn-high-12 HH12, \
        whirl WW, six-seven-eight S678, over-7 OV7, under-7 UN7, hop-1-3 HP13, big-6 BIG6, big-8 BIG8, put-6 PUT6, \
        put-odds-6 PUT6O, fire FIRE, sharp-shooter SHARP, ride-the-line RIDE, bonus-all-small SM, bonus-all-tall TL, \
        bonus-make-em-all ALL, dice-ology-little-ones DOL, dice-ology-big-ones DOB, dice-ology-boom-or-bust DOX, hot-roller HOT, \
        lucky-shooter LUCKY, hot-shooter-jackpot JACK";
    for row in rows.split(',') {
        let (slug, expected) = row.trim().split_once(' ').unwrap();
        assert_eq!(code(slug), expected, "{slug}");
    }
    assert!(code("put-odds-2").is_empty(), "there is no put bet on 2");
}

#[test]
fn a_wager_knows_its_number_its_stem_and_whether_its_bets_travel() {
    let wager = |slug: &str| Wager::find(slug).unwrap();
    assert_eq!((wager("place-win-6").number, wager("place-win-6").stem()), (Some(Point::Six), "place-win"));
    assert_eq!((wager("hop-1-3").number, wager("hop-1-3").number_text, wager("hop-1-3").stem()), (None, "1-3", "hop"));
    assert_eq!((wager("over-7").number, wager("pass").number_text, wager("pass").stem()), (None, "", "pass"));
    for (slug, travels, line, by_number) in [
        ("pass", false, true, false),
        ("dont-pass", false, true, false),
        ("come", true, false, true),
        ("dont-come", true, false, true),
        ("come-odds", false, false, true),
        ("pass-odds", false, false, false),
        ("place-win-6", false, false, false),
    ] {
        let told = (wager(slug).travels(), wager(slug).is_on_the_line(), wager(slug).is_named_by_number());
        assert_eq!(told, (travels, line, by_number), "{slug}");
    }
    assert_eq!(wager("dont-come-odds").side(), Some(crate::Side::Wrong));
    assert_eq!((wager("come").side(), wager("field").side()), (Some(crate::Side::Right), None));
    assert_eq!((wager("bonus-all-tall").tracker, wager("fire").tracker), ("bonus-make-em-all", "fire"));
    let lies = |slug: &str| wager(slug).lies;
    assert_eq!((lies("field"), lies("pass"), lies("horn")), (crate::Lies::End, crate::Lies::End, crate::Lies::Center));
    assert!(wager("place-win-6").about.starts_with("A bet that 6 comes before a seven"));
}

#[test]
fn wagers_are_found_by_number_by_rolls_and_by_the_name_of_a_bet() {
    let catalogue = Catalogue::built_in();
    let name = |id: Option<WagerId>| id.map(|id| id.to_string());
    assert_eq!(name(catalogue.on_number(Family::Lay, Point::Nine)).as_deref(), Some("lay-9"));
    assert_eq!(catalogue.on_number(Family::Lay, Point::Two), None);
    assert_eq!(name(catalogue.in_one_roll("6-6".parse().unwrap())).as_deref(), Some("craps-12"));
    assert_eq!(name(catalogue.in_one_roll("5-5".parse().unwrap())).as_deref(), Some("hop-5-5"));
    assert_eq!(catalogue.in_one_roll("5".parse().unwrap()), None);
    assert_eq!(catalogue.bet("C8"), catalogue.find("come").map(|come| (come, Some(Point::Eight))));
    assert_eq!(catalogue.bet("come-8"), catalogue.bet("C8"));
    assert_eq!(catalogue.bet("C7"), None);
    for (turned, name) in [("HP31", "HP13"), ("hop-3-1", "hop-1-3"), ("HP64", "hop-4-6")] {
        assert_eq!(catalogue.bet(turned), catalogue.bet(name), "{turned}");
        assert!(catalogue.bet(turned).is_some(), "{turned}");
    }
    // A pair has one order, and a number that is no dice has none.
    let turned = |slug: &str| catalogue.find(slug).unwrap().wager().name_with_dice_turned();
    assert_eq!((turned("hop-2-2"), turned("place-win-10"), turned("come")), (None, None, None));
    assert_eq!((catalogue.bet("HP11"), catalogue.bet("X.HP13")), (None, None));
    assert!(catalogue.combos().iter().all(|combo| combo.bets.len() > 1 && !combo.phrases.is_empty()));
    assert_eq!(catalogue.combos().len(), 18);
}

#[test]
fn every_example_of_every_wager_comes_out_as_it_says() {
    for wager in wagers() {
        assert_eq!(wrong_example(wager), None, "{}", wager.slug);
        assert!(!wager.about.is_empty() && !wager.name.is_empty() && !wager.label.is_empty(), "{}", wager.slug);
    }
}

#[test]
fn at_most_one_part_of_a_composite_wins_on_any_roll() {
    for wager in wagers() {
        let Mechanic::Composite(parts) = wager.mechanic else { continue };
        for roll in Throw::ALL {
            let winners = parts.iter().filter(|part| {
                let machine = part.wager.wager().machine(Dials::default());
                matches!(machine.step(Progress::FRESH, Phase::ComeOut, roll), Step::Won(_))
            });
            assert!(winners.count() <= 1, "{} on {roll}", wager.slug);
        }
    }
}

/// Every reachable state handles every roll, and returns only ranks that have a name.
#[test]
fn every_reachable_step_is_answered_with_a_known_rank() {
    for wager in wagers() {
        let machine = wager.machine(Dials::default());
        let numbers =
            if matches!(wager.mechanic, Mechanic::Behind(..)) { Point::ALL.map(Some).to_vec() } else { vec![None] };
        let mut open: Vec<(Progress, Phase)> =
            numbers.into_iter().map(|number| (machine.start(number).unwrap(), Phase::ComeOut)).collect();
        let mut seen: HashSet<(Progress, Phase)> = open.iter().copied().collect();
        while let Some((progress, phase)) = open.pop() {
            for roll in Throw::ALL {
                let mut next = |to: Progress, phase: Phase| {
                    if seen.insert((to, phase)) {
                        open.push((to, phase));
                    }
                };
                match machine.step(progress, phase, roll) {
                    Step::Stand(to) => next(to, phase.after(roll, machine.dials.points)),
                    Step::Credited(rank, to) => {
                        assert_eq!(machine.credited(), Some(rank), "{}", wager.slug);
                        assert_eq!(wager.ranks.find(&wager.ranks.name(rank)), Some(rank), "{}", wager.slug);
                        next(to, phase.after(roll, machine.dials.points));
                    }
                    Step::Won(rank) => {
                        assert_eq!(wager.ranks.find(&wager.ranks.name(rank)), Some(rank), "{}", wager.slug);
                    }
                    Step::Lost | Step::Pushed => {}
                }
            }
        }
        assert!(seen.len() <= 16_384 * 7, "{}", wager.slug);
    }
}

/// A machine for which `sees_phase` is false gives the same step in every phase. For the others the steps differ.
#[test]
fn sees_phase_is_true_only_if_steps_differ_by_phase() {
    for wager in wagers() {
        let machine = wager.machine(Dials::default());
        let (mut open, mut seen, mut differs) =
            (vec![machine.start(None).unwrap_or(machine.on(Point::Six))], HashSet::new(), false);
        while let Some(progress) = open.pop() {
            if seen.len() > 200 || !seen.insert(progress) {
                continue;
            }
            for roll in Throw::ALL {
                let steps = [Phase::ComeOut, Phase::Point(Point::Six), Phase::Point(Point::Nine)]
                    .map(|phase| machine.step(progress, phase, roll));
                differs |= steps.iter().any(|step| *step != steps[0]);
                open.extend(steps.iter().filter_map(|step| match step {
                    Step::Stand(next) | Step::Credited(_, next) => Some(*next),
                    _ => None,
                }));
            }
        }
        // A run waits for a come-out roll and ignores all others, so in a real hand it never depends on the phase.
        let waits = matches!(wager.mechanic, Mechanic::RunOfNumbers);
        assert_eq!(machine.sees_phase() || waits, differs, "{}", wager.slug);
    }
}

#[test]
fn a_line_bet_and_odds_stand_on_numbers_and_nothing_else_does() {
    for wager in wagers() {
        let machine = wager.machine(Dials::default());
        let on = machine.on(Point::Nine);
        let stands = matches!(wager.mechanic, Mechanic::Line { .. } | Mechanic::Behind(..));
        assert_eq!(machine.number(on), stands.then_some(Point::Nine), "{}", wager.slug);
        assert_eq!(on == Progress::FRESH, !stands, "{}", wager.slug);
        let odds = matches!(wager.mechanic, Mechanic::Behind(..));
        assert_eq!(
            (machine.start(None).is_none(), machine.start(Some(Point::Nine)).is_some()),
            (odds, odds),
            "{}",
            wager.slug
        );
    }
}

/// Turning a dial changes a step if and only if the mechanic lists that dial.
#[test]
fn a_mechanic_names_every_dial_that_changes_it_and_no_other() {
    for wager in wagers() {
        for dial in crate::Dial::ALL {
            let mut turned = Dials::default();
            turned.turn(dial, dial.words()[1]).unwrap();
            let (plain, turned) = (wager.machine(Dials::default()), wager.machine(turned));
            let mut open = vec![(machine_start(&plain), Phase::ComeOut)];
            let (mut seen, mut differs) = (HashSet::new(), false);
            while let Some((progress, phase)) = open.pop() {
                if differs || seen.len() > 3_000 || !seen.insert((progress, phase)) {
                    continue;
                }
                for roll in Throw::ALL {
                    let (a, b) = (plain.step(progress, phase, roll), turned.step(progress, phase, roll));
                    differs |= a != b;
                    if let Step::Stand(next) | Step::Credited(_, next) = a {
                        open.push((next, phase.after(roll, Points::Box)));
                    }
                }
            }
            assert_eq!(wager.mechanic.dials().contains(&dial), differs, "{} {}", wager.slug, dial.name());
        }
    }
}

fn machine_start(machine: &crate::Machine) -> Progress {
    machine.start(None).unwrap_or_else(|| machine.on(Point::Six))
}

#[test]
fn families_share_the_limits_of_their_group() {
    let groups: Vec<_> =
        crate::Family::ALL.iter().map(|family| (family.name(), family.group().map(|group| group.name()))).collect();
    let expected = [
        ("line", Some("line")),
        ("odds", None),
        ("place-win", Some("number")),
        ("place-lose", Some("number")),
        ("buy", Some("number")),
        ("lay", Some("number")),
        ("hard", Some("hardway")),
        ("one-roll", Some("prop")),
        ("hop", Some("prop")),
        ("big", Some("number")),
        ("put", Some("number")),
        ("side", Some("side")),
    ];
    assert_eq!(groups, expected);
    assert_eq!(crate::Group::ALL.map(crate::Group::name), ["line", "number", "hardway", "prop", "side"]);
}

/// Of two opposite bets on one number, one wins when the other loses.
#[test]
fn lay_is_the_mirror_of_buy_and_place_lose_of_place_win() {
    for (right, wrong) in [("buy", "lay"), ("place-win", "place-lose")] {
        for number in Point::BOX {
            let wager = |stem: &str| Wager::find(&format!("{stem}-{number}")).unwrap().machine(Dials::default());
            for roll in Throw::ALL {
                let step = |stem: &str| wager(stem).step(Progress::FRESH, Phase::ComeOut, roll);
                match step(right) {
                    Step::Won(_) => assert_eq!(step(wrong), Step::Lost),
                    Step::Lost => assert!(matches!(step(wrong), Step::Won(_))),
                    other => assert_eq!(step(wrong), other),
                }
            }
        }
    }
}

#[test]
fn in_the_crapless_game_pass_cannot_lose_on_the_come_out() {
    let crapless = Dials { points: Points::AllButSeven, ..Dials::default() };
    for come_out in ["1-1", "1-2", "6-5", "6-6"] {
        assert_eq!(tell("pass", crapless, come_out), "stands");
        assert_eq!(tell("pass", crapless, &format!("{come_out} {come_out}")), "win");
        assert_eq!(tell("pass", crapless, &format!("{come_out} 4-3")), "lost");
    }
    assert_eq!(tell("pass", crapless, "4-3"), "win");
}

#[test]
fn the_barred_totals_are_a_dial() {
    for bar in crate::Dial::Bar.words() {
        let mut dials = Dials::default();
        dials.turn(crate::Dial::Bar, bar).unwrap();
        assert_eq!(dials.bar.to_string(), *bar);
        for (total, roll) in [("2", "1-1"), ("3", "1-2"), ("12", "6-6")] {
            let barred = bar.split(' ').any(|word| word == total);
            assert_eq!(tell("dont-pass", dials, roll), if barred { "pushed" } else { "win" }, "bar {bar}");
        }
    }
}

#[test]
fn fire_waits_for_the_loser_seven_or_ends_on_the_sixth_point() {
    let all_six = "4,4,5,5,6,6,8,8,9,9,10,10";
    let ends = Dials { ends_on_sixth: SixthPoint::Ends, ..Dials::default() };
    assert_eq!(tell("fire", Dials::default(), &totals(all_six)), "stands");
    assert_eq!(tell("fire", Dials::default(), &totals(&format!("{all_six},11,4,7"))), "6");
    assert_eq!(tell("fire", ends, &totals(all_six)), "6");
}

#[test]
fn a_come_out_seven_ends_fire_only_where_any_seven_does() {
    let any = Dials { ends_on_seven: EndingSeven::Any, ..Dials::default() };
    assert_eq!(tell("fire", any, &totals("6,6,7")), "1");
    assert_eq!(tell("fire", Dials::default(), &totals("6,6,7")), "stands");
}

#[test]
fn hot_roller_reads_a_come_out_seven_by_its_dial() {
    let made_four_then_seven = "1-3 2-2 6-1";
    let with = |come_out_seven| Dials { come_out_seven, ..Dials::default() };
    assert_eq!(tell("hot-roller", with(ComeOutSeven::Settles), made_four_then_seven), "1");
    assert_eq!(tell("hot-roller", with(ComeOutSeven::Loses), made_four_then_seven), "lost");
    assert_eq!(tell("hot-roller", with(ComeOutSeven::Ignored), made_four_then_seven), "stands");
}

#[test]
fn all_fourteen_combinations_complete_six_numbers() {
    let all: Vec<String> = Throw::ALL
        .into_iter()
        .filter(|roll| Point::new(roll.total()).is_some_and(Point::is_box))
        .map(|roll| roll.to_string())
        .collect();
    assert_eq!(all.len(), 14);
    assert_eq!(tell("hot-roller", Dials::default(), &format!("{} 6-1", all.join(" "))), "6");
}

#[test]
fn hot_shooter_counts_the_edges_only_when_told_to() {
    let rolls = totals("6,5,4,8,9,3,11,10,7");
    let with = |count_come_out, count_seven_out| Dials { count_come_out, count_seven_out, ..Dials::default() };
    assert_eq!(tell("hot-shooter-jackpot", with(Count::Out, Count::Out), &rolls), "7");
    assert_eq!(tell("hot-shooter-jackpot", with(Count::In, Count::Out), &rolls), "8");
    assert_eq!(tell("hot-shooter-jackpot", with(Count::Out, Count::In), &rolls), "8");
    assert_eq!(tell("hot-shooter-jackpot", with(Count::In, Count::In), &rolls), "9");
}

#[test]
fn hot_shooter_counts_past_the_top_level_without_wrapping() {
    for (extra, rank) in [(7, "7"), (8, "8"), (15, "15"), (16, "16"), (44, "44"), (45, "45"), (50, "50"), (60, "50")] {
        let rolls = format!("5-1 {}6-1", "1-2 ".repeat(extra));
        assert_eq!(tell("hot-shooter-jackpot", Dials::default(), &rolls), rank, "{extra} rolls");
    }
}

#[test]
fn sharp_shooter_pays_the_tenth_point_at_once() {
    assert_eq!(tell("sharp-shooter", Dials::default(), &"5-1 ".repeat(20)), "10");
    assert_eq!(tell("sharp-shooter", Dials::default(), &totals("6,6,8,8,4,4,5,5,9,9,4,7")), "5");
}

#[test]
fn ride_the_line_counts_to_eleven_and_is_paid_at_the_seven_out() {
    for wins in [11, 13] {
        assert_eq!(tell("ride-the-line", Dials::default(), &format!("{}3-1 6-1", "6-1 ".repeat(wins))), "11");
    }
    assert_eq!(tell("ride-the-line", Dials::default(), &totals("6,6,8,8,5,5,9,9,4,4,10,10,3,7,6,7")), "7");
}

/// Rolls that decide only come bets: bets that collect numbers and the roll count still move, the others don't.
#[test]
fn come_decision_rolls_move_only_collections_and_the_roll_count() {
    let seven: Throw = "6-1".parse().unwrap();
    let six: Throw = "5-1".parse().unwrap();
    for (slug, moves) in [
        ("fire", false),
        ("sharp-shooter", false),
        ("ride-the-line", false),
        ("lucky-shooter", false),
        ("bonus-all-small", true),
        ("dice-ology-little-ones", true),
        ("hot-roller", true),
    ] {
        let machine = Wager::find(slug).unwrap().machine(Dials::default());
        let step = |roll| machine.step(Progress::FRESH, Phase::ComeDecisionOnly, roll);
        assert_eq!(step(six) != Step::Stand(Progress::FRESH), moves, "{slug}");
        assert_eq!(step(seven) != Step::Stand(Progress::FRESH), moves, "{slug}");
    }
    let jackpot = Wager::find("hot-shooter-jackpot").unwrap().machine(Dials::default());
    let Step::Stand(started) = jackpot.step(Progress::FRESH, Phase::ComeOut, six) else { unreachable!() };
    let Step::Stand(counted) = jackpot.step(started, Phase::ComeDecisionOnly, seven) else { unreachable!() };
    assert_ne!(started, counted);
}

#[test]
fn a_new_line_bet_can_push_and_pay_by_rank() {
    assert_eq!(tell("soft-pass", Dials::default(), "6-6"), "pushed");
    assert_eq!(tell("soft-pass", Dials::default(), "1-1"), "lost");
    assert_eq!(tell("soft-pass", Dials::default(), "6-5"), "yo");
    assert_eq!(tell("soft-pass", Dials::default(), "6-1"), "win");
    assert_eq!(tell("soft-pass", Dials::default(), "5-1 5-1"), "win");
    assert_eq!(tell("high-dont", Dials::default(), "1-1"), "craps");
    assert_eq!(tell("high-dont", Dials::default(), "6-6"), "pushed");
    assert_eq!(tell("high-dont", Dials::default(), "5-1 6-1"), "win");
}

#[test]
fn two_rolls_decide_by_the_first_or_the_second() {
    for (rolls, told) in
        [("6-1", "seven"), ("5-1 6-1", "point-seven"), ("5-1 6-2", "lost"), ("6-5", "lost"), ("5-1", "stands")]
    {
        assert_eq!(tell("corner", Dials::default(), rolls), told, "{rolls}");
    }
}

#[test]
fn repeats_rolls_without_a_seven_and_different_rolls_are_counted() {
    for (slug, rolls, told) in [
        ("repeat-3", "1-2 1-2 1-2", "win"),
        ("repeat-3", "1-2 1-2 5-1", "stands"),
        ("repeat-3", "1-2 1-2 6-1", "lost"),
        ("four-rolls", "1-2 6-6 1-2 5-5", "win"),
        ("four-rolls", "1-2 6-6 1-2", "stands"),
        ("four-rolls", "1-2 6-6 1-2 6-1", "lost"),
        ("doubles", "1-1 1-1 2-2 5-1 6-1", "2"),
        ("doubles", "1-1 2-2 3-3 4-4 5-5 6-6", "6"),
        ("doubles", "5-1 6-1", "lost"),
    ] {
        assert_eq!(tell(slug, Dials::default(), rolls), told, "{slug} {rolls}");
    }
}

#[test]
fn a_slug_is_looked_up_in_the_current_catalogue() {
    let read = || WagerId::try_from("corner".to_owned());
    assert!(read().is_err());
    assert_eq!(samples().reading(read).unwrap(), samples().find("corner").unwrap());
    assert!(read().is_err());
    let inside = samples().reading(|| WagerId::try_from("pass".to_owned())).unwrap();
    assert_eq!(Some(inside), Catalogue::built_in().find("pass"), "built-in wagers are the same in every catalogue");
    assert_eq!(String::from(inside), "pass");
}

/// Returns the text of a file with one entry in which one line is changed.
fn entry(line: &str) -> String {
    let key = line.split(" =").next().unwrap();
    let lines = [
        "slug = \"mine\"",
        "code = \"MINE\"",
        "name = \"Mine\"",
        "mechanic = { one_roll = [[\"win\", \"7\"]] }",
        "about = \"A bet.\"",
        "examples = [[\"6-1\", \"win\"]]",
    ];
    let kept: Vec<&str> = lines.into_iter().filter(|known| !known.starts_with(&format!("{key} ="))).collect();
    format!("family = \"side\"\n[[wager]]\n{line}\n{}\n", kept.join("\n"))
}

#[test]
fn a_bad_entry_is_refused_with_its_place_and_what_was_expected() {
    for (line, message) in [
        ("slug = \"pass\"", "is taken by pass"),
        ("slug = \"My Bet\"", "expected lowercase letters, digits and hyphens"),
        ("code = \"P\"", "is taken by pass"),
        ("code = \"mine\"", "expected capital letters"),
        ("code = \"7UP\"", "expected capital letters"),
        ("code = \"MINe\"", "expected capital letters"),
        ("slug = \"\"", "expected lowercase letters, digits and hyphens"),
        ("code = \"M#\"", "only line and odds bets"),
        ("family = \"sides\"", "expected one of line, odds"),
        ("examples = [[\"6-1\", \"lost\"]]", "expected `lost`, but the result is `win`"),
        ("examples = [[\"9-9\", \"win\"]]", "expected two dice"),
        ("examples = []", "expected an example that decides the bet"),
        ("tracker = \"nobody\"", "no wager has this slug"),
        ("mechanic = { one_roll = [[\"win\", \"7\"], [\"more\", \"6-1\"]] }", "rolls that no other rank has"),
        ("mechanic = { one_roll = [[\"win\", \"17\"]] }", "expected totals such as 7"),
        ("mechanic = { race = { wins = \"7\", loses = \"7\" } }", "other rolls that lose"),
        ("mechanic = { race = { wins = \"\", loses = \"7\" } }", "expected"),
        ("mechanic = { race = { wins = \"7\", loses = \"\" } }", "expected"),
        ("mechanic = { parts = [[\"pass\", 1], [\"field\", 1]] }", "pass isn't a one-roll wager"),
        ("mechanic = { parts = [[\"field\", 1]] }", "at least two wagers"),
        ("mechanic = { parts = [[\"field\", 0], [\"eleven\", 1]] }", "needs at least one unit"),
        ("mechanic = { parts = [[\"field\", 200], [\"any-seven\", 100]] }", "at most 255 units together"),
        ("mechanic = { parts = [[\"field\", 1], [\"eleven\", 1]] }", "at most one wins on any roll"),
        ("mechanic = { one_roll = [] }", "at least one rank"),
        ("mechanic = { passes_made = { most = 0 } }", "expected at least 1"),
        ("mechanic = { line_wins = { most = 0 } }", "expected at least 1"),
        ("mechanic = { rolls_survived = { most = 0 } }", "expected at least 1"),
        (
            "mechanic = { line = { side = \"right\", ranks = [[\"a\", \"11\"], [\"b\", \"11\"]] } }",
            "totals that no other rank has",
        ),
        ("mechanic = { line = { side = \"right\", ranks = [[\"win\", \"11\"]] } }", "ranks with unique names"),
        (
            "mechanic = { two_rolls = { first = [[\"a\", \"2\"]], goes_on = \"7\", second = [[\"a\", \"7\"]] } }",
            "rank a is in both rolls",
        ),
        ("mechanic = { odds = { side = \"right\", behind = \"later\" } }", "a wager that comes before this one"),
        ("mechanic = { odds = { side = \"right\", behind = [\"pass\"] } }", "expected wagers with a number"),
        ("mechanic = { collect = \"2 7\" }", "totals other than seven"),
        ("mechanic = { repeats = { totals = \"2\", times = 0 } }", "at least once"),
        ("mechanic = { repeats = { totals = \"2 7\", times = 2 } }", "totals other than seven"),
        ("mechanic = { no_seven = { rolls = 0 } }", "at least one roll"),
        ("mechanic = { different = \"7\" }", "none of them a seven"),
        ("mechanic = { different = \"2 3 4 5 6 8 9 10 11 12\" }", "expected 1 to 16 rolls"),
        (
            "mechanic = { two_rolls = { first = [[\"a\", \"7\"]], goes_on = \"7\", second = [[\"b\", \"7\"]] } }",
            "rolls that go on",
        ),
        (
            "mechanic = { two_rolls = { first = [[\"a\", \"2\"]], goes_on = \"\", second = [[\"b\", \"7\"]] } }",
            "rolls that go on",
        ),
        ("mechanic = { two_rolls = { first = [[\"a\", \"2\"]], goes_on = \"7\", second = [] } }", "rolls that go on"),
        ("mechanic = { magic = 1 }", "unknown variant"),
        ("color = \"red\"", "unknown field"),
    ] {
        let text = entry(line);
        let mistakes = Catalogue::built_in().with(&[EntryFile { path: "mine.toml", text: &text }]).unwrap_err();
        assert!(mistakes[0].message.contains(message), "{line}: {}", mistakes[0]);
        assert!(mistakes[0].span.start > 0 && mistakes[0].to_string().starts_with("mine.toml: "), "{line}");
    }
    assert!(Catalogue::built_in().with(&[EntryFile { path: "mine.toml", text: &entry("name = \"Mine\"") }]).is_ok());
}

/// The example of these entries has another result, so it is refused. The mechanic isn't.
#[test]
fn a_mechanic_can_be_as_large_as_its_limit() {
    for (mechanic, result) in
        [("parts = [[\"field\", 200], [\"any-seven\", 55]]", "part 2"), ("different = \"3 4 5 6 8 9 10 11\"", "lost")]
    {
        let text = entry(&format!("mechanic = {{ {mechanic} }}"));
        let mistakes = Catalogue::built_in().with(&[EntryFile { path: "mine.toml", text: &text }]).unwrap_err();
        assert_eq!(mistakes.len(), 1);
        let message = &mistakes[0].message;
        assert!(message.contains(&format!("expected `win`, but the result is `{result}`")), "{mechanic}: {message}");
    }
}

/// Bets that collect keep what they have when it is rolled again, and a roll that counts for nothing changes nothing.
#[test]
fn what_was_collected_stays_collected() {
    assert_eq!(tell("bonus-all-small", Dials::default(), &totals("2,3,4,5,5,4,6")), "win");
    assert_eq!(tell("hot-roller", Dials::default(), "1-3 1-3 2-2 3-6 6-1"), "1");
    assert_eq!(tell("fire", Dials::default(), &totals("6,6,8,5,12,8,4,7")), "2");
}

#[test]
fn phrases_belong_to_several_bets_at_once() {
    let with = |combo: &str| {
        let text = format!("{}\n[[combo]]\n{combo}\n", entry("name = \"Mine\""));
        let made = Catalogue::built_in().with(&[EntryFile { path: "mine.toml", text: &text }]);
        made.map(|made| made.combos().len()).map_err(|mistakes| mistakes[0].message.clone())
    };
    let built_in = Catalogue::built_in().combos().len();
    assert_eq!(with("phrases = [\"mine and any\"]\nbets = [\"mine\", \"any-seven\"]"), Ok(built_in + 1));
    let expected = Err("expected at least one phrase and two bets".to_owned());
    assert_eq!(with("phrases = []\nbets = [\"mine\", \"any-seven\"]"), expected);
    assert_eq!(with("phrases = [\"mine alone\"]\nbets = [\"mine\"]"), expected);
    assert_eq!(with("phrases = [\"x\"]\nbets = [\"mine\", \"yours\"]"), Err("no wager is called `yours`".to_owned()));
}

#[test]
fn the_words_of_an_entry_are_those_of_its_file() {
    let text = entry("phrases = [\"my bet\", \"mine please\"]");
    let made = Catalogue::built_in().with(&[EntryFile { path: "mine.toml", text: &text }]).unwrap();
    assert_eq!(made.find("mine").unwrap().wager().phrases, ["my bet", "mine please"]);
    assert!(Wager::find("pass").unwrap().phrases.contains(&"pass line"));
}
