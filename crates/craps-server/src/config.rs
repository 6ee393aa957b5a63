//! Settings of a server. Flags come first, then the environment, then a file, then the defaults.

use crate::people::{SecondFactor, Settings};
use crate::witness::{Keeper, WitnessAt};
use serde::Deserialize;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};

/// Prefix of all environment variables: `BOXPERSON_ADDR` sets `addr`.
const PREFIX: &str = "BOXPERSON_";
/// Default for `close_after`, in minutes: long enough for a meal.
const CLOSE_AFTER: u32 = 60;

/// Settings from one source: flags, environment or file. Every setting is optional.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// Address to listen on, such as `127.0.0.1:8080`.
    pub addr: Option<String>,
    /// The database: a file, or `postgres://…`.
    pub db: Option<String>,
    /// File with the key that signs the heads of the logs.
    pub key: Option<PathBuf>,
    /// File with the key that seals the secrets of the dice.
    pub seal: Option<PathBuf>,
    /// Where the signed heads go as well: files, or addresses of witnesses with their keys.
    pub witness: Option<Vec<String>>,
    /// Address and key of the witness that takes part in the dice of new tables.
    pub dice_witness: Option<String>,
    /// The server may run without signing the logs.
    pub unsigned: Option<bool>,
    /// Why the server should go on although the logs are not what was signed before.
    pub despite: Option<String>,
    /// Origins of other websites whose pages can call the API.
    pub origins: Option<Vec<String>>,
    /// Addresses of proxies whose `X-Forwarded-…` headers are trusted.
    pub trusted_proxies: Option<Vec<IpAddr>>,
    /// How many requests and messages a client can send per second.
    pub rate: Option<u32>,
    /// How many requests and messages a client can send at once.
    pub burst: Option<u32>,
    /// How many guests can come from one address per minute.
    pub guests: Option<u32>,
    /// How many requests and messages of all clients are handled at the same time.
    pub turns: Option<u32>,
    /// How many connections one address can have open.
    pub connections: Option<u32>,
    /// How many seats of public practice tables the people of one address can have.
    pub seats: Option<u32>,
    /// How many practice tables the people of one address can have open.
    pub tables: Option<u32>,
    /// Who needs a second factor.
    pub second_factor: Option<SecondFactor>,
    /// File with the server's certificates as PEM, for TLS without a proxy.
    pub tls_cert: Option<PathBuf>,
    /// File with the private key of the certificate.
    pub tls_key: Option<PathBuf>,
    /// The books for which a practice table is opened. None means all books, an empty list means no books.
    pub practice: Option<Vec<String>>,
    /// How many minutes a private table can be empty before it closes.
    pub close_after: Option<u32>,
    /// Format of the server's own log.
    pub log: Option<LogFormat>,
    /// How many seconds pass between two signings of the heads.
    pub sign_every: Option<u64>,
    /// Address of the OpenTelemetry collector that gets traces, such as `http://127.0.0.1:4318`.
    pub otlp: Option<String>,
}

/// Format of the server's own log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LogFormat {
    /// Text for people.
    #[default]
    Text,
    /// One JSON object per line.
    Json,
}

/// What is wrong with a setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {message}")]
pub struct NotConfigured {
    /// Where the setting is: a file, an environment variable or the name of the setting.
    pub place: String,
    /// What was expected, and what was found.
    pub message: String,
}

fn wrong(place: impl Into<String>, message: impl Into<String>) -> NotConfigured {
    NotConfigured { place: place.into(), message: message.into() }
}

impl Given {
    /// Parses a settings file.
    ///
    /// # Errors
    /// When it isn't TOML, or has an unknown key or a wrong value.
    pub fn read(path: &str, text: &str) -> Result<Given, NotConfigured> {
        toml::from_str(text).map_err(|error| wrong(path, error.to_string().trim_end().to_owned()))
    }

