//! Checks every layout of every sample house and of every game of every book: nothing is missing, nothing is outside the surface, nothing overlaps,
//! and the texts match the rules.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it is")]
#![expect(clippy::float_arithmetic, reason = "outlines are tested at points between millimeters")]

use craps_law::{Answer, HouseRules, Library, RuleBook, Source, TableRules};
use craps_layout::{Anchor, Area, End, Layout, Mark, MarkerForm, Shape, Sign, Template, Text};
use craps_money::Money;
use craps_table::{Actor, Command, Crew, Role, Table};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// Returns the rules of every sample house, and of a practice table and a plain table for every game of every book.
fn houses() -> Vec<(String, TableRules)> {
    let library = Library::shipped();
    let mut all = Vec::new();
    for source in HouseRules::samples() {
        let house = library.house(&source, None).unwrap();
        all.push((source.path.clone(), library.book(&house.book).unwrap().admit(&house).unwrap()));
    }
    assert!(all.len() > 10, "{}", all.len());
    for book in &library.books {
        for game in book.games.iter().map(|fact| fact.is) {
            let mut house = HouseRules::practice(book).unwrap();
            house.game = Some(game);
            all.push((format!("{} {game}", book.id), book.admit(&house).unwrap()));
            let mut plain = HouseRules::plain(&book.id, book.sample_day);
            plain.game = Some(game);
            all.push((format!("{} {game} plain", book.id), book.admit(&plain).unwrap()));
        }
    }
    all
}

static LIBRARY: LazyLock<Library> = LazyLock::new(Library::shipped);

fn book(rules: &TableRules) -> &'static RuleBook {
    LIBRARY.book(&rules.book).unwrap()
}

fn laid(rules: &TableRules) -> Layout {
    Layout::new(&Template::of(rules).unwrap(), book(rules), rules, &Sign::default()).unwrap()
}

fn layouts() -> Vec<(String, TableRules, Layout)> {
    houses().into_iter().map(|(name, rules)| (name, rules.clone(), laid(&rules))).collect()
}

/// Returns the same tables in a narrow window, with either end.
fn narrow() -> Vec<(String, TableRules, Layout)> {
    let of = |(name, rules): (String, TableRules)| {
        let template = Template::narrow(&rules).unwrap();
        [End::Right, End::Left].map(|end| {
            let layout = Layout::new(&template, book(&rules), &rules, &Sign { end, ..Sign::default() }).unwrap();
            (format!("{name} narrow {}", end.name()), rules.clone(), layout)
        })
    };
    houses().into_iter().flat_map(of).collect()
}

fn all() -> Vec<(String, TableRules, Layout)> {
    layouts().into_iter().chain(narrow()).collect()
}

fn sample(name: &str) -> (TableRules, Layout) {
    let (_, rules, layout) = layouts().into_iter().find(|(known, ..)| known == name).unwrap();
    (rules, layout)
}

fn texts(layout: &Layout) -> Vec<&Text> {
    let marks = layout.marks.iter().filter_map(|mark| match mark {
        Mark::Text(text) => Some(text),
        _ => None,
    });
    layout.areas.iter().flat_map(|area| &area.texts).chain(marks).collect()
}

fn says(layout: &Layout, words: &str) -> bool {
    texts(layout).iter().any(|text| text.text.contains(words))
}

#[test]
fn every_bet_that_a_table_lists_has_an_area_and_a_price() {
    for (name, rules, layout) in all() {
        let mut table = Table::open(rules).unwrap();
        let join = Command::Join { seat: 1, name: "Ann".into(), money: Money::from_minor(100_000) };
        table.run(Actor::staff(Role::Box), &join).unwrap();
        let legal = table.legal(1);
        assert!(legal.len() > 40, "{name}");
        for one in legal {
            let code = &table.board().slot(one.slot).code;
            let home = layout.areas.iter().any(|area| area.stacks.iter().any(|stack| stack.bet == *code));
            assert!(home, "{name}: {code}");
            assert!(!layout.prices[code].pays.is_empty() && !layout.prices[code].cite.is_empty(), "{name}: {code}");
        }
        assert_eq!(layout.prices.len(), table.board().slots().count(), "{name}");
    }
}

#[test]
fn every_area_has_a_code_a_name_and_a_section_and_its_name_is_its_own() {
    let library = Library::shipped();
    for (name, rules, layout) in all() {
        let mut ids = BTreeSet::new();
        let book = library.book(&rules.book).unwrap();
        for area in &layout.areas {
            assert!(ids.insert(area.id.clone()), "{name}: {}", area.id);
            assert!(!area.stacks.is_empty() && !area.name.is_empty(), "{name}: {}", area.id);
            let known: BTreeSet<&str> = area.stacks.iter().map(|stack| stack.bet.as_str()).collect();
            assert!(area.bets.iter().all(|bet| known.contains(bet.as_str())), "{name}: {}", area.id);
            for cite in area.cite.split(", ").flat_map(|cites| cites.split("; ")) {
                assert!(cite.starts_with(&book.prefix), "{name}: {} cites {cite}", area.id);
            }
        }
    }
}

