//! What is wrong with a template is said with its place and what was expected; what a template lacks is said of the bet.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::{HouseRules, Library, Source};
use craps_layout::{Layout, NoPlace, Sign, Template};

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
        (format!("based_on = \"crapless\"\n{SMALL}"), "own.toml:1:12", "not based on another itself"),
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
            "`{pay}` stands for nothing: expected number, name",
        ),
        (
            group("text = [{ at = [1, 2], size = 20, text = \"{pays:QQ}\" }]"),
            "own.toml:9:42",
            "no bet has the code `QQ`",
        ),
        (group("when = [\"shelf:high\"]"), "own.toml:9:9", "no shelf is called `high`"),
        (group("when = [\"panel:high\"]"), "own.toml:9:9", "no panel is called `high`"),
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

#[test]
fn a_template_without_a_place_for_a_bet_says_which() {
    let library = Library::shipped();
    let book = library.book("nj").unwrap();
    let rules = book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap();
    let template =
        read(&group("area = [{ id = \"P\", band = \"line\", bets = [\"P\", \"PO\"], rect = [0, 0, 9, 9] }]")).unwrap();
    let Err(NoPlace::NoArea(bets)) = Layout::new(&template, &rules, &Sign::default()) else { panic!() };
    assert!(bets.contains(&"DP".to_owned()) && !bets.contains(&"PO".to_owned()));
    let shelf = "shelf = [{ name = \"low\", at = [0, 0], h = 50, gap = 5 }]\n";
    let panel = |spare: bool| format!("{shelf}{}", group(&format!("panel = 60\nspare = {spare}\nwhen = [\"P\"]")));
    let cramped = Layout::new(&read(&panel(false)).unwrap(), &rules, &Sign::default()).unwrap_err();
    assert_eq!(cramped.to_string(), "the template has no room left for the panel of P");
    let Err(NoPlace::NoArea(_)) = Layout::new(&read(&panel(true)).unwrap(), &rules, &Sign::default()) else { panic!() };
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
