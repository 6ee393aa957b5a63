//! Tables with a crew of people over HTTP: what players ask for waits for the people whom the book names, and each step of the procedure has its
//! moment. The tests of `craps-table` say the same below the server.

use crate::house::{LIBRARY, Place, ask, opening, wish};
use crate::support::{Here, Reply, Shows};
use craps_law::HouseRules;
use craps_notation::RulesTag;
use craps_server::audit::{Audited, Auditor};
use craps_server::live::pit::{Ask, now};
use craps_server::live::wish::Wish;
use craps_server::live::{By, Deed, DiceFrom, Opening};
use craps_server::people::Role;
use craps_table::{Actor, Crew, Role as AtTable};
use serde_json::{Value, json};

const HOUR: i64 = 3_600_000;
/// Chips of each player, in cents.
const CHIPS: i64 = 100_000;

/// A table with a whole crew and two players. Ann has seat 1, Bo has seat 2.
struct Evening {
    here: Here,
    dealer: Shows,
    stick: Shows,
    boxperson: Shows,
    floor: Shows,
    ann: Shows,
    bo: Shows,
}

async fn person(here: &Here, name: &str, role: Role) -> Shows {
    let account = here.account(name).await;
    here.grant(&account, role, None).await;
    here.session(&account, HOUR).await
}

/// Adds the papers of the book's sample house, and limits: what a table that isn't for practice has to state.
fn with_papers(mut house: Value) -> Value {
    let book = house["book"].as_str().unwrap_or_default().to_owned();
    let samples = craps_server::house::samples(&LIBRARY);
    let sample = samples.into_iter().find(|sample| sample.book == book).unwrap();
    let stated = |key: &str| LIBRARY.keys().find(key).is_some_and(|key| key.stated);
    let papers = sample.keys.into_iter().filter(|(key, _)| stated(key));
    let limits = [("limits.min", "1"), ("limits.max", "7000")].map(|(key, text)| (key.to_owned(), text.to_owned()));
    if house["keys"].is_null() {
        house["keys"] = json!({});
    }
    for (key, text) in papers.chain(limits) {
        house["keys"].as_object_mut().unwrap().entry(key).or_insert(json!(text));
    }
    house
}

/// Returns the answer to a request that must succeed.
fn done(reply: &Reply) -> Value {
    assert_eq!(reply.status, 200, "{}", reply.body);
    reply.json()
}

/// Returns the problem of a request that the table must refuse with this code.
fn refused(reply: &Reply, code: &str) -> Value {
    let problem = reply.json();
    assert_eq!((reply.status, &problem["refusal"]["code"]), (422, &json!(code)), "{problem}");
    problem
}

fn cite(of: &Value) -> &str {
    of["cite"].as_str().unwrap()
}

/// Returns the names of everything that happened in the rows of an answer.
fn happened(answer: &Value) -> Vec<&str> {
    let rows = answer["rows"].as_array().unwrap().iter();
    let all = rows.flat_map(|row| row["happened"].as_array().into_iter().flatten());
    all.map(|one| one["what"].as_str().unwrap()).collect()
}

fn seat(view: &Value, seat: u8) -> &Value {
    view["seats"].as_array().unwrap().iter().find(|one| one["seat"] == seat).unwrap()
}

fn bet<'v>(view: &'v Value, at: u8, code: &str) -> Option<&'v Value> {
    seat(view, at)["bets"].as_array().unwrap().iter().find(|one| one["bet"] == code)
}

fn rail(view: &Value, at: u8) -> i64 {
    seat(view, at)["rail"].as_i64().unwrap()
}

impl Evening {
    /// An admin opens a table under this house. Nobody sits there yet.
    async fn under(house: Value) -> Evening {
        let here = Here::new().await;
        let admin = person(&here, "Ada", Role::Admin).await;
        let table = json!({
            "table": "t", "name": "T", "house": with_papers(house), "practice": false, "crew": "people", "dice": "people",
        });
        let opened = here.post("/tables", &admin, &table).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        Evening {
            dealer: person(&here, "Dee", Role::Dealer).await,
            stick: person(&here, "Stan", Role::Stickperson).await,
            boxperson: person(&here, "Bea", Role::Boxperson).await,
            floor: person(&here, "Flo", Role::Floorperson).await,
            ann: person(&here, "Ann", Role::Player).await,
            bo: person(&here, "Bo", Role::Player).await,
            here,
        }
    }

    /// The same with five dice, and with Ann and Bo in their seats.
    async fn with_players(house: Value) -> Evening {
        let evening = Evening::under(house).await;
        evening.acts(&evening.boxperson, json!({ "act": "open-table", "dice": 5 })).await;
        evening.seats_players().await;
        evening
    }

    async fn seats_players(&self) {
        for (who, seat) in [(&self.ann, 1), (&self.bo, 2)] {
            let asked = self.does(who, "seats", json!({ "seat": seat, "buy_in": CHIPS })).await;
            done(&self.answers(&self.dealer, &asked, true).await);
        }
    }

