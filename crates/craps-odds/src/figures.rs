//! Writes exact fractions for people to read. Decimals are computed from integers, never from floats.

use dashu_ratio::RBig;

/// Writes a fraction as a decimal with this many places, rounding halves away from zero.
///
/// ```
/// use craps_odds::RBig;
/// use craps_odds::figures::decimal;
/// let edge = RBig::from_parts(7.into(), 495u16.into());
/// assert_eq!(decimal(&edge, 4), "0.0141");
/// ```
#[must_use]
pub fn decimal(value: &RBig, places: usize) -> String {
    let scale = RBig::from(dashu_int::UBig::from(10u8).pow(places));
    let half = RBig::from_parts(1.into(), 2u8.into());
    let negative = *value < RBig::ZERO;
    let magnitude = if negative { -value.clone() } else { value.clone() };
    let digits = (magnitude * scale + half).floor().to_string();
    let digits = format!("{digits:0>width$}", width = places + 1);
    let (whole, rest) = digits.split_at(digits.len() - places);
    let sign = if negative && digits.bytes().any(|digit| digit != b'0') { "-" } else { "" };
    if places == 0 { format!("{sign}{whole}") } else { format!("{sign}{whole}.{rest}") }
}

/// Writes a fraction as a percentage with this many decimal places.
///
/// ```
/// use craps_odds::RBig;
/// use craps_odds::figures::percent;
/// let edge = RBig::from_parts(7.into(), 495u16.into());
/// assert_eq!(percent(&edge, 3), "1.414 %");
/// ```
#[must_use]
pub fn percent(value: &RBig, places: usize) -> String {
    format!("{} %", decimal(&(value * RBig::from(100u8)), places))
}

/// Writes an exact fraction, or returns None if it is longer than `width`.
///
/// ```
/// use craps_odds::RBig;
/// use craps_odds::figures::exact;
/// let edge = RBig::from_parts(7.into(), 495u16.into());
/// assert_eq!((exact(&edge, 10).as_deref(), exact(&edge, 3)), (Some("7/495"), None));
/// ```
#[must_use]
pub fn exact(value: &RBig, width: usize) -> Option<String> {
    Some(value.to_string()).filter(|text| text.len() <= width)
}

/// Writes an exact fraction, or only its number of digits if it is longer than `width`.
///
/// ```
/// use craps_odds::RBig;
/// use craps_odds::figures::exact_or_digits;
/// let edge = RBig::from_parts(7.into(), 495u16.into());
/// assert_eq!((exact_or_digits(&edge, 10), exact_or_digits(&edge, 3)), ("7/495".to_owned(), "5 digits".to_owned()));
/// ```
#[must_use]
pub fn exact_or_digits(value: &RBig, width: usize) -> String {
    exact(value, width).unwrap_or_else(|| format!("{} digits", value.to_string().len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ratio(numerator: i64, denominator: u64) -> RBig {
        RBig::from_parts(numerator.into(), denominator.into())
    }

    #[test]
    fn decimals_are_rounded_half_away_from_zero() {
        for (value, places, text) in [
            (ratio(7, 495), 6, "0.014141"),
            (ratio(-1, 30), 4, "-0.0333"),
            (ratio(1, 2), 0, "1"),
            (ratio(-1, 2), 0, "-1"),
            (ratio(1, 3), 0, "0"),
            (ratio(-1, 1000), 2, "0.00"),
            (ratio(999, 1000), 2, "1.00"),
            (ratio(12345, 1), 1, "12345.0"),
        ] {
            assert_eq!(decimal(&value, places), text, "{value}");
        }
        assert_eq!(percent(&ratio(7, 495), 3), "1.414 %");
    }
}
