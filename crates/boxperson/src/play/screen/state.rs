//! State of the screen besides the game: the selected area and chip, the typed line and the messages.

use super::chips;
use super::line::TalkLine;
use super::places::Places;
use super::theme::Theme;
use crate::failure::Failure;
use crate::play::rail::{Rail, Reply, ResultLine};
use craps_money::{Money, Stake};
use craps_notation::talk;
use craps_table::{Bet, Called, Command, Manner, SeatId, SlotId, Verdict};
use ratatui::layout::Rect;
use std::collections::BTreeMap;

/// Messages at the start of a new game.
const WELCOME: [&str; 3] = [
    "Practice money, an automatic crew, and you shoot.",
    "A hand: bet the pass line, then roll until the bet wins or loses.",
    "Arrows look around, Enter bets, Space rolls, ? shows help.",
];

/// Meaning of the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Keys move on the felt and bet.
    Felt,
    /// Keys type a line.
    Talk,
    /// Keys type the code of an area to go to; the text is the code so far.
    Jump(String),
}

/// Kind of a message; it decides the color.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An order was done.
    Done,
    /// An order was refused or not understood.
    Refused,
    /// A roll with the stickperson's call.
    Call,
    /// A bet won.
    Won,
    /// A bet lost.
    Lost,
    /// A bet was returned or moved.
    Even,
    /// An answer, or advice of the coach.
    Said,
    /// A yes-or-no question.
    Question,
}

/// One message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// Decides the color.
    pub(crate) kind: Kind,
    /// Message as it is shown.
    pub(crate) text: String,
    /// Roll and result that a click explains, if this message is a result.
    pub(crate) reference: Option<(u32, usize)>,
}

/// A text shown over the table, such as the help.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Card {
    /// Title in the frame.
    pub(crate) title: String,
    /// Text of the card.
    pub(crate) text: String,
    /// First visible line.
    pub(crate) top: u16,
    /// Roll that the card explains. Left and right arrows show the roll before and after it.
    pub(crate) roll: Option<u32>,
}

/// Target of a mouse click.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    /// An area of the felt.
    Place(SlotId),
    /// A chip to pick, by its position.
    Chip(usize),
    /// A result that can be explained.
    Result(u32, usize),
    /// The dice; a click rolls them.
    Dice,
    /// The line to type on.
    Talk,
    /// A player.
    Seat(SeatId),
}

/// The screen of one game.
pub(crate) struct Screen<'a> {
    /// Game that the screen shows.
    pub(crate) rail: Rail<'a>,
    /// Current meaning of the keys.
    pub(crate) mode: Mode,
    /// Selected area.
    pub(crate) hand: SlotId,
    /// Column to keep while moving up and down.
    pub(crate) across: Option<usize>,
    /// Chips to pick from.
    pub(crate) chips: Vec<Stake>,
    /// Position of the picked chip in `chips`.
    pub(crate) chip: usize,
    /// Amount that the table would take after it refused the chip. Enter bets it.
    pub(crate) offer: Option<(SlotId, Stake)>,
    /// Line that is being typed.
    pub(crate) line: TalkLine,
    /// Messages, oldest first.
    pub(crate) notes: Vec<Note>,
    /// Number of messages scrolled back.
    pub(crate) back: usize,
    /// Card over the table, if one is open.
    pub(crate) card: Option<Card>,
    /// Click targets of the last drawing.
    pub(crate) hits: Vec<(Rect, Hit)>,
    /// Styles for the colors of this terminal.
    pub(crate) theme: Theme,
    /// True after a player quit.
    pub(crate) is_over: bool,
    /// Coach's advice per bet and phase, computed once.
    costs: BTreeMap<(SlotId, craps_wagers::Phase), String>,
}

