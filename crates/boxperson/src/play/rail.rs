//! One game and everything that players can say and do in it. Keys, rail talk, a pipe and a bot all use this module, so the same words
//! always get the same answers.

use super::dice::DiceSource;
use super::file::GameFile;
use super::{answers, coach};
use crate::failure::Failure;
use craps_dice::Throw;
use craps_law::Library;
use craps_money::Money;
use craps_notation::talk::{self, AskBack, Order, Question, Spoken, Verb};
use craps_notation::{Calls, Explained, Rolled, Session, lock};
use craps_table::{Actor, Command, Instead, Refusal, SeatId, SlotId, Table, Verdict};
use craps_wagers::WagerId;
use std::collections::BTreeSet;
use std::path::Path;

/// Answer to a line or an order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    /// The order was done; the text repeats it, for example "pass line for 10".
    Done(String),
    /// The order was refused.
    Refused(Refusal),
    /// The line was not understood.
    Asked {
        /// Line as it was said, without the seat in front of it.
        line: String,
        /// Question with suggestions, and the words that it is about.
        ask: AskBack,
    },
    /// A roll, with the stickperson's call. No call if calls are silent.
    Called(Rolled, Option<String>),
    /// One result of a roll.
    Result(ResultLine),
    /// Answer to a question.
    Answer(String),
    /// Advice of the coach.
    Coach(String),
    /// Yes-or-no question about an order that is not done yet.
    Confirm(String),
    /// The game is over.
    Bye,
}

/// One result of a roll, ready to show.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResultLine {
    /// Roll and result number; `why 3.1` asks for the explanation.
    pub(crate) reference: (u32, usize),
    /// Seat that made the bet.
    pub(crate) seat: SeatId,
    /// Name of the player in that seat.
    pub(crate) player: String,
    /// Name of the bet, such as "pass line".
    pub(crate) bet: String,
    /// Whether the bet won, lost, was returned or moved.
    pub(crate) verdict: Verdict,
    /// Net win or loss.
    pub(crate) net: Money,
    /// Number that a come bet moved to.
    pub(crate) to: Option<String>,
}

impl std::fmt::Display for ResultLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (roll, result) = self.reference;
        match (self.verdict, &self.to) {
            (Verdict::Moved { .. }, Some(to)) => write!(f, "{} moved to {to}", self.bet)?,
            (Verdict::Returned, _) => write!(f, "{} returned", self.bet)?,
            _ => write!(f, "{}{} {}", if self.net > Money::ZERO { "+" } else { "" }, self.net, self.bet)?,
        }
        write!(f, " (why {roll}.{result})")
    }
}

/// Options of a game that are not rules.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ways {
    /// How the stickperson calls rolls.
    pub(crate) calls: Calls,
    /// True if the coach gives advice.
    pub(crate) coach: bool,
    /// True if a player can be asked before a bet that can't be taken down again.
    pub(crate) asks: bool,
}

/// One game with all its players.
pub(crate) struct Rail<'a> {
    library: &'a Library,
    session: Session,
    dice: DiceSource,
    ways: Ways,
    file: Option<GameFile>,
    /// Seat that lines without a seat number are for.
    seat: SeatId,
    /// Order that waits for a yes: its text and its commands.
    waiting: Option<(String, Vec<Command>)>,
    /// Wagers that the coach has already commented on.
    coached: BTreeSet<WagerId>,
    /// Rolls since the program started.
    thrown: Vec<Rolled>,
}

