//! The stick's calls: one sentence per roll. The terminal, the notation, the server and the web page use them. The words are in `calls.toml`.

use craps_dice::{Throw, Total};
use craps_law::{TableRules, WagerRules};
use craps_wagers::{Phase, Progress, Side, Step};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The words of all calls.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    plain: Plain,
    colorful: Colorful,
}

/// Calls that say what the roll did. `{number}`, `{way}` and `{nickname}` are filled in.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plain {
    point_set: String,
    point_set_way: String,
    natural_seven: String,
    natural_eleven: String,
    craps: String,
    craps_barred: String,
    point_made: String,
    hard_point: String,
    seven_out: String,
    no_line_seven: String,
    way: String,
    /// Rolls that do nothing to the line, by total.
    totals: BTreeMap<String, String>,
    /// Nicknames of craps, by total.
    nicknames: BTreeMap<String, String>,
}

/// What a colorful stick adds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Colorful {
    natural_seven: String,
    natural_eleven: String,
    point_made: String,
    /// Other rolls, by their dice, the lower first.
    dice: BTreeMap<String, String>,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| match toml::from_str(include_str!("calls.toml")) {
    Ok(words) => words,
    Err(error) => panic!("calls.toml: {error}"),
});

/// How the stick calls a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calls {
    /// Says what the roll did, such as "hard eight".
    #[default]
    Plain,
    /// Adds a traditional nickname to the plain call, such as "a square pair".
    Colorful,
    /// Says nothing.
    Silent,
}

impl Calls {
    /// All three kinds of calls.
    pub const ALL: [Calls; 3] = [Calls::Plain, Calls::Colorful, Calls::Silent];

    /// Returns the name used on the command line, such as "plain".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Calls::Plain => "plain",
            Calls::Colorful => "colorful",
            Calls::Silent => "silent",
        }
    }

    /// Returns the call for a roll made in this phase, or None if the stick is silent.
    ///
    /// ```
    /// use craps_law::{HouseRules, Library};
    /// use craps_notation::Calls;
    /// use craps_wagers::Phase;
    /// let library = Library::shipped();
    /// let book = library.book("nj").unwrap();
    /// let rules = book.admit(&HouseRules::plain("nj", book.sample_day)).unwrap();
    /// let call = |dice: &str| Calls::Plain.of(&rules, Phase::ComeOut, dice.parse().unwrap()).unwrap();
    /// assert_eq!(call("5-1"), "point is six, easy");
    /// assert_eq!(call("6-6"), "twelve, boxcars, craps, don'ts push");
    /// assert_eq!(call("4-3"), "seven, natural, line wins");
    /// ```
    #[must_use]
    pub fn of(self, rules: &TableRules, phase: Phase, dice: Throw) -> Option<String> {
        let said = match self {
            Calls::Silent => return None,
            Calls::Plain => plain(rules, phase, dice),
            Calls::Colorful => match color(rules, phase, dice) {
                Some(color) => format!("{}: {color}", plain(rules, phase, dice)),
                None => plain(rules, phase, dice),
            },
        };
        Some(said)
    }
}

fn word(total: Total) -> &'static str {
    match total {
        Total::Two => "two",
        Total::Three => "three",
        Total::Four => "four",
        Total::Five => "five",
        Total::Six => "six",
        Total::Seven => "seven",
        Total::Eight => "eight",
        Total::Nine => "nine",
        Total::Ten => "ten",
        Total::Eleven => "eleven",
        Total::Twelve => "twelve",
    }
}

/// Returns "hard" or "easy" for a total that can be rolled both ways.
fn way(dice: Throw) -> Option<&'static str> {
    let both = matches!(dice.total(), Total::Four | Total::Six | Total::Eight | Total::Ten);
    both.then(|| if dice.is_hard() { "hard" } else { "easy" })
}

fn plain(rules: &TableRules, phase: Phase, dice: Throw) -> String {
    let (words, total, way) = (&WORDS.plain, dice.total(), way(dice));
    let own = total.value().to_string();
    let craps = words.nicknames.get(&own);
    let call = match phase {
        Phase::ComeOut if rules.points.set_by(total).is_some() => {
            if way.is_some() {
                &words.point_set_way
            } else {
                &words.point_set
            }
        }
        Phase::ComeOut if total == Total::Seven => &words.natural_seven,
        Phase::ComeOut if total == Total::Eleven => &words.natural_eleven,
        Phase::ComeOut => {
            if is_barred(rules, dice) {
                &words.craps_barred
            } else {
                &words.craps
            }
        }
        _ if phase.is_made_by(dice) => {
            if way == Some("hard") {
                &words.hard_point
            } else {
                &words.point_made
            }
        }
        _ if phase.is_lost_by(dice) => &words.seven_out,
        _ if total == Total::Seven => &words.no_line_seven,
        _ if craps.is_some() => &words.craps,
        _ => match words.totals.get(&own) {
            Some(call) => call,
            None if way.is_some() => &words.way,
            None => return word(total).to_owned(),
        },
    };
    let fill = [("{number}", word(total)), ("{way}", way.unwrap_or_default())];
    let fill = fill.into_iter().chain([("{nickname}", craps.map_or("", String::as_str))]);
    fill.fold(call.clone(), |call, (key, value)| call.replace(key, value))
}

/// Returns true if a new bet against the shooter pushes on this roll.
fn is_barred(rules: &TableRules, dice: Throw) -> bool {
    let against =
        |wager: &WagerRules| wager.wager.wager().is_on_the_line() && wager.wager.wager().side() == Some(Side::Wrong);
    let pushes = |wager: &WagerRules| wager.machine.step(Progress::FRESH, Phase::ComeOut, dice) == Step::Pushed;
    rules.wagers.iter().any(|wager| against(wager) && pushes(wager))
}

