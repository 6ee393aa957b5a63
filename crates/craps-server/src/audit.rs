//! Audits what tables' logs say, after the store has checked the rows themselves: decides every row again from the rows before it, counts every
//! cent, derives every roll again from its secret, and writes out the game and compares.

use crate::live::pit::told;
use crate::live::purse::{Moved, Purse, PurseRow, log_of, owner_of};
use crate::live::{
    BetName, CHAIN_MOST, Chain, Deed, DiceFrom, Digested, Entry, Flow, Funds, HostCode, Live, Payer, Refused, SeatSeed,
    Secret, Source, Written,
};
use craps_law::Library;
use craps_money::Money;
use craps_store::{Row, is_table};
use craps_table::{Command, Event, Role, Verb};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// A mistake that the audit found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Id of the table.
    pub table: String,
    /// Number of the row.
    pub row: u64,
    /// What is wrong with the row.
    #[serde(flatten)]
    pub what: Wrong,
}

/// What can be wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the field names say it")]
pub enum Wrong {
    /// It isn't an entry of a table's log.
    Unreadable { why: String },
    /// The table can't be opened as its first row says.
    NotOpened { why: String },
    /// The law doesn't allow it.
    Unlawful { why: String, cite: String },
    /// By the law, something else follows from it.
    Differs { expected: String, found: String },
    /// A player acted for someone else's seat.
    NotTheirs { seat: u8 },
    /// Money appeared or disappeared.
    NotConserved,
    /// A secret isn't the one that was committed to, or it is for another hand.
    NotTheSecret { hand: u32, why: String },
    /// The dice don't follow from the secret and the log.
    NotTheDice { hand: u32, expected: String, found: String },
    /// Chips or coupons come from nowhere, or not from where the row says.
    NoSource {
        /// What is wrong.
        why: String,
    },
    /// What is left in a purse isn't what was there with what was moved.
    NotTheSum {
        /// What there should be.
        expected: Money,
        /// What the row says.
        found: Money,
    },
    /// The row has a digest of a state that the table didn't have.
    NotTheState {
        /// The row after which the table should have had the state.
        after: u64,
    },
    /// The row is earlier than the row before it. Time never goes back in a log.
    Earlier {
        /// By how many milliseconds.
        by: i64,
    },
    /// The game as written has a different amount in a rail.
    GameDiffers { seat: u8, expected: String, found: String },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}, row {}: ", self.table, self.row)?;
        match &self.what {
            Wrong::Unreadable { why } => write!(f, "unreadable: {why}"),
            Wrong::NotOpened { why } => write!(f, "the table can't be opened this way: {why}"),
            Wrong::Unlawful { why, cite } => write!(f, "not lawful: {why} [{cite}]"),
            Wrong::Differs { expected, found } => write!(f, "expected {expected}, found {found}"),
            Wrong::NotTheirs { seat } => write!(f, "a player acted for seat {seat}, which is not theirs"),
            Wrong::NotConserved => f.write_str("the money doesn't add up"),
            Wrong::NotTheSecret { hand, why } => write!(f, "hand {hand}: {why}"),
            Wrong::NotTheDice { hand, expected, found } => {
                write!(f, "hand {hand}: the secret and the log give {expected}, found {found}")
            }
            Wrong::NoSource { why } => write!(f, "money without a source: {why}"),
            Wrong::NotTheSum { expected, found } => {
                write!(f, "there should be {expected} left in the purse, but the row says {found}")
            }
            Wrong::NotTheState { after } => write!(f, "the table wasn't in this state after row {after}"),
            Wrong::Earlier { by } => write!(f, "is {by} ms earlier than the row before it"),
            Wrong::GameDiffers { seat, expected, found } => {
                write!(f, "seat {seat} has {found} in the log, but {expected} in the written game")
            }
        }
    }
}

/// What was audited, and what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Audited {
    /// How many tables were audited.
    pub tables: u64,
    /// How many rows were audited.
    pub rows: u64,
    /// How many rolls were settled again.
    pub throws: u64,
    /// How many of those rolls were derived again from a revealed secret.
    pub derived: u64,
    /// How many digests of states were computed again.
    #[serde(skip_serializing_if = "is_none")]
    pub states: u64,
    /// How many rolls can't be derived again, because the secret of their hand was retired and is lost.
    #[serde(skip_serializing_if = "is_none")]
    pub unproven: u64,
    /// The mistakes that were found.
    pub findings: Vec<Finding>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
