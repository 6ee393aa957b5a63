//! The audit of one table's log, row by row.

use super::books::Books;
use super::{Audited, Wrong};
use crate::live::{
    BetName, CHAIN_MOST, Chain, Deed, DiceFrom, Digested, Due, Entry, Funds, HostCode, Live, Names, Opening, Payer,
    Refused, SeatSeed, Secret, Source, Written,
};
use craps_law::Library;
use craps_store::Row;
use craps_table::{Bet, Command, Event, Role, Seat, SlotId, Table, Verb};
use std::collections::{BTreeMap, BTreeSet};

/// At the first place between two hands after this many rows, and again after as many, the text of the game is begun anew. So a long log can be
/// audited in parts, with the same result, and the text doesn't grow with the log.
pub const PART: u64 = 20_000;

/// The state of the audit of one table.
pub(super) struct Docket {
    table: String,
    live: Live,
    written: Written,
    /// Rolls and draws whose secret isn't revealed yet, with what was before them.
    drawn: Vec<(Waits, Deed)>,
    /// Number of the last hand.
    hands: u32,
    /// Digests of the states after the rows whose states are saved.
    states: BTreeMap<u64, Digested>,
    /// The previous row ended the hand.
    is_over: bool,
    /// Place of the last hand's secret in its chain.
    chain: Option<Chain>,
    /// Nonces of all chains, and of those that began after the last place.
    nonces: BTreeSet<String>,
    late: Vec<String>,
    /// The last secret that was revealed.
    revealed: Option<String>,
    /// A row could not be read, or the money doesn't add up: later rows can't be judged.
    is_lost: bool,
    /// The last place between two hands.
    place: Option<Place>,
    /// Number of the row after which the text of the game was begun anew.
    begun: u64,
    /// Number of the first row that was judged.
    from: u64,
    /// A row names a state from before the first row that was judged.
    is_unsure: bool,
    /// After how many rows the text is begun anew.
    part: u64,
}

/// What was before a roll or a draw whose secret isn't revealed yet.
enum Waits {
    /// The roll is what the table makes of its dice. So only the dice have to be derived again.
    ForDice(Due),
    /// The table, which has to decide it again.
    ForAll(Box<Live>),
}

/// A place between two hands, where the audit of a table can go on without the rows before it.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) live: Live,
    /// Number of the last hand.
    pub(super) hands: u32,
    /// Place of the last hand's secret in its chain.
    pub(super) chain: Option<Chain>,
    /// The last secret that was revealed.
    pub(super) revealed: Option<String>,
}

impl Place {
    /// Returns the number of the row before the place.
    pub(super) fn row(&self) -> u64 {
        self.live.head().0
    }

    /// Is it the same place, with the table in the same state?
    pub(super) fn is(&self, other: &Place) -> bool {
        let state = |place: &Place| place.live.mark().map(|(mark, _)| mark.body);
        let rest = |place: &Place| (place.row(), place.hands, place.chain.clone(), place.revealed.clone());
        rest(self) == rest(other) && state(self) == state(other)
    }
}

/// A table that is read from a saved state to the next place between two hands, without being judged.
pub(super) struct Approach {
    live: Live,
    hands: u32,
    chain: Option<Chain>,
    revealed: Option<String>,
    states: BTreeMap<u64, Digested>,
}

impl Approach {
    /// Starts at a saved state.
    pub(super) fn new(live: Live) -> Approach {
        let hand = live.hand().cloned();
        let (hands, chain) = hand.map_or((0, None), |hand| (hand.number, hand.chain));
        let states = live.due_mark().map(|(mark, digested)| (mark.seq, digested)).into_iter().collect();
        Approach { live, hands, chain, revealed: None, states }
    }

    /// Applies the next row. False if it can't be read.
    pub(super) fn row(&mut self, row: &Row, entry: Entry<BetName>) -> bool {
        let Ok(entry) = self.live.names().take(entry) else { return false };
        match &entry.did {
            Deed::Committed { hand, chain, .. } => (self.hands, self.chain) = (*hand, chain.clone()),
            Deed::Revealed { secret, .. } => self.revealed = Some(secret.clone()),
            _ => {}
        }
        self.live.apply(row.seq, &row.hash, &entry);
        self.live.stamp(row.at);
        self.states.extend(self.live.due_mark().map(|(mark, digested)| (mark.seq, digested)));
        true
    }

