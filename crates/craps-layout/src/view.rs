//! A layout, ready to draw. All lengths are whole millimeters. The view is from the stick, with the boxperson at the top. The origin is the upper
//! left corner of the playing surface; x grows to the right and y downward. A text next to the surface, outside of it, is on the inside wall.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The layout of a table: the position and text of everything on the felt.
///
/// Drawing order, from bottom to top: the areas in their order, each with its texts and dice; then the marks in their order; then markers, pucks
/// and chips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Layout {
    /// Name of the template, such as `ten-foot`.
    pub template: String,
    /// The house name printed on the felt.
    pub name: String,
    /// Size of the playing surface.
    pub surface: Surface,
    /// The ends of the table that the layout shows.
    pub ends: Vec<End>,
    /// Parts that a narrow window shows one at a time; empty for a full layout.
    pub views: Vec<View>,
    /// Positions of the players, outside the wall.
    pub stations: Vec<Station>,
    /// Positions of the crew, outside the wall.
    pub crew: Vec<CrewPlace>,
    /// Positions of the puck.
    pub pucks: Vec<PuckPlace>,
    /// Every area that holds chips.
    pub areas: Vec<Area>,
    /// Everything else that is drawn.
    pub marks: Vec<Mark>,
    /// Markers that light up when a side bet collects something.
    pub markers: Vec<Marker>,
    /// What every bet pays and costs, by its code.
    pub prices: BTreeMap<String, Price>,
}

/// Size of the playing surface, in millimeters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct Surface {
    /// Length, along the stick's side.
    pub w: i32,
    /// Width, from the boxperson to the stick.
    pub h: i32,
    /// Radius of the wall's corners.
    pub r: i32,
}

/// A part of a layout that is shown by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = LayoutPart))]
pub struct View {
    /// The group of bets it shows.
    pub band: Band,
    /// Left edge.
    pub x: i32,
    /// Top edge.
    pub y: i32,
    /// Width.
    pub w: i32,
    /// Height; 0 if the part is empty.
    pub h: i32,
}

/// An end of the table, or the center between the ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schema(as = TableEnd))]
pub enum End {
    /// To the boxperson's right.
    Left,
    /// To the boxperson's left.
    Right,
    /// The center, between the ends.
    Centre,
}

impl End {
    /// Returns the name as written in JSON and in area ids, such as "left".
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            End::Left => "left",
            End::Right => "right",
            End::Centre => "centre",
        }
    }
}

/// The position of a player at the rail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Station {
    /// Number of the seat.
    pub seat: u8,
    /// Center of the position, from the left.
    pub x: i32,
    /// Center of the position, from the top.
    pub y: i32,
    /// The end of the table where the player stands.
    pub end: End,
    /// The side of the table where the player stands.
    pub side: Side,
}

/// A side of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schema(as = TableSide))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Side {
    Right,
    Left,
    Bottom,
    Corner,
}

/// The position of a crew member.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct CrewPlace {
    /// The crew member.
    pub who: Crew,
    /// Center of the label, from the left.
    pub x: i32,
    /// Center of the label, from the top.
    pub y: i32,
    /// Label shown at the position.
    pub text: String,
}

/// A member of the crew.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", schema(as = CrewMember))]
#[expect(missing_docs, reason = "the names say it")]
pub enum Crew {
    Boxperson,
    Base,
    Stick,
}

/// A position of the puck.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PuckPlace {
    /// The point that the puck is on; 0 is the position of the puck when it is off.
    pub number: u8,
    /// The end of the table.
    pub end: End,
    /// Center, from the left.
    pub x: i32,
    /// Center, from the top.
    pub y: i32,
}

/// An area that holds chips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Area {
    /// Unique id on this layout, such as `right/PL6`, or `right/FIRE.3` for the spot of station 3.
    pub id: String,
    /// The end of the table.
    pub end: End,
    /// The group of bets that the area belongs to.
    pub band: Band,
    /// The seat that owns the spot; None if the area is for all players.
    pub seat: Option<u8>,
    /// Codes of the bets that players make here, the usual one first.
    pub bets: Vec<String>,
    /// The book's name for the first bet.
    pub name: String,
    /// Sections of the law that authorize the bet.
    pub cite: String,
    /// Outline of the area.
    pub shape: Shape,
    /// Fill color.
    pub fill: Fill,
    /// Outline style.
    pub edge: Edge,
    /// Texts printed in the area.
    pub texts: Vec<Text>,
    /// Dice printed in the area.
    pub dice: Vec<Dice>,
    /// Where the chips of each seat stand.
    pub spots: Vec<Spot>,
    /// Offset of each bet's stack from the spot, including bets that only move here.
    pub stacks: Vec<Stack>,
}

/// A group of bets on the layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Band {
    /// Line bets and their odds, come, field.
    Line,
    /// The number boxes, and don't come.
    Boxes,
    /// Proposition bets in the center.
    Centre,
    /// Side bets, such as Fire.
    Side,
}

/// The shape of an area.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Shape {
    /// A rectangle with round corners.
    Rect {
        /// Left edge.
        x: i32,
        /// Top edge.
        y: i32,
        /// Width.
        w: i32,
        /// Height.
        h: i32,
        /// Radii of the corners: upper left, upper right, lower right, lower left.
        r: [i32; 4],
    },
    /// An outline of lines and arcs.
    Path {
        /// SVG path data.
        d: String,
        /// Left edge of the bounding box.
        x: i32,
        /// Top edge of the bounding box.
        y: i32,
        /// Width of the bounding box.
        w: i32,
        /// Height of the bounding box.
        h: i32,
    },
    /// A circle.
    Circle {
        /// Center, from the left.
        cx: i32,
        /// Center, from the top.
        cy: i32,
        /// Radius.
        r: i32,
    },
}

