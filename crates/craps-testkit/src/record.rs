//! Writes down a game in CGN with actions and dice only. The results follow from the rules.

use crate::House;
use craps_table::{AfterWin, Called, Command, Manner, Table};
use std::fmt::Write as _;

/// The text of a game, written command by command.
#[derive(Debug, Clone)]
pub struct Record {
    header: String,
    seats: Vec<String>,
    body: String,
    procedure: Vec<String>,
    actions: Vec<String>,
    draw: Option<String>,
    rolls: u32,
}

impl Record {
    /// Starts a new game at this house.
    #[must_use]
    pub fn new(house: &House) -> Record {
        let (rules, file) = (&house.rules, &house.file);
        let header = format!(
            "[CGN \"1\"]\n[Rules \"{} as-of {}\"]\n[Game \"{}\"]\n[House \"file:{file}\"]\n",
            rules.book,
            rules.as_of,
            rules.game.word()
        );
        Record {
            header,
            seats: Vec::new(),
            body: String::new(),
            procedure: Vec::new(),
            actions: Vec::new(),
            draw: None,
            rolls: 0,
        }
    }

    /// Returns the number of rolls written so far.
    #[must_use]
    pub fn rolls(&self) -> u32 {
        self.rolls
    }

    /// Writes down a command, whether the table accepts or refuses it.
    pub fn note(&mut self, table: &Table, command: &Command) {
        let code = |slot: &craps_table::SlotId| table.board().slot(*slot).code.clone();
        match command {
            // A refused join can't be written in the tag with the first seats.
            Command::Join { seat, .. } if self.is_untouched() && table.seat(*seat).is_some() => {}
            Command::Join { seat, name, money } if self.is_untouched() => {
                self.seats.push(format!("{seat} {name} {money}"));
            }
            Command::Join { seat, name, money } => self.procedure.push(format!("@seat {seat} join {name} {money}")),
            Command::BuyIn { seat, money } => self.procedure.push(format!("@seat {seat} buy {money}")),
            Command::Leave { seat } => self.procedure.push(format!("@seat {seat} leave")),
            Command::Bet { seat, slot, amount, manner } => {
                self.actions.push(format!("{seat}:{}+{amount}{}", code(slot), manner_text(manner)));
            }
            Command::TakeDown { seat, slot, amount } => self.actions.push(format!("{seat}:{}-{amount}", code(slot))),
            Command::Call { seat, slot, called } => {
                let word = match called {
                    Called::On => "on",
                    Called::Off => "off",
                    Called::Standard => "std",
                };
                self.actions.push(format!("{seat}:{}!{word}", code(slot)));
            }
            Command::Tell { seat, slot, after_win } => {
                let word = match after_win {
                    AfterWin::Up => "up",
                    AfterWin::Down => "down",
                    AfterWin::Usual => "std",
                };
                self.actions.push(format!("{seat}:{}!{word}", code(slot)));
            }
            Command::TakeDice { seat, decisions_only } => {
                let who = seat.map_or_else(|| "dealer".to_owned(), |seat| seat.to_string());
                let only = if *decisions_only { " decisions-only" } else { "" };
                self.procedure.push(format!("# shooter {who}{only}"));
            }
            Command::PassDice => self.procedure.push("@shooter pass-dice".to_owned()),
            Command::Draw { selection } => {
                let items = selection.iter().map(|(wager, level)| format!("{wager}={}", level + 1));
                self.draw = Some(format!("@rng {}", items.collect::<Vec<_>>().join(" ")));
            }
            Command::Rule { seat, amount, reason } => {
                let sign = if amount.minor() < 0 { "" } else { "+" };
                self.procedure.push(format!("@box rule {seat}:{sign}{amount} \"{reason}\""));
            }
            Command::Throw { dice } => self.roll(&dice.to_string()),
            Command::NoRoll { reason, caller } => {
                let caller = caller.map(|role| format!(",{}", role.name())).unwrap_or_default();
                self.roll(&format!("NR({}{caller})", reason.name()));
            }
            _ => {}
        }
    }

    /// Returns true if nothing has happened yet except players sitting down.
    fn is_untouched(&self) -> bool {
        self.rolls == 0 && self.procedure.is_empty() && self.actions.is_empty() && self.draw.is_none()
    }

    fn roll(&mut self, dice: &str) {
        self.rolls += 1;
        for line in self.procedure.drain(..).chain(self.draw.take()) {
            let _ = writeln!(self.body, "{line}");
        }
        let actions: String = self.actions.drain(..).map(|action| format!(" {action}")).collect();
        let _ = writeln!(self.body, "{}.{actions} | {dice}", self.rolls);
    }

    /// Returns the text of the rolls so far.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}[Seats \"{}\"]\n{}", self.header, self.seats.join("; "), self.body)
    }

    /// Returns the text of the rolls so far, and the commands since then.
    #[must_use]
    pub fn trace(&self) -> String {
        let open: Vec<&str> =
            self.procedure.iter().chain(&self.draw).chain(&self.actions).map(String::as_str).collect();
        format!("{}{{and then}} {}\n", self.text(), open.join(" "))
    }
}

fn manner_text(manner: &Manner) -> String {
    let mut text = String::new();
    if let Some(roles) = &manner.late {
        let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
        let _ = write!(text, "!late({})", names.join(","));
    }
    for (word, amount) in [("cash", manner.cash), ("coupon", manner.coupon)] {
        if let Some(amount) = amount {
            let _ = write!(text, "!{word}({amount})");
        }
    }
    text
}
