//! Exact costs of the built-in strategies, generated into `docs/strategies.md`.

#![allow(clippy::float_arithmetic, reason = "means")]

use crate::support::{boxperson, root};
use craps_law::{HouseRules, Library};
use craps_sim::Rules;
use craps_sim::exact::{Moments, long_run, moments};
use craps_sim::shipped::Shipped;
use craps_sim::tabulate::tabulate;
use serde_json::Value;
use std::fmt::Write as _;
use std::{env, fs};

const BEGIN: &str = "<!-- costs: generated from the exact form; do not edit by hand -->\n";
const END: &str = "<!-- /costs -->\n";
const THROWS: u32 = 100;
/// More positions than any built-in strategy has.
const CAP: usize = 100_000;

/// Solves a strategy at the table that `sim` uses by default: its own book or the first one, with the house rules it asks for.
fn solved(library: &Library, shipped: Shipped) -> (String, Moments, (f64, f64)) {
    let script = shipped.script().unwrap();
    let book = script.book.as_ref().map_or(&library.books[0], |id| library.book(id).unwrap());
    let mut house = HouseRules::plain(&book.id, book.sample_day);
    for pair in script.house.iter().flat_map(|house| house.split(';')) {
        let (key, value) = pair.split_once('=').unwrap();
        house.set(key.trim(), value.trim()).unwrap();
    }
    let rules = Rules::new(book.admit(&house).unwrap()).unwrap();
    let program = script.at(rules.board(), rules.table()).unwrap();
    let table = tabulate(&rules, &program, CAP).unwrap_or_else(|why| panic!("{}: {why}", shipped.name));
    let long_run = long_run(&table).unwrap_or_else(|| panic!("{} has no long run", shipped.name));
    (format!("{} {}", book.id, book.sample_day), moments(&table, THROWS), long_run)
}

/// Returns the generated part of the page.
fn generated(library: &Library) -> String {
    let mut out = format!(
        "These figures are computed over all positions and rolls, not sampled. They use double precision, and rounding errors are far below the\n\
         digits shown. Bets are in the unit of the file, the player never runs out of chips, and there is no stop and no goal. The columns are:\n\
         the mean cost of the first {THROWS} rolls from the first come-out roll on, with open bets at face value, and its standard deviation;\n\
         then, in the long run, the cost of {THROWS} rolls, the bets won or lost in them, and the loss as a share of those bets.\n\n\
         | strategy | unit | table | first {THROWS} rolls | std. deviation | long run | resolved | loss |\n\
         |---|--:|---|--:|--:|--:|--:|--:|\n"
    );
    for shipped in Shipped::all() {
        let (table, moments, (mean, resolved)) = solved(library, shipped);
        let _ = writeln!(
            out,
            "| `{}` | {} | {table} | {:.4} | {:.2} | {:.4} | {:.2} | {:.3} % |",
            shipped.name,
            shipped.script().unwrap().unit,
            -moments.mean / 100.0,
            moments.sd / 100.0,
            // Times 100 rolls, divided by 100 cents.
            -mean,
            resolved,
            -mean / resolved * 100.0
        );
    }
    out
}

#[test]
fn the_page_says_what_every_strategy_costs_exactly() {
    let path = root().join("docs/strategies.md");
    let page = fs::read_to_string(&path).unwrap();
    let (before, rest) = page.split_once(BEGIN).expect("the comment before the costs");
    let (kept, after) = rest.split_once(END).expect("the comment after the costs");
    let now = generated(&Library::shipped());
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::write(&path, [before, BEGIN, &now, END, after].concat()).unwrap();
    } else {
        assert!(
            kept == now,
            "docs/strategies.md differs; run `cargo xtask golden` and review the diff\n--- now ---\n{now}"
        );
    }
}

/// In the long run a bet loses its edge, which is known independently.
#[test]
fn in_the_long_run_a_bet_loses_its_edge() {
    let library = Library::shipped();
    for (name, edge) in
        [("pass-flat", 7.0 / 495.0), ("field", 1.0 / 18.0), ("place-6-8", 1.0 / 66.0), ("hardways", 0.1)]
    {
        let (_, _, (mean, resolved)) = solved(&library, Shipped::find(name).unwrap());
        assert!((-mean / resolved - edge).abs() < 1e-9, "{name}: {mean} of {resolved}");
    }
}

/// `sim --form exact` gives the same mean and standard deviation.
#[test]
fn the_command_line_gives_the_same_costs() {
    let library = Library::shipped();
    for name in ["molly", "five-count", "buy-4-10", "ride", "crapless"] {
        let (_, moments, _) = solved(&library, Shipped::find(name).unwrap());
        let limits = ["--throws", "100", "--buy-in", "1000000", "--stop", "none", "--goal", "none"];
        let run = boxperson(&[&["sim", name, "--form", "exact", "--format", "json"], &limits[..]].concat());
        assert_eq!(run.code, 0, "{name}: {}", run.err);
        let answer: Value = serde_json::from_str(&run.out).unwrap();
        for (field, minor) in [("mean", moments.mean), ("sd", moments.sd)] {
            let found = answer[field].as_f64().unwrap();
            assert!((found - minor / 100.0).abs() < 1e-7, "{name}: {field} {found}, {minor}");
        }
    }
}
