//! No book makes the program panic, whatever is written in it. Each mutant is the text of a built-in book with a few random changes. It is loaded, and
//! if it loads, it is verified, listed and opened as a practice table.
//!
//! The test tries 400 mutants, chosen by a seed. `BOXPERSON_MUTANT_BOOKS=100000` tries as many as it says (`cargo xtask long books`).

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]
#![allow(clippy::print_stdout, reason = "the long form reports how many mutants were tried")]

use craps_law::{
    AppliesTo, Area, Call, Cap, Excess, Game, HouseRules, Library, Lower, Mark, OnOff, Others, PriceLatitude, Raise,
    Removal, Settled, Source, Standing, TableMax, Who, Window, With,
};
use std::num::NonZeroUsize;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;
use std::time::{Duration, Instant};

/// The number of mutants in an ordinary run.
const USUAL: u64 = 400;
/// A mutant that takes longer than this counts as one that never ends.
const PATIENCE: Duration = Duration::from_secs(30);

/// Values that no book should have: wrong types, wrong words, numbers at the ends of their types, ranges that run backward.
const ODD: &[&str] = &[
    "\"\"",
    "\" \"",
    "\"x\"",
    "\"unknown_word\"",
    "\"é\"",
    "\"§\"",
    "\"{n}\"",
    "0",
    "1",
    "-1",
    "13",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "1.5",
    "nan",
    "true",
    "false",
    "[]",
    "[\"\"]",
    "[1, 2]",
    "{}",
    "{ is = 1 }",
    "0001-01-01",
    "2024-02-30",
    "9999-12-31",
    "\"0\"",
    "\"-5\"",
    "\"0.001\"",
    "\"92233720368547758.07\"",
    "\"5..1\"",
    "\"1..0\"",
    "\"0..0\"",
    "\"1..99999999999999999999\"",
    "\"0%\"",
    "\"100%\"",
    "\"-5%\"",
    "\"1000000000%\"",
    "\"0 to 1\"",
    "\"1 to 0\"",
    "\"4294967295 to 1\"",
    "\"1 to 4294967295\"",
    "\"9223372036854775807 to 9223372036854775807\"",
    "\"0 for 1\"",
    "\"1 for 1\"",
    "\"push\"",
    "\"0-0-0\"",
    "\"4294967295-4294967295-4294967295\"",
    "\"3-4-5\"",
    "\"house_policy\"",
    "\"chip..\"",
    "\"limits\"",
    "\"odds.k\"",
    "\"first\"",
    "\"all\"",
    "{ fixed = \"0\" }",
    "{ between = [\"5\", \"1\"] }",
    "{ one_of = [] }",
    "{ at_least = \"topic\" }",
];

/// Ends of citations, after the prefix of the book.
const PLACES: &[&str] = &[
    "",
    "1",
    "1(1)-(4000000000)",
    "1(a)-(z)",
    "1(z)-(a)",
    "1(9)-(1)",
    "1(a)7-4294967295",
    "§12-14",
    "(-)",
    "()-()",
    "1(é)-(ü)",
    "999",
];

/// A small generator of random numbers (SplitMix64).
struct Chance(u64);

impl Chance {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// A number below `count`, which is not zero.
    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.roll() % u64::try_from(count).unwrap()).unwrap()
    }

    /// One of the items. None if there are none.
    fn one<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        if items.is_empty() { None } else { items.get(self.below(items.len())) }
    }
}

/// What mutants are made from.
struct Kit {
    /// The files of each book with those of the book it rests on, and the topics.
    families: Vec<Vec<Source>>,
    /// Every value of every file.
    pool: Vec<String>,
    /// Every word of the language of books.
    words: Vec<&'static str>,
}

impl Kit {
    fn new() -> Kit {
        let (library, sources) = (Library::shipped(), Library::shipped_sources());
        let family = |id: &str, base: Option<&str>| -> Vec<Source> {
            let belongs = |source: &&Source| {
                let folder = source.path.split('/').next().unwrap_or_default();
                folder == "topics" || folder == id || Some(folder) == base
            };
            sources.iter().filter(belongs).cloned().collect()
        };
        let mut pool: Vec<String> = sources
            .iter()
            .flat_map(|source| values(&source.text).into_iter().map(move |range| source.text[range].to_owned()))
            .collect();
        pool.sort();
        pool.dedup();
        Kit {
            families: library.books.iter().map(|book| family(&book.id, book.based_on.as_deref())).collect(),
            pool,
            words: words(),
        }
    }