    async fn post(&self, who: &Shows, path: &str, body: Value) -> Reply {
        self.here.post(&format!("/tables/t/{path}"), who, &body).await
    }

    async fn does(&self, who: &Shows, path: &str, body: Value) -> Value {
        done(&self.post(who, path, body).await)
    }

    async fn acts(&self, who: &Shows, body: Value) -> Value {
        self.does(who, "procedure", body).await
    }

    async fn tries(&self, who: &Shows, body: Value, code: &str) -> Value {
        refused(&self.post(who, "procedure", body).await, code)
    }

    async fn bets(&self, who: &Shows, bet: Value) -> Value {
        self.does(who, "actions", json!({ "bets": [bet] })).await
    }

    /// Answers the first request that an answer says is waiting.
    async fn answers(&self, who: &Shows, asked: &Value, agrees: bool) -> Reply {
        let request = asked["waiting"][0]["request"].as_u64().unwrap_or_else(|| panic!("nothing waits: {asked}"));
        self.post(who, &format!("requests/{request}"), json!({ "agrees": agrees })).await
    }

    async fn sees(&self, who: &Shows) -> Value {
        done(&self.here.get("/tables/t", who).await)
    }

    /// Ann bets the pass line and takes the dice.
    async fn ann_shoots(&self) {
        self.bets(&self.ann, json!({ "bet": "P", "amount": 1_000 })).await;
        for act in ["offer-dice", "take-dice"] {
            self.acts(&self.stick, json!({ "act": act, "seat": 1 })).await;
        }
    }

    async fn releases(&self) {
        self.acts(&self.stick, json!({ "act": "release" })).await;
    }

    /// The stickperson and the boxperson read the dice.
    async fn lands(&self, dice: [u8; 2]) -> Value {
        self.does(&self.stick, "dice", json!({ "dice": dice })).await;
        self.does(&self.boxperson, "dice/confirm", json!({ "dice": dice })).await
    }

    async fn rolls(&self, dice: [u8; 2]) -> Value {
        self.releases().await;
        self.lands(dice).await
    }

    /// Returns the rows of the log, each as its JSON document.
    async fn log(&self) -> Vec<Value> {
        let log = done(&self.here.get("/tables/t/log", &self.stick).await);
        let body = |row: &Value| serde_json::from_str(row["body"].as_str().unwrap()).unwrap();
        log["rows"].as_array().unwrap().iter().map(body).collect()
    }

    async fn audited(&self) -> Audited {
        let mut auditor = Auditor::new(&LIBRARY);
        self.here.app.store().load("t", 0, u32::MAX).await.unwrap().iter().for_each(|row| auditor.row(row));
        auditor.finish()
    }

    /// The audit finds nothing. Ends the evening.
    async fn ends(self) {
        assert_eq!(self.audited().await.findings, []);
        self.here.stop().await;
    }
}

/// W7: a call counts when the dealer has placed the button.
#[tokio::test(flavor = "multi_thread")]
async fn a_call_waits_for_the_dealers_button() {
    let evening = Evening::with_players(json!({ "book": "pa" })).await;
    evening.bets(&evening.ann, json!({ "bet": "PL6", "amount": 1_200 })).await;
    evening.ann_shoots().await;
    let on = || evening.bets(&evening.ann, json!({ "bet": "PL6", "op": "on" }));
    let works = async || bet(&evening.sees(&evening.bo).await, 1, "PL6").unwrap()["works"].as_bool().unwrap();

    let asked = on().await;
    let waiting = &asked["waiting"][0];
    assert_eq!((&waiting["seat"], &waiting["by"], &waiting["all"]), (&json!(1), &json!(["dealer"]), &json!(false)));
    let words = waiting["words"].as_str().unwrap();
    assert!(words.contains("six") && words.ends_with(" on"), "{words}");
    assert!(cite(waiting).contains("PA 623a.3(a)(5)"), "{waiting}");
    let row = json!({ "what": "requested", "request": waiting["request"], "seat": 1, "by": ["dealer"], "all": false });
    assert_eq!(asked["rows"][0]["happened"], json!([row]));
    assert_eq!(evening.sees(&evening.bo).await["requests"], json!([waiting]));
    assert!(!works().await, "no button, no effect");
    // Only a dealer places the button. Only the player takes the call back.
    for (who, agrees) in [(&evening.floor, true), (&evening.ann, true), (&evening.bo, true), (&evening.bo, false)] {
        let problem = refused(&evening.answers(who, &asked, agrees).await, "not-their-request");
        assert!(cite(&problem).contains("PA 623a.3(a)(5)"), "{problem}");
    }
    let taken_back = done(&evening.answers(&evening.ann, &asked, false).await);
    let ended = |how: &str, asked: &Value| json!([{ "what": "request-ended", "request": asked["waiting"][0]["request"], "how": how }]);
    assert_eq!(taken_back["rows"][0]["happened"], ended("taken-back", &asked));
    refused(&evening.answers(&evening.dealer, &asked, true).await, "no-such-request");

    let asked = on().await;
    let turned_down = done(&evening.answers(&evening.dealer, &asked, false).await);
    assert_eq!(turned_down["rows"][0]["happened"], ended("turned-down", &asked));
    assert!(!works().await);

    let asked = on().await;
    let confirmed = done(&evening.answers(&evening.dealer, &asked, true).await);
    assert_eq!(happened(&confirmed), ["confirmed", "request-ended", "bet-changed"]);
    assert!(works().await);
    assert_eq!(evening.sees(&evening.ann).await["requests"], Value::Null);
    // A number that no request can have is wrong at every table.
    let nothing = evening.post(&evening.dealer, "requests/0", json!({ "agrees": true })).await;
    assert_eq!((nothing.status, nothing.code().as_str()), (422, "invalid"), "{}", nothing.body);
    evening.ends().await;
}

