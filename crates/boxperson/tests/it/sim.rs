//! `boxperson sim`: its output, its files and its errors.

#![allow(clippy::float_arithmetic, reason = "statistics")]

use crate::support::{boxperson, boxperson_with_input};
use serde_json::Value;
use std::fs;

/// Runs `sim` with JSON output and returns the document.
fn answer(args: &[&str]) -> Value {
    let args = [&["sim"], args, &["--format", "json"]].concat();
    let run = boxperson(&args);
    assert_eq!(run.code, 0, "{args:?}\n{}", run.err);
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", run.out))
}

fn number(answer: &Value, field: &str) -> f64 {
    answer[field].as_f64().unwrap_or_else(|| panic!("{field}: {}", answer[field]))
}

#[test]
fn exact_answers_are_the_ones_that_were_worked_out_elsewhere() {
    for (args, expected) in [
        (
            &["pass", "--throws", "100"][..],
            &[("mean", -2.917_785, 5e-7), ("sd", 266.263, 5e-4), ("p_behind", 0.501_705_342, 5e-10)][..],
        ),
        (
            &["molly", "--throws", "100"],
            &[("mean", -6.936_634, 5e-7), ("sd", 474.564, 5e-4), ("p_behind", 0.506_176_342, 5e-10)],
        ),
        (
            &["press", "--throws", "500", "--stop", "-300", "--goal", "+300"],
            &[
                ("mean", -33.309_336, 5e-7),
                ("p_goal", 0.327_918_650, 5e-10),
                ("p_stop", 0.394_571_984, 5e-10),
                ("throws_mean", 320.046_1, 5e-5),
            ],
        ),
    ] {
        let args = [args, &["--book", "nj", "--form", "exact", "--buy-in", "100000", "--seed", "1"]].concat();
        let answer = answer(&args);
        assert_eq!(answer["form"], "exact");
        for (field, value, within) in expected {
            let found = number(&answer, field);
            assert!((found - value).abs() <= *within, "{args:?}: {field} {found} is not {value}");
        }
    }
}

#[test]
fn a_document_has_what_was_promised() {
    let answer = answer(&["pass", "--book", "nj", "--sessions", "500", "--seed", "7", "--form", "tabulated"]);
    for field in [
        "form",
        "sessions",
        "throws",
        "mean",
        "sd",
        "p_behind",
        "p_stop",
        "p_goal",
        "throws_mean",
        "quantiles",
        "edge_by_wager",
        "throws_per_second",
        "states",
    ] {
        assert!(!answer[field].is_null(), "{field}");
    }
    assert_eq!(answer["sessions"], 500);
    assert_eq!(answer["throws"], 50_000);
    assert_eq!(answer["seed"], 7);
    assert!(answer["edge_by_wager"]["pass"].is_f64());
    assert!(answer["quantiles"]["50"].is_f64());
    for mean in ["mean", "mean_controlled"] {
        let interval = &answer["intervals"][mean];
        assert!(interval[0].as_f64() < answer[mean].as_f64() && answer[mean].as_f64() < interval[1].as_f64(), "{mean}");
    }
    assert_eq!(answer["mean_controlled_sessions"], 500);
    assert!(number(&answer, "mean_controlled_error") * 10.0 < number(&answer, "sd") / 500f64.sqrt());
}

#[test]
fn figures_say_how_many_sessions_they_rest_on() {
    let args =
        ["molly", "--book", "nj", "--sessions", "2000", "--throws", "1000", "--seed", "7", "--form", "tabulated"];
    let answer = answer(&args);
    for field in ["sessions_followed", "sessions_seen", "mean_controlled_sessions"] {
        assert_eq!(answer[field], 1_000, "{field}");
    }
    let run = boxperson(&[&["sim"], &args[..]].concat());
    for words in ["Average without luck", "By wager, first 1,000 sessions", "The first 1,000 sessions were"] {
        assert!(run.out.contains(words), "{words}\n{}", run.out);
    }
}

