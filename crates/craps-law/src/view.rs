//! Books as data, for whoever shows or compares them: names, words and citations as text, ready to be written out.

use crate::fact::RuleBook;
use crate::lines::{AsOf, Line, diff};
use crate::raw::{Reading, Section};
use crate::{Cite, Cites, Day, Days, Library};
use serde::Serialize;

/// A book in a few words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookView {
    /// Its id.
    pub book: String,
    /// What it is called.
    pub name: String,
    /// The text it encodes.
    pub text: String,
    /// Its games, the usual one first.
    pub games: Vec<&'static str>,
    /// The book it is based on.
    pub based_on: Option<String>,
    /// Its first day, where the text gives one.
    pub in_force_from: Option<String>,
    /// How many wagers it has.
    pub wagers: usize,
    /// How many sections.
    pub sections: usize,
    /// How many readings.
    pub readings: usize,
}

/// A section with everything that rests on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SectionView {
    /// How it is cited.
    pub cite: String,
    /// Its title.
    pub title: String,
    /// What it says, in few words.
    pub gist: String,
    /// Why it decides nothing, where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decides_nothing: Option<String>,
    /// Its parts.
    pub parts: Vec<PartView>,
    /// The facts that rest on it.
    pub facts: Vec<FactView>,
    /// The readings of it.
    pub readings: Vec<ReadingView>,
}

/// A part of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PartView {
    /// How it is cited.
    pub cite: String,
    /// What it says, in few words.
    pub gist: String,
    /// Why it decides nothing, where it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decides_nothing: Option<String>,
}

/// One fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FactView {
    /// What it is about.
    pub subject: String,
    /// Which aspect of it.
    pub aspect: String,
    /// What it is.
    pub value: String,
    /// By which words.
    pub cite: String,
    /// On which days.
    pub days: String,
    /// By which readings.
    pub readings: Vec<String>,
}

impl From<Line> for FactView {
    fn from(line: Line) -> FactView {
        FactView {
            subject: line.subject,
            aspect: line.aspect,
            value: line.value,
            cite: line.cites.to_string(),
            days: line.days.to_string(),
            readings: line.readings,
        }
    }
}

/// A reading of an unclear point.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReadingView {
    /// Its id.
    pub id: String,
    /// What is asked.
    pub asks: String,
    /// Of which words.
    pub cite: String,
    /// How they are read.
    pub taken: String,
    /// How they are not read.
    pub rejected: String,
    /// Why.
    pub why: String,
    /// The house keys that turn it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switch: Vec<String>,
    /// What they are when the house does not name them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl From<&Reading> for ReadingView {
    fn from(reading: &Reading) -> ReadingView {
        let Reading { id, asks, cites, taken, rejected, why, switch, default } = reading.clone();
        ReadingView { id, asks, cite: cites.to_string(), taken, rejected, why, switch, default }
    }
}

/// A question of procedure, and what a book answers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TopicView {
    /// Its name.
    pub topic: String,
    /// What is asked.
    pub asks: String,
    /// The answers, each with its words and days.
    pub answers: Vec<SideView>,
}

/// A book to read: every section, reading and answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookPage {
    /// The book.
    #[serde(flatten)]
    pub book: BookView,
    /// A day on which everything that its sample houses offer is in force.
    pub sample_day: String,
    /// The day as of which it is shown; none is everything it ever held.
    pub as_of: Option<String>,
    /// The days on which something begins to hold or no longer does, in order.
    pub days: Vec<String>,
    /// Its sections.
    pub contents: Vec<SectionView>,
    /// All its readings.
    pub read: Vec<ReadingView>,
    /// What it answers of procedure.
    pub topics: Vec<TopicView>,
}

/// A wager as one book has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerView {
    /// Its id.
    pub wager: String,
    /// The codes of its bets in games.
    pub codes: Vec<String>,
    /// Its family.
    pub family: &'static str,
    /// What the book calls it.
    pub name: String,
    /// Everything the book says of it.
    pub facts: Vec<FactView>,
}

/// A difference between two books.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DifferenceView {
    /// The subjects that differ alike.
    pub subjects: Vec<String>,
    /// The aspect.
    pub aspect: String,
    /// What is asked, where it is a question of procedure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
    /// What the first book says; empty where it is silent.
    pub left: Vec<SideView>,
    /// What the second book says.
    pub right: Vec<SideView>,
}

/// What a book says of something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SideView {
    /// What it is.
    pub value: String,
    /// By which words.
    pub cite: String,
    /// On which days.
    pub days: String,
}

impl SideView {
    fn new(value: &str, cites: &Cites, days: Days) -> SideView {
        SideView { value: value.to_owned(), cite: cites.to_string(), days: days.to_string() }
    }
}

/// Everything in which two books differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DiffView {
    /// The first book.
    pub left: String,
    /// The second.
    pub right: String,
    /// The day of the first; none is everything it ever held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_as_of: Option<String>,
    /// The day of the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_as_of: Option<String>,
    /// The differences.
    pub differences: Vec<DifferenceView>,
}

/// What can be looked up in a book: a section, or a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Shown {
    /// A section, or a part of one.
    Section(SectionView),
    /// A reading.
    Reading(ReadingView),
}

