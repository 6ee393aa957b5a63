//! The audit against an attacker who controls the database. Each test plays a real game, changes its rows and rebuilds the hash chain so that every
//! hash fits. The audit must still find the change.

use crate::house::{LIBRARY, Place, ask, opening, wish};
use craps_money::Money;
use craps_server::audit::{Audited, Auditor, Wrong};
use craps_server::live::pit::{Ask, NotDone, Pit, now, told};
use craps_server::live::wish::Wish;
use craps_server::live::{BetName, By, Chain, Deed, DiceFrom, Entry, Live, Secret};
use craps_store::{Head, HeadKey, NewRow, Row, Store, read_export, verify_chain};
use craps_table::{Actor, Command, Crew, Event, Manner, RequestEnd, Role, Verdict};
use serde_json::{Value, json};

/// The log of a table, with methods to forge it.
#[derive(Clone)]
struct Log(Vec<(NewRow, Entry<BetName>)>);

impl Log {
    async fn of(pit: &Pit) -> Log {
        let rows = pit.store().load("t", 0, u32::MAX).await.unwrap();
        Log(rows.into_iter().map(|row| (as_new(&row), told(row).unwrap().entry)).collect())
    }

    /// Returns the index of the first row that matches.
    fn find(&self, is: impl Fn(&Deed<BetName>) -> bool) -> usize {
        self.0.iter().position(|(_, entry)| is(&entry.did)).unwrap()
    }

    fn did(&mut self, at: usize) -> &mut Deed<BetName> {
        &mut self.0[at].1.did
    }

    fn insert(&mut self, at: usize, by: By, did: Deed<BetName>) {
        self.0.insert(
            at,
            (NewRow { at: now(), client: String::new(), key: None, body: String::new() }, Entry::new(by, did)),
        );
    }

    /// Returns the rows with a valid hash chain, as a forger would store them.
    fn chained(&self) -> Vec<Row> {
        let mut head = Head::default();
        let chain = |(new, entry): &(NewRow, Entry<BetName>)| {
            let body = serde_json::to_string(entry).unwrap();
            let row = Row::follow("t", &head, NewRow { body, ..new.clone() });
            head = row.head();
            row
        };
        let rows: Vec<Row> = self.0.iter().map(chain).collect();
        assert_eq!(verify_chain(&rows, &[]), [], "the hash chain is valid");
        rows
    }

    /// Returns the hash of the last row, which a signed head has.
    fn end(&self) -> String {
        self.chained().last().unwrap().hash.clone()
    }

    fn audit(&self) -> Audited {
        let mut auditor = Auditor::new(&LIBRARY);
        self.chained().iter().for_each(|row| auditor.row(row));
        auditor.finish()
    }

    /// Returns the table before a row, according to the log.
    fn before(&self, at: usize) -> Live {
        let rows = self.chained();
        let mut live = Live::open(&LIBRARY, &self.0[0].1, &rows[0].hash).unwrap();
        for (row, (_, entry)) in rows.iter().zip(&self.0).take(at).skip(1) {
            let entry = live.names().read(entry).unwrap();
            live.apply(row.seq, &row.hash, &entry);
        }
        live
    }

    /// Asserts that the audit reports such a finding for the row with this index.
    fn shows(&self, at: usize, what: impl Fn(&Wrong) -> bool) {
        let found = self.audit().findings;
        let row = at as u64 + 1;
        assert!(found.iter().any(|finding| finding.row == row && what(&finding.what)), "row {row}: {found:#?}");
    }
}

fn as_new(row: &Row) -> NewRow {
    NewRow { at: row.at, client: row.client.clone(), key: row.key.clone(), body: row.body.clone() }
}

fn money(amount: &str) -> Money {
    amount.parse().unwrap()
}

fn is_thrown(deed: &Deed<BetName>) -> bool {
    matches!(deed, Deed::Thrown { .. })
}

