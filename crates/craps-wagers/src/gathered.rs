//! Shows the progress of a bet in terms that people can read. Outside of the mechanics, only this module packs and
//! unpacks [`Progress`].

use crate::mechanic::{collect, count, different, line, lucky};
use crate::{Machine, Mechanic, Phase, Progress, Step};
use craps_dice::{Point, Throw, ThrowSet, Total, TotalSet};
use std::collections::BTreeSet;
use std::fmt;

/// What a bet has collected since it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gathered {
    /// Nothing so far.
    Nothing,
    /// The number that a line or odds bet is on.
    Number(Point),
    /// The totals that came up: points made, numbers collected.
    Totals(TotalSet),
    /// The exact dice that came up, such as 2-2.
    Rolls(ThrowSet),
    /// A count of points, line wins, rolls or repeats.
    Count(u16),
    /// A point, and the numbers rolled after it.
    Run {
        /// The point that started the run.
        point: Point,
        /// The numbers rolled after the point.
        then: TotalSet,
    },
}

impl Gathered {
    /// Returns how many totals, dice or numbers of the run there are, or the count itself.
    ///
    /// ```
    /// use craps_wagers::{Dials, Phase, Step, Wager};
    /// let small = Wager::find("bonus-all-small").unwrap().machine(Dials::default());
    /// let Step::Stand(now) = small.step(Default::default(), Phase::ComeOut, "1-3".parse()?) else { panic!() };
    /// assert_eq!((small.gathered(now).len(), small.spell(now).as_str()), (1, "4"));
    /// # Ok::<(), craps_dice::NotDice>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Gathered::Nothing | Gathered::Number(_) => 0,
            Gathered::Totals(totals) => totals.len(),
            Gathered::Rolls(rolls) => rolls.len(),
            Gathered::Count(count) => usize::from(*count),
            Gathered::Run { then, .. } => then.len(),
        }
    }

    /// Returns the marks that the felt lights for this bet: totals, dice, or every count up to this one.
    #[must_use]
    pub fn marks(&self) -> Vec<String> {
        match self {
            Gathered::Nothing | Gathered::Number(_) => Vec::new(),
            Gathered::Totals(totals) | Gathered::Run { then: totals, .. } => {
                totals.iter().map(|total| total.to_string()).collect()
            }
            Gathered::Rolls(rolls) => rolls.iter().map(|roll| roll.to_string()).collect(),
            Gathered::Count(count) => (1..=*count).map(|count| count.to_string()).collect(),
        }
    }

    /// Returns true if `len` is zero.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Writes `4x9` for totals, `13x22` for dice, `3` for a count, `6x4x5` for a run from a point, and `none` for nothing.
impl fmt::Display for Gathered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let totals = |set: &TotalSet| set.iter().map(|total| total.to_string()).collect::<Vec<_>>();
        let words = match self {
            Gathered::Nothing => vec!["none".to_owned()],
            Gathered::Number(point) => vec![point.to_string()],
            Gathered::Totals(set) => totals(set),
            Gathered::Rolls(set) => set.iter().map(|roll| format!("{}{}", roll.low(), roll.high())).collect(),
            Gathered::Count(count) => vec![count.to_string()],
            Gathered::Run { point, then } => [vec![point.to_string()], totals(then)].concat(),
        };
        f.write_str(&words.join("x"))
    }
}

/// The most that a bet can collect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// It collects nothing; a line or odds bet only has its number.
    Nothing,
    /// It collects these totals.
    Totals(TotalSet),
    /// It collects these dice.
    Rolls(ThrowSet),
    /// It counts up to this number.
    Count(u16),
    /// It collects a point and then these numbers.
    Run(TotalSet),
}

impl Goal {
    /// Returns true if the felt can light this mark for the bet. See [`Gathered::marks`].
    #[must_use]
    pub fn has_mark(&self, mark: &str) -> bool {
        match self {
            Goal::Nothing => false,
            Goal::Totals(totals) | Goal::Run(totals) => mark.parse().is_ok_and(|total| totals.contains(total)),
            Goal::Rolls(rolls) => mark.parse().is_ok_and(|roll| rolls.contains(roll)),
            Goal::Count(most) => mark.parse().is_ok_and(|count| (1..=*most).contains(&count)),
        }
    }
}

