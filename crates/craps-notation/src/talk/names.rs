//! Which bets: the names of one or several.

use super::hearing::{Heard, ask, end, lost, meaning, phrase, skip};
use super::lexicon::{self as lex, Phrases, bet_named};
use super::order::{Kind, Spread, Which};
use super::words::{Shape, Word, Words};
use craps_dice::{Die, Point, Throw};
use craps_wagers::Family;
use winnow::Parser;
use winnow::combinator::{alt, not, opt, peek, preceded, repeat, terminated};
use winnow::token::any;

/// Are bets named to be made, or because they stand?
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    Made,
    Standing,
}

/// One name as it was said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) which: Which,
    /// The word before a number that made it a bet; it holds for the numbers that follow.
    pub(super) stem: Option<&'static str>,
    /// The number that ends the name, and how it is written.
    pub(super) number: Option<(u8, Shape)>,
    /// Was anything said before the number?
    pub(super) bare: bool,
}

impl From<Which> for Item {
    fn from(which: Which) -> Item {
        Item { which, stem: None, number: None, bare: false }
    }
}

/// One name.
pub(super) fn item<'a>(naming: Naming) -> impl FnMut(&mut Words<'a>) -> Heard<Item> {
    move |words| {
        let start = words.len();
        skip(lex::ARTICLE).parse_next(words)?;
        let article = words.len() < start;
        let unknown = |words: &mut Words<'a>| lost(words, "the name of a bet");
        let found = match naming {
            Naming::Made => {
                alt((stemmed(naming), hop, meaning(&lex::MADE).map(Item::from), number, unknown)).parse_next(words)
            }
            Naming::Standing => {
                let it = phrase(lex::IT).value(Which::It).map(Item::from);
                let listed = meaning(&lex::STANDING).map(Item::from);
                alt((odds, stemmed(naming), hop, listed, number, it, unknown)).parse_next(words)
            }
        };
        found.map(|item| Item { bare: item.bare && !article, ..item })
    }
}

/// One name or several, as long as an amount follows the last, or else one of these phrases or the end of the order.
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
            // `each` belongs to what stands before it only where no other bet stands behind it.
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

/// A word that makes a number, or several, a bet: `place six`, `buy the outside`, `place the four to lose`.
fn stemmed<'a>(naming: Naming) -> impl FnMut(&mut Words<'a>) -> Heard<Item> {
    move |words| {
        let start = words.len();
        let book = match naming {
            Naming::Made => &lex::MADE_STEMS,
            Naming::Standing => &lex::STANDING_STEMS,
        };
        let stem = meaning(book).parse_next(words)?;
        skip(lex::ARTICLE).parse_next(words)?;
        if let Ok(spread) = spread(words) {
            return Ok(Item { stem: Some(stem), ..Item::from(Which::Spread { how: family(stem), spread }) });
        }
        let (number, shape) = point(words)?;
        let mut side = opt(alt((phrase(lex::TO_LOSE).value("place-lose"), phrase(lex::TO_WIN).value("place-win"))));
        let stem = match side.parse_next(words)? {
            Some(side) if stem == "place-win" => side,
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
            None if matches!(stem, "hard" | "big") || settled(words) => no_such_number(words, start, stem, number),
            None => lost(words, "the name of a bet"),
        }
    }
}

/// Is nothing left that could make the number an amount?
fn settled(words: &mut Words<'_>) -> bool {
    let next = alt((phrase(lex::FOR).void(), phrase(lex::EACH).void(), end));
    peek(next).parse_next(words).is_ok()
}

fn no_such_number<T>(words: &Words<'_>, start: usize, stem: &str, number: Point) -> Heard<T> {
    let family = stem.trim_end_matches("-win");
    let others: Vec<Point> =
        Point::ALL.into_iter().filter(|point| bet_named(&format!("{stem}-{point}")).is_some()).collect();
    let listed: Vec<String> = others.iter().map(ToString::to_string).collect();
    let near = |point: &&Point| point.value().abs_diff(number.value());
    let instead = others
        .iter()
        .min_by_key(near)
        .map(|point| format!("{} {}", family.replace('-', " "), super::words::spell(point.value())));
    let message =
        format!("no book has a {} bet on {number}; there is one on {}", family.replace('-', " "), listed.join(", "));
    ask(words, start, message, instead.into_iter().collect())
}

