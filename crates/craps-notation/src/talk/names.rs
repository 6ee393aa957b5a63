//! Reads the names of one or several bets.

use super::hearing::{Heard, ask, end, lost, meaning, phrase, skip};
use super::lexicon::{self as lex, Phrases};
use super::order::{Kind, Spread, Which};
use super::phrasebook::{bet_named, names};
use super::words::{Shape, Word, Words};
use crate::game::BetName;
use craps_dice::{Die, Point, Throw, ThrowSet};
use craps_wagers::{Catalogue, Family};
use winnow::Parser;
use winnow::combinator::{alt, not, opt, peek, preceded, repeat, terminated};
use winnow::token::any;

/// Whether the named bets are to be made or are already up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Made,
    Standing,
}

/// The name of one bet, as said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) which: Which,
    /// The word before a number that made it a bet, as in `place six`. It carries over to the numbers that follow.
    pub(super) stem: Option<&'static str>,
    /// The number that ends the name, and how it is written.
    pub(super) number: Option<(u8, Shape)>,
    /// True if the number stands alone, with nothing before it.
    pub(super) bare: bool,
}

impl From<Which> for Item {
    fn from(which: Which) -> Item {
        Item { which, stem: None, number: None, bare: false }
    }
}

/// Reads one name.
pub(super) fn item<'a>(naming: Naming) -> impl FnMut(&mut Words<'a>) -> Heard<Item> {
    move |words| {
        let start = words.len();
        skip(lex::ARTICLE).parse_next(words)?;
        let article = words.len() < start;
        let unknown = |words: &mut Words<'a>| lost(words, "the name of a bet");
        let found = match naming {
            Naming::Made => {
                alt((stemmed(naming), hop, meaning(&names().made).map(Item::from), number, unknown)).parse_next(words)
            }
            Naming::Standing => {
                let it = phrase(lex::IT).value(Which::It).map(Item::from);
                let listed = meaning(&names().standing).map(Item::from);
                alt((odds, stemmed(naming), hop, listed, number, it, unknown)).parse_next(words)
            }
        };
        found.map(|item| Item { bare: item.bare && !article, ..item })
    }
}

/// Reads one or several names. After the last one must come an amount (if `amount` is true), or one of these phrases or the end of the order.
pub(super) fn items<'a>(
    naming: Naming,
    follows: &'static [Phrases],
    amount: bool,
) -> impl FnMut(&mut Words<'a>) -> Heard<Vec<Item>> {
    move |words| {
        let follow = |words: &mut Words<'a>| {
            if amount {
                let sum = super::amount::amount.void();
                return peek(alt((phrase(lex::FOR).void(), phrase(lex::AND).void(), sum))).parse_next(words);
            }
            // `each` belongs to the bets before it only if no other bet follows.
            let mut last = |list: Phrases| peek((phrase(list), not(phrase(lex::JOINT)))).parse_next(words).is_ok();
            if follows.iter().any(|list| last(list)) { Ok(()) } else { peek(end).parse_next(words) }
        };
        let more = preceded(phrase(lex::AND), terminated(item(naming), follow));
        let first = item(naming)(words)?;
        let mut all = vec![first];
        let more: Vec<Item> = repeat(0.., more).parse_next(words)?;
        for next in more {
            let stem = all.last().and_then(|item| item.stem).filter(|_| next.bare);
            let carried = stem.zip(next.number).and_then(|(stem, (number, _))| bet_named(&format!("{stem}-{number}")));
            all.push(match carried {
                Some(bet) => Item { which: Which::Named(bet), stem, ..next },
                None => next,
            });
        }
        Ok(all)
    }
}

/// Reads a word that makes a number, or several, a bet: `place six`, `buy the outside`, `place the four to lose`.
fn stemmed<'a>(naming: Naming) -> impl FnMut(&mut Words<'a>) -> Heard<Item> {
    move |words| {
        let start = words.len();
        let book = match naming {
            Naming::Made => &names().made_stems,
            Naming::Standing => &names().standing_stems,
        };
        let stem = meaning(book).parse_next(words)?;
        skip(lex::ARTICLE).parse_next(words)?;
        if let Ok(spread) = spread(words) {
            return Ok(Item { stem: Some(stem), ..Item::from(Which::Spread { how: family(stem), spread }) });
        }
        let (number, shape) = point(words)?;
        let mut side =
            opt(alt((phrase(lex::TO_LOSE).value(Family::PlaceLose), phrase(lex::TO_WIN).value(Family::PlaceWin))));
        let stem = match side.parse_next(words)?.and_then(stem_of) {
            Some(side) if family(stem) == Some(Family::PlaceWin) => side,
            _ => stem,
        };
        match bet_named(&format!("{stem}-{number}")) {
            // `come six odds`
            Some(bet) if naming == Naming::Standing && opt(phrase(lex::ODDS)).parse_next(words)?.is_some() => {
                Ok(Item::from(Which::Odds(Some(Box::new(Which::Named(bet))))))
            }
            Some(bet) => Ok(Item {
                which: Which::Named(bet),
                stem: Some(stem),
                number: Some((number.value(), shape)),
                bare: false,
            }),
            None if matches!(family(stem), Some(Family::Hardway | Family::Big)) || settled(words) => {
                no_such_number(words, start, stem, number)
            }
            None => lost(words, "the name of a bet"),
        }
    }
}

/// Returns true if nothing follows that could make the number an amount.
fn settled(words: &mut Words<'_>) -> bool {
    let next = alt((phrase(lex::FOR).void(), phrase(lex::EACH).void(), end));
    peek(next).parse_next(words).is_ok()
}

