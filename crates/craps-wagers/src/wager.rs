//! One wager: its names, how it is decided, and the outcomes that a book can price.

use crate::{Catalogue, Dials, Front, Machine, Mechanic, Phase, Progress, Rank, Side, Step};
use craps_dice::{NotDice, Point, Throw};
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

/// One wager, without any law or price. It is described by a file in `wagers/`; see [`Catalogue`].
#[derive(Debug)]
pub struct Wager {
    /// Its id everywhere in the project, such as `place-win-6`.
    pub slug: &'static str,
    /// Its short name in the game notation, such as `PL6`. A `#` stands for the number that a bet is on.
    pub code: &'static str,
    /// What players call it, such as `Place 6`.
    pub name: &'static str,
    /// A short name for places with little room, such as `place`.
    pub label: &'static str,
    /// The family, which decides the limits and customs that apply.
    pub family: Family,
    /// Which part of the felt it belongs on.
    pub lies: Lies,
    /// The outcomes that can be priced.
    pub ranks: Ranks,
    /// How it is decided.
    pub mechanic: Mechanic,
    /// The number or dice in its name: `6` in Place 6, `1-3` in Hop 1-3. Empty if it has none.
    pub number_text: &'static str,
    /// The number in its name, if it is one that a bet can be on.
    pub number: Option<Point>,
    /// The dice in its name, if its number is two dice.
    pub dice: Option<Throw>,
    /// Whether the name of a bet includes the number that the bet is on.
    pub numbered: Numbered,
    /// The slug of the wager whose tracker says when bets on this one are open. Usually its own; wagers of one product share a tracker.
    pub tracker: &'static str,
    /// The name of its tracker in felt strings of version 1.
    pub marker: Option<&'static str>,
    /// What players call it. The first phrase is the one that is printed.
    pub phrases: &'static [&'static str],
    /// What players say before its number: `place` in `place six`.
    pub stems: &'static [&'static str],
    /// How it is printed, if that isn't the first stem and the number. `{number}` stands for the number as a word.
    pub spoken: Option<&'static str>,
    /// What players say before its number when such a bet is already up.
    pub standing_stems: &'static [&'static str],
    /// What players say before "odds" to mean the odds behind this bet.
    pub odds_words: &'static [&'static str],
    /// What it is, when it wins, and what to watch out for.
    pub about: &'static str,
    /// Rolls from the first come-out, and the result of the bet. They are checked when the catalogue is read. `(6)` starts odds on that number.
    pub examples: &'static [Example],
    /// Its index in the catalogue.
    pub(crate) place: u16,
}

/// Whether the name of a bet includes the number that the bet is on, as in `come-8`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbered {
    /// Never: the bet is always called by its wager's name.
    Never,
    /// From the moment the bet moves to its own number, as a come bet does.
    AfterMoving,
    /// Always, because the bet is behind one that has a number.
    Always,
}

/// Rolls, and the result of the bet after them.
pub type Example = (&'static str, &'static str);

/// A kind of wager. Wagers of one family share limits and customs.
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

    /// Returns the family with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Family> {
        Family::ALL.into_iter().find(|family| family.name() == name)
    }

    /// The name of the family in house rules and catalogue files.
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

    /// The title of a list of its wagers.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Family::Line => "Line and come",
            Family::Odds => "Odds behind a bet",
            Family::PlaceWin => "Place to win",
            Family::PlaceLose => "Place to lose",
            Family::Buy => "Buy",
            Family::Lay => "Lay",
            Family::Hardway => "Hardways",
            Family::OneThrow => "One roll",
            Family::Hop => "Hop",
            Family::Big => "Big 6 and 8",
            Family::Put => "Put",
            Family::Shooter => "Side bets",
        }
    }

    /// The part of the felt for its wagers, unless their entry says otherwise.
    #[must_use]
    pub const fn lies(self) -> Lies {
        match self {
            Family::Hardway | Family::OneThrow | Family::Hop | Family::Shooter => Lies::Center,
            _ => Lies::End,
        }
    }

    /// Returns the group whose limits it shares. Odds are in no group, because only their multiple limits them.
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

/// The part of the felt that a wager belongs on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Lies {
    /// Each end of the table, in front of the players.
    End,
    /// The center, in front of the stick.
    Center,
}

/// A group of families with its own table limits.
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
    /// All groups, in the order of [`Family::ALL`].
    pub const ALL: [Group; 5] = [Group::Line, Group::Number, Group::Hardway, Group::Prop, Group::Side];

    /// The name of the group in house rules.
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
    /// Named ranks. Each must be priced.
    Each(&'static [&'static str]),
    /// Named ranks of which some are priced, always including the top one. A rank without a price loses.
    Levels(&'static [&'static str]),
    /// Counts up to this one. A price applies from its count up to the next priced one, and below the lowest the bet loses.
    Counts(u8),
    /// The number that the bet is on. Each number that can be set must be priced.
    Numbers,
    /// The ranks of its parts. The book prices the parts, not the whole.
    OfParts,
}

