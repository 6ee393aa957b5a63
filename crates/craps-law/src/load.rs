//! Loads books from texts: reads the files, resolves base books, and reports every mistake with its place.

mod choice;
mod complete;

use crate::fact::{
    Amount, AreaLaw, Choice, Dated, Fact, Make, Modifier, ModifierLine, Offer, PayTable, Rule, RuleBook, Switch, Total,
    WagerLaw, Withdrawn, Works,
};
use crate::house::Keys;
use crate::raw::{
    self, Answer, BookFile, HouseFile, ProcedureFile, RawWager, ReadingsFile, SectionsFile, Topic, TopicKind,
    TopicsFile, WagersFile,
};
use crate::{Day, Days, HouseRules, LawError, LawErrors, Source};
use choice::{choice, total};
use complete::{bad_offers, complete, twice};
use craps_money::Commission;
use craps_wagers::{Catalogue, Dial, Dials, EntryFile, Ranks, WagerId};
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A set of rule books, and the topics they answer.
///
/// ```
/// let library = craps_law::Library::shipped();
/// let book = library.book("co").unwrap();
/// assert_eq!(book.name, "Colorado");
/// assert!(library.book("atlantis").is_none());
/// ```
#[derive(Debug, Clone)]
pub struct Library {
    /// Books, sorted by id.
    pub books: Vec<RuleBook>,
    /// Topics by name.
    pub topics: Arc<BTreeMap<String, Topic>>,
    /// Wagers that these books know: the built-in ones, and those that books define.
    pub catalogue: &'static Catalogue,
    keys: Arc<Keys>,
}

/// The error for an unknown book.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown book `{id}`: expected one of {}", .known.join(", "))]
pub struct NoSuchBook {
    /// Id that was asked for.
    pub id: String,
    /// Ids of the known books.
    pub known: Vec<String>,
}

const SHIPPED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/shipped.rs"));

