//! The practice table without a screen: it reads and prints lines, for a pipe, a script, a screen reader or a small terminal.

use super::answers::signed;
use super::rail::{Rail, Reply};
use crate::failure::Failure;
use craps_money::Money;
use craps_table::{SeatId, Verdict};
use craps_wagers::Phase;
use rustix::io::Errno;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// Plays until the input ends or a player quits. The game is saved after every order, so a signal can end the program at any time.
pub(crate) fn run(mut rail: Rail<'_>) -> Result<ExitCode, Failure> {
    // Ask now, because a closed terminal no longer counts as a terminal.
    let terminal = std::io::stdin().is_terminal() || std::io::stdout().is_terminal();
    let ended = play(&mut rail);
    rail.save()?;
    match ended {
        // A closed terminal can't be read or written. Treat that as the end of the input.
        Err(Failure::Output(error)) if terminal && error.raw_os_error() == Some(Errno::IO.raw_os_error()) => {}
        ended => ended?,
    }
    Ok(ExitCode::SUCCESS)
}

fn play(rail: &mut Rail<'_>) -> Result<(), Failure> {
    let (stdin, mut out) = (std::io::stdin(), std::io::stdout());
    let prompts = stdin.is_terminal();
    writeln!(out, "{}", status(rail))?;
    if prompts {
        writeln!(out, "Type `help` to play a first hand.")?;
    }
    let mut line = Vec::new();
    loop {
        if prompts {
            write!(out, "> ")?;
        }
        out.flush()?;
        line.clear();
        if stdin.lock().read_until(b'\n', &mut line)? == 0 {
            break;
        }
        // Bytes that aren't UTF-8 are answered like any unknown word.
        let replies = rail.hear(&String::from_utf8_lossy(&line))?;
        for reply in &replies {
            writeln!(out, "{}", text(rail, reply))?;
        }
        let thrown = replies.iter().any(|reply| matches!(reply, Reply::Called(..)));
        if replies.contains(&Reply::Bye) {
            return Ok(());
        }
        if thrown {
            writeln!(out, "{}", status(rail))?;
        }
    }
    Ok(())
}

/// Describes the game in one line: book, puck, everyone's chips, and what the next roll can win or lose.
pub(crate) fn status(rail: &Rail<'_>) -> String {
    let table = rail.table();
    let puck = match table.phase() {
        Phase::Point(point) => format!("ON {point}"),
        _ => "OFF".to_owned(),
    };
    let rails: Vec<String> = table.seats().map(|(_, seat)| format!("{} {}", seat.name, seat.rail)).collect();
    let mut parts = vec![table.rules().book.to_uppercase(), puck, rails.join(", ")];
    let risk = risk(rail, rail.seat());
    if !risk.is_empty() {
        parts.push(risk);
    }
    parts.join(" | ")
}

/// Lists the totals that would win or lose something, with the net result.
fn risk(rail: &Rail<'_>, seat: SeatId) -> String {
    let moved = rail.table().exposure(seat).into_iter().filter(|(_, net)| *net != Money::ZERO);
    moved.map(|(name, net)| format!("{name} {}", signed(net))).collect::<Vec<_>>().join("  ")
}

/// Writes a reply as text.
pub(crate) fn text(rail: &Rail<'_>, reply: &Reply) -> String {
    match reply {
        Reply::Done(echo) => format!("ok: {echo}"),
        Reply::Refused(refusal) => rail.refused(refusal),
        Reply::Asked { line, ask } => {
            let before = line.get(..ask.span.start).map_or(0, |text| text.chars().count());
            let under = line.get(ask.span.clone()).map_or(1, |text| text.chars().count().max(1));
            format!("  {line}\n  {}{}\n{ask}", " ".repeat(before), "^".repeat(under))
        }
        Reply::Called(rolled, call) => {
            let mark = rolled.mark.map(String::from).unwrap_or_default();
            let call = call.as_deref().map(|call| format!("  {call}")).unwrap_or_default();
            format!("{}. {}{mark}{call}", rolled.number, rolled.dice)
        }
        Reply::Result(line) => {
            let others = rail.table().seats().count() > 1;
            let who = if others { format!("{}: ", line.player) } else { String::new() };
            let sign = match line.verdict {
                Verdict::Won { .. } | Verdict::Credited { .. } => "won",
                Verdict::Lost => "lost",
                Verdict::Returned => "push",
                Verdict::Moved { .. } => "moved",
            };
            format!("   {sign:<5} {who}{line}")
        }
        Reply::Answer(answer) => answer.clone(),
        Reply::Coach(advice) => format!("coach: {advice}"),
        Reply::Confirm(question) => question.clone(),
        Reply::Bye => "Goodbye.".to_owned(),
    }
}
