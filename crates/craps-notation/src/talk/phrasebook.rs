//! The names of bets: what the catalogue's wagers say of themselves, as phrases that can be found in a line.

use super::lexicon as lex;
use super::order::{Combo, Kind, Which};
use super::words::{Word, number_words, spelled, words};
use crate::game::BetName;
use craps_wagers::{Catalogue, Family, Name, Side, Wager, WagerId};
use std::collections::BTreeMap;
use std::sync::RwLock;

/// A phrase as words that can be compared.
fn plain(phrase: &str) -> Vec<String> {
    words(phrase).into_iter().map(|word| word.text).collect()
}

/// Phrases with what they mean, found by the words that stand next.
#[derive(Debug)]
pub(super) struct Phrasebook<T> {
    by_words: BTreeMap<Vec<String>, T>,
    longest: usize,
}

impl<T: Clone> Phrasebook<T> {
    /// Of two entries with the same words the first holds.
    fn new<'a>(entries: impl IntoIterator<Item = (&'a str, T)>) -> Phrasebook<T> {
        let mut by_words = BTreeMap::new();
        for (phrase, meaning) in entries {
            by_words.entry(plain(phrase)).or_insert(meaning);
        }
        let longest = by_words.keys().map(Vec::len).max().unwrap_or_default();
        Phrasebook { by_words, longest }
    }

    /// The longest phrase that the words begin with: how many words it takes, and what it means.
    pub(super) fn longest(&self, words: &[Word]) -> Option<(usize, T)> {
        let most = self.longest.min(words.len());
        let said: Vec<String> = words[..most].iter().map(|word| word.text.clone()).collect();
        (1..=most).rev().find_map(|length| self.by_words.get(&said[..length]).map(|found| (length, found.clone())))
    }
}

/// Every name of every bet of a catalogue.
#[derive(Debug)]
pub(super) struct Names {
    /// Bets as they are made.
    pub(super) made: Phrasebook<Which>,
    /// Bets as they are spoken of once they stand.
    pub(super) standing: Phrasebook<Which>,
    /// Words before a number that make it a bet, and the bet's name without the number: `place`, `place-win`.
    pub(super) made_stems: Phrasebook<&'static str>,
    /// The same, where a bet that stands is spoken of: a new come bet has no number yet, and `come ten` is ten on it.
    pub(super) standing_stems: Phrasebook<&'static str>,
    /// The word before `odds`, and the bets in front of them.
    pub(super) fronts: Phrasebook<Which>,
    /// Every word that is known, without its apostrophe and with it, for what was nearly said.
    pub(super) vocabulary: BTreeMap<String, String>,
}

/// Something that is put together once for each catalogue, and kept as long as the catalogue.
struct Kept<T: 'static>(RwLock<Vec<(usize, &'static T)>>);

impl<T: Send + Sync> Kept<T> {
    const fn new() -> Kept<T> {
        Kept(RwLock::new(Vec::new()))
    }

    /// What is kept for the catalogue that texts are read in.
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

/// Every name of every bet of the catalogue that texts are read in.
pub(super) fn names() -> &'static Names {
    static NAMES: Kept<Names> = Kept::new();
    NAMES.get(Names::new)
}

/// Bets by their names in games, such as `place-win-6` and `pl6`.
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

/// A bet by its name in games, such as `place-win-6` or `PL6`.
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
        // A number alone is not the name of a bet: what it means depends on the table.
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

/// The bets that a word before `odds` speaks of: one bet on the line, or all bets of a kind that stand on numbers.
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
