//! The names of bets: the phrases that the wagers of the catalogue define, in a form that can be found in a line.

use super::lexicon as lex;
use super::order::{Combo, Kind, Which};
use super::words::{Word, number_words, spelled, words};
use crate::game::BetName;
use craps_wagers::{Catalogue, Family, Name, Side, Wager, WagerId};
use std::collections::BTreeMap;
use std::sync::RwLock;

/// Splits a phrase into normalized words.
fn plain(phrase: &str) -> Vec<String> {
    words(phrase).into_iter().map(|word| word.text).collect()
}

/// Phrases and their meanings, looked up by the next words of a line.
#[derive(Debug)]
pub(super) struct Phrasebook<T> {
    by_words: BTreeMap<Vec<String>, T>,
    longest: usize,
}

impl<T: Clone> Phrasebook<T> {
    /// If two entries have the same words, the first one wins.
    fn new<'a>(entries: impl IntoIterator<Item = (&'a str, T)>) -> Phrasebook<T> {
        let mut by_words = BTreeMap::new();
        for (phrase, meaning) in entries {
            by_words.entry(plain(phrase)).or_insert(meaning);
        }
        let longest = by_words.keys().map(Vec::len).max().unwrap_or_default();
        Phrasebook { by_words, longest }
    }

    /// Finds the longest phrase at the start of the words. Returns its length in words and its meaning.
    pub(super) fn longest(&self, words: &[Word]) -> Option<(usize, T)> {
        let most = self.longest.min(words.len());
        let said: Vec<String> = words[..most].iter().map(|word| word.text.clone()).collect();
        (1..=most).rev().find_map(|length| self.by_words.get(&said[..length]).map(|found| (length, found.clone())))
    }
}

/// Every name of every bet of a catalogue.
#[derive(Debug)]
pub(super) struct Names {
    /// Names for bets that are being made.
    pub(super) made: Phrasebook<Which>,
    /// Names for bets that are already up.
    pub(super) standing: Phrasebook<Which>,
    /// Words before a number that make it a bet, with the bet's slug without the number: `place` and `place-win`.
    pub(super) made_stems: Phrasebook<&'static str>,
    /// The same for bets that are already up. When a bet is made, `come ten` is $10 on the come; when it is up, it is the come bet on ten.
    pub(super) standing_stems: Phrasebook<&'static str>,
    /// The word before `odds`, and the bets that those odds go behind.
    pub(super) fronts: Phrasebook<Which>,
    /// Every known word, without and with its apostrophe, to suggest corrections of misspelled words.
    pub(super) vocabulary: BTreeMap<String, String>,
}

/// A value that is built once per catalogue and kept for the life of the program.
struct Kept<T: 'static>(RwLock<Vec<(usize, &'static T)>>);

impl<T: Send + Sync> Kept<T> {
    const fn new() -> Kept<T> {
        Kept(RwLock::new(Vec::new()))
    }

