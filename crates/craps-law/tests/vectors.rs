//! Worked examples for side bets: rolls, and what each book's pay table pays for them.
//! `[T]` marks an example from the regulation itself, `[D]` one that follows from its rules.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_dice::{Throw, Total};
use craps_law::{Library, RuleBook};

/// Returns the outcome of a bet: a price, `lost`, `push` or `open`. A bet with credits is also `open`.
fn outcome(book: &RuleBook, slug: &str, table: Option<&str>, throws: &str) -> String {
    let law = book
        .wager(craps_wagers::Catalogue::built_in().find(slug).unwrap())
        .unwrap_or_else(|| panic!("{} has no {slug}", book.id));
    let wager = law.wager.wager();
    let told = wager.tell(book.machine(law, &[]).dials, throws).unwrap();
    let name = table.map(str::to_owned);
    let pays =
        law.pays.0.iter().find(|fact| fact.is.table == name).unwrap_or_else(|| panic!("{slug} has no table {table:?}"));
    match told.as_str() {
        "lost" => "lost".to_owned(),
        told if told == "stands" || told.starts_with("credited") => "open".to_owned(),
        rank => {
            let rank = wager.ranks.find(rank).unwrap();
            let counts = matches!(wager.ranks, craps_wagers::Ranks::Counts(_));
            let prize = if counts {
                pays.is.prizes.range(..=rank).next_back().map(|(_, prize)| prize)
            } else {
                pays.is.prizes.get(&rank)
            };
            prize.map_or("lost".to_owned(), |prize| prize.to_string())
        }
    }
}

/// Converts a list of totals and dice to dice. A total becomes any dice that make it.
fn throws(list: &str) -> String {
    let one = |item: &str| match item.trim().parse::<Total>() {
        Ok(total) => Throw::ALL.into_iter().find(|throw| throw.total() == total).unwrap().to_string(),
        Err(_) => item.trim().parse::<Throw>().unwrap().to_string(),
    };
    list.split(',').map(one).collect::<Vec<_>>().join(" ")
}

/// Checks rows of rolls, with one outcome for each pay table.
fn check(books: &[&str], slug: &str, tables: &[&str], rows: &[(&str, &[&str])]) {
    let library = Library::shipped();
    for id in books {
        let book = library.book(id).unwrap();
        for (list, expected) in rows {
            assert_eq!(expected.len(), tables.len());
            for (table, expected) in tables.iter().zip(*expected) {
                let table = (!table.is_empty()).then_some(*table);
                assert_eq!(outcome(book, slug, table, &throws(list)), *expected, "{id} {slug} {table:?}: {list}");
            }
        }
    }
}

#[test]
fn fire_where_the_loser_seven_settles_it() {
    check(
        &["pa", "md", "nj"],
        "fire",
        &["A", "B"],
        &[
            ("6,6,8,8,4,4,10,10,5,7", &["24 to 1", "39 to 1"]),
            ("7,6,6,6,6,8,8,4,4,5,7", &["lost", "lost"]),
            ("4,4,5,5,6,6,8,8,9,9,6,7", &["249 to 1", "199 to 1"]),
            ("4,4,5,5,6,6,8,8,9,9,10,10", &["open", "open"]),
            ("4,4,5,5,6,6,8,8,9,9,10,10,11,4,7", &["999 to 1", "499 to 1"]),
            ("6,7", &["lost", "lost"]),
        ],
    );
}

#[test]
fn fire_where_the_sixth_point_ends_it() {
    check(
        &["co"],
        "fire",
        &["FB-1", "FB-2", "FB-3", "FB-4"],
        &[
            // [T] five individual points; [T] the same point twice counts once; [D] all six, at once; [D] none.
            ("4,4,5,5,6,6,8,8,9,9,10,7", &["250 for 1", "249 to 1", "150 for 1", "149 to 1"]),
            ("6,6,6,6,8,8,9,9,4,7", &["lost", "lost", "7 for 1", "6 to 1"]),
            ("4,4,5,5,6,6,8,8,9,9,10,10", &["1000 for 1", "999 to 1", "300 for 1", "299 to 1"]),
            ("7,11,2,6,7", &["lost", "lost", "lost", "lost"]),
        ],
    );
}

