//! Tests of the screen without a terminal.

use super::state::{Hit, Kind, Mode, Screen};
use super::theme::{Depth, Theme};
use crate::play::dice::DiceSource;
use crate::play::house;
use crate::play::rail::{Rail, Ways};
use craps_law::Library;
use craps_wagers::Phase;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::{Color, Modifier};
use std::path::Path;
use std::sync::OnceLock;

fn library() -> &'static Library {
    static LIBRARY: OnceLock<Library> = OnceLock::new();
    LIBRARY.get_or_init(Library::shipped)
}

/// Returns all lawful sample houses and all books.
pub(super) fn houses() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../houses");
    let mut all: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().display().to_string())
        .filter(|path| path.ends_with(".toml"))
        .collect();
    assert!(all.len() > 8, "houses/ was not found");
    all.extend(library().books.iter().map(|book| book.id.clone()));
    all
}

/// Opens a game at a house with seeded dice and says these lines.
fn seated(name: &str, seats: &str, seed: u64, ways: Ways, said: &[&str]) -> Rail<'static> {
    let house = house::named(library(), name).unwrap();
    let session = crate::play::open(library(), name, &house, seats, DiceSource::Seed(seed)).unwrap();
    let mut rail = Rail::new(library(), session, ways, None);
    for line in said {
        rail.hear(line).unwrap();
    }
    rail
}

/// Opens a game with one player and says these lines.
pub(super) fn rail(house: &str, said: &[&str]) -> Rail<'static> {
    seated(house, "1 You 500", 7, Ways::default(), said)
}

/// Rolls these dice.
pub(super) fn throws(rail: &mut Rail<'_>, dice: &[&str]) {
    for dice in dice {
        rail.throw(dice.parse().unwrap()).unwrap();
    }
}

fn screen(rail: Rail<'static>, depth: Depth) -> Screen<'static> {
    Screen::new(rail, Theme::new(depth)).unwrap()
}

fn plain(rail: Rail<'static>) -> Screen<'static> {
    screen(rail, Depth::None)
}

/// Presses keys, given by name or by letter.
fn press(screen: &mut Screen<'_>, keys: &str) {
    for key in keys.split(' ') {
        let code = match key {
            "Enter" => KeyCode::Enter,
            "Space" => KeyCode::Char(' '),
            "Esc" => KeyCode::Esc,
            "Up" => KeyCode::Up,
            "Down" => KeyCode::Down,
            "Left" => KeyCode::Left,
            "Right" => KeyCode::Right,
            "Delete" => KeyCode::Delete,
            "Tab" => KeyCode::Tab,
            letter => KeyCode::Char(letter.chars().next().unwrap()),
        };
        screen.key(KeyEvent::new(code, KeyModifiers::NONE)).unwrap();
    }
}

/// Types a line and presses Enter.
fn say(screen: &mut Screen<'_>, line: &str) {
    screen.mode = Mode::Talk;
    for letter in line.chars() {
        screen.key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::NONE)).unwrap();
    }
    press(screen, "Enter");
}

fn drawn(screen: &mut Screen<'_>, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| screen.draw(frame)).unwrap();
    terminal.backend().buffer().clone()
}

fn text(screen: &mut Screen<'_>, width: u16, height: u16) -> String {
    let buffer = drawn(screen, width, height);
    let row = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..height).map(|y| row(y).trim_end().to_owned() + "\n").collect()
}

/// Returns the game as text, without its date.
fn game(screen: &Screen<'_>) -> String {
    let text = screen.rail.session().text();
    text.lines().filter(|line| !line.starts_with("[Date")).map(|line| format!("{line}\n")).collect()
}

const SIZES: [(u16, u16); 6] = [(60, 20), (80, 24), (100, 50), (120, 40), (200, 60), (300, 100)];

