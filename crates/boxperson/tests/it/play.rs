//! `boxperson play` and `boxperson bot`: the same words get the same answers and make the same game.

use crate::support::{boxperson, boxperson_with_input, root};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Removes the date from a game.
fn dateless(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("[Date ")).map(|line| format!("{line}\n")).collect()
}

fn kept(path: &Path) -> String {
    dateless(&fs::read_to_string(path).unwrap())
}

/// Plays lines and returns the game.
fn played(house: &str, seed: &str, lines: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.cgn");
    let run = boxperson_with_input(
        &["play", "--plain", "--house", house, "--seed", seed, "--file", file.to_str().unwrap()],
        lines,
    );
    assert_eq!(run.code, 0, "{}", run.err);
    kept(&file)
}

#[test]
fn the_readme_hand_is_played_from_a_pipe() {
    let run = boxperson_with_input(&["play", "--plain", "--house", "pa", "--seed", "7"], "pass 10\nroll\n");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let lines: Vec<&str> = run.out.lines().collect();
    assert_eq!(
        lines,
        [
            "PA | OFF | You 500",
            "ok: pass line for 10",
            "1. 4-6^  point is ten, easy",
            "PA | ON 10 | You 490 | seven -10  10 +10"
        ]
    );
}

#[test]
fn talk_on_a_pipe_talk_to_a_bot_and_the_notation_make_one_game() {
    let talk = [
        "pass 10",
        "roll",
        "max odds",
        "12 on the six; hard eight 5",
        "roll",
        "pass 10",
        "roll",
        "come 10",
        "press my six",
        "roll",
        "take down my hard eight; place bets working",
        "roll",
        "pass 10",
        "roll",
    ];
    let by_pipe = played("nj", "11", &talk.map(|line| format!("{line}\n")).concat());
    let as_bot = |lines: &[String]| {
        let run =
            boxperson_with_input(&["bot", "--house", "nj", "--seed", "11"], &format!("{}\ngame\n", lines.join("\n")));
        let last: Value = serde_json::from_str(run.out.lines().last().unwrap()).unwrap();
        dateless(last["cgn"].as_str().unwrap())
    };
    let bot_lines = talk.map(|line| if line == "roll" { "dice".to_owned() } else { format!("act {line}") });
    assert_eq!(by_pipe, as_bot(&bot_lines));
    assert_eq!(boxperson_with_input(&["check", "-"], &by_pipe).code, 0, "{by_pipe}");
    // Play the same game from its own text: each action in the notation, and the dice of the same seed.
    let mut written = Vec::new();
    for line in by_pipe.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
        let (head, _) = line.split_once(" |").unwrap();
        written.extend(head.split_whitespace().skip(1).map(|action| format!("act {action}")));
        written.push("dice".to_owned());
    }
    assert_eq!(by_pipe, as_bot(&written));
}

#[test]
fn every_sample_house_and_every_book_can_be_sat_down_at() {
    let houses: Vec<String> =
        crate::support::files("houses", "toml").iter().map(|path| path.display().to_string()).collect();
    let books = ["pa", "md", "nj", "nj-automated", "co", "co-crapless"].map(str::to_owned);
    for house in houses.iter().chain(&books) {
        let text = played(house, "5", "pass 25\nroll\nroll\nwhat can i bet\npass 25\nroll\n");
        assert!(text.contains("1. 1:P+25 | "), "{house}: {text}");
        assert_eq!(boxperson_with_input(&["check", "-"], &text).code, 0, "{house}: {text}");
    }
}

