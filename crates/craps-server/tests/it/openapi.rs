//! Compares the OpenAPI document with the stored file.

use std::path::Path;

#[test]
fn the_document_is_the_one_that_is_kept() {
    let text = serde_json::to_string_pretty(&craps_server::openapi()).unwrap() + "\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/openapi.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    let differs = text.lines().zip(kept.lines()).position(|(now, then)| now != then);
    assert!(text == kept, "openapi.json differs from line {differs:?} on. Run with UPDATE_GOLDEN=1 to update it.");
}

/// Two types with the same name would be mixed up in the document.
#[test]
fn every_kind_in_the_document_has_a_name_of_its_own() {
    let mut names = std::collections::BTreeMap::<String, Vec<String>>::new();
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("..")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && path.file_name().is_some_and(|name| name != "tests" && name != "target") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                for after in text.split("ToSchema").skip(1).filter(|after| after.starts_with([')', ','])) {
                    let mut words = after.split_whitespace().skip_while(|word| !["struct", "enum"].contains(word));
                    let name = words.nth(1).unwrap_or_default().trim_end_matches(['{', '(', ';']);
                    let until = ["struct ", "enum "].iter().filter_map(|kind| after.find(kind)).min().unwrap_or(0);
                    let other = after[..until].split("schema(as = ").nth(1).and_then(|other| other.split(')').next());
                    let name = other.unwrap_or(name);
                    names.entry(name.to_owned()).or_default().push(path.display().to_string());
                }
            }
        }
    }
    assert!(names.len() > 50, "{names:?}");
    let twice: Vec<_> = names.iter().filter(|(name, places)| places.len() > 1 && !name.starts_with('$')).collect();
    assert!(twice.is_empty(), "{twice:#?}");
}
