//! Logs from before. A log that was written before an event existed is still folded and still audited.

use crate::event::Event;
use crate::hand::{AfterDecisions, Shooter};
use crate::table::Table;
use crate::trackers::Trackers;
use craps_wagers::Phase;

impl Table {
    /// Folds one event of a log, which may be from before [`Event::DecisionsOver`]: what it does not tell of is folded with it.
    pub fn apply_logged(&mut self, event: &Event) {
        if let Some(over) = self.decisions_ended_by(event) {
            self.apply(&over);
        }
        self.apply(event);
    }

    /// Events of this table as they were told before there was [`Event::DecisionsOver`], and when only trackers that govern a betting window were
    /// told of.
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

    /// The end of rolling for come decisions only that an event brings with it, if it does. It happens right before the event: a bet on
    /// the line ends it, and so does the last come bet that comes down.
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
