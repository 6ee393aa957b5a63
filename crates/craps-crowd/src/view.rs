//! What a bot knows of its table: everything it was told, added up by itself.

use crate::ledger::Broken;
use crate::line::{Decided, Happened, Kind, Line, Named};
use std::collections::BTreeMap;

/// The table from one seat.
#[derive(Debug, Clone, Default)]
pub(crate) struct View {
    pub(crate) table: String,
    pub(crate) seat: u8,
    /// The row before the first that was told, and what everybody was told of each since then.
    pub(crate) before: u64,
    pub(crate) heard: Vec<u64>,
    /// Has the table been told at all?
    pub(crate) is_known: bool,
    /// Does this bot sit where it wants to?
    pub(crate) is_seated: bool,
    pub(crate) rail: i64,
    pub(crate) bets: BTreeMap<String, i64>,
    pub(crate) point: Option<u8>,
    pub(crate) shooter: Option<u8>,
    pub(crate) min: i64,
    /// What rows since the last throw did to the rail: they may be taken back.
    since: BTreeMap<u64, i64>,
    /// The rows were taken back that made these bets: the table is to be told anew.
    is_anew: bool,
}

impl View {
    pub(crate) fn new(table: &str, seat: u8) -> View {
        View { table: table.to_owned(), seat, ..View::default() }
    }

    /// The last row that was told.
    pub(crate) fn last(&self) -> u64 {
        self.before + self.heard.len() as u64
    }

    /// Adds a table or a row to what is known.
    pub(crate) fn hear(&mut self, line: &Line) -> Result<(), Broken> {
        match line.kind {
            Kind::Table => self.stands(line),
            Kind::Row => self.goes_on(line),
            _ => Ok(()),
        }
    }

    /// The table as it stands: once something is known, it must be what this bot has added up.
    fn stands(&mut self, line: &Line) -> Result<(), Broken> {
        let told = View::told(&self.table, self.seat, line);
        self.min = told.min;
        if !self.is_known {
            let before = line.seq;
            *self = View { before, is_known: true, ..told };
            return Ok(());
        }
        if line.seq < self.last() {
            return Err(self.broken(line.seq, "the table was told as it stood before a row that was told already"));
        }
        // Rows that are still to be told are in it already; then there is nothing to compare.
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

    /// A table as it is told, without what was heard before.
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

    /// How what is known differs from another's account of the same row.
    pub(crate) fn differs(&self, told: &View) -> Option<String> {
        if self.is_seated != told.is_seated {
            return Some(format!("seated by own account: {}, as told: {}", self.is_seated, told.is_seated));
        }
        if self.rail != told.rail {
            return Some(format!("{} on the rail by own account, {} as told", self.rail, told.rail));
        }
        if self.bets != told.bets && !self.is_anew {
            return Some(format!("{:?} on the felt by own account, {:?} as told", self.bets, told.bets));
        }
        (self.point != told.point).then(|| format!("point {:?} by own account, {:?} as told", self.point, told.point))
    }

    fn broken(&self, seq: u64, how: &str) -> Broken {
        Broken::View { table: self.table.clone(), seat: self.seat, seq, how: how.to_owned() }
    }

    /// The next row: the one after the last.
    fn goes_on(&mut self, line: &Line) -> Result<(), Broken> {
        if line.seq != self.last() + 1 {
            let (table, after, found) = (self.table.clone(), self.last(), line.seq);
            return Err(Broken::Gap { table, seat: self.seat, after, found });
        }
        self.heard.push(line.digest());
        let before = self.rail;
        for one in &line.happened {
            self.happened(one);
        }
        if let Some(roll) = &line.roll {
            let seat = self.seat;
            roll.results.iter().filter(|one| one.seat == seat).for_each(|one| self.decided(one));
            // Whoever sevens out gives up the dice.
            if roll.mark.as_deref() == Some("%") {
                self.shooter = None;
            }
        }
        match line.did.as_deref() {
            Some("thrown") => self.since.clear(),
            Some("undone") if line.of == Some(self.seat) => {
                self.rail -= line.rows.numbers().iter().filter_map(|row| self.since.remove(row)).sum::<i64>();
                self.is_anew = true;
            }
            _ if self.rail != before => drop(self.since.insert(line.seq, self.rail - before)),
            _ => {}
        }
        // Rows that are heard as they happen say what is on the rail.
        match line.rails.iter().find(|rail| rail.seat == self.seat && self.is_seated) {
            Some(told) if told.rail != self.rail => {
                let how = format!("{} on the rail by own account, {} as told", self.rail, told.rail);
                Err(self.broken(line.seq, &how))
            }
            _ => Ok(()),
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

    /// What the dice did to a bet: whatever of stake and win does not stand on the felt now is on the rail.
    fn decided(&mut self, one: &Decided) {
        let stands = one.stands.as_ref().map_or(0, |bet| bet.stake);
        self.rail += one.stake + one.paid - one.commission - stands;
        self.bets.remove(&one.bet);
        self.bets.extend(one.stands.iter().map(|bet| (bet.bet.clone(), bet.stake)));
    }
}
