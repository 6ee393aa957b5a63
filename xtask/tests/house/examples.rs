//! Doc examples: every public function of the main libraries has one, and `cargo test --doc` runs them.

use crate::repository::{File, files, none};
use crate::shipped::crate_of;

/// Crates whose top-level public functions must all have an example.
const SHOWN: &[&str] = &["craps-explain", "craps-notation", "craps-odds", "craps-sim", "craps-table"];

/// Finds public functions without an example in their documentation.
fn unshown(files: &[File]) -> Vec<String> {
    let mut offences = Vec::new();
    for file in files.iter().filter(|file| file.path.ends_with(".rs")) {
        let Some((name, rest)) = crate_of(&file.path) else { continue };
        if !SHOWN.contains(&name) || !rest.starts_with("src/") {
            continue;
        }
        let (mut has_example, mut fences) = (false, 0);
        for (at, line) in file.text.lines().enumerate() {
            if let Some(doc) = line.strip_prefix("///") {
                fences += usize::from(doc.trim_start().starts_with("```"));
                has_example = fences >= 2;
            } else if let Some(function) = line.strip_prefix("pub fn ") {
                if !has_example {
                    let name = function.split(['(', '<']).next().unwrap_or_default();
                    offences.push(file.at(at + 1, format!("{name} has no example")));
                }
                (has_example, fences) = (false, 0);
            } else if !line.starts_with("#[") {
                (has_example, fences) = (false, 0);
            }
        }
    }
    offences
}

/// Counts the examples of a crate: code blocks in its doc comments, and Rust code blocks in its README.
fn examples(files: &[File], name: &str) -> usize {
    let of_crate = |file: &&File| crate_of(&file.path).is_some_and(|(own, _)| own == name);
    let fences = |file: &File| -> usize {
        let lines = file.text.lines().map(str::trim_start);
        match file.path.rsplit('.').next() {
            Some("rs") => {
                let docs = lines.filter_map(|line| line.strip_prefix("///").or_else(|| line.strip_prefix("//!")));
                docs.filter(|doc| doc.trim_start().starts_with("```")).count() / 2
            }
            _ => lines.filter(|line| line.starts_with("```rust")).count(),
        }
    };
    let is_shown =
        |file: &&File| file.path.ends_with("README.md") || file.path.contains("/src/") && file.path.ends_with(".rs");
    files.iter().filter(of_crate).filter(is_shown).map(fences).sum()
}

#[test]
fn every_public_function_of_the_libraries_has_an_example() {
    none(unshown(files()));
}

#[test]
fn a_function_without_an_example_is_found() {
    let text = "/// Shown.\n///\n/// ```\n/// x();\n/// ```\n#[must_use]\npub fn x() {}\n\n/// Told only.\npub fn y<T>() {}\nfn z() {}\n";
    let files = [File::new("crates/craps-odds/src/a.rs", text), File::new("crates/craps-server/src/a.rs", text)];
    assert_eq!(unshown(&files), ["crates/craps-odds/src/a.rs:10: y has no example"]);
}

#[test]
fn the_examples_of_each_library_are_counted() {
    let text = "//! ```\n//! a();\n//! ```\n/// ```\n/// b();\n/// ```\npub fn b() {}\n// ```\n";
    let readme = "# a\n\n```rust\na();\n```\n";
    let made = [File::new("crates/a/src/lib.rs", text), File::new("crates/a/README.md", readme)];
    assert_eq!(examples(&made, "a"), 3);
    // A smaller count means that examples were lost.
    for (name, least) in [
        ("craps-explain", 20),
        ("craps-law", 6),
        ("craps-notation", 24),
        ("craps-odds", 11),
        ("craps-sim", 26),
        ("craps-table", 13),
    ] {
        let count = examples(files(), name);
        assert!(count >= least, "{name} has {count} examples, expected at least {least}");
    }
}
