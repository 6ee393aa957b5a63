use std::fmt;

/// One face of one die.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names are the faces")]
pub enum Die {
    One = 1,
    Two,
    Three,
    Four,
    Five,
    Six,
}

impl Die {
    /// The six faces, low to high.
    pub const ALL: [Die; 6] = [Die::One, Die::Two, Die::Three, Die::Four, Die::Five, Die::Six];

    /// The number of pips, 1 to 6.
    #[must_use]
    pub const fn pips(self) -> u8 {
        self as u8
    }

    /// Returns the face with this many pips, or `None` if the number isn't 1 to 6.
    ///
    /// ```
    /// use craps_dice::Die;
    /// assert_eq!(Die::from_pips(4), Some(Die::Four));
    /// assert_eq!(Die::from_pips(7), None);
    /// ```
    #[must_use]
    pub const fn from_pips(pips: u8) -> Option<Die> {
        match pips {
            1 => Some(Die::One),
            2 => Some(Die::Two),
            3 => Some(Die::Three),
            4 => Some(Die::Four),
            5 => Some(Die::Five),
            6 => Some(Die::Six),
            _ => None,
        }
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.pips())
    }
}
