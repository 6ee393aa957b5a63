//! Changes the code in small ways and checks that the tests of the same crate fail: `cargo xtask long mutants`, with cargo-mutants.
//!
//! `BOXPERSON_MUTANTS=craps-money` tries one crate, and `BOXPERSON_MUTANTS=craps-table:0/8` an eighth of one.

use crate::{run, say};
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

/// Share of the mutants of a crate that its tests must catch, in percent.
const CAUGHT: usize = 95;

/// Mutants that tests cannot catch, with the reason. `#` begins a comment.
const SURVIVORS: &str = include_str!("../survivors.txt");

/// Crates to change, each with the files to change where that is not the whole crate.
const CRATES: [(&str, Option<&str>); 6] = [
    ("craps-money", None),
    ("craps-wagers", None),
    ("craps-table", None),
    ("craps-law", None),
    ("craps-store", None),
    ("craps-server", Some("crates/craps-server/src/people/**")),
];

/// Tries the mutants of every crate, prints how many were caught, and lists those that were not.
pub(crate) fn campaign() -> bool {
    let there =
        Command::new("cargo").args(["mutants", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success())
        && !run("cargo-mutants", "cargo", &["install", "--locked", "cargo-mutants"], &[])
    {
        return false;
    }
    let asked = std::env::var("BOXPERSON_MUTANTS").unwrap_or_default();
    let (name, shard) = asked.split_once(':').map_or((asked.as_str(), None), |(name, shard)| (name, Some(shard)));
    let chosen: Vec<_> = CRATES.iter().filter(|(known, _)| name.is_empty() || name == *known).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = CRATES.iter().map(|(known, _)| *known).collect();
        say(&format!("xtask: BOXPERSON_MUTANTS: expected one of {}, found `{name}`", known.join(", ")));
        return false;
    }
    let tried: Vec<bool> = chosen.into_iter().map(|(name, files)| one(name, *files, shard)).collect();
    tried.into_iter().all(|good| good)
}

/// Tries the mutants of a crate.
fn one(name: &str, files: Option<&str>, shard: Option<&str>) -> bool {
    let output = format!("target/mutants/{name}");
    if let Err(error) = fs::create_dir_all(&output) {
        say(&format!("xtask: {output}: {error}"));
        return false;
    }
    let mut args = vec![
        "mutants",
        "--package",
        name,
        "--output",
        &output,
        "--no-shuffle",
        "--colors",
        "never",
        "--profile",
        "mutants",
    ];
    args.extend(files.into_iter().flat_map(|files| ["--file", files]));
    args.extend(shard.into_iter().flat_map(|shard| ["--shard", shard]));
    // It fails when a mutant was missed. The lists below say which ones.
    let _ = Command::new("cargo").args(&args).status();
    let list = |kind: &str| fs::read_to_string(format!("{output}/mutants.out/{kind}.txt"));
    let (Ok(caught), Ok(timeout), Ok(missed)) = (list("caught"), list("timeout"), list("missed")) else {
        say(&format!("xtask: {name}: cargo-mutants left no lists in {output}"));
        return false;
    };
    let tally = Tally::new(caught.lines().chain(timeout.lines()).count(), &missed, &survivors(SURVIVORS));
    say(&tally.report(name));
    tally.is_good()
}

/// Mutants that cannot be caught, each with its reason: `path: change = reason`.
fn survivors(text: &str) -> BTreeMap<&str, &str> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" = ")).collect()
}

/// How many mutants of a crate were caught, and which were not.
struct Tally {
    caught: usize,
    /// Missed mutants for which there is a reason.
    excused: usize,
    /// Missed mutants without a reason, with their places.
    missed: Vec<String>,
}

impl Tally {
    fn new(caught: usize, missed: &str, survivors: &BTreeMap<&str, &str>) -> Tally {
        let is_excused = |line: &&str| survivors.contains_key(without_place(line).as_str());
        let (excused, missed): (Vec<&str>, Vec<&str>) = missed.lines().partition(is_excused);
        Tally { caught, excused: excused.len(), missed: missed.into_iter().map(str::to_owned).collect() }
    }

    /// Were enough caught, and is there a reason for every other?
    fn is_good(&self) -> bool {
        let viable = self.caught + self.excused + self.missed.len();
        self.missed.is_empty() && self.caught * 100 >= viable * CAUGHT
    }

    fn report(&self, name: &str) -> String {
        let viable = self.caught + self.excused + self.missed.len();
        let tenths = (self.caught * 1000).checked_div(viable).unwrap_or_default();
        let missed: String = self.missed.iter().map(|line| format!("\n  missed: {line}")).collect();
        format!(
            "xtask: {name}: {} of {viable} mutants caught ({}.{} %), {} cannot be{missed}",
            self.caught,
            tenths / 10,
            tenths % 10,
            self.excused
        )
    }
}

/// A mutant without its line and column, which move: `src/a.rs:3:5: replace …` becomes `src/a.rs: replace …`.
fn without_place(line: &str) -> String {
    let Some((place, change)) = line.split_once(": ") else { return line.to_owned() };
    let path = place.split(':').next().unwrap_or(place);
    format!("{path}: {change}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missed_mutant_needs_a_reason_and_nearly_all_must_be_caught() {
        let survivors = survivors("# reasons\n\nsrc/a.rs: replace f with () = it only makes things faster\n");
        let excused = Tally::new(19, "src/a.rs:3:5: replace f with ()\n", &survivors);
        assert!(excused.is_good());
        assert_eq!(excused.report("craps-x"), "xtask: craps-x: 19 of 20 mutants caught (95.0 %), 1 cannot be");
        assert!(!Tally::new(18, "src/a.rs:3:5: replace f with ()\n", &survivors).is_good());
        let missed = Tally::new(99, "src/b.rs:3:5: replace g with ()\n", &survivors);
        assert!(!missed.is_good() && missed.report("craps-x").ends_with("missed: src/b.rs:3:5: replace g with ()"));
    }

    #[test]
    fn every_survivor_has_a_reason_and_a_file() {
        for line in SURVIVORS.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let (mutant, reason) = line.split_once(" = ").unwrap_or_else(|| panic!("no reason: {line}"));
            assert!(reason.len() > 10, "{line}");
            let path = mutant.split(": ").next().unwrap_or_default();
            assert!(fs::exists(format!("{}/../{path}", env!("CARGO_MANIFEST_DIR"))).is_ok_and(|there| there), "{line}");
        }
    }
}