const fn is_none(count: &u64) -> bool {
    *count == 0
}

/// Audits rows one by one. The rows of each table must come in order.
pub struct Auditor<'l> {
    library: &'l Library,
    tables: BTreeMap<String, Docket>,
    /// The purses, each with its last row and what is in it.
    purses: BTreeMap<String, (u64, Purse)>,
    /// Movements between purses and tables, as the purses have them and as the tables have them, by purse and row.
    by_purses: Movements,
    by_tables: Movements,
    audited: Audited,
}

/// Movements between purses and tables, by the account and the row of its purse: where in a table's log, and what was moved.
type Movements = BTreeMap<(String, u64), Moved>;

/// The state of the audit of one table.
struct Docket {
    table: String,
    live: Live,
    written: Written,
    /// Rolls whose secret isn't revealed yet: the row, the table just before it, and the roll.
    drawn: Vec<(u64, Live, Deed)>,
    /// Number of the last hand.
    hands: u32,
    /// Digests of the states after the rows whose states are saved.
    states: BTreeMap<u64, Digested>,
    /// The previous row ended the hand.
    is_over: bool,
    /// Place of the last hand's secret in its chain.
    chain: Option<Chain>,
    /// Nonces of all chains.
    nonces: BTreeSet<String>,
    /// The last secret that was revealed.
    revealed: Option<String>,
    /// A row could not be read, or the money doesn't add up: later rows can't be judged.
    is_lost: bool,
}

impl<'l> Auditor<'l> {
    /// Starts an audit with these books.
    #[must_use]
    pub fn new(library: &'l Library) -> Auditor<'l> {
        Auditor {
            library,
            tables: BTreeMap::new(),
            purses: BTreeMap::new(),
            by_purses: Movements::new(),
            by_tables: Movements::new(),
            audited: Audited::default(),
        }
    }

    /// Judges the next row.
    pub fn row(&mut self, row: &Row) {
        if let Some(who) = owner_of(&row.table) {
            return self.purse(who, row);
        }
        if !is_table(&row.table) {
            return;
        }
        self.audited.rows += 1;
        let mut wrong = Vec::new();
        match told(row.clone()) {
            None => {
                wrong.push(Wrong::Unreadable { why: "this isn't an entry of a table's log".to_owned() });
                if let Some(docket) = self.tables.get_mut(&row.table) {
                    docket.is_lost = true;
                }
            }
            Some(told) => match self.tables.get_mut(&row.table) {
                Some(docket) if docket.is_lost => {}
                Some(docket) => {
                    docket.judge_funds(row, &told.entry, &mut self.by_tables, &mut wrong);
                    docket.judge(row, &told.entry, &mut self.audited, &mut wrong);
                }
                None => {
                    let opened = Docket::open(self.library, &told.entry, row);
                    match opened {
                        Ok(docket) => {
                            self.tables.insert(row.table.clone(), docket);
                        }
                        Err(why) => wrong.push(Wrong::NotOpened { why }),
                    }
                }
            },
        }
        let finding = |what: Wrong| Finding { table: row.table.clone(), row: row.seq, what };
        self.audited.findings.extend(wrong.into_iter().map(finding));
    }

    /// Judges a row of a purse: what is left must follow from what was there.
    fn purse(&mut self, who: &str, row: &Row) {
        self.audited.rows += 1;
        let (seq, purse) = self.purses.entry(who.to_owned()).or_default();
        *seq = row.seq;
        let wrong = match serde_json::from_str::<PurseRow>(&row.body) {
            Err(error) => Some(Wrong::Unreadable { why: error.to_string() }),
            Ok(PurseRow { did, left, .. }) => {
                let expected = purse.after(&did);
                if let Moved::Table { .. } = &did {
                    self.by_purses.insert((who.to_owned(), row.seq), did);
                }
                let wrong = match expected {
                    Ok(expected) if expected == left => None,
                    Ok(expected) => Some(Wrong::NotTheSum { expected: expected.chips, found: left.chips }),
                    Err(why) => Some(Wrong::Unlawful { why: why.to_string(), cite: String::new() }),
                };
                *purse = left;
                wrong
            }
        };
        let finding = |what: Wrong| Finding { table: row.table.clone(), row: row.seq, what };
        self.audited.findings.extend(wrong.map(finding));
    }

    /// Compares what purses and tables say about movements between them. The logs of one table alone say nothing about purses.
    fn compare_purses(&mut self) {
        if self.purses.is_empty() {
            return;
        }
        let all: BTreeSet<&(String, u64)> = self.by_purses.keys().chain(self.by_tables.keys()).collect();
        for place in all {
            let (purse, table) = (self.by_purses.get(place), self.by_tables.get(place));
            if purse != table {
                let show = |moved: Option<&Moved>| moved.map_or("nothing".to_owned(), |moved| format!("{moved:?}"));
                let what = Wrong::NoSource { why: format!("the purse has {}, the table {}", show(purse), show(table)) };
                self.audited.findings.push(Finding { table: log_of(&place.0), row: place.1, what });
            }
        }
    }

    /// Ends the audit and returns its result.
    #[must_use]
    pub fn finish(mut self) -> Audited {
        self.compare_purses();
        self.audited.tables = self.tables.len() as u64;
        self.audited
    }
}

impl Docket {
    fn open(library: &Library, first: &Entry<BetName>, row: &Row) -> Result<Docket, String> {
        let live = Live::open(library, first, &row.hash).map_err(|error| error.to_string())?;
        let written = Written::open(library, live.opening()).map_err(|error| error.to_string())?;
        Ok(Docket {
            table: row.table.clone(),
            live,
            written,
            drawn: Vec::new(),
            hands: 0,
            states: BTreeMap::new(),
            is_over: false,
            chain: None,
            nonces: BTreeSet::new(),
            revealed: None,
            is_lost: false,
        })
    }

