//! A game in progress: the table, the actions since the last roll, and the text of the whole game.
//!
//! Every way to play (keys, talk, a pipe, a bot) uses a session, so the same game always gives the same text. The code that fills in game
//! files also writes this text and reads it back.

use crate::game::{Act, Action, BetName, Dice, Game, Line, Op, Place, Roll, Tag};
use crate::play::{Explained, HouseFiles, Names, Scribe, Tags, Unplayable, command, line_of, mark, open};
use crate::read::{Malformed, read};
use craps_dice::Throw;
use craps_law::{Library, Lower};
use craps_money::{Money, Stake};
use craps_table::{
    Actor, Code, Command, Event, Locked, Manner, NoRollReason, PassGround, Refusal, Role, SeatId, Shooter, SlotId,
    State, Table,
};
use craps_wagers::{Family, Phase, WagerId};
use std::collections::BTreeMap;
use std::fmt;

/// Start of the comment at the end of a text that holds the actions since the last roll, and how older texts start it.
const NOT_YET_ROLLED: [&str; 2] = ["not yet rolled", "not yet thrown"];

/// Returns the actions in a comment that holds what was done since the last roll.
fn not_yet_rolled(comment: &str) -> Option<&str> {
    NOT_YET_ROLLED.iter().find_map(|start| comment.strip_prefix(start))
}

/// A game in progress.
///
/// ```
/// use craps_law::Library;
/// use craps_notation::Session;
/// use craps_table::{Command, Manner};
/// let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files).unwrap();
/// let slot = session.table().board().named("P").unwrap();
/// session.command(&Command::Bet { seat: 1, slot, amount: "10".parse()?, manner: Manner::default() }).unwrap();
/// session.throw("3-4".parse().unwrap()).unwrap();
/// assert!(session.text().ends_with("1. 1:P+10 | 3-4+ | 1:P=w10\n# end 1:110\n"));
/// # Ok::<(), craps_money::NotMoney>(())
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    /// The game up to the last roll.
    scribe: Scribe,
    tags: Tags,
    /// The table with everything done since then.
    table: Table,
    /// Orders since the last roll. An order is carried out whole and undone whole.
    orders: Vec<Vec<Done>>,
    undone: Vec<Vec<Done>>,
    /// For each seat, the bets it made before the latest roll for which it made any.
    last_bets: BTreeMap<SeatId, Vec<Action>>,
}

/// Something done between two rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Done {
    Action(Action),
    Line(Line),
}

/// A roll that counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Rolled {
    /// The number of the roll.
    pub number: u32,
    /// The numbers on the two dice.
    pub dice: Throw,
    /// The phase before the roll.
    pub phase: Phase,
    /// The mark after the dice, which shows what the roll did to the line, such as `^` for a point set.
    pub mark: Option<char>,
    /// Who rolled the dice.
    pub shooter: Option<Shooter>,
    /// The bets it decided, in the order in which results are printed.
    pub results: Vec<Explained>,
}

/// Why a game can't be resumed from its text.
#[derive(Debug, Clone, PartialEq)]
pub enum NotResumed {
    /// The text can't be parsed.
    Malformed(Malformed),
    /// The game can't be played.
    Unplayable(Unplayable),
    /// The text contradicts the rules: position, what is right, and what the text says.
    Differs(Place, String, String),
}

impl fmt::Display for NotResumed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotResumed::Malformed(error) => error.fmt(f),
            NotResumed::Unplayable(error) => error.fmt(f),
            NotResumed::Differs(Place { line, column }, right, found) => {
                write!(f, "line {line}, column {column}: expected {right}, found {found}")
            }
        }
    }
}

impl std::error::Error for NotResumed {}

impl Session {
    /// Opens a game with these tags. The `CGN` tag is added.
    ///
    /// # Errors
    /// When a tag is malformed or the house rules are unlawful.
    pub fn open(library: &Library, tags: &[(&str, &str)], houses: HouseFiles<'_>) -> Result<Session, Unplayable> {
        let place = Place { line: 1, column: 1 };
        let tag = |(name, text): &(&str, &str)| Tag { place, name: (*name).to_owned(), text: (*text).to_owned() };
        let tags = std::iter::once(&("CGN", "1")).chain(tags).map(tag).collect();
        Session::at(library, &Game { place, tags, lines: Vec::new() }, houses)
    }

