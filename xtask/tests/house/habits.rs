//! Coding habits: nothing unsafe, unfinished or too long, and no paths or package registries of somebody's machine.

use crate::lexer::find;
use crate::repository::{File, files, none, whole_word};
use crate::shipped::{Source, crate_of, rust, shipped};

/// Not allowed in any crate, tests included.
const NEVER: &[&str] = &["unsafe", "todo!", "unimplemented!", "dbg!", "#[ignore"];

/// Allowed only in tests.
const IN_TESTS: &[&str] = &[".unwrap()", ".expect("];

// These words are put together here, so that the check doesn't find itself.
const UNFINISHED: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];
const MACHINE_PATHS: &[&str] = &[concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/")];

const LONGEST: usize = 900;

/// Files that may be longer, each with the reason.
const LONG_FOR_A_REASON: &[(&str, &str)] = &[];

const REGISTRIES: &[&str] = &["crates.io", "npmjs.org", "npmjs.com", "yarnpkg.com", "pypi.org", "pythonhosted.org"];
const REGISTRY_WORDS: &[&str] = &["crates.io-index", "artifactory", "nexus", "registry", "/simple/"];

/// Lock files contain the addresses of public registries. Addresses of mirrors are not allowed there either.
const LOCK_FILES: &[&str] =
    &["Cargo.lock", "package-lock.json", "pnpm-lock.yaml", "yarn.lock", "uv.lock", "poetry.lock"];
const PUBLIC: &[&str] = &[
    "github.com/rust-lang/crates.io-index",
    "registry.npmjs.org",
    "registry.yarnpkg.com",
    "pypi.org/simple",
    "files.pythonhosted.org",
];

fn careless(files: &[File]) -> Vec<String> {
    let everywhere = rust(files).into_iter().map(|source| (source, NEVER));
    let outside_tests = shipped(files).into_iter().map(|source| (source, IN_TESTS));
    let judge = |(source, patterns): (Source<'_>, &[&str])| {
        let of = |pattern: &&str| source.at(find(&source.code, pattern), pattern);
        patterns.iter().flat_map(of).collect::<Vec<_>>()
    };
    everywhere.chain(outside_tests).flat_map(judge).collect()
}

fn unfinished(files: &[File]) -> Vec<String> {
    let folders = ["crates/", "xtask/", "rulebooks/", "houses/", "docs/"];
    let ours = files.iter().filter(|file| folders.iter().any(|folder| file.path.starts_with(folder)));
    let word =
        |line: &str| UNFINISHED.iter().find(|word| !whole_word(line, word).is_empty()).map(|word| (*word).to_owned());
    ours.flat_map(|file| file.judge_lines(word)).collect()
}

fn machine_words(files: &[File]) -> Vec<String> {
    let judge = |file: &File| {
        let lock = LOCK_FILES.iter().any(|name| file.path.rsplit('/').next() == Some(name));
        file.judge_lines(|line| {
            let path =
                MACHINE_PATHS.iter().find(|path| is_absolute(line, path)).map(|path| format!("a machine path: {path}"));
            path.or_else(|| registry(line, lock).map(|url| format!("the address of a package registry: {url}")))
        })
    };
    files.iter().flat_map(judge).collect()
}

/// Returns true if the line contains this path as an absolute path, not as part of a relative path or a web address.
fn is_absolute(line: &str, path: &str) -> bool {
    let goes_on = |c: char| c.is_alphanumeric() || "_-.)}]*".contains(c);
    line.match_indices(path).any(|(at, _)| !line[..at].ends_with(goes_on))
}

fn registry(line: &str, lock: bool) -> Option<&str> {
    let addresses = line
        .match_indices("://")
        .map(|(at, mark)| line[at + mark.len()..].split(|c: char| c.is_whitespace() || "\"'`<>()".contains(c)));
    addresses.filter_map(|mut rest| rest.next()).find(|address| {
        let host = address.split(['/', ':', '?', '#']).next().unwrap_or_default();
        let known = REGISTRIES.iter().any(|name| host == *name || host.ends_with(&format!(".{name}")));
        let sounds_so = REGISTRY_WORDS.iter().any(|word| address.contains(word));
        (known || sounds_so) && !(lock && PUBLIC.iter().any(|public| address.starts_with(public)))
    })
}

fn overlong(files: &[File], allowed: &[(&str, &str)]) -> Vec<String> {
    let is_source =
        |file: &&File| crate_of(&file.path).is_some_and(|(_, rest)| rest.starts_with("src/") && rest.ends_with(".rs"));
    let lines = |file: &File| file.text.lines().count();
    let is_allowed = |file: &File| allowed.iter().any(|(path, _)| *path == file.path);
    let too_long = files.iter().filter(is_source).filter(|file| lines(file) > LONGEST && !is_allowed(file));
    let mut offences: Vec<String> =
        too_long.map(|file| file.at(lines(file), format!("{} lines, at most {LONGEST}", lines(file)))).collect();
    let needless = |path: &&str| !files.iter().any(|file| file.path == *path && lines(file) > LONGEST);
    let stale = allowed.iter().map(|(path, _)| *path).filter(needless);
    offences.extend(stale.map(|path| format!("{path}:1: remove it from the list of long files")));
    offences
}

#[test]
fn no_crate_is_unsafe_or_unfinished_or_unwraps_outside_its_tests() {
    none(careless(files()));
}

#[test]
fn careless_code_is_found() {
    let text = "// unsafe\nunsafe {}\ntodo!()\nunimplemented!()\ndbg!(x)\n\"todo!()\"\nx.unwrap()\nx\n  .expect(\"\")\nx.unwrap_or(y)\n\
                #[cfg(test)]\nmod tests { fn f() { x.unwrap() }\n#[test]\n#[ignore = \"slow\"]\nfn g() {} }";
    let files = [File::new("crates/a/src/lib.rs", text), File::new("crates/a/tests/b.rs", "x.unwrap();\ndbg!(x)")];
    let expected = [
        "crates/a/src/lib.rs:2: unsafe",
        "crates/a/src/lib.rs:3: todo!",
        "crates/a/src/lib.rs:4: unimplemented!",
        "crates/a/src/lib.rs:5: dbg!",
        "crates/a/src/lib.rs:14: #[ignore",
        "crates/a/tests/b.rs:2: dbg!",
        "crates/a/src/lib.rs:7: .unwrap()",
        "crates/a/src/lib.rs:9: .expect(",
    ];
    assert_eq!(careless(&files), expected);
}

#[test]
fn nothing_is_left_to_do_in_a_file() {
    none(unfinished(files()));
}

#[test]
fn work_left_to_do_is_found() {
    let text = format!("fine\n# {}: later\n{}\nXX{}XX", UNFINISHED[0], UNFINISHED[1], UNFINISHED[1]);
    let offences = unfinished(&[File::new("rulebooks/a.toml", &text), File::new("elsewhere.md", &text)]);
    assert_eq!(
        offences,
        [format!("rulebooks/a.toml:2: {}", UNFINISHED[0]), format!("rulebooks/a.toml:3: {}", UNFINISHED[1])]
    );
}

#[test]
fn files_speak_of_the_project_alone() {
    none(machine_words(files()));
}

#[test]
fn a_path_of_a_machine_and_a_package_registry_are_found() {
    let [first, second, third] = MACHINE_PATHS else { panic!("three paths") };
    let url = |rest: &str| format!("https{}{rest}", "://");
    let text = [
        format!("see {first}main"),
        format!("`{second}x` and \"{third}y\""),
        format!("docs{first}x ..{second}y {}", url(&format!("example.org{third}"))),
        url("crates.io/crates/serde"),
        format!("registry+{}", url("github.com/rust-lang/crates.io-index")),
        url("mirror.example.org/artifactory/npm/"),
        format!("{} and crates.io", url("www.example.org")),
    ]
    .join("\n");
    let found: Vec<String> = machine_words(&[File::new("README.md", &text)]);
    let lines: Vec<&str> = found.iter().filter_map(|offence| offence.split(':').nth(1)).collect();
    assert_eq!(lines, ["1", "2", "4", "5", "6"], "{found:#?}");
    let found = machine_words(&[File::new(
        "web/package-lock.json",
        &format!("{}\n{}", url("registry.npmjs.org/x"), url("registry.local/x")),
    )]);
    assert_eq!(found, ["web/package-lock.json:2: the address of a package registry: registry.local/x"]);
}

#[test]
fn no_source_file_is_longer_than_it_can_be_read() {
    none(overlong(files(), LONG_FOR_A_REASON));
}

#[test]
fn a_long_file_is_found_and_so_is_a_needless_allowance() {
    let file = |path: &str, lines: usize| File::new(path, &"x\n".repeat(lines));
    let files =
        [file("crates/a/src/long.rs", 901), file("crates/a/src/fits.rs", 900), file("crates/a/tests/b.rs", 2000)];
    assert_eq!(overlong(&files, &[]), ["crates/a/src/long.rs:901: 901 lines, at most 900"]);
    let allowed = [("crates/a/src/long.rs", "a table"), ("crates/a/src/fits.rs", "a table once")];
    assert_eq!(overlong(&files, &allowed), ["crates/a/src/fits.rs:1: remove it from the list of long files"]);
}