    /// Returns the value for the current catalogue, and builds it the first time.
    fn get(&self, make: impl FnOnce(&'static Catalogue) -> T) -> &'static T {
        let catalogue = Catalogue::current();
        let key = std::ptr::from_ref(catalogue).addr();
        let known = |all: &[(usize, &'static T)]| all.iter().find(|(at, _)| *at == key).map(|(_, kept)| *kept);
        if let Some(kept) = self.0.read().ok().and_then(|all| known(&all)) {
            return kept;
        }
        let made: &'static T = Box::leak(Box::new(make(catalogue)));
        if let Ok(mut all) = self.0.write() {
            all.push((key, made));
        }
        made
    }
}

/// Returns every name of every bet of the current catalogue.
pub(super) fn names() -> &'static Names {
    static NAMES: Kept<Names> = Kept::new();
    NAMES.get(Names::new)
}

/// Returns all bets by their names in game files, such as `place-win-6` and `pl6`.
fn in_games() -> &'static BTreeMap<String, BetName> {
    static IN_GAMES: Kept<BTreeMap<String, BetName>> = Kept::new();
    IN_GAMES.get(|catalogue| {
        let bets = catalogue.all().flat_map(|id| id.wager().names().into_iter().map(move |name| (id, name)));
        let both = |(wager, name): (WagerId, Name)| {
            let bet = BetName { wager, number: name.number };
            [(name.slug, bet.clone()), (name.code.to_lowercase(), bet)]
        };
        bets.flat_map(both).collect()
    })
}

/// Finds a bet by its name in game files, such as `place-win-6` or `PL6`.
pub(super) fn bet_named(name: &str) -> Option<BetName> {
    in_games().get(&name.to_lowercase()).cloned()
}

impl Names {
    fn new(catalogue: &Catalogue) -> Names {
        let wagers: Vec<WagerId> = catalogue.all().collect();
        let phrases = wagers.iter().flat_map(|id| {
            id.wager().phrases.iter().map(|phrase| (*phrase, Which::Named(BetName { wager: *id, number: None })))
        });
        let combos = catalogue.combos().iter().flat_map(|combo| {
            combo.phrases.iter().map(|name| (*name, Which::Combo(Combo { name, parts: combo.bets })))
        });
        let spreads =
            lex::SPREADS.iter().map(|(phrase, spread)| (*phrase, Which::Spread { how: None, spread: *spread }));
        // A number alone is not the name of a bet: its meaning depends on the table.
        let plain = in_games().iter().filter(|(name, _)| spelled(name).is_none());
        let plain = plain.map(|(name, bet)| (name.as_str(), Which::Named(bet.clone())));
        let made = Phrasebook::new(phrases.chain(combos).chain(spreads).chain(plain));
        let mut standing = Phrasebook::new(lex::KINDS.iter().map(|(phrase, kind)| (*phrase, Which::All(*kind))));
        standing.longest = standing.longest.max(made.longest);
        for (words, which) in &made.by_words {
            standing.by_words.entry(words.clone()).or_insert_with(|| which.clone());
        }
        let stems = |of: fn(&Wager) -> &'static [&'static str]| {
            wagers.iter().flat_map(move |id| of(id.wager()).iter().map(|stem| (*stem, id.wager().stem())))
        };
        let vocabulary = vocabulary(catalogue);
        let fronts =
            Phrasebook::new(wagers.iter().flat_map(|id| id.wager().odds_words.iter().map(|word| (*word, front(*id)))));
        Names {
            made,
            standing,
            made_stems: Phrasebook::new(stems(|wager| wager.stems)),
            standing_stems: Phrasebook::new(stems(|wager| wager.stems).chain(stems(|wager| wager.standing_stems))),
            fronts,
            vocabulary,
        }
    }
}

/// Returns the bets that a word before `odds` means: one bet on the line, or all bets of a kind that are on numbers.
fn front(id: WagerId) -> Which {
    let wager = id.wager();
    match wager.side() {
        Some(Side::Right) if wager.travels() => Which::All(Kind::Come),
        Some(Side::Wrong) if wager.travels() => Which::All(Kind::DontCome),
        None if wager.family == Family::Put => Which::All(Kind::Put),
        _ => Which::Named(BetName { wager: id, number: None }),
    }
}

fn vocabulary(catalogue: &Catalogue) -> BTreeMap<String, String> {
    let own = |id: WagerId| {
        let wager = id.wager();
        [wager.phrases, wager.stems, wager.standing_stems, wager.odds_words].into_iter().flatten().copied()
    };
    let combos = catalogue.combos().iter().flat_map(|combo| combo.phrases.iter().copied());
    let phrases = lex::phrases().chain(catalogue.all().flat_map(own)).chain(combos);
    let said = phrases.flat_map(|phrase| phrase.split([' ', '-'])).chain(number_words());
    let letters = said.filter(|word| word.chars().all(|c| c.is_alphabetic() || c == '\''));
    letters.map(|word| (word.to_lowercase().replace('\'', ""), word.to_lowercase())).collect()
}
