//! A server in a process of its own.

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

/// How long a node may take to listen.
const START_MOST: Duration = Duration::from_secs(60);

/// How nodes are started.
#[derive(Debug, Clone)]
pub struct Setup {
    /// The program of this crate, whose `node` is a server as `boxperson serve` is one.
    pub program: PathBuf,
    /// The database.
    pub db: String,
    /// The file of the key that signs heads.
    pub key: PathBuf,
    /// Commands a second that one client may send. All bots have one address, so guests are not counted.
    pub rate: u32,
    /// And at once.
    pub burst: u32,
    /// Commands of all clients that are being answered at once.
    pub turns: u32,
}

impl Setup {
    /// Nodes on this ground, which never find that somebody asks too often.
    #[must_use]
    pub fn new(program: &Path, ground: &Ground) -> Setup {
        let (program, db, key) = (program.to_owned(), ground.db.clone(), ground.key());
        Setup { program, db, key, rate: 1_000_000, burst: 1_000_000, turns: 1_000_000 }
    }
}

/// A running server.
#[derive(Debug)]
pub struct Node {
    child: Child,
    /// Where it listens.
    pub addr: SocketAddr,
}

impl Node {
    /// Starts one and waits until it listens, on a port that was free.
    ///
    /// # Errors
    /// When it does not start.
    pub async fn start(setup: &Setup) -> Result<Node, Trouble> {
        let mut child = Command::new(&setup.program)
            .arg("node")
            .env("BOXPERSON_ADDR", "127.0.0.1:0")
            .env("BOXPERSON_DB", &setup.db)
            .env("BOXPERSON_KEY", &setup.key)
            .env("BOXPERSON_RATE", setup.rate.to_string())
            .env("BOXPERSON_BURST", setup.burst.to_string())
            .env("BOXPERSON_GUESTS", "1000000")
            .env("BOXPERSON_TURNS", setup.turns.to_string())
            .env("BOXPERSON_PRACTICE", "none")
            // Often, so that what is killed is killed while it signs, too.
            .env("BOXPERSON_SIGN_EVERY", "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            let read = tokio::time::timeout(START_MOST, BufReader::new(out).read_line(&mut line)).await;
            read.map_err(|_| Trouble::Server("a node does not say where it listens".to_owned()))??;
        }
        let addr = line.trim().parse();
        let addr = addr.map_err(|_| Trouble::Server(format!("a node does not start: it said `{}`", line.trim())))?;
        Ok(Node { child, addr })
    }

    /// Kills it: no handler runs, nothing is flushed.
    ///
    /// # Errors
    /// When the system does not let us.
    pub async fn kill(mut self) -> Result<(), Trouble> {
        Ok(self.child.kill().await?)
    }

    /// Lets it finish what is under way, and end.
    ///
    /// # Errors
    /// When it ends badly.
    pub async fn stop(mut self) -> Result<(), Trouble> {
        drop(self.child.stdin.take());
        let status = self.child.wait().await?;
        if status.success() { Ok(()) } else { Err(Trouble::Server(format!("a node ended with {status}"))) }
    }
}

/// What `node` does: serves as the environment says, tells its address, and stops when whoever started it closes its input or is gone.
///
/// # Errors
/// When it cannot be set up, or does not start.
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
    Ok(server.run(left).await?)
}

#[expect(clippy::print_stdout, reason = "whoever started the node reads its address there")]
fn tell(addr: &str) {
    println!("{addr}");
}