fn is_revealed(deed: &Deed<BetName>) -> bool {
    matches!(deed, Deed::Revealed { .. })
}

fn is_closed(deed: &Deed<BetName>) -> bool {
    matches!(deed, Deed::Closed { .. })
}

fn is_undone(deed: &Deed<BetName>) -> bool {
    matches!(deed, Deed::Undone { .. })
}

fn is_bet(deed: &Deed<BetName>) -> bool {
    matches!(deed, Deed::Ordered { commands, .. } if matches!(commands.first(), Some(Command::Bet { .. })))
}

fn differs(wrong: &Wrong) -> bool {
    matches!(wrong, Wrong::Differs { .. })
}

fn unlawful(wrong: &Wrong) -> bool {
    matches!(wrong, Wrong::Unlawful { .. })
}

fn not_the_secret(of: u32) -> impl Fn(&Wrong) -> bool {
    move |wrong| matches!(wrong, Wrong::NotTheSecret { hand, .. } if *hand == of)
}

fn chain_of(deed: &Deed<BetName>) -> Option<Chain> {
    match deed {
        Deed::Committed { chain, .. } => chain.clone(),
        _ => None,
    }
}

fn not_the_dice(of: u32) -> impl Fn(&Wrong) -> bool {
    move |wrong| matches!(wrong, Wrong::NotTheDice { hand, .. } if *hand == of)
}

async fn asks(pit: &Pit, who: &str, seat: u8, wish: Wish) {
    pit.ask("t", ask(who, seat, wish)).await.unwrap();
}

/// Plays three whole hands of two players, with bets that win and lose, and some undone.
async fn played() -> (Place, Pit, Log) {
    let place = Place::new();
    let pit = place.pit().await;
    pit.open("t", opening(Crew::Automatic, DiceFrom::Secret), By::machine(), now()).await.unwrap();
    for (who, seat) in [("ann", 1), ("bo", 2)] {
        asks(&pit, who, seat, wish::join(who, 500_000)).await;
    }
    while pit.look("t", |live| live.hand().unwrap().number).await.unwrap() < 4 {
        for (who, seat) in [("ann", 1), ("bo", 2)] {
            asks(&pit, who, seat, wish::talk("field 5")).await;
            asks(&pit, who, seat, wish::talk("12 on the six")).await;
            let _ = pit.ask("t", ask(who, seat, wish::talk("pass 10"))).await;
        }
        asks(&pit, "bo", 2, wish::plain("undo")).await;
        let shooter = pit.look("t", |live| live.table().shooter().or_else(|| live.table().implied_shooter())).await;
        match shooter.unwrap() {
            Some(craps_table::Shooter::Seat(2)) => asks(&pit, "bo", 2, wish::plain("roll")).await,
            _ => asks(&pit, "ann", 1, wish::plain("roll")).await,
        }
    }
    let log = Log::of(&pit).await;
    (place, pit, log)
}

#[tokio::test]
async fn a_game_that_nobody_touched_is_clean() {
    let (_place, pit, log) = played().await;
    let audited = log.audit();
    assert_eq!(audited.findings, []);
    let rolls = pit.look("t", |live| u64::from(live.rolled())).await.unwrap();
    assert_eq!((audited.tables, audited.throws, audited.derived), (1, rolls, rolls));
}

