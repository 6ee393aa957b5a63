//! The live table without a server: rows are stored before anybody sees them, survive a restart, and are never written twice.

use crate::house::{LIBRARY, Place, ask, opening, wish};
use craps_notation::RulesTag;
use craps_server::audit::Auditor;
use craps_server::live::pit::{Ask, Done, NotDone, Pit, Waits, now, ticks};
use craps_server::live::view::{self, Eye};
use craps_server::live::{By, Cast, Deed, DiceFrom, Entry, HostCode, Live, Pace, Secret, What, Written};
use craps_store::{NewRow, Store};
use craps_table::{Actor, Command, Crew, Manner, PassGround, SeatId, Shooter};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

async fn open(pit: &Pit, table: &str) {
    pit.open(table, opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
}

fn join(who: &str, seat: SeatId) -> Ask {
    ask(who, seat, wish::join(who, 50_000))
}

fn talk(who: &str, seat: SeatId, words: &str) -> Ask {
    ask(who, seat, wish::talk(words))
}

fn keyed(ask: Ask, key: &str) -> Ask {
    Ask { key: Some(ask.wish.keyed(key.to_owned())), ..ask }
}

async fn seen(pit: &Pit, table: &str) -> Value {
    let eye = Eye { all: true, ..Eye::default() };
    let id = table.to_owned();
    serde_json::to_value(pit.look(table, move |live| view::table(&id, live, &eye)).await.unwrap()).unwrap()
}

fn stakes(seen: &Value, seat: usize) -> Vec<(String, i64)> {
    let bets = seen["seats"][seat]["bets"].as_array().unwrap().iter();
    bets.map(|bet| (bet["bet"].as_str().unwrap().to_owned(), bet["stake"].as_i64().unwrap())).collect()
}

fn bet(code: &str, stake: i64) -> (String, i64) {
    (code.to_owned(), stake)
}

#[tokio::test]
async fn orders_since_the_throw_are_taken_back_and_done_again() {
    let place = Place::new();
    let pit = place.pit().await;
    open(&pit, "t").await;
    pit.ask("t", join("ann", 1)).await.unwrap();
    pit.ask("t", join("bo", 2)).await.unwrap();
    pit.ask("t", talk("ann", 1, "pass 10")).await.unwrap();
    pit.ask("t", talk("bo", 2, "don't pass 10")).await.unwrap();
    let done = pit.ask("t", talk("ann", 1, "field 5; 12 on the six")).await.unwrap();
    assert_eq!(done.understood.as_deref(), Some("field for 5; place six for 12"));
    let before = seen(&pit, "t").await;
    assert_eq!(stakes(&before, 0), [bet("P", 1_000), bet("PL6", 1_200), bet("F", 500)]);

    pit.ask("t", ask("ann", 1, wish::plain("undo"))).await.unwrap();
    let undone = seen(&pit, "t").await;
    assert_eq!(stakes(&undone, 0), [bet("P", 1_000)]);
    assert_eq!(stakes(&undone, 1), [bet("DP", 1_000)], "bets of others stay");
    assert_eq!(undone["seats"][0]["rail"], 49_000);
    pit.ask("t", ask("ann", 1, wish::plain("redo"))).await.unwrap();
    assert_eq!(seen(&pit, "t").await["seats"], before["seats"]);
    // Nothing is left to redo.
    assert!(pit.ask("t", ask("ann", 1, wish::plain("redo"))).await.unwrap().rows.is_empty());

    pit.ask("t", ask("ann", 1, wish::plain("clear"))).await.unwrap();
    assert!(stakes(&seen(&pit, "t").await, 0).is_empty());
    for _ in 0..2 {
        pit.ask("t", ask("ann", 1, wish::plain("redo"))).await.unwrap();
    }
    assert_eq!(seen(&pit, "t").await["seats"], before["seats"]);

    // After a roll nothing can be undone, but the bets can be repeated.
    pit.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    assert!(pit.ask("t", ask("ann", 1, wish::plain("undo"))).await.unwrap().rows.is_empty());
    let again = pit.look("t", |live| live.repeat(1)).await.unwrap();
    assert_eq!(again.len(), 3, "{again:?}");
}

#[tokio::test]
async fn every_throw_follows_from_the_secret_and_the_seeds_before_it() {
    let place = Place::new();
    let pit = place.pit().await;
    open(&pit, "t").await;
    pit.ask("t", join("ann", 1)).await.unwrap();
    let mut hands = 0;
    for number in 0..400 {
        let _ = pit.ask("t", talk("ann", 1, "pass 5")).await;
        let roll = wish::of(json!({ "do": "roll", "seed": format!("roll-{number}") }));
        if let Err(error) = pit.ask("t", ask("ann", 1, roll)).await {
            panic!("{error}");
        }
        if pit.look("t", |live| live.hand().map(|hand| hand.number)).await.unwrap() > Some(6) {
            hands = 6;
            break;
        }
    }
    assert_eq!(hands, 6, "six hands end within four hundred rolls");
    let rows = pit.rows("t", 0, 10_000).await.unwrap();
    let (mut commitment, mut closed, mut thrown, mut verified) = (String::new(), Vec::new(), Vec::new(), 0);
    let mut revealed: Option<String> = None;
    for told in &rows {
        match &told.entry.did {
            Deed::Committed { commitment: to, .. } => {
                assert!(revealed.as_ref().is_none_or(|before| before == to), "the secret before is the commitment");
                commitment.clone_from(to);
            }
            Deed::Closed { throw, seeds } => {
                assert_eq!(*throw, u32::try_from(thrown.len()).unwrap() + 1);
                assert!(seeds.len() == 1 && seeds[0].seat == 1 && seeds[0].seed.starts_with("roll-"), "{seeds:?}");
                closed.push(seeds.clone());
            }
            Deed::Thrown { faces, .. } => thrown.push(*faces),
            Deed::Revealed { secret, hand } => {
                revealed = Some(secret.clone());
                let secret = Secret::from_hex(secret).unwrap();
                assert_eq!(secret.commitment(), commitment);
                assert_eq!(closed.len(), thrown.len());
                for (throw, (seeds, faces)) in (1..).zip(closed.drain(..).zip(thrown.drain(..))) {
                    let cast = Cast { table: "t", hand: *hand, what: What::Throw(throw), seeds: &seeds, witness: None };
                    assert_eq!(secret.cast(&cast).dice().map(|die| die.pips()), faces);
                    verified += 1;
                }
            }
            _ => {}
        }
    }
    assert!(verified > 12, "{verified}");
}

#[tokio::test]
async fn a_restart_changes_nothing_and_keys_hold_beyond_it() {
    let place = Place::new();
    let before = {
        let pit = place.pit().await;
        open(&pit, "t").await;
        pit.ask("t", keyed(join("ann", 1), "j")).await.unwrap();
        for round in 0..30 {
            let _ = pit.ask("t", keyed(talk("ann", 1, "pass 5"), &format!("p{round}"))).await;
            let _ = pit.ask("t", talk("ann", 1, "field 5; 5 on the nine")).await;
            let _ = pit.ask("t", ask("ann", 1, wish::plain("undo"))).await;
            pit.ask("t", keyed(ask("ann", 1, wish::plain("roll")), &format!("r{round}"))).await.unwrap();
        }
        let _ = pit.ask("t", talk("ann", 1, "field 5")).await;
        let seen = seen(&pit, "t").await;
        pit.close().await;
        pit.store().close().await;
        assert!(matches!(pit.ask("t", join("bo", 2)).await, Err(NotDone::Closing)));
        seen
    };
    let pit = place.pit().await;
    assert_eq!(seen(&pit, "t").await, before);
    assert!(pit.look("t", |live| live.table().is_conserved()).await.unwrap());

    // A repeated key returns the old result, even if the command would not be possible now.
    let again = pit.ask("t", keyed(join("ann", 1), "j")).await.unwrap();
    assert!(again.again);
    assert!(matches!(again.rows[0].entry.did, Deed::Ordered { .. }));
    let again = pit.ask("t", keyed(ask("ann", 1, wish::plain("roll")), "r3")).await.unwrap();
    assert!(again.again && matches!(again.rows[0].entry.did, Deed::Closed { .. }));
    assert_eq!(seen(&pit, "t").await, before);
    // The same key of another client is a different key.
    let other = Ask { client: "ann's other device".to_owned(), ..keyed(join("ann", 1), "j") };
    assert!(pit.ask("t", other).await.is_err());
}

#[tokio::test]
async fn a_key_that_arrives_many_times_at_once_is_done_once() {
    let place = Place::new();
    let pit = place.pit().await;
    open(&pit, "t").await;
    pit.ask("t", join("ann", 1)).await.unwrap();
    let asks = (0..40).map(|at| {
        let (pit, key) = (pit.clone(), format!("k{}", at % 4));
        tokio::spawn(async move { pit.ask("t", keyed(talk("ann", 1, "pass 10"), &key)).await.unwrap() })
    });
    let mut done = Vec::new();
    for ask in asks.collect::<Vec<_>>() {
        done.push(ask.await.unwrap());
    }
    assert_eq!(done.iter().filter(|done| !done.again).count(), 4);
    assert!(done.iter().all(|done| done.rows.len() == 1));
    assert_eq!(stakes(&seen(&pit, "t").await, 0), [bet("P", 4_000)]);
}

/// Two nodes write to one file. Each acknowledged command is in the log exactly once, in a lawful order.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_on_one_log_lose_and_double_nothing() {
    let place = Place::new();
    let (one, other) = (place.pit().await, place.pit().await);
    open(&one, "t").await;
    one.ask("t", join("ann", 1)).await.unwrap();
    other.ask("t", join("bo", 2)).await.unwrap();
    let play = |pit: Pit, who: &'static str, seat: SeatId| async move {
        let mut acknowledged = Vec::new();
        for round in 0..60 {
            for (what, want) in [
                ("p", wish::talk("pass 5")),
                ("f", wish::talk("field 5")),
                ("u", wish::plain("undo")),
                ("r", wish::plain("roll")),
            ] {
                let key = format!("{who}{what}{round}");
                match pit.ask("t", keyed(ask(who, seat, want), &key)).await {
                    Ok(done) if !done.rows.is_empty() => acknowledged.push(key),
                    Ok(_) | Err(NotDone::Refused(_)) => {}
                    Err(error) => panic!("{error}"),
                }
            }
        }
        acknowledged
    };
    let (ann, bo) = tokio::join!(tokio::spawn(play(one.clone(), "ann", 1)), tokio::spawn(play(other.clone(), "bo", 2)));
    let acknowledged: Vec<String> = ann.unwrap().into_iter().chain(bo.unwrap()).collect();
    assert!(acknowledged.len() > 100, "{}", acknowledged.len());
    let store = Store::open(&place.db).await.unwrap();
    let rows = store.load("t", 0, 100_000).await.unwrap();
    let keys: Vec<&String> = rows.iter().filter_map(|row| row.key.as_ref()).collect();
    assert_eq!(keys.len(), keys.iter().collect::<BTreeSet<_>>().len(), "no key twice");
    for key in &acknowledged {
        assert!(keys.contains(&key), "{key} is lost");
    }
    assert_eq!(keys.len(), acknowledged.len(), "every command in the log was acknowledged");
    // Both nodes and a new third one see the same table.
    let third = place.pit().await;
    let whole = seen(&third, "t").await;
    for pit in [&one, &other] {
        // A command makes the node read the rest of the log.
        pit.ask("t", ask("ann", 1, wish::say("hello"))).await.unwrap();
    }
    let (first, second) = (seen(&one, "t").await, seen(&other, "t").await);
    assert_eq!((&first["seats"], &first["rolls"], &first["hand"]), (&whole["seats"], &whole["rolls"], &whole["hand"]));
    assert_eq!(second["seats"], whole["seats"]);
}

