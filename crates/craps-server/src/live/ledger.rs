//! What people played at a table, hand by hand: what they bet, how it came out, and what was expected.
//!
//! Expected is exact. Each time someone bets, the value of that bet from then on is added: the average net result as the table would pay it, solved
//! from the wager's own rules. A player who takes a bet down gives up what it was worth at that moment, and a winning bet that stays up counts as a
//! new bet. So with any way of playing, the difference between the actual and the expected result is luck. Bets are valued as if they always worked,
//! as odds are everywhere in this project; this matters only for come odds that are off on a come-out roll and don't pay true odds.
//!
//! The ledger is read from the log separately from the tables in play, so that no player waits for it.

use super::pit::Told;
use super::{Deed, Entry, HandCount, Live, Names, Opening};
use craps_dice::WAYS;
use craps_money::{Stake, Timing};
use craps_odds::{RBig, Solver, worth};
use craps_table::{After, Bet, Event, Role, SeatId, SlotId, Table, Verdict};
use craps_wagers::{Mechanic, Phase, Progress};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

/// How many hands of one person at one table are listed. Earlier hands are only added up.
pub const HANDS_MOST: usize = 2_000;
/// How many values of bets are cached for one table.
const VALUES_MOST: usize = 10_000;

/// Totals of what was bet and how it came out, in cents.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sums {
    /// Amount bet. A win that stays up counts again; what was taken down undecided is subtracted.
    pub staked: i64,
    /// Net result.
    pub net: i64,
    /// Expected net result, exact.
    pub expected: RBig,
}

impl Sums {
    /// Adds other totals to these.
    pub fn add(&mut self, other: &Sums) {
        self.staked = self.staked.saturating_add(other.staked);
        self.net = self.net.saturating_add(other.net);
        self.expected += &other.expected;
    }
}

/// A hand in which a person had a bet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HandPlayed {
    /// Number of the hand at the table, from 1.
    pub hand: u32,
    /// Time of the first roll that counted for them, in Unix milliseconds.
    pub from: i64,
    /// Time of the last such roll.
    pub until: i64,
    /// How many rolls they had a bet on the layout for.
    pub rolls: u32,
    /// Totals for the hand.
    pub sums: Sums,
}

/// What one person played at one table.
#[derive(Debug, Clone, Default)]
pub struct Own {
    /// How many earlier hands are only added up.
    pub earlier: usize,
    /// Totals of those earlier hands.
    pub before: Sums,
    /// The later hands, in order.
    pub hands: VecDeque<HandPlayed>,
}

impl Own {
    /// Adds to a hand, and starts it if it is new.
    fn add(&mut self, hand: u32, at: i64, rolls: u32, sums: &Sums) {
        if self.hands.back().is_none_or(|last| last.hand != hand) {
            self.hands.push_back(HandPlayed { hand, from: at, ..HandPlayed::default() });
            if self.hands.len() > HANDS_MOST {
                self.earlier += 1;
                self.before.add(&self.hands.pop_front().unwrap_or_default().sums);
            }
        }
        if let Some(played) = self.hands.back_mut() {
            played.until = at;
            played.rolls += rolls;
            played.sums.add(sums);
        }
    }
}

/// What everyone played at one table, up to the last row that was read.
#[derive(Debug, Default)]
pub struct Ledger {
    seq: u64,
    opening: Option<Opening>,
    people: HashMap<String, Own>,
    /// State for reading the next rows. None if nothing was read yet, or the log can't be read.
    reading: Option<Box<Reading>>,
}

impl Ledger {
    /// Returns the number of the last row that was read.
    #[must_use]
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Returns how the table was opened. None if its log can't be read.
    #[must_use]
    pub fn opening(&self) -> Option<&Opening> {
        self.opening.as_ref()
    }

    /// Returns what an account or guest played here.
    #[must_use]
    pub fn of(&self, who: &str) -> Option<&Own> {
        self.people.get(who)
    }

    /// Forgets the cached values of bets, which take most of the memory. Reading goes on without them and solves them again.
    pub fn rest(&mut self) {
        if let Some(reading) = &mut self.reading {
            reading.values = HashMap::new();
        }
    }

    /// Are there cached values of bets?
    #[must_use]
    pub fn has_values(&self) -> bool {
        self.reading.as_ref().is_some_and(|reading| !reading.values.is_empty())
    }

    /// Goes on at the end of an archive, with the table as it was there. What was played in the archive isn't counted.
    pub fn go_on_at(&mut self, live: &Live) {
        self.seq = live.head().0;
        if let Some(reading) = &mut self.reading {
            reading.go_on_at(live);
        }
    }