#[tokio::test]
async fn other_dice_are_found() {
    let (_place, _pit, log) = played().await;
    let at = log.find(is_thrown);
    let revealed = log.find(is_revealed);
    let Deed::Thrown { faces, .. } = log.0[at].1.did else { panic!() };
    let better = if faces == [6, 6] { [5, 6] } else { [6, 6] };

    // Change only the faces: the bets were settled for the original ones.
    let mut forged = log.clone();
    if let Deed::Thrown { faces, .. } = forged.did(at) {
        *faces = better;
    }
    forged.shows(at, differs);

    // Replace the whole roll by a lawful one: it doesn't match the secret.
    let mut forged = log.clone();
    let before = forged.before(at);
    *forged.did(at) = before.names().deed(before.throw(Actor::staff(Role::Stick), better, None).unwrap());
    let found = forged.audit().findings;
    assert!(!found.iter().any(|finding| finding.row == at as u64 + 1), "{found:#?}");
    forged.shows(revealed, not_the_dice(1));

    // Swapping the two dice is a change, too.
    if faces[0] != faces[1] {
        let mut forged = log.clone();
        if let Deed::Thrown { faces, .. } = forged.did(at) {
            faces.swap(0, 1);
        }
        forged.shows(revealed, not_the_dice(1));
    }
}

#[tokio::test]
async fn other_secrets_are_found() {
    let (_place, _pit, log) = played().await;
    let revealed: Vec<usize> = (0..log.0.len()).filter(|at| is_revealed(&log.0[*at].1.did)).collect();
    let secret = |at: usize| match &log.0[at].1.did {
        Deed::Revealed { secret, .. } => secret.clone(),
        _ => panic!(),
    };
    let with_secret = |new: &str| {
        let mut forged = log.clone();
        *forged.did(revealed[1]) = Deed::Revealed { hand: 2, secret: new.to_owned() };
        forged
    };
    let other = Secret::random().unwrap();
    with_secret(&other.hex()).shows(revealed[1], not_the_secret(2));
    with_secret(&secret(revealed[0])).shows(revealed[1], not_the_secret(2));
    with_secret("no secret").shows(revealed[1], not_the_secret(2));
    with_secret("").shows(revealed[1], not_the_secret(2));

    // Reveal the secret of another hand.
    let mut forged = log.clone();
    *forged.did(revealed[1]) = Deed::Revealed { hand: 1, secret: secret(revealed[0]) };
    forged.shows(revealed[1], not_the_secret(1));

    // The new secret matches its commitment, but the dice came from the old one.
    let committed = log.find(|deed| matches!(deed, Deed::Committed { hand: 2, .. }));
    let mut forged = with_secret(&other.hex());
    let chain = chain_of(&log.0[committed].1.did);
    *forged.did(committed) = Deed::Committed { hand: 2, commitment: other.commitment(), chain: chain.clone() };
    // The commitment isn't the secret of the hand before, which committed to the whole chain.
    forged.shows(committed, not_the_secret(2));
    forged.shows(revealed[1], not_the_dice(2));

    // A new chain, a chain that goes on elsewhere, or none at all.
    let secret_before = secret(revealed[0]);
    for change in [
        |chain: &mut Chain| chain.place = 1,
        |chain: &mut Chain| (chain.place, chain.nonce) = (1, "00".to_owned()),
        |chain: &mut Chain| chain.place += 1,
        |chain: &mut Chain| chain.nonce = "00".to_owned(),
        |chain: &mut Chain| chain.of = u32::MAX,
        |chain: &mut Chain| chain.epoch = "00".to_owned(),
    ] {
        let (mut forged, mut other) = (log.clone(), chain.clone());
        other.as_mut().map(change).unwrap();
        let commitment = secret_before.clone();
        *forged.did(committed) = Deed::Committed { hand: 2, commitment, chain: other };
        forged.shows(committed, not_the_secret(2));
    }
    let mut forged = log.clone();
    *forged.did(committed) = Deed::Committed { hand: 2, commitment: secret_before, chain: None };
    forged.shows(committed, not_the_secret(2));

    // Reveal a secret before the hand is over: players would know the dice.
    let mut forged = log.clone();
    let row = forged.0.remove(revealed[1]);
    forged.0.insert(committed + 1, row);
    forged.shows(committed + 1, not_the_secret(2));

    // Leave out the secret of a hand.
    let mut forged = log.clone();
    forged.0.remove(revealed[1]);
    forged.shows(revealed[1], not_the_secret(2));

    // Roll without a commitment.
    let mut forged = log.clone();
    forged.0.remove(committed);
    let closed = (committed..).find(|at| is_closed(&forged.0[*at].1.did)).unwrap();
    forged.shows(closed, not_the_secret(1));

    // Commit to a second secret for the same hand.
    let mut forged = log.clone();
    forged.insert(committed + 1, By::machine(), Deed::Committed { hand: 2, commitment: other.commitment(), chain });
    forged.shows(committed + 1, not_the_secret(2));
}

