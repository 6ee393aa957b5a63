//! The second factor of an account: codes that change every 30 seconds (TOTP, RFC 6238), and recovery codes that work once.
//!
//! The database has a nonce and hashes. The secret of the codes follows from the nonce and the sealing key, which is outside the database, so nobody who
//! reads the database or a backup can compute a code.

use super::Peer;
use super::records::{NotChanged, Records};
use crate::app::App;
use crate::clock;
use crate::error::ApiError;
use crate::live::Seal;
use axum::http::StatusCode;
use craps_store::{Account, Factor, StoreError, token_hash};
use qrcode::render::svg;
use qrcode::{EcLevel, QrCode};
use totp_rs::{Algorithm, Builder, Secret, Totp, TotpError};

/// Name of this program in the list of an authenticator app.
const ISSUER: &str = "Boxperson";
/// How long a code lasts, in seconds.
const STEP: u64 = 30;
/// Number of digits of a code.
const DIGITS: u8 = 6;
/// How many steps the clock of a person's device may be off, each way.
const DRIFT: u16 = 1;
/// Number of recovery codes of an account.
const RECOVERY_CODES: usize = 10;
/// Random bytes of a recovery code. Nobody can guess one, so a plain hash is safe and there is no limit of tries.
const RECOVERY_BYTES: usize = 10;
/// Characters between two hyphens of a recovery code.
const RECOVERY_GROUP: usize = 4;
/// Width of the QR code, in pixels.
const QR_WIDTH: u32 = 232;

/// Who needs a second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SecondFactor {
    /// Nobody. Everybody can have one.
    #[default]
    None,
    /// People with a role other than player, to use that role.
    Staff,
}

impl SecondFactor {
    /// Returns the setting with this name.
    #[must_use]
    pub fn named(word: &str) -> Option<SecondFactor> {
        match word {
            "none" => Some(SecondFactor::None),
            "staff" => Some(SecondFactor::Staff),
            _ => None,
        }
    }
}

/// How somebody showed their second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// With a code of their device.
    Code,
    /// With a recovery code.
    Recovery,
}

impl Proof {
    /// Returns the name in the trail.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Proof::Code => "code",
            Proof::Recovery => "recovery-code",
        }
    }
}

/// Computes the codes of one account.
pub(crate) struct Codes(Totp);

impl Codes {
    /// Finds the codes that belong to a nonce.
    ///
    /// # Errors
    /// When the name of the account can't be part of an address. Names of accounts can.
    pub(crate) fn of(seal: &Seal, account: &Account, nonce: &str) -> Result<Codes, NotChanged> {
        let secret = Secret::new_stack(seal.factor(&account.id, nonce));
        Codes::with(secret, &account.name).map_err(|error| NotChanged::Unfit(error.to_string()))
    }

    fn with(secret: Secret, name: &str) -> Result<Codes, TotpError> {
        // Other algorithms and lengths are in the standard, but many apps ignore them and show wrong codes.
        let builder = Builder::new().with_algorithm(Algorithm::SHA1).with_digits(DIGITS).with_step_duration(STEP);
        let builder = builder.with_skew(DRIFT).with_secret(secret).with_account_name(name).with_issuer(Some(ISSUER));
        builder.build().map(Codes)
    }

    /// Returns the secret as text, for people who type it.
    pub(crate) fn secret(&self) -> String {
        self.0.secret().to_base32()
    }

    /// Returns the address that an authenticator app takes.
    ///
    /// # Errors
    /// When the name of the account can't be part of it.
    pub(crate) fn uri(&self) -> Result<String, NotChanged> {
        self.0.to_url().map_err(|error| NotChanged::Unfit(error.to_string()))
    }

    /// Returns the step of a code that is right at this time. It may have been used before.
    pub(crate) fn step(&self, code: &str, at: i64) -> Option<i64> {
        let seconds = u64::try_from(at / 1_000).ok()?;
        let step = self.0.check(&digits(code)?, seconds)?;
        i64::try_from(step).ok()
    }
}

