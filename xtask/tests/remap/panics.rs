//! A program with a message that names its file.

fn main() {
    let arguments = std::env::args().count();
    assert!(arguments < 1_000, "{arguments} arguments in {}", file!());
}
