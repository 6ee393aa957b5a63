//! Wagers stay in the catalogue: the code of the crates and of the web page names none of them. The page names no rule book either.

use crate::lexer::Kind;
use crate::repository::{File, files, none};
use crate::shipped::{crate_of, shipped};
use std::collections::BTreeSet;

/// Crates for tests only. They check the catalogue, so they must not take names from it.
const FOR_TESTS: &[&str] = &["craps-testkit", "craps-crowd"];

/// Slugs that are also English words. Their use as a string proves nothing.
const WORDS: &[&str] = &["pass", "come", "field", "fire", "horn", "eleven", "whirl"];

/// Returns all slugs and codes of the catalogue.
fn names(files: &[File]) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in files.iter().filter(|file| file.path.starts_with("wagers/") && file.path.ends_with(".toml")) {
        let table: toml::Table = file.text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path));
        let wagers = table.get("wager").and_then(toml::Value::as_array).into_iter().flatten();
        for wager in wagers.filter_map(toml::Value::as_table) {
            let text = |key: &str| wager.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
            let one = vec![toml::Value::Table(toml::Table::new())];
            for row in wager.get("each").and_then(toml::Value::as_array).unwrap_or(&one) {
                for key in ["slug", "code"] {
                    let filled = row.as_table().into_iter().flatten().fold(text(key), |text, (key, value)| {
                        text.replace(&format!("{{{key}}}"), value.as_str().unwrap_or_default())
                    });
                    names.insert(filled.replace('#', ""));
                }
            }
        }
    }
    // Single letters and English words are too common to check.
    names.retain(|name| name.len() > 1 && !WORDS.contains(&name.as_str()));
    names
}

fn named(files: &[File]) -> Vec<String> {
    let names = names(files);
    let mut offences = Vec::new();
    for source in shipped(files) {
        let for_tests = crate_of(&source.file.path).is_some_and(|(name, _)| FOR_TESTS.contains(&name));
        if !for_tests {
            let texts = source.code.iter().filter(|token| token.kind == Kind::Text && names.contains(&token.text));
            offences.extend(texts.map(|token| source.file.at(token.line, format!("names a wager: {}", token.text))));
        }
    }
    offences.extend(quoted_on_the_page(files, &names, "a wager"));
    offences.extend(quoted_on_the_page(files, &books(files), "a rule book"));
    offences
}

/// Returns the ids of the rule books: the names of their folders.
fn books(files: &[File]) -> BTreeSet<String> {
    let id = |file: &File| Some(file.path.strip_prefix("rulebooks/")?.strip_suffix("/book.toml")?.to_owned());
    files.iter().filter_map(id).collect()
}

/// Returns the places where the page has one of these names in quotes.
fn quoted_on_the_page(files: &[File], names: &BTreeSet<String>, kind: &str) -> Vec<String> {
    let page = files.iter().filter(|file| {
        let path = &file.path;
        path.starts_with("web/src/")
            && (path.ends_with(".ts") || path.ends_with(".svelte"))
            && !path.contains(".test.")
            && !path.ends_with(".d.ts")
    });
    let mut offences = Vec::new();
    for file in page {
        for (at, line) in file.text.lines().enumerate().filter(|(_, line)| !line.trim_start().starts_with(['*', '/'])) {
            let quoted = line.split(['"', '\'', '`']).skip(1).step_by(2).find(|text| names.contains(*text));
            offences.extend(quoted.map(|text| file.at(at + 1, format!("names {kind}: {text}"))));
        }
    }
    offences
}

#[test]
fn no_crate_names_a_wager_and_no_page_names_a_wager_or_a_book() {
    none(named(files()));
}

#[test]
fn a_wager_that_is_named_in_code_is_found() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let catalogue =
        file("wagers/side.toml", "[[wager]]\nslug = \"loud-{n}\"\ncode = \"LD{n}\"\neach = [{ n = \"6\" }]\n");
    let code = file("crates/craps-x/src/lib.rs", "fn is(slug: &str) -> bool {\n    slug == \"loud-6\"\n}\n");
    let page = file("web/src/a.ts", "const code = 'LD6';\n");
    let fine = file("web/src/b.ts", "// \"LD6\" is told by the server\n");
    assert_eq!(named(&[catalogue, code, page, fine]).len(), 2);
}

#[test]
fn a_book_that_is_named_on_the_page_is_found() {
    let file = |path: &str, text: &str| File { path: path.to_owned(), text: text.to_owned() };
    let book = file("rulebooks/atlantis/book.toml", "name = \"Atlantis\"\n");
    let page = file("web/src/a.svelte", "<script>\n  let left = $state(\"atlantis\");\n</script>\n");
    let fine = file("web/src/a.test.ts", "const book = \"atlantis\";\n");
    let found = named(&[book, page, fine]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("names a rule book: atlantis"), "{found:?}");
}
