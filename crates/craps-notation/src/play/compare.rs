//! Compares what the file says with what follows from the rules.

use super::{Explained, Scribe};
use crate::game::{BetName, Place, Roll, WrittenResult};
use craps_law::Cites;
use craps_money::Money;
use craps_table::SeatId;

use super::scribe::outcome_text;

impl Scribe {
    /// Compares the written results of a roll, in any order, with the real ones. Commissions must match too.
    pub(super) fn compare(&mut self, roll: &Roll, written: &[WrittenResult], results: &[Explained]) {
        let mut open: Vec<&Explained> = results.iter().collect();
        let mut differences = Vec::new();
        for result in written {
            let slot = self.table.board().find(result.bet.wager, result.bet.number);
            let at = open.iter().position(|one| one.seat == result.seat && Some(one.slot) == slot);
            let found = format!("{}:{}{}", result.seat, self.name(&result.bet), outcome_text(&result.outcome));
            match at.map(|at| open.remove(at)) {
                Some(one) if self.outcome(one) == result.outcome => {}
                Some(one) => differences.push((result.place, self.result_text(one), found, self.result_cites(one))),
                None => differences.push((result.place, "nothing".to_owned(), found, Cites::default())),
            }
        }
        for one in open {
            differences.push((roll.results_place, self.result_text(one), "nothing".to_owned(), self.result_cites(one)));
        }
        for (place, expected, found, cites) in differences {
            self.differ(place, &expected, &found, &cites);
        }
    }

    fn result_cites(&self, one: &Explained) -> Cites {
        self.table.board().rules(self.table.rules(), one.slot).prizes.cites.clone()
    }

    pub(super) fn end(&mut self, place: Place, rails: &[(SeatId, Money)]) {
        let now: Vec<(SeatId, Money)> = self.table.seats().map(|(seat, player)| (seat, player.rail)).collect();
        let text = |rails: &[(SeatId, Money)]| {
            rails.iter().map(|(seat, rail)| format!("{seat}:{rail}")).collect::<Vec<_>>().join(" ")
        };
        let mut written = rails.to_vec();
        written.sort_unstable();
        if written != now {
            self.differ(place, &format!("# end {}", text(&now)), &format!("# end {}", text(rails)), &Cites::default());
        }
    }

    pub(super) fn open(&mut self, place: Place, bets: &[(SeatId, BetName, Money)]) {
        let text: Vec<String> =
            bets.iter().map(|(seat, bet, stake)| format!("{seat}:{}+{stake}", self.name(bet))).collect();
        let (mut written, mut now): (Vec<String>, Vec<String>) =
            (text.clone(), self.open_text().split_whitespace().map(str::to_owned).collect());
        written.sort_unstable();
        now.sort_unstable();
        if written != now {
            let expected = self.open_text();
            self.differ(place, &format!("# open {expected}"), &format!("# open {}", text.join(" ")), &Cites::default());
        }
    }
}