#[test]
fn the_worst_fall_and_the_figures_by_wager_have_intervals() {
    let args = ["field", "--book", "nj", "--sessions", "400", "--throws", "60", "--seed", "7", "--form", "engine"];
    let field = answer(&args);
    // If only one wager is played, its result is the whole result.
    let (whole, own) = (&field["intervals"]["mean"], &field["intervals"]["net field"]);
    for end in [0, 1] {
        assert!((whole[end].as_f64().unwrap() - own[end].as_f64().unwrap()).abs() < 1e-6, "{whole} {own}");
    }
    for (name, figure) in [("drawdown_mean", "mean"), ("drawdown_95", "worst_of_95")] {
        let (interval, figure) = (&field["intervals"][name], field["drawdown"][figure].as_f64());
        assert!(interval[0].as_f64() <= figure && figure <= interval[1].as_f64(), "{name}: {interval}");
    }
    // Four times as many sessions halve the intervals, roughly.
    let more = answer(&[&args[..4], &["1600"], &args[5..]].concat());
    let wide = |of: &Value| {
        of["intervals"]["drawdown_mean"][1].as_f64().unwrap() - of["intervals"]["drawdown_mean"][0].as_f64().unwrap()
    };
    assert!((1.7..2.3).contains(&(wide(&field) / wide(&more))), "{} {}", wide(&field), wide(&more));
}

#[test]
fn a_draw_that_is_not_made_is_told() {
    let run = boxperson(&["sim", "power-hardways", "--sessions", "50", "--seed", "1"]);
    assert!(run.out.contains("Power Odds: the simulation never raises a payout"), "{}", run.out);
    let plain = boxperson(&["sim", "hardways", "--book", "pa", "--sessions", "50", "--seed", "1"]);
    assert!(!plain.out.contains("never raises"), "{}", plain.out);
}

#[test]
fn a_seed_is_one_answer_whatever_the_form_and_the_threads() {
    let run = |more: &[&str]| {
        let mut answer = answer(&[&["molly", "--book", "pa", "--sessions", "400", "--seed", "11"], more].concat());
        let fields = ["mean", "sd", "p_behind", "throws", "quantiles"];
        fields.map(|field| answer[field].take())
    };
    let engine = run(&["--form", "engine", "--threads", "1"]);
    assert_eq!(engine, run(&["--form", "engine", "--threads", "3"]));
    assert_eq!(engine, run(&["--form", "tabulated", "--threads", "2"]));
}

#[test]
fn the_seed_is_told_where_none_was_given() {
    let one = answer(&["field", "--book", "pa", "--sessions", "50", "--form", "engine"]);
    let seed = one["seed"].to_string();
    let command = one["command"].as_str().unwrap();
    assert!(command.ends_with(&format!("--seed {seed}")), "{command}");
    let again = answer(&["field", "--book", "pa", "--sessions", "50", "--form", "engine", "--seed", &seed]);
    assert_eq!(one["mean"], again["mean"]);
}

#[test]
fn a_summary_fits_the_terminal_and_has_its_definitions() {
    let run = boxperson(&["sim", "press", "--book", "nj", "--sessions", "2000", "--seed", "7", "--form", "tabulated"]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.lines().all(|line| line.chars().count() <= 100), "{}", run.out);
    for words in ["net of the buy-in", "face value", "Ended at the goal", "±", "█", "seed 7", "1.515 %"] {
        assert!(run.out.contains(words), "{words}\n{}", run.out);
    }
    assert_eq!(run.err, "");
}

#[test]
fn files_are_written_and_stand_by_themselves() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (page, drawing, lines) = (path("a.html"), path("a.svg"), path("a.csv"));
    let args = ["sim", "iron-cross", "--book", "co", "--sessions", "60", "--seed", "3", "--throws", "50"];
    let run = boxperson(&[&args[..], &["--report", &page, "--svg", &drawing, "--csv", &lines]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    let page = fs::read_to_string(page).unwrap();
    for words in
        ["Iron cross", "while a point is on", "seed 3", "Law of the wagers played", "CO ", "prefers-color-scheme"]
    {
        assert!(page.to_lowercase().contains(&words.to_lowercase()), "{words}");
    }
    assert!(!page.contains("<script") && !page.contains("https://"));
    assert!(fs::read_to_string(drawing).unwrap().starts_with("<svg "));
    let lines = fs::read_to_string(lines).unwrap();
    assert_eq!(lines.lines().count(), 61);
    let nets: f64 = lines.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse::<f64>().unwrap()).sum();
    let mean = number(&answer(&args[1..]), "mean");
    assert!((nets / 60.0 - mean).abs() < 1e-9, "{nets} {mean}");
}

