//! A session writes the same text that `fill` prints, and a session stopped anywhere can be resumed from its text.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::Library;
use craps_notation::{Names, Session, play, read};
use craps_table::Command;
use craps_testkit::generate::Generator;
use craps_testkit::{House, sample_houses, source_of};
use std::sync::LazyLock;

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

fn open(house: &House) -> Session {
    let rules = format!("{} as-of {}", house.rules.book, house.rules.as_of);
    let (game, file) = (house.rules.game.word(), format!("file:{}", house.file));
    let tags = [("Rules", rules.as_str()), ("Game", game), ("House", &file), ("Seats", "1 Ann 5000; 4 Bo 2500")];
    Session::open(&LIBRARY, &tags, &source_of).unwrap()
}

/// Plays a random game. After each command, `each` can inspect or replace the session.
fn drive(house: &House, seed: u64, rolls: u32, mut each: impl FnMut(&mut Session, &Command, bool)) -> Session {
    let (mut session, mut generator) = (open(house), Generator::new(seed));
    while session.next_roll() <= rolls && !generator.is_stuck() {
        let (_, command) = generator.next(session.table());
        let taken = match &command {
            Command::Throw { dice } => session.throw(*dice).is_ok(),
            Command::NoRoll { .. } | Command::Rule { .. } => continue,
            command => session.command(command).is_ok(),
        };
        each(&mut session, &command, taken);
    }
    session
}

/// Returns the text without the actions since the last roll.
fn thrown(text: &str) -> &str {
    text.split("{not yet rolled").next().unwrap()
}

#[test]
fn what_a_session_writes_is_what_fill_prints() {
    for (at, house) in sample_houses().iter().enumerate() {
        for seed in 0..4 {
            let mut throws = 0;
            let session = drive(house, 1_000 * seed + at as u64, 30, |_, command, taken| {
                throws += u32::from(taken && matches!(command, Command::Throw { .. }));
            });
            assert!(throws > 10, "{}: only {throws} rolls", house.file);
            let text = session.text();
            let played = play(&LIBRARY, &read(thrown(&text)).unwrap(), Names::Codes, &source_of).unwrap().remove(0);
            assert!(played.differences.is_empty(), "{}: {:#?}\n{text}", house.file, played.differences);
            assert!(played.refused.is_empty(), "{}: {:#?}\n{text}", house.file, played.refused);
            assert_eq!(played.filled, thrown(&text), "{}", house.file);
        }
    }
}

#[test]
fn stopped_anywhere_it_goes_on_from_its_text() {
    for (at, house) in sample_houses().iter().enumerate() {
        let mut steps = 0;
        drive(house, at as u64, 15, |session, command, _| {
            steps += 1;
            if steps % 3 != 0 {
                return;
            }
            let text = session.text();
            let again = Session::resume(&LIBRARY, &text, &source_of)
                .unwrap_or_else(|error| panic!("{} after {command:?}: {error:?}\n{text}", house.file));
            assert_eq!(again.text(), text, "{}", house.file);
            // Older texts have another word for it.
            let older = text.replace("{not yet rolled", "{not yet thrown");
            let from_older = Session::resume(&LIBRARY, &older, &source_of).unwrap();
            assert_eq!(from_older.text(), text, "{}", house.file);
            for (seat, placed) in session.table().seats() {
                assert_eq!(again.table().seat(seat), Some(placed), "{} after {command:?}\n{text}", house.file);
            }
            assert_eq!(again.table().phase(), session.table().phase(), "{}", house.file);
            assert_eq!(again.repeated(1), session.repeated(1), "{}", house.file);
            *session = again;
        });
    }
}

#[test]
fn undo_and_redo_walk_back_and_forth_over_the_same_tables() {
    let mut walked = 0;
    for (at, house) in sample_houses().iter().enumerate() {
        drive(house, 77 + at as u64, 15, |session, command, taken| {
            if !taken || matches!(command, Command::Throw { .. }) {
                return;
            }
            let before = session.text();
            match session.undo() {
                Ok(taken) if !taken.is_empty() => {
                    walked += 1;
                    assert_ne!(session.text(), before, "{}", house.file);
                    session.redo().unwrap_or_else(|refusal| panic!("{}: {refusal}", house.file));
                }
                Ok(_) => panic!("{}: nothing to undo after {command:?}", house.file),
                // A side bet that the law locks stays up, and the refusal cites the law.
                Err(refusal) => assert!(!refusal.cites().to_string().is_empty(), "{}: {refusal}", house.file),
            }
            assert_eq!(session.text(), before, "{}", house.file);
        });
    }
    assert!(walked > 100, "only {walked} steps were undone");
}
