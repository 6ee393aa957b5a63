//! Tests of what each word does, at a real seat with given dice.

use super::{Memory, Program, Script};
use crate::dice::WAYS;
use crate::engine::{Counter, Rules, Seat, Strategy};
use craps_law::{HouseRules, Library};
use craps_table::{AfterWin, Called};

fn rules(book: &str, house: &[(&str, &str)]) -> Rules {
    let library = Library::shipped();
    let book = library.book(book).unwrap();
    let mut chosen = HouseRules::plain(book.id.clone(), book.sample_day);
    for (key, value) in house {
        chosen.set(key, value).unwrap();
    }
    Rules::new(book.admit(&chosen).unwrap()).unwrap()
}

fn program(rules: &Rules, body: &str) -> Program {
    let text = format!("strategy S\nbuy-in 10000\nunit 10\n{}\n", body.replace(" | ", "\n"));
    let script = Script::read("s", &text).unwrap_or_else(|wrong| panic!("{body}: {wrong:?}"));
    script.at(rules.board(), rules.table()).unwrap_or_else(|wrong| panic!("{body}: {wrong:?}"))
}

/// Returns the index of this dice combination.
fn way(dice: &str) -> usize {
    let throw = dice.parse().unwrap();
    WAYS.iter().position(|way| *way == throw).unwrap()
}

/// Returns the felt after these rolls and the orders for the next one: the bets with their calls, and "quit" or "refused".
fn felt(rules: &Rules, body: &str, throws: &str) -> String {
    let program = program(rules, body);
    let mut seat = Seat::new(rules, 1_000_000);
    let mut memory = Memory::default();
    program.play(&mut memory, &mut seat);
    for throw in throws.split_whitespace() {
        seat.throw(way(throw));
        program.play(&mut memory, &mut seat);
    }
    let mut all: Vec<String> = Vec::new();
    for (id, slot) in rules.board().slots() {
        let Some(bet) = seat.bets.get(id) else { continue };
        let called = match bet.called {
            Called::Standard => "",
            Called::On => "!on",
            Called::Off => "!off",
        };
        let after = match bet.after_win {
            AfterWin::Usual => "",
            AfterWin::Up => "!up",
            AfterWin::Down => "!down",
        };
        all.push(format!("{}+{}{called}{after}", slot.code, bet.stake));
    }
    if seat.quits {
        all.push("quit".to_owned());
    }
    if !seat.refusals().is_empty() {
        all.push("refused".to_owned());
    }
    all.join(" ")
}

