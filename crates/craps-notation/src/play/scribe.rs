//! The scribe plays a game line by line and writes down the marks, results and commissions that follow from the rules.

use super::steps::{Telling, words};
use super::{Acted, Difference, Explained, Names, Played, Refused, Step, Unplayable};
use crate::game::{Act, Action, BetName, Dice, Line, Op, Outcome, Place, Roll};
use crate::talk::bet_name;
use craps_dice::{Throw, Total};
use craps_law::Cites;
use craps_money::Money;
use craps_table::{
    Actor, AfterWin, Board, Called, Command, Event, Events, Manner, Refusal, Role, SeatId, Shooter, SlotId, Table,
    Verdict,
};
use craps_wagers::{Phase, Points, WagerId};
use std::collections::BTreeMap;

/// A draw as written: position, selection, text, and whether it is marked `!refused`.
type Draw = (Place, Vec<(WagerId, usize)>, String, bool);

/// Plays a game line by line and writes the filled-in text.
#[derive(Debug, Clone)]
pub(crate) struct Scribe {
    pub(crate) table: Table,
    names: Names,
    /// The filled-in text so far.
    pub(crate) filled: String,
    pub(crate) differences: Vec<Difference>,
    pub(crate) refused: Vec<Refused>,
    pub(crate) settlements: BTreeMap<u32, Vec<Explained>>,
    pub(crate) next_roll: u32,
    /// The shooter named by the last printed `# shooter` line.
    announced: Option<Shooter>,
    /// Procedure lines to print before the next roll.
    pending: String,
    /// Draws to make after the actions of the next roll.
    draws: Vec<Draw>,
    /// All events so far, if the caller asked to record them.
    pub(super) heard: Option<Events>,
    /// Parts of the next [`Step`], if the caller replays the game step by step.
    pub(super) telling: Option<Telling>,
}

impl Scribe {
    /// Starts a game at this table. `filled` holds the text of the tags.
    pub(crate) fn new(table: Table, names: Names, filled: String) -> Scribe {
        Scribe {
            table,
            names,
            filled,
            differences: Vec::new(),
            refused: Vec::new(),
            settlements: BTreeMap::new(),
            next_roll: 1,
            announced: None,
            pending: String::new(),
            draws: Vec::new(),
            heard: None,
            telling: None,
        }
    }

    /// Plays one line.
    pub(crate) fn line(&mut self, line: &Line) -> Result<(), Unplayable> {
        match line {
            Line::Roll(roll) => self.roll(roll)?,
            Line::Shooter { place, seat, decisions_only, refused } => {
                self.shooter(*place, *seat, *decisions_only, *refused)
            }
            Line::End { place, rails } => self.end(*place, rails),
            Line::Open { place, bets } => self.open(*place, bets),
            Line::Procedure { place, text, act, refused } => self.procedure(*place, text, act, *refused),
            Line::Comment(text) => {
                self.pending.push_str(&format!("{{{text}}}\n"));
                if let Some(telling) = &mut self.telling {
                    telling.notes.push(text.clone());
                }
            }
        }
        Ok(())
    }

    /// Runs a command between two rolls with [`Scribe::attempt`], and records it for the next step.
    fn act(
        &mut self,
        place: Place,
        what: &str,
        actor: Actor,
        command: &Command,
        said_refused: bool,
        asserted: bool,
    ) -> Option<Vec<Event>> {
        let words = self.telling.is_some().then(|| words(&self.table, command));
        let came_in = self.table.accounts().came_in;
        let done = self.attempt(place, what, actor, command, said_refused, asserted);
        if let Some(words) = words {
            let more = self.table.accounts().came_in.minus(came_in).unwrap_or_default();
            if let (Some(telling), Some(seat)) = (&mut self.telling, command.seat()) {
                let brought = telling.brought.entry(seat).or_default();
                *brought = brought.plus(more).unwrap_or(*brought);
            }
            let refused = self.refused.last().filter(|_| done.is_none()).map(|refused| refused.refusal.clone());
            let bet = command.slot().map(|slot| self.table.board().slot(slot).code.clone());
            let (seat, text) = (command.seat(), what.to_owned());
            let commission = done.as_deref().map_or(Money::ZERO, commission);
            let adds = matches!(command, Command::Bet { .. });
            self.tell(Acted { place, seat, bet, adds, text, words, commission, doubtful: false, refused });
        }
        done
    }

