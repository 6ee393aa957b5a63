use craps_dice::{Point, Total, TotalSet};
use std::fmt;

/// Which totals set a point on the come-out roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Points {
    /// 4, 5, 6, 8, 9 and 10; 2, 3 and 12 are craps and 11 wins.
    #[default]
    Box,
    /// Every total except seven: the crapless game.
    AllButSeven,
}

impl Points {
    /// Returns the point that this total sets on the come-out roll, or `None` if it sets none.
    #[must_use]
    pub fn set_by(self, total: Total) -> Option<Point> {
        Point::new(total).filter(|point| self == Points::AllButSeven || point.is_box())
    }

    /// Returns the points that can be set.
    #[must_use]
    pub fn all(self) -> &'static [Point] {
        match self {
            Points::Box => &Point::BOX,
            Points::AllButSeven => &Point::ALL,
        }
    }
}

/// The come-out totals on which a don't bet pushes instead of winning.
///
/// ```
/// use craps_wagers::{Bar, Dial, Dials};
/// let mut dials = Dials::default();
/// assert_eq!(dials.bar.to_string(), "12");
/// dials.turn(Dial::Bar, "2 3").unwrap();
/// assert_eq!(dials.bar.to_string(), "2 3");
/// dials.turn(Dial::Bar, "none").unwrap();
/// assert!(dials.bar.totals().is_empty());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Bar(TotalSet);

impl Bar {
    /// Makes a bar on these totals.
    #[must_use]
    pub const fn on(totals: TotalSet) -> Bar {
        Bar(totals)
    }

    /// The barred totals.
    #[must_use]
    pub const fn totals(self) -> TotalSet {
        self.0
    }
}

impl Default for Bar {
    fn default() -> Bar {
        Bar(TotalSet::of(&[Total::Twelve]))
    }
}

impl fmt::Display for Bar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() { f.write_str("none") } else { self.0.fmt(f) }
    }
}

/// Which seven settles a Fire bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EndingSeven {
    /// Only a seven-out (a seven while a point is set).
    #[default]
    Loser,
    /// Any seven, including one on the come-out roll.
    Any,
}

/// What happens to a Fire bet when the sixth different point is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SixthPoint {
    /// The bet stays up until the seven-out.
    #[default]
    Waits,
    /// The bet is paid at once.
    Ends,
}

/// What a come-out seven does to a Hot Roller bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ComeOutSeven {
    /// It settles the bet by its count, like any seven.
    #[default]
    Settles,
    /// The bet loses, no matter what was rolled before.
    Loses,
    /// The bet isn't affected.
    Ignored,
}

/// Whether the first or last roll of a Hot Shooter Jackpot bet counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Count {
    /// The roll doesn't count.
    #[default]
    Out,
    /// The roll counts.
    In,
}

/// The settings for the readings that a mechanic supports. All mechanics share this struct, and each uses only its own dials.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dials {
    /// Which totals set a point.
    pub points: Points,
    /// The come-out totals on which a don't bet pushes.
    pub bar: Bar,
    /// Which seven settles a Fire bet.
    pub ends_on_seven: EndingSeven,
    /// What the sixth point does to a Fire bet.
    pub ends_on_sixth: SixthPoint,
    /// What a come-out seven does to a Hot Roller bet.
    pub come_out_seven: ComeOutSeven,
    /// Whether the come-out roll counts for Hot Shooter Jackpot.
    pub count_come_out: Count,
    /// Whether the seven-out roll counts for Hot Shooter Jackpot.
    pub count_seven_out: Count,
}

/// The name of a dial, as it appears in the books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "each is the field of `Dials` of that name")]
pub enum Dial {
    Points,
    Bar,
    EndsOnSeven,
    EndsOnSixth,
    ComeOutSeven,
    CountComeOut,
    CountSevenOut,
}

/// The error for an unknown dial name, or a word that the dial doesn't have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotADial {
    /// The valid names or words.
    pub expected: Vec<&'static str>,
}

impl fmt::Display for NotADial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected one of: {}", self.expected.join(", "))
    }
}

impl std::error::Error for NotADial {}

