//! `cargo xtask bench`: measures everything in one run, and sets the lab's figures beside what is wanted of them.

#![allow(clippy::float_arithmetic, reason = "rates and their ratios")]

mod figures;
mod instructions;
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

Prints, measured in one run on this machine: how long the slowest exact odds take; how many throws a table takes in a second;
and of the lab, each with what is wanted of it and whether that holds: throws per second of the engine and of the table of
positions beside R (a plain generator), exact answers with their figures, two threads against one, and the instructions that
one throw of the engine takes beside those on record. The lab's figures are also written to target/bench.json.

  --peers    measure crapssim, too, on the same strategies; it is installed into an environment of its own under target
  --record   put the instructions on record as they are now counted

docs/benchmarks.md says what each line means. A time that misses what is wanted fails nothing, as machines differ and are shared;
instructions above the record by more than 5 % do (exit 1).";

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Options {
    peers: bool,
    record: bool,
}

impl Options {
    /// From the words after `bench`; else the word that means nothing.
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

/// Measures and prints. Parts that could not be measured are left out, and make it fail in the end.
pub(crate) fn bench(options: &Options) -> bool {
    let others = ["bench", "--quiet", "--package", "craps-odds", "--package", "craps-table"];
    if !run("benchmarks of odds and table", "cargo", &others, &[]) {
        return false;
    }
    say("xtask: the lab: a minute or two, and longer where there is other work");
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
    peers && kept && instructions
}

/// The figures of the lab's benchmark.
fn lab() -> Option<Figures> {
    let bench = ["bench", "--quiet", "--package", "craps-sim", "--bench", "throws"];
    Some(Figures::read(&capture("benchmark of the lab", "cargo", &bench, &[])?))
}

/// The folder of this repository.
fn root() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.parent().unwrap_or(own)
}

/// Where whatever is built goes.
fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Writes a file, or says why not.
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
