//! The names people use, and the words that orders are made of: all of it in tables.
//!
//! Phrases are written as they are said; figures and number words are the same to the reader. Where two phrases fit, the longer one is meant.

use super::order::{Combo, Kind, Question, Spread, Verb, Which};
use super::words::{Word, number_words, spelled, words};
use crate::game::BetName;
use craps_wagers::{CATALOGUE, Wager};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// What players and dealers call a bet, and its name in games. The first phrase for a bet is the one that is printed.
pub(super) const BETS: &[(&str, &str)] = &[
    ("pass line", "pass"),
    ("pass", "pass"),
    ("line", "pass"),
    ("front line", "pass"),
    ("do side", "pass"),
    ("don't pass", "dont-pass"),
    ("do not pass", "dont-pass"),
    ("don't pass line", "dont-pass"),
    ("don't", "dont-pass"),
    ("dark side", "dont-pass"),
    ("back line", "dont-pass"),
    ("come", "come"),
    ("come bar", "come"),
    ("come bet", "come"),
    ("don't come", "dont-come"),
    ("do not come", "dont-come"),
    ("don't come bar", "dont-come"),
    ("pass odds", "pass-odds"),
    ("pass line odds", "pass-odds"),
    ("line odds", "pass-odds"),
    ("don't pass odds", "dont-pass-odds"),
    ("don't odds", "dont-pass-odds"),
    ("field", "field"),
    ("field bet", "field"),
    ("any seven", "any-seven"),
    ("seven", "any-seven"),
    ("big red", "any-seven"),
    ("any craps", "any-craps"),
    ("craps", "any-craps"),
    ("any crap", "any-craps"),
    ("craps check", "any-craps"),
    ("craps two", "craps-2"),
    ("aces", "craps-2"),
    ("snake eyes", "craps-2"),
    ("hop aces", "craps-2"),
    ("craps three", "craps-3"),
    ("ace deuce", "craps-3"),
    ("acey deucey", "craps-3"),
    ("hop ace deuce", "craps-3"),
    ("craps twelve", "craps-12"),
    ("boxcars", "craps-12"),
    ("box cars", "craps-12"),
    ("midnight", "craps-12"),
    ("hop twelve", "craps-12"),
    ("yo", "eleven"),
    ("yo eleven", "eleven"),
    ("yo leven", "eleven"),
    ("yoleven", "eleven"),
    ("hop eleven", "eleven"),
    ("C and E", "c-and-e"),
    ("C E", "c-and-e"),
    ("crap eleven", "c-and-e"),
    ("craps and eleven", "c-and-e"),
    ("craps eleven", "c-and-e"),
    ("craps and yo", "c-and-e"),
    ("horn", "horn"),
    ("horn bet", "horn"),
    ("horn high aces", "horn-high-2"),
    ("horn high two", "horn-high-2"),
    ("horn high deuce", "horn-high-2"),
    ("horn high ace deuce", "horn-high-3"),
    ("horn high three", "horn-high-3"),
    ("horn high trey", "horn-high-3"),
    ("horn high yo", "horn-high-11"),
    ("horn high eleven", "horn-high-11"),
    ("horn high twelve", "horn-high-12"),
    ("horn high boxcars", "horn-high-12"),
    ("horn high midnight", "horn-high-12"),
    ("world", "whirl"),
    ("whirl", "whirl"),
    ("world bet", "whirl"),
    ("whirl bet", "whirl"),
    ("six seven eight", "six-seven-eight"),
    ("over seven", "over-7"),
    ("over", "over-7"),
    ("under seven", "under-7"),
    ("under", "under-7"),
    ("brooklyn forest", "hard-6"),
    ("square pair", "hard-8"),
    ("puppy paws", "hard-10"),
    ("ballerina", "hard-4"),
    ("fire bet", "fire"),
    ("fire", "fire"),
    ("sharp shooter", "sharp-shooter"),
    ("sharpshooter", "sharp-shooter"),
    ("sharp", "sharp-shooter"),
    ("ride the line", "ride-the-line"),
    ("ride", "ride-the-line"),
    ("all small", "bonus-all-small"),
    ("small", "bonus-all-small"),
    ("all tall", "bonus-all-tall"),
    ("tall", "bonus-all-tall"),
    ("make 'em all", "bonus-make-em-all"),
    ("make them all", "bonus-make-em-all"),
    ("all or nothing", "bonus-make-em-all"),
    ("all", "bonus-make-em-all"),
    ("little ones", "dice-ology-little-ones"),
    ("big ones", "dice-ology-big-ones"),
    ("boom or bust", "dice-ology-boom-or-bust"),
    ("hot roller", "hot-roller"),
    ("hot roll", "hot-roller"),
    ("lucky shooter", "lucky-shooter"),
    ("lucky", "lucky-shooter"),
    ("hot shooter jackpot", "hot-shooter-jackpot"),
    ("hot shooter", "hot-shooter-jackpot"),
    ("jackpot", "hot-shooter-jackpot"),
];

