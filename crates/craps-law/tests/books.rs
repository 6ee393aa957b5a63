//! Tests that apply to every built-in book.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::view::Shown;
use craps_law::{HouseRules, Library, Source};

#[test]
fn every_book_verifies() {
    let findings: Vec<String> =
        Library::shipped().books.iter().flat_map(|book| book.verify()).map(|finding| finding.to_string()).collect();
    assert!(findings.is_empty(), "{} findings:\n{}", findings.len(), findings.join("\n"));
}

#[test]
fn a_house_that_names_nothing_may_play_by_every_book() {
    for book in Library::shipped().books {
        let house = HouseRules::plain(&book.id, book.sample_day);
        let rules = book.admit(&house).unwrap_or_else(|problems| panic!("{}: {problems:?}", book.id));
        assert!(rules.wagers.len() > 40, "{}", book.id);
    }
}

#[test]
fn books_are_listed_by_their_order_and_then_by_id() {
    let mut sources = Library::shipped_sources();
    for (id, order) in [("zz", "order = 2\n"), ("yy", ""), ("aa", "")] {
        let rest = "name = 'Elsewhere'\ntext = 'Its rules'\nprefix = 'NJ'\nbased_on = 'nj'\nsample_day = 2024-01-01\ngame = [{ is = 'craps', cite = 'NJ 1.2(a)' }]\n";
        sources.push(Source { path: format!("{id}/book.toml"), text: format!("{order}{rest}") });
    }
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    let ids: Vec<&str> = library.in_order().iter().map(|book| book.id.as_str()).collect();
    assert_eq!(ids[..4], ["pa", "md", "zz", "nj"]);
    assert_eq!(ids[ids.len() - 2..], ["aa", "yy"]);
}

/// Loads a book that is based on a built-in one, and returns what is wrong with its citation or sections.
fn derived(sections: &str, cite: &str) -> Vec<String> {
    let mut sources = Library::shipped_sources();
    let mut add = |path: &str, text: String| sources.push(Source { path: format!("zz/{path}"), text });
    add(
        "book.toml",
        format!(
            "name = 'Elsewhere'\ntext = 'Its rules'\nprefix = 'ZZ'\nbased_on = 'nj'\nsample_day = 2024-01-01\ngame = [{{ is = 'craps', cite = '{cite}' }}]\n"
        ),
    );
    add("sections.toml", sections.to_owned());
    let rule = "[[rule]]\ntopic = 'dice.change_hours'\nis = 12\n";
    add("procedure.toml", format!("{rule}cite = '{cite}'\n"));
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    library.book("zz").unwrap().verify().into_iter().map(|finding| finding.message).collect()
}

#[test]
fn a_book_may_be_based_on_one_of_another_place() {
    let section = "[[section]]\ncite = 'ZZ 6'\ntitle = 't'\ngist = 'g'\n";
    assert_eq!(derived(section, "ZZ 6(a)"), Vec::<String>::new());
    assert_eq!(derived(section, "QX 6(a)")[0], "QX 6(a) doesn't begin with ZZ or NJ");
}

#[test]
fn decimal_citations_resolve_below_their_section_and_below_its_parts() {
    let nested = "[[section]]\ncite = 'ZZ 6.1'\ntitle = 't'\ngist = 'g'\n";
    assert_eq!(derived(nested, "ZZ 6.1.1"), Vec::<String>::new());
    assert_eq!(derived(nested, "ZZ 6.10")[0], "ZZ 6.10 is not a listed section");
    let part = "[[section]]\ncite = 'ZZ 6'\ntitle = 't'\ngist = 'g'\ndecides_nothing = 'only its parts do'\npart = [{ at = '.1', gist = 'g' }]\n";
    assert_eq!(derived(part, "ZZ 6.1"), Vec::<String>::new());
    assert_eq!(derived(part, "ZZ 6.1.4"), Vec::<String>::new());
    assert_eq!(derived(part, "ZZ 6.2")[0], "ZZ 6.2 is not a listed section");
}

#[test]
fn a_topic_belongs_to_the_area_that_its_file_is_titled() {
    let mut sources = Library::shipped_sources();
    let mut add = |path: &str, text: &str| sources.push(Source { path: path.to_owned(), text: text.to_owned() });
    let phase = "[[topic]]\nname = 'moon.phase'\nasks = 'Which moon?'\nkind = 'word'\nwords = ['full']\n";
    add("topics/full_moon.toml", phase);
    // More words for a topic don't move it to another area.
    add("topics/more.toml", &format!("title = 'Tides'\n{}", phase.replace("full", "new")));
    add("topics/tides.toml", "title = 'Tides'\n[[topic]]\nname = 'tide.high'\nasks = 'High?'\nkind = 'yes_no'\n");
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{}", errors[0]));
    let area = |topic: &str| library.topics[topic].area.as_str();
    assert_eq!(area("moon.phase"), "Full moon");
    assert_eq!(library.topics["moon.phase"].words, ["full", "new"]);
    assert_eq!(area("tide.high"), "Tides");
    assert_eq!(area("bets.deadline"), "Making bets");
    assert_eq!(area("call.come_points"), area("settle.dice_brought_to"));
}

#[test]
fn every_shipped_topic_file_has_a_title() {
    let sources = Library::shipped_sources();
    let files: Vec<&Source> = sources.iter().filter(|source| source.path.starts_with("topics/")).collect();
    assert!(files.len() > 30, "{}", files.len());
    for file in files {
        assert!(file.text.starts_with("title = \""), "{}", file.path);
    }
}

/// Returns the citation of the part under which a fact is listed.
fn part_of(book: &str, section: &str, subject: &str, aspect: &str) -> Option<String> {
    let library = Library::shipped();
    let Ok(Shown::Section(view)) = library.book(book).unwrap().show(section, None) else { panic!("{section}") };
    let is_it = |at: &usize| view.facts[*at].subject == subject && view.facts[*at].aspect == aspect;
    let under = view.under.iter().find(|under| under.facts.iter().any(is_it));
    under.unwrap_or_else(|| panic!("{section} has no {subject} {aspect}")).part.clone()
}

#[test]
fn a_fact_is_under_the_innermost_part_of_the_section_that_it_cites() {
    let library = Library::shipped();
    for book in &library.books {
        for section in book.contents(None) {
            assert_eq!(section.under[0].part, None, "{}", section.cite);
            let mut facts: Vec<usize> = section.under.iter().flat_map(|under| under.facts.clone()).collect();
            facts.sort_unstable();
            assert!(facts.iter().copied().eq(0..section.facts.len()), "{}: every fact once", section.cite);
            let readings: usize = section.under.iter().map(|under| under.readings.len()).sum();
            assert_eq!(readings, section.readings.len(), "{}", section.cite);
        }
    }
    assert_eq!(part_of("pa", "623a.3", "book", "wagers").as_deref(), Some("PA 623a.3(a)"));
    assert_eq!(part_of("pa", "623a.3", "pass", "offer").as_deref(), Some("PA 623a.3(a)(1)"));
    let range = part_of("md", "Ch.3", "hard-10", "offer");
    assert_eq!(range.as_deref(), Some("MD Ch.3 §A(7)"), "a range of paragraphs is under its first");
    let own = part_of("md", "Ch.5", "field", "pays");
    assert_eq!(own.as_deref(), Some("MD Ch.5 §A(21)-(22)"), "unless the range is a part of its own");
}
