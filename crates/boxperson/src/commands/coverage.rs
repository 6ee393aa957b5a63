//! `boxperson law coverage` and `law duties`: what the program does with each paragraph, and what remains for people to do.

use super::book;
use super::law::rows;
use crate::failure::Failure;
use crate::library::read_text;
use crate::output::{self, Format};
use craps_explain::duties::{self, Duty};
use craps_law::coverage::{Counts, Coverage, Paragraph};
use craps_law::{Day, Library};
use std::path::Path;
use std::process::ExitCode;

/// The columns of the counts.
const COUNTS: [&str; 7] = ["paragraphs", "acts", "acts in part", "judged", "paper", "recorded", "decides nothing"];

fn cells(counts: Counts) -> Vec<String> {
    let Counts { acts, acts_in_part, judged, paper, recorded, decides_nothing } = counts;
    [counts.all(), acts, acts_in_part, judged, paper, recorded, decides_nothing].map(|count| count.to_string()).into()
}

/// Prints what the program does with the paragraphs of one book, or the counts of all books.
pub(super) fn run(library: &Library, id: Option<&str>, format: Format) -> Result<ExitCode, Failure> {
    match id {
        Some(id) => one(&book(library, id)?.coverage(), format),
        None => all(&library.in_order().into_iter().map(craps_law::RuleBook::coverage).collect::<Vec<_>>(), format),
    }
}

fn all(books: &[Coverage], format: Format) -> Result<ExitCode, Failure> {
    if format == Format::Json {
        return output::write_json(&books);
    }
    let header: Vec<&str> = std::iter::once("book").chain(COUNTS).collect();
    let row = |name: &str, counts: Counts| [vec![name.to_owned()], cells(counts)].concat();
    let mut lines: Vec<Vec<String>> = books.iter().map(|book| row(&book.book, book.counts)).collect();
    lines.push(row("all", books.iter().fold(Counts::default(), |sum, book| sum.plus(book.counts))));
    rows(&header, lines, format)
}

/// Groups the facts of a paragraph by their marks.
fn by_mark(paragraph: &Paragraph) -> Vec<(&'static str, Vec<&str>)> {
    let mut groups: Vec<(&'static str, Vec<&str>)> = Vec::new();
    for fact in &paragraph.facts {
        match groups.last_mut().filter(|(mark, _)| *mark == fact.mark) {
            Some((_, facts)) => facts.push(&fact.fact),
            None => groups.push((fact.mark, vec![&fact.fact])),
        }
    }
    groups
}

fn one(coverage: &Coverage, format: Format) -> Result<ExitCode, Failure> {
    let paragraph = |one: &Paragraph| {
        let facts = by_mark(one).into_iter().map(|(mark, facts)| match mark == one.mark {
            true => facts.join(", "),
            false => format!("{mark}: {}", facts.join(", ")),
        });
        let said: Vec<String> = facts.chain(one.why.iter().cloned()).collect();
        vec![one.cite.clone(), one.mark.to_owned(), said.join("\n")]
    };
    let paragraphs = || coverage.sections.iter().flat_map(|section| &section.paragraphs);
    match format {
        Format::Json => output::write_json(coverage),
        Format::Csv => {
            let row = |one: &Paragraph| {
                let facts: Vec<String> =
                    one.facts.iter().map(|fact| format!("{} ({})", fact.fact, fact.mark)).collect();
                vec![one.cite.clone(), one.mark.to_owned(), facts.join(", "), one.why.join(" "), one.gist.clone()]
            };
            rows(&["cite", "mark", "facts", "why", "gist"], paragraphs().map(row).collect(), format)
        }
        Format::Table => {
            let header: Vec<&str> = ["section", "title"].into_iter().chain(COUNTS).collect();
            let section = |one: &craps_law::coverage::SectionCoverage| {
                [vec![one.cite.clone(), one.title.clone()], cells(one.counts)].concat()
            };
            let mut lines: Vec<Vec<String>> = coverage.sections.iter().map(section).collect();
            lines.push([vec!["all".to_owned(), String::new()], cells(coverage.counts)].concat());
            let table = output::text_table(&header, lines);
            let list = output::text_table(&["paragraph", "mark", "by, or why"], paragraphs().map(paragraph).collect());
            output::write(&format!("{table}\n{list}"))
        }
    }
}

/// Prints the duties of a house.
pub(super) fn duties(library: &Library, path: &Path, as_of: Option<Day>, format: Format) -> Result<ExitCode, Failure> {
    let source = read_text(path)?;
    let in_source = |error| Failure::in_sources(vec![error], std::slice::from_ref(&source));
    let house = library.house(&source, as_of).map_err(in_source)?;
    let found = duties::of(book(library, &house.book)?, &house);
    match format {
        Format::Json => output::write_json(&found),
        _ => {
            let row =
                |duty: &Duty| vec![duty.subject.clone(), duty.asks.clone(), duty.answer.clone(), duty.cite.clone()];
            rows(&["subject", "question", "answer", "cite"], found.iter().map(row).collect(), format)
        }
    }
}
