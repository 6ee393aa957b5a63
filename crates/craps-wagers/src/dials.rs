use craps_dice::{Point, Total, TotalSet};
use std::fmt;

/// Which totals of a come-out set a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Points {
    /// 4, 5, 6, 8, 9 and 10; 2, 3 and 12 are craps and 11 wins.
    #[default]
    Box,
    /// Every total but seven: the crapless game.
    AllButSeven,
}

impl Points {
    /// The point this total sets on a come-out, if it sets one.
    #[must_use]
    pub fn set_by(self, total: Total) -> Option<Point> {
        Point::new(total).filter(|point| self == Points::AllButSeven || point.is_box())
    }

    /// The points that can be set.
    #[must_use]
    pub fn all(self) -> &'static [Point] {
        match self {
            Points::Box => &Point::BOX,
            Points::AllButSeven => &Point::ALL,
        }
    }
}

/// The come-out totals on which a don't bet is void instead of won.
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
    /// A bar on these totals.
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

/// Which seven settles a count of points made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum EndingSeven {
    /// Only a seven while a point is set.
    #[default]
    Loser,
    /// Any seven, one on a come-out as well.
    Any,
}

/// What the sixth individual point does to a Fire bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SixthPoint {
    /// It stays up until the loser seven.
    #[default]
    Waits,
    /// It is paid at once.
    Ends,
}

/// What a come-out seven does to a Hot Roller bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ComeOutSeven {
    /// It settles the bet by its count, like any seven.
    #[default]
    Settles,
    /// It loses the bet whatever was thrown before.
    Loses,
    /// It does not touch the bet.
    Ignored,
}

/// Is a throw at the edge of the counted run part of it?
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Count {
    /// It is not counted.
    #[default]
    Out,
    /// It is counted.
    In,
}

/// The readings a mechanic can be turned to. One plain value for all mechanics: each looks only at its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Dials {
    /// Which totals set a point.
    pub points: Points,
    /// Which total bars a don't bet.
    pub bar: Bar,
    /// Which seven settles a Fire bet.
    pub ends_on_seven: EndingSeven,
    /// What the sixth point does to a Fire bet.
    pub ends_on_sixth: SixthPoint,
    /// What a come-out seven does to a Hot Roller bet.
    pub come_out_seven: ComeOutSeven,
    /// Does the come-out throw count for Hot Shooter Jackpot?
    pub count_come_out: Count,
    /// Does the seven-out throw count for Hot Shooter Jackpot?
    pub count_seven_out: Count,
}

/// A dial by name, as the books write it.
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

/// A word that no dial, or not this dial, has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotADial {
    /// The words that would do.
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

    /// Its name in a book.
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

    /// What it decides, for people.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Dial::Points => "totals that set a point",
            Dial::Bar => "barred total",
            Dial::EndsOnSeven => "settled by which seven",
            Dial::EndsOnSixth => "ends on the sixth point",
            Dial::ComeOutSeven => "a come-out seven",
            Dial::CountComeOut => "counts the come-out throw",
            Dial::CountSevenOut => "counts the seven-out throw",
        }
    }

    /// The dial of this name.
    ///
    /// # Errors
    /// When there is none; the error lists the names.
    pub fn find(name: &str) -> Result<Dial, NotADial> {
        Dial::ALL
            .into_iter()
            .find(|dial| dial.name() == name)
            .ok_or_else(|| NotADial { expected: Dial::ALL.map(Dial::name).to_vec() })
    }

    /// The words it can be set to, the default first.
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
    /// Turns one dial.
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
    /// When the dial has no such word; the error lists its words.
    pub fn turn(&mut self, dial: Dial, word: &str) -> Result<(), NotADial> {
        let at = dial
            .words()
            .iter()
            .position(|known| *known == word)
            .ok_or_else(|| NotADial { expected: dial.words().to_vec() })?;
        let count = [Count::Out, Count::In];
        match dial {
            Dial::Points => self.points = [Points::Box, Points::AllButSeven][at],
            // Every word but `none` is a list of totals.
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
        assert_eq!(Dial::find("colour").unwrap_err().expected.len(), Dial::ALL.len());
    }
}
