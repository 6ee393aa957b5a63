//! Rail talk: every phrase in `talk/phrases.txt` means what the file says, every command prints as talk that parses back, and no line of talk
//! breaks the parser.
//!
//! `BOXPERSON_TALK_REWRITE=1` rewrites the file with what was understood, for review as a diff.
//! `BOXPERSON_FUZZ_RUNS=1000000` runs the long form of the random lines.

#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "a test that cannot go on should stop where it is")]

use craps_law::{Game, HouseRules, Library};
use craps_notation::set_up;
use craps_notation::talk::{AskBack, hear, meant, say};
use craps_table::{Actor, AfterWin, Called, Command, Instead, Manner, SlotId, Table};
use craps_wagers::Catalogue;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

fn here(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(file)
}

// ---- tables ----

/// Opens an empty table: a book, optionally with a game, and the house's choices.
fn house(book: &str, choices: &str) -> Table {
    let (id, game) = book.split_once('/').unwrap_or((book, ""));
    let law = LIBRARY.book(id).unwrap();
    let mut rules = HouseRules::plain(id, law.sample_day);
    if !game.is_empty() {
        rules.game = Game::find(game);
    }
    for choice in choices.split(';').map(str::trim).filter(|choice| !choice.is_empty()) {
        let (key, value) = choice.split_once('=').unwrap();
        rules.set(key, value).unwrap();
    }
    Table::open(law.admit(&rules).unwrap()).unwrap()
}

/// Sets up a position from its felt string.
fn position(book: &str, choices: &str, felt: &str) -> Table {
    let mut table = house(book, choices);
    let (_, events) = set_up(&table, felt).unwrap_or_else(|error| panic!("{felt}: {error}"));
    events.iter().for_each(|event| table.apply(event));
    table
}

// ---- what a line means, in the notation of games ----

/// Returns the commands of a line. Each order is read after the orders before it are carried out.
fn understood(table: &Table, line: &str) -> Result<Vec<(String, Vec<Command>)>, AskBack> {
    let mut table = table.clone();
    let mut all = Vec::new();
    for spoken in hear(line)? {
        let meaning = meant(&table, 1, &spoken)?;
        for command in &meaning.commands {
            // This test is about talk, so a refusal by the table doesn't matter.
            let _ = table.run(Actor::player(1), command);
        }
        all.push((meaning.echo, meaning.commands));
    }
    Ok(all)
}

fn written(table: &Table, command: &Command) -> String {
    let code = |slot: &SlotId| table.board().slot(*slot).code.clone();
    match command {
        Command::Bet { seat, slot, amount, manner } => {
            let cash = manner.cash.map(|cash| format!("!cash({cash})")).unwrap_or_default();
            let coupon = manner.coupon.map(|coupon| format!("!coupon({coupon})")).unwrap_or_default();
            format!("{seat}:{}+{amount}{cash}{coupon}", code(slot))
        }
        Command::TakeDown { seat, slot, amount } => format!("{seat}:{}-{amount}", code(slot)),
        Command::Call { seat, slot, called } => {
            let called = match called {
                Called::On => "on",
                Called::Off => "off",
                Called::Standard => "std",
            };
            format!("{seat}:{}!{called}", code(slot))
        }
        Command::Tell { seat, slot, after_win } => {
            let told = match after_win {
                AfterWin::Up => "up",
                AfterWin::Down => "down",
                AfterWin::Usual => "usual",
            };
            format!("{seat}:{}!{told}", code(slot))
        }
        Command::BuyIn { seat, money } => format!("@seat {seat} buy {money}"),
        Command::Leave { seat } => format!("@seat {seat} leave"),
        Command::PassDice => "@shooter pass-dice".to_owned(),
        Command::TakeDice { seat: Some(seat), decisions_only: false } => format!("# shooter {seat}"),
        Command::TakeDice { seat: Some(seat), decisions_only: true } => format!("# shooter {seat} decisions-only"),
        Command::DeclineDice { seat } => format!("@seat {seat} decline-dice"),
        other => panic!("not a player's: {other:?}"),
    }
}

