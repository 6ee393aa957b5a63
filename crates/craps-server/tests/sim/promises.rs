//! The promises of the server, and how each is checked. They are checked after every step: whenever a node has answered, a listener has heard a row, a
//! node was killed or started again.

use crate::disk::at_once;
use crate::money::Count;
use crate::network::{Call, Reply};
use craps_server::live::{BetName, Cast, Chain, Deed, DiceFrom, Entry, Seal, SeatSeed, What};
use craps_store::Row;
use craps_table::Crew;
use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{ConnectOptions as _, FromRow as _};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What the server promises. The words in brackets are findings of the attack on the server, or "S" for this simulation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Promise {
    /// What was acknowledged is in the log, in the row that the sender was told, whatever is killed afterward.
    AcknowledgedIsStored,
    /// What was refused is not in the log.
    RefusedIsNotStored,
    /// Nothing is in the log that nobody sent.
    StoredWasSent,
    /// A key is done once, also after a restart and on another node.
    KeyIsDoneOnce,
    /// A key that was used for another request is refused (table "idempotency").
    KeyIsOfOneRequest,
    /// A log only grows, and every row follows from the row before it (F8).
    LogOnlyGrows,
    /// The time of rows never goes back (table "clock").
    TimeNeverGoesBack,
    /// No bet is made, changed or taken back between the lock and the dice.
    NoBetAfterTheLock,
    /// The dice follow from the secret that was committed to and the seeds before the lock (F7).
    DiceFollow,
    /// Nobody is told a secret before it is revealed (F7).
    SecretStaysSecret,
    /// Every cent is somewhere.
    MoneyIsConserved,
    /// Every cent and every coupon comes from somewhere (F1, F2).
    MoneyHasASource,
    /// A listener hears every stored row once, in order, and nothing else.
    ListenersHearTheLog,
    /// A right that was revoked does nothing any more.
    RevokedRightsDoNothing,
    /// The crew doesn't play at its own table, and nobody acts for another's seat (F3).
    NobodyActsForOthers,
    /// A player's own limit holds (F12).
    OwnLimitsHold,
    /// After the faults, everything works again.
    WorksAgain,
    /// A jump of the clock is a row of the server's log.
    JumpsAreRows,
    /// A saved state is what the log gives from its first row (F6).
    SavedStatesAreRight,
    /// The audit finds nothing.
    AuditFindsNothing,
    /// No request makes the server fail by a bug of its own.
    NoBugs,
}

type Columns = (i64, String, i64, i64, String, Option<String>, String, String, String);

/// A command: table, client and key.
type Command = (String, String, String);

/// What is known about a command that was sent.
#[derive(Debug, Default)]
struct Sent {
    /// Copies that reached a node and have no answer yet.
    open: u32,
    /// Row that a sender was told.
    row: Option<u64>,
    refused: bool,
    /// A copy got no definite answer. It may be done, or be done yet.
    unsure: bool,
}

/// What is known about a table from its rows.
#[derive(Debug, Default)]
struct Table {
    practice: bool,
    dealt: bool,
    count: Count,
    /// Chips that people brought, less what they took away.
    brought: BTreeMap<String, i64>,
    /// Who sits where.
    owners: BTreeMap<u8, String>,
    closed: Option<(u32, Vec<SeatSeed>)>,
    hand: u32,
    commitment: String,
    secret: Option<craps_server::live::Secret>,
    /// Rolls of the hand: the number, the seeds and the faces.
    rolls: Vec<(u32, Vec<SeatSeed>, [u8; 2])>,
}

/// A promise that was broken, and how.
pub type Wrong = (Promise, String);

/// What is known about the store and what was said about it.
pub struct Promises {
    connection: SqliteConnection,
    last: i64,
    pub logs: BTreeMap<String, Vec<Row>>,
    keys: BTreeMap<Command, u64>,
    sent: BTreeMap<Command, Sent>,
    tables: BTreeMap<String, Table>,
    /// Computes the secrets of the dice.
    seal: Option<Seal>,
    /// Accounts whose role at the crew's table was revoked, and when.
    pub revoked: BTreeMap<String, i64>,
    /// Own limits by account. A higher number than the loss was never asked for.
    pub limits: BTreeMap<String, i64>,
    /// Chips that cashiers were told they moved to an account, and those of which nobody knows.
    cash: BTreeMap<String, (i64, i64, i64)>,
}

