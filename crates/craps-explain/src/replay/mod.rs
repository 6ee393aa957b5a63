//! Replays: a game played again, with everything that a page needs to show any roll without another request.
//!
//! Bets are sent as changes, so that a game with ten thousand rolls stays small. The client adds them up.

mod felt;
mod law;
mod view;

use crate::games::{GameDifference, GameOf, NotExplained, UNNAMED};
use crate::view::{LineMark, MarkerView, markers, results};
use craps_dice::Throw;
use craps_law::Library;
use craps_money::Money;
use craps_notation::{Calls, Dice, Line, Roll, Step, Steps, felt_string};
use craps_table::{SeatId, Slot, SlotId, Table};
use felt::{Stands, changes, felt};
use law::There;
use serde::Serialize;
use std::collections::BTreeMap;

pub use felt::FeltChange;
pub use law::{LawDifference, LawSide, OtherLaw, OtherStep};
pub use view::{
    BetNamed, LineView, RailChange, RefusedBy, ReplayAct, ReplayEnd, ReplayHeader, ReplayStep, RulesShown, SeatBegins,
    SeatChange, SeatEnds,
};

/// Maximum number of rolls in a replay.
pub const ROLLS_MOST: usize = 20_000;

/// A game, roll by roll. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Replay {
    /// Titles of all games in the text. Empty for a game without a title.
    pub titles: Vec<String>,
    /// Number of this game in the text, from 1.
    pub game: usize,
    /// Rules, tags and players at the start.
    pub header: ReplayHeader,
    /// All bets on the layout, by code.
    pub bets: BTreeMap<String, BetNamed>,
    /// The rolls in order.
    pub steps: Vec<ReplayStep>,
    /// The end of the game.
    pub end: ReplayEnd,
    /// Places where the text differs from the law.
    pub differences: Vec<GameDifference>,
    /// The same dice and actions under another law, if that was asked for. The differences are in the steps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherLaw>,
}

/// Returns the felt string of a game before a roll, and the rules of its house.
///
/// ```
/// use craps_explain::games::GameOf;
/// use craps_explain::replay::felt_before;
/// use craps_law::Library;
/// let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 4-2 |\n2. | 6-1 |\n";
/// let game = GameOf { text, game: 1, houses: &craps_notation::no_house_files, other: None };
/// let (felt, rules) = felt_before(&Library::shipped(), &game, 2)?;
/// assert!(felt.contains("P~10"), "{felt}");
/// assert_eq!(rules.book, "pa");
/// # Ok::<(), craps_explain::games::NotExplained>(())
/// ```
///
/// # Errors
/// When there is no such game or roll, or the game can't be played.
pub fn felt_before(library: &Library, asked: &GameOf<'_>, roll: u32) -> Result<(String, RulesShown), NotExplained> {
    asked.found(|game, tags, _| {
        let mut steps = Steps::open(library, game, tags, asked.houses, None)?;
        for line in &game.lines {
            let step = steps.line(line)?;
            if let (Line::Roll(it), Some(step)) = (line, step)
                && it.number == roll
            {
                return Ok((felt_string(&step.before, roll), RulesShown::new(steps.house(), &step.before)));
            }
        }
        Err(NotExplained::Missing(format!("there is no roll {roll}")))
    })
}

impl Replay {
    /// Plays a game again.
    ///
    /// ```
    /// use craps_explain::{GameOf, Replay};
    /// use craps_law::{HouseRules, Library};
    /// let library = Library::shipped();
    /// let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 | 6-6 |\n";
    /// let new_jersey = HouseRules::plain("nj", "2024-01-01".parse()?);
    /// let game = GameOf { text, game: 1, houses: &craps_notation::no_house_files, other: Some(new_jersey) };
    /// let replay = Replay::new(&library, game)?;
    /// assert_eq!(replay.steps[0].results.len(), 1);
    /// assert_eq!(replay.other.unwrap().rules.book, "nj");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such game, it can't be played, or it is too long.
    pub fn new(library: &Library, asked: GameOf<'_>) -> Result<Replay, NotExplained> {
        asked.found(|game, tags, titles| {
            let rolls = game.lines.iter().filter(|line| matches!(line, Line::Roll(_))).count();
            if rolls > ROLLS_MOST {
                return Err(NotExplained::TooLong { rolls });
            }
            let open = |other| Steps::open(library, game, tags, asked.houses, other);
            let mut here = Shown::new(open(None)?);
            let there = asked.other.clone().map(|house| open(Some(house))).transpose()?;
            let mut there = there.map(|steps| There::new(library, steps));
            let header = ReplayHeader::new(tags, &here.steps);
            let mut steps = Vec::with_capacity(rolls);
            for line in &game.lines {
                let step = here.steps.line(line)?;
                let other = there.as_mut().map(|there| there.line(line)).transpose()?.flatten();
                if let (Line::Roll(roll), Some(step)) = (line, &step) {
                    let mut view = here.step(roll, step);
                    if let (Some(there), Some(other)) = (&mut there, &other) {
                        view.other = there.compared(here.steps.table(), step, other);
                    }
                    steps.push(view);
                }
            }
            let (end, bets, other) = (here.end(), bets(here.steps.table()), there.map(There::end));
            let differences = &here.steps.played().differences;
            let differences = differences.iter().map(|one| GameDifference::new(UNNAMED, one)).collect();
            Ok(Replay { titles, game: asked.game, header, bets, steps, end, differences, other })
        })
    }
}

