//! Templates: the geometry of a kind of table, as a file. A template says where everything would lie that such a table could offer; the rules of
//! one table say what of it there is.

use crate::path::Path;
use crate::view::{Anchor, Band, Crew, Edge, End, Face, Fill, Ink, MarkerForm, Side, Surface};
use crate::words::Words;
use craps_law::{Game, LawError, Source, TableRules};
use craps_wagers::{Catalogue, Dial, Points};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;

/// Names and texts.
const SHIPPED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/layouts.rs"));

/// A place: to the right, and downward.
pub(crate) type At = [i32; 2];

/// The geometry of a kind of table.
#[derive(Debug, Clone)]
pub struct Template {
    /// What it is called: the name of its file.
    pub name: String,
    /// The games it is for.
    pub games: Vec<Game>,
    /// The totals that set a point in them, in the word of the dial.
    points: String,
    /// The playing surface.
    pub surface: Surface,
    /// Its ends. What is written of the right end is on the left one too, mirrored.
    pub(crate) ends: Vec<End>,
    /// Is it for a narrow window? Then one end is shown, whichever it is, as the right one is written.
    pub narrow: bool,
    /// The parts that such a window shows one at a time.
    pub(crate) view: Vec<View>,
    pub(crate) station: Vec<Station>,
    pub(crate) crew: Vec<CrewPlace>,
    pub(crate) ring: Rings,
    /// What numbers are called on the felt, where not by their figures.
    pub(crate) words: BTreeMap<String, String>,
    pub(crate) shelf: Vec<Shelf>,
    pub(crate) perimeter: Option<Perimeter>,
    pub(crate) group: Vec<Group>,
}

/// A template as it is written. One that is based on another says only what differs.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    based_on: Option<Spanned<String>>,
    /// The groups of the other that it does without, by name.
    #[serde(default)]
    without: Vec<Spanned<String>>,
    #[serde(default)]
    narrow: bool,
    games: Vec<Game>,
    points: Spanned<String>,
    surface: Option<Surface>,
    ends: Option<Vec<End>>,
    view: Option<Vec<View>>,
    station: Option<Vec<Station>>,
    crew: Option<Vec<CrewPlace>>,
    ring: Option<Rings>,
    words: Option<BTreeMap<String, String>>,
    shelf: Option<Vec<Shelf>>,
    perimeter: Option<Perimeter>,
    #[serde(default)]
    group: Vec<Group>,
}

/// A part that is looked at by itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct View {
    pub band: Band,
    /// Left, top, width, and the greatest height.
    pub rect: [i32; 4],
}

/// Where a player stands.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Station {
    pub seat: u8,
    pub at: At,
    pub side: Side,
}

/// Where somebody of the crew stands.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CrewPlace {
    pub who: Crew,
    pub at: At,
    pub text: String,
    #[serde(default)]
    pub when: Vec<Spanned<String>>,
}

/// In which order the stations stand inside an area, row by row.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rings {
    /// In areas of an end.
    pub end: Vec<Vec<u8>>,
    /// In areas of the centre.
    pub centre: Vec<Vec<u8>>,
    /// In areas with room for one row only.
    pub row: Vec<Vec<u8>>,
}

impl Rings {
    pub(crate) fn of(&self, ring: &Ring, end: End) -> &[Vec<u8>] {
        match (ring.rows, end) {
            (Some(1), _) => &self.row,
            (_, End::Centre) => &self.centre,
            _ => &self.end,
        }
    }
}

/// Room in which panels stand one under the other.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shelf {
    pub name: String,
    pub at: At,
    /// How high it is.
    pub h: i32,
    /// The room between two panels.
    pub gap: i32,
}

/// The spots of side bets before each station.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Perimeter {
    /// Half the width of a spot.
    pub r: i32,
    /// The size of the station's number on it.
    pub size: i32,
    /// The bets that have such spots, in the order in which they take the places.
    pub bet: Vec<PerimeterBet>,
    pub place: Vec<PerimeterPlace>,
}