/// The error for text that isn't a possible progress of a bet on this wager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotGathered {
    /// What was expected, such as `a count from 0 to 10`.
    pub expected: String,
    /// The text that was found instead.
    pub found: String,
}

impl fmt::Display for NotGathered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found `{}`", self.expected, self.found)
    }
}

impl std::error::Error for NotGathered {}

/// Returns the box numbers as totals.
fn box_totals() -> TotalSet {
    Point::BOX.into_iter().map(Point::total).collect()
}

/// Packs totals into bits: the bit of a total is its value.
fn pack(totals: TotalSet) -> u16 {
    totals.iter().fold(0, |bits, total| bits | 1 << total.value())
}

fn unpack(bits: u16) -> TotalSet {
    Total::ALL.into_iter().filter(|total| bits & (1 << total.value()) != 0).collect()
}

impl Machine {
    /// Returns what a bet has collected so far.
    #[must_use]
    pub fn gathered(&self, progress: Progress) -> Gathered {
        if progress == Progress::FRESH {
            return Gathered::Nothing;
        }
        match self.mechanic {
            Mechanic::Line { .. } | Mechanic::Behind(..) => {
                line::number(progress).map_or(Gathered::Nothing, Gathered::Number)
            }
            Mechanic::Race { .. } | Mechanic::OneThrow(_) | Mechanic::Composite(_) => Gathered::Nothing,
            Mechanic::PointsMade | Mechanic::Collect(_) => Gathered::Totals(unpack(progress.0)),
            Mechanic::PassesMade { .. }
            | Mechanic::LineWins { .. }
            | Mechanic::Repeats { .. }
            | Mechanic::NoSeven { .. }
            | Mechanic::TwoRolls { .. } => Gathered::Count(progress.0),
            Mechanic::ThrowsSurvived { .. } => Gathered::Count(count::survived(&self.dials, progress)),
            Mechanic::NumbersCompleted => Gathered::Rolls(collect::combinations(progress)),
            Mechanic::Different { of } => Gathered::Rolls(different::seen(of, progress)),
            Mechanic::RunOfNumbers => {
                lucky::run(progress).map_or(Gathered::Nothing, |(point, then)| Gathered::Run { point, then })
            }
        }
    }

    /// Returns the most that a bet can collect.
    #[must_use]
    pub fn goal(&self) -> Goal {
        match self.mechanic {
            Mechanic::Line { .. }
            | Mechanic::Behind(..)
            | Mechanic::Race { .. }
            | Mechanic::OneThrow(_)
            | Mechanic::Composite(_) => Goal::Nothing,
            Mechanic::PointsMade => Goal::Totals(box_totals()),
            Mechanic::Collect(totals) => Goal::Totals(totals),
            Mechanic::PassesMade { most } | Mechanic::LineWins { most } | Mechanic::ThrowsSurvived { most } => {
                Goal::Count(u16::from(most))
            }
            Mechanic::Repeats { times, .. } => Goal::Count(u16::from(times)),
            Mechanic::NoSeven { rolls } => Goal::Count(u16::from(rolls)),
            Mechanic::TwoRolls { .. } => Goal::Count(2),
            Mechanic::NumbersCompleted => Goal::Rolls(box_totals().throws()),
            Mechanic::Different { of } => Goal::Rolls(of),
            Mechanic::RunOfNumbers => Goal::Run(box_totals()),
        }
    }

    /// Writes what a bet has collected as text that [`Machine::read`] can read.
    #[must_use]
    pub fn spell(&self, progress: Progress) -> String {
        self.gathered(progress).to_string()
    }

