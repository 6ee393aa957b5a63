//! Chores of this repository: `cargo xtask test` is the one test command; the others make what it verifies.

use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask <chore>

  test     check format, lint, build docs, run every test (unit, integration, doc) and verify generated files
  cards    write docs/wagers anew
  golden   write the expected outputs of the tests anew; review them as a diff
  bench    print how long the slowest exact solutions take and how many throws a table takes in a second, with ratios
           from the same run";

fn main() -> ExitCode {
    let chore = std::env::args().nth(1).unwrap_or_default();
    let done = match chore.as_str() {
        "test" => test(),
        "cards" => run(
            "cards",
            "cargo",
            &["run", "--quiet", "--package", "boxperson", "--", "wager", "--cards", "docs/wagers"],
            &[],
        ),
        "golden" => {
            run("golden files", "cargo", &["test", "--quiet", "--package", "boxperson"], &[("UPDATE_GOLDEN", "1")])
        }
        "bench" => run(
            "benchmarks",
            "cargo",
            &["bench", "--quiet", "--package", "craps-odds", "--package", "craps-table"],
            &[],
        ),
        _ => {
            say(HELP);
            return ExitCode::from(2);
        }
    };
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Every step in order, stopping at the first that fails. All of them use the dev profile, so that nothing is compiled twice
/// over.
fn test() -> bool {
    run("format", "cargo", &["fmt", "--all", "--check"], &[])
        && run(
            "lints",
            "cargo",
            &["clippy", "--workspace", "--all-targets", "--quiet", "--", "--deny", "warnings"],
            &[],
        )
        && run(
            "documentation",
            "cargo",
            &["doc", "--workspace", "--no-deps", "--quiet"],
            &[("RUSTDOCFLAGS", "--deny warnings")],
        )
        && run("tests", "cargo", &["test", "--workspace"], &[])
}

fn run(name: &str, program: &str, args: &[&str], env: &[(&str, &str)]) -> bool {
    let start = Instant::now();
    let status = Command::new(program).args(args).envs(env.iter().copied()).status();
    let seconds = start.elapsed().as_secs();
    match status {
        Ok(status) if status.success() => {
            say(&format!("xtask: {name}: done in {seconds} s"));
            true
        }
        Ok(_) => {
            say(&format!("xtask: {name}: failed ({program} {})", args.join(" ")));
            false
        }
        Err(error) => {
            say(&format!("xtask: {name}: {program} could not be started: {error}"));
            false
        }
    }
}

#[expect(clippy::print_stderr, reason = "progress of a chore is for the person who started it")]
fn say(text: &str) {
    eprintln!("{text}");
}
