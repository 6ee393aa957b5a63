//! Answers of books to questions of procedure. Every change of one is noticed: by the worked games, by the rules for books, or by
//! `docs/procedure.md`, which lists all answers.

use crate::{Change, chosen, family, games, notice, report, root, with};
use craps_explain::procedure::{markdown, questions};
use craps_law::{Library, Topic, TopicKind};
use std::fs;
use toml::Value;

/// Another answer of the same kind, where there is one.
fn other(topic: &Topic, answer: &Value) -> Option<Value> {
    let another = |used: &[&str]| topic.words.iter().find(|word| !used.contains(&word.as_str())).cloned();
    Some(match (topic.kind, answer) {
        (TopicKind::YesNo, Value::Boolean(yes)) => Value::Boolean(!yes),
        (TopicKind::Count, Value::Integer(count)) => Value::Integer(count + 1),
        (TopicKind::Word, Value::String(word)) => Value::String(another(&[word])?),
        (TopicKind::Words, Value::Array(words)) => {
            let used: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match another(&used) {
                Some(more) => {
                    [Value::String(more)].into_iter().chain(words.iter().skip(1).cloned()).collect::<Vec<_>>().into()
                }
                None => words.iter().skip(1).cloned().collect::<Vec<_>>().into(),
            }
        }
        _ => return None,
    })
}

/// Every answer of a book, each changed once.
fn changes(library: &Library, path: &str, text: &str) -> Vec<Change> {
    let file: Value = toml::from_str(text).unwrap();
    let mut all = Vec::new();
    for (at, rule) in file.get("rule").and_then(Value::as_array).into_iter().flatten().enumerate() {
        let topic = rule["topic"].as_str().unwrap();
        let Some(answer) = other(&library.topics[topic], &rule["is"]) else { continue };
        let what = format!("{topic}: {} to {answer}", rule["is"]);
        let mut edited = file.clone();
        edited["rule"][at]["is"] = answer;
        all.push(Change { what, path: path.to_owned(), text: toml::to_string(&edited).unwrap() });
    }
    all
}

#[test]
fn no_answer_of_a_book_changes_unnoticed() {
    let library = Library::shipped();
    let page = fs::read_to_string(root().join("docs/procedure.md")).unwrap();
    let rows: std::collections::BTreeSet<&str> = page.lines().collect();
    let (mut tried, mut survivors, mut by_games) = (0, Vec::new(), 0);
    for book in &library.books {
        let sources = family(&library, &book.id);
        let games = games(&library, &book.id);
        let own = sources.iter().find(|source| source.path == format!("{}/procedure.toml", book.id));
        let all = own.map(|source| changes(&library, &source.path, &source.text)).unwrap_or_default();
        for change in chosen(all, 10) {
            tried += 1;
            let Ok(changed) = Library::load(&with(&sources, &change)) else { continue };
            if notice(&changed, &book.id, &games) {
                by_games += 1;
                continue;
            }
            let listed = Library::load(&with(&Library::shipped_sources(), &change)).unwrap();
            let listing = markdown(&listed, &questions(&listed, "", None));
            if listing.lines().all(|row| rows.contains(row)) {
                survivors.push(format!("{}: {}", change.path, change.what));
            }
        }
    }
    println!(
        "{by_games} of {tried} answers are noticed by worked games and the rules for books, the others by docs/procedure.md"
    );
    // The games noticed this many of the seeded tenth when it was measured. Losing one shows that a game no longer tests its answer.
    assert!(by_games >= 7, "only {by_games} answers are noticed by worked games and the rules for books");
    report("answers", tried, &survivors);
}
