//! Wagers from a user's folder work everywhere without a rebuild: felt, rail talk, odds, simulator and log.

use crate::serve::Running;
use crate::strangers::{Shelf, without};
use crate::support::{Run, boxperson, boxperson_with_input, root};
use std::fs;

/// Edges of the playground's side bets, as published or by simple arithmetic.
const EDGES: &[(&str, &str)] = &[
    ("repeat-2", "8/49"),
    ("repeat-12", "8/49"),
    ("repeat-3", "13/64"),
    ("repeat-4", "5/27"),
    ("four-rolls-no-seven", "23/648"),
    ("muggsys-corner", "1/18"),
    ("point-seven", "1/9"),
    ("hi-lo", "1/9"),
    ("three-way", "7/54"),
    ("field-with-five", "1/36"),
];

fn playground(args: &[&str]) -> Run {
    boxperson(&[&["--rulebooks", "examples/playground"], args].concat())
}

/// Returns the first value of a key in JSON output.
fn value<'a>(json: &'a str, key: &str) -> &'a str {
    let at = json.find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("no {key} in {json}"));
    json[at..].split_once(':').unwrap().1.trim_start_matches([' ', '"']).split(['"', ',', '\n', '}']).next().unwrap()
}

#[test]
fn the_playground_is_playable_and_its_edges_are_the_published_ones() {
    let verified = playground(&["law", "verify"]);
    assert_eq!((verified.code, verified.err.as_str()), (0, ""), "{}", verified.out);
    for (wager, edge) in EDGES {
        let run = playground(&["odds", wager, "--book", "no-law", "--format", "json"]);
        assert_eq!(value(&run.out, "edge"), *edge, "{wager}: {}{}", run.out, run.err);
    }
    // Published edges of the bets that aren't simple arithmetic.
    let published = [("repeat-5", 0.170_56), ("repeat-6", 0.197_39), ("different-doubles", 0.279_22)];
    for (wager, edge) in published {
        let run = playground(&["odds", wager, "--book", "no-law", "--format", "json"]);
        let (top, bottom) = value(&run.out, "edge").split_once('/').unwrap();
        let found: f64 = top.parse::<f64>().unwrap() / bottom.parse::<f64>().unwrap();
        let off = (found - edge).abs();
        assert!(off < 0.000_05, "{wager}: {found}");
    }
}

#[test]
fn the_playground_says_everywhere_that_no_law_backs_it_and_is_not_built_in() {
    for args in
        [&["law", "list"][..], &["odds", "--book", "no-law"], &["wager", "repeat-12"], &["law", "show", "no-law"]]
    {
        let run = playground(args);
        assert!(run.out.to_lowercase().replace('-', " ").contains("no law"), "{args:?}: {}{}", run.out, run.err);
    }
    let why = play("pass 10\nfive field 5\nroll\nwhy\n");
    assert!(why.contains("PLAY 3"), "{why}");
    let plain = boxperson(&["law", "list"]);
    assert!(!plain.out.to_lowercase().contains("playground"), "{}", plain.out);
    assert_eq!(boxperson(&["odds", "repeat-12"]).code, 2);
}

/// Plays these lines at a playground table and returns the output.
fn play(lines: &str) -> String {
    let args = ["--rulebooks", "examples/playground", "play", "--plain", "--seed", "7", "--house", "no-law"];
    let run = boxperson_with_input(&args, lines);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    run.out
}

#[test]
fn its_bets_are_said_played_and_told_in_the_terminal() {
    let said = play(
        "pass 10\nrepeater twelve 5\nmuggsy 5\nfour rolls 5\nfive field 5\ndoubles 5\nRP6 5\nroll\nroll\nroll\nroll\n",
    );
    for line in [
        "ok: repeater twelve for 5",
        "ok: muggsy's corner for 5",
        "ok: four rolls for 5",
        "ok: field with the five for 5",
        "ok: different doubles for 5",
        "ok: repeater six for 5",
        "won   +5 four rolls",
        "lost  -5 muggsy's corner",
    ] {
        assert!(said.contains(line), "{line}\n{said}");
    }
}

