//! House rules and their keys, which follow from the books.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod changed;

use changed::replaced;
use craps_law::{Game, HouseRules, Keys, Kind, Library, Product, Source};
use std::path::Path;

fn plain(set: &[(&str, &str)]) -> HouseRules {
    let mut house = HouseRules::plain("pa", "2023-10-01".parse().unwrap());
    for (key, value) in set {
        house.set(key, value).unwrap();
    }
    house
}

#[test]
fn houses_are_equal_when_they_make_the_same_choices() {
    let house = plain(&[("chip", "5"), ("fire", "offered")]);
    assert_eq!(house, plain(&[("fire.offered", "yes"), ("chip", "5.00")]));
    assert_ne!(house, plain(&[("chip", "5")]));
    let mut named = house.clone();
    named.name = Some("Elsewhere".to_owned());
    assert_ne!(house, named);
    let mut mini = house.clone();
    mini.game = Some(Game::MiniCraps);
    assert_ne!(house, mini);
}

#[test]
fn the_sample_houses_are_the_files_of_the_repository() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../houses");
    let samples = HouseRules::samples();
    let files = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    assert_eq!(samples.len(), files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).count());
    for Source { path, text } in samples {
        let name = Path::new(&path).file_name().unwrap();
        assert_eq!(text, std::fs::read_to_string(folder.join(name)).unwrap(), "{path}");
    }
}

#[test]
fn the_tag_of_a_house_has_all_its_choices_in_one_line() {
    assert_eq!(plain(&[]).tag(), "");
    assert_eq!(
        plain(&[("odds.k", "3-4-5"), ("chip", "1"), ("fire", "offered")]).tag(),
        "chip=1; fire.offered=yes; odds.k=3-4-5"
    );
}

#[test]
fn practice_houses_have_the_usual_limits() {
    let library = Library::shipped();
    for book in &library.books {
        let tag = HouseRules::practice(book).unwrap().tag();
        let draws = if book.id == "pa" { "; power_odds.offered=no" } else { "" };
        assert_eq!(tag, format!("limits.max=5000; limits.min=5; offer=all{draws}"), "{}", book.id);
    }
}

#[test]
fn only_products_are_offered_in_short() {
    assert_eq!(plain(&[("fire", " offered ")]).tag(), "fire.offered=yes");
    let error = |key: &str, value: &str| plain(&[]).set(key, value).unwrap_err().to_string();
    assert_eq!(
        error("chip", "offered"),
        "`chip`: expected an amount above zero such as 5 or \"0.25\", found `offered`"
    );
    assert_eq!(error("fire", "yes"), "unknown house key `fire`; did you mean `offer`?");
}

#[test]
fn a_product_names_its_topics_and_itself() {
    let fire = Product::named("fire");
    assert_eq!((fire.topic("spoken").as_str(), fire.to_string().as_str()), ("fire.spoken", "fire"));
}

#[test]
fn a_pay_table_that_is_the_first_by_default_has_no_value_of_its_own() {
    let library = Library::shipped();
    let choice = &library.book("pa").unwrap().choices["fire.table"].0[0].is;
    assert_eq!((choice.default.as_str(), &choice.value), ("first", &None));
}

/// Loads the built-in books with an option added to Pennsylvania's. The error is the first mistake.
fn with_option(key: &str, allow: &str, default: &str) -> Result<Library, String> {
    let first = "[[option]]\n";
    let option = format!("{first}key = \"{key}\"\nallow = {allow}\ndefault = '{default}'\ncite = 'PA 623a.3(a)'\n");
    let sources = replaced("pa/house.toml", first, &format!("{option}{first}"));
    Library::load(&sources).map_err(|errors| errors[0].to_string())
}

fn key(keys: &Keys, name: &str) -> (Kind, String) {
    let key = keys.find(name).unwrap_or_else(|| panic!("no key {name}"));
    (key.kind.clone(), key.about.clone())
}

#[test]
fn options_of_books_make_keys() {
    let colors = "{ one_of = ['red', 'blue'] }";
    let words = || Kind::Word(vec!["blue".to_owned(), "red".to_owned()]);
    // Fire is the name of a wager, and Bonus is the name of a product only.
    for (name, about) in [("fire.color", "fire color"), ("bonus.pay", "bonus pay"), ("fire.field", "fire field")] {
        let library = with_option(name, colors, "red").unwrap();
        assert_eq!(key(library.keys(), name), (words(), about.to_owned()));
    }
    let price = with_option("eleven.pay", "'listed_tables'", "15 to 1").unwrap();
    assert_eq!(key(price.keys(), "eleven.pay"), (Kind::Price, "which listed price eleven pays".to_owned()));
    let area = with_option("area.any_craps", "{ one_of = ['yes', 'no'] }", "yes").unwrap();
    assert_eq!(
        key(area.keys(), "area.any_craps"),
        (Kind::YesNo, "does the layout have an area for any craps?".to_owned())
    );
}