#[tokio::test]
async fn other_payouts_and_stakes_are_found() {
    let (_place, _pit, log) = played().await;
    let is_paid = |event: &Event<BetName>| {
        matches!(event, Event::Settled { verdict: Verdict::Won { .. } | Verdict::Credited { .. }, .. })
    };
    let won = log.find(|deed| is_thrown(deed) && deed.events().iter().any(is_paid));
    let mut forged = log.clone();
    if let Deed::Thrown { events, .. } = forged.did(won) {
        for event in events {
            if let Event::Settled { verdict: Verdict::Won { paid, .. } | Verdict::Credited { paid, .. }, .. } = event {
                *paid = paid.plus(money("1")).unwrap();
            }
        }
    }
    forged.shows(won, differs);
    forged.shows(won, |wrong| matches!(wrong, Wrong::GameDiffers { .. }));

    let lost = log.find(|deed| {
        let is_lost = |event: &Event<BetName>| matches!(event, Event::Settled { verdict: Verdict::Lost, .. });
        is_thrown(deed) && deed.events().iter().any(is_lost)
    });
    let mut forged = log.clone();
    if let Deed::Thrown { events, .. } = forged.did(lost) {
        events.retain(|event| !matches!(event, Event::Settled { verdict: Verdict::Lost, .. }));
    }
    forged.shows(lost, differs);

    // Place a bet higher than ordered and higher than the chips it cost: money from nothing.
    let placed = log.find(is_bet);
    let mut forged = log.clone();
    if let Deed::Ordered { events, .. } = forged.did(placed) {
        for event in events {
            if let Event::BetPlaced { bet, .. } = event {
                bet.stake = bet.stake.plus(money("100")).unwrap();
            }
        }
    }
    forged.shows(placed, differs);
    forged.shows(placed, |wrong| *wrong == Wrong::NotConserved);

    // Change both the order and the bet in a lawful way: later rows still have the old bet.
    let mut forged = log.clone();
    let before = log.before(placed);
    let Deed::Ordered { mut commands, .. } = before.names().read(&log.0[placed].1).unwrap().did else { panic!() };
    if let Some(Command::Bet { amount, .. }) = commands.first_mut() {
        *amount = "100".parse().unwrap();
    }
    *forged.did(placed) = before.names().deed(before.order(log.0[placed].1.by.actor, &commands).unwrap());
    // The roll settles the bet as it was.
    forged.shows(log.find(is_thrown), differs);
}

#[tokio::test]
async fn money_from_nowhere_is_found() {
    let (_place, _pit, log) = played().await;
    let joined = log.find(|deed| matches!(deed.events().first(), Some(Event::Joined { .. })));
    let mut forged = log.clone();
    if let Deed::Ordered { events, .. } = forged.did(joined)
        && let Some(Event::Joined { money: brought, .. }) = events.first_mut()
    {
        *brought = money("9000");
    }
    forged.shows(joined, differs);
    // Add chips without an order.
    let thrown = log.find(is_thrown);
    let mut forged = log.clone();
    let gift = Event::BoughtIn { seat: 1, money: money("100") };
    forged.insert(
        thrown + 1,
        By::person("ann", Actor::player(1)),
        Deed::Ordered { commands: Vec::new(), events: vec![gift] },
    );
    forged.shows(thrown + 1, differs);
    // Approve a ruling that nobody proposed.
    let mut forged = log.clone();
    let gift = Event::Ruled { by: Role::Box, seat: 1, amount: money("100"), reason: "why not".to_owned() };
    forged.insert(
        thrown + 1,
        By::person("bea", Actor::staff(Role::Box)),
        Deed::Approved { row: 3, events: vec![gift] },
    );
    forged.shows(thrown + 1, unlawful);
}

