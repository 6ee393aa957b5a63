//! Tables with more bets than any book offers.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_dice::{Point, Throw};
use craps_law::{HouseRules, Library, TableRules};
use craps_money::Money;
use craps_table::{
    Actor, After, AfterWin, Bet, Board, Called, Command, Manner, Role, SeatBets, Sink, SlotId, Table, TooManySlots,
    Verdict, settle,
};
use craps_wagers::{Family, Phase};

/// The rules of the largest table, with every wager listed `times` times.
fn listed(times: usize) -> TableRules {
    let library = Library::shipped();
    let book = library.book("co").unwrap();
    let mut house = HouseRules::plain("co", book.sample_day);
    house.set("offer", "all").unwrap();
    let mut rules = book.admit(&house).unwrap();
    rules.wagers = std::iter::repeat_n(rules.wagers, times).flatten().collect();
    rules
}

/// Records each settled slot with its verdict.
#[derive(Default)]
struct Told(Vec<(SlotId, Verdict)>);

impl Sink for Told {
    fn settled(&mut self, slot: SlotId, _: &Bet, verdict: Verdict, _: After) {
        self.0.push((slot, verdict));
    }

    fn made_again(&mut self, _: SlotId, _: &Bet) {}
}

#[test]
fn a_bet_beyond_the_first_hundreds_is_settled_like_its_twin() {
    let rules = listed(2);
    let board = Board::new(&rules).unwrap();
    let once = board.len() / 2;
    assert!(board.len() > 200 && once > 100, "{}", board.len());
    let stake = Money::from_minor(12_000);
    let phases = [Phase::ComeOut, Phase::ComeDecisionOnly, Phase::Point(Point::Six), Phase::Point(Point::Ten)];
    let mut settled = 0;
    for at in 0..once {
        let (one, twin) = (SlotId::ALL[at], SlotId::ALL[at + once]);
        assert_eq!((&board.slot(one).name, board.slot(one).number), (&board.slot(twin).name, board.slot(twin).number));
        for (phase, throw) in phases.into_iter().flat_map(|phase| Throw::ALL.map(|throw| (phase, throw))) {
            for (called, after_win) in [(Called::Standard, AfterWin::Usual), (Called::On, AfterWin::Up)] {
                let told = |slot: SlotId| {
                    let (mut bets, mut told) = (SeatBets::default(), Told::default());
                    bets.put(slot, Bet { called, after_win, ..Bet::of(stake) });
                    settle(&board, &rules, &mut bets, phase, throw, &[], &mut told);
                    (told, bets)
                };
                let ((one, _), (other, bets)) = (told(one), told(twin));
                let verdicts = |told: &Told| told.0.iter().map(|(_, verdict)| *verdict).collect::<Vec<_>>();
                assert_eq!(verdicts(&one), verdicts(&other), "{} on {throw} in {phase:?}", board.slot(twin).name);
                assert!(other.0.iter().all(|(slot, _)| *slot == twin));
                // A bet that neither moves to a number nor is made again elsewhere stays in its slot or is gone.
                let stays = bets.slots().iter().all(|slot| slot == twin);
                assert!(stays || board.slot(twin).wager.wager().family == Family::Line);
                settled += other.0.len();
            }
        }
    }
    assert!(settled > 5_000, "{settled}");
}

#[test]
fn two_hundred_bets_are_played_at_one_table() {
    let mut table = Table::open(listed(2)).unwrap();
    let join = Command::Join { seat: 1, name: "Ann".into(), money: "1000".parse().unwrap() };
    table.run(Actor::staff(Role::Box), &join).unwrap();
    let pass = table.board().named("pass").unwrap();
    let six = table.board().slots().filter(|(_, slot)| slot.name == "place-win-6").last().unwrap().0;
    assert!(six.index() > 128);
    let bet =
        |slot, amount: &str| Command::Bet { seat: 1, slot, amount: amount.parse().unwrap(), manner: Manner::default() };
    let throw = |dice: &str| Command::Throw { dice: dice.parse().unwrap() };
    table.run(Actor::player(1), &bet(pass, "10")).unwrap();
    table.run(Actor::staff(Role::Stick), &throw("4-4")).unwrap();
    table.run(Actor::player(1), &bet(six, "12")).unwrap();
    table.run(Actor::staff(Role::Stick), &throw("3-3")).unwrap();
    let seat = table.seat(1).unwrap();
    assert_eq!((seat.rail, seat.bets.get(six).is_some()), ("992".parse().unwrap(), true));
    table.run(Actor::staff(Role::Stick), &throw("4-3")).unwrap();
    let seat = table.seat(1).unwrap();
    assert_eq!((seat.rail, seat.bets.is_empty()), ("992".parse().unwrap(), true));
}

#[test]
fn a_table_that_does_not_fit_is_refused_with_both_numbers() {
    let error: Box<dyn std::error::Error> = Table::open(listed(3)).unwrap_err().into();
    let names = Board::new(&listed(1)).unwrap().len() * 3;
    assert_eq!(error.to_string(), format!("this table has {names} bets, but only 256 fit: offer fewer wagers"));
    assert_eq!(Board::new(&listed(3)).unwrap_err(), TooManySlots { names });
}
