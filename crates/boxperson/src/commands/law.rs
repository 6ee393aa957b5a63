//! `boxperson law`: shows and compares rule books, and checks house rules against them.

use super::law_check::{check, keys};
use super::{book, books, coverage, law_new};
use crate::failure::Failure;
use crate::output::{self, Format};
use clap::{Subcommand, ValueEnum};
use craps_explain::playable::practice;
use craps_explain::procedure::{self, BookAnswer, Question};
use craps_law::view::{BookView, DifferenceView, FactView, ReadingView, SectionView, Shown, SideView};
use craps_law::{AsOf, Day, Days, Library, RuleBook, WagerLaw};
use craps_layout::{Layout, Sign, Template};
use craps_table::{Board, Verb};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `boxperson law`.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// List the books
    List {
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// Show the sections of a book, or one section or reading with all facts based on it
    #[command(
        after_help = "Examples:\n  boxperson law show pa\n  boxperson law show pa 623a.4\n  boxperson law show nj 'NJ 1.3(e)'\n  boxperson law show md A-54\n  boxperson law show pa 623b.3 --as-of 2024-09-04"
    )]
    Show {
        /// Id of the book
        book: String,
        /// Section (623a.4, `NJ 1.3(e)`) or reading
        section: Option<String>,
        /// Only rules in force on this day
        #[arg(long, value_name = "DATE")]
        as_of: Option<Day>,
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// Show every difference between two books, with both citations
    #[command(
        after_help = "Examples:\n  boxperson law diff pa nj\n  boxperson law diff nj nj-automated --format json\n  boxperson law diff pa nj --as-of 2023-10-01\n  boxperson law diff pa pa --as-of 2023-10-01 --other-as-of 2025-01-01"
    )]
    Diff {
        /// First book
        left: String,
        /// Second book
        right: String,
        /// Only rules in force on this day
        #[arg(long, value_name = "DATE")]
        as_of: Option<Day>,
        /// Another day for the second book
        #[arg(long, value_name = "DATE", requires = "as_of")]
        other_as_of: Option<Day>,
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// Check whether a house, or all houses of a casino, are lawful; lists all problems with citations, exit code 1 if there are any
    #[command(
        after_help = "Examples:\n  boxperson law check houses/pa-craps.toml\n  boxperson law check houses/casinos/nj-uniform.toml\n  boxperson law check house.toml --as-of 2024-09-04\n  cat house.toml | boxperson law check - --format json"
    )]
    Check {
        /// House file or casino file, or - for standard input
        house: PathBuf,
        /// Check against the law of this day instead of the day in the file
        #[arg(long, value_name = "DATE")]
        as_of: Option<Day>,
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// List the keys of a house file, and the values that a book allows
    Keys {
        /// Book whose allowed values and defaults are shown
        book: Option<String>,
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// List questions of procedure, and what each book answers
    #[command(
        after_help = "Examples:\n  boxperson law topics\n  boxperson law topics dice\n  boxperson law topics may.no_roll --as-of 2024-09-04\n  boxperson law topics --format markdown > procedure.md"
    )]
    Topics {
        /// Only questions with these words
        #[arg(default_value = "", hide_default_value = true)]
        about: String,
        /// Only what was in force on this day
        #[arg(long, value_name = "DATE")]
        as_of: Option<Day>,
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: TopicsFormat,
    },
    /// Show what the program does with each paragraph of a book: acts on it, judges houses by it, states it on paper, or only records it
    #[command(
        after_help = "Marks:\n  acts             the program behaves as the paragraph says; changing the fact changes what it does, or the books no longer verify\n  judged           `boxperson law check` judges houses by it\n  paper            the layout or the list of duties states it\n  recorded         no software can act on it; the reason is given\n  decides nothing  nothing in it decides a bet, a price or a step at the table\n\nExamples:\n  boxperson law coverage\n  boxperson law coverage pa\n  boxperson law coverage co --format json"
    )]
    Coverage {
        /// Id of the book [default: all books, without their paragraphs]
        book: Option<String>,
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// List what a house and its crew must do or keep on paper, with citations
    #[command(
        after_help = "Examples:\n  boxperson law duties houses/pa-craps.toml\n  boxperson law duties houses/co-craps.toml --format json"
    )]
    Duties {
        /// House file, or - for standard input
        house: PathBuf,
        /// Duties under the law of this day instead of the day in the file
        #[arg(long, value_name = "DATE")]
        as_of: Option<Day>,
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
    /// Write a small book that can be played at once, to start a book of your own from
    #[command(
        after_help = "The files have comments that explain them. Nothing that exists is overwritten.\n\nExamples:\n  boxperson law new nv --name Nevada\n  boxperson law new my-club --prefix CLUB --into books\n  boxperson law verify nv --rulebooks my-books"
    )]
    New(law_new::Args),
    /// Check the books themselves: citations, sections, readings, days, and that every bet can be played; exit code 1 if there are findings
    #[command(
        after_help = "A note is not a finding: it says what a book leaves to the usual crew, because it doesn't say who may do it.\n\nExamples:\n  boxperson law verify\n  boxperson law verify nv --rulebooks my-books"
    )]
    Verify {
        /// Ids of the books [default: all]
        books: Vec<String>,
        /// Output format
        #[arg(long, value_enum, default_value = "table")]
        format: Format,
    },
}