#[tokio::test]
async fn what_the_law_does_not_let_be_done_is_found() {
    let (_place, _pit, log) = played().await;
    let bet = |code: &str, amount: &str| Command::Bet {
        seat: 1,
        slot: BetName::Code(code.to_owned()),
        amount: amount.parse().unwrap(),
        manner: Manner::default(),
    };
    let ann = || By::person("ann", Actor::player(1));
    let order = |commands: Vec<Command<BetName>>| Deed::Ordered { commands, events: Vec::new() };

    // Bet after betting closed.
    let closed = log.find(is_closed);
    let mut forged = log.clone();
    forged.insert(closed + 1, ann(), order(vec![bet("F", "5")]));
    forged.shows(closed + 1, unlawful);
    // Bet more than the table maximum, make a bet that can't be made directly, and bet an amount that can't be paid evenly.
    for commands in [vec![bet("F", "1000000")], vec![bet("C8", "10")], vec![bet("PL6", "7")]] {
        let mut forged = log.clone();
        forged.insert(closed, ann(), order(commands));
        forged.shows(closed, unlawful);
    }
    // Undo a bet after betting closed.
    let (thrown, placed) = (log.find(is_thrown), log.find(is_bet));
    let mut forged = log.clone();
    let undone = Deed::Undone { seat: 1, rows: vec![placed as u64 + 1], same: true, events: Vec::new() };
    forged.insert(closed + 1, ann(), undone);
    forged.shows(closed + 1, unlawful);

    // Roll without closing betting: players could bet with knowledge of the dice.
    let mut forged = log.clone();
    forged.0.remove(closed);
    forged.shows(thrown - 1, unlawful);
    forged.shows(log.find(is_revealed) - 1, not_the_dice(1));
    // Close betting twice, to draw the dice again.
    let mut forged = log.clone();
    let again = log.0[closed].clone();
    forged.0.insert(closed + 1, again);
    forged.shows(closed + 1, unlawful);
    forged.shows(log.find(is_revealed) + 1, not_the_dice(1));
    // Chat at a table without chat.
    let mut forged = log.clone();
    if let Deed::Opened(opening) = forged.did(0) {
        opening.chat = false;
    }
    forged.insert(closed, ann(), Deed::Said { words: "hello".to_owned() });
    forged.shows(closed, unlawful);
    // Open the table again in the middle of the game.
    let mut forged = log.clone();
    let again = log.0[0].clone();
    forged.0.insert(closed, again);
    forged.shows(closed, unlawful);
}

#[tokio::test]
async fn a_row_that_was_left_out_or_moved_is_found() {
    let (_place, _pit, log) = played().await;
    let last = log.find(is_revealed);
    // Later rolls were settled with the row, or it is one of two rows that could have come in either order. A signed head finds those.
    let is_order = |at: usize| matches!(log.0[at].1.did, Deed::Ordered { .. } | Deed::Undone { .. });
    for at in 0..last {
        let mut forged = log.clone();
        forged.0.remove(at);
        let found = !forged.audit().findings.is_empty();
        assert!(found || is_order(at), "row {} left out: {:?}", at + 1, log.0[at].1);
        assert_ne!(forged.end(), log.end());
    }
    for at in 1..last {
        let mut forged = log.clone();
        forged.0.swap(at - 1, at);
        let found = !forged.audit().findings.is_empty();
        assert!(found || is_order(at - 1) && is_order(at), "rows {at} and {} swapped", at + 1);
        assert_ne!(forged.end(), log.end());
    }
    let mut forged = log.clone();
    forged.0.remove(0);
    assert!(matches!(forged.audit().findings[0].what, Wrong::NotOpened { .. }));
    let placed = log.find(is_bet);
    let mut forged = log.clone();
    forged.0.remove(placed);
    forged.shows(log.find(is_thrown) - 1, differs);
}

