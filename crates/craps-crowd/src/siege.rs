//! Sieges: nodes or their database connections are killed over and over while a crowd plays.

use crate::ledger::{Kept, Ledger, kept};
use crate::{Bot, Broken, Crowd, Ground, Manners, Node, Setup, Trouble};
use craps_store::testing::{self, Fate, Wire};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use std::fmt;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// Maximum time for the last answers and the last rows.
const END_MOST: Duration = Duration::from_secs(120);
/// A server that acknowledges nothing for this long counts as stuck.
const ROUND_MOST: Duration = Duration::from_secs(60);
/// The log is checked every this many rounds.
const LOOK_EVERY: u32 = 10;

/// Target of a strike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strike {
    /// Kills a node without warning. Another node replaces it: at once if it was the only one, otherwise at the next strike, so that its guests have
    /// to go to other nodes.
    Node,
    /// Makes PostgreSQL end every connection to the database.
    Connections,
    /// Cuts a database connection after a commit was sent and before its answer arrives.
    Answer,
}

/// Plan of a siege.
#[derive(Debug, Clone, Copy)]
pub struct Siege {
    /// Target of the strikes.
    pub strike: Strike,
    /// Number of nodes on the same database.
    pub nodes: usize,
    /// Number of tables.
    pub tables: usize,
    /// Number of bots per table.
    pub seats: u8,
    /// Number of strikes.
    pub rounds: u32,
    /// Minimum and maximum time between two strikes.
    pub delay: [Duration; 2],
    /// Average pause of a bot between two commands.
    pub pause: Duration,
    /// Seed of all random choices.
    pub seed: u64,
}

/// Result of a siege.
#[derive(Debug)]
pub struct Besieged {
    /// Number of strikes.
    pub strikes: u32,
    /// Number of times a bot reconnected and resumed.
    pub resumed: u64,
    /// Number of times a bot reconnected to a different node.
    pub elsewhere: u64,
    /// Number of commands that had been carried out before their sender heard of it.
    pub again: u64,
    /// Result of the comparison with the log.
    pub kept: Kept,
    /// Duration of the siege.
    pub took: Duration,
}

impl fmt::Display for Besieged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Besieged { strikes, resumed, elsewhere, again, kept, took } = self;
        let [lost, doubled, misplaced] = kept.faults();
        write!(
            f,
            "{strikes} strikes in {:.0} s: {} commands acknowledged ({again} of them after a retry), {lost} lost, {doubled} doubled, \
             {misplaced} misplaced; {} refused, {} rows and {} rolls at {} tables, {resumed} reconnections, {elsewhere} to another node; broken promises: {}",
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
    /// Strikes at random times while a crowd plays, and then compares what the crowd heard with the log.
    ///
    /// # Errors
    /// When a node does not restart, or answers stop coming.
    ///
    /// # Panics
    /// If connections are the target and the database is not a PostgreSQL server of this process.
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
        let manners = Manners { pause: self.pause, later: Duration::from_millis(20), every: None };
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

/// Waits until a command is acknowledged, so that every strike happens while the crowd plays.
async fn played(crowd: &Crowd) -> Result<(), Trouble> {
    let (since, before) = (Instant::now(), crowd.count());
    while crowd.count() <= before {
        if since.elapsed() > ROUND_MOST {
            return Err(Trouble::Server(format!("no command was acknowledged within {ROUND_MOST:?}")));
        }
        sleep(Duration::from_millis(2)).await;
    }
    Ok(())
}

/// Waits until every command is answered and every bot has heard the whole log. Then the crowd leaves.
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
