//! Compares the solver with independent methods: closed forms from the ways, inclusion-exclusion, and small recursions over a shooter's
//! hand, with fractions from another library. The expected values use no machine, no chain and no `step()`.
//!
//! Every rank of every wager and every price of every book is compared as an exact fraction: chances, edge, variance and length.

mod exact;
mod reference;

use craps_law::{Library, Offering};
use craps_money::{Base, Timing};
use craps_odds::{Analysis, RBig, Solver, Verdict, WithOdds, price, with_odds};
use craps_wagers::{
    ComeOutSeven, Count, Dial, Dials, EndingSeven, Machine, Mechanic, Points, Ranks, SixthPoint, Wager,
};
use exact::{Q, of, q, whole};
use reference::rank_name;
use std::collections::BTreeMap;

/// Returns the number of ways, out of 36, to roll a total.
fn ways(total: u8) -> u8 {
    6 - total.abs_diff(7)
}

const BOX: [u8; 6] = [4, 5, 6, 8, 9, 10];

/// How a wager ends, by the second methods: the chance of each rank, of a loss and of a push, and the mean number of rolls.
#[derive(Debug, Clone, Default, PartialEq)]
struct Ends {
    ranks: BTreeMap<String, Q>,
    lost: Q,
    pushed: Q,
    throws: Q,
}

impl Ends {
    fn at(&mut self, rank: impl ToString, p: &Q) {
        if *p != Q::default() {
            *self.ranks.entry(rank.to_string()).or_default() += p;
        }
    }

    /// Adds a settlement by count. A count of zero is a loss.
    fn at_count(&mut self, count: usize, p: &Q) {
        if count == 0 {
            self.lost += p;
        } else {
            self.at(count, p);
        }
    }

    fn total(&self) -> Q {
        self.ranks.values().fold(&self.lost + &self.pushed, |sum, p| sum + p)
    }
}

/// Returns the ends of a bet that rolls until one of `wins` or one of `loses` ways comes up.
fn race(rank: &str, wins: u8, loses: u8) -> Ends {
    let mut ends = Ends { lost: q(loses, wins + loses), throws: q(36, wins + loses), ..Ends::default() };
    ends.at(rank, &q(wins, wins + loses));
    ends
}

/// Returns the ends of a one-roll bet from the ways of each rank.
fn one_throw(ranks: &[(&str, u8)]) -> Ends {
    let mut ends = Ends { lost: whole(1), throws: whole(1), ..Ends::default() };
    for (rank, ways) in ranks {
        ends.at(*rank, &q(*ways, 36));
        ends.lost -= q(*ways, 36);
    }
    ends
}

/// Returns the ends of a line bet: a come-out roll, then the point against the seven. A don't bet pushes on `bar`.
fn line(right: bool, crapless: bool, bar: u8) -> Ends {
    let mut ends = Ends { throws: whole(1), ..Ends::default() };
    for total in 2..=12 {
        let p = q(ways(total), 36);
        let is_point = total != 7 && (crapless || BOX.contains(&total));
        if is_point {
            let (number, seven) = (ways(total), 6);
            let made = &p * q(number, number + seven);
            let missed = &p - &made;
            ends.throws += p * q(36, number + seven);
            let (won, lost) = if right { (made, missed) } else { (missed, made) };
            ends.at("win", &won);
            ends.lost += lost;
        } else if !right && total == bar {
            ends.pushed += p;
        } else if (total == 7 || total == 11) == right {
            ends.at("win", &p);
        } else {
            ends.lost += p;
        }
    }
    ends
}

/// Returns the sum over all subsets of `weights` of (-1)^size × f(weight of the subset).
fn alternating(weights: &[u8], f: &dyn Fn(u32) -> Q) -> Q {
    let mut sum = Q::default();
    for mask in 0u32..1 << weights.len() {
        let weight: u32 =
            weights.iter().enumerate().filter(|(at, _)| mask & (1 << at) != 0).map(|(_, w)| u32::from(*w)).sum();
        if mask.count_ones() % 2 == 0 {
            sum += f(weight);
        } else {
            sum -= f(weight);
        }
    }
    sum
}

/// Returns the chance that events with these ways all come before a seven. A seven comes before every event of a set of weight w with
/// chance 6/(6 + w).
fn all_before_seven(weights: &[u8]) -> Q {
    alternating(weights, &|weight| q(6, 6 + weight))
}

