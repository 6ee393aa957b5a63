//! Lists the shipped templates so that they are compiled into every binary. A file added to `layouts/` needs no code change.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../layouts").canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files = Vec::new();
    for entry in fs::read_dir(&root)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            println!("cargo::rerun-if-changed={}", path.display());
            files.push(path);
        }
    }
    files.sort();
    let mut list = String::from("&[\n");
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(list, "    ({name:?}, include_str!({:?})),", file.to_string_lossy());
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("layouts.rs"), list)
}
