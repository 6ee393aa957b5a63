//! The card of one wager: what it is, what every book says of it side by side, and what it costs exactly.

use crate::figures::{decimal, percent};
use crate::output;
use craps_law::{Day, Library, Offering, RuleBook};
use craps_odds::{Analysis, Solver, break_even, price};
use craps_wagers::Wager;
use serde::Serialize;
use std::collections::BTreeMap;

/// A card, ready to be printed.
#[derive(Serialize)]
pub(crate) struct Card {
    wager: String,
    codes: Vec<String>,
    about: String,
    examples: Vec<Example>,
    /// Books that have the wager, in the order of the columns.
    books: Vec<String>,
    /// Rows of facts: aspect, then one cell for each book.
    facts: Vec<Fact>,
    odds: Vec<Odds>,
    readings: Vec<ReadingNote>,
    #[serde(skip)]
    absent: Vec<String>,
}

#[derive(Serialize)]
struct Example {
    throws: String,
    outcome: String,
}

#[derive(Serialize)]
struct Fact {
    aspect: String,
    by_book: BTreeMap<String, Cell>,
}

#[derive(Serialize, Clone, PartialEq, Eq, Default)]
struct Cell {
    value: String,
    cite: String,
}

#[derive(Serialize)]
struct Odds {
    wager: String,
    book: String,
    pay_table: String,
    commission: String,
    pays: String,
    edge: String,
    edge_percent: String,
    p_win: String,
    throws_mean: String,
    favours_player: bool,
    #[serde(skip)]
    wins_shown: String,
    #[serde(skip)]
    throws_shown: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    break_even: Option<String>,
    days: String,
    cite: String,
}

#[derive(Serialize)]
struct ReadingNote {
    id: String,
    asks: String,
    taken: String,
    books: Vec<String>,
}

/// The aspects a card shows first, in this order; then the prices, then others as the books list them.
const ASPECTS: &[&str] = &["name", "offer", "make", "raise", "lower", "come-out", "price"];

impl Card {
    /// Puts the card together, of one day or of everything the books ever held.
    pub(crate) fn new(library: &Library, solver: &mut Solver, wager: &'static Wager, on: Option<Day>) -> Card {
        let (books, absent): (Vec<&RuleBook>, Vec<&RuleBook>) =
            library.books.iter().partition(|book| has(book, wager, on));
        let mut facts: Vec<Fact> = Vec::new();
        let mut readings: BTreeMap<(String, String), ReadingNote> = BTreeMap::new();
        for book in &books {
            for line in book.lines().into_iter().filter(|line| line.subject == wager.slug && line.days.hold(on)) {
                let days =
                    if line.days == craps_law::Days::ALWAYS { String::new() } else { format!(" ({})", line.days) };
                let cell = Cell { value: format!("{}{days}", line.value), cite: line.cites.to_string() };
                let entry = match facts.iter_mut().find(|fact| fact.aspect == line.aspect) {
                    Some(fact) => fact,
                    None => {
                        facts.push(Fact { aspect: line.aspect.clone(), by_book: BTreeMap::new() });
                        let last = facts.len() - 1;
                        &mut facts[last]
                    }
                };
                let known = entry.by_book.entry(book.id.clone()).or_default();
                if known.value.is_empty() {
                    *known = cell;
                } else {
                    known.value.push_str(&format!("; {}", cell.value));
                    known.cite.push_str(&format!(", {}", cell.cite));
                }
                for id in line.readings {
                    if let Some(reading) = book.readings.get(&id) {
                        let (asks, taken) = (reading.asks.clone(), reading.taken.clone());
                        // Books that read the point alike share a note.
                        let note = readings.entry((id.clone(), taken.clone())).or_insert(ReadingNote {
                            id,
                            asks,
                            taken,
                            books: Vec::new(),
                        });
                        if !note.books.contains(&book.id) {
                            note.books.push(book.id.clone());
                        }
                    }
                }
            }
            if let Some(law) = book.wagers.values().find(|law| law.wager.wager().slug == wager.slug) {
                let offer = law.offer.0.first().map(|fact| fact.cites.to_string()).unwrap_or_default();
                let fact = match facts.iter_mut().find(|fact| fact.aspect == "name") {
                    Some(fact) => fact,
                    None => {
                        facts.insert(0, Fact { aspect: "name".to_owned(), by_book: BTreeMap::new() });
                        &mut facts[0]
                    }
                };
                let cell = fact.by_book.entry(book.id.clone()).or_default();
                let renamed = std::mem::take(&mut cell.value);
                cell.value = match (on, renamed.is_empty()) {
                    (None, false) => format!("{}; {renamed}", law.name),
                    _ => law.name_on(on).to_owned(),
                };
                if cell.cite.is_empty() {
                    cell.cite = offer;
                }
            }
        }
        facts.sort_by_key(|fact| {
            let later = if fact.aspect.starts_with("pays") { ASPECTS.len() } else { ASPECTS.len() + 1 };
            ASPECTS.iter().position(|aspect| *aspect == fact.aspect).unwrap_or(later)
        });
        let odds = books.iter().flat_map(|book| odds_of(book, solver, wager, on)).collect();
        let example = |(throws, outcome): &(&str, &str)| Example {
            throws: (*throws).to_owned(),
            outcome: outcome_in_words(wager, outcome),
        };
        Card {
            wager: wager.slug.to_owned(),
            codes: wager.names().into_iter().map(|name| name.code).collect(),
            about: wager.about(),
            examples: wager.examples.iter().map(example).collect(),
            books: books.iter().map(|book| book.id.clone()).collect(),
            facts,
            odds,
            readings: readings.into_values().collect(),
            absent: absent.iter().map(|book| book.id.clone()).collect(),
        }
    }

