//! Support for old logs. A log that was written before an event type existed can still be applied and audited.

use crate::event::Event;
use crate::hand::{AfterDecisions, Shooter};
use crate::table::Table;
use crate::trackers::Trackers;
use craps_wagers::Phase;

impl Table {
    /// Applies one event of a log. If the log is older than [`Event::DecisionsOver`], the missing event is applied first.
    pub fn apply_logged(&mut self, event: &Event) {
        if let Some(over) = self.decisions_ended_by(event) {
            self.apply(&over);
        }
        self.apply(event);
    }

    /// Converts events of this table to the old form: without [`Event::DecisionsOver`], and only with trackers that control a betting window.
    #[must_use]
    pub fn as_told_before(&self, events: &[Event]) -> Vec<Event> {
        let told = |event: &Event| match event {
            Event::DecisionsOver { .. } => None,
            Event::PhaseSet { phase, trackers: all } => {
                let mut trackers = Trackers::governing(self.board());
                all.iter().for_each(|(wager, progress)| trackers.set(*wager, *progress));
                Some(Event::PhaseSet { phase: *phase, trackers: trackers.iter().collect() })
            }
            event => Some(event.clone()),
        };
        events.iter().filter_map(told).collect()
    }

    /// Returns the end of rolling for come decisions only, if this event causes it. It happens right before the event: a line bet ends it, and so
    /// does taking down the last come bet.
    pub(crate) fn decisions_ended_by(&self, event: &Event) -> Option<Event> {
        if self.hand().phase != Phase::ComeDecisionOnly {
            return None;
        }
        let dice = match event {
            Event::BetPlaced { seat, slot, .. } if self.is_line(*slot) => {
                let own = self.hand().shooter == Some(Shooter::Seat(*seat));
                if own { AfterDecisions::Kept } else { AfterDecisions::Passed }
            }
            Event::TakenDown { seat, slot, left: None, .. } => {
                let moved = self.board().moved();
                let left = self.seats().any(|(id, placed)| {
                    let mut standing = placed.bets.slots().and(moved);
                    if id == *seat {
                        standing.remove(*slot);
                    }
                    !standing.is_empty()
                });
                if left {
                    return None;
                }
                AfterDecisions::KeptWithLineBet
            }
            _ => return None,
        };
        Some(Event::DecisionsOver { dice })
    }
}
