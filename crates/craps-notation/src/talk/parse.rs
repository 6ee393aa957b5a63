//! Turns words into orders. What an order means at a table is worked out later, in `meaning`.

use super::amount::{Said, amount, stake};
use super::ask::asked;
use super::hearing::{Heard, Lost, ask, end, lost, meaning, one_of_these, phrase, skip};
use super::lexicon::{self as lex, Phrases};
use super::names::{Item, Naming, dice, family, front, item, items, odds_word};
use super::order::{
    Amount, AskBack, Cut, Kind, OddsAmount, Order, Question, Raise, Reference, Share, Spoken, Thrown, Verb, Which,
    Whose, With,
};
use super::phrasebook::{bet_named, names};
use super::words::{Shape, Word, Words, words};
use craps_dice::{Hard, Total};
use craps_law::WagerRules;
use craps_table::{AfterWin, Called, Table};
use winnow::Parser;
use winnow::combinator::{alt, cut_err, eof, opt, peek, preceded, repeat, terminated};
use winnow::error::ErrMode;
use winnow::token::any;

/// Parses a line of rail talk. Returns its orders in sequence.
///
/// ```
/// use craps_notation::talk::hear;
/// assert_eq!(hear("pass line ten; 12 on the six")?.len(), 2);
/// assert!(!hear("12 on the sixx").unwrap_err().suggestions.is_empty());
/// # Ok::<(), craps_notation::talk::AskBack>(())
/// ```
///
/// # Errors
/// When something is not understood or could mean two things. The error points at the word and suggests what to say instead.
pub fn hear(text: &str) -> Result<Vec<Spoken>, AskBack> {
    let all = words(text);
    read(&all).map_err(|lost| asked(text, &all, lost))
}

/// Parses a line of rail talk at a table, where the names that the table's book has for its wagers are understood too. If a line has a meaning
/// without them, it keeps it.
///
/// ```
/// # use craps_law::Library;
/// # use craps_notation::Session;
/// # let tags = [("Rules", "nj as-of 2024-01-01"), ("Seats", "1 Ann 100")];
/// # let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files)?;
/// use craps_notation::talk::{hear, hear_at};
/// // What New Jersey calls the hard six.
/// assert!(hear("six the hardway five").is_err());
/// assert_eq!(hear_at(session.table(), "six the hardway five")?[0].order, hear("hard six five")?[0].order);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When something is not understood or could mean two things. The error points at the word and suggests what to say instead.
pub fn hear_at(table: &Table, text: &str) -> Result<Vec<Spoken>, AskBack> {
    hear(text).or_else(|asked_back| {
        let (all, found) = with_own_names(table, words(text));
        if found { read(&all).map_err(|lost| asked(text, &all, lost)) } else { Err(asked_back) }
    })
}

/// Replaces the names that the table's book has for its wagers with the names of their bets in game files. Also returns whether there were any.
fn with_own_names(table: &Table, said: Vec<Word>) -> (Vec<Word>, bool) {
    let own = |rules: &WagerRules| {
        let name = table.rules().own_name(rules)?;
        let words: Vec<String> = words(&name).into_iter().map(|word| word.text).collect();
        let slug = rules.wager.wager().slug;
        (!words.is_empty()).then_some((words, slug))
    };
    let mut names: Vec<(Vec<String>, &str)> = table.rules().wagers.iter().filter_map(own).collect();
    // The longest name that fits is meant.
    names.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
    let (mut all, mut found, mut at) = (Vec::new(), false, 0);
    while at < said.len() {
        let is_here = |(name, _): &&(Vec<String>, &str)| {
            said[at..].len() >= name.len() && name.iter().zip(&said[at..]).all(|(own, word)| *own == word.text)
        };
        match names.iter().find(is_here) {
            Some((name, slug)) => {
                let span = said[at].span.start..said[at + name.len() - 1].span.end;
                all.extend(words(slug).into_iter().map(|word| Word { span: span.clone(), ..word }));
                (found, at) = (true, at + name.len());
            }
            None => {
                all.push(said[at].clone());
                at += 1;
            }
        }
    }
    (all, found)
}

