//! Templates: files with the geometry of a kind of table. A template has a place for everything that such a table could offer; the rules of one
//! table decide what is drawn.

use crate::path::Path;
use crate::view::{Anchor, Band, Crew, Edge, End, Face, Fill, Ink, MarkerForm, Side, Surface};
use crate::words::Words;
use craps_law::{Game, LawError, Source, TableRules};
use craps_wagers::{Catalogue, Dial, Points};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use toml::Spanned;

/// File names and texts of the shipped templates.
const SHIPPED: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/layouts.rs"));

/// Width of wall and rail if a template doesn't state it, in millimeters. With it, a surface of 2,560 is a table of ten feet.
const RAIL: i32 = 244;

/// A point: distance to the right, and downward.
pub(crate) type At = [i32; 2];

/// The geometry of a kind of table.
#[derive(Debug, Clone)]
pub struct Template {
    /// Name of the template: its file name without `.toml`.
    pub name: String,
    /// The games it is for.
    pub games: Vec<Game>,
    /// The totals that can be points: `box` or `all_but_seven`.
    points: String,
    /// Size of the playing surface.
    pub surface: Surface,
    /// Width of wall and rail on each side. The table is longer than its surface by twice this.
    pub rail: i32,
    /// The ends of the table. The file describes the right end; the left end is its mirror image.
    pub(crate) ends: Vec<End>,
    /// True if it is for a narrow window. Then only one end is shown, and both ends are drawn like the right one.
    pub narrow: bool,
    /// The parts that a narrow window shows one at a time.
    pub(crate) view: Vec<View>,
    pub(crate) station: Vec<Station>,
    pub(crate) crew: Vec<CrewPlace>,
    pub(crate) ring: Rings,
    /// Names of numbers on the felt that are not written in digits, such as SIX.
    pub(crate) words: BTreeMap<String, String>,
    pub(crate) shelf: Vec<Shelf>,
    pub(crate) perimeter: Option<Perimeter>,
    pub(crate) group: Vec<Group>,
}

/// A template file as written. A file based on another template has only the differences.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    based_on: Option<Spanned<String>>,
    /// Names of groups of the base template to leave out.
    #[serde(default)]
    without: Vec<Spanned<String>>,
    #[serde(default)]
    narrow: bool,
    games: Vec<Game>,
    points: Spanned<String>,
    surface: Option<Surface>,
    rail: Option<Spanned<i32>>,
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

/// A part that is shown by itself.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct View {
    pub band: Band,
    /// Left, top, width, and maximum height.
    pub rect: [i32; 4],
}

/// The position of a player.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Station {
    pub seat: u8,
    pub at: At,
    pub side: Side,
}

/// The position of a crew member.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CrewPlace {
    pub who: Crew,
    pub at: At,
    pub text: String,
    #[serde(default)]
    pub when: Vec<Spanned<String>>,
}

/// The order of the stations' chips inside an area, row by row.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rings {
    /// For areas of an end.
    pub end: Vec<Vec<u8>>,
    /// For areas of the center.
    pub centre: Vec<Vec<u8>>,
    /// For areas with room for only one row.
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

/// Space for panels, one below the other.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Shelf {
    pub name: String,
    pub at: At,
    /// Height of the shelf.
    pub h: i32,
    /// Gap between two panels.
    pub gap: i32,
}

/// The side bet spots in front of each station.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Perimeter {
    /// Half the width of a spot.
    pub r: i32,
    /// Font size of the station's number on it.
    pub size: i32,
    /// The bets that have such spots, in the order in which they fill the places.
    pub bet: Vec<PerimeterBet>,
    pub place: Vec<PerimeterPlace>,
}

/// Appearance of the spots of a side bet.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerimeterBet {
    pub code: Spanned<String>,
    pub form: Form,
    pub edge: Edge,
    pub ink: Ink,
}

/// The places for the spots of a station.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerimeterPlace {
    pub seat: u8,
    pub at: Vec<At>,
}

/// Shape of a spot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Form {
    Circle,
    Square,
}

/// Things that belong together. All their coordinates are relative to the origin of the group.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Group {
    /// Name of the group, used by `without` and by `panel:` conditions.
    #[serde(default)]
    pub name: String,
    pub end: End,
    /// Origin of the group.
    #[serde(default)]
    pub at: At,
    /// The group is repeated for each of these values, with `{n}` replaced by the value.
    #[serde(default = "once")]
    pub each: Vec<String>,
    /// Distance between two repetitions.
    #[serde(default)]
    pub step: At,
    /// The group is repeated for each station of the end, with `{n}` replaced by the station. Its areas belong to that station.
    #[serde(default)]
    pub stations: bool,
    /// Origin on the left end. If set, the group is moved there instead of mirrored, so that it still reads from left to right.
    pub left: Option<i32>,
    /// Height of the group as a panel on a shelf.
    pub panel: Option<i32>,
    /// The space that cells share side by side.
    pub share: Option<Share>,
    /// The group is drawn only if one of these conditions holds. Empty means always.
    #[serde(default)]
    pub when: Vec<Spanned<String>>,
    /// The group is not drawn if one of these conditions holds.
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
    /// Position of the puck on this number.
    pub puck: Option<At>,
    /// Position of the puck when there is no point.
    pub off: Option<At>,
}

