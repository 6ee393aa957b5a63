//! Passwords: the rules for them, and how they are hashed.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use zxcvbn::{Score, zxcvbn};

/// Minimum length of a password, in characters.
pub const LEAST: usize = 12;
/// Maximum length of a password, in bytes. Longer ones only cost time.
pub const MOST: usize = 256;

/// Memory in KiB, passes and lanes of Argon2. A hash takes some tens of milliseconds on one core and too much memory to try many at once.
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);

/// Checks that a password is allowed.
///
/// # Errors
/// When it is too short, too long, the same as the name, has a zero byte, or is easy to guess, as common passwords are.
pub fn checked(name: &str, password: &str) -> Result<(), String> {
    if password.chars().count() < LEAST {
        return Err(format!("A password must have at least {LEAST} characters."));
    }
    if password.len() > MOST {
        return Err(format!("A password can have at most {MOST} bytes."));
    }
    if password.to_lowercase() == name.to_lowercase() {
        return Err("The password can't be the same as the name.".to_owned());
    }
    if password.contains('\0') {
        return Err("A password can't contain a zero byte.".to_owned());
    }
    let guesses = zxcvbn(password, &[name, "boxperson", "craps"]);
    if guesses.score() < Score::Three {
        let why = guesses.feedback().and_then(|feedback| feedback.warning()).map(|why| format!(" {why}"));
        let why = why.unwrap_or_default();
        return Err(format!("This password is easy to guess.{why} A few words that don't belong together are better."));
    }
    Ok(())
}

/// Hashes a password for the store. This is slow on purpose, so call it on a worker thread.
///
/// # Errors
/// When the system has no randomness.
pub fn hash(password: &str) -> Result<String, String> {
    argon2()?.hash_password(password.as_bytes()).map(|hash| hash.to_string()).map_err(|error| error.to_string())
}

/// Compares a password with a stored hash. It takes the same time if there is no hash.
#[must_use]
pub fn is(password: &str, kept: Option<&str>) -> bool {
    match (argon2(), kept.map(PasswordHash::new)) {
        (Ok(argon2), Some(Ok(kept))) => argon2.verify_password(password.as_bytes(), &kept).is_ok(),
        (Ok(_), _) => {
            // Spend the same time, so that nobody can tell from it whether the name exists.
            let _ = hash(password);
            false
        }
        (Err(_), _) => false,
    }
}

fn argon2() -> Result<Argon2<'static>, String> {
    let (memory, passes, lanes) = COST;
    let params = Params::new(memory, passes, lanes, None).map_err(|error| error.to_string())?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_known_again_and_no_other_is() {
        let kept = hash("correct horse battery").unwrap();
        assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
        assert_ne!(kept, hash("correct horse battery").unwrap(), "each has its own salt");
        assert!(is("correct horse battery", Some(&kept)));
        assert!(!is("correct horse batterz", Some(&kept)));
        assert!(!is("correct horse battery", None));
        assert!(!is("", Some("")), "an invalid hash matches no password");
    }

    #[test]
    fn short_long_and_borrowed_passwords_will_not_do() {
        assert!(checked("Ann", "eleven char").is_err());
        assert!(checked("Ann", "twelve cranes").is_ok());
        let long = "correct horse battery staple ".repeat(9);
        assert!(checked("Ann", &long[..MOST]).is_ok());
        assert!(checked("Ann", &long[..=MOST]).is_err());
        assert!(checked("Ann", "a zero \0 in the middle").is_err());
        assert!(checked("Ann of the north", "ann of the NORTH").is_err());
        for common in [
            "passwordpassword",
            "password1234",
            "123456789012",
            "qwertyuiop12",
            "aaaaaaaaaaaaaaaa",
            "letmein12345",
            "iloveyou1234",
            "boxperson1234",
            "Ann123456789",
        ] {
            let refused = checked("Ann", common).unwrap_err();
            assert!(refused.starts_with("This password is easy to guess."), "{common}: {refused}");
        }
    }
}