/// Parses the orders of a line.
pub(super) fn read(all: &[Word]) -> Result<Vec<Spoken>, Lost> {
    let breaks = || repeat::<_, _, (), _, _>(0.., phrase(lex::THEN).void());
    let next = preceded((phrase(lex::THEN), breaks(), peek(any)), cut_err(with_length));
    let first = opt(preceded(peek(any), cut_err(with_length)));
    let mut line = (breaks(), first, repeat(0.., next), breaks(), eof)
        .map(|(_, first, rest, _, _): (_, _, Vec<_>, _, _)| (first, rest));
    let (first, rest) = line.parse_next(&mut Words::new(all)).map_err(|error| match error {
        ErrMode::Backtrack(lost) | ErrMode::Cut(lost) => lost,
        ErrMode::Incomplete(_) => Lost { left: 0, wanted: Vec::new(), ask: None },
    })?;
    let mut spoken: Vec<Spoken> = Vec::new();
    for (before, after, order) in first.into_iter().chain(rest) {
        let (start, end) = (all.len() - before, all.len() - after);
        let span = all[start].span.start..all[end - 1].span.end;
        let order = spoken.last().and_then(|last| of(&last.order)).map_or(order.clone(), |bets| resolved(order, bets));
        spoken.push(Spoken { span, order });
    }
    Ok(spoken)
}

/// Reads an order. Returns the number of words left before and after it, and the order.
fn with_length(words: &mut Words<'_>) -> Heard<(usize, usize, Order)> {
    let before = words.len();
    skip(lex::COURTESY).parse_next(words)?;
    let order = order.parse_next(words)?;
    Ok((before, words.len(), order))
}

fn order(words: &mut Words<'_>) -> Heard<Order> {
    let standing = alt((tell, press, regress, moved, same, take_down, call));
    alt((act, question, odds, standing, price, bet)).parse_next(words)
}

/// Accepts an order only if nothing is left over after it. Otherwise the words mean something else.
fn whole<'a, T>(order: impl Parser<Words<'a>, T, ErrMode<Lost>>) -> impl Parser<Words<'a>, T, ErrMode<Lost>> {
    terminated(order, (skip(lex::COURTESY), end))
}

fn which(items: Vec<Item>) -> Vec<Which> {
    items.into_iter().map(|item| item.which).collect()
}

/// Reads bets that are up, followed by one of these phrases.
fn standing<'a>(follows: &'static [Phrases]) -> impl FnMut(&mut Words<'a>) -> Heard<Vec<Which>> {
    move |words| items(Naming::Standing, follows, false)(words).map(which)
}

// ---- requests and questions ----

fn act(words: &mut Words<'_>) -> Heard<Order> {
    let bought = alt((preceded(phrase(lex::BUY_IN), stake), terminated(stake, phrase(lex::BUY_IN))));
    alt((whole(bought).map(Verb::BuyIn), whole(one_of_these(lex::VERBS)))).map(Order::Do).parse_next(words)
}

fn question(words: &mut Words<'_>) -> Heard<Order> {
    let mark = || opt(phrase(&["?"]));
    let working = (phrase(&["?"]), phrase(&["working"])).value(Question::Working);
    let known = preceded(mark(), one_of_these(lex::QUESTIONS));
    let why = preceded(phrase(lex::WHY), opt(reference)).map(Question::Why);
    let what_if = (phrase(lex::WHAT_IF), skip(lex::ARTICLE), thrown, skip(lex::DOES))
        .map(|(_, _, thrown, _)| Question::WhatIf(thrown));
    alt((whole(working), whole(known), whole(why), whole(what_if))).map(Order::Ask).parse_next(words)
}

/// Reads a question about what a bet pays and costs. Tried after bets on odds, which name an amount.
fn price(words: &mut Words<'_>) -> Heard<Order> {
    let bets = |follows| move |words: &mut Words<'_>| items(Naming::Made, follows, false)(words).map(which);
    let on = preceded(phrase(lex::ODDS_ON), bets(&[]));
    let pays = terminated(preceded(phrase(lex::WHAT_DOES), bets(&[lex::PAYS])), phrase(lex::PAYS));
    alt((whole(on), whole(pays))).map(|bets| Order::Ask(Question::OddsOn(bets))).parse_next(words)
}

/// Reads a reference to a result, such as `3.1`.
fn reference(words: &mut Words<'_>) -> Heard<Reference> {
    any.verify_map(|word: &Word| {
        let (roll, result) = match word.text.split_once('.') {
            Some((roll, result)) => (roll, Some(result.parse().ok()?)),
            None => (word.text.as_str(), None),
        };
        Some(Reference { roll: roll.parse().ok()?, result })
    })
    .parse_next(words)
}

