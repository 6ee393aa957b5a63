//! `boxperson witness`: keeps the signed heads of servers, and takes part in their dice.

use crate::failure::Failure;
use crate::output;
use craps_server::config::{Certificate, LogFormat};
use craps_server::witness::host::{WitnessConfig, WitnessServer, release};
use craps_server::{asked_to_stop, begin_log};
use craps_store::PublicKey;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::ExitCode;

/// Arguments of `boxperson witness`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Public key of a server that this witness works for; can be repeated
    #[arg(long = "server", value_name = "KEY", required_unless_present = "release")]
    servers: Vec<PublicKey>,
    /// Address to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:8090")]
    addr: SocketAddr,
    /// The witness's own database, a SQLite file
    #[arg(long, value_name = "FILE", default_value = "witness.db")]
    db: String,
    /// File with the witness's own key [default: next to its database]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// File with the certificate (PEM), for TLS without a proxy
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// File with the private key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Let a store begin anew and exit: its heads may go back, and its rolls may be asked about once more
    #[arg(long, value_name = "STORE", requires = "reason")]
    release: Option<String>,
    /// Why the store is released; the reason is kept
    #[arg(long, value_name = "TEXT", requires = "release")]
    reason: Option<String>,
}

const EXAMPLES: &str = "\
A witness is run by somebody who doesn't run the tables, on another machine. It keeps the signed ends of the logs and
refuses one that contradicts what it has. It answers each roll with a signature that becomes part of the dice, so that
nobody at the house knows the dice before bets are closed. `boxperson serve` prints the public key of its server.

Examples:
  boxperson witness --server 3f0c...                               prints its address with its public key
  boxperson serve --witness 'http://127.0.0.1:8090#d75a...'        sends it the signed heads
  boxperson serve --dice-witness 'http://127.0.0.1:8090#d75a...'   new tables have it in their dice
  boxperson audit boxperson.db --heads http://127.0.0.1:8090       compares a log with what it has
  boxperson witness --release 0f1e... --reason \"restored Monday\"   after a restore, while it is stopped";

/// Runs the witness until it is told to stop.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let usage = |error: &dyn std::fmt::Display| Failure::Usage(error.to_string());
    let traces = begin_log(LogFormat::Text, None).map_err(|error| usage(&error))?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done = runtime.block_on(async {
        if let (Some(store), Some(reason)) = (&args.release, &args.reason) {
            release(&args.db, store, reason).await.map_err(|error| usage(&error))?;
            output::write(&format!("The store {store} can begin anew. What the witness has of it is kept.\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        let tls = args.tls_cert.zip(args.tls_key).map(|(cert, key)| Certificate { cert, key });
        let scheme = if tls.is_some() { "https" } else { "http" };
        let config = WitnessConfig { addr: args.addr, db: args.db, key: args.key, servers: args.servers, tls };
        let asked = asked_to_stop();
        let witness = WitnessServer::start(&config).await.map_err(|error| usage(&error))?;
        output::write(&format!("The witness is running at {scheme}://{}#{}\n", witness.addr(), witness.key()))?;
        witness.run(asked).await;
        Ok(ExitCode::SUCCESS)
    });
    traces.close();
    done
}
