//! `cargo xtask bench`: measures everything in one run and compares the simulator's figures with their targets.

#![allow(clippy::float_arithmetic, reason = "rates and their ratios")]

mod figures;
mod instructions;
pub(crate) mod logs;
mod peers;
mod report;
pub(crate) mod server;

use crate::{capture, run, say};
use figures::Figures;
use report::Report;
use std::path::{Path, PathBuf};

/// What `cargo xtask bench --help` prints.
pub(crate) const HELP: &str = "\
cargo xtask bench [--peers] [--record]

Measures in one run on this machine: the time of the slowest exact odds, and the rolls per second of a table. Then, for the
simulator, each compared with a target: rolls per second of the engine and of the table of positions compared with R (a plain
random number generator), exact answers with their figures, two threads compared with one, and the instructions per roll of the
engine compared with the recorded ones. The simulator's figures are also written to target/bench.json.

  --peers    also measure crapssim on the same strategies; it is installed into its own environment under target
  --record   record the current instruction counts

docs/benchmarks.md explains each line. A missed time target is no failure, because machines differ and are shared. Instruction
counts more than 5 % above the record are a failure (exit code 1).";

/// Command-line options of `bench`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    peers: bool,
    record: bool,
}

impl Options {
    /// Reads the words after `bench`. The error is the first unknown word.
    pub(crate) fn read(words: &[String]) -> Result<Options, &str> {
        let mut options = Options::default();
        for word in words {
            match word.as_str() {
                "--peers" => options.peers = true,
                "--record" => options.record = true,
                _ => return Err(word),
            }
        }
        Ok(options)
    }
}

/// Measures and prints. A part that can't be measured is left out, and the chore fails at the end.
pub(crate) fn bench(options: &Options) -> bool {
    let others = ["bench", "--quiet", "--package", "craps-odds", "--package", "craps-table"];
    if !run("benchmarks of odds and table", "cargo", &others, &[]) {
        return false;
    }
    say("xtask: measuring the simulator; this takes a minute or two, longer on a busy machine");
    let Some(mut figures) = lab() else { return false };
    let peers = !options.peers || peers::measure(&mut figures);
    let counted = instructions::count(&mut figures);
    let record = instructions::on_record();
    let report = Report::new(&figures, &record);
    show(&report.to_string());
    let kept = keep(&target().join("bench.json"), &report.json(&figures));
    let instructions = match options.record {
        true => counted && instructions::record(&figures),
        false => record.allows_all(&figures),
    };
    peers && counted && kept && instructions
}

/// Runs the benchmark of the simulator.
fn lab() -> Option<Figures> {
    let bench = ["bench", "--quiet", "--package", "craps-sim", "--bench", "throws"];
    Some(Figures::read(&capture("benchmark of the simulator", "cargo", &bench, &[])?))
}

/// Returns the root folder of the repository.
fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Returns cargo's target folder.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Writes a file. Prints a message and returns false if that fails.
fn keep(path: &Path, text: &str) -> bool {
    let written = std::fs::write(path, text);
    if let Err(error) = &written {
        say(&format!("xtask: {}: {error}", path.display()));
    }
    written.is_ok()
}

#[expect(clippy::print_stdout, reason = "what the chore was started for")]
fn show(text: &str) {
    println!("{text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_unknown_words_named() {
        let read = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(ToString::to_string).collect();
            Options::read(&words).map_err(str::to_owned)
        };
        assert_eq!(read(&[]), Ok(Options { peers: false, record: false }));
        assert_eq!(read(&["--record", "--peers"]), Ok(Options { peers: true, record: true }));
        assert_eq!(read(&["--peers", "--peer"]), Err("--peer".to_owned()));
    }
}
