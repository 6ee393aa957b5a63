//! Side bets on what the shooter does.

use super::{Example, Family, Ranks, Wager};
use crate::Mechanic;
use craps_dice::{Total, TotalSet};

const fn side(
    slug: &'static str,
    code: &'static str,
    ranks: Ranks,
    mechanic: Mechanic,
    about: &'static str,
    examples: &'static [Example],
) -> Wager {
    Wager { slug, code, family: Family::Shooter, ranks, mechanic, about, examples }
}

const fn collect(
    slug: &'static str,
    code: &'static str,
    totals: &[Total],
    about: &'static str,
    examples: &'static [Example],
) -> Wager {
    side(slug, code, Ranks::Each(&["win"]), Mechanic::Collect(TotalSet::of(totals)), about, examples)
}

const SMALL: &[Total] = &[Total::Two, Total::Three, Total::Four, Total::Five, Total::Six];
const TALL: &[Total] = &[Total::Eight, Total::Nine, Total::Ten, Total::Eleven, Total::Twelve];
const ALL: &[Total] = &[
    Total::Two,
    Total::Three,
    Total::Four,
    Total::Five,
    Total::Six,
    Total::Eight,
    Total::Nine,
    Total::Ten,
    Total::Eleven,
    Total::Twelve,
];

const ABOUT_SMALL: &str = "A bet that 2, 3, 4, 5 and 6 all come, in any order, before a seven. Every throw counts, come-out or not, and so \
    does every seven.";
const ABOUT_TALL: &str = "A bet that 8, 9, 10, 11 and 12 all come, in any order, before a seven. Every throw counts, come-out or not, and so \
    does every seven.";
const ABOUT_ALL: &str = "A bet that all ten totals other than seven come, in any order, before a seven. Every throw counts, come-out or not, \
    and so does every seven.";
const EX_SMALL: &[Example] =
    &[("1-1 1-2 1-3 1-4 1-5", "win"), ("1-1 1-2 1-3 1-4 6-1", "lost"), ("6-1", "lost"), ("5-1 5-1", "stands")];
const EX_TALL: &[Example] = &[("6-6 6-5 6-4 6-3 6-2", "win"), ("6-6 6-5 6-4 6-3 6-1", "lost"), ("1-1", "stands")];
const EX_ALL: &[Example] = &[
    ("5-1 4-1 6-2 6-3 3-1 6-4 1-2 6-5 6-6 1-1", "win"),
    ("5-1 4-1 6-2 6-3 3-1 6-4 1-2 6-5 6-6 6-1", "lost"),
    ("1-1 1-2 1-3 1-4 1-5", "stands"),
];