    fn tell(&mut self, act: Acted) {
        if let Some(telling) = &mut self.telling {
            telling.acts.push(act);
        }
    }

    /// Runs a command. Records a refusal, and a difference if the file says otherwise.
    fn attempt(
        &mut self,
        place: Place,
        what: &str,
        actor: Actor,
        command: &Command,
        said_refused: bool,
        asserted: bool,
    ) -> Option<Vec<Event>> {
        match self.table.run(actor, command) {
            Ok(events) => {
                if let Some(heard) = &mut self.heard {
                    heard.extend(events.iter().cloned());
                }
                if said_refused && asserted {
                    self.differ(place, "accepted", "!refused", &Cites::default());
                }
                Some(events)
            }
            Err(refusal) => {
                if !said_refused && asserted {
                    self.differ(place, &format!("{what}!refused ({})", refusal.sentence()), what, refusal.cites());
                }
                self.refused.push(Refused { place, what: what.to_owned(), refusal });
                None
            }
        }
    }

    pub(super) fn differ(&mut self, place: Place, expected: &str, found: &str, cites: &Cites) {
        let roll = Some(self.next_roll);
        self.differences.push(Difference {
            place,
            roll,
            expected: expected.to_owned(),
            found: found.to_owned(),
            cites: cites.clone(),
        });
    }

    fn shooter(&mut self, place: Place, seat: Option<SeatId>, decisions_only: bool, refused: bool) {
        let same = self.table.shooter() == Some(seat.map_or(Shooter::Dealer, Shooter::Seat))
            && !decisions_only
            && self.table.phase() != Phase::ComeDecisionOnly;
        if same {
            // Naming the current shooter again changes nothing and can't be refused.
            if refused {
                self.differ(place, "accepted", "!refused", &Cites::default());
            }
            return;
        }
        let who = self.shooter_word(Shooter::at(seat));
        let what = format!("# shooter {who}{}", if decisions_only { " decisions-only" } else { "" });
        let done = self.act(
            place,
            &what,
            Actor::staff(Role::Stick),
            &Command::TakeDice { seat, decisions_only },
            refused,
            true,
        );
        if done.is_none() {
            // Print the refusal before the line that names the real shooter.
            let pending = std::mem::take(&mut self.pending);
            self.filled.push_str(&format!("{pending}{what} !refused\n"));
        } else {
            // The file names the shooter here, so print the line here, before the lines that wait for the roll.
            self.filled.push_str(&format!("{what}\n"));
            self.announced = Some(seat.map_or(Shooter::Dealer, Shooter::Seat));
        }
    }

    fn procedure(&mut self, place: Place, text: &str, act: &Act, refused: bool) {
        let staff = |role: Role| Actor::staff(role);
        let command = match act {
            Act::Draw(selection) => {
                let selection = selection.iter().map(|(wager, level)| (*wager, level - 1)).collect();
                self.draws.push((place, selection, text.to_owned(), refused));
                return;
            }
            Act::Join(seat, name, money) => {
                (staff(Role::Box), Command::Join { seat: *seat, name: name.clone(), money: *money })
            }
            Act::BuyIn(seat, money) => (Actor::player(*seat), Command::BuyIn { seat: *seat, money: *money }),
            Act::Leave(seat) => (Actor::player(*seat), Command::Leave { seat: *seat }),
            Act::Withdraw(seat) => (Actor::player(*seat), Command::Withdraw { seat: *seat }),
            Act::Nominate(seat, shooter) => {
                (Actor::player(*seat), Command::Nominate { seat: *seat, shooter: *shooter })
            }
            Act::Does(action) => {
                let text = self.action(&Action { refused, ..(**action).clone() }, true);
                self.pending.push_str(&format!("{}\n", line_of(action.seat, &text)));
                return;
            }
            Act::PassDice => (staff(Role::Player), Command::PassDice),
            Act::OrderOff(role, ground) => (staff(*role), Command::OrderOff { ground: *ground }),
            Act::NoRoll(role, reason) => (staff(*role), Command::NoRoll { reason: *reason, caller: Some(*role) }),
            Act::Rule(role, seat, amount, reason) => {
                (staff(*role), Command::Rule { seat: *seat, amount: *amount, reason: reason.clone() })
            }
            Act::Noted => {
                self.pending.push_str(&format!("{text}\n"));
                let words = text.trim_start_matches('@').to_owned();
                let (text, commission, doubtful) = (text.to_owned(), Money::ZERO, false);
                let (seat, bet, adds) = (None, None, false);
                self.tell(Acted { place, seat, bet, adds, text, words, commission, doubtful, refused: None });
                return;
            }
        };
        let done = self.act(place, text, command.0, &command.1, refused, true);
        let mark = if done.is_none() { "!refused" } else { "" };
        self.pending.push_str(&format!("{text}{mark}\n"));
        if matches!(act, Act::PassDice | Act::OrderOff(..)) && done.is_some() {
            self.announced = None;
        }
        if matches!(
            act,
            Act::PassDice | Act::OrderOff(..) | Act::Nominate(..) | Act::Withdraw(_) | Act::Join(..) | Act::Leave(_)
        ) {
            // These lines must be printed before the line that names the next shooter.
            let pending = std::mem::take(&mut self.pending);
            self.filled.push_str(&pending);
        }
    }