impl Promises {
    pub fn over(file: &Path) -> Promises {
        let options = SqliteConnectOptions::new().filename(file).read_only(true);
        let connection = at_once(options.connect()).unwrap();
        Promises {
            connection,
            last: 0,
            logs: BTreeMap::new(),
            keys: BTreeMap::new(),
            sent: BTreeMap::new(),
            tables: BTreeMap::new(),
            seal: None,
            revoked: BTreeMap::new(),
            limits: BTreeMap::new(),
            cash: BTreeMap::new(),
        }
    }

    pub fn set_seal(&mut self, seal: Seal) {
        self.seal = Some(seal);
    }

    /// Returns the second count of the money at a table.
    pub fn count(&self, table: &str) -> Option<&Count> {
        self.tables.get(table).map(|table| &table.count)
    }

    /// Reads what is new in the logs, and checks it.
    pub fn check(&mut self) -> Result<(), Wrong> {
        let sql =
            "SELECT rowid, table_id, seq, at, client, key, prev, hash, body FROM log WHERE rowid > $1 ORDER BY rowid";
        let found = at_once(sqlx::query(sql).bind(self.last).fetch_all(&mut self.connection)).unwrap();
        for found in found {
            let (rowid, table, seq, at, client, key, prev, hash, body) = Columns::from_row(&found).unwrap();
            self.last = rowid;
            let row = Row { table, seq: u64::try_from(seq).unwrap(), at, client, key, prev, hash, body };
            let place = format!("{} row {}", row.table, row.seq);
            self.row(row).map_err(|(promise, what)| (promise, format!("{place}: {what}")))?;
        }
        Ok(())
    }

    /// Checks that no row was changed or removed since it was first seen.
    pub fn check_again(&mut self) -> Result<(), Wrong> {
        self.check()?;
        let sql = "SELECT rowid, table_id, seq, at, client, key, prev, hash, body FROM log ORDER BY table_id, seq";
        let found = at_once(sqlx::query(sql).fetch_all(&mut self.connection)).unwrap();
        let mut count = 0;
        for found in &found {
            let (_, table, seq, at, client, key, prev, hash, body) = Columns::from_row(found).unwrap();
            let row = Row { table, seq: u64::try_from(seq).unwrap(), at, client, key, prev, hash, body };
            let known = self.logs.get(&row.table).and_then(|rows| rows.get(usize::try_from(row.seq).unwrap() - 1));
            if known != Some(&row) {
                return Err((Promise::LogOnlyGrows, format!("{} row {} is another one now", row.table, row.seq)));
            }
            count += 1;
        }
        let seen: usize = self.logs.values().map(Vec::len).sum();
        let gone = || (Promise::LogOnlyGrows, format!("there were {seen} rows, and now there are {count}"));
        if count == seen { Ok(()) } else { Err(gone()) }
    }

    fn row(&mut self, row: Row) -> Result<(), Wrong> {
        let log = self.logs.entry(row.table.clone()).or_default();
        let (seq, prev, at) = match log.last() {
            Some(last) => (last.seq + 1, last.hash.as_str(), last.at),
            None => (1, craps_store::ZEROS, i64::MIN),
        };
        if (row.seq, row.prev.as_str()) != (seq, prev) || row.digest() != row.hash {
            return Err((Promise::LogOnlyGrows, "it doesn't follow from the row before it".to_owned()));
        }
        if row.at < at {
            return Err((Promise::TimeNeverGoesBack, format!("is {} ms earlier than the row before it", at - row.at)));
        }
        if let Some(key) = &row.key {
            let command = (row.table.clone(), row.client.clone(), key.clone());
            if !self.sent.contains_key(&command) {
                return Err((Promise::StoredWasSent, format!("nobody sent {command:?}")));
            }
            if let Some(before) = self.keys.insert(command, row.seq) {
                return Err((Promise::KeyIsDoneOnce, format!("its key was done before, in row {before}")));
            }
        }
        let is_table = craps_store::is_table(&row.table);
        log.push(row.clone());
        if is_table { self.of_table(&row) } else { Ok(()) }
    }

