//! The coach: what a bet costs at this table, and the cheapest way to the same action. Never what is due.

use craps_dice::{Point, Throw};
use craps_explain::why::cost;
use craps_notation::talk::slot_name;
use craps_odds::{Analysis, Solver, price};
use craps_table::{SlotId, Table};
use craps_wagers::{Family, Phase, Progress, Step};

/// What there is to say before a bet is made.
pub(crate) fn advice(table: &Table, slot: SlotId) -> String {
    if let Some(waits) = waits_for_a_number(table, slot) {
        return waits;
    }
    let rules = table.board().rules(table.rules(), slot);
    let number = number_of(table, slot);
    let mut text =
        format!("{}: {}", slot_name(table, slot), cost(&mut Solver::default(), table.rules(), rules, number));
    let own = analysis(table, slot);
    let cheaper = same_action(table, slot)
        .into_iter()
        .map(|other| (analysis(table, other).edge_resolved, other))
        .filter(|(edge, _)| *edge < own.edge_resolved)
        .min_by(|(one, _), (other, _)| one.cmp(other));
    if let Some((_, other)) = cheaper {
        let other_rules = table.board().rules(table.rules(), other);
        text.push_str(&format!(
            ". The same throws for less: {}, {}",
            slot_name(table, other),
            cost(&mut Solver::default(), table.rules(), other_rules, number_of(table, other))
        ));
    } else if table.board().slot(slot).odds.is_some() || family(table, slot) == Family::Line {
        text.push_str(". Odds behind it are paid at their true price and cost nothing");
    } else {
        text.push_str(". Nothing here does the same for less");
    }
    text
}

fn family(table: &Table, slot: SlotId) -> Family {
    table.board().slot(slot).wager.wager().family
}

/// The number odds stand on: their own, or the point.
pub(crate) fn number_of(table: &Table, slot: SlotId) -> Option<Point> {
    match (table.board().slot(slot).number, table.phase()) {
        (None, Phase::Point(point)) => Some(point),
        (number, _) => number,
    }
}

/// Odds have a price on a number only: what there is to say of them while there is none.
pub(crate) fn waits_for_a_number(table: &Table, slot: SlotId) -> Option<String> {
    let waits = family(table, slot) == Family::Odds && number_of(table, slot).is_none();
    waits.then(|| format!("{}: priced by the number it stands on, and there is none yet", slot_name(table, slot)))
}

/// The exact odds of a bet at this table; odds need a number.
pub(crate) fn analysis(table: &Table, slot: SlotId) -> Analysis {
    let rules = table.board().rules(table.rules(), slot);
    price(&mut Solver::default(), &table.rules().offering(rules, number_of(table, slot)))
}

/// The other bets that are won and lost by the same throws.
fn same_action(table: &Table, slot: SlotId) -> Vec<SlotId> {
    let simple = |slot: SlotId| {
        !matches!(family(table, slot), Family::Line | Family::Odds | Family::Shooter)
            && table.board().slot(slot).number.is_none()
    };
    if !simple(slot) {
        return Vec::new();
    }
    let own = decides(table, slot);
    let alike = |other: &SlotId| *other != slot && simple(*other) && decides(table, *other) == own;
    table.board().slots().map(|(other, _)| other).filter(alike).collect()
}

/// What each throw does to a fresh bet: wins it, loses it, or leaves it.
fn decides(table: &Table, slot: SlotId) -> Vec<Option<bool>> {
    let rules = table.board().rules(table.rules(), slot);
    let step = |throw: &Throw| match rules.machine.step(Progress::FRESH, Phase::Point(Point::Four), *throw) {
        Step::Won(rank) => rules.prizes.is.of(rank).map(|_| true).or(Some(false)),
        Step::Lost => Some(false),
        _ => None,
    };
    Throw::ALL.iter().map(step).collect()
}
