//! Replays a game roll by roll.

use super::open::{house_of, seated};
use super::{Explained, HouseFiles, Names, Played, Scribe, Tags, Unplayable, is_header_only, take_over};
use crate::game::{Game, Line, Place};
use crate::talk::say;
use craps_law::{HouseRules, Library};
use craps_money::Money;
use craps_table::{Command, Manner, Refusal, SeatId, Shooter, Table};
use std::collections::BTreeMap;

/// A game being replayed roll by roll.
///
/// ```
/// use craps_law::Library;
/// use craps_notation::{Steps, nth, read};
/// let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 4-2 |\n2. 1:PO+20 | 5-1 |\n";
/// let games = read(text)?;
/// let (game, tags) = nth(&games, 1).unwrap();
/// let mut steps = Steps::open(&Library::shipped(), game, &tags, &craps_notation::no_house_files, None).unwrap();
/// let mut second = None;
/// for line in &game.lines {
///     second = steps.line(line).unwrap();
/// }
/// let second = second.unwrap();
/// assert_eq!((second.acts[0].words.as_str(), second.mark), ("pass odds for 20", Some('*')));
/// assert_eq!(steps.table().seat(1).unwrap().rail.to_string(), "134");
/// # Ok::<(), craps_notation::Malformed>(())
/// ```
#[derive(Debug)]
pub struct Steps {
    scribe: Scribe,
    house: HouseRules,
}

/// One roll of a replayed game.
#[derive(Debug, Clone)]
pub struct Step {
    /// What happened since the previous roll, in order.
    pub acts: Vec<Acted>,
    /// The table after those acts, before the dice were rolled.
    pub before: Table,
    /// Who rolled the dice.
    pub shooter: Option<Shooter>,
    /// The mark after the dice, which shows what the roll did to the line, such as `^` for a point set.
    pub mark: Option<char>,
    /// The bets it decided, in the order in which results are printed.
    pub results: Vec<Explained>,
    /// Why the roll, or the call of no roll, was refused.
    pub refused: Option<Refusal>,
    /// Comments: those before the roll first, then those on its line.
    pub notes: Vec<String>,
}

/// Something done between two rolls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acted {
    /// Position in the text.
    pub place: Place,
    /// Seat of the player; None if the staff did it.
    pub seat: Option<SeatId>,
    /// Code of the bet that it is about, if any.
    pub bet: Option<String>,
    /// True if it puts chips on that bet.
    pub adds: bool,
    /// The notation, such as `1:PO+20`.
    pub text: String,
    /// Plain words, such as "pass odds for 20".
    pub words: String,
    /// Commission taken with the bet, or refunded.
    pub commission: Money,
    /// True if it is marked `?` as doubtful.
    pub doubtful: bool,
    /// The table's reason if it was refused.
    pub refused: Option<Refusal>,
}

/// Collects the parts of the next step.
#[derive(Debug, Clone, Default)]
pub(super) struct Telling {
    pub(super) acts: Vec<Acted>,
    pub(super) notes: Vec<String>,
    pub(super) step: Option<Step>,
    /// Money each seat brought to the table, minus what it took away.
    pub(super) brought: BTreeMap<SeatId, Money>,
}

/// Returns the game with this number, counted from one, and all its tags. A header with only tags for later games doesn't count.
///
/// ```
/// use craps_notation::{nth, read};
/// let games = read("[CGN \"1\"] [Rules \"pa\"]\n1. 1:P+10 | 5-6 |\n")?;
/// let (game, tags) = nth(&games, 1).unwrap();
/// assert_eq!((game.lines.len(), tags["Rules"].text.as_str()), (1, "pa"));
/// assert!(nth(&games, 2).is_none());
/// # Ok::<(), craps_notation::Malformed>(())
/// ```
#[must_use]
pub fn nth(games: &[Game], number: usize) -> Option<(&Game, Tags)> {
    let mut tags = Tags::new();
    let mut count = 0;
    for game in games {
        take_over(&mut tags, game);
        count += usize::from(!is_header_only(game));
        if count == number && !is_header_only(game) {
            return Some((game, tags));
        }
    }
    None
}

