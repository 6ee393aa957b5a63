//! Hardways: a pair before the same total made any other way, and before a seven.

use super::{Example, Family, Ranks, Wager};
use crate::Mechanic;
use craps_dice::{Hard, ThrowSet, Total, TotalSet};

const fn hardway(slug: &'static str, code: &'static str, hard: Hard, examples: &'static [Example]) -> Wager {
    let wins = ThrowSet::of(&[hard.pair()]);
    let loses = TotalSet::of(&[hard.point().total(), Total::Seven]).throws().without(wins);
    Wager {
        slug,
        code,
        family: Family::Hardway,
        ranks: Ranks::Each(&["win"]),
        mechanic: Mechanic::Race { wins, loses },
        about: "A bet that {n} comes as a pair before it comes any other way and before a seven. It is off on the come-out unless called \
                on, or unless the house says otherwise where it may.",
        examples,
    }
}

pub(super) const HARDWAYS: [Wager; 4] = [
    hardway("hard-4", "H4", Hard::Four, &[("2-2", "win"), ("3-1", "lost"), ("6-1", "lost"), ("6-2", "stands")]),
    hardway("hard-6", "H6", Hard::Six, &[("3-3", "win"), ("4-2", "lost"), ("5-1", "lost"), ("6-1", "lost")]),
    hardway("hard-8", "H8", Hard::Eight, &[("4-4", "win"), ("5-3", "lost"), ("6-2", "lost"), ("6-1", "lost")]),
    hardway("hard-10", "H10", Hard::Ten, &[("5-5", "win"), ("6-4", "lost"), ("6-1", "lost"), ("2-2", "stands")]),
];
