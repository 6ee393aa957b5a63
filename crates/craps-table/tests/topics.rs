//! Checks that every topic name in the source code exists. Otherwise a misspelled name would look like a book that says nothing on the topic.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_law::Library;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Lists all source files under a folder, in order.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    let mut all = Vec::new();
    for path in entries {
        if path.is_dir() {
            all.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push(path);
        }
    }
    all
}

/// Finds the string literals of a source that look like the name of a topic: a group, a dot and words, all in lowercase.
fn names<'a>(source: &'a str, groups: &BTreeSet<&str>) -> Vec<&'a str> {
    let looks_right = |text: &&str| {
        let plain = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
        };
        text.split_once('.').is_some_and(|(group, rest)| groups.contains(group) && rest.split('.').all(plain))
    };
    // This also looks at text outside of quotes. It usually has spaces or symbols, and does no harm where it looks like a name.
    source
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .flat_map(|line| line.split('"'))
        .filter(looks_right)
        .collect()
}

#[test]
fn every_topic_named_in_the_sources_exists() {
    let library = Library::shipped();
    let groups: BTreeSet<&str> =
        library.topics.keys().filter_map(|name| name.split_once('.')).map(|(group, _)| group).collect();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut seen = BTreeSet::new();
    for folder in ["craps-table/src", "craps-law/src/admit", "boxperson/src"] {
        for path in sources(&crates.join(folder)) {
            let text = fs::read_to_string(&path).unwrap();
            for name in names(&text, &groups) {
                let is_key = library.keys().iter().any(|key| match key.name.strip_suffix('*') {
                    Some(stem) => name.starts_with(stem),
                    None => key.name == name,
                });
                assert!(library.topics.contains_key(name) || is_key, "{}: no topic `{name}`", path.display());
                seen.insert(name.to_owned());
            }
        }
    }
    assert!(seen.len() > 30, "only {} names were found: {seen:?}", seen.len());
}

#[test]
fn names_are_found_in_code_and_not_in_comments() {
    let groups = BTreeSet::from(["bets"]);
    let source = "// \"bets.in_comment\"\nself.refuse(\"no\", \"bets.call_bets\"); \"Bets.x\"; \"bets. x\"; \"other.y\"; x.bets.get(y)";
    assert_eq!(names(source, &groups), ["bets.call_bets"]);
}

/// A topic that acts and isn't compared with other facts is named by code: by its own name, without the kind of table at its end, or as the topic of a
/// product.
#[test]
fn every_topic_that_acts_by_itself_is_named_by_code() {
    let library = Library::shipped();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = ["craps-table/src", "craps-server/src", "craps-layout/src"];
    let files = folders.into_iter().flat_map(|folder| sources(&crates.join(folder)));
    let text: String = files.map(|path| fs::read_to_string(path).unwrap()).collect();
    let is_named = |name: &str| text.contains(&format!("\"{name}\""));
    let general = |name: &str| {
        let kinds = ["_mini", "_electronic", "_hybrid"];
        kinds.iter().find_map(|kind| name.strip_suffix(kind)).unwrap_or(name).to_owned()
    };
    let acts = |topic: &&craps_law::Topic| {
        let compared = !topic.same_as.is_empty() || !topic.plays.is_empty() || topic.always.is_some();
        topic.mark == craps_law::Mark::Acts && !compared && !topic.name.starts_with("may.")
    };
    let unnamed = |topic: &&craps_law::Topic| {
        let of_product = topic.name.split_once('.').is_some_and(|(_, rest)| is_named(rest));
        !is_named(&topic.name) && !is_named(&general(&topic.name)) && !of_product
    };
    let idle: Vec<&String> = library.topics.values().filter(acts).filter(unnamed).map(|topic| &topic.name).collect();
    assert!(idle.is_empty(), "these topics claim to act, but no code names them: {idle:#?}");
}
