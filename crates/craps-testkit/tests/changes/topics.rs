//! Answers of books to questions of procedure. What the table acts on is noticed by the worked games or the rules for books, and every other
//! answer by the page that lists them all.

use crate::{Change, chosen, family, games, report, root, vectors, with};
use craps_law::{Library, Topic, TopicKind};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use toml::Value;

/// The topics that source files name: all of their answers are read or cited there.
fn named_in(folder: &Path, topics: &BTreeSet<String>, found: &mut BTreeSet<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            named_in(&path, topics, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.extend(topics.iter().filter(|topic| text.contains(&format!("\"{topic}\""))).cloned());
        }
    }
}

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
                Some(more) => [Value::String(more)].into_iter().chain(words.iter().skip(1).cloned()).collect::<Vec<_>>().into(),
                None => words.iter().skip(1).cloned().collect::<Vec<_>>().into(),
            }
        }
        _ => return None,
    })
}

#[test]
fn no_answer_that_the_table_acts_on_changes_unnoticed() {
    let library = Library::shipped();
    let topics: BTreeSet<String> = library.topics.keys().cloned().collect();
    let mut acted = BTreeSet::new();
    named_in(&root().join("crates/craps-table/src"), &topics, &mut acted);
    acted.extend(topics.iter().filter(|topic| topic.starts_with("may.")).cloned());
    let (mut tried, mut survivors) = (0, Vec::new());
    for book in &library.books {
        let sources = family(&library, &book.id);
        let games = games(&library, &book.id);
        let Some(source) = sources.iter().find(|source| source.path == format!("{}/procedure.toml", book.id)) else { continue };
        let file: Value = toml::from_str(&source.text).unwrap();
        let mut all = Vec::new();
        for (at, rule) in file.get("rule").and_then(Value::as_array).into_iter().flatten().enumerate() {
            let topic = rule["topic"].as_str().unwrap();
            if !acted.contains(topic) { continue }
            let Some(answer) = other(&library.topics[topic], &rule["is"]) else { continue };
            let mut edited = file.clone();
            edited["rule"][at]["is"] = answer.clone();
            all.push(Change { what: format!("{topic}: {} to {answer}", rule["is"]), path: source.path.clone(), text: toml::to_string(&edited).unwrap() });
        }
        for change in chosen(all, 10) {
            tried += 1;
            let noticed = Library::load(&with(&sources, &change))
                .map_or(true, |library| vectors::notice(&library, &book.id, &games));
            if !noticed {
                survivors.push(format!("{}: {}", change.path, change.what));
            }
        }
    }
    report("answers", tried, &survivors);
}
