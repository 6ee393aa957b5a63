//! `boxperson serve`: it starts without setup, prints its address, stops on a signal, and says why it can't start.

use super::support::{boxperson, root};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

/// A running server, and what it printed.
pub struct Running {
    child: Child,
    said: String,
    addr: String,
}

impl Running {
    pub fn start(home: &std::path::Path, args: &[&str]) -> Running {
        let mut child = Command::new(env!("CARGO_BIN_EXE_boxperson"))
            .args(["serve", "--addr", "127.0.0.1:0"])
            .args(args)
            .current_dir(root())
            .env("XDG_DATA_HOME", home)
            .env_remove("BOXPERSON_DB")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut said = String::new();
        while !said.contains("Ctrl-C") {
            said.push_str(&lines.next().unwrap().unwrap());
            said.push('\n');
        }
        let addr = said.split("http://").nth(1).unwrap().split_whitespace().next().unwrap().to_owned();
        Running { child, said, addr }
    }

    pub fn said(&self) -> &str {
        &self.said
    }

    pub fn ask(&self, request: &str) -> String {
        self.ask_as("", request, "")
    }

    /// Becomes a guest and returns their cookie.
    pub fn guest(&self) -> String {
        let answer = self.ask("POST /guests");
        answer.split("set-cookie: ").nth(1).unwrap().split(';').next().unwrap().to_owned()
    }

    /// Sends a request with a cookie and a body.
    pub fn ask_as(&self, cookie: &str, request: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.addr).unwrap();
        let (addr, length) = (&self.addr, body.len());
        let kind = if body.is_empty() { "" } else { "Content-Type: application/json\r\n" };
        write!(
            stream,
            "{request} HTTP/1.1\r\nHost: {addr}\r\nConnection: close\r\nCookie: {cookie}\r\n{kind}Content-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    }

    pub fn stop(mut self) -> i32 {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().unwrap().success());
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

#[test]
fn it_starts_with_practice_tables_and_stops_when_asked() {
    let home = tempfile::tempdir().unwrap();
    let running = Running::start(home.path(), &[]);
    assert!(
        running.said.contains(&format!("sqlite:{}", home.path().join("boxperson/boxperson.db").display())),
        "{}",
        running.said
    );
    assert!(running.said.contains("opened practice-"), "{}", running.said);
    let tables = running.ask("GET /tables");
    assert!(tables.starts_with("HTTP/1.1 200") && tables.contains("\"practice-co-crapless\""), "{tables}");
    assert!(running.ask("POST /guests").contains("__Host-session="));
    assert_eq!(running.stop(), 0);
    // At the second start the tables exist already.
    let again = Running::start(home.path(), &[]);
    assert!(!again.said.contains("opened"), "{}", again.said);
    assert!(again.ask("GET /tables").contains("\"practice-co-crapless\""));
    assert_eq!(again.stop(), 0);
}

#[test]
fn what_keeps_it_from_starting_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let db = format!("sqlite:{}", folder.path().join("b.db").display());
    let missing = format!("sqlite:{}", folder.path().join("none/b.db").display());
    let file = folder.path().join("b.toml");
    std::fs::write(&file, "addr = \"127.0.0.1:0\"\nadress = 1\n").unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().to_string();
    for (args, words) in [
        (&["--addr", &port, "--db", &db][..], "in use"),
        (&["--addr", "here", "--db", &db], "addr: expected"),
        (&["--addr", "127.0.0.1:0", "--db", &missing], "none"),
        (&["--addr", "127.0.0.1:0", "--db", "mysql://db/box"], "mysql"),
        (&["--addr", "127.0.0.1:0", "--db", &db, "--practice", "zz"], "zz"),
        (&["--config", file.to_str().unwrap()], "adress"),
        (&["--config", "nowhere.toml"], "nowhere.toml"),
        (&["--addr", "127.0.0.1:0", "--db", &db, "--origin", "*"], "origins: expected"),
        (&["--log", "xml"], "text or json"),
        (&["--second-factor", "all"], "none or staff"),
        (&["--db", &db, "--tls-cert", "nowhere.pem", "--tls-key", "nowhere.pem"], "nowhere.pem: No such file"),
        (&["--db", &db, "--tls-cert", "nowhere.pem"], "--tls-key"),
        (&["--db", "postgres://box@127.0.0.1/box?sslrootcert=ca.pem"], "sslmode=verify-full"),
    ] {
        let all: Vec<&str> = std::iter::once("serve").chain(args.iter().copied()).collect();
        let run = boxperson(&all);
        assert_eq!(run.code, 2, "{args:?}: {}", run.err);
        assert!(run.err.contains(words), "{args:?}: {}", run.err);
    }
}