impl Shape {
    /// Returns the bounding box: left, top, width, height.
    #[must_use]
    pub const fn bounds(&self) -> (i32, i32, i32, i32) {
        match self {
            Shape::Rect { x, y, w, h, .. } | Shape::Path { x, y, w, h, .. } => (*x, *y, *w, *h),
            Shape::Circle { cx, cy, r } => (*cx - *r, *cy - *r, 2 * *r, 2 * *r),
        }
    }
}

/// Fill color of an area or frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Fill {
    /// A little lighter than the surface.
    Felt,
    /// Darker than the surface.
    Deep,
    /// The red of the seven.
    Seven,
    /// No fill.
    #[default]
    None,
}

/// Outline style of an area or frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Edge {
    /// A line.
    #[default]
    Line,
    /// A gold line.
    Gold,
    /// A thin line.
    Thin,
    /// No outline.
    None,
}

/// Text on the felt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = FeltText))]
pub struct Text {
    /// Anchor point, from the left.
    pub x: i32,
    /// Anchor point, from the top: the baseline of the text. Turned text is rotated about this point.
    pub y: i32,
    /// The text to print.
    pub text: String,
    /// Font size, already reduced so that the text fits.
    pub size: i32,
    /// Typeface.
    pub face: Face,
    /// Color of the text.
    pub ink: Ink,
    /// Which part of the text is at the anchor point.
    pub anchor: Anchor,
    /// Rotation about the anchor point, in degrees clockwise.
    pub turn: i32,
    /// Maximum length; None means no limit.
    pub fit: Option<i32>,
    /// Extra space between letters.
    pub spread: i32,
}

/// A typeface.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Face {
    /// For large words and numbers.
    Slab,
    /// For prices and narrow places.
    #[default]
    Tight,
    /// The typeface of the web page.
    Ui,
}

/// Color of a text or line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the names say it")]
pub enum Ink {
    #[default]
    Ink,
    Gold,
}

/// Which part of a text is at its anchor point.
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
    /// Center of the pair, from the left.
    pub x: i32,
    /// Center of the pair, from the top.
    pub y: i32,
    /// Side length of one die.
    pub size: i32,
    /// The numbers that the two dice show.
    pub faces: [u8; 2],
    /// Rotation of the pair, in degrees clockwise.
    pub turn: i32,
}

/// Where the chips of a seat stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Spot {
    /// Number of the seat.
    pub seat: u8,
    /// Center of the stack, from the left.
    pub x: i32,
    /// Center of the stack, from the top.
    pub y: i32,
}

/// Offset of a bet's stack from its spot.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = ChipStack))]
pub struct Stack {
    /// Code of the bet, such as `PL6`.
    pub bet: String,
    /// Offset to the right.
    pub dx: i32,
    /// Offset downward.
    pub dy: i32,
}

/// Something that is drawn but takes no bets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Mark {
    /// A text outside of any area.
    Text(Text),
    /// A pair of dice outside of any area.
    Dice(Dice),
    /// A straight line.
    Rule {
        /// Start, from the left.
        x1: i32,
        /// Start, from the top.
        y1: i32,
        /// End, from the left.
        x2: i32,
        /// End, from the top.
        y2: i32,
        /// Color of the line.
        ink: Ink,
    },
    /// A box, or a circle if its radius is half its width.
    Frame {
        /// Left edge.
        x: i32,
        /// Top edge.
        y: i32,
        /// Width.
        w: i32,
        /// Height.
        h: i32,
        /// Radius of the corners.
        r: i32,
        /// Fill color.
        fill: Fill,
        /// Outline style.
        edge: Edge,
    },
}

/// A marker that lights up when a side bet has collected it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct Marker {
    /// Slug of the wager that tracks the markers of the side bet.
    pub wager: String,
    /// The mark that lights it, such as `4` or `1-3`: it is lit while the table lists this mark for the wager.
    pub key: String,
    /// Center, from the left.
    pub x: i32,
    /// Center, from the top.
    pub y: i32,
    /// Radius. For a domino, half the width; its height is twice its width.
    pub r: i32,
    /// Appearance of the marker.
    pub form: MarkerForm,
    /// Text printed on it.
    pub label: String,
    /// Numbers on the dice of a domino; absent for other forms.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<[u8; 2]>,
    /// The end of the table.
    pub end: End,
}

/// Appearance of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum MarkerForm {
    /// A puck, larger than any chip. It is shown only while it is lit.
    Puck,
    /// A circle for a lammer.
    Lammer,
    /// A pair of dice, one above the other, for a button.
    Domino,
}

/// What a bet pays and costs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "schema", schema(as = BetPrice))]
pub struct Price {
    /// Code of the bet, such as `PL6`.
    pub bet: String,
    /// The book's name for the bet.
    pub name: String,
    /// Text of the button on its chips, such as `BUY`; absent if the bet needs no button.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub button: Option<String>,
    /// Payout, such as `7 to 6`.
    pub pays: String,
    /// Payout in a few words: the highest of several, such as `≤ 30 to 1`.
    pub short: String,
    /// Payouts that a draw before the roll may raise it to; absent if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub raised: Vec<String>,
    /// House edge per unit bet, as a fraction such as `7/495`. None if not computed, as for bets that only move to their number.
    pub edge: Option<String>,
    /// House edge per unit bet, not counting pushes.
    pub edge_resolved: Option<String>,
    /// House edge per unit bet for each roll on which the bet works.
    pub edge_per_throw: Option<String>,
    /// True if the bet favors the player.
    pub favours_player: Option<bool>,
    /// Section of the law that sets the payout.
    pub cite: String,
}
