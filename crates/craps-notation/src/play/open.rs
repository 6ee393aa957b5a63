//! Opens the table that the tags of a game describe.

use super::{HouseFiles, NotARulesTag, RulesTag, Tags, Unplayable};
use crate::game::{Game, Place, Tag};
use craps_law::{HouseRules, Library};
use craps_money::Money;
use craps_table::{Actor, Command, Role, SeatId, Table};

fn malformed(place: Place, message: String) -> Unplayable {
    Unplayable::Malformed(place, message)
}

/// Returns a required tag.
fn needed<'a>(game: &Game, tags: &'a Tags, name: &str) -> Result<&'a Tag, Unplayable> {
    tags.get(name).ok_or_else(|| malformed(game.place, format!("the tag {name} is missing")))
}

/// Opens the table that the tags describe, and seats its players.
pub(crate) fn open(library: &Library, game: &Game, tags: &Tags, houses: HouseFiles<'_>) -> Result<Table, Unplayable> {
    seated(library, game, tags, &house_of(library, game, tags, houses)?)
}

/// Reads the house rules from the tags. Whether they are lawful is checked later, against the book.
pub(super) fn house_of(
    library: &Library,
    game: &Game,
    tags: &Tags,
    houses: HouseFiles<'_>,
) -> Result<HouseRules, Unplayable> {
    let tag = |name: &str| needed(game, tags, name);
    let cgn = tag("CGN")?;
    if cgn.text != "1" {
        return Err(malformed(cgn.place, format!("expected [CGN \"1\"], found \"{}\"", cgn.text)));
    }
    let rules = tag("Rules")?;
    let read = rules.text.parse();
    let RulesTag { book, as_of } = read.map_err(|error: NotARulesTag| malformed(rules.place, error.to_string()))?;
    let law = library.named(&book).map_err(|unknown| malformed(rules.place, unknown.to_string()))?;
    let mut house = HouseRules::under(law, as_of);
    if let Some(tag) = tags.get("House") {
        if let Some(name) = tag.text.strip_prefix("file:") {
            let source = houses(name.trim()).map_err(|error| malformed(tag.place, error.to_string()))?;
            house =
                library.house_file(&source, Some(as_of)).map_err(|error| malformed(tag.place, error.to_string()))?;
            house.book = book;
        } else {
            for pair in house_keys(&tag.text) {
                let (key, value) = pair.map_err(|message| malformed(tag.place, message))?;
                house.set(key, value).map_err(|error| malformed(tag.place, error.to_string()))?;
            }
        }
    }
    if let Some(tag) = tags.get("Game") {
        let game = craps_law::Game::find(&tag.text)
            .ok_or_else(|| malformed(tag.place, format!("there is no game `{}`", tag.text)))?;
        house.game = Some(game);
    }
    Ok(house)
}

/// Reads the keys and values of a `House` tag, such as `odds.k=10; offer=buy,lay`.
///
/// ```
/// let keys: Vec<_> = craps_notation::house_keys("odds.k=10; offer=buy,lay; x=a=b; lone").collect();
/// assert_eq!(keys[..3], [Ok(("odds.k", "10")), Ok(("offer", "buy,lay")), Ok(("x", "a=b"))]);
/// assert_eq!(keys[3], Err("expected key=value, found `lone`".to_owned()));
/// ```
pub fn house_keys(text: &str) -> impl Iterator<Item = Result<(&str, &str), String>> {
    text.split(';').map(str::trim).filter(|pair| !pair.is_empty()).map(|pair| match pair.split_once('=') {
        Some((key, value)) => Ok((key.trim(), value.trim())),
        None => Err(format!("expected key=value, found `{pair}`")),
    })
}

/// Opens the table of a house, and seats the players that the tags name.
pub(super) fn seated(library: &Library, game: &Game, tags: &Tags, house: &HouseRules) -> Result<Table, Unplayable> {
    let place = tags.get("House").or_else(|| tags.get("Rules")).map_or(game.place, |tag| tag.place);
    let law = library.named(&house.book).map_err(|unknown| malformed(place, unknown.to_string()))?;
    let admitted = law.admit(house).map_err(|problems| Unplayable::Unlawful(place, problems))?;
    let mut table = Table::open(admitted).map_err(|error| malformed(game.place, error.to_string()))?;
    let seats = needed(game, tags, "Seats")?;
    for entry in seats.text.split(';').map(str::trim).filter(|entry| !entry.is_empty()) {
        let words: Vec<&str> = entry.split_whitespace().collect();
        let parsed = match words[..] {
            [seat, ref name @ .., money] => seat
                .parse::<SeatId>()
                .ok()
                .zip(money.parse::<Money>().ok())
                .map(|(seat, money)| (seat, name.join(" "), money)),
            _ => None,
        };
        let (seat, name, money) = parsed.ok_or_else(|| {
            malformed(
                seats.place,
                format!("expected a seat, a name and an amount such as \"1 Ann 500\", found \"{entry}\""),
            )
        })?;
        table
            .run(Actor::staff(Role::Box), &Command::Join { seat, name, money })
            .map_err(|refusal| malformed(seats.place, refusal.to_string()))?;
    }
    Ok(table)
}
