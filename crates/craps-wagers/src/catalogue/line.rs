//! Line and come bets, and the odds behind them.

use super::{Example, Family, Ranks, Wager};
use crate::{Front, Mechanic, Side};

const fn line(
    slug: &'static str,
    code: &'static str,
    side: Side,
    about: &'static str,
    examples: &'static [Example],
) -> Wager {
    Wager {
        slug,
        code,
        family: Family::Line,
        ranks: Ranks::Each(&["win"]),
        mechanic: Mechanic::Line(side),
        about,
        examples,
    }
}

const fn odds(
    slug: &'static str,
    code: &'static str,
    side: Side,
    front: &'static str,
    about: &'static str,
    examples: &'static [Example],
) -> Wager {
    let mechanic = Mechanic::Behind(side, Front::Line(front));
    Wager { slug, code, family: Family::Odds, ranks: Ranks::Numbers, mechanic, about, examples }
}

pub(super) const LINES: [Wager; 8] = [
    line(
        "pass",
        "P",
        Side::Right,
        "The bet with the shooter, made before the come-out. A seven or eleven wins at once and craps (2, 3, 12) loses; any other \
         total becomes the point, and then the point wins and a seven loses. In the crapless game every total but seven becomes the \
         point. Once the point is set the bet can no longer come down.",
        &[("5-2", "win"), ("1-1", "lost"), ("4-2 5-1", "win"), ("4-2 6-6 4-3", "lost")],
    ),
    odds(
        "pass-odds",
        "PO",
        Side::Right,
        "pass",
        "Money behind a pass bet once the point is set, paid at true odds when the point comes before a seven. It costs the player \
         nothing, so the house limits it to a multiple of the pass bet.",
        &[("(4) 3-1", "4"), ("(4) 3-4", "lost"), ("(4) 6-6", "stands")],
    ),
    line(
        "dont-pass",
        "DP",
        Side::Wrong,
        "The bet against the shooter, made before the come-out. Craps wins at once but for the barred total, on which the stake goes \
         back, and a seven or eleven loses; after a point is set a seven wins and the point loses. It may come down at any time, \
         because after the point the odds are on its side, and for the same reason it may not go back up.",
        &[("1-1", "win"), ("6-6", "pushed"), ("6-5", "lost"), ("4-2 4-3", "win")],
    ),
    odds(
        "dont-pass-odds",
        "DPO",
        Side::Wrong,
        "dont-pass",
        "Odds laid behind a don't pass bet: more is staked than is won, at the true price. The limit is on what it would win.",
        &[("(10) 6-1", "10"), ("(10) 6-4", "lost")],
    ),
    line(
        "come",
        "C#",
        Side::Right,
        "A pass bet made while a point is on: the next throw is its own come-out. A seven or eleven wins, craps loses, any other total \
         is the number it moves to, and there it wins on the number and loses on a seven.",
        &[("6-5", "win"), ("5-4", "stands"), ("5-4 6-3", "win"), ("5-4 6-1", "lost")],
    ),
    odds(
        "come-odds",
        "C#O",
        Side::Right,
        "come",
        "Money on top of a come bet that has moved to its number, paid at true odds. Where the book has it off on a come-out, a seven \
         then takes the come bet and gives the odds back.",
        &[("(5) 4-1", "5"), ("(5) 5-2", "lost")],
    ),
    line(
        "dont-come",
        "DC#",
        Side::Wrong,
        "A don't pass bet made while a point is on: the next throw is its own come-out. Craps wins but for the barred total, a seven or \
         eleven loses, any other total is its number, and there it wins on a seven and loses on the number.",
        &[("1-2", "win"), ("6-6", "pushed"), ("5-3 3-4", "win"), ("5-3 4-4", "lost")],
    ),
    odds(
        "dont-come-odds",
        "DC#O",
        Side::Wrong,
        "dont-come",
        "Odds laid on a don't come bet that has its number: wins on a seven, loses on the number.",
        &[("(9) 5-2", "9"), ("(9) 5-4", "lost")],
    ),
];

#[cfg(test)]
mod tests {
    use crate::{Bar, Dials, Points, Wager};

    fn tell(slug: &str, dials: Dials, throws: &str) -> String {
        Wager::find(slug).unwrap().tell(dials, throws).unwrap()
    }

    #[test]
    fn in_the_crapless_game_pass_cannot_lose_on_the_come_out() {
        let crapless = Dials { points: Points::AllButSeven, ..Dials::default() };
        for come_out in ["1-1", "1-2", "6-5", "6-6"] {
            assert_eq!(tell("pass", crapless, come_out), "stands");
            assert_eq!(tell("pass", crapless, &format!("{come_out} {come_out}")), "win");
            assert_eq!(tell("pass", crapless, &format!("{come_out} 4-3")), "lost");
        }
        assert_eq!(tell("pass", crapless, "4-3"), "win");
    }

    #[test]
    fn the_barred_total_is_a_dial() {
        for (bar, craps) in [(Bar::Two, "1-1"), (Bar::Three, "1-2"), (Bar::Twelve, "6-6")] {
            let dials = Dials { bar, ..Dials::default() };
            for throw in ["1-1", "1-2", "6-6"] {
                assert_eq!(tell("dont-pass", dials, throw), if throw == craps { "pushed" } else { "win" });
            }
        }
    }
}
