//! Bets on a number against the seven: place, buy, lay, big and put, and the odds behind a put bet.

use super::{Family, Ranks, Wager};
use crate::{Front, Mechanic, Side};
use craps_dice::{Point, Total, TotalSet};

const fn race(
    slug: &'static str,
    code: &'static str,
    family: Family,
    side: Side,
    point: Point,
    about: &'static str,
) -> Wager {
    let number = TotalSet::of(&[point.total()]).throws();
    let seven = TotalSet::of(&[Total::Seven]).throws();
    let mechanic = match side {
        Side::Right => Mechanic::Race { wins: number, loses: seven },
        Side::Wrong => Mechanic::Race { wins: seven, loses: number },
    };
    let examples: &'static [(&'static str, &'static str)] = match (point, side) {
        (Point::Two, _) => &[("1-1", "win"), ("2-5", "lost")],
        (Point::Three, _) => &[("1-2", "win"), ("2-5", "lost")],
        (Point::Eleven, _) => &[("5-6", "win"), ("2-5", "lost")],
        (Point::Twelve, _) => &[("6-6", "win"), ("2-5", "lost")],
        (Point::Four, Side::Right) => &[("6-5 3-1", "win"), ("2-5", "lost")],
        (Point::Five, Side::Right) => &[("6-5 3-2", "win"), ("2-5", "lost")],
        (Point::Six, Side::Right) => &[("6-5 4-2", "win"), ("2-5", "lost")],
        (Point::Eight, Side::Right) => &[("6-5 6-2", "win"), ("2-5", "lost")],
        (Point::Nine, Side::Right) => &[("6-5 6-3", "win"), ("2-5", "lost")],
        (Point::Ten, Side::Right) => &[("6-5 6-4", "win"), ("2-5", "lost")],
        (Point::Four, Side::Wrong) => &[("6-5 2-5", "win"), ("3-1", "lost")],
        (Point::Five, Side::Wrong) => &[("6-5 2-5", "win"), ("3-2", "lost")],
        (Point::Six, Side::Wrong) => &[("6-5 2-5", "win"), ("4-2", "lost")],
        (Point::Eight, Side::Wrong) => &[("6-5 2-5", "win"), ("6-2", "lost")],
        (Point::Nine, Side::Wrong) => &[("6-5 2-5", "win"), ("6-3", "lost")],
        (Point::Ten, Side::Wrong) => &[("6-5 2-5", "win"), ("6-4", "lost")],
    };
    Wager { slug, code, family, ranks: Ranks::Each(&["win"]), mechanic, about, examples }
}

const fn place_win(slug: &'static str, code: &'static str, point: Point) -> Wager {
    race(
        slug,
        code,
        Family::PlaceWin,
        Side::Right,
        point,
        "A bet that {n} comes before a seven, made on the number at any time. It pays a little less than the true price, and is off on \
         the come-out unless called on.",
    )
}

const fn place_lose(slug: &'static str, code: &'static str, point: Point) -> Wager {
    race(
        slug,
        code,
        Family::PlaceLose,
        Side::Wrong,
        point,
        "A bet that a seven comes before {n}: more is staked than is won. Whether it is off on the come-out differs between books.",
    )
}

const fn buy(slug: &'static str, code: &'static str, point: Point) -> Wager {
    race(
        slug,
        code,
        Family::Buy,
        Side::Right,
        point,
        "A place bet on {n} paid at the true price, for a commission. When the commission is taken decides what it costs: from wins \
         only is far cheaper than with every bet.",
    )
}

const fn lay(slug: &'static str, code: &'static str, point: Point) -> Wager {
    race(
        slug,
        code,
        Family::Lay,
        Side::Wrong,
        point,
        "A bet against {n} paid at the true price, for a commission. Books differ on whether the commission is a part of the stake or of \
         the win, which on this side is the smaller amount.",
    )
}

const fn big(slug: &'static str, code: &'static str, point: Point) -> Wager {
    race(
        slug,
        code,
        Family::Big,
        Side::Right,
        point,
        "A bet that {n} comes before a seven, paid even. The place bet on the same number pays seven to six for the same event.",
    )
}

const fn put(slug: &'static str, code: &'static str, point: Point) -> Wager {
    race(
        slug,
        code,
        Family::Put,
        Side::Right,
        point,
        "A come bet put straight onto {n} without its first throw: paid even, it has skipped the throw on which it was favoured. Its \
         odds are what can make it worth having.",
    )
}

