//! Chores of this repository: `cargo xtask test` is the one test command; the others make what it verifies.

use std::process::{Command, ExitCode};
use std::time::Instant;

const HELP: &str = "\
cargo xtask <chore>

  test     check format, lint, build docs, run every test (unit, integration, doc) and verify generated files
  cards    write docs/wagers anew
  golden   write the expected outputs of the tests anew; review them as a diff
  long     the campaigns whose short forms are tests: a million throws against the reference model, ten thousand games for each
           law of the table, every fact of every book changed, a million runs of each fuzz target; hours, in release
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
        "long" => long(),
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

/// The campaigns, each a command of its own as well.
fn long() -> bool {
    let release = |name: &str, args: &[&str], env: &[(&str, &str)]| run(name, "cargo", args, env);
    release(
        "agreement with the reference model",
        &["run", "--release", "--quiet", "--package", "craps-testkit", "--example", "agreement", "--", "1000000"],
        &[],
    ) && release(
        "laws of the table",
        &["test", "--release", "--package", "craps-testkit", "--test", "laws"],
        &[("BOXPERSON_GAMES", "10000")],
    ) && release(
        "changed facts",
        &["test", "--release", "--package", "boxperson", "--test", "it", "vectors::", "--", "--nocapture"],
        &[("BOXPERSON_MUTANTS", "all")],
    ) && release(
        "fuzz",
        &["test", "--release", "--package", "craps-notation", "--test", "fuzz", "--", "--nocapture"],
        &[("BOXPERSON_FUZZ_RUNS", "1000000"), ("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true")],
    )
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
