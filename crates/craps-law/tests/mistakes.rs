//! Each mistake in a file of a book is reported with its path, line and column, and with what was expected.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod changed;

use changed::replaced;
use craps_law::{LawErrors, Library, Source};

fn mistakes(sources: &[Source]) -> LawErrors {
    Library::load(sources).err().unwrap_or_else(|| Vec::new().into())
}

/// Checks what is said when a text in a file is replaced. A row is the text, its replacement, and a line for each mistake: its place in
/// the file and the message.
fn check(path: &str, rows: &[(&str, &str, &str)]) {
    for (from, to, expected) in rows {
        let expected: Vec<String> = expected.lines().map(|line| format!("{path}:{line}")).collect();
        assert_eq!(mistakes(&replaced(path, from, to)).to_string(), expected.join("\n"), "{path}: {from} -> {to}");
    }
}

/// Returns what is said about the built-in books together with these files.
fn with_files(files: &[(&str, &str)]) -> String {
    let mut sources = Library::shipped_sources();
    sources.extend(files.iter().map(|(path, text)| Source { path: (*path).into(), text: (*text).into() }));
    mistakes(&sources).to_string()
}

#[test]
fn a_value_of_the_wrong_type_is_named_with_what_was_expected() {
    check(
        "nj/wagers/line.toml",
        &[
            (
                "cite = \"NJ 1.2(a)1\" }\nmake",
                "cite = 5 }\nmake",
                "6:33: invalid type: integer `5`, expected a string or a list of strings",
            ),
            ("cite = \"NJ 1.2(a)1\" }\nmake", "cite = [] }\nmake", "6:33: invalid length 0, expected at least one"),
            (
                r#"make  = { is = "before_come_out", cite = "NJ 1.2(a)1" }"#,
                "make  = 5",
                "7:9: invalid type: integer `5`, expected a fact such as { is = …, cite = … }, or a list of dated ones",
            ),
            (
                "most      = { is = 100",
                "most      = { is = true",
                r#"74:20: invalid type: boolean `true`, expected a multiple such as 10 or "3-4-5", or "house_policy""#,
            ),
            (
                "most      = { is = 100",
                "most      = { is = -1",
                r#"74:20: invalid value: integer `-1`, expected a multiple such as 10 or "3-4-5", or "house_policy""#,
            ),
            (
                "most      = { is = 100",
                r#"most      = { is = "lots""#,
                r#"74:20: invalid value: string "lots", expected a multiple such as 10 or "3-4-5", or "house_policy""#,
            ),
        ],
    );
    check(
        "pa/procedure.toml",
        &[(
            "is    = true",
            "is    = 1.5",
            "7:9: invalid type: floating point `1.5`, expected true or false, a number, a word or a list of words",
        )],
    );
    check(
        "pa/house.toml",
        &[
            (
                r#"allow   = "any""#,
                "allow   = 5",
                r#"6:11: invalid type: integer `5`, expected "any", "listed_tables", "odds", "prices", "topic", or { fixed, one_of, all_of, at_least, at_most or between = … }"#,
            ),
            (
                r#"allow   = "any""#,
                "allow   = {}",
                r#"6:11: invalid length 0, expected "any", "listed_tables", "odds", "prices", "topic", or { fixed, one_of, all_of, at_least, at_most or between = … }"#,
            ),
            (
                r#"allow   = "any""#,
                r#"allow   = "some""#,
                "6:11: unknown variant `some`, expected one of `any`, `listed_tables`, `odds`, `prices`, `topic`, `fixed`, `one_of`, `all_of`, `at_least`, `at_most`, `between`",
            ),
            (
                r#"allow   = "any""#,
                r#"allow   = { from = "1" }"#,
                "6:11: unknown field `from`, expected one of `any`, `listed_tables`, `odds`, `prices`, `topic`, `fixed`, `one_of`, `all_of`, `at_least`, `at_most`, `between`",
            ),
        ],
    );
}

