use craps_dice::{Point, Throw};
use craps_wagers::{Machine, Phase, Progress, Rank, Step};
use std::collections::HashMap;

/// How a bet ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It is settled at this rank. The book says what the rank pays.
    Rank(Rank),
    /// It loses.
    Lost,
    /// It pushes: the player gets the stake back.
    Pushed,
}

/// One way in which the chain can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct End {
    /// The result of the bet.
    pub verdict: Verdict,
    /// The number that a line or odds bet was on.
    pub number: Option<Point>,
    /// How many times the bet was credited. The chain's cap means that many or more.
    pub credits: u16,
}

/// The state from which a chain starts: the bet's progress and the phase (if the machine looks at it).
pub type Start = (Progress, Phase);

/// Returns the starting state of a new bet.
pub(crate) fn fresh(machine: &Machine, number: Option<Point>) -> Start {
    (machine.start(number).unwrap_or_default(), Phase::ComeOut)
}

/// One state: the bet's progress, the phase (if the machine looks at it), and how many times the bet was credited.
type State = (Progress, Phase, u16);

/// The absorbing Markov chain of one bet. Its weights are ways out of 36.
#[derive(Debug, Clone)]
pub struct Chain {
    /// For each state, the states it can move to, with the ways.
    pub(crate) moves: Vec<Vec<(usize, u32)>>,
    /// For each state, the ends it can reach in one roll, with the ways.
    pub(crate) ends: Vec<Vec<(End, u32)>>,
    /// For each state, the credits it can pay: rank, next state and ways.
    pub(crate) credits: Vec<Vec<(Rank, usize, u32)>>,
}

impl Chain {
    /// Builds the chain of a new bet. Credits are counted up to `credit_cap`.
    ///
    /// ```
    /// use craps_odds::Chain;
    /// use craps_wagers::{Dials, Wager};
    /// // A pass bet has seven states: before a point, and on each of the six points.
    /// let machine = Wager::find("pass").unwrap().machine(Dials::default());
    /// assert_eq!(Chain::explore(&machine, None, 0).states(), 7);
    /// ```
    #[must_use]
    pub fn explore(machine: &Machine, number: Option<Point>, credit_cap: u16) -> Chain {
        Chain::explore_from(machine, fresh(machine, number), credit_cap)
    }

    /// Builds the chain of a bet that is already in the state `start`.
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

    /// The number of states in the chain.
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
