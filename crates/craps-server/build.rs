//! Rebuilds the crate when files are added to or removed from the browser app's build. The compiler alone only tracks files it has already seen.

fn main() {
    println!("cargo::rerun-if-changed=../../web/dist");
}
