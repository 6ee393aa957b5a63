//! A bot's own view of its table, computed from everything it heard.

use crate::ledger::Broken;
use crate::line::{Decided, Happened, Kind, Line, Named};
use std::collections::BTreeMap;

/// The table as seen from one seat.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    pub(crate) table: String,
    pub(crate) seat: u8,
    /// Number of the row before the first one heard, and the digest of each row heard since then.
    pub(crate) before: u64,
    pub(crate) heard: Vec<u64>,
    /// True once the bot has received the table.
    pub(crate) is_known: bool,
    /// True if the bot has its seat.
    pub(crate) is_seated: bool,
    pub(crate) rail: i64,
    pub(crate) bets: BTreeMap<String, i64>,
    pub(crate) point: Option<u8>,
    pub(crate) shooter: Option<u8>,
    pub(crate) min: i64,
    /// Changes of the bot's chips by row since the last roll. An undo can reverse them.
    since: BTreeMap<u64, i64>,
    /// True after an undo that changed more than its row says: the bets are unknown until the next table arrives.
    is_anew: bool,
}

impl View {
    pub(crate) fn new(table: &str, seat: u8) -> View {
        View { table: table.to_owned(), seat, ..View::default() }
    }

    /// Returns the number of the last row heard.
    pub(crate) fn last(&self) -> u64 {
        self.before + self.heard.len() as u64
    }

    /// Applies a table or a row.
    pub(crate) fn hear(&mut self, line: &Line) -> Result<(), Broken> {
        match line.kind {
            Kind::Table => self.stands(line),
            Kind::Row => self.goes_on(line),
            _ => Ok(()),
        }
    }

    /// Applies a table. If the bot already has a view, both must agree.
    fn stands(&mut self, line: &Line) -> Result<(), Broken> {
        let told = View::told(&self.table, self.seat, line);
        self.min = told.min;
        if !self.is_known {
            let before = line.seq;
            *self = View { before, is_known: true, ..told };
            return Ok(());
        }
        if line.seq < self.last() {
            return Err(self.broken(line.seq, "received a table that is older than a row received before"));
        }
        // The table includes rows that are still to come, so there is nothing to compare.
        if line.seq > self.last() {
            return Ok(());
        }
        if self.is_anew {
            (self.bets, self.is_anew) = (told.bets.clone(), false);
        }
        let differs = self.differs(&told);
        self.shooter = told.shooter;
        differs.map_or(Ok(()), |how| Err(self.broken(line.seq, &how)))
    }

    /// Builds a view from a table line alone.
    pub(crate) fn told(table: &str, seat: u8, line: &Line) -> View {
        let own = line.seats.iter().find(|one| one.own && one.seat == seat);
        View {
            is_seated: own.is_some(),
            rail: own.and_then(|own| own.rail).unwrap_or_default(),
            bets: own.into_iter().flat_map(|own| &own.bets).map(|bet| (bet.bet.clone(), bet.stake)).collect(),
            point: line.point,
            shooter: line.shooter.and_then(|shooter| shooter.seat),
            min: line.limits.min.and_then(|min| i64::try_from(min).ok()).unwrap_or(500),
            ..View::new(table, seat)
        }
    }

    /// Returns the first difference to another view of the same row.
    pub(crate) fn differs(&self, told: &View) -> Option<String> {
        if self.is_seated != told.is_seated {
            return Some(format!("seated: the bot computed {}, the server says {}", self.is_seated, told.is_seated));
        }
        if self.rail != told.rail {
            return Some(format!("chips: the bot computed {}, the server says {}", self.rail, told.rail));
        }
        if self.bets != told.bets && !self.is_anew {
            return Some(format!("bets: the bot computed {:?}, the server says {:?}", self.bets, told.bets));
        }
        (self.point != told.point)
            .then(|| format!("point: the bot computed {:?}, the server says {:?}", self.point, told.point))
    }

    fn broken(&self, seq: u64, how: &str) -> Broken {
        Broken::View { table: self.table.clone(), seat: self.seat, seq, how: how.to_owned() }
    }

    /// Applies the next row, which must follow the last one.
    fn goes_on(&mut self, line: &Line) -> Result<(), Broken> {
        if line.seq != self.last() + 1 {
            let (table, after, found) = (self.table.clone(), self.last(), line.seq);
            return Err(Broken::Gap { table, seat: self.seat, after, found });
        }
        self.heard.push(line.digest());
        self.apply(line);
        // Live rows include the bot's chips.
        match line.rails.iter().find(|rail| rail.seat == self.seat && self.is_seated) {
            Some(told) if told.rail != self.rail => {
                let how = format!("chips: the bot computed {}, the server says {}", self.rail, told.rail);
                Err(self.broken(line.seq, &how))
            }
            _ => Ok(()),
        }
    }

    /// Applies what a row did.
    pub(crate) fn apply(&mut self, line: &Line) {
        let before = self.rail;
        for one in &line.happened {
            self.happened(one);
        }
        if let Some(roll) = &line.roll {
            let seat = self.seat;
            roll.results.iter().filter(|one| one.seat == seat).for_each(|one| self.decided(one));
            // The shooter loses the dice on a seven-out.
            if roll.mark.as_deref() == Some("%") {
                self.shooter = None;
            }
        }
        match line.did.as_deref() {
            Some("thrown") => self.since.clear(),
            Some("undone") if line.of == Some(self.seat) => {
                self.rail -= line.rows.iter().filter_map(|row| self.since.remove(row)).sum::<i64>();
                match &line.bets {
                    Some(bets) => self.bets = bets.iter().map(|bet| (bet.bet.clone(), bet.stake)).collect(),
                    None => self.is_anew = true,
                }
            }
            _ if self.rail != before => drop(self.since.insert(line.seq, self.rail - before)),
            _ => {}
        }
    }

    fn happened(&mut self, one: &Happened) {
        match one.what.as_str() {
            "phase-set" => self.point = one.point,
            "dice-taken" => self.shooter = one.seat,
            "dice-passed" => self.shooter = None,
            _ => {}
        }
        if one.seat != Some(self.seat) {
            return;
        }
        match (one.what.as_str(), &one.bet) {
            ("joined", _) => (self.is_seated, self.rail) = (true, one.money),
            ("bought-in", _) => self.rail += one.money,
            ("bet-placed", Some(Named::Whole(bet))) => {
                self.rail -= one.staked + one.commission;
                self.bets.insert(bet.bet.clone(), bet.stake);
            }
            ("taken-down", Some(Named::Code(code))) => {
                self.rail += one.returned + one.refunded;
                self.bets.remove(code);
                self.bets.extend(one.left.iter().map(|bet| (bet.bet.clone(), bet.stake)));
            }
            _ => {}
        }
    }

    /// Applies the result of a bet: the part of bet and win that is not on the felt now goes to the bot's chips.
    fn decided(&mut self, one: &Decided) {
        let stands = one.stands.as_ref().map_or(0, |bet| bet.stake);
        self.rail += one.stake + one.paid - one.commission - stands;
        self.bets.remove(&one.bet);
        self.bets.extend(one.stands.iter().map(|bet| (bet.bet.clone(), bet.stake)));
    }
}
