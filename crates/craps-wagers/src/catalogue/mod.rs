//! Every wager, one entry each, grouped in families. To add a wager that a known mechanic decides, add one entry.

mod hardway;
mod line;
mod number;
mod one_throw;
mod shooter;

use crate::{Dials, Front, Machine, Mechanic, Progress, Rank};
use craps_dice::Point;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One wager: what the law defines, as far as dice decide it.
#[derive(Debug, Clone, Copy)]
pub struct Wager {
    /// Its name everywhere in the project.
    pub slug: &'static str,
    /// Its short name in the game notation; `#` stands for the number a bet is on.
    pub code: &'static str,
    /// The family it belongs to.
    pub family: Family,
    /// The outcomes that can be priced.
    pub ranks: Ranks,
    /// How it is decided.
    pub mechanic: Mechanic,
    /// What it is, when it wins, and its traps; `{n}` stands for its number.
    about: &'static str,
    /// Throws from the first come-out and what becomes of the bet; they are run as tests. `(6)` starts odds on that number.
    pub examples: &'static [Example],
}

/// Throws, and what becomes of the bet.
pub type Example = (&'static str, &'static str);

/// Bets of one kind: they share limits and customs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the families")]
pub enum Family {
    Line,
    Odds,
    PlaceWin,
    PlaceLose,
    Buy,
    Lay,
    Hardway,
    OneThrow,
    Hop,
    Big,
    Put,
    Shooter,
}

impl Family {
    /// All families in catalogue order.
    pub const ALL: [Family; 12] = [
        Family::Line,
        Family::Odds,
        Family::PlaceWin,
        Family::PlaceLose,
        Family::Buy,
        Family::Lay,
        Family::Hardway,
        Family::OneThrow,
        Family::Hop,
        Family::Big,
        Family::Put,
        Family::Shooter,
    ];

    /// Its name, as house rules write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Family::Line => "line",
            Family::Odds => "odds",
            Family::PlaceWin => "place-win",
            Family::PlaceLose => "place-lose",
            Family::Buy => "buy",
            Family::Lay => "lay",
            Family::Hardway => "hard",
            Family::OneThrow => "one-throw",
            Family::Hop => "hop",
            Family::Big => "big",
            Family::Put => "put",
            Family::Shooter => "side",
        }
    }

    /// The group whose limits it shares; odds have none but their multiple.
    #[must_use]
    pub const fn group(self) -> Option<Group> {
        match self {
            Family::Odds => None,
            Family::Line => Some(Group::Line),
            Family::PlaceWin | Family::PlaceLose | Family::Buy | Family::Lay | Family::Big | Family::Put => {
                Some(Group::Number)
            }
            Family::Hardway => Some(Group::Hardway),
            Family::OneThrow | Family::Hop => Some(Group::Prop),
            Family::Shooter => Some(Group::Side),
        }
    }
}

/// Families for which a house posts limits of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the groups")]
pub enum Group {
    Line,
    Number,
    Hardway,
    Prop,
    Side,
}

impl Group {
    /// All groups.
    pub const ALL: [Group; 5] = [Group::Line, Group::Number, Group::Hardway, Group::Prop, Group::Side];

    /// Its name, as house rules write it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Group::Line => "line",
            Group::Number => "number",
            Group::Hardway => "hardway",
            Group::Prop => "prop",
            Group::Side => "side",
        }
    }
}

/// The outcomes of a wager that a book can price.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranks {
    /// Each of these must be priced.
    Each(&'static [&'static str]),
    /// Some of these are priced, the top one always; one that is not loses.
    Levels(&'static [&'static str]),
    /// A count up to this; a price holds from its count up to the next priced one, and below the lowest the bet loses.
    Counts(u8),
    /// The number the bet stands on; each number that can be set must be priced.
    Numbers,
    /// The prices of its parts; a book does not price it.
    OfParts,
}

impl Ranks {
    /// The name of a rank in a book.
    #[must_use]
    pub fn name(&self, rank: Rank) -> String {
        match self {
            Ranks::Each(names) | Ranks::Levels(names) => {
                names.get(usize::from(rank.index())).copied().unwrap_or("?").to_owned()
            }
            Ranks::Counts(_) | Ranks::Numbers => rank.index().to_string(),
            Ranks::OfParts => format!("part {}", rank.index() + 1),
        }
    }