#[test]
fn a_hand_by_keys_is_the_same_game_as_the_hand_by_talk() {
    let mut by_keys = plain(rail("pa", &[]));
    // 4-6 sets the point. Then odds, a hardway by its code, a place bet, chips added and removed, and the next roll.
    press(&mut by_keys, "Enter Space m g h 8 2 Enter g p l 4 Enter Enter - u U 3 - Delete Space");
    let mut by_talk = plain(rail("pa", &[]));
    for line in [
        "pass 10",
        "roll",
        "max odds",
        "hard eight 5",
        "place four 5",
        "place four 5",
        "down 5 place four",
        "undo",
        "redo",
        "take down the place four",
        "roll",
    ] {
        say(&mut by_talk, line);
    }
    assert_eq!(game(&by_keys), game(&by_talk), "{:?}\n{:?}", by_keys.notes, by_talk.notes);
    press(&mut by_talk, "Esc");
    for _ in 0..30 {
        if by_keys.rail.table().phase() == Phase::ComeOut {
            press(&mut by_keys, "g p 3 Enter");
            say(&mut by_talk, "pass 10");
        }
        press(&mut by_keys, "g f 2 Enter h o Space");
        for line in ["5 field", "half press the field", "call the field off", "roll"] {
            say(&mut by_talk, line);
            by_talk.line.clear();
        }
    }
    let (keys, talk) = (game(&by_keys), game(&by_talk));
    assert!(keys.contains("\n20. "), "{keys}");
    assert_eq!(keys, talk);
}

#[test]
fn a_first_hand_is_enter_and_then_space_until_it_is_decided() {
    for seed in 0..20 {
        for house in ["pa", "co-crapless"] {
            let mut screen = plain(seated(house, "1 You 500", seed, Ways { asks: true, ..Ways::default() }, &[]));
            let first = text(&mut screen, 80, 24);
            assert!(first.contains("Enter: bet 10 on the pass line") && first.contains("?: help"), "{first}");
            assert!(first.contains("type what you want"), "{first}");
            press(&mut screen, "Enter");
            assert!(text(&mut screen, 80, 24).contains("Space: roll"));
            let decided = |screen: &Screen<'_>| screen.notes.iter().any(|note| note.reference.is_some());
            for _ in 0..60 {
                if !decided(&screen) {
                    press(&mut screen, "Space");
                }
            }
            assert!(decided(&screen), "{seed}: {:?}", screen.notes);
            let after = text(&mut screen, 80, 24);
            assert!(after.contains("10 pass line (why"), "{after}");
            assert!(after.contains("r: same bets again"), "{after}");
        }
    }
}

#[test]
fn every_house_is_drawn_at_every_size_with_its_puck_point_and_rail() {
    for house in houses() {
        let mut screen = plain(seated(&house, "1 You 987", 7, Ways::default(), &[]));
        let see = |screen: &mut Screen<'_>, words: &[&str]| {
            for (width, height) in SIZES {
                let text = text(screen, width, height);
                for word in words {
                    assert!(text.contains(word), "{house} at {width}x{height}: no `{word}`\n{text}");
                }
            }
        };
        see(&mut screen, &["OFF", "You: 987 in chips", "PASS LINE", "say:", "next roll", "roll 1"]);
        say(&mut screen, "pass 25");
        throws(&mut screen.rail, &["4-2"]);
        see(&mut screen, &["ON 6", "You: 962 in chips, 25 on the felt", "PASS LINE 25", "seven -25", "roll 2"]);
        press(&mut screen, "Esc");
        // The selected area is always visible.
        for way in [
            "Up", "Up", "Up", "Right", "Up", "Up", "Down", "Down", "Down", "Down", "Down", "Down", "Right", "Down",
            "Down",
        ] {
            press(&mut screen, way);
            for (width, height) in SIZES {
                drawn(&mut screen, width, height);
                let seen = screen.hits.iter().any(|(area, hit)| *hit == Hit::Place(screen.hand) && !area.is_empty());
                assert!(seen, "{house} at {width}x{height}: {} is not seen", screen.name(screen.hand));
            }
        }
    }
}