/// W8: the dealer confirms and changes spoken cash before the bet counts.
#[tokio::test(flavor = "multi_thread")]
async fn spoken_cash_waits_for_the_dealer() {
    let evening = Evening::with_players(json!({ "book": "pa" })).await;
    let asked = evening.bets(&evening.ann, json!({ "bet": "F", "amount": 5_000, "cash": 6_000 })).await;
    let waiting = &asked["waiting"][0];
    assert!(cite(waiting).contains("PA 623a.4(b)"), "{waiting}");
    assert!(waiting["words"].as_str().unwrap().contains("with 60 cash"), "{waiting}");
    let seen = evening.sees(&evening.ann).await;
    assert_eq!((bet(&seen, 1, "F"), rail(&seen, 1)), (None, CHIPS));
    // What a player buys in for is not the other players' business.
    let words = evening.sees(&evening.bo).await["requests"][0]["words"].clone();
    assert!(words.as_str().unwrap().contains("for 50") && !words.to_string().contains("cash"), "{words}");

    let confirmed = done(&evening.answers(&evening.dealer, &asked, true).await);
    assert_eq!(confirmed["rows"].as_array().unwrap().len(), 1);
    assert_eq!(happened(&confirmed), ["confirmed", "request-ended", "bought-in", "bet-placed"]);
    let seen = evening.sees(&evening.ann).await;
    assert_eq!((&bet(&seen, 1, "F").unwrap()["stake"], rail(&seen, 1)), (&json!(5_000), CHIPS + 1_000));
    assert_eq!(seat(&seen, 1)["brought"], CHIPS + 6_000);
    evening.ends().await;
}

/// W9: each person confirms a bet in flight for themselves.
#[tokio::test(flavor = "multi_thread")]
async fn a_bet_in_flight_is_confirmed_by_each_person() {
    let evening = Evening::with_players(json!({ "book": "nj" })).await;
    evening.ann_shoots().await;
    evening.releases().await;
    // Nobody confirms for somebody else.
    let both = json!({ "bet": "F", "amount": 500, "late": ["dealer", "boxperson"] });
    let for_two = evening.post(&evening.dealer, "actions", json!({ "seat": 2, "bets": [both] })).await;
    refused(&for_two, "not-their-call");
    let own = evening.post(&evening.bo, "actions", json!({ "bets": [both] })).await;
    assert_eq!(own.status, 403, "{}", own.body);

    let asked = evening.bets(&evening.bo, json!({ "bet": "F", "amount": 500 })).await;
    let waiting = &asked["waiting"][0];
    assert_eq!((&waiting["by"], &waiting["all"]), (&json!(["dealer", "box"]), &json!(true)));
    assert_eq!(cite(waiting), "NJ 1.3(a)1, NJ 1.3(a)2");
    assert!(waiting["words"].as_str().unwrap().ends_with("for 5"), "{waiting}");
    for who in [&evening.stick, &evening.floor, &evening.bo] {
        refused(&evening.answers(who, &asked, true).await, "not-their-request");
    }
    assert_eq!(happened(&done(&evening.answers(&evening.dealer, &asked, true).await)), ["confirmed"]);
    refused(&evening.answers(&evening.dealer, &asked, true).await, "confirmed-already");
    let seen = evening.sees(&evening.bo).await;
    assert_eq!((&seen["requests"][0]["confirmed"], bet(&seen, 2, "F")), (&json!(["dealer"]), None));
    let placed = done(&evening.answers(&evening.boxperson, &asked, true).await);
    assert_eq!(happened(&placed), ["confirmed", "request-ended", "bet-placed"]);
    evening.lands([5, 4]).await;
    assert_eq!(rail(&evening.sees(&evening.bo).await, 2), CHIPS + 500);

    // With one confirmation the bet is too late, and no money moves.
    evening.releases().await;
    let asked = evening.bets(&evening.bo, json!({ "bet": "F", "amount": 500 })).await;
    done(&evening.answers(&evening.dealer, &asked, true).await);
    evening.does(&evening.stick, "dice", json!({ "dice": [5, 6] })).await;
    assert_eq!(evening.answers(&evening.boxperson, &asked, true).await.status, 422, "the dice are down");
    let thrown = evening.does(&evening.boxperson, "dice/confirm", json!({ "dice": [5, 6] })).await;
    let late = json!({ "what": "request-ended", "request": asked["waiting"][0]["request"], "how": "too-late" });
    assert!(thrown["rows"][0]["happened"].as_array().unwrap().contains(&late), "{thrown}");
    let seen = evening.sees(&evening.bo).await;
    assert_eq!((rail(&seen, 2), bet(&seen, 2, "F"), &seen["requests"]), (CHIPS + 500, None, &Value::Null));

    // It is too late after a no roll as well: the dice came to rest.
    evening.releases().await;
    let asked = evening.bets(&evening.bo, json!({ "bet": "F", "amount": 500 })).await;
    let void = evening.acts(&evening.boxperson, json!({ "act": "no-roll", "reason": "end-missed" })).await;
    assert_eq!(happened(&void), ["request-ended", "no-roll"]);
    refused(&evening.answers(&evening.dealer, &asked, true).await, "no-such-request");
    evening.ends().await;
}

