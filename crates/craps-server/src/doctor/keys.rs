//! The two keys, and whether they are those of the log.

use super::Check;
use crate::config::Config;
use crate::live::{NotSealed, Seal};
use crate::trust::{self, Signer};
use crate::witness::read_heads_from;
use craps_store::{HeadKey, SealKey, Store};
use std::path::PathBuf;

/// Name of the check of a witness.
const WITNESS: &str = "witness";
const TO_WITNESS: &str = "See \"A witness is lost or refuses\" in docs/runbook.md.";

/// Returns the file of the key that signs.
pub(super) fn signing(config: &Config, store: &Store) -> Option<PathBuf> {
    config.key.clone().or_else(|| store.file().map(HeadKey::beside))
}

/// Returns the file of the key that seals.
pub(super) fn sealing(config: &Config, store: &Store) -> Option<PathBuf> {
    config.seal.clone().or_else(|| store.file().map(SealKey::beside))
}

/// Checks the signing key, and the log with it.
pub(super) async fn checks(config: &Config, store: &Store) -> Vec<Check> {
    let (signing, signed) = signer(config, store).await;
    let mut checks = vec![signing];
    checks.extend(signed);
    checks.extend(dice_witness(config).await);
    checks.push(seal(config, store).await);
    checks
}

/// Checks the signing key, then the log, and then the witnesses that have its heads.
async fn signer(config: &Config, store: &Store) -> (Check, Vec<Check>) {
    const NAME: &str = "signing key";
    let Some(file) = signing(config, store) else {
        let check = match config.unsigned {
            true => Check::warning(NAME, "there is none", "Name a key file with `key`."),
            false => Check::failed(NAME, "there is none, so the server doesn't start", "Name a key file with `key`."),
        };
        return (check, Vec::new());
    };
    let shown = file.display();
    if !file.exists() {
        let todo = "Put the key back. Without it the server makes a new one. See \"A lost key\" in docs/runbook.md.";
        return (Check::failed(NAME, format!("{shown} doesn't exist"), todo), Vec::new());
    }
    let signer = match Signer::existing(&file, &config.witness) {
        Ok(signer) => signer,
        Err(error) => {
            let todo = format!("Put the right file back, and let only the server's user read it: chmod 600 {shown}");
            return (Check::failed(NAME, error.to_string(), todo), Vec::new());
        }
    };
    let mut signed = vec![log(&signer, store).await];
    for (witness, heads) in signer.witnesses(store).await {
        signed.push(match heads {
            Ok(heads) => Check::ok(WITNESS, format!("{witness} has {heads} heads of this store")),
            Err(error) => Check::warning(WITNESS, format!("{witness}: {error}"), TO_WITNESS),
        });
    }
    (Check::ok(NAME, format!("{shown}, public key {}", signer.public())), signed)
}

/// Asks the witness of the dice, on which all rolls at its tables wait.
async fn dice_witness(config: &Config) -> Option<Check> {
    const NAME: &str = "dice witness";
    let at = config.dice_witness.as_ref()?;
    Some(match read_heads_from(&at.url).await {
        Ok(_) => Check::ok(NAME, format!("{at} answers")),
        Err(error) => Check::failed(NAME, format!("{at}: {error}"), TO_WITNESS),
    })
}

/// Compares the log with what was signed, as the server does when it starts.
async fn log(signer: &Signer, store: &Store) -> Check {
    const NAME: &str = "signed log";
    let runbook = "Don't start the server. See \"The log was changed\" in docs/runbook.md.";
    let compared = async {
        let kept = signer.kept()?;
        let any_stored = !store.signed_heads().await?.is_empty();
        Ok::<_, craps_store::StoreError>((kept, any_stored, signer.verify(store).await?))
    };
    match compared.await {
        Err(error) => Check::failed(NAME, error.to_string(), runbook),
        Ok((_, _, verified)) if !verified.findings.is_empty() => {
            Check::failed(NAME, trust::listed(&verified.findings), runbook)
        }
        Ok((0, true, _)) => Check::warning(
            NAME,
            format!("the signed heads are only in the database: {} is missing or empty", signer.heads().display()),
            "Put the file back. Without it, somebody who can change the database can also remove its signatures.",
        ),
        Ok((kept, _, verified)) => {
            let (logs, rows) = (verified.ends.len(), verified.rows);
            Check::ok(NAME, format!("{logs} logs go on from {kept} signed heads, with {rows} rows since then"))
        }
    }
}

async fn seal(config: &Config, store: &Store) -> Check {
    const NAME: &str = "sealing key";
    let Some(file) = sealing(config, store) else {
        return Check::failed(NAME, "there is none, so the server doesn't start", "Name a key file with `seal`.");
    };
    let shown = file.display();
    let todo = "Put the key back. Without it, open hands get new secrets. See \"A lost key\" in docs/runbook.md.";
    if !file.exists() {
        return Check::failed(NAME, format!("{shown} doesn't exist"), todo);
    }
    let key = match SealKey::open(&file) {
        Ok(key) => key,
        Err(error) => {
            let todo = format!("Put the right file back, and let only the server's user read it: chmod 600 {shown}");
            return Check::failed(NAME, error.to_string(), todo);
        }
    };
    match Seal::fits(store, &key).await {
        Ok(()) => Check::ok(NAME, format!("{shown} is the key of this database")),
        Err(NotSealed::OtherKey) => Check::failed(NAME, format!("{shown} is the key of another database"), todo),
        Err(error) => Check::failed(NAME, error.to_string(), todo),
    }
}
