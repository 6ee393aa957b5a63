//! Entries of the catalogue of wagers. Every change of one is noticed: by its own examples, by the rules for books, by the worked games, or by
//! the wager's card in `docs/wagers`.

use crate::{Change, chosen, notice, report, root};
use craps_explain::wager::said;
use craps_law::Library;
use craps_testkit::worked;
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

/// The names of trackers in felt strings of version 1, which never change.
const OLD_TRACKERS: [(&str, &str); 9] = [
    ("fire", "fire"),
    ("sharp-shooter", "sharp"),
    ("ride-the-line", "ride"),
    ("bonus-all-small", "small"),
    ("bonus-all-tall", "tall"),
    ("dice-ology-boom-or-bust", "ology"),
    ("hot-roller", "hot"),
    ("lucky-shooter", "lucky"),
    ("hot-shooter-jackpot", "jackpot"),
];

/// Do the cards and their index say of every wager what the catalogue says?
fn on_cards(catalogue: &Catalogue) -> bool {
    let folder = root().join("docs/wagers");
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let combos = catalogue.combos().iter().all(|combo| {
        let bets: Vec<&str> = combo.bets.iter().map(|bet| bet.wager().slug).collect();
        index.contains(&format!("\n- {}: {}\n", combo.phrases.join(", "), bets.join(", ")))
    });
    combos
        && catalogue.all().all(|id| {
            let wager = id.wager();
            let Ok(card) = fs::read_to_string(folder.join(format!("{}.md", wager.slug))) else { return false };
            let spoken = format!("\nSay: {}. The felt says: {}.\n", said(wager).join(", "), wager.label);
            let rows = card.lines().skip_while(|line| *line != "|---|---|").skip(1).take_while(|line| !line.is_empty());
            let rolls: Vec<&str> = rows.filter_map(|row| row.split(" | ").next()?.strip_prefix("| ")).collect();
            if !rolls.iter().eq(wager.examples.iter().map(|(rolls, _)| rolls)) {
                return false;
            }
            let number = match wager.number_text {
                "" => String::new(),
                number => format!(", number {number}"),
            };
            let codes: Vec<String> = wager.names().into_iter().map(|name| name.code).collect();
            let codes = match &codes[..] {
                [first, .., last] if codes.len() > 3 => format!("{first} … {last}"),
                codes => codes.join(", "),
            };
            let head = format!("\n# {}\n\n`{}`, code `{codes}`{number}. {}\n", wager.name, wager.slug, wager.about);
            let marker = OLD_TRACKERS.iter().find(|(slug, _)| *slug == wager.slug).map(|(_, marker)| *marker);
            card.contains(&head) && card.contains(&spoken) && wager.marker == marker
        })
}

/// Does anybody notice that the catalogue is not the built-in one?
fn is_noticed(files: &[(&str, &str)], books: &[(&str, Vec<(String, String)>)]) -> bool {
    let entries: Vec<EntryFile<'_>> = files.iter().map(|(path, text)| EntryFile { path, text }).collect();
    let Ok(catalogue) = Catalogue::default().with(&entries) else { return true };
    let Ok(library) = Library::load_on(catalogue, &Library::shipped_sources()) else { return true };
    !on_cards(catalogue) || catalogue.reading(|| books.iter().any(|(book, games)| notice(&library, book, games)))
}

#[test]
fn no_entry_of_the_catalogue_changes_unnoticed() {
    let files = Catalogue::built_in_files();
    let shipped = Library::shipped();
    let books: Vec<(&str, Vec<(String, String)>)> =
        shipped.books.iter().map(|book| (book.id.as_str(), worked::of(&book.id))).collect();
    assert!(!is_noticed(files, &books), "something is noticed although nothing has changed");
    let all = files.iter().flat_map(|(path, text)| changes(path, text)).collect();
    let (mut tried, mut survivors) = (0, Vec::new());
    for change in chosen(all, 10) {
        tried += 1;
        let changed: Vec<(&str, &str)> = files
            .iter()
            .map(|(path, text)| (*path, if *path == change.path { change.text.as_str() } else { text }))
            .collect();
        if !is_noticed(&changed, &books) {
            survivors.push(format!("{}: {}", change.path, change.what));
        }
    }
    report("values of entries", tried, &survivors);
}
