//! Chores of this repository: `cargo xtask test` is the one test command; the others make what it verifies.

mod bench;
mod schemathesis;
mod web;

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const HELP: &str = "\
cargo xtask <chore>

  test     check format, lint, build docs, run every test (unit, integration, doc) and verify generated files
  cards    write docs/wagers anew
  golden   write the expected outputs of the tests anew; review them as a diff
  long     the campaigns whose short forms are tests, all of them or the parts that are named; hours, in release
             agreement  a million throws at every sample house in turn against the reference model
             laws       ten thousand games of every book with each law of the table
             fuzz       a million runs of each fuzz target of the notation
             talk       a million lines of rail talk
             bot        a million lines of the bot's protocol
             dice       a hundred million throws of the dice that live tables throw
             server-fuzz  a million runs of each decoder of the server
             schemathesis  whatever the server's document describes, asked by nobody, a guest and an admin's program
             kills      servers killed under load, 300 times on SQLite and 100 on PostgreSQL, connections to it 100 times, answers to
                        commits lost 100 times, and three nodes with fifty tables besieged for a minute
             mutants    every fact of every book changed
  web      build the page anew and check it; `web browser` also plays it in Chromium
  bench    print how long the slowest exact solutions take, how many throws a table takes in a second, and how fast each form of
           the lab is beside what is wanted of it; `bench --help` says more
  bench-server  print how many commands a second the live table takes beside the bare database, and what becomes of ten times as
           many; `bench-server --help` says more";

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
        "golden" => run(
            "golden files",
            "cargo",
            &["test", "--quiet", "--package", "boxperson", "--package", "craps-server", "--test", "it"],
            &[("UPDATE_GOLDEN", "1")],
        ),
        "long" => match campaigns(&std::env::args().skip(2).collect::<Vec<_>>()) {
            Ok(parts) => long(&parts),
            Err(unknown) => {
                say(&format!("xtask: long has no part `{unknown}`\n\n{HELP}"));
                return ExitCode::from(2);
            }
        },
        "web" => web::page() && (std::env::args().nth(2).is_none_or(|word| word != "browser") || web::browser()),
        "bench" => {
            let words: Vec<String> = std::env::args().skip(2).collect();
            if words.iter().any(|word| word == "--help") {
                say(bench::HELP);
                return ExitCode::SUCCESS;
            }
            match bench::Options::read(&words) {
                Ok(options) => bench::bench(&options),
                Err(unknown) => {
                    say(&format!("xtask: bench has no option `{unknown}`\n\n{}", bench::HELP));
                    return ExitCode::from(2);
                }
            }
        }
        "bench-server" => match std::env::args().skip(2).collect::<Vec<_>>().as_slice() {
            [] => bench::server::bench(false),
            [word] if word == "--quick" => bench::server::bench(true),
            [word] if word == "--help" => {
                say(bench::server::HELP);
                return ExitCode::SUCCESS;
            }
            [first, ..] => {
                say(&format!("xtask: bench-server has no option `{first}`\n\n{}", bench::server::HELP));
                return ExitCode::from(2);
            }
        },
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
    tool("python3", "the example bot is written in it")
        && needed("postgresql", "sh", &["-c", HAS_POSTGRES], "the store is tested on it too")
        && run("format", "cargo", &["fmt", "--all", "--check"], &[])
        && web::page()
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
        && web::browser()
}

/// Debian keeps the server's own programs off the path.
const HAS_POSTGRES: &str = "command -v initdb || ls /usr/lib/postgresql/*/bin/initdb";

/// A program that a chore needs: there already, installed now where this machine lets it be, or named in one line.
fn tool(name: &str, why: &str) -> bool {
    needed(name, name, &["--version"], why)
}

/// The same for any package; it is there when this command succeeds.
fn needed(package: &str, program: &str, args: &[&str], why: &str) -> bool {
    let there = || Command::new(program).args(args).output().is_ok_and(|run| run.status.success());
    if there() {
        return true;
    }
    let apt = |args: &[&str]| run("tools", "apt-get", args, &[("DEBIAN_FRONTEND", "noninteractive")]);
    let installed = apt(&["update", "--quiet"]) && apt(&["install", "--yes", "--quiet", package]) && there();
    if !installed {
        say(&format!("xtask: {package} is needed and could not be installed: {why}"));
    }
    installed
}

/// A campaign: a part of `long` with the command that runs it.
struct Campaign {
    part: &'static str,
    what: &'static str,
    work: Work,
}

