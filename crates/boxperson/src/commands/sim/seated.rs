//! A strategy at its table: which text, which house, which plan, and what a reader should know of them.

use super::{Args, Limit};
use crate::commands::book;
use crate::failure::Failure;
use crate::figures::{exact, percent};
use crate::library::read_text;
use crate::play::house;
use craps_dice::Point;
use craps_law::{Cites, HouseRules, LawError, Library, Problem, RuleBook, Source};
use craps_odds::{RBig, Solver, price};
use craps_sim::language::{Mistake, Program, Script};
use craps_sim::report::{Played, Setting};
use craps_sim::shipped::Shipped;
use craps_sim::{Answer, Plan, Rules};
use craps_wagers::Wager;
use std::path::Path;

/// A strategy that has sat down.
pub(super) struct Seated<'a> {
    pub(super) book: &'a RuleBook,
    pub(super) rules: Rules,
    pub(super) program: Program,
    pub(super) plan: Plan,
    script: Script,
    source: Source,
    house: HouseRules,
}

/// Why it could not sit down.
pub(super) enum Unseated {
    Failed(Failure),
    /// The house may not play so.
    Unlawful(Vec<Problem>),
}

impl From<Failure> for Unseated {
    fn from(failure: Failure) -> Unseated {
        Unseated::Failed(failure)
    }
}

/// The text of a strategy: of a file, or one that comes with the program.
pub(super) fn text(word: &str) -> Result<Source, Failure> {
    let path = Path::new(word);
    if word == "-" || word.ends_with(".strategy") || path.is_file() {
        return read_text(path);
    }
    let shipped = Shipped::find(word).ok_or_else(|| unknown(word))?;
    Ok(Source { path: shipped.source(), text: shipped.text.to_owned() })
}

/// A strategy that nobody knows, with the names that come closest.
fn unknown(word: &str) -> Failure {
    let distance = |name: &str| match !word.is_empty() && (name.contains(word) || word.contains(name)) {
        true => 0,
        false => strsim::damerau_levenshtein(word, name),
    };
    let mut near: Vec<(usize, &str)> = Shipped::all().map(|one| (distance(one.name), one.name)).collect();
    near.sort();
    let reach = (word.chars().count() / 2).min(4);
    let near: Vec<&str> = near.into_iter().filter(|(far, _)| *far <= reach).map(|(_, name)| name).take(5).collect();
    let hint = match near.is_empty() {
        true => "`boxperson sim --list` has them all; a file of your own ends in .strategy".to_owned(),
        false => format!("perhaps {}; a file of your own ends in .strategy", near.join(", ")),
    };
    Failure::Usage(format!("no strategy is called `{word}`: {hint}"))
}

/// Mistakes in a strategy, each drawn in its text.
pub(super) fn mistaken(mistakes: &[Mistake], path: &str, text: &str) -> Failure {
    let error = |mistake: &Mistake| {
        let lines = text.split_inclusive('\n');
        let before: usize = lines.clone().take(mistake.line.saturating_sub(1)).map(str::len).sum();
        let line = lines.clone().nth(mistake.line.saturating_sub(1)).unwrap_or_default();
        let bytes = |columns: usize| line.chars().take(columns).map(char::len_utf8).sum::<usize>();
        let first = mistake.column.saturating_sub(1);
        let span = (before + bytes(first), before + bytes(first + mistake.width));
        // Its place is said by whoever shows it.
        let told = mistake.to_string();
        let place = format!("{}:{}:{}: ", mistake.source, mistake.line, mistake.column);
        LawError {
            path: path.to_owned(),
            span: Some(span),
            line: mistake.line,
            column: mistake.column,
            message: told.strip_prefix(&place).unwrap_or(&told).to_owned(),
        }
    };
    let source = Source { path: path.to_owned(), text: text.to_owned() };
    Failure::in_sources(mistakes.iter().map(error).collect(), &[source])
}

/// The table of a house file, or one by a book that offers all it allows and what the strategy needs.
fn table(library: &Library, script: &Script, named: Option<&str>, args: &Args) -> Result<HouseRules, Failure> {
    if let (Some(path), None) = (&args.house, &args.versus_book.as_deref().filter(|other| Some(*other) == named)) {
        return house::named(library, &path.display().to_string());
    }
    let first = || library.books.first().map(|book| book.id.clone()).unwrap_or_default();
    let id = named.map(str::to_owned).or_else(|| script.book.clone()).unwrap_or_else(first);
    let book = book(library, &id)?;
    let mut house = HouseRules::plain(&book.id, args.as_of.unwrap_or(book.sample_day));
    house.set("offer", "all").map_err(Failure::Usage)?;
    for modifier in &book.modifiers {
        house.set(&format!("{}.offered", modifier.id), "no").map_err(Failure::Usage)?;
    }
    for setting in script.house.iter().flat_map(|house| house.split(';')) {
        let Some((key, value)) = setting.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            continue;
        };
        // Everything is offered already.
        if key != "offer" {
            house.set(key, value).map_err(Failure::Usage)?;
        }
    }
    Ok(house)
}