    fn roll(&mut self, roll: &Roll) -> Result<(), Unplayable> {
        if roll.number != self.next_roll {
            return Err(Unplayable::Malformed(
                roll.place,
                format!("expected roll {}, found {}", self.next_roll, roll.number),
            ));
        }
        let asserted = roll.results.is_some();
        let actions: Vec<String> = roll.actions.iter().map(|action| self.action(action, asserted)).collect();
        self.draw();
        let before = self.telling.is_some().then(|| (self.table.clone(), self.refused.len()));
        let phase = self.table.phase();
        let (dice_text, results, shooter, mark) = match &roll.dice {
            Dice::NoRoll { reason, written, caller, refused } => {
                let caller_text = caller.map(|role| format!(",{}", role.name())).unwrap_or_default();
                let text = if *written { format!("NR({}{caller_text})", reason.name()) } else { "NR".to_owned() };
                let command = Command::NoRoll { reason: *reason, caller: *caller };
                let done = self.attempt(
                    roll.dice_place,
                    &text,
                    Actor::staff(caller.unwrap_or(Role::Stick)),
                    &command,
                    *refused,
                    asserted,
                );
                // Announce the shooter as the table knows it now: a refused call doesn't move the dice.
                self.announce_as(self.table.shooter());
                if asserted && roll.mark.is_some() {
                    self.differ(
                        roll.dice_place,
                        &text,
                        &format!("{text}{}", roll.mark.unwrap_or_default()),
                        &Cites::default(),
                    );
                }
                let text = if done.is_some() { text } else { format!("{text}!refused") };
                (text, Vec::new(), self.table.shooter(), None)
            }
            Dice::Thrown { dice, text, refused } => {
                let command = Command::Throw { dice: *dice };
                let before = self.table.shooter();
                match self.attempt(roll.dice_place, text, Actor::staff(Role::Stick), &command, *refused, asserted) {
                    None => {
                        self.announce_as(self.table.shooter());
                        (format!("{text}!refused"), Vec::new(), self.table.shooter(), None)
                    }
                    Some(events) => {
                        let taken = events.iter().find_map(|event| match event {
                            Event::DiceTaken { seat, .. } => Some(seat.map_or(Shooter::Dealer, Shooter::Seat)),
                            _ => None,
                        });
                        let shooter = taken.or(before);
                        self.announce_as(shooter);
                        let mark = mark(phase, *dice, self.table.rules().points);
                        if asserted && roll.mark != mark {
                            let show =
                                |mark: Option<char>| format!("{text}{}", mark.map(String::from).unwrap_or_default());
                            self.differ(roll.dice_place, &show(mark), &show(roll.mark), &Cites::default());
                        }
                        let settled = explained(self.table.board(), &events, phase, *dice);
                        if self.table.shooter().is_none() {
                            self.announced = None;
                        }
                        (format!("{text}{}", mark.map(String::from).unwrap_or_default()), settled, shooter, mark)
                    }
                }
            }
        };
        if let Some(written) = &roll.results {
            self.compare(roll, written, &results);
        }
        let mut line = format!("{}.", roll.number);
        for action in &actions {
            line.push_str(&format!(" {action}"));
        }
        line.push_str(&format!(" | {dice_text} |"));
        for one in &results {
            line.push_str(&format!(" {}", self.result_text(one)));
        }
        for comment in &roll.comments {
            line.push_str(&format!(" {{{comment}}}"));
        }
        self.filled.push_str(&line);
        self.filled.push('\n');
        if let (Some(telling), Some((before, refusals))) = (&mut self.telling, before) {
            let (acts, mut notes) = (std::mem::take(&mut telling.acts), std::mem::take(&mut telling.notes));
            notes.extend_from_slice(&roll.comments);
            let refused = self.refused.get(refusals).map(|refused| refused.refusal.clone());
            let results = results.clone();
            telling.step = Some(Step { acts, before, shooter, mark, results, refused, notes });
        }
        self.settlements.insert(roll.number, results);
        self.next_roll += 1;
        Ok(())
    }

