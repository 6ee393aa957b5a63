//! A small lexer for Rust. It separates code from comments and literals.

/// Kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or a keyword.
    Word,
    Number,
    Lifetime,
    /// A string literal of any kind; the token's text is its value.
    Text,
    /// A character or byte literal; the token's text is the part between the quotes.
    Char,
    /// Any other single character.
    Mark,
}

/// A token and the line that it starts on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: String,
    pub(crate) line: usize,
}

impl Token {
    /// Returns true if the token is this word or mark, and not a literal with the same text.
    pub(crate) fn is(&self, code: &str) -> bool {
        !matches!(self.kind, Kind::Text | Kind::Char) && self.text == code
    }
}

/// Returns the positions where the tokens of `pattern` occur in `code`, regardless of spacing.
pub(crate) fn find(code: &[Token], pattern: &str) -> Vec<usize> {
    let pattern = lex(pattern);
    let same = |(a, b): (&Token, &Token)| a.kind == b.kind && a.text == b.text;
    let windows = code.windows(pattern.len()).enumerate();
    windows.filter(|(_, window)| window.iter().zip(&pattern).all(same)).map(|(at, _)| at).collect()
}

/// Splits a text into tokens, without comments.
pub(crate) fn lex(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { chars: text.chars().collect(), at: 0, line: 1 };
    let mut tokens = Vec::new();
    while let Some(c) = lexer.peek(0) {
        let line = lexer.line;
        if c.is_whitespace() {
            lexer.bump();
        } else if lexer.reads("//") {
            lexer.take_while(|c| c != '\n');
        } else if lexer.reads("/*") {
            lexer.block_comment();
        } else {
            let (kind, text) = lexer.token(c);
            tokens.push(Token { kind, text, line });
        }
    }
    tokens
}

struct Lexer {
    chars: Vec<char>,
    at: usize,
    line: usize,
}

impl Lexer {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn reads(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(ahead, c)| self.peek(ahead) == Some(c))
    }

    fn bump(&mut self) -> Option<char> {
        let c = self.peek(0)?;
        self.at += 1;
        self.line += usize::from(c == '\n');
        Some(c)
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.bump();
        }
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(c) = self.peek(0).filter(|c| belongs(*c)) {
            taken.push(c);
            self.bump();
        }
        taken
    }

    /// Skips a block comment. Block comments nest.
    fn block_comment(&mut self) {
        let mut depth = 0;
        loop {
            if self.reads("/*") {
                depth += 1;
                self.skip(2);
            } else if self.reads("*/") {
                depth -= 1;
                self.skip(2);
            } else if self.bump().is_none() {
                return;
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn token(&mut self, c: char) -> (Kind, String) {
        let in_word = |c: char| c.is_alphanumeric() || c == '_';
        if let Some(text) = self.string() {
            return (Kind::Text, text);
        }
        if self.reads("b'") {
            self.bump();
            return (Kind::Char, self.character());
        }
        if c == '\'' {
            let closed = self.peek(1) == Some('\\') || self.peek(2) == Some('\'');
            if closed {
                return (Kind::Char, self.character());
            }
            self.bump();
            return (Kind::Lifetime, self.take_while(in_word));
        }
        if c.is_ascii_digit() {
            let mut number = self.take_while(in_word);
            // A dot belongs to the number only before a digit, unlike in `1..6` and `1.max(2)`.
            if self.peek(0) == Some('.') && self.peek(1).is_some_and(|c| c.is_ascii_digit()) {
                self.bump();
                number = format!("{number}.{}", self.take_while(in_word));
            }
            return (Kind::Number, number);
        }
        if self.reads("r#") && self.peek(2).is_some_and(in_word) {
            self.skip(2);
        }
        let word = self.take_while(in_word);
        if word.is_empty() {
            (Kind::Mark, self.bump().map(String::from).unwrap_or_default())
        } else {
            (Kind::Word, word)
        }
    }

    /// Reads a string literal with any prefix, if one starts here.
    fn string(&mut self) -> Option<String> {
        let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
            let quote = |c| c == '"' || (prefix.ends_with('r') && c == '#');
            self.reads(prefix) && self.peek(prefix.len()).is_some_and(quote)
        })?;
        let raw = prefix.ends_with('r');
        let hashes = (0..).take_while(|ahead| self.peek(prefix.len() + ahead) == Some('#')).count();
        if self.peek(prefix.len() + hashes) != Some('"') {
            return None;
        }
        self.skip(prefix.len() + hashes + 1);
        let end = format!("\"{}", "#".repeat(hashes));
        let mut text = String::new();
        while self.peek(0).is_some() && !self.reads(&end) {
            match self.bump() {
                Some('\\') if !raw => text.extend(self.escape()),
                c => text.extend(c),
            }
        }
        self.skip(end.len());
        Some(text)
    }

    /// Reads an escape after its backslash. Returns None for an escaped line break.
    fn escape(&mut self) -> Option<char> {
        match self.bump()? {
            'n' => Some('\n'),
            't' => Some('\t'),
            'r' => Some('\r'),
            '0' => Some('\0'),
            'x' => {
                let code: String = [self.bump()?, self.bump()?].iter().collect();
                u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)
            }
            'u' => {
                self.bump();
                let code = self.take_while(|c| c != '}').replace('_', "");
                self.bump();
                u32::from_str_radix(&code, 16).ok().and_then(char::from_u32)
            }
            '\n' => {
                self.take_while(char::is_whitespace);
                None
            }
            c => Some(c),
        }
    }

    fn character(&mut self) -> String {
        self.bump();
        let mut text = String::new();
        while let Some(c) = self.bump().filter(|c| *c != '\'') {
            text.push(c);
            if c == '\\' {
                text.extend(self.bump());
            }
        }
        text
    }
}