    /// Returns a mutant, and what was changed in it. The same number always gives the same mutant.
    fn mutant(&self, number: u64) -> (Vec<Source>, Vec<String>) {
        let mut chance = Chance(number.wrapping_mul(0xD134_2543_DE82_EF95) ^ 20_261_118);
        let mut sources = chance.one(&self.families).unwrap().clone();
        let mut changes = Vec::new();
        for _ in 0..=chance.below(3) {
            // The topics have more files than a book, but are shorter.
            let in_topics = chance.below(8) == 0;
            let files: Vec<usize> =
                (0..sources.len()).filter(|at| sources[*at].path.starts_with("topics/") == in_topics).collect();
            let file = &mut sources[*chance.one(&files).unwrap()];
            if let Some((text, what)) = self.changed(&file.text, &mut chance) {
                file.text = text;
                changes.push(format!("{}: {what}", file.path));
            }
        }
        (sources, changes)
    }

    /// Changes one thing in a text. None if the text has nothing of the kind.
    fn changed(&self, text: &str, chance: &mut Chance) -> Option<(String, String)> {
        let values = values(text);
        let blocks = blocks(text);
        let replaced = |range: &Range<usize>, with: &str| {
            let changed = format!("{}{with}{}", &text[..range.start], &text[range.end..]);
            (changed, format!("{} becomes {with}", &text[range.clone()]))
        };
        let (changed, what): (String, String) = match chance.below(10) {
            0..=2 => replaced(chance.one(&values)?, chance.one(ODD)?),
            3 => replaced(chance.one(&values)?, chance.one(&self.pool)?),
            4 => replaced(chance.one(&values)?, &format!("\"{}\"", chance.one(&self.words)?)),
            5 => {
                let is_cite = |range: &&Range<usize>| {
                    let key = text[..range.start].trim_end().strip_suffix('=');
                    key.is_some_and(|key| key.trim_end().ends_with("cite"))
                };
                let cites: Vec<Range<usize>> = values.iter().filter(is_cite).cloned().collect();
                let range = chance.one(&cites)?;
                let prefix = text[range.clone()].trim_matches('"').split(' ').next().unwrap_or_default();
                replaced(range, &format!("\"{prefix} {}\"", chance.one(PLACES)?))
            }
            6 => {
                let (one, other) = (chance.one(&values)?, chance.one(&values)?);
                let (first, last) = if one.start <= other.start { (one, other) } else { (other, one) };
                if first == last {
                    return None;
                }
                let (a, b) = (&text[first.clone()], &text[last.clone()]);
                let changed =
                    format!("{}{b}{}{a}{}", &text[..first.start], &text[first.end..last.start], &text[last.end..]);
                (changed, format!("{a} and {b} swapped"))
            }
            7 => {
                let lines: Vec<&str> = text.split_inclusive('\n').collect();
                let gone = chance.below(lines.len().max(1));
                let kept = lines.iter().enumerate().filter(|(at, _)| *at != gone).map(|(_, line)| *line);
                (kept.collect(), format!("without {:?}", lines.get(gone)?))
            }
            8 => {
                let block = chance.one(&blocks)?;
                let again = &text[block.clone()];
                (format!("{text}\n{again}"), format!("twice {again:?}"))
            }
            _ => replaced(chance.one(&blocks)?, ""),
        };
        (changed != text).then_some((changed, what))
    }
}

/// Returns the places of all values of a TOML text: texts in quotes, numbers, dates, true and false. Comments have none.
fn values(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b'#' => at = text[at..].find('\n').map_or(bytes.len(), |end| at + end),
            b'"' => {
                at += 1;
                while at < bytes.len() && bytes[at] != b'"' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                found.push(start..at);
            }
            byte if in_word(byte) => {
                while at < bytes.len() && in_word(bytes[at]) {
                    at += 1;
                }
                let word = &text[start..at];
                if byte.is_ascii_digit() || byte == b'-' || word == "true" || word == "false" {
                    found.push(start..at);
                }
            }
            _ => at += 1,
        }
    }
    found
}

/// Returns the places of all records: from `[[` at the start of a line to the next one.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let starts: Vec<usize> = text.match_indices("\n[[").map(|(at, _)| at + 1).collect();
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    starts.iter().copied().zip(ends).map(|(start, end)| start..end).collect()
}

