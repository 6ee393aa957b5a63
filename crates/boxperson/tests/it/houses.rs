//! The sample houses: lawful ones pass, unlawful ones fail with exactly the problems they demonstrate, malformed ones are bad input.

use crate::support::{boxperson, boxperson_with_input, files, golden};
use std::fs;
use std::path::Path;

fn name(path: &Path) -> String {
    path.file_stem().unwrap().to_string_lossy().into_owned()
}

#[test]
fn every_sample_house_is_lawful() {
    let houses = files("houses", "toml");
    for book_and_game in [
        "pa-craps",
        "pa-mini",
        "pa-electronic",
        "pa-hybrid",
        "md-craps",
        "md-mini",
        "nj-craps",
        "nj-mini",
        "nj-automated",
        "co-craps",
        "co-crapless",
    ] {
        assert!(houses.iter().any(|path| name(path) == book_and_game), "{book_and_game}");
    }
    for path in houses {
        let run = boxperson(&["law", "check", &format!("houses/{}.toml", name(&path))]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}:\n{}", name(&path), run.out);
        golden(&format!("law-check/{}.txt", name(&path)), &run.out);
    }
}

/// Returns the lines `# Expect: …` of a house file.
fn expected(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter_map(|line| line.strip_prefix("# Expect: ")).map(str::to_owned).collect()
}

#[test]
fn every_unlawful_house_has_exactly_its_problems() {
    let houses = files("houses/unlawful", "toml");
    assert!(houses.len() >= 35);
    for path in houses {
        let file = format!("houses/unlawful/{}.toml", name(&path));
        let run = boxperson(&["law", "check", &file]);
        assert_eq!((run.code, run.err.as_str()), (1, ""), "{file}:\n{}", run.out);
        golden(&format!("law-check/unlawful/{}.txt", name(&path)), &run.out);
        // The file itself lists its problems, as the program tells them: `# Expect: key: message [citations]`.
        let json: serde_json::Value =
            serde_json::from_str(&boxperson(&["law", "check", &file, "--format", "json"]).out).unwrap();
        assert_eq!(json["lawful"], false);
        assert_eq!(told(&json["problems"]), expected(&path), "{file}");
    }
}

/// Runs a check and returns the problems that its JSON lists, as `# Expect:` lines have them.
fn told(problems: &serde_json::Value) -> Vec<String> {
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    let one = |problem: &serde_json::Value| {
        let cite = text(&problem["cite"]);
        let cite = if cite.is_empty() { cite } else { format!(" [{cite}]") };
        format!("{}: {}{cite}", text(&problem["path"]), text(&problem["message"]))
    };
    problems.as_array().unwrap().iter().map(one).collect()
}

#[test]
fn casinos_are_judged_house_by_house_and_as_one() {
    for (folder, code) in [("houses/casinos", 0), ("houses/casinos/unlawful", 1)] {
        let casinos = files(folder, "toml");
        assert!(!casinos.is_empty(), "{folder}");
        for path in casinos {
            let file = format!("{folder}/{}.toml", name(&path));
            let run = boxperson(&["law", "check", &file]);
            assert_eq!((run.code, run.err.as_str()), (code, ""), "{file}:\n{}", run.out);
            golden(&format!("law-check/casinos/{}.txt", name(&path)), &run.out);
            let json: serde_json::Value =
                serde_json::from_str(&boxperson(&["law", "check", &file, "--format", "json"]).out).unwrap();
            assert_eq!(json["lawful"], code == 0, "{file}");
            assert_eq!(told(&json["problems"]), expected(&path), "{file}");
            let houses = json["houses"].as_array().unwrap();
            assert!(houses.len() > 1 && houses.iter().all(|house| house["lawful"] == true), "{file}");
            let csv = boxperson(&["law", "check", &file, "--format", "csv"]).out;
            assert_eq!(csv.lines().count(), 1 + expected(&path).len(), "{csv}");
        }
    }
    let missing = boxperson_with_input(&["law", "check", "-"], "[casino]\nhouses = ['nowhere.toml']\n");
    assert_eq!((missing.code, missing.out.as_str()), (2, ""));
    assert!(missing.err.contains("nowhere.toml"), "{}", missing.err);
    let bad =
        boxperson_with_input(&["law", "check", "-"], "[casino]\nhouses = ['houses/malformed/unknown-book.toml']\n");
    assert_eq!(bad.code, 2);
    assert!(bad.err.contains("houses/malformed/unknown-book.toml:"), "{}", bad.err);
}

#[test]
fn a_house_of_a_casino_shows_its_own_problems() {
    let casino = "[casino]\nbook = 'nj'\nas_of = 2024-01-01\n[[house]]\nname = 'One'\nkeys = { odds.k = 101 }\n[[house]]\nname = 'Two'\n";
    let run = boxperson_with_input(&["law", "check", "-"], casino);
    assert_eq!(run.code, 1);
    assert!(run.out.starts_with("One: 1 problem under New Jersey (nj) on 2024-01-01\n"), "{}", run.out);
    assert!(
        run.out.contains("Two: lawful")
            && run.out.contains("standard input: 2 houses, nothing that must be the same differs"),
        "{}",
        run.out
    );
}

#[test]
fn every_malformed_house_is_bad_input_with_its_place_and_what_was_expected() {
    let houses = files("houses/malformed", "toml");
    assert!(houses.len() >= 12);
    for path in houses {
        let file = format!("houses/malformed/{}.toml", name(&path));
        let run = boxperson(&["law", "check", &file]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{file}: {}", run.err);
        // The file itself has the message: `# Expect: line:column: message`, or without a place if something is missing.
        let (_, told) = run.err.lines().next().unwrap().split_once(&format!("{file}:")).unwrap();
        assert_eq!(vec![told.trim_start().to_owned()], expected(&path), "{file}");
        golden(&format!("law-check/malformed/{}.txt", name(&path)), &run.err);
    }
}

#[test]
fn the_day_on_the_command_line_replaces_the_house_s_own() {
    let before = boxperson(&["law", "check", "houses/pa-craps.toml", "--as-of", "2024-09-03"]);
    assert_eq!(before.code, 0, "{}", before.out);
    let after = boxperson(&["law", "check", "houses/pa-craps.toml", "--as-of", "2024-09-04", "--format", "json"]);
    assert_eq!(after.code, 1);
    assert!(after.out.contains("not on 2024-09-04") && after.out.contains("PA 623b.1(a)"), "{}", after.out);
}

#[test]
fn a_house_can_come_from_standard_input() {
    let house = "book = 'nj'\nas_of = 2024-01-01\n[house]\nodds.k = 101\n";
    let run = boxperson_with_input(&["law", "check", "-", "--format", "json"], house);
    assert_eq!(run.code, 1);
    let json: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    assert_eq!(json["problems"][0]["path"], "odds.k");
    assert_eq!(json["problems"][0]["cite"], "NJ 1.6(e)");
}