#[test]
fn a_screen_that_is_too_small_says_so_and_still_plays() {
    let mut screen = plain(rail("pa", &["pass 10"]));
    for width in 1..=61 {
        for height in 1..=21 {
            drawn(&mut screen, width, height);
        }
    }
    let small = text(&mut screen, 59, 19);
    assert!(small.contains("The felt needs 60 by 20; this window has 59 by 19"), "{small}");
    assert!(small.contains("OFF") && small.contains("490") && small.contains("say:"), "{small}");
    say(&mut screen, "roll");
    assert_eq!(screen.rail.thrown().len(), 1);
    assert!(text(&mut screen, 30, 8).contains("ON 10"));
    // The same game continues in a larger window.
    assert!(text(&mut screen, 80, 24).contains("PASS LINE 10"));
}

#[test]
fn without_color_there_is_none_and_the_hand_is_still_seen() {
    let mut screen = plain(rail("pa", &["pass 10", "roll", "hard eight 5", "roll"]));
    for (width, height) in SIZES {
        let buffer = drawn(&mut screen, width, height);
        let plain = |cell: &ratatui::buffer::Cell| cell.fg == Color::Reset && cell.bg == Color::Reset;
        assert!(buffer.content().iter().all(plain));
        let (area, _) = screen.hits.iter().find(|(_, hit)| *hit == Hit::Place(screen.hand)).unwrap();
        assert!(buffer[(area.x, area.y)].modifier.contains(Modifier::REVERSED));
    }
    for depth in [Depth::Sixteen, Depth::Palette, Depth::True] {
        screen.theme = Theme::new(depth);
        let buffer = drawn(&mut screen, 80, 24);
        // Never black or white text on a background that may have the same color.
        let careless = |cell: &ratatui::buffer::Cell| {
            cell.bg == Color::Reset && matches!(cell.fg, Color::Black | Color::White | Color::Gray)
        };
        assert!(!buffer.content().iter().any(careless), "{depth:?}");
    }
}

#[test]
fn an_amount_that_does_not_fit_is_refused_with_what_would_and_never_changed_silently() {
    let mut screen = plain(rail("pa", &["pass 10"]));
    press(&mut screen, "g p l 6 Enter");
    let refused = screen.notes.last().unwrap().clone();
    assert_eq!(refused.kind, Kind::Refused);
    assert!(refused.text.contains("can't be paid evenly") && refused.text.contains('['), "{}", refused.text);
    assert!(refused.text.ends_with("You can say: place six for 6; place six for 12."), "{}", refused.text);
    assert!(text(&mut screen, 80, 24).contains("Enter: 12 instead"));
    assert!(screen.own(screen.hand).is_none());
    press(&mut screen, "Enter");
    assert_eq!(screen.own(screen.hand).unwrap().stake.to_string(), "12");
    // An offer that was not taken is gone when another area is selected.
    press(&mut screen, "g p l 8 Enter Left Right");
    assert_eq!(screen.offer, None);
}

#[test]
fn a_closed_area_says_why_by_which_words_before_anything_is_tried() {
    let mut screen = plain(rail("pa", &[]));
    press(&mut screen, "g c Enter");
    let text = text(&mut screen, 80, 24);
    assert!(text.contains("COME ×") && text.contains("closed: You can bet Come only while a point is on. ["), "{text}");
    assert_eq!(screen.notes.last().unwrap().kind, Kind::Refused);
}

#[test]
fn a_coach_and_a_lock_ask_first_and_any_other_key_is_a_no() {
    let ways = Ways { asks: true, coach: true, ..Ways::default() };
    let mut screen = plain(seated("pa", "1 You 500", 7, ways, &[]));
    press(&mut screen, "Enter");
    assert!(screen.rail.is_waiting());
    let asked = text(&mut screen, 80, 24);
    assert!(asked.contains("edge") && asked.contains("y: yes") && asked.contains("n: no"), "{asked}");
    press(&mut screen, "Up");
    assert!(!screen.rail.is_waiting() && screen.rail.table().seat(1).unwrap().bets.is_empty());
    press(&mut screen, "Down Enter");
    assert_eq!(screen.own(screen.hand).unwrap().stake.to_string(), "10");
    press(&mut screen, "g f i 2 Enter");
    assert!(screen.rail.is_waiting(), "{:?}", screen.notes);
    press(&mut screen, "y");
    assert_eq!(screen.own(screen.hand).unwrap().stake.to_string(), "5");
    press(&mut screen, "u");
    assert!(screen.notes.last().unwrap().text.contains("stays up"), "{:?}", screen.notes);
    for never in ["due", "hot hand", "cold"] {
        assert!(!screen.notes.iter().any(|note| note.text.contains(never)));
    }
}

