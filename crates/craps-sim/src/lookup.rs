//! Sessions by look-up: several at once, so that one waits for memory while the others go on.

use crate::dice::{CUTS, Stream, cut};
use crate::engine::{End, Outcome, Plan};
use crate::tabulate::Tabulation;

/// How many sessions are played at once.
const LANES: usize = 8;
/// How many throws are cut from a word, as a count of throws.
const BLOCK: u32 = 11;
/// As many entries as a short offset can name.
const SHORT: usize = 1 << 16;

/// A table of positions packed for looking up: an entry holds the offset of the next position and the change in units.
#[derive(Debug, Clone)]
pub struct Lookup {
    packed: Packed,
    quits: Vec<bool>,
    unit: i64,
}

#[derive(Debug, Clone)]
enum Packed {
    /// Offset and change share a word of 32 bits; any short offset has an entry, so that no bound is checked.
    Short(Box<[u32; SHORT]>),
    /// They share a word of 64.
    Long(Vec<u64>),
}

impl Lookup {
    /// Packs a table; none if a change does not fit.
    #[must_use]
    pub fn new(table: &Tabulation) -> Option<Lookup> {
        let turns = || table.turns.iter().flatten();
        let fits = turns().all(|turn| i16::try_from(turn.delta / table.unit).is_ok());
        let packed = if fits && table.states() * 36 <= SHORT {
            let mut entries = vec![0u32; SHORT];
            for (entry, turn) in entries.iter_mut().zip(turns()) {
                let [low, high] = u16::try_from(turn.next * 36).ok()?.to_le_bytes();
                let [delta_low, delta_high] = i16::try_from(turn.delta / table.unit).ok()?.to_le_bytes();
                *entry = u32::from_le_bytes([low, high, delta_low, delta_high]);
            }
            Packed::Short(entries.into_boxed_slice().try_into().ok()?)
        } else {
            let entry = |turn: &crate::tabulate::Turn| {
                let delta = i32::try_from(turn.delta / table.unit).ok()?;
                let offset = turn.next.checked_mul(36)?;
                Some(u64::from(offset) | u64::from(delta.cast_unsigned()) << 32)
            };
            Packed::Long(turns().map(entry).collect::<Option<_>>()?)
        };
        Some(Lookup { packed, quits: table.quits.clone(), unit: table.unit })
    }

    /// Does the strategy ever quit? Then sessions are played one by one.
    #[must_use]
    pub fn quits(&self) -> bool {
        self.quits.contains(&true)
    }

    /// Plays sessions one after the other from this number on, and tells what came of each with its number. Those whose net result falls
    /// to the line or below are handed over too, marked as broke: the table does not hold there.
    pub fn sessions(
        &self,
        seed: u64,
        first: u64,
        count: u64,
        plan: &Plan,
        line: Option<i64>,
        mut each: impl FnMut(u64, Outcome),
    ) {
        let stop = plan.stop.into_iter().chain(line).max();
        let mut number = first;
        let last = first + count;
        if stop.is_none() && plan.goal.is_none() && !self.quits() {
            while last - number >= LANES as u64 {
                let nets = match &self.packed {
                    Packed::Short(entries) => straight_short(entries, seed, number, plan.throws),
                    Packed::Long(entries) => straight_long(entries, seed, number, plan.throws),
                };
                for net in nets {
                    each(number, Outcome { net: net * self.unit, throws: plan.throws, end: End::Throws, drawdown: 0 });
                    number += 1;
                }
            }
        } else if !self.quits()
            && let Packed::Short(entries) = &self.packed
        {
            let bounds = Bounds::new(stop, plan.goal, self.unit);
            bounded_short(entries, seed, number..last, plan.throws, bounds, |number, net, throws| {
                each(number, self.ended(net * self.unit, throws, plan, line));
            });
            return;
        }
        for number in number..last {
            each(number, self.one(seed, number, plan, line));
        }
    }