    /// Reads the next rows. `open` makes a table from the first row of its log.
    pub fn read(&mut self, open: impl Fn(&Told) -> Option<Live>, rows: &[Told], solver: &Mutex<Solver>) {
        for told in rows {
            self.seq = told.row.seq;
            match &mut self.reading {
                Some(reading) => {
                    // A row that can't be read isn't play: the table has stopped there.
                    if let Ok(entry) = reading.names.read(&told.entry) {
                        reading.row((told.row.seq, told.row.at), &entry, &mut self.people, solver);
                    }
                }
                None => {
                    let opened = if told.row.seq == 1 { open(told) } else { None };
                    self.opening = opened.as_ref().map(|opened| opened.opening().clone());
                    self.reading = opened.map(|opened| Box::new(Reading::new(&opened)));
                }
            }
        }
    }
}

/// A table while its log is being read.
#[derive(Debug, Clone)]
struct Reading {
    names: Names,
    table: Table,
    /// The table after the last roll. `since` is what happened since then and can still be taken back.
    window: Table,
    since: Vec<(String, Sums)>,
    /// Events of the rows since the last roll, by the number of the row.
    orders: Vec<(u64, Vec<Event>)>,
    owners: BTreeMap<SeatId, String>,
    hands: HandCount,
    values: HashMap<(SlotId, Progress, Phase, i64), RBig>,
}

impl Reading {
    fn new(opened: &Live) -> Reading {
        let table = opened.table().clone();
        Reading {
            names: opened.names().clone(),
            window: table.clone(),
            table,
            since: Vec::new(),
            orders: Vec::new(),
            owners: BTreeMap::new(),
            hands: HandCount::default(),
            values: HashMap::new(),
        }
    }

    fn go_on_at(&mut self, live: &Live) {
        self.table = live.table().clone();
        self.window = self.table.clone();
        self.since.clear();
        self.orders.clear();
        self.owners = live.ownership().seats().iter().map(|(seat, (who, _))| (*seat, who.clone())).collect();
        self.hands = live.hands();
    }

    /// Reads a row, given its number and its time.
    fn row(&mut self, (seq, at): (u64, i64), entry: &Entry, people: &mut HashMap<String, Own>, solver: &Mutex<Solver>) {
        let phase = self.table.phase();
        let over = match &entry.did {
            Deed::Undone { rows, same, events, .. } => {
                self.since.clear();
                self.table = self.window.clone();
                self.orders.retain(|(row, _)| !rows.contains(row));
                let stand: Vec<Event> = match same {
                    true => self.orders.iter().flat_map(|(_, events)| events.clone()).collect(),
                    false => events.clone(),
                };
                self.fold(&stand, solver);
                false
            }
            Deed::Thrown { events, .. } => {
                self.count_roll(people, at);
                self.fold(events, solver);
                true
            }
            did => {
                self.fold(did.events(), solver);
                self.orders.push((seq, did.events().to_vec()));
                self.sat(entry);
                did.events().iter().any(|event| matches!(event, Event::NoRoll { .. }))
            }
        };
        if over {
            for (who, sums) in self.since.drain(..) {
                people.entry(who).or_default().add(self.hands.number, at, 0, &sums);
            }
            self.window = self.table.clone();
            self.orders.clear();
        }
        self.hands.ends(phase, &entry.did);
    }

    /// Counts one more roll for everyone who has a bet on the layout.
    fn count_roll(&self, people: &mut HashMap<String, Own>, at: i64) {
        let bets = |seat: &SeatId| self.table.seat(*seat).is_some_and(|seat| !seat.bets.is_empty());
        for (_, who) in self.owners.iter().filter(|(seat, _)| bets(seat)) {
            people.entry(who.clone()).or_default().add(self.hands.number, at, 1, &Sums::default());
        }
    }

    fn sat(&mut self, entry: &Entry) {
        for event in entry.did.events() {
            match event {
                // A player who was seated by the staff has no account here.
                Event::Joined { seat, .. } if entry.by.actor.role == Role::Player => {
                    self.owners.extend(entry.by.who.clone().map(|who| (*seat, who)));
                }
                Event::Left { seat } => drop(self.owners.remove(seat)),
                _ => {}
            }
        }
    }