/// Words before a number that make it a bet: `place six`, `no four`.
pub(super) const STEMS: &[(&str, &str)] = &[
    ("place", "place-win"),
    ("place bet on", "place-win"),
    ("place win", "place-win"),
    ("place to win", "place-win"),
    ("place to win on", "place-win"),
    ("place to lose", "place-lose"),
    ("place to lose on", "place-lose"),
    ("place lose", "place-lose"),
    ("place against", "place-lose"),
    ("don't place", "place-lose"),
    ("buy", "buy"),
    ("buy bet on", "buy"),
    ("lay", "lay"),
    ("lay bet on", "lay"),
    ("lay against", "lay"),
    ("no", "lay"),
    ("against", "lay"),
    ("hard", "hard"),
    ("hardway", "hard"),
    ("hard way", "hard"),
    ("big", "big"),
    ("put", "put"),
    ("put bet on", "put"),
    ("come on", "come"),
    ("come bet on", "come"),
    ("come going to", "come"),
    ("don't come on", "dont-come"),
    ("don't come bet on", "dont-come"),
    ("don't come behind", "dont-come"),
    ("come odds on", "come-odds"),
    ("come odds", "come-odds"),
    ("don't come odds on", "dont-come-odds"),
    ("don't come odds", "dont-come-odds"),
    ("put odds on", "put-odds"),
    ("put odds", "put-odds"),
];

/// The same, where a bet that stands is spoken of: a new come bet has no number yet, and `come ten` is ten on it.
pub(super) const STEMS_STANDING: &[(&str, &str)] = &[("come", "come"), ("don't come", "dont-come")];

/// Several bets by one name, an equal part on each.
pub(super) const COMBOS: &[(&str, &[&str])] = &[
    ("hi-lo", &["craps-2", "craps-12"]),
    ("high low", &["craps-2", "craps-12"]),
    ("hilo", &["craps-2", "craps-12"]),
    ("hi-lo-yo", &["craps-2", "craps-12", "eleven"]),
    ("high low yo", &["craps-2", "craps-12", "eleven"]),
    ("three-way craps", &["craps-2", "craps-3", "craps-12"]),
    ("three-way", &["craps-2", "craps-3", "craps-12"]),
    ("hardways", &["hard-4", "hard-6", "hard-8", "hard-10"]),
    ("hard ways", &["hard-4", "hard-6", "hard-8", "hard-10"]),
    ("hards", &["hard-4", "hard-6", "hard-8", "hard-10"]),
    ("buffalo", &["hard-4", "hard-6", "hard-8", "hard-10", "any-seven"]),
    ("buffalo yo", &["hard-4", "hard-6", "hard-8", "hard-10", "eleven"]),
    ("hop the fours", &["hop-1-3", "hop-2-2"]),
    ("hop fours", &["hop-1-3", "hop-2-2"]),
    ("hop the fives", &["hop-1-4", "hop-2-3"]),
    ("hop fives", &["hop-1-4", "hop-2-3"]),
    ("hop the sixes", &["hop-1-5", "hop-2-4", "hop-3-3"]),
    ("hop sixes", &["hop-1-5", "hop-2-4", "hop-3-3"]),
    ("hop the sevens", &["hop-1-6", "hop-2-5", "hop-3-4"]),
    ("hop sevens", &["hop-1-6", "hop-2-5", "hop-3-4"]),
    ("hopping sevens", &["hop-1-6", "hop-2-5", "hop-3-4"]),
    ("hop the eights", &["hop-2-6", "hop-3-5", "hop-4-4"]),
    ("hop eights", &["hop-2-6", "hop-3-5", "hop-4-4"]),
    ("hop the nines", &["hop-3-6", "hop-4-5"]),
    ("hop nines", &["hop-3-6", "hop-4-5"]),
    ("hop the tens", &["hop-4-6", "hop-5-5"]),
    ("hop tens", &["hop-4-6", "hop-5-5"]),
    ("hop the easy sixes", &["hop-1-5", "hop-2-4"]),
    ("hop the easy eights", &["hop-2-6", "hop-3-5"]),
    ("hop the hardways", &["hop-2-2", "hop-3-3", "hop-4-4", "hop-5-5"]),
    ("hop hardways", &["hop-2-2", "hop-3-3", "hop-4-4", "hop-5-5"]),
    ("hop hard ways", &["hop-2-2", "hop-3-3", "hop-4-4", "hop-5-5"]),
    ("hop the hard ways", &["hop-2-2", "hop-3-3", "hop-4-4", "hop-5-5"]),
    ("small tall all", &["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"]),
    ("small tall and all", &["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"]),
    ("all tall small", &["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"]),
    ("all small tall", &["bonus-all-small", "bonus-all-tall", "bonus-make-em-all"]),
    ("small and tall", &["bonus-all-small", "bonus-all-tall"]),
];

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

/// Bets that stand, by their kind.
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

/// Words for amounts: how many dollars one is.
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

/// Acts that are one phrase.
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

/// What dice are called, by what they total; a pair of the even ones goes by its bet.
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

/// A phrase and every other that means the same.
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

/// Every list of phrases above, for the words in them.
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

