//! Fair dice. The server commits to a secret before a hand and reveals it after the hand. Each roll follows from the secret and from the seeds that
//! players contributed before bets closed. Anyone who has the log can verify every roll, and no one can roll again for a better result.
//! docs/fair-dice.md has the argument.
//!
//! The bytes of a roll are HMAC-SHA-256, keyed with the secret, of a text that [`Cast`] writes. To draw one of n, take the next four bytes as a
//! number. Numbers from the highest multiple of n up are skipped, so that each of the n is equally likely.
//!
//! In the first version of this scheme, which old logs have, the message was `boxperson-throw`, the hash of the row that closed the bets, and a block
//! number.

use super::SeatSeed;
use craps_dice::{Die, Throw};
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// Start of the HMAC message for every roll of the first version.
const PURPOSE: &[u8] = b"boxperson-throw";
/// HMAC message for an invitation, which is keyed with its own secret.
const INVITATION: &[u8] = b"boxperson-invitation";
/// Length of an invitation in bytes: 128 bits can't be guessed.
const INVITATION_BYTES: usize = 16;

/// The secret of one hand: 32 random bytes.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret([u8; 32]);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// Creates a secret from the system's random numbers. None if the system has none.
    #[must_use]
    pub fn random() -> Option<Secret> {
        let mut bytes = [0; 32];
        craps_store::random(&mut bytes).ok()?;
        Some(Secret(bytes))
    }

    /// Returns the 32 bytes of the secret.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Builds a secret from its bytes. None unless there are 32 of them.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<Secret> {
        bytes.try_into().ok().map(Secret)
    }

    pub(super) const fn from_array(bytes: [u8; 32]) -> Secret {
        Secret(bytes)
    }

    /// Returns the secret in hex.
    #[must_use]
    pub fn hex(&self) -> String {
        hex(&self.0)
    }

    /// Parses a secret from hex.
    #[must_use]
    pub fn from_hex(text: &str) -> Option<Secret> {
        bytes(text)?.try_into().ok().map(Secret)
    }

    /// Returns the commitment to this secret: its SHA-256, in hex.
    #[must_use]
    pub fn commitment(&self) -> String {
        hex(&Sha256::digest(self.0))
    }

    /// Returns the invitation that follows from this secret, in hex.
    #[must_use]
    pub fn invitation(&self) -> String {
        let whole = self.inviting().map(|mac| mac.finalize().into_bytes());
        whole.map(|whole| hex(&whole[..INVITATION_BYTES])).unwrap_or_default()
    }

    /// Checks an invitation. The comparison takes constant time, so that it doesn't reveal how many characters are right.
    #[must_use]
    pub fn invites(&self, shown: &str) -> bool {
        let shown = bytes(shown).filter(|shown| shown.len() == INVITATION_BYTES);
        shown.zip(self.inviting()).is_some_and(|(shown, mac)| mac.verify_truncated_left(&shown).is_ok())
    }

    fn inviting(&self) -> Option<Hmac<Sha256>> {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).ok()?;
        mac.update(INVITATION);
        Some(mac)
    }

    /// Starts the draws for the roll whose bets were closed by the row with this hash, in the first version of the scheme.
    #[must_use]
    pub fn throw(&self, closed: &str) -> Draws<'_> {
        Draws { secret: self, message: Message::Row(closed.to_owned()), block: 0, left: Vec::new() }
    }

    /// Starts the draws for a roll, or for the draw that raises prices.
    #[must_use]
    pub fn cast(&self, cast: &Cast<'_>) -> Draws<'_> {
        Draws { secret: self, message: Message::Lines(cast.text()), block: 0, left: Vec::new() }
    }
}

/// What decides a roll together with the secret. Nothing here can be chosen by somebody who knows the secret, except seeds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cast<'a> {
    /// Id of the table.
    pub table: &'a str,
    /// Number of the hand.
    pub hand: u32,
    /// What is decided.
    pub what: What,
    /// The seeds of the players, in the order of their seats.
    pub seeds: &'a [SeatSeed],
    /// The answer of the witness, at a table that has one.
    pub witness: Option<&'a str>,
}

/// What a secret decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The dice of a roll: its number within the hand, from 1.
    Throw(u32),
    /// A draw that raises prices: its number within the hand, from 1.
    Draw(u32),
}

impl Cast<'_> {
    /// Writes it as lines. The block number is one more line.
    fn text(&self) -> String {
        let what = match self.what {
            What::Throw(number) => format!("throw {number}"),
            What::Draw(number) => format!("draw {number}"),
        };
        let seeds: String = self.seeds.iter().map(|one| format!("seed {} {}\n", one.seat, one.seed)).collect();
        let witness = self.witness.map(|answer| format!("witness {answer}\n")).unwrap_or_default();
        format!("boxperson-dice-2\ntable {}\nhand {}\n{what}\n{seeds}{witness}", self.table, self.hand)
    }
}

