//! The text files of the repository, and the report of offenses.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

/// A text file. Its path is relative to the root and uses slashes.
#[derive(Debug)]
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    pub(crate) fn new(path: &str, text: &str) -> File {
        File { path: path.to_owned(), text: text.to_owned() }
    }

    /// Writes an offense in this file as `path:line: what`.
    pub(crate) fn at(&self, line: usize, what: impl AsRef<str>) -> String {
        format!("{}:{line}: {}", self.path, what.as_ref())
    }

    /// Calls `judge` for each line and returns the offenses that it reports.
    pub(crate) fn judge_lines(&self, judge: impl Fn(&str) -> Option<String>) -> Vec<String> {
        let lines = self.text.lines().enumerate();
        lines.filter_map(|(at, line)| judge(line).map(|what| self.at(at + 1, what))).collect()
    }

    /// Returns the number of the first line that starts with one of these words, or 1.
    pub(crate) fn line_of(&self, starts: &[&str]) -> usize {
        let starts_so = |line: &str| starts.iter().any(|start| line.trim_start().starts_with(start));
        self.text.lines().position(starts_so).map_or(1, |at| at + 1)
    }
}

/// Returns the root folder of the repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask/ is in the root folder")
}

/// Returns all text files that git tracks or would track.
pub(crate) fn files() -> &'static [File] {
    static FILES: LazyLock<Vec<File>> = LazyLock::new(|| {
        let paths = listed_by_git().unwrap_or_else(|| {
            let mut paths = Vec::new();
            walk(root(), &mut paths);
            paths
        });
        // Skip files that aren't text, and deleted files that are still in the index.
        let read = |path: String| fs::read_to_string(root().join(&path)).ok().map(|text| File { path, text });
        let mut files: Vec<File> = paths.into_iter().filter_map(read).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        assert!(files.iter().any(|file| file.path == "Cargo.toml"), "the root manifest is not among the files");
        files
    });
    &FILES
}

fn listed_by_git() -> Option<Vec<String>> {
    let mut git = Command::new("git");
    // A git hook sets these variables, possibly for another repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        git.env_remove(name);
    }
    let listing = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
    let output = git.args(listing).current_dir(root()).output().ok().filter(|output| output.status.success())?;
    let paths: Vec<String> =
        String::from_utf8(output.stdout).ok()?.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    paths.iter().any(|path| path == "Cargo.toml").then_some(paths)
}

fn walk(folder: &Path, paths: &mut Vec<String>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let name = path.file_name().unwrap_or_default();
        if !path.is_dir() {
            paths.push(relative(&path));
        } else if ![".git", "target", "node_modules"].iter().any(|skipped| name == *skipped) {
            walk(&path, paths);
        }
    }
}

fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

/// Fails with a list of all offenses if there are any.
#[track_caller]
pub(crate) fn none(offences: Vec<String>) {
    assert!(offences.is_empty(), "offenses: {}\n{}\n", offences.len(), offences.join("\n"));
}

/// Returns the end of each `word` in `text` that has no letter, digit, `_` or `-` next to it.
pub(crate) fn whole_word(text: &str, word: &str) -> Vec<usize> {
    let joins = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    text.match_indices(word)
        .filter(|(at, _)| !text[..*at].ends_with(joins) && !text[at + word.len()..].starts_with(joins))
        .map(|(at, _)| at + word.len())
        .collect()
}

#[test]
fn a_walk_finds_what_git_lists() {
    let mut walked = Vec::new();
    walk(root(), &mut walked);
    for file in files() {
        assert!(walked.contains(&file.path), "{}", file.path);
    }
}

#[test]
#[should_panic(expected = "offenses: 2\na.rs:1: bad\nb.rs:2: worse")]
fn a_report_names_every_offence() {
    none(vec![File::new("a.rs", "").at(1, "bad"), File::new("b.rs", "").at(2, "worse")]);
}
