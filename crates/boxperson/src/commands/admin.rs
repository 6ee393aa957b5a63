//! `boxperson admin`: manages accounts, roles and tokens directly in the database. A new database has no accounts; the first one is made here.

use super::serve::{kept, of_database};
use crate::failure::Failure;
use crate::output::{self, Format};
use craps_money::Money;
use craps_server::config::Given;
use craps_server::live::pit::{NotDone, now};
use craps_server::live::purse::{self, Moved};
use craps_server::people::records::{NotChanged, Records, hashed};
use craps_server::people::{Role, Scope};
use craps_store::{Account, Store};
use jiff::Timestamp;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers, read};
use ratatui::crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use serde_json::json;
use std::collections::HashSet;
use std::io::{BufRead as _, IsTerminal as _, Write as _};
use std::process::ExitCode;

/// Arguments of `boxperson admin`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Database: a SQLite file or a postgres:// address [default: the database that `serve` uses]
    #[arg(long, value_name = "URL", global = true)]
    db: Option<String>,
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Passwords are asked for in a terminal, or read from the first line of standard input; never from the command line. You don't have
to stop the server: a change counts from the next request on. Every change is recorded in the trail.

Examples:
  boxperson admin add-account Ann --role admin           the first account; it can add others
  boxperson admin add-account Bo < password.txt          an account without a role
  boxperson admin grant Bo boxperson --table north --from 2026-11-15T18:00Z --until 2026-11-16T02:00Z
  boxperson admin list                                   all accounts with their roles
  boxperson admin revoke Bo 5c1b…                        by the grant id from `list`
  boxperson admin disable Bo                             signs Bo out and closes the account
  boxperson admin add-token Ann --label strategy --scope watch --scope play
  boxperson admin remove-second-factor Bo                after Bo has lost the phone and the recovery codes
  boxperson admin fund Bo 500 --note cash                500.00 in chips for Bo's account; -500 takes them back

Roles: player, dealer, stickperson, boxperson, floorperson, surveillance, director, auditor, cashier, admin.
Scopes: watch, play, deal, audit, direct, cash, admin.";

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Add an account
    AddAccount {
        /// Name of the account
        name: String,
        /// Role to grant at all tables
        #[arg(long, value_parser = role)]
        role: Option<Role>,
    },
    /// Change the password of an account and sign it out everywhere
    SetPassword {
        /// Name of the account
        name: String,
    },
    /// Rename an account
    Rename {
        /// Current name
        name: String,
        /// New name
        new: String,
    },
    /// Close an account
    Disable {
        /// Name of the account
        name: String,
    },
    /// Reopen a closed account
    Enable {
        /// Name of the account
        name: String,
    },
    /// Sign an account out everywhere; its tokens stay valid
    SignOut {
        /// Name of the account
        name: String,
    },
    /// Remove the second factor of an account whose owner lost it, and sign the account out everywhere
    RemoveSecondFactor {
        /// Name of the account
        name: String,
    },
    /// Grant a role, at one table or at all tables, permanently or for a shift
    Grant {
        /// Name of the account
        name: String,
        /// Role to grant
        #[arg(value_parser = role)]
        role: Role,
        /// Only at this table [default: all tables]
        #[arg(long)]
        table: Option<String>,
        /// Start of the shift
        #[arg(long, value_name = "TIME", value_parser = moment)]
        from: Option<i64>,
        /// End of the shift
        #[arg(long, value_name = "TIME", value_parser = moment)]
        until: Option<i64>,
    },
    /// Revoke a role
    Revoke {
        /// Name of the account
        name: String,
        /// Grant id from `list`
        grant: String,
    },
    /// Sell chips to an account or buy them back, or hand out a match-play coupon or take it back
    Fund {
        /// Name of the account
        name: String,
        /// Amount in dollars; with a minus it is taken back
        #[arg(allow_negative_numbers = true)]
        amount: Money,
        /// A coupon of this value instead of chips
        #[arg(long)]
        coupon: bool,
        /// What it is for, such as cash
        #[arg(long)]
        note: String,
    },
    /// List all accounts with their roles
    List {
        /// Output format
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Add a token for a program that acts for an account; the token is shown only once
    AddToken {
        /// Name of the account
        name: String,
        /// Label of the token
        #[arg(long)]
        label: String,
        /// What the program can do; can be repeated
        #[arg(long = "scope", value_name = "SCOPE", required = true, value_parser = scope)]
        scopes: Vec<Scope>,
        /// Days until the token expires
        #[arg(long, default_value_t = 90, value_parser = clap::value_parser!(u16).range(1..=366))]
        days: u16,
    },
    /// List the tokens of an account: labels, scopes and ids, not the secret tokens
    Tokens {
        /// Name of the account
        name: String,
        /// Output format
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Revoke a token
    RevokeToken {
        /// Name of the account
        name: String,
        /// Token id from `tokens`
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
    let moment: Timestamp = text.parse().map_err(|_| "expected a time such as 2026-11-15T18:00Z".to_owned())?;
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
        // Only the first account may make the database.
        let opened = match args.command {
            Command::AddAccount { .. } => Store::open(&db).await,
            _ => Store::open_existing(&db).await,
        };
        let store = opened.map_err(of_database(&db))?;
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
            say(&format!("Added account {} ({}).", account.name, account.id))
        }
        Command::SetPassword { name } => {
            let account = records.named(&name).await?;
            let hash = password(&account.name)?;
            records.set_password(&account.id, &hash).await?;
            say(&format!("Changed the password of {} and signed it out everywhere.", account.name))
        }
        Command::Rename { name, new } => {
            let account = records.named(&name).await?;
            records.rename(&account.id, &new).await?;
            say(&format!("Renamed {} to {new}.", account.name))
        }
        Command::Disable { name } => {
            let account = records.named(&name).await?;
            records.set_disabled(&account.id, true).await?;
            say(&format!("Account {} is closed.", account.name))
        }
        Command::Enable { name } => {
            let account = records.named(&name).await?;
            records.set_disabled(&account.id, false).await?;
            say(&format!("Account {} is open.", account.name))
        }
        Command::SignOut { name } => {
            let account = records.named(&name).await?;
            records.end_sessions(&account.id).await?;
            say(&format!("Signed {} out everywhere.", account.name))
        }
        Command::RemoveSecondFactor { name } => {
            let account = records.named(&name).await?;
            records.remove_factor(&account.id).await?;
            records.end_sessions(&account.id).await?;
            say(&format!("Removed the second factor of {} and signed it out everywhere.", account.name))
        }
        Command::Grant { name, role, table, from, until } => {
            let account = records.named(&name).await?;
            let grant = records.grant(&account.id, role, table.as_deref(), (from, until)).await?;
            say(&format!("{} now has the role {role} (grant {}).", account.name, grant.id))
        }
        Command::Revoke { name, grant } => {
            let account = records.named(&name).await?;
            records.revoke(&account.id, &grant).await?;
            say(&format!("Revoked the role of {}.", account.name))
        }
        Command::Fund { name, amount, coupon, note } => {
            let account = records.named(&name).await?;
            let (back, value) = (amount.minor() < 0, Money::from_minor(amount.minor().saturating_abs()));
            if value.minor() == 0 {
                return Err(Failure::Usage("expected an amount other than 0".to_owned()));
            }
            let moved = match coupon {
                true => Moved::Coupon { value, back, note },
                false => Moved::Cash { chips: amount, note },
            };
            let wrong = |error: NotDone| Failure::Usage(error.to_string());
            let who = format!("a:{}", account.id);
            let (_, left) = purse::change(store, &who, &by, &moved, None, now()).await.map_err(wrong)?;
            let coupons: u32 = left.coupons.values().sum();
            output::write(&format!("{}: ${} in chips and {coupons} coupons.\n", account.name, left.chips))
        }
        Command::List { format } => list(store, format).await,
        Command::AddToken { name, label, scopes, days } => {
            let account = records.named(&name).await?;
            let until = Timestamp::now().as_millisecond() + i64::from(days) * 24 * 60 * 60 * 1_000;
            let (_, token) = records.add_token(&account.id, &label, &scopes, Some(until)).await?;
            // Only the token goes to standard output, so that it can be piped.
            output::remark("this token is shown only once:");
            say(&token)
        }
        Command::Tokens { name, format } => tokens(store, &records.named(&name).await?, format).await,
        Command::RevokeToken { name, token } => {
            let account = records.named(&name).await?;
            records.revoke_token(&account.id, &token).await?;
            say("Revoked the token.")
        }
    }
}