    /// The rank of that name, if the wager has it.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Rank> {
        match self {
            Ranks::Each(names) | Ranks::Levels(names) => {
                (0u8..).zip(*names).find(|(_, known)| **known == name).map(|(at, _)| Rank(at))
            }
            Ranks::Counts(most) => name.parse().ok().filter(|count| (1..=*most).contains(count)).map(Rank),
            Ranks::Numbers => name.parse::<Point>().ok().map(|point| Rank(point.value())),
            Ranks::OfParts => name.strip_prefix("part ")?.parse::<u8>().ok()?.checked_sub(1).map(Rank),
        }
    }
}

/// What a bet of a wager is called at the table: by its slug and code, and the number it stands on where that is part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The long name, such as `come-8`.
    pub slug: String,
    /// The short name, such as `C8`.
    pub code: String,
    /// The number the bet is on, where the name says it.
    pub number: Option<Point>,
}

/// A wager by its place in the [`CATALOGUE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WagerId(u8);

impl WagerId {
    /// Its place.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The wager.
    #[must_use]
    pub fn wager(self) -> &'static Wager {
        &CATALOGUE[self.index()]
    }
}

impl fmt::Display for WagerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.wager().slug)
    }
}

impl TryFrom<String> for WagerId {
    type Error = String;

    fn try_from(slug: String) -> Result<WagerId, String> {
        Wager::find_id(&slug).ok_or_else(|| format!("expected a wager such as `pass`, found `{slug}`"))
    }
}

impl From<WagerId> for String {
    fn from(wager: WagerId) -> String {
        wager.to_string()
    }
}

const FAMILIES: [&[Wager]; 12] = [
    &line::LINES,
    &number::PLACE_WIN,
    &number::PLACE_LOSE,
    &number::BUY,
    &number::LAY,
    &hardway::HARDWAYS,
    &one_throw::PROPOSITIONS,
    &one_throw::HOPS,
    &number::BIG,
    &number::PUT,
    &number::PUT_ODDS,
    &shooter::SIDE_BETS,
];

const COUNT: usize = {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};

/// Every wager, in the order in which games are printed.
pub static CATALOGUE: [Wager; COUNT] = {
    let mut all = [line::LINES[0]; COUNT];
    let (mut at, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut entry = 0;
        while entry < FAMILIES[family].len() {
            all[at] = FAMILIES[family][entry];
            at += 1;
            entry += 1;
        }
        family += 1;
    }
    all
};

