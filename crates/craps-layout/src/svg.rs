//! Draws a layout to scale as SVG, to look at, print or file.

use crate::view::{Anchor, Dice, Edge, Face, Fill, Ink, Layout, Mark, MarkerForm, Shape, Text};
use std::fmt::Write as _;

/// Width of the rail around the surface, in millimeters.
const RAIL: i32 = 84;
/// Thickness of the wall between the surface and the rail, in millimeters. Notices on the inside wall are written here.
const WALL: i32 = 18;

const INK: &str = "#F4EDDF";
const GOLD: &str = "#FFD27A";
const LINE: &str = "#DCE6DA";
const DEEP: &str = "#0A4437";
const WELL: &str = "#083A2F";

impl Layout {
    /// Returns the layout as an SVG drawing, in millimeters.
    ///
    /// ```
    /// # use craps_law::{HouseRules, Library};
    /// # use craps_layout::{Layout, Sign, Template};
    /// # let library = Library::shipped();
    /// # let book = library.named("nj")?;
    /// # let rules = book.admit(&HouseRules::plain("nj", book.sample_day))?;
    /// # let layout = Layout::new(&Template::of(&rules)?, book, &rules, &Sign::default())?;
    /// assert!(layout.svg().starts_with("<svg ") && layout.svg().contains("FIELD"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn svg(&self) -> String {
        let (w, h, r) = (self.surface.w, self.surface.h, self.surface.r);
        let (width, height) = (w + 2 * RAIL, h + 2 * RAIL);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}mm\" height=\"{height}mm\" viewBox=\"-{RAIL} -{RAIL} {width} {height}\">\n\
             <title>{}</title>\n<desc>{}</desc>\n",
            escaped(&self.name),
            escaped(&format!("{} layout, playing surface {w} by {h} millimeters, to scale", self.template)),
        );
        frame(&mut out, [-RAIL, -RAIL, width, height], r + RAIL, "#23211F", "#5A5048", 3);
        frame(&mut out, [-WALL, -WALL, w + 2 * WALL, h + 2 * WALL], r + WALL, "#0B0F0D", "#C9A15A", 4);
        frame(&mut out, [0, 0, w, h], r, "#0E5747", "none", 0);
        for area in &self.areas {
            let (stroke, breadth) = edge(area.edge);
            let style = format!("fill=\"{}\" stroke=\"{stroke}\" stroke-width=\"{breadth}\"", fill(area.fill));
            let _ = writeln!(out, "<g id=\"{}\">", escaped(&area.id));
            let _ = writeln!(out, "<title>{} [{}]</title>", escaped(&area.name), escaped(&area.cite));
            shape(&mut out, &area.shape, &style);
            area.dice.iter().for_each(|one| dice(&mut out, one));
            area.texts.iter().for_each(|one| text(&mut out, one));
            out.push_str("</g>\n");
        }
        for mark in &self.marks {
            match mark {
                Mark::Text(one) => text(&mut out, one),
                Mark::Dice(one) => dice(&mut out, one),
                Mark::Rule { x1, y1, x2, y2, ink: one } => {
                    let _ = writeln!(
                        out,
                        "<path d=\"M {x1} {y1} L {x2} {y2}\" stroke=\"{}\" stroke-width=\"3\"/>",
                        ink(*one)
                    );
                }
                Mark::Frame { x, y, w, h, r, fill: filled, edge: edged } => {
                    let (stroke, breadth) = edge(*edged);
                    frame(&mut out, [*x, *y, *w, *h], *r, fill(*filled), stroke, breadth);
                }
            }
        }
        self.markers_on(&mut out);
        self.around(&mut out);
        out.push_str("</svg>\n");
        out
    }

    /// Draws the places for markers that are printed on the felt. Pucks are not printed.
    fn markers_on(&self, out: &mut String) {
        for marker in &self.markers {
            let (x, y, r) = (marker.x, marker.y, marker.r);
            match (marker.form, marker.faces) {
                (MarkerForm::Lammer, _) => {
                    frame(out, [x - r, y - r, 2 * r, 2 * r], r, WELL, LINE, 2);
                    middle(out, (x, y), &marker.label, r + r / 4, INK);
                }
                (MarkerForm::Domino, Some([one, other])) => {
                    frame(out, [x - r, y - 2 * r - 1, 2 * r, 4 * r + 2], r / 2, WELL, LINE, 2);
                    pips(out, (x, y - r), 2 * r, one, INK);
                    pips(out, (x, y + r), 2 * r, other, INK);
                }
                (MarkerForm::Domino | MarkerForm::Puck, _) => {}
            }
        }
    }

    /// Draws the stations and the crew.
    fn around(&self, out: &mut String) {
        for station in &self.stations {
            frame(out, [station.x - 20, station.y - 20, 40, 40], 20, "none", INK, 2);
            middle(out, (station.x, station.y), &station.seat.to_string(), 24, INK);
        }
        for crew in &self.crew {
            middle(out, (crew.x, crew.y), &crew.text, 25, "#E9DFC9");
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const fn fill(fill: Fill) -> &'static str {
    match fill {
        Fill::Felt => "#0F5F4D",
        Fill::Deep => DEEP,
        Fill::Seven => "#9C2A24",
        Fill::None => "none",
    }
}

const fn edge(edge: Edge) -> (&'static str, i32) {
    match edge {
        Edge::Line => (LINE, 4),
        Edge::Gold => (GOLD, 3),
        Edge::Thin => (LINE, 2),
        Edge::None => ("none", 0),
    }
}

const fn ink(ink: Ink) -> &'static str {
    match ink {
        Ink::Ink => INK,
        Ink::Gold => GOLD,
    }
}

