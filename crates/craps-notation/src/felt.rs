//! The felt string: a position in one line that is safe in an address.
//!
//! `r4_pt6_s1_1.379.P~10.PO~50_3.230.DP~10` is the position before roll 4: the point is 6, seat 1 shoots; seat 1 has 379 on the rail and
//! these bets; then seat 3. `-off` and `-on` mark calls, `_fire.4.9_small.2.5` the markers of side bets, `-p` and a number what a side bet
//! has gathered where that is not what the markers show. Cents are written `12p50`.

use crate::Place;
use crate::read::Malformed;
use craps_dice::{Point, Throw, Total};
use craps_money::{Money, Stake};
use craps_table::{Actor, Bet, Called, Command, Crew, Event, Events, Role, SeatId, Shooter, SlotId, Table};
use craps_wagers::{Dials, Family, Machine, Mechanic, Phase, Progress, Step, Wager, WagerId};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// Markers on the felt: what they are called, the wager that has them, and the wager whose totals they are of.
const MARKERS: &[(&str, &str, &str)] = &[
    ("fire", "fire", "fire"),
    ("sharp", "sharp-shooter", "sharp-shooter"),
    ("ride", "ride-the-line", "ride-the-line"),
    ("small", "bonus-make-em-all", "bonus-all-small"),
    ("tall", "bonus-make-em-all", "bonus-all-tall"),
    ("ology", "dice-ology-boom-or-bust", "dice-ology-boom-or-bust"),
    ("hot", "hot-roller", "hot-roller"),
    ("lucky", "lucky-shooter", "lucky-shooter"),
    ("jackpot", "hot-shooter-jackpot", "hot-shooter-jackpot"),
];

/// The most that a bet may win, in minor units. The table takes none that could win more, so that every sum can be held.
const MOST: i64 = 1_000_000_000_000_000;

/// The position of a table before its next roll.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
/// use craps_notation::{action, felt_string};
/// let (_, bet) = action(session.table(), "1:P+10").unwrap();
/// session.command(&bet)?;
/// session.throw("4-2".parse()?)?;
/// assert_eq!(felt_string(session.table(), 2), "r2_pt6_s1_1.90.P~10");
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
                let own = bet.progress != shown(table, slot, |tracker| table.tracker(tracker));
                let progress = if own { format!("-p{}", bet.progress.bits()) } else { String::new() };
                let _ = write!(text, ".{}~{}{call}{progress}", place.code, amount(bet.stake));
            }
        }
    }
    for (name, tracker, of) in MARKERS {
        let (Some(tracker), Some(of)) = (Wager::find_id(tracker), Wager::find_id(of)) else { continue };
        let _ = match markers(of, table.tracker(tracker)) {
            none if none.is_empty() => Ok(()),
            some => write!(text, "_{name}{some}"),
        };
    }
    text
}

/// What the markers say that a bet in this slot has gathered: a bet on some of the totals has its share of them.
fn shown(table: &Table, slot: SlotId, tracker: impl Fn(WagerId) -> Progress) -> Progress {
    let place = table.layout().slot(slot);
    let all = place.tracker.map_or(Progress::FRESH, tracker);
    match place.wager.wager().mechanic {
        Mechanic::Collect(_) => Progress::from_bits(all.bits() & collected(place.wager)),
        _ => all,
    }
}

/// The totals that a wager collects, one bit each.
fn collected(wager: WagerId) -> u16 {
    match wager.wager().mechanic {
        Mechanic::Collect(totals) => {
            Total::ALL.iter().filter(|total| totals.contains(**total)).fold(0, |bits, total| bits | 1 << total.value())
        }
        _ => 0,
    }
}

fn amount(money: Money) -> String {
    money.to_string().replace('.', "p")
}

/// The numbers, combinations or count that a product's markers show; nothing where nothing was gathered.
fn markers(wager: WagerId, progress: Progress) -> String {
    let bits = progress.bits();
    let totals = |bits: u16| {
        let marked = Total::ALL.into_iter().filter(move |total| bits & (1 << total.value()) != 0);
        marked.map(|total| format!(".{total}")).collect()
    };
    match wager.wager().mechanic {
        Mechanic::PointsMade => totals(bits),
        Mechanic::Collect(_) => totals(bits & collected(wager)),
        Mechanic::NumbersCompleted => {
            let throws = Throw::ALL.into_iter().filter(|throw| combination(wager, *throw) & bits != 0);
            throws.map(|throw| format!(".{}{}", throw.low(), throw.high())).collect()
        }
        _ if bits == 0 => String::new(),
        _ => format!(".{bits}"),
    }
}

