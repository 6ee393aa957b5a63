//! Output, errors and exit codes of the commands.

use crate::support::{boxperson, golden, root};
use serde_json::Value;
use std::collections::BTreeSet;

fn odds(args: &[&str]) -> Vec<Value> {
    let run = boxperson(&[&["odds", "--format", "json"], args].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    serde_json::from_str(&run.out).unwrap()
}

fn edge(args: &[&str], pay_table: &str) -> String {
    let records = odds(args);
    let record = records.iter().find(|record| record["pay_table"] == pay_table).unwrap();
    record["edge"].as_str().unwrap().to_owned()
}

#[test]
fn odds_prints_every_record_of_every_book_as_exact_fractions() {
    let records = odds(&[]);
    assert!(records.len() >= 700, "{}", records.len());
    let keys: BTreeSet<String> = records
        .iter()
        .map(|r| format!("{} {} {} {}", r["book"], r["wager"], r["pay_table"], r["commission"]))
        .collect();
    assert_eq!(keys.len(), records.len(), "one record per book, wager, pay table and commission");
    for record in &records {
        for field in ["p_win", "p_lose", "p_push", "edge", "edge_resolved", "edge_per_throw", "throws_mean", "variance"]
        {
            let text = record[field].as_str().unwrap_or_else(|| panic!("{field} of {record}"));
            assert!(text.bytes().all(|b| b.is_ascii_digit() || b == b'/' || b == b'-'), "{text}");
        }
        assert_eq!(record["favours_player"], record["edge"].as_str().unwrap().starts_with('-'), "{record}");
        assert!(!record["cite"].as_str().unwrap().is_empty(), "{record}");
    }
}

#[test]
fn the_figures_everybody_asks_for() {
    assert_eq!(edge(&["pass", "--book", "pa"], "standard"), "7/495");
    let dont = odds(&["dont-pass", "--book", "md"]);
    assert_eq!((dont[0]["edge"].as_str(), dont[0]["edge_resolved"].as_str()), (Some("3/220"), Some("27/1925")));
    assert_eq!(edge(&["pass", "--book", "co-crapless"], "standard"), "373/6930");
    let seven = odds(&["any-seven", "--book", "md"]);
    let listed = seven.iter().find(|record| record["pay_table"] == "26 to 5").unwrap();
    assert_eq!((listed["edge"].as_str(), &listed["favours_player"]), (Some("-1/30"), &Value::Bool(true)));
    let buy = odds(&["buy-4", "--book", "nj"]);
    let by_commission: Vec<(&str, &str)> =
        buy.iter().map(|r| (r["commission"].as_str().unwrap(), r["edge"].as_str().unwrap())).collect();
    assert_eq!(by_commission, [("up-front of stake at 5%", "1/20"), ("on-win of stake at 5%", "1/60")]);
}

#[test]
fn odds_with_money_behind_the_line_are_per_unit_of_flat_and_expected_odds() {
    let rows = odds(&["pass", "put-6", "--book", "co", "--with-odds", "3-4-5x"]);
    assert_eq!(rows[0]["edge"], "7/1870");
    assert_eq!(rows[1]["wager"], "put-6");
}

#[test]
fn a_stake_that_cannot_be_paid_is_refused_with_the_rule() {
    let rows = odds(&["place-win-6", "--book", "nj", "--stake", "7"]);
    let refused = rows[0]["refused"].as_str().unwrap();
    assert!(refused.contains("bet a multiple of 6") && refused.contains("NJ 1.4(f)"), "{refused}");
    assert_eq!(rows[0]["edge"], Value::Null);
    // Rounding up turns a $7 bet on the six into a bet that favors the player.
    let rounded = odds(&["place-win-6", "--book", "co", "--stake", "7"]);
    assert_eq!((rounded[0]["edge"].as_str(), &rounded[0]["favours_player"]), (Some("-3/77"), &Value::Bool(true)));
    let fire = odds(&["fire", "--book", "pa", "--stake", "7"]);
    assert!(fire[0]["refused"].as_str().unwrap().contains("PA 623a.11(b)(1)"));
}

#[test]
fn a_day_shows_only_what_was_in_force() {
    assert_eq!(odds(&["hot-roller", "--as-of", "2024-09-03"]).len(), 2);
    assert_eq!(odds(&["hot-roller", "--as-of", "2024-09-04"]).len(), 0);
    assert_eq!(odds(&["over-7", "--book", "co", "--as-of", "2017-12-14"]).len(), 0);
    let early = boxperson(&["odds", "--book", "pa", "--as-of", "2012-05-18"]);
    assert!(early.err.contains("it starts on 2012-05-19 [PA 623a Source]"), "{}", early.err);
    let card = |day: &str| boxperson(&["wager", "hot-roller", "--as-of", day]).out;
    assert!(card("2024-09-03").contains("Hot Roller") && card("2024-09-04").contains("No book has this wager."));
}

#[test]
fn a_price_that_rests_on_a_draw_cites_the_draw_and_holds_while_it_does() {
    let drawn = odds(&["any-seven", "--book", "pa", "--selected", "1/10,1/20"]);
    assert_eq!((drawn[0]["edge"].as_str(), drawn[0]["until"].as_str()), (Some("1/10"), Some("2026-09-23")));
    assert!(drawn[0]["cite"].as_str().unwrap().contains("PA 623b.5(d)"), "{}", drawn[0]);
}

#[test]
fn a_multiple_that_no_house_may_allow_is_priced_with_a_remark() {
    let run = boxperson(&["odds", "pass", "--book", "pa", "--with-odds", "20x"]);
    assert_eq!(run.code, 0);
    assert!(run.err.contains("the law allows odds of at most 10x, not 20x [PA 623a.6(e)]"), "{}", run.err);
}

#[test]
fn wrong_usage_exits_with_two_and_says_what_was_expected() {
    let rows: [(&[&str], &str); 17] = [
        (&["odds", "feeld"], "did you mean field"),
        (&["odds", "--book", "atlantis"], "expected one of co, co-crapless, md, nj, nj-automated, pa"),
        (&["odds", "--as-of", "2023-02-30"], "expected a date such as 2023-10-01"),
        (&["odds", "--stake", "0"], "expected an amount above zero"),
        (&["odds", "--stake", "-5"], "expected an amount such as 25 or 12.50"),
        (&["odds", "field", "--with-odds", "2x"], "`field` takes no odds"),
        (&["wager", "fire", "--as-of", "2023-02-30"], "expected a date such as 2023-10-01"),
        (&["odds", "--with-odds", "lots"], "expected a multiple such as 2x"),
        (&["odds", "--with-odds", "2x", "--selected", "1/10"], "cannot be used with"),
        (&["odds", "--selected", "1/2,2/3"], "together at most 1"),
        (&["wager", "nothing"], "no wager matches `nothing`"),
        (&["law", "show", "pa", "999z"], "pa has no section or reading `999z`"),
        (&["law", "diff", "pa"], "<RIGHT>"),
        (&["law", "check", "houses/not-there.toml"], "houses/not-there.toml"),
        (&["layout", "atlantis"], "expected one of co, co-crapless, md, nj, nj-automated, pa"),
        (&["layout", "--format", "png"], "[possible values: svg, json]"),
        (&["layout", "pa", "--template", "houses/pa-craps.toml"], "unknown field `"),
    ];
    for (args, expected) in rows {
        let run = boxperson(args);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}: {}", run.err);
        assert!(run.err.contains(expected), "{args:?}: {}", run.err);
    }
}