/// A refusal may be based on rows that are not stored yet. It only counts if those rows are then stored at the same place.
#[tokio::test]
async fn nobody_is_refused_by_what_is_no_longer_so_though_others_wait() {
    let place = Place::new();
    let (one, other) = (place.pit().await, place.pit().await);
    open(&one, "t").await;
    one.ask("t", join("ann", 1)).await.unwrap();
    other.ask("t", join("bo", 2)).await.unwrap();
    one.ask("t", ask("ann", 1, wish::say("up to date"))).await.unwrap();
    other.ask("t", join("cy", 3)).await.unwrap();
    // Both commands are in one batch, and this node doesn't know yet that seat 3 is taken.
    let (said, bet) =
        tokio::join!(one.ask("t", ask("ann", 1, wish::say("first"))), one.ask("t", talk("cy", 3, "field 5")));
    said.unwrap();
    assert_eq!(bet.unwrap().rows.len(), 1);
}

#[tokio::test]
async fn a_listener_at_one_node_hears_what_another_wrote_in_order() {
    let place = Place::new();
    let (one, other) = (place.pit().await, place.pit().await);
    open(&one, "t").await;
    one.ask("t", join("ann", 1)).await.unwrap();
    other.ask("t", join("bo", 2)).await.unwrap();
    let (start, mut heard) = other.listen_from("t", |live| live.head().0).await.unwrap();
    for round in 0..20 {
        one.ask("t", ask("ann", 1, wish::say(&format!("a{round}")))).await.unwrap();
        one.ask("t", ask("ann", 1, wish::say(&format!("b{round}")))).await.unwrap();
        // This node is behind; the log makes it catch up.
        other.ask("t", ask("bo", 2, wish::say(&format!("c{round}")))).await.unwrap();
    }
    let head = other.look("t", |live| live.head().0).await.unwrap();
    assert_eq!(head, start + 60);
    for seq in start + 1..=head {
        assert_eq!(heard.recv().await.unwrap().row.seq, seq);
    }
}

