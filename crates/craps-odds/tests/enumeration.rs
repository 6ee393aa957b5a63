//! Compares `Machine::step` with the reference model, which was written from `docs/rules.md` and shares no code with it.
//!
//! Every wager, in every reading, is tested on all short sequences of rolls. Side bets are also tested on all longer sequences of a
//! few chosen rolls, and on long random sequences with few sevens. The two must agree after every roll. The number of ways in which a
//! bet is decided within n rolls must also match the number found by merging equal states, as the solver does.

mod reference;

use craps_dice::{Point, Throw, Total, TotalSet};
use craps_wagers::{
    Bar, Catalogue, ComeOutSeven, Count, Dials, EndingSeven, Family, Machine, Mechanic, Phase, Points, Progress,
    SixthPoint, Step, Wager, WagerId,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::{Dice, Reading, Rules, Ruling, Said, rank_name, rules};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// One wager in one reading, on one number if it needs one.
struct Case {
    wager: &'static Wager,
    number: Option<Point>,
    dials: Dials,
    reading: Reading,
    machine: Machine,
    rules: Rules,
}

impl Case {
    fn new(wager: &'static Wager, number: Option<Point>, dials: Dials) -> Case {
        let reading = Reading {
            crapless: dials.points == Points::AllButSeven,
            bar: dials.bar.totals().iter().map(|total| total.value()).sum(),
            fire_any_seven: dials.ends_on_seven == EndingSeven::Any,
            fire_sixth_ends: dials.ends_on_sixth == SixthPoint::Ends,
            hot_roller: match dials.come_out_seven {
                ComeOutSeven::Settles => reference::ComeOutSeven::Settles,
                ComeOutSeven::Loses => reference::ComeOutSeven::Loses,
                ComeOutSeven::Ignored => reference::ComeOutSeven::Ignored,
            },
            count_come_out: dials.count_come_out == Count::In,
            count_seven_out: dials.count_seven_out == Count::In,
        };
        Case { wager, number, dials, reading, machine: wager.machine(dials), rules: rules(wager.slug) }
    }

    fn judge(&self, throws: &[Dice]) -> Ruling {
        (self.rules)(&self.reading, self.number.map(Point::value), throws)
    }

    fn start(&self) -> Progress {
        self.machine.start(self.number).expect("a bet can be made")
    }

    fn is_side_bet(&self) -> bool {
        self.wager.family == Family::Shooter
    }

    /// Converts a step to the reference's types: the verdict, and the progress and new credits if the bet stays up.
    fn said(&self, step: Step) -> (Said, Option<(Progress, usize)>) {
        match step {
            Step::Stand(to) => (Said::Open, Some((to, 0))),
            Step::Credited(rank, to) => {
                assert_eq!(self.wager.ranks.name(rank), "natural", "{}", self.wager.slug);
                (Said::Open, Some((to, 1)))
            }
            Step::Won(rank) => (Said::Won(leak(rank_name(self.wager, rank))), None),
            Step::Lost => (Said::Lost, None),
            Step::Pushed => (Said::Pushed, None),
        }
    }
}

/// Leaks a rank name so that verdicts can be compared without copying. There are only a few rank names.
fn leak(name: String) -> &'static str {
    thread_local! {
        static KNOWN: std::cell::RefCell<BTreeSet<&'static str>> = const { std::cell::RefCell::new(BTreeSet::new()) };
    }
    KNOWN.with_borrow_mut(|known| match known.get(name.as_str()) {
        Some(kept) => kept,
        None => {
            let kept: &'static str = name.leak();
            known.insert(kept);
            kept
        }
    })
}

