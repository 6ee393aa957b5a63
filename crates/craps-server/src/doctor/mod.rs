//! The doctor: looks at a deployment with the code that the server itself uses, and says what is wrong and what to do. It changes nothing, unless it
//! is asked to prove a durable write.

mod copies;
mod keys;
mod machine;
mod settings;
mod store;

use crate::config::Config;
use serde::Serialize;
use std::path::PathBuf;

/// Disk room below which a server is in danger, in bytes.
pub const ROOM: u64 = 1 << 30;

/// What the doctor should do beyond looking.
#[derive(Debug, Clone)]
pub struct Options {
    /// Prove a durable write.
    pub write: bool,
    /// Leave out what reads the whole database.
    pub quick: bool,
    /// Warn when the disk has less room than this, in bytes.
    pub room: u64,
    /// Folder of the backups.
    pub copies: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Options {
        Options { write: false, quick: false, room: ROOM, copies: None }
    }
}

/// How a check ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// As it should be.
    Ok,
    /// It works, but somebody should look at it.
    Warning,
    /// The server doesn't start like this, or doesn't keep its promises.
    Failed,
    /// It was not checked.
    Skipped,
}

/// One thing that was checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Its name, which stays the same.
    pub name: &'static str,
    /// How it ended.
    pub state: State,
    /// What was found.
    pub found: String,
    /// What an operator should do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub todo: Option<String>,
}

impl Check {
    /// It is as it should be.
    #[must_use]
    pub fn ok(name: &'static str, found: impl Into<String>) -> Check {
        Check { name, state: State::Ok, found: found.into(), todo: None }
    }

    /// It works, but somebody should look at it.
    #[must_use]
    pub fn warning(name: &'static str, found: impl Into<String>, todo: impl Into<String>) -> Check {
        Check { name, state: State::Warning, found: found.into(), todo: Some(todo.into()) }
    }

    /// It doesn't work.
    #[must_use]
    pub fn failed(name: &'static str, found: impl Into<String>, todo: impl Into<String>) -> Check {
        Check { name, state: State::Failed, found: found.into(), todo: Some(todo.into()) }
    }

    /// It was not checked. `todo` says how to check it.
    #[must_use]
    pub fn skipped(name: &'static str, found: impl Into<String>, todo: impl Into<String>) -> Check {
        Check { name, state: State::Skipped, found: found.into(), todo: Some(todo.into()) }
    }

    /// Should somebody do something about it?
    #[must_use]
    pub const fn is_finding(&self) -> bool {
        matches!(self.state, State::Warning | State::Failed)
    }
}

/// Checks a deployment with these settings.
pub async fn examine(config: &Config, options: &Options) -> Vec<Check> {
    let mut checks = settings::checks(config);
    checks.extend(config.tls.as_ref().map(machine::certificate));
    checks.push(machine::open_files(config));
    checks.extend(store::checks(config, options).await);
    checks
}
