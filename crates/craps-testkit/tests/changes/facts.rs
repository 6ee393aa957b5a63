//! Facts of books about wagers: no change of one goes unnoticed by the worked games or the rules for books.

use crate::{Change, chosen, family, games, notice, report, with};
use craps_law::Library;
use toml::Value;

/// Another word for a fact.
fn other(fact: &str, word: &str) -> Option<&'static str> {
    Some(match (fact, word) {
        ("make", "any_time") => "point_on",
        (
            "make",
            "before_come_out" | "point_on" | "new_shooter" | "after_seven" | "tracker_empty" | "come_out_tracker_empty",
        ) => "any_time",
        ("make", "until_point_established") => "before_first_comeout",
        ("raise", "as_make") | ("lower", "until_decided" | "until_first_point") => "never",
        ("raise", "standing" | "never") => "as_make",
        ("lower", "until_point_set" | "until_first_throw" | "never") => "until_decided",
        ("come_out", "on") => "off",
        ("come_out", "off") => "on",
        ("call", "on" | "off") => "none",
        ("cap", "stake") => "win",
        ("cap", "win") => "stake",
        ("excess", "to_pay_exactly") => "none",
        ("excess", "none") => "to_pay_exactly",
        ("table_max", "applies") => "exempt",
        ("base", "stake") => "win",
        ("base", "win") => "stake",
        _ => return None,
    })
}

fn dearer(text: &str) -> String {
    match text.split_once(' ') {
        None => "1 to 7".to_owned(),
        Some((win, rest)) => format!("{} {rest}", win.parse::<u32>().unwrap() + 1),
    }
}

/// Every fact of a file of wagers, each changed once.
fn changes(path: &str, file: &Value) -> Vec<Change> {
    let mut all = Vec::new();
    let mut push = |what: String, edited: &Value| {
        all.push(Change { what, path: path.to_owned(), text: toml::to_string(edited).unwrap() })
    };
    for (at, record) in file.get("wager").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let id = record["ids"][0].as_str().unwrap();
        // Odds behind the line never meet a come-out, and points made are not touched by one: such changes change nothing.
        let blind = ["pass-odds", "dont-pass-odds", "fire", "sharp-shooter"].contains(&id);
        // Every point that is set is a combination recorded: with a point on the markers are never off, so "any time while they are off"
        // is before a come-out anyway.
        let combinations = id == "hot-roller";
        for fact in ["make", "raise", "lower"].into_iter().filter(|fact| !(combinations && *fact == "make")) {
            if let Some(word) = record.get(fact).and_then(|fact| fact["is"].as_str()).and_then(|word| other(fact, word))
            {
                let mut edited = file.clone();
                edited["wager"][at][fact]["is"] = Value::String(word.to_owned());
                push(format!("{id} {fact} = {word}"), &edited);
            }
        }
        // What a switch has off by default can always be called on.
        let switched = record.get("works").is_some_and(|works| works.get("switch").is_some());
        for part in ["come_out", "call"].into_iter().filter(|part| !(blind || switched && *part == "call")) {
            if let Some(word) =
                record.get("works").and_then(|fact| fact[part].as_str()).and_then(|word| other(part, word))
            {
                let mut edited = file.clone();
                edited["wager"][at]["works"][part] = Value::String(word.to_owned());
                push(format!("{id} works.{part} = {word}"), &edited);
            }
        }
        for (place, pays) in record.get("pays").and_then(Value::as_array).into_iter().flatten().enumerate() {
            for (rank, price) in pays["ranks"].as_table().unwrap() {
                let mut edited = file.clone();
                edited["wager"][at]["pays"][place]["ranks"][rank.as_str()] =
                    Value::String(dearer(price.as_str().unwrap()));
                let of = pays.get("only").unwrap_or(&record["ids"]);
                push(
                    format!("{of} {} {rank}: {price}", pays.get("table").map_or(String::new(), ToString::to_string)),
                    &edited,
                );
            }
        }
        for (part, fact) in record.get("odds").and_then(Value::as_table).into_iter().flatten() {
            let changed = match &fact["is"] {
                Value::Integer(times) if part == "most" => Some(Value::Integer(times - 1)),
                Value::String(word) => other(part, word).map(|word| Value::String(word.to_owned())),
                _ => None,
            };
            if let Some(changed) = changed {
                let mut edited = file.clone();
                edited["wager"][at]["odds"][part.as_str()]["is"] = changed;
                push(format!("{id} odds.{part}"), &edited);
            }
        }
        for (place, charge) in record.get("commission").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let mut edited = file.clone();
            edited["wager"][at]["commission"][place]["base"] =
                Value::String(other("base", charge["base"].as_str().unwrap()).unwrap().to_owned());
            push(format!("{id} commission {} base", charge["timing"]), &edited);
        }
        if let Some(units) = record.get("units").and_then(|fact| fact["is"].as_integer()) {
            let mut edited = file.clone();
            edited["wager"][at]["units"]["is"] = Value::Integer(units + 1);
            push(format!("{id} units"), &edited);
        }
        for (name, fact) in record.get("dials").and_then(Value::as_table).into_iter().flatten() {
            let dial = craps_wagers::Dial::find(name).unwrap();
            let word = dial.words().iter().find(|word| fact["is"].as_str() != Some(word)).unwrap();
            let mut edited = file.clone();
            edited["wager"][at]["dials"][name.as_str()]["is"] = Value::String((*word).to_owned());
            push(format!("{id} {name} = {word}"), &edited);
        }
    }
    all
}

#[test]
fn no_fact_of_a_book_changes_unnoticed() {
    let library = Library::shipped();
    let (mut tried, mut survivors) = (0, Vec::new());
    for book in &library.books {
        let sources = family(&library, &book.id);
        let games = games(&library, &book.id);
        let files = sources.iter().filter(|source| source.path.starts_with(&format!("{}/wagers/", book.id)));
        let all = files.flat_map(|source| changes(&source.path, &toml::from_str(&source.text).unwrap())).collect();
        for change in chosen(all, 10) {
            tried += 1;
            let noticed =
                Library::load(&with(&sources, &change)).map_or(true, |library| notice(&library, &book.id, &games));
            if !noticed {
                survivors.push(format!("{}: {}", change.path, change.what));
            }
        }
    }
    report("facts", tried, &survivors);
}