    fn of_table(&mut self, row: &Row) -> Result<(), Wrong> {
        let entry: Entry<BetName> =
            serde_json::from_str(&row.body).map_err(|error| (Promise::AuditFindsNothing, error.to_string()))?;
        let table = self.tables.entry(row.table.clone()).or_default();
        if let Deed::Opened(opening) = &entry.did {
            table.practice = opening.practice;
            table.dealt = opening.crew == Crew::People || opening.dice == DiceFrom::People;
        }
        // The lock.
        let changes = matches!(entry.did, Deed::Ordered { .. } | Deed::Undone { .. } | Deed::Closed { .. });
        if table.closed.is_some() && changes {
            return Err((Promise::NoBetAfterTheLock, format!("{:?}", entry.did)));
        }
        // The dice.
        match &entry.did {
            Deed::Committed { hand, commitment, chain } => {
                table.hand = *hand;
                table.commitment.clone_from(commitment);
                table.rolls.clear();
                let secret = |chain: &Chain| self.seal.as_ref().map(|seal| seal.secret(&row.table, chain));
                table.secret = chain.as_ref().and_then(secret);
                if table.secret.as_ref().is_some_and(|secret| secret.commitment() != *commitment) {
                    return Err((Promise::DiceFollow, "the commitment is to another secret".to_owned()));
                }
            }
            Deed::Retired { .. } => table.closed = None,
            Deed::Closed { throw, seeds } => table.closed = Some((*throw, seeds.clone())),
            Deed::Thrown { faces, .. } if !table.dealt => {
                let Some((throw, seeds)) = table.closed.take() else {
                    return Err((Promise::NoBetAfterTheLock, "the dice were rolled while bets were open".to_owned()));
                };
                if let Some(secret) = &table.secret {
                    let cast = Cast {
                        table: &row.table,
                        hand: table.hand,
                        what: What::Throw(throw),
                        seeds: &seeds,
                        witness: None,
                    };
                    let follow = secret.cast(&cast).dice().map(|die| die.pips());
                    if follow != *faces {
                        return Err((Promise::DiceFollow, format!("{faces:?}, and the secret gives {follow:?}")));
                    }
                }
                table.rolls.push((throw, seeds, *faces));
            }
            Deed::Revealed { secret, .. } => {
                let secret = craps_server::live::Secret::from_hex(secret);
                let Some(secret) = secret.filter(|secret| secret.commitment() == table.commitment) else {
                    return Err((Promise::DiceFollow, "what is revealed isn't what was committed to".to_owned()));
                };
                for (throw, seeds, faces) in &table.rolls {
                    let cast =
                        Cast { table: &row.table, hand: table.hand, what: What::Throw(*throw), seeds, witness: None };
                    if secret.cast(&cast).dice().map(|die| die.pips()) != *faces {
                        return Err((Promise::DiceFollow, format!("roll {throw} doesn't follow from the secret")));
                    }
                }
                table.secret = None;
            }
            _ => {}
        }
        if table.secret.as_ref().is_some_and(|secret| row.body.contains(&secret.hex())) {
            return Err((Promise::SecretStaysSecret, "the row has the secret of the open hand".to_owned()));
        }
        // The money.
        let came_in = table.count.row(row.seq, &entry.did);
        let sums = table.count.sums();
        if !sums.is_conserved() || sums.rails.values().chain(sums.felt.values()).any(|chips| *chips < 0) {
            return Err((Promise::MoneyIsConserved, format!("{sums:?}")));
        }
        if let (Some(who), craps_table::Role::Player) = (&entry.by.who, entry.by.actor.role) {
            *table.brought.entry(who.clone()).or_default() += came_in;
        }
        let named = entry.funds.as_ref().map_or(0, |funds| funds.chips.minor());
        if !table.practice && named != came_in {
            return Err((Promise::MoneyHasASource, format!("{came_in} came in, and the row names {named}")));
        }
        for event in entry.did.events() {
            if let craps_table::Event::Joined { seat, .. } = event {
                table.owners.insert(*seat, entry.by.who.clone().unwrap_or_default());
            }
        }
        // The owner of the seat acts, and nobody else.
        if let (Some(who), Some(seat)) = (&entry.by.who, entry.by.actor.seat) {
            let owner = table.owners.get(&seat);
            if entry.by.actor.role == craps_table::Role::Player && owner.is_some_and(|owner| owner != who) {
                return Err((Promise::NobodyActsForOthers, format!("{who} acts for the seat of {owner:?}")));
            }
            // To take back an order can put chips down, too.
            let bets = matches!(entry.did, Deed::Ordered { .. } | Deed::Undone { .. });
            if let (Some(limit), true) = (self.limits.get(who), bets) {
                let risk = table.count.sums().felt.get(&seat).copied().unwrap_or_default();
                let rail = table.count.sums().rails.get(&seat).copied().unwrap_or_default();
                let brought = table.brought.get(who).copied().unwrap_or_default();
                if risk > 0 && brought - rail > *limit {
                    return Err((Promise::OwnLimitsHold, format!("{} is at stake of {limit}", brought - rail)));
                }
            }
        }
        Ok(())
    }