/// The mark that one throw leaves, as the wager's own step has it.
fn combination(wager: WagerId, throw: Throw) -> u16 {
    match wager.wager().machine(Dials::default()).step(Progress::FRESH, Phase::ComeDecisionOnly, throw) {
        Step::Stand(next) => next.bits(),
        _ => 0,
    }
}

/// Can throws bring a bet just made to this progress? The wager's own step is asked, on any throw in any phase.
fn is_reached(machine: &Machine, wanted: Progress) -> bool {
    let counts = matches!(
        machine.mechanic,
        Mechanic::PassesMade { .. } | Mechanic::LineWins { .. } | Mechanic::ThrowsSurvived { .. }
    );
    // A count goes up to the one that is wanted; marks are added to marks, and none may be there that is not wanted.
    let fits = |next: Progress| {
        if counts { next <= wanted } else { next.bits() & !wanted.bits() == 0 }
    };
    let phases: Vec<Phase> =
        [Phase::ComeOut, Phase::ComeDecisionOnly].into_iter().chain(Point::ALL.map(Phase::Point)).collect();
    let (mut open, mut seen) = (vec![Progress::FRESH], BTreeSet::from([Progress::FRESH]));
    while let Some(now) = open.pop() {
        if now == wanted {
            return true;
        }
        for (phase, throw) in phases.iter().flat_map(|phase| Throw::ALL.map(|throw| (*phase, throw))) {
            if let Step::Stand(next) | Step::Credited(_, next) = machine.step(now, phase, throw)
                && fits(next)
                && seen.insert(next)
            {
                open.push(next);
            }
        }
    }
    false
}

type Told<T> = Result<T, Malformed>;

/// The mistake at this character of the text.
fn wrong(at: usize, message: impl Into<String>) -> Malformed {
    Malformed { place: Place { line: 1, column: at + 1 }, message: message.into() }
}

/// The pieces of a text between these signs, each with the character it starts at.
fn pieces(at: usize, text: &str, sign: char) -> impl Iterator<Item = (usize, &str)> {
    text.split(sign).scan(at, |at, piece| {
        let start = *at;
        *at += piece.chars().count() + 1;
        Some((start, piece))
    })
}

/// A bet as written.
struct Written {
    at: usize,
    slot: SlotId,
    stake: Stake,
    called: Called,
    /// What it has gathered, where that is said.
    progress: Option<Progress>,
}

/// A seat as written.
struct Placed {
    at: usize,
    seat: SeatId,
    rail: Money,
    bets: Vec<Written>,
}

/// Sets up the position that a felt string describes on an empty table: the events that make it.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
/// use craps_notation::{felt_string, set_up};
/// use craps_table::Table;
/// let mut table = Table::open(session.table().rules().clone())?;
/// let (roll, events) = set_up(&table, "r2_pt6_s1_1.90.P~10").unwrap();
/// events.iter().for_each(|event| table.apply(event));
/// assert_eq!(felt_string(&table, roll), "r2_pt6_s1_1.90.P~10");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the text is no felt string, or describes what the table could never have come to hold.
pub fn set_up(table: &Table, text: &str) -> Told<(u32, Events)> {
    let parts: Vec<(usize, &str)> = pieces(0, text, '_').collect();
    let [(_, roll), (phase_at, phase), (shooter_at, shooter), rest @ ..] = &parts[..] else {
        return Err(wrong(0, "expected a felt string such as r4_pt6_s1_1.379.P~10"));
    };
    let roll: u32 = roll
        .strip_prefix('r')
        .and_then(|digits| digits.parse().ok())
        .filter(|roll| *roll > 0)
        .ok_or_else(|| wrong(0, format!("expected r and the number of the next roll, found `{roll}`")))?;
    let phase = read_phase(table, *phase_at, phase)?;
    let (mut seats, mut named, mut trackers) = (Vec::new(), BTreeSet::new(), BTreeMap::new());
    for (at, part) in rest {
        if part.starts_with(|c: char| c.is_ascii_digit()) {
            seats.push(read_seat(table, *at, part)?);
        } else {
            let (name, tracker, progress) = read_markers(table, *at, part)?;
            if !named.insert(name) {
                return Err(wrong(*at, format!("the markers of {name} stand there twice")));
            }
            // A product may have its markers in two parts.
            let before = trackers.get(&tracker).copied().unwrap_or_default();
            let both = Progress::from_bits(Progress::bits(before) | progress.bits());
            check_reached(table, *at, tracker, both)?;
            trackers.insert(tracker, both);
        }
    }
    // Bets are placed by hand, but by no crew: nobody is waited for.
    let mut setting = Setting { table: table.clone().with_crew(Crew::Automatic), events: Events::new() };
    for placed in &seats {
        setting.sit_down(placed)?;
    }
    setting.take_dice(*shooter_at, shooter)?;
    // The point comes before the bets, for it would end their calls.
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
                return Err(wrong(at, format!("{point} is no point at this table")));
            }
            Ok(Phase::Point(point))
        }
    }
}

