//! Dice of a practice table.

use craps_dice::{Die, Throw};
use rand::rngs::SysRng;
use rand::{RngExt, SeedableRng, TryRng};
use rand_chacha::ChaCha8Rng;

/// Source of a game's dice, as written in its `Dice` tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiceSource {
    /// A seed. Roll n of a seed is the same on every machine, so a game can be continued where it stopped.
    Seed(u64),
    /// Random numbers of the operating system.
    Random,
}

impl DiceSource {
    /// Returns the text of the `Dice` tag.
    pub(crate) fn tag(self) -> String {
        match self {
            DiceSource::Seed(seed) => format!("seed {seed}"),
            DiceSource::Random => "random".to_owned(),
        }
    }

    /// Reads the source from a tag. Any text other than a seed means that the game continues with random dice.
    pub(crate) fn from_tag(tag: Option<&str>) -> DiceSource {
        let seed = tag.and_then(|tag| tag.strip_prefix("seed ")).and_then(|seed| seed.trim().parse().ok());
        seed.map_or(DiceSource::Random, DiceSource::Seed)
    }

    /// Returns the random numbers of a roll: first for its dice, then for anything else that it draws.
    pub(crate) fn roll(self, number: u32) -> Drawn {
        let mut rng = match self {
            DiceSource::Seed(seed) => ChaCha8Rng::seed_from_u64(seed),
            DiceSource::Random => {
                let mut seed = [0; 32];
                // Without the system's random numbers no roll is fair, so don't fall back to a clock or a counter.
                if SysRng.try_fill_bytes(&mut seed).is_err() {
                    return Drawn(None);
                }
                ChaCha8Rng::from_seed(seed)
            }
        };
        rng.set_stream(u64::from(number));
        Drawn(Some(rng))
    }
}

/// Random numbers of one roll. None if the system provides no random numbers.
pub(crate) struct Drawn(Option<ChaCha8Rng>);

impl Drawn {
    /// Draws two dice.
    pub(crate) fn dice(&mut self) -> Option<Throw> {
        let rng = self.0.as_mut()?;
        let mut die = || Die::ALL[rng.random_range(0..6usize)];
        Some(Throw::new(die(), die()))
    }

    /// Draws a number from 0 up to `count`, `count` excluded.
    pub(crate) fn one_of(&mut self, count: usize) -> Option<usize> {
        let rng = self.0.as_mut()?;
        (count > 0).then(|| rng.random_range(0..count))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_one_game_and_each_of_its_rolls_stands_alone() {
        let seven = DiceSource::Seed(7);
        let throws = |source: DiceSource| (1..=200).map(|roll| source.roll(roll).dice().unwrap()).collect::<Vec<_>>();
        assert_eq!(throws(seven), throws(DiceSource::from_tag(Some(&seven.tag()))));
        assert_ne!(throws(seven), throws(DiceSource::Seed(8)));
        assert_ne!(throws(DiceSource::Random), throws(DiceSource::Random));
    }

    /// In 36,000 rolls, each pair of dice comes up within about five standard deviations of its expected count.
    #[test]
    fn no_throw_is_favoured() {
        let mut counts = [0u32; 21];
        for roll in 0..36_000 {
            counts[DiceSource::Seed(1).roll(roll).dice().unwrap().index()] += 1;
        }
        for throw in Throw::ALL {
            let expected = if throw.is_hard() { 1_000 } else { 2_000 };
            let off = counts[throw.index()].abs_diff(expected);
            assert!(off < 220, "{throw}: {} of {expected}", counts[throw.index()]);
        }
    }
}
