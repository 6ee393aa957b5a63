//! Counts the instructions per roll of the engine. Unlike time, the count hardly depends on the machine or its other work. The last count is
//! recorded in a file, so that a change for the worse is noticed.

use super::figures::Figures;
use super::{keep, root, target};
use crate::{capture, say, tool};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Names of the counts: each strategy written in Rust, and read from its file.
pub(super) const COUNTED: [&str; 4] = ["pass", "pass-file", "molly", "molly-file"];
/// Numbers of rolls of a short and a long run. The difference of their counts excludes everything before the first roll.
const THROWS: [u32; 2] = [100_000, 600_000];
/// Accepted increase over the record, as a share.
const LEEWAY: f64 = 0.05;

/// Instructions per roll by name.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Record(Vec<(String, f64)>);

impl Record {
    /// Reads a record. Lines that are not a name and a number are ignored.
    fn read(text: &str) -> Record {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let one = |line: &str| {
            let (name, count) = line.split_once(char::is_whitespace)?;
            Some((name.to_owned(), count.trim().parse().ok()?))
        };
        Record(lines.filter_map(one).collect())
    }

    /// Returns the recorded count with this name.
    pub(super) fn of(&self, name: &str) -> Option<f64> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, count)| *count)
    }

    /// Returns true if the count is at most the recorded one plus the leeway, or if nothing was recorded.
    pub(super) fn allows(&self, name: &str, count: f64) -> bool {
        self.of(name).is_none_or(|recorded| count <= recorded * (1.0 + LEEWAY))
    }

    /// Returns true if all counts among these figures are allowed.
    pub(super) fn allows_all(&self, figures: &Figures) -> bool {
        COUNTED.iter().all(|name| figures.number(&figure(name)).is_none_or(|count| self.allows(name, count)))
    }

    fn text(&self, compiler: &str) -> String {
        let mut text = format!(
            "# Instructions per roll of the engine, counted by callgrind.\n\
             # `cargo xtask bench --record` writes this file; `cargo xtask bench` fails if a count is more than 5 % above it.\n\
             # {compiler}\n"
        );
        for (name, count) in &self.0 {
            let _ = writeln!(text, "{name:<12}{count:>8.1}");
        }
        text
    }
}

/// Returns the name of a count among the figures.
pub(super) fn figure(name: &str) -> String {
    format!("instructions/{name}")
}

fn path() -> PathBuf {
    root().join("crates/craps-sim/benches/instructions.txt")
}

/// Reads the recorded counts.
pub(super) fn on_record() -> Record {
    Record::read(&std::fs::read_to_string(path()).unwrap_or_default())
}

/// Records the counts among these figures.
pub(super) fn record(figures: &Figures) -> bool {
    let compiler = capture("compiler", "rustc", &["--version"], &[]).unwrap_or_default();
    let counts = COUNTED.iter().filter_map(|name| Some(((*name).to_owned(), figures.number(&figure(name))?)));
    keep(&path(), &Record(counts.collect()).text(compiler.trim()))
}

/// Counts instructions with valgrind. Returns false if that isn't possible on this machine.
pub(super) fn count(figures: &mut Figures) -> bool {
    let Some(program) = figures.text("program").map(str::to_owned) else { return false };
    if !tool("valgrind", "it counts instructions") {
        return false;
    }
    say("xtask: counting instructions");
    COUNTED.iter().all(|name| {
        let [few, many] = THROWS.map(|throws| counted(&program, name, throws));
        let (Some(few), Some(many)) = (few, many) else { return false };
        figures.put(figure(name), (many - few) / f64::from(THROWS[1] - THROWS[0]));
        true
    })
}

/// Returns the instructions of a whole run with this many rolls.
fn counted(program: &str, name: &str, throws: u32) -> Option<f64> {
    let out = target().join(format!("callgrind.{name}.{throws}"));
    let told = format!("--callgrind-out-file={}", out.display());
    let throws = throws.to_string();
    let env = [("BOXPERSON_COUNT", name), ("BOXPERSON_THROWS", &throws)];
    capture("counting instructions", "valgrind", &["--quiet", "--tool=callgrind", &told, program], &env)?;
    total(&std::fs::read_to_string(out).ok()?)
}

/// Reads the total from callgrind's output file.
fn total(text: &str) -> Option<f64> {
    text.lines().find_map(|line| line.strip_prefix("totals: ").or(line.strip_prefix("summary: ")))?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_read_as_it_was_written() {
        let record = Record(vec![("pass".to_owned(), 123.4), ("molly-file".to_owned(), 1_000.0)]);
        let text = record.text("rustc 1.0.0");
        assert!(text.ends_with("# rustc 1.0.0\npass           123.4\nmolly-file    1000.0\n"), "{text}");
        assert_eq!(Record::read(&text), record);
    }

    #[test]
    fn a_count_above_the_record_is_told_from_one_within_it() {
        let record = Record::read("pass 100.0\n");
        assert!(record.allows("pass", 80.0) && record.allows("pass", 105.0) && !record.allows("pass", 105.1));
        assert!(record.allows("molly", 1e9));
        let all = |text: &str| record.allows_all(&Figures::read(text));
        assert!(all("instructions/pass\t90\ninstructions/molly\t900") && all("rate/r\t1e9"));
        assert!(!all("instructions/pass\t106\ninstructions/molly\t900"));
    }

    #[test]
    fn what_is_on_record_covers_all_that_is_counted() {
        let record = on_record();
        for name in COUNTED {
            assert!(record.of(name).is_some_and(|count| count > 0.0), "{name} is not recorded");
        }
    }

    #[test]
    fn the_sum_of_all_instructions_is_found() {
        assert_eq!(total("events: Ir\nfn=(1) main\n12 300\n\ntotals: 4567\n"), Some(4567.0));
        assert_eq!(total("summary: 89\ntotals: 89\n"), Some(89.0));
        assert_eq!(total("events: Ir\n"), None);
    }
}
