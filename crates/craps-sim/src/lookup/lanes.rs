//! Plays sessions side by side, sixteen rolls of each lane at a time. The results of all lanes are kept in plain arrays of 16-bit numbers, which
//! compilers turn into vector code. A lane is handled by itself only when something happened in it.

use super::pairs::{Entry, Table};
use crate::dice::{LANES, ROUND, Stream, Streams};
use std::ops::Range;

/// Look-ups per round.
const PAIRS: usize = ROUND as usize / 2;
/// A path starts over after at most this many rounds.
const STRETCH: u16 = 64;

/// Net results that end a session, in units: `low` or below, `high` or above.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    low: i64,
    high: i64,
}

impl Bounds {
    pub(super) fn new(stop: Option<i64>, goal: Option<i64>, unit: i64) -> Bounds {
        // Out of reach, but small enough that sums don't overflow.
        const FAR: i64 = i64::MAX / 4;
        let low = stop.map_or(-FAR, |stop| stop.div_euclid(unit)).clamp(-FAR, FAR);
        let high =
            goal.map_or(FAR, |goal| goal.div_euclid(unit) + i64::from(goal.rem_euclid(unit) != 0)).clamp(-FAR, FAR);
        Bounds { low, high: high.max(low + 1) }
    }

    #[inline]
    pub(super) const fn are_reached(self, net: i64) -> bool {
        // Tests both bounds with one comparison.
        net.wrapping_sub(self.low + 1).cast_unsigned() >= (self.high - self.low - 1).cast_unsigned()
    }
}

/// The results of a session so far, in units.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Played {
    pub(super) net: i64,
    peak: i64,
    /// Largest drop from an earlier peak.
    pub(super) fall: i64,
    pub(super) throws: u32,
}

impl Played {
    /// Adds one roll.
    #[inline]
    pub(super) fn throw(&mut self, change: i64) {
        self.net += change;
        self.peak = self.peak.max(self.net);
        self.fall = self.fall.max(self.peak - self.net);
        self.throws += 1;
    }

    /// Adds this many rounds, from the path of the lane.
    fn rounds(&mut self, rounds: u16, paths: &Paths, lane: usize) {
        self.fall =
            self.fall.max(i64::from(paths.fall[lane])).max(self.peak - self.net - i64::from(paths.bottom[lane]));
        self.peak = self.peak.max(self.net + i64::from(paths.top[lane]));
        self.net += i64::from(paths.net[lane]);
        self.throws += u32::from(rounds) * ROUND;
    }
}

/// The path of each lane since it started: the current net result, its highest and lowest value, and its largest drop.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Paths {
    net: [i16; LANES],
    top: [i16; LANES],
    bottom: [i16; LANES],
    fall: [i16; LANES],
}

impl Paths {
    const NEW: Paths = Paths { net: [0; LANES], top: [0; LANES], bottom: [0; LANES], fall: [0; LANES] };

    /// Adds one roll to every lane. Numbers saturate instead of overflowing; `Watch::round` notices that after the round.
    #[inline(always)]
    fn throw(&mut self, changes: [i16; LANES]) {
        for (lane, change) in changes.into_iter().enumerate() {
            self.net[lane] = self.net[lane].saturating_add(change);
            self.top[lane] = self.top[lane].max(self.net[lane]);
            self.bottom[lane] = self.bottom[lane].min(self.net[lane]);
            self.fall[lane] = self.fall[lane].max(self.top[lane].saturating_sub(self.net[lane]));
        }
    }

    fn begin(&mut self, lane: usize) {
        (self.net[lane], self.top[lane], self.bottom[lane], self.fall[lane]) = (0, 0, 0, 0);
    }
}

/// When a lane needs a look: its path reaches `low` or `high`, its rounds are over, or its numbers are saturated.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
struct Watch {
    low: [i16; LANES],
    high: [i16; LANES],
    rounds: [u16; LANES],
}

impl Watch {
    fn set(&mut self, lane: usize, net: i64, bounds: Bounds, rounds: u16) {
        // If a bound is out of reach of a path, a saturated path triggers the look instead.
        let clip = |net: i64| i16::try_from(net).unwrap_or(if net < 0 { i16::MIN } else { i16::MAX });
        (self.low[lane], self.high[lane]) = (clip(bounds.low - net), clip(bounds.high - net));
        self.rounds[lane] = rounds;
    }

    /// Counts one round down and returns which lanes need a look.
    #[inline(always)]
    fn round(&mut self, paths: &Paths) -> [bool; LANES] {
        std::array::from_fn(|lane| {
            self.rounds[lane] = self.rounds[lane].wrapping_sub(1);
            (self.rounds[lane] == 0)
                | (paths.bottom[lane] <= self.low[lane])
                | (paths.top[lane] >= self.high[lane])
                | (paths.fall[lane] == i16::MAX)
        })
    }
}

/// The session played in a lane, as it was when its path started, and the number of rounds until the path ends.
#[derive(Debug, Clone, Copy, Default)]
struct Session {
    /// None once all sessions have been handed out.
    number: Option<u64>,
    played: Played,
    rounds: u16,
}