    /// A copy of a command has reached a node.
    pub fn arrived(&mut self, call: &Call) {
        if let Some(command) = call.command() {
            self.sent.entry(command).or_default().open += 1;
        }
        self.cash_on_its_way(call, 1);
    }

    /// Counts what a cashier moves as unsure, or with -1 no longer.
    fn cash_on_its_way(&mut self, call: &Call, times: i64) {
        if let Some((who, chips)) = &call.cash {
            let (_, more, less) = self.cash.entry(who.clone()).or_default();
            *(if *chips > 0 { more } else { less }) += times * chips;
        }
    }

    /// A node was killed before it answered.
    pub fn unanswered(&mut self, call: &Call) {
        if let Some(sent) = call.command().and_then(|command| self.sent.get_mut(&command)) {
            sent.open -= 1;
            sent.unsure = true;
        }
        // What a cashier moved stays unsure.
    }

    /// A node has answered. What it says must be true now.
    pub fn answered(&mut self, call: &Call, reply: &Reply) -> Result<(), Wrong> {
        let done = (200..300).contains(&reply.status);
        let unsure = reply.status >= 500 || reply.status == 429;
        if !unsure {
            self.cash_on_its_way(call, -1);
        }
        if let (Some((who, chips)), true) = (&call.cash, done) {
            self.cash.entry(who.clone()).or_default().0 += chips;
        }
        self.check()?;
        self.keeps_secrets(&reply.text)?;
        if reply.status == 500 || reply.body["code"] == "stopped" {
            return Err((Promise::NoBugs, format!("{}: {} {}", call.words(), reply.status, reply.text)));
        }
        if let (Some(promise), true) = (call.never, done) {
            return Err((promise, format!("{}: {}", call.words(), reply.text)));
        }
        // What was done before is told again, also to somebody who may not do it any more.
        let does = done && reply.body["again"] != true;
        if let (Some(account), true) = (&call.by_right_of, does)
            && self.revoked.get(account).is_some_and(|revoked| *revoked < call.sent)
        {
            return Err((Promise::RevokedRightsDoNothing, format!("{}: {}", call.words(), reply.text)));
        }
        let Some(command) = call.command() else { return Ok(()) };
        let stored = self.keys.get(&command).copied();
        let sent = self.sent.entry(command).or_default();
        sent.open = sent.open.saturating_sub(1);
        sent.unsure |= unsure;
        if done {
            let row = reply.body["rows"][0]["seq"].as_u64();
            if row != stored {
                let what = format!("{}: the answer names row {row:?}, the key is in row {stored:?}", call.words());
                return Err((Promise::AcknowledgedIsStored, what));
            }
            for row in reply.body["rows"].as_array().into_iter().flatten() {
                let seq = row["seq"].as_u64().and_then(|seq| usize::try_from(seq).ok()).unwrap_or_default();
                if self.logs.get(&call.table).is_none_or(|log| log.len() < seq) {
                    return Err((Promise::AcknowledgedIsStored, format!("{}: there is no row {seq}", call.words())));
                }
            }
            sent.row = row.or(sent.row);
        } else if reply.status == 422 {
            sent.refused = true;
            let used = reply.body["code"] == "key-used";
            if used != (call.is_other && stored.is_some()) && (used || stored.is_some()) {
                let promise = if used { Promise::KeyIsOfOneRequest } else { Promise::RefusedIsNotStored };
                let what = format!("{}: {}, and the key is in row {stored:?}", call.words(), reply.text);
                return Err((promise, what));
            }
        }
        Ok(())
    }

    /// Checks that a text has no secret that isn't revealed yet.
    fn keeps_secrets(&self, text: &str) -> Result<(), Wrong> {
        for (name, table) in &self.tables {
            if table.secret.as_ref().is_some_and(|secret| text.contains(&secret.hex())) {
                return Err((Promise::SecretStaysSecret, format!("an answer has the secret of {name}")));
            }
        }
        Ok(())
    }

