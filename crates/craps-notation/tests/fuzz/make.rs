//! Makes texts: arbitrary ones, corrupted samples, and games from the grammar.

use crate::check::LIBRARY;
use craps_notation::read;
use craps_table::{NoRollReason, Role};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

pub fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns the text of every file with this extension under a folder, in order.
pub fn files(folder: &Path, ending: &str) -> Vec<String> {
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

/// Returns single games with all their tags: the vectors of the books, and the games in `tests/games.rs`.
pub fn sample_games() -> Vec<String> {
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

pub const SIGNS: &str = "[]{}\"|#@:!+-=>.,()?^*%~v wlt0123456789\n";

/// Words of the notation, and extreme amounts.
#[rustfmt::skip]
pub const WORDS: &[&str] = &[
    "NR", "NR(improper,box)", "NR(cocked)", "!refused", "!late(dealer,box)", "!cash(100)", "!coupon(5)", "!on", "!off",
    "!std", "!up", "!down", "# shooter 1", "# shooter dealer", "# shooter 2 decisions-only", "# end 1:5",
    "# open 1:P+5", "@rng horn=1", "@shooter pass-dice", "@seat 3 join Cy 200", "@seat 1 buy 92233720368547758",
    "@seat 1 leave", "@box rule 1:+14 \"why\"", "@box rule 1:-92233720368547758", "@dealer no-roll improper", "{", "}",
    "{x}", "|", "| 3-4", "0", "0.01", "92233720368547758.07", "92233720368547758", "9999999999", "255", "256",
    "4294967296", "1:P+10", "1:C+10", "1:DC+10", "1:PL6+6", "1:BY4+20", "1:LY4+40", "1:come-8-5", "1:place-win-6-6",
    "2:X.pass+5", "v1", "=w5", "=l5", "=t", ">6", "[CGN \"1\"]", "[Case \"x\"]", "[Seats \"1 Ann 500\"]",
    "[Game \"mini-craps\"]", "é", "\u{2028}", "\0", "१",
];

pub fn pick<'a, T>(rng: &mut ChaCha8Rng, all: &'a [T]) -> &'a T {
    &all[rng.random_range(0..all.len())]
}

pub fn word(rng: &mut ChaCha8Rng, all: &[&'static str]) -> &'static str {
    all[rng.random_range(0..all.len())]
}

pub fn chance(rng: &mut ChaCha8Rng, one_in: u32) -> bool {
    rng.random_range(0..one_in) == 0
}

/// Makes an arbitrary text.
pub fn arbitrary(rng: &mut ChaCha8Rng) -> String {
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

/// Splits a text into words, numbers and single characters. Joined together they give the text again.
pub fn tokens(text: &str) -> Vec<&str> {
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

/// Removes, repeats, swaps and inserts pieces at random.
pub fn shuffled(rng: &mut ChaCha8Rng, mut pieces: Vec<String>, others: &[&str]) -> String {
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

/// Corrupts a text a little: by lines, by tokens or by characters.
pub fn spoilt(rng: &mut ChaCha8Rng, text: &str, others: &[&str]) -> String {
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

/// Renumbers the rolls of every game from one, so that a corrupted game can be played to its end.
pub fn renumbered(text: &str) -> String {
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

#[rustfmt::skip]
pub const HOUSE_WORDS: &[&str] = &[
    "0", "1", "-1", "5", "0.25", "0.01", "1e3", "inf", "nan", "0x10", "1_000", "92233720368547758",
    "99999999999999999999", "\"\"", "\"all\"", "\"none\"", "\"3-4-5\"", "\"4:3,5:4\"", "\"4294967295\"", "\"0-0-0\"",
    "\"5%\"", "\"100%\"", "\"0%\"", "\"99999999.99%\"", "\"upfront\"", "\"on_win\"", "\"4 to 1\"",
    "\"4294967295 to 1\"", "\"1 to 4294967295\"", "\"4294967295 for 4294967295\"", "\"field/12:3 to 1\"",
    "\"hard-6:4294967295 to 4294967294\"", "\"1..5\"", "\"0..0\"", "\"1..92233720368547758.07\"", "\"0.01..1\"",
    "\"lucky-shooter:locked\"", "\"general\"", "\"locked\"", "\"box,stick\"", "\"up\"", "true", "false", "\"on\"",
    "[4, 10]", "[2, 3, 12]", "[]", "[[]]", "{ a = 1 }", "2023-10-01", "9999-12-31", "0000-01-01", "2024-02-30", "\"A\"",
    "\"FB-3\"", "\"1\"", "'''x'''", "\"\\u0000\"", "\"é\"", "\"\\uD800\"",
];

/// Settings of house keys, some of them lawful.
#[rustfmt::skip]
pub const HOUSES: &[&str] = &[
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
pub const AMOUNTS: &[&str] = &[
    "1", "5", "5", "6", "10", "10", "10", "12", "20", "20", "25", "30", "40", "60", "100", "0.25", "0.50", "7", "33.33",
    "1000", "1000000", "92233720368547758", "46116860184273879",
];

/// Picks a seat: mostly one of the first two, which are taken at the start; sometimes the third, which may be taken later, or any other.
pub fn seat(rng: &mut ChaCha8Rng) -> u32 {
    match rng.random_range(0..30) {
        0 => rng.random_range(0..20),
        1..4 => 3,
        _ => rng.random_range(1..3),
    }
}

pub fn amount(rng: &mut ChaCha8Rng) -> &'static str {
    if chance(rng, 25) { word(rng, AMOUNTS) } else { word(rng, &AMOUNTS[..16]) }
}

pub fn bet(rng: &mut ChaCha8Rng, names: &[String]) -> String {
    const USUAL: &[&str] = &[
        "P", "P", "P", "DP", "C", "C", "C", "DC", "DC", "PO", "DPO", "PL6", "PL8", "BY4", "LY4", "F", "HN", "H8",
        "FIRE",
    ];
    if chance(rng, 2) { word(rng, USUAL).to_owned() } else { pick(rng, names).clone() }
}

pub fn action(rng: &mut ChaCha8Rng, names: &[String]) -> String {
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

pub fn role(rng: &mut ChaCha8Rng) -> &'static str {
    pick(rng, &Role::ALL).name()
}

pub fn procedure(rng: &mut ChaCha8Rng, names: &[String]) -> String {
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
        5 => format!("@seat {} join Cy {}", rng.random_range(1..5), amount(rng)),
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

/// Makes a game that parses, under some book on some day.
pub fn made(rng: &mut ChaCha8Rng, names: &[String]) -> String {
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
    // Mostly both seats, so that a player who joins is not always the only shooter.
    let seats = match rng.random_range(0..8) {
        0 => "1 Ann 5000".to_owned(),
        1 => format!("2 Bo {rail}"),
        _ => format!("1 Ann 5000; 2 Bo {rail}"),
    };
    text.push_str(&format!(" [Seats \"{seats}\"]\n"));
    for number in 1..rng.random_range(2..14) {
        while chance(rng, 5) {
            text.push_str(&procedure(rng, names));
        }
        let mut shooter = if chance(rng, 4) { rng.random_range(1..4) } else { 1 };
        // A player sits down and may get the dice at once.
        if chance(rng, 12) {
            shooter = rng.random_range(1..5);
            text.push_str(&format!("@seat {shooter} join Di {}\n", amount(rng)));
        }
        text.push_str(&format!("{number}."));
        if !chance(rng, if number == 1 { 6 } else { 3 }) {
            text.push_str(&format!(" {shooter}:P+10"));
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