/// Makes a folder with a new book that has a repeater and a field with a five. The browser tests make the same one.
fn own_law() -> Shelf {
    let files = root().join("examples/playground/no-law");
    let shelf = Shelf::with("own", "none", |_, text| text);
    for file in ["book.toml", "sections.toml", "readings.toml", "house.toml", "procedure.toml", "wagers/line.toml"] {
        let text = fs::read_to_string(files.join(file)).unwrap();
        let text = if file == "house.toml" { without(&text, "[[option]]", "repeater.offered") } else { text };
        shelf.write(&format!("own/{file}"), &text);
    }
    for file in ["catalogue/own.toml", "wagers/own.toml"] {
        let text = fs::read_to_string(root().join("crates/boxperson/tests/own-law").join(file)).unwrap();
        shelf.write(&format!("own/{file}"), &text);
    }
    shelf
}

#[test]
fn a_wager_of_a_new_law_needs_no_rebuild_from_the_felt_to_the_log() {
    let shelf = own_law();
    assert_eq!(shelf.run(&["law", "verify", "own"]).code, 0, "{}", shelf.run(&["law", "verify", "own"]).out);
    // Two elevens before a seven have a chance of 1/16; at 12 to 1 that returns 13/16.
    assert_eq!(value(&shelf.run(&["odds", "echo-11", "--book", "own", "--format", "json"]).out, "edge"), "3/16");
    assert_eq!(value(&shelf.run(&["odds", "own-field", "--book", "own", "--format", "json"]).out, "edge"), "1/36");
    let strategy = shelf.path().join("echo.strategy");
    fs::write(&strategy, "strategy Echo\nabout    The pass line, and the echo for every new shooter.\nbuy-in   300\nunit     5\n\nwhen a new shooter\n    echo for 5\nwhen coming out\n    pass line for unit\n").unwrap();
    let sim = shelf.run(&[
        "sim",
        strategy.to_str().unwrap(),
        "--book",
        "own",
        "--sessions",
        "200",
        "--throws",
        "40",
        "--seed",
        "3",
        "--format",
        "json",
    ]);
    assert!(sim.out.contains("\"echo-11\""), "{}{}", sim.out, sim.err);

    let home = tempfile::tempdir().unwrap();
    let server = Running::start(home.path(), &["--rulebooks", shelf.path().to_str().unwrap(), "--practice", "own"]);
    let cookie = server.guest();
    let here = |request: &str, body: &str| server.ask_as(&cookie, &request.replace("TABLE", "practice-own"), body);
    assert!(here("POST /tables/TABLE/seats", r#"{"name": "Ann", "buy_in": 100000}"#).starts_with("HTTP/1.1 2"));
    // The layout has an area for it. A click there sends a bet by code.
    let layout = here("GET /tables/TABLE/layout", "");
    assert!(layout.contains("centre/ECHO") && layout.contains("OWN FIELD"), "{layout}");
    let bet = here(
        "POST /tables/TABLE/actions",
        r#"{"bets": [{"bet": "P", "amount": 1000}, {"bet": "ECHO", "amount": 500}]}"#,
    );
    assert!(bet.starts_with("HTTP/1.1 2"), "{bet}");
    let said = here("POST /tables/TABLE/actions", r#"{"say": "own field 5"}"#);
    assert!(said.starts_with("HTTP/1.1 2") && said.contains("OWNF"), "{said}");
    let rolled = here("POST /tables/TABLE/roll", "");
    assert!(rolled.starts_with("HTTP/1.1 2"), "{rolled}");
    let view = here("GET /tables/TABLE", "");
    assert!(view.contains("\"OWNF\""), "the field is decided by every roll: {view}");
    let why = here("GET /tables/TABLE/why/1/1", "");
    assert!(why.contains("PLAY "), "whichever bet is settled first: {why}");
    let game = here("GET /tables/TABLE/cgn", "");
    assert!(game.contains("1:ECHO+5") && game.contains("1:OWNF+5"), "{game}");
    assert_eq!(server.stop(), 0);
    // The log names the bets, and the audit with the same books is clean.
    let db = home.path().join("boxperson/boxperson.db");
    let audit = shelf.run(&["audit", db.to_str().unwrap()]);
    assert_eq!(audit.code, 0, "{}{}", audit.out, audit.err);
}
