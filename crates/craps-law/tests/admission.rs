//! Tests the table rules that a lawful house gets.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_dice::Point;
use craps_law::{Call, HouseRules, Library, Lower, OnOff, Prize, SetBy, Source, TableRules, WagerRules, Who, Window};
use craps_money::{Base, RoundingRule, Timing, WholeDollars};
use craps_wagers::{Count, Rank};

fn admit(book: &str, day: &str, house: &str) -> TableRules {
    let text = format!("book = '{book}'\nas_of = {day}\n{house}");
    let rules =
        HouseRules::parse(&Source { path: "house.toml".into(), text }).unwrap_or_else(|error| panic!("{error}"));
    Library::shipped().book(book).unwrap().admit(&rules).unwrap_or_else(|problems| panic!("{problems:?}"))
}

fn wager<'a>(rules: &'a TableRules, slug: &str) -> &'a WagerRules {
    rules
        .wager(craps_wagers::Catalogue::built_in().find(slug).unwrap())
        .unwrap_or_else(|| panic!("{slug} is not offered"))
}

fn offers(rules: &TableRules, slug: &str) -> bool {
    rules.wager(craps_wagers::Catalogue::built_in().find(slug).unwrap()).is_some()
}

fn pays(rules: &TableRules, slug: &str, rank: &str) -> String {
    let rules = wager(rules, slug);
    rules
        .prizes
        .is
        .of(rules.wager.wager().ranks.find(rank).unwrap())
        .map_or("loses".to_owned(), |prize| prize.to_string())
}

/// The notices of a table, each with its key and citations.
fn notices(rules: &TableRules) -> Vec<String> {
    rules.notices.iter().map(|notice| format!("{}: {} [{}]", notice.path, notice.message, notice.cites)).collect()
}

/// Says who sets something: a house key, or sections of the law.
fn by(set_by: &SetBy) -> String {
    match set_by {
        SetBy::House(key) => format!("house: {key}"),
        SetBy::Law(cites) => format!("law: {cites}"),
    }
}

/// Worked examples of odds limits: book, multiple, wager, flat bet, number, maximum, payout.
#[test]
fn odds_may_pass_their_limit_just_so_far_as_they_pay_exactly() {
    let rows = [
        ("pa", "1", "pass-odds", "5", Point::Nine, "6", "9"),
        ("pa", "1", "pass-odds", "7", Point::Six, "10", "12"),
        ("md", "1", "dont-pass-odds", "5", Point::Eight, "6", "5"),
        ("nj", "1", "dont-pass-odds", "5", Point::Five, "9", "6"),
        ("pa", "10", "dont-pass-odds", "15", Point::Six, "180", "150"),
        ("md", "100", "pass-odds", "5", Point::Four, "500", "1000"),
        // These rules allow no excess: the cap is in whole chips, and the payout is rounded up.
        ("co", "1", "pass-odds", "7", Point::Five, "7", "11"),
        ("co", "1", "dont-pass-odds", "5", Point::Five, "7", "5"),
    ];
    for (book, k, slug, flat, number, most, paid) in rows {
        let rules = admit(book, "2021-06-01", &format!("[house]\nodds.k = {k}\n"));
        let odds = wager(&rules, slug);
        let Some(Prize::Paid(price)) = odds.prizes.is.of(odds.wager.wager().ranks.find(&number.to_string()).unwrap())
        else {
            panic!()
        };
        let limit = odds.odds.as_ref().unwrap().most(flat.parse().unwrap(), number, price, &rules.rounding).unwrap();
        assert_eq!(limit.to_string(), most, "{book} {slug} {flat} on {number}");
        let payout = rules.rounding.payout(most.parse().unwrap(), price).unwrap();
        assert_eq!(payout.paid.to_string(), paid, "{book} {slug} {flat} on {number}");
    }
}