fn say(text: &str) -> Result<ExitCode, Failure> {
    output::write(&format!("{text}\n"))
}

async fn list(store: &Store, format: Format) -> Result<ExitCode, Failure> {
    let (mut rows, mut all) = (Vec::new(), Vec::new());
    let with: HashSet<String> = store.people().factors().await?.into_iter().map(|factor| factor.account).collect();
    for account in store.people().accounts().await? {
        let grants = store.people().grants(&account.id).await?;
        let state = if account.disabled { "closed" } else { "open" };
        let held: Vec<_> = grants
            .iter()
            .map(|grant| {
                json!({ "id": grant.id, "role": grant.role, "table": grant.table, "from": grant.from, "until": grant.until })
            })
            .collect();
        let second_factor = with.contains(&account.id);
        all.push(json!({
            "id": account.id, "name": account.name, "disabled": account.disabled, "created": account.created,
            "second_factor": second_factor, "grants": held,
        }));
        let mut named =
            vec![account.name.clone(), state.to_owned(), if second_factor { "yes" } else { "no" }.to_owned()];
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
            named = vec![String::new(); 3];
        }
    }
    let header = ["name", "account", "second factor", "role", "table", "shift", "grant"];
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

/// Reads a new password and returns its hash. In a terminal it asks twice; otherwise it reads the first line of standard input.
fn password(name: &str) -> Result<String, Failure> {
    let given = if std::io::stdin().is_terminal() {
        let first = prompted("Password: ")?;
        if first != prompted("Repeat password: ")? {
            return Err(Failure::Usage("the passwords don't match".to_owned()));
        }
        first
    } else {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        line.trim_end_matches(['\n', '\r']).to_owned()
    };
    Ok(hashed(name, &given)?)
}

/// Reads a line from the terminal without showing it.
fn prompted(words: &str) -> Result<String, Failure> {
    let mut err = std::io::stderr();
    write!(err, "{words}")?;
    err.flush()?;
    enable_raw_mode()?;
    let typed = typed();
    disable_raw_mode()?;
    writeln!(err)?;
    typed?.ok_or_else(|| Failure::Usage("canceled: no password was entered".to_owned()))
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
