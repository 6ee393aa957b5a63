use serde::{Deserialize, Deserializer, de};
use std::fmt;

/// A citation: the prefix of a book, a section, and paragraphs. The last paragraph may be a range such as `(7)-(10)`.
///
/// ```
/// use craps_law::Cite;
/// let cite = Cite::new("PA 623a.3(a)(7)-(10)");
/// assert!(cite.touches("PA 623a.3(a)(8)"));
/// assert!(cite.touches("PA 623a.3"));
/// assert!(!cite.touches("PA 623a.3(a)(11)"));
/// assert!(!Cite::new("PA 623a.10(a)").touches("PA 623a.1"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(transparent)]
pub struct Cite(String);

/// A range of more paragraphs than this is a mistake. It is not expanded, so no section has it.
const LONGEST_RANGE: u32 = 1_000;

impl Cite {
    /// Makes a citation from its text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Cite {
        Cite(text.into())
    }

    /// Returns the text of the citation.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true when the citation is this section or paragraph, is inside it, or contains it.
    #[must_use]
    pub fn touches(&self, place: &str) -> bool {
        self.expand().iter().any(|one| within(one, place) || within(place, one))
    }

    /// Returns true when the citation is this place or inside it.
    #[must_use]
    pub fn is_in(&self, place: &str) -> bool {
        self.expand().iter().any(|one| within(one, place))
    }

    /// Lists the paragraphs of a range. A citation without a range gives only itself. A range that runs backward, or is too long to be meant, gives
    /// nothing.
    fn expand(&self) -> Vec<String> {
        let Some((first, last)) = self.0.rsplit_once('-').filter(|(first, last)| {
            // The hyphen in a section number such as 30-2304 is not a range.
            first.ends_with([')', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9'])
                && first.contains(['(', '§'])
                && !last.is_empty()
        }) else {
            return vec![self.0.clone()];
        };
        let item = last.trim_matches(['(', ')']);
        let closed = last.starts_with('(');
        let stem_end = if closed {
            first.rfind('(').unwrap_or(first.len())
        } else {
            first.trim_end_matches(|c: char| c.is_ascii_digit()).len()
        };
        let (stem, start) = first.split_at(stem_end);
        let start = start.trim_matches(['(', ')']);
        let wrap = |item: &str| if closed { format!("{stem}({item})") } else { format!("{stem}{item}") };
        match (start.parse::<u32>(), item.parse::<u32>()) {
            (Ok(from), Ok(to)) if to.saturating_sub(from) >= LONGEST_RANGE => Vec::new(),
            (Ok(from), Ok(to)) => (from..=to).map(|n| wrap(&n.to_string())).collect(),
            _ => match (start.as_bytes(), item.as_bytes()) {
                ([from], [to]) => (*from..=*to).map(|c| wrap(&char::from(c).to_string())).collect(),
                _ => vec![self.0.clone()],
            },
        }
    }
}

/// Returns true when `inner` is `outer` or a paragraph of it. `1.2(a)20` is not in `1.2(a)2`, and `623a.10` is not in `623a.1`.
/// Decimals nest below a decimal place: `6.1.1` is in `6.1`, but `30-2315.05` is its own section next to `30-2315`.
fn within(inner: &str, outer: &str) -> bool {
    let decimal = || outer.rsplit(' ').next().is_some_and(|place| place.contains('.'));
    inner.strip_prefix(outer).is_some_and(|rest| match (rest.chars().next(), outer.chars().last()) {
        (None, _) => true,
        (Some('(' | ' '), _) => true,
        (Some('.'), Some(last)) if last.is_ascii_digit() => inner.contains(')') || decimal(),
        (Some(_), Some(last)) => last == ')',
        _ => false,
    })
}

impl fmt::Display for Cite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A list of citations.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub struct Cites(pub Vec<Cite>);

impl Cites {
    /// Iterates over the citations in order.
    pub fn iter(&self) -> impl Iterator<Item = &Cite> {
        self.0.iter()
    }
}

impl fmt::Display for Cites {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, cite) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(", ")?;
            }
            cite.fmt(f)?;
        }
        Ok(())
    }
}