pub(super) const SIDE_BETS: [Wager; 12] = [
    side(
        "fire",
        "FIRE",
        Ranks::Counts(6),
        Mechanic::PointsMade,
        "A bet on how many of the six box points the shooter makes at least once before the loser seven. A point made twice counts once; \
         come-out throws do not touch it. Books differ on whether the sixth point ends it.",
        &[
            ("5-1 5-1 6-2 6-2 3-1 3-1 6-4 6-4 4-1 6-1", "4"),
            ("6-1 5-1 5-1 5-1 5-1 6-2 6-2 3-1 3-1 4-1 6-1", "3"),
            ("5-1 6-1", "lost"),
        ],
    ),
    side(
        "sharp-shooter",
        "SHARP",
        Ranks::Counts(10),
        Mechanic::PassesMade { most: 10 },
        "A bet on how many points the shooter makes before the seven-out, repeats and all; the tenth is paid at once. Come-out throws do \
         not count.",
        &[("5-1 5-1 6-2 6-2 5-1 5-1 4-1 6-1", "3"), ("6-1 6-5 5-1 5-1 6-2 6-2 4-1 6-1", "2"), ("5-1 6-1", "lost")],
    ),
    side(
        "ride-the-line",
        "RIDE",
        Ranks::Counts(11),
        Mechanic::LineWins { most: 11 },
        "A bet on how often the pass line wins in one hand: come-out sevens and elevens and points made. It is paid at the seven-out, which \
         itself is not counted.",
        &[
            ("6-1 6-5 5-1 5-1 3-1 6-1", "3"),
            ("6-1 6-1 4-1 6-1", "2"),
            ("1-1 6-6 6-5 6-3 6-1", "1"),
            ("5-1 6-1", "lost"),
        ],
    ),
    collect("bonus-all-small", "SM", SMALL, ABOUT_SMALL, EX_SMALL),
    collect("bonus-all-tall", "TL", TALL, ABOUT_TALL, EX_TALL),
    collect("bonus-make-em-all", "ALL", ALL, ABOUT_ALL, EX_ALL),
    collect("dice-ology-little-ones", "DOL", SMALL, ABOUT_SMALL, EX_SMALL),
    collect("dice-ology-big-ones", "DOB", TALL, ABOUT_TALL, EX_TALL),
    collect("dice-ology-boom-or-bust", "DOX", ALL, ABOUT_ALL, EX_ALL),
    side(
        "hot-roller",
        "HOT",
        Ranks::Counts(6),
        Mechanic::NumbersCompleted,
        "A bet on how many of 4, 5, 6, 8, 9 and 10 come in every combination before a seven: the four needs 1-3 and 2-2, the six 1-5, 2-4 \
         and 3-3. Any seven settles it by the count.",
        &[
            ("1-3 2-2 2-3 4-1 3-6 4-5 6-1", "3"),
            ("1-3 2-2 2-3 4-1 2-6 4-5 6-1", "2"),
            ("1-3 2-2 6-1", "1"),
            ("6-1", "lost"),
        ],
    ),
    side(
        "lucky-shooter",
        "LUCKY",
        Ranks::Levels(&["natural", "1", "2", "3", "4", "5", "5+point"]),
        Mechanic::RunOfNumbers,
        "A bet on a run: after the come-out sets a point, the other five box numbers in any order without a repeat, and then the point \
         again. The first throw that breaks the run settles it. A come-out seven or eleven gives one for one, which is the stake itself, \
         and the bet goes on; come-out craps loses.",
        &[
            ("6-3 6-4 3-1 5-1 6-4", "3"),
            ("6-3 6-4 3-1 5-1 6-2 4-1 6-3", "5+point"),
            ("5-1 6-3 5-1", "1"),
            ("6-1", "credited natural"),
            ("6-6", "lost"),
            ("6-3 6-4 3-1 6-1", "2"),
            ("6-3 6-4 3-1 5-1 6-2 6-6", "4"),
            ("6-3 6-4 3-1 5-1 6-2 4-1 6-1", "5"),
            ("6-1 6-5 5-1 6-3 6-2 4-1 1-1", "3"),
        ],
    ),
    side(
        "hot-shooter-jackpot",
        "JACK",
        Ranks::Counts(50),
        Mechanic::ThrowsSurvived { most: 50 },
        "A bet on how many throws the shooter makes between the come-out that follows the bet and the seven-out. Whether those two throws \
         count themselves is a reading: by the default neither does.",
        &[
            ("5-1 4-1 3-1 6-2 6-3 1-2 6-5 6-4 6-1", "7"),
            ("5-1 4-1 3-1 6-2 6-3 1-2 6-5 6-4 1-1 6-1", "8"),
            ("5-1 5-1 6-1 6-1 6-5 4-1", "stands"),
        ],
    ),
];

#[cfg(test)]
mod tests {
    use crate::{ComeOutSeven, Count, Dials, EndingSeven, Phase, Progress, SixthPoint, Step, Wager};
    use craps_dice::{Throw, Total};

    /// Any throw of each total, for vectors that give totals only.
    fn totals(list: &str) -> String {
        let throw = |total: &str| {
            let total: Total = total.trim().parse().unwrap();
            Throw::ALL.into_iter().find(|throw| throw.total() == total).unwrap().to_string()
        };
        list.split(',').map(throw).collect::<Vec<_>>().join(" ")
    }

    fn tell(slug: &str, dials: Dials, throws: &str) -> String {
        Wager::find(slug).unwrap().tell(dials, throws).unwrap()
    }

    #[test]
    fn fire_waits_for_the_loser_seven_or_ends_on_the_sixth_point() {
        let all_six = "4,4,5,5,6,6,8,8,9,9,10,10";
        let ends = Dials { ends_on_sixth: SixthPoint::Ends, ..Dials::default() };
        assert_eq!(tell("fire", Dials::default(), &totals(all_six)), "stands");
        assert_eq!(tell("fire", Dials::default(), &totals(&format!("{all_six},11,4,7"))), "6");
        assert_eq!(tell("fire", ends, &totals(all_six)), "6");
    }

    #[test]
    fn a_come_out_seven_ends_fire_only_where_any_seven_does() {
        let any = Dials { ends_on_seven: EndingSeven::Any, ..Dials::default() };
        assert_eq!(tell("fire", any, &totals("6,6,7")), "1");
        assert_eq!(tell("fire", Dials::default(), &totals("6,6,7")), "stands");
    }