/// A game, and what the steps so far have shown of it.
struct Shown {
    steps: Steps,
    felt: BTreeMap<(SeatId, SlotId), Stands>,
    rails: BTreeMap<SeatId, i64>,
    names: BTreeMap<SeatId, String>,
    markers: Vec<MarkerView>,
}

impl Shown {
    /// Starts with the players and their chips.
    fn new(steps: Steps) -> Shown {
        let (rails, names) = (rails(steps.table()), names(steps.table()));
        Shown { steps, felt: BTreeMap::new(), rails, names, markers: Vec::new() }
    }

    fn step(&mut self, roll: &Roll, step: &Step) -> ReplayStep {
        let (before, after) = (&step.before, self.steps.table());
        let (dice, no_roll, call) = match &roll.dice {
            Dice::Thrown { dice, text, .. } => {
                let call = Calls::Plain.of(before.rules(), before.phase(), *dice).unwrap_or_default();
                (Some(order(text, *dice)), None, call)
            }
            Dice::NoRoll { reason, .. } => {
                (None, Some(reason.name().to_owned()), format!("no roll: {}", reason.name()))
            }
        };
        let now = felt(before);
        let felt = changes(before, &std::mem::replace(&mut self.felt, now.clone()), &now);
        let names = names(before);
        let left = self.names.keys().filter(|seat| !names.contains_key(seat)).map(|seat| (*seat, None));
        let came = names.iter().filter(|(seat, name)| self.names.get(seat) != Some(name));
        let came = came.map(|(seat, name)| (*seat, Some(name.clone())));
        let seats = left.chain(came).map(|(seat, name)| SeatChange { seat, name }).collect();
        self.names = names;
        let then = rails(after);
        let rail =
            |(seat, before): (SeatId, i64)| RailChange { seat, before, after: then.get(&seat).copied().unwrap_or(0) };
        let moved = |rail: &RailChange| rail.before != rail.after || self.rails.get(&rail.seat) != Some(&rail.before);
        let rails = rails(before).into_iter().map(rail).filter(moved).collect();
        self.rails = then;
        let shown = markers(after);
        let changed = shown != self.markers;
        self.markers.clone_from(&shown);
        let layout = before.board();
        ReplayStep {
            roll: roll.number,
            line: roll.place.line,
            dice,
            no_roll,
            refused: step.refused.as_ref().map(RefusedBy::from),
            mark: step.mark.map(String::from),
            line_mark: step.mark.and_then(LineMark::of),
            shooter: step.shooter.map(Into::into),
            before: LineView::of(before),
            after: LineView::of(after),
            call,
            acts: step.acts.iter().map(ReplayAct::from).collect(),
            seats,
            felt,
            rails,
            results: results(|slot| &layout.slot(slot).code, &step.results),
            markers: changed.then_some(shown),
            notes: step.notes.clone(),
            other: None,
        }
    }

    fn end(&self) -> ReplayEnd {
        let table = self.steps.table();
        ReplayEnd {
            line: LineView::of(table),
            shooter: table.shooter().map(Into::into),
            felt: changes(table, &self.felt, &felt(table)),
            seats: ends(&self.steps),
        }
    }
}

/// Returns the faces in the order in which they are written.
fn order(text: &str, dice: Throw) -> [u8; 2] {
    let written = text.split('-').next().and_then(|first| first.trim().parse().ok());
    let (low, high) = (dice.low().pips(), dice.high().pips());
    if written == Some(high) { [high, low] } else { [low, high] }
}

fn rails(table: &Table) -> BTreeMap<SeatId, i64> {
    table.seats().map(|(seat, player)| (seat, player.rail.minor())).collect()
}

fn names(table: &Table) -> BTreeMap<SeatId, String> {
    table.seats().map(|(seat, player)| (seat, player.name.clone())).collect()
}

/// Returns all bets on the layout, by code.
fn bets(table: &Table) -> BTreeMap<String, BetNamed> {
    let layout = table.board();
    let named = |(slot, place): (SlotId, &Slot)| {
        let named = BetNamed {
            name: layout.rules(table.rules(), slot).name.clone(),
            number: place.number.map(|number| number.value()),
            behind: place.front.map(|front| layout.slot(front).code.clone()),
        };
        (place.code.clone(), named)
    };
    layout.slots().map(named).collect()
}

/// Returns the result of each seat that had a player.
fn ends(steps: &Steps) -> Vec<SeatEnds> {
    let end = |(seat, brought): (SeatId, Money)| {
        let player = steps.table().seat(seat);
        let rail = player.map_or(0, |player| player.rail.minor());
        let felt = player.map_or(0, |player| player.bets.standing().map(|(_, bet)| bet.stake.minor()).sum());
        SeatEnds { seat, rail, felt, net: rail.saturating_add(felt).saturating_sub(brought.minor()) }
    };
    steps.brought().map(end).collect()
}