    fn judge(&mut self, row: &Row, entry: &Entry<BetName>, audited: &mut Audited, wrong: &mut Vec<Wrong>) {
        let read = match self.live.names().read(entry) {
            Ok(read) => read,
            Err(error) => {
                wrong.push(Wrong::Unreadable { why: error.to_string() });
                self.is_lost = true;
                return;
            }
        };
        let instead = match self.expected(&read) {
            // A row of an old log may have less detail about the same events.
            Ok(Some(expected))
                if expected != read.did
                    && expected.clone().told_by(|events| self.live.table().as_told_before(events)) != read.did =>
            {
                wrong.push(differs(&expected, &read.did));
                Some((self.live.clone(), Some(expected)))
            }
            Ok(_) => None,
            Err(refusal) => {
                wrong.push(unlawful(&refusal));
                Some((self.live.clone(), None))
            }
        };
        if row.at < self.live.at() {
            wrong.push(Wrong::Earlier { by: self.live.at() - row.at });
        }
        wrong.extend(not_theirs(&self.live, &read));
        self.judge_dice(row.seq, &read.did, audited, wrong);
        if let Err(refusal) = self.written.row(row.seq, &read) {
            wrong.push(unlawful(&refusal.into()));
        }
        self.live.apply(row.seq, &row.hash, &read);
        self.live.stamp(row.at);
        self.judge_state(row.seq, &read.did, audited, wrong);
        if !self.live.table().is_conserved() {
            wrong.push(Wrong::NotConserved);
            self.go_on_from(row, &read, instead);
        }
        if matches!(read.did, Deed::Thrown { .. }) {
            audited.throws += 1;
            self.compare_rails(wrong);
        }
    }

    /// Checks that a digest is that of the state that the table had. A digest in the form of another version can't be compared.
    fn judge_state(&mut self, row: u64, deed: &Deed, audited: &mut Audited, wrong: &mut Vec<Wrong>) {
        if let Some((_, digested)) = self.live.due_mark() {
            self.states.insert(row, digested);
        }
        let Deed::Marked { row: after, digested } = deed else { return };
        match self.states.get(after) {
            Some(state) if state == digested => audited.states += 1,
            Some(state) if state.form != digested.form => {}
            _ => wrong.push(Wrong::NotTheState { after: *after }),
        }
    }