    /// Reads the text that [`Machine::spell`] writes.
    ///
    /// # Errors
    /// When no rolls can bring a bet on this wager to what the text says.
    pub fn read(&self, text: &str) -> Result<Progress, NotGathered> {
        let wrong = || NotGathered { expected: self.expected(), found: text.to_owned() };
        let progress = if text == "none" { Some(Progress::FRESH) } else { self.packed(text) };
        progress.filter(|progress| self.reaches(*progress)).ok_or_else(wrong)
    }

    fn expected(&self) -> String {
        let totals = |totals: TotalSet| totals.to_string().replace(' ', ", ");
        match self.goal() {
            Goal::Nothing => "none, because this bet collects nothing".to_owned(),
            Goal::Totals(set) => {
                format!("some of the totals {} separated by x, too few to decide the bet", totals(set))
            }
            Goal::Rolls(_) => "dice such as 13x22, too few to decide the bet".to_owned(),
            Goal::Count(most) => format!("a count from 0 to {most} that doesn't decide the bet"),
            Goal::Run(_) => "a point and the numbers after it, such as 6x4x5".to_owned(),
        }
    }

    fn packed(&self, text: &str) -> Option<Progress> {
        let words = || text.split('x');
        let totals = || words().map(|word| word.parse().ok()).collect::<Option<TotalSet>>();
        let rolls = || {
            let roll = |word: &str| {
                let (low, high) = word.split_at_checked(1)?;
                format!("{low}-{high}").parse::<Throw>().ok()
            };
            words().map(roll).collect::<Option<ThrowSet>>()
        };
        match self.mechanic {
            Mechanic::Line { .. } | Mechanic::Behind(..) => text.parse().ok().map(line::on_number),
            Mechanic::Race { .. } | Mechanic::OneThrow(_) | Mechanic::Composite(_) => None,
            Mechanic::PointsMade | Mechanic::Collect(_) => totals().map(|set| Progress(pack(set))),
            Mechanic::PassesMade { .. }
            | Mechanic::LineWins { .. }
            | Mechanic::Repeats { .. }
            | Mechanic::NoSeven { .. }
            | Mechanic::TwoRolls { .. } => text.parse().ok().filter(|count| *count > 0).map(Progress),
            Mechanic::ThrowsSurvived { .. } => text.parse().ok().and_then(|count| count::surviving(&self.dials, count)),
            Mechanic::NumbersCompleted => rolls().and_then(collect::combined),
            Mechanic::Different { of } => rolls().and_then(|rolls| different::having(of, rolls)),
            Mechanic::RunOfNumbers => {
                let (point, rest) = text.split_once('x').map_or((text, None), |(point, rest)| (point, Some(rest)));
                let then = rest.map_or(Some(TotalSet::default()), |rest| {
                    rest.split('x').map(|word| word.parse().ok()).collect::<Option<TotalSet>>()
                })?;
                lucky::running(point.parse().ok()?, then)
            }
        }
    }

    /// Returns the progress of a bet on this wager after the same rolls, given what a bet on another wager has collected. `None` if the
    /// two don't both collect totals.
    #[must_use]
    pub fn share(&self, of: Gathered) -> Option<Progress> {
        match (self.goal(), of) {
            (_, Gathered::Nothing) => Some(Progress::FRESH),
            (Goal::Totals(own), Gathered::Totals(seen)) => Some(Progress(pack(own.and(seen)))),
            _ => None,
        }
    }

