//! A game played again, told so that a page can show any roll of it without asking again.
//!
//! What stands on the felt is told as changes: a game of ten thousand rolls stays small, and whoever shows it adds them up.

mod law;

use crate::error::ApiError;
use crate::games::{Asked, Difference, NAME};
use crate::house::unlawful;
use crate::live::rows::results;
use crate::live::view::{
    AfterWinView, BetView, CalledView, LimitsView, MarkerView, PhaseView, ResultView, ShooterView, gathered, limits,
    markers, phase,
};
use craps_dice::Throw;
use craps_law::{HouseRules, Library};
use craps_money::Money;
use craps_notation::{Acted, Calls, Dice, Line, Place, Roll, Step, Steps, Unplayable, felt_string, nth, read, titles};
use craps_table::{Bet, Refusal, SeatId, Slot, SlotId, Table};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

pub use law::{LawDifference, LawSide, OtherLaw, OtherStep};

/// The most rolls of a game that is played again.
pub const ROLLS_MOST: usize = 20_000;

/// A game, roll by roll. Amounts are in minor units.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Replay {
    /// The games of the text, by their titles; one that has none is an empty text.
    pub titles: Vec<String>,
    /// Which of them this is, from one.
    pub game: usize,
    /// What stands at its head.
    pub header: ReplayHeader,
    /// Every bet of its layout, by its code.
    pub bets: BTreeMap<String, BetNamed>,
    /// Its rolls, in order.
    pub steps: Vec<StepView>,
    /// How it ends.
    pub end: ReplayEnd,
    /// Where the text says other than the law.
    pub differences: Vec<Difference>,
    /// The same dice and the same acts under another law, where that was asked for: steps tell where it comes out otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherLaw>,
}

/// What stands at the head of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReplayHeader {
    /// By which rules it is played.
    pub rules: RulesShown,
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// The table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// When it was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What an amount of one is worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Where its dice came from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<String>,
    /// What it is part of.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// A remark on all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Who sits there when it begins.
    pub seats: Vec<SeatBegins>,
    /// How many places there are.
    pub places: SeatId,
    /// What is posted.
    pub limits: LimitsView,
}

/// A house, as it may be asked for again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RulesShown {
    /// The book.
    pub book: String,
    /// The day whose law holds.
    pub as_of: String,
    /// The game.
    pub game: &'static str,
    /// What the house chooses, key by key.
    pub keys: BTreeMap<String, String>,
}

impl RulesShown {
    pub(crate) fn new(house: &HouseRules, table: &Table) -> RulesShown {
        RulesShown {
            book: house.book.clone(),
            as_of: house.as_of.to_string(),
            game: table.rules().game.word(),
            keys: house.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
        }
    }
}

/// Somebody who is there when a game begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatBegins {
    /// Where.
    pub seat: SeatId,
    /// Who.
    pub name: String,
    /// With how much.
    pub rail: i64,
}

/// A bet of a layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct BetNamed {
    /// What the book calls it.
    pub name: String,
    /// The number it stands on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// The bet that these odds stand behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

/// Where the line stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct LineView {
    /// The phase.
    pub phase: PhaseView,
    /// The point, if one is on.
    pub point: Option<u8>,
}

impl LineView {
    fn of(table: &Table) -> LineView {
        let (phase, point) = phase(table.phase());
        LineView { phase, point }
    }
}