/// Returns the ends of a bet on all these totals before a seven. The bet is open after n rolls if there was no seven and a total is
/// missing, so its mean length is a sum over the non-empty sets of missing totals.
fn collect(totals: &[u8]) -> Ends {
    let weights: Vec<u8> = totals.iter().map(|total| ways(*total)).collect();
    let won = all_before_seven(&weights);
    let throws = q(36, 6) - alternating(&weights, &|weight| q(36, 6 + weight));
    let mut ends = Ends { lost: whole(1) - &won, throws, ..Ends::default() };
    ends.at("win", &won);
    ends
}

/// Returns the ends of Hot Roller when any seven settles it: first the chance that a given set of numbers is complete, then the chance
/// of each exact count.
fn hot_roller() -> Ends {
    let combinations: [&[u8]; 6] = [&[2, 1], &[2, 2], &[2, 2, 1], &[2, 2, 1], &[2, 2], &[2, 1]];
    // complete[m]: the sum over all sets of m numbers of the chance that all of them are complete.
    let mut complete = vec![Q::default(); 7];
    for mask in 0usize..64 {
        let numbers = (0..6).filter(|at| mask & (1 << at) != 0);
        let weights: Vec<u8> = numbers.flat_map(|at| combinations[at].iter().copied()).collect();
        complete[usize::try_from(mask.count_ones()).expect("six bits")] += all_before_seven(&weights);
    }
    let choose = |m: usize, j: usize| (0..j).fold(1, |value, at| value * (m - at) / (at + 1));
    let mut ends = Ends { throws: whole(6), ..Ends::default() };
    for j in 0..=6 {
        let mut exactly = Q::default();
        for (m, sum) in complete.iter().enumerate().skip(j) {
            let term = sum * whole(choose(m, j));
            exactly = if (m - j) % 2 == 0 { exactly + term } else { exactly - term };
        }
        ends.at_count(j, &exactly);
    }
    ends
}

/// What can happen from one come-out to the next, and how long it takes on average.
struct Round {
    /// The chance that each box point is set and made.
    made: [Q; 6],
    /// The chance of a seven-out.
    out: Q,
    /// The chance of a natural that ends the round before a point is set, if naturals count.
    natural: Q,
    /// The mean number of rolls.
    length: Q,
}

/// Returns a round: come-out rolls until a point is set or one of `ending` ways comes up, then the point against the seven.
fn round(ending: u8) -> Round {
    let deciding = 24 + ending;
    let mut round =
        Round { made: Default::default(), out: Q::default(), natural: q(ending, deciding), length: q(36, deciding) };
    for (at, point) in BOX.into_iter().enumerate() {
        let (set, w) = (q(ways(point), deciding), ways(point));
        round.made[at] = &set * q(w, w + 6);
        round.out += &set * q(6, w + 6);
        round.length += &set * q(36, w + 6);
    }
    round
}

/// Returns the ends of Fire, by recursion over the set of points made.
fn fire(any_seven: bool, sixth_ends: bool) -> Ends {
    // If any seven settles the bet, a come-out seven ends a round. Otherwise only points do.
    let round = round(if any_seven { 6 } else { 0 });
    let settle = &round.out + &round.natural;
    let mut reached = vec![Q::default(); 64];
    reached[0] = whole(1);
    let mut ends = Ends::default();
    for set in 0usize..64 {
        let count = usize::try_from(set.count_ones()).expect("six bits");
        if set == 63 && sixth_ends {
            ends.at_count(6, &reached[set]);
            continue;
        }
        let repeats = (0..6).filter(|at| set & (1 << at) != 0).fold(Q::default(), |sum, at| sum + &round.made[at]);
        let rounds = &reached[set] / (whole(1) - repeats);
        ends.throws += &rounds * &round.length;
        ends.at_count(count, &(&rounds * &settle));
        for at in (0..6).filter(|at| set & (1 << at) == 0) {
            let p = &rounds * &round.made[at];
            reached[set | 1 << at] += p;
        }
    }
    ends
}

/// Returns the ends of a count that grows by one with chance `again` per round and is settled with chance `settle`. At `most` the bet ends or
/// the count stops growing.
fn counting(again: &Q, settle: &Q, length: &Q, most: usize, ends_at_most: bool) -> Ends {
    let mut ends = Ends::default();
    let mut reached = whole(1);
    for count in 0..most {
        ends.throws += &reached * length;
        ends.at_count(count, &(&reached * settle));
        reached *= again;
    }
    ends.at_count(most, &reached);
    if !ends_at_most {
        ends.throws += &reached * length / settle;
    }
    ends
}

