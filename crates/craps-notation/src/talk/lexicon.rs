//! Tables of the words in orders. The names of bets are not here: every wager defines its own ([`super::phrasebook`]).
//!
//! Phrases are written as people say them. Digits and number words are the same to the parser. If two phrases fit, the longer one wins.

use super::order::{Kind, Question, Spread, Verb};

/// Numbers that are bet together.
pub(super) const SPREADS: &[(&str, Spread)] = &[
    ("inside", Spread::Inside),
    ("inside numbers", Spread::Inside),
    ("outside", Spread::Outside),
    ("outside numbers", Spread::Outside),
    ("across", Spread::Across),
    ("all across", Spread::Across),
    ("across the board", Spread::Across),
    ("the evens", Spread::Even),
    ("evens", Spread::Even),
    ("even numbers", Spread::Even),
];

/// Names for kinds of bets that are up.
pub(super) const KINDS: &[(&str, Kind)] = &[
    ("everything", Kind::Everything),
    ("all", Kind::Everything),
    ("all bets", Kind::Everything),
    ("all of it", Kind::Everything),
    ("it all", Kind::Everything),
    ("bets", Kind::Everything),
    ("lot", Kind::Everything),
    ("place bets", Kind::Place),
    ("places", Kind::Place),
    ("numbers", Kind::Numbers),
    ("box numbers", Kind::Numbers),
    ("place bets to lose", Kind::PlaceLose),
    ("buy bets", Kind::Buy),
    ("buys", Kind::Buy),
    ("lay bets", Kind::Lay),
    ("lays", Kind::Lay),
    ("put bets", Kind::Put),
    ("puts", Kind::Put),
    ("hardways", Kind::Hardways),
    ("hard ways", Kind::Hardways),
    ("hards", Kind::Hardways),
    ("hops", Kind::Hops),
    ("hop bets", Kind::Hops),
    ("props", Kind::Props),
    ("prop bets", Kind::Props),
    ("proposition bets", Kind::Props),
    ("center bets", Kind::Props),
    ("line bet", Kind::Line),
    ("line bets", Kind::Line),
    ("come bet", Kind::Come),
    ("come bets", Kind::Come),
    ("don't come bet", Kind::DontCome),
    ("don't come bets", Kind::DontCome),
    ("side bets", Kind::Side),
    ("bonus bets", Kind::Side),
];

/// Words for chips, and the dollars that one chip is worth.
pub(super) const CHIPS: &[(&str, u32)] = &[
    ("dollar", 1),
    ("dollars", 1),
    ("buck", 1),
    ("bucks", 1),
    ("nickel", 5),
    ("nickels", 5),
    ("red chip", 5),
    ("red chips", 5),
    ("redbird", 5),
    ("redbirds", 5),
    ("quarter", 25),
    ("quarters", 25),
    ("green chip", 25),
    ("green chips", 25),
    ("black chip", 100),
    ("black chips", 100),
];

/// Questions that are one phrase.
pub(super) const QUESTIONS: &[(&str, Question)] = &[
    ("what can I bet", Question::WhatCanIBet),
    ("what can I bet now", Question::WhatCanIBet),
    ("what may I bet", Question::WhatCanIBet),
    ("what is open", Question::WhatCanIBet),
    ("what's open", Question::WhatCanIBet),
    ("mine", Question::Mine),
    ("my bets", Question::Mine),
    ("what do I have", Question::Mine),
    ("what have I got", Question::Mine),
    ("what do I have up", Question::Mine),
    ("what's mine", Question::Mine),
    ("exposure", Question::Exposure),
    ("my exposure", Question::Exposure),
    ("what's my exposure", Question::Exposure),
    ("what is at risk", Question::Exposure),
    ("what am I exposed to", Question::Exposure),
    ("what is working", Question::Working),
    ("what's working", Question::Working),
    ("am I working", Question::Working),
    ("what works", Question::Working),
    ("legal", Question::Legal),
    ("what is legal", Question::Legal),
    ("what's legal", Question::Legal),
    ("legal bets", Question::Legal),
    ("how much do I have", Question::Rail),
    ("how much have I left", Question::Rail),
    ("my rail", Question::Rail),
    ("rail", Question::Rail),
    ("what is the point", Question::Point),
    ("what's the point", Question::Point),
    ("who is shooting", Question::Shooter),
    ("who's shooting", Question::Shooter),
    ("who has the dice", Question::Shooter),
    ("limits", Question::Limits),
    ("table limits", Question::Limits),
    ("what are the limits", Question::Limits),
    ("what is the minimum", Question::Limits),
    ("what's the minimum", Question::Limits),
];

