//! Random, spoilt and made-up texts: whatever is handed to the reader, to `play` and to the reader of houses, nothing panics, and every cent
//! that came in is on a rail, on the felt or with the house.
//!
//! Each target runs from a fixed seed. `BOXPERSON_FUZZ_RUNS=1000000 cargo test --package craps-notation --test fuzz -- --nocapture` is the
//! long form; with `--release`, `CARGO_PROFILE_RELEASE_OVERFLOW_CHECKS=true` keeps the checks of the dev profile. What fails is cut down to
//! the least that still fails the same way, and the target goes on, so that one run tells every distinct failure.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that cannot go on should stop where it is")]

use craps_law::{HouseRules, Library, Source};
use craps_notation::{Act, Dice, Game, Line, Names, Op, Outcome, play, read};
use craps_table::{NoRollReason, Role, SeatId, Table};
use craps_wagers::{CATALOGUE, Wager};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{LazyLock, Once};
use std::time::Instant;

// ---- running a target ----

thread_local! {
    /// The last panic of this thread while it is being fuzzed; none while it is not.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Runs the check: did the text come through to the end? Where it panics, says where and with which words.
fn checked(check: &dyn Fn(&str) -> bool, text: &str) -> Result<bool, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let fuzzed = CAUGHT.with_borrow_mut(|caught| {
                let fuzzed = caught.is_some();
                if fuzzed {
                    let place = info.location().map(ToString::to_string).unwrap_or_default();
                    *caught = Some(format!("{place}: {}", info.payload_as_str().unwrap_or("no message")));
                }
                fuzzed
            });
            if !fuzzed {
                usual(info);
            }
        }));
    });
    CAUGHT.set(Some(String::new()));
    let result = catch_unwind(AssertUnwindSafe(|| check(text)));
    let message = CAUGHT.take().unwrap_or_default();
    result.map_err(|_| message)
}

/// What two failures of the same kind have in common: where they are, and their first words without figures.
fn kind(message: &str) -> String {
    let words: Vec<&str> = message.split_whitespace().take(6).collect();
    let (place, rest) = words.split_first().map_or(("", Vec::new()), |(place, rest)| (*place, rest.to_vec()));
    format!("{place} {}", rest.join(" ").replace(|c: char| c.is_ascii_digit(), ""))
}

/// The least of a text that still fails in the same way: lines first, then ever smaller runs of characters.
fn least(check: &dyn Fn(&str) -> bool, text: &str, wanted: &str) -> String {
    let fails = |text: &str| checked(check, text).is_err_and(|message| kind(&message) == wanted);
    let mut tries = 3000;
    let mut pieces: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for by_character in [false, true] {
        if by_character {
            pieces = pieces.concat().chars().map(String::from).collect();
        }
        let mut size = pieces.len().div_ceil(2);
        while size > 0 && tries > 0 {
            let mut at = 0;
            let before = pieces.len();
            while at < pieces.len() && tries > 0 {
                tries -= 1;
                let end = (at + size).min(pieces.len());
                let shorter = [&pieces[..at], &pieces[end..]].concat();
                if fails(&renumbered(&shorter.concat())) {
                    pieces = shorter;
                } else {
                    at = end;
                }
            }
            size = if size == 1 && pieces.len() < before { 1 } else { size / 2 };
        }
    }
    let shorter = renumbered(&pieces.concat());
    if fails(&shorter) { shorter } else { text.to_owned() }
}