/// What the spots of a side bet look like.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerimeterBet {
    pub code: Spanned<String>,
    pub form: Form,
    pub edge: Edge,
    pub ink: Ink,
}

/// Where the spots of a station are.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerimeterPlace {
    pub seat: u8,
    pub at: Vec<At>,
}

/// Round or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    Circle,
    Square,
}

/// Things that belong together. All their places are counted from where the group begins.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    /// What it is called, for whoever does without it or asks whether it is there.
    #[serde(default)]
    pub name: String,
    pub end: End,
    /// Where it begins.
    #[serde(default)]
    pub at: At,
    /// It is there once for each of these: `{n}` stands for them.
    #[serde(default = "once")]
    pub each: Vec<String>,
    /// How far apart.
    #[serde(default)]
    pub step: At,
    /// It is there once for each station of the end, and `{n}` is the station: what takes bets is its own.
    #[serde(default)]
    pub stations: bool,
    /// Where it begins on the left end, and then it is moved there and not mirrored: what reads from left to right goes on doing so.
    pub left: Option<i32>,
    /// It stands on a shelf and is so high.
    pub panel: Option<i32>,
    /// The shared room of cells side by side.
    pub share: Option<Share>,
    /// It is there only where one of these is.
    #[serde(default)]
    pub when: Vec<Spanned<String>>,
    /// It is not there where one of these is.
    #[serde(default)]
    pub unless: Vec<Spanned<String>>,
    #[serde(default)]
    pub area: Vec<Area>,
    #[serde(default)]
    pub text: Vec<Text>,
    #[serde(default)]
    pub dice: Vec<Dice>,
    #[serde(default)]
    pub rule: Vec<Rule>,
    #[serde(default)]
    pub frame: Vec<Frame>,
    #[serde(default)]
    pub marker: Vec<Marker>,
    /// Where the puck lies on this number.
    pub puck: Option<At>,
    /// Where the puck lies while there is no point.
    pub off: Option<At>,
}

fn once() -> Vec<String> {
    vec![String::new()]
}

/// Cells side by side that share a room, however many there are.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Share {
    pub w: i32,
    pub h: i32,
}

/// A place where chips stand.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Area {
    pub id: String,
    pub band: Band,
    /// What is laid here.
    #[serde(default)]
    pub bets: Vec<Spanned<String>>,
    /// What is laid here where it has no area of its own.
    #[serde(default)]
    pub broken: Vec<Spanned<String>>,
    /// What only comes here.
    #[serde(default)]
    pub comes: Vec<Spanned<String>>,
    /// Of a cell that shares its room: so many times as wide as the others.
    #[serde(default = "one")]
    pub wide: u8,
    /// Left, top, width, height; none of a cell that shares its room.
    pub rect: Option<[i32; 4]>,
    /// The radii of the rectangle's corners.
    #[serde(default)]
    pub r: [i32; 4],
    /// Middle and radius.
    pub circle: Option<[i32; 3]>,
    pub path: Option<Spanned<String>>,
    #[serde(default)]
    pub fill: Fill,
    #[serde(default)]
    pub edge: Edge,
    #[serde(default)]
    pub text: Vec<Text>,
    #[serde(default)]
    pub dice: Vec<Dice>,
    /// Where the chips of the stations stand, in the order of the stations of the end.
    #[serde(default)]
    pub spots: Vec<At>,
    /// Or in which part of the area they stand in rows.
    pub ring: Option<Ring>,
    /// How far from the spot the stack of a bet stands, where not upon it.
    #[serde(default)]
    pub shift: BTreeMap<String, At>,
}

