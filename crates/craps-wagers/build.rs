//! Lists the files in `wagers/` so that they are compiled into every binary. A new file there needs no code.

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let root = Path::new(&env::var("CARGO_MANIFEST_DIR").unwrap_or_default()).join("../../wagers").canonicalize()?;
    println!("cargo::rerun-if-changed={}", root.display());
    let mut files: Vec<_> = fs::read_dir(&root)?.collect::<io::Result<Vec<_>>>()?;
    files.sort_by_key(fs::DirEntry::file_name);
    let mut list = String::from("&[\n");
    for file in files {
        let (name, path) = (file.file_name(), file.path());
        if path.extension().is_some_and(|extension| extension == "toml") {
            let _ = writeln!(list, "    ({:?}, include_str!({:?})),", name.to_string_lossy(), path.to_string_lossy());
        }
    }
    list.push(']');
    fs::write(Path::new(&env::var("OUT_DIR").unwrap_or_default()).join("wagers.rs"), list)
}
