//! Finds the cause of a result from the mechanic that decided the bet. This code knows no wager by name.

use craps_dice::{Point, Throw, Total};
use craps_law::{Cites, Prize, RuleBook, WagerRules};
use craps_notation::Explained;
use craps_table::{Board, Called, Verdict};
use craps_wagers::{Dial, Mechanic, Phase, Progress, Rank, Step};
use std::fmt;

/// The cause of a bet's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    /// The first roll of a line or come bet was a natural or craps.
    FirstRoll {
        /// Total of the roll.
        total: Total,
        /// True if it was also the table's come-out roll.
        come_out: bool,
    },
    /// The number came before the seven.
    NumberFirst(Total),
    /// The seven came before the number of the bet. None if the bet has no single number.
    SevenFirst(Option<Total>),
    /// The number came, but not in a way that wins, such as an easy 8 for a hard 8 bet.
    WrongWay {
        /// The dice that came.
        dice: Throw,
        /// The dice that would have won.
        wins: Vec<Throw>,
    },
    /// The number came in the way that wins, such as a hard 8.
    RightWay(Throw),
    /// The roll wins this one-roll bet.
    InItsSet(Throw),
    /// The roll doesn't win this one-roll bet.
    NotInItsSet(Throw),
    /// The roll was the last number that the bet needed.
    Completed(Total),
    /// The seven ended a bet that counts something, and it is paid at this rank.
    Counted(String),
    /// The bet ended at this rank, which pays nothing at this table.
    Unpaid(String),
    /// A number came again, which loses the bet.
    Again(Total),
    /// The roll lost the bet for a reason that none of the others describes.
    Roll(Throw),
    /// The total is barred, so a don't bet pushes.
    Barred(Total),
    /// The bet pushes on this roll.
    Void(Throw),
    /// The odds were off when the bet in front of them was decided.
    OddsOff {
        /// True if the player turned them off. Otherwise they were off by default on a come-out roll.
        called: bool,
    },
    /// The rank returns the stake and pays nothing more.
    PaysTheStake(String),
    /// This part won exactly what the other parts lost.
    PartsEven(String),
    /// The bet moved to this number.
    FoundNumber(Option<Point>),
    /// The rank returns the stake, which is bet again.
    GoesOn(String),
}

impl Cause {
    /// Finds the cause of one result.
    ///
    /// ```
    /// use craps_explain::{Cause, GameOf, SettledRoll};
    /// use craps_law::Library;
    /// use craps_odds::Solver;
    /// let why = |acts: &str, dice: &str| -> Result<Cause, Box<dyn std::error::Error>> {
    ///     let text = format!("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 {acts} | {dice} |\n");
    ///     let library = Library::shipped();
    ///     let game = GameOf { text: &text, game: 1, houses: &craps_notation::no_house_files, other: None };
    ///     let mut cards = SettledRoll::new(&library, game, "1".parse()?)?.cards(&library, &mut Solver::default());
    ///     Ok(cards.pop().ok_or("nothing was decided")?.cause)
    /// };
    /// assert_eq!(why("", "1-1")?.to_string(), "craps 2 on the come-out roll");
    /// assert_eq!(why("1:F+5", "3-4")?.to_string(), "it doesn't win on 3-4");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(wager: &WagerRules, layout: &Board, one: &Explained) -> Cause {
        let name = |rank: Rank| wager.wager.wager().ranks.name(rank).to_string();
        let bet = Judged::new(wager, layout, one);
        match (one.verdict, bet.step) {
            (Verdict::Moved { to }, _) => Cause::FoundNumber(layout.slot(to).number),
            (Verdict::Credited { rank, .. }, _) => Cause::GoesOn(name(rank)),
            (Verdict::Won { rank, .. }, _) => bet.won(name(rank)),
            (Verdict::Lost, Step::Won(rank)) => Cause::Unpaid(name(rank)),
            (Verdict::Lost, _) => bet.lost(),
            (Verdict::Returned, Step::Pushed) if bet.is_first_roll() => Cause::Barred(one.dice.total()),
            (Verdict::Returned, Step::Pushed) => Cause::Void(one.dice),
            (Verdict::Returned, Step::Won(rank)) => match wager.prizes.is.of(rank) {
                Some(Prize::Push) => Cause::PaysTheStake(name(rank)),
                Some(Prize::Part { .. }) => Cause::PartsEven(name(rank)),
                _ => Cause::OddsOff { called: one.bet.called == Called::Off },
            },
            (Verdict::Returned, _) => Cause::OddsOff { called: one.bet.called == Called::Off },
        }
    }

    /// Returns the sections of the law behind the cause: about the bar, about when odds are on, about what a rank pays, or else about the bet itself.
    #[must_use]
    pub fn cites(&self, book: Option<&RuleBook>, wager: &WagerRules, verdict: &Verdict) -> Cites {
        let bar = || book?.wager(wager.wager)?.dials.get(&Dial::Bar).map(|fact| fact.cites.clone());
        match (self, verdict) {
            (Cause::Barred(_), _) => bar().unwrap_or_else(|| wager.offer.cites.clone()),
            (Cause::OddsOff { .. }, _) => wager.works.cites.clone(),
            (Cause::PaysTheStake(_) | Cause::PartsEven(_) | Cause::Unpaid(_), _)
            | (_, Verdict::Won { .. } | Verdict::Credited { .. }) => wager.prizes.cites.clone(),
            _ => wager.offer.cites.clone(),
        }
    }
}

