//! Fills in the texts on a layout from the rules of its table.

use craps_dice::{Point, Throw, Total};
use craps_law::{Answer, Multiple, Prize, Prizes, RuleBook, TableRules, WagerRules};
use craps_money::Stake;
use craps_table::{Board, Slot, SlotId};
use craps_wagers::{Family, Group, Mechanic, Rank, Ranks};

/// Looks up the rules of a table by the codes of bets.
pub(crate) struct Words<'a> {
    /// The book, for the words that it wants on the layout.
    pub book: &'a RuleBook,
    pub rules: &'a TableRules,
    pub slots: &'a Board,
    /// Name of the table.
    pub table: Option<&'a str>,
}

impl<'a> Words<'a> {
    /// The placeholders, written in braces, and whether each needs the code of a bet, as `{pays:PL6}` does.
    pub(crate) const HOLES: &'static [(&'static str, bool)] = &[
        ("number", false),
        ("name", false),
        ("table", false),
        ("limits", false),
        ("limit", false),
        ("modifier", false),
        ("word", true),
        ("pays", true),
        ("rest", true),
        ("levels", true),
        ("ending", true),
        ("units", true),
        ("range", true),
        ("window", true),
        ("notice", true),
        ("odds", true),
    ];

    /// The conditions other than the code of a bet.
    pub(crate) const CONDITIONS: &'static [&'static str] = &["modifier", "stickperson", "table", "no-call-bets"];

    /// Returns the slot and the rules of a bet, if the table offers it.
    pub(crate) fn bet(&self, code: &str) -> Option<(&'a Slot, &'a WagerRules)> {
        let id = self.slots.named(code)?;
        Some((self.slots.slot(id), self.slots.rules(self.rules, id)))
    }

    /// Returns the codes on offer that match: one code, or all that begin with the text before `*`.
    pub(crate) fn codes(&self, code: &str) -> Vec<&'a str> {
        let all = self.slots.slots().map(|(_, slot)| slot.code.as_str());
        match code.strip_suffix('*') {
            Some(stem) => all.filter(|code| code.starts_with(stem)).collect(),
            None => all.filter(|known| *known == code).collect(),
        }
    }

    /// Returns true if a condition holds. Conditions about shelves, panels and the wall are checked elsewhere.
    pub(crate) fn holds(&self, condition: &str) -> bool {
        match condition {
            "modifier" => !self.rules.modifiers.is_empty(),
            "stickperson" => self.rules.stickperson,
            "table" => self.table.is_some(),
            "no-call-bets" => self.says_no_call_bets(),
            code => !self.codes(code).is_empty(),
        }
    }

    /// Must the layout say that call bets aren't accepted?
    fn says_no_call_bets(&self) -> bool {
        let said = self.rules.rules.get("layout.says_no_call_bets").map(|fact| &fact.is.answer);
        said == Some(&craps_law::Answer::YesNo(true))
    }

    /// Returns the placeholders in a text, each with its argument.
    pub(crate) fn holes(text: &str) -> Vec<(&str, &str)> {
        let inner = text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0));
        inner.map(|hole| hole.split_once(':').unwrap_or((hole, ""))).collect()
    }

    /// Returns the text with all placeholders filled in. None if it names a bet that is not offered.
    pub(crate) fn fill(&self, text: &str, number: &str) -> Option<String> {
        let mut filled = String::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (hole, after) = after.split_once('}')?;
            let (kind, argument) = hole.split_once(':').unwrap_or((hole, ""));
            filled.push_str(before);
            filled.push_str(&self.hole(kind, argument, number)?);
            rest = after;
        }
        filled.push_str(rest);
        Some(filled)
    }

    fn hole(&self, kind: &str, argument: &str, number: &str) -> Option<String> {
        let (code, rest) = argument.split_once('/').unwrap_or((argument, ""));
        match kind {
            "number" => return Some(number.to_owned()),
            "name" => return Some(name(self.rules).to_uppercase()),
            "table" => return self.table.map(str::to_uppercase),
            "limits" => return self.limits(),
            "limit" => return self.posted(Group::ALL.into_iter().find(|group| group.name() == argument)?),
            "modifier" => return self.rules.modifiers.first().map(|modifier| modifier.name.to_uppercase()),
            "pays" if code.ends_with('*') => return self.prices(code),
            _ => {}
        }
        let (slot, rules) = self.bet(code)?;
        match kind {
            "word" => Some(self.word(rules, rest)),
            "pays" => self.pays(rules, slot, rest),
            "rest" => Some(remaining(&rules.prizes.is, rules.wager.wager().ranks, rest)),
            "levels" => Some(levels(&rules.prizes.is, rules.wager.wager().ranks)),
            "ending" => ending(&rules.prizes.is),
            "units" => units(&rules.prizes.is).map(|units| format!("× {units}")),
            "range" => range_of(rules),
            "window" => Some(window(rules)),
            "notice" => Some(self.notice(code, rules)),
            "odds" => rules.odds.as_ref().map(|odds| multiple(&odds.multiple)),
            _ => None,
        }
    }

    /// Returns the words that the book wants in the area of a bet, in capitals. None if the book doesn't say.
    pub(crate) fn felt(&self, rules: &WagerRules) -> Option<String> {
        let law = self.book.wagers.get(&rules.wager)?;
        law.felt.on(Some(self.rules.as_of)).map(|fact| capitals(&fact.is))
    }

    /// Returns the words in the area of a bet: those of the book, else those of the template, else the name of the bet.
    fn word(&self, rules: &WagerRules, otherwise: &str) -> String {
        self.felt(rules).unwrap_or_else(|| match otherwise {
            "" => capitals(rules.name.strip_suffix(" Bet").unwrap_or(&rules.name)),
            words => words.to_owned(),
        })
    }

    /// Returns the book's answer to a question that it can answer for each product, such as `payouts_shown_on`.
    fn answer(&self, code: &str, question: &str) -> Option<&'a Answer> {
        let (_, rules) = self.bet(code)?;
        let product = rules.offer.is.product()?;
        self.rules.rules.get(&format!("{product}.{question}")).map(|fact| &fact.is.answer)
    }

    /// Returns true if the book wants the payouts of a bet on the inside wall of the table.
    pub(crate) fn on_wall(&self, code: &str) -> bool {
        matches!(self.answer(code, "payouts_shown_on"), Some(Answer::Word(word)) if word == "inside_wall")
    }

    /// Returns the notice about a bet. The book says what it tells; if it doesn't, the payouts.
    fn notice(&self, code: &str, rules: &WagerRules) -> String {
        let payouts = ["payouts".to_owned()];
        let tells: &[String] = match self.answer(code, "notice_says") {
            Some(Answer::Words(words)) => words,
            _ => &payouts,
        };
        let one = |tells: &String| match tells.as_str() {
            "payouts" => Some(levels(&rules.prizes.is, rules.wager.wager().ranks)),
            "window" => Some(window(rules)),
            "limits" => range_of(rules).map(|range| format!("LIMITS {range}")),
            _ => None,
        };
        tells.iter().filter_map(one).collect::<Vec<_>>().join(" · ")
    }

    fn pays(&self, rules: &WagerRules, slot: &Slot, rank: &str) -> Option<String> {
        let ranks = rules.wager.wager().ranks;
        let rank = match (rank, slot.number) {
            ("", Some(number)) if ranks == Ranks::Numbers => ranks.find(&number.to_string())?,
            ("", _) => Rank::WIN,
            (rank, _) => ranks.find(rank)?,
        };
        rules.prizes.is.of(rank).map(|prize| loud(&prize))
    }

    /// Returns the different payouts of several bets: `15 · 30 TO 1`. If there are more than two, the lowest and the highest: `15–30 TO 1`.
    fn prices(&self, code: &str) -> Option<String> {
        let mut prizes: Vec<Prize> = Vec::new();
        for code in self.codes(code) {
            let (_, rules) = self.bet(code)?;
            prizes.extend(rules.prizes.is.of(Rank::WIN).filter(|prize| !prizes.contains(prize)));
        }
        prizes.sort_by_key(|prize| prize.net());
        match (&prizes[..], shared(prizes.iter())) {
            ([], _) => None,
            ([lowest, _, .., highest], Some(ending)) => {
                let win = |prize: &Prize| loud(prize).trim_end_matches(&ending).trim_end().to_owned();
                Some(format!("{}–{} {ending}", win(lowest), win(highest)))
            }
            _ => Some(together(prizes.into_iter().map(|prize| (String::new(), prize)).collect())),
        }
    }

    /// Returns the posted limits for a kind of bet. If its bets differ, the limits that most of them have.
    fn posted(&self, group: Group) -> Option<String> {
        let own = |wager: &&WagerRules| wager.wager.wager().family.group() == Some(group);
        let all: Vec<(Stake, Option<Stake>)> = self
            .rules
            .wagers
            .iter()
            .filter(own)
            .filter_map(|wager| wager.limits)
            .map(|limits| (limits.min, limits.max))
            .collect();
        let most = all.iter().rev().max_by_key(|range| all.iter().filter(|other| other == range).count());
        most.map(|(min, max)| range(*min, *max))
    }

    /// Returns the posted limits of each kind of bet, or only once if all are the same.
    fn limits(&self) -> Option<String> {
        let posted: Vec<(Group, String)> =
            Group::ALL.into_iter().filter_map(|group| Some((group, self.posted(group)?))).collect();
        let (_, first) = posted.first()?;
        if posted.iter().all(|(_, other)| other == first) {
            return Some(format!("LIMITS {first}"));
        }
        let label = |group: Group| match group {
            Group::Line => "LINE",
            Group::Number => "NUMBERS",
            Group::Hardway => "HARDWAYS",
            Group::Prop => "PROPOSITIONS",
            Group::Side => "SIDE BETS",
        };
        Some(posted.iter().map(|(group, range)| format!("{} {range}", label(*group))).collect::<Vec<_>>().join(" · "))
    }

    /// Returns the rules of the wager that tracks the markers of this bet.
    pub(crate) fn tracker(&self, code: &str) -> Option<&'a WagerRules> {
        self.rules.wager(self.bet(code)?.0.tracker?)
    }
}