/// Output formats of `boxperson law topics`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TopicsFormat {
    /// Aligned columns
    Table,
    /// Comma-separated values
    Csv,
    /// One JSON document
    Json,
    /// The page docs/procedure.md
    Markdown,
}

/// Runs the command.
pub(crate) fn run(library: &Library, args: Args) -> Result<ExitCode, Failure> {
    match args.command {
        Command::List { format } => list(library, format),
        Command::Show { book: id, section, as_of, format } => {
            show(book(library, &id)?, section.as_deref(), as_of, format)
        }
        Command::Diff { left, right, as_of, other_as_of, format } => {
            let (left, right) = (book(library, &left)?, book(library, &right)?);
            differences(library, (left, as_of), (right, other_as_of.or(as_of)), format)
        }
        Command::Check { house, as_of, format } => check(library, &house, as_of, format),
        Command::Keys { book: id, format } => keys(library, id.map(|id| book(library, &id)).transpose()?, format),
        Command::Topics { about, as_of, format } => topics(library, &about, as_of, format),
        Command::Coverage { book: id, format } => coverage::run(library, id.as_deref(), format),
        Command::Duties { house, as_of, format } => coverage::duties(library, &house, as_of, format),
        Command::New(args) => law_new::run(library, &args),
        Command::Verify { books: named, format } => verify(&books(library, &named)?, format),
    }
}

/// Prints rows of text in the chosen format. In JSON, the header cells are the keys.
pub(super) fn rows(header: &[&str], rows: Vec<Vec<String>>, format: Format) -> Result<ExitCode, Failure> {
    match format {
        Format::Table => output::write(&output::text_table(header, rows)),
        Format::Csv => {
            let line = |cells: &[String]| {
                cells.iter().map(|cell| output::csv_field(cell)).collect::<Vec<_>>().join(",") + "\n"
            };
            let head: Vec<String> = header.iter().map(|name| (*name).to_owned()).collect();
            output::write(&(line(&head) + &rows.iter().map(|row| line(row)).collect::<String>()))
        }
        Format::Json => {
            let object = |row: Vec<String>| {
                let fields =
                    header.iter().map(|name| (*name).to_owned()).zip(row.into_iter().map(serde_json::Value::String));
                serde_json::Value::Object(fields.collect())
            };
            output::write_json(&rows.into_iter().map(object).collect::<Vec<_>>())
        }
    }
}

