//! Reads the entries of a catalogue file and turns them into wagers.

use super::{Catalogue, Combo, EntryFile, wrong_example};
use crate::{Family, Front, Lies, Mechanic, Numbered, Part, Ranks, Side, Wager, WagerId};
use craps_dice::{NotDice, Throw, ThrowSet, TotalSet};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use toml::Spanned;

/// A mistake in a catalogue file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadEntry {
    /// The path of the file.
    pub path: String,
    /// The place of the mistake in the text, in bytes.
    pub span: Range<usize>,
    /// What is wrong and what was expected.
    pub message: String,
}

impl fmt::Display for BadEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

impl std::error::Error for BadEntry {}

/// A catalogue file. Its entries usually belong to one family.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    family: Option<String>,
    #[serde(default)]
    wager: Vec<Spanned<Entry>>,
    #[serde(default)]
    combo: Vec<Spanned<WrittenCombo>>,
}

/// A `[[combo]]` entry: several bets made under one name.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCombo {
    phrases: Vec<String>,
    bets: Vec<String>,
}

/// A `[[wager]]` entry. With `each` it makes one wager for each row, and every `{key}` in a text is replaced by the row's value.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    #[serde(default)]
    each: Vec<BTreeMap<String, String>>,
    slug: String,
    code: String,
    family: Option<String>,
    name: String,
    label: Option<String>,
    number: Option<String>,
    lies: Option<Lies>,
    mechanic: Spanned<Written>,
    tracker: Option<String>,
    marker: Option<String>,
    #[serde(default)]
    phrases: Vec<String>,
    #[serde(default)]
    stems: Vec<String>,
    spoken: Option<String>,
    #[serde(default)]
    standing_stems: Vec<String>,
    #[serde(default)]
    odds_words: Vec<String>,
    about: String,
    examples: Vec<[String; 2]>,
}

/// The name of a rank, and the totals or dice on which it wins.
type RankSet = [String; 2];

/// A mechanic as it is written in the file.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Written {
    Line {
        side: SideWord,
        /// Come-out totals on which this bet pushes, in addition to those that a book bars.
        pushes: Option<String>,
        /// Come-out totals that win at their own rank.
        #[serde(default)]
        ranks: Vec<RankSet>,
    },
    Odds {
        side: SideWord,
        behind: Behind,
    },
    Race {
        wins: String,
        loses: String,
    },
    OneRoll(Vec<RankSet>),
    TwoRolls {
        first: Vec<RankSet>,
        goes_on: String,
        second: Vec<RankSet>,
    },
    Parts(Vec<(String, u8)>),
    PointsMade {},
    PassesMade {
        most: u8,
    },
    LineWins {
        most: u8,
    },
    RollsSurvived {
        most: u8,
    },
    Collect(String),
    NumbersCompleted {},
    RunOfNumbers {},
    Repeats {
        totals: String,
        times: Number,
    },
    NoSeven {
        rolls: Number,
    },
    Different(String),
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum SideWord {
    Right,
    Wrong,
}

/// A number, or a text that becomes a number when its keys are filled in.
#[derive(Deserialize)]
#[serde(untagged)]
enum Number {
    Plain(u8),
    Filled(String),
}

/// The bet in front of an odds bet: one that moves to its number, or one for each number.
#[derive(Deserialize)]
#[serde(untagged)]
enum Behind {
    One(String),
    Numbers(Vec<String>),
}

impl From<SideWord> for Side {
    fn from(word: SideWord) -> Side {
        match word {
            SideWord::Right => Side::Right,
            SideWord::Wrong => Side::Wrong,
        }
    }
}

/// The largest number of marks that fits in a bet's progress.
const MOST_MARKS: usize = 16;

