//! The felt string: a position in one line that is safe in a URL.
//!
//! `f2_r4_pt6_s1_1.379.P~10.PO~50_3.230.DP~10` is the position before roll 4: the point is 6 and seat 1 shoots. Seat 1 has $379 in chips and
//! these bets; seat 3 follows. `-off` and `-on` mark bets turned off or on. `_FIRE.4x9` is the tracker of a side bet, in the wager's own
//! spelling. `-g4x9` after a bet is the progress of that bet, written only if it differs from the tracker. Cents are written `12p50`.
//!
//! Strings without `f2` are version 1. That version named trackers by words and packed the progress of a bet into a number. It is still read,
//! but no longer written.

mod one;

use crate::Place;
use crate::read::Malformed;
use craps_dice::Point;
use craps_money::{Money, Stake};
use craps_table::{Actor, Bet, Called, Command, Crew, Event, Events, MOST_MONEY, Role, SeatId, Shooter, SlotId, Table};
use craps_wagers::{Goal, Phase, Progress, WagerId};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The version that is written.
const VERSION: &str = "f2";

/// Writes the position of a table before its next roll.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::{action, felt_string};
/// let (_, bet) = action(session.table(), "1:P+10").unwrap();
/// session.command(&bet)?;
/// session.throw("4-2".parse()?)?;
/// assert_eq!(felt_string(session.table(), 2), "f2_r2_pt6_s1_1.90.P~10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    let mut text = format!("{VERSION}_r{next_roll}_{phase}_s{shooter}");
    for (seat, player) in table.seats() {
        let _ = write!(text, "_{seat}.{}", amount(player.rail));
        for (slot, place) in table.board().slots() {
            if let Some(bet) = player.bets.get(slot) {
                let call = match bet.called {
                    Called::Standard => "",
                    Called::On => "-on",
                    Called::Off => "-off",
                };
                let machine = &table.board().rules(table.rules(), slot).machine;
                let own = bet.progress != table.tracker(place.wager);
                let gathered = if own { format!("-g{}", machine.spell(bet.progress)) } else { String::new() };
                let _ = write!(text, ".{}~{}{call}{gathered}", place.code, amount(bet.stake));
            }
        }
    }
    for (wager, progress) in table.trackers().filter(|(_, progress)| *progress != Progress::FRESH) {
        if let Some(rules) = table.rules().wager(wager) {
            let _ = write!(text, "_{}.{}", wager.wager().code, rules.machine.spell(progress));
        }
    }
    text
}

fn amount(money: Money) -> String {
    money.to_string().replace('.', "p")
}

type Told<T> = Result<T, Malformed>;

/// Builds an error at this character of the text.
fn wrong(at: usize, message: impl Into<String>) -> Malformed {
    Malformed { place: Place { line: 1, column: at + 1 }, message: message.into() }
}

/// Splits a text at `sign`. Each piece comes with the character position where it starts.
fn pieces(at: usize, text: &str, sign: char) -> impl Iterator<Item = (usize, &str)> {
    text.split(sign).scan(at, |at, piece| {
        let start = *at;
        *at += piece.chars().count() + 1;
        Some((start, piece))
    })
}

/// Version of the felt string being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// Progress of the side bets, by wager.
type Trackers = BTreeMap<WagerId, Progress>;

struct Written {
    at: usize,
    slot: SlotId,
    stake: Stake,
    called: Called,
    /// Progress of the bet, if written.
    progress: Option<Progress>,
}

struct Placed {
    at: usize,
    seat: SeatId,
    rail: Money,
    bets: Vec<Written>,
}