/// One roll of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReplayStep)]
pub struct StepView {
    /// Its number.
    pub roll: u32,
    /// The line of the text that has it.
    pub line: usize,
    /// Both dice, the first die first; none where the throw does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<[u8; 2]>,
    /// Why the throw does not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_roll: Option<String>,
    /// Why the throw, or the call that it does not count, was refused: then the game goes on as if it had not been tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedBy>,
    /// What the throw did to the line: `^` point set, `*` point made, `%` seven-out, `+` come-out winner, `~` come-out craps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// Who threw.
    pub shooter: Option<ShooterView>,
    /// Where the line stood.
    pub before: LineView,
    /// Where it stands then.
    pub after: LineView,
    /// The stick's call.
    pub call: String,
    /// What was done since the roll before, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<ActView>,
    /// Who came or left since the roll before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatChange>,
    /// The felt before the dice, as changes since it was so at the step before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub felt: Vec<FeltChange>,
    /// Rails before the dice and after them; a seat that is not named still has what it had after the step before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rails: Vec<RailChange>,
    /// What the throw decided, in the order in which results are printed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ResultView>,
    /// What the markers of side bets show after the dice, where that has changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markers: Option<Vec<MarkerView>>,
    /// Remarks of the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What comes out otherwise under the other law.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherStep>,
}

/// Something done between two rolls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = ReplayAct)]
pub struct ActView {
    /// Whose, where it is a seat's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatId>,
    /// As the notation has it.
    pub code: String,
    /// As people say it.
    pub words: String,
    /// Commission that was taken with it, or given back.
    #[serde(skip_serializing_if = "is_zero")]
    pub commission: i64,
    /// Marked with `?` in the text.
    #[serde(skip_serializing_if = "is_not")]
    pub doubtful: bool,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedBy>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_not(said: &bool) -> bool {
    !*said
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_zero(amount: &i64) -> bool {
    *amount == 0
}

impl From<&Acted> for ActView {
    fn from(act: &Acted) -> ActView {
        ActView {
            seat: act.seat,
            code: act.text.clone(),
            words: act.words.clone(),
            commission: act.commission.minor(),
            doubtful: act.doubtful,
            refused: act.refused.as_ref().map(RefusedBy::from),
        }
    }
}

/// A refusal, with the words that refuse it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct RefusedBy {
    /// Why.
    pub message: String,
    /// By which words.
    pub cite: String,
}

impl From<&Refusal> for RefusedBy {
    fn from(refusal: &Refusal) -> RefusedBy {
        RefusedBy { message: refusal.message.clone(), cite: refusal.cites.to_string() }
    }
}

/// Somebody came or left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatChange {
    /// Where.
    pub seat: SeatId,
    /// Who sits there now; nobody where they left.
    pub name: Option<String>,
}

/// A bet that is not as it was. What is left out is as usual.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct FeltChange {
    /// Whose.
    pub seat: SeatId,
    /// Its code.
    pub bet: String,
    /// What is at risk now; nothing where the bet is gone.
    pub stake: i64,
    /// A coupon that rides on it.
    #[serde(skip_serializing_if = "is_zero")]
    pub coupon: i64,
    /// Commission paid with it.
    #[serde(skip_serializing_if = "is_zero")]
    pub commission: i64,
    /// What it was called, if anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub called: Option<CalledView>,
    /// What becomes of it when it wins, where that was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after_win: Option<AfterWinView>,
    /// What it has gathered: the marks that are lit for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gathered: Vec<String>,
    /// The next throw leaves it alone.
    #[serde(skip_serializing_if = "is_not")]
    pub off: bool,
}

impl FeltChange {
    /// A bet as it stands now; gone where none does.
    fn new(table: &Table, (seat, slot): (SeatId, SlotId), stands: Option<&Stands>) -> FeltChange {
        let code = &table.board().slot(slot).code;
        let gone = (Bet::default(), false);
        let (bet, off) = stands.unwrap_or(&gone);
        let view = BetView::new(code, bet);
        FeltChange {
            seat,
            bet: view.bet,
            stake: view.stake,
            coupon: view.coupon,
            commission: view.commission,
            called: Some(view.called).filter(|called| *called != CalledView::Standard),
            after_win: Some(view.after_win).filter(|after| *after != AfterWinView::Usual),
            gathered: gathered(table, slot, bet),
            off: *off,
        }
    }
}

/// A bet as far as it is shown, and whether it is off.
type Stands = (Bet, bool);