fn thrown(words: &mut Words<'_>) -> Heard<Thrown> {
    let number = |word: &Word| u8::try_from(word.number()?).ok();
    let hard =
        |word: &Word| number(word).and_then(|number| Hard::ALL.into_iter().find(|hard| hard.point().value() == number));
    let total = |word: &Word| number(word).and_then(Total::from_value).map(Thrown::Total);
    alt((
        preceded(phrase(&["hard"]), any.verify_map(hard)).map(Thrown::Hard),
        terminated(any.verify_map(hard), phrase(lex::THE_HARD_WAY)).map(Thrown::Hard),
        preceded(phrase(lex::EASY), any.verify_map(hard)).map(Thrown::Easy),
        dice.map(Thrown::Dice),
        one_of_these(lex::THROWS).verify_map(|total| Total::from_value(total).map(Thrown::Total)),
        any.verify_map(total),
        phrase(lex::CRAPS).value(Thrown::Craps),
        |words: &mut Words<'_>| lost(words, "a roll such as seven or hard eight"),
    ))
    .parse_next(words)
}

// ---- bets that are up ----

fn tell(words: &mut Words<'_>) -> Heard<Order> {
    let when = || phrase(lex::WHEN_IT_WINS);
    let up = |bets: Vec<Which>| (bets, AfterWin::Up);
    let down = |bets: Vec<Which>| (bets, AfterWin::Down);
    let left_up =
        (phrase(lex::LEAVE), standing(&[lex::UP]), phrase(lex::UP), opt(when())).map(|(_, bets, _, _)| up(bets));
    let stays = (standing(&[lex::UP]), phrase(lex::UP), when()).map(|(bets, _, _)| up(bets));
    let stays_up = (standing(&[&["stays up", "stay up"]]), phrase(&["stays up", "stay up"])).map(|(bets, _)| up(bets));
    let usual = (standing(&[lex::STANDARD]), phrase(lex::STANDARD), when()).map(|(bets, _, _)| (bets, AfterWin::Usual));
    let taken = (phrase(lex::DOWN), standing(&[lex::WHEN_IT_WINS]), when()).map(|(_, bets, _)| down(bets));
    let taken_down = (phrase(lex::TAKE), standing(&[lex::DOWN_AFTER]), phrase(lex::DOWN_AFTER), when())
        .map(|(_, bets, _, _)| down(bets));
    let comes_down = (standing(&[lex::IT_DOWN]), phrase(lex::IT_DOWN), when()).map(|(bets, _, _)| down(bets));
    let one_time = (standing(&[lex::ONE_TIME]), phrase(lex::ONE_TIME)).map(|(bets, _)| down(bets));
    let then = alt((phrase(lex::IT_DOWN).value(AfterWin::Down), phrase(lex::IT_UP).value(AfterWin::Up)));
    let when_first = (phrase(lex::WHEN), standing(&[lex::WINS]), phrase(lex::WINS), opt(phrase(&[",", "then"])), then)
        .map(|(_, bets, _, _, after)| (bets, after));
    let down_when = alt((whole(taken), whole(taken_down), whole(comes_down), whole(one_time)));
    alt((whole(left_up), whole(stays), whole(stays_up), whole(usual), down_when, whole(when_first)))
        .map(|(bets, after_win)| Order::Tell { bets, after_win })
        .parse_next(words)
}

fn press(words: &mut Words<'_>) -> Heard<Order> {
    let half = preceded((phrase(lex::HALF_PRESS), opt(phrase(&["on"]))), standing(&[])).map(|bets| (bets, Raise::Half));
    let added = (phrase(lex::ADD), stake, phrase(lex::JOINT), standing(&[]))
        .map(|(_, stake, _, bets)| (bets, Raise::By(stake)));
    let in_half = (phrase(lex::PRESS), standing(&[lex::IN_HALF]), phrase(&["by half", "half"]))
        .map(|(_, bets, _)| (bets, Raise::Half));
    let pressed = (phrase(lex::PRESS), standing(&[lex::BY, lex::TO]), raise);
    alt((whole(half), whole(added), whole(in_half), whole(pressed.map(|(_, bets, by)| (bets, by)))))
        .map(|(bets, by)| Order::Press { bets, by })
        .parse_next(words)
}

