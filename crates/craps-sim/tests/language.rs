//! Strategies as text: their mistakes and where they are, every shipped strategy at a table, and random texts.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that can't go on should panic")]

use craps_law::{HouseRules, Library};
use craps_sim::language::{Mistakes, Program, Script};
use craps_sim::{Engine, Plan, Rules, Strategy};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use std::path::{Path, PathBuf};

fn rules(book: &str, house: &str) -> Result<Rules, String> {
    let library = Library::shipped();
    let book = library.book(book).unwrap();
    let mut chosen = HouseRules::plain(book.id.clone(), book.sample_day);
    for part in house.split(';').filter(|part| !part.trim().is_empty()) {
        let (key, value) = part.split_once('=').unwrap();
        chosen.set(key.trim(), value.trim()).unwrap();
    }
    let rules = book.admit(&chosen).map_err(|problems| problems[0].to_string())?;
    Ok(Rules::new(rules).unwrap())
}

fn read_at(rules: &Rules, text: &str) -> Result<Program, Mistakes> {
    Script::read("s", text)?.at(rules.board(), rules.table())
}

// ---- mistakes ----

/// A strategy with ` | ` between its lines, and its mistakes. If it doesn't begin with `strategy`, three header lines are put before it.
const MISTAKES: &[(&str, &[&str])] = &[
    ("always: feild for unit", &["4:9: I didn't get \"feild\". Did you mean `field for unit`?"]),
    ("always: pass line for unitt", &["4:23: I didn't get \"unitt\". Did you mean `pass line for unit`?"]),
    ("always: 12 on the sixx", &["4:19: I didn't get \"sixx\". Did you mean `12 on the six`?"]),
    ("always |     pass line for 2 * ", &["5:21: `*` needs an amount on both sides"]),
    ("always: pass line for", &["4:19: \"pass line for\": an amount is missing. Did you mean `pass line for unit`?"]),
    ("always: pass line", &["4:14: \"pass line\": an amount is missing. Did you mean `pass line for unit`?"]),
    ("whne coming out: pass line for unit", &["4:1: Unknown word `whne`. Did you mean `when`?"]),
    ("when comming out: pass line for unit", &["4:6: Unknown word `comming`. Did you mean `coming`?"]),
    (
        "when coming out pass line for unit",
        &["4:17: Expected a `:` before this. Did you mean `when coming out: pass line for unit`?"],
    ),
    ("when the six wonn: press the six", &["4:14: Unknown word `wonn`. Did you mean `won`?"]),
    ("when the sixx won: press the six", &["4:10: Unknown word `sixx`. Did you mean `six`?"]),
    ("when come bets << 2: come for unit", &["4:17: Expected an amount, found `<`"]),
    ("when come bets < : come for unit", &["4:16: Expected an amount after `<`"]),
    ("when rail > 100 and: come for unit", &["4:17: Expected a bet or an amount after `and`"]),
    ("when rail > 100 or or net < 5: come for unit", &["4:20: Expected a bet or an amount, found `or`"]),
    ("when (rail > 100: come for unit", &["4:14: Expected a `)` after `100`"]),
    (
        "pass line for unit",
        &["4:1: An order must be indented under `when …` or `always`. Did you mean `always: pass line for unit`?"],
    ),
    (
        "always | pass line for unit",
        &[
            "4:1: There is no order here. Put orders after a `:`, or indented below `always`",
            "5:1: An order must be indented under `when …` or `always`. Did you mean `always: pass line for unit`?",
        ],
    ),
    (
        "always |     if rail > 10 pass line for unit",
        &["5:18: Expected a `:` before this. Did you mean `if rail > 10: pass line for unit`?"],
    ),
    ("always |     if rail > 10:", &["5:5: There is no order here. Put orders after the `:`, or indented below it"]),
    (
        "always |     pass line for unit |         come for unit",
        &["6:9: This line is indented too far. The line above it doesn't open a block"],
    ),
    (
        "always |     pass line for unit |   come for unit",
        &["6:3: The indentation of this line matches no block above it"],
    ),
    ("always |     otherwise: pass line for unit", &["5:5: `otherwise` only works after an `if`"]),
    ("always |     set level to 5", &["5:9: No `let` defines `level`"]),
    ("let level = 0 | always |     set levl to 5", &["6:9: No `let` defines `levl`. Did you mean `level`?"]),
    (
        "let level = 0 | always |     set level 5",
        &["6:15: Expected `to` before the value. Did you mean `set level to`?"],
    ),
    (
        "let bet = unit | always: pass line for bet",
        &[
            "4:5: `bet` already has a meaning. Use a word of your own. Did you mean `my_bet`?",
            "5:23: I didn't get \"bet\" here. I expected an amount",
        ],
    ),
    (
        "let six = unit | always: pass line for six",
        &["4:5: `six` can't be a name. Use a word of your own. Did you mean `stake`?"],
    ),
    (
        "let x unit | always: pass line for x",
        &["4:7: Expected `=` and a value after the name. Did you mean `let x = unit`?"],
    ),
    (
        "let x = rail | always: pass line for x",
        &[
            "4:5: A name's first value must be known before the first roll. Use numbers, `unit`, `buy-in` and earlier names",
        ],
    ),
    ("let x = 1, 2, 3 | always: pass line for x", &["5:23: `x` is a list. Say which step. Did you mean `x at 1`?"]),
    ("let x = 1 | let x = 2 | always: pass line for x", &["5:5: `x` is already defined"]),
    (
        "progression x = martingal on the pass line | always: pass line for x",
        &["4:17: Expected `martingale`, `paroli`, `d'alembert` or `steps`. Did you mean `martingale`?"],
    ),
    (
        "progression x = martingale | always: pass line for x",
        &["4:17: Say which bet it follows. Did you mean `martingale on the pass line`?"],
    ),
    (
        "progression x = martingale on the pass line, at most 100 steps | always: pass line for x",
        &["4:17: A progression can have 1 to 64 steps. Did you mean `at most 6 steps`?"],
    ),
    (
        "progression x = steps 5, 10 on the pass line | always: pass line for x",
        &["4:17: Say when the steps go up. Did you mean `up on a loss, start over on a win`?"],
    ),
    (
        "progression x = steps 5, 0 on the pass line, up on a win | always: pass line for x",
        &["4:13: Every step must be above zero"],
    ),
    (
        "progression x = martingale on the pass line, limt 5 | always: pass line for x",
        &["4:46: Unknown word `limt`. Did you mean `limit`?"],
    ),
    (
        "always: buy four for 20",
        &["4:9: This house doesn't offer buy four. Did you mean `place four`, `place four to lose` or `hard four`?"],
    ),
    ("always: fire for 5", &["4:9: This house doesn't offer fire bet"]),
    ("always: place six for 0", &["4:23: An amount must be above zero. Did you mean `place six for 5`?"]),
    ("always: place six for unit - 5", &["4:9: That comes to 0. An amount must be above zero"]),
    ("always: place six for 5 / 0 * unit", &["4:23: Can't divide by zero"]),
    (
        "always: place six and eight for 12",
        &["4:9: Is that on each bet, or on all together? Did you mean `place six and eight for 12 each`?"],
    ),
    ("always: 31 inside", &["4:9: 31 doesn't divide evenly over 4 bets. 22 or 44 would"]),
    ("always: press the nine", &["4:9: This strategy never bets on the 9"]),
    ("when the nine won: pass line for unit", &["4:6: This strategy never bets on the 9. Did you mean `pass line`?"]),
    ("always: press it", &["4:9: `it` means a bet in the condition, and there is none here"]),
    ("always: max odds", &["4:9: This strategy has no bet there that takes odds"]),
    (
        "always |     come for unit |     20 odds on come bets",
        &["6:5: Odds on which bet, or on each? Did you mean `20 odds on every come bet`?"],
    ),
    ("always: roll", &["4:9: A strategy can't do that. It can bet, change bets, set values and quit"]),
    ("always: what if seven", &["4:9: A strategy can't ask questions. Use a condition"]),
    ("always: pass line for unit for the dealers", &["4:9: A strategy can't bet for the dealers"]),
    ("always: pass line for unit with 10 cash", &["4:9: A strategy can only bet chips, not cash or coupons"]),
    ("always: field for the maximum", &["4:9: field has no maximum here. Say how much"]),
    ("when coming out and the point is on: pass line for unit", &["4:1: This can never happen, with any point"]),
    ("when the point is 7: pass line for unit", &["4:19: That can't be a point. Did you mean `the point is 6`?"]),
    ("when the point is 13: pass line for unit", &["4:19: That can't be a point. Did you mean `the point is 6`?"]),
    (
        "strategy S | unit 5 | always: pass line for unit",
        &["1:1: The `buy-in` line is missing. Did you mean `buy-in 500`?"],
    ),
    (
        "strategy S | buy-in 0 | unit 5 | always: pass line for unit",
        &["2:8: The buy-in must be above zero. Did you mean `buy-in 500`?"],
    ),
    (
        "strategy S | buy-in 1,000 | unit 5 | always: pass line for unit",
        &["2:9: Write amounts without a comma. Did you mean `buy-in 500`?"],
    ),
    (
        "strategy S | buy-in lots | unit 5 | always: pass line for unit",
        &["2:8: Expected an amount after `buy-in`. Did you mean `buy-in 500`?"],
    ),
    (
        "goal 50 | always: pass line for unit",
        &["4:1: A goal of 50 is not above the buy-in of 100. Did you mean `goal +50`?"],
    ),
    ("goal -50 | always: pass line for unit", &["4:1: A goal of -50 is not a win. Did you mean `goal +50`?"]),
    (
        "stop 200 | always: pass line for unit",
        &["4:1: A stop of 200 is not below the buy-in of 100. Did you mean `stop -200`?"],
    ),
    ("stop +20 | always: pass line for unit", &["4:1: A stop of 20 is not a loss. Did you mean `stop -20`?"]),
    (
        "stop -200 | always: pass line for unit",
        &["4:1: A stop of -200 is more than the buy-in of 100. Did you mean `stop -100`?"],
    ),
    ("stop | always: pass line for unit", &["4:1: `stop` needs a value. Did you mean `stop -300`?"]),
    ("unit 10 | always: pass line for unit", &["4:1: There is already a `unit` line"]),
    (
        "at most few bets per shooter | always: pass line for unit",
        &["4:1: Expected a number of bets per shooter. Did you mean `at most 3 bets per shooter`?"],
    ),
    ("quit when net > ", &["4:15: Expected an amount after `>`"]),
    ("quit when nett > 50 | always: pass line for unit", &["4:11: Unknown word `nett`. Did you mean `net` or `next`?"]),
    ("units 5 | always: pass line for unit", &["4:1: Unknown word `units`. Did you mean `unit`?"]),
    ("buyin 5 | always: pass line for unit", &["4:1: Unknown word `buyin`. Did you mean `buy-in`?"]),
    (
        "hello there",
        &[
            "4:1: A line can't begin with `hello`. Expected one of `strategy`, `about`, `from`, `buy-in`, `unit`, `stop`, `goal`, `book`, `house`, `at most`, `let`, `progression`, `quit when`, `when`, `always`",
        ],
    ),
    ("house none | always: pass line for unit", &["4:1: `house` needs a value. Did you mean `house offer=buy,lay`?"]),
    (
        "when its win > 5: pass line for unit",
        &["4:1: `its` only works in an order. Say which bet. Did you mean `win on the six`?"],
    ),
    (
        "when rail rounded up > 5: pass line for unit",
        &[
            "4:1: Rounded to what? Only a bet's own amount can be rounded to what pays exactly. Did you mean `rounded up to 6`?",
        ],
    ),
    (
        "always coming out: pass line for unit",
        &["4:8: `always` takes no condition. Did you mean `when coming out: pass line for unit`?"],
    ),
    ("always: if rail > 5: pass line for unit", &["4:9: Put this condition on a line of its own"]),
    (
        "",
        &[
            "1:1: The `strategy` line is missing. Did you mean `strategy Mine`?",
            "1:1: The `buy-in` line is missing. Did you mean `buy-in 500`?",
            "1:1: The `unit` line is missing. Did you mean `unit 10`?",
        ],
    ),
    ("always: pass line for 999999999", &["4:23: That is more than any table takes"]),
    (
        "always: press the six by unit 12 ; field for unit",
        &[
            "4:31: \"12\" doesn't fit after \"press the six by unit\". Put a ; between two orders. Did you mean `press the six by unit`?",
        ],
    ),
    (
        "always |     place six for unit |     press the six 12",
        &["6:19: Press by 12, or up to 12? Did you mean `press the six by 12` or `press the six to 12`?"],
    ),
    (
        "always |     place six for 6 |     move the six to the place bets",
        &["6:31: I didn't get \"bets\" here. I expected a number"],
    ),
    (
        "always: pass line for ((((((((((((((((((unit))))))))))))))))))",
        &["4:39: Brackets can be nested at most 16 deep"],
    ),
    ("when net between 5 and 10: field for unit", &["4:10: Unknown word `between`"]),
    ("always: $ on the six", &["4:9: I didn't get \"$\""]),
    ("when losses in a row on the sixth > 2: field for unit", &["4:29: Unknown word `sixth`. Did you mean `sixty`?"]),
    (
        "let a = 1 | let b = a + c | always: field for unit * b",
        &["4:5: `a` already has a meaning. Use a word of your own. Did you mean `my_a`?", "5:11: Unexpected `+`"],
    ),
    (
        "when the six won press the six",
        &["4:18: Expected a `:` before this. Did you mean `when the six won: press the six`?"],
    ),
    ("always pass line for unit", &["4:8: Expected a `:` before this. Did you mean `always: pass line for unit`?"]),
    (
        "always |     place six for 6 |     if the six won press it",
        &["6:20: Expected a `:` before this. Did you mean `if the six won: press it`?"],
    ),
    (
        "when the point is on: place six for 6; press six to",
        &["4:50: \"to\" doesn't fit after \"press six\". Put a ; between two orders. Did you mean `press six`?"],
    ),
    ("when (the six won: place six for 6", &["4:15: Expected a `)` after `won`"]),
    ("always: place six for 12; press six by 6 + ; field for unit", &["4:42: `+` needs an amount on both sides"]),
    ("always: 3-4-5-6 odds", &["4:9: 3 on the 4, or 4 on the 3?"]),
    ("when a 13 was thrown: field for unit", &["4:8: Unexpected `13`"]),
    (
        "always |     if the six won: place six for 12 |     otherwise if: field for unit",
        &["6:5: Expected a bet or an amount after `otherwise`"],
    ),
    ("let x = 5 | always |     set x to x +", &["6:16: Expected an amount after `+`"]),
    (
        "always: hard five for 5",
        &["4:9: There is no hard bet on 5, only on 4, 6, 8, 10. Did you mean `hard four for 5`?"],
    ),
];