/// Returns the right column for a phrase: its commands, with questions and other requests in angle brackets; or `?`, the word that was not clear,
/// and the first suggestion.
fn answer(table: &Table, line: &str) -> String {
    match understood(table, line) {
        Ok(all) => {
            let order = |(echo, commands): &(String, Vec<Command>)| match &commands[..] {
                [] => format!("<{echo}>"),
                commands => commands.iter().map(|command| written(table, command)).collect::<Vec<_>>().join(" "),
            };
            all.iter().map(order).collect::<Vec<_>>().join(" ")
        }
        Err(ask) => format!("? {} | {}", ask.word, ask.suggestions.first().cloned().unwrap_or_default()),
    }
}

struct Phrasebook {
    tables: BTreeMap<String, Table>,
    rows: Vec<(String, String, String)>,
}

/// Reads the file of phrases, and rewrites it if asked to.
fn phrasebook() -> Phrasebook {
    let file = here("tests/talk/phrases.txt");
    let text = std::fs::read_to_string(&file).unwrap();
    let rewrite = std::env::var("BOXPERSON_TALK_REWRITE").is_ok();
    let mut book = Phrasebook { tables: BTreeMap::new(), rows: Vec::new() };
    let mut anew = String::new();
    for line in text.lines() {
        if line.trim().is_empty() || line.starts_with('#') {
            writeln!(anew, "{line}").unwrap();
            continue;
        }
        let cells: Vec<&str> = line.splitn(3, '|').map(str::trim).collect();
        if let Some(name) = cells[0].strip_prefix("@") {
            let [rules, felt] = cells[1..] else { panic!("{line}") };
            let (law, choices) = rules.split_once(' ').unwrap_or((rules, ""));
            book.tables.insert(name.trim().to_owned(), position(law, choices, felt));
            writeln!(anew, "{line}").unwrap();
            continue;
        }
        let (situation, phrase) = (cells[0], cells[1]);
        let expected = cells.get(2).copied().unwrap_or_default().to_owned();
        let table = book.tables.get(situation).unwrap_or_else(|| panic!("no such table: {line}"));
        writeln!(anew, "{situation:<6} | {phrase:<48} | {}", answer(table, phrase)).unwrap();
        book.rows.push((situation.to_owned(), phrase.to_owned(), expected));
    }
    if rewrite {
        let tidy: Vec<&str> = anew.lines().map(str::trim_end).collect();
        std::fs::write(&file, tidy.join("\n") + "\n").unwrap();
    }
    book
}

fn is_asked_back(expected: &str) -> bool {
    expected.starts_with('?')
}

#[test]
fn every_phrase_means_what_stands_beside_it() {
    let book = phrasebook();
    let differs = |(situation, phrase, expected): &(String, String, String)| {
        let found = answer(&book.tables[situation], phrase);
        let message = understood(&book.tables[situation], phrase).map_or_else(|ask| ask.to_string(), |_| String::new());
        (found.trim_end() != expected.trim_end())
            .then(|| format!("{situation} | {phrase}\n  expected {expected}\n  found    {found}  {message}"))
    };
    let differences: Vec<String> = book.rows.iter().filter_map(differs).collect();
    assert!(differences.is_empty(), "{} phrases differ\n{}", differences.len(), differences.join("\n"));
}

#[test]
fn there_are_four_hundred_phrases_that_mean_something_and_a_hundred_that_are_asked_back() {
    let book = phrasebook();
    let asked = book.rows.iter().filter(|(_, _, expected)| is_asked_back(expected)).count();
    let understood = book.rows.len() - asked;
    eprintln!("talk: {understood} phrases understood, {asked} asked back");
    assert!(understood >= 400 && asked >= 100, "{understood} and {asked}");
    let different: BTreeSet<(&str, &str)> =
        book.rows.iter().map(|(situation, phrase, _)| (situation.as_str(), phrase.as_str())).collect();
    assert_eq!(different.len(), book.rows.len(), "a phrase appears twice at one table");
}

