//! Bets that the next throw decides: the field, the propositions and their composites, and hops.

use super::{Example, Family, Ranks, Wager};
use crate::{Mechanic, Part};
use craps_dice::{Die, Throw, ThrowSet, Total, TotalSet};

const fn on(totals: &[Total]) -> ThrowSet {
    TotalSet::of(totals).throws()
}

const fn prop(
    slug: &'static str,
    code: &'static str,
    names: &'static [&'static str],
    sets: &'static [ThrowSet],
    about: &'static str,
    examples: &'static [Example],
) -> Wager {
    Wager {
        slug,
        code,
        family: Family::OneThrow,
        ranks: Ranks::Each(names),
        mechanic: Mechanic::OneThrow(sets),
        about,
        examples,
    }
}

const fn composite(
    slug: &'static str,
    code: &'static str,
    parts: &'static [Part],
    about: &'static str,
    examples: &'static [Example],
) -> Wager {
    let mechanic = Mechanic::Composite(parts);
    Wager { slug, code, family: Family::OneThrow, ranks: Ranks::OfParts, mechanic, about, examples }
}

const fn part(wager: &'static str, units: u8) -> Part {
    Part { wager, units }
}

const WIN: &[&str] = &["win"];

const HORN_HIGH: &str = "A horn of four units with a fifth on {n}: five units, two of them on {n}. Where the layout has no place for it the \
    dealer breaks it into a horn and a bet on the number.";

pub(super) const PROPOSITIONS: [Wager; 17] = [
    prop(
        "field",
        "F",
        &["2", "3", "4", "9", "10", "11", "12"],
        &const {
            [
                on(&[Total::Two]),
                on(&[Total::Three]),
                on(&[Total::Four]),
                on(&[Total::Nine]),
                on(&[Total::Ten]),
                on(&[Total::Eleven]),
                on(&[Total::Twelve]),
            ]
        },
        "A bet that the next throw is 2, 3, 4, 9, 10, 11 or 12. Seven totals win and four lose, but the four fall in 20 of the 36 ways.",
        &[("6-6", "12"), ("5-4", "9"), ("4-2", "lost"), ("5-2", "lost")],
    ),
    prop(
        "any-seven",
        "A7",
        WIN,
        &const { [on(&[Total::Seven])] },
        "A bet that the next throw is a seven.",
        &[("5-2", "win"), ("6-5", "lost")],
    ),
    prop(
        "any-craps",
        "AC",
        WIN,
        &const { [on(&[Total::Two, Total::Three, Total::Twelve])] },
        "A bet that the next throw is craps: 2, 3 or 12.",
        &[("1-1", "win"), ("1-2", "win"), ("6-6", "win"), ("6-5", "lost")],
    ),
    prop(
        "craps-2",
        "N2",
        WIN,
        &const { [on(&[Total::Two])] },
        "A bet that the next throw is a pair of ones.",
        &[("1-1", "win"), ("1-2", "lost")],
    ),
    prop(
        "craps-3",
        "N3",
        WIN,
        &const { [on(&[Total::Three])] },
        "A bet that the next throw is a one and a two.",
        &[("1-2", "win"), ("1-1", "lost")],
    ),
    prop(
        "craps-12",
        "N12",
        WIN,
        &const { [on(&[Total::Twelve])] },
        "A bet that the next throw is a pair of sixes.",
        &[("6-6", "win"), ("6-5", "lost")],
    ),
    prop(
        "eleven",
        "N11",
        WIN,
        &const { [on(&[Total::Eleven])] },
        "A bet that the next throw is eleven: the yo.",
        &[("6-5", "win"), ("6-6", "lost")],
    ),
    composite(
        "c-and-e",
        "CE",
        &[part("any-craps", 1), part("eleven", 1)],
        "Half on any craps and half on eleven, settled as two bets: when one half wins the other is lost.",
        &[("1-1", "part 1"), ("6-5", "part 2"), ("5-2", "lost")],
    ),
    composite(
        "horn",
        "HN",
        &[part("craps-2", 1), part("craps-3", 1), part("eleven", 1), part("craps-12", 1)],
        "A quarter each on 2, 3, 11 and 12, settled as four bets: when one quarter wins the other three are lost.",
        &[("1-1", "part 1"), ("6-6", "part 4"), ("5-2", "lost")],
    ),
    composite(
        "horn-high-2",
        "HH2",
        &[part("craps-2", 2), part("craps-3", 1), part("eleven", 1), part("craps-12", 1)],
        HORN_HIGH,
        &[("1-1", "part 1"), ("1-2", "part 2"), ("5-2", "lost")],
    ),
    composite(
        "horn-high-3",
        "HH3",
        &[part("craps-2", 1), part("craps-3", 2), part("eleven", 1), part("craps-12", 1)],
        HORN_HIGH,
        &[("1-2", "part 2"), ("5-6", "part 3"), ("5-2", "lost")],
    ),
    composite(
        "horn-high-11",
        "HH11",
        &[part("craps-2", 1), part("craps-3", 1), part("eleven", 2), part("craps-12", 1)],
        HORN_HIGH,
        &[("5-6", "part 3"), ("6-6", "part 4"), ("5-2", "lost")],
    ),
    composite(
        "horn-high-12",
        "HH12",
        &[part("craps-2", 1), part("craps-3", 1), part("eleven", 1), part("craps-12", 2)],
        HORN_HIGH,
        &[("6-6", "part 4"), ("1-1", "part 1"), ("5-2", "lost")],
    ),
    composite(
        "whirl",
        "WW",
        &[part("craps-2", 1), part("craps-3", 1), part("eleven", 1), part("craps-12", 1), part("any-seven", 1)],
        "A horn with a fifth unit on any seven, also called world. On a seven one fifth wins and four are lost, which at the usual price \
         of any seven is no gain and no loss.",
        &[("5-2", "part 5"), ("6-5", "part 3"), ("4-2", "lost")],
    ),
    prop(
        "six-seven-eight",
        "S678",
        &["6", "7", "8", "hard-6", "hard-8"],
        &const {
            let (hard_6, hard_8) = (
                ThrowSet::of(&[Throw::new(Die::Three, Die::Three)]),
                ThrowSet::of(&[Throw::new(Die::Four, Die::Four)]),
            );
            [
                on(&[Total::Six]).without(hard_6),
                on(&[Total::Seven]),
                on(&[Total::Eight]).without(hard_8),
                hard_6,
                hard_8,
            ]
        },
        "A bet that the next throw is 6, 7 or 8; a hard six or eight pays more.",
        &[("5-1", "6"), ("6-1", "7"), ("3-3", "hard-6"), ("4-4", "hard-8"), ("5-4", "lost")],
    ),
    prop(
        "over-7",
        "OV7",
        WIN,
        &const { [on(&[Total::Eight, Total::Nine, Total::Ten, Total::Eleven, Total::Twelve])] },
        "A bet that the next throw is above seven. The seven itself loses.",
        &[("5-4", "win"), ("5-2", "lost"), ("1-1", "lost")],
    ),
    prop(
        "under-7",
        "UN7",
        WIN,
        &const { [on(&[Total::Two, Total::Three, Total::Four, Total::Five, Total::Six])] },
        "A bet that the next throw is below seven. The seven itself loses.",
        &[("1-1", "win"), ("5-2", "lost"), ("5-4", "lost")],
    ),
];

