//! The audit of what tables' logs say, once the store has vouched for the rows themselves: every row is decided again from those before it, every
//! cent is counted, every throw is derived again from its secret, and the game is written out and compared.

use crate::live::pit::told;
use crate::live::{BetName, Deed, DiceFrom, Entry, Live, Secret, Written};
use craps_law::Library;
use craps_store::{Row, is_table};
use craps_table::{Command, Event, Refusal, Role, Verb};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Something that is not as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// At which table.
    pub table: String,
    /// In which row.
    pub row: u64,
    /// What is wrong.
    #[serde(flatten)]
    pub what: Wrong,
}

/// What can be wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "finding", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields say what")]
pub enum Wrong {
    /// It is no entry of a table's log.
    Unreadable { why: String },
    /// The table cannot be opened as its first row says.
    NotOpened { why: String },
    /// The law does not let it be done.
    Unlawful { why: String, cite: String },
    /// The law has something else follow from it.
    Differs { expected: String, found: String },
    /// A player acted for a seat that is another's.
    NotTheirs { seat: u8 },
    /// Money was made or lost.
    NotConserved,
    /// A secret is not the one that was committed to, or not for this hand.
    NotTheSecret { hand: u32, why: String },
    /// The dice do not follow from the secret and the log.
    NotTheDice { hand: u32, expected: String, found: String },
    /// The game as written has something else on a rail.
    GameDiffers { seat: u8, expected: String, found: String },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}, row {}: ", self.table, self.row)?;
        match &self.what {
            Wrong::Unreadable { why } => write!(f, "unreadable: {why}"),
            Wrong::NotOpened { why } => write!(f, "the table cannot be opened so: {why}"),
            Wrong::Unlawful { why, cite } => write!(f, "not lawful: {why} [{cite}]"),
            Wrong::Differs { expected, found } => write!(f, "expected {expected}, found {found}"),
            Wrong::NotTheirs { seat } => write!(f, "a player acted for seat {seat}, which is not theirs"),
            Wrong::NotConserved => f.write_str("the money does not add up"),
            Wrong::NotTheSecret { hand, why } => write!(f, "hand {hand}: {why}"),
            Wrong::NotTheDice { hand, expected, found } => {
                write!(f, "hand {hand}: the secret and the log give {expected}, found {found}")
            }
            Wrong::GameDiffers { seat, expected, found } => {
                write!(f, "seat {seat} has {found} by the log, and {expected} by the game as written")
            }
        }
    }
}

/// What was audited, and what was found.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Audited {
    /// How many tables.
    pub tables: u64,
    /// How many of their rows.
    pub rows: u64,
    /// How many throws were settled again.
    pub throws: u64,
    /// How many of them were derived again from a secret that has been revealed.
    pub derived: u64,
    /// What is wrong.
    pub findings: Vec<Finding>,
}

/// Audits rows as they come, those of each table in order.
pub struct Auditor<'l> {
    library: &'l Library,
    tables: BTreeMap<String, Docket>,
    audited: Audited,
}

/// One table under audit.
struct Docket {
    live: Live,
    written: Written,
    /// Throws whose secret is not revealed yet: the row, the table just before, and what was thrown.
    drawn: Vec<(u64, Live, Deed)>,
    /// The number of the last hand.
    hands: u32,
    /// The row before ended the hand.
    is_over: bool,
    /// Nothing after this can be judged.
    is_lost: bool,
}