fn topics(library: &Library, about: &str, on: Option<Day>, format: TopicsFormat) -> Result<ExitCode, Failure> {
    let found = procedure::questions(library, about, on);
    if found.is_empty() {
        return Err(Failure::Usage(format!("no question mentions `{about}`; `boxperson law topics` lists them all")));
    }
    let format = match format {
        TopicsFormat::Json => return output::write_json(&found),
        TopicsFormat::Markdown => {
            let head = "<!-- Generated by `cargo xtask cards`; do not edit. -->\n# Questions of procedure\n\n\
                        What every book answers, with the section that says so. An empty cell means that the book does not answer.\n";
            return output::write(&format!("{head}{}", procedure::markdown(library, &found)));
        }
        TopicsFormat::Table => Format::Table,
        TopicsFormat::Csv => Format::Csv,
    };
    let row = |question: &Question| {
        let of = |answer: &BookAnswer| {
            let BookAnswer { book, answer, cite, days, .. } = answer.clone();
            vec![question.topic.clone(), book, answer, days, cite]
        };
        question.answers.iter().map(of).collect::<Vec<_>>()
    };
    rows(&["topic", "book", "answer", "days", "cite"], found.iter().flat_map(row).collect(), format)
}

fn list(library: &Library, format: Format) -> Result<ExitCode, Failure> {
    let views: Vec<BookView> = library.books.iter().map(RuleBook::view).collect();
    if format == Format::Json {
        return output::write_json(&views);
    }
    let row = |view: BookView| vec![view.book, view.name, view.text, view.games.join(", "), view.wagers.to_string()];
    rows(&["book", "name", "text", "games", "wagers"], views.into_iter().map(row).collect(), format)
}

fn show(book: &RuleBook, section: Option<&str>, on: Option<Day>, format: Format) -> Result<ExitCode, Failure> {
    let Some(asked) = section else {
        let row = |section: SectionView| {
            let facts = section.facts.len();
            let status =
                section.decides_nothing.map_or_else(|| counted(facts, "fact"), |_| "decides nothing".to_owned());
            vec![section.cite, section.title, section.gist, status]
        };
        return rows(&["section", "title", "gist", "status"], book.contents(on).into_iter().map(row).collect(), format);
    };
    let shown = book.show(asked, on).map_err(|error| Failure::Usage(error.to_string()))?;
    match (format, shown) {
        (Format::Json, shown) => output::write_json(&shown),
        (Format::Table, Shown::Reading(view)) => output::write(&reading_text(&view)),
        (Format::Table, Shown::Section(view)) => output::write(&section_text(&view)),
        (Format::Csv, Shown::Reading(view)) => rows(
            &["id", "asks", "taken", "rejected", "why", "switch", "cite"],
            vec![vec![view.id, view.asks, view.taken, view.rejected, view.why, view.switch.join(" "), view.cite]],
            format,
        ),
        (Format::Csv, Shown::Section(view)) => {
            let row = |fact: FactView| {
                vec![fact.subject, fact.aspect, fact.value, fact.mark.to_owned(), fact.cite, fact.days]
            };
            rows(
                &["subject", "aspect", "is", "mark", "cite", "days"],
                view.facts.into_iter().map(row).collect(),
                format,
            )
        }
    }
}

/// Writes a count with its noun: `1 fact`, `2 facts`.
pub(super) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn reading_text(reading: &ReadingView) -> String {
    let width = usize::from(output::WIDTH);
    let mut text = format!("{}   [{}]\n", reading.id, reading.cite);
    for (label, words) in
        [("asks", &reading.asks), ("taken", &reading.taken), ("rejected", &reading.rejected), ("why", &reading.why)]
    {
        text.push_str(&output::wrap(&format!("{label}: {words}"), "  ", width));
    }
    if !reading.switch.is_empty() {
        let default = reading.default.as_deref().unwrap_or("as taken");
        text.push_str(&format!("  switch: {} (default {default})\n", reading.switch.join(", ")));
    }
    text
}

