//! Checks the table of crates in ARCHITECTURE.md: which crates each crate may use, and which are pure. A row is called a room here, and the
//! crates that it may use are its doors.

use crate::lexer::{Kind, Token, find};
use crate::repository::{File, files, none};
use crate::shipped::{Source, crate_of, shipped};
use std::collections::BTreeSet;

/// File with the table of crates.
const MAP: &str = "ARCHITECTURE.md";

/// One row of the table.
struct Room {
    line: usize,
    name: String,
    /// Crates that this crate uses directly.
    doors: Vec<String>,
    /// None if the crate is not pure. A pure crate uses no clock, no randomness and no IO, except in these files of its `src/`.
    pure: Option<Vec<String>>,
}

/// Reads the rows of the table: `| `crates/craps-odds` | what it is | law | pure |`. Crates are named without `craps-`; `nothing` means none.
fn rooms(files: &[File]) -> Vec<Room> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else { return Vec::new() };
    let room = |(at, line): (usize, &str)| {
        let cells: Vec<&str> = line.strip_prefix("| `")?.trim_end_matches('|').split('|').map(str::trim).collect();
        let [folder, _, doors, world] = cells.as_slice() else { return None };
        let folder = folder.trim_end_matches('`').trim_end_matches('/');
        let name = folder.strip_prefix("crates/").or_else(|| (folder == "xtask").then_some(folder))?;
        let doors = doors.split(", ").filter(|door| *door != "nothing").map(|door| format!("craps-{door}"));
        // Code in the last cell names a file that is exempt.
        let pure = world.starts_with("pure").then(|| world.split('`').skip(1).step_by(2).map(str::to_owned).collect());
        Some(Room { line: at + 1, name: name.to_owned(), doors: doors.collect(), pure })
    };
    map.text.lines().enumerate().filter_map(room).collect()
}

const WORLDLY_MODULES: &[&str] = &["env", "fs", "io", "net", "process", "thread", "time"];
const WORLDLY_WORDS: &[&str] =
    &["SystemTime", "Instant", "rand", "rand_chacha", "rand_core", "getrandom", "fastrand", "tokio"];
const WORLDLY_MACROS: &[&str] = &["println!", "eprintln!", "print!", "eprint!"];

/// Returns the crates that a crate may depend on: those in its row, and everything they use. None if the table has no such crate.
fn behind(rooms: &[Room], name: &str) -> Option<BTreeSet<String>> {
    let at = rooms.iter().position(|room| room.name == name)?;
    // A row can only name rows above it, so the recursion ends.
    let deeper = rooms[at].doors.iter().filter_map(|door| behind(&rooms[..at], door)).flatten();
    Some(rooms[at].doors.iter().cloned().chain(deeper).collect())
}

/// Finds rows that name a crate that isn't above them, pure crates that use an impure one, and exempt files that don't exist.
fn wrong_rooms(files: &[File]) -> Vec<String> {
    let rooms = rooms(files);
    let Some(map) = files.iter().find(|file| file.path == MAP) else {
        return vec![format!("{MAP}:1: the file is missing; it must have the table of crates")];
    };
    let mut offences = Vec::new();
    for (at, room) in rooms.iter().enumerate() {
        if !files.iter().any(|file| file.path.ends_with(&format!("{}/Cargo.toml", room.name))) {
            offences.push(map.at(room.line, format!("there is no crate {}", room.name)));
        }
        for door in room.doors.iter().filter(|door| !rooms[..at].iter().any(|earlier| earlier.name == **door)) {
            offences.push(map.at(room.line, format!("{} uses {door}, which is not in a row above", room.name)));
        }
        let Some(exceptions) = &room.pure else { continue };
        let is_pure = |name: &String| rooms.iter().any(|room| room.name == *name && room.pure.is_some());
        for door in behind(&rooms, &room.name).unwrap_or_default().iter().filter(|door| !is_pure(door)) {
            offences.push(map.at(room.line, format!("{} is pure but uses {door}, which is not", room.name)));
        }
        for name in exceptions {
            let path = format!("crates/{}/src/{name}", room.name);
            if !files.iter().any(|file| file.path == path) {
                offences.push(map.at(room.line, format!("there is no file {path}")));
            }
        }
    }
    offences
}

