//! The dice of a simulation. Session i of a seed rolls the same dice in any order of threads and on any machine.

use craps_dice::{Die, Throw};

/// Rolls drawn from two random words.
pub(crate) const ROUND: u32 = 16;
/// 36 to the fourth: the number of different runs of four rolls that are cut from 32 bits.
const RUNS: u32 = 1_679_616;
/// Smallest allowed remainder after the fourth cut. Smaller remainders come up more often after some runs than after others.
const FAIR: u32 = RUNS.wrapping_neg() % RUNS;

/// The 36 dice combinations. The first die changes slowest.
pub const WAYS: [Throw; 36] = {
    let mut all = [Throw::ALL[0]; 36];
    let mut at = 0;
    while at < 36 {
        all[at] = Throw::new(Die::ALL[at / 6], Die::ALL[at % 6]);
        at += 1;
    }
    all
};

/// The dice of one session: xoshiro256++ started from the seed and the session's number.
#[derive(Debug, Clone)]
pub struct Stream {
    state: [u64; 4],
    ways: [u8; ROUND as usize],
    /// Index of the next roll in `ways`.
    next: usize,
}

impl Stream {
    /// Creates the stream of a session.
    ///
    /// ```
    /// use craps_sim::dice::{Stream, WAYS};
    /// let (mut one, mut same) = (Stream::new(7, 0), Stream::new(7, 0));
    /// assert_eq!(WAYS[one.way()], WAYS[same.way()]);
    /// ```
    #[must_use]
    pub fn new(seed: u64, session: u64) -> Stream {
        // SplitMix64. Each session uses four numbers of its own.
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut at = spread(seed).wrapping_add(session.wrapping_mul(STEP.wrapping_mul(4)));
        let mut next = || {
            at = at.wrapping_add(STEP);
            spread(at)
        };
        Stream { state: [next(), next(), next(), next()], ways: [0; ROUND as usize], next: ROUND as usize }
    }

    /// Draws sixteen rolls at once. All 36 dice combinations are equally likely.
    #[inline(never)]
    fn sixteen(&mut self) {
        let parts = self.fair_fractions();
        for (ways, mut part) in self.ways.chunks_exact_mut(4).zip(parts) {
            for way in ways {
                // Always below 36.
                [*way, _] = cut(&mut part, 36).to_le_bytes();
            }
        }
        self.next = 0;
    }

    /// Returns the next roll as an index into [`WAYS`].
    #[inline]
    pub fn way(&mut self) -> usize {
        if self.next == self.ways.len() {
            self.sixteen();
        }
        let way = self.ways[self.next % self.ways.len()];
        self.next += 1;
        usize::from(way)
    }

    /// Draws four fractions, each good for four rolls. Fractions that would favor some runs are rejected (Lemire's method, four cuts at once).
    #[inline]
    fn fair_fractions(&mut self) -> [u32; 4] {
        let [a, b, c, d] = &mut self.state;
        loop {
            let parts = fractions([next(a, b, c, d), next(a, b, c, d)]);
            if are_fair(parts) {
                return parts;
            }
        }
    }
}

/// Returns the next random word.
#[inline(always)]
const fn next(a: &mut u64, b: &mut u64, c: &mut u64, d: &mut u64) -> u64 {
    let word = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
    let shifted = *b << 17;
    *c ^= *a;
    *d ^= *b;
    *b ^= *c;
    *a ^= *d;
    *c ^= shifted;
    *d = d.rotate_left(45);
    word
}

/// Returns the four quarters of a word, the lowest first.
#[expect(clippy::cast_possible_truncation, reason = "takes a quarter on purpose")]
#[inline(always)]
const fn quarters(word: u64) -> [u16; 4] {
    [word as u16, (word >> 16) as u16, (word >> 32) as u16, (word >> 48) as u16]
}

/// Combines two words into four binary fractions: the upper halves come from the first word, the lower halves from the second.
#[inline]
fn fractions([upper, lower]: [u64; 2]) -> [u32; 4] {
    let (upper, lower) = (quarters(upper), quarters(lower));
    std::array::from_fn(|at| u32::from(upper[at]) << 16 | u32::from(lower[at]))
}

