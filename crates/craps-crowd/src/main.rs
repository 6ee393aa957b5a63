//! The program that tests and benchmarks start: `node` runs a server, `bench` measures one.

use craps_crowd::bench::{self, Size};
use craps_crowd::long::{self, Sizes};
use craps_crowd::{Trouble, serve_node};
use std::process::ExitCode;

/// The allocator of the program that is measured here.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const HELP: &str = "\
craps-crowd node            run a server with the settings in the environment (BOXPERSON_DB, …); print its address; stop when standard input ends
craps-crowd bench [quick]   measure how much load a server takes; print one figure per line; `cargo xtask bench-server` compares them with the goals
craps-crowd logs SIZE…      measure what a server does with logs of these lengths, such as 1k 100k 1M; `cargo xtask bench-logs` compares them";

#[tokio::main]
async fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["node"] => serve_node().await,
        ["bench"] => bench::bench(Size::FULL).await,
        ["bench", "quick"] => bench::bench(Size::QUICK).await,
        ["logs", ref sizes @ ..] if !sizes.is_empty() => logs(sizes).await,
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

async fn logs(sizes: &[&str]) -> Result<(), Trouble> {
    let wrong =
        |word| Trouble::Server(format!("expected a number of rows from 100 on, such as 1k or 1M, found `{word}`"));
    long::measure(&Sizes::read(sizes).map_err(wrong)?, &std::env::current_exe()?).await
}

#[expect(clippy::print_stderr, reason = "errors go to the person who started the program")]
fn say(text: &str) {
    eprintln!("{text}");
}
