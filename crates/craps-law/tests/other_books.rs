//! Houses under books that differ from the built-in ones. Each test changes one text of a built-in book.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod changed;

use changed::replaced;
use craps_law::{Library, Raise, SetBy, Source, TableRules};
use craps_wagers::Catalogue;

fn load(sources: &[Source]) -> Library {
    Library::load(sources).unwrap_or_else(|errors| panic!("{errors}"))
}

/// Admits a Pennsylvania house under changed books. The error is its problems, each with its key and citations.
fn admit(sources: &[Source], house: &str) -> Result<TableRules, Vec<String>> {
    let library = load(sources);
    let text = format!("book = 'pa'\nas_of = 2023-10-01\n{house}\n");
    let house = library.house(&Source { path: "house.toml".into(), text }, None).unwrap();
    let problems = |problems: craps_law::Problems| problems.iter().map(ToString::to_string).collect();
    library.book("pa").unwrap().admit(&house).map_err(problems)
}

#[test]
fn a_game_may_be_played_only_while_it_is_in_force() {
    let hybrid = "{ is = \"hybrid\",     cite = \"PA 623b.4(a)\", from = 2022-03-12, until = 2025-03-12";
    let until = |day: &str| replaced("pa/book.toml", hybrid, &hybrid.replace("2025-03-12", day));
    let game = "game = 'hybrid'";
    assert!(admit(&until("2023-10-02"), game).is_ok());
    assert_eq!(
        admit(&until("2023-10-01"), game).unwrap_err(),
        ["game: hybrid is in force 2022-03-12 to 2023-10-01, not on 2023-10-01 [PA 623b.4(a)]"]
    );
}

#[test]
fn one_timing_for_all_commission_leaves_the_rate_alone() {
    let rate = "{ between = [\"0%\", \"5%\"] }\ndefault = ";
    let book = replaced("pa/house.toml", &format!("{rate}\"5%\""), &format!("{rate}\"4%\""));
    let rules = admit(&book, "[house]\nbuy.offered = 'yes'\nvig.timing = 'upfront'").unwrap();
    let buy = rules.wager(Catalogue::built_in().find("buy-4").unwrap()).unwrap();
    assert_eq!(buy.commission.as_ref().unwrap().is.to_string(), "up-front of stake at 4%");
}

#[test]
fn a_product_that_the_book_withholds_is_not_of_this_game() {
    let option = "key     = \"fire.offered\"\nallow   = ";
    let book = replaced(
        "pa/house.toml",
        &format!("{option}{{ one_of = [\"yes\", \"no\"] }}"),
        &format!("{option}{{ fixed = \"no\" }}"),
    );
    assert!(admit(&book, "[house]\nfire.offered = 'no'").is_ok());
    assert_eq!(
        admit(&book, "[house]\nfire.offered = 'yes'").unwrap_err(),
        ["fire.offered: not a wager of this game [PA 623a.11(a)]"]
    );
}

#[test]
fn any_choice_can_have_to_be_the_same_everywhere() {
    let option = "key     = \"chip\"\nallow   = \"any\"\n";
    let book = replaced("pa/house.toml", option, &format!("{option}uniform = \"casino\"\n"));
    let notices = |house: &str| -> Vec<String> {
        let rules = admit(&book, house).unwrap();
        rules.notices.iter().map(|notice| format!("{}: {} [{}]", notice.path, notice.message, notice.cites)).collect()
    };
    assert_eq!(notices("[house]\nchip = 5"), ["chip: must be the same throughout the casino [PA 623a.4(b)]"]);
    assert_eq!(notices(""), Vec::<String>::new());
}

#[test]
fn a_choice_under_its_own_name_has_its_own_days() {
    let option = "key     = \"layout.name_logo\"\n";
    let book = replaced("pa/house.toml", option, &format!("{option}until = 2020-12-31\n"));
    assert_eq!(
        admit(&book, "[house]\nlayout.name_logo = 'yes'").unwrap_err(),
        ["layout.name_logo: can be chosen only until 2020-12-31, not on 2023-10-01 [PA 623a.2(d)(1)]"]
    );
}

