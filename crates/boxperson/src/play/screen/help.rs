//! Help: a first hand in one minute, then every key.

use super::state::Card;
use craps_dice::{Throw, Total};
use craps_table::Table;
use craps_wagers::{Phase, Progress, Step};

const KEYS: &str = "\
ON THE FELT  · open   × closed now   10 yours   2:10 seat 2's
             off = not working on this throw   ON, OFF = the puck
  arrows  go to an area: what it takes and pays stands below
  1 - 6   choose a chip       Enter   add it      -  take one off
  Delete  take the bet down   m  the most, or full odds
  p  press    h  half press   o  on, off, as usual   O  all off
  u  undo     U  redo         r  same bets again     c  clear
  w  why: law and sums of the last throw    PgUp  read back
  g  go to a code: g f, g pl6               Tab   next player
  q  quit: the game is kept

OR SAY IT    s (or : or /) and talk; Esc brings the keys back
  12 on the six; hard eight five; yo 2; press my six; odds 20
  what if seven; what can I bet; odds on the field; mine; limits
  undo; repeat; buy in for 100; pass the dice; history; save
  2: pass 10 is said by whoever sits at 2

THROWS       ^ point set  * made  % seven-out  + natural  ~ craps
MOUSE        click goes there, again bets, right click takes off";

/// The card that teaches. Which totals win at once and which lose, this table's line says.
pub(crate) fn card(table: &Table, chip: &str) -> Card {
    let line = table.board().slots().next().map(|(slot, _)| slot);
    let machine = line.map(|slot| table.board().rules(table.rules(), slot).machine);
    let totals = |wanted: fn(&Step) -> bool| {
        let decided = |total: &Total| {
            let dice = Throw::ALL.into_iter().find(|throw| throw.total() == *total);
            let step = machine.zip(dice).map(|(machine, dice)| machine.step(Progress::FRESH, Phase::ComeOut, dice));
            step.is_some_and(|step| wanted(&step))
        };
        either(&Total::ALL.iter().filter(|total| decided(total)).map(Total::to_string).collect::<Vec<_>>())
    };
    let wins = totals(|step| matches!(step, Step::Won(_)));
    let loses = totals(|step| matches!(step, Step::Lost));
    let loses = if loses.is_empty() { "none loses" } else { &format!("{loses} loses") };
    let hand = [
        "YOUR FIRST HAND".to_owned(),
        format!("  Enter  puts {chip} on the PASS LINE, where your hand is at first."),
        format!(
            "  Space  throws the dice. On this throw {wins} wins and {loses}; anything else is the point: the puck goes ON it."
        ),
        "  Space  again, until the point comes back (you win) or a 7 comes (you lose).".to_owned(),
        "  m      while a point is on: odds behind your line bet, paid at their true price.".to_owned(),
        "That is a whole hand. The line `next throw` always says what each throw would bring you.".to_owned(),
        String::new(),
    ];
    let hand: String = hand.map(|line| line + "\n").concat();
    Card { title: "help".to_owned(), text: hand + KEYS, top: 0, roll: None }
}

/// Several as one phrase: `2, 3 or 12`.
fn either(names: &[String]) -> String {
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rail;
    use super::*;

    #[test]
    fn what_wins_at_once_is_as_the_table_plays_it() {
        let text = |house: &str| card(rail(house, &[]).table(), "10").text;
        assert!(text("pa").contains("7 or 11 wins and 2, 3 or 12 loses"), "{}", text("pa"));
        assert!(text("co-crapless").contains("7 wins and none loses"), "{}", text("co-crapless"));
    }
}
