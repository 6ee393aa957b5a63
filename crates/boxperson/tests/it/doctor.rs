//! `boxperson doctor`: finds nothing at a sound deployment, and names each thing that is broken.

use crate::serve::Running;
use crate::support::{Run, root};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The data folder of a server that ran once and signed its log.
struct Deployment(tempfile::TempDir);

impl Deployment {
    fn new() -> Deployment {
        let home = tempfile::tempdir().unwrap();
        assert_eq!(Running::start(home.path(), &["--practice", "pa"]).stop(), 0);
        Deployment(home)
    }

    fn file(&self, ending: &str) -> PathBuf {
        self.0.path().join(format!("boxperson/boxperson.db{ending}"))
    }

    fn run(&self, args: &[&str]) -> Run {
        self.run_as(&format!("exec \"$0\" doctor {}", args.join(" ")), &[])
    }

    fn run_as(&self, script: &str, env: &[(&str, &str)]) -> Run {
        let mut command = Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_boxperson")]).current_dir(root());
        command.env("XDG_DATA_HOME", self.0.path()).env_remove("BOXPERSON_DB").envs(env.iter().copied());
        let output = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Run { code: output.status.code().unwrap(), out: text(output.stdout), err: text(output.stderr) }
    }

    /// Runs the doctor and returns the state of each check and what it found.
    fn checks(&self, args: &[&str]) -> BTreeMap<String, (String, String)> {
        let run = self.run(&[&["--format", "json"], args].concat());
        let all: Value =
            serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {}{}", run.out, run.err));
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let checks: BTreeMap<String, (String, String)> = all["checks"]
            .as_array()
            .unwrap()
            .iter()
            .map(|check| (text(&check["name"]), (text(&check["state"]), text(&check["found"]))))
            .collect();
        let findings = checks.values().filter(|(state, _)| state == "warning" || state == "failed").count();
        assert_eq!((run.code, &all["clean"]), (i32::from(findings > 0), &Value::Bool(findings == 0)), "{}", run.out);
        for check in all["checks"].as_array().unwrap().iter().filter(|check| check["state"] != "ok") {
            let todo = text(&check["todo"]);
            let command = ["chmod 600 ", "boxperson "].iter().any(|command| todo.contains(command));
            assert!(todo.len() > 10 && (todo.ends_with('.') || command), "it says what to do: {check}");
        }
        checks
    }

    /// Checks that one thing is found, and that nothing else is.
    #[track_caller]
    fn finds(&self, args: &[&str], name: &str, state: &str, words: &str) {
        let checks = self.checks(args);
        let (found, said) = checks.get(name).unwrap_or_else(|| panic!("no check {name}: {checks:?}"));
        assert!(found == state && said.contains(words), "{name}: {found}: {said}");
        let others =
            checks.iter().filter(|(other, (state, _))| *other != name && (state == "warning" || state == "failed"));
        assert_eq!(others.collect::<Vec<_>>(), [], "{name}");
    }

    /// Breaks something in the database, with the SQLite of Python.
    fn sql(&self, sql: &str) {
        let script = "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.executescript(sys.argv[2]); d.close()";
        let done = Command::new("python3").args(["-c", script]).arg(self.file("")).arg(sql).status().unwrap();
        assert!(done.success(), "{sql}");
    }
}