#[test]
fn words_wagers_prices_and_days_are_checked_where_they_stand() {
    check(
        "pa/wagers/hardway.toml",
        &[
            (
                "any_time",
                "some_time",
                "5:16: unknown variant `some_time`, expected one of `any_time`, `before_come_out`, `point_on`, `behind_point`, `new_shooter`, `after_seven`, `new_shooter_or_after_seven`, `tracker_empty`, `come_out_tracker_empty`, `until_point_established`, `before_first_comeout`, `until_first_counted`",
            ),
            ("hard-4", "hard-5", "2:9: no wager is called `hard-5`"),
            (
                "7 to 1",
                "7 too 1",
                r#"13:17: expected a price such as "7 to 6" or "30 for 1", found `7 too 1`, or "push""#,
            ),
            (
                "make  =",
                "mark  =",
                "5:1: unknown field `mark`, expected one of `ids`, `name`, `names`, `renamed`, `felt`, `offer`, `make`, `raise`, `lower`, `works`, `price`, `pays`, `odds`, `commission`, `settled`, `area`, `amount`, `units`, `dials`",
            ),
            ("cite  = \"PA 623a.5(a)\"\n", "", "10:1: missing field `cite`"),
        ],
    );
    check(
        "pa/wagers/shooter.toml",
        &[
            ("from = 2014-02-01", "from = 2014-02-30", "29:102: invalid date, expected day between 01 and 28"),
            (
                "from = 2014-02-01",
                "from = 2014-02-01T10:00:00",
                "29:102: expected a date such as 2023-10-01, found `2014-02-01T10:00:00`",
            ),
        ],
    );
    check(
        "nj/wagers/number.toml",
        &[
            (r#"timing = "up_front""#, r#"timing = "soon""#, "69:10: expected `up_front` or `on_win`, found `soon`"),
            (r#"base   = "stake""#, r#"base   = "price""#, "70:10: expected `stake` or `win`, found `price`"),
            (r#"most   = "5%""#, r#"most   = "5""#, "71:10: expected a rate such as 5% or 4.5%, found `5`"),
        ],
    );
    check(
        "co/wagers/hardway.toml",
        &[(r#"switch = { key = "hardways.on_comeout_default" }"#, "switch = {}", "8:93: missing field `key`")],
    );
}

#[test]
fn a_wager_is_recorded_once_with_a_name_for_each_id_and_ranks_that_it_has() {
    check(
        "nj/wagers/line.toml",
        &[
            (r#"ids   = ["pass"]"#, r#"ids   = ["pass", "pass"]"#, "4:18: `pass` is recorded twice"),
            (
                r#"ids   = ["dont-pass"]"#,
                r#"ids   = ["pass"]"#,
                "18:10: `pass` is recorded twice\n18:10: `pass`: its mechanic has no dial `bar`",
            ),
            (
                r#"name  = "Pass Bet""#,
                r#"names = ["Pass Bet", "Other"]"#,
                "4:10: give either `name`, or `names` with one name for each id\n4:10: `pass`: `name` is missing",
            ),
            (
                r#"name  = "Pass Bet""#,
                "names = []",
                "4:10: give either `name`, or `names` with one name for each id\n4:10: `pass`: `name` is missing",
            ),
            (
                r#"name  = "Pass Bet""#,
                "name  = \"Pass Bet\"\nnames = [\"Pass Bet\"]",
                "4:10: give either `name`, or `names` with one name for each id\n4:10: `pass`: `name` is missing",
            ),
            ("ranks = { win =", r#"ranks = { win = "1 to 1", wins ="#, "4:10: `pass`: it has no rank `wins`"),
        ],
    );
    check(
        "nj/wagers/shooter.toml",
        &[
            (
                r#"is = "1..5""#,
                r#"is = "1 to 5""#,
                r#"4:11: `fire`: amount: expected "1..5" or "house", found `1 to 5`"#,
            ),
            (r#"is = "1..5""#, r#"is = "1..five""#, "4:11: `fire`: amount: expected a number, found `five`"),
            (r#"is = "1..5""#, r#"is = "one..5""#, "4:11: `fire`: amount: expected a number, found `one`"),
        ],
    );
}

#[test]
fn a_dial_belongs_to_the_mechanic_and_has_one_of_its_words_on_all_days() {
    check(
        "nj/wagers/line.toml",
        &[
            (
                "bar = {",
                "bat = {",
                "18:10: `dont-pass`: dial `bat`: expected one of: points, bar, ends_on_seven, ends_on_sixth, come_out_seven, count_come_out, count_seven_out",
            ),
            (
                r#"bar = { is = "12""#,
                r#"ends_on_sixth = { is = "no""#,
                "18:10: `dont-pass`: its mechanic has no dial `ends_on_sixth`",
            ),
            (
                "bar = {",
                "bar = { from = 2020-01-01,",
                "18:10: `dont-pass`: dial `bar` has days: a dial can't have `from` or `until`",
            ),
            (
                r#"bar = { is = "12""#,
                r#"bar = { is = "11""#,
                "18:10: `dont-pass`: dial `bar`: expected one of: 12, 2, 3, none, 2 3, 2 12, 3 12, 2 3 12, found `11`",
            ),
        ],
    );
    check(
        "pa/wagers/shooter.toml",
        &[(
            r#""loser""#,
            r#""winner""#,
            "4:11: `fire`: dial `ends_on_seven`: expected one of: loser, any, found `winner`",
        )],
    );
}

/// Returns the first line of a file that gives a fact of this name.
fn fact(path: &str, name: &str) -> String {
    let sources = Library::shipped_sources();
    let text = &sources.iter().find(|source| source.path == path).unwrap().text;
    let line = text.lines().find(|line| line.split(' ').next() == Some(name));
    line.unwrap_or_else(|| panic!("{path} has no {name}")).to_owned()
}

/// The place of a wager, the name of a fact there, and what messages call the fact.
const NEEDED: [(&str, &str, &str); 12] = [
    ("nj/wagers/line.toml:4:10: `pass`", "offer", "offer"),
    ("nj/wagers/line.toml:4:10: `pass`", "make", "make"),
    ("nj/wagers/line.toml:4:10: `pass`", "raise", "raise"),
    ("nj/wagers/line.toml:4:10: `pass`", "lower", "lower"),
    ("nj/wagers/line.toml:4:10: `pass`", "works", "works"),
    ("nj/wagers/line.toml:4:10: `pass`", "price", "price"),
    ("nj/wagers/line.toml:64:10: `pass-odds`", "least", "odds.least"),
    ("nj/wagers/line.toml:64:10: `pass-odds`", "most", "odds.most"),
    ("nj/wagers/line.toml:64:10: `pass-odds`", "cap", "odds.cap"),
    ("nj/wagers/line.toml:64:10: `pass-odds`", "excess", "odds.excess"),
    ("nj/wagers/line.toml:64:10: `pass-odds`", "table_max", "odds.table_max"),
    ("nj/wagers/one_roll.toml:43:12: `c-and-e`", "settled", "settled"),
];

/// Facts that a wager may have.
const OPTIONAL: [(&str, &str, &str); 3] = [
    ("nj/wagers/line.toml:4:10: `pass`", "felt", "felt"),
    ("nj/wagers/shooter.toml:4:11: `fire`", "amount", "amount"),
    ("nj/wagers/one_roll.toml:54:12: `horn`", "units", "units"),
];

#[test]
fn every_fact_that_a_wager_needs_is_missed() {
    for (place, name, called) in NEEDED {
        let path = place.split(':').next().unwrap();
        let without = mistakes(&replaced(path, &fact(path, name), ""));
        assert_eq!(without.to_string(), format!("{place}: `{called}` is missing"));
    }
    let pays = "[[wager.pays]]\ncite  = \"NJ 1.4(b)\"\nranks = { win = \"1 to 1\" }\n";
    check(
        "nj/wagers/line.toml",
        &[
            ("name  = \"Pass Bet\"\n", "", "4:10: `pass`: `name` is missing"),
            (pays, "", "4:10: `pass`: `pays` is missing"),
        ],
    );
}

#[test]
fn a_composite_has_no_price_and_only_an_odds_bet_has_odds() {
    check(
        "nj/wagers/one_roll.toml",
        &[(
            "settled = { is = \"by_parts\", cite = \"NJ 1.4(d)\" }\n",
            "settled = { is = \"by_parts\", cite = \"NJ 1.4(d)\" }\n[[wager.pays]]\ncite = \"NJ 1.4(d)\"\nranks = {}\n",
            "43:12: `c-and-e`: a composite has no price of its own, only its parts do",
        )],
    );
    check(
        "nj/wagers/line.toml",
        &[(
            "[[wager.pays]]\ncite  = \"NJ 1.4(b)\"",
            "[wager.odds]\n[[wager.pays]]\ncite  = \"NJ 1.4(b)\"",
            "4:10: `pass`: only an odds bet can have `odds`",
        )],
    );
}

#[test]
fn the_parts_of_a_composite_are_in_the_book() {
    let without = replaced("co-crapless/book.toml", r#"ids = ["fire"]"#, r#"ids = ["fire", "any-craps"]"#);
    let expected = "co-crapless/wagers/one_roll.toml:33:10: `c-and-e`: its part `any-craps` is not in the book";
    assert_eq!(mistakes(&without).to_string(), expected);
    // The wagers of the base are checked too. Their mistake is that of the book that withdraws the part.
    let book = "name = 'Elsewhere'\ntext = 'Its rules'\nprefix = 'NJ'\nbased_on = 'nj'\nsample_day = 2024-01-01\n\
                game = [{ is = 'craps', cite = 'NJ 1.2(a)' }]\nwithdraws = [{ ids = ['any-seven'], cite = 'NJ 1.2(a)' }]\n";
    let expected = "zz/book.toml: `whirl`: its part `any-seven` is not in the book";
    assert_eq!(with_files(&[("zz/book.toml", book)]), expected);
}

#[test]
fn every_rank_that_can_win_has_a_price() {
    check(
        "nj/wagers/line.toml",
        &[(r#"ranks = { win = "1 to 1" }"#, "ranks = {}", "4:10: `pass`: rank `win` has no price")],
    );
    // Of counts and levels, only the highest needs a price.
    check(
        "nj/wagers/shooter.toml",
        &[
            (r#""5" = "249 to 1", "6" = "999 to 1""#, r#""5" = "249 to 1""#, "4:11: `fire`: rank `6` has no price"),
            (r#""5" = "249 to 1", "6" = "999 to 1""#, r#""6" = "999 to 1""#, ""),
        ],
    );
    check(
        "pa/wagers/shooter.toml",
        &[
            (r#", "5+point" = "1000 for 1""#, "", "93:10: `lucky-shooter`: rank `5+point` has no price"),
            (r#"natural = "1 for 1", "#, "", ""),
        ],
    );
    // Odds need a price on each number that the bet in front can be on.
    check("nj/wagers/line.toml", &[(r#""4" = "2 to 1", "#, "", "64:10: `pass-odds`: rank `4` has no price")]);
    check(
        "co-crapless/wagers/line.toml",
        &[
            (r#""2" = "6 to 1", "#, "", "26:10: `pass-odds`: rank `2` has no price"),
            (r#"points = { is = "all_but_seven""#, r#"points = { is = "box""#, ""),
        ],
    );
    check(
        "co/wagers/number.toml",
        &[(
            r#""9" = "3 to 2", "10" = "2 to 1" }"#,
            r#""9" = "3 to 2" }"#,
            "142:10: `put-odds`: rank `10` has no price",
        )],
    );
    check("co-crapless/book.toml", &[(r#"ids = ["fire"]"#, r#"ids = ["fire", "put-4"]"#, "")]);
}

#[test]
fn a_switch_has_a_house_key_and_words_of_its_fact() {
    check(
        "co/wagers/number.toml",
        &[
            (
                r#""put_odds.on_comeout""#,
                r#""put_odds.on_sundays""#,
                "142:10: `put-odds`: `put_odds.on_sundays` is not a house key",
            ),
            (
                r#""put_odds.on_comeout""#,
                r#""put_odds.on_comeout", on = "maybe""#,
                "142:10: `put-odds`: switch `put_odds.on_comeout`: unknown word `maybe`",
            ),
        ],
    );
    check(
        "co/wagers/shooter.toml",
        &[
            (
                r#""ride.window""#,
                r#""ride.window", first = "after_lunch""#,
                "83:11: `ride-the-line`: switch `ride.window`: unknown word `after_lunch`",
            ),
            (
                r#"locked = "never""#,
                r#"locked = "ever""#,
                "42:11: `sharp-shooter`: switch `side.removal`: unknown word `ever`",
            ),
        ],
    );
    check(
        "nj/wagers/shooter.toml",
        &[
            (
                r#"raise  = { is = "never","#,
                r#"raise  = { is = "never", switch = { key = "off_calls_any", yes = "ever", no = "as_make" },"#,
                "4:11: `fire`: switch `off_calls_any`: unknown word `ever`",
            ),
            (
                r#"price  = { is = "at_least","#,
                r#"price  = { is = "at_least", switch = { key = "off_calls_any", yes = "at_noon", no = "fixed" },"#,
                "4:11: `fire`: switch `off_calls_any`: unknown word `at_noon`",
            ),
        ],
    );
    check(
        "pa/wagers/shooter.toml",
        &[(
            r#"{ key = "hot_shooter.count_come_out" }"#,
            r#"{ key = "hot_shooter.count_come_out", yes = "both" }"#,
            "131:10: `hot-shooter-jackpot`: switch `hot_shooter.count_come_out`: unknown word `both`",
        )],
    );
}

#[test]
fn commission_on_the_win_needs_one_win() {
    let pays = "[[wager.pays]]\ntable = \"A\"";
    let commission = "[[wager.commission]]\ntiming = 'on_win'\nbase = 'win'\nmost = '5%'\ncite = 'NJ 1.5(b)'\n";
    let sources = replaced("nj/wagers/shooter.toml", pays, &format!("{commission}{pays}"));
    assert_eq!(
        mistakes(&sources).to_string(),
        "nj/wagers/shooter.toml:4:11: `fire`: only a wager with the rank `win` can have commission on the win"
    );
}

#[test]
fn what_a_house_may_choose_is_said_once() {
    let from = r#"allow   = { between = ["0%", "5%"] }"#;
    let both = r#"allow   = { between = ["0%", "5%"], fixed = "5%" }"#;
    check("pa/house.toml", &[(from, both, "74:11: expected one key, found `between` and `fixed`")]);
}

#[test]
fn a_book_without_its_first_file_is_reported_beside_other_mistakes() {
    let told = with_files(&[("aa/house.toml", "option = 5\n"), ("zz/house.toml", "\n")]);
    for expected in ["aa/book.toml: a book needs a book.toml", "zz/book.toml: a book needs a book.toml"] {
        assert!(told.lines().any(|line| line == expected), "{told}");
    }
}

#[test]
fn an_elected_offer_has_a_key_that_names_its_product() {
    let no_key = "4:11: `fire`: `offer` is elected but has no key: add one such as key = \"name.offered\"";
    check("nj/wagers/shooter.toml", &[(r#"key = "fire.offered", "#, "", no_key)]);
    for key in ["fire", "Fire.offered", ".offered", "fire-2.offered"] {
        let expected = format!("4:11: `fire`: `offer`: expected a key such as \"name.offered\", found `{key}`");
        check("nj/wagers/shooter.toml", &[("\"fire.offered\"", &format!("\"{key}\""), &expected)]);
    }
    check("nj/wagers/shooter.toml", &[("\"fire.offered\"", "\"fire_2.offered\"", "")]);
    let draw = mistakes(&replaced("pa/wagers/power_odds.toml", r#"key = "power_odds.offered", "#, "")).to_string();
    let expected = "pa/wagers/power_odds.toml:4:9: `power_odds`: `offer` is elected but has no key: add one such as key = \"name.offered\"";
    assert!(draw.lines().any(|line| line == expected), "{draw}");
}

#[test]
fn a_fact_has_one_value_on_each_day() {
    for (place, name, called) in NEEDED.into_iter().chain(OPTIONAL) {
        let path = place.split(':').next().unwrap();
        let line = fact(path, name);
        let open = line[line.find('{').unwrap()..].strip_suffix(" }").unwrap();
        let changed_on = |day: &str| {
            let dated = format!("{name} = [{open}, until = 2020-01-02 }}, {open}, from = {day} }}]");
            mistakes(&replaced(path, &line, &dated)).to_string()
        };
        assert_eq!(changed_on("2020-01-02"), "", "{place} {called}");
        assert_eq!(changed_on("2020-01-01"), format!("{place}: two values of `{called}` apply on the same day"));
    }
    let renamed = "is = \"Make 'em All\", cite = \"PA 623b.3(b)\"";
    let pays = "[[wager.pays]]\ncite  = \"NJ 1.4(b)\"\nranks = { win = \"1 to 1\" }\n";
    let commission =
        "[[wager.commission]]\ntiming = \"on_win\"\nbase   = \"stake\"\nmost   = \"5%\"\ncite   = \"NJ 1.5(b)\"\n";
    let area = "{ is = \"broken_down\", cite = \"NJ 1.2(a)21\" }";
    let again = format!("{renamed} }}, {{ only = [\"bonus-make-em-all\"], {renamed}");
    check(
        "pa/wagers/shooter.toml",
        &[(renamed, &again, "26:49: `bonus-make-em-all`: two values of `renamed` apply on the same day")],
    );
    let empty = "4:10: `pass`: `felt` is empty: write the words that its area shows";
    check("nj/wagers/line.toml", &[("is = \"Pass Line\"", "is = \" \"", empty)]);
    check(
        "nj/wagers/one_roll.toml",
        &[(area, &format!("[{area}, {area}]"), "79:12: `whirl`: two values of `area` apply on the same day")],
    );
    check(
        "nj/wagers/line.toml",
        &[(pays, &pays.repeat(2), "4:10: `pass`: two values of `pays` apply on the same day")],
    );
    check(
        "nj/wagers/shooter.toml",
        &[(r#"table = "B""#, r#"table = "A""#, "4:11: `fire`: two values of `pays` apply on the same day")],
    );
    let lay = [("81:10", 4), ("81:19", 5), ("81:28", 6), ("81:37", 8), ("81:46", 9), ("81:55", 10)];
    let each =
        lay.map(|(at, number)| format!("{at}: `lay-{number}`: two values of `commission` apply on the same day"));
    check("nj/wagers/number.toml", &[(commission, &commission.repeat(2), &each.join("\n"))]);
}

#[test]
fn an_option_is_for_a_house_key_and_allows_values_of_that_key() {
    check(
        "pa/house.toml",
        &[
            (
                r#""odds.k""#,
                r#""odds.q""#,
                "19:11: `odds.q` is not a house key: give it a `kind` or a `topic` to make it one",
            ),
            (
                r#"allow   = "any""#,
                r#"allow   = "odds""#,
                r#"5:11: `chip`: `allow` can't be "odds": its values are an amount above zero such as 5 or "0.25""#,
            ),
            (
                r#"allow   = "any""#,
                r#"allow   = "prices""#,
                r#"5:11: `chip`: `allow` can't be "prices": its values are an amount above zero such as 5 or "0.25""#,
            ),
            (
                r#"allow   = "any""#,
                r#"allow   = "listed_tables""#,
                r#"5:11: `chip`: `allow` can't be "listed_tables": its values are an amount above zero such as 5 or "0.25""#,
            ),
            (
                r#"allow   = "any""#,
                r#"allow   = { fixed = "red" }"#,
                r#"5:11: `chip`: expected an amount above zero such as 5 or "0.25", found `red`"#,
            ),
            (
                r#"one_of = ["yes", "no"]"#,
                r#"one_of = ["yes", "maybe"]"#,
                "31:11: `buy.offered`: expected yes or no, found `maybe`",
            ),
            (
                r#"allow   = "any""#,
                r#"allow   = { at_least = "much" }"#,
                r#"5:11: `chip`: expected an amount such as 5 or "0.25", found `much`"#,
            ),
            (r#"["0%", "5%"]"#, r#"["0%", "x%"]"#, r#"73:11: `vig.rate`: expected a rate such as "5%", found `x%`"#),
            (
                r#"default = "no""#,
                r#"default = "perhaps""#,
                "31:11: `buy.offered`: expected yes or no, found `perhaps`",
            ),
            (r#"when = "no""#, r#"when = "never""#, "44:11: `place_lose.offered`: expected yes or no, found `never`"),
            (
                r#"key = "lay.offered", is = "yes""#,
                r#"key = "lay.offer", is = "yes""#,
                "44:11: unknown house key `lay.offer`; did you mean `lay.offered`?",
            ),
            (
                r#"default = "1""#,
                "default = \"1\"\nbinds   = [\"buys\"]",
                "5:11: `chip`: `binds` takes line, odds, place-win, place-lose, buy, lay, hard, one-roll, hop, big, put, side, found `buys`",
            ),
        ],
    );
}

#[test]
fn a_rule_answers_a_known_topic_in_its_kind() {
    check(
        "pa/procedure.toml",
        &[
            (
                r#""bets.deadline""#,
                r#""bets.dead""#,
                "12:9: topic `bets.dead`: unknown topic: topics are defined in topics/*.toml",
            ),
            (
                "is    = true",
                r#"is    = "true""#,
                r#"6:9: topic `bets.only_listed`: expected true or false; found "true""#,
            ),
            (
                r#""before_throw""#,
                r#""before_lunch""#,
                r#"12:9: topic `bets.deadline`: expected one of: before_throw, before_no_more_bets, when_dice_rest; found "before_lunch""#,
            ),
            (
                r#"["value_chips", "plaques"]"#,
                r#"["value_chips", "shells"]"#,
                r#"32:9: topic `bets.made_with`: expected a list from: value_chips, plaques, gaming_chips, match_play_coupons, tokens, coins, coupons; found ["value_chips", "shells"]"#,
            ),
            ("is    = 24", r#"is    = "day""#, r#"414:9: topic `dice.change_hours`: expected a number; found "day""#),
        ],
    );
}

#[test]
fn records_of_one_option_or_topic_do_not_apply_on_the_same_day() {
    let option = "[[option]]\nkey = \"odds.k\"\nallow = 'odds'\ndefault = '3-4-5'\ncite = 'PA 623a.4(b)'\n";
    let rule = "[[rule]]\ntopic = \"bets.deadline\"\nis = 'before_throw'\ncite = 'PA 623a.4(a)'\n";
    check(
        "pa/house.toml",
        &[("[[option]]", &format!("{option}[[option]]"), "5:7: two records of `odds.k` apply on the same day")],
    );
    check(
        "pa/procedure.toml",
        &[("[[rule]]", &format!("{rule}[[rule]]"), "6:9: two records of `bets.deadline` apply on the same day")],
    );
}

#[test]
fn the_lines_of_a_draw_have_the_same_number_of_levels() {
    check(
        "pa/wagers/power_odds.toml",
        &[(
            r#"["10 to 1", "14 to 1"]"#,
            r#"["10 to 1"]"#,
            "4:9: `power_odds`: every line needs the same number of levels",
        )],
    );
}

#[test]
fn a_book_has_a_base_that_is_known_and_withdraws_what_its_base_has() {
    let said = |path: &str, from: &str, to: &str| mistakes(&replaced(path, from, to)).to_string();
    assert_eq!(
        said("pa/book.toml", "name  ", "based_on = 'mars'\nname  "),
        r#"pa/book.toml: based_on = "mars": unknown book, or books that are based on each other"#
    );
    assert_eq!(
        said("nj/book.toml", "name  ", "based_on = 'nj-automated'\nname  "),
        "nj/book.toml: based_on = \"nj-automated\": unknown book, or books that are based on each other\n\
         nj-automated/book.toml: based_on = \"nj\": unknown book, or books that are based on each other"
    );
    assert_eq!(
        said("nj-automated/book.toml", r#"ids = ["fire"]"#, r#"ids = ["fire", "put-4"]"#),
        "nj-automated/book.toml: withdraws `put-4`, which its base doesn't have"
    );
    assert_eq!(
        said("pa/book.toml", "listed     = { is = \"only_listed_wagers\", cite = \"PA 623a.3(a)\" }\n", ""),
        "pa/book.toml: `listed` is missing: cite the rule that only listed wagers may be accepted"
    );
}

#[test]
fn a_file_with_a_name_that_no_book_has_is_not_skipped() {
    for (path, expected) in [
        (
            "pa/wager.toml",
            "pa/wager.toml: expected book.toml, sections.toml, readings.toml, house.toml, procedure.toml, wagers/*.toml or catalogue/*.toml",
        ),
        ("notes.toml", "notes.toml: expected topics/*.toml or a folder with a book.toml"),
        ("zz/house.toml", "zz/book.toml: a book needs a book.toml"),
    ] {
        assert_eq!(with_files(&[(path, "")]), expected);
    }
    assert_eq!(mistakes(&[]).to_string(), "rulebooks: no book found: expected at least one folder with a book.toml");
}

/// A catalogue file with one wager.
fn entry(slug: &str, code: &str, mechanic: &str) -> String {
    format!(
        "family = 'side'\n[[wager]]\nslug = '{slug}'\ncode = '{code}'\nname = 'Echo'\nnumber = '11'\nmechanic = {mechanic}\n\
         phrases = ['{slug}']\nabout = 'Eleven twice before a seven.'\nexamples = [['6-5 6-5', 'win'], ['6-5 6-1', 'lost']]\n"
    )
}

#[test]
fn a_mistake_in_a_new_wager_is_named_with_its_file() {
    let good = entry("echo", "ECHO", "{ repeats = { totals = '11', times = 2 } }");
    let bad = entry("bell", "BELL", "{ repeats = { totals = '11', times = 0 } }");
    assert_eq!(with_files(&[("nj/catalogue/echo.toml", &good)]), "");
    for files in [
        [("nj/catalogue/bell.toml", &*bad), ("nj/catalogue/echo.toml", &good)],
        [("md/catalogue/echo.toml", &good), ("nj/catalogue/bell.toml", &bad)],
    ] {
        let expected =
            "nj/catalogue/bell.toml:2:1: wager bell: repeats: expected totals other than seven, at least once";
        assert_eq!(with_files(&files), expected);
    }
}

#[test]
fn a_mistake_marks_the_name_that_it_is_about() {
    for (path, name, other) in
        [("pa/house.toml", "\"odds.k\"", "\"odds.q\""), ("pa/procedure.toml", "\"bets.deadline\"", "\"bets.dead\"")]
    {
        let sources = replaced(path, name, other);
        let (start, end) = mistakes(&sources)[0].span.unwrap();
        let text = &sources.iter().find(|source| source.path == path).unwrap().text;
        assert_eq!(&text[start..end], other);
    }
}
