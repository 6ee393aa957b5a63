//! The sample houses of the repository: lawful ones are admitted, and the others fail with exactly the words that their own `# Expect:` lines have.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{Library, Source};
use std::fs;
use std::path::Path;

/// The house files of a folder, sorted by name.
fn houses(folder: &str) -> Vec<Source> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let files = paths.filter(|path| path.extension().is_some_and(|ending| ending == "toml"));
    let source = |path: std::path::PathBuf| Source {
        path: path.file_name().unwrap().to_string_lossy().into_owned(),
        text: fs::read_to_string(&path).unwrap(),
    };
    let mut all: Vec<Source> = files.map(source).collect();
    all.sort_by(|one, other| one.path.cmp(&other.path));
    all
}

fn expected(source: &Source) -> Vec<String> {
    source.text.lines().filter_map(|line| line.strip_prefix("# Expect: ")).map(str::to_owned).collect()
}

/// The problems of a house, each with its key and citations.
fn problems(library: &Library, source: &Source) -> Vec<String> {
    let house = library.house(source, None).unwrap_or_else(|error| panic!("{error}"));
    let judgement = library.book(&house.book).unwrap().judge(&house);
    judgement.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn lawful_houses_are_admitted() {
    let library = Library::shipped();
    let all = houses("houses");
    assert!(all.len() >= 11);
    for source in &all {
        assert_eq!(problems(&library, source), Vec::<String>::new(), "{}", source.path);
        let house = library.house(source, None).unwrap();
        assert!(library.book(&house.book).unwrap().admit(&house).is_ok(), "{}", source.path);
    }
}

#[test]
fn unlawful_houses_have_exactly_their_problems() {
    let library = Library::shipped();
    let all = houses("houses/unlawful");
    assert!(all.len() >= 60);
    for source in &all {
        assert_eq!(problems(&library, source), expected(source), "{}", source.path);
    }
}

#[test]
fn malformed_houses_say_where_and_what_was_expected() {
    let library = Library::shipped();
    let all = houses("houses/malformed");
    assert!(all.len() >= 12);
    for source in &all {
        let error = library.house(source, None).map(|house| house.book).unwrap_err().to_string();
        let told = error.strip_prefix(&format!("{}:", source.path)).unwrap_or(&error);
        assert_eq!(vec![told.trim_start().to_owned()], expected(source), "{}", source.path);
    }
}