/// A refusal offers alternatives in rail talk. Each phrase must mean the very command that the alternative is.
#[test]
fn what_a_refusal_offers_to_say_means_the_command_that_it_offers() {
    let (mut bets, mut adds, mut all_down, mut parts) = (0, 0, 0, 0);
    for (name, table) in phrasebook().tables {
        let stakes = ["0.01", "1", "7", "13", "101", "90000"].map(|stake| stake.parse().unwrap());
        let commands = table.board().slots().flat_map(|(slot, _)| {
            let bet = |amount| Command::Bet { seat: 1, slot, amount, manner: Manner::default() };
            let down = |amount| Command::TakeDown { seat: 1, slot, amount };
            let calls = [Called::On, Called::Off].map(|called| Command::Call { seat: 1, slot, called });
            stakes.map(bet).into_iter().chain(stakes.map(down)).chain(calls)
        });
        for command in commands {
            let Err(refusal) = table.clone().run(Actor::player(1), &command) else { continue };
            for instead in &refusal.instead {
                let Some((phrase, (_, offered))) = instead.say().zip(instead.command()) else { continue };
                let meant = understood(&table, &phrase).unwrap_or_else(|ask| panic!("{name}: {phrase}: {ask}"));
                let commands: Vec<Command> = meant.into_iter().flat_map(|(_, commands)| commands).collect();
                assert_eq!(commands, [offered], "{name}: {phrase}");
                match instead {
                    Instead::Bet { adds: true, .. } => adds += 1,
                    Instead::Bet { .. } => bets += 1,
                    Instead::TakeDown { all: true, .. } => all_down += 1,
                    Instead::TakeDown { .. } => parts += 1,
                    Instead::Wait(_) => {}
                }
            }
        }
    }
    eprintln!("refusals: {bets} bets, {adds} additions, {all_down} whole bets down, {parts} parts of bets down");
    assert!(bets > 100 && adds > 10 && all_down > 10 && parts > 0, "{bets}, {adds}, {all_down}, {parts}");
}

#[test]
fn the_phrases_speak_of_every_wager_of_the_catalogue() {
    let book = phrasebook();
    let mut spoken: BTreeSet<&'static str> = BTreeSet::new();
    for (situation, phrase, _) in &book.rows {
        let table = &book.tables[situation];
        for (_, commands) in understood(table, phrase).unwrap_or_default() {
            spoken.extend(commands.iter().filter_map(slot_of).map(|slot| table.board().slot(slot).wager.wager().slug));
        }
    }
    let missing: Vec<&str> =
        Catalogue::built_in().all().map(|id| id.wager().slug).filter(|slug| !spoken.contains(slug)).collect();
    assert!(missing.is_empty(), "no phrase is about {missing:?}");
}

fn slot_of(command: &Command) -> Option<SlotId> {
    match command {
        Command::Bet { slot, .. }
        | Command::TakeDown { slot, .. }
        | Command::Call { slot, .. }
        | Command::Tell { slot, .. } => Some(*slot),
        _ => None,
    }
}

/// A question back points at a word in the line, and each of its suggestions can be said as it is.
#[test]
fn what_is_asked_back_points_into_the_line_and_suggests_what_is_understood() {
    let book = phrasebook();
    for (situation, phrase, expected) in book.rows.iter().filter(|(_, _, expected)| is_asked_back(expected)) {
        if let Err(ask) = hear(phrase) {
            assert_eq!(phrase.get(ask.span.clone()), Some(ask.word.as_str()), "{phrase}: {ask:?}");
        }
        let ask = understood(&book.tables[situation], phrase).expect_err(expected);
        assert!(phrase.get(ask.span.clone()).is_some() && !ask.suggestions.is_empty(), "{phrase}: {ask:?}");
        for suggestion in &ask.suggestions {
            assert!(hear(suggestion).is_ok(), "{phrase}: suggests `{suggestion}`: {:?}", hear(suggestion));
        }
    }
}