#[test]
fn a_killed_game_goes_on_with_nothing_lost() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("killed.cgn");
    let args = ["play", "--plain", "--house", "nj", "--seed", "11", "--file", file.to_str().unwrap()];
    let mut child = Command::new(env!("CARGO_BIN_EXE_boxperson"))
        .args(args)
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut input = child.stdin.take().unwrap();
    answers.next().unwrap().unwrap();
    let mut say = |line: &str, answered: &str| {
        writeln!(input, "{line}").unwrap();
        input.flush().unwrap();
        let answer = answers.find(|answer| answer.as_ref().is_ok_and(|answer| answer.contains(answered)));
        assert!(answer.is_some(), "{line}");
    };
    say("pass 10", "ok:");
    say("roll", "NJ |");
    say("12 on the eight", "ok:");
    say("buy in for 100", "ok:");
    // Kill the process between two rolls. Everything that was answered must be in the file.
    child.kill().unwrap();
    child.wait().unwrap();
    let before = fs::read_to_string(&file).unwrap();
    assert!(before.contains("{not yet rolled\n@seat 1 buy 100\n2. 1:PL8+12}"), "{before}");
    let run = boxperson_with_input(&["play", "--plain", "--file", file.to_str().unwrap()], "mine\nroll\n");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("10 pass line; 12 place eight"), "{}", run.out);
    let whole = played("nj", "11", "pass 10\nroll\n12 on the eight\nbuy in for 100\nroll\n");
    assert_eq!(kept(&file), whole);
}

#[test]
fn what_cannot_be_played_says_why() {
    let rows: [(&[&str], &str); 8] = [
        (&["play", "--plain", "--house", "nowhere"], "unknown book `nowhere`: expected one of"),
        (&["play", "--plain", "--house", "no-such.toml"], "no-such.toml"),
        (&["play", "--plain", "--buy-in", "0"], "expected an amount above zero"),
        (&["play", "--plain", "--buy-in", "lots"], "--buy-in"),
        (&["play", "--plain", "--player", "A;B"], "without quotes, brackets or semicolons"),
        (&["play", "--plain", "--seed", "x"], "--seed"),
        (&["play", "--plain", "--file", "README.md"], "README.md:1:"),
        (&["bot", "--house", "houses/unlawful"], "houses/unlawful"),
    ];
    for (args, expected) in rows {
        let run = boxperson(args);
        assert!(run.code == 2 && run.err.contains(expected), "{args:?}: {} {}", run.code, run.err);
        assert!(run.out.is_empty(), "{args:?}: {}", run.out);
    }
    let nine: Vec<String> = (0..9).flat_map(|n| ["--player".to_owned(), format!("P{n}")]).collect();
    let args: Vec<&str> = ["play", "--plain"].into_iter().chain(nine.iter().map(String::as_str)).collect();
    let run = boxperson(&args);
    assert!(run.code == 2 && run.err.contains("up to 8"), "{}", run.err);
}

#[test]
fn players_speak_for_themselves() {
    let run = boxperson_with_input(
        &["play", "--plain", "--house", "nj", "--seed", "11", "--player", "Ann", "--player", "Bo"],
        "pass 10\n2: don't pass 10\nroll\n2: take down my don't pass\n1:\nmine\n5: pass 5\n",
    );
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.contains("Ann 490, Bo 490"), "{}", run.out);
    assert!(run.out.contains("Seat 5 is empty."), "{}", run.out);
    assert!(run.out.contains("10 pass line"), "{}", run.out);
}

/// Returns the lines that a refusal says the player can type.
fn offered(out: &str) -> Vec<&str> {
    let refused: Vec<&str> = out.lines().filter(|line| line.starts_with("refused: ")).collect();
    let [refused] = &refused[..] else { panic!("expected one refusal: {out}") };
    let (_, offered) = refused.split_once(" You can say: ").unwrap_or_else(|| panic!("nothing offered: {refused}"));
    offered.strip_suffix('.').unwrap().split("; ").collect()
}