#[tokio::test]
async fn a_throw_that_was_cut_off_is_made_before_anything_else() {
    let place = Place::new();
    let pit = place.pit().await;
    open(&pit, "t").await;
    pit.ask("t", join("ann", 1)).await.unwrap();
    pit.ask("t", talk("ann", 1, "pass 10")).await.unwrap();
    // Another node closes betting and dies.
    let store = Store::open(&place.db).await.unwrap();
    let head = store.head("t").await.unwrap();
    let entry: Entry = Entry::new(By::machine(), Deed::Closed { throw: 1, seeds: Vec::new() });
    let body = serde_json::to_string(&entry).unwrap();
    store.append("t", head.seq, vec![NewRow { at: now(), client: String::new(), key: None, body }]).await.unwrap();
    // This node doesn't know that yet. It accepts the bet, but rolls first.
    let done = pit.ask("t", talk("ann", 1, "field 5")).await.unwrap();
    let rows = pit.rows("t", head.seq, 10).await.unwrap();
    assert!(matches!(rows[0].entry.did, Deed::Closed { .. }));
    assert!(matches!(rows[1].entry.did, Deed::Thrown { .. }), "{:?}", rows[1].entry.did);
    assert!(done.rows[0].row.seq > rows[1].row.seq);
    // A new node has nothing left to do.
    let fresh = place.pit().await;
    assert_eq!(seen(&fresh, "t").await, seen(&pit, "t").await);
}

