//! `boxperson serve`: runs live tables over HTTP and WebSocket.

use crate::failure::Failure;
use crate::output;
use craps_law::Library;
use craps_server::config::{Config, Given, LogFormat, shown};
use craps_server::people::SecondFactor;
use craps_server::{Server, asked_to_stop, begin_log};
use craps_store::StoreError;
use std::net::IpAddr;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

/// Arguments of `boxperson serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Address to listen on [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    addr: Option<String>,
    /// Database: a SQLite file or a postgres:// address [default: boxperson.db in the data folder]
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// Settings file
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// File with the key that signs the log [default: next to the database]
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// File with the key that seals the secrets of the dice [default: next to the database]
    #[arg(long, value_name = "FILE")]
    seal: Option<PathBuf>,
    /// Where the signed heads go as well: a file, or the address of a witness with its key; can be repeated
    #[arg(long, value_name = "FILE|URL#KEY")]
    witness: Vec<String>,
    /// Witness that takes part in the dice of new tables
    #[arg(long, value_name = "URL#KEY")]
    dice_witness: Option<String>,
    /// Run without signing the log, if there is no key
    #[arg(long)]
    unsigned: bool,
    /// Go on although the log is not what was signed before; the reason becomes part of the log
    #[arg(long, value_name = "REASON")]
    despite: Option<String>,
    /// Origin whose pages may call this server, besides its own; can be repeated
    #[arg(long = "origin", value_name = "ORIGIN")]
    origins: Vec<String>,
    /// Proxy whose X-Forwarded-For and X-Forwarded-Proto headers are trusted; can be repeated
    #[arg(long = "trusted-proxy", value_name = "IP")]
    trusted_proxies: Vec<IpAddr>,
    /// Requests per second that one client can send [default: 50]
    #[arg(long, value_name = "N")]
    rate: Option<u32>,
    /// Requests that one client can send in a burst [default: 200]
    #[arg(long, value_name = "N")]
    burst: Option<u32>,
    /// New guests per minute from one address [default: 60]
    #[arg(long, value_name = "N")]
    guests: Option<u32>,
    /// Requests of all clients that are handled at the same time [default: 1024]
    #[arg(long, value_name = "N")]
    turns: Option<u32>,
    /// Connections that one address can have open [default: 256]
    #[arg(long, value_name = "N")]
    connections: Option<u32>,
    /// Seats of public practice tables that the people of one address can have [default: 24]
    #[arg(long, value_name = "N")]
    seats: Option<u32>,
    /// Practice tables that the people of one address can have open [default: 30]
    #[arg(long, value_name = "N")]
    tables: Option<u32>,
    /// Who needs a second factor: none, or staff for everybody with a role other than player [default: none]
    #[arg(long, value_name = "WHO", value_parser = second_factor)]
    second_factor: Option<SecondFactor>,
    /// File with the certificate (PEM), for TLS without a proxy
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// File with the private key of the certificate (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
    /// Books to open a practice table for, separated by commas, or none [default: all]
    #[arg(long, value_name = "BOOKS", value_delimiter = ',')]
    practice: Option<Vec<String>>,
    /// Minutes until an empty private table closes [default: 60]
    #[arg(long, value_name = "N")]
    close_after: Option<u32>,
    /// Format of the server's own log: text or json [default: text]
    #[arg(long, value_name = "FORMAT", value_parser = format)]
    log: Option<LogFormat>,
}

const EXAMPLES: &str = "\
Examples:
  boxperson serve                                  practice tables at http://127.0.0.1:8080
  boxperson serve --addr 127.0.0.1:9000            another port; port 0 picks a free one
  boxperson serve --db tables.db                   another database file
  boxperson serve --db postgres://box@db/box       several servers can share this database
  boxperson serve --config /etc/boxperson.toml     settings from a file

Flags override environment variables (BOXPERSON_ADDR, BOXPERSON_DB, …), and those override the settings file. Keys of
the file: addr, db, key, seal, witness, dice_witness, unsigned, origins, trusted_proxies, rate, burst, guests, turns,
connections, seats, tables, second_factor, tls_cert, tls_key, practice, close_after, log, sign_every, otlp.
See docs/server.md for details.";

fn format(word: &str) -> Result<LogFormat, String> {
    LogFormat::named(word).ok_or_else(|| "expected text or json".to_owned())
}

fn second_factor(word: &str) -> Result<SecondFactor, String> {
    SecondFactor::named(word).ok_or_else(|| "expected none or staff".to_owned())
}

/// Runs the server until it is told to stop.
pub(crate) fn run(library: Library, args: Args) -> Result<ExitCode, Failure> {
    let config = settings(args)?;
    make_data_folder(&config)?;
    let traces = begin_log(config.log, config.otlp.as_deref()).map_err(usage)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let done: Result<ExitCode, Failure> = runtime.block_on(async {
        let asked = asked_to_stop();
        let server = Server::start(&config, Arc::new(library)).await.map_err(usage)?;
        output::write(&greeting(&config, &server))?;
        server.run(asked).await;
        Ok(ExitCode::SUCCESS)
    });
    traces.close();
    done
}

