//! Runs the program and compares its output with golden files.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

/// Result of one run: exit code, standard output and standard error.
pub struct Run {
    pub code: i32,
    pub out: String,
    pub err: String,
}

/// Returns the root folder of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs the program in the root folder.
pub fn boxperson(args: &[&str]) -> Run {
    boxperson_with_input(args, "")
}

/// Runs the program in the root folder with a text on standard input.
pub fn boxperson_with_input(args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_boxperson"))
        .args(args)
        .current_dir(root())
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Ignore errors: a program that doesn't read its input may close it first.
    let _ = io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Compares a text with `tests/golden/NAME`. `UPDATE_GOLDEN=1` rewrites the file.
pub fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if env::var_os("UPDATE_GOLDEN").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let kept = fs::read_to_string(&path)
        .unwrap_or_else(|error| panic!("{}: {error}; run `cargo xtask golden`", path.display()));
    assert!(kept == text, "{name} differs; run `cargo xtask golden` and review the diff\n--- now ---\n{text}");
}

/// Returns the files with this extension in a folder of the repository, sorted by name.
pub fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut all: Vec<PathBuf> = fs::read_dir(root().join(folder))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == ending))
        .collect();
    all.sort();
    all
}
