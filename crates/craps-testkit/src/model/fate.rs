//! When each wager wins, loses or pushes, wager by wager, as described in `docs/rules.md`.

use super::{Gathered, Phase, Readings};
use std::collections::BTreeSet;

/// What a roll does to a bet that is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Stand,
    /// Wins at the price with this name.
    Win(&'static str),
    /// Wins at the price of the highest count up to this one. Loses if the count is below the lowest.
    Count(u32),
    /// One component of a combined bet wins. None means that the whole bet loses.
    Part(Option<&'static str>),
    Lose,
    Push,
    Credit,
    Move(u8),
}

const BOX: [u8; 6] = [4, 5, 6, 8, 9, 10];
const NUMBERS: [&str; 13] = ["", "", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"];

/// Returns the number at the end of a name such as `place-win-6`.
fn last_number(name: &str) -> u8 {
    name.rsplit('-').next().and_then(|text| text.parse().ok()).unwrap_or(0)
}

/// Decides a bet that the number comes before a seven.
fn race(number: u8, total: u8, win: &'static str) -> Fate {
    match total {
        7 => Fate::Lose,
        _ if total == number => Fate::Win(win),
        _ => Fate::Stand,
    }
}

/// Decides a bet that a seven comes before the number.
fn race_against(number: u8, total: u8, win: &'static str) -> Fate {
    match total {
        7 => Fate::Win(win),
        _ if total == number => Fate::Lose,
        _ => Fate::Stand,
    }
}

fn won_if(wins: bool) -> Fate {
    if wins { Fate::Win("win") } else { Fate::Lose }
}

/// Decides the first roll of a line or come bet that has no number yet. None means that the roll gives it a number.
fn first_throw(right: bool, total: u8, readings: &Readings) -> Option<Fate> {
    if readings.crapless {
        // CO 30-2399.03 PW(1), (3): only a seven wins at once; every other total is a number.
        return (total == 7).then_some(if right { Fate::Win("win") } else { Fate::Lose });
    }
    match total {
        7 | 11 => Some(if right { Fate::Win("win") } else { Fate::Lose }),
        2 | 3 | 12 if right => Some(Fate::Lose),
        2 | 3 | 12 if readings.bar[usize::from(total)] => Some(Fate::Push),
        2 | 3 | 12 => Some(Fate::Win("win")),
        _ => None,
    }
}

/// Returns the components of a combined bet, with their units.
pub(super) fn components(wager: &str) -> &'static [(&'static str, i64)] {
    match wager {
        "c-and-e" => &[("any-craps", 1), ("eleven", 1)],
        "horn" => &[("craps-2", 1), ("craps-3", 1), ("eleven", 1), ("craps-12", 1)],
        "horn-high-2" => &[("craps-2", 2), ("craps-3", 1), ("eleven", 1), ("craps-12", 1)],
        "horn-high-3" => &[("craps-2", 1), ("craps-3", 2), ("eleven", 1), ("craps-12", 1)],
        "horn-high-11" => &[("craps-2", 1), ("craps-3", 1), ("eleven", 2), ("craps-12", 1)],
        "horn-high-12" => &[("craps-2", 1), ("craps-3", 1), ("eleven", 1), ("craps-12", 2)],
        "whirl" => &[("craps-2", 1), ("craps-3", 1), ("eleven", 1), ("craps-12", 1), ("any-seven", 1)],
        _ => &[],
    }
}

/// Returns the component that wins on a total.
fn winning_component(wager: &str, total: u8) -> Option<&'static str> {
    let of = |name: &str| components(wager).iter().map(|(part, _)| *part).find(|part| *part == name);
    match total {
        2 => of("craps-2").or_else(|| of("any-craps")),
        3 => of("craps-3").or_else(|| of("any-craps")),
        12 => of("craps-12").or_else(|| of("any-craps")),
        11 => of("eleven"),
        7 => of("any-seven"),
        _ => None,
    }
}

