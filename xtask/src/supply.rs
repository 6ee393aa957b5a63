//! What the program is made of: the policy for its dependencies, and the bill of materials.

mod bill;

use crate::{capture, needed, run, say, tool};
use std::path::{Path, PathBuf};

/// The version of cargo-deny. Other versions may judge differently.
const DENY: &str = "cargo-deny@0.20.2";
/// It runs for two seconds, so it is built fast rather than to be fast.
const FAST_BUILD: [(&str, &str); 5] = [
    ("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0"),
    ("CARGO_PROFILE_RELEASE_LTO", "off"),
    ("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "64"),
    ("CARGO_PROFILE_RELEASE_DEBUG", "0"),
    ("CARGO_PROFILE_RELEASE_STRIP", "true"),
];

pub(crate) fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from)
}

/// Checks licenses, duplicates and sources of all dependencies against deny.toml, without the network.
pub(crate) fn policy() -> bool {
    // The check looks at the crates of all systems, not only those that were built here.
    run("sources of dependencies", "cargo", &["fetch", "--locked", "--quiet"], &[])
        && deny("dependencies", &["--offline", "check", "bans", "licenses", "sources"])
}

/// Compares the dependencies with the database of known vulnerabilities, which is on the network.
pub(crate) fn advisories() -> bool {
    deny("advisories", &["check", "advisories"])
}

/// Runs cargo-deny, and installs it first if it isn't there.
fn deny(name: &str, args: &[&str]) -> bool {
    let home = target().join("tools");
    let program = home.join("bin/cargo-deny").display().to_string();
    let wanted = DENY.replace('@', " ");
    let is_there = || capture_quietly(&program, &["--version"]).is_some_and(|said| said.trim() == wanted);
    let install = ["install", "--locked", "--quiet", "--force", "--root", &home.display().to_string(), DENY];
    let built = target().join("tools-build").display().to_string();
    let env = [&FAST_BUILD[..], &[("CARGO_TARGET_DIR", built.as_str())]].concat();
    if !is_there() && !run("cargo-deny", "cargo", &install, &env) {
        say(&format!("xtask: {DENY} could not be installed; it checks deny.toml"));
        return false;
    }
    run(name, &program, args, &[])
}

fn capture_quietly(program: &str, args: &[&str]) -> Option<String> {
    let output = std::process::Command::new(program).args(args).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Writes the bill of materials of the program to a file, as CycloneDX, and checks it against the schema of the standard.
pub(crate) fn bill() -> bool {
    written().is_some_and(|file| is_valid(&file))
}

/// Writes the bill of materials next to the release program, and returns its path.
pub(crate) fn written() -> Option<PathBuf> {
    let args = ["metadata", "--format-version", "1", "--locked", "--filter-platform", bill::PLATFORM];
    let metadata = capture("metadata", "cargo", &args, &[])?;
    let read = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let made = || {
        let sources = bill::Sources { metadata, crates: read("Cargo.lock")?, packages: read("web/package-lock.json")? };
        let file = target().join("boxperson.cdx.json");
        std::fs::create_dir_all(target()).map_err(|error| error.to_string())?;
        std::fs::write(&file, bill::made(&sources)?).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok::<PathBuf, String>(file)
    };
    made().map_err(|error| say(&format!("xtask: bill of materials: {error}"))).ok()
}

/// Checks a bill of materials with the validator of the CycloneDX project.
fn is_valid(file: &Path) -> bool {
    const CHECK: &str = "import sys\n\
        from cyclonedx.schema import SchemaVersion\n\
        from cyclonedx.validation.json import JsonStrictValidator\n\
        wrong = JsonStrictValidator(SchemaVersion.V1_6).validate_str(open(sys.argv[1], encoding='utf-8').read())\n\
        sys.exit(f'{sys.argv[1]}: {wrong}' if wrong else 0)\n";
    let home = target().join("cyclonedx");
    let python = home.join("bin/python").display().to_string();
    let wanted = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/cyclonedx.txt").display().to_string();
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", &wanted];
    let why = "the validator of CycloneDX is a Python program";
    let is_there = || capture_quietly(&python, &["-c", "import cyclonedx.validation.json, jsonschema"]).is_some();
    let ready = tool("python3", why)
        && needed("python3-venv", "python3", &["-c", "import ensurepip"], why)
        && (is_there()
            || run("environment", "python3", &["-m", "venv", &home.display().to_string()], &[])
                && run("environment", &python, &pip, &[]));
    ready && run("bill of materials", &python, &["-c", CHECK, &file.display().to_string()], &[])
}
