//! Lines, axes and text of a drawing, as SVG.

#![allow(clippy::float_arithmetic, reason = "places on a drawing")]

use std::fmt::Write as _;

/// A drawing under construction.
#[derive(Debug, Default)]
pub(super) struct Svg(String);

/// Which part of a text is at its position.
#[derive(Debug, Clone, Copy)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn word(self) -> &'static str {
        match self {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        }
    }
}

impl Svg {
    /// Adds a text unchanged.
    pub(super) fn raw(&mut self, text: &str) -> &mut Svg {
        self.0.push_str(text);
        self
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) -> &mut Svg {
        let ((x1, y1), (x2, y2)) = (from, to);
        // Writing to a string never fails.
        let _ = writeln!(self.0, r#"<line class="{class}" x1="{x1:.1}" y1="{y1:.1}" x2="{x2:.1}" y2="{y2:.1}"/>"#);
        self
    }

    pub(super) fn path(&mut self, class: &str, points: &[(f64, f64)], closed: bool) -> &mut Svg {
        let mut at = String::new();
        for (place, (x, y)) in points.iter().enumerate() {
            let _ = write!(at, "{}{x:.1} {y:.1}", if place == 0 { 'M' } else { 'L' });
        }
        let end = if closed { "Z" } else { "" };
        let _ = writeln!(self.0, r#"<path class="{class}" d="{at}{end}"/>"#);
        self
    }

    /// Adds a bar with a tooltip.
    pub(super) fn bar(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), title: &str) -> &mut Svg {
        let ((x, y), (width, height)) = (corner, size);
        let round = (width / 4.0).min(height).clamp(0.0, 2.0);
        let _ = writeln!(
            self.0,
            r#"<rect class="{class}" x="{x:.2}" y="{y:.2}" width="{width:.2}" height="{height:.2}" rx="{round:.1}"><title>{}</title></rect>"#,
            escaped(title)
        );
        self
    }

    pub(super) fn rect(&mut self, class: &str, corner: (f64, f64), size: (f64, f64), round: f64) -> &mut Svg {
        let ((x, y), (width, height)) = (corner, size);
        let _ = writeln!(
            self.0,
            r#"<rect class="{class}" x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{height:.1}" rx="{round}"/>"#
        );
        self
    }

    pub(super) fn dot(&mut self, class: &str, (x, y): (f64, f64), radius: f64) -> &mut Svg {
        let _ = writeln!(self.0, r#"<circle class="{class}" cx="{x:.1}" cy="{y:.1}" r="{radius}"/>"#);
        self
    }

    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, text: &str) -> &mut Svg {
        let _ = writeln!(
            self.0,
            r#"<text class="{class}" x="{x:.1}" y="{y:.1}" text-anchor="{}">{}</text>"#,
            anchor.word(),
            escaped(text)
        );
        self
    }

    /// Adds two texts on one line, the first in bold.
    pub(super) fn label(&mut self, (x, y): (f64, f64), heavy: &str, light: &str) -> &mut Svg {
        let _ = writeln!(
            self.0,
            r#"<text class="t2" x="{x:.1}" y="{y:.1}"><tspan class="tb">{}</tspan> {}</text>"#,
            escaped(heavy),
            escaped(light)
        );
        self
    }

    /// Returns the finished drawing, `size` wide and high, with a description for screen readers.
    pub(super) fn whole(self, size: (f64, f64), place: Option<(f64, f64)>, words: &str) -> String {
        let (width, height) = size;
        let place = place.map_or(String::new(), |(x, y)| {
            format!(r#" x="{x:.0}" y="{y:.0}" width="{width:.0}" height="{height:.0}""#)
        });
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\"{place} viewBox=\"0 0 {width:.0} {height:.0}\" \
             role=\"img\" aria-label=\"{}\">\n{}</svg>\n",
            escaped(words),
            self.0
        )
    }
}

/// Escapes a text for a page, and replaces minus signs before dollars with typographic ones.
pub(super) fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    text.replace("-$", "−$")
}

/// Maps a range of numbers to a range of coordinates.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    at: f64,
    length: f64,
    /// The round step that its ends are multiples of.
    step: Option<f64>,
}

impl Scale {
    /// Maps `low` to `at` and `high` to `at + length`. A negative length goes up.
    pub(super) fn new(low: f64, high: f64, at: f64, length: f64) -> Scale {
        let high = if high > low { high } else { low + 1.0 };
        Scale { low, high, at, length, step: None }
    }

    pub(super) fn place(&self, number: f64) -> f64 {
        self.at + (number - self.low) / (self.high - self.low) * self.length
    }

    /// Returns round numbers on the scale, about this many if its ends aren't round themselves.
    pub(super) fn ticks(&self, about: u32) -> Vec<f64> {
        let step = self.step.unwrap_or_else(|| round_step((self.high - self.low) / f64::from(about.max(1))));
        let first = (self.low / step).ceil();
        let places = (0..100).map(|at| (first + f64::from(at)) * step);
        places.take_while(|tick| *tick <= self.high + step * 1e-9).map(crate::answer::tidy).collect()
    }

    /// Creates a scale whose ends are round numbers.
    pub(super) fn rounded(low: f64, high: f64, about: u32, at: f64, length: f64) -> Scale {
        let step = round_step((high - low).max(f64::MIN_POSITIVE) / f64::from(about.max(1)));
        let scale = Scale::new((low / step).floor() * step, (high / step).ceil() * step, at, length);
        Scale { step: Some(step), ..scale }
    }
}