fn family(stem: &str) -> Option<Family> {
    Family::ALL.into_iter().find(|family| family.name() == stem)
}

fn spread(words: &mut Words<'_>) -> Heard<Spread> {
    super::hearing::one_of_these(lex::SPREADS)(words)
}

/// A number that a bet can be on.
fn point(words: &mut Words<'_>) -> Heard<(Point, Shape)> {
    let number = |word: &Word| Some((Point::from_value(u8::try_from(word.number()?).ok()?)?, word.shape));
    alt((any.verify_map(number), |words: &mut Words<'_>| lost(words, "a number"))).parse_next(words)
}

/// A number alone, or made a hardway behind it.
fn number(words: &mut Words<'_>) -> Heard<Item> {
    let (point, shape) = point(words)?;
    let hard = bet_named(&format!("hard-{point}"));
    if let Some(bet) = hard
        && opt(phrase(lex::THE_HARD_WAY)).parse_next(words)?.is_some()
    {
        return Ok(Item::from(Which::Named(bet)));
    }
    Ok(Item { which: Which::Number(point), stem: None, number: Some((point.value(), shape)), bare: true })
}

/// Two dice on the hop, before the word or behind it. The ones that are propositions of their own go by these.
fn hop(words: &mut Words<'_>) -> Heard<Item> {
    let hard = preceded((opt(phrase(&["the"])), phrase(&["hard"])), die_of_pair);
    let before = preceded(phrase(lex::HOP), alt((hard, dice)));
    let throw = alt((before, terminated(dice, phrase(lex::HOP)))).parse_next(words)?;
    let name = match throw.to_string().as_str() {
        "1-1" => "craps-2".to_owned(),
        "1-2" => "craps-3".to_owned(),
        "5-6" => "eleven".to_owned(),
        "6-6" => "craps-12".to_owned(),
        dice => format!("hop-{dice}"),
    };
    bet_named(&name).map_or_else(|| lost(words, "two dice"), |bet| Ok(Item::from(Which::Named(bet))))
}

/// Two dice: `3-1`, `three one`.
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

/// The odds behind a bet, as something that stands: `my odds`, `odds on the six`, `come odds`.
fn odds(words: &mut Words<'_>) -> Heard<Item> {
    let kind = odds_word(words)?;
    let behind = preceded(phrase(&["on", "of", "behind"]), item(Naming::Standing));
    let behind = opt(behind).parse_next(words)?;
    let front = front(kind, behind.map(|item| item.which));
    Ok(Item::from(Which::Odds(front.map(Box::new))))
}

/// The word itself, and the bets it may speak of: `come odds`.
pub(super) fn odds_word(words: &mut Words<'_>) -> Heard<Option<Which>> {
    let of = alt((
        phrase(&["don't come"]).map(|_| Some(Which::All(Kind::DontCome))),
        phrase(&["don't pass", "don't"]).map(|_| bet_named("dont-pass").map(Which::Named)),
        phrase(&["come"]).map(|_| Some(Which::All(Kind::Come))),
        phrase(&["pass line", "pass", "line"]).map(|_| bet_named("pass").map(Which::Named)),
        phrase(&["put"]).map(|_| Some(Which::All(Kind::Put))),
    ));
    skip(lex::ARTICLE).parse_next(words)?;
    terminated(opt(of), phrase(lex::ODDS)).map(Option::flatten).parse_next(words)
}

/// The bet in front of odds, by the word before them and the name behind: `come odds on the six`.
pub(super) fn front(kind: Option<Which>, named: Option<Which>) -> Option<Which> {
    let stem = match kind {
        Some(Which::All(Kind::Come)) => "come",
        Some(Which::All(Kind::DontCome)) => "dont-come",
        Some(Which::All(Kind::Put)) => "put",
        Some(Which::Named(_)) if matches!(named, Some(Which::Number(_))) => return kind,
        _ => return named.or(kind),
    };
    match named {
        Some(Which::Number(point)) => {
            Some(bet_named(&format!("{stem}-{point}")).map_or(Which::Number(point), Which::Named))
        }
        named => named.or(kind),
    }
}