/// The echo of an order is itself talk. Saying it does the same.
#[test]
fn an_echo_said_again_does_the_same() {
    let book = phrasebook();
    for (situation, phrase, _) in book.rows.iter().filter(|(_, phrase, _)| !phrase.contains([';', '.'])) {
        let table = &book.tables[situation];
        let Ok(spoken) = hear(phrase) else { continue };
        let [spoken] = &spoken[..] else { continue };
        let Ok(meaning) = meant(table, 1, spoken) else { continue };
        let echo = meaning.echo.rsplit(": ").next().unwrap();
        let again = hear(echo).unwrap_or_else(|ask| panic!("{phrase} is echoed as {echo}: {ask}"));
        let again: Vec<Command> = again.iter().flat_map(|spoken| meant(table, 1, spoken).unwrap().commands).collect();
        assert_eq!(again, meaning.commands, "{phrase} is echoed as {echo}");
    }
}

// ---- every bet of every book ----

/// Opens tables of every book for every game it has, with every bet it may offer.
fn every_table() -> Vec<(String, Table)> {
    let mut all = Vec::new();
    for law in &LIBRARY.books {
        for game in Game::ALL {
            let mut rules = HouseRules::plain(&law.id, law.sample_day);
            rules.set("offer", "all").unwrap();
            rules.game = Some(*game);
            let Ok(rules) = law.admit(&rules) else { continue };
            let name = format!("{} {game}", law.id);
            let mut table = Table::open(rules).unwrap();
            let money = "1000000".parse().unwrap();
            table.run(Actor::player(1), &Command::Join { seat: 1, name: "Ann".to_owned(), money }).unwrap();
            all.push((name, table));
        }
    }
    all
}

fn reads_back(name: &str, table: &Table, command: &Command) {
    let text = say(table, command).unwrap_or_else(|| panic!("{name}: nothing said for {command:?}"));
    let spoken = hear(&text).unwrap_or_else(|ask| panic!("{name}: `{text}`: {ask}"));
    let commands: Vec<Command> = spoken
        .iter()
        .flat_map(|spoken| meant(table, 1, spoken).unwrap_or_else(|ask| panic!("{name}: `{text}`: {ask}")).commands)
        .collect();
    assert_eq!(commands, *std::slice::from_ref(command), "{name}: `{text}`");
}

#[test]
fn every_command_on_every_bet_of_every_book_prints_to_talk_that_reads_back() {
    let tables = every_table();
    assert!(tables.len() >= LIBRARY.books.len());
    let stake = |text: &str| text.parse().unwrap();
    let mut count = 0;
    for (name, table) in &tables {
        for (slot, _) in table.board().slots() {
            let manners = [
                Manner::default(),
                Manner { cash: Some(stake("20")), ..Manner::default() },
                Manner { coupon: Some(stake("7.50")), ..Manner::default() },
                Manner { cash: Some(stake("100")), coupon: Some(stake("5")), late: None },
            ];
            let mut commands: Vec<Command> = Vec::new();
            for amount in ["1", "6", "8", "12", "12.50", "100", "1234567"] {
                let amount = stake(amount);
                commands.extend(manners.iter().map(|manner| Command::Bet {
                    seat: 1,
                    slot,
                    amount,
                    manner: manner.clone(),
                }));
                commands.push(Command::TakeDown { seat: 1, slot, amount });
            }
            for called in [Called::On, Called::Off, Called::Standard] {
                commands.push(Command::Call { seat: 1, slot, called });
            }
            for after_win in [AfterWin::Up, AfterWin::Down, AfterWin::Usual] {
                commands.push(Command::Tell { seat: 1, slot, after_win });
            }
            count += commands.len();
            commands.iter().for_each(|command| reads_back(name, table, command));
        }
        for command in [
            Command::BuyIn { seat: 1, money: stake("250.50") },
            Command::Leave { seat: 1 },
            Command::PassDice,
            Command::TakeDice { seat: Some(1), decisions_only: false },
            Command::TakeDice { seat: Some(1), decisions_only: true },
            Command::DeclineDice { seat: 1 },
        ] {
            reads_back(name, table, &command);
        }
    }
    eprintln!("talk: {count} commands on {} tables read back", tables.len());
}