pub(super) const PLACE_WIN: [Wager; 10] = [
    place_win("place-win-2", "PL2", Point::Two),
    place_win("place-win-3", "PL3", Point::Three),
    place_win("place-win-4", "PL4", Point::Four),
    place_win("place-win-5", "PL5", Point::Five),
    place_win("place-win-6", "PL6", Point::Six),
    place_win("place-win-8", "PL8", Point::Eight),
    place_win("place-win-9", "PL9", Point::Nine),
    place_win("place-win-10", "PL10", Point::Ten),
    place_win("place-win-11", "PL11", Point::Eleven),
    place_win("place-win-12", "PL12", Point::Twelve),
];

pub(super) const PLACE_LOSE: [Wager; 6] = [
    place_lose("place-lose-4", "PX4", Point::Four),
    place_lose("place-lose-5", "PX5", Point::Five),
    place_lose("place-lose-6", "PX6", Point::Six),
    place_lose("place-lose-8", "PX8", Point::Eight),
    place_lose("place-lose-9", "PX9", Point::Nine),
    place_lose("place-lose-10", "PX10", Point::Ten),
];

pub(super) const BUY: [Wager; 10] = [
    buy("buy-2", "BY2", Point::Two),
    buy("buy-3", "BY3", Point::Three),
    buy("buy-4", "BY4", Point::Four),
    buy("buy-5", "BY5", Point::Five),
    buy("buy-6", "BY6", Point::Six),
    buy("buy-8", "BY8", Point::Eight),
    buy("buy-9", "BY9", Point::Nine),
    buy("buy-10", "BY10", Point::Ten),
    buy("buy-11", "BY11", Point::Eleven),
    buy("buy-12", "BY12", Point::Twelve),
];

pub(super) const LAY: [Wager; 6] = [
    lay("lay-4", "LY4", Point::Four),
    lay("lay-5", "LY5", Point::Five),
    lay("lay-6", "LY6", Point::Six),
    lay("lay-8", "LY8", Point::Eight),
    lay("lay-9", "LY9", Point::Nine),
    lay("lay-10", "LY10", Point::Ten),
];

pub(super) const BIG: [Wager; 2] = [big("big-6", "BIG6", Point::Six), big("big-8", "BIG8", Point::Eight)];

pub(super) const PUT: [Wager; 6] = [
    put("put-4", "PUT4", Point::Four),
    put("put-5", "PUT5", Point::Five),
    put("put-6", "PUT6", Point::Six),
    put("put-8", "PUT8", Point::Eight),
    put("put-9", "PUT9", Point::Nine),
    put("put-10", "PUT10", Point::Ten),
];

pub(super) const PUT_ODDS: [Wager; 1] = [Wager {
    slug: "put-odds",
    code: "PUT#O",
    family: Family::Odds,
    ranks: Ranks::Numbers,
    mechanic: Mechanic::Behind(Side::Right, Front::Number("put")),
    about: "Money on top of a put bet, paid at true odds when its number comes before a seven.",
    examples: &[("(6) 5-1", "6"), ("(6) 3-4", "lost")],
}];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Dials, Phase, Progress, Step};
    use craps_dice::Throw;

    /// Right and wrong bets on one number: one wins where the other loses, in every phase.
    #[test]
    fn lay_is_the_mirror_of_buy_and_place_lose_of_place_win() {
        for (right, wrong) in BUY.iter().zip(&PLACE_WIN).flat_map(|(b, p)| {
            let of = |family: &'static [Wager], w: &Wager| {
                family.iter().find(|x| x.number_text() == w.number_text()).copied()
            };
            [(*b, of(&LAY, b)), (*p, of(&PLACE_LOSE, p))]
        }) {
            let Some(wrong) = wrong else { continue };
            for throw in Throw::ALL {
                let step = |w: &Wager| w.machine(Dials::default()).step(Progress::FRESH, Phase::ComeOut, throw);
                match step(&right) {
                    Step::Won(_) => assert_eq!(step(&wrong), Step::Lost),
                    Step::Lost => assert!(matches!(step(&wrong), Step::Won(_))),
                    other => assert_eq!(step(&wrong), other),
                }
            }
        }
    }
}