#[tokio::test]
async fn a_person_who_acts_for_another_is_found() {
    let (_place, _pit, log) = played().await;
    let placed = log.find(is_bet);
    // Put another person's name on an order.
    let mut forged = log.clone();
    forged.0[placed].1.by.who = Some("bo".to_owned());
    forged.shows(placed, |wrong| *wrong == Wrong::NotTheirs { seat: 1 });
    // Change the seat of an order.
    let mut forged = log.clone();
    forged.0[placed].1.by = By::person("bo", Actor::player(2));
    forged.shows(placed, unlawful);
    // Charge the bet to another player.
    let mut forged = log.clone();
    if let Deed::Ordered { events, .. } = forged.did(placed) {
        for event in events {
            if let Event::BetPlaced { seat, .. } = event {
                *seat = 2;
            }
        }
    }
    forged.shows(placed, differs);
    // Let another player undo it.
    let undone = log.find(is_undone);
    let mut forged = log.clone();
    forged.0[undone].1.by = By::person("ann", Actor::player(1));
    forged.shows(undone, |wrong| *wrong == Wrong::NotTheirs { seat: 2 });
}

/// Plays at a table with a crew: two people read the dice, and two people decide a ruling.
async fn dealt() -> Log {
    let place = Place::new();
    let pit = place.pit().await;
    pit.open("t", opening(Crew::People, DiceFrom::People), By::machine(), now()).await.unwrap();
    let staff =
        |who: &str, role: Role, wish: Wish| Ask { by: By::person(who, Actor::staff(role)), ..ask(who, 1, wish) };
    let act = |body: Value| wish::of(body);
    let ann = |wish: Wish| ask("ann", 1, wish);
    for ask in [
        staff("bea", Role::Box, act(json!({ "do": "procedure", "act": "open-table", "dice": 5 }))),
        ann(wish::join("Ann", 50_000)),
        staff("dee", Role::Dealer, act(json!({ "do": "reply", "request": 1, "agrees": true }))),
        staff("stan", Role::Stick, act(json!({ "do": "procedure", "act": "offer-dice", "seat": 1 }))),
        ann(act(json!({ "do": "procedure", "act": "take-dice", "seat": 1 }))),
        ann(wish::talk("pass 10")),
        staff("stan", Role::Stick, act(json!({ "do": "procedure", "act": "release" }))),
        staff("stan", Role::Stick, wish::of(json!({ "do": "dice", "dice": [4, 2] }))),
        staff("bea", Role::Box, wish::of(json!({ "do": "confirm", "dice": [4, 1] }))),
        staff("stan", Role::Stick, wish::of(json!({ "do": "dice", "dice": [4, 2] }))),
        staff("bea", Role::Box, wish::of(json!({ "do": "confirm", "dice": [2, 4] }))),
        staff("bea", Role::Box, wish::of(json!({ "do": "ruling", "seat": 1, "amount": 500, "reason": "short paid" }))),
    ] {
        let what = format!("{:?}", ask.wish);
        pit.ask("t", ask).await.unwrap_or_else(|error| panic!("{what}: {error}"));
    }
    let row = pit.look("t", |live| live.head().0).await.unwrap();
    pit.ask("t", staff("flo", Role::Floor, wish::of(json!({ "do": "second", "row": row, "agrees": true }))))
        .await
        .unwrap();
    Log::of(&pit).await
}