/// Plays these sessions, and calls `ended` with the results of each one as it ends.
pub(super) fn side_by_side<E: Entry>(
    table: &Table<E>,
    seed: u64,
    mut numbers: Range<u64>,
    throws: u32,
    bounds: Bounds,
    mut ended: impl FnMut(u64, &Played),
) {
    let mut lanes = Lanes::<E>::new(throws, bounds);
    let mut sessions = [Session::default(); LANES];
    let mut busy = 0;
    for (lane, session) in sessions.iter_mut().enumerate() {
        busy += lanes.begin(lane, seed, numbers.next(), session);
    }
    while busy > 0 {
        lanes.look_up(table);
        lanes.streams.draw();
        let mut look = lanes.follow();
        while look != 0 {
            let lane = (look.trailing_zeros() / 8) as usize % LANES;
            look &= look - 1;
            let session = &mut sessions[lane];
            if lanes.goes_on(lane, session) {
                continue;
            }
            if let Some(number) = session.number {
                ended(number, &session.played);
                busy -= 1;
            }
            busy += lanes.begin(lane, seed, numbers.next(), session);
        }
    }
}

#[repr(align(64))]
struct Lanes<E: Entry> {
    streams: Streams,
    offsets: [usize; LANES],
    /// Changes caused by the pairs of the last round.
    changes: [[E::Changes; LANES]; PAIRS],
    paths: Paths,
    /// The paths before the last round.
    before: Paths,
    watch: Watch,
    throws: u32,
    bounds: Bounds,
}

impl<E: Entry> Lanes<E> {
    fn new(throws: u32, bounds: Bounds) -> Lanes<E> {
        Lanes {
            streams: Streams::new(),
            offsets: [0; LANES],
            changes: [[E::Changes::default(); LANES]; PAIRS],
            paths: Paths::NEW,
            before: Paths::NEW,
            watch: Watch { low: [i16::MIN; LANES], high: [i16::MAX; LANES], rounds: [0; LANES] },
            throws,
            bounds,
        }
    }

    /// Starts a session in a lane and returns 1. If there is none left, returns 0, and the lane keeps rolling its old dice.
    fn begin(&mut self, lane: usize, seed: u64, number: Option<u64>, session: &mut Session) -> usize {
        if let Some(number) = number {
            self.streams.begin(lane, Stream::new(seed, number));
        }
        self.offsets[lane] = 0;
        (session.number, session.played) = (number, Played::default());
        self.set_out(lane, session);
        usize::from(number.is_some())
    }

    /// Starts a new path at the current state of the session.
    fn set_out(&mut self, lane: usize, session: &mut Session) {
        let left = (self.throws - session.played.throws).div_ceil(ROUND);
        session.rounds = u16::try_from(left).unwrap_or(STRETCH).min(STRETCH);
        self.paths.begin(lane);
        self.watch.set(lane, session.played.net, self.bounds, session.rounds);
    }

    /// Looks up a round, eight lanes at a time, so that their offsets stay in registers.
    #[inline(never)]
    fn look_up(&mut self, table: &Table<E>) {
        const TOGETHER: usize = 8;
        for first in (0..LANES).step_by(TOGETHER) {
            let mut offsets: [usize; TOGETHER] = std::array::from_fn(|lane| self.offsets[first + lane] & E::OFFSETS);
            for (number, changes) in self.changes.iter_mut().enumerate() {
                for lane in 0..TOGETHER {
                    let entry = table.look_up(offsets[lane], self.streams.pair(first + lane, number));
                    changes[first + lane] = entry.changes();
                    offsets[lane] = entry.next();
                }
            }
            self.offsets[first..first + TOGETHER].copy_from_slice(&offsets);
        }
    }

    /// Adds a round to the paths. Returns which lanes need a look, one byte per lane.
    #[inline(never)]
    fn follow(&mut self) -> u128 {
        let mut paths = self.paths;
        self.before = paths;
        for changes in &self.changes {
            paths.throw(changes.map(|both| E::split(both)[0]));
            paths.throw(changes.map(|both| E::split(both)[1]));
        }
        self.paths = paths;
        u128::from_le_bytes(self.watch.round(&paths).map(u8::from))
    }

    /// Looks at a lane after a round and returns true if its session goes on. It replays the round roll by roll from the state before the round,
    /// which wasn't saturated.
    #[inline(never)]
    fn goes_on(&mut self, lane: usize, session: &mut Session) -> bool {
        let rounds = session.rounds - self.watch.rounds[lane];
        let mut played = session.played;
        played.rounds(rounds - 1, &self.before, lane);
        for changes in &self.changes {
            for change in E::split(changes[lane]) {
                played.throw(i64::from(change));
                if self.bounds.are_reached(played.net) || played.throws == self.throws {
                    session.played = played;
                    return false;
                }
            }
        }
        session.played = played;
        self.set_out(lane, session);
        true
    }
}
