//! What the crowd starts as processes of its own: `node` is a server, `bench` measures one.

use craps_crowd::bench::{self, Size};
use craps_crowd::{Trouble, serve_node};
use std::process::ExitCode;

const HELP: &str = "\
craps-crowd node            serve as the environment says (BOXPERSON_DB, …), say where on standard output, stop when standard input ends
craps-crowd bench [quick]   print what a server takes, a figure a line; `cargo xtask bench-server` sets them beside what is wanted";

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["node"] => serve_node().await,
        ["bench"] => bench::bench(Size::FULL).await,
        ["bench", "quick"] => bench::bench(Size::QUICK).await,
        _ => Err(Trouble::Server(HELP.to_owned())),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(trouble) => {
            say(&trouble.to_string());
            ExitCode::from(2)
        }
    }
}

#[expect(clippy::print_stderr, reason = "what went wrong is for whoever started it")]
fn say(text: &str) {
    eprintln!("{text}");
}