fn section_text(view: &SectionView) -> String {
    let width = usize::from(output::WIDTH);
    let mut text = format!("{}   {}\n\n", view.cite, view.title);
    text.push_str(&output::wrap(&view.gist, "  ", width));
    if let Some(reason) = &view.decides_nothing {
        text.push_str(&output::wrap(&format!("Decides nothing: {reason}"), "  ", width));
    }
    text.push('\n');
    for part in &view.parts {
        let reason =
            part.decides_nothing.as_ref().map(|reason| format!(" (decides nothing: {reason})")).unwrap_or_default();
        let at = part.cite.strip_prefix(&view.cite).unwrap_or(&part.cite).trim();
        text.push_str(&output::labeled(at, 10, &format!("{}{reason}", part.gist)));
    }
    if !view.facts.is_empty() {
        text.push_str("\nFacts based on it\n");
        // Subjects with the same fact share one row.
        let mut grouped: Vec<(Vec<&str>, &FactView)> = Vec::new();
        for fact in &view.facts {
            let same = |(_, known): &&mut (Vec<&str>, &FactView)| {
                (&known.aspect, &known.value, &known.cite, &known.days)
                    == (&fact.aspect, &fact.value, &fact.cite, &fact.days)
            };
            match grouped.iter_mut().find(same) {
                Some((subjects, _)) => subjects.push(&fact.subject),
                None => grouped.push((vec![&fact.subject], fact)),
            }
        }
        let row = |(subjects, fact): (Vec<&str>, &FactView)| {
            vec![compact(&subjects), fact.aspect.clone(), fact.value.clone(), fact.mark.to_owned(), fact.cite.clone()]
        };
        text.push_str(&output::text_table(
            &["subject", "aspect", "is", "mark", "cite"],
            grouped.into_iter().map(row).collect(),
        ));
    }
    if !view.readings.is_empty() {
        text.push_str("\nReadings\n");
        for reading in &view.readings {
            text.push_str(&reading_text(reading));
        }
    }
    text
}

/// A fact that a comparison of two books shows first. The list is in `glance.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Glance {
    /// Wager or topic.
    subject: String,
    aspect: String,
    /// Title of the row.
    label: String,
}

/// Reads the facts that a comparison shows first.
fn glances() -> Result<Vec<Glance>, toml::de::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct File {
        fact: Vec<Glance>,
    }
    toml::from_str::<File>(include_str!("glance.toml")).map(|file| file.fact)
}

