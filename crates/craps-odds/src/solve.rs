//! Solves a chain exactly: the expected number of visits to every state, one component at a time.
//!
//! In most chains a state either stays where it is or moves forward, and each state takes one division. Where states can return to
//! one another (at the top count a shooter goes from come-out to point and back), the component is a small linear system.

use crate::chain::{Chain, End, Start, fresh};
use craps_dice::{Point, WAYS};
use craps_wagers::{Machine, Rank};
use dashu_int::UBig;
use dashu_ratio::RBig;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The solution of a chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Solution {
    /// The probability of each end.
    pub ends: BTreeMap<End, RBig>,
    /// The mean number of rolls until the bet is decided.
    pub throws: RBig,
    /// The mean number of credits, by rank.
    pub credits: BTreeMap<Rank, RBig>,
    /// The number of states in the chain.
    pub states: usize,
}

/// Solves chains and caches the solutions, because many books and pay tables share the same machine.
#[derive(Debug, Default)]
pub struct Solver {
    known: HashMap<(Machine, Start, u16), Arc<Solution>>,
}

impl Solver {
    /// Returns the solution for a new bet on this machine.
    ///
    /// ```
    /// use craps_odds::Solver;
    /// use craps_wagers::{Dials, Wager};
    /// let machine = Wager::find("pass").unwrap().machine(Dials::default());
    /// let solution = Solver::default().solve(&machine, None, 0);
    /// assert_eq!(solution.throws.to_string(), "557/165");
    /// ```
    pub fn solve(&mut self, machine: &Machine, number: Option<Point>, credit_cap: u16) -> Arc<Solution> {
        self.solve_from(machine, fresh(machine, number), credit_cap)
    }

    /// Returns the solution for a bet on this machine that is already in the state `start`.
    pub fn solve_from(&mut self, machine: &Machine, start: Start, credit_cap: u16) -> Arc<Solution> {
        let key = (*machine, start, credit_cap);
        let solved = || Arc::new(Chain::explore_from(machine, start, credit_cap).solve());
        Arc::clone(self.known.entry(key).or_insert_with(solved))
    }
}

impl Chain {
    /// Solves the chain.
    #[must_use]
    pub fn solve(&self) -> Solution {
        let visits = self.visits();
        let mut ends = BTreeMap::new();
        let mut credits = BTreeMap::new();
        let mut throws = Sum::default();
        let mut end_sums: BTreeMap<End, Sum> = BTreeMap::new();
        let mut credit_sums: BTreeMap<Rank, Sum> = BTreeMap::new();
        for (state, visit) in visits.iter().enumerate() {
            throws.add(visit, WAYS);
            for (end, ways) in &self.ends[state] {
                end_sums.entry(*end).or_default().add(visit, *ways);
            }
            for (rank, _, ways) in &self.credits[state] {
                credit_sums.entry(*rank).or_default().add(visit, *ways);
            }
        }
        for (end, sum) in end_sums {
            ends.insert(end, sum.mean());
        }
        for (rank, sum) in credit_sums {
            credits.insert(rank, sum.mean());
        }
        Solution { ends, throws: throws.mean(), credits, states: self.states() }
    }

    /// Returns the expected number of visits to each state. The start counts as one visit.
    fn visits(&self) -> Vec<Scaled> {
        let components = self.components();
        let mut inflow: Vec<Sum> = vec![Sum::default(); self.states()];
        let mut visits: Vec<Scaled> = vec![Scaled::zero(); self.states()];
        inflow[0].add(&Scaled::one(), WAYS);
        // In this order no component leads back to an earlier one.
        for component in components.iter().rev() {
            match component[..] {
                [state] => {
                    let stay =
                        self.moves[state].iter().filter(|(to, _)| *to == state).map(|(_, ways)| ways).sum::<u32>();
                    visits[state] = std::mem::take(&mut inflow[state]).over(WAYS - stay);
                }
                _ => self.solve_component(component, &mut inflow, &mut visits),
            }
            for state in component {
                for (to, ways) in &self.moves[*state] {
                    if !component.contains(to) {
                        inflow[*to].add(&visits[*state], *ways);
                    }
                }
            }
        }
        visits
    }

    /// Solves the visits within a component whose states lead to one another: (36 - ways)ᵀ v = 36 × inflow, by exact elimination.
    fn solve_component(&self, component: &[usize], inflow: &mut [Sum], visits: &mut [Scaled]) {
        let place: HashMap<usize, usize> = component.iter().enumerate().map(|(at, state)| (*state, at)).collect();
        let size = component.len();
        let mut rows: Vec<Vec<RBig>> = vec![vec![RBig::ZERO; size + 1]; size];
        for (at, state) in component.iter().enumerate() {
            rows[at][at] += RBig::from(WAYS);
            for (to, ways) in &self.moves[*state] {
                if let Some(to) = place.get(to) {
                    rows[*to][at] -= RBig::from(*ways);
                }
            }
            rows[at][size] = std::mem::take(&mut inflow[*state]).total();
        }
        for pivot in 0..size {
            // The matrix is diagonally dominant and has an exit, so a pivot is never zero after the rows above are cleared.
            let lead = rows[pivot][pivot].clone();
            for cell in &mut rows[pivot][pivot..] {
                *cell /= &lead;
            }
            let pivot_row = rows[pivot].clone();
            for (at, row) in rows.iter_mut().enumerate() {
                if at != pivot && row[pivot] != RBig::ZERO {
                    let factor = row[pivot].clone();
                    for (cell, lead) in row[pivot..].iter_mut().zip(&pivot_row[pivot..]) {
                        *cell -= &factor * lead;
                    }
                }
            }
        }
        for (at, state) in component.iter().enumerate() {
            visits[*state] = Scaled::from(&rows[at][size]);
        }
    }