fn raise(words: &mut Words<'_>) -> Heard<Raise> {
    let start = words.len();
    let one = phrase(&["a", "one"]).value(1);
    let count = alt((one, any.verify_map(|word: &Word| u32::try_from(word.number()?).ok())));
    let units = (opt(phrase(lex::BY)), count, phrase(lex::UNIT)).map(|(_, count, _)| Raise::Units(count));
    let to = preceded(phrase(lex::TO), amount).map(|said| Raise::To(said.amount));
    let by = preceded(phrase(lex::BY), stake).map(Raise::By);
    if let Some(raise) = opt(alt((units, to, by))).parse_next(words)? {
        return Ok(raise);
    }
    match opt(stake).parse_next(words)? {
        Some(stake) => {
            let instead = vec![format!("by {stake}"), format!("to {stake}")];
            ask(words, start, format!("Press by {stake}, or up to {stake}?"), instead)
        }
        None => Ok(Raise::Double),
    }
}

fn regress(words: &mut Words<'_>) -> Heard<Order> {
    let (_, bets) = (phrase(lex::REGRESS), standing(&[lex::IN_HALF, lex::TO, lex::BY])).parse_next(words)?;
    let half = opt(phrase(lex::IN_HALF)).value(Cut::Half);
    let to = preceded(phrase(lex::TO), amount).map(|said| Cut::To(said.amount));
    let by = preceded(phrase(&["by"]), stake).map(|stake| Some(Amount::Exactly(stake)));
    let regressed = alt((whole(to), whole(half))).map(|to| Order::Regress { bets: bets.clone(), to });
    let lowered = whole(by).map(|amount| Order::TakeDown { bets: bets.clone(), amount });
    alt((lowered, regressed)).parse_next(words)
}

fn moved(words: &mut Words<'_>) -> Heard<Order> {
    whole((phrase(lex::MOVE), item(Naming::Standing), phrase(lex::TO), item(Naming::Made)))
        .map(|(_, from, _, to)| Order::Move { from: from.which, to: to.which })
        .parse_next(words)
}

fn same(words: &mut Words<'_>) -> Heard<Order> {
    whole(preceded(phrase(lex::SAME), opt(standing(&[]))))
        .map(|bets| Order::SameBet { bets: bets.unwrap_or_default() })
        .parse_next(words)
}

fn take_down(words: &mut Words<'_>) -> Heard<Order> {
    let everything = phrase(lex::TAKE_ALL_DOWN).value((vec![Which::All(Kind::Everything)], None));
    let some_off = (phrase(lex::TAKE), stake, phrase(lex::OFF_FROM), standing(&[]))
        .map(|(_, stake, _, bets)| (bets, Some(Amount::Exactly(stake))));
    let all = (phrase(lex::DOWN), standing(&[])).map(|(_, bets)| (bets, None));
    let taken =
        (phrase(lex::TAKE), standing(&[lex::DOWN_AFTER]), phrase(lex::DOWN_AFTER)).map(|(_, bets, _)| (bets, None));
    let down = (standing(&[&["down"]]), phrase(&["down"])).map(|(bets, _)| (bets, None));
    alt((whole(everything), whole(some_off), whole(some_down), whole(all), whole(taken), whole(down)))
        .map(|(bets, amount)| Order::TakeDown { bets, amount })
        .parse_next(words)
}

/// Reads an amount to take down and the bets: `down 6 six`.
fn some_down(words: &mut Words<'_>) -> Heard<(Vec<Which>, Option<Amount>)> {
    phrase(lex::TAKE).parse_next(words)?;
    let start = words.len();
    let said = amount(words)?;
    let bets = items(Naming::Standing, &[], false)(words)?;
    match bets.first().and_then(|first| two_numbers(&said, first)) {
        Some((one, other)) => {
            let instead = vec![format!("{one} of the {other}"), format!("{one} and {other}")];
            ask(words, start, format!("Take {one} off the {other}, or take both numbers down?"), instead)
        }
        None => Ok((which(bets), Some(said.amount))),
    }
}

fn call(words: &mut Words<'_>) -> Heard<Order> {
    const CALLS: &[Phrases] = &[lex::ON, lex::OFF, lex::STANDARD];
    let called = || {
        alt((
            phrase(lex::ON).value(Called::On),
            phrase(lex::OFF).value(Called::Off),
            phrase(lex::STANDARD).value(Called::Standard),
        ))
    };
    let everything = alt((phrase(lex::ALL_ON).value(Called::On), phrase(lex::ALL_OFF).value(Called::Off)))
        .map(|called| (vec![Which::All(Kind::Everything)], called));
    let before = alt((
        phrase(lex::TURN_ON).value(Called::On),
        phrase(lex::TURN_OFF).value(Called::Off),
        phrase(lex::NO_CALL).value(Called::Standard),
    ));
    let before = (before, standing(&[])).map(|(called, bets)| (bets, called));
    let after = (opt(phrase(lex::CALL)), standing(CALLS), called()).map(|(_, bets, called)| (bets, called));
    alt((whole(everything), whole(before), whole(after)))
        .map(|(bets, called)| Order::Call { bets, called })
        .parse_next(words)
}

