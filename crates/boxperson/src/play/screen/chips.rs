//! The chips to pick from, and the nearest amounts that a table accepts.

use craps_money::{Money, Stake};
use craps_table::{SeatId, SlotId, Table, Terms};

/// Values of the chips for the keys `1` to `6`.
const VALUES: [u32; 6] = [1, 5, 10, 25, 100, 500];

/// Chip that is picked at the start if it reaches the minimum.
const USUAL: u32 = 10;

/// Returns the chips of a table: multiples of its lowest chip.
pub(crate) fn of(table: &Table) -> Vec<Stake> {
    let lowest = table.rules().rounding.chip;
    let whole: Vec<Stake> = VALUES.iter().filter_map(|value| Stake::whole(*value).ok()).collect();
    let fitting: Vec<Stake> = whole.into_iter().filter(|chip| chip.is_multiple_of(lowest)).collect();
    if fitting.is_empty() {
        return VALUES.iter().filter_map(|value| lowest.times(u64::from(*value))).collect();
    }
    fitting
}

/// Returns the position of the chip to start with: the usual one, or the lowest that reaches the minimum.
pub(crate) fn first(table: &Table, seat: SeatId, slot: SlotId, chips: &[Stake]) -> usize {
    let least = table.terms(seat, slot, None).map_or(Money::ZERO, |terms| terms.min);
    let usual = Stake::whole(USUAL).map_or(Money::ZERO, Stake::money);
    let does = |chip: &Stake| chip.money() >= least && chip.money() >= usual;
    chips.iter().position(does).unwrap_or(chips.len().saturating_sub(1))
}

/// Returns the nearest amounts below and above `amount` that could be added to the bet. The table can still refuse them.
pub(crate) fn near(terms: &Terms, amount: Stake) -> (Option<Stake>, Option<Stake>) {
    let step = i64::try_from(terms.multiple.minor()).unwrap_or(i64::MAX);
    let standing = terms.standing.minor();
    let least = terms.min.minor().max(standing + 1);
    let least = least.saturating_add(step - 1) / step * step;
    let most = terms.max.map_or(i64::MAX, Money::minor) / step * step;
    let total = standing.saturating_add(amount.money().minor());
    let below = (total / step * step).min(most);
    let above = total.saturating_add(step - 1) / step * step;
    let more = |total: i64| Stake::new(Money::from_minor(total.saturating_sub(standing)));
    (Some(below).filter(|total| *total >= least).and_then(more), {
        Some(above.max(least)).filter(|total| *total <= most).and_then(more)
    })
}

#[cfg(test)]
mod tests {
    use super::super::tests::rail;
    use super::*;

    fn near_on(said: &[&str], bet: &str, amount: u32) -> (Option<String>, Option<String>) {
        let rail = rail("pa", said);
        let slot = rail.table().board().named(bet).unwrap();
        let terms = rail.table().terms(1, slot, None).unwrap();
        let (below, above) = near(&terms, Stake::whole(amount).unwrap());
        (below.map(|stake| stake.to_string()), above.map(|stake| stake.to_string()))
    }

    #[test]
    fn amounts_that_would_do_are_found_on_both_sides() {
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(near_on(&[], "place-win-6", 10), (some("6"), some("12")));
        assert_eq!(near_on(&[], "place-win-6", 12), (some("12"), some("12")));
        assert_eq!(near_on(&["6 on the six"], "place-win-6", 10), (some("6"), some("12")));
        assert_eq!(near_on(&[], "pass", 1), (None, some("5")));
        assert_eq!(near_on(&[], "pass", 6000), (some("5000"), None));
    }

    #[test]
    fn the_first_chip_reaches_the_minimum() {
        for house in super::super::tests::houses() {
            let rail = rail(&house, &[]);
            let chips = of(rail.table());
            let pass = rail.table().board().named("pass").unwrap();
            let first = chips[first(rail.table(), 1, pass, &chips)];
            assert!(first.money() >= rail.table().terms(1, pass, None).unwrap().min, "{house}");
            assert!(chips.iter().all(|chip| chip.is_multiple_of(rail.table().rules().rounding.chip)), "{house}");
        }
    }
}