/// A phrase as words that can be compared.
pub(super) fn plain(phrase: &str) -> Vec<String> {
    words(phrase).into_iter().map(|word| word.text).collect()
}

/// Phrases with what they mean, found by the words that stand next.
#[derive(Debug)]
pub(super) struct Phrasebook<T> {
    by_words: BTreeMap<Vec<String>, T>,
    longest: usize,
}

impl<T: Clone> Phrasebook<T> {
    pub(super) fn new<'a>(entries: impl IntoIterator<Item = (&'a str, T)>) -> Phrasebook<T> {
        let mut by_words = BTreeMap::new();
        for (phrase, meaning) in entries {
            by_words.entry(plain(phrase)).or_insert(meaning);
        }
        let longest = by_words.keys().map(Vec::len).max().unwrap_or_default();
        Phrasebook { by_words, longest }
    }

    /// The longest phrase that the words begin with: how many words it takes, and what it means.
    pub(super) fn longest(&self, words: &[Word]) -> Option<(usize, T)> {
        let most = self.longest.min(words.len());
        let said: Vec<String> = words[..most].iter().map(|word| word.text.clone()).collect();
        (1..=most).rev().find_map(|length| self.by_words.get(&said[..length]).map(|found| (length, found.clone())))
    }
}

/// Every bet by its name in games.
static NAMES: LazyLock<BTreeMap<String, BetName>> = LazyLock::new(|| {
    let names = |wager: &'static Wager| {
        let id = Wager::find_id(wager.slug);
        wager.names().into_iter().filter_map(move |name| Some((name, id?)))
    };
    CATALOGUE
        .iter()
        .flat_map(names)
        .flat_map(|(name, wager)| {
            let bet = BetName { wager, number: name.number };
            [(name.slug, bet.clone()), (name.code.to_lowercase(), bet)]
        })
        .collect()
});

/// A bet by its name in games, such as `place-win-6` or `PL6`.
pub(super) fn bet_named(name: &str) -> Option<BetName> {
    NAMES.get(&name.to_lowercase()).cloned()
}

/// Bets as they are made.
pub(super) static MADE: LazyLock<Phrasebook<Which>> = LazyLock::new(|| {
    let bets = BETS.iter().filter_map(|(phrase, name)| Some((*phrase, Which::Named(bet_named(name)?))));
    let combos = COMBOS.iter().map(|(name, parts)| (*name, Which::Combo(Combo { name, parts })));
    let spreads = SPREADS.iter().map(|(phrase, spread)| (*phrase, Which::Spread { how: None, spread: *spread }));
    // A number alone is not the name of a bet: what it means depends on the table.
    let names = NAMES.iter().filter(|(name, _)| spelled(name).is_none());
    let names = names.map(|(name, bet)| (name.as_str(), Which::Named(bet.clone())));
    Phrasebook::new(bets.chain(combos).chain(spreads).chain(names))
});

/// Bets as they are spoken of once they stand.
pub(super) static STANDING: LazyLock<Phrasebook<Which>> = LazyLock::new(|| {
    let kinds = KINDS.iter().map(|(phrase, kind)| (*phrase, Which::All(*kind)));
    let mut book = Phrasebook::new(kinds);
    book.longest = book.longest.max(MADE.longest);
    for (words, which) in &MADE.by_words {
        book.by_words.entry(words.clone()).or_insert_with(|| which.clone());
    }
    book
});

/// Stems as they are made, and as they are spoken of once bets stand.
pub(super) static MADE_STEMS: LazyLock<Phrasebook<&'static str>> =
    LazyLock::new(|| Phrasebook::new(STEMS.iter().copied()));
pub(super) static STANDING_STEMS: LazyLock<Phrasebook<&'static str>> =
    LazyLock::new(|| Phrasebook::new(STEMS.iter().chain(STEMS_STANDING).copied()));

/// Every word that is known, without its apostrophe and with it, for what was nearly said.
pub(super) static VOCABULARY: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut phrases: Vec<&str> = LISTS.iter().flat_map(|list| list.iter().copied()).collect();
    phrases.extend(BETS.iter().chain(STEMS).map(|(phrase, _)| *phrase));
    phrases.extend(COMBOS.iter().map(|(phrase, _)| *phrase));
    phrases.extend(SPREADS.iter().map(|(phrase, _)| *phrase));
    phrases.extend(KINDS.iter().map(|(phrase, _)| *phrase));
    phrases.extend(CHIPS.iter().map(|(phrase, _)| *phrase));
    phrases.extend(QUESTIONS.iter().map(|(phrase, _)| *phrase));
    phrases.extend(VERBS.iter().map(|(phrase, _)| *phrase));
    phrases.extend(TIMES.iter().map(|(phrase, _)| *phrase));
    phrases.extend(THROWS.iter().map(|(phrase, _)| *phrase));
    let said = phrases.into_iter().flat_map(|phrase| phrase.split([' ', '-'])).chain(number_words());
    let letters = said.filter(|word| word.chars().all(|c| c.is_alphabetic() || c == '\''));
    letters.map(|word| (word.to_lowercase().replace('\'', ""), word.to_lowercase())).collect()
});