#[test]
fn a_house_that_names_nothing_gets_the_defaults() {
    let pa = admit("pa", "2023-10-01", "");
    assert_eq!(wager(&pa, "pass-odds").odds.as_ref().unwrap().multiple.to_string(), "4:3,5:4,6:5,8:5,9:4,10:3");
    assert!(!offers(&pa, "buy-4") && !offers(&pa, "fire") && !offers(&pa, "hot-roller"));
    assert!(offers(&pa, "six-seven-eight") && offers(&pa, "place-lose-4"));
    assert_eq!(pa.rounding.rule, RoundingRule::ExactOrRefuse);
    assert_eq!(pa.callers, [Who::Box, Who::Stick]);
    assert!(wager(&pa, "place-win-6").stays_up && !wager(&pa, "pass").stays_up);
    let nj = admit("nj", "2024-01-01", "");
    assert!(!offers(&nj, "six-seven-eight"));
    assert!(wager(&nj, "whirl").broken_down);
    let co = admit("co", "2021-06-01", "");
    assert_eq!(co.rounding.rule, RoundingRule::Up);
    assert!(offers(&co, "over-7") && !offers(&admit("co", "2017-12-14", ""), "over-7"));
}

#[test]
fn commission_follows_base_timing_and_named_numbers() {
    let charge = |rules: &TableRules, slug: &str| {
        wager(rules, slug).commission.as_ref().map(|fact| (fact.is.timing, fact.is.base))
    };
    let pa =
        admit("pa", "2023-10-01", "[house]\noffer = 'buy,lay'\nvig.timing = 'on_win'\nvig.on_win.numbers = '4,10'\n");
    assert_eq!(charge(&pa, "buy-4"), Some((Timing::OnWin, Base::Stake)));
    assert_eq!(charge(&pa, "lay-10"), Some((Timing::OnWin, Base::Win)));
    assert_eq!(charge(&pa, "buy-5"), None, "numbers that are not named pay no commission");
    let nj =
        admit("nj", "2024-01-01", "[house]\noffer = 'buy,lay'\nvig.timing = 'on_win'\nvig.on_win.numbers = '4,10'\n");
    assert_eq!(charge(&nj, "buy-4"), Some((Timing::OnWin, Base::Stake)));
    assert_eq!(charge(&nj, "buy-5"), Some((Timing::UpFront, Base::Stake)), "numbers that are not named pay up front");
    assert_eq!(
        charge(&nj, "lay-5"),
        Some((Timing::OnWin, Base::Stake)),
        "the list of numbers applies only to buy bets"
    );
    let md = admit("md", "2024-01-01", "[house]\nlay = 'offered'\nvig.rate = '4%'\n");
    assert_eq!(wager(&md, "lay-4").commission.as_ref().unwrap().is.to_string(), "up-front of stake at 4%");
}

#[test]
fn a_pay_table_is_the_one_named_or_the_first() {
    let first = admit("co", "2021-06-01", "[house]\nfire = 'offered'\n");
    assert_eq!(
        (wager(&first, "fire").pay_table.as_deref(), pays(&first, "fire", "4").as_str()),
        (Some("FB-1"), "25 for 1")
    );
    let named = admit("co", "2021-06-01", "[house]\nfire.table = 'FB-4'\n");
    assert_eq!((pays(&named, "fire", "3").as_str(), pays(&named, "fire", "2").as_str()), ("6 to 1", "loses"));
    let md = admit("md", "2024-01-01", "[house]\nany_seven.pay = '26 to 5'\n");
    assert_eq!(pays(&md, "any-seven", "win"), "26 to 5");
    assert_eq!(pays(&md, "whirl", "part 5"), "26 to 5 on 1/5", "a composite pays what its parts pay");
}

