//! A slow second implementation of when every wager wins. It was written from `docs/rules.md` and shares no code with the catalogue's
//! mechanics. Each wager is a function of all rolls since the bet was made, and it returns the state of the bet after them. Except for
//! come bets and odds, the first roll is a come-out roll.
#![allow(dead_code, reason = "each test file uses its own part of this module")]

use craps_wagers::{Mechanic, Rank, Wager};

/// The pips of two dice, in any order.
pub type Dice = (u8, u8);

/// The state of a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Said {
    /// It isn't decided yet.
    Open,
    /// It was settled at this rank: `win`, a count, a number, a level, or the component of a composite that won.
    Won(&'static str),
    /// It lost. A count of zero loses on every pay table.
    Lost,
    /// It pushed, and the stake was returned.
    Pushed,
}

/// The state of a bet, with the number of rolls and credits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ruling {
    /// The verdict.
    pub said: Said,
    /// The roll that decided the bet, counting from one. For an open bet, the number of rolls so far.
    pub throws: usize,
    /// How many times a Lucky Shooter bet was credited on a come-out roll.
    pub credits: usize,
}

/// What a seven on the come-out roll does to Hot Roller.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ComeOutSeven {
    /// The bet is settled by its count.
    Settles,
    /// The bet loses.
    Loses,
    /// Nothing happens.
    Ignored,
}

/// The reading taken for each passage that can be read in more than one way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// True for the crapless game of CO 30-2399.03, in which every total except seven is a point.
    pub crapless: bool,
    /// The craps total on which don't bets push.
    pub bar: u8,
    /// True if any seven settles Fire, not only a seven-out.
    pub fire_any_seven: bool,
    /// True if the sixth point ends Fire.
    pub fire_sixth_ends: bool,
    /// What a come-out seven does to Hot Roller.
    pub hot_roller: ComeOutSeven,
    /// True if Hot Shooter counts its come-out roll.
    pub count_come_out: bool,
    /// True if Hot Shooter counts the seven-out roll.
    pub count_seven_out: bool,
}

impl Default for Reading {
    fn default() -> Reading {
        Reading {
            crapless: false,
            bar: 12,
            fire_any_seven: false,
            fire_sixth_ends: false,
            hot_roller: ComeOutSeven::Settles,
            count_come_out: false,
            count_seven_out: false,
        }
    }
}

/// The rules of a wager, as a function of the reading, the number of an odds bet, and the rolls.
pub type Rules = Box<dyn Fn(&Reading, Option<u8>, &[Dice]) -> Ruling>;

/// Returns the reference's name of a rank: for composites the component that won, otherwise the catalogue's name of the rank.
pub fn rank_name(wager: &Wager, rank: Rank) -> String {
    match wager.mechanic {
        Mechanic::Composite(parts) => parts[usize::from(rank.index())].wager.to_string(),
        _ => wager.ranks.name(rank),
    }
}