    /// A listener has heard a row, and should have heard `next`.
    pub fn heard(&mut self, row: &Row, next: u64) -> Result<(), Wrong> {
        self.check()?;
        let stored = self.logs.get(&row.table).and_then(|log| log.get(usize::try_from(row.seq).unwrap() - 1));
        if row.seq != next || stored != Some(row) {
            let what =
                format!("{}: heard row {} in place of {next}, stored: {}", row.table, row.seq, stored == Some(row));
            return Err((Promise::ListenersHearTheLog, what));
        }
        Ok(())
    }

    /// A node was killed, or is up again. What was answered before still holds.
    pub fn restarted(&mut self) -> Result<(), Wrong> {
        self.check()?;
        self.answers()?;
        self.purses()
    }

    /// Checks the end, when every command has its answer.
    pub fn ended(&mut self) -> Result<(), Wrong> {
        self.check_again()?;
        self.answers()?;
        self.purses()
    }

    /// Compares what was answered with what is stored.
    fn answers(&self) -> Result<(), Wrong> {
        for (command, sent) in &self.sent {
            let stored = self.keys.get(command).copied();
            if sent.row.is_some() && stored != sent.row {
                let what = format!("{command:?} was acknowledged in row {:?} and is in row {stored:?}", sent.row);
                return Err((Promise::AcknowledgedIsStored, what));
            }
            if sent.row.is_none() && sent.refused && !sent.unsure && sent.open == 0 && stored.is_some() {
                return Err((Promise::RefusedIsNotStored, format!("{command:?} was refused and is in row {stored:?}")));
            }
        }
        Ok(())
    }

    /// Adds up the purses: what cashiers gave is there or at tables.
    fn purses(&self) -> Result<(), Wrong> {
        let mut at_tables: BTreeMap<String, i64> = BTreeMap::new();
        for row in self.logs.iter().filter(|(name, _)| craps_store::is_table(name)).flat_map(|(_, rows)| rows) {
            let body: Value = serde_json::from_str(&row.body).unwrap();
            let funds = &body["funds"];
            if let Some(who) = funds["from"]["purse"]["who"].as_str() {
                *at_tables.entry(who.to_owned()).or_default() += funds["chips"].as_i64().unwrap_or_default();
            }
        }
        let (mut known, mut sold) = (BTreeSet::new(), 0);
        for (log, rows) in &self.logs {
            let Some(who) = log.strip_prefix("@purse:") else { continue };
            known.insert(who.to_owned());
            let (mut cash, mut moved) = (0, 0);
            for row in rows {
                let did = &serde_json::from_str::<Value>(&row.body).unwrap()["did"];
                cash += did["cash"]["chips"].as_i64().unwrap_or_default();
                moved += did["table"]["chips"].as_i64().unwrap_or_default();
            }
            let last = rows.last().map(|row| serde_json::from_str::<Value>(&row.body).unwrap());
            let left = last.map_or(0, |last| last["left"]["chips"].as_i64().unwrap_or_default());
            let out = at_tables.get(who).copied().unwrap_or_default();
            if cash + moved != left || moved != -out {
                let what =
                    format!("{who} got {cash} from cashiers, tables have {out} (the purse says {moved}), left {left}");
                return Err((Promise::MoneyHasASource, what));
            }
            sold += cash;
            let (sure, more, less) = self.cash.get(who).copied().unwrap_or_default();
            if cash < sure + less || cash > sure + more {
                let what =
                    format!("{who}: cashiers were told {sure}, unsure {less} to {more}, and the purse got {cash}");
                return Err((Promise::MoneyHasASource, what));
            }
        }
        let last = self.logs.get("@house").and_then(|rows| rows.last());
        let out = last.map(|row| serde_json::from_str::<Value>(&row.body).unwrap()["out"]["chips"].as_i64().unwrap());
        if out.unwrap_or_default() != sold {
            let what = format!("the house has {out:?} out, and purses got {sold}");
            return Err((Promise::MoneyHasASource, what));
        }
        match at_tables.keys().find(|who| !known.contains(*who)) {
            Some(who) => Err((Promise::MoneyHasASource, format!("{who} has no purse"))),
            None => Ok(()),
        }
    }
}