#[test]
fn higher_odds_reach_the_composites_they_are_part_of() {
    let nj = admit("nj", "2024-01-01", "[house]\nhigher_odds = 'eleven:16 to 1,field/12:3 to 1'\n");
    assert_eq!(pays(&nj, "eleven", "win"), "16 to 1");
    assert_eq!(pays(&nj, "horn", "part 3"), "16 to 1 on 1/4");
    assert_eq!((pays(&nj, "field", "12").as_str(), pays(&nj, "field", "2").as_str()), ("3 to 1", "2 to 1"));
}

#[test]
fn switches_turn_windows_working_and_dials() {
    let co = admit(
        "co",
        "2021-06-01",
        "[house]\noffer = 'bonus,ride,sharp_shooter'\nhardways.on_comeout_default = 'on'\nbonus.reopen_after_any_seven = 'no'\nride.window = 'until_first_counted'\nside.removal = 'sharp-shooter:locked'\n",
    );
    assert_eq!(wager(&co, "hard-6").works.is.come_out, OnOff::On);
    assert_eq!(wager(&co, "bonus-all-small").make.is.window, Window::NewShooter);
    assert_eq!(wager(&co, "ride-the-line").make.is.window, Window::UntilFirstCounted);
    assert_eq!(wager(&co, "sharp-shooter").lower.is, Lower::Never);
    assert_eq!(
        wager(&co, "bonus-all-small").lower.is,
        Lower::UntilDecided,
        "a wager that is not named keeps its default"
    );
    let pa = admit(
        "pa",
        "2023-10-01",
        "game = 'electronic'\n[house]\noffer = 'hot_shooter'\nhot_shooter.count_seven_out = 'yes'\ncome_odds.on_comeout = 'off'\n",
    );
    assert_eq!(wager(&pa, "hot-shooter-jackpot").machine.dials.count_seven_out, Count::In);
    assert_eq!(wager(&pa, "hot-shooter-jackpot").lower.is, Lower::UntilFirstThrow);
    let come_odds = wager(&pa, "come-odds").works.is;
    assert_eq!((come_odds.come_out, come_odds.call), (OnOff::Off, Call::On));
}

#[test]
fn limits_are_the_group_s_or_the_house_s_and_odds_have_none() {
    let rules = admit(
        "pa",
        "2023-10-01",
        "[house]\nchip = '0.50'\nlimits.min = 10\nlimits.max = 500\nlimits.prop.min = 1\nfire.table = 'A'\n",
    );
    let limits = |slug: &str| {
        let limits = wager(&rules, slug).limits.unwrap();
        (limits.min.to_string(), limits.max.map(|max| max.to_string()), limits.step.to_string())
    };
    assert_eq!(limits("pass"), ("10".into(), Some("500".into()), "0.50".into()));
    assert_eq!(limits("horn"), ("1".into(), Some("500".into()), "2".into()), "horn bets are multiples of four chips");
    assert_eq!(limits("fire"), ("1".into(), Some("5".into()), "1".into()), "Fire follows only its own amount rule");
    assert!(wager(&rules, "pass-odds").limits.is_none());
}

#[test]
fn crapless_odds_reach_every_number_and_can_be_withheld() {
    let multiple =
        |house: &str| wager(&admit("co-crapless", "2021-06-01", house), "pass-odds").odds.clone().unwrap().multiple;
    assert_eq!(multiple("[house]\nodds.k = '3-4-5'\n").on(Point::Twelve), Some(3), "same as on the 4");
    let own = multiple("[house]\nodds.k = 10\ncrapless.odds_k = '2:0,3:1'\n");
    assert_eq!((own.on(Point::Two), own.on(Point::Three), own.on(Point::Eleven)), (Some(0), Some(1), Some(10)));
    let single = multiple("[house]\nodds.k = 10\ncrapless.odds_k = 2\n");
    assert_eq!(single.to_string(), "2:2,3:2,4:10,5:10,6:10,8:10,9:10,10:10,11:2,12:2");
}