impl Dial {
    /// Every dial.
    pub const ALL: [Dial; 7] = [
        Dial::Points,
        Dial::Bar,
        Dial::EndsOnSeven,
        Dial::EndsOnSixth,
        Dial::ComeOutSeven,
        Dial::CountComeOut,
        Dial::CountSevenOut,
    ];

    /// The name of the dial in a book.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Dial::Points => "points",
            Dial::Bar => "bar",
            Dial::EndsOnSeven => "ends_on_seven",
            Dial::EndsOnSixth => "ends_on_sixth",
            Dial::ComeOutSeven => "come_out_seven",
            Dial::CountComeOut => "count_come_out",
            Dial::CountSevenOut => "count_seven_out",
        }
    }

    /// A short description of the dial, for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Dial::Points => "totals that set a point",
            Dial::Bar => "barred total",
            Dial::EndsOnSeven => "which seven settles it",
            Dial::EndsOnSixth => "ends on the sixth point",
            Dial::ComeOutSeven => "a come-out seven",
            Dial::CountComeOut => "counts the come-out roll",
            Dial::CountSevenOut => "counts the seven-out roll",
        }
    }

    /// Returns the dial with this name.
    ///
    /// # Errors
    /// When no dial has the name. The error lists the names.
    pub fn find(name: &str) -> Result<Dial, NotADial> {
        Dial::ALL
            .into_iter()
            .find(|dial| dial.name() == name)
            .ok_or_else(|| NotADial { expected: Dial::ALL.map(Dial::name).to_vec() })
    }

    /// The words that the dial can be set to, the default first.
    #[must_use]
    pub const fn words(self) -> &'static [&'static str] {
        match self {
            Dial::Points => &["box", "all_but_seven"],
            Dial::Bar => &["12", "2", "3", "none", "2 3", "2 12", "3 12", "2 3 12"],
            Dial::EndsOnSeven => &["loser", "any"],
            Dial::ComeOutSeven => &["settles", "loses", "ignored"],
            Dial::EndsOnSixth | Dial::CountComeOut | Dial::CountSevenOut => &["no", "yes"],
        }
    }
}

impl Dials {
    /// Sets one dial to a word.
    ///
    /// ```
    /// use craps_wagers::{Dial, Dials, Points};
    /// let mut dials = Dials::default();
    /// dials.turn(Dial::Points, "all_but_seven").unwrap();
    /// assert_eq!(dials.points, Points::AllButSeven);
    /// assert!(dials.turn(Dial::Bar, "7").is_err());
    /// ```
    ///
    /// # Errors
    /// When the dial doesn't have the word. The error lists its words.
    pub fn turn(&mut self, dial: Dial, word: &str) -> Result<(), NotADial> {
        let at = dial
            .words()
            .iter()
            .position(|known| *known == word)
            .ok_or_else(|| NotADial { expected: dial.words().to_vec() })?;
        let count = [Count::Out, Count::In];
        match dial {
            Dial::Points => self.points = [Points::Box, Points::AllButSeven][at],
            // Every word except `none` is a list of totals.
            Dial::Bar => self.bar = Bar(word.parse().unwrap_or_default()),
            Dial::EndsOnSeven => self.ends_on_seven = [EndingSeven::Loser, EndingSeven::Any][at],
            Dial::EndsOnSixth => self.ends_on_sixth = [SixthPoint::Waits, SixthPoint::Ends][at],
            Dial::ComeOutSeven => {
                self.come_out_seven = [ComeOutSeven::Settles, ComeOutSeven::Loses, ComeOutSeven::Ignored][at];
            }
            Dial::CountComeOut => self.count_come_out = count[at],
            Dial::CountSevenOut => self.count_seven_out = count[at],
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_word_of_a_dial_is_its_default_and_the_others_change_it() {
        for dial in Dial::ALL {
            for (at, word) in dial.words().iter().enumerate() {
                let mut dials = Dials::default();
                dials.turn(dial, word).unwrap();
                assert_eq!(dials == Dials::default(), at == 0, "{} = {word}", dial.name());
            }
            assert_eq!(Dial::find(dial.name()), Ok(dial));
        }
        assert_eq!(Dial::find("color").unwrap_err().expected.len(), Dial::ALL.len());
    }
}
