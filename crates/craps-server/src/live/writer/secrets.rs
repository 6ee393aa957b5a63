//! The secret of the open hand: where it is used, and when it isn't used any more.

use super::super::pit::NotDone;
use super::super::{By, Deed, Entry, Kept, Secret};
use super::{Decided, Failed, Writer, machine};
use craps_store::StoreError;

/// What an operator should do when a secret isn't the one that was committed to.
const WRONG: &str = "Run `boxperson audit` and see \"The log was changed\" in docs/runbook.md.";

impl Writer {
    /// Returns the secret of the open hand, if it is the one that was committed to.
    pub(super) async fn secret(&mut self) -> Result<Secret, NotDone> {
        let Some(hand) = self.live.hand() else {
            return Err(NotDone::Stopped("there is no commitment for its dice".to_owned()));
        };
        if let Some(known) = self.known_secret.as_ref().filter(|known| known.commitment() == hand.commitment) {
            return Ok(known.clone());
        }
        match self.pit.seal().await?.kept(&self.table, hand).await? {
            Kept::Secret(secret) => {
                self.known_secret = Some(secret.clone());
                Ok(secret)
            }
            // It is retired before the next request.
            Kept::Retire(..) => Err(NotDone::Busy),
            Kept::Wrong => {
                let (table, hand, advice) = (&self.table, hand.number, WRONG);
                tracing::error!(table, hand, advice, "the secret of a hand isn't the one that was committed to");
                let why = "the secret of hand {} isn't the one that was committed to, so the dice can't be rolled";
                Err(NotDone::Stopped(why.replace("{}", &hand.to_string())))
            }
        }
    }

    /// Gives the open hand another secret if its own must not be used any more: the store was restored, or the secret is lost.
    pub(super) async fn retire(&mut self) -> Result<(), NotDone> {
        if !self.rows.is_empty() || self.live.is_over() {
            return Ok(());
        }
        let Some(hand) = self.live.hand().filter(|hand| self.sound.as_ref() != Some(&hand.commitment)).cloned() else {
            return Ok(());
        };
        let Kept::Retire(why, secret) = self.pit.seal().await?.kept(&self.table, &hand).await? else {
            self.sound = Some(hand.commitment);
            return Ok(());
        };
        tracing::warn!(table = self.table, hand = hand.number, ?why, "the hand gets a new secret");
        let retired = Deed::Retired { hand: hand.number, why, secret: secret.map(|secret| secret.hex()) };
        let committed = self.pit.committed(&self.table, hand.number, None).await?;
        self.add([retired, committed].map(machine).into(), "", None)?;
        match self.store_rows().await {
            // If another node was faster, it has retired the secret.
            Ok(_) | Err(Failed::Again | Failed::Known(_)) => Ok(()),
            Err(Failed::Because(error)) => Err(error),
        }
    }

    /// If the hand ends, adds rows that reveal its secret and commit to the next one.
    pub(super) async fn with_reveal(&mut self, mut decided: Decided) -> Result<Decided, NotDone> {
        let ends = decided.deeds.iter().any(|deed| self.live.ends_hand(deed));
        if let (true, Some(hand)) = (ends, self.live.hand().cloned()) {
            let secret = self.secret().await?;
            let over = decided.deeds.iter().any(|deed| matches!(deed, Deed::TableClosed { .. }));
            decided.deeds.push(Deed::Revealed { hand: hand.number, secret: secret.hex() });
            if !over {
                let next = self.pit.committed(&self.table, hand.number + 1, hand.chain.as_ref()).await?;
                decided.deeds.push(next);
            }
        }
        Ok(decided)
    }

    /// Decides what the hand's secret gives next, once bets are closed. None if there is nothing to draw or roll.
    pub(super) async fn derive(&mut self) -> Result<Option<Vec<Entry>>, NotDone> {
        let deeds = if self.live.hand().is_some() {
            let secret = self.secret().await?;
            let Some(next) = self.live.derived(&self.table, &secret)? else { return Ok(None) };
            self.with_reveal(Decided::of(&By::machine(), Some(next))).await?.deeds
        } else if self.live.closed().is_none() {
            // People roll at a table that is older than secrets for draws. Its first hand begins now.
            vec![self.pit.committed(&self.table, 1, None).await.map_err(|error: StoreError| NotDone::from(error))?]
        } else {
            return Ok(None);
        };
        Ok(Some(deeds.into_iter().map(machine).collect()))
    }
}