/// A whole bet comes down without naming the amount.
#[test]
fn a_whole_bet_comes_down_by_its_name() {
    let table = position("pa", "offer=all", "r1_out_s1_1.5000.PL6~12");
    let slot = table.board().named("PL6").unwrap();
    let command = Command::TakeDown { seat: 1, slot, amount: "12".parse().unwrap() };
    assert_eq!(say(&table, &command).as_deref(), Some("take down place six"));
    reads_back("pa", &table, &command);
    let late = Manner { late: Some(Vec::new()), ..Manner::default() };
    assert_eq!(say(&table, &Command::Bet { seat: 1, slot, amount: "12".parse().unwrap(), manner: late }), None);
}

// ---- random lines ----

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "press", "half press", "regress", "take down", "down", "move", "same bet", "leave", "up", "off", "on", "working", "as usual",
    "when it wins", "odds", "max", "behind", "lay", "buy", "place", "put", "hard", "hop", "big", "no", "come", "don't come", "pass",
    "line", "don't", "field", "yo", "horn high", "world", "C and E", "any craps", "inside", "across", "outside", "hardways",
    "everything", "it", "each", "together", "for", "with", "cash", "coupon", "two-way", "for the boys", "the", "my", "and", ",", ";",
    ".", "?", "what if", "why", "odds on", "what does", "pay", "roll", "undo", "buy in", "six", "8", "twelve", "3-1", "3-4-5", "10x",
    "$5", "12.50", "5.5", "0", "a", "nickel", "quarters", "hundred", "thousand", "minimum", "the maximum", "PL6", "come-8", "c8o",
    "99999999999999999999", "92233720368547758.07", "1,000,000", "to", "by", "a unit", "units", "when", "wins", "take it down", "all",
    "small tall all", "one time", "please", "-", "—", "é", "\u{0}", "\n", "'", "’", "$", "%", "hi-lo", "sixx", "feild",
];

/// Makes a line of talk that may or may not mean something.
fn line(rng: &mut ChaCha8Rng, phrases: &[String]) -> String {
    let word = |rng: &mut ChaCha8Rng| WORDS[rng.random_range(0..WORDS.len())];
    match rng.random_range(0..10) {
        0 => {
            let signs: Vec<char> = "aeioxyz 019,;.-$'?:+é—\u{200b}😀\n\t".chars().collect();
            (0..rng.random_range(0..40)).map(|_| signs[rng.random_range(0..signs.len())]).collect()
        }
        1..4 => (0..rng.random_range(1..12)).map(|_| word(rng)).collect::<Vec<_>>().join(" "),
        _ => {
            let mut chars: Vec<char> = phrases[rng.random_range(0..phrases.len())].chars().collect();
            for _ in 0..rng.random_range(0..3) {
                let at = rng.random_range(0..=chars.len());
                match rng.random_range(0..4) {
                    0 if at < chars.len() => {
                        chars.remove(at);
                    }
                    1 if at + 1 < chars.len() => chars.swap(at, at + 1),
                    2 => chars.insert(at, char::from(rng.random_range(32..127u8))),
                    _ => {
                        let inserted: Vec<char> = format!(" {} ", word(rng)).chars().collect();
                        chars.splice(at..at, inserted);
                    }
                }
            }
            chars.into_iter().collect()
        }
    }
}

