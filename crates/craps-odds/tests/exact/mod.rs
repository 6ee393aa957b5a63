//! Exact fractions from a different library than the solver's: num-rational over num-bigint.
#![allow(dead_code, reason = "each test file uses its own part of this module")]

use craps_odds::RBig;
use num_bigint::BigInt;

/// An exact fraction.
pub type Q = num_rational::Ratio<BigInt>;

/// Returns `numerator` over `denominator`.
pub fn q(numerator: impl Into<BigInt>, denominator: impl Into<BigInt>) -> Q {
    Q::new(numerator.into(), denominator.into())
}

/// Returns a whole number as a fraction.
pub fn whole(number: impl Into<BigInt>) -> Q {
    Q::from_integer(number.into())
}

/// Converts the solver's fraction by way of its text.
pub fn of(fraction: &RBig) -> Q {
    fraction.to_string().parse().expect("a fraction")
}

/// Writes the number with this many decimals, rounding halves away from zero, without floats.
pub fn decimals(value: &Q, digits: u32) -> String {
    let scale = BigInt::from(10u8).pow(digits);
    let scaled = value * Q::from_integer(scale.clone());
    // Ratio::round rounds halves away from zero.
    let rounded = scaled.round().to_integer();
    let sign = if rounded < BigInt::from(0u8) { "-" } else { "" };
    let text = rounded.magnitude().to_string();
    let places = usize::try_from(digits).expect("a few digits");
    let text = format!("{text:0>width$}", width = places + 1);
    let (integer, fraction) = text.split_at(text.len() - places);
    if fraction.is_empty() { format!("{sign}{integer}") } else { format!("{sign}{integer}.{fraction}") }
}

/// Writes a fraction as a percentage with this many decimals.
pub fn percent(value: &Q, digits: u32) -> String {
    decimals(&(value * whole(100)), digits)
}
