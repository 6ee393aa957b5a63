//! Books from a folder are used together with the built-in ones.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{BookFolder, Library, NotLoaded, Source};
use std::fs;
use tempfile::TempDir;

/// A book that is based on New Jersey's.
const ELSEWHERE: &str = "name = 'Elsewhere'\ntext = 'Its rules'\nprefix = 'NJ'\nbased_on = 'nj'\nsample_day = 2024-01-01\n\
                         game = [{ is = 'craps', cite = 'NJ 1.2(a)' }]\n";
/// The same book with a line that can't be read.
const BROKEN: &str = "name = 5\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn paths(sources: &[Source], start: &str) -> Vec<String> {
    sources.iter().map(|source| source.path.clone()).filter(|path| path.starts_with(start)).collect()
}

fn ids(library: &Library) -> Vec<&str> {
    library.books.iter().map(|book| book.id.as_str()).collect()
}

/// Returns the ids of the built-in books and these.
fn with_built_in(more: &[&str]) -> Vec<String> {
    let mut all: Vec<String> = Library::shipped().books.iter().map(|book| book.id.clone()).collect();
    all.extend(more.iter().map(ToString::to_string));
    all
}

#[test]
fn a_new_book_is_added_to_the_built_in_ones() {
    let folder = folder(&[("zz/book.toml", ELSEWHERE)]);
    let library = Library::load_folder(folder.path()).unwrap();
    assert_eq!(ids(&library), with_built_in(&["zz"]));
    assert_eq!(library.book("zz").unwrap().name, "Elsewhere");
    assert_eq!(library.topics, Library::shipped().topics);
}

#[test]
fn a_book_of_the_same_name_replaces_the_whole_built_in_one() {
    let folder = folder(&[("pa/book.toml", ELSEWHERE)]);
    let read = BookFolder::read(folder.path()).unwrap();
    assert_eq!(paths(&read.sources, "pa/"), ["pa/book.toml"]);
    assert_eq!(paths(&read.sources, "md/"), paths(&Library::shipped_sources(), "md/"));
    let library = Library::load_folder(folder.path()).unwrap();
    assert_eq!(ids(&library), with_built_in(&[]));
    assert_eq!(library.book("pa").unwrap().name, "Elsewhere");
}

#[test]
fn only_toml_files_are_read_at_any_depth_and_sorted_by_name() {
    let folder = folder(&[
        ("zz/wagers/b.toml", ""),
        ("zz/wagers/a.toml", ""),
        ("zz/wagers/a.toml.bak", "not toml"),
        ("zz/vectors/a.cgn", "not toml"),
        ("zz/toml", "not toml"),
        ("zz/book.toml", ELSEWHERE),
        ("README.md", "not toml"),
    ]);
    let read = BookFolder::read(folder.path()).unwrap();
    let shipped = Library::shipped_sources().len();
    assert_eq!(paths(&read.sources[shipped..], ""), ["zz/book.toml", "zz/wagers/a.toml", "zz/wagers/b.toml"]);
    assert_eq!(read.sources[shipped].text, ELSEWHERE);
    assert!(Library::load_folder(folder.path()).is_ok());
}

#[test]
fn topics_are_merged_with_the_built_in_ones() {
    let known =
        "[[topic]]\nname = 'bets.deadline'\nasks = 'When?'\nkind = 'word'\nwords = ['before_throw', 'at_noon']\n";
    let new = "[[topic]]\nname = 'bets.on_sundays'\nasks = 'On Sundays?'\nkind = 'yes_no'\n";
    let answers = "[[rule]]\ntopic = 'bets.deadline'\nis = 'at_noon'\ncite = 'NJ 1.2(a)'\n\
                   [[rule]]\ntopic = 'bets.on_sundays'\nis = true\ncite = 'NJ 1.2(a)'\n";
    let folder = folder(&[
        // The file has the name of a built-in one and does not replace it.
        ("topics/bets.toml", &format!("{known}{new}")),
        ("zz/book.toml", ELSEWHERE),
        ("zz/procedure.toml", answers),
    ]);
    let (library, shipped) = (Library::load_folder(folder.path()).unwrap(), Library::shipped());
    assert_eq!(library.topics.len(), shipped.topics.len() + 1);
    assert_eq!(library.topics["bets.on_sundays"].asks, "On Sundays?");
    let (known, before) = (&library.topics["bets.deadline"], &shipped.topics["bets.deadline"]);
    assert_eq!(known.asks, before.asks);
    assert_eq!(known.words, [&before.words[..], &["at_noon".to_owned()]].concat());
}

#[test]
fn a_topic_keeps_its_kind_of_answer() {
    let topic = "[[topic]]\nname = \"bets.deadline\"\nasks = 'When?'\nkind = 'yes_no'\n";
    let folder = folder(&[("topics/own.toml", topic), ("zz/book.toml", ELSEWHERE)]);
    let error = Library::load_folder(folder.path()).unwrap_err().to_string();
    let place = format!("{}/topics/own.toml:2:8", folder.path().display());
    assert_eq!(error, format!("{place}: topic `bets.deadline` is already defined with another kind of answer"));
}