/// Returns the corners of a shape, with arcs as short straight pieces.
fn corners(shape: &Shape) -> Vec<(f64, f64)> {
    match shape {
        Shape::Circle { cx, cy, r } => {
            let at = |step: i32| {
                let angle = f64::from(step) * std::f64::consts::TAU / 48.0;
                (f64::from(*cx) + f64::from(*r) * angle.cos(), f64::from(*cy) + f64::from(*r) * angle.sin())
            };
            (0..48).map(at).collect()
        }
        Shape::Rect { x, y, w, h, .. } => {
            let (x, y, w, h) = (f64::from(*x), f64::from(*y), f64::from(*w), f64::from(*h));
            vec![(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        }
        Shape::Path { d, .. } => path(d),
    }
}

fn path(d: &str) -> Vec<(f64, f64)> {
    let mut out: Vec<(f64, f64)> = Vec::new();
    let mut words = d.split_whitespace();
    let number = |words: &mut std::str::SplitWhitespace<'_>| words.next().unwrap().parse::<f64>().unwrap();
    while let Some(letter) = words.next() {
        match letter {
            "M" | "L" => {
                let place = (number(&mut words), number(&mut words));
                out.push(place);
            }
            "A" => {
                let (rx, ry) = (number(&mut words), number(&mut words));
                let (_, _, sweep) = (number(&mut words), number(&mut words), number(&mut words));
                let (x, y) = (number(&mut words), number(&mut words));
                let (from_x, from_y) = *out.last().unwrap();
                // A quarter of an ellipse: its center is at one of the other two corners of the box between its ends.
                let clockwise = sweep > 0.5;
                let along_x_first = ((x - from_x) * (y - from_y) < 0.0) == clockwise;
                let centre = if along_x_first { (x, from_y) } else { (from_x, y) };
                for step in 1..=12 {
                    let turn = f64::from(step) / 12.0 * std::f64::consts::FRAC_PI_2;
                    let (a, b) = (turn.cos(), turn.sin());
                    let from = ((from_x - centre.0) / rx, (from_y - centre.1) / ry);
                    let to = ((x - centre.0) / rx, (y - centre.1) / ry);
                    out.push((centre.0 + rx * (from.0 * a + to.0 * b), centre.1 + ry * (from.1 * a + to.1 * b)));
                }
            }
            _ => {}
        }
    }
    out
}

fn inside(corners: &[(f64, f64)], (x, y): (f64, f64)) -> bool {
    let mut within = false;
    for (at, (ax, ay)) in corners.iter().enumerate() {
        let (bx, by) = corners[(at + 1) % corners.len()];
        if (*ay > y) != (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax {
            within = !within;
        }
    }
    within
}

/// Returns true if a point is on the playing surface, which has round corners.
fn on_surface(layout: &Layout, (x, y): (f64, f64)) -> bool {
    let (w, h, r) = (f64::from(layout.surface.w), f64::from(layout.surface.h), f64::from(layout.surface.r));
    let past = |at: f64, length: f64| {
        if at < r {
            r - at
        } else if at > length - r {
            at - (length - r)
        } else {
            0.0
        }
    };
    let (across, down) = (past(x, w), past(y, h));
    (0.0..=w).contains(&x) && (0.0..=h).contains(&y) && across.hypot(down) <= r + 0.01
}

/// A box: left, top, right, bottom.
type Covered = (i32, i32, i32, i32);

/// Returns the box that a text covers, up to the height of its capital letters.
fn covers(text: &Text) -> Covered {
    let (length, height) = (text.face.length(&text.text, text.size, text.spread), text.face.capitals(text.size));
    let from = match text.anchor {
        Anchor::Start => 0,
        Anchor::Middle => -length / 2,
        Anchor::End => -length,
    };
    match text.turn {
        90 => (text.x, text.y + from, text.x + height, text.y + from + length),
        -90 => (text.x - height, text.y - from - length, text.x, text.y - from),
        _ => (text.x + from, text.y - height, text.x + from + length, text.y),
    }
}

/// Returns true if a text is on the inside wall: next to a straight side of the surface, and on no other thing.
fn on_wall(layout: &Layout, text: &Text) -> bool {
    const WALL: i32 = 15;
    let (w, h, r) = (layout.surface.w, layout.surface.h, layout.surface.r);
    let sides = [(r, -WALL, w - r, 0), (r, h, w - r, h + WALL), (-WALL, r, 0, h - r), (w, r, w + WALL, h - r)];
    sides.into_iter().any(|side| within(covers(text), side))
}

#[test]
fn nothing_lies_outside_the_surface_but_stations_crew_and_the_wall() {
    for (name, _, layout) in all() {
        for area in &layout.areas {
            for place in corners(&area.shape) {
                assert!(on_surface(&layout, place), "{name}: {} at {place:?}", area.id);
            }
        }
        for text in texts(&layout).into_iter().filter(|text| !on_wall(&layout, text)) {
            let (left, top, right, bottom) = covers(text);
            for (x, y) in [(left, top), (right, top), (right, bottom), (left, bottom)] {
                assert!(on_surface(&layout, (f64::from(x), f64::from(y))), "{name}: {}", text.text);
            }
        }
        let round = layout.markers.iter().map(|marker| (marker.x, marker.y, marker.r));
        let pucks = layout.pucks.iter().map(|puck| (puck.x, puck.y, 30));
        for (cx, cy, r) in round.chain(pucks) {
            for place in corners(&Shape::Circle { cx, cy, r }) {
                assert!(on_surface(&layout, place), "{name}: marker or puck at {cx}, {cy}");
            }
        }
        for mark in &layout.marks {
            if let Mark::Frame { x, y, w, h, .. } = mark {
                let frame = Shape::Rect { x: *x, y: *y, w: *w, h: *h, r: [0; 4] };
                assert!(
                    corners(&frame).into_iter().all(|place| on_surface(&layout, place)),
                    "{name}: frame at {x}, {y}"
                );
            }
        }
        for station in &layout.stations {
            assert!(!on_surface(&layout, (f64::from(station.x), f64::from(station.y))), "{name}: {}", station.seat);
        }
        for crew in &layout.crew {
            assert!(!on_surface(&layout, (f64::from(crew.x), f64::from(crew.y))), "{name}: {}", crew.text);
        }
    }
}

#[test]
fn no_two_areas_share_a_place_but_for_spots_on_top() {
    for (name, _, layout) in all() {
        let areas: Vec<(&Area, Vec<(f64, f64)>)> =
            layout.areas.iter().filter(|area| area.seat.is_none()).map(|area| (area, corners(&area.shape))).collect();
        let (w, h) = (layout.surface.w, layout.surface.h);
        for y in (0..h).step_by(6) {
            for x in (0..w).step_by(6) {
                let place = (f64::from(x) + 0.5, f64::from(y) + 0.5);
                let here = areas.iter().filter(|(area, corners)| {
                    let (left, top, w, h) = area.shape.bounds();
                    (left..left + w).contains(&x) && (top..top + h).contains(&y) && inside(corners, place)
                });
                let here: Vec<&str> = here.map(|(area, _)| area.id.as_str()).collect();
                assert!(here.len() < 2, "{name}: {here:?} at {x}, {y}");
            }
        }
        let spots: Vec<&Area> = layout.areas.iter().filter(|area| area.seat.is_some()).collect();
        for (at, one) in spots.iter().enumerate() {
            for other in &spots[at + 1..] {
                let ((ax, ay, aw, ah), (bx, by, bw, bh)) = (one.shape.bounds(), other.shape.bounds());
                let apart = ax + aw <= bx || bx + bw <= ax || ay + ah <= by || by + bh <= ay;
                // Circles whose boxes overlap at a corner may still be apart.
                let middles = f64::from(2 * (ax - bx) + aw - bw).hypot(f64::from(2 * (ay - by) + ah - bh)) / 2.0;
                assert!(apart || middles >= f64::from(aw + bw) / 2.0, "{name}: {} and {}", one.id, other.id);
            }
        }
    }
}

#[test]
fn words_fit_their_places_and_cover_no_other_words() {
    for (name, _, layout) in all() {
        for text in texts(&layout) {
            let length = text.face.length(&text.text, text.size, text.spread);
            assert!(text.fit.is_none_or(|fit| length <= fit), "{name}: {} is {length} long", text.text);
            assert!(text.size >= 14, "{name}: {} has size {}, which is too small", text.text, text.size);
        }
        for area in &layout.areas {
            let (left, top, w, h) = area.shape.bounds();
            for text in &area.texts {
                let (a, b, c, d) = covers(text);
                let fits = a >= left && b >= top && c <= left + w && d <= top + h;
                assert!(fits, "{name}: {} says {} from {a}, {b} to {c}, {d}", area.id, text.text);
            }
        }
        let all: Vec<(&Text, Covered)> = texts(&layout).into_iter().map(|text| (text, covers(text))).collect();
        for (at, (one, here)) in all.iter().enumerate() {
            for (other, there) in &all[at + 1..] {
                assert!(apart(*here, *there), "{name}: `{}` and `{}` at {here:?}", one.text, other.text);
            }
        }
    }
}

fn apart((a, b, c, d): Covered, (e, f, g, h): Covered) -> bool {
    c <= e || g <= a || d <= f || h <= b
}

fn within((a, b, c, d): Covered, (e, f, g, h): Covered) -> bool {
    a >= e && b >= f && c <= g && d <= h
}

#[test]
fn dice_circles_and_markers_keep_clear_of_words_and_of_each_other() {
    for (name, _, layout) in all() {
        let marked = layout.marks.iter().filter_map(|mark| match mark {
            Mark::Dice(dice) => Some(dice),
            _ => None,
        });
        let mut things: Vec<(String, Covered)> = Vec::new();
        for dice in layout.areas.iter().flat_map(|area| &area.dice).chain(marked) {
            let (long, short) = (dice.size * 21 / 20, dice.size / 2);
            let (across, down) = if dice.turn == 0 { (long, short) } else { (short, long) };
            things.push((
                format!("dice {:?}", dice.faces),
                (dice.x - across, dice.y - down, dice.x + across, dice.y + down),
            ));
        }
        for marker in layout.markers.iter().filter(|marker| marker.form != MarkerForm::Puck) {
            let (r, tall) = (marker.r, if marker.form == MarkerForm::Domino { 2 * marker.r + 1 } else { marker.r });
            things.push((
                format!("{} {}", marker.wager, marker.label),
                (marker.x - r, marker.y - tall, marker.x + r, marker.y + tall),
            ));
        }
        for mark in &layout.marks {
            if let Mark::Frame { x, y, w, h, r, .. } = mark
                && *r == w / 2
            {
                things.push((format!("circle at {x}, {y}"), (*x, *y, x + w, y + h)));
            }
        }
        for (at, (what, covered)) in things.iter().enumerate() {
            for (other, also) in &things[at + 1..] {
                assert!(apart(*covered, *also), "{name}: {what} and {other}");
            }
            for text in texts(&layout) {
                let words = covers(text);
                let around = what.starts_with("circle") && within(words, *covered);
                assert!(around || apart(*covered, words), "{name}: {what} and `{}`", text.text);
            }
        }
    }
}

#[test]
fn chips_of_every_station_have_a_spot_of_their_own_inside_the_area() {
    for (name, rules, layout) in all() {
        // A narrow window shows the chips of one end, and in the center those of all seats.
        let table = laid(&rules);
        let seats_of = |end: End| -> BTreeSet<u8> {
            let at = table.stations.iter().filter(|station| end == End::Centre || station.end == end);
            at.map(|station| station.seat).collect()
        };
        for area in &layout.areas {
            let seats: BTreeSet<u8> = area.spots.iter().map(|spot| spot.seat).collect();
            let expected = area.seat.map_or_else(|| seats_of(area.end), |seat| BTreeSet::from([seat]));
            assert_eq!(seats, expected, "{name}: {}", area.id);
            let places: BTreeSet<(i32, i32)> = area.spots.iter().map(|spot| (spot.x, spot.y)).collect();
            assert_eq!((places.len(), area.spots.len()), (seats.len(), seats.len()), "{name}: {}", area.id);
            let outline = corners(&area.shape);
            for spot in &area.spots {
                assert!(inside(&outline, (f64::from(spot.x), f64::from(spot.y))), "{name}: {} {spot:?}", area.id);
            }
        }
    }
}

#[test]
fn a_narrow_window_shows_one_end_in_parts_with_room_for_a_finger() {
    for (name, _, layout) in narrow() {
        let end = if name.ends_with("left") && layout.stations.len() == 8 { End::Left } else { End::Right };
        assert_eq!(layout.ends, [end], "{name}");
        assert!(layout.stations.iter().all(|station| station.end == end), "{name}");
        for area in &layout.areas {
            let (x, y, w, h) = area.shape.bounds();
            assert!(area.end == End::Centre || area.end == end, "{name}: {}", area.id);
            // Two units are one pixel of a window 390 pixels wide.
            assert!(w >= 88 && h >= 88, "{name}: {} is {w} by {h}", area.id);
            let part = layout.views.iter().find(|view| view.band == area.band).unwrap();
            let around = matches!(area.shape, Shape::Path { .. });
            assert!(around || (y >= part.y && y + h <= part.y + part.h && x + w <= part.w), "{name}: {}", area.id);
        }
        for view in &layout.views {
            assert!(view.w == layout.surface.w && view.y + view.h <= layout.surface.h, "{name}: {view:?}");
        }
    }
}

#[test]
fn stations_go_round_clockwise_from_the_boxpersons_left() {
    let (_, full) = sample("pa-craps.toml");
    let seats: Vec<u8> = full.stations.iter().map(|station| station.seat).collect();
    assert_eq!(seats, (1..=16).collect::<Vec<_>>());
    let angle = |at: usize, layout: &Layout| {
        let station = layout.stations[at];
        let (x, y) = (station.x - layout.surface.w / 2, station.y - layout.surface.h / 2);
        // From the top, clockwise.
        f64::from(x).atan2(f64::from(-y)).rem_euclid(std::f64::consts::TAU)
    };
    for (name, _, layout) in layouts() {
        for at in 1..layout.stations.len() {
            assert!(angle(at - 1, &layout) < angle(at, &layout), "{name}: station {}", at + 1);
        }
    }
    let (_, mini) = sample("pa-mini.toml");
    assert!(mini.stations.len() <= 9 && mini.ends == [End::Right]);
    // Nine and a half feet overall, with the same wall and rail as the ten-foot table.
    assert!(mini.surface.w + (3048 - full.surface.w) <= 2895);
}

#[test]
fn the_ends_mirror_each_other_but_boxes_read_from_the_left_on_both() {
    for name in ["pa-craps.toml", "co-craps.toml", "co-crapless.toml"] {
        let (_, layout) = sample(name);
        let by_id: BTreeMap<&str, &Area> = layout.areas.iter().map(|area| (area.id.as_str(), area)).collect();
        let rights: Vec<&Area> = layout.areas.iter().filter(|area| area.end == End::Right).collect();
        assert!(rights.len() > 30);
        for right in rights {
            let own = right.id.strip_prefix("right/").unwrap();
            let id = match right.seat {
                Some(seat) => format!("left/{}.{}", own.split('.').next().unwrap(), 17 - seat),
                None => format!("left/{own}"),
            };
            let left = by_id.get(id.as_str()).unwrap_or_else(|| panic!("{name}: {id}"));
            let ((x, y, w, h), (lx, ly, lw, lh)) = (right.shape.bounds(), left.shape.bounds());
            assert_eq!((y, w, h), (ly, lw, lh), "{id}");
            if right.id.ends_with(|c: char| c.is_ascii_digit()) && right.seat.is_none() && !own.starts_with("BIG") {
                continue;
            }
            assert_eq!(lx, layout.surface.w - x - w, "{name}: {id}");
            for (spot, other) in right.spots.iter().zip(left.spots.iter().rev()) {
                assert_eq!((spot.seat, spot.y), (17 - other.seat, other.y), "{id}");
                assert!((spot.x + other.x - layout.surface.w).abs() <= 1, "{id}: {spot:?} {other:?}");
            }
        }
        for end in ["left", "right"] {
            let xs: Vec<i32> = ["4", "5", "6", "8", "9", "10"]
                .map(|number| by_id[format!("{end}/PL{number}").as_str()].shape.bounds().0)
                .to_vec();
            assert!(xs.is_sorted(), "{name}: {xs:?}");
        }
    }
    let (_, layout) = sample("pa-craps.toml");
    let first = layout.areas.iter().find(|area| area.id == "left/PL4").unwrap();
    assert_eq!(first.shape.bounds(), (368, 344, 102, 78));
}

/// Fixed measurements of the ten-foot table, in millimeters.
#[test]
fn the_ten_foot_table_has_the_geometry_of_its_design() {
    let (_, layout) = sample("pa-craps.toml");
    assert_eq!((layout.surface.w, layout.surface.h, layout.surface.r), (2560, 1340, 240));
    for (id, bounds) in [
        ("right/LY4", (1580, 60, 102, 68)),
        ("right/BY4", (1580, 128, 102, 216)),
        ("right/PL10", (2090, 344, 102, 78)),
        ("right/DC", (2192, 60, 84, 455)),
        ("right/C", (1580, 525, 696, 225)),
        ("right/F", (1580, 750, 696, 226)),
        ("right/DP", (1580, 60, 772, 992)),
        ("right/P", (1580, 60, 860, 1080)),
        ("centre/A7", (1072, 424, 416, 76)),
        ("centre/H4", (1280, 622, 208, 122)),
        ("centre/N11", (1280, 844, 208, 100)),
        ("centre/HP", (1395, 944, 93, 66)),
        ("centre/AC", (1072, 1010, 416, 76)),
        ("centre/FIRE", (1004, 26, 552, 120)),
        ("centre/SM", (1004, 280, 196, 124)),
        ("right/FIRE.1", (2446, 214, 48, 48)),
    ] {
        let area = layout.areas.iter().find(|area| area.id == id).unwrap_or_else(|| panic!("{id}"));
        assert_eq!(area.shape.bounds(), bounds, "{id}");
    }
}

#[test]
fn what_is_printed_is_what_the_house_pays_and_posts() {
    let (_, nj) = sample("nj-craps.toml");
    for words in ["HARD 6 · 10 TO 1", "HARD 4 · 7 TO 1", "4: 29 · 5: 249 · 6: 999 TO 1", "ODDS 20×", "10–5,000"]
    {
        assert!(says(&nj, words), "{words}");
    }
    let twelve = |layout: &Layout| {
        let field = layout.areas.iter().find(|area| area.id == "right/F").unwrap();
        field.texts.iter().filter(|text| text.text.contains("TO")).map(|text| text.text.clone()).collect::<Vec<_>>()
    };
    assert_eq!(twelve(&nj), ["2 TO 1", "3 TO 1", "3 · 4 · 9 · 10 · 11 PAY 1 TO 1"]);
    let (_, co) = sample("co-craps.toml");
    assert_eq!(twelve(&co), ["3 TO 1", "2 TO 1", "3 · 4 · 9 · 10 · 11 PAY 1 TO 1"]);
    for words in [
        "3: 7 · 4: 30 · 5: 150 · 6: 300 FOR 1",
        "15–30 TO 1",
        "9 TO 2",
        "BIG",
        "UNDER 7",
        "PUSH",
        "RIDE THE LINE 1–100",
    ] {
        assert!(says(&co, words), "{words}");
    }
    let (_, pa) = sample("pa-craps.toml");
    for words in ["FIRE 1–5", "POWER ODDS", "30 TO 1", "150 TO 1", "ODDS 3-4-5×", "6-7-8"] {
        assert!(says(&pa, words), "{words}");
    }
    assert_eq!(co.prices["A7"].pays, "9 to 2");
    assert_eq!(pa.prices["F"].pays, "2 to 1 on 2 and 12, else 1 to 1");
    assert_eq!(pa.prices["PO"].pays, "2 to 1 on 4 and 10, 3 to 2 on 5 and 9, 6 to 5 on 6 and 8");
    assert_eq!(pa.prices["H6"].raised, ["13 to 1", "18 to 1"]);
    let (_, lucky) = sample("md-craps.toml");
    assert!(says(&lucky, "FOR 1") && says(&lucky, "LUCKY SHOOTER"));
}

#[test]
fn every_layout_bears_a_name_and_says_no_call_bets() {
    for (name, rules, layout) in all() {
        // The text of some states asks for the words, and that of others does not.
        let asked =
            rules.rules.get("layout.says_no_call_bets").is_some_and(|fact| fact.is.answer == Answer::YesNo(true));
        assert_eq!(says(&layout, "NO CALL BETS"), asked, "{name}");
        let own = rules.name.clone().unwrap_or_else(|| "Boxperson".to_owned());
        assert_eq!(layout.name, own);
        let all: Vec<String> = texts(&layout).iter().map(|text| text.text.clone()).collect();
        assert!(all.join(" ").contains(&own.to_uppercase()), "{name}");
    }
    let (_, rules) = houses().into_iter().find(|(name, _)| name == "nj craps plain").unwrap();
    let sign = Sign { table: Some("Practice 7"), crew: Crew::People, ..Sign::default() };
    let layout = Layout::new(&Template::of(&rules).unwrap(), book(&rules), &rules, &sign).unwrap();
    assert!(says(&layout, "PRACTICE 7") && layout.crew.iter().all(|crew| !crew.text.contains("AUTOMATIC")));
}

#[test]
fn bets_without_an_area_of_their_own_are_laid_where_they_are_broken_down_to() {
    let (_, nj) = sample("nj-craps.toml");
    let area = |layout: &Layout, id: &str| layout.areas.iter().find(|area| area.id == id).cloned();
    assert_eq!(area(&nj, "centre/HN").unwrap().bets, ["HN", "WW"]);
    assert!(area(&nj, "centre/WW").is_none() && area(&nj, "centre/HH").is_some());
    let (_, pa) = sample("pa-craps.toml");
    assert_eq!(area(&pa, "centre/HN").unwrap().bets, ["HN"]);
    assert_eq!(area(&pa, "centre/WW").unwrap().bets, ["WW"]);
    assert_eq!(area(&pa, "centre/HP").unwrap().bets.len(), 17);
}

#[test]
fn areas_are_there_for_what_is_offered_and_only_for_that() {
    let (_, pa) = sample("pa-craps.toml");
    let (_, co) = sample("co-craps.toml");
    let (_, crapless) = sample("co-crapless.toml");
    let has = |layout: &Layout, id: &str| layout.areas.iter().any(|area| area.id == id);
    assert!(!has(&pa, "right/BIG6") && has(&co, "right/BIG6") && has(&crapless, "left/BIG8"));
    assert!(!has(&crapless, "right/DP") && !has(&crapless, "right/DC") && has(&crapless, "right/BY12"));
    assert!(has(&co, "right/RIDE.3") && !has(&pa, "right/RIDE.3") && has(&pa, "left/HOT.16"));
    assert!(!layouts().iter().any(|(_, _, layout)| layout.areas.iter().any(|area| area.stacks.is_empty())));
    let box_six = co.areas.iter().find(|area| area.id == "right/BY6").unwrap();
    assert_eq!(box_six.bets, ["BY6", "PUT6", "C6O", "PUT6O"]);
    assert!(box_six.stacks.iter().any(|stack| stack.bet == "C6"));
}

#[test]
fn markers_light_with_the_bits_and_counts_that_the_table_keeps() {
    let (rules, pa) = sample("pa-craps.toml");
    let mut table = Table::open(rules).unwrap();
    let join = Command::Join { seat: 1, name: "Ann".into(), money: Money::from_minor(1_000_000) };
    table.run(Actor::staff(Role::Box), &join).unwrap();
    let trackers: BTreeSet<String> =
        table.board().slots().filter_map(|(_, slot)| slot.tracker).map(|wager| wager.to_string()).collect();
    let wagers: BTreeSet<String> = pa.markers.iter().map(|marker| marker.wager.clone()).collect();
    assert_eq!(wagers, trackers);
    let keys = |layout: &Layout, wager: &str, end: Option<End>| -> Vec<String> {
        let own =
            layout.markers.iter().filter(|marker| marker.wager == wager && end.is_none_or(|end| marker.end == end));
        own.map(|marker| marker.key.clone()).collect()
    };
    assert_eq!(
        keys(&pa, "bonus-make-em-all", Some(End::Centre)),
        ["2", "3", "4", "5", "6", "8", "9", "10", "11", "12"]
    );
    assert_eq!(keys(&pa, "fire", Some(End::Right)), ["4", "5", "6", "8", "9", "10"]);
    let pairs: BTreeSet<String> = keys(&pa, "hot-roller", Some(End::Left)).into_iter().collect();
    assert_eq!(pairs.len(), 14);
    assert!(pairs.contains("1-3") && pairs.contains("5-5"));
    assert!(pa.markers.iter().all(|marker| (marker.form == MarkerForm::Domino) == marker.faces.is_some()));
    let (_, co) = sample("co-craps.toml");
    assert_eq!(keys(&co, "ride-the-line", None).len(), 11);
    for house in ["pa-electronic.toml", "pa-hybrid.toml"] {
        let (_, screens) = sample(house);
        assert_eq!(keys(&screens, "hot-shooter-jackpot", None)[1], "16");
    }
}

#[test]
fn the_puck_lies_on_every_point_at_every_end_and_is_parked_somewhere() {
    for (name, rules, layout) in all() {
        for end in &layout.ends {
            let numbers: BTreeSet<u8> =
                layout.pucks.iter().filter(|puck| puck.end == *end).map(|puck| puck.number).collect();
            let points = rules.points.all().iter().map(|point| point.value());
            assert_eq!(numbers, points.chain([0]).collect(), "{name}");
        }
    }
}

#[test]
fn edges_are_those_of_the_house() {
    let (rules, layout) = sample("co-craps.toml");
    let layout = layout.priced(&rules, &mut craps_odds::Solver::default());
    let edge = |bet: &str| layout.prices[bet].edge.as_deref();
    assert_eq!((edge("P"), edge("PL6"), edge("PO"), edge("C6")), (Some("7/495"), Some("1/66"), Some("0"), None));
    assert_eq!((edge("A7"), layout.prices["A7"].favours_player), (Some("1/12"), Some(false)));
    assert!(layout.prices.iter().all(|(bet, price)| {
        price.edge.is_some() || bet.trim_start_matches("DC").trim_start_matches('C').parse::<u8>().is_ok()
    }));
}

#[test]
fn a_drawing_has_every_area_once_and_escapes_what_is_written() {
    for (name, _, mut layout) in all() {
        layout.name = "<b>\"&".to_owned();
        let svg = layout.svg();
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{name}");
        assert!(svg.contains("<title>&lt;b&gt;&quot;&amp;</title>"));
        for area in &layout.areas {
            assert_eq!(svg.matches(&format!("<g id=\"{}\">", area.id)).count(), 1, "{name}: {}", area.id);
        }
        assert!(svg.contains(&format!("width=\"{}mm\"", layout.surface.w + 168)));
    }
}

/// Returns everything that is written in an area, or on it.
fn written_in(layout: &Layout, area: &Area) -> Vec<String> {
    let (x, y, w, h) = area.shape.bounds();
    let marks = layout.marks.iter().filter_map(|mark| match mark {
        Mark::Text(text) if within(covers(text), (x, y, x + w, y + h)) => Some(text),
        _ => None,
    });
    area.texts.iter().chain(marks).map(|text| text.text.clone()).collect()
}

#[test]
fn an_area_shows_the_words_that_the_book_names() {
    let mut named = BTreeSet::new();
    for (name, rules, layout) in all() {
        for wager in &rules.wagers {
            let felt = book(&rules).wagers[&wager.wager].felt.on(Some(rules.as_of));
            let (Some(felt), false) = (felt, wager.broken_down) else { continue };
            let words = felt.is.to_uppercase().replace('\'', "’");
            let codes: Vec<String> = wager.wager.wager().names().into_iter().map(|name| name.code).collect();
            let mut own = layout.areas.iter().filter(|area| area.bets.iter().any(|bet| codes.contains(bet))).peekable();
            assert!(own.peek().is_some(), "{name}: {}", wager.name);
            for area in own {
                let written = written_in(&layout, area);
                assert!(written.iter().any(|text| text.contains(&words)), "{name}: {} says {written:?}", area.id);
            }
            named.insert((rules.book.clone(), felt.is.clone()));
        }
    }
    let of = |book: &str| -> Vec<&str> {
        named.iter().filter(|(known, _)| known == book).map(|(_, words)| words.as_str()).collect()
    };
    let line = ["Come Line", "Don't Come Line", "Don't Pass Line", "Pass Line"];
    let mut all = ["Any Craps", "Any Seven", "Horn Bet", "Horn High Bet", "Whirl Bet"].to_vec();
    all.extend(line);
    all.sort_unstable();
    assert_eq!(of("pa"), all);
    assert_eq!(of("md"), all);
    assert_eq!(of("nj"), ["Come Line", "Don't Come", "Don't Pass Line", "Pass Line"]);
    assert_eq!(of("co-crapless"), ["Come Line", "Pass Line"]);
}

/// Where a book names no words, the area shows the template's words or the name of the bet.
#[test]
fn other_words_on_the_felt_are_those_of_the_template_or_the_name() {
    for (house, horn, high, whirl) in
        [("pa-craps.toml", "HORN BET", "HORN HIGH BET", "WHIRL BET"), ("co-craps.toml", "HORN", "HORN HIGH", "WHIRL")]
    {
        let (_, layout) = sample(house);
        let first = |id: &str| layout.areas.iter().find(|area| area.id == id).unwrap().texts[0].text.clone();
        assert_eq!((first("centre/HN"), first("centre/HH")), (horn.to_owned(), high.to_owned()), "{house}");
        assert_eq!((first("centre/WW"), first("centre/A7")), (whirl.to_owned(), "ANY SEVEN".to_owned()), "{house}");
        // The box of the horn high bet also shows the dice of its totals, as two of the texts want.
        let high = layout.areas.iter().find(|area| area.id == "centre/HH").unwrap();
        let totals: Vec<u8> = high.dice.iter().map(|dice| dice.faces.iter().sum()).collect();
        assert_eq!(totals, [2, 3, 11, 12], "{house}");
    }
}

/// Returns a shipped book with a change in one of its files.
fn changed(path: &str, from: &str, to: &str) -> Library {
    let change = |source: &Source| {
        let text = if source.path == path { source.text.replace(from, to) } else { source.text.clone() };
        assert!(source.path != path || text != source.text, "{path} has no `{from}`");
        Source { path: source.path.clone(), text }
    };
    Library::load(&Library::shipped_sources().iter().map(change).collect::<Vec<_>>()).unwrap()
}

/// Returns a sample house under a changed book.
fn under(library: &Library, house: &str) -> Layout {
    let mut source = HouseRules::samples().into_iter().find(|source| source.path == house).unwrap();
    // The house states where the payouts stand, and the changed book would not allow that.
    let kept = source.text.lines().filter(|line| !line.starts_with("layout.fire_payouts_on"));
    source.text = kept.map(|line| format!("{line}\n")).collect();
    let house = library.house(&source, None).unwrap();
    let book = library.book(&house.book).unwrap();
    let rules = book.admit(&house).unwrap();
    Layout::new(&Template::of(&rules).unwrap(), book, &rules, &Sign::default()).unwrap()
}

#[test]
fn other_words_in_the_book_are_other_words_on_the_felt() {
    let from = "is = \"Whirl Bet\", cite";
    let library = changed("pa/wagers/one_roll.toml", from, "is = \"World Bet\", cite");
    let (before, after) = (sample("pa-craps.toml").1, under(&library, "pa-craps.toml"));
    assert!(says(&before, "WHIRL BET") && !says(&before, "WORLD BET"));
    assert!(says(&after, "WORLD BET") && !says(&after, "WHIRL"));
    // From the day of an amendment.
    let dated = "[{ is = \"Whirl Bet\", until = 2020-01-01, cite = \"PA 623a.3(a)(21)\" }, { is = \"World Bet\", from = 2020-01-01, cite";
    let line = "{ is = \"Whirl Bet\", cite = \"PA 623a.3(a)(21)\" }";
    let library = changed("pa/wagers/one_roll.toml", line, &format!("{dated} = \"PA 623a.3(a)(21)\" }}]"));
    assert!(says(&under(&library, "pa-craps.toml"), "WORLD BET"));
}

/// Returns the texts on the wall and those on the felt.
fn on_wall_and_felt(layout: &Layout) -> (Vec<&Text>, Vec<&Text>) {
    texts(layout).into_iter().partition(|text| on_wall(layout, text))
}

#[test]
fn the_wall_states_the_fire_payouts_window_and_limits_where_the_book_wants_them_there() {
    let mut walls = BTreeSet::new();
    for (name, rules, layout) in layouts() {
        let (wall, felt) = on_wall_and_felt(&layout);
        let shown_on = rules.rules.get("fire.payouts_shown_on").map(|fact| fact.is.answer.clone());
        let offered = layout.prices.contains_key("FIRE");
        if !offered || shown_on != Some(Answer::Word("inside_wall".into())) {
            assert!(wall.is_empty(), "{name}");
            assert!(!offered || felt.iter().any(|text| text.text.starts_with("3: ") || text.text.starts_with("4: ")));
            continue;
        }
        walls.insert(rules.book.clone());
        // On three sides at least, so that everyone can see one.
        assert!(wall.len() >= 3, "{name}");
        let limits =
            rules.wagers.iter().find(|wager| wager.offer.is.key.as_deref() == Some("fire.offered")).unwrap().limits;
        let (low, high) = limits.map(|limits| (limits.min, limits.max.unwrap())).unwrap();
        for text in wall {
            let parts: Vec<&str> = text.text.split(" · ").collect();
            assert!(parts[0] == "FIRE" && parts[1].starts_with("4: ") && parts[3].ends_with(" TO 1"), "{}", text.text);
            assert_eq!(
                parts[4..],
                ["BEFORE A SHOOTER’S FIRST COME-OUT ROLL", &format!("LIMITS {low}–{high}")],
                "{name}"
            );
        }
        assert!(!felt.iter().any(|text| text.text.starts_with("4: ")), "{name}");
    }
    assert_eq!(walls.into_iter().collect::<Vec<_>>(), ["md", "pa"]);
}

#[test]
fn the_books_answer_moves_the_fire_payouts_between_wall_and_felt() {
    let path = "pa/procedure.toml";
    let topic = "topic = \"fire.payouts_shown_on\"\nis    = ";
    let before = sample("pa-craps.toml").1;
    let library = changed(path, &format!("{topic}\"inside_wall\""), &format!("{topic}\"layout_or_sign\""));
    let after = under(&library, "pa-craps.toml");
    assert!(!on_wall_and_felt(&before).0.is_empty() && on_wall_and_felt(&after).0.is_empty());
    assert!(!on_wall_and_felt(&before).1.iter().any(|text| text.text.starts_with("4: ")));
    assert!(on_wall_and_felt(&after).1.iter().any(|text| text.text.starts_with("4: ")));
    // The other way, and with only the payouts on the notice.
    let topic = "topic = \"fire.payouts_shown_on\"\nis    = ";
    let library =
        changed("co/procedure.toml", &format!("{topic}\"layout_or_sign\""), &format!("{topic}\"inside_wall\""));
    let colorado = under(&library, "co-craps.toml");
    let (wall, felt) = on_wall_and_felt(&colorado);
    assert_eq!(wall[0].text, "FIRE · 3: 7 · 4: 30 · 5: 150 · 6: 300 FOR 1");
    assert!(!felt.iter().any(|text| text.text.starts_with("3: 7")));
    // What the notice tells is the book's answer too.
    let tells = "is    = [\"payouts\", \"window\", \"limits\"]\ncite  = \"PA 623a.2(d)(4)(iii)(A)-(C)\"";
    let library = changed(path, tells, &tells.replace("\"window\", ", ""));
    let fewer = under(&library, "pa-craps.toml");
    assert!(on_wall_and_felt(&fewer).0.iter().all(|text| !text.text.contains("SHOOTER")));
}
