//! A game while it is being played: the table, what was done since the last throw, and the text of it all.
//!
//! Whatever plays (keys, talk, a pipe, a bot) plays a session, so that the same game is the same text whoever played it. The text is
//! written by the hand that fills games in, and read back by it.

use crate::game::{Act, Action, BetName, Dice, Game, Line, Op, Place, Roll, Tag};
use crate::play::{Explained, HouseFiles, Names, Scribe, Tags, Unplayable, command, line_of, mark, open};
use crate::read::{Malformed, read};
use craps_dice::Throw;
use craps_law::{Library, Lower};
use craps_money::{Money, Stake};
use craps_table::{
    Actor, Code, Command, Event, Locked, Manner, NoRollReason, Refusal, Role, SeatId, Shooter, SlotId, Table,
};
use craps_wagers::{Family, Phase, WagerId};
use std::collections::BTreeMap;
use std::fmt;

/// What opens the comment at the end of a text in which something was done since the last throw.
const NOT_YET_THROWN: &str = "not yet thrown";

/// A game that is being played.
///
/// ```
/// use craps_law::Library;
/// use craps_notation::Session;
/// use craps_table::{Command, Manner};
/// let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}"))).unwrap();
/// let slot = session.table().board().named("P").unwrap();
/// session.command(&Command::Bet { seat: 1, slot, amount: "10".parse()?, manner: Manner::default() }).unwrap();
/// session.throw("3-4".parse().unwrap()).unwrap();
/// assert!(session.text().ends_with("1. 1:P+10 | 3-4+ | 1:P=w10\n# end 1:110\n"));
/// # Ok::<(), craps_money::NotMoney>(())
/// ```
#[derive(Debug, Clone)]
pub struct Session {
    /// The game up to the last throw.
    scribe: Scribe,
    tags: Tags,
    /// The table with everything done since.
    table: Table,
    /// What was done since, order by order: an order is done whole and taken back whole.
    orders: Vec<Vec<Done>>,
    undone: Vec<Vec<Done>>,
    /// The bets each seat made before the last throw for which it made any.
    last_bets: BTreeMap<SeatId, Vec<Action>>,
}

/// Something done between two throws.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Done {
    Action(Action),
    Line(Line),
}

/// A throw that counted, or a call that it did not.
#[derive(Debug, Clone, PartialEq)]
pub struct Rolled {
    /// The number of the roll.
    pub number: u32,
    /// The dice.
    pub dice: Throw,
    /// The phase before it.
    pub phase: Phase,
    /// The mark behind the dice: what the throw did to the line.
    pub mark: Option<char>,
    /// Who threw.
    pub shooter: Option<Shooter>,
    /// What it decided, in the order in which results are printed.
    pub results: Vec<Explained>,
}

/// Why a text cannot be gone on with.
#[derive(Debug, Clone, PartialEq)]
pub enum NotResumed {
    /// It is no game.
    Malformed(Malformed),
    /// It cannot be played.
    Unplayable(Unplayable),
    /// It says other than the law: what is right, and what stands there.
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
    /// Opens a game with these tags; the version is added.
    ///
    /// # Errors
    /// When a tag is malformed or the house is unlawful.
    pub fn open(library: &Library, tags: &[(&str, &str)], houses: HouseFiles<'_>) -> Result<Session, Unplayable> {
        let place = Place { line: 1, column: 1 };
        let tag = |(name, text): &(&str, &str)| Tag { place, name: (*name).to_owned(), text: (*text).to_owned() };
        let tags = std::iter::once(&("CGN", "1")).chain(tags).map(tag).collect();
        Session::at(library, &Game { place, tags, lines: Vec::new() }, houses)
    }

    /// An untouched session with the tags of a game.
    fn at(library: &Library, game: &Game, houses: HouseFiles<'_>) -> Result<Session, Unplayable> {
        let header = game.tags.iter().map(|tag| format!("[{} \"{}\"]\n", tag.name, tag.text)).collect();
        let tags: Tags = game.tags.iter().map(|tag| (tag.name.clone(), tag.clone())).collect();
        let scribe = Scribe::new(open(library, game, &tags, houses)?, Names::Codes, header);
        let table = scribe.table.clone();
        Ok(Session { scribe, tags, table, orders: Vec::new(), undone: Vec::new(), last_bets: BTreeMap::new() })
    }