#[test]
fn sharp_shooter() {
    let ten_points = ["6,6"; 10].join(",");
    check(
        &["co"],
        "sharp-shooter",
        &["SS-01", "SS-02", "SS-03", "SS-04", "SS-05", "SS-06"],
        &[
            ("6,6,8,8,6,6,5,7", &["6 for 1", "7 for 1", "6 for 1", "5 to 1", "6 to 1", "5 to 1"]),
            ("7,11,6,6,8,8,5,7", &["lost"; 6]),
            ("4,4,5,5,6,6,8,8,9,9,4,7", &["20 for 1", "20 for 1", "20 for 1", "20 to 1", "20 to 1", "15 to 1"]),
            (&ten_points, &["300 for 1", "300 for 1", "500 for 1", "299 to 1", "299 to 1", "500 to 1"]),
        ],
    );
}

#[test]
fn ride_the_line() {
    let sevens = |count: usize| format!("{}4,7", "7,".repeat(count));
    let top = ["50 to 1", "75 to 1", "100 to 1", "150 to 1", "50 to 1", "100 to 1", "150 to 1"];
    check(
        &["co"],
        "ride-the-line",
        &["1", "2", "3", "4", "5", "6", "7"],
        &[
            ("6,7", &["lost"; 7]),
            // [T] two counted; [T] three counted; [T] one counted; [T] eleven and [T] more than eleven.
            ("7,7,5,7", &["push", "lost", "lost", "lost", "lost", "lost", "lost"]),
            ("7,11,6,6,4,7", &["1 to 1", "1 to 1", "1 to 1", "1 to 1", "1 to 1", "push", "push"]),
            ("2,12,11,9,7", &["lost"; 7]),
            (&sevens(11), &top),
            (&sevens(13), &top),
            (
                "6,6,8,8,5,5,9,9,4,4,10,10,3,7,6,7",
                &["8 to 1", "12 to 1", "10 to 1", "10 to 1", "10 to 1", "12 to 1", "10 to 1"],
            ),
        ],
    );
}

#[test]
fn bonus_craps_and_dice_ology() {
    let products: [(&[&str], [&str; 3], [&str; 2]); 4] = [
        (&["pa"], ["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"], ["1", "2"]),
        (&["md"], ["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"], ["A", "B"]),
        (
            &["co", "co-crapless"],
            ["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"],
            ["PT-FLT-BC-01", "PT-FLT-BC-02"],
        ),
        (&["md"], ["dice-ology-little-ones", "dice-ology-big-ones", "dice-ology-boom-or-bust"], ["A", "B"]),
    ];
    for (books, [small, tall, all], tables) in products {
        let (five, ten): (&[&str], &[&str]) = (&["34 to 1", "30 to 1"], &["175 to 1", "150 to 1"]);
        let (open, lost): (&[&str], &[&str]) = (&["open"; 2], &["lost"; 2]);
        check(
            books,
            small,
            &tables,
            &[
                ("2,3,4,5,6", five),
                ("7", lost),
                ("6,6", open),
                ("6,5,8,9,4,10,3,11,12,2", five),
                ("12,11,10,9,8,7", lost),
            ],
        );
        check(books, tall, &tables, &[("7", lost), ("6,5,8,9,4,10,3,11,12", five), ("12,11,10,9,8", five)]);
        check(
            books,
            all,
            &tables,
            &[
                ("2,3,4,5,6", open),
                ("2,3,4,5,6,7", lost),
                ("7", lost),
                ("6,5,8,9,4,10,3,11,12,2", ten),
                ("12,11,10,9,8,7", lost),
            ],
        );
    }
}

