//! Runs a fuzz target: makes texts from a seed, checks each, and reduces failing texts to the smallest that fail the same way.

use crate::make::renumbered;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Once;
use std::time::Instant;

thread_local! {
    /// The last panic of this thread while it is being fuzzed; None otherwise.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs the check. Returns true if the text was processed to the end. If the check panics, returns the place and the message.
fn checked(check: &dyn Fn(&str) -> bool, text: &str) -> Result<bool, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let fuzzed = CAUGHT.with_borrow_mut(|caught| {
                let fuzzed = caught.is_some();
                if fuzzed {
                    let place = info.location().map(ToString::to_string).unwrap_or_default();
                    *caught = Some(format!("{place}: {}", info.payload_as_str().unwrap_or("no message")));
                }
                fuzzed
            });
            if !fuzzed {
                usual(info);
            }
        }));
    });
    CAUGHT.set(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(|| check(text)));
    let message = CAUGHT.take().unwrap_or_default();
    result.map_err(|_| message)
}

/// Returns what two failures of the same kind have in common: the place, and the first words of the message without digits.
fn kind(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().take(6).collect();
    let (place, rest) = words.split_first().map_or(("", Vec::new()), |(place, rest)| (*place, rest.to_vec()));
    format!("{place} {}", rest.join(" ").replace(|c: char| c.is_ascii_digit(), ""))
}

/// Reduces a text to the smallest one that fails in the same way. Removes lines first, then smaller and smaller runs of characters.
fn least(check: &dyn Fn(&str) -> bool, text: &str, wanted: &str) -> String {
    let fails = |text: &str| checked(check, text).is_err_and(|message| kind(&message) == wanted);
    let mut tries = 3000;
    let mut pieces: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for by_character in [false, true] {
        if by_character {
            pieces = pieces.concat().chars().map(String::from).collect();
        }
        let mut size = pieces.len().div_ceil(2);
        while size > 0 && tries > 0 {
            let mut at = 0;
            let before = pieces.len();
            while at < pieces.len() && tries > 0 {
                tries -= 1;
                let end = (at + size).min(pieces.len());
                let shorter = [&pieces[..at], &pieces[end..]].concat();
                if fails(&renumbered(&shorter.concat())) {
                    pieces = shorter;
                } else {
                    at = end;
                }
            }
            size = if size == 1 && pieces.len() < before { 1 } else { size / 2 };
        }
    }
    let shorter = renumbered(&pieces.concat());
    if fails(&shorter) { shorter } else { text.to_owned() }
}

/// A target that runs this often in an ordinary test is cheap. A long campaign runs it ten times as often as the others.
const CHEAP: u64 = 5_000;

/// Runs one target: makes texts from a seed and checks each of them.
pub fn target(
    name: &str,
    short: u64,
    seed: u64,
    make: impl Fn(&mut ChaCha8Rng) -> String,
    check: &dyn Fn(&str) -> bool,
) {
    let long: Option<u64> = std::env::var("BOXPERSON_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok());
    let runs = long.map_or(short, |runs| if short >= CHEAP { runs * 10 } else { runs });
    let (start, mut rng) = (Instant::now(), ChaCha8Rng::seed_from_u64(seed));
    let mut through = 0;
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..runs {
        let text = make(&mut rng);
        match checked(check, &text) {
            Ok(to_the_end) => through += u64::from(to_the_end),
            Err(message) => {
                found
                    .entry(kind(&message))
                    .or_insert_with_key(|kind| format!("{message}\n{}", least(check, &text, kind)));
            }
        }
    }
    let milliseconds = start.elapsed().as_millis().max(1);
    let rate = u128::from(runs) * 1_000 / milliseconds;
    eprintln!("fuzz: {name}: {runs} runs in {} s, {rate} a second, {through} to the end", milliseconds / 1_000);
    let report: Vec<&str> = found.values().map(String::as_str).collect();
    assert!(report.is_empty(), "{name}: {} ways to fail\n\n{}", report.len(), report.join("\n\n"));
}