/// Returns true if the remainder of each fraction after four cuts is large enough. It can be computed before cutting.
#[inline]
fn are_fair(parts: [u32; 4]) -> bool {
    parts.iter().all(|part| part.wrapping_mul(RUNS) >= FAIR)
}

/// Cuts a number below `ways` off a fraction, and leaves the remainder in it for the next cut.
#[expect(clippy::cast_possible_truncation, reason = "the halves of a product")]
#[inline(always)]
const fn cut(fraction: &mut u32, ways: u16) -> u16 {
    let wide = *fraction as u64 * ways as u64;
    *fraction = wide as u32;
    (wide >> 32) as u16
}

const fn spread(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Number of sessions played side by side.
pub(crate) const LANES: usize = 16;
const PARTS: usize = 4 * LANES;

/// The streams of several sessions side by side. They give the same rolls as each stream by itself, two per cut. Plain arrays of 16-bit numbers,
/// so that compilers turn them into vector code.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(crate) struct Streams {
    state: [[u64; LANES]; 4],
    words: [[u64; LANES]; 2],
    /// The first and the second pair of rolls from each of the four fractions of each lane.
    pairs: [[u16; PARTS]; 2],
}

impl Streams {
    pub(crate) const fn new() -> Streams {
        Streams { state: [[1; LANES]; 4], words: [[0; LANES]; 2], pairs: [[0; PARTS]; 2] }
    }

    /// Starts the stream of a session in a lane and draws its first sixteen rolls.
    #[inline]
    pub(crate) fn begin(&mut self, lane: usize, mut stream: Stream) {
        for (at, mut part) in stream.fair_fractions().into_iter().enumerate() {
            for pairs in &mut self.pairs {
                pairs[4 * lane + at] = cut(&mut part, 36 * 36);
            }
        }
        for (lanes, state) in self.state.iter_mut().zip(stream.state) {
            lanes[lane] = state;
        }
    }

    /// Returns pair `number` of a lane's last sixteen rolls: 36 times the first dice combination plus the second.
    #[inline(always)]
    pub(crate) const fn pair(&self, lane: usize, number: usize) -> u16 {
        self.pairs[number % 2][4 * lane + number / 2]
    }

    /// Draws the next sixteen rolls of every lane.
    pub(crate) fn draw(&mut self) {
        self.draw_words();
        if self.cut() {
            self.draw_again();
            self.cut();
        }
    }

    #[inline(never)]
    fn draw_words(&mut self) {
        let ([a, b, c, d], [upper, lower]) = (&mut self.state, &mut self.words);
        for lane in 0..LANES {
            upper[lane] = next(&mut a[lane], &mut b[lane], &mut c[lane], &mut d[lane]);
            lower[lane] = next(&mut a[lane], &mut b[lane], &mut c[lane], &mut d[lane]);
        }
    }

    /// Cuts the pairs. Returns true if the draw of some lane might favor some runs.
    #[inline(never)]
    fn cut(&mut self) -> bool {
        let [mut upper, mut lower] = [[0; PARTS]; 2];
        for lane in 0..LANES {
            let parts = 4 * lane..4 * lane + 4;
            upper[parts.clone()].copy_from_slice(&quarters(self.words[0][lane]));
            lower[parts].copy_from_slice(&quarters(self.words[1][lane]));
        }
        let [first, second] = &mut self.pairs;
        let mut unfair = 0;
        for part in 0..PARTS {
            let (one, high, low) = cut_pair(upper[part], lower[part]);
            let (other, high, _) = cut_pair(high, low);
            (first[part], second[part]) = (one, other);
            // Comparing the upper half is nearly always enough.
            unfair |= u16::from(high <= const { quarters(FAIR as u64)[1] }).wrapping_neg();
        }
        unfair != 0
    }