    /// Checks that a row says where chips and coupons come from, and that they come from there.
    fn judge_funds(&self, row: &Row, entry: &Entry<BetName>, tables: &mut Movements, wrong: &mut Vec<Wrong>) {
        let Ok(read) = self.live.names().read(entry) else { return };
        let found = &entry.funds;
        let mut bad = |why: String| wrong.push(Wrong::NoSource { why });
        if let Some(Funds { from: Source::Purse { who, row: at }, seat, chips, coupons, back }) = found {
            let (seat, chips) = (*seat, *chips);
            let flow = Flow { seat, chips, coupons: coupons.clone(), back: back.clone() };
            tables.insert((who.clone(), *at), flow.of_purse(&row.table, row.seq));
        }
        if !self.live.opening().funded {
            return;
        }
        let flow = match self.live.flow(&read.by, &read.did) {
            Ok(flow) => flow,
            Err(error) => return bad(error.to_string()),
        };
        let Some(flow) = flow else {
            if found.is_some() {
                bad("it names a source for nothing".to_owned());
            }
            return;
        };
        let expected = match self.live.payer(&read.by, flow.seat) {
            Ok(Payer::Practice) => {
                self.live
                    .is_within_practice(&read.by, &flow)
                    .err()
                    .into_iter()
                    .for_each(|error| bad(error.to_string()));
                None
            }
            Ok(Payer::Staff) => Some(flow.funds(Source::Staff)),
            Ok(Payer::Purse(own)) => match found {
                Some(Funds { from: Source::Purse { who, row }, .. }) if *who == own => {
                    Some(flow.funds(Source::Purse { who: own, row: *row }))
                }
                _ => return bad("the chips have no source".to_owned()),
            },
            Err(error) => return bad(error.to_string()),
        };
        if *found != expected {
            bad(format!("expected {expected:?}, found {found:?}"));
        }
    }

    /// After a miscount, goes on from what the row should have said, or as if the row weren't there.
    fn go_on_from(&mut self, row: &Row, entry: &Entry, instead: Option<(Live, Option<Deed>)>) {
        let Some((mut live, expected)) = instead else {
            self.is_lost = true;
            return;
        };
        if let Some(did) = expected {
            live.apply(row.seq, &row.hash, &Entry::new(entry.by.clone(), did));
        }
        self.live = live;
    }

    /// Decides a row again and returns what it should say. None for rows that only the audit of the dice can judge.
    fn expected(&self, entry: &Entry) -> Result<Option<Deed>, Refused> {
        let (live, by) = (&self.live, &entry.by);
        if !matches!(entry.did, Deed::Revealed { .. }) {
            live.is_not_over()?;
        }
        let deed = match &entry.did {
            Deed::Ordered { commands, .. } => {
                let grounded: Vec<Command> = commands.iter().map(|command| live.with_ground(command)).collect();
                let deed = live.order(by.actor, &grounded)?;
                live.is_another_person(by, commands)?;
                if grounded == *commands { deed } else { as_before(deed, commands) }
            }
            Deed::Drawn { draw, .. } => live.drawn(draw.clone())?,
            Deed::Undone { seat, rows, same, .. } => return live.without(*seat, rows, !same),
            // The player who rolls may bring a new seed.
            Deed::Closed { seeds, .. } => {
                let own = |one: &&SeatSeed| by.actor.seat == Some(one.seat) && live.seed(one.seat) != Some(&one.seed);
                live.close(seeds.iter().find(own))?
            }
            Deed::Seeded { seat, seed } => live.take_seed(*seat, seed)?,
            Deed::Witnessed { answer } => live.witnessed(&self.table, answer)?,
            Deed::Thrown { faces, named: Some(reason), .. } => live.name(by.actor, *faces, reason)?,
            Deed::Thrown { faces, .. } if live.opening().dice == DiceFrom::People => {
                live.confirm(by.who.as_deref(), *faces)?
            }
            Deed::Thrown { faces, draw, .. } => live.thrown_by_machine(*faces, draw.clone())?,
            Deed::Entered { faces } => live.enter(by.actor, *faces)?,
            Deed::Mismatched { seen, .. } => live.confirm(by.who.as_deref(), *seen)?,
            Deed::Proposed { ruling } => live.propose(by.actor, ruling.clone())?,
            Deed::Rejected { row } => live.second(by, *row, false)?,
            Deed::Approved { row, .. } => live.second(by, *row, true)?,
            Deed::Opened(_) => return Err(HostCode::OpenedOnce.into()),
            Deed::Said { words } => live.say(words)?,
            Deed::Paced(pace) => live.take_pace(*pace)?,
            Deed::TableClosed { empty } => live.close_table(*empty)?,
            Deed::Committed { .. } | Deed::Revealed { .. } | Deed::Retired { .. } | Deed::Marked { .. } => {
                return Ok(None);
            }
        };
        Ok(Some(deed))
    }

