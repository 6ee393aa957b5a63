//! What topics say the program does with their answers is so: an answer that restates the facts of wagers can't change without a finding.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{Answer, Library, Mark, RuleBook, Topic, TopicKind};
use std::collections::BTreeSet;

/// The other answers of the same kind that the topic knows.
fn others(topic: &Topic, answer: &Answer) -> Vec<Answer> {
    match answer {
        Answer::YesNo(yes) => vec![Answer::YesNo(!yes)],
        Answer::Count(count) => vec![Answer::Count(count + 1)],
        Answer::Word(word) if topic.kind == TopicKind::Word => {
            topic.words.iter().filter(|other| *other != word).cloned().map(Answer::Word).collect()
        }
        Answer::Words(words) => {
            let more = topic.words.iter().find(|word| !words.contains(word)).cloned();
            let fewer = words.get(1..).filter(|rest| !rest.is_empty()).map(<[String]>::to_vec);
            let with = more.map(|more| words.iter().cloned().chain([more]).collect());
            with.into_iter().chain(fewer).map(Answer::Words).collect()
        }
        Answer::Word(_) => Vec::new(),
    }
}

/// The findings of a book in which a topic has another answer.
fn findings(book: &RuleBook, topic: &str, answer: Answer) -> usize {
    let mut changed = book.clone();
    for fact in &mut changed.rules.get_mut(topic).unwrap().0 {
        fact.is.answer = answer.clone();
    }
    changed.verify().len()
}

/// An answer that always holds, restates facts or is shown by rolls is compared with what the program does.
#[test]
fn a_changed_answer_that_acts_through_other_facts_is_found_out() {
    let library = Library::shipped();
    let compared = |topic: &Topic| topic.always.is_some() || !topic.same_as.is_empty();
    let (mut tried, mut unnoticed) = (0, BTreeSet::new());
    for topic in library.topics.values().filter(|topic| topic.mark == Mark::Acts && compared(topic)) {
        let mut open: Vec<Answer> = Vec::new();
        for book in library.books.iter().filter(|book| book.based_on.is_none()) {
            let Some(first) = book.rules.get(&topic.name).and_then(|dated| dated.0.first()) else { continue };
            for other in others(topic, &first.is.answer) {
                tried += 1;
                match findings(book, &topic.name, other.clone()) > 0 {
                    // One book that notices it is enough: another may not have the wagers.
                    true => open.retain(|known| *known != other),
                    false => open.push(other),
                }
            }
        }
        let noticed_nowhere = |answer: &Answer| {
            library.books.iter().filter(|book| book.rules.contains_key(&topic.name)).all(|book| {
                let own = book.rules[&topic.name].0.iter().any(|fact| fact.is.answer == *answer);
                own || findings(book, &topic.name, answer.clone()) == 0
            })
        };
        if open.iter().any(noticed_nowhere) {
            unnoticed.insert(topic.name.clone());
        }
    }
    assert!(tried > 100, "only {tried} answers were changed");
    assert!(unnoticed.is_empty(), "nothing notices other answers to: {unnoticed:#?}");
}

/// Every topic says what the program does with it, and why if it does nothing.
#[test]
fn every_topic_has_its_mark() {
    let library = Library::shipped();
    for topic in library.topics.values() {
        assert!(
            topic.mark != Mark::Recorded || topic.why.is_some(),
            "{} doesn't say why it is only recorded",
            topic.name
        );
        assert!(topic.mark != Mark::Paper || topic.paper.is_some(), "{} doesn't say on which paper it is", topic.name);
    }
    // A topic that a house is judged by has a key of every book that answers it, unless the book leaves the house nothing to state.
    let judged = |name: &str| {
        library.books.iter().any(|book| {
            book.choices.values().flat_map(|dated| &dated.0).any(|fact| fact.is.topic.as_deref() == Some(name))
        })
    };
    let idle: Vec<&String> = library
        .topics
        .values()
        .filter(|topic| topic.mark == Mark::Judged && !judged(&topic.name))
        .map(|topic| &topic.name)
        .collect();
    assert!(idle.is_empty(), "no key is judged by: {idle:#?}");
}

/// No paragraph of a regulation is without a mark, and nothing is marked by mistake as covered.
#[test]
fn every_paragraph_has_its_mark() {
    for book in &Library::shipped().books {
        let coverage = book.coverage();
        for paragraph in coverage.sections.iter().flat_map(|section| &section.paragraphs) {
            let reasoned = !paragraph.facts.is_empty() || !paragraph.why.is_empty();
            assert!(reasoned, "{}: nothing stands behind the mark {}", paragraph.cite, paragraph.mark);
            assert!(paragraph.mark != "recorded" || !paragraph.why.is_empty(), "{} doesn't say why", paragraph.cite);
        }
        assert_eq!(
            coverage.counts.all(),
            coverage.sections.iter().map(|section| section.paragraphs.len()).sum::<usize>(),
            "{}",
            book.id
        );
    }
}