#[tokio::test]
async fn one_person_in_the_place_of_two_is_found() {
    let log = dealt().await;
    assert_eq!(log.audit().findings, []);
    let approved = log.find(|deed| matches!(deed, Deed::Approved { .. }));
    let mut forged = log.clone();
    forged.0[approved].1.by.who = Some("bea".to_owned());
    forged.shows(approved, unlawful);
    // Pay more than the ruling says.
    let mut forged = log.clone();
    if let Deed::Approved { events, .. } = forged.did(approved)
        && let Some(Event::Ruled { amount, .. }) = events.first_mut()
    {
        *amount = money("500");
    }
    forged.shows(approved, differs);
    // Leave out the proposal.
    let mut forged = log.clone();
    forged.0.remove(approved - 1);
    forged.shows(approved - 1, unlawful);

    // A player takes chips that the dealer hasn't counted, or the confirmation is left out.
    let confirmed =
        log.find(|deed| deed.events().iter().any(|event| matches!(event, Event::Confirmed { by: Role::Dealer, .. })));
    let mut forged = log.clone();
    forged.0[confirmed].1.by = By::person("ann", Actor::player(1));
    forged.shows(confirmed, unlawful);
    let mut forged = log.clone();
    forged.0.remove(confirmed);
    forged.shows(log.find(is_bet) - 1, unlawful);
    // Another player takes back her request.
    let mut forged = log.clone();
    let taken_back = Event::RequestEnded { number: 1, how: RequestEnd::TakenBack };
    *forged.did(confirmed) =
        Deed::Ordered { commands: vec![Command::Answer { request: 1, agrees: false }], events: vec![taken_back] };
    forged.0[confirmed].1.by = By::person("bo", Actor::player(1));
    forged.shows(confirmed, |wrong| *wrong == Wrong::NotTheirs { seat: 1 });

    let thrown = log.find(is_thrown);
    let mut forged = log.clone();
    forged.0[thrown].1.by.who = Some("stan".to_owned());
    forged.shows(thrown, unlawful);
    // Leave out the entry of the dice, and let the two people enter different dice.
    let mut forged = log.clone();
    forged.0.remove(thrown - 1);
    forged.shows(thrown - 1, unlawful);
    let mut forged = log.clone();
    *forged.did(thrown - 1) = Deed::Entered { faces: [6, 6] };
    forged.shows(thrown, differs);
    // Record a mismatch of equal dice.
    let mismatched = log.find(|deed| matches!(deed, Deed::Mismatched { .. }));
    let mut forged = log.clone();
    *forged.did(mismatched) = Deed::Mismatched { entered: [4, 2], seen: [2, 4] };
    forged.shows(mismatched, differs);
}

/// The time of a row is no part of the game, but it never goes back.
#[tokio::test]
async fn a_row_that_is_earlier_than_the_one_before_is_found() {
    const YEAR: i64 = 365 * 24 * 3_600_000;
    let (_place, _pit, log) = played().await;
    let at = log.find(is_bet);
    let mut forged = log.clone();
    forged.0[at].0.at -= YEAR;
    let by = YEAR - (log.0[at].0.at - log.0[at - 1].0.at);
    assert_eq!(forged.audit().findings.len(), 1);
    forged.shows(at, |wrong| *wrong == Wrong::Earlier { by });
}

/// A change of any single value in a row: the audit must not fail and must find it.
#[tokio::test]
async fn no_single_value_of_a_row_can_be_changed_unseen() {
    let (_place, _pit, log) = played().await;
    let (mut changed, mut unreadable) = (0, 0);
    // What the game doesn't depend on, such as the name of the table, is found only by a signed head.
    let mut by_head = 0;
    for at in 0..log.find(is_revealed).min(60) {
        let entry = serde_json::to_value(&log.0[at].1).unwrap();
        let leaves = leaves(&entry, String::new());
        // Change a third of the values of each row, another third in the next row.
        for leaf in leaves.iter().skip(at % 3).step_by(3) {
            let mut entry = entry.clone();
            let value = entry.pointer_mut(leaf).unwrap();
            *value = match &*value {
                Value::Number(number) => (number.as_i64().unwrap() + 1).into(),
                Value::String(text) => format!("{text}x").into(),
                Value::Bool(bool) => (!bool).into(),
                _ => 1.into(),
            };
            let shown = format!("row {}, {leaf}: {value}", at + 1);
            let Ok(entry) = serde_json::from_value(entry) else {
                unreadable += 1;
                continue;
            };
            let mut forged = log.clone();
            forged.0[at].1 = entry;
            assert_ne!(forged.end(), log.end(), "{shown}");
            let decides = ["events", "faces", "secret", "commitment", "chain", "hand", "throw", "seeds"];
            match forged.audit().findings.is_empty() {
                true if leaf.split('/').any(|part| decides.contains(&part)) => panic!("{shown}"),
                true => by_head += 1,
                false => changed += 1,
            }
        }
    }
    assert!(changed > 50 && unreadable > 5 && by_head < changed, "{changed} {by_head} {unreadable}");
}

