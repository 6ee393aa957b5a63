//! Reads felt strings of version 1: each tracker has its own word, and `-p` with a packed number is the progress of a bet.

use super::{Told, Trackers, pieces, wrong};
use craps_dice::{Throw, TotalSet};
use craps_law::WagerRules;
use craps_table::Table;
use craps_wagers::{Catalogue, Gathered, Goal, Machine, Progress, WagerId};
use std::collections::BTreeMap;

/// Unpacks the progress of a bet from its number.
pub(super) fn packed(machine: &Machine, text: &str) -> Result<Progress, String> {
    let progress = text.parse().ok().map(Progress::from_bits);
    let progress = progress.filter(|progress| machine.reaches(*progress));
    progress.ok_or_else(|| format!("no rolls lead to the progress `{text}`"))
}

/// What one tracker says.
enum Said {
    /// Totals. A product of several bets spreads its totals over several words.
    Totals(TotalSet),
    /// The whole progress of the tracker.
    Whole(Progress),
}

/// Reads the trackers of version 1. One set of markers served all bets of a product, so each bet gets its share.
pub(super) fn trackers(table: &Table, parts: &[(usize, &str)]) -> Told<Trackers> {
    let (mut words, mut totals, mut all) = (Vec::new(), BTreeMap::new(), Trackers::new());
    for (at, part) in parts {
        let (word, wager) = word(*at, part)?;
        let rules = table.rules().wager(wager);
        let rules = rules.ok_or_else(|| wrong(*at, format!("this table doesn't offer {wager}")))?;
        if words.contains(&word) {
            return Err(wrong(*at, format!("the markers of {word} appear twice")));
        }
        words.push(word);
        match said(rules, *at, word, part)? {
            Said::Totals(seen) => {
                let (_, before) = totals.entry(serving(wager)).or_insert((*at, TotalSet::default()));
                *before = before.iter().chain(seen.iter()).collect();
            }
            Said::Whole(progress) => {
                all.insert(wager, progress);
            }
        }
    }
    for rules in &table.rules().wagers {
        let Some((at, seen)) = totals.get(&serving(rules.wager)) else { continue };
        let share = rules.machine.share(Gathered::Totals(*seen)).filter(|share| rules.machine.reaches(*share));
        match share {
            Some(share) => all.insert(rules.wager, share),
            // This bet has everything it needs: it is settled, and its tracker starts over. The tracker that serves the other bets goes on.
            None if serving(rules.wager) != rules.wager.wager().slug => None,
            None => return Err(wrong(*at, format!("no rolls lead to these markers of {}", rules.wager))),
        };
    }
    Ok(all)
}

/// Returns the slug of the wager whose markers served this one.
fn serving(wager: WagerId) -> &'static str {
    wager.wager().tracker
}

/// Returns the first word of a part, and the wager whose markers it names.
fn word(at: usize, part: &str) -> Told<(&str, WagerId)> {
    let word = part.split('.').next().unwrap_or_default();
    let wager = Catalogue::current().all().find(|id| id.wager().marker == Some(word));
    let expected = || wrong(at, format!("expected a seat or the markers of a side bet, found `{part}`"));
    wager.map(|wager| (word, wager)).ok_or_else(expected)
}

fn said(rules: &WagerRules, at: usize, word: &str, part: &str) -> Told<Said> {
    let items: Vec<(usize, &str)> = pieces(at, part, '.').skip(1).collect();
    let (machine, goal) = (&rules.machine, rules.machine.goal());
    let listed = matches!(goal, Goal::Totals(_) | Goal::Rolls(_));
    let Some((_, first)) = items.first().filter(|_| listed || items.len() == 1) else {
        let what = if listed { "at least one marker" } else { "one number" };
        return Err(wrong(at, format!("expected {what} of {word}, found `{part}`")));
    };
    let mark = |text: &str| match goal {
        Goal::Rolls(_) => text.split_at_checked(1).map(|(low, high)| format!("{low}-{high}")).unwrap_or_default(),
        _ => text.to_owned(),
    };
    if let Some((at, item)) = items.iter().find(|(_, item)| listed && !goal.has_mark(&mark(item))) {
        return Err(wrong(*at, format!("`{item}` is not a marker of {word}")));
    }
    let left = |progress: Result<Progress, _>| {
        progress.map_err(|_: String| wrong(at, format!("no rolls lead to these markers of {}", rules.wager)))
    };
    match goal {
        Goal::Totals(_) => Ok(Said::Totals(items.iter().filter_map(|(_, item)| item.parse().ok()).collect())),
        Goal::Rolls(_) => {
            let rolls: Vec<Throw> = items.iter().filter_map(|(_, item)| mark(item).parse().ok()).collect();
            let spelled: Vec<String> = rolls.iter().map(|roll| format!("{}{}", roll.low(), roll.high())).collect();
            left(machine.read(&spelled.join("x")).map_err(|error| error.to_string())).map(Said::Whole)
        }
        Goal::Count(_) | Goal::Run(_) | Goal::Nothing => left(packed(machine, first)).map(Said::Whole),
    }
}