#[tokio::test]
async fn once_bets_are_closed_nothing_is_bet_and_nothing_is_taken_back() {
    let place = Place::new();
    let pit = place.pit().await;
    open(&pit, "t").await;
    pit.ask("t", join("ann", 1)).await.unwrap();
    pit.ask("t", talk("ann", 1, "pass 10")).await.unwrap();
    let mut live: Live = pit.look("t", Clone::clone).await.unwrap();
    let slot = live.table().board().named("F").unwrap();
    let field = Command::Bet { seat: 1, slot, amount: "5".parse().unwrap(), manner: Manner::default() };
    let ann = craps_table::Actor::player(1);
    live.order(ann, std::slice::from_ref(&field)).unwrap();
    live.apply(99, "hash", &Entry::new(By::machine(), live.close(None).unwrap()));
    for refused in [
        live.order(ann, std::slice::from_ref(&field)).unwrap_err(),
        live.order(ann, &[Command::Join { seat: 2, name: "Bo".into(), money: "5".parse().unwrap() }, field])
            .unwrap_err(),
        live.undo(1).unwrap_err(),
        live.clear(1).unwrap_err(),
        live.close(None).unwrap_err(),
    ] {
        assert!(refused.code() == "no-more-bets", "{refused}");
        assert!(!refused.cites().to_string().is_empty(), "{refused}");
    }
    // Players can still join.
    let bo = craps_table::Actor::player(2);
    live.order(bo, &[Command::Join { seat: 2, name: "Bo".into(), money: "5".parse().unwrap() }]).unwrap();
}