/// Runs one target: makes texts from a seed and checks each of them.
fn target(name: &str, short: u64, seed: u64, make: impl Fn(&mut ChaCha8Rng) -> String, check: &dyn Fn(&str) -> bool) {
    let runs = std::env::var("BOXPERSON_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(short);
    let (start, mut rng) = (Instant::now(), ChaCha8Rng::seed_from_u64(seed));
    let mut through = 0;
    let mut found: BTreeMap<String, String> = BTreeMap::new();
    for _ in 0..runs {
        let text = make(&mut rng);
        match checked(check, &text) {
            Ok(to_the_end) => through += u64::from(to_the_end),
            Err(message) => {
                found
                    .entry(kind(&message))
                    .or_insert_with_key(|kind| format!("{message}\n{}", least(check, &text, kind)));
            }
        }
    }
    eprintln!("fuzz: {name}: {runs} runs in {:.1?}, {through} to the end", start.elapsed());
    let report: Vec<&str> = found.values().map(String::as_str).collect();
    assert!(report.is_empty(), "{name}: {} ways to fail\n\n{}", report.len(), report.join("\n\n"));
}

// ---- what must hold ----

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

fn no_files(name: &str) -> Result<Source, String> {
    Err(format!("no file {name}"))
}

/// A mistake is told at a place that the text has.
fn read_or_told(text: &str) -> Option<Vec<Game>> {
    match read(text) {
        Ok(games) => Some(games),
        Err(error) => {
            let line = text.split('\n').nth(error.place.line - 1);
            let columns = line.map_or(0, |line| line.chars().count() + 1);
            assert!((1..=columns).contains(&error.place.column), "no such place in the text: {error}");
            assert!(!error.message.is_empty(), "a mistake without words");
            None
        }
    }
}

/// Plays what reads. What is printed must read and balance; now and then also agree with itself and print the same again, by codes or by
/// slugs, comments and who throws aside.
fn played(text: &str, files: &dyn Fn(&str) -> Result<Source, String>) -> bool {
    let Some(games) = read_or_told(text) else { return false };
    let names = if text.len().is_multiple_of(2) { Names::Codes } else { Names::Slugs };
    let Ok(first) = play(&LIBRARY, &games, names, files) else { return false };
    let printed: String = first.iter().map(|game| game.filled.as_str()).collect();
    let again = read(&printed).unwrap_or_else(|error| panic!("printed but malformed: {error}\n{printed}"));
    balances(&again);
    if !text.len().is_multiple_of(3) || moves_the_dice(text) {
        return true;
    }
    let second = play(&LIBRARY, &again, names, files)
        .unwrap_or_else(|error| panic!("printed but unplayable: {error:?}\n{printed}"));
    let difference = second.iter().flat_map(|game| &game.differences).next();
    assert!(difference.is_none(), "what was printed differs from itself: {difference:?}\n{printed}");
    let twice: String = second.iter().map(|game| game.filled.as_str()).collect();
    assert!(bare(&twice) == bare(&printed), "printed otherwise the second time:\n{printed}\n{twice}");
    true
}

/// A printed game without its comments and without who throws: of two shooters named for one roll, only the last is printed again.
fn bare(text: &str) -> Vec<String> {
    let mut depth = false;
    let keep = |c: &char| {
        let inside = depth || *c == '{';
        depth = inside && *c != '}';
        !inside
    };
    let text: String = text.chars().filter(keep).collect();
    let told = |line: &&str| !line.is_empty() && !line.starts_with("# shooter");
    text.lines().map(str::trim).filter(told).map(str::to_owned).collect()
}

/// Is it a game that seats players or passes the dice by hand? Printed, a `# shooter` line stands before the `@` lines that it follows
/// from, so that such a game need not agree with itself.
fn moves_the_dice(text: &str) -> bool {
    text.contains("pass-dice") || text.contains("join") || text.contains("leave")
}

/// Keeps the books of a printed game from its text alone: what a seat brought and won is on its rail and on the felt.
fn balances(games: &[Game]) {
    let mut seats_tag = String::new();
    for game in games {
        if let Some(tag) = game.tags.iter().rfind(|tag| tag.name == "Seats") {
            seats_tag.clone_from(&tag.text);
        }
        if !game.lines.iter().any(|line| matches!(line, Line::End { .. })) {
            continue;
        }
        let mut own: BTreeMap<SeatId, i128> = BTreeMap::new();
        for entry in seats_tag.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
            let (seat, money) =
                (entry.split_whitespace().next().unwrap(), entry.split_whitespace().next_back().unwrap());
            own.insert(seat.parse().unwrap(), i128::from(money.parse::<craps_money::Money>().unwrap().minor()));
        }
        let mut now: BTreeMap<SeatId, i128> = BTreeMap::new();
        for line in &game.lines {
            match line {
                Line::Roll(roll) => {
                    for (seat, change) in changes(roll) {
                        *own.entry(seat).or_default() += change;
                    }
                }
                Line::Procedure { act, refused: false, .. } => match act {
                    Act::Join(seat, _, money) => *own.entry(*seat).or_default() += i128::from(money.minor()),
                    Act::BuyIn(seat, money) => *own.entry(*seat).or_default() += i128::from(money.minor()),
                    Act::Rule(_, seat, money, _) => *own.entry(*seat).or_default() += i128::from(money.minor()),
                    Act::Leave(seat) => {
                        own.remove(seat);
                    }
                    _ => {}
                },
                Line::End { rails, .. } => {
                    for (seat, rail) in rails {
                        assert!(rail.minor() >= 0, "seat {seat} owes");
                        *now.entry(*seat).or_default() += i128::from(rail.minor());
                    }
                }
                Line::Open { bets, .. } => {
                    for (seat, _, stake) in bets {
                        *now.entry(*seat).or_default() += i128::from(stake.minor());
                    }
                }
                _ => {}
            }
        }
        assert!(own == now, "the books do not balance: by the game {own:?}, on rails and felt {now:?}");
    }
}

