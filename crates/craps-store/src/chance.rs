//! Random numbers.

use crate::error::StoreError;

/// Fills bytes with random numbers of the system. A test can put numbers of its own in their place, with `testing::draw_from`.
pub fn random(bytes: &mut [u8]) -> Result<(), StoreError> {
    #[cfg(feature = "testing")]
    if crate::testing::drawn(bytes) {
        return Ok(());
    }
    Ok(getrandom::fill(bytes)?)
}
