//! The release program. It names no folder of the machine that built it: the paths in its messages begin with made-up folders.

use crate::{run, say, supply};
use std::path::{Path, PathBuf};

/// Separates flags in `CARGO_ENCODED_RUSTFLAGS`, so that paths can have spaces.
const SEPARATOR: &str = "\u{1f}";

/// Builds the program as it is shipped, and its bill of materials.
pub(crate) fn build() -> bool {
    let folders = folders();
    let mut flags: Vec<String> = std::env::var("CARGO_ENCODED_RUSTFLAGS")
        .map(|flags| flags.split(SEPARATOR).filter(|flag| !flag.is_empty()).map(str::to_owned).collect())
        .unwrap_or_default();
    flags.extend(folders.iter().map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display())));
    // SQLite and ring are written in C and assembly.
    let maps: Vec<String> =
        folders.iter().map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display())).collect();
    let c = [std::env::var("CFLAGS").unwrap_or_default(), maps.join(" ")].join(" ");
    let env = [("CARGO_ENCODED_RUSTFLAGS", flags.join(SEPARATOR)), ("CFLAGS", c.trim().to_owned())];
    let env: Vec<(&str, &str)> = env.iter().map(|(name, value)| (*name, value.as_str())).collect();
    run("release", "cargo", &["build", "--release", "--locked", "--package", "boxperson"], &env)
        && supply::written().is_some_and(|bill| kept(&bill))
}

/// Puts the bill of materials next to the program.
fn kept(bill: &Path) -> bool {
    let beside = program().with_extension("cdx.json");
    match std::fs::rename(bill, &beside) {
        Ok(()) => {
            say(&format!("xtask: {} and {}", program().display(), beside.display()));
            true
        }
        Err(error) => {
            say(&format!("xtask: {}: {error}", beside.display()));
            false
        }
    }
}

/// Builds the release program and looks for folders of this machine in it.
pub(crate) fn campaign() -> bool {
    if !build() {
        return false;
    }
    let bytes = match std::fs::read(program()) {
        Ok(bytes) => bytes,
        Err(error) => {
            say(&format!("xtask: {}: {error}", program().display()));
            return false;
        }
    };
    let mut clean = true;
    for (folder, _) in folders() {
        let folder = format!("{}/", folder.display());
        let found = bytes.windows(folder.len()).filter(|window| *window == folder.as_bytes()).count();
        say(&format!("xtask: release: {found} times {folder}"));
        clean &= found == 0;
    }
    clean
}

fn program() -> PathBuf {
    supply::target().join("release/boxperson")
}

/// Returns the folders whose paths the compiler sees, and what stands for them. The compiler uses the last one that fits, so the outer ones come first.
fn folders() -> Vec<(PathBuf, &'static str)> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let cargo = std::env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".cargo")));
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_owned);
    let target = std::path::absolute(supply::target()).ok();
    let all = [(home, "/home"), (cargo, "/cargo"), (root, "/boxperson"), (target, "/target")];
    all.into_iter()
        .filter_map(|(folder, stands)| Some((folder?, stands)))
        .filter(|(folder, _)| *folder != Path::new("/"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The compiler writes the paths of panics into a program. With the same flags as a release they are made-up ones.
    #[test]
    fn a_program_names_no_folder_of_the_machine_that_built_it() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let out = std::env::temp_dir().join(format!("boxperson-remap-{}", std::process::id()));
        let compile = |flags: &[String]| {
            let mut rustc = std::process::Command::new("rustc");
            // A file by its absolute path, as cargo names the files of other crates.
            rustc
                .arg(folder.join("../tests/remap/panics.rs"))
                .args(["--crate-type", "bin", "-o"])
                .arg(&out)
                .args(flags);
            assert!(rustc.status().unwrap().success());
            let program = std::fs::read(&out).unwrap();
            std::fs::remove_file(&out).unwrap();
            let root = folder.ancestors().nth(2).unwrap().display().to_string();
            program.windows(root.len()).filter(|window| *window == root.as_bytes()).count()
        };
        let flags: Vec<String> = folders()
            .iter()
            .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
            .chain(["-Cstrip=debuginfo".to_owned()])
            .collect();
        assert!(compile(&["-Cstrip=debuginfo".to_owned()]) > 0, "without the flags the path is there");
        assert_eq!(compile(&flags), 0);
    }
}