impl Ranks {
    /// Returns the name of a rank in a book.
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

    /// Returns the rank with this name, or `None` if the wager doesn't have it.
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

/// The name of a bet at the table. It can include the number that the bet is on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The long name, such as `come-8`.
    pub slug: String,
    /// The short name, such as `C8`.
    pub code: String,
    /// The number that the bet is on, if it is part of the name.
    pub number: Option<Point>,
}

/// A handle to a wager. It is a pointer, and two ids are equal only if they point to the same wager.
///
/// Serde writes the slug, and looks up a slug in [`Catalogue::current`].
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WagerId(pub(crate) &'static Wager);

impl WagerId {
    /// Returns the wager that this id points to.
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

/// Orders wagers as the catalogue does, which is the order in which games print bets.
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
    /// Returns the built-in wager with this slug.
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

    /// Returns the automaton that decides the wager, with these dials.
    #[must_use]
    pub const fn machine(&self, dials: Dials) -> Machine {
        Machine { mechanic: self.mechanic, dials }
    }

    /// Returns true if the name of a bet can include the number it is on, as in `come-8`.
    #[must_use]
    pub fn is_named_by_number(&self) -> bool {
        self.numbered != Numbered::Never
    }

    /// Returns true if a bet moves to its own number, as a come bet does.
    #[must_use]
    pub fn travels(&self) -> bool {
        self.numbered == Numbered::AfterMoving
    }

    /// Returns true for pass and don't pass bets, whose number is the table's point.
    #[must_use]
    pub fn is_on_the_line(&self) -> bool {
        matches!(self.mechanic, Mechanic::Line { .. }) && !self.travels()
    }

    /// Returns the side of a line, come or odds bet.
    #[must_use]
    pub const fn side(&self) -> Option<Side> {
        match self.mechanic {
            Mechanic::Line { side, .. } | Mechanic::Behind(side, _) => Some(side),
            _ => None,
        }
    }

    /// Returns the slug without the number at its end: `place-win` for `place-win-6`.
    #[must_use]
    pub fn stem(&self) -> &'static str {
        let stem = self.slug.strip_suffix(self.number_text).unwrap_or(self.slug);
        stem.strip_suffix('-').unwrap_or(stem)
    }

    /// Returns every name that a bet on this wager can have. A come bet is `come` until it moves and `come-8` on its number. Come
    /// and put odds always have a number in their name.
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
        match (self.numbered, self.mechanic) {
            (Numbered::Never, _) => vec![plain],
            (Numbered::AfterMoving, _) => [vec![plain], numbered(&Point::ALL)].concat(),
            (Numbered::Always, Mechanic::Behind(_, Front::Number(fronts))) => {
                numbered(&fronts.iter().filter_map(|front| front.wager().number).collect::<Vec<_>>())
            }
            (Numbered::Always, _) => numbered(&Point::ALL),
        }
    }

    /// Returns the name with the dice in the other order, such as `hop-3-1` and `HP31` for Hop 1-3. None for a wager without two different dice in
    /// its name.
    #[must_use]
    pub fn name_with_dice_turned(&self) -> Option<Name> {
        let (one, other) =
            self.number_text.split_once('-').filter(|(one, other)| self.dice.is_some() && one != other)?;
        let stem = self.code.strip_suffix(other)?.strip_suffix(one)?;
        let slug = format!("{}-{other}-{one}", self.stem());
        Some(Name { slug, code: format!("{stem}{other}{one}"), number: None })
    }

    /// Plays rolls from the first come-out and returns the result of the bet: a rank, `lost`, `pushed`, `credited …`, or `stands`.
    ///
    /// # Errors
    /// When the text contains something other than rolls.
    pub fn tell(&self, dials: Dials, rolls: &str) -> Result<String, NotDice> {
        let machine = self.machine(dials);
        let (number, rolls) = match rolls.strip_prefix('(').and_then(|rest| rest.split_once(") ")) {
            Some((number, rolls)) => (Some(number.parse()?), rolls),
            None => (None, rolls),
        };
        let mut progress: Progress = machine.start(number).unwrap_or_default();
        let mut phase = Phase::ComeOut;
        let mut last = "stands".to_owned();
        let rolls = rolls.split_whitespace().map(str::parse).collect::<Result<Vec<Throw>, NotDice>>()?;
        for roll in rolls {
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
