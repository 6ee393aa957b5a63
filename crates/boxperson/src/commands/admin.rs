//! `boxperson admin`: the records of people, by whoever has the database. The first account is made here; there is none to begin with.

use super::serve::{kept, of_database};
use crate::failure::Failure;
use crate::output::{self, Format};
use craps_server::config::Given;
use craps_server::people::records::{NotChanged, Records, hashed};
use craps_server::people::{Role, Scope};
use craps_store::{Account, Store};
use jiff::Timestamp;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use serde_json::json;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// Arguments of `boxperson admin`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The database: a file, or postgres://… [default: as `serve` has it]
    #[arg(long, value_name = "URL", global = true)]
    db: Option<String>,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Passwords are asked for, or read from the first line of standard input; never from the command line. A server that runs need not
be stopped: it heeds every change with the next request. Every change is noted in the trail.

Examples:
  boxperson admin add-account Ann --role admin           the first account; it may make others
  boxperson admin add-account Bo < password.txt          one that has no role yet
  boxperson admin grant Bo boxperson --table north --from 2026-11-15T18:00Z --until 2026-11-16T02:00Z
  boxperson admin list                                   everybody, with their roles
  boxperson admin revoke Bo 5c1b…                        by the id that `list` shows
  boxperson admin disable Bo                             signs Bo out at once and lets nobody in
  boxperson admin add-token Ann --label strategy --scope watch --scope play

Roles: player, dealer, stickperson, boxperson, floorperson, surveillance, director, auditor, admin.
Scopes: watch, play, deal, audit, direct, admin.";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Make an account
    AddAccount {
        /// The name
        name: String,
        /// A role at all tables
        #[arg(long, value_parser = role)]
        role: Option<Role>,
    },
    /// Give an account another password, and sign it out everywhere
    SetPassword {
        /// The name
        name: String,
    },
    /// Give an account another name
    Rename {
        /// The name so far
        name: String,
        /// The name from now on
        new: String,
    },
    /// Close an account
    Disable {
        /// The name
        name: String,
    },
    /// Open a closed account again
    Enable {
        /// The name
        name: String,
    },
    /// Sign an account out everywhere; its tokens stay
    SignOut {
        /// The name
        name: String,
    },
    /// Give a role, at a table or at all, always or for a shift
    Grant {
        /// The name
        name: String,
        /// The role
        #[arg(value_parser = role)]
        role: Role,
        /// At this table only
        #[arg(long)]
        table: Option<String>,
        /// From when on
        #[arg(long, value_name = "TIME", value_parser = moment)]
        from: Option<i64>,
        /// Until when
        #[arg(long, value_name = "TIME", value_parser = moment)]
        until: Option<i64>,
    },
    /// Take a role back
    Revoke {
        /// The name
        name: String,
        /// The grant, as `list` shows it
        grant: String,
    },
    /// Everybody, with their roles
    List {
        /// How to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Make a token for a program that acts for an account; it is shown once
    AddToken {
        /// The name
        name: String,
        /// What to call it
        #[arg(long)]
        label: String,
        /// What the program may do; may be given several times
        #[arg(long = "scope", value_name = "SCOPE", required = true, value_parser = scope)]
        scopes: Vec<Scope>,
        /// For how many days
        #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u16).range(1..=366))]
        days: u16,
    },
    /// The tokens of an account, without the tokens themselves
    Tokens {
        /// The name
        name: String,
        /// How to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Take a token back
    RevokeToken {
        /// The name
        name: String,
        /// The token, as `tokens` shows it
        token: String,
    },
}

fn role(word: &str) -> Result<Role, String> {
    Role::find(word).ok_or_else(|| one_of(Role::ALL.map(Role::name)))
}

fn scope(word: &str) -> Result<Scope, String> {
    Scope::find(word).ok_or_else(|| one_of(Scope::ALL.map(Scope::name)))
}

fn one_of<const N: usize>(names: [&str; N]) -> String {
    format!("expected one of {}", names.join(", "))
}

fn moment(text: &str) -> Result<i64, String> {
    let moment: Timestamp = text.parse().map_err(|_| "expected a moment such as 2026-11-15T18:00Z".to_owned())?;
    Ok(moment.as_millisecond())
}

fn shown(moment: i64) -> String {
    Timestamp::from_millisecond(moment).map_or_else(|_| moment.to_string(), |moment| moment.to_string())
}

/// Runs `admin`.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let db = kept(Given { db: args.db, ..Given::default() })?.db;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let store = Store::open(&db).await.map_err(of_database(&db))?;
        let done = done(&store, args.command).await;
        store.close().await;
        done
    })
}

