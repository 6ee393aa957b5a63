//! `boxperson law check` and `boxperson law keys`: checks houses and casinos, and lists the keys of house files.

use super::book;
use super::law::{counted, rows};
use crate::failure::Failure;
use crate::library::read_text;
use crate::output::{self, Format};
use craps_explain::house::{self, CasinoCheck, HouseCheck, Remark};
use craps_law::{Casino, Choice, Day, Demanded, Fact, Key, LawError, Library, RuleBook, Source};
use craps_odds::Solver;
use std::path::Path;
use std::process::ExitCode;

/// Checks a house file or a casino file.
pub(super) fn check(library: &Library, path: &Path, as_of: Option<Day>, format: Format) -> Result<ExitCode, Failure> {
    let source = read_text(path)?;
    let in_source = |error: LawError| Failure::in_sources(vec![error], std::slice::from_ref(&source));
    if let Some(files) = Casino::files(&source).map_err(in_source)? {
        return check_casino(library, path, &source, &files, as_of, format);
    }
    let house = library.house(&source, as_of).map_err(in_source)?;
    let law = book(library, &house.book)?;
    let view = house::check(&mut Solver::default(), law, &house);
    match format {
        Format::Json => output::write_json(&view)?,
        Format::Csv => {
            let row = |problem: &Remark| vec![problem.path.clone(), problem.message.clone(), problem.cite.clone()];
            rows(&["path", "message", "cite"], view.problems.iter().map(row).collect(), format)?
        }
        Format::Table => output::write(&check_text(&source.path, law, &view))?,
    };
    Ok(exit_code(view.lawful))
}

fn exit_code(lawful: bool) -> ExitCode {
    if lawful { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks each house of a casino, and then what must be the same in all of them. Paths are relative to the casino's file.
fn check_casino(
    library: &Library,
    path: &Path,
    source: &Source,
    files: &[String],
    as_of: Option<Day>,
    format: Format,
) -> Result<ExitCode, Failure> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let sources = files.iter().map(|file| read_text(&folder.join(file))).collect::<Result<Vec<_>, _>>()?;
    let casino = library.casino(source, &sources, as_of).map_err(|error| {
        let all: Vec<Source> = sources.iter().chain([source]).cloned().collect();
        Failure::in_sources(vec![error], &all)
    })?;
    let view = house::check_casino(&mut Solver::default(), library, &casino);
    match format {
        Format::Json => output::write_json(&view)?,
        Format::Csv => {
            let row = |house: &str, problem: &Remark| {
                vec![house.to_owned(), problem.path.clone(), problem.message.clone(), problem.cite.clone()]
            };
            let own =
                view.houses.iter().flat_map(|one| one.check.problems.iter().map(|problem| row(&one.house, problem)));
            let between = view.problems.iter().map(|problem| row("", problem));
            rows(&["house", "path", "message", "cite"], own.chain(between).collect(), format)?
        }
        Format::Table => output::write(&casino_text(library, &source.path, &view)?)?,
    };
    Ok(exit_code(view.lawful))
}

fn casino_text(library: &Library, path: &str, view: &CasinoCheck) -> Result<String, Failure> {
    let mut text = String::new();
    for one in &view.houses {
        text.push_str(&check_text(&one.house, book(library, &one.check.book)?, &one.check));
        text.push('\n');
    }
    let name = view.casino.as_deref().unwrap_or(path);
    let houses = counted(view.houses.len(), "house");
    let between = match view.problems.len() {
        0 => "nothing that must be the same differs".to_owned(),
        count => format!("{} between them", counted(count, "problem")),
    };
    text.push_str(&format!("{name}: {houses}, {between}\n"));
    text.push_str(&remarks(&view.problems));
    Ok(text)
}

fn check_text(path: &str, law: &RuleBook, view: &HouseCheck) -> String {
    let verdict = if view.lawful { "lawful".to_owned() } else { counted(view.problems.len(), "problem") };
    let mut text = format!("{path}: {verdict} under {} ({}) on {}\n", law.name, law.id, view.as_of);
    text.push_str(&remarks(&view.problems));
    if !view.notices.is_empty() {
        text.push_str("\nNotes\n");
        text.push_str(&remarks(&view.notices));
    }
    text
}

fn remarks(all: &[Remark]) -> String {
    let width = usize::from(output::WIDTH);
    let one = |remark: &Remark| {
        let cite = if remark.cite.is_empty() { String::new() } else { format!("  [{}]", remark.cite) };
        output::wrap(&format!("{}: {}{cite}", remark.path, remark.message), "  ", width)
    };
    all.iter().map(one).collect()
}

/// Lists the keys of house files, and what a book says about each.
pub(super) fn keys(library: &Library, book: Option<&RuleBook>, format: Format) -> Result<ExitCode, Failure> {
    let row = |key: &Key| {
        let mut cells = vec![key.name.clone(), key.about.clone(), key.kind.expected()];
        if let Some(book) = book {
            let records = book.choices_for(&key.name);
            let each = |of: &dyn Fn(&Fact<Choice>) -> String| {
                let mut texts: Vec<String> = Vec::new();
                for text in records.iter().map(of).filter(|text| !text.is_empty()) {
                    if !texts.contains(&text) {
                        texts.push(text);
                    }
                }
                texts.join("; ")
            };
            cells.push(if records.is_empty() { "–".to_owned() } else { each(&|fact| allowed(book, fact)) });
            cells.push(each(&|fact| fact.is.default.clone()));
            cells.push(each(&|fact| demanded(&fact.is)));
            cells.push(each(&|fact| fact.cites.to_string()));
        }
        cells
    };
    let header: &[&str] = if book.is_some() {
        &["key", "about", "value", "allowed", "default", "demanded", "cite"]
    } else {
        &["key", "about", "value"]
    };
    rows(header, library.keys().iter().map(row).collect(), format)
}

/// Says what a record allows, with the games that it is for.
fn allowed(book: &RuleBook, fact: &Fact<Choice>) -> String {
    let text = book.allowed(fact, None);
    match &fact.is.games {
        Some(games) => format!("{text} at {}", games.iter().map(|game| game.word()).collect::<Vec<_>>().join(", ")),
        None => text,
    }
}

/// Says when a house must set a key. Empty if it need not.
fn demanded(choice: &Choice) -> String {
    match (&choice.demanded, &choice.with) {
        (Demanded::No, _) => String::new(),
        (Demanded::Always, None) => "yes".to_owned(),
        (Demanded::Always, Some(with)) | (Demanded::With(with), _) => format!("with {with}"),
    }
}