/// Requests that are one phrase.
pub(super) const VERBS: &[(&str, Verb)] = &[
    ("roll", Verb::Roll),
    ("roll 'em", Verb::Roll),
    ("roll the dice", Verb::Roll),
    ("throw", Verb::Roll),
    ("throw the dice", Verb::Roll),
    ("shoot", Verb::Roll),
    ("let 'em roll", Verb::Roll),
    ("undo", Verb::Undo),
    ("take that back", Verb::Undo),
    ("redo", Verb::Redo),
    ("repeat", Verb::Repeat),
    ("same again", Verb::Repeat),
    ("repeat my bets", Verb::Repeat),
    ("clear", Verb::Clear),
    ("start over", Verb::Clear),
    ("clear my bets", Verb::Clear),
    ("pass the dice", Verb::PassDice),
    ("pass dice", Verb::PassDice),
    ("take the dice", Verb::TakeDice { decisions_only: false }),
    ("I'll shoot", Verb::TakeDice { decisions_only: false }),
    ("my dice", Verb::TakeDice { decisions_only: false }),
    ("shoot for the come bets only", Verb::TakeDice { decisions_only: true }),
    ("take the dice for the come bets only", Verb::TakeDice { decisions_only: true }),
    ("no dice", Verb::DeclineDice),
    ("decline the dice", Verb::DeclineDice),
    ("I don't want the dice", Verb::DeclineDice),
    ("leave", Verb::Leave),
    ("leave the table", Verb::Leave),
    ("cash out", Verb::Leave),
    ("cash me out", Verb::Leave),
    ("I'm leaving", Verb::Leave),
    ("help", Verb::Help),
    ("?", Verb::Help),
    ("what can I say", Verb::Help),
    ("save", Verb::Save),
    ("save the game", Verb::Save),
    ("quit", Verb::Quit),
    ("exit", Verb::Quit),
    ("bye", Verb::Quit),
    ("history", Verb::History),
    ("rolls", Verb::History),
    ("show the rolls", Verb::History),
];

/// Nicknames of rolls, and their totals. Hard numbers are not here: they go by the name of their bet.
pub(super) const THROWS: &[(&str, u8)] = &[
    ("aces", 2),
    ("snake eyes", 2),
    ("ace deuce", 3),
    ("acey deucey", 3),
    ("little joe", 4),
    ("fever", 5),
    ("fever five", 5),
    ("big red", 7),
    ("natural", 7),
    ("seven out", 7),
    ("eighter from decatur", 8),
    ("nina", 9),
    ("center field", 9),
    ("yo", 11),
    ("yo leven", 11),
    ("yo eleven", 11),
    ("boxcars", 12),
    ("midnight", 12),
];

/// Phrases that all mean the same.
pub(super) type Phrases = &'static [&'static str];

pub(super) const COURTESY: Phrases = &[
    "please",
    "give me",
    "gimme",
    "I want",
    "I'd like",
    "I'll take",
    "I'll have",
    "can I get",
    "can I have",
    "let me have",
    "let me get",
    "let's do",
    "let's go",
    "dealer",
    "sir",
    "thanks",
    "thank you",
    "also",
    ", please",
    ", thanks",
    ", thank you",
    ", sir",
];
pub(super) const ARTICLE: Phrases = &["the", "my", "a", "an", "all my", "all the", "all of my"];
pub(super) const JOINT: Phrases = &["on", "in", "on to", "onto", "worth of", "of", "to"];
pub(super) const BET: Phrases = &["put me on", "bet", "put", "play", "make", "drop", "throw", "wager", "set"];
pub(super) const FOR: Phrases = &["for", "at"];
pub(super) const AND: Phrases = &["and", ",", ", and", "plus"];
pub(super) const THEN: Phrases =
    &[";", ".", ",", "and", "then", "and then", ", and", ", then", "; and", "plus", "; then"];
