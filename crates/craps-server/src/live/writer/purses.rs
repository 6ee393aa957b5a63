//! Where the chips and coupons of a decision come from, and the purses that they are taken from.

use super::super::pit::NotDone;
use super::super::purse::{self, Last, Purse, PurseRow};
use super::super::{Funds, NotFunded, Payer, Source};
use super::{Decided, Writer};
use craps_store::NewRow;

/// The purse of an account with movements that aren't stored yet.
#[derive(Clone)]
pub(super) struct Pending {
    /// Number of the last stored row of its log.
    pub(super) expected: u64,
    /// The time of that row.
    at: i64,
    /// What is in it after all movements.
    purse: Purse,
    pub(super) rows: Vec<NewRow>,
}

/// Where the chips and coupons of a decision come from.
pub(super) struct Paid {
    pub(super) funds: Funds,
    /// The purse that they come from, after the movement.
    pub(super) purse: Option<(String, Pending)>,
}

impl Writer {
    /// Finds out where the chips and coupons of a decision come from. Only its first row can move any.
    pub(super) async fn funded(&self, decided: &Decided) -> Result<Option<Paid>, NotDone> {
        let (Some(deed), by) = (decided.deeds.first(), &decided.by) else { return Ok(None) };
        let Some(flow) = self.live.flow(by, deed)? else { return Ok(None) };
        match self.live.payer(by, &flow)? {
            Payer::Practice => {
                self.live.is_within_practice(by, &flow)?;
                Ok(None)
            }
            Payer::Staff => Ok(Some(Paid { funds: flow.funds(Source::Staff), purse: None })),
            Payer::Purse(who) => {
                let mut pending = match self.purses.get(&who) {
                    Some(pending) => pending.clone(),
                    None => {
                        let Last { seq, at, purse } = purse::last(&self.pit.store, &who).await?;
                        Pending { expected: seq, at, purse, rows: Vec::new() }
                    }
                };
                let moved = flow.of_purse(&self.table, self.live.head().0 + 1);
                pending.purse = pending.purse.after(&moved).map_err(NotFunded::Purse)?;
                let at = self.pit.clock().now().max(pending.at);
                let did_it = by.who.clone().unwrap_or_default();
                let row = PurseRow { by: did_it, asked: None, did: moved, left: pending.purse.clone() };
                pending.rows.push(purse::row(&row, None, at));
                let row = pending.expected + pending.rows.len() as u64;
                let funds = flow.funds(Source::Purse { who: who.clone(), row });
                Ok(Some(Paid { funds, purse: Some((who, pending)) }))
            }
        }
    }
}
