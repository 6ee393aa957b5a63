//! `boxperson bot`: a table on standard input and output, for programs in any language.
//!
//! A bot sends the same lines that a player types. Each line gets one line of JSON as its answer. Amounts are integers in cents, chances
//! are fractions.

use crate::failure::Failure;
use crate::play::rail::{Rail, Reply, Ways};
use crate::play::{GameArgs, sit_down};
use craps_dice::Throw;
use craps_law::{Cites, Library};
use craps_money::Money;
use craps_notation::{felt_string, talk};
use craps_table::{Command, Instead, SeatId, Shooter, Table, Verdict};
use craps_wagers::Phase;
use serde_json::{Value, json};
use std::io::{BufRead as _, Write as _};
use std::process::ExitCode;

/// Arguments of `boxperson bot`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,
}

const EXAMPLES: &str = "\
Each line gets one line of JSON as its answer:
  book                  the rules: book, day, game, lowest chip, wagers with their prices
  felt                  the position: point, shooter, chips, bets, and the felt string
  legal [SEAT]          every bet with its range and step, or why it is closed
  outcomes [SEAT]       the net result of each possible roll
  act [SEAT:] TALK      rail talk, such as `act 12 on the six; odds 50`
  act SEAT:BET+AMT      an action of the notation, such as `act 1:PL6+12`
  dice [D-D]            roll the table's own dice, or these
  why [ROLL[.N]]        the explanation of a result
  game                  the game so far, as CGN
  help, quit

Example:
  printf 'act pass 10\\ndice 4-2\\nfelt\\nquit\\n' | boxperson bot --house nj";

/// Runs `bot`.
pub(crate) fn run(library: &Library, args: &Args) -> Result<ExitCode, Failure> {
    let mut rail = sit_down(library, &args.game, Ways::default(), None)?;
    rail.save()?;
    let (stdin, mut out) = (std::io::stdin().lock(), std::io::stdout().lock());
    for line in stdin.split(b'\n') {
        let line = line?;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let (answer, goes_on) = answered(&mut rail, line)?;
        writeln!(out, "{answer}")?;
        out.flush()?;
        if !goes_on {
            return Ok(ExitCode::SUCCESS);
        }
    }
    rail.save()?;
    Ok(ExitCode::SUCCESS)
}

/// Answers one line. The second value is false when the game is over.
pub(crate) fn answered(rail: &mut Rail<'_>, line: &str) -> Result<(Value, bool), Failure> {
    let (verb, rest) = line.split_once(char::is_whitespace).map_or((line, ""), |(verb, rest)| (verb, rest.trim()));
    let answer = match verb {
        "book" => book(rail.table()),
        "felt" => felt(rail),
        "legal" => match seat(rail, rest) {
            Ok(seat) => legal(rail.table(), seat),
            Err(wrong) => wrong,
        },
        "outcomes" => match seat(rail, rest) {
            Ok(seat) => outcomes(rail.table(), seat),
            Err(wrong) => wrong,
        },
        "act" => {
            let replies = match written(rail.table(), rest) {
                Some(Ok((seat, commands))) if rail.speak_for(seat) => {
                    let said: Vec<String> =
                        commands.iter().filter_map(|command| talk::say(rail.table(), command)).collect();
                    rail.confirmed(&said.join("; "), &commands)?
                }
                Some(Ok((seat, _))) => return Ok((error(&format!("Seat {seat} is empty.")), true)),
                Some(Err(message)) => return Ok((error(&message), true)),
                None => rail.hear(rest)?,
            };
            let goes_on = !replies.contains(&Reply::Bye);
            return Ok((replied(&replies), goes_on));
        }
        "dice" if rest.is_empty() => replied(&rail.roll()?),
        "dice" => match rest.parse::<Throw>() {
            Ok(dice) => replied(&rail.throw(dice)?),
            Err(_) => error(&format!("expected two dice such as 4-2, found `{rest}`")),
        },
        "why" => replied(&rail.hear(line)?),
        "game" => json!({ "ok": true, "cgn": rail.session().text() }),
        "help" => json!({ "ok": true, "help": EXAMPLES }),
        "quit" => return Ok((json!({ "ok": true, "bye": true }), false)),
        other => error(&format!(
            "unknown command `{other}`: expected book, felt, legal, outcomes, act, dice, why, game, help or quit"
        )),
    };
    Ok((answer, true))
}

fn error(message: &str) -> Value {
    json!({ "ok": false, "error": { "message": message } })
}

fn seat(rail: &Rail<'_>, word: &str) -> Result<SeatId, Value> {
    if word.is_empty() {
        return Ok(rail.seat());
    }
    let seat = word.parse().map_err(|_| error(&format!("expected a seat such as 1, found `{word}`")))?;
    rail.table().seat(seat).map(|_| seat).ok_or_else(|| error(&format!("Seat {seat} is empty.")))
}

