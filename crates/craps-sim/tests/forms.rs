//! The three forms agree: the engine, the table of positions, and the exact probabilities.

#![allow(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a test that can't go on should panic, and statistics are floats"
)]

mod in_code;

use craps_law::{HouseRules, Library};
use craps_sim::dice::Stream;
use craps_sim::exact::exact;
use craps_sim::language::Script;
use craps_sim::lookup::Lookup;
use craps_sim::shipped::Shipped;
use craps_sim::tabulate::{Tabulation, tabulate};
use craps_sim::{End, Engine, Plan, Rules, SessionOutcome, Strategy};
use in_code::{Molly, PassOdds, Press};

fn rules() -> Rules {
    let library = Library::shipped();
    let book = library.book("nj").unwrap();
    Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap()).unwrap()
}

const RICH: i64 = 100_000_000_000;
const CAP: usize = 100_000;

/// Plays one session on the table of positions, with the same dice as the engine.
fn looked_up(table: &Tabulation, seed: u64, number: u64, plan: &Plan) -> SessionOutcome {
    let mut stream = Stream::new(seed, number);
    let (mut position, mut net, mut peak, mut drawdown) = (0usize, 0, 0, 0);
    for throws in 0..plan.throws {
        if table.quits[position] {
            return SessionOutcome { net, throws, end: End::Quit, drawdown };
        }
        let turn = table.turns[position][stream.way()];
        (position, net) = (turn.next as usize, net + turn.delta);
        peak = peak.max(net);
        drawdown = drawdown.max(peak - net);
        let end = match (plan.stop, plan.goal) {
            (Some(stop), _) if net <= stop => End::Stop,
            (_, Some(goal)) if net >= goal => End::Goal,
            _ => continue,
        };
        return SessionOutcome { net, throws: throws + 1, end, drawdown };
    }
    SessionOutcome { net, throws: plan.throws, end: End::Throws, drawdown }
}

/// Plays sessions side by side and compares each with the wanted outcome.
fn side_by_side(
    table: &Tabulation,
    plan: &Plan,
    count: u64,
    name: &str,
    mut wanted: impl FnMut(u64) -> SessionOutcome,
) {
    let lookup = Lookup::new(table).unwrap();
    let mut seen = vec![false; usize::try_from(count).unwrap()];
    lookup.sessions(7, 100, count, plan, None, |number, outcome| {
        assert_eq!(outcome, wanted(number), "{name}, session {number}");
        seen[usize::try_from(number - 100).unwrap()] = true;
    });
    assert!(seen.iter().all(|seen| *seen), "{name}: a session is missing");
}

/// Checks that both forms agree session by session on one seed, and that the sample is near the exact figures.
fn agree<S: Strategy>(rules: &Rules, strategy: &S, plan: &Plan, name: &str) {
    let table = tabulate(rules, strategy, CAP).unwrap();
    let folded = table.folded();
    let mut engine = Engine::new(rules, strategy);
    let sessions = 4_000;
    let mut nets = Vec::new();
    for number in 0..sessions {
        let outcome = engine.session(7, number, plan);
        assert_eq!(looked_up(&table, 7, number, plan), outcome, "{name}, session {number}");
        assert_eq!(looked_up(&folded, 7, number, plan), outcome, "{name}, session {number}, folded");
        nets.push(outcome.net as f64);
    }
    // Not a multiple of the number of lanes.
    side_by_side(&folded, plan, 1_003, name, |number| engine.session(7, number, plan));
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
    assert!((by_bets - truth.mean()).abs() < 1e-6, "{name}: bets add up to {by_bets}, sessions to {}", truth.mean());
}

fn near(found: f64, wanted: f64, places: i32, what: &str) {
    assert!((found - wanted).abs() <= 0.6 * 10f64.powi(-places), "{what}: {found}, expected {wanted}");
}

/// The expected figures were computed by other programs.
#[test]
fn pass_with_full_odds_over_a_hundred_throws() {
    let rules = rules();
    let strategy = PassOdds::new(rules.board(), 1_000).unwrap();
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
    let strategy = Molly::new(rules.board(), 1_000).unwrap();
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
    let strategy = Press::new(rules.board(), 1_200).unwrap();
    let plan = Plan { buy_in: RICH, throws: 500, stop: Some(-30_000), goal: Some(30_000) };
    agree(&rules, &strategy, &plan, "press");
    let truth = exact(&tabulate(&rules, &strategy, CAP).unwrap().folded(), &plan).unwrap();
    near(truth.mean() / 100.0, -33.309336, 6, "mean");
    near(truth.goal, 0.327918650, 9, "goal");
    near(truth.stop, 0.394571984, 9, "stop");
    near(truth.throws_mean, 320.0461, 4, "throws");
}

