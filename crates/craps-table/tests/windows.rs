//! Betting windows: which hands each window is open in, stated a second time as the names of the conditions that it needs.

#![allow(clippy::unwrap_used, reason = "a test should stop at the first error")]

use craps_dice::{Point, Total};
use craps_law::{Make, Window};
use craps_table::{Hand, Opens, Shooter, WindowFacts};
use craps_wagers::Phase;

/// Each window, the conditions of which at least one set must hold, and what the table says if none does.
const WINDOWS: [(Window, &[&[&str]], Opens); 12] = [
    (Window::AnyTime, &[&[]], Opens::PointOn),
    (Window::BehindPoint, &[&[]], Opens::PointOn),
    (Window::BeforeComeOut, &[&["come-out"]], Opens::ComeOut),
    (Window::PointOn, &[&["point"]], Opens::PointOn),
    (Window::NewShooter, &[&["come-out", "nobody shoots"], &["come-out", "first roll"]], Opens::NewShooter),
    (Window::AfterSeven, &[&["come-out", "seven"], &["come-out", "no roll"]], Opens::AfterSeven),
    (
        Window::NewShooterOrAfterSeven,
        &[
            &["come-out", "nobody shoots"],
            &["come-out", "first roll"],
            &["come-out", "seven"],
            &["come-out", "no roll"],
        ],
        Opens::NewShooterOrAfterSeven,
    ),
    (Window::TrackerEmpty, &[&["empty"]], Opens::NothingRecorded),
    (Window::ComeOutTrackerEmpty, &[&["come-out", "empty"]], Opens::ComeOutNothingRecorded),
    (Window::UntilPointEstablished, &[&["come-out", "empty", "no point yet"]], Opens::UntilPoint),
    (
        Window::BeforeFirstComeOut,
        &[&["come-out", "empty", "nobody shoots"], &["come-out", "empty", "first roll"]],
        Opens::FirstRoll,
    ),
    (Window::UntilFirstCounted, &[&["empty"]], Opens::NothingCounted),
];

/// Every hand that differs in something that a window can depend on.
fn hands() -> impl Iterator<Item = Hand> {
    let phases = [Phase::ComeOut, Phase::Point(Point::Six), Phase::ComeDecisionOnly];
    let shooters = [None, Some(Shooter::Seat(3))];
    let totals = [None, Some(Total::Seven), Some(Total::Six)];
    let flags = [false, true];
    phases.into_iter().flat_map(move |phase| {
        shooters.into_iter().flat_map(move |shooter| {
            totals.into_iter().flat_map(move |previous| {
                flags.into_iter().flat_map(move |came_out| {
                    flags.map(|point_set| Hand { phase, shooter, previous, came_out, point_set, ..Hand::NEW })
                })
            })
        })
    })
}

fn facts() -> impl Iterator<Item = WindowFacts> {
    (0..8).map(|bits| WindowFacts { is_line: bits & 1 != 0, is_side: bits & 2 != 0, empty: bits & 4 != 0 })
}

/// The names of the conditions that hold.
fn conditions(hand: Hand, bet: WindowFacts) -> Vec<&'static str> {
    let all = [
        ("come-out", hand.phase == Phase::ComeOut || (hand.phase == Phase::ComeDecisionOnly && bet.is_line)),
        ("point", matches!(hand.phase, Phase::Point(_))),
        ("nobody shoots", hand.shooter.is_none()),
        ("first roll", !hand.came_out),
        ("seven", hand.previous == Some(Total::Seven)),
        ("no roll", hand.previous.is_none()),
        ("empty", bet.empty),
        ("no point yet", !hand.point_set),
    ];
    all.into_iter().filter(|(_, holds)| *holds).map(|(name, _)| name).collect()
}

#[test]
fn a_window_is_open_where_its_conditions_hold() {
    for (window, needs, opens) in WINDOWS {
        for (hand, bet) in hands().flat_map(|hand| facts().map(move |bet| (hand, bet))) {
            let holding = conditions(hand, bet);
            let is_open = needs.iter().any(|all| all.iter().all(|name| holding.contains(name)));
            for fresh in [false, true] {
                let expected = if bet.is_side && hand.phase == Phase::ComeDecisionOnly {
                    Err(Opens::OrdinaryRolls)
                } else if !is_open {
                    Err(opens)
                } else if fresh && !bet.empty {
                    Err(Opens::MarkersOff)
                } else {
                    Ok(())
                };
                let make = Make { window, fresh, with: None };
                assert_eq!(hand.allows(&make, bet), expected, "{window:?} {make:?} {hand:?} {bet:?}");
            }
        }
    }
}

/// If only the phase matters, hands in the same phase get the same answer; otherwise two of them get different ones.
#[test]
fn windows_that_depend_only_on_the_phase_are_known() {
    let plain = WindowFacts { is_line: false, is_side: false, empty: true };
    for (window, fresh) in WINDOWS.into_iter().flat_map(|(window, ..)| [(window, false), (window, true)]) {
        let make = Make { window, fresh, with: None };
        let answers = |phase: Phase| {
            let same = move |hand: &Hand| hand.phase == phase;
            let both = [plain, WindowFacts { empty: false, ..plain }];
            hands().filter(same).flat_map(move |hand| both.map(|bet| hand.allows(&make, bet))).collect::<Vec<_>>()
        };
        let all_alike = [Phase::ComeOut, Phase::Point(Point::Six)].into_iter().all(|phase| {
            let answers = answers(phase);
            answers.iter().all(|answer| *answer == answers[0])
        });
        assert_eq!(Hand::allows_by_phase(&make), all_alike, "{window:?}, fresh {fresh}");
    }
}