fn worldly(files: &[File]) -> Vec<String> {
    let rooms = rooms(files);
    let is_pure = |source: &&Source<'_>| {
        let Some((name, rest)) = crate_of(&source.file.path) else { return false };
        let Some(file) = rest.strip_prefix("src/") else { return false };
        let exceptions = rooms.iter().find(|room| room.name == name).and_then(|room| room.pure.as_ref());
        exceptions.is_some_and(|exceptions| !exceptions.iter().any(|exception| exception == file))
    };
    let mut offences = Vec::new();
    for source in shipped(files).iter().filter(is_pure) {
        for (line, module) in std_modules(&source.code).filter(|(_, module)| WORLDLY_MODULES.contains(module)) {
            offences.push(source.file.at(line, format!("std::{module} in a pure crate")));
        }
        for word in WORLDLY_WORDS.iter().chain(WORLDLY_MACROS) {
            offences.extend(source.at(find(&source.code, word), &format!("{word} in a pure crate")));
        }
    }
    offences
}

/// Returns the modules of the standard library that a file names, including those in `use std::{..}`.
fn std_modules(code: &[Token]) -> impl Iterator<Item = (usize, &str)> {
    let paths = find(code, "std::").into_iter().chain(find(code, "core::"));
    paths.flat_map(|at| {
        let rest = &code[at + 3..];
        let group = rest.first().is_some_and(|token| token.is("{"));
        let named = if group { heads(rest) } else { rest.first().into_iter().collect() };
        // `std::env!` is a macro, not the module.
        let is_macro = rest.get(1).is_some_and(|token| token.is("!"));
        named
            .into_iter()
            .filter(move |token| token.kind == Kind::Word && !is_macro)
            .map(|token| (token.line, token.text.as_str()))
    })
}

/// Returns the first token of each part of a group in braces.
fn heads(group: &[Token]) -> Vec<&Token> {
    let (mut heads, mut depth) = (Vec::new(), 0);
    for pair in group.windows(2) {
        match pair[0].text.as_str() {
            "{" => depth += 1,
            "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
        if depth == 1 && (pair[0].is("{") || pair[0].is(",")) {
            heads.push(&pair[1]);
        }
    }
    heads
}

/// A crate's manifest, its folder, and the name of that folder.
struct Manifest<'a> {
    file: &'a File,
    folder: &'a str,
    name: &'a str,
    table: toml::Table,
}

fn parse(file: &File) -> toml::Table {
    file.text.parse().unwrap_or_else(|error| panic!("{}: {error}", file.path))
}

fn manifests(files: &[File]) -> Vec<Manifest<'_>> {
    let folders = files.iter().filter_map(|file| Some((file, file.path.strip_suffix("/Cargo.toml")?)));
    folders
        .map(|(file, folder)| Manifest {
            file,
            folder,
            name: folder.rsplit('/').next().unwrap_or(folder),
            table: parse(file),
        })
        .collect()
}

impl Manifest<'_> {
    /// Returns all dependencies except those for tests: the name in the manifest and the package.
    fn dependencies(&self, root: &toml::Table) -> Vec<(String, String)> {
        let sections = |table: &toml::Table| {
            let section = |name| table.get(name).and_then(toml::Value::as_table).cloned().unwrap_or_default();
            [section("dependencies"), section("build-dependencies")].into_iter().flatten().collect::<Vec<_>>()
        };
        let targets = self.table.get("target").and_then(toml::Value::as_table).into_iter().flatten();
        let of_targets = targets.filter_map(|(_, target)| target.as_table()).flat_map(sections);
        let shared = root.get("workspace").and_then(|workspace| workspace.get("dependencies"));
        let package = |value: &toml::Value| value.get("package").and_then(toml::Value::as_str).map(str::to_owned);
        sections(&self.table)
            .into_iter()
            .chain(of_targets)
            .map(|(name, value)| {
                let meant = package(&value).or_else(|| shared.and_then(|shared| shared.get(&name)).and_then(package));
                (name.clone(), meant.unwrap_or(name))
            })
            .collect()
    }

    fn says(&self, keys: &[&str]) -> Option<&toml::Value> {
        let (first, rest) = keys.split_first()?;
        rest.iter().try_fold(self.table.get(*first)?, |value, key| value.get(key))
    }
}