    /// Returns the strongly connected components, last first (Tarjan's algorithm without recursion).
    fn components(&self) -> Vec<Vec<usize>> {
        const UNSEEN: usize = usize::MAX;
        let count = self.states();
        let (mut index, mut low, mut on_stack) = (vec![UNSEEN; count], vec![0; count], vec![false; count]);
        let (mut stack, mut components, mut next) = (Vec::new(), Vec::new(), 0);
        // Every state can be reached from the start.
        let mut work = vec![(0, 0)];
        while let Some((state, edge)) = work.pop() {
            if edge == 0 {
                index[state] = next;
                low[state] = next;
                next += 1;
                stack.push(state);
                on_stack[state] = true;
            }
            if let Some((to, _)) = self.moves[state].get(edge) {
                work.push((state, edge + 1));
                if index[*to] == UNSEEN {
                    work.push((*to, 0));
                } else if on_stack[*to] {
                    low[state] = low[state].min(index[*to]);
                }
                continue;
            }
            if low[state] == index[state] {
                let mut component = Vec::new();
                while let Some(top) = stack.pop() {
                    on_stack[top] = false;
                    component.push(top);
                    if top == state {
                        break;
                    }
                }
                components.push(component);
            }
            if let Some((parent, _)) = work.last() {
                low[*parent] = low[*parent].min(low[state]);
            }
        }
        components
    }
}

/// A fraction that isn't kept in lowest terms. Denominators here are products of small numbers, so long sums need no greatest common
/// divisors. The result is reduced once, at the end.
#[derive(Debug, Clone)]
struct Scaled {
    numerator: UBig,
    denominator: UBig,
}

impl Scaled {
    fn zero() -> Scaled {
        Scaled { numerator: UBig::ZERO, denominator: UBig::ONE }
    }

    fn one() -> Scaled {
        Scaled { numerator: UBig::ONE, denominator: UBig::ONE }
    }
}

impl From<&RBig> for Scaled {
    fn from(value: &RBig) -> Scaled {
        let (numerator, denominator) = (value.numerator().clone(), value.denominator().clone());
        // Visits are never negative.
        Scaled { numerator: UBig::try_from(numerator).unwrap_or_default(), denominator }
    }
}

/// A sum of visits times ways, grouped by denominator. States reached in the same number of steps share a denominator, so most
/// additions are integer additions.
#[derive(Debug, Clone, Default)]
struct Sum {
    by_denominator: Vec<(UBig, UBig)>,
}

impl Sum {
    fn add(&mut self, visit: &Scaled, ways: u32) {
        let term = &visit.numerator * ways;
        match self.by_denominator.iter_mut().find(|(denominator, _)| *denominator == visit.denominator) {
            Some((_, sum)) => *sum += term,
            None => self.by_denominator.push((visit.denominator.clone(), term)),
        }
    }

    /// Returns the sum in ways.
    fn total(self) -> RBig {
        self.by_denominator
            .into_iter()
            .map(|(denominator, sum)| RBig::from_parts(sum.into(), denominator))
            .fold(RBig::ZERO, |a, b| a + b)
    }

    /// Returns the sum divided by 36.
    fn mean(self) -> RBig {
        self.total() / RBig::from(WAYS)
    }

    /// Returns the visits to a state with this inflow that is left in `leave` of 36 ways.
    fn over(self, leave: u32) -> Scaled {
        let value = self.total() / RBig::from(leave);
        Scaled::from(&value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::Verdict;

    /// A chain whose states return to one another with unequal weights, which no wager has: t0 = 1 + 10/36 t1,
    /// t1 = 1 + 20/36 t0 + 6/36 t2, t2 = 1 + 1/36 t0 + 5/36 t2. By hand, t0 = 13374/8479.
    #[test]
    fn a_lopsided_loop_is_solved_the_right_way_round() {
        let lost = End { verdict: Verdict::Lost, number: None, credits: 0 };
        let chain = Chain {
            moves: vec![vec![(1, 10)], vec![(0, 20), (2, 6)], vec![(0, 1), (2, 5)]],
            ends: vec![vec![(lost, 26)], vec![(lost, 10)], vec![(lost, 30)]],
            credits: vec![Vec::new(); 3],
        };
        let solution = chain.solve();
        assert_eq!(solution.throws.to_string(), "13374/8479");
        assert_eq!(solution.ends[&lost], RBig::ONE);
    }

    #[test]
    fn components_come_last_first_and_hold_every_state_once() {
        let machine = craps_wagers::Wager::find("fire").map(|wager| wager.machine(craps_wagers::Dials::default()));
        let chain = Chain::explore(&machine.unwrap(), None, 0);
        let components = chain.components();
        let mut place = vec![usize::MAX; chain.states()];
        for (at, component) in components.iter().enumerate() {
            for state in component {
                assert_eq!(std::mem::replace(&mut place[*state], at), usize::MAX);
            }
        }
        for (from, moves) in chain.moves.iter().enumerate() {
            assert!(
                moves.iter().all(|(to, _)| place[*to] <= place[from]),
                "a move from {from} goes to a later component"
            );
        }
        assert!(components.iter().map(Vec::len).max() == Some(7), "come-out and six points");
    }
}
