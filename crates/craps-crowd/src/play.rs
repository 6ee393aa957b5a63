//! What a bot follows of its table while it plays. It reads only the rows that matter for its next command and checks nothing: that comes later.

use crate::line::{Kind, Line};
use crate::view::View;

/// The table as a playing bot knows it.
#[derive(Debug)]
pub(crate) struct Play {
    pub(crate) view: View,
    /// Number of the last row heard.
    last: u64,
    /// The view includes all rows up to this one.
    as_of: u64,
    /// What a row about the bot's own seat contains.
    own: String,
}

/// How a row begins, up to its number.
const ROW: &str = "{\"kind\":\"row\",\"seq\":";
/// What rows contain that may concern all seats.
const OF_ALL: [&str; 2] = ["\"did\":\"thrown\"", "\"what\":\"dice-"];

impl Play {
    pub(crate) fn new(table: &str, seat: u8) -> Play {
        Play { view: View::new(table, seat), last: 0, as_of: 0, own: format!("\"seat\":{seat},") }
    }

    /// Returns the id of the table.
    pub(crate) fn table(&self) -> &str {
        &self.view.table
    }

    /// Returns the number of the last row heard.
    pub(crate) fn last(&self) -> u64 {
        self.last
    }

    /// Follows a table or a row.
    pub(crate) fn hear(&mut self, text: &str) {
        if let Some(seq) = self.skipped(text) {
            self.last = seq;
            return;
        }
        // A line that can't be read is found when it is checked.
        let Ok(line) = serde_json::from_str::<Line>(text) else { return };
        match line.kind {
            Kind::Table => {
                if !self.view.is_known {
                    self.last = line.seq;
                }
                self.as_of = line.seq;
                self.view = View::told(&self.view.table, self.view.seat, &line);
                self.view.is_known = true;
            }
            Kind::Row => {
                self.last = line.seq;
                // A table may come before the rows that it includes.
                if line.seq > self.as_of {
                    self.view.apply(&line);
                }
            }
            _ => {}
        }
    }

    /// Returns the number of a row that doesn't matter for the next command.
    fn skipped(&self, text: &str) -> Option<u64> {
        let rest = text.strip_prefix(ROW)?;
        let concerns = OF_ALL.iter().any(|part| rest.contains(part)) || rest.contains(&self.own);
        rest.split(',').next().filter(|_| !concerns)?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_rows_that_do_not_matter_are_skipped() {
        let play = Play::new("north", 3);
        let skipped = |text: &str| play.skipped(text);
        let row = |rest: &str| format!("{{\"kind\":\"row\",\"seq\":17,\"at\":5,\"role\":\"player\",{rest}}}");
        assert_eq!(skipped(&row("\"seat\":4,\"did\":\"ordered\",\"happened\":[]")), Some(17));
        assert_eq!(skipped(&row("\"seat\":3,\"did\":\"ordered\",\"happened\":[]")), None, "its own");
        assert_eq!(skipped(&row("\"did\":\"thrown\",\"roll\":null")), None, "a roll");
        let taken = "\"did\":\"ordered\",\"happened\":[{\"what\":\"dice-taken\",\"seat\":4}]";
        assert_eq!(skipped(&row(taken)), None, "another shooter");
        assert_eq!(skipped("{\"kind\":\"table\",\"seq\":17}"), None);
        assert_eq!(skipped("{\"seq\":17,\"kind\":\"row\"}"), None, "fields in another order are read");
    }
}