/// What a roll adds to what seats own, in minor units.
fn changes(roll: &craps_notation::Roll) -> Vec<(SeatId, i128)> {
    let minor = |money: Option<craps_money::Money>| i128::from(money.unwrap_or_default().minor());
    let mut all = Vec::new();
    for action in roll.actions.iter().filter(|action| !action.refused) {
        match action.op {
            Op::Add(_, charge) => {
                all.push((action.seat, minor(action.cash.map(craps_money::Stake::money)) - minor(charge)));
            }
            Op::Remove(_, charge) => all.push((action.seat, minor(charge))),
            Op::Call(_) | Op::Tell(_) => {}
        }
    }
    for result in roll.results.iter().flatten() {
        let change = match result.outcome {
            Outcome::Won(paid, commission) => {
                assert!(paid.minor() > 0, "seat {} won nothing", result.seat);
                i128::from(paid.minor()) - i128::from(commission.minor())
            }
            Outcome::Lost(stake) => -i128::from(stake.minor()),
            Outcome::Returned | Outcome::Moved(_) => 0,
        };
        all.push((result.seat, change));
    }
    if matches!(roll.dice, Dice::NoRoll { .. }) {
        assert!(roll.results.iter().flatten().next().is_none(), "a throw that did not count decided something");
    }
    all
}

/// Reads a house; what reads is judged, what is admitted is laid out, and a game is played by it.
fn judged(text: &str) -> bool {
    let source = Source { path: "house.toml".to_owned(), text: text.to_owned() };
    let house = match HouseRules::parse(&source) {
        Ok(house) => house,
        Err(error) => {
            assert!(!error.to_string().is_empty(), "a mistake without words");
            return false;
        }
    };
    let Some(book) = LIBRARY.book(&house.book) else { return false };
    match book.admit(&house) {
        Err(problems) => {
            assert!(!problems.is_empty(), "refused for nothing");
            assert!(problems.iter().all(|problem| !problem.to_string().is_empty()), "a problem without words");
            false
        }
        Ok(rules) => {
            assert!(Table::open(rules).is_ok(), "admitted, but no layout holds its bets");
            let game = house.game.map(|game| format!("[Game \"{}\"]", game.word())).unwrap_or_default();
            let text = format!(
                "[CGN \"1\"][Rules \"{} as-of {}\"][House \"file:house.toml\"]{game}[Seats \"1 Ann 9000\"]\n{SCRIPT}",
                house.book, house.as_of
            );
            played(&text, &|_| Ok(source.clone()))
        }
    }
}

