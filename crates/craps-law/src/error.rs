use std::fmt;

/// A text that was handed in, with the name it goes by: a path as a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The name to report mistakes under.
    pub path: String,
    /// The text.
    pub text: String,
}

/// A mistake in a book, a house file or whatever else is handed in as a text: where, and what was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LawError {
    /// The file.
    pub path: String,
    /// Where in the text, in bytes, as start and end.
    pub span: Option<(usize, usize)>,
    /// Line, counted from one; zero when the mistake is of the whole file.
    pub line: usize,
    /// Column in characters, counted from one.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl LawError {
    /// A mistake at a place in a text.
    #[must_use]
    pub fn at(source: &Source, span: std::ops::Range<usize>, message: impl Into<String>) -> LawError {
        let before = source.text.get(..span.start).unwrap_or(&source.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let (path, message) = (source.path.clone(), message.into());
        LawError { path, span: Some((span.start, span.end)), line, column, message }
    }

    /// A mistake of a whole file.
    #[must_use]
    pub fn of(path: impl Into<String>, message: impl Into<String>) -> LawError {
        LawError { path: path.into(), span: None, line: 0, column: 0, message: message.into() }
    }

    /// What the reader of TOML found.
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
