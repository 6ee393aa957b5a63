//! The catalogue of wagers, read from the files in `wagers/` and from files that a book adds.

mod entry;
#[cfg(test)]
mod tests;

pub use entry::BadEntry;

use crate::{Dials, Family, Mechanic, Wager, WagerId};
use craps_dice::{Point, ThrowSet};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

/// Several bets made under one name, with an equal part on each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combo {
    /// What players call it. The first phrase is the one that is printed.
    pub phrases: &'static [&'static str],
    /// The bets that it consists of, at least two.
    pub bets: &'static [WagerId],
}

/// The text of a catalogue file.
#[derive(Debug, Clone, Copy)]
pub struct EntryFile<'a> {
    /// The name to use in error messages, usually a path.
    pub path: &'a str,
    /// The contents of the file, in TOML.
    pub text: &'a str,
}

/// All wagers by slug, in the order in which games print them.
///
/// A catalogue and its wagers live as long as the program, so a [`WagerId`] is a pointer without an owner. Read a catalogue once,
/// when the program starts.
///
/// ```
/// use craps_wagers::{Catalogue, Dials, EntryFile};
/// let text = r#"
///     family = "side"
///     [[wager]]
///     slug = "repeat-12"
///     code = "RP12"
///     name = "Repeater 12"
///     mechanic = { repeats = { totals = "12", times = 2 } }
///     phrases = ["repeat twelve"]
///     about = "A bet that twelve comes twice before a seven."
///     examples = [["6-6 5-4 6-6", "win"], ["6-6 6-1", "lost"]]
/// "#;
/// let catalogue = Catalogue::built_in().with(&[EntryFile { path: "mine.toml", text }]).unwrap();
/// let repeater = catalogue.find("repeat-12").unwrap().wager();
/// assert_eq!(repeater.tell(Dials::default(), "6-6 1-1 6-6")?, "win");
/// # Ok::<(), craps_dice::NotDice>(())
/// ```
#[derive(Debug, Default)]
pub struct Catalogue {
    wagers: Vec<WagerId>,
    by_slug: BTreeMap<&'static str, WagerId>,
    combos: Vec<Combo>,
}

const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/wagers.rs"));

static BUILT_IN: LazyLock<&'static Catalogue> = LazyLock::new(|| {
    let files: Vec<EntryFile<'_>> = FILES.iter().map(|(path, text)| EntryFile { path, text }).collect();
    match Catalogue::default().with(&files) {
        Ok(catalogue) => catalogue,
        Err(mistakes) => panic!("the built-in catalogue has mistakes: {mistakes:?}"),
    }
});

/// The catalogue of this program, if it isn't the built-in one.
static INSTALLED: OnceLock<&'static Catalogue> = OnceLock::new();

thread_local! {
    static READING: Cell<Option<&'static Catalogue>> = const { Cell::new(None) };
}

impl Catalogue {
    /// Returns the catalogue that is compiled into the program.
    #[must_use]
    pub fn built_in() -> &'static Catalogue {
        *BUILT_IN
    }

    /// Returns the names and texts of the files of the built-in catalogue.
    #[must_use]
    pub const fn built_in_files() -> &'static [(&'static str, &'static str)] {
        FILES
    }

    /// Returns this catalogue plus the wagers of more files. Files are read in the order given. A wager can refer to any wager that
    /// comes before it.
    ///
    /// # Errors
    /// When a file has mistakes. The error lists all of them: bad TOML, a slug or code that is taken, an example with a wrong result.
    pub fn with(&self, files: &[EntryFile<'_>]) -> Result<&'static Catalogue, Vec<BadEntry>> {
        let mut catalogue =
            Catalogue { wagers: self.wagers.clone(), by_slug: self.by_slug.clone(), combos: self.combos.clone() };
        let mut mistakes = Vec::new();
        for file in files {
            entry::read(file, &mut catalogue, &mut mistakes);
        }
        if mistakes.is_empty() { Ok(Box::leak(Box::new(catalogue))) } else { Err(mistakes) }
    }

    /// Returns the wager with this slug.
    #[must_use]
    pub fn find(&self, slug: &str) -> Option<WagerId> {
        self.by_slug.get(slug).copied()
    }

    /// Iterates over all wagers, in printing order.
    pub fn all(&self) -> impl Iterator<Item = WagerId> {
        self.wagers.iter().copied()
    }

    /// Returns the combos: several bets made under one name.
    #[must_use]
    pub fn combos(&self) -> &[Combo] {
        &self.combos
    }

    /// Returns the wager of a family on a number, such as the place bet on six.
    #[must_use]
    pub fn on_number(&self, family: Family, number: Point) -> Option<WagerId> {
        self.all().find(|id| id.wager().family == family && id.wager().number == Some(number))
    }

    /// Returns the one-roll wager that wins on exactly these rolls.
    #[must_use]
    pub fn in_one_roll(&self, rolls: ThrowSet) -> Option<WagerId> {
        self.all().find(|id| matches!(id.wager().mechanic, Mechanic::OneThrow([only]) if *only == rolls))
    }

    /// Returns the wager for a bet's name or code (`come-8`, `C8`) and the number that the bet is on. Dice in a name can be in either order: `HP31`
    /// is `HP13`.
    ///
    /// ```
    /// use craps_wagers::Catalogue;
    /// let catalogue = Catalogue::built_in();
    /// assert_eq!(catalogue.bet("HP31"), catalogue.bet("hop-1-3"));
    /// ```
    #[must_use]
    pub fn bet(&self, name: &str) -> Option<(WagerId, Option<Point>)> {
        self.all().find_map(|id| {
            let names = id.wager().names().into_iter().chain(id.wager().name_with_dice_turned());
            names.into_iter().find(|known| known.slug == name || known.code == name).map(|known| (id, known.number))
        })
    }

    /// Returns the catalogue in which this thread looks up wagers: the one set by [`Catalogue::reading`], or the one set by
    /// [`Catalogue::install`], or the built-in one.
    #[must_use]
    pub fn current() -> &'static Catalogue {
        READING.get().or_else(|| INSTALLED.get().copied()).unwrap_or_else(Catalogue::built_in)
    }

    /// Makes this the catalogue in which the whole program looks up wagers. A program does this once, at the start.
    ///
    /// # Errors
    /// When another catalogue is already installed.
    pub fn install(&'static self) -> Result<(), AlreadyInstalled> {
        let installed = INSTALLED.get_or_init(|| self);
        if std::ptr::eq(*installed, self) { Ok(()) } else { Err(AlreadyInstalled) }
    }

    /// Runs `read` with wagers looked up in this catalogue. It is needed because serde can't pass a context to what it reads.
    pub fn reading<T>(&'static self, read: impl FnOnce() -> T) -> T {
        /// Restores the previous catalogue, even if `read` panics.
        struct Restore(Option<&'static Catalogue>);
        impl Drop for Restore {
            fn drop(&mut self) {
                READING.set(self.0);
            }
        }
        let _restore = Restore(READING.replace(Some(self)));
        read()
    }

    /// Adds a wager. The wager is leaked, so it lives as long as the program.
    fn add(&mut self, mut wager: Wager) -> WagerId {
        wager.place = u16::try_from(self.wagers.len()).unwrap_or(u16::MAX);
        let id = WagerId(Box::leak(Box::new(wager)));
        self.wagers.push(id);
        self.by_slug.insert(id.wager().slug, id);
        id
    }

    /// Returns an error message if a name or code of this wager is already taken.
    fn taken(&self, wager: &Wager) -> Option<String> {
        let all = |wager: &Wager| wager.names().into_iter().chain(wager.name_with_dice_turned());
        let known: Vec<_> = self.all().flat_map(|id| all(id.wager())).collect();
        all(wager).find_map(|name| {
            let same = |other: &&crate::Name| other.slug == name.slug || other.code.eq_ignore_ascii_case(&name.code);
            known
                .iter()
                .find(same)
                .map(|other| format!("the name {} or the code {} is taken by {}", name.slug, name.code, other.slug))
        })
    }
}

/// The error for installing a second catalogue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlreadyInstalled;

impl std::fmt::Display for AlreadyInstalled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("another catalogue of wagers is already installed")
    }
}

