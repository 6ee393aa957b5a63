//! The parts of a replay, for other programs.

use super::felt::FeltChange;
use super::law::OtherStep;
use crate::view::{LimitsView, LineMark, MarkerView, PhaseView, ResultView, ShooterView, limits, phase};
use craps_law::HouseRules;
use craps_notation::{Acted, Steps, Tags};
use craps_table::{Refusal, Seat, SeatId, Table};
use serde::Serialize;
use std::collections::BTreeMap;

/// The header of a game: its rules, its tags and the players at the start.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReplayHeader {
    /// Rules of the game.
    pub rules: RulesShown,
    /// Title of the game, from the tag `Case`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Name of the table, from the tag `Table`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
    /// When it was played, from the tag `Date`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// What an amount of 1 is worth, from the tag `Unit`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Where the dice came from, from the tag `Dice`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<String>,
    /// The event that the game was part of, from the tag `Event`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// A note about the game, from the tag `Note`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The players at the start.
    pub seats: Vec<SeatBegins>,
    /// Number of seats at the table.
    pub places: SeatId,
    /// Limits posted at the table.
    pub limits: LimitsView,
}

impl ReplayHeader {
    /// Builds the header from the tags of a game and its table before the first line.
    pub(super) fn new(tags: &Tags, steps: &Steps) -> ReplayHeader {
        let tag = |name: &str| tags.get(name).map(|tag| tag.text.clone());
        let table = steps.table();
        let begins =
            |(seat, player): (SeatId, &Seat)| SeatBegins { seat, name: player.name.clone(), rail: player.rail.minor() };
        ReplayHeader {
            rules: RulesShown::new(steps.house(), table),
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
        }
    }
}

/// The rules of a house, in the form in which a request can send them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RulesShown {
    /// Id of the book.
    pub book: String,
    /// Day whose law applies.
    pub as_of: String,
    /// Kind of game, such as `craps`.
    pub game: &'static str,
    /// House keys with their values.
    pub keys: BTreeMap<String, String>,
}

impl RulesShown {
    /// Builds the rules of a house at its table.
    #[must_use]
    pub fn new(house: &HouseRules, table: &Table) -> RulesShown {
        RulesShown {
            book: house.book.clone(),
            as_of: house.as_of.to_string(),
            game: table.rules().game.word(),
            keys: house.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
        }
    }
}

/// A player at the start of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatBegins {
    /// The player's seat.
    pub seat: SeatId,
    /// The player's name.
    pub name: String,
    /// Chips in the rail at the start, in cents.
    pub rail: i64,
}

/// The name of a bet on the layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BetNamed {
    /// Name of the wager in the book.
    pub name: String,
    /// Number of a come bet that has moved, or of odds on a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<u8>,
    /// For odds: code of the bet in front of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub behind: Option<String>,
}

/// The phase and the point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LineView {
    /// Phase of the next roll.
    pub phase: PhaseView,
    /// The point. None if no point is on.
    pub point: Option<u8>,
}

impl LineView {
    pub(super) fn of(table: &Table) -> LineView {
        let (phase, point) = phase(table.phase());
        LineView { phase, point }
    }
}

/// One roll of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReplayStep {
    /// Number of the roll.
    pub roll: u32,
    /// Line of the text that has the roll, from 1.
    pub line: usize,
    /// Both dice, in the order in which they are written. None if the roll doesn't count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dice: Option<[u8; 2]>,
    /// Why the roll doesn't count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_roll: Option<String>,
    /// Why the roll or the no-roll call was refused. The game then continues as if it hadn't been made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedBy>,
    /// What the roll did to the line: `^` point set, `*` point made, `%` seven-out, `+` come-out winner, `~` come-out craps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<String>,
    /// The same as a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_mark: Option<LineMark>,
    /// The shooter.
    pub shooter: Option<ShooterView>,
    /// Phase and point before the roll.
    pub before: LineView,
    /// Phase and point after the roll.
    pub after: LineView,
    /// The stickperson's call.
    pub call: String,
    /// Actions since the roll before, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub acts: Vec<ReplayAct>,
    /// Players who joined or left since the roll before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<SeatChange>,
    /// Bets before the roll, as changes since the same moment of the step before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub felt: Vec<FeltChange>,
    /// Chips before and after the roll. A seat that isn't listed still has what it had after the step before.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rails: Vec<RailChange>,
    /// Results of the roll, in printing order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub results: Vec<ResultView>,
    /// Markers of all side bets after the roll. None if they didn't change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markers: Option<Vec<MarkerView>>,
    /// Comments in the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What is different under the other law. None if nothing is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<OtherStep>,
}

/// An action between two rolls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReplayAct {
    /// The player's seat. None for actions of the crew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatId>,
    /// Code of the bet that the action puts chips on. None for other actions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bet: Option<String>,
    /// The action as written in the game file.
    pub code: String,
    /// The action in plain English.
    pub words: String,
    /// Commission that was charged, or refunded, in cents.
    #[serde(skip_serializing_if = "is_zero")]
    pub commission: i64,
    /// True if the action is marked with `?` in the text.
    #[serde(skip_serializing_if = "is_not")]
    pub doubtful: bool,
    /// Why it was refused. None if it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedBy>,
}

impl From<&Acted> for ReplayAct {
    fn from(act: &Acted) -> ReplayAct {
        ReplayAct {
            seat: act.seat,
            bet: act.bet.clone().filter(|_| act.adds),
            code: act.text.clone(),
            words: act.words.clone(),
            commission: act.commission.minor(),
            doubtful: act.doubtful,
            refused: act.refused.as_ref().map(RefusedBy::from),
        }
    }
}

/// A refusal with its citation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RefusedBy {
    /// The reason, as a sentence.
    pub message: String,
    /// Sections of the law that refuse. Empty if it isn't the law.
    pub cite: String,
}

impl From<&Refusal> for RefusedBy {
    fn from(refusal: &Refusal) -> RefusedBy {
        RefusedBy { message: refusal.sentence(), cite: refusal.cites().to_string() }
    }
}

/// A player joined or left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatChange {
    /// The seat that changed.
    pub seat: SeatId,
    /// Name of the player who is there now. None if the seat is empty.
    pub name: Option<String>,
}

/// The chips in a player's rail before and after a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RailChange {
    /// The player's seat.
    pub seat: SeatId,
    /// Chips before the roll, in cents.
    pub before: i64,
    /// Chips after the roll, in cents.
    pub after: i64,
}

/// The end of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReplayEnd {
    /// Phase and point at the end.
    pub line: LineView,
    /// The shooter at the end.
    pub shooter: Option<ShooterView>,
    /// Bets at the end, as changes since before the last roll.
    pub felt: Vec<FeltChange>,
    /// The result of each seat that had a player.
    pub seats: Vec<SeatEnds>,
}

/// The result of a game for one seat, in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatEnds {
    /// The player's seat.
    pub seat: SeatId,
    /// Chips in the rail at the end.
    pub rail: i64,
    /// Chips in bets at the end.
    pub felt: i64,
    /// Chips in the rail and in bets, minus the buy-ins.
    pub net: i64,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) const fn is_not(said: &bool) -> bool {
    !*said
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) const fn is_zero(amount: &i64) -> bool {
    *amount == 0
}