fn frame(out: &mut String, [x, y, w, h]: [i32; 4], r: i32, fill: &str, stroke: &str, breadth: i32) {
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" rx=\"{r}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{breadth}\"/>"
    );
}

fn shape(out: &mut String, shape: &Shape, style: &str) {
    let _ = match shape {
        Shape::Circle { cx, cy, r } => writeln!(out, "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\" {style}/>"),
        Shape::Path { d, .. } => writeln!(out, "<path d=\"{d}\" {style}/>"),
        Shape::Rect { x, y, w, h, r: [a, b, c, d] } => {
            let (right, bottom) = (x + w, y + h);
            writeln!(
                out,
                "<path d=\"M {} {y} H {} A {b} {b} 0 0 1 {right} {} V {} A {c} {c} 0 0 1 {} {bottom} H {} A {d} {d} 0 0 1 {x} {} V {} A {a} {a} 0 0 1 {} {y} Z\" {style}/>",
                x + a,
                right - b,
                y + b,
                bottom - c,
                right - c,
                x + d,
                bottom - d,
                y + a,
                x + a,
            )
        }
    };
}

fn text(out: &mut String, text: &Text) {
    let family = match text.face {
        Face::Slab => "Roboto Slab, Rockwell, serif",
        Face::Tight => "Roboto Condensed, Arial Narrow, sans-serif",
        Face::Ui => "Inter, sans-serif",
    };
    let anchor = match text.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    let (x, y, size) = (text.x, text.y, text.size);
    let turn = if text.turn == 0 { String::new() } else { format!(" transform=\"rotate({} {x} {y})\"", text.turn) };
    let spread = if text.spread == 0 { String::new() } else { format!(" letter-spacing=\"{}\"", text.spread) };
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-family=\"{family}\" font-weight=\"700\" font-size=\"{size}\" text-anchor=\"{anchor}\" fill=\"{}\"{spread}{turn}>{}</text>",
        ink(text.ink),
        escaped(&text.text),
    );
}

/// Draws a text centered at a point.
fn middle(out: &mut String, (x, y): (i32, i32), words: &str, size: i32, ink: &str) {
    let y = y + Face::Tight.capitals(size) / 2;
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" font-family=\"Roboto Condensed, Arial Narrow, sans-serif\" font-weight=\"700\" font-size=\"{size}\" text-anchor=\"middle\" fill=\"{ink}\">{}</text>",
        escaped(words),
    );
}

/// Draws a pair of dice side by side, rotated as a pair.
fn dice(out: &mut String, dice: &Dice) {
    let (x, y, size) = (dice.x, dice.y, dice.size);
    if dice.turn != 0 {
        let _ = writeln!(out, "<g transform=\"rotate({} {x} {y})\">", dice.turn);
    }
    for (face, at) in dice.faces.into_iter().zip([x - size * 11 / 20, x + size * 11 / 20]) {
        frame(out, [at - size / 2, y - size / 2, size, size], size / 6, INK, "none", 0);
        pips(out, (at, y), size, face, DEEP);
    }
    if dice.turn != 0 {
        out.push_str("</g>\n");
    }
}

/// Draws the pips of one die on a grid of three by three.
fn pips(out: &mut String, (x, y): (i32, i32), size: i32, face: u8, ink: &str) {
    let places: &[(i32, i32)] = match face {
        1 => &[(0, 0)],
        2 => &[(-1, -1), (1, 1)],
        3 => &[(-1, -1), (0, 0), (1, 1)],
        4 => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        5 => &[(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
        _ => &[(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    };
    let (step, r) = (size / 4, (size / 10).max(1));
    for (across, down) in places {
        let _ =
            writeln!(out, "<circle cx=\"{}\" cy=\"{}\" r=\"{r}\" fill=\"{ink}\"/>", x + across * step, y + down * step);
    }
}
