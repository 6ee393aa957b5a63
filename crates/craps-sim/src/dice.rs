//! The dice of a simulation: session i of a seed is the same in any order of threads and on any machine.

use craps_dice::{Die, Throw};

/// How many throws are cut out of one random word.
pub(crate) const CUTS: usize = 11;
/// 36 to the eleventh: so many different runs of throws.
const RUNS: u64 = 131_621_703_842_267_136;

/// The 36 ways in which dice fall, the first die changing slowest.
pub const WAYS: [Throw; 36] = {
    let mut all = [Throw::ALL[0]; 36];
    let mut at = 0;
    while at < 36 {
        all[at] = Throw::new(Die::ALL[at / 6], Die::ALL[at % 6]);
        at += 1;
    }
    all
};

/// The stream of one session: xoshiro256++ begun from the seed and the session's number.
#[derive(Debug, Clone)]
pub struct Stream {
    state: [u64; 4],
    ways: [u8; CUTS],
    left: usize,
}

impl Stream {
    /// The stream of a session.
    #[must_use]
    pub fn new(seed: u64, session: u64) -> Stream {
        // SplitMix64 spreads neighbouring seeds and sessions over the whole space.
        let mut at = seed ^ spread(session.wrapping_add(0x9e37_79b9_7f4a_7c15));
        let mut next = || {
            at = at.wrapping_add(0x9e37_79b9_7f4a_7c15);
            spread(at)
        };
        Stream { state: [next(), next(), next(), next()], ways: [0; CUTS], left: 0 }
    }

    /// The next random word.
    #[inline]
    fn word(&mut self) -> u64 {
        let [a, b, c, d] = &mut self.state;
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

    /// A word from which eleven throws can be cut, each of 36 ways equally likely. What would be left after the last cut is known
    /// beforehand, and a word that would favour some runs is thrown away (Lemire's method, many cuts at once).
    #[inline]
    pub(crate) fn fair_word(&mut self) -> u64 {
        loop {
            let word = self.word();
            let rest = word.wrapping_mul(RUNS);
            if rest >= RUNS || rest >= RUNS.wrapping_neg() % RUNS {
                return word;
            }
        }
    }

    /// Eleven throws at once.
    #[inline]
    pub fn eleven(&mut self) -> [u8; CUTS] {
        let mut word = self.fair_word();
        std::array::from_fn(|_| {
            let way;
            (way, word) = cut(word);
            // The high half of a product with 36 is below 36.
            way.to_le_bytes()[0]
        })
    }

    /// The next throw, as one of the 36 ways.
    #[inline]
    pub fn way(&mut self) -> usize {
        if self.left == 0 {
            self.ways = self.eleven();
            self.left = CUTS;
        }
        self.left -= 1;
        usize::from(self.ways[CUTS - 1 - self.left])
    }
}

/// Cuts one of 36 ways off a word: the way, and the word for the next cut.
#[expect(clippy::cast_possible_truncation, reason = "the halves of a product are words")]
#[inline(always)]
pub(crate) const fn cut(word: u64) -> (u64, u64) {
    let wide = word as u128 * 36;
    ((wide >> 64) as u64, wide as u64)
}

const fn spread(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
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

    /// 3.6 million throws: each way within five standard deviations, and each pair of neighbours too.
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
        assert!(pairs.iter().all(|count| count.abs_diff(2_778) < 265), "a pair of ways is favoured");
        assert_eq!(RUNS, 36u64.pow(11));
    }
}