    /// Opens a new session with the tags of a game.
    fn at(library: &Library, game: &Game, houses: HouseFiles<'_>) -> Result<Session, Unplayable> {
        let header = game.tags.iter().map(|tag| format!("[{} \"{}\"]\n", tag.name, tag.text)).collect();
        let tags: Tags = game.tags.iter().map(|tag| (tag.name.clone(), tag.clone())).collect();
        let scribe = Scribe::new(open(library, game, &tags, houses)?, Names::Codes, header);
        let table = scribe.table.clone();
        Ok(Session { scribe, tags, table, orders: Vec::new(), undone: Vec::new(), last_bets: BTreeMap::new() })
    }

    /// Begins anew at another position of the same table: the text is empty and the rolls go on from the same number. Games are audited in parts
    /// this way.
    pub fn begin_at(&mut self, state: &State) {
        self.table = self.table.clone().with_state(state.clone());
        let next = self.scribe.next_roll;
        self.scribe = Scribe::new(self.table.clone(), Names::Codes, String::new());
        self.scribe.next_roll = next;
        self.orders.clear();
        self.undone.clear();
        self.last_bets.clear();
    }

    /// Resumes the first game of a text. Actions since the last roll are carried out again.
    ///
    /// ```
    /// # use craps_law::Library;
    /// # use craps_notation::Session;
    /// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
    /// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
    /// # use craps_notation::action;
    /// let (_, bet) = action(session.table(), "1:P+10").unwrap();
    /// session.command(&bet)?;
    /// session.throw("4-2".parse()?)?;
    /// let again = Session::resume(&Library::shipped(), &session.text(), &craps_notation::no_house_files)?;
    /// assert_eq!((again.next_roll(), again.text()), (2, session.text()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text can't be parsed or played, or contradicts the rules.
    pub fn resume(library: &Library, text: &str, houses: HouseFiles<'_>) -> Result<Session, NotResumed> {
        let games = read(text).map_err(NotResumed::Malformed)?;
        let Some(game) = games.first() else {
            let message = "expected a game".to_owned();
            return Err(NotResumed::Malformed(Malformed { place: Place { line: 1, column: 1 }, message }));
        };
        let mut session = Session::at(library, game, houses).map_err(NotResumed::Unplayable)?;
        let mut open = None;
        for line in &game.lines {
            match line {
                Line::Comment(text) if not_yet_rolled(text).is_some() => open = not_yet_rolled(text),
                line => {
                    session.remember(line);
                    session.scribe.line(line).map_err(NotResumed::Unplayable)?;
                }
            }
        }
        if let Some(first) = session.scribe.differences.first() {
            return Err(NotResumed::Differs(first.place, first.expected.clone(), first.found.clone()));
        }
        session.table = session.scribe.table.clone();
        if let Some(text) = open {
            session.take_up(text).map_err(NotResumed::Malformed)?;
        }
        Ok(session)
    }

    /// Carries out again the actions since the last roll. The text is parsed as if it were the next roll.
    fn take_up(&mut self, text: &str) -> Result<(), Malformed> {
        let games = read(&format!("[CGN \"1\"]\n{text} | 1-1\n"))?;
        for line in games.into_iter().flat_map(|game| game.lines) {
            match line {
                Line::Roll(roll) => {
                    self.orders.extend(roll.actions.into_iter().map(|action| vec![Done::Action(action)]));
                }
                line => self.orders.push(vec![Done::Line(line)]),
            }
        }
        self.table = self.tried(&self.orders).map_err(|refusal| Malformed {
            place: Place { line: 1, column: 1 },
            message: format!("the actions since the last roll can't be repeated: {refusal}"),
        })?;
        Ok(())
    }