pub(super) const EACH: Phrases = &["each", "apiece", "a piece", "every"];
pub(super) const TOGETHER: Phrases = &["together", "total", "in all", "in total", "altogether"];
pub(super) const TWO_WAY: Phrases = &["two way", "two ways"];
pub(super) const DEALERS: Phrases = &[
    "for the dealers",
    "for the dealer",
    "for the boys",
    "for the crew",
    "for the ladies",
    "for you",
    "for you guys",
    "for the stick",
];
pub(super) const LEAST: Phrases = &["minimum", "the minimum", "table minimum", "the table minimum", "the least", "min"];
pub(super) const MOST: Phrases =
    &["maximum", "the maximum", "table maximum", "the table maximum", "the most", "max", "the limit"];
pub(super) const FULL: Phrases = &["max", "maximum", "full", "the max", "the maximum", "the most", "all the"];
pub(super) const TIMES: &[(&str, u32)] = &[("single", 1), ("double", 2), ("triple", 3)];
pub(super) const ODDS: Phrases = &["odds"];
pub(super) const BEHIND: Phrases = &["behind"];
pub(super) const TAKE_ODDS: Phrases = &["take", "lay", "add", "bet", "play"];
pub(super) const PRESS: Phrases = &["press", "double", "press up", "full press", "double up", "raise", "up"];
pub(super) const HALF_PRESS: Phrases = &["half press", "press half", "half a press on"];
pub(super) const ADD: Phrases = &["add"];
pub(super) const REGRESS: Phrases = &["regress", "half down", "cut"];
pub(super) const IN_HALF: Phrases = &["in half", "by half", "to half"];
pub(super) const MOVE: Phrases = &["move"];
pub(super) const SAME: Phrases = &[
    "same bet",
    "same bets",
    "same",
    "no change",
    "leave it",
    "keep it",
    "as it is",
    "let it ride",
    "same bet on",
    "same on",
    "no change on",
];
pub(super) const DOWN: Phrases = &[
    "take down",
    "down",
    "bring down",
    "pull",
    "pull down",
    "remove",
    "take off",
    "pick up",
    "down on",
    "down with",
    "take me down on",
    "take me off",
];
pub(super) const TAKE: Phrases = &["take", "take down", "bring", "pull", "remove", "down"];
pub(super) const OFF_FROM: Phrases = &["off", "from", "of", "off of", "on", "out of"];
pub(super) const DOWN_AFTER: Phrases = &["down", "off", "back"];
pub(super) const TAKE_ALL_DOWN: Phrases = &["take me down", "take it all down", "down on everything"];
pub(super) const CALL: Phrases = &["call", "turn", "make", "have", "keep", "switch"];
pub(super) const ON: Phrases = &[
    "working on the come out",
    "on for the come out",
    "on",
    "working",
    "work",
    "works",
    "are on",
    "is on",
    "are working",
    "is working",
    "always on",
    "on all the time",
];
pub(super) const OFF: Phrases = &[
    "off on the come out",
    "off for the come out",
    "off",
    "not working",
    "don't work",
    "are off",
    "is off",
    "are not working",
    "is not working",
    "not on",
];
pub(super) const STANDARD: Phrases =
    &["as usual", "normal", "standard", "by the book", "back to normal", "no call", "as the book has it"];