/// Returns the rules of a wager by its id.
///
/// # Panics
/// If the model has no such wager.
pub fn rules(id: &str) -> Rules {
    let number = |prefix: &str| id.strip_prefix(prefix).and_then(|rest| rest.parse::<u8>().ok());
    if let Some(n) = number("place-win-").or(number("buy-")).or(number("big-")).or(number("put-")) {
        return Box::new(move |_, _, throws| number_against_seven(n, true, throws));
    }
    if let Some(n) = number("place-lose-").or(number("lay-")) {
        return Box::new(move |_, _, throws| number_against_seven(n, false, throws));
    }
    if let Some(n) = number("hard-") {
        return Box::new(move |_, _, throws| hardway(n, throws));
    }
    if let Some(n) = number("horn-high-") {
        assert!([2, 3, 11, 12].contains(&n), "{id}");
        return Box::new(|_, _, throws| next_throw(throws, horn));
    }
    if let Some((one, other)) = id.strip_prefix("hop-").and_then(|rest| rest.split_once('-')) {
        let (one, other): Dice = (one.parse().expect("a die"), other.parse().expect("a die"));
        return Box::new(move |_, _, throws| next_throw(throws, |dice| (same(dice, (one, other))).then_some("win")));
    }
    match id {
        "pass" | "come" => Box::new(|reading, _, throws| with_the_dice(reading.crapless, throws)),
        "dont-pass" | "dont-come" => Box::new(|reading, _, throws| against_the_dice(reading.bar, throws)),
        "pass-odds" | "come-odds" | "put-odds" => Box::new(|_, number, throws| odds(number, true, throws)),
        "dont-pass-odds" | "dont-come-odds" => Box::new(|_, number, throws| odds(number, false, throws)),
        "field" => Box::new(|_, _, throws| {
            next_throw(throws, |dice| [2, 3, 4, 9, 10, 11, 12].contains(&total(dice)).then(|| name(total(dice))))
        }),
        "any-seven" => Box::new(|_, _, throws| next_throw(throws, |dice| (total(dice) == 7).then_some("win"))),
        "any-craps" => Box::new(|_, _, throws| next_throw(throws, |dice| is_craps(total(dice)).then_some("win"))),
        "craps-2" => Box::new(|_, _, throws| next_throw(throws, |dice| (total(dice) == 2).then_some("win"))),
        "craps-3" => Box::new(|_, _, throws| next_throw(throws, |dice| (total(dice) == 3).then_some("win"))),
        "craps-12" => Box::new(|_, _, throws| next_throw(throws, |dice| (total(dice) == 12).then_some("win"))),
        "eleven" => Box::new(|_, _, throws| next_throw(throws, |dice| (total(dice) == 11).then_some("win"))),
        "c-and-e" => Box::new(|_, _, throws| {
            next_throw(throws, |dice| match total(dice) {
                2 | 3 | 12 => Some("any-craps"),
                11 => Some("eleven"),
                _ => None,
            })
        }),
        "horn" => Box::new(|_, _, throws| next_throw(throws, horn)),
        "whirl" => Box::new(|_, _, throws| {
            next_throw(throws, |dice| if total(dice) == 7 { Some("any-seven") } else { horn(dice) })
        }),
        "six-seven-eight" => Box::new(|_, _, throws| {
            next_throw(throws, |dice| match (total(dice), dice.0 == dice.1) {
                (6, true) => Some("hard-6"),
                (8, true) => Some("hard-8"),
                (6, false) => Some("6"),
                (7, _) => Some("7"),
                (8, false) => Some("8"),
                _ => None,
            })
        }),
        "over-7" => Box::new(|_, _, throws| next_throw(throws, |dice| (total(dice) > 7).then_some("win"))),
        "under-7" => Box::new(|_, _, throws| next_throw(throws, |dice| (total(dice) < 7).then_some("win"))),
        "fire" => Box::new(|reading, _, throws| fire(reading, throws)),
        "sharp-shooter" => Box::new(|reading, _, throws| sharp_shooter(reading, throws)),
        "ride-the-line" => Box::new(|reading, _, throws| ride_the_line(reading, throws)),
        "bonus-all-small" | "dice-ology-little-ones" => Box::new(|_, _, throws| all_thrown(&[2, 3, 4, 5, 6], throws)),
        "bonus-all-tall" | "dice-ology-big-ones" => Box::new(|_, _, throws| all_thrown(&[8, 9, 10, 11, 12], throws)),
        "bonus-make-em-all" | "dice-ology-boom-or-bust" => {
            Box::new(|_, _, throws| all_thrown(&[2, 3, 4, 5, 6, 8, 9, 10, 11, 12], throws))
        }
        "hot-roller" => Box::new(|reading, _, throws| hot_roller(reading, throws)),
        "lucky-shooter" => Box::new(|_, _, throws| lucky_shooter(throws)),
        "hot-shooter-jackpot" => Box::new(|reading, _, throws| hot_shooter(reading, throws)),
        _ => panic!("the model has no wager `{id}`"),
    }
}

// Dice and rulings.

const BOX: [u8; 6] = [4, 5, 6, 8, 9, 10];

fn total(dice: Dice) -> u8 {
    dice.0 + dice.1
}

fn same(one: Dice, other: Dice) -> bool {
    one == other || (one.1, one.0) == other
}

fn is_craps(total: u8) -> bool {
    matches!(total, 2 | 3 | 12)
}

/// Iterates over the rolls of a hand: the roll's number, the point before it (none on a come-out roll), and its total.
fn hand(throws: &[Dice], crapless: bool) -> impl Iterator<Item = (usize, Option<u8>, u8)> {
    let mut point = None;
    throws.iter().enumerate().map(move |(at, dice)| {
        let (before, thrown) = (point, total(*dice));
        point = match before {
            None if thrown != 7 && (crapless || BOX.contains(&thrown)) => Some(thrown),
            Some(set) if thrown == set || thrown == 7 => None,
            unchanged => unchanged,
        };
        (at + 1, before, thrown)
    })
}

