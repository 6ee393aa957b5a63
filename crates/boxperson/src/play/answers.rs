//! Answers to players' questions. All figures come from the table of the game.

use super::coach;
use super::rail::Rail;
use crate::output;
use craps_dice::Point;
use craps_explain::WhyCard;
use craps_money::Money;
use craps_notation::Rolled;
use craps_notation::talk::{Question, Reference, Thrown, slot_name};
use craps_odds::Solver;
use craps_odds::figures::percent;
use craps_table::{SeatId, Shooter, SlotId, Table};
use craps_wagers::{Phase, Rank, Ranks};

/// Text of the `help` command: how to play a first hand.
pub(crate) const HELP: &str = "\
A first hand
  pass 10      bet 10 on the pass line
  roll         roll the dice: 7 or 11 wins, craps loses, any other number is the point
  odds 20      when the point is on, bet 20 odds; they pay true odds, with no house edge
  roll         again until the point (you win) or a 7 (you lose)
Say    12 on the six; hard eight five; yo 2; 64 across; press my six; take down my six; place bets working
Ask    what if seven; what can I bet; odds on the field; mine; exposure; working; why; why 3.1
Do     undo; redo; repeat; clear; buy in for 100; pass the dice; history; save; quit
Several players: `2: pass 10` bets for the player in seat 2; `2:` alone switches to that player.
When a bet is refused, the answer says by which rule, and what you can say instead.";

/// Lists the rolls since the program started, ten to a line.
pub(crate) fn history(thrown: &[Rolled]) -> String {
    let shown: Vec<String> = thrown
        .iter()
        .map(|rolled| format!("{}{}", rolled.dice, rolled.mark.map(String::from).unwrap_or_default()))
        .collect();
    match shown.len() {
        0 => "No rolls yet.".to_owned(),
        _ => shown.chunks(10).map(|line| line.join(" ")).collect::<Vec<_>>().join("\n"),
    }
}

/// Writes a win or loss with its sign.
pub(crate) fn signed(money: Money) -> String {
    if money > Money::ZERO { format!("+{money}") } else { money.to_string() }
}

fn listed(all: &[(String, Money)]) -> String {
    let moved: Vec<String> = all
        .iter()
        .filter(|(_, net)| *net != Money::ZERO)
        .map(|(name, net)| format!("{name} {}", signed(*net)))
        .collect();
    if moved.is_empty() { "No roll would win or lose anything.".to_owned() } else { moved.join("   ") }
}

/// Answers a question. `about` holds the bets that it asks about.
pub(crate) fn to(rail: &Rail<'_>, question: &Question, about: &[SlotId]) -> String {
    let (table, seat) = (rail.table(), rail.seat());
    match question {
        Question::WhatIf(thrown) => what_if(table, seat, *thrown),
        Question::Exposure => listed(&table.exposure(seat)),
        Question::Why(reference) => why(rail, *reference),
        Question::OddsOn(_) => about.iter().map(|slot| odds(table, *slot)).collect::<Vec<_>>().join("\n"),
        Question::WhatCanIBet => open_bets(table, seat),
        Question::Legal => every_bet(table, seat),
        Question::Mine => own_bets(table, seat, |_| String::new()),
        Question::Working => {
            own_bets(
                table,
                seat,
                |slot| {
                    if table.works(seat, slot) { ", working".to_owned() } else { ", off".to_owned() }
                },
            )
        }
        Question::Rail => {
            let rail = table.seat(seat).map_or(Money::ZERO, |seat| seat.rail);
            format!("You have ${rail} in chips.")
        }
        Question::Point => match table.phase() {
            Phase::ComeOut => "No point: the next roll is a come-out roll.".to_owned(),
            Phase::ComeDecisionOnly => "No point: the next roll decides come bets only.".to_owned(),
            Phase::Point(point) => format!("The point is {point}."),
        },
        Question::Shooter => match table.shooter().or_else(|| table.implied_shooter()) {
            Some(Shooter::Seat(seat)) => {
                let name = table.seat(seat).map(|seat| seat.name.as_str()).unwrap_or_default();
                format!("The shooter is {name} in seat {seat}.")
            }
            Some(Shooter::Dealer) => "The dealer starts the shaker.".to_owned(),
            None => "No shooter yet. Make a pass or don't pass bet to shoot.".to_owned(),
        },
        Question::Limits => limits(table),
    }
}

fn what_if(table: &Table, seat: SeatId, thrown: Thrown) -> String {
    let covered: Vec<_> = table.outcomes(seat).into_iter().filter(|outcome| thrown.covers(outcome.dice)).collect();
    match covered.split_first() {
        None => "No roll matches that.".to_owned(),
        Some((first, rest)) if rest.iter().all(|outcome| outcome.net == first.net) => signed(first.net),
        _ => covered
            .iter()
            .map(|outcome| format!("{} {}", outcome.dice, signed(outcome.net)))
            .collect::<Vec<_>>()
            .join("   "),
    }
}

/// Explains one result of a roll, or all of them.
fn why(rail: &Rail<'_>, reference: Option<Reference>) -> String {
    let last = rail.session().next_roll().saturating_sub(1);
    let (roll, result) = reference.map_or((last, None), |of| (of.roll, of.result));
    let results = rail.session().results(roll);
    if roll == 0 || roll > last {
        return format!("There is no roll {roll}.");
    }
    if results.is_empty() {
        return format!("Roll {roll} decided no bets.");
    }
    let chosen = match result {
        Some(at) => usize::try_from(at)
            .ok()
            .and_then(|at| results.get(at.checked_sub(1)?))
            .map_or(&[][..], std::slice::from_ref),
        None => results,
    };
    if chosen.is_empty() {
        return format!("There is no such result. Number of results of roll {roll}: {}.", results.len());
    }
    let table = rail.table();
    let (mut solver, at) = (Solver::default(), (table.rules(), table.board()));
    let cards = chosen.iter().map(|one| output::why(&WhyCard::new(rail.library(), &mut solver, at, roll, one)));
    cards.collect::<Vec<_>>().join("\n").trim_end().to_owned()
}