/// Returns every reading in which the model defines a wager. Don't bets, Sharp Shooter, Ride The Line and Lucky Shooter don't
/// exist in the crapless game.
fn readings(wager: &Wager) -> Vec<Dials> {
    let plain = Dials::default();
    let mut all = match wager.slug {
        "dont-pass" | "dont-come" => {
            let barred = |total| Dials { bar: Bar::on(TotalSet::of(&[total])), ..plain };
            return [Total::Two, Total::Three, Total::Twelve].map(barred).to_vec();
        }
        "sharp-shooter" | "ride-the-line" | "lucky-shooter" => return vec![plain],
        "fire" => [
            (EndingSeven::Loser, SixthPoint::Waits),
            (EndingSeven::Loser, SixthPoint::Ends),
            (EndingSeven::Any, SixthPoint::Waits),
            (EndingSeven::Any, SixthPoint::Ends),
        ]
        .map(|(ends_on_seven, ends_on_sixth)| Dials { ends_on_seven, ends_on_sixth, ..plain })
        .to_vec(),
        "hot-roller" => [ComeOutSeven::Settles, ComeOutSeven::Loses, ComeOutSeven::Ignored]
            .map(|come_out_seven| Dials { come_out_seven, ..plain })
            .to_vec(),
        "hot-shooter-jackpot" => {
            [(Count::Out, Count::Out), (Count::Out, Count::In), (Count::In, Count::Out), (Count::In, Count::In)]
                .map(|(count_come_out, count_seven_out)| Dials { count_come_out, count_seven_out, ..plain })
                .to_vec()
        }
        _ => vec![plain],
    };
    for at in 0..all.len() {
        all.push(Dials { points: Points::AllButSeven, ..all[at] });
    }
    all
}

fn cases() -> Vec<Case> {
    let mut all = Vec::new();
    for wager in Catalogue::built_in().all().map(WagerId::wager) {
        for dials in readings(wager) {
            let numbers: Vec<Option<Point>> = match wager.slug {
                "pass-odds" | "come-odds" => dials.points.all().iter().copied().map(Some).collect(),
                slug if slug.ends_with("-odds") => Point::BOX.map(Some).to_vec(),
                _ => vec![None],
            };
            all.extend(numbers.into_iter().map(|number| Case::new(wager, number, dials)));
        }
    }
    all
}

fn dice(throw: Throw) -> Dice {
    (throw.low().pips(), throw.high().pips())
}

/// For each roll n, the ways out of 36^n in which a bet is decided on that roll, by verdict and credits.
type Decided = Vec<BTreeMap<(Said, usize), u64>>;

/// Walks all sequences of these rolls, compares every prefix with the reference, and counts the ways.
struct Walk<'a> {
    case: &'a Case,
    alphabet: &'a [Throw],
    depth: usize,
    throws: Vec<Dice>,
    decided: Decided,
    prefixes: u64,
}

impl<'a> Walk<'a> {
    fn of(case: &'a Case, alphabet: &'a [Throw], depth: usize) -> Walk<'a> {
        let mut walk =
            Walk { case, alphabet, depth, throws: Vec::new(), decided: vec![BTreeMap::new(); depth], prefixes: 0 };
        assert_eq!(case.judge(&[]), Ruling { said: Said::Open, throws: 0, credits: 0 });
        walk.on(case.start(), Phase::ComeOut, 0, 1);
        walk
    }

    fn on(&mut self, progress: Progress, phase: Phase, credits: usize, ways: u64) {
        for throw in self.alphabet {
            let ways = ways * u64::from(throw.ways());
            self.throws.push(dice(*throw));
            self.prefixes += 1;
            let (said, next) = self.case.said(self.case.machine.step(progress, phase, *throw));
            let credits = credits + next.map_or(0, |(_, credited)| credited);
            let expected = self.case.judge(&self.throws);
            let found = Ruling { said, throws: self.throws.len(), credits };
            let Case { wager, number, dials, .. } = self.case;
            assert_eq!(found, expected, "{} {number:?} with {dials:?} after {:?}", wager.slug, self.throws);
            match next {
                Some((to, _)) if self.throws.len() < self.depth => {
                    self.on(to, phase.after(*throw, dials.points), credits, ways);
                }
                Some(_) => {}
                None => *self.decided[self.throws.len() - 1].entry((said, credits)).or_default() += ways,
            }
            self.throws.pop();
        }
    }
}