    fn fold(&mut self, events: &[Event], solver: &Mutex<Solver>) {
        for event in events {
            let mut all: Vec<(SeatId, Sums)> = self.sums(event, solver).into_iter().collect();
            let drawn = matches!(event, Event::Drawn { .. });
            let before = if drawn { self.means() } else { Vec::new() };
            self.table.apply_logged(event);
            if drawn {
                // A draw raises what the next roll is expected to bring.
                let raised =
                    before.into_iter().zip(self.means()).map(|((seat, before), (_, after))| (seat, after - before));
                all.extend(raised.map(|(seat, expected)| (seat, Sums { expected, ..Sums::default() })));
            }
            let owned = all.into_iter().filter_map(|(seat, sums)| Some((self.owners.get(&seat)?.clone(), sums)));
            self.since.extend(owned);
        }
    }

    /// Returns what the next roll is expected to bring each seat.
    fn means(&self) -> Vec<(SeatId, RBig)> {
        let mean = |seat: SeatId| {
            let all = self.table.outcomes(seat);
            let sum: i64 = all.iter().map(|outcome| outcome.net.minor() * i64::from(outcome.dice.ways())).sum();
            RBig::from(sum) / RBig::from(WAYS)
        };
        self.table.seats().map(|(seat, _)| (seat, mean(seat))).collect()
    }

    /// Returns what an event that is about to be applied does to the totals of its seat.
    fn sums(&mut self, event: &Event, solver: &Mutex<Solver>) -> Option<(SeatId, Sums)> {
        let phase = self.table.phase();
        match event {
            Event::BetPlaced { seat, slot, bet, staked, commission } => {
                let before = Bet { stake: bet.stake.minus(*staked)?, ..*bet };
                let more = self.value(*slot, bet, phase, solver) - self.value(*slot, &before, phase, solver);
                let charge = commission.minor();
                let expected = more - RBig::from(charge);
                Some((*seat, Sums { staked: staked.minor(), net: -charge, expected }))
            }
            Event::TakenDown { seat, slot, left, returned, refunded } => {
                let before = *self.table.seat(*seat)?.bets.get(*slot)?;
                let left = left.unwrap_or(Bet { stake: craps_money::Money::ZERO, ..before });
                let less = self.value(*slot, &left, phase, solver) - self.value(*slot, &before, phase, solver);
                let back = refunded.minor();
                Some((*seat, Sums { staked: -returned.minor(), net: back, expected: less + RBig::from(back) }))
            }
            Event::Settled { seat, bet, verdict, after, .. } => {
                let net = match verdict {
                    Verdict::Won { paid, commission, .. } => paid.minor() - commission.minor(),
                    Verdict::Credited { paid, .. } => paid.minor(),
                    Verdict::Lost => -bet.stake.minor(),
                    Verdict::Returned | Verdict::Moved { .. } => 0,
                };
                let (staked, expected) = match (verdict, after) {
                    (Verdict::Won { .. }, After::Stands(slot, next)) => {
                        let fresh = self.value(*slot, next, Phase::ComeOut, solver);
                        (next.stake.minor(), fresh - RBig::from(next.commission.minor()))
                    }
                    _ => (0, RBig::ZERO),
                };
                Some((*seat, Sums { staked, net, expected }))
            }
            // A correction isn't luck.
            Event::Ruled { seat, amount, .. } => {
                let net = amount.minor();
                Some((*seat, Sums { staked: 0, net, expected: RBig::from(net) }))
            }
            _ => None,
        }
    }

    /// Returns what a bet is worth from here on, not counting commission that was paid up front.
    fn value(&mut self, slot: SlotId, bet: &Bet, phase: Phase, solver: &Mutex<Solver>) -> RBig {
        let Some(stake) = Stake::new(bet.stake) else { return RBig::ZERO };
        let (rules, layout) = (self.table.rules(), self.table.board());
        let (place, wager) = (layout.slot(slot), layout.rules(rules, slot));
        let machine = &wager.machine;
        let point = match phase {
            Phase::Point(point) => Some(point),
            _ => None,
        };
        // A line bet is on the point, a come bet on the number that it moved to.
        let number = match machine.mechanic {
            Mechanic::Line { .. } if place.wager.wager().travels() => place.number,
            Mechanic::Line { .. } | Mechanic::Behind(..) => place.number.or(point),
            _ => None,
        };
        let progress = number.map_or(bet.progress, |number| machine.on(number));
        // Rolls that decide only come bets never decide a bet that follows the phase. A come-out roll comes after them.
        let follows = machine.sees_phase() && phase != Phase::ComeDecisionOnly;
        let phase = if follows { phase } else { Phase::ComeOut };
        let key = (slot, progress, phase, bet.stake.minor());
        if let Some(known) = self.values.get(&key) {
            return known.clone();
        }
        let mut offering = rules.offering(wager, number);
        offering.commission = offering.commission.filter(|commission| commission.timing == Timing::OnWin);
        let mut solver = solver.lock().unwrap_or_else(PoisonError::into_inner);
        // A stake that the table can't pay is never taken.
        let value = worth(&mut solver, &offering, (progress, phase), stake, &rules.rounding).unwrap_or_default();
        if self.values.len() >= VALUES_MOST {
            self.values.clear();
        }
        self.values.insert(key, value.clone());
        value
    }
}