#[tokio::test]
async fn a_shooter_who_lets_everybody_wait_loses_the_dice_to_the_next() {
    let place = Place::new();
    let pit = place.pit().await.waiting(Waits { shooter: 0, ..Waits::default() });
    open(&pit, "t").await;
    for (who, seat) in [("ann", 1), ("bo", 2)] {
        pit.ask("t", join(who, seat)).await.unwrap();
        pit.ask("t", talk(who, seat, "pass 10")).await.unwrap();
    }
    let shooter = |pit: Pit| async move {
        pit.look("t", |live| live.table().shooter().or_else(|| live.table().implied_shooter())).await.unwrap()
    };
    assert_eq!(shooter(pit.clone()).await, Some(Shooter::Seat(1)));
    // A player who doesn't answer the offer loses the dice.
    let done = pit.ask("t", ask("bo", 2, wish::plain("roll"))).await.unwrap();
    let did = |done: &Done| done.rows.iter().map(|row| row.entry.did.clone()).collect::<Vec<_>>();
    assert!(matches!(&did(&done)[..], [Deed::Ordered { .. }]), "{done:?}");
    assert_eq!(done.rows[0].entry.by.who, None);
    assert_eq!(shooter(pit.clone()).await, Some(Shooter::Seat(2)));
    // So does a shooter who doesn't roll.
    let passed = pit.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    assert!(
        matches!(&did(&passed)[0], Deed::Ordered { commands, .. } if *commands == [Command::OrderOff { ground: PassGround::Delay }]),
        "{passed:?}"
    );
    assert_eq!(shooter(pit.clone()).await, Some(Shooter::Seat(1)));
    let thrown = pit.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    assert!(did(&thrown).iter().any(|did| matches!(did, Deed::Thrown { .. })));
    let mut auditor = Auditor::new(&LIBRARY);
    pit.store().load("t", 0, 100).await.unwrap().iter().for_each(|row| auditor.row(row));
    let wrong = auditor.finish().findings;
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// Buying chips, betting and taking bets back don't give the shooter more time. Only a roll does.
#[tokio::test]
async fn a_shooter_who_does_everything_but_roll_loses_the_dice() {
    let place = Place::new();
    let pit = place.pit().await.waiting(Waits { shooter: 1_000, ..Waits::default() });
    open(&pit, "t").await;
    for (who, seat) in [("ann", 1), ("bo", 2)] {
        pit.ask("t", join(who, seat)).await.unwrap();
        pit.ask("t", talk(who, seat, "pass 10")).await.unwrap();
    }
    let rolls = |who: &'static str, seat| pit.ask("t", ask(who, seat, wish::plain("roll")));
    assert!(matches!(rolls("bo", 2).await, Err(NotDone::Refused(refused)) if refused.code() == "not-shooter"));
    // She rolls in time. Then she has as much time again.
    tokio::time::sleep(Duration::from_millis(600)).await;
    rolls("ann", 1).await.unwrap();
    let since = std::time::Instant::now();
    let passed = loop {
        let _ = pit.ask("t", talk("ann", 1, "field 5")).await;
        let _ = pit.ask("t", ask("ann", 1, wish::buy_in(1))).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        match rolls("bo", 2).await {
            Ok(passed) => break passed,
            Err(NotDone::Refused(refused)) => assert_eq!(refused.code(), "not-shooter"),
            Err(error) => panic!("{error}"),
        }
        assert!(since.elapsed() < Duration::from_secs(10), "she keeps the dice");
    };
    assert!(since.elapsed() >= Duration::from_millis(900), "she had her time");
    assert!(passed.rows.iter().all(|row| row.entry.by.who.is_none()), "{passed:?}");
}

/// A seat at a practice table belongs to those who play. A minute is 20 milliseconds here.
#[tokio::test]
async fn a_seat_at_a_practice_table_is_not_kept_forever() {
    let place = Place::new();
    let waits = Waits { seat: 60 * 20, seat_at_full: 10 * 20, ..Waits::default() };
    let pit = place.pit().await.waiting(waits);
    open(&pit, "t").await;
    let places = pit.look("t", |live| live.table().places()).await.unwrap();
    for seat in 1..=places {
        pit.ask("t", join(&format!("p{seat}"), seat)).await.unwrap();
    }
    pit.ask("t", talk("p2", 2, "pass 10")).await.unwrap();
    let seats = |pit: Pit| async move { pit.look("t", |live| live.table().seats().count()).await.unwrap() };
    let minutes = |count: u64| tokio::time::sleep(Duration::from_millis(20 * count));
    pit.free_seats();
    assert_eq!(seats(pit.clone()).await, usize::from(places));
    minutes(12).await;
    pit.ask("t", ask("p3", 3, wish::buy_in(100))).await.unwrap();
    pit.free_seats();
    // All but one have done nothing since the start. A bet that may come down keeps no seat.
    let left = pit.look("t", |live| live.table().seats().map(|(seat, _)| seat).collect::<Vec<_>>()).await.unwrap();
    assert_eq!(left, [3], "one has just done something");
    // There is room now, so the player may stay longer.
    minutes(20).await;
    pit.free_seats();
    assert_eq!(seats(pit.clone()).await, 1);
    minutes(60).await;
    pit.free_seats();
    assert_eq!(seats(pit.clone()).await, 0);
    let mut auditor = Auditor::new(&LIBRARY);
    pit.store().load("t", 0, 1_000).await.unwrap().iter().for_each(|row| auditor.row(row));
    assert_eq!(auditor.finish().findings, []);
}

/// A bet that must stay up keeps a seat only until the machine has decided it.
#[tokio::test]
async fn a_bet_that_must_stay_up_does_not_keep_a_seat_forever() {
    let place = Place::new();
    let pit = place.pit().await.waiting(Waits { seat: 500, seat_at_full: 500, ..Waits::default() });
    open(&pit, "t").await;
    for (who, seat) in [("ann", 1), ("bo", 2)] {
        pit.ask("t", join(who, seat)).await.unwrap();
    }
    // A point is on, and both have a bet that must stay up and one that needn't.
    let mut rolls = 0;
    while pit.look("t", |live| !matches!(live.table().phase(), craps_wagers::Phase::Point(_))).await.unwrap() {
        let shooter =
            pit.look("t", |live| live.table().shooter().or_else(|| live.table().implied_shooter())).await.unwrap();
        let (who, seat) = if shooter == Some(Shooter::Seat(2)) { ("bo", 2) } else { ("ann", 1) };
        for (who, seat) in [("ann", 1), ("bo", 2)] {
            let _ = pit.ask("t", talk(who, seat, "pass 10")).await;
        }
        pit.ask("t", ask(who, seat, wish::plain("roll"))).await.unwrap();
        rolls += 1;
        assert!(rolls < 1_000);
    }
    pit.ask("t", talk("ann", 1, "12 on the six")).await.unwrap();
    pit.free_seats();
    let seats = |pit: Pit| async move { pit.look("t", |live| live.table().seats().count()).await.unwrap() };
    assert_eq!(seats(pit.clone()).await, 2, "they have done something just now");
    let before = pit.look("t", |live| live.rolled()).await.unwrap();
    let start = std::time::Instant::now();
    while seats(pit.clone()).await > 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        pit.free_seats();
        assert!(start.elapsed() < Duration::from_secs(60), "they keep their seats");
    }
    assert!(pit.look("t", |live| live.rolled()).await.unwrap() > before, "the machine rolled");
    let mut auditor = Auditor::new(&LIBRARY);
    pit.store().load("t", 0, 10_000).await.unwrap().iter().for_each(|row| auditor.row(row));
    assert_eq!(auditor.finish().findings, []);
}

