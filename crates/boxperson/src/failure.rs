//! What goes wrong, told with file, line and what was expected.

use craps_law::{LawError, Source};
use miette::{Diagnostic, LabeledSpan, MietteHandlerOpts, NamedSource};
use std::fmt::Write as _;
use std::process::ExitCode;

/// Bad usage or bad input: everything that exits with 2.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A mistake in a text, with the text.
    #[error("{} mistake(s) in the input", .0.len())]
    Texts(Vec<(LawError, Option<String>)>),
    /// Something else, in words.
    #[error("{0}")]
    Usage(String),
    /// A file that could not be read.
    #[error("{path}: {error}")]
    File {
        /// The file.
        path: String,
        /// What the system said.
        error: std::io::Error,
    },
    /// Output that could not be written.
    #[error(transparent)]
    Output(#[from] std::io::Error),
}

impl Failure {
    /// Mistakes, each shown in the source it is in.
    pub(crate) fn in_sources(errors: Vec<LawError>, sources: &[Source]) -> Failure {
        let text = |error: &LawError| {
            sources.iter().find(|source| source.path == error.path).map(|source| source.text.clone())
        };
        Failure::Texts(errors.into_iter().map(|error| (error.clone(), text(&error))).collect())
    }

    /// Writes the report to standard error and gives the exit code.
    pub(crate) fn report(self) -> ExitCode {
        // Messages stay on one line each, so that they can be searched and never break a date in two.
        // Setting them fails only if they are set already.
        let _ = miette::set_hook(Box::new(|_| Box::new(MietteHandlerOpts::new().wrap_lines(false).build())));
        let mut report = String::new();
        match self {
            // A reader that has had enough is no failure.
            Failure::Output(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return ExitCode::SUCCESS,
            Failure::Texts(errors) => {
                for (error, text) in errors {
                    let source = text.map(|text| NamedSource::new(&error.path, text));
                    let _ = writeln!(report, "{:?}", miette::Report::new(TextError { error, source }));
                }
            }
            other => {
                let _ = writeln!(report, "boxperson: {other}");
            }
        }
        // Nowhere is left to report a failure to report.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), report.as_bytes());
        ExitCode::from(2)
    }
}

/// One mistake, drawn in the text it is in.
#[derive(Debug)]
struct TextError {
    error: LawError,
    source: Option<NamedSource<String>>,
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The place is said in plain words too: a picture is hard to search.
        self.error.fmt(f)
    }
}

impl std::error::Error for TextError {}

impl Diagnostic for TextError {
    fn source_code(&self) -> Option<&dyn miette::SourceCode> {
        self.source.as_ref().map(|source| source as &dyn miette::SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        let (start, end) = self.error.span?;
        let label = LabeledSpan::new(Some("here".to_owned()), start, end.saturating_sub(start));
        Some(Box::new(std::iter::once(label)))
    }
}
