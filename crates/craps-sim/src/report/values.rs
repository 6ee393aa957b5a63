//! Comma-separated values: one line per session, or the distribution if the answer is exact.

use super::figures::plain;
use crate::answer::Answer;
use crate::engine::{End, SessionOutcome};
use craps_money::Money;

/// Returns the header line of a CSV file of sessions.
///
/// ```
/// assert_eq!(craps_sim::report::session_header(), "session,net,throws,end,drawdown\n");
/// ```
#[must_use]
pub fn session_header() -> &'static str {
    "session,net,throws,end,drawdown\n"
}

/// Formats a session as a CSV line.
///
/// ```
/// use craps_sim::{End, SessionOutcome, report::session_line};
/// let outcome = SessionOutcome { net: -1_500, throws: 60, end: End::Throws, drawdown: 2_000 };
/// assert_eq!(session_line(7, &outcome), "7,-15,60,throws,20\n");
/// ```
#[must_use]
pub fn session_line(number: u64, outcome: &SessionOutcome) -> String {
    let end = match outcome.end {
        End::Throws => "throws",
        End::Stop => "stop",
        End::Goal => "goal",
        End::Quit => "quit",
        End::Broke => "broke",
    };
    let money = |minor: i64| Money::from_minor(minor);
    format!("{number},{},{},{end},{}\n", money(outcome.net), outcome.throws, money(outcome.drawdown))
}

/// Returns every net result and its probability as CSV lines.
///
/// ```
/// # use craps_law::Library;
/// # use craps_sim::seated::{At, Seated, Terms, shipped};
/// # let library = Library::shipped();
/// # let seated = Seated::new(&library, &shipped("pass-flat")?.text_source(), At::default(), &Terms::default())?;
/// let answer = seated.request().run()?;
/// assert!(craps_sim::report::distribution(&answer).starts_with("net,probability\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn distribution(answer: &Answer) -> String {
    let mut out = String::from("net,probability\n");
    for (net, share) in &answer.nets {
        out.push_str(&format!("{},{share:e}\n", Money::from_minor(*net)));
    }
    out
}

/// Returns a quantile as a field name, such as "95".
pub(super) fn field(quantile: f64) -> String {
    #[allow(clippy::float_arithmetic, reason = "a share in percent")]
    plain(quantile * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::small;

    #[test]
    fn sessions_are_lines() {
        let outcome = SessionOutcome { net: -1_250, throws: 40, end: End::Stop, drawdown: 3_000 };
        assert_eq!(session_line(3, &outcome), "3,-12.50,40,stop,30\n");
        assert_eq!(session_header().split(',').count(), session_line(3, &outcome).split(',').count());
    }

    #[test]
    fn an_exact_answer_is_its_distribution() {
        assert_eq!(distribution(&small()), "net,probability\n-1,2.5e-1\n1,7.5e-1\n");
    }
}
