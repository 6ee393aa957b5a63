//! A bot: one guest at one table that records what it sent and what it heard.

use crate::ledger::Broken;
use crate::line::{Answer, Kind, Line};
use crate::play::Play;
use crate::view::View;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// Buy-in of a bot, at the start and when it runs low, in cents.
const CHIPS: i64 = 1_000_000;
/// A bot buys more chips below this amount, in cents.
const LOW: i64 = 50_000;
/// A bot checks the lines it has heard when they have this many bytes, or at the end. Checking takes time that the server would miss.
const UNCHECKED_MOST: usize = 4 << 20;

/// Result of a command, as far as its sender knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Not answered yet.
    Open,
    /// Carried out, in these rows. Empty if there was nothing to do.
    Done(Vec<u64>),
    /// Refused with this code. The bot doesn't retry.
    Refused(String),
}

/// A command sent by a bot.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Idempotency key of the command.
    pub key: String,
    /// The command as JSON.
    pub wish: Value,
    /// Time when it was first sent, or was to be sent.
    pub at: Instant,
    /// Result so far.
    pub outcome: Outcome,
    /// Time from first sending to the answer.
    pub took: Duration,
}

impl Sent {
    /// Creates the record of a command that is sent now, or that was to be sent at this time.
    pub(crate) fn new(key: String, wish: Value, at: Instant) -> Sent {
        Sent { key, wish, at, outcome: Outcome::Open, took: Duration::ZERO }
    }

    /// Records the answer.
    pub(crate) fn came(&mut self, outcome: Outcome) {
        (self.outcome, self.took) = (outcome, self.at.elapsed());
    }
}

/// Kind of a line for the bot that received it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// No answer to an open command.
    Line,
    /// The answer to the command with this index in `sent`.
    Answer(usize),
    /// A request to retry the command with this index later.
    Later(usize),
}

/// Returns true for codes that ask to retry later with the same key.
pub(crate) fn is_for_now(code: &str) -> bool {
    ["busy", "store", "closing", "too-many-requests"].contains(&code)
}

/// One guest at one table.
#[derive(Debug)]
pub struct Bot {
    /// Id of the guest, which owns the keys of its commands.
    pub client: String,
    /// All commands it has sent, in order.
    pub sent: Vec<Sent>,
    /// Broken promises that the bot noticed itself.
    pub broken: Vec<Broken>,
    /// Number of answers that asked to retry later, by code.
    pub later: BTreeMap<String, u64>,
    /// Number of commands that had been carried out before, as the server said.
    pub again: u64,
    /// Number of streams that ended, by the server's reason.
    pub ends: BTreeMap<String, u64>,
    /// Number of reconnections.
    pub resumed: u64,
    /// Number of reconnections to a different node.
    pub elsewhere: u64,
    /// Address of the node it connected to last.
    pub(crate) node: Option<SocketAddr>,
    pub(crate) cookie: String,
    /// What it follows while it plays.
    pub(crate) play: Play,
    /// What it knows from the lines that it has checked.
    pub(crate) view: View,
    /// Lines that it hasn't checked yet, each with a line break.
    unchecked: String,
    /// Indexes in `sent` of the commands that are not answered yet, in order.
    pub(crate) open: Vec<usize>,
    rng: ChaCha8Rng,
}