/// Reads an action in the notation, such as `1:PL6+12`. Returns `None` if the text is rail talk.
fn written(table: &Table, text: &str) -> Option<Result<(SeatId, Vec<Command>), String>> {
    let (head, rest) = text.split_once(':')?;
    head.trim().parse::<SeatId>().ok()?;
    let is_action = !rest.starts_with(char::is_whitespace) && rest.contains(['+', '-', '!']) && !rest.contains(' ');
    let read = || craps_notation::action(table, text).map(|(seat, command)| (seat, vec![command]));
    is_action.then(|| read().map_err(|error| error.to_string()))
}

fn cents(money: Money) -> i64 {
    money.minor()
}

fn cites(cites: &Cites) -> Value {
    cites.iter().map(ToString::to_string).collect()
}

/// Writes replies as JSON. `ok` is false if anything was refused or not understood.
fn replied(replies: &[Reply]) -> Value {
    let ok = !replies.iter().any(|reply| matches!(reply, Reply::Refused(_) | Reply::Asked { .. }));
    json!({ "ok": ok, "replies": replies.iter().map(reply).collect::<Vec<_>>() })
}

fn reply(reply: &Reply) -> Value {
    match reply {
        Reply::Done(echo) => json!({ "done": echo }),
        Reply::Refused(refusal) => json!({ "refused": {
            "message": refusal.sentence(), "ground": refusal.ground.name(), "code": refusal.code.name(),
            "key": refusal.key(), "cite": cites(refusal.cites()),
            "instead": refusal.instead.iter().filter_map(Instead::say).collect::<Vec<_>>(),
        } }),
        Reply::Asked { line, ask } => {
            let column = line.get(..ask.span.start).map_or(0, |text| text.chars().count()) + 1;
            json!({ "asked": {
                "message": ask.message, "word": ask.word, "column": column, "suggestions": ask.suggestions,
            } })
        }
        Reply::Called(rolled, call) => json!({ "thrown": {
            "roll": rolled.number,
            "dice": rolled.dice.to_string(),
            "total": rolled.dice.total().value(),
            "mark": rolled.mark.map(String::from),
            "shooter": rolled.shooter.and_then(seat_of),
            "call": call,
        } }),
        Reply::Result(line) => json!({ "result": {
            "why": format!("{}.{}", line.reference.0, line.reference.1),
            "seat": line.seat,
            "bet": line.bet,
            "outcome": outcome(&line.verdict),
            "net": cents(line.net),
            "to": line.to,
        } }),
        Reply::Answer(answer) => json!({ "answer": answer }),
        Reply::Coach(advice) => json!({ "coach": advice }),
        Reply::Confirm(question) => json!({ "confirm": question }),
        Reply::Bye => json!({ "bye": true }),
    }
}

fn outcome(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Won { .. } => "won",
        Verdict::Credited { .. } => "credited",
        Verdict::Lost => "lost",
        Verdict::Returned => "returned",
        Verdict::Moved { .. } => "moved",
    }
}

fn seat_of(shooter: Shooter) -> Option<SeatId> {
    match shooter {
        Shooter::Seat(seat) => Some(seat),
        Shooter::Dealer => None,
    }
}

fn book(table: &Table) -> Value {
    let rules = table.rules();
    let wagers: Vec<Value> = rules
        .wagers
        .iter()
        .map(|wager| {
            let pays: Vec<Value> = wager
                .prizes
                .is
                .iter()
                .map(|(rank, prize)| json!({ "rank": wager.wager.wager().ranks.name(rank), "pays": prize.to_string() }))
                .collect();
            json!({ "wager": wager.wager.to_string(), "name": wager.name, "pays": pays, "cite": cites(&wager.prizes.cites) })
        })
        .collect();
    json!({
        "ok": true, "book": rules.book, "as_of": rules.as_of.to_string(), "game": rules.game.word(),
        "chip": rules.rounding.chip.minor(), "wagers": wagers,
    })
}

fn felt(rail: &Rail<'_>) -> Value {
    let table = rail.table();
    let seats: Vec<Value> = table
        .seats()
        .map(|(id, seat)| {
            let bets: Vec<Value> = seat
                .bets
                .standing()
                .map(|(slot, bet)| {
                    let place = table.board().slot(slot);
                    json!({
                        "bet": place.name, "code": place.code, "stake": cents(bet.stake),
                        "works": table.works(id, slot),
                    })
                })
                .collect();
            json!({ "seat": id, "name": seat.name, "rail": cents(seat.rail), "bets": bets })
        })
        .collect();
    let point = match table.phase() {
        Phase::Point(point) => Some(point.value()),
        _ => None,
    };
    let roll = rail.session().next_roll();
    json!({
        "ok": true, "roll": roll, "point": point, "shooter": table.shooter().and_then(seat_of), "seats": seats,
        "felt": felt_string(table, roll),
    })
}