impl<'a> Screen<'a> {
    /// Makes the screen of a game.
    pub(crate) fn new(rail: Rail<'a>, theme: Theme) -> Result<Screen<'a>, Failure> {
        let hand = Places::of(rail.table(), rail.seat()).first();
        let hand = hand.ok_or_else(|| Failure::Usage("this table offers no bets".to_owned()))?;
        let chips = chips::of(rail.table());
        let chip = chips::first(rail.table(), rail.seat(), hand, &chips);
        let welcome = |text: &str| Note { kind: Kind::Said, text: text.to_owned(), reference: None };
        let notes = match rail.session().next_roll() {
            1 => WELCOME.map(welcome).to_vec(),
            next => vec![welcome(&format!("The game continues with roll {next}."))],
        };
        Ok(Screen {
            rail,
            mode: Mode::Felt,
            hand,
            across: None,
            chips,
            chip,
            offer: None,
            line: TalkLine::default(),
            notes,
            back: 0,
            card: None,
            hits: Vec::new(),
            theme,
            is_over: false,
            costs: BTreeMap::new(),
        })
    }

    /// Returns the betting areas of the felt as it is now.
    pub(crate) fn places(&self) -> Places {
        Places::of(self.rail.table(), self.rail.seat())
    }

    /// Returns the name of a bet, such as "place six".
    pub(crate) fn name(&self, slot: SlotId) -> String {
        talk::slot_name(self.rail.table(), slot)
    }

    /// Returns the current player's bet on an area.
    pub(crate) fn own(&self, slot: SlotId) -> Option<&Bet> {
        self.rail.table().seat(self.rail.seat())?.bets.get(slot)
    }

    /// Returns the picked chip.
    pub(crate) fn in_hand(&self) -> Option<Stake> {
        self.chips.get(self.chip).copied()
    }

    /// Returns true if the dice can be rolled now.
    pub(crate) fn may_roll(&self) -> bool {
        let throw = Command::Throw { dice: craps_dice::Throw::ALL[0] };
        let stick = craps_table::Actor::staff(craps_table::Role::Stick);
        self.rail.table().decide(stick, &throw, &mut Vec::new()).is_ok()
    }

    /// Returns true if there is anything to undo since the last roll.
    pub(crate) fn may_undo(&self) -> bool {
        !self.rail.session().clone().undo().is_ok_and(|commands| commands.is_empty())
    }

    /// Returns the coach's advice about a bet. It is computed once per phase.
    pub(crate) fn cost(&mut self, slot: SlotId) -> String {
        let key = (slot, self.rail.table().phase());
        let rail = &self.rail;
        self.costs.entry(key).or_insert_with(|| rail.advice(slot)).clone()
    }

    // ---- orders and messages ----

    /// Handles a line as if the player had typed it.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), Failure> {
        let replies = self.rail.hear(line)?;
        self.take(replies);
        Ok(())
    }

    /// Does an order from a key or a click, with the same messages as rail talk.
    pub(crate) fn order(&mut self, command: Command) -> Result<(), Failure> {
        let echo = talk::say(self.rail.table(), &command).unwrap_or_default();
        let replies = self.rail.confirmed(&echo, &[command])?;
        self.take(replies);
        Ok(())
    }

    /// Bets the picked chip, or the amount that was offered instead.
    pub(crate) fn add(&mut self) -> Result<(), Failure> {
        let (slot, seat) = (self.hand, self.rail.seat());
        let offered = self.offer.take().filter(|(at, _)| *at == slot).map(|(_, amount)| amount);
        let Some(amount) = offered.or_else(|| self.in_hand()) else { return Ok(()) };
        self.order(Command::Bet { seat, slot, amount, manner: Manner::default() })?;
        let refused = self.notes.last().is_some_and(|note| note.kind == Kind::Refused);
        if let (true, Ok(terms)) = (refused, self.rail.table().terms(seat, slot, None)) {
            let (below, above) = chips::near(&terms, amount);
            self.offer = above.or(below).filter(|other| *other != amount).map(|other| (slot, other));
        }
        Ok(())
    }

    /// Takes the picked chip off a bet, or takes the whole bet down if it isn't larger than the chip.
    pub(crate) fn reduce(&mut self) -> Result<(), Failure> {
        let (Some(stands), Some(chip)) = (self.stands(), self.in_hand()) else { return Ok(()) };
        self.take_off(if chip.money() < stands.money() { chip } else { stands })
    }

    /// Takes the selected bet down.
    pub(crate) fn take_down(&mut self) -> Result<(), Failure> {
        let Some(stands) = self.stands() else { return Ok(()) };
        self.take_off(stands)
    }

    fn take_off(&mut self, amount: Stake) -> Result<(), Failure> {
        self.order(Command::TakeDown { seat: self.rail.seat(), slot: self.hand, amount })
    }

    /// Raises the selected bet by its amount divided by `part`: 1 is a press, 2 a half press.
    pub(crate) fn press(&mut self, part: i64) -> Result<(), Failure> {
        let Some(stands) = self.stands() else { return Ok(()) };
        let minor = stands.money().minor();
        match Stake::new(Money::from_minor(minor / part)).filter(|_| minor % part == 0) {
            Some(amount) => {
                let (seat, slot) = (self.rail.seat(), self.hand);
                self.order(Command::Bet { seat, slot, amount, manner: Manner::default() })
            }
            None => {
                self.note(Kind::Refused, format!("{stands} can't be halved"));
                Ok(())
            }
        }
    }

