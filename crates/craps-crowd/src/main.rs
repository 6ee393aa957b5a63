//! What the crowd starts as processes of its own: `node` is a server.

use craps_crowd::{Trouble, serve_node};
use std::process::ExitCode;

const HELP: &str = "\
craps-crowd node    serve as the environment says (BOXPERSON_DB, …), say where on standard output, stop when standard input ends";

#[tokio::main]
async fn main() -> ExitCode {
    let word = std::env::args().nth(1).unwrap_or_default();
    let done = match word.as_str() {
        "node" => serve_node().await,
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
