//! The table of positions by pairs of rolls: one look-up plays two rolls.

use crate::tabulate::Tabulation;

/// Maximum number of entries: eight megabytes in a wide table.
const MOST: usize = 1 << 20;
/// Number of entries in a narrow table. The sum of two 16-bit numbers is always a valid index.
const SHORT: usize = 1 << 17;

/// What every pair of rolls does in every position. Dice combinations that do the same in every position are one kind of roll.
#[derive(Debug, Clone)]
pub(super) enum Pairs {
    /// For few positions and small changes: an entry has 32 bits.
    Narrow(Table<Narrow>),
    /// An entry has 64 bits.
    Wide(Table<Wide>),
}

/// The entries, and the place of each pair of dice combinations among the entries of a position.
#[derive(Debug, Clone)]
pub(super) struct Table<E: Entry> {
    entries: E::All,
    /// Has a value for every 16-bit number, so that no bounds check is needed. Only 1,296 pairs are used.
    kinds: Box<[u16; 1 << 16]>,
}

impl<E: Entry> Table<E> {
    /// Returns what a pair of dice combinations does in a position.
    #[inline(always)]
    pub(super) fn look_up(&self, offset: usize, pair: u16) -> E {
        E::find(&self.entries, offset, self.kinds[usize::from(pair)])
    }
}

/// An entry: the changes by both rolls, in units, in the lower bits, and the offset of the next position in the upper bits.
pub(super) trait Entry: Copy + Default {
    type All;
    /// Mask for the bits of an offset. Applying it once before a run of look-ups saves a bounds check at each.
    const OFFSETS: usize;
    /// Both changes packed into one number.
    type Changes: Copy + Default;

    /// Packs an entry. Returns None if it doesn't fit.
    fn pack(next: usize, changes: [i64; 2]) -> Option<Self>;
    fn all(entries: Vec<Self>) -> Option<Self::All>;
    fn find(all: &Self::All, offset: usize, kind: u16) -> Self;
    fn next(self) -> usize;
    fn changes(self) -> Self::Changes;
    fn split(changes: Self::Changes) -> [i16; 2];
}

/// An entry with 8 bits for each change and 16 for the offset.
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

/// Returns the lower and the upper half of a number.
#[expect(clippy::cast_possible_truncation, reason = "takes the two halves on purpose")]
#[inline(always)]
const fn u32_halves(number: u32) -> [u16; 2] {
    [number as u16, (number >> 16) as u16]
}

/// An entry with 16 bits for each change and 32 for the offset.
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

    #[expect(clippy::cast_possible_truncation, reason = "takes the lower half on purpose")]
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
    /// Packs a table. Returns None if a change doesn't fit or the table is too big.
    pub(super) fn new(table: &Tabulation) -> Option<Pairs> {
        let kinds = Kinds::of(table);
        if table.states() * kinds.pairs() > MOST {
            return None;
        }
        kinds.pack(table).map(Pairs::Narrow).or_else(|| kinds.pack(table).map(Pairs::Wide))
    }
}

/// The kinds of rolls: dice combinations that do the same in every position.
struct Kinds {
    /// Kind of each of the 36 dice combinations.
    of: [usize; 36],
    /// One dice combination of each kind.
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
