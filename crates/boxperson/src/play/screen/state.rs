//! What a screen knows beyond the game: where the player's hand is, the chip in it, what is being typed, and what has been said.

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

/// What is there to read before anything has happened.
const WELCOME: [&str; 3] = [
    "Practice money, an automatic crew, and the dice are yours.",
    "A hand: bet the line, throw, and throw until it is decided.",
    "Enter bets, Space throws, arrows look around, ? teaches.",
];

/// What keys mean now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Mode {
    /// The hand is on the felt.
    Felt,
    /// Somebody talks.
    Talk,
    /// A code is being typed to go to its place.
    Jump(String),
}

/// What became of something, for its sign and colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// It was done.
    Done,
    /// It was refused or not understood.
    Refused,
    /// The stick's call.
    Call,
    /// A win.
    Won,
    /// A loss.
    Lost,
    /// Neither.
    Even,
    /// An answer, or what the coach says.
    Said,
    /// A question that waits for a yes.
    Question,
}

/// One line of what was said and done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Note {
    /// What it is.
    pub(crate) kind: Kind,
    /// In words.
    pub(crate) text: String,
    /// The roll and result it can be asked about.
    pub(crate) reference: Option<(u32, usize)>,
}

/// A text laid over the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Card {
    /// What it is about.
    pub(crate) title: String,
    /// The text.
    pub(crate) text: String,
    /// The first line that is shown.
    pub(crate) top: u16,
    /// The roll it explains: the arrows turn to the one before and after.
    pub(crate) roll: Option<u32>,
}

/// What lies under the pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hit {
    /// A place on the felt.
    Place(SlotId),
    /// A chip of the rail.
    Chip(usize),
    /// A result that can be asked about.
    Result(u32, usize),
    /// The dice.
    Dice,
    /// The line one talks on.
    Talk,
    /// A player.
    Seat(SeatId),
}

/// A screen with its game.
pub(crate) struct Screen<'a> {
    /// The game.
    pub(crate) rail: Rail<'a>,
    /// What keys mean.
    pub(crate) mode: Mode,
    /// The place the hand is on.
    pub(crate) hand: SlotId,
    /// The column the hand keeps while it goes up and down.
    pub(crate) across: Option<usize>,
    /// The chips there are.
    pub(crate) chips: Vec<Stake>,
    /// Which of them is in the hand.
    pub(crate) chip: usize,
    /// An amount that would do where the chip did not, offered once.
    pub(crate) offer: Option<(SlotId, Stake)>,
    /// What is being typed.
    pub(crate) line: TalkLine,
    /// What was said and done, oldest first.
    pub(crate) notes: Vec<Note>,
    /// How many notes the ribbon is scrolled back.
    pub(crate) back: usize,
    /// What lies over the table.
    pub(crate) card: Option<Card>,
    /// The places of the last drawing.
    pub(crate) hits: Vec<(Rect, Hit)>,
    /// The styles.
    pub(crate) theme: Theme,
    /// Has somebody quit?
    pub(crate) is_over: bool,
    /// What bets cost, as far as it was asked.
    costs: BTreeMap<(SlotId, craps_wagers::Phase), String>,
}

