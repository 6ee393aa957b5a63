//! Casinos of several houses: their files, and what must be the same in all of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod changed;

use changed::replaced;
use craps_law::{Casino, HouseRules, Library, Source};

fn source(text: &str) -> Source {
    Source { path: "casino.toml".into(), text: text.into() }
}

/// Reads a casino file that lists no other files.
fn read(text: &str) -> Result<Casino, String> {
    Library::shipped().casino(&source(text), &[], None).map_err(|error| error.to_string())
}

/// What differs between houses of one book, each with the choices that it makes.
fn differing(library: &Library, book: &str, houses: &[(&str, &[(&str, &str)])]) -> Vec<String> {
    let book = library.book(book).unwrap();
    let house = |keys: &[(&str, &str)]| {
        let mut house = HouseRules::under(book, book.sample_day);
        keys.iter().for_each(|(key, value)| house.set(key, value).unwrap());
        house
    };
    let made: Vec<(&str, HouseRules)> = houses.iter().map(|(name, keys)| (*name, house(keys))).collect();
    let named: Vec<(&str, &HouseRules)> = made.iter().map(|(name, house)| (*name, house)).collect();
    book.uniform(&named).iter().map(ToString::to_string).collect()
}

#[test]
fn higher_prices_are_the_same_in_the_whole_casino() {
    let library = Library::shipped();
    let none = Vec::<String>::new();
    let ten = [("higher_odds", "hard-6:10 to 1")];
    // The same price in other words is the same price.
    let eleven = [("higher_odds", "hard-6:11 for 1")];
    assert_eq!(differing(&library, "nj", &[("A", &ten), ("B", &eleven)]), none);
    assert_eq!(differing(&library, "nj", &[("A", &ten)]), none);
    assert_eq!(
        differing(&library, "nj", &[("A", &ten), ("B", &[]), ("C", &eleven)]),
        [
            "higher_odds: hard-6 pays 10 to 1 at A, C and 9 to 1 at B; it must be the same throughout the casino and simulcasting facility [NJ 1.4(b), NJ 1.4(e)]"
        ]
    );
}

#[test]
fn listed_prices_need_not_be_the_same() {
    let library = Library::shipped();
    let none = Vec::<String>::new();
    // Each table of Fire is listed. Only what is paid above a table must be the same.
    assert_eq!(differing(&library, "nj", &[("A", &[("fire.table", "A")]), ("B", &[("fire.table", "B")])]), none);
    let more = [("fire.table", "A"), ("higher_odds", "fire/4:29 to 1")];
    assert_eq!(differing(&library, "nj", &[("A", &more), ("B", &[("fire.table", "B")])]), none);
    assert_eq!(differing(&library, "nj", &[("A", &more), ("B", &[])]), none, "one house doesn't offer it");
    assert_eq!(differing(&library, "nj", &[("A", &more), ("B", &[("fire.table", "A")])]).len(), 1);
    // This book has two listed prices for one bet and no rule that they are the same everywhere.
    let md = [("any_seven.pay", "26 to 5")];
    assert_eq!(differing(&library, "md", &[("A", &md), ("B", &[])]), none);
}

#[test]
fn any_choice_can_have_to_be_the_same() {
    let option = "key     = \"chip\"\nallow   = \"any\"\n";
    let sources = replaced("pa/house.toml", option, &format!("{option}uniform = \"casino\"\n"));
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(
        differing(&library, "pa", &[("A", &[("chip", "5")]), ("B", &[])]),
        ["chip: is 5 at A and 1 at B; it must be the same throughout the casino [PA 623a.4(b)]"]
    );
    assert_eq!(differing(&library, "pa", &[("A", &[("chip", "1")]), ("B", &[])]), Vec::<String>::new());
}

#[test]
fn houses_that_break_the_law_are_not_compared() {
    let library = Library::shipped();
    let unlawful = [("higher_odds", "hard-6:10 to 1"), ("odds.k", "1000")];
    assert_eq!(differing(&library, "nj", &[("A", &unlawful), ("B", &[])]), Vec::<String>::new());
}