    /// Returns the table, including the actions since the last roll.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns the text of a tag, or None if the game doesn't have it.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(|tag| tag.text.as_str())
    }

    /// Returns the number of the next roll.
    #[must_use]
    pub fn next_roll(&self) -> u32 {
        self.scribe.next_roll
    }

    /// Returns the bets that a roll decided, in the order in which results are printed.
    #[must_use]
    pub fn results(&self, roll: u32) -> &[Explained] {
        self.scribe.settlements.get(&roll).map_or(&[], Vec::as_slice)
    }

    /// Returns the filled-in text of the game so far. Actions since the last roll are in a comment at the end.
    #[must_use]
    pub fn text(&self) -> String {
        let text = format!("{}{}", self.scribe.filled, self.scribe.closing());
        if self.orders.is_empty() {
            return text;
        }
        let (lines, actions) = self.in_order(&self.orders);
        let lines: String = lines.iter().map(|line| format!("{}\n", self.line_text(line))).collect();
        let actions: Vec<String> = actions.iter().map(|action| self.scribe.asked_text(action)).collect();
        format!("{text}{{{}\n{lines}{}. {}}}\n", NOT_YET_ROLLED[0], self.next_roll(), actions.join(" "))
    }

    /// Carries out a player's command between two rolls: bets, calls, chips, seats, and who has the dice.
    ///
    /// # Errors
    /// When the table refuses it; then nothing has changed.
    pub fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        self.order(std::slice::from_ref(command))
    }

    /// Carries out several commands as one order: all of them, or none.
    ///
    /// # Errors
    /// When the table refuses one of them; then nothing has changed.
    pub fn order(&mut self, commands: &[Command]) -> Result<(), Refusal> {
        let mut order = Vec::with_capacity(commands.len());
        for command in commands {
            order.push(self.as_done(command).ok_or_else(|| self.not_for_players(command))?);
        }
        if order.is_empty() {
            return Ok(());
        }
        let mut all = self.orders.clone();
        all.push(order);
        self.table = self.tried(&all)?;
        self.orders = all;
        self.undone.clear();
        Ok(())
    }

    /// Carries out a command of the staff at a table with a human crew, if games record it: an order to pass the dice, a ruling, new dice. Other
    /// staff commands are implied and leave no line.
    ///
    /// # Errors
    /// When the table refuses it; then nothing has changed.
    pub fn staff(&mut self, role: Role, command: &Command) -> Result<(), Refusal> {
        let name = role.name();
        let (text, act) = match command {
            // Logs from before grounds were kept don't say why.
            Command::OrderPass => (format!("@{name} pass-dice delay"), Act::OrderOff(role, PassGround::Delay)),
            Command::OrderOff { ground } => {
                (format!("@{name} pass-dice {}", ground.name()), Act::OrderOff(role, *ground))
            }
            Command::Rule { seat, amount, reason } => {
                let sign = if *amount < Money::ZERO { "" } else { "+" };
                // A quotation mark would end the reason early.
                let reason = reason.replace('"', "'");
                (format!("@{name} rule {seat}:{sign}{amount} \"{reason}\""), Act::Rule(role, *seat, *amount, reason))
            }
            Command::NewDice { reason, .. } => (format!("@{name} new-dice {}", reason.name()), Act::Noted),
            _ => return Ok(()),
        };
        let place = Place { line: 1, column: 1 };
        let mut all = self.orders.clone();
        all.push(vec![Done::Line(Line::Procedure { place, text, act, refused: false })]);
        self.table = self.tried(&all)?;
        self.orders = all;
        self.undone.clear();
        Ok(())
    }

    /// Returns the table's refusal of a command that only the crew may give. The crew of a session is automatic.
    fn not_for_players(&self, command: &Command) -> Refusal {
        let refused = self.table.decide(Actor::staff(Role::Player), command, &mut Vec::new());
        refused.err().unwrap_or_else(|| Refusal::procedure(Code::CrewOnly))
    }

    /// Makes a draw before the roll: wagers and their levels, counted from zero. Betting is closed after the draw.
    ///
    /// # Errors
    /// When the table refuses it; then nothing has changed.
    pub fn draw(&mut self, selection: &[(WagerId, usize)]) -> Result<(), Refusal> {
        self.command(&Command::Draw { selection: selection.to_vec() })
    }

    /// Undoes the latest order since the last roll and returns its commands. Returns an empty list if there is none.
    ///
    /// ```
    /// # use craps_law::Library;
    /// # use craps_notation::Session;
    /// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
    /// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
    /// # use craps_notation::action;
    /// let (_, bet) = action(session.table(), "1:P+10").unwrap();
    /// session.command(&bet)?;
    /// assert_eq!(session.undo()?, [bet]);
    /// assert_eq!(session.table().seat(1).unwrap().rail.to_string(), "100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the order made a side bet that the law doesn't allow to come down.
    pub fn undo(&mut self) -> Result<Vec<Command>, Refusal> {
        let Some((last, before)) = self.orders.split_last() else { return Ok(Vec::new()) };
        last.iter().try_for_each(|done| self.is_not_locked(done))?;
        self.table = self.tried(before)?;
        let last = self.orders.pop().unwrap_or_default();
        let commands = self.commands_of(&last);
        self.undone.push(last);
        Ok(commands)
    }

    /// Redoes the order that was undone last and returns its commands. Returns an empty list if there is none.
    ///
    /// # Errors
    /// When the table refuses it now.
    pub fn redo(&mut self) -> Result<Vec<Command>, Refusal> {
        let Some(next) = self.undone.last().cloned() else { return Ok(Vec::new()) };
        let commands = self.commands_of(&next);
        let mut all = self.orders.clone();
        all.push(next);
        self.table = self.tried(&all)?;
        self.orders = all;
        self.undone.pop();
        Ok(commands)
    }

    /// Undoes all orders of a seat about its bets since the last roll, except for side bets that the law locks. Returns the number of orders undone.
    ///
    /// # Errors
    /// When the remaining orders aren't possible without them.
    pub fn clear(&mut self, seat: SeatId) -> Result<usize, Refusal> {
        let goes = |done: &Done| {
            matches!(done, Done::Action(action) if action.seat == seat) && self.is_not_locked(done).is_ok()
        };
        let (gone, kept): (Vec<Vec<Done>>, Vec<Vec<Done>>) =
            self.orders.iter().cloned().partition(|order| order.iter().all(goes));
        self.table = self.tried(&kept)?;
        self.orders = kept;
        let count = gone.len();
        self.undone = gone.into_iter().rev().collect();
        Ok(count)
    }

    /// Returns commands that repeat the bets a seat made the last time it made any.
    #[must_use]
    pub fn repeated(&self, seat: SeatId) -> Vec<Command> {
        let layout = self.table.board();
        let bet = |action: &Action| {
            let slot = layout.find(action.bet.wager, action.bet.number)?;
            match action.op {
                Op::Add(amount, _) => Some(Command::Bet { seat, slot, amount, manner: Manner::default() }),
                _ => None,
            }
        };
        self.last_bets.get(&seat).into_iter().flatten().filter_map(bet).collect()
    }

    /// Rolls these dice.
    ///
    /// # Errors
    /// When the table refuses the roll; then nothing has changed and the roll is not written down.
    pub fn throw(&mut self, dice: Throw) -> Result<Rolled, Refusal> {
        let phase = self.table.phase();
        let number = self.scribe.next_roll;
        let before = self.table.shooter();
        let mut events = Vec::new();
        self.table.decide(Actor::staff(Role::Stick), &Command::Throw { dice }, &mut events)?;
        let taken = events.iter().find_map(|event| match event {
            Event::DiceTaken { seat, .. } => Some(seat.map_or(Shooter::Dealer, Shooter::Seat)),
            _ => None,
        });
        self.write(Dice::Thrown { dice, text: dice.to_string(), refused: false });
        let mark = mark(phase, dice, self.table.rules().points);
        let results = self.results(number).to_vec();
        Ok(Rolled { number, dice, phase, mark, shooter: taken.or(before), results })
    }

    /// Calls no roll.
    ///
    /// # Errors
    /// When the table refuses the call; then nothing has changed and nothing is written down.
    pub fn no_roll(&mut self, reason: NoRollReason, caller: Option<Role>) -> Result<(), Refusal> {
        let actor = Actor::staff(caller.unwrap_or(Role::Stick));
        self.table.decide(actor, &Command::NoRoll { reason, caller }, &mut Vec::new())?;
        self.write(Dice::NoRoll { reason, written: true, caller, refused: false });
        Ok(())
    }

    /// Writes down the actions since the last roll, and the dice.
    fn write(&mut self, dice: Dice) {
        let (lines, actions) = self.in_order(&self.orders);
        let place = Place { line: 1, column: 1 };
        let roll = Line::Roll(Roll {
            place,
            number: self.scribe.next_roll,
            actions,
            dice,
            dice_place: place,
            mark: None,
            results: None,
            results_place: place,
            comments: Vec::new(),
        });
        for line in lines.iter().chain([&roll]) {
            self.remember(line);
            // The only possible error is a wrong roll number, and this number is right.
            let _ = self.scribe.line(line);
        }
        self.table = self.scribe.table.clone();
        self.orders.clear();
        self.undone.clear();
    }

    /// Remembers the bets of a roll so that they can be repeated: bets made, minus bets taken down again before the roll.
    fn remember(&mut self, line: &Line) {
        let Line::Roll(roll) = line else { return };
        let mut by_seat: BTreeMap<SeatId, Vec<Action>> = BTreeMap::new();
        for action in roll.actions.iter().filter(|action| !action.refused) {
            let own = by_seat.entry(action.seat).or_default();
            let same = own.iter().position(|known| known.bet == action.bet);
            let before = same.map_or(Money::ZERO, |at| added(&own[at]));
            let now = match action.op {
                Op::Add(amount, _) => before.plus(amount.money()),
                Op::Remove(amount, _) => before.minus(amount.money()),
                Op::Call(_) | Op::Tell(_) => continue,
            };
            let now = now.and_then(Stake::new).map(|now| Action { op: Op::Add(now, None), ..action.clone() });
            match (same, now) {
                (Some(at), Some(now)) => own[at] = now,
                (Some(at), None) => {
                    own.remove(at);
                }
                (None, Some(now)) => own.push(now),
                (None, None) => {}
            }
        }
        self.last_bets.extend(by_seat.into_iter().filter(|(_, bets)| !bets.is_empty()));
    }

    /// Returns the table after the last roll with these orders applied, in the order in which they will be written.
    fn tried(&self, orders: &[Vec<Done>]) -> Result<Table, Refusal> {
        let mut scribe = Scribe::new(self.scribe.table.clone(), Names::Codes, String::new());
        let (lines, actions) = self.in_order(orders);
        for line in &lines {
            // Only a roll can fail, and these lines have none.
            let _ = scribe.line(line);
        }
        for action in &actions {
            scribe.action(action, false);
        }
        scribe.draw();
        match scribe.refused.into_iter().next() {
            Some(refused) => Err(refused.refusal),
            None => Ok(scribe.table),
        }
    }

    /// Puts lines before the actions of the roll, because they take effect first. The actions of a player who leaves, withdraws or is
    /// nominated become lines before that.
    fn in_order(&self, orders: &[Vec<Done>]) -> (Vec<Line>, Vec<Action>) {
        let (mut lines, mut actions) = (Vec::new(), Vec::<Action>::new());
        for one in orders.iter().flatten() {
            match one {
                Done::Action(action) => actions.push(action.clone()),
                Done::Line(line) => {
                    if let Line::Procedure {
                        act: Act::Leave(seat) | Act::Withdraw(seat) | Act::Nominate(_, seat),
                        ..
                    } = line
                    {
                        let (own, others) = actions.into_iter().partition(|action| action.seat == *seat);
                        actions = others;
                        lines.extend(Vec::into_iter(own).map(|action| self.as_line(action)));
                    }
                    lines.push(line.clone());
                }
            }
        }
        (lines, actions)
    }

    fn as_line(&self, action: Action) -> Line {
        let text = line_of(action.seat, &self.scribe.asked_text(&action));
        Line::Procedure { place: action.place, text, act: Act::Does(Box::new(action)), refused: false }
    }

    fn line_text(&self, line: &Line) -> String {
        match line {
            Line::Shooter { seat, decisions_only, .. } => {
                let who = self.scribe.shooter_word(Shooter::at(*seat));
                format!("# shooter {who}{}", if *decisions_only { " decisions-only" } else { "" })
            }
            Line::Procedure { text, .. } => text.clone(),
            _ => String::new(),
        }
    }

    fn is_not_locked(&self, done: &Done) -> Result<(), Refusal> {
        let Done::Action(Action { bet, op: Op::Add(..), .. }) = done else { return Ok(()) };
        let slot = self.table.board().find(bet.wager, bet.number);
        slot.and_then(|slot| lock(&self.table, slot)).map_or(Ok(()), Err)
    }

    /// Turns an order back into commands.
    fn commands_of(&self, order: &[Done]) -> Vec<Command> {
        let command = |done: &Done| match done {
            Done::Action(action) => {
                let slot = self.table.board().find(action.bet.wager, action.bet.number)?;
                Some(command(action, slot))
            }
            Done::Line(Line::Shooter { seat, decisions_only, .. }) => {
                Some(Command::TakeDice { seat: *seat, decisions_only: *decisions_only })
            }
            Done::Line(Line::Procedure { act, .. }) => match act {
                Act::Join(seat, name, money) => Some(Command::Join { seat: *seat, name: name.clone(), money: *money }),
                Act::BuyIn(seat, money) => Some(Command::BuyIn { seat: *seat, money: *money }),
                Act::Leave(seat) => Some(Command::Leave { seat: *seat }),
                Act::Does(action) => {
                    let slot = self.table.board().find(action.bet.wager, action.bet.number)?;
                    Some(command(action, slot))
                }
                Act::PassDice => Some(Command::PassDice),
                Act::Withdraw(seat) => Some(Command::Withdraw { seat: *seat }),
                Act::Nominate(seat, shooter) => Some(Command::Nominate { seat: *seat, shooter: *shooter }),
                Act::Draw(levels) => {
                    Some(Command::Draw { selection: levels.iter().map(|(wager, level)| (*wager, level - 1)).collect() })
                }
                _ => None,
            },
            Done::Line(_) => None,
        };
        order.iter().filter_map(command).collect()
    }

    /// Turns a player's command into what the game records. None for commands that only the crew gives.
    fn as_done(&self, command: &Command) -> Option<Done> {
        let place = Place { line: 1, column: 1 };
        let action = |seat: SeatId, slot: SlotId, op: Op| {
            let at = self.table.board().slot(slot);
            let bet = BetName { wager: at.wager, number: at.number };
            Action { place, seat, bet, op, late: None, cash: None, coupon: None, refused: false, doubtful: false }
        };
        let procedure = |text: String, act: Act| Some(Done::Line(Line::Procedure { place, text, act, refused: false }));
        match command {
            Command::Bet { seat, slot, amount, manner } => Some(Done::Action(Action {
                late: manner.late.clone(),
                cash: manner.cash,
                coupon: manner.coupon,
                ..action(*seat, *slot, Op::Add(*amount, None))
            })),
            Command::TakeDown { seat, slot, amount } => {
                Some(Done::Action(action(*seat, *slot, Op::Remove(*amount, None))))
            }
            Command::Call { seat, slot, called } => Some(Done::Action(action(*seat, *slot, Op::Call(*called)))),
            Command::Tell { seat, slot, after_win } => Some(Done::Action(action(*seat, *slot, Op::Tell(*after_win)))),
            Command::Join { seat, name, money } => {
                procedure(format!("@seat {seat} join {name} {money}"), Act::Join(*seat, name.clone(), *money))
            }
            Command::BuyIn { seat, money } => procedure(format!("@seat {seat} buy {money}"), Act::BuyIn(*seat, *money)),
            Command::Leave { seat } => procedure(format!("@seat {seat} leave"), Act::Leave(*seat)),
            Command::PassDice => procedure("@shooter pass-dice".to_owned(), Act::PassDice),
            Command::Withdraw { seat } => procedure(format!("@seat {seat} withdraws"), Act::Withdraw(*seat)),
            Command::Nominate { seat, shooter } => {
                procedure(format!("@seat {seat} nominates {shooter}"), Act::Nominate(*seat, *shooter))
            }
            Command::TakeDice { seat, decisions_only } => {
                Some(Done::Line(Line::Shooter { place, seat: *seat, decisions_only: *decisions_only, refused: false }))
            }
            Command::Draw { selection } => {
                let levels = selection.iter().map(|(wager, level)| format!("{wager}={}", level + 1));
                let text = format!("@rng {}", levels.collect::<Vec<_>>().join(" "));
                procedure(text, Act::Draw(selection.iter().map(|(wager, level)| (*wager, level + 1)).collect()))
            }
            _ => None,
        }
    }
}