fn read_seat(table: &Table, at: usize, part: &str) -> Told<Placed> {
    let mut items = pieces(at, part, '.');
    let seat = items.next().and_then(|(_, seat)| seat.parse().ok()).ok_or_else(|| wrong(at, "expected a seat"))?;
    let (rail_at, rail) = items.next().unwrap_or((at, ""));
    let rail = read_money(rail_at, rail)?;
    let mut bets: Vec<Written> = Vec::new();
    for (at, item) in items {
        let bet = read_bet(table, at, item)?;
        if bets.iter().any(|known| known.slot == bet.slot) {
            return Err(wrong(at, format!("there is one {} bet to a seat", table.layout().slot(bet.slot).code)));
        }
        bets.push(bet);
    }
    Ok(Placed { at, seat, rail, bets })
}

fn read_money(at: usize, text: &str) -> Told<Money> {
    let money = text.replace('p', ".").parse::<Money>();
    money.map_err(|_| wrong(at, format!("expected an amount such as 25 or 12p50, found `{text}`")))
}

fn read_bet(table: &Table, at: usize, item: &str) -> Told<Written> {
    let (code, rest) =
        item.split_once('~').ok_or_else(|| wrong(at, format!("expected code~amount, found `{item}`")))?;
    let slot = table.layout().named(code).ok_or_else(|| wrong(at, format!("this table has no bet `{code}`")))?;
    let mut flags = rest.split('-');
    let stake = Stake::new(read_money(at, flags.next().unwrap_or(""))?);
    let stake = stake.ok_or_else(|| wrong(at, format!("nothing is no bet: `{item}`")))?;
    let side = table.layout().slot(slot).wager.wager().family == Family::Shooter;
    let (mut called, mut progress) = (None, None);
    for flag in flags {
        let gathered = flag.strip_prefix('p').and_then(|bits| bits.parse().ok()).map(Progress::from_bits);
        match (flag, gathered) {
            ("on", _) if called.is_none() => called = Some(Called::On),
            ("off", _) if called.is_none() => called = Some(Called::Off),
            (_, Some(bits)) if side && progress.is_none() => progress = Some(bits),
            (_, Some(_)) if !side => return Err(wrong(at, format!("`{code}` gathers nothing: found `-{flag}`"))),
            _ => return Err(wrong(at, format!("expected -on, -off or -p and a progress, once, found `-{flag}`"))),
        }
    }
    Ok(Written { at, slot, stake, called: called.unwrap_or_default(), progress })
}

fn read_markers<'a>(table: &Table, at: usize, part: &'a str) -> Told<(&'a str, WagerId, Progress)> {
    let mut items = pieces(at, part, '.');
    let name = items.next().map_or("", |(_, name)| name);
    let known = MARKERS.iter().find(|(known, ..)| *known == name);
    let wagers = known.and_then(|(_, tracker, of)| Wager::find_id(tracker).zip(Wager::find_id(of)));
    let (tracker, of) =
        wagers.ok_or_else(|| wrong(at, format!("expected a seat or the markers of a side bet, found `{part}`")))?;
    if table.rules().wager(tracker).is_none() {
        return Err(wrong(at, format!("this table does not offer {tracker}")));
    }
    let items: Vec<(usize, &str)> = items.collect();
    let mechanic = of.wager().mechanic;
    let many = matches!(mechanic, Mechanic::PointsMade | Mechanic::Collect(_) | Mechanic::NumbersCompleted);
    if items.is_empty() || (!many && items.len() > 1) {
        let what = if many { "at least one marker" } else { "one number" };
        return Err(wrong(at, format!("expected {what} of {name}, found `{part}`")));
    }
    let mut bits = 0u16;
    for (at, item) in items {
        let bad = || wrong(at, format!("`{item}` is no marker of {name}"));
        let bit = match mechanic {
            Mechanic::PointsMade => 1 << item.parse::<Total>().map_err(|_| bad())?.value(),
            Mechanic::Collect(_) => (1 << item.parse::<Total>().map_err(|_| bad())?.value()) & collected(of),
            Mechanic::NumbersCompleted => {
                let (low, high) = item.split_at_checked(1).ok_or_else(bad)?;
                combination(of, format!("{low}-{high}").parse().map_err(|_| bad())?)
            }
            _ => item.parse().map_err(|_| bad())?,
        };
        if bit == 0 {
            return Err(bad());
        }
        bits |= bit;
    }
    Ok((name, tracker, Progress::from_bits(bits)))
}

