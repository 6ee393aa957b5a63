//! Rooms and doors: what each crate may know of the others and of the world.

use crate::lexer::{Kind, Token, find};
use crate::repository::{File, files, none};
use crate::shipped::{Source, crate_of, shipped};
use std::collections::BTreeSet;

/// Every crate and the doors out of it; through a door lies everything behind it as well. A crate may come after its doors only,
/// so that nothing goes round.
const DOORS: &[(&str, &[&str])] = &[
    ("craps-dice", &[]),
    ("craps-money", &[]),
    ("craps-wagers", &["craps-dice"]),
    ("craps-law", &["craps-dice", "craps-money", "craps-wagers"]),
    ("craps-table", &["craps-law"]),
    ("craps-notation", &["craps-table"]),
    ("craps-odds", &["craps-law"]),
    ("craps-layout", &["craps-table", "craps-odds"]),
    ("craps-sim", &["craps-notation", "craps-odds"]),
    ("craps-house", &["craps-law", "craps-table"]),
    ("craps-store", &["craps-table", "craps-house"]),
    ("craps-server", &["craps-store", "craps-notation", "craps-layout", "craps-odds", "craps-sim"]),
    ("boxperson", &["craps-server"]),
    // Behind no door: others may use them in their tests alone.
    ("craps-testkit", &["boxperson"]),
    ("craps-crowd", &["craps-server"]),
    ("xtask", &[]),
];

/// No clock, no randomness, no IO.
const PURE: &[&str] = &[
    "craps-dice",
    "craps-money",
    "craps-wagers",
    "craps-law",
    "craps-table",
    "craps-notation",
    "craps-odds",
    "craps-layout",
    "craps-house",
];

const WORLDLY_MODULES: &[&str] = &["env", "fs", "io", "net", "process", "thread", "time"];
const WORLDLY_WORDS: &[&str] =
    &["SystemTime", "Instant", "rand", "rand_chacha", "rand_core", "getrandom", "fastrand", "tokio"];
const WORLDLY_MACROS: &[&str] = &["println!", "eprintln!", "print!", "eprint!"];

/// The crates a crate may depend on; nothing if the table does not know it.
fn behind(name: &str) -> Option<BTreeSet<&'static str>> {
    let (_, doors) = DOORS.iter().find(|(known, _)| *known == name)?;
    let deeper = doors.iter().filter_map(|door| behind(door)).flatten();
    Some(doors.iter().copied().chain(deeper).collect())
}

fn worldly(sources: &[Source<'_>]) -> Vec<String> {
    let is_pure = |source: &&Source<'_>| {
        crate_of(&source.file.path).is_some_and(|(name, rest)| PURE.contains(&name) && rest.starts_with("src/"))
    };
    let mut offences = Vec::new();
    for source in sources.iter().filter(is_pure) {
        for (line, module) in std_modules(&source.code).filter(|(_, module)| WORLDLY_MODULES.contains(module)) {
            offences.push(source.file.at(line, format!("std::{module} in a pure crate")));
        }
        for word in WORLDLY_WORDS.iter().chain(WORLDLY_MACROS) {
            offences.extend(source.at(find(&source.code, word), &format!("{word} in a pure crate")));
        }
    }
    offences
}

/// The modules of the standard library that a file names, `use std::{..}` included.
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

/// The first token of each part of a group in braces.
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

/// A crate's manifest, the folder it lies in, and the name of that folder.
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
    /// Everything it depends on outside its tests: the name it uses and the package it means.
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
    let manifests = manifests(files);
    let ours: BTreeSet<&str> =
        manifests.iter().map(|manifest| manifest.name).chain(DOORS.iter().map(|(name, _)| *name)).collect();
    let mut offences = Vec::new();
    for manifest in &manifests {
        let Some(allowed) = behind(manifest.name) else {
            offences.push(manifest.file.at(1, format!("{} is not in the table of doors", manifest.name)));
            continue;
        };
        for (name, package) in manifest.dependencies(&root) {
            if ours.contains(package.as_str()) && !allowed.contains(package.as_str()) {
                let line = manifest.file.line_of(&[&format!("{name}."), &format!("{name} "), &format!("{name}=")]);
                offences.push(manifest.file.at(line, format!("no door leads from {} to {package}", manifest.name)));
            }
        }
    }
    offences
}