/// Returns the law's refusal if a side bet in this slot can't come down once it is made. Players are asked to confirm such a bet first.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::lock;
/// let pass = session.table().board().named("pass").unwrap();
/// assert!(lock(session.table(), pass).is_none(), "only side bets are locked");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn lock(table: &Table, slot: SlotId) -> Option<Refusal> {
    let rules = table.board().rules(table.rules(), slot);
    let locked = rules.lower.is == Lower::Never && rules.wager.wager().family == Family::Shooter;
    let code = Code::Locked { bet: table.bet_at(slot), since: Locked::Made };
    locked.then(|| Refusal::law(&rules.lower.cites, code))
}

/// Error: a text is not an action at this table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NotAnAction {
    /// The text can't be read.
    Malformed(Malformed),
    /// The text is not exactly one action.
    NotOne(String),
    /// The table doesn't offer the wager.
    NotOffered(WagerId),
}

impl fmt::Display for NotAnAction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            // The place is in a game that was made up around the action.
            NotAnAction::Malformed(error) => f.write_str(&error.message),
            NotAnAction::NotOne(text) => write!(f, "expected one action such as 1:PL6+12, found `{text}`"),
            NotAnAction::NotOffered(wager) => write!(f, "this table doesn't offer {wager}"),
        }
    }
}