    /// Returns the place, if the table is between two hands and everything is known that the audit needs there.
    pub(super) fn place(&self) -> Option<Place> {
        let known = self.revealed.is_some() || self.chain.is_none() && self.live.opening().dice == DiceFrom::People;
        let Approach { live, hands, chain, revealed, .. } = self;
        (known && live.is_between_hands()).then(|| Place {
            live: live.clone(),
            hands: *hands,
            chain: chain.clone(),
            revealed: revealed.clone(),
        })
    }
}

impl Docket {
    /// Opens the table as the first row says.
    pub(super) fn open(library: &Library, first: &Entry<BetName>, row: &Row) -> Result<Docket, String> {
        let live = Live::open(library, first, &row.hash).map_err(|error| error.to_string())?;
        let place = Place { live, hands: 0, chain: None, revealed: None };
        Docket::at(library, &row.table, place).map(|docket| Docket { place: None, from: 0, ..docket })
    }

    /// Goes on at a place between two hands.
    pub(super) fn at(library: &Library, table: &str, place: Place) -> Result<Docket, String> {
        let written = Written::open(library, place.live.opening()).map_err(|error| error.to_string())?;
        let mut docket = Docket {
            table: table.to_owned(),
            live: place.live.clone(),
            written,
            drawn: Vec::new(),
            hands: place.hands,
            states: BTreeMap::new(),
            is_over: false,
            chain: place.chain.clone(),
            nonces: BTreeSet::new(),
            late: Vec::new(),
            revealed: place.revealed.clone(),
            is_lost: false,
            begun: place.row(),
            from: place.row(),
            place: Some(place),
            is_unsure: false,
            part: PART,
        };
        docket.written.begin_at(docket.live.table());
        Ok(docket)
    }

    /// Goes on after an approach, which knows the digests of the last states.
    pub(super) fn after(library: &Library, table: &str, approach: Approach, place: Place) -> Result<Docket, String> {
        let from = approach.states.keys().next().copied().unwrap_or_default();
        Docket::at(library, table, place).map(|docket| Docket { states: approach.states, from, ..docket })
    }

    /// Sets after how many rows the text is begun anew.
    pub(super) fn in_parts(self, part: u64) -> Docket {
        Docket { part, ..self }
    }

    /// Returns the last place between two hands.
    pub(super) fn place(&self) -> Option<&Place> {
        self.place.as_ref()
    }

    /// Returns the number of the row after which the text of the game was begun anew.
    pub(super) const fn begun(&self) -> u64 {
        self.begun
    }

    /// Returns the nonces of the chains that began before the last place.
    pub(super) fn nonces(&self) -> BTreeSet<String> {
        self.nonces.iter().filter(|nonce| !self.late.contains(nonce)).cloned().collect()
    }

    /// Adds the nonces of chains that began before the first row that was judged.
    pub(super) fn knows(&mut self, nonces: impl IntoIterator<Item = String>) {
        self.nonces.extend(nonces);
    }

    /// Takes over the audit of the next part of the log, if it began at the place where this one is, with the table in the same state.
    pub(super) fn goes_on(&mut self, mut next: Docket, began: &Place) -> bool {
        let here = self.begun == began.row() && self.live.head() == began.live.head();
        let same = here && self.place.as_ref().is_some_and(|place| place.is(began));
        if !same || next.is_unsure || !next.nonces.is_disjoint(&self.nonces) {
            return false;
        }
        next.nonces.append(&mut self.nonces);
        let mut states = std::mem::take(&mut self.states);
        states.append(&mut next.states);
        *self = Docket { states, from: self.from, ..next };
        true
    }

    /// Can later rows be judged?
    pub(super) const fn is_lost(&self) -> bool {
        self.is_lost
    }

    /// Gives up on the rows that follow.
    pub(super) const fn lose(&mut self) {
        self.is_lost = true;
    }

    /// Returns the names of the bets of the table.
    pub(super) fn names(&self) -> &Names {
        self.live.names()
    }

