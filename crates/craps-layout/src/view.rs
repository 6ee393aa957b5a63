//! A layout as it is drawn. All lengths are whole millimetres, x grows to the right and y downward, seen from the stick with the boxperson at the
//! top; the origin is the upper left corner of the playing surface.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A layout: where everything is, and what it says.
///
/// What is drawn later lies on top: the areas in their order, each with its words and dice; then the marks in theirs; then markers, pucks and
/// chips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Layout {
    /// The template it was made from.
    pub template: String,
    /// The name that stands on it.
    pub name: String,
    /// The playing surface.
    pub surface: Surface,
    /// Its ends.
    pub ends: Vec<End>,
    /// Of a layout for a narrow window: the parts that are shown one at a time.
    pub views: Vec<View>,
    /// Where players stand: outside the wall.
    pub stations: Vec<Station>,
    /// Where the crew stands: outside the wall.
    pub crew: Vec<CrewPlace>,
    /// Where the puck lies.
    pub pucks: Vec<PuckPlace>,
    /// Every place where chips stand.
    pub areas: Vec<Area>,
    /// Everything else that is drawn.
    pub marks: Vec<Mark>,
    /// What side bets collect.
    pub markers: Vec<Marker>,
    /// What every bet pays and costs, by its code.
    pub prices: BTreeMap<String, Price>,
}

/// The playing surface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Its length, along the stick's side.
    pub w: i32,
    /// Its width.
    pub h: i32,
    /// The radius of the wall's corners.
    pub r: i32,
}

/// A part of a layout that is looked at by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = LayoutPart))]
pub struct View {
    /// What it is of.
    pub band: Band,
    /// Its left side.
    pub x: i32,
    /// Its upper side.
    pub y: i32,
    /// Its width.
    pub w: i32,
    /// Its height; nothing where nothing lies there.
    pub h: i32,
}

/// An end of the table, or what lies between the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schema(as = TableEnd))]
pub enum End {
    /// To the boxperson's right.
    Left,
    /// To the boxperson's left.
    Right,
    /// Between the ends.
    Centre,
}

impl End {
    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            End::Left => "left",
            End::Right => "right",
            End::Centre => "centre",
        }
    }
}

/// Where a player stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Station {
    /// The seat.
    pub seat: u8,
    /// The middle of the place on the rail.
    pub x: i32,
    /// The middle of the place on the rail.
    pub y: i32,
    /// At which end.
    pub end: End,
    /// At which side of the table.
    pub side: Side,
}

/// A side of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schema(as = TableSide))]
#[expect(missing_docs, reason = "the names are the sides")]
pub enum Side {
    Right,
    Left,
    Bottom,
    Corner,
}

/// A place of the crew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CrewPlace {
    /// Whose.
    pub who: Crew,
    /// The middle of the words.
    pub x: i32,
    /// The middle of the words.
    pub y: i32,
    /// The words.
    pub text: String,
}

/// Somebody of the crew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schema(as = CrewMember))]
#[expect(missing_docs, reason = "the names are theirs")]
pub enum Crew {
    Boxperson,
    Base,
    Stick,
}

/// Where the puck lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PuckPlace {
    /// On this point; 0 is where it lies while there is none.
    pub number: u8,
    /// At which end.
    pub end: End,
    /// Its middle.
    pub x: i32,
    /// Its middle.
    pub y: i32,
}

/// A place where chips stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Area {
    /// Its name on this layout, such as `right/PL6`; `right/FIRE.3` is station 3's own spot.
    pub id: String,
    /// Where it is.
    pub end: End,
    /// What it belongs to.
    pub band: Band,
    /// The station whose own spot it is.
    pub seat: Option<u8>,
    /// The codes of the bets that are laid here, the usual one first.
    pub bets: Vec<String>,
    /// What the book calls the first of them.
    pub name: String,
    /// The sections that authorise it.
    pub cite: String,
    /// Its shape.
    pub shape: Shape,
    /// How it is filled.
    pub fill: Fill,
    /// How it is edged.
    pub edge: Edge,
    /// Its words.
    pub texts: Vec<Text>,
    /// Its dice.
    pub dice: Vec<Dice>,
    /// Where the chips of each station stand.
    pub spots: Vec<Spot>,
    /// How far from the spot the stack of each bet stands; those that are not laid here but come here as well.
    pub stacks: Vec<Stack>,
}

/// What an area belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Band {
    /// Line bets and their odds, come, field.
    Line,
    /// The boxes of the numbers, and don't come.
    Boxes,
    /// Propositions.
    Centre,
    /// Side bets.
    Side,
}

/// A shape.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Shape {
    /// A rectangle.
    Rect {
        /// Its left side.
        x: i32,
        /// Its upper side.
        y: i32,
        /// Its width.
        w: i32,
        /// Its height.
        h: i32,
        /// The radii of its corners: upper left, upper right, lower right, lower left.
        r: [i32; 4],
    },
    /// An outline.
    Path {
        /// Its data, as SVG has it.
        d: String,
        /// The left side of its bounding box.
        x: i32,
        /// The upper side of its bounding box.
        y: i32,
        /// The width of its bounding box.
        w: i32,
        /// The height of its bounding box.
        h: i32,
    },
    /// A circle.
    Circle {
        /// Its middle.
        cx: i32,
        /// Its middle.
        cy: i32,
        /// Its radius.
        r: i32,
    },
}

