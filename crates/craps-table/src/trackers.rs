//! Trackers: what each side bet would have gathered if it had been made when nothing was recorded. They run whether or not anybody bets.

use crate::board::Board;
use craps_dice::Throw;
use craps_law::{TableRules, WagerRules};
use craps_wagers::{Goal, Machine, Phase, Progress, Step, WagerId};
use serde::{Deserialize, Serialize};

/// Does a bet decided so gather something from roll to roll that its slot does not say?
pub(crate) fn gathers(machine: &Machine) -> bool {
    machine.goal() != Goal::Nothing
}

/// The wager whose tracker governs the betting window of a wager that gathers: the one that its catalogue entry names, where the table offers
/// it, or else its own.
pub(crate) fn governing_tracker(rules: &TableRules, wager: &WagerRules) -> Option<WagerId> {
    if !gathers(&wager.machine) {
        return None;
    }
    let named = rules.wagers.iter().find(|other| other.wager.wager().slug == wager.wager.wager().tracker);
    Some(named.unwrap_or(wager).wager)
}

/// The progress of trackers, in the order of the board.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trackers(Vec<(WagerId, Progress)>);

impl Trackers {
    /// One for each wager that gathers, with nothing recorded.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # let library = Library::shipped();
    /// # let book = library.named("co")?;
    /// # let mut house = HouseRules::plain("co", book.sample_day);
    /// # house.set("offer", "all")?;
    /// # let rules = book.admit(&house)?;
    /// use craps_table::Trackers;
    /// use craps_wagers::{Catalogue, Phase};
    /// let mut trackers = Trackers::all(&rules);
    /// trackers.roll(&rules, Phase::ComeOut, "2-2".parse()?);
    /// let small = Catalogue::built_in().find("bonus-all-small").unwrap();
    /// assert_eq!(rules.wager(small).unwrap().machine.spell(trackers.get(small)), "4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn all(rules: &TableRules) -> Trackers {
        let gathering = rules.wagers.iter().filter(|wager| gathers(&wager.machine));
        Trackers(gathering.map(|wager| (wager.wager, Progress::FRESH)).collect())
    }

    /// Those that govern a betting window, with nothing recorded.
    #[must_use]
    pub fn governing(board: &Board) -> Trackers {
        let mut trackers: Vec<(WagerId, Progress)> = Vec::new();
        for wager in board.slots().filter_map(|(_, slot)| slot.tracker) {
            if !trackers.iter().any(|(known, _)| *known == wager) {
                trackers.push((wager, Progress::FRESH));
            }
        }
        Trackers(trackers)
    }

    /// What a wager's tracker has recorded.
    #[must_use]
    pub fn get(&self, wager: WagerId) -> Progress {
        self.0.iter().find(|(known, _)| *known == wager).map_or(Progress::FRESH, |(_, progress)| *progress)
    }

    /// Puts a wager's tracker to a progress, if there is such a tracker.
    pub fn set(&mut self, wager: WagerId, progress: Progress) {
        self.0.iter_mut().filter(|(known, _)| *known == wager).for_each(|known| known.1 = progress);
    }

    /// Wipes all of them.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|(_, progress)| *progress = Progress::FRESH);
    }

    /// Every tracker with its progress.
    pub fn iter(&self) -> impl Iterator<Item = (WagerId, Progress)> {
        self.0.iter().copied()
    }

    /// Are there none?
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A roll goes through every tracker: it records, or is wiped by what settles its bet.
    #[inline(never)]
    pub fn roll(&mut self, rules: &TableRules, phase: Phase, dice: Throw) {
        for (wager, progress) in &mut self.0 {
            if let Some(rules) = rules.wager(*wager) {
                *progress = match rules.machine.step(*progress, phase, dice) {
                    Step::Stand(next) | Step::Credited(_, next) => next,
                    Step::Won(_) | Step::Lost | Step::Pushed => Progress::FRESH,
                };
            }
        }
    }
}

impl FromIterator<(WagerId, Progress)> for Trackers {
    fn from_iter<I: IntoIterator<Item = (WagerId, Progress)>>(trackers: I) -> Trackers {
        Trackers(trackers.into_iter().collect())
    }
}