fn wrong_doors(files: &[File]) -> Vec<String> {
    let root = files.iter().find(|file| file.path == "Cargo.toml").map(parse).unwrap_or_default();
    let (manifests, rooms) = (manifests(files), rooms(files));
    let ours: BTreeSet<&str> =
        manifests.iter().map(|manifest| manifest.name).chain(rooms.iter().map(|room| room.name.as_str())).collect();
    let mut offences = Vec::new();
    for manifest in &manifests {
        let Some(allowed) = behind(&rooms, manifest.name) else {
            offences.push(manifest.file.at(1, format!("{} is not in the table of {MAP}", manifest.name)));
            continue;
        };
        for (name, package) in manifest.dependencies(&root) {
            if ours.contains(package.as_str()) && !allowed.contains(&package) {
                let line = manifest.file.line_of(&[&format!("{name}."), &format!("{name} "), &format!("{name}=")]);
                offences.push(manifest.file.at(line, format!("{} may not use {package}", manifest.name)));
            }
        }
    }
    offences
}

const OPENS_WITH_README: &str = "#![doc = include_str!(\"../README.md\")]";

fn strangers(files: &[File]) -> Vec<String> {
    let mut offences = Vec::new();
    for manifest in &manifests(files) {
        let file = manifest.file;
        if manifest.says(&["package", "name"]).and_then(toml::Value::as_str) != Some(manifest.name) {
            offences.push(
                file.at(
                    file.line_of(&["name"]),
                    format!("the crate must be named after its folder, {}", manifest.name),
                ),
            );
        }
        for key in ["edition", "license"] {
            if manifest.says(&["package", key, "workspace"]).and_then(toml::Value::as_bool) != Some(true) {
                offences.push(file.at(file.line_of(&[key]), format!("{key} must come from the workspace")));
            }
        }
        if manifest.says(&["lints", "workspace"]).and_then(toml::Value::as_bool) != Some(true) {
            offences.push(file.at(file.line_of(&["[lints"]), "lints must come from the workspace"));
        }
        let roots = [format!("{}/src/lib.rs", manifest.folder), format!("{}/src/main.rs", manifest.folder)];
        let sources: Vec<&File> = files.iter().filter(|file| roots.contains(&file.path)).collect();
        if sources.is_empty() {
            offences.push(file.at(1, "the crate has neither src/lib.rs nor src/main.rs"));
        }
        // A library includes its README as documentation, a program begins with a comment.
        let speaks = |source: &&File| source.text.starts_with("//!") || source.text.starts_with(OPENS_WITH_README);
        let silent = sources.into_iter().filter(|source| !speaks(source));
        offences.extend(silent.map(|source| source.at(1, "must begin with a description of the crate")));
        let readme = format!("{}/README.md", manifest.folder);
        if manifest.folder.starts_with("crates/") && !files.iter().any(|file| file.path == readme) {
            offences.push(file.at(1, "the crate has no README.md"));
        }
    }
    offences
}

#[test]
fn pure_crates_know_no_clock_no_chance_and_no_io() {
    none(worldly(files()));
}

#[test]
fn a_worldly_word_in_a_pure_crate_is_found() {
    let text = "use std::fmt;\nuse std::{\n  collections::BTreeMap,\n  fs,\n  io::{self, Write},\n};\nstd::time::now();\n\
                Instant::now();\nrand::random();\nprintln!();\nenv!(\"OUT_DIR\"); std::env!(\"X\"); \"std::fs\" /* tokio */\n\
                #[cfg(test)]\nmod tests { use std::fs; }";
    let files = [
        File::new(
            MAP,
            "| `crates/craps-law` | books | nothing | pure but `folder.rs` |\n| `crates/craps-server` | | law | a clock |",
        ),
        File::new("crates/craps-law/src/lib.rs", text),
        File::new("crates/craps-law/src/folder.rs", "use std::fs;"),
        File::new("crates/craps-law/build.rs", "use std::fs;"),
        File::new("crates/craps-server/src/lib.rs", "use std::fs;"),
    ];
    let expected = [
        "crates/craps-law/src/lib.rs:4: std::fs in a pure crate",
        "crates/craps-law/src/lib.rs:5: std::io in a pure crate",
        "crates/craps-law/src/lib.rs:7: std::time in a pure crate",
        "crates/craps-law/src/lib.rs:8: Instant in a pure crate",
        "crates/craps-law/src/lib.rs:9: rand in a pure crate",
        "crates/craps-law/src/lib.rs:10: println! in a pure crate",
    ];
    assert_eq!(worldly(&files), expected);
}

#[test]
fn every_crate_depends_only_on_crates_behind_its_doors() {
    none(wrong_doors(files()));
}

