//! Chores of this repository. `cargo xtask test` runs all checks; the other chores generate files, measure or test longer.

mod bench;
mod mutants;
mod release;
mod schemathesis;
mod supply;
mod web;

use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

const HELP: &str = "\
cargo xtask <chore>

  test     check the format, lint, build the docs, run all tests (unit, integration, doc, browser), compare generated files, and
           check the dependencies against deny.toml
  sbom     write the bill of materials of the program to target/boxperson.cdx.json, and check it
  advisories  look for known vulnerabilities in the dependencies; needs the network
  release  build the program as it is shipped, with its bill of materials next to it
  cards    rewrite docs/wagers and docs/procedure.md
  golden   rewrite the expected outputs of the tests; review them as a diff
  long     run long versions of tests in release mode, all of them or only the named parts; this takes hours
             agreement  a million rolls at all sample houses in turn, compared with the reference model
             laws       ten thousand games of every book for each invariant of the table
             fuzz       ten million runs of each fuzz target of the notation, and a hundred million of the cheapest
             talk       a million lines of rail talk
             bot        a million lines of the bot protocol
             dice       a hundred million rolls of the live tables' dice
             server-fuzz  ten million runs of each decoder of the server, and a hundred million of the cheapest
             simulation  ten thousand simulated servers, each with a seed that decides every fault, and every promise checked after
                        every step
             schemathesis  generated requests to every route in the server's OpenAPI document: signed out, as a guest and with an
                        admin's token
             flips      every bit of a thousand rows flipped: in the row, in an exported file, in a backup and in the database
             races      a million bets against the lock of the dice, and the writer of the store under a scheduler that tries all orders
             torn       ten thousand images of a disk after a power loss, half of them in checkpoints
             kills      servers killed under load (1,000 times on SQLite, 1,000 on PostgreSQL), connections to PostgreSQL cut (100 times),
                        replies to commits lost (100 times), and three servers with fifty tables under attack for a minute
             soak       an hour at 500 commands a second; BOXPERSON_SOAK_SECONDS=600 makes it ten minutes
             release    the program as it is shipped, which must name no folder of this machine
             traces     a server that sends traces to a collector
             books      a hundred thousand books with random changes, none of which may make the program panic
             changes    every fact and answer of every book and every wager entry changed once
             mutants    the code of the crates that decide about money, law and people changed in small ways, with cargo-mutants;
                        BOXPERSON_MUTANTS=craps-table:0/8 tries an eighth of one crate
  web      rebuild the web page and check it; `web browser` also tests it in Chromium
  bench    measure the slowest exact solutions, rolls per second of a table, and the simulator, each compared with its target;
           see `bench --help`
  bench-server  measure commands per second of the live table compared with the bare database, and its behavior under ten times
           the load; see `bench-server --help`
  bench-logs    measure what a server and an audit do with logs of up to 10 million rows; see `bench-logs --help`";