#[test]
fn what_a_refusal_offers_can_be_typed_and_is_done() {
    let said = |lines: &str| {
        let run = boxperson_with_input(&["play", "--plain", "--house", "nj", "--seed", "11"], lines);
        assert_eq!(run.code, 0, "{}", run.err);
        run.out
    };
    /// Lines that are offered, each with the player's bets after it.
    type Offers = &'static [(&'static str, &'static str)];
    // What is said first, what is refused, and what is offered instead.
    let rows: [(&str, &str, Offers); 5] = [
        ("", "pass 1", &[("pass line for 5", "5 pass line")]),
        ("", "roll", &[("pass line for 5", "5 pass line"), ("don't pass for 5", "5 don't pass")]),
        ("", "13 on the six", &[("place six for 12", "12 place six"), ("place six for 18", "18 place six")]),
        ("12 on the six\n", "press my six by 5", &[("place six for 6", "18 place six")]),
        (
            "24 on the six\nfield 5\n",
            "take 5 off my six",
            &[("take 6 off place six", "18 place six; 5 field"), ("take down place six", "5 field")],
        ),
    ];
    for (before, refused, expected) in rows {
        let out = said(&format!("{before}{refused}\n"));
        assert_eq!(offered(&out), expected.iter().map(|(line, _)| *line).collect::<Vec<_>>(), "{out}");
        for (line, bets) in expected {
            let out = said(&format!("{before}{refused}\n{line}\nmine\n"));
            assert!(out.contains(&format!("\nok: {line}\n")), "{line}: {out}");
            assert_eq!(out.lines().last(), Some(*bets), "{line}: {out}");
        }
    }
    // A move takes one bet down to make another. It was refused as a whole, so the chips of the first bet can't be offered.
    let out = said("12 on the six; pass 488\nmove my six to the five\n");
    assert!(out.contains("refused: $12 on Place 5 can't be paid evenly.") && !out.contains("You can say"), "{out}");
}

#[test]
fn what_is_offered_to_another_player_names_their_seat() {
    let said = |lines: &str| {
        let args = ["play", "--plain", "--house", "nj", "--seed", "11", "--player", "Ann", "--player", "Bo"];
        boxperson_with_input(&args, lines).out
    };
    let out = said("2:\nroll\n");
    assert_eq!(offered(&out), ["1: pass line for 5", "1: don't pass for 5"], "{out}");
    let out = said("2:\nroll\n1: pass line for 5\nroll\n");
    assert!(out.contains("Ann 495, Bo 500"), "{out}");
}

#[test]
fn the_coach_names_the_price_and_the_cheaper_way() {
    let run = boxperson_with_input(
        &["play", "--plain", "--coach", "--house", "co", "--seed", "11"],
        "pass 10\nroll\nbig six for 5\n",
    );
    assert!(run.out.contains("coach: pass line: edge 7/495 = 1.414 %"), "{}", run.out);
    assert!(run.out.contains("1/11 = 9.091 %"), "{}", run.out);
    assert!(run.out.contains("Cheaper bet on the same rolls: place six, edge 1/66 = 1.515 %"), "{}", run.out);
    for folklore in ["due", "hot ", "cold"] {
        assert!(!run.out.contains(folklore), "{}", run.out);
    }
}

#[test]
fn the_example_bot_plays_a_game_that_checks() {
    let python = Command::new("python3").arg("--version").output();
    assert!(
        python.is_ok_and(|run| run.status.success()),
        "the example bot needs python3; `cargo xtask test` installs it"
    );
    let run = Command::new("python3")
        .args(["examples/bots/place_the_six.py", env!("CARGO_BIN_EXE_boxperson"), "--house", "nj", "--seed", "7"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let game = String::from_utf8(run.stdout).unwrap();
    assert!(game.lines().count() > 40, "{game}");
    assert_eq!(boxperson_with_input(&["check", "-"], &game).code, 0, "{game}");
}

#[test]
fn bytes_that_are_no_text_are_asked_back_and_the_game_goes_on() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boxperson"))
        .args(["play", "--plain", "--house", "nj", "--seed", "7"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"pass 10\n\xff\xfe\nroll\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && text.contains("\n1. "), "{text}");
}

#[test]
fn resuming_without_a_game_says_how_to_begin_one() {
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_boxperson"))
        .args(["play", "--resume"])
        .env("XDG_STATE_HOME", folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let told = String::from_utf8(run.stderr).unwrap();
    assert!(run.status.code() == Some(2) && told.contains("`boxperson play` starts a new game"), "{told}");
}