fn strangers(files: &[File]) -> Vec<String> {
    let mut offences = Vec::new();
    for manifest in &manifests(files) {
        let file = manifest.file;
        if manifest.says(&["package", "name"]).and_then(toml::Value::as_str) != Some(manifest.name) {
            offences.push(
                file.at(file.line_of(&["name"]), format!("a crate bears the name of its folder, {}", manifest.name)),
            );
        }
        for key in ["edition", "license"] {
            if manifest.says(&["package", key, "workspace"]).and_then(toml::Value::as_bool) != Some(true) {
                offences.push(file.at(file.line_of(&[key]), format!("{key} does not come from the workspace")));
            }
        }
        if manifest.says(&["lints", "workspace"]).and_then(toml::Value::as_bool) != Some(true) {
            offences.push(file.at(file.line_of(&["[lints"]), "the lints of the workspace are not taken"));
        }
        let roots = [format!("{}/src/lib.rs", manifest.folder), format!("{}/src/main.rs", manifest.folder)];
        let sources: Vec<&File> = files.iter().filter(|file| roots.contains(&file.path)).collect();
        if sources.is_empty() {
            offences.push(file.at(1, "the crate has neither src/lib.rs nor src/main.rs"));
        }
        let silent = sources.into_iter().filter(|source| !source.text.starts_with("//!"));
        offences.extend(
            silent.map(|source| source.at(1, "does not open with a //! comment that says what the crate is for")),
        );
    }
    offences
}

#[test]
fn pure_crates_know_no_clock_no_chance_and_no_io() {
    none(worldly(&shipped(files())));
}

#[test]
fn a_worldly_word_in_a_pure_crate_is_found() {
    let text = "use std::fmt;\nuse std::{\n  collections::BTreeMap,\n  fs,\n  io::{self, Write},\n};\nstd::time::now();\n\
                Instant::now();\nrand::random();\nprintln!();\nenv!(\"OUT_DIR\"); std::env!(\"X\"); \"std::fs\" /* tokio */\n\
                #[cfg(test)]\nmod tests { use std::fs; }";
    let files = [
        File::new("crates/craps-law/src/lib.rs", text),
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
    assert_eq!(worldly(&shipped(&files)), expected);
}

#[test]
fn every_crate_depends_only_on_crates_behind_its_doors() {
    none(wrong_doors(files()));
}

#[test]
fn a_dependency_without_a_door_and_a_crate_without_a_room_are_found() {
    let files = [
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
        "crates/craps-dice/Cargo.toml:3: no door leads from craps-dice to craps-money",
        "crates/craps-money/Cargo.toml:2: no door leads from craps-money to craps-law",
        "crates/craps-law/Cargo.toml:2: no door leads from craps-law to craps-odds",
        "crates/craps-sim/Cargo.toml:2: no door leads from craps-sim to craps-testkit",
        "crates/keno/Cargo.toml:1: keno is not in the table of doors",
    ];
    assert_eq!(wrong_doors(&files), expected);
}

#[test]
fn the_table_of_doors_names_rooms_in_order_and_knows_every_pure_crate() {
    for (at, (name, doors)) in DOORS.iter().enumerate() {
        let earlier: Vec<&str> = DOORS[..at].iter().map(|(name, _)| *name).collect();
        assert!(doors.iter().all(|door| earlier.contains(door)), "{name}");
    }
    for name in PURE {
        let doors = behind(name).unwrap_or_else(|| panic!("{name} is not in the table of doors"));
        assert!(doors.iter().all(|door| PURE.contains(door)), "{name} is pure and knows a crate that is not");
    }
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
        "crates/a/Cargo.toml:2: a crate bears the name of its folder, a",
        "crates/a/Cargo.toml:3: edition does not come from the workspace",
        "crates/a/Cargo.toml:5: the lints of the workspace are not taken",
        "crates/a/src/lib.rs:1: does not open with a //! comment that says what the crate is for",
        "xtask/Cargo.toml:1: license does not come from the workspace",
        "xtask/Cargo.toml:1: the lints of the workspace are not taken",
        "xtask/Cargo.toml:1: the crate has neither src/lib.rs nor src/main.rs",
    ];
    assert_eq!(strangers(&files), expected);
}