fn decided(said: Said, throws: usize) -> Ruling {
    Ruling { said, throws, credits: 0 }
}

fn open(throws: &[Dice]) -> Ruling {
    decided(Said::Open, throws.len())
}

/// Returns the number as static text.
fn name(number: u8) -> &'static str {
    const NAMES: [&str; 51] = [
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19",
        "20", "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31", "32", "33", "34", "35", "36", "37",
        "38", "39", "40", "41", "42", "43", "44", "45", "46", "47", "48", "49", "50",
    ];
    NAMES[usize::from(number)]
}

/// Settles a bet by its count.
fn by_count(count: u8, throws: usize) -> Ruling {
    decided(if count == 0 { Said::Lost } else { Said::Won(name(count)) }, throws)
}

// Line and come wagers, and their odds.

fn with_the_dice(crapless: bool, throws: &[Dice]) -> Ruling {
    let Some(first) = throws.first() else { return open(throws) };
    match total(*first) {
        7 => decided(Said::Won("win"), 1),
        11 if !crapless => decided(Said::Won("win"), 1),
        craps if is_craps(craps) && !crapless => decided(Said::Lost, 1),
        number => later(number_against_seven(number, true, &throws[1..])),
    }
}

fn against_the_dice(bar: u8, throws: &[Dice]) -> Ruling {
    let Some(first) = throws.first() else { return open(throws) };
    match total(*first) {
        7 | 11 => decided(Said::Lost, 1),
        barred if barred == bar => decided(Said::Pushed, 1),
        craps if is_craps(craps) => decided(Said::Won("win"), 1),
        number => later(number_against_seven(number, false, &throws[1..])),
    }
}

fn later(ruling: Ruling) -> Ruling {
    Ruling { throws: ruling.throws + 1, ..ruling }
}

fn odds(number: Option<u8>, taken: bool, throws: &[Dice]) -> Ruling {
    let number = number.expect("odds stand on a number");
    match number_against_seven(number, taken, throws) {
        Ruling { said: Said::Won(_), throws, credits } => Ruling { said: Said::Won(name(number)), throws, credits },
        other => other,
    }
}

// Place, buy, lay, big and put bets.

fn number_against_seven(number: u8, for_number: bool, throws: &[Dice]) -> Ruling {
    let first = throws.iter().position(|dice| total(*dice) == 7 || total(*dice) == number);
    first.map_or(open(throws), |at| {
        let came = total(throws[at]) == number;
        decided(if came == for_number { Said::Won("win") } else { Said::Lost }, at + 1)
    })
}

// Hardways.

fn hardway(number: u8, throws: &[Dice]) -> Ruling {
    let first = throws.iter().position(|dice| total(*dice) == 7 || total(*dice) == number);
    first.map_or(open(throws), |at| {
        let hard = throws[at].0 == throws[at].1;
        decided(if hard { Said::Won("win") } else { Said::Lost }, at + 1)
    })
}

// Wagers on the next roll.

fn next_throw(throws: &[Dice], wins: impl Fn(Dice) -> Option<&'static str>) -> Ruling {
    throws.first().map_or(open(throws), |dice| decided(wins(*dice).map_or(Said::Lost, Said::Won), 1))
}

fn horn(dice: Dice) -> Option<&'static str> {
    match total(dice) {
        2 => Some("craps-2"),
        3 => Some("craps-3"),
        11 => Some("eleven"),
        12 => Some("craps-12"),
        _ => None,
    }
}

// Fire: distinct box points made.

fn fire(reading: &Reading, throws: &[Dice]) -> Ruling {
    let mut made: Vec<u8> = Vec::new();
    let count = |made: &[u8]| u8::try_from(made.len()).expect("at most six");
    for (at, point, thrown) in hand(throws, reading.crapless) {
        match point {
            Some(point) if thrown == point => {
                // only box points count in the crapless game.
                if BOX.contains(&point) && !made.contains(&point) {
                    made.push(point);
                }
                if reading.fire_sixth_ends && made.len() == 6 {
                    return by_count(6, at);
                }
            }
            Some(_) if thrown == 7 => return by_count(count(&made), at),
            None if thrown == 7 && reading.fire_any_seven => return by_count(count(&made), at),
            _ => {}
        }
    }
    open(throws)
}

// Sharp Shooter: points made, repeats counted, ends at ten.