#[test]
fn every_mistake_is_told_with_its_place_and_what_would_do() {
    let rules = rules("nj", "").unwrap();
    let mut wrong = Vec::new();
    for (case, expected) in MISTAKES {
        let case = case.replace(" | ", "\n");
        let head =
            if case.is_empty() || case.starts_with("strategy") { "" } else { "strategy S\nbuy-in 100\nunit 5\n" };
        let found = match read_at(&rules, &format!("{head}{case}\n")) {
            Ok(_) => Vec::new(),
            Err(mistakes) => mistakes.iter().map(|mistake| mistake.to_string()[2..].to_owned()).collect(),
        };
        if found != *expected {
            wrong.push(format!("{case}\n  expected {expected:?}\n  found    {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Every suggestion is understood when it replaces the order.
#[test]
fn what_is_offered_instead_of_an_order_is_understood() {
    let rules = rules("nj", "").unwrap();
    for order in
        ["feild for unit", "pass line for unitt", "12 on the sixx", "pass line for", "pass line", "hard five for 5"]
    {
        let head = "strategy S\nbuy-in 100\nunit 5\nalways: ";
        let mistakes = read_at(&rules, &format!("{head}{order}\n")).unwrap_err();
        for instead in &mistakes[0].suggestions {
            assert!(read_at(&rules, &format!("{head}{instead}\n")).is_ok(), "{order}: {instead}");
        }
        assert!(!mistakes[0].suggestions.is_empty(), "{order}");
    }
}

// ---- what is shipped ----

fn shipped() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../strategies");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "strategy"));
    paths.sort();
    let named = |path: PathBuf| {
        (path.file_stem().unwrap().to_str().unwrap().to_owned(), std::fs::read_to_string(&path).unwrap())
    };
    paths.into_iter().map(named).collect()
}

#[test]
fn every_shipped_strategy_is_played_without_a_refusal() {
    let all = shipped();
    assert!(all.len() >= 25, "{} strategies", all.len());
    for (name, text) in all {
        let script = Script::read(&name, &text).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        assert!(!script.about.is_empty() && !script.from.is_empty(), "{name} says what it is and where it comes from");
        let rules = rules(script.book.as_deref().unwrap_or("nj"), script.house.as_deref().unwrap_or_default()).unwrap();
        let program = script.at(rules.board(), rules.table()).unwrap_or_else(|wrong| panic!("{wrong:?}"));
        let mut engine = Engine::new(&rules, &program);
        let plan = Plan { buy_in: program.buy_in(), throws: 200, stop: program.stop(), goal: program.goal() };
        let moved = (0..50).filter(|session| engine.session(5, *session, &plan).net != 0).count();
        assert!(moved > 20, "{name} hardly bets");
        assert!(engine.seat().refusals().is_empty(), "{name}: {:?}", engine.seat().refusals());
    }
}

/// A strategy without a book works with every book that has its bets.
#[test]
fn a_strategy_that_names_no_book_is_at_home_in_several() {
    let books = ["pa", "md", "nj", "co"];
    for (name, text) in shipped() {
        let script = Script::read(&name, &text).unwrap();
        if script.book.is_some() {
            continue;
        }
        for book in books {
            let rules = rules(book, script.house.as_deref().unwrap_or_default()).unwrap();
            let program = script.at(rules.board(), rules.table()).unwrap_or_else(|wrong| panic!("{book}: {wrong:?}"));
            let mut engine = Engine::new(&rules, &program);
            let plan = Plan { buy_in: program.buy_in(), throws: 100, stop: None, goal: None };
            (0..20).for_each(|session| {
                engine.session(9, session, &plan);
            });
            // Where come odds always work, the law doesn't allow turning them off. That is reported, and the rest is played.
            let told = |(_, refusal): &&(craps_table::SlotId, craps_table::Refusal)| {
                !(name == "molly" && refusal.code.name() == "no-turn-off")
            };
            let refused: Vec<_> = engine.seat().refusals().iter().filter(told).collect();
            assert!(refused.is_empty(), "{name} in {book}: {refused:?}");
        }
    }
}

#[test]
fn what_a_program_is_asked_for_is_what_was_written() {
    let rules = rules("nj", "").unwrap();
    let (_, text) = shipped().into_iter().find(|(name, _)| name == "press").unwrap();
    let program = read_at(&rules, &text).unwrap();
    assert_eq!(program.name(), "Press the six and eight");
    assert!(program.about().starts_with("The 6 and 8 placed at $12 once a point is on."));
    assert_eq!((program.buy_in(), program.unit()), (100_000, 1_200));
    assert_eq!((program.stop(), program.goal()), (Some(-30_000), Some(30_000)));
    assert!(!program.shoots());
    let text = "strategy S\nbuy-in 100\nunit 5\nstop 40\ngoal 250\nlet x = 2\nlet y = 3\nalways: field for x * y; set x to x + 1\n";
    let program = read_at(&rules, text).unwrap();
    assert_eq!((program.stop(), program.goal()), (Some(-6_000), Some(15_000)));
    assert_eq!(program.variables(), [("x".to_owned(), 200)]);
    assert_eq!(program.reads().counters, []);
}

/// A limit on bets only counts new bets. Odds and presses add to a bet that is up.
#[test]
fn odds_and_presses_are_no_new_bets() {
    let rules = rules("nj", "").unwrap();
    let text = "strategy Two bets\nbuy-in 1000\nunit 10\nat most 2 bets per shooter\n\
                when coming out: pass line for unit\n\
                when the point is on: max odds; 12 on the six; press the six by 6; 12 on the eight\n";
    let program = read_at(&rules, text).unwrap();
    let mut engine = Engine::new(&rules, &program);
    let [six, eight] = ["place-win-6", "place-win-8"].map(|name| rules.board().named(name).unwrap());
    let plan = Plan { buy_in: program.buy_in(), throws: 2, stop: None, goal: None };
    let mut sixes = 0;
    for session in 0..100 {
        engine.session(4, session, &plan);
        let seat = engine.seat();
        assert_eq!(seat.stake(eight), 0, "a third bet was made, session {session}");
        sixes += u32::from(seat.stake(six) == 1_800);
    }
    assert!(sixes > 20, "odds were counted as a bet: the 6 was pressed in only {sixes} sessions");
}

/// The unit can be changed before a strategy is compiled.
#[test]
fn a_unit_can_be_set_from_outside() {
    let rules = rules("nj", "").unwrap();
    let mut script =
        Script::read("s", "strategy S\nbuy-in 100\nunit 5\nwhen coming out: pass line for unit\n").unwrap();
    script.unit = "25".parse().unwrap();
    assert_eq!(script.at(rules.board(), rules.table()).unwrap().unit(), 2_500);
}

// ---- random texts ----

/// Number of texts that each test makes.
fn runs(usual: u32) -> u32 {
    std::env::var("BOXPERSON_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(usual)
}

/// Reads any text, compiles it and plays it. Nothing panics, and every mistake has a place in the text. Returns true if it could be played.
fn survives(rules: &Rules, text: &str) -> bool {
    let lines = text.split('\n').count();
    match read_at(rules, text) {
        Ok(program) => {
            let plan = Plan {
                buy_in: program.buy_in().min(1_000_000),
                throws: 60,
                stop: program.stop(),
                goal: program.goal(),
            };
            let mut engine = Engine::new(rules, &program);
            (0..3).for_each(|session| {
                engine.session(11, session, &plan);
            });
            true
        }
        Err(mistakes) => {
            assert!(!mistakes.is_empty(), "{text}");
            for mistake in mistakes {
                assert!((1..=lines).contains(&mistake.line), "{mistake}: {text}");
                let line = text.split('\n').nth(mistake.line - 1).unwrap_or_default();
                assert!(mistake.column <= line.chars().count() + 1, "{mistake}: {text}");
                assert!(!mistake.message.is_empty() && !mistake.to_string().contains("9000000"), "{mistake}: {text}");
            }
            false
        }
    }
}

/// Endless texts are refused before they nest too deep.
#[test]
fn endless_texts_are_refused_or_read_in_good_time() {
    let rules = rules("nj", "").unwrap();
    let head = "strategy S\nbuy-in 100\nunit 5\n";
    let rows = [
        (format!("always: field for {}1", "1+".repeat(9_000)), false),
        (format!("always: field for {}1", "1*".repeat(60)), true),
        (format!("always: field for unit{}", " rounded up to 5".repeat(1_000)), false),
        (format!("always: field for {}unit{}", "(".repeat(4_000), ")".repeat(4_000)), false),
        (format!("when {}coming out: field for unit", "not ".repeat(4_000)), true),
        (format!("when {}coming out: field for unit", "coming out or ".repeat(1_000)), true),
        (format!("always\n    if rail > 1: yo 1\n{}", "    otherwise if rail > 2: yo 2\n".repeat(500)), false),
        (
            format!(
                "always\n{}",
                (1..100).map(|deep| format!("{}if rail > 1:\n", " ".repeat(deep))).collect::<String>()
            ),
            false,
        ),
        (format!("always: {}", "field for unit; ".repeat(1_000)), true),
        ("field for unit\n".repeat(2_000), false),
    ];
    for (body, fine) in rows {
        let text = format!("{head}{body}\n");
        assert_eq!(survives(&rules, &text), fine, "{}", &text[..100]);
    }
}

const SIGNS: &[&str] = &[
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "<",
    ">",
    "<=",
    ">=",
    "=",
    "!=",
    ",",
    ":",
    ";",
    ".",
    "#",
    "$",
    "\t",
    "’",
    "«",
    "½",
    "0",
    "-1",
    "1.5",
    "99999999999999999999",
    "999999999",
    "\n",
    "\n    ",
    "\n        ",
    "when",
    "always",
    "if",
    "otherwise:",
    "set",
    "let",
    "progression",
    "not",
    "and",
    "or",
    "rounded up",
    "but at most",
    "its win",
    "it",
    "wins in a row",
    "units",
    "3-4-5",
    "64 across",
    "hop 3-1",
    "max odds",
    "quit",
    "rail",
    "peak rail",
    "come bets",
];

fn pick<'a>(rng: &mut SmallRng, all: &[&'a str]) -> &'a str {
    all[rng.random_range(0..all.len())]
}

#[test]
fn words_in_any_order_never_break_the_reader() {
    let rules = rules("nj", "offer=buy,lay").unwrap();
    let texts = shipped();
    let words: Vec<&str> =
        texts.iter().flat_map(|(_, text)| text.split_whitespace()).chain(SIGNS.iter().copied()).collect();
    let mut rng = SmallRng::seed_from_u64(1);
    for _ in 0..runs(400) {
        let count = rng.random_range(1..30);
        let body: Vec<&str> = (0..count)
            .map(|_| if rng.random_range(0..3) == 0 { pick(&mut rng, SIGNS) } else { pick(&mut rng, &words) })
            .collect();
        let start = pick(
            &mut rng,
            &[
                "",
                "always: ",
                "always\n    ",
                "when ",
                "quit when ",
                "let x = ",
                "progression x = ",
                "when the point is on: ",
            ],
        );
        survives(&rules, &format!("strategy S\nbuy-in 100\nunit 5\n{start}{}\n", body.join(" ")));
    }
}

#[test]
fn spoilt_strategies_are_read_and_played_without_a_panic() {
    let rules = rules("nj", "offer=buy,lay,fire").unwrap();
    let texts = shipped();
    let words: Vec<&str> =
        texts.iter().flat_map(|(_, text)| text.split_whitespace()).chain(SIGNS.iter().copied()).collect();
    let mut rng = SmallRng::seed_from_u64(2);
    let mut played = 0;
    let count = runs(400);
    for _ in 0..count {
        let mut text = texts[rng.random_range(0..texts.len())].1.clone();
        for _ in 0..rng.random_range(1..4) {
            text = spoilt(&mut rng, &text, &words);
        }
        played += u32::from(survives(&rules, &text));
    }
    assert!(played > 0, "none of {count} texts could be played");
}

/// Returns the text with one thing changed: a character, a word or a line.
fn spoilt(rng: &mut SmallRng, text: &str, words: &[&str]) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let at = rng.random_range(0..lines.len());
    match rng.random_range(0..6) {
        0 => {
            lines.remove(at);
        }
        1 => lines.insert(at, lines[at].clone()),
        2 => lines.swap(at, 0),
        3 => {
            let mut parts: Vec<&str> = lines[at].split(' ').collect();
            let place = rng.random_range(0..parts.len());
            parts[place] = pick(rng, words);
            lines[at] = parts.join(" ");
        }
        4 => {
            let mut letters: Vec<char> = lines[at].chars().collect();
            if !letters.is_empty() {
                letters.remove(rng.random_range(0..letters.len()));
            }
            lines[at] = letters.into_iter().collect();
        }
        _ => {
            let mut letters: Vec<char> = lines[at].chars().collect();
            let place = rng.random_range(0..=letters.len());
            letters.insert(place, pick(rng, SIGNS).chars().next().unwrap());
            lines[at] = letters.into_iter().collect();
        }
    }
    lines.join("\n")
}

// ---- the documentation page ----

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/strategies.md")).unwrap()
}

