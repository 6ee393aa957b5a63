//! Positions: what a seat wins on the next roll, tables set up in a position, and trackers.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

mod seated;

use craps_law::TableRules;
use craps_table::{Code, Command, Ground, Instead, Refusal, Shooter, Table, Trackers};
use craps_wagers::{Catalogue, Phase, Progress};
use seated::{bet, roll};

fn rules(book: &str) -> TableRules {
    seated::rules(book, &[("offer", "all")])
}

/// A table with a player who has this much.
fn table(book: &str, money: &str) -> Table {
    seated::table(rules(book), money)
}

fn exposure(table: &Table) -> String {
    let all = table.exposure(1);
    all.into_iter().map(|(name, net)| format!("{name} {net}")).collect::<Vec<_>>().join(", ")
}

#[test]
fn exposure_splits_a_total_only_where_its_rolls_differ() {
    let mut table = table("nj", "5000");
    assert_eq!(exposure(&table), "2 0, 3 0, 4 0, 5 0, 6 0, seven 0, 8 0, 9 0, 10 0, 11 0, 12 0");
    bet(&mut table, "pass", "10").unwrap();
    assert_eq!(exposure(&table), "2 -10, 3 -10, 4 0, 5 0, 6 0, seven 10, 8 0, 9 0, 10 0, 11 10, 12 -10");
    bet(&mut table, "hard-8", "10").unwrap();
    roll(&mut table, "3-3");
    assert_eq!(exposure(&table), "2 0, 3 0, 4 0, 5 0, 6 10, seven -20, easy 8 -10, hard 8 90, 9 0, 10 0, 11 0, 12 0");
}

#[test]
fn a_hop_bet_splits_its_total_by_dice() {
    let mut table = table("nj", "5000");
    bet(&mut table, "pass", "10").unwrap();
    bet(&mut table, "hop-2-6", "10").unwrap();
    assert_eq!(
        exposure(&table),
        "2 -20, 3 -20, 4 -10, 5 -10, 6 -10, seven 0, 2-6 150, 3-5 -10, 4-4 -10, 9 -10, 10 -10, 11 0, 12 -20"
    );
}

#[test]
fn a_table_set_up_in_a_position_allows_what_the_played_one_does() {
    let mut played = table("co", "5000");
    for (name, amount) in [("pass", "10"), ("bonus-all-small", "5")] {
        bet(&mut played, name, amount).unwrap();
    }
    for dice in ["2-2", "3-2"] {
        roll(&mut played, dice);
    }
    let mut posed = table("co", "5000");
    let gathered = |(wager, _)| (wager, played.tracker(wager));
    let trackers: Trackers = Trackers::all(played.rules()).iter().map(gathered).collect();
    posed.pose(1, &played.seat(1).unwrap().bets, played.hand(), &trackers);
    assert_eq!(posed.hand(), played.hand());
    assert_eq!(posed.seat(1).unwrap().bets, played.seat(1).unwrap().bets);
    let small = Catalogue::built_in().find("bonus-all-small").unwrap();
    assert!(posed.tracker(small) == played.tracker(small) && posed.tracker(small) != Progress::FRESH);
    assert_eq!(
        posed.legal(1).iter().map(|legal| legal.terms.is_ok()).collect::<Vec<_>>(),
        played.legal(1).iter().map(|legal| legal.terms.is_ok()).collect::<Vec<_>>()
    );
}

#[test]
fn trackers_that_control_windows_are_among_all_and_forget() {
    let rules = rules("co");
    let table = Table::open(rules.clone()).unwrap();
    let (all, mut governing) = (Trackers::all(&rules), Trackers::governing(table.board()));
    let ids: Vec<_> = governing.iter().map(|(wager, _)| wager).collect();
    assert!(!governing.is_empty() && ids.iter().all(|wager| all.iter().any(|(known, _)| known == *wager)));
    assert!(ids.iter().enumerate().all(|(at, wager)| !ids[..at].contains(wager)), "{ids:?}");
    let controlling =
        |wager: &craps_wagers::WagerId| table.board().slots().any(|(_, slot)| slot.tracker == Some(*wager));
    assert!(ids.iter().all(controlling));
    assert!(table.board().slots().filter_map(|(_, slot)| slot.tracker).all(|wager| ids.contains(&wager)));
    governing.roll(&rules, Phase::ComeOut, "2-2".parse().unwrap());
    assert!(governing.iter().any(|(_, progress)| progress != Progress::FRESH));
    governing.clear();
    assert!(governing.iter().all(|(_, progress)| progress == Progress::FRESH));
    assert!(Trackers::default().is_empty());
}

#[test]
fn refusals_by_the_same_rule_are_alike() {
    let mut table = table("nj", "100");
    let by_law = bet(&mut table, "pass-odds", "10").unwrap_err();
    assert!(matches!(by_law.ground, Ground::Law(_)));
    // The law is one rule with its sections, whatever it refuses.
    assert!(by_law.is_alike(&by_law) && by_law.is_alike(&Refusal::new(by_law.ground.clone(), Code::TooMuchMoney)));
    let (much, only) = (Code::TooMuchMoney, Code::ComeDecisionsOnly);
    let house = Refusal::house("limits.min", much.clone());
    assert!(house.is_alike(&Refusal::house("limits.min", much.clone())));
    assert!(!house.is_alike(&Refusal::house("limits.min", only)));
    assert!(!house.is_alike(&Refusal::house("limits.max", much.clone())));
    assert!(!house.is_alike(&Refusal::procedure(much)) && !house.is_alike(&by_law));
}

/// A player who is short of chips is offered what they can afford, within the limits.
#[test]
fn a_player_short_of_chips_is_offered_less() {
    let mut table = table("nj", "100");
    let refusal = bet(&mut table, "pass", "150").unwrap_err();
    let offered: Vec<Command> =
        refusal.instead.iter().filter_map(Instead::command).map(|(_, command)| command).collect();
    assert!(
        matches!(&offered[..], [Command::Bet { amount, .. }] if amount.money().to_string() == "100"),
        "{offered:?}"
    );
}

/// Dice go around from the left of the last shooter; who gave them up with a point on doesn't get them back at once.
#[test]
fn a_player_alone_with_a_shaker_keeps_it_after_a_seven() {
    let hand = craps_table::Hand {
        last_shooter: Some(Shooter::Seat(1)),
        previous: Some(craps_dice::Total::Seven),
        ..craps_table::Hand::NEW
    };
    assert_eq!(hand.next_shooter(&[1], true, |_| true), Some(Shooter::Seat(1)));
    assert_eq!(hand.next_shooter(&[1, 2], true, |_| true), Some(Shooter::Seat(2)));
    assert_eq!(hand.next_shooter(&[1, 2], true, |seat| seat == 1), Some(Shooter::Dealer));
    assert_eq!(hand.next_shooter(&[1, 2], false, |seat| seat == 1), Some(Shooter::Seat(1)));
    assert_eq!(hand.next_shooter(&[1], true, |_| false), Some(Shooter::Dealer));
    assert_eq!(hand.next_shooter(&[1], false, |_| false), None);
}