/// Counts the same ways by merging equal states after every roll, as the solver's chain does.
fn merged(case: &Case, depth: usize) -> Decided {
    let mut states: HashMap<(Progress, Phase, usize), u64> = HashMap::from([((case.start(), Phase::ComeOut, 0), 1)]);
    let mut all = Vec::new();
    for _ in 0..depth {
        let mut after = HashMap::new();
        let mut decided = BTreeMap::new();
        for ((progress, phase, credits), ways) in states {
            // A machine that doesn't look at the phase is solved without it.
            for throw in Throw::ALL {
                let next = if case.machine.sees_phase() { phase.after(throw, case.dials.points) } else { phase };
                let ways = ways * u64::from(throw.ways());
                match case.said(case.machine.step(progress, phase, throw)) {
                    (_, Some((to, credited))) => *after.entry((to, next, credits + credited)).or_default() += ways,
                    (said, None) => *decided.entry((said, credits)).or_default() += ways,
                }
            }
        }
        states = after;
        all.push(decided);
    }
    all
}

#[test]
fn step_agrees_with_the_reference_on_every_sequence_of_four_or_five_throws_in_every_reading() {
    let cases = cases();
    let (mut prefixes, mut wagers) = (0, BTreeSet::new());
    for case in &cases {
        // Side bets take longer to be decided, so they get a fifth roll.
        let depth = if case.is_side_bet() { 5 } else { 4 };
        let walk = Walk::of(case, &Throw::ALL, depth);
        prefixes += walk.prefixes;
        wagers.insert(case.wager.slug);
        let Case { wager, number, dials, .. } = case;
        assert_eq!(walk.decided, merged(case, depth), "{} {number:?} with {dials:?}: ways by throw", wager.slug);
    }
    assert_eq!(
        wagers.len(),
        craps_wagers::Catalogue::built_in().all().count(),
        "every wager of the catalogue was walked"
    );
    println!("{} cases, {prefixes} prefixes", cases.len());
}

/// Long sequences of a few rolls: a four and a six both ways, an eleven, a seven. They are long enough for counts to reach their thresholds.
#[test]
fn step_agrees_with_the_reference_on_every_long_sequence_of_a_few_throws() {
    let narrow = |list: &[&str]| list.iter().map(|throw| throw.parse().expect("a throw")).collect::<Vec<Throw>>();
    let alphabets = [
        (narrow(&["1-3", "2-2", "5-6", "3-4"]), 8),
        (narrow(&["1-5", "2-4", "3-3", "1-6"]), 8),
        (narrow(&["4-5", "3-5", "2-5", "6-6"]), 8),
        (narrow(&["1-4", "2-5"]), 14),
        // One roll of each box number, for runs without a repeat.
        (narrow(&["1-3", "1-4", "1-5", "2-6", "3-6", "4-6"]), 7),
    ];
    let mut prefixes = 0;
    for case in cases().iter().filter(|case| case.is_side_bet()) {
        for (alphabet, depth) in &alphabets {
            prefixes += Walk::of(case, alphabet, *depth).prefixes;
        }
    }
    println!("{prefixes} prefixes");
}

/// Returns a long sequence in which sevens are rare and earlier rolls repeat, so that points are made and numbers completed.
fn long_sequence(rng: &mut ChaCha8Rng, length: usize) -> Vec<Throw> {
    let mut throws: Vec<Throw> = Vec::with_capacity(length);
    if rng.random_range(0..10) == 0 {
        // The six box numbers in any order, then the first one again, for runs.
        let mut open: Vec<Throw> =
            ["1-3", "1-4", "1-5", "2-6", "3-6", "4-6"].map(|throw| throw.parse().expect("a throw")).to_vec();
        while !open.is_empty() {
            throws.push(open.swap_remove(rng.random_range(0..open.len())));
        }
        throws.push(throws[0]);
    }
    let (again, keep_seven) = (rng.random_range(0..90), rng.random_range(1..100));
    while throws.len() < length {
        let throw = match throws.last() {
            Some(last) if rng.random_range(0..100) < again => *last,
            _ => Throw::ALL[rng.random_range(0..Throw::ALL.len())],
        };
        if throw.total().value() != 7 || rng.random_range(0..100) < keep_seven {
            throws.push(throw);
        }
    }
    throws
}