impl Library {
    /// Returns the texts of the built-in books.
    #[must_use]
    pub fn shipped_sources() -> Vec<Source> {
        SHIPPED.iter().map(|(path, text)| Source { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
    }

    /// Loads the built-in books.
    ///
    /// # Panics
    /// If they don't load. A test makes sure that they do.
    #[must_use]
    pub fn shipped() -> Library {
        match Library::load(&Library::shipped_sources()) {
            Ok(library) => library,
            Err(errors) => panic!("the built-in books don't load: {errors}"),
        }
    }

    /// Finds a book by its id.
    #[must_use]
    pub fn book(&self, id: &str) -> Option<&RuleBook> {
        self.books.iter().find(|book| book.id == id)
    }

    /// Finds a book by its id, with an error that lists the known books.
    ///
    /// # Errors
    /// When no book has this id.
    pub fn named(&self, id: &str) -> Result<&RuleBook, NoSuchBook> {
        let known = || self.books.iter().map(|book| book.id.clone()).collect();
        self.book(id).ok_or_else(|| NoSuchBook { id: id.to_owned(), known: known() })
    }

    /// Returns the books in the order in which a page lists them: by the `order` in the book's file. Books without one come last, by id.
    ///
    /// ```
    /// let library = craps_law::Library::shipped();
    /// let ids: Vec<&str> = library.in_order().iter().map(|book| book.id.as_str()).collect();
    /// assert_eq!(ids[..3], ["pa", "md", "nj"]);
    /// ```
    #[must_use]
    pub fn in_order(&self) -> Vec<&RuleBook> {
        let mut books: Vec<&RuleBook> = self.books.iter().collect();
        books.sort_by_key(|book| (book.order.is_none(), book.order, &book.id));
        books
    }

    /// Returns the keys that houses under these books may set.
    #[must_use]
    pub fn keys(&self) -> &Arc<Keys> {
        &self.keys
    }

    /// Reads a house file without checking that its book exists. `as_of` replaces the day in the file.
    ///
    /// # Errors
    /// At the first mistake in the file.
    pub fn house_file(&self, source: &Source, as_of: Option<Day>) -> Result<HouseRules, LawError> {
        HouseRules::read(source, as_of, Arc::clone(&self.keys))
    }

    /// Reads a house file under one of these books. `as_of` replaces the day in the file.
    ///
    /// # Errors
    /// At the first mistake in the file, or when its book is unknown.
    pub fn house(&self, source: &Source, as_of: Option<Day>) -> Result<HouseRules, LawError> {
        let house = self.house_file(source, as_of)?;
        match self.named(&house.book) {
            Ok(_) => Ok(house),
            Err(unknown) => Err(house.unknown_book(source, unknown)),
        }
    }

    /// Loads the books that have no mistakes and returns the mistakes of the others. The texts in `held` are never left out.
    ///
    /// # Errors
    /// When a mistake is in a text that can't be left out.
    pub fn load_readable(sources: &[Source], held: &[Source]) -> Result<(Library, Vec<LawError>), LawErrors> {
        let folder = |path: &str| path.split('/').next().unwrap_or_default().to_owned();
        let mut sources = sources.to_vec();
        let mut wrong: Vec<LawError> = Vec::new();
        loop {
            let errors = match Library::load(&sources) {
                Ok(library) => return Ok((library, wrong)),
                Err(errors) => errors,
            };
            let bad: BTreeSet<String> = errors.iter().map(|error| folder(&error.path)).collect();
            let before = sources.len();
            sources.retain(|source| !bad.contains(&folder(&source.path)) || held.contains(source));
            wrong.extend(errors.clone());
            // Every remaining mistake is in a text that can't be left out.
            if sources.len() == before {
                return Err(errors);
            }
        }
    }

    /// Loads books from texts. Their paths are relative to the folder of books: `topics/bets.toml`, `pa/book.toml`,
    /// `pa/wagers/line.toml`.
    ///
    /// A topic that appears in several files accepts the words of all of them.
    ///
    /// # Errors
    /// When a text has a mistake. The error lists mistakes with their places. Mistakes that show only when books are put together are
    /// listed only if every file can be read.
    pub fn load(sources: &[Source]) -> Result<Library, LawErrors> {
        Library::load_on(Catalogue::built_in(), sources)
    }

    /// Loads books like `load`, with the wagers of another catalogue instead of the built-in one.
    ///
    /// # Errors
    /// When a text has a mistake. The error lists mistakes with their places. Mistakes that show only when books are put together are
    /// listed only if every file can be read.
    pub fn load_on(base: &'static Catalogue, sources: &[Source]) -> Result<Library, LawErrors> {
        let mut errors = Vec::new();
        let mut folders: BTreeMap<&str, Vec<&Source>> = BTreeMap::new();
        let mut topics = BTreeMap::new();
        for source in sources {
            match source.path.split_once('/') {
                Some((TOPICS, _)) => add_topics(source, &mut topics, &mut errors),
                Some((folder, _)) => folders.entry(folder).or_default().push(source),
                None => errors.push(LawError::of(&source.path, "expected topics/*.toml or a folder with a book.toml")),
            }
        }
        let topics = Arc::new(topics);
        let catalogue = catalogue(base, &folders, &mut errors);
        let files: BTreeMap<&str, Files<'_>> = catalogue
            .reading(|| folders.iter().map(|(id, sources)| (*id, Files::read(id, sources, &mut errors))).collect());
        if files.is_empty() {
            errors.push(LawError::of("rulebooks", "no book found: expected at least one folder with a book.toml"));
        }
        let wagers = files.values().flat_map(|files| files.wagers.iter().map(|(_, file)| file));
        let houses = files.values().filter_map(|files| files.house.as_ref().map(|(_, file)| file));
        let keys = Arc::new(catalogue.reading(|| Keys::of(wagers, houses, &topics)));
        let mut books: BTreeMap<String, RuleBook> = BTreeMap::new();
        // A base must be resolved before the books that use it. Each round resolves the books whose base is ready.
        let mut open: BTreeSet<&str> = files.keys().copied().collect();
        while !open.is_empty() && errors.is_empty() {
            let ready: Vec<&str> = open
                .iter()
                .copied()
                .filter(|id| files[id].base().is_none_or(|base| books.contains_key(base)))
                .collect();
            if ready.is_empty() {
                for id in &open {
                    let base = files[id].base().unwrap_or_default();
                    errors.push(LawError::of(
                        format!("{id}/book.toml"),
                        format!("based_on = \"{base}\": unknown book, or books that are based on each other"),
                    ));
                }
            }
            for id in ready {
                open.remove(id);
                let base = files[id].base().and_then(|base| books.get(base));
                let resolver = Resolver {
                    files: &files[id],
                    topics: &topics,
                    keys: &keys,
                    errors: &mut errors,
                    repeated: Vec::new(),
                };
                if let Some(book) = catalogue.reading(|| resolver.resolve(id, base)) {
                    books.insert(id.to_owned(), book);
                }
            }
        }
        if errors.is_empty() {
            Ok(Library { books: books.into_values().collect(), topics, catalogue, keys })
        } else {
            Err(errors.into())
        }
    }
}

/// Folder of the topics, next to the books.
pub(crate) const TOPICS: &str = "topics";

/// Adds the topics of a file. A topic that is already known gets the additional words.
fn add_topics(source: &Source, topics: &mut BTreeMap<String, Topic>, errors: &mut Vec<LawError>) {
    let Some(file) = read::<TopicsFile>(source, errors) else { return };
    let area = file.title.unwrap_or_else(|| {
        let name = source.path.rsplit('/').next().unwrap_or_default().trim_end_matches(".toml").replace('_', " ");
        let mut letters = name.chars();
        letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
    });
    for topic in file.topic {
        for message in topic.mistakes() {
            errors.push(LawError::at(source, locate(source, &topic.name), message));
        }
        match topics.get_mut(&topic.name) {
            None => {
                topics.insert(topic.name.clone(), Topic { area: area.clone(), ..topic });
            }
            Some(known) if known.kind != topic.kind => {
                let message = format!("topic `{}` is already defined with another kind of answer", topic.name);
                errors.push(LawError::at(source, locate(source, &topic.name), message));
            }
            Some(known) => {
                let more = topic.words.into_iter().filter(|word| !known.words.contains(word)).collect::<Vec<_>>();
                known.words.extend(more);
            }
        }
    }
}

/// Returns the wagers of `base` together with those that books define in `catalogue/*.toml`.
fn catalogue(
    base: &'static Catalogue,
    folders: &BTreeMap<&str, Vec<&Source>>,
    errors: &mut Vec<LawError>,
) -> &'static Catalogue {
    let own: Vec<&Source> = folders.values().flatten().copied().filter(|source| is_catalogue(&source.path)).collect();
    if own.is_empty() {
        return base;
    }
    let files: Vec<EntryFile<'_>> =
        own.iter().map(|source| EntryFile { path: &source.path, text: &source.text }).collect();
    base.with(&files).unwrap_or_else(|mistakes| {
        for mistake in mistakes {
            let source = own.iter().find(|source| source.path == mistake.path);
            errors.extend(source.map(|source| LawError::at(source, mistake.span, mistake.message)));
        }
        base
    })
}

/// Returns true for a file that defines new wagers.
fn is_catalogue(path: &str) -> bool {
    path.split('/').nth(1) == Some("catalogue")
}

fn read<T: DeserializeOwned>(source: &Source, errors: &mut Vec<LawError>) -> Option<T> {
    toml::from_str(&source.text).map_err(|error| errors.push(LawError::toml(source, &error))).ok()
}

/// The parsed files of one book.
struct Files<'a> {
    book: Option<(&'a Source, BookFile)>,
    sections: Option<SectionsFile>,
    readings: Option<ReadingsFile>,
    house: Option<(&'a Source, HouseFile)>,
    procedure: Option<(&'a Source, ProcedureFile)>,
    wagers: Vec<(&'a Source, WagersFile)>,
}

impl<'a> Files<'a> {
    fn read(id: &str, sources: &[&'a Source], errors: &mut Vec<LawError>) -> Files<'a> {
        let mut files =
            Files { book: None, sections: None, readings: None, house: None, procedure: None, wagers: Vec::new() };
        for source in sources {
            let name = source.path.split_once('/').map_or("", |(_, name)| name);
            match name {
                "book.toml" => files.book = read(source, errors).map(|file| (*source, file)),
                "sections.toml" => files.sections = read(source, errors),
                "readings.toml" => files.readings = read(source, errors),
                "house.toml" => files.house = read(source, errors).map(|file| (*source, file)),
                "procedure.toml" => files.procedure = read(source, errors).map(|file| (*source, file)),
                _ if is_catalogue(&source.path) => {}
                _ if name.starts_with("wagers/") => {
                    files.wagers.extend(read(source, errors).map(|file| (*source, file)))
                }
                _ => errors.push(LawError::of(
                    &source.path,
                    "expected book.toml, sections.toml, readings.toml, house.toml, procedure.toml, wagers/*.toml or catalogue/*.toml",
                )),
            }
        }
        let book = format!("{id}/book.toml");
        if sources.iter().all(|source| source.path != book) {
            errors.push(LawError::of(book, "a book needs a book.toml"));
        }
        files
    }

    fn base(&self) -> Option<&str> {
        self.book.as_ref().and_then(|(_, file)| file.based_on.as_deref())
    }
}

/// What a book says about a wager, while loading, with the place of its record.
type Draft = (WagerLaw, Option<(usize, std::ops::Range<usize>)>);

struct Resolver<'a> {
    files: &'a Files<'a>,
    topics: &'a Arc<BTreeMap<String, Topic>>,
    keys: &'a Arc<Keys>,
    errors: &'a mut Vec<LawError>,
    repeated: Vec<String>,
}

fn fact<T, U>(
    is: U,
    raw: T,
    parts: impl FnOnce(&T) -> (crate::Cites, Days, Vec<String>, Option<raw::RawSwitch>),
) -> Fact<U> {
    let (cites, days, readings, switch) = parts(&raw);
    Fact { is, cites, days, readings, switch: switch.map(|raw| Switch { key: raw.key, map: raw.map }) }
}

/// Converts a commission as written in a file.
fn charge(raw: &raw::RawCommission) -> Commission {
    let least = raw.least.map_or(craps_money::Money::ZERO, |least| least.0.money());
    Commission { each: raw.each.map(|each| each.0), least, ..Commission::new(raw.most.0, raw.base.0, raw.timing.0) }
}

/// Converts a raw fact. `$is` is its value.
macro_rules! to_fact {
    ($raw:expr, $is:expr) => {
        fact($is, $raw, |raw| (raw.cite.clone(), raw.days(), raw.reading.clone(), None))
    };
    ($raw:expr, $is:expr, switch) => {
        fact($is, $raw, |raw| (raw.cite.clone(), raw.days(), raw.reading.clone(), raw.switch.clone()))
    };
}

impl Resolver<'_> {
    fn resolve(mut self, id: &str, base: Option<&RuleBook>) -> Option<RuleBook> {
        let (source, file) = self.files.book.as_ref()?;
        let listed = match (&file.listed, base) {
            (Some(raw), _) => to_fact!(raw, raw.is.clone()),
            (None, Some(base)) => base.listed.clone(),
            (None, None) => {
                self.errors.push(LawError::of(
                    &source.path,
                    "`listed` is missing: cite the rule that only listed wagers may be accepted",
                ));
                return None;
            }
        };
        let mut sections = base.map(|base| base.sections.clone()).unwrap_or_default();
        sections.extend(self.files.sections.iter().flat_map(|file| file.section.clone()));
        let mut readings = base.map(|base| base.readings.clone()).unwrap_or_default();
        for reading in self.files.readings.iter().flat_map(|file| &file.reading) {
            if base.is_some_and(|base| base.readings.get(&reading.id) == Some(reading)) {
                self.repeated.push(format!("reading {}", reading.id));
            }
            readings.insert(reading.id.clone(), reading.clone());
        }
        let choices = self.choices(base);
        let totals = self.totals(base);
        let rules = self.rules(base);
        let withdrawn: Vec<Withdrawn> = file
            .withdraws
            .iter()
            .flat_map(|raw| {
                raw.ids.iter().map(|id| Withdrawn {
                    wager: id.0,
                    cites: raw.cite.clone(),
                    readings: raw.reading.clone(),
                })
            })
            .collect();
        let wagers = self.wagers(base, &withdrawn);
        let mut modifiers = base.map(|base| base.modifiers.clone()).unwrap_or_default();
        modifiers.extend(self.modifiers());
        Some(RuleBook {
            id: id.to_owned(),
            name: file.name.clone(),
            text: file.text.clone(),
            prefix: file.prefix.clone(),
            order: file.order,
            base_prefixes: base.map(RuleBook::prefixes).unwrap_or_default(),
            based_on: file.based_on.clone(),
            sample_day: file.sample_day,
            in_force: file.in_force.clone().or_else(|| base.and_then(|base| base.in_force.clone())),
            amended: base
                .map(|base| base.amended.clone())
                .unwrap_or_default()
                .into_iter()
                .chain(file.amended.clone())
                .collect(),
            listed,
            games: file.game.iter().map(|raw| to_fact!(raw, raw.is)).collect(),
            sections,
            own_sections: self
                .files
                .sections
                .iter()
                .flat_map(|file| &file.section)
                .map(|section| section.cite.clone())
                .collect(),
            readings,
            own_readings: self
                .files
                .readings
                .iter()
                .flat_map(|file| &file.reading)
                .map(|reading| reading.id.clone())
                .collect(),
            choices,
            totals,
            rules,
            wagers,
            modifiers,
            withdrawn,
            topics: Arc::clone(self.topics),
            keys: Arc::clone(self.keys),
            repeated: self.repeated,
        })
    }

    fn choices(&mut self, base: Option<&RuleBook>) -> BTreeMap<String, Dated<Choice>> {
        let mut own: BTreeMap<String, Dated<Choice>> = BTreeMap::new();
        if let Some((source, file)) = &self.files.house {
            for raw in &file.option {
                match choice(self.keys, self.topics, raw) {
                    Ok(choice) => own.entry(raw.key.clone()).or_default().0.push(to_fact!(raw, choice)),
                    Err(message) => self.errors.push(LawError::at(source, locate(source, &raw.key), message)),
                }
            }
        }
        if let Some((source, _)) = &self.files.house {
            // Records of one key may be for different games.
            let alike = |a: &Fact<Choice>, b: &Fact<Choice>| match (&a.is.games, &b.is.games) {
                (Some(games), Some(others)) => games.iter().any(|game| others.contains(game)),
                _ => true,
            };
            self.errors.extend(twice_in_force(source, &own, alike));
        }
        self.over(base.map(|base| &base.choices), own, "option")
    }

    /// Returns the limits on several amounts together, those of the base first.
    fn totals(&mut self, base: Option<&RuleBook>) -> Vec<Fact<Total>> {
        let mut all = base.map(|base| base.totals.clone()).unwrap_or_default();
        if let Some((source, file)) = &self.files.house {
            for raw in &file.total {
                match total(self.keys, self.topics, raw) {
                    Ok(total) => all.push(to_fact!(raw, total)),
                    Err(message) => self.errors.push(LawError::at(source, locate(source, &raw.path), message)),
                }
            }
        }
        all
    }

    fn rules(&mut self, base: Option<&RuleBook>) -> BTreeMap<String, Dated<Rule>> {
        let mut own: BTreeMap<String, Dated<Rule>> = BTreeMap::new();
        if let Some((source, file)) = &self.files.procedure {
            for raw in &file.rule {
                if let Err(message) = answers(self.topics.get(&raw.topic), &raw.is) {
                    self.errors.push(LawError::at(
                        source,
                        locate(source, &raw.topic),
                        format!("topic `{}`: {message}", raw.topic),
                    ));
                }
                let rule = Rule { topic: raw.topic.clone(), answer: raw.is.clone(), note: raw.note.clone() };
                own.entry(raw.topic.clone()).or_default().0.push(to_fact!(raw, rule));
            }
        }
        if let Some((source, _)) = &self.files.procedure {
            self.errors.extend(twice_in_force(source, &own, |_, _| true));
        }
        self.over(base.map(|base| &base.rules), own, "rule")
    }

    /// Merges a book's own records over those of its base, and notes records that repeat the base.
    fn over<T: Clone + PartialEq>(
        &mut self,
        base: Option<&BTreeMap<String, Dated<T>>>,
        own: BTreeMap<String, Dated<T>>,
        kind: &str,
    ) -> BTreeMap<String, Dated<T>> {
        let mut all = base.cloned().unwrap_or_default();
        for (name, facts) in own {
            if all.get(&name) == Some(&facts) {
                self.repeated.push(format!("{kind} {name}"));
            }
            all.insert(name, facts);
        }
        all
    }

    fn wagers(&mut self, base: Option<&RuleBook>, withdrawn: &[Withdrawn]) -> BTreeMap<WagerId, WagerLaw> {
        let mut drafts: BTreeMap<WagerId, Draft> = base
            .map(|base| base.wagers.iter().map(|(id, law)| (*id, (law.clone(), None))).collect())
            .unwrap_or_default();
        for (at, (source, file)) in self.files.wagers.iter().enumerate() {
            for raw in &file.wager {
                for (place, id) in raw.ids.iter().enumerate() {
                    let wager = id.get_ref().0;
                    let known = drafts.remove(&wager);
                    if base.is_none() && known.is_some() {
                        self.errors.push(LawError::at(source, id.span(), format!("`{wager}` is recorded twice")));
                    }
                    let mut law = known.map_or_else(|| blank(wager), |(law, _)| law);
                    let before = base.and_then(|base| base.wagers.get(&wager));
                    self.lay(&mut law, before, raw, place, source, id.span());
                    drafts.insert(wager, (law, Some((at, id.span()))));
                }
            }
        }
        for gone in withdrawn {
            if drafts.remove(&gone.wager).is_none() {
                let path = self.files.book.as_ref().map_or("", |(source, _)| &source.path);
                self.errors
                    .push(LawError::of(path, format!("withdraws `{}`, which its base doesn't have", gone.wager)));
            }
        }
        for (law, place) in drafts.values() {
            for message in complete(law, &drafts, self.keys) {
                let message = format!("`{}`: {message}", law.wager);
                self.errors.push(match place {
                    Some((file, span)) => LawError::at(self.files.wagers[*file].0, span.clone(), message),
                    // It is complete in the base but not here, because this book withdrew or changed something that it needs.
                    None => LawError::of(self.files.book.as_ref().map_or("", |(source, _)| &source.path), message),
                });
            }
        }
        drafts.into_iter().map(|(id, (law, _))| (id, law)).collect()
    }

    /// Applies the facts of a record to one of its wagers.
    fn lay(
        &mut self,
        law: &mut WagerLaw,
        base: Option<&WagerLaw>,
        raw: &RawWager,
        place: usize,
        source: &Source,
        span: std::ops::Range<usize>,
    ) {
        let (wager, ranks) = (law.wager, law.wager.wager().ranks);
        let mut set = Laying { wager, repeated: &mut self.repeated };
        match (&raw.name, &raw.names) {
            (Some(name), None) => law.name = name.replace("{n}", wager.wager().number_text),
            (None, Some(names)) if names.len() == raw.ids.len() => law.name.clone_from(&names[place]),
            (None, None) => {}
            _ => self.errors.push(LawError::at(
                source,
                span.clone(),
                "give either `name`, or `names` with one name for each id",
            )),
        }
        if let Some(renamed) = &raw.renamed {
            let facts = renamed.iter().filter(|raw| raw.only.iter().any(|id| id.0 == wager));
            law.renamed = Dated(facts.map(|raw| to_fact!(raw, raw.is.clone())).collect());
        }
        let mut errors = Vec::new();
        if let Some(felt) = &raw.felt {
            let own = |raw: &&raw::RawFelt| raw.only.as_ref().is_none_or(|only| only.iter().any(|id| id.0 == wager));
            let facts: Vec<Fact<String>> = felt.0.iter().filter(own).map(|raw| to_fact!(raw, raw.is.clone())).collect();
            if facts.iter().any(|fact| fact.is.trim().is_empty()) {
                errors.push("`felt` is empty: write the words that its area shows".to_owned());
            }
            set.fact(&mut law.felt, base.map(|b| &b.felt), "felt", Some(facts).filter(|facts| !facts.is_empty()));
        }
        set.fact(
            &mut law.offer,
            base.map(|b| &b.offer),
            "offer",
            raw.offer.as_ref().map(|d| d.0.iter().map(offer).collect()),
        );
        let make =
            |raw: &raw::RawMake| to_fact!(raw, Make { window: raw.is, fresh: raw.fresh, with: raw.with }, switch);
        set.fact(
            &mut law.make,
            base.map(|b| &b.make),
            "make",
            raw.make.as_ref().map(|d| d.0.iter().map(make).collect()),
        );
        set.fact(&mut law.raise, base.map(|b| &b.raise), "raise", raw.raise.as_ref().map(simple));
        set.fact(&mut law.lower, base.map(|b| &b.lower), "lower", raw.lower.as_ref().map(simple));
        let works = |raw: &raw::RawWorks| to_fact!(raw, Works { come_out: raw.come_out, call: raw.call }, switch);
        set.fact(
            &mut law.works,
            base.map(|b| &b.works),
            "works",
            raw.works.as_ref().map(|d| d.0.iter().map(works).collect()),
        );
        set.fact(&mut law.price, base.map(|b| &b.price), "price", raw.price.as_ref().map(simple));
        set.fact(&mut law.settled, base.map(|b| &b.settled), "settled", raw.settled.as_ref().map(simple));
        let area = |raw: &raw::RawArea| to_fact!(raw, AreaLaw { area: raw.is, key: raw.key.clone() });
        set.fact(
            &mut law.area,
            base.map(|b| &b.area),
            "area",
            raw.area.as_ref().map(|d| d.0.iter().map(area).collect()),
        );
        set.fact(&mut law.units, base.map(|b| &b.units), "units", raw.units.as_ref().map(simple));
        if let Some(raw) = &raw.odds {
            let odds = law.odds.get_or_insert_default();
            let before = base.and_then(|b| b.odds.as_ref());
            set.fact(&mut odds.least, before.map(|b| &b.least), "odds.least", raw.least.as_ref().map(simple));
            let most = |raw: &raw::RawMost| to_fact!(raw, raw.is);
            set.fact(
                &mut odds.most,
                before.map(|b| &b.most),
                "odds.most",
                raw.most.as_ref().map(|d| d.0.iter().map(most).collect()),
            );
            set.fact(&mut odds.cap, before.map(|b| &b.cap), "odds.cap", raw.cap.as_ref().map(simple));
            set.fact(&mut odds.excess, before.map(|b| &b.excess), "odds.excess", raw.excess.as_ref().map(simple));
            set.fact(
                &mut odds.table_max,
                before.map(|b| &b.table_max),
                "odds.table_max",
                raw.table_max.as_ref().map(simple),
            );
        }
        if let Some(raw) = &raw.commission {
            let commission = |raw: &raw::RawCommission| to_fact!(raw, charge(raw));
            set.fact(
                &mut law.commission,
                base.map(|b| &b.commission),
                "commission",
                Some(raw.iter().map(commission).collect()),
            );
        }
        if let Some(raw) = &raw.amount {
            let facts = raw.0.iter().filter_map(|raw| match amount(raw) {
                Ok(amount) => Some(to_fact!(raw, amount)),
                Err(message) => {
                    errors.push(message);
                    None
                }
            });
            let facts = facts.collect();
            set.fact(&mut law.amount, base.map(|b| &b.amount), "amount", Some(facts));
        }
        if let Some(pays) = &raw.pays {
            let own =
                pays.iter().filter(|raw| raw.only.as_ref().is_none_or(|only| only.iter().any(|id| id.0 == wager)));
            let facts = own.map(|raw| to_fact!(raw, pay_table(ranks, raw, &mut errors))).collect();
            set.fact(&mut law.pays, base.map(|b| &b.pays), "pays", Some(facts));
        }
        for (name, raw) in raw.dials.iter().flatten() {
            let fact: Fact<String> = to_fact!(raw, raw.is.clone(), switch);
            match Dial::find(name) {
                Err(error) => errors.push(format!("dial `{name}`: {error}")),
                Ok(dial) if !wager.wager().mechanic.dials().contains(&dial) => {
                    errors.push(format!("its mechanic has no dial `{name}`"));
                }
                Ok(_) if fact.days != Days::ALWAYS => {
                    errors.push(format!("dial `{name}` has days: a dial can't have `from` or `until`"));
                }
                Ok(dial) => {
                    if let Err(error) = Dials::default().turn(dial, &fact.is) {
                        errors.push(format!("dial `{name}`: {error}, found `{}`", fact.is));
                    }
                    law.dials.insert(dial, fact);
                }
            }
        }
        self.errors.extend(
            errors.into_iter().map(|message| LawError::at(source, span.clone(), format!("`{wager}`: {message}"))),
        );
    }

    fn modifiers(&mut self) -> Vec<Modifier> {
        let mut all = Vec::new();
        for (source, file) in &self.files.wagers {
            for raw in &file.modifier {
                let line = |raw: &raw::RawLine| {
                    let ids = |list: &[raw::WagerRef]| list.iter().map(|id| id.0).collect();
                    to_fact!(
                        raw,
                        ModifierLine {
                            wagers: ids(&raw.wagers),
                            parts: raw.parts.as_deref().map(ids),
                            on: raw.on,
                            pays: raw.pays.iter().map(|odds| odds.0).collect(),
                        }
                    )
                };
                let lines: Vec<Fact<ModifierLine>> = raw.line.iter().map(line).collect();
                if lines.iter().any(|fact| fact.is.pays.len() != lines[0].is.pays.len()) {
                    let message = format!("`{}`: every line needs the same number of levels", raw.id);
                    self.errors.push(LawError::at(source, locate(source, &raw.id), message));
                }
                let offer = Dated(raw.offer.0.iter().map(offer).collect());
                for message in bad_offers(&offer) {
                    let message = format!("`{}`: {message}", raw.id);
                    self.errors.push(LawError::at(source, locate(source, &raw.id), message));
                }
                all.push(Modifier {
                    draws: 1,
                    id: raw.id.clone(),
                    name: raw.name.clone(),
                    label: raw.label.clone(),
                    offer,
                    lines,
                });
            }
        }
        all
    }
}

/// Sets facts, and notes those that repeat the base.
struct Laying<'a> {
    wager: WagerId,
    repeated: &'a mut Vec<String>,
}

impl Laying<'_> {
    fn fact<T: PartialEq>(
        &mut self,
        target: &mut Dated<T>,
        base: Option<&Dated<T>>,
        name: &str,
        facts: Option<Vec<Fact<T>>>,
    ) {
        let Some(facts) = facts.map(Dated) else { return };
        if base == Some(&facts) {
            self.repeated.push(format!("wager {} {name}", self.wager));
        }
        *target = facts;
    }
}

fn simple<T: Clone>(dated: &raw::Dated<raw::RawFact<T>>) -> Vec<Fact<T>> {
    dated.0.iter().map(|raw| to_fact!(raw, raw.is.clone(), switch)).collect()
}

fn offer(raw: &raw::RawOffer) -> Fact<Offer> {
    let mut fact = to_fact!(
        raw,
        Offer {
            standing: raw.is,
            key: raw.key.clone(),
            games: raw.games.clone(),
            also: raw.also.as_ref().map(|also| (also.game, also.switch.clone())),
        }
    );
    fact.readings.extend(raw.also.iter().flat_map(|also| also.reading.clone()));
    fact
}

fn amount(raw: &raw::RawAmount) -> Result<Amount, String> {
    let range = match raw.is.as_str() {
        "house" => None,
        text => {
            let (low, high) = text
                .split_once("..")
                .ok_or_else(|| format!("amount: expected \"1..5\" or \"house\", found `{text}`"))?;
            let number = |t: &str| t.parse::<u32>().map_err(|_| format!("amount: expected a number, found `{t}`"));
            Some((number(low)?, number(high)?))
        }
    };
    Ok(Amount { range, step: raw.step, key: raw.key.clone() })
}

fn pay_table(ranks: Ranks, raw: &raw::RawPays, errors: &mut Vec<String>) -> PayTable {
    let mut prizes = BTreeMap::new();
    for (name, prize) in &raw.ranks {
        match ranks.find(name) {
            Some(rank) => {
                prizes.insert(rank, prize.0);
            }
            None => errors.push(format!("it has no rank `{name}`")),
        }
    }
    PayTable { table: raw.table.clone(), prizes }
}

fn blank(wager: WagerId) -> WagerLaw {
    WagerLaw {
        wager,
        name: String::new(),
        renamed: Dated::default(),
        felt: Dated::default(),
        offer: Dated::default(),
        make: Dated::default(),
        raise: Dated::default(),
        lower: Dated::default(),
        works: Dated::default(),
        price: Dated::default(),
        pays: Dated::default(),
        odds: None,
        commission: Dated::default(),
        settled: Dated::default(),
        area: Dated::default(),
        amount: Dated::default(),
        units: Dated::default(),
        dials: BTreeMap::new(),
    }
}

/// Reports records with the same name that apply on the same day.
fn twice_in_force<T>(
    source: &Source,
    records: &BTreeMap<String, Dated<T>>,
    alike: impl Fn(&Fact<T>, &Fact<T>) -> bool,
) -> Vec<LawError> {
    let clash = |name: &String| {
        LawError::at(source, locate(source, name), format!("two records of `{name}` apply on the same day"))
    };
    records.iter().filter(|(_, dated)| twice(&dated.0, &alike)).map(|(name, _)| clash(name)).collect()
}

fn answers(topic: Option<&Topic>, answer: &Answer) -> Result<(), String> {
    let topic = topic.ok_or("unknown topic: topics are defined in topics/*.toml")?;
    let known = |word: &String| topic.words.contains(word);
    let fits = match (topic.kind, answer) {
        (TopicKind::YesNo, Answer::YesNo(_))
        | (TopicKind::Count, Answer::Count(_))
        | (TopicKind::Text, Answer::Word(_)) => true,
        (TopicKind::Word, Answer::Word(word)) => known(word),
        (TopicKind::Words, Answer::Words(words)) => words.iter().all(known),
        _ => false,
    };
    let expected = match topic.kind {
        TopicKind::YesNo => "true or false".to_owned(),
        TopicKind::Count => "a number".to_owned(),
        TopicKind::Text => "text".to_owned(),
        TopicKind::Word => format!("one of: {}", topic.words.join(", ")),
        TopicKind::Words => format!("a list from: {}", topic.words.join(", ")),
    };
    // As the file has it: with quotes and underscores.
    let found = match answer {
        Answer::YesNo(yes) => yes.to_string(),
        Answer::Count(count) => count.to_string(),
        Answer::Word(word) => format!("{word:?}"),
        Answer::Words(words) => format!("{words:?}"),
    };
    if fits { Ok(()) } else { Err(format!("expected {expected}; found {found}")) }
}

/// Returns the place where a quoted name first appears in a text.
fn locate(source: &Source, name: &str) -> std::ops::Range<usize> {
    let quoted = format!("\"{name}\"");
    source.text.find(&quoted).map_or(0..0, |at| at..at + quoted.len())
}