/// One person with two roles is still one person.
#[tokio::test(flavor = "multi_thread")]
async fn one_person_does_not_confirm_for_two() {
    let evening = Evening::with_players(json!({ "book": "nj" })).await;
    let dora = evening.here.account("Dora").await;
    for role in [Role::Dealer, Role::Boxperson] {
        evening.here.grant(&dora, role, None).await;
    }
    let dora = evening.here.session(&dora, HOUR).await;
    evening.ann_shoots().await;
    evening.releases().await;
    let asked = evening.bets(&evening.bo, json!({ "bet": "F", "amount": 500 })).await;
    let path = format!("requests/{}", asked["waiting"][0]["request"]);
    done(&evening.post(&dora, &path, json!({ "as": "dealer", "agrees": true })).await);
    refused(&evening.post(&dora, &path, json!({ "as": "boxperson", "agrees": true })).await, "same-person");
    assert_eq!(bet(&evening.sees(&evening.bo).await, 2, "F"), None);
    done(&evening.answers(&evening.boxperson, &asked, true).await);
    assert!(bet(&evening.sees(&evening.bo).await, 2, "F").is_some());
    evening.ends().await;
}

/// W13: the draw is made and shown after the bets and before people roll, and its secret is revealed after the hand.
#[tokio::test(flavor = "multi_thread")]
async fn the_server_draws_before_people_roll() {
    let house = json!({ "book": "pa", "as_of": "2023-10-01", "keys": { "offer": "power_odds" } });
    let evening = Evening::with_players(house).await;
    evening.ann_shoots().await;
    let mut throws = Vec::new();
    for dice in [[4, 2], [4, 3]] {
        let problem = evening.tries(&evening.stick, json!({ "act": "release" }), "draw-first").await;
        assert_eq!(cite(&problem), "PA 623b.5(c)", "{problem}");
        assert_eq!(evening.sees(&evening.bo).await["raised"], Value::Null);
        evening.acts(&evening.stick, json!({ "act": "close-bets" })).await;
        let raised = evening.sees(&evening.bo).await["raised"].clone();
        assert!(raised[0]["cite"].as_str().unwrap().starts_with("PA 623b.5"), "{raised}");
        let log = evening.log().await;
        let drawn = log.last().unwrap();
        assert!(drawn["did"].get("drawn").is_some() && drawn["by"]["actor"]["role"] == "machine", "{drawn}");
        let field = json!({ "bets": [{ "bet": "F", "amount": 500 }] });
        refused(&evening.post(&evening.bo, "actions", field).await, "draw-stands");
        let thrown = evening.rolls(dice).await;
        assert_eq!(thrown["rows"][0]["roll"]["raised"], raised);
        throws.push(thrown);
    }
    let kinds: Vec<&Value> = throws[1]["rows"].as_array().unwrap().iter().map(|row| &row["did"]).collect();
    assert_eq!(kinds, ["thrown", "revealed", "committed"]);
    let hands = done(&evening.here.get("/tables/t/hands", &evening.bo).await);
    assert_eq!(hands["hands"][0]["secret"], throws[1]["rows"][1]["secret"]);
    let log = evening.log().await;
    assert_eq!(log.iter().filter(|row| row["did"].get("drawn").is_some()).count(), 2);
    let audited = evening.audited().await;
    assert_eq!((audited.throws, audited.findings), (2, Vec::new()));
    evening.ends().await;
}

