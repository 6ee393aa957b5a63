//! `boxperson archive`: old hands go to a file and come back, while people play.

use crate::backup::{does, json, plays, refuses};
use crate::serve::Running;
use crate::support::boxperson;
use std::fs;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

const TABLE: &str = "practice-pa";

/// Says that a game is over when it is dropped.
struct Ends<'a>(&'a AtomicBool);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::SeqCst);
    }
}

#[test]
fn old_hands_go_to_a_file_and_come_back() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let (db, file) = (path("tables.db"), path("old.archive"));
    let server =
        Running::start(home.path(), &["--db", &db, "--rate", "100000", "--burst", "100000", "--practice", "pa"]);
    let over = AtomicBool::new(false);
    thread::scope(|scope| {
        // Also ends the game if something fails.
        let _ends = Ends(&over);
        let game = scope.spawn(|| plays(&server, TABLE, &over));
        let grows_to = |rows: u64| {
            while json(&["audit", &db])["rows"].as_u64() < Some(rows) {
                assert!(!game.is_finished(), "the game ended");
                thread::sleep(Duration::from_millis(50));
            }
        };
        // Enough for some hands to end.
        grows_to(300);
        assert_eq!(does(&["archive", "--db", &db]), "no rows are in archives\n");
        refuses(&["archive", TABLE, &file, "--db", &db], "no hand of the table practice-pa");
        refuses(&["archive", "nowhere", &file, "--db", &db], "there is no table `nowhere`");
        refuses(&["archive", TABLE, "--db", &db], "<FILE>");
        let moved = json(&["archive", TABLE, &file, "--db", &db, "--older-than", "0"]);
        assert_eq!((moved["done"].as_str(), moved["seal"]["table"].as_str()), (Some("moved"), Some(TABLE)));
        refuses(&["archive", TABLE, &file, "--db", &db, "--older-than", "0"], "an archive never overwrites a file");
        // People play on.
        grows_to(json(&["audit", &db])["rows"].as_u64().unwrap() + 50);
    });
    let audit = json(&["audit", &db]);
    let seal = &json(&["archive", "--db", &db])["archives"][0];
    let end = seal["end"]["seq"].as_u64().unwrap();
    assert_eq!((audit["clean"].as_bool(), audit["archived"].as_u64()), (Some(true), Some(end - 1)), "{audit}");
    let alone = does(&["audit", &file]);
    assert!(alone.contains(": no findings\n"), "{alone}");
    assert!(alone.contains(&format!("rows 1 to {end} of practice-pa, sealed by")), "{alone}");
    assert_eq!(server.stop(), 0);

    // A server reads the table without the file.
    let server = Running::start(home.path(), &["--db", &db, "--practice", "pa"]);
    let hands = server.ask(&format!("GET /tables/{TABLE}/hands"));
    let gone = server.ask_as(&server.guest(), &format!("GET /tables/{TABLE}/cgn"), "");
    assert!(hands.starts_with("HTTP/1.1 200") && gone.starts_with("HTTP/1.1 410"), "{hands}\n{gone}");
    assert_eq!(server.stop(), 0);

    // A changed file isn't put back, and the right one is.
    let changed = path("changed.archive");
    fs::write(&changed, fs::read_to_string(&file).unwrap().replacen("\"at\":1", "\"at\":2", 1)).unwrap();
    refuses(&["archive", "--put-back", &changed, "--db", &db], "was not used");
    assert_eq!(boxperson(&["audit", &changed]).code, 1);
    let back = does(&["archive", "--put-back", &file, "--db", &db]);
    assert!(back.contains(&format!("{} rows of practice-pa put back, 2 to {end}", end - 1)), "{back}");
    let audit = json(&["audit", &db]);
    assert_eq!((audit["clean"].as_bool(), audit["archived"].as_u64()), (Some(true), Some(0)), "{audit}");
}