/// A hand with something on every part of the layout.
const SCRIPT: &str = "\
1. 1:P+20 1:F+20 1:A7+20 1:HN+20 1:WW+20 1:CE+20 1:FIRE+5 1:ALL+5 1:HOT+5 1:SHARP+5 1:RIDE+5 1:LUCKY+5 1:JACK+5 1:DOX+5 | 4-2
2. 1:PO+25 1:C+20 1:PL8+30 1:BY4+40 1:LY10+80 1:H8+20 1:PX5+40 1:BIG6+20 1:S678+20 1:HP13+20 | 5-4
3. 1:C9O+20 1:DC+20 1:BY4-20 1:H8!off 1:PL8!up | 4-4
4. 1:DC8O+30 1:UN7+20 1:OV7+20 | 3-3
5. 1:DP+20 1:H8!on | 6-6
6. 1:P+20 1:PL8-30 | 3-1
7. 1:DPO+40 | 5-2
";

// ---- texts to start from ----

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every file under a folder with that ending, in order.
fn files(folder: &Path, ending: &str) -> Vec<String> {
    let mut all = Vec::new();
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            all.extend(files(&path, ending));
        } else if path.extension().is_some_and(|found| found == ending) {
            all.push(fs::read_to_string(path).unwrap());
        }
    }
    all
}

/// Single games, each with all its tags: the vectors of the books, and those that stand in the tests next to this one.
fn sample_games() -> Vec<String> {
    let tests = fs::read_to_string(workspace().join("crates/craps-notation/tests/games.rs")).unwrap();
    let quoted = tests.split("r#\"").skip(1).filter_map(|rest| rest.split("\"#").next()).map(str::to_owned);
    let mut all = Vec::new();
    for text in quoted.chain(files(&workspace().join("rulebooks"), "cgn")) {
        let Ok(games) = read(&text) else { continue };
        let mut tags: BTreeMap<&str, &str> = BTreeMap::new();
        for (at, game) in games.iter().enumerate() {
            tags.extend(game.tags.iter().map(|tag| (tag.name.as_str(), tag.text.as_str())));
            let end = games.get(at + 1).map_or(usize::MAX, |next| next.place.line);
            let lines = text.lines().take(end - 1).skip(game.place.line - 1).filter(|line| !line.starts_with('['));
            let head: String = tags.iter().map(|(name, text)| format!("[{name} \"{text}\"]\n")).collect();
            let head = head.replace("[CGN \"1\"]\n", "").replace("[Case ", "[Event ");
            all.push(format!("[CGN \"1\"]\n{head}{}\n", lines.collect::<Vec<_>>().join("\n")));
        }
    }
    assert!(!all.is_empty(), "no game to start from");
    all
}

const SIGNS: &str = "[]{}\"|#@:!+-=>.,()?^*%~v wlt0123456789\n";

/// Words that mean something somewhere, and amounts at the edges.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "NR", "NR(improper,box)", "NR(cocked)", "!refused", "!late(dealer,box)", "!cash(100)", "!coupon(5)", "!on", "!off",
    "!std", "!up", "!down", "# shooter 1", "# shooter dealer", "# shooter 2 decisions-only", "# end 1:5",
    "# open 1:P+5", "@rng horn=1", "@shooter pass-dice", "@seat 3 join Cy 200", "@seat 1 buy 92233720368547758",
    "@seat 1 leave", "@box rule 1:+14 \"why\"", "@box rule 1:-92233720368547758", "@dealer no-roll improper", "{", "}",
    "{x}", "|", "| 3-4", "0", "0.01", "92233720368547758.07", "92233720368547758", "9999999999", "255", "256",
    "4294967296", "1:P+10", "1:C+10", "1:DC+10", "1:PL6+6", "1:BY4+20", "1:LY4+40", "1:come-8-5", "1:place-win-6-6",
    "2:X.pass+5", "v1", "=w5", "=l5", "=t", ">6", "[CGN \"1\"]", "[Case \"x\"]", "[Seats \"1 Ann 500\"]",
    "[Game \"mini-craps\"]", "é", "\u{2028}", "\0", "१",
];