/// Returns what a roll does to a bet. Updates `gathered`, which only side bets use.
pub(super) fn fate(
    wager: &str,
    number: Option<u8>,
    gathered: &mut Gathered,
    phase: Phase,
    (a, b): (u8, u8),
    readings: &Readings,
) -> Fate {
    let total = a + b;
    match wager {
        "pass" | "dont-pass" => match phase {
            Phase::ComeOut => first_throw(wager == "pass", total, readings).unwrap_or(Fate::Stand),
            Phase::Point(point) if wager == "pass" => race(point, total, "win"),
            Phase::Point(point) => race_against(point, total, "win"),
            Phase::Decisions => Fate::Stand,
        },
        "come" | "dont-come" => match number {
            None => first_throw(wager == "come", total, readings).unwrap_or(Fate::Move(total)),
            Some(number) if wager == "come" => race(number, total, "win"),
            Some(number) => race_against(number, total, "win"),
        },
        "pass-odds" | "dont-pass-odds" | "come-odds" | "dont-come-odds" | "put-odds" => {
            let number = match (number, phase) {
                (Some(number), _) | (None, Phase::Point(number)) => number,
                (None, _) => return Fate::Stand,
            };
            let rank = NUMBERS[usize::from(number)];
            if wager.starts_with("dont") { race_against(number, total, rank) } else { race(number, total, rank) }
        }
        "field" => match total {
            5..=8 => Fate::Lose,
            _ => Fate::Win(NUMBERS[usize::from(total)]),
        },
        "any-seven" => won_if(total == 7),
        "any-craps" => won_if(matches!(total, 2 | 3 | 12)),
        "eleven" => won_if(total == 11),
        "over-7" => won_if(total > 7),
        "under-7" => won_if(total < 7),
        "six-seven-eight" => match (total, a == b) {
            (6, true) => Fate::Win("hard-6"),
            (8, true) => Fate::Win("hard-8"),
            (6..=8, _) => Fate::Win(NUMBERS[usize::from(total)]),
            _ => Fate::Lose,
        },
        "c-and-e" | "horn" | "whirl" => Fate::Part(winning_component(wager, total)),
        "fire" | "sharp-shooter" | "ride-the-line" | "hot-shooter-jackpot" => {
            hand(wager, gathered, phase, total, readings)
        }
        "lucky-shooter" => lucky(gathered, phase, total),
        "hot-roller" => hot_roller(gathered, phase, (a, b), readings),
        "bonus-all-small" | "dice-ology-little-ones" => collect(gathered, total, &[2, 3, 4, 5, 6]),
        "bonus-all-tall" | "dice-ology-big-ones" => collect(gathered, total, &[8, 9, 10, 11, 12]),
        "bonus-make-em-all" | "dice-ology-boom-or-bust" => collect(gathered, total, &[2, 3, 4, 5, 6, 8, 9, 10, 11, 12]),
        _ if wager.starts_with("horn-high-") => Fate::Part(winning_component(wager, total)),
        _ if wager.starts_with("craps-") => won_if(total == last_number(wager)),
        _ if wager.starts_with("hop-") => {
            let faces: Vec<u8> = wager.split('-').skip(1).filter_map(|face| face.parse().ok()).collect();
            won_if(faces == [a.min(b), a.max(b)])
        }
        _ if wager.starts_with("hard-") => match (total == last_number(wager), a == b) {
            (true, true) => Fate::Win("win"),
            (true, false) => Fate::Lose,
            _ if total == 7 => Fate::Lose,
            _ => Fate::Stand,
        },
        _ if wager.starts_with("place-lose-") || wager.starts_with("lay-") => {
            race_against(last_number(wager), total, "win")
        }
        // place-win, buy, big, put
        _ => race(last_number(wager), total, "win"),
    }
}