#[test]
fn step_agrees_with_the_reference_on_long_random_sequences_that_reach_every_rank() {
    const SEED: u64 = 20_260_101;
    println!("seed {SEED}");
    for case in cases().iter().filter(|case| case.is_side_bet()) {
        let mut rng = ChaCha8Rng::seed_from_u64(SEED);
        let mut reached = BTreeSet::new();
        for _ in 0..12_000 {
            let sequence = long_sequence(&mut rng, 90);
            let throws: Vec<Dice> = sequence.iter().copied().map(dice).collect();
            let expected = case.judge(&throws);
            let (mut progress, mut phase, mut credits) = (case.start(), Phase::ComeOut, 0);
            let mut found = Ruling { said: Said::Open, throws: throws.len(), credits };
            for (at, throw) in sequence.iter().enumerate() {
                let (said, next) = case.said(case.machine.step(progress, phase, *throw));
                phase = phase.after(*throw, case.dials.points);
                match next {
                    Some((to, credited)) => {
                        progress = to;
                        credits += credited;
                        found.credits = credits;
                    }
                    None => {
                        found = Ruling { said, throws: at + 1, credits };
                        break;
                    }
                }
            }
            assert_eq!(found, expected, "{} with {:?} after {throws:?}", case.wager.slug, case.dials);
            // Without the roll that decides it, the bet must still be open.
            if expected.said != Said::Open {
                assert_eq!(
                    case.judge(&throws[..expected.throws - 1]).said,
                    Said::Open,
                    "{} {throws:?}",
                    case.wager.slug
                );
                assert_eq!(case.judge(&throws[..expected.throws]), expected, "{} {throws:?}", case.wager.slug);
            }
            reached.insert(expected.said);
        }
        let counts = |most: u8| (1..=most).map(|count| leak(count.to_string())).collect::<Vec<_>>();
        let ranks = match case.wager.slug {
            "fire" => counts(6),
            "sharp-shooter" => counts(10),
            "ride-the-line" => counts(11),
            "hot-roller" => counts(6),
            "hot-shooter-jackpot" => counts(50).split_off(2),
            "lucky-shooter" => [counts(5), vec!["5+point"]].concat(),
            _ => vec!["win"],
        };
        for rank in ranks {
            assert!(
                reached.contains(&Said::Won(rank)),
                "{} with {:?} never came to {rank}",
                case.wager.slug,
                case.dials
            );
        }
        // If Hot Shooter counts the first or the last roll, its count can't be zero, so it can't lose.
        let can_be_lost = !case.reading.count_come_out && !case.reading.count_seven_out;
        assert_eq!(reached.contains(&Said::Lost), can_be_lost, "{} with {:?}", case.wager.slug, case.dials);
    }
}

/// A dial affects only the wagers that have it. Turning all other dials changes nothing.
#[test]
fn a_dial_changes_no_wager_but_its_own() {
    for case in cases() {
        let own = case.wager.mechanic.dials();
        let mut turned = case.dials;
        for dial in craps_wagers::Dial::ALL {
            // The points dial affects every wager through the phase.
            if !own.contains(&dial) && dial != craps_wagers::Dial::Points {
                for word in dial.words().iter().skip(1) {
                    turned.turn(dial, word).unwrap();
                    let other = Case {
                        machine: case.wager.machine(turned),
                        dials: turned,
                        rules: rules(case.wager.slug),
                        ..case
                    };
                    Walk::of(&other, &Throw::ALL, 2);
                }
            }
        }
    }
}