// ---- odds ----

fn odds(words: &mut Words<'_>) -> Heard<Order> {
    let mut order = words.iter().take_while(|word| !word.is_break());
    if !order.any(|word| matches!(word.text.as_str(), "odds" | "behind")) {
        return Err(ErrMode::Backtrack(Lost { left: words.len(), wanted: Vec::new(), ask: None }));
    }
    let verb = || opt(phrase(lex::TAKE_ODDS));
    let behind =
        || preceded(alt((phrase(lex::JOINT), phrase(lex::BEHIND))), (opt(phrase(lex::EACH)), item(Naming::Standing)));
    let each = |each: Option<&[Word]>| if each.is_some() { Share::Each } else { Share::Unsaid };
    let split = move |behind: Option<(Option<&[Word]>, Item)>| {
        behind.map_or((Share::Unsaid, None), |(one, item)| (each(one), Some(item.which)))
    };
    // `50 odds on the six`
    let amount_first = (
        opt(alt((phrase(lex::TAKE_ODDS), phrase(&["put"])))),
        how_much,
        opt(phrase(&["in", "of", "dollars"])),
        odds_word,
        opt(behind()),
    )
        .map(move |(_, amount, _, kind, behind)| {
            let (share, named) = split(behind);
            (front(kind, named), amount, share)
        });
    // `odds 50 on the six`
    let amount_next = (verb(), odds_word, opt(phrase(lex::FOR)), how_much, opt(phrase(lex::EACH)), opt(behind())).map(
        move |(_, kind, _, amount, one, behind)| {
            let (share, named) = split(behind);
            (front(kind, named), amount, if share == Share::Unsaid { each(one) } else { share })
        },
    );
    // `odds on the six 50`
    let amount_last = (verb(), odds_word, behind(), opt(phrase(lex::FOR)), how_much, opt(phrase(lex::EACH))).map(
        move |(_, kind, (one, item), _, amount, more)| (front(kind, Some(item.which)), amount, each(one.or(more))),
    );
    // `50 behind the line`
    let only_behind = (verb(), how_much, phrase(lex::BEHIND), opt(item(Naming::Standing)))
        .map(|(_, amount, _, item)| (item.map(|item| item.which), amount, Share::Unsaid));
    alt((whole(amount_first), whole(amount_next), whole(amount_last), whole(only_behind)))
        .map(|(behind, amount, share)| Order::Odds { behind, amount, share })
        .parse_next(words)
}

fn how_much(words: &mut Words<'_>) -> Heard<OddsAmount> {
    let count = || any.verify_map(|word: &Word| u32::try_from(word.number()?).ok());
    let times = || {
        any.verify(|word: &&Word| word.shape == Shape::Times).verify_map(|word: &Word| word.text.parse::<u32>().ok())
    };
    let multiplied = terminated(count(), phrase(&["times", "x"]));
    alt((
        (count(), count(), count(), opt(phrase(&["x", "times"]))).map(|(a, b, c, _)| OddsAmount::ByNumber([a, b, c])),
        (count(), count(), times()).map(|(a, b, c)| OddsAmount::ByNumber([a, b, c])),
        alt((times(), multiplied, one_of_these(lex::TIMES))).map(OddsAmount::Times),
        phrase(lex::FULL).value(OddsAmount::Of(Amount::Most)),
        amount.map(|said| OddsAmount::Of(said.amount)),
    ))
    .parse_next(words)
}

// ---- new bets ----

const AFTER_BETS: &[Phrases] = &[lex::EACH, lex::TOGETHER, lex::TWO_WAY, lex::DEALERS, lex::WITH];

