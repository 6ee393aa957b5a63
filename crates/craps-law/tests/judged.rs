//! What a book demands of a whole house, and where its bounds come from.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

mod changed;

use changed::replaced;
use craps_law::{HouseRules, Judgement, Library, SetBy, Source};

fn house(library: &Library, book: &str, day: &str, text: &str) -> HouseRules {
    let text = format!("book = '{book}'\nas_of = {day}\n{text}\n");
    let source = Source { path: "house.toml".into(), text };
    library.house(&source, None).unwrap_or_else(|error| panic!("{error}"))
}

fn judge_under(library: &Library, book: &str, text: &str) -> Judgement {
    let book = library.book(book).unwrap();
    book.judge(&house(library, &book.id, &book.sample_day.to_string(), text))
}

fn judge(book: &str, text: &str) -> Judgement {
    judge_under(&Library::shipped(), book, text)
}

/// The problems of a house with one key.
fn about(judgement: &Judgement, key: &str) -> Vec<String> {
    let own = judgement.problems.iter().filter(|problem| problem.path == key);
    own.map(|problem| format!("{} [{}]", problem.message, problem.cites)).collect()
}

fn keys(judgement: &Judgement) -> Vec<&str> {
    judgement.problems.iter().map(|problem| problem.path.as_str()).collect()
}

#[test]
fn a_house_that_states_nothing_is_played_and_judged() {
    let library = Library::shipped();
    let expected = [
        (
            "pa",
            "box_locations layout.area_for_each_bet layout.name_logo layout.says_no_call_bets limits.max limits.min table.boxes table.length",
        ),
        (
            "md",
            "box_locations layout.area_for_each_bet layout.name_logo layout.says_no_call_bets limits.max limits.min table.boxes table.length",
        ),
        ("nj", ""),
        ("nj-automated", ""),
        (
            "co",
            "box_locations layout.area_for_each_bet layout.says_no_call_bets posting printed_copies table.boxes table.length table.number table.number_on table.number_read_by tips.box",
        ),
        (
            "co-crapless",
            "box_locations layout.area_for_each_bet layout.says_no_call_bets posting printed_copies table.boxes table.length table.number table.number_on table.number_read_by tips.box",
        ),
    ];
    for (id, missing) in expected {
        let book = library.book(id).unwrap();
        let plain = HouseRules::plain(id, book.sample_day);
        assert!(book.admit(&plain).is_ok(), "{id}");
        let judgement = book.judge(&plain);
        assert_eq!(keys(&judgement).join(" "), missing, "{id}");
        assert!(judgement.table.is_some());
        assert!(judgement.problems.iter().all(|problem| problem.message.starts_with("missing; the book demands ")));
    }
}

#[test]
fn wrong_choices_come_before_what_is_missing() {
    let judgement = judge("pa", "[house]\nodds.k = 20\nlimits.min = 5\nlimits.max = 100");
    assert_eq!(keys(&judgement)[..2], ["odds.k", "box_locations"]);
    assert!(judgement.table.is_none());
}

#[test]
fn bounds_are_the_answers_of_the_book() {
    let sources = replaced(
        "pa/procedure.toml",
        "topic = \"fire.most_spots\"\nis    = 16",
        "topic = \"fire.most_spots\"\nis    = 20",
    );
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    let spots = |count: u32| {
        about(
            &judge_under(&library, "pa", &format!("[house]\nfire.table = 'A'\nlayout.fire_spots = {count}")),
            "layout.fire_spots",
        )
    };
    assert_eq!(spots(20), Vec::<String>::new());
    assert_eq!(spots(21), ["21: the book allows at most 20 [PA 623a.2(d)(4)(i)]"]);
    let sources = replaced("nj/procedure.toml", "is    = [\"to\"]", "is    = [\"to\", \"win\"]");
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(
        about(&judge_under(&library, "nj", "[house]\nlayout.odds_wording = 'win'"), "layout.odds_wording"),
        Vec::<String>::new()
    );
    assert_eq!(
        about(&judge("nj", "[house]\nlayout.odds_wording = 'win'"), "layout.odds_wording"),
        ["win: the book allows to [NJ 1.4(a)]"]
    );
}

#[test]
fn the_day_decides_which_answer_holds() {
    let third = |day: &str, name: &str| {
        let library = Library::shipped();
        let book = library.book("pa").unwrap();
        let text = format!("[house]\nbonus.offered = 'yes'\nlayout.bonus_third_name = '{name}'");
        about(&book.judge(&house(&library, "pa", day, &text)), "layout.bonus_third_name")
    };
    for (day, lawful, other) in [
        ("2021-09-03", "all_or_nothing_at_all", "make_em_all"),
        ("2021-09-04", "make_em_all", "all_or_nothing_at_all"),
        ("2024-09-04", "all_or_nothing_at_all", "make_em_all"),
    ] {
        assert_eq!(third(day, lawful), Vec::<String>::new(), "{day}");
        assert_eq!(third(day, other).len(), 1, "{day}");
    }
}

