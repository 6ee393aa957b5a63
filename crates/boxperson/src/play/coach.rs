//! The coach: what a bet costs at this table, and the cheapest bet with the same action. It never predicts rolls.

use craps_dice::{Point, Throw};
use craps_explain::why::cost;
use craps_notation::talk::slot_name;
use craps_odds::{Analysis, Solver, price};
use craps_table::{SlotId, Table};
use craps_wagers::{Family, Phase, Progress, Step};

/// Returns what the coach says about a bet before it is made.
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
            ". Cheaper bet on the same rolls: {}, {}",
            slot_name(table, other),
            cost(&mut Solver::default(), table.rules(), other_rules, number_of(table, other))
        ));
    } else if table.board().slot(slot).odds.is_some() || family(table, slot) == Family::Line {
        text.push_str(". Odds behind it pay true odds and have no house edge");
    } else {
        text.push_str(". No other bet here does the same for less");
    }
    text
}

fn family(table: &Table, slot: SlotId) -> Family {
    table.board().slot(slot).wager.wager().family
}

/// Returns the number of a bet: its own number, or else the point.
pub(crate) fn number_of(table: &Table, slot: SlotId) -> Option<Point> {
    match (table.board().slot(slot).number, table.phase()) {
        (None, Phase::Point(point)) => Some(point),
        (number, _) => number,
    }
}

/// Returns the answer for odds while they have no number yet, because their price depends on it.
pub(crate) fn waits_for_a_number(table: &Table, slot: SlotId) -> Option<String> {
    let waits = family(table, slot) == Family::Odds && number_of(table, slot).is_none();
    waits.then(|| format!("{}: the price depends on the point, and there is no point yet", slot_name(table, slot)))
}

/// Computes the exact odds of a bet at this table. For odds bets, the number must be known.
pub(crate) fn analysis(table: &Table, slot: SlotId) -> Analysis {
    let rules = table.board().rules(table.rules(), slot);
    price(&mut Solver::default(), &table.rules().offering(rules, number_of(table, slot)))
}

/// Returns the other bets that win and lose on the same rolls.
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

/// Returns what each roll does to a new bet: `Some(true)` wins, `Some(false)` loses, `None` leaves it.
fn decides(table: &Table, slot: SlotId) -> Vec<Option<bool>> {
    let rules = table.board().rules(table.rules(), slot);
    let step = |throw: &Throw| match rules.machine.step(Progress::FRESH, Phase::Point(Point::Four), *throw) {
        Step::Won(rank) => rules.prizes.is.of(rank).map(|_| true).or(Some(false)),
        Step::Lost => Some(false),
        _ => None,
    };
    Throw::ALL.iter().map(step).collect()
}
