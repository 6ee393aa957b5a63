//! Every player command in a random game prints as talk that parses back to the same command at that table.
//! `BOXPERSON_GAMES` sets a larger number of games.

use craps_notation::talk::{hear, meant, say};
use craps_table::{Command, Role};
use craps_testkit::generate::Generator;
use craps_testkit::sample_houses;

const GAMES: u64 = 22;
const THROWS: u32 = 60;

#[test]
fn every_command_of_a_player_prints_to_talk_and_reads_back() {
    let houses = sample_houses();
    let games = std::env::var("BOXPERSON_GAMES").ok().and_then(|text| text.parse().ok()).unwrap_or(GAMES);
    let (mut said, mut unsaid) = (0u32, 0u32);
    for seed in 0..games {
        let house = &houses[usize::try_from(seed).unwrap_or_default() % houses.len()];
        let (mut table, mut generator) = (house.table(), Generator::new(seed));
        while table.throws() < THROWS && !generator.is_stuck() {
            let (actor, command) = generator.next(&table);
            if let (Role::Player, Some(seat)) = (actor.role, actor.seat) {
                let game = format!("{} with seed {seed}, before roll {}", house.file, table.throws() + 1);
                match say(&table, &command) {
                    Some(text) => {
                        said += 1;
                        let spoken = hear(&text).unwrap_or_else(|ask| panic!("{game}: `{text}`: {ask}"));
                        let meaning = |spoken| meant(&table, seat, spoken).map(|meaning| meaning.commands);
                        let commands: Vec<Command> = spoken
                            .iter()
                            .flat_map(|spoken| meaning(spoken).unwrap_or_else(|ask| panic!("{game}: `{text}`: {ask}")))
                            .collect();
                        assert_eq!(commands, *std::slice::from_ref(&command), "{game}: `{text}`");
                    }
                    // Only late bets, which the staff must confirm, can't be said by the player.
                    None => {
                        let confirmed = |manner: &craps_table::Manner| manner.late.is_some();
                        assert!(
                            matches!(&command, Command::Bet { manner, .. } if confirmed(manner)),
                            "{game}: {command:?}"
                        );
                        unsaid += 1;
                    }
                }
            }
            // Refused commands change nothing, and must be sayable too.
            let _ = table.run(actor, &command);
        }
    }
    println!("{said} commands said, {unsaid} not said by players");
    assert!(said > 1_000, "{said} commands said");
}
