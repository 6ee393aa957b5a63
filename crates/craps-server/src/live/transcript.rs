//! The game of a live table as text for a reader: the whole game, or one hand of it.
//!
//! A game contains the chips in every rail, which not every reader may know. For such a reader, the other players buy in for exactly what their bets
//! took. The game then goes as it went, with the same dice, bets and results, and shows nothing that wasn't visible on the layout.
//!
//! A text begins with an empty layout. If the wanted hand didn't begin with one, the text starts at the last earlier hand that did.

use super::view::{Eye, markers};
use super::{BetName, By, Deed, Entry, Live, NotOpened, Written};
use craps_law::Library;
use craps_money::Money;
use craps_table::{Actor, Command, Event, Manner, Refusal, Request, Role, SeatId, Table};
use craps_wagers::Phase;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of rows in one text.
pub const ROWS_MOST: usize = 200_000;
/// Note in a text that hides buy-ins.
const HIDDEN: &str = "The buy-ins of other players are hidden. Each has exactly the chips that their bets took.";

/// Why a game can't be written.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum NotWritten {
    /// Its rules can't be loaded here.
    #[error(transparent)]
    NotOpened(#[from] NotOpened),
    /// The law doesn't allow what the log says.
    #[error("row {0}: {1}")]
    Refused(u64, Refusal),
    /// A row of the log is damaged.
    #[error("row {0} can't be read")]
    Unreadable(u64),
}

/// A player who is at the table where the text begins.
#[derive(Debug, Clone)]
struct Seated {
    seat: SeatId,
    name: String,
    rail: Money,
    owner: Option<String>,
}

/// A game that is being collected from its log.
#[derive(Debug)]
pub struct Transcript {
    live: Live,
    /// The wanted hand. None means all hands.
    wanted: Option<u32>,
    /// Can the text begin with any hand that begins with an empty layout?
    skips: bool,
    seated: Vec<Seated>,
    /// What waits for the crew where the text begins.
    waiting: Vec<Request>,
    rows: Vec<(u64, Entry)>,
    /// How many rolls in the text come before the wanted hand.
    before: u32,
    over: bool,
    unreadable: Option<u64>,
    /// Were all rows since an empty layout read? A table from a saved state may have had bets on it.
    has_start: bool,
}

impl Transcript {
    /// Starts with a table that was just opened, or with a saved state of it.
    #[must_use]
    pub fn new(opened: Live, wanted: Option<u32>, skips: bool) -> Transcript {
        Transcript {
            has_start: opened.head().0 == 1,
            live: opened,
            wanted,
            skips,
            seated: Vec::new(),
            waiting: Vec::new(),
            rows: Vec::new(),
            before: 0,
            over: false,
            unreadable: None,
        }
    }

    /// Can reading stop? All wanted rows are there, or there are more than can be written.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.over || self.is_too_long()
    }

    /// Are there more rows than can be written?
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.rows.len() > ROWS_MOST
    }

    /// Does the text have its beginning? If not, it has to be read from an earlier row.
    #[must_use]
    pub fn has_start(&self) -> bool {
        self.has_start || self.unreadable.is_some()
    }

    /// Takes the next row.
    pub fn row(&mut self, row: u64, hash: &str, entry: &Entry<BetName>) {
        if self.over {
            return;
        }
        let Ok(entry) = self.live.names().read(entry) else {
            (self.over, self.unreadable) = (true, Some(row));
            return;
        };
        let hand = self.live.hands().number;
        self.live.apply(row, hash, &entry);
        self.rows.push((row, entry));
        if self.live.hands().number == hand {
            return;
        }
        self.over = self.wanted == Some(hand);
        if self.over || self.wanted.is_none() {
            return;
        }
        if self.skips && is_clean(self.live.table()) {
            let owner = |seat: SeatId| self.live.owner(seat).map(str::to_owned);
            let seats = self.live.table().seats();
            self.seated = seats
                .map(|(seat, player)| Seated { seat, name: player.name.clone(), rail: player.rail, owner: owner(seat) })
                .collect();
            self.waiting = self.live.table().requests().to_vec();
            self.rows.clear();
            self.has_start = true;
        }
        if self.wanted == Some(self.live.hands().number) {
            self.before =
                u32::try_from(self.rows.iter().filter(|(_, entry)| is_roll(&entry.did)).count()).unwrap_or(u32::MAX);
        }
    }

    /// Returns the text as `eye` may see it.
    ///
    /// # Errors
    /// When a row can't be read, or the law doesn't allow the game from where this text begins.
    pub fn text(&self, library: &Library, eye: &Eye) -> Result<String, NotWritten> {
        if let Some(row) = self.unreadable {
            return Err(NotWritten::Unreadable(row));
        }
        let stays = self.stays(eye);
        let mut tags = Vec::new();
        if let Some(hand) = self.wanted {
            let from = if self.before > 0 { format!(", from roll {} on", self.before + 1) } else { String::new() };
            tags.push(("Event", format!("hand {hand}{from}")));
        }
        if stays.values().any(Option::is_some) {
            tags.push(("Note", HIDDEN.to_owned()));
        }
        let mut written = Written::with_tags(library, self.live.opening(), &tags)?;
        let mut hidden = BTreeSet::new();
        for Seated { seat, name, rail, .. } in &self.seated {
            let join = Command::Join { seat: *seat, name: name.clone(), money: *rail };
            let join = shown(&join, 0, &stays, &mut hidden);
            join.map_or(Ok(()), |join| written.seated(&join)).map_err(|refusal| NotWritten::Refused(0, refusal))?;
        }
        for Request { number, command, .. } in &self.waiting {
            if let Some(command) = public(command, &hidden) {
                written.waits(*number, command);
            }
        }
        for (row, entry) in &self.rows {
            let Some(entry) = shown_row(entry, *row, &stays, &mut hidden) else { continue };
            written.row(*row, &entry).map_err(|refusal| NotWritten::Refused(*row, refusal))?;
        }
        let last = self.rows.last().map_or(0, |(row, _)| *row);
        written.text().map_err(|refusal| NotWritten::Refused(last, refusal))
    }

    /// Returns every stay at the table, by its seat and first row: what its bets took, or None if `eye` may see the rail.
    fn stays(&self, eye: &Eye) -> Stays {
        let mut stays = Stays::new();
        let mut now: BTreeMap<SeatId, Stay> = BTreeMap::new();
        for Seated { seat, owner, .. } in &self.seated {
            now.insert(*seat, Stay::new(0, eye.sees(owner.as_deref())));
        }
        for (row, entry) in &self.rows {
            let again = matches!(entry.did, Deed::Undone { .. });
            for event in entry.did.events() {
                match event {
                    Event::Joined { seat, .. } if !again => {
                        let owner = match &entry.by {
                            By { who, actor: Actor { role: Role::Player, .. }, .. } => who.as_deref(),
                            _ => None,
                        };
                        now.insert(*seat, Stay::new(*row, eye.sees(owner)));
                    }
                    Event::Left { seat } if !again => {
                        if let Some(stay) = now.remove(seat) {
                            stays.insert((*seat, stay.since), stay.need());
                        }
                    }
                    event => {
                        let seat = event.moves_money_of().and_then(|seat| now.get_mut(&seat));
                        if let (Some(stay), Event::BetPlaced { staked, commission, .. }) = (seat, event) {
                            stay.put += staked.minor() + commission.minor();
                        }
                    }
                }
            }
        }
        stays.extend(now.into_iter().map(|(seat, stay)| ((seat, stay.since), stay.need())));
        stays
    }
}

