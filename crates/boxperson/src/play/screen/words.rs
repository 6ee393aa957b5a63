//! Texts of the screen: the selected area, the keys that work now, and what the next roll can win or lose.

use super::state::{Mode, Screen};
use crate::play::answers;
use craps_money::Money;
use craps_notation::Rolled;
use craps_table::{Actor, Command, Shooter, Table};
use craps_wagers::{Family, Phase};

/// Cuts a text to a width. A cut text ends in `…`.
pub(crate) fn fit(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    let cut: String = text.chars().take(width.saturating_sub(1)).collect();
    if width == 0 { cut } else { format!("{cut}…") }
}

/// Lists the latest rolls with their marks, as many as fit, the latest at the end.
pub(crate) fn last_throws(thrown: &[Rolled], width: usize) -> String {
    let mut text = String::new();
    for rolled in thrown.iter().rev() {
        let one = format!("{}{}", rolled.dice, rolled.mark.map(String::from).unwrap_or_default());
        if text.chars().count() + one.chars().count() + 1 > width {
            break;
        }
        text = if text.is_empty() { one } else { format!("{one} {text}") };
    }
    text
}

/// Returns the name of the shooter.
pub(crate) fn shooter(table: &Table) -> String {
    match table.shooter().or_else(|| table.implied_shooter()) {
        Some(Shooter::Seat(seat)) => table.seat(seat).map(|seat| seat.name.clone()).unwrap_or_default(),
        Some(Shooter::Dealer) => "the dealer".to_owned(),
        None => "nobody".to_owned(),
    }
}

/// Returns what the next roll can win or lose, grouped by amount: `seven -135`, `6, 8 +14`.
pub(crate) fn exposure(screen: &Screen<'_>) -> Vec<(String, Money)> {
    let all = screen.rail.table().exposure(screen.rail.seat());
    let mut groups: Vec<(Vec<String>, Money)> = Vec::new();
    for (name, net) in all.into_iter().filter(|(_, net)| *net != Money::ZERO) {
        match groups.iter_mut().find(|(_, known)| *known == net) {
            Some((names, _)) => names.push(name),
            None => groups.push((vec![name], net)),
        }
    }
    groups.sort_by_key(|(_, net)| *net);
    groups.into_iter().map(|(names, net)| (names.join(", "), net)).collect()
}

/// Describes the selected area: its name, then the player's bet, limits, price, and what can be done with it.
pub(crate) fn place(screen: &Screen<'_>) -> (String, String) {
    let (table, seat, slot) = (screen.rail.table(), screen.rail.seat(), screen.hand);
    let mut parts = Vec::new();
    let own = screen.own(slot);
    if let Some(bet) = own {
        let off = if table.works(seat, slot) { "" } else { ", off" };
        parts.push(format!("you have {}{off}", bet.stake));
    }
    let terms = table.terms(seat, slot, None);
    match &terms {
        Ok(terms) => {
            let most = terms.max.map_or_else(|| "up, no maximum".to_owned(), |max| format!("to {max}"));
            parts.push(format!("{} {most} in steps of {}", terms.min, terms.multiple));
        }
        Err(refusal) if own.is_none() => parts.push(format!("closed: {refusal}")),
        Err(_) => {}
    }
    let pays = answers::pays(table, slot);
    if !pays.is_empty() {
        parts.push(format!("pays {pays}"));
    }
    if let Some(amount) = own.and_then(|bet| craps_money::Stake::new(bet.stake)) {
        let down = Command::TakeDown { seat, slot, amount };
        match table.decide(Actor::player(seat), &down, &mut Vec::new()) {
            Ok(()) => parts.push("you can take it down".to_owned()),
            Err(refusal) => parts.push(format!("stays up: {refusal}")),
        }
        if let Err(refusal) = terms {
            parts.push(format!("can't add: {refusal}"));
        }
    }
    let others = table.seats().filter(|(other, _)| *other != seat);
    let others = others.filter_map(|(_, other)| Some(format!("{} {}", other.name, other.bets.get(slot)?.stake)));
    parts.extend(others);
    (screen.name(slot), parts.join("; "))
}

/// Lists the keys that work now and what they do, the most useful first.
pub(crate) fn keys(screen: &Screen<'_>) -> Vec<(String, String)> {
    let key = |key: &str, what: &str| (key.to_owned(), what.to_owned());
    if screen.rail.is_waiting() {
        return match screen.mode {
            Mode::Talk => vec![key("yes", "do it"), key("no", "don't")],
            _ => vec![key("y", "yes"), key("n", "no")],
        };
    }
    match &screen.mode {
        Mode::Talk if screen.line.is_empty() => {
            let roll = screen.may_roll().then(|| key("Space", "roll"));
            let say = key("", "type what you want: pass 10, 12 on the six, roll");
            return [say].into_iter().chain(roll).chain([key("Esc", "keys")]).collect();
        }
        Mode::Talk => return vec![key("Enter", "say it"), key("Esc", "cancel")],
        Mode::Jump(typed) => {
            return vec![key("go to", &format!("{}_", typed.to_uppercase())), key("", "a code such as F, PL6, H8")];
        }
        Mode::Felt => {}
    }
    let (table, seat, slot) = (screen.rail.table(), screen.rail.seat(), screen.hand);
    // Players say "the pass line" and "the field", but "place six".
    let family = table.board().slot(slot).wager.wager().family;
    let the = if matches!(family, Family::Line | Family::OneThrow | Family::Shooter) { "the " } else { "" };
    let name = format!("{the}{}", screen.name(slot));
    let own = screen.own(slot).is_some();
    let mut keys = Vec::new();
    let may_roll = screen.may_roll();
    let chip = screen.in_hand().map(|chip| chip.to_string()).unwrap_or_default();
    let odds = table.board().slot(slot).odds.filter(|odds| table.terms(seat, *odds, None).is_ok());
    let odds = odds.filter(|odds| screen.own(*odds).is_none());
    if may_roll && own {
        keys.push(key("Space", "roll"));
    }
    match &screen.offer {
        Some((at, amount)) if *at == slot => keys.push(key("Enter", &format!("{amount} instead"))),
        _ if table.terms(seat, slot, None).is_ok() => {
            let what = if own { format!("{chip} more") } else { format!("bet {chip} on {name}") };
            keys.push(key("Enter", &what));
        }
        _ => {}
    }
    if odds.is_some() {
        keys.push(key("m", "full odds"));
    }
    if may_roll && !own {
        keys.push(key("Space", "roll"));
    }
    let again =
        !may_roll && matches!(table.phase(), Phase::ComeOut) && !screen.rail.session().repeated(seat).is_empty();
    if again {
        keys.push(key("r", "same bets again"));
    }
    if screen.may_undo() {
        keys.push(key("u", "undo"));
    }
    keys.push(key("?", "help"));
    if screen.last_roll().is_none() {
        keys.push(key("", "or type what you want"));
    } else {
        keys.extend([key("w", "why"), key("s", "say"), key("q", "quit")]);
    }
    keys
}