fn words() -> Vec<&'static str> {
    let mut all: Vec<&'static str> = Vec::new();
    macro_rules! add {
        ($($kind:ident),+) => { $(all.extend($kind::ALL.iter().map(|word| word.word()));)+ };
    }
    add!(AppliesTo, Area, Call, Cap, Excess, Game, Lower, Mark, OnOff, Others, PriceLatitude, Raise, Removal, Settled);
    add!(Standing, TableMax, Who, Window, With);
    all
}

/// Does with books what the program does. Returns true if they load.
fn used(sources: &[Source]) -> bool {
    let library = match Library::load(sources) {
        Ok(library) => library,
        Err(errors) => {
            assert!(!errors.to_string().is_empty(), "an error says what is wrong");
            return false;
        }
    };
    for book in &library.books {
        let lines = book.lines(None);
        let on_a_day = book.lines(Some(book.sample_day));
        assert!(lines.len() >= on_a_day.len(), "a day has no more facts than all days");
        for finding in book.verify() {
            assert!(!finding.to_string().is_empty(), "a finding says what is wrong");
        }
        let coverage = book.coverage();
        let paragraphs: usize = coverage.sections.iter().map(|section| section.paragraphs.len()).sum();
        assert_eq!(coverage.counts.all(), paragraphs, "every paragraph is counted once");
        let _ = book.offerings(None);
        if let Ok(house) = HouseRules::practice(book) {
            let _ = book.admit(&house);
            let _ = book.judge(&house);
        }
    }
    true
}

/// Tries every mutant whose number is `first` more than a multiple of `step`. Returns how many loaded, and what went wrong.
fn tried(kit: &Kit, first: u64, step: u64, count: u64) -> (u64, Vec<String>) {
    let (mut loaded, mut wrong) = (0, Vec::new());
    let mut number = first;
    while number < count {
        let (sources, changes) = kit.mutant(number);
        let start = Instant::now();
        let told = |what: &str| format!("mutant {number} {what}:\n  {}", changes.join("\n  "));
        match catch_unwind(AssertUnwindSafe(|| used(&sources))) {
            Ok(loads) => loaded += u64::from(loads),
            Err(_) => wrong.push(told("panics")),
        }
        if start.elapsed() > PATIENCE {
            wrong.push(told("takes too long"));
        }
        number += step;
    }
    (loaded, wrong)
}

#[test]
fn no_mutant_of_a_book_makes_the_program_panic_or_hang() {
    let count = std::env::var("BOXPERSON_MUTANT_BOOKS").map_or(USUAL, |text| text.parse().unwrap());
    let kit = Kit::new();
    let workers = u64::try_from(thread::available_parallelism().map_or(1, NonZeroUsize::get)).unwrap();
    let results: Vec<(u64, Vec<String>)> = thread::scope(|scope| {
        let kit = &kit;
        let all: Vec<_> = (0..workers).map(|first| scope.spawn(move || tried(kit, first, workers, count))).collect();
        all.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    let loaded: u64 = results.iter().map(|(loaded, _)| loaded).sum();
    let wrong: Vec<&str> = results.iter().flat_map(|(_, wrong)| wrong).map(String::as_str).collect();
    println!("{count} mutants of books, {loaded} of them load, {} are wrong", wrong.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // Otherwise the mutants would show nothing.
    assert!(loaded > count / 50 && loaded < count, "{loaded} of {count} mutants load");
}

#[test]
fn a_mutant_differs_from_its_book_and_comes_back_by_its_number() {
    let (kit, shipped) = (Kit::new(), Library::shipped_sources());
    let changed = (0..50).filter(|number| {
        let (sources, changes) = kit.mutant(*number);
        let differs = sources.iter().any(|source| !shipped.contains(source));
        assert_eq!(differs, !changes.is_empty(), "{changes:?}");
        assert_eq!((sources, changes), kit.mutant(*number));
        differs
    });
    assert!(changed.count() > 35);
}

#[test]
fn values_are_found_outside_of_comments() {
    let text = "a = \"x # \\\" y\" # \"no\" 5\nb-2 = [-1, true, 2024-01-01]\n\"4\" = 1.5\n[[é]]\n";
    let found: Vec<&str> = values(text).into_iter().map(|range| &text[range]).collect();
    assert_eq!(found, ["\"x # \\\" y\"", "-1", "true", "2024-01-01", "\"4\"", "1.5"]);
    assert_eq!(blocks(text).len(), 1);
}