const fn hop(
    slug: &'static str,
    code: &'static str,
    sets: &'static [ThrowSet; 1],
    examples: &'static [Example],
) -> Wager {
    Wager {
        slug,
        code,
        family: Family::Hop,
        ranks: Ranks::Each(WIN),
        mechanic: Mechanic::OneThrow(sets),
        about: "A bet that the next throw is exactly {n}, whichever die shows which.",
        examples,
    }
}

const fn dice(one: Die, other: Die) -> [ThrowSet; 1] {
    [ThrowSet::of(&[Throw::new(one, other)])]
}

pub(super) const HOPS: [Wager; 17] = [
    hop("hop-1-3", "HP13", &const { dice(Die::One, Die::Three) }, &[("3-1", "win"), ("2-2", "lost")]),
    hop("hop-1-4", "HP14", &const { dice(Die::One, Die::Four) }, &[("4-1", "win"), ("3-2", "lost")]),
    hop("hop-1-5", "HP15", &const { dice(Die::One, Die::Five) }, &[("5-1", "win"), ("4-2", "lost")]),
    hop("hop-1-6", "HP16", &const { dice(Die::One, Die::Six) }, &[("6-1", "win"), ("5-2", "lost")]),
    hop("hop-2-2", "HP22", &const { dice(Die::Two, Die::Two) }, &[("2-2", "win"), ("3-1", "lost")]),
    hop("hop-2-3", "HP23", &const { dice(Die::Two, Die::Three) }, &[("3-2", "win"), ("4-1", "lost")]),
    hop("hop-2-4", "HP24", &const { dice(Die::Two, Die::Four) }, &[("4-2", "win"), ("3-3", "lost")]),
    hop("hop-2-5", "HP25", &const { dice(Die::Two, Die::Five) }, &[("5-2", "win"), ("4-3", "lost")]),
    hop("hop-2-6", "HP26", &const { dice(Die::Two, Die::Six) }, &[("6-2", "win"), ("5-3", "lost")]),
    hop("hop-3-3", "HP33", &const { dice(Die::Three, Die::Three) }, &[("3-3", "win"), ("4-2", "lost")]),
    hop("hop-3-4", "HP34", &const { dice(Die::Three, Die::Four) }, &[("4-3", "win"), ("5-2", "lost")]),
    hop("hop-3-5", "HP35", &const { dice(Die::Three, Die::Five) }, &[("5-3", "win"), ("4-4", "lost")]),
    hop("hop-3-6", "HP36", &const { dice(Die::Three, Die::Six) }, &[("6-3", "win"), ("5-4", "lost")]),
    hop("hop-4-4", "HP44", &const { dice(Die::Four, Die::Four) }, &[("4-4", "win"), ("5-3", "lost")]),
    hop("hop-4-5", "HP45", &const { dice(Die::Four, Die::Five) }, &[("5-4", "win"), ("6-3", "lost")]),
    hop("hop-4-6", "HP46", &const { dice(Die::Four, Die::Six) }, &[("6-4", "win"), ("5-5", "lost")]),
    hop("hop-5-5", "HP55", &const { dice(Die::Five, Die::Five) }, &[("5-5", "win"), ("6-4", "lost")]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dials, Phase, Progress, Step};

    #[test]
    fn a_hop_wins_on_its_own_throw_and_on_no_other() {
        for hop in HOPS {
            let own: Throw = hop.number_text().parse().unwrap();
            for throw in Throw::ALL {
                let step = hop.machine(Dials::default()).step(Progress::FRESH, Phase::ComeOut, throw);
                assert_eq!(matches!(step, Step::Won(_)), throw == own, "{} on {throw}", hop.slug);
            }
        }
    }

    #[test]
    fn every_one_throw_wager_is_decided_by_every_throw() {
        for wager in PROPOSITIONS.iter().chain(&HOPS) {
            for throw in Throw::ALL {
                let step = wager.machine(Dials::default()).step(Progress::FRESH, Phase::ComeOut, throw);
                assert!(matches!(step, Step::Won(_) | Step::Lost), "{} on {throw}", wager.slug);
            }
        }
    }
}
