//! Colours. The felt brings its own ground and ink, so that it looks the same on a dark and on a light terminal; everything around it keeps
//! the terminal's own. Nothing is told by colour alone: open, closed, won, lost, on and off have a sign or a word each.

use ratatui::style::{Color, Modifier, Style};
use std::ffi::OsStr;

/// How much colour there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// None was wanted, or there is none.
    None,
    /// The sixteen of any terminal: used for accents only, for what they look like is the terminal's choice.
    Sixteen,
    /// The palette of 256.
    Palette,
    /// Any colour.
    True,
}

impl Depth {
    /// What the surroundings say: `NO_COLOR`, `COLORTERM` and `TERM`.
    pub(crate) fn of(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Depth {
        let says = |name: &str, word: &str| {
            variable(name).as_deref().and_then(OsStr::to_str).is_some_and(|value| value.contains(word))
        };
        let unwanted = variable("NO_COLOR").is_some_and(|value| !value.is_empty());
        if unwanted || says("TERM", "dumb") {
            Depth::None
        } else if says("COLORTERM", "truecolor") || says("COLORTERM", "24bit") {
            Depth::True
        } else if says("TERM", "256color") {
            Depth::Palette
        } else {
            Depth::Sixteen
        }
    }
}

/// The styles of a screen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    /// The cloth with its lettering.
    pub(crate) felt: Style,
    /// The lines on it.
    pub(crate) line: Style,
    /// Numbers and names of areas.
    pub(crate) name: Style,
    /// The player's own chips.
    pub(crate) own: Style,
    /// Other players' chips, and what is closed.
    pub(crate) faint: Style,
    /// Where the player's hand is.
    pub(crate) focus: Style,
    /// The puck that is on.
    pub(crate) puck: Style,
    /// A die.
    pub(crate) die: Style,
    /// A win; it has a plus sign.
    pub(crate) win: Style,
    /// A loss or a refusal; it has a minus sign or says so.
    pub(crate) loss: Style,
    /// Citations and keys.
    pub(crate) key: Style,
    /// The second text.
    pub(crate) quiet: Style,
}

impl Theme {
    /// The styles for so much colour.
    pub(crate) fn new(depth: Depth) -> Theme {
        let plain = Style::new();
        let bold = plain.add_modifier(Modifier::BOLD);
        let theme = Theme {
            felt: plain,
            line: plain,
            name: bold,
            own: bold,
            faint: plain,
            focus: plain.add_modifier(Modifier::REVERSED),
            puck: bold.add_modifier(Modifier::REVERSED),
            die: plain.add_modifier(Modifier::REVERSED),
            win: bold,
            loss: bold,
            key: bold,
            quiet: plain,
        };
        // On the terminal's own ground, colours of middle brightness: they are read on black and on white alike.
        let around = |win: Color, loss: Color, key: Color| Theme {
            win: bold.fg(win),
            loss: bold.fg(loss),
            key: bold.fg(key),
            die: plain.bg(loss).fg(Color::White),
            ..theme
        };
        let cloth = |theme: Theme, felt: Color, ink: Color, gold: Color, line: Color, faint: Color, die: Color| {
            let felt_style = plain.bg(felt).fg(ink);
            Theme {
                felt: felt_style,
                line: felt_style.fg(line),
                name: felt_style.fg(gold).add_modifier(Modifier::BOLD),
                own: felt_style.add_modifier(Modifier::BOLD),
                faint: felt_style.fg(faint),
                focus: plain.bg(gold).fg(felt).add_modifier(Modifier::BOLD),
                puck: plain.bg(ink).fg(felt).add_modifier(Modifier::BOLD),
                die: plain.bg(die).fg(ink),
                ..theme
            }
        };
        match depth {
            Depth::None => theme,
            Depth::Sixteen => around(Color::Green, Color::Red, Color::Magenta),
            Depth::Palette => cloth(
                around(Color::Indexed(28), Color::Indexed(160), Color::Indexed(32)),
                Color::Indexed(23),
                Color::Indexed(230),
                Color::Indexed(222),
                Color::Indexed(151),
                Color::Indexed(152),
                Color::Indexed(124),
            ),
            Depth::True => cloth(
                around(Color::Rgb(0, 135, 60), Color::Rgb(220, 40, 40), Color::Rgb(30, 122, 214)),
                Color::Rgb(14, 87, 71),
                Color::Rgb(244, 237, 223),
                Color::Rgb(255, 210, 122),
                Color::Rgb(142, 178, 160),
                Color::Rgb(178, 205, 192),
                Color::Rgb(169, 30, 27),
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsString;

    fn depth(said: &[(&str, &str)]) -> Depth {
        Depth::of(|name| said.iter().find(|(known, _)| *known == name).map(|(_, value)| OsString::from(value)))
    }

    #[test]
    fn no_color_counts_before_everything_else_and_only_when_it_says_something() {
        assert_eq!(depth(&[("NO_COLOR", "1"), ("COLORTERM", "truecolor")]), Depth::None);
        assert_eq!(depth(&[("NO_COLOR", ""), ("COLORTERM", "truecolor")]), Depth::True);
        assert_eq!(depth(&[("TERM", "xterm-256color")]), Depth::Palette);
        assert_eq!(depth(&[("TERM", "linux")]), Depth::Sixteen);
        assert_eq!(depth(&[("TERM", "dumb")]), Depth::None);
    }
}
