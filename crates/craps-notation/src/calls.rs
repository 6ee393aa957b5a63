//! The stick's calls: one sentence per roll. The terminal, the notation and the server's answers use them. The web page may show its own call
//! next to it.

use craps_dice::{Throw, Total};
use craps_law::{TableRules, WagerRules};
use craps_wagers::{Phase, Progress, Side, Step};

/// How the stick calls a roll.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Calls {
    /// Says what the roll did, such as "hard eight".
    #[default]
    Plain,
    /// Adds a traditional nickname to the plain call, such as "a square pair".
    Colourful,
    /// Says nothing.
    Silent,
}

impl Calls {
    /// All three kinds of calls.
    pub const ALL: [Calls; 3] = [Calls::Plain, Calls::Colourful, Calls::Silent];

    /// Returns the name used on the command line, such as "plain".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Calls::Plain => "plain",
            Calls::Colourful => "colourful",
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
            Calls::Colourful => match colour(phase, dice) {
                Some(colour) => format!("{}: {colour}", plain(rules, phase, dice)),
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
    let total = dice.total();
    let name = word(total);
    match phase {
        Phase::ComeOut if rules.points.set_by(total).is_some() => {
            way(dice).map_or_else(|| format!("point is {name}"), |way| format!("point is {name}, {way}"))
        }
        Phase::ComeOut if total == Total::Seven => "seven, natural, line wins".to_owned(),
        Phase::ComeOut if total == Total::Eleven => "yo-leven, line wins".to_owned(),
        Phase::ComeOut => {
            let push = if is_barred(rules, dice) { ", don'ts push" } else { "" };
            format!("{}{push}", craps(total))
        }
        _ if phase.is_made_by(dice) => {
            let hard = if way(dice) == Some("hard") { "hard " } else { "" };
            format!("{hard}{name}, point made, pay the line")
        }
        _ if phase.is_lost_by(dice) => "seven out, line away".to_owned(),
        _ => match total {
            Total::Two | Total::Three | Total::Twelve => craps(total),
            Total::Five => "five, no field".to_owned(),
            Total::Nine => "nine, center field".to_owned(),
            Total::Eleven => "eleven, no decision".to_owned(),
            // Only when the dice decide nothing but come bets: there is no line bet, so this is neither a natural nor a seven-out.
            Total::Seven => "seven, come bets away".to_owned(),
            _ => way(dice).map_or_else(|| name.to_owned(), |way| format!("{way} {name}")),
        },
    }
}

fn craps(total: Total) -> String {
    let nickname = match total {
        Total::Two => "aces",
        Total::Three => "ace-deuce",
        _ => "boxcars",
    };
    format!("{}, {nickname}, craps", word(total))
}

/// Returns true if a new bet against the shooter pushes on this roll.
fn is_barred(rules: &TableRules, dice: Throw) -> bool {
    let against =
        |wager: &WagerRules| wager.wager.wager().is_on_the_line() && wager.wager.wager().side() == Some(Side::Wrong);
    let pushes = |wager: &WagerRules| wager.machine.step(Progress::FRESH, Phase::ComeOut, dice) == Step::Pushed;
    rules.wagers.iter().any(|wager| against(wager) && pushes(wager))
}

fn colour(phase: Phase, dice: Throw) -> Option<&'static str> {
    let said = match (dice.total(), phase) {
        (Total::Seven, Phase::ComeOut) => "winner winner, front line winner",
        (Total::Eleven, Phase::ComeOut) => "winner, eleven in a row spells yo",
        (_, phase) if phase.is_made_by(dice) => "right back, pay the front line",
        (Total::Four, _) if dice.is_hard() => "little joe, two by two",
        (Total::Four, _) => "little joe",
        (Total::Five, _) => "fever five",
        (Total::Six, _) if dice.is_hard() => "three and three, the brush",
        (Total::Eight, _) if dice.is_hard() => "a square pair",
        (Total::Eight, _) => "eighter from Decatur",
        (Total::Nine, _) => "nina from Carolina",
        (Total::Ten, _) if dice.is_hard() => "puppy paws, two roses",
        (Total::Two, _) => "snake eyes",
        (Total::Twelve, _) => "all the spots we've got",
        _ => return None,
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

    /// A seven is never called as just a number, by any kind of call in any book.
    #[test]
    fn a_seven_says_whose_it_is() {
        for book in ["pa", "co-crapless"] {
            let rules = rules(book);
            for phase in [Phase::ComeOut, Phase::Point(craps_dice::Point::Four), Phase::ComeDecisionOnly] {
                for calls in [Calls::Plain, Calls::Colourful] {
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
