//! What the program does with each paragraph of a regulation: it acts on it, the check of a house judges by it, a document states it, or it is only
//! recorded, with the reason.

use crate::{Aspect, Cite, Line, Mark, RuleBook};
use serde::Serialize;

/// How much of a book the program acts on, section by section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Coverage {
    /// Id of the book.
    pub book: String,
    /// The counts of all paragraphs.
    pub counts: Counts,
    /// The sections of the book's own text.
    pub sections: Vec<SectionCoverage>,
}

/// One section.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SectionCoverage {
    /// Citation of the section.
    pub cite: String,
    /// Title in our words.
    pub title: String,
    /// The counts of its paragraphs.
    pub counts: Counts,
    /// Its paragraphs. A section without parts is one paragraph.
    pub paragraphs: Vec<Paragraph>,
}

/// One paragraph.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Paragraph {
    /// Citation of the paragraph.
    pub cite: String,
    /// Summary in our words.
    pub gist: String,
    /// `acts`, `acts in part`, `judged`, `paper`, `recorded`, or `decides nothing`. It acts in part if some of its facts are only on
    /// paper or recorded.
    pub mark: &'static str,
    /// Why nothing depends on it, or why facts of it are only recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    /// The facts that come from it, the strongest mark first.
    pub facts: Vec<MarkedFact>,
}

/// A fact with its mark.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MarkedFact {
    /// The topic, house key, or wager and aspect.
    pub fact: String,
    /// `acts`, `judged`, `paper` or `recorded`.
    pub mark: &'static str,
}

/// How many paragraphs have each mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Counts {
    /// The program acts on all of it, or judges houses by the rest.
    pub acts: usize,
    /// The program acts on a part of it. The rest is on paper or recorded.
    pub acts_in_part: usize,
    /// The check of a house judges by it.
    pub judged: usize,
    /// A generated document states it.
    pub paper: usize,
    /// It is only recorded.
    pub recorded: usize,
    /// It decides nothing.
    pub decides_nothing: usize,
}

/// The mark of a whole paragraph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Whole {
    /// All of its facts have this mark, or this is the strongest.
    Of(Mark),
    /// The program acts on some of its facts, and others are on paper or recorded.
    InPart,
    /// It has no facts.
    Nothing,
}

impl Whole {
    /// Returns the mark of a paragraph with these facts.
    fn of(facts: &[&Line]) -> Whole {
        let idle = |line: &&Line| matches!(line.mark, Mark::Paper | Mark::Recorded);
        match facts.iter().map(|line| line.mark).min().unwrap_or_default() {
            Mark::Acts if facts.iter().any(idle) => Whole::InPart,
            mark => Whole::Of(mark),
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Whole::Of(mark) => mark.word(),
            Whole::InPart => "acts in part",
            Whole::Nothing => "decides nothing",
        }
    }
}

impl Counts {
    fn add(&mut self, whole: Whole) {
        *match whole {
            Whole::Of(Mark::Acts) => &mut self.acts,
            Whole::InPart => &mut self.acts_in_part,
            Whole::Of(Mark::Judged) => &mut self.judged,
            Whole::Of(Mark::Paper) => &mut self.paper,
            Whole::Of(Mark::Recorded) => &mut self.recorded,
            Whole::Nothing => &mut self.decides_nothing,
        } += 1;
    }

    /// Adds other counts.
    #[must_use]
    pub const fn plus(self, other: Counts) -> Counts {
        Counts {
            acts: self.acts + other.acts,
            acts_in_part: self.acts_in_part + other.acts_in_part,
            judged: self.judged + other.judged,
            paper: self.paper + other.paper,
            recorded: self.recorded + other.recorded,
            decides_nothing: self.decides_nothing + other.decides_nothing,
        }
    }

    /// Returns the number of paragraphs.
    #[must_use]
    pub const fn all(self) -> usize {
        self.acts + self.acts_in_part + self.judged + self.paper + self.recorded + self.decides_nothing
    }
}

impl RuleBook {
    /// Returns what the program does with each paragraph of the book's own text.
    ///
    /// ```
    /// let library = craps_law::Library::shipped();
    /// let coverage = library.named("nj")?.coverage();
    /// let deadline = coverage.sections.iter().flat_map(|section| &section.paragraphs).find(|one| one.cite == "NJ 1.3(a)");
    /// assert_eq!(deadline.map(|one| one.mark), Some("acts in part"));
    /// # Ok::<(), craps_law::NoSuchBook>(())
    /// ```
    #[must_use]
    pub fn coverage(&self) -> Coverage {
        let lines = self.lines(None);
        let own = |cite: &str| self.based_on.is_none() || self.own_sections.iter().any(|own| own == cite);
        let sections: Vec<SectionCoverage> = self
            .sections
            .iter()
            .filter(|section| own(&section.cite))
            .map(|section| {
                let mut counts = Counts::default();
                let whole = (section.cite.clone(), &section.gist, &section.decides_nothing);
                let parts = section
                    .part
                    .iter()
                    .map(|part| (format!("{}{}", section.cite, part.at), &part.gist, &part.decides_nothing));
                let places: Vec<_> = if section.part.is_empty() { vec![whole] } else { parts.collect() };
                let paragraphs = places
                    .into_iter()
                    .map(|(cite, gist, nothing)| {
                        let (whole, paragraph) = self.paragraph(&lines, cite, gist, nothing.as_ref());
                        counts.add(whole);
                        paragraph
                    })
                    .collect();
                SectionCoverage { cite: section.cite.clone(), title: section.title.clone(), counts, paragraphs }
            })
            .collect();
        let counts = sections.iter().fold(Counts::default(), |sum, section| sum.plus(section.counts));
        Coverage { book: self.id.clone(), counts, sections }
    }

    /// Returns the mark of a paragraph and the facts that cite it. A paragraph that only a larger citation covers takes the facts of that citation.
    /// When a text was amended is about the text, not about what it says.
    fn paragraph(&self, lines: &[Line], cite: String, gist: &str, nothing: Option<&String>) -> (Whole, Paragraph) {
        let cited = |holds: &dyn Fn(&Cite) -> bool| -> Vec<&Line> {
            let says = |line: &&Line| !matches!(line.aspect, Aspect::Amended(_));
            lines.iter().filter(says).filter(|line| line.cites.iter().any(holds)).collect()
        };
        let mut facts = cited(&|one| one.is_in(&cite));
        if facts.is_empty() {
            facts = cited(&|one| one.touches(&cite));
        }
        facts.sort_by_key(|line| line.mark);
        let whole = if nothing.is_some() { Whole::Nothing } else { Whole::of(&facts) };
        let mut why: Vec<String> = match nothing {
            Some(reason) => vec![reason.clone()],
            None => facts.iter().filter_map(|line| line.why.clone()).collect(),
        };
        why.dedup();
        let marked = |line: &&Line| {
            let fact = match &line.aspect {
                Aspect::Rule | Aspect::House => line.subject.clone(),
                aspect => format!("{} {aspect}", line.subject),
            };
            MarkedFact { fact, mark: line.mark.word() }
        };
        let mut facts: Vec<MarkedFact> = facts.iter().map(marked).collect();
        facts.dedup();
        (whole, Paragraph { cite, gist: gist.to_owned(), mark: whole.word(), why, facts })
    }
}
