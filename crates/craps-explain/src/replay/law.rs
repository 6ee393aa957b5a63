//! Compares a game with the same dice and actions under another law: what is different, with the citations of both sides.

use super::view::{BetNamed, LineView, RefusedBy, RulesShown, SeatEnds};
use super::{bets, ends};
use crate::cause::Cause;
use crate::view::{OutcomeView, ResultView, results};
use craps_law::Library;
use craps_notation::{Explained, Line, Place, Step, Steps, Unplayable};
use craps_table::{SeatId, Table};
use serde::Serialize;
use std::collections::BTreeMap;

/// The result of a game under another law. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OtherLaw {
    /// Rules of the other house.
    pub rules: RulesShown,
    /// All bets on its layout, by code.
    pub bets: BTreeMap<String, BetNamed>,
    /// Number of rolls with a difference.
    pub rolls: usize,
    /// The result of each seat.
    pub seats: Vec<SeatEnds>,
}

/// The differences at one roll.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OtherStep {
    /// Actions and bets that differ.
    pub differences: Vec<LawDifference>,
    /// Phase and point after the roll under the other law. None if they are the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<LineView>,
    /// Why the roll is refused under the other law, but not here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<RefusedBy>,
}

/// One action or bet that the two laws treat differently.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LawDifference {
    /// The player's seat. None for actions of the crew.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seat: Option<SeatId>,
    /// Code of the bet, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bet: Option<String>,
    /// The action as written in the game file. None if the difference is about a result of the roll.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<String>,
    /// What happens under the game's own law.
    pub here: LawSide,
    /// What happens under the other law.
    pub there: LawSide,
}

/// What happens to an action or a bet under one law. Amounts are in cents.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "is", rename_all = "kebab-case")]
pub enum LawSide {
    /// The roll decided the bet.
    Decided {
        /// What happened to the bet.
        outcome: OutcomeView,
        /// Amount that was on the bet.
        stake: i64,
        /// Payout without the stake, before commission. Minus the stake for a lost bet.
        paid: i64,
        /// Commission taken from the win.
        commission: i64,
        /// Sections of the law that say so.
        cite: String,
    },
    /// The bet is up, and the roll didn't decide it.
    Stands,
    /// The player doesn't have this bet.
    Absent,
    /// The action was accepted.
    Done {
        /// Commission that was charged, or refunded.
        commission: i64,
    },
    /// The action was refused, or the bet was refused when it was made.
    Refused {
        /// The reason, as a sentence.
        message: String,
        /// Sections of the law that refuse. Empty if it isn't the law.
        cite: String,
    },
}

impl From<RefusedBy> for LawSide {
    fn from(RefusedBy { message, cite }: RefusedBy) -> LawSide {
        LawSide::Refused { message, cite }
    }
}

/// A bet by seat and code, which are the same under both laws.
type Key = (SeatId, String);

/// The game under the other law, and the bets that each side has refused so far.
pub(super) struct There<'a> {
    library: &'a Library,
    steps: Steps,
    refused: BTreeMap<Key, RefusedBy>,
    refused_here: BTreeMap<Key, RefusedBy>,
    rolls: usize,
}

