//! Errors in a template come with their position and what was expected. Bets that a template has no area for get a cell.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{Game, HouseRules, Library, Source};
use craps_layout::{Layout, Sign, Template};
use craps_table::Board;

const SMALL: &str = r#"games = ["craps"]
points = "box"
surface = { w = 1000, h = 500, r = 100 }
ends = ["right"]
station = [{ seat = 1, at = [1040, 200], side = "right" }]
ring = { end = [[1]], centre = [[1]], row = [[1]] }
"#;

fn read(text: &str) -> Result<Template, String> {
    Template::read(&Source { path: "own.toml".into(), text: text.into() }).map_err(|error| error.to_string())
}

fn group(text: &str) -> String {
    format!("{SMALL}[[group]]\nend = \"right\"\n{text}\n")
}

#[test]
fn what_is_wrong_is_named_with_its_place_and_what_was_expected() {
    assert!(read(&group("")).is_ok());
    for (text, place, expected) in [
        ("games = 3".to_owned(), "own.toml:1:9", "invalid type"),
        (SMALL.replace("box", "six"), "own.toml:2:10", "expected one of: box, all_but_seven"),
        (SMALL.replace("craps", "keno"), "own.toml:1:10", "keno"),
        (SMALL.replace("surface = { w = 1000, h = 500, r = 100 }", ""), "own.toml: ", "`surface` is missing"),
        (format!("based_on = \"nothing\"\n{SMALL}"), "own.toml:1:12", "found `nothing`"),
        (format!("based_on = \"crapless\"\n{SMALL}"), "own.toml:1:12", "not itself based on another"),
        (format!("based_on = \"ten-foot\"\nwithout = [\"roof\"]\n{SMALL}"), "own.toml:2:12", "no group `roof`"),
        (group("colour = 1"), "own.toml:9:1", "unknown field `colour`"),
        (
            group("area = [{ id = \"X\", band = \"line\", bets = [\"QQ\"], rect = [0, 0, 9, 9] }]"),
            "own.toml:9:44",
            "no bet has the code `QQ`",
        ),
        (
            group("area = [{ id = \"X\", band = \"line\", bets = [\"P\"], path = \"M 0\" }]"),
            "own.toml:9:57",
            "found `M 0`",
        ),
        (
            group("text = [{ at = [1, 2], size = 20, text = \"{pay:P}\" }]"),
            "own.toml:9:42",
            "unknown placeholder `{pay}`: expected number, name",
        ),
        (
            group("text = [{ at = [1, 2], size = 20, text = \"{pays:QQ}\" }]"),
            "own.toml:9:42",
            "no bet has the code `QQ`",
        ),
        (group("when = [\"shelf:high\"]"), "own.toml:9:9", "there is no shelf `high`"),
        (group("when = [\"panel:high\"]"), "own.toml:9:9", "there is no panel `high`"),
        (group("when = [\"wall:QQ\"]"), "own.toml:9:9", "no bet has the code `QQ`"),
        (format!("rail = -1\n{SMALL}"), "own.toml:1:8", "expected a width of at least 0"),
        (
            group("each = [\"7\", \"x\"]\nmarker = [{ code = \"PL{n}\", at = [0, 0], r = 9, form = \"puck\" }]"),
            "own.toml:10:20",
            "no bet has the code `PL{n}`",
        ),
    ] {
        let error = read(&text).unwrap_err();
        assert!(error.starts_with(place) && error.contains(expected), "{error}\n{text}");
    }
}

/// Bets without an area and panels without room on a shelf get cells below everything else, and the surface grows to fit.
#[test]
fn a_bet_without_an_area_gets_a_cell_of_its_own() {
    let library = Library::shipped();
    let book = library.book("nj").unwrap();
    let rules = book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap();
    let shelf = "shelf = [{ name = \"low\", at = [0, 0], h = 50, gap = 5 }]\n";
    let area = "area = [{ id = \"P\", band = \"line\", bets = [\"P\", \"PO\"], rect = [0, 0, 9, 9] }]";
    for (text, placed) in [(group(area), true), (format!("{shelf}{}", group("panel = 60\nwhen = [\"P\"]")), false)] {
        let template = read(&text).unwrap();
        let layout = Layout::new(&template, book, &rules, &Sign::default()).unwrap();
        let codes: Vec<&str> = layout.areas.iter().flat_map(|area| area.codes()).collect();
        for (_, slot) in Board::new(&rules).unwrap().slots() {
            assert_eq!(codes.iter().filter(|code| **code == slot.code).count(), 1, "{}", slot.code);
        }
        let cell = |id: &str| layout.areas.iter().find(|area| area.id == id).map(|area| area.shape.bounds());
        assert_eq!(cell("centre/P").is_none(), placed);
        let (x, y, w, h) = cell("centre/DP").unwrap();
        assert!(x >= 0 && x + w <= layout.surface.w && y + h <= layout.surface.h, "{:?}", layout.surface);
        let don_t = layout.areas.iter().find(|area| area.id == "centre/DP").unwrap();
        assert_eq!(don_t.codes().collect::<Vec<_>>(), ["DP", "DPO"], "odds are in the cell of their bet");
        assert_eq!(don_t.texts[0].text, "DON’T PASS LINE", "the words of the book");
    }
}