#[test]
fn numbers_without_a_multiple_have_the_multiple_of_the_four() {
    let multiple = |slug: &str, house: &str| {
        let rules = admit("pa", "2023-10-01", house);
        wager(&rules, slug).odds.as_ref().unwrap().multiple.to_string()
    };
    assert_eq!(multiple("pass-odds", "[house]\nodds.k = '4:3,5:4'\n"), "4:3,5:4,6:3,8:3,9:3,10:3");
    // Laying odds falls back to the multiple for taking odds.
    let laying = "[house]\nodds.k = 2\nodds.lay_k = '5:4'\n";
    assert_eq!(multiple("dont-pass-odds", laying), "4:2,5:4,6:2,8:2,9:2,10:2");
    assert_eq!(multiple("pass-odds", laying), "4:2,5:2,6:2,8:2,9:2,10:2");
}

#[test]
fn what_is_offered_depends_on_game_and_day() {
    let all = |game: &str, day: &str| admit("pa", day, &format!("game = '{game}'\n[house]\noffer = 'all'\n"));
    let craps = all("craps", "2023-10-01");
    assert!(
        offers(&craps, "hot-roller")
            && offers(&craps, "fire")
            && !offers(&craps, "lucky-shooter")
            && craps.modifiers.len() == 1
    );
    let electronic = all("electronic", "2023-10-01");
    assert!(
        offers(&electronic, "lucky-shooter")
            && offers(&electronic, "hot-shooter-jackpot")
            && !offers(&electronic, "hot-roller")
    );
    let mini = all("mini-craps", "2023-10-01");
    assert!(!offers(&mini, "fire") && offers(&mini, "bonus-all-small"));
    let today = all("craps", "2026-11-15");
    assert!(!offers(&today, "hot-roller") && offers(&today, "bonus-all-small") && today.modifiers.is_empty());
    assert_eq!(wager(&craps, "bonus-make-em-all").name, "Make 'em All");
    assert_eq!(wager(&today, "bonus-make-em-all").name, "All Or Nothing At All");
}

#[test]
fn only_a_day_before_an_amendment_is_noticed() {
    let amended = |day: &str, cites: &str| {
        format!("as_of: amended on {day}; we don't have the earlier wording, so the later one was used [{cites}]")
    };
    let (first, second) = (amended("2015-06-13", "PA 623a.4, PA 623a.5"), amended("2022-06-04", "PA 623b.4"));
    assert_eq!(notices(&admit("pa", "2015-06-12", "")), [first, second.clone()]);
    assert_eq!(notices(&admit("pa", "2015-06-13", "")), [second]);
    assert_eq!(notices(&admit("pa", "2022-06-04", "")), Vec::<String>::new());
}

#[test]
fn rules_are_in_force_from_their_first_day() {
    assert_eq!(admit("pa", "2012-05-19", "").as_of.to_string(), "2012-05-19");
}

#[test]
fn the_house_chooses_rounding_of_whole_dollars_and_refunds() {
    let whole = |book: &str, house: &str| admit(book, "2021-06-01", house).rounding.whole_dollars;
    assert_eq!(whole("co", ""), WholeDollars::Exact);
    assert_eq!(whole("co", "[house]\nround_whole_dollars = 'yes'\n"), WholeDollars::Rounded);
    assert_eq!(whole("md", ""), WholeDollars::Rounded, "only some books have an exception for whole dollars");
    let refund = |house: &str| admit("nj", "2024-01-01", house).refund;
    assert!(refund("") && refund("[house]\nvig.refund = 'yes'\n"));
    assert!(!refund("[house]\nvig.refund = 'no'\n"));
}

#[test]
fn only_mini_craps_goes_without_a_stickperson() {
    let table = |game: &str, house: &str| {
        let rules = admit("nj", "2024-01-01", &format!("game = '{game}'\n[house]\n{house}\n"));
        (rules.stickperson, rules.callers)
    };
    let mini = [Who::Dealer, Who::Stick, Who::Floor];
    assert_eq!(table("mini-craps", ""), (true, mini.to_vec()));
    assert_eq!(table("mini-craps", "mini.stickperson = 'no'"), (false, vec![Who::Dealer, Who::Floor]));
    assert_eq!(table("craps", "mini.stickperson = 'no'"), (true, vec![Who::Box, Who::Stick]));
}