#[test]
fn options_about_nothing_that_books_have_are_mistakes() {
    let allow = "{ one_of = ['yes', 'no'] }";
    for name in ["area.nothing", "nothing.pay", "nothing.any_craps"] {
        let mistake = with_option(name, allow, "yes").err();
        assert_eq!(
            mistake,
            Some(format!(
                "pa/house.toml:5:7: `{name}` is not a house key: give it a `kind` or a `topic` to make it one"
            ))
        );
    }
}

#[test]
fn products_are_in_the_order_of_their_first_wagers() {
    let pass = "ids   = [\"pass\"]\nname  = \"Pass Bet\"\noffer = { is = \"listed\", ";
    for book in ["pa", "nj"] {
        let library = Library::load(&replaced(
            &format!("{book}/wagers/line.toml"),
            pass,
            &format!("{pass}key = \"lucky_shooter.offered\", "),
        ));
        let library = library.unwrap_or_else(|errors| panic!("{errors}"));
        assert_eq!(
            library.keys().products().join(" "),
            "lucky_shooter place_lose buy lay six_seven_eight fire sharp_shooter ride bonus dice_ology hot_roller hot_shooter power_odds",
            "{book}"
        );
    }
}

#[test]
fn houses_are_equal_however_their_files_are_written() {
    let library = Library::shipped();
    let read = |text: &str| library.house(&Source { path: "a.toml".into(), text: text.into() }, None).unwrap();
    let one = read("book = 'pa'\nas_of = 2023-10-01\n[house]\nchip = 5\n");
    assert_eq!(one, read("# The same house.\nas_of = 2023-10-01\nbook    = \"pa\"\nhouse = { chip = '5.00' }\n"));
}

#[test]
fn a_book_may_let_houses_choose_a_price_of_its_own_wager() {
    let mut sources = Library::shipped_sources();
    let mut add = |path: &str, text: &str| sources.push(Source { path: format!("zz/{path}"), text: text.to_owned() });
    add(
        "book.toml",
        "name = 'Elsewhere'\ntext = 'Its rules'\nprefix = 'NJ'\nbased_on = 'nj'\nsample_day = 2024-01-01\ngame = [{ is = 'craps', cite = 'NJ 1.2(a)' }]\n",
    );
    add(
        "catalogue/one.toml",
        "[[wager]]\nfamily = 'one-roll'\nslug = 'lo-hi'\ncode = 'LOHI'\nname = 'Lo Hi'\nabout = 'A 2 or a 12.'\n\
         mechanic = { one_roll = [['win', '2 12']] }\nexamples = [['1-1', 'win']]\n",
    );
    add(
        "house.toml",
        "[[option]]\nkey = 'lo_hi.pay'\nallow = 'listed_tables'\ndefault = '15 to 1'\ncite = 'NJ 1.4(b)'\n",
    );
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(library.keys().find("lo_hi.pay").map(|key| &key.kind), Some(&Kind::Price));
}

#[test]
fn free_text_that_a_game_file_cannot_hold_is_refused() {
    let refused = |text: &str| plain(&[]).set("posting", text).unwrap_err().to_string();
    for text in ["star; moon", "a \"sign\"", "two\nlines"] {
        let expected = format!("`posting`: expected text on one line without ; or \", found `{text}`");
        assert_eq!(refused(text), expected);
    }
    assert!(plain(&[]).set("posting", "at the rail: 2 signs").is_ok());
}

/// Loads the built-in books with an option of these lines added to Pennsylvania's. The error is the first mistake.
fn with_lines(lines: &str) -> Result<Library, String> {
    let first = "[[option]]\n";
    let option = format!("{first}{lines}\ncite = 'PA 623a.3(a)'\n");
    Library::load(&replaced("pa/house.toml", first, &format!("{option}{first}")))
        .map_err(|errors| errors[0].to_string())
}

