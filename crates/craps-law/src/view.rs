//! Books as plain serializable data: names, values and citations as text, for pages and programs that show or compare books.

use crate::fact::RuleBook;
use crate::lines::{AsOf, Line, diff};
use crate::raw::{Reading, Section, Topic};
use crate::{Cite, Cites, Day, Days, Library};
use serde::Serialize;

/// A short description of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookView {
    /// Id, such as `nj`.
    pub book: String,
    /// Name for readers, such as `New Jersey`.
    pub name: String,
    /// Title of the regulation that it encodes.
    pub text: String,
    /// Games that the book allows. The first one is the default.
    pub games: Vec<&'static str>,
    /// Id of the book that it is based on.
    pub based_on: Option<String>,
    /// First day of the book, if the regulation gives one.
    pub in_force_from: Option<String>,
    /// Number of wagers.
    pub wagers: usize,
    /// Number of sections.
    pub sections: usize,
    /// Number of readings.
    pub readings: usize,
}

/// A section with everything that depends on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SectionView {
    /// Citation, such as `PA 623a.3`.
    pub cite: String,
    /// Title in our words.
    pub title: String,
    /// Summary in our words.
    pub gist: String,
    /// Why no rule here depends on it, if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decides_nothing: Option<String>,
    /// Paragraphs of the section.
    pub parts: Vec<PartView>,
    /// Facts that cite it.
    pub facts: Vec<FactView>,
    /// Readings that cite it.
    pub readings: Vec<ReadingView>,
    /// The facts and readings by paragraph: first those of the section as a whole, then those of each of its parts.
    #[serde(skip)]
    pub under: Vec<UnderView>,
    /// Full citation of what was asked for: the section, or a paragraph such as `PA 623a.3(a)`. For a paragraph, only what is about it
    /// is listed.
    #[serde(skip)]
    pub place: String,
}

/// The facts and readings of a section that are about one of its parts. Each is under the innermost part that it cites.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct UnderView {
    /// Citation of the part. `None` for the section as a whole.
    pub part: Option<String>,
    /// Places in the list of the section's facts, from 0.
    pub facts: Vec<usize>,
    /// Places in the list of the section's readings, from 0.
    pub readings: Vec<usize>,
}

impl UnderView {
    /// Sorts facts and readings by the part that they cite.
    fn list(section: &Section, parts: &[PartView], facts: &[&Line], readings: &[&Reading]) -> Vec<UnderView> {
        let whole = std::iter::once(None);
        let mut all: Vec<UnderView> = whole
            .chain(parts.iter().map(|part| Some(part.cite.clone())))
            .map(|part| UnderView { part, ..UnderView::default() })
            .collect();
        // The first of the parts that hold it, unless another one is inside. A range of paragraphs is under its first.
        let innermost = |cite: &Cite| {
            let holds: Vec<(usize, Cite)> = (1..)
                .zip(parts)
                .filter(|(_, part)| cite.as_str() == part.cite || cite.is_in(&part.cite))
                .map(|(at, part)| (at, Cite::new(&part.cite)))
                .collect();
            let is_inside = |outer: &Cite| holds.iter().any(|(_, one)| one != outer && one.is_in(outer.as_str()));
            holds.iter().find(|(_, part)| !is_inside(part)).map(|(at, _)| *at)
        };
        let place = |cites: &Cites| {
            cites.iter().filter(|cite| cite.is_in(&section.cite)).find_map(innermost).unwrap_or_default()
        };
        for (at, line) in facts.iter().enumerate() {
            all[place(&line.cites)].facts.push(at);
        }
        for (at, reading) in readings.iter().enumerate() {
            all[place(&reading.cites)].readings.push(at);
        }
        all
    }
}

/// A paragraph of a section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PartView {
    /// Citation, such as `PA 623a.3(a)`.
    pub cite: String,
    /// Summary in our words.
    pub gist: String,
    /// Why no rule here depends on it, if none does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decides_nothing: Option<String>,
}

/// One fact of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct FactView {
    /// What it is about: a wager's slug, a house key, a topic, or `book`.
    pub subject: String,
    /// Aspect of the subject, such as `make` or `pays`.
    pub aspect: String,
    /// Value as text.
    pub value: String,
    /// Citations, separated by commas.
    pub cite: String,
    /// Days on which it applies, such as `always` or `from 2021-09-04`.
    pub days: String,
    /// Ids of the readings it depends on.
    pub readings: Vec<String>,
    /// What the program does with it: `acts`, `judged`, `paper` or `recorded`.
    pub mark: &'static str,
    /// Why it is only recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl From<Line> for FactView {
    fn from(line: Line) -> FactView {
        FactView {
            subject: line.subject,
            aspect: line.aspect.to_string(),
            value: line.value,
            cite: line.cites.to_string(),
            days: line.days.to_string(),
            mark: line.mark.word(),
            why: line.why,
            readings: line.readings,
        }
    }
}