impl<'a> Rail<'a> {
    /// Starts to play a session. The first occupied seat speaks first.
    pub(crate) fn new(library: &'a Library, session: Session, ways: Ways, file: Option<GameFile>) -> Rail<'a> {
        let dice = DiceSource::from_tag(session.tag("Dice"));
        let seat = session.table().seats().next().map_or(1, |(seat, _)| seat);
        Rail { library, session, dice, ways, file, seat, waiting: None, coached: BTreeSet::new(), thrown: Vec::new() }
    }

    pub(crate) fn library(&self) -> &'a Library {
        self.library
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the table with the orders since the last roll applied.
    pub(crate) fn table(&self) -> &Table {
        self.session.table()
    }

    /// Returns the seat that lines without a seat number are for.
    pub(crate) fn seat(&self) -> SeatId {
        self.seat
    }

    /// Switches to another player. Returns false, and does nothing, if the seat is empty.
    pub(crate) fn speak_for(&mut self, seat: SeatId) -> bool {
        let taken = self.table().seat(seat).is_some();
        if taken {
            self.seat = seat;
        }
        taken
    }

    /// Returns the rolls since the program started, oldest first.
    pub(crate) fn thrown(&self) -> &[Rolled] {
        &self.thrown
    }

    /// Returns true if the coach gives advice.
    pub(crate) fn is_coached(&self) -> bool {
        self.ways.coach
    }

    /// Returns the file that the game is kept in.
    pub(crate) fn kept(&self) -> Option<&Path> {
        self.file.as_ref().map(GameFile::path)
    }

    /// Returns true if an order waits for a yes.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// Describes what a line would do, without doing it.
    pub(crate) fn preview(&self, line: &str) -> Result<String, AskBack> {
        let (seat, line) = self.speaker(line);
        let spoken = talk::hear_at(self.table(), line)?;
        let echo = |one: &Spoken| talk::meant(self.table(), seat, one).map(|meaning| meaning.echo);
        Ok(spoken.iter().map(echo).collect::<Result<Vec<_>, _>>()?.join("; "))
    }

    /// Returns the coach's advice about a bet.
    pub(crate) fn advice(&self, slot: SlotId) -> String {
        coach::advice(self.table(), slot)
    }

    /// Splits the seat off a line: `2: pass 10` is for seat 2. Without a number the line is for the current seat.
    fn speaker<'l>(&self, line: &'l str) -> (SeatId, &'l str) {
        let named = line.split_once(':').and_then(|(seat, rest)| Some((seat.trim().parse::<SeatId>().ok()?, rest)));
        named.map_or((self.seat, line), |(seat, rest)| (seat, rest.trim()))
    }

    /// Understands a line and does what it says.
    pub(crate) fn hear(&mut self, line: &str) -> Result<Vec<Reply>, Failure> {
        let line = line.trim();
        if let Some((echo, commands)) = self.waiting.take() {
            if ["yes", "y", "ok"].contains(&line.to_lowercase().as_str()) {
                return self.order(&echo, &commands);
            }
            if ["no", "n", ""].contains(&line.to_lowercase().as_str()) {
                return Ok(vec![Reply::Answer("Okay, no bet.".to_owned())]);
            }
        }
        let (seat, said) = self.speaker(line);
        if !self.speak_for(seat) {
            return Ok(vec![Reply::Answer(format!("Seat {seat} is empty."))]);
        }
        if said.is_empty() {
            return Ok(Vec::new());
        }
        let asked = |ask: AskBack| Reply::Asked { line: said.to_owned(), ask };
        let spoken = match talk::hear_at(self.table(), said) {
            Ok(spoken) => spoken,
            Err(ask) => return Ok(vec![asked(ask)]),
        };
        let mut replies = Vec::new();
        for one in &spoken {
            let part = self.say(one)?;
            let stop = part.iter().any(|reply| !matches!(reply, Reply::Done(_) | Reply::Answer(_) | Reply::Coach(_)));
            replies.extend(part.into_iter().map(|reply| match reply {
                Reply::Asked { ask, .. } => asked(ask),
                reply => reply,
            }));
            // Stop after a failed order, because the rest of the line relies on it. A roll ends a line too.
            if stop {
                break;
            }
        }
        Ok(replies)
    }

    fn say(&mut self, spoken: &Spoken) -> Result<Vec<Reply>, Failure> {
        let meaning = match talk::meant(self.table(), self.seat, spoken) {
            Ok(meaning) => meaning,
            Err(ask) => return Ok(vec![Reply::Asked { line: String::new(), ask }]),
        };
        match &spoken.order {
            Order::Ask(question) => Ok(vec![self.answer(question, &meaning.about)]),
            Order::Do(verb) => self.act(verb, &meaning.echo, &meaning.commands),
            _ => self.confirmed(&meaning.echo, &meaning.commands),
        }
    }

