//! A game in a real terminal that goes away: the program ends, and the game is saved.

use crate::support::root;
use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};

/// Report of `tests/terminal.py`, and the game file afterward.
struct Seen {
    status: i64,
    last: String,
    echoes: bool,
    game: String,
}

/// Makes a bet in a pseudo-terminal, ends the program in the given way, and asserts that it exits in time.
fn ended(way: &str, plain: bool) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.cgn");
    // On the screen `/` opens the line to type on; the words are the same.
    let (typed, shown) = if plain { ("pass 10\\r", "ok: pass line for 10") } else { ("/pass 10\\r", "have") };
    let mut command = Command::new("python3");
    command.args(["crates/boxperson/tests/terminal.py", way, typed, shown, env!("CARGO_BIN_EXE_boxperson"), "play"]);
    command.args(["--house", "pa", "--seed", "7", "--file"]).arg(&file);
    if plain {
        command.arg("--plain");
    }
    let run = command.current_dir(root()).env("NO_COLOR", "1").stdin(Stdio::null()).output().unwrap();
    let told = String::from_utf8_lossy(&run.stderr);
    assert!(run.status.success(), "{way}: {told}");
    let seen: Value = serde_json::from_slice(&run.stdout).unwrap();
    assert_eq!(seen["ended"], true, "{way}, plain {plain}: still there after 8 seconds: {seen}");
    let (after, used) = (seen["after"].as_f64().unwrap(), seen["used"].as_f64().unwrap());
    assert!(after < 5.0 && used < 4.0, "{way}, plain {plain}: {after} s, {used} s of a processor");
    Seen {
        status: seen["status"].as_i64().unwrap(),
        last: seen["last"].as_str().unwrap().to_owned(),
        echoes: seen["echoes"].as_bool().unwrap_or(false),
        game: fs::read_to_string(&file).unwrap(),
    }
}

#[test]
fn a_closed_terminal_ends_the_game_and_keeps_it() {
    for way in ["close", "close-deaf"] {
        for plain in [false, true] {
            let seen = ended(way, plain);
            assert!(seen.game.contains("1:P+10"), "{way}, plain {plain}: {}", seen.game);
            // Plain mode doesn't handle SIGHUP, so the signal itself ends the program unless it is ignored.
            let killed = plain && way == "close" && seen.status == -1;
            assert!(seen.status == 0 || killed, "{way}, plain {plain}: {}", seen.status);
        }
    }
}

#[test]
fn a_signal_ends_the_game_keeps_it_and_gives_the_terminal_back() {
    for way in ["term", "hup"] {
        let seen = ended(way, false);
        assert!(seen.game.contains("1:P+10"), "{way}: {}", seen.game);
        assert_eq!(seen.status, 0, "{way}");
        assert!(seen.echoes, "{way}: the terminal does not echo lines again");
        // The normal screen is back, and the last line says where the game is saved.
        let (_, after) = seen.last.split_once("\u{1b}[?1049l").unwrap_or_else(|| panic!("{way}: {}", seen.last));
        assert!(after.contains("The game is saved in "), "{way}: {after}");
        let plain = ended(way, true);
        assert!(plain.game.contains("1:P+10") && plain.status < 0, "{way}: {} {}", plain.status, plain.game);
    }
}

#[test]
fn a_signal_ends_a_game_whose_terminal_takes_no_output() {
    let seen = ended("term-stuck", false);
    assert!(seen.game.contains("1:P+10"), "{}", seen.game);
    assert!(seen.status == 143 || seen.status == 0, "{}", seen.status);
}