impl RuleBook {
    /// The book in a few words.
    #[must_use]
    pub fn view(&self) -> BookView {
        BookView {
            book: self.id.clone(),
            name: self.name.clone(),
            text: self.text.clone(),
            games: self.games.iter().map(|fact| fact.is.word()).collect(),
            based_on: self.based_on.clone(),
            in_force_from: self.in_force.as_ref().map(|first| first.from.to_string()),
            wagers: self.wagers.len(),
            sections: self.sections.len(),
            readings: self.readings.len(),
        }
    }

    /// A section, a part of one or a reading, by its name: `623a.4`, with or without the book's prefix, or `A-54`; with what holds on a day, or
    /// ever did.
    ///
    /// # Errors
    /// When the book has none of that name; then which there are.
    pub fn show(&self, asked: &str, on: Option<Day>) -> Result<Shown, String> {
        if let Some(reading) = self.readings.get(asked) {
            return Ok(Shown::Reading(reading.into()));
        }
        let prefixed = self.prefixes().iter().any(|prefix| asked.starts_with(&format!("{prefix} ")));
        let place = if prefixed { asked.to_owned() } else { format!("{} {asked}", self.prefix) };
        let Some(found) = self.resolve(&Cite::new(&place)) else {
            let known: Vec<&str> = self.sections.iter().map(|section| section.cite.as_str()).collect();
            let known = known.join(", ");
            return Err(format!("{} has no section or reading `{asked}`: expected A-nn or one of {known}", self.id));
        };
        Ok(Shown::Section(self.section(found, &place, &self.lines(on))))
    }

    fn section(&self, section: &Section, place: &str, lines: &[Line]) -> SectionView {
        let whole = place == section.cite;
        let parts = section.part.iter().map(|part| (format!("{}{}", section.cite, part.at), part));
        let parts = parts.filter(|(cite, _)| whole || Cite::new(cite).touches(place));
        let is_here = |cites: &Cites| cites.iter().any(|cite| cite.is_in(place));
        SectionView {
            cite: section.cite.clone(),
            title: section.title.clone(),
            gist: section.gist.clone(),
            decides_nothing: section.decides_nothing.clone(),
            parts: parts
                .map(|(cite, part)| PartView {
                    cite,
                    gist: part.gist.clone(),
                    decides_nothing: part.decides_nothing.clone(),
                })
                .collect(),
            facts: lines.iter().filter(|line| is_here(&line.cites)).cloned().map(FactView::from).collect(),
            readings: self.readings.values().filter(|reading| is_here(&reading.cites)).map(ReadingView::from).collect(),
        }
    }

    /// Every section with what rests on it on a day, or ever did.
    #[must_use]
    pub fn contents(&self, on: Option<Day>) -> Vec<SectionView> {
        let lines = self.lines(on);
        self.sections.iter().map(|section| self.section(section, &section.cite, &lines)).collect()
    }

    /// The wagers as this book has them, in catalogue order.
    #[must_use]
    pub fn wagers_view(&self) -> Vec<WagerView> {
        let lines = self.lines(None);
        let view = |law: &crate::WagerLaw| {
            let wager = law.wager.wager();
            WagerView {
                wager: wager.slug.to_owned(),
                codes: wager.names().into_iter().map(|name| name.code).collect(),
                family: wager.family.name(),
                name: law.name_on(Some(self.sample_day)).to_owned(),
                facts: lines.iter().filter(|line| line.subject == wager.slug).cloned().map(FactView::from).collect(),
            }
        };
        self.wagers.values().map(view).collect()
    }
}

impl Library {
    /// A book to read, as of a day.
    #[must_use]
    pub fn page(&self, book: &RuleBook, on: Option<Day>) -> BookPage {
        let topic = |(name, dated): (&String, &crate::Dated<crate::Rule>)| TopicView {
            topic: name.clone(),
            asks: self.topics.get(name).map(|topic| topic.asks.clone()).unwrap_or_default(),
            answers: dated
                .0
                .iter()
                .filter(|fact| fact.days.hold(on))
                .map(|fact| SideView::new(&fact.is.answer.to_string(), &fact.cites, fact.days))
                .collect(),
        };
        BookPage {
            book: book.view(),
            sample_day: book.sample_day.to_string(),
            as_of: on.map(|on| on.to_string()),
            days: book.turns().iter().map(ToString::to_string).collect(),
            contents: book.contents(on),
            read: book.readings.values().map(ReadingView::from).collect(),
            topics: book.rules.iter().map(topic).collect(),
        }
    }

    /// Everything in which two books differ, each as of a day or in all they ever held, with the questions that they answer otherwise.
    #[must_use]
    pub fn diff(&self, left: AsOf<'_>, right: AsOf<'_>) -> DiffView {
        let day = |(_, on): AsOf<'_>| on.map(|on| on.to_string());
        let side = |side: &[(String, Cites, Days)]| {
            side.iter().map(|(value, cites, days)| SideView::new(value, cites, *days)).collect()
        };
        let asks = |subjects: &[String]| Some(self.topics.get(subjects.first()?)?.asks.clone());
        let view = |difference: crate::Difference| DifferenceView {
            asks: asks(&difference.subjects),
            left: side(&difference.left),
            right: side(&difference.right),
            subjects: difference.subjects,
            aspect: difference.aspect,
        };
        DiffView {
            left: left.0.id.clone(),
            right: right.0.id.clone(),
            left_as_of: day(left),
            right_as_of: day(right),
            differences: diff(left, right).into_iter().map(view).collect(),
        }
    }
}