fn no_such_number<T>(words: &Words<'_>, start: usize, stem: &str, number: Point) -> Heard<T> {
    let family = family(stem).and_then(|family| Catalogue::current().all().find(|id| id.wager().family == family));
    let family = family.and_then(|id| id.wager().stems.first().copied()).unwrap_or(stem);
    let others: Vec<Point> =
        Point::ALL.into_iter().filter(|point| bet_named(&format!("{stem}-{point}")).is_some()).collect();
    let listed: Vec<String> = others.iter().map(ToString::to_string).collect();
    let near = |point: &&Point| point.value().abs_diff(number.value());
    let instead =
        others.iter().min_by_key(near).map(|point| format!("{family} {}", super::words::spell(point.value())));
    let message = format!("There is no {family} bet on {number}, only on {}", listed.join(", "));
    ask(words, start, message, instead.into_iter().collect())
}

/// Returns the family of the bets whose slugs begin with this stem.
pub(super) fn family(stem: &str) -> Option<Family> {
    Catalogue::current().all().find(|id| id.wager().stem() == stem).map(|id| id.wager().family)
}

/// Returns the stem that the slugs of a family's bets begin with.
fn stem_of(family: Family) -> Option<&'static str> {
    Catalogue::current().all().find(|id| id.wager().family == family).map(|id| id.wager().stem())
}

fn spread(words: &mut Words<'_>) -> Heard<Spread> {
    super::hearing::one_of_these(lex::SPREADS)(words)
}

/// Reads a number that a bet can be on.
fn point(words: &mut Words<'_>) -> Heard<(Point, Shape)> {
    let number = |word: &Word| Some((Point::from_value(u8::try_from(word.number()?).ok()?)?, word.shape));
    alt((any.verify_map(number), |words: &mut Words<'_>| lost(words, "a number"))).parse_next(words)
}

/// Reads a number alone, or a number followed by "the hard way".
fn number(words: &mut Words<'_>) -> Heard<Item> {
    let (point, shape) = point(words)?;
    if let Some(wager) = Catalogue::current().on_number(Family::Hardway, point)
        && opt(phrase(lex::THE_HARD_WAY)).parse_next(words)?.is_some()
    {
        return Ok(Item::from(Which::Named(BetName { wager, number: None })));
    }
    Ok(Item { which: Which::Number(point), stem: None, number: Some((point.value(), shape)), bare: true })
}

/// Reads two dice on the hop, before or after the word `hop`. If another one-roll bet covers exactly these dice, that bet is meant.
fn hop(words: &mut Words<'_>) -> Heard<Item> {
    let hard = preceded((opt(phrase(&["the"])), phrase(&["hard"])), die_of_pair);
    let before = preceded(phrase(lex::HOP), alt((hard, dice)));
    let throw = alt((before, terminated(dice, phrase(lex::HOP)))).parse_next(words)?;
    let wager = Catalogue::current().in_one_roll(ThrowSet::of(&[throw]));
    let named = |wager| Ok(Item::from(Which::Named(BetName { wager, number: None })));
    wager.map_or_else(|| lost(words, "two dice"), named)
}

/// Reads two dice: `3-1`, `three one`.
pub(super) fn dice(words: &mut Words<'_>) -> Heard<Throw> {
    let pair = any.verify_map(|word: &Word| match word.shape {
        Shape::Dice(throw) => Some(throw),
        _ => None,
    });
    let single = || any.verify_map(|word: &Word| Die::from_pips(u8::try_from(word.number()?).ok()?));
    alt((pair, (single(), single()).map(|(one, other)| Throw::new(one, other)))).parse_next(words)
}

fn die_of_pair(words: &mut Words<'_>) -> Heard<Throw> {
    let (point, _) = point(words)?;
    let die = Some(point.value()).filter(|value| value % 2 == 0).and_then(|value| Die::from_pips(value / 2));
    die.map_or_else(|| lost(words, "a hard number"), |die| Ok(Throw::new(die, die)))
}

/// Reads odds that are already up: `my odds`, `odds on the six`, `come odds`.
fn odds(words: &mut Words<'_>) -> Heard<Item> {
    let kind = odds_word(words)?;
    let behind = preceded(phrase(&["on", "of", "behind"]), item(Naming::Standing));
    let behind = opt(behind).parse_next(words)?;
    let front = front(kind, behind.map(|item| item.which));
    Ok(Item::from(Which::Odds(front.map(Box::new))))
}

/// Reads the word `odds` and the word before it that names the bets, as in `come odds`.
pub(super) fn odds_word(words: &mut Words<'_>) -> Heard<Option<Which>> {
    skip(lex::ARTICLE).parse_next(words)?;
    terminated(opt(meaning(&names().fronts)), phrase(lex::ODDS)).parse_next(words)
}

/// Returns the bet that odds go behind, from the word before `odds` and the name after it: `come odds on the six`.
pub(super) fn front(kind: Option<Which>, named: Option<Which>) -> Option<Which> {
    match (&kind, &named) {
        (Some(Which::All(all)), Some(Which::Number(point))) => {
            Some(standing_on(*all, *point).map_or(Which::Number(*point), Which::Named))
        }
        (Some(Which::Named(_)), Some(Which::Number(_))) => kind,
        _ => named.or(kind),
    }
}

/// Returns the bet of a kind on a number: the come bet that moved there, or the put bet on it.
fn standing_on(kind: Kind, point: Point) -> Option<BetName> {
    let mut of_kind = Catalogue::current().all().filter(|id| kind.covers(id.wager()));
    of_kind.find_map(|wager| match wager.wager() {
        own if own.travels() => Some(BetName { wager, number: Some(point) }),
        own => (own.number == Some(point)).then_some(BetName { wager, number: None }),
    })
}