/// Sessions of any length: shorter than a round of rolls, not a whole number of rounds, longer than a path.
#[test]
fn sessions_of_any_length_are_the_same_side_by_side() {
    let rules = rules();
    let strategy = Molly::new(rules.board(), 1_000).unwrap();
    let table = tabulate(&rules, &strategy, CAP).unwrap().folded();
    for throws in [0, 1, 2, 15, 16, 17, 1_024, 1_025, 5_000] {
        for (stop, goal) in [(None, None), (Some(-20_000), None), (None, Some(15_000)), (Some(-50_050), Some(70_001))] {
            let plan = Plan { buy_in: RICH, throws, stop, goal };
            let name = format!("{throws} rolls, {stop:?}, {goal:?}");
            side_by_side(&table, &plan, 50, &name, |number| looked_up(&table, 7, number, &plan));
        }
    }
}

/// Changes of any size, up to those that saturate a path again and again and those that a pair of rolls can't hold.
#[test]
fn changes_of_any_size_are_the_same_side_by_side() {
    let rules = rules();
    let strategy = Molly::new(rules.board(), 1_000).unwrap();
    let table = tabulate(&rules, &strategy, CAP).unwrap().folded();
    for times in [1, 10, 100, 1_900, 1_000_000] {
        let mut larger = table.clone();
        larger.turns.iter_mut().flatten().for_each(|turn| turn.delta *= times);
        for bound in [None, Some(40_000 * times)] {
            let plan = Plan { buy_in: RICH, throws: 2_000, stop: bound.map(|bound| -bound), goal: bound };
            let name = format!("{times} times, {bound:?}");
            side_by_side(&larger, &plan, 50, &name, |number| looked_up(&larger, 7, number, &plan));
        }
    }
}

#[test]
fn a_session_that_quits_is_the_same_by_look_up() {
    let rules = rules();
    let strategy = Molly::new(rules.board(), 1_000).unwrap();
    let mut table = tabulate(&rules, &strategy, CAP).unwrap().folded();
    let last = table.quits.len() - 1;
    table.quits[last] = true;
    let plan = Plan { buy_in: RICH, throws: 100, stop: None, goal: Some(50_000) };
    let mut ends = Vec::new();
    side_by_side(&table, &plan, 200, "quits", |number| {
        let outcome = looked_up(&table, 7, number, &plan);
        ends.push(outcome.end);
        outcome
    });
    assert!([End::Quit, End::Goal, End::Throws].iter().all(|end| ends.contains(end)), "{ends:?}");
}

#[test]
fn a_session_hangs_on_its_seed_and_number_alone() {
    let rules = rules();
    let strategy = Molly::new(rules.board(), 1_000).unwrap();
    let plan = Plan { buy_in: 50_000, throws: 300, stop: None, goal: Some(50_000) };
    let (mut one, mut other) = (Engine::new(&rules, &strategy), Engine::new(&rules, &strategy));
    let forward: Vec<_> = (0..300).map(|number| one.session(3, number, &plan)).collect();
    let mut backward: Vec<_> = (0..300).rev().map(|number| other.session(3, number, &plan)).collect();
    backward.reverse();
    assert_eq!(forward, backward);
    assert!(forward.iter().any(|outcome| outcome.end == End::Broke), "no session went broke with a small buy-in");
}

/// Returns the table that a strategy asks for, or else the plain house of a book that has all the usual bets.
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

/// For every shipped strategy, engine and table agree session by session, and both are near the exact figures if there are any.
#[test]
fn every_shipped_strategy_is_the_same_in_every_form() {
    let mut tabulated = 0;
    for shipped in Shipped::all() {
        let script = shipped.script().unwrap();
        let rules = table_for(&script);
        let program = script.at(rules.board(), rules.table()).unwrap();
        let plan = Plan { buy_in: RICH, throws: 60, stop: program.stop(), goal: program.goal() };
        let Ok(table) = tabulate(&rules, &program, 20_000) else { continue };
        tabulated += 1;
        let folded = table.folded();
        let mut engine = Engine::new(&rules, &program);
        let mut nets = Vec::new();
        for number in 0..1_500 {
            let outcome = engine.session(11, number, &plan);
            assert_eq!(looked_up(&folded, 11, number, &plan), outcome, "{}, {number}", shipped.name);
            nets.push(outcome.net as f64);
        }
        side_by_side(&folded, &plan, 200, shipped.name, |number| engine.session(7, number, &plan));
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