/// The message of the HMAC without the number of the block.
enum Message {
    /// First version: the hash of the row that closed the bets.
    Row(String),
    /// Second version.
    Lines(String),
}

/// The draws of one roll, in order: first the two dice, then anything else that the roll needs.
pub struct Draws<'s> {
    secret: &'s Secret,
    message: Message,
    block: u32,
    left: Vec<u32>,
}

impl Draws<'_> {
    /// Draws both dice, the first die first.
    pub fn dice(&mut self) -> [Die; 2] {
        let way = self.one_of(36);
        let die = |at: u32| Die::ALL[(at % 6) as usize];
        [die(way / 6), die(way % 6)]
    }

    /// Draws a number below `count`, each equally likely. Returns 0 if `count` is 0.
    pub fn one_of(&mut self, count: u32) -> u32 {
        loop {
            let word = self.word();
            if let Some(drawn) = mapped(word, count) {
                return drawn;
            }
        }
    }

    fn word(&mut self) -> u32 {
        if let Some(word) = self.left.pop() {
            return word;
        }
        let block = block(&self.secret.0, &self.message, self.block);
        self.block += 1;
        // Words are popped from the end, so they are stored in reverse.
        self.left =
            block.chunks_exact(4).rev().map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]])).collect();
        self.word()
    }
}

/// Maps a word to a number below `count`. None for the highest words, which would make the first few numbers more likely.
fn mapped(word: u32, count: u32) -> Option<u32> {
    let count = count.max(1);
    let fair = u32::MAX - (u32::MAX % count + 1) % count;
    (word <= fair).then(|| word % count)
}

fn block(secret: &[u8; 32], message: &Message, number: u32) -> [u8; 32] {
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else {
        // Unreachable: HMAC takes a key of any length.
        return [0; 32];
    };
    match message {
        Message::Row(closed) => {
            mac.update(PURPOSE);
            mac.update(closed.as_bytes());
            mac.update(&number.to_be_bytes());
        }
        Message::Lines(text) => {
            mac.update(text.as_bytes());
            mac.update(format!("block {number}\n").as_bytes());
        }
    }
    mac.finalize().into_bytes().into()
}