#[test]
fn every_command_teaches_itself() {
    for args in [
        &["--help"][..],
        &["odds", "--help"],
        &["wager", "--help"],
        &["law", "--help"],
        &["law", "show", "--help"],
        &["law", "diff", "--help"],
        &["law", "check", "--help"],
        &["law", "new", "--help"],
        &["law", "verify", "--help"],
        &["layout", "--help"],
        &["sim", "--help"],
        &["backup", "--help"],
        &["restore", "--help"],
        &["archive", "--help"],
        &["export", "--help"],
    ] {
        let run = boxperson(args);
        assert_eq!(run.code, 0);
        golden(&format!("help/{}.txt", args.join("_").replace("--", "")), &run.out);
    }
    for shell in ["bash", "zsh", "fish"] {
        assert!(boxperson(&["completions", shell]).out.contains("boxperson"), "{shell}");
    }
    assert!(boxperson(&["man"]).out.contains(".TH boxperson"));
}

#[test]
fn tables_fit_a_hundred_columns() {
    for args in [
        &["odds"][..],
        &["odds", "--sort", "edge"],
        &["odds", "--exact", "--book", "pa"],
        &["odds", "--stake", "7"],
        &["odds", "fire", "--distribution"],
        &["wager", "fire"],
        &["wager", "pass-odds"],
        &["wager", "lucky-shooter"],
        &["law", "list"],
        &["law", "show", "pa"],
        &["law", "show", "co", "30-2305"],
        &["law", "show", "md", "A-54"],
        &["law", "diff", "pa", "nj"],
        &["law", "diff", "co", "co-crapless"],
        &["law", "diff", "pa", "nj", "--as-of", "2023-10-01"],
        &["law", "keys", "pa"],
        &["law", "check", "houses/co-craps.toml"],
    ] {
        let run = boxperson(args);
        assert_eq!(run.code, 0, "{args:?} {}", run.err);
        for line in run.out.lines() {
            assert!(line.chars().count() <= 100, "{args:?}: {line}");
        }
    }
}

