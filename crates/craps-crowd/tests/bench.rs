//! Runs the short form of the server benchmark. The figures don't matter here, but the server must break no promise under load.

#![allow(clippy::unwrap_used, reason = "a test that can't continue should stop there")]

use std::process::{Command, Stdio};

#[test]
fn more_than_a_server_takes_is_refused_with_a_code_and_nothing_is_lost() {
    let bench =
        Command::new(env!("CARGO_BIN_EXE_craps-crowd")).args(["bench", "quick"]).stderr(Stdio::inherit()).output();
    let output = bench.unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{text}");
    let figure = |name: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(&format!("{name}\t")));
        line.unwrap_or_else(|| panic!("no {name}: {text}")).parse().unwrap()
    };
    for base in ["sqlite", "postgresql"] {
        assert_eq!(figure(&format!("{base}/broken")), 0.0, "{text}");
        assert!(figure(&format!("{base}/rate")) > 0.0 && figure(&format!("{base}/after/rate")) > 0.0, "{text}");
        assert!(figure(&format!("{base}/press/busy")) > 0.0, "{text}");
    }
}