fn set_mode(file: &Path, mode: u32) {
    fs::set_permissions(file, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_sound_deployment_has_no_findings_and_stays_as_it_is() {
    let home = Deployment::new();
    let listed = || {
        let files = fs::read_dir(home.file("").parent().unwrap()).unwrap();
        let mut files: Vec<_> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        // SQLite can leave the files that its readers share.
        files.retain(|file| !file.ends_with("-wal") && !file.ends_with("-shm"));
        files.sort();
        files
    };
    let (before, bytes) = (listed(), fs::read(home.file("")).unwrap());
    let run = home.run(&[]);
    assert_eq!(run.code, 0, "{}{}", run.out, run.err);
    for words in ["ok       settings", "ok       integrity", "skipped  durable write", "only reads"] {
        assert!(run.out.contains(words), "{words}: {}", run.out);
    }
    assert_eq!((listed(), fs::read(home.file("")).unwrap() == bytes), (before, true), "it changed something");
    let checks = home.checks(&["--write"]);
    assert_eq!(checks["durable write"].0, "ok");
    assert_eq!(home.checks(&["--quick"])["integrity"].0, "skipped");
    // While a server runs.
    let running = Running::start(home.0.path(), &[]);
    assert_eq!(home.checks(&["--write"])["signed log"].0, "ok");
    assert_eq!(running.stop(), 0);
    // Its help is its own.
    let help = home.run(&["--help"]);
    assert!(
        help.out.contains("boxperson doctor --write") && !help.out.contains("boxperson serve --db"),
        "{}",
        help.out
    );
}

#[test]
fn settings_that_are_wrong_or_unsafe_are_named() {
    let home = Deployment::new();
    let settings = home.0.path().join("b.toml");
    let file = settings.to_str().unwrap();
    for (text, name, state, words) in [
        ("adress = 1", "settings", "failed", "adress"),
        ("addr = \"here\"", "settings", "failed", "addr: expected"),
        ("addr = \"0.0.0.0:8080\"", "encryption", "failed", "plain HTTP at 0.0.0.0:8080"),
        ("addr = \"0.0.0.0:8080\"\ntrusted_proxies = [\"192.0.2.1\"]", "encryption", "warning", "between the proxy"),
        ("unsigned = true", "signatures", "warning", "not signed"),
        ("despite = \"a reason\"", "despite", "warning", "a reason"),
        ("trusted_proxies = [\"192.0.2.1\"]", "proxies", "warning", "192.0.2.1 can't reach"),
        ("trusted_proxies = [\"0.0.0.0\"]", "proxies", "failed", "0.0.0.0 is not"),
        ("origins = [\"http://club.example\"]", "origins", "warning", "http://club.example"),
    ] {
        fs::write(&settings, text).unwrap();
        home.finds(&["--config", file], name, state, words);
    }
    fs::write(
        &settings,
        "trusted_proxies = [\"127.0.0.1\"]\norigins = [\"https://club.example\", \"http://localhost:1\"]",
    )
    .unwrap();
    assert_eq!(home.run(&["--config", file]).code, 0);
    home.finds(&["--config", "nowhere.toml"], "settings", "failed", "nowhere.toml");
    assert_eq!(home.run(&["--wrong"]).code, 2);
    let run = home.run_as("ulimit -n 100; exec \"$0\" doctor", &[]);
    assert!(run.code == 1 && run.out.contains("warning  open files       this shell allows 100"), "{}", run.out);
}

#[test]
fn a_database_that_cannot_be_used_is_named() {
    let home = Deployment::new();
    let other = home.0.path().join("none.db");
    home.finds(&["--db", other.to_str().unwrap()], "database", "failed", "none.db");
    assert!(!other.exists(), "the doctor made a database");
    home.finds(&["--db", "mysql://db/box"], "database", "failed", "mysql");
    home.finds(&["--room", "99999999999"], "disk", "warning", "MiB left");
    set_mode(&home.file(""), 0o644);
    home.finds(&[], "permissions", "warning", "other users");
    set_mode(&home.file(""), 0o600);
    home.sql("UPDATE ends SET at = at + 3600000 WHERE table_id = 'practice-pa'");
    home.finds(&[], "clock", "failed", "s behind the last row");
    home.sql("UPDATE ends SET at = at - 3600000 WHERE table_id = 'practice-pa'");
    // An index that doesn't agree with its table.
    home.sql(
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'CREATE INDEX', 'CREATE UNIQUE INDEX') \
         WHERE type = 'index' AND sql LIKE 'CREATE INDEX%'; CREATE TABLE more (a, b); CREATE INDEX ab ON more (a); \
         INSERT INTO more VALUES (1, 1); UPDATE sqlite_schema SET sql = 'CREATE INDEX ab ON more (b, a)' WHERE name = 'ab'",
    );
    let checks = home.checks(&[]);
    assert_eq!(checks["integrity"].0, "failed", "{checks:?}");
    home.sql("INSERT INTO _sqlx_migrations SELECT 9999, description, installed_on, success, checksum, execution_time FROM _sqlx_migrations LIMIT 1");
    let run = home.run(&[]);
    assert!(run.out.contains("schema version 9999") && run.out.contains("Install the newer program"), "{}", run.out);
}

#[test]
fn a_durable_write_that_fails_is_named() {
    let home = Deployment::new();
    home.sql("DROP TABLE proof");
    home.finds(&["--write"], "durable write", "failed", "proof");
    assert_eq!(home.run(&[]).code, 0, "without --write nobody tries");
}

#[test]
fn keys_that_are_missing_open_or_of_another_log_are_named() {
    let (home, other) = (Deployment::new(), Deployment::new());
    for (ending, name) in [(".key", "signing key"), (".seal", "sealing key")] {
        let (file, kept) = (home.file(ending), home.file(".kept"));
        fs::rename(&file, &kept).unwrap();
        home.finds(&[], name, "failed", "doesn't exist");
        assert!(!file.exists(), "the doctor made a key");
        fs::write(&file, "no key\n").unwrap();
        set_mode(&file, 0o600);
        home.finds(&[], name, "failed", "64 lower-case hex digits");
        fs::rename(&kept, &file).unwrap();
        set_mode(&file, 0o640);
        home.finds(&[], name, "failed", "other users can open it");
        set_mode(&file, 0o600);
    }
    let (seal, key) = (other.file(".seal"), other.file(".key"));
    home.finds(&["--seal", seal.to_str().unwrap()], "sealing key", "failed", "the key of another database");
    let checks = home.checks(&["--key", key.to_str().unwrap()]);
    assert!(checks["signed log"].0 == "failed" && checks["signed log"].1.contains("another store"), "{checks:?}");

    // The heads that were kept outside the database.
    let (heads, kept) = (home.file(".key.heads"), home.file(".kept"));
    fs::rename(&heads, &kept).unwrap();
    home.finds(&[], "signed log", "warning", "only in the database");
    fs::rename(&kept, &heads).unwrap();
    // A log that was shortened, and all that the database knows of its signatures.
    home.sql(
        "DELETE FROM heads; DELETE FROM log WHERE table_id = 'practice-pa' AND seq = 2; \
         UPDATE ends SET seq = 1, hash = (SELECT hash FROM log WHERE table_id = 'practice-pa') WHERE table_id = 'practice-pa'",
    );
    home.finds(&[], "signed log", "failed", "ends at row 1, but a head was signed at row 2");
}

#[test]
fn a_key_among_the_backups_is_named() {
    let home = Deployment::new();
    let copies = home.0.path().join("copies/monday");
    fs::create_dir_all(&copies).unwrap();
    fs::write(copies.join("monday.backup"), "{\"line\":\"store\"}").unwrap();
    let folder = home.0.path().join("copies");
    let args = ["--copies", folder.to_str().unwrap()];
    assert_eq!(home.checks(&args)["backups"].0, "ok");
    fs::copy(home.file(".seal"), copies.join("some-name")).unwrap();
    home.finds(&args, "backups", "failed", "some-name is the sealing key");
    fs::copy(copies.join("monday.backup"), home.file(".backup")).unwrap();
    home.finds(&[], "backups", "warning", "boxperson.db.backup");
    home.finds(&["--copies", "/nowhere"], "backups", "failed", "/nowhere");
}

#[test]
fn a_certificate_that_ends_is_named() {
    let home = Deployment::new();
    let (cert, key) = (home.0.path().join("cert.pem"), home.0.path().join("key.pem"));
    let args = ["--tls-cert", cert.to_str().unwrap(), "--tls-key", key.to_str().unwrap()];
    let make = |from: i64, until: i64| {
        let mut wanted = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let day = |days: i64| {
            std::time::SystemTime::now() + std::time::Duration::from_secs(86_400) * 10_000
                - std::time::Duration::from_secs(86_400) * u32::try_from(10_000 - days).unwrap()
        };
        wanted.not_before = day(from).into();
        wanted.not_after = day(until).into();
        let pair = rcgen::KeyPair::generate().unwrap();
        fs::write(&cert, wanted.self_signed(&pair).unwrap().pem()).unwrap();
        fs::write(&key, pair.serialize_pem()).unwrap();
    };
    for (from, until, state, words) in [
        (-10, 90, "ok", "more days"),
        (-90, 10, "warning", "more days"),
        (-90, -10, "failed", "it expired"),
        (10, 90, "failed", "not valid yet"),
    ] {
        make(from, until);
        let checks = home.checks(&args);
        let (found, said) = &checks["certificate"];
        assert!(found == state && said.contains(words), "{found}: {said}");
    }
    fs::write(&cert, "no certificate").unwrap();
    home.finds(&args, "certificate", "failed", "expected certificates as PEM");
}
