//! A chi-square test of the server's dice: all 36 ways and all totals come up as often as they should. `BOXPERSON_THROWS=100000000` rolls more.

use craps_server::live::{Cast, SeatSeed, Secret, What};
use std::thread::{available_parallelism, scope};

/// Number of rolls per secret, about the length of a hand.
const HAND: u64 = 8;
/// The middle 99% of chi-square, in thousandths: 35 degrees of freedom for 36 ways, 10 for 11 totals.
const WAYS_WITHIN: [u128; 2] = [17_192, 60_275];
const TOTALS_WITHIN: [u128; 2] = [2_156, 25_188];

/// Counts how often each of the 36 ways comes up, ordered by the first die. The rolls are the same in every run.
fn thrown(throws: u64, old: bool) -> [u64; 36] {
    let threads = available_parallelism().map_or(1, |count| count.get() as u64);
    let part = move |thread: u64| {
        let mut ways = [0; 36];
        for number in (thread * HAND..throws).step_by(usize::try_from(threads * HAND).unwrap()) {
            let mut secret = [0; 32];
            secret[..8].copy_from_slice(&number.to_be_bytes());
            let secret = Secret::from_bytes(&secret).unwrap();
            for number in number..throws.min(number + HAND) {
                let seeds = [SeatSeed { seat: 1, seed: number.to_string() }];
                let throw = u32::try_from(number % HAND).unwrap() + 1;
                let cast =
                    Cast { table: "practice-pa", hand: 1, what: What::Throw(throw), seeds: &seeds, witness: None };
                let [one, other] =
                    if old { secret.throw(&format!("{number:064x}")) } else { secret.cast(&cast) }.dice();
                ways[usize::from((one.pips() - 1) * 6 + other.pips() - 1)] += 1;
            }
        }
        ways
    };
    scope(|scope| {
        let parts: Vec<_> = (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        let parts = parts.into_iter().map(|part| part.join().unwrap());
        parts.fold([0; 36], |sum: [u64; 36], part: [u64; 36]| std::array::from_fn(|way| sum[way] + part[way]))
    })
}

/// Computes chi-square in thousandths. The weights are out of 36.
fn chi_square(counts: &[u64], weights: &[u64]) -> u128 {
    // The sum of (count - expected)² / expected equals the sum of count² / expected, less the total count. 180 is a multiple of every weight.
    let all = u128::from(counts.iter().sum::<u64>());
    let square = |(count, weight): (&u64, &u64)| u128::from(*count).pow(2) * 36 * u128::from(180 / weight);
    counts.iter().zip(weights).map(square).sum::<u128>() * 1_000 / (180 * all) - all * 1_000
}

fn is_within(chi_square: u128, [least, most]: [u128; 2]) -> bool {
    (least..=most).contains(&chi_square)
}

#[test]
fn every_way_and_every_total_comes_up_as_often_as_it_should() {
    let asked = std::env::var("BOXPERSON_THROWS").ok();
    let throws = asked.map_or(1_000_000, |throws| throws.parse().unwrap());
    comes_up(throws, false);
    comes_up(throws / 2, true);
}

/// Tests one version of the scheme.
#[allow(clippy::print_stdout, reason = "a long run prints its figures")]
fn comes_up(throws: u64, old: bool) {
    let ways = thrown(throws, old);
    let mut totals = [0; 11];
    for (way, count) in ways.iter().enumerate() {
        totals[way / 6 + way % 6] += count;
    }
    assert_eq!(totals.iter().sum::<u64>(), throws);
    let (of_ways, of_totals) = (chi_square(&ways, &[1; 36]), chi_square(&totals, &[1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]));
    let shown = |name: &str, found: u128, [least, most]: [u128; 2]| {
        let decimal = |thousandths: u128| format!("{}.{:03}", thousandths / 1_000, thousandths % 1_000);
        println!(
            "{throws} rolls, {name}: chi-square {}, 99% bounds {} to {}",
            decimal(found),
            decimal(least),
            decimal(most)
        );
    };
    shown("36 ways", of_ways, WAYS_WITHIN);
    shown("11 totals", of_totals, TOTALS_WITHIN);
    assert!(is_within(of_ways, WAYS_WITHIN), "{ways:?}");
    assert!(is_within(of_totals, TOTALS_WITHIN), "{totals:?}");
}

/// Checks the test itself: it detects slightly loaded dice, and counts that are too even to be random.
#[test]
fn dice_that_are_off_are_found_out() {
    let fair = thrown(1_000_000, false);
    let mut loaded = fair;
    for _ in 0..1_000 {
        loaded[0] -= 1;
        loaded[35] += 1;
    }
    assert!(!is_within(chi_square(&loaded, &[1; 36]), WAYS_WITHIN));
    assert!(!is_within(chi_square(&[27_777; 36], &[1; 36]), WAYS_WITHIN));
    // A byte modulo 36 would be unfair: the first four ways come up eight times in 256, the others seven times.
    let of_bytes: [u64; 36] = std::array::from_fn(|way| if way < 4 { 8_000 } else { 7_000 });
    assert!(!is_within(chi_square(&of_bytes, &[1; 36]), WAYS_WITHIN));
    assert_eq!(chi_square(&[30, 10], &[18, 18]), 10_000);
}