#[test]
fn what_is_typed_is_echoed_before_it_is_said_and_pointed_at_where_it_is_not_understood() {
    let mut screen = plain(rail("pa", &[]));
    // A new player just types: a letter that isn't a key starts a line.
    press(&mut screen, "p a s s Space 1 0");
    assert_eq!(screen.line.text(), "pass 10");
    assert!(text(&mut screen, 80, 24).contains("= pass line for 10"));
    press(&mut screen, "Enter Space");
    assert_eq!(screen.rail.thrown().len(), 1);
    say(&mut screen, "5 feild");
    assert_eq!(screen.line.text(), "5 feild");
    let buffer = drawn(&mut screen, 80, 24);
    let underlined: String = (0..80)
        .map(|x| &buffer[(x, 23)])
        .filter(|cell| cell.modifier.contains(Modifier::UNDERLINED))
        .map(|cell| cell.symbol())
        .collect();
    assert_eq!(underlined, "feild");
    press(&mut screen, "Esc");
    assert_eq!(screen.mode, Mode::Felt);
    press(&mut screen, ": Up Up");
    assert_eq!(screen.line.text(), "pass 10");
}

fn click(screen: &mut Screen<'_>, hit: Hit, button: MouseButton) {
    drawn(screen, 80, 24);
    let (area, _) = *screen.hits.iter().find(|(_, known)| *known == hit).unwrap();
    let kind = MouseEventKind::Down(button);
    let (column, row) = (area.x, area.y);
    screen.event(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE })).unwrap();
}

#[test]
fn a_pointer_goes_bets_takes_off_and_asks_why() {
    let mut screen = plain(rail("pa", &["pass 10"]));
    let field = screen.rail.table().board().named("field").unwrap();
    let stake = |screen: &Screen<'_>| screen.own(field).map(|bet| bet.stake.to_string());
    click(&mut screen, Hit::Place(field), MouseButton::Left);
    assert_eq!((screen.hand, stake(&screen)), (field, None));
    click(&mut screen, Hit::Place(field), MouseButton::Left);
    click(&mut screen, Hit::Chip(1), MouseButton::Left);
    click(&mut screen, Hit::Place(field), MouseButton::Left);
    assert_eq!(stake(&screen).as_deref(), Some("15"));
    click(&mut screen, Hit::Place(field), MouseButton::Right);
    assert_eq!(stake(&screen).as_deref(), Some("10"));
    click(&mut screen, Hit::Dice, MouseButton::Left);
    assert_eq!(screen.rail.thrown().len(), 1);
    let result = screen.notes.iter().find_map(|note| note.reference).unwrap();
    click(&mut screen, Hit::Result(result.0, result.1), MouseButton::Left);
    assert!(screen.card.as_ref().unwrap().text.contains("law"), "{:?}", screen.card);
    assert!(text(&mut screen, 80, 24).contains("Esc: back"));
    click(&mut screen, Hit::Talk, MouseButton::Left);
    assert_eq!((screen.card.is_none(), &screen.mode), (true, &Mode::Felt));
    click(&mut screen, Hit::Talk, MouseButton::Left);
    assert_eq!(screen.mode, Mode::Talk);
}