fn differences(library: &Library, one: AsOf<'_>, other: AsOf<'_>, format: Format) -> Result<ExitCode, Failure> {
    let view = library.diff(one, other);
    if format == Format::Json {
        return output::write_json(&view);
    }
    let found = &view.differences;
    let always = Days::ALWAYS.to_string();
    let cell = |side: &[SideView]| {
        let one = |side: &SideView| {
            let days = if side.days == always { String::new() } else { format!(" ({})", side.days) };
            format!("{}{days} [{}]", side.value, side.cite)
        };
        if side.is_empty() { "silent".to_owned() } else { side.iter().map(one).collect::<Vec<_>>().join("; ") }
    };
    let column = |(book, on): AsOf<'_>| match on {
        Some(on) => format!("{} {on}", book.id),
        None => book.id.clone(),
    };
    let (first, second) = (column(one), column(other));
    let header = ["", first.as_str(), second.as_str()];
    if format == Format::Csv {
        let row = |difference: &DifferenceView| {
            vec![
                difference.subjects.join(" "),
                difference.aspect.clone(),
                cell(&difference.left),
                cell(&difference.right),
            ]
        };
        return rows(&["subjects", "aspect", &first, &second], found.iter().map(row).collect(), format);
    }
    let named = |(book, on): AsOf<'_>| {
        let on = on.map(|on| format!(" as of {on}")).unwrap_or_default();
        format!("{} ({}){on}", book.name, book.id)
    };
    let mut text = format!("{} and {}: {}\n", named(one), named(other), counted(found.len(), "difference"));
    let glances = glances().map_err(|error| Failure::Usage(format!("glance.toml: {error}")))?;
    let glance = glances.into_iter().filter_map(|Glance { subject, aspect, label }| {
        let hit =
            found.iter().find(|difference| difference.aspect == aspect && difference.subjects.contains(&subject))?;
        Some(vec![label, cell(&hit.left), cell(&hit.right)])
    });
    let only = |(has, on): AsOf<'_>, (not, other): AsOf<'_>| {
        let known = |law: &WagerLaw| not.wagers_on(other).any(|known| known.wager == law.wager);
        let wagers = has.wagers_on(on).filter(|law| !known(law)).map(|law| law.wager.wager().slug);
        let is_new = |id: &str| not.modifiers_on(other).all(|known| known.id != id);
        let modifiers = has.modifiers_on(on).map(|modifier| modifier.id.as_str()).filter(|id| is_new(id));
        let names: Vec<&str> = wagers.chain(modifiers).collect();
        if names.is_empty() { "–".to_owned() } else { compact(&names) }
    };
    let mut top: Vec<Vec<String>> = glance.collect();
    top.push(vec!["Wagers only here".to_owned(), only(one, other), only(other, one)]);
    text.push_str("\nAt a glance\n");
    text.push_str(&output::text_table(&header, top));
    let group_of =
        |difference: &DifferenceView| match (difference.subjects.first().map(String::as_str), &*difference.aspect) {
            (Some("book"), _) => "The book",
            (_, "house") => "Left to the house",
            (_, "rule") => "Procedure",
            _ => "Wagers",
        };
    for title in ["The book", "Wagers", "Left to the house", "Procedure"] {
        let belongs = |difference: &&DifferenceView| group_of(difference) == title;
        let row = |difference: &DifferenceView| {
            let subjects: Vec<&str> = difference.subjects.iter().map(String::as_str).collect();
            let label = match difference.aspect.as_str() {
                "rule" | "house" => compact(&subjects),
                aspect if subjects == ["book"] => aspect.to_owned(),
                aspect => format!("{}: {aspect}", compact(&subjects)),
            };
            vec![difference.asks.clone().unwrap_or(label), cell(&difference.left), cell(&difference.right)]
        };
        let lines: Vec<Vec<String>> = found.iter().filter(belongs).map(row).collect();
        if !lines.is_empty() {
            text.push_str(&format!("\n{title}\n"));
            text.push_str(&output::text_table(&header, lines));
        }
    }
    output::write(&text)
}