/// Reads a felt string. Returns the number of the next roll and the events that set up the position on an empty table.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::{felt_string, set_up};
/// use craps_table::Table;
/// let mut table = Table::open(session.table().rules().clone())?;
/// let (roll, events) = set_up(&table, "f2_r2_pt6_s1_1.90.P~10").unwrap();
/// events.iter().for_each(|event| table.apply(event));
/// assert_eq!(felt_string(&table, roll), "f2_r2_pt6_s1_1.90.P~10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the text is not a felt string, or describes a position that this table can't reach.
pub fn set_up(table: &Table, text: &str) -> Told<(u32, Events)> {
    let mut parts: Vec<(usize, &str)> = pieces(0, text, '_').collect();
    let version = match parts.first() {
        Some((_, VERSION)) => {
            parts.remove(0);
            Version::Two
        }
        Some((_, other)) if other.starts_with('f') => {
            return Err(wrong(0, format!("expected {VERSION}, or r for a string of version 1, found `{other}`")));
        }
        _ => Version::One,
    };
    let [(_, roll), (phase_at, phase), (shooter_at, shooter), rest @ ..] = &parts[..] else {
        return Err(wrong(0, "expected a felt string such as f2_r4_pt6_s1_1.379.P~10"));
    };
    let roll: u32 = roll
        .strip_prefix('r')
        .and_then(|digits| digits.parse().ok())
        .filter(|roll| *roll > 0)
        .ok_or_else(|| wrong(0, format!("expected r and the number of the next roll, found `{roll}`")))?;
    let phase = read_phase(table, *phase_at, phase)?;
    let (mut seats, mut shown) = (Vec::new(), Vec::new());
    for (at, part) in rest {
        if part.starts_with(|c: char| c.is_ascii_digit()) {
            seats.push(read_seat(table, version, *at, part)?);
        } else {
            shown.push((*at, *part));
        }
    }
    let trackers = match version {
        Version::One => one::trackers(table, &shown)?,
        Version::Two => trackers(table, &shown)?,
    };
    // With an automatic crew, setting up the bets waits for no one.
    let mut setting = Setting { table: table.clone().with_crew(Crew::Automatic), events: Events::new() };
    for placed in &seats {
        setting.sit_down(placed)?;
    }
    setting.take_dice(*shooter_at, shooter)?;
    // Set the point before the bets: setting it later would cancel the calls on them.
    setting.push(Event::PhaseSet { phase, trackers: trackers.into_iter().collect() });
    for placed in &seats {
        for bet in &placed.bets {
            setting.place(placed, bet)?;
        }
    }
    setting.check_calls(&seats)?;
    setting.check_phase(*phase_at, phase)?;
    Ok((roll, setting.events))
}

fn read_phase(table: &Table, at: usize, text: &str) -> Told<Phase> {
    match text {
        "out" => Ok(Phase::ComeOut),
        "come" => Ok(Phase::ComeDecisionOnly),
        _ => {
            let point = text.strip_prefix("pt").and_then(|digits| digits.parse::<Point>().ok());
            let point =
                point.ok_or_else(|| wrong(at, format!("expected pt and the point, out or come, found `{text}`")))?;
            if !table.rules().points.all().contains(&point) {
                return Err(wrong(at, format!("{point} can't be a point at this table")));
            }
            Ok(Phase::Point(point))
        }
    }
}

fn read_seat(table: &Table, version: Version, at: usize, part: &str) -> Told<Placed> {
    let mut items = pieces(at, part, '.');
    let seat = items.next().and_then(|(_, seat)| seat.parse().ok()).ok_or_else(|| wrong(at, "expected a seat"))?;
    let (rail_at, rail) = items.next().unwrap_or((at, ""));
    let rail = read_money(rail_at, rail)?;
    let mut bets: Vec<Written> = Vec::new();
    for (at, item) in items {
        let bet = read_bet(table, version, at, item)?;
        if bets.iter().any(|known| known.slot == bet.slot) {
            return Err(wrong(at, format!("a seat can have only one {} bet", table.board().slot(bet.slot).code)));
        }
        bets.push(bet);
    }
    Ok(Placed { at, seat, rail, bets })
}

fn read_money(at: usize, text: &str) -> Told<Money> {
    let money = text.replace('p', ".").parse::<Money>();
    money.map_err(|_| wrong(at, format!("expected an amount such as 25 or 12p50, found `{text}`")))
}