fn once() -> Vec<String> {
    vec![String::new()]
}

/// The space that cells share side by side. The cells that are drawn fill it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Share {
    pub w: i32,
    pub h: i32,
}

/// An area that holds chips.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Area {
    pub id: String,
    pub band: Band,
    /// Codes of the bets that players make here.
    #[serde(default)]
    pub bets: Vec<Spanned<String>>,
    /// Codes of bets that lie here if the house breaks them down and gives them no area of their own.
    #[serde(default)]
    pub broken: Vec<Spanned<String>>,
    /// Codes of bets that only move here.
    #[serde(default)]
    pub comes: Vec<Spanned<String>>,
    /// Relative width of a cell in a shared space: 2 is twice as wide as 1.
    #[serde(default = "one")]
    pub wide: u8,
    /// Left, top, width, height. Not used for a cell in a shared space.
    pub rect: Option<[i32; 4]>,
    /// Radii of the rectangle's corners.
    #[serde(default)]
    pub r: [i32; 4],
    /// Center and radius of a circle.
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
    /// Spots for the chips of the stations, in the order of the stations of the end.
    #[serde(default)]
    pub spots: Vec<At>,
    /// Alternatively, the part of the area where the spots stand in rows.
    pub ring: Option<Ring>,
    /// Offset of a bet's stack from the spot, by code, if it is not on the spot.
    #[serde(default)]
    pub shift: BTreeMap<String, At>,
}

/// Rows of spots inside an area.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ring {
    /// Distance from the left and right edge of the area to the first and last spot.
    pub side: i32,
    /// Distance from the top edge to the first row.
    pub top: i32,
    /// Distance from the bottom edge to the last row.
    pub bottom: i32,
    /// Set to 1 for a single row instead of the usual rows.
    pub rows: Option<u8>,
    /// If set, each spot is drawn with the number of its station.
    pub drawn: Option<Drawn>,
}

/// Appearance of a spot that is drawn.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Drawn {
    pub r: i32,
    pub form: Form,
    pub size: i32,
    pub edge: Edge,
    pub ink: Ink,
}

/// A text on the felt.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Text {
    /// Anchor point, at half the height of the capital letters. In a cell of a shared space, relative to the center of its top edge.
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
    /// Number of lines that the text may be broken into to fit.
    #[serde(default = "one")]
    pub lines: u8,
    /// Position on the left end, if it is not mirrored.
    pub left: Option<i32>,
    /// The numbers that are printed in gold.
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
    /// The numbers that the dice show.
    pub faces: Option<[u8; 2]>,
    /// Alternatively, the code of a bet: the dice show the total that it is barred on.
    pub bar: Option<Spanned<String>>,
    #[serde(default)]
    pub turn: i32,
    pub left: Option<i32>,
}

/// A straight line.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Rule {
    pub from: At,
    pub to: At,
    #[serde(default)]
    pub ink: Ink,
}

/// A box, or a circle if its radius is half its width.
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

/// A row of markers for what a side bet collects.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Marker {
    pub code: Spanned<String>,
    /// A marker for each of these numbers. It lights up when the number counts for the bet.
    #[serde(default)]
    pub numbers: Vec<String>,
    /// A marker for each of these counts.
    #[serde(default)]
    pub counts: Vec<u8>,
    /// A marker for every pair of dice with this total.
    pub pairs: Option<String>,
    /// Position of the first marker; for pairs, the center of the row.
    pub at: At,
    #[serde(default)]
    pub step: At,
    pub r: i32,
    pub form: MarkerForm,
    /// Where the payout of each count is written, relative to its marker.
    pub pays: Option<Pays>,
}

/// Payouts next to markers.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pays {
    pub at: At,
    pub size: i32,
    pub fit: i32,
}

impl Template {
    /// Returns the files of the templates that are compiled in.
    #[must_use]
    pub fn shipped() -> Vec<Source> {
        SHIPPED.iter().map(|(path, text)| Source { path: (*path).to_owned(), text: (*text).to_owned() }).collect()
    }

    /// Returns the shipped template for a table.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// use craps_layout::Template;
    /// assert!(Template::of(&rules)?.suits(&rules));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is none for its game. A test checks that every sample house has one.
    pub fn of(rules: &TableRules) -> Result<Template, LawError> {
        Template::found(rules, false)
    }