/// Joins ids that differ only in their number: `place-lose-4/5/6/8/9/10`, or `hop-*` for all of them.
fn compact(names: &[&str]) -> String {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for name in names {
        let at = name.find(|c: char| c.is_ascii_digit()).unwrap_or(name.len());
        let (stem, number) = name.split_at(at);
        match groups.last_mut() {
            Some((known, numbers)) if known == stem && !number.is_empty() => numbers.push(number.to_owned()),
            _ => groups.push((stem.to_owned(), vec![number.to_owned()])),
        }
    }
    let all_of =
        |stem: &str| craps_wagers::Catalogue::current().all().filter(|id| id.wager().slug.starts_with(stem)).count();
    let name = |(stem, numbers): &(String, Vec<String>)| {
        let everyone = numbers.len() > 6 && numbers.len() == all_of(stem);
        if everyone { format!("{stem}*") } else { format!("{stem}{}", numbers.join("/")) }
    };
    groups.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn verify(books: &[&RuleBook], format: Format) -> Result<ExitCode, Failure> {
    let templates = Template::shipped().iter().map(Template::read).collect::<Result<Vec<_>, _>>();
    let templates = templates.map_err(|error| Failure::Usage(error.to_string()))?;
    let mut findings: Vec<Vec<String>> = Vec::new();
    for book in books {
        let mistakes = book.verify().into_iter().map(|finding| finding.message);
        let unplayable = craps_explain::playable(book).into_iter().map(|problem| problem.to_string());
        for message in mistakes.chain(unplayable).chain(not_laid_out(book, &templates)) {
            let finding = vec![book.id.clone(), message];
            if !findings.contains(&finding) {
                findings.push(finding);
            }
        }
    }
    let notes: Vec<String> = books.iter().filter_map(|book| left_to_the_usual_crew(book)).collect();
    let code = if findings.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if findings.is_empty() && format == Format::Table {
        output::write(&format!("{}, no findings\n", counted(books.len(), "book")))?;
    } else {
        rows(&["book", "finding"], findings, format)?;
    }
    for note in notes {
        // Other formats have only findings on standard output.
        match format {
            Format::Table => {
                let text = output::wrap(&note, "      ", usize::from(output::WIDTH));
                output::write(&format!("note: {}", text.trim_start()))?;
            }
            Format::Json | Format::Csv => output::remark(&format!("note: {note}")),
        }
    }
    Ok(code)
}

/// Says what a book leaves to the usual crew, because it doesn't say who may do it. It is not a mistake: a text can be silent.
fn left_to_the_usual_crew(book: &RuleBook) -> Option<String> {
    // Other topics say whether a shooter can be named, and who answers a request.
    let is_open = |verb: &Verb| {
        !matches!(verb, Verb::Nominate | Verb::Answer) && !book.rules.contains_key(&format!("may.{}", verb.name()))
    };
    let open: Vec<&str> = Verb::ALL.into_iter().filter(is_open).map(Verb::phrase).collect();
    let (last, others) = open.split_last()?;
    let what = if others.is_empty() { (*last).to_owned() } else { format!("{} or {last}", others.join(", ")) };
    Some(format!("{} doesn't say who may {what}; the usual crew does it", book.id))
}

/// Returns what is wrong with the layouts of a book's practice tables. Each needs a wide and a narrow template, and every template for it must have
/// a place for every bet.
fn not_laid_out(book: &RuleBook, templates: &[Template]) -> Vec<String> {
    let mut wrong = Vec::new();
    for game in &book.games {
        // Without a practice table there is nothing to lay out. That is a finding by itself.
        let Ok(rules) = practice(book, game.is) else { continue };
        let Ok(board) = Board::new(&rules) else { continue };
        for missing in [Template::of(&rules), Template::narrow(&rules)].into_iter().filter_map(Result::err) {
            wrong.push(format!("no layout: {missing}"));
        }
        for template in templates.iter().filter(|template| template.suits(&rules)) {
            let layout = match Layout::new(template, book, &rules, &Sign::default()) {
                Ok(layout) => layout,
                Err(error) => {
                    wrong.push(format!("no layout for {}: {error}", rules.game));
                    continue;
                }
            };
            let placed: BTreeSet<&str> = layout.areas.iter().flat_map(|area| area.codes()).collect();
            let bets = board.slots().map(|(_, slot)| slot.code.as_str());
            let homeless: Vec<&str> = bets.filter(|code| !placed.contains(code)).collect();
            if !homeless.is_empty() {
                wrong.push(format!("the layout {} has no place for {}", layout.template, homeless.join(", ")));
            }
        }
    }
    wrong
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

    use super::*;

    #[test]
    fn every_fact_shown_first_is_one_that_some_book_states() {
        let library = Library::shipped();
        let lines: Vec<craps_law::Line> = library.books.iter().flat_map(|book| book.lines(None)).collect();
        for Glance { subject, aspect, label } in glances().unwrap() {
            let stated = lines.iter().any(|line| line.subject == subject && line.aspect.to_string() == aspect);
            assert!(stated, "{label}: no book has `{aspect}` of `{subject}`");
        }
    }
}
