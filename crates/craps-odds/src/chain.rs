use craps_dice::{Point, Throw};
use craps_wagers::{Machine, Phase, Progress, Rank, Step};
use std::collections::HashMap;

/// How a bet ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// At a rank; what it is worth is the book's to say.
    Rank(Rank),
    /// Lost.
    Lost,
    /// Void.
    Pushed,
}

/// An end of the chain: how, on which number the bet stood, and how often it had been credited (up to the cap).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// How.
    pub verdict: Verdict,
    /// The number a line or odds bet stood on.
    pub number: Option<Point>,
    /// How often it had been credited; the chain's cap stands for itself and more.
    pub credits: u16,
}

/// How far a bet has come: what it has gathered, and the phase, where the machine can see it.
pub type Start = (Progress, Phase);

/// Where a bet just made begins.
pub(crate) fn fresh(machine: &Machine, number: Option<Point>) -> Start {
    (machine.start(number).unwrap_or_default(), Phase::ComeOut)
}

/// One state: a bet's progress, the phase (where the machine can see it), and how often the bet was credited.
type State = (Progress, Phase, u16);

/// The absorbing chain of one bet, weights in ways out of 36.
#[derive(Debug, Clone)]
pub struct Chain {
    /// From each state to states: where to, in how many ways.
    pub(crate) moves: Vec<Vec<(usize, u32)>>,
    /// From each state to an end.
    pub(crate) ends: Vec<Vec<(End, u32)>>,
    /// From each state, the credits paid on the way: rank and ways.
    pub(crate) credits: Vec<Vec<(Rank, usize, u32)>>,
}

impl Chain {
    /// Explores everything that can become of a bet just made. `credit_cap` is how many credits are told apart.
    ///
    /// ```
    /// use craps_odds::Chain;
    /// use craps_wagers::{Dials, Wager};
    /// // A pass bet just made, and one on each of six numbers.
    /// let machine = Wager::find("pass").unwrap().machine(Dials::default());
    /// assert_eq!(Chain::explore(&machine, None, 0).states(), 7);
    /// ```
    #[must_use]
    pub fn explore(machine: &Machine, number: Option<Point>, credit_cap: u16) -> Chain {
        Chain::explore_from(machine, fresh(machine, number), credit_cap)
    }

    /// Explores everything that can still become of a bet that has come so far.
    #[must_use]
    pub fn explore_from(machine: &Machine, (progress, phase): Start, credit_cap: u16) -> Chain {
        let start = (progress, phase, 0);
        let mut chain = Chain { moves: Vec::new(), ends: Vec::new(), credits: Vec::new() };
        let mut places: HashMap<State, usize> = HashMap::from([(start, 0)]);
        let mut states: Vec<State> = vec![start];
        let mut at = 0;
        while at < states.len() {
            let (progress, phase, credited) = states[at];
            let (mut moves, mut ends, mut credits) = (Vec::new(), Vec::new(), Vec::new());
            for throw in Throw::ALL {
                let next = if machine.sees_phase() { phase.after(throw, machine.dials.points) } else { phase };
                let mut go = |state: State| {
                    let to = *places.entry(state).or_insert_with(|| {
                        states.push(state);
                        states.len() - 1
                    });
                    add(&mut moves, to, throw.ways());
                    to
                };
                let mut end = |verdict| {
                    let end = End { verdict, number: machine.number(progress), credits: credited };
                    add(&mut ends, end, throw.ways());
                };
                match machine.step(progress, phase, throw) {
                    Step::Stand(to) => {
                        go((to, next, credited));
                    }
                    Step::Credited(rank, to) => {
                        let to = go((to, next, (credited + 1).min(credit_cap)));
                        credits.push((rank, to, throw.ways()));
                    }
                    Step::Won(rank) => end(Verdict::Rank(rank)),
                    Step::Lost => end(Verdict::Lost),
                    Step::Pushed => end(Verdict::Pushed),
                }
            }
            chain.moves.push(moves);
            chain.ends.push(ends);
            chain.credits.push(credits);
            at += 1;
        }
        chain
    }

    /// How many states it has.
    #[must_use]
    pub fn states(&self) -> usize {
        self.moves.len()
    }
}

fn add<T: PartialEq>(list: &mut Vec<(T, u32)>, item: T, ways: u32) {
    match list.iter_mut().find(|(known, _)| *known == item) {
        Some((_, sum)) => *sum += ways,
        None => list.push((item, ways)),
    }
}