impl Wager {
    /// The wager of that slug.
    ///
    /// ```
    /// use craps_wagers::Wager;
    /// assert_eq!(Wager::find("hop-1-3").unwrap().code, "HP13");
    /// assert!(Wager::find("hop-1-1").is_none());
    /// ```
    #[must_use]
    pub fn find(slug: &str) -> Option<&'static Wager> {
        CATALOGUE.iter().find(|wager| wager.slug == slug)
    }

    /// The wager's place in the catalogue by slug.
    #[must_use]
    pub fn find_id(slug: &str) -> Option<WagerId> {
        (0u8..).zip(&CATALOGUE).find(|(_, wager)| wager.slug == slug).map(|(at, _)| WagerId(at))
    }

    /// Every wager with its place, in catalogue order.
    pub fn all() -> impl Iterator<Item = (WagerId, &'static Wager)> {
        (0u8..).zip(&CATALOGUE).map(|(at, wager)| (WagerId(at), wager))
    }

    /// The automaton that decides it, its unclear points read so.
    #[must_use]
    pub const fn machine(&self, dials: Dials) -> Machine {
        Machine { mechanic: self.mechanic, dials }
    }

    /// What it is, when it wins, and its traps.
    #[must_use]
    pub fn about(&self) -> String {
        self.about.replace("{n}", self.number_text())
    }

    /// The number in its slug (`6` of `place-win-6`, `1-3` of `hop-1-3`), or nothing.
    #[must_use]
    pub fn number_text(&self) -> &'static str {
        let start = self.slug.find(|c: char| c.is_ascii_digit()).unwrap_or(self.slug.len());
        &self.slug[start..]
    }

    /// Every name a bet of this wager can have. A come bet is `come` until it moves and `come-8` on its number; odds are named
    /// by number where their front bet is.
    #[must_use]
    pub fn names(&self) -> Vec<Name> {
        let plain = Name { slug: self.slug.to_owned(), code: self.code.replace('#', ""), number: None };
        let numbered = |points: &[Point]| {
            points
                .iter()
                .map(|point| Name {
                    slug: format!("{}-{point}", self.slug),
                    code: self.code.replace('#', &point.to_string()),
                    number: Some(*point),
                })
                .collect::<Vec<_>>()
        };
        match self.mechanic {
            _ if !self.code.contains('#') => vec![plain],
            Mechanic::Behind(_, Front::Number(_)) => numbered(&Point::BOX),
            Mechanic::Behind(..) => numbered(&Point::ALL),
            _ => [vec![plain], numbered(&Point::ALL)].concat(),
        }
    }

    /// Runs throws from the first come-out and says what became of the bet: a rank, `lost`, `pushed`, `credited …`, or `stands`.
    ///
    /// # Errors
    /// When the text holds something that is no throw.
    pub fn tell(&self, dials: Dials, throws: &str) -> Result<String, craps_dice::NotDice> {
        let machine = self.machine(dials);
        let (number, throws) = match throws.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
            Some((number, throws)) => (Some(number.parse()?), throws),
            None => (None, throws),
        };
        let mut progress: Progress = machine.start(number).unwrap_or_default();
        let mut phase = crate::Phase::ComeOut;
        let mut last = "stands".to_owned();
        for throw in throws.split_whitespace() {
            let throw = throw.parse()?;
            let step = machine.step(progress, phase, throw);
            phase = phase.after(throw, dials.points);
            (progress, last) = match step {
                crate::Step::Stand(next) => (next, "stands".to_owned()),
                crate::Step::Credited(rank, next) => (next, format!("credited {}", self.ranks.name(rank))),
                crate::Step::Won(rank) => return Ok(self.ranks.name(rank)),
                crate::Step::Lost => return Ok("lost".to_owned()),
                crate::Step::Pushed => return Ok("pushed".to_owned()),
            };
        }
        Ok(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Phase, Step};
    use craps_dice::Throw;
    use std::collections::{BTreeSet, HashSet};

    /// Every id of the specification's catalogue, section by section.
    #[test]
    fn the_catalogue_has_every_wager_once() {
        let numbers =
            |prefix: &str, numbers: &[&str]| numbers.iter().map(|n| format!("{prefix}-{n}")).collect::<Vec<_>>();
        let box_numbers = ["4", "5", "6", "8", "9", "10"];
        let all_numbers = ["2", "3", "4", "5", "6", "8", "9", "10", "11", "12"];
        let words = "pass dont-pass come dont-come pass-odds dont-pass-odds come-odds dont-come-odds field any-seven any-craps \
            craps-2 craps-3 craps-12 eleven c-and-e horn whirl six-seven-eight over-7 under-7 big-6 big-8 put-odds fire \
            sharp-shooter ride-the-line bonus-all-small bonus-all-tall bonus-make-em-all dice-ology-little-ones \
            dice-ology-big-ones dice-ology-boom-or-bust hot-roller lucky-shooter hot-shooter-jackpot";
        let hops = "2-2 3-3 4-4 5-5 1-3 1-4 2-3 1-5 2-4 1-6 2-5 3-4 2-6 3-5 3-6 4-5 4-6";
        let mut expected: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        expected.extend(numbers("place-win", &all_numbers));
        expected.extend(numbers("place-lose", &box_numbers));
        expected.extend(numbers("buy", &all_numbers));
        expected.extend(numbers("lay", &box_numbers));
        expected.extend(numbers("hard", &["4", "6", "8", "10"]));
        expected.extend(numbers("horn-high", &["2", "3", "11", "12"]));
        expected.extend(numbers("put", &box_numbers));
        expected.extend(hops.split_whitespace().map(|hop| format!("hop-{hop}")));
        expected.sort();
        let mut found: Vec<String> = CATALOGUE.iter().map(|wager| wager.slug.to_owned()).collect();
        found.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn every_example_comes_out_as_it_says_and_every_wager_has_one_that_decides() {
        for wager in &CATALOGUE {
            assert!(!wager.about.is_empty());
            for (throws, outcome) in wager.examples {
                assert_eq!(wager.tell(Dials::default(), throws).unwrap(), *outcome, "{}: {throws}", wager.slug);
            }
            assert!(wager.examples.iter().any(|(_, outcome)| *outcome != "stands"), "{}", wager.slug);
        }
    }

    #[test]
    fn names_and_codes_of_bets_are_all_different() {
        let (mut slugs, mut codes) = (BTreeSet::new(), BTreeSet::new());
        for wager in &CATALOGUE {
            for name in wager.names() {
                assert!(slugs.insert(name.slug.clone()), "{}", name.slug);
                assert!(codes.insert(name.code.clone()), "{}", name.code);
            }
        }
    }

    #[test]
    fn codes_are_those_of_the_notation() {
        let code = |slug: &str| {
            CATALOGUE
                .iter()
                .flat_map(Wager::names)
                .find(|name| name.slug == slug)
                .map(|name| name.code)
                .unwrap_or_default()
        };
        let rows = "pass P, pass-odds PO, dont-pass DP, dont-pass-odds DPO, come C, come-8 C8, come-odds-8 C8O, dont-come DC, \
            dont-come-8 DC8, dont-come-odds-8 DC8O, place-win-6 PL6, place-lose-6 PX6, buy-4 BY4, lay-4 LY4, hard-8 H8, field F, \
            any-seven A7, any-craps AC, craps-2 N2, craps-3 N3, craps-12 N12, eleven N11, c-and-e CE, horn HN, horn-high-12 HH12, \
            whirl WW, six-seven-eight S678, over-7 OV7, under-7 UN7, hop-1-3 HP13, big-6 BIG6, big-8 BIG8, put-6 PUT6, \
            put-odds-6 PUT6O, fire FIRE, sharp-shooter SHARP, ride-the-line RIDE, bonus-all-small SM, bonus-all-tall TL, \
            bonus-make-em-all ALL, dice-ology-little-ones DOL, dice-ology-big-ones DOB, dice-ology-boom-or-bust DOX, hot-roller HOT, \
            lucky-shooter LUCKY, hot-shooter-jackpot JACK";
        for row in rows.split(',') {
            let (slug, expected) = row.trim().split_once(' ').unwrap();
            assert_eq!(code(slug), expected, "{slug}");
        }
    }

    #[test]
    fn at_most_one_part_of_a_composite_wins_on_any_throw() {
        for wager in &CATALOGUE {
            let Mechanic::Composite(parts) = wager.mechanic else { continue };
            for throw in Throw::ALL {
                let winners = parts.iter().filter(|part| {
                    let machine = Wager::find(part.wager).unwrap().machine(Dials::default());
                    matches!(machine.step(Progress::FRESH, Phase::ComeOut, throw), Step::Won(_))
                });
                assert!(winners.count() <= 1, "{} on {throw}", wager.slug);
            }
        }
    }

    /// Every state that can be reached steps on every throw in every phase, and yields only ranks that have a name.
    #[test]
    fn every_reachable_step_is_answered_with_a_known_rank() {
        for wager in &CATALOGUE {
            let machine = wager.machine(Dials::default());
            let numbers =
                if matches!(wager.mechanic, Mechanic::Behind(..)) { Point::ALL.map(Some).to_vec() } else { vec![None] };
            let mut open: Vec<(Progress, Phase)> =
                numbers.into_iter().map(|number| (machine.start(number).unwrap(), Phase::ComeOut)).collect();
            let mut seen: HashSet<(Progress, Phase)> = open.iter().copied().collect();
            while let Some((progress, phase)) = open.pop() {
                for throw in Throw::ALL {
                    let mut next = |to: Progress, phase: Phase| {
                        if seen.insert((to, phase)) {
                            open.push((to, phase));
                        }
                    };
                    match machine.step(progress, phase, throw) {
                        Step::Stand(to) => next(to, phase.after(throw, machine.dials.points)),
                        Step::Credited(rank, to) => {
                            assert_eq!(wager.ranks.find(&wager.ranks.name(rank)), Some(rank));
                            next(to, phase.after(throw, machine.dials.points));
                        }
                        Step::Won(rank) => {
                            assert_eq!(wager.ranks.find(&wager.ranks.name(rank)), Some(rank), "{}", wager.slug);
                        }
                        Step::Lost | Step::Pushed => {}
                    }
                    // A throw for come decisions only must be answered too, and never ends a bet on points or passes.
                    let _ = machine.step(progress, Phase::ComeDecisionOnly, throw);
                }
            }
            assert!(seen.len() <= 16_384 * 7, "{}", wager.slug);
        }
    }
}