impl std::error::Error for NotAnAction {}

/// Reads one action of the notation, such as `1:PL6+12`. Returns its seat and the command for this table.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::action;
/// let (seat, command) = action(session.table(), "1:P+10").unwrap();
/// session.command(&command)?;
/// assert_eq!((seat, session.table().seat(1).unwrap().rail.to_string()), (1, "90".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When the text is not exactly one action, or this table doesn't offer the bet.
pub fn action(table: &Table, text: &str) -> Result<(SeatId, Command), NotAnAction> {
    let games = read(&format!("[CGN \"1\"]\n1. {text} | 1-1\n")).map_err(NotAnAction::Malformed)?;
    let mut lines = games.iter().flat_map(|game| &game.lines);
    let (Some(Line::Roll(roll)), None) = (lines.next(), lines.next()) else {
        return Err(NotAnAction::NotOne(text.to_owned()));
    };
    let [action] = &roll.actions[..] else {
        return Err(NotAnAction::NotOne(text.to_owned()));
    };
    let slot = table.board().find(action.bet.wager, action.bet.number);
    let slot = slot.ok_or(NotAnAction::NotOffered(action.bet.wager))?;
    Ok((action.seat, command(action, slot)))
}

/// Returns the amount that an action adds, or zero.
fn added(action: &Action) -> Money {
    match action.op {
        Op::Add(amount, _) => amount.money(),
        _ => Money::ZERO,
    }
}
