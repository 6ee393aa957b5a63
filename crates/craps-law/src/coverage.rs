//! What the program does with each paragraph of a regulation: it acts on it, the check of a house judges by it, a document states it, or it is only
//! recorded, with the reason.

use crate::{Cite, Line, Mark, RuleBook};
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
    /// `acts`, `judged`, `paper`, `recorded`, or `decides nothing`.
    pub mark: &'static str,
    /// Why nothing depends on it, or why its facts are only recorded.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub why: Vec<String>,
    /// The facts behind the mark: the topic, house key, or wager and aspect.
    pub facts: Vec<String>,
}

/// How many paragraphs have each mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Counts {
    /// The program acts on it.
    pub acts: usize,
    /// The check of a house judges by it.
    pub judged: usize,
    /// A generated document states it.
    pub paper: usize,
    /// It is only recorded.
    pub recorded: usize,
    /// It decides nothing.
    pub decides_nothing: usize,
}

impl Counts {
    fn add(&mut self, mark: Option<Mark>) {
        *match mark {
            Some(Mark::Acts) => &mut self.acts,
            Some(Mark::Judged) => &mut self.judged,
            Some(Mark::Paper) => &mut self.paper,
            Some(Mark::Recorded) => &mut self.recorded,
            None => &mut self.decides_nothing,
        } += 1;
    }

    /// Adds other counts.
    #[must_use]
    pub const fn plus(self, other: Counts) -> Counts {
        Counts {
            acts: self.acts + other.acts,
            judged: self.judged + other.judged,
            paper: self.paper + other.paper,
            recorded: self.recorded + other.recorded,
            decides_nothing: self.decides_nothing + other.decides_nothing,
        }
    }

    /// Returns the number of paragraphs.
    #[must_use]
    pub const fn all(self) -> usize {
        self.acts + self.judged + self.paper + self.recorded + self.decides_nothing
    }
}

impl RuleBook {
    /// Returns what the program does with each paragraph of the book's own text.
    ///
    /// ```
    /// let library = craps_law::Library::shipped();
    /// let coverage = library.named("nj")?.coverage();
    /// let deadline = coverage.sections.iter().flat_map(|section| &section.paragraphs).find(|one| one.cite == "NJ 1.3(a)");
    /// assert_eq!(deadline.map(|one| one.mark), Some("acts"));
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
                        let (mark, paragraph) = self.paragraph(&lines, cite, gist, nothing.as_ref());
                        counts.add(mark);
                        paragraph
                    })
                    .collect();
                SectionCoverage { cite: section.cite.clone(), title: section.title.clone(), counts, paragraphs }
            })
            .collect();
        let counts = sections.iter().fold(Counts::default(), |sum, section| sum.plus(section.counts));
        Coverage { book: self.id.clone(), counts, sections }
    }

    /// Returns the mark of a paragraph: the strongest of the facts that cite it. None if it decides nothing. A paragraph that only a larger citation
    /// covers takes the facts of that citation.
    fn paragraph(
        &self,
        lines: &[Line],
        cite: String,
        gist: &str,
        nothing: Option<&String>,
    ) -> (Option<Mark>, Paragraph) {
        let cited = |holds: &dyn Fn(&Cite) -> bool| -> Vec<&Line> {
            lines.iter().filter(|line| line.cites.iter().any(holds)).collect()
        };
        let mut facts = cited(&|one| one.is_in(&cite));
        if facts.is_empty() {
            facts = cited(&|one| one.touches(&cite));
        }
        let mark = nothing.is_none().then(|| facts.iter().map(|line| line.mark).min().unwrap_or_default());
        let of_mark = facts.iter().filter(|line| Some(line.mark) == mark);
        let name = |line: &&&Line| match line.aspect {
            crate::Aspect::Rule | crate::Aspect::House => line.subject.clone(),
            ref aspect => format!("{} {aspect}", line.subject),
        };
        let mut names: Vec<String> = of_mark.clone().map(|line| name(&line)).collect();
        names.dedup();
        let reason = |line: &&Line| self.topics.get(&line.subject).and_then(|topic| topic.why.clone());
        let mut why: Vec<String> = match nothing {
            Some(reason) => vec![reason.clone()],
            None if mark == Some(Mark::Recorded) => of_mark.clone().filter_map(reason).collect(),
            None => Vec::new(),
        };
        why.dedup();
        let mark_word = mark.map_or("decides nothing", Mark::word);
        (mark, Paragraph { cite, gist: gist.to_owned(), mark: mark_word, why, facts: names })
    }
}
