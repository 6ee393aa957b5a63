//! Measures text, so that it can be made to fit before it is drawn.

use crate::view::Face;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    cap: i32,
    other: i32,
    widths: BTreeMap<String, String>,
}

/// Measurements of a typeface, in thousandths of its size.
struct Measures {
    cap: i32,
    other: i32,
    widths: HashMap<char, i32>,
}

static FACES: LazyLock<HashMap<Face, Measures>> = LazyLock::new(|| {
    // A test checks that the file parses.
    let raw: HashMap<Face, Raw> = toml::from_str(include_str!("faces.toml")).unwrap_or_default();
    let measures = |raw: Raw| {
        let each = |(width, all): (&String, &String)| {
            let width = width.parse().unwrap_or(raw.other);
            all.chars().map(move |one| (one, width)).collect::<Vec<_>>()
        };
        Measures { cap: raw.cap, other: raw.other, widths: raw.widths.iter().flat_map(each).collect() }
    };
    raw.into_iter().map(|(face, raw)| (face, measures(raw))).collect()
});

impl Face {
    /// Returns the length of a text at this size, with `spread` extra space between letters.
    #[must_use]
    pub fn length(self, text: &str, size: i32, spread: i32) -> i32 {
        let Some(face) = FACES.get(&self) else { return 0 };
        let glyphs: i32 = text.chars().map(|one| face.widths.get(&one).copied().unwrap_or(face.other)).sum();
        let gaps = i32::try_from(text.chars().count()).unwrap_or(i32::MAX).saturating_sub(1).max(0);
        (glyphs * size + 999) / 1000 + gaps * spread
    }

    /// Returns the height of capital letters at this size.
    #[must_use]
    pub fn capitals(self, size: i32) -> i32 {
        FACES.get(&self).map_or(0, |face| (face.cap * size + 500) / 1000)
    }

    /// Returns the largest size, at most `size`, at which the text is no longer than `fit`.
    #[must_use]
    pub fn fitted(self, text: &str, size: i32, spread: i32, fit: Option<i32>) -> i32 {
        let fits = |size: &i32| fit.is_none_or(|fit| self.length(text, *size, spread) <= fit);
        (1..=size).rev().find(fits).unwrap_or(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_face_knows_letters_figures_and_what_prices_are_written_with() {
        for face in [Face::Slab, Face::Tight, Face::Ui] {
            let known = &FACES[&face].widths;
            for one in ('A'..='Z').chain('a'..='z').chain('0'..='9').chain(" ·–×’'&-:,./()".chars()) {
                assert!(known.contains_key(&one), "{face:?}: {one}");
            }
            assert!(face.capitals(100) > 60 && face.capitals(100) < 80);
        }
    }

    #[test]
    fn words_that_are_too_long_get_smaller_until_they_fit() {
        let face = Face::Slab;
        assert_eq!(face.fitted("4", 96, 0, Some(92)), 96);
        let size = face.fitted("NINE", 96, 0, Some(92));
        assert!(face.length("NINE", size, 0) <= 92 && face.length("NINE", size + 1, 0) > 92, "{size}");
        assert_eq!(face.length("AB", 1000, 7), face.length("A", 1000, 0) + face.length("B", 1000, 0) + 7);
    }
}