fn pick<'a, T>(rng: &mut ChaCha8Rng, all: &'a [T]) -> &'a T {
    &all[rng.random_range(0..all.len())]
}

fn word(rng: &mut ChaCha8Rng, all: &[&'static str]) -> &'static str {
    all[rng.random_range(0..all.len())]
}

fn chance(rng: &mut ChaCha8Rng, one_in: u32) -> bool {
    rng.random_range(0..one_in) == 0
}

/// A text that need not be anything.
fn arbitrary(rng: &mut ChaCha8Rng) -> String {
    let mut text = if chance(rng, 2) { "[CGN \"1\"]".to_owned() } else { String::new() };
    let signs: Vec<char> = SIGNS.chars().collect();
    for _ in 0..rng.random_range(0..60) {
        match rng.random_range(0..6) {
            0 => text.push_str(word(rng, WORDS)),
            1 => text.push(char::from_u32(rng.random_range(0..0x11_0000)).unwrap_or('\u{fffd}')),
            2 => text.push_str(&format!("{}. ", rng.random_range(0..4))),
            _ => text.push(*pick(rng, &signs)),
        }
    }
    text
}

/// Words, numbers and single signs, so that joined together they are the text again.
fn tokens(text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest
            .find(|c: char| !c.is_ascii_alphanumeric())
            .filter(|end| *end > 0)
            .unwrap_or_else(|| if first.is_ascii_alphanumeric() { rest.len() } else { first.len_utf8() });
        let (token, after) = rest.split_at(end);
        all.push(token);
        rest = after;
    }
    all
}

/// Takes pieces out, doubles them, swaps them, puts others in.
fn shuffled(rng: &mut ChaCha8Rng, mut pieces: Vec<String>, others: &[&str]) -> String {
    for _ in 0..rng.random_range(1..3) {
        if pieces.is_empty() {
            break;
        }
        let at = rng.random_range(0..pieces.len());
        match rng.random_range(0..5) {
            0 => {
                pieces.remove(at);
            }
            1 => {
                let to = rng.random_range(0..=pieces.len());
                pieces.insert(to, pieces[at].clone());
            }
            2 => {
                let other = rng.random_range(0..pieces.len());
                pieces.swap(at, other);
            }
            3 => pieces[at] = (*pick(rng, others)).to_owned(),
            _ => pieces.insert(at, (*pick(rng, others)).to_owned()),
        }
    }
    pieces.concat()
}

/// A text changed a little: by lines, by tokens or by characters.
fn spoilt(rng: &mut ChaCha8Rng, text: &str, others: &[&str]) -> String {
    let owned = |pieces: Vec<&str>| pieces.into_iter().map(str::to_owned).collect::<Vec<_>>();
    match rng.random_range(0..6) {
        0 => {
            let signs: Vec<String> = SIGNS.chars().map(String::from).collect();
            let signs: Vec<&str> = signs.iter().map(String::as_str).collect();
            shuffled(rng, text.chars().map(String::from).collect(), &signs)
        }
        1 | 2 => {
            let lines = owned(text.split_inclusive('\n').collect());
            let known: Vec<String> = lines.clone();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            shuffled(rng, lines, &known)
        }
        _ => shuffled(rng, owned(tokens(text)), others),
    }
}

/// Rolls counted from one in every game, so that a spoilt game is still played to its end.
fn renumbered(text: &str) -> String {
    let mut number = 0;
    let count = |line: &str| {
        if line.contains("[CGN") || line.contains("[Case") {
            number = 0;
        }
        match line.split_once('.') {
            Some((head, rest)) if !head.is_empty() && head.bytes().all(|b| b.is_ascii_digit()) => {
                number += 1;
                format!("{number}.{rest}")
            }
            _ => line.to_owned(),
        }
    };
    text.split_inclusive('\n').map(count).collect()
}

// ---- games made by the grammar ----

/// Values for house keys, lawful now and then.
#[rustfmt::skip]
const HOUSES: &[&str] = &[
    "offer=all", "offer=buy,lay", "offer=buy,lay,fire,bonus", "offer=lay,power_odds", "odds.k=10", "odds.k=3-4-5",
    "odds.k=100", "chip=5", "chip=0.25", "chip=0.01", "limits.min=5", "limits.max=500", "vig.timing=on_win",
    "vig.buy.timing=on_win", "vig.lay.timing=on_win", "vig.on_win.numbers=4,10", "vig.refund=no", "fire.table=A",
    "fire.table=FB-3", "fire.amount=1..5", "bonus.table=1", "hot_roller.offered=yes", "lucky_shooter.offered=yes",
    "sharp_shooter.offered=yes", "ride.offered=yes", "dice_ology.offered=yes", "hot_shooter.offered=yes",
    "six_seven_eight.offered=yes", "rounding=up", "round_whole_dollars=yes", "auto_leave_up=none",
    "hardways.on_comeout_default=on", "come_odds.on_comeout=on", "off_calls_any=yes", "area.whirl=no",
    "area.horn_high=no", "any_seven.pay=26 to 5", "higher_odds=field/12:3 to 1", "vig.rate=4.5%",
    "place_lose.offered=no", "higher_odds=hard-6:4294967295 to 1",
];

#[rustfmt::skip]
const AMOUNTS: &[&str] = &[
    "1", "5", "5", "6", "10", "10", "10", "12", "20", "20", "25", "30", "40", "60", "100", "0.25", "0.50", "7", "33.33",
    "1000", "1000000", "92233720368547758", "46116860184273879",
];

/// A number from one, with a word now and then that is none.
fn seat(rng: &mut ChaCha8Rng) -> u32 {
    if chance(rng, 30) { rng.random_range(0..20) } else { rng.random_range(1..3) }
}

fn amount(rng: &mut ChaCha8Rng) -> &'static str {
    if chance(rng, 25) { word(rng, AMOUNTS) } else { word(rng, &AMOUNTS[..16]) }
}

