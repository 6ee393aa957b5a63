//! The catalogue: every wager, read from the files in `wagers/` and from files that a book brings along.

mod entry;
#[cfg(test)]
mod tests;

pub use entry::BadEntry;

use crate::{Dials, Family, Mechanic, Wager, WagerId};
use craps_dice::{Point, ThrowSet};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

/// Several bets by one name, an equal part on each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Combo {
    /// What players say for it; the first is the one that is printed.
    pub phrases: &'static [&'static str],
    /// The bets.
    pub bets: &'static [WagerId],
}

/// A text with a catalogue's entries, and the name to report mistakes under.
#[derive(Debug, Clone, Copy)]
pub struct EntryFile<'a> {
    /// The name, a path as a rule.
    pub path: &'a str,
    /// The text.
    pub text: &'a str,
}

/// Wagers by slug, in the order in which games are printed.
///
/// A catalogue and its wagers live as long as the program, so that a [`WagerId`] is one pointer and needs no owner. Read a
/// catalogue once, when the program starts.
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
        Err(mistakes) => panic!("the built-in catalogue does not load: {mistakes:?}"),
    }
});

/// The catalogue of this program, where it is not the built-in one.
static INSTALLED: OnceLock<&'static Catalogue> = OnceLock::new();

thread_local! {
    static READING: Cell<Option<&'static Catalogue>> = const { Cell::new(None) };
}

impl Catalogue {
    /// The wagers that are part of this program.
    #[must_use]
    pub fn built_in() -> &'static Catalogue {
        *BUILT_IN
    }

    /// The texts of the built-in catalogue, by file name.
    #[must_use]
    pub const fn built_in_files() -> &'static [(&'static str, &'static str)] {
        FILES
    }

    /// This catalogue with the wagers of more files. Files are read in the order given. A wager may refer to any wager that stands
    /// before it.
    ///
    /// # Errors
    /// Every mistake found: bad TOML, a slug or code that is taken, an example that does not come out as it says.
    pub fn with(&self, files: &[EntryFile<'_>]) -> Result<&'static Catalogue, Vec<BadEntry>> {
        let mut catalogue =
            Catalogue { wagers: self.wagers.clone(), by_slug: self.by_slug.clone(), combos: self.combos.clone() };
        let mut mistakes = Vec::new();
        for file in files {
            entry::read(file, &mut catalogue, &mut mistakes);
        }
        if mistakes.is_empty() { Ok(Box::leak(Box::new(catalogue))) } else { Err(mistakes) }
    }

    /// The wager of that slug.
    #[must_use]
    pub fn find(&self, slug: &str) -> Option<WagerId> {
        self.by_slug.get(slug).copied()
    }

    /// Every wager, in printing order.
    pub fn all(&self) -> impl Iterator<Item = WagerId> {
        self.wagers.iter().copied()
    }

    /// Bets that are made together.
    #[must_use]
    pub fn combos(&self) -> &[Combo] {
        &self.combos
    }

    /// The wager of a family on a number: the place bet on six.
    #[must_use]
    pub fn on_number(&self, family: Family, number: Point) -> Option<WagerId> {
        self.all().find(|id| id.wager().family == family && id.wager().number == Some(number))
    }

    /// The wager that wins on exactly these rolls, next or never.
    #[must_use]
    pub fn in_one_roll(&self, rolls: ThrowSet) -> Option<WagerId> {
        self.all().find(|id| matches!(id.wager().mechanic, Mechanic::OneThrow([only]) if *only == rolls))
    }

    /// The bet of that name or code, with the number it stands on: `come-8`, `C8`.
    #[must_use]
    pub fn bet(&self, name: &str) -> Option<(WagerId, Option<Point>)> {
        self.all().find_map(|id| {
            let names = id.wager().names();
            names.iter().find(|known| known.slug == name || known.code == name).map(|known| (id, known.number))
        })
    }

    /// The catalogue in which texts are read on this thread: the one of [`Catalogue::reading`], else the one of this program
    /// ([`Catalogue::install`]), else the built-in one.
    #[must_use]
    pub fn current() -> &'static Catalogue {
        READING.get().or_else(|| INSTALLED.get().copied()).unwrap_or_else(Catalogue::built_in)
    }

    /// Makes this the catalogue in which the whole program reads texts. A program does this once, before it reads any.
    ///
    /// # Errors
    /// When another catalogue was installed before.
    pub fn install(&'static self) -> Result<(), AlreadyInstalled> {
        let installed = INSTALLED.get_or_init(|| self);
        if std::ptr::eq(*installed, self) { Ok(()) } else { Err(AlreadyInstalled) }
    }

    /// Runs `read` while names of wagers are looked up in this catalogue: a reader such as serde hands no context to what it reads.
    pub fn reading<T>(&'static self, read: impl FnOnce() -> T) -> T {
        /// Puts the catalogue of before back, also when `read` panics.
        struct Restore(Option<&'static Catalogue>);
        impl Drop for Restore {
            fn drop(&mut self) {
                READING.set(self.0);
            }
        }
        let _restore = Restore(READING.replace(Some(self)));
        read()
    }

    /// Adds a wager, which then lives as long as the program.
    fn add(&mut self, mut wager: Wager) -> WagerId {
        wager.place = u16::try_from(self.wagers.len()).unwrap_or(u16::MAX);
        let id = WagerId(Box::leak(Box::new(wager)));
        self.wagers.push(id);
        self.by_slug.insert(id.wager().slug, id);
        id
    }

    /// Is this name or code taken by a bet of any wager?
    fn taken(&self, wager: &Wager) -> Option<String> {
        let known: Vec<_> = self.all().flat_map(|id| id.wager().names()).collect();
        wager.names().into_iter().find_map(|name| {
            let same = |other: &&crate::Name| other.slug == name.slug || other.code.eq_ignore_ascii_case(&name.code);
            known
                .iter()
                .find(same)
                .map(|other| format!("the name {} or the code {} is taken by {}", name.slug, name.code, other.slug))
        })
    }
}

/// A program has one catalogue, and it was chosen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlreadyInstalled;

impl std::fmt::Display for AlreadyInstalled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("another catalogue of wagers was installed before")
    }
}

impl std::error::Error for AlreadyInstalled {}

/// Does every example come out as it says? The first that does not, and what comes out.
fn wrong_example(wager: &Wager) -> Option<String> {
    let decided = wager.examples.iter().any(|(_, outcome)| *outcome != "stands");
    if !decided {
        return Some("expected an example that decides the bet".to_owned());
    }
    wager.examples.iter().find_map(|(rolls, outcome)| match wager.tell(Dials::default(), rolls) {
        Ok(told) if told == *outcome => None,
        Ok(told) => Some(format!("example `{rolls}`: expected `{outcome}`, the wager says `{told}`")),
        Err(error) => Some(format!("example `{rolls}`: {error}")),
    })
}

/// Wagers that no book has, made of the mechanics that the built-in ones do not use.
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
            about = "A don't pass bet with a price of its own on craps."
            examples = [["1-1", "craps"], ["6-6", "pushed"]]
        "#;
        match Catalogue::built_in().with(&[EntryFile { path: "samples.toml", text }]) {
            Ok(catalogue) => catalogue,
            Err(mistakes) => panic!("{mistakes:?}"),
        }
    });
    *SAMPLES
}
