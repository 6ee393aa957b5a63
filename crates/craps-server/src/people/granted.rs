//! Rights count only if the trail has them. The trail is a chained and signed log, so a role or a token that was written into the database by other
//! means has no effect.

use crate::live::pit::Pit;
use craps_store::{ApiToken, Grant, Row, Store, StoreError, TRAIL};
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use tokio::sync::Mutex;

/// Number of rows of the trail that are read at a time.
const PAGE: u32 = 1_000;

/// Who got which role where. The times are the start and the end of a shift.
type Role = (String, String, Option<String>);
type Shift = (Option<i64>, Option<i64>);

/// The rights that the trail has, as far as it was read.
#[derive(Debug, Default)]
pub(crate) struct Granted(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// Number of the last row that was read.
    seq: u64,
    /// How often each role was granted and not revoked, by shift.
    roles: HashMap<Role, BTreeMap<Shift, u32>>,
    /// Scopes of each token that was made and not revoked.
    tokens: HashMap<String, String>,
}

impl Granted {
    /// Reads the trail, so that later requests find it read. Requests that come meanwhile wait.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub(crate) async fn read_ahead(&self, pit: &Pit) -> Result<(), StoreError> {
        self.0.lock().await.read_on(pit.store()).await
    }

    /// Returns those of these grants that the trail has.
    ///
    /// # Errors
    /// When the store can't be reached.
    pub(crate) async fn those(&self, pit: &Pit, grants: Vec<Grant>) -> Result<Vec<Grant>, StoreError> {
        if grants.is_empty() {
            return Ok(grants);
        }
        let mut known = self.0.lock().await;
        if known.seq < pit.trail() || !grants.iter().all(|grant| known.has(grant)) {
            known.read_on(pit.store()).await?;
        }
        let (good, bad): (Vec<Grant>, Vec<Grant>) = grants.into_iter().partition(|grant| known.has(grant));
        for Grant { account, role, .. } in bad {
            let advice = "Somebody may have changed the database. Compare the roles with the trail.";
            tracing::error!(account, role, advice, "a role that the trail doesn't have is ignored");
        }
        Ok(good)
    }

    /// Does the trail have this token?
    ///
    /// # Errors
    /// When the store can't be reached.
    pub(crate) async fn has_token(&self, pit: &Pit, token: &ApiToken) -> Result<bool, StoreError> {
        let mut known = self.0.lock().await;
        if known.seq < pit.trail() || known.tokens.get(&token.id) != Some(&token.scopes) {
            known.read_on(pit.store()).await?;
        }
        Ok(known.tokens.get(&token.id) == Some(&token.scopes))
    }
}

impl Known {
    fn has(&self, grant: &Grant) -> bool {
        let role = (grant.account.clone(), grant.role.clone(), grant.table.clone());
        let shifts = self.roles.get(&role);
        shifts.and_then(|shifts| shifts.get(&(grant.from, grant.until))).is_some_and(|count| *count > 0)
    }

    async fn read_on(&mut self, store: &Store) -> Result<(), StoreError> {
        loop {
            let rows = store.load(TRAIL, self.seq, PAGE).await?;
            if rows.is_empty() {
                return Ok(());
            }
            rows.iter().for_each(|row| self.row(row));
        }
    }