fn bet(rng: &mut ChaCha8Rng, names: &[String]) -> String {
    const USUAL: &[&str] = &[
        "P", "P", "P", "DP", "C", "C", "C", "DC", "DC", "PO", "DPO", "PL6", "PL8", "BY4", "LY4", "F", "HN", "H8",
        "FIRE",
    ];
    if chance(rng, 2) { word(rng, USUAL).to_owned() } else { pick(rng, names).clone() }
}

fn action(rng: &mut ChaCha8Rng, names: &[String]) -> String {
    let mut text = format!("{}:{}", seat(rng), bet(rng, names));
    match rng.random_range(0..12) {
        0 | 1 => text.push_str(&format!("-{}", amount(rng))),
        2 => text.push_str(word(rng, &["!on", "!off", "!std", "!up", "!down"])),
        _ => text.push_str(&format!("+{}", amount(rng))),
    }
    if chance(rng, 20) {
        text.push_str(word(rng, &["v1", "v0", "v2.50"]));
    }
    if chance(rng, 12) {
        match rng.random_range(0..4) {
            0 => text.push_str(&format!("!late({},{})", role(rng), role(rng))),
            1 => text.push_str(&format!("!cash({})", amount(rng))),
            2 => text.push_str(&format!("!coupon({})", amount(rng))),
            _ => text.push_str("!refused"),
        }
    }
    if chance(rng, 60) {
        text.push('?');
    }
    text
}