impl From<NotChanged> for Failure {
    fn from(error: NotChanged) -> Failure {
        Failure::Usage(error.to_string())
    }
}

impl From<craps_store::StoreError> for Failure {
    fn from(error: craps_store::StoreError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

async fn done(store: &Store, command: Command) -> Result<ExitCode, Failure> {
    let user = std::env::var("USER").unwrap_or_default();
    let by = format!("admin:{user}");
    let records = Records::new(store, &by);
    match command {
        Command::AddAccount { name, role } => {
            let hash = password(&name)?;
            let account = records.add_account(&name, &hash).await?;
            if let Some(role) = role {
                records.grant(&account.id, role, None, (None, None)).await?;
            }
            say(&format!("{} is account {}", account.name, account.id))
        }
        Command::SetPassword { name } => {
            let account = records.named(&name).await?;
            let hash = password(&account.name)?;
            records.set_password(&account.id, &hash).await?;
            say(&format!("{} has another password, and is signed out everywhere", account.name))
        }
        Command::Rename { name, new } => {
            let account = records.named(&name).await?;
            records.rename(&account.id, &new).await?;
            say(&format!("{} is now called {new}", account.name))
        }
        Command::Disable { name } => {
            let account = records.named(&name).await?;
            records.set_disabled(&account.id, true).await?;
            say(&format!("{} is closed", account.name))
        }
        Command::Enable { name } => {
            let account = records.named(&name).await?;
            records.set_disabled(&account.id, false).await?;
            say(&format!("{} is open", account.name))
        }
        Command::SignOut { name } => {
            let account = records.named(&name).await?;
            records.end_sessions(&account.id).await?;
            say(&format!("{} is signed out everywhere", account.name))
        }
        Command::Grant { name, role, table, from, until } => {
            let account = records.named(&name).await?;
            let grant = records.grant(&account.id, role, table.as_deref(), (from, until)).await?;
            say(&format!("{} is {role} by grant {}", account.name, grant.id))
        }
        Command::Revoke { name, grant } => {
            let account = records.named(&name).await?;
            records.revoke(&account.id, &grant).await?;
            say(&format!("{} no longer has it", account.name))
        }
        Command::List { format } => list(store, format).await,
        Command::AddToken { name, label, scopes, days } => {
            let account = records.named(&name).await?;
            let until = Timestamp::now().as_millisecond() + i64::from(days) * 24 * 60 * 60 * 1_000;
            let (_, token) = records.add_token(&account.id, &label, &scopes, Some(until)).await?;
            // Alone on standard output, so that a pipe gets the token and nothing else.
            output::remark("this token is shown once:");
            say(&token)
        }
        Command::Tokens { name, format } => tokens(store, &records.named(&name).await?, format).await,
        Command::RevokeToken { name, token } => {
            let account = records.named(&name).await?;
            records.revoke_token(&account.id, &token).await?;
            say("it is worth nothing now")
        }
    }
}

fn say(text: &str) -> Result<ExitCode, Failure> {
    output::write(&format!("{text}\n"))
}

async fn list(store: &Store, format: Format) -> Result<ExitCode, Failure> {
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    for account in store.people().accounts().await? {
        let grants = store.people().grants(&account.id).await?;
        let state = if account.disabled { "closed" } else { "open" };
        let held: Vec<_> = grants
            .iter()
            .map(|grant| {
                json!({ "id": grant.id, "role": grant.role, "table": grant.table, "from": grant.from, "until": grant.until })
            })
            .collect();
        all.push(json!({ "id": account.id, "name": account.name, "disabled": account.disabled, "created": account.created, "grants": held }));
        let mut named = vec![account.name.clone(), state.to_owned()];
        if grants.is_empty() {
            rows.push([named.clone(), vec![String::new(); 4]].concat());
        }
        for grant in grants {
            let shift = match (grant.from, grant.until) {
                (None, None) => String::new(),
                (from, until) => {
                    format!("{} – {}", from.map(shown).unwrap_or_default(), until.map(shown).unwrap_or_default())
                }
            };
            let table = grant.table.unwrap_or_else(|| "all".to_owned());
            rows.push([named.clone(), vec![grant.role, table, shift, grant.id]].concat());
            named = vec![String::new(); 2];
        }
    }
    let header = ["name", "account", "role", "table", "shift", "grant"];
    print(format, &header, rows, &all)
}

async fn tokens(store: &Store, account: &Account, format: Format) -> Result<ExitCode, Failure> {
    let tokens = store.people().tokens_of(&account.id).await?;
    let all: Vec<_> = tokens
        .iter()
        .map(|token| {
            json!({ "id": token.id, "label": token.label, "scopes": token.scopes.split(' ').collect::<Vec<_>>(),
                    "created": token.created, "expires": token.expires })
        })
        .collect();
    let row = |token: &craps_store::ApiToken| {
        let until = token.expires.map(shown).unwrap_or_default();
        vec![token.label.clone(), token.scopes.clone(), until, token.id.clone()]
    };
    print(format, &["label", "scopes", "until", "token"], tokens.iter().map(row).collect(), &all)
}

fn print(
    format: Format,
    header: &[&str],
    rows: Vec<Vec<String>>,
    all: &[serde_json::Value],
) -> Result<ExitCode, Failure> {
    match format {
        Format::Json => output::write_json(&all),
        Format::Table if rows.is_empty() => say("none"),
        Format::Table => output::write(&output::table(header, &[], rows)),
        Format::Csv => {
            let line =
                |cells: Vec<String>| cells.iter().map(|cell| output::csv_field(cell)).collect::<Vec<_>>().join(",");
            let header = line(header.iter().map(ToString::to_string).collect());
            say(&[vec![header], rows.into_iter().map(line).collect()].concat().join("\n"))
        }
    }
}

/// The hash of a new password: asked for twice at a terminal, else the first line of standard input.
fn password(name: &str) -> Result<String, Failure> {
    let given = if std::io::stdin().is_terminal() {
        let first = prompted("password: ")?;
        if first != prompted("again: ")? {
            return Err(Failure::Usage("these are two passwords".to_owned()));
        }
        first
    } else {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        line.trim_end_matches(['\n', '\r']).to_owned()
    };
    Ok(hashed(name, &given)?)
}

/// What somebody types without it being seen.
fn prompted(words: &str) -> Result<String, Failure> {
    let mut err = std::io::stderr();
    write!(err, "{words}")?;
    err.flush()?;
    enable_raw_mode()?;
    let typed = typed();
    disable_raw_mode()?;
    writeln!(err)?;
    typed?.ok_or_else(|| Failure::Usage("no password".to_owned()))
}

fn typed() -> std::io::Result<Option<String>> {
    let mut text = String::new();
    loop {
        let Event::Key(key) = read()? else { continue };
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            _ if key.kind == KeyEventKind::Release => {}
            KeyCode::Char('c' | 'd') if control => return Ok(None),
            KeyCode::Esc => return Ok(None),
            KeyCode::Enter => return Ok(Some(text)),
            KeyCode::Backspace => drop(text.pop()),
            KeyCode::Char(c) => text.push(c),
            _ => {}
        }
    }
}
