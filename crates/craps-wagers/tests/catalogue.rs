//! What the catalogue says about every built-in wager, and the small questions that other crates ask a wager.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]

use craps_dice::{Point, Throw};
use craps_wagers::{
    Bar, Catalogue, Dial, Dials, EntryFile, Family, Gathered, Goal, Group, Lies, Mechanic, Phase, Points, Progress,
    Side, Step, Wager,
};
use std::fmt::Write;

fn find(slug: &str) -> &'static Wager {
    Wager::find(slug).unwrap()
}

/// Everything that the program asks a wager besides its words and its steps.
fn line(wager: &Wager) -> String {
    let machine = wager.machine(Dials::default());
    let dials: Vec<&str> = wager.mechanic.dials().iter().map(|dial| dial.name()).collect();
    let names = wager.names();
    let codes = match &names[..] {
        [first, .., last] => format!("{}…{} ({})", first.code, last.code, names.len()),
        all => all.iter().map(|name| name.code.clone()).collect(),
    };
    let mut text = format!("{} {codes} {} {:?}", wager.slug, wager.family.name(), wager.lies);
    let group = wager.family.group().map_or("none", Group::name);
    let _ = write!(text, " group={group} stem={} tracker={}", wager.stem(), wager.tracker);
    let _ = write!(text, " dials={}", dials.join("+"));
    for (is, word) in [
        (wager.travels(), "travels"),
        (wager.is_on_the_line(), "line"),
        (machine.sees_phase(), "sees-phase"),
        (machine.credited().is_some(), "credits"),
        (wager.side() == Some(Side::Right), "right"),
        (wager.side() == Some(Side::Wrong), "wrong"),
    ] {
        text.push_str(if is { " " } else { "" });
        text.push_str(if is { word } else { "" });
    }
    let goal = match machine.goal() {
        Goal::Nothing => "nothing".to_owned(),
        Goal::Totals(totals) => format!("totals {totals}"),
        Goal::Rolls(rolls) => format!("{} rolls", rolls.len()),
        Goal::Count(most) => format!("count {most}"),
        Goal::Run(totals) => format!("run {totals}"),
    };
    text + " collects " + &goal
}

#[test]
fn the_catalogue_says_this_of_every_wager() {
    let now: String = Catalogue::built_in().all().map(|id| line(id.wager()) + "\n").collect();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/catalogue.txt");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let kept = std::fs::read_to_string(path).unwrap();
    let differs = now.lines().zip(kept.lines()).find(|(now, kept)| now != kept);
    assert!(now == kept, "UPDATE_GOLDEN=1 writes it anew: {differs:?}");
}

#[test]
fn families_have_names_groups_and_a_part_of_the_felt() {
    for family in Catalogue::built_in().all().map(|id| id.wager().family) {
        assert_eq!(Family::named(family.name()), Some(family));
    }
    let titles: std::collections::BTreeSet<&str> = Family::ALL.map(Family::title).into();
    assert_eq!((titles.len(), Family::Shooter.title()), (Family::ALL.len(), "Side bets"));
    assert_eq!(Family::named("sides"), None);
    assert_eq!((Family::Odds.group(), Family::Hop.group()), (None, Some(Group::Prop)));
    assert_eq!((Family::Hardway.lies(), Family::Line.lies()), (Lies::Center, Lies::End));
}

#[test]
fn dials_are_found_by_name_and_say_what_they_are() {
    for dial in Dial::ALL {
        assert_eq!(Dial::find(dial.name()), Ok(dial));
        assert!(dial.label().contains(' ') && dial.label() != dial.name(), "{}", dial.label());
        for word in dial.words() {
            assert!(Dials::default().turn(dial, word).is_ok(), "{} {word}", dial.name());
        }
    }
    let labels: std::collections::BTreeSet<&str> = Dial::ALL.map(Dial::label).into();
    assert_eq!(labels.len(), Dial::ALL.len());
    let unknown = Dial::find("volume").unwrap_err();
    assert!(unknown.to_string().starts_with("expected one of: points, bar"), "{unknown}");
    assert!(Dials::default().turn(Dial::Points, "none").unwrap_err().to_string().starts_with("expected one of: "));
    assert_eq!((Points::Box.all().len(), Points::AllButSeven.all().len()), (6, 10));
    assert_eq!(Bar::default().totals().to_string(), "12");
}

