//! Colors. The felt has its own background and text color, so it looks the same on dark and light terminals; everything around it uses the
//! terminal's colors. No information depends on color alone: open, closed, won, lost, on and off each have a sign or a word.

use ratatui::style::{Color, Modifier, Style};
use std::ffi::OsStr;

/// Number of colors that the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// No colors, or the user wants none.
    None,
    /// The 16 standard colors. Only used for accents, because each terminal shows them differently.
    Sixteen,
    /// The 256-color palette.
    Palette,
    /// 24-bit color.
    True,
}

impl Depth {
    /// Reads the environment variables `NO_COLOR`, `COLORTERM` and `TERM`.
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

/// Styles of the screen.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Theme {
    /// Background and text of the felt.
    pub(crate) felt: Style,
    /// Lines on the felt.
    pub(crate) line: Style,
    /// Numbers and names of areas.
    pub(crate) name: Style,
    /// The current player's chips.
    pub(crate) own: Style,
    /// Other players' chips, and closed areas.
    pub(crate) faint: Style,
    /// The selected area.
    pub(crate) focus: Style,
    /// The puck when it is on.
    pub(crate) puck: Style,
    /// Dice.
    pub(crate) die: Style,
    /// Wins; they have a plus sign.
    pub(crate) win: Style,
    /// Losses, which have a minus sign, and refusals.
    pub(crate) loss: Style,
    /// Keys, calls and questions.
    pub(crate) key: Style,
    /// Less important text.
    pub(crate) quiet: Style,
}

impl Theme {
    /// Returns the styles for a number of colors.
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
        // On the terminal's own background, use colors of medium brightness, which are readable on black and on white.
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