#[tokio::test]
async fn the_shooter_waits_for_the_others_while_the_window_is_open() {
    let place = Place::new();
    let pit = place.pit().await;
    let timed = craps_server::live::Opening { window: Some(60), ..opening(Crew::Automatic, DiceFrom::Secret) };
    pit.open("t", timed, By::machine(), now()).await.unwrap();
    pit.ask("t", join("ann", 1)).await.unwrap();
    pit.ask("t", talk("ann", 1, "pass 10")).await.unwrap();
    let left = |pit: craps_server::live::pit::Pit| async move {
        let window = pit.look("t", |live| live.window_at(ticks())).await.unwrap().unwrap();
        (window.times, window.left, window.waiting_for)
    };
    // A single player doesn't wait.
    assert_eq!(left(pit.clone()).await, (1, 0, vec![]));
    pit.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    pit.ask("t", join("bo", 2)).await.unwrap();
    let (times, wait, whom) = left(pit.clone()).await;
    assert!((50_000..=60_000).contains(&wait), "{wait}");
    assert_eq!((times, whom.as_slice()), (1, &[2][..]));
    let _ = pit.ask("t", talk("ann", 1, "pass 10")).await;
    let refused = pit.ask("t", ask("ann", 1, wish::plain("roll"))).await;
    let Err(NotDone::Refused(refusal)) = refused else { panic!("{:?}", refused.map(|done| done.rows.len())) };
    assert!(refusal.sentence().starts_with("Bets are open for another"), "{refusal}");
    assert_eq!((refusal.ground(), refusal.code()), ("procedure", "bets-open"));
    // If one player needs more time, everybody gets it.
    pit.ask("t", ask("bo", 2, wish::of(json!({ "do": "window", "times": 4 })))).await.unwrap();
    let (times, wait, _) = left(pit.clone()).await;
    assert!((230_000..=240_000).contains(&wait), "{wait}");
    assert_eq!(times, 4);
    let none = pit.ask("t", ask("bo", 2, wish::of(json!({ "do": "window", "times": 4 })))).await.unwrap();
    assert!(none.rows.is_empty(), "no change, no row");
    assert!(matches!(
        pit.ask("t", ask("bo", 2, wish::of(json!({ "do": "window", "times": 3 })))).await,
        Err(NotDone::Refused(_))
    ));
    // A player who is ready doesn't delay this roll. Their extra time applies again after it.
    pit.ask("t", ask("bo", 2, wish::of(json!({ "do": "window", "ready": true })))).await.unwrap();
    assert_eq!(left(pit.clone()).await, (4, 0, vec![]));
    // Another node has the same state.
    let other = place.pit().await;
    assert_eq!(left(other).await, (4, 0, vec![]));
    pit.ask("t", ask("ann", 1, wish::plain("roll"))).await.unwrap();
    let (times, wait, _) = left(pit.clone()).await;
    assert!(times == 4 && wait > 0, "{times} {wait}");
    let mut auditor = Auditor::new(&LIBRARY);
    pit.store().load("t", 0, 100).await.unwrap().iter().for_each(|row| auditor.row(row));
    let wrong = auditor.finish().findings;
    assert!(wrong.is_empty(), "{wrong:?}");
    // A table without a betting window refuses the command.
    open(&pit, "u").await;
    pit.ask("u", join("ann", 1)).await.unwrap();
    assert!(matches!(
        pit.ask("u", ask("ann", 1, wish::of(json!({ "do": "window", "times": 2 })))).await,
        Err(NotDone::Refused(_))
    ));
}