/// Everything on the felt.
fn felt(table: &Table) -> BTreeMap<(SeatId, SlotId), Stands> {
    let shown = |seat: SeatId, slot: SlotId, bet: &Bet| {
        // Whether it has seen a throw or a point is the table's to know.
        let bet = Bet { thrown: false, point_set: false, ..*bet };
        ((seat, slot), (bet, !table.works(seat, slot)))
    };
    let seats = table.seats();
    seats.flat_map(|(seat, player)| player.bets.standing().map(move |(slot, bet)| shown(seat, slot, bet))).collect()
}

/// What is not as it was.
fn changes(
    table: &Table,
    then: &BTreeMap<(SeatId, SlotId), Stands>,
    now: &BTreeMap<(SeatId, SlotId), Stands>,
) -> Vec<FeltChange> {
    let gone = then.keys().filter(|at| !now.contains_key(at)).map(|at| (*at, None));
    let other = now.iter().filter(|(at, stands)| then.get(at) != Some(stands)).map(|(at, stands)| (*at, Some(stands)));
    gone.chain(other).map(|(at, stands)| FeltChange::new(table, at, stands)).collect()
}

/// What is on a rail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct RailChange {
    /// Whose.
    pub seat: SeatId,
    /// Before the dice.
    pub before: i64,
    /// After them.
    pub after: i64,
}

/// How a game ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ReplayEnd {
    /// Where the line stands.
    pub line: LineView,
    /// Who has the dice.
    pub shooter: Option<ShooterView>,
    /// The felt, as changes since it was before the last dice.
    pub felt: Vec<FeltChange>,
    /// How every seat that was taken comes out of it.
    pub seats: Vec<SeatEnds>,
}

/// How a seat comes out of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatEnds {
    /// Which.
    pub seat: SeatId,
    /// What is on its rail.
    pub rail: i64,
    /// What is on the felt.
    pub felt: i64,
    /// Both, less what was brought.
    pub net: i64,
}

/// What is malformed, with its place.
pub(crate) fn malformed(place: Place, message: &str) -> ApiError {
    let Place { line, column } = place;
    ApiError::new(axum::http::StatusCode::BAD_REQUEST, "malformed", format!("line {line}, column {column}: {message}"))
}

/// Why a game cannot be played, as an error.
pub(crate) fn unplayable(error: Unplayable) -> ApiError {
    match error {
        Unplayable::Malformed(place, message) => malformed(place, &message),
        Unplayable::Unlawful(_, problems) => unlawful(&problems),
    }
}

/// The felt string of a game before the dice of a roll, and the house whose felt it is.
///
/// # Errors
/// When there is no such game or roll, or it cannot be played.
pub fn felt_before(library: &Library, asked: &Asked<'_>, roll: u32) -> Result<(String, RulesShown), ApiError> {
    let games = read(asked.text).map_err(|error| malformed(error.place, &error.message))?;
    let none = || ApiError::not_found(format!("there are {} games, and no game {}", games.len(), asked.game));
    let (game, tags) = nth(&games, asked.game).ok_or_else(none)?;
    let mut steps = Steps::open(library, game, &tags, asked.houses, None).map_err(unplayable)?;
    for line in &game.lines {
        let step = steps.line(line).map_err(unplayable)?;
        if let (Line::Roll(it), Some(step)) = (line, step)
            && it.number == roll
        {
            return Ok((felt_string(&step.before, roll), RulesShown::new(steps.house(), &step.before)));
        }
    }
    Err(ApiError::not_found(format!("the game has no roll {roll}")))
}

