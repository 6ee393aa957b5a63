//! Tests of accounts, grants, sessions, tokens and limits.

use crate::support::Ground;
use craps_store::{Account, ApiToken, Limits, NewGrant, PeopleError, Session, new_id, new_token, token_hash};

on_both_databases! {
    an_account_is_found_by_id_and_by_name_in_any_letters
    a_name_belongs_to_one_account
    roles_are_given_to_accounts_that_exist_and_taken_back
    a_session_lives_until_it_is_ended_or_forgotten
    tokens_act_for_accounts_until_they_are_taken_back
    limits_are_the_last_ones_set
}

async fn an_account_is_found_by_id_and_by_name_in_any_letters(ground: Ground) {
    let store = ground.open().await;
    let people = store.people();
    assert_eq!(people.accounts().await.unwrap(), []);
    let ann = people.add_account("Ännchen", "$argon2id$1", 5).await.unwrap();
    let expected = Account {
        id: ann.id.clone(),
        name: "Ännchen".into(),
        password: "$argon2id$1".into(),
        disabled: false,
        created: 5,
    };
    assert_eq!(ann, expected);
    assert_eq!(people.account(&ann.id).await.unwrap(), Some(ann.clone()));
    for name in ["Ännchen", "ännchen", "ÄNNCHEN"] {
        assert_eq!(people.account_named(name).await.unwrap(), Some(ann.clone()), "{name}");
    }
    assert_eq!(people.account_named("annchen").await.unwrap(), None);
    assert_eq!(people.account("nobody").await.unwrap(), None);

    people.set_password(&ann.id, "$argon2id$2").await.unwrap();
    people.set_disabled(&ann.id, true).await.unwrap();
    people.rename(&ann.id, "Anna").await.unwrap();
    let bob = people.add_account("bob", "x", 4).await.unwrap();
    let anna = Account { name: "Anna".into(), password: "$argon2id$2".into(), disabled: true, ..ann };
    assert_eq!(people.accounts().await.unwrap(), [bob, anna]);
}

async fn a_name_belongs_to_one_account(ground: Ground) {
    let store = ground.open().await;
    let people = store.people();
    let ann = people.add_account("Ann", "x", 0).await.unwrap();
    let bob = people.add_account("Bob", "x", 0).await.unwrap();
    let taken = people.add_account("ANN", "x", 0).await;
    assert!(matches!(taken, Err(PeopleError::NameTaken(name)) if name == "ANN"));
    assert!(matches!(people.rename(&bob.id, "ann").await, Err(PeopleError::NameTaken(_))));
    people.rename(&ann.id, "ANN").await.unwrap();
    for answer in [
        people.rename("nobody", "x").await,
        people.set_password("nobody", "x").await,
        people.set_disabled("nobody", true).await,
    ] {
        assert!(matches!(answer, Err(PeopleError::NoSuchAccount(id)) if id == "nobody"));
    }
}

async fn roles_are_given_to_accounts_that_exist_and_taken_back(ground: Ground) {
    let store = ground.open().await;
    let people = store.people();
    let ann = people.add_account("Ann", "x", 0).await.unwrap().id;
    let shift = NewGrant {
        account: ann.clone(),
        role: "boxperson".into(),
        table: Some("north".into()),
        from: Some(10),
        until: Some(20),
    };
    let always = NewGrant { table: None, from: None, until: None, ..shift.clone() };
    let given = [people.grant(&shift).await.unwrap(), people.grant(&always).await.unwrap()];
    for (new, given) in [&shift, &always].into_iter().zip(&given) {
        assert_eq!((&new.account, &new.role, &new.table), (&given.account, &given.role, &given.table));
        assert_eq!((new.from, new.until), (given.from, given.until));
    }
    let mut listed = people.grants(&ann).await.unwrap();
    listed.sort_by_key(|grant| grant.table.is_none());
    assert_eq!(listed, given);
    assert!(people.revoke_grant(&given[0].id).await.unwrap());
    assert!(!people.revoke_grant(&given[0].id).await.unwrap());
    assert_eq!(people.grants(&ann).await.unwrap(), given[1..]);
    let orphan = NewGrant { account: "nobody".into(), ..always };
    assert!(matches!(people.grant(&orphan).await, Err(PeopleError::NoSuchAccount(_))));
}

