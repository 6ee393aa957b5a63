//! The code that a crate ships: sources and build script, without comments and tests, and optionally without help examples.

use crate::lexer::{Kind, Token, find, lex};
use crate::repository::File;

/// A source file of a crate and its tokens.
pub(crate) struct Source<'a> {
    pub(crate) file: &'a File,
    pub(crate) code: Vec<Token>,
}

impl Source<'_> {
    /// Reports an offense at each of these tokens.
    pub(crate) fn at(&self, places: impl IntoIterator<Item = usize>, what: &str) -> Vec<String> {
        places.into_iter().map(|place| self.file.at(self.code[place].line, what)).collect()
    }

    /// Returns all string literals.
    pub(crate) fn literals(&self) -> impl Iterator<Item = &Token> {
        self.code.iter().filter(|token| token.kind == Kind::Text)
    }

    /// Returns the same file without the examples of its help text.
    pub(crate) fn without_help(self) -> Self {
        Source { file: self.file, code: without_help(&self.code) }
    }
}

/// Splits a path under `crates/` into the name of the crate and the rest.
pub(crate) fn crate_of(path: &str) -> Option<(&str, &str)> {
    path.strip_prefix("crates/")?.split_once('/')
}

/// Returns all Rust files under `crates/`, tests included.
pub(crate) fn rust(files: &[File]) -> Vec<Source<'_>> {
    let ours = files.iter().filter(|file| crate_of(&file.path).is_some() && file.path.ends_with(".rs"));
    ours.map(|file| Source { file, code: lex(&file.text) }).collect()
}

/// Returns all Rust files that a crate ships, without tests.
pub(crate) fn shipped(files: &[File]) -> Vec<Source<'_>> {
    let is_shipped =
        |path: &str| crate_of(path).is_some_and(|(_, rest)| rest.starts_with("src/") || rest == "build.rs");
    let mut sources: Vec<Source<'_>> = rust(files).into_iter().filter(|source| is_shipped(&source.file.path)).collect();
    let mut tests = Vec::new();
    for source in &mut sources {
        let (code, modules) = without_tests(&source.code);
        source.code = code;
        tests.extend(modules.iter().map(|module| module_path(&source.file.path, module)));
    }
    let in_test =
        |path: &str| tests.iter().any(|test| path == format!("{test}.rs") || path.starts_with(&format!("{test}/")));
    sources.into_iter().filter(|source| !in_test(&source.file.path)).collect()
}

/// Returns the path of a file's submodule, without the extension.
fn module_path(path: &str, module: &str) -> String {
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    match name {
        "lib.rs" | "main.rs" | "mod.rs" => format!("{folder}/{module}"),
        _ => format!("{}/{module}", path.trim_end_matches(".rs")),
    }
}

/// Removes items that are only compiled for tests. Also returns the names of test modules in files of their own.
fn without_tests(code: &[Token]) -> (Vec<Token>, Vec<String>) {
    const ITEMS: &[&str] = &["mod", "use", "fn", "impl", "const", "static", "struct", "enum", "trait", "type"];
    let (mut kept, mut modules, mut at) = (Vec::new(), Vec::new(), 0);
    while at < code.len() {
        let Some(end) = attribute(code, at) else {
            kept.push(code[at].clone());
            at += 1;
            continue;
        };
        let of_tests = ["#[cfg(test)]", "#[cfg(all(test,"].iter().any(|pattern| find(&code[at..end], pattern) == [0]);
        let mut item = end;
        while let Some(next) = attribute(code, item) {
            item = next;
        }
        if code.get(item).is_some_and(|token| token.is("pub")) {
            item += 1;
            if code.get(item).is_some_and(|token| token.is("(")) {
                item = until(code, item + 1, ")") + 1;
            }
        }
        if of_tests && code.get(item).is_some_and(|token| ITEMS.iter().any(|word| token.is(word))) {
            if let [module, name, end, ..] = &code[item..]
                && module.is("mod")
                && end.is(";")
            {
                modules.push(name.text.clone());
            }
            at = item_end(code, item);
        } else {
            kept.extend_from_slice(&code[at..end]);
            at = end;
        }
    }
    (kept, modules)
}