/// How long a session goes on: what the command says, else what the strategy says.
fn plan(script: &Script, args: &Args) -> Result<Plan, Failure> {
    let chosen = |said: Option<Limit>, own| said.map_or(own, |Limit(limit)| limit);
    let (stop, goal) = (chosen(args.stop, script.stop), chosen(args.goal, script.goal));
    if let Some(stop) = stop.filter(|stop| stop.minor() >= 0) {
        let instead = if stop.minor() > 0 { format!(", such as -{stop}") } else { String::new() };
        return Err(Failure::Usage(format!(
            "--stop {stop}: a stop is a net result below zero{instead}; the buy-in counts as zero"
        )));
    }
    if let Some(goal) = goal.filter(|goal| goal.minor() <= 0) {
        return Err(Failure::Usage(format!(
            "--goal {goal}: a goal is a net result above zero: with it the player has more than the buy-in"
        )));
    }
    let minor = |money: craps_money::Money| money.minor();
    Ok(Plan {
        buy_in: script.buy_in.money().minor(),
        throws: args.throws,
        stop: stop.map(minor),
        goal: goal.map(minor),
    })
}

impl<'a> Seated<'a> {
    /// Sits a strategy down.
    pub(super) fn new(
        library: &'a Library,
        source: Source,
        named: Option<&str>,
        args: &Args,
    ) -> Result<Seated<'a>, Unseated> {
        let wrong = |mistakes: Vec<Mistake>| mistaken(&mistakes, &source.path, &source.text);
        let mut script = Script::read(&source.path, &source.text).map_err(wrong)?;
        script.buy_in = args.buy_in.unwrap_or(script.buy_in);
        script.unit = args.unit.unwrap_or(script.unit);
        let plan = plan(&script, args)?;
        let house = table(library, &script, named, args)?;
        let book = book(library, &house.book)?;
        let admitted = book.admit(&house).map_err(Unseated::Unlawful)?;
        let rules = Rules::new(admitted)
            .map_err(|_| Failure::Usage("this table has more names for bets than the lab holds".to_owned()))?;
        let program = script.at(rules.layout(), rules.table()).map_err(wrong)?;
        Ok(Seated { book, rules, program, plan, script, source, house })
    }

    /// Its table as games name it: book and day, game, and house.
    pub(super) fn rules_tag(&self) -> String {
        format!("{} as-of {}", self.house.book, self.house.as_of)
    }

    pub(super) fn game_tag(&self) -> Option<&'static str> {
        self.house.game.map(|game| game.word())
    }

    pub(super) fn house_tag(&self) -> String {
        house::tag(&self.house)
    }

    /// What a reader should know besides the figures.
    pub(super) fn setting(&self, answer: &Answer, seed: u64, args: &Args) -> Setting {
        Setting {
            strategy: self.script.name.clone(),
            about: self.script.about.clone(),
            from: self.script.from.clone(),
            text: self.source.text.clone(),
            book: self.book.id.clone(),
            book_name: self.book.name.clone(),
            as_of: self.house.as_of.to_string(),
            house: self.house.iter().map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
            command: again(seed, args),
            pace: args.pace,
            wagers: self.played(answer),
        }
    }

    /// The wagers that were played, with their price and the law at this table.
    fn played(&self, answer: &Answer) -> Vec<Played> {
        let mut solver = Solver::default();
        answer.by_wager.iter().filter_map(|(slug, ..)| self.wager(&mut solver, slug)).collect()
    }

    fn wager(&self, solver: &mut Solver, slug: &str) -> Option<Played> {
        let table = self.rules.table();
        let rules = table.wager(Wager::find_id(slug)?)?;
        // Odds have a price for each number.
        let priced = |point: &Point| rules.prizes.is.iter().any(|(rank, _)| rank.index() == point.value());
        let numbers: Vec<Option<Point>> = match rules.odds.is_some() {
            true => Point::ALL.into_iter().filter(priced).map(Some).collect(),
            false => vec![None],
        };
        let mut edges: Vec<RBig> =
            numbers.into_iter().map(|number| price(solver, &table.offering(rules, number)).edge).collect();
        edges.dedup();
        let edge = match edges.as_slice() {
            [edge] => Some((exact(edge, 24), percent(edge, 3))),
            _ => None,
        };
        let mut cites = Vec::new();
        let mut cite = |of: &str, these: &Cites| {
            for cite in these.iter() {
                cites.push((cite.as_str().to_owned(), of.to_owned()));
            }
        };
        cite("offered", &rules.offer.cites);
        cite("paid", &rules.prizes.cites);
        cite("made", &rules.make.cites);
        cite("works", &rules.works.cites);
        rules.commission.iter().for_each(|fact| cite("commission", &fact.cites));
        Some(Played { slug: slug.to_owned(), name: rules.name.clone(), edge, cites })
    }
}

/// The command that gives the same answer again: as it was given, and the seed.
fn again(seed: u64, args: &Args) -> String {
    let mut words = vec!["boxperson".to_owned()];
    words.extend(std::env::args().skip(1).map(|word| quoted(&word)));
    if args.seed.is_none() {
        words.push(format!("--seed {seed}"));
    }
    words.join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=+,:@%".contains(letter);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_strategy_that_is_not_there_has_near_names() {
        let told = unknown("moly").to_string();
        assert!(told.contains("no strategy is called `moly`: perhaps molly"), "{told}");
        let told = unknown("zzzzzzzzzzz").to_string();
        assert!(told.contains("sim --list"), "{told}");
    }

    #[test]
    fn a_command_can_be_pasted() {
        assert_eq!(quoted("--seed"), "--seed");
        assert_eq!(quoted("my game.strategy"), "'my game.strategy'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