#[test]
fn a_machine_knows_its_number() {
    let six: Point = "6".parse().unwrap();
    for slug in ["pass", "come", "dont-come", "pass-odds", "come-odds"] {
        let machine = find(slug).machine(Dials::default());
        let on = machine.on(six);
        assert_eq!((machine.number(on), machine.number(Progress::FRESH)), (Some(six), None), "{slug}");
        assert_eq!(machine.gathered(on), Gathered::Number(six));
    }
    for slug in ["field", "place-win-6", "fire"] {
        let machine = find(slug).machine(Dials::default());
        assert_eq!((machine.on(six), machine.number(machine.on(six))), (Progress::FRESH, None), "{slug}");
        assert_eq!((machine.start(None), machine.start(Some(six))), (Some(Progress::FRESH), None), "{slug}");
    }
    let odds = find("pass-odds").machine(Dials::default());
    assert_eq!((odds.start(None), odds.start(Some(six))), (None, Some(odds.on(six))));
}

#[test]
fn what_a_bet_has_collected_is_counted_marked_and_shared() {
    let small = find("bonus-all-small").machine(Dials::default());
    let step = |progress, dice: &str| match small.step(progress, Phase::ComeOut, dice.parse::<Throw>().unwrap()) {
        Step::Stand(next) => next,
        other => panic!("{other:?}"),
    };
    let two = step(step(Progress::FRESH, "1-1"), "2-1");
    let gathered = small.gathered(two);
    assert_eq!((gathered.len(), gathered.is_empty(), gathered.marks()), (2, false, vec!["2".into(), "3".into()]));
    assert!(small.gathered(Progress::FRESH).is_empty());
    assert_eq!((small.spell(two).as_str(), small.read("2x3")), ("2x3", Ok(two)));
    let all = find("bonus-make-em-all").machine(Dials::default());
    assert_eq!(all.share(gathered).map(|progress| all.spell(progress)).as_deref(), Some("2x3"));
    let tall = find("bonus-all-tall").machine(Dials::default());
    assert_eq!(tall.share(gathered), Some(Progress::FRESH));
    assert_eq!(find("hot-roller").machine(Dials::default()).share(gathered), None);
    let hot = find("hot-roller").machine(Dials::default());
    assert_eq!(
        (hot.share(Gathered::Nothing), small.share(Gathered::Nothing)),
        (Some(Progress::FRESH), Some(Progress::FRESH))
    );
    assert_eq!((Progress::from_bits(5).bits(), Progress::FRESH.bits()), (5, 0));
    assert!(small.goal().has_mark("2") && !small.goal().has_mark("8") && !small.goal().has_mark("x"));
    let sharp = find("sharp-shooter").machine(Dials::default());
    assert!(sharp.goal().has_mark("3") && !sharp.goal().has_mark("0") && !sharp.goal().has_mark("99"));
    assert_eq!(sharp.gathered(sharp.read("3").unwrap()).marks(), ["1", "2", "3"]);
    for (slug, text) in [("bonus-all-small", "2x8"), ("sharp-shooter", "0"), ("sharp-shooter", "10"), ("field", "4")] {
        let refused = find(slug).machine(Dials::default()).read(text).unwrap_err().to_string();
        assert!(refused.contains("expected") && refused.contains(text), "{slug} {text}: {refused}");
    }
}

#[test]
fn a_count_of_rolls_is_the_one_that_a_seven_out_would_pay() {
    for (dial, expected) in [("no", 2), ("yes", 3)] {
        let mut dials = Dials::default();
        dials.turn(Dial::CountSevenOut, dial).unwrap();
        let hot = find("hot-shooter-jackpot").machine(dials);
        let roll = |progress, phase, dice: &str| match hot.step(progress, phase, dice.parse::<Throw>().unwrap()) {
            Step::Stand(next) => next,
            other => panic!("{other:?}"),
        };
        let six = Phase::Point(Point::Six);
        let rolled = roll(roll(roll(Progress::FRESH, Phase::ComeOut, "5-1"), six, "1-1"), six, "1-2");
        assert_eq!(hot.gathered(rolled), Gathered::Count(expected), "count_seven_out = {dial}");
    }
}