#[test]
fn what_is_for_a_product_is_judged_only_with_the_product() {
    let spots = |text: &str| about(&judge("pa", &format!("[house]\n{text}")), "layout.fire_spots");
    for offered in ["fire.offered = 'yes'", "fire.table = 'A'", "offer = 'fire'", "offer = 'all'", "fire = 'offered'"] {
        assert_eq!(spots(offered), ["missing; the book demands at most 16 [PA 623a.2(d)(4)(i)]"], "{offered}");
    }
    assert_eq!(spots("offer = 'buy'"), Vec::<String>::new());
    assert_eq!(spots("offer = 'all'\nfire.offered = 'no'"), Vec::<String>::new());
    assert_eq!(spots("layout.fire_spots = 40"), Vec::<String>::new());
    let unused = judge("pa", "[house]\nlayout.fire_spots = 40").notices;
    let unused = unused.iter().find(|notice| notice.path == "layout.fire_spots").unwrap();
    assert_eq!(unused.message, "40 has no effect: it is only for a table with fire.offered");
    // A product that may not be offered at this game demands nothing.
    assert_eq!(
        about(&judge("pa", "[house]\nlucky_shooter.offered = 'yes'"), "layout.lucky_shooter_area"),
        Vec::<String>::new()
    );
}

#[test]
fn limits_are_posted_for_every_group_of_bets() {
    let missing = |text: &str| {
        let judgement = judge("md", &format!("[house]\n{text}"));
        keys(&judgement).into_iter().filter(|key| key.starts_with("limits")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(missing("limits.min = 5\nlimits.max = 100"), Vec::<String>::new());
    assert_eq!(missing("limits.min = 5"), ["limits.max"]);
    let each = |end: &str, but: &str| {
        let groups = ["line", "number", "hardway", "prop", "side"].into_iter().filter(|group| *group != but);
        groups.map(|group| format!("limits.{group}.{end} = 50\n")).collect::<String>()
    };
    assert_eq!(missing(&format!("{}{}", each("min", ""), each("max", ""))), Vec::<String>::new());
    assert_eq!(missing(&format!("{}{}", each("min", "prop"), each("max", ""))), ["limits.min"]);
}

#[test]
fn seats_are_the_law_s_or_the_house_s() {
    let seats = |book: &str, game: &str, text: &str| {
        let library = Library::shipped();
        let law = library.book(book).unwrap();
        let house = house(&library, book, &law.sample_day.to_string(), &format!("game = '{game}'\n[house]\n{text}"));
        let admitted = law.admit(&house).map_err(|problems| problems.to_string());
        admitted.map(|rules| {
            rules.seats.map(|(seats, by)| match by {
                SetBy::House(key) => (seats, key),
                SetBy::Law(cites) => (seats, cites.to_string()),
            })
        })
    };
    let house_sets = |seats: u32| Ok(Some((seats, "table.seats".to_owned())));
    assert_eq!(seats("pa", "mini-craps", ""), Ok(Some((9, "PA 623a.2(c)".to_owned()))));
    assert_eq!(seats("pa", "mini-craps", "table.seats = 9"), Ok(Some((9, "PA 623a.2(c)".to_owned()))));
    assert_eq!(seats("md", "mini-craps", "table.seats = 7"), house_sets(7));
    assert_eq!(
        seats("pa", "mini-craps", "table.seats = 10"),
        Err("table.seats: 10: the book allows at most 9 [PA 623a.2(c)]".to_owned())
    );
    // No text limits the seats of these tables.
    assert_eq!(seats("nj", "mini-craps", ""), Ok(None));
    assert_eq!(seats("nj", "mini-craps", "table.seats = 10"), house_sets(10));
    assert_eq!(seats("pa", "craps", "table.seats = 20"), house_sets(20));
    assert_eq!(seats("co", "craps", "table.seats = 20"), house_sets(20));
}

#[test]
fn a_tournament_s_amounts_are_added_up() {
    let day = "2021-06-01";
    let wrong = |text: &str| {
        let library = Library::shipped();
        let house = house(&library, "co", day, &format!("[house]\n{text}"));
        let problems = library.book("co").unwrap().admit(&house).err();
        problems
            .into_iter()
            .flat_map(|all| all.iter().map(|problem| problem.path.clone()).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let cost = |fee: &str, buy_in: &str, rebuys: u32, reentries: u32| {
        wrong(&format!(
            "tournament.entry_fee = '{fee}'\ntournament.buy_in = '{buy_in}'\ntournament.rebuys = {rebuys}\ntournament.reentries = {reentries}"
        ))
    };
    let none = Vec::<String>::new();
    assert_eq!(cost("100000", "0", 0, 0), none);
    assert_eq!(cost("100000.01", "0", 0, 0), ["tournament.entry_fee"]);
    assert_eq!(cost("0", "50000", 1, 0), none);
    assert_eq!(cost("0", "50000.01", 1, 0), ["tournament.buy_in"]);
    assert_eq!(cost("50000", "50000", 0, 0), none);
    assert_eq!(cost("50001", "50000", 0, 0), ["tournament.entry_fee"]);
    assert_eq!(cost("10000", "10000", 1, 2), none, "3 × (10,000 + 2 × 10,000)");
    assert_eq!(cost("10000", "10000", 1, 3), ["tournament.entry_fee"], "4 × (10,000 + 2 × 10,000)");
    assert_eq!(cost("1", "1", u32::MAX, u32::MAX), ["tournament.buy_in"]);
}

#[test]
fn a_house_that_repeats_the_amounts_of_the_law_does_not_set_them() {
    let library = Library::shipped();
    for (book, cite) in [("pa", "PA 623a.11(b)(1)"), ("md", "MD Ch.11 §B(1)"), ("nj", "NJ 1.12(b)1")] {
        let law = library.book(book).unwrap();
        let amounts = |text: &str| {
            let house =
                house(&library, book, &law.sample_day.to_string(), &format!("[house]\nfire.table = 'A'\n{text}"));
            let rules = law.admit(&house).map_err(|problems| problems.to_string())?;
            let fire = rules.wagers.iter().find(|rules| rules.wager.wager().slug == "fire").unwrap();
            Ok((fire.limits.unwrap(), fire.limits_by.clone()))
        };
        let (limits, by) = amounts("fire.amount = '1..5'").unwrap();
        assert_eq!((limits.min.to_string(), limits.max.unwrap().to_string()), ("1".to_owned(), "5".to_owned()));
        for end in [by.min, by.max] {
            let SetBy::Law(cites) = end else { panic!("{book}: {end:?}") };
            assert!(cites.to_string().starts_with(cite), "{book}: {cites}");
        }
        let narrow: Result<_, String> = amounts("fire.amount = '2..3'");
        assert_eq!(narrow.unwrap_err(), format!("fire.amount: 2..3: the book allows only 1..5 [{cite}]"));
    }
}

#[test]
fn filings_and_approvals_are_noticed() {
    let library = Library::shipped();
    let notices = |book: &str, text: &str| -> Vec<String> {
        let notices = judge_under(&library, book, &format!("[house]\n{text}")).notices;
        notices.iter().map(|notice| format!("{}: {} [{}]", notice.path, notice.message, notice.cites)).collect()
    };
    assert_eq!(
        notices("pa", "box_locations = 'at each end'\nlayout.name_logo = 'yes'\nlayout.says_no_call_bets = 'yes'"),
        [
            "approval: the Bureau of Casino Compliance must approve box_locations [PA 623a.2(e)]",
            "approval: the Bureau of Gaming Operations must approve layout.name_logo, layout.says_no_call_bets [PA 623a.2(d)(1), PA 623a.2(d)(3)]",
        ]
    );
    assert_eq!(
        notices("co", "variation_request = 'dice of three colors'"),
        [
            "variation_request: dice of three colors must be filed: Division of Gaming [CO 30-2316(1)]",
            "approval: the Commission must approve variation_request [CO 30-2316(1)]",
        ]
    );
    // These texts ask for no filing.
    for (book, text) in [
        ("pa", "place_lose.offered = 'yes'"),
        ("pa", "offer = 'fire,bonus'"),
        ("md", "place_lose.offered = 'yes'"),
        ("co", "tips.box = 'yes'"),
        ("co", "hardways.on_comeout_default = 'on'"),
    ] {
        assert_eq!(notices(book, text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn a_key_of_other_games_is_refused_and_an_unknown_key_is_unreadable() {
    let sources = replaced(
        "nj/house.toml",
        "key     = \"layout.odds_wording\"\n",
        "key     = \"layout.odds_wording\"\ngames   = [\"mini-craps\"]\n",
    );
    let library = Library::load(&sources).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(
        about(&judge_under(&library, "nj", "[house]\nlayout.odds_wording = 'to'"), "layout.odds_wording"),
        ["is for mini-craps only, not for craps [NJ 1.4(a)]"]
    );
    let mut plain = HouseRules::plain("pa", "2023-10-01".parse().unwrap());
    for (key, near) in [
        ("layout.fire_spot", "; did you mean `layout.fire_spots`?"),
        ("layout.carpet", ""),
        ("tips.boxes", "; did you mean `tips.box`?"),
        ("tournament.month", "; did you mean `tournament.months`?"),
    ] {
        assert_eq!(plain.set(key, "1").unwrap_err().to_string(), format!("unknown house key `{key}`{near}"));
    }
}