/// Reads a file into the catalogue.
pub(super) fn read(file: &EntryFile<'_>, catalogue: &mut Catalogue, mistakes: &mut Vec<BadEntry>) {
    let bad = |span: Range<usize>, message: String| BadEntry { path: file.path.to_owned(), span, message };
    let read: File = match toml::from_str(file.text) {
        Ok(read) => read,
        Err(error) => {
            let message = error.message().trim_end().replace('\n', "; ");
            return mistakes.push(bad(error.span().unwrap_or(0..0), message));
        }
    };
    let mut added = Vec::new();
    for entry in &read.wager {
        let one = [BTreeMap::new()];
        let rows = if entry.as_ref().each.is_empty() { &one[..] } else { &entry.as_ref().each };
        for row in rows {
            let made = Row { entry: entry.as_ref(), row, catalogue }.wager(read.family.as_deref());
            let made = made.and_then(|wager| match catalogue.taken(&wager).or_else(|| wrong_example(&wager)) {
                Some(wrong) => Err(wrong),
                None => Ok(wager),
            });
            match made {
                Ok(wager) => added.push((catalogue.add(wager), entry.span())),
                Err(message) => {
                    let slug = entry.as_ref().slug.clone();
                    mistakes.push(bad(entry.span(), format!("wager {slug}: {message}")));
                }
            }
        }
    }
    // A tracker can come after its bets in the file.
    for (id, span) in added {
        let tracker = id.wager().tracker;
        if catalogue.find(tracker).is_none() {
            mistakes.push(bad(span, format!("wager {id}: tracker = \"{tracker}\": no wager has this slug")));
        }
    }
    for combo in &read.combo {
        let bets: Result<Vec<WagerId>, &String> =
            combo.as_ref().bets.iter().map(|slug| catalogue.find(slug).ok_or(slug)).collect();
        match bets {
            Ok(bets) if bets.len() > 1 && !combo.as_ref().phrases.is_empty() => {
                let phrases = combo.as_ref().phrases.iter().map(|phrase| &*phrase.clone().leak()).collect();
                catalogue.combos.push(Combo { phrases: leak(phrases), bets: leak(bets) });
            }
            Ok(_) => mistakes.push(bad(combo.span(), "expected at least one phrase and two bets".to_owned())),
            Err(slug) => mistakes.push(bad(combo.span(), format!("no wager is called `{slug}`"))),
        }
    }
}

/// An entry together with the values for its `{keys}`.
struct Row<'a> {
    entry: &'a Entry,
    row: &'a BTreeMap<String, String>,
    catalogue: &'a Catalogue,
}