#[test]
fn a_mistake_has_the_path_in_the_folder_and_the_text_is_returned_under_it() {
    let folder = folder(&[("zz/book.toml", BROKEN)]);
    let path = format!("{}/zz/book.toml", folder.path().display());
    let error = Library::load_folder(folder.path()).unwrap_err();
    assert_eq!(error.to_string(), format!("{path}:1:8: invalid type: integer `5`, expected a string"));
    let NotLoaded::Mistakes { errors, sources } = error else { panic!("{error}") };
    assert_eq!(errors[0].path, path);
    assert_eq!(sources[0], Source { path, text: BROKEN.to_owned() });
    assert_eq!(sources.len(), Library::shipped_sources().len() + 1);
    // A built-in text keeps its own path.
    assert_eq!(paths(&sources, "pa/book.toml"), ["pa/book.toml"]);
}

#[test]
fn a_folder_is_refused_when_it_is_one_book_or_has_none_or_is_not_there() {
    let refused = |folder: &std::path::Path| {
        let said = BookFolder::read(folder).unwrap_err().to_string();
        assert_eq!(Library::load_folder(folder).unwrap_err().to_string(), said);
        assert_eq!(Library::load_folder_readable(folder).unwrap_err().to_string(), said);
        said
    };
    let one = folder(&[("book.toml", ELSEWHERE)]);
    let expected = format!("{} is one book: expected the folder that holds books", one.path().display());
    assert_eq!(refused(one.path()), expected);
    let empty = folder(&[("README.md", "nothing")]);
    let expected = format!("{} has no rule book: expected folders with a book.toml", empty.path().display());
    assert_eq!(refused(empty.path()), expected);
    let missing = empty.path().join("missing");
    assert!(refused(&missing).starts_with(&format!("{}: ", missing.display())));
    let binary = folder(&[("zz/book.toml", "")]);
    let path = binary.path().join("zz/book.toml");
    fs::write(&path, [0xff, 0xfe]).unwrap();
    assert_eq!(refused(binary.path()), format!("{}: stream did not contain valid UTF-8", path.display()));
}

#[test]
fn bad_books_are_left_out_and_the_good_ones_are_kept() {
    let folder = folder(&[("zz/book.toml", ELSEWHERE), ("yy/book.toml", BROKEN), ("yy/sections.toml", "")]);
    let (library, wrong) = Library::load_folder_readable(folder.path()).unwrap();
    assert_eq!(ids(&library), with_built_in(&["zz"]));
    let path = format!("{}/yy/book.toml", folder.path().display());
    assert_eq!(wrong.unwrap().to_string(), format!("{path}:1:8: invalid type: integer `5`, expected a string"));
}

#[test]
fn every_bad_book_is_named_even_if_its_mistake_is_found_later() {
    // A book that can't be read hides the mistakes that are found when books are put together.
    let later = ELSEWHERE.replace("'nj'", "'mars'");
    let folder = folder(&[("xx/book.toml", &later), ("yy/book.toml", BROKEN), ("zz/book.toml", ELSEWHERE)]);
    let (library, wrong) = Library::load_folder_readable(folder.path()).unwrap();
    assert_eq!(ids(&library).last(), Some(&"zz"));
    let at = folder.path().display();
    assert_eq!(
        wrong.unwrap().to_string(),
        format!(
            "{at}/yy/book.toml:1:8: invalid type: integer `5`, expected a string\n\
             {at}/xx/book.toml: based_on = \"mars\": unknown book, or books that are based on each other"
        )
    );
}

#[test]
fn nothing_is_wrong_with_a_folder_of_good_books() {
    let folder = folder(&[("zz/book.toml", ELSEWHERE)]);
    let (library, wrong) = Library::load_folder_readable(folder.path()).unwrap();
    assert!(library.book("zz").is_some() && wrong.is_none(), "{wrong:?}");
}

#[test]
fn a_mistake_in_a_built_in_book_keeps_its_path_and_can_not_be_left_out() {
    // The new base of New Jersey's automated game doesn't have the bet that that book withdraws.
    let base = "based_on = 'md'\nwithdraws = [{ ids = ['fire'], cite = 'NJ 1.2(a)' }]";
    let folder = folder(&[("nj/book.toml", &ELSEWHERE.replace("based_on = 'nj'", base))]);
    let expected = "nj-automated/book.toml: withdraws `fire`, which its base doesn't have";
    assert_eq!(Library::load_folder(folder.path()).unwrap_err().to_string(), expected);
    assert_eq!(Library::load_folder_readable(folder.path()).unwrap_err().to_string(), expected);
}
