//! Three forms of one truth: what the engine plays, what the table of positions says, and what the chances come to.

#![allow(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a test that cannot go on should stop where it is, and statistics are floats"
)]

use craps_law::{HouseRules, Library};
use craps_sim::dice::Stream;
use craps_sim::exact::exact;
use craps_sim::in_code::{Molly, PassOdds, Press};
use craps_sim::language::Script;
use craps_sim::lookup::Lookup;
use craps_sim::shipped::Shipped;
use craps_sim::tabulate::{Tabulation, tabulate};
use craps_sim::{End, Engine, Plan, Rules, Strategy};

fn rules() -> Rules {
    let library = Library::shipped();
    let book = library.book("nj").unwrap();
    Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap()).unwrap()
}

const RICH: i64 = 100_000_000_000;
const CAP: usize = 100_000;

/// One session by the table of positions, from the same dice as the engine's.
fn looked_up(table: &Tabulation, seed: u64, number: u64, plan: &Plan) -> (i64, u32) {
    let mut stream = Stream::new(seed, number);
    let (mut position, mut net) = (0usize, 0);
    for throw in 1..=plan.throws {
        let turn = table.turns[position][stream.way()];
        (position, net) = (turn.next as usize, net + turn.delta);
        if plan.stop.is_some_and(|stop| net <= stop) || plan.goal.is_some_and(|goal| net >= goal) {
            return (net, throw);
        }
    }
    (net, plan.throws)
}

/// Both forms session by session on one seed, and the sample near the exact figures.
fn agree<S: Strategy>(rules: &Rules, strategy: &S, plan: &Plan, name: &str) {
    let table = tabulate(rules, strategy, CAP).unwrap();
    let folded = table.folded();
    let mut engine = Engine::new(rules, strategy);
    let sessions = 4_000;
    let mut nets = Vec::new();
    for number in 0..sessions {
        let outcome = engine.session(7, number, plan);
        assert_eq!(looked_up(&table, 7, number, plan), (outcome.net, outcome.throws), "{name}, session {number}");
        assert_eq!(
            looked_up(&folded, 7, number, plan),
            (outcome.net, outcome.throws),
            "{name}, session {number}, folded"
        );
        nets.push(outcome.net as f64);
    }
    // Eight at a time, and one by one where fewer are left.
    let lookup = Lookup::new(&folded).unwrap();
    let mut engine = Engine::new(rules, strategy);
    let mut seen = 0;
    lookup.sessions(7, 100, 1_003, plan, None, |number, outcome| {
        let played = engine.session(7, number, plan);
        assert_eq!(
            (outcome.net, outcome.throws, outcome.end),
            (played.net, played.throws, played.end),
            "{name}, {number}"
        );
        seen += 1;
    });
    assert_eq!(seen, 1_003, "{name}");
    let truth = exact(&folded, plan).unwrap();
    let count = sessions as f64;
    let mean = nets.iter().sum::<f64>() / count;
    assert!((mean - truth.mean()).abs() < 4.0 * truth.sd() / count.sqrt(), "{name}: {mean} / {}", truth.mean());
    let behind = nets.iter().filter(|net| **net < 0.0).count() as f64 / count;
    assert!((behind - truth.behind()).abs() < 2.0 / count.sqrt(), "{name}: {behind} / {}", truth.behind());
    let sd = (nets.iter().map(|net| (net - mean).powi(2)).sum::<f64>() / count).sqrt();
    assert!((sd / truth.sd() - 1.0).abs() < 0.06, "{name}: {sd} / {}", truth.sd());
    let whole: f64 = truth.nets.iter().map(|(_, chance)| chance).sum();
    assert!((whole - 1.0).abs() < 1e-9, "{name}: {whole}");
    let by_bets: f64 = truth.by_slot.iter().map(|(_, net, _)| net).sum();
    assert!((by_bets - truth.mean()).abs() < 1e-6, "{name}: bets bring {by_bets}, sessions {}", truth.mean());
}

fn near(found: f64, wanted: f64, places: i32, what: &str) {
    assert!((found - wanted).abs() <= 0.6 * 10f64.powi(-places), "{what}: {found}, expected {wanted}");
}

/// Figures worked out elsewhere, by other programs.
#[test]
fn pass_with_full_odds_over_a_hundred_throws() {
    let rules = rules();
    let strategy = PassOdds::new(rules.layout(), 1_000).unwrap();
    let plan = Plan { buy_in: RICH, throws: 100, stop: None, goal: None };
    agree(&rules, &strategy, &plan, "pass");
    let truth = exact(&tabulate(&rules, &strategy, CAP).unwrap().folded(), &plan).unwrap();
    near(truth.mean() / 100.0, -2.917785, 6, "mean");
    near(truth.sd() / 100.0, 266.263, 3, "sd");
    near(truth.behind(), 0.501705342, 9, "behind");
}

