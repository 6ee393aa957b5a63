//! The worked games of every book: they check clean, `fill` reproduces them, and every changed fact of a book is noticed by one of them or
//! by `law verify`.

use crate::support::root;
use craps_law::{Library, Source};
use craps_notation::{Names, Played, Unplayable, play, read};
use std::fs;
use toml::Value;

/// Returns the worked games of a book: file name and text.
fn vectors(book: &str) -> Vec<(String, String)> {
    let folder = root().join("rulebooks").join(book).join("vectors");
    let mut all: Vec<(String, String)> = fs::read_dir(&folder)
        .map(|entries| entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>())
        .unwrap_or_default()
        .into_iter()
        .filter(|path| path.extension().is_some_and(|extension| extension == "cgn"))
        .map(|path| {
            (format!("{book}/{}", path.file_name().unwrap().to_string_lossy()), fs::read_to_string(&path).unwrap())
        })
        .collect();
    all.sort();
    all
}

fn played(library: &Library, text: &str) -> Result<Vec<Played>, Unplayable> {
    let games = read(text).map_err(|error| Unplayable::Malformed(error.place, error.message))?;
    play(library, &games, Names::Codes, &|name| Err(format!("no file {name}")))
}

#[test]
fn every_book_has_vectors_and_they_check_clean() {
    let library = Library::shipped();
    let mut cases = 0;
    for book in &library.books {
        let files = vectors(&book.id);
        assert!(!files.is_empty(), "{} has no vectors", book.id);
        for (name, text) in files {
            let games = played(&library, &text).unwrap_or_else(|error| panic!("{name}: {error:?}"));
            cases += games.iter().filter(|game| game.rules.is_some()).count();
            let differences: Vec<_> = games.iter().flat_map(|game| &game.differences).collect();
            assert!(differences.is_empty(), "{name}: {differences:#?}");
        }
    }
    assert!(cases > 400, "{cases} cases");
}

#[test]
fn what_fill_prints_checks_clean_and_is_filled_the_same_again() {
    let library = Library::shipped();
    for (name, text) in library.books.iter().flat_map(|book| vectors(&book.id)) {
        let filled: String = played(&library, &text).unwrap().iter().map(|game| game.filled.clone()).collect();
        let again = played(&library, &filled).unwrap_or_else(|error| panic!("{name}: {error:?}\n{filled}"));
        assert!(again.iter().all(|game| game.differences.is_empty()), "{name}");
        assert_eq!(again.iter().map(|game| game.filled.as_str()).collect::<String>(), filled, "{name}");
    }
}

/// A book file with one changed fact: a description, and the text of the file.
struct Mutant {
    what: String,
    text: String,
}

/// Returns another valid value for a fact.
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

/// Returns one mutant for each fact of a file of wagers.
fn mutants(path: &str, file: &Value) -> Vec<Mutant> {
    let mut all = Vec::new();
    let mut push = |what: String, edited: &Value| {
        all.push(Mutant { what: format!("{path}: {what}"), text: toml::to_string(edited).unwrap() })
    };
    for (at, record) in file.get("wager").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let id = record["ids"][0].as_str().unwrap();
        // These changes have no effect: side bets can't be raised in any book, pass odds are never up on a come-out roll, and a come-out
        // roll doesn't affect points already made.
        let side = craps_wagers::Wager::find(id).is_some_and(|wager| wager.family == craps_wagers::Family::Shooter);
        let blind = ["pass-odds", "dont-pass-odds", "fire", "sharp-shooter"].contains(&id);
        // Every point that is set records a combination, so with a point on the markers are never off. "Any time while they are off"
        // therefore always means before a come-out roll.
        let combinations = id == "hot-roller";
        for fact in ["make", "raise", "lower"]
            .into_iter()
            .filter(|fact| !(side && *fact == "raise" || combinations && *fact == "make"))
        {
            if let Some(word) = record.get(fact).and_then(|fact| fact["is"].as_str()).and_then(|word| other(fact, word))
            {
                let mut edited = file.clone();
                edited["wager"][at][fact]["is"] = Value::String(word.to_owned());
                push(format!("{id} {fact} = {word}"), &edited);
            }
        }
        // A bet that a house switch turns off by default can always be turned on.
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

/// Returns true if a change is noticed: the book doesn't load, `law verify` finds something, or a worked game differs.
fn is_noticed(sources: &[Source], book: &str, games: &[(String, String)]) -> bool {
    let Ok(library) = Library::load(sources) else { return true };
    let related = library.books.iter().filter(|known| known.id == book || known.based_on.as_deref() == Some(book));
    if related.flat_map(|book| book.verify()).next().is_some() {
        return true;
    }
    games.iter().any(|(_, text)| match played(&library, text) {
        Ok(games) => games.iter().any(|game| !game.differences.is_empty()),
        Err(_) => true,
    })
}

/// Tries every twentieth mutant, so that the normal run stays short. `BOXPERSON_MUTANTS=all` tries all of them.
#[test]
fn no_fact_of_a_book_changes_unnoticed() {
    let step = if std::env::var("BOXPERSON_MUTANTS").is_ok_and(|value| value == "all") { 1 } else { 20 };
    let shipped = Library::shipped_sources();
    let library = Library::shipped();
    let (mut tried, mut survivors) = (0, Vec::new());
    for book in &library.books {
        let family: Vec<Source> = {
            let related = |id: &str| {
                id == book.id
                    || book.based_on.as_deref() == Some(id)
                    || library.book(id).is_some_and(|known| known.based_on.as_deref() == Some(&book.id))
            };
            shipped
                .iter()
                .filter(|source| source.path.split_once('/').is_none_or(|(id, _)| related(id)))
                .cloned()
                .collect()
        };
        let games: Vec<(String, String)> = library
            .books
            .iter()
            .filter(|known| known.id == book.id || known.based_on.as_deref() == Some(&book.id))
            .flat_map(|known| vectors(&known.id))
            .collect();
        let files = shipped.iter().filter(|source| source.path.starts_with(&format!("{}/wagers/", book.id)));
        let mutants = files.flat_map(|source| mutants(&source.path, &toml::from_str(&source.text).unwrap()));
        for mutant in mutants.step_by(step) {
            let path = mutant.what.split(':').next().unwrap();
            let changed: Vec<Source> = family
                .iter()
                .map(|source| {
                    if source.path == path {
                        Source { path: path.to_owned(), text: mutant.text.clone() }
                    } else {
                        source.clone()
                    }
                })
                .collect();
            tried += 1;
            if !is_noticed(&changed, &book.id, &games) {
                survivors.push(mutant.what);
            }
        }
    }
    println!("{tried} facts changed, {} unnoticed", survivors.len());
    assert!(survivors.is_empty(), "{} of {tried} changes went unnoticed:\n{}", survivors.len(), survivors.join("\n"));
}