fn main() -> ExitCode {
    let chore = std::env::args().nth(1).unwrap_or_default();
    let done = match chore.as_str() {
        "test" => test(),
        "cards" => cards(),
        "sbom" => supply::bill(),
        "advisories" => supply::advisories(),
        "release" => release::build(),
        "golden" => run(
            "golden files",
            "cargo",
            &[
                "test",
                "--quiet",
                "--package",
                "boxperson",
                "--package",
                "craps-server",
                "--package",
                "craps-wagers",
                "--test",
                "it",
                "--test",
                "catalogue",
            ],
            &[("UPDATE_GOLDEN", "1")],
        ),
        "long" => match campaigns(&std::env::args().skip(2).collect::<Vec<_>>()) {
            Ok(parts) => long(&parts),
            Err(unknown) => {
                say(&format!("xtask: unknown part `{unknown}` of long\n\n{HELP}"));
                return ExitCode::from(2);
            }
        },
        "web" => match std::env::args().nth(2).as_deref() {
            None => web::page(),
            Some("browser") => web::page() && web::browser(),
            Some(unknown) => {
                say(&format!("xtask: unknown part `{unknown}` of web\n\n{HELP}"));
                return ExitCode::from(2);
            }
        },
        "bench" => {
            let words: Vec<String> = std::env::args().skip(2).collect();
            if words.iter().any(|word| word == "--help") {
                say(bench::HELP);
                return ExitCode::SUCCESS;
            }
            match bench::Options::read(&words) {
                Ok(options) => bench::bench(&options),
                Err(unknown) => {
                    say(&format!("xtask: unknown option `{unknown}` of bench\n\n{}", bench::HELP));
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
                say(&format!("xtask: unknown option `{first}` of bench-server\n\n{}", bench::server::HELP));
                return ExitCode::from(2);
            }
        },
        "bench-logs" => {
            let words: Vec<String> = std::env::args().skip(2).collect();
            if words.iter().any(|word| word == "--help") {
                say(bench::logs::HELP);
                return ExitCode::SUCCESS;
            }
            match bench::logs::read(&words) {
                Ok(sizes) => bench::logs::bench(&sizes),
                Err(unknown) => {
                    say(&format!("xtask: unknown option or size `{unknown}` of bench-logs\n\n{}", bench::logs::HELP));
                    return ExitCode::from(2);
                }
            }
        }
        _ => {
            say(HELP);
            return ExitCode::from(2);
        }
    };
    if done { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs all steps in order and stops at the first failure. All steps use the dev profile, so that nothing is compiled twice.
fn test() -> bool {
    tool("python3", "the example bot is a Python program")
        && needed("postgresql", "sh", &["-c", HAS_POSTGRES], "tests of the store use it")
        && tool("strace", "it records what a test of power losses writes")
        && run("format", "cargo", &["fmt", "--all", "--check"], &[])
        && supply::policy()
        && supply::bill()
        && web::page()
        && run(
            "lints",
            "cargo",
            &["clippy", "--workspace", "--all-targets", "--features", TRACES, "--quiet", "--", "--deny", "warnings"],
            &[],
        )
        && run(
            "documentation",
            "cargo",
            &["doc", "--workspace", "--no-deps", "--features", TRACES, "--quiet"],
            &[("RUSTDOCFLAGS", "--deny warnings")],
        )
        && run("tests", "cargo", &["test", "--workspace"], &[])
        && web::browser()
}

/// Lets bets race against the lock of the dice, and runs the store's writer in many orders.
fn races() -> bool {
    let pit = ["test", "--release", "--package", "craps-server", "--test", "it", "races::", "--", "--nocapture"];
    let writer = ["test", "--release", "--package", "craps-store", "--lib", "orders::", "--", "--nocapture"];
    run("bets against the lock", "cargo", &pit, &unset(&[("BOXPERSON_RACES", "1000000")]))
        & run("orders of the writer", "cargo", &writer, &unset(&[("BOXPERSON_ORDERS", "500000")]))
}

/// Makes images of a disk after a power loss. The writes are recorded with strace.
fn torn() -> bool {
    let args = ["test", "--release", "--package", "craps-store", "--test", "store", "torn::", "--", "--nocapture"];
    let env = unset(&[("BOXPERSON_TORN_IMAGES", "10000"), ("BOXPERSON_TORN_ROWS", "1500")]);
    tool("strace", "it records the writes and syncs of the database") && run("torn images", "cargo", &args, &env)
}

/// Returns the variables that are not set. The length of a campaign can be set by hand.
fn unset<'a>(env: &[(&'a str, &'a str)]) -> Vec<(&'a str, &'a str)> {
    env.iter().copied().filter(|(name, _)| std::env::var_os(name).is_none()).collect()
}
/// The feature that sends traces. Lints and documentation include it, so that it is compiled without building everything a second time.
const TRACES: &str = "boxperson/otel";

/// Writes the pages that are made from the books: the card of every wager, and the questions of procedure.
fn cards() -> bool {
    let boxperson = |words: &[&'static str]| [&["run", "--quiet", "--package", "boxperson", "--"], words].concat();
    let written = |page: String| match std::fs::write("docs/procedure.md", page) {
        Ok(()) => true,
        Err(error) => {
            say(&format!("xtask: docs/procedure.md: {error}"));
            false
        }
    };
    let topics = boxperson(&["law", "topics", "--format", "markdown"]);
    run("cards", "cargo", &boxperson(&["wager", "--cards", "docs/wagers"]), &[])
        && capture("procedure", "cargo", &topics, &[]).is_some_and(written)
}

/// Debian doesn't put PostgreSQL's server programs on the PATH.
const HAS_POSTGRES: &str = "command -v initdb || ls /usr/lib/postgresql/*/bin/initdb";

/// Makes sure that a program is installed; tries apt-get if it isn't. Prints a message and returns false if that fails.
fn tool(name: &str, why: &str) -> bool {
    needed(name, name, &["--version"], why)
}

/// The same for any package. The package counts as installed if `program` runs with `args` without an error.
fn needed(package: &str, program: &str, args: &[&str], why: &str) -> bool {
    let there = || Command::new(program).args(args).output().is_ok_and(|run| run.status.success());
    if there() {
        return true;
    }
    let apt = |args: &[&str]| run("tools", "apt-get", args, &[("DEBIAN_FRONTEND", "noninteractive")]);
    let installed = apt(&["update", "--quiet"]) && apt(&["install", "--yes", "--quiet", package]) && there();
    if !installed {
        say(&format!("xtask: {package} could not be installed; it is needed: {why}"));
    }
    installed
}

/// A part of `long`.
struct Campaign {
    part: &'static str,
    what: &'static str,
    work: Work,
}

/// How a campaign runs.
enum Work {
    /// A cargo command: arguments and environment variables.
    Cargo(&'static [&'static str], &'static [(&'static str, &'static str)]),
    /// A function.
    Own(fn() -> bool),
}

/// All campaigns, the longest last. They run with overflow checks, as tests do.
const CAMPAIGNS: &[Campaign] = &[
    Campaign {
        part: "agreement",
        what: "1,000,000 rolls compared with the reference model",
        work: Work::Cargo(
            &["run", "--release", "--quiet", "--package", "craps-testkit", "--example", "agreement", "--", "1000000"],
            &[],
        ),
    },
    Campaign {
        part: "fuzz",
        what: "10,000,000 runs of each fuzz target, 100,000,000 of the cheapest",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-notation", "--test", "fuzz", "--", "--nocapture"],
            &[("BOXPERSON_FUZZ_RUNS", "10000000")],
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
        what: "1,000,000 lines of the bot protocol",
        work: Work::Cargo(
            &["test", "--release", "--package", "boxperson", "--bins", "bot::", "--", "--nocapture"],
            &[("BOXPERSON_FUZZ_RUNS", "1000000")],
        ),
    },
    Campaign {
        part: "dice",
        what: "100,000,000 rolls of the live tables' dice",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-server", "--test", "it", "dice::", "--", "--nocapture"],
            &[("BOXPERSON_THROWS", "100000000")],
        ),
    },
    Campaign {
        part: "server-fuzz",
        what: "10,000,000 runs of each decoder of the server, 100,000,000 of the cheapest",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-server", "--lib", "fuzz::", "--", "--nocapture"],
            &[("BOXPERSON_FUZZ_RUNS", "10000000")],
        ),
    },
    Campaign {
        part: "simulation",
        what: "10,000 simulated servers",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-server", "--test", "sim", "--", "--nocapture"],
            &[("BOXPERSON_SIM_SEEDS", "10000")],
        ),
    },
    Campaign {
        part: "schemathesis",
        what: "requests generated from the server's OpenAPI document",
        work: Work::Own(schemathesis::campaign),
    },
    Campaign {
        part: "flips",
        what: "every bit of 1,000 rows flipped",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-server", "--test", "it", "flips::", "--", "--nocapture"],
            &[("BOXPERSON_TAMPER", "all")],
        ),
    },
    Campaign {
        part: "races",
        what: "1,000,000 bets against the lock of the dice, 1,000,000 orders of the store's writer",
        work: Work::Own(races),
    },
    Campaign { part: "torn", what: "10,000 images of a disk after a power loss", work: Work::Own(torn) },
    Campaign {
        part: "release",
        what: "the program as it is shipped names no folder of this machine",
        work: Work::Own(release::campaign),
    },
    Campaign {
        part: "traces",
        what: "a server sends its traces to a collector",
        work: Work::Cargo(&["test", "--package", "boxperson", "--features", "otel", "--test", "it", "traces::"], &[]),
    },
    Campaign {
        part: "kills",
        what: "servers killed, connections cut and replies lost under load",
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
                ("BOXPERSON_KILLS_SQLITE", "1000"),
                ("BOXPERSON_KILLS_POSTGRES", "1000"),
                ("BOXPERSON_CUTS", "100"),
                ("BOXPERSON_SIEGE_SECONDS", "60"),
            ],
        ),
    },
    Campaign {
        part: "soak",
        what: "an hour at 500 commands a second",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-crowd", "--test", "soak", "--", "--nocapture"],
            &[("BOXPERSON_SOAK_SECONDS", "3600")],
        ),
    },
    Campaign {
        part: "laws",
        what: "10,000 games of every book for each invariant of the table",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-table", "--test", "laws"],
            &[("BOXPERSON_GAMES", "10000")],
        ),
    },
    Campaign {
        part: "books",
        what: "100,000 books with random changes",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-law", "--test", "mutants", "--", "--nocapture"],
            &[("BOXPERSON_MUTANT_BOOKS", "100000")],
        ),
    },
    Campaign {
        part: "changes",
        what: "every fact and answer of every book and every wager entry changed",
        work: Work::Cargo(
            &["test", "--release", "--package", "craps-testkit", "--test", "changes", "--", "--nocapture"],
            &[("BOXPERSON_CHANGES", "all")],
        ),
    },
    Campaign {
        part: "mutants",
        what: "the code of the crates that decide about money, law and people changed",
        work: Work::Own(mutants::campaign),
    },
];