/// Returns the titles of the games in order. A game without a title has an empty one.
///
/// ```
/// use craps_notation::{read, titles};
/// let games = read("[CGN \"1\"] [Rules \"pa\"] [Case \"A natural\"]\n1. 1:P+10 | 5-6 |\n")?;
/// assert_eq!(titles(&games), ["A natural"]);
/// # Ok::<(), craps_notation::Malformed>(())
/// ```
#[must_use]
pub fn titles(games: &[Game]) -> Vec<String> {
    let title = |game: &Game| game.tags.iter().find(|tag| tag.name == "Case").map(|tag| tag.text.clone());
    games.iter().filter(|game| !is_header_only(game)).map(|game| title(game).unwrap_or_default()).collect()
}

impl Steps {
    /// Opens the table of a game: with its own house rules, or with `other` to try the same game at another house.
    ///
    /// # Errors
    /// When the tags are malformed or the house rules are unlawful.
    pub fn open(
        library: &Library,
        game: &Game,
        tags: &Tags,
        houses: HouseFiles<'_>,
        other: Option<HouseRules>,
    ) -> Result<Steps, Unplayable> {
        let house = match other {
            Some(house) => house,
            None => house_of(library, game, tags, houses)?,
        };
        let table = seated(library, game, tags, &house)?;
        let mut scribe = Scribe::new(table, Names::Codes, String::new());
        let brought = scribe.table.seats().map(|(seat, player)| (seat, player.rail)).collect();
        scribe.telling = Some(Telling { brought, ..Telling::default() });
        Ok(Steps { scribe, house })
    }

    /// Returns the house rules of the table.
    #[must_use]
    pub fn house(&self) -> &HouseRules {
        &self.house
    }

    /// Returns the table in its current state.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.scribe.table
    }

    /// Money each seat brought to the table, minus what it took away.
    pub fn brought(&self) -> impl Iterator<Item = (SeatId, Money)> {
        self.scribe.telling.iter().flat_map(|telling| telling.brought.iter().map(|(seat, money)| (*seat, *money)))
    }

    /// Plays the next line. Returns a step if the line is a roll.
    ///
    /// # Errors
    /// When the line is a roll with the wrong number.
    pub fn line(&mut self, line: &Line) -> Result<Option<Step>, Unplayable> {
        self.scribe.line(line)?;
        Ok(self.scribe.telling.as_mut().and_then(|telling| telling.step.take()))
    }

    /// Ends the replay and returns the outcome of the game.
    #[must_use]
    pub fn played(self) -> Played {
        self.scribe.played()
    }
}

/// Describes a command in plain words.
pub(super) fn words(table: &Table, command: &Command) -> String {
    let said = |command: &Command| say(table, command);
    match command {
        Command::Bet { seat, slot, amount, manner } if manner.late.is_some() => {
            let manner = Manner { late: None, ..manner.clone() };
            let bet = said(&Command::Bet { seat: *seat, slot: *slot, amount: *amount, manner });
            format!("{}, dice in the air", bet.unwrap_or_default())
        }
        Command::InFlight { command } => format!("{}, dice in the air", words(table, command)),
        Command::Join { name, money, .. } => format!("{name} sits down with {money}"),
        Command::TakeDice { seat: None, .. } => "the dealer takes the dice".to_owned(),
        Command::OrderPass => "the shooter must pass the dice".to_owned(),
        Command::OrderOff { ground } => format!("the shooter must pass the dice: {}", ground.name().replace('-', " ")),
        Command::Nominate { shooter, .. } => format!("seat {shooter} is to roll the dice"),
        Command::Withdraw { .. } => "all bets down".to_owned(),
        Command::Rule { amount, reason, .. } => format!("ruling: {amount}, {reason}"),
        Command::NoRoll { reason, .. } => format!("no roll: {}", reason.name()),
        Command::Draw { selection } => {
            let level = |(wager, level): &(_, usize)| format!("{wager} at level {}", level + 1);
            format!("draw: {}", selection.iter().map(level).collect::<Vec<_>>().join(", "))
        }
        command => said(command).unwrap_or_default(),
    }
}