    fn row(&mut self, row: &Row) {
        self.seq = row.seq;
        let Ok(body) = serde_json::from_str::<Value>(&row.body) else { return };
        let what = &body["what"];
        let text = |key: &str| what[key].as_str().map(str::to_owned);
        let (Some(did), Some(account)) = (body["did"].as_str(), text("account")) else { return };
        let role = (account, text("role").unwrap_or_default(), text("table"));
        let shift = (what["from"].as_i64(), what["until"].as_i64());
        match did {
            "grant" => *self.roles.entry(role).or_default().entry(shift).or_default() += 1,
            "revoke" => {
                let shifts = self.roles.entry(role).or_default();
                // Old rows don't say for which shift. If there is only one, it is that one.
                let only = shifts.keys().copied().next().filter(|_| shifts.len() == 1);
                let shift = if what.get("from").is_some() { Some(shift) } else { only };
                if let Some(count) = shift.and_then(|shift| shifts.get_mut(&shift)) {
                    *count = count.saturating_sub(1);
                }
            }
            "add-token" => {
                self.tokens.extend(text("token").zip(text("scopes")));
            }
            "revoke-token" => {
                text("token").map(|token| self.tokens.remove(&token));
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use craps_store::{Head, NewRow};
    use serde_json::json;

    fn read(rows: &[Value]) -> Known {
        let mut known = Known::default();
        for body in rows {
            let head = Head { seq: known.seq, ..Head::default() };
            let new = NewRow { at: 0, client: "a:1".to_owned(), key: None, body: body.to_string() };
            known.row(&Row::follow(TRAIL, &head, new));
        }
        known
    }

    fn grant(role: &str, table: Option<&str>, from: Option<i64>, until: Option<i64>) -> Grant {
        let table = table.map(str::to_owned);
        Grant { id: "g".to_owned(), account: "ann".to_owned(), role: role.to_owned(), table, from, until }
    }

    #[test]
    fn a_role_holds_as_often_as_it_was_granted_and_not_revoked() {
        let granted = |table: Value, from: Value| json!({ "did": "grant", "what": { "account": "ann", "role": "dealer", "table": table, "from": from, "until": null } });
        let revoked = |table: Value, from: Value| json!({ "did": "revoke", "what": { "account": "ann", "grant": "g", "role": "dealer", "table": table, "from": from, "until": null } });
        let everywhere = grant("dealer", None, None, None);
        let shift = grant("dealer", None, Some(5), None);
        let known = read(&[granted(json!(null), json!(null)), granted(json!("t"), json!(5))]);
        assert!(known.has(&everywhere) && known.has(&grant("dealer", Some("t"), Some(5), None)));
        for other in [
            shift.clone(),
            grant("admin", None, None, None),
            grant("dealer", Some("u"), None, None),
            grant("dealer", Some("t"), Some(6), None),
            grant("dealer", None, None, Some(9)),
            Grant { account: "bo".to_owned(), ..everywhere.clone() },
        ] {
            assert!(!known.has(&other), "{other:?}");
        }
        let known = read(&[
            granted(json!(null), json!(null)),
            granted(json!(null), json!(5)),
            revoked(json!(null), json!(null)),
        ]);
        assert_eq!((known.has(&everywhere), known.has(&shift)), (false, true));
        let old =
            json!({ "did": "revoke", "what": { "account": "ann", "grant": "g", "role": "dealer", "table": null } });
        assert!(!read(&[granted(json!(null), json!(5)), old.clone()]).has(&shift));
        assert!(read(&[old, granted(json!(null), json!(5))]).has(&shift), "it was granted again");
        assert!(!read(&[json!({ "did": "grant" }), json!("no")]).has(&everywhere));
    }

    /// Once the trail was read, a request needs no row of it.
    #[tokio::test]
    async fn a_request_finds_the_trail_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tables.db");
        let store = Store::open(file.to_str().unwrap()).await.unwrap();
        let pit = Pit::new(store.clone(), std::sync::Arc::new(craps_law::Library::shipped()));
        let what = json!({ "account": "ann", "role": "dealer", "table": null, "from": null, "until": null });
        let granted = json!({ "did": "grant", "what": what }).to_string();
        store.note(TRAIL, 0, "a:1", &granted).await.unwrap();
        let (late, early) = (Granted::default(), Granted::default());
        early.read_ahead(&pit).await.unwrap();
        store.close().await;
        let grants = vec![grant("dealer", None, None, None)];
        assert_eq!(early.those(&pit, grants.clone()).await.unwrap(), grants);
        assert!(late.those(&pit, grants).await.is_err(), "it has to read the trail");
    }
}
