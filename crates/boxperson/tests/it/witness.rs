//! `boxperson witness` as a program of its own: a server sends it the heads of its log, and an audit compares with them.

use super::serve::Running;
use super::support::{boxperson, root};
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A running witness, and the address with its key that it printed.
struct Witness {
    child: Child,
    at: String,
}

impl Witness {
    fn start(folder: &Path, server: &str) -> Witness {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boxperson"))
            .args(["witness", "--addr", "127.0.0.1:0", "--server", server, "--db"])
            .arg(folder.join("witness.db"))
            .current_dir(root())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let said = BufReader::new(child.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        let at = said.strip_prefix("The witness is running at ").unwrap().to_owned();
        Witness { child, at }
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_witness_has_the_heads_and_takes_part_in_the_dice() {
    let home = tempfile::tempdir().unwrap();
    let before = Running::start(home.path(), &["--practice", "none"]);
    let key = before.said().split("signed with the key ").nth(1).unwrap()[..64].to_owned();
    assert_eq!(before.stop(), 0);
    let witness = Witness::start(home.path(), &key);
    let both = ["--practice", "pa", "--witness", &witness.at, "--dice-witness", &witness.at];
    let server = Running::start(home.path(), &both);
    let cookie = server.guest();
    let post = |path: &str, body: &str| server.ask_as(&cookie, &format!("POST /tables/practice-pa/{path}"), body);
    assert!(post("seats", r#"{"name": "Ann", "buy_in": 50000}"#).starts_with("HTTP/1.1 20"));
    assert!(post("actions", r#"{"say": "pass 10"}"#).starts_with("HTTP/1.1 200"));
    let rolled = post("roll", "{}");
    assert!(rolled.contains(r#""did":"witnessed""#) && rolled.contains(r#""did":"thrown""#), "{rolled}");
    assert_eq!(server.stop(), 0);

    let db = home.path().join("boxperson/boxperson.db").display().to_string();
    let url = witness.at.split('#').next().unwrap();
    let audit = boxperson(&["audit", &db, "--heads", url]);
    assert_eq!(audit.code, 0, "{}{}", audit.out, audit.err);
    assert!(audit.out.contains("no findings"), "{}", audit.out);
    // The witness knows nothing of another store.
    let other = home.path().join("other.db").display().to_string();
    let running = Running::start(home.path(), &["--db", &other, "--practice", "none"]);
    assert_eq!(running.stop(), 0);
    let audit = boxperson(&["audit", &other, "--heads", url]);
    assert_eq!(audit.code, 2, "{}{}", audit.out, audit.err);
    assert!(audit.err.contains("no heads of this store"), "{}", audit.err);

    // The doctor asks the witness, and says when it doesn't answer.
    let doctor =
        || boxperson(&["doctor", "--quick", "--db", &db, "--witness", &witness.at, "--dice-witness", &witness.at]);
    let sound = doctor();
    let lines = |of: &str| sound.out.lines().filter(|line| line.starts_with(of)).count();
    assert_eq!((sound.code, lines("ok       witness"), lines("ok       dice witness")), (0, 1, 1), "{}", sound.out);
    let at = witness.at.clone();
    drop(witness);
    let silent = boxperson(&["doctor", "--quick", "--db", &db, "--witness", &at, "--dice-witness", &at]);
    assert_eq!(silent.code, 1, "{}", silent.out);
    for words in ["warning  witness", "failed   dice witness", "A witness is lost or refuses"] {
        assert!(silent.out.contains(words), "{words}: {}", silent.out);
    }
}

#[test]
fn what_keeps_a_witness_from_starting_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let db = folder.path().join("w.db").display().to_string();
    for (args, words) in [
        (&["--db", &db][..], "--server"),
        (&["--db", &db, "--server", "xyz"], "public key"),
        (&["--db", &db, "--release", "0f"], "--reason"),
        (&["--db", &db, "--release", "0f", "--reason", "restored"], "w.db"),
    ] {
        let all: Vec<&str> = std::iter::once("witness").chain(args.iter().copied()).collect();
        let run = boxperson(&all);
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
}