/// Worked examples of side bets, as totals or as dice, with their results.
#[test]
fn worked_examples_come_out_in_the_reference_and_in_step() {
    let ends_on_sixth = Dials { ends_on_sixth: SixthPoint::Ends, ..Dials::default() };
    let plain = Dials::default();
    let sevens = |count: usize, rest: &str| format!("{}{rest}", "7,".repeat(count));
    let rows: Vec<(&str, Dials, String, Said)> = vec![
        ("fire", plain, "6,6,8,8,4,4,10,10,5,7".into(), Said::Won("4")),
        ("fire", plain, "7,6,6,6,6,8,8,4,4,5,7".into(), Said::Won("3")),
        ("fire", plain, "4,4,5,5,6,6,8,8,9,9,6,7".into(), Said::Won("5")),
        ("fire", plain, "4,4,5,5,6,6,8,8,9,9,10,10".into(), Said::Open),
        ("fire", plain, "4,4,5,5,6,6,8,8,9,9,10,10,11,4,7".into(), Said::Won("6")),
        ("fire", plain, "6,7".into(), Said::Lost),
        ("fire", ends_on_sixth, "4,4,5,5,6,6,8,8,9,9,10,7".into(), Said::Won("5")),
        ("fire", ends_on_sixth, "6,6,6,6,8,8,9,9,4,7".into(), Said::Won("3")),
        ("fire", ends_on_sixth, "4,4,5,5,6,6,8,8,9,9,10,10".into(), Said::Won("6")),
        ("fire", ends_on_sixth, "7,11,2,6,7".into(), Said::Lost),
        ("sharp-shooter", plain, "6,6,8,8,6,6,5,7".into(), Said::Won("3")),
        ("sharp-shooter", plain, "7,11,6,6,8,8,5,7".into(), Said::Won("2")),
        ("sharp-shooter", plain, "6,6,8,8,6,6,5,5,4,4,9,7".into(), Said::Won("5")),
        ("sharp-shooter", plain, ["6"; 20].join(","), Said::Won("10")),
        ("ride-the-line", plain, "6,7".into(), Said::Lost),
        ("ride-the-line", plain, "7,7,5,7".into(), Said::Won("2")),
        ("ride-the-line", plain, "7,11,6,6,4,7".into(), Said::Won("3")),
        ("ride-the-line", plain, "2,12,11,9,7".into(), Said::Won("1")),
        ("ride-the-line", plain, sevens(11, "4,7"), Said::Won("11")),
        ("ride-the-line", plain, sevens(13, "4,7"), Said::Won("11")),
        ("ride-the-line", plain, "6,6,8,8,5,5,9,9,4,4,10,10,3,7,6,7".into(), Said::Won("7")),
        ("bonus-all-small", plain, "2,3,4,5,6".into(), Said::Won("win")),
        ("bonus-make-em-all", plain, "2,3,4,5,6".into(), Said::Open),
        ("bonus-make-em-all", plain, "2,3,4,5,6,7".into(), Said::Lost),
        ("bonus-all-tall", plain, "7".into(), Said::Lost),
        ("bonus-all-small", plain, "6,6".into(), Said::Open),
        ("bonus-all-tall", plain, "6,5,8,9,4,10,3,11,12".into(), Said::Won("win")),
        ("bonus-all-small", plain, "6,5,8,9,4,10,3,11,12,2".into(), Said::Won("win")),
        ("bonus-make-em-all", plain, "6,5,8,9,4,10,3,11,12,2".into(), Said::Won("win")),
        ("bonus-all-tall", plain, "12,11,10,9,8".into(), Said::Won("win")),
        ("dice-ology-boom-or-bust", plain, "12,11,10,9,8,7".into(), Said::Lost),
        ("lucky-shooter", plain, "9,10,4,6,10".into(), Said::Won("3")),
        ("lucky-shooter", plain, "9,10,4,6,8,5,9".into(), Said::Won("5+point")),
        ("lucky-shooter", plain, "6,9,6".into(), Said::Won("1")),
        ("lucky-shooter", plain, "12".into(), Said::Lost),
        ("lucky-shooter", plain, "9,10,4,7".into(), Said::Won("2")),
        ("lucky-shooter", plain, "9,10,4,6,8,12".into(), Said::Won("4")),
        ("lucky-shooter", plain, "9,10,4,6,8,5,7".into(), Said::Won("5")),
        ("lucky-shooter", plain, "7,11,6,9,8,5,2".into(), Said::Won("3")),
        ("hot-roller", plain, "1-3,2-2".into(), Said::Open),
        ("hot-roller", plain, "1-3,2-2,2-3,4-1,3-6,4-5,7".into(), Said::Won("3")),
        ("hot-roller", plain, "1-3,2-2,2-3,4-1,2-6,4-5,7".into(), Said::Won("2")),
        ("hot-roller", plain, "7".into(), Said::Lost),
        ("hot-roller", plain, "1-3,2-2,7".into(), Said::Won("1")),
        ("hot-roller", plain, "1-3,2-2,1-4,2-3,1-5,2-4,3-3,2-6,3-5,4-4,3-6,4-5,4-6,5-5,7".into(), Said::Won("6")),
        ("hot-shooter-jackpot", plain, "6,5,4,8,9,3,11,10,7".into(), Said::Won("7")),
        ("hot-shooter-jackpot", plain, "6,5,4,8,9,3,11,10,2,7".into(), Said::Won("8")),
        ("hot-shooter-jackpot", plain, "6,6,7,7,11,5,4,4,8,5".into(), Said::Open),
    ];
    for (slug, dials, vector, said) in rows {
        let case = Case::new(Wager::find(slug).unwrap(), None, dials);
        let throws: Vec<Throw> = vector
            .split(',')
            .map(|word| match word.parse::<Throw>() {
                Ok(throw) => throw,
                Err(_) => Throw::ALL.into_iter().find(|throw| throw.total().to_string() == word).unwrap(),
            })
            .collect();
        let list: Vec<Dice> = throws.iter().copied().map(dice).collect();
        let ruling = case.judge(&list);
        assert_eq!((ruling.said, ruling.throws), (said, list.len()), "reference: {slug} on {vector}");
        let words: Vec<String> = throws.iter().map(ToString::to_string).collect();
        let told = case.wager.tell(dials, &words.join(" ")).unwrap();
        let expected = match said {
            Said::Open => "stands",
            Said::Won(rank) => rank,
            Said::Lost => "lost",
            Said::Pushed => "pushed",
        };
        assert_eq!(told, expected, "step: {slug} on {vector}");
    }
}