    /// The books that have it, as a phrase.
    pub(crate) fn books_in_words(&self) -> String {
        if self.books.is_empty() { "in no book".to_owned() } else { self.books.join(", ") }
    }

    fn codes_in_words(&self) -> String {
        match &self.codes[..] {
            [first, .., last] if self.codes.len() > 3 => format!("{first} … {last}"),
            codes => codes.join(", "),
        }
    }

    /// For a terminal: values side by side, then what each costs, then the citations.
    pub(crate) fn text(&self) -> String {
        let width = usize::from(output::WIDTH);
        let mut text = format!("{}   [{}]\n\n", self.wager, self.codes_in_words());
        text.push_str(&output::wrap(&self.about, "  ", width));
        text.push('\n');
        for example in &self.examples {
            text.push_str(&format!("  {}  ->  {}\n", example.throws, example.outcome));
        }
        if self.books.is_empty() {
            return text + "\nNo book has it.\n";
        }
        text.push('\n');
        let mut header = vec![""];
        header.extend(self.books.iter().map(String::as_str));
        let rows = self.facts.iter().map(|fact| {
            let mut row = vec![fact.aspect.clone()];
            row.extend(
                self.books
                    .iter()
                    .map(|book| fact.by_book.get(book).map_or_else(String::new, |cell| cell.value.clone())),
            );
            row
        });
        text.push_str(&output::table(&header, &[], rows.collect()));
        if !self.absent.is_empty() {
            text.push_str(&format!("Not in {}.\n", self.absent.join(", ")));
        }
        text.push('\n');
        let rows = self.odds.iter().map(|odds| {
            let edge = if odds.favours_player {
                format!("player {}", odds.edge_percent.trim_start_matches('-'))
            } else {
                odds.edge_percent.clone()
            };
            let charge = if odds.commission == "none" { String::new() } else { odds.commission.clone() };
            vec![
                odds.wager.clone(),
                odds.book.clone(),
                output::pay_table(&odds.pay_table),
                charge,
                odds.pays.clone(),
                edge,
            ]
        });
        text.push_str(&output::table(&["", "book", "pay table", "commission", "pays", "edge"], &[5], rows.collect()));
        text.push_str("Edge per bet made, of each unit staked; commission comes on top.");
        if self.odds.iter().any(|odds| odds.favours_player) {
            text.push_str(" \"player\" marks a price that favours the player.");
        }
        text.push_str("\n\nLaw\n");
        for fact in &self.facts {
            let mut cites: Vec<&str> = Vec::new();
            for cite in
                self.books.iter().filter_map(|book| fact.by_book.get(book)).flat_map(|cell| cell.cite.split(", "))
            {
                if !cites.contains(&cite) {
                    cites.push(cite);
                }
            }
            text.push_str(&output::wrap(&format!("{}: {}", fact.aspect, cites.join(" · ")), "  ", width));
        }
        if !self.readings.is_empty() {
            text.push_str("\nReadings\n");
            for note in &self.readings {
                let line = format!("{} ({}): {} {}", note.id, note.books.join(", "), note.asks, note.taken);
                text.push_str(&output::wrap(&line, "  ", width));
            }
        }
        text
    }