impl Shape {
    /// Its bounding box: left, top, width, height.
    #[must_use]
    pub const fn bounds(&self) -> (i32, i32, i32, i32) {
        match self {
            Shape::Rect { x, y, w, h, .. } | Shape::Path { x, y, w, h, .. } => (*x, *y, *w, *h),
            Shape::Circle { cx, cy, r } => (*cx - *r, *cy - *r, 2 * *r, 2 * *r),
        }
    }
}

/// How something is filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// Felt a little lighter than the surface.
    Felt,
    /// Felt darker than the surface.
    Deep,
    /// The red of the seven.
    Seven,
    /// Not at all.
    #[default]
    None,
}

/// How something is edged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    /// With a line.
    #[default]
    Line,
    /// With a line in gold.
    Gold,
    /// With a thin line.
    Thin,
    /// Not at all.
    None,
}

/// Words on the felt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FeltText))]
pub struct Text {
    /// Where they are anchored.
    pub x: i32,
    /// The base line; of turned words, where they are turned about.
    pub y: i32,
    /// The words.
    pub text: String,
    /// Their size; they fit at it.
    pub size: i32,
    /// Their face.
    pub face: Face,
    /// Their ink.
    pub ink: Ink,
    /// Which end of them is at the anchor.
    pub anchor: Anchor,
    /// How they are turned about the anchor, in degrees clockwise.
    pub turn: i32,
    /// The greatest length they may have.
    pub fit: Option<i32>,
    /// Additional room between letters.
    pub spread: i32,
}

/// A face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Face {
    /// For the great words and the numbers.
    Slab,
    /// For prices and whatever is narrow.
    #[default]
    Tight,
    /// The face of the page.
    Ui,
}

/// An ink.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names are the inks")]
pub enum Ink {
    #[default]
    Ink,
    Gold,
}

/// Which end of the words is at their anchor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Anchor {
    Start,
    #[default]
    Middle,
    End,
}

/// A pair of dice drawn on the felt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FeltDice))]
pub struct Dice {
    /// The middle of the pair.
    pub x: i32,
    /// The middle of the pair.
    pub y: i32,
    /// The side of one die.
    pub size: i32,
    /// What they show.
    pub faces: [u8; 2],
    /// How the pair is turned, in degrees clockwise.
    pub turn: i32,
}

/// Where the chips of a station stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Spot {
    /// The station.
    pub seat: u8,
    /// The middle of the stack.
    pub x: i32,
    /// The middle of the stack.
    pub y: i32,
}

/// How far from its spot a bet's stack stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ChipStack))]
pub struct Stack {
    /// The code of the bet.
    pub bet: String,
    /// To the right.
    pub dx: i32,
    /// Downward.
    pub dy: i32,
}

/// Something that is drawn and takes no bet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Mark {
    /// Words.
    Text(Text),
    /// Dice.
    Dice(Dice),
    /// A line.
    Rule {
        /// From here.
        x1: i32,
        /// From here.
        y1: i32,
        /// To here.
        x2: i32,
        /// To here.
        y2: i32,
        /// Its ink.
        ink: Ink,
    },
    /// A box, or a circle where its radius is half its width.
    Frame {
        /// Its left side.
        x: i32,
        /// Its upper side.
        y: i32,
        /// Its width.
        w: i32,
        /// Its height.
        h: i32,
        /// The radius of its corners.
        r: i32,
        /// How it is filled.
        fill: Fill,
        /// How it is edged.
        edge: Edge,
    },
}

/// Something that a side bet collects: it lights up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Marker {
    /// The wager by which the table calls the markers of the product.
    pub wager: String,
    /// What it stands for: it is lit while the table names this among the marks of that wager.
    pub key: String,
    /// Its middle.
    pub x: i32,
    /// Its middle.
    pub y: i32,
    /// Its radius; of a domino half its width, which is half its height.
    pub r: i32,
    /// What it looks like.
    pub form: MarkerForm,
    /// What stands on it.
    pub label: String,
    /// The dice of a domino.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<[u8; 2]>,
    /// Where it is.
    pub end: End,
}

/// What a marker looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MarkerForm {
    /// A puck, larger than any chip; it is not there while it is not lit.
    Puck,
    /// A circle on which a lammer is put.
    Lammer,
    /// A pair of dice, one above the other, on which a button is put.
    Domino,
}

/// What a bet pays and costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = BetPrice))]
pub struct Price {
    /// Its code.
    pub bet: String,
    /// What the book calls it.
    pub name: String,
    /// What the button says that lies on its chips, where one tells them from other chips in the same box.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub button: Option<String>,
    /// What it pays, in the book's words.
    pub pays: String,
    /// What a draw before the throw may raise that to.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<String>,
    /// What the house keeps of each unit bet; nothing is said of bets that only come to their number.
    pub edge: Option<String>,
    /// The same of bets that are not pushed.
    pub edge_resolved: Option<String>,
    /// The same for each throw on which it works.
    pub edge_per_throw: Option<String>,
    /// Does it favour the player?
    pub favours_player: Option<bool>,
    /// Where the price stands.
    pub cite: String,
}
