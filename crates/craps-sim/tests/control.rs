//! The luck-adjusted mean is the same mean that the sessions have, with a far smaller error.

#![allow(
    clippy::unwrap_used,
    clippy::float_arithmetic,
    clippy::cast_precision_loss,
    reason = "a test that can't go on should panic, and statistics are floats"
)]

mod in_code;

use craps_law::{HouseRules, Library};
use craps_sim::exact::exact;
use craps_sim::tabulate::tabulate;
use craps_sim::{Answer, Choice, Plan, Request, Rules, Strategy, Unwatched, run};
use in_code::{Molly, PassOdds, Press};

const RICH: i64 = 100_000_000_000;

fn rules() -> Rules {
    let library = Library::shipped();
    let book = library.book("nj").unwrap();
    Rules::new(book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap()).unwrap()
}

fn played<S: Strategy>(rules: &Rules, strategy: &S, plan: Plan, choice: Choice, seed: u64) -> Answer {
    let request = Request { rules, strategy, plan, sessions: 2_000, seed, threads: 2, choice, strict: false };
    run(&request, &Unwatched).unwrap()
}

/// Checks over several seeds that the luck-adjusted mean differs from the exact one by about as much as its error says, and that its error is
/// more than `times` times smaller than the plain one.
fn covers<S: Strategy>(rules: &Rules, strategy: &S, plan: Plan, times: f64, name: &str) {
    const SEEDS: u64 = 8;
    let truth = exact(&tabulate(rules, strategy, 10_000).unwrap().folded(), &plan).unwrap().mean();
    let mut squares = 0.0;
    for seed in 0..SEEDS {
        let answer = played(rules, strategy, plan, Choice::Engine, seed);
        let controlled = answer.controlled.unwrap();
        assert_eq!((controlled.sessions, answer.followed, answer.seen), (2_000, 2_000, 2_000));
        let off = (controlled.mean - truth) / controlled.error;
        assert!(off.abs() < 4.0, "{name}, seed {seed}: {controlled:?}, exactly {truth}");
        squares += off * off;
        let plain = answer.mean_error().unwrap();
        assert!(controlled.error * times < plain, "{name}: {} is not {times} times below {plain}", controlled.error);
        // The table of positions gives the same result, although it sees no bets.
        let table = played(rules, strategy, plan, Choice::Tabulated, seed);
        assert_eq!(table.controlled, answer.controlled, "{name}, seed {seed}");
    }
    // The sum of eight squared standard normals lies in this range in 998 of 1,000 cases.
    assert!((0.86..26.1).contains(&squares), "{name}: the reported errors don't match the real ones: {squares}");
}

#[test]
fn pass_and_molly_lose_their_luck() {
    let rules = rules();
    let plan = Plan { buy_in: RICH, throws: 100, stop: None, goal: None };
    covers(&rules, &PassOdds::new(rules.board(), 1_000).unwrap(), plan, 10.0, "pass");
    covers(&rules, &Molly::new(rules.board(), 1_000).unwrap(), plan, 10.0, "molly");
}

/// Luck decides whether a stop or a goal is reached, and still no luck is left in the mean.
#[test]
fn a_stop_and_a_goal_do_not_bring_luck_back() {
    let rules = rules();
    let plan = Plan { buy_in: RICH, throws: 500, stop: Some(-30_000), goal: Some(30_000) };
    covers(&rules, &Press::new(rules.board(), 1_200).unwrap(), plan, 5.0, "press");
}

/// With a buy-in that can run out the engine plays what no exact answer covers. The two means still agree.
#[test]
fn a_short_rail_does_not_either() {
    let rules = rules();
    let plan = Plan { buy_in: 30_000, throws: 300, stop: None, goal: None };
    let answer = played(&rules, &Molly::new(rules.board(), 1_000).unwrap(), plan, Choice::Auto, 3);
    assert!(answer.p_broke > 0.1, "{}", answer.p_broke);
    let controlled = answer.controlled.unwrap();
    let plain = answer.mean_error().unwrap();
    assert!((controlled.mean - answer.mean).abs() < 4.0 * plain, "{controlled:?}, plain {} ± {plain}", answer.mean);
    assert!(controlled.error * 5.0 < plain);
}

#[test]
fn an_exact_answer_has_no_luck_to_take_out() {
    let rules = rules();
    let plan = Plan { buy_in: RICH, throws: 100, stop: None, goal: None };
    let answer = played(&rules, &PassOdds::new(rules.board(), 1_000).unwrap(), plan, Choice::Exact, 1);
    assert_eq!((answer.controlled, answer.followed, answer.seen), (None, 0, 0));
}