    /// As a page: the same, as Markdown tables.
    pub(crate) fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('|', "\\|");
        let mut text = format!(
            "<!-- Generated by `cargo xtask cards`; do not edit. -->\n# {}\n\nCode `{}`. {}\n\n",
            self.wager,
            self.codes_in_words(),
            self.about
        );
        text.push_str("| throws | outcome |\n|---|---|\n");
        for example in &self.examples {
            text.push_str(&format!("| {} | {} |\n", example.throws, example.outcome));
        }
        if self.books.is_empty() {
            return text + "\nNo book has it.\n";
        }
        text.push_str(&format!(
            "\n## Law\n\n| | {} |\n|---|{}\n",
            self.books.join(" | "),
            "---|".repeat(self.books.len())
        ));
        for fact in &self.facts {
            let cells = self.books.iter().map(|book| match fact.by_book.get(book) {
                Some(known) => format!("{}<br><sub>{}</sub>", cell(&known.value), cell(&known.cite)),
                None => "–".to_owned(),
            });
            text.push_str(&format!("| {} | {} |\n", fact.aspect, cells.collect::<Vec<_>>().join(" | ")));
        }
        if !self.absent.is_empty() {
            text.push_str(&format!("\nNot in {}.\n", self.absent.join(", ")));
        }
        text.push_str("\n## Exact odds\n\nEdge per bet made, of each unit staked; commission comes on top.\n\n");
        text.push_str("| bet | book | pay table | commission | pays | wins | edge | exactly | throws |\n|---|---|---|---|---|--:|--:|--:|--:|\n");
        for odds in &self.odds {
            let mark = if odds.favours_player { " **favours the player**" } else { "" };
            let even = odds
                .break_even
                .as_ref()
                .map(|chance| format!("; even when chosen {chance} of the time"))
                .unwrap_or_default();
            let exactly = if odds.edge.len() > 40 { format!("{} digits", odds.edge.len()) } else { odds.edge.clone() };
            let row = [
                &odds.wager,
                &odds.book,
                &format!("{}{even}", odds.pay_table),
                &odds.commission,
                &odds.pays,
                &odds.wins_shown,
                &format!("{}{mark}", odds.edge_percent),
                &exactly,
                &odds.throws_shown,
            ];
            text.push_str(&format!("| {} |\n", row.map(|text| cell(text)).join(" | ")));
        }
        if !self.readings.is_empty() {
            text.push_str("\n## Readings\n\n");
            for note in &self.readings {
                text.push_str(&format!(
                    "- **{}** ({}): {} {}\n",
                    note.id,
                    note.books.join(", "),
                    note.asks,
                    note.taken
                ));
            }
        }
        text
    }
}

/// Does the book have the wager on the day, or did it ever?
fn has(book: &RuleBook, wager: &Wager, on: Option<Day>) -> bool {
    let begun = book.in_force.as_ref().is_none_or(|first| on.is_none_or(|on| first.from <= on));
    let mut laws = book.wagers.values().filter(|law| law.wager.wager().slug == wager.slug);
    begun && laws.any(|law| law.offer.0.iter().any(|offer| offer.days.hold(on)))
}

fn odds_of(book: &RuleBook, solver: &mut Solver, wager: &Wager, on: Option<Day>) -> Vec<Odds> {
    let offerings: Vec<Offering> =
        book.offerings(on).into_iter().filter(|offering| offering.wager.wager().slug == wager.slug).collect();
    let priced: Vec<Analysis> = offerings.iter().map(|offering| price(solver, offering)).collect();
    let base = priced.first().cloned();
    let row = |(offering, analysis): (&Offering, &Analysis)| Odds {
        wager: offering.name(),
        book: book.id.clone(),
        pay_table: offering.pay_table.clone(),
        commission: offering.commission.map_or_else(|| "none".to_owned(), |commission| commission.to_string()),
        pays: pays(offering),
        edge: analysis.edge.to_string(),
        edge_percent: percent(&analysis.edge, 4),
        p_win: analysis.p_win.to_string(),
        throws_mean: analysis.throws_mean.to_string(),
        favours_player: analysis.favours_player(),
        wins_shown: percent(&analysis.p_win, 3),
        throws_shown: decimal(&analysis.throws_mean, 2),
        break_even: offering
            .modifier
            .as_ref()
            .and(base.as_ref())
            .and_then(|base| break_even(base, analysis))
            .map(|chance| chance.to_string()),
        days: offering.days.to_string(),
        cite: offering.cites.to_string(),
    };
    offerings.iter().zip(&priced).map(row).collect()
}

fn pays(offering: &Offering) -> String {
    let ranks = offering.wager.wager().ranks;
    let own = |rank: craps_wagers::Rank| offering.number.is_none_or(|number| rank.index() == number.value());
    let name = |rank| match (ranks.name(rank), offering.number) {
        (_, Some(_)) => String::new(),
        (name, None) if name == "win" => String::new(),
        (name, None) => format!("{}: ", outcome_in_words(offering.wager.wager(), &name)),
    };
    offering
        .prizes
        .iter()
        .filter(|(rank, _)| own(*rank))
        .map(|(rank, prize)| format!("{}{prize}", name(rank)))
        .collect::<Vec<_>>()
        .join("; ")
}

/// A composite's rank is the part that won: its slug says more than its place.
fn outcome_in_words(wager: &Wager, outcome: &str) -> String {
    match (wager.mechanic, outcome.strip_prefix("part ").and_then(|at| at.parse::<usize>().ok())) {
        (craps_wagers::Mechanic::Composite(parts), Some(at)) => {
            parts.get(at - 1).map_or("", |part| part.wager).to_owned()
        }
        _ => outcome.to_owned(),
    }
}
