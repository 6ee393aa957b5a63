//! Draws that raise prices for one roll, at houses that offer them.

use super::{Draws, Live};
use craps_law::{Cites, Modifier};
use craps_table::{Actor, Command, Event, Role, SlotId};
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
    /// Draws one wager and one level before a roll, if the house offers such draws. The rules leave the method to the machine.
    pub(super) fn draw(&self, draws: &mut Draws<'_>) -> Option<Command> {
        let modifiers = self.table.rules().modifiers.iter();
        let lines: Vec<(WagerId, usize)> = modifiers
            .flat_map(|modifier| &modifier.lines)
            .flat_map(|line| line.is.wagers.iter().map(|wager| (*wager, line.is.pays.len())))
            .collect();
        let mut one_of = |count: usize| draws.one_of(u32::try_from(count).unwrap_or(1)) as usize;
        let (wager, levels) = *lines.get(if lines.is_empty() { 0 } else { one_of(lines.len()) })?;
        let draw = Command::Draw { selection: vec![(wager, one_of(levels))] };
        self.table.decide(Actor::staff(Role::Machine), &draw, &mut Vec::new()).ok().map(|()| draw)
    }

    /// Returns what a draw among these events raised.
    pub(super) fn raised(&self, events: &[Event]) -> Vec<Raised> {
        let (rules, layout) = (self.table.rules(), self.table.board());
        let drawn = events.iter().filter_map(|event| match event {
            Event::Drawn { selection } => Some(selection),
            _ => None,
        });
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