#[test]
fn units_of_one_chip_are_the_chips_of_the_house() {
    let horn = "units   = { is = 4, cite = \"PA 623a.3(a)(19)\"";
    let book = replaced("pa/wagers/one_roll.toml", horn, &horn.replace("is = 4", "is = 1"));
    let rules = admit(&book, "").unwrap();
    let horn = rules.wager(Catalogue::built_in().find("horn").unwrap()).unwrap();
    assert_eq!(horn.limits_by.step, SetBy::House("chip".to_owned()));
}

#[test]
fn without_a_choice_of_the_house_odds_have_the_highest_lawful_multiple() {
    let options = "[[option]]\nkey     = \"odds.k\"\nallow   = \"odds\"\ndefault = \"3-4-5\"\ncite    = [\"PA 623a.6(a)\", \"PA 623a.6(c)\", \"PA 623a.6(e)\"]\n";
    let rules = admit(&replaced("pa/house.toml", options, ""), "").unwrap();
    let odds = rules.wager(Catalogue::built_in().find("pass-odds").unwrap()).unwrap().odds.as_ref().unwrap();
    assert_eq!(odds.multiple.to_string(), "4:10,5:10,6:10,8:10,9:10,10:10");
}

#[test]
fn mini_craps_has_the_callers_of_craps_unless_the_book_names_others() {
    let rule = "topic = \"may.no_roll_mini\"";
    let book = replaced("pa/procedure.toml", rule, "topic = \"may.no_roll_mini\"\nuntil = 2013-01-01");
    let callers = |game: &str| admit(&book, &format!("game = '{game}'\n")).unwrap().callers;
    assert_eq!(callers("mini-craps"), callers("craps"));
}

#[test]
fn a_line_of_a_draw_raises_prices_only_on_its_days() {
    let line = "[[modifier.line]]\nwagers = [\"any-craps\"]";
    let until = |day: &str| replaced("pa/wagers/power_odds.toml", line, &format!("{line}\nuntil = {day}"));
    let lines = |day: &str| {
        let rules = admit(&until(day), "[house]\noffer = 'power_odds'").unwrap();
        rules.modifiers[0].lines.len()
    };
    assert_eq!(lines("2023-10-02"), lines("2023-10-01") + 1);
}

#[test]
fn a_switch_turns_when_a_bet_may_be_raised() {
    let raise = "raise = { is = \"never\", cite = \"PA 623b.2(c)\", reading = [\"A-15\", \"S-05\"]";
    let switch = ", switch = { key = \"side.removal\", general = \"standing\", locked = \"never\" }";
    let book = replaced("pa/wagers/shooter.toml", raise, &format!("{raise}{switch}"));
    let raised = |removal: &str| {
        let house = format!("game = 'electronic'\n[house]\noffer = 'lucky_shooter'\nside.removal = '{removal}'");
        let rules = admit(&book, &house).unwrap();
        rules.wager(Catalogue::built_in().find("lucky-shooter").unwrap()).unwrap().raise.is
    };
    assert_eq!((raised("general"), raised("locked")), (Raise::Standing, Raise::Never));
}

#[test]
fn a_table_that_the_law_does_not_name_is_called_standard() {
    let amount = "key     = \"six_seven_eight.offered\"";
    let option = "[[option]]\nkey = \"six_seven_eight.table\"\nallow = \"listed_tables\"\ndefault = \"standard\"\ncite = \"PA 623a.5(a)\"\n";
    let book = replaced("pa/house.toml", &format!("[[option]]\n{amount}"), &format!("{option}[[option]]\n{amount}"));
    let id = Catalogue::built_in().find("six-seven-eight").unwrap();
    let rules = admit(&book, "[house]\nsix_seven_eight.table = 'standard'").unwrap();
    assert_eq!(rules.wager(id).map(|rules| rules.pay_table.clone()), Some(None));
}

#[test]
fn all_products_do_not_answer_for_a_key_that_is_no_product() {
    let option = "key     = \"fire.offered\"\n";
    let needs = "needs   = [{ when = \"yes\", key = \"off_calls_any\", is = \"yes\" }]\n";
    let book = replaced("pa/house.toml", option, &format!("{option}{needs}"));
    let problems = |house: &str| admit(&book, house).err().unwrap_or_default();
    assert_eq!(problems("[house]\noffer = 'all'\nfire.offered = 'yes'\noff_calls_any = 'yes'"), Vec::<String>::new());
    assert!(problems("[house]\noffer = 'all'\nfire.offered = 'yes'").iter().any(|text| text.contains("off_calls_any")));
}
