//! A server in its own process.

use crate::{Ground, Trouble};
use craps_law::Library;
use craps_server::Server;
use craps_server::config::{Config, Given};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::process::{Child, Command};

/// Maximum time for a node to start listening.
const START_MOST: Duration = Duration::from_secs(60);

/// Settings for starting nodes.
#[derive(Debug, Clone)]
pub struct Setup {
    /// Path of this crate's program. Its subcommand `node` runs the same server as `boxperson serve`.
    pub program: PathBuf,
    /// URL of the database.
    pub db: String,
    /// Path of the key file that signs the heads of logs.
    pub key: PathBuf,
    /// Path of the key file that seals the secrets of the dice.
    pub seal: PathBuf,
    /// Commands per second that one client may send. The limit on new guests is off, because all bots have the same address.
    pub rate: u32,
    /// Commands that one client may send at once.
    pub burst: u32,
    /// Maximum number of commands of all clients in progress.
    pub turns: u32,
}

impl Setup {
    /// Creates settings for nodes on this database, without rate limits.
    #[must_use]
    pub fn new(program: &Path, ground: &Ground) -> Setup {
        let (program, db, key, seal) = (program.to_owned(), ground.db.clone(), ground.key(), ground.seal());
        Setup { program, db, key, seal, rate: 1_000_000, burst: 1_000_000, turns: 1_000_000 }
    }
}

/// A running server process.
#[derive(Debug)]
pub struct Node {
    child: Child,
    /// Address it listens on.
    pub addr: SocketAddr,
}

impl Node {
    /// Starts a node on a free port and waits until it listens.
    ///
    /// # Errors
    /// When the node does not start.
    pub async fn start(setup: &Setup) -> Result<Node, Trouble> {
        let mut child = Command::new(&setup.program)
            .arg("node")
            .env("BOXPERSON_ADDR", "127.0.0.1:0")
            .env("BOXPERSON_DB", &setup.db)
            .env("BOXPERSON_KEY", &setup.key)
            .env("BOXPERSON_SEAL", &setup.seal)
            .env("BOXPERSON_RATE", setup.rate.to_string())
            .env("BOXPERSON_BURST", setup.burst.to_string())
            .env("BOXPERSON_GUESTS", "1000000")
            .env("BOXPERSON_TURNS", setup.turns.to_string())
            .env("BOXPERSON_PRACTICE", "none")
            // All bots have one address.
            .env("BOXPERSON_CONNECTIONS", "1000000")
            .env("BOXPERSON_SEATS", "1000000")
            .env("BOXPERSON_TABLES", "1000000")
            // Sign often, so that some kills happen during signing.
            .env("BOXPERSON_SIGN_EVERY", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            let read = tokio::time::timeout(START_MOST, BufReader::new(out).read_line(&mut line)).await;
            read.map_err(|_| Trouble::Server("the node didn't print its address in time".to_owned()))??;
        }
        let addr = line.trim().parse();
        let addr = addr.map_err(|_| {
            Trouble::Server(format!("the node didn't start: expected its address, found `{}`", line.trim()))
        })?;
        Ok(Node { child, addr })
    }

    /// Returns the number of its process, while it runs.
    #[must_use]
    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Kills the node. No cleanup runs and nothing is flushed.
    ///
    /// # Errors
    /// When the operating system refuses.
    pub async fn kill(mut self) -> Result<(), Trouble> {
        Ok(self.child.kill().await?)
    }

    /// Lets the node finish its work and exit.
    ///
    /// # Errors
    /// When it exits with an error.
    pub async fn stop(mut self) -> Result<(), Trouble> {
        drop(self.child.stdin.take());
        let status = self.child.wait().await?;
        if status.success() { Ok(()) } else { Err(Trouble::Server(format!("the node exited with {status}"))) }
    }
}

/// Runs the subcommand `node`: a server with the settings in the environment. It prints its address and stops when standard input closes.
///
/// # Errors
/// When the settings are wrong, or the server does not start.
pub async fn serve_node() -> Result<(), Trouble> {
    let wrong = |error: &dyn std::fmt::Display| Trouble::Server(error.to_string());
    let given = Given::environment(|key| std::env::var(key).ok()).map_err(|error| wrong(&error))?;
    let config = Config::new(given, Path::new(".")).map_err(|error| wrong(&error))?;
    craps_server::begin_log(config.log);
    let server = Server::start(&config, Arc::new(Library::shipped())).await.map_err(|error| wrong(&error))?;
    tell(&server.addr().to_string());
    let left = async {
        let _ = tokio::io::stdin().read_to_end(&mut Vec::new()).await;
    };
    server.run(left).await;
    Ok(())
}

#[expect(clippy::print_stdout, reason = "the parent process reads the address there")]
fn tell(addr: &str) {
    println!("{addr}");
}
