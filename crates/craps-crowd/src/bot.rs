//! A bot: one guest at one table, who remembers what it asked and what it was told.

use crate::ledger::Broken;
use crate::line::{Kind, Line};
use crate::view::View;
use rand::{Rng as _, RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

/// What a bot sits down with, and buys when it runs low, in minor units.
const CHIPS: i64 = 1_000_000;
/// What it thinks is low.
const LOW: i64 = 50_000;

/// What came of a command, as far as its sender was told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing yet.
    Open,
    /// It was done, by these rows; by none where there was nothing to do.
    Done(Vec<u64>),
    /// It was refused for good, with this code.
    Refused(String),
}

/// A command that was sent.
#[derive(Debug, Clone)]
pub struct Sent {
    /// Its key.
    pub key: String,
    /// What it says.
    pub wish: Value,
    /// When it was first sent.
    pub at: Instant,
    /// What came of it.
    pub outcome: Outcome,
    /// How long that took.
    pub took: Duration,
}

impl Sent {
    /// A command that is about to be sent.
    pub(crate) fn new(key: String, wish: Value) -> Sent {
        Sent { key, wish, at: Instant::now(), outcome: Outcome::Open, took: Duration::ZERO }
    }

    /// Takes the answer down.
    pub(crate) fn came(&mut self, outcome: Outcome) {
        (self.outcome, self.took) = (outcome, self.at.elapsed());
    }
}

/// What a line meant to a bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Heard {
    /// Something happened.
    Line,
    /// This command of the journal is answered.
    Answer(usize),
    /// This one is to be asked again later.
    Later(usize),
}

/// Refusals that say: ask again later under the same key.
pub(crate) fn is_for_now(code: &str) -> bool {
    ["busy", "store", "closing", "too-many-requests"].contains(&code)
}

/// One guest at one table.
#[derive(Debug)]
pub struct Bot {
    /// Whose keys its commands have.
    pub client: String,
    /// Everything it has sent, in order.
    pub sent: Vec<Sent>,
    /// What was not as it should be, by its own account.
    pub broken: Vec<Broken>,
    /// How often it was told to ask again later, by code.
    pub later: BTreeMap<String, u64>,
    /// How often it was told of something that had been done before.
    pub again: u64,
    /// Why streams ended, in the server's words.
    pub ends: BTreeMap<String, u64>,
    /// How often it came back after it had lost its connection.
    pub resumed: u64,
    /// How often that was at another node than before.
    pub elsewhere: u64,
    /// The node it came to last.
    pub(crate) node: Option<SocketAddr>,
    pub(crate) cookie: String,
    pub(crate) view: View,
    /// Which of what it sent is not answered yet, in order.
    pub(crate) open: Vec<usize>,
    rng: ChaCha8Rng,
}

impl Bot {
    pub(crate) fn new(client: String, cookie: String, table: &str, seat: u8, seed: u64) -> Bot {
        Bot {
            client,
            cookie,
            view: View::new(table, seat),
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

    /// Its table.
    #[must_use]
    pub fn table(&self) -> &str {
        &self.view.table
    }

    /// A number below this one, of its own choice.
    pub(crate) fn draw(&mut self, below: u64) -> u64 {
        self.rng.random_range(0..below.max(1))
    }

    /// Something else to ask for; where it stands in the journal.
    pub(crate) fn think(&mut self) -> usize {
        let mut wish = self.wish();
        let key = format!("{}-{}", self.view.seat, self.sent.len());
        wish["id"] = json!(key);
        self.sent.push(Sent::new(key, wish));
        self.open.push(self.sent.len() - 1);
        self.sent.len() - 1
    }

    /// What a player might want now. Some of it is refused; that is a player's lot.
    fn wish(&mut self) -> Value {
        let (seat, min) = (self.view.seat, self.view.min);
        let bet = |code: &str, amount: i64| json!({ "do": "actions", "bets": [{ "bet": code, "amount": amount }] });
        if !self.view.is_seated {
            return json!({ "do": "join", "seat": seat, "name": format!("Bot {seat}"), "buy_in": CHIPS });
        }
        if self.view.rail < LOW {
            return json!({ "do": "buy-in", "amount": CHIPS });
        }
        let shoots = self.view.shooter == Some(seat) || self.view.shooter.is_none() && self.draw(3) == 0;
        if shoots {
            if self.view.point.is_none() && !self.view.bets.contains_key("P") {
                return bet("P", min);
            }
            if self.draw(3) > 0 {
                return json!({ "do": "roll" });
            }
        }
        // Place bets on six and eight are paid by sixes.
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
                let at = usize::try_from(self.rng.next_u32()).unwrap_or_default() % self.view.bets.len().max(1);
                match self.view.bets.keys().nth(at) {
                    Some(code) => json!({ "do": "actions", "bets": [{ "bet": code, "op": "down" }] }),
                    None => json!({ "do": "repeat" }),
                }
            }
        }
    }

    /// Takes in a line of the stream.
    pub(crate) fn hear(&mut self, text: &str) -> Heard {
        let line: Line = match serde_json::from_str(text) {
            Ok(line) => line,
            Err(error) => {
                self.broken
                    .push(Broken::Unreadable { table: self.table().to_owned(), why: format!("{error}: {text}") });
                return Heard::Line;
            }
        };
        if let Err(broken) = self.view.hear(&line) {
            self.broken.push(broken);
        }
        match line.kind {
            Kind::Answer | Kind::Error => self.answered(&line),
            _ => Heard::Line,
        }
    }

    fn answered(&mut self, line: &Line) -> Heard {
        let known = |at: &&usize| Some(&self.sent[**at].key) == line.id.as_ref();
        // Asked twice over two connections, it may be answered twice.
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
            _ => Outcome::Done(line.rows.numbers()),
        });
        Heard::Answer(at)
    }
}
