//! The rail: one game and everything that can be said at it. Keys, talk, a pipe and a bot all come through here, so that the same words
//! have the same answers.

use super::dice::DiceSource;
use super::file::GameFile;
use super::{answers, coach};
use crate::failure::Failure;
use craps_dice::Throw;
use craps_law::Library;
use craps_money::Money;
use craps_notation::talk::{self, AskBack, Order, Question, Spoken, Verb};
use craps_notation::{Calls, Explained, Rolled, Session, lock};
use craps_table::{Command, Refusal, SeatId, SlotId, Table, Verdict};
use craps_wagers::WagerId;
use std::collections::BTreeSet;
use std::path::Path;

/// What comes back for what was said.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Reply {
    /// It was understood so, and done.
    Done(String),
    /// It was refused, with the words that forbid it.
    Refused(Refusal),
    /// It was not understood: the line, and what is asked back.
    Asked {
        /// What was said.
        line: String,
        /// What is asked.
        ask: AskBack,
    },
    /// The stick's call of a throw.
    Called(Rolled, Option<String>),
    /// One result of a throw.
    Result(ResultLine),
    /// The answer to a question.
    Answer(String),
    /// What the coach says.
    Coach(String),
    /// Something that waits for a yes.
    Confirm(String),
    /// The game is over.
    Bye,
}

/// One result of a throw, as it is shown.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ResultLine {
    /// How to ask why: roll and result.
    pub(crate) reference: (u32, usize),
    /// Whose bet it was.
    pub(crate) seat: SeatId,
    /// The name of that player.
    pub(crate) player: String,
    /// The bet.
    pub(crate) bet: String,
    /// What became of it, and what it brought or cost.
    pub(crate) verdict: Verdict,
    /// The net change of what the player owns.
    pub(crate) net: Money,
    /// Where a come bet went.
    pub(crate) to: Option<String>,
}

impl std::fmt::Display for ResultLine {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (roll, result) = self.reference;
        match (self.verdict, &self.to) {
            (Verdict::Moved { .. }, Some(to)) => write!(f, "{} went to {to}", self.bet)?,
            (Verdict::Returned, _) => write!(f, "{} came back", self.bet)?,
            _ => write!(f, "{}{} {}", if self.net > Money::ZERO { "+" } else { "" }, self.net, self.bet)?,
        }
        write!(f, " (why {roll}.{result})")
    }
}

/// How a game is played, besides its rules.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Ways {
    /// How the stick talks.
    pub(crate) calls: Calls,
    /// Is there a coach?
    pub(crate) coach: bool,
    /// Is somebody there to be asked before a bet that cannot come down again?
    pub(crate) asks: bool,
}

/// One game with everybody at it.
pub(crate) struct Rail<'a> {
    library: &'a Library,
    session: Session,
    dice: DiceSource,
    ways: Ways,
    file: Option<GameFile>,
    /// Who speaks.
    seat: SeatId,
    /// What waits for a yes.
    waiting: Option<(String, Vec<Command>)>,
    /// The wagers that the coach has spoken of.
    coached: BTreeSet<WagerId>,
    /// The throws of this sitting.
    thrown: Vec<Rolled>,
}

impl<'a> Rail<'a> {
    /// Sits down to a game.
    pub(crate) fn new(library: &'a Library, session: Session, ways: Ways, file: Option<GameFile>) -> Rail<'a> {
        let dice = DiceSource::from_tag(session.tag("Dice"));
        let seat = session.table().seats().next().map_or(1, |(seat, _)| seat);
        Rail { library, session, dice, ways, file, seat, waiting: None, coached: BTreeSet::new(), thrown: Vec::new() }
    }

    /// The books.
    pub(crate) fn library(&self) -> &'a Library {
        self.library
    }

    /// The game.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// The table.
    pub(crate) fn table(&self) -> &Table {
        self.session.table()
    }

    /// Who speaks.
    pub(crate) fn seat(&self) -> SeatId {
        self.seat
    }

    /// Lets another player speak; nothing happens where nobody sits there.
    pub(crate) fn speak_for(&mut self, seat: SeatId) -> bool {
        let taken = self.table().seat(seat).is_some();
        if taken {
            self.seat = seat;
        }
        taken
    }

    /// The throws of this sitting, oldest first.
    pub(crate) fn thrown(&self) -> &[Rolled] {
        &self.thrown
    }

    /// Is there a coach?
    pub(crate) fn is_coached(&self) -> bool {
        self.ways.coach
    }

    /// The file the game is kept in.
    pub(crate) fn kept(&self) -> Option<&Path> {
        self.file.as_ref().map(GameFile::path)
    }

    /// Is something waiting for a yes?
    pub(crate) fn is_waiting(&self) -> bool {
        self.waiting.is_some()
    }