/// Returns the next round number: 1, 2, 2.5, 3 or 5 times a power of ten.
fn round_step(step: f64) -> f64 {
    if !step.is_normal() {
        return 1.0;
    }
    let power = 10f64.powf(step.log10().floor());
    let rounds = [1.0, 2.0, 2.5, 3.0, 5.0, 10.0];
    let digit = rounds.into_iter().find(|digit| digit * power >= step * (1.0 - 1e-9)).unwrap_or(10.0);
    digit * power
}

/// Moves labels apart until none covers another, in their order from top to bottom.
pub(super) fn apart(mut places: Vec<f64>, gap: f64, top: f64, bottom: f64) -> Vec<f64> {
    let mut least = top;
    for place in &mut places {
        *place = place.max(least);
        least = *place + gap;
    }
    let mut most = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(most);
        most = *place - gap;
    }
    places
}

/// Colors for light and dark mode, from the design.
const COLOURS: [(&str, &str, &str, &str); 24] = [
    (".bg", "fill", "#EAE7E0", "#121517"),
    (".box", "fill", "#FFFFFF", "#1B1F23"),
    (".box", "stroke", "#DAD5CB", "#323A41"),
    (".t1", "fill", "#1D1B18", "#F1EEE7"),
    (".t2", "fill", "#57524A", "#B7BBBC"),
    (".t3", "fill", "#6A645B", "#98A0A5"),
    (".tb", "fill", "#1D1B18", "#F1EEE7"),
    (".hair", "stroke", "#DAD5CB", "#323A41"),
    (".edge", "stroke", "#857E73", "#77828C"),
    (".zero", "stroke", "#1D1B18", "#F1EEE7"),
    (".f1", "fill", "#DBE7F6", "#1D3350"),
    (".f1h", "fill", "#AAC8EE", "#2F5688"),
    (".f2", "fill", "#AAC8EE", "#2F5688"),
    (".fl", "stroke", "#5586C6", "#6F9FDC"),
    (".fm", "stroke", "#174A95", "#A9CDFF"),
    (".bb", "fill", "#AAC4E8", "#3C5B85"),
    (".ba", "fill", "#174A95", "#A9CDFF"),
    (".win", "stroke", "#0F6B43", "#62D49B"),
    (".loss", "stroke", "#B0241C", "#FF9184"),
    (".tw", "fill", "#0F6B43", "#62D49B"),
    (".tl", "fill", "#B0241C", "#FF9184"),
    (".wa", "fill", "#0F6B43", "#62D49B"),
    (".la", "fill", "#B0241C", "#FF9184"),
    (".dot", "stroke", "#1D1B18", "#F1EEE7"),
];

/// Returns the styles of a drawing's classes. Colors are written out, because not every viewer supports CSS variables.
pub(super) fn style() -> String {
    let rules = |night: bool| -> String {
        let rule = |(class, property, day, dark): (&str, &str, &str, &str)| {
            format!("{class}{{{property}:{}}}", if night { dark } else { day })
        };
        COLOURS.into_iter().map(rule).collect()
    };
    format!(
        "{SHAPES}{}.dot{{fill:#FFFFFF}}\n@media (prefers-color-scheme:dark){{{}.dot{{fill:#1B1F23}}}}\n",
        rules(false),
        rules(true)
    )
}

const SHAPES: &str = "\
text{font:400 12px/1.2 Inter,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-variant-numeric:tabular-nums}
.tb{font-weight:600}.t0{font-size:22px;font-weight:700}.th{font-size:15px;font-weight:600}.tv{font-size:20px;font-weight:700}
.tc{font-size:10.5px;font-weight:600;letter-spacing:.05em}
.hair,.edge{stroke-width:1}.fl,.fm,.win,.loss,.zero{fill:none;stroke-linejoin:round;stroke-linecap:round}.fl{stroke-width:1.2}.fm{stroke-width:2.6}
.win,.loss{stroke-width:2.2}.loss{stroke-dasharray:6 4}.zero{stroke-width:1.4;stroke-dasharray:1.5 4}.limit{stroke-width:1.2}
.wa,.la{fill-opacity:.10;stroke:none}.dot{stroke-width:1.6}.hit{fill:transparent}.at{opacity:0}.at:hover{opacity:1}.cut{stroke-width:1}
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_reach_no_further_than_the_scale() {
        assert_eq!(Scale::new(0.0, 180.0, 0.0, 1.0).ticks(7), [0.0, 30.0, 60.0, 90.0, 120.0, 150.0, 180.0]);
        assert_eq!(Scale::rounded(-430.0, 1_180.0, 5, 0.0, 1.0).ticks(5), [-500.0, 0.0, 500.0, 1_000.0, 1_500.0]);
        assert_eq!(Scale::new(0.0, 0.0, 0.0, 1.0).ticks(1), [0.0, 1.0]);
    }

    #[test]
    fn labels_keep_their_order_and_their_distance() {
        let moved = apart(vec![10.0, 12.0, 13.0, 90.0, 99.0], 15.0, 0.0, 100.0);
        assert!(moved.windows(2).all(|pair| pair[1] - pair[0] >= 15.0 - 1e-9), "{moved:?}");
        assert!(moved.iter().all(|place| (0.0..=100.0).contains(place)), "{moved:?}");
    }

    #[test]
    fn nothing_in_a_text_is_taken_for_a_mark() {
        assert_eq!(escaped("<b> & \"-$5\""), "&lt;b&gt; &amp; &quot;−$5&quot;");
    }
}