/// People who ask for something while the bets are closed and the server draws are told their own rows.
#[tokio::test]
async fn requests_around_a_draw_get_their_own_rows() {
    let place = Place::new();
    let pit = place.pit().await;
    let mut house = HouseRules::plain("pa", LIBRARY.book("pa").unwrap().sample_day);
    house.set("offer", "power_odds").unwrap();
    let people = opening(Crew::People, DiceFrom::People);
    let opened = Opening { rules: RulesTag::of(&house), house: house.tag(), ..people };
    pit.open("t", opened, By::machine(), now()).await.unwrap();
    let staff = |who: &str, role: AtTable, body: Value| Ask {
        by: By::person(who, Actor::staff(role)),
        ..ask(who, 1, wish::of(body))
    };
    let ann = |wish: Wish| ask("ann", 1, wish);
    for ask in [
        staff("bea", AtTable::Box, json!({ "do": "procedure", "act": "open-table", "dice": 5 })),
        ann(wish::join("Ann", 50_000)),
        staff("dee", AtTable::Dealer, json!({ "do": "reply", "request": 1, "agrees": true })),
        staff("stan", AtTable::Stick, json!({ "do": "procedure", "act": "offer-dice", "seat": 1 })),
        staff("stan", AtTable::Stick, json!({ "do": "procedure", "act": "take-dice", "seat": 1 })),
        ann(wish::talk("pass 10")),
    ] {
        let what = format!("{:?}", ask.wish);
        pit.ask("t", ask).await.unwrap_or_else(|error| panic!("{what}: {error}"));
    }
    // All three arrive before the first is stored.
    let closes = staff("stan", AtTable::Stick, json!({ "do": "procedure", "act": "close-bets" }));
    let buys = ann(wish::of(json!({ "do": "buy-in", "amount": 1_000 })));
    let (closed, said, bought) =
        tokio::join!(pit.ask("t", closes), pit.ask("t", ann(wish::say("good luck"))), pit.ask("t", buys));
    let rows = [closed.unwrap().rows, said.unwrap().rows, bought.unwrap().rows];
    assert_eq!(rows.each_ref().map(Vec::len), [1, 1, 1]);
    let seqs: Vec<u64> = rows.iter().map(|rows| rows[0].row.seq).collect();
    assert!(matches!(rows[1][0].entry.did, Deed::Said { .. }));
    let ordered = [&rows[0][0], &rows[2][0]].map(|told| serde_json::to_string(&told.entry.did).unwrap());
    assert!(ordered[0].contains("bets-closed") && ordered[1].contains("requested"), "{ordered:?}");
    // The draw is the row right after the one that closed the bets.
    let log = pit.rows("t", seqs[0], 1).await.unwrap();
    assert!(matches!(log[0].entry.did, Deed::Drawn { .. }), "{seqs:?}");
    pit.close().await;
}

/// W16: rolls for come bets only follow an offer of the dice to everybody else.
#[tokio::test(flavor = "multi_thread")]
async fn rolls_for_come_bets_follow_offers_to_everybody() {
    let evening = Evening::with_players(json!({ "book": "pa" })).await;
    evening.ann_shoots().await;
    evening.rolls([4, 2]).await;
    evening.bets(&evening.ann, json!({ "bet": "C", "amount": 1_000 })).await;
    evening.rolls([4, 1]).await;
    evening.rolls([3, 3]).await;
    let only = || json!({ "act": "take-dice", "seat": 1, "decisions_only": true });
    let problem = evening.tries(&evening.stick, only(), "no-come-rolls").await;
    assert!(cite(&problem).starts_with("PA 623a.10(b)"), "{problem}");
    evening.does(&evening.ann, "pass-dice", json!({})).await;
    evening.acts(&evening.stick, json!({ "act": "offer-dice", "seat": 2 })).await;
    evening.tries(&evening.stick, only(), "no-come-rolls").await;
    evening.acts(&evening.stick, json!({ "act": "decline-dice", "seat": 2 })).await;
    let taken = evening.acts(&evening.stick, only()).await;
    assert_eq!(taken["rows"][0]["happened"], json!([{ "what": "dice-taken", "seat": 1 }]));
    assert_eq!(evening.sees(&evening.bo).await["phase"], "come-decisions-only");
    evening.rolls([4, 1]).await;
    assert_eq!(evening.sees(&evening.bo).await["phase"], "come-out", "the come bet is decided");
    evening.ends().await;
}

/// W16: when another player's line bet ends the rolls for come bets, the dice are offered around again.
#[tokio::test(flavor = "multi_thread")]
async fn the_dice_are_offered_again_after_rolls_for_come_bets() {
    let evening = Evening::with_players(json!({ "book": "pa" })).await;
    evening.ann_shoots().await;
    evening.rolls([4, 2]).await;
    evening.bets(&evening.ann, json!({ "bet": "C", "amount": 1_000 })).await;
    evening.rolls([4, 1]).await;
    evening.rolls([3, 3]).await;
    evening.does(&evening.ann, "pass-dice", json!({})).await;
    for act in ["offer-dice", "decline-dice"] {
        evening.acts(&evening.stick, json!({ "act": act, "seat": 2 })).await;
    }
    evening.acts(&evening.stick, json!({ "act": "take-dice", "seat": 1, "decisions_only": true })).await;
    evening.bets(&evening.bo, json!({ "bet": "P", "amount": 1_000 })).await;
    assert_eq!(evening.sees(&evening.bo).await["shooter"], Value::Null);
    evening.tries(&evening.stick, json!({ "act": "release" }), "not-time-to-roll").await;
    for act in ["offer-dice", "take-dice"] {
        evening.acts(&evening.stick, json!({ "act": act, "seat": 2 })).await;
    }
    evening.rolls([5, 2]).await;
    evening.ends().await;
}

