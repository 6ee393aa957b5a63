//! Named figures, as benchmarks print them: one per line, with a tab between name and value.

/// Figures in the order in which they were measured.
#[derive(Debug, Default)]
pub(super) struct Figures(Vec<(String, String)>);

impl Figures {
    /// Reads the output of a benchmark. Lines without a tab are ignored.
    pub(super) fn read(text: &str) -> Figures {
        let own = |line: &str| line.split_once('\t').map(|(name, value)| (name.to_owned(), value.trim().to_owned()));
        Figures(text.lines().filter_map(own).collect())
    }

    /// Adds all figures of `others`.
    pub(super) fn extend(&mut self, others: Figures) {
        self.0.extend(others.0);
    }

    /// Adds one figure.
    pub(super) fn put(&mut self, name: String, value: f64) {
        self.0.push((name, value.to_string()));
    }

    /// Returns the value with this name as text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns all values with this name.
    pub(super) fn texts(&self, name: &str) -> impl Iterator<Item = &str> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns the value with this name as a number. None if it is missing or not a number.
    pub(super) fn number(&self, name: &str) -> Option<f64> {
        self.text(name)?.parse().ok()
    }

    /// Returns the figure `of` divided by the figure `to`.
    pub(super) fn ratio(&self, of: &str, to: &str) -> Option<f64> {
        Some(self.number(of)? / self.number(to)?)
    }

    /// Returns all figures that are numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = (&str, f64)> {
        self.0.iter().filter_map(|(name, value)| Some((name.as_str(), value.parse().ok()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_among_other_lines() {
        let figures = Figures::read("warning: something\nrate/r\t8e8\nrate/engine\t2e7 \n\ntable\tsome book\n");
        assert_eq!(figures.ratio("rate/r", "rate/engine"), Some(40.0));
        assert_eq!(figures.text("table"), Some("some book"));
        assert_eq!((figures.number("table"), figures.number("rate/x")), (None, None));
        assert_eq!(figures.numbers().collect::<Vec<_>>(), [("rate/r", 8e8), ("rate/engine", 2e7)]);
    }
}
