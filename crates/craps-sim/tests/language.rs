//! Strategies as text: what is wrong with them, and where; every shipped one at a table; and texts that nobody would write.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that cannot go on should stop where it is")]

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

/// A strategy, ` | ` between its lines, and what is said about it. Where it begins with no `strategy`, three lines stand before it.
const MISTAKES: &[(&str, &[&str])] = &[
    ("always: feild for unit", &["4:9: `feild` is no word of rail talk; did you mean `field for unit`?"]),
    ("always: pass line for unitt", &["4:23: `unitt` is no word of rail talk; did you mean `pass line for unit`?"]),
    ("always: 12 on the sixx", &["4:19: `sixx` is no word of rail talk; did you mean `12 on the six`?"]),
    ("always |     pass line for 2 * ", &["5:21: `*` has no amount on both its sides"]),
    ("always: pass line for", &["4:19: `pass line for`: an amount is missing; did you mean `pass line for unit`?"]),
    ("always: pass line", &["4:14: `pass line`: an amount is missing; did you mean `pass line for unit`?"]),
    ("whne coming out: pass line for unit", &["4:1: `whne` is not known; did you mean `when`?"]),
    ("when comming out: pass line for unit", &["4:6: `comming` is not known; did you mean `coming`?"]),
    (
        "when coming out pass line for unit",
        &["4:17: a `:` is missing before this; did you mean `when coming out: pass line for unit`?"],
    ),
    ("when the six wonn: press the six", &["4:14: `wonn` is not known; did you mean `won`?"]),
    ("when the sixx won: press the six", &["4:10: `sixx` is not known; did you mean `six`?"]),
    ("when come bets << 2: come for unit", &["4:17: `<` is not understood here; an amount would be"]),
    ("when come bets < : come for unit", &["4:16: an amount is missing behind `<`"]),
    ("when rail > 100 and: come for unit", &["4:17: a bet or an amount is missing behind `and`"]),
    (
        "when rail > 100 or or net < 5: come for unit",
        &["4:20: `or` is not understood here; a bet or an amount would be"],
    ),
    ("when (rail > 100: come for unit", &["4:14: a `)` is missing behind `100`"]),
    (
        "pass line for unit",
        &[
            "4:1: an order stands under `when …` or `always`, and is indented; did you mean `always: pass line for unit`?",
        ],
    ),
    (
        "always | pass line for unit",
        &[
            "4:1: nothing is ordered here; orders stand behind a `:` or below `always`, indented",
            "5:1: an order stands under `when …` or `always`, and is indented; did you mean `always: pass line for unit`?",
        ],
    ),
    (
        "always |     if rail > 10 pass line for unit",
        &["5:18: a `:` is missing before this; did you mean `if rail > 10: pass line for unit`?"],
    ),
    ("always |     if rail > 10:", &["5:5: nothing is ordered here; orders stand behind the `:` or below, indented"]),
    (
        "always |     pass line for unit |         come for unit",
        &["6:9: this line is indented more than the line above, which opens no block"],
    ),
    (
        "always |     pass line for unit |   come for unit",
        &["6:3: this line is indented less than the one its block begins with, and more than the line above that"],
    ),
    ("always |     otherwise: pass line for unit", &["5:5: `otherwise` follows an `if`"]),
    ("always |     set level to 5", &["5:9: no `let` gives the name `level`"]),
    ("let level = 0 | always |     set levl to 5", &["6:9: no `let` gives the name `levl`; did you mean `level`?"]),
    (
        "let level = 0 | always |     set level 5",
        &["6:15: `to` is missing before the value; did you mean `set level to`?"],
    ),
    (
        "let bet = unit | always: pass line for bet",
        &[
            "4:5: `bet` has a meaning already; a name is a word of your own; did you mean `my_bet`?",
            "5:23: `bet` is not understood here; an amount would be",
        ],
    ),
    (
        "let six = unit | always: pass line for six",
        &["4:5: `six` is no name; a name is a word of your own; did you mean `stake`?"],
    ),
    (
        "let x unit | always: pass line for x",
        &["4:7: a name is followed by `=` and what it is; did you mean `let x = unit`?"],
    ),
    (
        "let x = rail | always: pass line for x",
        &[
            "4:5: what a name begins with is known before the first throw: numbers, `unit`, `buy-in` and names before it",
        ],
    ),
    ("let x = 1, 2, 3 | always: pass line for x", &["5:23: `x` is a list; say which step; did you mean `x at 1`?"]),
    ("let x = 1 | let x = 2 | always: pass line for x", &["5:5: `x` is there already"]),
    (
        "progression x = martingal on the pass line | always: pass line for x",
        &["4:17: a progression is a `martingale`, a `paroli`, a `d'alembert`, or `steps`; did you mean `martingale`?"],
    ),
    (
        "progression x = martingale | always: pass line for x",
        &["4:17: the bet that it follows is missing; did you mean `martingale on the pass line`?"],
    ),
    (
        "progression x = martingale on the pass line, at most 100 steps | always: pass line for x",
        &["4:17: a progression has from 1 to 64 steps; did you mean `at most 6 steps`?"],
    ),
    (
        "progression x = steps 5, 10 on the pass line | always: pass line for x",
        &["4:17: it is not said when the steps go up; did you mean `up on a loss, start over on a win`?"],
    ),
    (
        "progression x = steps 5, 0 on the pass line, up on a win | always: pass line for x",
        &["4:13: a step of nothing is no bet: an amount is above zero"],
    ),
    (
        "progression x = martingale on the pass line, limt 5 | always: pass line for x",
        &["4:46: `limt` is not known; did you mean `limit`?"],
    ),
    (
        "always: buy four for 20",
        &["4:9: this house does not offer buy four; did you mean `place four`, `place four to lose` or `hard four`?"],
    ),
    ("always: fire for 5", &["4:9: this house does not offer fire bet"]),
    ("always: place six for 0", &["4:23: nothing is no bet: an amount is above zero; did you mean `place six for 5`?"]),
    ("always: place six for unit - 5", &["4:9: that comes to 0: nothing is no bet, an amount is above zero"]),
    ("always: place six for 5 / 0 * unit", &["4:23: nothing divides by nothing"]),
    (
        "always: place six and eight for 12",
        &["4:9: on each, or on all together? did you mean `place six and eight for 12 each`?"],
    ),
    ("always: 31 inside", &["4:9: 31 does not share out over 4 bets; 22 or 44 would"]),
    ("always: press the nine", &["4:9: this strategy never bets on the 9"]),
    ("when the nine won: pass line for unit", &["4:6: this strategy never bets on the 9; did you mean `pass line`?"]),
    ("always: press it", &["4:9: `it` is a bet that the condition speaks of, and here it speaks of none"]),
    ("always: max odds", &["4:9: this strategy makes no bet there that takes odds"]),
    (
        "always |     come for unit |     20 odds on come bets",
        &["6:5: odds on which bet, or on each? did you mean `20 odds on every come bet`?"],
    ),
    ("always: roll", &["4:9: that is nothing a strategy orders; it bets, changes bets, sets values and quits"]),
    ("always: what if seven", &["4:9: a strategy asks nothing; what it looks at stands in a condition"]),
    ("always: pass line for unit for the dealers", &["4:9: a strategy makes no bets for the dealers"]),
    ("always: pass line for unit with 10 cash", &["4:9: a strategy bets chips alone, no cash and no coupons"]),
    ("always: field for the maximum", &["4:9: field has no maximum here: how much?"]),
    ("when coming out and the point is on: pass line for unit", &["4:1: this never happens, whatever the point is"]),
    ("when the point is 7: pass line for unit", &["4:19: that is never a point; did you mean `the point is 6`?"]),
    ("when the point is 13: pass line for unit", &["4:19: that is never a point; did you mean `the point is 6`?"]),
    (
        "strategy S | unit 5 | always: pass line for unit",
        &["1:1: there is no line `buy-in`; did you mean `buy-in 500`?"],
    ),
    (
        "strategy S | buy-in 0 | unit 5 | always: pass line for unit",
        &["2:8: a buy-in of nothing is none; did you mean `buy-in 500`?"],
    ),
    (
        "strategy S | buy-in 1,000 | unit 5 | always: pass line for unit",
        &["2:9: amounts are written without a comma; did you mean `buy-in 500`?"],
    ),
    (
        "strategy S | buy-in lots | unit 5 | always: pass line for unit",
        &["2:8: `buy-in` is followed by an amount; did you mean `buy-in 500`?"],
    ),
    (
        "goal 50 | always: pass line for unit",
        &["4:1: a goal of 50 is not above the buy-in of 100; did you mean `goal +50`?"],
    ),
    ("goal -50 | always: pass line for unit", &["4:1: a goal of -50 is no win; did you mean `goal +50`?"]),
    (
        "stop 200 | always: pass line for unit",
        &["4:1: a stop of 200 is not below the buy-in of 100; did you mean `stop -200`?"],
    ),
    ("stop +20 | always: pass line for unit", &["4:1: a stop of 20 is no loss; did you mean `stop -20`?"]),
    (
        "stop -200 | always: pass line for unit",
        &["4:1: a stop of -200 is more than the buy-in of 100; did you mean `stop -100`?"],
    ),
    ("stop | always: pass line for unit", &["4:1: `stop` says nothing; did you mean `stop -300`?"]),
    ("unit 10 | always: pass line for unit", &["4:1: `unit` is there already"]),
    (
        "at most few bets per shooter | always: pass line for unit",
        &["4:1: the most bets on one shooter are said so; did you mean `at most 3 bets per shooter`?"],
    ),
    ("quit when net > ", &["4:15: an amount is missing behind `>`"]),
    ("quit when nett > 50 | always: pass line for unit", &["4:11: `nett` is not known; did you mean `net` or `next`?"]),
    ("units 5 | always: pass line for unit", &["4:1: `units` is not known; did you mean `unit`?"]),
    ("buyin 5 | always: pass line for unit", &["4:1: `buyin` is not known; did you mean `buy-in`?"]),
    (
        "hello there",
        &[
            "4:1: `hello` begins no line; one begins with `strategy`, `about`, `from`, `buy-in`, `unit`, `stop`, `goal`, `book`, `house`, `at most`, `let`, `progression`, `quit when`, `when`, `always`",
        ],
    ),
    ("house none | always: pass line for unit", &["4:1: `house` says nothing; did you mean `house offer=buy,lay`?"]),
    (
        "when its win > 5: pass line for unit",
        &["4:1: `its` speaks of the bet that an order is about; say which bet; did you mean `win on the six`?"],
    ),
    (
        "when rail rounded up > 5: pass line for unit",
        &[
            "4:1: rounded to what? only the amount of one bet is rounded to what is paid; did you mean `rounded up to 6`?",
        ],
    ),
    (
        "always coming out: pass line for unit",
        &["4:8: `always` needs no condition; did you mean `when coming out: pass line for unit`?"],
    ),
    ("always: if rail > 5: pass line for unit", &["4:9: a condition within a line stands on a line of its own"]),
    (
        "",
        &[
            "1:1: there is no line `strategy`; did you mean `strategy Mine`?",
            "1:1: there is no line `buy-in`; did you mean `buy-in 500`?",
            "1:1: there is no line `unit`; did you mean `unit 10`?",
        ],
    ),
    ("always: pass line for 999999999", &["4:23: that is more than any table takes"]),
    (
        "always: press the six by unit 12 ; field for unit",
        &[
            "4:31: `12` does not belong to `press the six by unit`; a ; parts two orders; did you mean `press the six by unit`?",
        ],
    ),
    (
        "always |     place six for unit |     press the six 12",
        &["6:19: pressed by 12, or up to 12? did you mean `press the six by 12` or `press the six to 12`?"],
    ),
    (
        "always |     place six for 6 |     move the six to the place bets",
        &["6:31: `bets` is not understood here; a number would be"],
    ),
    (
        "always: pass line for ((((((((((((((((((unit))))))))))))))))))",
        &["4:39: no more than 16 brackets stand in each other"],
    ),
    ("when net between 5 and 10: field for unit", &["4:10: `between` is not known"]),
    ("always: $ on the six", &["4:9: `$` is no word of rail talk"]),
    ("when losses in a row on the sixth > 2: field for unit", &["4:29: `sixth` is not known; did you mean `sixty`?"]),
    (
        "let a = 1 | let b = a + c | always: field for unit * b",
        &[
            "4:5: `a` has a meaning already; a name is a word of your own; did you mean `my_a`?",
            "5:11: `+` is not understood here",
        ],
    ),
    (
        "when the six won press the six",
        &["4:18: a `:` is missing before this; did you mean `when the six won: press the six`?"],
    ),
    ("always pass line for unit", &["4:8: a `:` is missing before this; did you mean `always: pass line for unit`?"]),
    (
        "always |     place six for 6 |     if the six won press it",
        &["6:20: a `:` is missing before this; did you mean `if the six won: press it`?"],
    ),
    (
        "when the point is on: place six for 6; press six to",
        &["4:50: `to` does not belong to `press six`; a ; parts two orders; did you mean `press six`?"],
    ),
    ("when (the six won: place six for 6", &["4:15: a `)` is missing behind `won`"]),
    ("always: place six for 12; press six by 6 + ; field for unit", &["4:42: `+` has no amount on both its sides"]),
    ("always: 3-4-5-6 odds", &["4:9: 3 on the 4, or 4 on the 3?"]),
    ("when a 13 was thrown: field for unit", &["4:8: `13` is not understood here"]),
    (
        "always |     if the six won: place six for 12 |     otherwise if: field for unit",
        &["6:5: a bet or an amount is missing behind `otherwise`"],
    ),
    ("let x = 5 | always |     set x to x +", &["6:16: an amount is missing behind `+`"]),
    (
        "always: hard five for 5",
        &["4:9: no book has a hard bet on 5; there is one on 4, 6, 8, 10; did you mean `hard four for 5`?"],
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

/// What is offered instead of a word must do: put in its place it is understood.
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

/// A strategy that names no book is for all of them that have its bets.
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
            // Where come odds always work, the law lets nobody call them off: that is told, and the rest is played.
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
    assert!(program.about().starts_with("The six and eight placed at 12 once a point is on."));
    assert_eq!((program.buy_in(), program.unit()), (100_000, 1_200));
    assert_eq!((program.stop(), program.goal()), (Some(-30_000), Some(30_000)));
    assert!(!program.shoots());
    let text = "strategy S\nbuy-in 100\nunit 5\nstop 40\ngoal 250\nlet x = 2\nlet y = 3\nalways: field for x * y; set x to x + 1\n";
    let program = read_at(&rules, text).unwrap();
    assert_eq!((program.stop(), program.goal()), (Some(-6_000), Some(15_000)));
    assert_eq!(program.variables(), [("x".to_owned(), 200)]);
    assert_eq!(program.reads().counters, []);
}

/// The unit may be changed before a strategy is sat down.
/// A cap on bets is one on new bets: odds and presses add to a bet that stands.
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
    assert!(sixes > 20, "odds were counted as a bet: the six stood pressed in {sixes} sessions");
}

#[test]
fn a_unit_can_be_set_from_outside() {
    let rules = rules("nj", "").unwrap();
    let mut script =
        Script::read("s", "strategy S\nbuy-in 100\nunit 5\nwhen coming out: pass line for unit\n").unwrap();
    script.unit = "25".parse().unwrap();
    assert_eq!(script.at(rules.board(), rules.table()).unwrap().unit(), 2_500);
}

// ---- texts that nobody would write ----

/// How many texts each target makes.
fn runs(usual: u32) -> u32 {
    std::env::var("BOXPERSON_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(usual)
}

/// Reads a text, sits it down and plays it: whatever it is, nothing panics, and what is wrong with it is said about a place in it.
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

/// What goes on and on is refused before it can nest without end.
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

/// The text with one thing changed: a character, a word or a line.
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

// ---- the page about it ----

fn page() -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/strategies.md")).unwrap()
}

/// The phrases in the first column of the table of a section.
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