/// Returns the house name that is printed on a layout.
pub(crate) fn name(rules: &TableRules) -> &str {
    rules.name.as_deref().unwrap_or("Boxperson")
}

/// Returns words as printed on the felt: in capitals.
fn capitals(words: &str) -> String {
    words.to_uppercase().replace('\'', "’")
}

fn window(rules: &WagerRules) -> String {
    capitals(&rules.make.is.window.meaning())
}

fn range_of(rules: &WagerRules) -> Option<String> {
    rules.limits.map(|limits| range(limits.min, limits.max))
}

/// Returns a payout as printed on the felt, such as `7 TO 6`.
pub(crate) fn loud(prize: &Prize) -> String {
    grouped(&prize.to_string().to_uppercase())
}

/// Adds thousands separators.
fn grouped(text: &str) -> String {
    let group = |word: &str| {
        let digits = word.len();
        if digits < 4 || !word.bytes().all(|byte| byte.is_ascii_digit()) {
            return word.to_owned();
        }
        let mut out = String::new();
        for (at, digit) in word.chars().enumerate() {
            if at > 0 && (digits - at).is_multiple_of(3) {
                out.push(',');
            }
            out.push(digit);
        }
        out
    };
    text.split(' ').map(group).collect::<Vec<_>>().join(" ")
}