    /// Reads the settings from environment variables.
    ///
    /// # Errors
    /// When a value can't be parsed.
    pub fn environment(variable: impl Fn(&str) -> Option<String>) -> Result<Given, NotConfigured> {
        let said = |key: &str| variable(&format!("{PREFIX}{key}")).filter(|text| !text.is_empty());
        let list =
            |key: &str| said(key).map(|text| text.split(',').map(|item| item.trim().to_owned()).collect::<Vec<_>>());
        Ok(Given {
            addr: said("ADDR"),
            db: said("DB"),
            key: said("KEY").map(PathBuf::from),
            seal: said("SEAL").map(PathBuf::from),
            witness: list("WITNESS"),
            dice_witness: said("DICE_WITNESS"),
            unsigned: said("UNSIGNED").map(|word| parsed("UNSIGNED", &word, "true or false")).transpose()?,
            despite: said("DESPITE"),
            origins: list("ORIGINS"),
            trusted_proxies: list("TRUSTED_PROXIES")
                .map(|items| items.iter().map(|item| parsed("TRUSTED_PROXIES", item, "an address")).collect())
                .transpose()?,
            rate: number("RATE", said("RATE"))?,
            burst: number("BURST", said("BURST"))?,
            guests: number("GUESTS", said("GUESTS"))?,
            turns: number("TURNS", said("TURNS"))?,
            connections: number("CONNECTIONS", said("CONNECTIONS"))?,
            seats: number("SEATS", said("SEATS"))?,
            tables: number("TABLES", said("TABLES"))?,
            second_factor: said("SECOND_FACTOR")
                .map(|word| {
                    let wrong = || wrong("BOXPERSON_SECOND_FACTOR", format!("expected none or staff, found `{word}`"));
                    SecondFactor::named(&word).ok_or_else(wrong)
                })
                .transpose()?,
            tls_cert: said("TLS_CERT").map(PathBuf::from),
            tls_key: said("TLS_KEY").map(PathBuf::from),
            practice: list("PRACTICE").map(|books| if books == ["none"] { Vec::new() } else { books }),
            close_after: number("CLOSE_AFTER", said("CLOSE_AFTER"))?,
            log: said("LOG")
                .map(|word| LogFormat::named(&word).ok_or_else(|| wrong("BOXPERSON_LOG", "expected text or json")))
                .transpose()?,
            sign_every: number("SIGN_EVERY", said("SIGN_EVERY"))?,
            otlp: said("OTLP"),
        })
    }

    /// Returns these settings, completed by `other` where they are None.
    #[must_use]
    pub fn or(self, other: Given) -> Given {
        Given {
            addr: self.addr.or(other.addr),
            db: self.db.or(other.db),
            key: self.key.or(other.key),
            seal: self.seal.or(other.seal),
            witness: self.witness.or(other.witness),
            dice_witness: self.dice_witness.or(other.dice_witness),
            unsigned: self.unsigned.or(other.unsigned),
            despite: self.despite.or(other.despite),
            origins: self.origins.or(other.origins),
            trusted_proxies: self.trusted_proxies.or(other.trusted_proxies),
            rate: self.rate.or(other.rate),
            burst: self.burst.or(other.burst),
            guests: self.guests.or(other.guests),
            turns: self.turns.or(other.turns),
            connections: self.connections.or(other.connections),
            seats: self.seats.or(other.seats),
            tables: self.tables.or(other.tables),
            second_factor: self.second_factor.or(other.second_factor),
            tls_cert: self.tls_cert.or(other.tls_cert),
            tls_key: self.tls_key.or(other.tls_key),
            practice: self.practice.or(other.practice),
            close_after: self.close_after.or(other.close_after),
            log: self.log.or(other.log),
            sign_every: self.sign_every.or(other.sign_every),
            otlp: self.otlp.or(other.otlp),
        }
    }
}

impl LogFormat {
    /// Returns the format with this name.
    #[must_use]
    pub fn named(word: &str) -> Option<LogFormat> {
        match word {
            "text" => Some(LogFormat::Text),
            "json" => Some(LogFormat::Json),
            _ => None,
        }
    }
}

fn number<T: std::str::FromStr>(key: &str, text: Option<String>) -> Result<Option<T>, NotConfigured> {
    text.map(|text| parsed(key, &text, "a whole number")).transpose()
}

fn parsed<T: std::str::FromStr>(key: &str, text: &str, expected: &str) -> Result<T, NotConfigured> {
    text.parse().map_err(|_| wrong(format!("{PREFIX}{key}"), format!("expected {expected}, found `{text}`")))
}

/// A certificate and its key, both as PEM files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Certificate {
    /// File with the certificate and those that it is signed with.
    pub cert: PathBuf,
    /// File with its private key.
    pub key: PathBuf,
}