/// What the bets of each stay took, for stays whose buy-in is hidden.
type Stays = BTreeMap<(SeatId, u64), Option<Money>>;

/// A player's time at the table, from joining to leaving.
#[derive(Debug)]
struct Stay {
    since: u64,
    seen: bool,
    /// Sum of all bets and commissions. It is enough for any order of the bets, without counting what they paid back.
    put: i64,
}

impl Stay {
    fn new(since: u64, seen: bool) -> Stay {
        Stay { since, seen, put: 0 }
    }

    fn need(&self) -> Option<Money> {
        (!self.seen).then(|| Money::from_minor(self.put))
    }
}

/// Returns a command as it may be shown. Other players join with what their bets took, and later changes of their rails are left out.
fn shown(command: &Command, row: u64, stays: &Stays, hidden: &mut BTreeSet<SeatId>) -> Option<Command> {
    match command {
        Command::Join { seat, name, money } => {
            let need = stays.get(&(*seat, row)).copied().flatten();
            if need.is_some() {
                hidden.insert(*seat)
            } else {
                hidden.remove(seat)
            };
            Some(Command::Join { seat: *seat, name: name.clone(), money: need.unwrap_or(*money) })
        }
        command => public(command, hidden),
    }
}

/// Returns a command without what moves the rails of players whose buy-ins are hidden.
fn public(command: &Command, hidden: &BTreeSet<SeatId>) -> Option<Command> {
    match command {
        Command::BuyIn { seat, .. } | Command::Rule { seat, .. } if hidden.contains(seat) => None,
        Command::Bet { seat, slot, amount, manner } if hidden.contains(seat) => {
            let manner = Manner { cash: None, ..manner.clone() };
            Some(Command::Bet { seat: *seat, slot: *slot, amount: *amount, manner })
        }
        command => Some(command.clone()),
    }
}

/// Returns an event that says which requests wait, as it may be shown. The session works out all other events again.
fn asked(event: &Event, hidden: &BTreeSet<SeatId>) -> Option<Event> {
    match event {
        Event::Requested { number, command, needs } => {
            let command = Box::new(public(command, hidden)?);
            Some(Event::Requested { number: *number, command, needs: needs.clone() })
        }
        Event::Confirmed { .. } | Event::RequestEnded { .. } => Some(event.clone()),
        _ => None,
    }
}

/// Returns a row as it may be shown.
fn shown_row(entry: &Entry, row: u64, stays: &Stays, hidden: &mut BTreeSet<SeatId>) -> Option<Entry> {
    let did = match &entry.did {
        Deed::Ordered { commands, events } => {
            let commands = commands.iter().filter_map(|command| shown(command, row, stays, hidden)).collect();
            Deed::Ordered { commands, events: events.iter().filter_map(|event| asked(event, hidden)).collect() }
        }
        Deed::Proposed { ruling } => Deed::Proposed { ruling: shown(ruling, row, stays, hidden)? },
        did => did.clone(),
    };
    Some(Entry::new(entry.by.clone(), did))
}

/// Is it a roll of the game, counted or not?
fn is_roll(deed: &Deed) -> bool {
    match deed {
        Deed::Thrown { .. } => true,
        Deed::Ordered { events, .. } => events.iter().any(|event| matches!(event, Event::NoRoll { .. })),
        _ => false,
    }
}

/// Can a game begin here? The layout is empty, and no progress from before counts.
fn is_clean(table: &Table) -> bool {
    table.phase() == Phase::ComeOut
        && table.shooter().is_none()
        && markers(table).is_empty()
        && table.seats().all(|(_, seat)| seat.bets.is_empty())
}