/// Writes what a bet pays for each rank. For odds, only the price on their number.
pub(crate) fn pays(table: &Table, slot: SlotId) -> String {
    let rules = table.board().rules(table.rules(), slot);
    let ranks = rules.wager.wager().ranks;
    let number = coach::number_of(table, slot).and_then(|number| ranks.find(&number.to_string()));
    let here = |rank: Rank| ranks != Ranks::Numbers || number.is_none_or(|number| number == rank);
    // Group ranks with the same price.
    let mut prizes: Vec<(String, Vec<String>)> = Vec::new();
    for (rank, prize) in rules.prizes.is.iter().filter(|(rank, _)| here(*rank)) {
        let (name, prize) = (ranks.name(rank), prize.to_string());
        let unnamed = name == "win" || (ranks == Ranks::Numbers && number.is_some());
        let name = if unnamed { None } else { Some(name) };
        match prizes.iter_mut().find(|(known, _)| *known == prize) {
            Some((_, names)) => names.extend(name),
            None => prizes.push((prize, name.into_iter().collect())),
        }
    }
    let listed = |(prize, names): (String, Vec<String>)| {
        if names.is_empty() { prize } else { format!("{prize} on {}", names.join(", ")) }
    };
    prizes.into_iter().map(listed).collect::<Vec<_>>().join("; ")
}

fn odds(table: &Table, slot: SlotId) -> String {
    if let Some(waits) = coach::waits_for_a_number(table, slot) {
        return waits;
    }
    let rules = table.board().rules(table.rules(), slot);
    let analysis = coach::analysis(table, slot);
    format!(
        "{}: pays {} [{}]; edge {} per bet made, {} per bet resolved; wins {}",
        slot_name(table, slot),
        pays(table, slot),
        rules.prizes.cites,
        percent(&analysis.edge, 3),
        percent(&analysis.edge_resolved, 3),
        percent(&analysis.p_win, 3)
    )
}

fn terms(terms: &craps_table::Terms) -> String {
    let most = terms.max.map_or_else(|| "up, no maximum".to_owned(), |max| format!("to {max}"));
    let standing = if terms.standing == Money::ZERO { String::new() } else { format!(", you have {}", terms.standing) };
    format!("from {} {most}, in steps of {}{standing}", terms.min, terms.multiple)
}

fn open_bets(table: &Table, seat: SeatId) -> String {
    let lines: Vec<String> = table
        .legal(seat)
        .into_iter()
        .filter_map(|legal| Some(format!("{}: {}", slot_name(table, legal.slot), terms(&legal.terms.ok()?))))
        .collect();
    lines.join("\n")
}

fn every_bet(table: &Table, seat: SeatId) -> String {
    let line = |legal: &craps_table::Legal| {
        let name = slot_name(table, legal.slot);
        match &legal.terms {
            Ok(open) => format!("{name}: {}", terms(open)),
            Err(refusal) => format!("{name}: closed, {refusal}"),
        }
    };
    table.legal(seat).iter().map(line).collect::<Vec<_>>().join("\n")
}

fn own_bets(table: &Table, seat: SeatId, more: impl Fn(SlotId) -> String) -> String {
    let bets: Vec<String> = table
        .seat(seat)
        .into_iter()
        .flat_map(|seat| seat.bets.standing())
        .map(|(slot, bet)| format!("{} {}{}", bet.stake, slot_name(table, slot), more(slot)))
        .collect();
    if bets.is_empty() { "You have no bets.".to_owned() } else { bets.join("; ") }
}

/// Writes the sign of the table: book and day, limits, odds and lowest chip.
pub(crate) fn posted(table: &Table) -> String {
    let rules = table.rules();
    let limits = rules.wagers.iter().find_map(|wager| wager.limits).map(|limits| {
        limits.max.map_or_else(|| format!("from {}", limits.min), |max| format!("{} to {max}", limits.min))
    });
    let odds = rules.wagers.iter().find_map(|wager| wager.odds.as_ref()).map(|odds| {
        let mut times: Vec<u32> =
            [Point::Four, Point::Five, Point::Six].into_iter().filter_map(|point| odds.multiple.on(point)).collect();
        times.dedup();
        let times: Vec<String> = times.iter().map(u32::to_string).collect();
        format!("odds {}x", times.join("-"))
    });
    let chip = format!("lowest chip {}", rules.rounding.chip);
    let book = format!("{} {}", rules.book.to_uppercase(), rules.as_of);
    [Some(book), limits, odds, Some(chip)].into_iter().flatten().collect::<Vec<_>>().join(" · ")
}

fn limits(table: &Table) -> String {
    let rules = table.rules();
    let pass = rules.wagers.iter().find_map(|wager| wager.limits);
    let span = pass.map_or_else(String::new, |limits| {
        let most = limits.max.map_or_else(|| "up, no maximum".to_owned(), |max| format!("to {max}"));
        format!("line bets from {} {most}; ", limits.min)
    });
    let multiple = rules.wagers.iter().find_map(|wager| wager.odds.as_ref()).map_or_else(String::new, |odds| {
        let times: Vec<String> = odds.multiple.iter().map(|(number, times)| format!("{number}: {times}x")).collect();
        format!("odds {}; ", times.join(", "))
    });
    format!("{span}{multiple}lowest chip {}", rules.rounding.chip)
}