#[test]
fn no_line_of_talk_breaks_the_reader() {
    let book = phrasebook();
    let phrases: Vec<String> = book.rows.iter().map(|(_, phrase, _)| phrase.clone()).collect();
    let tables: Vec<&Table> = book.tables.values().collect();
    let runs = std::env::var("BOXPERSON_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(5_000u32);
    let (start, mut rng) = (std::time::Instant::now(), ChaCha8Rng::seed_from_u64(7));
    let (mut read, mut commanded) = (0u32, 0u32);
    for _ in 0..runs {
        let text = line(&mut rng, &phrases);
        let table = tables[rng.random_range(0..tables.len())];
        match hear(&text) {
            Ok(all) => {
                read += 1;
                for spoken in all {
                    assert!(text.get(spoken.span.clone()).is_some_and(|said| !said.is_empty()), "{text:?}: {spoken:?}");
                    match meant(table, 1, &spoken) {
                        Ok(meaning) => {
                            commanded += u32::from(!meaning.commands.is_empty());
                            for command in &meaning.commands {
                                assert!(say(table, command).is_some(), "{text:?}: {command:?}");
                            }
                        }
                        Err(ask) => suggestions_are_understood(&text, &ask),
                    }
                }
            }
            Err(ask) => {
                assert_eq!(text.get(ask.span.clone()), Some(ask.word.as_str()), "{text:?}");
                suggestions_are_understood(&text, &ask);
            }
        }
    }
    eprintln!("talk: {runs} lines in {:.1?}, {read} read, {commanded} orders with commands", start.elapsed());
}

fn suggestions_are_understood(text: &str, ask: &AskBack) {
    assert!(!ask.suggestions.is_empty(), "{text:?}: {ask:?}");
    for suggestion in &ask.suggestions {
        assert!(hear(suggestion).is_ok(), "{text:?}: suggests {suggestion:?}: {:?}", hear(suggestion));
    }
}

// ---- the documentation ----

/// In each table row of `docs/rail-talk.md`, every phrase in backticks on the left means what the right column says.
#[test]
fn the_examples_of_the_document_are_true() {
    let file = here("../../docs/rail-talk.md");
    let text = std::fs::read_to_string(&file).unwrap();
    let table = position("pa", "offer=all; odds.k=3-4-5", "r4_pt6_s1_1.2000.P~10.C8~10.PL5~10.PL8~12.H8~5");
    let (mut tried, mut differences, mut anew) = (0, Vec::new(), String::new());
    for row in text.lines() {
        let Some((said, expected)) = row.strip_prefix("| ").and_then(|row| row.split_once(" | ")) else {
            writeln!(anew, "{row}").unwrap();
            continue;
        };
        let phrases: Vec<&str> = said.split('`').skip(1).step_by(2).collect();
        let mut meanings: Vec<String> =
            phrases.iter().map(|phrase| answer(&table, phrase).replace(" | ", ": ")).collect();
        tried += phrases.len();
        let expected = expected.trim_matches([' ', '|', '`']);
        let differs = |(phrase, found): (&&str, &String)| {
            (found != expected).then(|| format!("{phrase}: expected {expected}, found {found}"))
        };
        differences.extend(phrases.iter().zip(&meanings).filter_map(differs));
        meanings.dedup();
        let first = if phrases.is_empty() { expected.to_owned() } else { format!("`{}`", meanings.join("` `")) };
        writeln!(anew, "| {said} | {first} |").unwrap();
    }
    if std::env::var("BOXPERSON_TALK_REWRITE").is_ok() {
        std::fs::write(&file, anew).unwrap();
    }
    assert!(differences.is_empty() && tried >= 100, "{tried} tried\n{}", differences.join("\n"));
}
