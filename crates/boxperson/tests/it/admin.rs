//! `boxperson admin`: accounts, roles and tokens.

use crate::support::{Run, boxperson_with_input};
use craps_store::{Factor, Session, Store, TRAIL};
use serde_json::Value;

const PASSWORD: &str = "correct horse battery\n";

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Desk {
        Desk(tempfile::tempdir().unwrap())
    }

    fn admin(&self, args: &[&str], input: &str) -> Run {
        let db = self.0.path().join("tables.db");
        boxperson_with_input(&[&["admin", "--db", db.to_str().unwrap()], args].concat(), input)
    }

    fn does(&self, args: &[&str], input: &str) -> String {
        let run = self.admin(args, input);
        assert_eq!(run.code, 0, "{args:?}: {}", run.err);
        run.out
    }

    fn refuses(&self, args: &[&str], input: &str, why: &str) {
        let run = self.admin(args, input);
        assert_eq!(run.code, 2, "{args:?}: {}", run.out);
        assert!(run.err.contains(why), "{args:?}: {}", run.err);
    }

    fn list(&self) -> Value {
        serde_json::from_str(&self.does(&["list", "--format", "json"], "")).unwrap()
    }
}

#[test]
fn there_is_nobody_until_the_first_account_is_made() {
    let desk = Desk::new();
    desk.refuses(&["list"], "", "unable to open database file");
    assert!(!desk.0.path().join("tables.db").exists(), "only the first account makes the database");
    desk.refuses(&["add-account", "Ann", "--role", "admin"], "", "at least 12 characters");
    desk.refuses(&["add-account", "Ann"], "short\n", "at least 12 characters");
    desk.refuses(&["add-account", "a;b"], PASSWORD, "A name has");
    assert_eq!(desk.list(), Value::Array(Vec::new()), "a refused command left an account");
    desk.does(&["add-account", "Ann", "--role", "admin"], PASSWORD);
    desk.refuses(&["add-account", "ANN"], PASSWORD, "already");
    let list = desk.list();
    assert_eq!((&list[0]["name"], &list[0]["grants"][0]["role"]), (&"Ann".into(), &"admin".into()));
    assert!(list[0]["grants"][0]["table"].is_null() && list[0]["disabled"] == false);
    assert!(!list.to_string().contains("argon2"), "{list}");
}

#[test]
fn a_common_password_is_refused() {
    let desk = Desk::new();
    desk.refuses(&["add-account", "Ann"], "password1234\n", "easy to guess");
    desk.refuses(&["add-account", "Ferdinand"], "ferdinand1234\n", "easy to guess");
    assert_eq!(desk.list(), Value::Array(Vec::new()));
    desk.does(&["add-account", "Ann"], PASSWORD);
    desk.refuses(&["set-password", "Ann"], "123456789012\n", "easy to guess");
}

#[test]
fn a_lost_second_factor_is_removed() {
    let desk = Desk::new();
    desk.does(&["add-account", "Bo"], PASSWORD);
    desk.refuses(&["remove-second-factor", "Cy"], "", "no account named `Cy`");
    desk.refuses(&["remove-second-factor", "Bo"], "", "Bo has no second factor");
    let account = desk.list()[0]["id"].as_str().unwrap().to_owned();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let on_store = async |factor: bool| {
        let store = Store::open(desk.0.path().join("tables.db").to_str().unwrap()).await.unwrap();
        let people = store.people();
        if factor {
            let issued = Factor {
                account: account.clone(),
                nonce: "n".to_owned(),
                seal: "k".to_owned(),
                created: 1,
                confirmed: None,
                step: 0,
                recovery: Vec::new(),
            };
            assert!(people.issue_factor(&issued).await.unwrap());
            assert!(people.confirm_factor(&issued, 2, 1, &["r".to_owned()]).await.unwrap());
            let (token, account) = ("t".to_owned(), account.clone());
            let session = Session { token, account, created: 1, seen: 1, expires: i64::MAX, factor: Some(1) };
            people.add_session(&session).await.unwrap();
        }
        let left = (people.factor(&account).await.unwrap(), people.session("t").await.unwrap());
        let trail = store.load(TRAIL, 0, 100).await.unwrap();
        store.close().await;
        (left, trail)
    };
    runtime.block_on(on_store(true));
    assert_eq!(desk.list()[0]["second_factor"], true);
    let said = desk.does(&["remove-second-factor", "bo"], "");
    assert!(said.contains("Removed the second factor of Bo"), "{said}");
    assert_eq!(desk.list()[0]["second_factor"], false);
    let (left, trail) = runtime.block_on(on_store(false));
    assert_eq!(left, (None, None), "whoever has the device is signed out");
    assert!(trail.iter().any(|row| row.body.contains("remove-second-factor")), "{trail:?}");
}

#[test]
fn roles_are_given_for_a_shift_and_taken_back() {
    let desk = Desk::new();
    desk.does(&["add-account", "Bo"], PASSWORD);
    desk.refuses(&["grant", "Bo", "boss"], "", "expected one of player, dealer");
    desk.refuses(&["grant", "Cy", "dealer"], "", "no account named `Cy`");
    desk.refuses(&["grant", "Bo", "dealer", "--table", "nowhere"], "", "no table `nowhere`");
    desk.refuses(&["grant", "Bo", "dealer", "--from", "tonight"], "", "expected a time");
    let (from, until) = ("2026-11-15T18:00:00Z", "2026-11-16T02:00:00Z");
    desk.refuses(&["grant", "Bo", "dealer", "--from", until, "--until", from], "", "end after it begins");
    desk.does(&["grant", "bo", "dealer", "--from", from, "--until", until], "");
    let table = desk.does(&["list"], "");
    assert!(table.contains(from) && table.contains(until) && table.contains("dealer"), "{table}");
    let grant = desk.list()[0]["grants"][0]["id"].as_str().unwrap().to_owned();
    desk.does(&["revoke", "Bo", &grant], "");
    desk.refuses(&["revoke", "Bo", &grant], "", "has no grant");
    assert_eq!(desk.list()[0]["grants"], Value::Array(Vec::new()));
}

#[test]
fn accounts_are_renamed_closed_and_opened_and_tokens_shown_once() {
    let desk = Desk::new();
    desk.does(&["add-account", "Bo"], PASSWORD);
    desk.does(&["rename", "Bo", "Bob"], "");
    desk.does(&["disable", "bob"], "");
    assert_eq!(desk.list()[0]["disabled"], true);
    desk.does(&["enable", "Bob"], "");
    desk.does(&["set-password", "Bob"], "another one that is long\n");
    desk.does(&["sign-out", "Bob"], "");

    desk.refuses(&["add-token", "Bob", "--label", "x"], "", "--scope");
    desk.refuses(&["add-token", "Bob", "--label", "x", "--scope", "all"], "", "expected one of watch");
    let token = desk.does(&["add-token", "Bob", "--label", "strategy", "--scope", "play", "--scope", "watch"], "");
    assert_eq!(token.trim().len(), 64, "expected only the token: {token}");
    let tokens = desk.does(&["tokens", "Bob", "--format", "json"], "");
    assert!(tokens.contains("strategy") && !tokens.contains(token.trim()), "{tokens}");
    let tokens: Value = serde_json::from_str(&tokens).unwrap();
    assert_eq!(tokens[0]["scopes"], serde_json::json!(["watch", "play"]));
    desk.does(&["revoke-token", "Bob", tokens[0]["id"].as_str().unwrap()], "");
    assert_eq!(desk.does(&["tokens", "Bob"], ""), "none\n");
}