fn bet(words: &mut Words<'_>) -> Heard<Order> {
    let two_way = opt(phrase(lex::TWO_WAY)).parse_next(words)?;
    let whose = if two_way.is_some() { Whose::TwoWay } else { Whose::Mine };
    alt((
        whole(with_tail(named_last)),
        whole(with_tail(named_first)),
        whole(with_tail(stem_first)),
        whole(with_tail(dealers_only)),
    ))
    .map(|((bets, said, share), tails)| {
        let (mut share, mut with, mut whose) = (share, With::default(), whose);
        for tail in tails {
            match tail {
                Tail::Share(said) => share = said,
                Tail::Cash(stake) => with.cash = Some(stake),
                Tail::Coupon(stake) => with.coupon = Some(stake),
                Tail::Whose(said) => whose = said,
            }
        }
        Order::Bet { bets: which(bets), amount: said.amount, share, with, whose }
    })
    .parse_next(words)
}

fn with_tail<'a>(
    parts: impl FnMut(&mut Words<'a>) -> Heard<Parts>,
) -> impl Parser<Words<'a>, (Parts, Vec<Tail>), ErrMode<Lost>> {
    (parts, repeat(0.., tail))
}

type Parts = (Vec<Item>, Said, Share);

/// Reads the amount first: `12 on the six`, `bet 5 each on the hardways`.
fn named_last(words: &mut Words<'_>) -> Heard<Parts> {
    let start = words.len();
    opt(phrase(lex::BET)).parse_next(words)?;
    skip(&["a", "an", "another"]).parse_next(words)?;
    let said = amount(words)?;
    let share = share(words)?;
    let joint = words.len();
    skip(lex::JOINT).parse_next(words)?;
    let joined = words.len() < joint;
    let share = if share == Share::Unsaid { self::share(words)? } else { share };
    skip(lex::JOINT).parse_next(words)?;
    let bets = items(Naming::Made, AFTER_BETS, false)(words)?;
    let doubtful = bets.first().filter(|first| !joined && first.bare).and_then(|first| two_numbers(&said, first));
    match doubtful {
        Some((one, other)) if bets.len() == 1 => either_way(words, start, one, other),
        // Digits are the amount, words are the number: this is like `six 12`.
        _ if !joined && swapped(&said, bets.first()) => lost(words, "a number"),
        _ => Ok((bets, said, share)),
    }
}

/// Reads `lay 40 on the four`, `place 12 six`: the word before the amount says what kind of bet the numbers after it are.
fn stem_first(words: &mut Words<'_>) -> Heard<Parts> {
    let stem = meaning(&names().made_stems).parse_next(words)?;
    let said = amount(words)?;
    let mut share = share(words)?;
    skip(lex::JOINT).parse_next(words)?;
    if share == Share::Unsaid {
        share = self::share(words)?;
    }
    let bets = items(Naming::Made, AFTER_BETS, false)(words)?;
    let stemmed = |item: Item| match (&item.which, item.number) {
        (Which::Spread { how: None, spread }, _) => {
            let how = family(stem);
            Some(Item { which: Which::Spread { how, spread: *spread }, ..item })
        }
        (Which::Number(_), Some((number, _))) => bet_named(&format!("{stem}-{number}")).map(|bet| Item {
            which: Which::Named(bet),
            stem: Some(stem),
            ..item
        }),
        _ => None,
    };
    let bets: Option<Vec<Item>> = bets.into_iter().map(stemmed).collect();
    bets.map_or_else(|| lost(words, "a number"), |bets| Ok((bets, said, share)))
}

/// Reads the bets first: `hard eight five`, `place the six and eight for 12 each`.
fn named_first(words: &mut Words<'_>) -> Heard<Parts> {
    let start = words.len();
    // What looks like a verb may be part of the name: `put six`, `make 'em all`.
    let bets = || items(Naming::Made, &[], true);
    let bets = alt((bets(), preceded(phrase(lex::BET), bets()))).parse_next(words)?;
    let share = share(words)?;
    let joined = opt(alt((phrase(lex::FOR), phrase(&[","])))).parse_next(words)?.is_some();
    let said = amount(words)?;
    let last = bets.last().filter(|_| !joined);
    if let (Some(stem), Some((number, shape)), Some((sum, other_shape))) =
        (last.and_then(|last| last.stem), last.and_then(|last| last.number), said.bare)
        && number != sum
        && bet_named(&format!("{stem}-{sum}")).is_some()
    {
        match (shape, other_shape) {
            // Digits are the amount, words are the number: this is like `place 10 six`.
            (Shape::Figures, Shape::Spelled) => return lost(words, "a number"),
            (Shape::Spelled, Shape::Figures) => {}
            _ => return stem_either_way(words, start, stem, number, sum),
        }
    }
    Ok((bets, said, share))
}