#[test]
fn a_session_is_a_game_that_can_be_checked() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.cgn").display().to_string();
    for (strategy, book) in [("molly", "pa"), ("press", "nj"), ("field", "nj-automated"), ("crapless", "co-crapless")] {
        let args =
            ["sim", strategy, "--book", book, "--sessions", "5", "--seed", "3", "--session", "4", "--cgn", &path];
        let run = boxperson(&args);
        assert_eq!(run.code, 0, "{}", run.err);
        let check = boxperson(&["check", &path]);
        assert_eq!(check.code, 0, "{strategy}: {}{}", check.out, check.err);
    }
}

#[test]
fn an_exact_answer_is_written_as_its_distribution() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv").display().to_string();
    let args = ["sim", "field", "--book", "pa", "--throws", "5", "--buy-in", "1000", "--form", "exact", "--csv", &path];
    assert_eq!(boxperson(&args).code, 0);
    let text = fs::read_to_string(path).unwrap();
    let sum: f64 = text.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse::<f64>().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-12, "{sum}");
}

#[test]
fn every_shipped_strategy_is_listed_and_runs() {
    let run = boxperson(&["sim", "--list"]);
    assert_eq!(run.code, 0);
    let names: Vec<String> = crate::support::files("strategies", "strategy")
        .iter()
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect();
    assert!(names.len() >= 25);
    for name in &names {
        assert!(run.out.lines().any(|line| line.split_whitespace().next() == Some(name)), "{name}");
        let answer = answer(&[name, "--sessions", "20", "--throws", "30", "--seed", "5", "--form", "engine"]);
        assert_eq!(answer["sessions"], 20, "{name}");
    }
}

#[test]
fn two_on_the_same_dice_are_compared() {
    let both = answer(&["pass", "--book", "nj", "--versus", "pass", "--sessions", "200", "--seed", "2"]);
    assert_eq!(number(&both, "difference_mean"), 0.0);
    assert_eq!(number(&both, "difference_sd"), 0.0);
    assert_eq!((&both["sessions"], &both["difference_controlled_sessions"]), (&Value::from(200), &Value::from(200)));
    assert_eq!(number(&both, "difference_controlled_error"), 0.0);
    let books = answer(&["field", "--book", "pa", "--versus-book", "nj", "--sessions", "200", "--seed", "2"]);
    assert_eq!((&books["one"]["book"], &books["other"]["book"]), (&Value::from("pa"), &Value::from("nj")));
    let run = boxperson(&["sim", "molly", "--book", "nj", "--versus", "pass", "--sessions", "200", "--seed", "2"]);
    assert!(run.out.contains("session by session on the same dice"), "{}", run.out);
    assert!(run.out.contains("200 sessions side by side"), "{}", run.out);
    // The plain means of 200 sessions don't separate the two strategies; the means without luck do.
    assert!(run.out.contains("odds does better than Three-point"), "{}", run.out);
}

#[test]
fn what_cannot_be_run_is_told_in_words() {
    let typo = "strategy Mine\nbuy-in 100\nunit 5\nalways\n    feild for unit\n";
    for (args, input, code, words) in [
        (&["moly"][..], "", 2, "unknown strategy `moly` (did you mean molly"),
        (&["-"], typo, 2, "standard input:5:5: I didn't get \"feild\""),
        (&["-"], "strategy Mine\nbuy-in 100\nunit 0\nalways\n    pass for unit\n", 2, "standard input:3:6"),
        (&["pass", "--sessions", "0"], "", 2, "expected a whole number above zero"),
        (&["pass", "--throws", "0"], "", 2, "expected a whole number above zero"),
        (&["pass", "--buy-in", "0"], "", 2, "expected an amount above zero"),
        (&["pass", "--goal", "0"], "", 2, "a goal must be above zero"),
        (&["pass", "--goal", "-50"], "", 2, "a goal must be above zero"),
        (&["pass", "--stop", "50"], "", 2, "a stop must be below zero, such as -50"),
        (&["pass", "--book", "atlantis"], "", 2, "unknown book `atlantis`"),
        (&["pass", "--form", "exact", "--buy-in", "50"], "", 2, "the player could run short of chips"),
        (&["nowhere.strategy"], "", 2, "nowhere.strategy"),
        (&["pass", "--house", "houses/unlawful/co-any-seven-26-to-5.toml"], "", 1, "[CO 30-2306(1)]"),
        (
            &["-", "--book", "pa", "--strict"],
            "strategy Late\nbuy-in 1000\nunit 10\nwhen the point is on\n    pass line for unit\n",
            1,
            "the house refuses pass: ",
        ),
        (
            &["-"],
            "strategy Mine\nbuy-in 100\nunit 5\ngoal 80\nalways\n    pass for unit\n",
            2,
            "A goal of 80 is not above the buy-in of 100",
        ),
        (
            &["-"],
            "strategy Mine\nbuy-in 100\nunit 5\nalways\n    0 on the six\n",
            2,
            "standard input:5:5: An amount must be above zero",
        ),
    ] {
        let run = boxperson_with_input(&[&["sim"], args, &["--seed", "1"]].concat(), input);
        assert_eq!(run.code, code, "{args:?}\n{}{}", run.out, run.err);
        assert!(run.err.contains(words), "{args:?}: {words}\n{}", run.err);
        assert_eq!(run.out, "", "{args:?}");
    }
}