#[tokio::test]
async fn nobody_throws_or_passes_the_dice_of_another() {
    let place = Place::new();
    let pit = place.pit().await;
    open(&pit, "t").await;
    pit.ask("t", join("ann", 1)).await.unwrap();
    pit.ask("t", join("bo", 2)).await.unwrap();
    pit.ask("t", talk("ann", 1, "pass 10")).await.unwrap();
    pit.ask("t", talk("bo", 2, "pass 10")).await.unwrap();
    let refused = |result: Result<_, NotDone>| match result {
        Err(NotDone::Refused(refusal)) => refusal.sentence(),
        other => panic!("{:?}", other.map(|done: craps_server::live::pit::Done| done.rows.len())),
    };
    let says = refused(pit.ask("t", ask("bo", 2, wish::plain("roll"))).await);
    assert!(says.contains("Seat 1 has the dice"), "{says}");
    let take = wish::of(json!({ "do": "procedure", "act": "take-dice", "seat": 2 }));
    assert!(refused(pit.ask("t", ask("bo", 2, take)).await).contains("seat 1"));
    pit.ask("t", ask("ann", 1, wish::of(json!({ "do": "procedure", "act": "take-dice", "seat": 1 })))).await.unwrap();
    let says = refused(pit.ask("t", ask("bo", 2, wish::plain("pass-dice"))).await);
    assert!(says.contains("doesn't have the dice"), "{says}");
    pit.ask("t", ask("ann", 1, wish::plain("pass-dice"))).await.unwrap();
    pit.ask("t", ask("bo", 2, wish::plain("roll"))).await.unwrap();
}