    /// Returns true if some rolls bring a new bet to this progress without deciding it. It tries every roll in every phase.
    #[must_use]
    pub fn reaches(&self, wanted: Progress) -> bool {
        let counts = matches!(self.goal(), Goal::Count(_));
        // A count must not pass the wanted one. Marks are only ever added, so there must be none that isn't wanted.
        let fits = |next: Progress| if counts { next <= wanted } else { next.0 & !wanted.0 == 0 };
        let phases: Vec<Phase> =
            [Phase::ComeOut, Phase::ComeDecisionOnly].into_iter().chain(Point::ALL.map(Phase::Point)).collect();
        let starts = match self.mechanic {
            Mechanic::Behind(..) => Point::ALL.map(line::on_number).to_vec(),
            _ => vec![Progress::FRESH],
        };
        let (mut open, mut seen): (Vec<Progress>, BTreeSet<Progress>) = (starts.clone(), starts.into_iter().collect());
        while let Some(now) = open.pop() {
            if now == wanted {
                return true;
            }
            for (phase, roll) in phases.iter().flat_map(|phase| Throw::ALL.map(|roll| (*phase, roll))) {
                if let Step::Stand(next) | Step::Credited(_, next) = self.step(now, phase, roll)
                    && fits(next)
                    && seen.insert(next)
                {
                    open.push(next);
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Catalogue, Dials};

    /// Every reachable progress of every wager is written as a different text and read back.
    #[test]
    fn everything_a_bet_collects_is_written_and_read_back() {
        for id in Catalogue::built_in().all().chain(crate::catalogue::samples().all()) {
            let machine = id.wager().machine(Dials::default());
            let first = match machine.mechanic {
                Mechanic::Behind(..) => machine.on(Point::Six),
                _ => Progress::FRESH,
            };
            let (mut open, mut seen, mut spelled) = (vec![(first, Phase::ComeOut)], BTreeSet::new(), BTreeSet::new());
            while let Some((now, phase)) = open.pop() {
                if seen.len() > 400 || !seen.insert((now, phase)) {
                    continue;
                }
                let text = machine.spell(now);
                assert_eq!(machine.read(&text), Ok(now), "{id}: {text}");
                let marks = machine.gathered(now).marks();
                assert_eq!(marks.len(), machine.gathered(now).len(), "{id}: {text}");
                assert!(marks.iter().all(|mark| machine.goal().has_mark(mark)), "{id}: {marks:?}");
                spelled.insert((text, now));
                for roll in Throw::ALL {
                    if let Step::Stand(next) | Step::Credited(_, next) = machine.step(now, phase, roll) {
                        open.push((next, phase.after(roll, machine.dials.points)));
                    }
                }
            }
            let texts: BTreeSet<&String> = spelled.iter().map(|(text, _)| text).collect();
            assert_eq!(texts.len(), spelled.len(), "{id}: two states have the same text");
        }
    }

    #[test]
    fn progress_that_no_rolls_reach_is_refused() {
        let machine = |slug: &str| crate::Wager::find(slug).unwrap().machine(Dials::default());
        for (slug, text) in [
            ("fire", "7"),
            ("fire", "2"),
            ("bonus-all-small", "2x3x4x5x6"),
            ("bonus-all-small", "8"),
            ("sharp-shooter", "10"),
            ("sharp-shooter", "0"),
            ("hot-roller", "16"),
            ("lucky-shooter", "6x6"),
            ("field", "3"),
            ("hot-shooter-jackpot", "51"),
        ] {
            assert!(machine(slug).read(text).is_err(), "{slug} {text}");
        }
        let error = machine("sharp-shooter").read("x").unwrap_err();
        assert_eq!(error.to_string(), "expected a count from 0 to 10 that doesn't decide the bet, found `x`");
        assert_eq!(
            machine("hot-shooter-jackpot").read("0").map(|p| machine("hot-shooter-jackpot").spell(p)),
            Ok("0".into())
        );
    }

    #[test]
    fn a_bet_on_some_totals_has_its_share_of_what_all_have() {
        let machine = |slug: &str| crate::Wager::find(slug).unwrap().machine(Dials::default());
        let (all, small) = (machine("bonus-make-em-all"), machine("bonus-all-small"));
        let seen = all.gathered(all.read("2x9").unwrap());
        assert_eq!(seen.len(), 2);
        assert_eq!(small.share(seen).map(|share| small.spell(share)), Some("2".into()));
        assert_eq!(seen.marks(), ["2", "9"]);
        assert!(!small.goal().has_mark("9") && !machine("field").goal().has_mark("2"));
        assert_eq!(small.share(Gathered::Count(3)), None);
        assert_eq!(small.goal(), Goal::Totals("2 3 4 5 6".parse().unwrap()));
    }
}
