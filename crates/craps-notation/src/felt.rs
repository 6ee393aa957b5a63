//! The felt string: a position in one line that is safe in an address.
//!
//! `r4_pt6_s1_1.379.P~10.PO~50_3.230.DP~10` is the position before roll 4: the point is 6, seat 1 shoots; seat 1 has 379 on the rail and
//! these bets; then seat 3. `-off` and `-on` mark calls, `_fire.4.9_small.2.5` the markers of side bets. Cents are written `12p50`.

use crate::Place;
use crate::read::Malformed;
use craps_dice::{Point, Throw, Total};
use craps_money::Money;
use craps_table::{Bet, Called, Event, Events, SeatId, Shooter, SlotId, Table};
use craps_wagers::{Dials, Family, Mechanic, Phase, Progress, Step, Wager, WagerId};
use std::fmt::Write as _;

/// What each product's markers are called, and the wager that has them.
const MARKERS: &[(&str, &str)] = &[
    ("fire", "fire"),
    ("sharp", "sharp-shooter"),
    ("ride", "ride-the-line"),
    ("bonus", "bonus-make-em-all"),
    ("ology", "dice-ology-boom-or-bust"),
    ("hot", "hot-roller"),
];

/// The position of a table before its next roll.
#[must_use]
pub fn felt_string(table: &Table, next_roll: u32) -> String {
    let phase = match table.phase() {
        Phase::ComeOut => "out".to_owned(),
        Phase::ComeDecisionOnly => "come".to_owned(),
        Phase::Point(point) => format!("pt{point}"),
    };
    let shooter = match table.shooter() {
        Some(Shooter::Seat(seat)) => seat.to_string(),
        Some(Shooter::Dealer) => "d".to_owned(),
        None => "0".to_owned(),
    };
    let mut text = format!("r{next_roll}_{phase}_s{shooter}");
    for (seat, player) in table.seats() {
        let _ = write!(text, "_{seat}.{}", amount(player.rail));
        for (slot, place) in table.layout().slots() {
            if let Some(bet) = player.bets.get(slot) {
                let call = match bet.called {
                    Called::Standard => "",
                    Called::On => "-on",
                    Called::Off => "-off",
                };
                // A side bet without markers on the felt carries its own progress.
                let own = place.wager.wager().family == Family::Shooter
                    && bet.progress != Progress::FRESH
                    && bet.progress != tracker_of(table, slot);
                let progress = if own { format!("-p{}", bet.progress.bits()) } else { String::new() };
                let _ = write!(text, ".{}~{}{call}{progress}", place.code, amount(bet.stake));
            }
        }
    }
    for (name, slug) in MARKERS {
        let Some(wager) = Wager::find_id(slug) else { continue };
        let progress = table.tracker(wager);
        if progress != Progress::FRESH {
            let _ = write!(text, "_{name}{}", markers(wager, progress));
        }
    }
    text
}

fn tracker_of(table: &Table, slot: SlotId) -> Progress {
    let place = table.layout().slot(slot);
    place.tracker.map_or(Progress::FRESH, |wager| share(place.wager, table.tracker(wager)))
}

/// What a bet has gathered when its product's markers stand so: a bet on some of the totals has its share of them.
fn share(wager: WagerId, tracker: Progress) -> Progress {
    match wager.wager().mechanic {
        Mechanic::Collect(_) => {
            let seen = |throw: &Throw| tracker.bits() & (1 << throw.total().value()) != 0;
            recorded(wager, &Throw::ALL.into_iter().filter(seen).collect::<Vec<_>>())
        }
        _ => tracker,
    }
}

fn amount(money: Money) -> String {
    money.to_string().replace('.', "p")
}

/// The numbers, combinations or count that a product's markers show.
fn markers(wager: WagerId, progress: Progress) -> String {
    let bits = progress.bits();
    match wager.wager().mechanic {
        Mechanic::PointsMade | Mechanic::Collect(_) => Total::ALL
            .iter()
            .filter(|total| bits & (1 << total.value()) != 0)
            .map(|total| format!(".{total}"))
            .collect(),
        Mechanic::NumbersCompleted => {
            let throws = Throw::ALL.into_iter().filter(|throw| recorded(wager, &[*throw]).bits() & bits != 0);
            throws.map(|throw| format!(".{}{}", throw.low(), throw.high())).collect()
        }
        _ => format!(".{bits}"),
    }
}

/// The progress of a fresh bet after these throws, as its own step has it.
fn recorded(wager: WagerId, throws: &[Throw]) -> Progress {
    let machine = wager.wager().machine(Dials::default());
    throws.iter().fold(Progress::FRESH, |progress, throw| {
        match machine.step(progress, Phase::ComeDecisionOnly, *throw) {
            Step::Stand(next) => next,
            _ => progress,
        }
    })
}