    /// Returns the shipped template for a table in a narrow window.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # use craps_layout::{Layout, Sign};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// use craps_layout::Template;
    /// let (narrow, wide) = (Template::narrow(&rules)?, Template::of(&rules)?);
    /// let width = |template: &Template| Layout::new(template, book, &rules, &Sign::default()).map(|layout| layout.surface.w);
    /// assert!(width(&narrow)? < width(&wide)?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When there is none for its game. A test checks that every sample house has one.
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
        Err(LawError::of("layouts", format!("there is no template for the game {} with these points", rules.game)))
    }

    /// Returns true if the template is for tables with this game and these points.
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
    /// ```
    /// use craps_law::Source;
    /// use craps_layout::Template;
    /// for source in Template::shipped() {
    ///     Template::read(&source)?;
    /// }
    /// let error = Template::read(&Source { path: "mine.toml".into(), text: "nmae = 'x'".into() }).unwrap_err();
    /// assert!(error.to_string().starts_with("mine.toml:1:1: "));
    /// # Ok::<(), craps_law::LawError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error: bad syntax, an unknown key, an unknown bet code, an unknown placeholder or a malformed outline.
    pub fn read(source: &Source) -> Result<Template, LawError> {
        let file = File::parse(source)?;
        let base = match &file.based_on {
            Some(name) => {
                let shipped =
                    Template::shipped().into_iter().find(|base| base.path == format!("{}.toml", name.as_ref()));
                let base = shipped.map(|base| Ok((File::parse(&base)?, base))).transpose()?;
                // Only one level of inheritance, so that there are no cycles.
                let Some((base, from)) = base.filter(|(base, _)| base.based_on.is_none()) else {
                    let message =
                        format!("expected a template that is not itself based on another, found `{}`", name.as_ref());
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

    /// Returns the values that a group is repeated for.
    pub(crate) fn each(&self, group: &Group) -> Vec<String> {
        if group.stations {
            self.station.iter().map(|station| station.seat.to_string()).collect()
        } else {
            group.each.clone()
        }
    }

    /// Checks what this file itself adds; its `own` groups are the last ones. A code with `{n}` is valid if it is a bet for at least one value.
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
            Some(("wall", bet)) if is_code(bet, each) => Ok(()),
            Some(("wall", bet)) => Err((text.span(), none(bet))),
            Some((kind, name)) => Err((text.span(), format!("there is no {kind} `{name}`"))),
            None if Words::CONDITIONS.contains(&text.as_ref().as_str()) => Ok(()),
            None => code(text, each),
        };
        let words = |text: &Text, each: &[String]| {
            // `{n}` may be inside another placeholder.
            let filled = text.text.as_ref().replace("{n}", "#");
            for (kind, argument) in Words::holes(&filled) {
                let bet = argument.split('/').next().unwrap_or_default().replace('#', "{n}");
                let message = match Words::HOLES.iter().find(|(known, _)| *known == kind) {
                    Some((_, of_a_bet)) if !of_a_bet || is_code(&bet, each) => continue,
                    Some(_) => none(&bet),
                    None => {
                        let known: Vec<&str> = Words::HOLES.iter().map(|(known, _)| *known).collect();
                        format!("unknown placeholder `{{{kind}}}`: expected {}", known.join(", "))
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

    /// Returns the whole template: what the file says, and the rest from its base.
    fn resolve(&self, source: &Source, base: Option<Template>) -> Result<Template, LawError> {
        let groups = base.as_ref().map_or(&[][..], |base| &base.group);
        if let Some(unknown) = self.without.iter().find(|name| !groups.iter().any(|group| group.name == *name.as_ref()))
        {
            let message = format!("the template it is based on has no group `{}`", unknown.as_ref());
            return Err(LawError::at(source, unknown.span(), message));
        }
        let kept = |group: &&Group| !self.without.iter().any(|name| *name.as_ref() == group.name);
        let missing = |what: &str| {
            let message = format!("`{what}` is missing: only a template based on another can leave it out");
            LawError::of(&source.path, message)
        };
        if let Some(rail) = self.rail.as_ref().filter(|rail| *rail.as_ref() < 0) {
            return Err(LawError::at(source, rail.span(), "expected a width of at least 0"));
        }
        let of = base.as_ref();
        let stem = source.path.rsplit('/').next().unwrap_or(&source.path);
        Ok(Template {
            name: stem.strip_suffix(".toml").unwrap_or(stem).to_owned(),
            narrow: self.narrow,
            view: self.view.clone().or(of.map(|base| base.view.clone())).unwrap_or_default(),
            games: self.games.clone(),
            points: self.points.as_ref().clone(),
            surface: self.surface.or(of.map(|base| base.surface)).ok_or_else(|| missing("surface"))?,
            rail: self.rail.as_ref().map(|rail| *rail.as_ref()).or(of.map(|base| base.rail)).unwrap_or(RAIL),
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