impl<'l> Auditor<'l> {
    /// An audit by these books.
    #[must_use]
    pub fn new(library: &'l Library) -> Auditor<'l> {
        Auditor { library, tables: BTreeMap::new(), audited: Audited::default() }
    }

    /// Judges the next row.
    pub fn row(&mut self, row: &Row) {
        if !is_table(&row.table) {
            return;
        }
        self.audited.rows += 1;
        let mut wrong = Vec::new();
        match told(row.clone()) {
            None => {
                wrong.push(Wrong::Unreadable { why: "it is no entry of a table's log".to_owned() });
                if let Some(docket) = self.tables.get_mut(&row.table) {
                    docket.is_lost = true;
                }
            }
            Some(told) => match self.tables.get_mut(&row.table) {
                Some(docket) if docket.is_lost => {}
                Some(docket) => docket.judge(row, &told.entry, &mut self.audited, &mut wrong),
                None => {
                    let opened = Docket::open(self.library, &told.entry, &row.hash);
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

    /// That was all.
    #[must_use]
    pub fn finish(mut self) -> Audited {
        self.audited.tables = self.tables.len() as u64;
        self.audited
    }
}

impl Docket {
    fn open(library: &Library, first: &Entry<BetName>, hash: &str) -> Result<Docket, String> {
        let live = Live::open(library, first, hash).map_err(|error| error.to_string())?;
        let written = Written::open(library, live.opening()).map_err(|error| error.to_string())?;
        Ok(Docket { live, written, drawn: Vec::new(), hands: 0, is_over: false, is_lost: false })
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
            // A row from before may tell less of the same.
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
        wrong.extend(not_theirs(&self.live, &read));
        self.judge_dice(row.seq, &read.did, audited, wrong);
        if let Err(refusal) = self.written.row(row.seq, &read) {
            wrong.push(unlawful(&refusal));
        }
        self.live.apply(row.seq, &row.hash, &read);
        if !self.live.table().is_conserved() {
            wrong.push(Wrong::NotConserved);
            self.go_on_from(row, &read, instead);
        }
        if matches!(read.did, Deed::Thrown { .. }) {
            audited.throws += 1;
            self.compare_rails(wrong);
        }
    }

    /// A table that miscounts decides nothing more: the audit goes on from what the row should have said, or as if it were not there.
    fn go_on_from(&mut self, row: &Row, entry: &Entry, instead: Option<(Live, Option<Deed>)>) {
        let Some((mut live, expected)) = instead else {
            self.is_lost = true;
            return;
        };
        if let Some(did) = expected {
            live.apply(row.seq, &row.hash, &Entry { by: entry.by.clone(), did });
        }
        self.live = live;
    }

    /// What the row should say, decided again; nothing where only the dice tell.
    fn expected(&self, entry: &Entry) -> Result<Option<Deed>, Refusal> {
        let (live, by) = (&self.live, &entry.by);
        if !matches!(entry.did, Deed::Revealed { .. }) {
            live.is_not_over()?;
        }
        let deed = match &entry.did {
            Deed::Ordered { commands, .. } => live.order(by.actor, commands)?,
            Deed::Undone { seat, rows, .. } => return live.without(*seat, rows),
            Deed::Closed { .. } => live.close()?,
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
            Deed::Opened(_) => return Err(live.refusal("opened-once", "A table is opened once.")),
            Deed::Said { words } => live.say(words)?,
            Deed::Paced(pace) => live.take_pace(*pace)?,
            Deed::TableClosed { empty } => live.close_table(*empty)?,
            Deed::Committed { .. } | Deed::Revealed { .. } => return Ok(None),
        };
        Ok(Some(deed))
    }

    /// Secrets are committed to before a hand and revealed after it, and the dice follow from them.
    fn judge_dice(&mut self, row: u64, deed: &Deed, audited: &mut Audited, wrong: &mut Vec<Wrong>) {
        let was_over = std::mem::replace(&mut self.is_over, self.live.hand().is_some() && self.live.ends_hand(deed));
        let mut broken = |hand: u32, why: &str| wrong.push(Wrong::NotTheSecret { hand, why: why.to_owned() });
        match (deed, was_over) {
            (Deed::Revealed { hand, .. }, false) => broken(*hand, "the secret is revealed before the hand is over"),
            (Deed::Revealed { .. }, true) | (_, false) => {}
            (_, true) => broken(self.hands, "the hand is over and its secret is not revealed"),
        }
        if matches!(deed, Deed::Closed { .. }) && self.live.hand().is_none() {
            broken(self.hands, "bets are closed for dice that nobody has committed to");
        }
        match deed {
            Deed::Committed { hand, .. } => {
                if *hand != self.hands + 1 || self.live.hand().is_some() {
                    let why = "a hand begins once, after the one before it is over".to_owned();
                    wrong.push(Wrong::NotTheSecret { hand: *hand, why });
                }
                self.hands = *hand;
            }
            Deed::Thrown { .. } if self.live.opening().dice == DiceFrom::Secret => {
                self.drawn.push((row, self.live.clone(), deed.clone()));
            }
            Deed::Revealed { hand, secret } => {
                let committed = self.live.hand().filter(|known| known.number == *hand);
                let secret = Secret::from_hex(secret);
                let kept = committed.zip(secret.as_ref()).is_some_and(|(hand, it)| hand.commitment == it.commitment());
                if !kept {
                    let why = "the secret is not the one that was committed to".to_owned();
                    wrong.push(Wrong::NotTheSecret { hand: *hand, why });
                }
                let drawn = std::mem::take(&mut self.drawn);
                let Some(secret) = secret.filter(|_| kept) else { return };
                for (_, before, found) in drawn {
                    audited.derived += 1;
                    match before.derived(&secret) {
                        Ok(Some(expected)) if expected == found => {}
                        Ok(Some(expected)) => {
                            let (expected, found) = (dice(&expected), dice(&found));
                            wrong.push(Wrong::NotTheDice { hand: *hand, expected, found });
                        }
                        Ok(None) => {
                            let expected = "no throw: bets were not closed".to_owned();
                            wrong.push(Wrong::NotTheDice { hand: *hand, expected, found: dice(&found) });
                        }
                        Err(refusal) => wrong.push(unlawful(&refusal)),
                    }
                }
            }
            _ => {}
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

/// The seat of another that a player acted for. What players do with the dice the staff may write down for them.
fn not_theirs(live: &Live, entry: &Entry) -> Option<Wrong> {
    let who = entry.by.who.as_deref().filter(|_| entry.by.actor.role == Role::Player)?;
    let is_their_own = |command: &&Command| {
        matches!(command.verb(), Verb::Bet | Verb::TakeDown | Verb::Call | Verb::Tell | Verb::BuyIn | Verb::Leave)
    };
    let mut seats = match &entry.did {
        // Whoever sits down has the seat only after that.
        Deed::Ordered { commands, .. } if matches!(commands.first(), Some(Command::Join { .. })) => Vec::new(),
        Deed::Ordered { commands, .. } => commands.iter().filter(is_their_own).filter_map(Command::seat).collect(),
        Deed::Undone { seat, .. } => vec![*seat],
        _ => Vec::new(),
    }
    .into_iter();
    seats.find(|seat| live.owner(*seat) != Some(who)).map(|seat| Wrong::NotTheirs { seat })
}

fn unlawful(refusal: &Refusal) -> Wrong {
    Wrong::Unlawful { why: refusal.sentence(), cite: refusal.cites().to_string() }
}

/// The first thing in which two deeds differ.
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
            format!("{one}-{other}{}", if draw.is_some() { " and its draw" } else { "" })
        }
        _ => "no throw".to_owned(),
    }
}
