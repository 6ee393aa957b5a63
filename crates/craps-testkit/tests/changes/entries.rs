//! Entries of the catalogue of wagers. Every change of one is noticed: by its own examples, by the rules for books, by the worked games, or by
//! the wager's card in `docs/wagers`.

use crate::{Change, chosen, report, root, vectors};
use craps_law::Library;
use craps_wagers::{Catalogue, EntryFile};
use std::fs;
use toml::Value;

/// Another value of the same kind for a field of an entry.
fn other(field: &str, value: &Value) -> Option<Value> {
    Some(match value {
        Value::Integer(number) => Value::Integer(number + 1),
        Value::Boolean(yes) => Value::Boolean(!yes),
        Value::String(word) => Value::String(match (field, word.as_str()) {
            (_, "right") => "wrong".to_owned(),
            (_, "wrong") => "right".to_owned(),
            // Totals and dice lose their last, and a single one becomes another.
            (_, word) if word.starts_with(|first: char| first.is_ascii_digit()) => match word.rsplit_once(' ') {
                Some((rest, _)) => rest.to_owned(),
                None if word == "9" => "5".to_owned(),
                None => "9".to_owned(),
            },
            (_, word) => format!("{word} x"),
        }),
        _ => return None,
    })
}

/// Every value in a field, each changed once; a list also without its last.
fn changed(field: &str, value: &Value) -> Vec<Value> {
    match value {
        Value::Array(all) => {
            let each = all.iter().enumerate().flat_map(|(at, one)| {
                changed(field, one).into_iter().map(move |one| {
                    let mut copy = all.clone();
                    copy[at] = one;
                    Value::Array(copy)
                })
            });
            let shorter = (all.len() > 1).then(|| Value::Array(all[..all.len() - 1].to_vec()));
            each.chain(shorter).collect()
        }
        Value::Table(table) => {
            let each = table.iter().flat_map(|(key, one)| {
                changed(key, one).into_iter().map(move |one| {
                    let mut copy = table.clone();
                    copy.insert(key.clone(), one);
                    Value::Table(copy)
                })
            });
            each.collect()
        }
        value => other(field, value).into_iter().collect(),
    }
}

/// Every field of every entry of a file, each changed once. Where an entry stands for several wagers, a value with a placeholder is left
/// as it is: `each` and the other fields are changed.
fn changes(path: &str, text: &str) -> Vec<Change> {
    let file: Value = toml::from_str(text).unwrap();
    let mut all = Vec::new();
    for kind in ["wager", "combo"] {
        for (at, entry) in file.get(kind).and_then(Value::as_array).into_iter().flatten().enumerate() {
            for (field, value) in entry.as_table().unwrap() {
                for value in changed(field, value) {
                    let slug = entry.get("slug").or_else(|| entry.get("name")).and_then(Value::as_str).unwrap_or("?");
                    let what = format!("{slug}: {field} = {value}");
                    let mut edited = file.clone();
                    edited[kind][at][field.as_str()] = value;
                    all.push(Change { what, path: path.to_owned(), text: toml::to_string(&edited).unwrap() });
                }
            }
        }
    }
    all
}

/// Are the words of every wager those of its card?
fn on_cards(catalogue: &Catalogue) -> bool {
    catalogue.all().all(|id| {
        let wager = id.wager();
        let card = fs::read_to_string(root().join(format!("docs/wagers/{}.md", wager.slug)));
        card.is_ok_and(|card| [wager.name, wager.code, wager.about].iter().all(|text| card.contains(text)))
    })
}

#[test]
fn no_entry_of_the_catalogue_changes_unnoticed() {
    let files = Catalogue::built_in_files();
    let all = files.iter().flat_map(|(path, text)| changes(path, text)).collect();
    let shipped = Library::shipped();
    let books: Vec<(&str, Vec<(String, String)>)> =
        shipped.books.iter().map(|book| (book.id.as_str(), vectors::of(&book.id))).collect();
    let (mut tried, mut survivors) = (0, Vec::new());
    for change in chosen(all, 10) {
        tried += 1;
        let entries: Vec<EntryFile<'_>> = files
            .iter()
            .map(|(path, text)| EntryFile { path, text: if *path == change.path { &change.text } else { text } })
            .collect();
        let Ok(catalogue) = Catalogue::default().with(&entries) else { continue };
        if !on_cards(catalogue) {
            continue;
        }
        let Ok(library) = Library::load_on(catalogue, &Library::shipped_sources()) else { continue };
        let noticed = catalogue.reading(|| books.iter().any(|(book, games)| vectors::notice(&library, book, games)));
        if !noticed {
            survivors.push(format!("{}: {}", change.path, change.what));
        }
    }
    report("values of entries", tried, &survivors);
}
