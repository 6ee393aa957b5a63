//! Sieges: nodes, or their connections to the database, are killed while a crowd plays, over and over.

use crate::ledger::{Kept, Ledger, kept};
use crate::{Bot, Broken, Crowd, Ground, Manners, Node, Setup, Trouble};
use craps_store::testing::{self, Fate, Wire};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// How long the last answers and the last rows may take.
const END_MOST: Duration = Duration::from_secs(120);
/// How long a round may wait for something to be acknowledged before the server is held to be stuck.
const ROUND_MOST: Duration = Duration::from_secs(60);
/// How often the log is read between two rounds.
const LOOK_EVERY: u32 = 5;

/// What is struck.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strike {
    /// A node is killed as hard as the system lets one. The next one takes its place: at once where it was the only one, else with the next strike,
    /// so that its guests have to go elsewhere.
    Node,
    /// PostgreSQL ends every connection to the database, whatever it is doing.
    Connections,
    /// A connection is cut after it has carried a commit to the server, and before the answer.
    Answer,
}

/// A siege.
#[derive(Debug, Clone, Copy)]
pub struct Siege {
    /// What is struck.
    pub strike: Strike,
    /// How many nodes there are on the one database.
    pub nodes: usize,
    /// At how many tables.
    pub tables: usize,
    /// How many bots at each.
    pub seats: u8,
    /// How often.
    pub rounds: u32,
    /// How long it is between two strikes, at least and at most.
    pub delay: [Duration; 2],
    /// How long bots think.
    pub pause: Duration,
    /// What all chance comes from.
    pub seed: u64,
}

/// What came of a siege.
#[derive(Debug)]
pub struct Besieged {
    /// How many strikes.
    pub strikes: u32,
    /// How often bots came back and went on where they had been.
    pub resumed: u64,
    /// How often that was at another node than before.
    pub elsewhere: u64,
    /// How often a command had been done before its sender heard of it.
    pub again: u64,
    /// What the log says.
    pub kept: Kept,
    /// How long it took.
    pub took: Duration,
}

impl fmt::Display for Besieged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Besieged { strikes, resumed, elsewhere, again, kept, took } = self;
        write!(
            f,
            "{strikes} strikes in {:.0} s: {} commands acknowledged ({again} had been done before their sender heard of it), {} refused, \
             {} rows and {} throws at {} tables, {resumed} times resumed, {elsewhere} at another node; broken promises: {}",
            took.as_secs_f64(),
            kept.acknowledged,
            kept.refused,
            kept.rows,
            kept.throws,
            kept.tables,
            kept.broken.len()
        )?;
        kept.broken.iter().take(20).try_for_each(|broken| write!(f, "\n  {broken}"))
    }
}

impl Siege {
    /// Strikes at random moments while a crowd plays, and holds what the crowd was told against the log.
    ///
    /// # Errors
    /// When nodes do not start again, or nobody is answered any more.
    ///
    /// # Panics
    /// If connections are to be struck and there are none to a PostgreSQL of this process.
    pub async fn lay(&self, setup: &Setup, ground: &Ground) -> Result<Besieged, Trouble> {
        let start = Instant::now();
        let mut chance = ChaCha8Rng::seed_from_u64(self.seed);
        let wire = match self.strike {
            Strike::Answer => Some(Wire::to(&ground.db).await),
            Strike::Node | Strike::Connections => None,
        };
        let db = wire.as_ref().map_or(ground.db.as_str(), Wire::url);
        let setup = Setup { db: db.to_owned(), ..setup.clone() };
        let mut nodes = Vec::new();
        for _ in 0..self.nodes {
            nodes.push(Node::start(&setup).await?);
        }
        let manners = Manners { pause: self.pause, later: Duration::from_millis(20) };
        let crowd = Crowd::come(addrs(&nodes), self.tables, self.seats, manners, self.seed).await?;
        let (mut ledger, mut told, mut broken) = (Ledger::default(), Vec::new(), Vec::new());
        for round in 1..=self.rounds {
            played(&crowd).await?;
            let [least, most] = self.delay.map(|delay| u64::try_from(delay.as_micros()).unwrap_or(u64::MAX));
            sleep(Duration::from_micros(chance.random_range(least..=most))).await;
            match (self.strike, &wire) {
                (Strike::Connections, _) => testing::postgres().kill_connections(&ground.db).await,
                (Strike::Answer, Some(wire)) => wire.next(Fate::LoseAnswer),
                (Strike::Node | Strike::Answer, _) => {
                    if nodes.len() < self.nodes {
                        nodes.push(Node::start(&setup).await?);
                        crowd.find_nodes_at(addrs(&nodes));
                    }
                    nodes.swap_remove(chance.random_range(0..nodes.len())).kill().await?;
                    told.extend(crowd.acknowledged());
                    if nodes.is_empty() {
                        nodes.push(Node::start(&setup).await?);
                        crowd.find_nodes_at(addrs(&nodes));
                    }
                }
            }
            if round % LOOK_EVERY == 0 {
                told.extend(crowd.acknowledged());
                broken.extend(ledger.hold(&ground.db, &std::mem::take(&mut told)).await?);
            }
        }
        played(&crowd).await?;
        let (bots, rest) = end(crowd, &mut ledger, ground, told).await?;
        broken.extend(rest);
        for node in nodes {
            node.stop().await?;
        }
        let mut kept = kept(&ground.db, &bots).await?;
        kept.broken.extend(broken);
        let sum = |of: fn(&Bot) -> u64| bots.iter().map(of).sum();
        Ok(Besieged {
            strikes: wire.map_or(self.rounds, |wire| u32::try_from(wire.cuts()).unwrap_or(u32::MAX)),
            resumed: sum(|bot| bot.resumed),
            elsewhere: sum(|bot| bot.elsewhere),
            again: sum(|bot| bot.again),
            kept,
            took: start.elapsed(),
        })
    }
}

fn addrs(nodes: &[Node]) -> Vec<SocketAddr> {
    nodes.iter().map(|node| node.addr).collect()
}

/// Waits until something is acknowledged: every kill comes while the crowd plays.
async fn played(crowd: &Crowd) -> Result<(), Trouble> {
    let (since, before) = (Instant::now(), crowd.count());
    while crowd.count() <= before {
        if since.elapsed() > ROUND_MOST {
            return Err(Trouble::Server(format!("nothing was acknowledged within {ROUND_MOST:?}")));
        }
        sleep(Duration::from_millis(2)).await;
    }
    Ok(())
}

/// Everything that was asked is answered, everything that was stored is heard, and the crowd leaves.
async fn end(
    crowd: Crowd,
    ledger: &mut Ledger,
    ground: &Ground,
    mut told: Vec<crate::crowd::Acknowledged>,
) -> Result<(Vec<Bot>, Vec<Broken>), Trouble> {
    crowd.settle(END_MOST).await?;
    told.extend(crowd.acknowledged());
    let broken = ledger.hold(&ground.db, &told).await?;
    Ok((crowd.leave(ledger.ends(), END_MOST).await?, broken))
}
