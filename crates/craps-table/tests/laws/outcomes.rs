//! Each roll wins or loses exactly what a seat was told it would.

use crate::drive::{drive, each_game};
use craps_dice::Throw;
use craps_table::{Actor, Command, Events, Role, RollNet, SeatId, Table};

/// Returns a seat's chips and bets together, in cents.
fn worth(table: &Table, seat: SeatId) -> i64 {
    let placed = table.seat(seat).unwrap();
    let felt = table.board().slots().filter_map(|(slot, _)| placed.bets.get(slot)).map(|bet| bet.stake.minor());
    placed.rail.minor() + felt.sum::<i64>()
}

/// Rolls each of the 21 combinations of the dice and compares what each seat wins or loses. Returns how many of these amounts were not zero; None if
/// nobody can roll.
fn compared(table: &Table) -> Result<Option<u64>, String> {
    let told: Vec<(SeatId, Vec<RollNet>)> = table.seats().map(|(seat, _)| (seat, table.outcomes(seat))).collect();
    let mut moved = 0;
    for (at, dice) in Throw::ALL.into_iter().enumerate() {
        let (mut events, mut after) = (Events::new(), table.clone());
        if table.decide(Actor::staff(Role::Stick), &Command::Throw { dice }, &mut events).is_err() {
            return Ok(None);
        }
        events.iter().for_each(|event| after.apply(event));
        for (seat, outcomes) in &told {
            let net = worth(&after, *seat) - worth(table, *seat);
            let expected = outcomes.get(at).map(|outcome| (outcome.dice, outcome.net.minor()));
            if expected != Some((dice, net)) || outcomes.len() != Throw::ALL.len() {
                return Err(format!("seat {seat}, {dice}: told {expected:?}, got {net}"));
            }
            moved += u64::from(net != 0);
        }
    }
    Ok(Some(moved))
}

#[test]
fn outcomes_are_what_each_throw_brings() {
    let (mut positions, mut moved) = (0, 0);
    each_game(6, |house, seed| {
        let mut count = seed;
        drive(house, seed, 60, |_, _, _, _, after| {
            count += 1;
            if count % 16 != 0 {
                return;
            }
            match compared(after) {
                Ok(Some(more)) => (positions, moved) = (positions + 1, moved + more),
                Ok(None) => {}
                Err(what) => panic!("{} seed {seed}, {:?}: {what}", house.file, after.phase()),
            }
        });
    });
    assert!(positions > 200 && moved > 2_000, "{positions} positions, {moved} wins and losses");
}
