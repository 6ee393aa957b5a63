//! Odds that are raised for some rolls, chosen at random before each roll (Power Odds).

use crate::analysis::Analysis;
use dashu_ratio::RBig;

/// Returns the edge of a wager whose odds are raised to each level with the given chance per roll. The draw doesn't depend on the
/// dice, so the result is the average of the edges, weighted by the chances.
///
/// ```
/// # use craps_law::Library;
/// # use craps_odds::{RBig, Solver, price, selected};
/// let library = Library::shipped();
/// let records = library.book("pa").unwrap().offerings(None);
/// let edge = |table: &str| {
///     let offering = records.iter().find(|o| o.wager.to_string() == "any-seven" && o.pay_table == table).unwrap();
///     price(&mut Solver::default(), offering).edge
/// };
/// let levels = [edge("power level 1"), edge("power level 2")];
/// let tenth = RBig::from_parts(1.into(), 10u8.into());
/// assert_eq!(selected(&edge("standard"), &levels, &[tenth, RBig::ZERO]).to_string(), "2/15");
/// ```
#[must_use]
pub fn selected(base: &RBig, levels: &[RBig], chances: &[RBig]) -> RBig {
    levels.iter().zip(chances).fold(base.clone(), |edge, (level, chance)| edge + chance * (level - base))
}

/// Returns the chance per roll at which a level makes the wager an even game. `None` if the wager costs nothing without the level, or
/// if it still has a house edge when the level applies to every roll.
///
/// ```
/// # use craps_law::Library;
/// # let library = Library::shipped();
/// use craps_odds::{Solver, break_even, price};
/// let all = library.named("pa")?.offerings(None);
/// let mut solver = Solver::default();
/// let mut any_seven = |table: &str| {
///     let offering = all.iter().find(|one| one.name() == "any-seven" && one.pay_table == table).unwrap();
///     price(&mut solver, offering)
/// };
/// let chance = break_even(&any_seven("standard"), &any_seven("power level 2"));
/// assert_eq!(chance.unwrap().to_string(), "1/4");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn break_even(base: &Analysis, level: &Analysis) -> Option<RBig> {
    let gain = &base.edge - &level.edge;
    (base.edge > RBig::ZERO && level.edge <= RBig::ZERO).then(|| &base.edge / gain)
}