/// Sets up the position that a felt string describes on an empty table: the events that make it.
///
/// # Errors
/// When the text is no felt string, or names a bet that the table does not have.
pub fn set_up(table: &Table, text: &str) -> Result<(u32, Events), Malformed> {
    let wrong = |at: usize, message: String| Malformed { place: Place { line: 1, column: at + 1 }, message };
    let mut at = 0;
    let mut parts = Vec::new();
    for part in text.split('_') {
        parts.push((at, part));
        at += part.chars().count() + 1;
    }
    let [(_, roll), (phase_at, phase), (shooter_at, shooter), rest @ ..] = &parts[..] else {
        return Err(wrong(0, "expected a felt string such as r4_pt6_s1_1.379.P~10".to_owned()));
    };
    let roll: u32 = roll
        .strip_prefix('r')
        .and_then(|digits| digits.parse().ok())
        .ok_or_else(|| wrong(0, format!("expected r and the number of the next roll, found `{roll}`")))?;
    let phase = match *phase {
        "out" => Phase::ComeOut,
        "come" => Phase::ComeDecisionOnly,
        point => point
            .strip_prefix("pt")
            .and_then(|digits| digits.parse::<Point>().ok())
            .map(Phase::Point)
            .ok_or_else(|| wrong(*phase_at, format!("expected pt and the point, out or come, found `{point}`")))?,
    };
    let mut events = Events::new();
    let mut trackers = Vec::new();
    for (part_at, part) in rest {
        if part.starts_with(|c: char| c.is_ascii_digit()) {
            seat_events(table, *part_at, part, &mut events)?;
        } else {
            trackers.push(marker(*part_at, part)?);
        }
    }
    match shooter.strip_prefix('s') {
        Some("0") => {}
        Some("d") => events.push(Event::DiceTaken { seat: None, phase: Phase::ComeOut }),
        Some(seat) => {
            let seat = seat
                .parse()
                .map_err(|_| wrong(*shooter_at, format!("expected s and the shooter's seat, found `{shooter}`")))?;
            events.push(Event::DiceTaken { seat: Some(seat), phase: Phase::ComeOut });
        }
        None => return Err(wrong(*shooter_at, format!("expected s and the shooter's seat, found `{shooter}`"))),
    }
    // Side bets stand where the markers are.
    for event in &mut events {
        if let Event::BetPlaced { slot, bet, .. } = event
            && bet.progress == Progress::FRESH
            && let Some(tracker) = table.layout().slot(*slot).tracker
            && let Some((_, progress)) = trackers.iter().find(|(wager, _)| *wager == tracker)
        {
            bet.progress = share(table.layout().slot(*slot).wager, *progress);
        }
    }
    events.push(Event::PhaseSet { phase, trackers });
    Ok((roll, events))
}

fn seat_events(table: &Table, at: usize, part: &str, events: &mut Events) -> Result<(), Malformed> {
    let wrong = |message: String| Malformed { place: Place { line: 1, column: at + 1 }, message };
    let money = |text: &str| {
        text.replace('p', ".")
            .parse::<Money>()
            .map_err(|_| wrong(format!("expected an amount such as 25 or 12p50, found `{text}`")))
    };
    let mut items = part.split('.');
    let seat: SeatId =
        items.next().and_then(|seat| seat.parse().ok()).ok_or_else(|| wrong("expected a seat".to_owned()))?;
    let rail = money(items.next().unwrap_or(""))?;
    let mut placed = Vec::new();
    let mut staked = Money::ZERO;
    for item in items {
        let (code, rest) =
            item.split_once('~').ok_or_else(|| wrong(format!("expected code~amount, found `{item}`")))?;
        let slot = table.layout().named(code).ok_or_else(|| wrong(format!("this table has no bet `{code}`")))?;
        let mut flags = rest.split('-');
        let stake = money(flags.next().unwrap_or(""))?;
        let mut bet = Bet { stake, ..Bet::default() };
        for flag in flags {
            match (flag, flag.strip_prefix('p').and_then(|bits| bits.parse().ok())) {
                ("on", _) => bet.called = Called::On,
                ("off", _) => bet.called = Called::Off,
                (_, Some(bits)) => bet.progress = Progress::from_bits(bits),
                _ => return Err(wrong(format!("expected -on, -off or -p and a progress, found `-{flag}`"))),
            }
        }
        staked = staked.plus(stake).ok_or_else(|| wrong("more than can be held".to_owned()))?;
        placed.push(Event::BetPlaced { seat, slot, bet, staked: stake, commission: Money::ZERO });
    }
    let brought = rail.plus(staked).ok_or_else(|| wrong("more than can be held".to_owned()))?;
    events.push(Event::Joined { seat, name: format!("seat {seat}"), money: brought });
    events.extend(placed);
    Ok(())
}

fn marker(at: usize, part: &str) -> Result<(WagerId, Progress), Malformed> {
    let wrong = |message: String| Malformed { place: Place { line: 1, column: at + 1 }, message };
    let mut items = part.split('.');
    let name = items.next().unwrap_or("");
    let known = MARKERS.iter().find(|(known, _)| *known == name).and_then(|(_, slug)| Wager::find_id(slug));
    let wager = known.ok_or_else(|| wrong(format!("expected a seat or the markers of a side bet, found `{part}`")))?;
    let mut bits = 0u16;
    for item in items {
        let bad = || wrong(format!("`{item}` is no marker of {name}"));
        bits |= match wager.wager().mechanic {
            Mechanic::PointsMade | Mechanic::Collect(_) => 1 << item.parse::<Total>().map_err(|_| bad())?.value(),
            Mechanic::NumbersCompleted => {
                let (low, high) = item.split_at_checked(1).ok_or_else(bad)?;
                recorded(wager, &[format!("{low}-{high}").parse().map_err(|_| bad())?]).bits()
            }
            _ => item.parse().map_err(|_| bad())?,
        };
    }
    Ok((wager, Progress::from_bits(bits)))
}