    /// What a line would do, in words, before it is said: nothing is done.
    pub(crate) fn preview(&self, line: &str) -> Result<String, AskBack> {
        let (seat, line) = self.speaker(line);
        let spoken = talk::hear(line)?;
        let echo = |one: &Spoken| talk::meant(self.table(), seat, one).map(|meaning| meaning.echo);
        Ok(spoken.iter().map(echo).collect::<Result<Vec<_>, _>>()?.join("; "))
    }

    /// What the coach says of a bet before it is made.
    pub(crate) fn advice(&self, slot: SlotId) -> String {
        coach::advice(self.table(), slot)
    }

    /// `2: pass 10` is said by whoever sits at 2.
    fn speaker<'l>(&self, line: &'l str) -> (SeatId, &'l str) {
        let named = line.split_once(':').and_then(|(seat, rest)| Some((seat.trim().parse::<SeatId>().ok()?, rest)));
        named.map_or((self.seat, line), |(seat, rest)| (seat, rest.trim()))
    }

    /// Hears a line and does what it says.
    pub(crate) fn hear(&mut self, line: &str) -> Result<Vec<Reply>, Failure> {
        let line = line.trim();
        if let Some((echo, commands)) = self.waiting.take() {
            if ["yes", "y", "ok"].contains(&line.to_lowercase().as_str()) {
                return self.order(&echo, &commands);
            }
            if ["no", "n", ""].contains(&line.to_lowercase().as_str()) {
                return Ok(vec![Reply::Answer("not made".to_owned())]);
            }
        }
        let (seat, said) = self.speaker(line);
        if !self.speak_for(seat) {
            return Ok(vec![Reply::Answer(format!("nobody sits at {seat}"))]);
        }
        if said.is_empty() {
            return Ok(Vec::new());
        }
        let asked = |ask: AskBack| Reply::Asked { line: said.to_owned(), ask };
        let spoken = match talk::hear(said) {
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
            // What follows was said in the belief that this had worked; a throw ends a line anyway.
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

    /// Asks first where the coach has something to say, or the law would hold the player to it; then does it.
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
            (Some(lock), _) => Some(format!("{lock}: {echo}, yes or no?")),
            (None, false) if self.ways.asks => Some(format!("{echo}, yes or no?")),
            (None, _) => None,
        };
        if let Some(question) = question {
            // A bet that would be refused anyway is not worth a question.
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

    /// Does what was meant: all of it or nothing.
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
                self.changed("took back", "nothing was done since the last throw", taken)?
            }
            Verb::Redo => {
                let done = self.session.redo();
                self.changed("did again", "nothing was taken back", done)?
            }
            Verb::Clear => match self.session.clear(self.seat) {
                Ok(0) => vec![Reply::Answer("nothing was bet since the last throw".to_owned())],
                Ok(_) => {
                    self.save()?;
                    vec![Reply::Done("took back every bet since the last throw".to_owned())]
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
            Verb::DeclineDice => vec![Reply::Answer("whoever makes no line bet is passed over".to_owned())],
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
            return Ok(vec![Reply::Answer("no bet was made before".to_owned())]);
        }
        let mut replies = Vec::new();
        for command in &commands {
            let echo = talk::say(self.table(), command).unwrap_or_default();
            replies.extend(self.order(&echo, std::slice::from_ref(command))?);
        }
        Ok(replies)
    }

    /// Throws the dice of the table's own source.
    pub(crate) fn roll(&mut self) -> Result<Vec<Reply>, Failure> {
        let mut drawn = self.dice.roll(self.session.next_roll());
        let Some(dice) = drawn.dice() else {
            return Err(Failure::Usage("this system gives no randomness, so that no dice can be thrown".to_owned()));
        };
        // Where prices are raised by a draw, the machine draws one wager and one level before each throw; how is left to it.
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
            let mut replies = vec![Reply::Answer(format!("the draw: {wager} at level {}", level + 1))];
            let rolled = self.throw(dice)?;
            if rolled.iter().any(|reply| matches!(reply, Reply::Refused(_))) {
                // A throw that is not made leaves no draw behind.
                let _ = self.session.undo();
            }
            replies.extend(rolled);
            return Ok(replies);
        }
        self.throw(dice)
    }

    /// Throws these dice.
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

    /// A result of a roll as it is shown.
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

    fn answer(&self, question: &Question, about: &[SlotId]) -> Reply {
        Reply::Answer(answers::to(self, question, about))
    }

    /// Keeps the game, where it is kept.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        self.file.as_ref().map_or(Ok(()), |file| file.write(&self.session.text()))
    }

    fn saved(&self) -> Result<Reply, Failure> {
        let Some(file) = &self.file else {
            return Ok(Reply::Answer("this game is kept in no file: start it with --file GAME.cgn".to_owned()));
        };
        self.save()?;
        Ok(Reply::Done(format!("kept in {}", file.path().display())))
    }
}
