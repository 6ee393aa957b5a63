//! Every question of procedure with the answer of each book: who may call no roll, how many dice a set has, when bets close.

use craps_law::{Day, Days, Library};
use serde::Serialize;

/// A question of procedure and what the books answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Question {
    /// Name of the topic, such as `bets.deadline`.
    pub topic: String,
    /// The question in words.
    pub asks: String,
    /// Answers, book by book. A book that changed its answer has several.
    pub answers: Vec<BookAnswer>,
}

/// What one book answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookAnswer {
    /// Id of the book, such as `pa`.
    pub book: String,
    /// The answer in words.
    pub answer: String,
    /// Sections that say so.
    pub cite: String,
    /// Days on which the answer holds, such as `until 2023-09-23`. Empty when it always holds.
    pub days: String,
    /// Readings that the answer rests on, such as `A-31`.
    pub readings: Vec<String>,
}

/// Collects the questions whose name or words contain `about`, and the answers in force on a day. Without a day, every answer a book
/// ever gave.
///
/// ```
/// use craps_explain::procedure::questions;
/// let library = craps_law::Library::shipped();
/// let found = questions(&library, "bets.deadline", None);
/// let nj = found[0].answers.iter().find(|answer| answer.book == "nj").unwrap();
/// assert_eq!(nj.answer, "before throw");
/// ```
#[must_use]
pub fn questions(library: &Library, about: &str, on: Option<Day>) -> Vec<Question> {
    let about = about.to_lowercase();
    let mentions = |name: &str, asks: &str| name.contains(&about) || asks.to_lowercase().contains(&about);
    let topics = library.topics.iter().filter(|(name, topic)| mentions(name, &topic.asks));
    let question = |name: &String, asks: &String| {
        let answers = library.books.iter().flat_map(|book| {
            let facts = book.rules.get(name).into_iter().flat_map(|dated| &dated.0);
            facts.filter(|fact| fact.days.hold(on)).map(|fact| BookAnswer {
                book: book.id.clone(),
                answer: fact.is.answer.to_string(),
                cite: fact.cites.to_string(),
                days: if fact.days == Days::ALWAYS { String::new() } else { fact.days.to_string() },
                readings: fact.readings.clone(),
            })
        });
        Question { topic: name.clone(), asks: asks.clone(), answers: answers.collect() }
    };
    topics.map(|(name, topic)| question(name, &topic.asks)).collect()
}

/// Writes questions as a Markdown page: a table for each subject, a row for each question, a column for each book.
///
/// ```
/// use craps_explain::procedure::{markdown, questions};
/// let library = craps_law::Library::shipped();
/// let page = markdown(&library, &questions(&library, "dice.set_size", None));
/// assert!(page.contains("| `dice.set_size` |"));
/// ```
#[must_use]
pub fn markdown(library: &Library, questions: &[Question]) -> String {
    let books: Vec<&str> = library.books.iter().map(|book| book.id.as_str()).collect();
    let mut page = String::new();
    let mut last = "";
    for question in questions {
        let subject = question.topic.split_once('.').map_or("", |(subject, _)| subject);
        if subject != last {
            last = subject;
            let columns: String = books.iter().map(|book| format!(" {book} |")).collect();
            page.push_str(&format!(
                "\n## {subject}\n\n| topic | question |{columns}\n|---|---|{}\n",
                "---|".repeat(books.len())
            ));
        }
        page.push_str(&format!("| `{}` | {} |", question.topic, question.asks));
        for book in &books {
            let own = question.answers.iter().filter(|answer| answer.book == *book);
            let cell = |answer: &BookAnswer| {
                let days = if answer.days.is_empty() { String::new() } else { format!(" ({})", answer.days) };
                let readings: String = answer.readings.iter().map(|reading| format!(", {reading}")).collect();
                format!("{}{days}<br><sub>{}{readings}</sub>", answer.answer, answer.cite)
            };
            let cells: Vec<String> = own.map(cell).collect();
            page.push_str(&format!(" {} |", cells.join("<br>")));
        }
        page.push('\n');
    }
    page
}