#[test]
fn molly_over_a_hundred_throws() {
    let rules = rules();
    let strategy = Molly::new(rules.layout(), 1_000).unwrap();
    let plan = Plan { buy_in: RICH, throws: 100, stop: None, goal: None };
    agree(&rules, &strategy, &plan, "molly");
    let truth = exact(&tabulate(&rules, &strategy, CAP).unwrap().folded(), &plan).unwrap();
    near(truth.mean() / 100.0, -6.936634, 6, "mean");
    near(truth.sd() / 100.0, 474.564, 3, "sd");
    near(truth.behind(), 0.506176342, 9, "behind");
}

#[test]
fn pressing_the_six_and_eight_with_stop_and_goal() {
    let rules = rules();
    let strategy = Press::new(rules.layout(), 1_200).unwrap();
    let plan = Plan { buy_in: RICH, throws: 500, stop: Some(-30_000), goal: Some(30_000) };
    agree(&rules, &strategy, &plan, "press");
    let truth = exact(&tabulate(&rules, &strategy, CAP).unwrap().folded(), &plan).unwrap();
    near(truth.mean() / 100.0, -33.309336, 6, "mean");
    near(truth.goal, 0.327918650, 9, "goal");
    near(truth.stop, 0.394571984, 9, "stop");
    near(truth.throws_mean, 320.0461, 4, "throws");
}

#[test]
fn a_session_hangs_on_its_seed_and_number_alone() {
    let rules = rules();
    let strategy = Molly::new(rules.layout(), 1_000).unwrap();
    let plan = Plan { buy_in: 50_000, throws: 300, stop: None, goal: Some(50_000) };
    let (mut one, mut other) = (Engine::new(&rules, &strategy), Engine::new(&rules, &strategy));
    let forward: Vec<_> = (0..300).map(|number| one.session(3, number, &plan)).collect();
    let mut backward: Vec<_> = (0..300).rev().map(|number| other.session(3, number, &plan)).collect();
    backward.reverse();
    assert_eq!(forward, backward);
    assert!(forward.iter().any(|outcome| outcome.end == End::Broke), "nobody went broke on a short rail");
}

/// The table a strategy asks for; without a word of its own, the plain house of a book that has everything usual.
fn table_for(script: &Script) -> Rules {
    let library = Library::shipped();
    let book = library.book(script.book.as_deref().unwrap_or("nj")).unwrap();
    let mut house = HouseRules::plain(&book.id, book.sample_day);
    let wanted = script.house.as_deref().unwrap_or_default();
    for pair in wanted.split(';').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (key, value) = pair.split_once('=').unwrap();
        house.set(key.trim(), value.trim()).unwrap();
    }
    Rules::new(book.admit(&house).unwrap()).unwrap()
}

/// Every strategy that comes with the program: engine and table alike session by session, and both near the exact figures where there are
/// some.
#[test]
fn every_shipped_strategy_is_the_same_in_every_form() {
    let mut tabulated = 0;
    for shipped in Shipped::all() {
        let script = shipped.script().unwrap();
        let rules = table_for(&script);
        let program = script.at(rules.layout(), rules.table()).unwrap();
        let plan = Plan { buy_in: RICH, throws: 60, stop: program.stop(), goal: program.goal() };
        let Ok(table) = tabulate(&rules, &program, 20_000) else { continue };
        tabulated += 1;
        let folded = table.folded();
        let mut engine = Engine::new(&rules, &program);
        let mut nets = Vec::new();
        for number in 0..1_500 {
            let outcome = engine.session(11, number, &plan);
            assert_eq!(
                looked_up(&folded, 11, number, &plan),
                (outcome.net, outcome.throws),
                "{}, {number}",
                shipped.name
            );
            nets.push(outcome.net as f64);
        }
        let Ok(truth) = exact(&folded, &plan) else { continue };
        let count = nets.len() as f64;
        let mean = nets.iter().sum::<f64>() / count;
        let off = (mean - truth.mean()).abs();
        assert!(off <= 4.0 * truth.sd() / count.sqrt(), "{}: {mean} / {}", shipped.name, truth.mean());
        let behind = nets.iter().filter(|net| **net < 0.0).count() as f64 / count;
        assert!((behind - truth.behind()).abs() < 2.0 / count.sqrt(), "{}: {behind}", shipped.name);
    }
    assert!(tabulated >= 30, "only {tabulated} strategies could be tabulated");
}
