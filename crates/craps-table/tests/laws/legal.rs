//! The bets that a seat is told it can make are the bets that the table takes, to the cent.

use crate::drive::{drive, each_game};
use craps_money::{Money, Stake};
use craps_table::{Actor, Command, Crew, Event, Events, Ground, Manner, Refusal, SeatId, SlotId, Table, Terms};
use std::collections::BTreeSet;

fn bet(table: &Table, seat: SeatId, slot: SlotId, amount: i64) -> Option<Result<Events, Refusal>> {
    let amount = Stake::new(Money::from_minor(amount))?;
    let command = Command::Bet { seat, slot, amount, manner: Manner::default() };
    let mut events = Events::new();
    Some(table.decide(Actor::player(seat), &command, &mut events).map(|()| events))
}

/// Returns true if a refusal gives a reason, and cites the law exactly when its ground is the law.
fn is_told(refusal: &Refusal) -> bool {
    let by_law = matches!(refusal.ground, Ground::Law(_));
    !refusal.sentence().is_empty() && by_law == refusal.cites().iter().next().is_some()
}

/// Checks that a closed bet gives its reason, and is refused for that reason at any amount.
fn closed(table: &Table, seat: SeatId, slot: SlotId, why: &Refusal) -> Result<(), String> {
    if !is_told(why) {
        return Err(format!("closed without a reason, or with a citation that is not its ground: {why}"));
    }
    for amount in [1, 100, 500, 600, 3_000, 1_000_000] {
        let decided = bet(table, seat, slot, amount);
        if !matches!(&decided, Some(Err(refusal)) if refusal == why) {
            return Err(format!("closed ({why}), but {amount} gives {decided:?}"));
        }
    }
    Ok(())
}

/// Returns totals within and around the terms: the minimum and maximum, one step, one chip and one cent away from them, and whole chips that are
/// not a multiple of what can be paid.
fn totals(table: &Table, seat: SeatId, terms: &Terms) -> BTreeSet<i64> {
    let rail = table.seat(seat).map_or(0, |placed| placed.rail.minor());
    let multiple = i64::try_from(terms.multiple.minor()).unwrap();
    let chip = i64::try_from(table.rules().rounding.chip.minor()).unwrap();
    let (standing, min) = (terms.standing.minor(), terms.min.minor());
    let least = (min.max(standing + 1) + multiple - 1) / multiple * multiple;
    let mut pivots = vec![min, least, least + 6 * multiple, standing + rail];
    pivots.extend(terms.max.map(|max| [max.minor(), max.minor() / multiple * multiple]).into_iter().flatten());
    let near = [-multiple, -chip, -1, 0, 1, chip, multiple];
    let mut all: BTreeSet<i64> = pivots.iter().flat_map(|pivot| near.map(|by| pivot + by)).collect();
    all.extend((1..8).map(|chips| standing + chips * chip));
    all.into_iter().filter(|total| *total > standing).collect()
}

/// Checks that an open bet is taken at every amount within its terms that the player's chips cover, and at no other.
fn open(table: &Table, seat: SeatId, slot: SlotId, terms: &Terms) -> Result<(), String> {
    let rail = table.seat(seat).map_or(0, |placed| placed.rail.minor());
    let multiple = i64::try_from(terms.multiple.minor()).unwrap();
    let least = (terms.min.minor() + multiple - 1) / multiple * multiple;
    if terms.max.is_some_and(|max| max.minor() < least) {
        return Err(format!("open, but no amount is possible: {terms:?}"));
    }
    for total in totals(table, seat, terms) {
        let amount = total - terms.standing.minor();
        // Some books settle bets beyond the limits in their own way, so the table takes them. Odds have their multiple.
        let takes = |topic: &str| table.rules().rules.contains_key(topic);
        let is_odds = table.board().slot(slot).front.is_some();
        let within = total % multiple == 0
            && (total >= terms.min.minor() || takes("limits.under"))
            && (terms.max.is_none_or(|max| total <= max.minor()) || (takes("limits.over") && !is_odds))
            && amount <= rail;
        match bet(table, seat, slot, amount) {
            None => return Err(format!("{amount} is not a valid stake")),
            // While the dice are in the air, the bet waits for the crew.
            Some(Ok(events)) if within && matches!(&events[..], [Event::Requested { .. }]) => {}
            Some(Ok(events)) => {
                // A line bet ends the rolls for come decisions only.
                let ([Event::BetPlaced { bet, staked, commission, .. }]
                | [Event::DecisionsOver { .. }, Event::BetPlaced { bet, staked, commission, .. }]) = &events[..]
                else {
                    return Err(format!("{total} gives {events:?}"));
                };
                let right = bet.stake.minor() == total && staked.minor() == amount;
                if !within || !right || amount + commission.minor() > rail {
                    return Err(format!("{total} is outside of {terms:?} with {rail} in chips, but taken"));
                }
            }
            // Commission is charged on top of the bet, at most 5% of it.
            Some(Err(refusal)) if within && amount + amount / 20 <= rail => {
                return Err(format!("{total} is within {terms:?}, but {refusal}"));
            }
            Some(Err(refusal)) if !is_told(&refusal) => {
                return Err(format!("{total} is refused without a reason or a citation: {refusal}"));
            }
            Some(Err(_)) => {}
        }
    }
    Ok(())
}

/// Checks every bet of the layout for a seat. Counts the open and the closed bets in `tally`.
fn agrees(table: &Table, seat: SeatId, tally: &mut (u64, u64)) -> Result<(), String> {
    let legal = table.legal(seat);
    if !legal.iter().map(|one| one.slot).eq(table.board().slots().map(|(slot, _)| slot)) {
        return Err("legal lists different bets than the layout has".to_owned());
    }
    for one in legal {
        let tried = match &one.terms {
            Ok(terms) => {
                tally.0 += 1;
                open(table, seat, one.slot, terms)
            }
            Err(why) => {
                tally.1 += 1;
                closed(table, seat, one.slot, why)
            }
        };
        tried.map_err(|what| format!("{}: {what}", table.board().slot(one.slot).name))?;
    }
    Ok(())
}

#[test]
fn legal_agrees_with_decide() {
    let (mut tally, mut shut) = ((0, 0), (0, 0));
    each_game(4, |house, seed| {
        let mut count = seed;
        drive(house, seed, 60, |before, _, _, _, _| {
            count += 1;
            if count % 60 != 0 {
                return;
            }
            // Every taken seat, and one free seat.
            let free = (1..).find(|seat| before.seat(*seat).is_none()).unwrap();
            for seat in before.seats().map(|(seat, _)| seat).chain([free]) {
                if let Err(what) = agrees(before, seat, &mut tally) {
                    panic!("{} seed {seed}, {:?}, seat {seat}: {what}", house.file, before.phase());
                }
            }
            // The same once the dice have left the hand.
            let mut thrown = before.clone().with_crew(Crew::People);
            if count % 180 == 0 && thrown.run(Actor::shooter(), &Command::Release).is_ok() {
                for (seat, _) in before.seats() {
                    if let Err(what) = agrees(&thrown, seat, &mut shut) {
                        panic!("{} seed {seed}, dice in the air, seat {seat}: {what}", house.file);
                    }
                }
            }
        });
    });
    assert!(tally.0 > 1_000 && tally.1 > 1_000, "{} open, {} closed", tally.0, tally.1);
    // Some books take late bets that the crew confirms.
    assert!(shut.0 > 100 && shut.1 > 1_000, "dice in the air: {} open, {} closed", shut.0, shut.1);
}