    /// Makes the draws that waited for the actions of the roll.
    pub(crate) fn draw(&mut self) {
        for (place, selection, text, refused) in std::mem::take(&mut self.draws) {
            let done = self.act(place, &text, Actor::staff(Role::Machine), &Command::Draw { selection }, refused, true);
            let mark = if done.is_none() { "!refused" } else { "" };
            self.pending.push_str(&format!("{text}{mark}\n"));
        }
    }

    /// Prints the `# shooter` line when a hand begins, then the lines that wait for the roll.
    fn announce_as(&mut self, shooter: Option<Shooter>) {
        if let Some(shooter) = shooter.filter(|shooter| self.announced != Some(*shooter)) {
            let who = self.shooter_word(shooter);
            self.filled.push_str(&format!("# shooter {who}\n"));
            self.announced = Some(shooter);
        }
        let pending = std::mem::take(&mut self.pending);
        self.filled.push_str(&pending);
    }

    /// Returns the word for a shooter: a seat, or the role that rolls for the house.
    pub(crate) fn shooter_word(&self, shooter: Shooter) -> String {
        match shooter {
            Shooter::Seat(seat) => seat.to_string(),
            Shooter::Dealer => self.table.house_roller().unwrap_or(Role::Dealer).name().to_owned(),
        }
    }

    /// Returns the text of an action in three parts: seat and bet, the operation, and how it was made (`!late`, `!cash`, `!coupon`).
    fn asked(&self, action: &Action) -> (String, String, String) {
        let head = format!("{}:{}", action.seat, self.name(&action.bet));
        let op = match action.op {
            Op::Add(amount, _) => format!("+{amount}"),
            Op::Remove(amount, _) => format!("-{amount}"),
            Op::Call(called) => format!("!{}", call_word(called)),
            Op::Tell(after_win) => format!("!{}", tell_word(after_win)),
        };
        let mut manner = String::new();
        if let Some(roles) = &action.late {
            manner.push_str(&format!("!late({})", roles.iter().map(|role| role.name()).collect::<Vec<_>>().join(",")));
        }
        for (word, amount) in [("cash", action.cash), ("coupon", action.coupon)] {
            if let Some(amount) = amount {
                manner.push_str(&format!("!{word}({amount})"));
            }
        }
        (head, op, manner)
    }

    /// Returns the text of an action in one piece.
    pub(crate) fn asked_text(&self, action: &Action) -> String {
        let (head, op, manner) = self.asked(action);
        format!("{head}{op}{manner}")
    }

