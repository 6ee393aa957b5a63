//! Runs Schemathesis, which generates requests from the server's OpenAPI document. No response may be a server error or differ from the
//! document.

use crate::{needed, run, say, tool};
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// Maximum number of generated requests of each kind per route.
const EXAMPLES: &str = "100";
/// Maximum time of each run, in seconds.
const SECONDS: &str = "300";
const CHECKS: &str = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance";
/// Routes to skip: streams never end, and changes of the admin's own account would end the run.
const LEFT_OUT: &str = "/stream$|^/accounts/[^/]+";

/// Runs Schemathesis three times: signed out, as a guest, and with an admin's token.
pub(crate) fn campaign() -> bool {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    let home = target.join("schemathesis");
    let bin = |name: &str| home.join("bin").join(name).display().to_string();
    let why = "Schemathesis is a Python program";
    let wanted = Path::new(env!("CARGO_MANIFEST_DIR")).join("peers/schemathesis.txt").display().to_string();
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", &wanted];
    let ready = tool("python3", why)
        && needed("python3-venv", "python3", &["-c", "import ensurepip"], why)
        && run("environment", "python3", &["-m", "venv", &home.display().to_string()], &[])
        && run("environment", &bin("python"), &pip, &[])
        // The debug build panics on overflows and failed assertions, which is what this test wants to find.
        && run("server", "cargo", &["build", "--package", "boxperson"], &[]);
    if !ready {
        return false;
    }
    let Some(server) = Server::start(&target.join("debug/boxperson"), &home) else { return false };
    let ask = |who: &str, header: Option<String>| {
        let document = format!("{}/openapi.json", server.address);
        let header = header.map(|header| ["--header".to_owned(), header]);
        let mut words = vec!["run", &document, "--checks", CHECKS, "--exclude-path-regex", LEFT_OUT, "--seed", "1"];
        words.extend(["--phases", "examples,coverage,fuzzing", "--max-examples", EXAMPLES, "--max-time", SECONDS]);
        words.extend(["--workers", "1", "--request-timeout", "20", "--no-shrink", "--warnings", "off"]);
        words.extend(header.iter().flatten().map(String::as_str));
        run(who, &bin("schemathesis"), &words, &[])
    };
    let asked = [
        ask("signed out", None),
        ask("as a guest", server.guest().map(|cookie| format!("Cookie: {cookie}"))),
        ask("with an admin's token", server.token().map(|token| format!("Authorization: Bearer {token}"))),
    ];
    asked == [true; 3]
}

/// A server with its own database. It is killed when this is dropped.
struct Server {
    child: Child,
    program: PathBuf,
    db: PathBuf,
    address: String,
}

impl Server {
    fn start(program: &Path, home: &Path) -> Option<Server> {
        let folder = home.join("run");
        // Remove the files of an earlier run.
        let _ = fs::remove_dir_all(&folder);
        let made = fs::create_dir_all(&folder);
        let db = folder.join("tables.db");
        let mut command = Command::new(program);
        command.args([
            "serve",
            "--addr",
            "127.0.0.1:0",
            "--rate",
            "1000000",
            "--burst",
            "1000000",
            "--guests",
            "100000",
        ]);
        let child =
            made.and_then(|()| command.arg("--db").arg(&db).stdout(Stdio::piped()).stderr(Stdio::null()).spawn());
        let mut child = child.map_err(|error| say(&format!("xtask: {}: {error}", program.display()))).ok()?;
        let mut lines = BufReader::new(child.stdout.take()?).lines().map_while(Result::ok);
        let address =
            lines.find_map(|line| line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned));
        // Read and drop the rest of the output, so that the server doesn't block on a full pipe.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Server { child, program: program.to_owned(), db, address: address? })
    }

    fn admin(&self, args: &[&str], input: &str) -> Option<String> {
        let mut command = Command::new(&self.program);
        command.args(["admin", "--db"]).arg(&self.db).args(args).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().ok()?;
        child.stdin.take()?.write_all(input.as_bytes()).ok()?;
        let output = child.wait_with_output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    }

    /// Makes an account with all staff roles and returns a token with all scopes.
    fn token(&self) -> Option<String> {
        self.admin(&["add-account", "Ada", "--role", "admin"], "correct horse battery\n")?;
        for role in ["floorperson", "boxperson", "stickperson", "dealer", "auditor", "director"] {
            self.admin(&["grant", "Ada", role], "")?;
        }
        let scopes = ["watch", "play", "deal", "audit", "direct", "admin"].map(|scope| ["--scope", scope]);
        self.admin(&[&["add-token", "Ada", "--label", "made up"], scopes.as_flattened()].concat(), "")
    }

    /// Signs in as a guest and returns the cookie.
    fn guest(&self) -> Option<String> {
        let address = self.address.strip_prefix("http://")?;
        let mut stream = std::net::TcpStream::connect(address).ok()?;
        write!(stream, "POST /guests HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
            .ok()?;
        let cookie = BufReader::new(stream).lines().map_while(Result::ok).find_map(|line| {
            line.to_lowercase().starts_with("set-cookie: ").then(|| line["set-cookie: ".len()..].to_owned())
        });
        cookie?.split(';').next().map(str::to_owned)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Errors mean that the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
