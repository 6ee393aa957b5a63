//! Everything that a simulation draws by lot follows from its seed.

use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::sync::{Mutex, PoisonError};

/// A source of lots.
pub struct Chance(Mutex<ChaCha8Rng>);

impl Chance {
    pub fn of(seed: u64) -> Chance {
        Chance(Mutex::new(ChaCha8Rng::seed_from_u64(seed)))
    }

    fn with<T>(&self, draw: impl FnOnce(&mut ChaCha8Rng) -> T) -> T {
        draw(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Draws a number below `end`.
    pub fn below(&self, end: u64) -> u64 {
        self.with(|rng| rng.random_range(0..end.max(1)))
    }

    /// Draws a number from `from` on and below `end`.
    pub fn between(&self, from: u64, end: u64) -> u64 {
        from + self.below(end - from)
    }

    /// Happens once in `often` draws. Never if `often` is 0.
    pub fn one_in(&self, often: u64) -> bool {
        often > 0 && self.below(often) == 0
    }

    pub fn pick<'a, T>(&self, all: &'a [T]) -> &'a T {
        let at = usize::try_from(self.below(all.len() as u64)).unwrap_or_default();
        &all[at]
    }
}

/// Gives the library its random numbers. They follow from the seed too.
pub fn source(seed: u64) -> impl FnMut(&mut [u8]) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x5eed_5eed_5eed_5eed);
    move |bytes| rng.fill_bytes(bytes)
}