    /// Goes on with a game from its text: the first one in it. What had been done since the last throw is done again.
    ///
    /// ```
    /// # use craps_law::Library;
    /// # use craps_notation::Session;
    /// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
    /// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
    /// # use craps_notation::action;
    /// let (_, bet) = action(session.table(), "1:P+10").unwrap();
    /// session.command(&bet)?;
    /// session.throw("4-2".parse()?)?;
    /// let again = Session::resume(&Library::shipped(), &session.text(), &|name| Err(format!("no file {name}")))?;
    /// assert_eq!((again.next_roll(), again.text()), (2, session.text()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When it is no game, cannot be played, or says other than the law.
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
                Line::Comment(text) if text.starts_with(NOT_YET_THROWN) => open = Some(text),
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
            session.take_up(text.strip_prefix(NOT_YET_THROWN).unwrap_or(text)).map_err(NotResumed::Malformed)?;
        }
        Ok(session)
    }

    /// Does again what a text says was done since the last throw: it is read as the roll that it would have become.
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
            message: format!("what was not yet thrown cannot be done again: {refusal}"),
        })?;
        Ok(())
    }

    /// The table as it stands, with what was done since the last throw.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// The text of a tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.get(name).map(|tag| tag.text.as_str())
    }

    /// The number of the next roll.
    #[must_use]
    pub fn next_roll(&self) -> u32 {
        self.scribe.next_roll
    }

    /// What a roll decided, in the order in which results are printed.
    #[must_use]
    pub fn results(&self, roll: u32) -> &[Explained] {
        self.scribe.settlements.get(&roll).map_or(&[], Vec::as_slice)
    }

    /// The game so far, filled in; what was done since the last throw stands in a comment at its end.
    #[must_use]
    pub fn text(&self) -> String {
        let text = format!("{}{}", self.scribe.filled, self.scribe.closing());
        if self.orders.is_empty() {
            return text;
        }
        let (lines, actions) = self.in_order(&self.orders);
        let lines: String = lines.iter().map(|line| format!("{}\n", line_text(line))).collect();
        let actions: Vec<String> = actions.iter().map(|action| self.scribe.asked_text(action)).collect();
        format!("{text}{{{NOT_YET_THROWN}\n{lines}{}. {}}}\n", self.next_roll(), actions.join(" "))
    }

    /// Does what a player asks between two throws: bets, calls, chips, seats, and who has the dice.
    ///
    /// # Errors
    /// When it is refused; then nothing has changed.
    pub fn command(&mut self, command: &Command) -> Result<(), Refusal> {
        self.order(std::slice::from_ref(command))
    }

    /// Does several things that were asked for in one breath: all of them, or none.
    ///
    /// # Errors
    /// When one of them is refused; then nothing has changed.
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

    /// Does what somebody of the staff did at a table with a crew of people and what a game says of it: an order to give up the dice, a ruling,
    /// new dice. The staff's ordinary acts are implied and leave no line.
    ///
    /// # Errors
    /// When it is refused; then nothing has changed.
    pub fn staff(&mut self, role: Role, command: &Command) -> Result<(), Refusal> {
        let name = role.name();
        let (text, act) = match command {
            Command::OrderPass => (format!("@{name} pass-dice delay"), Act::OrderPass(role)),
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

    /// Everything else is the crew's, and the crew of a session is automatic: the table says whose it is.
    fn not_for_players(&self, command: &Command) -> Refusal {
        let refused = self.table.decide(Actor::staff(Role::Player), command, &mut Vec::new());
        refused.err().unwrap_or_else(|| Refusal::procedure(Code::CrewOnly))
    }

    /// A draw before the throw: wagers and their levels, the first level zero. Bets are closed from then on.
    ///
    /// # Errors
    /// When it is refused; then nothing has changed.
    pub fn draw(&mut self, selection: &[(WagerId, usize)]) -> Result<(), Refusal> {
        self.command(&Command::Draw { selection: selection.to_vec() })
    }

    /// Takes back the last order since the last throw, and hands it over; nothing where there is none.
    ///
    /// ```
    /// # use craps_law::Library;
    /// # use craps_notation::Session;
    /// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
    /// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
    /// # use craps_notation::action;
    /// let (_, bet) = action(session.table(), "1:P+10").unwrap();
    /// session.command(&bet)?;
    /// assert_eq!(session.undo()?, [bet]);
    /// assert_eq!(session.table().seat(1).unwrap().rail.to_string(), "100");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When it made a side bet that the law does not let come down again.
    pub fn undo(&mut self) -> Result<Vec<Command>, Refusal> {
        let Some((last, before)) = self.orders.split_last() else { return Ok(Vec::new()) };
        last.iter().try_for_each(|done| self.is_not_locked(done))?;
        self.table = self.tried(before)?;
        let last = self.orders.pop().unwrap_or_default();
        let commands = self.commands_of(&last);
        self.undone.push(last);
        Ok(commands)
    }

    /// Does again what was taken back last, and hands it over; nothing where there is none.
    ///
    /// # Errors
    /// When it is refused now.
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

    /// Takes back everything a seat did with its bets since the last throw, but for side bets that the law locks. Says how many it was.
    ///
    /// # Errors
    /// When what is left could not be done without it.
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

    /// The bets that a seat made the last time it made any, as commands to make them again.
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

    /// Throws the dice.
    ///
    /// # Errors
    /// When it is refused; then nothing has changed and the throw is not written down.
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

    /// Calls the throw no roll.
    ///
    /// # Errors
    /// When it is refused; then nothing has changed and no roll is written down.
    pub fn no_roll(&mut self, reason: NoRollReason, caller: Option<Role>) -> Result<(), Refusal> {
        let actor = Actor::staff(caller.unwrap_or(Role::Stick));
        self.table.decide(actor, &Command::NoRoll { reason, caller }, &mut Vec::new())?;
        self.write(Dice::NoRoll { reason, written: true, caller, refused: false });
        Ok(())
    }

    /// Writes what was done since the last throw, and the dice.
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
            // Only a wrong number is malformed, and this is the next one.
            let _ = self.scribe.line(line);
        }
        self.table = self.scribe.table.clone();
        self.orders.clear();
        self.undone.clear();
    }

    /// Keeps the bets of a roll, for whoever wants to repeat them: what was made, less what came down again before the throw.
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

    /// The table after the last throw and then all of this, in the order in which it will be written.
    fn tried(&self, orders: &[Vec<Done>]) -> Result<Table, Refusal> {
        let mut scribe = Scribe::new(self.scribe.table.clone(), Names::Codes, String::new());
        let (lines, actions) = self.in_order(orders);
        for line in &lines {
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

    /// Lines act before the actions of a roll, whichever was first; but whoever leaves has done before that what they did.
    fn in_order(&self, orders: &[Vec<Done>]) -> (Vec<Line>, Vec<Action>) {
        let (mut lines, mut actions) = (Vec::new(), Vec::<Action>::new());
        for one in orders.iter().flatten() {
            match one {
                Done::Action(action) => actions.push(action.clone()),
                Done::Line(line) => {
                    if let Line::Procedure { act: Act::Leave(seat), .. } = line {
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

    fn is_not_locked(&self, done: &Done) -> Result<(), Refusal> {
        let Done::Action(Action { bet, op: Op::Add(..), .. }) = done else { return Ok(()) };
        let slot = self.table.board().find(bet.wager, bet.number);
        slot.and_then(|slot| lock(&self.table, slot)).map_or(Ok(()), Err)
    }

    /// An order as commands again.
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
                Act::Draw(levels) => {
                    Some(Command::Draw { selection: levels.iter().map(|(wager, level)| (*wager, level - 1)).collect() })
                }
                _ => None,
            },
            Done::Line(_) => None,
        };
        order.iter().filter_map(command).collect()
    }

    /// What a player's command is in a game; none for what only the crew does.
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

/// May a bet here come down again once it is made? If not, the words that lock it: players are asked before they make it.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
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

/// Reads one action of the notation, such as `1:PL6+12`, as what it asks of this table.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "pa as-of 2023-10-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &|name| Err(format!("no file {name}")))?;
/// use craps_notation::action;
/// let (seat, command) = action(session.table(), "1:P+10").unwrap();
/// session.command(&command)?;
/// assert_eq!((seat, session.table().seat(1).unwrap().rail.to_string()), (1, "90".to_owned()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When it is no action, or one on a bet that this table does not have.
pub fn action(table: &Table, text: &str) -> Result<(SeatId, Command), String> {
    let games = read(&format!("[CGN \"1\"]\n1. {text} | 1-1\n")).map_err(|error| error.message)?;
    let mut lines = games.iter().flat_map(|game| &game.lines);
    let (Some(Line::Roll(roll)), None) = (lines.next(), lines.next()) else {
        return Err(format!("expected an action such as 1:PL6+12, found `{text}`"));
    };
    let [action] = &roll.actions[..] else {
        return Err(format!("expected one action such as 1:PL6+12, found `{text}`"));
    };
    let slot = table.board().find(action.bet.wager, action.bet.number);
    let slot = slot.ok_or_else(|| format!("this table does not offer {}", action.bet.wager))?;
    Ok((action.seat, command(action, slot)))
}

/// What an action adds.
fn added(action: &Action) -> Money {
    match action.op {
        Op::Add(amount, _) => amount.money(),
        _ => Money::ZERO,
    }
}

fn line_text(line: &Line) -> String {
    match line {
        Line::Shooter { seat, decisions_only, .. } => {
            let who = seat.map_or("dealer".to_owned(), |seat| seat.to_string());
            format!("# shooter {who}{}", if *decisions_only { " decisions-only" } else { "" })
        }
        Line::Procedure { text, .. } => text.clone(),
        _ => String::new(),
    }
}