    fn ended(&self, net: i64, throws: u32, plan: &Plan, line: Option<i64>) -> Outcome {
        let end = if line.is_some_and(|line| net <= line) {
            End::Broke
        } else if plan.stop.is_some_and(|stop| net <= stop) {
            End::Stop
        } else if plan.goal.is_some_and(|goal| net >= goal) {
            End::Goal
        } else {
            End::Throws
        };
        Outcome { net, throws, end, drawdown: 0 }
    }

    /// One session by itself.
    fn one(&self, seed: u64, number: u64, plan: &Plan, line: Option<i64>) -> Outcome {
        let mut stream = Stream::new(seed, number);
        let (mut offset, mut net) = (0usize, 0i64);
        let stop = plan.stop.into_iter().chain(line).max();
        for throws in 0..plan.throws {
            if self.quits[offset / 36] {
                return Outcome { net, throws, end: End::Quit, drawdown: 0 };
            }
            let at = offset + stream.way();
            let delta = match &self.packed {
                Packed::Short(entries) => {
                    let [low, high, delta_low, delta_high] = entries[at].to_le_bytes();
                    offset = usize::from(u16::from_le_bytes([low, high]));
                    i64::from(i16::from_le_bytes([delta_low, delta_high]))
                }
                Packed::Long(entries) => {
                    offset = (entries[at] & 0xffff_ffff) as usize;
                    high(entries[at])
                }
            };
            net += delta * self.unit;
            if stop.is_some_and(|stop| net <= stop) || plan.goal.is_some_and(|goal| net >= goal) {
                return self.ended(net, throws + 1, plan, line);
            }
        }
        self.ended(net, plan.throws, plan, line)
    }
}

/// The change in a long entry.
#[inline(always)]
const fn high(entry: u64) -> i64 {
    entry.cast_signed() >> 32
}

/// The offset in a short entry.
#[expect(clippy::cast_possible_truncation, reason = "the low half is what is wanted")]
#[inline(always)]
const fn low(entry: u32) -> u16 {
    entry as u16
}

/// The entry that a way leads to from an offset: a way is below 36, and any short offset has an entry.
#[expect(clippy::cast_possible_truncation, reason = "a way is below 36")]
#[inline(always)]
const fn entry(entries: &[u32; SHORT], offset: u16, way: u64) -> u32 {
    entries[offset.wrapping_add(way as u16) as usize]
}

fn streams(seed: u64, first: u64) -> [Stream; LANES] {
    std::array::from_fn(|lane| Stream::new(seed, first + lane as u64))
}

/// Eight sessions of so many throws, side by side.
fn straight_short(entries: &[u32; SHORT], seed: u64, first: u64, throws: u32) -> [i64; LANES] {
    let mut streams = streams(seed, first);
    let (mut offsets, mut nets) = ([0u16; LANES], [0i64; LANES]);
    let mut left = throws as usize;
    while left > 0 {
        let cuts = left.min(CUTS);
        let mut words: [u64; LANES] = std::array::from_fn(|lane| streams[lane].fair_word());
        let mut sums = [0i32; LANES];
        for _ in 0..cuts {
            for lane in 0..LANES {
                let (way, word) = cut(words[lane]);
                words[lane] = word;
                let entry = entry(entries, offsets[lane], way);
                offsets[lane] = low(entry);
                sums[lane] += entry.cast_signed() >> 16;
            }
        }
        for (net, sum) in nets.iter_mut().zip(sums) {
            *net += i64::from(sum);
        }
        left -= cuts;
    }
    nets
}

fn straight_long(entries: &[u64], seed: u64, first: u64, throws: u32) -> [i64; LANES] {
    let mut streams = streams(seed, first);
    let (mut offsets, mut nets) = ([0u64; LANES], [0i64; LANES]);
    let mut left = throws as usize;
    while left > 0 {
        let cuts = left.min(CUTS);
        let mut words: [u64; LANES] = std::array::from_fn(|lane| streams[lane].fair_word());
        for _ in 0..cuts {
            for lane in 0..LANES {
                let (way, word) = cut(words[lane]);
                words[lane] = word;
                let at = usize::try_from(offsets[lane] + way).unwrap_or(usize::MAX);
                let entry = entries.get(at).copied().unwrap_or(0);
                offsets[lane] = entry & 0xffff_ffff;
                nets[lane] += high(entry);
            }
        }
        left -= cuts;
    }
    nets
}

