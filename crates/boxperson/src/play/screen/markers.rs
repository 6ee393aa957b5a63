//! What a bet on the shooter has gathered so far: numbers, combinations, or a count.

use craps_dice::{Throw, Total};
use craps_table::{SeatId, SlotId, Table};
use craps_wagers::{Mechanic, Phase, Progress, Step};

/// The markers of a place: those of the seat's own bet, or where it has none those that lie on the felt.
pub(crate) fn of(table: &Table, seat: SeatId, slot: SlotId) -> String {
    let place = table.board().slot(slot);
    let own = table.seat(seat).and_then(|seat| seat.bets.get(slot)).map(|bet| bet.progress);
    let progress = own.or_else(|| place.tracker.map(|tracker| table.tracker(tracker))).unwrap_or_default();
    let bits = progress.bits();
    let machine = table.board().rules(table.rules(), slot).machine;
    let marked = |total: &Total| bits & (1 << total.value()) != 0;
    let listed = |marks: Vec<String>| marks.join(" ");
    match machine.mechanic {
        Mechanic::PointsMade => listed(Total::ALL.iter().filter(|total| marked(total)).map(Total::to_string).collect()),
        Mechanic::Collect(wanted) => {
            let hit = Total::ALL.iter().filter(|total| wanted.contains(**total) && marked(total));
            listed(hit.map(Total::to_string).collect())
        }
        // Which mark a combination leaves, only the wager's own step knows.
        Mechanic::NumbersCompleted => {
            let mark = |throw: Throw| match machine.step(Progress::FRESH, Phase::ComeDecisionOnly, throw) {
                Step::Stand(next) => next.bits(),
                _ => 0,
            };
            let hit = Throw::ALL.into_iter().filter(|throw| mark(*throw) & bits != 0);
            listed(hit.map(|throw| throw.to_string()).collect())
        }
        // A run keeps its point in the low bits and a mark for each number above them.
        Mechanic::RunOfNumbers if bits != 0 => format!("run of {}", (bits >> 4).count_ones()),
        Mechanic::PassesMade { .. } | Mechanic::LineWins { .. } if bits != 0 => format!("{bits} made"),
        // One more than was counted, so that nothing counted is not nothing begun.
        Mechanic::ThrowsSurvived { .. } if bits > 1 => format!("{} thrown", bits - 1),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{rail, throws};
    use super::*;

    #[test]
    fn markers_show_what_the_felt_string_says() {
        let mut rail = rail("pa", &["pass 10", "5 fire", "5 all small"]);
        throws(&mut rail, &["3-1", "2-2"]);
        rail.hear("pass 10").unwrap();
        throws(&mut rail, &["4-1"]);
        let at = |name: &str| of(rail.table(), 1, rail.table().board().named(name).unwrap());
        assert_eq!(at("fire"), "4");
        assert_eq!(at("bonus-all-small"), "4 5");
        assert_eq!(at("bonus-all-tall"), "");
        assert_eq!(at("hot-roller"), "1-3 1-4 2-2");
        assert_eq!(at("pass"), "");
    }
}