fn range(min: Stake, max: Option<Stake>) -> String {
    let shown = |amount: Stake| grouped(&amount.to_string());
    match max {
        Some(max) => format!("{}–{}", shown(min), shown(max)),
        None => format!("FROM {}", shown(min)),
    }
}

/// Returns the number of units that a combined bet, such as the horn, is made of.
fn units(prizes: &Prizes) -> Option<u8> {
    prizes.iter().find_map(|(_, prize)| match prize {
        Prize::Part { of, .. } => Some(of),
        _ => None,
    })
}

/// Returns the ending that all of these payouts have in common, such as `TO 1`.
fn shared<'a>(mut prices: impl Iterator<Item = &'a Prize> + Clone) -> Option<String> {
    let ending = |prize: &Prize| loud(prize).split_once(' ').map(|(_, ending)| ending.to_owned());
    let first = prices.clone().find_map(ending)?;
    prices.all(|prize| ending(prize).is_none_or(|other| other == first)).then_some(first)
}

/// Returns the ending that all payouts of a wager have in common.
pub(crate) fn ending(prizes: &Prizes) -> Option<String> {
    let all: Vec<Prize> = prizes.iter().map(|(_, prize)| prize).collect();
    shared(all.iter())
}

/// Joins payouts with their labels. A common ending is written once: `4: 24 · 5: 249 TO 1`.
fn together(prices: Vec<(String, Prize)>) -> String {
    let shared = shared(prices.iter().map(|(_, prize)| prize));
    let one = |(label, prize): &(String, Prize)| {
        let price = loud(prize);
        let price = match (&shared, price.split_once(' ')) {
            (Some(_), Some((win, _))) => win.to_owned(),
            _ => price,
        };
        if label.is_empty() { price } else { format!("{label}: {price}") }
    };
    let all = prices.iter().map(one).collect::<Vec<_>>().join(" · ");
    shared.map_or_else(|| all.clone(), |ending| format!("{all} {ending}"))
}