#[cfg(test)]
mod tests {
    use super::super::{By, DiceFrom};
    use super::*;
    use craps_dice::Throw;
    use craps_law::Library;
    use craps_notation::{RulesTag, action};
    use craps_table::{Actor, Command, Crew};

    const ANN: &str = "a:ann";

    /// A table where Ann is seated.
    fn reading(library: &Library, book: &str, house: &str) -> Reading {
        let law = library.book(book).unwrap();
        let opening = Opening {
            name: "Test".to_owned(),
            rules: RulesTag { book: book.to_owned(), as_of: law.sample_day },
            house: house.to_owned(),
            game: None,
            crew: Crew::Automatic,
            dice: DiceFrom::Secret,
            practice: true,
            private: false,
            chat: false,
            window: None,
            asks: false,
            funded: true,
            witness: None,
            slots: Vec::new(),
        };
        let opened = Live::open(library, &Live::plan(library, opening).unwrap(), "").unwrap();
        let mut reading = Reading::new(&opened);
        let join = Command::Join { seat: 1, name: "Ann".to_owned(), money: "5000".parse().unwrap() };
        done(&mut reading, Actor::player(1), &join, &mut HashMap::new(), &Mutex::default());
        reading.window = reading.table.clone();
        reading
    }

    /// Runs a command if the table allows it. Returns whether it did.
    fn done(
        reading: &mut Reading,
        actor: Actor,
        command: &Command,
        people: &mut HashMap<String, Own>,
        solver: &Mutex<Solver>,
    ) -> bool {
        let Ok(events) = reading.table.clone().run(actor, command) else { return false };
        let did = match command {
            Command::Throw { dice } => {
                Deed::Thrown { faces: [dice.low().pips(), dice.high().pips()], draw: None, named: None, events }
            }
            _ => Deed::Ordered { commands: Vec::new(), events },
        };
        reading.row((7, 7), &Entry::new(By::person(ANN, actor), did), people, solver);
        true
    }

    /// Plays bets and rolls in the notation: `P+10`, or dice.
    fn play(reading: &mut Reading, people: &mut HashMap<String, Own>, solver: &Mutex<Solver>, words: &str) {
        for word in words.split_whitespace() {
            let (actor, command) = match word.parse::<Throw>() {
                Ok(dice) => (Actor::staff(Role::Stick), Command::Throw { dice }),
                Err(_) => (Actor::player(1), action(&reading.table, &format!("1:{word}")).unwrap().1),
            };
            assert!(done(reading, actor, &command, people, solver), "{word}");
        }
    }

    fn played(book: &str, house: &str, words: &str) -> Own {
        let library = Library::shipped();
        let mut reading = reading(&library, book, house);
        let (mut people, solver) = (HashMap::new(), Mutex::default());
        play(&mut reading, &mut people, &solver, words);
        people.remove(ANN).unwrap_or_default()
    }

    fn sums(own: &Own) -> Vec<(u32, u32, i64, i64, String)> {
        let line = |hand: &HandPlayed| {
            let HandPlayed { hand, rolls, sums, .. } = hand;
            (*hand, *rolls, sums.staked, sums.net, sums.expected.to_string())
        };
        own.hands.iter().map(line).collect()
    }

    #[test]
    fn the_pass_line_is_expected_to_cost_seven_of_495() {
        // A point made, a natural, a seven-out, then a hand that has only the bet.
        let own = played("pa", "", "P+10 4-2 3-3 P+10 6-1 P+10 5-4 5-2 P+10 2-2");
        let each = RBig::from(-1_000) * RBig::from(7) / RBig::from(495);
        let three = (each.clone() * RBig::from(3)).to_string();
        assert_eq!(sums(&own), [(1, 5, 3_000, 1_000, three), (2, 1, 1_000, 0, each.to_string())]);
        assert_eq!(each.to_string(), "-1400/99");
    }

