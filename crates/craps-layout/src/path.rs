//! Outlines made of straight lines and arcs, in whole millimeters.

use std::fmt;

/// An outline in the syntax of an SVG path. Only the commands `M`, `L`, `H`, `V`, `A` and `Z` are allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Path(Vec<Step>);

/// One command of an outline.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Move(i32, i32),
    Line(i32, i32),
    /// An arc of at most half its ellipse: radii, direction and end point.
    Arc {
        rx: i32,
        ry: i32,
        clockwise: bool,
        x: i32,
        y: i32,
    },
    Close,
}

impl Path {
    /// Parses an outline.
    pub(crate) fn read(text: &str) -> Result<Path, String> {
        let mut steps = Vec::new();
        let (mut x, mut y) = (0, 0);
        let mut rest = text.trim();
        while let Some(letter) = rest.chars().next() {
            let body = &rest[letter.len_utf8()..];
            let end = body.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(body.len());
            let numbers: Vec<i32> = body[..end]
                .split([' ', ','])
                .filter(|number| !number.is_empty())
                .map(|number| number.parse().map_err(|_| format!("expected a whole number, found `{number}`")))
                .collect::<Result<_, String>>()?;
            let step = match (letter, &numbers[..]) {
                ('M', [to_x, to_y]) => Step::Move(*to_x, *to_y),
                ('L', [to_x, to_y]) => Step::Line(*to_x, *to_y),
                ('H', [to_x]) => Step::Line(*to_x, y),
                ('V', [to_y]) => Step::Line(x, *to_y),
                ('A', [rx, ry, 0, 0, sweep @ (0 | 1), to_x, to_y]) => {
                    Step::Arc { rx: *rx, ry: *ry, clockwise: *sweep == 1, x: *to_x, y: *to_y }
                }
                ('Z', []) => Step::Close,
                _ => {
                    return Err(format!(
                        "expected a step of an outline such as `H 10`, found `{letter}{}`",
                        &body[..end]
                    ));
                }
            };
            if let Step::Move(to_x, to_y) | Step::Line(to_x, to_y) | Step::Arc { x: to_x, y: to_y, .. } = step {
                (x, y) = (to_x, to_y);
            }
            steps.push(step);
            rest = body[end..].trim_start();
        }
        match steps.first() {
            Some(Step::Move(..)) => Ok(Path(steps)),
            _ => Err("an outline must begin with `M`".to_owned()),
        }
    }

    /// Returns the outline with every point moved by `to`. If that mirrors it, arcs change direction.
    pub(crate) fn put(&self, to: impl Fn(i32, i32) -> (i32, i32), mirrored: bool) -> Path {
        let put = |step: &Step| match *step {
            Step::Move(x, y) => {
                let (x, y) = to(x, y);
                Step::Move(x, y)
            }
            Step::Line(x, y) => {
                let (x, y) = to(x, y);
                Step::Line(x, y)
            }
            Step::Arc { rx, ry, clockwise, x, y } => {
                let (x, y) = to(x, y);
                Step::Arc { rx, ry, clockwise: clockwise != mirrored, x, y }
            }
            Step::Close => Step::Close,
        };
        Path(self.0.iter().map(put).collect())
    }

    /// Returns the bounding box: left, top, width, height. It looks at end points only, because every arc is a quarter of its ellipse.
    pub(crate) fn bounds(&self) -> (i32, i32, i32, i32) {
        let places = || {
            self.0.iter().filter_map(|step| match step {
                Step::Move(x, y) | Step::Line(x, y) | Step::Arc { x, y, .. } => Some((*x, *y)),
                Step::Close => None,
            })
        };
        let (left, right) = (places().map(|(x, _)| x).min(), places().map(|(x, _)| x).max());
        let (top, bottom) = (places().map(|(_, y)| y).min(), places().map(|(_, y)| y).max());
        let span = |low: Option<i32>, high: Option<i32>| (low.unwrap_or(0), high.unwrap_or(0) - low.unwrap_or(0));
        let ((x, w), (y, h)) = (span(left, right), span(top, bottom));
        (x, y, w, h)
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, step) in self.0.iter().enumerate() {
            if at > 0 {
                f.write_str(" ")?;
            }
            match step {
                Step::Move(x, y) => write!(f, "M {x} {y}"),
                Step::Line(x, y) => write!(f, "L {x} {y}"),
                Step::Arc { rx, ry, clockwise, x, y } => {
                    write!(f, "A {rx} {ry} 0 0 {} {x} {y}", u8::from(*clockwise))
                }
                Step::Close => f.write_str("Z"),
            }?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_is_read_mirrored_and_written() {
        let path = Path::read("M 0 0 H 20 V 30 A 10 10 0 0 1 10 40 H 0 Z").unwrap();
        assert_eq!(path.bounds(), (0, 0, 20, 40));
        let mirrored = path.put(|x, y| (100 - x, y), true);
        assert_eq!(mirrored.to_string(), "M 100 0 L 80 0 L 80 30 A 10 10 0 0 0 90 40 L 100 40 Z");
        assert_eq!(mirrored.bounds(), (80, 0, 20, 40));
        assert_eq!(mirrored.put(|x, y| (100 - x, y), true), path);
    }

    #[test]
    fn what_is_no_outline_is_refused_with_what_was_expected() {
        for (text, expected) in [
            ("", "must begin with `M`"),
            ("H 10", "must begin with `M`"),
            ("M 0", "found `M 0`"),
            ("M 0 0 C 1 2 3 4 5 6", "found `C 1 2 3 4 5 6`"),
            ("M 0 0.5", "expected a whole number"),
            ("M 0 0 A 1 1 0 1 1 2 2", "expected a step"),
        ] {
            let message = Path::read(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