/// Returns what a colorful stick adds to the plain call.
fn color(rules: &TableRules, phase: Phase, dice: Throw) -> Option<&'static str> {
    let words = &WORDS.colorful;
    let sets_point = rules.points.set_by(dice.total()).is_some();
    let said = match (dice.total(), phase) {
        (Total::Seven, Phase::ComeOut) => &words.natural_seven,
        (Total::Eleven, Phase::ComeOut) if !sets_point => &words.natural_eleven,
        (_, phase) if phase.is_made_by(dice) => &words.point_made,
        _ => {
            let [one, other] = [dice.low(), dice.high()].map(|die| die.pips());
            words.dice.get(&format!("{one}-{other}"))?
        }
    };
    Some(said)
}

#[cfg(test)]
mod tests {
    use super::*;
    use craps_law::{HouseRules, Library};

    fn rules(book: &str) -> TableRules {
        let library = Library::shipped();
        let law = library.book(book).unwrap();
        law.admit(&HouseRules::plain(book, law.sample_day)).unwrap()
    }

    #[test]
    fn the_plain_set_says_what_the_throw_did() {
        let nj = rules("nj");
        let six = Phase::Point(craps_dice::Point::Six);
        let rows = [
            (Phase::ComeOut, "1-1", "two, aces, craps"),
            (Phase::ComeOut, "2-1", "three, ace-deuce, craps"),
            (Phase::ComeOut, "6-5", "yo-leven, line wins"),
            (Phase::ComeOut, "5-4", "point is nine"),
            (six, "4-2", "six, point made, pay the line"),
            (six, "3-3", "hard six, point made, pay the line"),
            (six, "5-2", "seven out, line away"),
            (six, "6-5", "eleven, no decision"),
            (six, "4-4", "hard eight"),
            (six, "6-2", "easy eight"),
            (six, "3-2", "five, no field"),
            (six, "5-4", "nine, center field"),
            (six, "6-6", "twelve, boxcars, craps"),
            (Phase::ComeDecisionOnly, "5-2", "seven, come bets away"),
        ];
        for (phase, dice, said) in rows {
            assert_eq!(Calls::Plain.of(&nj, phase, dice.parse().unwrap()).as_deref(), Some(said), "{dice}");
        }
    }

    #[test]
    fn the_colorful_set_adds_to_the_plain_one() {
        let nj = rules("nj");
        let six = Phase::Point(craps_dice::Point::Six);
        let rows = [
            (Phase::ComeOut, "3-4", "seven, natural, line wins: winner winner, front line winner"),
            (Phase::ComeOut, "5-4", "point is nine: nina from Pasadena"),
            (six, "3-3", "hard six, point made, pay the line: right back, pay the front line"),
            (six, "2-6", "easy eight: eighter from Decatur"),
            (six, "6-2", "easy eight: eighter from Decatur"),
            (six, "6-5", "eleven, no decision: six five, no jive"),
            (six, "6-4", "easy ten"),
        ];
        for (phase, dice, said) in rows {
            assert_eq!(Calls::Colorful.of(&nj, phase, dice.parse().unwrap()).as_deref(), Some(said), "{dice}");
        }
        // Where eleven is a point, it wins nothing on the come-out roll.
        let crapless = Calls::Colorful.of(&rules("co-crapless"), Phase::ComeOut, "6-5".parse().unwrap()).unwrap();
        assert_eq!(crapless, "point is eleven: six five, no jive");
    }

    #[test]
    fn every_roll_in_the_words_can_be_rolled_and_nothing_is_left_unfilled() {
        let nj = rules("nj");
        for name in WORDS.colorful.dice.keys() {
            let dice: Throw = name.parse().unwrap();
            let (low, high) = (dice.low().pips(), dice.high().pips());
            assert_eq!(*name, format!("{low}-{high}"));
        }
        for name in WORDS.plain.totals.keys().chain(WORDS.plain.nicknames.keys()) {
            assert!(Throw::ALL.iter().any(|dice| dice.total().value().to_string() == *name), "{name}");
        }
        for phase in [Phase::ComeOut, Phase::Point(craps_dice::Point::Six), Phase::ComeDecisionOnly] {
            for dice in Throw::ALL {
                let call = Calls::Colorful.of(&nj, phase, dice).unwrap();
                assert!(!call.contains(['{', '}']) && !call.contains(", ,"), "{call}");
            }
        }
    }

    /// A seven is never called as just a number, by any kind of call in any book.
    #[test]
    fn a_seven_says_whose_it_is() {
        for book in ["pa", "co-crapless"] {
            let rules = rules(book);
            for phase in [Phase::ComeOut, Phase::Point(craps_dice::Point::Four), Phase::ComeDecisionOnly] {
                for calls in [Calls::Plain, Calls::Colorful] {
                    let said = calls.of(&rules, phase, "4-3".parse().unwrap()).unwrap();
                    assert!(["natural", "out", "come bets"].iter().any(|word| said.contains(word)), "{said}");
                }
            }
        }
        assert_eq!(
            Calls::Plain.of(&rules("co-crapless"), Phase::ComeOut, "6-6".parse().unwrap()).unwrap(),
            "point is twelve"
        );
        assert_eq!(Calls::Silent.of(&rules("pa"), Phase::ComeOut, "6-6".parse().unwrap()), None);
    }
}