    #[test]
    fn a_win_that_stays_up_is_a_bet_made_anew_and_what_comes_down_was_none() {
        let own = played("pa", "", "P+10 5-4 PL6+12 PL8+12 PL8-12 4-2 5-1 4-3");
        // Three bets on the six: two win, one loses.
        let six = RBig::from(-1_200) / RBig::from(66) * RBig::from(3);
        let pass = RBig::from(-1_400) / RBig::from(99);
        assert_eq!(sums(&own), [(1, 4, 1_000 + 3_600, 2_800 - 1_200 - 1_000, (six + pass).to_string())]);
        // Once the six is the point, a don't pass bet is worth 1/11 of its stake. A player who takes it down gives that up.
        let own = played("pa", "", "P+10 DP+10 4-2 DP-10 2-1");
        let dont = RBig::from(-3_000) / RBig::from(220) - RBig::from(1_000) / RBig::from(11);
        let pass = RBig::from(-1_400) / RBig::from(99);
        assert_eq!(sums(&own), [(1, 2, 1_000, 0, (dont + pass).to_string())]);
    }

    #[test]
    fn a_bet_that_comes_down_during_come_decisions_is_worth_what_it_is_on_the_next_come_out() {
        let library = Library::shipped();
        let mut reading = reading(&library, "co", "sharp_shooter.offered=yes");
        let (mut people, solver) = (HashMap::new(), Mutex::default());
        play(&mut reading, &mut people, &solver, "P+10 SHARP+5 4-2 C+10 4-1 3-3");
        let mut ordinary = reading.clone();
        let take = Command::TakeDice { seat: Some(1), decisions_only: true };
        assert!(done(&mut reading, Actor::staff(Role::Box), &take, &mut people, &solver));
        assert_eq!(reading.table.phase(), Phase::ComeDecisionOnly);
        let sharp = reading.table.board().named("sharp-shooter").unwrap();
        let bet = *reading.table.seat(1).unwrap().bets.get(sharp).unwrap();
        let value = reading.value(sharp, &bet, Phase::ComeDecisionOnly, &solver);
        assert_eq!(value, ordinary.value(sharp, &bet, Phase::ComeOut, &solver));
        play(&mut reading, &mut people, &solver, "SHARP-5 4-1");
        assert_eq!(people[ANN].hands.len(), 1);
    }

    #[test]
    fn what_was_taken_back_was_never_done() {
        let library = Library::shipped();
        let mut reading = reading(&library, "pa", "");
        let (mut people, solver) = (HashMap::new(), Mutex::default());
        play(&mut reading, &mut people, &solver, "P+10 F+5");
        let events = {
            let mut table = reading.window.clone();
            let pass = action(&table, "1:P+10").unwrap().1;
            table.run(Actor::player(1), &pass).unwrap()
        };
        let undone = Deed::Undone { seat: 1, rows: vec![4], same: false, events };
        reading.row((8, 8), &Entry::new(By::person(ANN, Actor::player(1)), undone), &mut people, &solver);
        assert!(people.is_empty(), "nothing counts before the roll");
        play(&mut reading, &mut people, &solver, "4-2");
        assert_eq!(sums(&people[ANN]), [(1, 1, 1_000, 0, "-1400/99".to_owned())]);
    }

    #[test]
    fn a_ledger_that_rested_reads_on_where_it_was() {
        let library = Library::shipped();
        let (state, solver) = (reading(&library, "pa", ""), Mutex::default());
        let mut ledger = Ledger { reading: Some(Box::new(state)), ..Ledger::default() };
        for words in ["P+10 F+5 4-2", "C+5 5-4", "3-3"] {
            play(ledger.reading.as_mut().unwrap(), &mut ledger.people, &solver, words);
            ledger.rest();
            assert!(!ledger.has_values());
        }
        let whole = played("pa", "", "P+10 F+5 4-2 C+5 5-4 3-3");
        assert_eq!(sums(ledger.of(ANN).unwrap()), sums(&whole));
    }

    #[test]
    fn hands_that_are_long_ago_are_added_up() {
        let mut own = Own::default();
        let one = Sums { staked: 1, net: -1, expected: RBig::from(-1) };
        for hand in 1..=u32::try_from(HANDS_MOST).unwrap() + 5 {
            own.add(hand, i64::from(hand), 1, &one);
        }
        assert_eq!((own.hands.len(), own.earlier, own.before.staked), (HANDS_MOST, 5, 5));
        assert_eq!(own.hands[0].hand, 6);
    }

