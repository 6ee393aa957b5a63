//! Settling a roll allocates no heap memory, even with a bet on every slot.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use allocation_counter::measure;
use craps_dice::{Die, Point, Throw};
use craps_law::{HouseRules, Library, TableRules};
use craps_money::Money;
use craps_table::{After, Bet, Called, Event, SeatBets, Sink, SlotId, Table, Verdict, settle};
use craps_wagers::Phase;

/// Counts settled bets and adds up the money.
#[derive(Default)]
struct Sum {
    settled: u64,
    net: i64,
}

impl Sink for Sum {
    fn made_again(&mut self, _: SlotId, _: &Bet) {}

    fn settled(&mut self, _: SlotId, bet: &Bet, verdict: Verdict, _: After) {
        self.settled += 1;
        self.net += match verdict {
            Verdict::Won { paid, commission, .. } => paid.minor() - commission.minor(),
            Verdict::Credited { paid, .. } => paid.minor(),
            Verdict::Lost => -bet.stake.minor(),
            Verdict::Returned | Verdict::Moved { .. } => 0,
        };
    }
}

/// The rules of a table that offers everything its book allows.
fn everything(library: &Library, book: &str) -> TableRules {
    let book = library.book(book).unwrap();
    let mut house = HouseRules::plain(&book.id, book.sample_day);
    house.set("offer", "all").unwrap();
    book.admit(&house).unwrap_or_else(|_| book.admit(&HouseRules::plain(&book.id, book.sample_day)).unwrap())
}

/// A table with one seat that has a bet in every slot.
fn full(rules: TableRules, called: Called) -> Table {
    let mut table = Table::open(rules).unwrap();
    table.apply(&Event::Joined { seat: 1, name: "Ann".to_owned(), money: Money::from_minor(100_000_000) });
    let stake: Money = "120".parse().unwrap();
    let slots: Vec<SlotId> = table.board().slots().map(|(slot, _)| slot).collect();
    for slot in slots {
        let bet = Bet { stake, called, ..Bet::default() };
        table.apply(&Event::BetPlaced { seat: 1, slot, bet, staked: stake, commission: Money::ZERO });
    }
    table
}

fn thirty_six() -> impl Iterator<Item = Throw> {
    Die::ALL.into_iter().flat_map(|one| Die::ALL.map(|other| Throw::new(one, other)))
}

#[test]
fn settling_any_throw_in_any_phase_on_a_full_layout_allocates_nothing() {
    let library = Library::shipped();
    for book in library.books.iter().map(|book| book.id.as_str()) {
        for called in [Called::Standard, Called::On, Called::Off] {
            let table = full(everything(&library, book), called);
            let bets: &SeatBets = &table.seat(1).unwrap().bets;
            assert!(table.board().slots().count() > 60 && !bets.is_empty(), "{book} has a small layout");
            let points = table.rules().points.all().iter().copied().map(Phase::Point);
            for phase in [Phase::ComeOut, Phase::ComeDecisionOnly].into_iter().chain(points) {
                for throw in thirty_six() {
                    let (mut bets, mut sum) = (bets.clone(), Sum::default());
                    let used = measure(|| {
                        settle(table.board(), table.rules(), &mut bets, phase, throw, &[], &mut sum);
                    });
                    assert_eq!(used.count_total, 0, "{book}: {throw} in {phase:?} took {} bytes", used.bytes_total);
                    assert!(
                        sum.settled > 5 || called == Called::Off,
                        "{book}: {throw} in {phase:?} settled only {}",
                        sum.settled
                    );
                }
            }
        }
    }
}

#[test]
fn settling_with_a_draw_allocates_nothing() {
    let library = Library::shipped();
    let table = full(everything(&library, "pa"), Called::Standard);
    let modifier = table.rules().modifiers.first().expect("Pennsylvania has Power Odds on its sample day");
    let selection: Vec<_> = modifier.lines.iter().flat_map(|line| &line.is.wagers).map(|wager| (*wager, 0)).collect();
    for throw in thirty_six() {
        for phase in [Phase::ComeOut, Phase::Point(Point::Six)] {
            let (mut bets, mut sum) = (table.seat(1).unwrap().bets.clone(), Sum::default());
            let used = measure(|| {
                settle(table.board(), table.rules(), &mut bets, phase, throw, &selection, &mut sum);
            });
            assert_eq!(used.count_total, 0, "{throw} in {phase:?} took {} bytes", used.bytes_total);
        }
    }
}

#[test]
fn the_counter_sees_an_allocation() {
    assert!(measure(|| drop(std::hint::black_box(vec![1u8; 32]))).count_total > 0);
}
