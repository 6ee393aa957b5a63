//! Three games that together use most of the notation. `fill` must print them exactly.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_law::Library;
use craps_notation::{Names, Played, Session, action, play, read};
use craps_table::Command;

fn played(text: &str) -> Vec<Played> {
    let games = read(text).unwrap_or_else(|error| panic!("{error}"));
    play(&Library::shipped(), &games, Names::Codes, &craps_notation::no_house_files)
        .unwrap_or_else(|error| panic!("{error:?}"))
}

const GAMES: &str = r#"[CGN "1"]
[Rules "nj as-of 2024-01-01"]
[House "offer=buy,lay; vig.buy.timing=on_win; vig.on_win.numbers=4,10; odds.k=10"]
[Seats "1 Ann 500; 2 Bo 500"]
# shooter 1
1. 1:P+10 | 4-2^ |
2. 1:C+10 1:WW+5 2:PL6+7!refused | 5-4 | 1:C>9 1:WW=l5
3. 1:C9O+20 1:BY4+20 | 3-3* | 1:P=w10
4. 1:P+10 1:BY4!off!refused | 5-2+ | 1:P=w10 1:C9=l10 1:C9O=t
5. 1:P+10 2:LY10+40v2 | NR(improper,box) |
6. | 2-2^ | {buy 4 is off on the come-out}
7. 1:PO+30 2:LY10-40v2 | 3-1* | 1:P=w10 1:PO=w60 1:BY4=w40v1
# end 1:594 2:500
# open 1:BY4+20
[Case "put with odds; rounding up; dice passed in mid-hand"]
[Rules "co as-of 2021-06-01"]
[House "fire.table=FB-3; odds.k=10"]
# shooter 1
1. 1:P+10 1:FIRE+5 2:PUT6+10 2:PUT6O+20 | 4-4^ |
2. 1:P+10 2:PL6+7 | 5-1 | 2:PL6=w9 2:PUT6=w10 2:PUT6O=w24
# shooter 2
3. | 5-3* | 1:P=w20
# end 1:515 2:536
# open 1:FIRE+5 2:PL6+7
[Case "Power Odds; lay called off; rolling for a come bet only"]
[Rules "pa as-of 2023-10-01"]
[House "offer=lay,power_odds"]
[Seats "1 Ann 500"]
# shooter 1
@rng horn=1
1. 1:P+10 1:LY4+40v1 1:LY4!off 1:HN+4 | 6-6~ | 1:P=l10 1:HN=w42
2. 1:P+10 | 3-1^ | {the call on the lay ends with the point}
3. 1:C+10 1:P-10!refused | 4-2 | 1:C>6
4. | 2-2* | 1:P=w10 1:LY4=l40
# shooter 1 decisions-only
5. | 5-1 | 1:C6=w10
# end 1:511
"#;

#[test]
fn the_three_games_are_filled_byte_for_byte_and_check_clean() {
    let all = played(GAMES);
    let filled: String = all.iter().map(|game| game.filled.as_str()).collect();
    assert_eq!(filled, GAMES);
    for game in &all {
        assert!(game.differences.is_empty(), "{:#?}", game.differences);
    }
}

#[test]
fn what_follows_from_the_law_is_filled_in_whatever_stood_there() {
    // The games without marks, results, commissions and refusals.
    let bare: String = GAMES
        .lines()
        .filter(|line| !line.starts_with("# end") && !line.starts_with("# open"))
        .map(|line| match line.split_once('.') {
            Some((number, rest)) if number.parse::<u32>().is_ok() => {
                let mut parts = rest.splitn(3, '|');
                let (actions, dice) = (parts.next().unwrap(), parts.next().unwrap());
                let comment = rest.find('{').map_or("", |at| &rest[at..]);
                let dice = dice.trim().trim_end_matches(['^', '*', '%', '+', '~']);
                format!(
                    "{number}.{} | {dice} {comment}\n",
                    actions.replace("!refused", "").replace("v2", "").replace("v1", "")
                )
            }
            _ => format!("{line}\n"),
        })
        .collect();
    let filled: String = played(&bare).iter().map(|game| game.filled.as_str()).collect();
    assert_eq!(filled, GAMES);
}

/// A player who leaves takes down their bets first. Those actions get lines of their own, and another player can take the seat.
#[test]
fn what_somebody_does_before_they_leave_is_written_before_it() {
    let tags = [("Rules", "nj as-of 2024-01-01"), ("House", "offer=buy,lay"), ("Seats", "1 Ann 500; 2 Bo 500")];
    let mut session = Session::open(&Library::shipped(), &tags, &craps_notation::no_house_files).unwrap();
    let act = |session: &mut Session, text: &str| {
        let (_, command) = action(session.table(), text).unwrap();
        session.command(&command)
    };
    act(&mut session, "1:P+10").unwrap();
    act(&mut session, "2:PL6+12").unwrap();
    session.throw("4-1".parse().unwrap()).unwrap();
    act(&mut session, "1:PO+20").unwrap();
    act(&mut session, "2:LY10+40").unwrap();
    act(&mut session, "2:LY10-40").unwrap();
    assert!(session.command(&Command::Leave { seat: 2 }).is_err(), "the six is still up");
    act(&mut session, "2:PL6-12").unwrap();
    session.command(&Command::Leave { seat: 2 }).unwrap();
    session.command(&Command::Join { seat: 2, name: "Cy".to_owned(), money: "200".parse().unwrap() }).unwrap();
    act(&mut session, "2:F+5").unwrap();
    // The game can be resumed before the roll and after it.
    let resumed = Session::resume(&Library::shipped(), &session.text(), &craps_notation::no_house_files).unwrap();
    assert_eq!(resumed.text(), session.text());
    session.throw("2-2".parse().unwrap()).unwrap();
    let text = session.text();
    let lines = "@seat 2 does LY10+40v2\n@seat 2 does LY10-40v2\n@seat 2 does PL6-12\n@seat 2 leave\n@seat 2 join Cy 200\n\
                 2. 1:PO+20 2:F+5 | 2-2 | 2:F=w5\n# end 1:470 2:205\n# open 1:P+10 1:PO+20\n";
    assert!(text.ends_with(lines), "{text}");
    let again = played(&text);
    assert_eq!((again[0].filled.as_str(), again[0].differences.len()), (text.as_str(), 0));

    for (line, column) in
        [("@seat 2 does", 1), ("@seat 2 does PL6", 1), ("@seat 2 does PL6-12?", 1), ("@seat x does F+5", 1)]
    {
        let wrong =
            read(&format!("[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 9\"]\n{line}\n")).unwrap_err();
        assert_eq!((wrong.place.line, wrong.place.column), (2, column), "{line}: {wrong}");
    }
    let refused = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 9\"]\n@seat 1 does P+100!refused\n1. 1:P+5 | 1-1~ | 1:P=l5\n# end 1:4\n";
    let game = &played(refused)[0];
    assert!(game.differences.is_empty() && game.filled.contains("@seat 1 does P+100!refused\n"), "{}", game.filled);
}
