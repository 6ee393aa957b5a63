//! Support for old logs. A log that was written before an event type existed can still be applied and audited.

use crate::event::Event;
use crate::table::Table;
use crate::trackers::Trackers;

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
}