/// Finds the campaigns with these names, or all of them if no name is given. The error is an unknown name.
fn campaigns(parts: &[String]) -> Result<Vec<&'static Campaign>, &str> {
    let find = |part: &String| CAMPAIGNS.iter().find(|campaign| campaign.part == part);
    match parts.iter().find(|part| find(part).is_none()) {
        Some(unknown) => Err(unknown),
        None if parts.is_empty() => Ok(CAMPAIGNS.iter().collect()),
        None => Ok(parts.iter().filter_map(find).collect()),
    }
}

/// Runs all campaigns, even after a failure, and prints the result and time of each.
fn long(parts: &[&Campaign]) -> bool {
    let one = |campaign: &&Campaign| {
        let start = Instant::now();
        say(&format!("xtask: long {}: {}", campaign.part, campaign.what));
        let done = match campaign.work {
            Work::Cargo(args, env) => {
                let env = unset(&[env, &[("CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS", "true")]].concat());
                run(&format!("{} (cargo {})", campaign.what, args.join(" ")), "cargo", args, &env)
            }
            Work::Own(own) => own(),
        };
        let word = if done { "done" } else { "FAILED" };
        (done, format!("  {:<12} {:>6} s  {word}: {}", campaign.part, start.elapsed().as_secs(), campaign.what))
    };
    let ran: Vec<(bool, String)> = parts.iter().map(one).collect();
    let lines: Vec<&str> = ran.iter().map(|(_, line)| line.as_str()).collect();
    say(&format!("xtask: long, times include building:\n{}", lines.join("\n")));
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

/// Runs a program and returns its output. If it fails, prints a message and returns None.
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