/// Checks rows of a body, rolls, and the felt after them.
fn check(rules: &Rules, rows: &[(&str, &str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .filter_map(|(body, throws, expected)| {
            let found = felt(rules, body, throws);
            (found != *expected).then(|| format!("{body} [{throws}]: expected `{expected}`, found `{found}`"))
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_bet_is_had_and_not_made_twice() {
    let rules = rules("nj", &[]);
    check(
        &rules,
        &[
            ("always: field for unit", "", "F+10"),
            ("when coming out: pass line for unit", "4-2", "P+10"),
            ("when coming out: pass line for unit", "4-2 3-3", "P+10"),
            ("when coming out: pass line for unit", "4-2 4-3", "P+10"),
            ("always: place six for 12 | always: place six for 18", "", "PL6+18"),
            ("always: place six for 18 | always: 12 on the six", "", "PL6+18"),
            ("always: a unit each on the four and ten", "", "PL4+10 PL10+10"),
            ("always: field for unit; hard six for 5; yo 1", "", "H6+5 F+10 N11+1"),
            ("always: field for unit and hard six for 5", "", "H6+5 F+10"),
            ("when coming out: dont-pass for unit", "", "DP+10"),
            ("always: field for the minimum", "", "F+1"),
            // A bet that the house refuses isn't made, and the refusal is noted.
            ("always: place six for 10", "", "refused"),
            ("always: come for unit", "", "refused"),
        ],
    );
}

#[test]
fn amounts_are_reckoned() {
    let rules = rules("nj", &[]);
    check(
        &rules,
        &[
            ("always: field for 2 units", "", "F+20"),
            ("always: field for unit + 2 * 3 - 1", "", "F+15"),
            ("always: field for (unit + 2) * 3 / 2", "", "F+18"),
            ("always: field for unit * 1.5", "", "F+15"),
            ("always: place six for unit rounded up to 6", "", "PL6+12"),
            ("always: place six for unit rounded down to 6", "", "PL6+6"),
            ("always: place six for unit rounded to 6", "", "PL6+12"),
            ("always: place six for unit * 2 rounded up", "", "PL6+24"),
            ("always: place six for unit * 2 rounded down", "", "PL6+18"),
            ("always: field for unit * 9 but at most 50", "", "F+50"),
            ("always: field for unit but at least 25", "", "F+25"),
            ("always: field for buy-in / 100", "", "F+100"),
            ("always: field for rail / 1000", "", "F+10"),
            ("always: place six for 12; field for amount on the six", "", "PL6+12 F+12"),
            ("let level = 3 | let steps = 1, 2, 4 | always: field for unit * steps at level", "", "F+40"),
            ("let steps = 5, 7, 9 | always: field for steps at (throws + 1)", "1-2", "F+7"),
            ("let steps = 5, 7, 9 | always: field for steps at (throws + 1)", "1-2 1-2 1-2 1-2", "F+9"),
            ("always: unit on the field", "", "F+10"),
            ("always: 2 units each on the hard six and hard eight", "", "H6+20 H8+20"),
        ],
    );
}

#[test]
fn several_bets_share_an_amount_as_dealers_do() {
    let rules = rules("nj", &[]);
    check(
        &rules,
        &[
            ("always: 22 inside", "", "PL5+5 PL6+6 PL8+6 PL9+5"),
            ("always: inside for 2.2 * unit", "", "PL5+5 PL6+6 PL8+6 PL9+5"),
            ("when the point is 6: 16 inside", "4-2", "PL5+5 PL8+6 PL9+5"),
            ("when the point is on: 64 across", "4-2", "PL4+10 PL5+10 PL6+12 PL8+12 PL9+10 PL10+10"),
            ("when the point is on: 5 each on the outside", "2-2", "PL5+5 PL9+5 PL10+5"),
            ("always: hardways 20", "", "H4+5 H6+5 H8+5 H10+5"),
            ("always: 24 together on the six and eight", "", "PL6+12 PL8+12"),
            ("let x = 22 | always: inside for x; set x to x + 22", "1-2", "PL5+10 PL6+12 PL8+12 PL9+10"),
            ("let x = 30 | always: inside for x; set x to x + 1", "", "PL5+5 PL6+6 PL8+6 PL9+5"),
        ],
    );
}

#[test]
fn odds_stand_behind_what_stands() {
    let nj = rules("nj", &[]);
    let line = "when coming out: pass line for unit | ";
    let dont = "when coming out: don't pass for unit | ";
    let rows = [
        (line, "always: 3-4-5 odds", "", "P+10"),
        (line, "always: 3-4-5 odds", "2-2", "P+10 PO+30"),
        (line, "always: 3-4-5 odds", "3-2", "P+10 PO+40"),
        (line, "always: 3-4-5 odds", "4-2", "P+10 PO+50"),
        (line, "always: max odds", "4-2", "P+10 PO+50"),
        (line, "always: single odds", "4-2", "P+10 PO+10"),
        (line, "always: 2x odds", "3-2", "P+10 PO+20"),
        (line, "always: odds unit * 2", "3-2", "P+10 PO+20"),
        (line, "always: 20 odds on the pass line", "3-2", "P+10 PO+20"),
        (line, "when the point is on: single odds; double odds", "3-2", "P+10 PO+20"),
        (dont, "always: lay max odds on the don't pass", "2-2", "DP+10 DPO+60"),
        (dont, "always: lay 1x odds", "2-2", "DP+10 DPO+20"),
        (dont, "always: lay single odds on the don't pass", "4-2", "DP+10 DPO+12"),
        (
            line,
            "when the point is on: come for unit | always: max odds on every come bet",
            "4-2 3-2",
            "P+10 C+10 C5+10 C5O+40",
        ),
        (
            line,
            "when the point is on: come for unit | always: max odds on everything",
            "4-2 3-2",
            "P+10 PO+50 C+10 C5+10 C5O+40",
        ),
        (
            line,
            "when the point is on: come for unit | always: 20 odds on each come bet",
            "4-2 3-2 2-2",
            "P+10 C+10 C4+10 C5+10 C4O+20 C5O+20",
        ),
    ];
    for (first, then, throws, expected) in rows {
        check(&nj, &[(&format!("{first}{then}"), throws, expected)]);
    }
    // Odds that aren't known in advance are asked of the table.
    let grows = "let x = 10 | when coming out: pass line for x; set x to x + 5 | always: max odds";
    check(&nj, &[(grows, "4-2 5-1 3-2", "P+15 PO+60")]);
    // An amount that isn't paid exactly is rounded down to one that is.
    check(&nj, &[("when coming out: pass line for 5 | always: single odds", "3-2", "P+5 PO+4")]);
    let ten = rules("nj", &[("odds.k", "10")]);
    check(&ten, &[("when coming out: pass line for unit | always: max odds", "4-2", "P+10 PO+100")]);
    let crapless = rules("co-crapless", &[]);
    check(&crapless, &[("when coming out: pass line for unit | when the point is 2: max odds", "1-1", "P+10 PO+30")]);
}

#[test]
fn bets_that_stand_are_changed() {
    let rules = rules("nj", &[("offer", "buy,lay")]);
    let rows = [
        ("when the six won: press the six", "4-1 4-2", "PL6+24"),
        ("when the six won: press it", "4-1 4-2", "PL6+24"),
        ("when the six won: press the six by 6", "4-1 4-2", "PL6+18"),
        ("when the six won: add 6 to the six", "4-1 4-2", "PL6+18"),
        ("when the six won: press the six to 30", "4-1 4-2", "PL6+30"),
        ("when the six won: half press the six", "4-1 4-2", "PL6+18"),
        // Half of 18 is 9, of which 6 is paid exactly.
        ("when the six won: half press the six", "4-1 4-2 4-2", "PL6+24"),
        ("when the six won: press the six by its win rounded down to 6", "4-1 4-2", "PL6+24"),
        ("when the six won: press the six by its amount / 2", "4-1 4-2", "PL6+18"),
        ("when the six won: same bet", "4-1 4-2", "PL6+12"),
        ("when the six won: place six for 36; regress the six", "4-1 4-2", "PL6+18"),
        ("when the six won: place six for 36; regress the six to 24", "4-1 4-2", "PL6+24"),
        ("when the six won: place six for 36; take 6 off the six", "4-1 4-2", "PL6+30"),
        ("when the six won: move the six to the eight", "4-1 4-2", "PL8+12"),
        ("when the six won: take down the six", "4-1 4-2", ""),
        ("when the six won: take me down", "4-1 4-2", ""),
        ("when the six won: leave the six up", "4-1 4-2", "PL6+12!up"),
        ("when the six won: six down when it wins", "4-1 4-2", "PL6+12!down"),
        ("when the six won: place bets working", "4-1 4-2", "PL6+12!on"),
        ("when the six won: call the six on | when a 4 was thrown: place bets off", "4-1 4-2 2-2", "PL6+12"),
    ];
    for (body, throws, expected) in rows {
        check(&rules, &[(&format!("when throws = 0: place six for 12 | {body}"), throws, expected)]);
    }
    check(
        &rules,
        &[
            // Nothing changes if no bet is up.
            ("when throws = 3: place six for 12 | always: press the six; regress the six; take down the six", "", ""),
            ("when coming out: pass line for unit | when the point is on: field for 5; take me down", "4-2", "P+10"),
            ("when the point is on: buy four for 20; the four working", "4-2", "BY4+20!on"),
            ("when throws = 0: buy four for 20 | when a 4 was thrown: press the four by 20", "4-2 2-2", "BY4+40"),
            ("when throws = 0: hardways 20 | when hardways won: press it", "4-1 3-3", "H4+5 H6+10 H8+5 H10+5"),
            (
                "when throws = 0: 22 inside | when the six or the eight won: press it",
                "4-1 6-2",
                "PL5+5 PL6+6 PL8+12 PL9+5",
            ),
        ],
    );
}

#[test]
fn conditions_look_at_puck_point_and_dice() {
    let rules = rules("nj", &[]);
    let holds =
        |condition: &str, throws: &str| felt(&rules, &format!("when {condition}: field for unit"), throws) == "F+10";
    let rows = [
        ("coming out", "", true),
        ("coming out", "4-2", false),
        ("the point is on", "4-2", true),
        ("the puck is off", "4-2", false),
        ("not coming out", "4-2", true),
        ("the point is 6", "4-2", true),
        ("the point is 6 or 8", "6-2", true),
        ("the point is 6 or 8", "2-2", false),
        ("the point is not 6 or 8", "2-2", true),
        ("the point is not 6 or 8", "", false),
        ("the point is inside", "3-2", true),
        ("the point is on and not throws > 5", "4-2", true),
        ("a new shooter", "", true),
        ("a new shooter", "3-4", false),
        ("a new shooter", "4-2 3-4", true),
        ("a 7 was thrown", "3-4", true),
        ("a 7 or 11 was thrown", "6-5", true),
        ("the throw was 6 or 8", "3-4", false),
        ("a box number was thrown", "5-5", true),
        ("craps was thrown", "1-2", true),
        ("throws = 2", "1-2 1-2", true),
        ("throws so far >= 3", "1-2 1-2", false),
        ("hands = 1", "4-2 3-4", true),
        ("shooter throws = 1", "4-2 3-4 1-2", true),
        ("shooter throws = 0", "4-2 3-4", true),
        ("shooter points = 1", "4-2 4-2", true),
        ("points this shooter = 0", "4-2 4-2 4-2 3-4", true),
        ("rail = 10000", "", true),
        ("my rail is at least 10000", "", true),
        ("net < 0 or net > 0", "", false),
        ("peak rail = buy-in and peak = 0", "", true),
        ("(rail + 5) * 2 > 20000 and (net = 0 or coming out)", "", true),
        ("rail is more than 10000", "", false),
        ("unit is 10", "", true),
        ("10 <= unit", "", true),
        ("no field", "", true),
    ];
    let wrong: Vec<_> =
        rows.iter().filter(|(condition, throws, expected)| holds(condition, throws) != *expected).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn conditions_look_at_own_bets() {
    let rules = rules("nj", &[]);
    let start = "when throws = 0: place six for 12; 5 on the hard eight | when coming out: pass line for unit | \
                 when the point is on and come bets < 2: come for unit | ";
    let holds =
        |condition: &str, throws: &str| felt(&rules, &format!("{start}when {condition}: yo 1"), throws).contains("N11");
    let rows = [
        ("the six won", "4-1 4-2", true),
        ("the six won", "4-1 3-1", false),
        ("the six lost", "4-1 3-4", true),
        ("the six or the hard eight lost", "4-1 6-2", true),
        ("the six stands", "", true),
        ("the six stands", "4-1 3-4", false),
        ("place six is down", "4-1 3-4", true),
        ("the six is up and the six = 12", "", true),
        ("six < 12", "", false),
        ("amount on the six + amount on the hard eight = 17", "", true),
        ("the pass line won", "4-1 4-1", true),
        ("the pass line did not win", "4-1 4-1", false),
        ("the pass line lost", "1-1", true),
        ("come bets = 2", "4-1 4-2", true),
        ("come bets = 1", "4-1 4-2", false),
        ("no come bets", "", true),
        ("come bets are at least 1", "4-1", true),
        ("come bets won", "4-1 4-2 4-2", true),
        ("place bets = 1", "", true),
        ("hardways are up", "", true),
        ("number of place bets > 1", "", false),
        ("bets > 2", "", true),
        ("win on the six = 14", "4-1 4-2", true),
        ("win on the six = 14", "4-1 4-2 3-1", false),
        ("wins in a row on the pass line = 2", "5-2 5-2", true),
        ("wins in a row on the pass line >= 2", "5-2 1-2 5-2", false),
        ("losses in a row on the pass line = 2", "1-2 1-1", true),
        ("losses in a row > 2", "1-2 1-1", false),
        // Without a name it is the bet made first in the file: the 6.
        ("wins in a row = 2", "4-1 4-2 4-2", true),
    ];
    let wrong: Vec<_> =
        rows.iter().filter(|(condition, throws, expected)| holds(condition, throws) != *expected).collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn variables_branches_and_progressions_are_kept() {
    let rules = rules("nj", &[]);
    let line = |progression: &str| format!("progression stake = {progression} | when coming out: pass line for stake");
    let rows = [
        ("martingale on the pass line", "1-2 1-2", "P+40"),
        ("martingale on the pass line from 5, at most 3 steps", "1-2 1-2", "P+20"),
        ("martingale on the pass line from 5, at most 3 steps", "1-2 1-2 1-2", "P+5"),
        ("martingale on the pass line", "1-2 1-2 5-2", "P+10"),
        ("paroli on the pass line, 3 wins", "5-2 5-2", "P+40"),
        ("paroli on the pass line, 3 wins", "5-2 5-2 5-2", "P+10"),
        ("paroli on the pass line", "5-2 1-2", "P+10"),
        ("d'Alembert on the pass line by 5, limit 3", "1-2 1-2", "P+20"),
        ("d'Alembert on the pass line by 5, limit 3", "1-2 1-2 1-2", "P+20"),
        ("d'Alembert on the pass line by 5, limit 3", "1-2 1-2 5-2", "P+15"),
        ("steps 10, 30, 20, 60 on the pass line, up on a win, start over on a loss", "5-2 5-2", "P+20"),
        ("steps 10, 30, 20, 60 on the pass line, up on a win, start over on a loss", "5-2 5-2 5-2 5-2", "P+10"),
        ("steps unit, 2 units on the pass line, up and stay on a loss, stay on a win", "1-2 1-2 5-2", "P+20"),
        ("steps 5, 6, 7 on the pass line, up on a loss, down on a win", "1-2 1-2 5-2", "P+6"),
    ];
    for (progression, throws, expected) in rows {
        check(&rules, &[(&line(progression), throws, expected)]);
    }
    check(
        &rules,
        &[
            ("let x = 5 | always: field for x; set x to x + 5", "1-1", "F+10"),
            ("let x = 5 | let y = x * 2 | always: field for y", "1-1", "F+10"),
            ("let x = 0 | when a 2 was thrown: set x to x + 1 | when x = 2: field for unit", "1-1 1-2 1-1", "F+10"),
            ("let x = 0 | when a 2 was thrown: set x to x + 1 | when x = 2: field for unit", "1-1 1-2", ""),
            ("always |     if throws > 0: field for 5 |     otherwise: field for 6", "", "F+6"),
            ("always |     if throws > 0: field for 5 |     otherwise: field for 6", "3-4", "F+5"),
            ("always |     if throws > 1: yo 1 |     otherwise if throws > 0: yo 2 |     else: yo 3", "3-4", "N11+2"),
            (
                "always |     if throws = 0: |         if coming out: |             yo 1 |         yo 2 |     field for 5",
                "",
                "F+5 N11+2",
            ),
        ],
    );
}

#[test]
fn quitting_and_the_most_bets_on_a_shooter() {
    let rules = rules("nj", &[]);
    check(
        &rules,
        &[
            ("always: field for unit | quit when throws >= 2", "1-2", "F+10"),
            ("always: field for unit | quit when throws >= 2", "1-2 1-2", "F+10 quit"),
            ("always: field for unit | when net < 0: quit", "3-4", "F+10 quit"),
            ("at most 2 bets per shooter | always: field for unit", "1-2 1-2 1-2", ""),
            ("at most 2 bets per shooter | always: field for unit", "4-2", "F+10"),
            ("at most 2 bets per shooter | always: field for unit", "4-2 4-1 2-1", ""),
            ("at most 2 bets per shooter | always: field for unit", "4-2 4-1 3-4", "F+10"),
        ],
    );
}

#[test]
fn side_bets_are_made_when_their_window_is_open() {
    let fire = rules("nj", &[("offer", "fire")]);
    let text = "when coming out: pass line for unit | when a new shooter: fire for 5";
    check(&fire, &[(text, "", "P+10 FIRE+5"), (text, "4-2", "P+10 FIRE+5"), (text, "4-2 3-4", "P+10 FIRE+5")]);
    let bonus = rules("md", &[("offer", "bonus")]);
    check(&bonus, &[("when a new shooter: small tall all for 3", "", "SM+1 TL+1 ALL+1")]);
}

/// What a program reads, and up to which value it matters, is known before it plays.
#[test]
fn what_a_strategy_reads_is_known_beforehand() {
    let rules = rules("nj", &[]);
    let reads = |body: &str| program(&rules, body).reads();
    let none = reads("when coming out: pass line for unit | always: max odds");
    assert_eq!((none.counters, none.money, none.last_throw), (Vec::new(), false, false));
    let most = |condition: &str| reads(&format!("when {condition}: field for unit")).counters;
    assert_eq!(most("shooter throws < 3"), [(Counter::ShooterThrows, 3)]);
    assert_eq!(most("shooter throws >= 3"), [(Counter::ShooterThrows, 3)]);
    assert_eq!(most("3 > shooter throws"), [(Counter::ShooterThrows, 3)]);
    assert_eq!(most("shooter points = 3"), [(Counter::ShooterPoints, 4)]);
    assert_eq!(most("hands > 3 or hands = 1"), [(Counter::Hands, 4)]);
    assert_eq!(most("a new shooter"), [(Counter::ShooterThrows, 1)]);
    assert_eq!(most("throws * 2 > 8"), [(Counter::Throws, u32::MAX)]);
    assert_eq!(reads("at most 2 bets per shooter | always: field for unit").counters, [(Counter::BetsThisShooter, 2)]);
    assert!(reads("when net > 5: field for unit").money);
    assert!(reads("always: field for rail / 100").money);
    assert!(reads("always: field for unit | when the field won: quit").last_throw);
    assert!(reads("progression x = paroli on the field | always: field for x").last_throw);
}

/// A count in a row goes no further than the condition needs.
#[test]
fn what_is_remembered_stays_small() {
    let rules = rules("nj", &[]);
    let program = program(&rules, "always: field for unit | when wins in a row on the field > 2: yo 1");
    let mut seat = Seat::new(&rules, 1_000_000);
    let mut memory = Memory::default();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..50 {
        program.play(&mut memory, &mut seat);
        seen.insert(memory);
        seat.throw(way("2-1"));
    }
    assert_eq!(seen.len(), 4);
}
