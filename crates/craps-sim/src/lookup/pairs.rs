//! The table of positions by pairs of throws: one look-up plays two.

use crate::tabulate::Tabulation;

/// The most entries of a wide table: eight megabytes.
const MOST: usize = 1 << 20;
/// As many entries as two short numbers can add up to.
const SHORT: usize = 1 << 17;

/// What every pair of throws does in every position. Ways that do the same in every position are one kind of throw.
#[derive(Debug, Clone)]
pub(super) enum Pairs {
    /// Few positions and small changes: an entry has 32 bits.
    Narrow(Table<Narrow>),
    /// An entry has 64.
    Wide(Table<Wide>),
}

/// Entries, and where a pair of ways has its entry among those of a position.
#[derive(Debug, Clone)]
pub(super) struct Table<E: Entry> {
    entries: E::All,
    /// For any number of 16 bits, so that no bound is checked; there are 1,296 pairs.
    kinds: Box<[u16; 1 << 16]>,
}

impl<E: Entry> Table<E> {
    /// What a pair of ways does in a position.
    #[inline(always)]
    pub(super) fn look_up(&self, offset: usize, pair: u16) -> E {
        E::find(&self.entries, offset, self.kinds[usize::from(pair)])
    }
}

/// An entry: the changes by both throws in units below, and the offset of the next position above.
pub(super) trait Entry: Copy + Default {
    type All;
    /// The bits of an offset: said once before a run of look-ups, it saves checking a bound at each.
    const OFFSETS: usize;
    /// Both changes packed.
    type Changes: Copy + Default;

    /// Packs it; none if it does not fit.
    fn pack(next: usize, changes: [i64; 2]) -> Option<Self>;
    fn all(entries: Vec<Self>) -> Option<Self::All>;
    fn find(all: &Self::All, offset: usize, kind: u16) -> Self;
    fn next(self) -> usize;
    fn changes(self) -> Self::Changes;
    fn split(changes: Self::Changes) -> [i16; 2];
}

/// Eight bits for each change, and 16 for the offset.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Narrow(u32);

impl Entry for Narrow {
    type All = Box<[Narrow; SHORT]>;
    const OFFSETS: usize = 0xffff;
    type Changes = u16;

    fn pack(next: usize, changes: [i64; 2]) -> Option<Narrow> {
        let [low, high] = u16::try_from(next).ok()?.to_le_bytes();
        let [first, second] = [i8::try_from(changes[0]).ok()?, i8::try_from(changes[1]).ok()?].map(i8::cast_unsigned);
        Some(Narrow(u32::from_le_bytes([first, second, low, high])))
    }

    fn all(mut entries: Vec<Narrow>) -> Option<Box<[Narrow; SHORT]>> {
        if entries.len() > SHORT / 2 {
            return None;
        }
        entries.resize(SHORT, Narrow::default());
        entries.into_boxed_slice().try_into().ok()
    }

    #[inline(always)]
    fn find(all: &Box<[Narrow; SHORT]>, offset: usize, kind: u16) -> Narrow {
        all[(offset & Narrow::OFFSETS) + usize::from(kind)]
    }

    #[inline(always)]
    fn next(self) -> usize {
        (self.0 >> 16) as usize
    }

    #[inline(always)]
    fn changes(self) -> u16 {
        u32_halves(self.0)[0]
    }

    #[inline(always)]
    fn split(changes: u16) -> [i16; 2] {
        let both = changes.cast_signed();
        [both << 8 >> 8, both >> 8]
    }
}

/// The lower and the upper half of a number.
#[expect(clippy::cast_possible_truncation, reason = "halves are what is wanted")]
#[inline(always)]
const fn u32_halves(number: u32) -> [u16; 2] {
    [number as u16, (number >> 16) as u16]
}

/// Sixteen bits for each change, and 32 for the offset.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wide(u64);

impl Entry for Wide {
    type All = Vec<Wide>;
    const OFFSETS: usize = 0xffff_ffff;
    type Changes = u32;

    fn pack(next: usize, changes: [i64; 2]) -> Option<Wide> {
        let [first, second] =
            [i16::try_from(changes[0]).ok()?, i16::try_from(changes[1]).ok()?].map(i16::cast_unsigned);
        Some(Wide(u64::from(first) | u64::from(second) << 16 | u64::from(u32::try_from(next).ok()?) << 32))
    }

    fn all(entries: Vec<Wide>) -> Option<Vec<Wide>> {
        Some(entries)
    }

    #[inline(always)]
    fn find(all: &Vec<Wide>, offset: usize, kind: u16) -> Wide {
        all[offset + usize::from(kind)]
    }

    #[inline(always)]
    fn next(self) -> usize {
        (self.0 >> 32) as usize
    }

    #[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
    #[inline(always)]
    fn changes(self) -> u32 {
        self.0 as u32
    }

    #[inline(always)]
    fn split(changes: u32) -> [i16; 2] {
        u32_halves(changes).map(u16::cast_signed)
    }
}

impl Pairs {
    /// Packs a table; none if a change does not fit, or there is too much of it.
    pub(super) fn new(table: &Tabulation) -> Option<Pairs> {
        let kinds = Kinds::of(table);
        if table.states() * kinds.pairs() > MOST {
            return None;
        }
        kinds.pack(table).map(Pairs::Narrow).or_else(|| kinds.pack(table).map(Pairs::Wide))
    }
}

/// The kinds of throws: ways that do the same in every position.
struct Kinds {
    /// The kind of each way.
    of: [usize; 36],
    /// A way of each kind.
    ways: Vec<usize>,
}

impl Kinds {
    fn of(table: &Tabulation) -> Kinds {
        let mut ways: Vec<usize> = Vec::new();
        let of = std::array::from_fn(|way| {
            let same = |other: &usize| table.turns.iter().all(|turns| turns[*other] == turns[way]);
            ways.iter().position(same).unwrap_or_else(|| {
                ways.push(way);
                ways.len() - 1
            })
        });
        Kinds { of, ways }
    }

    fn pairs(&self) -> usize {
        self.ways.len() * self.ways.len()
    }

    fn pack<E: Entry>(&self, table: &Tabulation) -> Option<Table<E>> {
        let mut entries = Vec::with_capacity(table.states() * self.pairs());
        for turns in &table.turns {
            for one in self.ways.iter().map(|way| turns[*way]) {
                for other in self.ways.iter().map(|way| table.turns[one.next as usize][*way]) {
                    let changes = [one.delta / table.unit, other.delta / table.unit];
                    entries.push(E::pack(other.next as usize * self.pairs(), changes)?);
                }
            }
        }
        let mut kinds = vec![0; 1 << 16];
        for (pair, kind) in kinds.iter_mut().enumerate().take(36 * 36) {
            *kind = u16::try_from(self.of[pair / 36] * self.ways.len() + self.of[pair % 36]).ok()?;
        }
        Some(Table { entries: E::all(entries)?, kinds: kinds.into_boxed_slice().try_into().ok()? })
    }
}