    /// Over all possible rolls, the actual results plus the value of the bets still up average exactly what was expected, however one plays.
    fn is_fair(book: &str, house: &str, plans: &[&[&str]], drawn: Option<&str>) {
        let library = Library::shipped();
        let solver = Mutex::default();
        let mut open = vec![(reading(&library, book, house), HashMap::<String, Own>::new(), RBig::ONE)];
        let mut taken = 0;
        for plan in plans {
            let mut next = Vec::new();
            for (mut reading, mut people, chance) in open {
                for word in *plan {
                    let wish = action(&reading.table, &format!("1:{word}"));
                    let bet = |(_, command): (SeatId, Command)| {
                        done(&mut reading, Actor::player(1), &command, &mut people, &solver)
                    };
                    taken += usize::from(wish.is_ok_and(bet));
                }
                // A shooter needs a line bet.
                let any = Command::Throw { dice: Throw::ALL[0] };
                if reading.table.clone().run(Actor::staff(Role::Stick), &any).is_err() {
                    let (_, pass) = action(&reading.table, "1:P+10").unwrap();
                    assert!(done(&mut reading, Actor::player(1), &pass, &mut people, &solver));
                }
                if let Some(drawn) = drawn {
                    let selection = vec![(craps_wagers::Catalogue::built_in().find(drawn).unwrap(), 0)];
                    let draw = Command::Draw { selection };
                    let events = reading.table.clone().run(Actor::staff(Role::Machine), &draw).unwrap();
                    reading.fold(&events, &solver);
                }
                for dice in Throw::ALL {
                    let (mut reading, mut people) = (reading.clone(), people.clone());
                    let throw = Command::Throw { dice };
                    assert!(done(&mut reading, Actor::staff(Role::Stick), &throw, &mut people, &solver));
                    let chance = &chance * RBig::from(dice.ways()) / RBig::from(WAYS);
                    next.push((reading, people, chance));
                }
            }
            open = next;
        }
        assert!(taken > plans.len(), "{taken}");
        let mut luck = RBig::ZERO;
        for (mut reading, people, chance) in open {
            let phase = reading.table.phase();
            let standing: Vec<(SlotId, Bet)> =
                reading.table.seat(1).unwrap().bets.standing().map(|(slot, bet)| (slot, *bet)).collect();
            let felt =
                standing.iter().fold(RBig::ZERO, |sum, (slot, bet)| sum + reading.value(*slot, bet, phase, &solver));
            let all = people
                .values()
                .flat_map(|own| &own.hands)
                .fold(RBig::ZERO, |sum, hand| sum + RBig::from(hand.sums.net) - &hand.sums.expected);
            luck += chance * (all + felt);
        }
        assert_eq!(luck, RBig::ZERO, "{book} {house}");
    }

    #[test]
    fn luck_is_nothing_on_the_average_however_one_plays() {
        is_fair(
            "pa",
            "offer=buy,lay,fire; odds.k=3-4-5",
            &[
                &["P+10", "DP+10", "PL6+12", "F+5", "BY4+20", "LY10+40", "FIRE+5", "H8+5", "HN+4"],
                &["PO+10", "DP-10", "C+5", "DC+5", "PL6-12", "P+5", "BY4+20", "LY10-40", "PX5+10", "H8-5"],
                &["C8O+5", "C5O+10", "PL6+24", "BY4-20", "P+10", "A7+5", "DC4-5"],
            ],
            None,
        );
        // Here payments are rounded up, and put bets are made.
        is_fair(
            "co",
            "offer=buy,lay,sharp_shooter; odds.k=10",
            &[
                &["P+7", "PL6+7", "PUT8+5", "BY4+7", "SHARP+5", "F+3"],
                &["PO+7", "PUT8O+11", "PL6+4", "C+3", "PL5+9", "H6+3"],
                &["C9O+10", "PL6-5", "P+10", "BIG6+3"],
            ],
            None,
        );
        // Commission on wins only; then a draw that raises a price for one roll.
        is_fair(
            "nj",
            "offer=buy,lay; vig.buy.timing=on_win; vig.on_win.numbers=4,10; odds.k=10",
            &[&["P+10", "BY4+20", "LY6+60"], &["BY10+20"]],
            None,
        );
        is_fair("pa", "offer=power_odds", &[&["P+10", "A7+5", "HN+4"], &["A7+5", "WW+5"]], Some("any-seven"));
    }
}