    /// Runs an action and returns its filled-in text, with commission or `!refused`.
    pub(crate) fn action(&mut self, action: &Action, asserted: bool) -> String {
        let seat = action.seat;
        let (head, op, manner) = self.asked(action);
        let written = match action.op {
            Op::Add(_, commission) | Op::Remove(_, commission) => commission,
            Op::Call(_) | Op::Tell(_) => None,
        };
        let doubt = if action.doubtful { "?" } else { "" };
        let what = format!("{head}{op}{manner}");
        let events = match self.table.board().find(action.bet.wager, action.bet.number) {
            Some(slot) => {
                let command = command(action, slot);
                let command = match (&command, &action.late) {
                    (Command::Bet { .. }, _) | (_, None) => command,
                    (_, Some(_)) => Command::InFlight { command: Box::new(command) },
                };
                self.act(action.place, &what, Actor::player(seat), &command, action.refused, asserted)
            }
            None => {
                let refusal = self.not_offered(&action.bet);
                if !action.refused && asserted {
                    self.differ(
                        action.place,
                        &format!("{what}!refused ({})", refusal.sentence()),
                        &what,
                        refusal.cites(),
                    );
                }
                let (place, refused) = (action.place, Some(refusal.clone()));
                let (text, name) = (what.clone(), bet_name(&action.bet));
                let words = match action.op {
                    Op::Add(amount, _) => format!("{name} for {amount}"),
                    Op::Remove(amount, _) => format!("take {amount} off {name}"),
                    Op::Call(_) | Op::Tell(_) => format!("{name} {op}"),
                };
                let (seat, bet) = (Some(seat), Some(self.name(&action.bet)));
                let (commission, adds) = (Money::ZERO, matches!(action.op, Op::Add(..)));
                self.tell(Acted { place, seat, bet, adds, text, words, commission, doubtful: false, refused });
                self.refused.push(Refused { place, what: what.clone(), refusal });
                None
            }
        };
        if let Some(act) = self.telling.as_mut().and_then(|telling| telling.acts.last_mut()) {
            act.doubtful = action.doubtful;
        }
        let Some(events) = events else { return format!("{what}!refused{doubt}") };
        let commission = commission(&events);
        if let Some(written) = written.filter(|written| *written != commission) {
            self.differ(
                action.place,
                &format!("{head}{op}v{commission}"),
                &format!("{head}{op}v{written}"),
                &Cites::default(),
            );
        }
        let charge = if commission == Money::ZERO { String::new() } else { format!("v{commission}") };
        format!("{head}{op}{charge}{manner}{doubt}")
    }

    fn not_offered(&self, bet: &BetName) -> Refusal {
        self.table.not_offered(bet.wager)
    }

    pub(super) fn slot_name(&self, slot: SlotId) -> &str {
        let place = self.table.board().slot(slot);
        match self.names {
            Names::Codes => &place.code,
            Names::Slugs => &place.name,
        }
    }

    pub(super) fn name(&self, bet: &BetName) -> String {
        if let Some(slot) = self.table.board().find(bet.wager, bet.number) {
            return self.slot_name(slot).to_owned();
        }
        let names = bet.wager.wager().names();
        let own = names.into_iter().find(|name| name.number == bet.number);
        own.map_or_else(|| bet.wager.to_string(), |name| if self.names == Names::Codes { name.code } else { name.slug })
    }

    pub(super) fn result_text(&self, one: &Explained) -> String {
        format!("{}:{}{}", one.seat, self.slot_name(one.slot), outcome_text(&self.outcome(one)))
    }

    pub(super) fn outcome(&self, one: &Explained) -> Outcome {
        match one.verdict {
            Verdict::Won { paid, commission, .. } => Outcome::Won(paid, commission),
            Verdict::Lost => Outcome::Lost(one.bet.stake),
            Verdict::Returned | Verdict::Credited { .. } => Outcome::Returned,
            Verdict::Moved { to } => self.table.board().slot(to).number.map_or(Outcome::Returned, Outcome::Moved),
        }
    }

    fn standing(&self) -> Vec<(SeatId, SlotId, Money)> {
        let mut all: Vec<(SeatId, SlotId, Money)> = self
            .table
            .seats()
            .flat_map(|(seat, player)| {
                self.table
                    .board()
                    .slots()
                    .filter_map(move |(slot, _)| player.bets.get(slot).map(|bet| (seat, slot, bet.stake)))
            })
            .collect();
        all.sort_by_key(|(seat, slot, _)| order(self.table.board(), *seat, *slot));
        all
    }

