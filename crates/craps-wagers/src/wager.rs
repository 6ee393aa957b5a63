//! One wager: its names, how it is decided, and what a book can price.

use crate::{Catalogue, Dials, Front, Machine, Mechanic, Phase, Progress, Rank, Side, Step};
use craps_dice::{NotDice, Point};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// One wager, as far as dice decide it. A file in `wagers/` describes it; see [`Catalogue`].
#[derive(Debug)]
pub struct Wager {
    /// Its name everywhere in the project, such as `place-win-6`.
    pub slug: &'static str,
    /// Its short name in the game notation; `#` stands for the number a bet is on.
    pub code: &'static str,
    /// What players call it, such as `Place 6`.
    pub name: &'static str,
    /// A word or two for places with little room, such as `place`.
    pub label: &'static str,
    /// The family it belongs to.
    pub family: Family,
    /// Where it wants to lie on the felt.
    pub lies: Lies,
    /// The outcomes that can be priced.
    pub ranks: Ranks,
    /// How it is decided.
    pub mechanic: Mechanic,
    /// The number or the dice in its name: `6` of Place 6, `1-3` of that hop. Empty where it has none.
    pub number_text: &'static str,
    /// The number in its name, where it is a number that a bet can stand on.
    pub number: Option<Point>,
    /// The slug of the wager whose tracker tells when bets on this one are open: its own as a rule. One set of markers serves a product of
    /// several bets.
    pub tracker: &'static str,
    /// The name of its tracker in felt strings of version 1.
    pub marker: Option<&'static str>,
    /// What players say for it; the first is the one that is printed.
    pub phrases: &'static [&'static str],
    /// What players say before its number: `place` of `place six`.
    pub stems: &'static [&'static str],
    /// How it is printed where that is not the first stem and the number; `{number}` stands for the number in words.
    pub spoken: Option<&'static str>,
    /// What players say before its number once such a bet stands.
    pub standing_stems: &'static [&'static str],
    /// What players say before "odds" to mean the odds behind this bet.
    pub odds_words: &'static [&'static str],
    /// What it is, when it wins, and its traps.
    pub about: &'static str,
    /// Rolls from the first come-out and what becomes of the bet. They run when the catalogue is read. `(6)` starts odds on that number.
    pub examples: &'static [Example],
    /// Its place in the catalogue.
    pub(crate) place: u16,
}

/// Rolls, and what becomes of the bet.
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

    /// The family of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.name() == name)
    }

    /// Its name, as house rules and catalogue files write it.
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
            Family::OneThrow => "one-roll",
            Family::Hop => "hop",
            Family::Big => "big",
            Family::Put => "put",
            Family::Shooter => "side",
        }
    }

    /// Where its wagers lie unless their entry says otherwise.
    #[must_use]
    pub const fn lies(self) -> Lies {
        match self {
            Family::Hardway | Family::OneThrow | Family::Hop | Family::Shooter => Lies::Center,
            _ => Lies::End,
        }
    }

    /// The group whose limits it shares. Odds have no limit but their multiple.
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

/// Where a wager wants to lie on the felt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lies {
    /// Before the players, on each end.
    End,
    /// In the center, before the stick.
    Center,
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

/// A handle to a wager: as small as a pointer, and equal only to itself.
///
/// Serde writes the slug. It reads a slug in the built-in catalogue, or in the one that [`Catalogue::reading`] names.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WagerId(pub(crate) &'static Wager);

impl WagerId {
    /// The wager.
    #[must_use]
    pub const fn wager(self) -> &'static Wager {
        self.0
    }
}

impl PartialEq for WagerId {
    fn eq(&self, other: &WagerId) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for WagerId {}

impl Hash for WagerId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        std::ptr::from_ref(self.0).hash(state);
    }
}

/// In the order of the catalogue, in which games are printed.
impl Ord for WagerId {
    fn cmp(&self, other: &WagerId) -> Ordering {
        let key = |id: &WagerId| (id.0.place, std::ptr::from_ref(id.0));
        key(self).cmp(&key(other))
    }
}