impl Bot {
    pub(crate) fn new(client: String, cookie: String, table: &str, seat: u8, seed: u64) -> Bot {
        Bot {
            client,
            cookie,
            play: Play::new(table, seat),
            view: View::new(table, seat),
            unchecked: String::new(),
            sent: Vec::new(),
            broken: Vec::new(),
            later: BTreeMap::new(),
            again: 0,
            ends: BTreeMap::new(),
            resumed: 0,
            elsewhere: 0,
            node: None,
            open: Vec::new(),
            rng: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// Returns the id of its table.
    #[must_use]
    pub fn table(&self) -> &str {
        self.play.table()
    }

    /// Returns a random number below `below`.
    pub(crate) fn draw(&mut self, below: u64) -> u64 {
        self.rng.random_range(0..below.max(1))
    }

    /// Chooses the command for this time and returns its index in `sent`.
    pub(crate) fn think(&mut self, at: Instant) -> usize {
        let mut wish = self.wish();
        let key = format!("{}-{}", self.play.view.seat, self.sent.len());
        wish["id"] = json!(key);
        self.sent.push(Sent::new(key, wish, at));
        self.open.push(self.sent.len() - 1);
        self.sent.len() - 1
    }

    /// Returns a command that a player might give now. The table refuses some of them.
    fn wish(&mut self) -> Value {
        let (seat, min) = (self.play.view.seat, self.play.view.min);
        let bet = |code: &str, amount: i64| json!({ "do": "actions", "bets": [{ "bet": code, "amount": amount }] });
        if !self.play.view.is_seated {
            return json!({ "do": "join", "seat": seat, "name": format!("Bot {seat}"), "buy_in": CHIPS });
        }
        if self.play.view.rail < LOW {
            return json!({ "do": "buy-in", "amount": CHIPS });
        }
        let shoots = self.play.view.shooter == Some(seat) || self.play.view.shooter.is_none() && self.draw(3) == 0;
        if shoots {
            if self.play.view.point.is_none() && !self.play.view.bets.contains_key("P") {
                return bet("P", min);
            }
            if self.draw(3) > 0 {
                return json!({ "do": "roll" });
            }
        }
        // Place bets on 6 and 8 come in multiples of $6.
        let sixes = (min + 599) / 600 * 600;
        match self.draw(16) {
            0..6 => bet("F", min),
            6..9 => bet("PL6", sixes),
            9..11 => bet("PL8", sixes),
            11 => bet("H8", min),
            12 => json!({ "do": "actions", "say": "12 on the six; field 5" }),
            13 => json!({ "do": "undo" }),
            14 => json!({ "do": "clear" }),
            _ => {
                let at = usize::try_from(self.rng.next_u32()).unwrap_or_default() % self.play.view.bets.len().max(1);
                match self.play.view.bets.keys().nth(at) {
                    Some(code) => json!({ "do": "actions", "bets": [{ "bet": code, "op": "down" }] }),
                    None => json!({ "do": "repeat" }),
                }
            }
        }
    }

    /// Processes a line of the stream: follows what it needs to play on, and keeps the line to check it later.
    pub(crate) fn hear(&mut self, text: &str) -> Heard {
        if text.starts_with("{\"kind\":\"answer\"") || text.starts_with("{\"kind\":\"error\"") {
            return match serde_json::from_str(text) {
                Ok(answer) => self.answered(&answer),
                Err(error) => {
                    self.cannot_read(text, &error);
                    Heard::Line
                }
            };
        }
        self.play.hear(text);
        self.unchecked.push_str(text);
        self.unchecked.push('\n');
        if self.unchecked.len() > UNCHECKED_MOST {
            self.check();
        }
        Heard::Line
    }

    /// Checks the lines that it has heard: every row must follow the one before, and the chips must be what the bot counts.
    pub(crate) fn check(&mut self) {
        for text in std::mem::take(&mut self.unchecked).lines() {
            let line: Line = match serde_json::from_str(text) {
                Ok(line) => line,
                Err(error) => {
                    self.cannot_read(text, &error);
                    continue;
                }
            };
            if let Err(broken) = self.view.hear(&line) {
                self.broken.push(broken);
            }
        }
    }

    fn cannot_read(&mut self, text: &str, error: &serde_json::Error) {
        self.broken.push(Broken::Unreadable { table: self.table().to_owned(), why: format!("{error}: {text}") });
    }

    fn answered(&mut self, line: &Answer) -> Heard {
        let known = |at: &&usize| Some(&self.sent[**at].key) == line.id.as_ref();
        // A command that was sent over two connections may be answered twice.
        let Some(at) = self.open.iter().find(known).copied() else { return Heard::Line };
        let code = line.code.clone().unwrap_or_default();
        if line.kind == Kind::Error && is_for_now(&code) {
            *self.later.entry(code).or_default() += 1;
            return Heard::Later(at);
        }
        self.again += u64::from(line.again);
        self.open.retain(|open| *open != at);
        self.sent[at].came(match line.kind {
            Kind::Error => Outcome::Refused(code),
            _ => Outcome::Done(line.numbers()),
        });
        Heard::Answer(at)
    }
}