    /// Checks that secrets are committed to before a hand and revealed after it, and that the dice follow from them.
    fn judge_dice(&mut self, row: u64, deed: &Deed, audited: &mut Audited, wrong: &mut Vec<Wrong>) {
        let was_over = std::mem::replace(&mut self.is_over, self.live.hand().is_some() && self.live.ends_hand(deed));
        let mut broken = |hand: u32, why: &str| wrong.push(Wrong::NotTheSecret { hand, why: why.to_owned() });
        match (deed, was_over) {
            (Deed::Revealed { hand, .. }, false) => broken(*hand, "the secret is revealed before the hand is over"),
            (Deed::Revealed { .. }, true) | (_, false) => {}
            (_, true) => broken(self.hands, "the hand is over but its secret isn't revealed"),
        }
        if matches!(deed, Deed::Closed { .. }) && self.live.hand().is_none() {
            broken(self.hands, "bets are closed, but there is no commitment for the dice");
        }
        let retired = self.live.hand().filter(|hand| hand.retired).map(|hand| hand.number);
        if let (Some(hand), false) = (retired, matches!(deed, Deed::Committed { .. })) {
            broken(hand, "its secret was retired, but the next row doesn't commit to another one");
        }
        match deed {
            Deed::Committed { hand, commitment, chain } => {
                let begins = match retired {
                    Some(open) => *hand == open,
                    None => *hand == self.hands + 1 && self.live.hand().is_none(),
                };
                if !begins {
                    broken(*hand, "a hand must begin once, after the one before it is over");
                }
                if let Some(why) = self.not_in_chain(commitment, chain.as_ref(), retired.is_some()) {
                    broken(*hand, why);
                }
                self.nonces.extend(chain.as_ref().map(|chain| chain.nonce.clone()));
                (self.hands, self.chain) = (*hand, chain.clone());
            }
            Deed::Retired { hand, secret, .. } => {
                let committed = self.live.hand().filter(|known| known.number == *hand);
                if committed.is_none() {
                    broken(*hand, "the secret of a hand is retired that isn't being played");
                }
                match secret {
                    Some(secret) => self.judge_secret(*hand, secret, audited, wrong),
                    None => {
                        let rolls = self.drawn.drain(..).filter(|(.., deed)| matches!(deed, Deed::Thrown { .. }));
                        audited.unproven += rolls.count() as u64;
                    }
                }
            }
            Deed::Drawn { .. } => self.drawn.push((row, self.live.clone(), deed.clone())),
            Deed::Thrown { .. } if self.live.opening().dice == DiceFrom::Secret => {
                self.drawn.push((row, self.live.clone(), deed.clone()));
            }
            Deed::Revealed { hand, secret } => {
                self.revealed = Some(secret.clone());
                self.judge_secret(*hand, secret, audited, wrong);
            }
            _ => {}
        }
    }

    /// Says what is wrong with the place of a secret in its chain. A chain goes on until it ends or a secret is retired.
    fn not_in_chain(&self, commitment: &str, chain: Option<&Chain>, retired: bool) -> Option<&'static str> {
        match (&self.chain, chain) {
            // Logs of the first version have no chains.
            (None, None) if !retired => None,
            (_, None) => Some("its secret is in no chain"),
            (_, Some(chain)) if !(1..=CHAIN_MOST).contains(&chain.of) => Some("its chain has an impossible length"),
            (Some(before), Some(chain)) if !retired && before.leads_to(chain) => {
                let follows = self.revealed.as_deref() == Some(commitment);
                (!follows).then_some("the commitment isn't the secret that was revealed before")
            }
            (Some(before), Some(_)) if !retired && before.place < before.of => {
                Some("its secret isn't the next one of the chain")
            }
            (_, Some(chain)) if chain.place != 1 || self.nonces.contains(&chain.nonce) => {
                Some("its secret isn't the first of a new chain")
            }
            _ => None,
        }
    }

