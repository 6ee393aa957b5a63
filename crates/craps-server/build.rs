//! Has files that come into the browser table's build, or leave it, built in anew: the compiler follows only those that it has seen.

fn main() {
    println!("cargo::rerun-if-changed=../../web/dist");
}
