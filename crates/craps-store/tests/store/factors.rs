//! Tests of second factors.

use crate::support::Ground;
use craps_store::{Factor, PeopleError, Session, Store};

on_both_databases! {
    a_second_factor_counts_when_it_is_confirmed
    a_code_and_a_recovery_code_work_once
}

fn issued(account: &str, nonce: &str) -> Factor {
    Factor {
        account: account.into(),
        nonce: nonce.into(),
        seal: "k".into(),
        created: 5,
        confirmed: None,
        step: 0,
        recovery: Vec::new(),
    }
}

fn hashes(all: &[&str]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

async fn ann(store: &Store) -> String {
    store.people().add_account("Ann", "x", 0).await.unwrap().id
}

async fn a_second_factor_counts_when_it_is_confirmed(ground: Ground) {
    let store = ground.open().await;
    let (people, ann) = (store.people(), ann(&store).await);
    assert_eq!(people.factor(&ann).await.unwrap(), None);
    let (first, second) = (issued(&ann, "n1"), issued(&ann, "n2"));
    assert!(people.issue_factor(&first).await.unwrap());
    assert!(people.issue_factor(&second).await.unwrap(), "nobody confirmed the first one");
    assert_eq!(people.factor(&ann).await.unwrap(), Some(second.clone()));
    assert_eq!(people.factors().await.unwrap(), []);
    assert!(!people.use_factor_step(&second, 7).await.unwrap(), "it is not confirmed");

    assert!(!people.confirm_factor(&first, 9, 7, &[]).await.unwrap(), "it was replaced");
    assert!(people.confirm_factor(&second, 9, 7, &hashes(&["a", "b"])).await.unwrap());
    assert!(!people.confirm_factor(&second, 10, 8, &[]).await.unwrap(), "it is confirmed");
    assert!(!people.issue_factor(&issued(&ann, "n3")).await.unwrap(), "it has to be removed first");
    let expected = Factor { confirmed: Some(9), step: 7, recovery: hashes(&["a", "b"]), ..second };
    assert_eq!(people.factor(&ann).await.unwrap(), Some(expected.clone()));
    assert_eq!(people.factors().await.unwrap(), [expected]);

    // Sessions that were opened with it no longer count as such when it is gone.
    let session = Session { token: "t".into(), account: ann.clone(), created: 1, seen: 1, expires: 9, factor: Some(1) };
    people.add_session(&session).await.unwrap();
    assert_eq!(people.session("t").await.unwrap(), Some(session.clone()));
    assert!(people.remove_factor(&ann).await.unwrap());
    assert!(!people.remove_factor(&ann).await.unwrap());
    assert_eq!(people.factor(&ann).await.unwrap(), None);
    assert_eq!(people.session("t").await.unwrap(), Some(Session { factor: None, ..session }));
    let orphan = people.issue_factor(&issued("nobody", "n")).await;
    assert!(matches!(orphan, Err(PeopleError::NoSuchAccount(id)) if id == "nobody"));
}

async fn a_code_and_a_recovery_code_work_once(ground: Ground) {
    let store = ground.open().await;
    let (people, ann) = (store.people(), ann(&store).await);
    let factor = issued(&ann, "n");
    people.issue_factor(&factor).await.unwrap();
    people.confirm_factor(&factor, 9, 7, &hashes(&["a", "b"])).await.unwrap();
    let factor = people.factor(&ann).await.unwrap().unwrap();
    let mut used = Vec::new();
    for step in [7, 8, 8, 6, 10, 9] {
        used.push(people.use_factor_step(&factor, step).await.unwrap());
    }
    assert_eq!(used, [false, true, false, false, true, false]);
    // Of two who use the same list of recovery codes at once, one is first.
    assert!(people.set_recovery(&factor, &hashes(&["b"])).await.unwrap());
    assert!(!people.set_recovery(&factor, &hashes(&["b"])).await.unwrap());
    assert_eq!(people.factor(&ann).await.unwrap().unwrap().recovery, ["b"]);
}
