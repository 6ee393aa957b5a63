//! Saved states of tables, and the cards that a lobby shows. Both follow from the log and can be made again, so exports and backups leave them out.

use crate::base::{number, on, place};
use crate::error::StoreError;
use crate::store::Store;
use sqlx::AssertSqlSafe;

/// The state of a table after a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Number of the row.
    pub seq: u64,
    /// How many rolls the table had.
    pub rolls: u64,
    /// Number of the hand that was being played.
    pub hand: u64,
    /// Number of the row that has the digest of the state. None if there is no such row yet.
    pub confirmed: Option<u64>,
    /// The state. The store doesn't read it.
    pub body: String,
}

/// What a state has to come before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    /// Anything: the latest state.
    End,
    /// This row.
    Row(u64),
    /// The roll with this number.
    Roll(u64),
    /// The beginning of the hand with this number.
    Hand(u64),
}

/// Returns the query for the latest confirmed state whose number `which` is below a bound. Rolls and hands never decrease from row to row, so an
/// index gives the states in this order, and the database need not sort them all.
fn latest(which: &str) -> String {
    let then = if which == "seq" { "" } else { ", seq DESC" };
    format!(
        "SELECT seq, rolls, hand, confirmed, body FROM marks WHERE table_id = $1 AND {which} < $2 AND confirmed IS NOT NULL \
         ORDER BY {which} DESC{then} LIMIT 1"
    )
}

type Columns = (i64, i64, i64, Option<i64>, String);

impl Store {
    /// Saves the state of a table after a row, in place of one that was saved for the same row.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// use craps_store::{Before, Mark, Store};
    /// let store = Store::open(url).await?;
    /// let mark = Mark { seq: 1_000, rolls: 40, hand: 6, confirmed: None, body: "the state after row 1000".into() };
    /// store.save_mark("north", &mark).await?;
    /// assert_eq!(store.mark("north", Before::End).await?, None, "no row of the log has its digest");
    /// store.confirm_mark("north", 1_000, 1_001).await?;
    /// assert_eq!(store.mark("north", Before::Roll(41)).await?, Some(Mark { confirmed: Some(1_001), ..mark }));
    /// assert_eq!(store.mark("north", Before::Roll(40)).await?, None);
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn save_mark(&self, table: &str, mark: &Mark) -> Result<(), StoreError> {
        let Mark { seq, rolls, hand, confirmed, body } = mark;
        let sql = "INSERT INTO marks (table_id, seq, rolls, hand, confirmed, body) VALUES ($1, $2, $3, $4, $5, $6) \
                   ON CONFLICT (table_id, seq) DO UPDATE SET rolls = excluded.rolls, hand = excluded.hand, \
                   confirmed = excluded.confirmed, body = excluded.body";
        on!(Pool, &self.base().write, pool => {
            let query = sqlx::query(sql).bind(table).bind(number(*seq)).bind(number(*rolls)).bind(number(*hand));
            query.bind(confirmed.map(number)).bind(body).execute(pool).await?;
        });
        Ok(())
    }

    /// Says that a row of the log has the digest of a saved state.
    pub async fn confirm_mark(&self, table: &str, seq: u64, row: u64) -> Result<(), StoreError> {
        let sql = "UPDATE marks SET confirmed = $3 WHERE table_id = $1 AND seq = $2";
        on!(Pool, &self.base().write, pool => {
            sqlx::query(sql).bind(table).bind(number(seq)).bind(number(row)).execute(pool).await?;
        });
        Ok(())
    }

    /// Returns the latest confirmed state of a table before something.
    pub async fn mark(&self, table: &str, before: Before) -> Result<Option<Mark>, StoreError> {
        let (which, bound) = match before {
            Before::End => ("seq", i64::MAX),
            Before::Row(row) => ("seq", number(row)),
            Before::Roll(roll) => ("rolls", number(roll)),
            Before::Hand(hand) => ("hand", number(hand)),
        };
        let sql = latest(which);
        let found: Option<Columns> = on!(Pool, &self.base().read, pool => {
            sqlx::query_as(AssertSqlSafe(sql)).bind(table).bind(bound).fetch_optional(pool).await?
        });
        let mark = |(seq, rolls, hand, confirmed, body): Columns| {
            let confirmed = confirmed.map(place).transpose()?;
            Ok::<_, sqlx::Error>(Mark { seq: place(seq)?, rolls: place(rolls)?, hand: place(hand)?, confirmed, body })
        };
        Ok(found.map(mark).transpose()?)
    }