#[test]
fn a_choice_is_filed_or_uniform_only_when_it_is_made() {
    let of = |book: &str, house: &str| notices(&admit(book, "2024-01-01", &format!("[house]\n{house}\n")));
    assert_eq!(
        of("pa", "buy.offered = 'yes'"),
        ["buy.offered: yes must be filed: Rules Submission [PA 623a.3(a)(41)]"]
    );
    assert_eq!(of("pa", "buy.offered = 'no'"), Vec::<String>::new());
    assert_eq!(of("pa", "offer = 'buy'"), ["offer: buy must be filed: Rules Submission [PA 623a.3(a)(41)]"]);
    assert_eq!(
        of("nj", "higher_odds = 'eleven:16 to 1'"),
        ["higher_odds: must be the same throughout the casino and simulcasting facility [NJ 1.4(b), NJ 1.4(e)]"]
    );
    assert_eq!(of("nj", "higher_odds = 'none'"), Vec::<String>::new());
}

#[test]
fn a_product_that_another_choice_needs_counts_however_it_is_offered() {
    for offer in ["lay.offered = 'yes'", "offer = 'lay'", "offer = 'buy,lay'", "offer = 'all'"] {
        let rules = admit("pa", "2023-10-01", &format!("[house]\nplace_lose.offered = 'no'\n{offer}\n"));
        assert!(!offers(&rules, "place-lose-4") && offers(&rules, "lay-4"), "{offer}");
    }
}

#[test]
fn a_house_may_decline_what_its_book_does_not_have() {
    let crapless = admit("co-crapless", "2021-06-01", "[house]\nlay.offered = 'no'\nvig.timing = 'on_win'\n");
    assert!(!offers(&crapless, "lay-4"));
    let colorado = admit("co", "2021-06-01", "[house]\nmini.stickperson = 'no'\n");
    assert!(colorado.stickperson);
}

#[test]
fn the_minimum_may_be_the_maximum() {
    let rules = admit(
        "co",
        "2021-06-01",
        "[house]\nlimits.min = 25\nlimits.max = 25\nride.offered = 'yes'\nride.min = 10\nride.max = 10\n",
    );
    for (slug, amount) in [("pass", "25"), ("ride-the-line", "10")] {
        let limits = wager(&rules, slug).limits.unwrap();
        assert_eq!((limits.min.to_string(), limits.max.unwrap().to_string()), (amount.into(), amount.into()), "{slug}");
    }
}

#[test]
fn a_fixed_price_may_be_named_as_it_is() {
    let pa = admit("pa", "2023-10-01", "[house]\nhigher_odds = 'hard-4:7 to 1'\n");
    assert_eq!(pays(&pa, "hard-4", "win"), "7 to 1");
}

#[test]
fn a_wager_is_left_out_by_the_house_or_by_the_law() {
    let pa = admit("pa", "2023-10-01", "");
    let left_out = |slug: &str| {
        let wager = craps_wagers::Catalogue::built_in().find(slug).unwrap();
        pa.left_out.iter().find(|(id, _)| *id == wager).map(|(_, set_by)| by(set_by))
    };
    assert_eq!(left_out("buy-4").as_deref(), Some("house: buy.offered"));
    assert_eq!(left_out("lucky-shooter").as_deref(), Some("law: PA 623b.2(a)"), "only electronic tables have it");
    assert_eq!(left_out("pass"), None);
    assert!(pa.modifiers.is_empty(), "draws are offered only by a house that says so");
}