impl Row<'_> {
    fn wager(&self, family: Option<&str>) -> Result<Wager, String> {
        let entry = self.entry;
        let family = entry.family.as_deref().or(family).unwrap_or_default();
        let known = || Family::ALL.map(Family::name).join(", ");
        let family = Family::named(family).ok_or_else(|| format!("family `{family}`: expected one of {}", known()))?;
        let (mechanic, ranks) = self.mechanic(entry.mechanic.as_ref())?;
        let slug = self.text(&entry.slug);
        if slug.is_empty() || !slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-') {
            return Err(format!("slug `{slug}`: expected lowercase letters, digits and hyphens"));
        }
        let code = self.text(&entry.code);
        if !code.starts_with(|c: char| c.is_ascii_uppercase())
            || !code.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '#')
        {
            return Err(format!("code `{code}`: expected capital letters and digits, starting with a letter"));
        }
        let numbered = match mechanic {
            _ if !code.contains('#') => Numbered::Never,
            Mechanic::Line { .. } => Numbered::AfterMoving,
            Mechanic::Behind(..) => Numbered::Always,
            _ => return Err(format!("code `{code}`: only line and odds bets can have a # for their number")),
        };
        let number_text = entry.number.as_deref().map_or("", |number| self.text(number));
        Ok(Wager {
            slug,
            code,
            name: self.text(&entry.name),
            label: entry.label.as_deref().map_or_else(|| self.text(&entry.name), |label| self.text(label)),
            family,
            lies: entry.lies.unwrap_or(family.lies()),
            ranks,
            mechanic,
            number_text,
            number: number_text.parse().ok(),
            dice: number_text.parse().ok(),
            numbered,
            tracker: entry.tracker.as_deref().map_or(slug, |tracker| self.text(tracker)),
            marker: entry.marker.as_deref().map(|marker| self.text(marker)),
            phrases: self.texts(&entry.phrases),
            stems: self.texts(&entry.stems),
            spoken: entry.spoken.as_deref().map(|spoken| self.text(spoken)),
            standing_stems: self.texts(&entry.standing_stems),
            odds_words: self.texts(&entry.odds_words),
            about: self.text(&entry.about),
            examples: leak(entry.examples.iter().map(|[rolls, told]| (self.text(rolls), self.text(told))).collect()),
            place: 0,
        })
    }

    /// Returns the mechanic and its ranks.
    fn mechanic(&self, written: &Written) -> Result<(Mechanic, Ranks), String> {
        const WIN: Ranks = Ranks::Each(&["win"]);
        Ok(match written {
            Written::Line { side, pushes, ranks } => {
                let pushes = pushes.as_deref().map_or(Ok(TotalSet::default()), |totals| self.totals(totals))?;
                let own = ranks.iter().map(|[_, totals]| self.totals(totals)).collect::<Result<Vec<_>, _>>()?;
                let names: Vec<&'static str> =
                    ["win"].into_iter().chain(ranks.iter().map(|[name, _]| self.text(name))).collect();
                let shares = |at: usize, set: &TotalSet| own[..at].iter().any(|other| !other.and(*set).is_empty());
                if own.iter().enumerate().any(|(at, set)| set.is_empty() || shares(at, set))
                    || names.iter().enumerate().any(|(at, name)| names[..at].contains(name))
                {
                    return Err("line: expected ranks with unique names, and totals that no other rank has".to_owned());
                }
                let mechanic = Mechanic::Line { side: (*side).into(), pushes, ranks: leak(own) };
                (mechanic, Ranks::Each(leak(names)))
            }
            Written::Odds { side, behind } => {
                let front = match behind {
                    Behind::One(slug) => Front::Line(self.find(slug)?),
                    Behind::Numbers(slugs) => {
                        let fronts = slugs.iter().map(|slug| self.find(slug)).collect::<Result<Vec<_>, _>>()?;
                        if let Some(bare) = fronts.iter().find(|front| front.wager().number.is_none()) {
                            return Err(format!("behind = [… \"{bare}\" …]: expected wagers with a number"));
                        }
                        Front::Number(leak(fronts))
                    }
                };
                (Mechanic::Behind((*side).into(), front), Ranks::Numbers)
            }
            Written::Race { wins, loses } => {
                let (wins, loses) = (self.rolls(wins)?, self.rolls(loses)?);
                if wins.is_empty() || loses.is_empty() || wins.meets(loses) {
                    return Err("race: expected rolls that win and other rolls that lose".to_owned());
                }
                (Mechanic::Race { wins, loses }, WIN)
            }
            Written::OneRoll(ranks) => {
                let (names, sets) = self.rank_sets(ranks)?;
                if sets.is_empty() {
                    return Err("one_roll: expected at least one rank".to_owned());
                }
                (Mechanic::OneThrow(leak(sets)), Ranks::Each(leak(names)))
            }
            Written::TwoRolls { first, goes_on, second } => {
                let ((mut names, first), (later, second)) = (self.rank_sets(first)?, self.rank_sets(second)?);
                let goes_on = self.rolls(goes_on)?;
                if let Some(twice) = later.iter().find(|name| names.contains(name)) {
                    return Err(format!("two_rolls: rank {twice} is in both rolls: expected a unique name"));
                }
                if goes_on.is_empty() || second.is_empty() || first.iter().any(|set| set.meets(goes_on)) {
                    return Err("two_rolls: expected rolls that go on and don't also win at once".to_owned());
                }
                names.extend(later);
                let mechanic = Mechanic::TwoRolls { first: leak(first), goes_on, second: leak(second) };
                (mechanic, Ranks::Each(leak(names)))
            }
            Written::Parts(parts) => {
                let part = |(slug, units): &(String, u8)| match self.find(slug)? {
                    wager if *units == 0 => Err(format!("parts: {wager} needs at least one unit")),
                    wager if matches!(wager.wager().mechanic, Mechanic::OneThrow(_)) => {
                        Ok(Part { wager, units: *units })
                    }
                    wager => Err(format!("parts: {wager} isn't a one-roll wager")),
                };
                let parts = parts.iter().map(part).collect::<Result<Vec<_>, _>>()?;
                if parts.len() < 2 {
                    return Err("parts: expected at least two wagers".to_owned());
                }
                if parts.iter().map(|part| u32::from(part.units)).sum::<u32>() > u32::from(u8::MAX) {
                    return Err(format!("parts: expected at most {} units together", u8::MAX));
                }
                let wins = |part: &Part, roll: Throw| match part.wager.wager().mechanic {
                    Mechanic::OneThrow(ranks) => ranks.iter().any(|set| set.contains(roll)),
                    _ => false,
                };
                if Throw::ALL.into_iter().any(|roll| parts.iter().filter(|part| wins(part, roll)).count() > 1) {
                    return Err("parts: expected wagers of which at most one wins on any roll".to_owned());
                }
                (Mechanic::Composite(leak(parts)), Ranks::OfParts)
            }
            Written::PointsMade {} => (Mechanic::PointsMade, Ranks::Counts(6)),
            Written::PassesMade { most: 0 } | Written::LineWins { most: 0 } | Written::RollsSurvived { most: 0 } => {
                return Err("most: expected at least 1".to_owned());
            }
            Written::PassesMade { most } => (Mechanic::PassesMade { most: *most }, Ranks::Counts(*most)),
            Written::LineWins { most } => (Mechanic::LineWins { most: *most }, Ranks::Counts(*most)),
            Written::RollsSurvived { most } => (Mechanic::ThrowsSurvived { most: *most }, Ranks::Counts(*most)),
            Written::Collect(totals) => match self.totals(totals)? {
                totals if totals.is_empty() || totals.contains(craps_dice::Total::Seven) => {
                    return Err("collect: expected totals other than seven".to_owned());
                }
                totals => (Mechanic::Collect(totals), WIN),
            },
            Written::NumbersCompleted {} => (Mechanic::NumbersCompleted, Ranks::Counts(6)),
            Written::RunOfNumbers {} => {
                (Mechanic::RunOfNumbers, Ranks::Levels(&["natural", "1", "2", "3", "4", "5", "5+point"]))
            }
            Written::Repeats { totals, times } => match (self.totals(totals)?, self.number(times)?) {
                (totals, times) if totals.is_empty() || totals.contains(craps_dice::Total::Seven) || times == 0 => {
                    return Err("repeats: expected totals other than seven, at least once".to_owned());
                }
                (totals, times) => (Mechanic::Repeats { totals, times }, WIN),
            },
            Written::NoSeven { rolls } => match self.number(rolls)? {
                0 => return Err("no_seven: expected at least one roll".to_owned()),
                rolls => (Mechanic::NoSeven { rolls }, WIN),
            },
            Written::Different(rolls) => {
                let of = self.rolls(rolls)?;
                let sevens = TotalSet::of(&[craps_dice::Total::Seven]).throws();
                let count = u8::try_from(of.len()).unwrap_or(u8::MAX);
                if of.is_empty() || of.len() > MOST_MARKS || of.meets(sevens) {
                    return Err(format!("different: expected 1 to {MOST_MARKS} rolls, none of them a seven"));
                }
                (Mechanic::Different { of }, Ranks::Counts(count))
            }
        })
    }

    /// Reads ranks and the rolls on which each wins. Each roll can be in only one rank.
    fn rank_sets(&self, ranks: &[RankSet]) -> Result<(Vec<&'static str>, Vec<ThrowSet>), String> {
        let mut all: (Vec<&'static str>, Vec<ThrowSet>) = Default::default();
        for [name, rolls] in ranks {
            let (name, set) = (self.text(name), self.rolls(rolls)?);
            if set.is_empty() || all.1.iter().any(|other| other.meets(set)) || all.0.contains(&name) {
                return Err(format!("rank {name}: expected a unique name, and rolls that no other rank has"));
            }
            all.0.push(name);
            all.1.push(set);
        }
        Ok(all)
    }

    fn find(&self, slug: &str) -> Result<WagerId, String> {
        let slug = self.text(slug);
        self.catalogue.find(slug).ok_or_else(|| format!("expected a wager that comes before this one, found `{slug}`"))
    }

    fn number(&self, number: &Number) -> Result<u8, String> {
        match number {
            Number::Plain(number) => Ok(*number),
            Number::Filled(text) => {
                let text = self.text(text);
                text.parse().map_err(|_| format!("expected a number from 0 to 255, found `{text}`"))
            }
        }
    }

    fn totals(&self, text: &str) -> Result<TotalSet, String> {
        self.text(text).parse().map_err(|error: NotDice| error.to_string())
    }

    fn rolls(&self, text: &str) -> Result<ThrowSet, String> {
        self.text(text).parse().map_err(|error: NotDice| error.to_string())
    }

    /// Returns a text with its `{keys}` filled in. The text is leaked, because wagers live as long as the program.
    fn text(&self, text: &str) -> &'static str {
        let number = self.entry.number.iter().map(|number| ("n", number.as_str()));
        let filled = self.row.iter().map(|(key, value)| (key.as_str(), value.as_str())).chain(number);
        let filled = filled.fold(text.to_owned(), |text, (key, value)| text.replace(&format!("{{{key}}}"), value));
        Box::leak(filled.into_boxed_str())
    }

    fn texts(&self, texts: &[String]) -> &'static [&'static str] {
        leak(texts.iter().map(|text| self.text(text)).collect())
    }
}

fn leak<T>(list: Vec<T>) -> &'static [T] {
    Box::leak(list.into_boxed_slice())
}