#[test]
fn lucky_shooter() {
    check(
        &["pa", "md"],
        "lucky-shooter",
        &["A", "B", "C", "D"],
        &[
            // The first four are examples from the regulation.
            ("9,10,4,6,10", &["5 for 1", "4 for 1", "5 for 1", "5 for 1"]),
            ("9,10,4,6,8,5,9", &["1000 for 1", "500 for 1", "1000 for 1", "500 for 1"]),
            ("6,9,6", &["lost"; 4]),
            ("2", &["lost"; 4]),
            ("3", &["lost"; 4]),
            ("12", &["lost"; 4]),
            ("9,10,4,7", &["lost", "2 for 1", "lost", "2 for 1"]),
            ("9,10,4,6,8,12", &["15 for 1", "10 for 1", "20 for 1", "10 for 1"]),
            ("9,10,4,6,8,5,7", &["150 for 1", "100 for 1", "150 for 1", "100 for 1"]),
            ("7,11", &["open"; 4]),
            ("7,11,6,9,8,5,2", &["5 for 1", "4 for 1", "5 for 1", "5 for 1"]),
        ],
    );
}

#[test]
fn hot_roller() {
    check(
        &["pa"],
        "hot-roller",
        &["A", "B"],
        &[
            ("1-3", &["open", "open"]),
            ("1-3,2-2", &["open", "open"]),
            ("1-3,2-2,2-3,4-1,3-6,4-5,7", &["10 to 1", "10 to 1"]),
            ("1-3,2-2,2-3,4-1,2-6,4-5,7", &["5 to 1", "5 to 1"]),
            ("7", &["lost", "lost"]),
            ("1-3,2-2,7", &["lost", "lost"]),
            ("1-3,2-2,1-4,2-3,1-5,2-4,3-3,2-6,3-5,4-4,3-6,4-5,4-6,5-5,7", &["200 to 1", "300 to 1"]),
        ],
    );
}

#[test]
fn hot_shooter_jackpot() {
    let hand = |throws: usize| format!("6,{}7", "3,".repeat(throws));
    for (throws, expected) in [
        (0, "lost"),
        (7, "lost"),
        (8, "push"),
        (15, "push"),
        (16, "2 to 1"),
        (23, "2 to 1"),
        (24, "4 to 1"),
        (31, "4 to 1"),
        (32, "6 to 1"),
        (39, "6 to 1"),
        (40, "11 to 1"),
        (44, "11 to 1"),
        (45, "29 to 1"),
        (49, "29 to 1"),
        (50, "99 to 1"),
        (60, "99 to 1"),
    ] {
        check(&["pa"], "hot-shooter-jackpot", &[""], &[(&hand(throws), &[expected])]);
    }
    check(
        &["pa"],
        "hot-shooter-jackpot",
        &[""],
        &[
            ("6,5,4,8,9,3,11,10,7", &["lost"]),
            ("6,5,4,8,9,3,11,10,2,7", &["push"]),
            ("6,6,7,7,11,5,4,4,8,5", &["open"]),
        ],
    );
}

/// Worked examples of raised prices: stake, wager, pay table, rank, net result.
#[test]
fn power_odds() {
    let library = Library::shipped();
    let offerings = library.book("pa").unwrap().offerings(None);
    let dollars = craps_money::Rounding::exact("1".parse().unwrap());
    for (stake, slug, table, rank, net) in [
        ("5", "any-seven", "power level 2", "win", 40),
        ("5", "any-seven", "standard", "win", 20),
        ("4", "horn", "power level 1", "part 4", 42),
        ("4", "horn", "power level 1", "part 2", 19),
        ("2", "c-and-e", "power level 1", "part 1", 8),
        ("2", "c-and-e", "standard", "part 1", 6),
        ("2", "c-and-e", "power level 2", "part 2", 28),
        ("2", "c-and-e", "standard", "part 2", 14),
        ("5", "hard-6", "power level 1", "win", 65),
    ] {
        let offering = offerings.iter().find(|o| o.wager.wager().slug == slug && o.pay_table == table).unwrap();
        let prize = offering.prizes.of(offering.wager.wager().ranks.find(rank).unwrap()).unwrap();
        let paid = prize.settle(stake.parse().unwrap(), &dollars).unwrap();
        assert_eq!(paid.minor(), net * 100, "{slug} {table} {rank}");
    }
    assert_eq!(
        outcome(library.book("pa").unwrap(), "hard-6", None, "2-4"),
        "lost",
        "the easy way loses, no matter what was drawn"
    );
}