fn sharp_shooter() -> Ends {
    let round = round(0);
    let made: Q = round.made.iter().fold(Q::default(), |sum, p| sum + p);
    counting(&made, &round.out, &round.length, 10, true)
}

fn ride_the_line() -> Ends {
    // Six ways of seven and two of eleven end a round with a count. After craps the shooter rolls again.
    let round = round(8);
    let counted: Q = round.made.iter().fold(round.natural.clone(), |sum, p| sum + p);
    counting(&counted, &round.out, &round.length, 11, false)
}

/// Returns the ends of Lucky Shooter: the shooter rolls again after naturals, then recursion over the run.
fn lucky_shooter() -> Ends {
    let mut ends = Ends { lost: q(4, 28), throws: q(36, 28), ..Ends::default() };
    for point in BOX {
        let others: Vec<u8> = BOX.into_iter().filter(|other| *other != point).collect();
        let mut reached = vec![Q::default(); 32];
        reached[0] = q(ways(point), 28);
        for run in 0usize..32 {
            let p = reached[run].clone();
            ends.throws += &p;
            if run == 31 {
                ends.at("5+point", &(&p * q(ways(point), 36)));
                ends.at(5, &(&p * q(36 - ways(point), 36)));
                continue;
            }
            let mut breaks = 36;
            for (at, other) in others.iter().enumerate().filter(|(at, _)| run & (1 << at) == 0) {
                breaks -= ways(*other);
                reached[run | 1 << at] += &p * q(ways(*other), 36);
            }
            ends.at_count(usize::try_from(run.count_ones()).expect("five bits"), &(&p * q(breaks, 36)));
        }
    }
    ends
}

/// Returns the ends of Hot Shooter, from a vector of the come-out and the six points that is advanced one roll at a time. A hand of L rolls
/// counts L - 2, plus `edges` for the first and last roll if they count.
fn hot_shooter(edges: usize) -> Ends {
    let (mut come_out, mut points) = (whole(1), vec![Q::default(); 6]);
    let mut ends = Ends { throws: hand_length(), ..Ends::default() };
    let mut rest = whole(1);
    for length in 1.. {
        let seven_out = points.iter().fold(Q::default(), |sum, p| sum + p) * q(6, 36);
        let count = (length + edges).checked_sub(2);
        if count.is_some_and(|count| count >= 50) {
            break;
        }
        match count {
            Some(count) => ends.at_count(count, &seven_out),
            None => assert_eq!(seven_out, Q::default()),
        }
        rest -= seven_out;
        let mut next_come_out = &come_out * q(12, 36);
        for (at, point) in BOX.into_iter().enumerate() {
            let w = ways(point);
            next_come_out += &points[at] * q(w, 36);
            points[at] = &points[at] * q(30 - w, 36) + &come_out * q(w, 36);
        }
        come_out = next_come_out;
    }
    ends.at(50, &rest);
    ends
}

/// Returns the mean number of rolls of a shooter: rounds until a seven-out times their length.
fn hand_length() -> Q {
    let round = round(0);
    round.length / round.out
}