fn role(rng: &mut ChaCha8Rng) -> &'static str {
    pick(rng, &Role::ALL).name()
}

fn procedure(rng: &mut ChaCha8Rng, names: &[String]) -> String {
    let seat = seat(rng);
    let line = match rng.random_range(0..12) {
        0 => format!("# shooter {seat}"),
        1 => format!("# shooter {seat} decisions-only"),
        2 => "# shooter dealer".to_owned(),
        3 => format!(
            "@rng {}={}",
            word(rng, &["horn", "any-seven", "field", "hop-1-3", "craps-2", "whirl"]),
            rng.random_range(1..4)
        ),
        4 => format!("@rng {}={}", pick(rng, names), rng.random_range(1..3)),
        5 => format!("@seat {seat} join Cy {}", amount(rng)),
        6 => format!("@seat {seat} buy {}", amount(rng)),
        7 => format!("@seat {seat} leave"),
        8 => format!("@{} rule {seat}:{}{} \"said so\"", role(rng), word(rng, &["+", "-"]), amount(rng)),
        9 => format!("@{} no-roll {}", role(rng), pick(rng, &NoRollReason::ALL).name()),
        10 => word(rng, &["@shooter pass-dice", "@box pass-dice delay", "@stick new-dice chipped", "@floor inspect"])
            .to_string(),
        _ => "{a remark}".to_owned(),
    };
    if chance(rng, 8) && !line.starts_with('{') { format!("{line}!refused\n") } else { format!("{line}\n") }
}

/// A game that reads, under some book on some day.
fn made(rng: &mut ChaCha8Rng, names: &[String]) -> String {
    let book = pick(rng, &LIBRARY.books);
    let day = if chance(rng, 6) {
        format!("20{}-0{}-15", rng.random_range(10..28), rng.random_range(1..10))
    } else {
        book.sample_day.to_string()
    };
    let mut text = format!("[CGN \"1\"] [Rules \"{} as-of {day}\"]", book.id);
    let house: Vec<&str> = (0..rng.random_range(0..3)).map(|_| word(rng, HOUSES)).collect();
    if !house.is_empty() {
        text.push_str(&format!(" [House \"{}\"]", house.join("; ")));
    }
    if chance(rng, 6) {
        text.push_str(&format!(
            " [Game \"{}\"]",
            word(rng, &["craps", "mini-craps", "automated", "electronic", "hybrid"])
        ));
    }
    let rail = if chance(rng, 30) { "92233720368547758" } else { word(rng, &["500", "1000000", "20.50"]) };
    text.push_str(&format!(" [Seats \"1 Ann 5000; 2 Bo {rail}\"]\n"));
    for number in 1..rng.random_range(2..14) {
        while chance(rng, 5) {
            text.push_str(&procedure(rng, names));
        }
        text.push_str(&format!("{number}."));
        if !chance(rng, if number == 1 { 6 } else { 3 }) {
            text.push_str(" 1:P+10");
        }
        for _ in 0..rng.random_range(0..5) {
            text.push_str(&format!(" {}", action(rng, names)));
        }
        if chance(rng, 15) {
            let reason = pick(rng, &NoRollReason::ALL).name();
            text.push_str(&if chance(rng, 3) { " | NR".to_owned() } else { format!(" | NR({reason},{})", role(rng)) });
        } else {
            text.push_str(&format!(" | {}-{}", rng.random_range(1..=6), rng.random_range(1..=6)));
            if chance(rng, 30) {
                text.push_str(word(rng, &["^", "*", "%", "+", "~", "!refused"]));
            }
        }
        if chance(rng, 4) {
            text.push_str(" |");
            if chance(rng, 2) {
                text.push_str(&format!(
                    " {}:{}{}",
                    seat(rng),
                    bet(rng, names),
                    word(rng, &["=w10", "=l10", "=t", ">6", "=w5v1"])
                ));
            }
        }
        text.push_str(if chance(rng, 15) { " {so it went}\n" } else { "\n" });
    }
    text
}