/// Deserializes one string or a list of strings.
pub(crate) fn one_or_many<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    struct OneOrMany;
    impl<'de> de::Visitor<'de> for OneOrMany {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a string or a list of strings")
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Vec<String>, E> {
            Ok(vec![text.to_owned()])
        }

        fn visit_seq<A: de::SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
            let mut all = Vec::new();
            while let Some(text) = list.next_element()? {
                all.push(text);
            }
            if all.is_empty() { Err(de::Error::invalid_length(0, &"at least one")) } else { Ok(all) }
        }
    }
    deserializer.deserialize_any(OneOrMany)
}

impl<'de> Deserialize<'de> for Cites {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cites, D::Error> {
        Ok(Cites(one_or_many(deserializer)?.into_iter().map(Cite).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_citation_touches_its_place_and_what_holds_it_or_is_in_it() {
        let rows = [
            ("NJ 1.2(a)20", "NJ 1.2(a)2", false),
            ("NJ 1.2(a)20", "NJ 1.2(a)20", true),
            ("NJ 1.2(a)20", "NJ 1.2", true),
            ("NJ 1.2(a)7-10", "NJ 1.2(a)9", true),
            ("NJ 1.2(a)7-10", "NJ 1.2(a)11", false),
            ("NJ 1.6(a)-(d)", "NJ 1.6(c)", true),
            ("NJ 1.6(a)-(d)", "NJ 1.6(e)", false),
            ("NJ 1A.7(a)1.i", "NJ 1A.7(a)1", true),
            ("NJ 1A.5(b)", "NJ 1A.5(b)2", true),
            ("MD Ch.1 §B(2)", "MD Ch.1", true),
            ("MD Ch.10 §B(2)", "MD Ch.1", false),
            ("MD Ch.5 §A(21)-(22)", "MD Ch.5 §A(22)", true),
            ("CO 30-2304(5)", "CO 30-2304", true),
            ("CO 30-2315.05", "CO 30-2315", false),
            ("CO 30-2399.04(14)-(28)", "CO 30-2399.04(20)", true),
            ("CO 30-2399.03 PW(2)", "CO 30-2399.03 PW", true),
            ("CO 30-2399.03 PO", "CO 30-2399.03 PW", false),
            ("PA 623b.4 Source", "PA 623b.4", true),
            ("PA 623a Source", "PA 623a", true),
            ("PA 623a.3(a)", "PA 623a", false),
            ("X 6.1.1", "X 6.1", true),
            ("X 6.1.1(a)", "X 6.1", true),
            ("X 6.1.1", "X 6.1.1", true),
            ("X 6.10", "X 6.1", false),
            ("X 6.1.10", "X 6.1.1", false),
            ("X 6.1", "X 6", false),
        ];
        for (cite, place, expected) in rows {
            assert_eq!(Cite::new(cite).touches(place), expected, "{cite} / {place}");
        }
    }

    #[test]
    fn a_range_that_can_not_be_meant_is_in_no_place() {
        for cite in ["X 1(1)-(4000000000)", "X 1(1)-(1001)", "X 1(5)-(1)", "X 1(a)7-4294967295"] {
            let cite = Cite::new(cite);
            assert!(!cite.is_in("X 1") && !cite.touches("X 1(1)") && !cite.touches("X 1"), "{cite}");
        }
        assert!(Cite::new("X 1(1)-(1000)").is_in("X 1(1000)"));
        // The sign before a number has two bytes.
        assert!(Cite::new("X Ch.5 §12-14").is_in("X Ch.5 §13"));
        assert!(!Cite::new("X Ch.5 §12-14").touches("X Ch.5 §15"));
    }
}