/// Decides bets on one shooter's hand. Rolls for come decisions only change nothing but the
/// count of rolls.
fn hand(wager: &str, gathered: &mut Gathered, phase: Phase, total: u8, readings: &Readings) -> Fate {
    let (made, out) = match phase {
        Phase::Point(point) => (total == point, total == 7),
        _ => (false, false),
    };
    match (wager, gathered) {
        ("fire", Gathered::Numbers(points)) => {
            if made && BOX.contains(&total) {
                points.insert(total);
            }
            let count = u32::try_from(points.len()).unwrap_or(0);
            let sixth = made && count == 6 && readings.fire_ends_on_sixth;
            let any = phase == Phase::ComeOut && total == 7 && readings.fire_ends_on_any_seven;
            if out || sixth || any { Fate::Count(count) } else { Fate::Stand }
        }
        ("sharp-shooter", Gathered::Count(points)) => {
            *points += u32::from(made);
            if out || (made && *points == 10) { Fate::Count(*points) } else { Fate::Stand }
        }
        ("ride-the-line", Gathered::Count(wins)) => {
            let natural = phase == Phase::ComeOut && matches!(total, 7 | 11);
            *wins += u32::from(made || natural);
            if out { Fate::Count(*wins) } else { Fate::Stand }
        }
        ("hot-shooter-jackpot", Gathered::Throws(throws)) => match throws {
            None if phase == Phase::ComeOut => {
                *throws = Some(u32::from(readings.hot_shooter_counts_come_out));
                Fate::Stand
            }
            None => Fate::Stand,
            Some(count) if out => Fate::Count(*count + u32::from(readings.hot_shooter_counts_seven_out)),
            Some(count) => {
                *count += 1;
                Fate::Stand
            }
        },
        _ => Fate::Stand,
    }
}

/// Decides Lucky Shooter.
fn lucky(gathered: &mut Gathered, phase: Phase, total: u8) -> Fate {
    if phase == Phase::Decisions {
        return Fate::Stand;
    }
    let Gathered::Run(run) = gathered else { return Fate::Stand };
    let Some((point, hit)) = run else {
        if phase != Phase::ComeOut {
            return Fate::Stand;
        }
        return match total {
            2 | 3 | 12 => Fate::Lose,
            7 | 11 => Fate::Credit,
            _ => {
                *run = Some((total, BTreeSet::new()));
                Fate::Stand
            }
        };
    };
    if BOX.contains(&total) && total != *point && hit.insert(total) {
        return Fate::Stand;
    }
    match hit.len() {
        5 if total == *point => Fate::Win("5+point"),
        5 => Fate::Win("5"),
        4 => Fate::Win("4"),
        3 => Fate::Win("3"),
        2 => Fate::Win("2"),
        1 => Fate::Win("1"),
        _ => Fate::Lose,
    }
}

/// Decides Hot Roller.
fn hot_roller(gathered: &mut Gathered, phase: Phase, (a, b): (u8, u8), readings: &Readings) -> Fate {
    let Gathered::Combinations(thrown) = gathered else { return Fate::Stand };
    if a + b != 7 {
        if BOX.contains(&(a + b)) {
            thrown.insert((a.min(b), a.max(b)));
        }
        return Fate::Stand;
    }
    match (readings.hot_roller_come_out_seven, phase) {
        ("loses", Phase::ComeOut) => return Fate::Lose,
        ("ignored", Phase::ComeOut) => return Fate::Stand,
        _ => {}
    }
    let pairs: [&[(u8, u8)]; 6] = [
        &[(1, 3), (2, 2)],
        &[(1, 4), (2, 3)],
        &[(1, 5), (2, 4), (3, 3)],
        &[(2, 6), (3, 5), (4, 4)],
        &[(3, 6), (4, 5)],
        &[(4, 6), (5, 5)],
    ];
    let complete = pairs.iter().filter(|pairs| pairs.iter().all(|pair| thrown.contains(pair))).count();
    Fate::Count(u32::try_from(complete).unwrap_or(0))
}

/// Decides Bonus and Dice-Ology: all of these totals must come before a seven.
fn collect(gathered: &mut Gathered, total: u8, wanted: &[u8]) -> Fate {
    let Gathered::Numbers(seen) = gathered else { return Fate::Stand };
    if total == 7 {
        return Fate::Lose;
    }
    seen.insert(total);
    if wanted.iter().all(|total| seen.contains(total)) { Fate::Win("win") } else { Fate::Stand }
}