// ---- the targets ----

#[test]
fn arbitrary_text_never_breaks_the_reader() {
    target("arbitrary text", 20_000, 1, arbitrary, &|text| played(text, &no_files));
}

#[test]
fn spoilt_games_are_read_and_played_without_a_panic_and_to_the_cent() {
    let samples = sample_games();
    let make = |rng: &mut ChaCha8Rng| {
        let mut text = pick(rng, &samples).clone();
        for _ in 0..rng.random_range(1..3) {
            text = spoilt(rng, &text, WORDS);
        }
        if chance(rng, 3) { text } else { renumbered(&text) }
    };
    target("spoilt games", 1_000, 2, make, &|text| played(text, &no_files));
}

#[test]
fn games_made_by_the_grammar_are_played_without_a_panic_and_to_the_cent() {
    let names: Vec<String> = CATALOGUE.iter().flat_map(Wager::names).flat_map(|name| [name.slug, name.code]).collect();
    target("made games", 500, 3, |rng| made(rng, &names), &|text| played(text, &no_files));
}

#[test]
fn spoilt_houses_are_read_judged_and_played_by_without_a_panic() {
    let samples = files(&workspace().join("houses"), "toml");
    let lawful: Vec<&String> = samples.iter().filter(|text| judged(text)).collect();
    assert!(!lawful.is_empty(), "no house to start from");
    let lines: Vec<&str> = samples
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| line.contains('=') && !line.starts_with('#'))
        .collect();
    let words: Vec<&str> = WORDS.iter().copied().chain(HOUSE_WORDS.iter().copied()).collect();
    let make = |rng: &mut ChaCha8Rng| {
        let mut text = if chance(rng, 3) { pick(rng, &samples).clone() } else { (*pick(rng, &lawful)).clone() };
        for _ in 0..rng.random_range(1..3) {
            text = match rng.random_range(0..4) {
                0 => format!("{text}\n{}\n", pick(rng, &lines)),
                1 => {
                    let key = pick(rng, craps_law::keys()).name.replace('*', "x");
                    format!("{text}\n{key} = {}\n", word(rng, HOUSE_WORDS))
                }
                _ => spoilt(rng, &text, &words),
            };
        }
        text
    };
    target("spoilt houses", 1_000, 4, make, &judged);
}

#[rustfmt::skip]
const HOUSE_WORDS: &[&str] = &[
    "0", "1", "-1", "5", "0.25", "0.01", "1e3", "inf", "nan", "0x10", "1_000", "92233720368547758",
    "99999999999999999999", "\"\"", "\"all\"", "\"none\"", "\"3-4-5\"", "\"4:3,5:4\"", "\"4294967295\"", "\"0-0-0\"",
    "\"5%\"", "\"100%\"", "\"0%\"", "\"99999999.99%\"", "\"upfront\"", "\"on_win\"", "\"4 to 1\"",
    "\"4294967295 to 1\"", "\"1 to 4294967295\"", "\"4294967295 for 4294967295\"", "\"field/12:3 to 1\"",
    "\"hard-6:4294967295 to 4294967294\"", "\"1..5\"", "\"0..0\"", "\"1..92233720368547758.07\"", "\"0.01..1\"",
    "\"lucky-shooter:locked\"", "\"general\"", "\"locked\"", "\"box,stick\"", "\"up\"", "true", "false", "\"on\"",
    "[4, 10]", "[2, 3, 12]", "[]", "[[]]", "{ a = 1 }", "2023-10-01", "9999-12-31", "0000-01-01", "2024-02-30", "\"A\"",
    "\"FB-3\"", "\"1\"", "'''x'''", "\"\\u0000\"", "\"é\"", "\"\\uD800\"",
];