/// The shares of the composites.
#[test]
fn composites_are_made_of_their_shares() {
    let horn_high = |n: &str| {
        ["craps-2", "craps-3", "eleven", "craps-12"].map(|part| {
            let extra = part == format!("craps-{n}") || (n == "11" && part == "eleven");
            (part, 1 + u8::from(extra))
        })
    };
    let rows: Vec<(&str, Vec<(&str, u8)>)> = vec![
        ("c-and-e", vec![("any-craps", 1), ("eleven", 1)]),
        ("horn", vec![("craps-2", 1), ("craps-3", 1), ("eleven", 1), ("craps-12", 1)]),
        ("horn-high-2", horn_high("2").to_vec()),
        ("horn-high-3", horn_high("3").to_vec()),
        ("horn-high-11", horn_high("11").to_vec()),
        ("horn-high-12", horn_high("12").to_vec()),
        ("whirl", vec![("craps-2", 1), ("craps-3", 1), ("eleven", 1), ("craps-12", 1), ("any-seven", 1)]),
    ];
    for (slug, shares) in &rows {
        let Mechanic::Composite(parts) = Wager::find(slug).unwrap().mechanic else { panic!("{slug} is a composite") };
        let found: Vec<(&str, u8)> = parts.iter().map(|part| (part.wager.wager().slug, part.units)).collect();
        assert_eq!(&found, shares, "{slug}");
    }
    let composites =
        Catalogue::built_in().all().filter(|id| matches!(id.wager().mechanic, Mechanic::Composite(_))).count();
    assert_eq!(composites, rows.len());
}
