//! Asks the witness of a table for its part in a roll. The table goes on answering while the witness is silent; only the roll waits.

use super::super::HostCode;
use super::super::pit::NotDone;
use super::{Writer, machine};
use crate::witness::Said;
use craps_store::Lock;
use std::time::Duration;
use tokio::sync::watch;
use tokio::task::JoinSet;

/// How long a roll waits for the first word of the witness. The table waits longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// A question to the witness. It is asked until there is an answer, or until this is dropped.
pub(super) struct Asking {
    lock: Lock,
    said: watch::Receiver<Said>,
    _task: JoinSet<()>,
}

/// Completes when the witness has answered a question that nobody waits for.
pub(super) async fn answered(asking: &mut Option<Asking>) {
    if let Some(asking) = asking {
        while asking.said.changed().await.is_ok() {
            if matches!(*asking.said.borrow(), Said::Answer(_)) {
                return;
            }
        }
    }
    std::future::pending().await
}

impl Writer {
    /// Asks the witness if the roll waits for it, and returns what it has said so far. None if the roll doesn't wait.
    fn asks_witness(&mut self) -> Option<watch::Receiver<Said>> {
        let Some(lock) = self.live.lock(&self.table) else {
            self.asking = None;
            return None;
        };
        if let Some(asking) = self.asking.as_ref().filter(|asking| asking.lock == lock) {
            return Some(asking.said.clone());
        }
        let (say, said) = watch::channel(Said::Nothing);
        let mut task = JoinSet::new();
        let named = self.live.opening().witness.as_ref().map(|witness| witness.key.clone());
        task.spawn(self.pit.clone().ask_witness(lock.clone(), named, say));
        self.asking = Some(Asking { lock, said: said.clone(), _task: task });
        Some(said)
    }

    /// Has the witness said what the roll waits for? Asks it if not.
    pub(super) fn is_answered(&mut self) -> bool {
        self.asks_witness().is_none_or(|said| matches!(*said.borrow(), Said::Answer(_)))
    }

    /// Says why the roll waits for the witness. None if it doesn't.
    pub(super) async fn waits_for_witness(&mut self) -> Option<NotDone> {
        let mut said = self.asks_witness()?;
        // After the first failure, the roll goes on in the background.
        let _ = tokio::time::timeout(PATIENCE, said.wait_for(|said| !matches!(said, Said::Nothing))).await;
        let said = said.borrow().clone();
        match said {
            Said::Answer(_) => None,
            Said::Nothing => Some(NotDone::Witness("it hasn't answered yet".to_owned())),
            Said::Failure(why) => Some(NotDone::Witness(why)),
        }
    }

    /// Adds the row with the answer of the witness, if the roll waits for it. It is stored together with what follows from it.
    pub(super) async fn witness(&mut self) -> Result<(), NotDone> {
        if let Some(waits) = self.waits_for_witness().await {
            return Err(waits);
        }
        let Some(said) = self.asks_witness() else { return Ok(()) };
        let said = said.borrow().clone();
        let Said::Answer(answer) = said else { return Err(HostCode::NotWitnessed.into()) };
        // The dice must follow in the same transaction, so nothing may fail between the two.
        self.secret().await?;
        let deed = self.live.witnessed(&self.table, &answer)?;
        self.add(vec![machine(deed)], "", None)?;
        self.asking = None;
        Ok(())
    }
}