async fn a_session_lives_until_it_is_ended_or_forgotten(ground: Ground) {
    let store = ground.open().await;
    let people = store.people();
    let session = |account: &str, expires: i64| {
        let token = token_hash(&new_token().unwrap());
        Session { token, account: account.to_owned(), created: 1, seen: 1, expires, factor: None }
    };
    let (one, two, guest) = (session("ann", 100), session("ann", 200), session("guest 7", 100));
    for session in [&one, &two, &guest] {
        people.add_session(session).await.unwrap();
        assert_eq!(people.session(&session.token).await.unwrap().as_ref(), Some(session));
    }
    people.add_session(&one).await.unwrap_err();
    let wanted = [guest.token.clone(), "nobody's".to_owned(), one.token.clone()];
    let found = people.sessions(&wanted).await.unwrap();
    assert!(found.len() == 2 && found.contains(&one) && found.contains(&guest), "{found:?}");
    assert_eq!(people.sessions_of("ann").await.unwrap().len(), 2);
    assert!(people.touch_session(&one.token, 50, 150).await.unwrap());
    assert_eq!(people.session(&one.token).await.unwrap().unwrap(), Session { seen: 50, expires: 150, ..one.clone() });
    assert_eq!(people.drop_expired_sessions(100).await.unwrap(), 1);
    assert_eq!(people.session(&guest.token).await.unwrap(), None);
    assert!(people.end_session(&two.token).await.unwrap());
    assert!(!people.end_session(&two.token).await.unwrap());
    assert!(!people.touch_session(&two.token, 60, 300).await.unwrap());
    // Takes effect on every node at once.
    let elsewhere = ground.open().await;
    assert_eq!(elsewhere.people().end_sessions_of("ann").await.unwrap(), 1);
    assert_eq!(people.session(&one.token).await.unwrap(), None);
}

async fn tokens_act_for_accounts_until_they_are_taken_back(ground: Ground) {
    let store = ground.open().await;
    let people = store.people();
    let account = people.add_account("bots", "x", 0).await.unwrap().id;
    let token = |expires: Option<i64>, created: i64| ApiToken {
        id: new_id().unwrap(),
        token: token_hash(&new_token().unwrap()),
        account: account.clone(),
        scopes: "play watch".into(),
        label: "night shift".into(),
        created,
        expires,
    };
    let tokens = [token(None, 1), token(Some(9), 2)];
    for token in &tokens {
        people.add_token(token).await.unwrap();
        assert_eq!(people.token(&token.token).await.unwrap().as_ref(), Some(token));
    }
    assert_eq!(people.tokens_of(&account).await.unwrap(), tokens);
    assert!(people.revoke_token(&tokens[0].id).await.unwrap());
    assert!(!people.revoke_token(&tokens[0].id).await.unwrap());
    assert_eq!(people.token(&tokens[0].token).await.unwrap(), None);
    let orphan = ApiToken { account: "nobody".into(), ..token(None, 3) };
    assert!(matches!(people.add_token(&orphan).await, Err(PeopleError::NoSuchAccount(_))));
}

async fn limits_are_the_last_ones_set(ground: Ground) {
    let store = ground.open().await;
    let people = store.people();
    assert_eq!(people.limits("ann").await.unwrap(), None);
    for changed in 1..4 {
        let limits = Limits { account: "ann".into(), body: format!("{{\"loss\":{changed}00}}"), changed };
        people.set_limits(&limits).await.unwrap();
        assert_eq!(people.limits("ann").await.unwrap(), Some(limits));
    }
    assert_eq!(people.limits("bob").await.unwrap(), None);
}