/// A bet with its progress before the roll, the dice, and the step that they caused.
struct Judged<'a> {
    wager: &'a WagerRules,
    progress: Progress,
    phase: Phase,
    dice: Throw,
    step: Step,
}

impl<'a> Judged<'a> {
    fn new(wager: &'a WagerRules, layout: &Board, one: &Explained) -> Judged<'a> {
        let (phase, dice, slot) = (one.phase, one.dice, layout.slot(one.slot));
        // A line bet and its odds are on the table's point, which isn't stored in the bet.
        let on_the_line = slot.front.is_some() || layout.line().contains(one.slot);
        let number = slot.number.or(match phase {
            Phase::Point(point) if on_the_line => Some(point),
            _ => None,
        });
        let standing = number.map(|number| wager.machine.on(number)).filter(|on| *on != Progress::FRESH);
        let progress = standing.unwrap_or(one.bet.progress);
        Judged { wager, progress, phase, dice, step: wager.machine.step(progress, phase, dice) }
    }

    /// Returns what another roll would have done.
    fn on(&self, throw: Throw) -> Step {
        self.wager.machine.step(self.progress, self.phase, throw)
    }

    fn number(&self) -> Option<Total> {
        self.wager.machine.number(self.progress).map(Point::total)
    }

    /// Is it a line or come bet without a number?
    fn is_first_roll(&self) -> bool {
        matches!(self.wager.machine.mechanic, Mechanic::Line { .. }) && self.number().is_none()
    }

    /// Would every roll have decided the bet?
    fn is_one_roll(&self) -> bool {
        Throw::ALL.into_iter().all(|throw| matches!(self.on(throw), Step::Won(_) | Step::Lost | Step::Pushed))
    }

    /// Returns the total, other than seven, on which the bet would have had such a step. None unless there is exactly one.
    fn only_total(&self, is_so: fn(&Step) -> bool) -> Option<Total> {
        let mut totals = Total::ALL.into_iter().filter(|total| {
            let mut throws = Throw::ALL.into_iter().filter(|throw| throw.total() == *total);
            *total != Total::Seven && throws.any(|throw| is_so(&self.on(throw)))
        });
        totals.next().filter(|_| totals.next().is_none())
    }

    fn seven_wins(&self) -> bool {
        Throw::ALL.into_iter().any(|throw| throw.total() == Total::Seven && is_won(&self.on(throw)))
    }

    /// Returns the ways to roll this total that win.
    fn ways(&self) -> Vec<Throw> {
        let same = Throw::ALL.into_iter().filter(|throw| throw.total() == self.dice.total());
        same.filter(|throw| is_won(&self.on(*throw))).collect()
    }

    /// Finds the causes that won and lost bets have in common.
    fn plain(&self) -> Option<Cause> {
        let total = self.dice.total();
        if self.is_first_roll() {
            return Some(Cause::FirstRoll { total, come_out: self.phase == Phase::ComeOut });
        }
        if self.is_one_roll() && self.number().is_none() {
            let is_won = is_won(&self.step);
            return Some(if is_won { Cause::InItsSet(self.dice) } else { Cause::NotInItsSet(self.dice) });
        }
        let number = self.number()?;
        Some(if total == Total::Seven { Cause::SevenFirst(Some(number)) } else { Cause::NumberFirst(number) })
    }

    fn won(&self, rank: String) -> Cause {
        if let Some(cause) = self.plain() {
            return cause;
        }
        let total = self.dice.total();
        let fresh = self.wager.machine.step(Progress::FRESH, self.phase, self.dice);
        let gathers = self.progress != Progress::FRESH && fresh != self.step;
        let all = Throw::ALL.into_iter().filter(|throw| throw.total() == total).count();
        match total {
            Total::Seven if gathers => Cause::Counted(rank),
            Total::Seven => Cause::SevenFirst(self.only_total(is_lost)),
            _ if gathers => Cause::Completed(total),
            _ if self.ways().len() < all => Cause::RightWay(self.dice),
            _ => Cause::NumberFirst(total),
        }
    }

    fn lost(&self) -> Cause {
        if let Some(cause) = self.plain() {
            return cause;
        }
        let (total, ways) = (self.dice.total(), self.ways());
        let fresh = self.wager.machine.step(Progress::FRESH, self.phase, self.dice);
        match total {
            Total::Seven => Cause::SevenFirst(self.only_total(is_won)),
            _ if self.seven_wins() => Cause::NumberFirst(total),
            _ if !ways.is_empty() => Cause::WrongWay { dice: self.dice, wins: ways },
            _ if matches!(fresh, Step::Stand(_)) => Cause::Again(total),
            _ if self.phase == Phase::ComeOut => Cause::FirstRoll { total, come_out: true },
            _ => Cause::Roll(self.dice),
        }
    }
}

fn is_won(step: &Step) -> bool {
    matches!(step, Step::Won(_))
}

fn is_lost(step: &Step) -> bool {
    matches!(step, Step::Lost)
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::FirstRoll { total, come_out } => {
                let craps = if matches!(total, Total::Two | Total::Three | Total::Twelve) { "craps " } else { "" };
                write!(f, "{craps}{total} on {}", if *come_out { "the come-out roll" } else { "its first roll" })
            }
            Cause::NumberFirst(number) => write!(f, "the {number} came before the seven"),
            Cause::SevenFirst(Some(number)) => write!(f, "the seven came before the {number}"),
            Cause::SevenFirst(None) => f.write_str("the seven came first"),
            Cause::WrongWay { dice, wins } => {
                let wins: Vec<String> = wins.iter().map(ToString::to_string).collect();
                write!(f, "the {} came as {dice}, but only {} wins", dice.total(), wins.join(" or "))
            }
            Cause::RightWay(dice) => write!(f, "{dice} came before a seven or any other {}", dice.total()),
            Cause::InItsSet(dice) => write!(f, "it wins on {dice}"),
            Cause::NotInItsSet(dice) => write!(f, "it doesn't win on {dice}"),
            Cause::Completed(total) => write!(f, "the {total} was the last number it needed"),
            Cause::Counted(rank) => write!(f, "the seven ended it at {rank}"),
            Cause::Unpaid(rank) => write!(f, "it ended at {rank}, which pays nothing at this table"),
            Cause::Again(total) => write!(f, "the {total} came again"),
            Cause::Roll(dice) => write!(f, "it loses on {dice}"),
            Cause::Barred(total) => write!(f, "{total} is barred"),
            Cause::Void(dice) => write!(f, "it pushes on {dice}"),
            Cause::OddsOff { called: true } => f.write_str("the odds were turned off when their bet was decided"),
            Cause::OddsOff { called: false } => {
                f.write_str("the odds were off on the come-out roll that decided their bet")
            }
            Cause::PaysTheStake(rank) => write!(f, "{rank} returns the stake"),
            Cause::PartsEven(part) => write!(f, "{part} won what the other parts lost"),
            Cause::FoundNumber(Some(number)) => write!(f, "the {number} is its number now"),
            Cause::FoundNumber(None) => f.write_str("it has its number now"),
            Cause::GoesOn(rank) => write!(f, "{rank} returns the stake, and the bet stays up"),
        }
    }
}