#[test]
fn a_dependency_without_a_door_and_a_crate_without_a_room_are_found() {
    let map = "| `crates/craps-dice` | dice | nothing | pure |\n| `crates/craps-money` | money | nothing | pure |\n\
               | `crates/craps-law` | books | dice, money | pure |\n| `crates/craps-odds` | odds | law | pure |\n\
               | `crates/craps-testkit` | tests | odds | random |\n| `crates/craps-sim` | play | odds | threads |\n";
    let files = [
        File::new(MAP, map),
        File::new("Cargo.toml", "[workspace.dependencies]\nlaw = { path = 'crates/craps-law', package = 'craps-law' }"),
        File::new("crates/craps-dice/Cargo.toml", "[dependencies]\nserde = '1'\ncraps-money.workspace = true"),
        File::new("crates/craps-money/Cargo.toml", "[target.'cfg(unix)'.dependencies]\nlaw.workspace = true"),
        File::new("crates/craps-law/Cargo.toml", "[build-dependencies]\ncraps-odds = { path = '../craps-odds' }"),
        File::new(
            "crates/craps-odds/Cargo.toml",
            "[dependencies]\ncraps-dice.workspace = true\n[dev-dependencies]\ncraps-testkit = '1'",
        ),
        File::new("crates/craps-sim/Cargo.toml", "[dependencies]\ncraps-testkit.workspace = true"),
        File::new("crates/keno/Cargo.toml", ""),
    ];
    let expected = [
        "crates/craps-dice/Cargo.toml:3: craps-dice may not use craps-money",
        "crates/craps-money/Cargo.toml:2: craps-money may not use craps-law",
        "crates/craps-law/Cargo.toml:2: craps-law may not use craps-odds",
        "crates/craps-sim/Cargo.toml:2: craps-sim may not use craps-testkit",
        "crates/keno/Cargo.toml:1: keno is not in the table of ARCHITECTURE.md",
    ];
    assert_eq!(wrong_doors(&files), expected);
}

#[test]
fn the_table_of_rooms_names_crates_in_order_and_pure_crates_use_pure_ones() {
    none(wrong_rooms(files()));
}

#[test]
fn a_row_that_cannot_be_is_found() {
    let map = "| folder | what | uses | world |\n|---|---|---|---|\n| `crates/craps-dice` | dice | odds | pure |\n\
               | `crates/craps-sim` | play | dice | threads |\n| `crates/craps-odds` | odds | sim | pure but `a.rs` |\n\
               | `crates/craps-gone` | | nothing | pure |\n| `web/` | a page | | |\n";
    let crates = ["dice", "sim", "odds"].map(|name| File::new(&format!("crates/craps-{name}/Cargo.toml"), ""));
    let files: Vec<File> = [File::new(MAP, map)].into_iter().chain(crates).collect();
    let expected = [
        "ARCHITECTURE.md:3: craps-dice uses craps-odds, which is not in a row above",
        "ARCHITECTURE.md:5: craps-odds is pure but uses craps-sim, which is not",
        "ARCHITECTURE.md:5: there is no file crates/craps-odds/src/a.rs",
        "ARCHITECTURE.md:6: there is no crate craps-gone",
    ];
    assert_eq!(wrong_rooms(&files), expected);
    assert_eq!(wrong_rooms(&[]), ["ARCHITECTURE.md:1: the file is missing; it must have the table of crates"]);
}

#[test]
fn every_crate_takes_edition_licence_and_lints_from_the_workspace_and_says_what_it_is_for() {
    none(strangers(files()));
}

#[test]
fn a_crate_that_goes_its_own_way_is_found() {
    let files = [
        File::new(
            "crates/a/Cargo.toml",
            "[package]\nname = 'b'\nedition = '2021'\nlicense.workspace = true\n[lints]\nworkspace = false",
        ),
        File::new("crates/a/src/lib.rs", "mod x;"),
        File::new("xtask/Cargo.toml", "[package]\nname = 'xtask'\nedition.workspace = true\nlints.workspace = true"),
    ];
    let expected = [
        "crates/a/Cargo.toml:2: the crate must be named after its folder, a",
        "crates/a/Cargo.toml:3: edition must come from the workspace",
        "crates/a/Cargo.toml:5: lints must come from the workspace",
        "crates/a/src/lib.rs:1: must begin with a description of the crate",
        "crates/a/Cargo.toml:1: the crate has no README.md",
        "xtask/Cargo.toml:1: license must come from the workspace",
        "xtask/Cargo.toml:1: lints must come from the workspace",
        "xtask/Cargo.toml:1: the crate has neither src/lib.rs nor src/main.rs",
    ];
    assert_eq!(strangers(&files), expected);
}