    /// Bets the maximum: full odds if the selected bet takes odds, otherwise the maximum on the bet itself.
    pub(crate) fn most(&mut self) -> Result<(), Failure> {
        let (table, seat) = (self.rail.table(), self.rail.seat());
        let behind = table.board().slot(self.hand).odds.filter(|odds| table.terms(seat, *odds, None).is_ok());
        let slot = behind.unwrap_or(self.hand);
        let name = self.name(slot);
        match table.terms(seat, slot, None) {
            Err(refusal) => self.note(Kind::Refused, self.rail.refused(&refusal)),
            Ok(terms) => match terms.max {
                None => self.note(Kind::Refused, format!("{name} has no maximum here; say how much to bet")),
                Some(max) => {
                    let step = i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX);
                    let more = max.minor() / step * step - terms.standing.minor();
                    match Stake::new(Money::from_minor(more)) {
                        Some(amount) => {
                            return self.order(Command::Bet { seat, slot, amount, manner: Manner::default() });
                        }
                        None => {
                            self.note(Kind::Refused, format!("{name} is already at its maximum of {}", terms.standing))
                        }
                    }
                }
            },
        }
        Ok(())
    }

    /// Turns the selected bet off or on, or removes that call again.
    pub(crate) fn call(&mut self) -> Result<(), Failure> {
        let Some(bet) = self.own(self.hand) else { return Ok(()) };
        let works = self.rail.table().works(self.rail.seat(), self.hand);
        let called = match (bet.called, works) {
            (Called::Standard, true) => Called::Off,
            (Called::Standard, false) => Called::On,
            _ => Called::Standard,
        };
        self.order(Command::Call { seat: self.rail.seat(), slot: self.hand, called })
    }

    /// Returns the amount of the player's selected bet. Shows a message if there is none.
    fn stands(&mut self) -> Option<Stake> {
        let stands = self.own(self.hand).and_then(|bet| Stake::new(bet.stake));
        if stands.is_none() {
            let name = self.name(self.hand);
            self.note(Kind::Refused, format!("you have no bet on {name}"));
        }
        stands
    }

    /// Switches to the next player.
    pub(crate) fn next_player(&mut self) {
        let seats: Vec<SeatId> = self.rail.table().seats().map(|(seat, _)| seat).collect();
        let at = seats.iter().position(|seat| *seat == self.rail.seat()).unwrap_or(0);
        if let Some(next) = seats.get((at + 1) % seats.len().max(1)) {
            self.rail.speak_for(*next);
        }
    }

    /// Opens the card that explains a roll, or one result of it.
    pub(crate) fn why(&mut self, roll: u32, result: Option<usize>) -> Result<(), Failure> {
        let which = result.map(|result| format!(".{result}")).unwrap_or_default();
        let replies = self.rail.hear(&format!("why {roll}{which}"))?;
        let text = replies.into_iter().find_map(|reply| match reply {
            Reply::Answer(text) => Some(text),
            _ => None,
        });
        let thrown = self.rail.thrown().iter().find(|rolled| rolled.number == roll);
        let dice = thrown.map(|rolled| format!(": {}", rolled.dice)).unwrap_or_default();
        let title = format!("roll {roll}{which}{dice}");
        self.card = Some(Card { title, text: text.unwrap_or_default(), top: 0, roll: Some(roll) });
        Ok(())
    }

    /// Returns the number of the last roll, if there was one.
    pub(crate) fn last_roll(&self) -> Option<u32> {
        self.rail.session().next_roll().checked_sub(1).filter(|roll| *roll > 0)
    }

    /// Shows replies as messages or cards.
    pub(crate) fn take(&mut self, replies: Vec<Reply>) {
        self.back = 0;
        self.offer = None;
        for reply in replies {
            match reply {
                Reply::Done(echo) => {
                    let who = self.who(self.rail.seat());
                    self.note(Kind::Done, format!("{who}ok: {echo}"));
                }
                Reply::Refused(refusal) => self.note(Kind::Refused, self.rail.refused(&refusal)),
                Reply::Asked { ask, .. } => self.note(Kind::Refused, ask.to_string()),
                Reply::Called(rolled, call) => {
                    let mark = rolled.mark.map(String::from).unwrap_or_default();
                    let call = call.map(|call| format!("  {call}")).unwrap_or_default();
                    self.note(Kind::Call, format!("{}. {}{mark}{call}", rolled.number, rolled.dice));
                }
                Reply::Result(line) => self.result(&line),
                Reply::Answer(text) if text.contains('\n') => {
                    self.card = Some(Card { title: "answer".to_owned(), text, top: 0, roll: None });
                }
                Reply::Answer(text) => self.note(Kind::Said, text),
                Reply::Coach(advice) => self.note(Kind::Said, format!("coach: {advice}")),
                Reply::Confirm(question) => self.note(Kind::Question, question),
                Reply::Bye => self.is_over = true,
            }
        }
        if !self.places().has(self.hand) {
            self.hand = self.places().first().unwrap_or(self.hand);
        }
    }

    /// Returns the player's name with a colon if there are several players, otherwise nothing.
    fn who(&self, seat: SeatId) -> String {
        let table = self.rail.table();
        let name = table.seat(seat).filter(|_| table.seats().count() > 1).map(|seat| format!("{}: ", seat.name));
        name.unwrap_or_default()
    }

    fn result(&mut self, line: &ResultLine) {
        let who = self.who(line.seat);
        let kind = match line.verdict {
            Verdict::Won { .. } | Verdict::Credited { .. } => Kind::Won,
            Verdict::Lost => Kind::Lost,
            Verdict::Returned | Verdict::Moved { .. } => Kind::Even,
        };
        self.notes.push(Note { kind, text: format!("{who}{line}"), reference: Some(line.reference) });
    }

    /// Adds a message.
    pub(crate) fn note(&mut self, kind: Kind, text: String) {
        self.notes.push(Note { kind, text, reference: None });
    }
}