/// How we read an unclear point of the law.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReadingView {
    /// Id, such as `A-54`.
    pub id: String,
    /// Question that the text leaves open.
    pub asks: String,
    /// Citations of the sections that leave it open.
    pub cite: String,
    /// The reading that we use.
    pub taken: String,
    /// The reading that we don't use.
    pub rejected: String,
    /// Reason for the choice.
    pub why: String,
    /// House keys that choose the other reading.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub switch: Vec<String>,
    /// Default of these keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<String>,
}

impl From<&Reading> for ReadingView {
    fn from(reading: &Reading) -> ReadingView {
        let Reading { id, asks, cites, taken, rejected, why, switch, default } = reading.clone();
        ReadingView { id, asks, cite: cites.to_string(), taken, rejected, why, switch, default }
    }
}

/// A question about procedure, with the answers of a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TopicView {
    /// Name, such as `bets.deadline`.
    pub topic: String,
    /// The question.
    pub asks: String,
    /// Subject that it belongs to, such as `Making bets`.
    pub area: String,
    /// Answers, each with its citations and days.
    pub answers: Vec<SideView>,
}

/// A whole book: every section, reading and answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct BookPage {
    /// Short description of the book.
    #[serde(flatten)]
    pub book: BookView,
    /// A day on which everything that its sample houses offer is in force.
    pub sample_day: String,
    /// Day for which it is shown. `None`: everything it ever contained.
    pub as_of: Option<String>,
    /// Days on which something starts or ends, in order.
    pub days: Vec<String>,
    /// Sections of the book.
    pub contents: Vec<SectionView>,
    /// All readings of the book.
    pub read: Vec<ReadingView>,
    /// Answers about procedure.
    pub topics: Vec<TopicView>,
}

/// A wager under one book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct WagerView {
    /// Id, such as `place-win-6`.
    pub wager: String,
    /// Codes of its bets in game files.
    pub codes: Vec<String>,
    /// Family of the wager, such as `place-win`.
    pub family: &'static str,
    /// Id without the number at its end. Wagers that differ only in their number have the same.
    pub stem: &'static str,
    /// Name in the book.
    pub name: String,
    /// Everything that the book says about it.
    pub facts: Vec<FactView>,
}

/// A difference between two books.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DifferenceView {
    /// Subjects that have this same difference.
    pub subjects: Vec<String>,
    /// Aspect that differs, such as `make` or `pays`.
    pub aspect: String,
    /// The question, if the difference is about procedure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub asks: Option<String>,
    /// Subject of the question, such as `Making bets`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub area: Option<String>,
    /// Values in the first book. Empty if it says nothing.
    pub left: Vec<SideView>,
    /// Values in the second book.
    pub right: Vec<SideView>,
}

/// One value in a book.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SideView {
    /// Value as text.
    pub value: String,
    /// Citations, separated by commas.
    pub cite: String,
    /// Days on which it applies, such as `always` or `from 2021-09-04`.
    pub days: String,
}

impl SideView {
    fn new(value: &str, cites: &Cites, days: Days) -> SideView {
        SideView { value: value.to_owned(), cite: cites.to_string(), days: days.to_string() }
    }
}

/// All differences between two books.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct DiffView {
    /// Id of the first book.
    pub left: String,
    /// Id of the second book.
    pub right: String,
    /// Day of the first book. `None`: everything it ever contained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_as_of: Option<String>,
    /// Day of the second book.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub right_as_of: Option<String>,
    /// List of differences.
    pub differences: Vec<DifferenceView>,
}

/// The result of a look-up in a book: a section or a reading.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum Shown {
    /// A section or one of its paragraphs.
    Section(SectionView),
    /// A reading.
    Reading(ReadingView),
}

/// The error for a section or reading that a book doesn't have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{book} has no section or reading `{asked}`: expected A-nn or one of {}", .known.join(", "))]
pub struct NoSuchSection {
    /// Id of the book.
    pub book: String,
    /// Name that was asked for.
    pub asked: String,
    /// Sections of the book.
    pub known: Vec<String>,
}

impl RuleBook {
    /// Returns a short description of the book.
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