/// Returns how a wager ends, by its id.
fn second(slug: &str, number: Option<u8>, dials: &Dials) -> Ends {
    let suffix = |prefix: &str| slug.strip_prefix(prefix).and_then(|rest| rest.parse::<u8>().ok());
    let crapless = dials.points == Points::AllButSeven;
    if let Some(n) = suffix("place-win-").or(suffix("buy-")).or(suffix("big-")).or(suffix("put-")) {
        return race("win", ways(n), 6);
    }
    if let Some(n) = suffix("place-lose-").or(suffix("lay-")) {
        return race("win", 6, ways(n));
    }
    if let Some(n) = suffix("hard-") {
        return race("win", 1, ways(n) - 1 + 6);
    }
    if suffix("horn-high-").is_some() {
        return second("horn", None, dials);
    }
    if let Some((one, other)) = slug.strip_prefix("hop-").and_then(|rest| rest.split_once('-')) {
        return one_throw(&[("win", if one == other { 1 } else { 2 })]);
    }
    let edges = |count: Count| usize::from(count == Count::In);
    match slug {
        "pass" | "come" => line(true, crapless, 0),
        "dont-pass" | "dont-come" => line(false, crapless, dials.bar.totals().iter().map(|total| total.value()).sum()),
        "pass-odds" | "come-odds" | "put-odds" => {
            let n = number.expect("odds stand on a number");
            race(&n.to_string(), ways(n), 6)
        }
        "dont-pass-odds" | "dont-come-odds" => {
            let n = number.expect("odds stand on a number");
            race(&n.to_string(), 6, ways(n))
        }
        "field" => one_throw(&[("2", 1), ("3", 2), ("4", 3), ("9", 4), ("10", 3), ("11", 2), ("12", 1)]),
        "any-seven" => one_throw(&[("win", 6)]),
        "any-craps" => one_throw(&[("win", 4)]),
        "craps-2" | "craps-12" => one_throw(&[("win", 1)]),
        "craps-3" | "eleven" => one_throw(&[("win", 2)]),
        "c-and-e" => one_throw(&[("any-craps", 4), ("eleven", 2)]),
        "horn" => one_throw(&[("craps-2", 1), ("craps-3", 2), ("eleven", 2), ("craps-12", 1)]),
        "whirl" => one_throw(&[("craps-2", 1), ("craps-3", 2), ("eleven", 2), ("craps-12", 1), ("any-seven", 6)]),
        "six-seven-eight" => one_throw(&[("6", 4), ("hard-6", 1), ("7", 6), ("8", 4), ("hard-8", 1)]),
        "over-7" | "under-7" => one_throw(&[("win", 15)]),
        "fire" => fire(dials.ends_on_seven == EndingSeven::Any, dials.ends_on_sixth == SixthPoint::Ends),
        "sharp-shooter" => sharp_shooter(),
        "ride-the-line" => ride_the_line(),
        "bonus-all-small" | "dice-ology-little-ones" => collect(&[2, 3, 4, 5, 6]),
        "bonus-all-tall" | "dice-ology-big-ones" => collect(&[8, 9, 10, 11, 12]),
        "bonus-make-em-all" | "dice-ology-boom-or-bust" => collect(&[2, 3, 4, 5, 6, 8, 9, 10, 11, 12]),
        "hot-roller" => {
            assert_eq!(dials.come_out_seven, ComeOutSeven::Settles, "the other readings have no closed form here");
            hot_roller()
        }
        "lucky-shooter" => lucky_shooter(),
        "hot-shooter-jackpot" => hot_shooter(edges(dials.count_come_out) + edges(dials.count_seven_out)),
        _ => panic!("no second method for `{slug}`"),
    }
}

/// Returns the solver's answer as the same type.
fn solved(solver: &mut Solver, wager: &Wager, number: Option<craps_dice::Point>, machine: &Machine) -> Ends {
    let solution = solver.solve(machine, number, 0);
    let mut ends = Ends { throws: of(&solution.throws), ..Ends::default() };
    for (end, p) in &solution.ends {
        match end.verdict {
            Verdict::Rank(rank) => ends.at(rank_name(wager, rank), &of(p)),
            Verdict::Lost => ends.lost += of(p),
            Verdict::Pushed => ends.pushed += of(p),
        }
    }
    ends
}

/// Reads odds from text and returns what they pay net.
fn net_of_words(words: &str) -> Q {
    let number = |word: &str| whole(word.parse::<u32>().expect("a number"));
    let price = |words: &[&str]| match words {
        [win, "to", per] => number(win) / number(per),
        [all, "for", per] => number(all) / number(per) - whole(1),
        _ => panic!("no price: {words:?}"),
    };
    match words.split_whitespace().collect::<Vec<_>>()[..] {
        ["push"] => whole(0),
        [ref odds @ .., "on", share] => {
            let (units, of) = share.split_once('/').expect("a share");
            let share = number(units) / number(of);
            // The share that wins is paid, and the other shares lose.
            &share * price(odds) - (whole(1) - share)
        }
        ref odds => price(odds),
    }
}

/// Returns the net result of a rank. A count pays the highest listed count that it reaches, and a rank without a price loses.
fn net_of_rank(offering: &Offering, rank: &str) -> Q {
    let wager = offering.wager.wager();
    let prices: Vec<(String, Q)> = offering
        .prizes
        .iter()
        .map(|(rank, prize)| (rank_name(wager, rank), net_of_words(&prize.to_string())))
        .collect();
    let priced = match wager.ranks {
        Ranks::Counts(_) => {
            let count = |name: &str| name.parse::<u8>().expect("a count");
            prices.iter().filter(|(name, _)| count(name) <= count(rank)).max_by_key(|(name, _)| count(name))
        }
        _ => prices.iter().find(|(name, _)| name == rank),
    };
    priced.map_or_else(|| whole(-1), |(_, net)| net.clone())
}

