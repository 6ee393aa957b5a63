//! Short text for the progress of a side bet, such as the points made so far.

use craps_table::{SeatId, SlotId, Table};
use craps_wagers::Gathered;

/// Returns the progress of a seat's own bet, or of the table's tracker if the seat has no such bet.
pub(crate) fn of(table: &Table, seat: SeatId, slot: SlotId) -> String {
    let own = table.seat(seat).and_then(|seat| seat.bets.get(slot)).map(|bet| bet.progress);
    let progress = own.unwrap_or_else(|| table.tracker(table.board().slot(slot).wager));
    let machine = &table.board().rules(table.rules(), slot).machine;
    match machine.gathered(progress) {
        Gathered::Nothing | Gathered::Number(_) | Gathered::Count(0) => String::new(),
        gathered @ (Gathered::Totals(_) | Gathered::Rolls(_)) => gathered.marks().join(" "),
        Gathered::Run { then, .. } => format!("run of {}", then.len()),
        Gathered::Count(count) => format!("{count} so far"),
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
