//! `boxperson law new`: the book that it writes can be verified, priced, checked and played at once.

use crate::support::{Run, boxperson, boxperson_with_input};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// A folder of books with one new book in it.
struct Fresh {
    folder: TempDir,
}

impl Fresh {
    fn new() -> Fresh {
        let fresh = Fresh { folder: tempfile::tempdir().unwrap() };
        let name = "The \"New\" Place";
        let books = fresh.books();
        let run = boxperson(&["law", "new", "new-place", "--prefix", "NP", "--name", name, "--into", books.as_str()]);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{}", run.out);
        // The folder has a space, so the commands quote it.
        for words in ["law verify new-place", "odds --book new-place", "play --house new-place", "serve --rulebooks '"]
        {
            assert!(run.out.contains(words), "{words}: {}", run.out);
        }
        fresh
    }

    fn books(&self) -> String {
        self.folder.path().join("my books").to_str().unwrap().to_owned()
    }

    fn file(&self, name: &str) -> PathBuf {
        Path::new(&self.books()).join("new-place").join(name)
    }

    fn game(&self) -> String {
        self.file("vectors/first.cgn").to_str().unwrap().to_owned()
    }

    fn run(&self, args: &[&str]) -> Run {
        boxperson(&[args, &["--rulebooks", self.books().as_str()]].concat())
    }

    fn edge(&self, wager: &str) -> String {
        let run = self.run(&["odds", wager, "--book", "new-place", "--format", "json"]);
        let records: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{}", run.err));
        records[0]["edge"].as_str().unwrap().to_owned()
    }
}

/// Returns all files below a folder with their texts, sorted by path.
fn everything(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        if path.is_dir() {
            all.extend(everything(&path));
        } else {
            let text = fs::read_to_string(&path).unwrap();
            all.push((path, text));
        }
    }
    all.sort();
    all
}

#[test]
fn a_new_book_has_no_findings_and_says_what_it_leaves_to_the_usual_crew() {
    let fresh = Fresh::new();
    let verified = fresh.run(&["law", "verify", "new-place"]);
    assert_eq!((verified.code, verified.err.as_str()), (0, ""), "{}", verified.out);
    let words = verified.out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.starts_with("1 book, no findings note: new-place doesn't say who may seat a player, "), "{words}");
    assert!(words.ends_with(" or rule on a payment; the usual crew does it"), "{words}");
    assert!(verified.out.lines().all(|line| line.chars().count() <= 100), "{}", verified.out);
    // Data on standard output has findings only.
    let json = fresh.run(&["law", "verify", "new-place", "--format", "json"]);
    assert_eq!((json.code, json.out.trim()), (0, "[]"));
    assert!(json.err.contains("note: new-place doesn't say who may seat a player"), "{}", json.err);
    // An answer takes its verb off the list.
    let procedure = fs::read_to_string(fresh.file("procedure.toml")).unwrap();
    let rule = "\n[[rule]]\ntopic = \"may.join\"\nis    = [\"player\"]\ncite  = \"NP 6(b)\"\n";
    fs::write(fresh.file("procedure.toml"), procedure + rule).unwrap();
    let verified = fresh.run(&["law", "verify", "new-place"]);
    assert!(verified.code == 0 && verified.out.contains("who may make a buy-in, "), "{}", verified.out);
}

#[test]
fn a_new_book_is_priced_checked_and_played() {
    let fresh = Fresh::new();
    for (wager, edge) in [("pass", "7/495"), ("place-win-6", "1/66"), ("field", "1/18"), ("any-seven", "1/6")] {
        assert_eq!(fresh.edge(wager), edge, "{wager}");
    }
    let listed = fresh.run(&["law", "list", "--format", "csv"]).out;
    assert!(listed.contains("new-place,\"The \"\"New\"\" Place\","), "{listed}");
    let checked = fresh.run(&["check", fresh.game().as_str()]);
    assert_eq!(checked.code, 0, "{}{}", checked.out, checked.err);
    let books = fresh.books();
    let args = ["play", "--plain", "--house", "new-place", "--seed", "7", "--rulebooks", books.as_str()];
    let played = boxperson_with_input(&args, "pass 10\nroll\n");
    assert!(played.code == 0 && played.out.contains("ok: pass line for 10"), "{}{}", played.out, played.err);
    // Another price changes the odds, and the worked game tells of it.
    let text = fs::read_to_string(fresh.file("wagers/one_roll.toml")).unwrap();
    fs::write(fresh.file("wagers/one_roll.toml"), text.replace("4 to 1", "5 to 1")).unwrap();
    assert_eq!(fresh.edge("any-seven"), "0");
    assert_eq!(fresh.run(&["check", fresh.game().as_str()]).code, 1);
}

#[test]
fn without_options_the_prefix_and_the_name_come_from_the_id() {
    let folder = tempfile::tempdir().unwrap();
    let into = folder.path().to_str().unwrap();
    assert_eq!(boxperson(&["law", "new", "far-away", "--into", into]).code, 0);
    let book = fs::read_to_string(folder.path().join("far-away/book.toml")).unwrap();
    assert!(book.contains("name   = \"Far Away\"\n") && book.contains("prefix = \"FARAWAY\"\n"), "{book}");
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["far-away"], "nothing else is left in the folder");
    for (path, text) in everything(folder.path()) {
        let open = ["{id}", "{prefix}", "{name}"].into_iter().find(|open| text.contains(open));
        assert_eq!(open, None, "{}", path.display());
    }
}

#[test]
fn nothing_is_written_over_and_a_bad_id_is_refused_with_what_was_expected() {
    let fresh = Fresh::new();
    let (books, file) = (fresh.books(), fresh.game());
    let inside = fresh.file("").to_str().unwrap().to_owned();
    let before = everything(fresh.folder.path());
    let rows: [(&[&str], &str); 10] = [
        (&["new-place"], "new-place exists already; choose another id"),
        (&["Far Away"], "`Far Away` can't be the id of a book: expected lowercase letters"),
        (&["Far Away"], "such as `far-away`"),
        (&["../away"], "such as `away`"),
        (&["7-up"], "with a letter first"),
        (&[""], "expected lowercase letters, digits and hyphens"),
        (&["topics"], "the folder with this name has the questions that books answer"),
        (&["pa"], "there is a book `pa` already (Pennsylvania); choose another id"),
        (&["away", "--prefix", "a b"], "`a b` can't be the prefix of citations: expected capital letters"),
        (&["away", "--name", "two\nlines"], "--name: expected the name of the book in one line"),
    ];
    for (args, expected) in rows {
        let run = boxperson(&[&["law", "new"][..], args, &["--into", books.as_str()]].concat());
        assert_eq!((run.code, run.out.as_str()), (2, ""), "{args:?}");
        assert!(run.err.contains(expected), "{args:?}: {}", run.err);
    }
    for (into, expected) in
        [(&inside, "is one book; --into takes the folder that contains the books"), (&file, "first.cgn")]
    {
        let run = boxperson(&["law", "new", "away", "--into", into.as_str()]);
        assert!(run.code == 2 && run.out.is_empty() && run.err.contains(expected), "{}{}", run.out, run.err);
    }
    assert_eq!(everything(fresh.folder.path()), before);
    // A book of the user's own folder is known too.
    let again = fresh.run(&["law", "new", "new-place", "--into", fresh.folder.path().to_str().unwrap()]);
    assert!(again.code == 2 && again.err.contains("there is a book `new-place` already"), "{}", again.err);
}