#[test]
fn every_shipped_house_has_an_area_for_each_of_its_bets() {
    let library = Library::shipped();
    for book in &library.books {
        for game in book.games.iter().map(|fact| fact.is) {
            let laid = |offer: &[&str]| {
                let mut house = HouseRules::plain(&book.id, book.sample_day);
                house.game = Some(game);
                offer.iter().for_each(|all| house.set("offer", all).unwrap());
                let rules = book.admit(&house).unwrap_or_else(|problems| panic!("{} {game}: {problems:?}", book.id));
                Layout::new(&Template::of(&rules).unwrap(), book, &rules, &Sign::default()).unwrap()
            };
            let (layout, plain) = (laid(&["all"]), laid(&[]));
            assert_eq!(layout.surface, plain.surface, "{} {game}: a bet has no area in the template", book.id);
        }
    }
}

#[test]
fn every_shipped_template_can_be_read_and_every_game_has_one() {
    assert!(Template::shipped().len() >= 3);
    for source in Template::shipped() {
        let template = Template::read(&source).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{}.toml", template.name), source.path);
    }
    let library = Library::shipped();
    for book in &library.books {
        for game in book.games.iter().map(|fact| fact.is) {
            let mut house = HouseRules::plain(&book.id, book.sample_day);
            house.game = Some(game);
            assert!(Template::of(&book.admit(&house).unwrap()).is_ok(), "{} {game}", book.id);
        }
    }
}

/// The books limit the length of the whole table, in inches: 168 is 4,267.2 mm, and 114 is 2,895.6 mm.
#[test]
fn a_table_longer_than_the_book_allows_is_refused_with_the_section() {
    let library = Library::shipped();
    let laid = |book: &str, game: Game, w: i32, more: &str| {
        let book = library.book(book).unwrap();
        let mut house = HouseRules::plain(&book.id, book.sample_day);
        house.game = Some(game);
        let rules = book.admit(&house).unwrap();
        let text = format!("{more}{}", group("").replace("w = 1000", &format!("w = {w}")));
        let template = read(&text.replace("\"craps\"", &format!("\"{game}\""))).unwrap();
        Layout::new(&template, book, &rules, &Sign::default()).map(|layout| layout.surface.w).map_err(|e| e.to_string())
    };
    let long = "own: the table is 6488 mm long (6000 mm of playing surface, and 244 mm of wall and rail at each end), but it may be at most 168 inches (4267 mm) long: shorten `surface` [PA 623a.2(b)]";
    assert_eq!(laid("pa", Game::Craps, 6000, ""), Err(long.to_owned()));
    for (book, game, most, cite) in [
        ("pa", Game::Craps, 3779, "168 inches (4267 mm) long: shorten `surface` [PA 623a.2(b)]"),
        ("md", Game::Craps, 3779, "[MD Ch.2 §B]"),
        ("co", Game::Craps, 3779, "[CO 30-2303(1)]"),
        ("co-crapless", Game::Craps, 3779, "[CO 30-2303(1)]"),
        ("pa", Game::Electronic, 3779, "[PA 623a.2(b)]"),
        ("pa", Game::MiniCraps, 2407, "114 inches (2895 mm) long: shorten `surface` [PA 623a.2(c)]"),
        ("md", Game::MiniCraps, 2407, "[MD Ch.2 §C]"),
    ] {
        assert_eq!(laid(book, game, most, ""), Ok(most), "{book} {game}");
        let error = laid(book, game, most + 1, "").unwrap_err();
        assert!(error.ends_with(cite), "{book} {game}: {error}");
    }
    // A book that says nothing allows any length. A narrower rail leaves more for the surface. A narrow window is no table.
    assert_eq!(laid("nj", Game::Craps, 6000, ""), Ok(6000));
    assert_eq!(laid("pa", Game::Craps, 4107, "rail = 80\n"), Ok(4107));
    assert!(laid("pa", Game::Craps, 4108, "rail = 80\n").is_err());
    assert_eq!(laid("pa", Game::Craps, 6000, "narrow = true\n"), Ok(6000));
}