    /// Judges the next row. Returns how many chips with a source it brought to the table, in cents.
    pub(super) fn judge(&mut self, row: &Row, read: Entry, audited: &mut Audited, wrong: &mut Vec<Wrong>) -> i64 {
        let before = self.live.table().accounts().came_in;
        let expected = self.expected(&read);
        let agrees = matches!(&expected, Ok(Some(expected)) if *expected == read.did);
        let instead = match expected {
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
        self.judge_dice(&read.did, agrees, audited, wrong);
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
        self.pass(row, wrong);
        let Opening { practice, funded, .. } = self.live.opening();
        let came = self.live.table().accounts().came_in.minus(before).unwrap_or_default();
        if *funded && !practice { came.minor() } else { 0 }
    }

    /// Notes a place between two hands, and begins the text of the game anew there if it has become long.
    fn pass(&mut self, row: &Row, wrong: &mut Vec<Wrong>) {
        let between = self.drawn.is_empty() && !self.is_over && !self.is_lost && self.live.is_between_hands();
        if !between {
            return;
        }
        let (hands, chain, revealed) = (self.hands, self.chain.clone(), self.revealed.clone());
        self.place = Some(Place { live: self.live.clone(), hands, chain, revealed });
        self.late.clear();
        if row.seq / self.part > self.begun / self.part {
            self.compare_bets(wrong);
            self.written.begin_at(self.live.table());
            self.begun = row.seq;
        }
    }

    /// Compares all bets with those in the text of the game.
    fn compare_bets(&self, wrong: &mut Vec<Wrong>) {
        let game = self.written.session().table();
        for (seat, player) in self.live.table().seats() {
            let there = game.seat(seat);
            if there.is_none_or(|there| there.bets != player.bets) {
                let bets = |table: &Table| table.seat(seat).map_or("no seat".to_owned(), |seat| shown(table, seat));
                let (expected, found) = (bets(game), bets(self.live.table()));
                wrong.push(Wrong::GameDiffers { seat, expected, found });
            }
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
            None if *after <= self.from && self.from > 0 => self.is_unsure = true,
            _ => wrong.push(Wrong::NotTheState { after: *after }),
        }
    }

    /// Checks that a row says where chips and coupons come from, and that they come from there.
    pub(super) fn judge_funds(&self, row: &Row, read: &Entry, books: &mut Books, wrong: &mut Vec<Wrong>) {
        let found = &read.funds;
        let mut bad = |why: String| wrong.push(Wrong::NoSource { why });
        if let Some(funds) = found {
            books.of_table(row, funds);
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
        let expected = match self.live.payer(&read.by, &flow) {
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
    fn judge_dice(&mut self, deed: &Deed, agrees: bool, audited: &mut Audited, wrong: &mut Vec<Wrong>) {
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
                let before = self.chain.as_ref().map(|before| &before.nonce);
                if let Some(Chain { nonce, .. }) = chain
                    && before != Some(nonce)
                {
                    self.nonces.insert(nonce.clone());
                    self.late.push(nonce.clone());
                }
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
                        let rolls = self.drawn.drain(..).filter(|(_, deed)| matches!(deed, Deed::Thrown { .. }));
                        audited.unproven += rolls.count() as u64;
                    }
                }
            }
            Deed::Drawn { .. } => self.drawn.push((Waits::ForAll(Box::new(self.live.clone())), deed.clone())),
            Deed::Thrown { draw, .. } if self.live.opening().dice == DiceFrom::Secret => {
                let due = self.live.due().filter(|_| agrees && draw.is_none());
                let waits = due.map_or_else(|| Waits::ForAll(Box::new(self.live.clone())), Waits::ForDice);
                self.drawn.push((waits, deed.clone()));
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
        for (waits, found) in drawn {
            audited.derived += u64::from(matches!(found, Deed::Thrown { .. }));
            let before = match waits {
                Waits::ForAll(before) => before,
                Waits::ForDice(due) => {
                    let (expected, found) = (shown_dice(due.dice(&self.table, &secret)), dice(&found));
                    if expected != found {
                        wrong.push(Wrong::NotTheDice { hand, expected, found });
                    }
                    continue;
                }
            };
            let expected = match &found {
                Deed::Thrown { draw: Some(_), .. } => before.derived_at_once(&secret),
                _ => before.derived(&self.table, &secret),
            };
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

fn shown_dice([one, other]: [u8; 2]) -> String {
    format!("{one}-{other}")
}

fn dice(deed: &Deed) -> String {
    match deed {
        Deed::Thrown { faces, draw, .. } => {
            format!("{}{}", shown_dice(*faces), if draw.is_some() { " with its draw" } else { "" })
        }
        Deed::Drawn { draw: Command::Draw { selection }, .. } => format!("the draw {selection:?}"),
        _ => "no roll".to_owned(),
    }
}

/// Lists the bets of a seat.
fn shown(table: &Table, seat: &Seat) -> String {
    let bet = |(slot, bet): (SlotId, &Bet)| format!("{} {}", table.board().slot(slot).code, bet.stake);
    let bets: Vec<String> = seat.bets.standing().map(bet).collect();
    if bets.is_empty() { "no bets".to_owned() } else { bets.join(", ") }
}