    /// Deletes a saved state that turned out to be wrong.
    pub async fn drop_mark(&self, table: &str, seq: u64) -> Result<(), StoreError> {
        let sql = "DELETE FROM marks WHERE table_id = $1 AND seq = $2";
        on!(Pool, &self.base().write, pool => {
            sqlx::query(sql).bind(table).bind(number(seq)).execute(pool).await?;
        });
        Ok(())
    }

    /// Saves what the lobby shows of tables, each as of a row, unless what it shows is newer.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let file = folder.path().join("tables.db");
    /// # let url = file.to_str().unwrap();
    /// # tokio::runtime::Runtime::new().unwrap().block_on(async {
    /// # use craps_store::Store;
    /// # let store = Store::open(url).await?;
    /// let card = |seq: u64, text: &str| [("north".to_owned(), seq, text.to_owned())];
    /// store.save_cards(&card(7, "two seats taken")).await?;
    /// store.save_cards(&card(5, "one seat taken")).await?;
    /// assert_eq!(store.cards().await?, card(7, "two seats taken"));
    /// # store.close().await;
    /// # Ok::<(), Box<dyn std::error::Error>>(()) }).unwrap();
    /// ```
    pub async fn save_cards(&self, cards: &[(String, u64, String)]) -> Result<(), StoreError> {
        if cards.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO cards (table_id, seq, body) VALUES ($1, $2, $3) ON CONFLICT (table_id) DO UPDATE \
                   SET seq = excluded.seq, body = excluded.body WHERE cards.seq <= excluded.seq";
        let mut tx = self.base().begin_write(std::iter::empty()).await?;
        on!(Tx, &mut tx, tx => {
            for (table, seq, body) in cards {
                sqlx::query(sql).bind(table).bind(number(*seq)).bind(body).execute(&mut **tx).await?;
            }
        });
        Ok(tx.commit().await?)
    }

    /// Returns the cards of all tables, with the rows that they were made after.
    pub async fn cards(&self) -> Result<Vec<(String, u64, String)>, StoreError> {
        let sql = "SELECT table_id, seq, body FROM cards";
        let found: Vec<(String, i64, String)> =
            on!(Pool, &self.base().read, pool => sqlx::query_as(sql).fetch_all(pool).await?);
        let card = |(table, seq, body)| Ok::<_, sqlx::Error>((table, place(seq)?, body));
        Ok(found.into_iter().map(card).collect::<Result<_, _>>()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::Connection as _;

    /// SQLite reads states in the order of an index. Sorting would read the bodies of all states of a table.
    #[tokio::test]
    async fn the_latest_state_is_found_without_sorting_all() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("tables.db");
        Store::open(file.to_str().unwrap()).await.unwrap().close().await;
        let mut database = sqlx::SqliteConnection::connect(file.to_str().unwrap()).await.unwrap();
        for which in ["seq", "rolls", "hand"] {
            let sql = format!("EXPLAIN QUERY PLAN {}", latest(which));
            let query = sqlx::query_as(AssertSqlSafe(sql)).bind("north").bind(7);
            let plan: Vec<(i64, i64, i64, String)> = query.fetch_all(&mut database).await.unwrap();
            let said: Vec<&str> = plan.iter().map(|(.., step)| step.as_str()).collect();
            assert!(said[0].contains("USING INDEX"), "{which}: {said:?}");
            // States with the same number of rolls or the same hand may be sorted among themselves.
            assert!(!said.contains(&"USE TEMP B-TREE FOR ORDER BY"), "{which}: {said:?}");
        }
    }
}