/// The complete settings of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Address to listen on.
    pub addr: SocketAddr,
    /// The database: a file, or `postgres://…`.
    pub db: String,
    /// File with the key that signs the heads of the logs. None means the file next to the database.
    pub key: Option<PathBuf>,
    /// File with the key that seals the secrets of the dice. None means the file next to the database.
    pub seal: Option<PathBuf>,
    /// Where the signed heads go as well.
    pub witness: Vec<Keeper>,
    /// The witness that takes part in the dice of new tables.
    pub dice_witness: Option<WitnessAt>,
    /// The server may run without signing the logs.
    pub unsigned: bool,
    /// Why the server should go on although the logs are not what was signed before.
    pub despite: Option<String>,
    /// The certificate for TLS. None means plain HTTP.
    pub tls: Option<Certificate>,
    /// Limits, proxies and origins.
    pub settings: Settings,
    /// The books for which a practice table is opened. None means all books.
    pub practice: Option<Vec<String>>,
    /// How many minutes a private table can be empty before it closes.
    pub close_after: u32,
    /// Format of the server's own log.
    pub log: LogFormat,
    /// How many seconds pass between two signings of the heads.
    pub sign_every: u64,
    /// Address of the OpenTelemetry collector that gets traces.
    pub otlp: Option<String>,
}

impl Config {
    /// Returns the database that is used if none is named.
    #[must_use]
    pub fn database_in(data: &Path) -> String {
        format!("sqlite:{}", data.join("boxperson.db").display())
    }

    /// Completes the given settings with the defaults. Files are kept in the folder `data`.
    ///
    /// # Errors
    /// When a value can't be used.
    pub fn new(given: Given, data: &Path) -> Result<Config, NotConfigured> {
        let addr = given.addr.unwrap_or_else(|| "127.0.0.1:8080".to_owned());
        let usual = Settings::default();
        if let Some(origin) = given.origins.iter().flatten().find(|origin| !is_origin(origin)) {
            return Err(wrong("origins", format!("expected origins such as https://club.example, found `{origin}`")));
        }
        let some = |name: &str, number: Option<u32>, usual: u32| match number {
            Some(0) => Err(wrong(name, "expected 1 or more")),
            number => Ok(number.unwrap_or(usual)),
        };
        let tls = match (given.tls_cert, given.tls_key) {
            (Some(cert), Some(key)) => Some(Certificate { cert, key }),
            (None, None) => None,
            (Some(_), None) => return Err(wrong("tls_key", "expected the file with the key of the certificate")),
            (None, Some(_)) => return Err(wrong("tls_cert", "expected the file with the certificate of the key")),
        };
        let keeper = |text: &String| text.parse().map_err(|why: String| wrong("witness", why));
        let witness: Vec<Keeper> = given.witness.iter().flatten().map(keeper).collect::<Result<_, _>>()?;
        let dice_witness = given.dice_witness.as_deref().filter(|text| !text.is_empty()).map(str::parse);
        let unsigned = given.unsigned.unwrap_or(false);
        if unsigned && !witness.is_empty() {
            return Err(wrong(
                "witness",
                "expected no witness together with `unsigned`: there are no signed heads to keep",
            ));
        }
        Ok(Config {
            witness,
            dice_witness: dice_witness.transpose().map_err(|why: String| wrong("dice_witness", why))?,
            tls,
            unsigned,
            despite: given.despite,
            addr: addr.parse().map_err(|_| {
                wrong("addr", format!("expected an address and a port such as 127.0.0.1:8080, found `{addr}`"))
            })?,
            db: given.db.unwrap_or_else(|| Config::database_in(data)),
            key: given.key,
            seal: given.seal,
            settings: Settings {
                trusted_proxies: given.trusted_proxies.unwrap_or_default(),
                origins: given.origins.unwrap_or_default(),
                rate: some("rate", given.rate, usual.rate)?,
                burst: some("burst", given.burst, usual.burst)?,
                guests: some("guests", given.guests, usual.guests)?,
                turns: some("turns", given.turns, usual.turns)?,
                connections: some("connections", given.connections, usual.connections)?,
                seats: some("seats", given.seats, usual.seats)?,
                tables: some("tables", given.tables, usual.tables)?,
                second_factor: given.second_factor.unwrap_or_default(),
            },
            practice: given.practice,
            close_after: some("close_after", given.close_after, CLOSE_AFTER)?,
            log: given.log.unwrap_or_default(),
            sign_every: given.sign_every.unwrap_or(60).max(1),
            otlp: given.otlp,
        })
    }
}