#[test]
fn eight_players_share_a_screen_and_each_sees_the_others_chips() {
    let seats = "1 Ann 500; 2 Bo 500; 3 Cy 500; 4 Dee 500; 5 Eve 500; 6 Flo 500; 7 Gus 500; 8 Hal 500";
    let mut screen = plain(seated("pa", seats, 7, Ways::default(), &[]));
    for _ in 0..8 {
        press(&mut screen, "Enter Tab");
    }
    assert_eq!(screen.rail.seat(), 1);
    for (width, height) in SIZES {
        let text = text(&mut screen, width, height);
        assert!(text.contains("1 Ann 490+10"), "{text}");
        assert!(text.contains("PASS LINE 10 2:10"), "{text}");
    }
    press(&mut screen, "Tab Tab Tab Tab Tab Tab Tab");
    assert!(text(&mut screen, 60, 20).contains("8 Hal 490+10"));
    press(&mut screen, "Space");
    assert!(text(&mut screen, 120, 40).contains("shooter Ann"));
}

#[test]
fn why_explains_the_last_throw_and_turns_to_the_others() {
    let mut screen = plain(rail("pa", &["pass 10", "5 field"]));
    throws(&mut screen.rail, &["3-1", "2-2"]);
    press(&mut screen, "w");
    assert!(screen.card.as_ref().unwrap().text.contains("won 10"), "{:?}", screen.card);
    press(&mut screen, "Left");
    assert!(screen.card.as_ref().unwrap().text.contains("won 5"), "{:?}", screen.card);
    press(&mut screen, "Right Right");
    assert_eq!(screen.card, None);
    press(&mut screen, "? Esc q");
    assert!(screen.is_over);
}

const LINES: [&str; 10] = [
    "pass 25; roll",
    "25 don't pass; roll",
    "come 25; roll",
    "roll",
    "roll",
    "yes",
    "max odds; 30 on the six; roll",
    "2: pass 25; hard eight 5; yo 5; roll",
    "5 fire; 5 all small; 5 hot roller",
    "1: roll",
];

#[test]
fn ten_thousand_keys_at_random_on_windows_of_any_size_break_nothing() {
    let codes: Vec<KeyCode> = [KeyCode::Enter, KeyCode::Esc, KeyCode::Up, KeyCode::Down, KeyCode::Left, KeyCode::Right]
        .into_iter()
        .chain([KeyCode::Delete, KeyCode::Tab, KeyCode::Backspace, KeyCode::Home, KeyCode::End, KeyCode::PageUp])
        .chain([KeyCode::PageDown, KeyCode::F(1), KeyCode::Insert, KeyCode::Char('é'), KeyCode::Char('🎲')])
        .chain((' '..='~').map(KeyCode::Char))
        .chain([KeyCode::Enter; 12])
        .chain([KeyCode::Char(' '); 8])
        .chain([KeyCode::Esc; 8])
        .collect();
    let (houses, mut thrown) = (houses(), 0);
    for (seed, house) in (0u64..).zip(&houses) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let ways = Ways { asks: seed % 2 == 0, coach: seed % 3 == 0, ..Ways::default() };
        let mut screen = plain(seated(house, "1 Ann 100000; 2 Bo 500", seed, ways, &[]));
        for at in 0..10_000 / houses.len() + 1 {
            let code = codes[random.random_range(0..codes.len())];
            screen.key(KeyEvent::new(code, KeyModifiers::NONE)).unwrap();
            screen.is_over = false;
            // Random keys seldom lead to a roll, so play a line now and then.
            if at % 11 == 0 {
                screen.card = None;
                screen.line.clear();
                say(&mut screen, LINES[random.random_range(0..LINES.len())]);
                screen.key(KeyEvent::new(KeyCode::Esc, KeyModifiers::NONE)).unwrap();
                screen.is_over = false;
            }
            if at % 9 == 0 {
                let (width, height) = (random.random_range(1..140), random.random_range(1..50));
                drawn(&mut screen, width, height);
                let (column, row) = (random.random_range(0..140), random.random_range(0..50));
                let kind = [MouseEventKind::Down(MouseButton::Left), MouseEventKind::ScrollUp][at / 9 % 2];
                let mouse = MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE };
                screen.event(&Event::Mouse(mouse)).unwrap();
                screen.is_over = false;
            }
        }
        assert!(screen.rail.table().is_conserved());
        thrown += screen.rail.thrown().len();
    }
    assert!(thrown > 100, "{thrown} rolls");
}