fn read_bet(table: &Table, version: Version, at: usize, item: &str) -> Told<Written> {
    let (code, rest) =
        item.split_once('~').ok_or_else(|| wrong(at, format!("expected code~amount, found `{item}`")))?;
    let slot = table.board().named(code).ok_or_else(|| wrong(at, format!("this table has no bet `{code}`")))?;
    let machine = &table.board().rules(table.rules(), slot).machine;
    let mut flags = rest.split('-');
    let stake = Stake::new(read_money(at, flags.next().unwrap_or(""))?);
    let stake = stake.ok_or_else(|| wrong(at, format!("expected an amount above zero, found `{item}`")))?;
    let gathers = machine.goal() != Goal::Nothing;
    let (mut called, mut progress) = (None, None);
    for flag in flags {
        let own = match version {
            Version::One => flag.strip_prefix('p'),
            Version::Two => flag.strip_prefix('g'),
        };
        match (flag, own) {
            ("on", _) if called.is_none() => called = Some(Called::On),
            ("off", _) if called.is_none() => called = Some(Called::Off),
            (_, Some(_)) if !gathers => return Err(wrong(at, format!("`{code}` has no progress: found `-{flag}`"))),
            (_, Some(text)) if progress.is_none() => {
                let read = match version {
                    Version::One => one::packed(machine, text),
                    Version::Two => machine.read(text).map_err(|error| error.to_string()),
                };
                progress = Some(read.map_err(|message| wrong(at, format!("{code}: {message}")))?);
            }
            _ => {
                let expected = "expected -on or -off once, or -g and the progress of the bet";
                return Err(wrong(at, format!("{expected}, found `-{flag}`")));
            }
        }
    }
    Ok(Written { at, slot, stake, called: called.unwrap_or_default(), progress })
}

/// Reads the trackers of version 2: the code of the wager, and its progress in the wager's own spelling.
fn trackers(table: &Table, parts: &[(usize, &str)]) -> Told<Trackers> {
    let mut all = Trackers::new();
    for (at, part) in parts {
        let expected = || wrong(*at, format!("expected a seat, or a side bet and its progress, found `{part}`"));
        let (code, text) = part.split_once('.').ok_or_else(expected)?;
        let slot = table.board().named(code).ok_or_else(expected)?;
        let wager = table.board().slot(slot).wager;
        let machine = &table.board().rules(table.rules(), slot).machine;
        let progress = machine.read(text).map_err(|error| wrong(*at, format!("{code}: {error}")))?;
        if all.insert(wager, progress).is_some() {
            return Err(wrong(*at, format!("the tracker of {code} appears twice")));
        }
    }
    Ok(all)
}

/// The table as set up so far, and the events that made it.
struct Setting {
    table: Table,
    events: Events,
}

impl Setting {
    fn push(&mut self, event: Event) {
        self.table.apply(&event);
        self.events.push(event);
    }

    /// Runs a command. If the table refuses it, the position is impossible.
    fn ask(&mut self, at: usize, command: &Command) -> Told<()> {
        let role = if matches!(command, Command::Join { .. }) { Role::Box } else { Role::Stick };
        let mut events = Events::new();
        self.table.decide(Actor::staff(role), command, &mut events).map_err(|refusal| wrong(at, refusal.sentence()))?;
        events.into_iter().for_each(|event| self.push(event));
        Ok(())
    }

    fn sit_down(&mut self, placed: &Placed) -> Told<()> {
        let all = placed.bets.iter().try_fold(placed.rail, |all, bet| all.plus(bet.stake.money()));
        let money = all.ok_or_else(|| wrong(placed.at, "the amounts are too large"))?;
        let name = format!("seat {}", placed.seat);
        self.ask(placed.at, &Command::Join { seat: placed.seat, name, money })
    }

    fn take_dice(&mut self, at: usize, text: &str) -> Told<()> {
        let seat = match text.strip_prefix('s') {
            Some("0") => return Ok(()),
            Some("d") => None,
            seat => {
                let seat = seat.and_then(|seat| seat.parse().ok());
                Some(seat.ok_or_else(|| wrong(at, format!("expected s and the shooter's seat, found `{text}`")))?)
            }
        };
        // The bets that the house rolls for are placed later.
        if seat.is_none() && self.table.house_roller().is_some() && !self.table.is_automated() {
            self.push(Event::DiceTaken { seat, phase: Phase::ComeOut });
            return Ok(());
        }
        self.ask(at, &Command::TakeDice { seat, decisions_only: false })
    }