/// Returns the address of a database without its password.
#[must_use]
pub fn shown(db: &str) -> String {
    match db.split_once("://").and_then(|(kind, rest)| Some((kind, rest.rsplit_once('@')?))) {
        Some((kind, (who, host))) => format!("{kind}://{}@{host}", who.split(':').next().unwrap_or_default()),
        None => db.to_owned(),
    }
}

fn is_origin(text: &str) -> bool {
    let host = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', ' ', '*']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Result<Given, NotConfigured> {
        Given::environment(|key| pairs.iter().find(|(name, _)| *name == key).map(|(_, value)| (*value).to_owned()))
    }

    #[test]
    fn flags_come_before_the_environment_and_that_before_a_file() {
        let file =
            Given::read("b.toml", "addr = \"127.0.0.1:1\"\nrate = 7\nlog = \"json\"\npractice = [\"one\"]").unwrap();
        let env = environment(&[
            ("BOXPERSON_ADDR", "127.0.0.1:2"),
            ("BOXPERSON_RATE", "8"),
            ("BOXPERSON_SECOND_FACTOR", "staff"),
        ])
        .unwrap();
        let flags = Given { addr: Some("127.0.0.1:3".to_owned()), ..Given::default() };
        let config = Config::new(flags.or(env).or(file), Path::new("/data")).unwrap();
        assert_eq!(config.addr.port(), 3);
        assert_eq!((config.settings.rate, config.log), (8, LogFormat::Json));
        assert_eq!(config.settings.second_factor, SecondFactor::Staff);
        assert_eq!(config.practice, Some(vec!["one".to_owned()]));
        assert_eq!(config.db, "sqlite:/data/boxperson.db");
    }

    #[test]
    fn a_password_is_not_shown() {
        assert_eq!(shown("postgres://box:se:cret@db/box"), "postgres://box@db/box");
        assert_eq!(shown("postgres://box@db/box"), "postgres://box@db/box");
        assert_eq!(shown("sqlite:/data/boxperson.db"), "sqlite:/data/boxperson.db");
    }

    #[test]
    fn nothing_has_to_be_said() {
        let config = Config::new(Given::default(), Path::new("d")).unwrap();
        assert_eq!(config.addr.to_string(), "127.0.0.1:8080");
        assert_eq!((config.settings, config.practice, config.close_after), (Settings::default(), None, 60));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        let file = |text: &str| Given::read("b.toml", text).unwrap_err().to_string();
        assert!(file("adr = 1").contains("b.toml") && file("adr = 1").contains("adr"), "{}", file("adr = 1"));
        assert!(file("rate = \"many\"").contains("line 1"));
        let env = |key: &str, value: &str| environment(&[(key, value)]).unwrap_err().to_string();
        assert_eq!(env("BOXPERSON_RATE", "many"), "BOXPERSON_RATE: expected a whole number, found `many`");
        assert_eq!(
            env("BOXPERSON_SECOND_FACTOR", "all"),
            "BOXPERSON_SECOND_FACTOR: expected none or staff, found `all`"
        );
        assert!(file("second_factor = \"all\"").contains("`none`"), "{}", file("second_factor = \"all\""));
        assert_eq!(env("BOXPERSON_LOG", "xml"), "BOXPERSON_LOG: expected text or json");
        assert!(env("BOXPERSON_TRUSTED_PROXIES", "10.0.0.1,proxy").contains("`proxy`"));
        let not = |given: Given| Config::new(given, Path::new("d")).unwrap_err().to_string();
        assert!(not(Given { addr: Some("here".to_owned()), ..Given::default() }).starts_with("addr: expected"));
        assert!(
            not(Given { origins: Some(vec!["*".to_owned()]), ..Given::default() }).starts_with("origins: expected")
        );
        assert!(not(Given { close_after: Some(0), ..Given::default() }).starts_with("close_after: expected"));
        assert!(not(Given { rate: Some(0), ..Given::default() }).starts_with("rate: expected"));
    }
}