/// Reads a bet that names only the dealers: `a nickel for the boys`.
fn dealers_only(words: &mut Words<'_>) -> Heard<Parts> {
    skip(&["a", "an"]).parse_next(words)?;
    let said = terminated(amount, peek(phrase(lex::DEALERS))).parse_next(words)?;
    Ok((Vec::new(), said, Share::Unsaid))
}

fn share(words: &mut Words<'_>) -> Heard<Share> {
    let said = alt((phrase(lex::EACH).value(Share::Each), phrase(lex::TOGETHER).value(Share::Together)));
    opt(said).map(Option::unwrap_or_default).parse_next(words)
}

enum Tail {
    Share(Share),
    Cash(craps_money::Stake),
    Coupon(craps_money::Stake),
    Whose(Whose),
}

fn tail(words: &mut Words<'_>) -> Heard<Tail> {
    let comma = || opt(phrase(&[","]));
    let with = || (phrase(lex::WITH), skip(&["a", "an"]));
    alt((
        preceded(comma(), phrase(lex::EACH)).value(Share::Each).map(Tail::Share),
        preceded(comma(), phrase(lex::TOGETHER)).value(Share::Together).map(Tail::Share),
        preceded(comma(), phrase(lex::TWO_WAY)).value(Whose::TwoWay).map(Tail::Whose),
        preceded(comma(), phrase(lex::DEALERS)).value(Whose::Dealers).map(Tail::Whose),
        (with(), stake, phrase(lex::CASH)).map(|(_, stake, _)| Tail::Cash(stake)),
        (with(), stake, phrase(lex::COUPON)).map(|(_, stake, _)| Tail::Coupon(stake)),
    ))
    .parse_next(words)
}

// ---- two numbers side by side ----

/// Returns an amount and a number that could change places, as in `6 8`.
fn two_numbers(said: &Said, item: &Item) -> Option<(u8, u8)> {
    let ((sum, shape), (number, other)) = said.bare.zip(item.number)?;
    (item.bare && shape == other && sum != number).then_some((sum, number))
}

/// Returns true if a number in words comes before one in digits. The digits are the amount then.
fn swapped(said: &Said, first: Option<&Item>) -> bool {
    let number = first.filter(|first| first.bare).and_then(|first| first.number);
    matches!((said.bare, number), (Some((_, Shape::Spelled)), Some((_, Shape::Figures))))
}

fn either_way<T>(words: &Words<'_>, start: usize, one: u8, other: u8) -> Heard<T> {
    let instead = vec![format!("{one} on the {other}"), format!("{other} on the {one}")];
    ask(words, start, format!("{one} on the {other}, or {other} on the {one}?"), instead)
}

fn stem_either_way<T>(words: &Words<'_>, start: usize, stem: &str, one: u8, other: u8) -> Heard<T> {
    let name = stem.trim_end_matches("-win").replace('-', " ");
    let instead = vec![format!("{name} {one} for {other}"), format!("{name} {other} for {one}")];
    ask(words, start, format!("{name} {one} for {other}, or {name} {other} for {one}?"), instead)
}

// ---- "it": the bets of the order before ----

/// Returns the bets that an order is about.
fn of(order: &Order) -> Option<Vec<Which>> {
    match order {
        Order::Bet { bets, .. }
        | Order::TakeDown { bets, .. }
        | Order::Press { bets, .. }
        | Order::Regress { bets, .. }
        | Order::Call { bets, .. }
        | Order::Tell { bets, .. } => Some(bets.clone()).filter(|bets| !bets.is_empty() && !bets.contains(&Which::It)),
        Order::Move { to, .. } => Some(vec![to.clone()]),
        Order::Odds { behind, .. } => Some(vec![Which::Odds(behind.clone().map(Box::new))]),
        Order::SameBet { .. } | Order::Ask(_) | Order::Do(_) => None,
    }
}

