use std::fmt;

/// A text to read, with its name, which is usually a file path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// Name or path for error messages.
    pub path: String,
    /// Contents of the file.
    pub text: String,
}

/// A mistake in a book, a house file or another text: where it is, and what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawError {
    /// Path of the file.
    pub path: String,
    /// Byte range in the text, as start and end. `None` when the mistake concerns the whole file.
    pub span: Option<(usize, usize)>,
    /// Line, counted from 1. It is 0 when the mistake concerns the whole file.
    pub line: usize,
    /// Column in characters, counted from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl LawError {
    /// Makes an error for a byte range of a text.
    #[must_use]
    pub fn at(source: &Source, span: std::ops::Range<usize>, message: impl Into<String>) -> LawError {
        let before = source.text.get(..span.start).unwrap_or(&source.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let (path, message) = (source.path.clone(), message.into());
        LawError { path, span: Some((span.start, span.end)), line, column, message }
    }

    /// Makes an error for a whole file.
    #[must_use]
    pub fn of(path: impl Into<String>, message: impl Into<String>) -> LawError {
        LawError { path: path.into(), span: None, line: 0, column: 0, message: message.into() }
    }

    /// Converts an error of the TOML parser.
    #[must_use]
    pub fn toml(source: &Source, error: &toml::de::Error) -> LawError {
        let message = error.message().trim_end().replace('\n', "; ");
        match error.span() {
            Some(span) => LawError::at(source, span, message),
            None => LawError::of(&source.path, message),
        }
    }
}

impl fmt::Display for LawError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.line == 0 {
            write!(f, "{}: {}", self.path, self.message)
        } else {
            write!(f, "{}:{}:{}: {}", self.path, self.line, self.column, self.message)
        }
    }
}

impl std::error::Error for LawError {}