#[test]
fn a_casino_lists_files_and_houses() {
    let text = "[casino]\nname = 'Hall'\nhouses = ['a.toml']\nbook = 'pa'\nas_of = 2023-10-01\n\
                [[house]]\nname = 'Two'\ngame = 'mini-craps'\nkeys = { odds.k = 3 }\n\
                [[house]]\nname = 'Three'\nbook = 'nj'\nas_of = 2024-01-01\n";
    assert_eq!(Casino::files(&source(text)).unwrap(), Some(vec!["a.toml".to_owned()]));
    let file = Source { path: "folder/a.toml".into(), text: "book = 'md'\nas_of = 2024-01-01\n".into() };
    let casino = Library::shipped().casino(&source(text), &[file], None).unwrap();
    assert_eq!(casino.name.as_deref(), Some("Hall"));
    let houses: Vec<(&str, &str, String)> = casino
        .houses
        .iter()
        .map(|(name, house)| (name.as_str(), house.book.as_str(), house.as_of.to_string()))
        .collect();
    assert_eq!(
        houses,
        [
            ("a.toml", "md", "2024-01-01".to_owned()),
            ("Two", "pa", "2023-10-01".to_owned()),
            ("Three", "nj", "2024-01-01".to_owned())
        ]
    );
    assert_eq!(casino.houses[1].1.tag(), "odds.k=3");
    let later = Library::shipped().casino(
        &source("[casino]\nbook = 'pa'\nas_of = 2023-10-01\n[[house]]\nname = 'A'"),
        &[],
        "2025-01-01".parse().ok(),
    );
    assert_eq!(later.unwrap().houses[0].1.as_of.to_string(), "2025-01-01");
    assert_eq!(Casino::files(&source("book = 'pa'")).unwrap(), None);
}

#[test]
fn mistakes_in_a_casino_are_named_with_their_place() {
    for (text, expected) in [
        ("[casino]\n", "casino.toml: no houses: list house files in `houses`, or add [[house]] tables"),
        ("casino = 5\n", "casino.toml:1:10: expected a table [casino], found `5`"),
        ("[casino]\nhouses = 'a.toml'\n", "casino.toml:2:10: expected a list of house files, found `'a.toml'`"),
        ("[casino]\nhouses = [5]\n", "casino.toml:2:11: expected the path of a house file in quotes, found `5`"),
        ("[casino]\nname = 5\n", "casino.toml:2:8: expected a string in quotes, found `5`"),
        ("[casino]\nowner = 'Al'\n", "casino.toml:2:1: unknown key `owner`: expected name, houses, book or as_of"),
        ("book = 'pa'\n[casino]\n", "casino.toml:1:1: unknown key `book`: expected [casino] or [[house]]"),
        ("[casino]\n[house]\nchip = 1\n", "casino.toml:2:1: expected [[house]] tables, found `[house]`"),
        ("[casino]\nas_of = 5\n", "casino.toml:2:9: expected a date such as 2023-10-01, found `5`"),
        (
            "[casino]\nbook = 'xx'\nas_of = 2024-01-01\n[[house]]\nname = 'A'\n",
            "casino.toml:2:8: unknown book `xx`: expected one of co, co-crapless, md, nj, nj-automated, pa",
        ),
        (
            "[casino]\nbook = 'pa'\nas_of = 2024-01-01\n[[house]]\nchip = 5\n",
            "casino.toml:5:1: unknown key `chip`: expected name, book, as_of, game or [house.keys]",
        ),
        (
            "[casino]\nbook = 'pa'\nas_of = 2024-01-01\n[[house]]\ngame = 'craps'\n",
            "casino.toml:4:1: a [[house]] needs a `name`, so that problems can name it",
        ),
        (
            "[casino]\nbook = 'pa'\nas_of = 2024-01-01\n[[house]]\nname = 'A'\nkeys = { odds.kk = 3 }\n",
            "casino.toml:6:15: unknown house key `odds.kk`; did you mean `odds.k`?",
        ),
    ] {
        let told = read(text).unwrap_err();
        // The list of books may be longer.
        assert!(told.starts_with(expected), "{text}: {told}");
    }
}