/// Where a session ends, in units: at or below the first, at or above the second. Asked with one comparison.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    above: i32,
    width: u32,
}

impl Bounds {
    fn new(stop: Option<i64>, goal: Option<i64>, unit: i64) -> Bounds {
        // Far enough out that no session comes there, and close enough that sums do not overflow.
        const FAR: i64 = 1 << 29;
        let low = stop.map_or(-FAR, |stop| stop.div_euclid(unit)).max(-FAR);
        let high = goal.map_or(FAR, |goal| goal.div_euclid(unit) + i64::from(goal.rem_euclid(unit) != 0)).min(FAR);
        let above = i32::try_from(low + 1).unwrap_or(i32::MIN / 4);
        Bounds { above, width: u32::try_from((high - low - 1).max(0)).unwrap_or(u32::MAX) }
    }

    #[inline(always)]
    const fn is_over(self, net: i32) -> bool {
        net.wrapping_sub(self.above).cast_unsigned() >= self.width
    }
}

/// Sessions that may end before their throws are made: a lane whose session is over takes up the next one.
fn bounded_short(
    entries: &[u32; SHORT],
    seed: u64,
    mut numbers: std::ops::Range<u64>,
    throws: u32,
    bounds: Bounds,
    mut ended: impl FnMut(u64, i64, u32),
) {
    let mut number = [0u64; LANES];
    let mut playing = [false; LANES];
    let mut streams: [Stream; LANES] = std::array::from_fn(|_| Stream::new(seed, 0));
    let (mut offsets, mut nets, mut made) = ([0u16; LANES], [0i32; LANES], [0u32; LANES]);
    loop {
        for lane in 0..LANES {
            if !playing[lane]
                && let Some(next) = numbers.next()
            {
                (number[lane], playing[lane], streams[lane]) = (next, true, Stream::new(seed, next));
                (offsets[lane], nets[lane], made[lane]) = (0, 0, 0);
            }
        }
        if !playing.contains(&true) {
            return;
        }
        let mut last = last_throw(&made, throws, 0);
        let mut words: [u64; LANES] = std::array::from_fn(|lane| streams[lane].fair_word());
        // When a lane is over, and with what; what it does from then on is thrown away.
        let mut over: [Option<(i32, u32)>; LANES] = [None; LANES];
        for cuts in 1..=BLOCK {
            for lane in 0..LANES {
                let (way, word) = cut(words[lane]);
                words[lane] = word;
                let entry = entry(entries, offsets[lane], way);
                offsets[lane] = low(entry);
                nets[lane] = nets[lane].wrapping_add(entry.cast_signed() >> 16);
                if bounds.is_over(nets[lane]) {
                    over[lane] = over[lane].or(Some((nets[lane], cuts)));
                }
            }
            // Some lane may have made its last throw; it is seldom worth asking each.
            if last == cuts {
                for lane in 0..LANES {
                    if made[lane] + cuts == throws {
                        over[lane] = over[lane].or(Some((nets[lane], cuts)));
                    }
                }
                last = last_throw(&made, throws, cuts);
            }
        }
        for lane in 0..LANES {
            made[lane] += BLOCK;
            if let (true, Some((net, cuts))) = (playing[lane], over[lane]) {
                playing[lane] = false;
                ended(number[lane], i64::from(net), made[lane] - BLOCK + cuts);
                // A lane without a session keeps turning on the first position.
                (offsets[lane], nets[lane]) = (0, 0);
            }
        }
    }
}

/// The first cut after this one at which some lane makes its last throw; beyond the block where none does.
fn last_throw(made: &[u32; LANES], throws: u32, after: u32) -> u32 {
    made.iter().map(|made| throws.saturating_sub(*made)).filter(|left| *left > after).min().unwrap_or(u32::MAX)
}