#[test]
fn comments_of_every_kind_are_no_code() {
    let text = "//! a\n/// b\nx // c\n/* d /* e */ \" */ y /** f */ /*! g */ z";
    let tokens = lex(text);
    let words: Vec<(&str, usize)> = tokens.iter().map(|token| (token.text.as_str(), token.line)).collect();
    assert_eq!(words, [("x", 3), ("y", 4), ("z", 4)]);
}

#[test]
fn literals_are_read_as_the_compiler_reads_them() {
    let rows = [
        (r#""a // \" b""#, Kind::Text, "a // \" b"),
        ("\"one \\\n     two\"", Kind::Text, "one two"),
        (r#""\x41\u{42}\t""#, Kind::Text, "AB\t"),
        (r##"r#"a "\ b"#"##, Kind::Text, r#"a "\ b"#),
        (r#"br"\""#, Kind::Text, "\\"),
        (r#"b"x""#, Kind::Text, "x"),
        (r#"c"x""#, Kind::Text, "x"),
        ("'\"'", Kind::Char, "\""),
        (r"'\''", Kind::Char, r"\'"),
        ("b'x'", Kind::Char, "x"),
        ("'static", Kind::Lifetime, "static"),
        ("1_000u64", Kind::Number, "1_000u64"),
        ("1.5", Kind::Number, "1.5"),
        ("r#type", Kind::Word, "type"),
        ("brr", Kind::Word, "brr"),
    ];
    for (text, kind, value) in rows {
        assert_eq!(lex(text), [Token { kind, text: value.to_owned(), line: 1 }], "{text}");
    }
    assert_eq!(lex("1..6").len(), 4);
    assert_eq!(lex("<'a>('b', 'c')").iter().filter(|token| token.kind == Kind::Char).count(), 2);
}

#[test]
fn a_pattern_is_found_in_code_and_not_in_quotes() {
    let code = lex("a\n    . unwrap ( ); \".unwrap()\"");
    assert_eq!(find(&code, ".unwrap()"), [1]);
}