impl<'a> Screen<'a> {
    /// A screen for a game.
    pub(crate) fn new(rail: Rail<'a>, theme: Theme) -> Result<Screen<'a>, Failure> {
        let hand = Places::of(rail.table(), rail.seat()).first();
        let hand = hand.ok_or_else(|| Failure::Usage("this table has no bet at all".to_owned()))?;
        let chips = chips::of(rail.table());
        let chip = chips::first(rail.table(), rail.seat(), hand, &chips);
        let welcome = |text: &str| Note { kind: Kind::Said, text: text.to_owned(), reference: None };
        let notes = match rail.session().next_roll() {
            1 => WELCOME.map(welcome).to_vec(),
            next => vec![welcome(&format!("The game goes on: roll {next} is next."))],
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

    /// The places of the felt as it is now.
    pub(crate) fn places(&self) -> Places {
        Places::of(self.rail.table(), self.rail.seat())
    }

    /// What a bet is called.
    pub(crate) fn name(&self, slot: SlotId) -> String {
        talk::slot_name(self.rail.table(), slot)
    }

    /// The player's own bet on a place.
    pub(crate) fn own(&self, slot: SlotId) -> Option<&Bet> {
        self.rail.table().seat(self.rail.seat())?.bets.get(slot)
    }

    /// The chip in the hand.
    pub(crate) fn in_hand(&self) -> Option<Stake> {
        self.chips.get(self.chip).copied()
    }

    /// Would the table let the dice be thrown now?
    pub(crate) fn may_roll(&self) -> bool {
        let throw = Command::Throw { dice: craps_dice::Throw::ALL[0] };
        let stick = craps_table::Actor::staff(craps_table::Role::Stick);
        self.rail.table().decide(stick, &throw, &mut Vec::new()).is_ok()
    }

    /// Was anything done since the last throw?
    pub(crate) fn may_undo(&self) -> bool {
        !self.rail.session().clone().undo().is_ok_and(|commands| commands.is_empty())
    }

    /// What a bet costs here, worked out once.
    pub(crate) fn cost(&mut self, slot: SlotId) -> String {
        let key = (slot, self.rail.table().phase());
        let rail = &self.rail;
        self.costs.entry(key).or_insert_with(|| rail.advice(slot)).clone()
    }

    // ---- what is said and done ----

    /// Says a line, as if it had been typed.
    pub(crate) fn say(&mut self, line: &str) -> Result<(), Failure> {
        let replies = self.rail.hear(line)?;
        self.take(replies);
        Ok(())
    }

    /// Gives an order by hand: the same words, the same answers.
    pub(crate) fn order(&mut self, command: Command) -> Result<(), Failure> {
        let echo = talk::say(self.rail.table(), &command).unwrap_or_default();
        let replies = self.rail.confirmed(&echo, &[command])?;
        self.take(replies);
        Ok(())
    }

    /// Adds the chip in the hand, or what was offered in its place.
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

    /// Takes a chip off a bet, or all of it where it is not worth more.
    pub(crate) fn reduce(&mut self) -> Result<(), Failure> {
        let (Some(stands), Some(chip)) = (self.stands(), self.in_hand()) else { return Ok(()) };
        self.take_off(if chip.money() < stands.money() { chip } else { stands })
    }

    /// Takes a bet down.
    pub(crate) fn take_down(&mut self) -> Result<(), Failure> {
        let Some(stands) = self.stands() else { return Ok(()) };
        self.take_off(stands)
    }

    fn take_off(&mut self, amount: Stake) -> Result<(), Failure> {
        self.order(Command::TakeDown { seat: self.rail.seat(), slot: self.hand, amount })
    }

    /// Raises a bet by all or half of what stands.
    pub(crate) fn press(&mut self, part: i64) -> Result<(), Failure> {
        let Some(stands) = self.stands() else { return Ok(()) };
        let minor = stands.money().minor();
        match Stake::new(Money::from_minor(minor / part)).filter(|_| minor % part == 0) {
            Some(amount) => {
                let (seat, slot) = (self.rail.seat(), self.hand);
                self.order(Command::Bet { seat, slot, amount, manner: Manner::default() })
            }
            None => {
                self.note(Kind::Refused, format!("{stands} cannot be halved"));
                Ok(())
            }
        }
    }

    /// As much as the table takes: of odds, where the hand is on a bet that they stand behind.
    pub(crate) fn most(&mut self) -> Result<(), Failure> {
        let (table, seat) = (self.rail.table(), self.rail.seat());
        let behind = table.board().slot(self.hand).odds.filter(|odds| table.terms(seat, *odds, None).is_ok());
        let slot = behind.unwrap_or(self.hand);
        let name = self.name(slot);
        match table.terms(seat, slot, None) {
            Err(refusal) => self.note(Kind::Refused, format!("refused: {refusal}")),
            Ok(terms) => match terms.max {
                None => self.note(Kind::Refused, format!("{name} has no maximum here: say how much")),
                Some(max) => {
                    let step = i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX);
                    let more = max.minor() / step * step - terms.standing.minor();
                    match Stake::new(Money::from_minor(more)) {
                        Some(amount) => {
                            return self.order(Command::Bet { seat, slot, amount, manner: Manner::default() });
                        }
                        None => {
                            self.note(Kind::Refused, format!("{} stands on {name}: that is the most", terms.standing))
                        }
                    }
                }
            },
        }
        Ok(())
    }

    /// Calls a bet on or off, or leaves it to the book again.
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

    /// What the player has where the hand is; a note where it is nothing.
    fn stands(&mut self) -> Option<Stake> {
        let stands = self.own(self.hand).and_then(|bet| Stake::new(bet.stake));
        if stands.is_none() {
            let name = self.name(self.hand);
            self.note(Kind::Refused, format!("nothing of yours stands on {name}"));
        }
        stands
    }

    /// Lets the next player speak.
    pub(crate) fn next_player(&mut self) {
        let seats: Vec<SeatId> = self.rail.table().seats().map(|(seat, _)| seat).collect();
        let at = seats.iter().position(|seat| *seat == self.rail.seat()).unwrap_or(0);
        if let Some(next) = seats.get((at + 1) % seats.len().max(1)) {
            self.rail.speak_for(*next);
        }
    }

    /// Explains a roll, or one result of it.
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

    /// The last roll, if there was one.
    pub(crate) fn last_roll(&self) -> Option<u32> {
        self.rail.session().next_roll().checked_sub(1).filter(|roll| *roll > 0)
    }

    /// Writes down what came back.
    pub(crate) fn take(&mut self, replies: Vec<Reply>) {
        self.back = 0;
        self.offer = None;
        for reply in replies {
            match reply {
                Reply::Done(echo) => {
                    let who = self.who(self.rail.seat());
                    self.note(Kind::Done, format!("{who}ok: {echo}"));
                }
                Reply::Refused(refusal) => self.note(Kind::Refused, format!("refused: {refusal}")),
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

    /// Whose it is, where there are several players.
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

    /// Adds a line to the ribbon.
    pub(crate) fn note(&mut self, kind: Kind, text: String) {
        self.notes.push(Note { kind, text, reference: None });
    }
}