    /// Looks up a section, a paragraph or a reading by its name: `623a.4`, with or without the book's prefix, or `A-54`. The result has the
    /// facts of the day, or all facts there ever were.
    ///
    /// ```
    /// use craps_law::{Library, view::Shown};
    /// let library = Library::shipped();
    /// let Shown::Section(section) = library.named("pa")?.show("623a.4", None)? else { panic!() };
    /// assert_eq!(section.cite, "PA 623a.4");
    /// assert!(library.named("pa")?.show("1.1", None).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the book has nothing with this name. The error lists the sections.
    pub fn show(&self, asked: &str, on: Option<Day>) -> Result<Shown, NoSuchSection> {
        if let Some(reading) = self.readings.get(asked) {
            return Ok(Shown::Reading(reading.into()));
        }
        let prefixed = self.prefixes().iter().any(|prefix| asked.starts_with(&format!("{prefix} ")));
        let place = if prefixed { asked.to_owned() } else { format!("{} {asked}", self.prefix) };
        let Some(found) = self.resolve(&Cite::new(&place)) else {
            let known = self.sections.iter().map(|section| section.cite.clone()).collect();
            return Err(NoSuchSection { book: self.id.clone(), asked: asked.to_owned(), known });
        };
        Ok(Shown::Section(self.section(found, &place, &self.lines(on))))
    }

    fn section(&self, section: &Section, place: &str, lines: &[Line]) -> SectionView {
        let whole = place == section.cite;
        let parts = section.part.iter().map(|part| (format!("{}{}", section.cite, part.at), part));
        let parts = parts.filter(|(cite, _)| whole || Cite::new(cite).touches(place));
        let parts: Vec<PartView> = parts
            .map(|(cite, part)| PartView {
                cite,
                gist: part.gist.clone(),
                decides_nothing: part.decides_nothing.clone(),
            })
            .collect();
        let is_here = |cites: &Cites| cites.iter().any(|cite| cite.is_in(place));
        let facts: Vec<&Line> = lines.iter().filter(|line| is_here(&line.cites)).collect();
        let readings: Vec<&Reading> = self.readings.values().filter(|reading| is_here(&reading.cites)).collect();
        SectionView {
            under: UnderView::list(section, &parts, &facts, &readings),
            place: place.to_owned(),
            cite: section.cite.clone(),
            title: section.title.clone(),
            gist: section.gist.clone(),
            decides_nothing: section.decides_nothing.clone(),
            parts,
            facts: facts.into_iter().cloned().map(FactView::from).collect(),
            readings: readings.into_iter().map(ReadingView::from).collect(),
        }
    }

    /// Returns every section with the facts that cite it, on a day or ever.
    #[must_use]
    pub fn contents(&self, on: Option<Day>) -> Vec<SectionView> {
        let lines = self.lines(on);
        self.sections.iter().map(|section| self.section(section, &section.cite, &lines)).collect()
    }

    /// Returns the wagers of this book in catalogue order.
    #[must_use]
    pub fn wagers_view(&self) -> Vec<WagerView> {
        let lines = self.lines(None);
        let view = |law: &crate::WagerLaw| {
            let wager = law.wager.wager();
            WagerView {
                wager: wager.slug.to_owned(),
                codes: wager.names().into_iter().map(|name| name.code).collect(),
                family: wager.family.name(),
                stem: wager.stem(),
                name: law.name_on(Some(self.sample_day)).to_owned(),
                facts: lines.iter().filter(|line| line.subject == wager.slug).cloned().map(FactView::from).collect(),
            }
        };
        self.wagers.values().map(view).collect()
    }
}

impl Library {
    /// Returns a whole book as of a day.
    #[must_use]
    pub fn page(&self, book: &RuleBook, on: Option<Day>) -> BookPage {
        let known =
            |name: &String, of: fn(&Topic) -> &String| self.topics.get(name).map(of).cloned().unwrap_or_default();
        let topic = |(name, dated): (&String, &crate::Dated<crate::Rule>)| TopicView {
            topic: name.clone(),
            asks: known(name, |topic| &topic.asks),
            area: known(name, |topic| &topic.area),
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

    /// Compares two books, each as of a day or over all days. Differences in procedure come with their question.
    #[must_use]
    pub fn diff(&self, left: AsOf<'_>, right: AsOf<'_>) -> DiffView {
        let day = |(_, on): AsOf<'_>| on.map(|on| on.to_string());
        let side = |side: &[(String, Cites, Days)]| {
            side.iter().map(|(value, cites, days)| SideView::new(value, cites, *days)).collect()
        };
        let view = |difference: crate::Difference| {
            let topic = difference.subjects.first().and_then(|subject| self.topics.get(subject));
            DifferenceView {
                asks: topic.map(|topic| topic.asks.clone()),
                area: topic.map(|topic| topic.area.clone()),
                left: side(&difference.left),
                right: side(&difference.right),
                subjects: difference.subjects,
                aspect: difference.aspect.to_string(),
            }
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
