//! Odds follow the data: a changed price, dial or day changes exactly the records it should, and a new book needs no code.

use crate::support::{boxperson, root};
use craps_law::{Library, Source};
use craps_odds::{Solver, price};
use craps_wagers::{Mechanic, Wager};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use toml::Value;

/// Odds records by book, wager, pay table and commission.
type Records = BTreeMap<(String, String, String, String), String>;

fn records(sources: &[Source], solver: &mut Solver) -> Records {
    let library = Library::load(sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let mut all = Records::new();
    for book in &library.books {
        for offering in book.offerings(None) {
            let analysis = price(solver, &offering);
            let commission = offering.commission.map_or_else(|| "none".to_owned(), |commission| commission.to_string());
            let key = (book.id.clone(), offering.name(), offering.pay_table.clone(), commission);
            all.insert(
                key,
                format!("{} {} {} {:?}", analysis.edge, analysis.throws_mean, offering.days, analysis.distribution),
            );
        }
    }
    all
}

fn changed(before: &Records, after: &Records) -> BTreeSet<(String, String, String)> {
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    keys.into_iter()
        .filter(|key| before.get(key) != after.get(key))
        .map(|(book, wager, table, _)| (book.clone(), wager.clone(), table.clone()))
        .collect()
}

/// Returns the books that a change affects: the changed one, and those based on it that don't override the fact.
fn reached(sources: &[Source], book: &str, wager: &str, fact: &str) -> Vec<String> {
    let mut all = vec![book.to_owned()];
    for source in sources.iter().filter(|source| source.path.ends_with("/book.toml")) {
        let file: Value = toml::from_str(&source.text).unwrap();
        if file.get("based_on").and_then(Value::as_str) != Some(book) {
            continue;
        }
        let derived = source.path.split('/').next().unwrap();
        let withdrawn = ids(&file, "withdraws").any(|id| id == wager);
        let own =
            sources.iter().filter(|source| source.path.starts_with(&format!("{derived}/wagers/"))).any(|source| {
                let file: Value = toml::from_str(&source.text).unwrap();
                let records = file.get("wager").and_then(Value::as_array).cloned().unwrap_or_default();
                records.iter().any(|record| {
                    record.get(fact).is_some()
                        && record["ids"].as_array().unwrap().iter().any(|id| id.as_str() == Some(wager))
                })
            });
        if !withdrawn && !own {
            all.push(derived.to_owned());
        }
    }
    all
}

fn ids<'a>(file: &'a Value, list: &str) -> impl Iterator<Item = &'a str> {
    file.get(list)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .flat_map(|entry| entry["ids"].as_array().into_iter().flatten())
        .filter_map(Value::as_str)
}