    pub(super) fn open_text(&self) -> String {
        self.standing()
            .iter()
            .map(|(seat, slot, stake)| format!("{seat}:{}+{stake}", self.slot_name(*slot)))
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Returns the lines that close the game: lines that wait for a roll, everyone's chips, and the bets still up.
    pub(crate) fn closing(&self) -> String {
        let rails: Vec<String> = self.table.seats().map(|(seat, player)| format!("{seat}:{}", player.rail)).collect();
        let open = self.open_text();
        let open = if open.is_empty() { open } else { format!("# open {open}\n") };
        format!("{}# end {}\n{open}", self.pending, rails.join(" "))
    }

    /// Ends the game and returns its outcome.
    pub(super) fn played(self) -> Played {
        Played {
            filled: format!("{}{}", self.filled, self.closing()),
            rules: Some(self.table.rules().clone()),
            differences: self.differences,
            refused: self.refused,
            settlements: self.settlements,
        }
    }
}

/// Returns the commission taken with a bet, or refunded when it came down.
fn commission(events: &[Event]) -> Money {
    let charge = events.iter().find_map(|event| match event {
        Event::BetPlaced { commission, .. } => Some(*commission),
        Event::TakenDown { refunded, .. } => Some(*refunded),
        _ => None,
    });
    charge.unwrap_or_default()
}

/// Returns the settlements of a roll in the order in which results are printed.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::{action, explained};
/// use craps_table::{Actor, Command, Role};
/// let (_, bet) = action(session.table(), "1:P+10").unwrap();
/// session.command(&bet)?;
/// let (mut table, dice) = (session.table().clone(), "5-6".parse()?);
/// let phase = table.phase();
/// let events = table.run(Actor::staff(Role::Stick), &Command::Throw { dice })?;
/// assert_eq!(explained(table.board(), &events, phase, dice).len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn explained(layout: &Board, events: &[Event], phase: Phase, dice: Throw) -> Vec<Explained> {
    let mut all: Vec<Explained> = events
        .iter()
        .filter_map(|event| match event {
            Event::Settled { seat, slot, bet, verdict, after } => {
                Some(Explained { seat: *seat, slot: *slot, bet: *bet, verdict: *verdict, after: *after, phase, dice })
            }
            _ => None,
        })
        .collect();
    all.sort_by_key(|one| order(layout, one.seat, one.slot));
    all
}

/// Sort key: by seat, then by slot, with odds right after their bet.
fn order(layout: &Board, seat: SeatId, slot: SlotId) -> (SeatId, usize, bool) {
    let front = layout.slot(slot).front;
    (seat, front.unwrap_or(slot).index(), front.is_some())
}

/// Turns the text of an action into a line of its own, such as `@seat 3 does PL6-12`.
pub(crate) fn line_of(seat: SeatId, action: &str) -> String {
    format!("@seat {seat} does {}", action.split_once(':').map_or(action, |(_, action)| action))
}

/// Turns an action into a command for the table.
pub(crate) fn command(action: &Action, slot: SlotId) -> Command {
    let seat = action.seat;
    let manner = || Manner { late: action.late.clone(), cash: action.cash, coupon: action.coupon };
    match action.op {
        Op::Add(amount, _) => Command::Bet { seat, slot, amount, manner: manner() },
        Op::Remove(amount, _) => Command::TakeDown { seat, slot, amount },
        Op::Call(called) => Command::Call { seat, slot, called },
        Op::Tell(after_win) => Command::Tell { seat, slot, after_win },
    }
}

pub(super) fn outcome_text(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Won(paid, Money::ZERO) => format!("=w{paid}"),
        Outcome::Won(paid, commission) => format!("=w{paid}v{commission}"),
        Outcome::Lost(stake) => format!("=l{stake}"),
        Outcome::Returned => "=t".to_owned(),
        Outcome::Moved(number) => format!(">{number}"),
    }
}

fn call_word(called: Called) -> &'static str {
    match called {
        Called::On => "on",
        Called::Off => "off",
        Called::Standard => "std",
    }
}

fn tell_word(after_win: AfterWin) -> &'static str {
    match after_win {
        AfterWin::Up => "up",
        AfterWin::Down => "down",
        AfterWin::Usual => "std",
    }
}

/// Returns the mark of a roll, which shows what it did to the line: `^` point set, `*` point made, `%` seven-out, `+` come-out winner, `~` come-out
/// craps.
///
/// ```
/// use craps_notation::mark;
/// use craps_wagers::{Phase, Points};
/// assert_eq!(mark(Phase::ComeOut, "4-2".parse()?, Points::Box), Some('^'));
/// assert_eq!(mark(Phase::ComeOut, "6-6".parse()?, Points::Box), Some('~'));
/// # Ok::<(), craps_dice::NotDice>(())
/// ```
#[must_use]
pub fn mark(phase: Phase, dice: Throw, points: Points) -> Option<char> {
    match phase {
        Phase::ComeDecisionOnly => None,
        Phase::ComeOut if points.set_by(dice.total()).is_some() => Some('^'),
        Phase::ComeOut if matches!(dice.total(), Total::Seven | Total::Eleven) => Some('+'),
        Phase::ComeOut => Some('~'),
        Phase::Point(_) if phase.is_made_by(dice) => Some('*'),
        Phase::Point(_) if phase.is_lost_by(dice) => Some('%'),
        Phase::Point(_) => None,
    }
}