    /// Checks a secret that is revealed, and derives the rolls again that follow from it.
    fn judge_secret(&mut self, hand: u32, secret: &str, audited: &mut Audited, wrong: &mut Vec<Wrong>) {
        let committed = self.live.hand().filter(|known| known.number == hand);
        let secret = Secret::from_hex(secret);
        let kept = committed.zip(secret.as_ref()).is_some_and(|(hand, it)| hand.commitment == it.commitment());
        if !kept {
            let why = "the secret isn't the one that was committed to".to_owned();
            wrong.push(Wrong::NotTheSecret { hand, why });
        }
        let drawn = std::mem::take(&mut self.drawn);
        let Some(secret) = secret.filter(|_| kept) else { return };
        for (_, before, found) in drawn {
            let expected = match &found {
                Deed::Thrown { draw: Some(_), .. } => before.derived_at_once(&secret),
                _ => before.derived(&self.table, &secret),
            };
            audited.derived += u64::from(matches!(found, Deed::Thrown { .. }));
            match expected {
                Ok(Some(expected)) if expected == found => {}
                Ok(Some(expected)) => {
                    let (expected, found) = (dice(&expected), dice(&found));
                    wrong.push(Wrong::NotTheDice { hand, expected, found });
                }
                Ok(None) => {
                    let expected = "no roll: bets were not closed".to_owned();
                    wrong.push(Wrong::NotTheDice { hand, expected, found: dice(&found) });
                }
                Err(refusal) => wrong.push(unlawful(&refusal)),
            }
        }
    }

    fn compare_rails(&self, wrong: &mut Vec<Wrong>) {
        let game = self.written.session().table();
        for (seat, player) in self.live.table().seats() {
            let written = game.seat(seat).map(|player| player.rail);
            if written != Some(player.rail) {
                let expected = written.map_or("no seat".to_owned(), |rail| rail.to_string());
                wrong.push(Wrong::GameDiffers { seat, expected, found: player.rail.to_string() });
            }
        }
    }
}

/// Returns the deed as a log from before grounds were kept tells it.
fn as_before(deed: Deed, commands: &[Command]) -> Deed {
    let told = |event: &Event| match event {
        Event::OrderedOff { by, .. } => Event::OrderedOff { by: *by, ground: None },
        event => event.clone(),
    };
    match deed {
        Deed::Ordered { events, .. } => {
            Deed::Ordered { commands: commands.to_vec(), events: events.iter().map(told).collect() }
        }
        deed => deed,
    }
}

/// Finds a seat that a player acted for and doesn't own. The staff can record what players do with the dice.
fn not_theirs(live: &Live, entry: &Entry) -> Option<Wrong> {
    let who = entry.by.who.as_deref().filter(|_| entry.by.actor.role == Role::Player)?;
    let is_their_own = |command: &&Command| {
        let recorded = matches!(command, Command::Withdraw { .. });
        !recorded
            && matches!(
                command.verb(),
                Verb::Bet | Verb::TakeDown | Verb::Call | Verb::Tell | Verb::BuyIn | Verb::Leave
            )
    };
    let mut seats = match &entry.did {
        // A player who joins has the seat only after this row.
        Deed::Ordered { commands, .. } if matches!(commands.first(), Some(Command::Join { .. })) => Vec::new(),
        // A player who takes back a request has to be its player.
        Deed::Ordered { commands, .. } if commands.iter().any(|command| command.verb() == Verb::Answer) => {
            entry.by.actor.seat.into_iter().collect()
        }
        Deed::Ordered { commands, .. } => commands.iter().filter(is_their_own).filter_map(Command::seat).collect(),
        Deed::Undone { seat, .. } | Deed::Seeded { seat, .. } => vec![*seat],
        _ => Vec::new(),
    }
    .into_iter();
    seats.find(|seat| live.owner(*seat) != Some(who)).map(|seat| Wrong::NotTheirs { seat })
}

fn unlawful(refused: &Refused) -> Wrong {
    Wrong::Unlawful { why: refused.sentence(), cite: refused.cites().to_string() }
}

/// Returns the first difference between two deeds.
fn differs(expected: &Deed, found: &Deed) -> Wrong {
    let (left, right) = (expected.events(), found.events());
    let show = |event: Option<&Event>| event.map_or("nothing more".to_owned(), |event| format!("{event:?}"));
    let at = left.iter().zip(right).position(|(left, right)| left != right).unwrap_or(left.len().min(right.len()));
    if at < left.len().max(right.len()) {
        return Wrong::Differs { expected: show(left.get(at)), found: show(right.get(at)) };
    }
    Wrong::Differs { expected: format!("{expected:?}"), found: format!("{found:?}") }
}

fn dice(deed: &Deed) -> String {
    match deed {
        Deed::Thrown { faces: [one, other], draw, .. } => {
            format!("{one}-{other}{}", if draw.is_some() { " with its draw" } else { "" })
        }
        Deed::Drawn { draw: Command::Draw { selection }, .. } => format!("the draw {selection:?}"),
        _ => "no roll".to_owned(),
    }
}
