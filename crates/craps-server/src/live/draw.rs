//! Draws that raise prices for one roll, at houses that offer them.

use super::{Draws, Live};
use craps_law::{Cites, Modifier};
use craps_table::{Command, Event, SlotId};
use craps_wagers::WagerId;

/// A wager whose price was raised for one roll.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Raised {
    /// Name of the feature that raised it, such as `Power Odds`.
    pub by: String,
    /// Name of the wager in the book.
    pub name: String,
    /// Slots of its bets.
    pub slots: Vec<SlotId>,
    /// Level of the raise, from 1.
    pub level: usize,
    /// The raised price, such as `5 to 1`.
    pub pays: String,
    /// The sections that allow it.
    pub cites: Cites,
}

impl Live {
    /// Draws wagers and a level for each, as many as the house has set the machine to. The rules leave the method to the machine.
    pub(super) fn draw(&self, draws: &mut Draws<'_>) -> Command {
        let mut selection = Vec::new();
        for modifier in &self.table.rules().modifiers {
            let mut left: Vec<(WagerId, usize)> = Vec::new();
            for line in &modifier.lines {
                let new = line.is.wagers.iter().filter(|wager| left.iter().all(|(known, _)| known != *wager));
                left.extend(new.map(|wager| (*wager, line.is.pays.len())).collect::<Vec<_>>());
            }
            let mut one_of = |count: usize| draws.one_of(u32::try_from(count).unwrap_or(1)) as usize;
            for _ in 0..modifier.draws.min(u32::try_from(left.len()).unwrap_or(u32::MAX)) {
                let (wager, levels) = left.remove(one_of(left.len()));
                selection.push((wager, one_of(levels)));
            }
        }
        Command::Draw { selection }
    }

    /// Returns what the draw for the next roll raised.
    #[must_use]
    pub fn raised(&self) -> Vec<Raised> {
        self.raised_by(self.table.selection(), &[])
    }

    /// Returns what a draw raised: the selection that stood before a roll, or a draw among the events of the roll itself.
    pub(super) fn raised_by(&self, selection: &[(WagerId, usize)], events: &[Event]) -> Vec<Raised> {
        let (rules, layout) = (self.table.rules(), self.table.board());
        let together = events.iter().filter_map(|event| match event {
            Event::Drawn { selection } => Some(selection.as_slice()),
            _ => None,
        });
        let drawn = std::iter::once(selection).chain(together);
        let raised = |(wager, level): &(WagerId, usize)| {
            let of = |modifier: &&Modifier| modifier.lines.iter().any(|line| line.is.wagers.contains(wager));
            let modifier = rules.modifiers.iter().find(of)?;
            let lines = || modifier.lines.iter().filter(|line| line.is.wagers.contains(wager));
            let pays: Vec<String> =
                lines().filter_map(|line| line.is.pays.get(*level)).map(ToString::to_string).collect();
            Some(Raised {
                by: modifier.name.clone(),
                name: rules.wager(*wager)?.name.clone(),
                slots: layout.slots().filter(|(_, slot)| slot.wager == *wager).map(|(id, _)| id).collect(),
                level: level + 1,
                pays: pays.join(" or "),
                cites: lines().next()?.cites.clone(),
            })
        };
        drawn.flatten().filter_map(raised).collect()
    }
}