    #[test]
    fn hot_roller_reads_a_come_out_seven_by_its_dial() {
        let made_four_then_seven = "1-3 2-2 6-1";
        let with = |come_out_seven| Dials { come_out_seven, ..Dials::default() };
        assert_eq!(tell("hot-roller", with(ComeOutSeven::Settles), made_four_then_seven), "1");
        assert_eq!(tell("hot-roller", with(ComeOutSeven::Loses), made_four_then_seven), "lost");
        assert_eq!(tell("hot-roller", with(ComeOutSeven::Ignored), made_four_then_seven), "stands");
    }

    #[test]
    fn all_fourteen_combinations_complete_six_numbers() {
        let all: Vec<String> = Throw::ALL
            .into_iter()
            .filter(|throw| craps_dice::Point::new(throw.total()).is_some_and(craps_dice::Point::is_box))
            .map(|throw| throw.to_string())
            .collect();
        assert_eq!(all.len(), 14);
        assert_eq!(tell("hot-roller", Dials::default(), &format!("{} 6-1", all.join(" "))), "6");
    }

    #[test]
    fn hot_shooter_counts_the_edges_only_when_told_to() {
        let throws = totals("6,5,4,8,9,3,11,10,7");
        let with = |count_come_out, count_seven_out| Dials { count_come_out, count_seven_out, ..Dials::default() };
        assert_eq!(tell("hot-shooter-jackpot", with(Count::Out, Count::Out), &throws), "7");
        assert_eq!(tell("hot-shooter-jackpot", with(Count::In, Count::Out), &throws), "8");
        assert_eq!(tell("hot-shooter-jackpot", with(Count::Out, Count::In), &throws), "8");
        assert_eq!(tell("hot-shooter-jackpot", with(Count::In, Count::In), &throws), "9");
    }

    #[test]
    fn hot_shooter_counts_past_the_top_level_without_wrapping() {
        for (extra, rank) in
            [(7, "7"), (8, "8"), (15, "15"), (16, "16"), (44, "44"), (45, "45"), (50, "50"), (60, "50")]
        {
            let throws = format!("5-1 {}6-1", "1-2 ".repeat(extra));
            assert_eq!(tell("hot-shooter-jackpot", Dials::default(), &throws), rank, "{extra} throws");
        }
    }

    #[test]
    fn sharp_shooter_pays_the_tenth_point_at_once() {
        assert_eq!(tell("sharp-shooter", Dials::default(), &"5-1 ".repeat(20)), "10");
        assert_eq!(tell("sharp-shooter", Dials::default(), &totals("6,6,8,8,4,4,5,5,9,9,4,7")), "5");
    }

    #[test]
    fn ride_the_line_counts_to_eleven_and_is_paid_at_the_seven_out() {
        for wins in [11, 13] {
            assert_eq!(tell("ride-the-line", Dials::default(), &format!("{}3-1 6-1", "6-1 ".repeat(wins))), "11");
        }
        assert_eq!(tell("ride-the-line", Dials::default(), &totals("6,6,8,8,5,5,9,9,4,4,10,10,3,7,6,7")), "7");
    }

    /// Throws for come decisions only: number collections and the count of throws run on, the others do not move.
    #[test]
    fn come_decision_throws_move_only_collections_and_the_throw_count() {
        let seven: Throw = "6-1".parse().unwrap();
        let six: Throw = "5-1".parse().unwrap();
        for (slug, moves) in [
            ("fire", false),
            ("sharp-shooter", false),
            ("ride-the-line", false),
            ("lucky-shooter", false),
            ("bonus-all-small", true),
            ("dice-ology-little-ones", true),
            ("hot-roller", true),
        ] {
            let machine = Wager::find(slug).unwrap().machine(Dials::default());
            let step = |throw| machine.step(Progress::FRESH, Phase::ComeDecisionOnly, throw);
            assert_eq!(step(six) != Step::Stand(Progress::FRESH), moves, "{slug}");
            assert_eq!(step(seven) != Step::Stand(Progress::FRESH), moves, "{slug}");
        }
        let jackpot = Wager::find("hot-shooter-jackpot").unwrap().machine(Dials::default());
        let Step::Stand(started) = jackpot.step(Progress::FRESH, Phase::ComeOut, six) else { unreachable!() };
        let Step::Stand(counted) = jackpot.step(started, Phase::ComeDecisionOnly, seven) else { unreachable!() };
        assert_ne!(started, counted);
    }
}
