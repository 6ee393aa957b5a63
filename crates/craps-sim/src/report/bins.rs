//! Groups results into bins of the same width, for histograms.

#![allow(clippy::float_arithmetic, reason = "statistics")]

/// Results from one amount up to the next bin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Bin {
    /// Lowest result in the bin.
    pub(super) from: i64,
    /// Share of sessions.
    pub(super) share: f64,
}

/// A distribution in bins. Zero is always a boundary, so no bin holds both wins and losses.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bins {
    /// Width of a bin.
    pub(super) width: i64,
    /// All bins from the first to the last, including empty ones.
    pub(super) bins: Vec<Bin>,
    /// Share of sessions below the first bin, and above the last.
    pub(super) beyond: (f64, f64),
}

/// Width of a bin if all results are zero: one dollar.
const ALONE: i64 = 100;
/// Share left out at either end, too small to be visible.
const TAIL: f64 = 0.000_5;

/// Groups results into at most `most` bins.
pub(super) fn bins(nets: &[(i64, f64)], most: usize) -> Bins {
    let most = i64::try_from(most.max(2)).unwrap_or(2);
    let (low, high) = middle(nets);
    // If the width isn't a multiple of the step between results, bins hold unequal numbers of them and the chart looks like a comb.
    let step = nets.iter().fold(0, |step, (net, _)| gcd(step, *net));
    let step = if step == 0 { ALONE } else { step };
    let groups = |width: i64| high.div_euclid(width) - low.div_euclid(width) + 1;
    let widths = (0..18).flat_map(|power| [1, 2, 5].map(|digit| digit * 10i64.pow(power)));
    let width = widths.filter_map(|round| step.checked_mul(round)).find(|width| groups(*width) <= most);
    let width = width.unwrap_or(i64::MAX);
    let first = low.div_euclid(width);
    let place = |net: i64| usize::try_from(net.div_euclid(width) - first).ok();
    let mut bins: Vec<Bin> =
        (first..=high.div_euclid(width)).map(|at| Bin { from: at.saturating_mul(width), share: 0.0 }).collect();
    let mut beyond = (0.0, 0.0);
    for (net, share) in nets {
        match place(*net).map(|at| bins.get_mut(at)) {
            Some(Some(bin)) => bin.share += share,
            Some(None) => beyond.1 += share,
            None => beyond.0 += share,
        }
    }
    Bins { width, bins, beyond }
}

/// Returns the lowest and the highest result to draw.
fn middle(nets: &[(i64, f64)]) -> (i64, i64) {
    (reached(nets.iter()), reached(nets.iter().rev()))
}

/// Returns the first result with no more than the tail before it.
fn reached<'a>(mut nets: impl Iterator<Item = &'a (i64, f64)>) -> i64 {
    let mut sum = 0.0;
    let found = nets.find(|(_, share)| {
        sum += share;
        sum > TAIL
    });
    found.map_or(0, |(net, _)| *net)
}

fn gcd(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a.unsigned_abs(), b.unsigned_abs());
    while b != 0 {
        (a, b) = (b, a % b);
    }
    i64::try_from(a).unwrap_or(i64::MAX)
}

impl Bins {
    /// Returns the share of the fullest bin.
    pub(super) fn highest(&self) -> f64 {
        self.bins.iter().map(|bin| bin.share).fold(0.0, f64::max)
    }

    /// Returns where the first bin begins and the last ends.
    pub(super) fn ends(&self) -> (i64, i64) {
        let first = self.bins.first().map_or(0, |bin| bin.from);
        let last = self.bins.last().map_or(0, |bin| bin.from);
        (first, last.saturating_add(self.width))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_a_boundary_and_no_share_is_lost() {
        let nets: Vec<(i64, f64)> = (-50..50).map(|at| (at * 1_000, 0.01)).collect();
        let bins = bins(&nets, 20);
        assert_eq!((bins.width, bins.bins.len()), (5_000, 20));
        assert!(bins.bins.iter().any(|bin| bin.from == 0));
        let sum: f64 = bins.bins.iter().map(|bin| bin.share).sum();
        assert!((sum + bins.beyond.0 + bins.beyond.1 - 1.0).abs() < 1e-12);
        assert!(
            bins.bins.iter().all(|bin| (bin.share - 0.05).abs() < 1e-12),
            "every bin holds the same number of results"
        );
    }

    #[test]
    fn groups_are_multiples_of_the_step_between_results() {
        let nets: Vec<(i64, f64)> = (-20..=20).map(|at| (at * 700, 1.0 / 41.0)).collect();
        for most in [5, 9, 30, 100] {
            assert_eq!(bins(&nets, most).width % 700, 0);
        }
    }

    #[test]
    fn a_rare_fortune_does_not_squeeze_the_rest() {
        let mut nets: Vec<(i64, f64)> = (-10..10).map(|at| (at * 100, 0.049_99)).collect();
        nets.push((10_000_000, 0.000_2));
        let bins = bins(&nets, 40);
        assert_eq!(bins.width, 100);
        assert!((bins.beyond.1 - 0.000_2).abs() < 1e-12);
    }

    #[test]
    fn one_result_is_one_group() {
        let bins = bins(&[(0, 1.0)], 40);
        assert_eq!((bins.bins.len(), bins.ends()), (1, (0, ALONE)));
        assert!(super::bins(&[], 40).highest() < 1e-12);
        let wide = super::bins(&[(i64::MIN / 4, 0.5), (i64::MAX / 4, 0.5)], 3);
        assert!(wide.bins.len() <= 3, "{wide:?}");
    }
}
