//! The help card: how to play a first hand, then all keys.

use super::state::Card;
use craps_dice::{Throw, Total};
use craps_table::Table;
use craps_wagers::{Phase, Progress, Step};

const KEYS: &str = "\
ON THE FELT  · open   × closed now   10 yours   2:10 seat 2's
             off = not working on this roll    ON, OFF = the puck
  arrows  move to an area; its limits and price are shown below
  1 - 6   pick a chip         Enter   bet it      -  take one off
  Delete  take the bet down   m  maximum, or full odds
  p  press    h  half press   o  turn off / on / usual   O  all off
  u  undo     U  redo         r  same bets again     c  clear
  w  why: law and math of the last roll     PgUp  scroll back
  g  go to a code: g f, g pl6               Tab   next player
  q  quit; the game is saved

OR SAY IT    type s (or : or /), then talk; Esc goes back to keys
  12 on the six; hard eight five; yo 2; press my six; odds 20
  what if seven; what can I bet; odds on the field; mine; limits
  undo; repeat; buy in for 100; pass the dice; history; save
  2: pass 10 bets for the player in seat 2

ROLLS        ^ point set  * made  % seven-out  + natural  ~ craps
MOUSE        click selects, second click bets, right click removes";

/// Makes the help card. It takes the winning and losing totals of the come-out roll from the rules of this table.
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
        format!("  Enter  bets {chip} on the PASS LINE, which is selected at the start."),
        format!(
            "  Space  rolls the dice. On this roll {wins} wins and {loses}; any other number is the point: the puck goes ON it."
        ),
        "  Space  again, until the point (you win) or a 7 (you lose) is rolled.".to_owned(),
        "  m      while a point is on: bet full odds behind your line bet. They pay true odds.".to_owned(),
        "That is a whole hand. The line `next roll` shows what each roll would win or lose.".to_owned(),
        String::new(),
    ];
    let hand: String = hand.map(|line| line + "\n").concat();
    Card { title: "help".to_owned(), text: hand + KEYS, top: 0, roll: None }
}

/// Joins names into one phrase: `2, 3 or 12`.
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
