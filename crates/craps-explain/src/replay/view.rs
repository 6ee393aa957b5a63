//! A game played again, in the form that programs read.

use super::felt::FeltChange;
use super::law::OtherStep;
use crate::view::{LimitsView, MarkerView, PhaseView, ResultView, ShooterView, limits, phase};
use craps_law::HouseRules;
use craps_notation::{Acted, Steps, Tags};
use craps_table::{Refusal, Seat, SeatId, Table};
use serde::Serialize;
use std::collections::BTreeMap;

/// What stands at the head of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

impl ReplayHeader {
    /// The tags of a game, and its table before the first line.
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

/// A house, as it may be asked for again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
    /// The rules of a house at its table.
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

/// Somebody who is there when a game begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatBegins {
    /// Where.
    pub seat: SeatId,
    /// Who.
    pub name: String,
    /// With how much.
    pub rail: i64,
}

/// A bet of a layout.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LineView {
    /// The phase.
    pub phase: PhaseView,
    /// The point, if one is on.
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
    pub acts: Vec<ReplayAct>,
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReplayAct {
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

impl From<&Acted> for ReplayAct {
    fn from(act: &Acted) -> ReplayAct {
        ReplayAct {
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RefusedBy {
    /// Why.
    pub message: String,
    /// By which words.
    pub cite: String,
}

impl From<&Refusal> for RefusedBy {
    fn from(refusal: &Refusal) -> RefusedBy {
        RefusedBy { message: refusal.sentence(), cite: refusal.cites().to_string() }
    }
}

/// Somebody came or left.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SeatChange {
    /// Where.
    pub seat: SeatId,
    /// Who sits there now; nobody where they left.
    pub name: Option<String>,
}

/// What is on a rail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct RailChange {
    /// Whose.
    pub seat: SeatId,
    /// Before the dice.
    pub before: i64,
    /// After them.
    pub after: i64,
}

/// How a game ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
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

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) const fn is_not(said: &bool) -> bool {
    !*said
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) const fn is_zero(amount: &i64) -> bool {
    *amount == 0
}