fn check_reached(table: &Table, at: usize, wager: WagerId, progress: Progress) -> Told<()> {
    let reached = table.rules().wager(wager).is_some_and(|rules| is_reached(&rules.machine, progress));
    if reached { Ok(()) } else { Err(wrong(at, format!("no throws leave {wager} so"))) }
}

/// The table as far as it is set up, and the events that made it.
struct Setting {
    table: Table,
    events: Events,
}

impl Setting {
    fn push(&mut self, event: Event) {
        self.table.apply(&event);
        self.events.push(event);
    }

    /// Does what the table would do; where it refuses, the position cannot be.
    fn ask(&mut self, at: usize, command: &Command) -> Told<()> {
        let role = if matches!(command, Command::Join { .. }) { Role::Box } else { Role::Stick };
        let mut events = Events::new();
        self.table.decide(Actor::staff(role), command, &mut events).map_err(|refusal| wrong(at, refusal.message))?;
        events.into_iter().for_each(|event| self.push(event));
        Ok(())
    }

    fn sit_down(&mut self, placed: &Placed) -> Told<()> {
        let all = placed.bets.iter().try_fold(placed.rail, |all, bet| all.plus(bet.stake.money()));
        let money = all.ok_or_else(|| wrong(placed.at, "more than can be held"))?;
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
        self.ask(at, &Command::TakeDice { seat, decisions_only: false })
    }

    fn place(&mut self, placed: &Placed, written: &Written) -> Told<()> {
        let Written { at, slot, stake, called, progress } = *written;
        let place = self.table.layout().slot(slot);
        let point_on = matches!(self.table.phase(), Phase::Point(_));
        if let Some(front) = place.front {
            if !placed.bets.iter().any(|bet| bet.slot == front) {
                let front = &self.table.layout().slot(front).code;
                return Err(wrong(at, format!("{} stands behind {front}, which is not there", place.code)));
            }
            if place.number.is_none() && !point_on {
                return Err(wrong(at, format!("{} stands behind a point, and none is on", place.code)));
            }
        }
        self.check_payable(at, slot, stake)?;
        let progress = progress.unwrap_or_else(|| shown(&self.table, slot, |tracker| self.table.tracker(tracker)));
        if progress != Progress::FRESH {
            check_reached(&self.table, at, place.wager, progress)?;
        }
        let stake = stake.money();
        // Whether it was made before the point the text does not say: it is held to what it would be then.
        let thrown = progress != Progress::FRESH;
        let bet = Bet { stake, called, progress, thrown, point_set: point_on, ..Bet::default() };
        self.push(Event::BetPlaced { seat: placed.seat, slot, bet, staked: stake, commission: Money::ZERO });
        Ok(())
    }

    /// Only what can be paid in full was ever taken.
    fn check_payable(&self, at: usize, slot: SlotId, stake: Stake) -> Told<()> {
        let place = self.table.layout().slot(slot);
        let (rules, rounding) = (self.table.layout().rules(self.table.rules(), slot), &self.table.rules().rounding);
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
            if win.minor() > MOST {
                return Err(wrong(at, format!("{stake} would win more than can be held")));
            }
        }
        Ok(())
    }

    /// A bet is called only what such a bet can be called.
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
                .map_err(|refusal| wrong(bet.at, refusal.message))?;
            if !events.iter().any(|event| matches!(event, Event::Told { bet, .. } if bet.called == called)) {
                return Err(wrong(bet.at, "it is on without a call"));
            }
        }
        Ok(())
    }

    /// Rolling for come decisions only is where the table would let it begin, whoever throws.
    fn check_phase(&self, at: usize, phase: Phase) -> Told<()> {
        if self.table.phase() != phase {
            return Err(wrong(at, "a line bet ends rolling for come decisions only"));
        }
        if phase != Phase::ComeDecisionOnly {
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
        decided.map_err(|refusal| wrong(at, refusal.message))
    }
}