fn legal(table: &Table, seat: SeatId) -> Value {
    let bets: Vec<Value> = table
        .legal(seat)
        .iter()
        .map(|legal| {
            let place = table.board().slot(legal.slot);
            match &legal.terms {
                Ok(terms) => json!({
                    "bet": place.name, "code": place.code, "open": true, "min": cents(terms.min),
                    "max": terms.max.map(cents), "step": terms.multiple.minor(), "standing": cents(terms.standing),
                    "cite": cites(&terms.cites),
                }),
                Err(refusal) => json!({
                    "bet": place.name, "code": place.code, "open": false, "reason": refusal.sentence(),
                    "cite": cites(refusal.cites()),
                }),
            }
        })
        .collect();
    json!({ "ok": true, "seat": seat, "legal": bets })
}

fn outcomes(table: &Table, seat: SeatId) -> Value {
    let each: Vec<Value> = table
        .outcomes(seat)
        .iter()
        .map(|outcome| {
            let chance = if outcome.dice.is_hard() { "1/36" } else { "1/18" };
            json!({ "dice": outcome.dice.to_string(), "p": chance, "net": cents(outcome.net) })
        })
        .collect();
    json!({ "ok": true, "seat": seat, "outcomes": each })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[rustfmt::skip]
    const WORDS: &[&str] = &[
        "act", "act", "act", "act", "dice", "dice", "felt", "legal", "outcomes", "why", "book", "game", "help", "pass", "come",
        "don't", "six", "eight", "hard", "yo", "odds", "max", "press", "half", "regress", "take", "down", "my", "all", "off",
        "on", "working", "undo", "redo", "repeat", "clear", "roll", "across", "inside", "64", "22", "5", "10", "12", "0", "-1",
        "99999999999999999999", "0.01", "92233720368547758.07", ";", ",", "what", "if", "seven", "can", "i", "bet", "1:", "2:",
        "9:", "1:P+10", "1:PL6+12", "1:P-10", "1:PL6!off", "2:FIRE+5", "1:C8O+", "1:XX+5", "4-2", "7-7", "3.1", "1.", "fire",
        "small", "tall", "horn", "buy", "lay", "put", "leave", "buy in for", "yes", "no", "the", "$", "é", "\u{2028}", "{", "\"", "\0",
    ];

    #[rustfmt::skip]
    const LINES: &[&str] = &[
        "act pass 10", "act 1:P+10", "act 2: don't pass 10", "act 1:", "act 2:", "dice", "dice", "dice 4-2", "act max odds",
        "act 12 on the six", "act come 10; field 5", "act press my six", "act 64 across", "act hard ways 20", "act take down all",
        "act place bets working", "act fire 5; small 5", "act repeat", "act undo", "act redo", "act clear", "act buy 4 for 20",
        "act lay 10 for 40", "act 1:PL8+12", "act 1:C+10", "act pass the dice", "act why", "act what if seven", "act buy in for 100",
        "felt", "legal", "legal 2", "outcomes", "why 1.1", "act leave the table",
    ];

    fn line(rng: &mut ChaCha8Rng) -> String {
        if rng.random_range(0..2) == 0 {
            return LINES[rng.random_range(0..LINES.len())].to_owned();
        }
        let words = rng.random_range(1..7);
        let mut text = String::new();
        for _ in 0..words {
            match rng.random_range(0..30) {
                0 => text.push(char::from_u32(rng.random_range(0..0x11_0000)).unwrap_or(' ')),
                _ => text.push_str(WORDS[rng.random_range(0..WORDS.len())]),
            }
            if rng.random_range(0..12) != 0 {
                text.push(' ');
            }
        }
        text.replace('\n', " ")
    }

    /// Random lines: each gets one line of JSON, no money is created or lost, and the resulting game checks clean.
    /// `BOXPERSON_FUZZ_RUNS` sets the number of lines.
    #[test]
    fn no_line_breaks_the_protocol() {
        let runs = std::env::var("BOXPERSON_FUZZ_RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(4_000u64);
        let library = Library::shipped();
        let mut rng = ChaCha8Rng::seed_from_u64(4);
        let (mut said, mut bets) = (0, 0);
        while said < runs {
            let book = &library.books[rng.random_range(0..library.books.len())];
            let args = crate::play::practice_args(&book.id, rng.random());
            let mut rail = sit_down(&library, &args, Ways::default(), None).unwrap();
            for _ in 0..100 {
                said += 1;
                let line = line(&mut rng);
                let (answer, goes_on) = answered(&mut rail, line.trim()).unwrap();
                assert!(answer["ok"].is_boolean(), "{line}: {answer}");
                assert!(rail.table().is_conserved(), "{line}");
                if !goes_on {
                    break;
                }
            }
            bets += rail.session().text().matches("+").count();
            let text = rail.session().text();
            let games = craps_notation::read(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            let played =
                craps_notation::play(&library, &games, craps_notation::Names::Codes, &craps_notation::no_house_files);
            assert!(played.is_ok_and(|games| games[0].differences.is_empty()), "{text}");
        }
        assert!(bets > 100, "only {bets} bets were made");
    }
}