    /// Does an order, but asks first if the coach has advice or if a bet could not be taken down again.
    pub(crate) fn confirmed(&mut self, echo: &str, commands: &[Command]) -> Result<Vec<Reply>, Failure> {
        let bets: Vec<SlotId> = commands
            .iter()
            .filter_map(|command| match command {
                Command::Bet { slot, .. } => Some(*slot),
                _ => None,
            })
            .collect();
        let mut replies = Vec::new();
        if self.ways.coach {
            for slot in &bets {
                if self.coached.insert(self.table().board().slot(*slot).wager) {
                    replies.push(Reply::Coach(coach::advice(self.table(), *slot)));
                }
            }
        }
        let lock = bets.iter().find_map(|slot| lock(self.session.table(), *slot)).filter(|_| self.ways.asks);
        let question = match (&lock, replies.is_empty()) {
            (Some(lock), _) => Some(format!("{lock} Yes or no: {echo}?")),
            (None, false) if self.ways.asks => Some(format!("Yes or no: {echo}?")),
            (None, _) => None,
        };
        if let Some(question) = question {
            // Don't ask about a bet that would be refused anyway.
            let mut trial = self.session.clone();
            match trial.order(commands) {
                Ok(()) => {
                    self.waiting = Some((echo.to_owned(), commands.to_vec()));
                    replies.push(Reply::Confirm(question));
                }
                Err(refusal) => replies.push(Reply::Refused(refusal)),
            }
            return Ok(replies);
        }
        replies.extend(self.order(echo, commands)?);
        Ok(replies)
    }

    /// Does all commands, or none of them.
    fn order(&mut self, echo: &str, commands: &[Command]) -> Result<Vec<Reply>, Failure> {
        match self.session.order(commands) {
            Ok(()) => {
                self.save()?;
                Ok(vec![Reply::Done(echo.to_owned())])
            }
            Err(refusal) => Ok(vec![Reply::Refused(refusal)]),
        }
    }

    fn act(&mut self, verb: &Verb, echo: &str, commands: &[Command]) -> Result<Vec<Reply>, Failure> {
        let replies = match verb {
            Verb::Roll => return self.roll(),
            Verb::Undo => {
                let taken = self.session.undo();
                self.changed("undid", "Nothing to undo since the last roll.", taken)?
            }
            Verb::Redo => {
                let done = self.session.redo();
                self.changed("redid", "Nothing to redo.", done)?
            }
            Verb::Clear => match self.session.clear(self.seat) {
                Ok(0) => vec![Reply::Answer("You made no bets since the last roll.".to_owned())],
                Ok(_) => {
                    self.save()?;
                    vec![Reply::Done("took back all your bets since the last roll".to_owned())]
                }
                Err(refusal) => vec![Reply::Refused(refusal)],
            },
            Verb::Repeat => return self.repeat(),
            Verb::Help => vec![Reply::Answer(answers::HELP.to_owned())],
            Verb::History => vec![Reply::Answer(answers::history(&self.thrown))],
            Verb::Save => vec![self.saved()?],
            Verb::Quit => {
                self.save()?;
                vec![Reply::Bye]
            }
            Verb::Leave => {
                let replies = self.order(echo, commands)?;
                let next = self.table().seats().next().map(|(seat, _)| seat);
                match next {
                    None => replies.into_iter().chain([Reply::Bye]).collect(),
                    Some(next) => {
                        if self.table().seat(self.seat).is_none() {
                            self.seat = next;
                        }
                        replies
                    }
                }
            }
            Verb::DeclineDice => vec![Reply::Answer("Make no line bet, and the dice pass you by.".to_owned())],
            Verb::PassDice | Verb::TakeDice { .. } | Verb::BuyIn(_) => return self.order(echo, commands),
        };
        Ok(replies)
    }

    fn changed(
        &mut self,
        what: &str,
        nothing: &str,
        commands: Result<Vec<Command>, Refusal>,
    ) -> Result<Vec<Reply>, Failure> {
        let reply = match commands {
            Ok(commands) if commands.is_empty() => Reply::Answer(nothing.to_owned()),
            Ok(commands) => {
                self.save()?;
                let said = commands.iter().filter_map(|command| talk::say(self.table(), command));
                Reply::Done(format!("{what}: {}", said.collect::<Vec<_>>().join("; ")))
            }
            Err(refusal) => Reply::Refused(refusal),
        };
        Ok(vec![reply])
    }

    fn repeat(&mut self) -> Result<Vec<Reply>, Failure> {
        let commands = self.session.repeated(self.seat);
        if commands.is_empty() {
            return Ok(vec![Reply::Answer("No bets to repeat.".to_owned())]);
        }
        let mut replies = Vec::new();
        for command in &commands {
            let echo = talk::say(self.table(), command).unwrap_or_default();
            replies.extend(self.order(&echo, std::slice::from_ref(command))?);
        }
        Ok(replies)
    }