/// What a campaign does.
enum Work {
    /// Has cargo do something, in this environment.
    Cargo(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// Something of its own.
    Own(fn() -> bool),
}

/// The longest come last. Sums that overflow stop every one of them, as they stop a test.
const CAMPAIGNS: &[Campaign] = &[
    Campaign {
        part: "agreement",
        what: "1,000,000 throws against the reference model",
        work: Work::Cargo(
            &["run", "--release", "--quiet", "--package", "craps-testkit", "--example", "agreement", "--", "1000000"],
            &[],
        ),
    },
    Campaign {
        part: "fuzz",
        what: "1,000,000 runs of each fuzz target",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-notation", "--test", "fuzz", "--", "--nocapture"],
            &[("BOXPERSON_FUZZ_RUNS", "1000000")],
        ),
    },
    Campaign {
        part: "talk",
        what: "1,000,000 lines of rail talk",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-notation", "--test", "talk", "--", "--nocapture"],
            &[("BOXPERSON_FUZZ_RUNS", "1000000")],
        ),
    },
    Campaign {
        part: "bot",
        what: "1,000,000 lines of the bot's protocol",
        work: Work::Cargo(
            &["test", "--release", "--package", "boxperson", "--bins", "bot::", "--", "--nocapture"],
            &[("BOXPERSON_FUZZ_RUNS", "1000000")],
        ),
    },
    Campaign {
        part: "dice",
        what: "100,000,000 throws of live tables' dice",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-server", "--test", "it", "dice::", "--", "--nocapture"],
            &[("BOXPERSON_THROWS", "100000000")],
        ),
    },
    Campaign {
        part: "server-fuzz",
        what: "1,000,000 runs of each decoder of the server",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-server", "--lib", "fuzz::", "--", "--nocapture"],
            &[("BOXPERSON_FUZZ_RUNS", "1000000")],
        ),
    },
    Campaign {
        part: "schemathesis",
        what: "requests made up from the server's document",
        work: Work::Own(schemathesis::campaign),
    },
    Campaign {
        part: "kills",
        what: "servers, connections and answers killed under load",
        work: Work::Cargo(
            &[
                "test",
                "--release",
                "--package",
                "craps-crowd",
                "--test",
                "kills",
                "--",
                "--nocapture",
                "--test-threads",
                "1",
            ],
            &[
                ("BOXPERSON_KILLS_SQLITE", "300"),
                ("BOXPERSON_KILLS_POSTGRES", "100"),
                ("BOXPERSON_SIEGE_SECONDS", "60"),
            ],
        ),
    },
    Campaign {
        part: "laws",
        what: "10,000 games of every book with each law of the table",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-testkit", "--test", "laws"],
            &[("BOXPERSON_GAMES", "10000")],
        ),
    },
    Campaign {
        part: "mutants",
        what: "every fact of every book changed",
        work: Work::Cargo(
            &["test", "--release", "--package", "boxperson", "--test", "it", "vectors::", "--", "--nocapture"],
            &[("BOXPERSON_MUTANTS", "all")],
        ),
    },
];

/// The campaigns of these names, or all of them; else the name that none has.
fn campaigns(parts: &[String]) -> Result<Vec<&'static Campaign>, &str> {
    let find = |part: &String| CAMPAIGNS.iter().find(|campaign| campaign.part == part);
    match parts.iter().find(|part| find(part).is_none()) {
        Some(unknown) => Err(unknown),
        None if parts.is_empty() => Ok(CAMPAIGNS.iter().collect()),
        None => Ok(parts.iter().filter_map(find).collect()),
    }
}

/// Runs every campaign to its end, also after one has failed, and says what was run and how long it took.
fn long(parts: &[&Campaign]) -> bool {
    let one = |campaign: &&Campaign| {
        let start = Instant::now();
        say(&format!("xtask: long {}: {}", campaign.part, campaign.what));
        let done = match campaign.work {
            Work::Cargo(args, env) => {
                let env = [env, &[("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true")]].concat();
                run(&format!("{} (cargo {})", campaign.what, args.join(" ")), "cargo", args, &env)
            }
            Work::Own(own) => own(),
        };
        let word = if done { "done" } else { "FAILED" };
        (done, format!("  {:<12} {:>6} s  {word}: {}", campaign.part, start.elapsed().as_secs(), campaign.what))
    };
    let ran: Vec<(bool, String)> = parts.iter().map(one).collect();
    let lines: Vec<&str> = ran.iter().map(|(_, line)| line.as_str()).collect();
    say(&format!("xtask: long, together with building:\n{}", lines.join("\n")));
    ran.iter().all(|(done, _)| *done)
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

/// What a program prints; nothing, and a line that says so, where it fails.
fn capture(name: &str, program: &str, args: &[&str], env: &[(&str, &str)]) -> Option<String> {
    let output = Command::new(program).args(args).envs(env.iter().copied()).stderr(Stdio::inherit()).output();
    match output {
        Ok(output) if output.status.success() => Some(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(_) => {
            say(&format!("xtask: {name}: failed ({program} {})", args.join(" ")));
            None
        }
        Err(error) => {
            say(&format!("xtask: {name}: {program} could not be started: {error}"));
            None
        }
    }
}

#[expect(clippy::print_stderr, reason = "progress of a chore is for the person who started it")]
fn say(text: &str) {
    eprintln!("{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_runs_the_parts_that_are_named_or_all_of_them() {
        let parts = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(ToString::to_string).collect();
            let found = campaigns(&names).map_err(str::to_owned)?;
            Ok::<_, String>(found.iter().map(|campaign| campaign.part).collect::<Vec<_>>())
        };
        assert_eq!(parts(&[]), Ok(CAMPAIGNS.iter().map(|campaign| campaign.part).collect()));
        assert_eq!(parts(&["mutants", "laws"]), Ok(vec!["mutants", "laws"]));
        assert_eq!(parts(&["laws", "law"]), Err("law".to_owned()));
        for campaign in CAMPAIGNS {
            assert!(
                HELP.contains(&format!("\n             {} ", campaign.part)),
                "{} is not in the help",
                campaign.part
            );
        }
    }
}