/// Returns what a count pays, without the common ending. None if the count loses.
pub(crate) fn level(prizes: &Prizes, count: u8) -> Option<String> {
    let rank = Rank::of_part(count);
    let price = prizes.of(rank).map(|prize| loud(&prize))?;
    match (ending(prizes), price.split_once(' ')) {
        (Some(_), Some((win, _))) => Some(win.to_owned()),
        _ => Some(price),
    }
}

/// Returns what every level pays.
fn levels(prizes: &Prizes, ranks: Ranks) -> String {
    let label = |rank: Rank| ranks.name(rank).to_uppercase().replace('+', " + ");
    together(prizes.iter().map(|(rank, prize)| (label(rank), prize)).collect())
}

/// Returns what the other ranks pay: `3 · 4 · 9 PAY 1 TO 1`.
fn remaining(prizes: &Prizes, ranks: Ranks, but: &str) -> String {
    let named: Vec<&str> = but.split(',').collect();
    let mut groups: Vec<(Prize, Vec<String>)> = Vec::new();
    for (rank, prize) in prizes.iter() {
        let name = ranks.name(rank).to_uppercase();
        if named.contains(&name.as_str()) {
            continue;
        }
        match groups.iter_mut().find(|(known, _)| *known == prize) {
            Some((_, names)) => names.push(name),
            None => groups.push((prize, vec![name])),
        }
    }
    let one = |(prize, names): &(Prize, Vec<String>)| {
        let verb = if names.len() == 1 { "PAYS" } else { "PAY" };
        format!("{} {verb} {}", names.join(" · "), loud(prize))
    };
    groups.iter().map(one).collect::<Vec<_>>().join(" · ")
}

/// Returns a short text for an odds multiple: `10×`, `3-4-5×`, or number by number.
fn multiple(multiple: &Multiple) -> String {
    let all: Vec<(Point, u32)> = multiple.iter().collect();
    let on = |point: Point| multiple.on(point);
    if let Some((_, first)) = all.first()
        && all.iter().all(|(_, times)| times == first)
    {
        return format!("{first}×");
    }
    let mut text = match Point::BOX.map(on) {
        [Some(four), Some(five), Some(six), eight, nine, ten]
            if (eight, nine, ten) == (Some(six), Some(five), Some(four)) =>
        {
            if four == five && five == six {
                format!("{four}×")
            } else {
                format!("{four}-{five}-{six}×")
            }
        }
        _ => by_number(&all.iter().copied().filter(|(point, _)| point.is_box()).collect::<Vec<_>>()),
    };
    let outer: Vec<(Point, u32)> = all.into_iter().filter(|(point, _)| !point.is_box()).collect();
    if !outer.is_empty() {
        text.push_str(" · ");
        text.push_str(&by_number(&outer));
    }
    text
}