    /// Rolls the table's own dice.
    pub(crate) fn roll(&mut self) -> Result<Vec<Reply>, Failure> {
        let mut drawn = self.dice.roll(self.session.next_roll());
        let Some(dice) = drawn.dice() else {
            return Err(Failure::Usage(
                "this system provides no random numbers, so the dice can't be rolled".to_owned(),
            ));
        };
        // Under rules with a draw that raises prices, draw one wager and one level before each roll. The law leaves the method open.
        let lines: Vec<(WagerId, usize)> = self
            .table()
            .rules()
            .modifiers
            .iter()
            .flat_map(|modifier| &modifier.lines)
            .flat_map(|line| line.is.wagers.iter().map(|wager| (*wager, line.is.pays.len())))
            .collect();
        if let Some((wager, levels)) = drawn.one_of(lines.len()).and_then(|at| lines.get(at)).copied()
            && let Some(level) = drawn.one_of(levels)
            && self.session.draw(&[(wager, level)]).is_ok()
        {
            let mut replies = vec![Reply::Answer(format!("Draw: {wager} at level {}.", level + 1))];
            let rolled = self.throw(dice)?;
            if rolled.iter().any(|reply| matches!(reply, Reply::Refused(_))) {
                // The roll was refused, so undo its draw.
                let _ = self.session.undo();
            }
            replies.extend(rolled);
            return Ok(replies);
        }
        self.throw(dice)
    }

    /// Rolls these dice.
    pub(crate) fn throw(&mut self, dice: Throw) -> Result<Vec<Reply>, Failure> {
        let rolled = match self.session.throw(dice) {
            Ok(rolled) => rolled,
            Err(refusal) => return Ok(vec![Reply::Refused(refusal)]),
        };
        self.waiting = None;
        self.save()?;
        let call = self.ways.calls.of(self.table().rules(), rolled.phase, dice);
        let mut replies = vec![Reply::Called(rolled.clone(), call)];
        let results = rolled.results.iter().enumerate();
        replies.extend(results.map(|(at, one)| Reply::Result(self.result(rolled.number, at + 1, one))));
        self.thrown.push(rolled);
        Ok(replies)
    }

    /// Prepares one result of a roll to be shown.
    pub(crate) fn result(&self, roll: u32, at: usize, one: &Explained) -> ResultLine {
        let name = |slot: SlotId| talk::slot_name(self.table(), slot);
        let (net, to) = match one.verdict {
            Verdict::Won { paid, commission, .. } => (paid.minor() - commission.minor(), None),
            Verdict::Credited { paid, .. } => (paid.minor(), None),
            Verdict::Lost => (-one.bet.stake.minor(), None),
            Verdict::Returned => (0, None),
            Verdict::Moved { to } => (0, self.table().board().slot(to).number.map(|number| number.to_string())),
        };
        ResultLine {
            reference: (roll, at),
            seat: one.seat,
            player: self.table().seat(one.seat).map(|seat| seat.name.clone()).unwrap_or_default(),
            bet: name(one.slot),
            verdict: one.verdict,
            net: Money::from_minor(net),
            to,
        }
    }

    /// Writes a refusal, with the alternatives as lines that the current player can type.
    pub(crate) fn refused(&self, refusal: &Refusal) -> String {
        let offered = refusal.instead.iter().filter_map(Instead::command);
        let lines: Vec<String> = offered.filter_map(|(actor, command)| self.typed(actor, &command)).collect();
        match &lines[..] {
            [] => format!("refused: {refusal}"),
            lines => format!("refused: {refusal} You can say: {}.", lines.join("; ")),
        }
    }

    /// Returns the line that gives a command. None if the table would refuse it now: an order of several commands is done completely
    /// or not at all, so an alternative to one of them can rely on another that was not done.
    fn typed(&self, actor: Actor, command: &Command) -> Option<String> {
        self.table().decide(actor, command, &mut Vec::new()).ok()?;
        let line = talk::say(self.table(), command)?;
        Some(match actor.seat {
            Some(seat) if seat != self.seat => format!("{seat}: {line}"),
            _ => line,
        })
    }

    fn answer(&self, question: &Question, about: &[SlotId]) -> Reply {
        Reply::Answer(answers::to(self, question, about))
    }

    /// Saves the game if it has a file.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        self.file.as_ref().map_or(Ok(()), |file| file.write(&self.session.text()))
    }

    fn saved(&self) -> Result<Reply, Failure> {
        let Some(file) = &self.file else {
            return Ok(Reply::Answer("This game has no file. Start it with --file GAME.cgn to save it.".to_owned()));
        };
        self.save()?;
        Ok(Reply::Done(format!("saved in {}", file.path().display())))
    }
}