fn usage(error: impl std::fmt::Display) -> Failure {
    Failure::Usage(error.to_string())
}

/// Reads the settings of a server: flags, environment, file and defaults.
pub(super) fn settings(args: Args) -> Result<Config, Failure> {
    let file = match &args.config {
        None => Given::default(),
        Some(path) => {
            let shown = path.display().to_string();
            let text = std::fs::read_to_string(path).map_err(|error| Failure::File { path: shown.clone(), error })?;
            Given::read(&shown, &text).map_err(usage)?
        }
    };
    let some = |list: Vec<String>| if list.is_empty() { None } else { Some(list) };
    let given = Given {
        addr: args.addr,
        db: args.db,
        key: args.key,
        seal: args.seal,
        witness: some(args.witness),
        dice_witness: args.dice_witness,
        unsigned: args.unsigned.then_some(true),
        despite: args.despite,
        origins: some(args.origins),
        trusted_proxies: if args.trusted_proxies.is_empty() { None } else { Some(args.trusted_proxies) },
        rate: args.rate,
        burst: args.burst,
        guests: args.guests,
        turns: args.turns,
        connections: args.connections,
        seats: args.seats,
        tables: args.tables,
        second_factor: args.second_factor,
        tls_cert: args.tls_cert,
        tls_key: args.tls_key,
        practice: args.practice.map(|books| if books == ["none"] { Vec::new() } else { books }),
        close_after: args.close_after,
        log: args.log,
        sign_every: None,
        otlp: None,
    };
    let environment = Given::environment(|key| std::env::var(key).ok()).map_err(usage)?;
    Config::new(given.or(environment).or(file), &data_folder()).map_err(usage)
}

/// Makes the data folder if the database is there.
fn make_data_folder(config: &Config) -> Result<(), Failure> {
    let data = data_folder();
    if config.db == Config::database_in(&data) {
        let unmade = |error| Failure::File { path: data.display().to_string(), error };
        let mut folder = std::fs::DirBuilder::new();
        folder.recursive(true);
        // The database contains password hashes, and the keys are next to it.
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut folder, 0o700);
        folder.create(&data).map_err(unmade)?;
    }
    Ok(())
}

/// Returns the settings that commands other than `serve` share with it: where the database and the key are.
pub(crate) fn kept(given: Given) -> Result<Config, Failure> {
    let environment = Given::environment(|key| std::env::var(key).ok()).map_err(usage)?;
    Config::new(given.or(environment), &data_folder()).map_err(usage)
}

/// Adds the name of the database to its errors.
pub(crate) fn of_database(db: &str) -> impl Fn(StoreError) -> Failure {
    move |error| match error {
        // These errors name a file already.
        StoreError::File { .. } | StoreError::Unsound { .. } | StoreError::Key { .. } => usage(error),
        error => Failure::Usage(format!("{}: {error}", shown(db))),
    }
}

/// Returns the data folder of this user, normally `~/.local/share/boxperson`.
fn data_folder() -> PathBuf {
    let named = |key: &str| std::env::var_os(key).filter(|path| !path.is_empty()).map(PathBuf::from);
    let base = named("XDG_DATA_HOME").or_else(|| Some(named("HOME")?.join(".local/share")));
    base.map_or_else(|| PathBuf::from("."), |base| base.join("boxperson"))
}

fn greeting(config: &Config, server: &Server) -> String {
    let here = format!("{}://{}", if config.tls.is_some() { "https" } else { "http" }, server.addr());
    let opened = match server.opened() {
        [] => String::new(),
        tables => format!("opened {}\n", tables.join(", ")),
    };
    let left: String = server
        .without_practice()
        .iter()
        .map(|(book, why)| format!("no practice table under {book}: {why}\n"))
        .collect();
    let table = server.opened().first().map_or("practice-TABLE", String::as_str);
    let key = server.public_key().map(|key| format!("It is signed with the key {key}\n")).unwrap_or_default();
    format!(
        "Boxperson is running at {here}\nThe log is in {}\n{key}{opened}{left}\nTry this in another terminal:\n\
         \x20 curl {here}/tables\n\
         \x20 curl -c jar -X POST {here}/guests\n\
         \x20 curl -b jar {here}/tables/{table}/seats -H 'Content-Type: application/json' -d '{{\"buy_in\": 50000}}'\n\
         \x20 curl -b jar {here}/tables/{table}/actions -H 'Content-Type: application/json' -d '{{\"say\": \"pass 10\"}}'\n\
         \x20 curl -b jar -X POST {here}/tables/{table}/roll\n\
         \x20 curl -N -H 'Accept: application/x-ndjson' {here}/tables/{table}/stream\n\
         Ctrl-C stops the server; nothing is lost.\n",
        shown(&config.db)
    )
}