/// Returns the phrases in the first column of a section's table.
fn phrases(page: &str, section: &str) -> Vec<String> {
    let part = page.split("\n## ").find(|part| part.starts_with(section)).unwrap();
    let rows = part.lines().filter(|line| line.starts_with("| `"));
    let first = |row: &str| row[2..].split(" | ").next().unwrap_or_default().to_owned();
    let quoted = |cell: String| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
    rows.map(first).flat_map(quoted).collect()
}

#[test]
fn every_example_and_phrase_of_the_page_is_understood() {
    let rules = rules("nj", "").unwrap();
    let page = page();
    for example in page.split("```").skip(1).step_by(2) {
        assert!(read_at(&rules, example).is_ok(), "{example}: {:?}", read_at(&rules, example));
    }
    let head = "strategy S\nbuy-in 1000\nunit 10\nlet x = 1\nwhen throws > 0: set x to 2\n";
    let bets = "when coming out: pass line for unit; don't come for unit; come for unit; 12 each on the six and eight; hardways 20\n\
                when coming out: max odds on every come bet\n";
    let mut read = 0;
    let mut understood = |text: String| {
        let found = read_at(&rules, &format!("{head}{text}\n"));
        assert!(found.is_ok(), "{text}: {found:?}");
        read += 1;
    };
    phrases(&page, "Conditions").iter().for_each(|phrase| understood(format!("{bets}when {phrase}: field for unit")));
    phrases(&page, "Amounts").iter().for_each(|phrase| understood(format!("{bets}always: field for {phrase}")));
    phrases(&page, "Orders").iter().for_each(|phrase| understood(format!("{bets}always: {phrase}")));
    phrases(&page, "Progressions").iter().for_each(|phrase| {
        understood(format!("progression stake = {phrase}\nwhen coming out: pass line for stake; don't pass for stake"));
    });
    assert!(read > 80, "only {read} phrases");
}

#[test]
fn every_shipped_strategy_is_on_the_page() {
    let page = page();
    for (name, text) in shipped() {
        let row =
            format!("| [`{name}`](../strategies/{name}.strategy) | {} |", Script::read(&name, &text).unwrap().name);
        assert!(page.contains(&row), "docs/strategies.md lacks {row}");
    }
}