/// Returns the JSON pointers of all single values in a document.
fn leaves(value: &Value, path: String) -> Vec<String> {
    match value {
        Value::Array(items) => {
            items.iter().enumerate().flat_map(|(at, item)| leaves(item, format!("{path}/{at}"))).collect()
        }
        Value::Object(fields) => {
            fields.iter().flat_map(|(name, item)| leaves(item, format!("{path}/{name}"))).collect()
        }
        _ => vec![path],
    }
}

/// A table whose money doesn't add up takes no more bets, and the server keeps running.
#[tokio::test]
async fn a_forged_log_stops_its_table() {
    let (place, _pit, log) = played().await;
    let placed = log.find(is_bet);
    let mut forged = log.clone();
    if let Deed::Ordered { events, .. } = forged.did(placed)
        && let Some(Event::BetPlaced { bet, .. }) = events.last_mut()
    {
        bet.stake = money("100000");
    }
    let store = Store::open(place.folder.path().join("forged.db").to_str().unwrap()).await.unwrap();
    store.append("t", 0, forged.chained()[..=placed].iter().map(as_new).collect()).await.unwrap();
    let pit = Pit::new(store, std::sync::Arc::clone(&LIBRARY));
    let refused = pit.ask("t", ask("ann", 1, wish::talk("field 5"))).await;
    assert!(matches!(&refused, Err(NotDone::Stopped(why)) if why.contains("add up")), "{refused:?}");
}

/// The audit of an exported file instead of the database, also for a forged log signed with the real key.
#[tokio::test]
async fn an_exported_file_is_audited_as_the_store_is() {
    let (place, pit, log) = played().await;
    let key = HeadKey::open_or_create(&place.folder.path().join("key")).unwrap();
    let audit = |file: &[u8], heads: &[craps_store::SignedHead]| {
        let mut auditor = Auditor::new(&LIBRARY);
        let verified = read_export(file, heads, Some(&key.public()), |row| auditor.row(row)).unwrap();
        (verified.findings, auditor.finish())
    };
    let heads = pit.store().sign_heads(&key, now()).await.unwrap();
    let mut file = Vec::new();
    pit.store().export(Some("t"), &key, now(), &mut file).await.unwrap();
    let (chain, audited) = audit(&file, &heads);
    assert_eq!((chain, &audited.findings), (Vec::new(), &Vec::new()));
    assert_eq!(audited, log.audit());

    let at = log.find(is_bet);
    let mut forged = log.clone();
    forged.0.remove(at);
    let store = Store::open(place.folder.path().join("forged.db").to_str().unwrap()).await.unwrap();
    let rows = forged.chained().iter().map(as_new).collect();
    store.append("t", 0, rows).await.unwrap();
    let mut file = Vec::new();
    store.export(None, &key, now(), &mut file).await.unwrap();
    let (chain, audited) = audit(&file, &[]);
    assert_eq!(chain, [], "every hash and signature is genuine");
    assert_eq!(audited.findings, forged.audit().findings);
    assert!(!audited.findings.is_empty());
}