/// W17: an order to give up the dice has one of the grounds of the book, and the log keeps it.
#[tokio::test(flavor = "multi_thread")]
async fn a_shooter_is_ordered_off_on_a_ground() {
    let evening = Evening::with_players(json!({ "book": "pa" })).await;
    evening.ann_shoots().await;
    for wrong in [json!({ "act": "order-pass" }), json!({ "act": "order-pass", "reason": "whistling" })] {
        let problem = evening.tries(&evening.boxperson, wrong, "no-pass-ground").await;
        assert!(cite(&problem).contains("PA 623a.10(a)(2)"), "{problem}");
    }
    let off = evening.acts(&evening.boxperson, json!({ "act": "order-pass", "reason": "delay" })).await;
    let ordered = json!({ "what": "ordered-off", "by": "box", "ground": "delay" });
    assert_eq!((&off["rows"][0]["happened"][0], happened(&off)[1]), (&ordered, "dice-passed"));
    let log = evening.log().await;
    assert_eq!(log.last().unwrap()["did"]["ordered"]["commands"], json!([{ "order-off": { "ground": "delay" } }]));
    assert_eq!(evening.sees(&evening.bo).await["shooter"], Value::Null);
    evening.ends().await;
}

/// W19: the shaker is only for players with a line bet.
#[tokio::test(flavor = "multi_thread")]
async fn the_shaker_is_offered_only_to_players_with_a_line_bet() {
    let evening = Evening::under(json!({ "book": "nj-automated", "game": "automated" })).await;
    evening.acts(&evening.floor, json!({ "act": "inspect", "test_rolls": 1 })).await;
    evening.acts(&evening.floor, json!({ "act": "open-table", "dice": 2 })).await;
    evening.seats_players().await;
    let problem = evening.tries(&evening.dealer, json!({ "act": "offer-dice", "seat": 1 }), "cannot-shoot").await;
    assert!(cite(&problem).contains("NJ 1A.5(b)"), "{problem}");
    let pass = || json!({ "bet": "P", "amount": 1_000 });
    evening.bets(&evening.bo, pass()).await;
    evening.acts(&evening.dealer, json!({ "act": "offer-dice", "seat": 2 })).await;
    evening.bets(&evening.bo, json!({ "bet": "P", "op": "down" })).await;
    let take = || json!({ "act": "take-dice", "seat": 2 });
    let problem = evening.tries(&evening.dealer, take(), "cannot-shoot").await;
    assert!(cite(&problem).contains("NJ 1A.5(b)"), "{problem}");
    evening.bets(&evening.bo, pass()).await;
    evening.acts(&evening.dealer, take()).await;
    assert_eq!(evening.sees(&evening.ann).await["shooter"]["seat"], 2);
    evening.ends().await;
}

/// NJ 1A.5(b)3: when no player operates the shaker, the dealer does. NJ 1A.5(b): bets close only for a shooter with a line bet.
#[tokio::test(flavor = "multi_thread")]
async fn the_dealer_operates_a_shaker_that_nobody_takes() {
    let evening = Evening::under(json!({ "book": "nj-automated", "game": "automated" })).await;
    evening.acts(&evening.floor, json!({ "act": "inspect", "test_rolls": 1 })).await;
    evening.acts(&evening.floor, json!({ "act": "open-table", "dice": 2 })).await;
    evening.seats_players().await;
    let pass = || json!({ "bet": "P", "amount": 1_000 });
    evening.bets(&evening.ann, pass()).await;
    evening.bets(&evening.bo, pass()).await;
    for act in ["offer-dice", "take-dice"] {
        evening.acts(&evening.dealer, json!({ "act": act, "seat": 1 })).await;
    }
    evening.bets(&evening.ann, json!({ "bet": "P", "op": "down" })).await;
    let problem = evening.tries(&evening.dealer, json!({ "act": "close-bets" }), "no-bet-to-shoot").await;
    assert!(cite(&problem).contains("NJ 1A.5"), "{problem}");
    evening.bets(&evening.ann, pass()).await;
    evening.does(&evening.ann, "pass-dice", json!({})).await;
    let house = || json!({ "act": "take-dice" });
    evening.tries(&evening.dealer, house(), "not-next").await;
    for seat in [2, 1] {
        for act in ["offer-dice", "decline-dice"] {
            evening.acts(&evening.dealer, json!({ "act": act, "seat": seat })).await;
        }
    }
    evening.acts(&evening.dealer, house()).await;
    evening.acts(&evening.dealer, json!({ "act": "close-bets" })).await;
    evening.acts(&evening.dealer, json!({ "act": "release" })).await;
    evening.does(&evening.dealer, "dice", json!({ "dice": [5, 2] })).await;
    evening.does(&evening.boxperson, "dice/confirm", json!({ "dice": [5, 2] })).await;
    assert_eq!(rail(&evening.sees(&evening.bo).await, 2), CHIPS + 1_000);
    evening.ends().await;
}

