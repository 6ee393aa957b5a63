//! Audits what tables' logs say, after the store has checked the rows themselves: decides every row again from the rows before it, counts every
//! cent, derives every roll again from its secret, and writes out the game and compares.

use crate::live::pit::told;
use crate::live::{BetName, Deed, DiceFrom, Entry, HostCode, Live, Refused, Secret, Written};
use craps_law::Library;
use craps_store::{Row, is_table};
use craps_table::{Command, Event, Role, Verb};
use serde::Serialize;
use std::collections::BTreeMap;
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
    /// The mistakes that were found.
    pub findings: Vec<Finding>,
}

/// Audits rows one by one. The rows of each table must come in order.
pub struct Auditor<'l> {
    library: &'l Library,
    tables: BTreeMap<String, Docket>,
    audited: Audited,
}

/// The state of the audit of one table.
struct Docket {
    live: Live,
    written: Written,
    /// Rolls whose secret isn't revealed yet: the row, the table just before it, and the roll.
    drawn: Vec<(u64, Live, Deed)>,
    /// Number of the last hand.
    hands: u32,
    /// The previous row ended the hand.
    is_over: bool,
    /// A row could not be read, or the money doesn't add up: later rows can't be judged.
    is_lost: bool,
}

impl<'l> Auditor<'l> {
    /// Starts an audit with these books.
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
                wrong.push(Wrong::Unreadable { why: "this isn't an entry of a table's log".to_owned() });
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

    /// Ends the audit and returns its result.
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
        wrong.extend(not_theirs(&self.live, &read));
        self.judge_dice(row.seq, &read.did, audited, wrong);
        if let Err(refusal) = self.written.row(row.seq, &read) {
            wrong.push(unlawful(&refusal.into()));
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

    /// After a miscount, goes on from what the row should have said, or as if the row weren't there.
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
            Deed::Opened(_) => return Err(HostCode::OpenedOnce.into()),
            Deed::Said { words } => live.say(words)?,
            Deed::Paced(pace) => live.take_pace(*pace)?,
            Deed::TableClosed { empty } => live.close_table(*empty)?,
            Deed::Committed { .. } | Deed::Revealed { .. } => return Ok(None),
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
        match deed {
            Deed::Committed { hand, .. } => {
                if *hand != self.hands + 1 || self.live.hand().is_some() {
                    let why = "a hand must begin once, after the one before it is over".to_owned();
                    wrong.push(Wrong::NotTheSecret { hand: *hand, why });
                }
                self.hands = *hand;
            }
            Deed::Drawn { .. } => self.drawn.push((row, self.live.clone(), deed.clone())),
            Deed::Thrown { .. } if self.live.opening().dice == DiceFrom::Secret => {
                self.drawn.push((row, self.live.clone(), deed.clone()));
            }
            Deed::Revealed { hand, secret } => {
                let committed = self.live.hand().filter(|known| known.number == *hand);
                let secret = Secret::from_hex(secret);
                let kept = committed.zip(secret.as_ref()).is_some_and(|(hand, it)| hand.commitment == it.commitment());
                if !kept {
                    let why = "the secret isn't the one that was committed to".to_owned();
                    wrong.push(Wrong::NotTheSecret { hand: *hand, why });
                }
                let drawn = std::mem::take(&mut self.drawn);
                let Some(secret) = secret.filter(|_| kept) else { return };
                for (_, before, found) in drawn {
                    let expected = match &found {
                        Deed::Thrown { draw: Some(_), .. } => before.derived_at_once(&secret),
                        _ => before.derived(&secret),
                    };
                    audited.derived += u64::from(matches!(found, Deed::Thrown { .. }));
                    match expected {
                        Ok(Some(expected)) if expected == found => {}
                        Ok(Some(expected)) => {
                            let (expected, found) = (dice(&expected), dice(&found));
                            wrong.push(Wrong::NotTheDice { hand: *hand, expected, found });
                        }
                        Ok(None) => {
                            let expected = "no roll: bets were not closed".to_owned();
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
        Deed::Undone { seat, .. } => vec![*seat],
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
