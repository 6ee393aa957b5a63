//! Files that `sim` writes besides its answer on standard output.

use super::Args;
use super::progress::Progress;
use crate::failure::Failure;
use crate::output;
use craps_law::Library;
use craps_sim::report::{self, Setting, Versus};
use craps_sim::seated::Seated;
use craps_sim::{Answer, Engine, Watch as _};
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

/// Writes the files that the arguments ask for: report, charts and CSV.
pub(super) fn write(
    args: &Args,
    seated: &Seated,
    answer: &Answer,
    setting: &Setting,
    versus: Option<&Versus<'_>>,
    progress: &Progress,
) -> Result<(), Failure> {
    if let Some(path) = &args.report {
        put(path, &report::page(answer, setting, versus))?;
    }
    if let Some(path) = &args.svg {
        put(path, &report::picture(answer, setting))?;
    }
    if let Some(path) = &args.csv {
        let failed = |error| Failure::File { path: path.display().to_string(), error };
        if answer.is_sampled() {
            sessions(path, seated, answer, progress).map_err(failed)?;
        } else {
            put(path, &report::distribution(answer))?;
        }
    }
    Ok(())
}

/// Writes one session as a game in the notation.
pub(super) fn write_session(library: &Library, args: &Args, seated: &Seated, seed: u64) -> Result<(), Failure> {
    let (Some(number), Some(path)) = (args.session, &args.cgn) else { return Ok(()) };
    let text = seated
        .session(library, seed, number)
        .map_err(|error| Failure::Usage(format!("session {number} was not written: {error}")))?;
    put(path, &text)
}

fn put(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text).map_err(|error| Failure::File { path: path.display().to_string(), error })
}

/// Writes one line per session. It plays every session again, because a session depends only on the seed and its number.
fn sessions(path: &Path, seated: &Seated, answer: &Answer, progress: &Progress) -> std::io::Result<()> {
    let mut out = BufWriter::new(File::create(path)?);
    out.write_all(report::session_header().as_bytes())?;
    let mut engine = Engine::new(&seated.rules, &seated.program);
    for number in 0..answer.sessions {
        let outcome = engine.session(answer.seed, number, &answer.plan);
        out.write_all(report::session_line(number, &outcome).as_bytes())?;
        if progress.stops() {
            output::remark(&format!("{}: stopped after {} sessions", path.display(), number + 1));
            break;
        }
    }
    out.flush()
}