/// Returns the order with `it` replaced by the bets of the order before.
fn resolved(order: Order, before: Vec<Which>) -> Order {
    let full = |bets: Vec<Which>| {
        let one = |which: Which| if which == Which::It { before.clone() } else { vec![which] };
        bets.into_iter().flat_map(one).collect::<Vec<_>>()
    };
    match order {
        Order::TakeDown { bets, amount } => Order::TakeDown { bets: full(bets), amount },
        Order::Press { bets, by } => Order::Press { bets: full(bets), by },
        Order::Regress { bets, to } => Order::Regress { bets: full(bets), to },
        Order::Call { bets, called } => Order::Call { bets: full(bets), called },
        Order::Tell { bets, after_win } => Order::Tell { bets: full(bets), after_win },
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::BetName;
    use craps_wagers::Catalogue;

    fn heard(text: &str) -> Vec<Order> {
        hear(text).unwrap_or_else(|ask| panic!("{text}: {ask}")).into_iter().map(|spoken| spoken.order).collect()
    }

    /// Fails if one phrase in the tables hides another.
    #[test]
    fn every_name_of_the_lexicon_is_heard_as_the_bet_it_stands_for() {
        let catalogue = Catalogue::built_in();
        let bets = catalogue.all().flat_map(|id| {
            let named = Which::Named(BetName { wager: id, number: None });
            id.wager().phrases.iter().map(move |phrase| (*phrase, named.clone()))
        });
        let combos = catalogue.combos().iter().flat_map(|combo| {
            let parts = combo.bets;
            combo.phrases.iter().map(move |name| (*name, Which::Combo(super::super::order::Combo { name, parts })))
        });
        let spreads =
            lex::SPREADS.iter().map(|(phrase, spread)| (*phrase, Which::Spread { how: None, spread: *spread }));
        for (phrase, expected) in bets.chain(combos).chain(spreads) {
            for text in [format!("{phrase} for 1"), format!("1 on the {phrase}"), format!("bet $1 on {phrase}")] {
                let [Order::Bet { bets, .. }] = &heard(&text)[..] else { continue };
                assert_eq!(bets[..], *std::slice::from_ref(&expected), "{text}");
            }
            assert!(
                matches!(&heard(&format!("{phrase} for 1"))[..], [Order::Bet { .. } | Order::Odds { .. }]),
                "{phrase}"
            );
        }
        let stems = catalogue.all().flat_map(|id| id.wager().stems.iter().map(move |stem| (stem, id.wager().stem())));
        for (stem, family) in stems.collect::<std::collections::BTreeSet<_>>() {
            for number in ["four", "6", "the eight", "10"] {
                let last = number.trim_start_matches("the ").replace("four", "4").replace("eight", "8");
                let Some(bet) = bet_named(&format!("{family}-{last}")) else { continue };
                let text = format!("{stem} {number} for 5");
                match &heard(&text)[..] {
                    [Order::Bet { bets, .. }] => assert_eq!(bets[..], [Which::Named(bet)], "{text}"),
                    [Order::Odds { behind: Some(Which::Named(_)), .. }] => {}
                    other => panic!("{text}: {other:?}"),
                }
            }
        }
    }

    #[test]
    fn every_question_act_and_kind_of_the_lexicon_is_heard() {
        for (phrase, question) in lex::QUESTIONS {
            assert_eq!(heard(phrase), [Order::Ask(question.clone())], "{phrase}");
        }
        for (phrase, verb) in lex::VERBS {
            assert_eq!(heard(phrase), [Order::Do(verb.clone())], "{phrase}");
        }
        for (phrase, kind) in lex::KINDS {
            let bets = vec![Which::All(*kind)];
            assert_eq!(heard(&format!("{phrase} working")), [Order::Call { bets, called: Called::On }], "{phrase}");
        }
        for (phrase, total) in lex::THROWS {
            let thrown = Thrown::Total(Total::from_value(*total).unwrap());
            assert_eq!(heard(&format!("what if {phrase}")), [Order::Ask(Question::WhatIf(thrown))], "{phrase}");
        }
    }

    #[test]
    fn amounts_are_read_in_figures_words_and_chips() {
        let rows = [
            ("5", "5"),
            ("12.50", "12.50"),
            ("$1,000", "1000"),
            ("2k", "2000"),
            ("five dollars", "5"),
            ("a nickel", "5"),
            ("two quarters", "50"),
            ("twenty five", "25"),
            ("a hundred", "100"),
            ("one hundred and fifty", "150"),
            ("fifteen hundred", "1500"),
            ("two thousand three hundred and one", "2301"),
            ("3 hundred", "300"),
            ("a black chip", "100"),
            ("ten bucks", "10"),
        ];
        for (said, sum) in rows {
            let amount = Amount::Exactly(sum.parse().unwrap());
            match &heard(&format!("field for {said}"))[..] {
                [Order::Bet { amount: found, .. }] => assert_eq!(*found, amount, "{said}"),
                other => panic!("{said}: {other:?}"),
            }
        }
    }
}