#[test]
fn a_refusal_is_told_once_with_its_citation() {
    let late = "strategy Late\nbuy-in 1000\nunit 10\nwhen the point is on\n    pass line for unit\n";
    let run = boxperson_with_input(&["sim", "-", "--book", "pa", "--seed", "1", "--sessions", "50"], late);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.matches("PA 623a.3(a)(1)").count(), 1, "{}", run.out);
    assert!(run.out.contains("    pass: "), "{}", run.out);
}

/// A player who presses before every roll runs out of chips or reaches the table maximum. The program must not fail.
#[test]
fn an_endless_press_ends_at_the_rail() {
    let press = "strategy Press\nbuy-in 1000000000\nunit 6\nalways\n    unit on the six\n    press the six\n";
    for form in ["auto", "engine"] {
        let args = ["sim", "-", "--book", "nj", "--seed", "1", "--sessions", "40", "--throws", "2000", "--form", form];
        let run = boxperson_with_input(&args, press);
        assert_eq!(run.code, 0, "{form}: {}", run.err);
        assert!(run.out.contains("Ended broke"), "{}", run.out);
    }
}

/// Starts a run that would take far too long, interrupts it, and returns its partial result.
#[cfg(unix)]
fn stopped(args: &[&str]) -> Value {
    use std::process::{Command, Stdio};
    let child = Command::new(env!("CARGO_BIN_EXE_boxperson"))
        .args(["sim", "molly", "--book", "pa", "--sessions", "1e12", "--seed", "5", "--format", "json"])
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1_500));
    let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(told.success());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[cfg(unix)]
#[test]
fn a_run_that_is_told_to_stop_gives_what_it_has() {
    let answer = stopped(&["--threads", "1", "--form", "tabulated", "--buy-in", "100000"]);
    assert_eq!(answer["partial"], true);
    assert_eq!(answer["asked"], 1_000_000_000_000u64);
    let sessions = number(&answer, "sessions");
    assert!(sessions > 0.0 && sessions < 1e12);
    assert_eq!(number(&answer, "throws"), sessions * 100.0);
}

/// The CSV file has exactly the sessions that the result counts.
#[cfg(unix)]
#[test]
fn the_sessions_of_a_run_that_was_stopped_are_the_ones_it_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv").display().to_string();
    let answer =
        stopped(&["--threads", "3", "--form", "engine", "--throws", "20000", "--buy-in", "9999999", "--csv", &path]);
    let lines = fs::read_to_string(path).unwrap();
    let nets: Vec<f64> = lines.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(nets.len() as f64, number(&answer, "sessions"));
    let mean = nets.iter().sum::<f64>() / nets.len() as f64;
    assert!((mean - number(&answer, "mean")).abs() < 1e-6, "{mean} {}", answer["mean"]);
}

#[cfg(unix)]
#[test]
fn a_duel_that_is_told_to_stop_still_compares() {
    let answer = stopped(&["--threads", "2", "--versus", "pass", "--buy-in", "1000"]);
    assert!(number(&answer, "sessions") > 0.0 && number(&answer, "difference_sd") > 0.0, "{answer}");
    assert_eq!(answer["one"]["partial"], true);
}
