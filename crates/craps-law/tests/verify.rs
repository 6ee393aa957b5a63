//! Each mistake in a book that loads is found, and nothing else is. Books are compared line by line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{Aspect, Library, Source, diff};

/// Loads the built-in books with one text in one file replaced, and returns what verify says of the file's book.
fn findings(path: &str, from: &str, to: &str) -> Vec<String> {
    let mut sources = Library::shipped_sources();
    let file = sources.iter_mut().find(|source| source.path == path).unwrap();
    assert!(file.text.contains(from), "{path} has no {from}");
    file.text = file.text.replacen(from, to, 1);
    verified(&sources, path.split('/').next().unwrap())
}

fn verified(sources: &[Source], book: &str) -> Vec<String> {
    let library = Library::load(sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    library.book(book).unwrap().verify().iter().map(ToString::to_string).collect()
}

/// The built-in books with a text added to the end of a file.
fn longer(path: &str, more: &str) -> Vec<String> {
    let mut sources = Library::shipped_sources();
    let file = sources.iter_mut().find(|source| source.path == path).unwrap();
    file.text.push_str(more);
    verified(&sources, path.split('/').next().unwrap())
}

#[test]
fn sections_are_listed_once_and_cited_or_said_to_decide_nothing() {
    let section = |cite: &str, more: &str| format!("\n[[section]]\ncite = '{cite}'\ntitle = 't'\ngist = 'g'\n{more}");
    assert_eq!(longer("nj/sections.toml", &section("NJ 9.9", "decides_nothing = 'old'\n")), Vec::<String>::new());
    assert_eq!(
        longer("nj/sections.toml", &section("NJ 9.9", "")),
        ["nj: NJ 9.9 is not cited and has no `decides_nothing`"]
    );
    let twice = longer("nj/sections.toml", &section("NJ 1.4", ""));
    assert!(twice.contains(&"nj: NJ 1.4 is listed twice".to_owned()), "{twice:?}");
    let from = "cite  = \"NJ 1.1\"\n";
    let cited = findings("nj/sections.toml", from, &format!("{from}decides_nothing = 'only defines'\n"));
    assert!(cited.iter().all(|finding| finding == "nj: NJ 1.1 has `decides_nothing` but is cited"), "{cited:?}");
    // A derived book answers for the sections of its own file.
    let own = longer("nj-automated/sections.toml", &section("NJ 9.9", ""));
    assert_eq!(own, ["nj-automated: NJ 9.9 is not cited and has no `decides_nothing`"]);
}

#[test]
fn readings_are_listed_and_their_switches_are_the_house_s() {
    let missing = findings("nj/readings.toml", "id       = \"A-37\"", "id       = \"A-937\"");
    assert!(missing.contains(&"nj: reading A-37 is not listed".to_owned()), "{missing:?}");
    let from = "switch   = \"off_calls_any\"";
    assert_eq!(
        findings("nj/readings.toml", from, "switch   = \"dice.kind\""),
        ["nj: reading A-37 has the switch dice.kind, which the book doesn't leave to the house"]
    );
}

#[test]
fn a_wager_has_all_facts_on_every_day_on_which_it_is_offered() {
    for (fact, from) in [
        ("make", "make  = { is = \"before_come_out\", cite = \"NJ 1.2(a)1\""),
        ("lower", "lower = { is = \"until_point_set\", cite = \"NJ 1.3(c)1\""),
        ("works", "works = { come_out = \"on\", call = \"none\", cite = \"NJ 1.3(e)\""),
        ("price", "price = { is = \"at_least\", cite = \"NJ 1.4(b)\""),
    ] {
        let late = findings("nj/wagers/line.toml", from, &format!("{from}, from = 2020-01-01"));
        let expected = format!("nj: pass has no `{fact}` on some days it is offered");
        assert!(late.contains(&expected), "{fact}: {late:?}");
    }
    let late = findings(
        "nj/wagers/line.toml",
        "[[wager.pays]]\ncite  = \"NJ 1.4(b)\"",
        "[[wager.pays]]\nfrom = 2020-01-01\ncite  = \"NJ 1.4(b)\"",
    );
    assert!(late.contains(&"nj: pass has no `pays` on some days it is offered".to_owned()), "{late:?}");
}

#[test]
fn options_exist_and_their_commission_can_be_taken() {
    let option = "[[option]]\nkey     = \"fire.offered\"\nallow   = { one_of = [\"yes\", \"no\"] }\ndefault = \"no\"\ncite    = [\"NJ 1.2(a)40\", \"NJ 1.12(a)\"]\n";
    let without = findings("nj/house.toml", option, "");
    let expected = "nj: fire is offered by fire.offered, but no option says what the house may choose";
    assert!(without.contains(&expected.to_owned()), "{without:?}");
    let on_win =
        "[[wager.commission]]\ntiming = \"on_win\"\nbase   = \"stake\"\nmost   = \"5%\"\ncite   = \"NJ 1.5(b)\"\n";
    let never = findings("nj/wagers/number.toml", on_win, "");
    assert!(never.iter().any(|finding| finding.contains("allows on_win, but lay-")), "{never:?}");
}

#[test]
fn switches_agree_with_the_facts_that_they_switch() {
    let from = "works = { come_out = \"on\", call = \"none\", cite = \"PA 623a.6(c)\", reading = \"A-35\"";
    let other = findings("pa/wagers/line.toml", from, &from.replacen("\"on\"", "\"off\"", 1));
    assert!(
        other
            .iter()
            .any(|finding| finding.contains("works is off, but the default of come_odds.on_comeout makes it on")),
        "{other:?}"
    );
}

#[test]
fn a_book_differs_from_itself_in_nothing_and_from_others_both_ways() {
    let library = Library::shipped();
    for one in &library.books {
        assert_eq!(diff((one, None), (one, None)), [], "{}", one.id);
        assert!(!one.lines(None).is_empty());
        for other in library.books.iter().filter(|other| other.id != one.id) {
            let (there, back) = (diff((one, None), (other, None)), diff((other, None), (one, None)));
            assert!(!there.is_empty(), "{} and {}", one.id, other.id);
            let count = |all: &[craps_law::Difference]| all.iter().map(|row| row.subjects.len()).sum::<usize>();
            assert_eq!(count(&there), count(&back), "{} and {}", one.id, other.id);
            for row in &there {
                assert!(row.left != row.right && !matches!(row.aspect, Aspect::Amended(_)), "{row:?}");
                let turned = back.iter().filter(|back| back.aspect == row.aspect && back.left == row.right);
                assert!(
                    turned.flat_map(|back| &back.subjects).any(|subject| row.subjects.contains(subject)),
                    "{row:?}"
                );
            }
        }
    }
}

#[test]
fn lines_hold_on_their_days_and_turns_are_the_days_between() {
    let library = Library::shipped();
    for book in &library.books {
        let turns = book.turns();
        if let Some(first) = &book.in_force {
            assert!(turns.contains(&first.from));
            let before = book.lines(Some("2000-01-01".parse().unwrap()));
            assert!(before.iter().all(|line| line.aspect == Aspect::InForce), "{}: {before:?}", book.id);
        }
        for day in &turns {
            for line in book.lines(Some(*day)) {
                assert!(line.days.hold(Some(*day)), "{}: {line:?}", book.id);
            }
        }
        for line in book.lines(None) {
            assert!([line.days.from, line.days.until].into_iter().flatten().all(|day| turns.contains(&day)));
            assert!(!line.subject.is_empty() && !line.value.is_empty(), "{line:?}");
        }
        for law in book.wagers_on(Some(book.sample_day)) {
            let slug = law.wager.wager().slug;
            let lines = book.lines(Some(book.sample_day));
            let about = |aspect: &Aspect| lines.iter().any(|line| line.subject == slug && line.aspect == *aspect);
            for aspect in [Aspect::Make, Aspect::Raise, Aspect::Lower, Aspect::ComeOut, Aspect::Price] {
                assert!(about(&aspect), "{}: {slug} has no {aspect}", book.id);
            }
        }
    }
}