fn sharp_shooter(reading: &Reading, throws: &[Dice]) -> Ruling {
    let mut made = 0;
    for (at, point, thrown) in hand(throws, reading.crapless) {
        if point == Some(thrown) {
            made += 1;
            if made == 10 {
                return by_count(10, at);
            }
        } else if point.is_some() && thrown == 7 {
            return by_count(made, at);
        }
    }
    open(throws)
}

// Ride The Line: come-out sevens and elevens and points made; settled at the seven-out.

fn ride_the_line(reading: &Reading, throws: &[Dice]) -> Ruling {
    let mut count = 0;
    for (at, point, thrown) in hand(throws, reading.crapless) {
        match (point, thrown) {
            (None, 7 | 11) => count += 1,
            (Some(point), _) if thrown == point => count += 1,
            (Some(_), 7) => return by_count(count.min(11), at),
            _ => {}
        }
    }
    open(throws)
}

// Bonus Craps and Dice-Ology: all of these totals before any seven.

fn all_thrown(wanted: &[u8], throws: &[Dice]) -> Ruling {
    let mut seen = [false; 13];
    for (at, dice) in throws.iter().enumerate() {
        if total(*dice) == 7 {
            return decided(Said::Lost, at + 1);
        }
        seen[usize::from(total(*dice))] = true;
        if wanted.iter().all(|total| seen[usize::from(*total)]) {
            return decided(Said::Won("win"), at + 1);
        }
    }
    open(throws)
}

// Hot Roller: numbers with every combination rolled before the seven.

const COMBINATIONS: [&[Dice]; 6] = [
    &[(1, 3), (2, 2)],
    &[(1, 4), (2, 3)],
    &[(1, 5), (2, 4), (3, 3)],
    &[(2, 6), (3, 5), (4, 4)],
    &[(3, 6), (4, 5)],
    &[(4, 6), (5, 5)],
];

fn hot_roller(reading: &Reading, throws: &[Dice]) -> Ruling {
    for (at, point, thrown) in hand(throws, reading.crapless) {
        if thrown != 7 || (point.is_none() && reading.hot_roller == ComeOutSeven::Ignored) {
            continue;
        }
        if point.is_none() && reading.hot_roller == ComeOutSeven::Loses {
            return decided(Said::Lost, at);
        }
        let came = |pair: &Dice| throws[..at].iter().any(|dice| same(*dice, *pair));
        let complete = COMBINATIONS.iter().filter(|pairs| pairs.iter().all(came)).count();
        return by_count(u8::try_from(complete).expect("at most six"), at);
    }
    open(throws)
}

// Lucky Shooter.

fn lucky_shooter(throws: &[Dice]) -> Ruling {
    let mut credits = 0;
    let mut at = 0;
    // WaitComeOut
    let point = loop {
        let Some(dice) = throws.get(at) else { return Ruling { credits, ..open(throws) } };
        at += 1;
        match total(*dice) {
            2 | 3 | 12 => return Ruling { said: Said::Lost, throws: at, credits },
            7 | 11 => credits += 1,
            point => break point,
        }
    };
    // Run
    let mut hit: Vec<u8> = Vec::new();
    while hit.len() < 5 {
        let Some(dice) = throws.get(at) else { return Ruling { credits, ..open(throws) } };
        at += 1;
        let thrown = total(*dice);
        if BOX.contains(&thrown) && thrown != point && !hit.contains(&thrown) {
            hit.push(thrown);
        } else {
            let count = u8::try_from(hit.len()).expect("at most four");
            return Ruling { credits, ..by_count(count, at) };
        }
    }
    // Six
    let Some(dice) = throws.get(at) else { return Ruling { credits, ..open(throws) } };
    let said = if total(*dice) == point { Said::Won("5+point") } else { Said::Won("5") };
    Ruling { said, throws: at + 1, credits }
}

// Hot Shooter Jackpot: rolls between the come-out roll that follows the bet and the seven-out, not counting either.

fn hot_shooter(reading: &Reading, throws: &[Dice]) -> Ruling {
    let mut counted = 0u8;
    for (at, point, thrown) in hand(throws, reading.crapless) {
        let seven_out = point.is_some() && thrown == 7;
        let counts = if at == 1 {
            reading.count_come_out
        } else if seven_out {
            reading.count_seven_out
        } else {
            true
        };
        if counts && counted < 50 {
            counted += 1;
        }
        if seven_out {
            return by_count(counted, at);
        }
    }
    open(throws)
}