impl<'a> There<'a> {
    pub(super) fn new(library: &'a Library, steps: Steps) -> There<'a> {
        There { library, steps, refused: BTreeMap::new(), refused_here: BTreeMap::new(), rolls: 0 }
    }

    pub(super) fn line(&mut self, line: &Line) -> Result<Option<Step>, Unplayable> {
        self.steps.line(line)
    }

    pub(super) fn end(self) -> OtherLaw {
        let table = self.steps.table();
        OtherLaw {
            rules: RulesShown::new(self.steps.house(), table),
            bets: bets(table),
            rolls: self.rolls,
            seats: ends(&self.steps),
        }
    }

    /// Returns the differences at a roll. `after` is the table of this side after the roll.
    pub(super) fn compared(&mut self, after: &Table, here: &Step, there: &Step) -> Option<OtherStep> {
        let mut differences = self.acts(here, there);
        self.results(here, there, &mut differences);
        let (own, other) = (LineView::of(after), LineView::of(self.steps.table()));
        let refused = there.refused.as_ref().filter(|_| here.refused.is_none()).map(RefusedBy::from);
        let step = OtherStep { differences, line: (own != other).then_some(other), refused };
        let differs = !step.differences.is_empty() || step.line.is_some() || step.refused.is_some();
        self.rolls += usize::from(differs);
        differs.then_some(step)
    }

    fn acts(&mut self, here: &Step, there: &Step) -> Vec<LawDifference> {
        // The two sides can list different actions, so they are matched by their place in the text.
        let others: BTreeMap<Place, _> = there.acts.iter().map(|act| (act.place, act)).collect();
        let mut differences = Vec::new();
        for act in &here.acts {
            let Some(other) = others.get(&act.place) else { continue };
            let side = |act: &craps_notation::Acted| match &act.refused {
                Some(refusal) => LawSide::from(RefusedBy::from(refusal)),
                None => LawSide::Done { commission: act.commission.minor() },
            };
            let key = act.seat.zip(act.bet.clone());
            for (known, act) in [(&mut self.refused_here, act), (&mut self.refused, *other)] {
                match (&key, &act.refused) {
                    (Some(key), Some(refusal)) => drop(known.insert(key.clone(), refusal.into())),
                    (Some(key), None) => drop(known.remove(key)),
                    (None, _) => {}
                }
            }
            let (one, two) = (side(act), side(other));
            let both_refused = act.refused.is_some() && other.refused.is_some();
            if one != two && !both_refused {
                let (seat, bet, act) = (act.seat, act.bet.clone(), Some(act.text.clone()));
                differences.push(LawDifference { seat, bet, act, here: one, there: two });
            }
        }
        differences
    }

    fn results(&self, here: &Step, there: &Step, differences: &mut Vec<LawDifference>) {
        let (own, mut others) = (decided(self.library, here), decided(self.library, there));
        let mut differ = |(seat, bet): Key, here: LawSide, there: LawSide| {
            differences.push(LawDifference { seat: Some(seat), bet: Some(bet), act: None, here, there });
        };
        for (key, (result, cite)) in own {
            match others.remove(&key) {
                Some((other, _)) if is_same(&result, &other) => {}
                Some((other, words)) => differ(key, side(&result, cite), side(&other, words)),
                None => {
                    let there = undecided(&there.before, &self.refused, &key);
                    differ(key, side(&result, cite), there);
                }
            }
        }
        for (key, (other, words)) in others {
            let here = undecided(&here.before, &self.refused_here, &key);
            differ(key, here, side(&other, words));
        }
    }
}

/// Returns the results of a roll with their citations.
fn decided(library: &Library, step: &Step) -> BTreeMap<Key, (ResultView, String)> {
    let (layout, rules) = (step.before.board(), step.before.rules());
    let views = results(|slot| &layout.slot(slot).code, &step.results);
    let words = |one: &Explained| {
        let wager = layout.rules(rules, one.slot);
        Cause::new(wager, layout, one).cites(library.book(&rules.book), wager, &one.verdict).to_string()
    };
    let all = views.into_iter().zip(&step.results);
    all.map(|(view, one)| ((view.seat, view.bet.clone()), (view, words(one)))).collect()
}

fn is_same(one: &ResultView, other: &ResultView) -> bool {
    (one.outcome, one.stake, one.paid, one.commission) == (other.outcome, other.stake, other.paid, other.commission)
}

fn side(result: &ResultView, cite: String) -> LawSide {
    let ResultView { outcome, stake, paid, commission, .. } = *result;
    LawSide::Decided { outcome, stake, paid, commission, cite }
}

/// Says why a bet has no result: it is still up, was refused, or was never made.
fn undecided(before: &Table, refused: &BTreeMap<Key, RefusedBy>, key: &Key) -> LawSide {
    let (seat, code) = key;
    let stands = before.board().named(code).zip(before.seat(*seat)).and_then(|(slot, seat)| seat.bets.get(slot));
    match (stands, refused.get(key)) {
        (Some(_), _) => LawSide::Stands,
        (None, Some(refused)) => refused.clone().into(),
        (None, None) => LawSide::Absent,
    }
}
