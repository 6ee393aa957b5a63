//! A tour of the libraries: an exact house edge, a hand with its explanation, and a strategy. `cargo run --release --example tour -p craps-sim`

use craps_explain::why::WhyCard;
use craps_law::Library;
use craps_notation::Session;
use craps_notation::talk::{hear, meant};
use craps_odds::figures::percent;
use craps_odds::{Solver, price};
use craps_sim::seated::{At, Seated, Terms, shipped};
use std::error::Error;

/// Returns the output of the tour, a line for each stop.
pub fn tour() -> Result<Vec<String>, Box<dyn Error>> {
    // `Library::load_folder("my-books")` adds books of your own.
    let (library, mut solver) = (Library::shipped(), Solver::default());
    let book = library.named("nj")?;

    // What does a bet cost?
    let odds = price(&mut solver, &book.offering("place-win-6", None)?);
    let mut told = vec![format!("place 6 in {}: edge {} = {}", book.name, odds.edge, percent(&odds.edge, 3))];

    // A hand at a plain table, played with a player's spoken calls.
    let rules = format!("nj as-of {}", book.sample_day);
    let tags = [("Rules", rules.as_str()), ("Seats", "1 Ann 300")];
    let mut session = Session::open(&library, &tags, &craps_notation::no_house_files)?;
    for (words, dice) in
        [("pass line 10", "4-2"), ("odds 20; place the eight for 12", "5-3"), ("press the eight", "3-4")]
    {
        for spoken in hear(words)? {
            let meaning = meant(session.table(), 1, &spoken)?;
            session.order(&meaning.commands)?;
        }
        let rolled = session.throw(dice.parse()?)?;
        for result in &rolled.results {
            let at = (session.table().rules(), session.table().board());
            let card = WhyCard::new(&library, &mut solver, at, rolled.number, result);
            told.push(format!("{}: {} [{}]", card.what, card.cause, card.cite));
        }
    }

    // How does a strategy do?
    let strategy = shipped("pass-2x")?.text_source();
    let seated = Seated::new(&library, &strategy, At::default(), &Terms::default())?;
    let answer = seated.request().with_sessions(1_000).run()?;
    told.push(format!(
        "pass-2x: chance of being ahead after 100 rolls: {:.4} ({})",
        answer.p_ahead,
        answer.form.word()
    ));
    Ok(told)
}

#[allow(dead_code, clippy::print_stdout, reason = "tests call the tour, and programs print")]
fn main() -> Result<(), Box<dyn Error>> {
    println!("{}", tour()?.join("\n"));
    Ok(())
}