/// Returns the wagers of a price list: its `only`, or else all ids of its record.
fn priced<'a>(record: &'a Value, pays: &'a Value) -> Vec<&'a str> {
    pays.get("only").unwrap_or(&record["ids"]).as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

/// Returns the records that must change with a price: the wager's own, and those of composites that contain it, unless a raised price
/// or a table of the same name replaces it there.
fn expected(
    sources: &[Source],
    book: &str,
    wager: &str,
    table: Option<&str>,
    rank: &str,
    before: &Records,
) -> BTreeSet<(String, String, String)> {
    let mut all = BTreeSet::new();
    let own_table = table.unwrap_or("standard");
    let name = if matches!(Wager::find(wager).unwrap().mechanic, Mechanic::Behind(..)) {
        format!("{wager}-{rank}")
    } else {
        wager.to_owned()
    };
    for book in reached(sources, book, wager, "pays") {
        for (of, record, record_table, _) in before.keys().filter(|(of, ..)| *of == book) {
            let direct = *record == name && record_table == own_table;
            let composite = Wager::find(record).is_some_and(|known| match known.mechanic {
                Mechanic::Composite(parts) => parts.iter().any(|part| part.wager.wager().slug == wager),
                _ => false,
            });
            // A part without a pay table of that name is paid its standard price.
            let has_table = before.keys().any(|(b, w, t, _)| *b == book && w == wager && t == record_table);
            let through_part = composite
                && (record_table == own_table || (table.is_none() && !has_table && !record_table.starts_with("power")));
            if direct || through_part {
                all.insert((of.clone(), record.clone(), record_table.clone()));
            }
        }
    }
    all
}

fn other_price(text: &str) -> String {
    if text == "push" {
        return "1 to 7".to_owned();
    }
    let (win, rest) = text.split_once(' ').unwrap();
    format!("{} {rest}", win.parse::<u32>().unwrap() + 1)
}

fn with(sources: &[Source], path: &str, text: String) -> Vec<Source> {
    sources
        .iter()
        .map(
            |source| {
                if source.path == path { Source { path: path.to_owned(), text: text.clone() } } else { source.clone() }
            },
        )
        .collect()
}

/// Returns the sources of a book, its base and the books based on it. Only these must be loaded again after a change.
fn family(sources: &[Source], book: &str) -> Vec<Source> {
    let library = Library::shipped();
    let base = library.book(book).unwrap().based_on.clone();
    let related: Vec<String> = library
        .books
        .iter()
        .filter(|b| b.id == book || Some(&b.id) == base.as_ref() || b.based_on.as_deref() == Some(book))
        .map(|b| b.id.clone())
        .collect();
    sources
        .iter()
        .filter(|source| {
            source.path.starts_with("topics/") || related.iter().any(|id| source.path.starts_with(&format!("{id}/")))
        })
        .cloned()
        .collect()
}

fn wager_files(sources: &[Source]) -> impl Iterator<Item = (&Source, Value, String)> {
    sources.iter().filter(|source| source.path.contains("/wagers/")).map(|source| {
        (source, toml::from_str(&source.text).unwrap(), source.path.split('/').next().unwrap().to_owned())
    })
}

#[test]
fn every_price_changes_its_own_records_and_no_others() {
    let shipped = Library::shipped_sources();
    let mut solver = Solver::default();
    let mut walked = 0;
    for (source, file, book) in wager_files(&shipped) {
        let sources = family(&shipped, &book);
        let before = records(&sources, &mut solver);
        let wagers = file.get("wager").and_then(Value::as_array).cloned().unwrap_or_default();
        for (at, record) in wagers.iter().enumerate() {
            for (place, pays) in record.get("pays").and_then(Value::as_array).into_iter().flatten().enumerate() {
                for (rank, value) in pays["ranks"].as_table().unwrap() {
                    let mut edited = file.clone();
                    edited["wager"][at]["pays"][place]["ranks"][rank.as_str()] =
                        Value::String(other_price(value.as_str().unwrap()));
                    let after = records(&with(&sources, &source.path, toml::to_string(&edited).unwrap()), &mut solver);
                    let table = pays.get("table").and_then(Value::as_str);
                    let must: BTreeSet<_> = priced(record, pays)
                        .iter()
                        .flat_map(|wager| expected(&sources, &book, wager, table, rank, &before))
                        .collect();
                    assert!(!must.is_empty());
                    assert_eq!(
                        changed(&before, &after),
                        must,
                        "{}: {:?} {rank} of {:?}",
                        source.path,
                        value,
                        priced(record, pays)
                    );
                    walked += 1;
                }
            }
        }
        for (at, modifier) in file.get("modifier").and_then(Value::as_array).into_iter().flatten().enumerate() {
            for (place, line) in modifier["line"].as_array().unwrap().iter().enumerate() {
                for (level, value) in line["pays"].as_array().unwrap().iter().enumerate() {
                    let mut edited = file.clone();
                    edited["modifier"][at]["line"][place]["pays"][level] =
                        Value::String(other_price(value.as_str().unwrap()));
                    let after = records(&with(&sources, &source.path, toml::to_string(&edited).unwrap()), &mut solver);
                    let table = format!("{} {}", modifier["label"].as_str().unwrap(), level + 1);
                    let must: BTreeSet<_> = line["wagers"]
                        .as_array()
                        .unwrap()
                        .iter()
                        .map(|id| (book.clone(), id.as_str().unwrap().to_owned(), table.clone()))
                        .collect();
                    assert_eq!(changed(&before, &after), must, "{}: level {level} of {line:?}", source.path);
                    walked += 1;
                }
            }
        }
    }
    assert!(walked > 400, "{walked} prices walked");
}

#[test]
fn every_dial_changes_its_own_wager_and_no_other() {
    let shipped = Library::shipped_sources();
    let mut solver = Solver::default();
    let mut walked = 0;
    for (source, file, book) in wager_files(&shipped) {
        let sources = family(&shipped, &book);
        let before = records(&sources, &mut solver);
        for (at, record) in file.get("wager").and_then(Value::as_array).into_iter().flatten().enumerate() {
            for (name, fact) in record.get("dials").and_then(Value::as_table).into_iter().flatten() {
                let dial = craps_wagers::Dial::find(name).unwrap();
                for word in dial.words().iter().filter(|word| fact["is"].as_str() != Some(word)) {
                    let mut edited = file.clone();
                    edited["wager"][at]["dials"][name.as_str()]["is"] = Value::String((*word).to_owned());
                    let after = records(&with(&sources, &source.path, toml::to_string(&edited).unwrap()), &mut solver);
                    let touched = changed(&before, &after);
                    let own: Vec<&str> = record["ids"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
                    assert!(
                        touched.iter().all(|(_, wager, _)| own.contains(&wager.as_str())),
                        "{name} = {word}: {touched:?}"
                    );
                    // 2 and 12 are equally likely, so barring one or the other has the same edge.
                    let alike = name == "bar" && *word == "2";
                    assert!(
                        alike || !touched.is_empty(),
                        "{}: {name} = {word} of {own:?} changes nothing",
                        source.path
                    );
                    walked += 1;
                }
            }
        }
    }
    assert!(walked > 20, "{walked} dials walked");
}

/// Returns the day before or after a day in the middle of a month.
fn shifted(day: &str, by: i32) -> String {
    let (month, date) = day.rsplit_once('-').unwrap();
    let date = date.parse::<i32>().unwrap() + by;
    assert!((1..=28).contains(&date), "{day}");
    format!("{month}-{date:02}")
}

/// Returns every price in force on a day: book, name and pay table.
fn in_force(sources: &[Source], day: &str) -> BTreeSet<(String, String, String)> {
    let library = Library::load(sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let day = Some(day.parse().unwrap());
    let of = |book: &craps_law::RuleBook| {
        let id = book.id.clone();
        let key = |offering: craps_law::Offering| (id.clone(), offering.name(), offering.pay_table);
        book.offerings(day).into_iter().map(key).collect::<Vec<_>>()
    };
    library.books.iter().flat_map(of).collect()
}

/// Returns the places of every `until = <day>` in a file, with the day.
fn last_days(text: &str) -> Vec<(usize, String)> {
    let day = |(at, _)| {
        let (name, value) = text[at..].split_once('=')?;
        (name.trim() == "until").then(|| (at, value.trim_start()[..10].to_owned()))
    };
    text.match_indices("until").filter_map(day).collect()
}

#[test]
fn every_last_day_of_a_price_or_an_offer_moves_its_own_records() {
    let shipped = Library::shipped_sources();
    let mut solver = Solver::default();
    let (mut walked, mut days) = (0, BTreeSet::new());
    for source in shipped.iter().filter(|source| source.path.contains("/wagers/")) {
        let lasting = last_days(&source.text);
        if lasting.is_empty() {
            continue;
        }
        let sources = family(&shipped, source.path.split('/').next().unwrap());
        let before = records(&sources, &mut solver);
        for (at, day) in &lasting {
            let (head, tail) = source.text.split_at(*at);
            let last = shifted(day, -1);
            let edited = with(&sources, &source.path, format!("{head}{}", tail.replacen(day, &last, 1)));
            let touched = changed(&before, &records(&edited, &mut solver));
            let place = format!("{} line {}", source.path, head.matches('\n').count() + 1);
            // A renaming has its own days and no price.
            if head.lines().last().is_some_and(|line| line.starts_with("renamed")) {
                assert!(touched.is_empty(), "{place}: {touched:?}");
                continue;
            }
            assert!(!touched.is_empty(), "{place}");
            // The last day is the day before: a price that ends one day earlier is not in force on it.
            let lost: Vec<_> = in_force(&sources, &last).difference(&in_force(&edited, &last)).cloned().collect();
            assert!(!lost.is_empty() && lost.iter().all(|price| touched.contains(price)), "{place}: {lost:?}");
            assert!(lost.iter().all(|price| !in_force(&sources, day).contains(price)), "{place}: {lost:?}");
            days.insert((source.path.clone(), day.clone()));
            walked += 1;
        }
    }
    assert!(walked > 12, "{walked} days walked");
    // Prices and offers that all end a day later are in force on the day itself, and not on the day after.
    for (path, day) in days {
        let source = shipped.iter().find(|source| source.path == path).unwrap();
        let sources = family(&shipped, path.split('/').next().unwrap());
        let (last, after) = (shifted(&day, -1), shifted(&day, 1));
        let places = last_days(&source.text).into_iter().filter(|(_, known)| *known == day);
        let later = places.fold(source.text.clone(), |text, (at, _)| {
            let (head, tail) = text.split_at(at);
            format!("{head}{}", tail.replacen(&day, &after, 1))
        });
        let edited = with(&sources, &path, later);
        let ending: Vec<_> = in_force(&sources, &last).difference(&in_force(&sources, &day)).cloned().collect();
        assert!(!ending.is_empty(), "{path} {day}");
        let (on, gone) = (in_force(&edited, &day), in_force(&edited, &after));
        assert!(ending.iter().all(|price| on.contains(price) && !gone.contains(price)), "{path} {day}: {ending:?}");
    }
}

/// A fictional state: New Jersey's rules with two differences.
const ELSEWHERE: [(&str, &str); 2] = [
    (
        "book.toml",
        "name = 'Elsewhere'\ntext = 'The Elsewhere dice code'\nprefix = 'NJ'\nbased_on = 'nj'\nsample_day = 2024-01-01\n\
         game = [{ is = 'craps', cite = 'NJ 1.2(a)' }]\n",
    ),
    (
        "wagers/changes.toml",
        "[[wager]]\nids = ['field']\n[[wager.pays]]\ncite = 'NJ 1.4(b)'\nranks = { '2' = '2 to 1', '3' = '1 to 1', '4' = '1 to 1', '9' = '1 to 1', '10' = '1 to 1', '11' = '1 to 1', '12' = '3 to 1' }\n\
         [[wager]]\nids = ['pass-odds']\n[wager.odds]\nmost = { is = 20, cite = 'NJ 1.6(e)' }\n",
    ),
];

#[test]
fn a_seventh_book_is_a_folder_and_no_code() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in ELSEWHERE {
        let path = folder.path().join("elsewhere").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let books = folder.path().to_str().unwrap();
    let json = |args: &[&str]| -> serde_json::Value {
        let run = boxperson(&[args, &["--rulebooks", books, "--format", "json"]].concat());
        assert!(run.err.is_empty(), "{}", run.err);
        serde_json::from_str(&run.out).unwrap()
    };
    // The field pays triple on 12, so its edge is half; no other price differs.
    assert_eq!(json(&["odds", "field", "--book", "elsewhere"])[0]["edge"], "1/36");
    assert_eq!(json(&["odds", "field", "--book", "nj"])[0]["edge"], "1/18");
    assert_eq!(
        json(&["odds", "--book", "elsewhere"]).as_array().unwrap().len(),
        json(&["odds", "--book", "nj"]).as_array().unwrap().len()
    );
    let differences = json(&["law", "diff", "nj", "elsewhere"]);
    let aspects: Vec<&str> =
        differences["differences"].as_array().unwrap().iter().map(|d| d["aspect"].as_str().unwrap()).collect();
    assert_eq!(aspects, ["game mini-craps", "odds most", "pays"]);
    // `law check` uses the new book, and `law verify` finds nothing wrong with it.
    let office = tempfile::tempdir().unwrap();
    let house = office.path().join("house.toml");
    fs::write(&house, "book = 'elsewhere'\nas_of = 2024-01-01\n[house]\nodds.k = 25\n").unwrap();
    let check = boxperson(&["law", "check", house.to_str().unwrap(), "--rulebooks", books]);
    assert_eq!(check.code, 1);
    assert!(check.out.contains("25x on 4, 5, 6, 8, 9, 10: odds of at most 20x may be allowed"), "{}", check.out);
    let verify = boxperson(&["law", "verify", "elsewhere", "--rulebooks", books]);
    assert_eq!((verify.code, verify.out.as_str()), (0, "1 book, no findings\n"));
    assert!(boxperson(&["wager", "field", "--rulebooks", books]).out.contains("elsewhere"));
}

/// Copies a book and replaces one text in one file.
fn copied(book: &str, file: &str, from: &str, to: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let source = root().join("rulebooks").join(book);
    for path in walk(&source) {
        let target = folder.path().join(book).join(path.strip_prefix(&source).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let text = if path.ends_with(file) {
            assert!(text.contains(from), "{file} has no {from}");
            text.replacen(from, to, 1)
        } else {
            text
        };
        fs::write(target, text).unwrap();
    }
    folder
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn a_copied_book_replaces_the_built_in_one_for_odds_cards_and_checks() {
    let folder = copied("pa", "wagers/hardway.toml", "9 to 1", "10 to 1");
    let books = folder.path().to_str().unwrap();
    let odds = boxperson(&["odds", "hard-6", "--rulebooks", books, "--format", "json"]);
    let records: Vec<serde_json::Value> = serde_json::from_str(&odds.out).unwrap();
    for record in records.iter().filter(|record| record["pay_table"] == "standard") {
        assert_eq!(record["edge"], if record["book"] == "pa" { "0" } else { "1/11" }, "{record}");
    }
    assert!(boxperson(&["wager", "hard-6", "--rulebooks", books]).out.contains("10 to 1"));
    let wider = copied("pa", "house.toml", "[\"0%\", \"5%\"]", "[\"0%\", \"6%\"]");
    let house = "houses/unlawful/pa-commission-6.toml";
    assert_eq!(boxperson(&["law", "check", house]).code, 1);
    assert_eq!(boxperson(&["law", "check", house, "--rulebooks", wider.path().to_str().unwrap()]).code, 0);
}

#[test]
fn mistakes_in_a_book_are_printed_with_their_file_and_place() {
    let rows = [
        ("wagers/hardway.toml", "7 to 1", "7 too 1", "wagers/hardway.toml:13:17: expected a price such as \"7 to 6\""),
        ("book.toml", "name ", "based_on = 'mars'\nname ", "book.toml: based_on = \"mars\": unknown book"),
    ];
    for (file, from, to, expected) in rows {
        let folder = copied("pa", file, from, to);
        let books = folder.path().to_str().unwrap();
        let run = boxperson(&["odds", "pass", "--rulebooks", books]);
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{file}: {from} -> {to}");
        assert!(run.err.contains(&format!("{books}/pa/{expected}")), "{file}: {from} -> {to}: {}", run.err);
    }
    let empty = tempfile::tempdir().unwrap();
    let run = boxperson(&["odds", "--rulebooks", empty.path().to_str().unwrap()]);
    assert!(run.code == 2 && run.err.contains("has no rule book"), "{}", run.err);
    let one = root().join("rulebooks/pa");
    let run = boxperson(&["odds", "--rulebooks", one.to_str().unwrap()]);
    assert!(run.code == 2 && run.err.contains("is one book"), "{}", run.err);
}

/// `law verify` finds mistakes in books that load without errors.
#[test]
fn a_book_that_breaks_the_rules_for_books_is_found_out() {
    let folder = copied("pa", "wagers/hardway.toml", "PA 623a.3(a)(7)-(10)", "PA 699z.1");
    let run = boxperson(&["law", "verify", "pa", "--rulebooks", folder.path().to_str().unwrap(), "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.err);
    assert!(run.out.contains("PA 699z.1 is not a listed section"), "{}", run.out);
}