/// W3 and W20: a table that isn't for practice states what its book demands, and pays as the other tables of the casino do.
#[tokio::test(flavor = "multi_thread")]
async fn a_casino_opens_only_lawful_tables() {
    let here = Here::new().await;
    let admin = person(&here, "Ada", Role::Admin).await;
    let open = async |id: &str, house: Value, practice: bool| {
        here.post("/tables", &admin, &json!({ "table": id, "name": id, "house": house, "practice": practice })).await
    };
    let bare = open("bare", json!({ "book": "pa" }), false).await;
    assert_eq!(bare.status, 422, "{}", bare.body);
    let words = bare.json()["message"].as_str().unwrap().to_owned();
    assert!(words.contains("limits.max: missing") && words.contains("PA 623a.3(c)"), "{words}");
    assert_eq!(open("practice", json!({ "book": "pa" }), true).await.status, 201);
    assert_eq!(open("papers", with_papers(json!({ "book": "pa" })), false).await.status, 201);
    let paying = |price: &str| json!({ "book": "nj", "keys": { "higher_odds": format!("field/12:{price}") } });
    assert_eq!(open("three", paying("3 to 1"), false).await.status, 201);
    assert_eq!(open("too", paying("3 to 1"), false).await.status, 201);
    assert_eq!(open("play", paying("9 to 1"), true).await.status, 201, "practice tables are no part of the casino");
    let nine = open("nine", paying("9 to 1"), false).await;
    assert_eq!(nine.status, 422, "{}", nine.body);
    let words = nine.json()["message"].as_str().unwrap().to_owned();
    assert!(words.contains("3 to 1 at three, too and 9 to 1 at nine") && words.contains("NJ 1.4(b)"), "{words}");
    here.stop().await;
}

/// W23: cash goes through the crew.
#[tokio::test(flavor = "multi_thread")]
async fn a_buy_in_waits_for_the_people_who_take_cash() {
    let evening = Evening::under(json!({ "book": "co" })).await;
    evening.acts(&evening.boxperson, json!({ "act": "open-table", "dice": 5 })).await;
    let asked = evening.does(&evening.ann, "seats", json!({ "seat": 1, "buy_in": CHIPS })).await;
    assert_eq!(happened(&asked), ["joined", "requested"]);
    let waiting = &asked["waiting"][0];
    assert!(cite(waiting).contains("CO 30-2319"), "{waiting}");
    assert_eq!(waiting["words"], "buy in for 1000");
    assert_eq!(rail(&evening.sees(&evening.ann).await, 1), 0);
    let bought = done(&evening.answers(&evening.dealer, &asked, true).await);
    assert_eq!(happened(&bought), ["confirmed", "request-ended", "bought-in"]);
    assert_eq!(rail(&evening.sees(&evening.ann).await, 1), CHIPS);

    let million = 100_000_000;
    let asked = evening.does(&evening.ann, "buy-in", json!({ "amount": million })).await;
    assert!(cite(&asked["waiting"][0]).contains("CO 30-2319"), "{asked}");
    assert_eq!(rail(&evening.sees(&evening.ann).await, 1), CHIPS);
    // How much it is stays between the player and the crew.
    assert!(!evening.sees(&evening.bo).await.to_string().contains("1000000"));
    assert!(evening.sees(&evening.dealer).await["requests"][0]["words"].as_str().unwrap().contains("1000000"));
    refused(&evening.answers(&evening.floor, &asked, true).await, "not-their-request");
    done(&evening.answers(&evening.dealer, &asked, true).await);
    let seen = evening.sees(&evening.ann).await;
    assert_eq!((rail(&seen, 1), &seat(&seen, 1)["brought"]), (CHIPS + million, &json!(CHIPS + million)));

    // A request ends when its player leaves.
    evening.does(&evening.ann, "buy-in", json!({ "amount": 1_000 })).await;
    let left = done(&evening.here.ask("DELETE", "/tables/t/seats/1", &evening.ann, None).await);
    assert_eq!(
        (happened(&left), &left["rows"][0]["happened"][0]["how"]),
        (vec!["request-ended", "left"], &json!("left"))
    );
    evening.ends().await;
}

/// The same request twice, with the same key, is one request.
#[tokio::test(flavor = "multi_thread")]
async fn a_key_asks_and_answers_once() {
    let evening = Evening::with_players(json!({ "book": "nj" })).await;
    let cash = || json!({ "id": "buy", "amount": 10_000 });
    let asked = evening.does(&evening.ann, "buy-in", cash()).await;
    let again = evening.does(&evening.ann, "buy-in", cash()).await;
    assert_eq!((&again["again"], &again["waiting"]), (&json!(true), &asked["waiting"]));
    assert_eq!(evening.sees(&evening.dealer).await["requests"].as_array().unwrap().len(), 1);
    let path = format!("requests/{}", asked["waiting"][0]["request"]);
    for again in [false, true] {
        let answer = evening.does(&evening.dealer, &path, json!({ "id": "yes", "agrees": true })).await;
        assert_eq!(answer["again"], again);
    }
    let again = evening.does(&evening.ann, "buy-in", cash()).await;
    assert_eq!((&again["again"], &again["waiting"]), (&json!(true), &Value::Null), "nothing waits any more");
    assert_eq!(rail(&evening.sees(&evening.ann).await, 1), CHIPS + 10_000);
    evening.ends().await;
}

