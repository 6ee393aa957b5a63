//! The law stays in the rule books: the code of the crates names no jurisdiction and contains no price.

use crate::lexer::{Kind, Token, find};
use crate::repository::{File, files, none};
use crate::shipped::{Source, shipped};
use std::collections::BTreeSet;

const JURISDICTIONS: &[&str] = &["pennsylvania", "maryland", "newjersey", "colorado"];

/// Names of the books: their folders, and the prefixes of their citations.
struct Books {
    ids: BTreeSet<String>,
    prefixes: BTreeSet<String>,
}

impl Books {
    fn of(files: &[File]) -> Books {
        let mut books = Books { ids: BTreeSet::new(), prefixes: BTreeSet::new() };
        for file in files {
            let Some(id) = file.path.strip_prefix("rulebooks/").and_then(|path| path.strip_suffix("/book.toml")) else {
                continue;
            };
            let book: toml::Table = file.text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path));
            books.ids.insert(id.to_owned());
            books.prefixes.extend(book.get("prefix").and_then(toml::Value::as_str).map(str::to_owned));
        }
        books
    }
}

fn jurisdictions(sources: &[Source<'_>], books: &Books) -> Vec<String> {
    let judge = |token: &Token| {
        let letters: String = token.text.to_lowercase().chars().filter(|c| c.is_alphanumeric()).collect();
        if let Some(name) = JURISDICTIONS.iter().find(|name| letters.contains(*name)) {
            return Some(format!("names {name}: {}", token.text));
        }
        if token.kind != Kind::Text {
            return None;
        }
        if books.ids.contains(&token.text) {
            return Some(format!("names the book \"{}\"", token.text));
        }
        let cites = |prefix: &String| citation(&token.text, prefix);
        books.prefixes.iter().find_map(cites).map(|cite| format!("cites {cite}"))
    };
    let offences = |source: &Source<'_>| {
        let judged = source.code.iter().filter_map(|token| judge(token).map(|what| source.file.at(token.line, what)));
        judged.collect::<Vec<_>>()
    };
    sources.iter().flat_map(offences).collect()
}

/// Finds a citation: the prefix of a book followed by a section number or a chapter.
fn citation<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    text.match_indices(prefix).map(|(at, _)| (at, &text[at + prefix.len()..])).find_map(|(at, rest)| {
        let section = rest.strip_prefix(' ')?;
        let is_section = section.starts_with(|c: char| c.is_ascii_digit()) || section.starts_with("Ch.");
        let starts_a_word = !text[..at].ends_with(char::is_alphanumeric);
        (is_section && starts_a_word).then(|| &text[at..])
    })
}

fn prices(sources: &[Source<'_>]) -> Vec<String> {
    let mut offences = Vec::new();
    for source in sources {
        let priced = source.literals().filter_map(|token| price(&token.text).map(|price| (token.line, price)));
        offences.extend(priced.map(|(line, price)| source.file.at(line, format!("a price in a string: {price}"))));
        for call in ["Odds::to(", "Odds::for_("] {
            let number_follows = |at: &usize| source.code.get(at + 5).is_some_and(|token| token.kind == Kind::Number);
            let calls = find(&source.code, call).into_iter().filter(number_follows);
            offences.extend(source.at(calls, &format!("a price in a call to {call}…)")));
        }
    }
    offences
}

/// Finds a price in a text. Examples of the format ("such as") and ranges ("from 2 to 12") don't count.
fn price(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    if words.windows(2).any(|pair| pair == ["such", "as"]) {
        return None;
    }
    words.windows(3).enumerate().find_map(|(at, window)| {
        let [win, link, per] = window else { return None };
        let priced = ["to", "for"].contains(link)
            && win.ends_with(|c: char| c.is_ascii_digit())
            && per.trim_start_matches(['"', '\'', '`']).starts_with(|c: char| c.is_ascii_digit());
        let range = *link == "to" && at > 0 && words[at - 1].eq_ignore_ascii_case("from");
        (priced && !range).then(|| window.join(" "))
    })
}

fn without_help(files: &[File]) -> Vec<Source<'_>> {
    shipped(files).into_iter().map(Source::without_help).collect()
}

#[test]
fn no_jurisdiction_is_named_in_the_code_of_a_crate() {
    let books = Books::of(files());
    assert!(!books.ids.is_empty() && !books.prefixes.is_empty(), "rulebooks/ contains no book");
    none(jurisdictions(&without_help(files()), &books));
}

#[test]
fn a_named_jurisdiction_is_found() {
    let files = [
        File::new("rulebooks/nj-automated/book.toml", "prefix = 'NJ'"),
        File::new("rulebooks/md/book.toml", "prefix = 'MD'"),
        File::new(
            "crates/a/src/lib.rs",
            "// Colorado\nfn new_jersey() {}\nstruct InMARYLAND;\n\"In New \\\n Jersey\"\n\"md\"\n\"see MD Ch.5\"\n\"NJ 1.2\"\n\
             'm' \"mdx\" \"NJ rules\" \"SMD Ch.1\"\n#[cfg(test)] mod tests { \"md\" }",
        ),
    ];
    let expected = [
        "crates/a/src/lib.rs:2: names newjersey: new_jersey",
        "crates/a/src/lib.rs:3: names maryland: InMARYLAND",
        "crates/a/src/lib.rs:4: names newjersey: In New Jersey",
        "crates/a/src/lib.rs:6: names the book \"md\"",
        "crates/a/src/lib.rs:7: cites MD Ch.5",
        "crates/a/src/lib.rs:8: cites NJ 1.2",
    ];
    assert_eq!(jurisdictions(&without_help(&files), &Books::of(&files)), expected);
}

#[test]
fn no_price_is_written_in_the_code_of_a_crate() {
    none(prices(&without_help(files())));
}

#[test]
fn a_written_price_is_found() {
    let text = "/// 7 to 6\n\"pays 7 to 6.\"\n\"30 for 1\"\nOdds::to(9, 5)\nOdds :: for_ (7, 1)\n\"field/12:3 to 1,\"\n\
                \"a price such as 4 to 1\" \"from 2 to 12\" \"{} to {}\" Odds::to(win, per)";
    let files = [File::new("crates/a/src/lib.rs", text)];
    let expected = [
        "crates/a/src/lib.rs:2: a price in a string: 7 to 6.",
        "crates/a/src/lib.rs:3: a price in a string: 30 for 1",
        "crates/a/src/lib.rs:6: a price in a string: field/12:3 to 1,",
        "crates/a/src/lib.rs:4: a price in a call to Odds::to(…)",
        "crates/a/src/lib.rs:5: a price in a call to Odds::for_(…)",
    ];
    assert_eq!(prices(&without_help(&files)), expected);
}