/// Removes constants named EXAMPLES and the values of `after_help` in attributes.
fn without_help(code: &[Token]) -> Vec<Token> {
    let (mut kept, mut at, mut attribute_end) = (Vec::new(), 0, 0);
    while at < code.len() {
        attribute_end = attribute(code, at).unwrap_or(attribute_end);
        let next = code.get(at + 1);
        let constant = (code[at].is("const") || code[at].is("static")) && next.is_some_and(|name| name.is("EXAMPLES"));
        let help =
            (code[at].is("after_help") || code[at].is("after_long_help")) && next.is_some_and(|mark| mark.is("="));
        if constant {
            at = until(code, at, ";");
        } else if help && at < attribute_end {
            at = until(code, at, ",");
        } else {
            kept.push(code[at].clone());
            at += 1;
        }
    }
    kept
}

/// Returns the end of an attribute that starts here.
fn attribute(code: &[Token], at: usize) -> Option<usize> {
    let open = at + if code.get(at + 1)?.is("!") { 2 } else { 1 };
    (code[at].is("#") && code.get(open)?.is("[")).then(|| until(code, open + 1, "]") + 1)
}

/// Returns the position of the next `mark` outside brackets, or of the bracket that closes the current group.
fn until(code: &[Token], from: usize, mark: &str) -> usize {
    let mut depth = 0_usize;
    for (at, token) in code.iter().enumerate().skip(from) {
        if depth == 0 && (token.is(mark) || is_close(token)) {
            return at;
        }
        depth = depth + usize::from(is_open(token)) - usize::from(is_close(token));
    }
    code.len()
}

/// Returns the position after the semicolon or block that ends the item.
fn item_end(code: &[Token], from: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in code.iter().enumerate().skip(from) {
        depth = (depth + usize::from(is_open(token))).saturating_sub(usize::from(is_close(token)));
        if depth == 0 && (token.is(";") || token.is("}")) {
            return at + 1;
        }
    }
    code.len()
}

fn is_open(token: &Token) -> bool {
    ["(", "[", "{"].iter().any(|mark| token.is(mark))
}

fn is_close(token: &Token) -> bool {
    [")", "]", "}"].iter().any(|mark| token.is(mark))
}

fn words(files: &[File]) -> Vec<String> {
    let sources = shipped(files).into_iter().map(Source::without_help);
    sources
        .flat_map(|source| source.code)
        .filter(|token| matches!(token.kind, Kind::Word | Kind::Text))
        .map(|token| token.text)
        .collect()
}

#[test]
fn tests_are_not_shipped() {
    let files = [
        File::new(
            "crates/a/src/lib.rs",
            "mod b; #[cfg(test)] mod checks; #[cfg(test)] #[allow(x)] mod t { fn f() { \"}\" } } fn g() {}",
        ),
        File::new("crates/a/src/checks.rs", "fn hidden() {}"),
        File::new("crates/a/src/checks/deep.rs", "fn hidden() {}"),
        File::new(
            "crates/a/src/b.rs",
            "#[cfg(all(test, unix))] pub(crate) mod t; #[cfg(not(test))] mod u {} #[cfg(test)] use x::{y, z}; fn h() {}",
        ),
        File::new("crates/a/src/b/t.rs", "fn hidden() {}"),
        File::new("crates/a/tests/c.rs", "fn hidden() {}"),
    ];
    assert_eq!(words(&files), ["mod", "b", "fn", "g", "cfg", "not", "test", "mod", "u", "fn", "h"]);
}

#[test]
fn help_examples_are_not_code_and_everything_else_is() {
    let text = "const EXAMPLES: &str = \"hidden; too\"; #[command(about, after_help = concat!(\"hidden\", \"hidden\"), long)] \
                let after_help = \"shown\"; static OTHER: &str = \"seen\";";
    let shown = words(&[File::new("crates/a/src/main.rs", text)]);
    assert_eq!(shown, ["command", "about", "long", "let", "after_help", "shown", "static", "OTHER", "str", "seen"]);
}