    fn place(&mut self, placed: &Placed, written: &Written) -> Told<()> {
        let Written { at, slot, stake, called, progress } = *written;
        let place = self.table.board().slot(slot);
        let point_on = matches!(self.table.phase(), Phase::Point(_));
        if let Some(front) = place.front {
            if !placed.bets.iter().any(|bet| bet.slot == front) {
                let front = &self.table.board().slot(front).code;
                return Err(wrong(at, format!("{} needs a {front} bet at the same seat", place.code)));
            }
            if place.number.is_none() && !point_on {
                return Err(wrong(at, format!("{} needs a point, and none is on", place.code)));
            }
        }
        self.check_payable(at, slot, stake)?;
        let progress = progress.unwrap_or_else(|| self.table.tracker(place.wager));
        let stake = stake.money();
        // The text doesn't say whether the bet was made before the point was set: if a point is on, assume that it was.
        let thrown = progress != Progress::FRESH;
        let bet = Bet { stake, called, progress, thrown, point_set: point_on, ..Bet::default() };
        self.push(Event::BetPlaced { seat: placed.seat, slot, bet, staked: stake, commission: Money::ZERO });
        Ok(())
    }

    /// Rejects a bet that can't be paid in full, because no table would have taken it.
    fn check_payable(&self, at: usize, slot: SlotId, stake: Stake) -> Told<()> {
        let place = self.table.board().slot(slot);
        let (rules, rounding) = (self.table.board().rules(self.table.rules(), slot), &self.table.rules().rounding);
        if !stake.is_multiple_of(rounding.chip) {
            return Err(wrong(at, format!("{stake} is not a multiple of {}", rounding.chip)));
        }
        let number = match (place.front, place.number, self.table.phase()) {
            (Some(_), None, Phase::Point(point)) => Some(point),
            (Some(_), number, _) => number,
            _ => None,
        };
        let only = number.and_then(|number| place.wager.wager().ranks.find(&number.to_string()));
        for (_, prize) in rules.prizes.is.iter().filter(|(rank, _)| only.is_none_or(|only| only == *rank)) {
            let win = prize.settle(stake, rounding).map_err(|unpayable| wrong(at, unpayable.to_string()))?;
            if win.minor() > MOST_MONEY {
                return Err(wrong(at, format!("the win on {stake} is too large")));
            }
        }
        Ok(())
    }

    /// Rejects `-on` and `-off` on bets that can't be turned on or off.
    fn check_calls(&self, seats: &[Placed]) -> Told<()> {
        for (placed, bet) in seats.iter().flat_map(|placed| placed.bets.iter().map(move |bet| (placed, bet))) {
            let (seat, slot, called) = (placed.seat, bet.slot, bet.called);
            let mut events = Events::new();
            let command = Command::Call { seat, slot, called };
            if called == Called::Standard {
                continue;
            }
            self.table
                .decide(Actor::player(seat), &command, &mut events)
                .map_err(|refusal| wrong(bet.at, refusal.sentence()))?;
            if !events.iter().any(|event| matches!(event, Event::Told { bet, .. } if bet.called == called)) {
                return Err(wrong(bet.at, "this bet is always on: leave out -on"));
            }
        }
        Ok(())
    }

    /// Accepts the phase `come` only if the table would let rolls for come decisions begin now.
    fn check_phase(&self, at: usize, phase: Phase) -> Told<()> {
        if phase != Phase::ComeDecisionOnly {
            return Ok(());
        }
        let line = self.table.board().line();
        if self.table.seats().any(|(_, seat)| seat.bets.slots().meets(line)) {
            return Err(wrong(at, "`come` is not possible while there is a line bet"));
        }
        if self.table.shooter() == Some(Shooter::Dealer) && self.table.house_roller().is_some() {
            return Ok(());
        }
        let mut trial = self.table.clone();
        let shooter = trial.shooter().or_else(|| trial.seats().next().map(|(seat, _)| Shooter::Seat(seat)));
        let seat = match shooter {
            Some(Shooter::Seat(seat)) => Some(seat),
            _ => None,
        };
        trial.apply(&Event::DiceTaken { seat, phase: Phase::ComeDecisionOnly });
        let command = Command::TakeDice { seat, decisions_only: true };
        let decided = trial.decide(Actor::staff(Role::Stick), &command, &mut Events::new());
        decided.map_err(|refusal| wrong(at, refusal.sentence()))
    }
}
