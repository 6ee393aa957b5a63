use dashu_ratio::RBig;
use std::collections::BTreeMap;

/// One net result per unit staked, and how likely it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The net result per unit staked: -1 for a lost bet.
    pub net: RBig,
    /// True if the result is `net` or more. This happens only with a bet that can be credited any number of times.
    pub or_more: bool,
    /// The probability of this result.
    pub p: RBig,
}

/// All figures of one priced wager.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Analysis {
    /// The chance that the wager nets a win.
    pub p_win: RBig,
    /// The chance that it nets a loss.
    pub p_lose: RBig,
    /// The chance that it nets zero.
    pub p_push: RBig,
    /// The house edge per unit staked. It is negative if the wager favors the player.
    pub edge: RBig,
    /// The house edge per bet that doesn't push.
    pub edge_resolved: RBig,
    /// The house edge per roll on which the wager works.
    pub edge_per_throw: RBig,
    /// The mean number of rolls on which the wager works.
    pub throws_mean: RBig,
    /// The variance of the net result per unit staked.
    pub variance: RBig,
    /// The distribution of the net result, lowest first.
    pub distribution: Vec<Outcome>,
    /// The number of states in the chain that was solved.
    pub states: usize,
}

impl Analysis {
    /// Computes all figures from the net results, their moments and the length of the bet.
    pub(crate) fn new(
        nets: BTreeMap<(RBig, bool), RBig>,
        mean: RBig,
        second: RBig,
        throws_mean: RBig,
        states: usize,
    ) -> Analysis {
        let chance = |keep: fn(&RBig) -> bool| {
            nets.iter().filter(|((net, _), _)| keep(net)).fold(RBig::ZERO, |sum, (_, p)| sum + p)
        };
        let p_win = chance(|net| *net > RBig::ZERO);
        let p_lose = chance(|net| *net < RBig::ZERO);
        let p_push = chance(|net| *net == RBig::ZERO);
        let edge = -mean.clone();
        let resolved = RBig::ONE - &p_push;
        let edge_resolved = if resolved == RBig::ZERO { RBig::ZERO } else { &edge / resolved };
        let edge_per_throw = &edge / &throws_mean;
        let variance = second - mean.clone() * mean;
        let distribution = nets.into_iter().map(|((net, or_more), p)| Outcome { net, or_more, p }).collect();
        Analysis {
            p_win,
            p_lose,
            p_push,
            edge,
            edge_resolved,
            edge_per_throw,
            throws_mean,
            variance,
            distribution,
            states,
        }
    }

    /// Combines analyses of one wager under several pay tables, each used with the given chance. The choice must not depend on the dice.
    ///
    /// ```
    /// # use craps_law::Library;
    /// # let library = Library::shipped();
    /// use craps_odds::{Analysis, RBig, Solver, price};
    /// let half = RBig::from_parts(1.into(), 2u8.into());
    /// let mut solver = Solver::default();
    /// let mut edge = |name: &str| Ok::<_, craps_law::NoSuchOffering>(price(&mut solver, &library.named("nj").unwrap().offering(name, None)?));
    /// let mixed = Analysis::mixture(&[(edge("hard-4")?, half.clone()), (edge("hard-10")?, half)]);
    /// assert_eq!(mixed.edge, edge("hard-4")?.edge);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// If `parts` is empty.
    #[must_use]
    pub fn mixture(parts: &[(Analysis, RBig)]) -> Analysis {
        let mut nets: BTreeMap<(RBig, bool), RBig> = BTreeMap::new();
        let (mut mean, mut second) = (RBig::ZERO, RBig::ZERO);
        for (part, chance) in parts {
            mean -= &part.edge * chance;
            second += (&part.variance + &part.edge * &part.edge) * chance;
            for outcome in &part.distribution {
                *nets.entry((outcome.net.clone(), outcome.or_more)).or_default() += &outcome.p * chance;
            }
        }
        let first = &parts[0].0;
        Analysis::new(nets, mean, second, first.throws_mean.clone(), first.states)
    }

    /// Returns true if the wager favors the player.
    #[must_use]
    pub fn favours_player(&self) -> bool {
        self.edge < RBig::ZERO
    }
}