impl std::error::Error for AlreadyInstalled {}

/// Returns an error message for the first example whose result is wrong, or if no example decides the bet.
fn wrong_example(wager: &Wager) -> Option<String> {
    let decided = wager.examples.iter().any(|(_, outcome)| *outcome != "stands");
    if !decided {
        return Some("expected an example that decides the bet".to_owned());
    }
    wager.examples.iter().find_map(|(rolls, outcome)| match wager.tell(Dials::default(), rolls) {
        Ok(told) if told == *outcome => None,
        Ok(told) => Some(format!("example `{rolls}`: expected `{outcome}`, but the result is `{told}`")),
        Err(error) => Some(format!("example `{rolls}`: {error}")),
    })
}

/// Wagers for tests, made of mechanics that the built-in wagers don't use.
#[cfg(test)]
pub(crate) fn samples() -> &'static Catalogue {
    static SAMPLES: LazyLock<&'static Catalogue> = LazyLock::new(|| {
        let text = r#"
            family = "side"
            [[wager]]
            slug = "repeat-3"
            code = "RP3"
            name = "Repeater 3"
            number = "3"
            mechanic = { repeats = { totals = "3", times = 3 } }
            about = "A bet that {n} comes three times before a seven."
            examples = [["1-2 1-2 1-2", "win"], ["1-2 6-1", "lost"]]
            [[wager]]
            slug = "four-rolls"
            code = "FOUR"
            name = "Four Rolls No Seven"
            mechanic = { no_seven = { rolls = 4 } }
            about = "A bet that no seven comes in four rolls."
            examples = [["1-2 1-2 1-2 1-2", "win"], ["6-1", "lost"]]
            [[wager]]
            slug = "doubles"
            code = "DBL"
            name = "Different Doubles"
            mechanic = { different = "1-1 2-2 3-3 4-4 5-5 6-6" }
            about = "A bet on how many different pairs come before a seven."
            examples = [["1-1 2-2 6-1", "2"], ["6-1", "lost"]]
            [[wager]]
            slug = "corner"
            code = "COR"
            name = "Corner"
            mechanic = { two_rolls = { first = [["seven", "7"]], goes_on = "4 5 6 8 9 10", second = [["point-seven", "7"]] } }
            about = "A bet on a seven, now or right after the point."
            examples = [["6-1", "seven"], ["6-2 6-1", "point-seven"]]
            [[wager]]
            slug = "soft-pass"
            code = "SP"
            family = "line"
            name = "Soft Pass"
            mechanic = { line = { side = "right", pushes = "12", ranks = [["yo", "11"]] } }
            about = "A pass bet that pushes on twelve."
            examples = [["6-6", "pushed"], ["6-5", "yo"]]
            [[wager]]
            slug = "high-dont"
            code = "HD"
            family = "line"
            name = "High Don't"
            mechanic = { line = { side = "wrong", ranks = [["craps", "2 3"]] } }
            about = "A don't pass bet that pays its own odds on craps."
            examples = [["1-1", "craps"], ["6-6", "pushed"]]
        "#;
        match Catalogue::built_in().with(&[EntryFile { path: "samples.toml", text }]) {
            Ok(catalogue) => catalogue,
            Err(mistakes) => panic!("{mistakes:?}"),
        }
    });
    *SAMPLES
}