/// Returns the net results and their chances under the prices of an offering.
fn nets(offering: &Offering, ends: &Ends) -> BTreeMap<Q, Q> {
    let zero = whole(0);
    let charged = |gross: Q| {
        let Some(commission) = &offering.commission else { return gross };
        let (rate, of) = commission.rate.fraction();
        let base = match commission.base {
            Base::Stake => whole(1),
            Base::Win => net_of_rank(offering, "win"),
        };
        let taken = commission.timing == Timing::UpFront || gross > zero;
        if taken { gross - q(rate, of) * base } else { gross }
    };
    let mut nets: BTreeMap<Q, Q> = BTreeMap::new();
    for (rank, p) in &ends.ranks {
        *nets.entry(charged(net_of_rank(offering, rank))).or_default() += p;
    }
    *nets.entry(charged(whole(-1))).or_default() += &ends.lost;
    *nets.entry(charged(zero.clone())).or_default() += &ends.pushed;
    nets.retain(|_, p| *p > zero);
    nets
}

/// Compares all figures of the analysis with those computed from the net results and their chances.
fn compare(label: &str, odds: &Analysis, nets: &BTreeMap<Q, Q>, throws: &Q) {
    let zero = whole(0);
    let chance =
        |keep: &dyn Fn(&Q) -> bool| nets.iter().filter(|(net, _)| keep(net)).fold(Q::default(), |sum, (_, p)| sum + p);
    let mean = nets.iter().fold(Q::default(), |sum, (net, p)| sum + net * p);
    let second = nets.iter().fold(Q::default(), |sum, (net, p)| sum + net * net * p);
    let same =
        |what: &str, found: &RBig, expected: Q| assert_eq!(found.to_string(), expected.to_string(), "{label}: {what}");
    same("edge", &odds.edge, -mean.clone());
    same("p_win", &odds.p_win, chance(&|net| *net > zero));
    same("p_lose", &odds.p_lose, chance(&|net| *net < zero));
    same("p_push", &odds.p_push, chance(&|net| *net == zero));
    same("variance", &odds.variance, second - &mean * &mean);
    same("throws_mean", &odds.throws_mean, throws.clone());
    same("edge_per_throw", &odds.edge_per_throw, -&mean / throws);
    same("edge_resolved", &odds.edge_resolved, -mean / (whole(1) - chance(&|net| *net == zero)));
    let distribution: BTreeMap<Q, Q> = odds
        .distribution
        .iter()
        .filter(|outcome| outcome.p != RBig::ZERO)
        .map(|outcome| (of(&outcome.net), of(&outcome.p)))
        .collect();
    assert_eq!(&distribution, nets, "{label}: distribution");
    assert!(odds.distribution.iter().all(|outcome| !outcome.or_more), "{label}");
}

#[test]
fn every_rank_of_every_wager_comes_as_often_as_a_second_method_says() {
    let mut solver = Solver::default();
    let mut compared = std::collections::BTreeSet::new();
    for book in &Library::shipped().books {
        for offering in book.offerings(None) {
            let wager = offering.wager.wager();
            let ends = second(wager.slug, offering.number.map(craps_dice::Point::value), &offering.machine.dials);
            assert_eq!(ends.total(), whole(1), "{}", offering.name());
            let found = solved(&mut solver, wager, offering.number, &offering.machine);
            assert_eq!(found, ends, "{} {}", book.id, offering.name());
            compared.insert(wager.slug);
        }
    }
    assert_eq!(
        compared.len(),
        craps_wagers::Catalogue::built_in().all().count(),
        "every wager of the catalogue is priced somewhere"
    );
}

#[test]
fn every_price_of_every_book_comes_out_as_a_second_method_says() {
    let mut solver = Solver::default();
    let mut compared = 0;
    for book in &Library::shipped().books {
        for offering in book.offerings(None) {
            let ends = second(
                offering.wager.wager().slug,
                offering.number.map(craps_dice::Point::value),
                &offering.machine.dials,
            );
            let commission = offering.commission.map(|commission| commission.to_string()).unwrap_or_default();
            let label = format!("{} {} {} {commission}", book.id, offering.name(), offering.pay_table);
            compare(&label, &price(&mut solver, &offering), &nets(&offering, &ends), &ends.throws);
            compared += 1;
        }
    }
    assert!(compared >= 700, "only {compared} prices");
    println!("{compared} prices");
}