/// Draws a QR code as SVG.
///
/// # Errors
/// When the text is too long.
pub(crate) fn qr(text: &str) -> Result<String, NotChanged> {
    let drawn = QrCode::with_error_correction_level(text, EcLevel::M);
    let drawn = drawn.map_err(|error| NotChanged::Unfit(error.to_string()))?;
    Ok(drawn.render::<svg::Color<'_>>().min_dimensions(QR_WIDTH, QR_WIDTH).build())
}

/// Returns the code, if the text is one. People may write it with a space.
fn digits(text: &str) -> Option<String> {
    let code: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    (code.len() == usize::from(DIGITS) && code.bytes().all(|byte| byte.is_ascii_digit())).then_some(code)
}

/// Makes new recovery codes, such as `k3xm-7q2a-…`.
///
/// # Errors
/// When the system has no randomness.
pub(crate) fn new_recovery_codes() -> Result<Vec<String>, StoreError> {
    let code = || -> Result<String, StoreError> {
        let mut bytes = vec![0; RECOVERY_BYTES];
        getrandom::fill(&mut bytes)?;
        let text = Secret::new(bytes.into_boxed_slice()).to_base32().to_lowercase();
        let groups = (0..text.len()).step_by(RECOVERY_GROUP).filter_map(|at| text.get(at..at + RECOVERY_GROUP));
        Ok(groups.collect::<Vec<_>>().join("-"))
    };
    (0..RECOVERY_CODES).map(|_| code()).collect()
}

/// Returns the hash of a recovery code, however its letters and hyphens are written.
pub(crate) fn recovery_hash(code: &str) -> String {
    let plain: String = code.chars().filter(char::is_ascii_alphanumeric).collect();
    token_hash(&plain.to_lowercase())
}

/// Returns the second factor of an account, if it has one that counts.
///
/// # Errors
/// When the store can't be reached.
pub(crate) async fn confirmed(app: &App, account: &str) -> Result<Option<Factor>, StoreError> {
    let factor = app.store().people().factor(account).await?;
    Ok(factor.filter(|factor| factor.confirmed.is_some()))
}

/// Checks a code or a recovery code, and uses it up.
///
/// # Errors
/// When it is wrong or was used before, or there were too many wrong ones.
pub(crate) async fn show(
    app: &App,
    peer: Peer,
    account: &Account,
    factor: &Factor,
    said: &str,
) -> Result<Proof, ApiError> {
    let by = format!("a:{}", account.id);
    let records = Records::new(app.store(), &by);
    let Some(code) = digits(said) else {
        return match records.use_recovery_code(account, factor, &recovery_hash(said)).await? {
            true => Ok(Proof::Recovery),
            false => Err(failed(&records, account, peer).await?),
        };
    };
    // Only those who know the password get here, so nobody else can use the tries up.
    app.desk.count_code(&account.id)?;
    let seal = app.pit.seal().await?;
    if factor.seal != seal.fingerprint() {
        let words = "Codes of this account can't be checked, because the server has another sealing key now. \
                     Use a recovery code, or ask an admin to remove the second factor.";
        return Err(ApiError::new(StatusCode::CONFLICT, "second-factor-lost", words));
    }
    let step = Codes::of(seal, account, &factor.nonce)?.step(&code, clock::machine());
    match step {
        Some(step) if app.store().people().use_factor_step(factor, step).await? => {
            app.desk.give_back_code(&account.id);
            Ok(Proof::Code)
        }
        _ => Err(failed(&records, account, peer).await?),
    }
}

/// Notes a wrong code and returns the error for it.
async fn failed(records: &Records<'_>, account: &Account, peer: Peer) -> Result<ApiError, NotChanged> {
    tracing::info!(address = %peer.address, "wrong code of a second factor");
    records.failed_sign_in(account, peer.address, "second-factor").await?;
    Ok(wrong_code())
}

/// The code is wrong.
pub(crate) fn wrong_code() -> ApiError {
    let words = "That code is wrong or was used before. Wait for the next one, or use a recovery code.";
    ApiError::new(StatusCode::UNAUTHORIZED, "wrong-code", words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(secret: &[u8]) -> Codes {
        Codes::with(Secret::new(secret.into()), "Ann").unwrap()
    }

    /// The test vectors of RFC 6238, appendix B, for SHA-1. The RFC shows eight digits; six are the last six of them.
    #[test]
    fn codes_are_those_of_the_standard() {
        let codes = codes(b"12345678901234567890");
        for (seconds, expected) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            let code = &expected[2..];
            assert_eq!(codes.step(code, seconds * 1_000), Some(seconds / 30), "{expected}");
            let spaced = format!(" {} {} ", &code[..3], &code[3..]);
            assert_eq!(codes.step(&spaced, seconds * 1_000), Some(seconds / 30), "{spaced:?}");
        }
    }

    #[test]
    fn a_clock_may_be_off_by_one_step_and_not_by_two() {
        let codes = codes(b"12345678901234567890");
        // The code of second 59 is of step 1, which is from second 30 to 59.
        for (seconds, expected) in
            [(0, Some(1)), (29, Some(1)), (30, Some(1)), (89, Some(1)), (90, None), (120, None), (-1, None)]
        {
            assert_eq!(codes.step("287082", seconds * 1_000), expected, "{seconds}");
        }
        for not in ["", "28708", "2870820", "28708x", "+28708", "٢٨٧٠٨٢", "287083"] {
            assert_eq!(codes.step(not, 59_000), None, "{not:?}");
        }
    }

    #[test]
    fn an_app_gets_an_address_that_people_can_also_scan() {
        let codes = Codes::with(Secret::new(b"12345678901234567890".as_slice().into()), "Ann O'Hara").unwrap();
        let uri = codes.uri().unwrap();
        assert_eq!(
            uri,
            "otpauth://totp/Boxperson:Ann%20O%27Hara?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Boxperson"
        );
        assert_eq!(codes.secret(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        let drawn = qr(&uri).unwrap();
        assert!(drawn.contains("<svg") && drawn.contains("viewBox"), "{drawn}");
        assert!(qr(&"x".repeat(10_000)).is_err());
    }

    #[test]
    fn recovery_codes_differ_and_may_be_written_in_any_way() {
        let made = new_recovery_codes().unwrap();
        assert_eq!(made.len(), 10);
        let mut hashes: Vec<String> = made.iter().map(|code| recovery_hash(code)).collect();
        hashes.sort_unstable();
        hashes.dedup();
        assert_eq!(hashes.len(), 10);
        for code in &made {
            assert_eq!((code.len(), code.matches('-').count()), (19, 3), "{code}");
            assert!(digits(code).is_none(), "{code}");
            let written = code.to_uppercase().replace('-', " ");
            assert_eq!(recovery_hash(&written), recovery_hash(code));
        }
    }
}
