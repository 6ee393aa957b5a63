//! Each mistake in a book that loads is found, and nothing else is. Books are compared line by line.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod changed;

use changed::replaced;
use craps_law::{Aspect, Library, Source, diff};

/// Loads the built-in books with one text in one file replaced, and returns what verify says of the file's book.
fn findings(path: &str, from: &str, to: &str) -> Vec<String> {
    verified(&replaced(path, from, to), path.split('/').next().unwrap())
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
    assert_eq!(cited, ["nj: NJ 1.1 has `decides_nothing` but is cited"]);
    // A derived book answers for the sections of its own file.
    let own = longer("nj-automated/sections.toml", &section("NJ 9.9", ""));
    assert_eq!(own, ["nj-automated: NJ 9.9 is not cited and has no `decides_nothing`"]);
}

#[test]
fn citations_are_of_the_book_and_a_derived_book_repeats_nothing() {
    let hardway = |to: &str| findings("pa/wagers/hardway.toml", "PA 623a.3(a)(7)-(10)", to);
    assert_eq!(hardway("PA 699z.1"), ["pa: PA 699z.1 is not a listed section"]);
    assert_eq!(hardway("QX 1.1"), ["pa: QX 1.1 doesn't begin with PA"]);
    let option = "[[option]]\nkey = 'vig.refund'\nallow = { one_of = ['yes', 'no'] }\ndefault = 'yes'\n\
                  cite = ['NJ 1.5(a)', 'NJ 1.5(b)']\nreading = ['A-58', 'S-01']\n[[option]]";
    let repeated = findings("nj-automated/house.toml", "[[option]]", option);
    assert_eq!(repeated, ["nj-automated: repeats its base: option vig.refund"]);
    let other = findings("nj-automated/house.toml", "[[option]]", &option.replace("default = 'yes'", "default = 'no'"));
    assert_eq!(other, Vec::<String>::new());
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
    let no_such = |word: &str| {
        let wagers = [4, 5, 6, 8, 9, 10].map(|number| format!("lay-{number}"));
        wagers.map(|wager| format!("nj: vig.lay.timing allows {word}, but {wager} has no such commission"))
    };
    // The topic about commission on lay bets notices it too.
    let by_topic = |finding: &String| finding.contains("one of the two is wrong");
    let of_options = |all: Vec<String>| all.into_iter().filter(|finding| !by_topic(finding)).collect::<Vec<_>>();
    assert_eq!(of_options(never), no_such("on_win"));
    let up_front = on_win.replace("on_win", "up_front");
    let late = findings("nj/wagers/number.toml", &format!("{up_front}{on_win}"), on_win);
    assert_eq!(of_options(late), no_such("upfront"));
    // A fixed timing counts too, even if the default differs.
    let mut sources = replaced("nj/wagers/number.toml", on_win, "");
    let house = replaced(
        "nj/house.toml",
        "key     = \"vig.lay.timing\"\nallow   = { one_of = [\"upfront\", \"on_win\"] }",
        "key     = \"vig.lay.timing\"\nallow   = { fixed = \"on_win\" }",
    );
    let is_house = |source: &&Source| source.path == "nj/house.toml";
    sources.retain(|source| !is_house(&source));
    sources.extend(house.iter().filter(is_house).cloned());
    assert_eq!(of_options(verified(&sources, "nj")), no_such("on_win"));
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
fn a_practice_table_can_be_opened() {
    let limits = "[[option]]\nkey     = \"limits\"\nallow   = \"any\"\ndefault = \"chip..\"\n";
    let fixed = |key: &str, amount: u32| {
        let (allow, default) = (format!("{{ fixed = '{amount}' }}"), format!("'{amount}'"));
        format!("[[option]]\nkey = '{key}'\nallow = {allow}\ndefault = {default}\ncite = 'NJ 1.6(f)'\n")
    };
    let crossed =
        |least: u32, most: u32| format!("{}{}{limits}", fixed("limits.min", least), fixed("limits.max", most));
    assert_eq!(findings("nj/house.toml", limits, &crossed(10, 20)), Vec::<String>::new());
    assert_eq!(
        findings("nj/house.toml", limits, &crossed(50, 20)),
        ["nj: no practice table: limits.min: 50 is above limits.max, which is 20 [NJ 1.6(f)]"]
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

#[test]
fn a_topic_that_judges_an_option_is_answered_on_all_its_days() {
    let topic = "topic = \"fire.most_spots\"\n";
    assert_eq!(
        findings("pa/procedure.toml", topic, &format!("{topic}until = 2020-01-01\n")),
        ["pa: layout.fire_spots is judged by fire.most_spots, which the book doesn't answer on all its days"]
    );
    let cap = "topic = \"tournament.cap_dollars\"\n";
    let found = findings(
        "co/procedure.toml",
        &format!("{cap}is    = 100000\n"),
        &format!("{cap}is    = 100000\nuntil = 2020-01-01\n"),
    );
    let both = ["tournament.buy_in", "tournament.entry_fee"];
    for key in both {
        let judged =
            format!("co: {key} is judged by tournament.cap_dollars, which the book doesn't answer on all its days");
        assert_eq!(found.iter().filter(|one| **one == judged).count(), 2, "{found:?}");
    }
}