/// Tests readings that no book takes, by replacing the machine.
#[test]
fn turned_dials_come_out_as_a_second_method_says() {
    let plain = Dials::default();
    let mut turned = vec![
        ("fire", Dials { ends_on_sixth: SixthPoint::Ends, ..plain }),
        ("fire", Dials { ends_on_seven: EndingSeven::Any, ..plain }),
        ("fire", Dials { ends_on_seven: EndingSeven::Any, ends_on_sixth: SixthPoint::Ends, ..plain }),
    ];
    for (count_come_out, count_seven_out) in
        [(Count::Out, Count::Out), (Count::In, Count::Out), (Count::Out, Count::In), (Count::In, Count::In)]
    {
        turned.push(("hot-shooter-jackpot", Dials { count_come_out, count_seven_out, ..plain }));
    }
    for word in ["2", "3", "12"] {
        let mut barred = plain;
        barred.turn(Dial::Bar, word).unwrap();
        let bar = barred.bar;
        turned.push(("dont-pass", Dials { bar, ..plain }));
        turned.push(("dont-come", Dials { bar, ..plain }));
    }
    let library = Library::shipped();
    let offerings = library.book("pa").unwrap().offerings(None);
    let mut solver = Solver::default();
    for (slug, dials) in turned {
        let ends = second(slug, None, &dials);
        let machine = Wager::find(slug).unwrap().machine(dials);
        assert_eq!(solved(&mut solver, Wager::find(slug).unwrap(), None, &machine), ends, "{slug} with {dials:?}");
        let mut compared = 0;
        for offering in offerings.iter().filter(|offering| offering.wager.wager().slug == slug) {
            let offering = Offering { machine, ..offering.clone() };
            let odds = price(&mut solver, &offering);
            compare(&format!("{slug} with {dials:?}"), &odds, &nets(&offering, &ends), &ends.throws);
            compared += 1;
        }
        assert!(compared > 0, "{slug}");
    }
}

/// Lucky Shooter if a natural pays one unit and the bet stays up. The credits G are geometric and independent of the rest X, so G + X has
/// a mean that is 2/7 higher and a variance that is 18/49 higher than those of X.
#[test]
fn credits_without_end_have_the_mean_and_the_variance_of_a_geometric_number() {
    let mut sources = Library::shipped_sources();
    for source in sources.iter_mut().filter(|source| source.path.starts_with("pa/")) {
        source.text = source.text.replace("natural = \"1 for 1\"", "natural = \"1 to 1\"");
    }
    let library = Library::load(&sources).unwrap();
    let mut solver = Solver::default();
    let ends = lucky_shooter();
    let mut tables = 0;
    for offering in library.book("pa").unwrap().offerings(None) {
        if offering.wager.wager().slug != "lucky-shooter" {
            continue;
        }
        tables += 1;
        let odds = price(&mut solver, &offering);
        let nets = nets(&offering, &ends);
        let mean = nets.iter().fold(Q::default(), |sum, (net, p)| sum + net * p);
        let second = nets.iter().fold(Q::default(), |sum, (net, p)| sum + net * net * p);
        let table = &offering.pay_table;
        assert_eq!(of(&odds.edge), -(&mean + q(2, 7)), "{table}: edge");
        assert_eq!(of(&odds.variance), second - &mean * &mean + q(18, 49), "{table}: variance");
        assert_eq!(of(&odds.throws_mean), ends.throws, "{table}: throws");
        // A lost run pushes after one credit and wins after two. G is 0 with chance 7/9, 1 with 14/81, and more with 4/81.
        let lost = &nets[&whole(-1)];
        let even = nets.get(&whole(0)).cloned().unwrap_or_default();
        assert_eq!(of(&odds.p_lose), lost * q(7, 9), "{table}: p_lose");
        assert_eq!(of(&odds.p_push), lost * q(14, 81) + even * q(7, 9), "{table}: p_push");
        assert_eq!(of(&odds.p_win), whole(1) - of(&odds.p_lose) - of(&odds.p_push), "{table}: p_win");
        // The distribution counts credits up to a number that covers any loss, and marks that one "or more".
        let sum = odds.distribution.iter().fold(Q::default(), |sum, outcome| sum + of(&outcome.p));
        assert_eq!(sum, whole(1), "{table}");
        for outcome in odds.distribution.iter().filter(|outcome| outcome.net < RBig::ONE) {
            assert!(!outcome.or_more, "{table}: {}", outcome.net);
        }
    }
    assert_eq!(tables, 4);
}