#[test]
fn players_may_turn_on_only_what_the_house_turns_off() {
    let works = |book: &str, day: &str, slug: &str, house: &str| {
        let works = wager(&admit(book, day, &format!("[house]\n{house}\n")), slug).works.is;
        (works.come_out, works.call)
    };
    let come_odds = |word: &str| works("pa", "2023-10-01", "come-odds", &format!("come_odds.on_comeout = '{word}'"));
    assert_eq!(come_odds("on"), (OnOff::On, Call::None));
    assert_eq!(come_odds("off"), (OnOff::Off, Call::On));
}

#[test]
fn a_composite_without_an_area_is_broken_down() {
    let broken_down =
        |slug: &str, house: &str| wager(&admit("pa", "2023-10-01", &format!("[house]\n{house}\n")), slug).broken_down;
    assert!(!broken_down("whirl", "") && !broken_down("whirl", "area.whirl = 'yes'"));
    assert!(broken_down("whirl", "area.whirl = 'no'") && !broken_down("horn-high-2", "area.whirl = 'no'"));
}

#[test]
fn limits_name_the_key_or_the_law_that_sets_them() {
    let limits_by = |slug: &str, house: &str| {
        let rules = admit("pa", "2023-10-01", &format!("[house]\n{house}\n"));
        let limits = &wager(&rules, slug).limits_by;
        [&limits.min, &limits.max, &limits.step].map(by)
    };
    let both = "odds.k = 2\nodds.lay_k = 3";
    assert_eq!(limits_by("pass-odds", both)[1], "house: odds.k");
    assert_eq!(limits_by("dont-pass-odds", both)[1], "house: odds.lay_k");
    assert_eq!(limits_by("dont-pass-odds", "odds.k = 2")[1], "house: odds.k");
    assert_eq!(limits_by("pass-odds", "odds.lay_k = 3")[1], "law: PA 623a.6(e)");
    assert_eq!(
        limits_by("pass", "limits.min = 5\nlimits.line.max = 100"),
        ["house: limits.min", "house: limits.line.max", "house: chip"]
    );
    assert_eq!(limits_by("horn", "")[2], "law: PA 623a.3(a)(19)", "horn bets are multiples of four chips");
    // Fire takes whole dollars by law, unless the chips are no smaller.
    for (chip, step) in [("0.50", "law: PA 623a.11(b)(1)"), ("1", "house: chip"), ("5", "house: chip")] {
        let fire = limits_by("fire", &format!("chip = '{chip}'\nfire.offered = 'yes'"));
        assert_eq!(fire, ["law: PA 623a.11(b)(1)", "law: PA 623a.11(b)(1)", step], "{chip}");
    }
}

/// Checks that the top rank of every offered wager has a prize, and that every fact has a citation.
#[test]
fn table_rules_leave_nothing_open() {
    for book in Library::shipped().books {
        for fact in &book.games {
            let mut house = HouseRules::plain(&book.id, book.sample_day);
            house.game = Some(fact.is);
            house.set("offer", "all").unwrap();
            let rules = book.admit(&house).unwrap_or_else(|problems| panic!("{problems:?}"));
            for wager in &rules.wagers {
                assert!(!wager.name.is_empty());
                for cites in [
                    &wager.prizes.cites,
                    &wager.make.cites,
                    &wager.raise.cites,
                    &wager.lower.cites,
                    &wager.works.cites,
                    &wager.offer.cites,
                ] {
                    assert!(cites.iter().next().is_some(), "{} {}", book.id, wager.wager);
                }
                let top = match wager.wager.wager().ranks {
                    craps_wagers::Ranks::Counts(most) => wager.wager.wager().ranks.find(&most.to_string()),
                    craps_wagers::Ranks::Numbers => wager.wager.wager().ranks.find("4"),
                    craps_wagers::Ranks::Levels(names) => wager.wager.wager().ranks.find(names[names.len() - 1]),
                    _ => Some(Rank::WIN),
                };
                assert!(wager.prizes.is.of(top.unwrap()).is_some(), "{} {}", book.id, wager.wager);
            }
        }
    }
}