#[test]
fn wagers_are_found_by_number_by_roll_and_by_the_name_of_a_bet() {
    let catalogue = Catalogue::built_in();
    let (six, two): (Point, Point) = ("6".parse().unwrap(), "2".parse().unwrap());
    assert_eq!(catalogue.on_number(Family::PlaceWin, six).unwrap().wager().slug, "place-win-6");
    assert_eq!(catalogue.on_number(Family::Hardway, two), None);
    let aces = [Throw::ALL[0]].into_iter().collect();
    assert_eq!(catalogue.in_one_roll(aces).unwrap().wager().slug, "craps-2");
    assert_eq!(
        catalogue.bet("C8").map(|(id, number)| (id.wager().slug, number.unwrap().to_string())).unwrap().0,
        "come"
    );
    assert_eq!((catalogue.bet("nothing"), catalogue.find("nothing")), (None, None));
    let hardways = catalogue.combos().iter().find(|combo| combo.phrases.contains(&"hardways")).unwrap();
    assert_eq!(hardways.bets.len(), 4);
    assert!(matches!(find("horn").mechanic, Mechanic::Composite(parts) if parts.len() == 4));
}

#[test]
fn ids_of_wagers_are_compared_hashed_and_printed_as_their_wagers() {
    use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
    let [pass, field] = ["pass", "field"].map(|slug| Catalogue::built_in().find(slug).unwrap());
    let hash = BuildHasherDefault::<DefaultHasher>::default();
    assert!(Catalogue::built_in().find("pass") == Some(pass) && pass != field && pass < field);
    assert_ne!(hash.hash_one(pass), hash.hash_one(field));
    assert!(format!("{pass:?}").contains("pass") && field.to_string() == "field");
}

#[test]
fn a_come_out_seven_matters_to_completed_numbers_unless_it_always_settles() {
    let sees = |word: &str| {
        let mut dials = Dials::default();
        dials.turn(Dial::ComeOutSeven, word).unwrap();
        find("hot-roller").machine(dials).sees_phase()
    };
    let seen: Vec<bool> = Dial::ComeOutSeven.words().iter().map(|word| sees(word)).collect();
    assert_eq!((seen.iter().filter(|sees| !**sees).count(), seen.len() > 1), (1, true), "{seen:?}");
}

#[test]
fn an_example_is_rolls_to_its_end() {
    assert_eq!(find("pass").tell(Dials::default(), "5-2 1-1").unwrap(), "win");
    assert!(find("pass").tell(Dials::default(), "5-2 nonsense").is_err());
}

#[test]
fn a_program_reads_texts_in_one_catalogue() {
    let text = "family = 'side'\n[[wager]]\nslug = 'extra'\ncode = 'XT'\nname = 'Extra'\n\
                mechanic = { one_roll = [['win', '9']] }\nabout = 'A nine.'\nexamples = [['5-4', 'win']]\n";
    let file = EntryFile { path: "extra.toml", text };
    let more = Catalogue::built_in().with(&[file]).unwrap();
    let knows = || Catalogue::current().find("extra").is_some();
    assert!(!knows());
    assert!(more.reading(|| knows() && std::ptr::eq(Catalogue::current(), more)));
    assert!(!knows());
    more.install().unwrap();
    more.install().unwrap();
    assert!(knows() && Wager::find("extra").is_none(), "the wagers of the program itself stay the same");
    let second = Catalogue::built_in().install().unwrap_err();
    assert!(second.to_string().contains("already installed"), "{second}");
    let taken = more.with(&[file]).unwrap_err();
    assert!(taken[0].message.contains("taken"), "{}", taken[0].message);
}