/// Rows of spots inside an area.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ring {
    /// From the left and right side of the area to the first and last spot.
    pub side: i32,
    /// From its upper side to the first row.
    pub top: i32,
    /// From its lower side to the last row.
    pub bottom: i32,
    /// One row instead of what is usual.
    pub rows: Option<u8>,
    /// Each spot is drawn, with the number of its station.
    pub drawn: Option<Drawn>,
}

/// A spot that is drawn.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Drawn {
    pub r: i32,
    pub form: Form,
    pub size: i32,
    pub edge: Edge,
    pub ink: Ink,
}

/// Words.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    /// Where they are anchored, at half the height of their capitals; of a cell that shares its room, counted from its middle and top.
    pub at: At,
    pub text: Spanned<String>,
    pub size: i32,
    #[serde(default)]
    pub face: Face,
    #[serde(default)]
    pub ink: Ink,
    #[serde(default)]
    pub anchor: Anchor,
    #[serde(default)]
    pub turn: i32,
    pub fit: Option<i32>,
    #[serde(default)]
    pub spread: i32,
    /// Into how many lines they may be broken to fit.
    #[serde(default = "one")]
    pub lines: u8,
    /// Where they are on the left end, if not mirrored.
    pub left: Option<i32>,
    /// The numbers that are in gold.
    #[serde(default)]
    pub gold: Vec<String>,
    #[serde(default)]
    pub when: Vec<Spanned<String>>,
    #[serde(default)]
    pub unless: Vec<Spanned<String>>,
}

fn one() -> u8 {
    1
}

/// A pair of dice.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Dice {
    pub at: At,
    pub size: i32,
    /// What they show.
    pub faces: Option<[u8; 2]>,
    /// Or the total that this bet is barred on.
    pub bar: Option<Spanned<String>>,
    #[serde(default)]
    pub turn: i32,
    pub left: Option<i32>,
}

/// A line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub from: At,
    pub to: At,
    #[serde(default)]
    pub ink: Ink,
}

/// A box, or a circle where its radius is half its width.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Frame {
    pub rect: [i32; 4],
    #[serde(default)]
    pub r: i32,
    #[serde(default)]
    pub fill: Fill,
    #[serde(default)]
    pub edge: Edge,
}

/// What a side bet collects: markers in a row.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Marker {
    pub code: Spanned<String>,
    /// Numbers: each lights up once it counts for the bet.
    #[serde(default)]
    pub numbers: Vec<String>,
    /// Or counts.
    #[serde(default)]
    pub counts: Vec<u8>,
    /// Or every pair of dice that makes this number.
    pub pairs: Option<String>,
    /// The first; of pairs, the middle of the row.
    pub at: At,
    #[serde(default)]
    pub step: At,
    pub r: i32,
    pub form: MarkerForm,
    /// What each count pays, written so far from its marker.
    pub pays: Option<Pays>,
}

/// Prices beside markers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pays {
    pub at: At,
    pub size: i32,
    pub fit: i32,
}

