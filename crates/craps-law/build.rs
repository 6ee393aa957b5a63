//! Embeds the rule books and sample houses in the binary. A new folder in `rulebooks/` or a new file in `houses/` is picked up without
//! any change to the code.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    list("rulebooks", true, "shipped.rs")?;
    list("houses", false, "houses.rs")
}

/// Writes the TOML files of a folder as a Rust list of paths and contents.
fn list(folder: &str, deep: bool, name: &str) -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../..").join(folder);
    let root = root.canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    walk(&root, deep, &mut files)?;
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let path = file.strip_prefix(&root).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let _ = writeln!(list, "    ({path:?}, include_str!({:?})),", file.to_string_lossy());
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join(name), list)
}

fn walk(folder: &Path, deep: bool, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            if deep {
                println!("cargo::rerun-if-changed={}", path.display());
                walk(&path, deep, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "toml") {
            files.push(path);
        }
    }
    Ok(())
}