#[test]
fn what_people_look_at_is_kept_and_reviewed() {
    for (name, args) in [
        ("odds-md.txt", &["odds", "--book", "md"][..]),
        ("odds-sorted.txt", &["odds", "--book", "pa", "--as-of", "2023-10-01", "--sort", "edge"]),
        ("wager-fire.txt", &["wager", "fire"]),
        ("law-diff-pa-nj.txt", &["law", "diff", "pa", "nj"]),
        ("law-show-pa-623a.4.txt", &["law", "show", "pa", "623a.4"]),
        ("law-show-pa-623b.3-as-of.txt", &["law", "show", "pa", "623b.3", "--as-of", "2024-09-04"]),
        ("law-diff-pa-as-of.txt", &["law", "diff", "pa", "pa", "--as-of", "2023-10-01", "--other-as-of", "2025-01-01"]),
        ("layout-pa-craps.svg", &["layout", "houses/pa-craps.toml"]),
    ] {
        let run = boxperson(args);
        assert_eq!(run.code, 0);
        golden(name, &run.out);
    }
}

#[test]
fn a_diff_opens_with_what_a_reader_asks_first() {
    let text = boxperson(&["law", "diff", "pa", "nj"]).out;
    for row in [
        "Base odds",
        "Odds multiple",
        "Bets in flight",
        "Place to lose on the come-out",
        "Lay commission",
        "Wagers only here",
    ] {
        assert!(text.contains(row), "{row}");
    }
    let json: Value = serde_json::from_str(&boxperson(&["law", "diff", "pa", "nj", "--format", "json"]).out).unwrap();
    let differences = json["differences"].as_array().unwrap();
    let lay = differences.iter().find(|d| d["subjects"][0] == "lay-4" && d["aspect"] == "commission up front").unwrap();
    assert_eq!(lay["left"][0]["value"], "at most 5% of the win");
    assert_eq!(lay["right"][0]["cite"], "NJ 1.5(b)");
    assert_eq!(boxperson(&["law", "diff", "pa", "pa", "--format", "json"]).out.matches("\"aspect\"").count(), 0);
}

#[test]
fn a_book_is_read_as_of_a_day() {
    let facts = |day: &[&str]| {
        let args = [&["law", "show", "pa", "623b.3", "--format", "csv"], day].concat();
        boxperson(&args).out.lines().count()
    };
    assert!(facts(&["--as-of", "2024-09-03"]) > facts(&["--as-of", "2024-09-04"]), "the day on which it expires");
    let json = boxperson(&["law", "diff", "pa", "nj", "--as-of", "2023-10-01", "--format", "json"]).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["left_as_of"], &json["right_as_of"]), (&Value::from("2023-10-01"), &Value::from("2023-10-01")));
    for (args, words) in [
        (&["law", "show", "pa", "--as-of", "2023-02-30"][..], "expected a date such as 2023-10-01"),
        (&["law", "diff", "pa", "pa", "--other-as-of", "2023-10-01"], "--as-of"),
    ] {
        let run = boxperson(args);
        assert_eq!((run.code, run.err.contains(words)), (2, true), "{args:?}: {}", run.err);
    }
}