fn by_number(all: &[(Point, u32)]) -> String {
    let mut groups: Vec<(u32, Vec<String>)> = Vec::new();
    for (point, times) in all {
        match groups.iter_mut().find(|(known, _)| known == times) {
            Some((_, points)) => points.push(point.to_string()),
            None => groups.push((*times, vec![point.to_string()])),
        }
    }
    let one = |(times, points): &(u32, Vec<String>)| format!("{}: {times}×", points.join(", "));
    groups.iter().map(one).collect::<Vec<_>>().join(" · ")
}

/// Returns a roll with this total.
pub(crate) fn made(total: Total) -> Option<Throw> {
    Throw::ALL.into_iter().find(|throw| throw.total() == total)
}

/// Returns the prizes of a bet. Odds on a number have only the prize of that number.
pub(crate) fn own_prizes(slot: &Slot, rules: &WagerRules) -> Vec<Prize> {
    let wager = rules.wager.wager();
    let on = slot.number.filter(|_| wager.family == Family::Odds).map(|number| wager.ranks.find(&number.to_string()));
    match on {
        Some(rank) => rank.and_then(|rank| rules.prizes.is.of(rank)).into_iter().collect(),
        None => rules.prizes.is.iter().map(|(_, prize)| prize).collect(),
    }
}

/// Returns what a bet of a table pays, such as "2 to 1 on 2 and 12, else 1 to 1".
///
/// ```
/// # use craps_law::{HouseRules, Library};
/// # let library = Library::shipped();
/// # let book = library.named("nj")?;
/// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
/// use craps_layout::pays;
/// let board = craps_table::Board::new(&rules)?;
/// assert_eq!(pays(&rules, &board, board.named("PL6").unwrap()), "7 to 6");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn pays(rules: &TableRules, slots: &Board, slot: SlotId) -> String {
    let (slot, table, rules) = (slots.slot(slot), rules, slots.rules(rules, slot));
    let (prizes, wager) = (&rules.prizes.is, rules.wager.wager());
    if let Mechanic::Composite(parts) = wager.mechanic {
        let of: u8 = parts.iter().map(|part| part.units).sum();
        let part = |(rank, prize): (Rank, Prize)| {
            let Prize::Part { units, odds, .. } = prize else { return prize.to_string() };
            let name = parts
                .get(usize::from(rank.index()))
                .map(|part| table.wager(part.wager).map_or(part.wager.wager().slug, |rules| rules.name.as_str()));
            format!("{odds} on {units}/{of} for {}", name.unwrap_or_default())
        };
        return prizes.iter().map(part).collect::<Vec<_>>().join(", ");
    }
    if wager.family == Family::Odds && slot.number.is_some() {
        return own_prizes(slot, rules).first().map(ToString::to_string).unwrap_or_default();
    }
    let mut groups: Vec<(Prize, Vec<String>)> = Vec::new();
    for (rank, prize) in prizes.iter() {
        let name = wager.ranks.name(rank);
        match groups.iter_mut().find(|(known, _)| *known == prize && !matches!(wager.ranks, Ranks::Counts(_))) {
            Some((_, names)) => names.push(name),
            None => groups.push((prize, vec![name])),
        }
    }
    match (&groups[..], wager.ranks) {
        ([(prize, _)], Ranks::Each(_)) => prize.to_string(),
        (groups, Ranks::Each(_)) => {
            let usual = groups.iter().map(|(_, names)| names.len()).max();
            let usual = groups.iter().position(|(_, names)| Some(names.len()) == usual);
            let others = groups.iter().enumerate().filter(|(at, _)| Some(*at) != usual);
            let mut all: Vec<String> =
                others.map(|(_, (prize, names))| format!("{prize} on {}", names.join(" and "))).collect();
            all.extend(usual.map(|at| format!("else {}", groups[at].0)));
            all.join(", ")
        }
        (groups, Ranks::Counts(_)) => groups
            .iter()
            .map(|(prize, names)| format!("{prize} from {}", names.concat()))
            .collect::<Vec<_>>()
            .join(", "),
        (groups, _) => {
            let one = |(prize, names): &(Prize, Vec<String>)| format!("{prize} on {}", names.join(" and "));
            groups.iter().map(one).collect::<Vec<_>>().join(", ")
        }
    }
}
