//! The web page: rebuilt and compared with the committed build, checked, and tested in a real browser.

use crate::{needed, run, say};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Node.js script that succeeds in version 20 or later.
const NODE: &str = "process.exit(Number(process.versions.node.split('.')[0]) < 20 ? 1 : 0)";
/// Generated files that are committed: the built page and the types of the server's API.
const MADE: [&str; 2] = ["web/dist", "web/src/api/openapi.d.ts"];

/// Checks, tests and builds the page. Fails if the committed build is not up to date.
pub(crate) fn page() -> bool {
    let why = "the page is built with it";
    let before = made();
    let built = needed("nodejs", "node", &["-e", NODE], "the page is built with Node.js 20 or later")
        && needed("npm", "npm", &["--version"], why)
        && npm("packages of the page", &["install", "--no-audit", "--no-fund", "--loglevel=error"])
        && npm("types of the page", &["run", "--silent", "types"])
        && npm("page: format", &["run", "--silent", "format:check"])
        && npm("page: lint", &["run", "--silent", "lint"])
        && npm("page: type check", &["run", "--silent", "check"])
        && npm("page: tests", &["run", "--silent", "test"])
        && npm("page", &["run", "--silent", "build"]);
    if !built {
        return false;
    }
    let after = made();
    let changed = |path: &&PathBuf| before.get(*path) != after.get(*path);
    let changed: Vec<String> =
        before.keys().chain(after.keys()).filter(changed).map(|path| path.display().to_string()).collect();
    if let Some(first) = changed.first() {
        say(&format!("xtask: page: {first} was out of date and has been rebuilt; commit it"));
    }
    changed.is_empty()
}

/// Plays whole games in a browser against the debug build of the program.
pub(crate) fn browser() -> bool {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let Ok(program) = std::path::absolute(target.join("debug/boxperson")) else { return false };
    let program = program.display().to_string();
    needed("chromium", "chromium", &["--version"], "the page is tested in it")
        && run("program", "cargo", &["build", "--quiet", "--package", "boxperson"], &[])
        && run("page in a browser", "npm", &["--prefix", "web", "run", "--silent", "e2e"], &[("BOXPERSON", &program)])
}

fn npm(name: &str, args: &[&str]) -> bool {
    run(name, "npm", &[&["--prefix", "web"], args].concat(), &[])
}

/// Reads all generated files.
fn made() -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut waiting: Vec<PathBuf> = MADE.iter().map(PathBuf::from).collect();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(listed(&path));
        } else if let Ok(bytes) = std::fs::read(&path) {
            files.insert(path, bytes);
        }
    }
    files
}

fn listed(folder: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}