pub(super) const TURN_ON: Phrases = &["turn on", "working on", "on with", "call on"];
pub(super) const TURN_OFF: Phrases = &["turn off", "off on", "off with", "call off"];
pub(super) const NO_CALL: Phrases = &["no call on", "withdraw the call on", "normal on"];
pub(super) const ALL_ON: Phrases = &["working", "working on the come out", "I'm working", "I am working", "turn me on"];
pub(super) const ALL_OFF: Phrases = &["off", "off on the come out", "I'm off", "I am off", "turn me off"];
pub(super) const LEAVE: Phrases = &["leave", "keep"];
pub(super) const UP: Phrases = &["up", "stays up", "stay up", "stays"];
pub(super) const WHEN_IT_WINS: Phrases = &[
    "when it wins",
    "when they win",
    "if it wins",
    "if they win",
    "when it hits",
    "when they hit",
    "if it hits",
    "once it hits",
    "after a win",
    "after it wins",
    "after a hit",
];
pub(super) const WHEN: Phrases = &["when", "if", "once"];
pub(super) const WINS: Phrases = &["wins", "hits", "win", "hit", "comes"];
pub(super) const ONE_TIME: Phrases = &["one time", "one time only", "one hit only", "one hit"];
pub(super) const IT_DOWN: Phrases = &["take it down", "down", "bring it down", "take them down", "it comes down"];
pub(super) const IT_UP: Phrases = &["leave it up", "keep it up", "leave them up", "it stays up", "up"];
pub(super) const IT: Phrases = &["it", "that", "them", "those", "that bet", "last one"];
pub(super) const UNIT: Phrases = &["unit", "units"];
pub(super) const BY: Phrases = &["by", "up"];
pub(super) const TO: Phrases = &["to", "up to", "down to"];
pub(super) const HOP: Phrases = &["hop", "hopping", "hop the", "on the hop", "hop bet on"];
pub(super) const TO_LOSE: Phrases = &["to lose"];
pub(super) const TO_WIN: Phrases = &["to win"];
pub(super) const THE_HARD_WAY: Phrases = &["the hard way", "hard way"];
pub(super) const EASY: Phrases = &["easy"];
pub(super) const WITH: Phrases = &["with", "and"];
pub(super) const CASH: Phrases = &["cash", "in cash"];
pub(super) const COUPON: Phrases = &["coupon", "match play", "match play coupon", "in coupons"];
pub(super) const BUY_IN: Phrases = &["buy in", "buy in for", "buy in with", "buy chips for", "change"];
pub(super) const WHAT_IF: Phrases = &[
    "what if",
    "what if I roll",
    "what if it is",
    "what if it's",
    "what if we roll",
    "what happens on",
    "what happens if",
    "what happens with",
    "what would",
    "what about",
    "suppose",
    "?",
];
pub(super) const DOES: Phrases = &["comes", "hits", "rolls", "is rolled", "do", "bring", "next"];
pub(super) const WHY: Phrases = &["why", "why not", "why that", "why was that", "? why", "why roll"];
pub(super) const ODDS_ON: Phrases = &[
    "odds on",
    "odds of",
    "odds for",
    "what are the odds on",
    "what are the odds of",
    "edge on",
    "edge of",
    "house edge on",
    "house edge of",
    "what is the edge on",
    "what is the house edge on",
    "what's the house edge on",
    "what's the edge on",
    "price of",
    "tell me about",
    "?",
];
pub(super) const WHAT_DOES: Phrases = &["what does", "what do", "how much does", "how much do"];
pub(super) const PAYS: Phrases = &["pay", "cost", "pays"];
pub(super) const CRAPS: Phrases = &["craps", "any craps"];
const MORE: Phrases = &["hundred", "thousand", "times"];

/// All lists of phrases above. Their words make up the vocabulary.
const LISTS: &[Phrases] = &[
    COURTESY,
    ARTICLE,
    JOINT,
    BET,
    FOR,
    AND,
    THEN,
    EACH,
    TOGETHER,
    TWO_WAY,
    DEALERS,
    LEAST,
    MOST,
    FULL,
    ODDS,
    BEHIND,
    TAKE_ODDS,
    PRESS,
    HALF_PRESS,
    ADD,
    REGRESS,
    IN_HALF,
    MOVE,
    SAME,
    DOWN,
    TAKE,
    OFF_FROM,
    DOWN_AFTER,
    TAKE_ALL_DOWN,
    CALL,
    ON,
    OFF,
    STANDARD,
    TURN_ON,
    TURN_OFF,
    NO_CALL,
    ALL_ON,
    ALL_OFF,
    LEAVE,
    UP,
    WHEN_IT_WINS,
    WHEN,
    WINS,
    ONE_TIME,
    IT_DOWN,
    IT_UP,
    IT,
    UNIT,
    BY,
    TO,
    HOP,
    TO_LOSE,
    TO_WIN,
    THE_HARD_WAY,
    EASY,
    WITH,
    CASH,
    COUPON,
    BUY_IN,
    WHAT_IF,
    DOES,
    WHY,
    ODDS_ON,
    WHAT_DOES,
    PAYS,
    CRAPS,
    MORE,
];

/// Returns every phrase above. Their words make up the vocabulary.
pub(super) fn phrases() -> impl Iterator<Item = &'static str> {
    fn first<T>(entry: &'static (&'static str, T)) -> &'static str {
        entry.0
    }
    LISTS
        .iter()
        .flat_map(|list| list.iter().copied())
        .chain(SPREADS.iter().map(first))
        .chain(KINDS.iter().map(first))
        .chain(CHIPS.iter().map(first))
        .chain(QUESTIONS.iter().map(first))
        .chain(VERBS.iter().map(first))
        .chain(TIMES.iter().map(first))
        .chain(THROWS.iter().map(first))
}