#[tokio::test]
async fn the_log_is_a_game_that_the_notation_finds_right() {
    let place = Place::new();
    let pit = place.pit().await;
    for book in &LIBRARY.books {
        let house = craps_law::HouseRules::practice(book).unwrap();
        let table = format!("t-{}", book.id);
        let opening = craps_server::live::Opening {
            rules: RulesTag::of(&house),
            house: house.tag(),
            ..opening(Crew::Automatic, DiceFrom::Secret)
        };
        pit.open(&table, opening.clone(), By::machine(), now()).await.unwrap();
        pit.ask(&table, join("ann", 1)).await.unwrap();
        pit.ask(&table, join("bo", 2)).await.unwrap();
        for round in 0..40 {
            for (who, seat) in [("ann", 1), ("bo", 2)] {
                for words in ["pass 5", "come 5", "field 5", "12 on the six", "take down all", "max odds"] {
                    let _ = pit.ask(&table, talk(who, seat, words)).await;
                }
                if round % 3 == 0 {
                    let _ = pit.ask(&table, ask(who, seat, wish::plain("undo"))).await;
                }
                let _ = pit.ask(&table, ask(who, seat, wish::plain("roll"))).await;
            }
        }
        let mut written = Written::open(&LIBRARY, &opening).unwrap();
        let rows = pit.rows(&table, 0, 100_000).await.unwrap();
        let names = pit.look(&table, |live| live.names().clone()).await.unwrap();
        for told in &rows {
            let (seq, entry) = (told.row.seq, names.read(&told.entry).unwrap());
            written.row(seq, &entry).unwrap_or_else(|refusal| panic!("row {seq}: {refusal}"));
        }
        let text = written.text().unwrap();
        let games = craps_notation::read(&text).unwrap();
        let played =
            craps_notation::play(&LIBRARY, &games, craps_notation::Names::Codes, &craps_notation::no_house_files)
                .unwrap();
        assert!(played[0].differences.is_empty(), "{:?}\n{text}", played[0].differences);
        let throws = pit.look(&table, |live| live.rolled() as usize).await.unwrap();
        assert!(throws > 5, "{}: {throws}", book.id);
        assert!(text.contains(&format!("\n{throws}. ")), "{text}");
    }
}

/// A command that can't be stored is neither acknowledged nor sent to listeners, and has no effect.
#[tokio::test]
async fn nobody_hears_of_what_was_not_stored() {
    let place = Place::new();
    let pit = place.pit().await;
    open(&pit, "t").await;
    pit.ask("t", join("ann", 1)).await.unwrap();
    pit.ask("t", talk("ann", 1, "pass 10")).await.unwrap();
    let (head, mut heard) = pit.listen_from("t", |live| live.head().0).await.unwrap();
    pit.store().close().await;
    for want in [wish::talk("field 5"), wish::plain("roll"), wish::plain("undo")] {
        let answer = pit.ask("t", ask("ann", 1, want.clone())).await;
        assert!(matches!(answer, Err(NotDone::Store(_))), "{want:?}: {:?}", answer.map(|done| done.rows.len()));
    }
    assert!(heard.try_recv().is_err(), "listeners hear nothing");
    let again = place.pit().await;
    assert_eq!(again.look("t", |live| (live.head().0, live.is_open())).await.unwrap(), (head, true));
}

/// What a player does is counted between two rolls, and in a hand however many rolls it has.
#[test]
fn a_hand_has_an_end_to_what_one_player_does() {
    let entry = Live::plan(&LIBRARY, opening(Crew::Automatic, DiceFrom::Secret)).unwrap();
    let mut live = Live::open(&LIBRARY, &entry, "").unwrap();
    let mut row = 1;
    let mut apply = |live: &mut Live, by: &By, did: Deed| {
        row += 1;
        live.apply(row, "", &Entry::new(by.clone(), did));
    };
    let by = |who: &str, seat| By::person(who, Actor::player(seat));
    for (who, seat) in [("ann", 1), ("bo", 2)] {
        let join = Command::Join { seat, name: who.to_owned(), money: craps_money::Money::from_minor(100) };
        let joined = live.order(Actor::player(seat), &[join]).unwrap();
        apply(&mut live, &by(who, seat), joined);
    }
    let code = |live: &Live, who: &str| live.has_room(who).err();
    let thrown = || Deed::Thrown { faces: [1, 2], draw: None, named: None, events: Vec::new() };
    let mut orders = 1;
    while orders < 5_000 {
        let before = orders;
        while code(&live, "ann").is_none() {
            apply(&mut live, &by("ann", 1), Deed::Paced(Pace::default()));
            orders += 1;
            assert!(orders <= 5_000);
        }
        let expected = if orders < 5_000 { HostCode::TooManyOrders } else { HostCode::TooManyInHand };
        assert_eq!(code(&live, "ann"), Some(expected), "after {orders}");
        assert!(orders - before <= 500, "between two rolls");
        assert_eq!(code(&live, "bo"), None);
        apply(&mut live, &By::machine(), thrown());
    }
    assert_eq!(code(&live, "ann"), Some(HostCode::TooManyInHand), "a roll isn't enough");
    // The next hand.
    apply(
        &mut live,
        &By::machine(),
        Deed::Ordered { commands: Vec::new(), events: vec![craps_table::Event::DicePassed] },
    );
    assert_eq!(code(&live, "ann"), None);
}