impl Replay {
    /// Plays a game again.
    ///
    /// # Errors
    /// When there is no such game, it cannot be played, or it is too long.
    pub fn new(library: &Library, asked: Asked<'_>) -> Result<Replay, ApiError> {
        let games = read(asked.text).map_err(|error| malformed(error.place, &error.message))?;
        let titles = titles(&games);
        let none = || ApiError::not_found(format!("there are {} games, and no game {}", titles.len(), asked.game));
        let (game, tags) = nth(&games, asked.game).ok_or_else(none)?;
        let rolls = game.lines.iter().filter(|line| matches!(line, Line::Roll(_))).count();
        if rolls > ROLLS_MOST {
            let words = format!("a game that is played again has at most {ROLLS_MOST} rolls, and this one has {rolls}");
            return Err(ApiError::new(axum::http::StatusCode::PAYLOAD_TOO_LARGE, "too-large", words));
        }
        let open = |other| Steps::open(library, game, &tags, asked.houses, other).map_err(unplayable);
        let mut here = Shown::new(open(None)?);
        let mut there = match asked.other {
            Some(house) => Some(law::There::new(open(Some(house))?)),
            None => None,
        };
        let tag = |name: &str| tags.get(name).map(|tag| tag.text.clone());
        let table = here.steps.table();
        let begins = |(seat, player): (SeatId, &craps_table::Seat)| SeatBegins {
            seat,
            name: player.name.clone(),
            rail: player.rail.minor(),
        };
        let header = ReplayHeader {
            rules: RulesShown::new(here.steps.house(), table),
            title: tag("Case"),
            table: tag("Table"),
            date: tag("Date"),
            unit: tag("Unit"),
            dice: tag("Dice"),
            event: tag("Event"),
            note: tag("Note"),
            seats: table.seats().map(begins).collect(),
            places: table.places(),
            limits: limits(table),
        };
        let mut steps = Vec::with_capacity(rolls);
        for line in &game.lines {
            let step = here.steps.line(line).map_err(unplayable)?;
            let other = there.as_mut().map(|there| there.line(line)).transpose().map_err(unplayable)?.flatten();
            if let (Line::Roll(roll), Some(step)) = (line, &step) {
                let mut view = here.step(roll, step);
                if let (Some(there), Some(other)) = (&mut there, &other) {
                    view.other = there.compared(here.steps.table(), step, other);
                }
                steps.push(view);
            }
        }
        let (end, bets, other) = (here.end(), bets(here.steps.table()), there.map(law::There::end));
        let differences = here.steps.played().differences.iter().map(|one| Difference::new(NAME, one)).collect();
        Ok(Replay { titles, game: asked.game, header, bets, steps, end, differences, other })
    }
}

/// What has been shown of a game so far.
struct Shown {
    steps: Steps,
    felt: BTreeMap<(SeatId, SlotId), Stands>,
    rails: BTreeMap<SeatId, i64>,
    names: BTreeMap<SeatId, String>,
    markers: Vec<MarkerView>,
}

impl Shown {
    /// Nothing yet but who is there.
    fn new(steps: Steps) -> Shown {
        let (rails, names) = (rails(steps.table()), names(steps.table()));
        Shown { steps, felt: BTreeMap::new(), rails, names, markers: Vec::new() }
    }

    fn step(&mut self, roll: &Roll, step: &Step) -> StepView {
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
        StepView {
            roll: roll.number,
            line: roll.place.line,
            dice,
            no_roll,
            refused: step.refused.as_ref().map(RefusedBy::from),
            mark: step.mark.map(String::from),
            shooter: step.shooter.map(Into::into),
            before: LineView::of(before),
            after: LineView::of(after),
            call,
            acts: step.acts.iter().map(ActView::from).collect(),
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

/// The faces in the order in which they are written.
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

/// Every bet of a layout, by its code.
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

/// How every seat that was taken comes out of a game.
fn ends(steps: &Steps) -> Vec<SeatEnds> {
    let end = |(seat, brought): (SeatId, Money)| {
        let player = steps.table().seat(seat);
        let rail = player.map_or(0, |player| player.rail.minor());
        let felt = player.map_or(0, |player| player.bets.standing().map(|(_, bet)| bet.stake.minor()).sum());
        SeatEnds { seat, rail, felt, net: rail.saturating_add(felt).saturating_sub(brought.minor()) }
    };
    steps.brought().map(end).collect()
}