#[test]
fn a_reader_that_closes_early_is_no_failure() {
    use std::process::{Command, Stdio};
    let mut child = Command::new(env!("CARGO_BIN_EXE_boxperson"))
        .args(["odds", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}

#[test]
fn the_cards_in_docs_are_current() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(boxperson(&["wager", "--cards", path]).code, 0);
    let names = |folder: &std::path::Path| -> BTreeSet<String> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let kept = root().join("docs/wagers");
    assert_eq!(names(folder.path()), names(&kept), "run `cargo xtask cards`");
    for name in names(&kept) {
        let (now, then) = (
            std::fs::read_to_string(folder.path().join(&name)).unwrap(),
            std::fs::read_to_string(kept.join(&name)).unwrap(),
        );
        assert!(now == then, "docs/wagers/{name} is not current: run `cargo xtask cards`");
    }
}

#[test]
fn the_page_of_procedure_is_current_and_topics_are_found() {
    let page = std::fs::read_to_string(root().join("docs/procedure.md")).unwrap();
    assert!(boxperson(&["law", "topics", "--format", "markdown"]).out == page, "run `cargo xtask cards`");
    let run = boxperson(&["law", "topics", "bets.deadline", "--format", "csv"]);
    assert!(run.out.starts_with("topic,book,answer,days,cite\nbets.deadline,co,"), "{}", run.out);
    let json = boxperson(&["law", "topics", "may.draw", "--as-of", "2024-01-01", "--format", "json"]).out;
    assert!(json.contains("\"answer\": \"machine\""), "{json}");
    let none = boxperson(&["law", "topics", "xyzzy"]);
    assert_eq!(none.code, 2);
    assert!(none.err.contains("no question mentions `xyzzy`"), "{}", none.err);
}

#[test]
fn every_book_verifies_on_the_command_line_too() {
    let run = boxperson(&["law", "verify"]);
    let clean = format!("{} books, no findings\n", craps_law::Library::shipped().books.len());
    // Notes on what a book leaves to the usual crew may follow.
    assert!(run.code == 0 && run.out.starts_with(&clean), "{}", run.out);
}

#[test]
fn a_layout_is_drawn_to_scale_or_told_as_the_server_tells_it() {
    let drawing = boxperson(&["layout", "houses/pa-craps.toml"]);
    assert!(drawing.out.starts_with("<svg ") && drawing.out.contains("width=\"2728mm\" height=\"1508mm\""));
    let run = boxperson(&["layout", "houses/co-craps.toml", "--format", "json"]);
    let layout: Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!((&layout["template"], &layout["prices"]["P"]["edge"]), (&"ten-foot".into(), &"7/495".into()));
    let plain = boxperson(&["layout"]);
    assert_eq!((plain.code, plain.out), (0, boxperson(&["layout", "co"]).out));
    let unlawful = boxperson(&["layout", "houses/unlawful/pa-commission-6.toml"]);
    assert_eq!((unlawful.code, unlawful.out.as_str()), (1, ""));
    assert!(unlawful.err.contains("PA "), "{}", unlawful.err);
    // A custom template without an area for a bet gets a panel for it.
    let text = std::fs::read_to_string(root().join("layouts/mini.toml")).unwrap();
    let own = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(own.path(), text.replace("bets = [\"C\"]", "bets = [\"P\"]")).unwrap();
    let run = boxperson(&["layout", "houses/pa-mini.toml", "--template", own.path().to_str().unwrap()]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    assert!(run.out.contains("<g id=\"centre/C\">"), "the come bet has a cell in the panel");
}

#[test]
fn a_table_that_is_longer_than_the_book_allows_is_not_drawn() {
    let text = std::fs::read_to_string(root().join("layouts/ten-foot.toml")).unwrap();
    let own = tempfile::NamedTempFile::new().unwrap();
    let path = own.path().to_str().unwrap();
    std::fs::write(path, text.replace("surface = { w = 2560,", "surface = { w = 6000,")).unwrap();
    for (house, cite) in [("pa-craps", "[PA 623a.2(b)]"), ("md-craps", "[MD Ch.2 §B]"), ("co-craps", "[CO 30-2303(1)]")]
    {
        let run = boxperson(&["layout", &format!("houses/{house}.toml"), "--template", path]);
        assert_eq!((run.code, run.out.as_str()), (1, ""), "{house}");
        for words in ["6488 mm long", "6000 mm of playing surface", "168 inches (4267 mm)", cite] {
            assert!(run.err.contains(words), "{house}: {}", run.err);
        }
    }
    let run = boxperson(&["layout", "houses/nj-craps.toml", "--template", path]);
    assert_eq!(run.code, 0, "its book sets no length: {}", run.err);
    std::fs::write(path, text.replace("surface = { w = 2560,", "surface = { w = 3779,")).unwrap();
    let run = boxperson(&["layout", "houses/pa-craps.toml", "--template", path]);
    assert_eq!((run.code, run.err.as_str()), (0, ""));
}