#[test]
fn an_option_makes_a_key_by_its_kind_or_its_topic() {
    let kind = |lines: &str, name: &str| {
        let library = with_lines(lines).unwrap_or_else(|error| panic!("{lines}: {error}"));
        key(library.keys(), name).0
    };
    let words = |all: &[&str]| Kind::Words(all.iter().map(|word| (*word).to_owned()).collect());
    for (lines, expected) in [
        ("allow = 'any'\nkind = 'text'", Kind::Text),
        ("allow = 'any'\nkind = 'money'", Kind::Money),
        ("allow = { at_most = '7' }\nkind = 'count'", Kind::Count(0)),
        ("allow = { at_most = '2 ft' }\nkind = 'length'", Kind::Length),
        ("allow = { fixed = 'yes' }\nkind = 'yes_no'", Kind::YesNo),
        ("allow = { one_of = ['oak', 'ash'] }\nkind = 'words'", words(&["oak", "ash"])),
        ("allow = { all_of = ['oak', 'ash'] }\nkind = 'words'", words(&["oak", "ash"])),
        ("allow = 'topic'\ntopic = 'fire.most_spots'", Kind::Count(0)),
        ("allow = 'topic'\ntopic = 'fire.any_order'", Kind::YesNo),
        ("allow = { one_of = ['on', 'off'] }\ntopic = 'fire.amount'", Kind::OnOff),
        ("allow = 'topic'\ntopic = 'fire.amount'", words(&["one_to_five_dollars", "house_sets"])),
        ("allow = { one_of = ['oak'] }\ntopic = 'fire.amount'", words(&["one_to_five_dollars", "house_sets", "oak"])),
    ] {
        assert_eq!(kind(&format!("key = 'rail.wood'\n{lines}"), "rail.wood"), expected, "{lines}");
    }
    let about = |lines: &str| key(with_lines(&format!("key = 'rail.wood'\n{lines}")).unwrap().keys(), "rail.wood").1;
    assert_eq!(about("allow = 'any'\nkind = 'text'"), "rail wood");
    assert_eq!(about("allow = 'any'\nkind = 'text'\nnote = 'What the rail is made of.'"), "What the rail is made of.");
    assert_eq!(
        about("allow = 'topic'\ntopic = 'fire.most_spots'\nnote = 'A note.'"),
        "How many spots for Fire bets may the layout have?"
    );
}

#[test]
fn an_option_that_nothing_could_judge_is_a_mistake() {
    for (lines, expected) in [
        ("allow = 'any'\nkind = 'words'", "`allow` can't be \"any\": say which words are lawful"),
        ("allow = 'topic'\nkind = 'count'", "`allow` follows a topic, so `topic` must name it"),
        (
            "allow = 'topic'\nkind = 'count'\ntopic = 'fire.spot'",
            "unknown topic `fire.spot`: topics are defined in topics/*.toml",
        ),
        (
            "allow = 'topic'\nkind = 'text'\ntopic = 'fire.most_spots'",
            "`fire.most_spots` has another kind of answer than the values of the key",
        ),
        (
            "allow = { all_of = 'topic' }\ntopic = 'fire.most_spots'",
            "`fire.most_spots` has another kind of answer than the values of the key",
        ),
        ("allow = { at_most = 'many' }\nkind = 'count'", "expected a number such as 10, found `many`"),
        ("allow = 'any'\nkind = 'text'\nwith = 'fire.table'", "`with`: `fire.table` is not a house key with yes or no"),
        ("allow = 'any'\nkind = 'text'\nwith = 'water.*'", "`with`: no house key begins as `water.*` does"),
        (
            "allow = 'any'\nkind = 'text'\ndemanded = { key = 'odds.k', above = 1 }",
            "`with`: `odds.k` is not a house key with a count",
        ),
    ] {
        let found = with_lines(&format!("key = \"rail.wood\"\n{lines}")).map(|_| ()).unwrap_err();
        assert_eq!(found, format!("pa/house.toml:5:7: `rail.wood`: {expected}"), "{lines}");
    }
    // Another book says that this key is yes or no.
    let found =
        with_lines("key = 'tips.toke_tube'\nallow = { at_most = '3' }\nkind = 'count'").map(|_| ()).unwrap_err();
    assert!(found.contains("`tips.toke_tube`: its values are "), "{found}");
    let found = with_lines("key = \"off_calls_any\"\nallow = { fixed = 'no' }").map(|_| ()).unwrap_err();
    assert_eq!(found, "pa/house.toml:5:7: `off_calls_any`: `default` is missing");
}

#[test]
fn totals_are_of_amounts_and_counts() {
    let with = |total: &str| {
        let first = "[[option]]\n";
        let total = format!("[[total]]\n{total}\ncite = 'CO 30-2315.05'\n{first}");
        Library::load(&replaced("co/house.toml", first, &total)).map_err(|errors| errors[0].message.clone())
    };
    assert!(
        with("path = 'chip'\nof = [{ key = 'chip', more = ['tournament.rebuys'] }]\ntopic = 'tournament.cap_dollars'")
            .is_ok()
    );
    for (total, expected) in [
        (
            "of = [{ key = 'odds.k' }]\ntopic = 'tournament.cap_dollars'",
            "total: `odds.k` is not a house key with an amount",
        ),
        (
            "of = [{ key = 'chip', more = ['odds.k'] }]\ntopic = 'tournament.cap_dollars'",
            "total: `odds.k` is not a house key with a count",
        ),
        (
            "of = [{ key = 'chip' }]\ntopic = 'fire.amount'",
            "total: `fire.amount` is not a topic that is answered by a number",
        ),
    ] {
        assert_eq!(with(&format!("path = 'chip'\n{total}")).map(|_| ()).unwrap_err(), expected);
    }
}
