//! Books, odds, games and simulations over HTTP. The results must equal those of the command line, by the same functions and its golden files.
//! Wrong requests must get a clear error.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Method, Request, StatusCode};
use craps_explain::odds::{OddsAsk, Staked, multiple, priced};
use craps_explain::record::csv;
use craps_explain::shown::payouts;
use craps_explain::wager::{self as card, WagerCard};
use craps_law::view::Shown;
use craps_law::{HouseRules, Library, Source};
use craps_money::{Money, Stake};
use craps_odds::Solver;
use craps_server::live::pit::Pit;
use craps_server::people::Settings;
use craps_server::{App, router};
use craps_store::Store;
use serde::Serialize;
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tower::ServiceExt as _;

/// A server without a socket.
struct Here {
    router: Router,
    library: Arc<Library>,
    _folder: tempfile::TempDir,
}

struct Reply {
    status: StatusCode,
    headers: axum::http::HeaderMap,
    body: String,
}

impl Reply {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    /// Returns the status, code and message of an error.
    fn problem(&self) -> (u16, String, String) {
        let (json, text) = (self.json(), |value: &Value| value.as_str().unwrap_or_default().to_owned());
        (self.status.as_u16(), text(&json["code"]), text(&json["message"]))
    }
}

impl Here {
    async fn new() -> Here {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().join("facts.db").to_str().unwrap()).await.unwrap();
        let library = Arc::new(Library::shipped());
        let pit = Pit::new(store, Arc::clone(&library));
        let settings = Settings { rate: 1_000_000, burst: 1_000_000, ..Settings::default() };
        Here { router: router(Arc::new(App::new(pit, settings, None))), library, _folder: folder }
    }

    async fn ask(&self, method: Method, path: &str, headers: &[(&str, &str)], body: Option<Value>) -> Reply {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let body = body.map_or_else(Body::empty, |body| Body::from(body.to_string()));
        let response = self.router.clone().oneshot(request.body(body).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap();
        Reply { status: parts.status, headers: parts.headers, body }
    }

    async fn get(&self, path: &str) -> Reply {
        self.ask(Method::GET, path, &[], None).await
    }

    async fn post(&self, path: &str, body: Value) -> Reply {
        self.ask(Method::POST, path, &[], Some(body)).await
    }

    /// Sends a GET request that must succeed.
    async fn fact(&self, path: &str) -> Value {
        let reply = self.get(path).await;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.body);
        reply.json()
    }

    async fn answer(&self, path: &str, body: Value) -> Value {
        let reply = self.post(path, body).await;
        assert_eq!(reply.status, StatusCode::OK, "{path}: {}", reply.body);
        reply.json()
    }

    /// Waits until a job has ended.
    async fn over(&self, job: &str) -> Value {
        loop {
            let view = self.fact(&format!("/sim/{job}")).await;
            if !["waiting", "running"].contains(&view["state"].as_str().unwrap()) {
                return view;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Starts a simulation and returns the id of its job.
    async fn order(&self, body: Value) -> String {
        let reply = self.post("/sim", body).await;
        assert_eq!(reply.status, StatusCode::ACCEPTED, "{}", reply.body);
        let job = reply.json()["job"].as_str().unwrap().to_owned();
        assert_eq!(reply.header("location"), format!("/sim/{job}"));
        job
    }
}

fn same(here: &Value, there: &impl Serialize) {
    assert_eq!(*here, serde_json::to_value(there).unwrap());
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn golden(name: &str) -> String {
    std::fs::read_to_string(root().join("crates/boxperson/tests/golden").join(name)).unwrap()
}

#[tokio::test]
async fn odds_are_the_command_lines_record_for_record() {
    let here = Here::new().await;
    let mut solver = Solver::default();
    let stake = |minor| Stake::new(Money::from_minor(minor)).unwrap();
    let asks = [
        ("", OddsAsk::default()),
        ("?book=co,nj", OddsAsk { books: vec!["co".into(), "nj".into()], ..OddsAsk::default() }),
        (
            "?wager=place-win,pass-odds-4",
            OddsAsk { wagers: vec!["place-win".into(), "pass-odds-4".into()], ..OddsAsk::default() },
        ),
        (
            "?book=pa&as_of=2023-10-01",
            OddsAsk { books: vec!["pa".into()], as_of: "2023-10-01".parse().ok(), ..OddsAsk::default() },
        ),
        (
            "?wager=place-win-6&stake=700&chip=100",
            OddsAsk {
                wagers: vec!["place-win-6".into()],
                stake: Some(Staked { amount: stake(700), chip: stake(100) }),
                ..OddsAsk::default()
            },
        ),
        (
            "?wager=pass&with_odds=3-4-5x",
            OddsAsk { wagers: vec!["pass".into()], with_odds: multiple("3-4-5x").ok(), ..OddsAsk::default() },
        ),
    ];
    for (query, ask) in asks {
        let rows = priced(&mut solver, &here.library, &ask).unwrap().rows;
        let records: Vec<_> = rows.iter().map(|row| row.shown_record(&mut solver, &ask)).collect();
        assert!(!records.is_empty(), "{query}");
        // Ask twice: a cached result must be the same.
        for _ in 0..2 {
            same(&here.fact(&format!("/odds{query}")).await, &records);
        }
        let lines = here
            .get(&format!("/odds{}format=csv", if query.is_empty() { "?".into() } else { format!("{query}&") }))
            .await;
        assert_eq!(lines.body, csv(&mut solver, &rows, &ask), "{query}");
        assert_eq!(lines.header("content-type"), "text/csv; charset=utf-8");
    }
    let pass = here.fact("/odds?wager=pass&book=pa").await;
    assert_eq!(pass[0]["edge"], "7/495");
    // The text output for one book has the same figures.
    let md = here.fact("/odds?book=md&wager=any-seven").await;
    assert!(golden("odds-md.txt").contains("any-seven") && md[0]["edge"] == "1/6", "{md}");
}

/// Checks a section: the command line's, and with it the facts and readings by paragraph.
fn same_section(mut found: Value, shown: &Shown) {
    let fields = found.as_object_mut().unwrap();
    let (under, place) = (fields.remove("under").unwrap(), fields.remove("place").unwrap());
    same(&found, shown);
    let Shown::Section(view) = shown else { panic!("expected a section, found {shown:?}") };
    same(&under, &view.under);
    same(&place, &view.place);
    assert_eq!(view.under.len(), view.parts.len() + 1, "the section as a whole comes first");
}

#[tokio::test]
async fn books_sections_wagers_and_differences_are_the_command_lines() {
    let here = Here::new().await;
    let library = &here.library;
    let listed = here.fact("/books").await;
    let listed = listed.as_array().unwrap();
    assert_eq!(listed.len(), library.books.len());
    for (listed, book) in listed.iter().zip(library.in_order()) {
        let mut view = serde_json::to_value(book.view()).unwrap();
        view["payouts"] = payouts(book).into();
        same(listed, &view);
    }
    for book in &library.books {
        let page = here.fact(&format!("/books/{}", book.id)).await;
        same(&page, &library.page(book, None));
        assert_eq!(page["contents"].as_array().unwrap().len(), book.sections.len());
        assert!(page["contents"].as_array().unwrap().iter().all(|section| section["gist"] != ""));
        assert_eq!(page["topics"].as_array().unwrap().len(), book.rules.len());
        assert!(page["topics"].as_array().unwrap().iter().all(|topic| topic["area"] != ""));
        let wagers = here.fact(&format!("/books/{}/wagers", book.id)).await;
        assert_eq!(wagers.as_array().unwrap().len(), book.wagers.len());
        assert!(
            wagers.as_array().unwrap().iter().all(|wager| wager["facts"].as_array().is_some_and(|all| !all.is_empty()))
        );
    }
    let pa = library.book("pa").unwrap();
    same_section(here.fact("/books/pa/sections/623a.4").await, &pa.show("623a.4", None).unwrap());
    // A section and its parts are found with and without the prefix of the book, and named with it.
    for (asked, place) in [
        ("623a.4", "PA 623a.4"),
        ("PA%20623a.4", "PA 623a.4"),
        ("623a.4(a)", "PA 623a.4(a)"),
        ("623a.4(c)(1)", "PA 623a.4(c)(1)"),
    ] {
        let found = here.fact(&format!("/books/pa/sections/{asked}")).await;
        assert_eq!((&found["cite"], &found["place"]), (&json!("PA 623a.4"), &json!(place)));
    }
    let shown = golden("law-show-pa-623a.4.txt");
    assert!(shown.contains(here.fact("/books/pa/sections/PA%20623a.4").await["title"].as_str().unwrap()));
    same(&here.fact("/books/pa/sections/A-09").await, &pa.show("A-09", None).unwrap());
    let diff = here.fact("/books/pa/diff/nj").await;
    same(&diff, &library.diff((pa, None), (library.book("nj").unwrap(), None)));
    let in_flight = diff["differences"].as_array().unwrap().iter().find(|one| one["subjects"][0] == "bets.in_flight");
    assert_eq!(in_flight.unwrap()["area"], "Making bets");
    let count = diff["differences"].as_array().unwrap().len();
    assert!(golden("law-diff-pa-nj.txt").lines().next().unwrap().ends_with(&format!(": {count} differences")));
    same(
        &here.fact("/wagers/fire").await,
        &WagerCard::new(library, &mut Solver::default(), card::find("fire").unwrap(), None),
    );
    assert_eq!(here.fact("/wagers/PL6").await["wager"], "place-win-6");
    let dated = here.fact("/wagers/bonus-all-small?as_of=2010-01-01").await;
    assert!(!dated["books"].as_array().unwrap().contains(&json!("pa")), "{dated}");
    let all = here.fact("/wagers").await;
    assert_eq!(all.as_array().unwrap().len(), craps_wagers::Catalogue::built_in().all().count());
}

#[tokio::test]
async fn sample_houses_are_all_there_and_checks_are_the_command_lines() {
    let here = Here::new().await;
    let houses = here.fact("/houses").await;
    let names: Vec<&str> = houses.as_array().unwrap().iter().map(|house| house["sample"].as_str().unwrap()).collect();
    let mut files: Vec<String> = std::fs::read_dir(root().join("houses"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter_map(|name| name.strip_suffix(".toml").map(str::to_owned))
        .collect();
    files.sort();
    assert_eq!(names, files);
    let mut checked = 0;
    for folder in ["houses", "houses/unlawful"] {
        for entry in std::fs::read_dir(root().join(folder)).unwrap() {
            let path = entry.unwrap().path();
            if path.extension().is_none_or(|extension| extension != "toml") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let source = Source { path: "house".into(), text: text.clone() };
            let house = HouseRules::parse(&source).unwrap();
            let book = here.library.book(&house.book).unwrap();
            let there = craps_explain::house::check(&mut Solver::default(), book, &house);
            assert_eq!(there.lawful, folder == "houses", "{}", path.display());
            same(&here.answer("/houses/check", json!({ "toml": text })).await, &there);
            // The same house given by its keys.
            let keys: serde_json::Map<String, Value> =
                house.iter().map(|(key, value)| (key.into(), value.into())).collect();
            let game = house.game.map(|game| game.word());
            let by_keys = json!({"book": house.book, "as_of": house.as_of.to_string(), "game": game, "keys": keys});
            same(&here.answer("/houses/check", by_keys).await, &there);
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
    let kinds = json!({"book": "pa", "keys": {"odds.k": 20, "buy.offered": true, "offer": ["buy", "lay"]}});
    let verdict = here.answer("/houses/check", kinds).await;
    assert_eq!((&verdict["lawful"], &verdict["problems"][0]["path"]), (&json!(false), &json!("odds.k")));
    assert!(verdict["problems"][0]["cite"].as_str().unwrap().contains("PA 623a.6(e)"));
    assert_eq!(here.answer("/houses/check", json!({"sample": names[0]})).await["lawful"], true);
}

#[tokio::test]
async fn games_are_checked_filled_and_explained_as_on_the_command_line() {
    let here = Here::new().await;
    let text = "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 500\"]\n1. 1:P+10 1:F+5 | 6-6 | 1:F=w5\n# end 1:500\n";
    let found = here.answer("/check", json!({ "text": text })).await;
    let line = |one: &Value| {
        let text = |name: &str| one[name].as_str().unwrap().to_owned();
        let cite = if text("cite").is_empty() { String::new() } else { format!(" [{}]", text("cite")) };
        format!(
            "standard input:{}:{}: expected {}, found {}{cite}\n",
            one["line"],
            one["column"],
            text("expected"),
            text("found")
        )
    };
    let lines: String = found["differences"].as_array().unwrap().iter().map(line).collect();
    assert_eq!(lines, golden("check-differences.txt"));

    let filled = here.answer("/fill", json!({ "text": "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 100\"]\n1. 1:P+10 1:PL6+7 | 4-2\n2. 1:PO+20 | 5-1\n" })).await;
    assert!(filled["text"].as_str().unwrap().contains("2. 1:PO+20 | 5-1* | 1:P=w10 1:PO=w24"), "{filled}");
    assert_eq!((&filled["refused"][0]["line"], &filled["refused"][0]["what"]), (&json!(2), &json!("1:PL6+7")));
    assert!(filled["refused"][0]["cite"].as_str().unwrap().starts_with("PA "));
    let again = here.answer("/check", json!({ "text": filled["text"] })).await;
    assert_eq!(again, json!({ "differences": [] }));

    let text = "[CGN \"1\"] [Rules \"co as-of 2021-06-01\"] [House \"offer=buy; vig.buy.timing=on_win\"] [Seats \"1 Ann 500\"]\n1. 1:P+10 1:BY4+20 1:PL6+7 | 4-5 |\n2. 1:C+10 | 4-2 |\n3. | 3-1 |\n4. | 4-3 |\n";
    let mut all = String::new();
    for roll in ["2", "3.1", "4"] {
        let cards = here.answer("/why", json!({ "text": text, "roll": roll })).await;
        let card = |card: &Value| {
            let text = |field: &str| card[field].as_str().map(str::to_owned);
            let of = |field: &str| text(field).unwrap();
            let rows = [
                ("law", Some(format!("{}: {} (as of {})", of("cite"), of("title"), of("as_of")))),
                ("rule", Some(format!("{}; {}", of("cause"), of("rule")))),
                ("sum", text("sum")),
                ("stays up", text("stays_up")),
                ("cost", text("cost")),
            ];
            let row = |(label, text): &(&str, Option<String>)| Some(format!("  {label:<9}{}\n", text.as_ref()?));
            format!("Why?  {}\n{}", of("what"), rows.iter().filter_map(row).collect::<String>())
        };
        let cards: Vec<String> = cards["cards"].as_array().unwrap().iter().map(card).collect();
        all.push_str(&format!("== {roll}\n{}", cards.join("\n")));
    }
    // The command line wraps long lines.
    assert_eq!(all, golden("why.txt").replace("\n           ", " "));
    assert_eq!(here.answer("/why", json!({ "text": text, "roll": "1" })).await, json!({ "cards": [] }));
}

#[tokio::test]
async fn talk_is_echoed_tried_or_asked_back() {
    let here = Here::new().await;
    let house = json!({ "book": "pa" });
    let felt = "r2_pt6_s1_1.500.P~10";
    let heard = here.answer("/talk", json!({"house": house, "felt": felt, "text": "22 inside; hard eight five"})).await;
    assert_eq!(heard["orders"][0]["echo"], "place five for 5; place six for 6; place eight for 6; place nine for 5");
    assert_eq!((&heard["orders"][0]["commands"], &heard["orders"][1]["echo"]), (&json!(4), &json!("hard eight for 5")));
    assert!(heard["ask"].is_null() && heard["orders"][0]["refused"].is_null(), "{heard}");
    let asked = here.answer("/talk", json!({"house": house, "text": "pass 10; 12 on the sixx"})).await;
    assert_eq!((&asked["ask"]["word"], &asked["ask"]["column"]), (&json!("sixx"), &json!(20)));
    assert_eq!(asked["ask"]["suggestions"], json!(["12 on the six"]));
    // The table may refuse an order that was understood. The next order is then tried without it.
    let refused =
        here.answer("/talk", json!({"house": house, "felt": felt, "text": "take down my pass; odds 20"})).await;
    assert!(refused["orders"][0]["refused"]["cite"].as_str().unwrap().starts_with("PA "), "{refused}");
    assert!(refused["orders"][1]["refused"].is_null(), "{refused}");
    for (body, code, words) in [
        (json!({"house": house, "felt": "r2_pt6_s1_1.500.XX~10", "text": "pass 10"}), "malformed", "felt, column"),
        (json!({"house": house, "felt": felt, "seat": 7, "text": "pass 10"}), "bad-request", "nobody sits at 7"),
        (json!({"house": {"book": "pa", "keys": {"odds.k": 20}}, "text": "pass 10"}), "unlawful", "odds.k"),
        (json!({"house": {}, "text": "pass 10"}), "bad-request", "expected one of `sample`"),
    ] {
        let (status, found, message) = here.post("/talk", body).await.problem();
        assert!(
            (400..500).contains(&status) && found == code && message.contains(words),
            "{status} {found}: {message}"
        );
    }
}

#[tokio::test]
async fn strategies_are_listed_shown_and_checked() {
    let here = Here::new().await;
    let all = here.fact("/strategies").await;
    assert_eq!(all.as_array().unwrap().len(), craps_sim::shipped::Shipped::all().count());
    let molly = here.fact("/strategies/molly").await;
    assert_eq!(molly["text"], craps_sim::shipped::Shipped::find("molly").unwrap().text);
    assert!(molly["buy_in"].as_u64().is_some_and(|minor| minor >= 10_000), "{molly}");
    let fine = here.answer("/strategies/check", json!({ "text": molly["text"], "book": "pa" })).await;
    assert_eq!((&fine["mistakes"], &fine["summary"]["name"]), (&json!([]), &molly["name"]));
    let text = "strategy Mine\nbuy-in 100\nunit 5\nalways\n    feild for unit\n";
    let wrong = here.answer("/strategies/check", json!({ "text": text })).await;
    let mistake = &wrong["mistakes"][0];
    assert_eq!(
        (&mistake["line"], &mistake["column"], &mistake["suggestions"]),
        (&json!(5), &json!(5), &json!(["field for unit"]))
    );
    assert!(wrong["summary"].is_null());
}

#[tokio::test]
async fn a_simulation_is_the_command_lines_and_has_its_files() {
    let here = Here::new().await;
    let job = here
        .order(json!({"strategy": "molly", "book": "pa", "sessions": 40, "throws": 30, "seed": 7, "form": "engine", "stop": null, "goal": 20_000}))
        .await;
    let view = here.over(&job).await;
    assert_eq!(view["state"], "done", "{view}");
    assert_eq!(view["progress"], json!({"sessions": 40, "of": 40, "throws": view["result"]["throws"]}));
    let result = &view["result"];
    // The same simulation with the functions of the command line.
    let shipped = craps_sim::shipped::Shipped::find("molly").unwrap();
    let source = Source { path: shipped.source(), text: shipped.text.to_owned() };
    let terms = craps_sim::seated::Terms {
        throws: 30,
        stop: Some(None),
        goal: Some(Some(Money::from_minor(20_000))),
        buy_in: None,
        unit: None,
    };
    let at = craps_sim::seated::At::Book { id: Some("pa".into()), as_of: None };
    let seated = craps_sim::seated::Seated::new(&here.library, &source, at, &terms).unwrap();
    let request = craps_sim::Request {
        rules: &seated.rules,
        strategy: &seated.program,
        plan: seated.plan,
        sessions: 40,
        seed: 7,
        threads: 1,
        choice: craps_sim::Choice::Engine,
        strict: false,
    };
    let answer = craps_sim::run(&request, &craps_sim::Unwatched).unwrap();
    let command = "boxperson sim molly --book pa --as-of 2023-10-01 --sessions 40 --throws 30 --stop none --goal 200 --form engine --seed 7";
    let setting = seated.setting(&answer, command.to_owned(), craps_sim::answer::PACE);
    // Compare after a round trip through text, because a parsed number may differ in its last digit.
    let there = serde_json::to_string(&craps_sim::report::view(&answer, &setting)).unwrap();
    let mut there: Value = serde_json::from_str(&there).unwrap();
    // The duration differs between runs.
    for field in ["seconds", "throws_per_second"] {
        there[field] = result[field].clone();
    }
    assert_eq!(*result, there);
    let lines = here.get(&format!("/sim/{job}/report.csv")).await;
    assert_eq!(lines.body.lines().count(), 41, "{}", lines.body);
    let mut engine = craps_sim::Engine::new(&seated.rules, &seated.program);
    let third = (0..4).map(|number| engine.session(7, number, &seated.plan)).last().unwrap();
    assert_eq!(lines.body.lines().nth(4), Some(craps_sim::report::session_line(3, &third).trim_end()));
    // A compressed response is complete, too.
    let zipped = Request::get(format!("/sim/{job}/report.csv")).header("accept-encoding", "gzip").body(Body::empty());
    let zipped = here.router.clone().oneshot(zipped.unwrap()).await.unwrap().into_body();
    assert!(to_bytes(zipped, usize::MAX).await.unwrap().starts_with(&[0x1f, 0x8b]));
    let page = here.get(&format!("/sim/{job}/report.html")).await;
    assert!(page.body.starts_with("<!") && page.header("content-security-policy").contains("sandbox"));
    let picture = here.get(&format!("/sim/{job}/report.svg")).await;
    assert!(picture.body.contains("<svg") && picture.header("content-type") == "image/svg+xml");
    // The stream of a finished job has one line.
    let stream = here.get(&format!("/sim/{job}/stream")).await;
    assert_eq!((stream.body.lines().count(), stream.header("content-type")), (1, "application/x-ndjson"));
    assert_eq!(serde_json::from_str::<Value>(&stream.body).unwrap(), view);
}

#[tokio::test]
async fn exact_answers_duels_houses_and_ones_own_strategies_run() {
    let here = Here::new().await;
    let exact = here.order(json!({"strategy": "pass", "book": "nj", "throws": 20, "stop": null, "goal": null, "buy_in": 1_000_000, "form": "exact"})).await;
    let view = here.over(&exact).await;
    assert_eq!((&view["state"], &view["result"]["form"]), (&json!("done"), &json!("exact")), "{view}");
    let lines = here.get(&format!("/sim/{exact}/report.csv")).await.body;
    assert!(lines.starts_with("net,probability\n"), "{lines}");
    let text = "strategy Mine\nbuy-in 100\nunit 10\nwhen coming out\n    pass line for unit\n";
    let duel = here
        .order(json!({"text": text, "house": {"sample": "co-craps"}, "sessions": 16, "throws": 20, "seed": 3, "form": "engine", "unit": 2_000,
            "versus": {"strategy": "field"}}))
        .await;
    let view = here.over(&duel).await;
    let result = &view["result"];
    assert_eq!(
        (&view["state"], &result["one"]["book"], &result["other"]["book"]),
        (&json!("done"), &json!("co"), &json!("co")),
        "{view}"
    );
    assert_eq!(
        (&result["one"]["strategy"], &result["sessions"], &view["progress"]["of"]),
        (&json!("Mine"), &json!(16), &json!(48))
    );
    assert_eq!(view["progress"]["sessions"], json!(48));
    let books = here
        .order(json!({"strategy": "field", "book": "pa", "sessions": 8, "throws": 10, "form": "engine", "versus": {"book": "co"}}))
        .await;
    let view = here.over(&books).await;
    assert_eq!(
        (&view["result"]["one"]["book"], &view["result"]["other"]["book"]),
        (&json!("pa"), &json!("co")),
        "{view}"
    );
    // An exact answer that doesn't exist fails with a message.
    let short = here.order(json!({"strategy": "pass", "book": "nj", "form": "exact", "buy_in": 1_000})).await;
    let view = here.over(&short).await;
    assert!(view["state"] == "failed" && view["problem"].as_str().unwrap().contains("no exact answer"), "{view}");
    assert_eq!(here.get(&format!("/sim/{short}/report.html")).await.problem().1, "no-result");
}

#[tokio::test]
async fn simulations_are_watched_cancelled_and_bounded() {
    let here = Here::new().await;
    // A job so long that only a cancellation ends it here.
    let long =
        json!({"strategy": "molly", "book": "pa", "sessions": 10_000_000, "throws": 100, "form": "engine", "seed": 1});
    let first = here.order(long.clone()).await;
    let stream = here.router.clone();
    let request = Request::builder().uri(format!("/sim/{first}/stream")).body(Body::empty()).unwrap();
    let watched = tokio::spawn(async move {
        let body = stream.oneshot(request).await.unwrap().into_body();
        String::from_utf8(to_bytes(body, usize::MAX).await.unwrap().to_vec()).unwrap()
    });
    let progress = loop {
        let view = here.fact(&format!("/sim/{first}")).await;
        if view["progress"]["sessions"].as_u64().unwrap() > 0 {
            break view;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    };
    assert_eq!(progress["state"], "running");
    assert_eq!(here.get(&format!("/sim/{first}/report.csv")).await.problem().1, "no-result");
    let mut jobs = vec![first.clone()];
    for _ in 0..3 {
        jobs.push(here.order(long.clone()).await);
    }
    let (status, code, message) = here.post("/sim", long.clone()).await.problem();
    assert_eq!((status, code.as_str()), (429, "too-many-jobs"), "{message}");
    for job in &jobs {
        let reply = here.ask(Method::DELETE, &format!("/sim/{job}"), &[], None).await;
        assert_eq!(reply.status, StatusCode::OK, "{}", reply.body);
    }
    let view = here.over(&first).await;
    assert_eq!((&view["state"], &view["result"]["partial"]), (&json!("cancelled"), &json!(true)), "{view}");
    assert!(view["result"]["sessions"].as_u64().unwrap() > 0);
    for job in &jobs[1..] {
        assert_eq!(here.over(job).await["state"], "cancelled");
    }
    let lines = watched.await.unwrap();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(lines.len() >= 2, "{lines:?}");
    let (last, before) = lines.split_last().unwrap();
    assert!(
        before.iter().all(|line| line["result"].is_null()) && last["state"] == "cancelled" && !last["result"].is_null()
    );
    let played = |line: &Value| line["progress"]["sessions"].as_u64().unwrap();
    assert!(lines.windows(2).all(|pair| played(&pair[0]) <= played(&pair[1])), "{lines:?}");
    // Only the client that started it can cancel it. A guest is a different client.
    let mine =
        here.order(json!({"strategy": "pass", "book": "nj", "sessions": 8, "throws": 5, "form": "engine"})).await;
    let guest = here.post("/guests", json!({})).await;
    if guest.status.is_success() {
        let cookie = guest.header("set-cookie").split(';').next().unwrap().to_owned();
        let reply = here.ask(Method::DELETE, &format!("/sim/{mine}"), &[("cookie", &cookie)], None).await;
        assert_eq!(reply.status, StatusCode::FORBIDDEN, "{}", reply.body);
    }
}

#[tokio::test]
async fn what_is_asked_wrongly_is_said_so() {
    let here = Here::new().await;
    let gets = [
        ("/books/atlantis", 404, "not-found", "expected one of"),
        ("/books/pa/diff/atlantis", 404, "not-found", "unknown book `atlantis`"),
        ("/books/pa/sections/999", 404, "not-found", "no section or reading `999`"),
        ("/wagers/pas", 404, "not-found", "did you mean pass"),
        ("/wagers/fire?as_of=yesterday", 400, "bad-request", "as_of"),
        ("/wagers/fire?asof=2023-10-01", 400, "bad-request", "asof"),
        ("/odds?book=atlantis", 404, "not-found", "unknown book"),
        ("/odds?wager=pas", 404, "not-found", "did you mean pass"),
        ("/odds?stake=-5", 400, "bad-request", "stake: expected an amount above zero"),
        ("/odds?stake=7.5", 400, "bad-request", "invalid digit"),
        ("/odds?stake=99999999999999999999", 400, "bad-request", "number too large"),
        ("/odds?chip=5", 400, "bad-request", "chip"),
        ("/odds?wager=field&with_odds=3x", 400, "bad-request", "`field` takes no odds"),
        ("/odds?with_odds=lots", 400, "bad-request", "expected a multiple"),
        ("/odds?selected=2/1", 400, "bad-request", "expected chances"),
        ("/odds?format=xml", 400, "bad-request", "json"),
        ("/strategies/moly", 404, "not-found", "did you mean molly"),
        ("/sim/0123", 404, "not-found", "There is no job"),
        ("/sim/0123/stream", 404, "not-found", "There is no job"),
        ("/sim/0123/report.svg", 404, "not-found", "There is no job"),
    ];
    for (path, status, code, words) in gets {
        let (found, said, message) = here.get(path).await.problem();
        assert_eq!((found, said.as_str()), (status, code), "{path}: {message}");
        assert!(message.contains(words), "{path}: {message}");
    }
    // Huge values are allowed and must not break anything.
    for path in [
        "/odds?stake=9223372036854775807&chip=9223372036854775807",
        "/odds?stake=9223372036854775807&with_odds=4294967295x",
    ] {
        let reply = here.get(path).await;
        assert!(reply.status.is_success() || reply.status.is_client_error(), "{path}: {} {}", reply.status, reply.body);
    }
    let sim = |more: Value| {
        let mut order = json!({"strategy": "pass", "book": "nj", "sessions": 8, "throws": 5});
        order.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        order
    };
    let posts = [
        ("/check", json!({"text": "1. 1:P+10 | 7-7 |"}), 400, "malformed", "line 1, column"),
        ("/check", json!({"txt": ""}), 422, "bad-field", "txt"),
        (
            "/check",
            json!({"text": "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [House \"file:/etc/passwd\"] [Seats \"\"]\n1. | 4-2 |\n"}),
            400,
            "malformed",
            "the server doesn't read house files",
        ),
        (
            "/fill",
            json!({"text": "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [House \"odds.k=20\"] [Seats \"1 Ann 5\"]\n1. | 4-2 |\n"}),
            422,
            "unlawful",
            "odds.k",
        ),
        ("/why", json!({"text": "", "roll": "x"}), 400, "bad-request", "expected a roll such as 3 or 3.2"),
        ("/why", json!({"text": "", "roll": "3.0"}), 400, "bad-request", "expected a roll"),
        (
            "/why",
            json!({"text": "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 5\"]\n1. | 4-2 |\n", "roll": "2"}),
            404,
            "not-found",
            "there is no roll 2",
        ),
        ("/why", json!({"text": "", "roll": "1"}), 400, "malformed", "a file begins with [CGN \"1\"]"),
        (
            "/why",
            json!({"text": "[CGN \"1\"] [Rules \"pa as-of 2023-10-01\"] [Seats \"1 Ann 5\"]\n1. | 4-2 |\n", "roll": "1", "game": 0}),
            404,
            "not-found",
            "number of games: 1",
        ),
        (
            "/houses/check",
            json!({"toml": "book = 'pa'\nas_of = 2023-10-01\n[house]\nodds.kk = 3\n"}),
            400,
            "malformed",
            "house:4:6: unknown house key",
        ),
        ("/houses/check", json!({"book": "pa", "keys": {"odds.kk": 3}}), 400, "malformed", "did you mean `odds.k`?"),
        ("/houses/check", json!({"book": "pa", "keys": {"chip": 0.25}}), 422, "bad-field", "keys"),
        ("/houses/check", json!({"book": "pa", "sample": "pa-craps"}), 400, "bad-request", "expected one of `sample`"),
        ("/houses/check", json!({"sample": "../../etc/passwd"}), 404, "not-found", "no sample house"),
        ("/houses/check", json!({"book": "pa", "game": "chess"}), 400, "malformed", "game: expected one of"),
        ("/strategies/check", json!({"text": "strategy X\n", "book": "atlantis"}), 200, "", ""),
        ("/sim", sim(json!({"text": "strategy"})), 400, "bad-request", "expected either `strategy`"),
        ("/sim", sim(json!({"strategy": "moly"})), 404, "not-found", "did you mean molly"),
        ("/sim", sim(json!({"sessions": 0})), 400, "bad-request", "sessions above zero"),
        ("/sim", sim(json!({"sessions": -1})), 422, "bad-field", "sessions"),
        ("/sim", sim(json!({"sessions": 1.5})), 422, "bad-field", "sessions"),
        ("/sim", sim(json!({"throws": 2_000_000})), 400, "bad-request", "throws"),
        ("/sim", sim(json!({"sessions": 1_000_000_000_000u64})), 422, "too-much", "sessions times rolls"),
        ("/sim", sim(json!({"sessions": u64::MAX, "throws": 1_000_000})), 422, "too-much", "sessions times rolls"),
        (
            "/sim",
            sim(json!({"sessions": 100_000_000, "throws": 5, "versus": {"strategy": "field"}})),
            422,
            "too-much",
            "three times",
        ),
        ("/sim", sim(json!({"stop": 500})), 400, "bad-request", "stop 5: a stop must be below zero"),
        ("/sim", sim(json!({"goal": -500})), 400, "bad-request", "a goal must be above zero"),
        ("/sim", sim(json!({"buy_in": 0})), 400, "bad-request", "buy_in: expected an amount above zero"),
        ("/sim", sim(json!({"pace": 0})), 400, "bad-request", "pace"),
        ("/sim", sim(json!({"form": "magic"})), 422, "bad-field", "form"),
        ("/sim", sim(json!({"house": {"sample": "co-craps"}})), 400, "bad-request", "give `house`, or `book`"),
        ("/sim", sim(json!({"book": "atlantis"})), 404, "not-found", "unknown book"),
        (
            "/sim",
            json!({"text": "strategy X\nbuy-in 100\nunit 5\nalways\n    feild for unit\n"}),
            422,
            "mistaken",
            "own.strategy:5:5",
        ),
        (
            "/sim",
            json!({"strategy": "pass", "house": {"book": "pa", "keys": {"odds.k": 20}}}),
            422,
            "unlawful",
            "odds.k",
        ),
        ("/sim", sim(json!({"threads": 64})), 422, "bad-field", "threads"),
    ];
    for (path, body, status, code, words) in posts {
        let reply = here.post(path, body.clone()).await;
        if status == 200 {
            assert_eq!(reply.status, StatusCode::OK, "{path} {body}: {}", reply.body);
            continue;
        }
        let (found, said, message) = reply.problem();
        assert_eq!((found, said.as_str()), (status, code), "{path} {body}: {message}");
        assert!(message.contains(words), "{path} {body}: {message}");
    }
}

#[tokio::test]
async fn facts_carry_a_mark_and_are_not_sent_twice() {
    let here = Here::new().await;
    for path in ["/books", "/books/pa", "/odds?book=pa", "/wagers/fire", "/houses", "/strategies", "/books/pa/diff/nj"]
    {
        let first = here.get(path).await;
        let mark = first.header("etag").to_owned();
        assert!(mark.starts_with('"') && first.header("cache-control").contains("max-age"), "{path}: {mark}");
        let again = here.ask(Method::GET, path, &[("if-none-match", &mark)], None).await;
        assert_eq!((again.status, again.body.as_str()), (StatusCode::NOT_MODIFIED, ""), "{path}");
        assert_eq!(again.header("etag"), mark);
        let other = here.ask(Method::GET, path, &[("if-none-match", "\"0\"")], None).await;
        assert_eq!((other.status, other.body == first.body), (StatusCode::OK, true), "{path}");
        // Another server of the same version gives the same ETag.
        assert_eq!(Here::new().await.get(path).await.header("etag"), mark, "{path}");
    }
    // Errors must not be cached.
    assert_eq!(here.get("/books/atlantis").await.header("etag"), "");
    assert_eq!(here.post("/check", json!({ "text": "" })).await.header("etag"), "");
}

#[tokio::test]
async fn a_book_is_shown_and_compared_as_of_a_day() {
    let here = Here::new().await;
    let library = &here.library;
    let pa = library.book("pa").unwrap();
    let (then, later) = ("2023-10-01", "2025-06-01");
    let whole = here.fact("/books/pa").await;
    let days: Vec<&str> = whole["days"].as_array().unwrap().iter().map(|day| day.as_str().unwrap()).collect();
    assert!(days.is_sorted() && days.contains(&"2021-09-04") && days.contains(&"2024-09-04"), "{days:?}");
    assert_eq!(whole["as_of"], Value::Null);
    let page = here.fact(&format!("/books/pa?as_of={then}")).await;
    same(&page, &library.page(pa, then.parse().ok()));
    assert_eq!((&page["as_of"], &page["days"]), (&json!(then), &whole["days"]));
    let facts = |page: &Value| -> usize {
        page["contents"].as_array().unwrap().iter().map(|section| section["facts"].as_array().unwrap().len()).sum()
    };
    assert!(facts(&page) < facts(&whole), "{} of {}", facts(&page), facts(&whole));
    // A rule that is not in force on a day is missing, with everything about it.
    let speaks = |page: &Value, wager: &str| page.to_string().contains(&format!("\"subject\":\"{wager}\""));
    let after = here.fact(&format!("/books/pa?as_of={later}")).await;
    assert!(speaks(&page, "hot-roller") && !speaks(&after, "hot-roller") && speaks(&after, "pass"));
    let before = here.fact("/books/pa?as_of=2000-01-01").await;
    assert!(!speaks(&before, "pass"), "not in force yet");
    // Each listed day must bring a change.
    let mut last = here.fact("/books/pa?as_of=1900-01-01").await;
    for day in days {
        let now = here.fact(&format!("/books/pa?as_of={day}")).await;
        let amended = pa.amended.iter().any(|amended| amended.on.to_string() == day);
        assert!(amended || (&now["contents"], &now["topics"]) != (&last["contents"], &last["topics"]), "{day}");
        last = now;
    }

    let section = here.fact(&format!("/books/pa/sections/623b.3?as_of={later}")).await;
    same_section(section.clone(), &pa.show("623b.3", later.parse().ok()).unwrap());
    assert!(
        section["facts"].as_array().unwrap().len()
            < here.fact("/books/pa/sections/623b.3").await["facts"].as_array().unwrap().len()
    );

    let diff = here.fact(&format!("/books/pa/diff/pa?as_of={then}&other_as_of={later}")).await;
    same(&diff, &library.diff((pa, then.parse().ok()), (pa, later.parse().ok())));
    assert_eq!((&diff["left_as_of"], &diff["right_as_of"]), (&json!(then), &json!(later)));
    assert!(diff.to_string().contains("hot-roller"), "{diff}");
    assert_eq!(here.fact(&format!("/books/pa/diff/pa?as_of={then}")).await["differences"], json!([]));
    let nj = here.fact(&format!("/books/pa/diff/nj?as_of={then}")).await;
    assert_eq!(nj["right_as_of"], then);
    // On a given day, facts with the same content are no difference, even if they started on different dates.
    assert!(
        nj["differences"].as_array().unwrap().len()
            <= here.fact("/books/pa/diff/nj").await["differences"].as_array().unwrap().len()
    );

    for path in ["/books/pa?as_of=yesterday", "/books/pa/sections/623a.4?as_of=2023-02-30", "/books/pa/diff/nj?as_of=1"]
    {
        let (status, _, words) = here.get(path).await.problem();
        assert_eq!((status, words.starts_with("as_of: expected a date")), (400, true), "{path}: {words}");
    }
    let (status, _, words) = here.get("/books/pa/diff/nj?other_as_of=1").await.problem();
    assert_eq!((status, words.starts_with("other_as_of: ")), (400, true), "{words}");
    assert_eq!(here.get("/books/pa?asof=2023-10-01").await.status, 400);
}

#[tokio::test]
async fn a_strategy_is_previewed_on_a_felt() {
    let here = Here::new().await;
    let preview =
        here.answer("/strategies/preview", json!({ "strategy": "molly", "book": "pa", "seed": 7, "rolls": 30 })).await;
    let steps = preview["replay"]["steps"].as_array().unwrap();
    assert_eq!((steps.len(), &preview["replay"]["differences"]), (30, &json!([])));
    assert!(steps[0]["felt"].as_array().unwrap().iter().any(|change| change["bet"] == "P"), "{}", steps[0]);
    // The same seed gives the same preview. Another seed doesn't.
    let again = |seed: u64| json!({ "strategy": "molly", "book": "pa", "seed": seed, "rolls": 30 });
    assert_eq!(here.answer("/strategies/preview", again(7)).await, preview);
    assert_ne!(here.answer("/strategies/preview", again(8)).await, preview);
    // The preview is the session that a simulation plays, and a valid game.
    let checked = here.answer("/check", json!({ "text": preview["text"] })).await;
    assert_eq!(checked["differences"], json!([]));
    for strategy in craps_sim::shipped::Shipped::all() {
        let asked = json!({ "strategy": strategy.name, "rolls": 12 });
        let preview = here.answer("/strategies/preview", asked).await;
        assert_eq!(preview["replay"]["differences"], json!([]), "{}", strategy.name);
    }
    let text = "name = \"Mine\"\n";
    for (asked, status, words) in [
        (json!({ "strategy": "no-such" }), 404, "no-such"),
        (json!({ "text": text, "strategy": "pass" }), 400, "expected either `strategy`"),
        (json!({ "text": "always\n  bet the moon 5\n" }), 422, ""),
        (json!({ "strategy": "molly", "rolls": 51 }), 400, "rolls: expected 1 to 50, found 51"),
        (json!({ "strategy": "molly", "rolls": 0 }), 400, "rolls"),
        (json!({ "strategy": "molly", "book": "zz" }), 404, "zz"),
        (json!({ "strategy": "molly", "house": { "book": "pa", "keys": { "odds.k": 100 } } }), 422, "odds.k"),
    ] {
        let reply = here.post("/strategies/preview", asked.clone()).await;
        let (found, _, message) = reply.problem();
        assert_eq!((found, message.contains(words)), (status, true), "{asked}: {message}");
    }
}