    /// Draws again in the lanes whose draw favors some runs.
    #[cold]
    fn draw_again(&mut self) {
        let ([a, b, c, d], [upper, lower]) = (&mut self.state, &mut self.words);
        for lane in 0..LANES {
            while !are_fair(fractions([upper[lane], lower[lane]])) {
                upper[lane] = next(&mut a[lane], &mut b[lane], &mut c[lane], &mut d[lane]);
                lower[lane] = next(&mut a[lane], &mut b[lane], &mut c[lane], &mut d[lane]);
            }
        }
    }
}

/// Cuts a pair of rolls off a fraction given in two halves. Returns the pair and the halves for the next cut.
#[inline(always)]
const fn cut_pair(upper: u16, lower: u16) -> (u16, u16, u16) {
    let ((pair, high), (carried, low)) = (times_1296(upper), times_1296(lower));
    let sum = high.wrapping_add(carried);
    (pair + (sum < high) as u16, sum, low)
}

/// Returns the upper and lower half of the product with 36 times 36.
#[inline(always)]
const fn times_1296(part: u16) -> (u16, u16) {
    (((part as u32 * 1_296) >> 16) as u16, part.wrapping_mul(1_296))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_has_its_own_stream_and_always_the_same() {
        let throws = |seed, session| {
            let mut stream = Stream::new(seed, session);
            (0..100).map(|_| stream.way()).collect::<Vec<_>>()
        };
        assert_eq!(throws(7, 3), throws(7, 3));
        assert_ne!(throws(7, 3), throws(7, 4));
        assert_ne!(throws(7, 3), throws(8, 3));
    }

    /// Over 3.6 million rolls, each dice combination and each pair of consecutive ones is within five standard deviations.
    #[test]
    fn every_way_and_every_pair_of_ways_is_as_likely_as_another() {
        let mut stream = Stream::new(1, 1);
        let (mut single, mut pairs) = ([0u32; 36], vec![0u32; 1296]);
        let mut before = stream.way();
        for _ in 0..3_600_000 {
            let way = stream.way();
            single[way] += 1;
            pairs[before * 36 + way] += 1;
            before = way;
        }
        assert!(single.iter().all(|count| count.abs_diff(100_000) < 1_560), "{single:?}");
        assert!(pairs.iter().all(|count| count.abs_diff(2_778) < 265), "a pair of dice combinations is favored");
        assert_eq!(RUNS, 36u32.pow(4));
    }

    /// Every run of four rolls is cut from the same number of fractions, once those with a small remainder are rejected.
    #[test]
    fn what_is_thrown_away_makes_every_run_as_likely_as_another() {
        let kept = |run: u64| {
            // The fractions that give a run lie between two quotients.
            let from = |run: u64| (run << 32).div_ceil(u64::from(RUNS));
            (from(run)..from(run + 1)).filter(|part| (part * u64::from(RUNS)) & 0xffff_ffff >= u64::from(FAIR)).count()
        };
        for run in (0..u64::from(RUNS)).step_by(997).chain([0, 1, u64::from(RUNS) - 1]) {
            assert_eq!(kept(run), 2_557, "run {run}");
        }
    }

    /// Long enough that some draws are rejected. Side by side the rolls are the same as alone.
    #[test]
    fn side_by_side_the_throws_are_those_of_each_stream() {
        let mut alone: Vec<Stream> = (0..LANES as u64).map(|session| Stream::new(5, session)).collect();
        let mut streams = Streams::new();
        for (lane, stream) in alone.iter().enumerate() {
            streams.begin(lane, stream.clone());
        }
        let mut again = 0;
        for round in 0..3_000 {
            for (lane, stream) in alone.iter_mut().enumerate() {
                stream.sixteen();
                for (number, ways) in stream.ways.chunks_exact(2).enumerate() {
                    let pair = u16::from(ways[0]) * 36 + u16::from(ways[1]);
                    assert_eq!(streams.pair(lane, number), pair, "round {round}, lane {lane}");
                }
            }
            streams.draw_words();
            if streams.cut() {
                let words = streams.words;
                streams.draw_again();
                streams.cut();
                again += usize::from(words != streams.words);
            }
        }
        assert!(again > 0, "no draw was rejected");
    }
}