impl PartialOrd for WagerId {
    fn partial_cmp(&self, other: &WagerId) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for WagerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WagerId({})", self.0.slug)
    }
}

impl fmt::Display for WagerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.slug)
    }
}

impl TryFrom<String> for WagerId {
    type Error = String;

    fn try_from(slug: String) -> Result<WagerId, String> {
        Catalogue::current().find(&slug).ok_or_else(|| format!("no wager is called `{slug}`"))
    }
}

impl From<WagerId> for String {
    fn from(wager: WagerId) -> String {
        wager.to_string()
    }
}

impl Wager {
    /// The built-in wager of that slug.
    ///
    /// ```
    /// use craps_wagers::Wager;
    /// assert_eq!(Wager::find("hop-1-3").unwrap().code, "HP13");
    /// assert!(Wager::find("hop-1-1").is_none());
    /// ```
    #[must_use]
    pub fn find(slug: &str) -> Option<&'static Wager> {
        Catalogue::built_in().find(slug).map(WagerId::wager)
    }

    /// The automaton that decides it, its unclear points read so.
    #[must_use]
    pub const fn machine(&self, dials: Dials) -> Machine {
        Machine { mechanic: self.mechanic, dials }
    }

    /// Does the name of a bet carry the number it stands on, as `come-8` does?
    #[must_use]
    pub fn is_named_by_number(&self) -> bool {
        self.code.contains('#')
    }

    /// Does a bet move to a number of its own, as a come bet does?
    #[must_use]
    pub fn travels(&self) -> bool {
        matches!(self.mechanic, Mechanic::Line { .. }) && self.is_named_by_number()
    }

    /// Is it a bet on the line: one that stands on the table's own point?
    #[must_use]
    pub fn is_on_the_line(&self) -> bool {
        matches!(self.mechanic, Mechanic::Line { .. }) && !self.is_named_by_number()
    }

    /// The side of a line, come or odds bet.
    #[must_use]
    pub const fn side(&self) -> Option<Side> {
        match self.mechanic {
            Mechanic::Line { side, .. } | Mechanic::Behind(side, _) => Some(side),
            _ => None,
        }
    }

    /// The slug without the number at its end: `place-win` of `place-win-6`.
    #[must_use]
    pub fn stem(&self) -> &'static str {
        let stem = self.slug.strip_suffix(self.number_text).unwrap_or(self.slug);
        stem.strip_suffix('-').unwrap_or(stem)
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
            _ if !self.is_named_by_number() => vec![plain],
            Mechanic::Behind(_, Front::Number(fronts)) => {
                numbered(&fronts.iter().filter_map(|front| front.wager().number).collect::<Vec<_>>())
            }
            Mechanic::Behind(..) => numbered(&Point::ALL),
            _ => [vec![plain], numbered(&Point::ALL)].concat(),
        }
    }

    /// Plays rolls from the first come-out and says what became of the bet: a rank, `lost`, `pushed`, `credited …`, or `stands`.
    ///
    /// # Errors
    /// When the text holds something that is no roll.
    pub fn tell(&self, dials: Dials, rolls: &str) -> Result<String, NotDice> {
        let machine = self.machine(dials);
        let (number, rolls) = match rolls.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
            Some((number, rolls)) => (Some(number.parse()?), rolls),
            None => (None, rolls),
        };
        let mut progress: Progress = machine.start(number).unwrap_or_default();
        let mut phase = Phase::ComeOut;
        let mut last = "stands".to_owned();
        for roll in rolls.split_whitespace() {
            let roll = roll.parse()?;
            let step = machine.step(progress, phase, roll);
            phase = phase.after(roll, dials.points);
            (progress, last) = match step {
                Step::Stand(next) => (next, "stands".to_owned()),
                Step::Credited(rank, next) => (next, format!("credited {}", self.ranks.name(rank))),
                Step::Won(rank) => return Ok(self.ranks.name(rank)),
                Step::Lost => return Ok("lost".to_owned()),
                Step::Pushed => return Ok("pushed".to_owned()),
            };
        }
        Ok(last)
    }
}
