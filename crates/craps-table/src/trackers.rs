//! Trackers: the progress that each side bet would have if it had been made when nothing was recorded. They run even if nobody makes the bet.

use crate::board::Board;
use craps_dice::Throw;
use craps_law::{TableRules, WagerRules};
use craps_wagers::{Goal, Machine, Phase, Progress, Step, WagerId};
use serde::{Deserialize, Serialize};

/// Does a bet with this machine keep progress from roll to roll?
pub(crate) fn gathers(machine: &Machine) -> bool {
    machine.goal() != Goal::Nothing
}

/// Returns the wager whose tracker controls the betting window of a side bet: the one that its catalogue entry names if the table offers it, else its
/// own. None for a wager without progress.
pub(crate) fn governing_tracker(rules: &TableRules, wager: &WagerRules) -> Option<WagerId> {
    if !gathers(&wager.machine) {
        return None;
    }
    let named = rules.wagers.iter().find(|other| other.wager.wager().slug == wager.wager.wager().tracker);
    Some(named.unwrap_or(wager).wager)
}

/// All trackers with their progress, in board order.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Trackers(Vec<(WagerId, Progress)>);

impl Trackers {
    /// Creates an empty tracker for each wager that keeps progress.
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

    /// Creates an empty tracker for each wager that controls a betting window.
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

    /// Returns the progress of a wager's tracker.
    #[must_use]
    pub fn get(&self, wager: WagerId) -> Progress {
        self.0.iter().find(|(known, _)| *known == wager).map_or(Progress::FRESH, |(_, progress)| *progress)
    }

    /// Sets the progress of a wager's tracker, if there is one.
    pub fn set(&mut self, wager: WagerId, progress: Progress) {
        self.0.iter_mut().filter(|(known, _)| *known == wager).for_each(|known| known.1 = progress);
    }

    /// Resets all trackers.
    pub fn clear(&mut self) {
        self.0.iter_mut().for_each(|(_, progress)| *progress = Progress::FRESH);
    }

    /// Iterates over the trackers with their progress.
    pub fn iter(&self) -> impl Iterator<Item = (WagerId, Progress)> {
        self.0.iter().copied()
    }

    /// Are there no trackers?
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Applies a roll to every tracker. A roll that would settle the bet resets its tracker.
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