/// A player's own limit holds for bets that wait for the crew as well.
#[tokio::test(flavor = "multi_thread")]
async fn an_own_limit_holds_for_bets_that_wait() {
    let evening = Evening::with_players(json!({ "book": "pa" })).await;
    let set = evening.here.ask("PUT", "/me/limits", &evening.ann, Some(&json!({ "loss": 5_000 }))).await;
    assert_eq!(set.status, 200, "{}", set.body);
    let spoken = |amount: i64| json!({ "bets": [{ "bet": "F", "amount": amount, "cash": amount }] });
    let over = evening.post(&evening.ann, "actions", spoken(6_000)).await;
    assert_eq!((over.status, over.code().as_str()), (403, "own-limit"), "{}", over.body);
    evening.does(&evening.ann, "actions", spoken(3_000)).await;
    let both = evening.post(&evening.ann, "actions", spoken(3_000)).await;
    assert_eq!((both.status, both.code().as_str()), (403, "own-limit"), "one more would be too much: {}", both.body);
    evening.does(&evening.ann, "actions", spoken(2_000)).await;
    evening.ends().await;
}

/// The game of such an evening is written as it went, for the crew and for each player. Undo is for orders that nobody else was asked about.
#[tokio::test(flavor = "multi_thread")]
async fn an_evening_is_written_as_it_went() {
    let evening = Evening::with_players(json!({ "book": "nj" })).await;
    let (ann, bo, dealer) = (&evening.ann, &evening.bo, &evening.dealer);
    evening.bets(ann, json!({ "bet": "PL6", "amount": 1_200 })).await;
    evening.ann_shoots().await;
    // One call and one spoken bet are turned down, one of each counts.
    for agrees in [false, true] {
        let on = evening.bets(ann, json!({ "bet": "PL6", "op": "on" })).await;
        done(&evening.answers(dealer, &on, agrees).await);
        let spoken = evening.bets(bo, json!({ "bet": "F", "amount": 5_000, "cash": 7_000 })).await;
        done(&evening.answers(dealer, &spoken, agrees).await);
    }
    evening.releases().await;
    let counts = evening.bets(bo, json!({ "bet": "H8", "amount": 500 })).await;
    let too_late = evening.bets(bo, json!({ "bet": "H6", "amount": 500 })).await;
    done(&evening.answers(dealer, &counts, true).await);
    done(&evening.answers(&evening.boxperson, &counts, true).await);
    done(&evening.answers(dealer, &too_late, true).await);
    evening.lands([6, 3]).await;
    assert_eq!(rail(&evening.sees(bo).await, 2), CHIPS + 7_000 + 5_000 - 500);
    // Bo's last bets were the field and the hard eight. The bets that didn't count aren't repeated.
    let repeated = evening.does(bo, "repeat", json!({})).await;
    let codes: Vec<&Value> =
        repeated["rows"][0]["happened"].as_array().unwrap().iter().map(|one| &one["bet"]["bet"]).collect();
    assert_eq!(codes, ["F", "H8"], "{repeated}");

    let undone = evening.does(bo, "undo", json!({})).await;
    assert_eq!(undone["rows"][0]["did"], "undone");
    evening.bets(bo, json!({ "bet": "F", "amount": 500 })).await;
    let asked = evening.does(ann, "buy-in", json!({ "amount": 10_000 })).await;
    for undo in ["undo", "clear"] {
        refused(&evening.post(bo, undo, json!({})).await, "crew-asked");
    }
    done(&evening.answers(dealer, &asked, true).await);
    refused(&evening.post(bo, "undo", json!({})).await, "crew-asked");
    evening.bets(bo, json!({ "bet": "F", "op": "down" })).await;
    evening.rolls([4, 3]).await;
    // After a roll, orders can be undone again.
    evening.bets(bo, json!({ "bet": "F", "amount": 500 })).await;
    evening.does(bo, "undo", json!({})).await;

    let mut texts = Vec::new();
    for reader in [&evening.stick, ann, bo] {
        let game = evening.here.get("/tables/t/cgn", reader).await;
        assert_eq!(game.status, 200, "{}", game.body);
        let checked = evening.here.post("/check", &Shows::Nothing, &json!({ "text": game.body })).await;
        assert_eq!(done(&checked), json!({ "differences": [] }), "{}", game.body);
        texts.push(game.body);
    }
    let has = |part: &str| texts.iter().map(|text| text.contains(part)).collect::<Vec<bool>>();
    assert_eq!(has("@seat 1 buy 1000"), [true, true, false], "{texts:#?}");
    assert_eq!(has("@seat 1 buy 100\n"), [true, true, false], "{texts:#?}");
    assert_eq!(has("@seat 2 buy 1000"), [true, false, true], "{texts:#?}");
    assert_eq!(has("!cash(70)"), [true, false, true], "{texts:#?}");
    assert_eq!(has("2:H8+5!late"), [true, true, true], "{texts:#?}");
    assert_eq!(has("2:H6+5"), [false, false, false], "{texts:#?}");
    evening.ends().await;
}