impl Template {
    /// The templates that are part of this program, as files.
    #[must_use]
    pub fn shipped() -> Vec<Source> {
        SHIPPED.iter().map(|(path, text)| Source { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
    }

    /// The shipped template for a table.
    ///
    /// # Errors
    /// When there is none for its game; a test sees to it that there is one for every sample house.
    pub fn of(rules: &TableRules) -> Result<Template, LawError> {
        Template::found(rules, false)
    }

    /// The shipped template for a table in a narrow window.
    ///
    /// # Errors
    /// When there is none for its game; a test sees to it that there is one for every sample house.
    pub fn narrow(rules: &TableRules) -> Result<Template, LawError> {
        Template::found(rules, true)
    }

    fn found(rules: &TableRules, narrow: bool) -> Result<Template, LawError> {
        for source in Template::shipped() {
            let template = Template::read(&source)?;
            if template.narrow == narrow && template.suits(rules) {
                return Ok(template);
            }
        }
        Err(LawError::of("layouts", format!("no template is for the game {} with these points", rules.game)))
    }

    /// Is it for tables like this one?
    #[must_use]
    pub fn suits(&self, rules: &TableRules) -> bool {
        let points = match rules.points {
            Points::Box => 0,
            Points::AllButSeven => 1,
        };
        self.games.contains(&rules.game) && Dial::Points.words().get(points) == Some(&self.points.as_str())
    }

    /// Reads a template.
    ///
    /// # Errors
    /// At the first thing that is malformed: syntax, unknown keys, codes of no bet, words that stand for nothing, outlines that are none.
    pub fn read(source: &Source) -> Result<Template, LawError> {
        let file = File::parse(source)?;
        let base = match &file.based_on {
            Some(name) => {
                let shipped =
                    Template::shipped().into_iter().find(|base| base.path == format!("{}.toml", name.as_ref()));
                let base = shipped.map(|base| Ok((File::parse(&base)?, base))).transpose()?;
                // One step, so that nothing goes round.
                let Some((base, from)) = base.filter(|(base, _)| base.based_on.is_none()) else {
                    let message =
                        format!("expected a template that is not based on another itself, found `{}`", name.as_ref());
                    return Err(LawError::at(source, name.span(), message));
                };
                Some(base.resolve(&from, None)?)
            }
            None => None,
        };
        let template = file.resolve(source, base)?;
        let wrong = |(span, message): (Range<usize>, String)| LawError::at(source, span, message);
        template.verify(file.group.len()).map_err(wrong)?;
        Ok(template)
    }

    /// What a group is there once for each of.
    pub(crate) fn each(&self, group: &Group) -> Vec<String> {
        if group.stations {
            self.station.iter().map(|station| station.seat.to_string()).collect()
        } else {
            group.each.clone()
        }
    }

    /// Judges what this file itself says: its groups are the last ones. A code with a number in it is one if it is for some of the numbers.
    fn verify(&self, own: usize) -> Result<(), (Range<usize>, String)> {
        let known: BTreeSet<String> =
            Catalogue::current().all().flat_map(|id| id.wager().names()).map(|name| name.code).collect();
        let is_code = |code: &str, each: &[String]| {
            each.iter().map(|n| code.replace("{n}", n)).any(|code| match code.strip_suffix('*') {
                Some(stem) => known.iter().any(|known| known.starts_with(stem)),
                None => known.contains(&code),
            })
        };
        let none = |code: &str| format!("no bet has the code `{code}`");
        let code = |code: &Spanned<String>, each: &[String]| {
            if is_code(code.as_ref(), each) { Ok(()) } else { Err((code.span(), none(code.as_ref()))) }
        };
        let condition = |text: &Spanned<String>, each: &[String]| match text.as_ref().split_once(':') {
            Some(("shelf", name)) if self.shelf.iter().any(|shelf| shelf.name == name) => Ok(()),
            Some(("panel", name)) if self.group.iter().any(|group| group.name == name) => Ok(()),
            Some((kind, name)) => Err((text.span(), format!("no {kind} is called `{name}`"))),
            None if Words::CONDITIONS.contains(&text.as_ref().as_str()) => Ok(()),
            None => code(text, each),
        };
        let words = |text: &Text, each: &[String]| {
            // The number may stand inside of what else stands in braces.
            let filled = text.text.as_ref().replace("{n}", "#");
            for (kind, argument) in Words::holes(&filled) {
                let bet = argument.split('/').next().unwrap_or_default().replace('#', "{n}");
                let message = match Words::HOLES.iter().find(|(known, _)| *known == kind) {
                    Some((_, of_a_bet)) if !of_a_bet || is_code(&bet, each) => continue,
                    Some(_) => none(&bet),
                    None => {
                        let known: Vec<&str> = Words::HOLES.iter().map(|(known, _)| *known).collect();
                        format!("`{{{kind}}}` stands for nothing: expected {}", known.join(", "))
                    }
                };
                return Err((text.text.span(), message));
            }
            text.when.iter().chain(&text.unless).try_for_each(|one| condition(one, each))
        };
        let dice = |dice: &Dice, each: &[String]| dice.bar.iter().try_for_each(|bet| code(bet, each));
        let once = once();
        self.crew.iter().flat_map(|crew| &crew.when).try_for_each(|one| condition(one, &once))?;
        self.perimeter.iter().flat_map(|all| &all.bet).try_for_each(|bet| code(&bet.code, &once))?;
        for group in &self.group[self.group.len() - own..] {
            let each = &self.each(group);
            group.when.iter().chain(&group.unless).try_for_each(|one| condition(one, each))?;
            group.text.iter().try_for_each(|text| words(text, each))?;
            group.dice.iter().try_for_each(|one| dice(one, each))?;
            group.marker.iter().try_for_each(|marker| code(&marker.code, each))?;
            for area in &group.area {
                area.bets.iter().chain(&area.broken).chain(&area.comes).try_for_each(|bet| code(bet, each))?;
                area.text.iter().try_for_each(|text| words(text, each))?;
                area.dice.iter().try_for_each(|one| dice(one, each))?;
                if let Some(path) = &area.path {
                    Path::read(path.as_ref()).map_err(|message| (path.span(), message))?;
                }
            }
        }
        Ok(())
    }
}

impl File {
    fn parse(source: &Source) -> Result<File, LawError> {
        let file: File = toml::from_str(&source.text).map_err(|error| LawError::toml(source, &error))?;
        let dial = Dial::Points.words();
        if !dial.contains(&file.points.as_ref().as_str()) {
            let message = format!("expected one of: {}", dial.join(", "));
            return Err(LawError::at(source, file.points.span(), message));
        }
        Ok(file)
    }

    /// The whole template: what the file says, and where it says nothing what the other does.
    fn resolve(&self, source: &Source, base: Option<Template>) -> Result<Template, LawError> {
        let groups = base.as_ref().map_or(&[][..], |base| &base.group);
        if let Some(unknown) = self.without.iter().find(|name| !groups.iter().any(|group| group.name == *name.as_ref()))
        {
            let message = format!("the template it is based on has no group `{}`", unknown.as_ref());
            return Err(LawError::at(source, unknown.span(), message));
        }
        let kept = |group: &&Group| !self.without.iter().any(|name| *name.as_ref() == group.name);
        let missing = |what: &str| {
            let message = format!("`{what}` is missing: only a template that is based on another leaves it out");
            LawError::of(&source.path, message)
        };
        let of = base.as_ref();
        let stem = source.path.rsplit('/').next().unwrap_or(&source.path);
        Ok(Template {
            name: stem.strip_suffix(".toml").unwrap_or(stem).to_owned(),
            narrow: self.narrow,
            view: self.view.clone().or(of.map(|base| base.view.clone())).unwrap_or_default(),
            games: self.games.clone(),
            points: self.points.as_ref().clone(),
            surface: self.surface.or(of.map(|base| base.surface)).ok_or_else(|| missing("surface"))?,
            ends: self.ends.clone().or(of.map(|base| base.ends.clone())).ok_or_else(|| missing("ends"))?,
            station: self.station.clone().or(of.map(|base| base.station.clone())).ok_or_else(|| missing("station"))?,
            crew: self.crew.clone().or(of.map(|base| base.crew.clone())).unwrap_or_default(),
            ring: self.ring.clone().or(of.map(|base| base.ring.clone())).ok_or_else(|| missing("ring"))?,
            words: self.words.clone().or(of.map(|base| base.words.clone())).unwrap_or_default(),
            shelf: self.shelf.clone().or(of.map(|base| base.shelf.clone())).unwrap_or_default(),
            perimeter: self.perimeter.clone().or(of.and_then(|base| base.perimeter.clone())),
            group: groups.iter().filter(kept).chain(&self.group).cloned().collect(),
        })
    }
}
