//! The table pays what the specification says: compares the engine with the reference model on random rolls with random bets at every sample
//! house. The long form is `cargo run --release -p craps-testkit --example agreement -- 1000000`.

use craps_testkit::{agree, sample_houses};

/// Times the number of houses and `THROWS`, about forty thousand rolls.
const GAMES: u64 = 18;
const THROWS: u64 = 200;

#[test]
fn the_table_settles_as_the_reference_does() {
    let houses = sample_houses();
    let mut tally = agree::Tally::default();
    for seed in 0..GAMES {
        for house in &houses {
            match agree::agree(house, seed, THROWS) {
                Ok(more) => tally.add(more),
                Err(difference) => panic!("{difference}"),
            }
        }
    }
    println!(
        "{} rolls, {} commands, {} refused, {} settled",
        tally.throws, tally.commands, tally.refused, tally.settled
    );
    for wager in houses.iter().flat_map(|house| &house.rules.wagers) {
        let slug = wager.wager.wager().slug;
        assert!(tally.seen.iter().any(|(seen, _)| *seen == slug), "no {slug} bet was ever settled");
    }
    assert!(tally.seen.contains(&("come", "made again")), "no come bet was told to stay up and won");
    assert!(tally.throws >= 39_000, "{} rolls", tally.throws);
    assert!(tally.settled > tally.throws, "{} settled", tally.settled);
}
