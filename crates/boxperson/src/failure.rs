//! Errors of the command line, reported with file, line and what was expected.

use craps_law::{LawError, Source};
use miette::{Diagnostic, LabeledSpan, MietteHandlerOpts, NamedSource};
use std::fmt::Write as _;
use std::process::ExitCode;

/// An error that ends the program with exit code 2: bad usage or bad input.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Mistakes in input files, each with the text of its file if it is known.
    #[error("{} mistake(s) in the input", .0.len())]
    Texts(Vec<(LawError, Option<String>)>),
    /// Any other error, as a message.
    #[error("{0}")]
    Usage(String),
    /// A file that could not be read or written.
    #[error("{path}: {error}")]
    File {
        /// Path as it is shown to the user.
        path: String,
        /// Error from the operating system.
        error: std::io::Error,
    },
    /// Output that could not be written.
    #[error(transparent)]
    Output(#[from] std::io::Error),
}

impl Failure {
    /// Makes a failure of several mistakes and finds the source text of each, so that the report can point at it.
    pub(crate) fn in_sources(errors: Vec<LawError>, sources: &[Source]) -> Failure {
        let text = |error: &LawError| {
            sources.iter().find(|source| source.path == error.path).map(|source| source.text.clone())
        };
        Failure::Texts(errors.into_iter().map(|error| (error.clone(), text(&error))).collect())
    }

    /// Writes the report to standard error and returns the exit code.
    pub(crate) fn report(self) -> ExitCode {
        // Messages are not wrapped, so that they can be searched and dates stay whole.
        // Setting the hook fails only if it is set already.
        let _ = miette::set_hook(Box::new(|_| Box::new(MietteHandlerOpts::new().wrap_lines(false).build())));
        let mut report = String::new();
        match self {
            // The reader closed the pipe, for example `boxperson odds | head`. That is no error.
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
        // If standard error can't be written, there is nowhere left to report that.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), report.as_bytes());
        ExitCode::from(2)
    }
}

/// One mistake with its source text, for the report that points at it.
#[derive(Debug)]
struct TextError {
    error: LawError,
    source: Option<NamedSource<String>>,
}

impl std::fmt::Display for TextError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Print file:line:column in the message too, so that it can be searched.
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
