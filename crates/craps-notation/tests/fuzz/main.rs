//! Random, corrupted and generated texts. The parser, `play` and the house reader must never panic, and every cent that came in must be in a
//! rail, on the felt or with the house.
//!
//! Each target runs from a fixed seed. `BOXPERSON_FUZZ_RUNS=1000000 cargo test --package craps-notation --test fuzz -- --nocapture` is the
//! long form; with `--release`, `CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true` keeps the checks of the dev profile. A failing text is reduced to
//! the smallest text that fails the same way. Then the target goes on, so that one run reports every distinct failure.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that cannot go on should stop where it is")]

mod check;
mod felt;
mod make;
mod run;

use check::{judged, played};
use craps_wagers::Catalogue;
use make::{
    HOUSE_WORDS, WORDS, arbitrary, chance, files, made, pick, renumbered, sample_games, spoilt, word, workspace,
};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use run::target;

#[test]
fn arbitrary_text_never_breaks_the_reader() {
    target("arbitrary text", 20_000, 1, arbitrary, &|text| played(text, &craps_notation::no_house_files));
}

#[test]
fn spoilt_games_are_read_and_played_without_a_panic_and_to_the_cent() {
    let samples = sample_games();
    let make = |rng: &mut ChaCha8Rng| {
        let mut text = pick(rng, &samples).clone();
        for _ in 0..rng.random_range(1..3) {
            text = spoilt(rng, &text, WORDS);
        }
        if chance(rng, 3) { text } else { renumbered(&text) }
    };
    target("spoilt games", 1_000, 2, make, &|text| played(text, &craps_notation::no_house_files));
}

#[test]
fn games_made_by_the_grammar_are_played_without_a_panic_and_to_the_cent() {
    let names: Vec<String> =
        Catalogue::built_in().all().flat_map(|id| id.wager().names()).flat_map(|name| [name.slug, name.code]).collect();
    target("made games", 500, 3, |rng| made(rng, &names), &|text| played(text, &craps_notation::no_house_files));
}

#[test]
fn spoilt_houses_are_read_judged_and_played_by_without_a_panic() {
    let samples = files(&workspace().join("houses"), "toml");
    let lawful: Vec<&String> = samples.iter().filter(|text| judged(text)).collect();
    assert!(!lawful.is_empty(), "no house to start from");
    let lines: Vec<&str> = samples
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| line.contains('=') && !line.starts_with('#'))
        .collect();
    let words: Vec<&str> = WORDS.iter().copied().chain(HOUSE_WORDS.iter().copied()).collect();
    let keys: Vec<String> = craps_law::Keys::shipped().iter().map(|key| key.name.to_string()).collect();
    let make = |rng: &mut ChaCha8Rng| {
        let mut text = if chance(rng, 3) { pick(rng, &samples).clone() } else { (*pick(rng, &lawful)).clone() };
        for _ in 0..rng.random_range(1..3) {
            text = match rng.random_range(0..4) {
                0 => format!("{text}\n{}\n", pick(rng, &lines)),
                1 => {
                    let key = pick(rng, &keys).replace('*', "x");
                    format!("{text}\n{key} = {}\n", word(rng, HOUSE_WORDS))
                }
                _ => spoilt(rng, &text, &words),
            };
        }
        text
    };
    target("spoilt houses", 1_000, 4, make, &judged);
}