/// The flat bet and its odds together. The outcomes are listed by hand from the ways, per unit of the flat bet plus the mean odds.
#[test]
fn a_line_bet_with_odds_behind_it_is_the_sum_of_its_parts() {
    let library = Library::shipped();
    let book = library.book("pa").unwrap();
    let offerings = book.offerings(None);
    let mut solver = Solver::default();
    for (flat, behind, right) in [
        ("pass", "pass-odds", true),
        ("come", "come-odds", true),
        ("dont-pass", "dont-pass-odds", false),
        ("dont-come", "dont-come-odds", false),
    ] {
        for multiple in ["1", "2", "5", "10", "20", "100", "3-4-5"] {
            let law =
                book.wager(craps_wagers::Catalogue::built_in().find(behind).unwrap()).unwrap().odds.as_ref().unwrap();
            let rules = craps_law::OddsRules {
                multiple: multiple.parse().unwrap(),
                cap: law.cap.0[0].clone(),
                excess: law.excess.0[0].clone(),
                table_max: law.table_max.0[0].clone(),
            };
            let offering = offerings.iter().find(|offering| offering.wager.wager().slug == flat).unwrap();
            let prizes = &offerings.iter().find(|offering| offering.wager.wager().slug == behind).unwrap().prizes;
            let found = with_odds(&mut solver, offering, &WithOdds { rules: &rules, prizes }, None).unwrap();
            let mut staked = whole(1);
            let mut raw: Vec<(Q, Q)> = Vec::new();
            for total in 2..=12 {
                let p = q(ways(total), 36);
                match total {
                    7 | 11 => raw.push((whole(if right { 1 } else { -1 }), p)),
                    12 if !right => raw.push((whole(0), p)),
                    2 | 3 | 12 => raw.push((whole(if right { -1 } else { 1 }), p)),
                    point => {
                        let times = match (multiple, ways(point)) {
                            ("3-4-5", w) => w,
                            (times, _) => times.parse().unwrap(),
                        };
                        // True odds are six to the ways of the point. Laying odds means betting the amount that wins the multiple.
                        let truth = q(6, ways(point));
                        let (odds, win) = if right {
                            (whole(times), whole(times) * &truth)
                        } else {
                            (whole(times) * &truth, whole(times))
                        };
                        staked += &p * &odds;
                        let made = q(ways(point), ways(point) + 6);
                        let wins = if right { made } else { whole(1) - made };
                        raw.push((whole(1) + win, &p * &wins));
                        raw.push((whole(-1) - odds, &p * (whole(1) - wins)));
                    }
                }
            }
            let mut nets: BTreeMap<Q, Q> = BTreeMap::new();
            for (net, p) in raw {
                *nets.entry(net / &staked).or_default() += p;
            }
            let ends = line(right, false, 12);
            compare(&format!("{flat} with {multiple}x"), &found, &nets, &ends.throws);
            // The odds cost nothing, so the edge is that of the flat bet divided by the whole stake.
            let alone = of(&price(&mut solver, offering).edge);
            assert_eq!(of(&found.edge), alone / staked, "{flat} with {multiple}x");
        }
    }
}

/// The means that books on craps give as fractions: 557/165 rolls to a line decision, 1671/196 to a hand.
#[test]
fn the_second_methods_agree_with_the_known_fractions() {
    assert_eq!(line(true, false, 0).throws, q(557, 165));
    assert_eq!(line(true, false, 0).ranks["win"], q(244, 495));
    assert_eq!(line(false, false, 12).ranks["win"], q(949, 1980));
    assert_eq!(hand_length(), q(1671, 196));
    assert_eq!(ride_the_line().throws, hand_length());
    assert_eq!(fire(false, false).throws, hand_length());
    assert_eq!(collect(&[2, 3, 4, 5, 6]).ranks["win"], q(20049, 760_760));
    assert_eq!(hot_shooter(2).total(), whole(1));
    assert_eq!(hot_roller().total(), whole(1));
    assert!(matches!(Wager::find("fire").unwrap().mechanic, Mechanic::PointsMade));
}