/// Returns the roll with these two faces. None if one of them isn't 1 to 6.
#[must_use]
pub fn faces(faces: [u8; 2]) -> Option<Throw> {
    Some(Throw::new(Die::from_pips(faces[0])?, Die::from_pips(faces[1])?))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(crate) fn bytes(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> =
        text.chars().map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok())).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ops::RangeInclusive;

    /// Counts all 2^32 words: each of the 36 ways is drawn by equally many.
    #[test]
    fn no_way_is_meant_by_more_words_than_another() {
        let part = |words: RangeInclusive<u32>| {
            let (mut ways, mut passed_over) = ([0_u64; 36], 0_u64);
            for word in words {
                match mapped(word, 36) {
                    Some(way) => ways[way as usize] += 1,
                    None => passed_over += 1,
                }
            }
            (ways, passed_over)
        };
        let (ways, passed_over) = std::thread::scope(|scope| {
            let half = u32::MAX / 2;
            let parts = [0..=half, half + 1..=u32::MAX].map(|words| scope.spawn(move || part(words)));
            parts.into_iter().map(|part| part.join().unwrap()).fold(([0; 36], 0), |(ways, passed), (more, again)| {
                (std::array::from_fn(|way| ways[way] + more[way]), passed + again)
            })
        });
        assert_eq!(ways, [119_304_647; 36]);
        assert_eq!(passed_over, 4);
        assert_eq!(119_304_647 * 36 + 4, 1_u64 << 32);
    }

    /// For other counts than 36: only whole rounds of words are used, and less than one round is skipped.
    #[test]
    fn no_draw_favours_anything() {
        for count in 1..=1_000 {
            let fair = u32::MAX - (u32::MAX % count + 1) % count;
            assert_eq!((u64::from(fair) + 1) % u64::from(count), 0, "{count}");
            assert!(u32::MAX - fair < count, "{count}");
            assert_eq!(mapped(0, count), Some(0));
            assert_eq!(mapped(fair, count), Some(count - 1));
            assert!(fair == u32::MAX || mapped(fair + 1, count).is_none());
            assert!(fair == u32::MAX || mapped(u32::MAX, count).is_none());
        }
    }

    /// Each of the 36 ways gives a different pair of dice.
    #[test]
    fn the_36_ways_are_the_36_throws() {
        let secret = Secret::from_bytes(&[7; 32]).unwrap();
        let dice = |way: u32| {
            Draws { secret: &secret, message: Message::Row(String::new()), block: 0, left: vec![way] }
                .dice()
                .map(Die::pips)
        };
        let all: Vec<[u8; 2]> = (0..36).map(dice).collect();
        let expected: Vec<[u8; 2]> = (1..=6).flat_map(|one| (1..=6).map(move |other| [one, other])).collect();
        assert_eq!(all, expected);
    }

    #[test]
    fn a_throw_is_the_same_whenever_it_is_derived_and_another_for_another_row() {
        let secret = Secret::from_hex(&"5a".repeat(32)).unwrap();
        let throw = |closed: &str| secret.throw(closed).dice().map(Die::pips);
        assert_eq!(throw("aa"), throw("aa"));
        let all: std::collections::BTreeSet<[u8; 2]> = (0..500).map(|row: u32| throw(&row.to_string())).collect();
        assert_eq!(all.len(), 36);
        assert_eq!(Secret::from_hex(&secret.hex()), Some(secret.clone()));
        assert_eq!(secret.commitment().len(), 64);
    }

    #[test]
    fn an_invitation_is_its_own_secrets_and_nothing_less() {
        let (one, other) = (Secret::from_bytes(&[1; 32]).unwrap(), Secret::from_bytes(&[2; 32]).unwrap());
        let invitation = one.invitation();
        assert_eq!(invitation.len(), 2 * INVITATION_BYTES);
        assert!(one.invites(&invitation) && !other.invites(&invitation));
        for wrong in ["", "00", &invitation[2..], &format!("{invitation}00"), &"0".repeat(32), "not hex"] {
            assert!(!one.invites(wrong), "{wrong}");
        }
        assert!(!invitation.contains(&one.hex()[..8]), "an invitation doesn't reveal its secret");
    }

    /// Old rolls must stay verifiable. These expected values were computed with another program.
    #[test]
    fn throws_are_those_that_another_program_derives() {
        let secret = Secret::from_bytes(&(0..32).collect::<Vec<u8>>()).unwrap();
        assert_eq!(secret.commitment(), "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd");
        let dice = |row: u8| secret.throw(&format!("{row:064x}")).dice().map(Die::pips);
        assert_eq!([0, 1, 2, 3, 255].map(dice), [[1, 5], [5, 4], [2, 5], [6, 3], [6, 2]]);
        // A block has eight words, so the last four come from the second block.
        let mut draws = secret.throw(&"f".repeat(64));
        let drawn: Vec<u32> = (0..12).map(|_| draws.one_of(1_000_000)).collect();
        assert_eq!(
            drawn,
            [901371, 134232, 629618, 858616, 237062, 435539, 8443, 298185, 199041, 946170, 794693, 18342]
        );
    }

    fn seeds(of: &[(u8, &str)]) -> Vec<SeatSeed> {
        of.iter().map(|(seat, seed)| SeatSeed { seat: *seat, seed: (*seed).to_owned() }).collect()
    }

    /// The second version, too: these expected values were computed with a short program in another language.
    #[test]
    fn casts_are_those_that_another_program_derives() {
        let secret = Secret::from_bytes(&(0..32).collect::<Vec<u8>>()).unwrap();
        let dice = |table: &str, hand: u32, throw: u32, of: &[(u8, &str)]| {
            let (what, seeds) = (What::Throw(throw), seeds(of));
            secret.cast(&Cast { table, hand, what, seeds: &seeds, witness: None }).dice().map(Die::pips)
        };
        let alone = [1, 2, 3, 4, 5].map(|throw| dice("practice-pa", 1, throw, &[]));
        assert_eq!(alone, [[4, 2], [6, 5], [3, 2], [3, 3], [2, 5]]);
        let two = [(1, "lucky"), (4, "0f3a!")];
        let together = [1, 2, 3, 4, 5].map(|throw| dice("practice-pa", 7, throw, &two));
        assert_eq!(together, [[6, 5], [5, 5], [3, 5], [5, 2], [6, 6]]);
        assert_eq!(dice("practice-pa", 7, 1, &two[..1]), [4, 5]);
        assert_eq!(dice("north", 7, 1, &two[..1]), [3, 2]);
        let seeds = seeds(&[(2, "x")]);
        let mut draws =
            secret.cast(&Cast { table: "north", hand: 2, what: What::Draw(3), seeds: &seeds, witness: None });
        let drawn: Vec<u32> = (0..12).map(|_| draws.one_of(1_000_000)).collect();
        assert_eq!(
            drawn,
            [828776, 637300, 202100, 329211, 535758, 627694, 206097, 908070, 533809, 165076, 480925, 125863]
        );
    }
}
